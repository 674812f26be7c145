//! Forces: what pulls on bodies and turns them.

use super::Given;
use crate::math::Vec3;

/// One `[[force]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// Unique in the scene.
    pub name: String,
    /// The body A it acts on, by its place in the scene's list; a motor's is that of its joint.
    pub first: usize,
    /// The body B that feels the opposite; none for the world. It is not A, and one of the two is pushed by forces.
    pub second: Option<usize>,
    /// Its law.
    pub kind: ForceKind,
    /// Whether the two bodies may touch.
    pub collide: bool,
}

/// The law of a force, with its numbers. Points are as in joints.
#[derive(Clone, Debug, PartialEq)]
pub enum ForceKind {
    /// Between P and Q.
    Spring {
        /// Of the first body.
        point: Vec3,
        /// Of the second body, or a place of the world, which may follow a track.
        second: Given<Vec3>,
        /// N/m, at least 0.
        stiffness: Given<f64>,
        /// N·s/m, at least 0.
        damping: Given<f64>,
        /// At which it does not pull.
        length: RestLength,
    },
    /// Against a turn of the first side against the second.
    TorsionSpring {
        /// N·m/rad, at least 0.
        stiffness: Given<f64>,
        /// N·m·s/rad, at least 0.
        damping: Given<f64>,
        /// R_rel at which it does not pull, as an exponential map, rad; none: that of the start.
        rotation: Option<Given<Vec3>>,
    },
    /// Against velocity and spin of one body.
    Drag {
        /// c₁, N·s/m, at least 0.
        linear: Given<f64>,
        /// c₂, N·s²/m², at least 0.
        quadratic: Given<f64>,
        /// c₃, N·m·s/rad, at least 0.
        angular: Given<f64>,
        /// Of the air, m/s.
        wind: Given<Vec3>,
    },
    /// A force at P and a torque, of one body.
    Push {
        /// Of the body.
        point: Vec3,
        /// N.
        force: Given<Vec3>,
        /// N·m.
        torque: Given<Vec3>,
        /// Whose axes force and torque are in.
        frame: Frame,
    },
    /// About the axis of a hinge, or along that of a slider.
    Motor {
        /// By its place in the scene's list.
        joint: usize,
        /// What it does.
        drive: MotorDrive,
    },
}

impl ForceKind {
    /// The word of files.
    pub fn word(&self) -> &'static str {
        match self {
            ForceKind::Spring { .. } => "spring",
            ForceKind::TorsionSpring { .. } => "torsion_spring",
            ForceKind::Drag { .. } => "drag",
            ForceKind::Push { .. } => "push",
            ForceKind::Motor { .. } => "motor",
        }
    }
}

/// The length at which a spring does not pull, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestLength {
    /// That of the start.
    AtStart,
    /// None: it pulls like −k·d − c·ḋ.
    Zero,
    /// Above 0 where it is constant.
    Given(Given<f64>),
}

/// Whose axes a vector is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Frame {
    World,
    Body,
}

/// What a motor does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MotorDrive {
    /// A torque, N·m; a force along a slider, N.
    Torque(Given<f64>),
    /// gain·(speed − θ̇), at most max_torque either way; none: without limit.
    #[allow(missing_docs, reason = "the names say it")]
    Speed { speed: Given<f64>, gain: Given<f64>, max_torque: Option<Given<f64>> },
    /// Whatever it takes to follow a track of angles, rad, or of travels, m, from the start: a row of a joint.
    Angle(usize),
}
