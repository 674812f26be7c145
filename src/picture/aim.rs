//! Where to look from: a three-quarter view of the whole motion, or what a person asks for.
//!
//! The view is square to the longer side of the motion, turned a little towards where it ends, and higher the
//! flatter the motion lies.

use super::camera::{Camera, Margins};
use crate::math::Vec3;

/// How far a view is turned from square to the motion, rad.
const QUARTER: f64 = 0.42;
/// The lowest and highest elevation chosen by itself, rad.
const LOWEST: f64 = 0.24;
const HIGHEST: f64 = 1.05;
/// Fixed bodies farther than this part of the motion's size from its middle stand to one side.
const ASIDE: f64 = 1.0;

/// Which camera to use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Aim {
    /// Chosen from the motion.
    #[default]
    Auto,
    /// From this azimuth (0 looks against +z, positive turns the eye towards +x) and elevation above the level,
    /// both rad; at this distance from the motion's middle, or as near as shows it all.
    Angles {
        /// Around the vertical, rad.
        azimuth: f64,
        /// Above the level, rad.
        elevation: f64,
        /// From the middle of the motion, m.
        distance: Option<f64>,
    },
    /// This one.
    Exactly(Camera),
}

/// What the eye should see.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// Points that must be in the picture.
    pub points: Vec<Vec3>,
    /// Where bodies move, from the start to the end; the direction of view follows these.
    pub motion: Vec<Vec3>,
    /// Mean displacement from start to end.
    pub progress: Vec3,
    /// The middle of the fixed bodies.
    pub still: Option<Vec3>,
    pub up: Vec3,
    /// Outward normals of floors and a point of each: the eye stays outside.
    pub floors: Vec<(Vec3, Vec3)>,
}

impl Aim {
    pub(super) fn camera(&self, sight: &Sight, aspect: f64, margins: Margins) -> Camera {
        let level = Level::new(sight.up);
        match *self {
            Aim::Exactly(camera) => camera,
            Aim::Angles { azimuth, elevation, distance } => {
                let back = level.direction(azimuth, elevation);
                let camera = framed(sight, back, aspect, margins);
                match distance {
                    None => camera,
                    Some(distance) => {
                        let middle = middle(&sight.points);
                        Camera { eye: middle + back * distance, target: middle, ..camera }
                    }
                }
            }
            Aim::Auto => {
                let (azimuth, mut elevation) = level.choose(sight);
                let mut camera = framed(sight, level.direction(azimuth, elevation), aspect, margins);
                // A floor that leans towards the viewer must be seen from above as well.
                while elevation < 1.4 && !sight.floors.iter().all(|floor| is_outside(&camera, floor)) {
                    elevation += 0.08;
                    camera = framed(sight, level.direction(azimuth, elevation), aspect, margins);
                }
                camera
            }
        }
    }
}

fn is_outside(camera: &Camera, (normal, point): &(Vec3, Vec3)) -> bool {
    let slope = normal.dot(&(camera.eye - point)) / camera.distance().max(1e-12);
    // Walls that face away from the middle are not drawn, and need not be outside.
    normal.dot(&camera.up.normalize()) < 0.3 || slope > 0.12
}

fn framed(sight: &Sight, back: Vec3, aspect: f64, margins: Margins) -> Camera {
    let middle = middle(&sight.points);
    let camera = Camera::look_at(middle + back, middle, sight.up);
    camera.framing(sight.points.iter().copied(), aspect, margins)
}

/// The middle of the box around points.
fn middle(points: &[Vec3]) -> Vec3 {
    let low = points.iter().copied().reduce(|a, b| a.inf(&b)).unwrap_or_default();
    let high = points.iter().copied().reduce(|a, b| a.sup(&b)).unwrap_or_default();
    (low + high) / 2.0
}

/// A level plane with its directions.
struct Level {
    up: Vec3,
    /// Azimuth 0: towards the viewer by custom.
    front: Vec3,
    side: Vec3,
}

impl Level {
    fn new(up: Vec3) -> Level {
        let level = |axis: Vec3| (axis - up * axis.dot(&up)).try_normalize(0.1);
        let front = level(Vec3::z()).or_else(|| level(Vec3::y())).unwrap_or(Vec3::x());
        Level { up, front, side: up.cross(&front) }
    }

    fn direction(&self, azimuth: f64, elevation: f64) -> Vec3 {
        let level = self.front * azimuth.cos() + self.side * azimuth.sin();
        level * elevation.cos() + self.up * elevation.sin()
    }

    /// Azimuth and elevation for a motion.
    fn choose(&self, sight: &Sight) -> (f64, f64) {
        let count = sight.motion.len().max(1) as f64;
        let mean = sight.motion.iter().sum::<Vec3>() / count;
        let (mut xx, mut xz, mut zz, mut yy) = (0.0, 0.0, 0.0, 0.0);
        for point in &sight.motion {
            let way = point - mean;
            let (x, z, y) = (self.side.dot(&way), self.front.dot(&way), self.up.dot(&way));
            (xx, xz, zz, yy) = (xx + x * x / count, xz + x * z / count, zz + z * z / count, yy + y * y / count);
        }
        // The longer axis of the ellipse of covariance, as an angle from `side` towards `front`.
        let long = 0.5 * (2.0 * xz).atan2(xx - zz);
        let spread = ((xx - zz).powi(2) + 4.0 * xz * xz).sqrt();
        let (major, minor) = ((xx + zz + spread) / 2.0, ((xx + zz - spread) / 2.0).max(0.0));
        if major < 1e-12 || spread < 0.15 * major {
            return (QUARTER, elevation(minor.sqrt(), yy.sqrt()));
        }
        // Square to it, on the front side, and turned
        let square = if long.cos() >= 0.0 { -long } else { std::f64::consts::PI - long };
        let right = self.side * square.cos() - self.front * square.sin();
        // towards where the motion ends; unless fixed bodies stand to one side: those belong behind it.
        let size = (major + yy).sqrt();
        let aside = sight.still.map_or(0.0, |still| right.dot(&(still - mean)));
        let end = if aside.abs() > ASIDE * size { -aside } else { sight.progress.dot(&right) };
        let turned = if end < 0.0 { -QUARTER } else { QUARTER };
        (square + turned, elevation(minor.sqrt(), yy.sqrt()))
    }
}

/// The flatter, the higher.
fn elevation(minor: f64, vertical: f64) -> f64 {
    let flat = minor / (minor + vertical).max(1e-12);
    LOWEST + (HIGHEST - LOWEST) * flat * flat
}
