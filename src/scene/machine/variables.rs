//! Variables: numbers with names, and formulas of them that stand for numbers of the file.
//!
//! ```text
//! [variables]              position = ["2*reach", 0, 0]
//! reach = 1.0
//! ```
//!
//! A scene holds the values at the file's variables, and keeps the formulas by key, so that later rooms can evaluate them elsewhere.

use std::convert::Infallible;

use crate::math::formula::{Dual, FUNCTIONS, FormulaError, Linear, Names, Node, Parsed, Parser, Problem, Shape, Value};
use crate::scene::nearest;

/// One entry of `[variables]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique in the scene.
    pub name: String,
    /// What the file says.
    pub value: f64,
}

/// A number as a function of the scene's variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// As written.
    pub text: String,
    node: Node<usize>,
}

/// What is wrong with the name of a variable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("no variable is called {name:?}; {}", advice(.nearest))]
pub struct UnknownVariable {
    /// As written.
    pub name: String,
    /// What was probably meant.
    pub nearest: Option<String>,
}

/// Σ of variables, by place, times numbers.
#[derive(Clone, Debug, Default)]
struct Form(Vec<(usize, f64)>);

struct Known<'a>(&'a [Variable]);

impl Formula {
    /// Reads a formula of these variables.
    pub fn new(text: &str, variables: &[Variable]) -> Result<Formula, FormulaError<UnknownVariable>> {
        let known = Known(variables);
        let mut parser = Parser::new(&known, text);
        let (node, shape) = parser.sum()?;
        parser.end()?;
        if shape == Shape::Vector {
            return Err(parser.wrong_shape("this field", Shape::Scalar, shape));
        }
        Ok(Formula { text: text.to_owned(), node })
    }

    /// Its value.
    pub fn value(&self, variables: &[Variable]) -> f64 {
        self.dual(variables).value
    }

    /// How it changes with each variable that it names, by place.
    pub fn gradient(&self, variables: &[Variable]) -> Vec<(usize, f64)> {
        self.dual(variables).gradient.0
    }

    /// Whether it names this variable.
    pub fn names(&self, variable: usize) -> bool {
        self.node.any_leaf(&|leaf| *leaf == variable)
    }

    fn dual(&self, variables: &[Variable]) -> Dual<Form> {
        let leaf = |&variable: &usize| -> Result<Value<Form>, Infallible> {
            let value = variables.get(variable).map_or(0.0, |variable| variable.value);
            Ok(Value::Scalar(Dual { value, gradient: Form(vec![(variable, 1.0)]) }))
        };
        match self.node.evaluate(&leaf) {
            Ok(value) => value.scalar(),
            Err(never) => match never {},
        }
    }
}

/// Why a word cannot name a variable in formulas.
pub(in crate::scene) fn is_identifier(name: &str) -> bool {
    let rest = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.starts_with(char::is_alphabetic) && name.chars().all(rest)
}

/// Whether formulas know a word as something else.
pub(in crate::scene) fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

impl Linear for Form {
    fn add(&mut self, other: &Form, factor: f64) {
        for (variable, rate) in &other.0 {
            match self.0.iter_mut().find(|(own, _)| own == variable) {
                Some((_, own)) => *own += rate * factor,
                None => self.0.push((*variable, rate * factor)),
            }
        }
    }
}

impl Names for Known<'_> {
    type Leaf = usize;
    type Fault = UnknownVariable;

    fn read(&self, _: &mut Parser<Self>, name: &str) -> Option<Parsed<Self>> {
        let place = self.0.iter().position(|variable| variable.name == name)?;
        Some(Ok((Node::Leaf(place), Shape::Scalar)))
    }

    fn unknown(&self, name: String) -> Problem<UnknownVariable> {
        let known = self.0.iter().map(|variable| variable.name.as_str()).chain(FUNCTIONS.iter().copied());
        let nearest = nearest(&name, known).map(str::to_owned);
        UnknownVariable { name, nearest }.into()
    }
}

fn advice(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "add it to [variables]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::difference::check_jacobian;

    fn variables(values: &[f64]) -> Vec<Variable> {
        let of = |(name, value): (&str, &f64)| Variable { name: name.to_owned(), value: *value };
        ["reach", "k", "phi"].into_iter().zip(values).map(of).collect()
    }

    #[test]
    fn formulas_have_exact_gradients() {
        for text in ["2*reach", "k^2/reach - sin(phi)*3", "norm([reach, k, 1]) + min(k, phi)", "-(reach + k)*phi", "7"]
        {
            let at = [1.3, 0.7, 2.1];
            let formula = Formula::new(text, &variables(&at)).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            let gradient = formula.gradient(&variables(&at));
            let exact = |_: usize, variable: usize| {
                gradient.iter().find(|(own, _)| *own == variable).map_or(0.0, |(_, rate)| *rate)
            };
            check_jacobian(|values| vec![formula.value(&variables(values))], &at, exact);
        }
    }

    #[test]
    fn what_is_no_formula_is_refused_with_its_place() {
        let of = |text: &str| {
            let error = Formula::new(text, &variables(&[1.0, 2.0, 3.0])).expect_err(text);
            format!("{}: {}", error.column, error.problem)
        };
        assert_eq!(of("2*rech"), "3: no variable is called \"rech\"; did you mean `reach`?");
        assert_eq!(of("2*"), "3: a number, a vector or a function is expected here");
        assert_eq!(of("reach reach"), "7: the end of the expression is expected here");
        assert_eq!(of("[reach, 0, 0]"), "14: this field needs a number, not a vector");
    }
}
