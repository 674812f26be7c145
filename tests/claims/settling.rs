//! Whatever is thrown comes to rest, on a face, at the right time and place; and rest costs nothing.
//!
//! Friction and restitution below 1 take energy away until none is left, and a box has no other stable rest than on a face: one
//! of its axes is vertical then, to 1e-6 or to what the tolerance below says. `bounds` has how deep bodies may overlap and what energy may appear.

use hattrick::math::Vec3;
use hattrick::simulation::{EventKind, Trajectory};

use super::bounds::{ENERGY_GAIN, PENETRATION, Worst, check_settling, is_at_rest, rest_time, settles, worst};
use super::random::Random;
use super::support::{ball, floor, head, run};

/// Sine of the angle between an axis of the body and the vertical.
const ON_A_FACE: f64 = 1e-6;
const GRAVITY: f64 = 9.81;
/// m/s: the scene's default.
const REST_SPEED: f64 = 0.02;

/// A box thrown at random onto a floor.
fn throw(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let half_extents = Vec3::from_fn(|_, _| random.between(0.05, 0.15));
    let (rotation, velocity, spin) = (random.vector(3.0), random.vector(2.0), random.vector(10.0));
    let (friction, restitution) = (random.between(0.1, 0.9), random.between(0.0, 0.8));
    let height = half_extents.norm() + random.between(0.01, 0.5);
    head(20.0, -GRAVITY)
        + &floor(restitution, friction)
        + &format!(
            "[[body]]\nname = \"box\"\nshape = {{ kind = \"cuboid\", half_extents = {:?} }}\nposition = [0.0, {height:?}, 0.0]\n\
             rotation = {:?}\nvelocity = {:?}\nspin = {:?}\nrestitution = {restitution:?}\nfriction = {friction:?}\n",
            half_extents.as_slice(),
            rotation.as_slice(),
            velocity.as_slice(),
            spin.as_slice()
        )
}

/// How far the body's nearest axis is from vertical, as a sine.
fn off_vertical(trajectory: &Trajectory) -> f64 {
    let state = *trajectory.at(trajectory.t_end).last().expect("a body");
    (0..3).map(|axis| (state.rotation * Vec3::ith(axis, 1.0)).cross(&Vec3::y()).norm()).fold(1.0, f64::min)
}

fn judge_throw(seed: u64) -> Result<Worst, String> {
    let trajectory = run(&throw(seed));
    let worst = settles(&trajectory)?;
    let off = off_vertical(&trajectory);
    if off > ON_A_FACE {
        return Err(format!("rests with its nearest axis {off:e} off the vertical"));
    }
    Ok(worst)
}

#[test]
fn a_tumbling_box_settles_on_a_face() {
    check_settling("throws", 0..1000, judge_throw);
}

/// After n bounces with V_n = eⁿ·V_0 above the rest speed the fade has changed nothing. What the geometric series adds after
/// the first slower impact is 2·V·(e + e² + …)/g < 2·rest_speed·e/((1 − e)·g), and the fade only shortens that: the ball is
/// held within this much before the series ends, never later.
#[test]
fn a_bouncing_ball_comes_to_rest_when_the_geometric_series_ends() {
    for restitution in [0.2, 0.5, 0.8, 0.9] {
        let height: f64 = 0.7;
        let text = head(10.0, -GRAVITY)
            + &floor(restitution, 0.0)
            + &ball("ball", [0.3, 0.1 + height, 0.0], [0.0; 3], restitution, "");
        let trajectory = run(&text);
        let series = (2.0 * height / GRAVITY).sqrt() * (1.0 + restitution) / (1.0 - restitution);
        let faded = 2.0 * REST_SPEED * restitution / ((1.0 - restitution) * GRAVITY);
        let hold = trajectory.events.iter().find(|event| event.kind == EventKind::Hold).expect("it is held").t;
        let early = series - hold;
        println!("restitution {restitution}: held {early:e} s before the end of the series, at most {faded:e}");
        assert!(
            early >= -1e-12 && early <= faded,
            "held {early:e} s before the series ends, not within 0 to {faded:e}"
        );
        let rest = rest_time(&trajectory) - hold;
        assert!(rest > 0.0 && rest < 0.02, "asleep {rest} s after it was held");
        let state = trajectory.at(10.0)[1];
        let off = (state.position - Vec3::new(0.3, 0.1, 0.0)).norm();
        assert!(off <= 1e-9, "rests {off:e} m from where it should");
        assert_eq!(state.velocity.norm() + state.spin.norm(), 0.0, "it rests");
    }
}

/// The same ball with a sideways velocity on a floor without friction bounces above x = v·t, and slides on.
#[test]
fn a_ball_that_bounces_to_rest_on_ice_slides_on() {
    let text = head(10.0, -GRAVITY) + &floor(0.5, 0.0) + &ball("ball", [0.0, 0.5, 0.0], [1.5, 0.0, 0.0], 0.5, "");
    let state = run(&text).at(10.0)[1];
    let off = (state.position - Vec3::new(15.0, 0.1, 0.0)).norm();
    assert!(off <= 1e-9, "{off:e} m from where it should be");
}

/// A coin as a prism of 20 sides, its axis along y.
fn coin(tilt: f64) -> String {
    const SIDES: usize = 20;
    let (radius, half) = (0.012, 0.001);
    let corner = |k: usize, y: f64| {
        let (sine, cosine) = (std::f64::consts::TAU * k as f64 / SIDES as f64).sin_cos();
        format!("[{:?}, {y:?}, {:?}]", radius * cosine, radius * sine)
    };
    let points: Vec<String> = (0..SIDES).flat_map(|k| [corner(k, half), corner(k, -half)]).collect();
    // Turned about z: the corner at +x or −x is lowest.
    let height = radius * tilt.sin() + half * tilt.cos();
    format!(
        "[[body]]\nname = \"coin\"\nshape = {{ kind = \"hull\", points = [{}] }}\ndensity = 8000.0\n\
         position = [0.0, {height:?}, 0.0]\nrotation = [0.0, 0.0, {tilt:?}]\nrestitution = 0.3\nfriction = 0.3\n",
        points.join(", ")
    )
}

#[test]
fn a_coin_laid_down_tilted_settles_flat() {
    for tilt in [0.02, 0.2, 0.8] {
        let trajectory = run(&(head(5.0, -GRAVITY) + &floor(0.3, 0.3) + &coin(tilt)));
        assert!(is_at_rest(&trajectory), "tilt {tilt}: still moves");
        let worst = worst(&trajectory);
        assert!(worst.depth <= PENETRATION, "tilt {tilt}: overlaps by {:e} m", worst.depth);
        assert!(worst.gain <= ENERGY_GAIN, "tilt {tilt}: gains {:e} of its energy in a step", worst.gain);
        let state = trajectory.at(5.0)[1];
        let off = (state.rotation * Vec3::y()).cross(&Vec3::y()).norm();
        let sunk = state.position.y - 0.001;
        println!("tilt {tilt}: rests at {} s, {off:e} off flat, {worst:?}", rest_time(&trajectory));
        assert!(off <= ON_A_FACE, "tilt {tilt}: {off:e} off flat");
        assert!(sunk.abs() <= 1e-8, "tilt {tilt}: {sunk:e} m too high");
    }
}

/// A plank above two fixed blocks 1 m apart.
fn plank(height: f64, tilt: f64, x: f64) -> String {
    let block = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nfixed = true\nshape = {{ kind = \"cuboid\", half_extents = [0.05, 0.1, 0.1] }}\n\
             position = [{x:?}, 0.1, 0.0]\nfriction = 0.5\nrestitution = 0.2\n"
        )
    };
    let own = format!(
        "[[body]]\nname = \"plank\"\nshape = {{ kind = \"cuboid\", half_extents = [0.7, 0.02, 0.06] }}\n\
         position = [{x:?}, {:?}, 0.0]\nrotation = [0.0, 0.0, {tilt:?}]\nfriction = 0.5\nrestitution = 0.2\n",
        0.22 + height
    );
    head(6.0, -GRAVITY) + &block("left", -0.5) + &block("right", 0.5) + &own
}

#[test]
fn a_plank_lies_across_two_supports() {
    let trajectory = run(&plank(0.0, 0.0, 0.1));
    settles(&trajectory).unwrap_or_else(|fault| panic!("{fault}"));
    let drift = (trajectory.at(6.0)[2].position - Vec3::new(0.1, 0.22, 0.0)).norm();
    assert!(drift <= 1e-9, "drifted by {drift:e} m");
}

#[test]
fn a_plank_dropped_onto_two_supports_comes_to_lie_on_both() {
    for (height, tilt) in [(0.05, 0.0), (0.1, 0.05), (0.1, -0.1)] {
        let trajectory = run(&plank(height, tilt, 0.1));
        settles(&trajectory).unwrap_or_else(|fault| panic!("from {height} m, tilt {tilt}: {fault}"));
        let state = trajectory.at(6.0)[2];
        let off = (state.position.y - 0.22).abs().max((state.rotation * Vec3::y()).cross(&Vec3::y()).norm());
        println!("from {height} m, tilt {tilt}: rests at {} s, off by {off:e}", rest_time(&trajectory));
        assert!(off <= ON_A_FACE, "from {height} m, tilt {tilt}: off level by {off:e}");
    }
}

/// Ten boxes that rest soon: the counts of work of a hundred seconds are those of one.
#[test]
fn time_at_rest_is_free() {
    let scene = |duration: f64| {
        let boxes = (0..10).map(|k| {
            format!(
                "[[body]]\nname = \"box {k}\"\nshape = {{ kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1] }}\n\
                 position = [{:?}, 0.12, 0.0]\n",
                0.5 * f64::from(k)
            )
        });
        head(duration, -GRAVITY) + &floor(0.2, 0.5) + &boxes.collect::<String>()
    };
    let asleep = rest_time(&run(&scene(5.0)));
    assert!(asleep > 0.0 && asleep < 5.0, "asleep at {asleep} s");
    let (one, hundred) = (run(&scene(asleep + 1.0)), run(&scene(asleep + 100.0)));
    assert_eq!(one.work, hundred.work, "work of 1 s and of 100 s at rest");
    assert_eq!(one.memory(), hundred.memory(), "bytes of 1 s and of 100 s at rest");
}
