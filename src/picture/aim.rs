//! Where to look from: a three-quarter view of the whole motion, or what a person asks for.
//!
//! The view is square to the longer side of the motion, turned a little towards where it ends, and higher the
//! flatter the motion lies. Of the directions near that one it takes the one in which bodies look largest and the motion fills the
//! picture best; how the picture is then filled is `frame`.

use super::camera::Camera;
use super::frame::{Frame, Sight};
use crate::math::Vec3;
use crate::math::elementary::{atan2, cos, sin, square};

/// How far a view is turned from square to the motion, rad.
const QUARTER: f64 = 0.42;
/// The lowest and highest elevation chosen by itself, rad.
const LOWEST: f64 = 0.24;
const HIGHEST: f64 = 1.05;
/// And the highest tried, rad.
const STEEPEST: f64 = 1.25;
/// Fixed bodies farther than this part of the motion's size from its middle stand to one side.
const ASIDE: f64 = 1.0;
/// Directions tried beside the one chosen from the shape of the motion, rad: around, and up.
const TURNS: [f64; 7] = [0.0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3];
const RISES: [f64; 5] = [0.0, -0.09, 0.09, 0.18, 0.27];
/// A view as far as this from the chosen one, rad, must show bodies larger by a factor of e^(STRAY) to be taken.
const FAR: f64 = 0.3;
const STRAY: f64 = 0.12;
/// Rising counts more than turning: from high above, upright lines lean.
const STEEP: f64 = 4.0;

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

impl Aim {
    pub(super) fn camera(&self, sight: &Sight, frame: &Frame) -> Camera {
        let level = Level::new(sight.up);
        match *self {
            Aim::Exactly(camera) => camera,
            Aim::Angles { azimuth, elevation, distance } => {
                let back = level.direction(azimuth, elevation);
                let camera = frame.fit(sight, back);
                match distance {
                    None => camera,
                    Some(distance) => {
                        let middle = sight.middle();
                        Camera { eye: middle + back * distance, target: middle, ..camera }
                    }
                }
            }
            Aim::Auto => {
                let (azimuth, mut elevation) = level.choose(sight);
                if let Some(back) = level.best(sight, frame, azimuth, elevation) {
                    return frame.fit(sight, back);
                }
                // A floor that leans towards the viewer must be seen from above as well.
                let mut camera = frame.fit(sight, level.direction(azimuth, elevation));
                while elevation < 1.4 && !is_outside(&camera, sight) {
                    elevation += 0.08;
                    camera = frame.fit(sight, level.direction(azimuth, elevation));
                }
                camera
            }
        }
    }
}

/// Whether an eye is above all floors.
fn is_outside(camera: &Camera, sight: &Sight) -> bool {
    sight.floors.iter().all(|(normal, point)| {
        let slope = normal.dot(&(camera.eye - point)) / camera.distance().max(1e-12);
        // Walls that face away from the middle are not drawn, and need not be outside.
        normal.dot(&camera.up.normalize()) < 0.3 || slope > 0.12
    })
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
        let level = self.front * cos(azimuth) + self.side * sin(azimuth);
        level * cos(elevation) + self.up * sin(elevation)
    }

    /// The direction near the given one from which a motion is seen best; none where floors are in the way of all.
    fn best(&self, sight: &Sight, frame: &Frame, azimuth: f64, elevation: f64) -> Option<Vec3> {
        let sight = sight.coarse();
        let mut best: Option<(f64, Vec3)> = None;
        for (turn, rise) in TURNS.iter().flat_map(|turn| RISES.iter().map(move |rise| (turn, rise))) {
            let back = self.direction(azimuth + turn, (elevation + rise).clamp(0.6 * LOWEST, STEEPEST));
            let camera = frame.fit(&sight, back);
            let worth = frame.worth(&camera, &sight) - STRAY * (turn * turn + STEEP * rise * rise) / (FAR * FAR);
            if is_outside(&camera, &sight) && best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, back));
            }
        }
        best.map(|(_, back)| back)
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
        let long = 0.5 * atan2(2.0 * xz, xx - zz);
        let spread = (square(xx - zz) + 4.0 * xz * xz).sqrt();
        let (major, minor) = ((xx + zz + spread) / 2.0, ((xx + zz - spread) / 2.0).max(0.0));
        if major < 1e-12 || spread < 0.15 * major {
            return (QUARTER, elevation(minor.sqrt(), yy.sqrt()));
        }
        // Square to it, on the front side, and turned
        let square = if cos(long) >= 0.0 { -long } else { std::f64::consts::PI - long };
        let right = self.side * cos(square) - self.front * sin(square);
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
