//! Inside a region: one inequality for each pair of faces, and how it changes with both bodies.
//!
//! With p the point in the region's frame (R_b, x_b of the body that declares it, or the world's) and n = ∂c/∂p:
//!
//! ```text
//! p = R_bᵀ·(point − x_b) − centre                                                           (1)
//! box       c_i = |p_i| − h_i                                                               (2)
//! cylinder  c = √(p_x² + p_z²) − r,   |p_y| − h                                             (3)
//! ball      c = |p| − r                                                                     (4)
//! δc = d·(δpoint − δx_b) − (arm × d)·δθ_b        d = R_b·n,  arm = point − x_b              (5)
//! ```

use super::gradient::Gradient;
use super::state::{Point, tangent, unit};
use super::{Relation, Residual};
use crate::dynamics::BodyState;
use crate::math::formula::Linear;
use crate::math::{Rotation, Vec3};
use crate::model::BodyId;
use crate::scene::Region;

/// Adds the inequalities of one region; `frame` is the body that declares it.
pub(super) fn inside(
    point: Point,
    state: &BodyState,
    region: &Region,
    frame: Option<(BodyId, BodyState)>,
    residuals: &mut Vec<Residual>,
) {
    let place = point.place(state);
    let (origin, turn) =
        frame.map_or((Vec3::zeros(), Rotation::identity()), |(_, body)| (body.position, body.rotation));
    let arm = place - origin;
    for (value, normal) in faces(region, turn.inverse_transform_vector(&arm)) {
        let d = turn * normal;
        let mut gradient = Gradient::of_body(point.body, point.dplace(state, d));
        if let Some((body, _)) = frame {
            let row = tangent(-d, -arm.cross(&d), Vec3::zeros(), Vec3::zeros());
            gradient.add(&Gradient::of_body(body, row), 1.0);
        }
        residuals.push(Residual { label: "inside", value, relation: Relation::AtMost, unit: "m", gradient });
    }
}

/// (2) to (4): values and their gradients in the region's frame.
fn faces(region: &Region, place: Vec3) -> Vec<(f64, Vec3)> {
    let along = |p: Vec3, axis: usize, half: f64| (p[axis].abs() - half, unit(axis) * p[axis].signum());
    match *region {
        Region::Box { center, half_extents } => {
            let p = place - Vec3::from(center);
            (0..3).map(|axis| along(p, axis, half_extents[axis])).collect()
        }
        Region::Cylinder { center, half_height, radius } => {
            let p = place - Vec3::from(center);
            let across = Vec3::new(p.x, 0.0, p.z);
            vec![round(across, radius), along(p, 1, half_height)]
        }
        Region::Ball { center, radius } => vec![round(place - Vec3::from(center), radius)],
    }
}

/// Distance from the middle, where it has no direction of its own but is far inside.
fn round(p: Vec3, radius: f64) -> (f64, Vec3) {
    let length = p.norm();
    (length - radius, if length > 0.0 { p / length } else { Vec3::zeros() })
}
