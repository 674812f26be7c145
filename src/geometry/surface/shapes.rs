//! The surface of a shape as triangles, for looking at.
//!
//! ```text
//! ball       an icosahedron divided n times along each edge, pushed out to the sphere        (1)
//! capsule    a sphere of latitudes and longitudes, cut at the equator and pulled apart       (2)
//! cuboid, hull    the faces of the solid's core, fanned                                      (3)
//! egg        its smooth profile, turned about y; with `segments` its flat sides               (4)
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

use super::pieces::{of_mesh, of_solid};
use super::round::{ball, capsule, egg_profile, revolved};
use super::triangles::Surface;
use crate::geometry::mass::shapes::volume_integrals;
use crate::geometry::polyhedra::polytope::Polytope;
use crate::geometry::shape::Shape;
use crate::geometry::solid::Solid;

/// Straight pieces around a full circle, where nobody asks for another number: a disc 400 pixels across is then 0.25
/// pixels off at most.
pub const SEGMENTS: u32 = 64;
/// Fewer would not look round at all, more would not be seen.
const LEAST_SEGMENTS: u32 = 8;
const MOST_SEGMENTS: u32 = 1024;

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
            Shape::Egg { radius, tip, base, segments: None } => {
                let center = volume_integrals(shape)?.centroid;
                let profile = egg_profile(*radius, *tip, *base, segments);
                Some(revolved(&profile, segments).moved(-center))
            }
            Shape::HalfSpace { .. } | Shape::Particle => None,
            Shape::Mesh(mesh) => Some(of_mesh(mesh).moved(-volume_integrals(shape)?.centroid)),
            Shape::Cylinder { .. }
            | Shape::Cone { .. }
            | Shape::Egg { segments: Some(_), .. }
            | Shape::Tube { .. }
            | Shape::Parabola { .. }
            | Shape::Compound { .. } => Some(of_solid(&Solid::new(shape)?, segments)),
        }
    }
}

/// (3): each face has vertices of its own, so that edges stay sharp.
pub(in crate::geometry) fn polytope(core: &Polytope) -> Surface {
    let mut surface = Surface::default();
    for face in &core.faces {
        let corners = face.corners.iter().map(|&corner| core.vertices[corner as usize]);
        let indices: Vec<u32> = corners.map(|corner| surface.push(corner, face.normal)).collect();
        let fan = indices.windows(2).skip(1).map(|pair| [indices[0], pair[0], pair[1]]);
        surface.triangles.extend(fan);
    }
    surface
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::geometry::mass::shapes::volume_integrals;
    use crate::math::{Vec3, rotation};

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
            (Shape::Egg { radius: 0.1, tip: 0.2, base: 0.12, segments: None }, 0.005),
            (Shape::Egg { radius: 0.1, tip: 0.2, base: 0.12, segments: Some(5) }, 1e-12),
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
