//! Whose place is free without being asked for: that of bodies which joints hold.
//!
//! A body's place is locked unless somebody frees it. A joint that holds from the start leaves a locked body nothing but turns about its
//! point, or nothing at all; so the places of such bodies are free, and follow their joints (`solve`). In a group that nothing ties to the
//! world, or to a body that is not pushed, the first body keeps its place, as a single one would.

use super::World;
use super::assembled::StartGroup;
use crate::dynamics::joined::Standing;
use crate::scene::JointKind;

/// A joint holds where it is no farther apart than this, m or rad: as a wish counts as met.
pub const HOLDS: f64 = 1e-6;

impl World {
    /// The pushed bodies whose places follow joints, by their places in the scene. The start may be one that is not assembled.
    pub(super) fn bodies_held_in_place(&self) -> Vec<usize> {
        let facts = self.body_facts();
        let mut held = Vec::new();
        for group in self.start_groups() {
            let states: Vec<_> = group.members.iter().map(|&body| facts[body].initial).collect();
            let standing = Standing::new(&self.start_blueprint(&group, &facts, &states));
            let holds = |joint: usize| standing.rows().iter().all(|row| row.joint != joint || row.value.abs() <= HOLDS);
            let ties = |joint: &usize| {
                let kind = &self.machine.joints[*joint].kind;
                let turns_only = matches!(kind, JointKind::Orientation { .. } | JointKind::FullOrientation { .. });
                !turns_only && (self.machine.assemble || holds(*joint))
            };
            let joints = group.joints.iter().copied().filter(ties).collect();
            // What still hangs together without the others.
            self.add_held(&StartGroup { joints, ..group.clone() }, &mut held);
        }
        held.sort_unstable();
        held
    }

    fn add_held(&self, group: &StartGroup, held: &mut Vec<usize>) {
        let pushed = |body: usize| self.bodies[body].drive.is_pushed();
        let ends = |joint: usize| [Some(self.machine.joints[joint].first), self.machine.joints[joint].second];
        let mut left: Vec<usize> = group.joints.clone();
        while let Some(first) = left.first().copied() {
            let (mut part, mut is_tied) = (Vec::new(), false);
            let mut reached: Vec<usize> = ends(first).into_iter().flatten().filter(|&body| pushed(body)).collect();
            while let Some(body) = reached.pop() {
                if part.contains(&body) {
                    continue;
                }
                part.push(body);
                for joint in left.extract_if(.., |joint| ends(*joint).contains(&Some(body))) {
                    for end in ends(joint) {
                        match end.filter(|&end| pushed(end)) {
                            Some(other) => reached.push(other),
                            None => is_tied = true,
                        }
                    }
                }
            }
            left.retain(|joint| *joint != first);
            part.sort_unstable();
            held.extend(part.into_iter().skip(usize::from(!is_tied)));
        }
    }
}
