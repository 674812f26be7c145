//! The model at one control vector: what the simulation reads.
//!
//! ```text
//! mass     = u.mass · s³                         inertia = u.inertia · (u.mass/mass₀) · s⁵      (1)
//! rotation = exp(u.rotation) · exp(file's)                                                      (2)
//! ```
//!
//! with s = u.scale and mass₀ the mass in the file. Numbers that the file gives as formulas (`formulas`) take the places of u.mass and
//! the others, of the file's rotation in (2), and moments beside a formula are what the file says: they do not follow the mass. What two bodies' contact is made of is `material`; the derivative of all this
//! is `world_derivative`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::assembled::Assembled;
use super::field::Field;
use super::machine::Machine;
use super::material::{Material, Override};
use super::overlap::{Placed, near, pass_through};
use super::role::{Member, Role};
use super::subject::{BodyId, Pair, Subject};
use super::units::Units;
use super::{ControlVector, Model, ModelBody};
use crate::dynamics::{BodyState, Flight, GuidedMotion, MassProperties, StateTangent, Stretch};
use crate::geometry::{Shape, Solid};
use crate::math::elementary::powi;
use crate::math::rotation::exp;
use crate::math::{Rotation, Vec3};
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
    /// What lengths and times above are measured in.
    pub(super) units: Units,
    /// What joins bodies and pulls on them.
    pub machine: Machine,
    /// What became of the start where it was to be assembled.
    pub(super) assembled: Option<Arc<Assembled>>,
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

impl World {
    /// Applies a control vector of this model.
    pub fn new(model: &Model, u: &ControlVector) -> World {
        let mut world = World::given(model, u);
        if world.machine.assemble {
            world.assemble();
        }
        world
    }

    /// The same with the start as it is given, whether it is to be assembled or not.
    pub fn given(model: &Model, u: &ControlVector) -> World {
        debug_assert_eq!(u.values().len(), model.parameters.len(), "u belongs to another model");
        let mut world = World {
            bodies: model.bodies.iter().map(BodyProperties::new).collect(),
            gravity: Vec3::zeros(),
            duration: model.duration,
            rest_speed: model.rest_speed,
            step: model.step,
            max_events: model.max_events,
            units: Units::SI,
            machine: model.machine.clone(),
            assembled: None,
            single: BTreeMap::new(),
            every: every_impact(model),
        };
        let mut offsets = vec![Vec3::zeros(); model.bodies.len()];
        for (parameter, &value) in model.parameters.iter().zip(u.values()) {
            let Role { subject, field, member } = parameter.role;
            match subject {
                Subject::Body(body) if field == Field::Rotation => offsets[body.index()][member.index()] = value,
                Subject::Body(body) => world.bodies[body.index()].assign(field, member, value),
                Subject::Impact { pair, number } => {
                    // A law nobody changed follows its pair's mean.
                    if parameter.free || parameter.given || value != parameter.value {
                        world.single.entry((pair, number)).or_default().assign(field, member, value);
                    }
                }
                Subject::Scene => world.gravity[member.index()] = value,
                Subject::Joint(_) | Subject::Force(_) | Subject::Key(_) | Subject::Variable(_) => {
                    world.machine.assign(&parameter.role, value);
                }
            }
        }
        let mut turns: Vec<Option<Vec3>> = vec![None; model.bodies.len()];
        for (role, value) in model.formulas.values(&world.machine.variables.clone()) {
            let Role { subject, field, member } = role;
            match subject {
                Subject::Body(body) if field == Field::Rotation => {
                    turns[body.index()].get_or_insert(model.bodies[body.index()].turn)[member.index()] = value;
                }
                Subject::Body(body) => world.bodies[body.index()].assign(field, member, value),
                Subject::Scene => world.gravity[member.index()] = value,
                _ => world.machine.assign(&role, value),
            }
        }
        world.machine.keep_order();
        for (index, body) in world.bodies.iter_mut().enumerate() {
            body.finish(
                &model.bodies[index],
                offsets[index],
                turns[index],
                model.inertia_follows(BodyId(index as u32)),
            );
        }
        for index in 0..world.bodies.len() {
            if let Some(guided) = world.guided(BodyId(index as u32), 0.0) {
                world.bodies[index].initial = guided.at(0.0);
            }
        }
        world
    }

    /// The same world, which is in metres and seconds, in other units.
    pub fn in_units(&self, units: Units) -> World {
        let World { duration, rest_speed, step, .. } = *self;
        World {
            bodies: self.bodies.iter().map(|body| body.in_units(units)).collect(),
            duration: duration / units.time,
            rest_speed: rest_speed / units.speed(),
            step: step / units.time,
            units,
            ..self.clone()
        }
    }

    /// What its lengths and times are measured in.
    pub fn units(&self) -> Units {
        self.units
    }

    /// What a pair's impact of this number is made of, or its uncounted contact.
    pub fn material(&self, pair: Pair, number: Option<u32>) -> Material {
        self.own_law(pair, number).material([pair.first, pair.second].map(|body| self.bodies[body.index()].surface()))
    }

    /// How the normal of a pair's impact of this number is tilted, along T1 and T2; none where nobody asked for it.
    pub fn impact_tilt(&self, pair: Pair, number: Option<u32>) -> Option<[f64; 2]> {
        self.own_law(pair, number).tilt()
    }

    /// What a pair's impact of this number has of its own.
    pub(super) fn own_law(&self, pair: Pair, number: Option<u32>) -> Override {
        let Some(number) = number else { return Override::default() };
        let single = self.single.get(&(pair, number)).copied().unwrap_or_default();
        let every = self.every.get(&pair).copied().unwrap_or_default();
        single.or(every)
    }

    /// The motion of a body that follows tracks, from a time on; none of others.
    pub fn guided(&self, body: BodyId, t: f64) -> Option<GuidedMotion> {
        let BodyProperties { drive, initial, .. } = &self.bodies[body.index()];
        let guide = drive.guide()?;
        let stretch = |track: Option<usize>, own: Vec3| {
            track.map_or(Stretch::still(own), |track| Stretch::after(track, &self.machine.tracks[track], t))
        };
        let base = if guide.rotation.is_some() { Rotation::identity() } else { initial.rotation };
        let next = |track: usize| self.machine.tracks[track].keys.iter().map(|key| key.t).find(|key| *key > t);
        let until = guide.tracks().filter_map(next).fold(f64::INFINITY, f64::min);
        let (position, turn) = (stretch(guide.position, initial.position), stretch(guide.rotation, Vec3::zeros()));
        Some(GuidedMotion { position, turn, base, until })
    }

    /// The flight of a body that is in a state at t.
    pub fn flight(&self, body: BodyId, t: f64, state: BodyState) -> Flight {
        Flight::new(&self.bodies[body.index()].mass, self.gravity, t, state)
    }

    /// F of a body that flies through a state.
    pub fn flight_rate(&self, body: BodyId, state: &BodyState) -> StateTangent {
        Flight::rate_at(&self.bodies[body.index()].mass, self.gravity, state)
    }

    /// Two bodies in the order in which their pair is named.
    pub fn ordered(&self, a: BodyId, b: BodyId) -> Pair {
        Pair::new(a, b, |body| self.bodies[body.index()].drive.is_pushed())
    }
}

impl World {
    /// Pairs that are nearer (m) than this at the start, with their gap, which is negative where they overlap; without those that may
    /// share space.
    pub fn nearer_at_start(&self, than: f64) -> Vec<(BodyId, BodyId, f64)> {
        let placed: Vec<Placed> = self
            .bodies
            .iter()
            .map(|body| Placed { solid: &body.solid, is_pushed: body.drive.is_pushed(), pose: body.initial.pose() })
            .collect();
        let id = |k: usize| BodyId(k as u32);
        let shares =
            |first: usize, second: usize| pass_through(&self.machine.joints, &self.machine.forces, [first, second]);
        let found = near(&placed, than).into_iter().filter(|&(first, second, _)| !shares(first, second));
        found.map(|(first, second, gap)| (id(first), id(second), gap)).collect()
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

    fn assign(&mut self, field: Field, member: Member, value: f64) {
        let k = member.index();
        match field {
            Field::Position => self.initial.position[k] = value,
            Field::Velocity => self.initial.velocity[k] = value,
            Field::Spin => self.initial.spin[k] = value,
            Field::Mass => self.mass.mass = value,
            Field::Inertia => self.mass.inertia[k] = value,
            Field::Scale => self.scale = value,
            Field::Restitution => self.restitution = value,
            Field::Friction => self.friction = value,
            Field::RollingResistance => self.rolling_resistance = value,
            Field::Normal => self.normal_tilt[k] = value,
            // Rotations wait for all three of their entries; the others belong to no body.
            _ => {}
        }
    }

    fn in_units(&self, units: Units) -> BodyProperties {
        let inertia = self.mass.inertia / (units.length * units.length);
        BodyProperties {
            solid: Arc::new(self.solid.scaled(units.length.recip())),
            mass: MassProperties { inertia, ..self.mass },
            initial: units.own_state(&self.initial),
            rolling_resistance: self.rolling_resistance / units.length,
            ..self.clone()
        }
    }

    fn surface(&self) -> Material {
        Material { restitution: self.restitution, friction: self.friction, rolling: self.rolling_resistance }
    }

    /// (1) and (2), once all entries are assigned.
    fn finish(&mut self, model: &ModelBody, offset: Vec3, turn: Option<Vec3>, inertia_follows: bool) {
        self.initial.rotation = exp(offset) * turn.map_or(model.rotation, exp);
        if self.scale != 1.0 {
            self.solid = Arc::new(model.solid.scaled(self.scale));
        }
        if self.drive.is_pushed() {
            let grown = if inertia_follows { self.mass.mass / model.mass.mass } else { 1.0 };
            self.mass.inertia *= grown * powi(self.scale, 5);
            self.mass.mass *= powi(self.scale, 3);
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
        selection.roles_at(1).into_iter().for_each(|role| law.assign(role.field, role.member, value));
    }
    laws
}
