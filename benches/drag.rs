//! What one drag update costs (simulate, rows, δu), beside rapier3d-f64 stepping the same scene forward at 1/240 s.
//!
//! A frame is all that the editor asks for while a body is dragged: the motion cut at the time of the hand, the rows of the dragged position
//! pulled back to all free parameters, the least-norm change, as many motions as it takes to find one that helps, and the whole motion
//! at the end. An update is a frame over the motions it computed. The scenes are those of `scenes/`; both programs are measured in turn
//! within one run, and the ratio is printed, since machines differ. Then the same for jointed bodies, beside their own motion alone;
//! how many samples of a jump run a second,
//! on one thread and on two, and how an update grows with bounces and nails.

mod beside_rapier;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use hattrick::goal::Goal;
use hattrick::math::Vec3;
use hattrick::model::BodyId;
use hattrick::scene::{Nail, Scene};
use hattrick::session::{Edit, Journal, Session};
use hattrick::solve::{Point, Settings, Wishes, solve};
use hattrick::{Model, Trajectory, simulate};
use rayon::prelude::*;

use beside_rapier::{median, rapier_seconds, seconds};

/// Each program is run this often, in turn; the median counts.
const ROUNDS: usize = 5;
/// The dragged body of each scene, and when it is dragged.
const SCENES: [(&str, &str, f64); 8] = [
    ("eggs", "white egg", 0.6),
    ("plank", "plank", 0.8),
    ("mug", "mug", 0.8),
    ("scissors", "scissors", 0.5),
    ("hat", "hat", 0.5),
    ("particle", "particle", 0.5),
    ("dice", "red", 0.5),
    ("tumble", "book", 0.8),
];

/// Machines with their journals: the body that is dragged there, and when. What a journal frees and locks holds here.
const MACHINES: [(&str, &str, f64); 2] = [("triple_pendulum", "red mass", 1.2), ("pulled_spring", "blue mass", 10.0)];

fn main() {
    println!(
        "scene        frame [ms]  update [ms]  updates/s  simulate [ms]  rapier [ms]  frame/rapier  update/rapier"
    );
    for (name, body, t) in SCENES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.toml"));
        // Not every scene of the list ships with every version.
        if let Ok(scene) = Scene::open(path) {
            compare(name, &scene, body, t);
        }
    }
    machines();
    samples();
    growth();
}

/// A frame and an update on each journal's machine.
fn machines() {
    println!("machine          frame [ms]  update [ms]  updates/s  simulate [ms]  update/simulate");
    for (name, body, t) in MACHINES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.jsonl"));
        let Ok(journal) = Journal::open(&path) else { continue };
        let mut session = Session::open(journal.scene_path(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for edit in journal.edits.into_iter().filter(|edit| matches!(edit, Edit::Free { .. } | Edit::Lock { .. })) {
            session.apply(edit).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let (model, u) = (session.model().clone(), session.u().clone());
        let id = model.body(body).unwrap_or_else(|| panic!("{name}: no body {body}"));
        let goal = drag(&model, &simulate(&model, &u), id, body, t);
        let wishes = Wishes { nails: &[], drag: Some(&goal) };
        let start = Point::new(&model, &u, wishes);
        let (mut frames, mut updates, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (frame, simulations) = frame(&start, wishes);
            frames.push(frame);
            updates.push(frame / simulations);
            alone.push(seconds(|| drop(black_box(simulate(&model, &u)))));
        }
        let (frame, update, alone) = (median(frames), median(updates), median(alone));
        let (per_second, ratio) = (1.0 / update, update / alone);
        println!(
            "{name:16} {:10.3} {:12.3} {per_second:10.0} {:14.3} {ratio:16.3}",
            frame * 1e3,
            update * 1e3,
            alone * 1e3
        );
    }
}

fn compare(name: &str, scene: &Scene, body: &str, t: f64) {
    let model = Arc::new(Model::new(scene).unwrap_or_else(|errors| panic!("{name}: {errors}")));
    let Some(id) = model.body(body) else { return println!("{name}: no body {body}") };
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let goal = drag(&model, &trajectory, id, body, t);
    let wishes = Wishes { nails: &[], drag: Some(&goal) };
    let start = Point::new(&model, &u, wishes);
    let (mut frames, mut updates, mut alone, mut theirs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (frame, simulations) = frame(&start, wishes);
        frames.push(frame);
        updates.push(frame / simulations);
        alone.push(seconds(|| drop(black_box(simulate(&model, &u)))));
        theirs.push(rapier_seconds(trajectory.world(), model.duration()));
    }
    let (frame, update, alone, theirs) = (median(frames), median(updates), median(alone), median(theirs));
    println!(
        "{name:12} {:10.3} {:12.3} {:10.0} {:14.3} {:12.3} {:13.3} {:14.3}",
        frame * 1e3,
        update * 1e3,
        1.0 / update,
        alone * 1e3,
        theirs * 1e3,
        frame / theirs,
        update / theirs
    );
}

/// One frame of a drag, and how many motions it computed.
fn frame(start: &Point, wishes: Wishes) -> (f64, f64) {
    let settings = Settings { iterations: 1, rounds: 0, pull: 0.0, ..Settings::default() };
    let begun = Instant::now();
    let (_, report) = solve(start.clone(), wishes, &settings, &|_| true);
    (begun.elapsed().as_secs_f64(), f64::from(report.simulations.max(1)))
}

/// The wish that the body is 2 cm from where it is.
fn drag(model: &Model, trajectory: &Trajectory, id: BodyId, body: &str, t: f64) -> Goal {
    let place = trajectory.body_at(id, t).position + Vec3::new(0.02, 0.0, 0.0);
    let wish = serde_json::json!({ "body": body, "at": t, "position": [place.x, place.y, place.z] });
    let nail: Nail = serde_json::from_value(wish).expect("a nail");
    Goal::new(model, &nail, 0).unwrap_or_else(|error| panic!("{error}"))
}

/// Samples a second, as a jump draws them.
fn samples() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/tumble.toml");
    let Ok(session) = Session::open(path) else { return };
    let (model, u) = (session.model().clone(), session.u().clone());
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let begun = Instant::now();
        pool.install(|| (0..256).into_par_iter().for_each(|_| drop(black_box(simulate(&model, &u)))));
        println!("tumble: {:.0} samples/s on {threads} threads", 256.0 / begun.elapsed().as_secs_f64());
    }
}

/// An update after more and more bounces of one box, and with more and more nails on its first flight.
fn growth() {
    println!("bounces  nails  update [ms]");
    for (bounces, nails) in [(1, 0), (2, 0), (4, 0), (8, 0), (2, 1), (2, 2), (2, 4), (2, 8)] {
        let duration = 0.45 + 0.85 * f64::from(bounces);
        let text = format!(
            "format = 1\nduration = {duration:?}\n[[body]]\nname = \"floor\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = [0, 1, 0] }}\n\
             restitution = 1.0\nfriction = 0.2\n[[body]]\nname = \"box\"\nshape = {{ kind = \"cuboid\", half_extents = [0.1, 0.06, 0.08] }}\n\
             position = [0, 1, 0]\nspin = [1, 2, 3]\nrestitution = 1.0\nfriction = 0.2\n"
        );
        let scene = Scene::parse(&text, "growth.toml").expect("valid");
        let model = Arc::new(Model::new(&scene).expect("valid"));
        let trajectory = simulate(&model, &model.control());
        let body = model.body("box").expect("a body");
        let goals: Vec<Goal> =
            (0..nails).map(|k| drag(&model, &trajectory, body, "box", 0.04 * f64::from(k + 1))).collect();
        let hand = drag(&model, &trajectory, body, "box", duration);
        let wishes = Wishes { nails: &goals, drag: Some(&hand) };
        let start = Point::new(&model, &model.control(), wishes);
        let one = || frame(&start, wishes);
        let update = median((0..ROUNDS).map(|_| one()).map(|(frame, simulations)| frame / simulations).collect());
        println!("{bounces:7} {nails:6} {:12.3}", update * 1e3);
    }
}
