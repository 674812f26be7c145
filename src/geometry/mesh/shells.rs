//! The separate closed surfaces of a mesh, each cut by itself.
//!
//! ```text
//! shell k     triangles that hang together by their corners, of volume V_k inside a hull of volume H_k
//! convex      H_k ≤ (1 + CONVEX)·V_k: its hull is a piece
//! concave     cut into n_k pieces,  n_k = 1 + ⌊(n − shells)·(H_k − V_k) / Σ (H − V)⌋                    (1)
//! ```
//!
//! With n pieces asked for, (1) never gives out more, and most to those that are least like their hulls; VHACD itself
//! halves on to as many as twice its share.
//! A shell without a positive volume is a cavity of another, or turned the wrong way: such meshes are cut whole, and so
//! are those of more shells than pieces.

use super::cutting::{CONVEX, MOST_CORNERS, RESOLUTION, cut, foremost};
use crate::geometry::mass::integrals::triangle_integrals;
use crate::geometry::polyhedra::hull_mesh::hull_mesh;
use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::Vec3;
use crate::math::elementary::cbrt;

/// Corners by which a shell is judged: a ball's hull of so many lacks 0.3 % of its volume.
const JUDGED_CORNERS: usize = 2000;
/// Concave shells that are cut at full resolution; more share the voxels of so many.
const FULLY_RESOLVED: usize = 8;

/// One closed surface of a mesh.
struct Shell {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// H − V, m³; none where it is convex.
    missing: Option<f64>,
}

/// Pieces of a closed mesh, shell by shell; none where it has to be cut whole.
pub(super) fn pieces_of_shells(positions: &[Vec3], triangles: &[[u32; 3]], most_pieces: u32) -> Option<Vec<Polytope>> {
    let groups = connected(positions.len(), triangles);
    if groups.len() > most_pieces as usize {
        return None;
    }
    let shells: Vec<Shell> = groups.iter().map(|group| Shell::new(positions, group)).collect::<Option<_>>()?;
    let missing: Vec<Option<f64>> = shells.iter().map(|shell| shell.missing).collect();
    let resolution = resolution(missing.iter().flatten().count());
    let mut pieces = Vec::new();
    for (shell, share) in shells.iter().zip(shares(&missing, most_pieces)) {
        pieces.extend(shell.pieces(share, resolution)?);
    }
    Some(pieces)
}

/// (1), from the H − V of each shell that is concave.
fn shares(missing: &[Option<f64>], most_pieces: u32) -> Vec<u32> {
    let spare = f64::from(most_pieces) - missing.len() as f64;
    let all: f64 = missing.iter().flatten().sum();
    missing.iter().map(|own| own.map_or(1, |own| 1 + (spare * own / all) as u32)).collect()
}

impl Shell {
    /// None without a positive volume.
    fn new(positions: &[Vec3], group: &[[u32; 3]]) -> Option<Shell> {
        let mut used: Vec<u32> = group.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let place = |corner: u32| used.partition_point(|&other| other < corner) as u32;
        let triangles: Vec<[u32; 3]> = group.iter().map(|triangle| triangle.map(place)).collect();
        let positions: Vec<Vec3> = used.iter().map(|&corner| positions[corner as usize]).collect();
        let volume = volume(&positions, &triangles)?;
        let (corners, faces) = hull_mesh(&foremost(&positions, JUDGED_CORNERS))?;
        let missing = self::volume(&corners, &faces)? - volume;
        let missing = Some(missing).filter(|missing| *missing > CONVEX * volume);
        Some(Shell { positions, triangles, missing })
    }

    /// Its hull, or at most about `share` pieces of it.
    fn pieces(&self, share: u32, resolution: u32) -> Option<Vec<Polytope>> {
        if share == 1 {
            let hull = Polytope::hull(&foremost(&self.positions, MOST_CORNERS))?;
            return Some(vec![hull.sized()]);
        }
        cut(&self.positions, &self.triangles, share, resolution)
    }
}

/// Voxels along the longest side of each of so many shells: together no more than `FULLY_RESOLVED` have.
fn resolution(concave: usize) -> u32 {
    let part = FULLY_RESOLVED as f64 / concave.max(FULLY_RESOLVED) as f64;
    (f64::from(RESOLUTION) * cbrt(part)) as u32
}

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> Option<f64> {
    let center = positions.iter().sum::<Vec3>() / positions.len() as f64;
    Some(triangle_integrals(center, positions, triangles.iter().copied())?.volume)
}

/// Triangles in groups that share no corner, each group and the groups in the order of the mesh.
fn connected(corner_count: usize, triangles: &[[u32; 3]]) -> Vec<Vec<[u32; 3]>> {
    let mut leaders: Vec<u32> = (0..corner_count as u32).collect();
    for &[a, b, c] in triangles {
        for other in [b, c] {
            let (first, second) = (leader(&mut leaders, a), leader(&mut leaders, other));
            leaders[first.max(second) as usize] = first.min(second);
        }
    }
    let mut numbers: Vec<Option<usize>> = vec![None; corner_count];
    let mut groups: Vec<Vec<[u32; 3]>> = Vec::new();
    for &triangle in triangles {
        let first = leader(&mut leaders, triangle[0]) as usize;
        let number = *numbers[first].get_or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(triangle);
    }
    groups
}

/// The corner that stands for all that hang together with one; ways to it are shortened as they are walked.
fn leader(leaders: &mut [u32], corner: u32) -> u32 {
    let mut corner = corner;
    while leaders[corner as usize] != corner {
        let next = leaders[corner as usize];
        leaders[corner as usize] = leaders[next as usize];
        corner = next;
    }
    corner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::triangles::{Mesh, MeshNote, welded};
    use crate::geometry::shape::Shape;
    use crate::geometry::surface::Surface;

    type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

    fn shape(shape: &Shape, x: f64) -> Triangles {
        let surface = Surface::with_segments(shape, 12).unwrap();
        (surface.positions.iter().map(|&p| Vec3::from(p) + Vec3::x() * x).collect(), surface.triangles)
    }

    fn ball(x: f64) -> Triangles {
        shape(&Shape::Ball { radius: 0.1 }, x)
    }

    fn cuboid(half: f64, x: f64) -> Triangles {
        shape(&Shape::Cuboid { half_extents: Vec3::repeat(half) }, x)
    }

    /// The letter L, 0.3 m high and wide, its strokes 0.1 m.
    fn angle(x: f64) -> Triangles {
        let outline = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.1], [0.1, 0.1], [0.1, 0.3], [0.0, 0.3]];
        let corner = |z: f64| outline.map(|[a, b]| Vec3::new(x + a, b, z));
        let positions = [corner(0.0), corner(0.1)].concat();
        let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
        let mut triangles: Vec<[u32; 3]> = caps.iter().map(|&[a, b, c]| [a, c, b]).collect();
        triangles.extend(caps.map(|cap| cap.map(|k| k + 6)));
        for (k, next) in (0..6).map(|k| (k, (k + 1) % 6)) {
            triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
        }
        (positions, triangles)
    }

    fn together(all: &[Triangles]) -> Triangles {
        let mut joined = Triangles::default();
        for (positions, triangles) in all {
            let first = joined.0.len() as u32;
            joined.0.extend(positions);
            joined.1.extend(triangles.iter().map(|triangle| triangle.map(|corner| corner + first)));
        }
        joined
    }

    /// How many pieces, and how much more volume they have than the mesh.
    fn pieces(all: &[Triangles], most: u32) -> (usize, f64) {
        let (positions, triangles) = together(all);
        let (_, notes) = Mesh::new(&positions, &triangles, most).unwrap();
        let [MeshNote::Pieces(count, Some(more))] = notes[..] else { panic!("{notes:?}") };
        (count, more)
    }

    fn pieces_of(all: &[Triangles], most: u32) -> Option<Vec<Polytope>> {
        let (positions, triangles) = together(all);
        let (positions, triangles, ..) = welded(&positions, &triangles, 0.0);
        pieces_of_shells(&positions, &triangles, most)
    }

    #[test]
    fn separate_convex_shells_are_one_piece_each() {
        let (count, more) = pieces(&[ball(0.0), ball(0.35)], 48);
        assert!(count == 2 && more.abs() < 1e-9, "{count} pieces, {more}");
        let (count, more) = pieces(&[ball(0.0), ball(0.35), cuboid(0.05, 1.0)], 3);
        assert!(count == 3 && more.abs() < 1e-9, "{count} pieces, {more}");
    }

    #[test]
    fn a_concave_shell_is_cut_and_its_convex_neighbours_are_not() {
        let convex = pieces_of(&[ball(0.5)], 48).unwrap();
        let pieces = pieces_of(&[angle(0.0), ball(0.5)], 8).unwrap();
        let (ball, angle): (Vec<&Polytope>, Vec<&Polytope>) =
            pieces.iter().partition(|piece| piece.vertices[0].x > 0.35);
        assert_eq!(ball.iter().map(|piece| piece.vertices.len()).collect::<Vec<_>>(), [convex[0].vertices.len()]);
        assert!(angle.len() > 1, "{} pieces", pieces.len());
        let notch = Vec3::new(0.12, 0.12, 0.05);
        let inside = |piece: &Polytope| piece.faces.iter().all(|face| face.normal.dot(&notch) <= face.offset);
        assert!(!pieces.iter().any(inside), "the notch is filled");
    }

    #[test]
    fn concave_shells_share_what_convex_ones_leave() {
        assert_eq!(shares(&[None, Some(1.0), Some(3.0)], 11), [1, 3, 7]);
        assert_eq!(shares(&[Some(2.0)], 48), [48]);
        assert_eq!(shares(&[None, Some(2.0)], 2), [1, 1]);
    }

    #[test]
    fn a_cavity_is_no_solid_piece() {
        let (outer, mut inner) = (cuboid(0.2, 0.0), cuboid(0.1, 0.0));
        inner.1.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        assert!(pieces_of(&[outer.clone(), inner], 48).is_none());
        assert!(pieces_of(&[outer, cuboid(0.1, 1.0)], 48).is_some());
    }

    #[test]
    fn more_shells_than_pieces_are_cut_whole() {
        let row: Vec<Triangles> = (0..5).map(|k| cuboid(0.05, 0.3 * f64::from(k))).collect();
        assert!(pieces_of(&row, 4).is_none());
        assert_eq!(pieces_of(&row, 5).map(|pieces| pieces.len()), Some(5));
    }

    #[test]
    fn many_concave_shells_share_the_voxels_of_eight() {
        assert_eq!([0, 1, 8].map(resolution), [RESOLUTION; 3]);
        assert_eq!([64, 256].map(resolution), [32, 20]);
    }
}
