//! Formulas, written as text: `2*reach`, `norm([a, b, 0]) + sin(pi/4)`.
//!
//! ```text
//! sum      := product (("+" | "-") product)*      product := power (("*" | "/") power)*
//! power    := unary ("^" whole number)?           unary   := "-"? value (".x" | ".y" | ".z")?
//! value    := number | pi | [sum, sum, sum] | (sum) | function(…) | a name of the reader's own
//! ```
//!
//! `dot`, `cross`, `norm`, `angle` of vectors; `abs`, `sqrt`, `sin`, `cos`, `min`, `max` of numbers. What other names stand for is
//! said by the reader ([`Names`]); they become the leaves of the tree. Derivatives are exact: values carry theirs along.
//!
//! Chains (`a + b − c`, `a·b/c`) are one part with all their members, so that nothing that walks a formula goes deeper than its
//! brackets, whose depth is limited; so is the number of parts.

mod dual;
mod evaluate;
mod functions;
mod parse;

use thiserror::Error;

pub use dual::{Dual, Linear, Value, cross, dot, norm};
pub use functions::{FUNCTIONS, Function};
pub use parse::{Names, Parsed, Parser};

/// One part of a formula; shapes were checked when it was parsed.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Node<L> {
    Number(f64),
    Vector(Box<[Node<L>; 3]>),
    /// What a name stands for.
    Leaf(L),
    Call {
        function: Function,
        arguments: Vec<Node<L>>,
    },
    Negative(Box<Node<L>>),
    /// The first, and what follows it from left to right, each with 1 or −1 before it.
    Sum(Box<Node<L>>, Vec<(f64, Node<L>)>),
    /// The first, and what follows it from left to right.
    Product(Box<Node<L>>, Vec<(Factor, Node<L>)>),
    Power(Box<Node<L>>, i32),
    Component(Box<Node<L>>, usize),
}

/// What stands before a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Factor {
    Times,
    Over,
}

/// What a part of a formula is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Shape {
    Scalar,
    Vector,
}

/// Where and why a text is no formula.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaError<F> {
    /// Counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem<F>,
}

/// The kinds of faults, with their evidence; those of names are the reader's own.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum Problem<F> {
    #[error("{expected} is expected here")]
    Expected { expected: &'static str },
    #[error("{name} takes {expected}")]
    Arguments { name: &'static str, expected: &'static str },
    #[error("{what} needs {expected}, not {found}")]
    Shape { what: &'static str, expected: &'static str, found: &'static str },
    #[error("the expression is nested too deeply; write it in fewer brackets")]
    TooDeep,
    #[error("the expression has more than {most} parts; write it shorter, or as several")]
    TooLong { most: usize },
    #[error("{0}")]
    Name(F),
}

impl<F> From<F> for Problem<F> {
    fn from(fault: F) -> Problem<F> {
        Problem::Name(fault)
    }
}

impl Shape {
    /// As messages call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Shape::Scalar => "a number",
            Shape::Vector => "a vector",
        }
    }
}

impl<L> Node<L> {
    /// Goes through all leaves.
    pub fn visit<'a>(&'a self, each: &mut dyn FnMut(&'a L)) {
        match self {
            Node::Number(_) => {}
            Node::Leaf(leaf) => each(leaf),
            Node::Vector(entries) => entries.iter().for_each(|node| node.visit(each)),
            Node::Call { arguments, .. } => arguments.iter().for_each(|node| node.visit(each)),
            Node::Negative(node) | Node::Power(node, _) | Node::Component(node, _) => node.visit(each),
            Node::Sum(first, rest) => {
                first.visit(each);
                rest.iter().for_each(|(_, node)| node.visit(each));
            }
            Node::Product(first, rest) => {
                first.visit(each);
                rest.iter().for_each(|(_, node)| node.visit(each));
            }
        }
    }

    /// Whether a leaf is of this kind.
    pub fn any_leaf(&self, is: &impl Fn(&L) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |leaf| found |= is(leaf));
        found
    }
}
