//! Claims about the whole program, one module per claim.

mod closed_form;
mod conservation;
mod property;
mod random;
mod reference;
mod support;
mod tunnelling;
