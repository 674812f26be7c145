//! What a person can choose about a picture.

use super::aim::Aim;
use super::colour::Theme;
use crate::math::Vec3;

/// Sides of a picture in pixels: smaller shows nothing, larger needs gigabytes.
pub const SMALLEST: u32 = 16;
/// See [`SMALLEST`].
pub const LARGEST: u32 = 8192;

/// How to look at a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Light or dark.
    pub theme: Theme,
    /// From where.
    pub aim: Aim,
    /// Written below.
    pub title: String,
    /// Whether title, names and time are written at all.
    pub caption: bool,
    /// Whether joints and forces are drawn.
    pub machine_marks: bool,
    /// Nails.
    pub nail_marks: Vec<NailMark>,
}

/// A place that a body was nailed to.
#[derive(Clone, Debug, PartialEq)]
pub struct NailMark {
    /// In the world.
    pub position: Vec3,
    /// Where the body is instead, which a dashed band then shows; none where it is not known.
    pub held: Option<Vec3>,
}

impl Default for View {
    fn default() -> View {
        View {
            width: 1600,
            height: 1000,
            theme: Theme::Light,
            aim: Aim::Auto,
            title: String::new(),
            caption: true,
            machine_marks: true,
            nail_marks: Vec::new(),
        }
    }
}
