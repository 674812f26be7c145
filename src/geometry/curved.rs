//! The curved body that a core stands for: what bounds need of it.

use super::polytope::Polytope;
use super::round::Round;
use super::smooth::Egg;
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
    /// The farthest point in a direction, with polygons for some of its circles.
    pub fn support_of_polygons(&self, direction: &Vec3, polygons: [bool; 2]) -> Vec3 {
        match self {
            Curved::Round(round) => round.support_of_polygons(direction, polygons),
            Curved::Egg(egg) => egg.support(direction),
        }
    }

    /// Which of its circles are level along a direction.
    pub fn level_ends(&self, direction: &Vec3) -> [bool; 2] {
        match self {
            Curved::Round(round) => round.level_ends(direction),
            Curved::Egg(_) => [false; 2],
        }
    }

    /// How long (s) those stay so while the direction turns with a rate.
    pub fn level_until(&self, direction: &Vec3, rate: &Vec3, polygons: [bool; 2]) -> f64 {
        match self {
            Curved::Round(round) => round.level_until(direction, rate, polygons),
            Curved::Egg(_) => f64::INFINITY,
        }
    }
}

impl Polytope {
    /// The curved body whose core this is; none where the core, rounded by a radius, is the body.
    pub fn curved(&self) -> Option<Curved> {
        let round = self.round.as_deref().copied().map(Curved::Round);
        round.or_else(|| self.egg.as_deref().copied().map(Curved::Egg))
    }
}
