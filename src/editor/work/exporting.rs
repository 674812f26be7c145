//! What is wished of an export, and one under way: in a thread of its own, with how far it is, and a word to end it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui;

use super::motion::Motion;
use crate::export::{self, ExportError, Format, Options, Summary};
use crate::picture::Theme;

/// Parts of the whole that are told apart.
const FINENESS: f64 = 1000.0;
/// Sizes of pictures that are offered, pixels.
pub const SIZES: [[u32; 2]; 4] = [[640, 400], [1280, 800], [1280, 720], [1920, 1080]];

/// What a person wishes of an export; the format stands in the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wishes {
    /// Frames a second; none for what the format is usually played at.
    pub fps: Option<f64>,
    /// Whether flights are written as curves.
    pub cubic: bool,
    /// Pixels, of pictures.
    pub size: [u32; 2],
    /// The theme of pictures.
    pub dark: bool,
    /// Whether joints and forces are seen.
    pub marks: bool,
}

impl Wishes {
    /// What one starts from; pictures take the window's theme.
    pub fn new(dark: bool) -> Wishes {
        Wishes { fps: None, cubic: false, size: SIZES[0], dark, marks: true }
    }

    /// As `export` takes them.
    pub fn options(&self, format: Format) -> Options {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        let fps = self.fps.unwrap_or(format.frame_rate());
        Options { fps, cubic: self.cubic, size: self.size, theme, marks: self.marks }
    }
}

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
            // In the middle of a drag only a part of it is on the screen.
            let whole = motion.whole_trajectory();
            let prepared = export::Motion::new(&motion.scene.title, &whole);
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
        match self.result.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                let reason = "a fault of the program broke it off".to_owned();
                Some(Err(ExportError::Unwritable { path: self.path.clone(), reason }))
            }
        }
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        name(&self.path)
    }

    /// How much of it is done, from 0 to 1.
    pub fn share(&self) -> f32 {
        self.share.load(Ordering::Relaxed) as f32 / FINENESS as f32
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

#[cfg(test)]
mod tests {
    use super::super::motion::meshes;
    use super::*;
    use crate::scene::{Scene, When};
    use crate::session::{Edit, Quantity, Session};

    const SCENE: &str =
        "format = 1\nduration = 1.0\n[[body]]\nname = \"egg\"\nshape = { kind = \"ball\", radius = 0.1 }\n";

    /// A motion as it is on the screen in the middle of a drag.
    fn held() -> Motion {
        let mut session = Session::new(Scene::parse(SCENE, "egg.toml").expect("a scene")).expect("a session");
        let at = When::Time(0.3);
        session
            .apply(Edit::Grab { body: "egg".to_owned(), at, point: None, what: Quantity::Position })
            .expect("a grab");
        session.apply(Edit::Move { target: [0.2, 0.0, 0.0], iterations: 4, seed: 0 }).expect("a move");
        let (model, meshes) = (session.model().clone(), meshes(session.model(), 1));
        Motion::new(Arc::new(session.scene().clone()), model, session.u().clone(), session.trajectory().clone(), meshes)
    }

    fn written(motion: Motion, folder: &Path) -> Vec<u8> {
        let path = folder.join("egg.csv");
        let options = Wishes::new(false).options(Format::of(&path).expect("a format"));
        let exporting = Exporting::start(Arc::new(motion), path.clone(), options, &egui::Context::default());
        exporting.result.recv().expect("an end").expect("a file");
        // A thread that is gone without another word is not waited for.
        while exporting.ended().is_none() {
            std::thread::yield_now();
        }
        std::fs::read(path).expect("a file")
    }

    #[test]
    fn what_is_exported_in_the_middle_of_a_drag_is_whole() {
        let folder = std::env::temp_dir().join(format!("hattrick-exporting-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let part = held();
        assert!(!part.is_whole());
        let whole = part.with_trajectory(part.whole_trajectory());
        assert!(whole.is_whole());
        assert_eq!(written(part, &folder), written(whole, &folder));
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn frames_are_the_formats_own_unless_asked_for() {
        let wishes = Wishes::new(false);
        assert_eq!((wishes.options(Format::Gif).fps, wishes.options(Format::Glb).fps), (25.0, 60.0));
        assert_eq!(Wishes { fps: Some(24.0), ..wishes }.options(Format::Gif).fps, 24.0);
    }
}
