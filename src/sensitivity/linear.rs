//! Linear relations between small changes, which can be followed forward and backward.
//!
//! The change of everything at a node is a sum over changes known before:
//!
//! ```text
//! y = Σ_k A_k·x_k + Σ_j b_j·θ_j                                                                   (1)
//! forward    y-columns from x-columns, in the order in which relations stand                        (2)
//! backward   x̄_k += A_kᵀ·ȳ,  θ̄_j += b_jᵀ·ȳ, in the opposite order                                  (3)
//! ```
//!
//! x is the change of a state (12 numbers), of a time or of a length (1); θ of a number of the world ([`Quantity`]). Both
//! directions read the same matrices (`factor`), so that they agree to rounding. Where the matrices come from is told by
//! `chain`, `event` and `held`.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, RowSVector};

use super::change::{Change, Variable};
use super::columns::{Columns, Part, Spare, covering};
use super::factor::{Factor, FlightFactor};
use super::step_columns::StepColumns;
use crate::dynamics::StateTangent;
use crate::model::Quantity;

/// One relation (1).
#[derive(Default)]
pub(super) struct Relation {
    pub rows: usize,
    pub terms: Vec<(Change, Factor)>,
    /// What a step adds without a matrix, which has no way back.
    pub step: Option<Box<StepColumns>>,
    pub quantities: Vec<(Quantity, DVector<f64>)>,
}

/// Relations in an order in which each reads only earlier ones.
#[derive(Default)]
pub(super) struct Program {
    pub relations: Vec<Relation>,
    /// What outlives the program.
    pub outputs: Vec<(Variable, Change)>,
}

impl Relation {
    pub fn new(rows: usize) -> Self {
        Relation { rows, ..Default::default() }
    }

    /// Adds A·x; nothing where x is no change at all.
    pub fn plus(self, operand: Option<Change>, matrix: DMatrix<f64>) -> Self {
        self.plus_factor(operand, Factor::Matrix(matrix))
    }

    fn plus_factor(mut self, operand: Option<Change>, factor: Factor) -> Self {
        if let Some(operand) = operand {
            self.terms.push((operand, factor));
        }
        self
    }

    /// Adds v·x for a single number x.
    pub fn plus_vector(self, operand: Option<Change>, vector: &StateTangent) -> Self {
        self.plus_factor(operand, Factor::Vector(*vector))
    }

    /// Adds r·x for the pose of a state x.
    pub fn plus_pose(self, operand: Option<Change>, row: RowSVector<f64, 6>) -> Self {
        self.plus_factor(operand, Factor::Pose(row))
    }

    /// Adds what a flight makes of x.
    pub fn plus_flight(self, operand: Option<Change>, flight: FlightFactor) -> Self {
        self.plus_factor(operand, Factor::Flight(Box::new(flight)))
    }

    /// Adds x itself.
    pub fn plus_identity(self, operand: Option<Change>) -> Self {
        self.plus_factor(operand, Factor::Identity)
    }

    /// Adds x to the rows from one on.
    pub fn plus_from(self, operand: Option<Change>, row: usize) -> Self {
        self.plus_factor(operand, Factor::From(row))
    }

    /// Adds the first rows of x.
    pub fn plus_first(self, operand: Option<Change>, count: usize) -> Self {
        self.plus_factor(operand, Factor::First(count))
    }

    /// All that it reads.
    fn operands(&self) -> impl Iterator<Item = Change> {
        let of_step = self.step.iter().flat_map(|step| step.operands());
        self.terms.iter().map(|(operand, _)| *operand).chain(of_step)
    }

    /// Adds b·θ.
    pub fn plus_quantity(mut self, quantity: Quantity, vector: DVector<f64>) -> Self {
        self.quantities.push((quantity, vector));
        self
    }
}

impl Change {
    /// Its columns, from the relations so far or from elsewhere; none where all are zero.
    pub fn part<'v, 'o: 'v>(
        self,
        values: &'v [Option<Columns>],
        outer: impl Fn(Variable) -> Option<&'o Columns>,
    ) -> Option<Part<'v>> {
        match self {
            Change::Outer(variable) => outer(variable).map(Columns::all),
            Change::Local { relation, row, count } => values[relation].as_ref().map(|source| source.part(row, count)),
        }
    }

    /// How many rows it has.
    fn count(&self) -> usize {
        match self {
            Change::Outer(Variable::Time(_)) => 1,
            Change::Outer(_) => 12,
            Change::Local { count, .. } => *count,
        }
    }

    /// Some rows of a relation.
    pub fn rows(self, first: usize, number: usize) -> Change {
        match self {
            Change::Local { relation, row, .. } => Change::Local { relation, row: row + first, count: number },
            outer => outer,
        }
    }
}

impl Program {
    /// Adds a relation; none where it says that nothing changes.
    pub fn define(&mut self, relation: Relation) -> Option<Change> {
        if relation.operands().next().is_none() && relation.quantities.is_empty() {
            return None;
        }
        let count = relation.rows;
        self.relations.push(relation);
        Some(Change::Local { relation: self.relations.len() - 1, row: 0, count })
    }

    /// (2): the columns of every relation, none where all are zero. `outer` has those of other nodes, `quantity` the columns
    /// of a number of the world, with values.
    pub fn forward<'a>(
        &self,
        outer: impl Fn(Variable) -> Option<&'a Columns>,
        quantity: impl Fn(Quantity) -> &'a [(usize, f64)],
        spare: &mut Spare,
    ) -> Vec<Option<Columns>> {
        let mut values: Vec<Option<Columns>> = Vec::with_capacity(self.relations.len());
        for relation in &self.relations {
            let parts = relation.operands().filter_map(|operand| operand.part(&values, &outer));
            let columns = relation.quantities.iter().flat_map(|(name, _)| quantity(*name));
            let runs = parts.map(Part::run).chain(columns.map(|&(column, _)| column..column + 1));
            let Some(run) = runs.fold(None, |run, more| Some(covering(run, more))) else {
                values.push(None);
                continue;
            };
            let mut sum = Columns::zeros(relation.rows, run, spare);
            for (operand, factor) in &relation.terms {
                if let Some(part) = operand.part(&values, &outer) {
                    factor.add_product(part, &mut sum);
                }
            }
            if let Some(step) = &relation.step {
                step.add(|operand| operand.part(&values, &outer), &mut sum);
            }
            for (name, vector) in &relation.quantities {
                for &(column, value) in quantity(*name) {
                    sum.column_mut(column).iter_mut().zip(vector.iter()).for_each(|(sum, entry)| *sum += value * entry);
                }
            }
            values.push(Some(sum));
        }
        values
    }

    /// (3): passes covectors of operands, rows of the change × covectors, on to what outlives the program.
    pub fn backward(&self, seeds: Vec<(Change, DMatrix<f64>)>, covectors: &mut Covectors) {
        let count = covectors.count;
        let mut local: Vec<Option<DMatrix<f64>>> = vec![None; self.relations.len()];
        for (operand, covector) in seeds {
            spread(operand, &covector, &Factor::Identity, &self.relations, &mut local, covectors);
        }
        for (k, relation) in self.relations.iter().enumerate().rev() {
            let Some(bar) = local[k].take() else { continue };
            for (operand, factor) in &relation.terms {
                spread(*operand, &bar, factor, &self.relations, &mut local, covectors);
            }
            for (name, vector) in &relation.quantities {
                let sum = covectors.quantities.entry(*name).or_insert_with(|| DVector::zeros(count));
                sum.gemv_tr(1.0, &bar, vector, 1.0);
            }
        }
    }
}

/// Covectors of everything that outlives a node, for all rows at once.
#[derive(Debug)]
pub(super) struct Covectors {
    /// Rows asked for.
    pub count: usize,
    pub variables: BTreeMap<Variable, DMatrix<f64>>,
    pub quantities: BTreeMap<Quantity, DVector<f64>>,
}

impl Covectors {
    pub fn new(count: usize) -> Self {
        Covectors { count, variables: BTreeMap::new(), quantities: BTreeMap::new() }
    }
}

/// Adds Aᵀ·ȳ to the covector of an operand.
fn spread(
    operand: Change,
    bar: &DMatrix<f64>,
    factor: &Factor,
    relations: &[Relation],
    local: &mut [Option<DMatrix<f64>>],
    covectors: &mut Covectors,
) {
    let count = covectors.count;
    match operand {
        Change::Outer(variable) => {
            let sum = covectors.variables.entry(variable).or_insert_with(|| DMatrix::zeros(operand.count(), count));
            factor.add_transposed(bar, sum.as_view_mut());
        }
        Change::Local { relation, row, count: rows } => {
            let sum = local[relation].get_or_insert_with(|| DMatrix::zeros(relations[relation].rows, count));
            factor.add_transposed(bar, sum.rows_mut(row, rows));
        }
    }
}
