//! Smooth bodies, exactly: eggs.
//!
//! An egg is two half ellipsoids of revolution that meet in its widest circle, of radius r about c across the axis a; one
//! end is L = tip above it, the other L = base below. In a direction d it reaches, and bends, as
//!
//! ```text
//! A·d = r²·(d across a) + L²·a·(a·d),      L = tip where a·d > 0, else base
//! ρ = √(d·A·d)       reach(d) = d·c + ρ       p(d) = c + A·d/ρ       p'(d) = A/ρ − (A·d)(A·d)ᵀ/ρ³            (1)
//! ```
//!
//! p is the only point that touches a plane with the normal d, and p' has the radii of curvature there; they jump across
//! the widest circle, p does not. Two bodies of which one is an egg are apart by the largest, over unit vectors n, of
//!
//! ```text
//! f(n) = n·D,      D = p_egg(−n) − p_other(n)                                                       (2)
//! ```
//!
//! Where the other body touches with a face n is known, with an edge or a side it is on a circle, and else anywhere:
//! `search` finds it, `contact` has gap, point and normal with their derivatives. The core of an egg is the point c,
//! which gives it a number among the vertices of its body.

use std::f64::consts::FRAC_PI_2;

use crate::geometry::pose::Pose;
use crate::math::Vec3;
use crate::math::elementary::{cos, hypot, sin_cos};

/// Corners of the polygon around a quarter of the profile by which distances from an egg are bounded.
const QUARTER: u32 = 32;

/// An egg in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Egg {
    /// Of the widest circle.
    pub center: Vec3,
    /// Unit vector towards the tip.
    pub axis: Vec3,
    /// Of the widest circle.
    pub radius: f64,
    /// From the widest circle to the end along the axis.
    pub tip: f64,
    /// From the widest circle to the end against it.
    pub base: f64,
}

impl Egg {
    /// The same, its place counted from an origin.
    pub(super) fn seen_from(&self, origin: &Vec3) -> Self {
        Egg { center: self.center - origin, ..*self }
    }

    /// Turned and moved to a place in another frame.
    pub(in crate::geometry) fn placed(&self, pose: &Pose) -> Self {
        Egg { center: pose.point(&self.center), axis: pose.turn * self.axis, ..*self }
    }

    /// With all lengths multiplied.
    pub(in crate::geometry) fn scaled(&self, scale: f64) -> Self {
        Egg {
            center: self.center * scale,
            radius: self.radius * scale,
            tip: self.tip * scale,
            base: self.base * scale,
            ..*self
        }
    }

    /// Whether it is the same all around.
    pub(in crate::geometry) fn is_sphere(&self) -> bool {
        self.tip == self.radius && self.base == self.radius
    }

    /// L on the side of a direction.
    pub(in crate::geometry) fn half_length(&self, direction: &Vec3) -> f64 {
        if self.axis.dot(direction) > 0.0 { self.tip } else { self.base }
    }

    /// A·d and √(d·A·d). (1)
    pub(super) fn stretched(&self, direction: &Vec3) -> (Vec3, f64) {
        let (r, l) = (self.radius, self.half_length(direction));
        let stretched = direction * (r * r) + self.axis * ((l * l - r * r) * self.axis.dot(direction));
        (stretched, direction.dot(&stretched).sqrt())
    }

    /// The farthest point in a direction. (1)
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        let (stretched, height) = self.stretched(direction);
        if height > 0.0 { self.center + stretched / height } else { self.center }
    }

    /// How far it reaches in a direction. (1)
    pub fn reach_along(&self, direction: &Vec3) -> f64 {
        direction.dot(&self.center) + self.stretched(direction).1
    }

    /// p'(d) between vectors of each pair. (1)
    pub(super) fn bends<const N: usize>(&self, direction: &Vec3, pairs: [[&Vec3; 2]; N]) -> [f64; N] {
        let (stretched, h) = self.stretched(direction);
        let (r, l) = (self.radius, self.half_length(direction));
        let (flat, extra) = (r * r, l * l - r * r);
        pairs.map(|[s, t]| {
            let along = s.dot(t) * flat + extra * self.axis.dot(s) * self.axis.dot(t);
            (along - s.dot(&stretched) * t.dot(&stretched) / (h * h)) / h
        })
    }

    /// The outward normal of the egg of the same shape, larger or smaller, that has this point on its surface.
    pub(super) fn normal_through(&self, point: &Vec3) -> Option<Vec3> {
        let d = point - self.center;
        let (r, l, along) = (self.radius, self.half_length(&d), self.axis.dot(&d));
        let gradient = (d - self.axis * along) / (r * r) + self.axis * (along / (l * l));
        gradient.try_normalize(0.0)
    }

    /// A bound of how far its farthest point is from a point, larger by at most a thousandth of its size: the corners of
    /// a polygon around its profile.
    pub(in crate::geometry) fn farthest_from(&self, point: &Vec3) -> f64 {
        let d = point - self.center;
        let y = self.axis.dot(&d);
        let x = (d - self.axis * y).norm();
        let part = FRAC_PI_2 / f64::from(QUARTER);
        let outward = 1.0 / cos(0.5 * part);
        let corner = |k: u32, l: f64| {
            let (sin, cos) = sin_cos((f64::from(k) + 0.5) * part);
            hypot(x + outward * self.radius * cos, outward * l * sin - y)
        };
        let corners = |l: f64| (0..QUARTER).map(move |k| (k, l)).map(|(k, l)| corner(k, l)).fold(0.0, f64::max);
        let ends = hypot(x, self.tip - y).max(hypot(x, self.base + y)).max(hypot(x + self.radius, y));
        corners(self.tip).max(corners(-self.base)).max(ends)
    }
}
