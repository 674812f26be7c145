//! Bodies that follow tracks: they bat others, and derivatives go through the blow by the values and times of their keys.
//!
//! A plate that rises by h·(t/T)² meets a ball of gap H above it at t_c = √(H/D), D = g/2 + h/T², and sends it on with
//!
//! ```text
//! v⁺ = e·g·t_c + (1 + e)·w(t_c),      w = 2h·t/T²                                                         (1)
//! dv⁺/du = ∂v⁺/∂t_c·dt_c/du + ∂v⁺/∂u                                                                      (2)
//! ```
//!
//! (2) has the plate's acceleration in it: the impact depends on time by itself. Closed forms agree to 1e-12, rounding through a
//! root; other motions are compared with differences, as everywhere to six digits.

use hattrick::model::ParameterId;
use hattrick::sensitivity::{Side, forward};
use hattrick::simulation::{End, EventId, EventKind, simulate};

use super::derivatives::{assert_holds, checked};
use super::support::{floor, head, model};

const CLOSED: f64 = 1e-12;

/// A plate whose top is at y = 0 at the start, and follows keys.
fn plate(keys: &str, friction: f64) -> String {
    format!(
        "[[track]]\nname = \"lift\"\nkeys = [{keys}]\n[[body]]\nname = \"plate\"\n\
         shape = {{ kind = \"cuboid\", half_extents = [1, 0.05, 1] }}\nmoved = {{ position = {{ track = \"lift\" }} }}\n\
         restitution = 0.6\nfriction = {friction:?}\n"
    )
}

const BALL: &str = "[[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 0.1 }\nmass = 0.7\nposition = [0.1, 0.9, 0.2]\n\
     restitution = 0.6\nfriction = 0.0\n";

/// Height, length in time, restitution and gap of (1).
const RISE: [f64; 4] = [0.4, 0.7, 0.6, 0.8];

fn rising_plate() -> String {
    let [h, t, ..] = RISE;
    let keys = format!(
        "{{ t = 0, value = [0, -0.05, 0] }}, {{ t = {t:?}, value = [0, {:?}, 0], ease = \"slow_in\" }}",
        h - 0.05
    );
    head(1.0, -9.81) + &plate(&keys, 0.0) + BALL
}

#[test]
fn a_plate_that_speeds_up_sends_a_ball_on_as_paper_says() {
    let ([h, length, e, gap], g) = (RISE, 9.81);
    let model = model(&rising_plate());
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let rate = h / (length * length);
    let slope = 0.5 * g + rate;
    let t_c = (gap / slope).sqrt();
    let event = &trajectory.events[0];
    assert!((event.t - t_c).abs() < CLOSED, "{:e} s late", event.t - t_c);
    let ball = model.body("ball").expect("it is there");
    let speed = trajectory.body_at(ball, event.t).velocity.y;
    let exact = (e * g + (1.0 + e) * 2.0 * rate) * t_c;
    assert!((speed - exact).abs() < CLOSED, "{speed} for {exact}");

    let parameters =
        ["lift.2.value.y", "lift.2.time"].map(|name| model.parameter(name).unwrap_or_else(|error| panic!("{error}")));
    let (dt, after) = forward(&model, &u, &trajectory, &parameters).at_event(EventId(0), Side::After);
    // ∂rate/∂h, ∂rate/∂T.
    for (column, drate) in [1.0 / (length * length), -2.0 * rate / length].into_iter().enumerate() {
        let dt_c = -0.5 * t_c / slope * drate;
        let by_time = e * g + (1.0 + e) * 2.0 * rate;
        let exact = by_time * dt_c + (1.0 + e) * 2.0 * t_c * drate;
        assert!((dt[column] - dt_c).abs() < CLOSED, "dt_c: {} for {dt_c}", dt[column]);
        assert!((after[(7, column)] - exact).abs() < CLOSED, "{} for {exact}", after[(7, column)]);
        // Without the plate's acceleration, which changes the impact while its time moves.
        let lacking = exact - (1.0 + e) * 2.0 * rate * dt_c;
        assert!((exact - lacking).abs() > 0.05 * exact.abs(), "the term would not be missed: {exact} and {lacking}");
    }
}

#[test]
fn a_plate_that_stops_or_turns_back_at_a_key_is_met_as_it_moves_then() {
    // The second ball comes when the plate stands again.
    let keys =
        "{ t = 0, value = [0, -0.05, 0] }, { t = 0.3, value = [0, 0.15, 0] }, { t = 0.5, value = [0, -0.05, 0] }";
    let scene = head(0.9, -9.81) + &plate(keys, 0.3) + BALL;
    let model = model(&scene);
    let trajectory = simulate(&model, &model.control());
    assert_eq!(trajectory.end, End::Horizon);
    let plate = model.body("plate").expect("it is there");
    for (t, velocity) in [(0.1, 2.0 / 3.0), (0.3, -1.0), (0.4, -1.0), (0.5, 0.0), (0.8, 0.0)] {
        let state = trajectory.body_at(plate, t);
        assert!((state.velocity.y - velocity).abs() < CLOSED, "{} at {t} s", state.velocity.y);
    }
    let parameters: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    assert_holds("plate", &checked(&model, &parameters, &[0.35, 0.6, 0.88]), 0.85);
}

/// A paddle that turns about a slanted axis while it rises bats a brick.
const PADDLE: &str = "[[track]]\nname = \"swing\"\nkeys = [{ t = 0.05, value = [0.1, 0.2, -0.4] }, { t = 0.7, value = [-0.3, 0.4, 1.1], ease = \"slow_in_out\" }]\n\
     [[track]]\nname = \"lift\"\nkeys = [{ t = 0, value = [0, 0, 0] }, { t = 0.45, value = [0.1, 0.25, 0.05], ease = \"slow_out\" }]\n\
     [[body]]\nname = \"paddle\"\nshape = { kind = \"cuboid\", half_extents = [0.6, 0.03, 0.5] }\n\
     moved = { position = { track = \"lift\" }, rotation = { track = \"swing\" } }\nrestitution = 0.7\nfriction = 0.4\n";
const BRICK: &str = "[[body]]\nname = \"brick\"\nshape = { kind = \"cuboid\", half_extents = [0.12, 0.08, 0.06] }\nmass = 1.3\n\
     position = [0.15, 0.75, 0.05]\nrotation = [0.4, 0.1, 0.3]\nvelocity = [0.1, -0.4, 0.2]\nspin = [1, -2, 3]\n\
     restitution = 0.5\nfriction = 0.4\n";

#[test]
fn a_turning_paddle_bats_a_brick_with_six_digits() {
    let model = model(&(head(0.9, -9.81) + PADDLE + BRICK));
    let trajectory = simulate(&model, &model.control());
    let blows = trajectory.events.iter().filter(|event| event.kind == EventKind::Impact).count();
    assert!(blows >= 1 && trajectory.end == End::Horizon, "{blows} blows, {:?}", trajectory.end);
    let parameters: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    assert_holds("paddle", &checked(&model, &parameters, &[]), 0.85);
}

#[test]
fn a_paddle_strikes_a_box_that_slides_inside_its_step() {
    let ram = "[[track]]\nname = \"thrust\"\nkeys = [{ t = 0.1, value = [-1.2, 0.15, 0] }, { t = 0.8, value = [0.4, 0.15, 0.02], ease = \"slow_in_out\" }]\n\
        [[body]]\nname = \"ram\"\nshape = { kind = \"ball\", radius = 0.1 }\nmoved = { position = { track = \"thrust\" } }\nrestitution = 0.5\nfriction = 0.2\n";
    let crate_ = "[[body]]\nname = \"box\"\nshape = { kind = \"cuboid\", half_extents = [0.2, 0.15, 0.2] }\nmass = 2.0\n\
        position = [0, 0.15, 0]\nvelocity = [0.3, 0, 0.2]\nrestitution = 0.3\nfriction = 0.3\n";
    let model = model(&(head(0.9, -9.81) + &floor(0.3, 0.3) + ram + crate_));
    let trajectory = simulate(&model, &model.control());
    let pushed = trajectory.events.iter().any(|event| event.kind == EventKind::Impact && event.second.0 == 1);
    assert!(pushed && trajectory.end == End::Horizon, "{:?}", trajectory.end);
    let parameters: Vec<ParameterId> = model.free_parameters().collect();
    let keys = ["thrust.2.value.x", "thrust.2.time"].map(|name| model.parameter(name).expect("it is there"));
    let all: Vec<ParameterId> = parameters.into_iter().chain(keys).collect();
    assert_holds("ram", &checked(&model, &all, &[0.9]), 0.5);
}

#[test]
fn what_lies_on_a_moved_body_ends_the_motion_by_name() {
    let keys = "{ t = 0.1, value = [0, -0.05, 0] }, { t = 0.9, value = [0, 0.3, 0], ease = \"slow_in_out\" }";
    let ball = BALL.replace("position = [0.1, 0.9, 0.2]", "position = [0.1, 0.1, 0.2]");
    let model = model(&(head(1.0, -9.81) + &plate(keys, 0.3) + &ball));
    let trajectory = simulate(&model, &model.control());
    let End::MachineTouched { t, first, second } = trajectory.end else { panic!("{:?}", trajectory.end) };
    let names = [first, second].map(|body| model.bodies()[body.index()].name.to_string());
    assert_eq!((t, names), (0.0, ["ball", "plate"].map(str::to_owned)));
}
