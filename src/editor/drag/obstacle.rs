//! What stands where a wish leads: a body cannot be where a fixed one is.
//!
//! A drag into the floor can never be met, however long the solver tries, and the solver does not know why. Here the held
//! body is put where the wish has it, at its time, turned as it is, and measured against every fixed body:
//!
//! ```text
//! depth = −gap(body at the wish, obstacle)        the nearest wish that is clear = wish + (depth + 2 mm)·normal
//! ```
//!
//! Moving bodies are no obstacles: to pull one onto another is to ask them to meet.

use super::held::Held;
use crate::editor::look::words::rough;
use crate::editor::work::motion::Motion;
use crate::geometry::{Pose, separation};
use crate::math::Vec3;
use crate::model::BodyId;
use crate::session::Quantity;

/// Shallower than this a wish is as good as clear, m: less than a point on most screens.
const SHALLOW: f64 = 1e-3;

/// What is left between the two where a clear place is wished instead, m: touching is met from one side only.
const CLEARANCE: f64 = 2e-3;

/// A fixed body in which the wish has the held one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Which.
    pub body: BodyId,
    /// How deep the held body would be in it, m.
    pub depth: f64,
    /// The nearest wish that leaves it outside.
    pub clear: Vec3,
}

impl Obstacle {
    /// What stands where the held body is wished; the deepest, if several do.
    pub fn of(held: &Held, motion: &Motion) -> Option<Obstacle> {
        if held.what != Quantity::Position {
            return None;
        }
        let bodies = motion.model.bodies();
        let state = motion.body_at(held.body, held.t);
        let wished = Pose::new(held.target - state.rotation * held.point, &state.rotation);
        let depth = |body: BodyId| {
            let other = motion.body_at(body, held.t);
            let place = Pose::new(other.position, &other.rotation);
            let found =
                separation(&bodies[held.body.index()].solid, &wished, &bodies[body.index()].solid, &place, None);
            Obstacle { body, depth: -found.gap, clear: held.target + found.normal * (CLEARANCE - found.gap) }
        };
        let fixed = motion.bodies().filter(|body| *body != held.body && !bodies[body.index()].drive.is_pushed());
        fixed.map(depth).filter(|found| found.depth > SHALLOW).max_by(|a, b| a.depth.total_cmp(&b.depth))
    }

    /// What is said about it: `floor is in the way: white egg would be 9 cm inside it`.
    pub fn words(&self, held: &Held, motion: &Motion) -> String {
        let (body, name) = (motion.name(self.body), motion.name(held.body));
        format!("{body} is in the way: {name} would be {} cm inside it", rough(100.0 * self.depth))
    }
}
