//! Joined flight against exact answers, closed forms, and differences.

mod assembly;
mod differences;

use serde_json::Value;

use super::{Blueprint, BodyFacts, Column, JoinedFlight, Jump, Machine, NumberId, Owner, What};
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
        let mut before: Option<JoinedFlight> = None;
        for piece in self.borders(until).windows(2) {
            let mut flight = self.flight(piece[0], states.clone());
            if let Some(before) = &before
                && let Some(jump) = Jump::new(before.machine(), flight.machine(), &states, piece[0])
            {
                jump.apply(&mut states);
                flight = self.flight(piece[0], states.clone());
            }
            states = (0..states.len()).map(|member| flight.at(member, piece[1])).collect();
            before = Some(flight);
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
        let (joints, forces): (Vec<usize>, Vec<usize>) =
            ((0..self.joints.len()).collect(), (0..self.forces.len()).collect());
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
    let text = include_str!("../../../../tests/reference/machines.json");
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

/// A rod along y.
fn rod(half_height: f64, radius: f64, mass: f64, initial: BodyState) -> BodyFacts {
    body(&Shape::Capsule { half_height, radius }, mass, initial)
}

fn state(position: [f64; 3], rotation: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) -> BodyState {
    BodyState {
        position: position.into(),
        rotation: rotation::exp(rotation.into()),
        velocity: velocity.into(),
        spin: spin.into(),
    }
}

fn pin(point: [f64; 3], to: Given<Vec3>) -> JointKind {
    JointKind::Pin { point: point.into(), to }
}

const DOWN: Vec3 = Vec3::new(0.0, -9.81, 0.0);

fn one(body: BodyFacts, joints: Vec<Joint>, tracks: Vec<Track>) -> Case {
    Case { bodies: vec![body], gravity: DOWN, joints, forces: vec![], tracks }
}

fn rod_to_its_nail() -> Case {
    let initial = state([0.3, 0.2, -0.1], [0.4, 0.3, -0.6], [0.2, -0.1, 0.3], [0.5, 1.0, -0.7]);
    let kind = pin([0.0, 0.4, 0.0], Given::Constant(Vec3::new(0.163, 1.014, 0.301)));
    one(rod(0.4, 0.05, 1.5, initial), vec![joint(0, None, kind)], vec![])
}

fn track(keys: &[(f64, [f64; 3], Ease)], size: TrackSize) -> Track {
    let key = |(t, value, ease): &(f64, [f64; 3], Ease)| Key { t: *t, value: (*value).into(), ease: *ease };
    Track { name: String::new(), size, keys: keys.iter().map(key).collect() }
}

fn moving_pin() -> Case {
    let initial = state(
        [0.23417415822048734, 0.7929731124231352, -0.1574875596419042],
        [0.3, 0.5, 0.9],
        [0.46307395821370534, 0.42233635729382474, 0.13337544149641717],
        [0.6, -1.1, 1.4],
    );
    let hand = track(
        &[
            (0.0, [0.0, 1.0, 0.0], Ease::Linear),
            (0.5, [0.3, 1.1, -0.1], Ease::SlowInOut),
            (1.1, [-0.2, 0.9, 0.25], Ease::SlowInOut),
        ],
        TrackSize::Vector,
    );
    one(rod(0.35, 0.04, 0.9, initial), vec![joint(0, None, pin([0.0, 0.35, 0.0], Given::Track(0)))], vec![hand])
}

fn reeled_in() -> Case {
    let initial = state(
        [0.45614528554459427, 0.5816743837915478, 0.266431587708213],
        [0.2, -0.3, 0.5],
        [1.0252456827716598, 0.31160518915716867, -0.7191025114654203],
        [1.2, -0.8, 0.6],
    );
    let reel = track(
        &[
            (0.0, [1.0, 0.0, 0.0], Ease::Linear),
            (0.8, [0.6, 0.0, 0.0], Ease::SlowInOut),
            (1.2, [0.7, 0.0, 0.0], Ease::SlowInOut),
        ],
        TrackSize::Number,
    );
    let kind = JointKind::Distance {
        point: Vec3::new(0.02, 0.07, 0.01),
        second: Given::Constant(Vec3::new(0.0, 1.5, 0.0)),
        length: Given::Track(0),
    };
    one(body(&Shape::Ball { radius: 0.08 }, 0.6, initial), vec![joint(0, None, kind)], vec![reel])
}

fn four_bar() -> Case {
    let bodies = vec![
        rod(
            0.2,
            0.03,
            0.6,
            state(
                [0.09071922428511547, 0.1782414720122871, 0.0],
                [0.0, 0.0, -0.47079632679489647],
                [-0.3564829440245742, 0.18143844857023095, 0.0],
                [0.0, 0.0, 2.0],
            ),
        ),
        rod(
            0.45,
            0.03,
            1.1,
            state(
                [0.5732501868315371, 0.5778052469238839, 0.0],
                [0.0, 0.0, -1.056609095461249],
                [-0.6035038638725212, 0.1690938693822631, 0.0],
                [0.0, 0.0, -0.494581986282814],
            ),
        ),
        rod(
            0.35,
            0.03,
            0.9,
            state(
                [0.9825309625464216, 0.44956377491159677, 0.0],
                [0.0, 0.0, 0.04993228179539644],
                [-0.24702091984794705, -0.012344579187967861, 0.0],
                [0.0, 0.0, 0.7066548011458499],
            ),
        ),
    ];
    let hinge = |point: [f64; 3], second: [f64; 3]| JointKind::Hinge {
        point: point.into(),
        second: Given::Constant(second.into()),
        axis: Vec3::z(),
        second_axis: Vec3::z(),
        limits: None,
    };
    let joints = vec![
        joint(0, None, hinge([0.0, -0.2, 0.0], [0.0, 0.0, 0.0])),
        joint(0, Some(1), hinge([0.0, 0.2, 0.0], [0.0, -0.45, 0.0])),
        joint(1, Some(2), hinge([0.0, 0.45, 0.0], [0.0, 0.35, 0.0])),
        joint(2, None, hinge([0.0, -0.35, 0.0], [1.0, 0.1, 0.0])),
    ];
    let motor = ForceKind::Motor { joint: 0, drive: MotorDrive::Torque(Given::Constant(1.5)) };
    Case { bodies, gravity: DOWN, joints, forces: vec![force(0, None, motor)], tracks: vec![] }
}

#[test]
fn joined_bodies_are_where_their_references_are() {
    for (name, case, until) in [
        ("J3_assembly_rod", rod_to_its_nail(), 1.0),
        ("J4_moving_pin", moving_pin(), 1.4),
        ("J8_four_bar", four_bar(), 0.9),
        ("J10_reel_in", reeled_in(), 1.4),
    ] {
        let error = state_error(&reference(name), &case.flown(until));
        assert!(error < 1e-12, "{name}: {error:e}");
    }
}

/// What a column of a reference changes: a weighted sum of columns of ours.
type Change = Vec<(usize, f64)>;

impl Case {
    /// Every column that a flight of this case knows, beside states.
    fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = (0..3).map(Column::Gravity).collect();
        for member in 0..self.bodies.len() {
            columns.push(Column::Mass(member));
            columns.extend((0..3).map(|axis| Column::Inertia(member, axis)));
        }
        let owners = (0..self.joints.len()).map(Owner::Joint).chain((0..self.forces.len()).map(Owner::Force));
        let keys =
            self.tracks.iter().enumerate().flat_map(|(t, track)| (0..track.keys.len()).map(move |k| Owner::Key(t, k)));
        for owner in owners.chain(keys) {
            for what in ALL {
                columns.extend((0..3).map(|member| Column::Number(what.of(owner, member))));
            }
        }
        columns
    }

    /// ∂(states at the end)/∂(starts, columns), through all keys.
    fn derivative(&self, until: f64, columns: &[Column]) -> nalgebra::DMatrix<f64> {
        let rows = 12 * self.bodies.len();
        let mut total = nalgebra::DMatrix::zeros(rows, rows + columns.len());
        total.fill_with_identity();
        let mut states: Vec<BodyState> = self.bodies.iter().map(|body| body.initial).collect();
        let borders = self.borders(until);
        let mut before: Option<JoinedFlight> = None;
        let rates = |flight: &JoinedFlight, t: f64| {
            (0..self.bodies.len()).map(|member| flight.rate(member, t)).collect::<Vec<StateTangent>>()
        };
        for piece in borders.windows(2) {
            let mut flight = self.flight(piece[0], states.clone());
            if let Some(before) = &before {
                self.move_to_keys(&mut total, piece[0], 1.0, &rates(before, piece[0]), columns);
                let old = states.clone();
                if let Some(jump) = Jump::new(before.machine(), flight.machine(), &old, piece[0]) {
                    self.jump(&mut total, piece[0], &jump, columns);
                    jump.apply(&mut states);
                }
                flight = self.flight(piece[0], states.clone());
                self.move_to_keys(&mut total, piece[0], -1.0, &rates(&flight, piece[0]), columns);
            }
            let variation = flight.variation(piece[1], columns);
            let mut next = nalgebra::DMatrix::zeros(rows, rows + columns.len());
            for member in 0..states.len() {
                for of in 0..states.len() {
                    let block = variation.by_start(member, of) * total.rows(12 * of, 12);
                    let mut sum = next.rows_mut(12 * member, 12);
                    sum += block;
                }
                for place in 0..columns.len() {
                    let mut sum = next.view_mut((12 * member, rows + place), (12, 1));
                    sum += variation.by_column(member, place);
                }
            }
            total = next;
            states = (0..states.len()).map(|member| flight.at(member, piece[1])).collect();
            before = Some(flight);
        }
        total
    }

    /// ±F·dt of every key at this time.
    fn move_to_keys(
        &self,
        total: &mut nalgebra::DMatrix<f64>,
        t: f64,
        sign: f64,
        rates: &[StateTangent],
        columns: &[Column],
    ) {
        for place in self.keys_at(t, columns) {
            for (member, rate) in rates.iter().enumerate() {
                let mut sum = total.view_mut((12 * member, 12 * rates.len() + place), (12, 1));
                sum += rate * sign;
            }
        }
    }

    /// The columns of the times of keys that are at this time.
    fn keys_at(&self, t: f64, columns: &[Column]) -> Vec<usize> {
        let is_here = |column: &Column| match column {
            Column::Number(NumberId { of: Owner::Key(track, key), what: What::Time, member: 0 }) => {
                self.tracks[*track].keys[*key].t == t
            }
            _ => false,
        };
        (0..columns.len()).filter(|&place| is_here(&columns[place])).collect()
    }

    /// P = B + δ(jump).
    fn jump(&self, total: &mut nalgebra::DMatrix<f64>, t: f64, jump: &Jump, columns: &[Column]) {
        let (change, count) = (jump.change(columns), self.bodies.len());
        let before = total.clone();
        for member in 0..count {
            for of in 0..count {
                let mut sum = total.rows_mut(12 * member, 12);
                sum += change.by_state(member, of) * before.rows(12 * of, 12);
            }
            for place in 0..columns.len() {
                let mut sum = total.view_mut((12 * member, 12 * count + place), (12, 1));
                sum += change.by_column(member, place);
            }
            for place in self.keys_at(t, columns) {
                let mut sum = total.view_mut((12 * member, 12 * count + place), (12, 1));
                sum += change.by_time(member);
            }
        }
    }

    /// The columns of ours that a name of a reference means.
    fn change(&self, name: &str, columns: &[Column]) -> Change {
        let words: Vec<&str> = name.split('.').collect();
        let rows = 12 * self.bodies.len();
        let axis = |word: &str| ["x", "y", "z"].iter().position(|axis| *axis == word).unwrap();
        let find = |column: Column| rows + columns.iter().position(|other| *other == column).unwrap();
        let bodies = ["b0", "crank", "coupler", "rocker"];
        let body = |word: &str| bodies.iter().position(|name| *name == word).map(|k| if k > 0 { k - 1 } else { 0 });
        let owner = |word: &str| match word {
            "spring" | "motor" => Owner::Force(0),
            "h4" => Owner::Joint(3),
            _ => Owner::Joint(0),
        };
        match (&words[..], body(words[0])) {
            (["gravity", k], _) => vec![(find(Column::Gravity(axis(k))), 1.0)],
            ([_, "mass"], Some(member)) => {
                let mass = &self.bodies[member].mass;
                let inertia = (0..3).map(|k| (find(Column::Inertia(member, k)), mass.inertia[k] / mass.mass));
                inertia.chain([(find(Column::Mass(member)), 1.0)]).collect()
            }
            ([_, field, k], Some(member)) => {
                let field = ["position", "rotation", "velocity", "spin"].iter().position(|name| name == field).unwrap();
                vec![(12 * member + 3 * field + axis(k), 1.0)]
            }
            (["hand" | "reel", key, "time"], _) => {
                vec![(find(Column::Number(What::Time.of(Owner::Key(0, key.parse::<usize>().unwrap() - 1), 0))), 1.0)]
            }
            (["hand" | "reel", key, "value", rest @ ..], _) => {
                let member = rest.first().map_or(0, |k| axis(k));
                let owner = Owner::Key(0, key.parse::<usize>().unwrap() - 1);
                vec![(find(Column::Number(What::Value.of(owner, member))), 1.0)]
            }
            ([name, "to", k], _) => vec![(find(Column::Number(What::Second.of(owner(name), axis(k)))), 1.0)],
            ([name, field], _) => {
                let what = match *field {
                    "stiffness" => What::Stiffness,
                    "damping" => What::Damping,
                    "length" => What::Length,
                    "time_constant" => What::TimeConstant,
                    _ => What::Torque,
                };
                vec![(find(Column::Number(what.of(owner(name), 0))), 1.0)]
            }
            _ => panic!("{name}"),
        }
    }
}

const ALL: [What; 20] = [
    What::Point,
    What::Second,
    What::Length,
    What::TimeConstant,
    What::Rotation,
    What::Stiffness,
    What::Damping,
    What::Linear,
    What::Quadratic,
    What::Angular,
    What::Wind,
    What::Force,
    What::Torque,
    What::Speed,
    What::Gain,
    What::Time,
    What::Value,
    What::StartPlace,
    What::StartTurn,
    What::StartLength,
];

#[test]
fn derivatives_of_joined_flight_are_those_of_their_references() {
    for (name, case, until) in [
        ("J1_spring_pendulum", spring_pendulum(), 1.5),
        ("J3_assembly_rod", rod_to_its_nail(), 1.0),
        ("J4_moving_pin", moving_pin(), 1.4),
        ("J8_four_bar", four_bar(), 0.9),
        ("J10_reel_in", reeled_in(), 1.4),
    ] {
        let exact = reference(name);
        let columns = case.columns();
        let derivative = case.derivative(until, &columns);
        let names: Vec<&str> = exact["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let (mut worst, mut most, mut at) = (0.0_f64, 0.0_f64, String::new());
        let mut ours = nalgebra::DMatrix::zeros(derivative.nrows(), names.len());
        for (column, name) in names.iter().enumerate() {
            for (place, factor) in case.change(name, &columns) {
                let mut sum = ours.column_mut(column);
                sum += derivative.column(place) * factor;
            }
        }
        for (row, entries) in exact["jac"].as_array().unwrap().iter().enumerate() {
            for (column, value) in numbers(entries).into_iter().enumerate() {
                most = most.max(value.abs());
                let error = (ours[(row, column)] - value).abs();
                if error > worst {
                    (worst, at) = (
                        error,
                        format!("{} by {}: {} {value}", exact["rows"][row], names[column], ours[(row, column)]),
                    );
                }
            }
        }
        assert!(worst < 1e-11 * most, "{name}: {worst:e} of {most:e}, {at}");
    }
}
