//! The curved body that a core stands for, and what is asked of a core whether it stands for one or not.
//!
//! A core is a polytope that may stand for a curved body: a cylinder or a cone for the polyhedron inscribed in it, an egg
//! for the point at its middle.

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

    /// The core of an egg about y.
    pub(in crate::geometry) fn egg(radius: f64, tip: f64, base: f64) -> Self {
        let egg = Egg { center: Vec3::zeros(), axis: Vec3::y(), radius, tip, base };
        let reach = egg.farthest_from(&Vec3::zeros());
        Polytope { egg: Some(Box::new(egg)), radius: reach, size: reach, ..Polytope::point() }
    }

    /// Whether the body whose core this is has a round side.
    pub(in crate::geometry) fn is_round(&self) -> bool {
        self.round.is_some()
    }

    /// Whether the body whose core this is is an egg.
    pub(in crate::geometry) fn is_egg(&self) -> bool {
        self.egg.is_some()
    }

    /// The faces that are faces of the body whose core this is.
    pub(in crate::geometry) fn true_faces(&self) -> impl Iterator<Item = u32> + '_ {
        let all = if self.round.is_none() { 0..self.faces.len() as u32 } else { 0..0 };
        self.round.as_deref().into_iter().flat_map(Round::caps).chain(all)
    }

    /// The same for vertices.
    pub(in crate::geometry) fn true_vertices(&self) -> impl Iterator<Item = u32> + '_ {
        let all = if self.round.is_none() && self.egg.is_none() { 0..self.vertices.len() as u32 } else { 0..0 };
        self.round.as_deref().into_iter().filter_map(Round::tip).chain(all)
    }

    /// How far it reaches in a direction of its frame.
    pub(crate) fn reach_along(&self, direction: &Vec3) -> f64 {
        match (&self.round, &self.egg) {
            (Some(round), _) => round.reach_along(direction),
            (None, Some(egg)) => egg.reach_along(direction),
            (None, None) => self.vertices.iter().map(|v| direction.dot(v)).fold(f64::NEG_INFINITY, f64::max),
        }
    }
}
