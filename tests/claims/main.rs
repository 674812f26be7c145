//! Claims about the whole program, one module per claim.

mod reference;
mod support;
