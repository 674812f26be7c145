//! Bodies that fly with a machine: the state of each changes with the starts of all.
//!
//! With Φ the variation of `dynamics::joined` and p numbers that follow the start of the motion:
//!
//! ```text
//! δq_a(t) = Σ_b Φ_ab·δq_b(t₀) + Σ_j Φ_aj·δnumber_j + Σ_p Φ_ap·Σ_b (∂p/∂q_b(0))·δq_b(0)                   (1)
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use nalgebra::{DMatrix, DVector, SMatrix};

use super::chain::{Builder, Chain, Place};
use super::change::{Change, Variable};
use super::joined_change::{Asked, JoinedChange};
use super::linear::Relation;
use crate::dynamics::BodyState;
use crate::dynamics::joined::{Column, JoinedFlight, NumberId, StartTerm, start_terms};
use crate::model::{Axis, BodyId, Quantity};
use crate::simulation::machines::jump;
use crate::simulation::tape::{Launch, Launched, NodeId, Timing};

impl Chain<'_> {
    /// The flight in which a body was before a launch.
    fn flight_before(&self, launch: &Launch) -> Option<u32> {
        match self.tape().node(launch.before?).launch(launch.body)?.motion {
            Launched::Joined { flight, .. } => Some(flight),
            _ => None,
        }
    }
}

impl Builder<'_> {
    /// Where a member of a machine is at a fixed time, by its flight from a node on.
    pub fn joined(&mut self, body: BodyId, node: NodeId, (flight, member): (u32, u32), t: f64) -> Place {
        let chain = self.chain;
        let joined = chain.trajectory.flight(flight).clone();
        let member = member as usize;
        let (state, rate) = (joined.at(member, t), joined.rate(member, t));
        let launched = |body: BodyId| Some(Change::Outer(Variable::Launch(node, body)));
        if t == joined.start() {
            return Place { state, change: launched(body), rate };
        }
        let members: Vec<BodyId> = joined.members().iter().map(|&body| BodyId(body as u32)).collect();
        let change = self.joined_change(flight, &joined, t);
        let mut relation = Relation::new(12);
        for (place, &other) in members.iter().enumerate() {
            let pushed = chain.world().bodies[other.index()].drive.is_pushed();
            let operand = if pushed { launched(other) } else { chain.start(other) };
            let block = change.variation.by_start(member, place);
            relation = relation.plus(operand, dynamic(&block));
        }
        for (place, asked) in change.columns.iter().enumerate() {
            relation = self.plus_asked(relation, change.variation.by_column(member, place).as_slice(), asked);
        }
        Place { state, change: self.program.define(relation), rate }
    }

    /// P of the bodies of a node without an impact: where a track's velocity jumps, what follows it jumps too.
    pub fn jumps(
        &mut self,
        id: NodeId,
        time: Option<Change>,
        before: &BTreeMap<BodyId, Option<Change>>,
    ) -> BTreeMap<BodyId, Option<Change>> {
        let (chain, node) = (self.chain, self.chain.tape().node(id));
        let mut after = before.clone();
        if !matches!(node.timing, Timing::Switch(_)) {
            return after;
        }
        let launched = node.launches.iter().filter_map(|launch| match launch.motion {
            Launched::Joined { flight, .. } => Some((flight, chain.flight_before(launch)?)),
            _ => None,
        });
        let flights: BTreeMap<u32, u32> = launched.collect();
        for (flight, old) in flights {
            let [flight, old] = [flight, old].map(|flight| chain.trajectory.flight(flight).clone());
            let states: Vec<BodyState> = (0..old.members().len()).map(|member| old.at(member, node.t)).collect();
            let Some(jump) = jump(&old, &flight, &states, node.t) else { continue };
            let (wanted, columns): (Vec<Column>, Vec<Asked>) = self.asked(&flight).into_iter().unzip();
            let change = jump.change(&wanted);
            let members: Vec<BodyId> = flight.members().iter().map(|&body| BodyId(body as u32)).collect();
            for (member, body) in members.iter().enumerate().filter(|(_, body)| before.contains_key(body)) {
                let mut relation = Relation::new(12).plus_identity(before[body]);
                for (place, other) in members.iter().enumerate() {
                    let operand = before.get(other).copied().unwrap_or_else(|| chain.start(*other));
                    relation = relation.plus(operand, dynamic(&change.by_state(member, place)));
                }
                for (place, asked) in columns.iter().enumerate() {
                    relation = self.plus_asked(relation, change.by_column(member, place).as_slice(), asked);
                }
                let relation = relation.plus_vector(time, &change.by_time(member));
                after.insert(*body, self.program.define(relation));
            }
        }
        after
    }

    /// Adds what a number of a flight changes, a column of its rows.
    pub(super) fn plus_asked(&self, relation: Relation, column: &[f64], asked: &Asked) -> Relation {
        match asked {
            Asked::Quantity(quantity) => relation.plus_quantity(*quantity, DVector::from_column_slice(column)),
            Asked::OfTheStart(terms) => {
                terms.iter().fold(relation, |relation, term| self.of_the_start(relation, column, term))
            }
        }
    }

    fn of_the_start(&self, relation: Relation, column: &[f64], term: &StartTerm) -> Relation {
        let column = DVector::from_column_slice(column);
        match term {
            StartTerm::Body(body, covector) => {
                let mut block = DMatrix::zeros(column.len(), 12);
                for (k, factor) in covector.iter().enumerate() {
                    block.column_mut(k).axpy(*factor, &column, 1.0);
                }
                relation.plus(self.chain.start(BodyId(*body as u32)), block)
            }
            StartTerm::Number(id, factor) => match self.chain.world().quantity_of(*id) {
                Some(quantity) if self.chain.seeds.asks(quantity) => relation.plus_quantity(quantity, column * *factor),
                _ => relation,
            },
        }
    }

    /// The variation of a flight at a time, worked out once for all its members.
    fn joined_change(&mut self, flight: u32, joined: &JoinedFlight, t: f64) -> Rc<JoinedChange> {
        if let Some((_, change)) = self.joined.iter().find(|(key, _)| *key == (flight, t.to_bits())) {
            return change.clone();
        }
        let (wanted, columns): (Vec<Column>, Vec<Asked>) = self.asked(joined).into_iter().unzip();
        let change = Rc::new(JoinedChange { variation: joined.variation(t, &wanted), columns });
        self.joined.push(((flight, t.to_bits()), change.clone()));
        change
    }

    /// The columns of a flight on which some parameter has influence.
    fn asked(&self, joined: &JoinedFlight) -> Vec<(Column, Asked)> {
        let seeds = self.chain.seeds;
        let mut asked: Vec<(Column, Asked)> = Vec::new();
        let mut ask = |column: Column, quantity: Quantity| {
            if seeds.asks(quantity) {
                asked.push((column, Asked::Quantity(quantity)));
            }
        };
        Axis::ALL.into_iter().for_each(|axis| ask(Column::Gravity(axis.index()), Quantity::gravity(axis)));
        for (member, &body) in joined.members().iter().enumerate() {
            let body = BodyId(body as u32);
            ask(Column::Mass(member), Quantity::Mass(body));
            for axis in Axis::ALL {
                ask(Column::Inertia(member, axis.index()), Quantity::Inertia(body, axis));
            }
        }
        let ids = joined.machine().number_ids();
        asked.extend(self.asked_numbers(ids).into_iter().map(|(id, number)| (Column::Number(id), number)));
        asked
    }

    /// Which of some numbers of joints, forces and tracks some parameter has influence on.
    pub(super) fn asked_numbers(&self, ids: impl IntoIterator<Item = NumberId>) -> Vec<(NumberId, Asked)> {
        let (world, seeds) = (self.chain.world(), self.chain.seeds);
        let (machine, facts) = (&world.machine, world.body_facts());
        let asked = |id: NumberId| match world.quantity_of(id) {
            Some(quantity) => seeds.asks(quantity).then_some((id, Asked::Quantity(quantity))),
            None => {
                let terms = start_terms(&facts, (&machine.joints, &machine.forces, &machine.tracks), id);
                let counts = |term: &StartTerm| match term {
                    StartTerm::Body(body, _) => seeds.starts.contains_key(&BodyId(*body as u32)),
                    StartTerm::Number(id, _) => world.quantity_of(*id).is_some_and(|quantity| seeds.asks(quantity)),
                };
                terms.iter().any(counts).then_some((id, Asked::OfTheStart(terms)))
            }
        };
        ids.into_iter().filter_map(asked).collect()
    }
}

fn dynamic(block: &SMatrix<f64, 12, 12>) -> DMatrix<f64> {
    DMatrix::from_iterator(12, 12, block.iter().copied())
}
