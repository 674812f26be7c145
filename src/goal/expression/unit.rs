//! The unit in which an expression misses: that of its sides, where one can be told.
//!
//! A plain number takes the unit of what it stands beside (`t(a#1) = 0.45` is in seconds); a product or quotient of two quantities has a
//! unit that nobody asked for, and is given without.

use super::functions::StateFunction;
use super::{Leaf, Node};
use crate::math::formula::{Factor, Function};

/// None for what only has numbers in it; empty for what has no unit.
type Unit = Option<&'static str>;

/// Of the difference between two sides.
pub(super) fn of_sides(left: &Node, right: &Node) -> &'static str {
    of(left).or(of(right)).unwrap_or("")
}

fn of(node: &Node) -> Unit {
    match node {
        Node::Number(_) => None,
        Node::Vector(entries) => entries.iter().find_map(of),
        Node::Leaf(Leaf::State { function, .. }) => Some(of_state(*function)),
        Node::Leaf(Leaf::Distance { .. }) => Some("m"),
        Node::Leaf(Leaf::Time(_)) => Some("s"),
        Node::Leaf(Leaf::Machine { unit, .. }) => Some(*unit),
        Node::Call { function, arguments } => of_call(*function, arguments),
        Node::Negative(node) | Node::Component(node, _) => of(node),
        Node::Sum(first, rest) => of(first).or_else(|| rest.iter().find_map(|(_, node)| of(node))),
        Node::Product(first, rest) => rest.iter().fold(of(first), |so_far, (factor, node)| match factor {
            Factor::Times => product(so_far, of(node)),
            Factor::Over => quotient(so_far, of(node)),
        }),
        Node::Power(base, 1) => of(base),
        Node::Power(base, _) => of(base).map(|_| ""),
    }
}

fn of_state(function: StateFunction) -> &'static str {
    match function {
        StateFunction::Position | StateFunction::Height => "m",
        StateFunction::Velocity | StateFunction::Speed => "m/s",
        StateFunction::Spin => "rad/s",
        StateFunction::Rotation => "rad",
        StateFunction::Up | StateFunction::Axis => "",
        StateFunction::Kinetic | StateFunction::Energy => "J",
    }
}

fn of_call(function: Function, arguments: &[Node]) -> Unit {
    let first = arguments.first().and_then(of);
    let second = arguments.get(1).and_then(of);
    match function {
        Function::Dot | Function::Cross => product(first, second),
        Function::Norm | Function::Abs => first,
        Function::Min | Function::Max => first.or(second),
        Function::Angle => Some("rad"),
        Function::Sqrt | Function::Sin | Function::Cos => Some(""),
    }
}

/// What is multiplied by a number, or by something without a unit, keeps its own.
fn product(a: Unit, b: Unit) -> Unit {
    match (a, b) {
        (unit, None | Some("")) | (None | Some(""), unit) => unit,
        _ => Some(""),
    }
}

/// What is divided by a number, or by something without a unit, keeps its own.
fn quotient(above: Unit, below: Unit) -> Unit {
    match below {
        None | Some("") => above,
        Some(_) => Some(""),
    }
}
