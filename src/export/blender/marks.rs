//! Marks of joints and forces for the script.
//!
//! ```text
//! a spot     an empty or a mesh at a point of a body (below it), at a place, or with keys
//! a rig      a mesh at one spot that a "Stretch To" constraint reaches to another: no keys but those of its spots               (1)
//! ```
//!
//! So a coil follows whatever an animator does with its bodies. Blender stretches along y: meshes of rigs, which point along z, are turned.
//! Keys of spots are straight, written as cubics with the slope of each step.

use nalgebra::SVector;
use serde::{Deserialize, Serialize};

use super::super::curve::{Curve, Joining, Knot};
use super::super::keys::Sampling;
use super::super::marks::compare::{END, FileMark, ORIGIN};
use super::super::marks::course::course;
use super::super::marks::{Carrier, End, Marks, Part, Rig};
use super::{MeshData, Motion, numbers};
use crate::geometry::Surface;
use crate::math::Vec3;
use crate::picture::Theme;

#[derive(Serialize, Deserialize)]
pub struct MarkData {
    pub name: String,
    of: String,
    kind: String,
    color: [f64; 3],
    /// Place in `meshes`.
    pub mesh: usize,
    at: Spot,
    /// To where it is stretched, from how long a mesh.
    to: Option<(Spot, f64)>,
    /// When it appears and vanishes.
    shown: Vec<(f64, bool)>,
}

#[derive(Serialize, Deserialize)]
struct Spot {
    /// Place in `bodies`.
    body: Option<usize>,
    /// t, place, rate before, rate after; one row for what does not move.
    place: Vec<Vec<f64>>,
}

/// All marks; `mesh` finds a place for their meshes.
pub fn marks(
    motion: &Motion,
    marks: &Marks,
    sampling: &Sampling,
    mut mesh: impl FnMut(MeshData) -> usize,
) -> Vec<MarkData> {
    let mark = |part: &Part| {
        let (at, to) = match &part.carrier {
            Carrier::World(place) => (Spot::still(None, place), None),
            Carrier::Body(body, point) => (Spot::still(Some(*body), point), None),
            Carrier::Rig(Rig { from, to: None, .. }) => (Spot::moving(motion, *from, sampling), None),
            Carrier::Rig(Rig { from, to: Some(to), length }) => {
                let [from, to] = [from, to].map(|end| Spot::new(motion, *end, sampling));
                (from, Some((to, *length)))
            }
        };
        let surface = if to.is_some() { along_y(&part.surface) } else { part.surface.clone() };
        MarkData {
            name: part.name.clone(),
            of: part.of.clone(),
            kind: part.kind.to_owned(),
            color: part.tone.colour(Theme::Light).map(f64::from).into(),
            mesh: mesh(MeshData { positions: surface.positions, triangles: surface.triangles }),
            at,
            to,
            shown: part.switches(motion.trajectory.t_end),
        }
    };
    marks.parts.iter().map(mark).collect()
}

impl Spot {
    fn still(body: Option<usize>, place: &Vec3) -> Spot {
        Spot { body, place: vec![numbers(&Knot::still(0.0, *place), |value| value.as_slice().to_vec())] }
    }

    fn new(motion: &Motion, end: End, sampling: &Sampling) -> Spot {
        match end {
            End::Place(place) => Spot::still(None, &place),
            End::Point(body, point) => Spot::still(Some(body), &point),
            End::Track(_) | End::Push { .. } | End::Middle(_) => Spot::moving(motion, end, sampling),
        }
    }

    /// Keys of its place in the world; between them it goes straight.
    fn moving(motion: &Motion, end: End, sampling: &Sampling) -> Spot {
        let rig = Rig { from: end, to: None, length: 0.0 };
        let mut knots = course(motion, &rig, sampling, false).place.knots;
        if knots.windows(2).all(|pair| pair[0].value == pair[1].value) {
            knots.truncate(1);
        }
        for k in 1..knots.len() {
            let slope = (knots[k].value - knots[k - 1].value) / (knots[k].t - knots[k - 1].t);
            (knots[k - 1].rates[1], knots[k].rates[0]) = (slope, slope);
        }
        Spot { body: None, place: knots.iter().map(|knot| numbers(knot, |value| value.as_slice().to_vec())).collect() }
    }

    fn keys(&self) -> usize {
        if self.place.len() > 1 { self.place.len() } else { 0 }
    }
}

impl MarkData {
    /// How many keys it has.
    pub fn keys(&self) -> usize {
        self.at.keys() + self.to.as_ref().map_or(0, |(spot, _)| spot.keys())
    }

    /// What of it moves.
    pub fn moving(&self) -> Option<Vec<FileMark>> {
        let spots = [(Some(&self.at), ORIGIN), (self.to.as_ref().map(|(spot, _)| spot), END)];
        let moving = spots.into_iter().filter_map(|(spot, word)| Some((spot.filter(|spot| spot.keys() > 0)?, word)));
        let read = |(spot, word): (&Spot, &str)| {
            Some(FileMark {
                name: format!("{}{word}", self.name),
                place: super::curve(&spot.place)?,
                turn: still([0.0, 0.0, 0.0, 1.0]),
                scale: still([1.0; 3]),
            })
        };
        moving.map(read).collect()
    }
}

fn still<const N: usize>(value: [f64; N]) -> Curve<N> {
    Curve { joining: Joining::Linear, knots: vec![Knot::still(0.0, SVector::from(value))] }
}

/// Turned about x, from z to y.
fn along_y(surface: &Surface) -> Surface {
    let turned = |list: &[[f64; 3]]| list.iter().map(|[x, y, z]| [*x, *z, -y]).collect();
    Surface {
        positions: turned(&surface.positions),
        normals: turned(&surface.normals),
        triangles: surface.triangles.clone(),
    }
}
