//! How the window's own things look: colours and sizes, signs, small controls, and the words for numbers.
//!
//! Nothing here knows a motion or a document. The picture of the motion is drawn in `view`.

pub mod icons;
pub mod theme;
pub mod widgets;
pub mod words;
