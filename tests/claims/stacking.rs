//! Stacks stand, and stacks struck and piles dropped come to rest.
//!
//! A stack is balanced as a whole: nothing moves it, so that what it drifts is error, 1e-5 m in 10 s at most. Struck, or in
//! a heap, friction takes the energy. `bounds` has how deep bodies may overlap and what energy may appear.

use hattrick::math::Vec3;
use hattrick::simulation::{EventKind, Trajectory};

use super::bounds::{Worst, check_settling, settles, worst};
use super::random::Random;
use super::support::{floor, head, run};

const DRIFT: f64 = 1e-5;

/// A cuboid at rest or thrown.
fn cuboid(name: &str, half_extents: Vec3, position: Vec3, rotation: Vec3, more: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"cuboid\", half_extents = {:?} }}\nposition = {:?}\nrotation = {:?}\n\
         restitution = 0.3\nfriction = 0.5\n{more}\n",
        half_extents.as_slice(),
        position.as_slice(),
        rotation.as_slice()
    )
}

/// Flat boxes on top of each other, each turned and shifted a little.
fn stack(count: usize, duration: f64) -> String {
    let boxes = (0..count).map(|k| {
        let shift = Vec3::new(0.013 * (k % 2) as f64, 0.05 + 0.1 * k as f64, 0.013 * (k / 2 % 2) as f64);
        let turn = Vec3::new(0.0, 0.2 * k as f64, 0.0);
        cuboid(&format!("box {k}"), Vec3::new(0.1, 0.05, 0.1), shift, turn, "")
    });
    head(duration, -9.81) + &floor(0.3, 0.5) + &boxes.collect::<String>()
}

/// How far any body is from where it began, m.
fn drift(trajectory: &Trajectory, t: f64) -> f64 {
    let (start, end) = (trajectory.at(0.0), trajectory.at(t));
    start.iter().zip(&end).map(|(a, b)| (a.position - b.position).norm()).fold(0.0, f64::max)
}

#[test]
fn a_stack_of_ten_stands() {
    let trajectory = run(&stack(10, 10.0));
    settles(&trajectory).unwrap_or_else(|fault| panic!("{fault}"));
    let drift = drift(&trajectory, 10.0);
    println!("drift {drift:e} m");
    assert!(drift <= DRIFT, "drifted by {drift:e} m");
}

/// A ball that spins on top about the vertical, which no friction at a point resists, keeps the stack from sleep: every one of 2400
/// steps is solved.
#[test]
fn a_stack_of_ten_kept_awake_stands() {
    let ball = "[[body]]\nname = \"top\"\nshape = { kind = \"ball\", radius = 0.05 }\nposition = [0.0, 1.05, 0.0]\nspin = [0, 5, 0]\n";
    let trajectory = run(&(stack(10, 10.0) + ball));
    let (drift, worst) = (drift(&trajectory, 10.0), worst(&trajectory));
    println!("drift {drift:e} m, {worst:?}, {:?}", trajectory.work);
    assert!(trajectory.work.held_steps >= 2400, "only {} steps", trajectory.work.held_steps);
    assert!(drift <= DRIFT, "drifted by {drift:e} m");
}

/// A resting stack of five and a box thrown at it.
fn struck_stack(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let position = Vec3::new(-1.0, random.between(0.15, 0.55), random.between(-0.05, 0.05));
    let (rotation, spin) = (random.vector(1.0), random.vector(5.0));
    let velocity = Vec3::new(random.between(2.0, 6.0), random.between(0.0, 2.0), random.between(-0.3, 0.3));
    let more = format!("velocity = {:?}\nspin = {:?}", velocity.as_slice(), spin.as_slice());
    stack(5, 10.0) + &cuboid("thrown", Vec3::new(0.08, 0.06, 0.05), position, rotation, &more)
}

fn judge(text: &str) -> Result<Worst, String> {
    settles(&run(text))
}

#[test]
fn a_box_thrown_into_a_resting_stack_settles() {
    check_settling("struck stacks", 0..100, |seed| judge(&struck_stack(seed)));
}

/// Between the ends of a step a box that rocks on an edge was 6.6e-6 m deep on the path that the projection bends.
#[test]
fn a_path_that_is_bent_does_not_sink_in() {
    check_settling("a struck stack", 5289..5290, |seed| judge(&struck_stack(seed)));
}

/// Ten boxes above each other, turned at random, that fall into a heap.
fn pile(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let boxes = (0..10).map(|k| {
        let half_extents = Vec3::from_fn(|_, _| random.between(0.06, 0.14));
        let position = Vec3::new(random.between(-0.12, 0.12), 0.3 + 0.5 * f64::from(k), random.between(-0.12, 0.12));
        let (rotation, spin) = (random.vector(3.0), random.vector(2.0));
        cuboid(&format!("box {k}"), half_extents, position, rotation, &format!("spin = {:?}", spin.as_slice()))
    });
    let boxes: String = boxes.collect();
    head(10.0, -9.81) + &floor(0.3, 0.5) + &boxes
}

#[test]
fn piles_of_ten_cuboids_settle() {
    check_settling("piles", 0..50, |seed| judge(&pile(seed)));
}

/// A domino that topples about its lower edge meets one that sleeps, and in the same instant the sleeper presses on the floor: on
/// all its four corners, for it has not moved yet. Nothing is left to be struck right after.
#[test]
fn what_strikes_a_sleeper_feels_the_floor_beneath_it() {
    let half_extents = Vec3::new(0.01, 0.05, 0.025);
    for k in 0..20 {
        let angle = 0.25 + 0.01 * f64::from(k);
        let (sin, cos) = angle.sin_cos();
        let leaning = Vec3::new(0.01 - 0.01 * cos + 0.05 * sin, 0.01 * sin + 0.05 * cos, 0.0);
        let one = cuboid("one", half_extents, leaning, Vec3::new(0.0, 0.0, -angle), "");
        let two = cuboid("two", half_extents, Vec3::new(0.07, 0.05, 0.0), Vec3::zeros(), "");
        let dominoes = (one + &two).replace("restitution = 0.3", "restitution = 0.0");
        let trajectory = run(&(head(0.4, -9.81) + &floor(0.0, 0.6) + &dominoes));
        let events = &trajectory.events;
        let met = events.iter().find(|event| event.kind == EventKind::Impact).expect("they meet").t;
        let on_floor = |event: &&hattrick::simulation::Event| {
            event.kind == EventKind::Strike && event.first.index() == 2 && event.second.index() == 0
        };
        let pressed = events.iter().filter(on_floor).find(|event| event.t == met).expect("the floor answers");
        assert_eq!(pressed.contacts.len(), 4, "tilted by {angle} rad at {met} s");
        let later = events.iter().find(|event| event.t > met && event.t < met + 1e-5);
        assert!(later.is_none(), "tilted by {angle} rad: {later:?}");
    }
}
