//! D and Ḋ of joints at one instant, and how they change with states and numbers.
//!
//! ```text
//! D,  Ḋ = J·v + D_t          ∂D/∂(states, numbers),  ∂Ḋ/∂(states, numbers)
//! ```
//!
//! States are those of the world (δx, δθ, δv, δω). What holds at the start is asked by whoever changes it: `solve`.

use super::build::Blueprint;
use super::expansion::{Expansion, PrincipalState};
use super::graph::BODY_COLUMNS;
use super::linearised::Linearised;
use super::machine::Machine;
use super::number::Column;
use super::variation::principal_from_world;
use crate::math::matrix::product;
use nalgebra::DMatrix;

/// The joints of a group at one instant.
#[derive(Debug)]
pub struct Standing {
    machine: Machine,
    states: Vec<PrincipalState>,
    expansion: Expansion,
}

/// One component of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandingRow {
    /// The joint, by its place in the scene.
    pub joint: usize,
    /// D.
    pub value: f64,
    /// Ḋ.
    pub rate: f64,
}

impl Standing {
    /// Of joints and bodies in states at a time.
    pub fn new(blueprint: &Blueprint) -> Standing {
        let machine = Machine::build(&Blueprint { active_forces: &[], ..*blueprint });
        let principal = |(member, state): (&super::machine::Member, &_)| {
            PrincipalState::new(state, &member.mass.body_from_principal)
        };
        let states: Vec<PrincipalState> = machine.members.iter().zip(blueprint.states).map(principal).collect();
        let mut expansion = Expansion::new(&machine);
        expansion.expand(&machine, &states, blueprint.t, 1);
        Standing { machine, states, expansion }
    }

    /// The machine of these joints.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// All rows.
    pub fn rows(&self) -> Vec<StandingRow> {
        let row = |&row: &usize| {
            let law = &self.machine.rows[row];
            let value = self.expansion.values.of(law.value)[0];
            StandingRow { joint: self.machine.joints[law.element], value, rate: self.expansion.speeds[row][0] }
        };
        self.machine.held.iter().map(row).collect()
    }

    /// The change of D and of Ḋ, rows × (12·members + what is asked for).
    pub fn change(&self, wanted: &[Column]) -> [DMatrix<f64>; 2] {
        let mut linearised = Linearised::new(&self.machine, wanted);
        let (values, rates) = (linearised.values(&self.expansion), linearised.rates(&self.expansion));
        let rows = self.machine.held.len();
        [values, rates].map(|entries| {
            let mut change = DMatrix::from_row_slice(rows, linearised.columns, &entries);
            for (place, state) in self.states.iter().enumerate() {
                let at = BODY_COLUMNS * place;
                let inwards = principal_from_world(state);
                let inwards = DMatrix::from_column_slice(BODY_COLUMNS, BODY_COLUMNS, inwards.as_slice());
                let block = product(&change.columns(at, BODY_COLUMNS).into_owned(), &inwards);
                change.columns_mut(at, BODY_COLUMNS).copy_from(&block);
            }
            change
        })
    }
}
