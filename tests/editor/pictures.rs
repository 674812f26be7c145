//! Every state of the window drawn in both themes: it renders, and the pictures are there to be looked at.

use eframe::egui::{Key, Modifiers, Theme, Vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Options, can_draw, drag, example_in, picture, pixel, place, place_of, scene, settle};

fn options(theme: Theme) -> Options {
    Options { theme, draws: true, ..Options::default() }
}

#[test]
fn gallery_and_view_draw_in_both_themes() {
    if !can_draw() {
        return;
    }
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = options(theme).open();
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
