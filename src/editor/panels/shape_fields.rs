//! The sizes of a body's shape, to be typed: a change of the scene's text, which is read and checked again as a whole.
//!
//! A shape that has a name of its own (`[[shape]]`) is changed for every body that uses it. Hulls, meshes and compounds are lists
//! of points and parts; they are edited in the file.

use eframe::egui::Ui;

use crate::editor::action::Action;
use crate::editor::look::widgets::{number, quiet};
use crate::editor::look::words::significant;
use crate::editor::work::bodies_text::SizeChange;
use crate::editor::work::document::Change;
use crate::editor::work::motion::Motion;
use crate::geometry::Shape;
use crate::model::BodyId;

/// What a person calls it, the key in the file, and the values, m.
type Size = (&'static str, &'static str, Vec<f64>);

/// The numbers of a shape.
fn sizes(shape: &Shape) -> Vec<Size> {
    let one = |name, key, value: f64| (name, key, vec![value]);
    match shape {
        Shape::Ball { radius } => vec![one("radius", "radius", *radius)],
        Shape::Cuboid { half_extents } => {
            vec![("half sizes", "half_extents", half_extents.iter().copied().collect())]
        }
        Shape::Capsule { half_height, radius }
        | Shape::Cylinder { half_height, radius, .. }
        | Shape::Cone { half_height, radius, .. } => {
            vec![one("half height", "half_height", *half_height), one("radius", "radius", *radius)]
        }
        Shape::Egg { radius, tip, base, .. } => {
            vec![one("radius", "radius", *radius), one("tip", "tip", *tip), one("base", "base", *base)]
        }
        Shape::Tube { half_height, radius, top_radius, thickness, .. } => vec![
            one("half height", "half_height", *half_height),
            one("radius", "radius", *radius),
            one("radius above", "top_radius", *top_radius),
            one("thickness", "thickness", *thickness),
        ],
        Shape::Parabola { half_width, height, half_depth, thickness, .. } => vec![
            one("half width", "half_width", *half_width),
            one("height", "height", *height),
            one("half depth", "half_depth", *half_depth),
            one("thickness", "thickness", *thickness),
        ],
        Shape::Hull { .. } | Shape::Mesh(_) | Shape::Compound { .. } | Shape::HalfSpace { .. } | Shape::Particle => {
            vec![]
        }
    }
}

/// Draws the sizes of a body's shape and returns what was asked.
pub fn shape_ui(motion: &Motion, body: BodyId, ui: &mut Ui) -> Option<Action> {
    let shape = &motion.model.bodies()[body.index()].shape;
    let name = motion.name(body);
    let mut action = None;
    if matches!(**shape, Shape::Hull { .. } | Shape::Mesh(_) | Shape::Compound { .. }) {
        quiet(ui, "Its points and parts are edited in the file.");
    }
    for pair in sizes(shape).chunks(2) {
        ui.horizontal(|ui| action = action.take().or(sizes_ui(name, pair, ui)));
    }
    action
}

/// Some sizes in one row.
fn sizes_ui(name: &str, sizes: &[Size], ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    for (word, key, values) in sizes {
        quiet(ui, format!("{word}, m"));
        let many = values.len() > 1;
        for (index, old) in values.iter().copied().enumerate() {
            let label =
                if many { format!("{name} {word} {}", ["x", "y", "z"][index]) } else { format!("{name} {word}") };
            let changed = number(ui, &label, old, 54.0, |field| {
                let field = field.speed(0.01 * old).range(1e-6..=1e6).max_decimals(15);
                field.custom_formatter(|value, _| significant(value))
            });
            // A field that is left as it was has only rounded.
            if let Some(value) = changed.filter(|value| significant(*value) != significant(old)) {
                let index = many.then_some(index);
                action = Some(Action::Change(Change::Size(SizeChange { body: name.to_owned(), key, index, value })));
            }
        }
    }
    action
}
