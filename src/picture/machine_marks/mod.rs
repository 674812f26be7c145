//! Joints and forces as simple marks in the world, so that a machine is understood at a glance.
//!
//! | | mark |
//! |---|---|
//! | pin, point to point | a ring where the points are, a line between them while they are apart |
//! | hinge | an axle between two discs |
//! | slider | a rail along its travel, a carriage on it |
//! | weld | a line from body to body, with a collar |
//! | distance, rope | a line from point to point |
//! | path | the path itself, a ring at the point |
//! | line, plane | as far as the point goes on it; a tile under the point |
//! | orientation | an arrow along the axis |
//! | spring, torsion spring | a coil, a spiral |
//! | push, motor | an arrow, straight or about the axis |
//! | place of the world | a dot; a ring where it follows a track |
//!
//! A joint of which there is something to tell (`simulation::Trouble`), or a spring, has another colour from then on, as long as all
//! hold that have to do with it.
//!
//! Nothing is drawn of a joint that does not hold, of balls that slide on each other, and of drag. Everything here is lines and
//! points in metres: what draws them chooses how wide.

pub(crate) mod lines;
#[cfg(test)]
mod tests;

use super::colour::{Colour, Theme, linear};
use crate::dynamics::joined::Owner;
use crate::geometry::Pose;
use crate::math::{Mat3, Vec3};
use crate::model::BodyId;
use crate::scene::{Force, ForceKind, Frame, Given, Joint, JointKind, JointPath, MotorDrive, RestLength, Track};
use crate::simulation::Trajectory;
use lines::{arrow, circle, coil, curved_arrow, path_line, spiral, square};

/// Instants at which the travel along lines is measured.
const INSTANTS: u32 = 48;
/// How far a rail goes on beyond the travel, in sizes of a mark.
const BEYOND: f64 = 2.5;
/// The pitch of a coil at rest, in sizes of a mark, and its turns at least and at most.
const PITCH: f64 = 1.8;
const TURNS: [f64; 2] = [6.0, 24.0];
/// Points nearer to each other than this part of a mark's size are in one place.
const TOGETHER: f64 = 0.05;
/// Places that tell how large a machine is, about, and those of one line.
const PLACES: usize = 12_000;
const LINE_PLACES: usize = 16;

/// What a mark belongs to, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Joints.
    Steel,
    /// Springs.
    Coil,
    /// What pushes and drives.
    Drive,
    /// Places of the world.
    Anchor,
    /// Joints and springs of which there is something to tell.
    Trouble,
}

impl Tone {
    /// What it is called in files.
    pub fn word(self) -> &'static str {
        match self {
            Tone::Steel => "joints",
            Tone::Coil => "springs",
            Tone::Drive => "drives",
            Tone::Anchor => "anchors",
            Tone::Trouble => "troubled",
        }
    }

    /// In light, linear.
    pub fn colour(self, theme: Theme) -> Colour {
        let scheme = theme.scheme();
        linear(match self {
            Tone::Steel => scheme.steel,
            Tone::Coil => scheme.coil,
            Tone::Drive => scheme.drive,
            Tone::Anchor => scheme.mark,
            Tone::Trouble => scheme.trouble,
        })
    }
}

/// One line or point.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it belongs to.
    pub tone: Tone,
    /// What it is.
    pub form: Form,
}

/// What a mark is.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A line through points of the world; 1 is the usual width.
    #[allow(missing_docs, reason = "the names say it")]
    Line { points: Vec<Vec3>, width: f32 },
    /// A full point that faces the viewer.
    Dot(Vec3),
    /// An open one.
    Ring(Vec3),
}

impl Form {
    /// The places it goes through.
    pub fn points(&self) -> &[Vec3] {
        match self {
            Form::Line { points, .. } => points,
            Form::Dot(point) | Form::Ring(point) => std::slice::from_ref(point),
        }
    }
}

/// The marks of a motion.
pub struct MachineMarks<'a> {
    trajectory: &'a Trajectory,
    /// Of a mark, m.
    size: f64,
    /// Of each joint: from where to where it goes on its line.
    travels: Vec<[f64; 2]>,
}

/// A line on which a point goes.
struct Rail {
    origin: Vec3,
    direction: Vec3,
}

/// The marks of one instant.
struct Sketch<'a> {
    trajectory: &'a Trajectory,
    t: f64,
    size: f64,
    marks: Vec<Mark>,
}

impl<'a> MachineMarks<'a> {
    /// Of a motion, `size` m large: about a thirtieth of what is seen.
    pub fn new(trajectory: &'a Trajectory, size: f64) -> MachineMarks<'a> {
        let joints = &trajectory.world().machine.joints;
        let travels = joints.iter().map(|joint| travel(trajectory, joint, size)).collect();
        MachineMarks { trajectory, size, travels }
    }

    /// Everything that holds, pulls or pushes at a time.
    pub fn at(&self, t: f64) -> Vec<Mark> {
        let machine = &self.trajectory.world().machine;
        let mut sketch = Sketch { trajectory: self.trajectory, t, size: self.size, marks: Vec::new() };
        let troubled = self.troubled(t);
        for (place, (joint, travel)) in machine.joints.iter().zip(&self.travels).enumerate() {
            if joint.is_active(t) {
                let first = sketch.marks.len();
                sketch.joint(joint, travel);
                sketch.warn(first, troubled.contains(&Owner::Joint(place)));
            }
        }
        for (place, force) in machine.forces.iter().enumerate() {
            let first = sketch.marks.len();
            sketch.force(force);
            sketch.warn(first, troubled.contains(&Owner::Force(place)));
        }
        sketch.marks
    }

    /// Joints and springs of which there is something to tell at a time.
    fn troubled(&self, t: f64) -> Vec<Owner> {
        let joints = &self.trajectory.world().machine.joints;
        let holds = |part: &Owner| !matches!(part, Owner::Joint(joint) if !joints[*joint].is_active(t));
        let troubles = self.trajectory.troubles().iter();
        let here = troubles.filter(|trouble| trouble.t <= t && trouble.parts.iter().all(holds));
        here.flat_map(|trouble| trouble.parts.iter().copied()).collect()
    }

    /// Places it goes through in the course of time: few, but enough to have all of it in a picture.
    pub fn places(&self) -> Vec<Vec3> {
        let machine = &self.trajectory.world().machine;
        let count = machine.joints.len() + machine.forces.len();
        if count == 0 {
            return Vec::new();
        }
        let instants = (PLACES / (count * LINE_PLACES)).clamp(1, INSTANTS as usize);
        let times = (0..=instants).map(|k| self.trajectory.t_end * k as f64 / instants as f64);
        let some = |mark: Mark| {
            let points = mark.form.points();
            let stride = points.len().div_ceil(LINE_PLACES);
            points.iter().step_by(stride).chain(points.last()).copied().collect::<Vec<Vec3>>()
        };
        times.flat_map(|t| self.at(t)).flat_map(some).collect()
    }
}

fn pose(trajectory: &Trajectory, body: Option<usize>, t: f64) -> Pose {
    match body {
        Some(index) => trajectory.body_at(BodyId(index as u32), t).pose(),
        None => Pose { position: Vec3::zeros(), turn: Mat3::identity() },
    }
}

pub(crate) fn vector(tracks: &[Track], given: &Given<Vec3>, t: f64) -> Vec3 {
    match given {
        Given::Constant(value) => *value,
        Given::Track(track) => tracks[*track].value_at(t),
    }
}

fn number(tracks: &[Track], given: &Given<f64>, t: f64) -> f64 {
    match given {
        Given::Constant(value) => *value,
        Given::Track(track) => tracks[*track].value_at(t).x,
    }
}

/// The line of a joint at a time, if it has one, and the point that goes on it.
fn rail(trajectory: &Trajectory, joint: &Joint, t: f64) -> Option<(Rail, Vec3)> {
    let [first, second] = [Some(joint.first), joint.second].map(|body| pose(trajectory, body, t));
    let tracks = &trajectory.world().machine.tracks;
    let (point, origin, direction) = match &joint.kind {
        JointKind::OnPath { point, path: JointPath::Line { point: origin, direction } }
        | JointKind::FollowPath { point, path: JointPath::Line { point: origin, direction }, .. }
        | JointKind::PointOnLine { point, origin, direction } => (point, *origin, direction),
        JointKind::Slider { point, second, second_axis, .. } => (point, vector(tracks, second, t), second_axis),
        _ => return None,
    };
    Some((Rail { origin: second.point(&origin), direction: second.turn * direction }, first.point(point)))
}

/// From where to where a joint's point goes along its line, and a little beyond; not in order where it has none.
pub(crate) fn travel(trajectory: &Trajectory, joint: &Joint, size: f64) -> [f64; 2] {
    let times = (0..=INSTANTS).map(|k| trajectory.t_end * f64::from(k) / f64::from(INSTANTS));
    let lines = times.filter(|t| joint.is_active(*t)).filter_map(|t| rail(trajectory, joint, t));
    let places = lines.map(|(rail, point)| rail.direction.dot(&(point - rail.origin)));
    let [low, high] = places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], s| [low.min(s), high.max(s)]);
    [low - BEYOND * size, high + BEYOND * size]
}

/// Turns with which a coil of a length looks well.
pub(crate) fn coil_turns(rest: f64, size: f64) -> u32 {
    (rest / (PITCH * size)).round().clamp(TURNS[0], TURNS[1]) as u32
}

impl Sketch<'_> {
    /// Colours what was drawn since, where there is something to tell of it.
    fn warn(&mut self, first: usize, is_troubled: bool) {
        let own = self.marks[first..].iter_mut().filter(|mark| is_troubled && mark.tone != Tone::Anchor);
        own.for_each(|mark| mark.tone = Tone::Trouble);
    }

    fn joint(&mut self, joint: &Joint, travel: &[f64; 2]) {
        let sides @ [first, second] = [Some(joint.first), joint.second].map(|body| pose(self.trajectory, body, self.t));
        let size = self.size;
        self.rail(joint, travel);
        match &joint.kind {
            JointKind::Pin { point, to } => self.meeting(joint, &sides, point, to),
            JointKind::PointToPoint { point, second } => self.meeting(joint, &sides, point, &Given::Constant(*second)),
            JointKind::Distance { point, second, .. } | JointKind::Rope { point, second, .. } => {
                let [p, q] = self.ends(joint, &sides, point, second);
                self.line(Tone::Steel, vec![p, q], 0.8);
                self.form(Tone::Steel, Form::Dot(p));
                self.held(joint, second, q);
            }
            JointKind::OnPath { point, path } | JointKind::FollowPath { point, path, .. } => {
                let line = path_line(path);
                if !line.is_empty() {
                    self.line(Tone::Steel, line, 0.8);
                }
                let p = self.arm(joint.first, &first, point);
                self.form(Tone::Steel, Form::Ring(p));
            }
            JointKind::PointOnLine { point, .. } => {
                let p = self.arm(joint.first, &first, point);
                self.form(Tone::Steel, Form::Ring(p));
            }
            JointKind::PointOnPlane { point, origin, normal } => {
                let p = self.arm(joint.first, &first, point);
                let normal = second.turn * normal;
                let foot = p - normal * normal.dot(&(p - second.point(origin)));
                self.line(Tone::Steel, square(&foot, &normal, 4.0 * size), 0.8);
                self.line(Tone::Steel, vec![foot, p], 0.8);
                self.form(Tone::Steel, Form::Ring(p));
            }
            JointKind::SphereToSphere => {}
            JointKind::Orientation { axis, .. } => {
                self.line(Tone::Steel, arrow(&first.position, &(first.turn * axis * (6.0 * size)), size), 0.8);
            }
            JointKind::FullOrientation { .. } => {
                for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                    self.line(Tone::Steel, arrow(&first.position, &(first.turn * axis * (5.0 * size)), size), 0.8);
                }
            }
            JointKind::Hinge { point, second, axis, .. } => {
                let [p, q] = self.ends(joint, &sides, point, second);
                let axis = first.turn * axis;
                self.line(Tone::Steel, vec![p - axis * (1.3 * size), p + axis * (1.3 * size)], 1.6);
                for end in [-size, size] {
                    self.line(Tone::Steel, circle(&(p + axis * end), &axis, 0.75 * size), 1.0);
                }
                self.gap(&p, &q);
                self.held(joint, second, q);
            }
            JointKind::Slider { point, second_axis, .. } => {
                let p = self.arm(joint.first, &first, point);
                let axis = second.turn * second_axis;
                for end in [-size, size] {
                    self.line(Tone::Steel, square(&(p + axis * end), &axis, 0.7 * size), 1.2);
                }
                self.line(Tone::Steel, vec![p - axis * size, p + axis * size], 2.4);
            }
            JointKind::Weld => {
                let middle = joint.second.map_or(first.position, |_| (first.position + second.position) / 2.0);
                let between = joint.second.and_then(|_| (second.position - first.position).try_normalize(1e-9));
                self.line(Tone::Steel, square(&middle, &between.unwrap_or(Vec3::z()), size), 1.4);
                match joint.second {
                    Some(_) => self.line(Tone::Steel, vec![first.position, second.position], 0.6),
                    None => self.form(Tone::Anchor, Form::Dot(middle)),
                }
            }
        }
    }

    fn force(&mut self, force: &Force) {
        let sides @ [first, _] = [Some(force.first), force.second].map(|body| pose(self.trajectory, body, self.t));
        match &force.kind {
            ForceKind::Spring { point, second, length, .. } => {
                let (p, q) = (self.arm(force.first, &first, point), self.second(&sides, second));
                let turns = self.turns(force, point, second, length);
                self.line(Tone::Coil, coil(&p, &q, self.size, turns), 1.0);
                self.form(Tone::Coil, Form::Dot(p));
                match force.second {
                    Some(_) => self.form(Tone::Coil, Form::Dot(q)),
                    None => self.anchor(second, q),
                }
            }
            ForceKind::TorsionSpring { .. } => {
                let (center, axis) = self.axis_between(force, &sides);
                let radii = [0.5 * self.size, 1.8 * self.size];
                self.line(Tone::Coil, spiral(&center, &axis, radii, 2.5), 1.0);
            }
            ForceKind::Drag { .. } => {}
            ForceKind::Push { point, force: push, torque, frame } => {
                let p = self.arm(force.first, &first, point);
                let turn = if *frame == Frame::Body { first.turn } else { Mat3::identity() };
                let [push, torque] = [push, torque].map(|given| turn * vector(self.tracks(), given, self.t));
                if let Some(direction) = push.try_normalize(0.0) {
                    self.line(Tone::Drive, arrow(&p, &(direction * (5.0 * self.size)), 1.2 * self.size), 1.4);
                }
                if let Some(axis) = torque.try_normalize(0.0) {
                    self.line(Tone::Drive, curved_arrow(&p, &axis, 2.4 * self.size, self.size), 1.4);
                }
            }
            ForceKind::Motor { joint, drive } => self.motor(*joint, drive),
        }
    }

    /// A motor turns, or pushes, the first body against the second.
    fn motor(&mut self, joint: usize, drive: &MotorDrive) {
        let trajectory = self.trajectory;
        let Some(joint) = trajectory.world().machine.joints.get(joint) else { return };
        let tracks = self.tracks();
        let sense = match drive {
            MotorDrive::Torque(given) | MotorDrive::Speed { speed: given, .. } => number(tracks, given, self.t),
            MotorDrive::Angle(track) => {
                let next = tracks[*track].keys.iter().find(|key| key.t > self.t);
                next.map_or(0.0, |key| key.value.x - tracks[*track].value_at(self.t).x)
            }
        };
        let sign = if sense < 0.0 { -1.0 } else { 1.0 };
        let first = pose(trajectory, Some(joint.first), self.t);
        match &joint.kind {
            JointKind::Hinge { point, axis, .. } => {
                let axis = first.turn * axis * sign;
                let points = curved_arrow(&first.point(point), &axis, 2.2 * self.size, self.size);
                self.line(Tone::Drive, points, 1.4);
            }
            JointKind::Slider { point, axis, .. } => {
                let axis = first.turn * axis * sign;
                let from = first.point(point) + axis * (1.5 * self.size);
                self.line(Tone::Drive, arrow(&from, &(axis * (3.5 * self.size)), self.size), 1.4);
            }
            _ => {}
        }
    }

    fn tracks(&self) -> &[Track] {
        &self.trajectory.world().machine.tracks
    }

    fn form(&mut self, tone: Tone, form: Form) {
        if form.points().iter().all(|point| point.iter().all(|entry| entry.is_finite())) {
            self.marks.push(Mark { tone, form });
        }
    }

    fn line(&mut self, tone: Tone, points: Vec<Vec3>, width: f32) {
        self.form(tone, Form::Line { points, width });
    }

    /// A point of a body, on an arm where it lies outside of it.
    fn arm(&mut self, body: usize, pose: &Pose, point: &Vec3) -> Vec3 {
        let place = pose.point(point);
        let reach = self.trajectory.world().bodies[body].solid.reach();
        if point.norm() > reach + TOGETHER * self.size {
            self.line(Tone::Steel, vec![pose.position, place], 1.4);
        }
        place
    }

    /// Q, where the second side is a body or the world.
    fn second(&self, [_, second]: &[Pose; 2], given: &Given<Vec3>) -> Vec3 {
        second.point(&vector(self.tracks(), given, self.t))
    }

    /// P and Q, with the arms to them.
    fn ends(&mut self, joint: &Joint, sides: &[Pose; 2], point: &Vec3, second: &Given<Vec3>) -> [Vec3; 2] {
        let p = self.arm(joint.first, &sides[0], point);
        if let (Some(body), Given::Constant(point)) = (joint.second, second) {
            self.arm(body, &sides[1], point);
        }
        [p, self.second(sides, second)]
    }

    fn meeting(&mut self, joint: &Joint, sides: &[Pose; 2], point: &Vec3, second: &Given<Vec3>) {
        let [p, q] = self.ends(joint, sides, point, second);
        self.form(Tone::Steel, Form::Ring(p));
        self.gap(&p, &q);
        self.held(joint, second, q);
    }

    /// A line between points that are to come together, and have not.
    fn gap(&mut self, p: &Vec3, q: &Vec3) {
        if (p - q).norm() > TOGETHER * self.size {
            self.line(Tone::Steel, vec![*p, *q], 0.6);
        }
    }

    /// The end of a joint at its second side.
    fn held(&mut self, joint: &Joint, given: &Given<Vec3>, q: Vec3) {
        match joint.second {
            Some(_) => self.form(Tone::Steel, Form::Dot(q)),
            None => self.anchor(given, q),
        }
    }

    fn anchor(&mut self, given: &Given<Vec3>, place: Vec3) {
        self.form(Tone::Anchor, if given.track().is_some() { Form::Ring(place) } else { Form::Dot(place) });
    }

    fn rail(&mut self, joint: &Joint, [low, high]: &[f64; 2]) {
        if let Some((rail, _)) = rail(self.trajectory, joint, self.t) {
            self.line(Tone::Steel, [low, high].map(|s| rail.origin + rail.direction * *s).to_vec(), 0.8);
        }
    }

    /// So many that the coil looks well where it does not pull; the same at all times.
    fn turns(&self, force: &Force, point: &Vec3, second: &Given<Vec3>, length: &RestLength) -> u32 {
        let rest = match length {
            RestLength::Given(given) => number(self.tracks(), given, 0.0),
            RestLength::Zero => 0.0,
            RestLength::AtStart => {
                let [first, other] = [Some(force.first), force.second].map(|body| pose(self.trajectory, body, 0.0));
                (first.point(point) - other.point(&vector(self.tracks(), second, 0.0))).norm()
            }
        };
        coil_turns(rest, self.size)
    }

    /// Where a torsion spring sits: in a hinge of its bodies, or between them.
    fn axis_between(&self, force: &Force, [first, second]: &[Pose; 2]) -> (Vec3, Vec3) {
        let joints = &self.trajectory.world().machine.joints;
        let hinge = joints.iter().find_map(|joint| match &joint.kind {
            JointKind::Hinge { point, axis, .. } => {
                let pair = [Some(joint.first), joint.second];
                let place = if pair == [Some(force.first), force.second] {
                    first
                } else if pair == [force.second, Some(force.first)] {
                    second
                } else {
                    return None;
                };
                Some((place.point(point), place.turn * axis))
            }
            _ => None,
        });
        let middle = force.second.map_or(first.position, |_| (first.position + second.position) / 2.0);
        hinge.unwrap_or((middle, first.turn * Vec3::z()))
    }
}

/// How strong the marks of an instant are.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    pub opacity: f32,
    pub width: f32,
}

impl Weight {
    /// Of the instant that is shown.
    pub const FULL: Weight = Weight { opacity: 1.0, width: 1.0 };
    /// Of the start beside the end.
    pub const START: Weight = Weight { opacity: 0.4, width: 0.6 };
}
