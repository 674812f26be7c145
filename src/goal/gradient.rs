//! How a scalar changes with what it is read from: states, times of events, and parameters directly.

use super::timing::Instant;
use crate::dynamics::StateTangent;
use crate::math::formula::Linear;
use crate::model::{BodyId, ParameterId};

/// δc = Σ bodies·δq + Σ times·δt + Σ parameters·δu; each list holds what is not zero, in order of appearance.
#[derive(Clone, Debug, Default)]
pub struct Gradient {
    /// Over the tangent of a body's state at the goal's instant.
    pub bodies: Vec<(BodyId, StateTangent)>,
    /// Over the time of an event.
    pub times: Vec<(Instant, f64)>,
    /// Over parameters, where they enter the scalar itself.
    pub parameters: Vec<(ParameterId, f64)>,
}

impl Gradient {
    /// Over one body.
    pub fn of_body(body: BodyId, tangent: StateTangent) -> Gradient {
        Gradient { bodies: vec![(body, tangent)], ..Gradient::default() }
    }
}

impl Linear for Gradient {
    fn add(&mut self, other: &Gradient, factor: f64) {
        for (body, tangent) in &other.bodies {
            match self.bodies.iter_mut().find(|(own, _)| own == body) {
                Some((_, own)) => *own += tangent * factor,
                None => self.bodies.push((*body, tangent * factor)),
            }
        }
        for (instant, rate) in &other.times {
            match self.times.iter_mut().find(|(own, _)| own == instant) {
                Some((_, own)) => *own += rate * factor,
                None => self.times.push((*instant, rate * factor)),
            }
        }
        for (parameter, rate) in &other.parameters {
            match self.parameters.iter_mut().find(|(own, _)| own == parameter) {
                Some((_, own)) => *own += rate * factor,
                None => self.parameters.push((*parameter, rate * factor)),
            }
        }
    }
}
