//! Triangles of bodies that are made of pieces: with flat sides, cylinders and cones, eggs, balls, capsules; and of meshes.
//!
//! Pieces are drawn as they collide, round or with flat sides; only the normals of flat ones are rounded: where vertices of
//! several faces coincide, each face's normal is replaced by the mean of those within `CREASE` of it.

use std::collections::BTreeMap;

use super::round::{ball, capsule, egg_profile, revolved};
use super::triangles::Surface;
use crate::geometry::curved::cylinder::body::Round;
use crate::geometry::mesh::triangles::Mesh;
use crate::geometry::polyhedra::polytope::Polytope;
use crate::geometry::pose::Pose;
use crate::geometry::settings::SAME_PLACE;
use crate::geometry::solid::Solid;
use crate::math::{Vec3, rotation};

/// Cosine of the angle between faces from which an edge stays sharp: 40°.
const CREASE: f64 = 0.766;

/// The surface of all pieces of a solid.
pub(in crate::geometry) fn of_solid(solid: &Solid, segments: u32) -> Surface {
    let mut surface = Surface::default();
    match solid {
        Solid::Convex { .. } => of_convex(solid, segments, |_| true, &mut surface),
        Solid::Compound(compound) => compound
            .pieces
            .iter()
            .for_each(|piece| of_convex(&piece.solid, segments, |face| !piece.is_covered(face), &mut surface)),
        Solid::HalfSpace(_) => {}
    }
    round_normals(&mut surface, SAME_PLACE * solid.reach());
    surface
}

/// The triangles of a mesh, in its file's frame.
pub(in crate::geometry) fn of_mesh(mesh: &Mesh) -> Surface {
    let mut surface = Surface::default();
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|corner| mesh.positions[corner as usize]);
        let normal = (b - a).cross(&(c - a)).normalize();
        let numbers = [a, b, c].map(|corner| surface.push(corner, normal));
        surface.triangles.push(numbers);
    }
    let reach = mesh.positions.iter().map(|p| p.norm()).fold(0.0, f64::max);
    round_normals(&mut surface, SAME_PLACE * reach);
    surface
}

/// The surface of a convex solid, but for the faces that are not shown.
fn of_convex(solid: &Solid, segments: u32, shown: impl Fn(u32) -> bool, surface: &mut Surface) {
    let Solid::Convex { core, radius } = solid else { return };
    if let Some(round) = core.as_round() {
        return round_surface(round, segments, shown, surface);
    }
    if let Some(egg) = core.as_egg() {
        let straight = revolved(&egg_profile(egg.radius, egg.tip, egg.base, segments), segments);
        return surface.append(&upright_along(straight, &egg.axis), egg.center);
    }
    match core.vertices[..] {
        [center] => surface.append(&ball(*radius, segments), center),
        [low, high] => {
            let up = high - low;
            let straight = capsule(0.5 * up.norm(), *radius, segments);
            surface.append(&upright_along(straight, &up), 0.5 * (low + high));
        }
        _ => faces(core, shown, surface),
    }
}

/// A cylinder or cone: its side and the caps that are shown, with sharp rims.
fn round_surface(round: &Round, segments: u32, shown: impl Fn(u32) -> bool, surface: &mut Surface) {
    let [low, high] = round.ends;
    let up = high.center - low.center;
    let (taper, height) = (low.radius - high.radius, up.norm());
    let side = Vec3::new(height, taper, 0.0).normalize();
    let ring = |radius: f64, y: f64, normal: Vec3| (Vec3::new(radius, y, 0.0), normal);
    let mut profile = Vec::new();
    if low.cap.is_some_and(&shown) {
        profile.extend([ring(0.0, 0.0, -Vec3::y()), ring(low.radius, 0.0, -Vec3::y())]);
    }
    profile.extend([ring(low.radius, 0.0, side), ring(high.radius, height, side)]);
    if high.cap.is_some_and(&shown) {
        profile.extend([ring(high.radius, height, Vec3::y()), ring(0.0, height, Vec3::y())]);
    }
    surface.append(&upright_along(revolved(&profile, segments), &up), low.center);
}

/// A surface about y, turned so that y becomes another direction.
fn upright_along(mut surface: Surface, up: &Vec3) -> Surface {
    let rotation = rotation::shortest(&Vec3::y(), &up.normalize())
        .unwrap_or_else(|| rotation::exp(Vec3::x() * std::f64::consts::PI));
    let pose = Pose::new(Vec3::zeros(), &rotation);
    for vector in surface.positions.iter_mut().chain(&mut surface.normals) {
        *vector = (pose.turn * Vec3::from(*vector)).into();
    }
    surface
}

/// Fans over the faces that are shown.
fn faces(core: &Polytope, shown: impl Fn(u32) -> bool, surface: &mut Surface) {
    for face in (0..core.faces.len() as u32).filter(|&face| shown(face)).map(|face| &core.faces[face as usize]) {
        let corners = face.corners.iter().map(|&corner| core.vertices[corner as usize]);
        let indices: Vec<u32> = corners.map(|corner| surface.push(corner, face.normal)).collect();
        surface.triangles.extend(indices.windows(2).skip(1).map(|pair| [indices[0], pair[0], pair[1]]));
    }
}

fn round_normals(surface: &mut Surface, place: f64) {
    let mut at: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (k, position) in surface.positions.iter().enumerate() {
        at.entry(position.map(|x| (x / place).round() as i64)).or_default().push(k);
    }
    let sharp: Vec<Vec3> = surface.normals.iter().map(|&normal| normal.into()).collect();
    for here in at.values() {
        for &k in here {
            let near = here.iter().map(|&j| sharp[j]).filter(|normal| normal.dot(&sharp[k]) > CREASE);
            // Faces of one plane, as staves of a rim, count once.
            let mut different: Vec<Vec3> = Vec::new();
            for normal in near {
                if different.iter().all(|known| (known - normal).norm() > 1e-6) {
                    different.push(normal);
                }
            }
            surface.normals[k] = different.iter().sum::<Vec3>().normalize().into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shape::{Part, Shape};

    #[test]
    fn a_tube_hides_the_seams_of_its_staves_and_has_round_walls() {
        let (half_height, radius, top_radius, thickness) = (0.1, 0.05, 0.05, 0.01);
        let arc = [0.0, std::f64::consts::TAU];
        let tube = Shape::Tube { half_height, radius, top_radius, thickness, arc, segments: 12 };
        let surface = Surface::new(&tube).unwrap();
        // Inner, outer, upper and lower face of each stave, two triangles each.
        assert_eq!(surface.triangles.len(), 12 * 4 * 2);
        for (position, normal) in surface.positions.iter().zip(&surface.normals) {
            let (p, n) = (Vec3::from(*position), Vec3::from(*normal));
            let radial = Vec3::new(p.x, 0.0, p.z).normalize();
            let along = n.dot(&radial).abs();
            assert!(!(1e-9..=1.0 - 1e-9).contains(&along), "{p} {n}");
        }
    }

    #[test]
    fn parts_are_where_they_collide() {
        let part = |shape: Shape, y: f64| Part { shape, position: Vec3::y() * y, rotation: Vec3::x() };
        let parts = vec![
            part(Shape::Ball { radius: 0.2 }, 1.0),
            part(Shape::Capsule { half_height: 0.3, radius: 0.1 }, 0.0),
            part(Shape::Egg { radius: 0.1, tip: 0.2, base: 0.1, segments: Some(16) }, -1.0),
            part(Shape::Egg { radius: 0.15, tip: 0.2, base: 0.3, segments: None }, -2.0),
        ];
        let shape = Shape::Compound { parts, center_of_mass: Some(Vec3::zeros()) };
        let surface = Surface::new(&shape).unwrap();
        let (low, high) = Solid::new(&shape).unwrap().extent(&crate::math::Mat3::identity());
        for k in 0..3 {
            let entries = || surface.positions.iter().map(|p| p[k]);
            let (least, most) = (entries().fold(f64::INFINITY, f64::min), entries().fold(f64::NEG_INFINITY, f64::max));
            assert!((least - low[k]).abs() < 2e-3 && (most - high[k]).abs() < 2e-3, "{least} {most} {low} {high}");
        }
    }
}
