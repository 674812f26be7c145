//! Derivatives of every kind of joint, force and track against extrapolated differences, and the law of what starts apart.

use super::super::{Column, NumberId, Owner, StartTerm, What, start_terms};
use super::{Case, DOWN, body, force, joint, state, track};
use crate::dynamics::joined::BodyFacts;
use crate::dynamics::{BodyState, StateTangent};
use crate::geometry::Shape;
use crate::math::{Vec3, rotation};
use crate::scene::{
    Ease, Force, ForceKind, Frame, Given, Joint, JointKind, JointPath, MotorDrive, RestLength, TrackSize,
};

impl Case {
    /// The case with one number changed; nothing where the number follows the start.
    fn moved(&self, id: NumberId, h: f64) -> Option<Case> {
        let mut case = self.clone();
        let k = usize::from(id.member);
        let number: &mut f64 = match (id.of, id.what) {
            (Owner::Key(track, key), What::Time) => &mut case.tracks[track].keys[key].t,
            (Owner::Key(track, key), _) => &mut case.tracks[track].keys[key].value[k],
            (Owner::Joint(joint), what) => joint_number(&mut case.joints[joint], what, k)?,
            (Owner::Force(force), what) => force_number(&mut case.forces[force], what, k)?,
        };
        *number += h;
        Some(case)
    }

    /// The largest difference between derivatives and central differences, relative to the largest entry, and where.
    fn worst(&self, until: f64, h: f64) -> (f64, String) {
        let rows = 12 * self.bodies.len();
        let states: Vec<BodyState> = self.bodies.iter().map(|body| body.initial).collect();
        let of_piece = |t: &f64| self.flight(*t, states.clone()).machine().number_ids();
        let mut ids: Vec<NumberId> = self.borders(until).iter().flat_map(of_piece).collect();
        // Time is nobody's number.
        ids.retain(|id| id.what != What::Clock);
        ids.sort_unstable();
        ids.dedup();
        let columns: Vec<Column> =
            (0..3).map(Column::Gravity).chain(ids.iter().map(|id| Column::Number(*id))).collect();
        let mut exact = self.derivative(until, &columns);
        // What follows the start is a change of the start.
        for (place, id) in ids.iter().enumerate() {
            for term in start_terms(&self.bodies, (&self.joints, &self.forces, &self.tracks), *id) {
                let column = exact.column(rows + 3 + place).into_owned();
                match term {
                    StartTerm::Body(body, covector) => {
                        for (k, factor) in covector.iter().enumerate() {
                            exact.column_mut(12 * body + k).axpy(*factor, &column, 1.0);
                        }
                    }
                    StartTerm::Number(other, factor) => {
                        let place = ids.iter().position(|id| *id == other).expect("it has that number");
                        exact.column_mut(rows + 3 + place).axpy(factor, &column, 1.0);
                    }
                }
            }
        }
        let base = self.flown(until);
        let most = exact.amax();
        let (mut worst, mut at) = (0.0_f64, String::new());
        let steps = [h, -h, 2.0 * h, -2.0 * h];
        // Extrapolated from two steps.
        let mut compare = |column: usize, what: String, ends: [Vec<BodyState>; 4]| {
            for (member, base) in base.iter().enumerate() {
                let [a, b, c, d] = [0, 1, 2, 3].map(|side| base.tangent_to(&ends[side][member]));
                let numeric = ((a - b) * 8.0 - (c - d)) / (12.0 * h);
                let error = (numeric - exact.fixed_view::<12, 1>(12 * member, column)).amax() / most;
                if error.is_nan() || error > worst {
                    (worst, at) = (error, format!("member {member} by {what}"));
                }
            }
        };
        for column in 0..rows {
            let moved = |h: f64| {
                let mut case = self.clone();
                let mut tangent = StateTangent::zeros();
                tangent[column % 12] = h;
                case.bodies[column / 12].initial = self.bodies[column / 12].initial.moved_by(&tangent);
                case.flown(until)
            };
            let pushed = self.bodies[column / 12].mass.is_pushed();
            if pushed || column % 12 < 6 {
                compare(column, format!("entry {} of body {}", column % 12, column / 12), steps.map(moved));
            }
        }
        for (place, id) in ids.iter().enumerate() {
            if self.moved(*id, 0.0).is_some() {
                let moved = |h: f64| self.moved(*id, h).map_or_else(Vec::new, |case| case.flown(until));
                compare(rows + 3 + place, format!("{id:?}"), steps.map(moved));
            }
        }
        (worst, at)
    }
}

fn constant<T>(given: &mut Given<T>) -> Option<&mut T> {
    match given {
        Given::Constant(value) => Some(value),
        Given::Track(_) => None,
    }
}

fn joint_number(joint: &mut Joint, what: What, k: usize) -> Option<&mut f64> {
    use JointKind::*;
    if what == What::TimeConstant {
        return Some(&mut joint.time_constant);
    }
    match (&mut joint.kind, what) {
        (
            Pin { point, .. }
            | PointToPoint { point, .. }
            | Distance { point, .. }
            | OnPath { point, .. }
            | FollowPath { point, .. }
            | PointOnLine { point, .. }
            | PointOnPlane { point, .. }
            | Hinge { point, .. }
            | Slider { point, .. },
            What::Point,
        ) => Some(&mut point[k]),
        (PointToPoint { second, .. }, What::Second) => Some(&mut second[k]),
        (
            Pin { to: second, .. } | Distance { second, .. } | Hinge { second, .. } | Slider { second, .. },
            What::Second,
        ) => constant(second).map(|second| &mut second[k]),
        (Distance { length, .. }, What::Length) => constant(length),
        (FullOrientation { rotation }, What::Rotation) => constant(rotation).map(|rotation| &mut rotation[k]),
        _ => None,
    }
}

fn force_number(force: &mut Force, what: What, k: usize) -> Option<&mut f64> {
    use ForceKind::*;
    match (&mut force.kind, what) {
        (Spring { point, .. } | Push { point, .. }, What::Point) => Some(&mut point[k]),
        (Spring { second, .. }, What::Second) => constant(second).map(|second| &mut second[k]),
        (Spring { stiffness, .. } | TorsionSpring { stiffness, .. }, What::Stiffness) => constant(stiffness),
        (Spring { damping, .. } | TorsionSpring { damping, .. }, What::Damping) => constant(damping),
        (Spring { length: RestLength::Given(length), .. }, What::Length) => constant(length),
        (TorsionSpring { rotation: Some(rotation), .. }, What::Rotation) => constant(rotation).map(|turn| &mut turn[k]),
        (Drag { linear, .. }, What::Linear) => constant(linear),
        (Drag { quadratic, .. }, What::Quadratic) => constant(quadratic),
        (Drag { angular, .. }, What::Angular) => constant(angular),
        (Drag { wind, .. }, What::Wind) => constant(wind).map(|wind| &mut wind[k]),
        (Push { force, .. }, What::Force) => constant(force).map(|force| &mut force[k]),
        (Push { torque, .. }, What::Torque) => constant(torque).map(|torque| &mut torque[k]),
        (Motor { drive: MotorDrive::Torque(torque), .. }, What::Torque) => constant(torque),
        (Motor { drive: MotorDrive::Speed { speed, .. }, .. }, What::Speed) => constant(speed),
        (Motor { drive: MotorDrive::Speed { gain, .. }, .. }, What::Gain) => constant(gain),
        _ => None,
    }
}

/// Two bricks, off every joint, and a third body that stays.
fn two_bricks() -> Vec<BodyFacts> {
    let brick = |mass: f64, initial: BodyState| {
        let mut facts = body(&Shape::Cuboid { half_extents: Vec3::new(0.2, 0.12, 0.08) }, mass, initial);
        // Principal axes that are not the body's.
        facts.mass.body_from_principal = rotation::exp(Vec3::new(0.3, -0.2, 0.5));
        BodyFacts { radius: 0.2, ..facts }
    };
    let first = state([0.1, 0.2, -0.1], [0.4, 0.3, -0.6], [0.2, -0.1, 0.3], [0.5, 1.0, -0.7]);
    let second = state([0.6, 0.5, 0.15], [-0.2, 0.5, 0.3], [-0.3, 0.2, 0.1], [-0.8, 0.4, 0.9]);
    let mut wall = brick(1.0, state([-0.4, 0.3, 0.2], [0.2, 0.1, 0.4], [0.0; 3], [0.0; 3]));
    wall.mass.mass = f64::INFINITY;
    wall.mass.inertia = Vec3::repeat(f64::INFINITY);
    vec![brick(1.5, first), brick(0.9, second), wall]
}

fn vector(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// One of every kind, between two bodies and against the world or a body that stays.
fn all_joints() -> Vec<(&'static str, Joint)> {
    let (p, q) = (vector(0.1, -0.05, 0.02), vector(-0.12, 0.06, 0.03));
    let axis = vector(0.6, 0.0, 0.8);
    let other = vector(0.36, 0.48, 0.8);
    let ellipse =
        JointPath::Ellipse { center: vector(0.0, 0.1, 0.0), axes: [vector(0.5, 0.0, 0.0), vector(0.0, 0.24, 0.32)] };
    let hinge = JointKind::Hinge { point: p, second: Given::Constant(q), axis, second_axis: other, limits: None };
    let slider = JointKind::Slider { point: p, second: Given::Constant(q), axis, second_axis: other, limits: None };
    let line = |origin: Vec3| JointKind::PointOnLine { point: p, origin, direction: other };
    let plane = JointKind::PointOnPlane { point: p, origin: q, normal: other };
    let distance = JointKind::Distance { point: p, second: Given::Constant(q), length: Given::Constant(0.4) };
    let turn = JointKind::FullOrientation { rotation: Given::Constant(vector(0.9, 0.1, -0.3)) };
    vec![
        ("pin", joint(0, None, JointKind::Pin { point: p, to: Given::Constant(q) })),
        ("point to point", joint(0, Some(1), JointKind::PointToPoint { point: p, second: q })),
        ("point to point of a wall", joint(0, Some(2), JointKind::PointToPoint { point: p, second: q })),
        ("distance", joint(0, Some(1), distance.clone())),
        ("distance from a wall", joint(2, Some(0), distance)),
        ("on an ellipse", joint(0, None, JointKind::OnPath { point: p, path: ellipse })),
        ("point on a line", joint(0, None, line(q))),
        ("point on another's line", joint(0, Some(1), line(q))),
        ("point on another's plane", joint(0, Some(1), plane)),
        ("balls", joint(0, Some(1), JointKind::SphereToSphere)),
        ("axis along an axis", joint(0, Some(1), JointKind::Orientation { axis, to: other })),
        ("whole orientation", joint(0, None, turn)),
        ("hinge", joint(0, Some(1), hinge.clone())),
        ("hinge on a wall", joint(0, Some(2), hinge)),
        ("slider", joint(0, Some(1), slider.clone())),
        ("slider on a wall", joint(0, Some(2), slider)),
        ("weld", joint(0, Some(1), JointKind::Weld)),
        ("weld to a wall", joint(0, Some(2), JointKind::Weld)),
        ("weld to the world", joint(0, None, JointKind::Weld)),
    ]
}

fn all_forces() -> Vec<(&'static str, Force)> {
    let (p, q) = (vector(0.1, -0.05, 0.02), vector(-0.12, 0.06, 0.03));
    let spring = |length: RestLength| ForceKind::Spring {
        point: p,
        second: Given::Constant(q),
        stiffness: Given::Constant(30.0),
        damping: Given::Constant(0.7),
        length,
    };
    let torsion = |rotation| ForceKind::TorsionSpring {
        stiffness: Given::Constant(0.3),
        damping: Given::Constant(0.02),
        rotation,
    };
    let drag = ForceKind::Drag {
        linear: Given::Constant(0.3),
        quadratic: Given::Constant(0.5),
        angular: Given::Constant(0.01),
        wind: Given::Constant(vector(1.0, 0.2, -0.4)),
    };
    let push = |frame| ForceKind::Push {
        point: p,
        force: Given::Constant(vector(1.0, 2.0, -1.0)),
        torque: Given::Constant(vector(0.02, -0.03, 0.05)),
        frame,
    };
    let to = Given::Constant(vector(0.9, 0.1, -0.3));
    vec![
        ("spring", force(0, Some(1), spring(RestLength::AtStart))),
        ("spring to the world", force(0, None, spring(RestLength::Given(Given::Constant(0.3))))),
        ("spring without length", force(0, Some(2), spring(RestLength::Zero))),
        ("torsion spring", force(0, Some(1), torsion(None))),
        ("torsion spring to a wall", force(0, Some(2), torsion(None))),
        ("torsion spring to a turn", force(0, None, torsion(Some(to)))),
        ("drag", force(0, None, drag)),
        ("push", force(0, None, push(Frame::World))),
        ("push of a body", force(0, None, push(Frame::Body))),
    ]
}

/// Extrapolated differences of 1e-4 of motions that are right to 1e-14 lose four digits to rounding, and have an error of the
/// fourth power of the step, which grows with the stiffness of what holds.
const DIFFERENCES: f64 = 1e-8;

fn check(name: &str, joints: Vec<Joint>, forces: Vec<Force>) {
    let case = Case { bodies: two_bricks(), gravity: DOWN, joints, forces, tracks: vec![] };
    let (error, at) = case.worst(0.3, 1e-4);
    println!("{name}: {error:e}, {at}");
    assert!(error < DIFFERENCES, "{name}: {error:e}, {at}");
}

#[test]
fn every_joint_has_the_derivative_of_differences() {
    all_joints().into_iter().for_each(|(name, joint)| check(name, vec![joint], vec![]));
}

#[test]
fn every_force_has_the_derivative_of_differences() {
    all_forces().into_iter().for_each(|(name, force)| check(name, vec![], vec![force]));
}

#[test]
fn motors_have_the_derivative_of_differences() {
    let joints: Vec<(&str, Joint)> =
        all_joints().into_iter().filter(|(name, _)| name.contains("hinge") || name.contains("slider")).collect();
    for (name, joint) in joints {
        let (first, second) = (joint.first, joint.second);
        for drive in [
            MotorDrive::Torque(Given::Constant(0.4)),
            MotorDrive::Speed { speed: Given::Constant(2.0), gain: Given::Constant(0.3), max_torque: None },
        ] {
            let motor = force(first, second, ForceKind::Motor { joint: 0, drive });
            check(&format!("{name}, {drive:?}"), vec![joint.clone()], vec![motor]);
        }
    }
}

/// What starts apart comes together by D(t) = (D₀ + (Ḋ₀ + D₀/τ)·t)·e^(−t/τ), whatever else happens to it.
#[test]
fn what_starts_apart_comes_together_as_the_law_says() {
    for (name, joint) in all_joints() {
        let case = Case { bodies: two_bricks(), gravity: DOWN, joints: vec![joint], forces: vec![], tracks: vec![] };
        let flight = case.flight(0.0, case.bodies.iter().map(|body| body.initial).collect());
        let start = flight.joint_rates(0.0);
        for t in [0.1, 0.25, 0.5] {
            for (now, begun) in flight.joint_rates(t).iter().zip(&start) {
                let [value, speed] = *begun;
                let tau = 0.1;
                let law = (value + (speed + value / tau) * t) * crate::math::elementary::exp(-t / tau);
                assert!((now[0] - law).abs() < 1e-12, "{name} at {t}: {} {law}", now[0]);
            }
        }
    }
}

/// Tracks whose velocity jumps at their keys, followed by a pin, a length and a place on an ellipse.
#[test]
fn what_follows_a_track_that_jerks_has_the_derivative_of_differences() {
    let hand = |ease: Ease| {
        let keys = [
            (0.05, [0.1, 0.2, 0.0], Ease::Linear),
            (0.11, [0.2, 0.25, -0.1], ease),
            (0.22, [0.15, 0.3, 0.1], Ease::Linear),
        ];
        track(&keys, TrackSize::Vector)
    };
    let number =
        track(&[(0.04, [0.4, 0.0, 0.0], Ease::Linear), (0.13, [0.7, 0.0, 0.0], Ease::SlowIn)], TrackSize::Number);
    let p = vector(0.1, -0.05, 0.02);
    let ellipse =
        JointPath::Ellipse { center: vector(0.0, 0.1, 0.0), axes: [vector(0.5, 0.0, 0.0), vector(0.0, 0.24, 0.32)] };
    let elbow = joint(0, Some(1), JointKind::PointToPoint { point: p, second: vector(-0.12, 0.06, 0.03) });
    let length =
        JointKind::Distance { point: p, second: Given::Constant(vector(0.0, 1.0, 0.0)), length: Given::Track(0) };
    for (name, kind, followed) in [
        ("linear hand", JointKind::Pin { point: p, to: Given::Track(0) }, hand(Ease::Linear)),
        ("slow out hand", JointKind::Pin { point: p, to: Given::Track(0) }, hand(Ease::SlowOut)),
        ("length", length, number.clone()),
        ("place on an ellipse", JointKind::FollowPath { point: p, path: ellipse, along: 0 }, number),
    ] {
        let joints = vec![joint(0, None, kind), elbow.clone()];
        let case = Case { bodies: two_bricks(), gravity: DOWN, joints, forces: vec![], tracks: vec![followed] };
        let (error, at) = case.worst(0.3, 1e-4);
        println!("{name}: {error:e}, {at}");
        assert!(error < DIFFERENCES, "{name}: {error:e}, {at}");
    }
}
