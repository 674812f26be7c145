//! Joints: what keeps one body to another, or to a place of the world.
//!
//! ```text
//! P = x_A + R_A·point         of the first body A
//! Q = x_B + R_B·second        of the second body B; the place `second` of the world where there is none
//! ```

use super::Given;
use crate::math::Vec3;

/// One `[[joint]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique in the scene.
    pub name: String,
    /// The body A, by its place in the scene's list.
    pub first: usize,
    /// The body B; none for the world. It is not A, and one of the two is pushed by forces.
    pub second: Option<usize>,
    /// What is kept.
    pub kind: JointKind,
    /// τ: how fast what starts apart comes together, s; above 0.
    pub time_constant: f64,
    /// Begin and end of the times at which it holds, s; in order, apart from each other. None at all: it always holds.
    pub active: Vec<[f64; 2]>,
    /// Whether the two bodies may touch while it holds.
    pub collide: bool,
}

/// What a joint keeps, and with which numbers. Axes, directions and normals have length 1. A `second` of a body is constant; only a
/// place of the world may follow a track.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKind {
    /// P at a place of the world; without a second body. Three rows.
    #[allow(missing_docs, reason = "the names say it")]
    Pin { point: Vec3, to: Given<Vec3> },
    /// P at Q of a second body. Three rows.
    #[allow(missing_docs, reason = "the names say it")]
    PointToPoint { point: Vec3, second: Vec3 },
    /// |P − Q| = length, above 0. One row.
    #[allow(missing_docs, reason = "the names say it")]
    Distance { point: Vec3, second: Given<Vec3>, length: Given<f64> },
    /// |P − Q| at most length, above 0. A stop.
    #[allow(missing_docs, reason = "the names say it")]
    Rope { point: Vec3, second: Given<Vec3>, length: Given<f64>, restitution: f64 },
    /// P on a path of the world, sliding freely; without a second body. Two rows.
    #[allow(missing_docs, reason = "the names say it")]
    OnPath { point: Vec3, path: JointPath },
    /// P at the place of a path that a track of numbers says; without a second body. Three rows.
    FollowPath {
        /// Of the body.
        point: Vec3,
        /// Of the world.
        path: JointPath,
        /// The track: m along a line, rad on an ellipse, points of a spline.
        along: usize,
    },
    /// P on a line of the second body, or of the world. Two rows.
    PointOnLine {
        /// Of the first body.
        point: Vec3,
        /// A point of the line.
        origin: Vec3,
        /// Its direction.
        direction: Vec3,
    },
    /// P on a plane of the second body, or of the world. One row.
    PointOnPlane {
        /// Of the first body.
        point: Vec3,
        /// A point of the plane.
        origin: Vec3,
        /// Its normal.
        normal: Vec3,
    },
    /// Two balls that keep touching and slide. One row.
    SphereToSphere,
    /// The axis of the first body along one of the second, or of the world. Two rows.
    #[allow(missing_docs, reason = "the names say it")]
    Orientation { axis: Vec3, to: Vec3 },
    /// The first body turned to this exponential map, rad; without a second body. Three rows.
    #[allow(missing_docs, reason = "the names say it")]
    FullOrientation { rotation: Given<Vec3> },
    /// P at Q, and the axis of the first body along that of the second, or of the world. Five rows.
    #[allow(missing_docs, reason = "the names say it")]
    Hinge {
        point: Vec3,
        second: Given<Vec3>,
        axis: Vec3,
        second_axis: Vec3,
        /// Of the angle from the start, rad.
        limits: Option<Limits>,
    },
    /// P on the second side's axis through Q, and no turn against the second side since the start. Five rows.
    #[allow(missing_docs, reason = "the names say it")]
    Slider {
        point: Vec3,
        second: Given<Vec3>,
        axis: Vec3,
        second_axis: Vec3,
        /// Of the travel from the start, m.
        limits: Option<Limits>,
    },
    /// The pose against the second side stays that of the start. Six rows.
    Weld,
}

/// How far a hinge turns or a slider travels from where it starts: stops at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Below `high`.
    pub low: f64,
    /// Above `low`.
    pub high: f64,
    /// From 0 (dead) to 1 (bounces back).
    pub restitution: f64,
}

/// A curve of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum JointPath {
    /// Through a point; s in m along the direction, of length 1.
    #[allow(missing_docs, reason = "the names say it")]
    Line { point: Vec3, direction: Vec3 },
    /// center + axes\[0\]·cos s + axes\[1\]·sin s; the axes are perpendicular, m.
    #[allow(missing_docs, reason = "the names say it")]
    Ellipse { center: Vec3, axes: [Vec3; 2] },
    /// C² through its points at s = 0, 1, …; at least two, or three where it is closed. No two that follow each other are one.
    #[allow(missing_docs, reason = "the names say it")]
    Spline { points: Vec<Vec3>, closed: bool },
}

impl JointKind {
    /// Where it takes hold: points of the first and of the second side, where it has some.
    pub fn points(&self) -> [Option<Given<Vec3>>; 2] {
        let fixed = |point: &Vec3| Some(Given::Constant(*point));
        match self {
            JointKind::Pin { point, to } => [fixed(point), Some(*to)],
            JointKind::PointToPoint { point, second } => [fixed(point), fixed(second)],
            JointKind::Distance { point, second, .. }
            | JointKind::Rope { point, second, .. }
            | JointKind::Hinge { point, second, .. }
            | JointKind::Slider { point, second, .. } => [fixed(point), Some(*second)],
            JointKind::PointOnLine { point, origin, .. } | JointKind::PointOnPlane { point, origin, .. } => {
                [fixed(point), fixed(origin)]
            }
            JointKind::OnPath { point, .. } | JointKind::FollowPath { point, .. } => [fixed(point), None],
            JointKind::SphereToSphere
            | JointKind::Orientation { .. }
            | JointKind::FullOrientation { .. }
            | JointKind::Weld => [None, None],
        }
    }

    /// The word of files.
    pub fn word(&self) -> &'static str {
        match self {
            JointKind::Pin { .. } => "pin",
            JointKind::PointToPoint { .. } => "point_to_point",
            JointKind::Distance { .. } => "distance",
            JointKind::Rope { .. } => "rope",
            JointKind::OnPath { .. } => "on_path",
            JointKind::FollowPath { .. } => "follow_path",
            JointKind::PointOnLine { .. } => "point_on_line",
            JointKind::PointOnPlane { .. } => "point_on_plane",
            JointKind::SphereToSphere => "sphere_to_sphere",
            JointKind::Orientation { .. } | JointKind::FullOrientation { .. } => "orientation",
            JointKind::Hinge { .. } => "hinge",
            JointKind::Slider { .. } => "slider",
            JointKind::Weld => "weld",
        }
    }
}

impl Joint {
    /// The point of the first body about which its torques are told: that which it joins, or the centre of mass.
    pub fn point(&self) -> Vec3 {
        match &self.kind {
            JointKind::Pin { point, .. }
            | JointKind::PointToPoint { point, .. }
            | JointKind::Distance { point, .. }
            | JointKind::Rope { point, .. }
            | JointKind::OnPath { point, .. }
            | JointKind::FollowPath { point, .. }
            | JointKind::PointOnLine { point, .. }
            | JointKind::PointOnPlane { point, .. }
            | JointKind::Hinge { point, .. }
            | JointKind::Slider { point, .. } => *point,
            JointKind::SphereToSphere
            | JointKind::Orientation { .. }
            | JointKind::FullOrientation { .. }
            | JointKind::Weld => Vec3::zeros(),
        }
    }

    /// Whether it holds at a time; an interval holds from its begin on, up to its end.
    pub fn is_active(&self, t: f64) -> bool {
        self.active.is_empty() || self.active.iter().any(|[begin, end]| *begin <= t && t < *end)
    }
}
