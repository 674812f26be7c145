//! From joints and forces as a scene describes them to the rows and forces of a machine.
//!
//! ```text
//! p = P_Aᵀ·point                   axes and directions likewise; P is body from principal
//! what is "of the start"           is a number of its own, which follows the start
//! a track                          is the course between the two keys around the time at which the flight begins
//! ```

use super::forces::{self, Drive};
use super::machine::{Machine, Parts};
use super::number::{Number, NumberId, Owner, What};
use super::paths;
use super::rows::{self, Arms, Moving, Relative};
use super::sketch::{Sketch, Term, Triple};
use super::track::Course;
use crate::dynamics::{BodyState, MassProperties};
use crate::math::{Mat3, Rotation, Vec3, rotation};
use crate::scene::{Force, ForceKind, Frame, Given, Joint, JointKind, MotorDrive, RestLength, Track};

/// τ of the row by which a motor follows a track, s.
const MOTOR_TIME_CONSTANT: f64 = 0.1;

/// What a group of bodies is made of. Lists are those of the scene at one control vector; bodies, joints and forces are named by
/// their places there.
#[derive(Clone, Copy, Debug)]
pub struct Blueprint<'a> {
    /// The bodies that take part, in order.
    pub members: &'a [usize],
    /// All bodies.
    pub bodies: &'a [BodyFacts],
    /// m/s².
    pub gravity: Vec3,
    /// All joints.
    pub joints: &'a [Joint],
    /// All forces.
    pub forces: &'a [Force],
    /// All tracks.
    pub tracks: &'a [Track],
    /// Which joints hold.
    pub active_joints: &'a [usize],
    /// Which forces act.
    pub active_forces: &'a [usize],
    /// When the flight begins, s,
    pub t: f64,
    /// and the states of the members then.
    pub states: &'a [BodyState],
}

/// What a machine must know of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyFacts {
    /// How it resists.
    pub mass: MassProperties,
    /// Where it is at time 0.
    pub initial: BodyState,
    /// Of a ball, m; of others their reach.
    pub radius: f64,
}

impl Machine {
    /// The machine that a scene describes.
    pub fn build(blueprint: &Blueprint) -> Machine {
        let masses: Vec<MassProperties> = blueprint.members.iter().map(|&body| blueprint.bodies[body].mass).collect();
        let mut machine = Machine::new(blueprint.members, &masses, blueprint.gravity);
        for &place in blueprint.active_joints {
            let joint = &blueprint.joints[place];
            let site = Site::new(blueprint, Owner::Joint(place), joint.first, joint.second);
            machine.add(site.sides, site.joint_numbers(joint), |sketch, parts| site.write_joint(sketch, parts, joint));
            machine.owners.push(site.owner);
        }
        for &place in blueprint.active_forces {
            let force = &blueprint.forces[place];
            let site = Site::new(blueprint, Owner::Force(place), force.first, force.second);
            machine.add(site.sides, site.force_numbers(force), |sketch, parts| site.write_force(sketch, parts, force));
            machine.owners.push(site.owner);
        }
        machine.joints = blueprint.active_joints.to_vec();
        machine.arrange();
        machine
    }
}

/// Where a joint or a force stands.
struct Site<'a> {
    plan: &'a Blueprint<'a>,
    owner: Owner,
    bodies: [Option<usize>; 2],
    sides: [Option<usize>; 2],
    /// Body from principal on both sides.
    frames: [Rotation; 2],
}

impl<'a> Site<'a> {
    fn new(plan: &'a Blueprint<'a>, owner: Owner, first: usize, second: Option<usize>) -> Site<'a> {
        let bodies = [Some(first), second];
        let place = |body: usize| plan.members.iter().position(|&member| member == body);
        let frame =
            |body: Option<usize>| body.map_or(Rotation::identity(), |b| plan.bodies[b].mass.body_from_principal);
        Site { plan, owner, bodies, sides: bodies.map(|body| body.and_then(place)), frames: bodies.map(frame) }
    }

    fn initial(&self, side: usize) -> BodyState {
        match self.bodies[side] {
            Some(body) => self.plan.bodies[body].initial,
            None => BodyState {
                position: Vec3::zeros(),
                rotation: Rotation::identity(),
                velocity: Vec3::zeros(),
                spin: Vec3::zeros(),
            },
        }
    }

    fn state(&self, side: usize) -> BodyState {
        self.sides[side].map_or_else(|| self.initial(side), |member| self.plan.states[member])
    }

    /// A vector of a side's body in its principal frame.
    fn principal(&self, side: usize, vector: &Vec3) -> Vec3 {
        self.frames[side].inverse_transform_vector(vector)
    }

    fn three(&self, what: What, value: &Vec3) -> [Number; 3] {
        [0, 1, 2].map(|k| what.number(self.owner, k, value[k]))
    }

    /// How a given number goes on from the flight's start.
    fn course(&self, what: What, given: &Given<f64>) -> Course {
        match given {
            Given::Constant(value) => what.number(self.owner, 0, *value).into(),
            Given::Track(track) => self.track_course(*track, 0),
        }
    }

    fn courses(&self, what: What, given: &Given<Vec3>) -> [Course; 3] {
        match given {
            Given::Constant(value) => self.three(what, value).map(Course::from),
            Given::Track(track) => [0, 1, 2].map(|k| self.track_course(*track, k)),
        }
    }

    fn track_course(&self, place: usize, member: usize) -> Course {
        let keys = &self.plan.tracks[place].keys;
        let passed = keys.partition_point(|key| key.t <= self.plan.t);
        let value = |key: usize| What::Value.number(Owner::Key(place, key), member, keys[key].value[member]);
        if passed == 0 || passed == keys.len() {
            return value(passed.saturating_sub(1)).into();
        }
        let time = |key: usize| What::Time.number(Owner::Key(place, key), 0, keys[key].t);
        let ends = [passed - 1, passed];
        Course::Between { times: ends.map(time), values: ends.map(value), ease: keys[passed].ease }
    }

    /// How the first side stands to the second at the start: R_rel = R_Bᵀ·R_A.
    fn start_turn(&self) -> Rotation {
        self.initial(1).rotation.inverse() * self.initial(0).rotation
    }

    /// r₀ = R_Bᵀ·(x_A − x_B).
    fn start_place(&self) -> Vec3 {
        let (a, b) = (self.initial(0), self.initial(1));
        b.rotation.inverse_transform_vector(&(a.position - b.position))
    }

    /// Numbers of a joint in use.
    fn joint_numbers(&self, joint: &Joint) -> Vec<NumberId> {
        use JointKind::*;
        let mut ids = Ids { site: self, ids: Vec::new() };
        ids.one(What::TimeConstant);
        match &joint.kind {
            Pin { to, .. } => ids.points(to),
            PointToPoint { .. } => ids.points(&Given::Constant(Vec3::zeros())),
            Distance { second, length, .. } | Rope { second, length, .. } => {
                ids.points(second);
                ids.given(What::Length, length);
            }
            OnPath { .. } | PointOnLine { .. } | PointOnPlane { .. } => ids.three(What::Point),
            FollowPath { along, .. } => {
                ids.three(What::Point);
                ids.track(*along, 1);
            }
            SphereToSphere | Orientation { .. } => {}
            FullOrientation { rotation } => ids.given_three(What::Rotation, rotation),
            Hinge { second, .. } => ids.points(second),
            Slider { second, .. } => {
                ids.points(second);
                ids.three(What::StartTurn);
            }
            Weld => [What::StartPlace, What::StartTurn].into_iter().for_each(|what| ids.three(what)),
        }
        ids.ids
    }

    /// Numbers of a force in use.
    fn force_numbers(&self, force: &Force) -> Vec<NumberId> {
        let mut ids = Ids { site: self, ids: Vec::new() };
        match &force.kind {
            ForceKind::Spring { second, stiffness, damping, length, .. } => {
                ids.points(second);
                ids.given(What::Stiffness, stiffness);
                ids.given(What::Damping, damping);
                match length {
                    RestLength::AtStart => ids.one(What::StartLength),
                    RestLength::Zero => {}
                    RestLength::Given(length) => ids.given(What::Length, length),
                }
            }
            ForceKind::TorsionSpring { stiffness, damping, rotation } => {
                ids.given(What::Stiffness, stiffness);
                ids.given(What::Damping, damping);
                match rotation {
                    None => ids.three(What::StartTurn),
                    Some(rotation) => ids.given_three(What::Rotation, rotation),
                }
            }
            ForceKind::Drag { linear, quadratic, angular, wind } => {
                ids.given(What::Linear, linear);
                ids.given(What::Quadratic, quadratic);
                ids.given(What::Angular, angular);
                ids.given_three(What::Wind, wind);
            }
            ForceKind::Push { force, torque, .. } => {
                ids.three(What::Point);
                ids.given_three(What::Force, force);
                ids.given_three(What::Torque, torque);
            }
            ForceKind::Motor { joint, drive } => {
                if let JointKind::Slider { second, .. } = &self.plan.joints[*joint].kind {
                    // Points of the slider are the joint's numbers.
                    let mut of_joint = Ids { site: self, ids: Vec::new() };
                    of_joint.points(second);
                    let own = of_joint.ids.into_iter().map(|id| match id.of {
                        Owner::Key(..) => id,
                        _ => NumberId { of: Owner::Joint(*joint), ..id },
                    });
                    ids.ids.extend(own);
                }
                match drive {
                    MotorDrive::Torque(torque) => ids.given(What::Torque, torque),
                    MotorDrive::Speed { speed, gain, .. } => {
                        ids.given(What::Speed, speed);
                        ids.given(What::Gain, gain);
                    }
                    MotorDrive::Angle(track) => {
                        ids.track(*track, 1);
                        ids.one(What::StartLength);
                    }
                }
            }
        }
        ids.ids
    }

    /// The points of a joint or a force.
    fn arms(&self, sketch: &mut Sketch, owner: Owner, point: &Vec3, second: &Given<Vec3>) -> Arms {
        let own = Site { owner, ..*self };
        let first = own.own_point(sketch, point);
        let second = if self.bodies[1].is_some() {
            let value = second.constant().unwrap_or_default();
            let numbers = sketch.numbers(own.three(What::Second, &value));
            let turn = self.frames[1].inverse().to_rotation_matrix().into_inner();
            Moving { value: sketch.turned(&turn, numbers), rate: [None; 3] }
        } else {
            let [value, rate] = sketch.courses(&own.courses(What::Second, second));
            Moving { value, rate }
        };
        Arms { first, second }
    }

    /// The first body's point in its principal frame.
    fn own_point(&self, sketch: &mut Sketch, point: &Vec3) -> Triple {
        let numbers = sketch.numbers(self.three(What::Point, point));
        sketch.turned(&self.frames[0].inverse().to_rotation_matrix().into_inner(), numbers)
    }

    /// Arms whose second point is a constant.
    fn arms_to(&self, sketch: &mut Sketch, point: &Vec3, origin: &Vec3) -> Arms {
        let first = self.own_point(sketch, point);
        let value = sketch.constant(&self.principal(1, origin));
        Arms { first, second: Moving { value, rate: [None; 3] } }
    }

    fn write_joint(&self, sketch: &mut Sketch, parts: &mut Parts, joint: &Joint) {
        let owner = self.owner;
        let tau = sketch.some_number(What::TimeConstant.number(owner, 0, joint.time_constant));
        let zero = Vec3::zeros();
        match &joint.kind {
            JointKind::Pin { point, to } => {
                let arms = self.arms(sketch, owner, point, to);
                rows::coincident(sketch, parts, &arms, tau);
            }
            JointKind::PointToPoint { point, second } => {
                let arms = self.arms(sketch, owner, point, &Given::Constant(*second));
                rows::coincident(sketch, parts, &arms, tau);
            }
            JointKind::Distance { point, second, length } | JointKind::Rope { point, second, length, .. } => {
                let arms = self.arms(sketch, owner, point, second);
                let length = sketch.course(&self.course(What::Length, length));
                rows::at_distance(sketch, parts, &arms, length, tau);
            }
            JointKind::SphereToSphere => {
                let radius = |side: usize| self.bodies[side].map_or(0.0, |body| self.plan.bodies[body].radius);
                let length = sketch.number((radius(0) + radius(1)).into());
                let still = Moving { value: [None; 3], rate: [None; 3] };
                rows::at_distance(sketch, parts, &Arms { first: [None; 3], second: still }, [length, None], tau);
            }
            JointKind::PointOnLine { point, origin, direction } => {
                let arms = self.arms_to(sketch, point, origin);
                let directions = rows::normals(direction).map(|n| self.principal(1, &n));
                rows::in_directions(sketch, parts, &arms, &directions, tau);
            }
            JointKind::PointOnPlane { point, origin, normal } => {
                let arms = self.arms_to(sketch, point, origin);
                rows::in_directions(sketch, parts, &arms, &[self.principal(1, normal)], tau);
            }
            JointKind::OnPath { point, path } => {
                let first = self.own_point(sketch, point);
                paths::on_path(sketch, parts, first, path, self.world_point(point), tau);
            }
            JointKind::FollowPath { point, path, along } => {
                let first = self.own_point(sketch, point);
                let course = self.track_course(*along, 0);
                paths::follow_path(sketch, parts, first, path, &course, tau);
            }
            JointKind::Orientation { axis, to } => {
                rows::aligned(sketch, parts, &self.principal(0, axis), &self.principal(1, to), tau);
            }
            JointKind::FullOrientation { rotation } => self.write_orientation(sketch, parts, rotation, joint),
            JointKind::Hinge { point, second, axis, second_axis, .. } => {
                let arms = self.arms(sketch, owner, point, second);
                rows::coincident(sketch, parts, &arms, tau);
                rows::aligned(sketch, parts, &self.principal(0, axis), &self.principal(1, second_axis), tau);
            }
            JointKind::Slider { point, second, second_axis, .. } => {
                let arms = self.arms(sketch, owner, point, second);
                let directions = rows::normals(second_axis).map(|n| self.principal(1, &n));
                rows::in_directions(sketch, parts, &arms, &directions, tau);
                let relative = self.relative_to_start(joint.time_constant);
                rows::turned(sketch, parts, &relative, Some(tau));
            }
            JointKind::Weld => {
                let place = sketch.numbers(self.three(What::StartPlace, &self.start_place()));
                let turn = self.frames[1].inverse().to_rotation_matrix().into_inner();
                let second = Moving { value: sketch.turned(&turn, place), rate: [None; 3] };
                let first = sketch.constant(&zero);
                rows::coincident(sketch, parts, &Arms { first, second }, tau);
                let relative = self.relative_to_start(joint.time_constant);
                rows::turned(sketch, parts, &relative, Some(tau));
            }
        }
    }

    /// A point of the first body where the flight begins.
    fn world_point(&self, point: &Vec3) -> Vec3 {
        let state = self.state(0);
        state.position + state.rotation * point
    }

    /// The turn from how the sides stand at the start.
    fn relative_to_start(&self, time_constant: f64) -> Relative {
        let second_from_first = self.start_turn();
        let turned_by = Some((self.three(What::StartTurn, &Vec3::zeros()), Mat3::identity()));
        Relative { second_from_first, turned_by, ..self.relative(&second_from_first, time_constant) }
    }

    /// The turn from a given one, for a row that is held with this τ.
    fn relative(&self, second_from_first: &Rotation, time_constant: f64) -> Relative {
        let (a, b) = (self.state(0), self.state(1));
        let angle = rows::start_angle([&a.rotation, &b.rotation], second_from_first);
        let farthest = rows::farthest_turn(angle, (a.spin - b.spin).norm(), time_constant);
        Relative { second_from_first: *second_from_first, body_from_principal: self.frames, turned_by: None, farthest }
    }

    /// The whole turn to an exponential map, whose numbers turn R_rel by their left Jacobian.
    fn write_orientation(&self, sketch: &mut Sketch, parts: &mut Parts, rotation: &Given<Vec3>, joint: &Joint) {
        let tau = sketch.some_number(What::TimeConstant.number(self.owner, 0, joint.time_constant));
        let to = rotation.constant().unwrap_or_default();
        let turned_by = Some((self.three(What::Rotation, &to), rotation::dexp(to)));
        let relative = self.relative(&rotation::exp(to), joint.time_constant);
        rows::turned(sketch, parts, &Relative { turned_by, ..relative }, Some(tau));
    }

    fn write_force(&self, sketch: &mut Sketch, parts: &mut Parts, force: &Force) {
        let number = |sketch: &mut Sketch, what: What, given: &Given<f64>| sketch.course(&self.course(what, given))[0];
        match &force.kind {
            ForceKind::Spring { point, second, stiffness, damping, length } => {
                let arms = self.arms(sketch, self.owner, point, second);
                let laws = [number(sketch, What::Stiffness, stiffness), number(sketch, What::Damping, damping)];
                let length = match length {
                    RestLength::Zero => None,
                    RestLength::AtStart => Some(sketch.some_number(self.start_length(point, second))),
                    RestLength::Given(length) => number(sketch, What::Length, length),
                };
                forces::spring(sketch, parts, &arms, laws, length);
            }
            ForceKind::TorsionSpring { stiffness, damping, rotation } => {
                let laws = [number(sketch, What::Stiffness, stiffness), number(sketch, What::Damping, damping)];
                let relative = match rotation {
                    None => self.relative_to_start(f64::INFINITY),
                    Some(rotation) => {
                        let to = rotation.constant().unwrap_or_default();
                        let turned_by = Some((self.three(What::Rotation, &to), rotation::dexp(to)));
                        Relative { turned_by, ..self.relative(&rotation::exp(to), f64::INFINITY) }
                    }
                };
                let relative = Relative { farthest: std::f64::consts::PI, ..relative };
                forces::torsion_spring(sketch, parts, &relative, laws);
            }
            ForceKind::Drag { linear, quadratic, angular, wind } => {
                let laws = [(What::Linear, linear), (What::Quadratic, quadratic), (What::Angular, angular)]
                    .map(|(what, given)| number(sketch, what, given));
                let [wind, _] = sketch.courses(&self.courses(What::Wind, wind));
                forces::drag(sketch, parts, laws, wind);
            }
            ForceKind::Push { point, force, torque, frame } => {
                let of_body = *frame == Frame::Body;
                let point = self.own_point(sketch, point);
                let turn = self.frames[0].inverse().to_rotation_matrix().into_inner();
                let vectors = [(What::Force, force), (What::Torque, torque)].map(|(what, given)| {
                    let [value, _] = sketch.courses(&self.courses(what, given));
                    if of_body { sketch.turned(&turn, value) } else { value }
                });
                forces::push(sketch, parts, point, vectors, of_body);
            }
            ForceKind::Motor { joint, drive } => self.write_motor(sketch, parts, *joint, drive),
        }
    }

    /// The length of a spring at the start.
    fn start_length(&self, point: &Vec3, second: &Given<Vec3>) -> Number {
        let (a, b) = (self.initial(0), self.initial(1));
        let other = match second {
            Given::Constant(value) => *value,
            Given::Track(track) => self.plan.tracks[*track].keys[0].value,
        };
        let length = (a.position + a.rotation * point - (b.position + b.rotation * other)).norm();
        What::StartLength.number(self.owner, 0, length)
    }

    fn write_motor(&self, sketch: &mut Sketch, parts: &mut Parts, joint: usize, drive: &MotorDrive) {
        let number = |sketch: &mut Sketch, what: What, given: &Given<f64>| sketch.course(&self.course(what, given))[0];
        let law = match drive {
            MotorDrive::Torque(torque) => Drive::Given(number(sketch, What::Torque, torque)),
            MotorDrive::Speed { speed, gain, .. } => {
                Drive::Governed { gain: number(sketch, What::Gain, gain), speed: number(sketch, What::Speed, speed) }
            }
            MotorDrive::Angle(track) => {
                let course = self.track_course(*track, 0);
                let [value, rate] = sketch.course(&course);
                let tau = sketch.some_number(MOTOR_TIME_CONSTANT.into());
                return self.write_followed(sketch, parts, joint, [value, rate], tau);
            }
        };
        match &self.plan.joints[joint].kind {
            JointKind::Slider { point, second, axis, .. } => {
                let arms = self.arms(sketch, Owner::Joint(joint), point, second);
                forces::pusher(sketch, parts, &arms, &self.principal(0, axis), law);
            }
            JointKind::Hinge { axis, .. } => forces::motor(sketch, parts, &self.principal(0, axis), law),
            _ => {}
        }
    }

    /// A row that keeps a slider's travel on a course. A hinge's angle is not kept by a row yet: it is refused at the door.
    fn write_followed(
        &self,
        sketch: &mut Sketch,
        parts: &mut Parts,
        joint: usize,
        course: [Term; 2],
        tau: super::graph::Node,
    ) {
        if let JointKind::Slider { point, second, second_axis, .. } = &self.plan.joints[joint].kind {
            let arms = self.arms(sketch, Owner::Joint(joint), point, second);
            let start = What::StartLength.number(self.owner, 0, self.start_travel(point, second, second_axis));
            rows::along(sketch, parts, &arms, &self.principal(1, second_axis), start, course, tau);
        }
    }

    /// Where a slider stands on its axis at the start.
    fn start_travel(&self, point: &Vec3, second: &Given<Vec3>, second_axis: &Vec3) -> f64 {
        let (a, b) = (self.initial(0), self.initial(1));
        let other = second.constant().unwrap_or_default();
        let separation = a.position + a.rotation * point - (b.position + b.rotation * other);
        (b.rotation * second_axis).dot(&separation)
    }
}

/// Names of numbers while they are gathered.
struct Ids<'a, 'b> {
    site: &'b Site<'a>,
    ids: Vec<NumberId>,
}

impl Ids<'_, '_> {
    fn one(&mut self, what: What) {
        self.ids.push(what.of(self.site.owner, 0));
    }

    fn three(&mut self, what: What) {
        self.ids.extend((0..3).map(|k| what.of(self.site.owner, k)));
    }

    fn given(&mut self, what: What, given: &Given<f64>) {
        match given {
            Given::Constant(_) => self.one(what),
            Given::Track(track) => self.track(*track, 1),
        }
    }

    fn given_three(&mut self, what: What, given: &Given<Vec3>) {
        match given {
            Given::Constant(_) => self.three(what),
            Given::Track(track) => self.track(*track, 3),
        }
    }

    fn points(&mut self, second: &Given<Vec3>) {
        self.three(What::Point);
        self.given_three(What::Second, second);
    }

    /// The numbers of the keys that a course uses.
    fn track(&mut self, track: usize, members: usize) {
        self.one(What::Clock);
        for member in 0..members {
            self.ids.extend(self.site.track_course(track, member).numbers().filter_map(|number| number.id));
        }
    }
}
