//! The curved body that a core stands for: what bounds need of it.

use crate::geometry::curved::cylinder::body::Round;
use crate::geometry::curved::egg::body::Egg;
use crate::geometry::polyhedra::polytope::Polytope;
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
}

impl Polytope {
    /// Whether it is the core of a curved body.
    pub fn is_curved(&self) -> bool {
        self.round.is_some() || self.egg.is_some()
    }

    /// The curved body whose core this is; none where the core, rounded by a radius, is the body.
    pub fn curved(&self) -> Option<Curved> {
        let round = self.round.as_deref().copied().map(Curved::Round);
        round.or_else(|| self.egg.as_deref().copied().map(Curved::Egg))
    }
}
