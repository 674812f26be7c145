//! `hattrick simulate`: runs a scene and prints its events and states.

use std::path::PathBuf;

use super::motion::Motion;
use super::{Failure, hash, number, only, open, table};
use crate::simulation::simulate;

/// Run a scene; print its events, and the states at given times
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scene file; with --hash several
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Times in seconds, from 0 to the scene's duration [default: the end]
    #[arg(long, value_name = "T", num_args = 1.., value_delimiter = ',', value_parser = number, allow_negative_numbers = true)]
    pub(super) at: Vec<f64>,
    /// Print JSON, with every digit
    #[arg(long)]
    json: bool,
    /// Print two numbers for each scene, the same on every machine: one tells its motion from any other in one bit, one its
    /// derivatives by the free parameters
    #[arg(long, conflicts_with_all = ["at", "json"])]
    hash: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    if arguments.hash {
        return arguments.scenes.iter().try_fold(String::new(), |text, scene| Ok(text + &hash::of_scene(scene)?));
    }
    let (scene, model) = open(only(&arguments.scenes, "scene")?)?;
    let times = times(&arguments.at, scene.duration)?;
    let trajectory = simulate(&model, &model.control());
    let motion = Motion::new(&model, &trajectory, &times);
    if arguments.json {
        return motion.json();
    }
    Ok(table::print(&scene, &motion, &trajectory.end.to_string()))
}

/// The times asked for, or the end.
pub(super) fn times(asked: &[f64], duration: f64) -> Result<Vec<f64>, Failure> {
    if let Some(outside) = asked.iter().find(|t| !(0.0..=duration).contains(*t)) {
        let message = format!("--at {outside} is outside the motion; write a time from 0 to {duration} s");
        return Err(Failure::usage(message));
    }
    Ok(if asked.is_empty() { vec![duration] } else { asked.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_the_motion_are_refused_with_the_range() {
        assert_eq!(times(&[], 2.0).ok(), Some(vec![2.0]));
        assert_eq!(times(&[2.0, 0.0], 2.0).ok(), Some(vec![2.0, 0.0]));
        for t in [-1e-9, 2.1, f64::NAN, f64::INFINITY] {
            let Err(Failure { message, .. }) = times(&[1.0, t], 2.0) else { panic!("{t} was accepted") };
            assert!(message.ends_with("write a time from 0 to 2 s"), "{message}");
        }
    }
}
