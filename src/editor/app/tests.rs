//! The window where its worker fails: what a person then sees, and that editing goes on.

use eframe::egui::{self, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use crate::editor::action::Action;
use crate::editor::work::order::Order;
use crate::editor::{App, EXAMPLES, Start};
use crate::session::Edit;

type Window = Harness<'static, App>;

fn settle(window: &mut Window) {
    window.step();
    while window.state().is_busy() {
        std::thread::sleep(std::time::Duration::from_millis(3));
        window.step();
    }
    window.run_steps(3);
}

fn open(name: &str) -> Window {
    let builder = Harness::builder().with_size(Vec2::new(1280.0, 800.0)).with_step_dt(1.0 / 60.0);
    let mut window = builder.build_eframe(|cc| App::new(cc, Start::default()));
    let index = EXAMPLES.iter().position(|example| example.name == name).expect("an example");
    let ctx = window.ctx.clone();
    window.state_mut().apply(Action::OpenExample(index), &ctx);
    settle(&mut window);
    window
}

/// Where a body is on the screen at a time.
fn place_of(window: &Window, body: &str, t: f64) -> egui::Pos2 {
    let motion = window.state().motion().expect("a motion");
    let rect = window.get_by_label("Scene view").rect();
    let center = motion.body_at(motion.model.body(body).expect("a body"), t).position;
    window.state().view().camera.project(rect, center).expect("in the view")
}

#[test]
fn a_fault_in_the_middle_of_a_drag_is_told_and_puts_everything_back() {
    let mut window = open("tumble");
    let u = |window: &Window| window.state().motion().expect("a motion").u.clone();
    let start = u(&window);
    let from = place_of(&window, "book", 0.5);
    window.hover_at(from);
    window.step();
    window.drag_at(from);
    window.step();
    for k in 1..=4 {
        window.hover_at(from + Vec2::new(12.0, -8.0) * k as f32);
        settle(&mut window);
    }
    assert!(window.state().is_dragging() && u(&window) != start);
    window.state_mut().desk.order(Order::Stumble);
    settle(&mut window);
    let told = window.state().messages();
    assert!(told.iter().any(|text| text.contains("A fault of the program")), "{told:?}");
    assert!(!window.state().is_dragging());
    assert_eq!(u(&window), start);
    window.drop_at(from);
    settle(&mut window);
    let set = Edit::Set { parameter: "book.velocity.x".to_owned(), value: 1.0 };
    window.state_mut().edit(set);
    settle(&mut window);
    assert_eq!(window.state().motion().expect("a motion").depth, (1, 0), "{:?}", window.state().messages());
}
