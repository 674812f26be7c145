//! The surface of a shape as triangles, for looking at.
//!
//! ```text
//! ball       an icosahedron divided n times along each edge, pushed out to the sphere        (1)
//! capsule    a sphere of latitudes and longitudes, cut at the equator and pulled apart       (2)
//! cuboid, hull    the faces of the solid's core, fanned                                      (3)
//! egg        its smooth profile, turned about y                                               (4)
//! cylinder, cone    caps and side turned about their axis, with sharp rims                     (4)
//! tube, compound    the faces of all pieces that no other piece covers, with rounded normals
//!            where faces meet at less than `CREASE`                                           (5)
//! mesh       its triangles, with normals rounded likewise                                     (6)
//! ```
//!
//! Positions are in the body frame: the centre of mass is the origin, at scale 1. Normals are those of the true surface
//! where it is smooth, and of the face where it is flat; vertices on a sharp edge occur once per face. Triangles turn
//! left seen from outside. A half-space has no mesh (it is drawn as a plane) and a particle has no surface.
//!
//! Collisions never use these triangles: they know the exact shape (`solid`).

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::mass::volume_integrals;
use super::polytope::Polytope;
use super::shape::Shape;
use super::solid::Solid;
use super::surface_pieces::{egg_profile, of_mesh, of_solid};
use crate::math::Vec3;
use crate::math::elementary::sin_cos;

/// Straight pieces around a full circle, where nobody asks for another number: a disc 400 pixels across is then 0.25
/// pixels off at most.
pub const SEGMENTS: u32 = 64;
/// Fewer would not look round at all, more would not be seen.
const LEAST_SEGMENTS: u32 = 8;
const MOST_SEGMENTS: u32 = 1024;

/// A triangle mesh with a normal for each vertex, in the body frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Vertices, m.
    pub positions: Vec<[f64; 3]>,
    /// Outward unit normals, one for each vertex.
    pub normals: Vec<[f64; 3]>,
    /// Indices of three vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// The surface of a shape at scale 1; `None` for a half-space, a particle, or a hull without volume.
    pub fn new(shape: &Shape) -> Option<Surface> {
        Surface::with_segments(shape, SEGMENTS)
    }

    /// The same, with about this many straight pieces around a full circle where the shape is round.
    pub fn with_segments(shape: &Shape, segments: u32) -> Option<Surface> {
        let segments = segments.clamp(LEAST_SEGMENTS, MOST_SEGMENTS);
        match shape {
            Shape::Ball { radius } => Some(ball(*radius, segments)),
            Shape::Capsule { half_height, radius } => Some(capsule(*half_height, *radius, segments)),
            Shape::Cuboid { .. } | Shape::Hull { .. } => match Solid::new(shape)? {
                Solid::Convex { core, .. } => Some(polytope(&core)),
                Solid::HalfSpace(_) | Solid::Compound(_) => None,
            },
            Shape::Egg { radius, tip, base, .. } => {
                let center = volume_integrals(shape)?.centroid;
                let profile = egg_profile(*radius, *tip, *base, segments);
                Some(revolved(&profile, segments).moved(-center))
            }
            Shape::HalfSpace { .. } | Shape::Particle => None,
            Shape::Mesh(mesh) => Some(of_mesh(mesh).moved(-volume_integrals(shape)?.centroid)),
            Shape::Cylinder { .. }
            | Shape::Cone { .. }
            | Shape::Tube { .. }
            | Shape::Parabola { .. }
            | Shape::Compound { .. } => Some(of_solid(&Solid::new(shape)?, segments)),
        }
    }

    /// With all lengths multiplied.
    pub fn scaled(mut self, scale: f64) -> Surface {
        self.positions.iter_mut().flatten().for_each(|entry| *entry *= scale);
        self
    }

    /// Adds another surface, moved; what a compound is made of.
    pub fn append(&mut self, other: &Surface, offset: Vec3) {
        let first = self.positions.len() as u32;
        let moved = |position: &[f64; 3]| <[f64; 3]>::from(Vec3::from(*position) + offset);
        self.positions.extend(other.positions.iter().map(moved));
        self.normals.extend_from_slice(&other.normals);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
    }

    /// Moved.
    fn moved(mut self, offset: Vec3) -> Surface {
        for position in &mut self.positions {
            *position = (Vec3::from(*position) + offset).into();
        }
        self
    }

    pub(super) fn push(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.positions.push(position.into());
        self.normals.push(normal.into());
        self.positions.len() as u32 - 1
    }
}

/// (3): each face has vertices of its own, so that edges stay sharp.
pub(super) fn polytope(core: &Polytope) -> Surface {
    let mut surface = Surface::default();
    for face in &core.faces {
        let corners = face.corners.iter().map(|&corner| core.vertices[corner as usize]);
        let indices: Vec<u32> = corners.map(|corner| surface.push(corner, face.normal)).collect();
        let fan = indices.windows(2).skip(1).map(|pair| [indices[0], pair[0], pair[1]]);
        surface.triangles.extend(fan);
    }
    surface
}

/// (1): triangles of nearly one size, without the crowded poles of latitudes.
pub(super) fn ball(radius: f64, segments: u32) -> Surface {
    let (corners, faces) = icosahedron();
    // Five edges of the icosahedron reach around a circle, nearly.
    let divisions = segments.div_ceil(5);
    let mut surface = Surface::default();
    let mut known = BTreeMap::new();
    for face in faces {
        let grid = divided_face(divisions, |weights| {
            // Vertices on an edge are shared: named by the corners they lie between.
            let key = vertex_key(face, weights);
            *known.entry(key).or_insert_with(|| {
                let sum: Vec3 = (0..3).map(|k| corners[face[k] as usize] * f64::from(weights[k])).sum();
                let normal = sum.normalize();
                surface.push(normal * radius, normal)
            })
        });
        surface.triangles.extend(grid);
    }
    surface
}

/// The triangles of one face whose edges are cut into n pieces; `vertex` names the vertex of given corner weights.
fn divided_face(n: u32, mut vertex: impl FnMut([u32; 3]) -> u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity((n * n) as usize);
    for row in 0..n {
        for column in 0..=row {
            let mut at = |row: u32, column: u32| vertex([n - row, row - column, column]);
            let (tip, left, right) = (at(row, column), at(row + 1, column), at(row + 1, column + 1));
            triangles.push([tip, left, right]);
            if column < row {
                let next = at(row, column + 1);
                triangles.push([tip, right, next]);
            }
        }
    }
    triangles
}

/// The corners a vertex lies between with their weights, in order of the corners; corners without weight left out.
fn vertex_key(face: [u32; 3], weights: [u32; 3]) -> [(u32, u32); 3] {
    let mut key = [0, 1, 2].map(|k| if weights[k] == 0 { (u32::MAX, 0) } else { (face[k], weights[k]) });
    key.sort_unstable();
    key
}

/// Corners of an icosahedron (not of unit length) and its faces.
fn icosahedron() -> ([Vec3; 12], [[u32; 3]; 20]) {
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let corners = [
        corner(-1.0, golden, 0.0),
        corner(1.0, golden, 0.0),
        corner(-1.0, -golden, 0.0),
        corner(1.0, -golden, 0.0),
        corner(0.0, -1.0, golden),
        corner(0.0, 1.0, golden),
        corner(0.0, -1.0, -golden),
        corner(0.0, 1.0, -golden),
        corner(golden, 0.0, -1.0),
        corner(golden, 0.0, 1.0),
        corner(-golden, 0.0, -1.0),
        corner(-golden, 0.0, 1.0),
    ];
    let faces = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    (corners, faces)
}

/// (2): rings from the lower pole to the upper; the two equators make the tube.
pub(super) fn capsule(half_height: f64, radius: f64, segments: u32) -> Surface {
    let quarter = segments.div_ceil(4);
    let lower = (0..=quarter).map(|ring| (f64::from(ring) / f64::from(quarter) - 1.0, -half_height));
    let upper = (0..=quarter).map(|ring| (f64::from(ring) / f64::from(quarter), half_height));
    let profile: Vec<(Vec3, Vec3)> = lower
        .chain(upper)
        .map(|(part, lift)| {
            let (sine, cosine) = sin_cos(part * TAU / 4.0);
            let normal = Vec3::new(cosine, sine, 0.0);
            (normal * radius + Vec3::y() * lift, normal)
        })
        .collect();
    revolved(&profile, 4 * quarter)
}

/// A profile of positions and normals in the plane z = 0, x ≥ 0, from low to high, turned about y.
pub(super) fn revolved(profile: &[(Vec3, Vec3)], segments: u32) -> Surface {
    let mut surface = Surface::default();
    let turned = |vector: &Vec3, sine: f64, cosine: f64| Vec3::new(vector.x * cosine, vector.y, -vector.x * sine);
    for (position, normal) in profile {
        for segment in 0..segments {
            let (sine, cosine) = sin_cos(f64::from(segment) / f64::from(segments) * TAU);
            surface.push(turned(position, sine, cosine), turned(normal, sine, cosine));
        }
    }
    let on_axis = |ring: usize| profile[ring].0.x.abs() < 1e-12 * profile[ring].0.norm().max(f64::MIN_POSITIVE);
    // Two rings at one place have a sharp edge between them.
    for ring in (1..profile.len()).filter(|&ring| profile[ring].0 != profile[ring - 1].0) {
        for segment in 0..segments {
            let next = (segment + 1) % segments;
            let (low, high) = ((ring as u32 - 1) * segments, ring as u32 * segments);
            if !on_axis(ring - 1) {
                surface.triangles.push([low + segment, low + next, high + next]);
            }
            if !on_axis(ring) {
                surface.triangles.push([low + segment, high + next, high + segment]);
            }
        }
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mass::volume_integrals;
    use crate::math::rotation;

    fn corner(surface: &Surface, index: u32) -> Vec3 {
        surface.positions[index as usize].into()
    }

    /// The divergence theorem: V = Σ det/6. A hole or a triangle turned over would spoil it.
    fn volume(surface: &Surface) -> f64 {
        let det = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|index| corner(surface, index));
            a.dot(&b.cross(&c)) / 6.0
        };
        surface.triangles.iter().map(det).sum()
    }

    /// Σ of area vectors: zero for a closed surface.
    fn leak(surface: &Surface) -> f64 {
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|index| corner(surface, index));
            (b - a).cross(&(c - a)) / 2.0
        };
        surface.triangles.iter().map(area).sum::<Vec3>().norm()
    }

    fn shapes() -> Vec<(Shape, f64)> {
        let tilt = rotation::exp(Vec3::new(0.3, -0.7, 0.4));
        let points = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::repeat(0.6)];
        let points = points.map(|point| tilt * point + Vec3::new(5.0, 3.0, -2.0)).to_vec();
        // A round shape loses about 1.5·(π/n)²·… of its volume to n flat pieces; flat ones lose nothing.
        vec![
            (Shape::Ball { radius: 0.3 }, 0.005),
            (Shape::Capsule { half_height: 0.4, radius: 0.1 }, 0.005),
            (Shape::Cylinder { half_height: 0.4, radius: 0.1, segments: None }, 0.005),
            (Shape::Cone { half_height: 0.4, radius: 0.3, segments: None }, 0.005),
            (Shape::Cuboid { half_extents: Vec3::new(0.3, 0.2, 0.1) }, 1e-12),
            (Shape::Hull { points }, 1e-12),
        ]
    }

    #[test]
    fn surfaces_are_closed_and_hold_the_volume_of_their_shape() {
        for (shape, lost) in shapes() {
            let surface = Surface::new(&shape).unwrap();
            let exact = volume_integrals(&shape).unwrap().volume;
            let found = volume(&surface);
            assert!(((exact - found) / exact).abs() <= lost, "{shape:?}: {found}, exact {exact}");
            assert!(leak(&surface) < 1e-12, "{shape:?}: {}", leak(&surface));
        }
    }

    #[test]
    fn normals_are_of_unit_length_and_agree_with_their_triangles() {
        for (shape, _) in shapes() {
            let surface = Surface::new(&shape).unwrap();
            assert_eq!(surface.positions.len(), surface.normals.len());
            for triangle in &surface.triangles {
                let [a, b, c] = triangle.map(|index| corner(&surface, index));
                let face = (b - a).cross(&(c - a)).normalize();
                for index in triangle {
                    let normal = Vec3::from(surface.normals[*index as usize]);
                    assert!((normal.norm() - 1.0).abs() < 1e-14, "{shape:?}");
                    // One piece of a circle of 64 turns the normal by less than 0.1 rad.
                    assert!(normal.dot(&face) > 0.995, "{shape:?}: {}", normal.dot(&face));
                }
            }
        }
    }

    #[test]
    fn the_centre_of_mass_is_the_origin() {
        for (shape, _) in shapes() {
            let points: Vec<Vec3> = Surface::new(&shape).unwrap().positions.iter().map(|p| Vec3::from(*p)).collect();
            let Shape::Hull { .. } = shape else { continue };
            let centroid = volume_integrals(&Shape::Hull { points }).unwrap().centroid;
            assert!(centroid.norm() < 1e-12, "{centroid}");
        }
    }

    #[test]
    fn finer_balls_come_nearer_to_the_sphere() {
        let shape = Shape::Ball { radius: 1.0 };
        let lost = |segments| 1.0 - volume(&Surface::with_segments(&shape, segments).unwrap()) * 0.75 / (TAU / 2.0);
        let ratio = lost(40) / lost(80);
        assert!((ratio - 4.0).abs() < 0.1, "the error falls by {ratio} where pieces halve");
        let vertices = |segments| Surface::with_segments(&shape, segments).unwrap().positions.len();
        assert_eq!(vertices(50), 10 * 10 * 10 + 2, "vertices are shared along edges");
        assert_eq!(vertices(u32::MAX), vertices(MOST_SEGMENTS));
    }

    #[test]
    fn half_spaces_and_particles_have_no_mesh() {
        assert_eq!(Surface::new(&Shape::Particle), None);
        assert_eq!(Surface::new(&Shape::HalfSpace { normal: Vec3::y() }), None);
        assert_eq!(Surface::new(&Shape::Hull { points: vec![Vec3::zeros(); 5] }), None);
    }

    #[test]
    fn surfaces_can_be_joined_and_scaled() {
        let cube = Surface::new(&Shape::Cuboid { half_extents: Vec3::repeat(0.5) }).unwrap();
        let mut two = cube.clone();
        two.append(&cube, Vec3::new(3.0, 0.0, 0.0));
        assert!((volume(&two) - 2.0).abs() < 1e-12);
        assert!((volume(&two.scaled(2.0)) - 16.0).abs() < 1e-12);
    }
}
