//! Which parts the mark of each joint and force has.
//!
//! | | parts |
//! |---|---|
//! | pin, point to point | a ball that looks out of a thin body; a band while the points are apart |
//! | hinge | an axle that looks out of its bodies, with two discs |
//! | slider, line | a rail along the travel; a sleeve, or a ball, on it |
//! | path | a tube along it; a ball on it |
//! | plane | a frame around where the point goes, a ball |
//! | distance, rope | a rod between the points |
//! | orientation | arrows along the axes |
//! | weld | a collar and a rod between the bodies |
//! | spring, torsion spring | a coil, a spiral |
//! | push, motor | arrows, straight or round |
//! | place of the world | a ball, which goes with its track |
//!
//! Balls that slide on each other and drag have none.

use super::solid::{arrow, ball, bent_arrow, frustum, join, tube};
use super::{Carrier, End, Part, Rig};
use crate::dynamics::BodyState;
use crate::export::Motion;
use crate::export::look::{looks, radius};
use crate::export::marks::reach::reach;
use crate::geometry::Surface;
use crate::math::Vec3;
use crate::model::BodyId;
use crate::picture::Tone;
use crate::picture::machine_marks::lines::{circle, coil, path_line, spiral, square};
use crate::picture::machine_marks::{coil_turns, travel, vector};
use crate::scene::{Force, ForceKind, Frame, Given, Joint, JointKind, JointPath, MotorDrive, RestLength, Track};

/// The size of a mark, as a part of the motion's radius; the same as in pictures.
const SIZE: f64 = 0.03;
/// Instants at which lengths are measured.
const INSTANTS: u32 = 240;
/// Half the thickness of lines, in sizes: what is held by hand, what holds, and what is only shown.
const THICK: f64 = 0.3;
/// See [`THICK`].
const LINE: f64 = 0.16;
/// See [`THICK`].
const THIN: f64 = 0.08;
/// Half the thickness of a coil's wire, in sizes.
const WIRE: f64 = 0.2;
/// Radii of balls, in sizes.
const BALL: f64 = 0.5;
/// Points nearer to each other than this part of a size are in one place.
const TOGETHER: f64 = 0.05;

/// All parts of a motion's machine.
pub fn parts(motion: &Motion) -> Vec<Part> {
    let machine = &motion.trajectory.world().machine;
    if machine.joints.is_empty() && machine.forces.is_empty() {
        return Vec::new();
    }
    let surfaces = looks(motion).into_iter().map(|look| look.surface).collect();
    let mut builder =
        Builder { motion, size: SIZE * radius(motion), surfaces, of: Owner::default(), parts: Vec::new() };
    for joint in &machine.joints {
        builder.of = Owner { name: joint.name.clone(), kind: joint.kind.word(), active: joint.active.clone() };
        builder.joint(joint);
    }
    for force in &machine.forces {
        builder.of = Owner { name: force.name.clone(), kind: force.kind.word(), active: Vec::new() };
        builder.force(force);
    }
    builder.parts
}

/// What parts belong to.
#[derive(Default)]
struct Owner {
    name: String,
    kind: &'static str,
    active: Vec<[f64; 2]>,
}

struct Builder<'a> {
    motion: &'a Motion<'a>,
    /// Of a mark, m.
    size: f64,
    /// Of bodies, in their frames.
    surfaces: Vec<Surface>,
    of: Owner,
    parts: Vec<Part>,
}

impl Builder<'_> {
    fn push(&mut self, what: &str, tone: Tone, surface: Surface, carrier: Carrier) {
        if surface.triangles.is_empty() {
            return;
        }
        let Owner { name, kind, active } = &self.of;
        let part = Part {
            name: format!("{name}, {what}"),
            of: name.clone(),
            kind,
            tone,
            surface,
            carrier,
            active: active.clone(),
        };
        self.parts.push(part);
    }

    fn joint(&mut self, joint: &Joint) {
        let (first, size) = (joint.first, self.size);
        match &joint.kind {
            JointKind::Pin { point, to } => self.meeting(joint, point, to),
            JointKind::PointToPoint { point, second } => self.meeting(joint, point, &Given::Constant(*second)),
            JointKind::Distance { point, second, .. } | JointKind::Rope { point, second, .. } => {
                self.arm(first, point);
                self.second_arm(joint.second, second);
                let thickness = if matches!(joint.kind, JointKind::Rope { .. }) { THIN } else { LINE };
                let whole = [End::Point(first, *point), end(joint.second, second)];
                self.span("rod", Tone::Steel, whole, |length| rod(length, thickness * size));
                self.held(joint.second, second);
            }
            JointKind::OnPath { point, path } | JointKind::FollowPath { point, path, .. } => {
                match path {
                    JointPath::Line { .. } => self.rail(joint),
                    path => {
                        let line = path_line(path);
                        let middle = line.iter().sum::<Vec3>() / line.len().max(1) as f64;
                        let line: Vec<Vec3> = line.iter().map(|place| place - middle).collect();
                        self.push("path", Tone::Steel, tube(&line, LINE * size), Carrier::World(middle));
                    }
                }
                self.arm(first, point);
                self.ball("bead", Tone::Steel, first, point);
            }
            JointKind::PointOnLine { point, .. } => {
                self.rail(joint);
                self.arm(first, point);
                self.ball("bead", Tone::Steel, first, point);
            }
            JointKind::PointOnPlane { point, origin, normal } => {
                self.plane(joint, point, origin, normal);
                self.arm(first, point);
                self.ball("foot", Tone::Steel, first, point);
            }
            JointKind::SphereToSphere => {}
            JointKind::Orientation { axis, .. } => self.axis_arrow("axis", first, axis),
            JointKind::FullOrientation { .. } => {
                for (what, axis) in [("x axis", Vec3::x()), ("y axis", Vec3::y()), ("z axis", Vec3::z())] {
                    self.axis_arrow(what, first, &axis);
                }
            }
            JointKind::Hinge { point, second, axis, second_axis, .. } => {
                self.arm(first, point);
                self.second_arm(joint.second, second);
                self.axle(joint, [point, axis], [second, &Given::Constant(*second_axis)]);
                self.gap(joint, point, second);
                if joint.second.is_none() {
                    self.held(None, second);
                }
            }
            JointKind::Slider { point, axis, .. } => {
                self.rail(joint);
                self.arm(first, point);
                let half = axis * (1.2 * size);
                let sleeve = frustum(&-half, &half, [0.6 * size; 2]);
                self.push("sleeve", Tone::Steel, sleeve, Carrier::Body(first, *point));
            }
            JointKind::Weld => self.weld(joint),
        }
    }

    fn force(&mut self, force: &Force) {
        let (first, size) = (force.first, self.size);
        match &force.kind {
            ForceKind::Spring { point, second, length, .. } => {
                self.arm(first, point);
                let ends = [End::Point(first, *point), end(force.second, second)];
                let turns = coil_turns(self.rest(&ends, length), size);
                let wire = |length: f64| tube(&coil(&Vec3::zeros(), &(Vec3::z() * length), size, turns), WIRE * size);
                self.span("coil", Tone::Coil, ends, wire);
                self.held(force.second, second);
            }
            ForceKind::TorsionSpring { .. } => self.torsion_spring(force),
            ForceKind::Drag { .. } => {}
            ForceKind::Push { point, force: push, torque, frame } => {
                self.arm(first, point);
                self.push_arrow([first, usize::from(*frame == Frame::Body)], point, push);
                let axis = strongest(self.tracks(), torque);
                if let Some(axis) = axis.try_normalize(0.0) {
                    let carrier = self.turning(first, point, *frame);
                    self.push("torque", Tone::Drive, round_arrow(&axis, size), carrier);
                }
            }
            ForceKind::Motor { joint, drive } => self.motor(*joint, drive),
        }
    }

    fn tracks(&self) -> &[Track] {
        &self.motion.trajectory.world().machine.tracks
    }

    fn start(&self, body: usize) -> BodyState {
        self.motion.paths[body].after(0.0)
    }

    fn meeting(&mut self, joint: &Joint, point: &Vec3, second: &Given<Vec3>) {
        self.arm(joint.first, point);
        self.second_arm(joint.second, second);
        self.ball("pin", Tone::Steel, joint.first, point);
        self.gap(joint, point, second);
        self.held(joint.second, second);
    }

    /// A ball at a point of a body. Near the skin of a body it is as large as it takes to look out of it.
    fn ball(&mut self, what: &str, tone: Tone, body: usize, point: &Vec3) {
        let directions = [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().flat_map(|axis| [axis, -axis]);
        let skin = directions.filter_map(|direction| reach(&self.surfaces[body], point, &direction));
        let skin = skin.min_by(f64::total_cmp).filter(|skin| *skin < 1.5 * self.size && point.norm() > 2.0 * skin);
        let radius = skin.map_or(0.0, |skin| 1.15 * skin).max(BALL * self.size);
        self.push(what, tone, ball(&Vec3::zeros(), radius), Carrier::Body(body, *point));
    }

    /// From the centre of a body to a point that lies outside of it.
    fn arm(&mut self, body: usize, point: &Vec3) {
        let reach = self.motion.trajectory.world().bodies[body].solid.reach();
        if point.norm() > reach + TOGETHER * self.size {
            let name = self.motion.name(BodyId(body as u32)).to_owned();
            let surface = frustum(&Vec3::zeros(), point, [LINE * self.size; 2]);
            self.push(&format!("arm of {name}"), Tone::Steel, surface, Carrier::Body(body, Vec3::zeros()));
        }
    }

    fn second_arm(&mut self, body: Option<usize>, point: &Given<Vec3>) {
        if let (Some(body), Given::Constant(point)) = (body, point) {
            self.arm(body, point);
        }
    }

    /// The end at the second side.
    fn held(&mut self, body: Option<usize>, given: &Given<Vec3>) {
        let radius = 1.2 * BALL * self.size;
        match (body, given) {
            (Some(body), Given::Constant(point)) => self.ball("end", Tone::Steel, body, point),
            (_, Given::Constant(place)) => {
                self.push("anchor", Tone::Anchor, ball(&Vec3::zeros(), radius), Carrier::World(*place));
            }
            (_, Given::Track(track)) => {
                let rig = Rig { from: End::Track(*track), to: None, length: 0.0 };
                self.push("hand", Tone::Anchor, ball(&Vec3::zeros(), radius), Carrier::Rig(rig));
            }
        }
    }

    /// What reaches from point to point, made for its greatest length.
    fn span(&mut self, what: &str, tone: Tone, [from, to]: [End; 2], made: impl Fn(f64) -> Surface) {
        let length = self.lengths(&[from, to]).fold(0.0, f64::max);
        if length > 0.0 {
            self.push(what, tone, made(length), Carrier::Rig(Rig { from, to: Some(to), length }));
        }
    }

    fn lengths<'a>(&'a self, [from, to]: &'a [End; 2]) -> impl Iterator<Item = f64> + 'a {
        self.times().map(|t| (to.at(self.motion, t) - from.at(self.motion, t)).norm())
    }

    fn times(&self) -> impl Iterator<Item = f64> + use<> {
        let t_end = self.motion.trajectory.t_end;
        (0..=INSTANTS).map(move |k| t_end * f64::from(k) / f64::from(INSTANTS))
    }

    /// A band between points that are to come together, and have not.
    fn gap(&mut self, joint: &Joint, point: &Vec3, second: &Given<Vec3>) {
        let ends = [End::Point(joint.first, *point), end(joint.second, second)];
        let apart = TOGETHER * self.size;
        if self.lengths(&ends).any(|length| length > apart) {
            let size = self.size;
            self.span("band", Tone::Steel, ends, |length| rod(length, THIN * size));
        }
    }

    fn rail(&mut self, joint: &Joint) {
        let [low, high] = travel(self.motion.trajectory, joint, self.size);
        let (origin, direction) = match &joint.kind {
            JointKind::OnPath { path: JointPath::Line { point, direction }, .. }
            | JointKind::FollowPath { path: JointPath::Line { point, direction }, .. }
            | JointKind::PointOnLine { origin: point, direction, .. } => (*point, *direction),
            JointKind::Slider { second, second_axis, .. } => (vector(self.tracks(), second, 0.0), *second_axis),
            _ => return,
        };
        if low < high {
            let surface = frustum(&(direction * low), &(direction * high), [LINE * self.size; 2]);
            let moving = match &joint.kind {
                JointKind::Slider { second: Given::Track(track), .. } => Some(*track),
                _ => None,
            };
            let carrier = match (joint.second, moving) {
                (Some(body), _) => Carrier::Body(body, origin),
                (None, Some(track)) => Carrier::Rig(Rig { from: End::Track(track), to: None, length: 0.0 }),
                (None, None) => Carrier::World(origin),
            };
            self.push("rail", Tone::Steel, surface, carrier);
        }
    }

    /// A frame around where the point goes on its plane.
    fn plane(&mut self, joint: &Joint, point: &Vec3, origin: &Vec3, normal: &Vec3) {
        let own = |t: f64| {
            let place = End::Point(joint.first, *point).at(self.motion, t);
            let place = joint.second.map_or(place, |body| {
                let state = self.motion.paths[body].after(t);
                state.rotation.inverse() * (place - state.position)
            });
            place - normal * normal.dot(&(place - origin))
        };
        let feet: Vec<Vec3> = self.times().map(own).collect();
        let middle = feet.iter().sum::<Vec3>() / feet.len() as f64;
        let half = feet.iter().map(|foot| (foot - middle).norm()).fold(0.0, f64::max) + 3.0 * self.size;
        let edge = tube(&square(&Vec3::zeros(), normal, half), LINE * self.size);
        let carrier = joint.second.map_or(Carrier::World(middle), |body| Carrier::Body(body, middle));
        self.push("plane", Tone::Steel, edge, carrier);
    }

    /// From the centre of a body out of it.
    fn axis_arrow(&mut self, what: &str, body: usize, axis: &Vec3) {
        let skin = reach(&self.surfaces[body], &Vec3::zeros(), axis).unwrap_or_default();
        let length = (skin + 4.0 * self.size).max(6.0 * self.size);
        let surface = arrow(&Vec3::zeros(), &(axis * length), LINE * self.size);
        self.push(what, Tone::Steel, surface, Carrier::Body(body, Vec3::zeros()));
    }

    fn axle(&mut self, joint: &Joint, [point, axis]: [&Vec3; 2], [second, second_axis]: [&Given<Vec3>; 2]) {
        let mut ends =
            [-1.0, 1.0].map(|side| reach(&self.surfaces[joint.first], point, &(axis * side)).unwrap_or_default());
        if let (Some(body), Given::Constant(second), Given::Constant(second_axis)) = (joint.second, second, second_axis)
        {
            for (end, side) in ends.iter_mut().zip([-1.0, 1.0]) {
                *end = end.max(reach(&self.surfaces[body], second, &(second_axis * side)).unwrap_or_default());
            }
        }
        let [low, high] = ends.map(|end| (end + 0.7 * self.size).max(1.3 * self.size));
        let mut surface = frustum(&(-axis * low), &(axis * high), [THICK * self.size; 2]);
        for [from, to] in [[-low, -low + 0.3 * self.size], [high - 0.3 * self.size, high]] {
            join(&mut surface, frustum(&(axis * from), &(axis * to), [0.75 * self.size; 2]));
        }
        self.push("axle", Tone::Steel, surface, Carrier::Body(joint.first, *point));
    }

    /// The relative pose is that of the start: everything goes with the first body.
    fn weld(&mut self, joint: &Joint) {
        let first = self.start(joint.first);
        let other = joint.second.map(|body| first.rotation.inverse() * (self.start(body).position - first.position));
        let Some(other) = other else {
            return self.push(
                "anchor",
                Tone::Anchor,
                ball(&Vec3::zeros(), 1.2 * BALL * self.size),
                Carrier::World(first.position),
            );
        };
        let mut surface = frustum(&Vec3::zeros(), &other, [LINE * self.size; 2]);
        if let Some(along) = other.try_normalize(0.0) {
            let [from, to] = [-0.4, 0.4].map(|part| other * 0.5 + along * (part * self.size));
            join(&mut surface, frustum(&from, &to, [self.size; 2]));
        }
        self.push("collar", Tone::Steel, surface, Carrier::Body(joint.first, Vec3::zeros()));
    }

    /// The length at which a spring does not pull.
    fn rest(&self, [from, to]: &[End; 2], length: &RestLength) -> f64 {
        match length {
            RestLength::Given(Given::Constant(length)) => *length,
            RestLength::Given(Given::Track(track)) => self.tracks()[*track].value_at(0.0).x,
            RestLength::Zero => 0.0,
            RestLength::AtStart => (to.at(self.motion, 0.0) - from.at(self.motion, 0.0)).norm(),
        }
    }

    /// In a hinge of its bodies, or between them.
    fn torsion_spring(&mut self, force: &Force) {
        let hinge = self.motion.trajectory.world().machine.joints.iter().find_map(|joint| match &joint.kind {
            JointKind::Hinge { point, axis, .. } => {
                let pair = [Some(joint.first), joint.second];
                let same = pair == [Some(force.first), force.second] || pair == [force.second, Some(force.first)];
                same.then_some((joint.first, *point, *axis))
            }
            _ => None,
        });
        let (axis, carrier) = match (hinge, force.second) {
            (Some((body, point, axis)), _) => (axis, Carrier::Body(body, point)),
            (None, None) => (Vec3::z(), Carrier::Body(force.first, Vec3::zeros())),
            (None, Some(second)) => {
                let middle = End::Middle([force.first, second]);
                (Vec3::z(), Carrier::Rig(Rig { from: middle, to: None, length: 0.0 }))
            }
        };
        let wire = spiral(&Vec3::zeros(), &axis, [0.5 * self.size, 1.8 * self.size], 2.5);
        self.push("spiral", Tone::Coil, tube(&wire, LINE * self.size), carrier);
    }

    /// A push of one direction goes with the body; one on a track is as long as it is strong.
    fn push_arrow(&mut self, [body, of_body]: [usize; 2], point: &Vec3, push: &Given<Vec3>) {
        let frame = if of_body == 1 { Frame::Body } else { Frame::World };
        let (size, length) = (self.size, 6.0 * self.size);
        match push {
            Given::Constant(push) => {
                if let Some(direction) = push.try_normalize(0.0) {
                    let surface = arrow(&Vec3::zeros(), &(direction * length), THICK * size);
                    let carrier = self.turning(body, point, frame);
                    self.push("arrow", Tone::Drive, surface, carrier);
                }
            }
            Given::Track(track) => {
                let strongest = strongest(self.tracks(), push).norm();
                if strongest > 0.0 {
                    let tip = End::Push { body, point: *point, track: *track, frame, scale: length / strongest };
                    let made = |length: f64| arrow(&Vec3::zeros(), &(Vec3::z() * length), THICK * size);
                    self.span("arrow", Tone::Drive, [End::Point(body, *point), tip], made);
                }
            }
        }
    }

    /// What goes with a point of a body, and turns with it or not.
    fn turning(&self, body: usize, point: &Vec3, frame: Frame) -> Carrier {
        match frame {
            Frame::Body => Carrier::Body(body, *point),
            Frame::World => Carrier::Rig(Rig { from: End::Point(body, *point), to: None, length: 0.0 }),
        }
    }

    /// A motor turns, or pushes, the first body against the second.
    fn motor(&mut self, joint: usize, drive: &MotorDrive) {
        let Some(joint) = self.motion.trajectory.world().machine.joints.get(joint).cloned() else { return };
        let sense = match drive {
            MotorDrive::Torque(given) | MotorDrive::Speed { speed: given, .. } => match given {
                Given::Constant(value) => *value,
                Given::Track(track) => strongest(self.tracks(), &Given::Track(*track)).x,
            },
            MotorDrive::Angle(track) => {
                let keys = &self.tracks()[*track].keys;
                keys.last().zip(keys.first()).map_or(0.0, |(last, first)| last.value.x - first.value.x)
            }
        };
        let sign = if sense < 0.0 { -1.0 } else { 1.0 };
        match &joint.kind {
            JointKind::Hinge { point, axis, .. } => {
                let skin = reach(&self.surfaces[joint.first], point, axis).unwrap_or_default();
                let mut surface = round_arrow(&(axis * sign), self.size);
                let lifted = axis * (skin + 0.5 * self.size);
                surface.positions.iter_mut().for_each(|place| *place = (Vec3::from(*place) + lifted).into());
                self.push("motor", Tone::Drive, surface, Carrier::Body(joint.first, *point));
            }
            JointKind::Slider { point, axis, .. } => {
                let axis = axis * sign;
                let surface = arrow(&(axis * (1.5 * self.size)), &(axis * (5.5 * self.size)), THICK * self.size);
                self.push("motor", Tone::Drive, surface, Carrier::Body(joint.first, *point));
            }
            _ => {}
        }
    }
}

fn end(body: Option<usize>, given: &Given<Vec3>) -> End {
    match (body, given) {
        (Some(body), Given::Constant(point)) => End::Point(body, *point),
        (_, Given::Constant(place)) => End::Place(*place),
        (_, Given::Track(track)) => End::Track(*track),
    }
}

fn rod(length: f64, radius: f64) -> Surface {
    frustum(&Vec3::zeros(), &(Vec3::z() * length), [radius; 2])
}

fn round_arrow(axis: &Vec3, size: f64) -> Surface {
    let round = circle(&Vec3::zeros(), axis, 2.2 * size);
    bent_arrow(&round[..=round.len() * 3 / 4], THICK * size)
}

/// The largest value of a vector or a number that may follow a track.
fn strongest(tracks: &[Track], given: &Given<Vec3>) -> Vec3 {
    match given {
        Given::Constant(value) => *value,
        Given::Track(track) => {
            let values = tracks[*track].keys.iter().map(|key| key.value);
            values.max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap_or_default()
        }
    }
}
