//! The engine: what happens next, and what comes of it.
//!
//! Each part of the engine's state is a file with private fields; what the engine does with them is the rest, in order of
//! dependency. `state` holds the parts together.
//!
//! | part | keeps |
//! |---|---|
//! | `agenda` | the queue of what comes next, and the searches that wait in it |
//! | `runners` | how each body moves now, whom it could meet, how long it has been quiet |
//! | `encounters` | which pairs touch and are held, and how often each has met |
//! | `steps` | the steps that groups are taking, and what their contacts did in the last one |
//! | `record` | what the trajectory will tell: phases, events, the tape |
//! | `budget` | what it cost so far, and where that ends a run |
//!
//! | what it does | |
//! |---|---|
//! | `watching` | searches for the next meeting of every pair |
//! | `telling`, `recording` | events, and decisions on the tape |
//! | `step_closing` | what else closes inside a step |
//! | `cut` | ends steps early |
//! | `impacts` | what happens at a meeting |
//! | `lying`, `sleep` | the end of a whirl, the end of motion |
//! | `holding` | who flies and who is held; steps begin and end |
//! | `run` | windows of time, and the queue |

mod agenda;
mod budget;
mod cut;
mod encounters;
mod holding;
mod impacts;
mod lying;
mod machines;
mod record;
mod recording;
mod run;
mod runners;
mod sleep;
mod state;
mod step_closing;
mod steps;
mod switching;
mod telling;
mod watching;

pub use run::run;
