//! What stands around the 3D view: the bar at the top, the time line, plots, the inspector and its parts, messages.
//!
//! Each is a function that shows what it is given and returns what was asked; `app` carries it out. What comes up only when
//! asked for is in `dialogs`.

pub mod inspector;
pub mod ledger;
pub mod machine;
pub mod menu;
pub mod messages;
pub mod nails;
pub mod parameters;
pub mod plots;
pub mod shape_fields;
pub mod timeline;
