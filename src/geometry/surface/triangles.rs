//! Triangles with normals, and how sets of them are moved, scaled and joined.

use crate::math::Vec3;

/// A triangle mesh with a normal for each vertex, in the body frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Vertices, m.
    pub positions: Vec<[f64; 3]>,
    /// Outward unit normals, one for each vertex.
    pub normals: Vec<[f64; 3]>,
    /// Indices of three vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// With all lengths multiplied.
    pub fn scaled(mut self, scale: f64) -> Surface {
        self.positions.iter_mut().flatten().for_each(|entry| *entry *= scale);
        self
    }

    /// Adds another surface, moved; what a compound is made of.
    pub fn append(&mut self, other: &Surface, offset: Vec3) {
        let first = self.positions.len() as u32;
        let moved = |position: &[f64; 3]| <[f64; 3]>::from(Vec3::from(*position) + offset);
        self.positions.extend(other.positions.iter().map(moved));
        self.normals.extend_from_slice(&other.normals);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
    }

    /// Moved.
    pub(super) fn moved(mut self, offset: Vec3) -> Surface {
        for position in &mut self.positions {
            *position = (Vec3::from(*position) + offset).into();
        }
        self
    }

    pub(super) fn push(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.positions.push(position.into());
        self.normals.push(normal.into());
        self.positions.len() as u32 - 1
    }
}
