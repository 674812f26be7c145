//! Which elements of two bodies touch where one of them is round.
//!
//! A cap that lies flat touches with corners of the polygon inscribed in its circle, as the faces of polyhedra do. Anything else
//! touches where a pair of elements is within the tolerance, inside the borders of both, and with a normal that
//! separates the bodies as well as the best axis.

use super::body::Round;
use super::elements::{Circle, Ruled};
use super::separation::{CYLINDER_FRONT, apart, each_feature};
use crate::geometry::compound::numbering::numbered;
use crate::geometry::compound::pairs::PiecePair;
use crate::geometry::feature::{Element, Feature, Side, Start};
use crate::geometry::found::{Found, beside, over};
use crate::geometry::placed::{ContactGeometry, Placed, PlacedPair};
use crate::geometry::settings::{NEARLY_PARALLEL, OWN_AXIS};
use crate::geometry::settings::{PARALLEL, TOUCHING};
use crate::geometry::solid::Solid;
use crate::math::Vec3;

impl Found<'_> {
    /// A round body on a half-space.
    pub(in crate::geometry) fn round_on_plane(&mut self, body: &Placed, round: &Round) -> Option<()> {
        let (Solid::HalfSpace(normal), pose) = self.pair.second else { return None };
        let n = pose.turn * normal;
        if let Some(vertex) = round.tip() {
            self.add(Feature::VertexPlane { vertex });
        }
        for cap in round.caps() {
            if round.lies_level(cap, &body.pose.turn.tr_mul(&n)) {
                let corners = &body.core.faces[cap as usize].corners;
                corners.iter().for_each(|&vertex| self.add(Feature::VertexPlane { vertex }));
                continue;
            }
            let circle = Circle::<Vec3>::new(body, Side::First, cap)?;
            let start = Start::at(circle.angle_of(&-n));
            self.add(Feature::Round { first: Element::Rim { cap, place: 0, start }, second: Element::Plane });
        }
        Some(())
    }

    /// Two convex bodies, one of them round, that do not lie flat on each other; `facing` is the pair's axis and `gap`
    /// its separation.
    pub(in crate::geometry) fn round_elements(&mut self, facing: &Vec3, gap: f64) -> Option<()> {
        let pair = self.pair;
        let (body, other) = (pair.convex(Side::First)?, pair.convex(Side::Second)?);
        let rounding = body.radius + other.radius;
        let separates = |n: &Vec3| apart(&body, &other, n) - rounding >= gap - OWN_AXIS;
        for (owner, holder, side) in [(&body, &other, Side::First), (&other, &body, Side::Second)] {
            for face in holder.core.true_faces() {
                let n = holder.face(face).0 * side.other().outward_sign();
                if n.dot(facing) < 0.5 || !separates(&n) {
                    continue;
                }
                for vertex in owner.core.true_vertices() {
                    if over(holder, face, &owner.vertex(vertex), TOUCHING) {
                        self.add(Feature::VertexFace { owner: side, vertex, face });
                    }
                }
            }
        }
        let mut near = Vec::new();
        each_feature(pair, facing, CYLINDER_FRONT, &mut |feature| {
            if let Some(contact) = pair.contact(&feature)
                && contact.gap <= self.tolerance
                && inside_borders(pair, &feature, &contact).unwrap_or(false)
                && separates(&contact.normal)
            {
                near.push(feature);
            }
        })?;
        // Lines that are nearly parallel count only where nothing else touches: their normal turns too fast to be held.
        for parallel in [NEARLY_PARALLEL, PARALLEL] {
            for feature in &near {
                if crossing(pair, feature).is_none_or(|sine| sine >= parallel) {
                    self.add(*feature);
                }
            }
            if !self.features.is_empty() {
                break;
            }
        }
        Some(())
    }
}

/// A cap that lies on something flat, or its rim that leans on it: two names of one contact, of which the tilt of the cap
/// decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapOnFlat {
    /// The pieces of both bodies.
    pieces: PiecePair,
    /// Whose cap it is.
    owner: Side,
    cap: u32,
    on: Element,
}

impl PlacedPair<'_> {
    /// The cap of which a feature is the rim (true) or a corner (false), on something flat; none of other features.
    pub fn cap_on_flat(&self, feature: &Feature) -> Option<(CapOnFlat, bool)> {
        let (pieces, local) = self.of_pieces(feature);
        let numbers = self.pieces_of(feature);
        let found = |owner: Side, cap: u32, on: Element, leans: bool| {
            Some((CapOnFlat { pieces: numbers, owner, cap, on }, leans))
        };
        match local.place() {
            Feature::Round { first: Element::Rim { cap, .. }, second: on @ (Element::Plane | Element::Face(_)) } => {
                found(Side::First, cap, on, true)
            }
            Feature::Round { first: on @ Element::Face(_), second: Element::Rim { cap, .. } } => {
                found(Side::Second, cap, on, true)
            }
            Feature::VertexPlane { vertex } => {
                found(Side::First, pieces.cap_with(Side::First, vertex)?, Element::Plane, false)
            }
            Feature::VertexFace { owner, vertex, face } => {
                found(owner, pieces.cap_with(owner, vertex)?, Element::Face(face), false)
            }
            _ => None,
        }
    }

    /// The rim of a cap where it is lowest over what it lies on, and how much lower (m) than on the other side; none where that
    /// point is not over it.
    pub fn lowest_of_cap(&self, feature: &Feature) -> Option<(Feature, f64)> {
        let (CapOnFlat { pieces: numbers, owner, cap, on }, _) = self.cap_on_flat(feature)?;
        let (pieces, _) = self.of_pieces(feature);
        let rim = |start: Start| Element::Rim { cap, place: 0, start };
        let (circle, n) = pieces.flat_of_rim(owner, rim(Start::at(0.0)), on)?;
        let rim = rim(Start::at(circle.angle_of(&-n)));
        let lowest = match owner {
            Side::First => Feature::Round { first: rim, second: on },
            Side::Second => Feature::Round { first: on, second: rim },
        };
        let contact = pieces.contact(&lowest)?;
        let over = on == Element::Plane || inside_borders(&pieces, &lowest, &contact)?;
        let drop = 2.0 * circle.radius * (n - circle.axis * circle.axis.dot(&n)).norm();
        over.then(|| (numbered(self, numbers, lowest), drop))
    }

    /// The cap of a round body that has a corner.
    fn cap_with(&self, owner: Side, vertex: u32) -> Option<u32> {
        let body = self.convex(owner)?;
        let corners = |cap: &u32| body.core.faces[*cap as usize].corners.contains(&vertex);
        body.core.as_round()?.caps().find(corners)
    }

    /// The corners of the cap whose rim touches something flat, as they would touch it; none where fewer than three would.
    pub fn cap_corners(&self, feature: &Feature) -> Vec<Feature> {
        let (pieces, Feature::Round { first, second }) = self.of_pieces(feature) else { return Vec::new() };
        let found = pieces.corners_on(Side::First, first, second);
        let found = found.or_else(|| pieces.corners_on(Side::Second, second, first)).unwrap_or_default();
        let places = self.pieces_of(feature);
        if found.len() < 3 {
            Vec::new()
        } else {
            found.into_iter().map(|corner| numbered(self, places, corner)).collect()
        }
    }

    fn corners_on(&self, owner: Side, rim: Element, on: Element) -> Option<Vec<Feature>> {
        let (Element::Rim { cap, .. }, body) = (rim, self.convex(owner)?) else { return None };
        let corners = body.core.faces[cap as usize].corners.iter();
        match on {
            Element::Plane => Some(corners.map(|&vertex| Feature::VertexPlane { vertex }).collect()),
            Element::Face(face) => {
                let holder = self.convex(owner.other())?;
                let lies = |vertex: &&u32| over(&holder, face, &body.vertex(**vertex), TOUCHING);
                Some(corners.filter(lies).map(|&vertex| Feature::VertexFace { owner, vertex, face }).collect())
            }
            _ => None,
        }
    }
}

/// Whether the point of contact lies on both elements.
pub(in crate::geometry) fn inside_borders(
    pair: &PlacedPair,
    feature: &Feature,
    contact: &ContactGeometry,
) -> Option<bool> {
    let (first, second) = match *feature {
        Feature::Round { first, second } => (first, second),
        Feature::VertexEdge { owner, vertex, edge } => {
            return Some(beside(&pair.convex(owner.other())?, edge, &pair.convex(owner)?.vertex(vertex)));
        }
        Feature::VertexFace { owner, vertex, face } => {
            return Some(over(&pair.convex(owner.other())?, face, &pair.convex(owner)?.vertex(vertex), TOUCHING));
        }
        _ => return Some(true),
    };
    for (side, element) in [(Side::First, first), (Side::Second, second)] {
        let body = pair.convex(side)?;
        let inside = match element {
            Element::Face(face) => over(&body, face, &contact.point, TOUCHING),
            Element::Edge(_) | Element::Side(_) => {
                let ruled = Ruled::<Vec3>::new(&body, side, element)?;
                let outward = contact.normal * side.outward_sign();
                (-TOUCHING..=ruled.length + TOUCHING).contains(&ruled.along(&outward, &contact.point))
            }
            Element::Plane | Element::Vertex(_) | Element::Rim { .. } | Element::Egg(_) => true,
        };
        if !inside {
            return Some(false);
        }
    }
    Some(true)
}

/// The sine of the angle between the axes of two straight lines that cross; none for other features.
fn crossing(pair: &PlacedPair, feature: &Feature) -> Option<f64> {
    let Feature::Round { first, second } = *feature else { return None };
    let axis = |side: Side, element: Element| Some(Ruled::<Vec3>::new(&pair.convex(side)?, side, element)?.axis);
    Some(axis(Side::First, first)?.cross(&axis(Side::Second, second)?).norm())
}
