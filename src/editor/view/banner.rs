//! The strip over the view that speaks of a drag: how it goes, what jumped, what is in the way, what was left unmet.

use eframe::egui::{self, Align2, RichText, Ui};

use crate::editor::action::Action;
use crate::editor::drag::aim::Rail;
use crate::editor::drag::grasp::Grasp;
use crate::editor::drag::pulling::Drag;
use crate::editor::drag::unmet::{Offer, Unmet, short_by};
use crate::editor::look::icons::Icon;
use crate::editor::look::theme;
use crate::editor::look::widgets::{icon_button, quiet};
use crate::editor::look::words::when_words;
use crate::editor::work::motion::Motion;
use crate::session::{Edit, Quantity};
use crate::solve::Verdict;

/// Draws the strip at the foot of the view and returns what was asked.
pub fn banner_ui(grasp: &Grasp, motion: &Motion, rect: egui::Rect, ui: &mut Ui) -> Option<Action> {
    let (drag, unmet, offer) = (grasp.drag(), grasp.unmet(), grasp.offer());
    if drag.is_none() && unmet.is_none() && offer.is_none() {
        return None;
    }
    let mut action = None;
    let place = egui::pos2(rect.center().x, rect.bottom() - 14.0);
    let area = egui::Area::new(egui::Id::unique("banner")).pivot(Align2::CENTER_BOTTOM).fixed_pos(place);
    let width = (rect.width() - 60.0).max(120.0);
    let area = area.constrain_to(rect).order(egui::Order::Middle).interactable(drag.is_none());
    area.show(ui.ctx(), |ui| {
        egui::Frame::window(ui.style()).inner_margin(egui::Margin::symmetric(14, 8)).show(ui, |ui| {
            // Within the view, in as many lines as that takes: panels stand beside it.
            ui.set_max_width(width);
            if let Some(drag) = drag {
                ui.horizontal_wrapped(|ui| drag_ui(drag, motion, ui));
                return;
            }
            if let Some(unmet) = unmet {
                ui.horizontal_wrapped(|ui| action = unmet_ui(unmet, motion, ui));
            }
            if let Some(offer) = offer {
                ui.horizontal_wrapped(|ui| action = action.take().or(offer_ui(offer, motion, ui)));
            }
        });
    });
    action
}

fn drag_ui(drag: &Drag, motion: &Motion, ui: &mut Ui) {
    let palette = theme::palette(ui.visuals().dark_mode);
    let what = match drag.held.what {
        Quantity::Position => "",
        Quantity::Rotation => " (turning)",
        Quantity::Velocity => " (velocity)",
        Quantity::Spin => " (spin)",
    };
    ui.strong(format!("{}{what}", motion.name(drag.held.body)));
    quiet(ui, when_words(&drag.at));
    let rail = match drag.held.rail {
        Rail::Along(axis) => format!("along {axis}"),
        _ => String::new(),
    };
    if !rail.is_empty() {
        quiet(ui, rail);
    }
    if let Some(body) = drag.held.snapped {
        ui.label(RichText::new(format!("at {}", motion.name(body))).color(palette.accent));
    }
    let Some(report) = &drag.report else { return };
    if !report.jumps.is_empty() {
        let jumped = report.jumps.iter().map(|jump| jump.shown(&motion.model)).next().unwrap_or_default();
        ui.label(RichText::new(format!("jumped at {jumped}")).color(palette.warning));
    }
    let (color, words) = match (report.verdict, &drag.obstacle) {
        (Verdict::Met, _) => (palette.right, "on target".to_owned()),
        (_, Some(obstacle)) => (palette.wrong, obstacle.words(&drag.held, motion)),
        (Verdict::Unfinished(_), _) => (palette.quiet, report.drag.as_ref().map(short_by).unwrap_or_default()),
        (verdict, _) => (palette.wrong, verdict.shown(&motion.model)),
    };
    ui.label(RichText::new(words).color(color));
}

/// A body was dropped on one that has an inside.
fn offer_ui(offer: Offer, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let (body, container) = (motion.name(offer.body), motion.name(offer.container));
    let mut action = None;
    quiet(ui, format!("{body} was dropped on {container}."));
    let hint = "Nails it inside at the end of the motion, and meets the nails";
    if ui.button(format!("Nail it inside {container}")).on_hover_text(hint).clicked() {
        action = Some(Action::NailInside(offer));
    }
    if icon_button(ui, Icon::Close, "No, thanks", "", false).clicked() {
        action = Some(Action::DismissOffer);
    }
    action
}

fn unmet_ui(unmet: &Unmet, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let palette = theme::palette(ui.visuals().dark_mode);
    let mut action = None;
    ui.label(RichText::new(unmet.words(motion)).color(palette.warning));
    if unmet.obstacle.is_some() {
        let hint = "Wishes the nearest place that is clear of it";
        if ui.button("Aim beside it").on_hover_text(hint).clicked() {
            action = Some(Action::AimClear);
        }
    } else if unmet.report.verdict != Verdict::Powerless {
        if ui.button("Keep trying").clicked() {
            action = Some(Action::KeepTrying);
        }
        if ui.button("Nail anyway").clicked() {
            action = Some(Action::NailAnyway);
        }
    }
    if let Some(group) = &unmet.freeing
        && ui
            .button(format!("Free {group} and go on"))
            .on_hover_text("Locked now; free, it lets the wish be met")
            .clicked()
    {
        action = Some(Action::FreeAndTry(group.clone()));
    }
    if let Some(t) = unmet.better_time(motion)
        && ui.button("Go to its last impact").clicked()
    {
        action = Some(Action::Scrub(t));
    }
    if ui.button("Undo").clicked() {
        action = Some(Action::Edit(Edit::Undo));
    }
    if icon_button(ui, Icon::Close, "Close", "", false).clicked() {
        action = Some(Action::DismissUnmet);
    }
    action
}
