//! Pictures of motions, made without a window or a graphics card.
//!
//! ```text
//! Trajectory + View ──Studio──▶ Stage (meshes, glass, floors, lines) ──draw──▶ Canvas ──▶ Image ──▶ PNG
//!                       │
//!                       └─ Aim ──▶ Camera
//! ```
//!
//! [`render`] shows a whole motion in one picture, [`render_at`] one instant; a [`Studio`] makes many pictures of one
//! motion from the same camera. The same motion and view give the same bytes, on any number of threads.
//!
//! Joints and forces are seen as marks ([`MachineMarks`]): plain lines and points, which the window draws too.
//!
//! Numbers are `f32` from the stage on; the camera's public maths are `f64`. Writing other formats is `export`.

mod aim;
mod camera;
mod caption;
mod colour;
mod draw;
mod error;
mod frame;
mod image;
mod light;
pub(crate) mod machine_marks;
mod nail_marks;
mod raster;
mod shade;
mod sheet;
mod show;
mod show_machine;
mod stage;
mod stroke;
mod studio;
#[cfg(test)]
mod tests;
mod text;
mod track;
mod view;

pub use aim::Aim;
pub use camera::{Axes, Camera, FIELD_OF_VIEW, Margins, Projected};
pub use colour::{
    BODY_COLOURS, Colour, Scheme, Theme, body_colour, body_colours, encoded, glass_colour, line_colour, linear,
    named_colour,
};
pub use error::PictureError;
pub use image::Image;
pub use machine_marks::{Form, MachineMarks, Mark, Tone};
pub use nail_marks::nail_marks;
pub use sheet::sheet;
pub use studio::Studio;
pub use view::{LARGEST, NailMark, SMALLEST, View};

use crate::simulation::Trajectory;

/// A picture of the whole motion.
pub fn render(trajectory: &Trajectory, view: &View) -> Result<Image, PictureError> {
    Ok(Studio::new(trajectory, view)?.whole())
}

/// A picture of the whole motion over an earlier one of the same bodies, which is dashed.
pub fn render_over(before: &Trajectory, after: &Trajectory, view: &View) -> Result<Image, PictureError> {
    Ok(Studio::comparing(after, Some(before), view)?.whole())
}

/// A picture of one instant, from the camera that sees the whole motion.
pub fn render_at(trajectory: &Trajectory, t: f64, view: &View) -> Result<Image, PictureError> {
    Ok(Studio::new(trajectory, view)?.at(t))
}
