//! Which files a file may name: those in its own folder and below it, unless a person allows others.
//!
//! Whoever opens a scene from somewhere else does not expect it to look around on the disk. Names lead out through `..`,
//! as absolute paths, or through links; links count by where they lead.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// How far the names in a file may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Into its own folder and those below.
    #[default]
    Folder,
    /// Everywhere: somebody allowed it.
    Anywhere,
}

/// A name that leads out of the folder of the file it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadsOutside;

/// The path of what a file in `folder` calls `name`.
pub fn within(folder: &Path, name: &Path, reach: Reach) -> Result<PathBuf, LeadsOutside> {
    let path = folder.join(name);
    let is_inside = match (fs::canonicalize(shown(folder)), fs::canonicalize(&path)) {
        (Ok(folder), Ok(found)) => found.starts_with(folder),
        // What is not there leads nowhere; where links cannot be followed there are none. The name decides.
        _ => stays_inside(folder, name),
    };
    if is_inside || reach == Reach::Anywhere { Ok(path) } else { Err(LeadsOutside) }
}

/// The folder of a path without one is the current one.
pub(super) fn shown(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Whether the steps of a name never go above the folder they begin in.
fn stays_inside(folder: &Path, name: &Path) -> bool {
    let below = if name.is_absolute() {
        let absolute = std::path::absolute(shown(folder)).unwrap_or_else(|_| folder.to_owned());
        name.strip_prefix(absolute).ok()
    } else {
        Some(name)
    };
    let deeper = |depth: usize, step: Component| match step {
        Component::Normal(_) => Some(depth + 1),
        Component::CurDir => Some(depth),
        Component::ParentDir => depth.checked_sub(1),
        Component::RootDir | Component::Prefix(_) => None,
    };
    below.is_some_and(|below| below.components().try_fold(0, deeper).is_some())
}
