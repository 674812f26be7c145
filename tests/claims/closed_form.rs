//! Motions that have a formula on paper.
//!
//! A drop from height h meets the floor at √(2h/g); a rebound is restitution times the approach, so bounces reach
//! restitution² of the height before; equal elastic balls exchange their velocities; a row of balls passes momentum on. Times agree to
//! 1e-12 s and velocities to 1e-12 of their size, which is a few roundings.

use hattrick::math::Vec3;
use hattrick::simulation::Trajectory;

use super::support::{ball, floor, head, just_before, run};

const GRAVITY: f64 = 9.81;
const TIME: f64 = 1e-12;
const VELOCITY: f64 = 1e-12;

#[track_caller]
fn check(what: &str, measured: f64, expected: f64, tolerance: f64) {
    let error = (measured - expected).abs();
    assert!(error <= tolerance, "{what}: {measured} instead of {expected}, off by {error:e}");
}

fn velocity(trajectory: &Trajectory, name: &str, t: f64) -> Vec3 {
    let k = trajectory.world().bodies.iter().position(|body| &*body.name == name).expect(name);
    trajectory.at(t)[k].velocity
}

#[test]
fn a_dropped_ball_meets_the_floor_when_the_formula_says() {
    for h in [1e-3, 0.1, 1.0, 17.0, 2000.0] {
        let text = head(25.0, -GRAVITY) + &floor(1.0, 0.0) + &ball("ball", [0.0, 0.1 + h, 0.0], [0.0; 3], 1.0, "");
        let expected = (2.0 * (0.1 + h - 0.1) / GRAVITY).sqrt();
        // 0.1 + h is rounded when it is written: an ε of the height is h·ε/√(2gh) in time.
        check(&format!("drop from {h} m"), run(&text).events[0].t, expected, TIME * expected.max(1.0));
    }
}

#[test]
fn bounces_reach_restitution_squared_of_the_height_before() {
    let (h, restitution) = (1.0, 0.8);
    let position = [0.0, 0.1 + h, 0.0];
    let text = head(3.5, -GRAVITY) + &floor(restitution, 0.0) + &ball("ball", position, [0.0; 3], restitution, "");
    let trajectory = run(&text);
    let mut t = (2.0 * h / GRAVITY).sqrt();
    let mut speed = GRAVITY * t;
    let mut height = h;
    for event in trajectory.events.iter().take(6) {
        check(&format!("bounce {}", event.number), event.t, t, TIME);
        speed *= restitution;
        height *= restitution * restitution;
        let apex = trajectory.at(t + speed / GRAVITY)[1].position.y - 0.1;
        check(&format!("height after bounce {}", event.number), apex, height, 1e-12);
        t += 2.0 * speed / GRAVITY;
    }
    assert!(trajectory.events.len() >= 6, "{} bounces", trajectory.events.len());
}

#[test]
fn a_ball_thrown_at_a_wall_comes_back() {
    let wall = "[[body]]\nname = \"wall\"\nfixed = true\nshape = { kind = \"half_space\", normal = [-1, 0, 0] }\n\
                position = [3, 0, 0]\nrestitution = 0.5\nfriction = 0.0\n";
    let trajectory = run(&(head(2.0, 0.0) + wall + &ball("ball", [0.1, 0.0, 0.0], [2.0, 1.0, -0.5], 0.5, "")));
    assert_eq!(trajectory.events.len(), 1);
    check("impact", trajectory.events[0].t, 1.4, TIME);
    let error = (velocity(&trajectory, "ball", 2.0) - Vec3::new(-1.0, 1.0, -0.5)).norm();
    assert!(error <= VELOCITY, "velocity off by {error:e}");
    check("place", trajectory.at(2.0)[1].position.x, 2.9 - 0.6, 1e-12);
}

#[test]
fn equal_elastic_balls_exchange_their_velocities() {
    let balls =
        ball("a", [0.0, 0.0, 0.0], [1.5, 0.0, 0.0], 1.0, "") + &ball("b", [1.0, 0.0, 0.0], [-0.5, 0.0, 0.0], 1.0, "");
    let trajectory = run(&(head(1.0, 0.0) + &balls));
    assert_eq!(trajectory.events.len(), 1);
    check("impact", trajectory.events[0].t, 0.4, TIME);
    check("a", velocity(&trajectory, "a", 1.0).x, -0.5, VELOCITY);
    check("b", velocity(&trajectory, "b", 1.0).x, 1.5, VELOCITY);
}

#[test]
fn balls_a_tenth_of_a_millimetre_apart_pass_the_momentum_on() {
    let at = |x: f64, v: f64| ([x, 0.0, 0.0], [v, 0.0, 0.0]);
    let mut text = head(1.0, 0.0);
    for (name, (position, velocity)) in [("a", at(-0.5, 1.0)), ("b", at(0.0, 0.0)), ("c", at(0.2001, 0.0))] {
        text += &ball(name, position, velocity, 1.0, "");
    }
    let trajectory = run(&text);
    assert_eq!(trajectory.events.len(), 2);
    check("first impact", trajectory.events[0].t, 0.3, TIME);
    check("second impact", trajectory.events[1].t, 0.3001, TIME);
    for (name, expected) in [("a", 0.0), ("b", 0.0), ("c", 1.0)] {
        check(name, velocity(&trajectory, name, 1.0).x, expected, VELOCITY);
    }
}

/// The law of simultaneous contact, not a flaw: all contacts of an instant are one problem, and compression ends in all
/// of them at once, with the common velocity ⅓; expansion gives the same impulses again.
#[test]
fn touching_balls_share_the_blow_of_one_instant() {
    let at = |x: f64, v: f64| ([x, 0.0, 0.0], [v, 0.0, 0.0]);
    let mut text = head(1.0, 0.0);
    for (name, (position, velocity)) in [("a", at(-0.5, 1.0)), ("b", at(0.0, 0.0)), ("c", at(0.2, 0.0))] {
        text += &ball(name, position, velocity, 1.0, "");
    }
    let trajectory = run(&text);
    for (name, expected) in [("a", -1.0 / 3.0), ("b", 2.0 / 3.0), ("c", 2.0 / 3.0)] {
        check(name, velocity(&trajectory, name, 1.0).x, expected, VELOCITY);
    }
}

#[test]
fn a_cube_dropped_flat_stays_flat() {
    for friction in [0.0, 0.5] {
        let cube = format!(
            "[[body]]\nname = \"cube\"\nshape = {{ kind = \"cuboid\", half_extents = [0.2, 0.2, 0.2] }}\n\
             position = [0.3, 0.7, -0.4]\nrestitution = 0.6\nfriction = {friction:?}\n"
        );
        let trajectory = run(&(head(2.0, -GRAVITY) + &floor(0.6, friction) + &cube));
        assert_eq!(trajectory.events[0].contacts.len(), 4, "the cube lands on four corners");
        assert!(trajectory.events.len() >= 3, "{} events", trajectory.events.len());
        for k in 0..=100 {
            let t = trajectory.t_end * f64::from(k) / 100.0;
            let state = trajectory.at(t)[1];
            let (spin, angle) = (state.spin.norm(), state.rotation.angle());
            assert!(spin < 1e-12 && angle < 1e-12, "friction {friction}, {t} s: spin {spin:e}, angle {angle:e}");
            let aside = Vec3::new(state.position.x - 0.3, 0.0, state.position.z + 0.4).norm();
            assert!(aside < 1e-12, "friction {friction}, {t} s: {aside:e} m aside");
        }
    }
}

#[test]
fn rebound_speed_is_restitution_times_approach_speed() {
    for restitution in [0.0, 0.25, 0.7, 1.0] {
        let text = head(1.0, 0.0)
            + &floor(restitution, 0.0)
            + &ball("ball", [0.0, 0.6, 0.0], [0.3, -1.25, 0.1], restitution, "spin = [3, 1, -2]");
        let trajectory = run(&text);
        let t = trajectory.events[0].t;
        let approach = velocity(&trajectory, "ball", just_before(t)).y;
        let rebound = velocity(&trajectory, "ball", t).y;
        check(&format!("restitution {restitution}"), rebound, -restitution * approach, VELOCITY);
    }
}

#[test]
fn a_pair_has_the_mean_of_its_restitutions() {
    let ball = ball("ball", [0.0, 0.6, 0.0], [0.0, -1.0, 0.0], 1.0, "");
    let trajectory = run(&(head(1.0, 0.0) + &floor(0.5, 0.0) + &ball));
    check("rebound", velocity(&trajectory, "ball", 1.0).y, 0.75, VELOCITY);
}

/// s(y) = y²(3 − 2y) with y = (V/rest_speed − ¼)/¾: whole at the rest speed, nothing at a quarter of it.
#[test]
fn restitution_fades_below_the_rest_speed() {
    let (rest_speed, restitution) = (0.1, 0.8);
    for part in [2.0, 1.0, 0.8, 0.5, 0.3] {
        let speed = part * rest_speed;
        let y: f64 = ((part - 0.25_f64) / 0.75).clamp(0.0, 1.0);
        let expected = restitution * y * y * (3.0 - 2.0 * y) * speed;
        let text = head(1.0, 0.0)
            + &format!("rest_speed = {rest_speed:?}\n")
            + &floor(restitution, 0.0)
            + &ball("ball", [0.0, 0.1 + 0.5 * speed, 0.0], [0.0, -speed, 0.0], restitution, "");
        let trajectory = run(&text);
        let t = trajectory.events[0].t;
        check(&format!("rebound at {part} of the rest speed"), velocity(&trajectory, "ball", t).y, expected, 1e-14);
    }
}
