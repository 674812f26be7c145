//! The hand and what it holds: grabbing, reaching, letting go, and what follows from a wish unmet.
//!
//! ```text
//! grab ──▶ Drag ──(reach …)──▶ let go ──▶ met
//!            ▲                        └──▶ Unmet ──▶ nailed anyway
//!            └──(keep trying, aim clear, free and try)──┘
//! ```
//!
//! Each step is an order to the worker; what comes back is taken over here by its revision. Which presses and moves of the
//! pointer ask for which step is `hands`.

use std::sync::Arc;

use eframe::egui::{Event, Modifiers};

use super::flash::{FLASH_TIME, Flash};
use super::hands::Hands;
use super::held::{Held, Reach};
use super::obstacle::Obstacle;
use super::pulling::Drag;
use super::unmet::{Offer, Unmet};
use crate::editor::action::Action;
use crate::editor::work::desk::Desk;
use crate::editor::work::motion::Motion;
use crate::editor::work::order::{Done, Order};
use crate::scene::{Components, Nail};
use crate::session::{Edit, ParameterChange, Quantity};
use crate::solve::Verdict;

/// How often a wish is moved out of what is in the way before a person is asked again.
const MOST_AIMS: u32 = 5;

/// What is held, and what is left of what was.
#[derive(Debug, Default)]
pub struct Grasp {
    hands: Hands,
    drag: Option<Drag>,
    unmet: Option<Unmet>,
    offer: Option<Offer>,
    flash: Option<Flash>,
}

impl Grasp {
    /// What the left button is doing.
    pub fn hands(&self) -> &Hands {
        &self.hands
    }

    /// Takes the events of one frame and returns what they ask for, in order.
    pub fn take(&mut self, events: &[Event], modifiers: Modifiers, reach: &Reach) -> Vec<Action> {
        self.hands.take(events, modifiers, reach)
    }

    /// The drag under way.
    pub fn drag(&self) -> Option<&Drag> {
        self.drag.as_ref()
    }

    /// A wish that was left unmet.
    pub fn unmet(&self) -> Option<&Unmet> {
        self.unmet.as_ref()
    }

    /// A body was dropped on one that has an inside.
    pub fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// An event that a jump has changed.
    pub fn flash(&self) -> Option<&Flash> {
        self.flash.as_ref()
    }

    /// Ends what is pointed at only for a moment.
    pub fn fade(&mut self, now: f64) {
        self.flash.take_if(|flash| now - flash.since > FLASH_TIME);
    }

    /// Lets go of everything without a word, as when the scene changes.
    pub fn forget(&mut self) {
        *self = Grasp::default();
    }

    /// Takes the words on an unmet wish and the offer away; whether there were any.
    pub fn dismiss(&mut self) -> bool {
        let [unmet, offer] = [self.unmet.take().is_some(), self.offer.take().is_some()];
        unmet || offer
    }

    /// Takes the words on an unmet wish away.
    pub fn dismiss_unmet(&mut self) {
        self.unmet = None;
    }

    /// Takes the offer away.
    pub fn dismiss_offer(&mut self) {
        self.offer = None;
    }
}

/// What a person does.
impl Grasp {
    /// Takes hold of a body. A drag that was let go and is still being finished needs no more of the window than to take its
    /// motion over.
    pub fn grab(&mut self, held: Held, motion: &Arc<Motion>, desk: &mut Desk) {
        let mut drag = Drag::new(held, motion);
        self.dismiss();
        drag.begun = desk.order(Order::Edit(drag.grab()));
        self.drag = Some(drag);
    }

    /// Pulls it toward another wish.
    pub fn reach(&mut self, held: Held, motion: Option<&Motion>, desk: &mut Desk) {
        if let Some(drag) = &mut self.drag {
            drag.reach(held, motion.and_then(|motion| Obstacle::of(&held, motion)));
            desk.order(Order::Edit(drag.pull()));
        }
    }

    /// Lets it go where it is wished.
    pub fn let_go(&mut self, desk: &mut Desk) {
        if let Some(drag) = self.drag.as_mut().filter(|drag| drag.ends.is_none()) {
            drag.ends = Some(desk.order(Order::Finish { pull: drag.pull(), joins: false }));
        }
    }

    /// Lets it go and puts everything back.
    pub fn cancel(&mut self, desk: &mut Desk) {
        if let Some(drag) = self.drag.take() {
            // Steps of the drag that are still under way are no longer wanted.
            desk.stop_since(drag.begun);
            let cancelled = desk.order(Order::Edit(Edit::Cancel));
            desk.disregard(drag.begun..cancelled);
        }
    }

    /// Lets go of everything because what is held may be gone.
    pub fn drop_all(&mut self, desk: &mut Desk) {
        self.hands.forget();
        if self.drag.take().is_some() {
            desk.order(Order::Edit(Edit::Cancel));
        }
    }

    /// Takes the wish up again where it was left, with more time. What was tried before and this are one step to undo.
    pub fn keep_trying(&mut self, motion: &Arc<Motion>, desk: &mut Desk) {
        let joins = self.unmet.as_ref().is_some_and(|unmet| unmet.stepped);
        self.try_again(joins, motion, desk);
    }

    /// Wishes the nearest place that is clear of what is in the way.
    pub fn aim_clear(&mut self, motion: &Arc<Motion>, desk: &mut Desk) {
        if let Some(unmet) = &mut self.unmet
            && let Some(obstacle) = unmet.obstacle.take()
        {
            unmet.held.target = obstacle.clear;
            unmet.aims += 1;
            self.keep_trying(motion, desk);
        }
    }

    /// Frees a group of parameters and takes the wish up again.
    pub fn free_and_try(&mut self, parameter: String, motion: &Arc<Motion>, desk: &mut Desk) {
        desk.order(Order::Edit(Edit::Free { parameter, weight: None, bounds: None, rest: None }));
        self.try_again(true, motion, desk);
    }

    fn try_again(&mut self, joins: bool, motion: &Arc<Motion>, desk: &mut Desk) {
        let Some(unmet) = self.unmet.take() else { return };
        let mut drag = Drag::new(unmet.held, motion);
        drag.at = unmet.at;
        drag.obstacle = unmet.obstacle;
        (drag.aims, drag.joins) = (unmet.aims, joins);
        drag.begun = desk.order(Order::Edit(drag.grab()));
        drag.ends = Some(desk.order(Order::Finish { pull: drag.pull(), joins }));
        self.drag = Some(drag);
    }

    /// The wish that was left unmet, as a nail.
    pub fn nail_anyway(&mut self, motion: &Motion) -> Option<Nail> {
        let unmet = self.unmet.take()?;
        let wish = Some(Components::all(unmet.held.target.into()));
        let of = |what: Quantity| wish.filter(|_| unmet.held.what == what);
        Some(Nail {
            body: Some(motion.name(unmet.held.body).to_owned()),
            enabled: true,
            at: unmet.at,
            point: (unmet.held.point != crate::math::Vec3::zeros()).then(|| unmet.held.point.into()),
            position: of(Quantity::Position),
            rotation: of(Quantity::Rotation),
            velocity: of(Quantity::Velocity),
            spin: of(Quantity::Spin),
            ..Nail::default()
        })
    }
}

/// What comes back.
impl Grasp {
    /// Takes over what any answer says of the drag.
    pub fn take_over(&mut self, done: &Done, revision: u64, now: f64) {
        // What was asked for before a grab, it begins from.
        if let Some(drag) = self.drag.as_mut().filter(|drag| revision < drag.begun) {
            drag.before = done.motion.clone();
        }
        if let (Some(group), Some(unmet)) = (&done.freeing, &mut self.unmet) {
            unmet.freeing = Some(group.clone());
        }
        self.flash = Flash::of(done, now).or(self.flash.take());
    }

    /// A step of the drag and what it has changed since the grab: the wish may need more steps, though the hand keeps still.
    pub fn moved(&mut self, done: &Done, revision: u64, desk: &mut Desk) -> Option<Vec<ParameterChange>> {
        let drag = self.drag.as_mut().filter(|drag| revision > drag.begun)?;
        let (before, after) = (&drag.before, &done.motion);
        let changes = ParameterChange::between((&before.model, &before.u), (&after.model, &after.u));
        let report = done.outcome.as_ref().and_then(|outcome| outcome.report.clone());
        if let Some(report) = report
            && drag.take(report)
            && drag.ends.is_none()
            && !desk.is_busy()
        {
            desk.order(Order::Search(drag.pull()));
        }
        Some(changes)
    }

    /// The end of a drag, if this is it: what was not met is kept, with what can be done about it.
    pub fn released(&mut self, done: &Done, revision: u64, desk: &mut Desk) {
        let Some(drag) = self.drag.take_if(|drag| drag.ends == Some(revision)) else { return };
        let report = done.outcome.as_ref().and_then(|outcome| outcome.report.clone()).or(drag.report.clone());
        let container = drag.held.over.filter(|_| drag.held.what == Quantity::Position);
        self.offer = container.map(|container| Offer { body: drag.held.body, container });
        if let Some(report) = report.filter(|report| report.verdict != Verdict::Met) {
            let (grab, pull) = (drag.grab(), drag.pull());
            let stepped = drag.joins || done.motion.depth.0 > drag.before.depth.0;
            // As the body is turned by now.
            let obstacle = Obstacle::of(&drag.held, &done.motion);
            let Drag { held, at, aims, .. } = drag;
            let unmet = Unmet { held, at, report, freeing: None, obstacle, aims, stepped };
            // No parameter makes two bodies share a place.
            if !matches!(unmet.report.verdict, Verdict::Unfinished(_)) && unmet.obstacle.is_none() {
                let groups = unmet.locked(&done.motion);
                desk.order(Order::TryLocks { grab, pull, groups });
            }
            self.unmet = Some(unmet);
            // On its way the body may have turned, so that it needs more room.
            if (1..MOST_AIMS).contains(&aims) {
                self.aim_clear(&done.motion, desk);
            }
        }
    }

    /// A grab was refused. Another drag may have begun meanwhile, which goes on.
    pub fn refused_grab(&mut self, revision: u64) {
        if self.drag.take_if(|drag| drag.begun == revision).is_some() {
            self.hands.forget();
        }
    }

    /// The end of a drag was refused.
    pub fn refused_end(&mut self, revision: u64) {
        self.drag.take_if(|drag| drag.ends == Some(revision));
    }
}
