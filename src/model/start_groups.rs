//! Bodies that joints hold together from the start.

use std::collections::BTreeSet;

use super::assembled::StartGroup;
use super::machine::Machine;
use crate::scene::{Joint, JointKind};

impl Machine {
    /// Groups in the order of their first pushed bodies; joints of one side only (ropes) hold nothing.
    pub(super) fn start_groups(&self, bodies: usize, is_pushed: impl Fn(usize) -> bool) -> Vec<StartGroup> {
        let ties = |joint: &Joint| joint.is_active(0.0) && !matches!(joint.kind, JointKind::Rope { .. });
        let joints: Vec<usize> = (0..self.joints.len()).filter(|&k| ties(&self.joints[k])).collect();
        let ends = |joint: usize| [Some(self.joints[joint].first), self.joints[joint].second];
        // Each group is named by its first pushed body.
        let mut names: Vec<usize> = (0..bodies).collect();
        for &joint in &joints {
            if let [Some(first), Some(second)] = ends(joint).map(|body| body.filter(|&body| is_pushed(body))) {
                let (keep, drop) = (names[first].min(names[second]), names[first].max(names[second]));
                names.iter_mut().filter(|name| **name == drop).for_each(|name| *name = keep);
            }
        }
        let name =
            |joint: usize| ends(joint).into_iter().flatten().find(|&body| is_pushed(body)).map(|body| names[body]);
        let all: BTreeSet<usize> = joints.iter().filter_map(|&joint| name(joint)).collect();
        let group = |own: usize| {
            let joints: Vec<usize> = joints.iter().copied().filter(|&joint| name(joint) == Some(own)).collect();
            let members: BTreeSet<usize> = joints.iter().flat_map(|&joint| ends(joint)).flatten().collect();
            StartGroup { members: members.into_iter().collect(), joints }
        };
        all.into_iter().map(group).collect()
    }
}
