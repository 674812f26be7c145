//! Walking TOML tables: typed fields, their places, and all faults at once.
//!
//! A field that is absent reads as `None`; one that is wrong also reads as `None` and leaves a
//! [`Finding`]. A scene with findings is refused, so the `None` of a wrong field never counts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml_edit::{Item, TableLike, Value};

use super::error::Problem;
use super::machine::{Formula, Variable};
use super::nearest;
use super::numbers::value_type_name;
use crate::files::Reach;
use crate::math::formula::FormulaError;

/// Places and faults gathered while reading one file.
pub(super) struct Reader {
    pub spans: BTreeMap<String, Range<usize>>,
    pub findings: Vec<Finding>,
    /// Where files that the scene names are, and where else they may be.
    pub folder: PathBuf,
    pub reach: Reach,
    /// What a person should know though nothing is wrong.
    pub notes: Vec<String>,
    /// Names that are taken, with the key of what has them.
    names: BTreeMap<String, String>,
    /// Of which numbers may be formulas.
    pub variables: Vec<Variable>,
    /// Numbers that are formulas, by key.
    pub formulas: BTreeMap<String, Formula>,
    /// Points that are those of labels, by key.
    pub borrowed: BTreeMap<String, String>,
    /// Told before work that takes time.
    pub tell: fn(&str),
}

/// A fault at a byte of the text.
pub(super) struct Finding {
    pub offset: usize,
    pub key: String,
    pub subject: String,
    pub problem: Problem,
}

/// One table being read.
pub(super) struct Fields<'a, 'text> {
    reader: &'a mut Reader,
    table: &'text dyn TableLike,
    /// Key of the table itself; empty for the file.
    pub path: String,
    /// How messages call it.
    pub subject: String,
    pub offset: usize,
    /// Fields that the table's owner reads.
    allowed: &'static [&'static str],
}

/// An entry of an array of tables.
#[derive(Clone, Copy)]
pub(super) struct Entry<'text> {
    pub table: &'text dyn TableLike,
    pub offset: usize,
}

impl Reader {
    pub fn new(folder: &Path, reach: Reach, tell: fn(&str)) -> Reader {
        Reader {
            spans: BTreeMap::new(),
            findings: Vec::new(),
            folder: folder.to_owned(),
            reach,
            notes: Vec::new(),
            names: BTreeMap::new(),
            variables: Vec::new(),
            formulas: BTreeMap::new(),
            borrowed: BTreeMap::new(),
            tell,
        }
    }

    /// Starts reading a table and remembers where it and its fields stand.
    pub fn fields<'a, 'text>(
        &'a mut self,
        table: &'text dyn TableLike,
        path: String,
        subject: String,
        offset: usize,
    ) -> Fields<'a, 'text> {
        if !path.is_empty() {
            self.spans.insert(path.clone(), offset..offset);
        }
        let fields = Fields { reader: self, table, path, subject, offset, allowed: &[] };
        for (name, item) in table.iter() {
            let span = item.span().or_else(|| fields.key_span(name)).unwrap_or(offset..offset);
            fields.reader.spans.insert(fields.key(name), span);
        }
        fields
    }
}

impl<'a, 'text> Fields<'a, 'text> {
    /// Full key of a field.
    pub fn key(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The raw field.
    pub fn item(&self, name: &str) -> Option<&'text Item> {
        self.table.get(name)
    }

    /// Whether the field is written at all.
    pub fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// The table inside a field, whose faults are reported under the same subject.
    pub fn inner(&mut self, name: &str, table: &'text dyn TableLike) -> Fields<'_, 'text> {
        let (path, subject, offset) = (self.key(name), self.subject.clone(), self.field_offset(name));
        self.reader.fields(table, path, subject, offset)
    }

    /// An entry of a list of tables, whose faults are reported under the same subject.
    pub fn entry(&mut self, name: &str, index: usize, entry: Entry<'text>) -> Fields<'_, 'text> {
        let (path, subject) = (format!("{}[{index}]", self.key(name)), self.subject.clone());
        self.reader.fields(entry.table, path, subject, entry.offset)
    }

    /// Where files that the scene names are, and where else they may be.
    pub fn folder(&self) -> (&Path, Reach) {
        (&self.reader.folder, self.reader.reach)
    }

    /// Says what is about to take time.
    pub fn tell(&self, what: &str) {
        (self.reader.tell)(what);
    }

    /// Keeps what a person should know though nothing is wrong.
    pub fn note(&mut self, note: String) {
        self.reader.notes.push(note);
    }

    /// Lets `refuse_unknown` pass fields that the table's owner reads.
    pub fn allow(&mut self, keys: &'static [&'static str]) {
        self.allowed = keys;
    }

    /// Notes a fault of a field.
    pub fn report(&mut self, name: &str, problem: Problem) {
        let offset = self.field_offset(name);
        self.report_at(offset, name, problem);
    }

    /// Notes that a field without default is absent.
    pub fn report_missing(&mut self, name: &str, example: &'static str) {
        self.report_at(self.offset, name, Problem::Missing { field: name.to_owned(), example });
    }

    /// Refuses fields that nobody reads, with the one that was probably meant.
    pub fn refuse_unknown(&mut self, known: &'static [&'static str]) {
        for (name, item) in self.table.iter() {
            if known.contains(&name) || self.allowed.contains(&name) {
                continue;
            }
            let nearest = nearest(name, known.iter().copied());
            let problem = Problem::UnknownKey { key: name.to_owned(), nearest, known };
            let offset = self.key_span(name).or_else(|| item.span()).map_or(self.offset, |span| span.start);
            self.report_at(offset, name, problem);
        }
    }

    /// Takes a name for what is being read; refuses one that something else has.
    pub fn claim(&mut self, field: &str, name: &str) {
        self.claim_for(self.path.clone(), field, name);
    }

    /// Takes a name for a field of its own.
    pub fn claim_at(&mut self, field: &str, name: &str) {
        self.claim_for(self.key(field), field, name);
    }

    fn claim_for(&mut self, key: String, field: &str, name: &str) {
        match self.reader.names.get(name).cloned() {
            Some(first) => self.report(field, Problem::DuplicateName { name: name.to_owned(), first }),
            None => drop(self.reader.names.insert(name.to_owned(), key)),
        }
    }

    /// From here on numbers may be formulas of these.
    pub fn use_variables(&mut self, variables: Vec<Variable>) {
        self.reader.variables = variables;
    }

    /// Whether text may be a number.
    pub fn has_variables(&self) -> bool {
        !self.reader.variables.is_empty()
    }

    /// The value of a formula, which is remembered by its key; none where the scene has no variables.
    pub fn formula(&mut self, field: &str, text: &str) -> Option<Result<f64, Problem>> {
        if !self.has_variables() {
            return None;
        }
        let formula = match Formula::new(text, &self.reader.variables) {
            Ok(formula) => formula,
            Err(FormulaError { column, problem }) => {
                return Some(Err(Problem::Formula { field: field.to_owned(), column, problem }));
            }
        };
        let value = formula.value(&self.reader.variables);
        self.reader.formulas.insert(self.key(field), formula);
        Some(Ok(value))
    }

    /// A text field.
    pub fn text(&mut self, name: &str) -> Option<String> {
        let item = self.item(name)?;
        let text = item.as_str().map(str::to_owned);
        text.or_else(|| self.wrong_type(name, item, "text in quotes"))
    }

    /// A yes-or-no field.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        let item = self.item(name)?;
        item.as_bool().or_else(|| self.wrong_type(name, item, "true or false"))
    }

    /// The tables of `[[name]]`, or of a list of inline tables; none where the field is absent.
    pub fn tables(&mut self, name: &str, limit: usize) -> Option<Vec<Entry<'text>>> {
        let Some(item) = self.item(name) else {
            return Some(Vec::new());
        };
        let Some(entries) = table_entries(item) else {
            let expected = match name {
                "body" => "[[body]] tables",
                "shape" => "[[shape]] tables",
                "parts" => "a list of tables such as [{ kind = \"ball\", radius = 0.1 }]",
                "nail" => "[[nail]] tables",
                "joint" => "[[joint]] tables",
                "force" => "[[force]] tables",
                "track" => "[[track]] tables",
                "label" => "[[label]] tables",
                "keys" => "a list of keys such as [{ t = 0, value = 1 }, { t = 1, value = 2 }]",
                _ => "[[control]] tables",
            };
            return self.wrong_type(name, item, expected);
        };
        if entries.len() > limit {
            let problem = Problem::TooMany { field: name.to_owned(), found: entries.len(), limit };
            self.report(name, problem);
            return None;
        }
        Some(entries)
    }

    /// Notes a field of the wrong type.
    pub fn wrong_type<T>(&mut self, name: &str, item: &Item, expected: &'static str) -> Option<T> {
        let problem = Problem::WrongType { field: name.to_owned(), found: type_name(item), expected };
        self.report(name, problem);
        None
    }

    pub fn report_at(&mut self, offset: usize, name: &str, problem: Problem) {
        let (key, subject) = (self.key(name), self.subject.clone());
        self.reader.findings.push(Finding { offset, key, subject, problem });
    }

    fn key_span(&self, name: &str) -> Option<Range<usize>> {
        self.table.key(name)?.span()
    }

    fn field_offset(&self, name: &str) -> usize {
        self.reader.spans.get(&self.key(name)).map_or(self.offset, |span| span.start)
    }
}

fn table_entries(item: &Item) -> Option<Vec<Entry<'_>>> {
    let start = |span: Option<Range<usize>>| span.map_or(0, |span| span.start);
    if let Some(tables) = item.as_array_of_tables() {
        let entry = |table: &'_ toml_edit::Table| start(table.span());
        return Some(tables.iter().map(|table| Entry { table, offset: entry(table) }).collect());
    }
    let inline = |value: &'_ Value| start(value.span());
    item.as_array()?
        .iter()
        .map(|value| Some(Entry { table: value.as_inline_table()?, offset: inline(value) }))
        .collect()
}

/// The type of a field as messages call it.
fn type_name(item: &Item) -> &'static str {
    match item {
        Item::Value(value) => value_type_name(value),
        Item::ArrayOfTables(_) => "a list of tables",
        Item::Table(_) => "a table",
        Item::None => "nothing",
    }
}
