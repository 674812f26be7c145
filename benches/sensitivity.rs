//! What derivatives cost, as ratios measured in one run.
//!
//! - simulating and differentiating by the 24 numbers of two initial states, over simulating alone (target: 3);
//! - differentiating over one-sided differences with our own simulator, for 6, 24 and 120 parameters;
//! - rows for one body pulled back in scenes of 10, 100 and 1000 bodies with the same causal past (target: flat, 1.5);
//! - bytes of the tape for each event.

use std::hint::black_box;
use std::time::Instant;

use hattrick::dynamics::StateTangent;
use hattrick::model::{BodyId, Model, ParameterId};
use hattrick::scene::Scene;
use hattrick::sensitivity::{Moment, Row, forward, reverse};
use hattrick::simulation::simulate;

/// Seconds spent on each measurement, about.
const BUDGET: f64 = 0.4;

fn main() {
    for (name, shape) in
        [("balls", "kind = \"ball\", radius = 0.1"), ("boxes", "kind = \"cuboid\", half_extents = [0.14, 0.1, 0.08]")]
    {
        let model = model(&meeting(shape));
        let u = model.control();
        let trajectory = simulate(&model, &u);
        let parameters = states(&model, 2);
        let alone = seconds(|| simulate(&model, &u));
        let both = seconds(|| {
            let trajectory = simulate(&model, &u);
            forward(&model, &u, &trajectory, &parameters).at(trajectory.t_end)
        });
        println!(
            "two {name}, {} impacts, {} parameters: simulate {:.1} µs; with its Jacobian {:.2} ×; differences {:.1} ×",
            trajectory.events.len(),
            parameters.len(),
            1e6 * alone,
            both / alone,
            (parameters.len() + 1) as f64 * alone / both
        );
        let tape = trajectory.tape().memory() as f64 / trajectory.events.len() as f64;
        println!("two {name}: tape {tape:.0} bytes an event");
    }
    for bodies in [1, 2, 10] {
        let model = model(&apart(bodies, 1.0));
        let (u, parameters) =
            (model.control(), if bodies == 1 { states(&model, 1)[6..].to_vec() } else { states(&model, bodies) });
        let trajectory = simulate(&model, &u);
        let alone = seconds(|| simulate(&model, &u));
        let jacobian = seconds(|| forward(&model, &u, &trajectory, &parameters).at(trajectory.t_end));
        let differences = (parameters.len() + 1) as f64 * alone;
        println!(
            "{bodies} bodies, {} events, {} parameters: Jacobian {:.1} µs, {:.1} × faster than one-sided differences",
            trajectory.events.len(),
            parameters.len(),
            1e6 * jacobian,
            differences / jacobian
        );
    }
    let mut first = None;
    for bodies in [10, 100, 1000] {
        let model = model(&apart(bodies, 1.0));
        let (u, parameters) = (model.control(), states(&model, 1));
        let trajectory = simulate(&model, &u);
        let rows: Vec<Row> = (0..3).map(|axis| position_row(axis, trajectory.t_end)).collect();
        let time = seconds(|| reverse(&model, &u, &trajectory, &parameters, &rows));
        let base = *first.get_or_insert(time);
        println!("3 rows of one body among {bodies}: {:.1} µs, {:.2} × that among 10", 1e6 * time, time / base);
    }
}

fn model(text: &str) -> Model {
    let scene = Scene::parse(text, "bench.toml").expect("a valid scene");
    Model::new(&scene).expect("a valid model")
}

/// The initial states of the first bodies that move.
fn states(model: &Model, bodies: usize) -> Vec<ParameterId> {
    let name = |k: usize, field: &str| format!("body{k}.{field}");
    let fields = ["position", "rotation", "velocity", "spin"];
    let groups = (0..bodies).flat_map(|k| fields.map(|field| name(k, field)));
    groups.flat_map(|group| model.group(&group).expect("known")).collect()
}

fn position_row(axis: usize, t: f64) -> Row {
    let mut weights = StateTangent::zeros();
    weights[axis] = 1.0;
    Row { moment: Moment::Time(t), bodies: vec![(BodyId(1), weights)], dtime: 0.0 }
}

fn floor() -> String {
    "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\nrestitution = 0.8\n"
        .to_owned()
}

fn body(k: usize, shape: &str, position: [f64; 3], velocity: [f64; 3]) -> String {
    format!(
        "[[body]]\nname = \"body{k}\"\nshape = {{ {shape} }}\nmass = 1.0\nposition = {position:?}\nvelocity = {velocity:?}\n\
         spin = [1.0, 2.0, 0.5]\nrestitution = 0.8\nfriction = 0.2\n"
    )
}

/// Two bodies that meet in the air and then fall to the floor.
fn meeting(shape: &str) -> String {
    "format = 1\nduration = 0.48\ngravity = [0.0, -9.81, 0.0]\n".to_owned()
        + &floor()
        + &body(0, shape, [-0.5, 0.7, 0.0], [2.0, 0.3, 0.0])
        + &body(1, shape, [0.5, 0.75, 0.03], [-2.0, 0.2, 0.0])
}

/// Boxes that bounce without ever meeting.
fn apart(bodies: usize, duration: f64) -> String {
    let mut text =
        format!("format = 1\nduration = {duration:?}\ngravity = [0.0, -9.81, 0.0]\nmax_events = 1000000\n") + &floor();
    for k in 0..bodies {
        let (x, z) = ((k % 32) as f64 * 2.0, (k / 32) as f64 * 2.0);
        let shape = "kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]";
        text += &body(k, shape, [x, 0.8, z], [0.1, 0.0, 0.05]);
    }
    text
}

/// The least time of one run.
fn seconds<T>(mut run: impl FnMut() -> T) -> f64 {
    let (begin, mut least) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < BUDGET {
        let start = Instant::now();
        black_box(run());
        least = least.min(start.elapsed().as_secs_f64());
    }
    least
}
