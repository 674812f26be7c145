//! The edits, as they stand in a journal: one JSON object a line.
//!
//! ```text
//! {"edit":"grab","body":"egg","at":0.8}                 {"edit":"move","target":[1.0,0.5,0.0],"iterations":8}
//! {"edit":"release"}                                    {"edit":"nail","nail":{"body":"egg","at":"end","inside":{"body":"bucket"}}}
//! ```

use serde::{Deserialize, Serialize};

use crate::scene::{Nail, When};

/// One change a person makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "lowercase", deny_unknown_fields)]
pub enum Edit {
    /// Takes a body in hand, at a time or at an event.
    Grab {
        /// Its name.
        body: String,
        /// When.
        at: When,
        /// A point of it, from its centre of mass in its own axes, m.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        point: Option<[f64; 3]>,
        /// What is dragged.
        #[serde(default, skip_serializing_if = "Quantity::is_position")]
        what: Quantity,
    },
    /// Pulls what is in hand towards a target.
    Move {
        /// m, rad (exponential map), m/s or rad/s.
        target: [f64; 3],
        /// Steps of the solver; in a journal, those that were made.
        iterations: u32,
        /// Of the samples.
        #[serde(default, skip_serializing_if = "is_zero")]
        seed: u64,
    },
    /// Lets go: the drag is one step of the history.
    Release,
    /// Lets go and puts everything back.
    Cancel,
    /// Adds a nail; with an index replaces that one, or removes it where no nail is given.
    Nail {
        /// The nail.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nail: Option<Box<Nail>>,
        /// Counted from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
    /// Meets the nails.
    Solve {
        /// Steps of the solver; in a journal, those that were made.
        iterations: u32,
        /// Of the samples.
        #[serde(default, skip_serializing_if = "is_zero")]
        seed: u64,
    },
    /// Gives a parameter a value.
    Set {
        /// Its name.
        parameter: String,
        /// Its value.
        value: f64,
    },
    /// Lets the solver change a parameter or group.
    Free {
        /// Its name.
        parameter: String,
        /// High is reluctant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f64>,
        /// Least and greatest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bounds: Option<[f64; 2]>,
        /// The value it would like to keep.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<f64>,
    },
    /// Keeps the solver from changing a parameter or group.
    Lock {
        /// Its name.
        parameter: String,
    },
    /// Changes how a parameter or group is treated; what is left out stays.
    Control {
        /// Its name.
        parameter: String,
        /// Whether the solver may change it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        free: Option<bool>,
        /// High is reluctant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f64>,
        /// Least and greatest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bounds: Option<[f64; 2]>,
        /// The value it would like to keep.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<f64>,
    },
    /// Takes another text for the whole scene.
    Text {
        /// TOML.
        text: String,
    },
    /// Goes back one step.
    Undo,
    /// Goes forward again.
    Redo,
}

/// What a drag drags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Of the centre of mass, or of a point.
    #[default]
    Position,
    /// Exponential map.
    Rotation,
    /// Of the centre of mass, or of a point.
    Velocity,
    /// Angular velocity.
    Spin,
}

impl Edit {
    /// Whether it may come between grab and release.
    pub(super) fn fits_a_grab(&self) -> bool {
        matches!(self, Edit::Move { .. } | Edit::Release | Edit::Cancel | Edit::Grab { .. })
    }
}

impl Quantity {
    fn is_position(&self) -> bool {
        *self == Quantity::Position
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(seed: &u64) -> bool {
    *seed == 0
}
