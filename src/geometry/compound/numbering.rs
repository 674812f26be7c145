//! Which pieces of two bodies a feature belongs to: numbers through all pieces, and within one.

use super::pairs::PiecePair;
use crate::geometry::feature::{Element, Feature, PatchCorner, Side};
use crate::geometry::placed::PlacedPair;
use crate::geometry::solid::{Numbers, Solid};

/// The feature of two pieces in the numbers of their bodies.
pub(in crate::geometry) fn numbered(pair: &PlacedPair, [i, j]: PiecePair, feature: Feature) -> Feature {
    let numbers = [pair.first.0.first_numbers(i), pair.second.0.first_numbers(j)];
    renumbered(feature, |side| numbers[side as usize], |first, number| first + number)
}

/// A feature with all numbers changed by those of its pieces.
fn renumbered(feature: Feature, of: impl Fn(Side) -> Numbers, change: impl Fn(u32, u32) -> u32) -> Feature {
    let vertex = |side: Side, number: u32| change(of(side).vertex, number);
    let edge = |side: Side, number: u32| change(of(side).edge, number);
    let face = |side: Side, number: u32| change(of(side).face, number);
    match feature {
        Feature::VertexPlane { vertex: v } => Feature::VertexPlane { vertex: vertex(Side::First, v) },
        Feature::VertexFace { owner, vertex: v, face: f } => {
            Feature::VertexFace { owner, vertex: vertex(owner, v), face: face(owner.other(), f) }
        }
        Feature::VertexVertex { first, second } => {
            Feature::VertexVertex { first: vertex(Side::First, first), second: vertex(Side::Second, second) }
        }
        Feature::VertexEdge { owner, vertex: v, edge: e } => {
            Feature::VertexEdge { owner, vertex: vertex(owner, v), edge: edge(owner.other(), e) }
        }
        Feature::EdgeEdge { first, second } => {
            Feature::EdgeEdge { first: edge(Side::First, first), second: edge(Side::Second, second) }
        }
        Feature::Patch { reference, face: f, incident_face, corner } => {
            let incident = reference.other();
            let corner = match corner {
                PatchCorner::Vertex(v) => PatchCorner::Vertex(vertex(reference, v)),
                PatchCorner::Crossing { edge: e, incident_edge } => {
                    PatchCorner::Crossing { edge: edge(reference, e), incident_edge: edge(incident, incident_edge) }
                }
            };
            Feature::Patch { reference, face: face(reference, f), incident_face: face(incident, incident_face), corner }
        }
        Feature::Round { first, second } => {
            let element = |side: Side, element: Element| match element {
                Element::Plane => Element::Plane,
                Element::Vertex(v) => Element::Vertex(vertex(side, v)),
                Element::Edge(e) => Element::Edge(edge(side, e)),
                Element::Face(f) => Element::Face(face(side, f)),
                Element::Rim { cap, place, start } => Element::Rim { cap: face(side, cap), place, start },
                Element::Side(f) => Element::Side(face(side, f)),
                Element::Egg(v) => Element::Egg(vertex(side, v)),
            };
            Feature::Round { first: element(Side::First, first), second: element(Side::Second, second) }
        }
    }
}

impl<'a> PlacedPair<'a> {
    /// Which piece of each body a feature belongs to.
    pub fn pieces_of(&self, feature: &Feature) -> PiecePair {
        let solid = |side: Side| if side == Side::First { self.first.0 } else { self.second.0 };
        let vertex = |side: Side, number: u32| solid(side).piece_with(|first| first.vertex, number);
        let edge = |side: Side, number: u32| solid(side).piece_with(|first| first.edge, number);
        let face = |side: Side, number: u32| solid(side).piece_with(|first| first.face, number);
        let ordered = |owner: Side, own: usize, other: usize| match owner {
            Side::First => [own, other],
            Side::Second => [other, own],
        };
        match *feature {
            Feature::VertexPlane { vertex: v } => [vertex(Side::First, v), 0],
            Feature::VertexFace { owner, vertex: v, face: f } => {
                ordered(owner, vertex(owner, v), face(owner.other(), f))
            }
            Feature::VertexVertex { first, second } => [vertex(Side::First, first), vertex(Side::Second, second)],
            Feature::VertexEdge { owner, vertex: v, edge: e } => {
                ordered(owner, vertex(owner, v), edge(owner.other(), e))
            }
            Feature::EdgeEdge { first, second } => [edge(Side::First, first), edge(Side::Second, second)],
            Feature::Patch { reference, face: f, incident_face, .. } => {
                ordered(reference, face(reference, f), face(reference.other(), incident_face))
            }
            Feature::Round { first, second } => {
                let piece = |side: Side, element: Element| match element {
                    Element::Plane => 0,
                    Element::Vertex(v) | Element::Egg(v) => vertex(side, v),
                    Element::Edge(e) => edge(side, e),
                    Element::Face(f) | Element::Side(f) | Element::Rim { cap: f, .. } => face(side, f),
                };
                [piece(Side::First, first), piece(Side::Second, second)]
            }
        }
    }

    /// The two pieces that a feature belongs to, and the feature in their numbers.
    pub fn of_pieces(&self, feature: &Feature) -> (PlacedPair<'a>, Feature) {
        let ((first, at), (second, second_at)) = (self.first, self.second);
        if !first.is_compound() && !second.is_compound() {
            return (*self, *feature);
        }
        let [i, j] = self.pieces_of(feature);
        let numbers = [first.first_numbers(i), second.first_numbers(j)];
        let feature = renumbered(*feature, |side| numbers[side as usize], |first, number| number - first);
        (PlacedPair { first: (first.piece(i), at), second: (second.piece(j), second_at) }, feature)
    }

    /// Whether one of the pieces that a feature belongs to is rounded or an egg.
    pub fn is_rounded(&self, feature: &Feature) -> bool {
        let (pieces, _) = self.of_pieces(feature);
        let rounded = |solid: &Solid| matches!(solid, Solid::Convex { core, radius } if *radius > 0.0 || core.is_egg());
        rounded(pieces.first.0) || rounded(pieces.second.0)
    }
}
