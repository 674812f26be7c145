//! Reading files of triangles: OBJ, STL and glTF, told apart by their names' endings.
//!
//! Only corners and faces are read. Everything is bounded before memory is taken for it: bytes, corners, triangles.

mod gltf;
mod obj;
mod stl;

use std::cell::Cell;
use std::path::Path;

use thiserror::Error;

use super::limits;
use crate::files::{self, Reach, ReadFault, within};
use crate::geometry::mesh::MeshFault;
use crate::math::Vec3;

/// Corners and triangles as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RawMesh {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Why a file of triangles cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum MeshProblem {
    /// The operating system refused.
    #[error("cannot read {file}: {reason}")]
    Unreadable { file: String, reason: String },
    /// A name that leads to somewhere else on the disk.
    #[error("{file} leads out of the scene's folder; copy it there, or allow such files with --allow-outside")]
    LeadsOutside { file: String },
    /// An ending that no reader has.
    #[error("{file} is not named .obj, .stl, .gltf or .glb; save it as one of these")]
    UnknownEnding { file: String },
    /// Nothing in it but blanks.
    #[error("{file} is empty; export it again")]
    EmptyFile { file: String },
    /// Longer than any mesh.
    #[error("{file} is too long; save a mesh of at most {} MB", .limit / 1_000_000)]
    TooLarge { file: String, limit: u64 },
    /// More triangles than any mesh.
    #[error("{file} has {found} or more triangles; simplify it to at most {limit}")]
    TooMany { file: String, found: usize, limit: usize },
    /// Something the reader does not understand.
    #[error("{file}, {place}: {what}")]
    Syntax { file: String, place: String, what: String },
    /// Understood, but no body.
    #[error("{file} {}", explanation(.fault))]
    NoBody { file: String, fault: MeshFault },
}

fn explanation(fault: &MeshFault) -> &'static str {
    match fault {
        MeshFault::Empty => "has no triangle with an area",
        MeshFault::Flat => "spans no volume; its triangles lie in one plane, or nearly",
        MeshFault::NoPieces => "could not be cut into convex pieces; simplify it, or write its parts as a compound",
    }
}

/// A fault at a place of a file, before the file's name is known.
pub(super) type Fault = (String, String);

/// Reads the triangles of a file that a scene in a folder names.
pub(super) fn read(folder: (&Path, Reach), name: &str) -> Result<RawMesh, MeshProblem> {
    let file = || name.to_owned();
    let path = Path::new(name);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let bytes = || read_bytes(folder, path, name);
    let mesh = match ending.as_str() {
        "obj" => obj::read(&bytes()?),
        "stl" => stl::read(&bytes()?),
        "gltf" | "glb" => {
            // Seen from the mesh, but held to the folder of the scene.
            let outside = Cell::new(None);
            let beside = |name: &str| {
                read_bytes(folder, &path.with_file_name(name), name).map_err(|problem| {
                    let fault = (format!("buffer {name:?}"), problem.to_string());
                    outside.set(Some(problem).filter(MeshProblem::is_of_reach));
                    fault
                })
            };
            let mesh = gltf::read(&bytes()?, &beside);
            match outside.take() {
                Some(problem) => return Err(problem),
                None => mesh,
            }
        }
        _ => return Err(MeshProblem::UnknownEnding { file: file() }),
    };
    let mesh = mesh.map_err(|(place, what)| MeshProblem::Syntax { file: file(), place, what })?;
    if mesh.triangles.len() > limits::TRIANGLES {
        let (found, limit) = (mesh.triangles.len(), limits::TRIANGLES);
        return Err(MeshProblem::TooMany { file: file(), found, limit });
    }
    Ok(mesh)
}

fn read_bytes((folder, reach): (&Path, Reach), name: &Path, shown: &str) -> Result<Vec<u8>, MeshProblem> {
    let file = || shown.to_owned();
    let path = within(folder, name, reach).map_err(|_| MeshProblem::LeadsOutside { file: file() })?;
    let bytes = files::read(&path, limits::MESH_BYTES).map_err(|fault| match fault {
        ReadFault::TooLong(limit) => MeshProblem::TooLarge { file: file(), limit },
        fault => MeshProblem::Unreadable { file: file(), reason: fault.to_string() },
    })?;
    if bytes.trim_ascii().is_empty() {
        return Err(MeshProblem::EmptyFile { file: file() });
    }
    Ok(bytes)
}

impl MeshProblem {
    /// Whether it is one that a person may allow.
    pub fn is_of_reach(&self) -> bool {
        matches!(self, MeshProblem::LeadsOutside { .. })
    }
}

impl RawMesh {
    /// Adds a polygon as a fan of triangles; false once there are more than any mesh has, where reading may stop.
    fn add_polygon(&mut self, corners: &[u32]) -> bool {
        for k in 1..corners.len().saturating_sub(1) {
            self.triangles.push([corners[0], corners[k], corners[k + 1]]);
        }
        self.triangles.len() <= limits::TRIANGLES
    }
}

/// A point of finite, moderate numbers.
fn point(numbers: [f64; 3]) -> Result<Vec3, String> {
    let fits = |x: &f64| limits::LENGTH.contains(*x);
    if numbers.iter().all(fits) {
        return Ok(Vec3::from(numbers));
    }
    Err(format!("{numbers:?} is no point; write finite numbers {}", limits::LENGTH))
}

#[cfg(test)]
mod tests;
