//! Volume, centre and moments of inertia of triangles and of what is put together from parts.
//!
//! ```text
//! sums over the tetrahedra (o, a, b, c), one per surface triangle, o any point:                      (4)
//! V = Σ det/6,   ∫x = Σ det/24·s,   ∫x·xᵀ = Σ det/120·(a·aᵀ + b·bᵀ + c·cᵀ + s·sᵀ),
//! det = a·(b × c),  s = a + b + c
//! V = Σ V_k,  J = Σ R·J_k·Rᵀ + V_k·(|d|²·1 − d·dᵀ),  d from the common centre                        (5)
//! ```
//!
//! Parts that overlap count twice where they do. Closed forms are in `shapes`.

use crate::geometry::polyhedra::polytope::{Face, Polytope};
use crate::geometry::settings::ROUNDING;
use crate::math::{Mat3, Rotation, Vec3};

/// Volume, centre and principal moments of a solid of density 1 kg/m³.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeIntegrals {
    /// Volume, m³.
    pub volume: f64,
    /// Centre of mass in the shape's frame, m.
    pub centroid: Vec3,
    /// Principal moments about the centre of mass, at 1 kg/m³.
    pub inertia: Vec3,
    /// Orientation of the principal axes in the shape's frame.
    pub body_from_principal: Rotation,
}

/// (4)
pub(in crate::geometry) fn triangle_integrals(
    origin: Vec3,
    vertices: &[Vec3],
    triangles: impl Iterator<Item = [u32; 3]>,
) -> Option<VolumeIntegrals> {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| vertices[index as usize] - origin);
        let (det, sum) = (a.dot(&b.cross(&c)), a + b + c);
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
        volume += det / 6.0;
        first += sum * (det / 24.0);
        second += (squares + sum * sum.transpose()) * (det / 120.0);
    }
    if !(volume.is_finite() && volume > 0.0) {
        return None;
    }
    let centroid = first / volume;
    let covariance = second - centroid * centroid.transpose() * volume;
    let tensor = Mat3::identity() * covariance.trace() - covariance;
    let (inertia, body_from_principal) = principal_axes(&tensor);
    Some(VolumeIntegrals { volume, centroid: origin + centroid, inertia, body_from_principal })
}

/// (4) for the faces of a polyhedron.
pub(in crate::geometry) fn polytope_integrals(core: &Polytope) -> Option<VolumeIntegrals> {
    let origin = core.vertices.iter().sum::<Vec3>() / core.vertices.len() as f64;
    let fan = |face: &Face| {
        let corners = face.corners.clone();
        (1..corners.len() - 1).map(move |k| [corners[0], corners[k], corners[k + 1]])
    };
    triangle_integrals(origin, &core.vertices, core.faces.iter().flat_map(fan))
}

/// (5) for polyhedra.
pub(in crate::geometry) fn of_polytopes(pieces: &[Polytope]) -> Option<VolumeIntegrals> {
    let all: Option<Vec<VolumeIntegrals>> = pieces.iter().map(polytope_integrals).collect();
    together(&all?)
}

/// (5)
pub(in crate::geometry) fn together(parts: &[VolumeIntegrals]) -> Option<VolumeIntegrals> {
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    let centroid = parts.iter().map(|part| part.centroid * part.volume).sum::<Vec3>() / volume;
    let moved = |part: &VolumeIntegrals| {
        let d = part.centroid - centroid;
        tensor(part) + (Mat3::identity() * d.norm_squared() - d * d.transpose()) * part.volume
    };
    let (inertia, body_from_principal) = principal_axes(&parts.iter().map(moved).sum());
    volume.is_finite().then_some(VolumeIntegrals { volume, centroid, inertia, body_from_principal })
}

/// The moments in the shape's frame.
pub(in crate::geometry) fn tensor(integrals: &VolumeIntegrals) -> Mat3 {
    let axes = integrals.body_from_principal.to_rotation_matrix().into_inner();
    axes * Mat3::from_diagonal(&integrals.inertia) * axes.transpose()
}

/// Principal moments in ascending order and their right-handed axes; the body's own axes where the
/// tensor is diagonal already.
fn principal_axes(tensor: &Mat3) -> (Vec3, Rotation) {
    let largest = tensor.amax();
    let off_diagonal = tensor.m12.abs().max(tensor.m13.abs()).max(tensor.m23.abs());
    if off_diagonal <= ROUNDING * largest {
        return (tensor.diagonal(), Rotation::identity());
    }
    let eigen = (tensor / largest).symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let axis = |index: usize| with_positive_lead(eigen.eigenvectors.column(order[index]).into_owned());
    let (x, y) = (axis(0), axis(1));
    let axes = Mat3::from_columns(&[x, y, x.cross(&y)]);
    let rotation = Rotation::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(axes));
    (Vec3::from_fn(|row, _| eigen.eigenvalues[order[row]] * largest), rotation)
}

/// An eigenvector has no sign of its own: its largest entry is made positive.
fn with_positive_lead(axis: Vec3) -> Vec3 {
    if axis[axis.iamax()] < 0.0 { -axis } else { axis }
}
