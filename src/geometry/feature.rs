//! What touches what: a pair of features, and from it the gap E, the contact point and the normal.
//!
//! With features carried by both bodies (p a vertex, e + s·u an edge, f a face; r the sum of the radii):
//!
//! ```text
//! vertex–plane, vertex–face   n = the plane's normal,            gap = n·(p − f) − r
//! vertex–vertex, vertex–edge  n = (p − c)/|p − c|, c nearest,    gap = |p − c| − r
//! edge–edge                   n = ±(u × w)/|u × w|,              gap = n·(e₁ − e₂) − r
//! patch                       n = the reference face's normal,   gap = height of a corner of the overlap
//!                             polygon, taken on the incident face, over the reference face
//! ```
//!
//! Cylinders and cones touch with circles and sides of their own: `round::contact` has these, and `smooth::contact` those
//! of eggs. Normals point from the
//! second body to the first. The derivatives of all three with respect to both poses
//! are in `feature_derivative`; which features touch is `touching`.

use std::cmp::Ordering;
use std::f64::consts::TAU;
use std::hash::{Hash, Hasher};

use crate::geometry::polyhedra::polytope::Polytope;
use crate::geometry::solid::{Pose, Solid};
use crate::math::Vec3;

/// One of the two bodies of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first-named body.
    First,
    /// The second-named body.
    Second,
}

impl Side {
    /// The other body.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// +1 for the second body: a normal out of it points to the first.
    pub fn outward_sign(self) -> f64 {
        match self {
            Side::First => -1.0,
            Side::Second => 1.0,
        }
    }
}

/// A corner of the polygon in which two flat faces overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatchCorner {
    /// A vertex of the reference face, dropped onto the incident face.
    Vertex(u32),
    /// Where an edge of the reference face passes over an edge of the incident face.
    Crossing {
        /// Edge of the reference body.
        edge: u32,
        /// Edge of the incident body.
        incident_edge: u32,
    },
}

/// Where on a circle the search for the touching point begins. A hint only: all are equal, so that a rolling contact
/// keeps its name. It is fine enough to tell two places of a circle from each other that are near the same line.
#[derive(Clone, Copy, Debug)]
pub struct Start(pub u16);

impl Start {
    /// Parts of the circle.
    pub const COUNT: u16 = 8192;

    /// The part that holds an angle.
    pub(super) fn at(angle: f64) -> Self {
        let part = (angle.rem_euclid(TAU) * f64::from(Self::COUNT) / TAU) as u16;
        Start(part.min(Self::COUNT - 1))
    }

    /// Its middle, rad.
    pub(super) fn angle(self) -> f64 {
        (f64::from(self.0) + 0.5) * TAU / f64::from(Self::COUNT)
    }
}

impl PartialEq for Start {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Start {}

impl PartialOrd for Start {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Start {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Start {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What touches of one body, where one of the two is round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// The surface of a half-space.
    Plane,
    /// A vertex, rounded or the tip of a cone.
    Vertex(u32),
    /// An edge.
    Edge(u32),
    /// A face; of a round body a cap.
    Face(u32),
    /// The circle around a cap.
    Rim {
        /// The face within it.
        cap: u32,
        /// Which of the two places where it can cross a line: ahead (1) or behind (−1) along the line, or beside it (0).
        place: i8,
        /// Where to look for the touching point.
        start: Start,
    },
    /// The side of a cylinder or cone, by the number of its core's first face.
    Side(u32),
    /// The whole surface of an egg, by the number of its core's vertex.
    Egg(u32),
}

/// The features of two bodies that touch; numbers count through all pieces of each body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex of the first body on the plane of the second, a half-space.
    VertexPlane {
        /// Vertex of the first body.
        vertex: u32,
    },
    /// A vertex on a face.
    VertexFace {
        /// Whose vertex it is.
        owner: Side,
        /// The vertex.
        vertex: u32,
        /// The face of the other body.
        face: u32,
    },
    /// Two rounded vertices.
    VertexVertex {
        /// Vertex of the first body.
        first: u32,
        /// Vertex of the second body.
        second: u32,
    },
    /// A vertex beside an edge, one of them rounded.
    VertexEdge {
        /// Whose vertex it is.
        owner: Side,
        /// The vertex.
        vertex: u32,
        /// The edge of the other body.
        edge: u32,
    },
    /// Two edges that cross.
    EdgeEdge {
        /// Edge of the first body.
        first: u32,
        /// Edge of the second body.
        second: u32,
    },
    /// A corner of the overlap of two faces that lie flat on each other.
    Patch {
        /// The body whose face gives the normal.
        reference: Side,
        /// Its face.
        face: u32,
        /// The other body's face, on which the corners lie.
        incident_face: u32,
        /// Which corner.
        corner: PatchCorner,
    },
    /// Two elements of which one at least is round.
    Round {
        /// Of the first body.
        first: Element,
        /// Of the second body.
        second: Element,
    },
}

impl Feature {
    /// Whether a rim, a side or an egg touches.
    pub fn is_curved(&self) -> bool {
        matches!(self, Feature::Round { .. })
    }

    /// The same place named without its patch: a corner of a patch and the vertex or edges that make it are one
    /// contact, which keeps its name while faces become flat to each other or stop being so.
    pub fn place(self) -> Feature {
        let Feature::Patch { reference, incident_face, corner, .. } = self else { return self };
        match (corner, reference) {
            (PatchCorner::Vertex(vertex), owner) => Feature::VertexFace { owner, vertex, face: incident_face },
            (PatchCorner::Crossing { edge, incident_edge }, Side::First) => {
                Feature::EdgeEdge { first: edge, second: incident_edge }
            }
            (PatchCorner::Crossing { edge, incident_edge }, Side::Second) => {
                Feature::EdgeEdge { first: incident_edge, second: edge }
            }
        }
    }
}

/// Gap, contact point and normal of one touching feature pair.
#[derive(Clone, Copy, Debug)]
pub struct ContactGeometry {
    /// E: m.
    pub gap: f64,
    /// In the world.
    pub point: Vec3,
    /// Unit, from the second body to the first.
    pub normal: Vec3,
}

/// Two solids at their poses.
#[derive(Clone, Copy)]
pub struct PlacedPair<'a> {
    /// The first-named body.
    pub first: (&'a Solid, &'a Pose),
    /// The second-named body.
    pub second: (&'a Solid, &'a Pose),
}

/// The parts of a placed convex body that formulas use.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub core: &'a Polytope,
    pub radius: f64,
    pub pose: &'a Pose,
}

impl<'a> Placed<'a> {
    pub fn vertex(&self, k: u32) -> Vec3 {
        self.pose.point(&self.core.vertices[k as usize])
    }

    /// A point of an edge and its unit direction, in the world.
    pub fn edge(&self, k: u32) -> (Vec3, Vec3) {
        let [a, b] = self.core.edges[k as usize].ends;
        let (a, b) = (self.core.vertices[a as usize], self.core.vertices[b as usize]);
        (self.pose.point(&a), self.pose.turn * (b - a).normalize())
    }

    /// Outward normal of a face and its height over the body's origin.
    pub fn face(&self, k: u32) -> (Vec3, f64) {
        let face = &self.core.faces[k as usize];
        (self.pose.turn * face.normal, face.offset)
    }

    /// Height of a world point over a face.
    pub fn height(&self, face: u32, point: &Vec3) -> f64 {
        let (n, offset) = self.face(face);
        n.dot(&(point - self.pose.position)) - offset
    }
}

impl<'a> PlacedPair<'a> {
    /// The convex body on a side; a half-space has none.
    pub(super) fn convex(&self, side: Side) -> Option<Placed<'a>> {
        let (solid, pose) = match side {
            Side::First => self.first,
            Side::Second => self.second,
        };
        match solid {
            Solid::Convex { core, radius } => Some(Placed { core, radius: *radius, pose }),
            Solid::HalfSpace(_) | Solid::Compound(_) => None,
        }
    }

    /// Gap, point and normal of a feature pair; `None` where the feature does not belong to these solids or
    /// is degenerate at these poses (parallel edges).
    pub fn contact(&self, feature: &Feature) -> Option<ContactGeometry> {
        let (pieces, feature) = self.of_pieces(feature);
        let geometry = match feature {
            Feature::VertexPlane { vertex } => pieces.vertex_plane(vertex)?,
            Feature::VertexFace { owner, vertex, face } => pieces.vertex_face(owner, vertex, face)?,
            Feature::VertexVertex { first, second } => pieces.vertex_vertex(first, second)?,
            Feature::VertexEdge { owner, vertex, edge } => pieces.vertex_edge(owner, vertex, edge)?,
            Feature::EdgeEdge { first, second } => pieces.edge_edge(first, second)?,
            Feature::Patch { reference, face, incident_face, corner } => {
                pieces.patch(reference, face, incident_face, corner)?
            }
            Feature::Round { first, second } if first.is_egg() || second.is_egg() => {
                pieces.egg_contact(first, second)?
            }
            Feature::Round { first, second } => pieces.round_contact(first, second)?,
        };
        geometry.gap.is_finite().then_some(geometry)
    }

    fn vertex_plane(&self, vertex: u32) -> Option<ContactGeometry> {
        let body = self.convex(Side::First)?;
        let (Solid::HalfSpace(normal), pose) = self.second else { return None };
        let (normal, p) = (pose.turn * normal, body.vertex(vertex));
        let gap = normal.dot(&(p - pose.position)) - body.radius;
        Some(ContactGeometry { gap, point: p - normal * body.radius, normal })
    }

    fn vertex_face(&self, owner: Side, vertex: u32, face: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.vertex(vertex);
        let (n, _) = other.face(face);
        Some(ContactGeometry {
            gap: other.height(face, &p) - body.radius - other.radius,
            point: p - n * body.radius,
            normal: n * owner.other().outward_sign(),
        })
    }

    fn vertex_vertex(&self, first: u32, second: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let center = other.vertex(second);
        let d = body.vertex(first) - center;
        let distance = d.norm();
        let normal = d / distance;
        Some(ContactGeometry {
            gap: distance - body.radius - other.radius,
            point: center + normal * other.radius,
            normal,
        })
    }

    fn vertex_edge(&self, owner: Side, vertex: u32, edge: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.vertex(vertex);
        let (e, u) = other.edge(edge);
        let d = (p - e) - u * u.dot(&(p - e));
        let distance = d.norm();
        let n = d / distance;
        Some(ContactGeometry {
            gap: distance - body.radius - other.radius,
            point: p - n * body.radius,
            normal: n * owner.other().outward_sign(),
        })
    }

    fn edge_edge(&self, first: u32, second: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let ((e1, u), (e2, w)) = (body.edge(first), other.edge(second));
        let product = u.cross(&w);
        let sign = self.edge_sign(first, second, &product)?;
        let normal = product * (sign / product.norm());
        let gap = normal.dot(&(e1 - e2)) - body.radius - other.radius;
        let t = (e2 - e1).cross(&u).dot(&product) / product.norm_squared();
        Some(ContactGeometry { gap, point: e2 + w * t + normal * other.radius, normal })
    }

    /// Which way u × w points from the second body to the first: by the distance of rounded edges, and by
    /// the outward side of sharp ones, whose distance vanishes at contact.
    pub(super) fn edge_sign(&self, first: u32, second: u32, product: &Vec3) -> Option<f64> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let side = if body.radius + other.radius > 0.0 {
            product.dot(&(body.edge(first).0 - other.edge(second).0))
        } else {
            let outward = other.pose.turn * other.core.outward_at_edge(second);
            let inward = body.pose.turn * body.core.outward_at_edge(first);
            product.dot(&(outward - inward))
        };
        Some(if side < 0.0 { -1.0 } else { 1.0 })
    }

    fn patch(&self, reference: Side, face: u32, incident_face: u32, corner: PatchCorner) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(reference)?, self.convex(reference.other())?);
        let (n, _) = body.face(face);
        let point = match corner {
            PatchCorner::Vertex(vertex) => {
                let p = body.vertex(vertex);
                let (m, _) = other.face(incident_face);
                p - n * (other.height(incident_face, &p) / m.dot(&n))
            }
            PatchCorner::Crossing { edge, incident_edge } => {
                let ((e1, u), (e2, w)) = (body.edge(edge), other.edge(incident_edge));
                let across = u.cross(&n);
                e2 + w * ((e1 - e2).dot(&across) / w.dot(&across))
            }
        };
        Some(ContactGeometry { gap: body.height(face, &point), point, normal: n * reference.outward_sign() })
    }
}
