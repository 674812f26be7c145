//! What a motion may cost, and whether anybody still waits for it.
//!
//! ```text
//! effort = steps of searches + CONTACT·Σ contacts·(iterations of the contact solver + 1)                          (1)
//! ```
//!
//! The simulation reads no clock. It counts (1), which is the same on every machine, and asks whoever waits whether to go on. Where
//! either ends it there is no motion at all: no result depends on when the answer came.

use super::trajectory::Work;

/// One contact in one iteration of the contact solver costs as much as so many steps of a search.
const CONTACT: u64 = 2;

/// Whether to go on; once it says no it goes on saying so.
pub type Wanted<'a> = &'a dyn Fn() -> bool;

/// What a motion may cost.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// (1) at most.
    pub effort: u64,
    /// Asked again and again on the way.
    pub wanted: Wanted<'a>,
}

/// Why there is no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenOff {
    /// It costs more than it may.
    TooDear,
    /// Nobody waits for it any more.
    Unwanted,
}

/// What one search may cost.
#[derive(Clone, Copy)]
pub(super) struct SearchLimit<'a> {
    /// Steps at most.
    pub steps: u64,
    /// Asked again and again on the way.
    pub wanted: Wanted<'a>,
}

impl Limits<'_> {
    /// All that the scene allows.
    pub const NONE: Limits<'static> = Limits { effort: u64::MAX, wanted: &|| true };
}

impl SearchLimit<'_> {
    /// As long as it takes.
    #[cfg(test)]
    pub const NONE: SearchLimit<'static> = SearchLimit { steps: u64::MAX, wanted: &|| true };
    /// Steps between two questions.
    const PATIENCE: u64 = 256;

    /// Whether to go on after so many steps.
    pub fn goes_on(&self, steps: u64) -> bool {
        !steps.is_multiple_of(Self::PATIENCE) || (self.wanted)()
    }
}

impl Work {
    /// (1).
    pub fn effort(&self) -> u64 {
        self.search_steps + CONTACT * self.contact_iterations
    }
}
