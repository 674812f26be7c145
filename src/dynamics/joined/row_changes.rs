//! How D, Ḋ and D_t of the held rows of a machine change with its state and its numbers.
//!
//! Each row knows its element's columns; these are added to those of all, as `linearised` has them.

use super::expansion::Expansion;
use super::linearised::{Linearised, Target};

impl Linearised<'_> {
    /// The change of D_t of the held rows: rows × columns.
    pub fn drifts(&mut self, expansion: &Expansion) -> Vec<f64> {
        self.of_rows(expansion, |own, row, sum| {
            let law = &own.machine.rows[row];
            let scope = own.machine.elements[law.element].scope;
            if let Some(drift) = law.drift {
                own.machine.graph.accumulate(&own.tangents, (drift, 0), 1.0, scope, sum);
            }
        })
    }

    /// The change of D of the held rows: rows × columns.
    pub fn values(&mut self, expansion: &Expansion) -> Vec<f64> {
        self.of_rows(expansion, |own, row, sum| {
            let law = &own.machine.rows[row];
            let scope = own.machine.elements[law.element].scope;
            own.machine.graph.accumulate(&own.tangents, (law.value, 0), 1.0, scope, sum);
        })
    }

    /// The change of Ḋ of the held rows: rows × columns.
    pub fn rates(&mut self, expansion: &Expansion) -> Vec<f64> {
        self.of_rows(expansion, |own, row, sum| sum.copy_from_slice(&own.speed(expansion, row)))
    }

    /// A change of each held row, by the columns of its element.
    fn of_rows(&mut self, expansion: &Expansion, write: impl Fn(&Self, usize, &mut [f64])) -> Vec<f64> {
        self.vary(expansion);
        self.against.fill(0.0);
        let machine = self.machine;
        for (place, &row) in machine.held.iter().enumerate() {
            let element = machine.rows[row].element;
            let mut change = vec![0.0; machine.graph.width(machine.elements[element].scope)];
            write(self, row, &mut change);
            self.local = change;
            self.gather(element, Target::Against(place));
        }
        self.against.clone()
    }

    /// δ(W·Jᵀ)·λ for given reactions: six rows a member × columns.
    pub fn pushed(&mut self, expansion: &Expansion, reactions: &[f64]) -> Vec<f64> {
        self.vary(expansion);
        self.push(expansion, reactions);
        self.pushed.clone()
    }
}
