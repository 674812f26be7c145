//! Bodies of revolution with straight sides, exactly: cylinders and cones.
//!
//! Two circles about one axis, the *ends*, and everything between them; a cone's upper end has no radius. In a
//! direction d the body reaches as far as one of its ends does, and its side has normals at one angle to the axis:
//!
//! ```text
//! max d·p = max_k (d·c_k + r_k·|d − a·(a·d)|)                                                       (1)
//! n·a = s = (r₀ − r₁)/l,     l² = (r₀ − r₁)² + h²                                                   (2)
//! ```
//!
//! The core of such a body is the polyhedron inscribed in it. It gives names to the ends and the side (numbers of its
//! faces), and corners to ends that lie flat on something; what touches elsewhere is the round body itself, by the
//! formulas of `contact`.

use crate::geometry::pose::Pose;
use crate::geometry::settings::HALF_TOUCHING;
use crate::math::Vec3;
use crate::math::elementary::hypot;

/// Corners of the polygon that stands for an end which lies flat.
pub(in crate::geometry) const CORNERS: u32 = 16;

/// The core's face that names the side: its first.
pub(super) const SIDE: u32 = 0;

/// A circle about the axis, or its centre alone.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// On the axis.
    pub center: Vec3,
    /// Zero for the tip of a cone.
    pub radius: f64,
    /// The core's face within the circle; none for a tip.
    pub cap: Option<u32>,
    /// The core's first corner on the circle, or the tip.
    pub corner: u32,
}

impl End {
    /// Whether the circle is level, seen along a direction with this sine of its angle to the axis.
    fn is_level(&self, sine: f64) -> bool {
        self.radius * sine < HALF_TOUCHING
    }
}

/// The two ends of a round body, in the body frame.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Unit vector from the first end to the second.
    pub axis: Vec3,
    /// With the axis a right-handed frame of unit vectors: angles on the circles count from the first to the second.
    pub(super) across: [Vec3; 2],
    /// The first is never a tip.
    pub ends: [End; 2],
}

impl Round {
    /// About y, with an end at either height; `corners` is how many corners the core has on a circle.
    pub(in crate::geometry) fn new([low, high]: [(f64, f64); 2], corners: u32) -> Self {
        let end = |(y, radius): (f64, f64), k: u32| End {
            center: Vec3::y() * y,
            radius,
            cap: (radius > 0.0).then_some(corners + k),
            corner: k * corners,
        };
        Round { axis: Vec3::y(), across: [Vec3::z(), Vec3::x()], ends: [end(low, 0), end(high, 1)] }
    }

    /// Turned and moved to a place in another frame.
    pub(in crate::geometry) fn placed(&self, pose: &Pose) -> Self {
        let end = |end: End| End { center: pose.point(&end.center), ..end };
        Round { axis: pose.turn * self.axis, across: self.across.map(|v| pose.turn * v), ends: self.ends.map(end) }
    }

    /// With all lengths multiplied.
    pub(in crate::geometry) fn scaled(&self, scale: f64) -> Self {
        let end = |end: End| End { center: end.center * scale, radius: end.radius * scale, ..end };
        Round { ends: self.ends.map(end), ..*self }
    }

    /// The farthest point in a direction. (1)
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        let [first, second] = self.ends.map(|end| self.support_of(&end, direction));
        if direction.dot(&second) > direction.dot(&first) { second } else { first }
    }

    pub(super) fn support_of(&self, end: &End, direction: &Vec3) -> Vec3 {
        let across = direction - self.axis * self.axis.dot(direction);
        let length = across.norm();
        if length > 0.0 { end.center + across * (end.radius / length) } else { end.center }
    }

    /// How far it reaches in a direction. (1)
    pub fn reach_along(&self, direction: &Vec3) -> f64 {
        let across = (direction - self.axis * self.axis.dot(direction)).norm();
        let reach = |end: &End| direction.dot(&end.center) + end.radius * across;
        reach(&self.ends[0]).max(reach(&self.ends[1]))
    }

    /// How far its farthest point is from a point.
    pub(in crate::geometry) fn farthest_from(&self, point: &Vec3) -> f64 {
        let distance = |end: &End| {
            let d = end.center - point;
            let along = self.axis.dot(&d);
            hypot((d - self.axis * along).norm() + end.radius, along)
        };
        distance(&self.ends[0]).max(distance(&self.ends[1]))
    }

    /// (2): the part of the side's normals along the axis, and across it.
    pub(super) fn slope(&self) -> (f64, f64) {
        let [low, high] = &self.ends;
        let (taper, height) = (low.radius - high.radius, (high.center - low.center).norm());
        let length = hypot(taper, height);
        (taper / length, height / length)
    }

    /// The length of its straight lines from end to end, m.
    pub(super) fn side_length(&self) -> f64 {
        let [low, high] = &self.ends;
        hypot(low.radius - high.radius, (high.center - low.center).norm())
    }

    /// The circle around a cap.
    pub(super) fn rim(&self, cap: u32) -> Option<&End> {
        self.ends.iter().find(|end| end.cap == Some(cap))
    }

    /// Whether a cap is level on a plane with this normal, in the body frame.
    pub(in crate::geometry) fn lies_level(&self, cap: u32, normal: &Vec3) -> bool {
        let sine = (normal - self.axis * self.axis.dot(normal)).norm();
        self.rim(cap).is_some_and(|end| end.is_level(sine))
    }

    /// Whether a point of the body frame is within the circle of a cap, seen along the axis.
    pub(in crate::geometry) fn over_cap(&self, cap: u32, point: &Vec3, slack: f64) -> bool {
        self.rim(cap).is_some_and(|end| {
            let d = point - end.center;
            (d - self.axis * self.axis.dot(&d)).norm() <= end.radius + slack
        })
    }

    /// The faces of the core that are faces of the body.
    pub(in crate::geometry) fn caps(&self) -> impl Iterator<Item = u32> {
        self.ends.into_iter().filter_map(|end| end.cap)
    }

    /// The corners of the core that are corners of the body: the tip.
    pub(in crate::geometry) fn tip(&self) -> Option<u32> {
        self.ends.iter().find(|end| end.cap.is_none()).map(|end| end.corner)
    }
}
