//! Hands that are quicker than the worker: what is done while something else is still being computed.
//!
//! The worker is slowed down, so that everything here happens before it has answered.

use std::time::{Duration, Instant};

use eframe::egui::{Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::Queryable;
use hattrick::scene::When;
use hattrick::session::{Edit, Journal, Quantity};

use crate::support::{
    Options, Window, bits, click, drag, example, example_in, place_of, position, scene, settle, type_over, type_path,
};

/// What a wish may miss on the screen once it is met: half the width of a path, and rounding.
const ON_SCREEN: f32 = 2.0;

fn slow() -> Options {
    Options { slowness: Duration::from_millis(300), ..Options::default() }
}

fn depth(window: &Window) -> (usize, usize) {
    window.state().motion().expect("a motion").depth
}

/// Grabs and pulls half the way, waiting for nothing.
fn take(window: &mut Window, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.step();
    window.drag_at(from);
    window.step();
    window.hover_at(from + (to - from) * 0.5);
    window.step();
}

/// Pulls the other half and lets go.
fn leave(window: &mut Window, to: Pos2) {
    window.hover_at(to);
    window.step();
    window.drop_at(to);
    window.step();
}

/// A drag of five frames that waits for nothing.
fn flick(window: &mut Window, from: Pos2, to: Pos2) {
    take(window, from, to);
    leave(window, to);
}

/// Runs frames until another step can be undone: what was let go of is finished.
fn wait_for_a_step(window: &mut Window) {
    let (start, before) = (Instant::now(), depth(window).0);
    while depth(window).0 == before {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is finished");
        std::thread::sleep(Duration::from_millis(3));
        window.step();
    }
}

fn undo(window: &mut Window) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(window);
}

#[test]
fn another_drag_may_begin_before_the_first_is_finished() {
    let mut window = example_in(slow(), "tumble");
    let start = bits(&window);
    let from = place_of(&window, "book", 0.5);
    let to = from + Vec2::new(40.0, -20.0);
    flick(&mut window, from, to);
    assert!(window.state().is_busy() && depth(&window) == (0, 0), "the first is still being finished");
    // What is on the screen is still the old path.
    let from = place_of(&window, "book", 0.7);
    let to = from + Vec2::new(-30.0, -30.0);
    take(&mut window, from, to);
    assert_eq!(depth(&window), (0, 0), "the first is still being finished");
    wait_for_a_step(&mut window);
    assert!(window.state().is_dragging(), "the second is in the hand");
    leave(&mut window, to);
    settle(&mut window);
    assert!(!window.state().is_dragging());
    assert_eq!(depth(&window), (2, 0), "{:?} {:?}", window.state().unmet(), window.state().messages());
    assert_eq!(window.state().unmet(), None);
    undo(&mut window);
    undo(&mut window);
    assert_eq!((bits(&window), depth(&window)), (start, (0, 2)));
}

#[test]
fn a_drag_may_begin_while_a_wish_is_tried_again() {
    let mut window = example_in(slow(), "tumble");
    let start = bits(&window);
    let from = place_of(&window, "book", 0.4);
    let floor = window.get_by_label("Scene view").rect().bottom() - 20.0;
    drag(&mut window, from, Pos2::new(from.x, floor));
    let before = depth(&window).0;
    window.get_by_label("Aim beside it").click();
    window.run_steps(2);
    assert!(window.state().is_busy() && window.state().is_dragging());
    let from = place_of(&window, "book", 0.4);
    let to = from + Vec2::new(30.0, -60.0);
    take(&mut window, from, to);
    assert_eq!(depth(&window).0, before, "the wish is still being tried");
    wait_for_a_step(&mut window);
    assert!(window.state().is_dragging(), "the second is in the hand");
    leave(&mut window, to);
    settle(&mut window);
    assert!(!window.state().is_dragging());
    assert_eq!(depth(&window).0, before + 2, "{:?}", window.state().messages());
    for _ in 0..depth(&window).0 {
        undo(&mut window);
    }
    assert_eq!(bits(&window), start);
}

#[test]
fn escape_cancels_the_second_drag_and_keeps_the_first() {
    let mut window = example_in(slow(), "tumble");
    let from = place_of(&window, "book", 0.5);
    let to = from + Vec2::new(40.0, -20.0);
    flick(&mut window, from, to);
    let second = place_of(&window, "book", 0.7);
    window.drag_at(second);
    window.step();
    window.hover_at(second + Vec2::new(20.0, 20.0));
    window.step();
    window.key_press(Key::Escape);
    window.step();
    window.drop_at(second);
    settle(&mut window);
    assert_eq!((depth(&window), window.state().is_dragging()), ((1, 0), false));
    let off = (place_of(&window, "book", 0.5) - to).length();
    assert!(off < ON_SCREEN, "the book is {off} points from where it was let go");
}

/// What is offered for a body, and what is held, goes with it.
#[test]
fn a_body_that_is_removed_leaves_no_word_about_it() {
    let mut window = example("eggs");
    let from = place_of(&window, "brown egg", 0.3);
    let bucket = place_of(&window, "left bucket", 0.3);
    drag(&mut window, from, bucket);
    assert!(window.query_by_label_contains("Nail it inside left bucket").is_some());
    let at = place_of(&window, "brown egg", 0.0);
    click(&mut window, at);
    window.get_by_label("Delete").click();
    settle(&mut window);
    assert!(window.query_by_label("Body brown egg").is_none(), "{:?}", window.state().messages());
    assert!(window.query_by_label_contains("Nail it inside").is_none());
    assert_eq!(window.state().unmet(), None);
}

/// A journal that takes the book of `tumble` in hand and never lets go, in a folder of its own.
fn cut_journal(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let grab = Edit::Grab { body: "book".to_owned(), at: When::Time(0.5), point: None, what: Quantity::Position };
    // A millimetre at a time, so that it can be taken hold of meanwhile.
    let [x, y, z] = position(&example("tumble"), "book", 0.5);
    let pulls = (1..60).map(|k| Edit::Move { target: [x + 1e-3 * f64::from(k), y, z], iterations: 2, seed: 1 });
    let edits = std::iter::once(grab).chain(pulls).collect();
    let path = folder.join("cut.jsonl");
    std::fs::copy(scene("tumble"), folder.join("tumble.toml")).expect("a scene beside it");
    Journal { scene: "tumble.toml".to_owned(), edits }.save(&path).expect("a journal");
    path
}

/// Types a number and expects one step more.
fn expect_an_open_hand(window: &mut Window) {
    let before = depth(window).0;
    if window.state().view().selection.is_none() {
        window.get_by_label("book").click();
        window.run_steps(2);
    }
    type_over(window, "book.velocity.x", "1.25");
    assert_eq!(depth(window).0, before + 1, "{:?}", window.state().messages());
}

#[test]
fn a_journal_that_ends_in_the_middle_of_a_drag_leaves_nothing_held() {
    let path = cut_journal("cut");
    let mut window = Options { scene: Some(path.clone()), ..Options::default() }.open();
    assert_eq!(depth(&window), (1, 0));
    expect_an_open_hand(&mut window);
    let _ = std::fs::remove_dir_all(path.parent().expect("its folder"));
}

#[test]
fn a_hand_takes_over_from_a_journal_that_holds_something() {
    let path = cut_journal("interrupted");
    let mut window = Options { scene: Some(path.clone()), ..Options::default() }.open_at_once();
    let start = Instant::now();
    let u = |window: &Window| window.state().motion().map(|motion| motion.u.clone());
    let mut before = None;
    // Until the journal has begun to pull.
    while before.is_none() || u(&window) == before {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing moves");
        std::thread::sleep(Duration::from_millis(3));
        window.step();
        before = before.or(u(&window));
    }
    assert!(window.state().is_busy() && depth(&window) == (0, 0), "the journal is in the middle of its drag");
    let from = place_of(&window, "book", 0.5);
    flick(&mut window, from, from + Vec2::new(20.0, -10.0));
    settle(&mut window);
    assert_eq!(depth(&window), (2, 0), "{:?}", window.state().messages());
    expect_an_open_hand(&mut window);
    let _ = std::fs::remove_dir_all(path.parent().expect("its folder"));
}

#[test]
fn a_file_that_cannot_be_opened_leaves_the_scene_as_it_was() {
    let mut window = example("tumble");
    let wrong = std::env::temp_dir().join(format!("hattrick-wrong-{}.toml", std::process::id()));
    std::fs::write(&wrong, "format = 1\nnonsense").expect("a file");
    let before = bits(&window);
    window.key_press_modifiers(Modifiers::COMMAND, Key::O);
    window.run_steps(3);
    type_path(&mut window, &wrong);
    window.key_press(Key::Enter);
    settle(&mut window);
    window.get_by_label("Cancel").click();
    window.run_steps(3);
    assert_eq!(bits(&window), before);
    expect_an_open_hand(&mut window);
    let _ = std::fs::remove_file(&wrong);
}
