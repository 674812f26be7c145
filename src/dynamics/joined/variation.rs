//! How the states of a machine change with where its flight began and with its numbers.
//!
//! The change of a state obeys, with the accelerations' change A of `linearised`,
//!
//! ```text
//! δẋ = δv,      φ̇ = δσ − σ × φ,      (δv̇, δσ̇) = A·(δx, φ, δv, δσ, δnumbers)                           (1)
//! Y₁ = Y₀ + h·Σ_i b_i·k_i,      k_i = f(t₀ + c_i·h, Y₀ + h·Σ_j a_ij·k_j)                              (2)
//! ```
//!
//! (2) is Gauss's method of six nodes on the Taylor steps of the flight, solved by sweeps; its order is twelve. At the ends
//! the change is told in the world: δθ = R·φ, δω = R·(δσ + φ × σ).

use super::expansion::{Expansion, PrincipalState};
use super::flight::JoinedFlight;
use super::graph::BODY_COLUMNS;
use super::linearised::Linearised;
use super::number::Column;
use crate::math::matrix::product;
use crate::math::rotation::hat;
use crate::math::{Mat3, Vec3};
use nalgebra::{DMatrix, SMatrix};

/// Nodes of (2).
const NODES: usize = 6;
/// Sweeps until (2) is solved: each takes the error down by the part that a step is of the motion's own time.
const MOST_SWEEPS: usize = 60;
/// Largest change of a sweep, relative to the largest entry, after which another would change nothing.
const SETTLED: f64 = 1e-16;

/// The change of all members' states at a time.
#[derive(Clone, Debug)]
pub struct Variation {
    /// In the world: 12·members × (12·members + what was asked for).
    changes: DMatrix<f64>,
    members: usize,
}

impl Variation {
    /// The change of a member's state by that of another at the start, 12 × 12.
    pub fn by_start(&self, member: usize, of: usize) -> SMatrix<f64, 12, 12> {
        self.changes.fixed_view::<12, 12>(BODY_COLUMNS * member, BODY_COLUMNS * of).into_owned()
    }

    /// The change of a member's state by what was asked for, by its place there.
    pub fn by_column(&self, member: usize, place: usize) -> SMatrix<f64, 12, 1> {
        let column = BODY_COLUMNS * self.members + place;
        self.changes.fixed_view::<12, 1>(BODY_COLUMNS * member, column).into_owned()
    }
}

impl JoinedFlight {
    /// How the states at t change, those of the start and what is asked for being free.
    pub fn variation(&self, t: f64, wanted: &[Column]) -> Variation {
        let machine = self.machine();
        let members = machine.member_count();
        let columns = machine.state_columns() + wanted.len();
        let mut sweep = Sweep::new(self, wanted);
        let mut changes = identity(machine.state_columns(), columns);
        let mut now = self.start();
        while now < t {
            let step = self.step(now);
            let end = (step.start + step.length).min(t);
            sweep.advance(&step, now, end, &mut changes);
            // A step that is followed for ever has no end of its own.
            if end <= now {
                break;
            }
            now = end;
        }
        let (begin, end) = (self.step(self.start()), self.step(t));
        let (first, _) = self.principal_states(&begin, self.start());
        let (last, _) = self.principal_states(&end, t);
        let mut result = DMatrix::from_row_slice(machine.state_columns(), columns, &changes);
        for (member, (start, end)) in first.iter().zip(&last).enumerate() {
            let at = BODY_COLUMNS * member;
            let inwards = principal_from_world(start);
            let block = product(&result.columns(at, BODY_COLUMNS).into_owned(), &dynamic(&inwards));
            result.columns_mut(at, BODY_COLUMNS).copy_from(&block);
            let block = product(&dynamic(&world_from_principal(end)), &result.rows(at, BODY_COLUMNS).into_owned());
            result.rows_mut(at, BODY_COLUMNS).copy_from(&block);
        }
        Variation { changes: result, members }
    }
}

/// (2) for one flight.
struct Sweep<'a> {
    flight: &'a JoinedFlight,
    linearised: Linearised<'a>,
    expansion: Expansion,
    columns: usize,
    /// A of each node, and the spins of members there.
    accelerations: [Vec<f64>; NODES],
    spins: [Vec<Vec3>; NODES],
    slopes: [Vec<f64>; NODES],
    place: Vec<f64>,
}

impl<'a> Sweep<'a> {
    fn new(flight: &'a JoinedFlight, wanted: &'a [Column]) -> Sweep<'a> {
        let machine = flight.machine();
        let columns = machine.state_columns() + wanted.len();
        let (rows, half) = (machine.state_columns() * columns, machine.state_columns() / 2 * columns);
        Sweep {
            flight,
            linearised: Linearised::new(machine, wanted),
            expansion: Expansion::new(machine),
            columns,
            accelerations: [0; NODES].map(|_| vec![0.0; half]),
            spins: [0; NODES].map(|_| Vec::new()),
            slopes: [0; NODES].map(|_| vec![0.0; rows]),
            place: vec![0.0; rows],
        }
    }

    /// Carries the change from one time of a step to another.
    fn advance(&mut self, step: &super::flight::Step, from: f64, until: f64, changes: &mut [f64]) {
        let machine = self.flight.machine();
        let h = until - from;
        for (node, part) in PLACES.iter().enumerate() {
            let t = from + part * h;
            let (states, roots) = self.flight.principal_states(step, t);
            self.expansion.roots.copy_from_slice(&roots);
            self.expansion.expand(machine, &states, t, 1);
            self.linearised.at(&self.expansion);
            self.accelerations[node].copy_from_slice(&self.linearised.accelerations);
            self.spins[node] = states.iter().map(|state| state.spin).collect();
            self.slopes[node].fill(0.0);
        }
        for _ in 0..MOST_SWEEPS {
            let (mut most, mut change) = (0.0_f64, 0.0_f64);
            for (node, weights) in WEIGHTS.iter().enumerate() {
                self.place.copy_from_slice(changes);
                for (other, weight) in weights.iter().enumerate() {
                    let slopes = &self.slopes[other];
                    self.place.iter_mut().zip(slopes).for_each(|(place, slope)| *place += h * weight * slope);
                }
                let (largest, moved) = self.slope(node);
                most = most.max(largest);
                change = change.max(moved);
            }
            // Also where nothing is a number.
            if change.is_nan() || change <= SETTLED * most {
                break;
            }
        }
        for (slopes, share) in self.slopes.iter().zip(SHARES) {
            changes.iter_mut().zip(slopes).for_each(|(change, slope)| *change += h * share * slope);
        }
    }

    /// (1) at a node; the largest slope, and how far slopes moved from what they were.
    fn slope(&mut self, node: usize) -> (f64, f64) {
        let machine = self.flight.machine();
        let columns = self.columns;
        let states = machine.state_columns();
        let (mut most, mut moved) = (0.0_f64, 0.0_f64);
        let mut row_of = vec![0.0; columns];
        for member in (0..machine.member_count()).filter(|&member| machine.moves(member)) {
            let spin = self.spins[node][member];
            for row in 0..BODY_COLUMNS {
                let at = |row: usize| (BODY_COLUMNS * member + row) * columns;
                let part = |row: usize| &self.place[at(row)..at(row) + columns];
                match row {
                    0..3 => row_of.copy_from_slice(part(6 + row)),
                    3..6 => {
                        let (i, j) = ((row - 2) % 3, (row - 1) % 3);
                        row_of.copy_from_slice(part(6 + row));
                        // −(σ × φ)_k = σ_j·φ_i − σ_i·φ_j with i, j, k in cyclic order.
                        let (first, second) = (part(3 + i), part(3 + j));
                        for (sum, (a, b)) in row_of.iter_mut().zip(first.iter().zip(second)) {
                            *sum += spin[j] * a - spin[i] * b;
                        }
                    }
                    _ => {
                        let start = (6 * member + row - 6) * columns;
                        let factors = &self.accelerations[node][start..start + columns];
                        row_of[..states].fill(0.0);
                        row_of[states..].copy_from_slice(&factors[states..]);
                        for (other, factor) in factors[..states].iter().enumerate() {
                            if *factor != 0.0 {
                                let source = &self.place[other * columns..(other + 1) * columns];
                                row_of.iter_mut().zip(source).for_each(|(sum, entry)| *sum += factor * entry);
                            }
                        }
                    }
                }
                let start = at(row);
                for (slope, new) in self.slopes[node][start..start + columns].iter_mut().zip(&row_of) {
                    most = if new.is_nan() { f64::NAN } else { most.max(new.abs()) };
                    moved = if new.is_nan() { f64::NAN } else { moved.max((new - *slope).abs()) };
                    *slope = *new;
                }
            }
        }
        (most, moved)
    }
}

fn dynamic(block: &SMatrix<f64, 12, 12>) -> DMatrix<f64> {
    DMatrix::from_column_slice(BODY_COLUMNS, BODY_COLUMNS, block.as_slice())
}

fn identity(rows: usize, columns: usize) -> Vec<f64> {
    let mut entries = vec![0.0; rows * columns];
    (0..rows).for_each(|k| entries[k * columns + k] = 1.0);
    entries
}

/// φ = Rᵀ·δθ,  δσ = Rᵀ·δω − φ × σ = Rᵀ·δω + \[σ\]·φ.
pub(super) fn principal_from_world(state: &PrincipalState) -> SMatrix<f64, 12, 12> {
    let turn: Mat3 = state.orientation.inverse().to_rotation_matrix().into_inner();
    let mut matrix = SMatrix::<f64, 12, 12>::identity();
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
    matrix.fixed_view_mut::<3, 3>(9, 9).copy_from(&turn);
    matrix.fixed_view_mut::<3, 3>(9, 3).copy_from(&(hat(state.spin) * turn));
    matrix
}

/// δθ = R·φ,  δω = R·(δσ + φ × σ) = R·δσ − R·\[σ\]·φ.
fn world_from_principal(state: &PrincipalState) -> SMatrix<f64, 12, 12> {
    let turn: Mat3 = state.orientation.to_rotation_matrix().into_inner();
    let mut matrix = SMatrix::<f64, 12, 12>::identity();
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
    matrix.fixed_view_mut::<3, 3>(9, 9).copy_from(&turn);
    matrix.fixed_view_mut::<3, 3>(9, 3).copy_from(&(-turn * hat(state.spin)));
    matrix
}

/// c_i of (2): the roots of the sixth Legendre polynomial, on [0, 1].
const PLACES: [f64; NODES] = [
    0.03376524289842399,
    0.16939530676686773,
    0.38069040695840156,
    0.6193095930415985,
    0.8306046932331322,
    0.966234757101576,
];

/// b_i of (2).
const SHARES: [f64; NODES] = [
    0.08566224618958518,
    0.1803807865240693,
    0.23395696728634552,
    0.23395696728634552,
    0.1803807865240693,
    0.08566224618958518,
];

/// a_ij of (2).
const WEIGHTS: [[f64; NODES]; NODES] = [
    [
        0.04283112309479259,
        -0.014763725997197413,
        0.009325050706477751,
        -0.005668858049483512,
        0.002854433315099335,
        -0.0008127801712647621,
    ],
    [
        0.09267349143037887,
        0.09019039326203465,
        -0.020300102293239586,
        0.010363156240246424,
        -0.004887192928037671,
        0.0013555610554850618,
    ],
    [
        0.08224792261284387,
        0.196032162333245,
        0.11697848364317276,
        -0.020482527745656096,
        0.007989991899662336,
        -0.002075625784866334,
    ],
    [
        0.0877378719744515,
        0.17239079462440696,
        0.25443949503200164,
        0.11697848364317276,
        -0.0156513758091757,
        0.0034143235767412987,
    ],
    [
        0.08430668513410011,
        0.18526797945210696,
        0.2235938110460991,
        0.2542570695795851,
        0.09019039326203465,
        -0.007011245240793691,
    ],
    [
        0.08647502636084993,
        0.17752635320896998,
        0.23962582533582905,
        0.22463191657986778,
        0.19514451252126672,
        0.04283112309479259,
    ],
];
