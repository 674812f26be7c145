//! The chain in the order of time: ∂q(t)/∂u for all parameters, at any time and event.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, RowDVector};

use super::chain::{Builder, Chain, NodeRelations, elsewhere};
use super::change::{Change, Variable};
use super::columns::{Columns, Part, Spare};
use super::linear::Program;
use super::moment::{Moment, Row, Side};
use super::seed::Seeds;
use super::{Mark, rows};
use crate::dynamics::StateTangent;
use crate::model::{BodyId, ControlVector, Model, ParameterId, Units};
use crate::simulation::tape::NodeId;
use crate::simulation::{EventId, Trajectory};

/// The derivative of a whole motion by some parameters. It keeps the changes with which bodies leave nodes, 12 ×
/// parameters each, and works out what lies between when asked.
pub struct Forward<'a> {
    /// In its own units.
    trajectory: &'a Trajectory,
    units: Units,
    rows: Vec<(BodyId, usize)>,
    seeds: Seeds,
    variables: BTreeMap<Variable, Columns>,
    marks: Vec<Mark>,
}

/// What is known at a moment.
struct Look {
    values: Vec<Option<Columns>>,
    time: Option<Change>,
    changes: BTreeMap<BodyId, Option<Change>>,
}

/// Differentiates a motion by the given parameters. `trajectory` must be that of `model` and `u`.
pub fn forward<'a>(
    model: &Model,
    u: &ControlVector,
    trajectory: &'a Trajectory,
    parameters: &[ParameterId],
) -> Forward<'a> {
    let mut forward = Forward::new(model, u, trajectory, parameters);
    forward.pass_while(&|| true);
    forward
}

/// The same while it is wanted, which is asked at every node; none where it was not.
pub fn forward_while<'a>(
    model: &Model,
    u: &ControlVector,
    trajectory: &'a Trajectory,
    parameters: &[ParameterId],
    wanted: &dyn Fn() -> bool,
) -> Option<Forward<'a>> {
    let mut forward = Forward::new(model, u, trajectory, parameters);
    forward.pass_while(wanted).then_some(forward)
}

impl<'a> Forward<'a> {
    /// Before any node.
    fn new(model: &Model, u: &ControlVector, trajectory: &'a Trajectory, parameters: &[ParameterId]) -> Forward<'a> {
        let trajectory = trajectory.in_own_units();
        let units = trajectory.world().units();
        let seeds = Seeds::new(model, u, trajectory.world(), parameters);
        Forward { trajectory, units, rows: rows(model), seeds, variables: BTreeMap::new(), marks: Vec::new() }
    }

    /// Goes through all nodes; false where it was not wanted to its end.
    fn pass_while(&mut self, wanted: &dyn Fn() -> bool) -> bool {
        let mut spare = Spare::default();
        let whole = (0..self.trajectory.tape().nodes.len()).all(|k| {
            self.pass(NodeId(k as u32), &mut spare);
            wanted()
        });
        self.marks.iter_mut().for_each(|mark| mark.t *= self.units.time);
        whole
    }
}

impl Forward<'_> {
    fn chain(&self) -> Chain<'_> {
        Chain { trajectory: self.trajectory, seeds: &self.seeds, forward_only: true }
    }

    /// What is known of a change that outlives its node.
    fn variable(&self, variable: Variable) -> Option<&Columns> {
        match variable {
            Variable::Start(body) => self.seeds.starts.get(&body),
            other => self.variables.get(&other),
        }
    }

    fn run(&self, program: &Program, spare: &mut Spare) -> Vec<Option<Columns>> {
        program.forward(|variable| self.variable(variable), |name| self.seeds.columns(name), spare)
    }

    fn value<'a>(&'a self, values: &'a [Option<Columns>], operand: Option<Change>) -> Option<Part<'a>> {
        operand?.part(values, |variable| self.variable(variable))
    }

    fn pass(&mut self, node: NodeId, spare: &mut Spare) {
        let relations = self.chain().node(node);
        let values = self.run(&relations.program, spare);
        for (variable, operand) in &relations.program.outputs {
            if let Some(columns) = self.value(&values, Some(*operand)).map(|part| part.to_columns(spare)) {
                self.variables.insert(*variable, columns);
            }
        }
        spare.keep(values.into_iter().flatten());
        self.marks.extend(relations.marks);
    }

    /// ∂q(t)/∂u at a fixed time: (12 per moving body, 6 per particle) × parameters. A time that is an event's means
    /// just after it.
    pub fn at(&self, t: f64) -> DMatrix<f64> {
        self.assemble(&self.look(Moment::Time(t), &self.bodies()))
    }

    /// dt_c/du and the total derivative of the state at the moving time of an event, just before or after it.
    pub fn at_event(&self, event: EventId, side: Side) -> (RowDVector<f64>, DMatrix<f64>) {
        let look = self.look(Moment::Event { event, side }, &self.bodies());
        let mut dt_c_du = RowDVector::zeros(self.seeds.count);
        self.add(&look, look.time, &[self.units.time], &mut dt_c_du);
        (dt_c_du, self.assemble(&look))
    }

    /// Scalars of the motion by the parameters, as [`reverse`](super::reverse()) has them: rows × parameters.
    pub fn rows(&self, rows: &[Row]) -> DMatrix<f64> {
        let mut values = DMatrix::zeros(rows.len(), self.seeds.count);
        for (k, row) in rows.iter().enumerate() {
            let pushed =
                |(body, _): &&(BodyId, StateTangent)| self.trajectory.world().bodies[body.index()].drive.is_pushed();
            let weights: Vec<_> = row.bodies.iter().filter(pushed).collect();
            let bodies: Vec<BodyId> = weights.iter().map(|(body, _)| *body).collect();
            let look = self.look(row.moment, &bodies);
            let mut value = RowDVector::zeros(self.seeds.count);
            self.add(&look, look.time, &[row.dtime * self.units.time], &mut value);
            for (body, weights) in weights {
                self.add(&look, look.changes[body], self.units.tangent(weights).as_slice(), &mut value);
            }
            values.set_row(k, &value);
        }
        values
    }

    /// Bodies that have rows.
    fn bodies(&self) -> Vec<BodyId> {
        self.rows.iter().filter(|(_, entry)| *entry == 0).map(|(body, _)| *body).collect()
    }

    /// The changes of some bodies at a moment.
    fn look(&self, moment: Moment, bodies: &[BodyId]) -> Look {
        let (builder, time, changes) = match moment {
            Moment::Time(t) => {
                let t = self.units.own_time(t).clamp(0.0, self.trajectory.t_end);
                let mut builder = self.chain().builder();
                let change = |&body: &BodyId| {
                    let begun = self.trajectory.tape().begun(body, t);
                    (body, builder.place(body, begun, t).change)
                };
                let changes = bodies.iter().map(change).collect();
                (builder, None, changes)
            }
            Moment::Event { event, side } => {
                let node = self.trajectory.events[event.index()].node;
                let NodeRelations { program, time, before, after, .. } = self.chain().node(node);
                let mut builder = Builder { program, ..self.chain().builder() };
                let t = self.trajectory.tape().node(node).t;
                let taking_part = if side == Side::Before { before } else { after };
                let change = |&body: &BodyId| match taking_part.get(&body) {
                    Some(change) => (body, *change),
                    None => (body, elsewhere(&mut builder, body, node, t, time)),
                };
                let changes = bodies.iter().map(change).collect();
                (builder, time, changes)
            }
        };
        Look { values: self.run(&builder.program, &mut Spare::default()), time, changes }
    }

    /// Adds weighed rows of a change.
    fn add(&self, look: &Look, change: Option<Change>, weights: &[f64], sum: &mut RowDVector<f64>) {
        if let Some(part) = self.value(&look.values, change) {
            for (parameter, column) in part.run().zip(part.columns()) {
                sum[parameter] += column.iter().zip(weights).map(|(entry, weight)| entry * weight).sum::<f64>();
            }
        }
    }

    fn assemble(&self, look: &Look) -> DMatrix<f64> {
        let mut jacobian = DMatrix::zeros(self.rows.len(), self.seeds.count);
        let mut first = 0;
        for body in self.rows.chunk_by(|a, b| a.0 == b.0) {
            let change = look.changes.get(&body[0].0).copied().flatten();
            if let Some(part) = self.value(&look.values, change) {
                for (mut column, part) in jacobian.columns_range_mut(part.run()).column_iter_mut().zip(part.columns()) {
                    let entries = &mut column.as_mut_slice()[first..first + body.len()];
                    let told = |entry: usize| part[entry] * self.units.entry(entry);
                    entries.iter_mut().zip(body).for_each(|(to, (_, entry))| *to = told(*entry));
                }
            }
            first += body.len();
        }
        jacobian
    }

    /// Instants without a usable derivative, or with a one-sided one, in order of time.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }
}
