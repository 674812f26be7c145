//! Looking at a motion: the gallery, the time line, selecting, the camera, messages.

use eframe::egui::{Key, Modifiers, PointerButton, Vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Options, bits, click, drag, example, place, scene, settle};

#[test]
fn an_example_opens_from_the_gallery() {
    let window = example("tumble");
    let motion = window.state().motion().expect("a motion");
    assert_eq!(motion.scene.title, "A tossed book turns over and lands");
    assert!(window.query_by_label("Body book").is_some());
    assert!(window.query_by_label("Time line").is_some());
}

#[test]
fn a_scene_opens_by_its_path() {
    let window = Options { scene: Some(scene("bounce")), ..Options::default() }.open();
    assert_eq!(window.state().motion().expect("a motion").scene.title, "Two bouncing balls");
}

#[test]
fn a_broken_scene_is_a_message_with_its_line() {
    let folder = std::env::temp_dir().join(format!("hattrick-broken-scene-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("broken.toml");
    std::fs::write(&path, "format = 1\nduration = -2.0\n").expect("a file");
    let window = Options { scene: Some(path), ..Options::default() }.open();
    assert!(window.state().motion().is_none());
    let messages = window.state().messages();
    assert!(messages.iter().any(|message| message.contains("broken.toml:2:12")), "{messages:?}");
    // The gallery is still there to choose from.
    assert!(window.query_by_label("Open example bounce").is_some());
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn the_time_line_scrubs() {
    let mut window = example("bounce");
    let line = window.get_by_label("Time line").rect();
    drag(&mut window, line.center_bottom() - Vec2::new(200.0, 4.0), line.center_bottom() - Vec2::new(0.0, 4.0));
    let half = 0.5 * window.state().motion().expect("a motion").duration();
    assert!((window.state().view().playhead - half).abs() < 0.01, "{}", window.state().view().playhead);
}

#[test]
fn time_runs_while_it_plays() {
    let mut window = example("bounce");
    window.key_press(Key::Space);
    window.run_steps(31);
    let t = window.state().view().playhead;
    assert!((0.4..0.6).contains(&t), "half a second of frames showed {t}");
    window.get_by_label("Pause").click();
    window.run_steps(2);
    let stopped = window.state().view().playhead;
    window.run_steps(5);
    assert_eq!(window.state().view().playhead, stopped);
}

#[test]
fn keys_step_through_events() {
    let mut window = example("bounce");
    let times: Vec<f64> = window.state().motion().expect("a motion").marks.iter().map(|mark| mark.t).collect();
    window.key_press(Key::CloseBracket);
    window.run_steps(2);
    assert_eq!(window.state().view().playhead, times[0]);
    window.key_press(Key::CloseBracket);
    window.run_steps(2);
    let second = times.iter().copied().find(|t| *t > times[0] + 1e-6).expect("a second event");
    assert_eq!(window.state().view().playhead, second);
    window.key_press(Key::OpenBracket);
    window.run_steps(2);
    assert_eq!(window.state().view().playhead, times[0]);
    window.get_by_label("Step forward").click();
    window.run_steps(2);
    assert!((window.state().view().playhead - times[0] - 1.0 / 60.0).abs() < 1e-12);
}

#[test]
fn a_click_selects_a_body_and_a_click_beside_it_deselects() {
    let mut window = example("tumble");
    let book = place(&window, "Body book");
    click(&mut window, book);
    assert!(window.state().view().selection.is_some());
    let empty = window.get_by_label("Scene view").rect().left_top() + Vec2::new(30.0, 30.0);
    click(&mut window, empty);
    assert!(window.state().view().selection.is_none());
}

#[test]
fn a_click_on_a_path_selects_its_time() {
    let mut window = example("tumble");
    let motion = window.state().motion().expect("a motion");
    let rect = window.get_by_label("Scene view").rect();
    let body = motion.model.body("book").expect("the book");
    let high = motion.trajectory.body_at(body, 0.5).position;
    let at = window.state().view().camera.project(rect, high).expect("in the view");
    click(&mut window, at);
    assert_eq!(window.state().view().selection, Some(body));
    assert!((window.state().view().playhead - 0.5).abs() < 0.02, "{}", window.state().view().playhead);
}

#[test]
fn the_middle_button_turns_the_eye_and_the_left_does_not() {
    let mut window = example("bounce");
    let at = window.get_by_label("Scene view").rect().left_top() + Vec2::new(60.0, 60.0);
    let yaw = window.state().view().camera.yaw;
    drag(&mut window, at, at + Vec2::new(60.0, 0.0));
    assert_eq!(window.state().view().camera.yaw, yaw);
    for (pos, pressed) in [(at, true), (at + Vec2::new(60.0, 0.0), false)] {
        window.hover_at(pos);
        window.step();
        let button = PointerButton::Middle;
        window.event(eframe::egui::Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        window.step();
    }
    assert!((window.state().view().camera.yaw - yaw).abs() > 0.1);
}

#[test]
fn the_sheet_of_keys_opens_and_closes() {
    let mut window = example("bounce");
    window.key_press(Key::F1);
    window.run_steps(3);
    assert!(window.query_by_label("Keys and mouse").is_some());
    window.key_press(Key::Escape);
    window.run_steps(30);
    assert!(window.query_by_label("Keys and mouse").is_none());
    window.key_press(Key::F1);
    window.run_steps(3);
    window.get_by_label("Close").click();
    window.run_steps(30);
    assert!(window.query_by_label("Keys and mouse").is_none());
}

#[test]
fn names_and_numbers_stand_clear_of_each_other() {
    let mut window = Options { scene: Some(scene("eggs")), ..Options::default() }.open();
    for body in ["floor", "left bucket", "white egg"] {
        window.get_by_label(body).click();
        window.run_steps(3);
        check_rows(&window, body, true);
    }
    let edge = window.get_by_label("Scene view").rect().right_center() + Vec2::new(1.0, 0.0);
    drag(&mut window, edge, edge + Vec2::new(200.0, 0.0));
    assert!(window.get_by_label("Scene view").rect().right() > edge.x + 20.0, "the panel became no narrower");
    check_rows(&window, "white egg", false);
}

/// Every name of a row ends before its first number begins, and the numbers end before the window does.
fn check_rows(window: &crate::support::Window, body: &str, has_units: bool) {
    let rows = [("position", ", m", ".x"), ("velocity", ", m/s", ".x"), ("inertia", ", kg·m²", ".x")];
    let rows = rows.into_iter().chain([("mass", ", kg", ""), ("rolling_resistance", ", m", "")]);
    for (name, unit, first) in rows {
        let parameter = format!("{body}.{name}{first}");
        let Some(field) = window.query_by_label(&parameter).map(|node| node.rect()) else { continue };
        let unit = if has_units { unit } else { "" };
        let title = format!("{}{unit}", name.replace('_', " "));
        let mut titles = window.get_all_by_label(&title).map(|node| node.rect());
        let title_rect = titles.find(|rect| (rect.center().y - field.center().y).abs() < 6.0);
        let title_rect = title_rect.unwrap_or_else(|| panic!("{body}: no {title:?} beside its number"));
        assert!(title_rect.right() <= field.left(), "{body}: {title:?} {title_rect:?} runs under {field:?}");
        assert!(field.width() < 66.0, "{body}: {title:?} has a field of {field:?}");
        let words = format!("Details of {body}.{name}");
        let details = window.query_all_by_label_contains(&words);
        details.for_each(|node| assert!(node.rect().right() <= 1280.0 - 4.0, "{:?}", node.rect()));
    }
}

#[test]
fn a_field_that_is_only_visited_changes_nothing() {
    let mut window = Options { scene: Some(scene("eggs")), ..Options::default() }.open();
    window.get_by_label("white egg").click();
    window.run_steps(3);
    let before = bits(&window);
    for field in ["white egg.inertia.x", "white egg.velocity.x", "white egg.mass"] {
        window.get_by_label(field).click();
        window.run_steps(3);
        window.key_press(Key::Enter);
        settle(&mut window);
        assert_eq!(bits(&window), before, "{field}");
    }
}

#[test]
fn a_path_can_be_typed_where_there_is_no_file_dialog() {
    let mut window = example("bounce");
    window.key_press_modifiers(Modifiers::COMMAND, Key::O);
    window.run_steps(3);
    window.get_by_label("Path").type_text(&scene("cradle").to_string_lossy());
    window.run_steps(2);
    window.get_by_label("Open").click();
    settle(&mut window);
    assert!(window.state().motion().expect("a motion").scene.source.path().ends_with("cradle.toml"));
}
