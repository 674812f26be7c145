//! How a body with three different moments turns when nothing twists it: Taylor series.
//!
//! The orientation Q of the principal axes and the spin σ about them are Taylor polynomials over steps
//! that follow one another (`taylor`); the world's spin is ω = R_p·σ, with R_p the rotation Q.
//!
//! A step is as long as its last two coefficients allow: the first dropped term stays below rounding.
//! Its length depends on the body's own state alone, so the same start gives the same bits whoever
//! asks and however often. The cost of a time span grows with the spin; nothing else matters.
//!
//! Of every step its start is kept, of the latest ones their coefficients too: an older step is expanded again where it is
//! asked for, to the same bits. A search asks for the latest, a derivative for each of them once.
//!
//! Everything here counts time τ from the start of the flight. When moments are equal, `symmetric`
//! has a closed form; the series holds there too and agrees, which the derivative by inertia uses.

use std::borrow::Cow;

use super::taylor::{CYCLE, IDENTITY, Rows, Step, Variation, ZERO, euler};
use crate::math::elementary::square;
use crate::math::{Mat3, Rotation, Vec3, rotation};

/// Steps of one flight, after which it is not followed further. Their starts are 64 MB; with more, one flight could fill the memory that
/// a whole motion may; with fewer, a body that turns at 1000 rad/s is lost after minutes.
const MOST_STEPS: usize = 1_000_000;
/// Latest steps that have their coefficients, at least; twice as many at most, 3 MB. A window of a search holds fewer at any
/// spin up to a thousand turns a second.
const EXPANDED: usize = 1024;

/// Angle, rad, from which on a turn's change follows from what stays constant; what is lost is rounding over this angle.
const LEAST_TURN: f64 = 0.1;

/// The turning of one tumbling body from a start at τ = 0.
#[derive(Clone, Debug)]
pub(super) struct Tumble {
    inertia: Vec3,
    /// a_i = (Λ_j − Λ_k)/Λ_i.
    ratios: Vec3,
    /// τ at which each step starts; apart from the coefficients, so that a search stays in cache.
    starts: Vec<f64>,
    /// Q and σ there.
    nodes: Vec<(Rotation, Vec3)>,
    /// The latest steps.
    steps: Vec<Step>,
    /// τ at which the last step ends.
    end: f64,
}

impl Tumble {
    pub(super) fn new(inertia: Vec3, world_from_principal: Rotation, spin: Vec3) -> Self {
        let ratios = Vec3::from(CYCLE.map(|(i, j, k)| (inertia[j] - inertia[k]) / inertia[i]));
        let mut tumble = Self { inertia, ratios, starts: vec![], nodes: vec![], steps: vec![], end: 0.0 };
        tumble.push_step(world_from_principal, world_from_principal.inverse() * spin);
        tumble
    }

    /// Adds steps until τ is covered, or there are as many as may be.
    pub(super) fn extend_to(&mut self, tau: f64) {
        while self.end < tau && self.starts.len() < MOST_STEPS {
            let last = self.starts.len() - 1;
            let length = self.end - self.starts[last];
            let step = self.step(last);
            let (orientation, spin) = (step.orientation_at(length), step.spin_at(length));
            self.push_step(orientation, spin);
        }
    }

    /// τ up to which the motion is known.
    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// A step: its coefficients as they are kept, or expanded again.
    fn step(&self, index: usize) -> Cow<'_, Step> {
        match (index + self.steps.len()).checked_sub(self.starts.len()) {
            Some(kept) => Cow::Borrowed(&self.steps[kept]),
            None => Cow::Owned(Step::new(&self.ratios, self.nodes[index].0, self.nodes[index].1)),
        }
    }

    /// R_p(τ): the principal axes in the world.
    pub(super) fn orientation_at(&self, tau: f64) -> Rotation {
        let index = self.step_at(tau);
        self.step(index).orientation_at(tau - self.starts[index])
    }

    /// R_p(τ), and ω(τ) in the world.
    pub(super) fn at(&self, tau: f64) -> (Rotation, Vec3) {
        let index = self.step_at(tau);
        let (step, local) = (self.step(index), tau - self.starts[index]);
        let orientation = step.orientation_at(local);
        (orientation, orientation * step.spin_at(local))
    }

    /// ω̇(τ) in the world: R_p·σ̇, since ω × ω = 0.
    pub(super) fn spin_rate_at(&self, tau: f64) -> Vec3 {
        let (orientation, spin) = self.at(tau);
        orientation * euler(&self.ratios, &orientation.inverse_transform_vector(&spin))
    }

    /// τ at the start of every step.
    pub(super) fn node_times(&self) -> &[f64] {
        &self.starts
    }

    /// Largest |ω| of the whole motion, all time included.
    ///
    /// With Λ₁ ≤ Λ₂ ≤ Λ₃ and the constants 2T = Σ Λ_i·σ_i² and L² = Σ Λ_i²·σ_i²:
    ///
    /// ```text
    /// 0 ≤ Σ σ_i²·(Λ_i − Λ₁)·(Λ₃ − Λ_i) = 2T·(Λ₁ + Λ₃) − L² − Λ₁·Λ₃·|σ|²
    /// |σ|² ≤ (2T·(Λ₁ + Λ₃) − L²)/(Λ₁·Λ₃) = Σ σ_i²·Λ_i·(Λ₁ + Λ₃ − Λ_i)/(Λ₁·Λ₃)
    /// ```
    ///
    /// The bound is met whenever σ₂ = 0, which happens twice a period. It is below both |L|/Λ₁ and
    /// √(2T/Λ₁).
    pub(super) fn spin_bound(&self) -> f64 {
        let (least, most) = (self.inertia.min(), self.inertia.max());
        let weight = self.inertia.map(|moment| moment * (least + most - moment) / (least * most));
        let spin = self.nodes[0].1;
        // Rounding must not turn a bound that is met into one that is exceeded.
        spin.component_mul(&spin).dot(&weight).sqrt() * (1.0 + 1e-12)
    }

    /// Bound of |ω̇| over all time, with a = max |a_i| and Ω the bound of |ω|.
    ///
    /// ```text
    /// |σ̇|² = Σ a_i²·σ_j²·σ_k² ≤ a²·Σ σ_j²·σ_k² ≤ a²·|σ|⁴/3,      so |ω̇| ≤ a·Ω²/√3
    /// ```
    pub(super) fn spin_rate_bound(&self) -> f64 {
        self.ratios.amax() / 3f64.sqrt() * square(self.spin_bound())
    }

    /// d(δθ, δω)/d(δθ₀, δω₀) at τ: rows θ, ω by columns θ₀, ω₀, each 3 × 3.
    ///
    /// Turning the start together with its spin turns the whole motion with it. A turn δθ₀ that
    /// leaves ω₀ in the world therefore also changes the spin in the body. With Φ = dφ/dw₀ and
    /// D = dw/dw₀ of the variation:
    ///
    /// ```text
    /// δσ₀ = δ(R_p0ᵀ·ω₀) = R_p0ᵀ·(δω₀ − δθ₀ × ω₀) = R_p0ᵀ·(δω₀ + [ω₀]·δθ₀)         (1)
    /// δθ  = δθ₀ + R_p·Φ·δσ₀                                                       (2)
    /// δω  = δ(R_p·σ) = δθ × ω + R_p·D·δσ₀                                         (3)
    /// ```
    pub(super) fn dturn_dstart(&self, tau: f64) -> [[Mat3; 2]; 2] {
        let ends = [0.0, tau].map(|tau| self.at(tau));
        let [(principal0, spin0), end] = &ends;
        let (turn, spin) = self.dturn_dspin0(tau, &ends);
        let by_spin0 = principal0.inverse().to_rotation_matrix().into_inner();
        let by_theta0 = by_spin0 * rotation::hat(*spin0); // (1)
        let theta0 = in_world(end, Mat3::identity(), turn * by_theta0, spin * by_theta0);
        let spin0 = in_world(end, Mat3::zeros(), turn * by_spin0, spin * by_spin0);
        [[theta0[0], spin0[0]], [theta0[1], spin0[1]]]
    }

    /// Φ and D at τ.
    ///
    /// D is a series; Φ follows from what stays: the change of the angular momentum, and with it that of the energy T,
    /// since θ = R_p·φ grows by θ̇ = R_p·δσ and L·θ̇ = σ·Λ·δσ = δT. With a = Λ·σ:
    ///
    /// ```text
    /// R_p·(φ × a + Λ·δσ) = δL = R_p0·Λ·δσ₀          φ × a = b = R_pᵀ·δL − Λ·δσ                  (4)
    /// a·φ = δT·τ = σ₀·Λ·δσ₀·τ                       φ = (a × b + a·(a·φ))/|a|²                  (5)
    /// ```
    ///
    /// A body that has hardly turned leaves too few digits in b; there φ is a series too, and a short one.
    fn dturn_dspin0(&self, tau: f64, [(first, spin0), (last, spin)]: &[(Rotation, Vec3); 2]) -> (Mat3, Mat3) {
        let start = Variation { spin: IDENTITY, turn: ZERO };
        let turned = spin0.norm() * tau.abs() * self.inertia.min() / self.inertia.max();
        if turned.is_nan() || turned < LEAST_TURN {
            return self.variation_at(tau, start, &ZERO, true);
        }
        let (_, dspin) = self.variation_at(tau, start, &ZERO, false);
        let (moments, back) = (Mat3::from_diagonal(&self.inertia), last.inverse() * first);
        let b = back.to_rotation_matrix() * moments - moments * dspin; // (4)
        let [a0, a] = [first.inverse() * spin0, last.inverse() * spin].map(|spin| self.inertia.component_mul(&spin));
        let turn = (rotation::hat(a) * b + a * a0.transpose() * tau) / a.norm_squared(); // (5)
        (turn, dspin)
    }

    /// d(δθ, δω)/d(Λ₁, Λ₂, Λ₃) at τ, the start held: rows θ, ω, each 3 × 3.
    pub(super) fn dturn_dinertia(&self, tau: f64) -> [Mat3; 2] {
        let start = Variation::zero();
        let (turn, spin) = self.variation_at(tau, start, &self.dratios_dinertia(), true);
        in_world(&self.at(tau), Mat3::zeros(), turn, spin)
    }

    /// da_i/dΛ_c, row by row: a_i = (Λ_j − Λ_k)/Λ_i.
    fn dratios_dinertia(&self) -> Rows {
        let mut rows = ZERO;
        for (i, j, k) in CYCLE {
            let inverse = 1.0 / self.inertia[i];
            rows[i][i] = -self.ratios[i] * inverse;
            rows[i][j] = inverse;
            rows[i][k] = -inverse;
        }
        rows
    }

    /// (φ, δσ) at τ for a variation of the start and of the ratios, 3 × 3 each, stepped along the
    /// steps of the motion itself; φ is zero where it is not asked for.
    fn variation_at(&self, tau: f64, start: Variation, dratios: &Rows, turns: bool) -> (Mat3, Mat3) {
        let last = self.step_at(tau);
        let mut variation = start;
        for index in 0..=last {
            let end = if index == last { tau } else { self.starts[index + 1] };
            let length = end - self.starts[index];
            variation = self.step(index).carry(&self.ratios, dratios, &variation, length, turns);
        }
        let matrix = |rows: Rows| Mat3::from_fn(|row, column| rows[row][column]);
        (matrix(variation.turn), matrix(variation.spin))
    }

    /// Index of the step in which τ lies; the first or last one outside all.
    fn step_at(&self, tau: f64) -> usize {
        self.starts.partition_point(|&start| start <= tau).saturating_sub(1)
    }

    /// Expands a step at the end of the last one. A motion that cannot go on ends in a step of
    /// NaNs that lasts for ever, so that whoever evaluates it sees that there is none.
    fn push_step(&mut self, orientation: Rotation, spin: Vec3) {
        let mut step = Step::new(&self.ratios, orientation, spin);
        let mut length = step.length();
        if length.is_nan() {
            step = Step::undefined();
            length = f64::INFINITY;
        }
        if self.steps.len() == 2 * EXPANDED {
            self.steps.drain(..EXPANDED);
        }
        self.starts.push(self.end);
        self.nodes.push((orientation, spin));
        self.steps.push(step);
        self.end += length;
    }
}

/// World tangents from principal-frame ones where R_p and ω are known: equations (2) and (3), 3 × 3 each.
fn in_world((orientation, spin): &(Rotation, Vec3), dtheta0: Mat3, turn: Mat3, dspin: Mat3) -> [Mat3; 2] {
    let axes = orientation.to_rotation_matrix().into_inner();
    let dtheta = dtheta0 + axes * turn; // (2)
    [dtheta, axes * dspin - rotation::hat(*spin) * dtheta] // (3)
}

#[cfg(test)]
mod tests {
    use super::super::symmetric::SymmetricTurn;
    use super::*;
    use nalgebra::Quaternion;

    fn tumble(inertia: [f64; 3], spin: [f64; 3], tau: f64) -> Tumble {
        let orientation = rotation::exp(Vec3::new(0.3, -0.5, 0.8));
        let mut tumble = Tumble::new(Vec3::from(inertia), orientation, Vec3::from(spin));
        tumble.extend_to(tau);
        tumble
    }

    /// (T, L) at τ.
    fn invariants(tumble: &Tumble, tau: f64) -> (f64, Vec3) {
        let (orientation, spin) = tumble.at(tau);
        let in_principal = orientation.inverse() * spin;
        let momentum = orientation * in_principal.component_mul(&tumble.inertia);
        (0.5 * spin.dot(&momentum), momentum)
    }

    #[test]
    fn energy_and_momentum_are_constant_while_tumbling() {
        let cases = [
            ([0.02, 0.05, 0.06], [12.0, -11.0, 12.0]),
            ([1.0, 2.0, 2.9], [0.1, 20.0, -0.1]),
            ([0.001, 1.0, 1.0005], [-15.0, 2.0, 13.0]),
        ];
        for (inertia, spin) in cases {
            let tumble = tumble(inertia, spin, 10.0);
            let (energy0, momentum0) = invariants(&tumble, 0.0);
            for tau in (1..=1000).map(|n| 0.01 * n as f64) {
                let (energy, momentum) = invariants(&tumble, tau);
                let energy_error = (energy / energy0 - 1.0).abs();
                let momentum_error = (momentum - momentum0).norm() / momentum0.norm();
                assert!(energy_error < 1e-13, "energy {energy_error:e} at {tau}, {inertia:?}");
                assert!(momentum_error < 1e-13, "L {momentum_error:e} at {tau}, {inertia:?}");
            }
        }
    }

    /// Another way to the same motion: L is held, and the quaternion alone is integrated in the
    /// world by the classical Runge–Kutta method, Q̇ = ½·ω∘Q with ω = R·diag(1/I)·Rᵀ·L.
    fn runge_kutta(tumble: &Tumble, tau: f64, count: usize) -> Rotation {
        let (start, _) = tumble.at(0.0);
        let momentum = invariants(tumble, 0.0).1;
        let rate = |q: Quaternion<f64>| {
            let orientation = Rotation::new_normalize(q);
            let in_principal = orientation.inverse() * momentum;
            let spin = orientation * in_principal.component_div(&tumble.inertia);
            Quaternion::from_imag(spin) * q * 0.5
        };
        let h = tau / count as f64;
        let mut q = start.into_inner();
        for _ in 0..count {
            let a = rate(q);
            let b = rate(q + a * (0.5 * h));
            let c = rate(q + b * (0.5 * h));
            let d = rate(q + c * h);
            q += (a + (b + c) * 2.0 + d) * (h / 6.0);
        }
        Rotation::new_normalize(q)
    }

    #[test]
    fn the_intermediate_axis_flips_as_another_integrator_says() {
        let orientation = rotation::exp(Vec3::new(0.3, -0.5, 0.8));
        let spin = orientation * Vec3::new(0.01, 8.0, 0.0);
        let tumble = tumble([1.0, 2.0, 3.0], spin.into(), 4.0);
        let along = |tau: f64| {
            let (orientation, spin) = tumble.at(tau);
            (orientation.inverse() * spin).y
        };
        let lowest = (0..400).map(|n| along(0.01 * n as f64)).fold(f64::INFINITY, f64::min);
        assert!(lowest < -7.9, "the axis never turned over: {lowest}");
        for tau in [0.7, 1.6, 2.5, 4.0] {
            let reference = runge_kutta(&tumble, tau, 40_000);
            let error = rotation::angle_between(&tumble.orientation_at(tau), &reference);
            assert!(error < 2e-9, "error {error:e} at {tau}");
        }
    }

    #[test]
    fn what_stays_constant_gives_the_turn_that_its_series_has() {
        for (inertia, spin) in [
            ([0.02, 0.05, 0.06], [8.0, -5.0, 7.0]),
            ([1.0, 2.0, 3.0], [0.01, 8.0, 0.0]),
            ([1.0, 2.0, 2.9], [0.3, 0.4, 0.2]),
        ] {
            let tumble = tumble(inertia, spin, 2.0);
            for tau in [0.05, 0.6, 2.0] {
                let (turn, dspin) = tumble.dturn_dspin0(tau, &[0.0, tau].map(|tau| tumble.at(tau)));
                let start = Variation { spin: IDENTITY, turn: ZERO };
                let (turn_series, dspin_series) = tumble.variation_at(tau, start, &ZERO, true);
                let error = (turn - turn_series).norm() / turn_series.norm();
                assert!(error < 1e-13, "turn {error:e} off after {tau} s");
                let error = (dspin - dspin_series).norm() / dspin_series.norm();
                assert!(error < 1e-14, "spin {error:e} off after {tau} s");
            }
        }
    }

    #[test]
    fn two_flights_are_one() {
        let (inertia, spin) = ([0.02, 0.05, 0.06], [8.0, -5.0, 7.0]);
        let whole = tumble(inertia, spin, 3.0);
        let (orientation, later_spin) = whole.at(1.234);
        let mut rest = Tumble::new(Vec3::from(inertia), orientation, later_spin);
        rest.extend_to(3.0);
        let ((a, v), (b, w)) = (whole.at(2.9), rest.at(2.9 - 1.234));
        let (turn, spin) = (rotation::angle_between(&a, &b), (v - w).norm());
        assert!(turn < 1e-13 && spin < 1e-12, "turn {turn:e}, spin {spin:e}");
    }

    #[test]
    fn the_same_bits_however_it_is_extended() {
        let (inertia, spin) = ([0.02, 0.05, 0.06], [8.0, -5.0, 7.0]);
        let whole = tumble(inertia, spin, 3.0);
        let mut pieces = tumble(inertia, spin, 0.0);
        (0..=300).for_each(|n| pieces.extend_to(0.01 * n as f64));
        for tau in (0..300).map(|n| 0.01 * n as f64) {
            assert_eq!(whole.at(tau), pieces.at(tau));
        }
    }

    #[test]
    fn nearly_equal_moments_turn_as_equal_ones() {
        let rotation0 = rotation::exp(Vec3::new(0.3, -0.5, 0.8));
        let spin = Vec3::new(8.0, -5.0, 7.0);
        for (difference, tolerance) in [(0.0, 1e-12), (1e-14, 1e-11), (1e-9, 1e-6)] {
            let inertia = [1.0, 1.0 + difference, 1.7];
            let (rotation, later_spin) = tumble(inertia, spin.into(), 5.0).at(5.0);
            let closed = SymmetricTurn::new(rotation0, spin, Vec3::z(), 1.7);
            let turn = rotation::angle_between(&rotation, &closed.rotation_at(5.0));
            let spin = (later_spin - closed.at(5.0).1).norm();
            assert!(turn < tolerance && spin < 10.0 * tolerance, "turn {turn:e}, spin {spin:e}");
        }
    }

    #[test]
    fn bounds_hold_and_the_spin_bound_is_met() {
        for inertia in [[1.0, 2.0, 2.9], [0.06, 0.02, 0.05], [3.0, 1.0, 2.5]] {
            let tumble = tumble(inertia, [3.0, -5.0, 4.0], 20.0);
            let (mut most_spin, mut most_rate) = (0.0f64, 0.0f64);
            for tau in (0..20_000).map(|n| 0.001 * n as f64) {
                most_spin = most_spin.max(tumble.at(tau).1.norm());
                most_rate = most_rate.max(tumble.spin_rate_at(tau).norm());
            }
            let (spin, rate) = (tumble.spin_bound(), tumble.spin_rate_bound());
            assert!(most_spin <= spin && most_spin > spin * (1.0 - 1e-5), "{most_spin} of {spin}");
            assert!(most_rate <= rate, "{most_rate} of {rate}");
        }
    }

    #[test]
    fn a_motion_that_cannot_go_on_ends_early_or_in_nan() {
        for spin in [1e13, 1e200, f64::INFINITY, f64::NAN] {
            let tumble = tumble([1.0, 2.0, 2.9], [spin, 1.0, spin], f64::INFINITY);
            assert!(tumble.end() < 1.0 || tumble.at(1.0).1.x.is_nan(), "spin {spin:e} goes on to {} s", tumble.end());
        }
    }
}
