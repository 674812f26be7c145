//! `ImpactRows` against central differences of `impact`, in random directions of everything it depends on.
//!
//! Where a contact slides slowly the direction of friction turns quickly, and so do the impulses of redundant sticking
//! corners: the error of a plain central difference, h²·|f‴|/6, reaches 1e-5 there. The differences here are of
//! fourth order, (8·(f(h) − f(−h)) − (f(2h) − f(−2h)))/12h; halving h divides what is left by 16, down to 5e-10.
//!
//! Differences mean something only where both sides take the same branches as the middle; others are skipped and the
//! number compared is asserted, so that a test cannot pass by comparing nothing.

use std::collections::BTreeMap;

use super::*;
use crate::contact::ImpactRows;

const STEPS: [f64; 4] = [1e-4, 3e-5, 1e-5, 3e-6];
pub(super) const TOLERANCE: f64 = 1e-7;
/// Where redundant contacts slide, the compliance of 1e-6 decides the velocities and multiplies their rounding by 1e6:
/// they carry 1e-11 of noise, which over a step of 3e-6 is a difference's error of this size.
const REDUNDANT_TOLERANCE: f64 = 1e-5;

pub(super) fn random_direction(random: &mut Random, scene: &Scene) -> ImpactDirection {
    let mut body = |body: &GroupBody| {
        let mut direction = BodyDirection {
            dposition: random.vector(1.0),
            drotation: random.vector(1.0),
            dvelocity: random.vector(1.0),
            dspin: random.vector(1.0),
            ..BodyDirection::default()
        };
        if body.inverse_mass > 0.0 {
            let any = Mat3::from_fn(|_, _| random.between(-1.0, 1.0));
            direction.dinverse_mass = random.between(-1.0, 1.0);
            direction.dinverse_inertia = any + any.transpose();
        }
        direction
    };
    let bodies = scene.bodies.iter().map(&mut body).collect();
    let contact = |contact: &GroupContact| ContactDirection {
        dpoint: random.vector(1.0),
        dnormal: contact.normal.cross(&random.vector(1.0)),
        drestitution: random.between(-1.0, 1.0),
        dfriction: if contact.friction > 0.0 { random.between(-1.0, 1.0) } else { 0.0 },
        drolling: 0.0,
    };
    let contacts = scene.contacts.iter().map(contact).collect();
    let block = |_: &RowBlock| {
        let mut matrix = || Mat3::from_fn(|_, _| random.between(-1.0, 1.0));
        let (dpush, dfirst_turn, dsecond_turn) = (matrix(), matrix(), matrix());
        RowBlockDirection { dpush, dfirst_turn, dsecond_turn, dtarget: random.vector(1.0) }
    };
    let blocks = scene.blocks.iter().map(block).collect();
    ImpactDirection { bodies, contacts, blocks }
}

/// The contacts of a patch move with the first body and share their normal, restitution and friction. Moved apart they
/// would no longer be redundant, and the answer would turn within a step of the size of the compliance.
fn patch_direction(random: &mut Random, scene: &Scene) -> ImpactDirection {
    let mut direction = random_direction(random, scene);
    let (shared, body) = (direction.contacts[0], direction.bodies[0]);
    for (contact, one) in scene.contacts.iter().zip(&mut direction.contacts) {
        *one = shared;
        one.dpoint = body.dposition + body.drotation.cross(&(contact.point - scene.bodies[0].position));
    }
    direction
}

fn moved(scene: &Scene, direction: &ImpactDirection, h: f64) -> Scene {
    let mut scene = scene.clone();
    for (body, direction) in scene.bodies.iter_mut().zip(&direction.bodies) {
        let turn = *nalgebra::Rotation3::new(h * direction.drotation).matrix();
        body.position += h * direction.dposition;
        body.velocity += h * direction.dvelocity;
        body.spin += h * direction.dspin;
        body.inverse_mass += h * direction.dinverse_mass;
        body.inverse_inertia = turn * body.inverse_inertia * turn.transpose() + h * direction.dinverse_inertia;
    }
    for (contact, direction) in scene.contacts.iter_mut().zip(&direction.contacts) {
        contact.point += h * direction.dpoint;
        contact.normal = (contact.normal + h * direction.dnormal).normalize();
        contact.restitution += h * direction.drestitution;
        contact.friction += h * direction.dfriction;
    }
    for (block, direction) in scene.blocks.iter_mut().zip(&direction.blocks) {
        block.rows.push += h * direction.dpush;
        block.rows.first_turn += h * direction.dfirst_turn;
        block.rows.second_turn += h * direction.dsecond_turn;
        block.target += h * direction.dtarget;
    }
    scene
}

/// δv⁺ and δω⁺ of every body.
fn tangent(outcome: &Impact, direction: &ImpactDirection) -> Vec<Motion> {
    let bodies = Vec::from_iter(0..direction.bodies.len());
    let motion = |rows: &ImpactRows| {
        let changes: Vec<f64> = rows.along(direction).collect();
        let part = |first: usize| Vec3::from_column_slice(&changes[first..first + 3]);
        (part(0), part(3))
    };
    outcome.rows(&bodies).iter().map(motion).collect()
}

fn signature(outcome: &Impact) -> Vec<Vec<Mode>> {
    outcome.phases.iter().map(ContactSolution::modes).collect()
}

/// The least error over a ladder of steps; none where the branches differ at all of them.
///
/// A long step errs by its length, a short one by rounding, and how far each reaches differs from impact to impact by
/// orders of magnitude. A wrong derivative agrees with none of them.
fn error(scene: &Scene, direction: &ImpactDirection, tangent: &[Motion]) -> Option<f64> {
    let errors = STEPS.map(|h| error_at(scene, direction, tangent, h));
    errors.into_iter().flatten().reduce(f64::min)
}

/// The largest error over all velocities, relative to 1 + their size; none where the branches differ.
fn error_at(scene: &Scene, direction: &ImpactDirection, tangent: &[Motion], h: f64) -> Option<f64> {
    let expected = signature(&scene.impact());
    let mut numeric = vec![(Vec3::zeros(), Vec3::zeros()); scene.bodies.len()];
    for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        let outcome = moved(scene, direction, steps * h).impact();
        if !outcome.solved || signature(&outcome) != expected {
            return None;
        }
        for (sum, motion) in numeric.iter_mut().zip(&outcome.velocities) {
            sum.0 += weight / (12.0 * h) * motion.0;
            sum.1 += weight / (12.0 * h) * motion.1;
        }
    }
    let one = |(numeric, exact): (&Motion, &Motion)| {
        let scale = 1.0 + exact.0.amax().max(exact.1.amax());
        (numeric.0 - exact.0).amax().max((numeric.1 - exact.1).amax()) / scale
    };
    Some(numeric.iter().zip(tangent).map(one).fold(0.0, f64::max))
}

/// Errors in a few random directions, by the branches taken; `name` chooses how branches are called.
pub(super) fn survey(
    seeds: std::ops::Range<u64>,
    make: impl Fn(&mut Random) -> Scene,
    direct: impl Fn(&mut Random, &Scene) -> ImpactDirection,
    name: impl Fn(&Impact) -> String,
) -> BTreeMap<String, (usize, f64)> {
    let mut found: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    for seed in seeds {
        let mut random = Random::new(seed);
        let scene = make(&mut random);
        let outcome = scene.impact();
        for _ in 0..3 {
            let direction = direct(&mut random, &scene);
            if let Some(error) = error(&scene, &direction, &tangent(&outcome, &direction)) {
                let entry = found.entry(name(&outcome)).or_default();
                *entry = (entry.0 + 1, entry.1.max(error));
            }
        }
    }
    println!("{found:?}");
    found
}

#[track_caller]
pub(super) fn check(found: &BTreeMap<String, (usize, f64)>, name: &str, least: usize, tolerance: f64) {
    let (count, worst) = found.get(name).copied().unwrap_or_default();
    assert!(count >= least, "{name}: only {count} compared");
    assert!(worst <= tolerance, "{name}: error {worst:e}");
}

/// The first body touches the second at `count` points below it.
fn contacts_below(random: &mut Random, bodies: Vec<GroupBody>, count: usize, friction: f64) -> Scene {
    let contact = |_| GroupContact {
        first: 0,
        second: 1,
        point: bodies[0].position + random.vector(0.3) - 0.2 * Vec3::z(),
        normal: (Vec3::z() + random.vector(0.6)).normalize(),
        restitution: random.between(0.2, 0.9),
        friction,
        rolling: 0.0,
    };
    let contacts = (0..count).map(contact).collect();
    Scene { bodies, contacts, blocks: Vec::new(), rest_speed: 0.02 }
}

fn one_contact(random: &mut Random, free: bool) -> Scene {
    let mut bodies = vec![body(random), if free { body(random) } else { fixed() }];
    bodies[0].velocity.z = -2.0;
    let friction = random.between(-0.1, 0.8).max(0.0);
    contacts_below(random, bodies, 1, friction)
}

fn branches(outcome: &Impact) -> String {
    signature(outcome).iter().map(|modes| format!("{modes:?}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn one_contact_has_the_derivative_of_differences_in_every_branch() {
    for free in [false, true] {
        let found = survey(0..600, |random| one_contact(random, free), random_direction, branches);
        check(&found, "[Frictionless] [Frictionless]", 20, TOLERANCE);
        check(&found, "[Stick] [Stick]", 20, TOLERANCE);
        check(&found, "[Slide] [Slide]", 20, TOLERANCE);
        check(&found, "[Slide] [Stick]", 20, TOLERANCE);
        check(&found, "[Stick] [Slide]", 20, TOLERANCE);
    }
}

#[test]
fn several_contacts_have_the_derivative_of_differences() {
    let make = |random: &mut Random| {
        let mut bodies = vec![body(random), body(random)];
        bodies[0].velocity.z = -2.0;
        let count = 2 + random.between(0.0, 2.0) as usize;
        let friction = random.between(-0.1, 0.8).max(0.0);
        contacts_below(random, bodies, count, friction)
    };
    // Two contacts that stick share an undecided impulse along the line between them.
    let name = |outcome: &Impact| {
        let sticking = |modes: &Vec<Mode>| modes.iter().filter(|mode| **mode == Mode::Stick).count() > 1;
        let redundant = if signature(outcome).iter().any(sticking) { "redundant, " } else { "" };
        format!("{redundant}{} phases", outcome.phases.len())
    };
    let found = survey(0..600, make, random_direction, name);
    check(&found, "2 phases", 300, TOLERANCE);
    check(&found, "redundant, 2 phases", 20, REDUNDANT_TOLERANCE);
    check(&found, "3 phases", 30, TOLERANCE);
}

#[test]
fn inside_the_fade_the_derivative_sees_it() {
    let make = |random: &mut Random| {
        let mut scene = one_contact(random, true);
        let outcome = scene.impact();
        scene.rest_speed = -outcome.phases[0].problem.velocity[0] * random.between(1.1, 3.0);
        scene
    };
    let found = survey(0..300, make, random_direction, |outcome| format!("{} phases", outcome.phases.len()));
    check(&found, "2 phases", 100, TOLERANCE);
}

fn kind(outcome: &Impact) -> String {
    let modes = outcome.phases[0].modes();
    let name = if modes.contains(&Mode::Slide) { "slide" } else { "no slide" };
    format!("{name} {}", modes.iter().filter(|mode| **mode != Mode::Open).count())
}

#[test]
fn four_redundant_corners_have_the_derivative_of_differences() {
    let sticking = survey(0..200, |random| landing_box(random, 0.02, 0.5, 0.6), patch_direction, kind);
    let sliding = survey(0..200, |random| landing_box(random, 0.3, 0.5, 0.3), patch_direction, kind);
    check(&sticking, "no slide 4", 50, TOLERANCE);
    check(&sliding, "slide 4", 50, REDUNDANT_TOLERANCE);
}

#[test]
fn an_impact_that_may_not_gain_energy_has_the_derivative_of_differences() {
    let make = |random: &mut Random| loop {
        let mut scene = random_scene(random);
        for contact in &mut scene.contacts {
            (contact.restitution, contact.friction) = (0.95, 1.0);
        }
        let outcome = scene.impact();
        if outcome.solved && outcome.retained < 0.999 {
            return scene;
        }
    };
    let name = |outcome: &Impact| format!("{}", outcome.retained < 1.0);
    let found = survey(0..10, make, random_direction, name);
    check(&found, "true", 10, REDUNDANT_TOLERANCE);
}

/// A meeting at which nothing is found to touch.
#[test]
fn without_contacts_motions_follow_themselves() {
    let scene = Scene { contacts: Vec::new(), ..one_contact(&mut Random::new(8), true) };
    let outcome = scene.impact();
    let still = ImpactDirection { bodies: vec![BodyDirection::default(); 2], contacts: Vec::new(), blocks: Vec::new() };
    for axis in 0..3 {
        let mut direction = still.clone();
        (direction.bodies[0].dvelocity[axis], direction.bodies[1].dposition[axis]) = (2.0, 3.0);
        let mut expected = Vec3::zeros();
        expected[axis] = 2.0;
        let zero = Vec3::zeros();
        assert_eq!(tangent(&outcome, &direction), [(expected, zero), (zero, zero)]);
    }
}

/// Negative control: the comparison notices when the response is treated as constant.
#[test]
fn a_derivative_without_the_change_of_the_response_is_caught() {
    let mut random = Random::new(7);
    let scene = one_contact(&mut random, true);
    let direction = random_direction(&mut random, &scene);
    let outcome = scene.impact();
    let exact = tangent(&outcome, &direction);
    assert!(error(&scene, &direction, &exact).unwrap() < TOLERANCE);
    let mut frozen = direction.clone();
    for body in &mut frozen.bodies {
        (body.dinverse_mass, body.dinverse_inertia, body.drotation) = (0.0, Mat3::zeros(), Vec3::zeros());
    }
    let wrong = tangent(&outcome, &frozen);
    assert!(error(&scene, &direction, &wrong).unwrap() > 1e-3);
    let zeros = vec![(Vec3::zeros(), Vec3::zeros()); 2];
    assert!(error(&scene, &direction, &zeros).unwrap() > 1e-3);
}
