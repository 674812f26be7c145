//! Impacts of bodies that are joined: the rows hold, and the answer is the one that elimination gives.
//!
//! With the rows j of joints eliminated from those c of contacts,
//!
//! ```text
//! K′ = K_cc − K_cj·K_jj⁻¹·K_jc,   w′ = w_c − K_cj·K_jj⁻¹·w_j                                        (1)
//! p_j = −K_jj⁻¹·(w_j + K_jc·p_c)                                                                    (2)
//! ```
//!
//! is a contact problem without joints. The derivative is compared with differences for rows of any matrices, not only of
//! those that a joint can have.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::derivative::{TOLERANCE, check, random_direction, survey};
use super::*;
use crate::contact::group::Rows;
use crate::contact::group::frame::hat;
use crate::contact::group_tangent::GroupTangent;
use crate::contact::law::{Kind, RowLaw};
use crate::contact::{ContactProblemDirection, Response};

/// Two bodies pinned together at a point of the world, with the velocity of the first's place relative to the second's.
fn pin(bodies: &[GroupBody], [first, second]: [usize; 2], point: Vec3, target: Vec3) -> RowBlock {
    let turn = |body: usize| -hat(&(point - bodies[body].position));
    let rows = Rows { first, second, push: Mat3::identity(), first_turn: turn(first), second_turn: turn(second) };
    RowBlock { rows, law: RowLaw::Equality { rows: 3 }, target }
}

/// A chain of bodies, pinned from one to the next, of which the first falls on a floor with `contacts` points.
fn chain(random: &mut Random, links: usize, contacts: usize, friction: f64) -> Scene {
    let mut bodies: Vec<GroupBody> = (0..links).map(|_| body(random)).collect();
    for (k, body) in bodies.iter_mut().enumerate() {
        body.position = Vec3::new(0.0, 0.0, 0.5 * k as f64) + random.vector(0.1);
        body.velocity.z = -2.0;
    }
    bodies.push(fixed());
    let pins = (1..links).map(|k| {
        let middle = (bodies[k - 1].position + bodies[k].position) * 0.5 + random.vector(0.1);
        pin(&bodies, [k - 1, k], middle, Vec3::zeros())
    });
    let blocks = pins.collect();
    let contact = |_| GroupContact {
        first: 0,
        second: links,
        point: bodies[0].position + random.vector(0.3) - 0.2 * Vec3::z(),
        normal: (Vec3::z() + random.vector(0.6)).normalize(),
        restitution: random.between(0.2, 0.9),
        friction,
        rolling: 0.0,
    };
    let contacts = (0..contacts).map(contact).collect();
    Scene { bodies, contacts, blocks, rest_speed: 0.02 }
}

/// Poisson's hypothesis on (1), with the impulses of all rows by (2).
fn by_elimination(scene: &Scene) -> Option<DVector<f64>> {
    let group = Group::with_blocks(&scene.bodies, &scene.contacts, &scene.blocks);
    let (response, count) = (group.response(), 3 * scene.contacts.len());
    let joined = response.nrows() - count;
    let view = |row, column, rows, columns| response.view((row, column), (rows, columns)).into_owned();
    let inverse = view(count, count, joined, joined).try_inverse()?;
    let across = view(0, count, count, joined) * &inverse;
    let whole = ContactProblem::new(&group, group.contact_velocity(|body| group.motions()[body])).velocity;
    let (w_c, w_j) = (whole.rows(0, count).into_owned(), whole.rows(count, joined).into_owned());
    let reduced: DMatrix<f64> = view(0, 0, count, count) - &across * view(count, 0, joined, count);
    let problem = ContactProblem {
        response: Arc::new(Response::Matrix((&reduced + reduced.transpose()) * 0.5)),
        velocity: &w_c - &across * &w_j,
        laws: group.laws.iter().copied().filter(|law| law.kind() == Kind::Contact).collect(),
        given_normal: None,
    };
    let ask = |velocity, given_normal| {
        let solution =
            solve(ContactProblem { velocity, given_normal, ..problem.clone() }, None, &mut ContactWorkspace::default());
        solution.solved.then_some(solution)
    };
    let first = ask(problem.velocity.clone(), None)?;
    let restitution =
        |i: usize| scene.contacts[i].restitution * fade(-whole[3 * i], scene.rest_speed).0 * first.impulse()[3 * i];
    let second = ask(after(&first), Some((0..count / 3).map(restitution).collect()))?;
    let mut p_c = first.impulse() + second.impulse();
    let end = after(&second);
    if (0..count / 3).any(|i| end[3 * i] < -1e-12 * whole.amax()) {
        p_c += ask(end, None)?.impulse();
    }
    let p_j = -inverse * (w_j + view(count, 0, joined, count) * &p_c);
    Some(DVector::from_iterator(count + joined, p_c.iter().chain(p_j.iter()).copied()))
}

#[test]
fn joined_bodies_strike_as_by_elimination() {
    let mut random = Random::new(31);
    let (mut compared, mut worst) = (0, [0.0f64; 2]);
    for k in 0..300 {
        let contacts = 1 + k % 2;
        let scene = chain(&mut random, 2 + k % 3, contacts, [0.0, 0.3, 0.9][k % 3]);
        let outcome = scene.impact();
        let Some(impulse) = by_elimination(&scene) else { continue };
        assert!(outcome.solved);
        if outcome.retained < 1.0 {
            continue;
        }
        let expected = outcome.group.motion_change(&impulse);
        for ((motion, change), body) in outcome.velocities.iter().zip(expected).zip(&scene.bodies) {
            let error = (motion.0 - body.velocity - change.0).amax().max((motion.1 - body.spin - change.1).amax());
            worst[contacts - 1] = worst[contacts - 1].max(error);
        }
        compared += 1;
    }
    println!("compared {compared}, worst {worst:?}");
    assert!(compared > 280, "{compared}");
    // Two contacts that stick are redundant along the line between them, where compliance multiplies rounding by 1e6.
    assert!(worst[0] < 1e-12 && worst[1] < 1e-9, "{worst:?}");
}

#[test]
fn joined_bodies_leave_with_the_velocities_asked_for() {
    let mut random = Random::new(32);
    for k in 0..200 {
        let mut scene = chain(&mut random, 2 + k % 8, k % 3, 0.4);
        scene.blocks.iter_mut().for_each(|block| block.target = random.vector(0.3));
        let outcome = scene.impact();
        assert!(outcome.solved, "{k}: {}", outcome.phases[0].residual);
        let after = outcome.group().contact_velocity(|body| outcome.velocities[body]);
        for (i, block) in scene.blocks.iter().enumerate() {
            let velocity = Vec3::from(after.fixed_rows::<3>(3 * (scene.contacts.len() + i)));
            assert!((velocity - block.target).amax() < 1e-12, "{k}: {velocity} {}", block.target);
        }
    }
}

/// A pin given twice says nothing new, and takes no energy more.
#[test]
fn redundant_rows_change_nothing() {
    let mut random = Random::new(33);
    for k in 0..100 {
        let mut scene = chain(&mut random, 2 + k % 8, 2, 0.4);
        let once = scene.impact();
        scene.blocks.extend_from_within(..);
        let twice = scene.impact();
        assert!(once.solved && twice.solved);
        for (a, b) in once.velocities.iter().zip(&twice.velocities) {
            let error = (a.0 - b.0).amax().max((a.1 - b.1).amax());
            assert!(error < 1e-9, "{k}: {error:e}");
        }
    }
}

#[test]
fn joined_bodies_gain_no_energy_and_keep_their_momentum() {
    let mut random = Random::new(34);
    for k in 0..200 {
        let mut scene = chain(&mut random, 2 + k % 8, 1 + k % 4, 0.6);
        // What is joined and meets nothing loses no momentum.
        if k % 2 == 0 {
            scene.contacts.clear();
        }
        let outcome = scene.impact();
        assert!(outcome.solved);
        let before = scene.energy(&outcome.group().motions());
        assert!(scene.energy(&outcome.velocities) <= before * (1.0 + 1e-12));
        if k % 2 == 0 {
            let push = |(body, motion): (&GroupBody, &Motion)| {
                if body.inverse_mass > 0.0 { (motion.0 - body.velocity) / body.inverse_mass } else { Vec3::zeros() }
            };
            let sum: Vec3 = scene.bodies.iter().zip(&outcome.velocities).map(push).sum();
            assert!(sum.amax() < 1e-12, "{sum}");
        }
    }
}

#[test]
fn joined_bodies_have_the_derivative_of_differences() {
    let name = |outcome: &Impact| {
        let large = matches!(&*outcome.phases[0].problem.response, Response::Bodies(_));
        format!("{} {} phases", if large { "large" } else { "small" }, outcome.phases.len())
    };
    let make = |random: &mut Random| {
        let links = if random.between(0.0, 1.0) < 0.3 { 9 } else { 2 };
        let friction = random.between(-0.1, 0.8).max(0.0);
        let mut scene = chain(random, links, 1, friction);
        scene.blocks.iter_mut().for_each(|block| block.target = random.vector(0.3));
        scene
    };
    let found = survey(0..200, make, random_direction, name);
    check(&found, "small 2 phases", 200, TOLERANCE);
    check(&found, "large 2 phases", 60, TOLERANCE);
}

/// Forward, as held steps need it, the derivative is that of the rows, which go backwards.
#[test]
fn the_derivative_forward_is_that_of_the_rows() {
    let mut random = Random::new(36);
    for k in 0..60 {
        let mut scene = chain(&mut random, 2 + k % 8, 1 + k % 2, 0.4);
        scene.contacts.iter_mut().for_each(|contact| contact.restitution = 0.0);
        scene.blocks.iter_mut().for_each(|block| block.target = random.vector(0.3));
        let (outcome, direction) = (scene.impact(), random_direction(&mut random, &scene));
        let [phase] = &*outcome.phases else { panic!("nothing expands") };
        let tangent = GroupTangent::new(outcome.group(), &direction.bodies, &direction.contacts);
        let tangent = tangent.with_blocks(&direction.blocks);
        let dmotions: Vec<Motion> = direction.bodies.iter().map(|body| (body.dvelocity, body.dspin)).collect();
        let dfriction: Vec<f64> = direction.contacts.iter().map(|contact| contact.dfriction).collect();
        let dvelocity = tangent.contact_velocity(&dmotions);
        let dimpulse = phase.tangent(&ContactProblemDirection {
            dvelocity: &|p| &dvelocity + tangent.response_times(p),
            dmean_traces: tangent.mean_traces(),
            dcoefficients: &outcome.group().coefficient_changes(&dfriction, &[]),
            dgiven_normal: &[],
        });
        let change = tangent.motion_change(phase.impulse(), &dimpulse);
        let bodies: Vec<usize> = (0..scene.bodies.len()).collect();
        for ((rows, start), change) in outcome.rows(&bodies).iter().zip(&dmotions).zip(&change) {
            let forward = (start.0 + change.0).into_iter().chain(&(start.1 + change.1)).copied().collect::<Vec<f64>>();
            for (a, b) in rows.along(&direction).zip(forward) {
                assert!((a - b).abs() < 1e-8 * (1.0 + b.abs()), "{k}: {a} {b}");
            }
        }
    }
}

/// Blocks of one and two rows, whose other rows have no impulse.
#[test]
fn unused_rows_have_no_impulse_and_the_derivative_of_differences() {
    let make = |random: &mut Random| {
        let mut scene = chain(random, 3, 1, 0.5);
        for (rows, block) in [1, 2].into_iter().zip(&mut scene.blocks) {
            block.law = RowLaw::Equality { rows };
        }
        let outcome = scene.impact();
        for phase in &outcome.phases {
            let p = phase.impulse();
            assert_eq!([p[4], p[5], p[8]], [0.0; 3]);
        }
        scene
    };
    let found = survey(0..60, make, random_direction, |outcome| format!("{} phases", outcome.phases.len()));
    check(&found, "2 phases", 60, TOLERANCE);
}

/// ε of one kind of rows does not depend on rows of other kinds.
#[test]
fn rows_of_other_kinds_leave_the_compliance_of_contacts_as_it_is() {
    let mut random = Random::new(35);
    let mut scene = chain(&mut random, 3, 3, 0.5);
    let traces = |scene: &Scene| {
        let group = Group::with_blocks(&scene.bodies, &scene.contacts, &scene.blocks);
        let velocity = group.contact_velocity(|body| group.motions()[body]);
        solve(ContactProblem::new(&group, velocity), None, &mut ContactWorkspace::default()).mean_traces
    };
    let joined = traces(&scene);
    scene.contacts[1].rolling = 0.01;
    let rolling = traces(&scene);
    scene.blocks.clear();
    let free = traces(&scene);
    assert!(joined[Kind::Rolling] == 0.0 && rolling[Kind::Rolling] > 0.0 && free[Kind::Equality] == 0.0);
    assert!(joined[Kind::Contact] == rolling[Kind::Contact] && joined[Kind::Contact] == free[Kind::Contact]);
    assert!(joined[Kind::Equality] == rolling[Kind::Equality] && joined[Kind::Equality] > 0.0);
    assert_eq!(rolling[Kind::Rolling], free[Kind::Rolling]);
}
