//! Numbers that the file gives as formulas of its variables: which they are, and how each changes with a variable.
//!
//! ```text
//! number(u) = formula(variables of u), within what is physical          ∂number/∂variable: exact; 0 at a bound        (1)
//! mass      = V·density(variables)                                      where the file gives a density                (2)
//! ```
//!
//! Such a number has a role, so that derivatives go by it, and no parameter of its own: the variables stand for it. A variable
//! that is used where no derivative goes (a shape, a setting, a nail…) is the same for every u.

use std::collections::BTreeMap;

use super::body::ModelBody;
use super::field::{Field, Owner};
use super::machine::Machine;
use super::role::Role;
use super::subject::{BodyId, Subject, VariableId};
use crate::geometry::mass::volume_integrals;
use crate::scene::{Formula, Scene, Variable};

/// Where the numbers of a scene come from, beside parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Formulas {
    /// In the order of their roles.
    all: Vec<(Role, Given)>,
    /// Numbers that are points of labels.
    borrowed: Vec<Role>,
    /// Variables that are the same for every u, with the key of a number that needs that.
    fixed: BTreeMap<VariableId, String>,
}

/// A formula and what it is multiplied by.
#[derive(Clone, Debug)]
struct Given {
    formula: Formula,
    factor: f64,
    /// What is physical.
    bounds: (f64, f64),
}

impl Formulas {
    pub fn new(scene: &Scene, bodies: &[ModelBody], machine: &Machine) -> Formulas {
        let mut found = Formulas::default();
        // Most scenes have none, and then no key has to be made.
        if scene.numbers.formulas.is_empty() && scene.numbers.borrowed.is_empty() {
            return found;
        }
        let mut left = scene.numbers.formulas.clone();
        for role in roles(bodies, machine) {
            let Some(key) = machine.key_of(&role) else { continue };
            let point = key.rsplit_once('[').map_or(key.as_str(), |(point, _)| point);
            if scene.numbers.borrowed.contains_key(point) {
                found.borrowed.push(role);
            }
            if let Some(formula) = left.remove(&key) {
                found.push(role, formula, 1.0, scene);
            } else if role.field == Field::Mass
                && let Some(body) = role.body()
                && let Some(formula) = left.remove(&format!("body[{}].density", body.0))
            {
                let volume = volume_integrals(&scene.bodies[body.index()].shape).map_or(0.0, |found| found.volume);
                found.push(role, formula, volume, scene); // (2)
            }
        }
        for (key, formula) in &left {
            for variable in (0..scene.variables.len()).filter(|&variable| formula.names(variable)) {
                found.fixed.entry(VariableId(variable as u32)).or_insert_with(|| key.clone());
            }
        }
        found.all.sort_by_key(|(role, _)| *role);
        found.borrowed.sort();
        found
    }

    fn push(&mut self, role: Role, formula: Formula, factor: f64, scene: &Scene) {
        let value = factor * formula.value(&scene.variables);
        self.all.push((role, Given { formula, factor, bounds: role.implied_bounds(value) }));
    }

    fn find(&self, role: &Role) -> Option<&Given> {
        let index = self.all.binary_search_by_key(role, |(own, _)| *own).ok()?;
        Some(&self.all[index].1)
    }

    /// Whether a number comes from something else than a parameter of its own. The three of a rotation are one.
    pub fn give(&self, role: &Role) -> bool {
        let turns = matches!(role.subject, Subject::Body(_)) && role.field == Field::Rotation;
        let any = |role: &Role| self.find(role).is_some() || self.borrowed.binary_search(role).is_ok();
        if turns { role.group().any(|role| any(&role)) } else { any(role) }
    }

    /// Whether a field of a body has a formula in it.
    pub fn have(&self, field: Field, body: BodyId) -> bool {
        field.of(body).group().any(|role| self.find(&role).is_some())
    }

    /// Why a number of a field has no parameter of its own, if a formula or label gives one.
    pub fn why(&self, role: &Role) -> Option<String> {
        let given = role
            .group()
            .find_map(|role| self.find(&role))
            .map(|given| format!("the file gives it as \"{}\"; name a variable", given.formula.text));
        let borrowed = self.borrowed.binary_search(role).is_ok();
        given.or(borrowed.then(|| "it is the point of a label; write the point itself in the file".to_owned()))
    }

    /// The key of a number that keeps a variable from changing.
    pub fn fixed(&self, variable: VariableId) -> Option<&str> {
        self.fixed.get(&variable).map(String::as_str)
    }

    /// (1), in the order of the roles.
    pub fn values<'a>(&'a self, variables: &'a [Variable]) -> impl Iterator<Item = (Role, f64)> + 'a {
        self.all.iter().map(|(role, given)| (*role, given.value(variables)))
    }

    /// (1) of one number, if a formula gives it.
    pub fn value(&self, role: &Role, variables: &[Variable]) -> Option<f64> {
        self.find(role).map(|given| given.value(variables))
    }

    /// How the number of a role changes with each variable.
    pub fn gradient(&self, role: &Role, variables: &[Variable]) -> Vec<(VariableId, f64)> {
        self.find(role).map_or_else(Vec::new, |given| given.gradient(variables))
    }

    /// The numbers that change with a variable, and how.
    pub fn numbers(&self, variable: VariableId, variables: &[Variable]) -> Vec<(Role, f64)> {
        let named = self.all.iter().filter(|(_, given)| given.formula.names(variable.index()));
        let rate = |(role, given): &(Role, Given)| {
            let (_, rate) = given.gradient(variables).into_iter().find(|(own, _)| *own == variable)?;
            Some((*role, rate))
        };
        named.filter_map(rate).collect()
    }
}

impl Given {
    fn value(&self, variables: &[Variable]) -> f64 {
        (self.factor * self.formula.value(variables)).clamp(self.bounds.0, self.bounds.1)
    }

    fn gradient(&self, variables: &[Variable]) -> Vec<(VariableId, f64)> {
        let value = self.factor * self.formula.value(variables);
        if value < self.bounds.0 || value > self.bounds.1 {
            return Vec::new();
        }
        let of = |(variable, rate): (usize, f64)| (VariableId(variable as u32), self.factor * rate);
        self.formula.gradient(variables).into_iter().map(of).collect()
    }
}

/// All roles that a field of the file can hold.
fn roles(bodies: &[ModelBody], machine: &Machine) -> Vec<Role> {
    // A body's moments have a field, though what is solved of them may have to stand in a control.
    let of_bodies = bodies.iter().zip(0..).flat_map(|(body, index)| body.roles(BodyId(index)).collect::<Vec<_>>());
    let of_scene = Owner::Scene.rows().flat_map(|row| row.field.of(Subject::Scene).group());
    let of_machine = machine.subjects().flat_map(|subject| machine.roles_of(subject));
    of_bodies.chain(of_scene).chain(of_machine).collect()
}
