//! The functions of joints and springs that an expression may use, by name, and which of them have what.

use super::ExpressionFault;
use crate::math::formula::Shape;
use crate::model::Model;
use crate::scene::{ForceKind, JointKind, nearest};

/// What is read of a joint or a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Force,
    Torque,
    Off,
    Angle,
    Travel,
    Length,
}

/// Of which one, by its place in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Joint(usize),
    Force(usize),
}

/// All names, for advice.
pub(super) const MEASURES: &[&str] = &["force", "torque", "off", "angle", "travel", "length"];

impl Measure {
    pub fn named(name: &str) -> Option<Measure> {
        Some(match name {
            "force" => Measure::Force,
            "torque" => Measure::Torque,
            "off" => Measure::Off,
            "angle" => Measure::Angle,
            "travel" => Measure::Travel,
            "length" => Measure::Length,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        MEASURES[self as usize]
    }

    pub fn shape(self) -> Shape {
        match self {
            Measure::Force | Measure::Torque => Shape::Vector,
            Measure::Off | Measure::Angle | Measure::Travel | Measure::Length => Shape::Scalar,
        }
    }

    /// What has it.
    fn takes(self) -> &'static str {
        match self {
            Measure::Force | Measure::Torque | Measure::Off => "a joint",
            Measure::Angle => "a hinge",
            Measure::Travel => "a slider",
            Measure::Length => "a distance, a rope or a spring",
        }
    }

    /// The joint or spring of a name, if it has this.
    pub fn part(self, model: &Model, name: &str) -> Result<Part, ExpressionFault> {
        let machine = model.machine();
        let unfit = |kind: &str| ExpressionFault::NotOf {
            name: name.to_owned(),
            kind: kind.to_owned(),
            function: self.name(),
            takes: self.takes(),
        };
        if let Some(place) = machine.joints.iter().position(|joint| joint.name == name) {
            let joint = &machine.joints[place];
            let fits = match self {
                Measure::Force | Measure::Torque | Measure::Off => true,
                Measure::Angle => matches!(joint.kind, JointKind::Hinge { .. }),
                Measure::Travel => matches!(joint.kind, JointKind::Slider { .. }),
                Measure::Length => matches!(joint.kind, JointKind::Distance { .. } | JointKind::Rope { .. }),
            };
            return if fits { Ok(Part::Joint(place)) } else { Err(unfit(joint.kind.word())) };
        }
        if let Some(place) = machine.forces.iter().position(|force| force.name == name) {
            let force = &machine.forces[place];
            let fits = self == Measure::Length && matches!(force.kind, ForceKind::Spring { .. });
            return if fits { Ok(Part::Force(place)) } else { Err(unfit(force.kind.word())) };
        }
        if model.body(name).is_some() {
            return Err(unfit("body"));
        }
        let joints = machine.joints.iter().map(|joint| joint.name.as_str());
        let nearest = nearest(name, joints.chain(machine.forces.iter().map(|force| force.name.as_str())));
        let nearest = nearest.map(str::to_owned);
        Err(ExpressionFault::UnknownPart { name: name.to_owned(), nearest, takes: self.takes() })
    }

    /// The unit of its values.
    pub fn unit(self, model: &Model, part: Part) -> &'static str {
        match (self, part) {
            (Measure::Force, _) => "N",
            (Measure::Torque, _) => "N m",
            (Measure::Angle, _) => "rad",
            (Measure::Travel | Measure::Length, _) => "m",
            (Measure::Off, Part::Force(_)) => "",
            (Measure::Off, Part::Joint(joint)) => match &model.machine().joints[joint].kind {
                JointKind::Orientation { .. } | JointKind::FullOrientation { .. } => "rad",
                // Lengths and angles together have no unit.
                JointKind::Hinge { .. } | JointKind::Slider { .. } | JointKind::Weld => "",
                _ => "m",
            },
        }
    }
}
