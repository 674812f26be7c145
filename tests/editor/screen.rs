//! A real window on a screen that nobody sees: Xvfb, the program itself, and a mouse moved by xdotool.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A screen with the program on it; both end with it.
pub struct Screen {
    _alone: MutexGuard<'static, ()>,
    pub program: Running,
    _xvfb: Running,
    pub folder: PathBuf,
    display: String,
}

/// A process that ends when nobody needs it any more.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Pixels of the screen, four bytes each: blue, green, red, unused.
pub struct Shot {
    pub width: usize,
    pub height: usize,
    pub bytes: Vec<u8>,
}

/// Two screens that start at once take each other's number.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
const SIZE: (u32, u32) = (1280, 800);

/// Whether the tools are there; says what to install where they are not. `HATTRICK_REQUIRE_GPU=1` insists.
pub fn can_open() -> bool {
    let found =
        |tool: &str| Command::new(tool).arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if found("Xvfb") && found("xdotool") {
        return true;
    }
    assert!(std::env::var_os("HATTRICK_REQUIRE_GPU").is_none(), "no Xvfb or xdotool, and HATTRICK_REQUIRE_GPU is set");
    println!("SKIPPED: apt install xvfb xdotool libxkbcommon-x11-0 libxcursor1 libxi6 libx11-xcb1");
    false
}

impl Screen {
    /// Starts a screen and the program with these arguments on it, and waits for its window.
    pub fn open(name: &str, arguments: &[&Path]) -> Screen {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        // Other programs start screens too, and may take a number between its choice and its use.
        let listening = (0..5).map(|_| start_xvfb(&folder)).find(|(_, display)| listens(display));
        let (xvfb, display) = listening.expect("a screen that listens");
        let program = start_program(&folder, &display, arguments);
        let mut screen = Screen { _alone: alone, program, _xvfb: xvfb, folder, display };
        screen.wait("a window", |screen| {
            !screen.xdotool(&["search", "--onlyvisible", "--name", "Hattrick"]).trim().is_empty()
        });
        // There is no window manager here to give it the keyboard.
        for window in screen.xdotool(&["search", "--onlyvisible", "--name", "Hattrick"]).lines() {
            screen.xdotool(&["windowfocus", window]);
        }
        screen
    }

    /// Waits for something, with the program's own words where it does not come.
    pub fn wait(&mut self, what: &str, done: impl Fn(&Screen) -> bool) {
        let start = Instant::now();
        while !done(self) {
            if let Ok(Some(status)) = self.program.0.try_wait() {
                panic!("the program ended ({status}) before {what}: {}", self.log());
            }
            assert!(start.elapsed() < Duration::from_secs(90), "no {what}: {}", self.log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Runs xdotool with words; returns what it prints.
    pub fn xdotool(&self, words: &[&str]) -> String {
        let output = Command::new("xdotool").args(words).env("DISPLAY", &self.display).output().expect("xdotool");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Moves the pointer.
    pub fn point(&self, x: f32, y: f32) {
        self.xdotool(&["mousemove", &format!("{x:.0}"), &format!("{y:.0}")]);
        std::thread::sleep(Duration::from_millis(60));
    }

    /// Presses a key, such as `ctrl+s`.
    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
        std::thread::sleep(Duration::from_millis(60));
    }

    /// What is on the screen: Xvfb keeps it in a file in the format of `xwd`.
    pub fn shot(&self) -> Shot {
        let bytes = std::fs::read(self.folder.join("Xvfb_screen0")).expect("the screen's memory");
        let number = |k: usize| {
            u32::from_be_bytes([bytes[4 * k], bytes[4 * k + 1], bytes[4 * k + 2], bytes[4 * k + 3]]) as usize
        };
        let (header, width, height, colors) = (number(0), number(4), number(5), number(19));
        let start = header + 12 * colors;
        Shot { width, height, bytes: bytes[start..start + 4 * width * height].to_vec() }
    }

    /// The same, kept beside the other pictures.
    pub fn picture(&self, name: &str) -> Shot {
        let shot = self.shot();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        shot.save(&folder.join(format!("{name}.ppm")));
        shot
    }
}

impl Shot {
    /// How many different colours there are, of a part of the pixels.
    pub fn colors(&self) -> usize {
        let some: std::collections::BTreeSet<[u8; 3]> =
            self.bytes.chunks_exact(4).step_by(7).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        some.len()
    }

    /// The part of pixels that differ from another shot.
    pub fn difference(&self, other: &Shot) -> f64 {
        let pairs = self.bytes.chunks_exact(4).zip(other.bytes.chunks_exact(4));
        let differing = pairs.filter(|(a, b)| a[..3].iter().zip(&b[..3]).any(|(a, b)| a.abs_diff(*b) > 8)).count();
        differing as f64 / (self.width * self.height) as f64
    }

    fn save(&self, path: &Path) {
        let mut bytes = format!("P6\n{} {}\n255\n", self.width, self.height).into_bytes();
        bytes.extend(self.bytes.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]));
        std::fs::write(path, bytes).expect("a picture");
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts the program; once more where the screen did not take it, as can happen while other screens come and go.
fn start_program(folder: &Path, display: &str, arguments: &[&Path]) -> Running {
    let start = || {
        let log = std::fs::File::create(folder.join("log")).expect("a log");
        Command::new(env!("CARGO_BIN_EXE_hattrick"))
            .args(arguments)
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY")
            .env("HATTRICK_HOME", folder.join("home"))
            .stdout(log.try_clone().expect("the log again"))
            .stderr(log)
            .spawn()
            .map(Running)
            .expect("the program")
    };
    let refused = |program: &mut Running| {
        std::thread::sleep(Duration::from_millis(700));
        let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
        matches!(program.0.try_wait(), Ok(Some(_))) && log.contains("open connection to X server")
    };
    let mut program = start();
    for _ in 0..5 {
        if !refused(&mut program) {
            break;
        }
        program = start();
    }
    program
}

/// Whether programs can open windows on a screen.
fn listens(display: &str) -> bool {
    let asked = || Command::new("xdotool").arg("getdisplaygeometry").env("DISPLAY", display).output();
    (0..20).any(|_| {
        let found = asked().is_ok_and(|output| output.status.success() && !output.stdout.is_empty());
        std::thread::sleep(Duration::from_millis(if found { 0 } else { 100 }));
        found
    })
}

/// Starts Xvfb on a number of its own choosing, with its memory in a file.
fn start_xvfb(folder: &Path) -> (Running, String) {
    let (width, height) = SIZE;
    let number = folder.join("number");
    let file = std::fs::File::create(&number).expect("a file");
    let xvfb = Command::new("Xvfb")
        // Without this the screen starts anew, and refuses programs for a moment, when its last program leaves.
        .args([
            "-noreset",
            "-displayfd",
            "1",
            "-nolisten",
            "tcp",
            "-screen",
            "0",
            &format!("{width}x{height}x24"),
            "-fbdir",
        ])
        .arg(folder)
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .map(Running)
        .expect("Xvfb");
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(&number).unwrap_or_default();
        if text.ends_with('\n') {
            return (xvfb, format!(":{}", text.trim()));
        }
        assert!(start.elapsed() < Duration::from_secs(30), "Xvfb does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
}
