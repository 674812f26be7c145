//! Bodies given by triangles: repaired, weighed, and cut into convex pieces.
//!
//! ```text
//! triangles ──▶ weld equal corners, drop empty and repeated triangles, turn inside out if need be  (told)
//!           ├─▶ mass from the triangles where they close, else from the pieces            (told)
//!           └─▶ pieces, shell by shell: the hull where that is the shell, else parry's VHACD, whose pieces are the
//!               hulls of the triangles within sets of voxels                              (difference told)
//! ```
//!
//! What collides are the pieces. They fill dents smaller than a voxel (a `RESOLUTION`-th of the shell's length), so their
//! volume is told beside that of the triangles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::cutting::{CONVEX, MOST_CORNERS, RESOLUTION, cut, foremost};
use super::shells::pieces_of_shells;
use crate::geometry::mass::integrals::{VolumeIntegrals, of_polytopes, polytope_integrals, triangle_integrals};
use crate::geometry::polyhedra::polytope::Polytope;
use crate::geometry::settings::{ROUNDING, SAME_PLACE};
use crate::math::Vec3;

/// A body made of triangles, in its file's frame.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Corners, m.
    pub positions: Vec<Vec3>,
    /// Corners by number, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// What collides.
    pub(in crate::geometry) pieces: Vec<Polytope>,
    /// What it weighs.
    pub(in crate::geometry) integrals: VolumeIntegrals,
}

impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.positions == other.positions && self.triangles == other.triangles
    }
}

/// What was done to a mesh, or is worth knowing about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshNote {
    /// Corners that only nearly coincide were made one.
    Welded,
    /// Triangles without area were left out.
    Dropped(usize),
    /// Triangles that stand there again were left out: they would weigh twice, and take their time in cutting.
    Repeated(usize),
    /// All triangles were turned over.
    TurnedOver,
    /// So many edges have no partner: the pieces give the mass.
    Open(usize),
    /// Pieces, and how much more volume they hold than the triangles, as a part.
    Pieces(usize, Option<f64>),
}

impl fmt::Display for MeshNote {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            MeshNote::Welded => write!(formatter, "corners nearer than a millionth of its size were made one"),
            MeshNote::Dropped(count) => write!(formatter, "{count} triangles without area were left out"),
            MeshNote::Repeated(count) => write!(formatter, "{count} triangles stand there again and were left out"),
            MeshNote::TurnedOver => write!(formatter, "its triangles face inward and were turned over"),
            MeshNote::Open(edges) => {
                write!(formatter, "it is not closed ({edges} edges without a partner): its mass is that of its pieces")
            }
            MeshNote::Pieces(count, None) => write!(formatter, "it collides as {count} convex pieces"),
            MeshNote::Pieces(count, Some(more)) => {
                let (part, word) = (100.0 * more.abs(), if more < 0.0 { "less" } else { "more" });
                let noun = if count == 1 { "piece" } else { "pieces" };
                write!(formatter, "it collides as {count} convex {noun}, {part:.1} % {word} volume than the mesh")
            }
        }
    }
}

/// Why triangles are no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFault {
    /// Nothing is left of them.
    Empty,
    /// They span no volume.
    Flat,
    /// No piece with an inside was found.
    NoPieces,
}

impl Mesh {
    /// From corners and triangles as a file has them; cut into at most about `most_pieces`.
    pub fn new(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        most_pieces: u32,
    ) -> Result<(Mesh, Vec<MeshNote>), MeshFault> {
        let mut notes = Vec::new();
        let mut welds = welded(positions, triangles, 0.0);
        let mut open = open_edges(&welds.1);
        if open > 0 {
            let wider = welded(positions, triangles, SAME_PLACE);
            if open_edges(&wider.1) == 0 {
                notes.push(MeshNote::Welded);
                (welds, open) = (wider, 0);
            }
        }
        let (positions, mut triangles, dropped, repeated) = welds;
        if dropped > 0 {
            notes.push(MeshNote::Dropped(dropped));
        }
        if repeated > 0 {
            notes.push(MeshNote::Repeated(repeated));
        }
        if triangles.is_empty() {
            return Err(MeshFault::Empty);
        }
        let center = positions.iter().sum::<Vec3>() / positions.len() as f64;
        let mut own = triangle_integrals(center, &positions, triangles.iter().copied());
        if open == 0 && own.is_none() {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            own = triangle_integrals(center, &positions, triangles.iter().copied());
            notes.push(MeshNote::TurnedOver);
        }
        let own = own.filter(|_| open == 0);
        if open > 0 {
            notes.push(MeshNote::Open(open));
        }
        let pieces = convex_pieces(&positions, &triangles, own.as_ref(), most_pieces)?;
        let together = of_polytopes(&pieces).ok_or(MeshFault::NoPieces)?;
        notes.push(MeshNote::Pieces(pieces.len(), own.as_ref().map(|own| together.volume / own.volume - 1.0)));
        let integrals = own.unwrap_or(together);
        Ok((Mesh { positions, triangles, pieces, integrals }, notes))
    }
}

/// Corners, triangles, and how many triangles were left out: without area, and repeated.
type Welds = (Vec<Vec3>, Vec<[u32; 3]>, usize, usize);

/// Corners made one where they are equal, or in the same cell of a grid of `near` times the size; triangles without area
/// left out, and those that stand there again.
pub(super) fn welded(positions: &[Vec3], triangles: &[[u32; 3]], near: f64) -> Welds {
    let mut numbers: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut kept: Vec<Vec3> = Vec::new();
    let size = positions.iter().map(|p| (p - positions[0]).amax()).fold(0.0, f64::max);
    let cell = |x: f64| if near > 0.0 { (x / (near * size)).round() } else { x };
    let mut number = |k: u32| {
        let p = positions[k as usize];
        // −0 and 0 are one place.
        let key = [p.x, p.y, p.z].map(|x| (cell(x) + 0.0).to_bits());
        *numbers.entry(key).or_insert_with(|| {
            kept.push(p);
            kept.len() as u32 - 1
        })
    };
    let all: Vec<[u32; 3]> = triangles.iter().map(|triangle| triangle.map(&mut number)).collect();
    let solid = |&[a, b, c]: &[u32; 3]| {
        let [p, q, r] = [a, b, c].map(|k| kept[k as usize]);
        a != b && b != c && c != a && 0.5 * (q - p).cross(&(r - p)).norm() > ROUNDING * size * size
    };
    let solid: Vec<[u32; 3]> = all.into_iter().filter(solid).collect();
    let dropped = triangles.len() - solid.len();
    let mut known = BTreeSet::new();
    let first: Vec<[u32; 3]> = solid.iter().copied().filter(|triangle| known.insert(from_least(*triangle))).collect();
    let repeated = solid.len() - first.len();
    (kept, first, dropped, repeated)
}

/// The same triangle, beginning with its least number.
fn from_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    match a.min(b).min(c) {
        least if least == a => [a, b, c],
        least if least == b => [b, c, a],
        _ => [c, a, b],
    }
}

/// Directed edges without exactly one opposite.
fn open_edges(triangles: &[[u32; 3]]) -> usize {
    let mut balance: BTreeMap<[u32; 2], (i32, i32)> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let entry = balance.entry([from.min(to), from.max(to)]).or_default();
            if from < to { entry.0 += 1 } else { entry.1 += 1 }
        }
    }
    balance.values().filter(|(forth, back)| forth != back).count()
}

fn convex_pieces(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    own: Option<&VolumeIntegrals>,
    most_pieces: u32,
) -> Result<Vec<Polytope>, MeshFault> {
    let whole = Polytope::hull(&foremost(positions, MOST_CORNERS)).ok_or(MeshFault::Flat)?;
    if most_pieces == 1 {
        return Ok(vec![whole.sized()]);
    }
    let by_shells = own.and_then(|_| pieces_of_shells(positions, triangles, most_pieces));
    if let Some(pieces) = by_shells {
        return Ok(pieces);
    }
    let volume = polytope_integrals(&whole).ok_or(MeshFault::Flat)?.volume;
    // The corners that are left out make a convex body a little smaller, never larger.
    if own.is_some_and(|own| volume <= own.volume * (1.0 + CONVEX)) {
        return Ok(vec![whole.sized()]);
    }
    cut(positions, triangles, most_pieces, RESOLUTION).ok_or(MeshFault::NoPieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shape::{Part, Shape};
    use crate::geometry::surface::Surface;

    fn triangles_of(shape: &Shape) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let surface = Surface::new(shape).unwrap();
        (surface.positions.iter().map(|&p| p.into()).collect(), surface.triangles)
    }

    fn cuboid() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        triangles_of(&Shape::Cuboid { half_extents: Vec3::new(0.2, 0.12, 0.08) })
    }

    #[test]
    fn a_convex_mesh_is_one_piece_and_weighs_what_it_weighs() {
        let (positions, triangles) = cuboid();
        let (mesh, notes) = Mesh::new(&positions, &triangles, 16).unwrap();
        assert_eq!(mesh.pieces.len(), 1);
        assert_eq!(mesh.pieces[0].faces.len(), 6);
        assert!((mesh.integrals.volume - 8.0 * 0.2 * 0.12 * 0.08).abs() < 1e-15, "{:?}", mesh.integrals);
        assert!(matches!(notes[..], [MeshNote::Pieces(1, Some(more))] if more.abs() < 1e-12), "{notes:?}");
    }

    #[test]
    fn meshes_are_repaired_and_it_is_told() {
        let (positions, triangles) = cuboid();
        let inside_out: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let (mesh, notes) = Mesh::new(&positions, &inside_out, 16).unwrap();
        assert!(notes.contains(&MeshNote::TurnedOver) && mesh.integrals.volume > 0.0, "{notes:?}");
        let mut empty = triangles.clone();
        empty.extend([[0, 0, 1], [1, 1, 1]]);
        let (_, notes) = Mesh::new(&positions, &empty, 16).unwrap();
        assert_eq!(notes[0], MeshNote::Dropped(2));
        // Corners that differ in their last digits.
        let spread = |(k, p): (usize, &Vec3)| p * (1.0 + 1e-9 * (k % 7) as f64);
        let spread: Vec<Vec3> = positions.iter().enumerate().map(spread).collect();
        let (_, notes) = Mesh::new(&spread, &triangles, 16).unwrap();
        assert_eq!(notes[0], MeshNote::Welded);
        let (mesh, notes) = Mesh::new(&positions, &triangles[1..], 16).unwrap();
        assert_eq!(notes[0], MeshNote::Open(3));
        assert!(mesh.integrals.volume > 0.0);
    }

    /// They would count their volume again and again; and hundreds of one triangle take minutes where they are cut.
    #[test]
    fn a_triangle_that_stands_there_again_counts_once() {
        let (positions, triangles) = cuboid();
        let turned = triangles.iter().map(|&[a, b, c]| [b, c, a]);
        let twice: Vec<[u32; 3]> = triangles.iter().copied().chain(turned).collect();
        let (mesh, notes) = Mesh::new(&positions, &twice, 16).unwrap();
        assert_eq!((notes[0], &mesh), (MeshNote::Repeated(12), &Mesh::new(&positions, &triangles, 16).unwrap().0));
        assert!((mesh.integrals.volume - 8.0 * 0.2 * 0.12 * 0.08).abs() < 1e-15, "{:?}", mesh.integrals);
        let open = triangles[1..].repeat(200);
        let (mesh, _) = Mesh::new(&positions, &open, 16).unwrap();
        assert_eq!(mesh, Mesh::new(&positions, &triangles[1..], 16).unwrap().0);
    }

    #[test]
    fn what_is_no_body_is_refused() {
        let (positions, triangles) = cuboid();
        assert_eq!(Mesh::new(&positions, &[], 16).unwrap_err(), MeshFault::Empty);
        assert_eq!(Mesh::new(&positions, &[[0, 0, 0]], 16).unwrap_err(), MeshFault::Empty);
        assert_eq!(Mesh::new(&positions, &triangles[..2], 16).unwrap_err(), MeshFault::Flat);
    }

    #[test]
    fn a_cup_stays_open() {
        let arc = [0.0, std::f64::consts::TAU];
        let (half_height, radius, top_radius, thickness) = (0.05, 0.04, 0.04, 0.006);
        let wall = Shape::Tube { half_height, radius, top_radius, thickness, arc, segments: 24 };
        let bottom = Shape::Cylinder { half_height: 0.005, radius: 0.0339, segments: Some(24) };
        let place = |y: f64| Vec3::new(0.0, y, 0.0);
        let parts = vec![
            Part { shape: wall, position: place(0.0), rotation: Vec3::zeros() },
            Part { shape: bottom, position: place(-0.045), rotation: Vec3::zeros() },
        ];
        let (positions, triangles) = triangles_of(&Shape::Compound { parts, center_of_mass: Some(Vec3::zeros()) });
        let (mesh, notes) = Mesh::new(&positions, &triangles, 64).unwrap();
        assert!(mesh.pieces.len() > 8, "{notes:?}");
        // Points along the middle axis, from just above the bottom to the rim.
        for k in 0..20 {
            let point = place(-0.036 + 0.0045 * f64::from(k));
            let inside = |piece: &&Polytope| piece.faces.iter().all(|f| f.normal.dot(&point) <= f.offset);
            assert!(mesh.pieces.iter().find(inside).is_none(), "{point} is inside a piece, {notes:?}");
        }
    }
}
