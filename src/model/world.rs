//! The model at one control vector: what the simulation reads.
//!
//! ```text
//! mass     = u.mass · s³                         inertia = u.inertia · (u.mass/mass₀) · s⁵      (1)
//! rotation = exp(u.rotation) · exp(file's)                                                      (2)
//! a pair   = mean of its bodies' restitution and friction, unless an impact has its own         (3)
//! ```
//!
//! with s = u.scale and mass₀ the mass in the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::role::{BodyId, Pair, Role};
use super::{ControlVector, Model, ModelBody};
use crate::dynamics::{BodyState, MassProperties};
use crate::geometry::{Shape, Solid};
use crate::math::Vec3;
use crate::math::elementary::powi;
use crate::math::rotation::exp;
use crate::scene::Drive;

/// Bodies, laws and settings of one motion.
#[derive(Clone, Debug)]
pub struct World {
    /// In the order of the file.
    pub bodies: Vec<BodyProperties>,
    /// m/s².
    pub gravity: Vec3,
    /// The motion runs from 0 to this time, s.
    pub duration: f64,
    /// Restitution fades out below this approach speed, m/s.
    pub rest_speed: f64,
    /// The time grid of held contact, s.
    pub step: f64,
    /// The motion ends after this many events.
    pub max_events: u32,
    /// What single impacts, and all impacts of a pair, have of their own.
    single: BTreeMap<(Pair, u32), Override>,
    every: BTreeMap<Pair, Override>,
}

/// One body at one control vector.
#[derive(Clone, Debug)]
pub struct BodyProperties {
    /// As in the scene.
    pub name: Arc<str>,
    /// What moves it.
    pub drive: Drive,
    /// As described, unscaled; a hull's points in the file's frame.
    pub shape: Arc<Shape>,
    /// What it is made of for collisions, scaled.
    pub solid: Arc<Solid>,
    /// Multiplies all lengths of the shape.
    pub scale: f64,
    /// Scale included; infinite for a fixed body, zero inertia for a particle.
    pub mass: MassProperties,
    /// At time 0.
    pub initial: BodyState,
    /// From 0 to 1.
    pub restitution: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// m.
    pub rolling_resistance: f64,
    /// Of a half-space's normal, along T1 and T2; zero for other shapes.
    pub normal_tilt: [f64; 2],
}

/// What one impact, or held contact, of a pair is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactLaw {
    /// Before it fades at low speed.
    pub restitution: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Of this impact's normal, along T1 and T2; none where nobody asked for one.
    pub impact_tilt: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Override {
    restitution: Option<f64>,
    friction: Option<f64>,
    tilt: [Option<f64>; 2],
}

impl World {
    /// Applies a control vector of this model.
    pub fn new(model: &Model, u: &ControlVector) -> World {
        debug_assert_eq!(u.values().len(), model.parameters.len(), "u belongs to another model");
        let mut world = World {
            bodies: model.bodies.iter().map(BodyProperties::new).collect(),
            gravity: Vec3::zeros(),
            duration: model.duration,
            rest_speed: model.rest_speed,
            step: model.step,
            max_events: model.max_events,
            single: BTreeMap::new(),
            every: every_impact(model),
        };
        let mut offsets = vec![Vec3::zeros(); model.bodies.len()];
        for (parameter, &value) in model.parameters.iter().zip(u.values()) {
            match parameter.role {
                Role::Rotation { body, axis } => offsets[body.index()][axis.index()] = value,
                Role::Gravity { axis } => world.gravity[axis.index()] = value,
                role => match (role.body(), role.impact()) {
                    (Some(body), _) => world.bodies[body.index()].assign(role, value),
                    (None, Some(impact)) => {
                        // A law nobody changed follows its pair's mean.
                        if parameter.free || parameter.given || value != parameter.value {
                            world.single.entry(impact).or_default().assign(role, value);
                        }
                    }
                    (None, None) => {}
                },
            }
        }
        for ((body, model), offset) in world.bodies.iter_mut().zip(&model.bodies).zip(offsets) {
            body.finish(model, offset);
        }
        world
    }

    /// Two bodies in the order in which their pair is named.
    pub fn ordered(&self, a: BodyId, b: BodyId) -> Pair {
        Pair::new(a, b, |body| self.bodies[body.index()].drive.is_pushed())
    }

    /// The law of a pair's impact of this number, or of its uncounted contact. (3)
    pub fn impact_law(&self, first: BodyId, second: BodyId, number: Option<u32>) -> ImpactLaw {
        let pair = Pair::new(first, second, |body| self.bodies[body.index()].drive.is_pushed());
        let (one, other) = (&self.bodies[first.index()], &self.bodies[second.index()]);
        let single = number.and_then(|number| self.single.get(&(pair, number))).copied().unwrap_or_default();
        let every = number.and_then(|_| self.every.get(&pair)).copied().unwrap_or_default();
        let own = single.or(every);
        let tilt = own.tilt.iter().any(Option::is_some);
        ImpactLaw {
            restitution: own.restitution.unwrap_or(0.5 * (one.restitution + other.restitution)),
            friction: own.friction.unwrap_or(0.5 * (one.friction + other.friction)),
            impact_tilt: tilt.then_some(own.tilt.map(Option::unwrap_or_default)),
        }
    }
}

impl World {
    /// Whether the restitution and the friction of a pair's impact of this number are the mean of its bodies'.
    pub fn follows_mean(&self, pair: Pair, number: Option<u32>) -> [bool; 2] {
        let single = number.and_then(|number| self.single.get(&(pair, number))).copied().unwrap_or_default();
        let every = number.and_then(|_| self.every.get(&pair)).copied().unwrap_or_default();
        let own = single.or(every);
        [own.restitution.is_none(), own.friction.is_none()]
    }
}

impl BodyProperties {
    /// All that does not depend on u; the rest is assigned.
    fn new(body: &ModelBody) -> BodyProperties {
        BodyProperties {
            name: body.name.clone(),
            drive: body.drive,
            shape: body.shape.clone(),
            solid: body.solid.clone(),
            scale: 1.0,
            mass: body.mass,
            initial: BodyState {
                position: Vec3::zeros(),
                rotation: body.rotation,
                velocity: Vec3::zeros(),
                spin: Vec3::zeros(),
            },
            restitution: 0.0,
            friction: 0.0,
            rolling_resistance: 0.0,
            normal_tilt: [0.0; 2],
        }
    }

    fn assign(&mut self, role: Role, value: f64) {
        match role {
            Role::Position { axis, .. } => self.initial.position[axis.index()] = value,
            Role::Velocity { axis, .. } => self.initial.velocity[axis.index()] = value,
            Role::Spin { axis, .. } => self.initial.spin[axis.index()] = value,
            Role::Mass { .. } => self.mass.mass = value,
            Role::Inertia { axis, .. } => self.mass.inertia[axis.index()] = value,
            Role::Scale { .. } => self.scale = value,
            Role::Restitution { .. } => self.restitution = value,
            Role::Friction { .. } => self.friction = value,
            Role::RollingResistance { .. } => self.rolling_resistance = value,
            Role::Normal { tilt, .. } => self.normal_tilt[tilt.index()] = value,
            // Rotations wait for all three of their entries; the rest belongs to no body.
            _ => {}
        }
    }

    /// (1) and (2), once all entries are assigned.
    fn finish(&mut self, model: &ModelBody, offset: Vec3) {
        self.initial.rotation = exp(offset) * model.rotation;
        if self.scale != 1.0 {
            self.solid = Arc::new(model.solid.scaled(self.scale));
        }
        if self.drive.is_pushed() {
            self.mass.inertia *= self.mass.mass / model.mass.mass * powi(self.scale, 5);
            self.mass.mass *= powi(self.scale, 3);
        }
    }
}

impl Override {
    fn assign(&mut self, role: Role, value: f64) {
        match role {
            Role::ImpactRestitution { .. } => self.restitution = Some(value),
            Role::ImpactFriction { .. } => self.friction = Some(value),
            Role::ImpactNormal { tilt, .. } => self.tilt[tilt.index()] = Some(value),
            _ => {}
        }
    }

    fn or(self, other: Override) -> Override {
        Override {
            restitution: self.restitution.or(other.restitution),
            friction: self.friction.or(other.friction),
            tilt: [self.tilt[0].or(other.tilt[0]), self.tilt[1].or(other.tilt[1])],
        }
    }
}

/// The values that rules for all impacts of a pair give.
fn every_impact(model: &Model) -> BTreeMap<Pair, Override> {
    let mut laws: BTreeMap<Pair, Override> = BTreeMap::new();
    for (selection, rule) in &model.every_impact {
        let Some(value) = rule.control.value else {
            continue;
        };
        let law = laws.entry(selection.pair).or_default();
        selection.roles_at(1).into_iter().for_each(|role| law.assign(role, value));
    }
    laws
}
