//! Writing the session into its scene file: solved values into the fields that hold them.
//!
//! ```text
//! rotation ← log(exp(offset)·exp(rotation)),   offset ← 0                                                       (1)
//! inertia  ← u.inertia·(u.mass/mass₀)          mass ← u.mass                                                    (2)
//! ```
//!
//! What has no field goes into `[[control]] value`, with its rest value where that differs. After saving the session goes on from the
//! text that was written, so that what is on the screen and what is on the disk are the same motion to the bit.

use std::path::Path;

use super::{OpenError, Session};
use crate::math::rotation::{exp, log};
use crate::math::{Rotation, Vec3};
use crate::model::{Axis, BodyId, ParameterId, Role};
use crate::scene::{Control, Manuscript, SaveError, Scene, save};

impl Session {
    /// The scene's text with everything that was solved and edited.
    pub fn text(&self) -> String {
        let mut manuscript = Manuscript::new(&self.state.scene.source);
        for index in 0..self.state.scene.bodies.len() {
            self.write_body(&mut manuscript, index);
        }
        self.write_gravity(&mut manuscript);
        for control in &self.state.controls[self.state.scene.controls.len()..] {
            manuscript.set_control(control);
        }
        self.write_values(&mut manuscript);
        manuscript.set_nails(&self.state.scene.nails, &self.state.nails);
        manuscript.text()
    }

    /// Saves the scene, and goes on from what was written. The history ends there.
    pub fn save(&mut self, path: &Path) -> Result<(), SaveError> {
        let (text, shown) = (self.text(), path.display().to_string());
        let fail = |error: OpenError| SaveError { path: shown.clone(), reason: error.to_string() };
        let scene = Scene::parse(&text, &shown).map_err(|error| fail(error.into()))?;
        let session = Session::new(scene).map_err(fail)?;
        save(path, &text)?;
        *self = Session { journal: std::mem::take(&mut self.journal), ..session };
        Ok(())
    }

    fn changed(&self, role: Role) -> Option<f64> {
        let id: ParameterId = self.state.model.find(&role)?;
        let value = self.state.u[id];
        (value.to_bits() != self.state.model.parameters()[id.index()].value.to_bits()).then_some(value)
    }

    fn vector(&self, role: impl Fn(Axis) -> Role) -> Option<Vec3> {
        let any = Axis::ALL.into_iter().any(|axis| self.changed(role(axis)).is_some());
        let entry = |k: usize| self.state.model.find(&role(Axis::ALL[k])).map_or(0.0, |id| self.state.u[id]);
        any.then(|| Vec3::from_fn(|k, _| entry(k)))
    }

    fn write_body(&self, manuscript: &mut Manuscript, index: usize) {
        let body = BodyId(index as u32);
        let vectors: [(&str, Option<Vec3>); 3] = [
            ("position", self.vector(|axis| Role::Position { body, axis })),
            ("velocity", self.vector(|axis| Role::Velocity { body, axis })),
            ("spin", self.vector(|axis| Role::Spin { body, axis })),
        ];
        for (field, vector) in vectors {
            vector.into_iter().for_each(|vector| manuscript.set_body_vector(index, field, vector.into()));
        }
        if let Some(offset) = self.vector(|axis| Role::Rotation { body, axis }) {
            // (1)
            let turned: Rotation = exp(offset) * self.state.model.bodies()[index].rotation;
            manuscript.set_body_vector(index, "rotation", log(&turned).into());
        }
        let numbers = [
            ("restitution", Role::Restitution { body }),
            ("friction", Role::Friction { body }),
            ("rolling_resistance", Role::RollingResistance { body }),
        ];
        for (field, role) in numbers {
            self.changed(role).into_iter().for_each(|value| manuscript.set_body_number(index, field, value));
        }
        self.write_mass(manuscript, index);
    }

    /// (2).
    fn write_mass(&self, manuscript: &mut Manuscript, index: usize) {
        let body = BodyId(index as u32);
        let mass = self.changed(Role::Mass { body });
        if let Some(mass) = mass {
            manuscript.set_body_number(index, "mass", mass);
            manuscript.remove_body_field(index, "density");
        }
        let Some(inertia) = self.inertia(body, mass) else { return };
        if self.state.scene.bodies[index].inertia.is_some() {
            manuscript.set_body_vector(index, "inertia", inertia.into());
            return;
        }
        // The field would also turn the principal axes into the body's own.
        if self.vector(|axis| Role::Inertia { body, axis }).is_some() {
            for axis in Axis::ALL {
                self.write_value(manuscript, Role::Inertia { body, axis }, inertia[axis.index()]);
            }
        }
    }

    fn inertia(&self, body: BodyId, mass: Option<f64>) -> Option<Vec3> {
        let own = self.vector(|axis| Role::Inertia { body, axis });
        if own.is_none() && mass.is_none() {
            return None;
        }
        let model = &self.state.model;
        let id = |axis| model.find(&Role::Inertia { body, axis });
        let current = Vec3::from_fn(|k, _| id(Axis::ALL[k]).map_or(0.0, |id| self.state.u[id]));
        let factor = mass.map_or(1.0, |mass| mass / model.bodies()[body.index()].mass.mass);
        Some(current * factor)
    }

    fn write_gravity(&self, manuscript: &mut Manuscript) {
        let gravity = self.vector(|axis| Role::Gravity { axis });
        gravity.into_iter().for_each(|gravity| manuscript.set_gravity(gravity.into()));
    }

    /// Parameters that only a `[[control]]` can hold.
    fn write_values(&self, manuscript: &mut Manuscript) {
        for parameter in self.state.model.parameters() {
            if matches!(parameter.role, Role::Inertia { .. }) || parameter.role.has_field() {
                continue;
            }
            if let Some(value) = self.changed(parameter.role) {
                self.write_value(manuscript, parameter.role, value);
            }
        }
    }

    fn write_value(&self, manuscript: &mut Manuscript, role: Role, value: f64) {
        let Some(id) = self.state.model.find(&role) else { return };
        let parameter = &self.state.model.parameters()[id.index()];
        manuscript.set_control(&Control {
            parameter: parameter.name.clone(),
            free: role.impact().is_some().then_some(parameter.free),
            weight: None,
            bounds: None,
            value: Some(value),
            rest: Some(parameter.rest),
        });
    }
}
