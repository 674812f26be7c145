//! Hands on the motion beyond the plain drag: pins, turning by key, containers, locks that are in the way, shapes, the tour.

use eframe::egui::{Event, Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use hattrick::geometry::Shape;
use hattrick::math::rotation;

use crate::support::{Options, Window, bits, click, drag, example, place, place_of, position, settle, type_over};

/// What a wish may miss on the screen once it is met: half the width of a path, and rounding.
const ON_SCREEN: f32 = 2.0;

/// The body that moves first in the file, with a time in its first flight at which the paths of others are not too near.
fn flier(window: &Window) -> (String, f64) {
    let motion = window.state().motion().expect("a motion");
    let body =
        motion.bodies().find(|body| motion.model.bodies()[body.index()].drive.is_pushed()).expect("something moves");
    let first = motion.marks.iter().find(|mark| mark.bodies.contains(&body)).map_or(motion.duration(), |mark| mark.t);
    let name = motion.name(body);
    let moving =
        motion.bodies().filter(|other| *other != body && motion.model.bodies()[other.index()].drive.is_pushed());
    let times = (0..=100).map(|k| motion.duration() * f64::from(k) / 100.0);
    let paths: Vec<Pos2> = moving
        .flat_map(|other| times.clone().map(move |t| (other, t)))
        .map(|(other, t)| place_of(window, motion.name(other), t))
        .collect();
    let clearance = |t: f64| {
        let at = place_of(window, name, t);
        paths.iter().map(|place| place.distance(at)).fold(f32::INFINITY, f32::min)
    };
    let times = [0.6, 0.45, 0.3, 0.75, 0.15].map(|part| part * first);
    let clearest = times.into_iter().max_by(|a, b| clearance(*a).total_cmp(&clearance(*b))).expect("some times");
    let t = times.into_iter().find(|t| clearance(*t) > 30.0).unwrap_or(clearest);
    (name.to_owned(), t)
}

/// Where the selected body is on the screen at the playhead.
fn shown(window: &Window) -> Pos2 {
    let view = window.state().view();
    let motion = window.state().motion().expect("a motion");
    let name = motion.name(view.selection.expect("a selection")).to_owned();
    place_of(window, &name, view.playhead)
}

/// Every scene of the paper, seen from the first view and from another one: a drag in flight goes where the hand goes.
#[test]
fn a_drag_meets_its_target_on_every_scene_of_the_paper_from_two_cameras() {
    for scene in ["eggs", "plank", "mug", "scissors", "hat", "particle", "dice"] {
        for turned in [false, true] {
            let mut window = example(scene);
            if turned {
                look_aside(&mut window);
            }
            let before = bits(&window);
            let (body, t) = flier(&window);
            let from = place_of(&window, &body, t);
            let to = beside_others(&window, &body, t, from);
            drag(&mut window, from, to);
            let words = format!("{scene}, turned {turned}: {:?}", window.state().unmet());
            assert_ne!(bits(&window), before, "{words}");
            assert_eq!(window.state().motion().expect("a motion").depth, (1, 0), "{words}");
            assert_eq!(window.state().unmet(), None, "{words}");
            let off = (shown(&window) - to).length();
            assert!(off < ON_SCREEN, "{words}: {off} points from the hand");
        }
    }
}

/// A place near another where no body is so near that it draws the hand.
fn beside_others(window: &Window, body: &str, t: f64, from: Pos2) -> Pos2 {
    let motion = window.state().motion().expect("a motion");
    let others = motion.bodies().map(|other| motion.name(other)).filter(|name| *name != body);
    let places: Vec<Pos2> = others.map(|name| place_of(window, name, t)).collect();
    let moves = [Vec2::new(24.0, -16.0), Vec2::new(24.0, 16.0), Vec2::new(-24.0, -16.0), Vec2::new(-24.0, 16.0)];
    let free = |to: &Pos2| places.iter().all(|place| place.distance(*to) > 20.0);
    moves.iter().map(|by| from + *by).find(free).expect("a free place")
}

/// Turns the eye by dragging with the middle button.
fn look_aside(window: &mut Window) {
    use eframe::egui::PointerButton::Middle;
    let at = window.get_by_label("Scene view").rect().left_top() + Vec2::new(60.0, 60.0);
    for (pos, pressed) in [(at, true), (at + Vec2::new(110.0, 50.0), false)] {
        window.hover_at(pos);
        window.step();
        window.event(Event::PointerButton { pos, button: Middle, pressed, modifiers: Modifiers::NONE });
        window.step();
    }
    window.run_steps(3);
}

#[test]
fn a_pin_is_dragged_and_the_motion_follows_in_one_step() {
    let mut window = example("tumble");
    let at = place_of(&window, "book", 0.4);
    click(&mut window, at);
    window.key_press(Key::N);
    settle(&mut window);
    let before = bits(&window);
    let nail = |window: &Window| window.state().motion().expect("a motion").nails[0].position.expect("a place");
    let (old, depth) = (nail(&window), window.state().motion().expect("a motion").depth.0);
    let pin = window.get_by_label_contains("Pin nail 1").rect().center();
    drag(&mut window, pin, pin + Vec2::new(30.0, -25.0));
    let motion = window.state().motion().expect("a motion");
    assert_ne!(nail(&window), old);
    assert!(motion.nail_reports[0].is_met(), "{:?}", motion.nail_reports[0]);
    assert_ne!(bits(&window), before);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert_eq!((nail(&window), bits(&window)), (old, before.clone()));
    assert_eq!(window.state().motion().expect("a motion").depth.0, depth);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    settle(&mut window);
    assert_ne!(nail(&window), old);
    assert!(window.state().motion().expect("a motion").nail_reports[0].is_met());
}

#[test]
fn r_turns_the_selection_until_a_click_and_escape_puts_it_back() {
    let mut window = example("tumble");
    let at = place_of(&window, "book", 0.3);
    click(&mut window, at);
    let orientation = |window: &Window| {
        let (motion, t) = (window.state().motion().expect("a motion"), window.state().view().playhead);
        motion.trajectory.body_at(motion.model.body("book").expect("the book"), t).rotation
    };
    let (start, before) = (bits(&window), orientation(&window));
    for ends in [Key::Escape, Key::Enter] {
        window.hover_at(at + Vec2::new(80.0, 0.0));
        window.step();
        window.key_press(Key::R);
        window.run_steps(2);
        assert!(window.state().is_dragging());
        for k in 1..=8 {
            window.hover_at(at + Vec2::new(80.0, -6.0 * k as f32));
            window.step();
        }
        window.key_press(ends);
        settle(&mut window);
        assert!(!window.state().is_dragging());
        if ends == Key::Escape {
            assert_eq!(bits(&window), start);
        }
    }
    let turned = rotation::log(&(orientation(&window) * before.inverse())).norm();
    let wished = (48.0_f64 / 80.0).atan();
    assert_eq!(window.state().unmet(), None);
    assert!((turned - wished).abs() < 0.02, "turned by {turned} rad instead of {wished}");
}

#[test]
fn a_body_dropped_on_a_container_is_offered_its_inside() {
    let mut window = example("eggs");
    let from = place_of(&window, "white egg", 0.6);
    let bucket = place_of(&window, "right bucket", 0.6);
    drag(&mut window, from, bucket);
    let offer = window.query_by_label_contains("Nail it inside right bucket");
    offer.unwrap_or_else(|| panic!("no offer: {:?}", window.state().unmet())).click();
    settle(&mut window);
    let motion = window.state().motion().expect("a motion");
    assert!(motion.nails.iter().any(|nail| nail.inside.is_some()), "{:?}", motion.nails);
    assert!(window.query_by_label_contains("Pin nail 1 on white egg").is_some(), "its pin stands in the bucket");
}

#[test]
fn a_drag_that_cannot_be_met_names_the_lock_that_would_help() {
    let mut window = example("tumble");
    window.get_by_label("book").click();
    window.run_steps(2);
    window.get_by_label("Lock the throw").click();
    settle(&mut window);
    let from = place_of(&window, "book", 0.4);
    drag(&mut window, from, from + Vec2::new(50.0, -20.0));
    settle(&mut window);
    let words = window.state().unmet().expect("nothing that is free moves the centre in flight");
    assert!(words.contains("book.velocity"), "{words}");
    window.get_by_label("Free book.velocity and go on").click();
    settle(&mut window);
    assert_eq!(window.state().unmet(), None);
}

#[test]
fn what_the_solver_changed_can_be_locked_on_its_body() {
    let mut window = example("tumble");
    let from = place_of(&window, "book", 0.4);
    drag(&mut window, from, from + Vec2::new(50.0, -20.0));
    let empty = window.get_by_label("Scene view").rect().left_bottom() + Vec2::new(30.0, -30.0);
    click(&mut window, empty);
    assert!(window.state().view().selection.is_none());
    window.get_by_label("Lock the throw of book").click();
    settle(&mut window);
    let motion = window.state().motion().expect("a motion");
    let id = motion.model.parameter("book.velocity.x").expect("a parameter");
    assert!(!motion.model.parameters()[id.index()].free);
}

#[test]
fn a_shape_is_edited_by_typing() {
    let mut window = example("tumble");
    window.get_by_label("book").click();
    window.run_steps(2);
    type_over(&mut window, "book half sizes x", "0.25");
    let motion = window.state().motion().expect("a motion");
    let body = motion.model.body("book").expect("the book");
    let Shape::Cuboid { half_extents } = &*motion.model.bodies()[body.index()].shape else { panic!("a box") };
    assert_eq!(half_extents.x, 0.25);
    assert_eq!(motion.depth, (1, 0));
}

#[test]
fn the_tour_goes_on_as_things_are_done() {
    let mut window = example("bounce");
    window.get_by_label("Help").click();
    window.run_steps(3);
    window.get_by_label("Tour on the eggs").click();
    settle(&mut window);
    assert!(window.query_by_label_contains("Tour, 1 of").is_some());
    window.key_press(Key::Space);
    window.run_steps(3);
    assert!(window.query_by_label_contains("Tour, 2 of").is_some());
    window.key_press(Key::Space);
    window.run_steps(2);
    let from = place_of(&window, "white egg", 0.6);
    let above = place(&window, "Body right bucket") - Vec2::new(0.0, 40.0);
    drag(&mut window, from, above);
    assert!(window.query_by_label_contains("Tour, 3 of").is_some());
    window.get_by_label("End the tour").click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("Tour,").is_none());
}

#[test]
fn times_and_expressions_of_nails_are_typed() {
    let mut window = example("tumble");
    let at = place_of(&window, "book", 0.4);
    click(&mut window, at);
    window.key_press(Key::N);
    settle(&mut window);
    type_over(&mut window, "Time of nail 1", "0.55");
    type_over(&mut window, "Expression", "height(book) <= 9");
    type_over(&mut window, "Expression of nail 2", "height(book) <= 8");
    // What cannot be read is said, and the nail stays.
    type_over(&mut window, "Expression of nail 2", "height(boo) <= 7");
    let motion = window.state().motion().expect("a motion");
    assert_eq!(motion.nails[0].at, hattrick::scene::When::Time(0.55));
    assert_eq!(motion.nails[1].expression.as_deref(), Some("height(book) <= 8"));
}

/// A machine is dragged at any time: the start moves on its joints, the list of changes names its bodies, and all is one step.
#[test]
fn the_end_of_a_pendulum_is_dragged_and_nailed_at_a_time() {
    let scene = Some("scenes/triple_pendulum.toml".into());
    let mut window = Options { scene, ..Options::default() }.open();
    let start = bits(&window);
    let from = place_of(&window, "red mass", 1.2);
    let to = from + Vec2::new(18.0, 14.0);
    drag(&mut window, from, to);
    let joints_hold = |window: &Window| {
        let motion = window.state().motion().expect("a motion");
        let off = motion.trajectory.flight(0).joint_rates(0.0).into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
        assert!(off <= 1e-12, "a joint is off by {off:e}");
    };
    joints_hold(&window);
    let motion = window.state().motion().expect("a motion");
    assert_eq!((motion.depth, window.state().unmet()), ((1, 0), None));
    assert!((place_of(&window, "red mass", 1.2) - to).length() < ON_SCREEN);
    // The list of changes speaks of the masses and of nothing else.
    let put_back = window.query_all_by_label_contains("Put ").filter_map(|node| node.accesskit_node().label());
    let listed: Vec<String> = put_back.filter(|label| label.ends_with(" back")).collect();
    assert!(!listed.is_empty() && listed.iter().all(|label| label.contains(" mass.")), "{listed:?}");
    window.key_press(Key::N);
    settle(&mut window);
    let nailed = position(&window, "red mass", 1.2);
    // Something else is dragged, and the nail keeps.
    let from = place_of(&window, "green mass", 0.6);
    drag(&mut window, from, from + Vec2::new(-12.0, 6.0));
    let held = position(&window, "red mass", 1.2);
    assert!((0..3).all(|k| (held[k] - nailed[k]).abs() < 1e-6), "{held:?} {nailed:?}");
    joints_hold(&window);
    for _ in 0..3 {
        window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        settle(&mut window);
    }
    assert_eq!(bits(&window), start);
}
