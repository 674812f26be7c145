//! `hattrick simulate`: runs a scene and prints its events and states.

use std::path::PathBuf;

use super::motion::Motion;
use super::{Failure, Outside, hash, number, only, open, table};
use crate::simulation::{Trajectory, simulate};

/// Run a scene; print its events, and the states at given times
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scene file; with --hash several
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    #[command(flatten)]
    outside: Outside,
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
        return arguments
            .scenes
            .iter()
            .try_fold(String::new(), |text, scene| Ok(text + &hash::of_scene(scene, arguments.outside)?));
    }
    let (scene, model) = open(only(&arguments.scenes, "scene")?, arguments.outside)?;
    check_times(&arguments.at, scene.duration)?;
    let trajectory = simulate(&model, &model.control());
    let times = reached(&arguments.at, &trajectory)?;
    let motion = Motion::new(&model, &trajectory, &times);
    if arguments.json {
        return motion.json();
    }
    Ok(table::print(&scene, &motion, &trajectory.ending()))
}

/// Refuses times that no motion of this duration has, before it is simulated.
pub(super) fn check_times(asked: &[f64], duration: f64) -> Result<(), Failure> {
    match asked.iter().find(|t| !(0.0..=duration).contains(*t)) {
        Some(t) => Err(Failure::usage(format!("--at {t} is outside the motion; write a time from 0 to {duration} s"))),
        None => Ok(()),
    }
}

/// The times asked for, or the end; a motion that stopped early has no states after that.
pub(super) fn reached(asked: &[f64], trajectory: &Trajectory) -> Result<Vec<f64>, Failure> {
    let (t_end, end) = (&trajectory.t_end, trajectory.ending());
    match asked.iter().find(|t| *t > t_end) {
        Some(t) => {
            Err(Failure::usage(format!("--at {t} is not reached: the motion {end}; write a time from 0 to {t_end} s")))
        }
        None => Ok(if asked.is_empty() { vec![*t_end] } else { asked.to_vec() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_the_motion_are_refused_with_the_range() {
        assert!(check_times(&[], 2.0).is_ok() && check_times(&[2.0, 0.0], 2.0).is_ok());
        for t in [-1e-9, 2.1, f64::NAN, f64::INFINITY] {
            let Err(Failure { message, .. }) = check_times(&[1.0, t], 2.0) else { panic!("{t} was accepted") };
            assert!(message.ends_with("write a time from 0 to 2 s"), "{message}");
        }
    }
}
