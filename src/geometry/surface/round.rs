//! Triangles of spheres, and of profiles turned about y.
//!
//! ```text
//! sphere     an icosahedron divided n times along each edge, pushed out                      (1)
//! capsule    a sphere of latitudes and longitudes, cut at the equator and pulled apart       (2)
//! egg        its smooth profile, turned about y                                              (4)
//! ```

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use super::triangles::Surface;
use crate::math::Vec3;
use crate::math::elementary::sin_cos;

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

/// The profile of an egg from its blunt end to its tip, with its normals.
pub(super) fn egg_profile(radius: f64, tip: f64, base: f64, segments: u32) -> Vec<(Vec3, Vec3)> {
    let quarter = segments.div_ceil(4) as i32;
    let point = |k: i32| {
        let (sine, cosine) = sin_cos(FRAC_PI_2 * f64::from(k) / f64::from(quarter));
        let half_length = if k > 0 { tip } else { base };
        // The gradient of (r/radius)² + (y/half_length)².
        let normal = Vec3::new(cosine / radius, sine / half_length, 0.0).normalize();
        (Vec3::new(radius * cosine, half_length * sine, 0.0), normal)
    };
    (-quarter..=quarter).map(point).collect()
}
