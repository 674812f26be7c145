//! Convex polytopes with their vertices, edges and faces: a point, a segment, a box, any hull.
//!
//! Every solid is such a core, rounded by a radius (a ball is a point, a capsule a segment), or a curved body that the
//! core stands for (`round`, `smooth`). Faces are
//! planar polygons, counter-clockwise seen from outside:
//!
//! ```text
//! inside  =  { p : normal_f · p ≤ offset_f  for every face f }
//! ```
//!
//! Distances between polytopes are `separation`, touching features are `touching`.

use std::collections::BTreeMap;

use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::shape::{ConvexPolyhedron, SupportMap};

use super::hull_mesh::hull_mesh;
use super::round::Round;
use super::smooth::Egg;
use super::solid::Pose;
use crate::math::{Mat3, Vec3};

/// Corners off their face's plane by more than this part of the hull's size make it a set of triangles: a contact's
/// gap is only as good as the plane it is measured from.
const FLATNESS: f64 = 1e-14;

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
    /// The round body in which the polytope is inscribed, where it stands for one.
    pub round: Option<Box<Round>>,
    /// The egg about the only vertex, where the polytope stands for one.
    pub egg: Option<Box<Egg>>,
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

    /// The convex hull of points; `None` where they span no volume.
    pub fn hull(points: &[Vec3]) -> Option<Self> {
        let (points, triangles) = hull_mesh(points)?;
        let flat = |polytope: &Self| polytope.flatness() <= FLATNESS * polytope.radius;
        let triangulated = || Self::from_faces(points.clone(), triangles.iter().map(|t| t.to_vec()).collect());
        let merged = Self::merged_hull(&points, &triangles).filter(flat);
        let polytope = merged.unwrap_or_else(triangulated);
        polytope.is_closed().then_some(polytope)
    }

    /// The hull with triangles merged into polygons, which parry does up to an angle.
    fn merged_hull(points: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let hull = ConvexPolyhedron::from_convex_mesh(points, triangles)?;
        let vertices = hull.points().iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
        let loops = hull.faces().iter().map(|face| {
            let first = face.first_vertex_or_edge as usize;
            hull.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize].to_vec()
        });
        let polytope = Self::from_faces(vertices, loops.collect());
        polytope.is_closed().then_some(polytope)
    }

    /// How far (m) any corner lies off the plane of its face.
    fn flatness(&self) -> f64 {
        let off = |face: &Face| {
            let height = |&corner: &u32| face.offset - face.normal.dot(&self.vertices[corner as usize]);
            face.corners.iter().map(height).fold(0.0, f64::max)
        };
        self.faces.iter().map(off).fold(0.0, f64::max)
    }

    /// Every edge has two faces, every face is a polygon, and the origin side of each face holds all vertices.
    pub(super) fn is_closed(&self) -> bool {
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
    pub(super) fn hexahedron(corners: Vec<Vec3>) -> Self {
        Self::from_faces(corners, CUBOID_FACES.iter().map(|l| l.to_vec()).collect())
    }

    /// From corners, and the corners of each planar face in turn.
    pub(super) fn from_faces(vertices: Vec<Vec3>, loops: Vec<Vec<u32>>) -> Self {
        let radius = largest_norm(&vertices);
        let mut polytope = Polytope { vertices, radius, size: radius, ..Default::default() };
        let mut edge_of = BTreeMap::new();
        for corners in loops {
            polytope.add_face(corners, &mut edge_of);
        }
        polytope
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
        self.round = self.round.map(|round| Box::new(round.scaled(scale)));
        self.egg = self.egg.map(|egg| Box::new(egg.scaled(scale)));
        self.radius = self.farthest_from(&Vec3::zeros());
        self.size *= scale;
        self
    }

    /// With its size taken from its corners alone, wherever the origin is.
    pub(super) fn sized(mut self) -> Self {
        let center = self.vertices.iter().sum::<Vec3>() / self.vertices.len() as f64;
        self.size = match &self.egg {
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
        self.round = self.round.map(|round| Box::new(round.placed(pose)));
        self.egg = self.egg.map(|egg| Box::new(egg.placed(pose)));
        self.radius = self.farthest_from(&Vec3::zeros());
        self
    }

    /// How far the farthest point of the body whose core this is lies from a point.
    pub(super) fn farthest_from(&self, point: &Vec3) -> f64 {
        match (&self.round, &self.egg) {
            (Some(round), _) => round.farthest_from(point),
            (None, Some(egg)) => egg.farthest_from(point),
            (None, None) => self.vertices.iter().map(|v| (v - point).norm()).fold(0.0, f64::max),
        }
    }

    /// Whether the projection of `p` along the face's normal lies inside the face, widened by `slack` metres.
    pub fn above_face(&self, face: u32, p: &Vec3, slack: f64) -> bool {
        if let Some(round) = &self.round {
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

fn largest_norm(vertices: &[Vec3]) -> f64 {
    vertices.iter().map(|v| v.norm()).fold(0.0, f64::max)
}

impl SupportMap for Polytope {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let direction = Vec3::new(direction.x, direction.y, direction.z);
        let round = self.round.as_ref().map(|round| round.support(&direction));
        if let Some(point) = round.or_else(|| self.egg.as_ref().map(|egg| egg.support(&direction))) {
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
    use crate::math::elementary::sin;

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
    fn a_random_hull_obeys_euler() {
        for seed in 0..50 {
            let points: Vec<Vec3> = (0..24)
                .map(|k| {
                    let a = (seed * 24 + k) as f64;
                    Vec3::new(sin(a * 12.9898), sin(a * 78.233), sin(a * 37.719))
                })
                .collect();
            let hull = Polytope::hull(&points).unwrap();
            assert_eq!(hull.vertices.len() + hull.faces.len(), hull.edges.len() + 2, "seed {seed}");
        }
    }

    #[test]
    fn flat_points_have_no_hull() {
        let points: Vec<Vec3> = (0..6).map(|k| Vec3::new(k as f64, (k * k) as f64, 0.0)).collect();
        assert!(Polytope::hull(&points).is_none());
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
