//! The Taylor series of a machine's motion from one instant on.
//!
//! With W the inverse masses, coefficient n of everything follows from coefficients before it:
//!
//! ```text
//! x_n+1 = v_n/(n+1),        Q_n+1 = ½·(Q∘σ)_n/(n+1),        D_n+1 = Ḋ_n/(n+1)                                   (1)
//! a⁰_n  = W·(f + Σ_{j≥1} J_jᵀ·λ_n−j)_n + gyroscopic terms                                                    (2)
//! b_n   = J₀·a⁰_n + (n+1)·(Σ_{j≥1} J_j·v_n+1−j + D_t,n+1) + (2/τ)·Ḋ_n + D_n/τ²                                (3)
//! K₀·λ_n = −b_n,      K₀ = J₀·W·J₀ᵀ                                                                          (4)
//! v_n+1 = (a⁰_n + W·J₀ᵀ·λ_n)/(n+1)                                                                           (5)
//! ```
//!
//! so that K₀ is factorised once. It is singular where joints repeat or contradict each other; vanishing compliance with
//! proximal passes, rows scaled by their own diagonal, gives the accelerations of joints that agree to rounding, and the
//! least-squares compromise of joints that do not:
//!
//! ```text
//! (K₀ + ε·diag K₀)·λ^k = ε·diag K₀·λ^(k−1) − b,      λ^(−1) = 0                                               (6)
//! ```

use super::graph::{Coefficients, Node, ORDER, Values, convolution};
use super::machine::{CYCLE, Machine, Row, RowSide};
use super::sketch::Term;
use crate::dynamics::BodyState;
use crate::math::elementary::powf;
use crate::math::profile::Profile;
use crate::math::{Rotation, Vec3, rotation};

/// ε of (6). With 1e-6 a straightened arm sags; with 1e-10 derivatives through redundant joints lose four digits.
pub(super) const COMPLIANCE: f64 = 1e-8;
/// Solves of (6): each takes the error down by ε, and the fourth nothing that shows.
pub(super) const PASSES: usize = 4;
/// Largest last term kept, relative to the largest of its kind in the group. Dropped terms are about ten times smaller.
const TRUNCATION: f64 = 1e-16;
/// Rounds in which the length of a step and the size of what moves within it are made to agree.
const LENGTH_ROUNDS: usize = 4;
/// Rounds at most, where the length still falls: each takes it down to a sixth, and a stiff spring needs a millionth of what the first
/// one tries. Ended sooner, its series would be followed much farther than they hold.
const MOST_LENGTH_ROUNDS: usize = 40;
/// A length that comes to less than this part of the one before still falls.
const FALLS: f64 = 0.5;
/// No step is longer than this, s: what does not move at all needs an end somewhere.
const LONGEST: f64 = 1.0;
/// No step is shorter, s. Where quadratic drag brings something to a stop the series end at the stop; a step across it is off by the
/// square of this.
const SHORTEST: f64 = 1e-7;

/// One member's place and velocities in principal axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PrincipalState {
    pub position: Vec3,
    /// World from principal.
    pub orientation: Rotation,
    pub velocity: Vec3,
    /// In the principal frame.
    pub spin: Vec3,
}

/// The gradient of a row by the place of a member.
type Gradient = (usize, [f64; 6]);

/// The series from one instant on, and what solved them.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    pub values: Values,
    /// λ of the held rows, in their order.
    pub reactions: Vec<Coefficients>,
    /// Ḋ of all rows.
    pub speeds: Vec<Coefficients>,
    /// Scaled and factorised.
    pub factor: Profile,
    /// What rows are scaled by: 1/√diag K₀.
    pub scale: Vec<f64>,
    /// λ₀ of every pass of (6).
    pub passes: [Vec<f64>; PASSES],
    /// b₀ of the held rows.
    pub against: Vec<f64>,
    /// a⁰₀ of each member: of its centre, then of its principal spin.
    pub free: Vec<[f64; 6]>,
    /// Where the roots are from which an expansion begins.
    pub roots: Vec<f64>,
    /// Gradients of the held rows at the start.
    gradients: Vec<[Option<Gradient>; 2]>,
    known: Vec<f64>,
    accelerations: Vec<[f64; 6]>,
}

impl PrincipalState {
    /// Of a body's state.
    pub fn new(state: &BodyState, body_from_principal: &Rotation) -> PrincipalState {
        let mut orientation = state.rotation * body_from_principal;
        orientation.renormalize();
        let spin = orientation.inverse_transform_vector(&state.spin);
        PrincipalState { position: state.position, orientation, velocity: state.velocity, spin }
    }

    /// The body's state.
    pub fn to_state(self, body_from_principal: &Rotation) -> BodyState {
        BodyState {
            position: self.position,
            rotation: self.orientation * body_from_principal.inverse(),
            velocity: self.velocity,
            spin: self.orientation * self.spin,
        }
    }
}

impl Expansion {
    /// Nothing yet; buffers for a machine.
    pub fn new(machine: &Machine) -> Expansion {
        let (held, members) = (machine.held.len(), machine.members.len());
        Expansion {
            values: machine.graph.values(),
            reactions: vec![[0.0; ORDER + 1]; held],
            speeds: vec![[0.0; ORDER + 1]; machine.rows.len()],
            factor: Profile::new(machine.first.clone()),
            scale: vec![0.0; held],
            passes: [0; PASSES].map(|_| vec![0.0; held]),
            against: vec![0.0; held],
            free: vec![[0.0; 6]; members],
            roots: machine.roots.iter().map(|root| root.start).collect(),
            gradients: vec![[None; 2]; held],
            known: vec![0.0; machine.rows.len()],
            accelerations: vec![[0.0; 6]; members],
        }
    }

    /// The first `orders` coefficients of all accelerations from these states on. What comes later is left as it is.
    pub fn expand(&mut self, machine: &Machine, states: &[PrincipalState], time: f64, orders: usize) {
        self.begin(machine, states, time);
        self.factorise(machine);
        for n in 0..orders {
            self.places(machine, n);
            machine.graph.expand_early(&mut self.values, n + 1, time);
            machine.graph.expand_late(&mut self.values, n, time);
            self.accelerate(machine, n);
        }
    }

    /// Sets the states, and all that follows from them at once.
    fn begin(&mut self, machine: &Machine, states: &[PrincipalState], time: f64) {
        for (member, state) in machine.members.iter().zip(states) {
            let nodes = &member.nodes;
            (0..3).for_each(|k| self.values.set(nodes.position[k], 0, state.position[k]));
            (0..4).for_each(|k| self.values.set(nodes.orientation[k], 0, state.orientation.coords[k]));
            self.set(nodes.velocity, 0, &state.velocity);
            self.set(nodes.spin, 0, &state.spin);
        }
        for turn in &machine.turns {
            let [first, second] = machine.elements[turn.element].sides;
            let orientation = |side: Option<usize>| side.map_or(Rotation::identity(), |k| states[k].orientation);
            let relative = orientation(first) * turn.second_from_first.inverse() * orientation(second).inverse();
            let value = rotation::log(&relative);
            (0..3).for_each(|k| self.values.set(turn.nodes[k], 0, value[k]));
        }
        for (root, value) in machine.roots.iter().zip(&self.roots) {
            self.values.set(root.node, 0, *value);
        }
        machine.graph.expand_early(&mut self.values, 0, time);
        for (row, speeds) in machine.rows.iter().zip(&mut self.speeds) {
            speeds[0] = self.values.drift(row, 0) + self.values.rate(machine, row, 0..=0, 0);
        }
    }

    fn set(&mut self, nodes: [Term; 3], n: usize, vector: &Vec3) {
        nodes.iter().enumerate().for_each(|(k, node)| {
            node.iter().for_each(|&node| self.values.set(node, n, vector[k]));
        });
    }

    /// K₀ of (4) for (6).
    fn factorise(&mut self, machine: &Machine) {
        for (place, &row) in machine.held.iter().enumerate() {
            let gradient = |side: &RowSide| (side.member, self.values.gradient(side));
            self.gradients[place] = [0, 1].map(|side| machine.rows[row].sides[side].as_ref().map(gradient));
        }
        self.factor.clear();
        for row in 0..machine.held.len() {
            let coupling = self.coupling(machine, row, row);
            self.scale[row] = if coupling > 0.0 { 1.0 / coupling.sqrt() } else { 0.0 };
            for column in machine.first[row]..row {
                let coupling = self.coupling(machine, row, column);
                *self.factor.entry_mut(row, column) = coupling * self.scale[row] * self.scale[column];
            }
            // A row that nothing moves is left to itself.
            *self.factor.entry_mut(row, row) = 1.0 + COMPLIANCE;
        }
        // Positive definite by its compliance, unless numbers are not finite: these go on to the states.
        self.factor.factor();
    }

    /// J_a·W·J_bᵀ.
    fn coupling(&self, machine: &Machine, a: usize, b: usize) -> f64 {
        let mut sum = 0.0;
        for (member, left) in self.gradients[a].iter().flatten() {
            for (_, right) in self.gradients[b].iter().flatten().filter(|(other, _)| other == member) {
                let weights = machine.members[*member].weights();
                sum += (0..6).map(|k| left[k] * weights[k] * right[k]).sum::<f64>();
            }
        }
        sum
    }

    /// (1).
    fn places(&mut self, machine: &Machine, n: usize) {
        let scale = 1.0 / (n + 1) as f64;
        for member in machine.members.iter().filter(|member| member.moves) {
            let nodes = &member.nodes;
            for (place, velocity) in nodes.position.iter().zip(nodes.velocity) {
                let value = self.values.coefficient(velocity, n) * scale;
                self.values.set(*place, n + 1, value);
            }
            let rates = self.values.turning(nodes.orientation, nodes.spin, n);
            (0..4).for_each(|k| self.values.set(nodes.orientation[k], n + 1, rates[k] * scale));
        }
        for (row, speeds) in machine.rows.iter().zip(&self.speeds).filter(|(row, _)| row.is_integrated) {
            self.values.set(row.value, n + 1, speeds[n] * scale);
        }
    }

    /// (2) to (5).
    fn accelerate(&mut self, machine: &Machine, n: usize) {
        self.free_accelerations(machine, n);
        let scale = (n + 1) as f64;
        for (place, row) in machine.rows.iter().enumerate() {
            self.known[place] = self.values.drift(row, n + 1) + self.values.rate(machine, row, 1..=n + 1, n + 1);
        }
        let mut against = vec![0.0; machine.held.len()];
        for (place, &row) in machine.held.iter().enumerate() {
            let law = &machine.rows[row];
            let tau = law.time_constant.map_or(1.0, |node| self.values.of(node)[0]);
            let free: f64 = self.gradients[place]
                .iter()
                .flatten()
                .map(|(member, gradient)| dot(gradient, &self.accelerations[*member]))
                .sum();
            let (value, speed) = (self.values.of(law.value)[n], self.speeds[row][n]);
            against[place] = free + scale * self.known[row] + (2.0 * speed + value / tau) / tau;
        }
        if n == 0 {
            self.free.clone_from(&self.accelerations);
            self.against.clone_from(&against);
        }
        self.react(machine, n, &against);
        for (member, acceleration) in machine.members.iter().zip(&self.accelerations) {
            let of = |at: usize| Vec3::new(acceleration[at], acceleration[at + 1], acceleration[at + 2]) / scale;
            for (nodes, vector) in [(member.nodes.velocity, of(0)), (member.nodes.spin, of(3))] {
                nodes.iter().enumerate().for_each(|(k, node)| {
                    node.iter().for_each(|&node| self.values.set(node, n + 1, vector[k]));
                });
            }
        }
        for (place, row) in machine.rows.iter().enumerate() {
            self.speeds[place][n + 1] = self.known[place] + self.values.newest_rate(machine, row, n + 1);
        }
    }

    /// (2), into the accelerations.
    fn free_accelerations(&mut self, machine: &Machine, n: usize) {
        for (member, acceleration) in machine.members.iter().zip(&mut self.accelerations) {
            *acceleration = [0.0; 6];
            if !member.moves {
                continue;
            }
            if n == 0 {
                acceleration[..3].copy_from_slice(machine.gravity.as_slice());
            }
            for (i, j, k) in CYCLE {
                acceleration[3 + i] = member.ratios[i] * self.values.mixed(member.nodes.spin, j, k, n);
            }
        }
        for side in machine.forces.iter().flat_map(|force| force.sides.iter().flatten()) {
            let weights = machine.members[side.member].weights();
            let acceleration = &mut self.accelerations[side.member];
            for (k, node) in side.force.iter().chain(&side.torque).enumerate() {
                acceleration[k] += side.sign * weights[k] * self.values.coefficient(*node, n);
            }
        }
        if n == 0 {
            return;
        }
        for (reaction, &row) in self.reactions.iter().zip(&machine.held) {
            for side in machine.rows[row].sides.iter().flatten() {
                let weights = machine.members[side.member].weights();
                let acceleration = &mut self.accelerations[side.member];
                for (k, node) in side.along.iter().chain(&side.turning).enumerate() {
                    let Some(node) = node.filter(|node| !machine.graph.is_steady(*node)) else { continue };
                    acceleration[k] += side.sign * weights[k] * convolution(self.values.of(node), reaction, 1..=n, n);
                }
            }
        }
    }

    /// (4) by (6), and (5) without its division.
    fn react(&mut self, machine: &Machine, n: usize, against: &[f64]) {
        let mut scaled = vec![0.0; against.len()];
        for pass in 0..PASSES {
            for (row, entry) in scaled.iter_mut().enumerate() {
                *entry = COMPLIANCE * *entry - self.scale[row] * against[row];
            }
            self.factor.solve(&mut scaled);
            if n == 0 {
                let unscaled = scaled.iter().zip(&self.scale).map(|(entry, scale)| entry * scale);
                self.passes[pass].iter_mut().zip(unscaled).for_each(|(to, from)| *to = from);
            }
        }
        for (row, entry) in scaled.iter().enumerate() {
            let reaction = entry * self.scale[row];
            self.reactions[row][n] = reaction;
            for (member, gradient) in self.gradients[row].iter().flatten() {
                let weights = machine.members[*member].weights();
                let acceleration = &mut self.accelerations[*member];
                (0..6).for_each(|k| acceleration[k] += weights[k] * gradient[k] * reaction);
            }
        }
    }

    /// D_t of the held rows at the start.
    pub fn drifts(&self, machine: &Machine) -> Vec<f64> {
        machine.held.iter().map(|&row| self.values.drift(&machine.rows[row], 0)).collect()
    }

    /// In the place of forces, the impulses that answer these changes of the held rows' rates.
    pub fn respond(&mut self, machine: &Machine, against: &[f64]) {
        self.accelerations.iter_mut().for_each(|acceleration| *acceleration = [0.0; 6]);
        self.react(machine, 0, against);
    }

    /// What the impulses do to velocities: of each centre, then of each principal spin.
    pub fn response(&self) -> &[[f64; 6]] {
        &self.accelerations
    }

    /// How far the series may be followed, s, from the size of their last two coefficients (two, since one may vanish by symmetry).
    ///
    /// ```text
    /// h = min over kinds c and n = ORDER − 1, ORDER of (TRUNCATION·max_k |c_k|·h^k / |c_n|)^(1/n)
    /// ```
    pub fn length(&self, machine: &Machine) -> f64 {
        let mut kinds = [[0.0_f64; ORDER + 1]; 3];
        for member in machine.members.iter().filter(|member| member.moves) {
            let nodes = &member.nodes;
            let turning = nodes.orientation.map(Some);
            for (sizes, nodes) in kinds.iter_mut().zip([&nodes.velocity[..], &nodes.spin[..], &turning[..]]) {
                for (n, size) in sizes.iter_mut().enumerate() {
                    let square: f64 = nodes.iter().map(|node| self.values.coefficient(*node, n)).map(|c| c * c).sum();
                    *size = if square.is_nan() { f64::NAN } else { size.max(square.sqrt()) };
                }
            }
        }
        let mut length = LONGEST;
        for round in 1..=MOST_LENGTH_ROUNDS {
            let mut shortest = LONGEST;
            for sizes in &kinds {
                let (mut most, mut power) = (0.0_f64, 1.0);
                for size in sizes {
                    most = most.max(size * power);
                    power *= length;
                }
                for n in [ORDER - 1, ORDER] {
                    let allowed = powf(TRUNCATION * most / sizes[n], 1.0 / n as f64);
                    // Nothing to be followed leaves 0/0, and asks for no shorter step.
                    if allowed < shortest {
                        shortest = allowed;
                    }
                }
            }
            let before = length;
            length = shortest.max(SHORTEST);
            if round >= LENGTH_ROUNDS && length >= FALLS * before {
                break;
            }
        }
        if kinds.as_flattened().iter().any(|size| !size.is_finite()) { f64::NAN } else { length }
    }
}

impl super::machine::Member {
    /// W: three times 1/m, then 1/Λ_i; zero for what is not pushed.
    pub fn weights(&self) -> [f64; 6] {
        let (mass, inertia) = (self.inverse_mass, self.inverse_inertia);
        [mass, mass, mass, inertia.x, inertia.y, inertia.z]
    }
}

impl Values {
    /// Coefficient n of a component; zero where there is none.
    pub fn coefficient(&self, term: Term, n: usize) -> f64 {
        term.map_or(0.0, |node| self.of(node)[n])
    }

    /// D_t of a row.
    fn drift(&self, row: &Row, n: usize) -> f64 {
        row.drift.map_or(0.0, |node| self.of(node).get(n).copied().unwrap_or(0.0))
    }

    /// J of one side at the start, sign included.
    pub fn gradient(&self, side: &RowSide) -> [f64; 6] {
        let of = |nodes: &[Term; 3], k: usize| side.sign * self.coefficient(nodes[k], 0);
        std::array::from_fn(|k| if k < 3 { of(&side.along, k) } else { of(&side.turning, k - 3) })
    }

    /// Σ_j J_j·v_n−j over a range of j.
    fn rate(&self, machine: &Machine, row: &Row, range: std::ops::RangeInclusive<usize>, n: usize) -> f64 {
        let mut sum = 0.0;
        for side in row.sides.iter().flatten() {
            let nodes = &machine.members[side.member].nodes;
            let gradients = side.along.iter().chain(&side.turning);
            for (gradient, velocity) in gradients.zip(nodes.velocity.iter().chain(&nodes.spin)) {
                let (Some(gradient), Some(velocity)) = (gradient, velocity) else { continue };
                if *range.start() > 0 && machine.graph.is_steady(*gradient) {
                    continue;
                }
                sum += side.sign * convolution(self.of(*gradient), self.of(*velocity), range.clone(), n);
            }
        }
        sum
    }

    /// J₀·v_n.
    fn newest_rate(&self, machine: &Machine, row: &Row, n: usize) -> f64 {
        let mut sum = 0.0;
        for side in row.sides.iter().flatten() {
            let nodes = &machine.members[side.member].nodes;
            for (gradient, velocity) in
                side.along.iter().chain(&side.turning).zip(nodes.velocity.iter().chain(&nodes.spin))
            {
                sum += side.sign * self.coefficient(*gradient, 0) * self.coefficient(*velocity, n);
            }
        }
        sum
    }

    /// (σ_j·σ_k)_n.
    fn mixed(&self, spin: [Term; 3], j: usize, k: usize, n: usize) -> f64 {
        match (spin[j], spin[k]) {
            (Some(j), Some(k)) => convolution(self.of(j), self.of(k), 0..=n, n),
            _ => 0.0,
        }
    }

    /// ½·(Q∘σ)_n, as x, y, z, w.
    fn turning(&self, orientation: [Node; 4], spin: [Term; 3], n: usize) -> [f64; 4] {
        let Some(spin) = spin.iter().copied().collect::<Option<Vec<Node>>>() else { return [0.0; 4] };
        let product = |q: usize, s: usize| convolution(self.of(orientation[q]), self.of(spin[s]), 0..=n, n);
        let mut rate = [0.0; 4];
        for (i, j, k) in CYCLE {
            rate[i] = 0.5 * (product(3, i) + product(j, k) - product(k, j));
            rate[3] -= 0.5 * product(i, i);
        }
        rate
    }
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
