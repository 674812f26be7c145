//! Which features of two solids touch at given poses.
//!
//! The separation says *that* they touch, features say *where*:
//!
//! ```text
//! vertices, edges and faces, sharp or rounded    polyhedra::touching
//! one is a cylinder or cone                      curved::cylinder::touching, but caps that lie flat
//! one is an egg                                  curved::egg::touching
//! of several pieces                              where any two pieces touch
//! ```
//!
//! Points that coincide say the same thing once.

use super::axis::Separation;
use super::feature::{Element, Feature, Side};
use super::found::Found;
use super::placed::PlacedPair;
use super::separation::separation;
use crate::geometry::compound::numbering::numbered;
use crate::geometry::compound::pairs::{PiecePair, each_piece_pair, facing_separation};
use crate::geometry::curved::kinds::Curved;
use crate::geometry::settings::{FLAT, SAME_POINT};
use crate::math::Vec3;

/// The features that touch: gap at most `tolerance` metres. `separation` is that of the same pair and poses.
pub fn touching(pair: &PlacedPair, separation: &Separation, tolerance: f64) -> Vec<Feature> {
    if separation.gap > tolerance {
        return Vec::new();
    }
    if pair.first.0.is_compound() || pair.second.0.is_compound() {
        return of_all_pieces(pair, tolerance, separation.normal);
    }
    let mut found = Found::new(pair, tolerance);
    match (pair.convex(Side::First), pair.convex(Side::Second)) {
        (Some(body), None) => match body.core.stands_for.as_deref() {
            Some(Curved::Round(round)) => found.round_on_plane(&body, round).unwrap_or_default(),
            Some(Curved::Egg(_)) => found.egg_on_plane(),
            None => (0..body.core.vertices.len() as u32).for_each(|vertex| found.add(Feature::VertexPlane { vertex })),
        },
        (Some(body), Some(other)) if body.core.is_egg() || other.core.is_egg() => {
            found.egg_elements(separation).unwrap_or_default();
        }
        (Some(body), Some(other)) if body.core.is_round() || other.core.is_round() => {
            let rounded = body.radius + other.radius > 0.0;
            // The sliver between a circle and its polygon has no corner: there the circle itself touches.
            if rounded || !found.patch(&body, &other, separation) || found.features.is_empty() {
                found.round_elements(&separation.normal, separation.gap).unwrap_or_default();
            }
        }
        (Some(body), Some(other)) if body.radius + other.radius > 0.0 => found.rounded(&body, &other, separation),
        (Some(body), Some(other)) => {
            if !found.patch(&body, &other, separation) {
                found.vertices_on_faces(&body, &other, separation);
                found.crossing_edges(&body, &other, separation);
            }
        }
        (None, _) => {}
    }
    found.features
}

/// The features of all pieces that touch.
fn of_all_pieces(pair: &PlacedPair, tolerance: f64, hint: Vec3) -> Vec<Feature> {
    let ((first, at), (second, second_at)) = (pair.first, pair.second);
    let mut features = Vec::new();
    let mut places: Vec<(Vec3, Vec3)> = Vec::new();
    each_piece_pair(first, at, second, second_at, |pieces, apart| {
        let [i, j] = pieces;
        if apart > tolerance || facing_separation(first.piece(i), at, second.piece(j), second_at) > tolerance {
            return;
        }
        let piece_pair = PlacedPair { first: (first.piece(i), at), second: (second.piece(j), second_at) };
        let found = separation(first.piece(i), at, second.piece(j), second_at, Some(hint));
        for feature in touching(&piece_pair, &found, tolerance) {
            let Some(contact) = piece_pair.contact(&feature) else { continue };
            let same = |(point, normal): &(Vec3, Vec3)| {
                (point - contact.point).norm() <= SAME_POINT && (normal - contact.normal).norm() <= FLAT
            };
            if !is_inner(pair, pieces, &feature) && !places.iter().any(same) {
                places.push((contact.point, contact.normal));
                features.push(numbered(pair, pieces, feature));
            }
        }
    });
    features
}

/// Whether a feature of two pieces uses a face or an edge that is no face or edge of its body.
fn is_inner(pair: &PlacedPair, [i, j]: PiecePair, feature: &Feature) -> bool {
    let solid = |side: Side| match side {
        Side::First => (pair.first.0, i),
        Side::Second => (pair.second.0, j),
    };
    let covered = |side: Side, face: u32| solid(side).0.covers(solid(side).1, face);
    let seam = |side: Side, edge: u32| solid(side).0.has_seam(solid(side).1, edge);
    match *feature {
        Feature::VertexPlane { .. } | Feature::VertexVertex { .. } => false,
        Feature::VertexFace { owner, face, .. } => covered(owner.other(), face),
        Feature::VertexEdge { owner, edge, .. } => seam(owner.other(), edge),
        Feature::EdgeEdge { first, second } => seam(Side::First, first) || seam(Side::Second, second),
        Feature::Patch { reference, face, incident_face, .. } => {
            covered(reference, face) || covered(reference.other(), incident_face)
        }
        Feature::Round { first, second } => {
            let inner = |side: Side, element: Element| match element {
                Element::Face(face) => covered(side, face),
                Element::Edge(edge) => seam(side, edge),
                Element::Plane | Element::Vertex(_) | Element::Rim { .. } | Element::Side(_) | Element::Egg(_) => false,
            };
            inner(Side::First, first) || inner(Side::Second, second)
        }
    }
}
