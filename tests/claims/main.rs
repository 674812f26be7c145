//! Claims about the whole program, one module per claim.

mod property;
mod random;
mod reference;
mod support;
