//! Vectors, turns and points made of series: what joints and forces are written with.
//!
//! ```text
//! P = x + R·p                  a point of a body;  p in its principal frame, R world from principal     (1)
//! d(n·P) = n·δx + (p × Rᵀn)·φ      its change along n, where x and R change by δx and R·exp(\[φ\])      (2)
//! ```
//!
//! A component that is zero all the time is no node at all, so that nothing is computed of it.

use super::graph::{BODY_COLUMNS, Graph, Node, Scope};
use super::number::{Number, NumberId};
use crate::math::{Mat3, Vec3};

/// A component: none is zero, with whatever a person changes.
pub(super) type Term = Option<Node>;
/// Three components.
pub(super) type Triple = [Term; 3];

/// The nodes of a body.
#[derive(Clone, Debug)]
pub(super) struct BodyNodes {
    /// Centre of mass.
    pub position: [Node; 3],
    /// Of the principal axes, as x, y, z, w.
    pub orientation: [Node; 4],
    /// R, row by row.
    pub turn: [[Node; 3]; 3],
    /// Of the centre; none of a body that does not move.
    pub velocity: Triple,
    /// In the principal frame.
    pub spin: Triple,
}

/// A node whose tangent by a number of its element is known beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub node: Node,
    /// Among the element's numbers.
    pub number: usize,
    pub derivative: f64,
}

/// An element on its way into the graph.
pub(super) struct Sketch<'a> {
    pub graph: &'a mut Graph,
    pub scope: Scope,
    pub bodies: [Option<&'a BodyNodes>; 2],
    /// Its numbers, in the order of their columns; as many as were announced.
    pub ids: &'a [NumberId],
    pub seeds: Vec<Seed>,
    /// The column of time among the numbers, where the element has one.
    pub clock: Option<usize>,
}

impl Sketch<'_> {
    /// A number; zero that nobody can change is nothing.
    pub fn number(&mut self, number: Number) -> Term {
        let column = number.id.and_then(|id| self.ids.iter().position(|own| *own == id));
        if number.value == 0.0 && column.is_none() {
            return None;
        }
        let node = self.graph.number(self.scope, number.value);
        self.seeds.extend(column.map(|number| Seed { node, number, derivative: 1.0 }));
        Some(node)
    }

    /// A number that must be there, zero or not.
    pub fn some_number(&mut self, number: Number) -> Node {
        self.number(number).unwrap_or_else(|| self.graph.number(self.scope, 0.0))
    }

    /// Three numbers.
    pub fn numbers(&mut self, numbers: [Number; 3]) -> Triple {
        numbers.map(|number| self.number(number))
    }

    /// A constant vector.
    pub fn constant(&mut self, vector: &Vec3) -> Triple {
        [0, 1, 2].map(|k| self.number(vector[k].into()))
    }

    /// Numbers turned by a constant matrix: entries of one frame in another.
    pub fn turned(&mut self, matrix: &Mat3, vector: Triple) -> Triple {
        [0, 1, 2].map(|row| {
            let terms = [0, 1, 2].map(|column| self.scaled(matrix[(row, column)], vector[column]));
            self.total(&terms)
        })
    }

    /// a + b.
    pub fn sum(&mut self, a: Term, b: Term) -> Term {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.graph.sum(self.scope, a, b)),
            (one, other) => one.or(other),
        }
    }

    /// Σ terms.
    pub fn total(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(None, |sum, term| self.sum(sum, *term))
    }

    /// a − b.
    pub fn difference(&mut self, a: Term, b: Term) -> Term {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.graph.difference(self.scope, a, b)),
            (None, b) => self.scaled(-1.0, b),
            (a, None) => a,
        }
    }

    /// factor·a.
    pub fn scaled(&mut self, factor: f64, a: Term) -> Term {
        match factor {
            0.0 => None,
            1.0 => a,
            _ => a.map(|a| self.graph.scaled(self.scope, factor, a)),
        }
    }

    /// a·b.
    pub fn product(&mut self, a: Term, b: Term) -> Term {
        Some(self.graph.product(self.scope, a?, b?))
    }

    /// ȧ.
    pub fn rate(&mut self, a: Term) -> Term {
        let a = a?;
        (!self.graph.is_steady(a)).then(|| self.graph.rate(self.scope, a))
    }

    /// a + b of vectors.
    pub fn sums(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|k| self.sum(a[k], b[k]))
    }

    /// a − b of vectors.
    pub fn differences(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|k| self.difference(a[k], b[k]))
    }

    /// factor·a of a vector.
    pub fn multiple(&mut self, factor: Term, a: Triple) -> Triple {
        a.map(|a| self.product(factor, a))
    }

    /// a·b of vectors.
    pub fn dot(&mut self, a: Triple, b: Triple) -> Term {
        let terms = [0, 1, 2].map(|k| self.product(a[k], b[k]));
        self.total(&terms)
    }

    /// a × b.
    pub fn cross(&mut self, a: Triple, b: Triple) -> Triple {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (plus, minus) = (self.product(a[i], b[j]), self.product(a[j], b[i]));
            self.difference(plus, minus)
        })
    }

    /// |a| of a vector that is nowhere zero.
    pub fn length(&mut self, a: Triple) -> Node {
        let square = self.dot(a, a);
        let square = square.unwrap_or_else(|| self.graph.number(self.scope, 0.0));
        self.graph.root(self.scope, square)
    }

    /// a/length.
    pub fn over(&mut self, a: Triple, length: Node) -> Triple {
        a.map(|a| a.map(|a| self.graph.quotient(self.scope, a, length)))
    }

    /// R·a on a side; a itself where there is no body but the world.
    pub fn in_world(&mut self, side: usize, a: Triple) -> Triple {
        let Some(body) = self.bodies[side] else { return a };
        [0, 1, 2].map(|row| self.dot(body.turn[row].map(Some), a))
    }

    /// Rᵀ·a on a side.
    pub fn in_body(&mut self, side: usize, a: Triple) -> Triple {
        let Some(body) = self.bodies[side] else { return a };
        [0, 1, 2].map(|column| self.dot(body.turn.map(|row| Some(row[column])), a))
    }

    /// (1): a point of the body on a side, or of the world.
    pub fn point(&mut self, side: usize, point: Triple) -> Triple {
        let turned = self.in_world(side, point);
        match self.bodies[side] {
            Some(body) => self.sums(body.position.map(Some), turned),
            None => turned,
        }
    }

    /// The velocity of the centre of mass and the spin, both in the world, on a side; nothing where nothing moves.
    pub fn velocities(&mut self, side: usize) -> [Triple; 2] {
        match self.bodies[side] {
            Some(body) => [body.velocity, self.in_world(side, body.spin)],
            None => [[None; 3]; 2],
        }
    }
}

/// Columns of an element's numbers begin here.
pub(super) const NUMBER_COLUMNS: usize = 2 * BODY_COLUMNS;
