//! One entry of u: its freedom, bounds, rest value, and what a change of it costs.
//!
//! ```text
//! M_i = weight_i · s_i²        s = 1    positions, velocities · 1 s, dimensionless           (1)
//!                              s = r    rotations, spins · 1 s; r the radius of gyration
//!                              s = 1/|value|  masses and moments: what counts is their relative change
//!                              s = 1/max(|value|, 10⁻³)  stiffness, damping, forces, variables and others of any size
//!                              s = 1    otherwise
//! ```
//!
//! A change shall cost roughly what it moves. The motion answers to ratios of masses and moments, so that their change is counted
//! relative to their value: doubling costs 1 whatever the body weighs. (With s = |value| a moment of 10⁻⁵ kg·m² could change a
//! thousandfold for nothing.) Rolling resistance is a length; gravity's 1 m/s² moves a body by
//! half a metre in a second.

use super::body::ModelBody;
use super::error::{ModelError, ModelProblem};
use super::machine::Machine;
use super::name::name_of;
use super::role::Role;
use super::subject::BodyId;
use crate::math::elementary::square;
use crate::scene::Control;

/// A parameter, by its place in the control vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub u32);

/// A named scalar that the solver may change, unless it is locked.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Canonical, such as `egg.spin.x` or `mug/floor#3.normal.1`.
    pub name: String,
    /// What it changes.
    pub role: Role,
    /// Whether the solver may change it.
    pub free: bool,
    /// High is reluctant; above 0.
    pub weight: f64,
    /// Least and greatest value; infinite where there is none. Mass, inertia and scale stay above
    /// 1e-12 of their value in the file.
    pub bounds: (f64, f64),
    /// The value it would like to keep.
    pub rest: f64,
    /// The value in the file.
    pub value: f64,
    /// M of equation (1).
    pub metric: f64,
    /// Whether a `[[control]]` frees it: whoever does so wants it to be used. Others are free by themselves.
    pub asked: bool,
    /// Whether a `[[control]]` gives the value; an impact's law follows its pair otherwise.
    pub(super) given: bool,
}

/// A `[[control]]` and its place among them.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub index: usize,
    pub control: Control,
}

/// A parameter while controls are applied to it.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub role: Role,
    pub free: bool,
    asked: bool,
    value: f64,
    weight: f64,
    rest: Option<f64>,
    bounds: Option<[f64; 2]>,
    /// The controls that gave the bounds and the value.
    bounds_from: Option<usize>,
    value_from: Option<usize>,
}

impl ParameterId {
    /// Its place in the control vector.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Rule {
    pub fn error(&self, field: &str, problem: ModelProblem) -> ModelError {
        ModelError { key: format!("control[{}].{field}", self.index), problem }
    }

    /// Refuses what is wrong whatever the parameter is.
    pub fn check(&self) -> Result<(), ModelError> {
        let name = || self.control.parameter.clone();
        if let Some(weight) = self.control.weight
            && !(weight > 0.0 && weight.is_finite())
        {
            return Err(self.error("weight", ModelProblem::BadWeight { name: name(), weight }));
        }
        match self.control.bounds {
            Some(bounds) if bounds[0].is_nan() || bounds[1].is_nan() || bounds[0] > bounds[1] => {
                Err(self.error("bounds", ModelProblem::ReversedBounds { name: name(), bounds }))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a value that belongs into a field of the scene.
    pub fn check_value(&self, role: &Role, name: &str) -> Result<(), ModelError> {
        match (self.control.value, role.field_in_file()) {
            (Some(_), Some(field)) => {
                let owner = role.owner_word();
                let problem = ModelProblem::HasField { name: name.to_owned(), owner, field };
                Err(self.error("value", problem))
            }
            _ => Ok(()),
        }
    }
}

impl Draft {
    /// Locked, unbounded, of weight 1.
    pub fn new(role: Role, value: f64) -> Draft {
        Draft {
            role,
            free: false,
            asked: false,
            value,
            weight: 1.0,
            rest: None,
            bounds: None,
            bounds_from: None,
            value_from: None,
        }
    }

    /// What a control gives replaces what earlier ones gave.
    pub fn apply(&mut self, rule: &Rule) {
        let Rule { index, control } = rule;
        self.free = control.free.unwrap_or(self.free);
        self.asked = control.free.unwrap_or(self.asked);
        self.weight = control.weight.unwrap_or(self.weight);
        self.rest = control.rest.or(self.rest);
        if let Some(bounds) = control.bounds {
            (self.bounds, self.bounds_from) = (Some(bounds), Some(*index));
        }
        if let Some(value) = control.value {
            (self.value, self.value_from) = (value, Some(*index));
        }
    }

    /// The bounds that hold, or why there are none.
    fn checked_bounds(&self, name: &str, machine: &Machine) -> Result<(f64, f64), ModelError> {
        let implied = machine.bounds_of(&self.role, self.value);
        let bounds = match self.bounds {
            Some([low, high]) => (low.max(implied.0), high.min(implied.1)),
            None => implied,
        };
        let name = name.to_owned();
        let problem = match self.bounds {
            Some(own) if bounds.0 > bounds.1 => ModelProblem::EmptyBounds { name, bounds: own, implied },
            _ if bounds.0 <= self.value && self.value <= bounds.1 => return Ok(bounds),
            _ => ModelProblem::OutsideBounds { name, value: self.value, bounds },
        };
        let from_value = self.value_from.map(|index| format!("control[{index}].value"));
        let from_bounds = self.bounds_from.map(|index| format!("control[{index}].bounds"));
        let key = match problem {
            ModelProblem::EmptyBounds { .. } => from_bounds,
            _ => from_value.or(from_bounds),
        };
        Err(ModelError { key: key.unwrap_or_default(), problem })
    }
}

/// Checks drafts and makes parameters of them; faults come in the same order.
pub(super) fn finish(
    drafts: impl Iterator<Item = Draft>,
    bodies: &[ModelBody],
    machine: &Machine,
) -> (Vec<Parameter>, Vec<ModelError>) {
    let (mut parameters, mut errors) = (Vec::new(), Vec::new());
    for draft in drafts {
        let name = name_of(&draft.role, bodies, machine);
        let bounds = match draft.checked_bounds(&name, machine) {
            Ok(bounds) => bounds,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let Draft { role, free, asked, value, weight, rest, value_from, .. } = draft;
        let body = role.body().map(BodyId::index).or_else(|| machine.body_of(&role));
        let gyration = body.map_or(1.0, |body| bodies[body].gyration);
        let metric = weight * square(machine.reach_of(&role).of(value, gyration));
        let (rest, given) = (rest.unwrap_or(value), value_from.is_some());
        parameters.push(Parameter { name, role, free, weight, bounds, rest, value, metric, asked, given });
    }
    (parameters, errors)
}
