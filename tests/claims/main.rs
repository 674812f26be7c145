//! Claims about the whole program, one module per claim.

mod bad_input;
mod bounds;
mod closed_form;
mod conservation;
mod derivatives;
mod determinism;
mod editing;
mod export;
mod held;
mod jacobians;
mod journals;
mod leaning;
mod memory;
mod pictures;
mod property;
mod random;
mod reference;
mod rolling;
mod scenes;
mod settling;
mod stacking;
mod support;
mod tampering;
mod things;
mod tidy;
mod tunnelling;
