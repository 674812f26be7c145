//! `--hash` of `simulate` and `replay`: motions as two numbers, the same on every machine.
//!
//! The first tells a motion from any other in one bit, the second its derivatives by the free parameters, half way
//! and at the end. `tests/hashes.txt` lists those of what is shipped: a change of the program that is meant to change
//! nothing leaves the list as it is, and so does another processor.

use std::path::Path;

use super::jacobian::with_impacts;
use super::{Failure, Outside, open};
use crate::model::{ControlVector, Model, ParameterId};
use crate::sensitivity::forward;
use crate::simulation::{Fingerprint, Trajectory};

/// One line: both numbers and the file.
pub(super) fn line(path: &Path, model: &Model, u: &ControlVector, trajectory: &Trajectory) -> String {
    let motion = Fingerprint::new(trajectory);
    format!("{motion} {} {}\n", of_derivatives(model, u, trajectory), path.display())
}

/// The line of a scene's own motion.
pub(super) fn of_scene(path: &Path, outside: Outside) -> Result<String, Failure> {
    let (model, trajectory) = with_impacts(open(path, outside)?.1);
    Ok(line(path, &model, &model.control(), &trajectory))
}

fn of_derivatives(model: &Model, u: &ControlVector, trajectory: &Trajectory) -> Fingerprint {
    let parameters: Vec<ParameterId> = model.free_parameters().collect();
    let derivative = forward(model, u, trajectory, &parameters);
    let mut print = Fingerprint::empty();
    for part in [0.5, 1.0] {
        derivative.at(part * trajectory.t_end).iter().for_each(|number| print.add(*number));
    }
    print
}
