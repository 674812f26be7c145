//! A window without a screen, and patience for its worker.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use eframe::egui::{self, Event, Key, Modifiers, Pos2, Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use hattrick::editor::{App, Start};

/// The longest that a worker may take here; scenes of the gallery need far less.
const PATIENCE: Duration = Duration::from_secs(60);

pub type Window = Harness<'static, App>;

/// What a test may choose.
pub struct Options {
    pub size: Vec2,
    pub theme: Theme,
    pub scene: Option<PathBuf>,
    pub folder: Option<PathBuf>,
    pub slowness: Duration,
    pub draws: bool,
    /// Whether controls without a name are passed over, as in the middle of an animation.
    pub lenient: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: Vec2::new(1280.0, 800.0),
            theme: Theme::Dark,
            scene: None,
            folder: None,
            slowness: Duration::ZERO,
            draws: false,
            lenient: false,
        }
    }
}

impl Options {
    pub fn open(self) -> Window {
        let mut window = self.open_at_once();
        settle(&mut window);
        window
    }

    /// Without waiting for the worker.
    pub fn open_at_once(self) -> Window {
        let builder =
            Harness::builder().with_size(self.size).with_theme(self.theme).with_max_steps(64).with_step_dt(1.0 / 60.0);
        let builder = builder.with_accessibility_check(!self.lenient);
        let builder = if self.draws { builder.wgpu() } else { builder };
        let theme = self.theme;
        let (scene, folder, slowness, thumbnails) = (self.scene, self.folder, self.slowness, self.draws);
        let start = Start { scene, folder, slowness, thumbnails, ..Start::default() };
        builder.build_eframe(move |cc| {
            let app = App::new(cc, start);
            cc.egui_ctx.set_theme(theme);
            app
        })
    }
}

/// A window with an example open.
pub fn example(name: &str) -> Window {
    example_in(Options::default(), name)
}

pub fn example_in(options: Options, name: &str) -> Window {
    let mut window = options.open();
    window.get_by_label(&format!("Open example {name}")).click();
    settle(&mut window);
    assert!(window.state().motion().is_some(), "{name}: {:?}", window.state().messages());
    window
}

/// Runs frames until the worker has nothing to do and its answer is on the screen.
pub fn settle(window: &mut Window) {
    let start = Instant::now();
    window.step();
    while window.state().is_busy() {
        assert!(start.elapsed() < PATIENCE, "the worker takes too long");
        std::thread::sleep(Duration::from_millis(3));
        window.step();
    }
    // Gliding cameras end; a motion that plays does not, and need not.
    window.run_steps(3);
}

/// Presses, moves in steps and releases, one frame each.
pub fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.step();
    window.drag_at(from);
    window.step();
    for k in 1..=8 {
        window.hover_at(from + (to - from) * (k as f32 / 8.0));
        window.step();
    }
    window.drop_at(to);
    settle(window);
}

/// Where a body is on the screen at a time.
pub fn place_of(window: &Window, body: &str, t: f64) -> Pos2 {
    let motion = window.state().motion().expect("a motion");
    let id = motion.model.body(body).expect("a body");
    let rect = window.get_by_label("Scene view").rect();
    let center = motion.trajectory.body_at(id, t).position;
    window.state().view().camera.project(rect, center).expect("in the view")
}

/// Where a body is in the world at a time.
pub fn position(window: &Window, body: &str, t: f64) -> [f64; 3] {
    let motion = window.state().motion().expect("a motion");
    motion.trajectory.body_at(motion.model.body(body).expect("a body"), t).position.into()
}

/// Every number of the control vector, to the bit.
pub fn bits(window: &Window) -> Vec<u64> {
    window.state().motion().expect("a motion").u.values().iter().map(|value| value.to_bits()).collect()
}

/// Where something with this name is.
pub fn place(window: &Window, label: &str) -> Pos2 {
    window.get_by_label(label).rect().center()
}

pub fn scene(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes").join(format!("{name}.toml"))
}

/// Whether pictures can be drawn; says what to install where they cannot. `HATTRICK_REQUIRE_GPU=1` insists.
pub fn can_draw() -> bool {
    use eframe::egui_wgpu::wgpu;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster_block(instance.enumerate_adapters(wgpu::Backends::all()));
    if !adapters.is_empty() {
        return true;
    }
    assert!(std::env::var_os("HATTRICK_REQUIRE_GPU").is_none(), "no graphics adapter, and HATTRICK_REQUIRE_GPU is set");
    println!("SKIPPED: apt install libvulkan1 mesa-vulkan-drivers");
    false
}

/// Waits for a future that needs nothing but being asked.
fn pollster_block<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}

/// Draws the window into the target folder and returns the picture's bytes and size.
pub fn picture(window: &mut Window, name: &str) -> (Vec<u8>, [u32; 2]) {
    let image = window.render().expect("a picture");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    image.save(folder.join(format!("{name}.png"))).expect("a picture on disk");
    (image.as_raw().clone(), [image.width(), image.height()])
}

/// A pixel's colour.
pub fn pixel(bytes: &[u8], size: [u32; 2], place: Pos2) -> egui::Color32 {
    let index = 4 * (place.y as usize * size[0] as usize + place.x as usize);
    egui::Color32::from_rgb(bytes[index], bytes[index + 1], bytes[index + 2])
}

/// Presses and lets go at a place.
pub fn click(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.step();
    window.drag_at(at);
    window.step();
    window.drop_at(at);
    window.run_steps(2);
}

/// Types over a field that has a name.
pub fn type_over(window: &mut Window, label: &str, text: &str) {
    window.get_by_label(label).click();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.event(Event::Text(text.to_owned()));
    window.run_steps(1);
    window.key_press(Key::Enter);
    settle(window);
}

/// Types a path over the one that is suggested.
pub fn type_path(window: &mut Window, path: &std::path::Path) {
    window.get_by_label("Path").focus();
    window.run_steps(1);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(1);
    window.get_by_label("Path").type_text(&path.to_string_lossy());
    window.run_steps(2);
}
