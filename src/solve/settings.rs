//! What a person may tune of the solver.

/// A wish counts as met within this (m, rad, m/s, …).
pub const MET: f64 = 1e-6;

/// Budget, seed and habits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Steps and rounds of samples together; the usual drag frame has 4, `hattrick solve` 200.
    pub iterations: u32,
    /// Of the samples; another seed tries other jumps.
    pub seed: u64,
    /// Samples in one round: fewer miss narrow ways, more cost as many simulations each.
    pub samples: u32,
    /// Rounds of samples before the way counts as blocked, in fours that grow wider; 0 never jumps.
    pub rounds: u32,
    /// Part of the way to their rest values that free parameters are pulled in one step where wishes leave them free. Near 1 the
    /// pull disturbs wishes that are not linear; 0 leaves parameters where the last step put them.
    pub pull: f64,
    /// The first and longest step in the metric M, roughly metres; where rows prove right, steps grow to ten times that. A longer
    /// one flies over ways that keep the style, a shorter one takes longer to arrive.
    pub longest_step: f64,
    /// Whether the motion after what wishes look at is computed in the end. A drag leaves that for later: what settles
    /// afterwards costs most of a motion.
    pub whole: bool,
    /// What all motions together may cost, counted as `simulation::limits` has it; a million takes about two seconds of one core.
    /// None is the usual: as much as twenty seconds simulate, or two hundred motions like the first where these are slow.
    pub effort: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            iterations: 200,
            seed: 1,
            samples: 48,
            rounds: 16,
            pull: 0.25,
            longest_step: 1.0,
            whole: true,
            effort: None,
        }
    }
}

/// What a solve asks whoever waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Before an iteration, with how many were made.
    Step(u32),
    /// Before another length of the same step, where the longer ones did not help. A step that is broken off counts as
    /// never begun.
    Length,
    /// In the middle of a round of samples, which is long. A round that is broken off counts as never begun.
    Sample,
    /// In the middle of a motion, again and again; once the answer was no it must not be yes. The iteration counts as never begun.
    Motion,
    /// In the middle of the rest of the motion, which no wish looks at. Without it the motion is known as far as they look.
    Rest,
}

/// Whether to go on; asked from several threads.
pub type GoOn<'a> = &'a (dyn Fn(Ask) -> bool + Sync);

/// Nobody waits for it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unwanted;
