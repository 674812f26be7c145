//! Derivatives that lack a term, for tests that must notice it.
//!
//! They are put together here, from the derivative before the impact, the impact's own, and the flight after it:
//!
//! ```text
//! P = (1 + I_q)·B + I_u,      δq(t) = Φ·(P − F⁺·T) + what quantities change in that flight                    (1)
//! ```
//!
//! with the names of `chain`. Complete, they are those of the chain to rounding, which is asserted each time.

use nalgebra::{DMatrix, DVector, RowDVector};

use super::Case;
use crate::contact::impact::fade;
use crate::model::{BodyId, Model, Quantity};
use crate::scene::Scene;
use crate::sensitivity::event::{LocalImpact, local_impact};
use crate::sensitivity::seed::Seeds;
use crate::sensitivity::{Forward, Side, forward, rows};
use crate::simulation::{Event, EventId, EventKind, simulate};

/// Of the largest entry: how near (1) is to the chain.
const ROUNDING: f64 = 1e-9;
/// m/s: slower than every impact here.
const UNFADED: f64 = 1e-9;

/// The time of the impact does not move.
pub fn time(case: &Case) -> DMatrix<f64> {
    lacking(case, false, |_| {})
}

/// Normals do not turn.
pub fn normal(case: &Case) -> DMatrix<f64> {
    lacking(case, true, |local| local.touches.iter_mut().for_each(|touch| touch.derivative.dnormal.fill(0.0)))
}

/// Contact points do not move.
pub fn point(case: &Case) -> DMatrix<f64> {
    lacking(case, true, |local| local.touches.iter_mut().for_each(|touch| touch.derivative.dpoint.fill(0.0)))
}

/// Restitution fades by a fixed factor: that of the same motion with restitutions as they are after the fade, and none.
pub fn fade_of(case: &Case, text: &str) -> DMatrix<f64> {
    let (_, event) = impact(case);
    let contact = &event.contacts[0];
    let speed = |body: BodyId| {
        let state = case.trajectory.body_at(body, event.t.next_down());
        (state.velocity + state.spin.cross(&(contact.point - state.position))).dot(&contact.normal)
    };
    let approach = (speed(event.first) - speed(event.second)).abs();
    let unfaded = |line: &str| {
        if line.starts_with("rest_speed") { format!("rest_speed = {UNFADED:?}\n") } else { format!("{line}\n") }
    };
    let mut scene = Scene::parse(&text.lines().map(unfaded).collect::<String>(), "s.toml").unwrap();
    scene.duration = case.t;
    let factor = fade(approach, case.trajectory.world().rest_speed).0;
    let model = Model::new(&scene).unwrap();
    let mut u = model.control();
    for name in ["body.restitution", "other.restitution"] {
        let value = u[model.parameter(name).unwrap()];
        model.set(&mut u, name, value * factor).unwrap();
    }
    let trajectory = simulate(&model, &u);
    let off = (trajectory.at(case.t)[1].position - case.trajectory.at(case.t)[1].position).norm();
    assert!(off < ROUNDING, "another motion, {off:e} m off");
    assert!(factor < 1.0, "nothing fades");
    forward(&model, &u, &trajectory, &case.parameters).at(case.t)
}

/// The first impact.
fn impact(case: &Case) -> (EventId, &Event) {
    let mut events = case.trajectory.events.iter().zip(0..);
    let (event, k) = events.find(|(event, _)| event.kind == EventKind::Impact).expect("an impact");
    (EventId(k), event)
}

/// (1), with or without T, and with an impact that forgot something.
fn lacking(case: &Case, moves: bool, forget: impl Fn(&mut LocalImpact)) -> DMatrix<f64> {
    let right = forward(&case.model, &case.u, &case.trajectory, &case.parameters);
    let complete = put_together(case, &right, true, &|_| {});
    let chain = right.at(case.t);
    let off = (&complete - &chain).amax() / chain.amax();
    assert!(off < ROUNDING, "put together it is {off:e} off");
    put_together(case, &right, moves, &forget)
}

fn put_together(case: &Case, right: &Forward, moves: bool, forget: &dyn Fn(&mut LocalImpact)) -> DMatrix<f64> {
    let (world, trajectory) = (case.trajectory.world(), &case.trajectory);
    let (id, event) = impact(case);
    let record = trajectory.tape().node(event.node).impact.as_deref().expect("an impact");
    let mut local = local_impact(trajectory, record).expect("its features are sound");
    forget(&mut local);
    let seeds = Seeds::new(&case.model, &case.u, world, &case.parameters);
    let (dt, before) = right.at_event(id, Side::Before);
    let still = RowDVector::zeros(seeds.count);
    let first_row = |body: BodyId| rows(&case.model).iter().position(|row| *row == (body, 0));
    // B of every body of the impact.
    let change = |(k, &body): (usize, &BodyId)| match first_row(body) {
        Some(row) => {
            let rate = world.flight_rate(body, &record.states[k]);
            let taken = if moves { &still } else { &dt };
            let moved = rate * taken;
            DMatrix::from_fn(12, seeds.count, |entry, column| before[(row + entry, column)] - moved[(entry, column)])
        }
        None => {
            let mut place = DMatrix::zeros(12, seeds.count);
            if let Some(start) = seeds.starts.get(&body) {
                place.columns_range_mut(start.run()).copy_from(&start.all().view());
            }
            place
        }
    };
    let changes: Vec<DMatrix<f64>> = record.bodies.iter().enumerate().map(change).collect();
    let moving: Vec<usize> = (0..record.bodies.len()).filter(|&k| first_row(record.bodies[k]).is_some()).collect();
    let quantities: Vec<Quantity> = seeds.quantities.keys().copied().collect();
    let all: Vec<usize> = (0..record.bodies.len()).collect();
    let (by_states, by_quantities, _) = local.derivative(&moving, &all, &quantities);
    let mut velocities = DMatrix::zeros(6 * moving.len(), seeds.count);
    by_states.iter().zip(&changes).for_each(|(matrix, change)| velocities += matrix * change);
    for (quantity, column) in quantities.iter().zip(&by_quantities) {
        for &(parameter, value) in seeds.columns(*quantity) {
            let mut sum = velocities.column_mut(parameter);
            sum += column as &DVector<f64> * value;
        }
    }
    let (launched, mut result) = (right.at(event.t), right.at(case.t));
    for (place, &k) in moving.iter().enumerate() {
        let body = record.bodies[k];
        let row = first_row(body).expect("it moves");
        let state = trajectory.body_at(body, event.t);
        let mut launch = changes[k].clone();
        launch.rows_mut(6, 6).copy_from(&velocities.rows(6 * place, 6));
        launch -= world.flight_rate(body, &state) * if moves { &dt } else { &still };
        let mut flight = world.flight(body, event.t, state);
        flight.extend_to(case.t);
        let mut sum = result.rows_mut(row, 12);
        sum += flight.dq_dq0(case.t) * (launch - launched.rows(row, 12));
    }
    result
}
