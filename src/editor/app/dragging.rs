//! Carrying out wishes that have a body in the hand: grabbing, reaching, letting go, and what follows from a wish unmet.

use super::window::App;
use crate::editor::drag::held::Held;
use crate::editor::drag::obstacle::Obstacle;
use crate::editor::drag::pulling::Drag;
use crate::editor::panels::nails::when_here;
use crate::editor::work::order::Order;
use crate::scene::{Components, Nail};
use crate::session::{Edit, Quantity};

impl App {
    pub(super) fn grab(&mut self, held: Held) {
        let Some(motion) = self.motion.clone() else { return };
        let mut drag = Drag::new(held, &motion);
        (self.unmet, self.offer) = (None, None);
        self.stop_replay();
        self.view.playing = false;
        self.view.selection = Some(held.body);
        self.view.scrub(held.t, motion.duration());
        drag.begun = self.worker.order(Order::Edit(drag.grab()));
        // A drag that was let go and is still being finished needs no more of the window than to take its motion over.
        self.drag = Some(drag);
    }

    pub(super) fn reach(&mut self, held: Held) {
        if let Some(drag) = &mut self.drag {
            let obstacle = self.motion.as_ref().and_then(|motion| Obstacle::of(&held, motion));
            drag.reach(held, obstacle);
            self.worker.order(Order::Edit(drag.pull()));
        }
    }

    pub(super) fn let_go(&mut self) {
        if let Some(drag) = self.drag.as_mut().filter(|drag| drag.ends.is_none()) {
            drag.ends = Some(self.worker.order(Order::Finish { pull: drag.pull(), joins: false }));
        }
    }

    pub(super) fn cancel_grab(&mut self) {
        if let Some(drag) = self.drag.take() {
            // Steps of the drag that are still under way are no longer wanted.
            self.stale = drag.begun..self.worker.order(Order::Edit(Edit::Cancel));
        }
    }

    /// Lets go of everything because what is held may be gone.
    pub(super) fn drop_grab(&mut self) {
        self.hands.forget();
        if self.drag.take().is_some() {
            self.worker.order(Order::Edit(Edit::Cancel));
        }
    }

    pub(super) fn nail_here(&mut self) {
        let (Some(motion), Some(body)) = (self.motion.clone(), self.view.selection) else { return };
        if motion.model.bodies()[body.index()].fixed {
            return;
        }
        let state = motion.body_at(body, self.view.playhead);
        let nail = Nail {
            body: Some(motion.name(body).to_owned()),
            enabled: true,
            at: when_here(&self.view, &motion, body),
            position: Some(Components::all(state.position.into())),
            ..Nail::default()
        };
        self.edit(Edit::Nail { nail: Some(Box::new(nail)), index: None });
    }

    /// Takes the wish up again where it was left, with more time. What was tried before and this are one step to undo.
    pub(super) fn keep_trying(&mut self) {
        let joins = self.unmet.as_ref().is_some_and(|unmet| unmet.stepped);
        self.try_again(joins);
    }

    /// Wishes the nearest place that is clear of what is in the way.
    pub(super) fn aim_clear(&mut self) {
        if let Some(unmet) = &mut self.unmet
            && let Some(obstacle) = unmet.obstacle.take()
        {
            unmet.held.target = obstacle.clear;
            unmet.aims += 1;
            self.keep_trying();
        }
    }

    pub(super) fn free_and_try(&mut self, parameter: String) {
        self.worker.order(Order::Edit(Edit::Free { parameter, weight: None, bounds: None, rest: None }));
        self.try_again(true);
    }

    fn try_again(&mut self, joins: bool) {
        let (Some(unmet), Some(motion)) = (self.unmet.take(), self.motion.clone()) else { return };
        let mut drag = Drag::new(unmet.held, &motion);
        drag.at = unmet.at;
        drag.obstacle = unmet.obstacle;
        (drag.aims, drag.joins) = (unmet.aims, joins);
        drag.begun = self.worker.order(Order::Edit(drag.grab()));
        drag.ends = Some(self.worker.order(Order::Finish { pull: drag.pull(), joins }));
        self.drag = Some(drag);
    }

    pub(super) fn nail_anyway(&mut self) {
        let (Some(unmet), Some(motion)) = (self.unmet.take(), self.motion.clone()) else { return };
        let wish = Some(Components::all(unmet.held.target.into()));
        let of = |what: Quantity| wish.filter(|_| unmet.held.what == what);
        let nail = Nail {
            body: Some(motion.name(unmet.held.body).to_owned()),
            enabled: true,
            at: unmet.at,
            point: (unmet.held.point != crate::math::Vec3::zeros()).then(|| unmet.held.point.into()),
            position: of(Quantity::Position),
            rotation: of(Quantity::Rotation),
            velocity: of(Quantity::Velocity),
            spin: of(Quantity::Spin),
            ..Nail::default()
        };
        self.edit(Edit::Nail { nail: Some(Box::new(nail)), index: None });
    }
}
