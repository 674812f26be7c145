//! An assembled start beside differences of the projection, and what is lost without its second-order term.

use super::super::assembly::Assembly;
use super::super::assembly_change::AssemblyChange;
use super::*;

/// A rod and a ball on its end, the rod's other end to come to a nail that is well away.
fn machine() -> Case {
    let state = |position: [f64; 3], turn: [f64; 3]| BodyState {
        position: Vec3::from(position),
        rotation: rotation::exp(Vec3::from(turn)),
        velocity: Vec3::new(0.4, -0.3, 0.2),
        spin: Vec3::new(0.5, 0.7, -0.6),
    };
    let rod = Shape::Cuboid { half_extents: Vec3::new(0.5, 0.06, 0.04) };
    let nail = JointKind::Pin { point: Vec3::new(-0.5, 0.1, 0.0), to: Given::Constant(Vec3::new(0.2, -0.1, 0.15)) };
    let end = JointKind::PointToPoint { point: Vec3::new(-0.2, 0.05, 0.0), second: Vec3::new(0.5, 0.0, 0.02) };
    Case {
        bodies: vec![
            body(&rod, 1.5, state([0.4, 0.3, -0.1], [0.2, -0.3, 0.4])),
            body(&Shape::Ball { radius: 0.2 }, 0.7, state([1.3, 0.2, 0.1], [-0.1, 0.3, 0.2])),
        ],
        gravity: Vec3::zeros(),
        joints: vec![joint(0, None, nail), joint(1, Some(0), end)],
        forces: vec![],
        tracks: vec![],
    }
}

fn assembled(case: &Case) -> Assembly {
    let (members, states): (Vec<usize>, Vec<BodyState>) =
        case.bodies.iter().enumerate().map(|(place, body)| (place, body.initial)).unzip();
    Assembly::new(&Blueprint {
        members: &members,
        bodies: &case.bodies,
        gravity: case.gravity,
        joints: &case.joints,
        forces: &[],
        tracks: &[],
        active_joints: &[0, 1],
        active_forces: &[],
        t: 0.0,
        states: &states,
    })
    .expect("it can be assembled")
}

/// The largest difference between a change and extrapolated differences by the given states.
fn worst(change: &AssemblyChange) -> f64 {
    let (case, base) = (machine(), assembled(&machine()));
    let at = |column: usize, h: f64| {
        let mut moved = case.clone();
        let mut tangent = StateTangent::zeros();
        tangent[column % 12] = h;
        moved.bodies[column / 12].initial = case.bodies[column / 12].initial.moved_by(&tangent);
        assembled(&moved)
    };
    let mut worst = 0.0_f64;
    for column in 0..24 {
        let h = 1e-3;
        let ends = [h, -h, 2.0 * h, -2.0 * h].map(|h| at(column, h));
        for member in 0..2 {
            let from = |end: &Assembly| base.assembled()[member].tangent_to(&end.assembled()[member]);
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| from(&ends[k]));
            let numeric = ((a - b) * 8.0 - (c - d)) / (12.0 * h);
            let exact = change.by_start(member, column / 12).column(column % 12).into_owned();
            worst = worst.max((numeric - exact).amax());
        }
    }
    worst
}

#[test]
fn the_change_of_an_assembled_start_is_that_of_differences() {
    let error = worst(&assembled(&machine()).change().1);
    assert!(error < 1e-9, "{error:e}");
}

/// How gradients turn with the places they are taken at: without it a start that is far from its joints has a derivative that is
/// wrong in the first digit, and one on its joints none that shows.
#[test]
fn without_the_second_order_term_it_is_not() {
    let mut assembly = assembled(&machine());
    assembly.forget_reactions();
    let error = worst(&assembly.change().1);
    assert!(error > 1e-2, "{error:e}");
}
