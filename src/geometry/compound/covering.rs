//! Which faces and edges of pieces are no faces and edges of the body that they make.
//!
//! Where pieces lie flush, a face that another piece covers is no surface of the body, and an edge across which the
//! surface goes on flat is no edge: a thing that slides over a seam would bump into it.

use crate::geometry::pieces::ConvexPiece;
use crate::geometry::polyhedra::polytope::{Edge, Polytope};
use crate::geometry::settings::{COVER_INSET, SAME_PLACE};
use crate::math::Vec3;

/// Which faces of a piece another one covers completely.
pub(in crate::geometry) fn covered_faces(pieces: &[ConvexPiece], k: usize) -> Vec<bool> {
    let ConvexPiece { core, radius } = &pieces[k];
    let others = || pieces.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, other)| other);
    let covers = |face: usize, other: &ConvexPiece| face_points(core, face).all(|point| holds(other, &point));
    (0..core.faces.len()).map(|face| *radius == 0.0 && others().any(|other| covers(face, other))).collect()
}

/// Edges between a covered face and an open one beyond which another piece goes on at the open one's height or above.
pub(in crate::geometry) fn seams(pieces: &[ConvexPiece], k: usize, covered: &[bool]) -> Vec<bool> {
    let core = &pieces[k].core;
    let is_seam = |edge: &Edge| {
        let Some([a, b]) = edge.faces else { return false };
        let (hidden, open) = if covered[a as usize] { (a, b) } else { (b, a) };
        let [from, to] = edge.ends.map(|end| core.vertices[end as usize]);
        let (out, up) = (core.faces[hidden as usize].normal, core.faces[open as usize].normal);
        // Beyond the edge, just under the plane of the open face.
        let flat = (out - up * up.dot(&out)).normalize();
        let beyond = 0.5 * (from + to) + (flat * COVER_INSET - up * SAME_PLACE) * core.size;
        covered[hidden as usize] && inside_another(pieces, k, &beyond)
    };
    core.edges.iter().map(is_seam).collect()
}

/// Whether a point is inside one of the pieces other than number k.
fn inside_another(pieces: &[ConvexPiece], k: usize, point: &Vec3) -> bool {
    pieces.iter().enumerate().any(|(j, other)| j != k && holds(other, point))
}

/// Whether a sharp piece holds a point.
fn holds(piece: &ConvexPiece, point: &Vec3) -> bool {
    let ConvexPiece { core, radius } = piece;
    !core.faces.is_empty() && *radius == 0.0 && core.faces.iter().all(|face| face.normal.dot(point) <= face.offset)
}

/// The corners of a face, moved a little inward and out in front of it.
fn face_points(core: &Polytope, face: usize) -> impl Iterator<Item = Vec3> + '_ {
    let face = &core.faces[face];
    let corner = |&k: &u32| core.vertices[k as usize];
    let center = face.corners.iter().map(corner).sum::<Vec3>() / face.corners.len() as f64;
    face.corners.iter().map(corner).map(move |p| {
        let inward = center - p;
        p + inward * (COVER_INSET * core.size / inward.norm()).min(0.5) + face.normal * (SAME_PLACE * core.size)
    })
}
