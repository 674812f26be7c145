//! What has no wish of its own and was changed all the same.
//!
//! A wish is met by the bodies it is about and by what a person has freed ([`is_own`]); others are changed where these come no
//! further, and named. Where a solve finds that it can do without them in the end, they go back to where they were (`descent`).

use super::point::{Point, Wishes};
use super::suggestion::is_own;
use crate::model::{ControlVector, Parameter, ParameterId};

/// Parameters that nobody asked for, of bodies without wishes, which differ from those of a point before.
pub(super) fn others(before: &Point, after: &Point, wishes: Wishes) -> Vec<ParameterId> {
    let own = wishes.bodies(&after.model);
    let differs = |(parameter, id): (&Parameter, ParameterId)| {
        (!is_own(parameter, &own) && value(before, parameter) != after.u[id]).then_some(id)
    };
    after.model.parameters().iter().zip((0..).map(ParameterId)).filter_map(differs).collect()
}

/// Names of their bodies.
pub(super) fn names(before: &Point, after: &Point, wishes: Wishes) -> Vec<String> {
    let body = |id: &ParameterId| after.model.parameters()[id.index()].role.body();
    let mut bodies: Vec<_> = others(before, after, wishes).iter().filter_map(body).collect();
    bodies.dedup();
    bodies.iter().map(|body| after.model.bodies()[body.index()].name.to_string()).collect()
}

/// u with some parameters as they were before.
pub(super) fn put_back(before: &Point, after: &Point, parameters: &[ParameterId]) -> ControlVector {
    let mut u = after.u.clone();
    for id in parameters {
        u[*id] = value(before, &after.model.parameters()[id.index()]);
    }
    u
}

/// What a parameter was; one that is new begins where the motion was.
fn value(before: &Point, parameter: &Parameter) -> f64 {
    before.model.find(&parameter.role).map_or(parameter.value, |id| before.u[id])
}
