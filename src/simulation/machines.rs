//! Which bodies fly as one machine, and at which times that, or what they obey, changes.
//!
//! ```text
//! group   = bodies connected by joints that hold and forces that act, and single bodies that forces pull on
//! switch  = a time at which a joint begins or ceases to hold, or a key of a track that a group follows
//! ```
//!
//! What a group does until its next switch is `dynamics::joined`; whatever touches a group is met by the engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::tape::SwitchCause;
use crate::dynamics::BodyState;
use crate::dynamics::joined::{Blueprint, JoinedFlight, Jump, Machine, Owner};
use crate::model::{BodyId, BodyProperties, Pair, World};
use crate::scene::{Force, ForceKind, Given, Joint, JointKind, MotorDrive, RestLength};

/// Bodies that fly together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// In order; also bodies that stay where they are but hold others.
    pub members: Vec<BodyId>,
    /// The joints that hold them, by their places.
    pub joints: Vec<usize>,
    /// The forces that act on them.
    pub forces: Vec<usize>,
}

/// A time at which machines change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    /// s.
    pub t: f64,
    /// What makes it.
    pub cause: SwitchCause,
}

/// The groups just after t, in the order of their first moving bodies.
pub fn groups(world: &World, t: f64) -> Vec<Group> {
    let joints: Vec<usize> =
        (0..world.machine.joints.len()).filter(|&k| world.machine.joints[k].is_active(t)).collect();
    let acts = |force: &Force| match &force.kind {
        ForceKind::Motor { joint, .. } => joints.contains(joint),
        _ => true,
    };
    let forces: Vec<usize> = (0..world.machine.forces.len()).filter(|&k| acts(&world.machine.forces[k])).collect();
    let of_joint = |&k: &usize| (world.machine.joints[k].first, world.machine.joints[k].second);
    let of_force = |&k: &usize| (world.machine.forces[k].first, world.machine.forces[k].second);
    let links: Vec<(usize, Option<usize>)> = joints.iter().map(of_joint).chain(forces.iter().map(of_force)).collect();
    let pushed = |body: usize| world.bodies[body].drive.is_pushed();
    // Each body's group is named by its lowest moving body.
    let mut names: Vec<usize> = (0..world.bodies.len()).collect();
    for &(first, second) in &links {
        if let Some(second) = second.filter(|&second| pushed(first) && pushed(second)) {
            let (keep, drop) = (names[first].min(names[second]), names[first].max(names[second]));
            names.iter_mut().filter(|name| **name == drop).for_each(|name| *name = keep);
        }
    }
    let name = |(first, second): (usize, Option<usize>)| {
        [Some(first), second].into_iter().flatten().find(|&body| pushed(body)).map(|body| names[body])
    };
    let linked: BTreeSet<usize> = links.iter().filter_map(|&link| name(link)).collect();
    let group = |own: usize| {
        let joints: Vec<usize> = joints.iter().copied().filter(|k| name(of_joint(k)) == Some(own)).collect();
        let forces: Vec<usize> = forces.iter().copied().filter(|k| name(of_force(k)) == Some(own)).collect();
        let moving = (0..world.bodies.len()).filter(|&body| pushed(body) && names[body] == own);
        let links = joints.iter().map(of_joint).chain(forces.iter().map(of_force));
        let held = links.flat_map(|(first, second)| [Some(first), second]).flatten();
        let members: BTreeSet<BodyId> = moving.chain(held).map(|body| BodyId(body as u32)).collect();
        Group { members: members.into_iter().collect(), joints, forces }
    };
    linked.into_iter().map(group).collect()
}

/// The bodies that joints connect, set by set, with those that hold them and stay.
pub fn linkages(world: &World, groups: &[Group]) -> Vec<BTreeSet<BodyId>> {
    let joints = groups.iter().flat_map(|group| &group.joints).map(|&k| &world.machine.joints[k]);
    let mut sets: Vec<BTreeSet<BodyId>> = Vec::new();
    for joint in joints {
        let ends = [Some(joint.first), joint.second].into_iter().flatten().map(|body| BodyId(body as u32));
        let mut set: BTreeSet<BodyId> = ends.collect();
        let moves = |body: &BodyId| world.bodies[body.index()].drive.is_pushed();
        let (met, apart): (Vec<_>, Vec<_>) = sets.into_iter().partition(|other| other.intersection(&set).any(moves));
        met.into_iter().for_each(|other| set.extend(other));
        sets = apart;
        sets.push(set);
    }
    sets
}

/// Whether a switch begins a joint's record anew: the joint does, or what it follows may jump.
pub fn begins_anew(world: &World, owner: Owner, cause: SwitchCause) -> bool {
    match (owner, cause) {
        (Owner::Joint(own), SwitchCause::Active { joint, .. }) => own == joint,
        (Owner::Joint(own), SwitchCause::Key { track, .. }) => {
            joint_tracks(&world.machine.joints[own]).contains(&Some(track))
        }
        (Owner::Force(own), SwitchCause::Active { joint, .. }) => {
            matches!(world.machine.forces[own].kind, ForceKind::Motor { joint: of, .. } if of == joint)
        }
        (Owner::Force(own), SwitchCause::Key { track, .. }) => {
            force_tracks(&world.machine.forces[own]).contains(&Some(track))
        }
        (Owner::Key(..), _) => false,
    }
}

/// The flight of a group from states of its members on.
pub fn flight(world: &World, group: &Group, t: f64, states: &[BodyState]) -> Arc<JoinedFlight> {
    let members: Vec<usize> = group.members.iter().map(|body| body.index()).collect();
    let bodies = world.body_facts();
    let machine = Machine::build(&Blueprint {
        members: &members,
        bodies: &bodies,
        gravity: world.gravity,
        joints: &world.machine.joints,
        forces: &world.machine.forces,
        tracks: &world.machine.tracks,
        active_joints: &group.joints,
        active_forces: &group.forces,
        t,
        states,
    });
    Arc::new(JoinedFlight::new(machine, t, states.to_vec()))
}

/// How velocities jump where one flight goes on as another because a track does; none where the machines are not the same but for
/// their tracks, or where nothing jumps.
pub fn jump<'a>(before: &'a JoinedFlight, after: &'a JoinedFlight, states: &[BodyState], t: f64) -> Option<Jump<'a>> {
    if before.members() != after.members() || before.machine().joints() != after.machine().joints() {
        return None;
    }
    Jump::new(before.machine(), after.machine(), states, t)
}

/// All switches within the motion, in order of time.
pub fn switches(world: &World) -> Vec<Switch> {
    let mut switches = Vec::new();
    for (joint, law) in world.machine.joints.iter().enumerate() {
        for (interval, times) in law.active.iter().enumerate() {
            for (end, &t) in times.iter().enumerate() {
                switches.push(Switch { t, cause: SwitchCause::Active { joint, interval, end } });
            }
        }
    }
    for track in used_tracks(world) {
        let keys = world.machine.tracks[track].keys.iter().enumerate();
        switches.extend(keys.map(|(key, at)| Switch { t: at.t, cause: SwitchCause::Key { track, key } }));
    }
    switches.retain(|switch| switch.t > 0.0 && switch.t < world.duration);
    switches.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.cause.cmp(&b.cause)));
    switches
}

/// Whether a switch changes what a group obeys.
pub fn concerns(world: &World, group: &Group, cause: SwitchCause) -> bool {
    match cause {
        SwitchCause::Active { joint, .. } => {
            let Joint { first, second, .. } = &world.machine.joints[joint];
            let own =
                |body: usize| group.members.contains(&BodyId(body as u32)) && world.bodies[body].drive.is_pushed();
            own(*first) || second.is_some_and(own)
        }
        SwitchCause::Key { track, .. } => {
            group.joints.iter().any(|&k| joint_tracks(&world.machine.joints[k]).contains(&Some(track)))
                || group.forces.iter().any(|&k| force_tracks(&world.machine.forces[k]).contains(&Some(track)))
        }
    }
}

/// Pairs that pass through each other just after t: bodies whose joints, or forces, do not let them touch.
pub fn exempt(world: &World, t: f64) -> BTreeSet<Pair> {
    let joints = world.machine.joints.iter().filter(|joint| joint.is_active(t) && !joint.collide);
    let joints = joints.map(|joint| (joint.first, joint.second));
    let forces = world.machine.forces.iter().filter(|force| !force.collide).map(|force| (force.first, force.second));
    let pair = |(first, second): (usize, Option<usize>)| {
        second.map(|second| world.ordered(BodyId(first as u32), BodyId(second as u32)))
    };
    joints.chain(forces).filter_map(pair).collect()
}

/// The bodies that a switch may send on in another way, fixed ones too.
pub fn bodies_of(world: &World, cause: SwitchCause) -> Vec<BodyId> {
    let both = |first: usize, second: Option<usize>| [Some(first), second];
    let bodies: BTreeSet<usize> = match cause {
        SwitchCause::Active { joint, .. } => {
            both(world.machine.joints[joint].first, world.machine.joints[joint].second).into_iter().flatten().collect()
        }
        SwitchCause::Key { track, .. } => {
            let joints = world.machine.joints.iter().filter(|joint| joint_tracks(joint).contains(&Some(track)));
            let forces = world.machine.forces.iter().filter(|force| force_tracks(force).contains(&Some(track)));
            let joints = joints.flat_map(|joint| both(joint.first, joint.second));
            joints.chain(forces.flat_map(|force| both(force.first, force.second))).flatten().collect()
        }
    };
    bodies.into_iter().map(|body| BodyId(body as u32)).collect()
}

/// The bodies that follow a track by themselves.
pub fn guided_by(world: &World, track: usize) -> Vec<BodyId> {
    let follows =
        |body: &BodyProperties| body.drive.guide().is_some_and(|guide| guide.tracks().any(|own| own == track));
    (0..).map(BodyId).zip(&world.bodies).filter(|(_, body)| follows(body)).map(|(body, _)| body).collect()
}

fn used_tracks(world: &World) -> BTreeSet<usize> {
    let joints = world.machine.joints.iter().flat_map(joint_tracks);
    let guided = world.bodies.iter().filter_map(|body| body.drive.guide()).flat_map(|guide| guide.tracks());
    joints.chain(world.machine.forces.iter().flat_map(force_tracks)).flatten().chain(guided).collect()
}

/// The tracks that a joint follows.
fn joint_tracks(joint: &Joint) -> Vec<Option<usize>> {
    match &joint.kind {
        JointKind::Pin { to, .. } => vec![to.track()],
        JointKind::Distance { second, length, .. } | JointKind::Rope { second, length, .. } => {
            vec![second.track(), length.track()]
        }
        JointKind::FollowPath { along, .. } => vec![Some(*along)],
        JointKind::FullOrientation { rotation } => vec![rotation.track()],
        JointKind::Hinge { second, .. } | JointKind::Slider { second, .. } => vec![second.track()],
        JointKind::PointToPoint { .. }
        | JointKind::OnPath { .. }
        | JointKind::PointOnLine { .. }
        | JointKind::PointOnPlane { .. }
        | JointKind::SphereToSphere
        | JointKind::Orientation { .. }
        | JointKind::Weld => Vec::new(),
    }
}

/// The tracks that a force follows.
fn force_tracks(force: &Force) -> Vec<Option<usize>> {
    match &force.kind {
        ForceKind::Spring { second, stiffness, damping, length, .. } => {
            let length = if let RestLength::Given(length) = length { length.track() } else { None };
            vec![second.track(), stiffness.track(), damping.track(), length]
        }
        ForceKind::TorsionSpring { stiffness, damping, rotation } => {
            vec![stiffness.track(), damping.track(), rotation.as_ref().and_then(Given::track)]
        }
        ForceKind::Drag { linear, quadratic, angular, wind } => {
            vec![linear.track(), quadratic.track(), angular.track(), wind.track()]
        }
        ForceKind::Push { force, torque, .. } => vec![force.track(), torque.track()],
        ForceKind::Motor { drive, .. } => match drive {
            MotorDrive::Torque(torque) => vec![torque.track()],
            MotorDrive::Speed { speed, gain, max_torque } => {
                vec![speed.track(), gain.track(), max_torque.as_ref().and_then(Given::track)]
            }
            MotorDrive::Angle(track) => vec![Some(*track)],
        },
    }
}
