//! How long a motion takes, beside rapier3d-f64 stepping the same bodies at 1/240 s over the same time.
//!
//! Balls and cuboids collide freely in a closed box of half-spaces without gravity. Both programs are measured in turn
//! within one run, and the ratio is printed, since machines differ; then microseconds an impact, and the work behind
//! them. `cargo bench` also gives criterion's figures for ours alone.

mod beside_rapier;

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use hattrick::math::Vec3;
use hattrick::simulation::EventKind;
use hattrick::{Model, Scene, simulate};

use beside_rapier::{median, rapier_seconds, seconds};

const DURATION: f64 = 2.0;
const COUNTS: [usize; 4] = [1, 2, 10, 100];
/// Each program is run this often, in turn; the median counts.
const ROUNDS: usize = 15;

fn main() {
    compare();
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("simulate");
    for count in COUNTS {
        let model = model(count);
        let u = model.control();
        group.bench_with_input(BenchmarkId::new("bodies", count), &model, |bencher, model| {
            bencher.iter(|| simulate(black_box(model), black_box(&u)));
        });
    }
    group.finish();
    criterion.final_summary();
}

/// Prints one line for each number of bodies.
fn compare() {
    println!("bodies   ours [ms]  rapier [ms]  ours/rapier  impacts  µs/impact  searches  steps/search  solver steps");
    for count in COUNTS {
        let model = model(count);
        let u = model.control();
        let trajectory = simulate(&model, &u);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(seconds(|| drop(simulate(black_box(&model), black_box(&u)))));
            theirs.push(rapier_seconds(trajectory.world(), DURATION));
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let impacts = trajectory.events.iter().filter(|event| event.kind == EventKind::Impact).count();
        let work = trajectory.work;
        println!(
            "{count:6} {:11.3} {:12.3} {:12.3} {impacts:8} {:10.2} {:9} {:13.1} {:13}",
            ours * 1e3,
            theirs * 1e3,
            ours / theirs,
            ours * 1e6 / impacts.max(1) as f64,
            work.searches,
            work.search_steps as f64 / work.searches.max(1) as f64,
            work.solver_iterations,
        );
    }
}

/// Balls and cuboids in turn on a grid, flying apart, in a box that leaves each about as much room.
fn model(count: usize) -> Model {
    let side = (1..).find(|side| side * side * side >= count).unwrap_or(1);
    let half = 0.4 * side as f64 + 0.1;
    let mut text = format!("format = 1\nduration = {DURATION:?}\ngravity = [0.0, 0.0, 0.0]\nmax_events = 1000000\n");
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (normal, place) = (Vec3::ith(axis, -sign), Vec3::ith(axis, sign * half));
            let _ = write!(
                text,
                "[[body]]\nname = \"wall {axis} {sign}\"\nfixed = true\nrestitution = 0.8\nfriction = 0.0\n\
                 shape = {{ kind = \"half_space\", normal = {:?} }}\nposition = {:?}\n",
                normal.as_slice(),
                place.as_slice()
            );
        }
    }
    for k in 0..count {
        let cell = [k % side, k / side % side, k / side / side];
        let place = cell.map(|c| 0.8 * (c as f64 + 0.5) - 0.4 * side as f64);
        // Directions that do not repeat: multiples of the golden ratio.
        let part = |factor: f64| 2.0 * ((k as f64 + 1.0) * factor).fract() - 1.0;
        let velocity = [part(0.618_034), part(0.754_878), part(0.569_84)].map(|v| 4.0 * v);
        let shape = if k % 2 == 0 {
            "kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]"
        } else {
            "kind = \"ball\", radius = 0.15"
        };
        let _ = write!(
            text,
            "[[body]]\nname = \"body {k}\"\nshape = {{ {shape} }}\nposition = {place:?}\nvelocity = {velocity:?}\n\
             spin = [{:?}, 2.0, 1.0]\nrestitution = 0.8\nfriction = 0.0\n",
            3.0 * part(0.412)
        );
    }
    let scene = Scene::parse(&text, "bench.toml").unwrap_or_else(|error| panic!("{error}"));
    Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"))
}
