//! Stacks of boxes solved with K and without it: the same answers, the same derivatives.

use super::*;
use crate::contact::group::bodies::{GroupBody, GroupContact, Motion};
use crate::contact::group::rows::Group;
use crate::contact::law::Mode;
use crate::contact::solve::system::{Scratch, System};
use crate::math::{Mat3, Vec3};

/// What kind of stack.
#[derive(Clone, Copy)]
pub(super) struct Stack {
    /// Boxes above each other.
    pub(super) height: usize,
    /// Contacts of each pair: the corners, then points of the edges between them.
    pub(super) contacts: usize,
    /// Random velocities of this size beside what gravity gives in a step.
    pub(super) speed: f64,
    /// Rolling resistance of every other pair, m.
    pub(super) rolling: f64,
    /// Coefficient of friction.
    pub(super) friction: f64,
}

/// Boxes of 1 kg on each other, each a little aside and turned.
pub(super) fn stack(random: &mut Random, kind: Stack) -> Group {
    let half = Vec3::new(0.1, 0.1, 0.05);
    let inverse = Vec3::new(3.0 / 0.0125, 3.0 / 0.0125, 3.0 / 0.02);
    let mut motion = |size: f64| Vec3::from_fn(|_, _| size * kind.speed * random.next());
    let mut bodies: Vec<GroupBody> = (0..kind.height)
        .map(|k| {
            let turn = *nalgebra::Rotation3::new(0.2 * k as f64 * Vec3::z()).matrix();
            GroupBody {
                inverse_mass: 1.0,
                inverse_inertia: turn * Mat3::from_diagonal(&inverse) * turn.transpose(),
                position: Vec3::new(0.013 * (k % 2) as f64, 0.013 * (k / 2 % 2) as f64, 0.05 + 0.1 * k as f64),
                velocity: motion(1.0) - 9.81 / 240.0 * Vec3::z(),
                spin: motion(10.0),
            }
        })
        .collect();
    let zero = Vec3::zeros();
    let floor =
        GroupBody { inverse_mass: 0.0, inverse_inertia: Mat3::zeros(), position: zero, velocity: zero, spin: zero };
    bodies.push(floor);
    let places = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)];
    let contact = |first: usize, (x, y): (f64, f64)| GroupContact {
        first,
        second: if first == 0 { kind.height } else { first - 1 },
        point: bodies[first].position + Vec3::new(0.8 * x * half.x, 0.8 * y * half.y, -half.z),
        normal: Vec3::z(),
        restitution: 0.0,
        friction: kind.friction,
        rolling: if first % 2 == 1 { kind.rolling } else { 0.0 },
    };
    let contacts: Vec<GroupContact> = (0..kind.height)
        .flat_map(|k| places[..kind.contacts].iter().map(move |&place| (k, place)))
        .map(|(k, place)| contact(k, place))
        .collect();
    Group::new(&bodies, &contacts)
}

/// The problem of a group in both forms.
pub(super) fn both(group: &Group) -> [ContactProblem; 2] {
    let problem = ContactProblem::new(group, group.contact_velocity(|body| group.motions()[body]));
    let with = |response: Response| ContactProblem { response: Arc::new(response), ..problem.clone() };
    [with(Response::Matrix(group.response())), with(Response::Bodies(group.body_rows()))]
}

fn kinds() -> Vec<Stack> {
    let mut kinds = Vec::new();
    for (height, contacts) in [(1, 4), (2, 8), (4, 4), (5, 6), (8, 5)] {
        for speed in [0.0, 0.003, 0.1, 1.0] {
            for rolling in [0.0, 0.01] {
                kinds.push(Stack { height, contacts, speed, rolling, friction: 0.5 });
            }
        }
    }
    kinds
}

/// The size of a motion, in m/s.
fn size(motions: &[Motion]) -> f64 {
    motions.iter().map(|motion| motion.0.amax().max(0.1 * motion.1.amax())).fold(1e-300, f64::max)
}

/// Where redundant contacts slide, the compliance of 1e-6 decides the velocities and multiplies their rounding by 1e6:
/// either form carries noise of this size, and so it does from another start.
const REDUNDANT_TOLERANCE: f64 = 3e-10;
const TOLERANCE: f64 = 1e-12;

#[test]
fn both_forms_give_the_same_velocities() {
    let mut random = Random(21);
    let (mut worst, mut compared) = ([0f64; 2], [0; 2]);
    for kind in kinds() {
        for _ in 0..4 {
            let group = stack(&mut random, kind);
            let [dense, bodies] = both(&group).map(|problem| solve(problem, None, &mut ContactWorkspace::default()));
            assert!(dense.solved && bodies.solved, "{} {}", dense.residual, bodies.residual);
            let slides = usize::from(dense.modes().contains(&Mode::Slide));
            let error = group.motion_change(&(dense.impulse() - bodies.impulse()));
            worst[slides] = worst[slides].max(size(&error) / size(&group.motions()));
            compared[slides] += 1;
        }
    }
    println!("sticking, sliding: {compared:?}, worst {worst:?}");
    assert!(compared.iter().all(|&count| count > 50), "{compared:?}");
    assert!(worst[0] < TOLERANCE && worst[1] < REDUNDANT_TOLERANCE, "{worst:?}");
}

/// The answer of the first solution with the form of K of the second, so that only the factors differ.
fn transplanted(from: &ContactSolution, mut to: ContactSolution) -> ContactSolution {
    (to.last, to.earlier) = (from.last.clone(), from.earlier.clone());
    to.earlier.iter_mut().for_each(|pass| pass.system = OnceLock::new());
    to.last.system = OnceLock::new();
    to
}

#[test]
fn both_forms_have_the_same_derivatives() {
    let mut random = Random(22);
    let mut worst = [0f64; 4];
    for kind in kinds() {
        let group = stack(&mut random, kind);
        let [dense, bodies] = both(&group).map(|problem| solve(problem, None, &mut ContactWorkspace::default()));
        let bodies = transplanted(&dense, bodies);
        let slides = usize::from(dense.modes().contains(&Mode::Slide));
        let mut motions = || -> Vec<Motion> {
            let mut vector = || Vec3::from_fn(|_, _| random.next());
            group.bodies.iter().map(|_| (vector(), vector())).collect()
        };
        let (moves, covector) = (motions(), motions());
        let dvelocity = group.contact_velocity(|body| moves[body]);
        let coefficients = random.vector(group.laws.len());
        let direction = ContactProblemDirection {
            dvelocity: &|_| dvelocity.clone(),
            dmean_traces: PerKind([0.1, 0.2, 0.0]),
            dcoefficients: coefficients.as_slice(),
            dgiven_normal: &[],
        };
        let [a, b] = [&dense, &bodies].map(|solution| solution.tangent(&direction));
        let error = size(&group.motion_change(&(&a - &b))) / size(&group.motion_change(&a));
        worst[slides] = worst[slides].max(error);
        let covector = group.contact_velocity(|body| covector[body]);
        let columns = DMatrix::from_columns(std::slice::from_ref(&covector));
        let [a, c] = [&dense, &bodies].map(|solution| solution.cotangent(columns.clone()));
        let [by_a, by_c] = [&a, &c].map(|back| back.velocity.column(0).into_owned());
        let error = size(&group.motion_change(&(&by_a - &by_c))) / size(&group.motion_change(&by_a));
        worst[slides] = worst[slides].max(error);
        let mut sum = by_c.dot(&dvelocity) + 0.1 * c.mean_traces[0] + 0.2 * c.mean_traces[1];
        sum += c.coefficients.iter().zip(&coefficients).map(|(a, b)| a * b).sum::<f64>();
        let error = (covector.dot(&b) - sum).abs() / (covector.norm() * b.norm());
        worst[2 + slides] = worst[2 + slides].max(error);
    }
    println!("sticking, sliding: {worst:?}");
    assert!(worst[0] < TOLERANCE && worst[1] < REDUNDANT_TOLERANCE, "{worst:?}");
    assert!(worst[2] < 1e-14 && worst[3] < 1e-11, "{worst:?}");
}

#[test]
fn a_resting_stack_is_solved_warm_in_a_step_or_two() {
    let mut random = Random(23);
    for height in [10, 40] {
        let kind = Stack { height, contacts: 4, speed: 0.0, rolling: 0.0, friction: 0.5 };
        let group = stack(&mut random, kind);
        let mut workspace = ContactWorkspace::default();
        let [_, problem] = both(&group);
        let cold = solve(problem.clone(), None, &mut workspace);
        let pushed = group.contact_velocity(|body| {
            let (velocity, spin) = group.motions()[body];
            (velocity * (1.0 + 1e-4 * (body % 3) as f64), spin)
        });
        let near = ContactProblem { velocity: pushed, ..problem };
        let warm = solve(near, Some(cold.impulse().as_slice()), &mut workspace);
        assert!(cold.solved && cold.iterations <= 3, "{}", cold.iterations);
        assert!(warm.solved && warm.iterations <= 2, "{}", warm.iterations);
    }
}

#[test]
fn a_factor_with_exchanges_gives_the_same_solution() {
    let mut random = Random(24);
    let kind = Stack { height: 3, contacts: 4, speed: 0.1, rolling: 0.01, friction: 1.5 };
    let group = stack(&mut random, kind);
    let [_, problem] = both(&group);
    let solution = solve(problem, None, &mut ContactWorkspace::default());
    let Response::Bodies(rows) = &*solution.problem.response else { unreachable!("asked for bodies") };
    let parts = solution.parts(&solution.last);
    let (mut plain, mut exchanged) = (System::default(), System::default());
    assert!(plain.assemble(parts) && exchanged.assemble(parts) && exchanged.bodies.exchange(rows));
    for transposed in [false, true] {
        let right = random.vector(solution.impulse().len());
        let [a, b] = [&plain, &exchanged].map(|system| {
            let mut x = right.clone();
            system.refine(parts, x.as_mut_slice(), transposed, &mut Scratch::default());
            x
        });
        assert!((&a - &b).amax() < 1e-9 * a.amax(), "{}", (&a - &b).amax() / a.amax());
    }
}
