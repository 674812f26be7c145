//! Which triangle is seen at each of eight samples of a pixel.
//!
//! ```text
//! λ_k(x, y)   barycentric weights on the screen: linear, 1 at corner k and 0 at the others        (1)
//! 1/z = Σ λ_k/z_k                          linear on the screen, so exact                         (2)
//! weights of the corners in the world:     λ_k/z_k / Σ λ_j/z_j                                    (3)
//! ```
//!
//! A picture is cut into bands of rows. Each band has its own buffers, is worked on alone, and its result does not
//! depend on the others: the same bits on any number of threads. Shading is `shade`.

use super::camera::{Axes, Camera};
use super::stage::{Point, Stage};

/// Rows of a band: its buffers fit the cache of one core.
pub(super) const BAND: usize = 32;
/// Samples of a pixel.
pub(super) const SAMPLES: usize = 8;
/// Nothing is here.
pub(super) const NOTHING: u32 = u32::MAX;
/// Samples in sixteenths of a pixel from its middle: no two in one row or column.
const PATTERN: [(i8, i8); SAMPLES] = [(1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)];

/// A corner of a triangle, on the screen and in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub x: f32,
    pub y: f32,
    /// 1/z, 1/m.
    pub nearness: f32,
    pub position: Point,
    pub normal: Point,
    /// In the body frame.
    pub in_body: Point,
}

/// A triangle on the screen.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    pub corners: [u32; 3],
    pub instance: u32,
    /// λ_k = slope_x·(x − x₀) + slope_y·(y − y₀) + (k == 0), with the first corner at (x₀, y₀). (1)
    slope_x: [f32; 3],
    slope_y: [f32; 3],
    x0: f32,
    y0: f32,
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

/// All triangles of a stage in front of a camera.
#[derive(Clone, Debug, Default)]
pub(super) struct Scenery {
    pub corners: Vec<Corner>,
    pub facets: Vec<Facet>,
    /// For each band the facets that reach into it, in order.
    pub bands: Vec<Vec<u32>>,
    pub width: usize,
    pub height: usize,
}

/// A camera for a picture of one size, in half-width numbers about the stage's origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    pub eye: Point,
    pub right: Point,
    pub up: Point,
    pub forward: Point,
    pub focal: f32,
    pub near: f32,
    pub half_width: f32,
    pub half_height: f32,
}

impl Lens {
    pub fn new(camera: &Camera, stage: &Stage, width: u32, height: u32) -> Lens {
        let Axes { right, up, forward } = camera.axes();
        Lens {
            eye: stage.point(&camera.eye),
            right: right.cast(),
            up: up.cast(),
            forward: forward.cast(),
            focal: camera.focal(f64::from(height)) as f32,
            near: camera.near() as f32,
            half_width: width as f32 / 2.0,
            half_height: height as f32 / 2.0,
        }
    }

    /// x and y of the pixel and 1/z; behind the near plane the point counts as on it.
    pub fn project(&self, point: &Point) -> (f32, f32, f32) {
        let way = point - self.eye;
        let nearness = 1.0 / self.forward.dot(&way).max(self.near);
        let scale = self.focal * nearness;
        (self.half_width + scale * self.right.dot(&way), self.half_height - scale * self.up.dot(&way), nearness)
    }

    pub fn depth(&self, point: &Point) -> f32 {
        self.forward.dot(&(point - self.eye))
    }

    /// The direction, with depth 1, of a place on the screen.
    pub fn ray(&self, x: f32, y: f32) -> Point {
        self.forward + self.right * ((x - self.half_width) / self.focal)
            - self.up * ((y - self.half_height) / self.focal)
    }
}

impl Scenery {
    /// Places, projects and sorts into bands the meshes that `chosen` picks.
    pub fn new(stage: &Stage, lens: &Lens, width: u32, height: u32, chosen: impl Fn(f32) -> bool) -> Scenery {
        let (width, height) = (width as usize, height as usize);
        let bands = vec![Vec::new(); height.div_ceil(BAND)];
        let mut scenery = Scenery { width, height, bands, ..Scenery::default() };
        for (instance, index) in stage.instances.iter().zip(0..) {
            if chosen(instance.opacity) {
                scenery.add(stage, lens, index);
            }
        }
        scenery
    }

    fn add(&mut self, stage: &Stage, lens: &Lens, index: u32) {
        let instance = &stage.instances[index as usize];
        let mesh = &stage.meshes[instance.mesh as usize];
        let first = self.corners.len() as u32;
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            let placed = instance.place(position);
            let (x, y, nearness) = lens.project(&placed);
            let normal = instance.turn * normal;
            self.corners.push(Corner { x, y, nearness, position: placed, normal, in_body: *position });
        }
        let behind = |corner: &Corner| lens.depth(&corner.position) < lens.near;
        for triangle in &mesh.triangles {
            let corners = triangle.map(|k| k + first);
            match corners.iter().filter(|&&k| behind(&self.corners[k as usize])).count() {
                0 => self.push(corners, index),
                3 => {}
                _ => self.push_clipped(corners, index, lens),
            }
        }
    }

    /// Adds the part of a triangle that lies in front of the near plane: three or four corners.
    fn push_clipped(&mut self, corners: [u32; 3], instance: u32, lens: &Lens) {
        let mut kept: Vec<u32> = Vec::with_capacity(4);
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let [a, b] = [from, to].map(|k| self.corners[k as usize]);
            let [before, after] = [a, b].map(|corner| lens.depth(&corner.position) - lens.near);
            if before >= 0.0 {
                kept.push(from);
            }
            if (before >= 0.0) != (after >= 0.0) {
                kept.push(self.corners.len() as u32);
                self.corners.push(between(&a, &b, before / (before - after), lens));
            }
        }
        for pair in kept.windows(2).skip(1) {
            self.push([kept[0], pair[0], pair[1]], instance);
        }
    }

    /// Adds a triangle unless it turns away or lies outside.
    fn push(&mut self, corners: [u32; 3], instance: u32) {
        let [a, b, c] = corners.map(|k| &self.corners[k as usize]);
        let (ux, uy, vx, vy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y);
        // y grows downwards, so that what turns left seen from outside is negative here.
        let area = ux * vy - uy * vx;
        let (low, high) = (|p: f32, q: f32, r: f32| p.min(q).min(r), |p: f32, q: f32, r: f32| p.max(q).max(r));
        let (left, right) = (low(a.x, b.x, c.x), high(a.x, b.x, c.x));
        let (top, bottom) = (low(a.y, b.y, c.y), high(a.y, b.y, c.y));
        let inside = right > 0.0 && bottom > 0.0 && left < self.width as f32 && top < self.height as f32;
        if !(area < -1e-9 && inside) {
            return;
        }
        let (s, t) = ([vy / area, -uy / area], [-vx / area, ux / area]);
        let facet = Facet {
            corners,
            instance,
            slope_x: [-s[0] - s[1], s[0], s[1]],
            slope_y: [-t[0] - t[1], t[0], t[1]],
            x0: a.x,
            y0: a.y,
            left: left.max(0.0) as u32,
            right: (right as u32 + 1).min(self.width as u32),
            top: top.max(0.0) as u32,
            bottom: (bottom as u32 + 1).min(self.height as u32),
        };
        let bands = facet.top as usize / BAND..=(facet.bottom as usize - 1) / BAND;
        let index = self.facets.len() as u32;
        self.bands[bands].iter_mut().for_each(|band| band.push(index));
        self.facets.push(facet);
    }

    /// Position, normal and body position at a place on the screen, from the weights of (3).
    pub fn interpolate(&self, facet: u32, x: f32, y: f32) -> (Point, Point, Point) {
        let facet = &self.facets[facet as usize];
        let corners = facet.corners.map(|k| &self.corners[k as usize]);
        let weights = facet.weights(x, y);
        // A pixel's middle may lie outside of a triangle that covers one of its corners.
        let scaled = [0, 1, 2].map(|k| weights[k].clamp(0.0, 1.0) * corners[k].nearness);
        let sum = 1.0 / (scaled[0] + scaled[1] + scaled[2]);
        let blend = |of: fn(&Corner) -> Point| {
            (of(corners[0]) * scaled[0] + of(corners[1]) * scaled[1] + of(corners[2]) * scaled[2]) * sum
        };
        (blend(|c| c.position), blend(|c| c.normal), blend(|c| c.in_body))
    }
}

/// The corner a part of the way from a to b.
fn between(a: &Corner, b: &Corner, part: f32, lens: &Lens) -> Corner {
    let position = a.position.lerp(&b.position, part);
    let (x, y, nearness) = lens.project(&position);
    let (normal, in_body) = (a.normal.lerp(&b.normal, part), a.in_body.lerp(&b.in_body, part));
    Corner { x, y, nearness, position, normal, in_body }
}

impl Facet {
    /// (1)
    fn weights(&self, x: f32, y: f32) -> [f32; 3] {
        let (x, y) = (x - self.x0, y - self.y0);
        let weight = |k: usize| self.slope_x[k] * x + self.slope_y[k] * y;
        [1.0 + weight(0), weight(1), weight(2)]
    }
}

/// Nearness and facet of each sample in one band.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub width: usize,
    pub top: usize,
    pub rows: usize,
    pub nearness: Vec<[f32; SAMPLES]>,
    pub facet: Vec<[u32; SAMPLES]>,
}

/// A rectangle of pixels: columns and rows, ends excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub left: usize,
    pub right: usize,
    pub top: usize,
    pub bottom: usize,
}

impl Rectangle {
    pub const EMPTY: Rectangle = Rectangle { left: usize::MAX, right: 0, top: usize::MAX, bottom: 0 };

    fn include(&mut self, other: Rectangle) {
        self.left = self.left.min(other.left);
        self.right = self.right.max(other.right);
        self.top = self.top.min(other.top);
        self.bottom = self.bottom.max(other.bottom);
    }
}

impl Samples {
    pub fn new(width: usize, height: usize, band: usize) -> Samples {
        let top = band * BAND;
        let rows = BAND.min(height - top);
        let count = width * rows;
        Samples { width, top, rows, nearness: vec![[0.0; SAMPLES]; count], facet: vec![[NOTHING; SAMPLES]; count] }
    }

    pub fn clear(&mut self, part: Rectangle) {
        for y in part.top..part.bottom {
            let row = (y - self.top) * self.width;
            self.nearness[row + part.left..row + part.right].fill([0.0; SAMPLES]);
            self.facet[row + part.left..row + part.right].fill([NOTHING; SAMPLES]);
        }
    }

    /// Draws facets; the nearest one stays at each sample. Returns the part that may have changed.
    pub fn draw(&mut self, scenery: &Scenery, facets: &[u32]) -> Rectangle {
        let mut changed = Rectangle::EMPTY;
        for &index in facets {
            let facet = &scenery.facets[index as usize];
            changed.include(self.draw_facet(scenery, facet, index));
        }
        changed
    }

    fn draw_facet(&mut self, scenery: &Scenery, facet: &Facet, index: u32) -> Rectangle {
        let part = Rectangle {
            left: facet.left as usize,
            right: facet.right as usize,
            top: (facet.top as usize).max(self.top),
            bottom: (facet.bottom as usize).min(self.top + self.rows),
        };
        let corners = facet.corners.map(|k| scenery.corners[k as usize].nearness);
        let offset = |k: usize, (x, y): (i8, i8)| {
            facet.slope_x[k] * f32::from(x) / 16.0 + facet.slope_y[k] * f32::from(y) / 16.0
        };
        let offsets = [0, 1, 2].map(|k| PATTERN.map(|sample| offset(k, sample)));
        let reach = [0, 1, 2].map(|k| offsets[k].iter().fold(0.0_f32, |most, offset| most.max(*offset)));
        for y in part.top..part.bottom {
            let row = (y - self.top) * self.width;
            for x in part.left..part.right {
                let weights = facet.weights(x as f32 + 0.5, y as f32 + 0.5);
                if (0..3).any(|k| weights[k] + reach[k] < 0.0) {
                    continue;
                }
                let (near, facets) = (&mut self.nearness[row + x], &mut self.facet[row + x]);
                for s in 0..SAMPLES {
                    let [a, b, c] = [0, 1, 2].map(|k: usize| weights[k] + offsets[k][s]);
                    let nearness = a * corners[0] + b * corners[1] + c * corners[2];
                    if a.min(b).min(c) >= 0.0 && nearness > near[s] {
                        near[s] = nearness;
                        facets[s] = index;
                    }
                }
            }
        }
        part
    }
}

/// The middle of the samples in a mask, from a pixel's corner.
pub(super) fn middle_of(mask: u8) -> (f32, f32) {
    let (mut x, mut y, mut count) = (0.0, 0.0, 0.0_f32);
    for (_, sample) in PATTERN.iter().enumerate().filter(|(s, _)| mask >> s & 1 == 1) {
        x += f32::from(sample.0) / 16.0;
        y += f32::from(sample.1) / 16.0;
        count += 1.0;
    }
    (0.5 + x / count.max(1.0), 0.5 + y / count.max(1.0))
}
