//! Height, speed, energy and spin of the selected body over time, with events and the playhead.

use eframe::egui::{self, Ui};
use egui_plot::{Line, Plot, PlotPoints, VLine};

use crate::dynamics::BodyState;
use crate::editor::action::Action;
use crate::editor::eye::view::View;
use crate::editor::look::theme;
use crate::editor::look::widgets::quiet;
use crate::editor::work::motion::{Motion, Path};
use crate::model::BodyId;
use crate::simulation::EventKind;

/// What is plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Height,
    Speed,
    Energy,
    Spin,
}

const ALL: [(Quantity, &str); 4] = [
    (Quantity::Height, "Height, m"),
    (Quantity::Speed, "Speed, m/s"),
    (Quantity::Energy, "Energy, J"),
    (Quantity::Spin, "Spin, rad/s"),
];
/// Lines at events; a rattle would paint everything.
const MOST_LINES: usize = 80;

/// Draws the plots and returns what was asked; a click on one shows its time.
pub fn plots_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let body = view.selection.filter(|body| !motion.paths[body.index()].times.is_empty());
    let body = body.or_else(|| motion.bodies().find(|body| !motion.paths[body.index()].times.is_empty()));
    let Some(body) = body else {
        quiet(ui, "Nothing moves here.");
        return None;
    };
    let mut action = None;
    let width = (ui.available_width() - 3.0 * ui.spacing().item_spacing.x) / 4.0;
    let height = ui.available_height().max(60.0) - 20.0;
    ui.horizontal(|ui| {
        for (quantity, label) in ALL {
            ui.vertical(|ui| {
                quiet(ui, format!("{label} · {}", motion.name(body)));
                action = action.take().or(plot_ui(view, motion, body, quantity, label, [width, height], ui));
            });
        }
    });
    action
}

fn plot_ui(
    view: &View,
    motion: &Motion,
    body: BodyId,
    quantity: Quantity,
    label: &str,
    size: [f32; 2],
    ui: &mut Ui,
) -> Option<Action> {
    let dark = ui.visuals().dark_mode;
    let palette = theme::palette(dark);
    let color = theme::line_color(dark, false, motion.order(body), motion.name(body));
    let plot = Plot::new(label)
        .width(size[0])
        .height(size[1])
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .show_x(false)
        .show_y(false)
        .set_margin_fraction(egui::vec2(0.01, 0.08));
    let shown = plot.show(ui, |plot| {
        let impacts = motion.marks.iter().filter(|mark| mark.kind == EventKind::Impact && mark.bodies.contains(&body));
        for mark in impacts.take(MOST_LINES) {
            plot.vline(VLine::new("event", mark.t).color(palette.impact.gamma_multiply(0.5)).width(1.0));
        }
        plot.line(Line::new(label, points(motion, body, quantity)).color(color).width(1.6));
        plot.vline(VLine::new("time", view.playhead).color(palette.accent).width(1.5));
        plot.pointer_coordinate().map(|place| place.x)
    });
    let name = format!("Plot of {label}");
    shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &name));
    let pressed = shown.response.clicked() || shown.response.dragged();
    shown.inner.filter(|_| pressed).map(Action::Scrub)
}

fn points(motion: &Motion, body: BodyId, quantity: Quantity) -> PlotPoints<'static> {
    let path: &Path = &motion.paths[body.index()];
    let mass = motion.trajectory.world().bodies[body.index()].mass;
    let gravity = motion.trajectory.world().gravity;
    let value = |state: &BodyState| match quantity {
        Quantity::Height => state.position.y,
        Quantity::Speed => state.velocity.norm(),
        Quantity::Energy => state.kinetic_energy(&mass) - mass.mass * gravity.dot(&state.position),
        Quantity::Spin => state.spin.norm(),
    };
    path.times.iter().zip(&path.states).map(|(t, state)| [*t, value(state)]).collect()
}
