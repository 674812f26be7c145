//! The program itself in a real window: it opens, draws, listens to mouse and keys, and closes.

use std::time::Duration;

use crate::screen::{Screen, can_open};
use crate::support::{Options, place_of, position, scene};

#[test]
fn a_scene_opens_in_a_window_and_plays() {
    if !can_open() {
        return;
    }
    let mut screen = Screen::open("plays", &[&scene("bounce")]);
    screen.wait("a picture", |screen| screen.shot().colors() > 200);
    std::thread::sleep(Duration::from_millis(500));
    let before = screen.picture("window_before");
    screen.point(500.0, 300.0);
    screen.key("bracketright");
    screen.wait("the next event", |screen| screen.shot().difference(&before) > 0.0005);
    screen.picture("window_event");
    screen.key("ctrl+q");
    let start = std::time::Instant::now();
    while screen.program.0.try_wait().expect("its state").is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "the window does not close");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_egg_is_dragged_with_the_mouse_and_saved() {
    if !can_open() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("hattrick-drag-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("eggs.toml");
    std::fs::copy(scene("eggs"), &path).expect("a copy");
    // The same window without a screen tells where things are.
    let stand_in = Options { scene: Some(path.clone()), ..Options::default() }.open();
    let (t, from) = (0.35, place_of(&stand_in, "white egg", 0.35));
    let before = position(&stand_in, "white egg", t);
    let mut screen = Screen::open("drags", &[&path]);
    screen.wait("a picture", |screen| screen.shot().colors() > 200);
    std::thread::sleep(Duration::from_millis(800));
    screen.picture("drag_before");
    screen.point(from.x, from.y);
    std::thread::sleep(Duration::from_millis(300));
    screen.xdotool(&["mousedown", "1"]);
    for k in 1..=10 {
        screen.point(from.x + 4.0 * k as f32, from.y - 6.0 * k as f32);
    }
    std::thread::sleep(Duration::from_millis(600));
    screen.picture("drag_during");
    screen.xdotool(&["mouseup", "1"]);
    std::thread::sleep(Duration::from_millis(900));
    screen.picture("drag_after");
    let text = std::fs::read_to_string(&path).expect("the file");
    screen.key("ctrl+s");
    screen.wait("the saved scene", |_| std::fs::read_to_string(&path).is_ok_and(|now| now != text));
    let saved = Options { scene: Some(path), ..Options::default() }.open();
    let after = position(&saved, "white egg", t);
    assert!(after[1] > before[1] + 0.02, "the egg was lifted from {} m to {} m", before[1], after[1]);
    let _ = std::fs::remove_dir_all(&folder);
}
