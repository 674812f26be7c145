//! Bodies that stand on one edge or lean on two walls: the ladder of the textbooks, and a plank that falls about its edge.
//!
//! A uniform ladder stands where floor and wall can carry it: tan θ ≥ (1 − μ_w·μ_f)/(2·μ_f) for thin ones. Ours is a capsule of radius r,
//! whose ends touch r beside its axis; with both ends at their limit, moments about the foot give the angle:
//!
//! ```text
//! (1 + μ_f·μ_w)·(L/2)·cos θ = μ_f·[ (r + L·cos θ)·μ_w + r + L·sin θ ]                                            (1)
//! ```
//!
//! A plank on an edge that sticks is a pendulum upside down, (inertia + m·d²)·θ″ = m·g·d·sin θ, and the held step must follow it
//! with an error that falls as the square of the step.

use hattrick::math::Vec3;

use super::support::run;

const GRAVITY: f64 = 9.81;

/// The steepness below which the ladder of half length `half` and radius `r` slides, rad: the root of (1).
fn critical_angle(half: f64, r: f64, floor: f64, wall: f64) -> f64 {
    let excess = |angle: f64| {
        let (across, up) = (2.0 * half * angle.cos(), 2.0 * half * angle.sin());
        (1.0 + floor * wall) * 0.5 * across - floor * ((r + across) * wall + r + up)
    };
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// How far the ladder's middle moves in two seconds, m. A pair's friction is the mean of the two bodies', so that the ladder and the
/// wall have the wall's and the floor has what is left.
fn ladder_moves(angle: f64, half: f64, r: f64, floor: f64, wall: f64) -> f64 {
    let plane = |name: &str, normal: &str, friction: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = {normal} }}\n\
             friction = {friction:?}\nrestitution = 0.0\n"
        )
    };
    let (x, y) = (r + half * angle.cos(), r + half * angle.sin());
    // The axis of a capsule is y; turned about z, its top leans towards the wall at x = 0.
    let turn = std::f64::consts::FRAC_PI_2 - angle;
    let text = format!("format = 1\nduration = 2.0\ngravity = [0.0, {:?}, 0.0]\n", -GRAVITY)
        + &plane("floor", "[0, 1, 0]", 2.0 * floor - wall)
        + &plane("wall", "[1, 0, 0]", wall)
        + &format!(
            "[[body]]\nname = \"ladder\"\nshape = {{ kind = \"capsule\", half_height = {half:?}, radius = {r:?} }}\nmass = 10.0\n\
             position = [{x:?}, {y:?}, 0.0]\nrotation = [0.0, 0.0, {turn:?}]\nfriction = {wall:?}\nrestitution = 0.0\n"
        );
    let trajectory = run(&text);
    (trajectory.at(2.0)[2].position - Vec3::new(x, y, 0.0)).norm()
}

#[test]
fn a_leaning_ladder_stands_or_slides_by_the_formula() {
    let (half, r, margin) = (1.5, 0.03, 0.1_f64.to_radians());
    for (floor, wall) in [(0.3, 0.0), (0.5, 0.0), (0.4, 0.3), (0.6, 0.5), (0.2, 0.3)] {
        let critical = critical_angle(half, r, floor, wall);
        let thin = ((1.0 - wall * floor) / (2.0 * floor)).atan();
        let [slides, stands] =
            [critical - margin, critical + margin].map(|angle| ladder_moves(angle, half, r, floor, wall));
        println!(
            "floor {floor}, wall {wall}: {:.3}° ({:.3}° if thin); moves {slides:.3e} m below and {stands:.1e} m above",
            critical.to_degrees(),
            thin.to_degrees()
        );
        assert!(slides > 1e-3, "floor {floor}, wall {wall}: 0.1° too flat it moves only {slides:e} m");
        assert!(stands < 1e-9, "floor {floor}, wall {wall}: 0.1° steeper than needed it moves {stands:e} m");
    }
}

/// The plank: half its length, thickness and depth, m.
const PLANK: [f64; 3] = [0.5, 0.05, 0.1];
/// How far its centre leans over the edge at the start, rad.
const LEAN: f64 = 0.3;
const FALL: f64 = 0.4;

/// Angle of the centre over the edge from the vertical and its rate after FALL, by Runge and Kutta's rule with steps so small that
/// only round-off is left.
fn pendulum() -> [f64; 2] {
    let d2 = PLANK[0] * PLANK[0] + PLANK[1] * PLANK[1];
    // The inertia about the centre is m·d²/3.
    let rate = |[angle, spin]: [f64; 2]| [spin, GRAVITY * d2.sqrt() * angle.sin() / (d2 / 3.0 + d2)];
    let (count, mut q) = (20_000, [LEAN, 0.0]);
    let h = FALL / f64::from(count);
    for _ in 0..count {
        let ahead = |k: [f64; 2], x: f64| [q[0] + x * k[0], q[1] + x * k[1]];
        let k1 = rate(q);
        let k2 = rate(ahead(k1, 0.5 * h));
        let k3 = rate(ahead(k2, 0.5 * h));
        let k4 = rate(ahead(k3, h));
        q = [0, 1].map(|i| q[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    q
}

/// Angle and rate of the simulated plank after FALL.
fn fallen(step: f64) -> [f64; 2] {
    let d = PLANK[0].hypot(PLANK[1]);
    // The plank stands on its end, long side up: without turn its centre stands atan(thickness/length) short of its edge at +x.
    let turn = -(LEAN + (PLANK[1] / PLANK[0]).atan());
    let text = format!(
        "format = 1\nduration = {FALL:?}\ngravity = [0.0, {:?}, 0.0]\nstep = {step:?}\n\
         [[body]]\nname = \"floor\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = [0, 1, 0] }}\nfriction = 5.0\n\
         [[body]]\nname = \"plank\"\nshape = {{ kind = \"cuboid\", half_extents = [{:?}, {:?}, {:?}] }}\nfriction = 5.0\n\
         position = [{:?}, {:?}, 0.0]\nrotation = [0.0, 0.0, {turn:?}]\n",
        -GRAVITY,
        PLANK[1],
        PLANK[0],
        PLANK[2],
        d * LEAN.sin(),
        d * LEAN.cos(),
    );
    let state = run(&text).at(FALL)[1];
    [state.position.x.atan2(state.position.y), -state.spin.z]
}

#[test]
fn a_plank_pivoting_on_a_sticking_edge_converges_as_the_square_of_the_step() {
    let exact = pendulum();
    assert!(exact[0] > 0.6 && exact[0] < 1.0, "it falls to {} rad: far, and not so far that the edge slips", exact[0]);
    // Longer steps gain so much energy that they are halved, whatever the size of the plank, and err less than they would.
    let errors = [240.0, 480.0, 960.0, 1920.0].map(|rate| {
        let found = fallen(1.0 / rate);
        [0, 1].map(|i| (found[i] - exact[i]).abs())
    });
    for (k, what) in ["angle (rad)", "spin (rad/s)"].into_iter().enumerate() {
        let ratios: Vec<f64> = errors.windows(2).map(|pair| pair[0][k] / pair[1][k]).collect();
        println!("{what} at 1/240 … 1/1920 s: {:?}, ratios {ratios:?}", errors.map(|e| e[k]));
        for ratio in ratios {
            assert!((ratio - 4.0).abs() <= 0.5, "{what}: halving the step divides the error by {ratio}");
        }
    }
}
