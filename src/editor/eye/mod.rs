//! From where the motion is looked at, and at what of it: the camera and how it is moved, the playhead, the selection,
//! and what is under the pointer.
//!
//! Drawing what is seen is `view`; taking hold of it is `drag`.

pub mod camera;
pub mod navigation;
pub mod pick;
pub mod view;
