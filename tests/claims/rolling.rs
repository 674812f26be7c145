//! Balls that slide begin to roll, roll on for ever, or stop where rolling is resisted.
//!
//! Friction μ slows a sliding ball by μ·g and spins it up by 5·μ·g/(2·r): slip ends after t = 2·v/(7·μ·g) at 5/7 of the speed, and a
//! rolling ball keeps its speed. Speeds and forces are constant on either side, so that steps are exact and 1e-9 is
//! round-off. A resistance of c metres is a torque c·m·g: it slows rolling by 5·c·g/(7·r).

use hattrick::dynamics::BodyState;
use hattrick::simulation::{EventKind, Trajectory};

use super::support::{floor, head, run};

const CLOSE: f64 = 1e-9;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// A ball on a floor.
fn ball_on_floor(duration: f64, friction: f64, velocity: f64, spin: f64, resistance: f64) -> Trajectory {
    let resists = format!("rolling_resistance = {resistance:?}\n");
    let ball = format!(
        "[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = {RADIUS:?} }}\nmass = 2.0\nfriction = {friction:?}\n\
         position = [0.0, {RADIUS:?}, 0.0]\nvelocity = [{velocity:?}, 0.0, 0.0]\nspin = [0.0, 0.0, {spin:?}]\n"
    );
    run(&(head(duration, -GRAVITY) + &floor(0.5, friction) + &resists + &ball + &resists))
}

fn last(trajectory: &Trajectory) -> BodyState {
    *trajectory.at(trajectory.t_end).last().expect("a body")
}

#[track_caller]
fn assert_close(what: &str, found: f64, exact: f64) {
    let error = (found - exact).abs();
    println!("{what}: {found} off by {error:e}");
    assert!(error <= CLOSE, "{what}: {found} instead of {exact}, off by {error:e}");
}

#[test]
fn a_sliding_ball_ends_rolling_at_five_sevenths_of_its_speed() {
    for (friction, velocity) in [(0.3, 2.0), (0.05, 1.0), (0.9, 7.0)] {
        let trajectory = ball_on_floor(10.0, friction, velocity, 0.0, 0.0);
        let slip = trajectory.events.iter().find(|event| event.kind == EventKind::Slip).expect("slip ends");
        let t = 2.0 * velocity / (7.0 * friction * GRAVITY);
        assert_close("end of slip", slip.t, t);
        let state = last(&trajectory);
        assert_close("speed", state.velocity.x, velocity * 5.0 / 7.0);
        assert_close("spin", state.spin.z, -velocity * 5.0 / (7.0 * RADIUS));
        let slid = velocity * t - 0.5 * friction * GRAVITY * t * t;
        assert_close("place", state.position.x, slid + velocity * 5.0 / 7.0 * (10.0 - t));
    }
}

/// The spin at the contact counts like a velocity: v → (5·v − 2·r·ω)/7, here backwards.
#[test]
fn a_ball_with_backspin_ends_rolling_backwards() {
    let (velocity, spin) = (1.0, 60.0);
    let state = last(&ball_on_floor(10.0, 0.4, velocity, spin, 0.0));
    assert_close("speed", state.velocity.x, (5.0 * velocity - 2.0 * RADIUS * spin) / 7.0);
}

#[test]
fn a_rolling_ball_rolls_on() {
    let state = last(&ball_on_floor(60.0, 0.5, 1.0, -1.0 / RADIUS, 0.0));
    assert_close("speed", state.velocity.x, 1.0);
    assert_close("place", state.position.x, 60.0);
}

/// The last step is not divided where rolling ends: the stop is right to what is left of the speed in it, v·s/2 with the speed
/// v = 5·c·g·s/(7·r) that a step s takes away.
#[test]
fn rolling_resistance_stops_a_rolling_ball() {
    let (velocity, resistance, step) = (0.5, 0.002, 1.0 / 240.0);
    let trajectory = ball_on_floor(20.0, 0.5, velocity, -velocity / RADIUS, resistance);
    let state = last(&trajectory);
    assert_eq!(state.velocity.norm() + state.spin.norm(), 0.0, "it rests");
    let slowing = 5.0 * resistance * GRAVITY / (7.0 * RADIUS);
    let error = (state.position.x - velocity * velocity / (2.0 * slowing)).abs();
    let last_step = slowing * step * step / 2.0;
    println!("stops {error:e} m from the formula's place, at most {last_step:e}");
    assert!(error <= last_step, "stops {error:e} m from the formula's place");
}

/// Sliding, then rolling, then rest.
#[test]
fn rolling_resistance_stops_a_sliding_ball() {
    let state = last(&ball_on_floor(20.0, 0.3, 2.0, 0.0, 0.005));
    assert_eq!(state.velocity.norm() + state.spin.norm(), 0.0, "it rests");
}

/// Two fixed blocks with their tops flush: nothing at the seam may lift the ball.
#[test]
fn a_ball_rolls_across_a_seam_without_a_bump() {
    let block = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nfixed = true\nshape = {{ kind = \"cuboid\", half_extents = [1.0, 0.2, 0.5] }}\n\
             position = [{x:?}, -0.2, 0.0]\n"
        )
    };
    for (z, drift) in [(0.0, 0.0), (0.03, 0.1)] {
        let ball = format!(
            "[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = {RADIUS:?} }}\nposition = [-0.7, {RADIUS:?}, {z:?}]\n\
             velocity = [1.0, 0.0, {drift:?}]\nspin = [{:?}, 0.0, {:?}]\n",
            drift / RADIUS,
            -1.0 / RADIUS
        );
        let trajectory = run(&(head(1.5, -GRAVITY) + &block("left", -1.0) + &block("right", 1.0) + &ball));
        let states = (0..=3000).map(|k| trajectory.at(1.5 * f64::from(k) / 3000.0)[2]);
        let (mut bump, mut lift) = (0.0_f64, 0.0_f64);
        for state in states {
            bump = bump.max(state.velocity.y.abs());
            lift = lift.max((state.position.y - RADIUS).abs());
        }
        println!("vertical speed ≤ {bump:e} m/s, lift ≤ {lift:e} m");
        assert!(bump < CLOSE, "vertical speed {bump:e} m/s");
        assert!(lift < CLOSE, "lifted by {lift:e} m");
        let state = last(&trajectory);
        assert_close("place", state.position.x, 0.8);
        assert_close("speed", state.velocity.x, 1.0);
    }
}
