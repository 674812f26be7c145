//! The order in which the bodies of a group are eliminated, and which blocks that fills.
//!
//! Bodies are vertices of a graph, touching pairs its edges. Eliminating a body couples all its remaining neighbours;
//! taking the body with the fewest remaining neighbours next, the lowest number among equals, keeps those couplings
//! few. A column of boxes fills nothing. The blocks of the factored matrix are stored in one list:
//!
//! ```text
//! k                  diagonal block of step k
//! n + 2·e, + 1       blocks (j, k) and (k, j), for entry e of the list of couplings of step k to later steps j
//! ```

/// Steps of the elimination.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Elimination {
    /// Step at which each body is eliminated.
    pub(in crate::contact) step_of: Vec<usize>,
    /// Where the couplings of each step start, with one entry more for the end.
    pub(in crate::contact) starts: Vec<usize>,
    /// Later steps coupled to each step, ascending.
    pub(in crate::contact) couplings: Vec<usize>,
    /// For each step, row after row, the blocks that its couplings change: the square of their number.
    pub(in crate::contact) targets: Vec<usize>,
}

impl Elimination {
    /// The order for `count` bodies with the given touching pairs.
    pub(in crate::contact) fn new(count: usize, pairs: impl Iterator<Item = [usize; 2]>) -> Self {
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut last = [usize::MAX; 2];
        for [a, b] in pairs {
            // Contacts of a patch follow each other.
            if a != b && [a, b] != last {
                insert(&mut neighbours[a], b);
                insert(&mut neighbours[b], a);
            }
            last = [a, b];
        }
        let (mut order, mut coupled) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut step_of = vec![usize::MAX; count];
        for step in 0..count {
            let waiting = (0..count).filter(|&body| step_of[body] == usize::MAX);
            let Some(body) = waiting.min_by_key(|&body| neighbours[body].len()) else { break };
            step_of[body] = step;
            order.push(body);
            let around = std::mem::take(&mut neighbours[body]);
            for &a in &around {
                neighbours[a].retain(|&other| other != body);
                around.iter().filter(|&&b| b != a).for_each(|&b| insert(&mut neighbours[a], b));
            }
            coupled.push(around);
        }
        let mut answer = Self { step_of, starts: vec![0], couplings: Vec::new(), targets: Vec::new() };
        for around in &coupled {
            let start = answer.couplings.len();
            answer.couplings.extend(around.iter().map(|&body| answer.step_of[body]));
            answer.couplings[start..].sort_unstable();
            answer.starts.push(answer.couplings.len());
        }
        answer.find_targets();
        answer
    }

    fn find_targets(&mut self) {
        let mut targets = Vec::new();
        for k in 0..self.step_of.len() {
            let later = &self.couplings[self.starts[k]..self.starts[k + 1]];
            for &row in later {
                targets.extend(later.iter().map(|&column| self.block_of_steps(row, column)));
            }
        }
        self.targets = targets;
    }

    /// Blocks of the factored matrix.
    pub(in crate::contact) fn block_count(&self) -> usize {
        self.step_of.len() + 2 * self.couplings.len()
    }

    /// The block of two bodies that touch, or of one.
    pub(in crate::contact) fn block(&self, row: usize, column: usize) -> usize {
        self.block_of_steps(self.step_of[row], self.step_of[column])
    }

    fn block_of_steps(&self, row: usize, column: usize) -> usize {
        if row == column {
            return row;
        }
        let (early, late) = (row.min(column), row.max(column));
        let later = &self.couplings[self.starts[early]..self.starts[early + 1]];
        let entry = self.starts[early] + later.partition_point(|&step| step < late);
        self.step_of.len() + 2 * entry + usize::from(row < column)
    }
}

/// Adds a number to an ascending list that may have it already.
fn insert(list: &mut Vec<usize>, number: usize) {
    if let Err(place) = list.binary_search(&number) {
        list.insert(place, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_fills_nothing_and_a_star_ends_in_its_middle() {
        let column = Elimination::new(10, (0..9).map(|k| [k, k + 1]));
        assert_eq!(column.couplings.len(), 9);
        let star = Elimination::new(6, (1..6).map(|k| [0, k]));
        assert_eq!(star.couplings.len(), 5);
        assert!(star.step_of[0] >= 4, "{:?}", star.step_of);
    }

    #[test]
    fn every_target_is_a_block_of_its_own() {
        let ring = Elimination::new(7, (0..7).map(|k| [k, (k + 1) % 7]));
        assert!(ring.targets.iter().all(|&block| block < ring.block_count()));
        assert_ne!(ring.block(0, 1), ring.block(1, 0));
    }
}
