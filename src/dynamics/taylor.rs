//! One Taylor step of a freely turning body, and of its variation.
//!
//! In the principal frame, with the spin σ there, the orientation Q (world from principal, a
//! quaternion) and a_i = (Λ_j − Λ_k)/Λ_i for i, j, k in cyclic order, Euler's equations and their
//! Taylor coefficients (last index: power of the time since the start of the step) are
//!
//! ```text
//! σ̇_i = a_i·σ_j·σ_k,        (n+1)·σ_i,n+1 = a_i·Σ_m σ_j,m·σ_k,n−m                         (1)
//! Q̇   = ½·Q∘σ,              (n+1)·Q_n+1   = ½·Σ_m Q_m∘σ_n−m                               (2)
//! ```
//!
//! A small change of σ, of the ratios a_i, or of the orientation (φ, with Q ← Q·exp(\[φ\])) obeys
//!
//! ```text
//! δσ̇_i = a_i·(σ_j·δσ_k + σ_k·δσ_j) + δa_i·σ_j·σ_k                                        (3)
//! φ̇    = δσ − σ × φ                                                                      (4)
//! ```
//!
//! and has its Taylor coefficients by the same Cauchy products. Joining steps into a motion, and the
//! way from here to world tangents, is `tumble`.

use crate::math::elementary::powf;
use crate::math::{Rotation, Vec3};
use nalgebra::Quaternion;

/// Highest power in the series. Work per step grows with its square, step length with
/// `TRUNCATION^(1/ORDER)`; the flat optimum for rounding-level accuracy is near 20.
const ORDER: usize = 20;
const _: () = assert!(ORDER.is_multiple_of(2), "`horner` pairs the powers");
/// Largest last term kept, relative to the quantity. Dropped terms are about ten times smaller.
const TRUNCATION: f64 = 1e-16;

/// A term of a variation, relative to the largest, that no sum notices, nor those after it.
const NEGLIGIBLE: f64 = 1e-18;

/// Taylor coefficients over one step, power by power.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Q_n, as x, y, z, w.
    orientation: [[f64; 4]; ORDER + 1],
    /// σ_n; the fourth entry is zero and fills the vector register.
    spin: [[f64; 4]; ORDER + 1],
}

/// Three rows of three columns each; the fourth entry is zero and fills the vector register.
pub(super) type Rows = [[f64; 4]; 3];

/// How spin and orientation change in three directions, per column; both in the principal frame.
#[derive(Clone, Copy)]
pub(super) struct Variation {
    /// δσ, 3 × 3.
    pub(super) spin: Rows,
    /// φ with Q ← Q·exp(\[φ\]), 3 × 3.
    pub(super) turn: Rows,
}

/// A 3 × 3 array of rows, all zero.
pub(super) const ZERO: Rows = [[0.0; 4]; 3];
/// The identity as a 3 × 3 array of rows.
pub(super) const IDENTITY: Rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// i, j, k in cyclic order.
pub(super) const CYCLE: [(usize, usize, usize); 3] = [(0, 1, 2), (1, 2, 0), (2, 0, 1)];

/// σ̇ of equation (1).
pub(super) fn euler(ratios: &Vec3, spin: &Vec3) -> Vec3 {
    ratios.component_mul(&spin.yzx().component_mul(&spin.zxy()))
}

impl Step {
    /// The coefficients by the recurrences (1) and (2).
    pub(super) fn new(ratios: &Vec3, orientation: Rotation, spin: Vec3) -> Self {
        let mut step = Self { orientation: [[0.0; 4]; ORDER + 1], spin: [[0.0; 4]; ORDER + 1] };
        step.orientation[0] = orientation.coords.into();
        step.spin[0] = [spin.x, spin.y, spin.z, 0.0];
        // Q_m∘σ = Σ_i σ_i·(Q_m∘i): the three products with the units are formed once per power,
        // so that the sums run over whole vector registers.
        let mut products = [[[0.0; 4]; 3]; ORDER];
        for n in 0..ORDER {
            products[n] = unit_products(&step.orientation[n]);
            let (mut dspin, mut dorientation) = ([0.0; 3], [0.0; 4]);
            let spins = step.spin[..=n].iter();
            for ((early, late), q) in spins.clone().zip(spins.rev()).zip(&products) {
                for (i, j, k) in CYCLE {
                    dspin[i] += early[j] * late[k];
                }
                for lane in 0..4 {
                    dorientation[lane] += q[0][lane] * late[0] + q[1][lane] * late[1] + q[2][lane] * late[2];
                }
            }
            let scale = 1.0 / (n + 1) as f64;
            for i in 0..3 {
                step.spin[n + 1][i] = ratios[i] * dspin[i] * scale;
            }
            step.orientation[n + 1] = dorientation.map(|x| 0.5 * scale * x);
        }
        step
    }

    /// A step without a motion: NaN at every time.
    pub(super) fn undefined() -> Self {
        Self { orientation: [[f64::NAN; 4]; ORDER + 1], spin: [[f64::NAN; 4]; ORDER + 1] }
    }

    /// s, from the size of the last two coefficients (two, since one may vanish by symmetry).
    ///
    /// ```text
    /// h = min over n of (TRUNCATION/(|Q_n| + |σ_n|/|σ₀|))^(1/n),     n = ORDER − 1, ORDER
    /// ```
    pub(super) fn length(&self) -> f64 {
        let norm = |c: &[f64; 4]| (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3]).sqrt();
        let speed = norm(&self.spin[0]);
        if speed == 0.0 {
            return f64::INFINITY;
        }
        let allowed = |n: usize| {
            let (turn, spin) = (norm(&self.orientation[n]), norm(&self.spin[n]) / speed);
            powf(TRUNCATION / (turn + spin), 1.0 / n as f64)
        };
        let (early, late) = (allowed(ORDER - 1), allowed(ORDER));
        // Unlike `f64::min`, this hands a NaN on.
        if early < late { early } else { late }
    }

    /// Q at `local` seconds into the step, made a unit.
    pub(super) fn orientation_at(&self, local: f64) -> Rotation {
        let [x, y, z, w] = horner(&self.orientation, local);
        Rotation::new_normalize(Quaternion::new(w, x, y, z))
    }

    /// σ at `local` seconds into the step.
    pub(super) fn spin_at(&self, local: f64) -> Vec3 {
        let [x, y, z, _] = horner(&self.spin, local);
        Vec3::new(x, y, z)
    }

    /// Carries a variation from the start of the step to `local` seconds into it.
    ///
    /// The series of (3) and (4): each coefficient from those before it, until two terms in a row (one may vanish by
    /// symmetry) are below rounding, then summed by Horner's rule. Columns are directions of change and do not mix. Where
    /// the turn is not asked for it stays zero.
    pub(super) fn carry(&self, ratios: &Vec3, dratios: &Rows, start: &Variation, local: f64, turns: bool) -> Variation {
        let mut series = [*start; ORDER + 1];
        let forced = *dratios != ZERO;
        let (mut power, mut most, mut small) = (1.0, start.size(), 0);
        for n in 0..ORDER {
            let spin = self.spin_products(&series[..=n]);
            let turn = if turns { self.turn_products(&series[..=n]) } else { ZERO };
            let product = if forced { self.square(n) } else { [0.0; 3] };
            let (scale, last) = (1.0 / (n + 1) as f64, if turns { series[n].spin } else { ZERO });
            let next = &mut series[n + 1];
            for i in 0..3 {
                for c in 0..4 {
                    let forced = dratios[i][c] * product[i];
                    next.spin[i][c] = scale * (ratios[i] * spin[i][c] + forced); // (3)
                    next.turn[i][c] = scale * (last[i][c] + turn[i][c]); // (4)
                }
            }
            power *= local.abs();
            let term = next.size().map(|size| power * size);
            let negligible = (0..2).all(|kind| term[kind] <= NEGLIGIBLE * most[kind]);
            most = [0, 1].map(|kind| term[kind].max(most[kind]));
            small = if negligible { small + 1 } else { 0 };
            if small == 2 {
                return Variation::sum(&series[..=n + 1], local);
            }
        }
        Variation::sum(&series, local)
    }

    /// The Cauchy product σ_j·δσ_k + σ_k·δσ_j of (3) at the power of the last coefficient.
    fn spin_products(&self, series: &[Variation]) -> Rows {
        let mut sum = ZERO;
        for (spin, varied) in self.spin.iter().zip(series.iter().rev()) {
            for (i, j, k) in CYCLE {
                (0..4).for_each(|c| sum[i][c] += spin[j] * varied.spin[k][c] + spin[k] * varied.spin[j][c]);
            }
        }
        sum
    }

    /// The Cauchy product −σ × φ of (4) at the power of the last coefficient.
    fn turn_products(&self, series: &[Variation]) -> Rows {
        let mut sum = ZERO;
        for (spin, varied) in self.spin.iter().zip(series.iter().rev()) {
            for (i, j, k) in CYCLE {
                (0..4).for_each(|c| sum[i][c] += spin[k] * varied.turn[j][c] - spin[j] * varied.turn[k][c]);
            }
        }
        sum
    }

    /// The Cauchy product σ_j·σ_k of (3) at a power.
    fn square(&self, n: usize) -> [f64; 3] {
        let spins = self.spin[..=n].iter();
        CYCLE.map(|(_, j, k)| spins.clone().zip(spins.clone().rev()).map(|(early, late)| early[j] * late[k]).sum())
    }
}

impl Variation {
    /// No change in any direction.
    pub(super) fn zero() -> Variation {
        Variation { spin: ZERO, turn: ZERO }
    }

    /// The largest entries of both parts.
    fn size(&self) -> [f64; 2] {
        [&self.spin, &self.turn]
            .map(|rows| rows.as_flattened().iter().fold(0.0, |most: f64, entry| most.max(entry.abs())))
    }

    /// Σ_n c_n·xⁿ.
    fn sum(coefficients: &[Variation], x: f64) -> Variation {
        let mut value = Variation::zero();
        for coefficient in coefficients.iter().rev() {
            for i in 0..3 {
                for c in 0..4 {
                    value.spin[i][c] = value.spin[i][c] * x + coefficient.spin[i][c];
                    value.turn[i][c] = value.turn[i][c] * x + coefficient.turn[i][c];
                }
            }
        }
        value
    }
}

/// Q∘i, Q∘j and Q∘k, all as x, y, z, w.
fn unit_products(&[x, y, z, w]: &[f64; 4]) -> [[f64; 4]; 3] {
    [[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]]
}

/// Σ_n c_n·xⁿ for four polynomials at once: even and odd powers apart, since each of the two sums
/// waits for its own last product only.
fn horner(coefficients: &[[f64; 4]; ORDER + 1], x: f64) -> [f64; 4] {
    let square = x * x;
    let (mut even, mut odd) = (coefficients[ORDER], coefficients[ORDER - 1]);
    for pair in coefficients[..ORDER - 1].rchunks_exact(2) {
        for lane in 0..4 {
            odd[lane] = odd[lane] * square + pair[0][lane];
            even[lane] = even[lane] * square + pair[1][lane];
        }
    }
    // The last pair holds powers 1 and 2; power 0 remains.
    let constant = &coefficients[0];
    std::array::from_fn(|lane| constant[lane] + (odd[lane] * x + even[lane] * square))
}
