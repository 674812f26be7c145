//! Steps that end where sliding ends: against differences, and against formulas.

use super::scenes::*;
use super::*;

fn split(setup: &Setup) -> StepOutcome {
    let memory = SlipMemory::new();
    split_step(&setup.group, &setup.start, setup.s, &memory, true, None, &mut ContactWorkspace::default())
}

/// The split step and the rest of it: σ, then the states at the end.
fn split_and_rest(setup: &Setup) -> (StepOutcome, StepOutcome) {
    let first = split(setup);
    let rest = Setup { start: first.end.clone(), s: setup.s - first.length, ..setup.clone() };
    let second = rest.step();
    (first, second)
}

/// The change of σ, of the states there, and of the states at the end of the whole step.
fn tangents(setup: &Setup, direction: &StepDirection) -> (f64, DVector<f64>, DVector<f64>) {
    let first = split(setup);
    let frozen = first.frozen.as_ref().expect("a step that is split");
    let derivative = setup.group.split_derivative(&setup.start, first.length, frozen).unwrap();
    assert_eq!(derivative.step.outcome.end, first.end, "the same numbers");
    let SplitTangent { dsigma, step } = derivative.tangent(direction);
    let workspace = &mut ContactWorkspace::default();
    let rest = setup.group.step_derivative(&first.end, setup.s - first.length, None, workspace);
    let dlength = direction.dlength - dsigma;
    let direction = StepDirection { bodies: step.end.clone(), dlength, ..direction.clone() };
    (dsigma, flattened(&step.end), flattened(&rest.tangent(&direction).end))
}

/// Compares all columns of σ, of the split step, and of the split step with its rest.
fn survey_splits(setups: impl Iterator<Item = Setup>) -> [Found; 3] {
    let mut found = [(); 3].map(|()| Found::default());
    for (seed, setup) in setups.enumerate() {
        let signature = |(first, second): &(StepOutcome, StepOutcome)| {
            let contact = first.frozen.as_ref().map(|frozen| frozen.contacts.clone());
            (contact, Setup::signature(first), Setup::signature(second))
        };
        let base = split_and_rest(&setup);
        if !base.0.split || !base.1.solved {
            continue;
        }
        for (name, direction) in setup.columns() {
            let map = |pick: usize| {
                let (setup, direction, base) = (&setup, &direction, &base);
                move |h: f64| {
                    let moved = setup.moved(direction, h);
                    let there = split_and_rest(&moved);
                    let value = || match pick {
                        0 => DVector::from_element(1, there.0.length),
                        1 => stacked_from(&base.0.end, &there.0.end),
                        _ => stacked_from(&base.1.end, &there.1.end),
                    };
                    (signature(&there) == signature(base)).then(value)
                }
            };
            let (dsigma, first, second) = tangents(&setup, &direction);
            let exact = [DVector::from_element(1, dsigma), first, second];
            for (pick, (found, exact)) in found.iter_mut().zip(&exact).enumerate() {
                found.add(error(&map(pick), exact), format!("{seed}: {name}"));
            }
        }
    }
    found
}

#[test]
fn one_contact_stops_sliding() {
    for found in survey_splits((0..3).map(|k| ball(k, 0.02))) {
        found.check(80, TOLERANCE);
    }
    for found in survey_splits((0..3).map(|k| box_on_corner(k, 0.01))) {
        found.check(80, TOLERANCE);
    }
}

#[test]
fn the_first_of_many_contacts_stops_sliding() {
    for found in survey_splits((0..6).map(|k| flat_box(k, 0.01, 0.3))) {
        found.check(80, REDUNDANT_TOLERANCE);
    }
    for found in survey_splits((0..2).map(|k| box_on_box(k, 0.02))) {
        found.check(70, REDUNDANT_TOLERANCE);
    }
}

/// A body on the floor, moved on in steps until the time T; the derivative is carried along. Returns the state and the
/// change of the last body, and σ with its change.
fn run(mut setup: Setup, steps: usize, mut direction: StepDirection) -> (BodyState, StateTangent, f64, f64) {
    let (whole, mut split_at) = (setup.s, (0.0, 0.0));
    let mut memory = SlipMemory::new();
    for k in 0..steps {
        let (mut left, mut dleft) = (whole, 0.0);
        while left > 0.0 {
            let workspace = &mut ContactWorkspace::default();
            let outcome = split_step(&setup.group, &setup.start, left, &memory, true, None, workspace);
            direction.dlength = dleft;
            let bodies = match &outcome.frozen {
                Some(frozen) => {
                    let derivative = setup.group.split_derivative(&setup.start, outcome.length, frozen).unwrap();
                    let tangent = derivative.tangent(&direction);
                    (left, dleft) = (left - outcome.length, dleft - tangent.dsigma);
                    split_at = (whole * k as f64 + outcome.length, tangent.dsigma);
                    memory.extend(stuck(&setup.group));
                    tangent.step.end
                }
                None => {
                    let derivative = setup.group.step_derivative(&setup.start, left, None, workspace);
                    left = 0.0;
                    derivative.tangent(&direction).end
                }
            };
            direction.bodies = bodies;
            setup.start = outcome.end;
        }
    }
    (setup.start[1], direction.bodies[1], split_at.0, split_at.1)
}

/// The memory after a split: what slid sticks.
fn stuck(group: &HeldGroup) -> SlipMemory {
    group.contacts.iter().map(|contact| ((contact.pair, contact.feature.place()), Mode::Stick)).collect()
}

/// v, μ and the strength of gravity of a run, and the directions that change them.
struct Throw {
    v: f64,
    friction: f64,
    gravity: f64,
}

impl Throw {
    fn setup(&self, mut setup: Setup) -> Setup {
        Arc::make_mut(&mut setup.group).gravity = -Vec3::y() * self.gravity;
        setup.start[1].velocity = Vec3::x() * self.v;
        setup.start[1].spin = Vec3::zeros();
        Arc::make_mut(&mut setup.group).contacts.iter_mut().for_each(|contact| contact.friction = self.friction);
        setup
    }

    fn directions(group: &HeldGroup) -> [StepDirection; 3] {
        let [mut v, mut friction, mut gravity] = [(); 3].map(|()| StepDirection::zero(group));
        v.bodies[1][6] = 1.0;
        friction.dfriction.fill(1.0);
        gravity.dgravity.y = -1.0;
        [v, friction, gravity]
    }
}

#[track_caller]
fn assert_close(what: &str, found: f64, exact: f64) {
    assert!((found - exact).abs() <= 1e-9 * (1.0 + exact.abs()), "{what}: {found} instead of {exact}");
}

#[test]
fn sliding_to_rest_has_the_derivative_of_its_formula() {
    let (v, friction, gravity) = (0.1, 0.4, 9.81);
    let setup = Throw { v, friction, gravity }.setup(box_at_rest());
    let x = setup.start[1].position.x;
    let deceleration = friction * gravity;
    // t = v/μg and x = v²/2μg, by v, by μ and by g.
    let dt = [1.0 / deceleration, -v / (friction * deceleration), -v / (gravity * deceleration)];
    let dx = [v / deceleration, -0.5 * v * v / (friction * deceleration), -0.5 * v * v / (gravity * deceleration)];
    for (k, direction) in Throw::directions(&setup.group).into_iter().enumerate() {
        let (state, change, t, dsigma) = run(setup.clone(), 10, direction);
        assert_close("t", t, v / deceleration);
        assert_close("x", state.position.x - x, 0.5 * v * v / deceleration);
        assert_close("dt", dsigma, dt[k]);
        assert_close("dx", change[0], dx[k]);
        assert!(change.fixed_rows::<11>(1).amax() <= 1e-9, "{change}");
    }
}

#[test]
fn slip_to_roll_has_the_derivative_of_its_formula() {
    let (v, friction, gravity, steps) = (0.2, 0.4, 9.81, 20);
    let setup = Throw { v, friction, gravity }.setup(ball_at_rest());
    let (x, end, deceleration) = (setup.start[1].position.x, steps as f64 * setup.s, friction * gravity);
    // t = 2v/7μg, and x = v·t − μg·t²/2 + (5/7)·v·(T − t) = (5/7)·v·T + (2/49)·v²/μg.
    let c = 2.0 / 49.0 / deceleration;
    let dx = [5.0 / 7.0 * end + 2.0 * c * v, -c * v * v / friction, -c * v * v / gravity];
    let t = 2.0 / 7.0 * v / deceleration;
    let dt = [t / v, -t / friction, -t / gravity];
    for (k, direction) in Throw::directions(&setup.group).into_iter().enumerate() {
        let (state, change, found, dsigma) = run(setup.clone(), steps, direction);
        assert_close("t", found, t);
        assert_close("x", state.position.x - x, 5.0 / 7.0 * v * end + c * v * v);
        assert_close("dt", dsigma, dt[k]);
        assert_close("dx", change[0], dx[k]);
        assert_close("dv", change[6], if k == 0 { 5.0 / 7.0 } else { 0.0 });
    }
}
