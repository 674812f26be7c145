//! The start that is nearest to a given one and on its joints: `assemble`.
//!
//! ```text
//! q = argmin f(q; q₀)   subject to   D(q) = 0,      f = ½·Σ ∫|x + R·r − x₀ − R₀·r|² dm                        (1)
//!   = Σ ½m·|x − x₀|² + tr C − tr(C·Q),      Q = R₀ᵀ·R in principal axes,      C = ½·tr Λ·1 − Λ
//! W·∇f(q) − W·Jᵀ·λ = 0,      D(q) = 0                                                                  (2)
//! v = v₀ − W·Jᵀ·(J·W·Jᵀ)⁻¹·(J·v₀ + D_t)      at q; ω₀ stays in the world                                 (3)
//! ```
//!
//! (1) moves every bit of mass the least. Its minimum is looked for by steps that are exact for D and take f for the metric M, with
//! the merit f + Σ μ_i·|D_i|; near the answer by Newton's steps on (2), which is what is differentiated (`assembly_change`). Both, and
//! (3), go through the same vanishing compliance as forces of joints do: joints that repeat each other are no obstacle. Joints that
//! contradict each other cannot be assembled, and which of them stay apart is told.
//!
//! What is "of the start" (r₀ of a weld) is here that of the given start: a weld keeps its bodies as they were given to each other.

use std::sync::OnceLock;

use super::assembly_change::{AssemblyChange, Newton};
use super::assembly_place::Place;
use super::build::Blueprint;
use super::expansion::{Expansion, PrincipalState};
use super::machine::{Machine, Member};
use super::number::Column;
use crate::dynamics::BodyState;
use crate::math::elementary::hypot;
use crate::math::{Vec3, rotation};

/// Steps towards (1), and halvings of one.
const MOST_STEPS: usize = 200;
const HALVINGS: usize = 40;
/// A step must win this part of what its slope says.
const PROMISE: f64 = 1e-4;
/// Newton's steps begin where a step is shorter (m, rad); where they do not converge, at a tenth of that, so many times.
const NEAR: f64 = 0.03;
const TRIES: usize = 4;
/// Newton's steps: each squares the error.
const NEWTON_STEPS: usize = 12;
/// Steps this short (m, rad) may be all rounding.
const ROUNDING: f64 = 1e-9;
/// What is farther apart (m, rad) after all steps is not assembled; rounding of kilometres is less.
const APART: f64 = 1e-10;

/// Joints that are this part as far apart as others when nothing brings them nearer are told.
const TOLD: f64 = 0.1;

/// A group of bodies on its joints.
#[derive(Debug)]
pub struct Assembly {
    machine: Machine,
    given: Vec<BodyState>,
    assembled: Vec<BodyState>,
    place: Place,
    change: OnceLock<(Vec<Column>, AssemblyChange)>,
}

/// Joints that cannot be brought together.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// Each joint that stays apart, by its place in the scene, and how far, m or rad.
    pub joints: Vec<(usize, f64)>,
}

impl Assembly {
    /// Of a group at the start. The states of the blueprint are the given ones; forces do not matter.
    pub fn new(blueprint: &Blueprint) -> Result<Assembly, Apart> {
        let machine = build(blueprint, blueprint.states);
        let principal =
            |(member, state): (&Member, &BodyState)| PrincipalState::new(state, &member.mass.body_from_principal);
        let given: Vec<PrincipalState> = machine.members.iter().zip(blueprint.states).map(principal).collect();
        let expansion = Expansion::new(&machine);
        let reactions = vec![0.0; machine.held.len()];
        let place = Place { states: given.clone(), given, expansion, reactions };
        let mut search = Search { blueprint, machine, place, weights: Vec::new() };
        search.move_to(search.place.states.clone());
        search.weights = vec![0.0; search.machine.held.len()];
        search.find()?;
        let Search { machine, mut place, .. } = search;
        let rates: Vec<f64> = machine.held.iter().map(|&row| place.expansion.speeds[row][0]).collect();
        place.expansion.respond(&machine, &rates);
        let state = |k: usize| {
            let (given, response) = (&blueprint.states[k], place.expansion.response()[k]);
            if !machine.members[k].moves {
                return *given;
            }
            let of = |at: usize| Vec3::new(response[at], response[at + 1], response[at + 2]);
            let placed = place.states[k].to_state(&machine.members[k].mass.body_from_principal);
            BodyState {
                velocity: given.velocity + of(0),
                spin: given.spin + place.states[k].orientation * of(3),
                ..placed
            }
        };
        let assembled = (0..machine.members.len()).map(state).collect();
        Ok(Assembly { machine, given: blueprint.states.to_vec(), assembled, place, change: OnceLock::new() })
    }

    /// The bodies of the group, by their places in the scene.
    pub fn members(&self) -> &[usize] {
        &self.machine.bodies
    }

    /// The machine, on its joints.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The states that were given.
    pub fn given(&self) -> &[BodyState] {
        &self.given
    }

    /// The states on the joints.
    pub fn assembled(&self) -> &[BodyState] {
        &self.assembled
    }

    /// Leaves out what its joints do against ∇f: the second-order term, for a test that must see it.
    #[cfg(test)]
    pub(super) fn forget_reactions(&mut self) {
        self.place.reactions.fill(0.0);
    }

    /// How the states change with those given and with all that the projection depends on, beside a list of the latter.
    pub fn change(&self) -> &(Vec<Column>, AssemblyChange) {
        self.change.get_or_init(|| {
            let moving = (0..self.machine.members.len()).filter(|&member| self.machine.moves(member));
            let masses = moving.flat_map(|member| {
                std::iter::once(Column::Mass(member)).chain((0..3).map(move |axis| Column::Inertia(member, axis)))
            });
            let columns: Vec<Column> =
                masses.chain(self.machine.number_ids().into_iter().map(Column::Number)).collect();
            let change = AssemblyChange::new(&self.machine, &self.place, &columns);
            (columns, change)
        })
    }
}

fn build(blueprint: &Blueprint, states: &[BodyState]) -> Machine {
    Machine::build(&Blueprint { active_forces: &[], states, ..*blueprint })
}

struct Search<'a> {
    blueprint: &'a Blueprint<'a>,
    machine: Machine,
    place: Place,
    /// μ_i.
    weights: Vec<f64>,
}

impl Search<'_> {
    /// (1), or what stays apart.
    fn find(&mut self) -> Result<(), Apart> {
        let mut near = NEAR;
        for _ in 0..TRIES {
            self.approach(near);
            if self.settle() {
                break;
            }
            near *= 0.1;
        }
        let size = self.place.states.iter().map(|state| state.position.amax()).fold(1.0, f64::max);
        if self.apart(APART.max(4.0 * f64::EPSILON * size)).is_empty() {
            return Ok(());
        }
        self.compromise();
        let apart = self.apart(APART);
        let most = apart.iter().map(|(_, by)| *by).fold(0.0, f64::max);
        Err(Apart { joints: apart.into_iter().filter(|(_, by)| by.is_nan() || *by >= TOLD * most).collect() })
    }

    /// As near to all joints as can be, whatever moves: what is still apart then is what contradicts.
    fn compromise(&mut self) {
        self.move_to(self.place.given.clone());
        let size = |search: &Search| {
            let scaled = search.values().into_iter().zip(&search.place.expansion.scale).map(|(d, scale)| d * scale);
            scaled.map(|d| d * d).sum::<f64>()
        };
        for _ in 0..MOST_STEPS {
            let (start, before, values) = (self.place.states.clone(), size(self), self.values());
            self.place.expansion.respond(&self.machine, &values);
            let step = self.place.expansion.response().to_vec();
            let mut part = 1.0;
            self.move_to(stepped(&start, &step, part));
            while size(self).is_nan() || size(self) >= before {
                part *= 0.5;
                if part < 1e-3 {
                    return self.move_to(start);
                }
                self.move_to(stepped(&start, &step, part));
            }
        }
    }

    /// Joints that are farther apart than that.
    fn apart(&self, than: f64) -> Vec<(usize, f64)> {
        let mut apart: Vec<(usize, f64)> = Vec::new();
        for (&row, value) in self.machine.held.iter().zip(self.values()) {
            // What is no number is apart, too.
            if value.is_nan() || value.abs() > than {
                let joint = self.machine.joints[self.machine.rows[row].element];
                match apart.iter_mut().find(|(other, _)| *other == joint) {
                    Some((_, sum)) => *sum = hypot(*sum, value),
                    None => apart.push((joint, value.abs())),
                }
            }
        }
        apart.sort_by_key(|(joint, _)| *joint);
        apart
    }

    /// D.
    fn values(&self) -> Vec<f64> {
        self.machine.held.iter().map(|&row| self.place.expansion.values.of(self.machine.rows[row].value)[0]).collect()
    }

    fn move_to(&mut self, states: Vec<PrincipalState>) {
        if !self.machine.roots.is_empty() {
            // The nearest points of paths are looked for anew.
            let frames = self.machine.members.iter().map(|member| member.mass.body_from_principal);
            let states: Vec<BodyState> = states.iter().zip(frames).map(|(s, frame)| s.to_state(&frame)).collect();
            self.machine = build(self.blueprint, &states);
            self.place.expansion = Expansion::new(&self.machine);
        }
        self.place.expansion.expand(&self.machine, &states, self.blueprint.t, 1);
        self.place.states = states;
    }

    fn merit(&self) -> f64 {
        let broken: f64 = self.values().iter().zip(&self.weights).map(|(value, weight)| weight * value.abs()).sum();
        self.place.cost(&self.machine) + broken
    }

    /// Steps with M for the curvature of f, until one is short.
    fn approach(&mut self, near: f64) {
        for _ in 0..MOST_STEPS {
            let slopes = self.place.slopes(&self.machine);
            let values = self.values();
            // D + J·d with d = −W·∇f.
            let against: Vec<f64> = self.rows_of(&slopes).iter().zip(&values).map(|(rate, d)| d - rate).collect();
            self.place.expansion.respond(&self.machine, &against);
            let response = self.place.expansion.response();
            let step: Vec<[f64; 6]> = response
                .iter()
                .zip(&slopes)
                .map(|(response, slope)| std::array::from_fn(|k| response[k] - slope[k]))
                .collect();
            let reactions = &self.place.expansion.reactions;
            self.place.reactions = reactions.iter().map(|reaction| reaction[0]).collect();
            for (weight, reaction) in self.weights.iter_mut().zip(&self.place.reactions) {
                *weight = weight.max(2.0 * reaction.abs());
            }
            if length(&step) < near || !self.walk(&slopes, &step, &values) {
                return;
            }
        }
    }

    /// As far along a step as it helps; whether it does.
    fn walk(&mut self, slopes: &[[f64; 6]], step: &[[f64; 6]], values: &[f64]) -> bool {
        let start = self.place.states.clone();
        let before = self.merit();
        let weights = self.machine.members.iter().map(Member::weights);
        let gained: f64 = weights
            .zip(slopes.iter().zip(step))
            .flat_map(|(weights, (slope, step))| (0..6).map(move |k| (weights[k], slope[k] * step[k])))
            .map(|(weight, product)| if weight > 0.0 { product / weight } else { 0.0 })
            .sum();
        let broken: f64 = values.iter().zip(&self.weights).map(|(value, weight)| weight * value.abs()).sum();
        let mut part = 1.0;
        for _ in 0..HALVINGS {
            self.move_to(stepped(&start, step, part));
            if self.merit() <= before + PROMISE * part * (gained - broken) {
                return true;
            }
            part *= 0.5;
        }
        self.move_to(start);
        false
    }

    /// Newton's steps on (2); whether they converge.
    fn settle(&mut self) -> bool {
        let (start, reactions) = (self.place.states.clone(), self.place.reactions.clone());
        let mut last = f64::INFINITY;
        for _ in 0..NEWTON_STEPS {
            let Some((step, reactions)) = Newton::new(&self.machine, &self.place, &[]).step(&self.values()) else {
                break;
            };
            let now = length(&step);
            if now >= 0.5 * last && now > ROUNDING {
                break;
            }
            self.move_to(stepped(&self.place.states, &step, 1.0));
            self.place.reactions = reactions;
            if now >= 0.5 * last || now == 0.0 {
                return true;
            }
            last = now;
        }
        if last <= ROUNDING {
            return true;
        }
        self.move_to(start);
        self.place.reactions = reactions;
        false
    }

    /// J times a step.
    fn rows_of(&self, step: &[[f64; 6]]) -> Vec<f64> {
        let row = |&row: &usize| {
            let sides = self.machine.rows[row].sides.iter().flatten();
            let along = |side| self.place.expansion.values.gradient(side);
            let products = sides.flat_map(|side| {
                let gradient = along(side);
                (0..6).map(move |k| gradient[k] * step[side.member][k])
            });
            products.sum::<f64>()
        };
        self.machine.held.iter().map(row).collect()
    }
}

/// The longest of all moves and turns.
fn length(step: &[[f64; 6]]) -> f64 {
    let part = |step: &[f64; 6], at: usize| Vec3::new(step[at], step[at + 1], step[at + 2]).norm();
    let longer = |longest: f64, length: f64| if length.is_nan() { f64::INFINITY } else { longest.max(length) };
    step.iter().flat_map(|step| [part(step, 0), part(step, 3)]).fold(0.0, longer)
}

/// A part of a step: x + δx, R·exp(\[φ\]); the world's ω stays.
fn stepped(states: &[PrincipalState], step: &[[f64; 6]], part: f64) -> Vec<PrincipalState> {
    let stepped = |(state, step): (&PrincipalState, &[f64; 6])| {
        let of = |at: usize| Vec3::new(step[at], step[at + 1], step[at + 2]) * part;
        let spin = state.orientation * state.spin;
        let mut orientation = state.orientation * rotation::exp(of(3));
        orientation.renormalize();
        PrincipalState {
            position: state.position + of(0),
            orientation,
            velocity: state.velocity,
            spin: orientation.inverse_transform_vector(&spin),
        }
    };
    states.iter().zip(step).map(stepped).collect()
}
