//! Reading numbers and vectors within their limits.

use toml_edit::Value;

use super::error::Problem;
use super::limits::Allowed;
use super::reader::Fields;
use crate::math::Vec3;

impl Fields<'_, '_> {
    /// A whole number.
    pub fn integer(&mut self, name: &str, from: u32, to: u32) -> Option<u32> {
        let item = self.item(name)?;
        let Some(value) = item.as_integer() else {
            return self.wrong_type(name, item, "a whole number");
        };
        let within = u32::try_from(value).ok().filter(|value| (from..=to).contains(value));
        if within.is_none() {
            let allowed = Allowed { from: from.into(), to: to.into(), above: false, unit: "" };
            self.report(name, Problem::OutOfRange { field: name.to_owned(), value: value as f64, allowed });
        }
        within
    }

    /// A number.
    pub fn number(&mut self, name: &str, allowed: Allowed) -> Option<f64> {
        let item = self.item(name)?;
        match item.as_value() {
            Some(value) => self.checked(name, name, value, allowed),
            None => self.wrong_type(name, item, "a number"),
        }
    }

    /// A number that has no default.
    pub fn required_number(&mut self, name: &str, allowed: Allowed, example: &'static str) -> Option<f64> {
        if !self.has(name) {
            self.report_missing(name, example);
        }
        self.number(name, allowed)
    }

    /// A vector of three numbers.
    pub fn vector(&mut self, name: &str, allowed: Allowed) -> Option<Vec3> {
        self.numbers(name, allowed, "three numbers such as [0, 1, 0]").map(Vec3::from)
    }

    /// A vector that has no default.
    pub fn required_vector(&mut self, name: &str, allowed: Allowed, example: &'static str) -> Option<Vec3> {
        if !self.has(name) {
            self.report_missing(name, example);
        }
        self.vector(name, allowed)
    }

    /// An array of exactly N numbers.
    pub fn numbers<const N: usize>(
        &mut self,
        name: &str,
        allowed: Allowed,
        expected: &'static str,
    ) -> Option<[f64; N]> {
        let item = self.item(name)?;
        match item.as_value() {
            Some(value) => self.entries(name, name, value, allowed, expected),
            None => self.wrong_type(name, item, expected),
        }
    }

    /// An array of at most `limit` vectors.
    pub fn vectors(&mut self, name: &str, allowed: Allowed, limit: usize) -> Option<Vec<Vec3>> {
        let expected = ["a list of points such as [[0, 0, 0], [1, 0, 0], …]", "three numbers such as [0, 1, 0]"];
        Some(self.lists(name, allowed, limit, expected)?.into_iter().map(Vec3::from).collect())
    }

    /// An array of at most `limit` pairs of numbers.
    pub fn pairs(&mut self, name: &str, allowed: Allowed, limit: usize) -> Option<Vec<[f64; 2]>> {
        self.lists(name, allowed, limit, ["a list of pairs such as [[0.0, 1.5]]", "two numbers such as [0.0, 1.5]"])
    }

    /// An array of at most `limit` arrays of exactly N numbers; what the whole and what an entry should be.
    fn lists<const N: usize>(
        &mut self,
        name: &str,
        allowed: Allowed,
        limit: usize,
        [whole, part]: [&'static str; 2],
    ) -> Option<Vec<[f64; N]>> {
        let item = self.item(name)?;
        let Some(array) = item.as_array() else { return self.wrong_type(name, item, whole) };
        if array.len() > limit {
            let problem = Problem::TooMany { field: name.to_owned(), found: array.len(), limit };
            self.report(name, problem);
            return None;
        }
        let read = |(index, value)| self.entries(name, &format!("{name}[{index}]"), value, allowed, part);
        // All entries are read before any is given up, so that every fault is found.
        let entries: Vec<Option<[f64; N]>> = array.iter().enumerate().map(read).collect();
        entries.into_iter().collect()
    }

    fn entries<const N: usize>(
        &mut self,
        name: &str,
        field: &str,
        value: &Value,
        allowed: Allowed,
        expected: &'static str,
    ) -> Option<[f64; N]> {
        let offset = value.span().map_or(self.offset, |span| span.start);
        let Some(array) = value.as_array() else {
            let found = value_type_name(value);
            self.report_at(offset, name, Problem::WrongType { field: field.to_owned(), found, expected });
            return None;
        };
        if array.len() != N {
            let problem = Problem::WrongLength { field: field.to_owned(), found: array.len(), expected: N };
            self.report_at(offset, name, problem);
            return None;
        }
        let mut numbers = [None; N];
        for (index, (number, value)) in numbers.iter_mut().zip(array.iter()).enumerate() {
            *number = self.checked(name, &format!("{field}[{index}]"), value, allowed);
        }
        let mut found = [0.0; N];
        for (entry, number) in found.iter_mut().zip(numbers) {
            *entry = number?;
        }
        Some(found)
    }

    /// A number within its limits; whole numbers count as numbers, and so do formulas of the scene's variables.
    fn checked(&mut self, name: &str, field: &str, value: &Value, allowed: Allowed) -> Option<f64> {
        let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).map(Ok);
        let number = number.or_else(|| self.formula(field, value.as_str()?));
        let field = field.to_owned();
        let problem = match number {
            Some(Err(problem)) => problem,
            Some(Ok(number)) if allowed.contains(number) => return Some(number),
            Some(Ok(number)) if number.is_finite() => Problem::OutOfRange { field, value: number, allowed },
            Some(Ok(_)) => Problem::NotFinite { field, allowed },
            None => Problem::WrongType { field, found: value_type_name(value), expected: "a number" },
        };
        let offset = value.span().map_or(self.offset, |span| span.start);
        self.report_at(offset, name, problem);
        None
    }
}

/// The type of a value as messages call it.
pub(super) fn value_type_name(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::InlineTable(_) => "a table",
    }
}
