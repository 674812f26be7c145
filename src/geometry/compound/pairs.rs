//! Bodies of several convex pieces: gaps and touching features from those of their pieces.
//!
//! Two bodies are as far apart as their nearest pieces, and touch where any two pieces touch. Vertices, edges and
//! faces are numbered through all pieces of a body, so that a feature names its pieces; formulas are those of the two
//! convex pieces. Pairs of pieces that are surely farther apart than asked are left out by their boxes and bounding
//! spheres.
//!
//! Where pieces lie flush, a face that another piece covers is no surface of the body, and an edge across which the
//! surface goes on flat is no edge: features on these are dropped, or a thing that slides over a seam would bump into it. Neighbours that touch at one point with one normal count once.

use crate::geometry::compound::numbering::numbered;
use crate::geometry::feature::{Element, Feature, PlacedPair, Side};
use crate::geometry::polyhedra::polytope::{Edge, Face, Polytope};
use crate::geometry::polyhedra::separation::{Separation, lowest, separation};
use crate::geometry::polyhedra::touching::touching;
use crate::geometry::solid::{Pose, Solid};
use crate::math::Vec3;

/// Contacts nearer than this (m) are one if their normals agree.
const SAME_POINT: f64 = 1e-6;
/// Normals nearer than this to each other agree.
const SAME_NORMAL: f64 = 1e-4;
/// How far in front of a face, as a part of its piece's size, a covering piece must reach.
const COVER: f64 = 1e-6;
/// How far from a face's border, as a part of its piece's size, that is tested.
const COVER_INSET: f64 = 1e-5;

/// A convex piece of a body, in the body frame.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Always convex.
    pub solid: Solid,
    /// How many vertices, edges and faces come before its own.
    pub(super) first: Numbers,
    bounds: Bounds,
    /// Which of its faces other pieces cover.
    pub(super) covered: Vec<bool>,
    /// Across which of its edges the body's surface goes on flat or turns inward.
    pub(super) seams: Vec<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::geometry) struct Numbers {
    pub vertex: u32,
    pub edge: u32,
    pub face: u32,
}

/// A box and a sphere around a piece, rounding included.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: Vec3,
    high: Vec3,
    center: Vec3,
    radius: f64,
}

/// Several convex pieces fixed to each other.
#[derive(Clone, Debug)]
pub struct Compound {
    /// At least two.
    pub pieces: Vec<Piece>,
    /// Largest distance of any piece from the origin.
    pub reach: f64,
}

impl Piece {
    /// Whether another piece of the body covers a face, in the piece's own numbers.
    pub fn is_covered(&self, face: u32) -> bool {
        self.covered[face as usize]
    }
}

impl Compound {
    /// Of convex solids in the body frame.
    pub(in crate::geometry) fn new(solids: Vec<Solid>) -> Self {
        let covered: Vec<Vec<bool>> = (0..solids.len()).map(|k| covered_faces(&solids, k)).collect();
        let seams: Vec<Vec<bool>> = (0..solids.len()).map(|k| seams(&solids, k, &covered[k])).collect();
        let mut first = Numbers::default();
        let mut pieces = Vec::with_capacity(solids.len());
        for ((solid, covered), seams) in solids.into_iter().zip(covered).zip(seams) {
            let bounds = Bounds::new(&solid);
            let numbers = first;
            if let Solid::Convex { core, .. } = &solid {
                first.vertex += core.vertices.len() as u32;
                first.edge += core.edges.len() as u32;
                first.face += core.faces.len() as u32;
            }
            pieces.push(Piece { solid, first: numbers, bounds, covered, seams });
        }
        let reach = pieces.iter().map(|piece| piece.solid.reach()).fold(0.0, f64::max);
        Compound { pieces, reach }
    }

    pub(in crate::geometry) fn scaled(&self, scale: f64) -> Self {
        let piece = |piece: &Piece| {
            let solid = piece.solid.scaled(scale);
            Piece { bounds: Bounds::new(&solid), solid, ..piece.clone() }
        };
        Compound { pieces: self.pieces.iter().map(piece).collect(), reach: self.reach * scale }
    }

    /// The number of the piece that has a vertex, an edge or a face.
    fn piece_with(&self, first: impl Fn(&Numbers) -> u32, number: u32) -> usize {
        // Pieces without faces share their first face with the next one: the last that begins here has it.
        self.pieces.partition_point(|piece| first(&piece.first) <= number).saturating_sub(1)
    }
}

impl Bounds {
    fn new(solid: &Solid) -> Self {
        let Solid::Convex { core, radius } = solid else { return Bounds::of_reach(solid.reach()) };
        let low = Vec3::from_fn(|k, _| -core.reach_along(&-Vec3::ith(k, 1.0)));
        let high = Vec3::from_fn(|k, _| core.reach_along(&Vec3::ith(k, 1.0)));
        let center = 0.5 * (low + high);
        let around = core.farthest_from(&center);
        let margin = Vec3::repeat(*radius);
        Bounds { low: low - margin, high: high + margin, center, radius: around + radius }
    }

    fn of_reach(reach: f64) -> Self {
        Bounds { low: Vec3::repeat(-reach), high: Vec3::repeat(reach), center: Vec3::zeros(), radius: reach }
    }

    /// Distance of a point of the same frame from the box.
    fn distance(&self, point: &Vec3) -> f64 {
        (self.low - point).sup(&(point - self.high)).sup(&Vec3::zeros()).norm()
    }
}

/// Whether a point is inside one of the solids other than number k.
fn inside_another(solids: &[Solid], k: usize, point: &Vec3) -> bool {
    solids.iter().enumerate().any(|(j, other)| j != k && holds(other, point))
}

/// Whether a sharp solid holds a point.
fn holds(solid: &Solid, point: &Vec3) -> bool {
    match solid {
        Solid::Convex { core, radius } if !core.faces.is_empty() && *radius == 0.0 => {
            core.faces.iter().all(|face| face.normal.dot(point) <= face.offset)
        }
        _ => false,
    }
}

/// Which faces of a solid another one covers completely.
fn covered_faces(solids: &[Solid], k: usize) -> Vec<bool> {
    let Solid::Convex { core, radius } = &solids[k] else { return Vec::new() };
    let others = || solids.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, other)| other);
    let covers = |face: usize, other: &Solid| face_points(core, face).all(|point| holds(other, &point));
    (0..core.faces.len()).map(|face| *radius == 0.0 && others().any(|other| covers(face, other))).collect()
}

/// Edges between a covered face and an open one beyond which another piece goes on at the open one's height or above.
fn seams(solids: &[Solid], k: usize, covered: &[bool]) -> Vec<bool> {
    let Solid::Convex { core, .. } = &solids[k] else { return Vec::new() };
    let is_seam = |edge: &Edge| {
        let Some([a, b]) = edge.faces else { return false };
        let (hidden, open) = if covered[a as usize] { (a, b) } else { (b, a) };
        let [from, to] = edge.ends.map(|end| core.vertices[end as usize]);
        let (out, up) = (core.faces[hidden as usize].normal, core.faces[open as usize].normal);
        // Beyond the edge, just under the plane of the open face.
        let flat = (out - up * up.dot(&out)).normalize();
        let beyond = 0.5 * (from + to) + (flat * COVER_INSET - up * COVER) * core.size;
        covered[hidden as usize] && inside_another(solids, k, &beyond)
    };
    core.edges.iter().map(is_seam).collect()
}

/// The corners of a face, moved a little inward and out in front of it.
fn face_points(core: &Polytope, face: usize) -> impl Iterator<Item = Vec3> + '_ {
    let face = &core.faces[face];
    let corner = |&k: &u32| core.vertices[k as usize];
    let center = face.corners.iter().map(corner).sum::<Vec3>() / face.corners.len() as f64;
    face.corners.iter().map(corner).map(move |p| {
        let inward = center - p;
        p + inward * (COVER_INSET * core.size / inward.norm()).min(0.5) + face.normal * (COVER * core.size)
    })
}

impl Solid {
    /// How many convex pieces it has.
    pub fn piece_count(&self) -> usize {
        match self {
            Solid::Compound(compound) => compound.pieces.len(),
            Solid::HalfSpace(_) | Solid::Convex { .. } => 1,
        }
    }

    /// One of its pieces.
    pub fn piece(&self, k: usize) -> &Solid {
        match self {
            Solid::Compound(compound) => &compound.pieces[k].solid,
            Solid::HalfSpace(_) | Solid::Convex { .. } => self,
        }
    }

    fn bounds(&self, k: usize) -> Bounds {
        match self {
            Solid::Compound(compound) => compound.pieces[k].bounds,
            Solid::HalfSpace(_) | Solid::Convex { .. } => Bounds::of_reach(self.reach()),
        }
    }

    pub(in crate::geometry) fn first_numbers(&self, k: usize) -> Numbers {
        match self {
            Solid::Compound(compound) => compound.pieces[k].first,
            Solid::HalfSpace(_) | Solid::Convex { .. } => Numbers::default(),
        }
    }

    fn has_seam(&self, k: usize, edge: u32) -> bool {
        match self {
            Solid::Compound(compound) => compound.pieces[k].seams[edge as usize],
            Solid::HalfSpace(_) | Solid::Convex { .. } => false,
        }
    }

    fn covers(&self, k: usize, face: u32) -> bool {
        match self {
            Solid::Compound(compound) => compound.pieces[k].is_covered(face),
            Solid::HalfSpace(_) | Solid::Convex { .. } => false,
        }
    }

    pub(in crate::geometry) fn piece_with(&self, first: impl Fn(&Numbers) -> u32, number: u32) -> usize {
        match self {
            Solid::Compound(compound) => compound.piece_with(first, number),
            Solid::HalfSpace(_) | Solid::Convex { .. } => 0,
        }
    }

    pub(in crate::geometry) fn is_compound(&self) -> bool {
        matches!(self, Solid::Compound(_))
    }
}

/// One piece of each of two bodies, by number.
pub type PiecePair = [usize; 2];

/// Calls `visit` for every pair of pieces with a distance (m) that they are apart at least.
pub fn each_piece_pair(
    first: &Solid,
    at: &Pose,
    second: &Solid,
    second_at: &Pose,
    mut visit: impl FnMut(PiecePair, f64),
) {
    for j in 0..second.piece_count() {
        if let Solid::HalfSpace(normal) = second.piece(j) {
            let normal = second_at.turn * normal;
            let (local, height) = (at.turn.tr_mul(&normal), normal.dot(&(at.position - second_at.position)));
            for i in 0..first.piece_count() {
                let bounds = first.bounds(i);
                visit([i, j], height + local.dot(&bounds.center) - bounds.radius);
            }
            continue;
        }
        let other = second.bounds(j);
        let other_center = second_at.point(&other.center);
        let seen_from_first = at.local_point(&other_center);
        for i in 0..first.piece_count() {
            let bounds = first.bounds(i);
            let apart = bounds.distance(&seen_from_first) - other.radius;
            let back = other.distance(&second_at.local_point(&at.point(&bounds.center))) - bounds.radius;
            visit([i, j], apart.max(back));
        }
    }
}

/// The separation of the nearest pieces.
pub(in crate::geometry) fn compound_separation(
    first: &Solid,
    at: &Pose,
    second: &Solid,
    second_at: &Pose,
    hint: Option<Vec3>,
) -> Separation {
    let mut nearest = ([0, 0], f64::INFINITY);
    each_piece_pair(first, at, second, second_at, |pair, apart| {
        if apart < nearest.1 {
            nearest = (pair, apart);
        }
    });
    let of_pieces = |[i, j]: PiecePair| separation(first.piece(i), at, second.piece(j), second_at, hint);
    let mut best = of_pieces(nearest.0);
    each_piece_pair(first, at, second, second_at, |pair, apart| {
        let [i, j] = pair;
        let surely = || facing_separation(first.piece(i), at, second.piece(j), second_at);
        if apart < best.gap && pair != nearest.0 && surely() < best.gap {
            let found = of_pieces(pair);
            if found.gap < best.gap {
                best = found;
            }
        }
    });
    best
}

/// The separation of two pieces along the face that looks most towards the other piece, of whichever has fewer: a
/// lower bound of their distance.
fn facing_separation(first: &Solid, at: &Pose, second: &Solid, second_at: &Pose) -> f64 {
    let (Solid::Convex { core, radius }, Solid::Convex { core: other, radius: other_radius }) = (first, second) else {
        return f64::NEG_INFINITY;
    };
    if core.faces.is_empty() || (!other.faces.is_empty() && other.faces.len() < core.faces.len()) {
        return if other.faces.is_empty() {
            f64::NEG_INFINITY
        } else {
            facing_separation(second, second_at, first, at)
        };
    }
    let center = at.local_point(&second_at.point(&other.vertices[0]));
    let height = |face: &Face| face.normal.dot(&center) - face.offset;
    let Some(face) = core.faces.iter().max_by(|a, b| height(a).total_cmp(&height(b))) else {
        return f64::NEG_INFINITY;
    };
    let n = at.turn * face.normal;
    let offset = if core.is_round() { core.reach_along(&face.normal) } else { face.offset };
    lowest(other, second_at, &n) - n.dot(&at.position) - offset - radius - other_radius
}

/// The features of all pieces that touch.
pub(in crate::geometry) fn compound_touching(pair: &PlacedPair, tolerance: f64, hint: Vec3) -> Vec<Feature> {
    let ((first, at), (second, second_at)) = (pair.first, pair.second);
    let mut features = Vec::new();
    let mut places: Vec<(Vec3, Vec3)> = Vec::new();
    each_piece_pair(first, at, second, second_at, |pieces, apart| {
        let [i, j] = pieces;
        if apart > tolerance || facing_separation(first.piece(i), at, second.piece(j), second_at) > tolerance {
            return;
        }
        let piece_pair = PlacedPair { first: (first.piece(i), at), second: (second.piece(j), second_at) };
        let found = separation(first.piece(i), at, second.piece(j), second_at, Some(hint));
        for feature in touching(&piece_pair, &found, tolerance) {
            let Some(contact) = piece_pair.contact(&feature) else { continue };
            let same = |(point, normal): &(Vec3, Vec3)| {
                (point - contact.point).norm() <= SAME_POINT && (normal - contact.normal).norm() <= SAME_NORMAL
            };
            if !is_inner(pair, pieces, &feature) && !places.iter().any(same) {
                places.push((contact.point, contact.normal));
                features.push(numbered(pair, pieces, feature));
            }
        }
    });
    features
}

/// Whether a feature of two pieces uses a face or an edge that is no face or edge of its body.
fn is_inner(pair: &PlacedPair, [i, j]: PiecePair, feature: &Feature) -> bool {
    let solid = |side: Side| match side {
        Side::First => (pair.first.0, i),
        Side::Second => (pair.second.0, j),
    };
    let covered = |side: Side, face: u32| solid(side).0.covers(solid(side).1, face);
    let seam = |side: Side, edge: u32| solid(side).0.has_seam(solid(side).1, edge);
    match *feature {
        Feature::VertexPlane { .. } | Feature::VertexVertex { .. } => false,
        Feature::VertexFace { owner, face, .. } => covered(owner.other(), face),
        Feature::VertexEdge { owner, edge, .. } => seam(owner.other(), edge),
        Feature::EdgeEdge { first, second } => seam(Side::First, first) || seam(Side::Second, second),
        Feature::Patch { reference, face, incident_face, .. } => {
            covered(reference, face) || covered(reference.other(), incident_face)
        }
        Feature::Round { first, second } => {
            let inner = |side: Side, element: Element| match element {
                Element::Face(face) => covered(side, face),
                Element::Edge(edge) => seam(side, edge),
                Element::Plane | Element::Vertex(_) | Element::Rim { .. } | Element::Side(_) | Element::Egg(_) => false,
            };
            inner(Side::First, first) || inner(Side::Second, second)
        }
    }
}
