//! Names of what touches: a vertex, an edge, a face, a circle or a side of either body, in pairs.
//!
//! Names outlive poses: they stay what they are while bodies move. Where a pair of them is apart by how much is
//! `contact_geometry`; which of them touch is `touching`.

use std::cmp::Ordering;
use std::f64::consts::TAU;
use std::hash::{Hash, Hasher};

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

impl Element {
    /// Whether it is the surface of an egg.
    pub(super) fn is_egg(&self) -> bool {
        matches!(self, Element::Egg(_))
    }
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
