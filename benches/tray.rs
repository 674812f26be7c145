//! How long it takes until what is dropped rests, beside rapier3d-f64 stepping the same bodies at 1/240 s over the same time.
//!
//! Cuboids fall into a tray of half-spaces and come to rest on and beside each other. Both programs are measured in turn within one
//! run, and the ratio is printed, since machines differ; then the work behind it. The second table is a stack of ten that a
//! spinning ball keeps awake: steps of a held group per second.

mod beside_rapier;

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use hattrick::math::Vec3;
use hattrick::simulation::EventKind;
use hattrick::{Model, Scene, simulate};

use beside_rapier::{median, rapier_seconds, seconds};

const RESTITUTION: f64 = 0.3;
const FRICTION: f64 = 0.5;
/// Number of cuboids, those along one side of a layer, and how long they are watched (s): a layer or little
/// more, heaps of three or four layers until all rest, and a heap of seven while it lands, so that the bench ends soon.
const TRAYS: [(usize, usize, f64); 5] = [(10, 3, 3.0), (100, 10, 3.0), (30, 3, 3.0), (100, 6, 3.0), (100, 4, 0.5)];
/// Each program is run in turn until this much time (s) went by; the median counts.
const PATIENCE: f64 = 3.0;

fn main() {
    println!(
        "cuboids  a side  time [s]  last rest  ours [ms]  rapier [ms]  ours/rapier  end          impacts  held steps  solver steps  \
         searches   late  unsolved"
    );
    for (count, side, duration) in TRAYS {
        compare([count, side], &tray(count, side, duration), duration);
    }
    awake_stack();
}

/// Prints one line.
fn compare([count, side]: [usize; 2], model: &Model, duration: f64) {
    let u = model.control();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut trajectory = None;
    let started = Instant::now();
    while ours.is_empty() || started.elapsed().as_secs_f64() < PATIENCE {
        ours.push(seconds(|| trajectory = Some(simulate(black_box(model), black_box(&u)))));
        let Some(trajectory) = &trajectory else { return };
        theirs.push(rapier_seconds(trajectory.world(), trajectory.t_end));
    }
    let Some(trajectory) = trajectory else { return };
    let (ours, theirs) = (median(ours), median(theirs));
    let count_of = |kind: EventKind| trajectory.events.iter().filter(|event| event.kind == kind).count();
    let rests = trajectory.events.iter().filter(|event| event.kind == EventKind::Rest);
    let work = trajectory.work;
    println!(
        "{count:7} {side:7} {duration:9.1} {:10.3} {:10.1} {:12.2} {:12.1}  {:11} {:8} {:11} {:13} {:9} {:6} {:9}",
        rests.map(|event| event.t).fold(0.0, f64::max),
        ours * 1e3,
        theirs * 1e3,
        ours / theirs,
        trajectory.end.as_str(),
        count_of(EventKind::Impact) + count_of(EventKind::Strike),
        work.held_steps,
        work.solver_iterations,
        work.searches,
        work.late_contacts,
        work.unsolved,
    );
}

/// Ten boxes and a ball that spins on top about the vertical, which nothing resists.
fn awake_stack() {
    let mut text = head(2.0) + &plane("floor", Vec3::y(), 0.0);
    for k in 0..10 {
        let place = Vec3::new(0.013 * (k % 2) as f64, 0.05 + 0.1 * k as f64, 0.013 * (k / 2 % 2) as f64);
        text += &cuboid(&format!("box {k}"), Vec3::new(0.1, 0.05, 0.1), place, Vec3::new(0.0, 0.2 * k as f64, 0.0));
    }
    text += "[[body]]\nname = \"top\"\nshape = { kind = \"ball\", radius = 0.05 }\nposition = [0.0, 1.05, 0.0]\nspin = [0, 5, 0]\n";
    let model = model(&text);
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let ours = median((0..5).map(|_| seconds(|| drop(simulate(black_box(&model), black_box(&u))))).collect());
    let steps = trajectory.work.held_steps as f64;
    let each = trajectory.work.solver_iterations as f64 / steps;
    println!(
        "\nten-high stack kept awake: {:.0} steps/s, {each:.2} solver steps each, {:.2} × real time",
        steps / ours,
        2.0 / ours
    );
}

fn model(text: &str) -> Model {
    let scene = Scene::parse(text, "tray.toml").unwrap_or_else(|error| panic!("{error}"));
    Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn head(duration: f64) -> String {
    format!("format = 1\nduration = {duration:?}\ngravity = [0.0, -9.81, 0.0]\nmax_events = 1000000\n")
}

/// A half-space that faces along its normal, this far from the origin.
fn plane(name: &str, normal: Vec3, distance: f64) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = {:?} }}\nposition = {:?}\n\
         restitution = {RESTITUTION:?}\nfriction = {FRICTION:?}\n",
        normal.as_slice(),
        (normal * -distance).as_slice()
    )
}

fn cuboid(name: &str, half_extents: Vec3, position: Vec3, rotation: Vec3) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"cuboid\", half_extents = {:?} }}\nposition = {:?}\nrotation = {:?}\n\
         restitution = {RESTITUTION:?}\nfriction = {FRICTION:?}\n",
        half_extents.as_slice(),
        position.as_slice(),
        rotation.as_slice()
    )
}

/// Cuboids in layers above a tray, each turned in another way.
fn tray(count: usize, side: usize, duration: f64) -> Model {
    const ROOM: f64 = 0.3;
    let half = 0.5 * ROOM * side as f64;
    let mut text = head(duration) + &plane("floor", Vec3::y(), 0.0);
    for (name, normal) in [("left", Vec3::x()), ("right", -Vec3::x()), ("back", Vec3::z()), ("front", -Vec3::z())] {
        text += &plane(name, normal, half);
    }
    for k in 0..count {
        // Numbers that do not repeat: multiples of irrational ones.
        let part = |factor: f64| 2.0 * ((k as f64 + 1.0) * factor).fract() - 1.0;
        let cell = [k % side, k / (side * side), k / side % side].map(|c| ROOM * (c as f64 + 0.5));
        let place = Vec3::new(cell[0] - half, cell[1], cell[2] - half);
        let half_extents = Vec3::new(0.1, 0.07, 0.05);
        let rotation = Vec3::new(part(0.618_034), part(0.754_878), part(0.569_84)) * 1.5;
        let _ = write!(text, "{}", cuboid(&format!("box {k}"), half_extents, place, rotation));
    }
    model(&text)
}
