//! Reading a formula: recursive descent over its characters, shapes checked on the way.

use super::functions::Function;
use super::{Factor, FormulaError, Node, Problem, Shape};

/// Brackets within brackets beyond this are noise, and each costs stack.
const DEEPEST: usize = 64;
/// More is no wish of a person's, and gradients of long sums take the square of their length.
const MOST_PARTS: usize = 4096;

/// A part of a formula and what it is.
pub type Parsed<N> = Result<(Node<<N as Names>::Leaf>, Shape), FormulaError<<N as Names>::Fault>>;

/// What names stand for beyond those that any formula may use.
pub trait Names {
    /// What a name becomes.
    type Leaf;
    /// What can be wrong with one.
    type Fault;

    /// Reads what stands behind a name that was just read; none where the name means nothing.
    fn read(&self, parser: &mut Parser<Self>, name: &str) -> Option<Parsed<Self>>
    where
        Self: Sized;

    /// The same before it is asked whether the name is that of a function of any formula.
    fn read_first(&self, _parser: &mut Parser<Self>, _name: &str) -> Option<Parsed<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// What is wrong with a name that means nothing.
    fn unknown(&self, name: String) -> Problem<Self::Fault>;
}

/// A text while it is read.
pub struct Parser<'a, N: Names> {
    names: &'a N,
    letters: Vec<char>,
    at: usize,
    depth: usize,
    /// Numbers, vectors, functions and brackets so far.
    parts: usize,
}

impl<'a, N: Names> Parser<'a, N> {
    /// Starts at the first character.
    pub fn new(names: &'a N, text: &str) -> Parser<'a, N> {
        Parser { names, letters: text.chars().collect(), at: 0, depth: 0, parts: 0 }
    }

    /// Refuses what stands behind the end.
    pub fn end(&mut self) -> Result<(), FormulaError<N::Fault>> {
        self.blanks();
        if self.at < self.letters.len() { Err(self.expected("the end of the expression")) } else { Ok(()) }
    }

    /// Where it stands, to come back to.
    pub fn place(&self) -> usize {
        self.at
    }

    /// Goes back to a place, where an error then is.
    pub fn back_to(&mut self, place: usize) {
        self.at = place;
    }

    /// The next sum, which is the whole of a formula.
    pub fn sum(&mut self) -> Parsed<N> {
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

    fn product(&mut self) -> Parsed<N> {
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

    fn power(&mut self) -> Parsed<N> {
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

    fn unary(&mut self) -> Parsed<N> {
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

    fn value(&mut self) -> Parsed<N> {
        self.blanks();
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(self.error(Problem::TooLong { most: MOST_PARTS }));
        }
        match self.letters.get(self.at) {
            Some(digit) if digit.is_ascii_digit() => self.number(),
            Some('(') => self.brackets(),
            Some('[') => self.vector(),
            Some(letter) if letter.is_alphabetic() => self.named(),
            _ => Err(self.expected("a number, a vector or a function")),
        }
    }

    fn brackets(&mut self) -> Parsed<N> {
        self.at += 1;
        self.deeper()?;
        let inner = self.sum()?;
        self.depth -= 1;
        self.needs(")", "a closing bracket )")?;
        Ok(inner)
    }

    fn number(&mut self) -> Parsed<N> {
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

    fn vector(&mut self) -> Parsed<N> {
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

    fn named(&mut self) -> Parsed<N> {
        let start = self.at;
        let name: String = self.letters[start..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
        self.at += name.chars().count();
        if name == "pi" {
            return Ok((Node::Number(std::f64::consts::PI), Shape::Scalar));
        }
        let names = self.names;
        if let Some(parsed) = names.read_first(self, &name) {
            return parsed;
        }
        if let Some(function) = Function::named(&name) {
            return self.within_brackets(|parser| parser.call(function));
        }
        names.read(self, &name).unwrap_or_else(|| {
            self.at = start;
            Err(self.error(names.unknown(name)))
        })
    }

    /// What stands in the brackets after the name of a function.
    pub fn within_brackets(&mut self, read: impl FnOnce(&mut Self) -> Parsed<N>) -> Parsed<N> {
        self.needs("(", "an opening bracket (")?;
        self.deeper()?;
        let parsed = read(self)?;
        self.depth -= 1;
        self.needs(")", "a closing bracket )")?;
        Ok(parsed)
    }

    fn call(&mut self, function: Function) -> Parsed<N> {
        let (shapes, result, expected) = function.signature();
        let mut arguments = Vec::with_capacity(shapes.len());
        for (index, wanted) in shapes.iter().enumerate() {
            if index > 0 && !self.takes(",") {
                return Err(self.error(Problem::Arguments { name: function.name(), expected }));
            }
            let (node, shape) = self.sum()?;
            if shape != *wanted {
                return Err(self.wrong_shape(function.name(), *wanted, shape));
            }
            arguments.push(node);
        }
        Ok((Node::Call { function, arguments }, result))
    }

    /// Everything up to a comma or closing bracket, or within quotes.
    pub fn word(&mut self) -> String {
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

    /// Passes blanks.
    pub fn blanks(&mut self) {
        while self.letters.get(self.at).is_some_and(|letter| letter.is_whitespace()) {
            self.at += 1;
        }
    }

    /// Passes a sign, if it stands here.
    pub fn takes(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = sign.chars().zip(self.at..).all(|(letter, at)| self.letters.get(at) == Some(&letter));
        if found {
            self.at += sign.chars().count();
        }
        found
    }

    /// Passes a sign that has to stand here.
    pub fn needs(&mut self, sign: &str, expected: &'static str) -> Result<(), FormulaError<N::Fault>> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn deeper(&mut self) -> Result<(), FormulaError<N::Fault>> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.error(Problem::TooDeep)) } else { Ok(()) }
    }

    /// Something else has to stand here.
    pub fn expected(&self, expected: &'static str) -> FormulaError<N::Fault> {
        self.error(Problem::Expected { expected })
    }

    /// Something else than this was meant.
    pub fn wrong_shape(&self, what: &'static str, expected: Shape, found: Shape) -> FormulaError<N::Fault> {
        self.error(Problem::Shape { what, expected: expected.as_str(), found: found.as_str() })
    }

    /// A fault here.
    pub fn error(&self, problem: Problem<N::Fault>) -> FormulaError<N::Fault> {
        FormulaError { column: self.at + 1, problem }
    }
}
