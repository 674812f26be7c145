//! Polyhedra for round bodies that are meant to have flat sides: rings of corners about y, and staves between two rings.
//! Without `segments` cylinders, cones and eggs are the bodies themselves: `curved`.
//!
//! A smooth profile is sampled where its *normal* has turned by equal angles, so that strongly curved ends get more
//! rings than flat sides ([Popović 2000], §5.1). For an ellipse (r, y) = (b·cos θ, a·sin θ) the normal has the slope
//! φ with
//!
//! ```text
//! tan φ = (b/a)·tan θ                                                                            (1)
//! ```
//!
//! What touches is the polyhedron: its faces decide gap, contact point and normal. The smooth normals of the body it
//! stands for are only for looking at (`surface`). An impulse along a normal that is not the gap's gradient could leave
//! a closing contact closing, and lasting contact, which must keep the gap at zero, would then follow another law than
//! the impact before it.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::polytope::Polytope;
use crate::math::Vec3;
use crate::math::elementary::{atan, sin_cos, tan};

/// A circle of corners: its height, and its radius, which is zero for a tip.
pub(in crate::geometry) type Ring = (f64, f64);

/// The wall of a tube: outer radius below and above, thickness, half the height.
#[derive(Clone, Copy, Debug)]
pub(in crate::geometry) struct Wall {
    pub half_height: f64,
    pub radius: f64,
    pub top_radius: f64,
    pub thickness: f64,
}

/// The corner number `k` of `count` on a circle about y, from z towards x.
fn around(k: u32, count: u32, arc: [f64; 2]) -> (f64, f64) {
    let (sin, cos) = sin_cos(arc[0] + (arc[1] - arc[0]) * f64::from(k) / f64::from(count));
    (sin, cos)
}

/// The convex polyhedron through rings, from the lowest to the highest.
pub(in crate::geometry) fn lathe(rings: &[Ring], segments: u32) -> Polytope {
    let mut vertices = Vec::new();
    let mut numbers: Vec<Vec<u32>> = Vec::new();
    for &(y, radius) in rings {
        let count = if radius > 0.0 { segments } else { 1 };
        let first = vertices.len() as u32;
        numbers.push((0..segments).map(|k| first + k % count).collect());
        vertices.extend((0..count).map(|k| {
            let (sin, cos) = around(k, segments, [0.0, TAU]);
            Vec3::new(radius * sin, y, radius * cos)
        }));
    }
    let mut loops = Vec::new();
    for (low, high) in numbers.iter().zip(numbers.iter().skip(1)) {
        for k in 0..segments as usize {
            let next = (k + 1) % segments as usize;
            let mut corners = vec![low[k], low[next], high[next], high[k]];
            corners.dedup();
            if corners.first() == corners.last() {
                corners.pop();
            }
            loops.push(corners);
        }
    }
    let ends = [numbers.first(), numbers.last()].into_iter().flatten();
    loops.extend(ends.filter(|ring| ring[0] != ring[1]).cloned());
    Polytope::from_faces(vertices, loops)
}

/// Rings of an egg, from its blunt end to its tip. (1)
pub(in crate::geometry) fn egg_rings(radius: f64, tip: f64, base: f64, segments: u32) -> Vec<Ring> {
    let steps = (segments / 2).max(2);
    let ring = |k: u32| {
        let slope = PI * f64::from(k) / f64::from(steps) - FRAC_PI_2;
        let half_length = if slope > 0.0 { tip } else { base };
        match k {
            0 => (-base, 0.0),
            _ if k == steps => (tip, 0.0),
            _ => {
                let (sin, cos) = sin_cos(atan(half_length / radius * tan(slope)));
                (half_length * sin, radius * cos)
            }
        }
    };
    (0..=steps).map(ring).collect()
}

/// The staves of a tube's wall. Neighbours share their corners to the last digit.
pub(in crate::geometry) fn staves(wall: &Wall, arc: [f64; 2], segments: u32) -> Vec<Polytope> {
    let corner = |k: u32, outer: bool, top: bool| {
        let closed = arc[1] - arc[0] == TAU;
        let (sin, cos) = around(if closed { k % segments } else { k }, segments, arc);
        let outer_radius = if top { wall.top_radius } else { wall.radius };
        let radius = if outer { outer_radius } else { outer_radius - wall.thickness };
        let y = if top { wall.half_height } else { -wall.half_height };
        Vec3::new(radius * sin, y, radius * cos)
    };
    // Numbered as the corners of a cuboid: bit 4 for the inner circle, 2 for the bottom, 1 for the next angle.
    let stave = |k: u32| {
        Polytope::hexahedron((0..8).map(|bits| corner(k + (bits & 1), bits & 4 == 0, bits & 2 == 0)).collect())
    };
    (0..segments).map(stave).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::atan2;

    #[test]
    fn an_egg_turns_by_equal_angles_from_ring_to_ring() {
        let rings = egg_rings(0.02, 0.035, 0.025, 24);
        assert_eq!((rings.len(), rings[0], rings[12]), (13, (-0.025, 0.0), (0.035, 0.0)));
        assert!((rings[6].0).abs() < 1e-17 && (rings[6].1 - 0.02).abs() < 1e-17, "{:?}", rings[6]);
        for (k, &(y, r)) in rings.iter().enumerate().take(12).skip(1) {
            let length = if y > 0.0 { 0.035 } else { 0.025 };
            let slope = atan2(y / (length * length), r / (0.02 * 0.02));
            assert!((slope - (PI * k as f64 / 12.0 - FRAC_PI_2)).abs() < 1e-12, "ring {k}: {slope}");
        }
    }

    #[test]
    fn a_lathed_body_is_closed_and_obeys_euler() {
        for rings in [vec![(-1.0, 0.5), (1.0, 0.5)], vec![(-1.0, 0.5), (1.0, 0.0)], egg_rings(0.5, 1.0, 0.7, 16)] {
            let body = lathe(&rings, 16);
            assert!(body.is_closed(), "{rings:?}");
            assert_eq!(body.vertices.len() + body.faces.len(), body.edges.len() + 2, "{rings:?}");
        }
    }

    #[test]
    fn staves_are_closed_and_neighbours_share_corners() {
        let wall = Wall { half_height: 0.1, radius: 0.08, top_radius: 0.1, thickness: 0.01 };
        let staves = staves(&wall, [0.0, TAU], 12);
        for (k, stave) in staves.iter().enumerate() {
            assert!(stave.is_closed(), "stave {k}");
            let next = &staves[(k + 1) % 12];
            let shared = stave.vertices.iter().filter(|v| next.vertices.contains(v)).count();
            assert_eq!(shared, 4, "stave {k}");
        }
    }
}
