//! What a joint does to one of its bodies at an instant of a joined flight, and how that changes with states and numbers.
//!
//! With λ of a joint's rows, J_x and J_φ their gradients by the place of the body (`machine`), R world from principal:
//!
//! ```text
//! force  = Σ λ·J_x              torque about the centre of mass = R·m,   m = Σ λ·J_φ              (1)
//! δforce = Σ (δλ·J_x + λ·δJ_x)  δtorque = δθ × R·m + R·Σ (δλ·J_φ + λ·δJ_φ)                        (2)
//! off    = |D|                  δoff = Σ D·δD/|D|                                                (3)
//! ```
//!
//! The body is the first one where it is pushed, else the second: what a body that stays feels is what it gives, backwards.
//! δλ is that of `linearised`. Where joints contradict each other λ is no force, but the ruins of a compromise: `soundness`
//! says where.

use super::expansion::{Expansion, PrincipalState};
use super::flight::JoinedFlight;
use super::graph::BODY_COLUMNS;
use super::linearised::Linearised;
use super::machine::Machine;
use super::number::{Column, Owner};
use super::variation::principal_from_world;
use crate::math::matrix::product;
use crate::math::rotation::hat;
use crate::math::{Mat3, Vec3};
use nalgebra::{DMatrix, SMatrix};

/// Numbers of a reaction: force, torque, off.
const NUMBERS: usize = 7;

/// What a joint does to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// To which of the joint's bodies: the first (0), or the second (1) where the first is not pushed.
    pub side: usize,
    /// N.
    pub force: Vec3,
    /// About the body's centre of mass, N·m.
    pub torque: Vec3,
    /// |D|.
    pub off: f64,
}

/// How a reaction changes: force, torque and off, by what.
#[derive(Clone, Debug)]
pub struct ReactionChange {
    /// 7 × (12·members + what was asked for), in the world.
    changes: DMatrix<f64>,
    members: usize,
}

/// An instant of a flight, worked out for all that is asked of it.
struct Look {
    states: Vec<PrincipalState>,
    expansion: Expansion,
}

impl JoinedFlight {
    /// What a joint, by its place in the scene, does at t; none where it does not hold.
    pub fn reaction(&self, joint: usize, t: f64) -> Option<Reaction> {
        let element = self.machine().element_of(Owner::Joint(joint))?;
        Some(self.look(t).reaction(self.machine(), element))
    }

    /// What all joints do that hold at t.
    pub fn reactions(&self, t: f64) -> Vec<(usize, Reaction)> {
        let (machine, look) = (self.machine(), self.look(t));
        let of = |&joint: &usize| Some((joint, look.reaction(machine, machine.element_of(Owner::Joint(joint))?)));
        machine.joints().iter().filter_map(of).collect()
    }

    /// How that changes with the states of all members at t, and with what is asked for.
    pub fn reaction_change(&self, joint: usize, t: f64, wanted: &[Column]) -> Option<ReactionChange> {
        let machine = self.machine();
        let element = machine.element_of(Owner::Joint(joint))?;
        let look = self.look(t);
        let mut linearised = Linearised::new(machine, wanted);
        linearised.at(&look.expansion);
        let mut changes = look.changes(&linearised, element);
        look.turn(machine, element, &mut changes);
        Some(ReactionChange { changes, members: machine.member_count() })
    }

    fn look(&self, t: f64) -> Look {
        let (states, _) = self.principal_states(&self.step(t), t);
        Look { states, expansion: self.expansion(t) }
    }
}

impl Machine {
    /// The element that a joint or a force of the scene is.
    pub(super) fn element_of(&self, owner: Owner) -> Option<usize> {
        self.elements.iter().position(|element| element.owner == owner)
    }

    /// The side of an element whose body is pushed, the first if both are, with its member.
    fn pushed_side(&self, element: usize) -> (usize, usize) {
        let sides = self.elements[element].sides;
        let pushed =
            |side: usize| sides[side].filter(|&member| self.members[member].moves).map(|member| (side, member));
        // A joint between bodies that cannot move is refused at the door.
        pushed(0).or_else(|| pushed(1)).unwrap_or((0, sides[0].unwrap_or(0)))
    }

    /// The held rows of an element: their places among the held, and among all.
    fn held_of(&self, element: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.held.iter().copied().enumerate().filter(move |(_, row)| self.rows[*row].element == element)
    }
}

impl Look {
    /// Σ λ·J of a side: in the world, then in the principal frame.
    fn pushes(&self, machine: &Machine, element: usize) -> [Vec3; 2] {
        let (side, _) = machine.pushed_side(element);
        let mut sum = [Vec3::zeros(); 2];
        for (place, row) in machine.held_of(element) {
            let Some(of_body) = &machine.rows[row].sides[side] else { continue };
            let (reaction, gradient) = (self.expansion.reactions[place][0], self.expansion.values.gradient(of_body));
            (0..6).for_each(|k| sum[k / 3][k % 3] += reaction * gradient[k]);
        }
        sum
    }

    /// (1).
    fn reaction(&self, machine: &Machine, element: usize) -> Reaction {
        let (side, member) = machine.pushed_side(element);
        let [force, torque] = self.pushes(machine, element);
        let torque = self.states[member].orientation * torque;
        Reaction { side, force, torque, off: self.off(machine, element) }
    }

    /// (3).
    fn off(&self, machine: &Machine, element: usize) -> f64 {
        let value = |(_, row): (usize, usize)| self.expansion.values.of(machine.rows[row].value)[0];
        machine.held_of(element).map(value).map(|value| value * value).sum::<f64>().sqrt()
    }

    /// (2) and (3) by the columns of principal states, torques in the principal frame.
    fn changes(&self, linearised: &Linearised, element: usize) -> DMatrix<f64> {
        let (machine, columns) = (linearised.machine, linearised.columns);
        let (side, _) = machine.pushed_side(element);
        let (scope, off) = (machine.elements[element].scope, self.off(machine, element));
        let mut changes = DMatrix::zeros(NUMBERS, columns);
        let mut local = vec![0.0; NUMBERS * machine.graph.width(scope)];
        let width = machine.graph.width(scope);
        for (place, row) in machine.held_of(element) {
            let (law, reaction) = (&machine.rows[row], self.expansion.reactions[place][0]);
            let value = self.expansion.values.of(law.value)[0];
            let mut add = |number: usize, node: super::graph::Node, factor: f64| {
                let sum = &mut local[number * width..(number + 1) * width];
                machine.graph.accumulate(&linearised.tangents, (node, 0), factor, scope, sum);
            };
            if off > 0.0 {
                add(6, law.value, value / off);
            }
            let Some(of_body) = &law.sides[side] else { continue };
            let nodes = of_body.along.iter().chain(&of_body.turning);
            for (k, node) in nodes.enumerate() {
                let Some(node) = *node else { continue };
                add(k, node, of_body.sign * reaction);
            }
            let gradient = self.expansion.values.gradient(of_body);
            let by_reaction = &linearised.reactions[place * columns..(place + 1) * columns];
            for (column, change) in by_reaction.iter().enumerate() {
                (0..6).for_each(|k| changes[(k, column)] += gradient[k] * change);
            }
        }
        for (number, local) in local.chunks_exact(width).enumerate() {
            for (value, place) in local.iter().zip(&linearised.maps[element]) {
                place.iter().for_each(|&place| changes[(number, place)] += value);
            }
        }
        changes
    }

    /// From principal frames to the world, columns and torques.
    fn turn(&self, machine: &Machine, element: usize, changes: &mut DMatrix<f64>) {
        for (member, state) in self.states.iter().enumerate() {
            let at = BODY_COLUMNS * member;
            let inwards = principal_from_world(state);
            let inwards = DMatrix::from_column_slice(BODY_COLUMNS, BODY_COLUMNS, inwards.as_slice());
            let block = product(&changes.columns(at, BODY_COLUMNS).into_owned(), &inwards);
            changes.columns_mut(at, BODY_COLUMNS).copy_from(&block);
        }
        let (_, member) = machine.pushed_side(element);
        let turn: Mat3 = self.states[member].orientation.to_rotation_matrix().into_inner();
        let torques = DMatrix::from_column_slice(3, 3, turn.as_slice());
        let rows = product(&torques, &changes.rows(3, 3).into_owned());
        changes.rows_mut(3, 3).copy_from(&rows);
        // δθ × R·m.
        let [_, torque] = self.pushes(machine, element);
        let mut by_turn = changes.fixed_view_mut::<3, 3>(3, BODY_COLUMNS * member + 3);
        by_turn -= hat(turn * torque);
    }
}

impl ReactionChange {
    /// By the state of a member at the instant, 7 × 12.
    pub fn by_state(&self, member: usize) -> SMatrix<f64, 7, 12> {
        self.changes.fixed_view::<NUMBERS, BODY_COLUMNS>(0, BODY_COLUMNS * member).into_owned()
    }

    /// By what was asked for, by its place there.
    pub fn by_column(&self, place: usize) -> SMatrix<f64, 7, 1> {
        self.changes.fixed_view::<NUMBERS, 1>(0, BODY_COLUMNS * self.members + place).into_owned()
    }
}
