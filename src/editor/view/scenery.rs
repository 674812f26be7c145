//! Everything the 3D view works with, gathered for one frame.

use crate::editor::drag::pulling::Drag;
use crate::editor::drag::unmet::{Offer, Unmet};
use crate::editor::eye::navigation::Habit;
use crate::editor::work::motion::Motion;
use crate::math::Vec3;
use crate::session::ParameterChange;

/// Everything the view works with.
pub struct Scenery<'a> {
    /// The motion on the screen.
    pub motion: &'a Motion,
    /// Whose habits the mouse follows.
    pub habit: Habit,
    /// The drag under way.
    pub drag: Option<&'a Drag>,
    /// A wish that was left unmet.
    pub unmet: Option<&'a Unmet>,
    /// A body was dropped on one that has an inside.
    pub offer: Option<Offer>,
    /// What was changed last.
    pub changes: &'a [ParameterChange],
    /// An event that a jump has changed.
    pub flash: Option<&'a Flash>,
    /// Whether a text or a menu has the keys.
    pub elsewhere: bool,
}

/// An event that has just changed, to be pointed at for a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Flash {
    /// Where it is, if it still is.
    pub place: Vec3,
    /// What happened.
    pub words: String,
    /// When it began, in seconds of the window's clock.
    pub since: f64,
}

/// Seconds for which a changed event is pointed at.
pub const FLASH_TIME: f64 = 1.4;
