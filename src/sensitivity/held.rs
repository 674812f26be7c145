//! Steps of held groups, their cuts and their sleep, as relations.
//!
//! A step Φ(q, s, u) of length s and its state before the projection are linear relations of q, s and u; a step that
//! sliding ends has a length that follows from them. Steps on the time grid grow shorter where they start later, and
//! a step that a turn limits grows with a slower spin:
//!
//! ```text
//! δs = −part·T_start,      or  δs = −part·(largest turn)/|ω|³·ω·δω                                  (1)
//! cut at x:   δ(x) = T − T_start,    B = projection of the path's change                            (2)
//! ```

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::chain::{Builder, Place};
use super::change::{Change, Variable};
use super::linear::Relation;
use super::step_columns::{StepColumns, TakenStep, write_rows};
use super::step_relations::StepRelations;
use super::{Mark, Reason};
use crate::contact::ContactWorkspace;
use crate::dynamics::{BodyState, StateTangent};
use crate::math::elementary::powi;
use crate::model::{Axis, BodyId, Field, Pair, Quantity, Subject, World};
use crate::simulation::LARGEST_TURN;
use crate::simulation::held::{
    Bend, HeldContact, HeldGroup, MassDirection, Member, StepDirection, StepOutcome, StepPath,
};
use crate::simulation::tape::{GroupCut, Node, NodeId, Source, StepId, StepLimit, StepRecord};

/// The members of a cut step, or of several.
pub(super) struct CutRelations {
    pub bodies: Vec<BodyId>,
    /// Before and after the projection.
    pub states: Vec<[BodyState; 2]>,
    pub unprojected: Vec<Option<Change>>,
    pub projected: Vec<Option<Change>>,
    /// dq/dx of the projected states along the path.
    pub rates: Vec<StateTangent>,
}

impl CutRelations {
    fn place(&self, body: BodyId) -> Option<usize> {
        self.bodies.iter().position(|member| *member == body)
    }
}

impl Builder<'_> {
    fn group(&self, members: &[BodyId], contacts: &[HeldContact]) -> Arc<HeldGroup> {
        Arc::new(held_group(self.chain.world(), members, contacts))
    }

    /// The change of every member at the start of a step.
    fn starts(&self, record: &StepRecord) -> Vec<Option<Change>> {
        let start = |&body: &BodyId| {
            if !self.chain.world().bodies[body.index()].drive.is_pushed() {
                return self.chain.start(body);
            }
            Some(Change::Outer(Variable::Launch(record.node, body)))
        };
        record.members.iter().map(start).collect()
    }

    /// The numbers asked for on which a group depends; without gravity and friction where only places count.
    fn group_quantities(&self, group: &HeldGroup, forces: bool) -> Vec<Quantity> {
        let mut quantities = Vec::new();
        for member in &group.members {
            quantities.extend([Quantity::Mass(member.body), Quantity::Size(member.body)]);
            quantities.extend(Axis::ALL.map(|axis| Quantity::Inertia(member.body, axis)));
            if forces {
                let own = [Field::Friction, Field::RollingResistance].map(|field| field.of(member.body));
                quantities.extend(own.map(Quantity::Parameter));
            }
        }
        if forces {
            quantities.extend(Axis::ALL.map(Quantity::gravity));
        }
        quantities.retain(|quantity| self.chain.seeds.asks(*quantity));
        quantities
    }

    /// The relations of a step, made once.
    pub(super) fn step(&mut self, id: StepId) -> &StepRelations {
        if !self.steps.contains_key(&id) {
            let relations = self.step_relations(id);
            self.steps.insert(id, relations);
        }
        &self.steps[&id]
    }

    fn step_relations(&mut self, id: StepId) -> StepRelations {
        let record = self.chain.tape().step(id);
        let group = self.group(&record.members, &record.contacts);
        let starts = self.starts(record);
        let whole = self.whole_length(record, &starts);
        let quantities = self.group_quantities(&group, true);
        let mut workspace = ContactWorkspace::default();
        if !record.solved {
            self.marks.push(Mark { t: self.chain.tape().node(record.node).t, reason: Reason::Unsolved });
        }
        let split =
            record.frozen.as_ref().and_then(|frozen| group.split_derivative(&record.start, record.length, frozen));
        let step = match split {
            Some(split) => TakenStep::Split(Box::new(split)),
            None => {
                let warm = record.warm.as_deref();
                TakenStep::Whole(Box::new(group.step_derivative(&record.start, record.length, warm, &mut workspace)))
            }
        };
        let outcome = step.outcome().clone();
        let inputs = StepColumns { group, step, starts, whole };
        let group = inputs.group.clone();
        let by_parameter = self.chain.forward_only && self.chain.seeds.count < inputs.width();
        let relation = inputs.relation(self.chain.world(), &quantities, by_parameter);
        self.finish_step(&group, outcome, relation)
    }

    fn finish_step(&mut self, group: &Arc<HeldGroup>, outcome: StepOutcome, relation: Relation) -> StepRelations {
        let all = self.program.define(relation);
        let count = group.members.len();
        let (mut unprojected, mut end) = (vec![None; count], vec![None; count]);
        let moving = (0..count).filter(|&k| group.members[k].is_pushed());
        for (place, k) in moving.enumerate() {
            unprojected[k] = all.map(|all| all.rows(1 + 24 * place, 12));
            end[k] = all.map(|all| all.rows(13 + 24 * place, 12));
        }
        StepRelations { group: group.clone(), outcome, length: all.map(|all| all.rows(0, 1)), unprojected, end }
    }

    /// (1).
    fn whole_length(&mut self, record: &StepRecord, starts: &[Option<Change>]) -> Option<Change> {
        let relation = match record.limit {
            StepLimit::Grid(_) => {
                let shorter = DMatrix::from_element(1, 1, -record.part);
                Relation::new(1).plus(self.chain.time(record.node), shorter)
            }
            StepLimit::Turn(member) => {
                let spin = record.start[member].spin;
                let share = spin * (-record.part * LARGEST_TURN / powi(spin.norm(), 3));
                let mut row = DMatrix::zeros(1, 12);
                row.view_mut((0, 9), (1, 3)).copy_from(&share.transpose());
                Relation::new(1).plus(starts[member], row)
            }
        };
        self.program.define(relation)
    }

    /// (2) for one step, at t; T where the cut moves.
    pub(super) fn cut(&mut self, id: StepId, t: f64, time: Option<Change>) -> CutRelations {
        let record = self.chain.tape().step(id);
        let (begin, begin_time) = (self.chain.tape().node(record.node).t, self.chain.time(record.node));
        let starts = self.starts(record);
        let relations = self.step(id);
        let (group, outcome, length) = (relations.group.clone(), relations.outcome.clone(), relations.length);
        let ends = relations.unprojected.clone();
        let x = (t - begin).min(outcome.length);
        let (mut states, mut unprojected, mut rates) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..group.members.len() {
            let end = &outcome.unprojected[k];
            let path = StepPath::new(0.0, outcome.length, &record.start[k], [end, end], Bend::Late);
            states.push(path.at(x));
            if !group.members[k].is_pushed() {
                unprojected.push(starts[k]);
                rates.push(StateTangent::zeros());
                continue;
            }
            let rate = path.rate(x);
            let change = self.along(&path, x, [starts[k], ends[k], ends[k]], length, begin_time);
            let moving = Place { state: states[k], change, rate };
            unprojected.push(self.moving(&moving, time));
            rates.push(rate);
        }
        let active = group.pressing(outcome.impulse(), &outcome.decided);
        let (projected, rates) = self.project(&group, &states, &active, &unprojected, &rates);
        let after = group.projected(&states, &active);
        let bodies = group.members.iter().map(|member| member.body).collect();
        let states = states.into_iter().zip(after).map(|(before, after)| [before, after]).collect();
        CutRelations { bodies, states, unprojected, projected, rates }
    }

    /// Several steps and bodies beside them, projected together.
    pub(super) fn group_cut(&mut self, id: NodeId, together: &GroupCut, time: Option<Change>) -> CutRelations {
        let t = self.chain.tape().node(id).t;
        let cuts: Vec<CutRelations> = together.steps.iter().map(|&step| self.cut(step, t, time)).collect();
        let (mut states, mut changes, mut unprojected, mut rates) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for &body in &together.members {
            let found = cuts.iter().find_map(|cut| Some((cut, cut.place(body)?)));
            if let Some((cut, place)) = found {
                states.push(cut.states[place]);
                changes.push(cut.projected[place]);
                unprojected.push(cut.unprojected[place]);
                rates.push(cut.rates[place]);
            } else {
                let place = self.before(id, body);
                let change = self.moving(&place, time);
                states.push([place.state, place.state]);
                changes.push(change);
                unprojected.push(change);
                rates.push(place.rate);
            }
        }
        let group = self.group(&together.members, &together.contacts);
        let begin: Vec<BodyState> = states.iter().map(|[_, projected]| *projected).collect();
        let (projected, rates) = self.project(&group, &begin, &together.active, &changes, &rates);
        let after = group.projected(&begin, &together.active);
        let states = states.into_iter().zip(after).map(|([before, _], after)| [before, after]).collect();
        CutRelations { bodies: together.members.clone(), states, unprojected, projected, rates }
    }

    /// The states of one member before and after the projection where its step was cut, and their changes.
    pub(super) fn cut_of(
        &mut self,
        node: NodeId,
        step: StepId,
        body: BodyId,
        time: Option<Change>,
    ) -> Option<([BodyState; 2], Option<Change>, Option<Change>)> {
        let record = self.chain.tape().node(node);
        let cuts = |source: &&Source| match source {
            Source::Cut(cut) => *cut == step,
            Source::GroupCut(together) => together.steps.contains(&step),
            _ => false,
        };
        let cut = match record.sources.iter().find(cuts) {
            Some(Source::GroupCut(together)) => self.group_cut(node, together, time),
            _ => self.cut(step, record.t, time),
        };
        let place = cut.place(body)?;
        Some((cut.states[place], cut.unprojected[place], cut.projected[place]))
    }

    /// Where a held pair is on the projected path of its step, at a fixed time.
    pub(super) fn places_inside(&mut self, step: StepId, pair: Pair, t: f64) -> [Place; 2] {
        let cut = self.cut(step, t, None);
        [pair.first, pair.second].map(|body| {
            let Some(place) = cut.place(body) else { return self.untold(body, t) };
            Place { state: cut.states[place][1], change: cut.projected[place], rate: cut.rates[place] }
        })
    }

    /// Where a held pair is at the start of its step.
    pub(super) fn places_at_start(&mut self, step: StepId, pair: Pair) -> [Place; 2] {
        let record = self.chain.tape().step(step);
        let starts = self.starts(record);
        [pair.first, pair.second].map(|body| {
            let Some(place) = record.place(body) else {
                return self.untold(body, self.chain.tape().node(record.node).t);
            };
            Place { state: record.start[place], change: starts[place], rate: StateTangent::zeros() }
        })
    }

    /// The changes and rates of projected states.
    fn project(
        &mut self,
        group: &Arc<HeldGroup>,
        states: &[BodyState],
        active: &[bool],
        changes: &[Option<Change>],
        rates: &[StateTangent],
    ) -> (Vec<Option<Change>>, Vec<StateTangent>) {
        let derivative = group.projected_derivative(states, active);
        if derivative.is_identity() {
            return (changes.to_vec(), rates.to_vec());
        }
        let count = group.members.len();
        let (still, same) = (vec![StateTangent::zeros(); count], vec![MassDirection::default(); count]);
        let moving: Vec<usize> = (0..count).filter(|&k| group.members[k].is_pushed()).collect();
        let stack = |tangents: &[StateTangent]| {
            DVector::from_iterator(12 * moving.len(), moving.iter().flat_map(|&k| tangents[k].data.0[0]))
        };
        let mut relation = Relation::new(12 * moving.len());
        for (k, change) in changes.iter().enumerate().filter(|(_, change)| change.is_some()) {
            let mut matrix = DMatrix::zeros(12 * moving.len(), 12);
            for column in 0..if group.members[k].is_pushed() { 12 } else { 6 } {
                let mut dstates = still.clone();
                dstates[k][column] = 1.0;
                matrix.set_column(column, &stack(&derivative.tangent(&dstates, &same)));
            }
            relation = relation.plus(*change, matrix);
        }
        for quantity in self.group_quantities(group, false) {
            let mut direction = StepDirection::zero(group);
            set_quantity(&mut direction, self.chain.world(), group, quantity);
            relation = relation.plus_quantity(quantity, stack(&derivative.tangent(&still, &direction.masses)));
        }
        let all = self.program.define(relation);
        let mut projected = changes.to_vec();
        for (place, &k) in moving.iter().enumerate() {
            projected[k] = all.map(|all| all.rows(12 * place, 12));
        }
        (projected, derivative.tangent(rates, &same))
    }

    /// Bodies that fall asleep lie on all that carries them, and have no velocity.
    pub(super) fn fall_asleep(&mut self, node: &Node, after: &mut std::collections::BTreeMap<BodyId, Option<Change>>) {
        let step = node.sources.iter().find_map(|source| match source {
            Source::StepEnd(step) => Some(*step),
            _ => None,
        });
        let Some(id) = step else { return };
        let starts = self.starts(self.chain.tape().step(id));
        let relations = self.step(id);
        let (group, outcome, mut ends) = (relations.group.clone(), relations.outcome.clone(), relations.end.clone());
        for (k, end) in ends.iter_mut().enumerate().filter(|(k, _)| !group.members[*k].is_pushed()) {
            *end = starts[k];
        }
        let pressing: Vec<bool> = (0..group.contacts.len()).map(|i| outcome.presses(i)).collect();
        let rates = vec![StateTangent::zeros(); ends.len()];
        let (projected, _) = self.project(&group, &outcome.end, &pressing, &ends, &rates);
        for (k, member) in group.members.iter().enumerate().filter(|(_, member)| member.is_pushed()) {
            let relation = Relation::new(12).plus_first(projected[k], 6);
            after.insert(member.body, self.program.define(relation));
        }
    }
}

/// Bodies and what holds them, as they were recorded.
pub(super) fn held_group(world: &World, members: &[BodyId], contacts: &[HeldContact]) -> HeldGroup {
    let member = |&body: &BodyId| {
        let properties = &world.bodies[body.index()];
        Member { body, mass: properties.mass, solid: properties.solid.clone() }
    };
    HeldGroup { members: members.iter().map(member).collect(), contacts: contacts.to_vec(), gravity: world.gravity }
}

impl StepColumns {
    /// How many columns the matrices of a step have.
    fn width(&self) -> usize {
        12 * self.starts.iter().flatten().count() + usize::from(self.whole.is_some())
    }

    /// One relation for everything a step gives, parameter by parameter or with matrices.
    fn relation(self, world: &World, quantities: &[Quantity], by_parameter: bool) -> Relation {
        let group = self.group.clone();
        let moving = group.members.iter().filter(|member| member.is_pushed()).count();
        let zero = StepDirection::zero(&group);
        let column = |change: &dyn Fn(&mut StepDirection)| {
            let mut direction = zero.clone();
            change(&mut direction);
            let mut column = DVector::zeros(1 + 24 * moving);
            write_rows(&group, &self.step.tangent(&direction), column.as_mut_slice());
            column
        };
        let mut relation = Relation::new(1 + 24 * moving);
        for &quantity in quantities {
            let vector = column(&|direction| set_quantity(direction, world, &group, quantity));
            relation = relation.plus_quantity(quantity, vector);
        }
        if by_parameter {
            relation.step = Some(Box::new(self));
            return relation;
        }
        for (k, start) in self.starts.iter().enumerate().filter(|(_, start)| start.is_some()) {
            let mut matrix = DMatrix::zeros(relation.rows, 12);
            for entry in 0..if group.members[k].is_pushed() { 12 } else { 6 } {
                matrix.set_column(entry, &column(&|direction| direction.bodies[k][entry] = 1.0));
            }
            relation = relation.plus(*start, matrix);
        }
        if self.whole.is_some() {
            let by_length = column(&|direction| direction.dlength = 1.0);
            let matrix = DMatrix::from_column_slice(relation.rows, 1, by_length.as_slice());
            relation = relation.plus(self.whole, matrix);
        }
        relation
    }
}

/// A unit change of one number of the world.
fn set_quantity(direction: &mut StepDirection, world: &World, group: &HeldGroup, quantity: Quantity) {
    // What is no member has no part in the step.
    let mut of = |body: BodyId, set: fn(&mut MassDirection, usize), axis: usize| {
        if let Some(place) = group.place(body) {
            set(&mut direction.masses[place], axis);
        }
    };
    match quantity {
        Quantity::Mass(body) => of(body, |mass, _| mass.dmass = 1.0, 0),
        Quantity::Inertia(body, axis) => of(body, |mass, axis| mass.dinertia[axis] = 1.0, axis.index()),
        Quantity::Size(body) => of(body, |mass, _| mass.dsize = 1.0, 0),
        Quantity::Parameter(role) if role.subject == Subject::Scene => direction.dgravity[role.member.index()] = 1.0,
        Quantity::Parameter(_) => {
            for (i, contact) in group.contacts.iter().enumerate() {
                let material = world.material_direction(contact.pair, None, quantity);
                (direction.dfriction[i], direction.drolling[i]) = (material.dfriction, material.drolling);
            }
        }
    }
}
