//! An export under way: in a thread of its own, with how far it is, and a word to end it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::{self, Align2, Ui};

use super::action::Action;
use super::motion::Motion;
use super::widgets::quiet;
use crate::export::{self, ExportError, Options, Summary};

/// Parts of the whole that are told apart.
const FINENESS: f64 = 1000.0;

/// An export that has not ended yet.
#[derive(Debug)]
pub struct Exporting {
    path: PathBuf,
    share: Arc<AtomicU32>,
    cancelled: Arc<AtomicBool>,
    result: Receiver<Result<Summary, ExportError>>,
}

impl Exporting {
    /// Starts to write the motion that is on the screen; the window is woken as it goes on.
    pub fn start(motion: Arc<Motion>, path: PathBuf, options: Options, ctx: &egui::Context) -> Exporting {
        let (share, cancelled) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let (sender, result) = channel();
        let job = Exporting { path: path.clone(), share: share.clone(), cancelled: cancelled.clone(), result };
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            let prepared = export::Motion::new(&motion.scene.title, &motion.trajectory);
            let mut progress = |part: f64| {
                share.store((part * FINENESS) as u32, Ordering::Relaxed);
                ctx.request_repaint();
                !cancelled.load(Ordering::Relaxed)
            };
            let _ = sender.send(export::export(&prepared, &path, &options, &mut progress));
            ctx.request_repaint();
        });
        job
    }

    /// Says that it is no longer wanted; it ends at the next frame or body.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// What came of it, once it has ended.
    pub fn ended(&self) -> Option<Result<Summary, ExportError>> {
        self.result.try_recv().ok()
    }

    /// Shows how far it is at the foot of the window; returns a wish to end it.
    pub fn show_ui(&self, ui: &mut Ui) -> Option<Action> {
        let mut action = None;
        let area = egui::Area::new(egui::Id::unique("exporting")).order(egui::Order::Foreground);
        area.anchor(Align2::LEFT_BOTTOM, [14.0, -120.0]).show(ui.ctx(), |ui| {
            egui::Frame::window(ui.style()).inner_margin(egui::Margin::symmetric(12, 8)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    quiet(ui, format!("Exporting {}", name(&self.path)));
                    let share = self.share.load(Ordering::Relaxed) as f32 / FINENESS as f32;
                    ui.add(egui::ProgressBar::new(share).desired_width(160.0).show_percentage());
                    if ui.button("Cancel export").clicked() {
                        action = Some(Action::CancelExport);
                    }
                });
            });
        });
        action
    }
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What was written, in a sentence.
pub fn told(summary: &Summary) -> String {
    let bytes: u64 = summary.files.iter().map(|(_, bytes)| bytes).sum();
    let size = if bytes < 1_000_000 {
        format!("{} kB", bytes.div_ceil(1000))
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    };
    match &summary.files[..] {
        [] => "Nothing was written".to_owned(),
        [(path, _)] => format!("Wrote {} ({size})", path.display()),
        [(first, _), .., (last, _)] => {
            format!("Wrote {} … {} ({} files, {size})", first.display(), name(last), summary.files.len())
        }
    }
}
