//! The end of a whirl: a rim that moves up and down slower than counts as motion lies down on its cap.
//!
//! The lowest point of a rim on something flat runs around at a rate that grows without bound while the cap sinks: with the
//! tilt α of a thin disc of radius r
//!
//! ```text
//! Ω² = 4g/(r·α),     speed of the rim up and down  r·α·Ω = √(4g·r·α)                                 (1)
//! ```
//!
//! Nothing ever strikes on the way, so that no impact can end it. As bounces end where they are slower than the rest speed,
//! a whirl ends where all of the rim moves slower than that, lies within `FARTHEST` and does not rise: the corners of the cap are
//! drawn onto what is below, and a blow without restitution takes what is left of the motion. Where that cannot be (something
//! else is in the way, or carries the body too, or it would move too far) the whirl goes on. A body that is struck again and
//! again, as one that a heavier squeezes, lies down however fast its rim is: no step could follow it.

use super::super::tape::StepId;
use super::super::trajectory::End;
use super::agenda::Closing;
use super::cut::GroupCut;
use super::state::Engine;
use super::state::Instant;
use super::steps::ActiveStep;
use crate::dynamics::BodyState;
use crate::geometry::{Feature, PlacedPair, Pose, TOUCHING};
use crate::math::Vec3;
use crate::model::Pair;
use crate::simulation::settings::{FARTHEST, SAME_GAP};

/// A step whose end has a rim lying down.
pub struct Lying {
    pair: Pair,
    normal: Vec3,
    /// The group, with corners of the cap in the place of its rim.
    together: GroupCut,
    /// Its states, lying.
    states: Vec<BodyState>,
}

/// A rim slow enough to lie down.
struct SlowRim {
    contact: usize,
    corners: Vec<Feature>,
    normal: Vec3,
}

impl Engine<'_> {
    /// The first rim that lies down where a step ends, if one can.
    pub fn lying(&self, t: f64, step: &ActiveStep) -> Option<Lying> {
        let slow = self.slow_rim(t, step)?;
        let mut together = GroupCut::new(self.world.gravity);
        together.add_step(t, step);
        let rim = together.group.contacts.remove(slow.contact);
        together.active.remove(slow.contact);
        let known = together.group.contacts.len();
        together.add_features(rim.pair, [rim.first, rim.second], slow.corners.into_iter(), true);
        let states = together.group.projected(&together.states, &together.active);
        let gaps = together.group.contact_geometry(&states);
        let lies = gaps[known..].iter().all(|at| at.is_some_and(|at| at.gap.abs() <= SAME_GAP));
        (lies && self.is_free(t, &together, &states)).then_some(Lying {
            pair: rim.pair,
            normal: slow.normal,
            together,
            states,
        })
    }

    /// A pressing contact of a rim all of which is low, slow (or crowded) and does not rise.
    fn slow_rim(&self, t: f64, step: &ActiveStep) -> Option<SlowRim> {
        let ActiveStep { group, outcome, .. } = step;
        if !group.has_curves() {
            return None;
        }
        let fastest = if self.is_crowded(t, group) { f64::INFINITY } else { self.world.rest_speed };
        let poses: Vec<Pose> = outcome.end.iter().map(BodyState::pose).collect();
        (0..group.contacts.len()).filter(|&i| outcome.presses(i)).find_map(|contact| {
            let held = &group.contacts[contact];
            let place = |k: usize| (&*group.members[k].solid, &poses[k]);
            let pair = PlacedPair { first: place(held.first), second: place(held.second) };
            let (corners, mut normal, mut sum) = (pair.cap_corners(&held.feature), Vec3::zeros(), 0.0);
            for corner in &corners {
                let at = pair.contact(corner)?;
                let velocity = |k: usize| outcome.end[k].point_velocity(at.point);
                let rate = at.normal.dot(&(velocity(held.first) - velocity(held.second)));
                if at.gap > FARTHEST || rate.abs() > fastest {
                    return None;
                }
                (normal, sum) = (at.normal, sum + rate);
            }
            (!corners.is_empty() && sum <= 0.0).then_some(SlowRim { contact, corners, normal })
        })
    }

    /// Whether what lies down comes no deeper into anything, by more than counts as touching.
    fn is_free(&self, t: f64, together: &GroupCut, states: &[BodyState]) -> bool {
        let gap = |pair: Pair, states: &[BodyState]| {
            let state = |body| together.group.place(body).map_or_else(|| self.state(body, t), |place| states[place]);
            self.separation(pair, [&state(pair.first), &state(pair.second)], None).gap
        };
        together.group.members.iter().filter(|member| member.is_pushed()).all(|member| {
            let neighbors = self.runners.neighbors(member.body);
            neighbors.iter().map(|&other| self.world.ordered(member.body, other)).all(|pair| {
                let there = gap(pair, states);
                there >= -TOUCHING || there >= gap(pair, &together.states) - TOUCHING
            })
        })
    }

    /// Ends a step with a cap on what was below its rim.
    pub fn lie_down(&mut self, id: StepId, t: f64, lying: Lying) -> Result<(), End> {
        let Lying { pair, normal, together, states } = lying;
        self.record_group_cut(vec![id], &together);
        let mut instant = Instant::new();
        for (k, member) in together.group.members.iter().enumerate().filter(|(_, member)| member.is_pushed()) {
            self.record.shorten_path(member.body, t, &together.unprojected[k], &states[k]);
            instant.insert(member.body, states[k]);
        }
        let versions = self.versions(pair);
        let closing = Closing { pair, versions, normal, widest_gap: 0.0, below: t, urgent: true };
        self.collide_around(t, &closing, &[], instant, true)
    }
}
