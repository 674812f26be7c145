//! The program itself in a real window: it opens, draws, listens to mouse and keys, and closes.

use std::time::Duration;

use crate::screen::{Screen, can_open};
use crate::support::scene;

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
