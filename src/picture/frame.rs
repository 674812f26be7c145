//! How a picture is filled: with the directions of view given, where the eye must stand.
//!
//! What must be seen touches the borders on one axis and is in the middle on the other. Words lie along the lower border; as long as no
//! body comes to lie under them, bodies may stand beside them. A former motion may ask for a little more room, and leaves
//! the picture where it wants much.

use super::camera::{Axes, Camera, Margins};
use crate::math::Vec3;
use crate::math::elementary::{ln, sin_cos, tan};

/// A former motion makes the picture wider by this factor, at most.
const FORMER: f64 = 1.25;
/// Lower borders tried between the narrowest and the one that clears all words.
const STEPS: u32 = 4;
/// Points of a coarse sight: extremes in this many directions, and this many of the motion.
const COARSE: usize = 160;
/// What a picture filled e times as well is worth, beside bodies e times as large.
const FILLING: f64 = 0.3;

/// What the eye should see.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// Points that must be in the picture.
    pub points: Vec<Vec3>,
    /// Where bodies move, from the start to the end; the direction of view follows these.
    pub motion: Vec<Vec3>,
    /// The paths of a motion it is compared with.
    pub former: Vec<Vec3>,
    /// Mean displacement from start to end.
    pub progress: Vec3,
    /// The middle of the fixed bodies.
    pub still: Option<Vec3>,
    pub up: Vec3,
    /// Outward normals of floors and a point of each: the eye stays outside.
    pub floors: Vec<(Vec3, Vec3)>,
}

/// The shape of a picture and what of it is taken.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Width by height.
    pub aspect: f64,
    /// Where no words are.
    pub margins: Margins,
    /// The lower border that clears all words.
    pub clear: f64,
    /// Boxes with words: left, top, right, bottom, as parts of the width and height.
    pub words: Vec<[f64; 4]>,
}

impl Sight {
    /// The middle of the box around its points.
    pub fn middle(&self) -> Vec3 {
        let (low, high) = around(&self.points).unwrap_or_default();
        (low + high) / 2.0
    }

    /// The same with few points, for trying many directions: only what can touch a border, and a few of the motion.
    pub fn coarse(&self) -> Sight {
        let stride = (self.motion.len() / COARSE).max(1);
        let mut points = extremes(&self.points, COARSE);
        points.extend(self.motion.iter().step_by(stride));
        Sight { points, former: Vec::new(), ..self.clone() }
    }
}

impl Frame {
    /// The camera looking from this direction that sees what must be seen, as large as can be.
    pub fn fit(&self, sight: &Sight, back: Vec3) -> Camera {
        let middle = sight.middle();
        let camera = Camera::look_at(middle + back, middle, sight.up);
        let own = self.beside_words(&camera, &sight.points, &[]);
        if sight.former.is_empty() {
            return own;
        }
        let former: Vec<Vec3> = sight.former.iter().filter_map(|point| self.brought_in(&own, point)).collect();
        self.beside_words(&camera, &sight.points, &former)
    }

    /// How well a camera shows a motion: the logarithm of how large bodies look, and some of how much of the picture is filled.
    pub fn worth(&self, camera: &Camera, sight: &Sight) -> f64 {
        let mean = sight.motion.iter().sum::<Vec3>() / sight.motion.len().max(1) as f64;
        let depth = camera.axes().forward.dot(&(mean - camera.eye)).max(1e-12);
        let size = [self.aspect, 1.0];
        let seen = sight.points.iter().filter_map(|point| camera.project(point, size));
        let places: Vec<Vec3> = seen.map(|p| Vec3::new(p.x, p.y, 0.0)).collect();
        let (low, high) = around(&places).unwrap_or_default();
        let filled = ((high.x - low.x) * (high.y - low.y) / self.aspect).max(1e-6);
        FILLING * ln(filled) - ln(depth)
    }

    /// The narrowest lower border with which no point lies under words.
    fn beside_words(&self, camera: &Camera, points: &[Vec3], former: &[Vec3]) -> Camera {
        let fit = |bottom: f64| {
            let all = points.iter().chain(former).copied();
            camera.framing(all, self.aspect, Margins { bottom, ..self.margins })
        };
        let (least, most) = (self.margins.bottom, self.clear.max(self.margins.bottom));
        let tried = (0..STEPS).map(|k| fit(least + (most - least) * f64::from(k) / f64::from(STEPS)));
        tried.into_iter().find(|camera| !self.covers(camera, points)).unwrap_or_else(|| fit(most))
    }

    /// Whether words lie over any of the points.
    fn covers(&self, camera: &Camera, points: &[Vec3]) -> bool {
        let size = [1.0, 1.0 / self.aspect];
        let Axes { right, up, forward } = camera.axes();
        let focal = camera.focal(size[1]);
        let under = |[left, top, right, bottom]: &[f64; 4], x: f64, y: f64| {
            (*left..*right).contains(&x) && (*top..*bottom).contains(&y)
        };
        points.iter().any(|point| {
            let way = point - camera.eye;
            let scale = focal / forward.dot(&way).max(1e-12);
            let (x, y) = (0.5 + scale * right.dot(&way), 0.5 - scale * up.dot(&way) * self.aspect);
            self.words.iter().any(|word| under(word, x, y))
        })
    }

    /// A point of a former motion, moved to the widest border it may ask for; none behind the eye.
    fn brought_in(&self, own: &Camera, point: &Vec3) -> Option<Vec3> {
        let Axes { right, up, forward } = own.axes();
        let way = point - own.eye;
        let depth = forward.dot(&way);
        if depth <= 1e-3 * own.distance() {
            return None;
        }
        let half = tan(own.field_of_view / 2.0) * depth * FORMER;
        let (wide, high) =
            (half * self.aspect * (1.0 - 2.0 * self.margins.side), half * (1.0 - 2.0 * self.margins.top));
        let (side, height) = (right.dot(&way), up.dot(&way));
        let (side, height) = (side.max(-wide).min(wide), height.max(-high).min(high));
        Some(own.eye + right * side + up * height + forward * depth)
    }
}

/// The corners of the box around points.
pub(super) fn around(points: &[Vec3]) -> Option<(Vec3, Vec3)> {
    let low = points.iter().copied().reduce(|a, b| a.inf(&b))?;
    let high = points.iter().copied().reduce(|a, b| a.sup(&b))?;
    Some((low, high))
}

/// Those of many points that lie farthest out in one of `count` directions spread evenly over the sphere.
pub(super) fn extremes(points: &[Vec3], count: usize) -> Vec<Vec3> {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    if points.len() <= count {
        return points.to_vec();
    }
    let direction = |k: usize| {
        let height = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sine, cosine) = sin_cos(k as f64 * GOLDEN_ANGLE);
        let level = (1.0 - height * height).sqrt();
        Vec3::new(level * cosine, height, level * sine)
    };
    let farthest = |way: Vec3| points.iter().max_by(|a, b| way.dot(a).total_cmp(&way.dot(b))).copied();
    (0..count).filter_map(|k| farthest(direction(k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

    fn frame(words: Vec<[f64; 4]>) -> Frame {
        Frame { aspect: 1.6, margins: Margins { side: 0.05, top: 0.05, bottom: 0.05 }, clear: 0.25, words }
    }

    /// Points around a circle, wider than high by a factor.
    fn ellipse(wide: f64) -> Sight {
        let at = |k: u32| f64::from(k) * std::f64::consts::TAU / 60.0;
        let points: Vec<Vec3> = (0..60).map(|k| Vec3::new(wide * sin(at(k)), cos(at(k)), 0.0)).collect();
        Sight { motion: points.clone(), points, up: Vec3::y(), ..Sight::default() }
    }

    fn seen(camera: &Camera, points: &[Vec3]) -> (Vec3, Vec3) {
        let place = |point: &Vec3| camera.project(point, [1.6, 1.0]).map(|p| Vec3::new(p.x / 1.6, p.y, 0.0)).unwrap();
        around(&points.iter().map(place).collect::<Vec<Vec3>>()).unwrap()
    }

    #[test]
    fn bodies_stand_beside_words_but_never_under_them() {
        let corner = vec![[0.0, 0.75, 0.25, 1.0]];
        let (alone, beside) = (frame(Vec::new()), frame(corner.clone()));
        let narrow = ellipse(0.7);
        assert_eq!(alone.fit(&narrow, Vec3::z()), beside.fit(&narrow, Vec3::z()), "there is room beside the words");
        let (_, high) = seen(&beside.fit(&narrow, Vec3::z()), &narrow.points);
        assert!((high.y - 0.95).abs() < 1e-6, "down to {}", high.y);
        for wide in [0.7, 1.0, 1.5, 2.0, 4.0] {
            let sight = ellipse(wide);
            let camera = frame(vec![[0.0, 0.75, 1.0, 1.0]]).fit(&sight, Vec3::z());
            let (_, high) = seen(&camera, &sight.points);
            assert!(high.y <= 0.75 + 1e-9, "{wide}: down to {}", high.y);
            assert!(!beside.covers(&beside.fit(&sight, Vec3::z()), &sight.points), "{wide}");
        }
    }

    #[test]
    fn a_former_motion_that_goes_far_shrinks_the_new_one_a_little() {
        let own = ellipse(1.0);
        let frame = frame(Vec::new());
        let across = |sight: &Sight| {
            let (low, high) = seen(&frame.fit(sight, Vec3::z()), &own.points);
            (high - low).norm()
        };
        let alone = across(&own);
        for far in [2.0, 5.0, 100.0, 1e6] {
            let former = (0..50).map(|k| Vec3::new(f64::from(k) / 49.0 * far, 0.5, 0.2)).collect();
            let both = across(&Sight { former, ..own.clone() });
            assert!(both <= alone && both >= 0.75 * alone, "{both} beside {alone}, former motion to {far} m");
        }
        let behind = across(&Sight { former: vec![Vec3::new(0.0, 0.0, 1e3)], ..own.clone() });
        assert_eq!(behind, alone, "what is behind the eye does not count");
    }

    #[test]
    fn extremes_reach_as_far_as_all_points() {
        let points: Vec<Vec3> =
            (0..5000).map(f64::from).map(|k| Vec3::new(sin(k * 0.7), cos(k * 1.3), sin(k * 0.37))).collect();
        let few = extremes(&points, 160);
        assert!(few.len() <= 160);
        for way in [Vec3::x(), Vec3::new(1.0, -2.0, 0.5).normalize(), Vec3::new(-1.0, -1.0, -1.0).normalize()] {
            let reach = |points: &[Vec3]| points.iter().map(|p| way.dot(p)).fold(f64::NEG_INFINITY, f64::max);
            assert!(reach(&few) > 0.97 * reach(&points), "{} of {}", reach(&few), reach(&points));
        }
    }
}
