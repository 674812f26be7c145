//! Joints that hold at the start go on holding: every change of u moves in their tangent space and back onto them.
//!
//! ```text
//! C(u) = (D, Ḋ) of joints that hold at the start, what is "of the start" (r₀ of a weld) kept as it was
//! rows                        C_u·δu = −C                                                              (1)
//! back onto them              u ← u + argmin |δu|²_M subject to (1), until C is rounding                (2)
//! else as far as it goes      the largest part of the way from which (2) leads back                     (3)
//! ```
//!
//! Off its joints a motion is no motion of the machine: what was apart comes together by forces of its own, and on closed loops
//! derivatives are wrong by 1e-5. A joint holds where D is within `HOLDS`; if its rates are too, they are kept. What
//! starts apart is free to start elsewhere. Only free parameters move; where a person has locked too much, (3) goes nowhere.
//!
//! (1) are equations that come before all wishes in [`LeastNorm`], which takes rows that repeat each other as one.

use nalgebra::DVector;

use super::least_norm::{LeastNorm, LinearWish};
use crate::dynamics::joined::{BodyFacts, Column, Standing, StandingRow};
use crate::goal::Relation;
use crate::math::rotation::{exp, log};
use crate::model::{
    Axis, BodyId, ControlVector, Field, HOLDS, Model, ParameterId, Quantity, StartGroup, World, WorldDirection,
};

/// Steps of (2): each squares the error.
const STEPS: usize = 20;
/// C after (2) is at most this, in m, rad and their rates: a hundred times what rounding leaves of metres.
const HELD: f64 = 1e-13;
/// Where rounding of long ways keeps it from that, this will do.
const ROUNDED: f64 = 1e-12;
/// Halvings of (3).
const HALVINGS: usize = 12;

/// The joints of a group, and which of their rows hold.
struct Held {
    group: StartGroup,
    /// Of D and of Ḋ, row by row.
    rows: [Vec<bool>; 2],
}

/// Where a start is, and what must hold there.
struct Holding {
    groups: Vec<Held>,
    /// What is "of the start" is of this one.
    facts: Vec<BodyFacts>,
    /// What C shall be: zero, or what it is where nothing that is free brings it there.
    target: Vec<f64>,
}

/// (1) over the given parameters.
pub(super) fn rows(model: &Model, u: &ControlVector, parameters: &[ParameterId]) -> Vec<LinearWish> {
    if model.has_no_joints() {
        return Vec::new();
    }
    let world = World::given(model, u);
    Holding::new(model, u, &world, parameters).rows(model, u, &world, parameters)
}

/// (2) or (3): a control vector on the joints that hold at another one, from which it came.
pub(super) fn retract(
    model: &Model,
    from: &ControlVector,
    to: ControlVector,
    parameters: &[ParameterId],
) -> ControlVector {
    if model.has_no_joints() {
        return to;
    }
    let holding = Holding::new(model, from, &World::given(model, from), parameters);
    if holding.groups.is_empty() {
        return to;
    }
    let mut part = 1.0;
    for _ in 0..HALVINGS {
        let mut tried = from.clone();
        for id in parameters {
            tried[*id] = from[*id] + part * (to[*id] - from[*id]);
        }
        if part == 1.0 {
            tried = to.clone();
        }
        if let Some(held) = holding.back(model, tried, parameters) {
            return held;
        }
        part *= 0.5;
    }
    from.clone()
}

/// The same motion from a start that needs no assembling, as far as what is free can say so; none where it is that already.
pub(super) fn assembled(model: &Model, u: &ControlVector) -> Option<ControlVector> {
    let (world, given) = (World::new(model, u), World::given(model, u));
    let mut moved = u.clone();
    for (k, (there, here)) in world.bodies.iter().zip(&given.bodies).enumerate() {
        let (there, here) = (&there.initial, &here.initial);
        if there == here {
            continue;
        }
        let free = |field: Field, axis: Axis| {
            let id = model.find(&field.of(BodyId(k as u32)).along(axis))?;
            model.parameters()[id.index()].free.then_some(id)
        };
        let mut set = |field: Field, values: nalgebra::Vector3<f64>| {
            for axis in Axis::ALL {
                if let Some(id) = free(field, axis) {
                    let (low, high) = model.bounds_at(u, id);
                    moved[id] = values[axis.index()].clamp(low, high);
                }
            }
        };
        set(Field::Position, there.position);
        set(Field::Velocity, there.velocity);
        set(Field::Spin, there.spin);
        if let [Some(x), Some(y), Some(z)] = Axis::ALL.map(|axis| free(Field::Rotation, axis)) {
            let offset = exp(nalgebra::Vector3::new(u[x], u[y], u[z]));
            set(Field::Rotation, log(&(there.rotation * here.rotation.inverse() * offset)));
        }
    }
    (moved != *u).then_some(moved)
}

impl Holding {
    fn new(model: &Model, u: &ControlVector, world: &World, parameters: &[ParameterId]) -> Holding {
        let facts = world.body_facts();
        let held = |group: StartGroup| {
            let rows = standing(world, &group, &facts).rows();
            let holds = |joint: usize, of: fn(&StandingRow) -> f64| {
                rows.iter().all(|row| row.joint != joint || of(row).abs() <= HOLDS)
            };
            let places: Vec<bool> = rows.iter().map(|row| holds(row.joint, |row| row.value)).collect();
            let rates =
                rows.iter().zip(&places).map(|(row, place)| *place && holds(row.joint, |row| row.rate)).collect();
            Held { group, rows: [places, rates] }
        };
        let groups = world.start_groups().into_iter().map(held);
        let groups: Vec<Held> = groups.filter(|held| held.rows[0].contains(&true)).collect();
        let mut holding = Holding { groups, facts, target: Vec::new() };
        let values = holding.values(world);
        holding.target = vec![0.0; values.len()];
        if values.iter().any(|value| value.abs() > ROUNDED) && holding.back(model, u.clone(), parameters).is_none() {
            holding.target = values;
        }
        holding
    }

    /// C.
    fn values(&self, world: &World) -> Vec<f64> {
        let facts = self.facts_in(world);
        let values = |held: &Held| {
            let rows = standing(world, &held.group, &facts).rows();
            let kept = |which: usize, of: fn(&StandingRow) -> f64| {
                rows.iter().zip(&held.rows[which]).filter(|(_, holds)| **holds).map(|(row, _)| of(row)).collect()
            };
            let [places, rates]: [Vec<f64>; 2] = [kept(0, |row| row.value), kept(1, |row| row.rate)];
            [places, rates].concat()
        };
        self.groups.iter().flat_map(values).collect()
    }

    /// What machines know of bodies in a world, with this start.
    fn facts_in(&self, world: &World) -> Vec<BodyFacts> {
        let facts = world.body_facts().into_iter().zip(&self.facts);
        facts.map(|(facts, own)| BodyFacts { initial: own.initial, ..facts }).collect()
    }

    /// (1).
    fn rows(&self, model: &Model, u: &ControlVector, world: &World, parameters: &[ParameterId]) -> Vec<LinearWish> {
        if self.groups.is_empty() {
            return Vec::new();
        }
        let directions: Vec<WorldDirection> = parameters.iter().map(|id| world.direction(model, u, *id)).collect();
        let facts = self.facts_in(world);
        let (mut rows, mut target) = (Vec::new(), self.target.iter());
        for held in &self.groups {
            let standing = standing(world, &held.group, &facts);
            let quantity = |id| Some((Column::Number(id), world.quantity_of(id)?));
            let (wanted, quantities): (Vec<Column>, Vec<Quantity>) =
                standing.machine().number_ids().into_iter().filter_map(quantity).unzip();
            let changes = standing.change(&wanted);
            let of = |which: usize, row: usize| {
                let entry = |direction: &WorldDirection| {
                    let mut sum = 0.0;
                    for (body, tangent) in &direction.starts {
                        if let Some(member) = held.group.members.iter().position(|&own| own == body.index()) {
                            sum += changes[which].fixed_view::<1, 12>(row, 12 * member).dot(&tangent.transpose());
                        }
                    }
                    for (of, rate) in &direction.quantities {
                        for (place, _) in quantities.iter().enumerate().filter(|(_, own)| *own == of) {
                            sum += changes[which][(row, 12 * held.group.members.len() + place)] * rate;
                        }
                    }
                    sum
                };
                DVector::from_iterator(parameters.len(), directions.iter().map(entry))
            };
            let values = standing.rows();
            for (which, kept) in held.rows.iter().enumerate() {
                for (row, value) in values.iter().enumerate().filter(|(row, _)| kept[*row]) {
                    let change = target.next().unwrap_or(&0.0) - if which == 0 { value.value } else { value.rate };
                    let wish = LinearWish { row: of(which, row), change, relation: Relation::Equal };
                    if wish.row.iter().all(|entry| entry.is_finite()) && change.is_finite() {
                        rows.push(wish);
                    }
                }
            }
        }
        rows
    }

    /// (2); none where it does not lead back.
    fn back(&self, model: &Model, mut u: ControlVector, parameters: &[ParameterId]) -> Option<ControlVector> {
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let world = World::given(model, &u);
            let off = self.values(&world).iter().zip(&self.target).fold(0.0, |most: f64, (value, target)| {
                if value.is_nan() { f64::INFINITY } else { most.max((value - target).abs()) }
            });
            if off <= HELD || (off <= ROUNDED && off >= 0.5 * last) {
                return Some(u);
            }
            if !off.is_finite() {
                return None;
            }
            last = last.min(off);
            let of = |id: &ParameterId| &model.parameters()[id.index()];
            let bounds = |id: &ParameterId| {
                let (low, high) = model.bounds_at(&u, *id);
                ((low - u[*id]).min(0.0), (high - u[*id]).max(0.0))
            };
            let problem = LeastNorm {
                limits: Vec::new(),
                levels: vec![self.rows(model, &u, &world, parameters)],
                metric: parameters.iter().map(|id| of(id).metric).collect(),
                pull: vec![0.0; parameters.len()],
                bounds: parameters.iter().map(bounds).collect(),
            };
            for (id, change) in parameters.iter().zip(problem.solve().du) {
                let (low, high) = model.bounds_at(&u, *id);
                u[*id] = (u[*id] + change).clamp(low, high);
            }
        }
        None
    }
}

/// The joints of a group as they stand in a world.
fn standing(world: &World, group: &StartGroup, facts: &[BodyFacts]) -> Standing {
    let states: Vec<_> = group.members.iter().map(|&body| world.bodies[body].initial).collect();
    Standing::new(&world.start_blueprint(group, facts, &states))
}
