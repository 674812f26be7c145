//! Bodies with curved surfaces of their own: cylinders, cones and eggs.

pub mod cylinder;
pub mod egg;
pub mod kinds;

pub use kinds::Curved;
