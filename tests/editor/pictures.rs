//! Every state of the window drawn in both themes: it renders, and the pictures are there to be looked at.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use eframe::egui::{Key, Modifiers, Theme, Vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Options, Window, can_draw, drag, example_in, picture, pixel, place, place_of, scene, settle};

fn options(theme: Theme) -> Options {
    Options { theme, draws: true, ..Options::default() }
}

/// Until the cards in sight have their pictures: without one, a line across a card is of one colour.
fn wait_for_thumbnails(window: &mut Window) {
    let begun = Instant::now();
    let names = ["eggs", "hat", "mug", "plank", "scissors", "dice", "particle", "parabola", "bounce", "tumble"];
    let names = names.iter().chain(&["billiards", "two_cushions", "cradle", "incline", "coin", "stack"]);
    loop {
        window.step();
        let (bytes, size) = picture(window, "waiting");
        let is_drawn = |name: &&str| {
            let card = window.get_by_label(&format!("Open example {name}")).rect();
            let colours =
                (10..240).map(|x| pixel(&bytes, size, card.left_top() + Vec2::new(x as f32, 30.0)).to_array());
            colours.collect::<BTreeSet<_>>().len() > 3
        };
        if names.clone().all(is_drawn) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "the examples have no pictures");
        std::thread::sleep(Duration::from_millis(500));
    }
}

#[test]
fn gallery_and_view_draw_in_both_themes() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = options(theme).open();
        if theme == Theme::Dark {
            wait_for_thumbnails(&mut window);
        }
        picture(&mut window, &format!("gallery_{name}"));
        let mut window = example_in(options(theme), "tumble");
        window.key_press(Key::G);
        window.run_steps(2);
        window.key_press(Key::CloseBracket);
        window.run_steps(2);
        picture(&mut window, &format!("tumble_{name}"));
        window.key_press(Key::F1);
        window.run_steps(3);
        picture(&mut window, &format!("keys_{name}"));
    }
}

#[test]
fn a_body_is_drawn_where_its_handle_is() {
    if !can_draw() {
        return;
    }
    let mut window = example_in(options(Theme::Dark), "bounce");
    window.remove_cursor();
    window.run_steps(2);
    let (bytes, size) = picture(&mut window, "bounce_dark");
    let ball = pixel(&bytes, size, place(&window, "Body dropped"));
    let beside = pixel(&bytes, size, place(&window, "Body dropped") - Vec2::new(60.0, 0.0));
    let [r, _, b, _] = ball.to_array();
    assert!(i32::from(r) - i32::from(b) > 40, "the first ball is orange, not {ball:?}");
    assert_ne!(ball, beside);
}

#[test]
fn what_bodies_hang_on_and_are_pulled_by_is_drawn_in_both_themes() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        for (example, anchor) in
            [("reel", [0.0, 1.5, 0.0]), ("double_pendulum", [0.0, 1.5, 0.0]), ("pulled_spring", [5.0, 0.0, 0.0])]
        {
            let mut window = Options { scene: Some(scene(example)), ..options(theme) }.open();
            window.remove_cursor();
            window.run_steps(2);
            let (bytes, size) = picture(&mut window, &format!("{example}_{name}"));
            let rect = window.get_by_label("Scene view").rect();
            let place = window.state().view().camera.project(rect, anchor.into()).expect("in the view");
            let level = |place| {
                let [r, g, b, _] = pixel(&bytes, size, place).to_array();
                i32::from(r) + i32::from(g) + i32::from(b)
            };
            // The middle of a ring is open.
            let mark = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|off| level(place + Vec2::new(0.0, off)));
            let beside = level(place + Vec2::new(30.0, -30.0));
            let most = mark.iter().map(|mark| (mark - beside).abs()).max();
            assert!(most > Some(120), "{example}, {name}: {mark:?} beside {beside}");
        }
    }
}

#[test]
fn a_small_window_still_works() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let scene = Some(scene("billiards"));
        let mut window = Options { size: Vec2::new(720.0, 480.0), scene, ..options(theme) }.open();
        picture(&mut window, &format!("small_{name}"));
    }
}

#[test]
fn a_body_is_described_in_both_themes_and_widths() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = Options { scene: Some(scene("eggs")), ..options(theme) }.open();
        window.get_by_label("white egg").click();
        window.run_steps(3);
        picture(&mut window, &format!("body_{name}"));
        let edge = window.get_by_label("Scene view").rect().right_center() + Vec2::new(1.0, 0.0);
        drag(&mut window, edge, edge + Vec2::new(200.0, 0.0));
        picture(&mut window, &format!("body_narrow_{name}"));
    }
}

/// In the middle of a pull: the wish, the motion before, and what changed. The README shows this one, and the gallery.
#[test]
fn a_pull_is_drawn_with_what_it_changes_in_both_themes() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = example_in(options(theme), "eggs");
        let (from, bucket) = (place_of(&window, "white egg", 0.6), place_of(&window, "right bucket", 0.6));
        let to = bucket - Vec2::new(0.0, 60.0);
        window.hover_at(from);
        window.step();
        window.drag_at(from);
        window.step();
        for k in 1..=8 {
            window.hover_at(from + (to - from) * (k as f32 / 8.0));
            settle(&mut window);
        }
        assert!(window.state().is_dragging());
        let [off, above] = ["white egg", "right bucket"].map(|body| place_of(&window, body, 0.6));
        assert!((off - to).length() < 3.0 && off.y < above.y, "{off} instead of {to}");
        picture(&mut window, &format!("pull_{name}"));
        window.drop_at(to);
        settle(&mut window);
    }
}

/// Panels and questions that come and go: the tour, what a drop offers, plots, details, menus, the export, unsaved changes.
#[test]
fn every_panel_draws_in_both_themes() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = options(theme).open();
        window.get_by_label("New here? Take the tour").click();
        settle(&mut window);
        picture(&mut window, &format!("tour_{name}"));
        window.get_by_label("End the tour").click();
        window.run_steps(2);
        let (from, to) = (place_of(&window, "white egg", 0.6), place_of(&window, "right bucket", 0.6));
        drag(&mut window, from, to);
        picture(&mut window, &format!("offer_{name}"));
        window.get_by_label_contains("Nail it inside").click();
        settle(&mut window);
        window.key_press(Key::P);
        window.run_steps(4);
        picture(&mut window, &format!("plots_{name}"));
        window.key_press(Key::P);
        window.get_by_label("Details of white egg.velocity").click();
        window.run_steps(4);
        picture(&mut window, &format!("details_{name}"));
        for (menu, inside) in [("File", "Save as"), ("View", "Mouse as in Maya")] {
            window.get_by_label(menu).click();
            window.run_steps(4);
            assert!(window.query_by_label_contains(inside).is_some(), "{menu}");
            picture(&mut window, &format!("{}_{name}", menu.to_lowercase()));
            window.key_press(Key::Escape);
            window.run_steps(3);
        }
        window.key_press_modifiers(Modifiers::COMMAND, Key::E);
        window.run_steps(20);
        picture(&mut window, &format!("export_{name}"));
        window.get_by_label("Cancel").click();
        window.run_steps(20);
        window.key_press_modifiers(Modifiers::COMMAND, Key::Q);
        window.run_steps(20);
        picture(&mut window, &format!("unsaved_{name}"));
    }
}
