//! One step of a held group: the map (1)–(3) of this room.

use nalgebra::{DMatrix, DVector};

use super::{HeldContact, HeldGroup, displaced};
use crate::contact::group::Group;
use crate::contact::law::Mode;
use crate::contact::{ContactProblem, ContactSolution, ContactWorkspace, solve};
use crate::dynamics::{BodyState, Flight};
use crate::geometry::ContactGeometry;
use crate::math::{Rotation, Vec3};

/// Normal speed (m/s) of a held contact from which it lands during the step.
const LANDING: f64 = 1e-5;

/// What a contact is made to do in a trial step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Branch {
    /// No impulse.
    Open,
    /// No tangential velocity.
    Stick,
    /// Slides along a fixed direction of the world.
    Slide(Vec3),
    /// Presses without friction.
    Smooth,
}

/// The outcome of a step.
#[derive(Clone, Debug)]
pub struct StepOutcome {
    /// Length, s.
    pub length: f64,
    /// After the step, positions projected.
    pub end: Vec<BodyState>,
    /// After the step, before the projection.
    pub unprojected: Vec<BodyState>,
    /// p in the axes of each contact, 3·contacts.
    pub(super) impulse: DVector<f64>,
    /// Whether it ends early because a contact stops sliding.
    pub split: bool,
    /// How the projection is spread over the step.
    pub bend: Bend,
    /// What each contact did.
    pub modes: Vec<Mode>,
    /// Whether the contact solver met its tolerance.
    pub solved: bool,
    /// Newton steps of the contact solver.
    pub iterations: usize,
}

impl StepOutcome {
    /// p in the axes of each contact, 3·contacts.
    pub fn impulse(&self) -> &DVector<f64> {
        &self.impulse
    }

    /// Whether nothing presses: the group is not held.
    pub fn is_free(&self) -> bool {
        (0..self.modes.len()).all(|i| self.impulse[3 * i] <= 0.0)
    }
}

/// What a step knows before its contact problem is solved.
struct Prepared {
    /// At q₁, with the velocities v_f.
    group: Group,
    velocity: DVector<f64>,
    free: Vec<BodyState>,
}

impl HeldGroup {
    /// The step of length `s` with the contact law deciding every contact.
    pub fn step(
        &self,
        start: &[BodyState],
        s: f64,
        warm: Option<&[f64]>,
        workspace: &mut ContactWorkspace,
    ) -> StepOutcome {
        let prepared = self.prepare(start, s);
        let problem = ContactProblem::new(&prepared.group, prepared.velocity.clone());
        let solution: ContactSolution = solve(problem, warm, workspace);
        let modes = solution.modes();
        let (solved, iterations) = (solution.solved, solution.iterations);
        self.complete(start, s, &prepared, solution.impulse().clone(), modes, solved, iterations)
    }

    /// The step of length `s` with every contact on a given branch; none where that is singular.
    pub fn step_on_branch(&self, start: &[BodyState], s: f64, branches: &[Branch]) -> Option<StepOutcome> {
        let prepared = self.prepare(start, s);
        let impulse = self.branch_impulse(&prepared, branches)?;
        let mode = |branch: &Branch| match branch {
            Branch::Open => Mode::Open,
            Branch::Stick => Mode::Stick,
            Branch::Slide(_) => Mode::Slide,
            Branch::Smooth => Mode::Frictionless,
        };
        let modes = branches.iter().map(mode).collect();
        Some(self.complete(start, s, &prepared, impulse, modes, true, 0))
    }

    /// (1), and K and w of (2).
    fn prepare(&self, start: &[BodyState], s: f64) -> Prepared {
        let ahead: Vec<BodyState> = start.iter().map(|q| displaced(q, &(q.velocity * s), &(q.spin * s))).collect();
        let free: Vec<BodyState> = self.members.iter().zip(start).map(|(member, q)| self.flown(member, q, s)).collect();
        let geometry = self.geometry(&ahead, Some(&self.geometry(start, None)));
        let moving: Vec<BodyState> =
            ahead.iter().zip(&free).map(|(q, f)| BodyState { velocity: f.velocity, spin: f.spin, ..*q }).collect();
        let group = self.contact_group(&moving, &geometry);
        let velocity = group.contact_velocity(|k| (moving[k].velocity, moving[k].spin));
        Prepared { group, velocity, free }
    }

    fn flown(&self, member: &super::Member, q: &BodyState, s: f64) -> BodyState {
        let mut flight = Flight::new(&member.mass, self.gravity, 0.0, *q);
        flight.extend_to(s);
        flight.at(s)
    }

    /// (3).
    #[allow(clippy::too_many_arguments, reason = "the parts of one outcome")]
    fn complete(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
        impulse: DVector<f64>,
        modes: Vec<Mode>,
        solved: bool,
        iterations: usize,
    ) -> StepOutcome {
        let middle: Vec<BodyState> =
            start.iter().map(|q| displaced(q, &(q.velocity * (0.5 * s)), &(q.spin * (0.5 * s)))).collect();
        let at_start = self.geometry(start, None);
        let bend = self.bend(start, &at_start);
        let geometry = self.geometry(&middle, Some(&at_start));
        let mut changes = vec![(Vec3::zeros(), Vec3::zeros()); start.len()];
        for (i, (contact, at_middle)) in self.contacts.iter().zip(&geometry).enumerate() {
            let p = carried(&prepared.group.contacts[i].normal, at_middle, &prepared.group.world_impulse(i, &impulse));
            for (member, sign) in [(contact.first, 1.0), (contact.second, -1.0)] {
                changes[member].0 += p * sign;
                changes[member].1 += (at_middle.point - middle[member].position).cross(&p) * sign;
            }
        }
        // Turning impulses against rolling stand below the contact impulses, in world axes.
        for (k, &i) in prepared.group.rolling.iter().enumerate() {
            let turning = Vec3::from(impulse.fixed_rows::<3>(3 * (modes.len() + k)));
            changes[self.contacts[i].first].1 += turning;
            changes[self.contacts[i].second].1 -= turning;
        }
        let unprojected: Vec<BodyState> = (0..start.len())
            .map(|k| {
                let body = self.members[k].at(&middle[k]);
                let velocity = prepared.free[k].velocity + changes[k].0 * body.inverse_mass;
                let spin = prepared.free[k].spin + body.inverse_inertia * changes[k].1;
                let mean = ((start[k].velocity + velocity) * (0.5 * s), (start[k].spin + spin) * (0.5 * s));
                BodyState { velocity, spin, ..displaced(&start[k], &mean.0, &mean.1) }
            })
            .collect();
        let end = self.projected(&unprojected, &self.pressing(&impulse));
        StepOutcome { length: s, end, unprojected, impulse, split: false, bend, modes, solved, iterations }
    }

    fn bend(&self, start: &[BodyState], geometry: &[ContactGeometry]) -> Bend {
        let moves = |(contact, geometry): (&HeldContact, &ContactGeometry)| {
            let at = |member: usize| start[member].point_velocity(geometry.point);
            contact.joined || geometry.normal.dot(&(at(contact.first) - at(contact.second))).abs() > LANDING
        };
        if self.contacts.iter().zip(geometry).any(moves) { Bend::Early } else { Bend::Late }
    }

    /// Which contacts press and touched at the start.
    pub fn pressing(&self, impulse: &DVector<f64>) -> Vec<bool> {
        self.contacts.iter().enumerate().map(|(i, contact)| impulse[3 * i] > 0.0 && !contact.joined).collect()
    }

    /// The states at x inside a step that went to `unprojected` after `length`: (4), then projected onto what
    /// presses.
    pub fn inside(&self, start: &[BodyState], outcome: &StepOutcome, x: f64) -> Vec<BodyState> {
        self.projected(&self.unprojected_inside(start, outcome, x), &self.pressing(&outcome.impulse))
    }

    /// (4).
    pub fn unprojected_inside(&self, start: &[BodyState], outcome: &StepOutcome, x: f64) -> Vec<BodyState> {
        let path = |(start, end): (&BodyState, &BodyState)| {
            StepPath::new(0.0, outcome.length, start, [end, end], Bend::Late).at(x)
        };
        start.iter().zip(&outcome.unprojected).map(path).collect()
    }

    /// The smallest gap of a held contact half-way along the bent path, where the step is least exact.
    pub fn deepest_inside(&self, start: &[BodyState], outcome: &StepOutcome) -> f64 {
        let half = |k: usize| {
            let (end, unprojected) = (&outcome.end[k], &outcome.unprojected[k]);
            StepPath::new(0.0, outcome.length, &start[k], [unprojected, end], outcome.bend).at(0.5 * outcome.length)
        };
        let states: Vec<BodyState> = (0..start.len()).map(half).collect();
        self.geometry(&states, None).iter().map(|geometry| geometry.gap).fold(f64::INFINITY, f64::min)
    }

    /// Impulses of (2) with every contact on its branch: linear, with the compliance and the proximal passes of
    /// the contact solver.
    fn branch_impulse(&self, prepared: &Prepared, branches: &[Branch]) -> Option<DVector<f64>> {
        const PASSES: usize = 4;
        let count = 3 * branches.len();
        let mut softened = prepared.group.response();
        let compliance = crate::contact::solver::COMPLIANCE * softened.diagonal().amax();
        (0..count).for_each(|i| softened[(i, i)] += compliance);
        let mut matrix = DMatrix::identity(count, count);
        for (i, branch) in branches.iter().enumerate() {
            let n = 3 * i;
            let closed_rows = match branch {
                Branch::Open => 0,
                Branch::Smooth | Branch::Slide(_) => 1,
                Branch::Stick => 3,
            };
            matrix.rows_mut(n, closed_rows).copy_from(&softened.rows(n, closed_rows));
            if let Branch::Slide(direction) = branch {
                let d = self.tangential(prepared, i, direction);
                let friction = self.contacts[i].friction;
                matrix[(n + 1, n)] = friction * d[0];
                matrix[(n + 2, n)] = friction * d[1];
            }
        }
        let factor = matrix.lu();
        let mut impulse = DVector::zeros(count);
        for _ in 0..PASSES {
            let mut right = DVector::zeros(count);
            for (i, branch) in branches.iter().enumerate() {
                let closed_rows = match branch {
                    Branch::Open => 0,
                    Branch::Smooth | Branch::Slide(_) => 1,
                    Branch::Stick => 3,
                };
                for row in 3 * i..3 * i + closed_rows {
                    right[row] = compliance * impulse[row] - prepared.velocity[row];
                }
            }
            impulse = factor.solve(&right)?;
        }
        impulse.iter().all(|x| x.is_finite()).then_some(impulse)
    }

    /// A direction of the world in the tangential axes of contact i at q₁, of unit length.
    fn tangential(&self, prepared: &Prepared, i: usize, direction: &Vec3) -> [f64; 2] {
        let axes = crate::contact::frame::frame(&prepared.group.contacts[i].normal);
        let d = axes * direction;
        let length = d.y.hypot(d.z);
        [d.y / length, d.z / length]
    }
}

/// A world vector turned with the normal from q₁ to q_m.
fn carried(normal: &Vec3, at_middle: &ContactGeometry, impulse: &Vec3) -> Vec3 {
    match Rotation::rotation_between(normal, &at_middle.normal) {
        Some(turn) => turn * impulse,
        None => *impulse,
    }
}

/// How the projection's share grows along a step, with y = x/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// y²: the projection takes away what the step's own error has grown to.
    Late,
    /// y·(2 − y): a contact that joined the step, or parted a little at its start, comes to rest where it lands
    /// instead of sinking in on the way.
    Early,
}

/// The path of one body inside a step: (4) of this room, bent to end at the projected end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepPath {
    /// When the step starts, s.
    pub t: f64,
    /// How long it is, s.
    pub length: f64,
    /// The state it starts from.
    pub start: BodyState,
    /// (v⁺ − v)/s.
    pub acceleration: Vec3,
    /// (ω⁺ − ω)/s.
    pub spin_rate: Vec3,
    /// By how much the projection moved the end.
    pub correction: [Vec3; 2],
    /// How that is spread over the step.
    pub bend: Bend,
}

impl StepPath {
    /// The path of one member through a step.
    pub fn new(t: f64, length: f64, start: &BodyState, [unprojected, end]: [&BodyState; 2], bend: Bend) -> Self {
        let turn = crate::math::rotation::log(&(end.rotation * unprojected.rotation.inverse()));
        StepPath {
            t,
            length,
            start: *start,
            acceleration: (unprojected.velocity - start.velocity) / length,
            spin_rate: (unprojected.spin - start.spin) / length,
            correction: [end.position - unprojected.position, turn],
            bend,
        }
    }

    /// The state at a time of the step.
    pub fn at(&self, t: f64) -> BodyState {
        let x = t - self.t;
        let y = x / self.length;
        let share = match self.bend {
            Bend::Late => y * y,
            Bend::Early => y * (2.0 - y),
        };
        let shift = self.start.velocity * x + self.acceleration * (0.5 * x * x) + self.correction[0] * share;
        let turned = displaced(&self.start, &shift, &(self.start.spin * x + self.spin_rate * (0.5 * x * x)));
        BodyState {
            rotation: crate::math::rotation::exp(self.correction[1] * share) * turned.rotation,
            velocity: self.start.velocity + self.acceleration * x,
            spin: self.start.spin + self.spin_rate * x,
            ..turned
        }
    }

    /// The state with the velocities of the path itself, the share of the projection included.
    pub fn with_path_velocity(&self, t: f64) -> BodyState {
        let state = self.at(t);
        let y = (t - self.t) / self.length;
        let rate = match self.bend {
            Bend::Late => 2.0 * y / self.length,
            Bend::Early => 2.0 * (1.0 - y) / self.length,
        };
        BodyState {
            velocity: state.velocity + self.correction[0] * rate,
            spin: state.spin + self.correction[1] * rate,
            ..state
        }
    }

    /// Acceleration of the centre of mass along the path itself.
    pub fn path_acceleration(&self) -> Vec3 {
        let bending = self.correction[0] * (2.0 / (self.length * self.length));
        match self.bend {
            Bend::Late => self.acceleration + bending,
            Bend::Early => self.acceleration - bending,
        }
    }

    /// At least |ω| inside the step: the derivative of the rotation vector bounds it.
    pub fn spin_bound(&self) -> f64 {
        self.start.spin.norm() + self.spin_rate.norm() * self.length + 2.0 * self.correction[1].norm() / self.length
    }

    /// At least |dω/dt| inside the step: that of the rotation vector, and its turning by the exponential map.
    pub fn spin_rate_bound(&self) -> f64 {
        let bound = self.spin_bound();
        self.spin_rate.norm() + 2.0 * self.correction[1].norm() / (self.length * self.length) + bound * bound
    }
}
