//! What decides how a body moves: two questions that are not each other's opposite.
//!
//! ```text
//!          pushed by forces and impulses    never moves
//! free     yes                              no
//! still    no                               yes
//! guided   no                               no
//! ```
//!
//! A guided body follows tracks of its own: it pushes others and feels nothing (a kinematic body). Who asks for a mass, for rows of
//! a Jacobian or for an answer to an impulse asks [`Drive::is_pushed`]; who asks where a body may be, or what to draw, asks
//! [`Drive::never_moves`].

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// Forces and impulses.
    Free,
    /// Nothing: `fixed = true`.
    Still,
    /// Tracks: `moved = { … }`.
    Guided(Guide),
}

/// The tracks that a body follows, by their places; what has none stays as the body begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// Of places of its centre of mass.
    pub position: Option<usize>,
    /// Of exponential maps.
    pub rotation: Option<usize>,
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

    /// The tracks that it follows, if it does.
    pub fn guide(self) -> Option<Guide> {
        match self {
            Drive::Guided(guide) => Some(guide),
            Drive::Free | Drive::Still => None,
        }
    }
}

impl Guide {
    /// The tracks, each once where it serves twice.
    pub fn tracks(self) -> impl Iterator<Item = usize> {
        let rotation = self.rotation.filter(|_| self.rotation != self.position);
        self.position.into_iter().chain(rotation)
    }
}
