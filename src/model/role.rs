//! What a parameter is: one number of a subject, by field and member.
//!
//! Roles stand in the order of the control vector: by subject, then by the place of their field in the table of `field`, then by
//! member. What is known of a field is read from that table; places that give a field its meaning match on it.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::field::{Field, Owner, Row, Saved};
use super::subject::{Axis, BodyId, Pair, Subject, Tilt};

/// What a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Role {
    /// Whose number it is.
    pub subject: Subject,
    /// What it says of the subject.
    pub field: Field,
    /// Which of the field's numbers.
    pub member: Member,
}

/// A number among those of a field, by its place; 0 where there is only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member(pub u8);

impl Field {
    /// The only number of a subject's field, or its first.
    pub fn of(self, subject: impl Into<Subject>) -> Role {
        Role { subject: subject.into(), field: self, member: Member(0) }
    }
}

impl Role {
    /// Another number of the same field, such as that of an axis.
    pub fn along(self, member: impl Into<Member>) -> Role {
        Role { member: member.into(), ..self }
    }

    /// The first number of every field that such a subject can have.
    pub fn of_kind(subject: Subject) -> impl Iterator<Item = Role> {
        Owner::of(subject).rows().map(move |row| row.field.of(subject))
    }

    /// All numbers of the same field, in order; of times at which a joint holds, those of the first.
    pub(super) fn group(self) -> impl Iterator<Item = Role> {
        (0..self.row().count()).map(move |member| self.along(Member(member)))
    }

    /// The body it belongs to; none for impacts and the scene.
    pub fn body(&self) -> Option<BodyId> {
        self.subject.body()
    }

    /// The pair and number of the impact it belongs to.
    pub fn impact(&self) -> Option<(Pair, u32)> {
        self.subject.impact()
    }

    /// The field's name and the member's, as in `spin` and `x`, or `active` and `1.end`.
    pub(super) fn words(&self) -> (&'static str, Cow<'static, str>) {
        let (row, member) = (self.row(), self.member.index());
        if self.field != Field::Active {
            return (row.word, row.members.get(member).copied().unwrap_or_default().into());
        }
        let borders = row.members.len();
        (row.word, format!("{}.{}", member / borders + 1, row.members[member % borders]).into())
    }

    /// What a person calls the field.
    pub fn label(&self) -> &'static str {
        let row = self.row();
        if row.label.is_empty() { row.word } else { row.label }
    }

    /// What it is measured in; empty for a plain number.
    pub fn unit(&self) -> &'static str {
        self.row().unit
    }

    /// What a person should know of the field; often nothing.
    pub fn note(&self) -> &'static str {
        self.row().note
    }

    /// Whether values of any size are usual, so that changes are told relative to them.
    pub fn has_any_size(&self) -> bool {
        self.row().reach == super::field::Reach::Relative
    }

    /// Whether it stays above 0.
    pub fn is_positive(&self) -> bool {
        use super::field::Bounds;
        matches!(self.row().bounds, Bounds::Positive | Bounds::PositivePart)
    }

    /// What is physical; `value` is the one in the file.
    pub fn implied_bounds(&self, value: f64) -> (f64, f64) {
        self.row().bounds.of(value)
    }

    /// Whether its field is a vector.
    pub fn is_vector(&self) -> bool {
        self.row().members.len() == Axis::ALL.len()
    }

    /// Whether a field of the scene file holds its value; otherwise only a `[[control]]` does.
    pub fn has_field(&self) -> bool {
        self.row().saved != Saved::InControl
    }

    /// The field of the scene file that holds its value as it is.
    pub fn plain_field(&self) -> Option<&'static str> {
        let row = self.row();
        (row.saved == Saved::InField).then_some(row.word)
    }

    /// The field of the scene file that holds its value, somehow; none where only a `[[control]]` can.
    pub(super) fn field_in_file(&self) -> Option<&'static str> {
        self.has_field().then(|| self.row().word)
    }

    /// What a person calls what it belongs to.
    pub(super) fn owner_word(&self) -> &'static str {
        match self.subject {
            Subject::Body(_) => "body",
            Subject::Impact { .. } => "impact",
            Subject::Scene => "scene",
            Subject::Joint(_) => "joint",
            Subject::Force(_) => "force",
            Subject::Key(_) => "key",
            Subject::Variable(_) => "variable",
        }
    }

    /// What is known of its field.
    pub(super) fn row(&self) -> &'static Row {
        self.field.row(Owner::of(self.subject))
    }
}

impl Ord for Role {
    fn cmp(&self, other: &Role) -> Ordering {
        // Fields that an owner does not have share a place: their own order tells them apart.
        let place = |role: &Role| {
            let place = role.field.place(Owner::of(role.subject));
            (role.subject, place, role.field as u8, role.member)
        };
        place(self).cmp(&place(other))
    }
}

impl PartialOrd for Role {
    fn partial_cmp(&self, other: &Role) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Member {
    /// Its place among the field's numbers.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl From<Axis> for Member {
    fn from(axis: Axis) -> Member {
        Member(axis as u8)
    }
}

impl From<Tilt> for Member {
    fn from(tilt: Tilt) -> Member {
        Member(tilt as u8)
    }
}
