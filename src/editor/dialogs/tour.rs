//! A short tour on the eggs for a first start: one thing at a time, each waiting until it was done.
//!
//! Whether a step was done is read off the motion and the view, so that doing it in another way counts as well.

use eframe::egui::{self, Rect, RichText, Ui};

use crate::editor::action::{Action, Turn};
use crate::editor::eye::view::View;
use crate::editor::look::theme;
use crate::editor::look::widgets::quiet;
use crate::editor::work::examples::EXAMPLES;
use crate::editor::work::motion::Motion;

/// Where someone is on the tour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tour {
    step: usize,
    /// Whether the step was found not to be done since it was shown: only doing it then goes on by itself.
    begun: bool,
    /// Whether it is done; what was done before it was shown is left to be read.
    done: bool,
}

/// Whether someone is on the tour, and whether it was asked for.
#[derive(Debug, Default)]
pub struct Guide {
    tour: Option<Tour>,
    /// The tour begins once the eggs are there.
    asked: bool,
}

impl Guide {
    /// Asks for the tour: opening the eggs begins it.
    pub fn ask(&mut self) {
        self.asked = true;
    }

    /// A scene was opened. The tour begins where it was asked for, and by itself where it is due; true where it does. Any scene
    /// but the eggs ends it.
    pub fn opened(&mut self, is_eggs: bool, is_due: bool) -> bool {
        if !is_eggs {
            self.tour = None;
            return false;
        }
        let begins = std::mem::take(&mut self.asked) || is_due;
        if begins {
            self.tour = Some(Tour::default());
        }
        begins
    }

    /// To the next step, or the step before.
    pub fn turn(&mut self, turn: Turn) {
        match (turn, &mut self.tour) {
            (Turn::On, Some(tour)) => drop(tour.on()),
            (Turn::Back, Some(tour)) => tour.back(),
            (Turn::End, _) => self.tour = None,
            _ => {}
        }
    }

    /// Goes on from steps that were done.
    pub fn watch(&mut self, motion: &Motion, view: &View) {
        if let Some(tour) = &mut self.tour {
            tour.watch(motion, view);
        }
    }

    /// Shows the step in a corner of the view and returns what was asked.
    pub fn show_ui(&self, rect: Rect, ui: &mut Ui) -> Option<Action> {
        self.tour.and_then(|tour| tour.show_ui(rect, ui))
    }
}

struct Step {
    title: &'static str,
    text: &'static str,
    done: fn(&Motion, &View) -> bool,
}

const STEPS: [Step; 7] = [
    Step {
        title: "The whole motion at once",
        text: "Two eggs fly past each other and miss their buckets. The lines are their ways, red dots are impacts. Press \
            Space to watch.",
        done: |_, view| view.playing,
    },
    Step {
        title: "Take it by the path",
        text: "Space again stops. Press on the white egg's path where it passes the right bucket, and drag it over the \
            opening. The throw changes so that the egg passes there.",
        done: |motion, _| motion.depth.0 > 0,
    },
    Step {
        title: "Nail what shall stay",
        text: "With the egg still selected press N: it is nailed to this place at this time, and no later drag \
            moves it away.",
        done: |motion, _| !motion.nails.is_empty(),
    },
    Step {
        title: "Say where it ends",
        text: "At the right, under Nails, choose “Nail…” and “Inside right bucket at the end”. Or drop the path on the \
            bucket and take the offer.",
        done: |motion, _| motion.nails.iter().any(|nail| nail.inside.is_some()),
    },
    Step {
        title: "Let the solver work",
        text: "Press “Meet the nails”. If one stays red, drag the egg a little nearer, or take the first nail away: a nail \
            that asks for the impossible holds up the rest.",
        done: |motion, _| !motion.nail_reports.is_empty() && motion.nail_reports.iter().all(|report| report.is_met()),
    },
    Step {
        title: "The other egg",
        text: "The same for the brown egg: drop its path on the left bucket and nail it inside. “Changed last” lists what \
            was changed; each line can be put back or locked.",
        done: |motion, _| motion.nails.iter().filter(|nail| nail.inside.is_some()).count() > 1,
    },
    Step {
        title: "Yours",
        text: "Ctrl S saves, Ctrl E exports for Blender and the web, ? lists every key. This tour is in the Help menu.",
        done: |_, _| false,
    },
];

/// The place of the eggs among the examples.
pub fn eggs() -> Option<usize> {
    EXAMPLES.iter().position(|example| example.name == "eggs")
}

impl Tour {
    /// Goes on from steps that were done.
    fn watch(&mut self, motion: &Motion, view: &View) {
        self.done = (STEPS[self.step].done)(motion, view);
        if self.done && self.begun {
            self.on();
        } else {
            self.begun |= !self.done;
        }
    }

    /// To the next step; false at the end.
    fn on(&mut self) -> bool {
        self.step += 1;
        (self.begun, self.done) = (false, false);
        if self.step >= STEPS.len() {
            self.step = STEPS.len() - 1;
            return false;
        }
        true
    }

    /// To the step before.
    fn back(&mut self) {
        *self = Tour { step: self.step.saturating_sub(1), ..Tour::default() };
    }

    /// Shows the step in a corner of the view and returns what was asked.
    fn show_ui(&self, rect: Rect, ui: &mut Ui) -> Option<Action> {
        let step = &STEPS[self.step];
        let mut turn = None;
        let palette = theme::palette(ui.visuals().dark_mode);
        let area = egui::Area::new(egui::Id::unique("tour")).order(egui::Order::Middle);
        area.fixed_pos(rect.left_top() + egui::vec2(14.0, 14.0)).show(ui.ctx(), |ui| {
            let frame = egui::Frame::window(ui.style()).inner_margin(14).stroke((1.5, palette.accent));
            frame.show(ui, |ui| {
                ui.set_width(300.0_f32.min(rect.width() - 60.0));
                quiet(ui, format!("Tour, {} of {}", self.step + 1, STEPS.len()));
                ui.label(RichText::new(step.title).strong().size(15.0));
                ui.add_space(2.0);
                ui.label(step.text);
                ui.add_space(8.0);
                ui.horizontal(|ui| turn = self.buttons_ui(ui));
            });
        });
        turn.map(Action::Tour)
    }

    fn buttons_ui(&self, ui: &mut Ui) -> Option<Turn> {
        let mut turn = None;
        if self.step > 0 && ui.button("Back").clicked() {
            turn = Some(Turn::Back);
        }
        if self.step + 1 == STEPS.len() {
            if ui.button("Done").clicked() {
                turn = Some(Turn::End);
            }
        } else {
            let on = if self.done { "Done already: next" } else { "Skip this step" };
            if ui.button(on).clicked() {
                turn = Some(Turn::On);
            }
            if ui.button("End the tour").clicked() {
                turn = Some(Turn::End);
            }
        }
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_on_and_back_and_end() {
        let mut tour = Tour::default();
        tour.back();
        assert_eq!(tour.step, 0);
        let count = (0..20).take_while(|_| tour.on()).count();
        assert_eq!((count, tour.step), (STEPS.len() - 1, STEPS.len() - 1));
        assert!(eggs().is_some());
    }
}
