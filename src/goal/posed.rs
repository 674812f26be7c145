//! How far a goal is missed where bodies stand otherwise than on the motion, as in a file that was read back.
//!
//! Only places and orientations can be asked of a pose: wishes for velocities, spins and expressions are left out, and a goal
//! that has nothing else gives none. The instant is that of the motion itself.

use super::{Goal, Instant, Residual, Wish, region, state};
use crate::dynamics::BodyState;
use crate::model::BodyId;

impl Goal {
    /// The largest violation of its places and orientations, with its unit; `pose` has a body's place and turn at a time.
    pub fn missed_by_poses(
        &self,
        instant: &Instant,
        pose: impl Fn(BodyId, f64) -> Option<BodyState>,
    ) -> Option<(f64, &'static str)> {
        let mut residuals = Vec::new();
        for wish in &self.wishes {
            wish.read_pose(|body| pose(body, instant.t()), &mut residuals)?;
        }
        let missed = residuals.iter().map(|residual| (residual.violation().abs(), residual.unit));
        missed.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

impl Wish {
    /// Adds what a pose can tell; none where a body has no pose.
    fn read_pose(&self, pose: impl Fn(BodyId) -> Option<BodyState>, residuals: &mut Vec<Residual>) -> Option<()> {
        match self {
            Wish::Position { point, wish } => state::position(*point, &pose(point.body)?, wish, residuals),
            Wish::Rotation { body, wish } => state::rotation(*body, &pose(*body)?, wish, residuals),
            Wish::RotationPart { body, wish } => state::rotation_part(*body, &pose(*body)?, wish, residuals),
            Wish::Inside { point, region, of: None } => {
                region::inside(*point, &pose(point.body)?, region, None, residuals);
            }
            Wish::Inside { point, region, of: Some(of) } => {
                region::inside(*point, &pose(point.body)?, region, Some((*of, pose(*of)?)), residuals);
            }
            Wish::Velocity { .. } | Wish::Spin { .. } | Wish::Expression(_) => {}
        }
        Some(())
    }
}
