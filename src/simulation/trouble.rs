//! What there is to tell a person of machines, and in which words.
//!
//! The motion goes on in every case: these are things to know. Which of them a motion has is `examining`.

use crate::dynamics::joined::Owner;
use crate::model::World;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TroubleKind {
    /// Some of the joints could go: the others say the same.
    Redundant,
    /// No motion obeys them all.
    Conflicting,
    /// A little more, and they would be one of these.
    NearlySingular,
    /// A spring makes the motion dear.
    Stiff {
        /// What it needs, 1/s.
        steps_per_second: f64,
    },
}

/// One thing to tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// From when on, s.
    pub t: f64,
    /// What is wrong.
    pub kind: TroubleKind,
    /// With what: joints, and motors that keep rows; or a spring.
    pub parts: Vec<Owner>,
}

impl TroubleKind {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            TroubleKind::Redundant => "redundant",
            TroubleKind::Conflicting => "conflicting",
            TroubleKind::NearlySingular => "nearly_singular",
            TroubleKind::Stiff { .. } => "stiff",
        }
    }
}

impl Trouble {
    /// The names of its parts.
    pub fn names<'a>(&self, world: &'a World) -> Vec<&'a str> {
        self.parts.iter().filter_map(|part| name(world, *part)).collect()
    }

    /// Whether it is about a joint.
    pub fn concerns(&self, joint: usize) -> bool {
        self.parts.contains(&Owner::Joint(joint))
    }

    /// As a person is told.
    pub fn sentence(&self, world: &World) -> String {
        let names = listed(&self.names(world));
        let when = if self.t > 0.0 { format!(" from {:.6} s on", self.t) } else { String::new() };
        let alone = self.parts.len() == 1;
        match self.kind {
            TroubleKind::Redundant if alone => {
                format!(
                    "{names} asks for something twice{when}; the motion is right, its forces are one choice of many"
                )
            }
            TroubleKind::Redundant => format!(
                "{names} ask for the same{when}; the motion is right, but how they share their forces is one choice of many: \
                 a joint fewer, or one of a simpler kind, would decide it"
            ),
            TroubleKind::Conflicting => format!(
                "{names} contradict each other{when}: nothing moves as all of them ask. The motion is a compromise; switch one \
                 off, or put their points and axes where all can hold"
            ),
            TroubleKind::NearlySingular => format!(
                "{names} hardly leave each other room{when}, as an arm that is nearly straight; forces there are large, and \
                 small changes matter much"
            ),
            TroubleKind::Stiff { steps_per_second } => format!(
                "{names} is so stiff that the motion takes {steps_per_second:.0} steps a second{when}; make it softer, add \
                 mass, or join the bodies instead"
            ),
        }
    }
}

fn name(world: &World, part: Owner) -> Option<&str> {
    match part {
        Owner::Joint(joint) => world.machine.joints.get(joint).map(|joint| joint.name.as_str()),
        Owner::Force(force) => world.machine.forces.get(force).map(|force| force.name.as_str()),
        Owner::Key(..) => None,
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => "something".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
