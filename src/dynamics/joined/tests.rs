//! Joined flight against exact answers, closed forms, and differences.

use serde_json::Value;

use super::{Blueprint, BodyFacts, Column, JoinedFlight, Machine, NumberId, Owner, What};
use crate::dynamics::{BodyState, MassProperties, StateTangent};
use crate::geometry::{Shape, mass::volume_integrals};
use crate::math::{Rotation, Vec3, rotation};
use crate::scene::{Ease, Force, ForceKind, Given, Joint, JointKind, Key, MotorDrive, RestLength, Track, TrackSize};

/// Bodies, joints, forces and tracks of a small scene.
#[derive(Clone)]
struct Case {
    bodies: Vec<BodyFacts>,
    gravity: Vec3,
    joints: Vec<Joint>,
    forces: Vec<Force>,
    tracks: Vec<Track>,
}

fn still() -> BodyState {
    BodyState { position: Vec3::zeros(), rotation: Rotation::identity(), velocity: Vec3::zeros(), spin: Vec3::zeros() }
}

fn body(shape: &Shape, mass: f64, initial: BodyState) -> BodyFacts {
    let integrals = volume_integrals(shape).unwrap();
    let mass = MassProperties {
        mass,
        inertia: integrals.inertia * (mass / integrals.volume),
        body_from_principal: integrals.body_from_principal,
    };
    BodyFacts { mass, initial, radius: 0.0 }
}

fn joint(first: usize, second: Option<usize>, kind: JointKind) -> Joint {
    Joint { name: String::new(), first, second, kind, time_constant: 0.1, active: Vec::new(), collide: false }
}

fn force(first: usize, second: Option<usize>, kind: ForceKind) -> Force {
    Force { name: String::new(), first, second, kind, collide: true }
}

impl Case {
    /// Where everything is after a while, flight by flight from key to key.
    fn flown(&self, until: f64) -> Vec<BodyState> {
        let mut states: Vec<BodyState> = self.bodies.iter().map(|body| body.initial).collect();
        for piece in self.borders(until).windows(2) {
            let flight = self.flight(piece[0], states.clone());
            states = (0..states.len()).map(|member| flight.at(member, piece[1])).collect();
        }
        states
    }

    fn borders(&self, until: f64) -> Vec<f64> {
        let keys = self.tracks.iter().flat_map(|track| track.keys.iter().map(|key| key.t));
        let mut borders: Vec<f64> = keys.filter(|t| *t < until).chain([0.0, until]).collect();
        borders.sort_by(f64::total_cmp);
        borders.dedup();
        borders
    }

    fn flight(&self, t: f64, states: Vec<BodyState>) -> JoinedFlight {
        let members: Vec<usize> = (0..self.bodies.len()).collect();
        let (joints, forces): (Vec<usize>, Vec<usize>) = ((0..self.joints.len()).collect(), (0..self.forces.len()).collect());
        let machine = Machine::build(&Blueprint {
            members: &members,
            bodies: &self.bodies,
            gravity: self.gravity,
            joints: &self.joints,
            forces: &self.forces,
            tracks: &self.tracks,
            active_joints: &joints,
            active_forces: &forces,
            t,
            states: &states,
        });
        JoinedFlight::new(machine, t, states)
    }
}

fn number(value: &Value) -> f64 {
    value.as_str().map_or_else(|| value.as_f64().unwrap(), |text| text.parse().unwrap())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn reference(name: &str) -> Value {
    let text = include_str!("../../../tests/reference/machines.json");
    let mut all: Value = serde_json::from_str(text).unwrap();
    all["cases"][name].take()
}

/// The largest error of states relative to the scene's size (all are of a metre, metres and radians a second).
fn state_error(case: &Value, states: &[BodyState]) -> f64 {
    let mut worst = 0.0_f64;
    for (state, exact) in states.iter().zip(case["final"].as_array().unwrap()) {
        let q = numbers(&exact["quat_xyzw"]);
        let rotation = Rotation::new_normalize(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]));
        let vector = |key: &str| Vec3::from_column_slice(&numbers(&exact[key]));
        let errors = [
            (state.position - vector("x")).norm(),
            (state.velocity - vector("v")).norm() / vector("v").norm().max(1.0),
            (state.spin - vector("w")).norm() / vector("w").norm().max(1.0),
            rotation::angle_between(&state.rotation, &rotation),
        ];
        worst = errors.into_iter().fold(worst, f64::max);
    }
    worst
}

fn spring_pendulum() -> Case {
    let initial = BodyState {
        position: Vec3::new(0.5, -0.7, 0.3),
        rotation: rotation::exp(Vec3::new(0.3, -0.2, 0.4)),
        velocity: Vec3::new(-0.6, 0.3, 0.9),
        spin: Vec3::new(1.0, -2.0, 0.5),
    };
    let spring = ForceKind::Spring {
        point: Vec3::new(0.03, 0.08, -0.02),
        second: Given::Constant(Vec3::new(0.1, 0.2, -0.1)),
        stiffness: Given::Constant(40.0),
        damping: Given::Constant(0.6),
        length: RestLength::Given(Given::Constant(0.7)),
    };
    Case {
        bodies: vec![body(&Shape::Ball { radius: 0.1 }, 0.8, initial)],
        gravity: Vec3::new(0.0, -9.81, 0.0),
        joints: vec![],
        forces: vec![force(0, None, spring)],
        tracks: vec![],
    }
}

#[test]
fn a_spring_pendulum_is_where_its_reference_is() {
    let error = state_error(&reference("J1_spring_pendulum"), &spring_pendulum().flown(1.5));
    assert!(error < 1e-12, "{error:e}");
}
