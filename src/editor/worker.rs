//! Does everything slow in a thread of its own: reading, simulating, and preparing a motion for the window.
//!
//! ```text
//! window ──(revision, order)──▶ worker ──(revision, motion or message)──▶ window
//! ```
//!
//! Revisions rise. The window takes an answer only if no newer question makes it stale, and never waits. Opening another
//! scene leaves the old thread to itself: it ends when it finds that nobody listens.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use eframe::egui;

use super::motion::{self, Motion};
use crate::model::Model;
use crate::scene::Scene;
use crate::simulation::simulate;

/// Something to do.
#[derive(Debug)]
pub enum Order {
    /// Read a scene file and simulate it.
    OpenFile(PathBuf),
    /// The same from a text that has a name.
    OpenText {
        /// For messages.
        name: String,
        /// TOML.
        text: String,
    },
}

/// What came of an order.
#[derive(Debug)]
pub struct Answer {
    /// The order's.
    pub revision: u64,
    /// A motion, or why there is none.
    pub result: Result<Arc<Motion>, String>,
}

/// The window's end of the thread.
#[derive(Debug)]
pub struct Worker {
    orders: Sender<(u64, Order)>,
    answers: Receiver<Answer>,
    last_order: u64,
    last_answer: u64,
}

static MESHES: AtomicU64 = AtomicU64::new(1);

impl Worker {
    /// Starts the thread; each answer wakes the window.
    pub fn start(ctx: &egui::Context) -> Worker {
        let (orders, inbox) = channel::<(u64, Order)>();
        let (outbox, answers) = channel();
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            while let Ok((revision, order)) = inbox.recv() {
                if outbox.send(Answer { revision, result: carry_out(order) }).is_err() {
                    return;
                }
                ctx.request_repaint();
            }
        });
        Worker { orders, answers, last_order: 0, last_answer: 0 }
    }

    /// Hands over an order and returns its revision.
    pub fn order(&mut self, order: Order) -> u64 {
        self.last_order += 1;
        // A thread that is gone answers nothing; the window then keeps what it shows.
        let _ = self.orders.send((self.last_order, order));
        self.last_order
    }

    /// The newest answer that has come in, if any.
    pub fn newest(&mut self) -> Option<Answer> {
        let newest = self.answers.try_iter().max_by_key(|answer| answer.revision)?;
        self.last_answer = newest.revision;
        Some(newest)
    }

    /// Whether an order waits for its answer.
    pub fn is_busy(&self) -> bool {
        self.last_answer < self.last_order
    }
}

fn carry_out(order: Order) -> Result<Arc<Motion>, String> {
    let scene = match order {
        Order::OpenFile(path) => Scene::open(path),
        Order::OpenText { name, text } => Scene::parse(&text, &name),
    };
    let scene = scene.map_err(|error| error.to_string())?;
    let model = Model::new(&scene).map_err(|errors| errors.in_file(&scene.source))?;
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let meshes = motion::meshes(&model, MESHES.fetch_add(1, Ordering::Relaxed));
    Ok(Arc::new(Motion::new(Arc::new(scene), Arc::new(model), u, trajectory, meshes)))
}
