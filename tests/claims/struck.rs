//! Impacts on joined bodies: impulses go through joints at once, and what joints held they hold afterwards.
//!
//! Momentum, energy and joint rates are read from the record of each impact, to rounding. Derivatives are compared with
//! extrapolated differences of whole motions, by every number of bodies, joints and tracks that keeps the joints together where
//! they are, and by all where there is one joint alone.

use hattrick::dynamics::BodyState;
use hattrick::math::{Rotation, Vec3, rotation};
use hattrick::model::{BodyId, Model, ParameterId};
use hattrick::sensitivity::check::ENOUGH_COMPARABLE;
use hattrick::simulation::tape::{ImpactRecord, Launched, Node};
use hattrick::simulation::{End, EventKind, Trajectory, simulate};

use super::derivatives::{assert_holds, checked};
use super::random::{Random, list};
use super::support::{ball, floor, head, model, run};

/// Between blows, s.
const SPACED: f64 = 0.02;
/// Of velocities after an impact: what solving it to 3e-13 leaves.
const SOLVED: f64 = 1e-12;

/// A capsule along y.
fn link(
    name: &str,
    [half, radius]: [f64; 2],
    mass: f64,
    position: &Vec3,
    turn: &Rotation,
    rates: [&Vec3; 2],
) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"capsule\", half_height = {half:?}, radius = {radius:?} }}\n\
         mass = {mass:?}\nposition = {}\nrotation = {}\nvelocity = {}\nspin = {}\n",
        list(position),
        list(&rotation::log(turn)),
        list(rates[0]),
        list(rates[1])
    )
}

/// A chain of links that starts in the air with every joint together, links one after the other from a point on.
fn chain(random: &mut Random, links: usize, height: f64, material: &str) -> String {
    let mut text = String::new();
    let (mut end, mut rate, mut before) = (Vec3::new(0.0, height, 0.0), random.vector(1.0), 0.0);
    for k in 0..links {
        let (half, mass) = (random.between(0.15, 0.3), random.between(0.3, 2.0));
        let (turn, spin) = (rotation::exp(random.vector(1.5)), random.vector(3.0));
        let arm = turn * Vec3::new(0.0, half, 0.0);
        let (position, velocity) = (end - arm, rate - spin.cross(&arm));
        text += &link(&format!("link {k}"), [half, 0.03], mass, &position, &turn, [&velocity, &spin]);
        text += material;
        if k > 0 {
            text += &format!(
                "[[joint]]\nname = \"elbow {k}\"\nkind = \"point_to_point\"\nbodies = [\"link {}\", \"link {k}\"]\n\
                 points = [[0, -{before:?}, 0], [0, {half:?}, 0]]\n",
                k - 1
            );
        }
        (end, rate, before) = (position - arm, velocity - spin.cross(&arm), half);
    }
    text
}

/// The impacts of a motion.
fn impacts(trajectory: &Trajectory) -> impl Iterator<Item = (&Node, &ImpactRecord)> {
    trajectory.tape().nodes.iter().filter_map(|node| Some((node, node.impact.as_deref()?)))
}

/// The state with which a body leaves a node.
fn left(trajectory: &Trajectory, node: &Node, body: BodyId) -> BodyState {
    match node.launch(body).expect("it goes on").motion {
        Launched::Joined { flight, member } => *trajectory.flight(flight).start_state(member as usize),
        Launched::Flight(phase) => *trajectory.phases(body)[phase as usize].start(),
        _ => trajectory.body_at(body, node.t),
    }
}

/// A rod of 1 m that hangs from a pin, struck so far below it by a ball without gravity.
fn struck_rod(below: f64) -> Trajectory {
    let ball = ball("ball", [-0.5, 1.0 - below, 0.0], [3.0, 0.0, 0.0], 0.6, "");
    let rod = "[[body]]\nname = \"rod\"\nshape = { kind = \"cuboid\", half_extents = [0.02, 0.5, 0.03] }\nmass = 1.3\n\
        position = [0, 0.5, 0]\nrestitution = 0.6\nfriction = 0.0\n\
        [[joint]]\nkind = \"pin\"\nbody = \"rod\"\npoint = [0, 0.5, 0]\nto = [0, 1, 0]\n";
    run(&(head(0.3, 0.0) + &ball + rod))
}

#[test]
fn a_rod_struck_at_its_centre_of_percussion_asks_nothing_of_its_pin() {
    let (mass, arm, inertia): (f64, f64, f64) = (1.3, 0.5, 1.3 / 3.0 * (0.5 * 0.5 + 0.02 * 0.02));
    let center = arm + inertia / (mass * arm);
    for below in [center, 0.3, 0.9] {
        let trajectory = struck_rod(below);
        let (node, record) = impacts(&trajectory).next().expect("an impact");
        let rod = record.bodies[1];
        let blow = -trajectory.events[0].contacts[0].impulse;
        let change = left(&trajectory, node, rod).velocity - record.states[1].velocity;
        let pin = mass * change - blow;
        // About the pin: J·ℓ = (I + m·d²)·Δω and Δv = d·Δω.
        let exact = blow.x * (mass * arm * below / (inertia + mass * arm * arm) - 1.0);
        println!("{below}: the pin gives {:e} of {:e} N s", pin.x, blow.x);
        assert!((pin.x - exact).abs() < SOLVED * blow.x && pin.yz().norm() < SOLVED * blow.x, "{pin} {exact}");
        assert!((below == center) == (pin.x.abs() < 1e-3 * blow.x));
    }
}

#[test]
fn chains_that_strike_a_floor_gain_no_energy_and_stay_together() {
    let mut random = Random::new(24);
    let (mut count, mut gain, mut off) = (0, [0.0_f64; 2], 0.0_f64);
    for seed in 0..60 {
        let friction = [0.0, 0.3, 0.8][seed % 3];
        let restitution = random.between(0.0, 1.0);
        let material = format!("restitution = {restitution:?}\nfriction = {friction:?}\n");
        let links = 2 + random.below(4);
        let chain = chain(&mut random, links, 0.3 + 0.66 * links as f64, &material);
        let trajectory = run(&(head(1.2, -9.81) + &floor(restitution, friction) + &chain));
        for (node, record) in impacts(&trajectory) {
            assert!(record.solved, "{seed}: at {} s", node.t);
            let (mut energy, mut flights) = ([0.0; 2], Vec::new());
            for (&body, before) in record.bodies.iter().zip(&record.states) {
                let properties = &trajectory.world().bodies[body.index()];
                if !properties.drive.is_pushed() {
                    continue;
                }
                energy[0] += before.kinetic_energy(&properties.mass);
                energy[1] += left(&trajectory, node, body).kinetic_energy(&properties.mass);
                if let Launched::Joined { flight, .. } = node.launch(body).expect("it flies on").motion {
                    flights.push(flight);
                }
            }
            let kind = usize::from(friction > 0.0);
            gain[kind] = gain[kind].max((energy[1] - energy[0]) / energy[0]);
            flights.dedup();
            for flight in flights {
                let rates = trajectory.flight(flight).joint_rates(node.t);
                off = rates.iter().fold(off, |off, [_, rate]| off.max(rate.abs()));
            }
            count += 1;
        }
        let ends = matches!(trajectory.end, End::Horizon | End::MachineTouched { .. });
        assert!(ends, "{seed}: {}", trajectory.end);
    }
    println!("{count} impacts, gain {gain:?} of the energy, joint rates {off:e} m/s");
    assert!(count > 100, "only {count} impacts");
    // Energies are sums of some twenty rounded terms; impulses are solved to 3e-13 of the largest.
    assert!(gain[0] < 1e-14 && gain[1] < SOLVED, "{gain:?}");
    assert!(off < SOLVED, "{off:e} m/s");
}

fn all(model: &Model) -> Vec<ParameterId> {
    (0..model.parameters().len() as u32).map(ParameterId).collect()
}

/// A rod on a pin that is carried about, which swings into a rough wall.
const CARRIED: &str = "[[track]]\nname = \"hand\"\nkeys = [{ t = 0.0, value = [0.0, 1.0, 0.0] }, \
    { t = 0.6, value = [0.25, 1.15, -0.1], ease = \"slow_in_out\" }, { t = 1.2, value = [-0.2, 0.9, 0.2], ease = \"slow_out\" }]\n\
    [[joint]]\nname = \"pin\"\nkind = \"pin\"\nbody = \"rod\"\npoint = [0, 0.35, 0]\nto = { track = \"hand\" }\n";

#[test]
fn what_hangs_from_a_moving_pin_and_strikes_has_the_derivative_of_differences() {
    let turn = rotation::exp(Vec3::new(0.3, 0.5, -0.9));
    let spin = Vec3::new(0.6, -1.1, 1.4);
    let arm = turn * Vec3::new(0.0, 0.35, 0.0);
    let rates = [&-spin.cross(&arm), &spin];
    let rod = link("rod", [0.35, 0.04], 0.9, &(Vec3::new(0.0, 1.0, 0.0) - arm), &turn, rates);
    let wall = "[[body]]\nname = \"wall\"\nfixed = true\nshape = { kind = \"half_space\", normal = [-0.96, 0.28, 0.1] }\n\
        position = [0.4, 0.6, 0.0]\nrestitution = 0.5\nfriction = 0.3\n";
    let text = head(0.8, -9.81) + wall + &rod + "restitution = 0.5\nfriction = 0.3\n" + CARRIED;
    let model = model(&text);
    let trajectory = simulate(&model, &model.control());
    let hits: Vec<f64> = impacts(&trajectory).map(|(node, _)| node.t).collect();
    println!("{hits:?}");
    assert!(hits.first().is_some_and(|t| *t > 0.05 && *t < 0.6), "{hits:?} {}", trajectory.end);
    let after = 0.5 * (hits[0] + hits.get(1).copied().unwrap_or(trajectory.t_end));
    let report = checked(&model, &all(&model), &[0.5 * hits[0], after]);
    // The time of the first key, at the very start, has differences from one side only.
    assert_holds("carried rod", &report, 0.85);
    assert!(report.worst.is_some_and(|worst| worst.digits > 7.5));
}

#[test]
fn chains_that_strike_a_floor_have_the_derivative_of_differences() {
    let mut random = Random::new(7);
    for friction in [0.0, 0.3, 0.8] {
        let material = format!("restitution = 0.6\nfriction = {friction:?}\n");
        // The first of many whose blows are so far apart that small changes leave their order as it is, and none of which is of an
        // elbow: there two links strike at one place and time, as long as nothing parts them.
        let apart = |_| {
            let chain = chain(&mut random, 3, 2.2, &material);
            let model = model(&(head(1.0, -9.81) + &floor(0.6, friction) + &chain));
            let trajectory = simulate(&model, &model.control());
            let first: Vec<_> = impacts(&trajectory).take(3).collect();
            let hits: Vec<f64> = first.iter().map(|(node, _)| node.t).collect();
            let alone = first.iter().all(|(_, record)| record.contacts.len() == 1);
            let spaced = alone && hits.windows(2).all(|pair| pair[1] - pair[0] > SPACED);
            (hits.len() == 3 && spaced).then_some((model, hits))
        };
        let (model, hits) = (0..100).find_map(apart).expect("some chain bounces so");
        let times = [0.5 * (hits[0] + hits[1]), 0.5 * (hits[1] + hits[2])];
        let report = checked(&model, &all(&model), &times);
        println!("{hits:?}");
        // Friction that is zero has one side.
        assert_holds(&format!("chain with friction {friction}"), &report, ENOUGH_COMPARABLE);
    }
}

/// A door on hinges, struck by a ball.
fn door(hinges: &[f64]) -> String {
    let ball = ball("ball", [0.55, 0.1, 0.8], [0.1, 0.4, -3.0], 0.5, "spin = [3, 1, 2]");
    let hinge = |at: &f64| {
        format!(
            "[[joint]]\nkind = \"hinge\"\nbody = \"door\"\npoint = [-0.4, {at:?}, 0]\naxis = [0, 1, 0]\n\
             to = [0, {at:?}, 0]\nto_axis = [0, 1, 0]\n"
        )
    };
    let leaf = "[[body]]\nname = \"door\"\nshape = { kind = \"cuboid\", half_extents = [0.4, 0.9, 0.02] }\nmass = 8.0\n\
        position = [0.4, 0, 0]\nrestitution = 0.5\nfriction = 0.4\n";
    let rough = ball.replace("friction = 0.0", "friction = 0.4");
    head(0.6, -9.81) + leaf + &hinges.iter().map(hinge).collect::<String>() + &rough
}

#[test]
fn a_door_on_three_hinges_is_struck_as_on_one() {
    let once = run(&door(&[0.0]));
    let often = run(&door(&[-0.7, 0.2, 0.8]));
    assert_eq!(impacts(&once).count(), 1);
    for body in 0..2 {
        let states = [&once, &often].map(|trajectory| trajectory.body_at(BodyId(body), 0.6));
        let off = (states[0].position - states[1].position).norm() + (states[0].velocity - states[1].velocity).norm();
        println!("off by {off:e}");
        assert!(off < 1e-11, "{off:e}");
    }
    let model = model(&door(&[-0.7, 0.2, 0.8]));
    // What keeps the hinges together.
    let names = ["ball.position", "ball.velocity", "ball.spin", "ball.mass", "ball.friction", "door.mass", "gravity"];
    let parameters: Vec<ParameterId> = names.iter().flat_map(|name| model.group(name).expect("known")).collect();
    let report = checked(&model, &parameters, &[0.5]);
    assert_holds("door", &report, 0.95);
    assert!(report.worst.is_some_and(|worst| worst.digits > 7.0));
}

/// Two arms on the ends of a beam that swing towards each other, with nothing fixed.
fn jaws() -> String {
    let [turn, still] = [Rotation::identity(), rotation::exp(Vec3::new(0.0, 0.0, 0.5 * std::f64::consts::PI))];
    let zero = Vec3::zeros();
    let arm = |name: &str, x: f64, spin: f64| {
        let spin = Vec3::new(0.0, 0.0, spin);
        let velocity = spin.cross(&Vec3::new(0.0, 0.28, 0.0));
        link(name, [0.28, 0.03], 0.7, &Vec3::new(x, 0.28, 0.0), &turn, [&velocity, &spin])
    };
    let material = "restitution = 0.8\nfriction = 0.3\n";
    let joint = |other: &str, y: f64| {
        format!(
            "[[joint]]\nkind = \"point_to_point\"\nbodies = [\"beam\", \"{other}\"]\npoints = [[0, {y:?}, 0], [0, -0.28, 0]]\n"
        )
    };
    head(0.6, 0.0)
        + &link("beam", [0.3, 0.03], 1.5, &zero, &still, [&zero, &zero])
        + material
        + &arm("left", -0.3, -2.0)
        + material
        + &arm("right", 0.3, 1.5)
        + material
        + &joint("left", 0.3)
        + &joint("right", -0.3)
}

#[test]
fn bodies_of_one_machine_strike_each_other_and_keep_their_momentum() {
    let trajectory = run(&jaws());
    let (node, record) = impacts(&trajectory).next().expect("an impact");
    let event = trajectory.events.iter().find(|event| event.kind == EventKind::Impact).expect("it is told");
    assert_eq!([event.first, event.second, BodyId(event.number)], [BodyId(1), BodyId(2), BodyId(1)]);
    let (mut momentum, mut angular) = ([Vec3::zeros(); 2], [Vec3::zeros(); 2]);
    for (&body, before) in record.bodies.iter().zip(&record.states) {
        let mass = &trajectory.world().bodies[body.index()].mass;
        for (k, state) in [*before, left(&trajectory, node, body)].iter().enumerate() {
            momentum[k] += mass.mass * state.velocity;
            let turning = state.angular_momentum(mass);
            angular[k] += state.position.cross(&(mass.mass * state.velocity)) + turning;
        }
    }
    let off = [(momentum[0] - momentum[1]).norm(), (angular[0] - angular[1]).norm()];
    println!("momentum off by {off:?}");
    assert!(record.bodies.len() == 3 && off.iter().all(|off| *off < SOLVED), "{off:?}");
}

/// A plank on a hinge at its middle, and a ball above one end.
fn see_saw(restitution: f64) -> String {
    let plank = "[[body]]\nname = \"plank\"\nshape = { kind = \"cuboid\", half_extents = [0.8, 0.03, 0.2] }\nmass = 4.0\n\
        position = [0, 1, 0]\n[[joint]]\nkind = \"hinge\"\nbody = \"plank\"\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n\
        to = [0, 1, 0]\nto_axis = [0, 0, 1]\n";
    let ball = ball("ball", [0.5, 1.5, 0.01], [0.0, 0.0, 0.0], restitution, "");
    head(2.0, -9.81) + &plank.replace("mass = 4.0", &format!("mass = 4.0\nrestitution = {restitution:?}")) + &ball
}

#[test]
fn what_stays_on_a_machine_ends_the_run_by_name() {
    let landed = run(&see_saw(0.0));
    let End::MachineTouched { t, first, second } = landed.end else { panic!("{}", landed.end) };
    assert_eq!([first, second], [BodyId(0), BodyId(1)]);
    let hit = &landed.events[0];
    assert!(hit.kind == EventKind::Impact && hit.t == t, "it ends with its first blow");
    let bounced = run(&see_saw(0.7));
    assert_eq!(bounced.end, End::Horizon, "{}", bounced.end);
}

#[test]
fn what_touches_a_machine_without_pressing_lets_it_fly() {
    let wall = "[[body]]\nname = \"wall\"\nfixed = true\nshape = { kind = \"half_space\", normal = [1, 0, 0] }\n\
        position = [-0.1, 0, 0]\n";
    let pendulum = |x: f64| {
        let pin = "[[joint]]\nkind = \"pin\"\nbody = \"bob\"\npoint = [0, 1, 0]\nto = [0, 1, 0]\n";
        head(1.0, -9.81)
            + wall
            + &ball("bob", [0.0; 3], [x, 0.0, 0.0], 0.9, "spin = [0, 0, 0]")
                .replace("spin = [0, 0, 0]", &format!("spin = [0, 0, {x:?}]"))
            + pin
    };
    let hanging = run(&pendulum(0.0));
    assert!(hanging.end == End::Horizon && hanging.events.is_empty(), "{} {:?}", hanging.end, hanging.events);
    let swinging = run(&pendulum(0.5));
    assert_eq!((&swinging.end, swinging.events.len()), (&End::Horizon, 0), "half a swing takes 1.0 s");
}
