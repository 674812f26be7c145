//! Where in the scene file the number of a role stands: the key of its field, such as `joint[1].points[0][2]`.

use super::field::Field;
use super::machine::Machine;
use super::role::Role;
use super::subject::{KeyId, Subject};
use crate::scene::{Joint, JointKind};

impl Machine {
    /// The key of a number that a field holds as it is; none where only a `[[control]]` does.
    pub(crate) fn key_of(&self, role: &Role) -> Option<String> {
        let (row, k) = (role.row(), role.member.index());
        let word = row.word;
        let of = |head: String| match row.members.is_empty() {
            true => format!("{head}.{word}"),
            false => format!("{head}.{word}[{k}]"),
        };
        Some(match role.subject {
            Subject::Impact { .. } => return None,
            // Its field also says that the principal axes are the body's own (`session`).
            Subject::Body(_) if !role.has_field() && role.field != Field::Inertia => return None,
            Subject::Body(body) => of(format!("body[{}]", body.0)),
            Subject::Scene => format!("{word}[{k}]"),
            Subject::Joint(joint) => {
                let (head, joint) = (format!("joint[{}]", joint.0), &self.joints[joint.index()]);
                match role.field {
                    Field::Point | Field::Second if has_points(joint) => point(&head, role.field, k),
                    Field::Limit | Field::Travel => format!("{head}.limits[{k}]"),
                    Field::Active => format!("{head}.active[{}][{}]", k / 2, k % 2),
                    _ => of(head),
                }
            }
            Subject::Force(force) => {
                let (head, force) = (format!("force[{}]", force.0), &self.forces[force.index()]);
                match role.field {
                    Field::Point | Field::Second if force.second.is_some() => point(&head, role.field, k),
                    _ => of(head),
                }
            }
            Subject::Key(KeyId { track, key }) => {
                let head = format!("track[{track}].keys[{key}]");
                if role.field == Field::Time { format!("{head}.t") } else { of(head) }
            }
            Subject::Variable(variable) => format!("variables.{}", self.variables[variable.index()].name),
        })
    }
}

/// Whether a joint's file has a list of two points; otherwise it has `point`.
fn has_points(joint: &Joint) -> bool {
    let of_one = matches!(joint.kind, JointKind::PointOnLine { .. } | JointKind::PointOnPlane { .. });
    joint.second.is_some() && !of_one
}

fn point(head: &str, field: Field, k: usize) -> String {
    format!("{head}.points[{}][{k}]", usize::from(field == Field::Second))
}
