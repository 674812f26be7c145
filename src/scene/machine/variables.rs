//! Variables: numbers with names.

/// One entry of `[variables]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique in the scene.
    pub name: String,
    /// What the file says.
    pub value: f64,
}
