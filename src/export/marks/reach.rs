//! How far a body reaches from a point, so that marks look out of it.
//!
//! ```text
//! reach(P, d) = largest s with P + s·d on a triangle of the body's mesh: P + s·d = A + b·(B − A) + c·(C − A),  b, c, 1 − b − c ≥ 0
//! ```

use nalgebra::Matrix3;

use crate::geometry::Surface;
use crate::math::Vec3;

/// Largest s; none where the ray meets nothing.
pub fn reach(surface: &Surface, point: &Vec3, direction: &Vec3) -> Option<f64> {
    let corner = |index: u32| Vec3::from(surface.positions[index as usize]);
    let meets = |[a, b, c]: &[u32; 3]| {
        let a = corner(*a);
        let solved = Matrix3::from_columns(&[corner(*b) - a, corner(*c) - a, -direction]).lu().solve(&(point - a))?;
        // A ray along an edge belongs to both sides of it.
        let inside = solved.x >= -1e-9 && solved.y >= -1e-9 && solved.x + solved.y <= 1.0 + 1e-9;
        (inside && solved.z > 0.0).then_some(solved.z)
    };
    surface.triangles.iter().filter_map(meets).max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;

    #[test]
    fn a_box_reaches_to_its_faces() {
        let surface = Surface::with_segments(&Shape::Cuboid { half_extents: Vec3::new(0.5, 0.2, 0.1) }, 8).unwrap();
        let point = Vec3::new(0.4, 0.0, 0.05);
        for (direction, expected) in [(Vec3::x(), 0.1), (-Vec3::x(), 0.9), (Vec3::y(), 0.2), (-Vec3::z(), 0.15)] {
            let found = reach(&surface, &point, &direction).unwrap();
            assert!((found - expected).abs() < 1e-12, "{direction}: {found}");
        }
        assert_eq!(reach(&surface, &Vec3::new(2.0, 0.0, 0.0), &Vec3::x()), None);
    }
}
