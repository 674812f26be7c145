//! What decides how a body moves: two questions that are not each other's opposite.
//!
//! ```text
//!          pushed by forces and impulses    never moves
//! free     yes                              no
//! still    no                               yes
//! ```
//!
//! A body that follows a track of its own is neither. Who asks for a mass, for rows of a Jacobian or for an answer to an
//! impulse asks [`Drive::is_pushed`]; who asks where a body may be, or what to draw, asks [`Drive::never_moves`].

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// Forces and impulses.
    Free,
    /// Nothing: `fixed = true`.
    Still,
}

impl Drive {
    /// Whether forces and impulses change its motion: it has a mass, and rows in every Jacobian.
    pub fn is_pushed(self) -> bool {
        self == Drive::Free
    }

    /// Whether it stays where it is, whatever happens.
    pub fn never_moves(self) -> bool {
        self == Drive::Still
    }
}
