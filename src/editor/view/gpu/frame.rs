//! What one picture of the 3D view consists of, as plain numbers: nothing here knows the graphics card.

use std::sync::Arc;

use eframe::egui::Color32;
use nalgebra::Matrix4;

use crate::dynamics::BodyState;
use crate::editor::eye::camera::{Camera, HALF_VIEW};
use crate::editor::work::meshes::Meshes;
use crate::math::Vec3;
use crate::math::elementary::tan;

/// Where the light comes from, before normalising.
const TO_LIGHT: [f64; 3] = [0.42, 1.0, 0.36];

/// A matrix by columns, a colour, and the highlight with three unused numbers.
pub type Instance = [f32; 24];
/// Two ends (with width, and how much shows where hidden) and a colour.
pub type Segment = [f32; 12];
/// Origin with cell size, two tangents with reach, fill and line colours.
pub type Ground = [f32; 20];

/// One body, drawn once.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// Its place in the scene.
    pub body: usize,
    /// Where it is and how it is coloured.
    pub instance: Instance,
}

/// Everything one picture needs.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Shapes of bodies.
    pub meshes: Arc<Meshes>,
    /// Bodies that stand in the world and cast shadows.
    pub solid: Vec<Drawn>,
    /// Bodies that are only shown.
    pub ghosts: Vec<Drawn>,
    /// Half-spaces and the grid.
    pub grounds: Vec<Ground>,
    /// Paths and marks.
    pub segments: Vec<Segment>,
    /// What the shaders share, in the order of their struct.
    pub uniforms: [f32; 64],
    /// Pixels.
    pub size: [u32; 2],
}

/// A body at a state, in a colour; the highlight is 0 or 1.
pub fn instance(state: &BodyState, scale: f64, color: Color32, highlight: f32) -> Instance {
    let turn = state.rotation.to_rotation_matrix().into_inner() * scale;
    let mut out = [0.0; 24];
    for column in 0..3 {
        for row in 0..3 {
            out[4 * column + row] = turn[(row, column)] as f32;
        }
    }
    for (row, entry) in state.position.iter().enumerate() {
        out[12 + row] = *entry as f32;
    }
    out[15] = 1.0;
    out[16..20].copy_from_slice(&numbers(color));
    out[20] = highlight;
    out
}

/// A straight piece of a path, `width` points wide; `hidden` of it shows through what hides it.
pub fn segment(a: Vec3, b: Vec3, width: f32, color: Color32, hidden: f32) -> Segment {
    let [r, g, b_, alpha] = numbers(color);
    [a.x as f32, a.y as f32, a.z as f32, width, b.x as f32, b.y as f32, b.z as f32, hidden, r, g, b_, alpha]
}

/// A round mark, `size` points across.
pub fn dot(place: Vec3, size: f32, color: Color32, hidden: f32) -> Segment {
    segment(place, place, -size, color, hidden)
}

/// A plane through a point with a grid; a fill of alpha 0 leaves only the lines.
pub fn ground(origin: Vec3, normal: Vec3, cell: f64, reach: f64, fill: Color32, line: Color32) -> Ground {
    let first = if normal.y.abs() > 0.9 { Vec3::x() } else { Vec3::y() };
    let first = (first - normal * normal.dot(&first)).normalize();
    let second = first.cross(&normal);
    let mut out = [0.0; 20];
    for row in 0..3 {
        out[row] = origin[row] as f32;
        out[4 + row] = first[row] as f32;
        out[8 + row] = second[row] as f32;
    }
    out[3] = cell as f32;
    out[7] = reach as f32;
    out[12..16].copy_from_slice(&numbers(fill));
    out[16..20].copy_from_slice(&numbers(line));
    out
}

/// What the shaders share: the camera, the light about a ball that casts shadows, and the sky.
pub fn uniforms(
    camera: &Camera,
    size: [u32; 2],
    scale: f32,
    ball: (Vec3, f64),
    sky: [Color32; 2],
    map: u32,
) -> [f32; 64] {
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let to_light = Vec3::from(TO_LIGHT).normalize();
    let (center, radius) = ball;
    let mut out = [0.0; 64];
    put_matrix(&mut out[0..16], &camera.clip_from_world(aspect));
    put_matrix(&mut out[16..32], &light_from_world(to_light, center, radius));
    put(&mut out[32..36], camera.eye(), 0.02 * camera.distance);
    put(&mut out[36..40], to_light, 1.0);
    out[40..44].copy_from_slice(&[size[0] as f32, size[1] as f32, scale, (2.0 * radius / f64::from(map)) as f32]);
    out[44..48].copy_from_slice(&numbers(sky[0]));
    out[48..52].copy_from_slice(&numbers(sky[1]));
    put(&mut out[52..56], camera.forward(), tan(HALF_VIEW));
    put(&mut out[56..60], camera.up(), 0.0);
    put(&mut out[60..64], camera.right(), aspect);
    out
}

/// An orthographic view along the light onto a ball, depth from 0 to 1.
fn light_from_world(to_light: Vec3, center: Vec3, radius: f64) -> Matrix4<f64> {
    let right = Vec3::y().cross(&to_light).normalize();
    let up = to_light.cross(&right);
    let reach = 2.0 * radius;
    let row = |axis: Vec3, scale: f64, offset: f64| {
        let axis = axis * scale;
        nalgebra::RowVector4::new(axis.x, axis.y, axis.z, offset - axis.dot(&center))
    };
    let last = nalgebra::RowVector4::new(0.0, 0.0, 0.0, 1.0);
    Matrix4::from_rows(&[
        row(right, 1.0 / radius, 0.0),
        row(up, 1.0 / radius, 0.0),
        row(to_light, -0.5 / reach, 0.5),
        last,
    ])
}

/// Red, green, blue and alpha, not premultiplied.
fn numbers(color: Color32) -> [f32; 4] {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    [r, g, b, a].map(|entry| f32::from(entry) / 255.0)
}

fn put(out: &mut [f32], vector: Vec3, last: f64) {
    out.copy_from_slice(&[vector.x as f32, vector.y as f32, vector.z as f32, last as f32]);
}

fn put_matrix(out: &mut [f32], matrix: &Matrix4<f64>) {
    for (slot, entry) in out.iter_mut().zip(matrix.iter()) {
        *slot = *entry as f32;
    }
}
