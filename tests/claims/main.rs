//! Claims about the whole program, one module per claim.

#![allow(clippy::disallowed_methods, reason = "closed forms may take the platform's functions")]

mod bad_input;
mod bounds;
mod circles;
mod closed_form;
mod conservation;
mod derivatives;
mod determinism;
mod editing;
mod eggs;
mod export;
mod export_any;
mod export_nails;
mod hashes;
mod held;
mod jacobians;
mod journals;
mod leaning;
mod machines;
mod memory;
mod particle;
mod pictures;
mod property;
mod random;
mod reference;
mod rolling;
mod round;
mod scenes;
mod settling;
mod solving;
mod stacking;
mod support;
mod tampering;
mod tampering_rest;
mod things;
mod tidy;
mod tunnelling;
mod whirl;
