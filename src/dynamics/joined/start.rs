//! How what is "of the start" follows the start, with d = P_A − P_B, r an arm in the world and ω a small turn:
//!
//! ```text
//! r₀    = R_Bᵀ·(x_A − x_B)        δr₀ = R_Bᵀ·(δx_A − δx_B + (x_A − x_B) × ω_B)                       (1)
//! R_rel = R_Bᵀ·R_A                a turn of R_Bᵀ·(ω_A − ω_B) in the second side's frame               (2)
//! |d|                             (d/|d|)·(δP_A − δP_B),   δP = δx + ω × r + R·δp                      (3)
//! a·d, a of the second side       a·(δP_A − δP_B) + ω_B·(a × d)                                        (4)
//! ```

use super::build::BodyFacts;
use super::number::{NumberId, Owner, What};
use crate::dynamics::BodyState;
use crate::math::{Rotation, Vec3};
use crate::scene::{Force, ForceKind, Given, Joint, JointKind, Track};

/// What a number of the start changes with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StartTerm {
    /// The initial place of a body: δx and ω.
    Body(usize, [f64; 6]),
    /// Another number.
    Number(NumberId, f64),
}

/// Two sides at the start.
struct Sides {
    bodies: [Option<usize>; 2],
    states: [BodyState; 2],
}

/// What a number of the start changes with, and how; nothing where it is none.
pub fn start_terms(
    bodies: &[BodyFacts],
    (joints, forces, tracks): (&[Joint], &[Force], &[Track]),
    id: NumberId,
) -> Vec<StartTerm> {
    let (first, second) = match id.of {
        Owner::Joint(joint) => (joints[joint].first, joints[joint].second),
        Owner::Force(force) => (forces[force].first, forces[force].second),
        Owner::Key(..) => return Vec::new(),
    };
    let still = BodyState {
        position: Vec3::zeros(),
        rotation: Rotation::identity(),
        velocity: Vec3::zeros(),
        spin: Vec3::zeros(),
    };
    let state = |body: Option<usize>| body.map_or(still, |body| bodies[body].initial);
    let both = [Some(first), second];
    let sides = Sides { bodies: both, states: both.map(state) };
    let k = usize::from(id.member);
    let axis = sides.states[1].rotation * Vec3::ith(k.min(2), 1.0);
    match id.what {
        What::StartPlace => {
            let apart = sides.states[0].position - sides.states[1].position;
            sides.terms([(axis, Vec3::zeros()), (-axis, axis.cross(&apart))])
        }
        What::StartTurn => sides.terms([(Vec3::zeros(), axis), (Vec3::zeros(), -axis)]),
        What::StartLength => match id.of {
            Owner::Force(force) => match &forces[force].kind {
                ForceKind::Spring { point, second, .. } => sides.length(id.of, point, second, tracks),
                ForceKind::Motor { joint, .. } => sides.travel(*joint, joints, tracks),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

impl Sides {
    /// Covectors on δx and ω of both sides.
    fn terms(&self, covectors: [(Vec3, Vec3); 2]) -> Vec<StartTerm> {
        let entries =
            |(along, turning): (Vec3, Vec3)| std::array::from_fn(|k| if k < 3 { along[k] } else { turning[k - 3] });
        let term = |(body, covector): (&Option<usize>, (Vec3, Vec3))| {
            body.map(|body| StartTerm::Body(body, entries(covector)))
        };
        self.bodies.iter().zip(covectors).filter_map(term).collect()
    }

    fn arms(&self, point: &Vec3, second: &Given<Vec3>, tracks: &[Track]) -> [Vec3; 2] {
        let other = match second {
            Given::Constant(value) => *value,
            Given::Track(track) => tracks[*track].keys[0].value,
        };
        [self.states[0].rotation * point, self.states[1].rotation * other]
    }

    /// Changes of n·d by the numbers of its points.
    fn by_points(&self, owner: Owner, n: &Vec3, second: &Given<Vec3>) -> Vec<StartTerm> {
        let number = |what: What, of: Owner, side: usize, sign: f64| {
            let turned = self.states[side].rotation.inverse_transform_vector(n);
            [0, 1, 2].map(|k| StartTerm::Number(what.of(of, k), sign * turned[k]))
        };
        let (what, of) = match second {
            Given::Constant(_) => (What::Second, owner),
            Given::Track(track) => (What::Value, Owner::Key(*track, 0)),
        };
        number(What::Point, owner, 0, 1.0).into_iter().chain(number(what, of, 1, -1.0)).collect()
    }

    /// (3).
    fn length(&self, owner: Owner, point: &Vec3, second: &Given<Vec3>, tracks: &[Track]) -> Vec<StartTerm> {
        let arms = self.arms(point, second, tracks);
        let apart = self.states[0].position + arms[0] - self.states[1].position - arms[1];
        let n = apart.normalize();
        let mut terms = self.terms([(n, arms[0].cross(&n)), (-n, -arms[1].cross(&n))]);
        terms.extend(self.by_points(owner, &n, second));
        terms
    }

    /// (4), of a slider.
    fn travel(&self, joint: usize, joints: &[Joint], tracks: &[Track]) -> Vec<StartTerm> {
        let JointKind::Slider { point, second, second_axis, .. } = &joints[joint].kind else { return Vec::new() };
        let arms = self.arms(point, second, tracks);
        let apart = self.states[0].position + arms[0] - self.states[1].position - arms[1];
        let a = self.states[1].rotation * second_axis;
        let mut terms = self.terms([(a, arms[0].cross(&a)), (-a, a.cross(&apart) - arms[1].cross(&a))]);
        terms.extend(self.by_points(Owner::Joint(joint), &a, second));
        terms
    }
}
