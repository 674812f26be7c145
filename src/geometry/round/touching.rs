//! Which elements of two bodies touch where one of them is round.
//!
//! A cap that lies flat touches with corners of the polygon inscribed in its circle, as the faces of polyhedra do. Anything else
//! touches where a pair of elements is within the tolerance, inside the borders of both, and with a normal that
//! separates the bodies as well as the best axis.

use super::Round;
use super::contact::{Circle, Ruled};
use super::separation::{SLAB, apart, apart_on_face, each_feature, is_on_face};
use crate::geometry::feature::{ContactGeometry, Element, Feature, Placed, PlacedPair, Side, Start};
use crate::geometry::solid::Solid;
use crate::geometry::touching::{BORDER, Found, NEARLY_PARALLEL, OWN_AXIS, PARALLEL, beside, over};
use crate::math::Vec3;

/// Faces flatter to each other than this (rad), one of them a cap, form a patch.
pub(in crate::geometry) const FLAT: f64 = 1e-6;

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
        let on_face = |n: &Vec3| apart_on_face(&body, &other, n) - rounding >= gap - OWN_AXIS;
        // What touches beside a level cap on a face is measured without what the polygon of the cap misses.
        let least = gap.min(apart(&body, &other, facing) - rounding) - OWN_AXIS;
        let separates = |feature: &Feature, n: &Vec3| {
            if is_on_face(feature) { on_face(n) } else { apart(&body, &other, n) - rounding >= least }
        };
        for (owner, holder, side) in [(&body, &other, Side::First), (&other, &body, Side::Second)] {
            for face in holder.core.true_faces() {
                let n = holder.face(face).0 * side.other().outward_sign();
                if n.dot(facing) < 0.5 || !on_face(&n) {
                    continue;
                }
                for vertex in owner.core.true_vertices() {
                    if over(holder, face, &owner.vertex(vertex), BORDER) {
                        self.add(Feature::VertexFace { owner: side, vertex, face });
                    }
                }
            }
        }
        let (mut near, mut level) = (Vec::new(), Vec::new());
        each_feature(pair, facing, SLAB, &mut |feature| {
            if let Some(contact) = pair.contact(&feature)
                && contact.gap <= self.tolerance
                && inside_borders(pair, &feature, &contact).unwrap_or(false)
            {
                if separates(&feature, &contact.normal) {
                    near.push(feature);
                } else if contact.gap >= least - OWN_AXIS && has_level_rim(pair, &feature, facing, &contact.normal) {
                    level.push(feature);
                }
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
        // The lowest corner of a level cap may be beside the face that it lies on, where edges cross the rim: their normals turn
        // with the cap, and separate less.
        if self.features.is_empty() {
            level.into_iter().for_each(|feature| self.add(feature));
        }
        Some(())
    }
}

/// Whether a rim touches along an axis along which its cap is as level as along the pair's.
fn has_level_rim(pair: &PlacedPair, feature: &Feature, facing: &Vec3, normal: &Vec3) -> bool {
    let Feature::Round { first, second } = *feature else { return false };
    [(Side::First, first), (Side::Second, second)].into_iter().any(|(side, element)| {
        let (Element::Rim { cap, .. }, Some(body)) = (element, pair.convex(side)) else { return false };
        let level = |n: &Vec3| {
            let local = body.pose.turn.tr_mul(n);
            body.core.round.as_ref().is_some_and(|round| round.lies_level(cap, &local))
        };
        level(facing) && level(normal)
    })
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
            return Some(over(&pair.convex(owner.other())?, face, &pair.convex(owner)?.vertex(vertex), BORDER));
        }
        _ => return Some(true),
    };
    for (side, element) in [(Side::First, first), (Side::Second, second)] {
        let body = pair.convex(side)?;
        let inside = match element {
            Element::Face(face) => over(&body, face, &contact.point, BORDER),
            Element::Edge(_) | Element::Side(_) => {
                let ruled = Ruled::<Vec3>::new(&body, side, element)?;
                let outward = contact.normal * side.outward_sign();
                (-BORDER..=ruled.length + BORDER).contains(&ruled.along(&outward, &contact.point))
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
