//! The time grid of lasting contact: when the steps of held groups end.
//!
//! ```text
//! width = step/2^h,     next(t) = (⌊t/width⌋ + 1)·width, or the end of time
//! ```
//!
//! The grid begins at time 0 and nothing moves it: no impact, no parameter. So steps that nothing cuts end at times that do
//! not depend on u. Cells are halved h times where a step of the whole width would miss too much.

use crate::simulation::settings::SAME_END;

/// The width of a cell (s) halved so many times.
pub fn halved(step: f64, halvings: u32) -> f64 {
    step / f64::from(1 << halvings)
}

/// The next point of the grid after `t`, with its cells halved so many times; all in seconds.
pub fn next_time(step: f64, duration: f64, t: f64, halvings: u32) -> f64 {
    let width = halved(step, halvings);
    let cell = (t / width + SAME_END).floor();
    let next = (cell + 1.0) * width;
    if next + SAME_END * width >= duration { duration } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_that_of_time_zero_and_ends_with_time() {
        assert_eq!(next_time(0.25, 10.0, 0.0, 0), 0.25);
        assert_eq!(next_time(0.25, 10.0, 0.3, 0), 0.5);
        assert_eq!(next_time(0.25, 10.0, 0.3, 2), 0.3125);
        assert_eq!(next_time(0.25, 10.0, 0.25 - 1e-9, 0), 0.5);
        assert_eq!(next_time(0.25, 10.0, 9.9, 0), 10.0);
        // A cell that rounding would leave at the end is none.
        assert_eq!(next_time(0.25, 10.0f64.next_up(), 9.9, 0), 10.0f64.next_up());
    }
}
