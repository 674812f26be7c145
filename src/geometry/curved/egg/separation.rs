//! How far apart two convex bodies are of which one is an egg.
//!
//! The axes that can be best are the normals that the egg makes with elements of the other body. Each is measured against
//! both bodies whole, so that the result is a true separation; it is the distance itself where the element's own gap is as
//! large and the nearest point lies on the element. The search walks over the elements around the other body's foremost vertex
//! until it has found one that is so.

use super::body::Egg;
use super::search::{Meets, across, free_normal};
use crate::geometry::axis::{Separation, nearest_axis};
use crate::geometry::curved::cylinder::touching::inside_borders;
use crate::geometry::feature::{Element, Feature, Side, Start};
use crate::geometry::placed::{ContactGeometry, Placed, PlacedPair};
use crate::geometry::settings::{FAR_APART, NEAR, SAME_GAP};
use crate::math::Vec3;

/// Steps of a walk from vertex to vertex.
const STEPS: usize = 12;

/// The separation of two convex bodies.
pub(in crate::geometry) fn egg_separation(pair: &PlacedPair, hint: Option<Vec3>) -> Separation {
    let unknown = Separation { gap: f64::NEG_INFINITY, normal: Vec3::y() };
    EggPair::new(pair).map_or(unknown, |egg| egg.separation(hint))
}

/// An egg and another convex body. Normals point from that body to the egg, but for those that go in or out.
pub(super) struct EggPair<'a> {
    pair: &'a PlacedPair<'a>,
    /// Whose egg it is.
    owner: Side,
    egg: Egg,
    other: Placed<'a>,
    /// The smaller size of the two.
    size: f64,
}

/// An axis and the separation along it.
#[derive(Clone, Copy)]
struct Axis {
    gap: f64,
    n: Vec3,
    /// Whether it is known to be the best, at least of those nearby.
    best: bool,
}

impl Axis {
    fn or_better(self, other: Axis) -> Axis {
        if other.gap > self.gap { other } else { self }
    }
}

impl<'a> EggPair<'a> {
    pub fn new(pair: &'a PlacedPair<'a>) -> Option<Self> {
        let owner = if pair.convex(Side::First)?.core.is_egg() { Side::First } else { Side::Second };
        let (egg, other) = (pair.egg(owner)?, pair.convex(owner.other())?);
        let size = (other.core.size + other.radius).min(egg.radius.max(egg.tip).max(egg.base));
        Some(EggPair { pair, owner, egg, other, size })
    }

    fn separation(&self, hint: Option<Vec3>) -> Separation {
        let sign = self.owner.other().outward_sign();
        let hint = hint.map(|normal| normal * sign);
        let found = if self.other.core.is_egg() {
            self.beside_one(Element::Egg(0), hint)
        } else if self.other.core.vertices.len() == 1 {
            self.beside_one(Element::Vertex(0), hint)
        } else if self.other.core.is_round() {
            self.best_of_all(self.axis(self.guess(hint)))
        } else {
            self.beside_polytope(hint)
        };
        Separation { gap: found.gap, normal: found.n * sign }
    }

    /// The separation along an axis.
    pub fn along(&self, n: &Vec3) -> f64 {
        let (egg, other) = (&self.egg, &self.other);
        let reach = other.core.reach_along(&other.pose.turn.tr_mul(n)) + other.radius;
        n.dot(&(egg.center - other.pose.position)) - egg.stretched(&-n).1 - reach
    }

    fn axis(&self, n: Vec3) -> Axis {
        Axis { gap: self.along(&n), n, best: false }
    }

    /// The better of a recent axis and the one between the middles.
    fn guess(&self, hint: Option<Vec3>) -> Vec3 {
        let core = self.other.core;
        let middle = core.vertices.iter().sum::<Vec3>() / core.vertices.len() as f64;
        let between = (self.egg.center - self.other.pose.point(&middle)).try_normalize(0.0).unwrap_or(self.egg.axis);
        hint.filter(|hint| self.along(hint) > self.along(&between)).unwrap_or(between)
    }

    /// Where the other body has one element only.
    fn beside_one(&self, element: Element, hint: Option<Vec3>) -> Axis {
        let start = self.axis(self.guess(hint));
        let Some(meets) = self.pair.meets(self.owner.other(), element) else { return start };
        let from = |n: Vec3| free_normal(&self.egg, &meets, n).map_or(self.axis(n), |n| self.axis(n));
        let found = start.or_better(from(self.start(&meets, start.n)));
        if found.gap >= -NEAR * self.size {
            return found;
        }
        let [s, t] = across(&self.egg.axis);
        [self.egg.axis, s, t].into_iter().flat_map(|v| [v, -v]).fold(found, |best, n| best.or_better(from(n)))
    }

    fn start(&self, meets: &Meets, n: Vec3) -> Vec3 {
        let guess = meets.start(&self.egg);
        if self.along(&guess) > self.along(&n) { guess } else { n }
    }

    /// Where the other body is a polytope.
    fn beside_polytope(&self, hint: Option<Vec3>) -> Axis {
        let mut found = self.walk(self.guess(hint));
        if !found.best
            && let Some(axis) = self.nearest_axis()
        {
            let again = self.walk(axis);
            found = if again.best { again } else { found.or_better(again) };
        }
        if found.gap < -NEAR * self.size || !found.best && found.gap < FAR_APART * self.size {
            found = self.best_of_all(found);
        }
        found
    }

    fn nearest_axis(&self) -> Option<Vec3> {
        let (first, second) = (self.pair.convex(Side::First)?, self.pair.convex(Side::Second)?);
        let axis = nearest_axis(first.core, first.pose, second.core, second.pose)?;
        Some(axis * self.owner.other().outward_sign())
    }

    /// From the elements around the foremost vertex to those around the next one, along ever better axes.
    fn walk(&self, start: Vec3) -> Axis {
        let mut found = self.axis(start);
        for _ in 0..STEPS {
            let mut next = found;
            self.each_around(self.foremost(&found.n), &mut |element| {
                if !next.best
                    && let Some(axis) = self.axis_of(element)
                {
                    next = if axis.best { axis } else { next.or_better(axis) };
                }
            });
            if next.best {
                return next;
            }
            if next.gap <= found.gap {
                break;
            }
            found = next;
        }
        found
    }

    /// The axis that an element makes.
    fn axis_of(&self, element: Element) -> Option<Axis> {
        let contact = self.contact(element)?;
        let n = contact.normal * self.owner.other().outward_sign();
        let gap = self.along(&n);
        let best = gap >= contact.gap - SAME_GAP * self.size && self.holds(element, &contact);
        Some(Axis { gap, n, best })
    }

    /// The best axis over all elements and a given one.
    fn best_of_all(&self, start: Axis) -> Axis {
        let mut found = start;
        self.each_element(&mut |element| {
            if let Some(axis) = self.axis_of(element) {
                found = found.or_better(axis);
            }
        });
        found
    }

    /// The egg with an element of the other body.
    pub fn feature(&self, on: Element) -> Feature {
        match self.owner {
            Side::First => Feature::Round { first: Element::Egg(0), second: on },
            Side::Second => Feature::Round { first: on, second: Element::Egg(0) },
        }
    }

    fn contact(&self, on: Element) -> Option<ContactGeometry> {
        match self.owner {
            Side::First => self.pair.egg_contact(Element::Egg(0), on),
            Side::Second => self.pair.egg_contact(on, Element::Egg(0)),
        }
    }

    /// Whether the point of contact lies on the element.
    pub fn holds(&self, on: Element, contact: &ContactGeometry) -> bool {
        inside_borders(self.pair, &self.feature(on), contact).unwrap_or(false)
    }

    /// The vertex of the other body's core that is foremost along an axis.
    fn foremost(&self, n: &Vec3) -> u32 {
        let local = self.other.pose.turn.tr_mul(n);
        let mut best = (0, f64::NEG_INFINITY);
        for (k, vertex) in self.other.core.vertices.iter().enumerate() {
            let height = local.dot(vertex);
            if height > best.1 {
                best = (k as u32, height);
            }
        }
        best.0
    }

    /// The elements of a polytope that have a vertex, those with the cheapest normals first.
    fn each_around(&self, vertex: u32, visit: &mut impl FnMut(Element)) {
        let core = self.other.core;
        let faces = core.faces.iter().enumerate().filter(|(_, face)| face.corners.contains(&vertex));
        faces.for_each(|(k, _)| visit(Element::Face(k as u32)));
        let edges = core.edges.iter().enumerate().filter(|(_, edge)| edge.ends.contains(&vertex));
        edges.for_each(|(k, _)| visit(Element::Edge(k as u32)));
        visit(Element::Vertex(vertex));
    }

    /// All elements of the other body.
    fn each_element(&self, visit: &mut impl FnMut(Element)) {
        let core = self.other.core;
        if core.is_egg() {
            return visit(Element::Egg(0));
        }
        core.true_faces().for_each(|face| visit(Element::Face(face)));
        if core.is_round() {
            visit(Element::Side(0));
            core.true_faces().for_each(|cap| visit(Element::Rim { cap, place: 0, start: Start::at(0.0) }));
        } else {
            (0..core.edges.len() as u32).for_each(|edge| visit(Element::Edge(edge)));
        }
        core.true_vertices().for_each(|vertex| visit(Element::Vertex(vertex)));
    }

    /// The elements of the other body of which all corners are within `depth` metres of the foremost along an axis; all of a
    /// curved body.
    pub fn each_in_front(&self, n: &Vec3, depth: f64, visit: &mut impl FnMut(Element)) {
        let core = self.other.core;
        if core.curved().is_some() {
            return self.each_element(visit);
        }
        let local = self.other.pose.turn.tr_mul(n);
        let least = core.reach_along(&local) - depth;
        let near = |corners: &[u32]| corners.iter().all(|&k| local.dot(&core.vertices[k as usize]) >= least);
        self.each_element(&mut |element| {
            let in_front = match element {
                Element::Face(face) => near(&core.faces[face as usize].corners),
                Element::Edge(edge) => near(&core.edges[edge as usize].ends),
                Element::Vertex(vertex) => near(&[vertex]),
                Element::Plane | Element::Rim { .. } | Element::Side(_) | Element::Egg(_) => true,
            };
            if in_front {
                visit(element);
            }
        });
    }
}
