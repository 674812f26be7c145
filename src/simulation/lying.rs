//! The end of a whirl: a rim that runs around slower than counts as motion lies down on its cap.
//!
//! The lowest point of a rim on something flat runs around at a rate that grows without bound while the cap sinks: with the
//! tilt α of a thin disc of radius r
//!
//! ```text
//! Ω² = 4g/(r·α),     speed of the rim up and down  r·α·Ω = √(4g·r·α)                                 (1)
//! ```
//!
//! Nothing ever strikes on the way, so that no impact can end it. As bounces end where they are slower than the rest speed,
//! a whirl ends where all of the rim moves slower than that, lies within `LYING` and does not rise: the corners of the cap are
//! drawn onto what is below, and a blow without restitution takes what is left of the motion.

use super::cut::JointCut;
use super::engine::{Closing, Engine};
use super::holding::ActiveStep;
use super::impacts::Instant;
use super::tape::StepId;
use super::trajectory::End;
use crate::dynamics::BodyState;
use crate::geometry::{Feature, PlacedPair, Pose};
use crate::math::Vec3;

/// A cap lies down from at most this height (m) of its highest corner, and half of it in the middle: a tenth of a millimetre.
const LYING: f64 = 1e-4;

/// A held contact of a rim that lies down.
pub(super) struct Lying {
    /// Its place among the contacts.
    contact: usize,
    /// The corners of its cap that come to lie.
    corners: Vec<Feature>,
    normal: Vec3,
}

impl Engine {
    /// The first contact of a step whose rim lies down where it ends.
    pub(super) fn lying(&self, step: &ActiveStep) -> Option<Lying> {
        let ActiveStep { group, outcome, .. } = step;
        let poses: Vec<Pose> = outcome.end.iter().map(BodyState::pose).collect();
        (0..group.contacts.len()).filter(|&i| outcome.presses(i)).find_map(|i| {
            let contact = &group.contacts[i];
            let [first, second] = [contact.first, contact.second];
            let pair = PlacedPair {
                first: (&*group.members[first].solid, &poses[first]),
                second: (&*group.members[second].solid, &poses[second]),
            };
            let (corners, mut normal, mut sum) = (pair.cap_corners(&contact.feature), Vec3::zeros(), 0.0);
            for corner in &corners {
                let at = pair.contact(corner)?;
                let velocity = |k: usize| outcome.end[k].point_velocity(at.point);
                let rate = at.normal.dot(&(velocity(first) - velocity(second)));
                if at.gap > LYING || rate.abs() > self.world.rest_speed {
                    return None;
                }
                (normal, sum) = (at.normal, sum + rate);
            }
            (!corners.is_empty() && sum <= 0.0).then_some(Lying { contact: i, corners, normal })
        })
    }

    /// Ends a step with a cap on what was below its rim.
    pub(super) fn lie_down(&mut self, id: StepId, t: f64, step: &ActiveStep, lying: &Lying) -> Result<(), End> {
        let mut joint = JointCut::new(self.world.gravity);
        joint.add_step(t, step);
        let rim = joint.group.contacts.remove(lying.contact);
        joint.active.remove(lying.contact);
        joint.add_features(rim.pair, [rim.first, rim.second], lying.corners.iter().copied(), true);
        let projected = joint.group.projected(&joint.states, &joint.active);
        self.record_joint_cut(vec![id], &joint);
        let mut instant = Instant::new();
        for (k, member) in joint.group.members.iter().enumerate().filter(|(_, member)| !member.is_fixed()) {
            self.shorten_path(member.body, t, &joint.unprojected[k], &projected[k]);
            instant.insert(member.body, projected[k]);
        }
        let versions = self.versions(rim.pair);
        let closing = Closing {
            pair: rim.pair,
            versions,
            normal: lying.normal,
            widest_gap: 0.0,
            below: t,
            urgent: true,
            lies: true,
        };
        self.collide_around(t, &closing, &[], instant)
    }
}
