//! `simulate` is a function: the same scene gives the same bits, on every run and every thread, and whether or not unrelated
//! bodies are in the scene.
//!
//! Far-away bodies change which pairs are listed and where in the file the others stand, but must not change a bit of
//! what the others do: an editor that adds a lamp must not disturb the eggs.

use hattrick::simulation::Trajectory;

use super::random::{Kind, scene};
use super::support::run;

const KINDS: [Kind; 2] = [
    Kind { walls: true, haste: 1.0, restitutions: &[0.7, 1.0, -1.0], frictions: &[0.0, 0.5, 2.0], round: false },
    Kind { walls: false, haste: 3.0, restitutions: &[0.0, -1.0], frictions: &[0.3], round: false },
];
const SCENES: u64 = 25;

/// Every number of the motion of the bodies whose name does not begin with "far", up to time t.
fn bits(trajectory: &Trajectory, until: f64) -> Vec<u64> {
    let name = |k: usize| &*trajectory.world().bodies[k].name;
    let near = |k: usize| !name(k).starts_with("far");
    let mut numbers = Vec::new();
    for event in &trajectory.events {
        if event.t <= until && near(event.first.index()) && near(event.second.index()) {
            numbers.extend([event.t, f64::from(event.number), event.contacts.len() as f64]);
            let vectors = event.contacts.iter().flat_map(|contact| [contact.point, contact.normal, contact.impulse]);
            numbers.extend(vectors.flat_map(|v| [v.x, v.y, v.z]));
        }
    }
    for k in 0..=40 {
        let states = trajectory.at(until * f64::from(k) / 40.0);
        for (_, state) in states.iter().enumerate().filter(|(body, _)| near(*body)) {
            numbers.extend(state.position.iter().chain(&state.velocity).chain(&state.spin));
            numbers.extend(state.rotation.coords.iter());
        }
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

/// A busy corner of the world, 10 km from everything else and above all floors.
fn far_bodies() -> String {
    let floor = "[[body]]\nname = \"far floor\"\nfixed = true\n\
                 shape = { kind = \"cuboid\", half_extents = [5, 1, 5] }\nposition = [10000, 12, 0]\nrestitution = 1.0\n";
    let mut text = floor.to_owned();
    for k in 0..12 {
        text += &format!(
            "[[body]]\nname = \"far {k}\"\nshape = {{ kind = \"cuboid\", half_extents = [0.2, 0.3, 0.1] }}\n\
             position = [{}, {}, 0.1]\nvelocity = [{}, -3, 0]\nspin = [1, {k}, 3]\nrestitution = 1.0\n",
            9998 + (k % 4),
            20 + k / 4,
            1.5 - f64::from(k % 4),
        );
    }
    text
}

/// A scene with more bodies before or behind its own.
fn with_bodies(text: &str, more: &str, before: bool) -> String {
    let at = if before { text.find("[[body]]").expect("a body") } else { text.len() };
    format!("{}{more}{}", &text[..at], &text[at..])
}

fn scenes() -> impl Iterator<Item = (u64, String)> {
    KINDS.into_iter().flat_map(|kind| (0..SCENES).map(move |seed| (seed, scene(seed, kind))))
}

#[test]
fn the_same_scene_gives_the_same_bits() {
    for (seed, text) in scenes() {
        let (one, other) = (run(&text), run(&text));
        assert!(bits(&one, one.t_end) == bits(&other, other.t_end), "seed {seed} differs from itself");
        assert_eq!(one.work, other.work, "seed {seed}");
    }
}

#[test]
fn far_away_bodies_do_not_change_a_bit() {
    let mut far_events = 0;
    // Tilted walls would reach as far as the far bodies.
    let free = KINDS.map(|kind| Kind { walls: false, ..kind });
    let drawn = free.into_iter().flat_map(|kind| (0..SCENES).map(move |seed| scene(seed, kind)));
    let shipped = [include_str!("../../scenes/bounce.toml"), include_str!("../../scenes/tumble.toml")];
    for (seed, text) in drawn.chain(shipped.map(str::to_owned)).enumerate() {
        let alone = run(&text);
        for before in [false, true] {
            let together = run(&with_bodies(&text, &far_bodies(), before));
            let until = alone.t_end.min(together.t_end);
            let (expected, found) = (bits(&alone, until), bits(&together, until));
            let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
            let place = if before { "before" } else { "behind" };
            let count = expected.len();
            assert!(expected == found, "scene {seed}, far bodies {place}: differs from number {same} of {count} on");
            far_events += together.events.len() - alone.events.len().min(together.events.len());
        }
    }
    assert!(far_events > 100, "the far bodies are idle: {far_events} events");
}

#[test]
fn threads_do_not_change_a_bit() {
    let text = scene(3, KINDS[0]);
    let alone = run(&text);
    let expected = bits(&alone, alone.t_end);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| run(&text))).collect();
        for (k, thread) in threads.into_iter().enumerate() {
            let found = thread.join().expect("the thread ends");
            assert!(bits(&found, alone.t_end) == expected, "thread {k} differs");
        }
    });
}
