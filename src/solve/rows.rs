//! Residuals → linear wishes over the free parameters.
//!
//! ```text
//! J = c_q·dq/du + c_t·dt/du + c_u                                                                            (1)
//! ```
//!
//! dq/du of moving bodies and dt/du of impacts are pulled back by `sensitivity`. Fixed bodies stand where u says:
//! dx/du = 1, dθ/du = dexp(offset). At an apex E = v·g = 0 floats with t = t_a(u), v̇ being g but for what joints and forces add:
//!
//! ```text
//! δt = −(g·δv + v·δg)/(g·v̇)          c_q·(δq + q̇·δt): add (c_q·q̇)·δt to the row at the fixed time              (2)
//! ```

use nalgebra::{DMatrix, DVector};

use super::least_norm::LinearWish;
use super::point::Point;
use super::settings::Unwanted;
use crate::dynamics::StateTangent;
use crate::goal::{Goal, Gradient, Instant, Reading, Residual};
use crate::math::rotation::dexp;
use crate::math::{Mat3, Vec3};
use crate::model::{Axis, BodyId, Field, ParameterId, Role, Subject};
use crate::scene;
use crate::sensitivity::{Moment, Row, Side, forward_while, reverse_while};
use crate::simulation::EventId;

/// The linear wishes of nails and of the drag; wishes whose event is missing have none.
pub(super) struct Linear {
    pub nails: Vec<LinearWish>,
    pub drag: Vec<LinearWish>,
}

impl Linear {
    /// The same over some of the parameters.
    pub fn of_columns(&self, columns: &[usize]) -> Linear {
        let of = |wish: &LinearWish| LinearWish { row: wish.row.select_rows(columns), ..wish.clone() };
        Linear { nails: self.nails.iter().map(of).collect(), drag: self.drag.iter().map(of).collect() }
    }
}

/// Rows of one residual: indices into those pulled back, and what enters directly.
struct Plan {
    rows: Vec<usize>,
    direct: Vec<(ParameterId, f64)>,
    change: f64,
    relation: crate::goal::Relation,
}

struct Planner<'a> {
    point: &'a Point,
    rows: Vec<Row>,
}

/// Linearises all enabled wishes over the given parameters, while that is wanted.
pub(super) fn linearize(
    point: &Point,
    goals: &[Goal],
    parameters: &[ParameterId],
    wanted: &dyn Fn() -> bool,
) -> Result<Linear, Unwanted> {
    let mut planner = Planner { point, rows: Vec::new() };
    let mut nails = Vec::new();
    for (_, reading) in goals.iter().zip(&point.nails).filter(|(goal, _)| goal.enabled) {
        nails.extend(planner.plans(reading));
    }
    let drag: Vec<Plan> = point.drag.iter().flat_map(|reading| planner.plans(reading)).collect();
    let pulled = derivatives(point, parameters, &planner.rows, wanted).ok_or(Unwanted)?;
    let place = |id: ParameterId| parameters.binary_search(&id).ok();
    let wish = |plan: Plan| {
        let mut row: DVector<f64> = DVector::zeros(parameters.len());
        for index in plan.rows {
            row += pulled.row(index).transpose();
        }
        for (id, rate) in plan.direct {
            place(id).into_iter().for_each(|k| row[k] += rate);
        }
        // A derivative that overflowed says nothing; a zero leaves the parameter alone.
        row.iter_mut().filter(|entry| !entry.is_finite()).for_each(|entry| *entry = 0.0);
        LinearWish { row, change: plan.change, relation: plan.relation }
    };
    Ok(Linear { nails: nails.into_iter().map(wish).collect(), drag: drag.into_iter().map(wish).collect() })
}

/// The derivatives of rows by parameters, on the shorter way: against time there is work for every row, and in their past alone;
/// with time for every parameter, and for all bodies. Where these are many, the past of a few rows has few of them.
fn derivatives(
    point: &Point,
    parameters: &[ParameterId],
    rows: &[Row],
    wanted: &dyn Fn() -> bool,
) -> Option<DMatrix<f64>> {
    let many = point.model.bodies().len() > rows.len() + parameters.len();
    if many || rows.len() <= parameters.len() {
        let pullback = reverse_while(&point.model, &point.u, &point.trajectory, parameters, rows, wanted);
        return pullback.map(|pullback| pullback.values);
    }
    let forward = forward_while(&point.model, &point.u, &point.trajectory, parameters, wanted);
    forward.map(|forward| forward.rows(rows))
}

impl Planner<'_> {
    fn plans(&mut self, reading: &Reading) -> Vec<Plan> {
        match reading {
            Reading::Missing(_) => Vec::new(),
            Reading::Read(instant, residuals) => {
                let finite = residuals.iter().filter(|residual| residual.value.is_finite());
                finite.map(|residual| self.plan(instant, residual)).collect()
            }
        }
    }

    fn plan(&mut self, instant: &Instant, residual: &Residual) -> Plan {
        let Residual { value, relation, gradient, .. } = residual;
        let mut plan =
            Plan { rows: Vec::new(), direct: gradient.parameters.clone(), change: -value, relation: *relation };
        self.add_states(&mut plan, instant, gradient);
        for (instant, rate) in &gradient.times {
            match *instant {
                Instant::Fixed { .. } => {}
                Instant::Event { event, .. } => {
                    self.push(&mut plan, moment(event, scene::Side::After), Vec::new(), *rate);
                }
                Instant::Apex { body, t } => {
                    let row = self.apex(&mut plan, body, instant, *rate);
                    self.push(&mut plan, Moment::Time(t), vec![(body, row)], 0.0);
                }
            }
        }
        plan
    }

    fn add_states(&mut self, plan: &mut Plan, instant: &Instant, gradient: &Gradient) {
        let mut moving = Vec::new();
        for &(body, row) in &gradient.bodies {
            if !self.point.model.bodies()[body.index()].drive.is_pushed() {
                self.add_fixed(plan, body, &row);
            } else {
                moving.push((body, row));
            }
        }
        if moving.is_empty() {
            return;
        }
        let moment = match *instant {
            Instant::Fixed { t } => Moment::Time(t),
            Instant::Event { event, side, .. } => moment(event, side),
            Instant::Apex { body, t } => {
                // (2)
                let rate = moving.iter().map(|(b, row)| row.dot(&instant.rate(&self.point.trajectory, *b))).sum();
                let floating = self.apex(plan, body, instant, rate);
                match moving.iter_mut().find(|(own, _)| *own == body) {
                    Some((_, row)) => *row += floating,
                    None => moving.push((body, floating)),
                }
                Moment::Time(t)
            }
        };
        self.push(plan, moment, moving, 0.0);
    }

    /// rate·δt of (2): the row over the body's δv; what gravity adds directly goes into the plan.
    fn apex(&self, plan: &mut Plan, body: BodyId, instant: &Instant, rate: f64) -> StateTangent {
        let gravity = self.point.trajectory.world().gravity;
        let acceleration: Vec3 = instant.rate(&self.point.trajectory, body).fixed_rows::<3>(6).into_owned();
        let factor = -rate / gravity.dot(&acceleration);
        let velocity = instant.state(&self.point.trajectory, body).velocity;
        for axis in Axis::ALL {
            if let Some(id) = self.point.model.find(&Field::Gravity.of(Subject::Scene).along(axis)) {
                plan.direct.push((id, factor * velocity[axis.index()]));
            }
        }
        let mut row = StateTangent::zeros();
        row.fixed_rows_mut::<3>(6).copy_from(&(gravity * factor));
        row
    }

    /// A fixed body stands where its parameters say.
    fn add_fixed(&self, plan: &mut Plan, body: BodyId, row: &StateTangent) {
        let model = &self.point.model;
        let find = |role: Role| model.find(&role);
        let (position, rotation) = (Field::Position.of(body), Field::Rotation.of(body));
        let value = |axis: Axis| find(rotation.along(axis)).map_or(0.0, |id| self.point.u[id]);
        let offset = Vec3::from(Axis::ALL.map(value));
        let turn: Mat3 = dexp(offset);
        let by_turn = turn.transpose() * row.fixed_rows::<3>(3);
        for axis in Axis::ALL {
            plan.direct.extend(find(position.along(axis)).map(|id| (id, row[axis.index()])));
            plan.direct.extend(find(rotation.along(axis)).map(|id| (id, by_turn[axis.index()])));
        }
    }

    fn push(&mut self, plan: &mut Plan, moment: Moment, bodies: Vec<(BodyId, StateTangent)>, dtime: f64) {
        plan.rows.push(self.rows.len());
        self.rows.push(Row { moment, bodies, dtime });
    }
}

fn moment(event: usize, side: scene::Side) -> Moment {
    let side = match side {
        scene::Side::Before => Side::Before,
        scene::Side::After => Side::After,
    };
    Moment::Event { event: EventId(event as u32), side }
}
