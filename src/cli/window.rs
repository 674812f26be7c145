//! `hattrick [SCENE]`: opens the editor, or does without a window what can be done without one.
//!
//! Where there is no display a SCENE is drawn; without one the shipped session of the eggs is replayed, and its motion
//! drawn before and after. Where a window should open and does not, the message names what to install.

use std::path::PathBuf;

use super::{Failure, Outside, open as open_scene};
use crate::files::private_folder;
use crate::picture::{self, View};
use crate::scene::Scene;
use crate::session::{Journal, Session};
use crate::simulation::{Trajectory, simulate};

/// What else works without a window.
const ELSE: &str = "Without a window these work too: simulate, solve, replay, render, export (see hattrick --help).";
const EGGS: &str = include_str!("../../scenes/eggs.toml");
const EGGS_SESSION: &str = include_str!("../../scenes/eggs.jsonl");

pub(super) fn run(scene: Option<PathBuf>, outside: Outside) -> Result<String, Failure> {
    match open(scene.clone(), outside) {
        Ok(()) => Ok(String::new()),
        Err(why) => {
            let done = match scene {
                Some(scene) => draw_scene(&scene, outside)?,
                None => replay_eggs()?,
            };
            Ok(format!("{why}\n{done}\n{ELSE}\n"))
        }
    }
}

fn draw_scene(path: &std::path::Path, outside: Outside) -> Result<String, Failure> {
    let (scene, model) = open_scene(path, outside)?;
    let name = path.file_stem().map_or("scene".into(), |name| name.to_string_lossy().into_owned());
    let written = draw(&simulate(&model, &model.control()), &scene.title, &name)?;
    Ok(format!("The motion of {} is drawn in {}", path.display(), written.display()))
}

/// The main job without a window: the eggs are directed into their buckets by the recorded session.
fn replay_eggs() -> Result<String, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let scene = Scene::parse(EGGS, "eggs.toml").map_err(|error| fail(&error))?;
    let journal = Journal::parse(EGGS_SESSION, "eggs.jsonl").map_err(|error| fail(&error))?;
    let title = scene.title.clone();
    let mut session = Session::new(scene).map_err(|error| fail(&error))?;
    let before = draw(session.trajectory(), &format!("{title}, before"), "eggs-before")?;
    let count = journal.edits.len();
    for edit in journal.edits {
        session.apply(edit).map_err(|error| fail(&error))?;
    }
    let after = draw(session.trajectory(), &format!("{title}, after"), "eggs-after")?;
    let (before, after) = (before.display(), after.display());
    Ok(format!("The recorded session of the eggs was replayed ({count} edits).\nBefore: {before}\nAfter:  {after}"))
}

/// Draws a motion into a private folder among the temporary files and says where.
fn draw(trajectory: &Trajectory, title: &str, name: &str) -> Result<PathBuf, Failure> {
    let view = View { title: title.to_owned(), ..View::default() };
    let image = picture::render(trajectory, &view).map_err(|error| Failure::new(error.to_string()))?;
    let folder = private_folder("hattrick");
    let folder = folder.map_err(|error| Failure::new(format!("cannot make a folder for pictures: {error}")))?;
    let path = folder.join(format!("{name}.png"));
    image.save(&path).map_err(|error| Failure::new(error.to_string()))?;
    Ok(path)
}

#[cfg(feature = "editor")]
fn open(scene: Option<PathBuf>, outside: Outside) -> Result<(), String> {
    crate::editor::open(scene, outside.reach()).map_err(|error| error.to_string())
}

#[cfg(not(feature = "editor"))]
fn open(_scene: Option<PathBuf>, _outside: Outside) -> Result<(), String> {
    Err("this build has no window (feature `editor`)".to_owned())
}
