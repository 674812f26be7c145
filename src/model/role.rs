//! What each parameter is: the one place that ties entries of u to bodies and impacts.

use std::fmt;

/// A body, by its place in the scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// A parameter, by its place in the control vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub u32);

/// Two bodies in canonical order: the moving one first where the other is fixed, otherwise the
/// earlier in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Impulses act on this one.
    pub first: BodyId,
    /// Normals point away from this one.
    pub second: BodyId,
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

/// What a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields' types say what they are")]
pub enum Role {
    /// Centre of mass at the start, m.
    Position { body: BodyId, axis: Axis },
    /// World-frame exponential map about the file's rotation, rad.
    Rotation { body: BodyId, axis: Axis },
    /// Velocity at the start, m/s.
    Velocity { body: BodyId, axis: Axis },
    /// Angular velocity at the start, world frame, rad/s.
    Spin { body: BodyId, axis: Axis },
    /// kg; inertia follows it.
    Mass { body: BodyId },
    /// Principal moment, kg·m².
    Inertia { body: BodyId, axis: Axis },
    /// Of all lengths, at constant density.
    Scale { body: BodyId },
    /// Of the body; a pair has the mean.
    Restitution { body: BodyId },
    /// Of the body; a pair has the mean.
    Friction { body: BodyId },
    /// m.
    RollingResistance { body: BodyId },
    /// Tilt for all contacts of a half-space.
    Normal { body: BodyId, tilt: Tilt },
    /// Tilt for one impact.
    ImpactNormal { pair: Pair, number: u32, tilt: Tilt },
    /// Replaces the pair's mean at one impact.
    ImpactRestitution { pair: Pair, number: u32 },
    /// Replaces the pair's mean at one impact.
    ImpactFriction { pair: Pair, number: u32 },
    /// m/s².
    Gravity { axis: Axis },
}

/// Sorts parameters as the control vector holds them: (section, body or first of pair, second of pair,
/// impact, field, member), with sections bodies, pairs, gravity.
pub(super) type Order = (u8, u32, u32, u32, u8, u8);

impl BodyId {
    /// Its place in lists of bodies.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ParameterId {
    /// Its place in the control vector.
    pub fn index(self) -> usize {
        self.0 as usize
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

impl fmt::Display for Tilt {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(["1", "2"][self.index()])
    }
}

impl Role {
    /// The body it belongs to; none for pairs and gravity.
    pub fn body(&self) -> Option<BodyId> {
        match *self {
            Role::Position { body, .. }
            | Role::Rotation { body, .. }
            | Role::Velocity { body, .. }
            | Role::Spin { body, .. }
            | Role::Mass { body }
            | Role::Inertia { body, .. }
            | Role::Scale { body }
            | Role::Restitution { body }
            | Role::Friction { body }
            | Role::RollingResistance { body }
            | Role::Normal { body, .. } => Some(body),
            Role::ImpactNormal { .. }
            | Role::ImpactRestitution { .. }
            | Role::ImpactFriction { .. }
            | Role::Gravity { .. } => None,
        }
    }

    /// The pair and number of the impact it belongs to.
    pub fn impact(&self) -> Option<(Pair, u32)> {
        match *self {
            Role::ImpactNormal { pair, number, .. }
            | Role::ImpactRestitution { pair, number }
            | Role::ImpactFriction { pair, number } => Some((pair, number)),
            _ => None,
        }
    }

    /// The field's name and the member's, as in `spin` and `x`.
    pub(super) fn words(&self) -> (&'static str, String) {
        match self {
            Role::Position { axis, .. } => ("position", axis.to_string()),
            Role::Rotation { axis, .. } => ("rotation", axis.to_string()),
            Role::Velocity { axis, .. } => ("velocity", axis.to_string()),
            Role::Spin { axis, .. } => ("spin", axis.to_string()),
            Role::Mass { .. } => ("mass", String::new()),
            Role::Inertia { axis, .. } => ("inertia", axis.to_string()),
            Role::Scale { .. } => ("scale", String::new()),
            Role::Restitution { .. } | Role::ImpactRestitution { .. } => ("restitution", String::new()),
            Role::Friction { .. } | Role::ImpactFriction { .. } => ("friction", String::new()),
            Role::RollingResistance { .. } => ("rolling_resistance", String::new()),
            Role::Normal { tilt, .. } | Role::ImpactNormal { tilt, .. } => ("normal", tilt.to_string()),
            Role::Gravity { axis } => ("gravity", axis.to_string()),
        }
    }

    /// The place of the parameter among all others.
    pub(super) fn order(&self) -> Order {
        let of_body = |field: u8, member: usize| {
            let body = self.body().map_or(0, |body| body.0);
            (0, body, 0, 0, field, member as u8)
        };
        let of_pair =
            |pair: Pair, number, field, member: usize| (1, pair.first.0, pair.second.0, number, field, member as u8);
        match *self {
            Role::Position { axis, .. } => of_body(0, axis.index()),
            Role::Rotation { axis, .. } => of_body(1, axis.index()),
            Role::Velocity { axis, .. } => of_body(2, axis.index()),
            Role::Spin { axis, .. } => of_body(3, axis.index()),
            Role::Mass { .. } => of_body(4, 0),
            Role::Inertia { axis, .. } => of_body(5, axis.index()),
            Role::Scale { .. } => of_body(6, 0),
            Role::Restitution { .. } => of_body(7, 0),
            Role::Friction { .. } => of_body(8, 0),
            Role::RollingResistance { .. } => of_body(9, 0),
            Role::Normal { tilt, .. } => of_body(10, tilt.index()),
            Role::ImpactNormal { pair, number, tilt } => of_pair(pair, number, 0, tilt.index()),
            Role::ImpactRestitution { pair, number } => of_pair(pair, number, 1, 0),
            Role::ImpactFriction { pair, number } => of_pair(pair, number, 2, 0),
            Role::Gravity { axis } => (2, 0, 0, 0, 0, axis.index() as u8),
        }
    }

    /// Whether a field of the scene holds its value; otherwise only a `[[control]]` does.
    pub fn has_field(&self) -> bool {
        self.field_in_file().is_some()
    }

    /// The scene's field that holds its value; none where only a `[[control]]` can. A body's `inertia` field also says that its
    /// principal axes are its own, so that moments of a turned frame stand in a `[[control]]`.
    pub(super) fn field_in_file(&self) -> Option<&'static str> {
        match self {
            Role::Scale { .. } | Role::Normal { .. } | Role::Inertia { .. } => None,
            role if role.impact().is_some() => None,
            role => Some(role.words().0),
        }
    }
}
