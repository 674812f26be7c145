//! The derivative of an assembled start, and Newton's step towards it: the equations of `assembly` made linear.
//!
//! ```text
//! R = W·∇f − W·Jᵀ·λ = 0,   D = 0
//! [ ∂(W·∇f)/∂q − δ(W·Jᵀ)·λ    −W·Jᵀ ] [ δq ]     [ −∂R/∂(given, numbers) ]
//! [ J                            E    ] [ δλ ]  =  [ −∂D/∂numbers + E·δλ   ]       E = ε·diag(J·W·Jᵀ)        (1)
//! ```
//!
//! solved by passes in E, each with the δλ of the pass before on the right. δ(W·Jᵀ)·λ is the second-order term: how gradients turn
//! with the places they are taken at. With C and Q as in `assembly`, a(A) = axial(A):
//!
//! ```text
//! W·∇f = (x − x₀, Λ⁻¹·a(C·Q))          by φ: Λ⁻¹·a(C·Q·[e_k])          by φ₀: −Λ⁻¹·a(C·[e_k]·Q)          (2)
//! ```
//!
//! Velocities follow at the new places: δv = δv₀ + δ(W·Jᵀ·Λ), with the change of Ḋ by everything (`linearised`).

use super::assembly_place::{Place, axial, second_moments};
use super::expansion::{COMPLIANCE, PASSES};
use super::graph::BODY_COLUMNS;
use super::linearised::Linearised;
use super::machine::Machine;
use super::number::Column;
use super::variation::principal_from_world;
use crate::math::elimination::solve;
use crate::math::matrix::product;
use crate::math::rotation::hat;
use crate::math::{Mat3, Vec3};
use nalgebra::{DMatrix, SMatrix};

/// How states on their joints change: 12·members × (12·members + what was asked for), in the world.
#[derive(Clone, Debug)]
pub struct AssemblyChange {
    changes: DMatrix<f64>,
    members: usize,
}

/// (1) at a place.
pub(super) struct Newton<'a> {
    machine: &'a Machine,
    place: &'a Place,
    wanted: &'a [Column],
    /// δ(W·Jᵀ)·λ and δD: six rows a member, and one a held row, by all columns.
    pushed: DMatrix<f64>,
    values: DMatrix<f64>,
}

impl<'a> Newton<'a> {
    pub fn new(machine: &'a Machine, place: &'a Place, wanted: &'a [Column]) -> Newton<'a> {
        let mut linearised = Linearised::new(machine, wanted);
        let (expansion, columns) = (&place.expansion, linearised.columns);
        let (members, held) = (machine.members.len(), machine.held.len());
        let pushed = linearised.pushed(expansion, &place.reactions);
        let values = linearised.values(expansion);
        Newton {
            machine,
            place,
            wanted,
            pushed: DMatrix::from_row_slice(6 * members, columns, &pushed),
            values: DMatrix::from_row_slice(held, columns, &values),
        }
    }

    /// Newton's step in places, and the λ after it.
    pub fn step(&self, values: &[f64]) -> Option<(Vec<[f64; 6]>, Vec<f64>)> {
        let (machine, place) = (self.machine, self.place);
        let members = machine.members.len();
        // W·Jᵀ·(λ + δλ) answers W·∇f: λ itself is solved for.
        let slopes = place.slopes(machine);
        let mut right = DMatrix::zeros(6 * members + values.len(), 1);
        for (k, slope) in slopes.iter().flatten().enumerate() {
            right[(k, 0)] = -slope;
        }
        for (row, value) in values.iter().enumerate() {
            right[(6 * members + row, 0)] = -value;
        }
        // Beyond the first pass E·(λ − λ before): begun from λ.
        let answer = self.solved(&right, Some(&place.reactions))?;
        let step = (0..members).map(|k| std::array::from_fn(|entry| answer[(6 * k + entry, 0)])).collect();
        Some((step, (0..values.len()).map(|row| answer[(6 * members + row, 0)]).collect()))
    }

    /// (1) for given right sides.
    fn solved(&self, right: &DMatrix<f64>, begin: Option<&[f64]>) -> Option<DMatrix<f64>> {
        let (first, rows) = (6 * self.machine.members.len(), self.values.nrows());
        let (matrix, compliance) = self.matrix();
        let mut answer = DMatrix::zeros(first + rows, right.ncols());
        if let Some(begin) = begin {
            answer.column_mut(0).rows_mut(first, rows).copy_from_slice(begin);
        }
        for _ in 0..PASSES {
            let mut pass = right.clone();
            for row in 0..rows {
                for column in 0..right.ncols() {
                    pass[(first + row, column)] += compliance[row] * answer[(first + row, column)];
                }
            }
            if !solve(matrix.clone(), &mut pass) {
                return None;
            }
            answer = pass;
        }
        answer.iter().all(|entry| entry.is_finite()).then_some(answer)
    }

    /// The matrix of (1), and E.
    fn matrix(&self) -> (DMatrix<f64>, Vec<f64>) {
        let (machine, place) = (self.machine, self.place);
        let (first, rows) = (6 * machine.members.len(), self.values.nrows());
        let mut matrix = DMatrix::zeros(first + rows, first + rows);
        for (k, member) in machine.members.iter().enumerate() {
            (0..6).for_each(|entry| matrix[(6 * k + entry, 6 * k + entry)] = 1.0);
            if member.moves && member.inverse_inertia != Vec3::zeros() {
                let spread = Mat3::from_diagonal(&second_moments(member)) * place.turn(k);
                let by_turn = |axis: usize| axial(&(spread * hat(Vec3::ith(axis, 1.0))));
                for axis in 0..3 {
                    let column = by_turn(axis).component_mul(&member.inverse_inertia);
                    (0..3).for_each(|row| matrix[(6 * k + 3 + row, 6 * k + 3 + axis)] = column[row]);
                }
            }
            // Places are the first six of a member's columns.
            for entry in 0..6 {
                let column = BODY_COLUMNS * k + entry;
                for row in 0..first {
                    matrix[(row, 6 * k + entry)] -= self.pushed[(row, column)];
                }
                for row in 0..rows {
                    matrix[(first + row, 6 * k + entry)] = self.values[(row, column)];
                }
            }
        }
        let mut compliance = vec![0.0; rows];
        for (place_of, &row) in machine.held.iter().enumerate() {
            for side in machine.rows[row].sides.iter().flatten() {
                let gradient = place.expansion.values.gradient(side);
                let weights = machine.members[side.member].weights();
                for k in 0..6 {
                    matrix[(6 * side.member + k, first + place_of)] -= weights[k] * gradient[k];
                    compliance[place_of] += COMPLIANCE * weights[k] * gradient[k] * gradient[k];
                }
            }
            // A row that nothing moves is left to itself.
            if compliance[place_of] == 0.0 {
                compliance[place_of] = 1.0;
            }
            matrix[(first + place_of, first + place_of)] = compliance[place_of];
        }
        (matrix, compliance)
    }

    /// −∂R and −∂D by the given places (x₀, φ₀) and by what is asked for.
    fn right(&self) -> DMatrix<f64> {
        let (machine, place) = (self.machine, self.place);
        let (members, rows) = (machine.members.len(), self.values.nrows());
        let (first, states) = (6 * members, machine.state_columns());
        let mut right = DMatrix::zeros(first + rows, first + self.wanted.len());
        for (k, member) in machine.members.iter().enumerate() {
            (0..6).for_each(|entry| right[(6 * k + entry, 6 * k + entry)] = 1.0);
            if !member.moves || member.inverse_inertia == Vec3::zeros() {
                continue;
            }
            let spread = Mat3::from_diagonal(&second_moments(member));
            for axis in 0..3 {
                let column = axial(&(spread * hat(Vec3::ith(axis, 1.0)) * place.turn(k)));
                let column = column.component_mul(&member.inverse_inertia);
                (0..3).for_each(|row| right[(6 * k + 3 + row, 6 * k + 3 + axis)] = column[row]);
            }
        }
        for (at, column) in self.wanted.iter().enumerate() {
            for row in 0..first {
                right[(row, first + at)] = self.pushed[(row, states + at)];
            }
            for row in 0..rows {
                right[(first + row, first + at)] = -self.values[(row, states + at)];
            }
            if let Column::Inertia(k, axis) = *column {
                // Λ⁻¹·a(C·Q) by Λ itself and by C.
                let member = &machine.members[k];
                let inverse = member.inverse_inertia;
                let spread = Mat3::from_diagonal(&second_moments(member));
                let spread_change = Mat3::from_diagonal(&(Vec3::repeat(0.5) - Vec3::ith(axis, 1.0)));
                let mut change = axial(&(spread_change * place.turn(k))).component_mul(&inverse);
                change[axis] -= inverse[axis] * inverse[axis] * axial(&(spread * place.turn(k)))[axis];
                (0..3).for_each(|row| right[(6 * k + 3 + row, first + at)] -= change[row]);
            }
        }
        right
    }
}

impl AssemblyChange {
    /// The change of a member's state by the given state of another.
    pub fn by_start(&self, member: usize, of: usize) -> SMatrix<f64, 12, 12> {
        self.changes.fixed_view::<12, 12>(BODY_COLUMNS * member, BODY_COLUMNS * of).into_owned()
    }

    /// The same by what was asked for, by its place there.
    pub fn by_column(&self, member: usize, place: usize) -> SMatrix<f64, 12, 1> {
        self.changes.fixed_view::<12, 1>(BODY_COLUMNS * member, BODY_COLUMNS * self.members + place).into_owned()
    }

    /// At a place that is an answer. Where (1) has none, nothing is known of any change.
    pub(super) fn new(machine: &Machine, place: &Place, wanted: &[Column]) -> AssemblyChange {
        let members = machine.members.len();
        let newton = Newton::new(machine, place, wanted);
        let right = newton.right();
        let unknown = || DMatrix::from_element(6 * members + machine.held.len(), right.ncols(), f64::NAN);
        let places = newton.solved(&right, None).unwrap_or_else(unknown);
        // By φ₀ = R₀ᵀ·δθ₀.
        let (states, columns) = (machine.state_columns(), machine.state_columns() + wanted.len());
        let mut moved = DMatrix::zeros(6 * members, columns);
        for (k, given) in place.given.iter().enumerate() {
            let turn: Mat3 = given.orientation.inverse().to_rotation_matrix().into_inner();
            let along = places.view((0, 6 * k), (6 * members, 3));
            moved.view_mut((0, BODY_COLUMNS * k), (6 * members, 3)).copy_from(&along);
            let turning = product(&places.view((0, 6 * k + 3), (6 * members, 3)).into_owned(), &dynamic(&turn));
            moved.view_mut((0, BODY_COLUMNS * k + 3), (6 * members, 3)).copy_from(&turning);
        }
        let asked = places.view((0, 6 * members), (6 * members, wanted.len()));
        moved.view_mut((0, states), (6 * members, wanted.len())).copy_from(&asked);
        // Places in the world, δθ = R·φ; velocities as they were given.
        let mut changes = DMatrix::zeros(states, columns);
        for (k, state) in place.states.iter().enumerate() {
            let turn: Mat3 = state.orientation.to_rotation_matrix().into_inner();
            let at = BODY_COLUMNS * k;
            changes.rows_mut(at, 3).copy_from(&moved.rows(6 * k, 3));
            let turned = product(&dynamic(&turn), &moved.rows(6 * k + 3, 3).into_owned());
            changes.rows_mut(at + 3, 3).copy_from(&turned);
            (6..12).for_each(|entry| changes[(at + entry, at + entry)] = 1.0);
        }
        let answers = velocities(machine, place, wanted, &changes);
        for (k, member) in machine.members.iter().enumerate().filter(|(_, member)| member.moves) {
            debug_assert!(member.moves);
            let mut rows = changes.rows_mut(BODY_COLUMNS * k + 6, 6);
            rows += answers.rows(6 * k, 6);
        }
        AssemblyChange { changes, members }
    }
}

/// δ of what the impulses do to velocities, in the world, by given states and what is asked for.
fn velocities(machine: &Machine, place: &Place, wanted: &[Column], changes: &DMatrix<f64>) -> DMatrix<f64> {
    let (members, states) = (machine.members.len(), machine.state_columns());
    let mut linearised = Linearised::new(machine, wanted);
    let rates = linearised.rates(&place.expansion);
    linearised.at_response(&place.expansion, &rates);
    let mut own = DMatrix::from_row_slice(6 * members, linearised.columns, &linearised.accelerations);
    for (k, (state, response)) in place.states.iter().zip(place.expansion.response()).enumerate() {
        let at = BODY_COLUMNS * k;
        let inwards = principal_from_world(state);
        let inwards = DMatrix::from_column_slice(BODY_COLUMNS, BODY_COLUMNS, inwards.as_slice());
        let block = product(&own.columns(at, BODY_COLUMNS).into_owned(), &inwards);
        own.columns_mut(at, BODY_COLUMNS).copy_from(&block);
        let turn: Mat3 = state.orientation.to_rotation_matrix().into_inner();
        let rows = product(&dynamic(&turn), &own.rows(6 * k + 3, 3).into_owned());
        own.rows_mut(6 * k + 3, 3).copy_from(&rows);
        // δ(R·Δσ) = R·δΔσ + δθ × R·Δσ.
        let spun = turn * Vec3::new(response[3], response[4], response[5]);
        let mut block = own.fixed_view_mut::<3, 3>(6 * k + 3, at + 3);
        block -= hat(spun);
    }
    // By what the given states make of the states here, and directly.
    let mut answers = product(&own.columns(0, states).into_owned(), changes);
    let mut direct = answers.columns_mut(states, wanted.len());
    direct += own.columns(states, wanted.len());
    answers
}

fn dynamic(matrix: &Mat3) -> DMatrix<f64> {
    DMatrix::from_column_slice(3, 3, matrix.as_slice())
}
