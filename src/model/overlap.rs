//! Which bodies overlap at the start: an impossible scene, refused with the depth; and a bound of whoever moves bodies about.
//!
//! Bodies that touch exactly are fine, and so is an overlap of rounding size. Two fixed bodies may share
//! space, since neither can be pushed; two particles have none. Candidates come from bounding spheres, sorted along x.

use super::body::ModelBody;
use super::error::{ModelError, ModelProblem};
use super::units::Units;
use crate::geometry::{Pose, Solid, separation};
use crate::math::rotation::exp;
use crate::scene::{Force, Joint, Scene};

/// Deepest overlap that a scene may start with, in its own unit of length.
pub(super) const ALLOWED: f64 = 1e-6;
/// At most this many pairs are reported.
pub(super) const MAX_REPORTS: usize = 20;

/// A body at the start.
pub(super) struct Placed<'a> {
    pub solid: &'a Solid,
    pub is_pushed: bool,
    pub pose: Pose,
}

/// One error for each pair that overlaps, at the later body of the file.
pub(super) fn overlaps(scene: &Scene, bodies: &[ModelBody], units: Units) -> Vec<ModelError> {
    let placed: Vec<Placed> = scene
        .bodies
        .iter()
        .zip(bodies)
        .map(|(body, model)| {
            let guide = model.drive.guide().unwrap_or_default();
            let at_start = |track: usize| scene.tracks[track].value_at(0.0);
            let position = guide.position.map_or(body.position, at_start);
            let rotation = guide.rotation.map_or(model.rotation, |track| exp(at_start(track)));
            Placed { solid: &model.solid, is_pushed: model.drive.is_pushed(), pose: Pose::new(position, &rotation) }
        })
        .collect();
    let error = |(first, second, gap): (usize, usize, f64)| ModelError {
        key: format!("body[{second}].position"),
        problem: ModelProblem::Overlap {
            body: bodies[second].name.to_string(),
            other: bodies[first].name.to_string(),
            depth: -gap,
        },
    };
    let shares = |first: usize, second: usize| pass_through(&scene.joints, &scene.forces, [first, second]);
    let found = near(&placed, -ALLOWED * units.length).into_iter();
    found.filter(|&(first, second, _)| !shares(first, second)).take(MAX_REPORTS).map(error).collect()
}

/// Pairs that are nearer than this, by the later body.
pub(super) fn near(bodies: &[Placed], than: f64) -> Vec<(usize, usize, f64)> {
    // Left ends of the bounding spheres; half-spaces reach from −∞ to ∞.
    let left = |k: usize| bodies[k].pose.position.x - bodies[k].solid.reach() - than.max(0.0);
    let right = |k: usize| bodies[k].pose.position.x + bodies[k].solid.reach();
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by(|&a, &b| left(a).total_cmp(&left(b)).then(a.cmp(&b)));
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for &k in &order {
        open.retain(|&other| right(other) >= left(k));
        for &other in &open {
            let (first, second) = (k.min(other), k.max(other));
            let gap = gap([&bodies[first], &bodies[second]], than);
            if gap < than {
                found.push((first, second, gap));
            }
        }
        open.push(k);
    }
    found.sort_by_key(|&(first, second, _)| (second, first));
    found
}

/// Whether a joint or a force between two bodies lets them share space at the start.
pub(super) fn pass_through(joints: &[Joint], forces: &[Force], pair: [usize; 2]) -> bool {
    let between = |first: usize, second: Option<usize>| {
        second.is_some_and(|second| [first.min(second), first.max(second)] == pair)
    };
    let joined = |joint: &Joint| between(joint.first, joint.second) && !joint.collide && joint.is_active(0.0);
    joints.iter().any(joined) || forces.iter().any(|force| between(force.first, force.second) && !force.collide)
}

/// The gap (m) of two bodies; infinite where they are farther apart than asked, or may share space.
fn gap([a, b]: [&Placed; 2], than: f64) -> f64 {
    if (!a.is_pushed && !b.is_pushed) || (a.solid.is_particle() && b.solid.is_particle()) {
        return f64::INFINITY;
    }
    let between = (a.pose.position - b.pose.position).norm();
    if between > a.solid.reach() + b.solid.reach() + than.max(0.0) {
        return f64::INFINITY;
    }
    separation(a.solid, &a.pose, b.solid, &b.pose, None).gap
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn check(bodies: &[(&str, &str)], expected: &[(&str, f64)]) {
        let mut text = "format = 1\nduration = 1.0\n".to_owned();
        for (k, (shape, more)) in bodies.iter().enumerate() {
            text += &format!("[[body]]\nname = \"b{k}\"\nshape = {{ {shape} }}\n{more}\n");
        }
        let scene = Scene::parse(&text, "test.toml").unwrap();
        let found: Vec<(String, f64)> = match Model::new(&scene) {
            Ok(_) => Vec::new(),
            Err(errors) => errors
                .errors
                .into_iter()
                .map(|error| match error.problem {
                    ModelProblem::Overlap { depth, .. } => (error.key, depth),
                    other => panic!("{other}"),
                })
                .collect(),
        };
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((key, depth), (expected_key, expected_depth)) in found.iter().zip(expected) {
            assert_eq!(key, expected_key);
            assert!((depth - expected_depth).abs() < 1e-12, "{depth} instead of {expected_depth}");
        }
    }

    const BALL: &str = "kind = \"ball\", radius = 0.5";
    const BOX: &str = "kind = \"cuboid\", half_extents = [1, 1, 1]";
    const FLOOR: &str = "kind = \"half_space\", normal = [0, 1, 0]";

    #[test]
    fn bodies_that_overlap_are_refused_with_the_depth() {
        check(&[(BALL, ""), (BALL, "position = [0.9, 0, 0]")], &[("body[1].position", 0.1)]);
        check(&[(FLOOR, "fixed = true"), (BALL, "position = [1e8, 0.25, 0]")], &[("body[1].position", 0.25)]);
        let boxes = [(BOX, ""), (BALL, "position = [9, 0, 0]"), (BOX, "position = [0, 1.5, 0]")];
        check(&boxes, &[("body[2].position", 0.5)]);
    }

    #[test]
    fn bodies_that_touch_or_miss_are_fine() {
        check(&[(BALL, ""), (BALL, "position = [1, 0, 0]")], &[]);
        check(&[(BALL, ""), (BALL, "position = [0.9999991, 0, 0]")], &[]);
        check(&[(BOX, ""), (BALL, "position = [1.4, 1.4, 0]")], &[]);
    }

    #[test]
    fn fixed_bodies_may_share_space_and_particles_have_none() {
        check(&[(FLOOR, "fixed = true"), (BOX, "fixed = true")], &[]);
        check(&[("kind = \"particle\"", "mass = 1"), ("kind = \"particle\"", "mass = 1")], &[]);
    }
}
