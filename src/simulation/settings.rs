//! Numbers that several files of the simulation, or later rooms, go by; those that one file needs stand in it.
//!
//! Lengths are measured against [`TOUCHING`](crate::geometry::TOUCHING): what is nearer touches. Metres and seconds are those of the
//! scene's own units (`model::units`).

/// Contacts with a gap of at most this (m) happen at the same instant: a tenth of what counts as touching. With more, blows that
/// follow each other would be one; with less, faces that land flat would land corner by corner.
pub const SIMULTANEOUS: f64 = 1e-9;

/// An approach slower than this (m/s) has no usable time derivative: the time divides by the speed. The usual impact is a
/// million times faster. With more, slow impacts lose their derivative; with less, derivatives lose their digits.
pub const GRAZING: f64 = 1e-6;

/// No body turns further (rad) than this in a held step, unless it looks the same however it turns. A step is of second order
/// in the turn; half of it costs twice the steps of fast spins.
pub(crate) const LARGEST_TURN: f64 = 0.05;
