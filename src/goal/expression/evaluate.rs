//! The value of an expression on one motion, with its exact derivative.
//!
//! ```text
//! δ(R·a)          = δθ × R·a                    direction d:  (R·a × d)·δθ                           (1)
//! δ(½ω·L)         = L·δω + (L × ω)·δθ           L the angular momentum                               (2)
//! kinetic         = ½m·v² + ½ω·L                energy = kinetic − m·g·x                             (3)
//! m = u.mass·s³,  Λ_i = u.inertia_i·(u.mass/m₀)·s⁵      s = u.scale                                  (4)
//! δ(R·a), δ(ω × R·a) by the argument a:  R·δa, [ω]·R·δa                                              (5)
//! ```

use super::functions::StateFunction;
use super::{Leaf, Missing, Node};
use crate::dynamics::BodyState;
use crate::goal::Gradient;
use crate::goal::state::{Point, tangent, unit};
use crate::goal::timing::Instant;
use crate::math::elementary::square;
use crate::math::formula::{self, Linear, norm};
use crate::math::{Vec3, rotation};
use crate::model::{Axis, BodyId, ControlVector, Field, Model, Role, Subject};
use crate::simulation::Trajectory;

pub(super) type Dual = formula::Dual<Gradient>;
pub(super) type Value = formula::Value<Gradient>;

/// What an expression is read from.
pub(super) struct Context<'a> {
    pub model: &'a Model,
    pub u: &'a ControlVector,
    pub trajectory: &'a Trajectory,
    pub instant: &'a Instant,
}

impl Context<'_> {
    pub fn evaluate(&self, node: &Node) -> Result<Value, Missing> {
        node.evaluate(&|leaf| self.leaf(leaf))
    }

    fn leaf(&self, leaf: &Leaf) -> Result<Value, Missing> {
        Ok(match leaf {
            Leaf::State { function, body, argument } => {
                let argument = match argument {
                    Some(argument) => self.evaluate(argument)?.vector(),
                    None => [0.0; 3].map(Dual::constant),
                };
                let value = self.state(*function, *body, Vec3::from(argument.each_ref().map(|entry| entry.value)));
                self.add_argument(value, *function, *body, &argument)
            }
            Leaf::Distance { one, other } => {
                let place = |body| self.state(StateFunction::Position, body, Vec3::zeros());
                Value::Scalar(norm(&place(*one).minus(&place(*other)).vector()))
            }
            Leaf::Machine { measure, part, .. } => self.machine(*measure, *part)?,
            Leaf::Time(timing) => {
                let instant = timing.find(self.model, self.trajectory)?;
                let gradient = Gradient { times: vec![(instant, 1.0)], ..Gradient::default() };
                Value::Scalar(Dual { value: instant.t(), gradient })
            }
        })
    }

    fn state(&self, function: StateFunction, body: BodyId, argument: Vec3) -> Value {
        let state = self.instant.state(self.trajectory, body);
        let point = Point { body, in_body: argument };
        let zero = Vec3::zeros();
        let vector = |value: Vec3, row: &dyn Fn(Vec3) -> crate::dynamics::StateTangent| {
            Value::Vector([0, 1, 2].map(|k| Dual { value: value[k], gradient: Gradient::of_body(body, row(unit(k))) }))
        };
        match function {
            StateFunction::Position => vector(point.place(&state), &|d| point.dplace(&state, d)),
            StateFunction::Velocity => vector(point.velocity(&state), &|d| point.dvelocity(&state, d)),
            StateFunction::Spin => vector(state.spin, &|d| tangent(zero, zero, zero, d)),
            StateFunction::Rotation => {
                let turn = rotation::log(&state.rotation);
                let dturn = rotation::dlog(turn);
                vector(turn, &|d| tangent(zero, dturn.transpose() * d, zero, zero))
            }
            StateFunction::Up | StateFunction::Axis => {
                let axis = state.rotation * if function == StateFunction::Up { Vec3::y() } else { argument };
                // (1)
                vector(axis, &|d| tangent(zero, axis.cross(&d), zero, zero))
            }
            StateFunction::Speed => {
                Value::Scalar(norm(&vector(state.velocity, &|d| tangent(zero, zero, d, zero)).vector()))
            }
            StateFunction::Height => Value::Scalar(self.height(body, &state)),
            StateFunction::Kinetic => Value::Scalar(self.kinetic(body, &state)),
            StateFunction::Energy => Value::Scalar(self.kinetic(body, &state).plus(&self.potential(body, &state), 1.0)),
        }
    }

    /// (5): what a vector given to a function of the state adds where it moves itself.
    fn add_argument(&self, value: Value, function: StateFunction, body: BodyId, argument: &[Dual; 3]) -> Value {
        if !function.takes_vector().0 {
            return value;
        }
        let state = self.instant.state(self.trajectory, body);
        let mut by_argument = state.rotation.to_rotation_matrix().into_inner();
        if function == StateFunction::Velocity {
            by_argument = state.spin.cross_matrix() * by_argument;
        }
        let mut vector = value.vector();
        for (row, entry) in vector.iter_mut().enumerate() {
            for (column, argument) in argument.iter().enumerate() {
                entry.gradient.add(&argument.gradient, by_argument[(row, column)]);
            }
        }
        Value::Vector(vector)
    }

    /// Against gravity; along y where there is none.
    fn height(&self, body: BodyId, state: &BodyState) -> Dual {
        let gravity = self.trajectory.world().gravity;
        let size = gravity.norm();
        let up = if size > 0.0 { -gravity / size } else { Vec3::y() };
        let value = state.position.dot(&up);
        let mut gradient = Gradient::of_body(body, tangent(up, Vec3::zeros(), Vec3::zeros(), Vec3::zeros()));
        if size > 0.0 {
            // δ(−g/|g|) = −(δg − up·(up·δg))/|g|
            let rate = -(state.position - up * value) / size;
            self.add_gravity(&mut gradient, rate);
        }
        Dual { value, gradient }
    }

    /// (2), and by mass, inertia and scale through (4).
    fn kinetic(&self, body: BodyId, state: &BodyState) -> Dual {
        let mass = &self.trajectory.world().bodies[body.index()].mass;
        if !mass.is_pushed() {
            return Dual::constant(0.0);
        }
        let momentum = state.angular_momentum(mass);
        let moving = 0.5 * mass.mass * state.velocity.norm_squared();
        let turning = 0.5 * state.spin.dot(&momentum);
        let row = tangent(Vec3::zeros(), momentum.cross(&state.spin), mass.mass * state.velocity, momentum);
        let mut gradient = Gradient::of_body(body, row);
        let with_mass = if self.model.inertia_follows(body) { moving + turning } else { moving };
        self.add_relative(&mut gradient, Field::Mass.of(body), with_mass);
        self.add_relative(&mut gradient, Field::Scale.of(body), 3.0 * moving + 5.0 * turning);
        let in_principal = (state.rotation * mass.body_from_principal).inverse_transform_vector(&state.spin);
        for axis in Axis::ALL {
            let part = 0.5 * mass.inertia[axis.index()] * square(in_principal[axis.index()]);
            self.add_relative(&mut gradient, Field::Inertia.of(body).along(axis), part);
        }
        Dual { value: moving + turning, gradient }
    }

    /// −m·g·x.
    fn potential(&self, body: BodyId, state: &BodyState) -> Dual {
        let world = self.trajectory.world();
        let mass = &world.bodies[body.index()].mass;
        if !mass.is_pushed() {
            return Dual::constant(0.0);
        }
        let value = -mass.mass * world.gravity.dot(&state.position);
        let zero = Vec3::zeros();
        let mut gradient = Gradient::of_body(body, tangent(-mass.mass * world.gravity, zero, zero, zero));
        self.add_relative(&mut gradient, Field::Mass.of(body), value);
        self.add_relative(&mut gradient, Field::Scale.of(body), 3.0 * value);
        self.add_gravity(&mut gradient, -mass.mass * state.position);
        Dual { value, gradient }
    }

    /// A scalar that grows by `amount` when a number grows by its own value.
    fn add_relative(&self, gradient: &mut Gradient, role: Role, amount: f64) {
        if let Some(value) = self.model.value_of(self.u, &role).filter(|value| *value != 0.0) {
            self.add_number(gradient, role, amount / value);
        }
    }

    fn add_gravity(&self, gradient: &mut Gradient, rate: Vec3) {
        for axis in Axis::ALL {
            self.add_number(gradient, Field::Gravity.of(Subject::Scene).along(axis), rate[axis.index()]);
        }
    }

    /// A scalar that changes with a number at this rate.
    fn add_number(&self, gradient: &mut Gradient, role: Role, rate: f64) {
        let dependence = self.model.dependence(self.u, &role).into_iter();
        let parameters = dependence.map(|(id, own)| (id, own * rate)).collect();
        gradient.add(&Gradient { parameters, ..Gradient::default() }, 1.0);
    }
}
