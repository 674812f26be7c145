//! What has parameters: bodies, single impacts, the scene; and the indices that name them.
//!
//! ```text
//! Subject = Body(BodyId) | Impact { pair, number } | Scene
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

/// What a parameter belongs to. The control vector holds bodies first, then impacts, then the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// One body.
    Body(BodyId),
    /// One impact of two bodies; impacts of a pair count from 1.
    #[allow(missing_docs, reason = "the fields' types say what they are")]
    Impact { pair: Pair, number: u32 },
    /// What all bodies feel: gravity.
    Scene,
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

impl Subject {
    /// The body, if it is one.
    pub fn body(self) -> Option<BodyId> {
        match self {
            Subject::Body(body) => Some(body),
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
