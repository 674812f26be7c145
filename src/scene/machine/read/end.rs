//! Reading which bodies a joint or force is on, and at which of their points.
//!
//! ```text
//! body = "a", point = […]                   bodies = ["a", "b"], points = [[…], […]]
//! ```
//!
//! A label may stand for a body: its point is then that of the label.

use super::super::MachineProblem;
use super::{Known, Named, report_unknown};
use crate::geometry::Shape;
use crate::math::Vec3;
use crate::scene::error::Problem;
use crate::scene::reader::Fields;
use crate::scene::{Body, limits};

/// How many bodies a kind has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    One,
    Two,
    Either,
}

/// One of the bodies.
pub(super) struct Holder {
    /// By its place in the list.
    pub body: usize,
    label: Option<usize>,
}

/// One body, or two.
pub(super) struct Bodies {
    pub first: Holder,
    pub second: Option<Holder>,
}

/// Whether two bodies are named.
pub(super) fn are_two(fields: &Fields) -> bool {
    fields.item("bodies").and_then(|item| item.as_array()).is_some_and(|bodies| bodies.len() == 2)
}

/// The body of a field; no label.
pub(super) fn read_body(fields: &mut Fields, field: &str, bodies: &Named<Body>) -> Option<usize> {
    let name = fields.text(field)?;
    let found = bodies.find(&name);
    if found.is_none() {
        report_unknown(fields, field, "body", name, bodies);
    }
    found
}

/// The bodies of a kind; at least one of them moves.
pub(super) fn read_bodies(fields: &mut Fields, kind: &'static str, count: Count, known: &Known) -> Option<Bodies> {
    let names = read_names(fields, kind, count)?;
    let field = if fields.has("bodies") { "bodies" } else { "body" };
    let holders: Vec<Option<Holder>> = names.into_iter().map(|name| find(fields, field, name, known)).collect();
    let mut holders = holders.into_iter().collect::<Option<Vec<Holder>>>()?.into_iter();
    let bodies = Bodies { first: holders.next()?, second: holders.next() };
    check(fields, field, &bodies, known).then_some(bodies)
}

fn read_names(fields: &mut Fields, kind: &'static str, count: Count) -> Option<Vec<String>> {
    let expected = match count {
        Count::One => "one body; write `body = \"box\"`",
        Count::Two => "two bodies; write `bodies = [\"upper\", \"lower\"]`",
        Count::Either => "one body, or two; write `body = \"box\"` or `bodies = [\"upper\", \"lower\"]`",
    };
    let wrong = |fields: &mut Fields, field: &str| {
        fields.report(field, MachineProblem::WrongCount { kind, expected }.into());
        None
    };
    if fields.has("body") && fields.has("bodies") {
        return wrong(fields, "body");
    }
    if fields.has("body") {
        let name = fields.text("body")?;
        return if count == Count::Two { wrong(fields, "body") } else { Some(vec![name]) };
    }
    let Some(item) = fields.item("bodies") else {
        let example = if count == Count::Two { "bodies = [\"upper\", \"lower\"]" } else { "body = \"box\"" };
        let field = if count == Count::Two { "bodies" } else { "body" };
        fields.report_missing(field, example);
        return None;
    };
    let names: Option<Vec<String>> =
        item.as_array().and_then(|names| names.iter().map(|name| name.as_str().map(str::to_owned)).collect());
    let Some(names) = names else {
        return fields.wrong_type("bodies", item, "a list of names such as [\"upper\", \"lower\"]");
    };
    let fits = match count {
        Count::One => names.len() == 1,
        Count::Two => names.len() == 2,
        Count::Either => names.len() == 1 || names.len() == 2,
    };
    if fits { Some(names) } else { wrong(fields, "bodies") }
}

fn find(fields: &mut Fields, field: &str, name: String, known: &Known) -> Option<Holder> {
    if let Some(body) = known.bodies.find(&name) {
        return Some(Holder { body, label: None });
    }
    let Some(label) = known.labels.find(&name) else {
        report_unknown(fields, field, "body", name, known.bodies);
        return None;
    };
    // What is wrong with the label has been told.
    let body = known.labels.get(label)?.body;
    Some(Holder { body, label: Some(label) })
}

fn check(fields: &mut Fields, field: &str, bodies: &Bodies, known: &Known) -> bool {
    let find = |holder: &Holder| known.bodies.get(holder.body);
    let (Some(first), second) = (find(&bodies.first), bodies.second.as_ref().map(find)) else { return false };
    let second_is_guided = second.flatten().is_some_and(|second| second.drive.guide().is_some());
    let problem = match second {
        _ if first.drive.guide().is_some() || second_is_guided => {
            MachineProblem::NotSimulated { what: "joints and forces on bodies moved by tracks", part: "table" }
        }
        None if first.drive.is_pushed() => return true,
        None => MachineProblem::CannotMove { bodies: format!("{:?}", first.name) },
        Some(None) => return false,
        Some(Some(second)) if second.name == first.name => MachineProblem::SameBody { body: first.name.clone() },
        Some(Some(second)) if first.drive.is_pushed() || second.drive.is_pushed() => return true,
        Some(Some(second)) => MachineProblem::CannotMove { bodies: format!("{:?} and {:?}", first.name, second.name) },
    };
    fields.report(field, problem.into());
    false
}

impl Bodies {
    /// The place of the second body in the list.
    pub fn second(&self) -> Option<usize> {
        self.second.as_ref().map(|holder| holder.body)
    }

    /// Both bodies, as far as they were read.
    pub fn all<'a>(&self, known: &'a Known) -> impl Iterator<Item = &'a Body> {
        [Some(self.first.body), self.second()].into_iter().flatten().filter_map(|body| known.bodies.get(body))
    }

    /// Refuses bodies that do not turn; whether they do.
    pub fn turn(&self, fields: &mut Fields, known: &Known) -> bool {
        let Some(particle) = self.all(known).find(|body| body.shape == Shape::Particle) else { return true };
        let field = if fields.has("bodies") { "bodies" } else { "body" };
        fields.report(field, MachineProblem::NoTurn { body: particle.name.clone() }.into());
        false
    }

    /// The point of the first body, in a field of its own.
    pub fn point(&self, fields: &mut Fields, known: &mut Known) -> Option<Vec3> {
        match self.first.label {
            Some(label) => {
                refuse_point(fields, "point", label, known);
                let key = fields.key("point");
                borrow(key, label, known)
            }
            None if fields.has("point") => {
                (!super::given::refuse_track(fields, "point", "three numbers such as [0, 0.1, 0]"))
                    .then(|| fields.vector("point", limits::LENGTH))?
            }
            None => Some(Vec3::zeros()),
        }
    }

    /// A point of each of two bodies; their centres where nothing is written.
    pub fn points(&self, fields: &mut Fields, known: &mut Known) -> Option<[Vec3; 2]> {
        let labels = [self.first.label, self.second.as_ref()?.label];
        if let Some(label) = labels.into_iter().flatten().next() {
            refuse_point(fields, "points", label, known);
            let mut point = |side: usize| match labels[side] {
                Some(label) => borrow(format!("{}[{side}]", fields.key("points")), label, known),
                None => Some(Vec3::zeros()),
            };
            return Some([point(0)?, point(1)?]);
        }
        if !fields.has("points") {
            return Some([Vec3::zeros(); 2]);
        }
        fields.pair("points")
    }
}

/// A label's point, which is then no number of the joint's own.
fn borrow(key: String, label: usize, known: &mut Known) -> Option<Vec3> {
    let point = known.labels.get(label)?.point;
    known.borrowed.insert(key, format!("label[{label}].point"));
    Some(point)
}

fn refuse_point(fields: &mut Fields, field: &'static str, label: usize, known: &Known) {
    if let Some(label) = known.labels.get(label).filter(|_| fields.has(field)) {
        fields.report(field, MachineProblem::LabelHasPoint { label: label.name.clone(), field }.into());
    }
}

impl Fields<'_, '_> {
    /// Two vectors, such as points or axes.
    pub(super) fn pair(&mut self, name: &str) -> Option<[Vec3; 2]> {
        let vectors = self.vectors(name, limits::LENGTH, 2)?;
        let found = vectors.len();
        let pair = <[Vec3; 2]>::try_from(vectors).ok();
        if pair.is_none() {
            let problem = Problem::WrongLength { field: name.to_owned(), found, expected: 2 };
            self.report(name, problem);
        }
        pair
    }

    /// A direction, made one of length 1.
    pub(super) fn direction(&mut self, name: &str, example: &'static str) -> Option<Vec3> {
        let direction = self.required_vector(name, limits::DIRECTION, example)?;
        self.unit(name, name, direction)
    }

    /// The same, of a vector that was read; `field` is what messages call it.
    pub(super) fn unit(&mut self, name: &str, field: &str, direction: Vec3) -> Option<Vec3> {
        // A direction this short is a zero with round-off, and its square would not be a normal number.
        let size = direction.amax();
        if size < 1e-100 {
            self.report(name, Problem::ZeroDirection { field: field.to_owned() });
            return None;
        }
        Some((direction / size).normalize())
    }
}
