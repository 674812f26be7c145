//! What a hand feels: from a mouse move to the new motion on the screen, frames a second while dragging, the solver's share, and a
//! cold start beside an empty window.
//!
//! The window is the real one without a screen (`egui_kittest`), drawn where there is a graphics adapter. A scripted drag pulls a
//! body through 60 places, one a frame. Latency is the time from handing over a move to the end of the first frame that
//! shows a motion solved for it or for a later one. Cold starts open real windows: the editor's and one of eframe with nothing
//! in it, in turn, each a new process that ends after its second frame; they need a display (`xvfb-run -a`), and are left out
//! without one. Times depend on the machine, so both windows are measured in one run.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use eframe::egui::{self, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use hattrick::editor::{App, Start, has_display};

/// Places the hand goes through.
const MOVES: usize = 60;
/// The solver's share of a frame, ms.
const BUDGET: f64 = 8.0;
/// Windows opened of each kind.
const STARTS: usize = 5;
const SCENES: [&str; 7] = ["eggs", "plank", "mug", "scissors", "hat", "particle", "dice"];

type Window = Harness<'static, App>;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--empty") => open_once(None),
        Some("--window") => open_once(Some(std::env::args().nth(2).map(PathBuf::from))),
        _ => {
            drags();
            starts();
        }
    }
}

fn drags() {
    let draws = std::env::var_os("HATTRICK_BENCH_DRAW").is_some();
    let how = if draws { "drawn" } else { "not drawn; HATTRICK_BENCH_DRAW=1 draws" };
    println!("A scripted drag of {MOVES} moves, 1280 x 800 points ({how})\n");
    println!("| scene | move to motion, median | worst | frames/s | solver, median | worst | over {BUDGET} ms |");
    println!("|---|---|---|---|---|---|---|");
    for scene in SCENES {
        drag(scene, draws);
    }
}

fn drag(scene: &str, draws: bool) {
    let mut window = open(scene, draws);
    let (from, rect) = grip(&window);
    window.hover_at(from);
    window.step();
    window.drag_at(from);
    window.step();
    let (mut latencies, mut solves) = (Vec::new(), Vec::new());
    let (mut waiting, mut known) = (Vec::<Instant>::new(), window.state().newest_solve().0);
    let begun = Instant::now();
    let mut frames = 0;
    for k in 1..=MOVES {
        let angle = k as f32 / MOVES as f32 * std::f32::consts::TAU;
        let way = Vec2::new(40.0 * angle.sin(), -30.0 * (1.0 - angle.cos()));
        window.hover_at(rect.clamp(from + way));
        waiting.push(Instant::now());
        frame(&mut window, draws);
        frames += 1;
        let (answered, solving) = window.state().newest_solve();
        if answered > known {
            known = answered;
            solves.push(solving.as_secs_f64() * 1e3);
            latencies.extend(waiting.drain(..).map(|since| since.elapsed().as_secs_f64() * 1e3));
        }
    }
    let rate = f64::from(frames) / begun.elapsed().as_secs_f64();
    window.drop_at(from);
    let over = solves.iter().filter(|solve| **solve > BUDGET).count();
    println!(
        "| {scene} | {:.1} ms | {:.1} ms | {rate:.0} | {:.1} ms | {:.1} ms | {over} of {} |",
        median(&mut latencies),
        latencies.last().copied().unwrap_or(f64::NAN),
        median(&mut solves),
        solves.last().copied().unwrap_or(f64::NAN),
        solves.len(),
    );
}

/// One frame, and the wait for the display's next one where it was quicker than that.
fn frame(window: &mut Window, draws: bool) {
    const DISPLAY: Duration = Duration::from_nanos(1_000_000_000 / 60);
    let begun = Instant::now();
    window.step();
    if draws {
        window.render().expect("a picture");
    }
    std::thread::sleep(DISPLAY.saturating_sub(begun.elapsed()));
}

fn open(scene: &str, draws: bool) -> Window {
    let builder = Harness::builder().with_size(Vec2::new(1280.0, 800.0)).with_step_dt(1.0 / 60.0).with_max_steps(64);
    let builder = if draws { builder.wgpu() } else { builder };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{scene}.toml"));
    let start = Start { scene: Some(path), ..Start::default() };
    let mut window = builder.build_eframe(move |cc| App::new(cc, start));
    while window.state().is_busy() {
        std::thread::sleep(Duration::from_millis(2));
        window.step();
    }
    window.run_steps(3);
    window
}

/// Where the first moving body is on the screen in its first flight, and the view.
fn grip(window: &Window) -> (Pos2, egui::Rect) {
    let motion = window.state().motion().expect("a motion");
    let body =
        motion.bodies().find(|body| motion.model.bodies()[body.index()].drive.is_pushed()).expect("something moves");
    let first = motion.marks.iter().find(|mark| mark.bodies.contains(&body)).map_or(motion.duration(), |mark| mark.t);
    let rect = window.get_by_label("Scene view").rect();
    let place = motion.trajectory.body_at(body, 0.6 * first).position;
    (window.state().view().camera.project(rect, place).expect("in the view"), rect)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn starts() {
    if !has_display() {
        println!("\nCold starts are left out: there is no display (try `xvfb-run -a cargo bench --bench editor`).");
        return;
    }
    let scene = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/eggs.toml");
    let kinds: [(&str, Vec<PathBuf>); 3] = [
        ("an empty eframe window", vec!["--empty".into()]),
        ("the editor with its gallery", vec!["--window".into()]),
        ("the editor with the eggs", vec!["--window".into(), scene]),
    ];
    let mut times = vec![Vec::new(); kinds.len()];
    for _ in 0..STARTS {
        for (kind, times) in kinds.iter().zip(&mut times) {
            let begun = Instant::now();
            let program = std::env::current_exe().expect("this program");
            let status = Command::new(program).args(&kind.1).status().expect("a new process");
            assert!(status.success(), "{} did not open", kind.0);
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!(
        "\nStart to the second frame, {STARTS} processes each, in turn\n\n| window | median | worst |\n|---|---|---|"
    );
    for ((name, _), times) in kinds.iter().zip(&mut times) {
        let middle = median(times);
        println!("| {name} | {middle:.0} ms | {:.0} ms |", times.last().copied().unwrap_or(f64::NAN));
    }
}

/// A window that closes itself once it has been seen.
struct Once {
    inner: Option<App>,
    frames: u32,
}

impl eframe::App for Once {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let is_open = self.inner.as_ref().is_none_or(|app| !app.is_busy());
        if let Some(app) = &mut self.inner {
            app.ui(ui, frame);
        }
        self.frames += u32::from(is_open);
        if self.frames >= 2 {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
        ui.ctx().request_repaint();
    }
}

fn open_once(editor: Option<Option<PathBuf>>) {
    let viewport = egui::ViewportBuilder::default().with_inner_size([1280.0, 800.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let start = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        let inner = editor.map(|scene| App::new(cc, Start { scene, thumbnails: true, ..Start::default() }));
        Ok(Box::new(Once { inner, frames: 0 }))
    };
    if let Err(error) = eframe::run_native("hattrick-bench", options, Box::new(start)) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
