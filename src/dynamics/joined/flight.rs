//! The motion of a machine from a start on: Taylor steps, made when they are asked for.
//!
//! ```text
//! q(t) = Σ_n q_n·(t − t_k)ⁿ      in the step from t_k on
//! ```
//!
//! The polynomial is the motion, at every time. A step begins with a unit quaternion. Steps do not depend on who asks for them,
//! nor in which order, so that all members read one record, which grows under a lock.

use std::sync::{Arc, PoisonError, RwLock};

use super::expansion::{Expansion, PrincipalState};
use super::graph::{Coefficients, ORDER};
use super::machine::Machine;
use super::sketch::Term;
use crate::dynamics::{BodyState, StateTangent, stacked};
use crate::math::{Rotation, Vec3};
use nalgebra::Quaternion;

/// Steps that one flight may have: a stiff spring takes a thousand a second. Beyond them it cannot be extended.
const MOST_STEPS: usize = 100_000;
/// Numbers of a member in a step: x, Q, v, σ.
const NUMBERS: usize = 13;
/// A piece of a step for bounds: its series is centred anew on each.
const PIECES: f64 = 4.0;

/// The flight of a group of bodies that are joined or pulled.
#[derive(Debug)]
pub struct JoinedFlight {
    machine: Machine,
    start: f64,
    states: Vec<BodyState>,
    record: RwLock<Record>,
}

/// Steps so far.
#[derive(Debug)]
struct Record {
    steps: Vec<Arc<Step>>,
    /// Where the next step begins.
    states: Vec<PrincipalState>,
    roots: Vec<f64>,
    end: f64,
    expansion: Box<Expansion>,
}

/// One Taylor step.
#[derive(Debug)]
pub(super) struct Step {
    /// s.
    pub start: f64,
    /// s.
    pub length: f64,
    /// Of each member; nothing of what does not move.
    members: Vec<Option<Box<[Coefficients; NUMBERS]>>>,
    /// Of each root of the machine.
    roots: Vec<Coefficients>,
}

/// What the motion of a member keeps to for a while.
#[derive(Clone, Copy, Debug)]
pub struct JoinedBounds {
    /// The acceleration of its centre in the middle of the time, m/s²,
    pub acceleration: Vec3,
    /// and how far it goes from that, m/s².
    pub unsteadiness: f64,
    /// At least |ω|, rad/s.
    pub spin: f64,
    /// At least |dω/dt|, rad/s².
    pub spin_rate: f64,
}

impl JoinedFlight {
    /// A flight that begins at a time with these states of its members.
    pub fn new(machine: Machine, start: f64, states: Vec<BodyState>) -> JoinedFlight {
        let principal = |(member, state): (&super::machine::Member, &BodyState)| {
            PrincipalState::new(state, &member.mass.body_from_principal)
        };
        let expansion = Box::new(Expansion::new(&machine));
        let record = Record {
            steps: Vec::new(),
            states: machine.members.iter().zip(&states).map(principal).collect(),
            roots: expansion.roots.clone(),
            end: start,
            expansion,
        };
        JoinedFlight { machine, start, states, record: RwLock::new(record) }
    }

    /// The machine that flies.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The bodies that fly, by their places in the scene.
    pub fn members(&self) -> &[usize] {
        &self.machine.bodies
    }

    /// The forces that act, by their places in the scene.
    pub fn forces(&self) -> Vec<usize> {
        self.machine.forces()
    }

    /// When it begins, s.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The state of a member then.
    pub fn start_state(&self, member: usize) -> &BodyState {
        &self.states[member]
    }

    /// Makes it valid up to t, as far as it goes.
    pub fn extend_to(&self, t: f64) {
        self.extend_past(t.next_down());
    }

    /// The same, beyond t.
    fn extend_past(&self, t: f64) {
        if self.known_until() > t {
            return;
        }
        let mut record = self.record.write().unwrap_or_else(PoisonError::into_inner);
        while record.end <= t && record.steps.len() < MOST_STEPS {
            record.extend(&self.machine);
        }
    }

    /// The time up to which it is valid.
    pub fn known_until(&self) -> f64 {
        self.record.read().unwrap_or_else(PoisonError::into_inner).end
    }

    /// Bytes that its steps fill, as they are counted on every machine.
    pub fn bytes(&self) -> u64 {
        let moving = self.machine.members.iter().filter(|member| member.moves).count();
        (self.step_count() * (moving * size_of::<[Coefficients; NUMBERS]>() + size_of::<Step>())) as u64
    }

    /// How many steps it has so far.
    pub fn step_count(&self) -> usize {
        self.record.read().unwrap_or_else(PoisonError::into_inner).steps.len()
    }

    /// The step that begins at a time or before, and goes on from there; beyond what is valid, the last one.
    pub(super) fn step(&self, t: f64) -> Arc<Step> {
        self.extend_past(t.max(self.start));
        let record = self.record.read().unwrap_or_else(PoisonError::into_inner);
        let later = record.steps.partition_point(|step| step.start <= t);
        record.steps[later.saturating_sub(1)].clone()
    }

    /// The state of a member at t.
    pub fn at(&self, member: usize, t: f64) -> BodyState {
        if t == self.start {
            return self.states[member];
        }
        let step = self.step(t);
        let frame = &self.machine.members[member].mass.body_from_principal;
        match step.principal(member, t - step.start) {
            Some(state) => state.to_state(frame),
            None => self.states[member],
        }
    }

    /// F of a member at t: v, ω, dv/dt, dω/dt.
    pub fn rate(&self, member: usize, t: f64) -> StateTangent {
        let step = self.step(t);
        let Some(state) = step.principal(member, t - step.start) else { return StateTangent::zeros() };
        let [acceleration, spin_rate] = step.accelerations(member, t - step.start);
        stacked(state.velocity, state.orientation * state.spin, acceleration, state.orientation * spin_rate)
    }

    /// States of all members in principal axes, and of the roots, at t.
    pub(super) fn principal_states(&self, step: &Step, t: f64) -> (Vec<PrincipalState>, Vec<f64>) {
        let local = t - step.start;
        let state = |(place, member): (usize, &super::machine::Member)| {
            let still = || PrincipalState::new(&self.states[place], &member.mass.body_from_principal);
            step.principal(place, local).unwrap_or_else(still)
        };
        let states = self.machine.members.iter().enumerate().map(state).collect();
        (states, step.roots.iter().map(|root| value(root, local)).collect())
    }

    /// The first order of the series at t.
    pub(super) fn expansion(&self, t: f64) -> Expansion {
        let (step, mut expansion) = (self.step(t), Expansion::new(&self.machine));
        let (states, roots) = self.principal_states(&step, t);
        expansion.roots.copy_from_slice(&roots);
        expansion.expand(&self.machine, &states, t, 1);
        expansion
    }

    /// D and Ḋ of every row that is held, at t.
    pub fn joint_rates(&self, t: f64) -> Vec<[f64; 2]> {
        let expansion = self.expansion(t);
        let row = |&row: &usize| [expansion.values.of(self.machine.rows[row].value)[0], expansion.speeds[row][0]];
        self.machine.held.iter().map(row).collect()
    }

    /// Times at which steps begin, after the start.
    pub fn nodes(&self) -> Vec<f64> {
        let record = self.record.read().unwrap_or_else(PoisonError::into_inner);
        record.steps.iter().skip(1).map(|step| step.start).collect()
    }

    /// What a member keeps to between two times.
    pub fn bounds(&self, member: usize, from: f64, until: f64) -> JoinedBounds {
        self.extend_to(until);
        let middle = 0.5 * (from + until);
        let mut bounds = JoinedBounds {
            acceleration: self.rate(member, middle).fixed_rows::<3>(6).into_owned(),
            unsteadiness: 0.0,
            spin: 0.0,
            spin_rate: 0.0,
        };
        let mut t = from;
        loop {
            let step = self.step(t);
            let end = (step.start + step.length).min(until).max(t);
            step.bound(member, t - step.start, end - step.start, &mut bounds);
            if end >= until || end == t {
                return bounds;
            }
            t = end;
        }
    }
}

impl Record {
    fn extend(&mut self, machine: &Machine) {
        let Record { expansion, states, roots, end, .. } = self;
        expansion.roots.copy_from_slice(roots);
        expansion.expand(machine, states, *end, ORDER);
        let length = expansion.length(machine);
        let of = |term: Term| term.map_or([0.0; ORDER + 1], |node| *expansion.values.of(node));
        let member = |member: &super::machine::Member| {
            member.moves.then(|| {
                let nodes = &member.nodes;
                let places = nodes.position.iter().chain(&nodes.orientation).map(|node| Some(*node));
                let terms: Vec<Term> = places.chain(nodes.velocity).chain(nodes.spin).collect();
                Box::new(std::array::from_fn(|k| of(terms[k])))
            })
        };
        let roots_of = machine.roots.iter().map(|root| *expansion.values.of(root.node));
        let step = Step {
            start: *end,
            // What is no longer a number stays that for ever.
            length: if length.is_nan() { f64::INFINITY } else { length },
            members: machine.members.iter().map(member).collect(),
            roots: roots_of.collect(),
        };
        for (place, state) in states.iter_mut().enumerate() {
            if let Some(next) = step.principal(place, step.length) {
                *state = next;
            }
        }
        roots.iter_mut().zip(&step.roots).for_each(|(root, series)| *root = value(series, step.length));
        *end += step.length;
        self.steps.push(Arc::new(step));
    }
}

impl Step {
    /// A member so long after the beginning; none of what does not move.
    fn principal(&self, member: usize, local: f64) -> Option<PrincipalState> {
        let series = self.members[member].as_deref()?;
        let three = |at: usize| Vec3::from([0, 1, 2].map(|k| value(&series[at + k], local)));
        let [x, y, z, w] = [3, 4, 5, 6].map(|at| value(&series[at], local));
        Some(PrincipalState {
            position: three(0),
            orientation: Rotation::new_normalize(Quaternion::new(w, x, y, z)),
            velocity: three(7),
            spin: three(10),
        })
    }

    /// dv/dt and dσ/dt of a member.
    fn accelerations(&self, member: usize, local: f64) -> [Vec3; 2] {
        let Some(series) = self.members[member].as_deref() else { return [Vec3::zeros(); 2] };
        [7, 10].map(|at| Vec3::from([0, 1, 2].map(|k| slope(&series[at + k], local))))
    }

    /// Widens bounds by what a member does from one time of the step to another.
    fn bound(&self, member: usize, from: f64, until: f64, bounds: &mut JoinedBounds) {
        let Some(series) = self.members[member].as_deref() else { return };
        if !series.iter().flatten().all(|c| c.is_finite()) {
            *bounds = JoinedBounds { unsteadiness: f64::NAN, spin: f64::NAN, spin_rate: f64::NAN, ..*bounds };
            return;
        }
        let pieces = (PIECES * (until - from) / self.length).ceil().max(1.0);
        let radius = 0.5 * (until - from) / pieces;
        for piece in 0..pieces as usize {
            let center = from + radius * (1 + 2 * piece) as f64;
            let shifted = |at: usize| [0, 1, 2].map(|k| recentered(&series[at + k], center));
            let (velocity, spin) = (shifted(7), shifted(10));
            let size = |series: &[Coefficients; 3], n: usize| {
                (series[0][n] * series[0][n] + series[1][n] * series[1][n] + series[2][n] * series[2][n]).sqrt()
            };
            // Σ |c_n|·rⁿ, of a rate beyond its first term or with it.
            let sum = |series: &[Coefficients; 3], rate: usize, first: usize| {
                let mut power = if first == 0 { 1.0 } else { radius };
                let mut sum = 0.0;
                for n in first..=ORDER - rate {
                    let factor = if rate == 0 { 1.0 } else { (n + 1) as f64 };
                    sum += factor * size(series, n + rate) * power;
                    power *= radius;
                }
                sum
            };
            let middle = Vec3::new(velocity[0][1], velocity[1][1], velocity[2][1]);
            let apart = (middle - bounds.acceleration).norm();
            bounds.unsteadiness = bounds.unsteadiness.max(apart + sum(&velocity, 1, 1));
            bounds.spin = bounds.spin.max(sum(&spin, 0, 0));
            bounds.spin_rate = bounds.spin_rate.max(sum(&spin, 1, 0));
        }
    }
}

/// Σ_n c_n·xⁿ.
fn value(series: &Coefficients, x: f64) -> f64 {
    series.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Σ_n n·c_n·xⁿ⁻¹.
fn slope(series: &Coefficients, x: f64) -> f64 {
    (1..=ORDER).rev().fold(0.0, |sum, n| sum * x + n as f64 * series[n])
}

/// The coefficients about another centre, by repeated division.
fn recentered(series: &Coefficients, center: f64) -> Coefficients {
    let mut shifted = *series;
    for first in 0..ORDER {
        for n in (first..ORDER).rev() {
            shifted[n] += center * shifted[n + 1];
        }
    }
    shifted
}
