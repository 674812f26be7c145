//! Reading an expression: recursive descent over its characters, shapes checked on the way.

use super::functions::{Function, NAMES, StateFunction};
use super::{Comparison, Expression, ExpressionError, ExpressionProblem, Factor, Node, Shape};
use crate::goal::timing::{Names, Timing};
use crate::model::{BodyId, Model};
use crate::scene::{Side, nearest};

/// Brackets within brackets beyond this are noise, and each costs stack.
const DEEPEST: usize = 64;
/// More is no wish of a person's, and gradients of long sums take the square of their length.
const MOST_PARTS: usize = 4096;

type Parsed = Result<(Node, Shape), ExpressionError>;

struct Parser<'a> {
    model: &'a Model,
    letters: Vec<char>,
    at: usize,
    depth: usize,
    /// Numbers, vectors, functions and brackets so far.
    parts: usize,
}

pub(super) fn parse(model: &Model, text: &str) -> Result<Expression, ExpressionError> {
    let mut parser = Parser { model, letters: text.chars().collect(), at: 0, depth: 0, parts: 0 };
    let (left, shape) = parser.sum()?;
    let comparison = parser.comparison()?;
    let (right, other) = parser.sum()?;
    if shape == Shape::Scalar && other == Shape::Vector && !matches!(left, Node::Number(_)) {
        return Err(parser.wrong_shape("the left side", Shape::Vector, shape));
    }
    parser.blanks();
    if parser.at < parser.letters.len() {
        return Err(parser.expected("the end of the expression"));
    }
    Ok(Expression { left, right, comparison })
}

impl Parser<'_> {
    fn comparison(&mut self) -> Result<Comparison, ExpressionError> {
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
            if self.takes(sign) {
                return Ok(comparison);
            }
        }
        Err(self.expected("=, <= or >="))
    }

    fn sum(&mut self) -> Parsed {
        let (first, shape) = self.product()?;
        let mut rest = Vec::new();
        loop {
            let sign = match () {
                () if self.takes("+") => 1.0,
                () if self.takes("-") || self.takes("−") => -1.0,
                () if rest.is_empty() => return Ok((first, shape)),
                () => return Ok((Node::Sum(Box::new(first), rest), shape)),
            };
            let (node, other) = self.product()?;
            if other != shape {
                return Err(self.wrong_shape("a sum", shape, other));
            }
            rest.push((sign, node));
        }
    }

    fn product(&mut self) -> Parsed {
        let (first, mut shape) = self.power()?;
        let mut rest = Vec::new();
        loop {
            if self.takes("*") || self.takes("·") {
                let (node, other) = self.power()?;
                if (shape, other) == (Shape::Vector, Shape::Vector) {
                    return Err(self.wrong_shape("a product", Shape::Scalar, other));
                }
                shape = if other == Shape::Vector { other } else { shape };
                rest.push((Factor::Times, node));
            } else if self.takes("/") {
                let (node, other) = self.power()?;
                if other == Shape::Vector {
                    return Err(self.wrong_shape("a divisor", Shape::Scalar, other));
                }
                rest.push((Factor::Over, node));
            } else if rest.is_empty() {
                return Ok((first, shape));
            } else {
                return Ok((Node::Product(Box::new(first), rest), shape));
            }
        }
    }

    fn power(&mut self) -> Parsed {
        let (base, shape) = self.unary()?;
        if !self.takes("^") {
            return Ok((base, shape));
        }
        if shape == Shape::Vector {
            return Err(self.wrong_shape("a power", Shape::Scalar, shape));
        }
        let negative = self.takes("-");
        self.blanks();
        let digits: String = self.letters[self.at..].iter().take_while(|c| c.is_ascii_digit()).collect();
        let exponent: i32 =
            digits.parse().ok().filter(|n| *n <= 100).ok_or_else(|| self.expected("a whole number up to 100"))?;
        self.at += digits.len();
        Ok((Node::Power(Box::new(base), if negative { -exponent } else { exponent }), shape))
    }

    fn unary(&mut self) -> Parsed {
        if self.takes("-") || self.takes("−") {
            self.deeper()?;
            let (node, shape) = self.power()?;
            self.depth -= 1;
            return Ok((Node::Negative(Box::new(node)), shape));
        }
        let mut value = self.value()?;
        while self.takes(".") {
            let axis = [("x", 0), ("y", 1), ("z", 2)].into_iter().find(|(name, _)| self.takes(name));
            let Some((_, axis)) = axis else { return Err(self.expected("x, y or z")) };
            if value.1 != Shape::Vector {
                return Err(self.wrong_shape("a component", Shape::Vector, value.1));
            }
            value = (Node::Component(Box::new(value.0), axis), Shape::Scalar);
        }
        Ok(value)
    }

    fn value(&mut self) -> Parsed {
        self.blanks();
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(self.error(ExpressionProblem::TooLong { most: MOST_PARTS }));
        }
        match self.letters.get(self.at) {
            Some(digit) if digit.is_ascii_digit() => self.number(),
            Some('(') => self.brackets(),
            Some('[') => self.vector(),
            Some(letter) if letter.is_alphabetic() => self.named(),
            _ => Err(self.expected("a number, a vector or a function")),
        }
    }

    fn brackets(&mut self) -> Parsed {
        self.at += 1;
        self.deeper()?;
        let inner = self.sum()?;
        self.depth -= 1;
        self.needs(")", "a closing bracket )")?;
        Ok(inner)
    }

    fn number(&mut self) -> Parsed {
        let rest = &self.letters[self.at..];
        let mut end = 0;
        while let Some(letter) = rest.get(end) {
            let exponent_sign = matches!(letter, '+' | '-') && end > 0 && matches!(rest[end - 1], 'e' | 'E');
            if !(letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E') || exponent_sign) {
                break;
            }
            end += 1;
        }
        let text: String = rest[..end].iter().collect();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| self.expected("a number such as 0.5 or 1e-3"))?;
        self.at += end;
        Ok((Node::Number(number), Shape::Scalar))
    }

    fn vector(&mut self) -> Parsed {
        self.at += 1;
        self.deeper()?;
        let mut entry = |last: bool| {
            let (node, shape) = self.sum()?;
            if shape == Shape::Vector {
                return Err(self.wrong_shape("a vector", Shape::Scalar, shape));
            }
            self.needs(if last { "]" } else { "," }, "a vector of three numbers such as [0, 1, 0]")?;
            Ok(node)
        };
        let entries = [entry(false)?, entry(false)?, entry(true)?];
        self.depth -= 1;
        Ok((Node::Vector(Box::new(entries)), Shape::Vector))
    }

    fn named(&mut self) -> Parsed {
        let start = self.at;
        let name: String = self.letters[start..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
        self.at += name.chars().count();
        if name == "pi" {
            return Ok((Node::Number(std::f64::consts::PI), Shape::Scalar));
        }
        let state = StateFunction::named(&name);
        let function = Function::named(&name);
        if state.is_none() && function.is_none() && !["t", "distance"].contains(&name.as_str()) {
            self.at = start;
            let nearest = nearest(&name, NAMES.iter().copied());
            let nearest = NAMES.iter().copied().find(|known| Some(*known) == nearest);
            return Err(self.error(ExpressionProblem::UnknownFunction { name, nearest }));
        }
        self.needs("(", "an opening bracket (")?;
        self.deeper()?;
        let parsed = match (state, function) {
            (Some(function), _) => self.state_call(function)?,
            (None, Some(function)) => self.call(function)?,
            (None, None) if name == "t" => self.time()?,
            (None, None) => {
                let one = self.body()?;
                self.needs(",", "a comma and a second body")?;
                (Node::Distance { one, other: self.body()? }, Shape::Scalar)
            }
        };
        self.depth -= 1;
        self.needs(")", "a closing bracket )")?;
        Ok(parsed)
    }

    fn state_call(&mut self, function: StateFunction) -> Parsed {
        let body = self.body()?;
        let inertia = self.model.bodies()[body.index()].mass.inertia;
        if function.turns() && inertia.iter().all(|moment| *moment == 0.0) {
            return Err(self.error(ExpressionProblem::DoesNotTurn { name: function.name() }));
        }
        let (may, must) = function.takes_vector();
        let follows = self.takes(",");
        if follows != may && (follows || must) {
            let expected = if must { "a body and a vector" } else { "one body" };
            return Err(self.error(ExpressionProblem::Arguments { name: function.name(), expected }));
        }
        let mut argument = None;
        if follows {
            let (node, shape) = self.sum()?;
            if shape != Shape::Vector {
                return Err(self.wrong_shape(function.name(), Shape::Vector, shape));
            }
            argument = Some(Box::new(node));
        }
        Ok((Node::State { function, body, argument }, function.shape()))
    }

    fn call(&mut self, function: Function) -> Parsed {
        let (shapes, result, expected) = function.signature();
        let mut arguments = Vec::with_capacity(shapes.len());
        for (index, wanted) in shapes.iter().enumerate() {
            if index > 0 && !self.takes(",") {
                return Err(self.error(ExpressionProblem::Arguments { name: function.name(), expected }));
            }
            let (node, shape) = self.sum()?;
            if shape != *wanted {
                return Err(self.wrong_shape(function.name(), *wanted, shape));
            }
            arguments.push(node);
        }
        Ok((Node::Call { function, arguments }, result))
    }

    /// The time of `a/b#2`, `a#1` or `apex a#1`.
    fn time(&mut self) -> Parsed {
        let start = self.at;
        let word = self.word();
        let names = Names { model: self.model };
        let timing = match word.strip_prefix("apex ") {
            Some(rest) => {
                let (body, n) = rest.rsplit_once('#').unwrap_or((rest, "1"));
                let n = n.trim().parse().ok().filter(|n: &u32| *n > 0);
                let n = n.ok_or_else(|| self.expected("a number from 1 after #"))?;
                names.flier(body.trim()).map(|body| Timing::Apex { body, n })
            }
            None => names.impact(&word).map(|(subject, number)| Timing::Impact { subject, number, side: Side::After }),
        };
        timing.map(|timing| (Node::Time(timing), Shape::Scalar)).map_err(|problem| {
            self.at = start;
            self.error(ExpressionProblem::Moment { reason: problem.to_string() })
        })
    }

    fn body(&mut self) -> Result<BodyId, ExpressionError> {
        self.blanks();
        let start = self.at;
        let name = self.word();
        let found = self.model.body(&name);
        found.ok_or_else(|| {
            self.at = start;
            let nearest = self.model.nearest_body(&name).map(str::to_owned);
            self.error(ExpressionProblem::UnknownBody { name, nearest })
        })
    }

    /// Everything up to a comma or closing bracket, or within quotes.
    fn word(&mut self) -> String {
        self.blanks();
        let quoted = matches!(self.letters.get(self.at), Some('"' | '\''));
        if quoted {
            self.at += 1;
        }
        let ends = |c: &char| if quoted { matches!(c, '"' | '\'') } else { matches!(c, ',' | ')') };
        let word: String = self.letters[self.at..].iter().take_while(|c| !ends(c)).collect();
        self.at = (self.at + word.chars().count() + usize::from(quoted)).min(self.letters.len());
        word.trim().to_owned()
    }

    fn blanks(&mut self) {
        while self.letters.get(self.at).is_some_and(|letter| letter.is_whitespace()) {
            self.at += 1;
        }
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = sign.chars().zip(self.at..).all(|(letter, at)| self.letters.get(at) == Some(&letter));
        if found {
            self.at += sign.chars().count();
        }
        found
    }

    fn needs(&mut self, sign: &str, expected: &'static str) -> Result<(), ExpressionError> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn deeper(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.error(ExpressionProblem::TooDeep)) } else { Ok(()) }
    }

    fn expected(&self, expected: &'static str) -> ExpressionError {
        self.error(ExpressionProblem::Expected { expected })
    }

    fn wrong_shape(&self, what: &'static str, expected: Shape, found: Shape) -> ExpressionError {
        self.error(ExpressionProblem::Shape { what, expected: expected.as_str(), found: found.as_str() })
    }

    fn error(&self, problem: ExpressionProblem) -> ExpressionError {
        ExpressionError { column: self.at + 1, problem }
    }
}
