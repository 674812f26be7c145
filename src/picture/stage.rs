//! What a picture shows, as plain data: meshes placed in the world, planes, lines and words.
//!
//! All positions are relative to `origin`, so that half-width numbers keep their digits far from the world's origin.
//! `studio` fills a stage from a trajectory; `draw` turns it into pixels.

use std::collections::BTreeMap;

use super::colour::Colour;
use super::frame::extremes;
use crate::geometry::{Pose, Surface};
use crate::math::Vec3;

/// A point or direction for drawing.
pub(super) type Point = nalgebra::Vector3<f32>;
/// World from body, for drawing.
pub(super) type Turn = nalgebra::Matrix3<f32>;

/// Faces that meet at more than this angle have an edge between them (cosine).
const CREASE: f64 = 0.87;

/// Vertices of an outline, at most: a ball's is then true to a fiftieth of its radius.
const OUTLINE: usize = 128;

/// A surface ready to be drawn many times, in its body frame.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub positions: Vec<Point>,
    pub normals: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
    pub creases: Vec<Crease>,
    /// Points that can lie on its outline, few enough to place it many times.
    pub outline: Vec<Vec3>,
    /// Distance of the farthest vertex from the body's origin, m.
    pub reach: f32,
    /// Whether it is painted in octants, so that turning shows though the shape is round.
    pub octants: bool,
}

/// A sharp edge and the normals of the faces on its sides.
#[derive(Clone, Debug)]
pub(super) struct Crease {
    pub ends: [Point; 2],
    pub normals: [Point; 2],
}

/// A mesh somewhere.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub mesh: u32,
    pub position: Point,
    pub turn: Turn,
    pub colour: Colour,
    /// 1 is solid; less is drawn as one layer of glass.
    pub opacity: f32,
    /// It throws a shadow where this is above 0.
    pub shadow: f32,
    /// Strength of lines along its sharp edges, and of its rim.
    pub edges: f32,
}

/// The surface of a half-space, or a ground that only catches shadows.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub point: Point,
    pub normal: Point,
    pub grid: bool,
}

/// A line of constant width on the screen through points of the world.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    pub points: Vec<StrokePoint>,
    pub colour: Colour,
    /// Pixels in a picture 1000 pixels high.
    pub width: f32,
    /// How much remains where a solid body hides it.
    pub behind: f32,
    /// Length of dashes in pixels; none where it is 0.
    pub dash: f32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StrokePoint {
    pub position: Point,
    pub opacity: f32,
}

/// A disc of constant size on the screen, facing the viewer.
#[derive(Clone, Debug)]
pub(super) struct Dot {
    pub position: Point,
    pub colour: Colour,
    /// Pixels in a picture 1000 pixels high.
    pub radius: f32,
    /// Width of a ring instead of a full disc; 0 for a full one.
    pub ring: f32,
    /// How strong it is in sight.
    pub front: f32,
    /// And where a solid body hides it.
    pub behind: f32,
}

/// Everything in one picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Stage {
    pub origin: Vec3,
    pub meshes: Vec<Mesh>,
    pub instances: Vec<Instance>,
    pub planes: Vec<Plane>,
    pub strokes: Vec<Stroke>,
    pub dots: Vec<Dot>,
    /// The middle and radius of what matters: floors fade beyond it.
    pub center: Point,
    pub radius: f32,
    /// The colour of edge lines.
    pub ink: Colour,
}

impl Stage {
    /// A world point on the stage.
    pub fn point(&self, point: &Vec3) -> Point {
        (point - self.origin).cast()
    }

    /// Where a body's mesh stands.
    pub fn instance(&self, mesh: u32, pose: &Pose, colour: Colour) -> Instance {
        let (position, turn) = (self.point(&pose.position), pose.turn.cast());
        Instance { mesh, position, turn, colour, opacity: 1.0, shadow: 1.0, edges: 0.0 }
    }
}

impl Instance {
    /// A point of the mesh on the stage.
    pub fn place(&self, point: &Point) -> Point {
        self.position + self.turn * point
    }
}

impl Mesh {
    pub fn new(surface: &Surface, scale: f64, octants: bool) -> Mesh {
        let point = |entry: &[f64; 3]| Vec3::from(*entry).cast::<f32>();
        let positions: Vec<Point> = surface.positions.iter().map(|p| point(p) * scale as f32).collect();
        let reach = positions.iter().map(|p| p.norm()).fold(0.0, f32::max);
        let creases = creases(surface, scale);
        Mesh {
            normals: surface.normals.iter().map(point).collect(),
            triangles: surface.triangles.clone(),
            outline: outline(&positions, &creases),
            creases,
            positions,
            reach,
            octants,
        }
    }
}

/// The vertices that lie farthest out, and points along edges, which words must not cross either.
fn outline(positions: &[Point], creases: &[Crease]) -> Vec<Vec3> {
    let positions: Vec<Vec3> = positions.iter().map(|point| point.cast()).collect();
    let mut points = extremes(&positions, OUTLINE);
    let pieces = (OUTLINE / creases.len().max(1)).min(9);
    for crease in creases {
        let [from, to] = crease.ends.map(|end| end.cast::<f64>());
        points.extend((1..pieces).map(|k| from + (to - from) * (k as f64 / pieces as f64)));
    }
    points
}

/// Edges between triangles whose normals differ, found by the places of their ends.
fn creases(surface: &Surface, scale: f64) -> Vec<Crease> {
    // Faces have vertices of their own, so that equal places must first get equal names.
    let mut names = BTreeMap::new();
    let name_of: Vec<u32> = surface
        .positions
        .iter()
        .map(|p| {
            let next = names.len() as u32;
            *names.entry(p.map(|entry| (entry * 1e9).round() as i64)).or_insert(next)
        })
        .collect();
    let mut open: BTreeMap<(u32, u32), Vec3> = BTreeMap::new();
    let mut found = Vec::new();
    for triangle in &surface.triangles {
        let [a, b, c] = triangle.map(|k| Vec3::from(surface.positions[k as usize]));
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        for k in 0..3 {
            let (from, to) = (triangle[k] as usize, triangle[(k + 1) % 3] as usize);
            let (start, end) = (name_of[from], name_of[to]);
            match open.remove(&(end, start)) {
                Some(other) if is_crease(surface, from, to, &normal, &other) => {
                    let end_at = |k: usize| (Vec3::from(surface.positions[k]) * scale).cast();
                    found.push(Crease { ends: [end_at(from), end_at(to)], normals: [normal.cast(), other.cast()] });
                }
                Some(_) => {}
                None => {
                    open.insert((start, end), normal);
                }
            }
        }
    }
    found
}

/// Sharp, and meant to be: the normals remembered at its ends are those of its face, not of a smooth surface.
fn is_crease(surface: &Surface, from: usize, to: usize, normal: &Vec3, other: &Vec3) -> bool {
    let flat = |k: usize| Vec3::from(surface.normals[k]).dot(normal) > 0.999;
    normal.dot(other) < CREASE && flat(from) && flat(to)
}
