//! Names of parameters and groups: what a person may write, and what it selects.
//!
//! ```text
//! BODY.FIELD[.MEMBER]     gravity[.AXIS]     FIRST/SECOND#NUMBER.FIELD[.MEMBER]     NUMBER: 1, 2, … or *
//! JOINT.FIELD[.MEMBER]    FORCE.FIELD[.MEMBER]    JOINT.active[.NUMBER[.start|.end]]    TRACK.NUMBER.FIELD[.MEMBER]    VARIABLE
//! ```
//!
//! Names of bodies, joints, forces, tracks and variables hold none of these signs, and no two are the same, so that a name has one
//! reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::body::ModelBody;
use super::error::NameError;
use super::field::{Field, Owner};
use super::machine::Machine;
use super::role::{Member, Role};
use super::subject::{BodyId, ForceId, JointId, KeyId, Pair, Subject, VariableId};
use crate::scene::{Track, nearest};

/// Stands for `#*` where a number is asked for; impacts count from 1.
pub(super) const EVERY_IMPACT: u32 = 0;

/// What a name selects.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Selection {
    /// Parameters that exist in every motion.
    Roles(Vec<Role>),
    /// Parameters of one impact, or of every impact of a pair.
    Impact(ImpactSelection),
}

/// A field, or one member of it, of the impacts of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ImpactSelection {
    pub pair: Pair,
    /// `None` for `#*`.
    pub number: Option<u32>,
    field: Field,
    /// `None` for all of the field's.
    member: Option<Member>,
}

impl ImpactSelection {
    /// Its parameters at one impact.
    pub fn roles_at(&self, number: u32) -> Vec<Role> {
        let role = self.field.of((self.pair, number));
        match self.member {
            Some(member) => vec![role.along(member)],
            None => role.group().collect(),
        }
    }

    /// Whether it selects this parameter.
    pub fn selects(&self, role: &Role) -> bool {
        role.impact().is_some_and(|(pair, number)| {
            let is_own = pair == self.pair && self.number.is_none_or(|own| own == number);
            is_own && role.field == self.field && self.member.is_none_or(|own| own == role.member)
        })
    }
}

/// What a name may speak of.
#[derive(Clone, Debug)]
pub(super) struct Names {
    ids: BTreeMap<Arc<str>, BodyId>,
    others: BTreeMap<Arc<str>, Other>,
}

/// What has a name beside bodies.
#[derive(Clone, Copy, Debug)]
enum Other {
    Joint(JointId),
    Force(ForceId),
    Track(u32),
    Variable(VariableId),
}

impl Names {
    pub fn new(bodies: &[ModelBody], machine: &Machine) -> Names {
        let ids = bodies.iter().zip(0..).map(|(body, index)| (body.name.clone(), BodyId(index)));
        let joints = machine.joints.iter().zip(0..).map(|(joint, index)| (&joint.name, Other::Joint(JointId(index))));
        let forces = machine.forces.iter().zip(0..).map(|(force, index)| (&force.name, Other::Force(ForceId(index))));
        let tracks = machine.tracks.iter().zip(0..).map(|(track, index)| (&track.name, Other::Track(index)));
        let variables = machine.variables.iter().zip(0..);
        let variables = variables.map(|(variable, index)| (&variable.name, Other::Variable(VariableId(index))));
        let others = joints.chain(forces).chain(tracks).chain(variables);
        Names { ids: ids.collect(), others: others.map(|(name, other)| (name.as_str().into(), other)).collect() }
    }

    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.ids.get(name).copied()
    }

    /// Reads a parameter's or group's name.
    pub fn select(&self, bodies: &[ModelBody], machine: &Machine, name: &str) -> Result<Selection, NameError> {
        let (head, rest) = name.split_once('.').unwrap_or((name, ""));
        if let Some(other) = self.others.get(head) {
            return select_other(machine, name, *other, rest).map(Selection::Roles);
        }
        if let Some(row) = Owner::Scene.row(head) {
            return self.select_of_scene(name, row.field, rest);
        }
        match head.split_once('#') {
            Some((pair, number)) => self.select_impact(bodies, name, pair, number, rest).map(Selection::Impact),
            None if head.contains('/') => Err(NameError::NoNumber { name: name.to_owned(), pair: head.to_owned() }),
            None => self.select_body(bodies, name, head, rest),
        }
    }

    fn select_of_scene(&self, name: &str, field: Field, rest: &str) -> Result<Selection, NameError> {
        let all: Vec<Role> = field.of(Subject::Scene).group().collect();
        if rest.is_empty() && !name.contains('.') {
            return Ok(Selection::Roles(all));
        }
        let one = all.iter().find(|role| role.words().1 == rest);
        let unknown = || {
            let members: Vec<_> = all.iter().map(|role| role.words().1).collect();
            let meant = nearest(rest, members.iter().map(AsRef::as_ref));
            unknown(name, meant.map(|member| format!("{}.{member}", all[0].words().0)))
        };
        one.map(|role| Selection::Roles(vec![*role])).ok_or_else(unknown)
    }

    fn select_body(&self, bodies: &[ModelBody], name: &str, head: &str, rest: &str) -> Result<Selection, NameError> {
        let body = self.body(head).ok_or_else(|| {
            let words = Owner::Scene.words().map(|word| word as &str);
            let others = self.others.keys().map(Arc::as_ref);
            let meant = nearest(head, self.ids.keys().map(Arc::as_ref).chain(others).chain(words));
            unknown(name, meant.map(|meant| name.replacen(head, meant, 1)))
        })?;
        let (field, member) = rest.split_once('.').unwrap_or((rest, ""));
        let Some(row) = Owner::Body.row(field) else {
            let meant = nearest(field, Owner::Body.words()).map(|field| join(head, field, member));
            return Err(unknown(name, meant));
        };
        if let Some(condition) = bodies[body.index()].missing(row) {
            let kind = condition.kind_without(bodies[body.index()].drive);
            return Err(NameError::Absent { name: name.to_owned(), kind, field: field.to_owned() });
        }
        let of_field: Vec<Role> = row.field.of(body).group().collect();
        if member.is_empty() && !rest.contains('.') {
            return Ok(Selection::Roles(of_field));
        }
        let one = of_field.iter().find(|role| !member.is_empty() && role.words().1 == member);
        let first = join(head, field, &of_field[0].words().1);
        one.map(|role| Selection::Roles(vec![*role])).ok_or_else(|| unknown(name, Some(first)))
    }

    fn select_impact(
        &self,
        bodies: &[ModelBody],
        name: &str,
        pair: &str,
        number: &str,
        rest: &str,
    ) -> Result<ImpactSelection, NameError> {
        let Some((first, second)) = pair.split_once('/') else {
            if self.body(pair).is_none() {
                return Err(unknown(name, None));
            }
            let (body, number) = (pair.to_owned(), number.to_owned());
            return Err(NameError::AnyPartner { name: name.to_owned(), body, number });
        };
        let first_impact = || join(&format!("{pair}#1"), rest, "");
        let number = impact_number(number).ok_or_else(|| unknown(name, Some(first_impact())))?;
        let pair = self.pair(bodies, name, first, second)?;
        let (field, member) = impact_field(rest).ok_or_else(|| {
            let (head, field) = name.split_once('.').unwrap_or((name, ""));
            let field = field.split('.').next().unwrap_or_default();
            unknown(name, nearest(field, Owner::Impact.words()).map(|field| join(head, field, "")))
        })?;
        Ok(ImpactSelection { pair, number, field, member })
    }

    fn pair(&self, bodies: &[ModelBody], name: &str, first: &str, second: &str) -> Result<Pair, NameError> {
        let find = |word: &str| {
            let meant = || nearest(word, self.ids.keys().map(Arc::as_ref)).map(|near| name.replacen(word, near, 1));
            self.body(word).ok_or_else(|| unknown(name, meant()))
        };
        let (first, second) = (find(first)?, find(second)?);
        let pushed = |body: BodyId| bodies[body.index()].drive.is_pushed();
        let why = if first == second {
            "a body does not meet itself; name two bodies"
        } else if !pushed(first) && !pushed(second) {
            "both bodies are fixed and never meet; name a moving one"
        } else {
            return Ok(Pair::new(first, second, pushed));
        };
        Err(NameError::NoPair { name: name.to_owned(), why })
    }
}

impl Pair {
    /// Two bodies in canonical order.
    pub fn new(one: BodyId, other: BodyId, pushed: impl Fn(BodyId) -> bool) -> Pair {
        let other_first = match (pushed(one), pushed(other)) {
            (false, true) => true,
            (true, false) => false,
            _ => other < one,
        };
        let (first, second) = if other_first { (other, one) } else { (one, other) };
        Pair { first, second }
    }
}

/// Numbers of a joint, force, key or variable.
fn select_other(machine: &Machine, name: &str, other: Other, rest: &str) -> Result<Vec<Role>, NameError> {
    let (subject, head, rest) = match other {
        Other::Joint(joint) => (joint.into(), machine.joints[joint.index()].name.clone(), rest),
        Other::Force(force) => (force.into(), machine.forces[force.index()].name.clone(), rest),
        Other::Variable(variable) => (variable.into(), machine.variables[variable.index()].name.clone(), rest),
        Other::Track(track) => {
            let Track { name: own, keys, .. } = &machine.tracks[track as usize];
            let (number, rest) = rest.split_once('.').unwrap_or((rest, ""));
            let key = number.parse().ok().filter(|key| (1..=keys.len() as u32).contains(key));
            let key = key.ok_or_else(|| unknown(name, Some(format!("{own}.1.value"))))?;
            (KeyId { track, key: key - 1 }.into(), format!("{own}.{key}"), rest)
        }
    };
    let words = |role: &Role| {
        let (field, member) = role.words();
        if member.is_empty() { field.to_owned() } else { format!("{field}.{member}") }
    };
    let all: Vec<(Role, String)> = machine.roles_of(subject).into_iter().map(|role| (role, words(&role))).collect();
    let is_meant =
        |own: &str| own == rest || own.strip_prefix(rest).is_some_and(|more| !rest.is_empty() && more.starts_with('.'));
    let meant: Vec<Role> = all.iter().filter(|(_, own)| is_meant(own)).map(|(role, _)| *role).collect();
    if !meant.is_empty() && name.contains('.') != rest.is_empty() {
        return Ok(meant);
    }
    let field = rest.split('.').next().unwrap_or_default();
    match machine.why_absent(subject, field) {
        Some(why) => Err(NameError::NotOwn { name: name.to_owned(), why }),
        None => {
            let near = nearest(rest, all.iter().map(|(_, own)| own.as_str()));
            Err(unknown(
                name,
                near.or(all.first().map(|(_, own)| own.as_str()))
                    .map(|near| if near.is_empty() { head.clone() } else { format!("{head}.{near}") }),
            ))
        }
    }
}

/// What `normal.1` or `friction` says of an impact.
fn impact_field(words: &str) -> Option<(Field, Option<Member>)> {
    let Some((word, member)) = words.split_once('.') else { return Some((Owner::Impact.row(words)?.field, None)) };
    let row = Owner::Impact.row(word)?;
    let place = row.members.iter().position(|own| *own == member)?;
    Some((row.field, Some(Member(place as u8))))
}

/// The number of an impact, `Some(None)` for all of them; impacts count from 1.
fn impact_number(word: &str) -> Option<Option<u32>> {
    let digits = word.starts_with(|digit: char| digit.is_ascii_digit());
    match word {
        "*" => Some(None),
        _ if digits => word.parse().ok().filter(|&number| number > 0).map(Some),
        _ => None,
    }
}

/// The canonical name of a parameter.
pub(super) fn name_of(role: &Role, bodies: &[ModelBody], machine: &Machine) -> String {
    let body = |body: BodyId| bodies[body.index()].name.as_ref();
    let (field, member) = role.words();
    let member = member.as_ref();
    match role.subject {
        Subject::Body(id) => join(body(id), field, member),
        Subject::Impact { pair, number } => {
            let number = if number == EVERY_IMPACT { "*".to_owned() } else { number.to_string() };
            let head = format!("{}/{}#{number}", body(pair.first), body(pair.second));
            join(&head, field, member)
        }
        Subject::Scene => format!("{field}.{member}"),
        Subject::Joint(joint) => join(&machine.joints[joint.index()].name, field, member),
        Subject::Force(force) => join(&machine.forces[force.index()].name, field, member),
        Subject::Key(KeyId { track, key }) => {
            join(&format!("{}.{}", machine.tracks[track as usize].name, key + 1), field, member)
        }
        Subject::Variable(variable) => machine.variables[variable.index()].name.clone(),
    }
}

fn join(head: &str, field: &str, member: &str) -> String {
    if member.is_empty() { format!("{head}.{field}") } else { format!("{head}.{field}.{member}") }
}

fn unknown(name: &str, nearest: Option<String>) -> NameError {
    NameError::UnknownParameter { name: name.to_owned(), nearest }
}
