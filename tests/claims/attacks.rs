//! Scenes that once broke a promise, and what holds of each.
//!
//! `attack/` has them: what was mended must stay so. [`KNOWN_FAILURES`] are those that still end before their time, with the
//! reason; one that does not any more must leave the list.

use std::path::Path;

use hattrick::model::{Model, ParameterId};
use hattrick::scene::Scene;
use hattrick::sensitivity::check::ENOUGH_DIGITS;
use hattrick::simulation::{End, simulate};

use crate::derivatives::checked;
use crate::support::smallest_gap;

/// Motions that reach their end: an apex that is asked for, bowls full of bodies, spins so high that a flight is dear to follow.
const REACH_THEIR_END: &[&str] = &[
    "apex.toml",
    "apex_fly.toml",
    "check_fails_a.toml",
    "check_fails_b.toml",
    "check_fails_c.toml",
    "reorder_min.toml",
    "slow_bowl_3_bodies.toml",
    "slow_bowl_3_bodies_b.toml",
    "spin_1000_600s_non_finite.toml",
    "spin_1e5_non_finite.toml",
];

/// Motions that take minutes, and why; no test waits for them.
const TOO_SLOW: &[(&str, &str)] = &[(
    "hang_coin_hull.toml",
    "the same under a hull of 400 corners: half of them lie in one plane, and each is a candidate for the best axis of a rim",
)];

/// Motions that end early, and why. The events allowed here are fewer than by default, which shows the same sooner.
const KNOWN_FAILURES: &[(&str, u32, &str)] = &[
    (
        "event_limit_coin_hull.toml",
        1000,
        "a coin is squeezed below a hull five hundred times as heavy and rattles: restitution ends after twelve impacts in a cell, \
         the impacts do not",
    ),
    (
        "tube_links_event_limit.toml",
        1000,
        "links of a chain meet in the seams of their staves, where the contact passes from stave to stave by an impact each",
    ),
    (
        "three_hundred_boxes.toml",
        10_000,
        "three hundred boxes have more than ten thousand events in the third of a second in which they land",
    ),
];

/// Deepest overlap that is promised, m.
const DEEPEST: f64 = 5e-6;
/// Steps of search and of held groups together, some seconds on a slow machine.
const MOST_WORK: u64 = 2_000_000;

fn attack(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims/attack").join(name);
    Scene::open(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn model(scene: &Scene) -> Model {
    Model::new(scene).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[test]
fn scenes_that_once_broke_something_reach_their_end() {
    for name in REACH_THEIR_END {
        let model = model(&attack(name));
        let motion = simulate(&model, &model.control());
        assert_eq!(motion.end, End::Horizon, "{name}");
        let work = motion.work.search_steps + motion.work.held_steps;
        assert!(work <= MOST_WORK, "{name}: {work} steps");
        for part in 0..=50 {
            let t = model.duration() * f64::from(part) / 50.0;
            let (gap, pair) = smallest_gap(&motion, t);
            assert!(gap >= -DEEPEST, "{name}: {pair} overlap by {:e} m at {t} s", -gap);
        }
    }
}

#[test]
fn what_is_known_to_fail_still_fails_and_says_so() {
    for (name, events, reason) in KNOWN_FAILURES {
        let mut scene = attack(name);
        scene.max_events = *events;
        let model = model(&scene);
        let motion = simulate(&model, &model.control());
        let ends_early =
            matches!(motion.end, End::EventLimit { t, .. } | End::WorkLimit { t, .. } if t < model.duration());
        assert!(ends_early, "{name} reaches {:?}; it was known to fail, as {reason}", motion.end);
    }
}

#[test]
fn every_scene_of_the_folder_is_in_one_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims/attack");
    let entries = std::fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("an entry").file_name());
    let mut found: Vec<String> = entries.map(|name| name.into_string().expect("a plain name")).collect();
    let listed = REACH_THEIR_END.iter().chain(KNOWN_FAILURES.iter().map(|(name, ..)| name));
    let mut listed: Vec<String> =
        listed.chain(TOO_SLOW.iter().map(|(name, _)| name)).map(|name| (*name).to_owned()).collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed);
}

#[test]
fn stacks_with_round_bodies_are_differentiated_to_six_digits() {
    for name in ["check_fails_a.toml", "check_fails_b.toml", "check_fails_c.toml"] {
        let model = model(&attack(name));
        let parameters: Vec<ParameterId> = model.free_parameters().collect();
        let report = checked(&model, &parameters, &[]);
        let (entries, comparable) = report.counts();
        let worst = report.worst.expect("entries that can be compared");
        assert!(worst.digits >= ENOUGH_DIGITS, "{name}: {worst:?}");
        // The second is a heap of blows, whose motions soon decide differently.
        assert!(comparable > entries / 4, "{name}: {comparable} of {entries}");
    }
}
