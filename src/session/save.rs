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
use crate::model::{Axis, BodyId, Field, ParameterId, Role, Subject};
use crate::scene::{Control, Manuscript, SaveError, Scene, save};

impl Session {
    /// The scene's text with everything that was solved and edited.
    pub fn text(&self) -> String {
        let mut manuscript = Manuscript::new(&self.state.scene.source);
        for index in 0..self.state.scene.bodies.len() {
            self.write_body(&mut manuscript, index);
        }
        self.write_gravity(&mut manuscript);
        self.write_machine(&mut manuscript);
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
        let scene =
            Scene::parse_reaching(&text, &shown, self.scene().source.reach()).map_err(|error| fail(error.into()))?;
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

    /// A field of three numbers, if one of them changed.
    fn vector(&self, role: Role) -> Option<Vec3> {
        let any = Axis::ALL.into_iter().any(|axis| self.changed(role.along(axis)).is_some());
        any.then(|| self.current(role))
    }

    fn current(&self, role: Role) -> Vec3 {
        let entry = |axis: Axis| self.state.model.find(&role.along(axis)).map_or(0.0, |id| self.state.u[id]);
        Vec3::from(Axis::ALL.map(entry))
    }

    fn write_body(&self, manuscript: &mut Manuscript, index: usize) {
        let body = BodyId(index as u32);
        let plain = || Role::of_kind(body.into()).filter_map(|role| Some((role.plain_field()?, role)));
        for (field, role) in plain().filter(|(_, role)| role.is_vector()) {
            self.vector(role).into_iter().for_each(|vector| manuscript.set_body_vector(index, field, vector.into()));
        }
        if let Some(offset) = self.vector(Field::Rotation.of(body)) {
            // (1)
            let turned: Rotation = exp(offset) * self.state.model.bodies()[index].rotation;
            manuscript.set_body_vector(index, "rotation", log(&turned).into());
        }
        for (field, role) in plain().filter(|(_, role)| !role.is_vector()) {
            self.changed(role).into_iter().for_each(|value| manuscript.set_body_number(index, field, value));
        }
        self.write_mass(manuscript, index);
    }

    /// (2).
    fn write_mass(&self, manuscript: &mut Manuscript, index: usize) {
        let body = BodyId(index as u32);
        let mass = self.changed(Field::Mass.of(body));
        if let Some(mass) = mass {
            manuscript.set_body_number(index, "mass", mass);
            manuscript.remove_body_field(index, "density");
        }
        let model = &self.state.model;
        if !model.inertia_follows(body) {
            self.vector(Field::Inertia.of(body))
                .into_iter()
                .for_each(|moments| manuscript.set_body_vector(index, "inertia", moments.into()));
            return;
        }
        // A formula may have changed it too.
        let file = model.bodies()[index].mass.mass;
        let mass = model.value_of(&self.state.u, &Field::Mass.of(body)).filter(|mass| mass.to_bits() != file.to_bits());
        let Some(inertia) = self.inertia(body, mass) else { return };
        if self.state.scene.bodies[index].inertia.is_some() {
            manuscript.set_body_vector(index, "inertia", inertia.into());
            return;
        }
        // The field would also turn the principal axes into the body's own.
        if self.vector(Field::Inertia.of(body)).is_some() {
            for axis in Axis::ALL {
                self.write_value(manuscript, Field::Inertia.of(body).along(axis), inertia[axis.index()]);
            }
        }
    }

    fn inertia(&self, body: BodyId, mass: Option<f64>) -> Option<Vec3> {
        let own = self.vector(Field::Inertia.of(body));
        if own.is_none() && mass.is_none() {
            return None;
        }
        let model = &self.state.model;
        let factor = mass.map_or(1.0, |mass| mass / model.bodies()[body.index()].mass.mass);
        Some(self.current(Field::Inertia.of(body)) * factor)
    }

    fn write_gravity(&self, manuscript: &mut Manuscript) {
        let gravity = self.vector(Field::Gravity.of(Subject::Scene));
        gravity.into_iter().for_each(|gravity| manuscript.set_gravity(gravity.into()));
    }

    /// Numbers of joints, forces and keys, and variables.
    fn write_machine(&self, manuscript: &mut Manuscript) {
        let machine = self.state.model.machine();
        for parameter in self.state.model.parameters() {
            let role = parameter.role;
            if machine.value(&role).is_some()
                && let (Some(value), Some(key)) = (self.changed(role), machine.key_of(&role))
            {
                manuscript.set_number_at(&key, value);
            }
        }
    }

    /// Parameters that only a `[[control]]` can hold.
    fn write_values(&self, manuscript: &mut Manuscript) {
        for parameter in self.state.model.parameters() {
            if parameter.role.field == Field::Inertia || parameter.role.has_field() {
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
