//! Free flight of one body under uniform gravity: its state at any time, and how that depends on
//! where it began.
//!
//! With τ = t − t₀ and P = `body_from_principal`:
//!
//! ```text
//! x(t) = x₀ + v₀·τ + ½g·τ²,       v(t) = v₀ + g·τ                                (1)
//! R(t) : L = R·P·diag(Λ)·Pᵀ·Rᵀ·ω constant,  Ṙ = [ω]·R                            (2)
//! ```
//!
//! How (2) is solved is `turn`. A fixed body stays where it is, whatever velocity its state claims.
//!
//! Forces other than gravity, contacts and joints are no flight. When a flight ends is `simulation`.

use super::state::{BodyState, MassProperties, StateTangent, stacked};
use super::turn::Turn;
use crate::math::{Mat3, Rotation, Vec3};
use nalgebra::SMatrix;

/// The motion of one body from a start under gravity alone.
#[derive(Clone, Debug)]
pub struct Flight {
    mass: MassProperties,
    /// m/s²; zero for a fixed body.
    gravity: Vec3,
    start: f64,
    start_state: BodyState,
    turn: Turn,
    /// Bounds of |ω| and |dω/dt|: searches ask for them at every step.
    spin_bound: f64,
    spin_rate_bound: f64,
}

/// How the state at a fixed time depends on the start.
#[derive(Clone, Debug)]
pub struct FlightDerivative {
    /// By the start's tangent, 12 × 12.
    pub dq_dq0: SMatrix<f64, 12, 12>,
    /// By the principal moments, 12 × 3, the start held.
    pub dq_dinertia: SMatrix<f64, 12, 3>,
    /// By gravity, 12 × 3.
    pub dq_dgravity: SMatrix<f64, 12, 3>,
}

impl Flight {
    /// A flight that passes through `state` at `t`.
    pub fn new(mass: &MassProperties, gravity: Vec3, t: f64, state: BodyState) -> Flight {
        let (mut gravity, mut state) = (gravity, state);
        if !mass.is_pushed() {
            gravity = Vec3::zeros();
            state.velocity = Vec3::zeros();
            state.spin = Vec3::zeros();
        }
        let turn = Turn::new(mass, &state);
        let (spin_bound, spin_rate_bound) = (turn.spin_bound(), turn.spin_rate_bound());
        Flight { mass: *mass, gravity, start: t, start_state: state, turn, spin_bound, spin_rate_bound }
    }

    /// Makes the flight valid up to `t`. Only tumbling bodies need it; asking again is free. A flight has a greatest number of
    /// turns, beyond which it cannot be extended ([`Flight::known_until`]).
    pub fn extend_to(&mut self, t: f64) {
        self.turn.extend_to(t - self.start);
    }

    /// The time up to which the flight is valid.
    pub fn known_until(&self) -> f64 {
        self.start + self.turn.end()
    }

    /// The state at `t`. For a tumbling body `t` must have been covered by [`Flight::extend_to`];
    /// beyond that the last step is extrapolated. Numbers are not finite where the motion is not.
    pub fn at(&self, t: f64) -> BodyState {
        let (rotation, spin) = self.turn.at(t - self.start);
        let velocity = self.start_state.velocity + self.gravity * (t - self.start);
        BodyState { position: self.center_at(t), rotation, velocity, spin }
    }

    /// The centre of mass at `t`, m: the first of (1).
    pub fn center_at(&self, t: f64) -> Vec3 {
        let tau = t - self.start;
        let BodyState { position, velocity, .. } = self.start_state;
        position + (velocity + self.gravity * (0.5 * tau)) * tau
    }

    /// The orientation at `t`, at half the cost of [`Flight::at`].
    pub fn rotation_at(&self, t: f64) -> Rotation {
        self.turn.rotation_at(t - self.start)
    }

    /// Time at which the flight begins, s.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// State at [`Flight::start`].
    pub fn start_state(&self) -> &BodyState {
        &self.start_state
    }

    /// Of the centre of mass, m/s²: the same all along.
    pub fn acceleration(&self) -> Vec3 {
        self.gravity
    }

    /// A number that |ω| never exceeds, rad/s; |ω| itself where that is constant.
    pub fn spin_bound(&self) -> f64 {
        self.spin_bound
    }

    /// A number that |dω/dt| never exceeds, rad/s²; zero where the spin is constant.
    pub fn spin_rate_bound(&self) -> f64 {
        self.spin_rate_bound
    }

    /// Times and states at which the stored motion begins anew: the start, and for a tumbling body
    /// the start of every Taylor step so far.
    pub fn nodes(&self) -> impl Iterator<Item = (f64, BodyState)> + '_ {
        let later = self.turn.node_times().iter().skip(1);
        let states = later.map(|tau| (self.start + tau, self.at(self.start + tau)));
        std::iter::once((self.start, self.start_state)).chain(states)
    }

    /// How many of them follow the start.
    pub fn node_count(&self) -> usize {
        self.turn.node_times().len() - 1
    }

    /// F where a flight is at `state`, without flying: dω/dt = W·(L × ω), since L is constant.
    pub fn rate_at(mass: &MassProperties, gravity: Vec3, state: &BodyState) -> StateTangent {
        if !mass.is_pushed() {
            return StateTangent::zeros();
        }
        let twist = state.angular_momentum(mass).cross(&state.spin);
        let spin_rate = mass.inverse_inertia_in_world(&state.rotation) * twist;
        stacked(state.velocity, state.spin, gravity, spin_rate)
    }

    /// F = dq/dt at `t`: v, ω, g, dω/dt.
    pub fn rate(&self, t: f64) -> StateTangent {
        let state = self.at(t);
        let spin_rate = self.turn.spin_rate_at(t - self.start);
        stacked(state.velocity, state.spin, self.gravity, spin_rate)
    }

    /// All derivatives of the state at the fixed time `t`, which must be covered as for
    /// [`Flight::at`].
    pub fn derivative(&self, t: f64) -> FlightDerivative {
        FlightDerivative { dq_dq0: self.dq_dq0(t), dq_dinertia: self.dq_dinertia(t), dq_dgravity: self.dq_dgravity(t) }
    }

    /// Derivative of the state at the fixed time `t` by the start's tangent, 12 × 12.
    ///
    /// Translation is (1); a fixed body keeps its place and has no velocities to depend on.
    pub fn dq_dq0(&self, t: f64) -> SMatrix<f64, 12, 12> {
        let tau = t - self.start;
        let mut result = SMatrix::<f64, 12, 12>::identity();
        if !self.mass.is_pushed() {
            result.fixed_view_mut::<6, 6>(6, 6).fill(0.0);
            return result;
        }
        let dturn = self.turn.dturn_dstart(tau);
        result.fixed_view_mut::<3, 3>(0, 6).copy_from(&(Mat3::identity() * tau));
        for (blocks, row) in dturn.iter().zip([3, 9]) {
            for (block, column) in blocks.iter().zip([3, 9]) {
                result.fixed_view_mut::<3, 3>(row, column).copy_from(block);
            }
        }
        result
    }

    /// The part of [`Flight::dq_dq0`] that turns: rows θ, ω by columns θ₀, ω₀ at `t`, each 3 × 3. The rest is (1).
    pub fn dturn_dstart(&self, t: f64) -> [[Mat3; 2]; 2] {
        self.turn.dturn_dstart(t - self.start)
    }

    /// Derivative of the state at the fixed time `t` by the principal moments, 12 × 3.
    pub fn dq_dinertia(&self, t: f64) -> SMatrix<f64, 12, 3> {
        let mut result = SMatrix::<f64, 12, 3>::zeros();
        let dturn = self.turn.dturn_dinertia(&self.mass, &self.start_state, t - self.start);
        for (block, row) in dturn.iter().zip([3, 9]) {
            result.fixed_view_mut::<3, 3>(row, 0).copy_from(block);
        }
        result
    }

    /// Derivative of the state at the fixed time `t` by gravity, 12 × 3: from (1).
    pub fn dq_dgravity(&self, t: f64) -> SMatrix<f64, 12, 3> {
        let tau = t - self.start;
        let mut result = SMatrix::<f64, 12, 3>::zeros();
        if self.mass.is_pushed() {
            result.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * (0.5 * tau * tau)));
            result.fixed_view_mut::<3, 3>(6, 0).copy_from(&(Mat3::identity() * tau));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::difference::check_jacobian;
    use crate::math::rotation;

    const GRAVITY: Vec3 = Vec3::new(0.3, -9.81, 0.1);
    /// All equal, two equal about each axis, all different, and a body without extent.
    const MOMENTS: [[f64; 3]; 6] = [
        [0.05, 0.05, 0.05],
        [0.02, 0.05, 0.05],
        [0.05, 0.08, 0.05],
        [0.05, 0.05, 0.07],
        [0.02, 0.05, 0.06],
        [0.0, 0.0, 0.0],
    ];
    const SPINS: [[f64; 3]; 3] = [[2.0, -3.0, 1.5], [0.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn mass(inertia: [f64; 3]) -> MassProperties {
        let body_from_principal = rotation::exp(Vec3::new(-0.4, 0.9, 0.2));
        MassProperties { mass: 3.0, inertia: Vec3::from(inertia), body_from_principal }
    }

    fn state(spin: [f64; 3]) -> BodyState {
        BodyState {
            position: Vec3::new(0.1, 0.8, -0.3),
            rotation: rotation::exp(Vec3::new(0.3, 0.5, 0.2)),
            velocity: Vec3::new(0.5, 0.2, -0.5),
            spin: Vec3::from(spin),
        }
    }

    fn flown(mass: &MassProperties, gravity: Vec3, state: BodyState, t: f64) -> Flight {
        let mut flight = Flight::new(mass, gravity, START, state);
        flight.extend_to(t);
        flight
    }

    const START: f64 = 0.25;

    /// Calls `check` with every combination of moments, spin and time.
    fn for_all_cases(check: impl Fn(&MassProperties, BodyState, f64)) {
        for inertia in MOMENTS {
            for spin in SPINS {
                for t in [START, START + 0.05, START + 0.9] {
                    check(&mass(inertia), state(spin), t);
                }
            }
        }
    }

    #[test]
    fn derivative_by_the_start_matches_differences() {
        for_all_cases(|mass, q0, t| {
            let flight = flown(mass, GRAVITY, q0, t);
            let (q, exact) = (flight.at(t), flight.derivative(t).dq_dq0);
            let map = |x: &[f64]| {
                let moved = q0.moved_by(&StateTangent::from_column_slice(x));
                q.tangent_to(&flown(mass, GRAVITY, moved, t).at(t)).as_slice().to_vec()
            };
            check_jacobian(map, &[0.0; 12], |row, column| exact[(row, column)]);
        });
    }

    #[test]
    fn derivative_by_inertia_matches_differences_across_symmetries() {
        for_all_cases(|mass, q0, t| {
            let flight = flown(mass, GRAVITY, q0, t);
            // Moments are small: in units of 0.05 the map is of moderate size.
            let (q, exact) = (flight.at(t), flight.derivative(t).dq_dinertia * 0.05);
            let map = |x: &[f64]| {
                let inertia = if mass.inertia.max() > 0.0 { Vec3::from_column_slice(x) } else { Vec3::zeros() };
                let changed = MassProperties { inertia: inertia * 0.05, ..*mass };
                q.tangent_to(&flown(&changed, GRAVITY, q0, t).at(t)).as_slice().to_vec()
            };
            let x = mass.inertia / 0.05;
            check_jacobian(map, x.as_slice(), |row, column| exact[(row, column)]);
        });
    }

    #[test]
    fn derivative_by_gravity_matches_differences() {
        for_all_cases(|mass, q0, t| {
            let flight = flown(mass, GRAVITY, q0, t);
            let (q, exact) = (flight.at(t), flight.derivative(t).dq_dgravity);
            let map = |x: &[f64]| {
                let gravity = Vec3::from_column_slice(x);
                q.tangent_to(&flown(mass, gravity, q0, t).at(t)).as_slice().to_vec()
            };
            check_jacobian(map, GRAVITY.as_slice(), |row, column| exact[(row, column)]);
        });
    }

    #[test]
    fn rate_is_the_derivative_by_time() {
        for_all_cases(|mass, q0, t| {
            let flight = flown(mass, GRAVITY, q0, t + 0.1);
            let (q, exact) = (flight.at(t), flight.rate(t));
            let map = |x: &[f64]| q.tangent_to(&flight.at(x[0])).as_slice().to_vec();
            check_jacobian(map, &[t], |row, _| exact[row]);
            let difference = (Flight::rate_at(mass, GRAVITY, &q) - exact).norm();
            assert!(difference < 1e-13 * exact.norm(), "{difference:e}");
        });
    }

    #[test]
    fn a_flight_begins_at_its_start_and_keeps_energy_and_momentum() {
        for_all_cases(|mass, q0, t| {
            let flight = flown(mass, GRAVITY, q0, t);
            let begun = q0.tangent_to(&flight.at(START)).norm();
            assert!(begun < 2e-15, "starts {begun:e} away");
            let q = flight.at(t);
            assert_eq!(q.position, flight.center_at(t));
            assert_eq!(q.rotation, flight.rotation_at(t));
            let total = |q: &BodyState| q.kinetic_energy(mass) - mass.mass * GRAVITY.dot(&q.position);
            let gained = (total(&q) - total(&q0)).abs();
            let twisted = (q.angular_momentum(mass) - q0.angular_momentum(mass)).norm();
            assert!(gained < 1e-13 && twisted < 1e-15, "energy {gained:e}, L {twisted:e}");
        });
    }

    #[test]
    fn bounds_of_symmetric_flights_are_exact() {
        let flight = flown(&mass([0.05, 0.08, 0.05]), GRAVITY, state(SPINS[0]), 2.0);
        let (spin, rate) = (flight.at(1.7).spin.norm(), flight.rate(1.7).fixed_rows::<3>(9).norm());
        assert!((spin - flight.spin_bound()).abs() < 1e-14);
        assert!((rate - flight.spin_rate_bound()).abs() < 1e-13);
        assert_eq!(Flight::new(&mass([0.1; 3]), GRAVITY, 0.0, state(SPINS[0])).spin_rate_bound(), 0.0);
    }

    #[test]
    fn nodes_lie_on_the_flight_and_cover_it() {
        let flight = flown(&mass([0.02, 0.05, 0.06]), GRAVITY, state([9.0, 8.0, 7.0]), 2.0);
        let nodes: Vec<_> = flight.nodes().collect();
        assert_eq!(nodes[0], (START, state([9.0, 8.0, 7.0])));
        assert!(nodes.len() > 10 && nodes.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(nodes.iter().all(|(t, q)| q.tangent_to(&flight.at(*t)).norm() < 1e-14));
        let ball = flown(&mass([0.05; 3]), GRAVITY, state(SPINS[0]), 2.0);
        assert_eq!(ball.nodes().count(), 1);
    }

    #[test]
    fn fixed_bodies_stay() {
        let fixed = MassProperties { mass: f64::INFINITY, ..mass([0.02, 0.05, 0.06]) };
        let flight = flown(&fixed, GRAVITY, state(SPINS[0]), 5.0);
        let q = flight.at(5.0);
        assert_eq!((q.position, q.rotation), (state(SPINS[0]).position, state(SPINS[0]).rotation));
        assert_eq!((q.velocity, q.spin), (Vec3::zeros(), Vec3::zeros()));
        assert_eq!(flight.rate(5.0), StateTangent::zeros());
        let derivative = flight.derivative(5.0);
        assert_eq!(derivative.dq_dq0.trace(), 6.0);
        assert_eq!(derivative.dq_dgravity.norm() + derivative.dq_dinertia.norm(), 0.0);
    }
}
