//! The panel at the right: the bodies of the scene, and what there is to know of the selected one.

use eframe::egui::{self, Color32, Grid, RichText, Sense, Ui, vec2};

use super::action::Action;
use super::motion::Motion;
use super::theme;
use super::view::View;
use super::widgets::{part, quiet};
use crate::geometry::Shape;
use crate::math::Vec3;
use crate::model::BodyId;

/// Draws the panel and returns what was asked.
pub fn inspector_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.set_width(ui.available_width());
        part(ui, "Bodies");
        action = bodies_ui(view, motion, ui);
        ui.separator();
        match view.selection {
            Some(body) => body_ui(view, motion, body, ui),
            None => {
                ui.add_space(4.0);
                quiet(ui, "Select a body or a point of its path to see its state there.");
            }
        }
    });
    action
}

fn bodies_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let dark = ui.visuals().dark_mode;
    egui::ScrollArea::vertical().id_salt("bodies").max_height(200.0).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for body in motion.bodies() {
            let fixed = motion.model.bodies()[body.index()].fixed;
            ui.horizontal(|ui| {
                swatch(ui, theme::body_color(dark, fixed, motion.order(body)));
                let selected = view.selection == Some(body);
                if ui.selectable_label(selected, motion.name(body)).clicked() {
                    action = Some(Action::Select((!selected).then_some(body)));
                }
                if fixed {
                    quiet(ui, "fixed");
                }
            });
        }
    });
    action
}

fn swatch(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, color);
}

/// What a shape is called, with its sizes.
pub fn shape_words(shape: &Shape) -> String {
    let cm = |metres: f64| format!("{} cm", shorten(100.0 * metres));
    match shape {
        Shape::Ball { radius } => format!("ball, radius {}", cm(*radius)),
        Shape::Cuboid { half_extents } => {
            let [x, y, z] = [half_extents.x, half_extents.y, half_extents.z].map(|half| shorten(200.0 * half));
            format!("box, {x} × {y} × {z} cm")
        }
        Shape::Capsule { half_height, radius } => {
            format!("capsule, {} long, radius {}", cm(2.0 * half_height), cm(*radius))
        }
        Shape::Hull { points } => format!("hull of {} points", points.len()),
        Shape::HalfSpace { .. } => "half-space".to_owned(),
        Shape::Particle => "particle".to_owned(),
        _ => "several pieces".to_owned(),
    }
}

/// At most three digits behind the point, and none that say nothing.
pub fn shorten(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn body_ui(view: &View, motion: &Motion, body: BodyId, ui: &mut Ui) {
    let model = &motion.model.bodies()[body.index()];
    let properties = &motion.trajectory.world().bodies[body.index()];
    part(ui, motion.name(body));
    quiet(ui, shape_words(&model.shape));
    ui.add_space(4.0);
    Grid::new("material").num_columns(2).spacing([18.0, 4.0]).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            quiet(ui, name);
            ui.label(value);
            ui.end_row();
        };
        if !properties.fixed {
            row("mass", format!("{} kg", shorten(properties.mass.mass)));
        }
        row("restitution", shorten(properties.restitution));
        row("friction", shorten(properties.friction));
    });
    part(ui, &format!("At {:.3} s", view.playhead));
    let state = motion.trajectory.body_at(body, view.playhead);
    Grid::new("state").num_columns(4).spacing([12.0, 4.0]).striped(true).show(ui, |ui| {
        for (name, unit, vector) in
            [("position", "m", state.position), ("velocity", "m/s", state.velocity), ("spin", "rad/s", state.spin)]
        {
            vector_row(ui, &format!("{name}, {unit}"), vector);
        }
    });
}

fn vector_row(ui: &mut Ui, name: &str, vector: Vec3) {
    quiet(ui, name);
    for entry in vector.iter() {
        ui.label(RichText::new(format!("{entry:>8.3}")).monospace());
    }
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.5, "0.5"), (12.0, "12"), (-0.0001, "0"), (2.71259, "2.713")] {
            assert_eq!(shorten(value), text);
        }
    }
}
