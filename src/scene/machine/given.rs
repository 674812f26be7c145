//! A number or vector that stays, or follows a track.

/// A value, or where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<T> {
    /// The same at all times.
    Constant(T),
    /// That of the track at this place in the scene's list, whose values are of the same size.
    Track(usize),
}

impl<T: Copy> Given<T> {
    /// The value that stays, if it does.
    pub fn constant(&self) -> Option<T> {
        match self {
            Given::Constant(value) => Some(*value),
            Given::Track(_) => None,
        }
    }

    /// The track it follows, if it does.
    pub fn track(&self) -> Option<usize> {
        match self {
            Given::Constant(_) => None,
            Given::Track(track) => Some(*track),
        }
    }
}
