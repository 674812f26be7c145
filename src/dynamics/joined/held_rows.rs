//! The rows that joints hold, as impacts see them, and the record of D that impacts keep.
//!
//! ```text
//! Ḋ = n·(v_A − v_B) + b_A·ω_A − b_B·ω_B + D_t,      b = R·J_φ                                        (1)
//! δb = R·δJ_φ + δθ × b,      φ = Rᵀ·δθ                                                                (2)
//! D(s) = (D₀ + (Ḋ₀ + D₀/τ)·s)·e^(−s/τ),      Ḋ(s) = (Ḋ₀ − (Ḋ₀ + D₀/τ)·s/τ)·e^(−s/τ)                 (3)
//! ```
//!
//! (1) is in the world, as contacts are; (3) is what equation (3) of `machine` makes of D₀ and Ḋ₀ in s seconds. An impact that
//! keeps Ḋ of (3), not that of the velocities before it, takes no rounding of a long flight into rows that say the same twice.
//! What an impact makes of the rows is `contact`; whose record begins when is `simulation`.

use super::expansion::{Expansion, PrincipalState};
use super::flight::JoinedFlight;
use super::graph::BODY_COLUMNS;
use super::linearised::Linearised;
use super::machine::{Machine, Row, RowSide};
use super::number::{NumberId, Owner};
use super::sketch::{NUMBER_COLUMNS, Triple};
use crate::dynamics::BodyState;
use crate::math::Vec3;
use crate::math::elementary::exp;

/// A held row at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldRow {
    /// Whose row it is.
    pub owner: Owner,
    /// The members that it pushes.
    pub sides: [Option<usize>; 2],
    /// n of (1).
    pub along: Vec3,
    /// b_A and b_B of (1).
    pub turning: [Vec3; 2],
    /// D_t.
    pub drift: f64,
    /// D.
    pub value: f64,
    /// Ḋ.
    pub speed: f64,
    /// τ, s.
    pub time_constant: f64,
}

/// How a held row changes.
#[derive(Clone, Debug)]
pub struct HeldRowChanges {
    /// The members whose states it changes with, those too that it does not push.
    pub sides: [Option<usize>; 2],
    /// The numbers that it changes with.
    pub ids: Vec<NumberId>,
    /// By the states of both sides in the world, twelve columns each, then by the numbers.
    pub columns: Vec<HeldRowChange>,
}

/// A change of the numbers of a held row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the changes of the fields of that name")]
pub struct HeldRowChange {
    pub along: Vec3,
    pub turning: [Vec3; 2],
    pub drift: f64,
    pub value: f64,
    pub speed: f64,
    pub time_constant: f64,
}

/// All held rows of a flight at an instant.
pub struct HeldRows<'a> {
    machine: &'a Machine,
    states: Vec<PrincipalState>,
    expansion: Expansion,
}

/// How fast D changes by its record, (3), and by what that changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptSpeed {
    /// Ḋ(s).
    pub speed: f64,
    /// By D₀ and by Ḋ₀.
    pub by_start: [f64; 2],
    /// By s: D̈.
    pub by_time: f64,
    /// By τ.
    pub by_time_constant: f64,
}

impl HeldRow {
    /// (3), where this row is that of the beginning, after so many seconds.
    pub fn kept_speed(&self, after: f64) -> KeptSpeed {
        let (tau, part) = (self.time_constant, after / self.time_constant);
        let fall = exp(-part);
        let slope = self.speed + self.value / tau;
        let (value, speed) = ((self.value + slope * after) * fall, (self.speed - slope * part) * fall);
        KeptSpeed {
            speed,
            by_start: [-part / tau * fall, (1.0 - part) * fall],
            by_time: -(2.0 * speed + value / tau) / tau,
            by_time_constant: (slope * part + self.value * part / tau) / tau * fall + speed * part / tau,
        }
    }
}

impl JoinedFlight {
    /// The held rows at t, where the members are in these states.
    pub fn held_rows(&self, t: f64, states: &[BodyState]) -> HeldRows<'_> {
        let machine = self.machine();
        let (_, roots) = self.principal_states(&self.step(t), t);
        let principal = |(member, state): (&super::machine::Member, &BodyState)| {
            PrincipalState::new(state, &member.mass.body_from_principal)
        };
        let states: Vec<PrincipalState> = machine.members.iter().zip(states).map(principal).collect();
        let mut expansion = Expansion::new(machine);
        expansion.roots.copy_from_slice(&roots);
        expansion.expand(machine, &states, t, 1);
        HeldRows { machine, states, expansion }
    }

    /// The held rows where it begins.
    pub fn first_rows(&self) -> HeldRows<'_> {
        let states: Vec<BodyState> = (0..self.members().len()).map(|member| *self.start_state(member)).collect();
        self.held_rows(self.start(), &states)
    }
}

impl HeldRows<'_> {
    /// Places of the rows, those of an owner one after the other.
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.machine.rows.len()).filter(|&row| self.machine.rows[row].time_constant.is_some())
    }

    /// The rows.
    pub fn rows(&self) -> Vec<HeldRow> {
        self.places().map(|place| self.row(place)).collect()
    }

    fn row(&self, place: usize) -> HeldRow {
        let (row, values) = (&self.machine.rows[place], &self.expansion.values);
        let of = |triple: &Triple| Vec3::from(triple.map(|term| values.coefficient(term, 0)));
        HeldRow {
            owner: self.machine.elements[row.element].owner,
            sides: [0, 1].map(|side| row.sides[side].as_ref().map(|side| side.member)),
            along: row.sides.iter().flatten().next().map_or(Vec3::zeros(), |side| of(&side.along)),
            turning: [0, 1].map(|side| row.sides[side].as_ref().map_or(Vec3::zeros(), |side| self.turning(side))),
            drift: values.coefficient(row.drift, 0),
            value: values.of(row.value)[0],
            speed: self.expansion.speeds[place][0],
            time_constant: row.time_constant.map_or(1.0, |node| values.of(node)[0]),
        }
    }

    /// b of a side.
    fn turning(&self, side: &RowSide) -> Vec3 {
        let in_principal = Vec3::from(side.turning.map(|term| self.expansion.values.coefficient(term, 0)));
        self.states[side.member].orientation * in_principal
    }

    /// How each row changes.
    pub fn changes(&self) -> Vec<HeldRowChanges> {
        let mut linearised = Linearised::new(self.machine, &[]);
        linearised.vary(&self.expansion);
        self.places().map(|place| self.change(place, &linearised)).collect()
    }

    fn change(&self, place: usize, linearised: &Linearised) -> HeldRowChanges {
        let row = &self.machine.rows[place];
        let element = &self.machine.elements[row.element];
        let mut columns = vec![HeldRowChange::default(); NUMBER_COLUMNS + element.ids.len()];
        let mut take = |tangent: Vec<f64>, set: &dyn Fn(&mut HeldRowChange, f64)| {
            columns.iter_mut().zip(tangent).for_each(|(column, entry)| set(column, entry));
        };
        take(linearised.speed(&self.expansion, place), &|column, entry| column.speed = entry);
        for (node, set) in [
            (Some(row.value), (|column, entry| column.value = entry) as fn(&mut HeldRowChange, f64)),
            (row.drift, |column, entry| column.drift = entry),
            (row.time_constant, |column, entry| column.time_constant = entry),
        ] {
            take(linearised.of_node(row.element, node), &set);
        }
        let along = row.sides.iter().flatten().next().map_or([None; 3], |side| side.along);
        for (axis, along) in along.into_iter().enumerate() {
            take(linearised.of_node(row.element, along), &|column, entry| column.along[axis] = entry);
            for (side, of) in row.sides.iter().enumerate() {
                let term = of.as_ref().and_then(|of| of.turning[axis]);
                take(linearised.of_node(row.element, term), &|column, entry| column.turning[side][axis] = entry);
            }
        }
        self.to_world(row, element.sides, &mut columns);
        HeldRowChanges { sides: element.sides, ids: element.ids.clone(), columns }
    }

    /// (2), and the columns by δθ and δω in place of φ = Rᵀ·δθ and δσ = Rᵀ·δω + σ × φ.
    fn to_world(&self, row: &Row, sides: [Option<usize>; 2], columns: &mut [HeldRowChange]) {
        for (side, of) in row.sides.iter().enumerate() {
            let Some(of) = of else { continue };
            let turn = self.states[of.member].orientation;
            columns.iter_mut().for_each(|column| column.turning[side] = turn * column.turning[side]);
        }
        for (side, member) in sides.into_iter().enumerate() {
            let Some(member) = member else { continue };
            let (own, state) = (&mut columns[BODY_COLUMNS * side..][..BODY_COLUMNS], &self.states[member]);
            let principal: [HeldRowChange; BODY_COLUMNS] = std::array::from_fn(|k| own[k]);
            for axis in 0..3 {
                let turn = state.orientation.inverse_transform_vector(&Vec3::ith(axis, 1.0));
                own[3 + axis] = HeldRowChange::default();
                own[3 + axis].add_three(&principal[3..6], &turn);
                own[3 + axis].add_three(&principal[9..12], &state.spin.cross(&turn));
                own[9 + axis] = HeldRowChange::default();
                own[9 + axis].add_three(&principal[9..12], &turn);
            }
            if let Some(of) = &row.sides[side] {
                let arm = self.turning(of);
                for axis in 0..3 {
                    own[3 + axis].turning[side] += Vec3::ith(axis, 1.0).cross(&arm);
                }
            }
        }
    }
}

impl HeldRowChange {
    /// Adds three changes, each times its weight.
    fn add_three(&mut self, changes: &[HeldRowChange], weights: &Vec3) {
        for (change, &weight) in changes.iter().zip(weights.iter()) {
            self.along += weight * change.along;
            (0..2).for_each(|side| self.turning[side] += weight * change.turning[side]);
            self.drift += weight * change.drift;
            self.value += weight * change.value;
            self.speed += weight * change.speed;
            self.time_constant += weight * change.time_constant;
        }
    }
}
