//! What has parameters: bodies, single impacts, the scene, what joins and pulls; and the indices that name them.
//!
//! ```text
//! Subject = Body(BodyId) | Impact { pair, number } | Scene | Joint(JointId) | Force(ForceId) | Key(KeyId) | Variable(VariableId)
//! ```
//!
//! Which parameters each of them has is the table of `field`; what one of its parameters is called is `name`.

use std::fmt;

/// A body, by its place in the scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// Two bodies in canonical order: the moving one first where the other is fixed, otherwise the
/// earlier in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Impulses act on this one.
    pub first: BodyId,
    /// Normals point away from this one.
    pub second: BodyId,
}

/// A joint, by its place in the scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub u32);

/// A force, by its place in the scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ForceId(pub u32);

/// A key of a track, by the places of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId {
    /// Of the track in the scene file.
    pub track: u32,
    /// Counted from 0; names count from 1.
    pub key: u32,
}

/// A variable, by its place in the scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// What a parameter belongs to, in the order of the control vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// One body.
    Body(BodyId),
    /// One impact of two bodies; impacts of a pair count from 1.
    #[allow(missing_docs, reason = "the fields' types say what they are")]
    Impact { pair: Pair, number: u32 },
    /// What all bodies feel: gravity.
    Scene,
    /// One joint.
    Joint(JointId),
    /// One force.
    Force(ForceId),
    /// One key of a track.
    Key(KeyId),
    /// One variable.
    Variable(VariableId),
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Which tangent a normal is tilted along: T1 or T2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Tilt {
    First,
    Second,
}

impl BodyId {
    /// Its place in lists of bodies.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl JointId {
    /// Its place in lists of joints.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ForceId {
    /// Its place in lists of forces.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VariableId {
    /// Its place in lists of variables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Subject {
    /// The body, if it is one.
    pub fn body(self) -> Option<BodyId> {
        match self {
            Subject::Body(body) => Some(body),
            _ => None,
        }
    }

    /// The joint, if it is one.
    pub fn joint(self) -> Option<JointId> {
        match self {
            Subject::Joint(joint) => Some(joint),
            _ => None,
        }
    }

    /// The pair and number of the impact, if it is one.
    pub fn impact(self) -> Option<(Pair, u32)> {
        match self {
            Subject::Impact { pair, number } => Some((pair, number)),
            _ => None,
        }
    }
}

impl From<BodyId> for Subject {
    fn from(body: BodyId) -> Subject {
        Subject::Body(body)
    }
}

impl From<JointId> for Subject {
    fn from(joint: JointId) -> Subject {
        Subject::Joint(joint)
    }
}

impl From<ForceId> for Subject {
    fn from(force: ForceId) -> Subject {
        Subject::Force(force)
    }
}

impl From<KeyId> for Subject {
    fn from(key: KeyId) -> Subject {
        Subject::Key(key)
    }
}

impl From<VariableId> for Subject {
    fn from(variable: VariableId) -> Subject {
        Subject::Variable(variable)
    }
}

impl From<(Pair, u32)> for Subject {
    fn from((pair, number): (Pair, u32)) -> Subject {
        Subject::Impact { pair, number }
    }
}

impl Axis {
    /// All three, in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Tilt {
    /// Both, in order.
    pub const ALL: [Tilt; 2] = [Tilt::First, Tilt::Second];

    /// 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(["x", "y", "z"][self.index()])
    }
}
