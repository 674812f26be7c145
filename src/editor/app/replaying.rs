//! A journal that is shown edit by edit, at a pace that can be watched.

use std::collections::VecDeque;

use crate::editor::eye::view::View;
use crate::editor::work::desk::Desk;
use crate::editor::work::motion::Motion;
use crate::editor::work::order::Order;
use crate::scene::When;
use crate::session::Edit;

/// Seconds between two edits.
const PACE: f64 = 0.03;
/// Longer before a grab and after a release, so that one sees what happens.
const PAUSE: f64 = 0.5;

/// What is still to be shown.
#[derive(Debug, Default)]
pub struct Replaying {
    edits: VecDeque<Edit>,
    /// When the next is due.
    due: f64,
}

impl Replaying {
    /// Whether something is still to be shown.
    pub fn is_under_way(&self) -> bool {
        !self.edits.is_empty()
    }

    /// Shows these, once their scene is there.
    pub fn begin(&mut self, edits: Vec<Edit>) {
        self.edits = edits.into();
    }

    /// Ends it without a word, as when the scene changes.
    pub fn forget(&mut self) {
        self.edits.clear();
    }

    /// Ends it; what it holds it lets go of.
    pub fn stop(&mut self, desk: &mut Desk) {
        if self.is_under_way() {
            self.forget();
            desk.order(Order::Edit(Edit::Release));
        }
    }

    /// Shows the next edit if it is due; true where it was the last. Asks for `wake` after a time, s, in any case.
    pub fn go_on(
        &mut self,
        now: f64,
        motion: &Motion,
        view: &mut View,
        desk: &mut Desk,
        wake: impl FnOnce(f32),
    ) -> bool {
        if !self.is_under_way() {
            return false;
        }
        wake(PACE as f32);
        if desk.is_busy() || now < self.due {
            return false;
        }
        let Some(edit) = self.edits.pop_front() else { return false };
        let pause = matches!(edit, Edit::Grab { .. } | Edit::Release | Edit::Solve { .. });
        self.due = now + if pause { PAUSE } else { PACE };
        if let Edit::Grab { body, at: When::Time(t), .. } = &edit {
            view.selection = motion.model.body(body);
            view.playing = false;
            view.scrub(*t, motion.duration());
        }
        let holds = matches!(edit, Edit::Grab { .. } | Edit::Move { .. });
        desk.order(Order::Exactly(edit));
        // A journal that was cut short in the middle of a drag leaves nothing in the hand.
        if !self.is_under_way() && holds {
            desk.order(Order::Edit(Edit::Release));
        }
        !self.is_under_way()
    }
}
