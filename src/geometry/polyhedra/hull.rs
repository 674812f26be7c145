//! The polytope of a set of points: their convex hull, with triangles of one plane merged into polygons.

use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::shape::ConvexPolyhedron;

use super::hull_mesh::hull_mesh;
use super::polytope::{Face, Polytope};
use crate::geometry::settings::ROUNDING;
use crate::math::Vec3;

impl Polytope {
    /// The convex hull of points; `None` where they span no volume.
    pub fn hull(points: &[Vec3]) -> Option<Self> {
        let (points, triangles) = hull_mesh(points)?;
        let flat = |polytope: &Self| polytope.flatness() <= ROUNDING * polytope.radius;
        let triangulated = || Self::from_faces(points.clone(), triangles.iter().map(|t| t.to_vec()).collect());
        let merged = Self::merged_hull(&points, &triangles).filter(flat);
        let polytope = merged.unwrap_or_else(triangulated);
        polytope.is_closed().then_some(polytope)
    }

    /// The hull with triangles merged into polygons, which parry does up to an angle.
    fn merged_hull(points: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let hull = ConvexPolyhedron::from_convex_mesh(points, triangles)?;
        let vertices = hull.points().iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
        let loops = hull.faces().iter().map(|face| {
            let first = face.first_vertex_or_edge as usize;
            hull.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize].to_vec()
        });
        let polytope = Self::from_faces(vertices, loops.collect());
        polytope.is_closed().then_some(polytope)
    }

    /// How far (m) any corner lies off the plane of its face.
    fn flatness(&self) -> f64 {
        let off = |face: &Face| {
            let height = |&corner: &u32| face.offset - face.normal.dot(&self.vertices[corner as usize]);
            face.corners.iter().map(height).fold(0.0, f64::max)
        };
        self.faces.iter().map(off).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::sin;

    #[test]
    fn a_random_hull_obeys_euler() {
        for seed in 0..50 {
            let points: Vec<Vec3> = (0..24)
                .map(|k| {
                    let a = (seed * 24 + k) as f64;
                    Vec3::new(sin(a * 12.9898), sin(a * 78.233), sin(a * 37.719))
                })
                .collect();
            let hull = Polytope::hull(&points).unwrap();
            assert_eq!(hull.vertices.len() + hull.faces.len(), hull.edges.len() + 2, "seed {seed}");
        }
    }

    #[test]
    fn flat_points_have_no_hull() {
        let points: Vec<Vec3> = (0..6).map(|k| Vec3::new(k as f64, (k * k) as f64, 0.0)).collect();
        assert!(Polytope::hull(&points).is_none());
    }
}
