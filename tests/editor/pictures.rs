//! Every state of the window drawn in both themes: it renders, and the pictures are there to be looked at.

use eframe::egui::{Key, Theme, Vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Options, can_draw, drag, example_in, picture, pixel, place, scene};

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
