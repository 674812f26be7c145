//! What a shape weighs: volume, centre and moments of inertia at density 1.
//!
//! ```text
//! ball       V = 4/3·π·r³                       J = 2/5·V·r²                                    (1)
//! cuboid     V = 8·a·b·c                        J_x = V·(b² + c²)/3                             (2)
//! capsule    V = Vc + Vs,  Vc = 2π·r²·h,  Vs = 4/3·π·r³                                         (3)
//!            J_y = Vc·r²/2 + Vs·2/5·r²
//!            J_x = J_z = Vc·(r²/4 + h²/3) + Vs·(2/5·r² + h² + 3/4·h·r)
//! hull and other polyhedra
//!            sums over their triangles: `integrals`                                            (4)
//! cylinder   V = 2π·r²·h                        J_y = V·r²/2,  J_x = J_z = V·(r²/4 + h²/3)       (6)
//! cone       V = 2/3·π·r²·h                     J_y = 3/10·V·r²,  J_x = J_z = 3/20·V·(r² + h²)   (7)
//!            its centre h/2 below the middle, with h half the height
//! egg        V = V₁ + V₂,  V_k = 2/3·π·r²·l_k    J_y = 2/5·V·r²                                    (8)
//!            J_x = J_z = Σ V_k·(r² + l_k²)/5 − V·y²,  its centre y = 3/8·(l₁ − l₂) above the widest circle
//! compound   sums over its parts: `integrals`                                                  (5)
//! ```
//!
//! Densities, given masses and the scale parameter are `model`'s business.

use std::f64::consts::PI;

use super::integrals::{VolumeIntegrals, polytope_integrals, tensor, together, triangle_integrals};
use crate::geometry::pieces::{ConvexPiece, convex_pieces};
use crate::geometry::polyhedra::hull_mesh::hull_mesh;
use crate::geometry::shape::{Part, Shape};
use crate::math::elementary::powi;
use crate::math::{Rotation, Vec3, rotation};

/// The volume integrals of a shape; `None` for a shape without a finite, positive volume.
pub fn volume_integrals(shape: &Shape) -> Option<VolumeIntegrals> {
    let (volume, inertia) = match shape {
        Shape::Ball { radius } => ball(*radius),
        Shape::Cuboid { half_extents } => cuboid(half_extents),
        Shape::Capsule { half_height, radius } => capsule(*half_height, *radius),
        Shape::Hull { points } => return hull(points),
        Shape::HalfSpace { .. } | Shape::Particle => return None,
        Shape::Mesh(mesh) => return Some(mesh.integrals),
        Shape::Cylinder { half_height, radius, segments: None } => cylinder(*half_height, *radius),
        Shape::Cone { half_height, radius, segments: None } => return Some(cone(*half_height, *radius)),
        Shape::Egg { radius, tip, base, segments: None } => return Some(egg(*radius, *tip, *base)),
        Shape::Cylinder { .. } | Shape::Cone { .. } | Shape::Egg { .. } => return round(shape),
        Shape::Tube { .. } | Shape::Parabola { .. } => return of_pieces(&convex_pieces(shape)?),
        Shape::Compound { parts, center_of_mass } => return compound(parts, *center_of_mass),
    };
    Some(VolumeIntegrals { volume, centroid: Vec3::zeros(), inertia, body_from_principal: Rotation::identity() })
}

/// The centre of mass of the convex hull of points; `None` if they do not span a volume.
pub fn hull_centroid(points: &[Vec3]) -> Option<Vec3> {
    hull(points).map(|integrals| integrals.centroid)
}

/// (1)
fn ball(radius: f64) -> (f64, Vec3) {
    let volume = 4.0 / 3.0 * PI * powi(radius, 3);
    (volume, Vec3::repeat(0.4 * volume * radius * radius))
}

/// (2)
fn cuboid(half_extents: &Vec3) -> (f64, Vec3) {
    let volume = 8.0 * half_extents.x * half_extents.y * half_extents.z;
    let squares = half_extents.component_mul(half_extents);
    let sums = Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
    (volume, volume * sums / 3.0)
}

/// (3)
fn capsule(half_height: f64, radius: f64) -> (f64, Vec3) {
    let tube = 2.0 * PI * radius * radius * half_height;
    let caps = 4.0 / 3.0 * PI * powi(radius, 3);
    let along = tube * radius * radius / 2.0 + caps * 0.4 * radius * radius;
    let across = tube * (radius * radius / 4.0 + half_height * half_height / 3.0)
        + caps * (0.4 * radius * radius + half_height * half_height + 0.75 * half_height * radius);
    (tube + caps, Vec3::new(across, along, across))
}

/// (6)
fn cylinder(half_height: f64, radius: f64) -> (f64, Vec3) {
    let volume = 2.0 * PI * radius * radius * half_height;
    let across = volume * (radius * radius / 4.0 + half_height * half_height / 3.0);
    (volume, Vec3::new(across, volume * radius * radius / 2.0, across))
}

/// (7)
fn cone(half_height: f64, radius: f64) -> VolumeIntegrals {
    let volume = 2.0 / 3.0 * PI * radius * radius * half_height;
    let across = volume * 3.0 / 20.0 * (radius * radius + half_height * half_height);
    VolumeIntegrals {
        volume,
        centroid: Vec3::y() * (-0.5 * half_height),
        inertia: Vec3::new(across, 0.3 * volume * radius * radius, across),
        body_from_principal: Rotation::identity(),
    }
}

/// (8)
fn egg(radius: f64, tip: f64, base: f64) -> VolumeIntegrals {
    let half = |length: f64| 2.0 / 3.0 * PI * radius * radius * length;
    let (upper, lower) = (half(tip), half(base));
    let (volume, height) = (upper + lower, 0.375 * (tip - base));
    let about_circle = 0.2 * (upper * (radius * radius + tip * tip) + lower * (radius * radius + base * base));
    let along = 0.4 * volume * radius * radius;
    // A sphere turns alike about all axes, to the last bit.
    let across = if tip == radius && base == radius { along } else { about_circle - volume * height * height };
    VolumeIntegrals {
        volume,
        centroid: Vec3::y() * height,
        inertia: Vec3::new(across, along, across),
        body_from_principal: Rotation::identity(),
    }
}

/// (4), about the mean of the points so that a hull far from its file's origin loses no digits.
fn hull(points: &[Vec3]) -> Option<VolumeIntegrals> {
    let origin = points.iter().sum::<Vec3>() / points.len() as f64;
    let (vertices, triangles) = hull_mesh(points)?;
    triangle_integrals(origin, &vertices, triangles.into_iter())
}

/// A round body as the polyhedron it is, with equal moments across its axis: they differ by rounding only.
fn round(shape: &Shape) -> Option<VolumeIntegrals> {
    let integrals = of_pieces(&convex_pieces(shape)?)?;
    let moments = tensor(&integrals).diagonal();
    let across = 0.5 * (moments.x + moments.z);
    let centroid = Vec3::new(0.0, integrals.centroid.y, 0.0);
    let inertia = Vec3::new(across, moments.y, across);
    Some(VolumeIntegrals { centroid, inertia, body_from_principal: Rotation::identity(), ..integrals })
}

fn of_pieces(pieces: &[ConvexPiece]) -> Option<VolumeIntegrals> {
    let all: Option<Vec<VolumeIntegrals>> = pieces.iter().map(|piece| polytope_integrals(&piece.core)).collect();
    together(&all?)
}

fn compound(parts: &[Part], center_of_mass: Option<Vec3>) -> Option<VolumeIntegrals> {
    let placed = |part: &Part| {
        let (pose, own) = (part.pose(), volume_integrals(&part.shape)?);
        let body_from_principal = rotation::exp(part.rotation) * own.body_from_principal;
        Some(VolumeIntegrals { centroid: pose.point(&own.centroid), body_from_principal, ..own })
    };
    let all: Option<Vec<VolumeIntegrals>> = parts.iter().map(placed).collect();
    let found = together(&all?)?;
    Some(VolumeIntegrals { centroid: center_of_mass.unwrap_or(found.centroid), ..found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;

    fn check(shape: Shape, mass: f64, expected: [f64; 3]) {
        let integrals = volume_integrals(&shape).unwrap();
        let inertia = integrals.inertia * (mass / integrals.volume);
        let error = (inertia - Vec3::from(expected)).norm() / inertia.norm();
        assert!(error < 1e-14, "{shape:?}: {inertia:?}, expected {expected:?}, relative error {error:e}");
    }

    fn box_corners(half: Vec3, rotation: Rotation, centre: Vec3) -> Vec<Vec3> {
        let sign = |bit: usize| if bit == 0 { 1.0 } else { -1.0 };
        let corner = |index: usize| Vec3::new(sign(index & 1), sign(index & 2), sign(index & 4));
        (0..8).map(|index| rotation * corner(index).component_mul(&half) + centre).collect()
    }

    #[test]
    fn closed_forms_match_the_reference_moments() {
        check(Shape::Ball { radius: 0.5 }, 2.0, [0.2, 0.2, 0.2]);
        check(Shape::Cuboid { half_extents: Vec3::new(0.2, 0.12, 0.08) }, 3.0, [0.0208, 0.0464, 0.0544]);
        let (across, along) = (0.046_551_578_947_368_42, 0.006_130_526_315_789_474);
        check(Shape::Capsule { half_height: 0.2, radius: 0.08 }, 2.0, [across, along, across]);
    }

    /// A polygon of n sides misses its circle by 1.6·(2/n)² of its area, and of its second moments by twice that.
    #[test]
    fn round_bodies_weigh_what_finely_cut_ones_do() {
        let (half_height, radius) = (0.3, 0.2);
        for shape in [
            |h, r, n| Shape::Cylinder { half_height: h, radius: r, segments: n },
            |h, r, n| Shape::Cone { half_height: h, radius: r, segments: n },
        ] {
            let [round, cut] = [None, Some(800)].map(|n| volume_integrals(&shape(half_height, radius, n)).unwrap());
            let close = |a: f64, b: f64| (a - b).abs() <= 3e-5 * a.abs();
            assert!(close(round.volume, cut.volume), "{round:?} {cut:?}");
            assert!((round.centroid - cut.centroid).norm() < 1e-12, "{round:?} {cut:?}");
            assert!((0..3).all(|k| close(round.inertia[k], cut.inertia[k])), "{round:?} {cut:?}");
        }
    }

    /// What a polyhedron of n sides misses is a quarter of it with 2n.
    #[test]
    fn an_egg_weighs_what_ever_finer_polyhedra_tend_to() {
        let of = |segments: Option<u32>| {
            let shape = Shape::Egg { radius: 0.2, tip: 0.5, base: 0.3, segments };
            let VolumeIntegrals { volume, centroid, inertia, .. } = volume_integrals(&shape).unwrap();
            [volume, centroid.y, inertia.x, inertia.y, inertia.z]
        };
        let (smooth, coarse, fine) = (of(None), of(Some(48)), of(Some(96)));
        for k in 0..5 {
            let ratio = (smooth[k] - coarse[k]) / (smooth[k] - fine[k]);
            assert!((ratio - 4.0).abs() < 0.1, "entry {k}: {ratio}, {smooth:?} {fine:?}");
        }
    }

    #[test]
    fn a_hull_of_box_corners_weighs_what_the_box_weighs() {
        let half = Vec3::new(0.2, 0.12, 0.08);
        let points = box_corners(half, Rotation::identity(), Vec3::zeros());
        check(Shape::Hull { points: points.clone() }, 3.0, [0.0208, 0.0464, 0.0544]);
        let integrals = volume_integrals(&Shape::Hull { points }).unwrap();
        assert_eq!(integrals.body_from_principal, Rotation::identity());
        assert!(integrals.centroid.norm() < 1e-16, "{}", integrals.centroid);
    }

    #[test]
    fn a_turned_and_shifted_hull_keeps_its_tensor() {
        let half = Vec3::new(0.2, 0.12, 0.08);
        let rotation = rotation::exp(Vec3::new(0.3, -0.7, 0.4));
        let centre = Vec3::new(5.0, -3.0, 8.0);
        let integrals = volume_integrals(&Shape::Hull { points: box_corners(half, rotation, centre) }).unwrap();
        assert!((integrals.centroid - centre).norm() < 1e-14);
        let axes = integrals.body_from_principal.to_rotation_matrix().into_inner();
        let tensor = axes * Mat3::from_diagonal(&integrals.inertia) * axes.transpose();
        let exact = rotation.to_rotation_matrix().into_inner();
        let exact = exact * Mat3::from_diagonal(&cuboid(&half).1) * exact.transpose();
        let error = (tensor - exact).norm() / exact.norm();
        assert!(error < 1e-13 && axes.determinant() > 0.0, "relative error {error:e}");
    }

    #[test]
    fn points_without_a_volume_have_no_centroid() {
        let square = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 0.0)];
        assert_eq!(hull_centroid(&square), None);
        assert_eq!(hull_centroid(&square[..3]), None);
        assert_eq!(hull_centroid(&[Vec3::x(); 6]), None);
        let tilted = rotation::exp(Vec3::new(0.3, 0.5, 0.2));
        assert_eq!(hull_centroid(&square.map(|point| tilted * point * 1e6)), None);
        let tetrahedron = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        assert!((hull_centroid(&tetrahedron).unwrap() - Vec3::repeat(0.25)).norm() < 1e-15);
    }
}
