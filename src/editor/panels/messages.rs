//! Messages in the window: what went wrong and where, what was done, until someone takes them away.

use eframe::egui::{self, Align2, RichText, Ui};

use crate::editor::action::Action;
use crate::editor::look::icons::Icon;
use crate::editor::look::theme;
use crate::editor::look::widgets::icon_button;

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something failed.
    Wrong,
    /// Something to know.
    Note,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Tells it from others.
    pub number: u64,
    /// How it is meant.
    pub tone: Tone,
    /// What it says.
    pub text: String,
    /// When it goes by itself, in seconds of the window's clock; never for failures.
    pub until: Option<f64>,
}

/// All messages on the screen.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    list: Vec<Message>,
    next: u64,
}

/// Seconds for which a note stays.
const NOTE_TIME: f64 = 5.0;
/// More would hide the view.
const MOST: usize = 3;
/// Lines of one message; the rest is shown where the pointer rests on it.
const LINES: usize = 3;

impl Messages {
    /// Says what failed; stays until it is taken away.
    pub fn wrong(&mut self, text: impl Into<String>) {
        self.add(Tone::Wrong, text.into(), None);
    }

    /// Says what was done; goes by itself.
    pub fn note(&mut self, text: impl Into<String>, now: f64) {
        self.add(Tone::Note, text.into(), Some(now + NOTE_TIME));
    }

    /// Takes one away.
    pub fn dismiss(&mut self, number: u64) {
        self.list.retain(|message| message.number != number);
    }

    /// Takes failures away: what they spoke of is past.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The texts, oldest first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|message| message.text.as_str())
    }

    fn add(&mut self, tone: Tone, text: String, until: Option<f64>) {
        self.list.retain(|message| message.text != text);
        self.next += 1;
        self.list.push(Message { number: self.next, tone, text, until });
        if self.list.len() > MOST {
            self.list.remove(0);
        }
    }

    fn expire(&mut self, now: f64) -> Option<f64> {
        self.list.retain(|message| message.until.is_none_or(|until| until > now));
        self.list.iter().filter_map(|message| message.until).min_by(f64::total_cmp)
    }
}

/// Draws the messages over the view, newest at the bottom.
pub fn messages_ui(messages: &mut Messages, ui: &mut Ui) -> Option<Action> {
    let now = ui.input(|input| input.time);
    if let Some(next) = messages.expire(now) {
        ui.ctx().request_repaint_after_secs((next - now).max(0.05) as f32);
    }
    let palette = theme::palette(ui.visuals().dark_mode);
    let mut action = None;
    let area = egui::Area::new(egui::Id::unique("messages"))
        .anchor(Align2::CENTER_TOP, [0.0, 52.0])
        .order(egui::Order::Foreground);
    area.show(ui.ctx(), |ui| {
        if messages.list.len() > 1 && ui.small_button("Close all messages").clicked() {
            action = Some(Action::DismissMessages);
        }
        for message in &messages.list {
            let edge = if message.tone == Tone::Wrong { palette.wrong } else { palette.accent };
            let frame =
                egui::Frame::window(ui.style()).inner_margin(egui::Margin::symmetric(10, 5)).stroke((1.5, edge));
            frame.show(ui, |ui| {
                ui.set_max_width(620.0);
                ui.horizontal_top(|ui| {
                    let close_width = 28.0;
                    ui.scope(|ui| {
                        ui.set_max_width(560.0 - close_width);
                        text_ui(message, ui);
                    });
                    if icon_button(ui, Icon::Close, "Close message", "", false).clicked() {
                        action = Some(Action::DismissMessage(message.number));
                    }
                });
            });
        }
    });
    action
}

/// The first lines of a message; all of it where the pointer rests on it.
fn text_ui(message: &Message, ui: &mut Ui) {
    let style = if message.tone == Tone::Wrong { egui::TextStyle::Monospace } else { egui::TextStyle::Body };
    let font = style.resolve(ui.style());
    let mut job = egui::text::LayoutJob::simple(message.text.clone(), font, ui.visuals().text_color(), 530.0);
    job.wrap.max_rows = LINES;
    let galley = ui.painter().layout_job(job);
    let cut = galley.elided;
    let label = ui.label(galley);
    label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &message.text));
    if cut {
        label.on_hover_text(RichText::new(&message.text).monospace());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_go_by_themselves_and_failures_stay() {
        let mut messages = Messages::default();
        messages.wrong("broken");
        messages.note("saved", 10.0);
        messages.expire(11.0);
        assert_eq!(messages.texts().count(), 2);
        messages.expire(20.0);
        assert_eq!(messages.texts().collect::<Vec<_>>(), ["broken"]);
    }

    #[test]
    fn only_the_newest_are_kept() {
        let mut messages = Messages::default();
        (0..9).for_each(|k| messages.wrong(format!("fault {k}")));
        assert_eq!(messages.texts().next(), Some("fault 6"));
        assert_eq!(messages.texts().count(), MOST);
    }
}
