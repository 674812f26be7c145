//! The steps that held groups are taking, and what their contacts did in the last ones.

use std::collections::BTreeMap;

use super::super::held::{HeldContact, HeldGroup, SlipMemory, StepOutcome};
use super::super::tape::{StepId, StepLimit};
use crate::contact::law::Mode;
use crate::dynamics::BodyState;
use crate::geometry::Feature;
use crate::math::Vec3;
use crate::model::Pair;

/// A step that a group is taking.
pub struct ActiveStep {
    pub t: f64,
    pub group: HeldGroup,
    pub start: Vec<BodyState>,
    pub outcome: StepOutcome,
    pub limit: StepLimit,
    /// The part of that limit that was tried.
    pub part: f64,
    /// What the contact solver started from.
    pub warm: Option<Vec<f64>>,
}

/// All steps under way.
#[derive(Default)]
pub struct Steps {
    active: BTreeMap<StepId, ActiveStep>,
    /// What held contacts did in their last step.
    slip: SlipMemory,
    /// Their forces in it.
    forces: BTreeMap<(Pair, Feature), Vec3>,
}

impl Steps {
    /// A step under way.
    pub fn get(&self, id: StepId) -> Option<&ActiveStep> {
        self.active.get(&id)
    }

    /// Ends a step.
    pub fn take(&mut self, id: StepId) -> Option<ActiveStep> {
        self.active.remove(&id)
    }

    /// Begins a step.
    pub fn insert(&mut self, id: StepId, step: ActiveStep) {
        self.active.insert(id, step);
    }

    /// What contacts did in their last step.
    pub fn slip(&self) -> &SlipMemory {
        &self.slip
    }

    /// Keeps what a contact did in its last step.
    pub fn remember(&mut self, contact: &HeldContact, mode: Mode, force: Vec3) {
        let key = (contact.pair, contact.feature.place());
        self.slip.insert(key, mode);
        self.forces.insert(key, force);
    }

    /// Forgets how the contacts of some pairs slid.
    pub fn forget_slip(&mut self, concerned: impl Fn(&Pair) -> bool) {
        self.slip.retain(|(pair, _), _| !concerned(pair));
    }

    /// Impulses for a step of some length, from forces of the last one: where all contacts had one and none resists rolling.
    pub fn warm_start(&self, group: &HeldGroup, length: f64) -> Option<Vec<f64>> {
        if group.contacts.iter().any(|contact| contact.rolling > 0.0) {
            return None;
        }
        let force = |contact: &HeldContact| self.forces.get(&(contact.pair, contact.feature.place()));
        let forces: Option<Vec<&Vec3>> = group.contacts.iter().map(force).collect();
        Some(forces?.into_iter().flat_map(|force| (force * length).data.0[0]).collect())
    }
}
