//! Which bodies a goal is about, and whether anything that is free could ever change how it stands.
//!
//! ```text
//! a moving body, or an event          by any free parameter: bodies meet
//! fixed bodies alone                  by their own places, and by gravity where energies are asked for
//! an event that cannot be             by none
//! ```
//!
//! This is known without a motion, so that a wish in vain is told at once. That a wish is out of reach, or that a body never comes
//! near another, is not seen here: it shows on motions, and `solve` says so.

use thiserror::Error;

use super::{Goal, Subject, Timing, Wish};
use crate::model::{Axis, BodyId, Field, Model, ParameterId};

/// Why no free parameter has any influence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum Powerless {
    #[error("no parameter is free; free one, such as {such}")]
    AllLocked { such: String },
    #[error(
        "{body} is fixed, and its position and rotation are locked; free {body}.position, or nail a body that moves"
    )]
    Fixed { body: String },
    #[error("it asks for nothing that depends on the motion; write what a body does")]
    Constant,
    #[error("{one} and {other} are particles and never meet; give one of them a shape")]
    NeverMeet { one: String, other: String },
    #[error("without gravity no flight of {body} has an apex; give gravity, or another moment")]
    NoApex { body: String },
    #[error("impact {number} is beyond the max_events of {most}; raise them, or nail an earlier one")]
    TooMany { number: u32, most: u32 },
}

impl Goal {
    /// The bodies it is about, each once: whose state it reads, and whose event it waits for.
    pub fn bodies(&self) -> Vec<BodyId> {
        let mut bodies = self.read_bodies();
        for timing in self.timings() {
            match timing {
                Timing::Time(_) | Timing::End => {}
                Timing::Impact { subject: Subject::Body(body), .. }
                | Timing::Apex { body, .. }
                | Timing::Rest { body } => bodies.push(body),
                Timing::Impact { subject: Subject::Pair(pair), .. } => bodies.extend([pair.first, pair.second]),
            }
        }
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    /// Why nothing that is free could change how it stands, if so.
    pub fn powerless(&self, model: &Model) -> Option<Powerless> {
        let name = |body: BodyId| model.bodies()[body.index()].name.to_string();
        if let Some(never) = self.timings().into_iter().find_map(|timing| never(model, timing)) {
            return Some(never);
        }
        let is_free = |id: ParameterId| model.parameters()[id.index()].free;
        if model.free_parameters().next().is_none() {
            let moving = (0..).map(BodyId).zip(model.bodies()).find(|(_, body)| body.drive.is_pushed());
            let (body, field) = moving.map_or((BodyId(0), "position"), |(body, _)| (body, "velocity"));
            return Some(Powerless::AllLocked { such: format!("{}.{field}", name(body)) });
        }
        let (bodies, waits) = (self.read_bodies(), self.timings().iter().any(Timing::is_event));
        if waits || bodies.iter().any(|body| model.bodies()[body.index()].drive.is_pushed()) {
            return None;
        }
        let gravity = Field::Gravity.of(crate::model::Subject::Scene);
        let expressions = self.wishes.iter().any(|wish| matches!(wish, Wish::Expression(_)));
        let fields = |body: BodyId| [Field::Position.of(body), Field::Rotation.of(body)];
        let mut roles = bodies.iter().flat_map(|body| fields(*body)).chain(expressions.then_some(gravity));
        let free = |axis: Axis, role: &crate::model::Role| model.find(&role.along(axis)).is_some_and(is_free);
        if !bodies.is_empty() && roles.any(|role| Axis::ALL.into_iter().any(|axis| free(axis, &role))) {
            return None;
        }
        Some(bodies.first().map_or(Powerless::Constant, |body| Powerless::Fixed { body: name(*body) }))
    }

    /// Whose state it reads.
    fn read_bodies(&self) -> Vec<BodyId> {
        let of = |wish: &Wish| match wish {
            Wish::Position { point, .. } | Wish::Velocity { point, .. } => vec![point.body],
            Wish::Spin { body, .. } | Wish::Rotation { body, .. } | Wish::RotationPart { body, .. } => vec![*body],
            Wish::Inside { point, of, .. } => [Some(point.body), *of].into_iter().flatten().collect(),
            Wish::Expression(expression) => expression.bodies(),
        };
        self.wishes.iter().flat_map(of).collect()
    }

    /// The moments it looks at.
    fn timings(&self) -> Vec<Timing> {
        let of = |wish: &Wish| match wish {
            Wish::Expression(expression) => expression.timings(),
            _ => Vec::new(),
        };
        [self.timing].into_iter().chain(self.wishes.iter().flat_map(of)).collect()
    }
}

impl Timing {
    /// Whether it waits for something to happen.
    fn is_event(&self) -> bool {
        matches!(self, Timing::Impact { .. } | Timing::Apex { .. } | Timing::Rest { .. })
    }
}

/// Why an event cannot be.
fn never(model: &Model, timing: Timing) -> Option<Powerless> {
    let name = |body: BodyId| model.bodies()[body.index()].name.to_string();
    let is_particle = |body: BodyId| model.bodies()[body.index()].solid.is_particle();
    match timing {
        Timing::Impact { number, .. } if number > model.max_events() => {
            Some(Powerless::TooMany { number, most: model.max_events() })
        }
        Timing::Impact { subject: Subject::Pair(pair), .. } if is_particle(pair.first) && is_particle(pair.second) => {
            Some(Powerless::NeverMeet { one: name(pair.first), other: name(pair.second) })
        }
        Timing::Apex { body, .. } => {
            let gravity = Field::Gravity.of(crate::model::Subject::Scene);
            let none = |axis: Axis| {
                let entry = model.find(&gravity.along(axis)).map(|id| &model.parameters()[id.index()]);
                entry.is_none_or(|entry| !entry.free && entry.value == 0.0)
            };
            Axis::ALL.into_iter().all(none).then(|| Powerless::NoApex { body: name(body) })
        }
        _ => None,
    }
}
