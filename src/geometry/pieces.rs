//! The convex pieces that a shape is made of, in the shape's own frame.

use super::shape::{Part, Shape};
use crate::geometry::curved::cylinder::body::{CORNERS, Round};
use crate::geometry::curved::egg::body::Egg;
use crate::geometry::curved::kinds::Curved;
use crate::geometry::polyhedra::lathe::{Ring, Wall, egg_rings, lathe, staves};
use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::Vec3;

/// Everything within `radius` of a core.
#[derive(Clone, Debug)]
pub(super) struct ConvexPiece {
    pub core: Polytope,
    pub radius: f64,
}

/// The pieces of a shape; `None` for a shape without a finite, positive volume.
pub(super) fn convex_pieces(shape: &Shape) -> Option<Vec<ConvexPiece>> {
    let one = |core: Polytope, radius: f64| Some(vec![ConvexPiece { core: core.sized(), radius }]);
    match shape {
        Shape::Ball { radius } => one(Polytope::point(), *radius),
        Shape::Cuboid { half_extents } => one(Polytope::cuboid(*half_extents), 0.0),
        Shape::Capsule { half_height, radius } => one(Polytope::segment(*half_height), *radius),
        Shape::Hull { points } => one(Polytope::hull(points)?, 0.0),
        Shape::Cylinder { half_height, radius, segments } => {
            one(straight([(-half_height, *radius), (*half_height, *radius)], *segments), 0.0)
        }
        Shape::Cone { half_height, radius, segments } => {
            one(straight([(-half_height, *radius), (*half_height, 0.0)], *segments), 0.0)
        }
        Shape::Egg { radius, tip, base, segments } => one(egg(*radius, *tip, *base, *segments), 0.0),
        Shape::Tube { half_height, radius, top_radius, thickness, arc, segments } => {
            let wall =
                Wall { half_height: *half_height, radius: *radius, top_radius: *top_radius, thickness: *thickness };
            let piece = |core: Polytope| ConvexPiece { core: core.sized(), radius: 0.0 };
            Some(staves(&wall, *arc, *segments).into_iter().map(piece).collect())
        }
        Shape::Parabola { half_width, height, half_depth, thickness, segments } => {
            let half = Vec3::new(*half_width, *height, *half_depth);
            Some((0..*segments).map(|k| trough_piece(half, *thickness, k, *segments)).collect())
        }
        Shape::Mesh(mesh) => {
            Some(mesh.pieces.iter().map(|core| ConvexPiece { core: core.clone(), radius: 0.0 }).collect())
        }
        Shape::Compound { parts, .. } => {
            let pieces: Option<Vec<_>> = parts.iter().map(placed_pieces).collect();
            Some(pieces?.into_iter().flatten().collect())
        }
        Shape::HalfSpace { .. } | Shape::Particle => None,
    }
}

/// The body between two circles about y: a polyhedron with this many sides, or round.
fn straight(rings: [Ring; 2], segments: Option<u32>) -> Polytope {
    let core = lathe(&rings, segments.unwrap_or(CORNERS));
    let round = || Box::new(Curved::Round(Round::new(rings, CORNERS)));
    Polytope { stands_for: segments.is_none().then(round), ..core }
}

/// A polyhedron with this many sides, or smooth.
fn egg(radius: f64, tip: f64, base: f64, segments: Option<u32>) -> Polytope {
    match segments {
        Some(segments) => lathe(&egg_rings(radius, tip, base, segments), segments),
        None => {
            let egg = Egg { center: Vec3::zeros(), axis: Vec3::y(), radius, tip, base };
            let reach = egg.farthest_from(&Vec3::zeros());
            Polytope { stands_for: Some(Box::new(Curved::Egg(egg))), radius: reach, size: reach, ..Polytope::point() }
        }
    }
}

/// What lies below edge k of a parabola: `half` has its half width, its height and its half depth.
fn trough_piece(half: Vec3, thickness: f64, k: u32, segments: u32) -> ConvexPiece {
    let end = |k: u32| 2.0 * f64::from(k) / f64::from(segments) - 1.0;
    // Numbered as the corners of a cuboid: bit 4 for the left end, 2 for the bottom, 1 for the back.
    let corner = |bits: u32| {
        let part = end(if bits & 4 == 0 { k + 1 } else { k });
        let y = if bits & 2 == 0 { half.y * part * part } else { -thickness };
        Vec3::new(half.x * part, y, if bits & 1 == 0 { half.z } else { -half.z })
    };
    ConvexPiece { core: Polytope::hexahedron((0..8).map(corner).collect()).sized(), radius: 0.0 }
}

/// The pieces of a part, in the file's frame.
fn placed_pieces(part: &Part) -> Option<Vec<ConvexPiece>> {
    let pieces = convex_pieces(&part.shape)?;
    if part.position == Vec3::zeros() && part.rotation == Vec3::zeros() {
        return Some(pieces);
    }
    let pose = part.pose();
    let place = |piece: ConvexPiece| ConvexPiece { core: piece.core.placed(&pose), ..piece };
    Some(pieces.into_iter().map(place).collect())
}
