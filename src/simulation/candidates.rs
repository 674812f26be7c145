//! Which pairs of bodies could meet within a window of time: overlapping swept boxes.
//!
//! A box covers the whole of a body's motion in the window, so a pair that is not listed cannot meet. Which
//! other bodies are in the scene decides only which further pairs are listed, never what a pair's search
//! finds.

use rapier3d_f64::parry::bounding_volume::Aabb;
use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use super::motion::Motion;
use crate::geometry::Solid;
use crate::math::Vec3;

/// Added to every box (m), so that touching counts as overlapping.
const BOX_MARGIN: f64 = 1e-6;

/// Everything a body may touch within a window.
#[derive(Clone, Copy, Debug)]
pub enum Swept {
    /// Between two corners.
    Box(Vec3, Vec3),
    /// Below a plane: outward normal and height.
    HalfSpace(Vec3, f64),
}

impl Swept {
    /// Of a body over the window from `from` to `until`.
    pub fn new(solid: &Solid, motion: &Motion, from: f64, until: f64) -> Self {
        let start = motion.along_path(from);
        if let Solid::HalfSpace(normal) = solid {
            let normal = start.rotation * normal;
            return Swept::HalfSpace(normal, normal.dot(&start.position));
        }
        let (low, high) = if motion.spin_bound() > 0.0 {
            let reach = Vec3::repeat(solid.reach());
            (-reach, reach)
        } else {
            solid.extent(&start.pose().turn)
        };
        let (path_low, path_high) = path_box(&start.position, &start.velocity, &motion.acceleration(), until - from);
        let margin = Vec3::repeat(BOX_MARGIN);
        Swept::Box(path_low + low - margin, path_high + high + margin)
    }

    /// Whether the two could meet.
    pub fn meets(&self, other: &Swept) -> bool {
        match (self, other) {
            (Swept::Box(low, high), Swept::Box(other_low, other_high)) => {
                (0..3).all(|k| low[k] <= other_high[k] && other_low[k] <= high[k])
            }
            (Swept::Box(low, high), Swept::HalfSpace(normal, height))
            | (Swept::HalfSpace(normal, height), Swept::Box(low, high)) => {
                let nearest: f64 = (0..3).map(|k| (normal[k] * low[k]).min(normal[k] * high[k])).sum();
                nearest <= *height
            }
            (Swept::HalfSpace(..), Swept::HalfSpace(..)) => false,
        }
    }
}

/// The box around a parabola x + v·τ + ½g·τ², τ from 0 to `duration`.
fn path_box(x: &Vec3, v: &Vec3, g: &Vec3, duration: f64) -> (Vec3, Vec3) {
    let at = |tau: f64, k: usize| x[k] + tau * (v[k] + 0.5 * g[k] * tau);
    let (mut low, mut high) = (*x, *x);
    for k in 0..3 {
        let turn = -v[k] / g[k];
        let turn = if turn > 0.0 && turn < duration { turn } else { duration };
        for value in [at(turn, k), at(duration, k)] {
            low[k] = low[k].min(value);
            high[k] = high[k].max(value);
        }
    }
    (low, high)
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
