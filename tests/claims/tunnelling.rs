//! Nothing passes through anything, however thin, fast or spinning.
//!
//! The witness does not trust the search: it walks along the finished motion in steps so short that no point can move farther
//! than half the gap that is left (or 10 µm, where there is none), and measures the gap at each. A body that passed
//! through a plate of 1 mm would be seen inside it. The gap may fall to −1e-6 m.

use hattrick::simulation::{EventKind, Trajectory};

use super::random::{Random, list};
use super::support::{run, smallest_gap};

/// m.
const PENETRATION: f64 = 1e-6;
/// m; the shortest way between two looks.
const LOOK: f64 = 1e-5;

/// The smallest gap on the whole motion.
fn deepest(trajectory: &Trajectory) -> (f64, String) {
    let mut worst = (f64::INFINITY, String::new());
    let mut t = 0.0;
    while t < trajectory.t_end {
        let met = smallest_gap(trajectory, t);
        // No point of two bodies approaches another faster than both bodies' fastest points move; a tumbling
        // body's spin varies by less than its moments do.
        let bodies = trajectory.world().bodies.iter().zip(trajectory.at(t)).filter(|(body, _)| body.drive.is_pushed());
        let speed: f64 =
            bodies.map(|(body, state)| state.velocity.norm() + 4.0 * state.spin.norm() * body.solid.reach()).sum();
        let way = (0.5 * met.0).max(LOOK);
        t += way / speed.max(1e-3);
        if met.0 < worst.0 {
            worst = met;
        }
    }
    worst
}

fn cuboid(name: &str, half_extents: &str, more: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ kind = \"cuboid\", half_extents = {half_extents} }}\n{more}\n")
}

/// A plate thrown at something with an edge near the origin.
fn plate_scene(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let (from, aim) = (random.unit(), random.vector(0.1));
    let position = aim + from * random.between(0.5, 0.8);
    let mut text = "format = 1\nduration = 0.015\ngravity = [0.0, -9.81, 0.0]\nmax_events = 2000\n".to_owned();
    let material = "restitution = 0.8\nfriction = 0.3\n";
    let rotation = list(&random.vector(2.0));
    text += &match seed % 3 {
        0 => cuboid("blade", "[0.0005, 0.2, 0.2]", &format!("fixed = true\n{material}rotation = {rotation}")),
        1 => cuboid("box", "[0.1, 0.15, 0.2]", &format!("fixed = true\n{material}rotation = {rotation}")),
        _ => cuboid("box", "[0.1, 0.15, 0.2]", &format!("{material}rotation = {rotation}")),
    };
    let motion = format!(
        "position = {}\nrotation = {}\nvelocity = {}\nspin = {}\n{material}",
        list(&position),
        list(&random.vector(2.0)),
        list(&(from * -100.0)),
        list(&(random.unit() * 200.0)),
    );
    text + &cuboid("plate", "[0.15, 0.1, 0.0005]", &motion)
}

#[test]
fn a_spinning_plate_never_passes_through_an_edge() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..1000 {
        let trajectory = run(&plate_scene(seed));
        let (gap, pair) = deepest(&trajectory);
        assert!(gap >= -PENETRATION, "seed {seed}: {pair}: gap {gap:e} m");
        if trajectory.events.is_empty() {
            misses += 1;
        } else {
            hits += 1;
        }
    }
    assert!(hits > 700, "the plates were aimed to hit, but {misses} of 1000 missed");
}

/// The time of the first hit on a plate at rest is (way − radius − half thickness)/speed along its normal.
#[test]
fn a_bullet_never_passes_through_a_plate() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let aim = [random.between(-0.15, 0.15), random.between(-0.15, 0.15)];
        let (way, radius) = (random.between(0.5, 2.0), random.between(1e-4, 3e-3));
        let slant = [random.between(-300.0, 300.0), random.between(-300.0, 300.0)];
        let t_c = (way - radius - 0.0005) / 1000.0;
        let position = format!("[{:?}, {:?}, {:?}]", aim[0] - slant[0] * t_c, aim[1] - slant[1] * t_c, way);
        let fixed = if seed % 2 == 0 { "fixed = true" } else { "mass = 0.5" };
        let text = "format = 1\nduration = 0.004\ngravity = [0.0, 0.0, 0.0]\n".to_owned()
            + &cuboid("plate", "[0.2, 0.2, 0.0005]", fixed)
            + &format!(
                "[[body]]\nname = \"bullet\"\nshape = {{ kind = \"ball\", radius = {radius:?} }}\nmass = 0.01\n"
            )
            + &format!("position = {position}\nvelocity = [{:?}, {:?}, -1000.0]\n", slant[0], slant[1]);
        let trajectory = run(&text);
        let first = trajectory.events.first().unwrap_or_else(|| panic!("seed {seed}: passed without a hit"));
        assert_eq!(first.kind, EventKind::Impact, "seed {seed}");
        let error = (first.t - t_c).abs();
        assert!(error < 1e-12, "seed {seed}: hit at {} s, off by {error:e}", first.t);
        let (gap, pair) = deepest(&trajectory);
        assert!(gap >= -PENETRATION, "seed {seed}: {pair}: gap {gap:e} m");
    }
}
