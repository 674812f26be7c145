//! Eggs are smooth: they roll and rock as the formulas on paper say, and one that is a sphere does what a ball does.
//!
//! A sphere rolls down a slope with 5/7·g·sin α; sliding on a floor it ends rolling after t = 2·v/(7·μ·g) at 5/7 of its speed. An
//! egg that lies on a floor touches it below its centre of mass, at the height H of which the profile has the radius of
//! curvature ρ > H; turned a little it rolls to and fro with
//!
//! ```text
//! ω² = m·g·(ρ − H)/(J + m·H²)                                                                      (1)
//! ```
//!
//! Forces are constant while a sphere slides or rolls straight on, so that steps are exact and 1e-9 is round-off; where contacts
//! turn, steps are of second order.

use std::f64::consts::{FRAC_PI_2, TAU};

use hattrick::Trajectory;
use hattrick::geometry::Shape;
use hattrick::geometry::mass::volume_integrals;
use hattrick::math::Vec3;
use hattrick::simulation::EventKind;

use super::random::list;
use super::support::{floor, head, kinetic_energy, run};

const CLOSE: f64 = 1e-9;
const GRAVITY: f64 = 9.81;
/// An egg that is a sphere, and the ball that it is.
const SPHERES: [&str; 2] = ["kind = \"egg\", radius = 0.1, tip = 0.1, base = 0.1", "kind = \"ball\", radius = 0.1"];

#[track_caller]
fn assert_close(what: &str, found: f64, exact: f64, close: f64) {
    let error = (found - exact).abs();
    println!("{what}: {found} off by {error:e}");
    assert!(error <= close, "{what}: {found} instead of {exact}, off by {error:e}");
}

fn body(name: &str, shape: &str, position: Vec3, more: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ {shape} }}\nposition = {}\nmass = 1.0\n{more}\n", list(&position))
}

/// Gravity along a slope that rises towards −x.
fn sloped_head(duration: f64, slope: f64) -> String {
    let gravity = list(&Vec3::new(GRAVITY * slope.sin(), -GRAVITY * slope.cos(), 0.0));
    format!("format = 1\nduration = {duration:?}\ngravity = {gravity}\n")
}

#[test]
fn a_spherical_egg_rolls_down_a_slope_with_five_sevenths_of_the_pull() {
    let slope = 20.0_f64.to_radians();
    let egg = body("egg", SPHERES[0], Vec3::y() * 0.1, "friction = 0.6");
    let state = run(&(sloped_head(1.5, slope) + &floor(0.5, 0.6) + &egg)).at(1.5)[1];
    let acceleration = 5.0 / 7.0 * GRAVITY * slope.sin();
    assert_close("speed", state.velocity.x, acceleration * 1.5, CLOSE);
    assert_close("place", state.position.x, 0.5 * acceleration * 2.25, CLOSE);
    assert_close("spin", state.spin.z, -acceleration * 1.5 / 0.1, 1e-8);
    assert_close("height", state.position.y, 0.1, CLOSE);
}

#[test]
fn a_sliding_spherical_egg_ends_rolling_at_five_sevenths_of_its_speed() {
    for (friction, velocity) in [(0.3, 2.0), (0.05, 1.0), (0.9, 7.0)] {
        let more = format!("friction = {friction:?}\nvelocity = [{velocity:?}, 0.0, 0.0]");
        let egg = body("egg", SPHERES[0], Vec3::y() * 0.1, &more);
        let trajectory = run(&(head(10.0, -GRAVITY) + &floor(0.5, friction) + &egg));
        let slip = trajectory.events.iter().find(|event| event.kind == EventKind::Slip).expect("slip ends");
        let t = 2.0 * velocity / (7.0 * friction * GRAVITY);
        assert_close("end of slip", slip.t, t, CLOSE);
        let state = trajectory.at(10.0)[1];
        assert_close("speed", state.velocity.x, velocity * 5.0 / 7.0, CLOSE);
        let slid = velocity * t - 0.5 * friction * GRAVITY * t * t;
        assert_close("place", state.position.x, slid + velocity * 5.0 / 7.0 * (10.0 - t), CLOSE);
    }
}

/// Events at the same times, and the same states between and after them.
#[track_caller]
fn assert_same(what: &str, [egg, ball]: [Trajectory; 2]) {
    assert_eq!(egg.events.len(), ball.events.len(), "{what}: {:?} {:?}", egg.events, ball.events);
    let mut off = 0.0_f64;
    for (event, expected) in egg.events.iter().zip(&ball.events) {
        assert_eq!(event.kind, expected.kind, "{what} at {} s", event.t);
        off = off.max((event.t - expected.t).abs());
    }
    for k in 0..=20 {
        let t = egg.t_end * f64::from(k) / 20.0;
        for (state, expected) in egg.at(t).iter().zip(&ball.at(t)) {
            off = off.max((state.position - expected.position).norm());
            off = off.max((state.velocity - expected.velocity).norm());
            off = off.max(0.1 * (state.spin - expected.spin).norm());
        }
    }
    println!("{what}: {} events, off by {off:e}", egg.events.len());
    assert!(off < CLOSE, "{what}: off by {off:e}");
}

/// What a spherical egg and a ball do in the same place, beside `others`.
#[track_caller]
fn compare(what: &str, duration: f64, others: &str, position: Vec3, more: &str) {
    let runs = SPHERES.map(|shape| {
        let others = others.replace("SPHERE", shape);
        run(&(head(duration, -GRAVITY) + &others + &body("sphere", shape, position, more)))
    });
    assert!(runs[1].events.len() > 1, "{what}: {:?}", runs[1].events);
    assert_same(what, runs);
}

const SPINNING: &str = "friction = 0.4\nrestitution = 0.6\nrotation = [0.3, 0.2, -0.5]\nvelocity = [0.3, 0.1, -0.2]\nspin = [3.0, -2.0, 5.0]";

fn fixed(shape: &str, position: Vec3, rotation: Vec3) -> String {
    let more = format!("fixed = true\nfriction = 0.3\nrestitution = 0.7\nrotation = {}", list(&rotation));
    body("thing", shape, position, &more).replace("mass = 1.0\n", "")
}

#[test]
fn a_dropped_spherical_egg_bounces_and_rolls_like_a_ball() {
    compare("floor", 3.0, &floor(0.6, 0.4), Vec3::new(0.0, 0.5, 0.0), SPINNING);
}

#[test]
fn a_spherical_egg_meets_faces_edges_and_vertices_like_a_ball() {
    let cube = "kind = \"cuboid\", half_extents = [0.2, 0.2, 0.2]";
    let above = Vec3::new(0.01, 0.6, 0.02);
    let turned = [Vec3::zeros(), Vec3::x() * 0.5 * FRAC_PI_2, Vec3::new(0.7, 0.0, 0.5)];
    for (what, rotation) in ["face", "edge", "vertex"].into_iter().zip(turned) {
        compare(what, 0.6, &(floor(0.5, 0.3) + &fixed(cube, Vec3::y() * 0.1, rotation)), above, SPINNING);
    }
}

#[test]
fn a_spherical_egg_meets_curved_bodies_like_a_ball() {
    let above = Vec3::new(0.03, 0.6, 0.02);
    for (what, shape) in [
        ("ball", "kind = \"ball\", radius = 0.2"),
        ("capsule", "kind = \"capsule\", half_height = 0.2, radius = 0.1"),
        ("cylinder", "kind = \"cylinder\", half_height = 0.2, radius = 0.1"),
        ("cone", "kind = \"cone\", half_height = 0.2, radius = 0.2"),
    ] {
        let thing = fixed(shape, Vec3::y() * 0.1, Vec3::new(1.2, 0.0, 0.3));
        compare(what, 0.6, &(floor(0.5, 0.3) + &thing), above, SPINNING);
    }
}

#[test]
fn spherical_eggs_meet_each_other_like_balls() {
    let below = "friction = 0.3\nrestitution = 0.5\nrotation = [0.1, 0.9, 0.4]\nspin = [0.0, 4.0, -3.0]";
    let others = floor(0.6, 0.4) + &body("other", "SPHERE", Vec3::y() * 0.1, below);
    compare("each other", 1.5, &others, Vec3::new(0.02, 0.5, 0.01), SPINNING);
}

const EGG: [f64; 3] = [0.1, 0.17, 0.12];

fn egg_words([radius, tip, base]: [f64; 3]) -> String {
    format!("kind = \"egg\", radius = {radius:?}, tip = {tip:?}, base = {base:?}")
}

/// How an egg lies: the angle of its axis over the floor (rad), H, and ρ. With y from its widest circle to its centre of mass,
/// which is over the contact with the normal at the angle β from that circle,
///
/// ```text
/// h² = r²·cos²β + l²·sin²β,    (l² − r²)·sin β = y·h,    H = h − y·sin β,    ρ = r²·l²/h³
/// ```
fn lying([radius, tip, base]: [f64; 3]) -> (f64, f64, f64) {
    let y = 0.375 * (tip - base);
    let longer = tip * tip - radius * radius;
    let angle = (y * radius / (longer * (longer - y * y)).sqrt()).asin();
    let height = (radius * angle.cos()).hypot(tip * angle.sin());
    (angle, height - y * angle.sin(), radius * radius * tip * tip / height.powi(3))
}

/// Its axis in the plane z = 0, the tip towards x and below the floor's direction by how it lies, turned on by `more` rad.
fn laid(more: f64) -> String {
    let (angle, height, _) = lying(EGG);
    let rotation = list(&(Vec3::z() * (-FRAC_PI_2 - angle + more)));
    body("egg", &egg_words(EGG), Vec3::y() * height, &format!("friction = 1.0\nrotation = {rotation}"))
}

#[test]
fn an_egg_that_lies_on_a_floor_stays() {
    let trajectory = run(&(head(2.0, -GRAVITY) + &floor(0.5, 1.0) + &laid(0.0)));
    let (start, end) = (trajectory.at(0.0)[1], trajectory.at(2.0)[1]);
    assert!((end.position - start.position).norm() < CLOSE, "moved to {}", end.position);
    assert!(end.spin.norm() < CLOSE, "turns with {}", end.spin);
}

/// The mean period of an egg turned by 1e-4 rad from how it lies.
fn period(step: f64) -> f64 {
    // It is higher by a part of the square of that angle only, and falls less than a nanometre.
    let text = format!("step = {step:?}\n{}{}", floor(0.0, 1.0), laid(1e-4));
    let trajectory = run(&(head(4.0, -GRAVITY) + &text));
    let spin = |k: u32| trajectory.at(f64::from(k) * step)[1].spin.z;
    let mut crossings = Vec::new();
    for k in 100..(4.0 / step) as u32 {
        let (before, after) = (spin(k), spin(k + 1));
        if before < 0.0 && after >= 0.0 {
            crossings.push((f64::from(k) + before / (before - after)) * step);
        }
    }
    let periods = crossings.len() - 1;
    assert!(periods > 3, "{crossings:?}");
    (crossings[periods] - crossings[0]) / periods as f64
}

#[test]
fn an_egg_rocks_with_the_period_of_the_formula() {
    let [radius, tip, base] = EGG;
    let integrals = volume_integrals(&Shape::Egg { radius, tip, base, segments: None }).expect("a volume");
    let (_, height, curvature) = lying(EGG);
    let moment = integrals.inertia.x / integrals.volume + height * height;
    let expected = TAU / (GRAVITY * (curvature - height) / moment).sqrt();
    // Steps add a part of their square, which two of them tell.
    let [coarse, fine] = [480.0, 960.0].map(|rate: f64| period(1.0 / rate));
    assert_close("period", coarse, expected, 4e-4 * expected);
    assert_close("period with half the step", fine, expected, 1e-4 * expected);
    assert_close("period without steps", (4.0 * fine - coarse) / 3.0, expected, 1e-7 * expected);
}

/// How much of its energy of motion an egg that starts from where it lies loses or gains at most in two seconds.
fn drift(spin: Vec3, step: f64) -> f64 {
    let (angle, height, _) = lying(EGG);
    let more = format!(
        "friction = 5.0\nrotation = {}\nspin = {}\nvelocity = {}",
        list(&(Vec3::z() * (-FRAC_PI_2 - angle))),
        list(&spin),
        list(&spin.cross(&(Vec3::y() * height)))
    );
    let egg = body("egg", &egg_words(EGG), Vec3::y() * height, &more);
    let trajectory = run(&(head(2.0, -GRAVITY) + &format!("step = {step:?}\n") + &floor(0.0, 5.0) + &egg));
    let held = trajectory.events.iter().all(|event| event.kind == EventKind::Hold);
    assert!(held, "{:?}", trajectory.events);
    let energy = |t: f64| kinetic_energy(&trajectory, t) + GRAVITY * trajectory.at(t)[1].position.y;
    let worst = (0..=200).map(|k| (energy(0.01 * f64::from(k)) - energy(0.0)).abs()).fold(0.0, f64::max);
    worst / kinetic_energy(&trajectory, 0.0)
}

/// It does not roll as far as its widest circle, where its curvature jumps.
#[test]
fn an_egg_that_rocks_keeps_its_energy_to_second_order_in_the_step() {
    let [coarse, fine] = [480.0, 960.0].map(|rate: f64| drift(Vec3::z() * -0.5, 1.0 / rate));
    println!("energy drifts by {coarse:e} of that of motion, {fine:e} with half the step");
    // What swings to and fro is of second order, what adds up of third.
    assert!(coarse < 1e-3 && (3.9..8.1).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
}

/// Rolling on and wobbling, it also turns about axes that are not its own: steps apply contact and tumbling one after the other,
/// and are of first order there.
#[test]
fn an_egg_that_rolls_and_wobbles_keeps_its_energy() {
    let drift = drift(Vec3::new(4.0, 1.0, -1.0), 1.0 / 240.0);
    println!("energy drifts by {drift:e} of that of motion");
    assert!(drift < 1e-3, "{drift:e}");
}
