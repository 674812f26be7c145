//! Convex polytopes with their vertices, edges and faces: a point, a segment, a box, any hull.
//!
//! Every solid is such a core, rounded by a radius (a ball is a point, a capsule a segment), or a curved body that the
//! core stands for: a cylinder or a cone for the polyhedron inscribed in it, an egg for the point at its middle (`curved`).
//! Faces are planar polygons, counter-clockwise seen from outside:
//!
//! ```text
//! inside  =  { p : normal_f · p ≤ offset_f  for every face f }
//! ```
//!
//! Distances between polytopes are `separation`, touching features are `touching`.

use std::collections::BTreeMap;

use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::shape::SupportMap;

use crate::geometry::curved::cylinder::body::Round;
use crate::geometry::curved::egg::body::Egg;
use crate::geometry::curved::kinds::Curved;
use crate::geometry::pose::Pose;
use crate::math::{Mat3, Vec3};

/// Vertices that are looked at first, of bodies that have many.
const LOOKED_AT: usize = 16;

/// The corners of a box's faces, +x, −x, +y, −y, +z, −z, by the numbers that `cuboid` gives them.
const CUBOID_FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// A straight edge between two vertices.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its vertices; the direction runs from the first to the second.
    pub ends: [u32; 2],
    /// The faces on its two sides; none for the segment.
    pub faces: Option<[u32; 2]>,
}

/// A planar convex polygon.
#[derive(Clone, Debug)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vec3,
    /// `normal · p` of the face's points.
    pub offset: f64,
    /// Vertices, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Edges; the k-th joins corner k to the next.
    pub edges: Vec<u32>,
    /// Inward unit normals of the sides within the face's plane, and their offsets.
    sides: Vec<(Vec3, f64)>,
}

/// A convex body with flat faces, in its body frame.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    /// Corners.
    pub vertices: Vec<Vec3>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Faces; none for a point or a segment.
    pub faces: Vec<Face>,
    /// The box that the polytope is, where it is one.
    pub boxed: Option<Box<BoxFrame>>,
    /// The curved body that the polytope stands for, where it does: one in which it is inscribed, or an egg about its only
    /// vertex.
    pub stands_for: Option<Box<Curved>>,
    /// Largest distance of a vertex from the origin.
    pub radius: f64,
    /// How large it is: the radius, and for a piece beside the origin that of the piece alone.
    pub size: f64,
}

/// A box and where it lies in its body.
#[derive(Clone, Copy, Debug)]
pub struct BoxFrame {
    /// Half sides.
    pub half: Vec3,
    /// Body from box; none where they are the same.
    pub pose: Option<Pose>,
}

impl Polytope {
    /// A single point at the origin.
    pub fn point() -> Self {
        Polytope { vertices: vec![Vec3::zeros()], ..Default::default() }
    }

    /// A segment along y.
    pub fn segment(half_height: f64) -> Self {
        let tip = Vec3::new(0.0, half_height, 0.0);
        let edges = vec![Edge { ends: [0, 1], faces: None }];
        Polytope { vertices: vec![-tip, tip], edges, radius: half_height, size: half_height, ..Default::default() }
    }

    /// A box about the origin. Vertex k is at the negative side of x, y, z where bit 4, 2, 1 of k is set.
    pub fn cuboid(half: Vec3) -> Self {
        let sign = |bit: usize| if bit == 0 { 1.0 } else { -1.0 };
        let vertices = (0..8).map(|k| half.component_mul(&Vec3::new(sign(k & 4), sign(k & 2), sign(k & 1)))).collect();
        let mut polytope = Self::hexahedron(vertices);
        // The normals of a box are its axes, exactly.
        for (k, face) in polytope.faces.iter_mut().enumerate() {
            face.normal = Vec3::ith(k / 2, sign(k % 2));
            face.offset = half[k / 2];
        }
        polytope.boxed = Some(Box::new(BoxFrame { half, pose: None }));
        polytope
    }

    /// Every edge has two faces, every face is a polygon, and the origin side of each face holds all vertices.
    pub(in crate::geometry) fn is_closed(&self) -> bool {
        let size = self.radius;
        self.faces.len() >= 4
            && self.edges.iter().all(|edge| edge.faces.is_some_and(|[a, b]| a != b))
            && self.faces.iter().all(|face| {
                face.corners.len() >= 3
                    && face.normal.iter().all(|x| x.is_finite())
                    && self.vertices.iter().all(|v| face.normal.dot(v) <= face.offset + 1e-9 * size)
            })
    }

    /// A body with the faces of a box and eight corners, numbered as those of `cuboid`.
    pub(in crate::geometry) fn hexahedron(corners: Vec<Vec3>) -> Self {
        Self::from_faces(corners, CUBOID_FACES.iter().map(|l| l.to_vec()).collect())
    }

    /// From corners, and the corners of each planar face in turn.
    pub(in crate::geometry) fn from_faces(vertices: Vec<Vec3>, loops: Vec<Vec<u32>>) -> Self {
        let radius = largest_norm(&vertices);
        let mut polytope = Polytope { vertices, radius, size: radius, ..Default::default() };
        let mut edge_of = BTreeMap::new();
        for corners in loops {
            polytope.add_face(corners, &mut edge_of);
        }
        polytope
    }

    /// Of a face, m².
    pub(in crate::geometry) fn face_area(&self, face: u32) -> f64 {
        let corners = &self.faces[face as usize].corners;
        let from_first = |k: usize| self.vertices[corners[k] as usize] - self.vertices[corners[0] as usize];
        let twice: Vec3 = (2..corners.len()).map(|k| from_first(k - 1).cross(&from_first(k))).sum();
        0.5 * twice.norm()
    }

    /// Adds the face with these corners; its normal is Newell's, Σ cₖ × cₖ₊₁.
    fn add_face(&mut self, mut corners: Vec<u32>, edge_of: &mut BTreeMap<[u32; 2], u32>) {
        let center = self.vertices.iter().sum::<Vec3>() / self.vertices.len() as f64;
        let newell = |corners: &[u32], vertices: &[Vec3]| -> Vec3 {
            let origin = vertices[corners[0] as usize];
            let at = |k: usize| vertices[corners[k % corners.len()] as usize] - origin;
            (0..corners.len()).map(|k| at(k).cross(&at(k + 1))).sum()
        };
        let mut normal = newell(&corners, &self.vertices).normalize();
        if normal.dot(&(self.vertices[corners[0] as usize] - center)) < 0.0 {
            corners.reverse();
            normal = -normal;
        }
        let offset = corners.iter().map(|&c| normal.dot(&self.vertices[c as usize])).fold(f64::NEG_INFINITY, f64::max);
        let face = self.faces.len() as u32;
        let count = corners.len();
        let (mut edges, mut sides) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for k in 0..count {
            let (a, b) = (corners[k], corners[(k + 1) % count]);
            edges.push(self.edge_between(a, b, face, edge_of));
            let (from, to) = (self.vertices[a as usize], self.vertices[b as usize]);
            let inward = normal.cross(&(to - from)).normalize();
            sides.push((inward, inward.dot(&from)));
        }
        self.faces.push(Face { normal, offset, corners, edges, sides });
    }

    fn edge_between(&mut self, a: u32, b: u32, face: u32, edge_of: &mut BTreeMap<[u32; 2], u32>) -> u32 {
        if let Some(&k) = edge_of.get(&[a.min(b), a.max(b)]) {
            if let Some(faces) = &mut self.edges[k as usize].faces {
                faces[1] = face;
            }
            return k;
        }
        let k = self.edges.len() as u32;
        self.edges.push(Edge { ends: [a, b], faces: Some([face, face]) });
        edge_of.insert([a.min(b), a.max(b)], k);
        k
    }

    /// Moved so that `center` becomes the origin.
    pub fn centred_at(self, center: &Vec3) -> Self {
        let mut moved = self.placed(&Pose { position: -center, turn: Mat3::identity() });
        moved.size = moved.radius;
        moved
    }

    /// With all lengths multiplied.
    pub fn scaled(mut self, scale: f64) -> Self {
        self.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
        for face in &mut self.faces {
            face.offset *= scale;
            face.sides.iter_mut().for_each(|(_, offset)| *offset *= scale);
        }
        if let Some(frame) = &mut self.boxed {
            frame.half *= scale;
            if let Some(pose) = &mut frame.pose {
                pose.position *= scale;
            }
        }
        self.stands_for = self.stands_for.map(|curved| Box::new(curved.scaled(scale)));
        self.radius = self.farthest_from(&Vec3::zeros());
        self.size *= scale;
        self
    }

    /// With its size taken from its corners alone, wherever the origin is.
    pub(in crate::geometry) fn sized(mut self) -> Self {
        let center = self.vertices.iter().sum::<Vec3>() / self.vertices.len() as f64;
        self.size = match self.as_egg() {
            Some(egg) => egg.farthest_from(&center),
            None => self.vertices.iter().map(|v| (v - center).norm()).fold(0.0, f64::max),
        };
        self
    }

    /// Turned and moved to a place in another frame.
    pub fn placed(mut self, pose: &Pose) -> Self {
        for vertex in &mut self.vertices {
            *vertex = pose.point(vertex);
        }
        for face in &mut self.faces {
            face.normal = pose.turn * face.normal;
            face.offset += face.normal.dot(&pose.position);
            for (inward, offset) in &mut face.sides {
                *inward = pose.turn * *inward;
                *offset += inward.dot(&pose.position);
            }
        }
        if let Some(frame) = &mut self.boxed {
            frame.pose = Some(frame.pose.map_or(*pose, |inner| pose.after(&inner)));
        }
        self.stands_for = self.stands_for.map(|curved| Box::new(curved.placed(pose)));
        self.radius = self.farthest_from(&Vec3::zeros());
        self
    }

    /// How far the farthest point of the body whose core this is lies from a point.
    pub(in crate::geometry) fn farthest_from(&self, point: &Vec3) -> f64 {
        match &self.stands_for {
            Some(curved) => curved.farthest_from(point),
            None => self.vertices.iter().map(|v| (v - point).norm()).fold(0.0, f64::max),
        }
    }

    /// Whether the projection of `p` along the face's normal lies inside the face, widened by `slack` metres.
    pub fn above_face(&self, face: u32, p: &Vec3, slack: f64) -> bool {
        if let Some(round) = self.as_round() {
            return round.over_cap(face, p, slack);
        }
        self.faces[face as usize].sides.iter().all(|(inward, offset)| inward.dot(p) - offset >= -slack)
    }

    /// Within a face's plane, the unit vector from one of its edges into the face.
    pub fn inward_at_edge(&self, face: u32, edge: u32) -> Option<Vec3> {
        let face = &self.faces[face as usize];
        let side = face.edges.iter().position(|&e| e == edge)?;
        Some(face.sides[side].0)
    }

    /// A vector pointing out of the polytope at an edge, not of unit length; zero for the segment.
    pub fn outward_at_edge(&self, edge: u32) -> Vec3 {
        match self.edges[edge as usize].faces {
            Some([a, b]) => self.faces[a as usize].normal + self.faces[b as usize].normal,
            None => Vec3::zeros(),
        }
    }
}

/// What is asked of a core whether it stands for a curved body or not.
impl Polytope {
    /// Whether it is the core of a curved body.
    pub fn is_curved(&self) -> bool {
        self.stands_for.is_some()
    }

    /// The curved body whose core this is; none where the core, rounded by a radius, is the body.
    pub fn curved(&self) -> Option<Curved> {
        self.stands_for.as_deref().copied()
    }

    /// Whether the body whose core this is has a round side.
    pub(in crate::geometry) fn is_round(&self) -> bool {
        self.as_round().is_some()
    }

    /// Whether the body whose core this is is an egg.
    pub(in crate::geometry) fn is_egg(&self) -> bool {
        self.as_egg().is_some()
    }

    /// The faces that are faces of the body whose core this is.
    pub(in crate::geometry) fn true_faces(&self) -> impl Iterator<Item = u32> + '_ {
        let all = if self.as_round().is_none() { 0..self.faces.len() as u32 } else { 0..0 };
        self.as_round().into_iter().flat_map(Round::caps).chain(all)
    }

    /// The same for vertices.
    pub(in crate::geometry) fn true_vertices(&self) -> impl Iterator<Item = u32> + '_ {
        let all = if self.is_curved() { 0..0 } else { 0..self.vertices.len() as u32 };
        self.as_round().into_iter().filter_map(Round::tip).chain(all)
    }

    /// How far it reaches in a direction of its frame.
    pub(crate) fn reach_along(&self, direction: &Vec3) -> f64 {
        match &self.stands_for {
            Some(curved) => curved.reach_along(direction),
            None => self.vertices.iter().map(|v| direction.dot(v)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The same of a few vertices, where they are many: no more than that.
    pub(in crate::geometry) fn reach_at_least(&self, direction: &Vec3) -> f64 {
        if !self.has_many_vertices() {
            return self.reach_along(direction);
        }
        let few = self.vertices.iter().step_by(self.vertices.len() / LOOKED_AT);
        few.map(|v| direction.dot(v)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether all of its vertices are dear to look at.
    pub(in crate::geometry) fn has_many_vertices(&self) -> bool {
        self.stands_for.is_none() && self.vertices.len() >= 4 * LOOKED_AT
    }

    /// The cylinder or cone that it stands for.
    pub fn as_round(&self) -> Option<&Round> {
        match self.stands_for.as_deref()? {
            Curved::Round(round) => Some(round),
            Curved::Egg(_) => None,
        }
    }

    /// The egg that it stands for.
    pub fn as_egg(&self) -> Option<&Egg> {
        match self.stands_for.as_deref()? {
            Curved::Egg(egg) => Some(egg),
            Curved::Round(_) => None,
        }
    }
}

fn largest_norm(vertices: &[Vec3]) -> f64 {
    vertices.iter().map(|v| v.norm()).fold(0.0, f64::max)
}

impl SupportMap for Polytope {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let direction = Vec3::new(direction.x, direction.y, direction.z);
        if let Some(curved) = &self.stands_for {
            let point = curved.support(&direction);
            return Vector::new(point.x, point.y, point.z);
        }
        let mut best = (f64::NEG_INFINITY, &self.vertices[0]);
        for vertex in &self.vertices {
            let height = direction.dot(vertex);
            if height > best.0 {
                best = (height, vertex);
            }
        }
        Vector::new(best.1.x, best.1.y, best.1.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cuboid_has_eight_vertices_twelve_edges_six_faces_turned_outward() {
        let half = Vec3::new(0.2, 0.12, 0.08);
        let cuboid = Polytope::cuboid(half);
        assert_eq!((cuboid.vertices.len(), cuboid.edges.len(), cuboid.faces.len()), (8, 12, 6));
        assert!(cuboid.is_closed());
        let hull = Polytope::hull(&cuboid.vertices).unwrap();
        assert_eq!((hull.vertices.len(), hull.edges.len(), hull.faces.len()), (8, 12, 6));
        for face in &cuboid.faces {
            assert!(hull.faces.iter().any(|other| (other.normal - face.normal).norm() < 1e-15));
            for &corner in &face.corners {
                assert_eq!(face.normal.dot(&cuboid.vertices[corner as usize]), face.offset);
            }
        }
    }

    #[test]
    fn above_face_is_the_polygon() {
        let cuboid = Polytope::cuboid(Vec3::new(1.0, 2.0, 3.0));
        // Face 2 is +y.
        assert!(cuboid.above_face(2, &Vec3::new(0.9, 7.0, 2.9), 0.0));
        assert!(!cuboid.above_face(2, &Vec3::new(1.1, 7.0, 2.9), 0.0));
        assert!(cuboid.above_face(2, &Vec3::new(1.1, 7.0, 2.9), 0.11));
    }
}
