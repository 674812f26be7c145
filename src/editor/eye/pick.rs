//! What is under a point of the screen: a body, or a path and the time there.
//!
//! ```text
//! body:  first triangle that the ray meets               (Möller–Trumbore, in the body frame)
//! path:  nearest on screen, within a few points; between two points of the path time is shared out linearly
//! ```
//!
//! A body that moves comes before paths, except where a path runs in front of it and nearer than half the pick
//! distance; a fixed body comes last.

use eframe::egui::{Pos2, Rect};

use super::camera::{Camera, Ray};
use super::view::Pick;
use crate::dynamics::BodyState;
use crate::editor::look::theme::PICK_DISTANCE;
use crate::editor::work::motion::Motion;
use crate::math::Vec3;
use crate::model::BodyId;

/// What the pointer is over, with bodies at the given time.
pub fn pick(motion: &Motion, camera: &Camera, rect: Rect, place: Pos2, t: f64, paths: bool) -> Option<Pick> {
    let hit = pick_body(motion, camera.ray(rect, place), t);
    let near = if paths { pick_path(motion, camera, rect, place) } else { None };
    match (hit, near) {
        (Some(hit), Some((near, distance))) => {
            let moves = !motion.model.bodies()[hit.body.index()].drive.never_moves();
            let depth = |place: Vec3| (place - camera.eye()).norm();
            let in_front = depth(near.place) < depth(hit.place);
            let path_wins = if moves { in_front && distance < 0.5 * PICK_DISTANCE } else { true };
            Some(if path_wins { near } else { hit })
        }
        (hit, near) => hit.or(near.map(|(near, _)| near)),
    }
}

fn pick_body(motion: &Motion, ray: Ray, t: f64) -> Option<Pick> {
    let mut best: Option<(f64, Pick)> = None;
    for body in motion.bodies() {
        let state = motion.body_at(body, t);
        let Some(depth) = hit_depth(motion, body, &state, &ray) else { continue };
        if best.is_none_or(|(known, _)| depth < known) {
            let place = ray.origin + ray.direction * depth;
            best = Some((depth, Pick { body, t, place, on_path: false }));
        }
    }
    best.map(|(_, pick)| pick)
}

/// How far along the ray a body begins.
pub fn hit_depth(motion: &Motion, body: BodyId, state: &BodyState, ray: &Ray) -> Option<f64> {
    let range = motion.meshes.ranges.get(body.index())?.clone();
    let scale = motion.trajectory.world().bodies[body.index()].scale;
    let offset = ray.origin - state.position;
    let closest = (offset - ray.direction * offset.dot(&ray.direction)).norm();
    if range.is_empty() || closest > motion.reach(body) * 1.01 {
        return None;
    }
    let inverse = state.rotation.inverse();
    let (origin, direction) = (inverse * offset / scale, inverse * ray.direction);
    let vertex = |index: u32| {
        let [x, y, z, ..] = motion.meshes.vertices[index as usize];
        Vec3::new(f64::from(x), f64::from(y), f64::from(z))
    };
    let indices = &motion.meshes.indices[range.start as usize..range.end as usize];
    let depths = indices.chunks_exact(3).filter_map(|triangle| {
        let [a, b, c] = [vertex(triangle[0]), vertex(triangle[1]), vertex(triangle[2])];
        triangle_depth(origin, direction, a, b - a, c - a)
    });
    depths.min_by(f64::total_cmp).map(|depth| depth * scale)
}

/// Where a line meets a triangle given by a corner and two edges: Cramer's rule on o + s·d = a + β·e₁ + γ·e₂.
fn triangle_depth(origin: Vec3, direction: Vec3, corner: Vec3, first: Vec3, second: Vec3) -> Option<f64> {
    let p = direction.cross(&second);
    let determinant = first.dot(&p);
    if determinant.abs() < 1e-14 {
        return None;
    }
    let to_origin = origin - corner;
    let beta = to_origin.dot(&p) / determinant;
    let q = to_origin.cross(&first);
    let gamma = direction.dot(&q) / determinant;
    let depth = second.dot(&q) / determinant;
    (beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0 && depth > 0.0).then_some(depth)
}

/// The nearest path within reach and its distance on the screen.
fn pick_path(motion: &Motion, camera: &Camera, rect: Rect, place: Pos2) -> Option<(Pick, f32)> {
    let mut best: Option<(Pick, f32)> = None;
    for (path, body) in motion.paths.iter().zip(motion.bodies()) {
        let mut before: Option<Pos2> = None;
        for k in 0..path.times.len() {
            let here = camera.project(rect, path.states[k].position);
            if let (Some(a), Some(b)) = (before, here)
                && let (part, distance) = nearest_on_segment(a, b, place)
                && distance < best.map_or(PICK_DISTANCE, |(_, known)| known)
            {
                let part = f64::from(part);
                let mix = |a: f64, b: f64| a + (b - a) * part;
                let t = mix(path.times[k - 1], path.times[k]);
                let on_path = motion.body_at(body, t).position;
                best = Some((Pick { body, t, place: on_path, on_path: true }, distance));
            }
            before = here;
        }
    }
    best
}

/// How far along a segment the nearest point is, from 0 to 1, and how far away.
fn nearest_on_segment(a: Pos2, b: Pos2, place: Pos2) -> (f32, f32) {
    let along = b - a;
    let square = along.length_sq();
    let part = if square > 0.0 { ((place - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (part, (a + along * part - place).length())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_triangle_where_it_should() {
        let depth = |x, y| {
            let origin = Vec3::new(x, y, 5.0);
            triangle_depth(origin, -Vec3::z(), Vec3::zeros(), Vec3::x(), Vec3::y())
        };
        assert_eq!(depth(0.25, 0.25), Some(5.0));
        assert_eq!(depth(0.75, 0.75), None);
        assert_eq!(depth(-0.1, 0.5), None);
    }

    #[test]
    fn the_nearest_point_of_a_segment_may_be_an_end() {
        let at = |x: f32, y: f32| nearest_on_segment(Pos2::ZERO, Pos2::new(10.0, 0.0), Pos2::new(x, y));
        assert_eq!(at(5.0, 3.0), (0.5, 3.0));
        assert_eq!(at(-4.0, 3.0), (0.0, 5.0));
        assert_eq!(nearest_on_segment(Pos2::ZERO, Pos2::ZERO, Pos2::new(3.0, 4.0)), (0.0, 5.0));
    }
}
