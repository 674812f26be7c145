//! Random clicks, drags, keys, resizes and broken files: the window survives them all, and does not grow.
//!
//! Twenty seconds in an ordinary run; `HATTRICK_SOAK=600` for ten minutes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use eframe::egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2};

use crate::support::{Options, Window, scene};

/// A generator of our own, so that a failure can be repeated from its seed.
struct Dice(u64);

impl Dice {
    /// xorshift64*.
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 33) as usize % count
    }

    fn part(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

const KEYS: [Key; 23] = [
    Key::Space,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::OpenBracket,
    Key::CloseBracket,
    Key::Home,
    Key::End,
    Key::L,
    Key::F,
    Key::G,
    Key::P,
    Key::N,
    Key::Escape,
    Key::Tab,
    Key::Enter,
    Key::Num1,
    Key::Num3,
    Key::Num7,
    Key::X,
    Key::Y,
    Key::F1,
    Key::R,
    Key::Delete,
];

fn random_place(dice: &mut Dice, size: Vec2) -> Pos2 {
    Pos2::new(dice.part() * size.x, dice.part() * size.y)
}

/// One random thing a person, or a cat, might do.
fn disturb(window: &mut Window, dice: &mut Dice, size: &mut Vec2) {
    let pos = random_place(dice, *size);
    let button = |pos, button, pressed| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
    match dice.below(12) {
        0..=2 => {
            window.input_mut().events.extend([
                Event::PointerMoved(pos),
                button(pos, PointerButton::Primary, true),
                button(pos, PointerButton::Primary, false),
            ]);
        }
        3..=6 => {
            let end = pos + Vec2::new(dice.part() - 0.5, dice.part() - 0.5) * 300.0;
            let which =
                [PointerButton::Primary, PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary];
            let which = which[dice.below(4)];
            window.input_mut().events.extend([Event::PointerMoved(pos), button(pos, which, true)]);
            window.step();
            for k in 1..=4 {
                window.input_mut().events.push(Event::PointerMoved(pos + (end - pos) * (k as f32 / 4.0)));
                window.step();
            }
            window.input_mut().events.push(button(end, which, false));
        }
        7..=8 => window.key_press(KEYS[dice.below(KEYS.len())]),
        9 => {
            let keys = [Key::Z, Key::Y, Key::A];
            window.key_press_modifiers(Modifiers::COMMAND, keys[dice.below(keys.len())]);
        }
        10 => {
            let delta = Vec2::new(dice.part() - 0.5, dice.part() - 0.5) * 8.0;
            let unit = if dice.below(2) == 0 { MouseWheelUnit::Line } else { MouseWheelUnit::Point };
            let modifiers = Modifiers::NONE;
            window.input_mut().events.push(Event::MouseWheel {
                unit,
                delta,
                modifiers,
                phase: TouchPhase::Move,
                source: eframe::egui::MouseWheelSource::Unknown,
            });
        }
        _ => {
            *size = Vec2::new(400.0 + 1200.0 * dice.part(), 300.0 + 700.0 * dice.part());
            window.set_size(*size);
        }
    }
    window.step();
}

/// A shipped scene with some of its bytes changed.
fn broken_scene(dice: &mut Dice, folder: &std::path::Path) -> PathBuf {
    let names = ["tumble", "bounce", "eggs"];
    let mut bytes = std::fs::read(scene(names[dice.below(names.len())])).expect("a scene");
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        bytes[at] = (dice.next() >> 56) as u8;
    }
    let path = folder.join("broken.toml");
    std::fs::write(&path, bytes).expect("a file");
    path
}

/// Memory of this process that is in use, bytes; `None` where the system does not say.
fn memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<usize>().ok().map(|pages| pages * 4096)
}

/// From so many seconds on, the run is taken to be alone in its process.
const LONG: u64 = 300;

#[test]
fn random_input_breaks_nothing() {
    let seconds = std::env::var("HATTRICK_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let folder = std::env::temp_dir().join(format!("hattrick-soak-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (start, mut round, mut used) = (Instant::now(), 0, Vec::new());
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (round + 1));
        println!("round {round}");
        let path = if round % 3 == 2 {
            broken_scene(&mut dice, &folder)
        } else {
            scene(["tumble", "bounce", "cradle"][dice.below(3)])
        };
        let mut size = Vec2::new(1000.0, 700.0);
        let mut window = Options { scene: Some(path), size, lenient: true, ..Options::default() }.open();
        for _ in 0..60 {
            if start.elapsed() > Duration::from_secs(seconds) {
                break;
            }
            disturb(&mut window, &mut dice, &mut size);
        }
        round += 1;
        used.extend(memory());
    }
    // The least of a quarter of the rounds: what stays, whatever scene happens to be open.
    let least = |part: &[usize]| part.iter().min().map_or(0, |bytes| bytes >> 20);
    let (early, late) = (least(&used[used.len() / 4..used.len() / 2]), least(&used[3 * used.len() / 4..]));
    println!("{round} rounds; at least {early} MB in the second quarter, {late} MB in the last");
    // In a short run other tests open and close windows in this process meanwhile.
    let allowed = if seconds < LONG { 200 } else { 16 };
    assert!(used.len() < 8 || late <= early + allowed, "memory grew from {early} to {late} MB");
    let _ = std::fs::remove_dir_all(&folder);
}
