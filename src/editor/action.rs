//! What a person can ask of the window: panels return these, and one place carries them out.

use std::path::PathBuf;

use crate::editor::drag::held::Held;
use crate::editor::drag::unmet::Offer;
use crate::editor::eye::navigation::Habit;
use crate::editor::eye::view::{Layers, Pick};
use crate::editor::work::document::Change;
use crate::editor::work::exporting::Wishes;
use crate::math::Vec3;
use crate::model::BodyId;
use crate::session::Edit;

/// One wish, from whichever button, key or menu.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Show the examples.
    Gallery,
    /// Begin a new scene.
    New,
    /// Open an example by its place in the gallery.
    OpenExample(usize),
    /// Open a file.
    Open(PathBuf),
    /// Open a file that names files of other folders.
    OpenAnywhere(PathBuf),
    /// Ask which file to open.
    AskOpen,
    /// Select a body, or nothing.
    Select(Option<BodyId>),
    /// Select what was picked, with its time.
    SelectPick(Pick),
    /// Show a time, s.
    Scrub(f64),
    /// Start or stop time.
    TogglePlay,
    /// Whether time starts again at the end.
    Loop(bool),
    /// Seconds of motion per second of watching.
    Speed(f64),
    /// Forward or back by frames of 1/60 s.
    StepFrames(i32),
    /// To the event before.
    PreviousEvent,
    /// To the event after.
    NextEvent,
    /// Bring the selection, or everything, into the picture.
    FrameSelection,
    /// Look along an axis, by its key.
    AxisView(eframe::egui::Key),
    /// What is drawn beside the bodies.
    Layers(Layers),
    /// Dark, light, or as the system says.
    Theme(eframe::egui::ThemePreference),
    /// Whose habits the mouse follows.
    Habit(Habit),
    /// Show or hide the keys.
    ToggleShortcuts,
    /// Cancel what is under way, or deselect.
    Escape,
    /// Take a message away.
    DismissMessage(u64),
    /// Take all messages away.
    DismissMessages,
    /// Take hold of a body.
    Grab(Held),
    /// Pull it toward a wish.
    Reach(Held),
    /// Let it go.
    LetGo,
    /// Let it go and put everything back.
    CancelGrab,
    /// An edit of the document.
    Edit(Edit),
    /// A change of the scene's text.
    Change(Change),
    /// Nail the selected body to where it is at the playhead.
    NailHere,
    /// Wish a nail at another place, and meet it.
    MoveNail(usize, Vec3),
    /// Nail what was dropped inside what it was dropped on.
    NailInside(Offer),
    /// Take that offer away.
    DismissOffer,
    /// Free a group of parameters and go on trying.
    FreeAndTry(String),
    /// The tour: begin, go on, go back, end.
    Tour(Turn),
    /// Go on trying to meet the wish that was left unmet.
    KeepTrying,
    /// Wish instead the nearest place that is clear of what is in the way.
    AimClear,
    /// Nail the wish that was left unmet.
    NailAnyway,
    /// Take the word on an unmet wish away.
    DismissUnmet,
    /// Save to the file it came from, or ask where.
    Save,
    /// Ask where to save.
    AskSave,
    /// Save to a file.
    SaveTo(PathBuf),
    /// Ask where to write what was done.
    AskJournal,
    /// Write what was done since the scene was opened, as a journal.
    SaveJournal(PathBuf),
    /// Ask where to write the motion for other programs, and how.
    AskExport,
    /// Write the motion for other programs.
    Export(PathBuf, Wishes),
    /// End the export that is under way.
    CancelExport,
    /// Take up what a crash left behind, by its place.
    Recover(usize),
    /// Throw away what a crash left behind.
    DiscardRecovery(usize),
    /// Answer to the question about files of other folders: whether they may be read.
    AllowOutside(bool),
    /// Answer to the question about unsaved changes: whether to go on.
    LoseChanges(bool),
    /// Another answer to it: save first, then go on.
    SaveAndGoOn,
    /// Close the window.
    Quit,
}

/// What can be asked of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Open the eggs and begin.
    Begin,
    /// To the next step.
    On,
    /// To the step before.
    Back,
    /// Enough.
    End,
}

impl Action {
    /// Locks what is free, frees what is locked.
    pub fn lock_or_free(name: &str, free: bool) -> Action {
        let parameter = name.to_owned();
        if free { Action::Edit(Edit::Lock { parameter }) } else { Action::free(name, None, None, None) }
    }

    /// Gives a parameter a value.
    pub fn set(name: &str, value: f64) -> Action {
        Action::Edit(Edit::Set { parameter: name.to_owned(), value })
    }

    /// Frees a group of parameters; what is not given stays.
    pub fn free(name: &str, weight: Option<f64>, bounds: Option<[f64; 2]>, rest: Option<f64>) -> Action {
        Action::Edit(Edit::Free { parameter: name.to_owned(), weight, bounds, rest })
    }
}
