//! `hattrick [SCENE]`: opens the editor, or does without a window what can be done without one.
//!
//! Where there is no display, a SCENE is simulated and its events are printed, with a word on why and on what else
//! works. Where a window should open and does not, the message names what to install.

use std::path::PathBuf;

use super::{Failure, simulate};

/// What else works without a window.
const ELSE: &str = "Without a window this works: hattrick simulate SCENE (see hattrick --help).";

pub(super) fn run(scene: Option<PathBuf>) -> Result<String, Failure> {
    match open(scene.clone()) {
        Ok(()) => Ok(String::new()),
        Err(why) => match scene {
            Some(scene) => {
                let output = simulate::run(&simulate::Arguments::of(scene))?;
                Ok(format!("{why}; the motion in numbers instead.\n\n{output}\n{ELSE}\n"))
            }
            None => Err(Failure(format!("{why}\n{ELSE}"))),
        },
    }
}

#[cfg(feature = "editor")]
fn open(scene: Option<PathBuf>) -> Result<(), String> {
    crate::editor::open(scene).map_err(|error| error.to_string())
}

#[cfg(not(feature = "editor"))]
fn open(_scene: Option<PathBuf>) -> Result<(), String> {
    Err("this build has no window (feature `editor`)".to_owned())
}
