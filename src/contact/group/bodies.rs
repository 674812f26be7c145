//! A body and a contact at the instant of contact, as numbers, and changes of them.

use crate::math::{Mat3, Vec3};

/// A body at the instant of contact. A fixed body has zero inverse mass and inverse inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupBody {
    /// 1/kg.
    pub inverse_mass: f64,
    /// In the world frame, 1/(kg·m²).
    pub inverse_inertia: Mat3,
    /// Centre of mass, m.
    pub position: Vec3,
    /// m/s.
    pub velocity: Vec3,
    /// rad/s.
    pub spin: Vec3,
}

/// A point where two bodies of a group touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupContact {
    /// Index of the body on which impulses act.
    pub first: usize,
    /// Index of the body on which opposite impulses act.
    pub second: usize,
    /// m.
    pub point: Vec3,
    /// Unit vector from the second body to the first, tilted where a tilt is asked for.
    pub normal: Vec3,
    /// The pair's restitution, before the fade.
    pub restitution: f64,
    /// The pair's coefficient of friction.
    pub friction: f64,
    /// The pair's rolling resistance, m: the turning impulse against relative spin is at most this times the normal
    /// impulse. 0 for none; impacts have none.
    pub rolling: f64,
}

/// A change of a [`GroupBody`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyDirection {
    /// δx.
    pub dposition: Vec3,
    /// δθ, which turns the inverse inertia: δW = `[δθ]·W − W·[δθ]`.
    pub drotation: Vec3,
    /// δv.
    pub dvelocity: Vec3,
    /// δω.
    pub dspin: Vec3,
    /// By the body's own parameters.
    pub dinverse_mass: f64,
    /// By the body's own parameters, in the world frame, beside what `drotation` does.
    pub dinverse_inertia: Mat3,
}

/// A change of a [`GroupContact`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactDirection {
    /// δ of the point.
    pub dpoint: Vec3,
    /// δ of the normal.
    pub dnormal: Vec3,
    /// δ of the restitution.
    pub drestitution: f64,
    /// δ of the friction.
    pub dfriction: f64,
    /// δ of the rolling resistance; without effect where there is none.
    pub drolling: f64,
}

/// Velocity and spin of one body.
pub type Motion = (Vec3, Vec3);

impl GroupBody {
    pub(in crate::contact) fn is_pushed(&self) -> bool {
        self.inverse_mass != 0.0 || self.inverse_inertia != Mat3::zeros()
    }
}
