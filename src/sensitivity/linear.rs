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
//! directions read the same matrices, so that they agree to rounding. Where the matrices come from is told by
//! `flight`, `event` and `held`.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use crate::dynamics::StateTangent;
use crate::model::{BodyId, Quantity};
use crate::simulation::tape::NodeId;

/// A change that outlives its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    /// Of a body's initial state; for a fixed body, of its place.
    Start(BodyId),
    /// Of the state with which a body leaves a node: at the fixed time of the node where it flies, at the node's own
    /// moving time where it goes into a step.
    Launch(NodeId, BodyId),
    /// Of the time of a node.
    Time(NodeId),
}

/// What a relation reads: all or some rows of a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// One that another node made.
    Outer(Variable),
    /// Rows of an earlier relation.
    Local {
        /// Which relation.
        relation: usize,
        /// The first of its rows.
        row: usize,
        /// How many.
        count: usize,
    },
}

/// A of (1) for one operand.
#[derive(Clone, Debug)]
pub(super) enum Factor {
    /// 1.
    Identity,
    /// 1 on some rows: those of the operand are added from a row on.
    From(usize),
    /// The first rows only.
    First(usize),
    /// rows × rows of the operand.
    Matrix(DMatrix<f64>),
}

/// One relation (1).
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    pub rows: usize,
    pub terms: Vec<(Change, Factor)>,
    pub quantities: Vec<(Quantity, DVector<f64>)>,
}

/// Relations in an order in which each reads only earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub relations: Vec<Relation>,
    /// What outlives the program.
    pub outputs: Vec<(Variable, Change)>,
}

/// Columns: rows of the change × directions; none where all are zero.
pub(super) type Columns = Option<DMatrix<f64>>;

impl Relation {
    pub fn new(rows: usize) -> Self {
        Relation { rows, ..Default::default() }
    }

    /// Adds A·x; nothing where x is no change at all.
    pub fn plus(mut self, operand: Option<Change>, matrix: DMatrix<f64>) -> Self {
        if let Some(operand) = operand {
            self.terms.push((operand, Factor::Matrix(matrix)));
        }
        self
    }

    /// Adds v·x for a single number x.
    pub fn plus_vector(self, operand: Option<Change>, vector: &StateTangent) -> Self {
        self.plus(operand, DMatrix::from_column_slice(12, 1, vector.as_slice()))
    }

    /// Adds x itself.
    pub fn plus_identity(mut self, operand: Option<Change>) -> Self {
        if let Some(operand) = operand {
            self.terms.push((operand, Factor::Identity));
        }
        self
    }

    /// Adds x to the rows from one on.
    pub fn plus_from(mut self, operand: Option<Change>, row: usize) -> Self {
        if let Some(operand) = operand {
            self.terms.push((operand, Factor::From(row)));
        }
        self
    }

    /// Adds the first rows of x.
    pub fn plus_first(mut self, operand: Option<Change>, count: usize) -> Self {
        if let Some(operand) = operand {
            self.terms.push((operand, Factor::First(count)));
        }
        self
    }

    /// Adds b·θ.
    pub fn plus_quantity(mut self, quantity: Quantity, vector: DVector<f64>) -> Self {
        self.quantities.push((quantity, vector));
        self
    }
}

/// Some rows of columns.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    source: &'a DMatrix<f64>,
    row: usize,
    count: usize,
}

impl<'a> Part<'a> {
    /// Row by row of one column after the other.
    pub fn columns(self) -> impl Iterator<Item = &'a [f64]> {
        let columns = self.source.as_slice().chunks_exact(self.source.nrows());
        columns.map(move |column| &column[self.row..self.row + self.count])
    }

    /// The rows alone.
    pub fn to_matrix(self) -> DMatrix<f64> {
        if self.count == self.source.nrows() {
            return self.source.clone();
        }
        let entries = self.columns().flatten().copied().collect();
        DMatrix::from_vec(self.count, self.source.ncols(), entries)
    }

    /// Adds the first `count` rows to those of `sum` from `at` on.
    fn add_to(self, sum: &mut DMatrix<f64>, at: usize, count: usize) {
        let rows = sum.nrows();
        for (sum, column) in sum.as_mut_slice().chunks_exact_mut(rows).zip(self.columns()) {
            sum[at..at + count].iter_mut().zip(column).for_each(|(sum, entry)| *sum += entry);
        }
    }
}

impl Factor {
    /// sum + A·x; no sum counts as zero, rows × the columns of x.
    fn add_product(&self, x: Part, sum: Columns, rows: usize) -> DMatrix<f64> {
        match (self, &sum) {
            (Factor::Identity, None) => return x.to_matrix(),
            (Factor::Matrix(matrix), None) => return matrix * x.source.rows(x.row, x.count),
            _ => {}
        }
        let mut sum = sum.unwrap_or_else(|| DMatrix::zeros(rows, x.source.ncols()));
        match self {
            Factor::Identity => x.add_to(&mut sum, 0, x.count),
            Factor::From(row) => x.add_to(&mut sum, *row, x.count),
            Factor::First(count) => x.add_to(&mut sum, 0, *count),
            // One number for all rows: preparing a fast product would be most of the work.
            Factor::Matrix(vector) if x.count == 1 => {
                for (sum, x) in sum.as_mut_slice().chunks_exact_mut(rows).zip(x.columns()) {
                    sum.iter_mut().zip(vector.as_slice()).for_each(|(sum, entry)| *sum += entry * x[0]);
                }
            }
            Factor::Matrix(matrix) => sum.gemm(1.0, matrix, &x.source.rows(x.row, x.count), 1.0),
        }
        sum
    }
}

impl Change {
    /// Its columns, from the relations so far or from elsewhere; none where all are zero.
    pub fn part<'v, 'o: 'v>(
        self,
        values: &'v [Columns],
        outer: impl Fn(Variable) -> Option<&'o DMatrix<f64>>,
    ) -> Option<Part<'v>> {
        match self {
            Change::Outer(variable) => outer(variable).map(|source| Part { source, row: 0, count: source.nrows() }),
            Change::Local { relation, row, count } => {
                values[relation].as_ref().map(|source| Part { source, row, count })
            }
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
        if relation.terms.is_empty() && relation.quantities.is_empty() {
            return None;
        }
        let count = relation.rows;
        self.relations.push(relation);
        Some(Change::Local { relation: self.relations.len() - 1, row: 0, count })
    }

    /// (2): the columns of every relation. `outer` has those of other nodes, `quantity` the columns of a number of the
    /// world, with values.
    pub fn forward<'a>(
        &self,
        columns: usize,
        outer: impl Fn(Variable) -> Option<&'a DMatrix<f64>>,
        quantity: impl Fn(Quantity) -> &'a [(usize, f64)],
    ) -> Vec<Columns> {
        let mut values: Vec<Columns> = Vec::with_capacity(self.relations.len());
        for relation in &self.relations {
            let mut sum: Columns = None;
            for (operand, factor) in &relation.terms {
                if let Some(part) = operand.part(&values, &outer) {
                    sum = Some(factor.add_product(part, sum, relation.rows));
                }
            }
            for (name, vector) in &relation.quantities {
                for &(column, value) in quantity(*name) {
                    let sum = sum.get_or_insert_with(|| DMatrix::zeros(relation.rows, columns));
                    sum.column_mut(column).axpy(value, vector, 1.0);
                }
            }
            values.push(sum);
        }
        values
    }

    /// (3): passes covectors of operands, rows of the change × covectors, on to what outlives the program.
    pub fn backward(&self, seeds: Vec<(Change, DMatrix<f64>)>, covectors: &mut Covectors) {
        let count = covectors.count;
        let mut local: Vec<Columns> = vec![None; self.relations.len()];
        for (operand, covector) in seeds {
            spread(operand, &covector, &self.relations, &mut local, covectors);
        }
        for (k, relation) in self.relations.iter().enumerate().rev() {
            let Some(bar) = local[k].take() else { continue };
            for (operand, factor) in &relation.terms {
                match factor {
                    Factor::Identity => spread(*operand, &bar, &self.relations, &mut local, covectors),
                    Factor::From(row) => {
                        let part = bar.rows(*row, operand.count()).into_owned();
                        spread(*operand, &part, &self.relations, &mut local, covectors);
                    }
                    Factor::First(rows) => {
                        let mut part = DMatrix::zeros(operand.count(), count);
                        part.rows_mut(0, *rows).copy_from(&bar.rows(0, *rows));
                        spread(*operand, &part, &self.relations, &mut local, covectors);
                    }
                    Factor::Matrix(matrix) => {
                        spread(*operand, &matrix.tr_mul(&bar), &self.relations, &mut local, covectors);
                    }
                }
            }
            for (name, vector) in &relation.quantities {
                let sum = covectors.quantities.entry(*name).or_insert_with(|| DVector::zeros(count));
                *sum += bar.tr_mul(vector);
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

/// Adds a covector to that of an operand.
fn spread(
    operand: Change,
    covector: &DMatrix<f64>,
    relations: &[Relation],
    local: &mut [Columns],
    covectors: &mut Covectors,
) {
    match operand {
        Change::Outer(variable) => match covectors.variables.get_mut(&variable) {
            Some(sum) => *sum += covector,
            None => {
                covectors.variables.insert(variable, covector.clone());
            }
        },
        Change::Local { relation, row, count } => {
            let rows = relations[relation].rows;
            let sum = local[relation].get_or_insert_with(|| DMatrix::zeros(rows, covectors.count));
            let mut view = sum.rows_mut(row, count);
            view += covector;
        }
    }
}
