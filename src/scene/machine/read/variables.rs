//! Reading `[variables]`.

use super::super::Variable;
use super::super::variables::{is_function, is_identifier};
use crate::scene::error::{NameRule, Problem};
use crate::scene::limits;
use crate::scene::reader::Fields;

/// All variables that are not at fault; faults are told.
pub(in crate::scene) fn read_variables(scene: &mut Fields) -> Vec<Variable> {
    let Some(item) = scene.item("variables") else { return Vec::new() };
    let Some(table) = item.as_table_like() else {
        let _: Option<()> = scene.wrong_type("variables", item, "a table such as [variables]");
        return Vec::new();
    };
    if table.len() > limits::VARIABLES {
        let (field, found) = ("variables".to_owned(), table.len());
        scene.report("variables", Problem::TooMany { field, found, limit: limits::VARIABLES });
        return Vec::new();
    }
    let mut fields = scene.inner("variables", table);
    let mut variables = Vec::new();
    for (name, _) in table.iter() {
        let broken = if !is_identifier(name) {
            Some(NameRule::Identifier)
        } else if is_function(name) {
            Some(NameRule::NotFunction)
        } else if name == "gravity" {
            Some(NameRule::NotGravity)
        } else {
            None
        };
        if let Some(rule) = broken {
            fields.report(name, Problem::BadName { name: name.to_owned(), rule });
        }
        fields.claim_at(name, name);
        variables.extend(fields.number(name, limits::PARAMETER).map(|value| Variable { name: name.to_owned(), value }));
    }
    variables
}
