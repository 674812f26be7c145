//! What a body is made of for collisions: a half-space, a convex core rounded by a radius, or several of these cores.

use crate::geometry::compound::pairs::Compound;
use crate::geometry::mass::shapes::volume_integrals;
use crate::geometry::pieces::{ConvexPiece, convex_pieces};
use crate::geometry::polyhedra::polytope::Polytope;
use crate::geometry::shape::Shape;
use crate::math::{Mat3, Rotation, Vec3};

/// Where a solid is: world from body.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// The body's origin (its centre of mass) in the world.
    pub position: Vec3,
    /// World from body.
    pub turn: Mat3,
}

impl Pose {
    /// From a position and an orientation.
    pub fn new(position: Vec3, rotation: &Rotation) -> Self {
        Pose { position, turn: rotation.to_rotation_matrix().into_inner() }
    }

    /// A body point in the world.
    pub fn point(&self, point_in_body: &Vec3) -> Vec3 {
        self.position + self.turn * point_in_body
    }

    /// This pose of a frame that has another within it.
    pub fn after(&self, inner: &Pose) -> Pose {
        Pose { position: self.point(&inner.position), turn: self.turn * inner.turn }
    }

    /// A world point in the body.
    pub fn local_point(&self, point: &Vec3) -> Vec3 {
        self.turn.tr_mul(&(point - self.position))
    }
}

/// A shape prepared for collision queries, in the body frame with the centre of mass at the origin.
#[derive(Clone, Debug)]
pub enum Solid {
    /// The half-space below a plane through the origin, with its outward unit normal.
    HalfSpace(Vec3),
    /// Everything within `radius` of a convex core.
    Convex {
        /// The core.
        core: Polytope,
        /// The rounding; zero for a body with sharp edges.
        radius: f64,
    },
    /// Several convex bodies fixed to each other.
    Compound(Compound),
}

impl Solid {
    /// The solid of a shape; `None` for one without volume.
    pub fn new(shape: &Shape) -> Option<Self> {
        let convex = |core: Polytope, radius: f64| Solid::Convex { core, radius };
        Some(match shape {
            Shape::Ball { radius } => convex(Polytope::point(), *radius),
            Shape::Cuboid { half_extents } => convex(Polytope::cuboid(*half_extents), 0.0),
            Shape::Capsule { half_height, radius } => convex(Polytope::segment(*half_height), *radius),
            Shape::HalfSpace { normal } => Solid::HalfSpace(normal.normalize()),
            Shape::Particle => convex(Polytope::point(), 0.0),
            _ => return Self::about_center(shape),
        })
    }

    /// Of a shape whose own frame does not begin at its centre of mass.
    fn about_center(shape: &Shape) -> Option<Self> {
        let center = volume_integrals(shape)?.centroid;
        let mut pieces = convex_pieces(shape)?;
        if pieces.len() == 1 {
            let ConvexPiece { core, radius } = pieces.pop()?;
            return Some(Solid::Convex { core: core.centred_at(&center), radius });
        }
        let shift = Pose { position: -center, turn: Mat3::identity() };
        let solid = |piece: ConvexPiece| Solid::Convex { core: piece.core.placed(&shift), radius: piece.radius };
        Some(Solid::Compound(Compound::new(pieces.into_iter().map(solid).collect())))
    }

    /// With all lengths multiplied.
    pub fn scaled(&self, scale: f64) -> Self {
        match self {
            Solid::HalfSpace(normal) => Solid::HalfSpace(*normal),
            Solid::Convex { core, radius } => {
                Solid::Convex { core: core.clone().scaled(scale), radius: radius * scale }
            }
            Solid::Compound(compound) => Solid::Compound(compound.scaled(scale)),
        }
    }

    /// Largest distance of the solid from its origin; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        match self {
            Solid::HalfSpace(_) => f64::INFINITY,
            Solid::Convex { core, radius } => core.radius + radius,
            Solid::Compound(compound) => compound.reach,
        }
    }

    /// How far its surface is from its core, m; zero for sharp bodies and for those of several pieces, which have
    /// one each.
    pub fn rounding(&self) -> f64 {
        match self {
            Solid::HalfSpace(_) | Solid::Compound(_) => 0.0,
            Solid::Convex { radius, .. } => *radius,
        }
    }

    /// The box around it, at the origin and turned.
    pub fn extent(&self, turn: &Mat3) -> (Vec3, Vec3) {
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for k in 0..self.piece_count() {
            let Solid::Convex { core, radius } = self.piece(k) else { continue };
            // In the world's axes, seen from the body.
            let axis = |k: usize| turn.row(k).transpose();
            low = low.inf(&Vec3::from_fn(|k, _| -core.reach_along(&-axis(k)) - radius));
            high = high.sup(&Vec3::from_fn(|k, _| core.reach_along(&axis(k)) + radius));
        }
        (low, high)
    }

    /// Whether it has neither faces nor rounding: two of these never meet.
    pub fn is_particle(&self) -> bool {
        matches!(self, Solid::Convex { core, radius } if core.vertices.len() == 1 && !core.is_egg() && *radius == 0.0)
    }

    /// Whether it is the same however it turns about its origin.
    pub fn is_ball(&self) -> bool {
        let Solid::Convex { core, .. } = self else { return false };
        let centred = core.vertices.iter().all(|vertex| *vertex == Vec3::zeros());
        centred && core.egg.as_ref().is_none_or(|egg| egg.is_sphere())
    }
}
