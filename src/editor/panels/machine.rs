//! What holds and drives the selected body: its joints, forces and the tracks they follow, each with its numbers to type and to free.

use std::collections::BTreeSet;

use eframe::egui::{RichText, Ui};

use super::parameters::subject_ui;
use crate::editor::action::Action;
use crate::editor::look::widgets::{part, quiet};
use crate::editor::work::motion::Motion;
use crate::model::{BodyId, ForceId, JointId, KeyId, Subject};
use crate::scene::{Force, ForceKind, Joint};

/// Draws them and returns what was asked; nothing for a body that flies alone.
pub fn machine_ui(motion: &Motion, body: BodyId, ui: &mut Ui) -> Option<Action> {
    let scene = &motion.scene;
    let own = |first: usize, second: Option<usize>| first == body.index() || second == Some(body.index());
    let joints = scene.joints.iter().zip(0..).filter(|(joint, _)| own(joint.first, joint.second));
    let forces = scene.forces.iter().zip(0..).filter(|(force, _)| own(force.first, force.second));
    let (joints, forces): (Vec<_>, Vec<_>) = (joints.collect(), forces.collect());
    if joints.is_empty() && forces.is_empty() {
        return None;
    }
    part(ui, "Joints and forces");
    let mut action = None;
    let mut tracks = BTreeSet::new();
    for (joint, index) in joints {
        heading(ui, &joint.name, &joint_words(motion, joint, body));
        action = action.take().or(subject_ui(motion, JointId(index).into(), ui));
        tracks.extend(joint.kind.tracks());
    }
    for (force, index) in forces {
        heading(ui, &force.name, &force_words(motion, force, body));
        action = action.take().or(subject_ui(motion, ForceId(index).into(), ui));
        tracks.extend(force.kind.tracks());
    }
    for track in tracks {
        heading(ui, &scene.tracks[track].name, "track, by its keys");
        for key in 0..scene.tracks[track].keys.len() as u32 {
            quiet(ui, format!("key {}", key + 1));
            let subject: Subject = KeyId { track: track as u32, key }.into();
            action = action.take().or(subject_ui(motion, subject, ui));
        }
    }
    action
}

fn heading(ui: &mut Ui, name: &str, words: &str) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(name).strong());
        quiet(ui, words);
    });
}

/// The other side, as seen from a body.
fn other<'a>(motion: &'a Motion, sides: (usize, Option<usize>), body: BodyId) -> Option<&'a str> {
    let other = if sides.0 == body.index() { sides.1? } else { sides.0 };
    Some(motion.name(BodyId(other as u32)))
}

fn joint_words(motion: &Motion, joint: &Joint, body: BodyId) -> String {
    let kind = joint.kind.word().replace('_', " ");
    let other = other(motion, (joint.first, joint.second), body);
    let times: Vec<String> = joint.active.iter().map(|[begin, end]| format!("{begin} to {end} s")).collect();
    let times = if times.is_empty() { String::new() } else { format!(", {}", times.join(", ")) };
    format!("{kind}, {}{times}", other.map_or("to the world".to_owned(), |name| format!("with {name}")))
}

fn force_words(motion: &Motion, force: &Force, body: BodyId) -> String {
    let kind = force.kind.word().replace('_', " ");
    match (&force.kind, other(motion, (force.first, force.second), body)) {
        (ForceKind::Motor { joint, .. }, _) => {
            let joint = motion.scene.joints.get(*joint).map_or("", |joint| joint.name.as_str());
            format!("{kind} on {joint}")
        }
        (_, Some(name)) => format!("{kind}, with {name}"),
        (ForceKind::Spring { .. } | ForceKind::TorsionSpring { .. }, None) => format!("{kind}, to the world"),
        (_, None) => kind,
    }
}
