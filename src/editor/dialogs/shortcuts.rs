//! The keys: one table for what they do, what the sheet shows, and what menus say.

use eframe::egui::{self, Key, Modifiers, RichText, Ui};

use crate::editor::action::Action;
use crate::editor::eye::view::Layers;
use crate::editor::look::widgets::quiet;
use crate::session::Edit;

/// What the sheet lists: heading, then keys and what they do.
pub const SHEET: &[(&str, &[(&str, &str)])] = &[
    (
        "Hands",
        &[
            ("click", "select a body, or a path and its time"),
            ("drag", "pull the body where it should be then"),
            ("X Y Z while dragging", "only along that axis"),
            ("Shift + drag", "toward you and away"),
            ("Alt + drag", "hold the event instead of the time"),
            ("drag an arrow's tip", "change velocity or spin"),
            ("drag the ring, or R", "turn the body (R: click ends, X Y Z choose an axis)"),
            ("drag a pin", "move a nail; the motion follows"),
            ("Esc", "cancel the drag"),
            ("N", "nail the selection where it is"),
        ],
    ),
    (
        "Time",
        &[
            ("Space", "play, pause"),
            ("Left Right", "one frame back, forward"),
            ("Shift Left Right", "ten frames"),
            ("[ ]", "previous, next event"),
            ("Home End", "start, end"),
            ("L", "loop"),
        ],
    ),
    (
        "View",
        &[
            ("F", "frame the selection, or everything"),
            ("1 2 3 4 7 0", "front, back, right, left, top, first view"),
            ("middle or right drag", "turn"),
            ("Shift + middle or right drag", "move"),
            ("wheel, pinch", "nearer, farther"),
            ("Alt + drag (Maya habits)", "turn, move, nearer"),
            ("G", "ghosts at impacts"),
            ("P", "plots"),
        ],
    ),
    (
        "Document",
        &[
            ("Ctrl N", "new scene"),
            ("Ctrl O", "open"),
            ("Ctrl S", "save (Shift: under another name)"),
            ("Ctrl Z", "undo (Shift: redo)"),
            ("Ctrl E", "export"),
            ("Ctrl Q", "quit"),
            ("?", "this sheet"),
            ("Esc", "end a solve; cancel; close; deselect"),
        ],
    ),
];

/// What the keys pressed in this frame ask for; nothing while a text is being typed.
pub fn pressed(ctx: &egui::Context, layers: Layers, looping: bool) -> Option<Action> {
    if ctx.egui_wants_keyboard_input() {
        return None;
    }
    let table = [
        (Modifiers::NONE, Key::Space, Action::TogglePlay),
        (Modifiers::SHIFT, Key::ArrowLeft, Action::StepFrames(-10)),
        (Modifiers::SHIFT, Key::ArrowRight, Action::StepFrames(10)),
        (Modifiers::NONE, Key::ArrowLeft, Action::StepFrames(-1)),
        (Modifiers::NONE, Key::ArrowRight, Action::StepFrames(1)),
        (Modifiers::NONE, Key::OpenBracket, Action::PreviousEvent),
        (Modifiers::NONE, Key::CloseBracket, Action::NextEvent),
        (Modifiers::NONE, Key::Home, Action::Scrub(0.0)),
        (Modifiers::NONE, Key::End, Action::Scrub(f64::MAX)),
        (Modifiers::NONE, Key::L, Action::Loop(!looping)),
        (Modifiers::NONE, Key::F, Action::FrameSelection),
        (Modifiers::NONE, Key::G, Action::Layers(Layers { ghosts: !layers.ghosts, ..layers })),
        (Modifiers::NONE, Key::P, Action::Layers(Layers { plots: !layers.plots, ..layers })),
        (Modifiers::COMMAND, Key::N, Action::New),
        (Modifiers::NONE, Key::N, Action::NailHere),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z, Action::Edit(Edit::Redo)),
        (Modifiers::COMMAND, Key::Z, Action::Edit(Edit::Undo)),
        (Modifiers::COMMAND, Key::Y, Action::Edit(Edit::Redo)),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::S, Action::AskSave),
        (Modifiers::COMMAND, Key::S, Action::Save),
        (Modifiers::COMMAND, Key::O, Action::AskOpen),
        (Modifiers::COMMAND, Key::E, Action::AskExport),
        (Modifiers::COMMAND, Key::Q, Action::Quit),
        (Modifiers::SHIFT, Key::Slash, Action::ToggleShortcuts),
        (Modifiers::NONE, Key::Questionmark, Action::ToggleShortcuts),
        (Modifiers::NONE, Key::F1, Action::ToggleShortcuts),
        (Modifiers::NONE, Key::Escape, Action::Escape),
    ];
    let views = [Key::Num0, Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num7];
    ctx.input_mut(|input| {
        let hit = table.into_iter().find(|(modifiers, key, _)| input.consume_key(*modifiers, *key));
        let view = || views.into_iter().find(|key| input.consume_key(Modifiers::NONE, *key)).map(Action::AxisView);
        hit.map(|(_, _, action)| action).or_else(view)
    })
}

/// Shows all keys over the window.
pub fn shortcuts_ui(ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let modal = egui::Modal::new(egui::Id::unique("shortcuts")).show(ui.ctx(), |ui| {
        ui.set_width(620.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading("Keys and mouse");
        ui.add_space(8.0);
        let height = ui.ctx().content_rect().height() - 160.0;
        // Without a least height the sheet grows for some frames, and its button moves away under the pointer.
        let scroll = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        scroll.auto_shrink([false, true]).show(ui, |ui| {
            for (heading, rows) in SHEET {
                ui.label(RichText::new(*heading).strong());
                egui::Grid::new(*heading).num_columns(2).spacing([24.0, 5.0]).min_col_width(190.0).show(ui, |ui| {
                    for (keys, what) in *rows {
                        ui.label(RichText::new(*keys).monospace());
                        quiet(ui, *what);
                        ui.end_row();
                    }
                });
                ui.add_space(8.0);
            }
        });
        if ui.button("Close").clicked() {
            action = Some(Action::ToggleShortcuts);
        }
    });
    if modal.should_close() {
        action = Some(Action::ToggleShortcuts);
    }
    action
}
