//! The relations of one step of a held group, kept for those who ask for its inside and its end.

use std::sync::Arc;

use super::change::Change;
use crate::model::BodyId;
use crate::simulation::held::{HeldGroup, StepOutcome};

/// A step as relations.
pub(super) struct StepRelations {
    pub group: Arc<HeldGroup>,
    pub outcome: StepOutcome,
    /// δs of the step that was taken.
    pub length: Option<Change>,
    /// Of every member, before the projection and after; none for fixed ones.
    pub unprojected: Vec<Option<Change>>,
    pub end: Vec<Option<Change>>,
}

impl StepRelations {
    /// Bodies that move, with their places.
    pub fn moving(&self) -> impl Iterator<Item = (BodyId, usize)> {
        let members = self.group.members.iter().enumerate();
        members.filter(|(_, member)| member.is_pushed()).map(|(place, member)| (member.body, place))
    }
}
