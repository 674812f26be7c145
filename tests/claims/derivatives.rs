//! ∂S/∂u against differences, in flight and through contact.
//!
//! Differences are those of the `check` command: extrapolated, with a step for every entry, and compared only where both
//! motions took the same decisions. Every comparable entry has six digits.

use hattrick::cli::compared;
use hattrick::contact::impact::fade;
use hattrick::dynamics::StateTangent;
use hattrick::model::{BodyId, Model, ParameterId};
use hattrick::sensitivity::check::{Report, default_times};
use hattrick::sensitivity::{Mark, Moment, Reason, Row, Side, forward, reverse};
use hattrick::simulation::tape::StepRecord;
use hattrick::simulation::{EventId, EventKind, simulate};

use super::jacobians::{assert_either_way, by_rows};
use super::known;
use super::random::{self, Kind, Random};
use super::support::{ball, floor, head, just_before, model};

/// Checks derivatives at some times, default ones where there are none, both ways.
#[track_caller]
pub fn checked(model: &Model, parameters: &[ParameterId], times: &[f64]) -> Report {
    let u = model.control();
    let trajectory = simulate(model, &u);
    let times = if times.is_empty() { default_times(&trajectory) } else { times.to_vec() };
    let derivative = forward(model, &u, &trajectory, parameters);
    let jacobians: Vec<_> = times.iter().map(|&t| derivative.at(t)).collect();
    let last = times[times.len() - 1];
    let reverse = by_rows(model, &trajectory, parameters, Moment::Time(last));
    assert_either_way("the last time", &jacobians[jacobians.len() - 1], &reverse);
    compared(model, &u, parameters, &times, &jacobians, &|| ())
}

#[track_caller]
pub fn assert_holds(what: &str, report: &Report, share: f64) {
    let digits = report.worst.as_ref().map_or(15.0, |worst| worst.digits);
    let [all, reached] = [report.share(), report.share_reached()];
    println!("{what}: {digits:.1} digits, {:.1} % comparable, {:.1} % of what changes reach", 1e2 * all, 1e2 * reached);
    assert!(digits >= 6.0, "{what}: {:?}", report.worst);
    assert!(all.min(reached) >= share, "{what}: only {all:.3} and {reached:.3} comparable: {:?}", report.groups);
}

fn all(model: &Model) -> Vec<ParameterId> {
    (0..model.parameters().len() as u32).map(ParameterId).collect()
}

const BRICK: &str = "[[body]]\nname = \"brick\"\nshape = { kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08] }\nmass = 3.0\n\
    position = [0.0, 0.7, 0.0]\nrotation = [0.3, 0.5, 0.2]\nvelocity = [0.5, 0.2, -0.5]\nspin = [1.0, 2.0, 0.5]\n\
    restitution = 0.5\nfriction = 0.4\n";

#[test]
fn a_brick_that_tumbles_to_rest_keeps_six_digits_and_rests_with_rank_three() {
    let model = model(&(head(3.0, -9.81) + &floor(0.5, 0.4) + BRICK));
    let trajectory = simulate(&model, &model.control());
    let impacts = trajectory.events.iter().filter(|e| matches!(e.kind, EventKind::Impact | EventKind::Strike)).count();
    println!("{impacts} impacts, {} events", trajectory.events.len());
    assert!(impacts >= 30, "only {impacts} impacts");
    assert!(trajectory.events.iter().any(|event| event.kind == EventKind::Slip), "it never stops sliding");
    assert!(trajectory.events.iter().any(|event| event.kind == EventKind::Rest), "it does not come to rest");
    let parameters: Vec<ParameterId> = model.free_parameters().collect();
    assert_holds("brick", &checked(&model, &parameters, &[]), 0.5);
    let end = forward(&model, &model.control(), &trajectory, &parameters).at(trajectory.t_end);
    assert_eq!(end.rows(6, 6).norm(), 0.0, "it does not move");
    let values = end.svd(false, false).singular_values;
    assert!(values[2] > 1e-6 * values[0] && values[3] < 1e-9 * values[0], "singular values {values}");
}

#[test]
fn rotations_are_differentiated_away_from_their_file() {
    let model = model(&(head(0.9, -9.81) + &floor(0.5, 0.4) + BRICK));
    let mut u = model.control();
    for (name, value) in [("brick.rotation.x", 0.8), ("brick.rotation.y", -1.1), ("brick.rotation.z", 0.4)] {
        model.set(&mut u, name, value).expect("allowed");
    }
    let trajectory = simulate(&model, &u);
    let parameters = all(&model);
    let times = [0.2, 0.45];
    let derivative = forward(&model, &u, &trajectory, &parameters);
    let jacobians: Vec<_> = times.iter().map(|&t| derivative.at(t)).collect();
    assert_holds("offset", &compared(&model, &u, &parameters, &times, &jacobians, &|| ()), 0.9);
}

#[test]
fn impacts_inside_the_fade_band_are_differentiated() {
    let text = head(0.8, -9.81).replace("gravity", "rest_speed = 5.0\ngravity") + &floor(0.8, 0.3) + BRICK;
    let model = model(&text);
    let trajectory = simulate(&model, &model.control());
    let event = trajectory.events.first().expect("an impact");
    let (contact, state) = (&event.contacts[0], trajectory.at(just_before(event.t))[1]);
    let approach = (state.velocity + state.spin.cross(&(contact.point - state.position))).dot(&contact.normal).abs();
    let (factor, slope) = fade(approach, 5.0);
    assert!(event.t < 0.4 && factor > 0.1 && factor < 0.9 && slope > 0.0, "{approach} m/s fades by {factor}");
    let report = checked(&model, &all(&model), &[0.4]);
    assert_holds("fade", &report, 0.9);
}

/// A box that slides, held, on a rough floor.
fn sliding(name: &str, x: f64, speed: f64) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"cuboid\", half_extents = [0.2, 0.1, 0.15] }}\nmass = 2.0\n\
         position = [{x:?}, 0.1, 0.0]\nvelocity = [{speed:?}, 0.0, 0.01]\nrestitution = 0.4\nfriction = 0.3\n"
    )
}

#[test]
fn an_impact_that_cuts_the_step_of_a_held_group_is_differentiated() {
    let falling = ball("ball", [0.8, 0.9, 0.02], [0.0, 0.0, 0.0], 0.5, "spin = [1.0, 0.5, -2.0]")
        .replace("friction = 0.0", "friction = 0.2");
    let model = model(&(head(0.7, -9.81) + &floor(0.2, 0.3) + &sliding("box", 0.0, 2.6) + &falling));
    let trajectory = simulate(&model, &model.control());
    let hits = trajectory.events.iter().filter(|event| event.kind == EventKind::Impact).count();
    assert!(hits >= 1, "{:?}", trajectory.events);
    let tape = trajectory.tape();
    let by_outsider = |step: &StepRecord| {
        let struck = step.cut.and_then(|node| tape.node(node).impact.as_deref());
        struck.is_some_and(|impact| impact.bodies.iter().any(|body| !step.members.contains(body)))
    };
    assert!(tape.steps.iter().any(by_outsider), "no step was cut by a body that is not held");
    let names = ["ball.velocity", "ball.spin", "ball.mass", "ball.position", "ball.restitution", "gravity"];
    let mut parameters: Vec<ParameterId> = names.iter().flat_map(|name| model.group(name).expect("known")).collect();
    parameters
        .extend(["box.velocity.x", "box.velocity.z", "box.friction"].map(|name| model.parameter(name).expect("known")));
    assert_holds("cut", &checked(&model, &parameters, &[0.3, 0.41, 0.5]), 0.5);
}

#[test]
fn a_held_group_that_strikes_another_is_differentiated() {
    let model = model(&(head(0.8, -9.81) + &floor(0.2, 0.3) + &sliding("one", 0.0, 1.5) + &sliding("two", 0.7, 0.2)));
    let parameters: Vec<ParameterId> = ["one.velocity.x", "two.velocity.x", "one.friction", "two.mass", "gravity.y"]
        .map(|name| model.parameter(name).expect("known"))
        .to_vec();
    let report = checked(&model, &parameters, &[0.1, 0.35, 0.8]);
    assert_holds("strike", &report, 0.5);
}

/// Against time a step has matrices; with it, where few parameters are asked for, it goes parameter by parameter.
#[test]
fn rows_through_held_contact_are_the_same_on_either_way() {
    let model = model(&(head(0.8, -9.81) + &floor(0.2, 0.3) + &sliding("one", 0.0, 1.5) + &sliding("two", 0.7, 0.2)));
    let (u, trajectory) = (model.control(), simulate(&model, &model.control()));
    let [one, two] = ["one", "two"].map(|name| model.body(name).expect("a body"));
    let weights = |k: f64| StateTangent::from_fn(|entry, _| (k + entry as f64).sin());
    let met = trajectory.events.iter().position(|event| event.kind == EventKind::Impact).expect("they meet");
    let event = |side: Side| Moment::Event { event: EventId(met as u32), side };
    let bodies = || vec![(one, weights(0.3)), (two, weights(1.7))];
    let rows = [
        Row { moment: Moment::Time(0.35), bodies: bodies(), dtime: 0.0 },
        Row { moment: Moment::Time(0.8), bodies: bodies(), dtime: 0.0 },
        Row { moment: event(Side::Before), bodies: bodies(), dtime: 0.7 },
        Row { moment: event(Side::After), bodies: vec![], dtime: 1.0 },
    ];
    let few: Vec<ParameterId> =
        ["one.velocity.x", "two.mass"].map(|name| model.parameter(name).expect("known")).to_vec();
    let many: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    for parameters in [few, many] {
        let back = reverse(&model, &u, &trajectory, &parameters, &rows).values;
        assert!(back.row(3).amax() > 1e-3, "the time of the impact does not change: {back}");
        assert_either_way("rows", &forward(&model, &u, &trajectory, &parameters).rows(&rows), &back);
    }
}

/// A ball that falls between two others, a little beside their middle.
fn between(offset: f64) -> Model {
    let side = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nfixed = true\nshape = {{ kind = \"ball\", radius = 0.2 }}\n\
             position = [{x:?}, 0.0, 0.0]\nrestitution = 0.5\n"
        )
    };
    let falling = ball("ball", [offset, 0.8, 0.0], [0.0; 3], 0.5, "");
    model(&(head(0.6, -9.81) + &side("left", -0.25) + &side("right", 0.25) + &falling))
}

#[test]
fn pairs_that_meet_at_one_instant_are_marked() {
    let marks = |model: &Model| {
        let (u, parameters) = (model.control(), all(model));
        let trajectory = simulate(model, &u);
        let first = trajectory.events.first().expect("an impact").t;
        let marks = forward(model, &u, &trajectory, &parameters).marks().to_vec();
        let pulled = pulled_marks(model, &parameters);
        let at_first = |mark: &&Mark| mark.reason == Reason::Simultaneous && mark.t == first;
        (marks.iter().filter(at_first).count(), pulled.iter().filter(at_first).count())
    };
    assert_eq!(marks(&between(0.0)), (1, 1), "both sides at once");
    assert_eq!(marks(&between(0.01)), (0, 0), "one side first");
}

/// Marks on the way of a row pulled back from the end.
fn pulled_marks(model: &Model, parameters: &[ParameterId]) -> Vec<Mark> {
    let trajectory = simulate(model, &model.control());
    let body = (0..model.bodies().len()).find(|&k| model.bodies()[k].drive.is_pushed()).expect("one that moves");
    let weights = StateTangent::from_element(1.0);
    let moment = Moment::Time(trajectory.t_end);
    let row = Row { moment, bodies: vec![(BodyId(body as u32), weights)], dtime: 0.0 };
    reverse(model, &model.control(), &trajectory, parameters, &[row]).marks
}

#[test]
fn shipped_scenes_agree_with_differences() {
    let mut names: Vec<String> = std::fs::read_dir("scenes")
        .expect("scenes")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 16, "{names:?}");
    for name in &names {
        let path = std::path::Path::new("scenes").join(name).with_extension("toml");
        let text = std::fs::read_to_string(&path).expect("text");
        let model = model(&text);
        let parameters: Vec<ParameterId> = model.free_parameters().collect();
        assert_holds(name, &checked(&model, &parameters, &[]), 0.5);
    }
}

/// Leaning dominoes strike one that sleeps: their step is cut, the sleeper moved along with them, and its other edge
/// meets the floor from a little below. The push that one gets changes times and states through all of that.
#[test]
fn a_sleeper_struck_by_what_is_held_is_differentiated() {
    let text = std::fs::read_to_string("scenes/dominoes.toml").expect("text");
    let model = model(&text.replace("duration = ", "duration = 0.405 #"));
    let push = model.parameter("domino 3.velocity.x").expect("a parameter");
    let report = checked(&model, &[push], &[0.399, 0.3995094, 0.3996, 0.403]);
    assert_holds("domino 3", &report, 0.8);
}

/// Of the entries that changes reach, how many can be compared, %.
const REACHED: f64 = 90.0;
/// Scenes of the property test.
const SCENES: u64 = 240;
const KINDS: [Kind; 3] = [
    Kind { walls: true, haste: 1.0, restitutions: &[-1.0], frictions: &[0.0, 0.3, 0.6], round: false },
    Kind { walls: true, haste: 1.0, restitutions: &[0.3, 0.6], frictions: &[0.3], round: false },
    Kind { walls: false, haste: 1.0, restitutions: &[0.8, 1.0], frictions: &[0.0], round: false },
];

#[test]
fn random_scenes_agree_with_differences() {
    compare_random_scenes("derivatives", SCENES, KINDS);
}

#[test]
fn random_scenes_of_cylinders_and_cones_agree_with_differences() {
    compare_random_scenes("round derivatives", 90, KINDS.map(|kind| Kind { round: true, ..kind }));
}

/// All corners of a foot stop at once, and changes of one kind part them: which of them says when sliding ends is rounding's choice.
#[test]
fn bodies_that_spin_upright_until_they_stop_keep_six_digits() {
    for (shape, height) in [
        ("{ kind = \"cuboid\", half_extents = [0.1, 0.05, 0.1] }", 0.05),
        ("{ kind = \"cylinder\", half_height = 0.1, radius = 0.06 }", 0.1),
        ("{ kind = \"cone\", half_height = 0.1, radius = 0.06 }", 0.05),
    ] {
        let top =
            format!("[[body]]\nname = \"top\"\nshape = {shape}\nposition = [0.6, {height:?}, 0.0]\nspin = [0, 1, 0]\n");
        let model = model(&(head(0.5, -9.81) + &floor(0.5, 0.5) + &top));
        let parameters: Vec<ParameterId> = model.free_parameters().collect();
        assert_holds(shape, &checked(&model, &parameters, &[]), 0.45);
    }
}

/// A ball and a cylinder squeeze a capsule: where the end of its sliding was looked for on the projected end of a trial step, which stops
/// short here, 2.9 digits were left.
#[test]
fn a_squeezed_capsule_keeps_six_digits() {
    let model = model(&random::scene(310_050, Kind { round: true, ..KINDS[0] }));
    let parameters: Vec<ParameterId> = model.free_parameters().collect();
    assert_holds("squeezed capsule", &checked(&model, &parameters, &[0.3, 0.55, 0.9]), 0.5);
}

/// A dumbbell of two eggs falls on a table and a floor: by all parameters, its size included.
#[test]
fn eggs_as_parts_of_a_body_are_differentiated() {
    let egg = |x: f64| {
        format!(
            "{{ kind = \"egg\", radius = 0.08, tip = 0.13, base = 0.1, position = [{x:?}, 0, 0], rotation = [0, {x:?}, 1] }}"
        )
    };
    let bar = "{ kind = \"cuboid\", half_extents = [0.2, 0.02, 0.02] }";
    let text = head(1.0, -9.81)
        + &floor(0.4, 0.3)
        + "[[body]]\nname = \"table\"\nfixed = true\nposition = [0.25, 0.1, 0.0]\nrotation = [0.0, 0.3, 0.1]\n\
           shape = { kind = \"cuboid\", half_extents = [0.2, 0.1, 0.2] }\n"
        + &format!(
            "[[body]]\nname = \"dumbbell\"\nposition = [0.0, 0.6, 0.0]\nrotation = [0.3, 0.5, 0.2]\nspin = [1.0, 2.0, 0.5]\n\
             shape = {{ kind = \"compound\", parts = [{}, {bar}, {}] }}\n",
            egg(-0.25),
            egg(0.25)
        );
    let model = model(&text);
    assert_holds("dumbbell", &checked(&model, &all(&model), &[]), 0.6);
}

#[test]
fn random_scenes_of_eggs_agree_with_differences() {
    let kinds = KINDS.map(|kind| Kind { round: true, ..kind });
    compare_scenes("egg derivatives", 90, |seed, kind| random::scene_of_eggs(seed, kinds[kind]));
}

fn compare_random_scenes(name: &str, scenes: u64, kinds: [Kind; 3]) {
    compare_scenes(name, scenes, |seed, kind| random::scene(seed, kinds[kind]));
}

/// `scene` is that of a seed, of the first, second or third kind.
fn compare_scenes(name: &str, scenes: u64, scene: impl Fn(u64, usize) -> String) {
    let (mut entries, mut comparable, mut untouched, mut worst) = (0, 0, 0, 15.0_f64);
    let mut wrong = Vec::new();
    for seed in 0..scenes {
        let model = model(&scene(seed, seed as usize % KINDS.len()));
        let random = &mut Random::new(seed);
        let parameters: Vec<ParameterId> =
            (0..3).map(|_| ParameterId(random.below(model.parameters().len()) as u32)).collect();
        let report = checked(&model, &parameters, &[0.3, 0.55, 0.9]);
        let (all, some) = report.counts();
        (entries, comparable) = (entries + all, comparable + some);
        untouched += report.groups.iter().map(|group| group.untouched).sum::<usize>();
        let digits = report.worst.as_ref().map_or(15.0, |worst| worst.digits);
        worst = worst.min(digits);
        wrong.push((seed, (digits < 6.0).then(|| format!("{:?}", report.worst))));
    }
    let share = 100.0 * comparable as f64 / entries as f64;
    // Where changes reach nothing both sides are zero, which says little.
    let reached = 100.0 * (comparable - untouched) as f64 / (entries - untouched) as f64;
    println!(
        "{scenes} scenes: {share:.1} % of {entries} entries comparable, {reached:.1} % of those that changes reach"
    );
    println!("worst {worst:.1} digits");
    known::check(name, wrong);
    assert!(share >= 90.0, "only {share:.1} % comparable");
    assert!(reached >= REACHED, "only {reached:.1} % of the entries that changes reach are comparable");
}

#[test]
fn forward_and_reverse_agree_with_many_bodies() {
    for count in [1, 2, 10, 100] {
        let mut text = head(0.5, -9.81) + &floor(0.6, 0.3);
        for k in 0..count {
            let (x, y) = (f64::from(k % 10) * 0.21, 0.3 + f64::from(k / 10) * 0.25);
            let more = format!("spin = [0.5, {:?}, 1.0]", f64::from(k % 3));
            let speed = [0.1 * f64::from(k % 4), -0.5, 0.0];
            text +=
                &ball(&format!("ball{k}"), [x, y, 0.0], speed, 0.6, &more).replace("friction = 0.0", "friction = 0.2");
        }
        let model = model(&text);
        let parameters: Vec<ParameterId> = model.free_parameters().take(18).collect();
        let trajectory = simulate(&model, &model.control());
        let found = forward(&model, &model.control(), &trajectory, &parameters).at(0.5);
        assert_either_way(
            &format!("{count} bodies"),
            &found,
            &by_rows(&model, &trajectory, &parameters, Moment::Time(0.5)),
        );
    }
}
