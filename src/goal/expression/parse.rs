//! Reading an expression: what names of functions of states and times mean, and the comparison in the middle.

use super::functions::{StateFunction, names};
use super::measure::{Measure, Part};
use super::{Comparison, Expression, ExpressionFault, Leaf, Node};

use crate::goal::timing::{Names as Moments, Timing};
use crate::math::Vec3;
use crate::math::formula::{FormulaError, Function, Names, Parsed, Parser, Problem, Shape};
use crate::model::{BodyId, Model};
use crate::scene::{Side, nearest};

type Fault = FormulaError<ExpressionFault>;

/// The names of states and times of one model.
pub(super) struct States<'a> {
    model: &'a Model,
}

pub(super) fn parse(model: &Model, text: &str) -> Result<Expression, Fault> {
    let states = States { model };
    let mut parser = Parser::new(&states, text);
    let (left, shape) = parser.sum()?;
    let comparison = comparison(&mut parser)?;
    let (right, other) = parser.sum()?;
    if shape == Shape::Scalar && other == Shape::Vector && !matches!(left, Node::Number(_)) {
        return Err(parser.wrong_shape("the left side", Shape::Vector, shape));
    }
    parser.end()?;
    Ok(Expression { left, right, comparison })
}

fn comparison(parser: &mut Parser<States>) -> Result<Comparison, Fault> {
    for (sign, comparison) in [
        ("<=", Comparison::AtMost),
        ("≤", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("≥", Comparison::AtLeast),
        ("==", Comparison::Equal),
        ("=", Comparison::Equal),
        ("<", Comparison::AtMost),
        (">", Comparison::AtLeast),
    ] {
        if parser.takes(sign) {
            return Ok(comparison);
        }
    }
    Err(parser.expected("=, <= or >="))
}

fn constant(point: Vec3) -> Node {
    Node::Vector(Box::new([Node::Number(point.x), Node::Number(point.y), Node::Number(point.z)]))
}

impl Names for States<'_> {
    type Leaf = Leaf;
    type Fault = ExpressionFault;

    fn read(&self, parser: &mut Parser<Self>, name: &str) -> Option<Parsed<Self>> {
        if let Some(function) = StateFunction::named(name) {
            return Some(parser.within_brackets(|parser| self.state_call(parser, function)));
        }
        // The angle of a hinge is told from that of two vectors beforehand.
        if let Some(measure) = Measure::named(name) {
            return Some(parser.within_brackets(|parser| self.measure(parser, measure)));
        }
        match name {
            "t" => Some(parser.within_brackets(|parser| self.time(parser))),
            "distance" => Some(parser.within_brackets(|parser| self.distance(parser))),
            _ => None,
        }
    }

    /// `angle(door)` is of a hinge; `angle(u, v)` is what any formula knows.
    fn read_first(&self, parser: &mut Parser<Self>, name: &str) -> Option<Parsed<Self>> {
        let start = parser.place();
        let is_one_name = name == "angle" && parser.takes("(") && {
            let word = parser.word();
            !word.contains(['(', '[']) && parser.takes(")")
        };
        parser.back_to(start);
        is_one_name.then(|| parser.within_brackets(|parser| self.measure(parser, Measure::Angle)))
    }

    fn unknown(&self, name: String) -> Problem<ExpressionFault> {
        let near = nearest(&name, names());
        let nearest = names().find(|known| Some(*known) == near);
        ExpressionFault::UnknownFunction { name, nearest }.into()
    }
}

impl States<'_> {
    fn distance(&self, parser: &mut Parser<Self>) -> Parsed<Self> {
        let one = self.point(parser)?;
        parser.needs(",", "a comma and a second body")?;
        let other = self.point(parser)?;
        if one.1.is_none() && other.1.is_none() {
            return Ok((Node::Leaf(Leaf::Distance { one: one.0, other: other.0 }), Shape::Scalar));
        }
        let place = |(body, point): (BodyId, Option<Vec3>)| {
            let argument = point.map(|point| Box::new(constant(point)));
            Box::new(Node::Leaf(Leaf::State { function: StateFunction::Position, body, argument }))
        };
        let between = Node::Sum(place(one), vec![(-1.0, *place(other))]);
        Ok((Node::Call { function: Function::Norm, arguments: vec![between] }, Shape::Scalar))
    }

    fn state_call(&self, parser: &mut Parser<Self>, function: StateFunction) -> Parsed<Self> {
        let (body, label) = self.point(parser)?;
        let inertia = self.model.bodies()[body.index()].mass.inertia;
        if function.turns() && inertia.iter().all(|moment| *moment == 0.0) {
            return Err(parser.error(ExpressionFault::DoesNotTurn { name: function.name() }.into()));
        }
        let (may, must) = function.takes_vector();
        let follows = parser.takes(",");
        if follows != may && (follows || must) {
            let expected = if must { "a body and a vector" } else { "one body" };
            return Err(parser.error(Problem::Arguments { name: function.name(), expected }));
        }
        if label.is_some() && (!may || follows) {
            return Err(parser.error(ExpressionFault::Label { name: function.name() }.into()));
        }
        let mut argument = label.map(|point| Box::new(constant(point)));
        if follows {
            let (node, shape) = parser.sum()?;
            if shape != Shape::Vector {
                return Err(parser.wrong_shape(function.name(), Shape::Vector, shape));
            }
            argument = Some(Box::new(node));
        }
        Ok((Node::Leaf(Leaf::State { function, body, argument }), function.shape()))
    }

    /// What is read of a joint or a spring.
    fn measure(&self, parser: &mut Parser<Self>, measure: Measure) -> Parsed<Self> {
        parser.blanks();
        let start = parser.place();
        let name = parser.word();
        let part = measure.part(self.model, &name).map_err(|fault| {
            parser.back_to(start);
            parser.error(fault.into())
        })?;
        let machine = self.model.machine();
        let (first, second) = match part {
            Part::Joint(joint) => (machine.joints[joint].first, machine.joints[joint].second),
            Part::Force(force) => (machine.forces[force].first, machine.forces[force].second),
        };
        let bodies = [Some(first), second].map(|body| body.map(|body| BodyId(body as u32)));
        let leaf = Leaf::Machine { measure, part, bodies, unit: measure.unit(self.model, part) };
        Ok((Node::Leaf(leaf), measure.shape()))
    }

    /// The time of `a/b#2`, `a#1` or `apex a#1`.
    fn time(&self, parser: &mut Parser<Self>) -> Parsed<Self> {
        let start = parser.place();
        let word = parser.word();
        let names = Moments { model: self.model };
        let timing = match word.strip_prefix("apex ") {
            Some(rest) => {
                let (body, n) = rest.rsplit_once('#').unwrap_or((rest, "1"));
                let n = n.trim().parse().ok().filter(|n: &u32| *n > 0);
                let n = n.ok_or_else(|| parser.expected("a number from 1 after #"))?;
                names.flier(body.trim()).map(|body| Timing::Apex { body, n })
            }
            None => names.impact(&word).map(|(subject, number)| Timing::Impact { subject, number, side: Side::After }),
        };
        timing.map(|timing| (Node::Leaf(Leaf::Time(timing)), Shape::Scalar)).map_err(|problem| {
            parser.back_to(start);
            parser.error(ExpressionFault::Moment { reason: problem.to_string() }.into())
        })
    }

    /// A body, or a label's body and point.
    fn point(&self, parser: &mut Parser<Self>) -> Result<(BodyId, Option<Vec3>), Fault> {
        parser.blanks();
        let start = parser.place();
        let name = parser.word();
        let label = self.model.label(&name).map(|(body, point)| (body, Some(point)));
        let found = self.model.body(&name).map(|body| (body, None));
        found.or(label).ok_or_else(|| {
            parser.back_to(start);
            let nearest = self.model.nearest_body(&name).map(str::to_owned);
            parser.error(ExpressionFault::UnknownBody { name, nearest }.into())
        })
    }
}
