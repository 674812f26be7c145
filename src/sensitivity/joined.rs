//! Bodies that fly with a machine: the state of each changes with the starts of all.
//!
//! With Φ the variation of `dynamics::joined` and p numbers that follow the start of the motion:
//!
//! ```text
//! δq_a(t) = Σ_b Φ_ab·δq_b(t₀) + Σ_j Φ_aj·δnumber_j + Σ_p Φ_ap·Σ_b (∂p/∂q_b(0))·δq_b(0)                   (1)
//! ```

use std::rc::Rc;

use nalgebra::{DMatrix, DVector, SMatrix};

use super::chain::{Builder, Place};
use super::change::{Change, Variable};
use super::linear::Relation;
use crate::dynamics::joined::{Column, JoinedFlight, StartTerm, Variation, start_terms};
use crate::model::{Axis, BodyId, Quantity};
use crate::simulation::machines::facts;
use crate::simulation::tape::NodeId;

/// The variation of a flight at a time, with what its columns are.
pub(super) struct JoinedChange {
    variation: Variation,
    columns: Vec<Asked>,
}

/// A column of a flight, as the chain sees it.
enum Asked {
    Quantity(Quantity),
    OfTheStart(Vec<StartTerm>),
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
            let column = change.variation.by_column(member, place);
            match asked {
                Asked::Quantity(quantity) => {
                    relation = relation.plus_quantity(*quantity, DVector::from_iterator(12, column.iter().copied()));
                }
                Asked::OfTheStart(terms) => {
                    for term in terms {
                        relation = self.of_the_start(relation, &column, term);
                    }
                }
            }
        }
        Place { state, change: self.program.define(relation), rate }
    }

    fn of_the_start(&self, relation: Relation, column: &SMatrix<f64, 12, 1>, term: &StartTerm) -> Relation {
        match term {
            StartTerm::Body(body, covector) => {
                let mut block = DMatrix::zeros(12, 12);
                for (k, factor) in covector.iter().enumerate() {
                    block.column_mut(k).axpy(*factor, &DVector::from_iterator(12, column.iter().copied()), 1.0);
                }
                relation.plus(self.chain.start(BodyId(*body as u32)), block)
            }
            StartTerm::Number(id, factor) => match self.chain.world().quantity_of(*id) {
                Some(quantity) if self.chain.seeds.asks(quantity) => {
                    relation.plus_quantity(quantity, DVector::from_iterator(12, column.iter().map(|entry| entry * factor)))
                }
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
        let (world, seeds) = (self.chain.world(), self.chain.seeds);
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
        let machine = &world.machine;
        let facts = facts(world);
        for id in joined.machine().number_ids() {
            match world.quantity_of(id) {
                Some(quantity) if seeds.asks(quantity) => asked.push((Column::Number(id), Asked::Quantity(quantity))),
                Some(_) => {}
                None => {
                    let terms = start_terms(&facts, (&machine.joints, &machine.forces, &machine.tracks), id);
                    let counts = |term: &StartTerm| match term {
                        StartTerm::Body(body, _) => seeds.starts.contains_key(&BodyId(*body as u32)),
                        StartTerm::Number(id, _) => world.quantity_of(*id).is_some_and(|quantity| seeds.asks(quantity)),
                    };
                    if terms.iter().any(counts) {
                        asked.push((Column::Number(id), Asked::OfTheStart(terms)));
                    }
                }
            }
        }
        asked
    }
}

fn dynamic(block: &SMatrix<f64, 12, 12>) -> DMatrix<f64> {
    DMatrix::from_iterator(12, 12, block.iter().copied())
}
