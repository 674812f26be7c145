//! What joins bodies and pulls on them: joints, forces and tracks, and which of their numbers have roles.
//!
//! ```text
//! number of a joint, force or key  ──▶ role: subject, field, member           `elbow.second.y`, `reel in.2.value`
//! follows a track                  ──▶ no role: those of the track's keys stand for it
//! axes, directions, paths          ──▶ no role: they are the same for every u
//! ```
//!
//! In a model the numbers are those of the file; in a world those of u. Derivatives by them go by role ([`Machine::roles_of`]).

use super::field::{Field, Owner, Reach};
use super::role::{Member, Role};
use super::subject::{ForceId, JointId, KeyId, Subject, VariableId};
use crate::math::Vec3;
use crate::scene::{
    Force, ForceKind, Given, Joint, JointKind, JointPath, Key, MotorDrive, RestLength, Scene, Track, TrackSize,
    Variable,
};

/// Joints, forces and tracks, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Of all times.
    pub joints: Vec<Joint>,
    /// Of all times.
    pub forces: Vec<Force>,
    /// Which joints and forces may follow.
    pub tracks: Vec<Track>,
    /// Of which numbers may be expressions.
    pub variables: Vec<Variable>,
    /// Whether the start is projected onto its joints before time begins.
    pub assemble: bool,
}

/// What the values of a track are, by what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Length,
    Angle { body: usize },
    Other,
}

impl Machine {
    pub(super) fn new(scene: &Scene) -> Machine {
        Machine {
            joints: scene.joints.clone(),
            forces: scene.forces.clone(),
            tracks: scene.tracks.clone(),
            variables: scene.variables.clone(),
            assemble: scene.assemble,
        }
    }

    /// Everything that has roles here, in the order of the control vector.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        let joints = (0..self.joints.len() as u32).map(|index| JointId(index).into());
        let forces = (0..self.forces.len() as u32).map(|index| ForceId(index).into());
        let keys = |(track, index): (&Track, u32)| {
            (0..track.keys.len() as u32).map(move |key| KeyId { track: index, key }.into())
        };
        let variables = (0..self.variables.len() as u32).map(|index| VariableId(index).into());
        joints.chain(forces).chain(self.tracks.iter().zip(0..).flat_map(keys)).chain(variables)
    }

    /// The numbers of a joint, force, key or variable, in the order of the control vector, whether they are parameters or not.
    pub fn roles_of(&self, subject: Subject) -> Vec<Role> {
        let fields = Owner::of(subject).rows().map(|row| row.field.of(subject));
        fields.flat_map(|first| self.group(first)).collect()
    }

    /// All numbers of a field that there are.
    pub(super) fn group(&self, first: Role) -> Vec<Role> {
        (0..self.count(&first))
            .map(|member| first.along(Member(member)))
            .filter(|role| self.value(role).is_some())
            .collect()
    }

    /// How many numbers a field has, if it has any.
    fn count(&self, role: &Role) -> u8 {
        match (role.subject, role.field) {
            // A file holds at most a hundred times.
            (Subject::Joint(joint), Field::Active) => 2 * self.joints[joint.index()].active.len() as u8,
            _ => role.row().count(),
        }
    }

    /// The number of a role, if there is one.
    pub fn value(&self, role: &Role) -> Option<f64> {
        let (field, k) = (role.field, role.member.index());
        match role.subject {
            Subject::Joint(joint) => joint_number(&mut self.joints.get(joint.index())?.clone(), field, k).copied(),
            Subject::Force(force) => force_number(&mut self.forces.get(force.index())?.clone(), field, k).copied(),
            Subject::Key(id) => {
                let track = self.tracks.get(id.track as usize)?;
                key_number(&mut track.keys.get(id.key as usize)?.clone(), track.size, field, k).copied()
            }
            Subject::Variable(id) => Some(self.variables.get(id.index())?.value),
            _ => None,
        }
    }

    /// Gives a number another value.
    pub(super) fn assign(&mut self, role: &Role, value: f64) {
        let (field, k) = (role.field, role.member.index());
        let number = match role.subject {
            Subject::Joint(joint) => joint_number(&mut self.joints[joint.index()], field, k),
            Subject::Force(force) => force_number(&mut self.forces[force.index()], field, k),
            Subject::Key(id) => {
                let Track { size, keys, .. } = &mut self.tracks[id.track as usize];
                key_number(&mut keys[id.key as usize], *size, field, k)
            }
            Subject::Variable(id) => Some(&mut self.variables[id.index()].value),
            _ => None,
        };
        number.into_iter().for_each(|number| *number = value);
    }

    /// The body whose radius of gyration says what an angle moves.
    pub(super) fn body_of(&self, role: &Role) -> Option<usize> {
        match role.subject {
            Subject::Joint(joint) => Some(self.joints[joint.index()].first),
            Subject::Force(force) => Some(self.forces[force.index()].first),
            Subject::Key(id) => match self.use_of(id.track as usize) {
                Use::Angle { body } => Some(body),
                Use::Length | Use::Other => None,
            },
            _ => None,
        }
    }

    /// What a change of a number costs: that of a track's value depends on what follows it.
    pub(super) fn reach_of(&self, role: &Role) -> Reach {
        match (role.subject, role.field) {
            (Subject::Key(id), Field::Value | Field::Vector) => match self.use_of(id.track as usize) {
                Use::Length => Reach::One,
                Use::Angle { .. } => Reach::Gyration,
                Use::Other => Reach::RelativeAbove,
            },
            _ => role.row().reach,
        }
    }

    /// Why a number of this word is no parameter, where it is given by something else.
    pub(super) fn why_absent(&self, subject: Subject, word: &str) -> Option<String> {
        let tracks = |track: usize| {
            let name = &self.tracks[track].name;
            format!("it follows the track {name:?}; name one of its keys, as in `{name}.1.value`")
        };
        let _ = (subject, word, tracks);
        None
    }

    /// The first use counts.
    fn use_of(&self, track: usize) -> Use {
        let joints = self.joints.iter().find_map(|joint| joint_use(joint, track));
        joints.or_else(|| self.forces.iter().find_map(|force| self.force_use(force, track))).unwrap_or(Use::Other)
    }

    fn force_use(&self, force: &Force, track: usize) -> Option<Use> {
        let other = |number: &Given<f64>| (number.track() == Some(track)).then_some(Use::Other);
        let vector = |number: &Given<Vec3>, of: Use| (number.track() == Some(track)).then_some(of);
        let angle = Use::Angle { body: force.first };
        match &force.kind {
            ForceKind::Spring { second, stiffness, damping, length, .. } => {
                let length = match length {
                    RestLength::Given(length) if length.track() == Some(track) => Some(Use::Length),
                    _ => None,
                };
                vector(second, Use::Length).or(length).or(other(stiffness)).or(other(damping))
            }
            ForceKind::TorsionSpring { stiffness, damping, rotation } => {
                let rotation = rotation.as_ref().and_then(|rotation| vector(rotation, angle));
                rotation.or(other(stiffness)).or(other(damping))
            }
            ForceKind::Drag { linear, quadratic, angular, wind } => {
                other(linear).or(other(quadratic)).or(other(angular)).or(vector(wind, Use::Other))
            }
            ForceKind::Push { force, torque, .. } => vector(force, Use::Other).or(vector(torque, Use::Other)),
            ForceKind::Motor { joint, drive } => match drive {
                MotorDrive::Torque(torque) => other(torque),
                MotorDrive::Speed { speed, gain, max_torque } => {
                    other(speed).or(other(gain)).or(max_torque.as_ref().and_then(other))
                }
                MotorDrive::Angle(own) => {
                    let turns = matches!(self.joints[*joint].kind, JointKind::Hinge { .. });
                    (*own == track).then_some(if turns { angle } else { Use::Length })
                }
            },
        }
    }
}

fn joint_use(joint: &Joint, track: usize) -> Option<Use> {
    let vector = |number: &Given<Vec3>, of: Use| (number.track() == Some(track)).then_some(of);
    match &joint.kind {
        JointKind::Pin { to, .. } => vector(to, Use::Length),
        JointKind::Distance { second, length, .. } | JointKind::Rope { second, length, .. } => {
            vector(second, Use::Length).or((length.track() == Some(track)).then_some(Use::Length))
        }
        JointKind::FollowPath { path, along, .. } => {
            let along = (*along == track).then_some(path);
            along.map(|path| if matches!(path, JointPath::Line { .. }) { Use::Length } else { Use::Other })
        }
        JointKind::FullOrientation { rotation } => vector(rotation, Use::Angle { body: joint.first }),
        JointKind::Hinge { second, .. } | JointKind::Slider { second, .. } => vector(second, Use::Length),
        JointKind::PointToPoint { .. }
        | JointKind::OnPath { .. }
        | JointKind::PointOnLine { .. }
        | JointKind::PointOnPlane { .. }
        | JointKind::SphereToSphere
        | JointKind::Orientation { .. }
        | JointKind::Weld => None,
    }
}

fn constant<T>(given: &mut Given<T>) -> Option<&mut T> {
    match given {
        Given::Constant(value) => Some(value),
        Given::Track(_) => None,
    }
}

/// Whether the second side has this field: a body has a point, the world a place.
fn has_side(field: Field, second: Option<usize>) -> bool {
    match field {
        Field::Second => second.is_some(),
        Field::To => second.is_none(),
        _ => true,
    }
}

/// A number of a joint, if its kind has it and it does not follow a track.
fn joint_number(joint: &mut Joint, field: Field, k: usize) -> Option<&mut f64> {
    match field {
        Field::TimeConstant => return (k == 0).then_some(&mut joint.time_constant),
        Field::Active => return joint.active.get_mut(k / 2)?.get_mut(k % 2),
        _ if !has_side(field, joint.second) => return None,
        _ => {}
    }
    match (field, &mut joint.kind) {
        (
            Field::Point,
            JointKind::Pin { point, .. }
            | JointKind::PointToPoint { point, .. }
            | JointKind::Distance { point, .. }
            | JointKind::Rope { point, .. }
            | JointKind::OnPath { point, .. }
            | JointKind::FollowPath { point, .. }
            | JointKind::PointOnLine { point, .. }
            | JointKind::PointOnPlane { point, .. }
            | JointKind::Hinge { point, .. }
            | JointKind::Slider { point, .. },
        ) => point.get_mut(k),
        (Field::Second, JointKind::PointToPoint { second, .. }) => second.get_mut(k),
        (Field::To, JointKind::Pin { to, .. }) => constant(to)?.get_mut(k),
        (
            Field::Second | Field::To,
            JointKind::Distance { second, .. }
            | JointKind::Rope { second, .. }
            | JointKind::Hinge { second, .. }
            | JointKind::Slider { second, .. },
        ) => constant(second)?.get_mut(k),
        (Field::Rotation, JointKind::FullOrientation { rotation }) => constant(rotation)?.get_mut(k),
        (Field::Length, JointKind::Distance { length, .. } | JointKind::Rope { length, .. }) => {
            constant(length).filter(|_| k == 0)
        }
        (Field::Limit, JointKind::Hinge { limits: Some(limits), .. })
        | (Field::Travel, JointKind::Slider { limits: Some(limits), .. }) => {
            [&mut limits.low, &mut limits.high].into_iter().nth(k)
        }
        _ => None,
    }
}

/// Fields of forces that are one number.
const SCALARS: [Field; 10] = [
    Field::Stiffness,
    Field::Damping,
    Field::Length,
    Field::Linear,
    Field::Quadratic,
    Field::Angular,
    Field::Drive,
    Field::Speed,
    Field::Gain,
    Field::MaxTorque,
];

/// A number of a force, if its kind has it and it does not follow a track.
fn force_number(force: &mut Force, field: Field, k: usize) -> Option<&mut f64> {
    if !has_side(field, force.second) {
        return None;
    }
    if SCALARS.contains(&field) {
        return constant(force_scalar(&mut force.kind, field)?).filter(|_| k == 0);
    }
    let vector = match (field, &mut force.kind) {
        (Field::Point, ForceKind::Spring { point, .. } | ForceKind::Push { point, .. }) => point,
        (Field::Second | Field::To, ForceKind::Spring { second, .. }) => constant(second)?,
        (Field::Rotation, ForceKind::TorsionSpring { rotation: Some(rotation), .. }) => constant(rotation)?,
        (Field::Wind, ForceKind::Drag { wind, .. }) => constant(wind)?,
        (Field::Force, ForceKind::Push { force, .. }) => constant(force)?,
        (Field::Torque, ForceKind::Push { torque, .. }) => constant(torque)?,
        _ => return None,
    };
    vector.get_mut(k)
}

/// The numbers of a force that are one by themselves.
fn force_scalar(kind: &mut ForceKind, field: Field) -> Option<&mut Given<f64>> {
    Some(match (field, kind) {
        (Field::Stiffness, ForceKind::Spring { stiffness, .. } | ForceKind::TorsionSpring { stiffness, .. }) => {
            stiffness
        }
        (Field::Damping, ForceKind::Spring { damping, .. } | ForceKind::TorsionSpring { damping, .. }) => damping,
        (Field::Length, ForceKind::Spring { length: RestLength::Given(length), .. }) => length,
        (Field::Linear, ForceKind::Drag { linear, .. }) => linear,
        (Field::Quadratic, ForceKind::Drag { quadratic, .. }) => quadratic,
        (Field::Angular, ForceKind::Drag { angular, .. }) => angular,
        (Field::Drive, ForceKind::Motor { drive: MotorDrive::Torque(torque), .. }) => torque,
        (Field::Speed, ForceKind::Motor { drive: MotorDrive::Speed { speed, .. }, .. }) => speed,
        (Field::Gain, ForceKind::Motor { drive: MotorDrive::Speed { gain, .. }, .. }) => gain,
        (Field::MaxTorque, ForceKind::Motor { drive: MotorDrive::Speed { max_torque, .. }, .. }) => {
            max_torque.as_mut()?
        }
        _ => return None,
    })
}

/// A number of a key.
fn key_number(key: &mut Key, size: TrackSize, field: Field, k: usize) -> Option<&mut f64> {
    match (field, size) {
        (Field::Time, _) if k == 0 => Some(&mut key.t),
        (Field::Value, TrackSize::Number) if k == 0 => Some(&mut key.value.x),
        (Field::Vector, TrackSize::Vector) => key.value.get_mut(k),
        _ => None,
    }
}
