//! The panel at the right: the bodies of the scene, and what there is to know of the selected one.

use eframe::egui::{self, Color32, Grid, RichText, Sense, Ui, vec2};

use super::ledger::{Ledger, ledger_ui};
use super::nails::{NewNail, nails_ui};
use super::parameters::parameters_ui;
use super::shape_fields::shape_ui;
use crate::editor::action::Action;
use crate::editor::eye::view::View;
use crate::editor::look::theme;
use crate::editor::look::widgets::{part, quiet};
use crate::editor::look::words::shorten;
use crate::editor::work::bodies_text::NEW_SHAPES;
use crate::editor::work::document::Change;
use crate::editor::work::motion::Motion;
use crate::geometry::{Part, Shape};
use crate::math::Vec3;
use crate::model::BodyId;
use crate::picture;

/// What the panel remembers while someone types into it.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    /// A new name for the selected body.
    name: Option<String>,
    /// A new nail.
    nail: NewNail,
}

/// Draws the panel and returns what was asked.
pub fn inspector_ui(view: &View, motion: &Motion, drafts: &mut Drafts, ledger: &Ledger, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // The bar floats over the right edge while the pointer is here; nothing lies under it.
        ui.set_width(ui.available_width() - 6.0);
        part(ui, "Bodies");
        action = bodies_ui(view, motion, ui);
        action = action.take().or(body_buttons_ui(view, motion, ui));
        machine_ui(motion, ui);
        ui.separator();
        part(ui, "Nails");
        action = action.take().or(nails_ui(view, motion, &mut drafts.nail, ui));
        ui.separator();
        // Before the selected body, whose list is long: what a drag has changed is in sight when it ends.
        part(ui, "Changed last");
        action = action.take().or(ledger_ui(ledger, ui));
        ui.separator();
        match view.selection {
            Some(body) => action = action.take().or(body_ui(view, motion, body, drafts, ui)),
            None => {
                ui.add_space(4.0);
                quiet(ui, "Select a body or a point of its path to see and change it. Drag it to direct it.");
            }
        }
        ui.add_space(12.0);
    });
    action
}

/// What there is to tell of joints and springs, in the colour that their marks have.
fn machine_ui(motion: &Motion, ui: &mut Ui) {
    let told = motion.told();
    if told.is_empty() {
        return;
    }
    ui.separator();
    part(ui, "Machine");
    let color = theme::machine_color(ui.visuals().dark_mode, picture::Tone::Trouble);
    for sentence in told {
        ui.horizontal_wrapped(|ui| {
            swatch(ui, color);
            ui.label(RichText::new(sentence).small());
        });
    }
}

/// Adding, copying and removing.
fn body_buttons_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    ui.horizontal(|ui| {
        ui.menu_button("Add…", |ui| {
            for (name, shape) in NEW_SHAPES {
                if ui.button(name).clicked() {
                    action = Some(Action::Change(Change::Add(shape, free_place(motion))));
                }
            }
        });
        let name = view.selection.map(|body| motion.name(body).to_owned());
        ui.add_enabled_ui(name.is_some(), |ui| {
            let name = name.unwrap_or_default();
            if ui.button("Duplicate").clicked() {
                let offset = view.selection.map_or(0.5, |body| 2.5 * motion.reach(body));
                action = Some(Action::Change(Change::Duplicate(name.clone(), [offset, 0.0, 0.0])));
            }
            if ui.button("Delete").clicked() {
                action = Some(Action::Change(Change::Remove(name)));
            }
        });
    });
    action
}

/// A place above everything that is there at the start.
fn free_place(motion: &Motion) -> [f64; 3] {
    let tops = motion
        .bodies()
        .filter(|body| motion.reach_is_finite(*body))
        .map(|body| motion.body_at(body, 0.0).position.y + motion.reach(body));
    let floors = motion.bodies().filter(|body| !motion.reach_is_finite(*body));
    let floor = floors.map(|body| motion.body_at(body, 0.0).position.y).fold(0.0, f64::max);
    let top = tops.fold(floor, f64::max);
    [motion.ball.0.x, top + 0.3, motion.ball.0.z].map(|entry| (entry * 100.0).round() / 100.0)
}

fn bodies_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let dark = ui.visuals().dark_mode;
    egui::ScrollArea::vertical().id_salt("bodies").max_height(200.0).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for body in motion.bodies() {
            let fixed = motion.model.bodies()[body.index()].drive.never_moves();
            ui.horizontal(|ui| {
                swatch(ui, theme::body_color(dark, fixed, motion.order(body), motion.name(body)));
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
        Shape::Cylinder { half_height, radius, .. } => {
            format!("cylinder, {} high, radius {}", cm(2.0 * half_height), cm(*radius))
        }
        Shape::Cone { half_height, radius, .. } => {
            format!("cone, {} high, radius {}", cm(2.0 * half_height), cm(*radius))
        }
        Shape::Egg { radius, tip, base, .. } => format!("egg, {} long, radius {}", cm(tip + base), cm(*radius)),
        Shape::Tube { half_height, radius, .. } => {
            format!("tube, {} high, radius {}", cm(2.0 * half_height), cm(*radius))
        }
        Shape::Parabola { half_width, .. } => format!("parabola, {} wide", cm(2.0 * half_width)),
        Shape::Hull { points } => format!("hull of {} points", points.len()),
        Shape::Mesh(mesh) => format!("mesh of {} triangles", mesh.triangles.len()),
        Shape::Compound { parts, .. } => compound_words(parts),
        Shape::HalfSpace { .. } => "half-space".to_owned(),
        Shape::Particle => "particle".to_owned(),
    }
}

/// The kinds of a compound's parts, each with its count, in the order of the file.
fn compound_words(parts: &[Part]) -> String {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for part in parts {
        let words = shape_words(&part.shape);
        let kind = words.split([',', ' ']).next().unwrap_or_default();
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind.to_owned(), 1)),
        }
    }
    let words = kinds.iter().map(|(kind, count)| if *count == 1 { kind.clone() } else { format!("{count} × {kind}") });
    format!("compound: {}", words.collect::<Vec<_>>().join(", "))
}

fn body_ui(view: &View, motion: &Motion, body: BodyId, drafts: &mut Drafts, ui: &mut Ui) -> Option<Action> {
    let model = &motion.model.bodies()[body.index()];
    let mut action = name_ui(motion, body, drafts, ui);
    quiet(ui, shape_words(&model.shape));
    action = action.or(shape_ui(motion, body, ui));
    ui.add_space(4.0);
    action = action.or(parameters_ui(motion, body, ui));
    part(ui, &format!("At {:.3} s", view.playhead));
    let state = motion.body_at(body, view.playhead);
    Grid::new("state").num_columns(4).spacing([6.0, 4.0]).striped(true).show(ui, |ui| {
        for (name, unit, vector) in
            [("position", "m", state.position), ("velocity", "m/s", state.velocity), ("spin", "rad/s", state.spin)]
        {
            vector_row(ui, &format!("{name}, {unit}"), vector);
        }
    });
    action
}

/// The name, which can be typed over.
fn name_ui(motion: &Motion, body: BodyId, drafts: &mut Drafts, ui: &mut Ui) -> Option<Action> {
    let old = motion.name(body);
    let mut text = drafts.name.clone().unwrap_or_else(|| old.to_owned());
    let field = egui::TextEdit::singleline(&mut text).font(egui::TextStyle::Heading).desired_width(200.0);
    let response = ui.add(field);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name of the body"));
    if response.has_focus() {
        drafts.name = Some(text);
        return None;
    }
    let typed = drafts.name.take().filter(|_| response.lost_focus());
    let new = typed.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty() && name != old);
    new.map(|new| Action::Change(Change::Rename(old.to_owned(), new)))
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
    fn a_shape_is_called_by_its_kind() {
        let egg = Shape::Egg { radius: 0.022, tip: 0.034, base: 0.024, segments: None };
        assert_eq!(shape_words(&egg), "egg, 5.8 cm long, radius 2.2 cm");
        let part = |shape| Part { shape, position: Vec3::zeros(), rotation: Vec3::zeros() };
        let ball = Shape::Ball { radius: 0.1 };
        let parts = vec![part(ball.clone()), part(egg), part(ball)];
        assert_eq!(shape_words(&Shape::Compound { parts, center_of_mass: None }), "compound: 2 × ball, egg");
    }
}
