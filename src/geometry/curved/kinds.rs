//! The kinds of curved bodies, and what each of them answers.
//!
//! A new kind is a variant here with a folder beside `cylinder` and `egg`: its numbers in `body`, its gaps, contact points and
//! normals with their derivatives in `contact`, the axis along which it is apart from others in `separation`, and which
//! of its elements touch in `touching`.

use super::cylinder::body::Round;
use super::egg::body::Egg;
use crate::geometry::pose::Pose;
use crate::math::Vec3;

/// A cylinder, a cone or an egg, in the body frame.
#[derive(Clone, Copy, Debug)]
pub enum Curved {
    /// Circles about an axis.
    Round(Round),
    /// Smooth all over.
    Egg(Egg),
}

impl Curved {
    /// The farthest point in a direction.
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        match self {
            Curved::Round(round) => round.support(direction),
            Curved::Egg(egg) => egg.support(direction),
        }
    }

    /// How far it reaches in a direction.
    pub(in crate::geometry) fn reach_along(&self, direction: &Vec3) -> f64 {
        match self {
            Curved::Round(round) => round.reach_along(direction),
            Curved::Egg(egg) => egg.reach_along(direction),
        }
    }

    /// How far its farthest point is from a point, or a little more.
    pub(in crate::geometry) fn farthest_from(&self, point: &Vec3) -> f64 {
        match self {
            Curved::Round(round) => round.farthest_from(point),
            Curved::Egg(egg) => egg.farthest_from(point),
        }
    }

    /// Turned and moved to a place in another frame.
    pub(in crate::geometry) fn placed(&self, pose: &Pose) -> Self {
        match self {
            Curved::Round(round) => Curved::Round(round.placed(pose)),
            Curved::Egg(egg) => Curved::Egg(egg.placed(pose)),
        }
    }

    /// With all lengths multiplied.
    pub(in crate::geometry) fn scaled(&self, scale: f64) -> Self {
        match self {
            Curved::Round(round) => Curved::Round(round.scaled(scale)),
            Curved::Egg(egg) => Curved::Egg(egg.scaled(scale)),
        }
    }
}
