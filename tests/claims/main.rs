//! Claims about the whole program, one module per claim.

mod held;
mod reference;
mod support;
