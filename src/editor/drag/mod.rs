//! Taking hold of what is in the picture: bodies, their handles and nails, from the press of the button until what is left
//! unmet when the hand lets go.
//!
//! What is held and wished is drawn by `view`; the solver that follows the hand runs in `work`.

pub mod aim;
pub mod flash;
pub mod grasp;
pub mod grip;
pub mod hands;
pub mod held;
pub mod nail_mark;
pub mod obstacle;
pub mod pulling;
pub mod unmet;
