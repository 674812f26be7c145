//! The derivative of a held step against differences of the same step.
//!
//! Every column is compared: the start of every body, fixed ones included, the length of the step, gravity, friction of
//! each pair, mass and moments of inertia. The differences are of fourth order,
//! (8·(f(h) − f(−h)) − (f(2h) − f(−2h)))/12h, and count only where all four points have the modes and the projected
//! rows of the middle. The number of columns compared is asserted, so that a test cannot pass by comparing nothing.

mod inside;
mod scenes;
mod split;
mod step;

use std::sync::Arc;

use nalgebra::DVector;

use super::displacement::displaced;
use super::*;
use crate::contact::ContactWorkspace;
use crate::contact::law::Mode;
use crate::dynamics::{BodyState, MassProperties, StateTangent};
use crate::geometry::Solid;
use crate::math::Vec3;
use crate::model::{BodyId, Pair};

/// Steps of the differences, in units of a column. Where one is too long for the curvature another is short enough.
const STEPS: [f64; 6] = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6];
/// Error of an entry, relative to 1 + its size.
const TOLERANCE: f64 = 1e-7;

/// Where redundant contacts slide, the compliance of 1e-6 decides the velocities and multiplies their rounding by 1e6:
/// they carry noise of up to 1e-11. The error of a difference over h is then that over h, which a test of its own shows; where
/// moving a face sideways by 1e-5 already makes other corners, h = 3e-6 is all that can be had.
const REDUNDANT_TOLERANCE: f64 = 2e-6;
/// That noise.
const NOISE: f64 = 1e-11;

/// A group at the start of a step.
#[derive(Clone)]
struct Setup {
    group: Arc<HeldGroup>,
    start: Vec<BodyState>,
    s: f64,
}

/// Repeatable numbers in (−1, 1).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        random.next();
        random
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * ((self.0 >> 11) as f64 / (1u64 << 53) as f64) - 1.0
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * size
    }
}

impl Setup {
    fn step(&self) -> StepOutcome {
        self.group.step(&self.start, self.s, None, &mut ContactWorkspace::default())
    }

    /// Modes, as decided with compliance, and projected rows of an outcome.
    fn signature(outcome: &StepOutcome) -> (Vec<Mode>, Vec<usize>) {
        (outcome.decided.clone(), outcome.closed.clone())
    }

    /// How the end of the step differs h along a direction from that of `outcome`, where it takes the same branch.
    fn end_along(&self, direction: &StepDirection, h: f64, outcome: &StepOutcome) -> Option<DVector<f64>> {
        let there = self.moved(direction, h).step();
        let same = there.solved && Self::signature(&there) == Self::signature(outcome);
        same.then(|| stacked_from(&outcome.end, &there.end))
    }

    /// The setup h along a direction.
    fn moved(&self, direction: &StepDirection, h: f64) -> Setup {
        let mut moved = self.clone();
        moved.s += h * direction.dlength;
        let group = Arc::make_mut(&mut moved.group);
        group.gravity += direction.dgravity * h;
        for (contact, d) in group.contacts.iter_mut().zip(&direction.dfriction) {
            contact.friction += h * d;
        }
        for (contact, d) in group.contacts.iter_mut().zip(&direction.drolling) {
            contact.rolling += h * d;
        }
        for (k, mass) in direction.masses.iter().enumerate() {
            group.members[k].mass.mass += h * mass.dmass;
            group.members[k].mass.inertia += mass.dinertia * h;
            if mass.dsize != 0.0 {
                group.members[k].solid = Arc::new(self.group.members[k].solid.scaled(1.0 + h * mass.dsize));
            }
        }
        for (state, d) in moved.start.iter_mut().zip(&direction.bodies) {
            *state = state.moved_by(&(d * h));
        }
        moved
    }

    /// One direction for everything a step depends on, with a name.
    fn columns(&self) -> Vec<(String, StepDirection)> {
        let zero = StepDirection::zero(&self.group);
        let mut columns = Vec::new();
        let mut add = |name: String, change: &dyn Fn(&mut StepDirection)| {
            let mut direction = zero.clone();
            change(&mut direction);
            columns.push((name, direction));
        };
        for (k, member) in self.group.members.iter().enumerate() {
            for entry in 0..if member.is_pushed() { 12 } else { 6 } {
                add(format!("body {k} entry {entry}"), &|d| d.bodies[k][entry] = 1.0);
            }
            add(format!("size {k}"), &|d| d.masses[k].dsize = 1.0);
            if member.is_pushed() {
                add(format!("mass {k}"), &|d| d.masses[k].dmass = member.mass.mass);
                for axis in 0..3 {
                    let moment = member.mass.inertia[axis];
                    add(format!("inertia {k} {axis}"), &|d| d.masses[k].dinertia[axis] = moment);
                }
            }
        }
        add("length".into(), &|d| d.dlength = 1.0);
        for axis in 0..3 {
            add(format!("gravity {axis}"), &|d| d.dgravity[axis] = 1.0);
        }
        let pairs: std::collections::BTreeSet<Pair> = self.group.contacts.iter().map(|c| c.pair).collect();
        for pair in pairs {
            let of_pair = |i: usize| f64::from(u8::from(self.group.contacts[i].pair == pair));
            let contacts = 0..self.group.contacts.len();
            add(format!("friction {pair:?}"), &|d| d.dfriction = contacts.clone().map(of_pair).collect());
            if self.group.contacts.iter().any(|c| c.pair == pair && c.rolling > 0.0) {
                // Rolling resistance is of a length far below a metre.
                add(format!("rolling {pair:?}"), &|d| {
                    d.drolling = contacts.clone().map(|i| 0.01 * of_pair(i)).collect();
                });
            }
        }
        columns
    }
}

/// States as one vector of tangents from given ones.
fn stacked_from(base: &[BodyState], states: &[BodyState]) -> DVector<f64> {
    let tangents: Vec<f64> = base.iter().zip(states).flat_map(|(a, b)| a.tangent_to(b).data.0[0]).collect();
    DVector::from_vec(tangents)
}

fn flattened(tangents: &[StateTangent]) -> DVector<f64> {
    DVector::from_vec(tangents.iter().flat_map(|tangent| tangent.data.0[0]).collect())
}

/// The difference quotient of `map` with step h; none where a point is on another branch.
fn difference(map: &dyn Fn(f64) -> Option<DVector<f64>>, h: f64) -> Option<DVector<f64>> {
    let (one, two) = (map(h)? - map(-h)?, map(2.0 * h)? - map(-2.0 * h)?);
    Some((one * 8.0 - two) / (12.0 * h))
}

/// The error of a difference with step h, relative to 1 + the size of each entry; none where a point is on another branch.
fn error_at(map: &dyn Fn(f64) -> Option<DVector<f64>>, exact: &DVector<f64>, h: f64) -> Option<f64> {
    let numeric = difference(map, h)?;
    let errors = exact.iter().zip(&numeric).map(|(exact, numeric)| (exact - numeric).abs() / (1.0 + exact.abs()));
    Some(errors.fold(0.0, f64::max))
}

/// The least of the errors over all steps of the differences.
fn error(map: &dyn Fn(f64) -> Option<DVector<f64>>, exact: &DVector<f64>) -> Option<f64> {
    STEPS.iter().filter_map(|&h| error_at(map, exact, h)).min_by(f64::total_cmp)
}

/// What a survey of columns found.
#[derive(Default, Debug)]
struct Found {
    compared: usize,
    skipped: usize,
    worst: (f64, String),
}

impl Found {
    fn add(&mut self, error: Option<f64>, name: String) {
        match error {
            Some(error) => {
                self.compared += 1;
                if error >= self.worst.0 {
                    self.worst = (error, name);
                }
            }
            None => self.skipped += 1,
        }
    }

    #[track_caller]
    fn check(&self, at_least: usize, tolerance: f64) {
        assert!(self.compared >= at_least, "{self:?}");
        assert!(self.worst.0 <= tolerance, "{self:?}");
    }
}

/// Compares all columns of `HeldGroup::step` over setups that have the wanted modes.
fn survey(setups: impl Iterator<Item = Setup>, wanted: impl Fn(&StepOutcome) -> bool) -> Found {
    let mut found = Found::default();
    for (seed, setup) in setups.enumerate() {
        let outcome = setup.step();
        if !outcome.solved || !wanted(&outcome) {
            continue;
        }
        let derivative = setup.group.step_derivative(&setup.start, setup.s, None, &mut ContactWorkspace::default());
        assert_eq!(derivative.outcome.end, outcome.end, "the same numbers");
        for (name, direction) in setup.columns() {
            let map = |h: f64| setup.end_along(&direction, h, &outcome);
            let exact = flattened(&derivative.tangent(&direction).end);
            found.add(error(&map, &exact), format!("{seed}: {name}"));
        }
    }
    found
}
