//! The triangles of all bodies of a scene, in the form in which the graphics card takes them.

use crate::geometry::Surface;

/// Position and normal of every vertex: six numbers each.
pub type Vertices = Vec<[f32; 6]>;

/// The triangles of all bodies of a scene; a new scene has a new number.
#[derive(Debug, Default)]
pub struct Meshes {
    /// Tells two sets apart.
    pub number: u64,
    /// Of all bodies, one after the other.
    pub vertices: Vertices,
    /// Three to a triangle.
    pub indices: Vec<u32>,
    /// Each body's range of `indices`.
    pub ranges: Vec<std::ops::Range<u32>>,
}

impl Meshes {
    /// The triangles of surfaces; bodies without one have an empty range.
    pub fn new(number: u64, surfaces: &[Option<Surface>]) -> Meshes {
        let mut meshes = Meshes { number, ..Meshes::default() };
        for surface in surfaces {
            let start = meshes.indices.len() as u32;
            if let Some(surface) = surface {
                let first = meshes.vertices.len() as u32;
                let pairs = surface.positions.iter().zip(&surface.normals);
                meshes
                    .vertices
                    .extend(pairs.map(|(p, n)| [p[0], p[1], p[2], n[0], n[1], n[2]].map(|entry| entry as f32)));
                meshes.indices.extend(surface.triangles.iter().flatten().map(|index| index + first));
            }
            meshes.ranges.push(start..meshes.indices.len() as u32);
        }
        meshes
    }
}
