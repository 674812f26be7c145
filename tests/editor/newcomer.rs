//! What a person meets who does not know the program: wishes that cannot be met, paths that cannot be written, keys that go
//! to a text, menus, small windows, and the tour.

use eframe::egui::{Event, Key, Modifiers, Rect, Vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Options, Window, bits, click, drag, example, example_in, place_of, position, settle, type_path};

fn depth(window: &Window) -> usize {
    window.state().motion().expect("a motion").depth.0
}

fn undo(window: &mut Window) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(window);
}

fn view(window: &Window) -> Rect {
    window.get_by_label("Scene view").rect()
}

/// Pulls the book of `tumble` straight down, deep into the floor.
fn pull_into_the_floor(window: &mut Window) {
    let from = place_of(window, "book", 0.4);
    let floor = view(window).bottom() - 20.0;
    drag(window, from, eframe::egui::pos2(from.x, floor));
}

#[test]
fn a_drag_into_the_floor_says_what_is_in_the_way_and_what_would_help() {
    let mut window = example("tumble");
    let start = bits(&window);
    pull_into_the_floor(&mut window);
    let words = window.state().unmet().expect("nothing goes through the floor");
    assert!(words.contains("short by") && words.contains("floor is in the way"), "{words}");
    assert!(words.contains("book would be") && words.contains("cm inside it"), "{words}");
    let high = position(&window, "book", 0.4)[1];
    window.get_by_label("Aim beside it").click();
    settle(&mut window);
    let words = window.state().unmet().unwrap_or_default();
    assert!(!words.contains("in the way"), "{words}");
    let low = position(&window, "book", 0.4)[1];
    assert!(low < 0.2 && low < high + 0.02, "from {high} m to {low} m");
    // The drag and its second try are one step.
    undo(&mut window);
    assert_eq!((bits(&window), depth(&window)), (start, 0));
}

#[test]
fn a_drag_that_moves_nothing_is_no_step() {
    let mut window = example("tumble");
    window.get_by_label("book").click();
    window.run_steps(2);
    window.get_by_label("Lock the throw").click();
    settle(&mut window);
    assert_eq!(depth(&window), 1);
    let before = bits(&window);
    let from = place_of(&window, "book", 0.4);
    drag(&mut window, from, from + Vec2::new(50.0, -20.0));
    assert!(window.state().unmet().is_some());
    assert_eq!((bits(&window), depth(&window)), (before, 1));
}

#[test]
fn what_was_undone_no_longer_glows() {
    let mut window = example("tumble");
    let from = place_of(&window, "book", 0.4);
    drag(&mut window, from, from + Vec2::new(50.0, -20.0));
    let empty = view(&window).left_bottom() + Vec2::new(30.0, -30.0);
    click(&mut window, empty);
    assert!(window.query_by_label("Lock the throw of book").is_some());
    undo(&mut window);
    window.run_steps(2);
    assert!(window.query_by_label("Lock the throw of book").is_none());
    assert!(window.query_by_label_contains("Nothing was changed yet").is_some());
}

#[test]
fn what_was_changed_last_is_in_sight_after_a_drag() {
    let mut window = example("tumble");
    let from = place_of(&window, "book", 0.4);
    drag(&mut window, from, from + Vec2::new(50.0, -20.0));
    let head = window.get_by_label("Changed last").rect();
    let line = window.query_all_by_label_contains("Put book.velocity").next().expect("it was thrown otherwise").rect();
    assert!(head.bottom() < 700.0 && line.bottom() < 800.0, "{head:?} {line:?}");
}

/// A fast typist, or a slow frame: the letters and the Enter that ends them arrive together.
#[test]
fn letters_that_come_with_the_enter_are_no_shortcuts() {
    let mut window = example("tumble");
    let at = place_of(&window, "book", 0.4);
    click(&mut window, at);
    let plots = window.state().view().layers.plots;
    window.get_by_label("Name of the body").click();
    window.run_steps(2);
    let key = |key| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    for (letter, name) in [(Key::N, "n"), (Key::P, "p"), (Key::R, "r")] {
        window.event(key(letter));
        window.event(Event::Text(name.to_owned()));
    }
    window.event(key(Key::Enter));
    window.step();
    settle(&mut window);
    let motion = window.state().motion().expect("a motion");
    assert!(motion.nails.is_empty(), "{:?}", motion.nails);
    assert_eq!((window.state().view().layers.plots, window.state().is_dragging()), (plots, false));
    assert!(motion.bodies().any(|body| motion.name(body).contains("npr")), "the letters went to the name");
}

#[test]
fn escape_closes_a_menu_and_keeps_the_selection() {
    let mut window = example("tumble");
    let at = place_of(&window, "book", 0.4);
    click(&mut window, at);
    window.get_by_label("File").click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("Open recent").is_some());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(window.query_by_label_contains("Open recent").is_none());
    assert!(window.state().view().selection.is_some());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(window.state().view().selection.is_none());
}

#[test]
fn a_save_that_fails_asks_again_with_what_was_typed() {
    let folder = std::env::temp_dir().join(format!("hattrick-newcomer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut window = example("tumble");
    for (wrong, right, key) in [("none/book.toml", "book.toml", Key::S), ("none/book.glb", "book.glb", Key::E)] {
        window.key_press_modifiers(Modifiers::COMMAND, key);
        window.run_steps(3);
        type_path(&mut window, &folder.join(wrong));
        window.key_press(Key::Enter);
        settle(&mut window);
        let field = window.get_by_label("Path").value();
        assert!(field.as_ref().is_some_and(|text| text.contains(wrong)), "{field:?}");
        assert!(window.query_by_label_contains("book: ").is_some() || window.query_by_label_contains(wrong).is_some());
        assert!(window.state().messages().iter().all(|text| !text.contains(wrong)), "{:?}", window.state().messages());
        type_path(&mut window, &folder.join(right));
        window.key_press(Key::Enter);
        settle(&mut window);
        assert!(window.query_by_label("Path").is_none());
        assert!(folder.join(right).is_file());
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_new_scene_has_a_floor_and_a_ball_and_asks_where_to_be_saved() {
    let mut window = example("tumble");
    window.get_by_label("File").click();
    window.run_steps(3);
    window.get_by_label_contains("New").click();
    settle(&mut window);
    let motion = window.state().motion().expect("a motion");
    let names: Vec<&str> = motion.bodies().map(|body| motion.name(body)).collect();
    assert_eq!(names, ["floor", "ball"]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    window.run_steps(3);
    let path = window.get_by_label("Path").value();
    assert!(path.as_ref().is_some_and(|text| text.contains("untitled.toml")), "{path:?}");
}

#[test]
fn in_a_small_window_the_strip_stays_within_the_view() {
    let mut window = example_in(Options { size: Vec2::new(760.0, 560.0), ..Options::default() }, "eggs");
    let from = place_of(&window, "white egg", 0.6);
    let bucket = place_of(&window, "right bucket", 0.6);
    drag(&mut window, from, bucket);
    window.run_steps(3);
    let inside = view(&window).expand(1.0);
    for label in ["Nail it inside right bucket", "No, thanks"] {
        let rect = window.get_by_label(label).rect();
        assert!(inside.contains_rect(rect), "{label}: {rect:?} in {inside:?}");
    }
}

#[test]
fn all_formats_of_an_export_are_in_sight_at_once() {
    let mut window = example("tumble");
    window.key_press_modifiers(Modifiers::COMMAND, Key::E);
    window.run_steps(3);
    window.get_by_label("format").click();
    window.run_steps(4);
    let places: Vec<Rect> = hattrick::export::Format::ALL
        .iter()
        .map(|format| window.get_by_label(&format!(".{}  {}", format.ending(), format.describe())).rect())
        .collect();
    let lowest = places.iter().map(|rect| rect.bottom()).fold(0.0, f32::max);
    let widest = places.iter().map(|rect| rect.right()).fold(0.0, f32::max);
    assert!(lowest < 800.0 && widest < 1280.0, "{lowest} {widest}");
    assert!(places.windows(2).all(|pair| pair[1].top() >= pair[0].bottom() - 1.0), "{places:?}");
}

/// What is done before its step comes is not passed over: its words can be read.
#[test]
fn the_tour_waits_where_a_step_was_done_already() {
    let mut window = example("bounce");
    window.get_by_label("Help").click();
    window.run_steps(3);
    window.get_by_label("Tour on the eggs").click();
    settle(&mut window);
    window.key_press(Key::Space);
    window.run_steps(3);
    window.key_press(Key::Space);
    window.run_steps(2);
    let from = place_of(&window, "white egg", 0.6);
    let bucket = place_of(&window, "right bucket", 0.6);
    drag(&mut window, from, bucket);
    assert!(window.query_by_label_contains("Tour, 3 of").is_some());
    window.get_by_label_contains("Nail it inside right bucket").click();
    settle(&mut window);
    window.run_steps(5);
    assert!(window.query_by_label_contains("Tour, 4 of").is_some());
    window.get_by_label("Done already: next").click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("Tour, 5 of").is_some());
}

/// A particle over a parabola of edges: where it goes jumps from edge to edge, and so must the solver.
#[test]
fn a_jump_is_pointed_at_for_a_moment() {
    let mut window = example("particle");
    let end = window.state().motion().expect("a motion").duration();
    let mut words = None;
    for k in 1..=12 {
        let from = place_of(&window, "particle", 0.9 * end);
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        drag(&mut window, from, from + Vec2::new(side * 30.0 * k as f32, 0.0));
        words = window.state().flash().map(str::to_owned);
        if words.is_some() {
            break;
        }
    }
    let words = words.expect("one of these drags leads over an edge");
    assert!(words.starts_with("jumped at particle/"), "{words}");
    window.run_steps(120);
    assert_eq!(window.state().flash(), None, "it goes by itself");
}
