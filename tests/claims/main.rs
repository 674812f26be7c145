//! Claims about the whole program, one module per claim.

mod bad_input;
mod closed_form;
mod conservation;
mod determinism;
mod held;
mod memory;
mod property;
mod random;
mod reference;
mod scenes;
mod support;
mod tidy;
mod tunnelling;
