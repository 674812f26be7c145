//! Which pairs of bodies could meet within a window of time: overlapping swept boxes.
//!
//! A box covers the whole of a body's motion in the window, so a pair that is not listed cannot meet. Which
//! other bodies are in the scene decides only which further pairs are listed, never what a pair's search
//! finds.

use rapier3d_f64::parry::bounding_volume::Aabb;
use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use super::super::motion::{Motion, MotionBounds};
use crate::dynamics::BodyState;
use crate::geometry::Solid;
use crate::math::Vec3;
use crate::simulation::settings::DEEP;

/// Everything a body may touch within a window.
#[derive(Clone, Copy, Debug)]
pub enum Swept {
    /// Between two corners.
    Box(Vec3, Vec3),
    /// Below a plane, or above it where the plane turns.
    HalfSpace(SweptPlane),
}

/// All y with n·y ≤ h + κ·|y − c|.
#[derive(Clone, Copy, Debug)]
pub struct SweptPlane {
    /// n, unit, outward.
    normal: Vec3,
    /// h, m.
    height: f64,
    /// κ, by how much the normal may have turned; 0 where it does not.
    tilt: f64,
    /// c.
    center: Vec3,
}

impl Swept {
    /// Of a body over the window from `from` to `until`.
    pub fn new(solid: &Solid, motion: &Motion, from: f64, until: f64) -> Self {
        let (start, bounds) = (motion.along_path(from), motion.bounds(from, until));
        if let Solid::HalfSpace(normal) = solid {
            let still = SweptPlane::of(&start, normal);
            return Swept::HalfSpace(if motion.is_still() {
                still
            } else {
                still.moved(&start, &bounds, until - from)
            });
        }
        let (low, high) = if bounds.spin > 0.0 {
            let reach = Vec3::repeat(solid.reach());
            (-reach, reach)
        } else {
            solid.extent(&start.pose().turn)
        };
        let (path_low, path_high) = bounds.path_box(&start, until - from);
        let margin = Vec3::repeat(DEEP);
        Swept::Box(path_low + low - margin, path_high + high + margin)
    }

    /// Whether the two could meet.
    pub fn meets(&self, other: &Swept) -> bool {
        match (self, other) {
            (Swept::Box(low, high), Swept::Box(other_low, other_high)) => {
                (0..3).all(|k| low[k] <= other_high[k] && other_low[k] <= high[k])
            }
            (Swept::Box(low, high), Swept::HalfSpace(plane)) | (Swept::HalfSpace(plane), Swept::Box(low, high)) => {
                plane.meets(low, high)
            }
            (Swept::HalfSpace(..), Swept::HalfSpace(..)) => false,
        }
    }
}

impl SweptPlane {
    /// Of a half-space in one place.
    fn of(state: &BodyState, normal: &Vec3) -> Self {
        let normal = state.rotation * normal;
        SweptPlane { normal, height: normal.dot(&state.position), tilt: 0.0, center: state.position }
    }

    /// With all that the half-space reaches for so many seconds from a state on.
    ///
    /// A y in it at some time, with c and n the centre and normal at the start, c' and n' then, |n' − n| ≤ κ, has
    ///
    /// ```text
    /// n·(y − c) = n'·(y − c') + (n − n')·(y − c') + n·(c' − c) ≤ 0 + κ·(|y − c| + |c' − c|) + n·(c' − c)
    /// ```
    fn moved(self, start: &BodyState, bounds: &MotionBounds, duration: f64) -> Self {
        // Opposite normals are 2 apart.
        let tilt = (bounds.spin * duration).min(2.0);
        let (n, v, a) = (&self.normal, &start.velocity, &bounds.acceleration);
        let rise = (n.dot(v).max(0.0) + 0.5 * (n.dot(a).max(0.0) + bounds.unsteadiness) * duration) * duration;
        let drift = bounds.farthest(v.norm(), duration);
        SweptPlane { height: self.height + rise + tilt * drift, tilt, ..self }
    }

    /// Whether a box could reach into it.
    fn meets(&self, low: &Vec3, high: &Vec3) -> bool {
        let nearest: f64 = (0..3).map(|k| (self.normal[k] * low[k]).min(self.normal[k] * high[k])).sum();
        if self.tilt == 0.0 {
            return nearest <= self.height;
        }
        let farthest = (low - self.center).abs().sup(&(high - self.center).abs()).norm();
        nearest <= self.height + self.tilt * farthest
    }
}

/// All pairs of bodies whose swept volumes meet, lower number first, in order.
pub fn meeting_pairs(swept: &[Swept]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let (mut boxes, mut numbers, mut planes) = (Vec::new(), Vec::new(), Vec::new());
    for (k, volume) in swept.iter().enumerate() {
        match volume {
            Swept::Box(low, high) => {
                boxes.push(Aabb::new(Vector::new(low.x, low.y, low.z), Vector::new(high.x, high.y, high.z)));
                numbers.push(k as u32);
            }
            Swept::HalfSpace(..) => planes.push(k as u32),
        }
    }
    let ordered = |a: u32, b: u32| (a.min(b), a.max(b));
    if boxes.len() > 1 {
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |a, b| {
            let (a, b) = (numbers[a as usize], numbers[b as usize]);
            // The tree's boxes are rounded outward; ours decide.
            if swept[a as usize].meets(&swept[b as usize]) {
                pairs.push(ordered(a, b));
            }
        });
    }
    for &plane in &planes {
        for &body in &numbers {
            if swept[plane as usize].meets(&swept[body as usize]) {
                pairs.push(ordered(plane, body));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
