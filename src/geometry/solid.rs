//! What a body is made of for collisions: a half-space, a convex core rounded by a radius, or several of these cores.

use super::pieces::{ConvexPiece, convex_pieces};
use super::pose::Pose;
use super::shape::Shape;
use crate::geometry::compound::bounds::Bounds;
use crate::geometry::compound::covering::{covered_faces, seams};
use crate::geometry::curved::egg::body::Egg;
use crate::geometry::mass::shapes::volume_integrals;
use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::{Mat3, Vec3};

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

/// A convex piece of a body, in the body frame.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Always convex.
    pub solid: Solid,
    /// How many vertices, edges and faces come before its own.
    pub(super) first: Numbers,
    bounds: Bounds,
    /// Which of its faces other pieces cover.
    pub(super) covered: Vec<bool>,
    /// Across which of its edges the body's surface goes on flat or turns inward.
    pub(super) seams: Vec<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    pub vertex: u32,
    pub edge: u32,
    pub face: u32,
}

/// Several convex pieces fixed to each other.
#[derive(Clone, Debug)]
pub struct Compound {
    /// At least two.
    pub pieces: Vec<Piece>,
    /// Largest distance of any piece from the origin.
    pub reach: f64,
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
        let moved = |piece: ConvexPiece| ConvexPiece { core: piece.core.placed(&shift), radius: piece.radius };
        Some(Solid::Compound(Compound::new(pieces.into_iter().map(moved).collect())))
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

    /// How many vertices its largest piece has that are not those of a round body.
    pub fn most_vertices(&self) -> usize {
        let vertices = |k: usize| match self.piece(k) {
            Solid::Convex { core, .. } if core.curved().is_none() => core.vertices.len(),
            _ => 0,
        };
        (0..self.piece_count()).map(vertices).max().unwrap_or(0)
    }

    /// Whether it has neither faces nor rounding: two of these never meet.
    pub fn is_particle(&self) -> bool {
        matches!(self, Solid::Convex { core, radius } if core.vertices.len() == 1 && !core.is_egg() && *radius == 0.0)
    }

    /// Whether it is the same however it turns about its origin.
    pub fn is_ball(&self) -> bool {
        let Solid::Convex { core, .. } = self else { return false };
        let centred = core.vertices.iter().all(|vertex| *vertex == Vec3::zeros());
        centred && core.as_egg().is_none_or(Egg::is_sphere)
    }
}

impl Solid {
    /// How many convex pieces it has.
    pub fn piece_count(&self) -> usize {
        match self {
            Solid::Compound(compound) => compound.pieces.len(),
            Solid::HalfSpace(_) | Solid::Convex { .. } => 1,
        }
    }

    /// One of its pieces.
    pub fn piece(&self, k: usize) -> &Solid {
        match self {
            Solid::Compound(compound) => &compound.pieces[k].solid,
            Solid::HalfSpace(_) | Solid::Convex { .. } => self,
        }
    }

    /// A box and a sphere around one of its pieces; the box of a body in one piece is that of its reach.
    pub(super) fn bounds(&self, k: usize) -> Bounds {
        match self {
            Solid::Compound(compound) => compound.pieces[k].bounds,
            Solid::HalfSpace(_) | Solid::Convex { .. } => Bounds::of_reach(self.reach()),
        }
    }

    /// A box and a sphere around a convex body, wherever it lies.
    fn tight_bounds(&self) -> Bounds {
        match self {
            Solid::Convex { core, radius } => Bounds::new(core, *radius),
            Solid::HalfSpace(_) | Solid::Compound(_) => Bounds::of_reach(self.reach()),
        }
    }

    /// How many vertices, edges and faces come before those of a piece.
    pub(super) fn first_numbers(&self, k: usize) -> Numbers {
        match self {
            Solid::Compound(compound) => compound.pieces[k].first,
            Solid::HalfSpace(_) | Solid::Convex { .. } => Numbers::default(),
        }
    }

    /// Whether the surface of the body goes on flat, or turns inward, across an edge of one of its pieces.
    pub(super) fn has_seam(&self, k: usize, edge: u32) -> bool {
        match self {
            Solid::Compound(compound) => compound.pieces[k].seams[edge as usize],
            Solid::HalfSpace(_) | Solid::Convex { .. } => false,
        }
    }

    /// Whether another piece covers a face of one of its pieces.
    pub(super) fn covers(&self, k: usize, face: u32) -> bool {
        match self {
            Solid::Compound(compound) => compound.pieces[k].is_covered(face),
            Solid::HalfSpace(_) | Solid::Convex { .. } => false,
        }
    }

    /// The number of the piece that has a vertex, an edge or a face.
    pub(super) fn piece_with(&self, first: impl Fn(&Numbers) -> u32, number: u32) -> usize {
        match self {
            Solid::Compound(compound) => compound.piece_with(first, number),
            Solid::HalfSpace(_) | Solid::Convex { .. } => 0,
        }
    }

    /// Whether it has several pieces.
    pub(super) fn is_compound(&self) -> bool {
        matches!(self, Solid::Compound(_))
    }
}

impl Piece {
    /// Whether another piece of the body covers a face, in the piece's own numbers.
    pub fn is_covered(&self, face: u32) -> bool {
        self.covered[face as usize]
    }
}

impl Compound {
    /// Of convex pieces in the body frame.
    fn new(convex: Vec<ConvexPiece>) -> Self {
        let covered: Vec<Vec<bool>> = (0..convex.len()).map(|k| covered_faces(&convex, k)).collect();
        let seams: Vec<Vec<bool>> = (0..convex.len()).map(|k| seams(&convex, k, &covered[k])).collect();
        let mut first = Numbers::default();
        let mut pieces = Vec::with_capacity(convex.len());
        for ((ConvexPiece { core, radius }, covered), seams) in convex.into_iter().zip(covered).zip(seams) {
            let (bounds, numbers) = (Bounds::new(&core, radius), first);
            first.vertex += core.vertices.len() as u32;
            first.edge += core.edges.len() as u32;
            first.face += core.faces.len() as u32;
            pieces.push(Piece { solid: Solid::Convex { core, radius }, first: numbers, bounds, covered, seams });
        }
        let reach = pieces.iter().map(|piece| piece.solid.reach()).fold(0.0, f64::max);
        Compound { pieces, reach }
    }

    fn scaled(&self, scale: f64) -> Self {
        let piece = |piece: &Piece| {
            let solid = piece.solid.scaled(scale);
            Piece { bounds: solid.tight_bounds(), solid, ..piece.clone() }
        };
        Compound { pieces: self.pieces.iter().map(piece).collect(), reach: self.reach * scale }
    }

    /// The number of the piece that has a vertex, an edge or a face.
    fn piece_with(&self, first: impl Fn(&Numbers) -> u32, number: u32) -> usize {
        // Pieces without faces share their first face with the next one: the last that begins here has it.
        self.pieces.partition_point(|piece| first(&piece.first) <= number).saturating_sub(1)
    }
}
