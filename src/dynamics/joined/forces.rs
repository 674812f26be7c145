//! What pulls on bodies, kind by kind: on the first side, and opposite on the second.
//!
//! ```text
//! spring           −(k·(|d| − L) + c·d|d|/dt)·d/|d|,    d = P_A − P_B;      with L = 0:  −k·d − c·ḋ
//! torsion spring   torque −k·θ − c·(ω_A − ω_B),         θ = log(R_A·R_relᵀ·R_Bᵀ)
//! drag             −c₁·v − c₂·|v|·v,  torque −c₃·ω,     v relative to the wind
//! push             a force at a point, a torque
//! motor            torque T about R_A·a, or gain·(speed − θ̇) about it, θ̇ = R_A·a·(ω_A − ω_B); along it between points on a slider
//! ```

use super::machine::Parts;
use super::rows::{Arms, Relative, turned};
use super::sketch::{Sketch, Term, Triple};
use crate::math::Vec3;

impl Sketch<'_> {
    /// Torques of a force at the arms' points, in principal frames.
    fn torques(&mut self, force: Triple, arms: &Arms) -> [Triple; 2] {
        [(0, arms.first), (1, arms.second.value)].map(|(side, point)| {
            if self.bodies[side].is_none() {
                return [None; 3];
            }
            let in_body = self.in_body(side, force);
            self.cross(point, in_body)
        })
    }

    /// A torque of the world in the principal frames of both sides.
    fn twisted(&mut self, torque: Triple) -> [Triple; 2] {
        [0, 1].map(|side| if self.bodies[side].is_some() { self.in_body(side, torque) } else { [None; 3] })
    }

    fn relative_velocities(&mut self) -> [Triple; 2] {
        let ([v, spin], [w, other]) = (self.velocities(0), self.velocities(1));
        [self.differences(v, w), self.differences(spin, other)]
    }
}

/// A spring of stiffness, damping and length; a length of none at all pulls the points together.
pub(super) fn spring(
    sketch: &mut Sketch,
    parts: &mut Parts,
    arms: &Arms,
    [stiffness, damping]: [Term; 2],
    length: Term,
) {
    let separation = sketch.separation(arms);
    let force = if length.is_none() {
        let pull = sketch.multiple(stiffness, separation);
        let rates = separation.map(|entry| sketch.rate(entry));
        let damped = sketch.multiple(damping, rates);
        sketch.sums(pull, damped)
    } else {
        let distance = sketch.length(separation);
        let direction = sketch.over(separation, distance);
        let stretch = sketch.difference(Some(distance), length);
        let pull = sketch.product(stiffness, stretch);
        let rate = sketch.rate(Some(distance));
        let damped = sketch.product(damping, rate);
        let tension = sketch.sum(pull, damped);
        sketch.multiple(tension, direction)
    };
    let force = force.map(|entry| sketch.scaled(-1.0, entry));
    let torques = sketch.torques(force, arms);
    parts.force(force, torques);
}

/// A spring that turns one side towards the other.
pub(super) fn torsion_spring(
    sketch: &mut Sketch,
    parts: &mut Parts,
    relative: &Relative,
    [stiffness, damping]: [Term; 2],
) {
    let angle = turned(sketch, parts, relative, None);
    let [_, spin] = sketch.relative_velocities();
    let pull = sketch.multiple(stiffness, angle.map(Some));
    let damped = sketch.multiple(damping, spin);
    let sum = sketch.sums(pull, damped);
    let torque = sum.map(|entry| sketch.scaled(-1.0, entry));
    let torques = sketch.twisted(torque);
    parts.force([None; 3], torques);
}

/// Air: what is slow feels the linear part, what is fast the quadratic.
pub(super) fn drag(sketch: &mut Sketch, parts: &mut Parts, [linear, quadratic, angular]: [Term; 3], wind: Triple) {
    let [velocity, spin] = sketch.velocities(0);
    let relative = sketch.differences(velocity, wind);
    let mut factor = linear;
    if quadratic.is_some() {
        let speed = sketch.length(relative);
        let growing = sketch.product(quadratic, Some(speed));
        factor = sketch.sum(linear, growing);
    }
    let force = sketch.multiple(factor, relative).map(|entry| sketch.scaled(-1.0, entry));
    let torque = sketch.multiple(angular, spin).map(|entry| sketch.scaled(-1.0, entry));
    let torques = sketch.twisted(torque);
    parts.force(force, torques);
}

/// A force at a point and a torque, both in the frame of the world, or of the body.
pub(super) fn push(sketch: &mut Sketch, parts: &mut Parts, point: Triple, [force, torque]: [Triple; 2], of_body: bool) {
    let in_world = |sketch: &mut Sketch, vector: Triple| if of_body { sketch.in_world(0, vector) } else { vector };
    let in_body = |sketch: &mut Sketch, vector: Triple| if of_body { vector } else { sketch.in_body(0, vector) };
    let (whole, force_in_body, torque_in_body) =
        (in_world(sketch, force), in_body(sketch, force), in_body(sketch, torque));
    let moment = sketch.cross(point, force_in_body);
    let sum = sketch.sums(moment, torque_in_body);
    parts.force(whole, [sum, [None; 3]]);
}

/// How a motor decides what it gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drive {
    /// So much.
    Given(Term),
    /// gain·(speed − θ̇).
    Governed { gain: Term, speed: Term },
}

/// A motor about an axis of the first side.
pub(super) fn motor(sketch: &mut Sketch, parts: &mut Parts, axis: &Vec3, drive: Drive) {
    let in_first = sketch.constant(axis);
    let in_world = sketch.in_world(0, in_first);
    let [_, spin] = sketch.relative_velocities();
    let torque = sketch.driven(in_world, spin, drive);
    let whole = sketch.multiple(torque, in_world);
    let torques = sketch.twisted(whole);
    parts.force([None; 3], torques);
}

/// A motor along an axis of the first side, between the arms' points.
pub(super) fn pusher(sketch: &mut Sketch, parts: &mut Parts, arms: &Arms, axis: &Vec3, drive: Drive) {
    let in_first = sketch.constant(axis);
    let in_world = sketch.in_world(0, in_first);
    let separation = sketch.separation(arms);
    let rates = separation.map(|entry| sketch.rate(entry));
    let size = sketch.driven(in_world, rates, drive);
    let force = sketch.multiple(size, in_world);
    let torques = sketch.torques(force, arms);
    parts.force(force, torques);
}

impl Sketch<'_> {
    fn driven(&mut self, axis: Triple, rates: Triple, drive: Drive) -> Term {
        match drive {
            Drive::Given(size) => size,
            Drive::Governed { gain, speed } => {
                let rate = self.dot(axis, rates);
                let missing = self.difference(speed, rate);
                self.product(gain, missing)
            }
        }
    }
}
