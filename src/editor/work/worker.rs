//! Does everything slow in a thread of its own: reading, simulating, solving, and preparing a motion for the window.
//!
//! ```text
//! window ──(revision, order)──▶ worker: Document ──(revision, motion or refusal)──▶ window
//! ```
//!
//! Revisions rise. The window takes an answer only if no newer question makes it stale, and never waits. Of the moves of a
//! drag only the newest is solved, and each solve ends after a frame's share of time, so that the hand is followed closely.
//! Opening another scene leaves the old thread to itself: it ends when it finds that nobody listens.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use eframe::egui;

use super::bench::Bench;
use super::finisher::Finisher;
use super::order::{Answer, Calls, Done, Order};
use crate::session::Edit;

/// The window's end of the thread.
#[derive(Debug)]
pub struct Worker {
    orders: Sender<(u64, Order)>,
    answers: Receiver<Answer>,
    last_order: u64,
    last_answer: u64,
    /// What the thread hears while it is at work.
    calls: Arc<Calls>,
    /// Whether the thread has ended.
    gone: bool,
}

impl Worker {
    /// Starts the thread; each answer wakes the window. Records for recovery go under `folder`. `slowness` is added to
    /// every solve, to try how the window bears a slow one.
    pub fn start(ctx: &egui::Context, folder: Option<PathBuf>, slowness: Duration) -> Worker {
        let (orders, inbox) = channel::<(u64, Order)>();
        let (outbox, answers) = channel();
        let ctx = ctx.clone();
        let calls = Arc::new(Calls::default());
        let heard = calls.clone();
        std::thread::spawn(move || {
            let (answers, window) = (outbox.clone(), ctx.clone());
            let finisher = Finisher::start(move |revision, motion| {
                let done = Done::of(motion);
                let answer = Answer {
                    revision,
                    edit: None,
                    about_file: false,
                    completes: true,
                    follows: false,
                    broke: false,
                    unkept: None,
                    result: Ok(done),
                };
                let heard = answers.send(answer).is_ok();
                window.request_repaint();
                heard
            });
            let mut bench = Bench::new(folder, slowness, finisher);
            let mut waiting = VecDeque::new();
            loop {
                if waiting.is_empty() {
                    let Ok(order) = inbox.recv() else { return };
                    waiting.push_back(order);
                }
                waiting.extend(inbox.try_iter());
                skip_old_moves(&mut waiting);
                let Some((revision, order)) = waiting.pop_front() else { continue };
                if !bench.serve(revision, order, &heard, &outbox) {
                    return;
                }
                ctx.request_repaint();
            }
        });
        Worker { orders, answers, last_order: 0, last_answer: 0, calls, gone: false }
    }

    /// Hands over an order and returns its revision.
    pub fn order(&mut self, order: Order) -> u64 {
        self.last_order += 1;
        self.calls.give(self.last_order);
        // Where the thread has ended, `answers` says so.
        let _ = self.orders.send((self.last_order, order));
        self.last_order
    }

    /// Ends every solve of an order since this one, with the best it has.
    pub fn stop_since(&self, first: u64) {
        self.calls.stop(first, self.last_order);
    }

    /// The answers that have come in, in order. A thread that has ended answers the newest order with a word on that.
    pub fn answers(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.gone = loop {
            match self.answers.try_recv() {
                Ok(answer) => answers.push(answer),
                Err(error) => break error == TryRecvError::Disconnected,
            }
        };
        let own = answers.iter().filter(|answer| !answer.completes);
        self.last_answer = own.map(|answer| answer.revision).fold(self.last_answer, u64::max);
        // The rest of a motion that has been changed again.
        answers.retain(|answer| !answer.completes || answer.revision == self.last_answer);
        if self.gone && self.is_busy() {
            self.last_answer = self.last_order;
            answers.push(Answer::of_nobody(self.last_order));
        }
        answers
    }

    /// Whether the thread has ended, so that nothing can be edited or saved.
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// Whether an order waits for its answer.
    pub fn is_busy(&self) -> bool {
        self.last_answer < self.last_order
    }
}

/// Of moves that follow each other only the last matters: the hand has gone on.
fn skip_old_moves(waiting: &mut VecDeque<(u64, Order)>) {
    let is_move =
        |order: Option<&(u64, Order)>| matches!(order, Some((_, Order::Edit(Edit::Move { .. }) | Order::Search(_))));
    while is_move(waiting.front()) && is_move(waiting.get(1)) {
        waiting.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(x: f64) -> Order {
        Order::Edit(Edit::Move { target: [x, 0.0, 0.0], iterations: 1, seed: 0 })
    }

    #[test]
    fn only_the_newest_of_moves_is_left_and_nothing_else_is_lost() {
        let orders = [pull(1.0), pull(2.0), pull(3.0), Order::Edit(Edit::Release), pull(4.0)];
        let mut waiting: VecDeque<(u64, Order)> = (1..).zip(orders).collect();
        skip_old_moves(&mut waiting);
        let revisions: Vec<u64> = waiting.iter().map(|(revision, _)| *revision).collect();
        assert_eq!(revisions, [3, 4, 5]);
    }

    #[test]
    fn a_thread_that_has_ended_is_told_of_and_not_waited_for() {
        let ((orders, _), (_, answers)) = (channel(), channel());
        let mut worker = Worker { orders, answers, last_order: 0, last_answer: 0, calls: Arc::default(), gone: false };
        assert!(worker.answers().is_empty(), "nothing was asked for");
        let revision = worker.order(Order::Save(PathBuf::from("egg.toml")));
        let told = worker.answers();
        assert!(told.len() == 1 && told[0].broke && told[0].revision == revision, "{told:?}");
        assert!(worker.is_gone() && !worker.is_busy());
        assert!(worker.answers().is_empty(), "once is enough");
    }
}
