//! What joins bodies and pulls on them: joints, forces and tracks, and which of their numbers have roles.
//!
//! ```text
//! number of a joint, force or key  ──▶ role: subject, field, member           `elbow.second.y`, `reel in.2.value`
//! follows a track                  ──▶ no role: those of the track's keys stand for it
//! axes, directions, paths          ──▶ no role: they are the same for every u
//! ```
//!
//! In a model the numbers are those of the file; in a world those of u. Derivatives by them go by role ([`Machine::roles_of`]).

use super::field::{Bounds, Field, Owner, Reach};
use super::number::{force_number, force_track, joint_number, joint_track, key_number};
use super::role::{Member, Role};
use super::subject::{ForceId, JointId, KeyId, Subject, VariableId};
use crate::math::Vec3;
use crate::scene::{
    Force, ForceKind, Given, Guide, Joint, JointKind, JointPath, MotorDrive, RestLength, Scene, Track, Variable,
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
    /// Which tracks bodies follow, by body.
    guides: Vec<(usize, Guide)>,
}

/// What the values of a track are, by what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Length,
    Angle { body: usize },
    Other,
}

/// Numbers of forces that are at least 0.
const NOT_NEGATIVE: [Field; 8] = [
    Field::Stiffness,
    Field::Damping,
    Field::Length,
    Field::Linear,
    Field::Quadratic,
    Field::Angular,
    Field::Gain,
    Field::MaxTorque,
];

impl Machine {
    pub(super) fn new(scene: &Scene) -> Machine {
        Machine {
            joints: scene.joints.clone(),
            forces: scene.forces.clone(),
            tracks: scene.tracks.clone(),
            variables: scene.variables.clone(),
            assemble: scene.assemble,
            guides: scene.bodies.iter().enumerate().filter_map(|(k, body)| Some((k, body.drive.guide()?))).collect(),
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

    /// Keys stay in order, and borders too, whatever formulas make of their times: a later one is never before the one it follows.
    pub(super) fn keep_order(&mut self) {
        for track in &mut self.tracks {
            order(track.keys.iter_mut().map(|key| &mut key.t));
        }
        for joint in &mut self.joints {
            order(joint.active.iter_mut().flatten());
        }
    }

    /// The numbers before and after a time of a key, a border or a limit, which stay in order.
    pub(super) fn neighbours(&self, role: &Role) -> [Option<Role>; 2] {
        let exists = |role: Role| self.value(&role).is_some().then_some(role);
        let k = role.member.0;
        match (role.subject, role.field) {
            (Subject::Key(id), Field::Time) => {
                let key = |key: u32| exists(Field::Time.of(KeyId { key, ..id }));
                [id.key.checked_sub(1).and_then(key), key(id.key + 1)]
            }
            (Subject::Joint(_), Field::Active | Field::Limit | Field::Travel) => {
                let member = |k: u8| exists(role.along(Member(k)));
                [k.checked_sub(1).and_then(member), member(k + 1)]
            }
            _ => [None, None],
        }
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

    /// What is physical; `value` is the one in the file. That of a track's values depends on what follows it.
    pub(super) fn bounds_of(&self, role: &Role, value: f64) -> (f64, f64) {
        let (Subject::Key(KeyId { track, .. }), Field::Value) = (role.subject, role.field) else {
            return role.implied_bounds(value);
        };
        let track = track as usize;
        let is_tie = |joint: &Joint| joint_track(joint, Field::Length) == Some(track);
        let stays_positive = |force: &Force| {
            let mut force = force.clone();
            NOT_NEGATIVE.into_iter().any(|field| force_track(&mut force, field) == Some(track))
        };
        if self.joints.iter().any(is_tie) {
            Bounds::Tie.of(value)
        } else if self.forces.iter().any(stays_positive) {
            Bounds::NotNegative.of(value)
        } else {
            role.implied_bounds(value)
        }
    }

    /// Why a number of this word is no parameter, where it follows a track.
    pub(super) fn why_absent(&self, subject: Subject, word: &str) -> Option<String> {
        let fields = Owner::of(subject).rows().filter(|row| row.word == word);
        let track = match subject {
            Subject::Joint(joint) => {
                fields.filter_map(|row| joint_track(&self.joints[joint.index()], row.field)).next()
            }
            Subject::Force(force) => {
                let mut force = self.forces[force.index()].clone();
                fields.filter_map(|row| force_track(&mut force, row.field)).next()
            }
            _ => None,
        }?;
        let name = &self.tracks[track].name;
        Some(format!("it follows the track {name:?}; name one of its keys, as in `{name}.1.value`"))
    }

    /// The first use counts.
    fn use_of(&self, track: usize) -> Use {
        let joints = self.joints.iter().find_map(|joint| joint_use(joint, track));
        let forces = || self.forces.iter().find_map(|force| self.force_use(force, track));
        let guides = || self.guides.iter().find_map(|&(body, guide)| guide_use(body, guide, track));
        joints.or_else(forces).or_else(guides).unwrap_or(Use::Other)
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

fn guide_use(body: usize, guide: Guide, track: usize) -> Option<Use> {
    match guide {
        Guide { position: Some(own), .. } if own == track => Some(Use::Length),
        Guide { rotation: Some(own), .. } if own == track => Some(Use::Angle { body }),
        _ => None,
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

/// Raises each number that is below the one before it.
fn order<'a>(numbers: impl Iterator<Item = &'a mut f64>) {
    numbers.fold(f64::NEG_INFINITY, |before, number| {
        *number = number.max(before);
        *number
    });
}
