//! How far apart two convex bodies are of which one is round.
//!
//! The axes that can be best are the normals of pairs of elements: of faces, of a side with a vertex, of crossing edges and
//! sides, of circles with edges, sides and circles, and where the other body is rounded of circles with vertices. Every
//! one is measured against both bodies whole, so that the result is a true separation. The search begins at the axis
//! between the nearest points.

use super::body::{Round, SIDE};
use super::elements::{Circle, Ruled};
use super::search::{minima_on_circle, minima_on_ruled};
use crate::geometry::axis::{Separation, along, along_at_most, nearest_axis};
use crate::geometry::feature::{Element, Feature, Side, Start};
use crate::geometry::placed::{Placed, PlacedPair};
use crate::geometry::settings::{BORDER, FAR_APART, THIN};
use crate::math::Vec3;

/// Elements within this part of a body's size of its foremost point are at its front: the axis from which the search
/// begins may be off by as much (rad).
pub(super) const CYLINDER_FRONT: f64 = 0.05;
/// Rounds of the search: each begins at the axis that the last one found.
const ROUNDS: usize = 4;

/// The separation of two bodies; `None` where one is not convex.
pub(in crate::geometry) fn round_separation(pair: &PlacedPair, hint: Option<Vec3>) -> Option<Separation> {
    let (first, second) = (pair.convex(Side::First)?, pair.convex(Side::Second)?);
    let rounding = first.radius + second.radius;
    let value = |normal: Vec3| Separation { gap: apart(&first, &second, &normal) - rounding, normal };
    let unknown = Separation { gap: f64::NEG_INFINITY, normal: Vec3::y() };
    let nearest = nearest_axis(first.core, first.pose, second.core, second.pose);
    let axes = [nearest, hint].into_iter().flatten().map(value);
    let start = axes.fold(unknown, |best, axis| if axis.gap > best.gap { axis } else { best });
    let size = first.size().min(second.size());
    if start.gap > FAR_APART * size {
        return Some(start);
    }
    let mut best = best_normal(pair, CYLINDER_FRONT, &start.normal, &value)?.unwrap_or(start);
    for _ in 1..ROUNDS {
        match best_normal(pair, CYLINDER_FRONT, &best.normal, &value)? {
            Some(improved) if improved.gap > best.gap => best = improved,
            _ => break,
        }
    }
    if best.gap < -THIN * size {
        best = best_normal(pair, f64::MAX, &best.normal, &value)?.unwrap_or(best);
    }
    Some(if start.gap > best.gap + BORDER { start } else { best })
}

/// The best of the normals that elements at the fronts of both bodies make, along an axis near `facing`.
fn best_normal(
    pair: &PlacedPair,
    slab: f64,
    facing: &Vec3,
    value: &impl Fn(Vec3) -> Separation,
) -> Option<Option<Separation>> {
    let mut best: Option<Separation> = None;
    let (first, second) = (pair.convex(Side::First)?, pair.convex(Side::Second)?);
    let rounding = first.radius + second.radius;
    let dear = first.core.has_many_vertices() || second.core.has_many_vertices();
    // An axis that a few vertices show to be no better need not be measured.
    let is_worse = |normal: &Vec3, best: &Separation| {
        dear && along_at_most(first.core, first.pose, second.core, second.pose, normal) - rounding <= best.gap
    };
    each_normal(pair, facing, slab, &mut |normal| {
        for normal in [normal, -normal] {
            if best.is_some_and(|best| is_worse(&normal, &best)) {
                continue;
            }
            let found = value(normal);
            if best.is_none_or(|best| found.gap > best.gap) && found.gap.is_finite() {
                best = Some(found);
            }
        }
    })?;
    Some(best)
}

/// Along an axis, rounding apart.
pub(super) fn apart(first: &Placed, second: &Placed, n: &Vec3) -> f64 {
    along(first.core, first.pose, second.core, second.pose, n)
}

/// The normals that elements make, of either sign.
fn each_normal(pair: &PlacedPair, facing: &Vec3, slab: f64, visit: &mut impl FnMut(Vec3)) -> Option<()> {
    for side in [Side::First, Side::Second] {
        let body = pair.convex(side)?;
        let outward = facing * side.outward_sign();
        let offered = Front::new(&body, &outward, slab);
        offered.faces.iter().for_each(|&face| visit(body.face(face).0));
    }
    each_feature(pair, facing, slab, &mut |feature| {
        if !is_on_face(&feature)
            && let Some(contact) = pair.contact(&feature)
        {
            visit(contact.normal);
        }
    })
}

/// Whether what touches has the normal of a face.
fn is_on_face(feature: &Feature) -> bool {
    matches!(
        feature,
        Feature::Round { first: Element::Face(_), .. }
            | Feature::Round { second: Element::Face(_), .. }
            | Feature::VertexFace { .. }
    )
}

/// Calls `visit` for every feature, but for corners of the bodies on faces, that may touch along an axis near `facing`.
pub(super) fn each_feature(pair: &PlacedPair, facing: &Vec3, slab: f64, visit: &mut impl FnMut(Feature)) -> Option<()> {
    for owner in [Side::First, Side::Second] {
        let (body, other) = (pair.convex(owner)?, pair.convex(owner.other())?);
        let Some(round) = body.core.as_round() else { continue };
        let own = Front::new(&body, &(facing * owner.outward_sign()), slab);
        let offered = Front::new(&other, &(facing * owner.other().outward_sign()), slab);
        let mut found = |own: Element, on: Element| match owner {
            Side::First => visit(Feature::Round { first: own, second: on }),
            Side::Second => visit(Feature::Round { first: on, second: own }),
        };
        for &cap in &own.rims {
            let circle = Circle::<Vec3>::new(&body, owner, cap)?;
            let rim = |angle: f64, place: i8| Element::Rim { cap, place, start: Start::at(angle) };
            for &face in &offered.faces {
                let n = other.face(face).0;
                if !round.lies_level(cap, &body.pose.turn.tr_mul(&n)) {
                    found(rim(circle.angle_of(&-n), 0), Element::Face(face));
                }
            }
            for &on in &offered.lines {
                let ruled = Ruled::<Vec3>::new(&other, owner.other(), on)?;
                let minima = minima_on_ruled(&circle, &ruled);
                let along = minima.map(|angle| Some(ruled.axis.dot(&circle.spoke_and_tangent(angle?).0)));
                for (angle, place) in minima.into_iter().zip(places(along)) {
                    angle.into_iter().for_each(|angle| found(rim(angle, place), on));
                }
            }
            if other.radius > 0.0 {
                let vertices = &offered.vertices;
                vertices.iter().for_each(|&vertex| found(rim(0.0, 0), Element::Vertex(vertex)));
            }
        }
        let side = Element::Side(SIDE);
        offered.vertices.iter().for_each(|&vertex| found(side, Element::Vertex(vertex)));
        for &on in &offered.lines {
            if owner == Side::First || matches!(on, Element::Edge(_)) {
                found(side, on);
            }
        }
        each_level_corner(owner, &body, &other, [&own, &offered], visit);
        if other.radius > 0.0 {
            own.vertices.iter().for_each(|&tip| each_at_tip(owner, tip, &offered, visit));
        }
    }
    each_pair_of_rims(pair, facing, slab, visit)
}

/// Names for the places at which a circle is near a line, from the parts of their spokes along it: ahead, back, or aside. Two
/// of them are never both aside.
fn places(along: [Option<f64>; 4]) -> [i8; 4] {
    const ASIDE: f64 = 0.05;
    let aside = along.iter().flatten().filter(|along| along.abs() < ASIDE).count();
    along.map(|along| match along {
        Some(along) if along.abs() >= ASIDE || aside > 1 => along.signum() as i8,
        _ => 0,
    })
}

/// The corners of caps that lie level on faces of the other body.
fn each_level_corner(
    owner: Side,
    body: &Placed,
    other: &Placed,
    [own, offered]: [&Front; 2],
    visit: &mut impl FnMut(Feature),
) {
    let Some(round) = body.core.as_round() else { return };
    for (&cap, &face) in own.rims.iter().flat_map(|cap| offered.faces.iter().map(move |face| (cap, face))) {
        if round.lies_level(cap, &body.pose.turn.tr_mul(&other.face(face).0)) {
            let corners = &body.core.faces[cap as usize].corners;
            corners.iter().for_each(|&vertex| visit(Feature::VertexFace { owner, vertex, face }));
        }
    }
}

/// The tip of a cone beside a rounded body.
fn each_at_tip(owner: Side, tip: u32, offered: &Front, visit: &mut impl FnMut(Feature)) {
    for &vertex in &offered.vertices {
        visit(match owner {
            Side::First => Feature::VertexVertex { first: tip, second: vertex },
            Side::Second => Feature::VertexVertex { first: vertex, second: tip },
        });
    }
    for on in &offered.lines {
        if let Element::Edge(edge) = *on {
            visit(Feature::VertexEdge { owner, vertex: tip, edge });
        }
    }
}

fn each_pair_of_rims(pair: &PlacedPair, facing: &Vec3, slab: f64, visit: &mut impl FnMut(Feature)) -> Option<()> {
    let (body, other) = (pair.convex(Side::First)?, pair.convex(Side::Second)?);
    let front = Front::new(&body, &(facing * Side::First.outward_sign()), slab);
    let other_front = Front::new(&other, &(facing * Side::Second.outward_sign()), slab);
    for &cap in &front.rims {
        let circle = Circle::<Vec3>::new(&body, Side::First, cap)?;
        for &other_cap in &other_front.rims {
            let second = Circle::<Vec3>::new(&other, Side::Second, other_cap)?;
            let minima = minima_on_circle([&circle, &second]);
            let line = line_of_crossings(&circle, &second);
            let along = minima.map(|angles| Some(line.dot(&circle.spoke_and_tangent(angles?[0]).0)));
            for (angles, place) in minima.into_iter().zip(places(along)) {
                let Some([start, other_start]) = angles.map(|angles| angles.map(Start::at)) else { continue };
                visit(Feature::Round {
                    first: Element::Rim { cap, place, start },
                    second: Element::Rim { cap: other_cap, place, start: other_start },
                });
            }
        }
    }
    Some(())
}

/// The direction from one of the two places where circles can cross to the other: in both their planes, or across the line
/// between their centres where these are nearly one.
fn line_of_crossings(first: &Circle<Vec3>, second: &Circle<Vec3>) -> Vec3 {
    const ONE_PLANE: f64 = 0.3;
    let line = first.axis.cross(&second.axis);
    let line = if line.norm() > ONE_PLANE { line } else { first.axis.cross(&(second.center - first.center)) };
    line.try_normalize(0.0).unwrap_or(first.x)
}

/// The elements of a body that may touch along an axis: those near its foremost point.
#[derive(Default)]
struct Front {
    vertices: Vec<u32>,
    /// Edges, or the side.
    lines: Vec<Element>,
    faces: Vec<u32>,
    /// By their caps.
    rims: Vec<u32>,
}

impl Front {
    /// `outward` points out of the body.
    fn new(body: &Placed, outward: &Vec3, slab: f64) -> Self {
        let (core, local) = (body.core, body.pose.turn.tr_mul(outward));
        let least = core.reach_along(&local) - slab * core.size;
        if let Some(round) = core.as_round() {
            return Self::of_round(round, &local, least);
        }
        let near: Vec<bool> = core.vertices.iter().map(|v| local.dot(v) >= least).collect();
        let holds = |corners: &[u32]| corners.iter().all(|&k| near[k as usize]);
        Front {
            vertices: (0..core.vertices.len() as u32).filter(|&k| near[k as usize]).collect(),
            lines: (0..core.edges.len() as u32)
                .filter(|&k| holds(&core.edges[k as usize].ends))
                .map(Element::Edge)
                .collect(),
            faces: (0..core.faces.len() as u32).filter(|&k| holds(&core.faces[k as usize].corners)).collect(),
            rims: Vec::new(),
        }
    }

    fn of_round(round: &Round, outward: &Vec3, least: f64) -> Self {
        let mut front = Front { lines: vec![Element::Side(SIDE)], ..Front::default() };
        for end in &round.ends {
            if outward.dot(&round.support_of(end, outward)) < least {
                continue;
            }
            match end.cap {
                Some(cap) => front.rims.push(cap),
                None => front.vertices.push(end.corner),
            }
        }
        front.faces.extend(&front.rims);
        front
    }
}

impl Placed<'_> {
    fn size(&self) -> f64 {
        self.core.size + self.radius
    }
}
