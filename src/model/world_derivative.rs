//! How the numbers that a motion depends on change with u: the derivative of `world`.
//!
//! With s = u.scale, o = u.rotation and mass₀ the mass in the file, (1) and (2) of `world` give
//!
//! ```text
//! ∂mass/∂u.mass  = s³               ∂inertia/∂u.mass      = inertia/u.mass                    (1)
//! ∂mass/∂s       = 3·mass/s         ∂inertia/∂s           = 5·inertia/s       ∂size/size = 1/s
//!                                   ∂inertia_k/∂u.inertia_k = u.mass/mass₀·s⁵
//! δθ             = dexp(o)·δo                                                                  (2)
//! ```
//!
//! All others enter the world as they are, but for the units of a world that is not in metres and seconds. How two bodies' materials make that of their contact is `material`.

use super::field::Field;
use super::material::MaterialDirection;
use super::role::Role;
use super::subject::{Axis, BodyId, Pair, Subject};
use super::{ControlVector, Model, ParameterId, World};
use crate::dynamics::StateTangent;
use crate::math::Vec3;
use crate::math::rotation::dexp;

/// A number of the world, beside initial states, that motions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// kg, scale included.
    Mass(BodyId),
    /// A principal moment, kg·m², mass and scale included.
    Inertia(BodyId, Axis),
    /// All lengths of a shape, relative: δs/s. Mass and inertia do not follow it.
    Size(BodyId),
    /// A parameter that the world takes as it is.
    Parameter(Role),
}

impl Quantity {
    /// One component of gravity, m/s².
    pub fn gravity(axis: Axis) -> Quantity {
        Quantity::Parameter(Field::Gravity.of(Subject::Scene).along(axis))
    }
}

/// The change of a world with one parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldDirection {
    /// Of bodies' initial states, each once; a fixed body has only a pose.
    pub starts: Vec<(BodyId, StateTangent)>,
    /// Of other numbers, each once.
    pub quantities: Vec<(Quantity, f64)>,
}

impl WorldDirection {
    fn of_quantity(quantity: Quantity, rate: f64) -> WorldDirection {
        WorldDirection { starts: Vec::new(), quantities: vec![(quantity, rate)] }
    }

    /// Adds a multiple of another.
    fn add(&mut self, other: &WorldDirection, factor: f64) {
        for (body, tangent) in &other.starts {
            match self.starts.iter_mut().find(|(own, _)| own == body) {
                Some((_, own)) => *own += tangent * factor,
                None => self.starts.push((*body, tangent * factor)),
            }
        }
        for (quantity, rate) in &other.quantities {
            match self.quantities.iter_mut().find(|(own, _)| own == quantity) {
                Some((_, own)) => *own += rate * factor,
                None => self.quantities.push((*quantity, rate * factor)),
            }
        }
    }
}

impl World {
    /// The derivative of [`World::new`] by one parameter.
    pub fn direction(&self, model: &Model, u: &ControlVector, parameter: ParameterId) -> WorldDirection {
        self.assembled_direction(self.given_direction(model, u, parameter))
    }

    /// The same before the start is assembled.
    fn given_direction(&self, model: &Model, u: &ControlVector, parameter: ParameterId) -> WorldDirection {
        let role = model.parameters()[parameter.index()].role;
        let Subject::Variable(variable) = role.subject else {
            let k = role.member.index();
            if role.body().is_none() || role.field != Field::Rotation {
                return self.direction_of(model, &role, u[parameter]);
            }
            // Parameters stand in the order of their roles: the three of an offset side by side.
            let first = parameter.0 - k as u32;
            let offset = Vec3::from([0, 1, 2].map(|k| u[ParameterId(first + k)]));
            return role.body().map_or_else(WorldDirection::default, |body| turned(body, offset, k));
        };
        // The chain rule over every number that is a formula of it.
        let mut direction = WorldDirection::default();
        for (role, rate) in model.formulas.numbers(variable, &self.machine.variables) {
            let value = model.formulas.value(&role, &self.machine.variables).unwrap_or_default();
            direction.add(&self.direction_of(model, &role, value), rate);
        }
        direction
    }

    /// The same by the number of a role, whether it is a parameter or not; `value` is the number.
    fn direction_of(&self, model: &Model, role: &Role, value: f64) -> WorldDirection {
        let k = role.member.index();
        let as_it_is = |factor: f64| WorldDirection::of_quantity(Quantity::Parameter(*role), factor);
        let Subject::Body(body) = role.subject else { return as_it_is(1.0) };
        let entry = |entry: usize| start(body, entry, &Vec3::new(self.units.entry(entry).recip(), 0.0, 0.0));
        match role.field {
            Field::Position => entry(k),
            Field::Velocity => entry(6 + k),
            Field::Spin => entry(9 + k),
            Field::Rotation => {
                // A formula gives the file's rotation, and then there is no offset.
                let mut turn = model.bodies()[body.index()].turn;
                for axis in Axis::ALL {
                    let own = model.formulas.value(&role.along(axis), &self.machine.variables);
                    turn[axis.index()] = own.unwrap_or(turn[axis.index()]);
                }
                turned(body, turn, k)
            }
            Field::Mass => self.mass_direction(body, value, model.inertia_follows(body)),
            Field::Inertia => {
                let ratio = self.bodies[body.index()].mass.inertia[k] / value;
                WorldDirection::of_quantity(Quantity::Inertia(body, Axis::ALL[k]), ratio)
            }
            Field::Scale => self.scale_direction(body),
            Field::RollingResistance => as_it_is(self.units.length.recip()),
            _ => as_it_is(1.0),
        }
    }

    /// The derivative of [`World::material`] by one number of the world.
    pub fn material_direction(&self, pair: Pair, number: Option<u32>, by: Quantity) -> MaterialDirection {
        let Quantity::Parameter(Role { subject, field, .. }) = by else { return MaterialDirection::default() };
        match subject {
            Subject::Body(body) if body == pair.first || body == pair.second => {
                self.own_law(pair, number).by_surface(field)
            }
            // The first change of an impact's parameter makes it the impact's own.
            Subject::Impact { pair: other, number: of } if other == pair && number == Some(of) => {
                MaterialDirection::of(field, 1.0)
            }
            _ => MaterialDirection::default(),
        }
    }

    /// (1), by the mass.
    fn mass_direction(&self, body: BodyId, value: f64, inertia_follows: bool) -> WorldDirection {
        let mass = &self.bodies[body.index()].mass;
        if !inertia_follows {
            return WorldDirection::of_quantity(Quantity::Mass(body), mass.mass / value);
        }
        self.inertia_direction(body, mass.mass / value, 1.0 / value)
    }

    /// (1), by the scale.
    fn scale_direction(&self, body: BodyId) -> WorldDirection {
        let properties = &self.bodies[body.index()];
        let scale = properties.scale;
        let mut direction = WorldDirection::default();
        if properties.drive.is_pushed() {
            direction = self.inertia_direction(body, 3.0 * properties.mass.mass / scale, 5.0 / scale);
        }
        direction.quantities.push((Quantity::Size(body), 1.0 / scale));
        direction
    }

    fn inertia_direction(&self, body: BodyId, dmass: f64, relative: f64) -> WorldDirection {
        let inertia = &self.bodies[body.index()].mass.inertia;
        let moment = |axis: Axis| (Quantity::Inertia(body, axis), inertia[axis.index()] * relative);
        let mut quantities = vec![(Quantity::Mass(body), dmass)];
        // A particle has no moments that could follow.
        if *inertia != Vec3::zeros() {
            quantities.extend(Axis::ALL.map(moment));
        }
        WorldDirection { starts: Vec::new(), quantities }
    }
}

/// (2), by one component of an exponential map.
fn turned(body: BodyId, map: Vec3, k: usize) -> WorldDirection {
    start(body, 3, &dexp(map).column(k).into_owned())
}

/// A change of a body's initial state: a vector from a row on, or 1 in that row for the first axis.
fn start(body: BodyId, row: usize, vector: &Vec3) -> WorldDirection {
    let mut tangent = StateTangent::zeros();
    tangent.iter_mut().skip(row).zip(vector).for_each(|(entry, value)| *entry = *value);
    WorldDirection { starts: vec![(body, tangent)], quantities: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::ln;
    use crate::model::BodyProperties;
    use crate::scene::Scene;

    const SCENE: &str = r#"
format = 1
duration = 1.0
gravity = [0.0, -9.81, 0.0]
[[body]]
name = "box"
shape = { kind = "cuboid", half_extents = [0.2, 0.12, 0.08] }
mass = 3.0
rotation = [0.3, 0.5, 0.2]
position = [0.0, 1.0, 0.0]
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
position = [1.0, 1.0, 0.0]
"#;

    /// Initial state, mass, moments and size of a body as numbers.
    fn numbers(base: &BodyProperties, body: &BodyProperties) -> Vec<f64> {
        let mut numbers: Vec<f64> = base.initial.tangent_to(&body.initial).as_slice().to_vec();
        numbers.push(body.mass.mass);
        numbers.extend(body.mass.inertia.iter());
        numbers.push(ln(body.solid.reach() / base.solid.reach()));
        numbers.extend([body.restitution, body.friction, body.rolling_resistance]);
        numbers
    }

    #[test]
    fn every_parameter_of_a_body_changes_the_world_as_differences_say() {
        let model = Model::new(&Scene::parse(SCENE, "s.toml").unwrap()).unwrap();
        let mut u = model.control();
        for (name, value) in [
            ("box.rotation.x", 0.4),
            ("box.rotation.y", -0.7),
            ("box.scale", 1.3),
            ("box.mass", 2.0),
            ("ball.scale", 0.7),
        ] {
            model.set(&mut u, name, value).unwrap();
        }
        let world = World::new(&model, &u);
        for (k, parameter) in model.parameters().iter().enumerate() {
            let (id, h) = (ParameterId(k as u32), 1e-6);
            let Some(body) = parameter.role.body() else { continue };
            let direction = world.direction(&model, &u, id);
            let at = |h: f64| {
                let mut moved = u.clone();
                moved[id] += h;
                let there = World::new(&model, &moved);
                numbers(&world.bodies[body.index()], &there.bodies[body.index()])
            };
            let mut exact = vec![0.0; numbers(&world.bodies[0], &world.bodies[0]).len()];
            if let [(_, tangent)] = direction.starts[..] {
                exact[..12].copy_from_slice(tangent.as_slice());
            }
            for (quantity, value) in &direction.quantities {
                let row = match quantity {
                    Quantity::Mass(_) => 12,
                    Quantity::Inertia(_, axis) => 13 + axis.index(),
                    Quantity::Size(_) => 16,
                    Quantity::Parameter(role) => match role.field {
                        Field::Restitution => 17,
                        Field::Friction => 18,
                        _ => 19,
                    },
                };
                exact[row] = *value;
            }
            for (row, (a, b)) in at(h).iter().zip(at(-h)).enumerate() {
                let numeric = (a - b) / (2.0 * h);
                let error = (numeric - exact[row]).abs();
                assert!(error < 1e-8 * (1.0 + numeric.abs()), "{} row {row}: {} {numeric}", parameter.name, exact[row]);
            }
        }
    }
}
