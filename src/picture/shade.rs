//! The colour of one place: of a body, of glass, of a floor, of the background.
//!
//! ```text
//! body    albedo·(key·max(0, n·l)·(1 − shadow) + sky(n)·(1 − hidden)) + gloss                         (1)
//! floor   theme's colour·(1 − a·shadow)·(1 − b·closeness), fading into the background far away        (2)
//! ```

use super::colour::{Colour, Scheme, linear, mix};
use super::light::{BodyShadow, FloorLight};
use super::raster::{Lens, Scenery};
use super::stage::{Plane, Point, Stage};
use crate::math::Vec3;
use crate::math::elementary::{log10, powf};

const KEY: f32 = 0.78;
const SKY: f32 = 0.46;
const BOUNCE: f32 = 0.24;
const GLOSS: f32 = 0.10;
/// How much closeness takes of a body's sky.
const HIDDEN: f32 = 0.80;
/// Every fifth line of the grid is stronger.
const STRONG_EVERY: f32 = 5.0;
/// Floors begin to fade at this multiple of the motion's radius, and are gone at the second.
const FADE: (f32, f32) = (1.1, 3.4);

/// Light, colours and floors of one picture.
pub(super) struct Shader<'a> {
    stage: &'a Stage,
    lens: &'a Lens,
    to_light: Point,
    up: Point,
    body_shadow: Option<BodyShadow>,
    floors: Vec<Floor<'a>>,
    scheme: &'a Scheme,
    sky: Colour,
    ground: Colour,
    floor: Colour,
    grid: Colour,
    pixel: f32,
    /// How strong lines on floors are: a pixel's width is much in a small picture.
    lines: f32,
}

struct Floor<'a> {
    plane: &'a Plane,
    light: Option<FloorLight>,
    axes: (Point, Point),
    /// Of the stage's origin in the grid, in cells.
    offset: (f32, f32),
    cells_per_metre: f32,
}

impl<'a> Shader<'a> {
    pub fn new(stage: &'a Stage, lens: &'a Lens, up: Point, scheme: &'a Scheme) -> Shader<'a> {
        let level = |direction: Point| (direction - up * direction.dot(&up)).try_normalize(1e-6);
        let back = level(-lens.forward).or_else(|| level(lens.up)).unwrap_or(-lens.forward);
        let to_light = (up * 1.25 - up.cross(&back) * 0.62 + back * 0.42).normalize();
        // Small pictures do with coarser shadows.
        let detail = lens.half_width.max(lens.half_height) / 800.0;
        let facing = |plane: &&Plane| plane.normal.dot(&(lens.eye - plane.point)) > 0.0;
        let floors =
            stage.planes.iter().filter(facing).map(|plane| Floor::new(stage, plane, to_light, detail)).collect();
        Shader {
            stage,
            lens,
            to_light,
            up,
            body_shadow: BodyShadow::new(stage, to_light, detail),
            floors,
            scheme,
            sky: linear(scheme.sky),
            ground: linear(scheme.ground),
            floor: linear(scheme.floor),
            grid: linear(scheme.grid),
            pixel: 1.0 / lens.focal,
            lines: (0.25 + 0.75 * detail).clamp(0.4, 1.0),
        }
    }

    /// Whether a point lies inside a floor, where nothing is seen.
    pub fn is_buried(&self, point: &Point) -> bool {
        let slack = 2e-4 * self.stage.radius;
        self.floors.iter().any(|floor| {
            let plane = floor.plane;
            plane.grid && plane.normal.dot(&(point - plane.point)) < -slack
        })
    }

    /// A solid body's colour at a place on the screen; `hidden` of its sky. (1)
    pub fn body(&self, scenery: &Scenery, facet: u32, x: f32, y: f32, hidden: f32) -> Option<Colour> {
        let (point, normal, in_body) = scenery.interpolate(facet, x, y);
        if self.is_buried(&point) {
            return None;
        }
        let normal = normal.normalize();
        let lit = self.to_light.dot(&normal).max(0.0);
        let shadow = match &self.body_shadow {
            Some(shadow) if lit > 0.0 => shadow.at(&point, &normal),
            _ => 0.0,
        };
        let albedo = self.albedo(scenery, facet, &point, &in_body);
        let instance = &self.stage.instances[scenery.facets[facet as usize].instance as usize];
        let colour = self.lit(albedo, &point, &normal, lit * (1.0 - shadow), hidden);
        if instance.edges <= 0.0 {
            return Some(colour);
        }
        // Where a pale body turns away it darkens, which is its outline.
        let facing = normal.dot(&(self.lens.eye - point).normalize()).clamp(0.0, 1.0);
        Some(mix(colour, self.stage.ink, 0.8 * instance.edges * (1.0 - facing).powi(3)))
    }

    /// A glass body's colour and how much it hides. It has no shadows: glass is a memory of a body.
    pub fn glass(&self, scenery: &Scenery, facet: u32, x: f32, y: f32) -> Option<(Colour, f32)> {
        let (point, normal, in_body) = scenery.interpolate(facet, x, y);
        if self.is_buried(&point) {
            return None;
        }
        let normal = normal.normalize();
        let instance = &self.stage.instances[scenery.facets[facet as usize].instance as usize];
        let albedo = self.albedo(scenery, facet, &point, &in_body);
        // Glass glows a little in its own colour: plain shading would turn it grey.
        let colour = albedo * (0.80 + 0.22 * self.to_light.dot(&normal));
        let facing = normal.dot(&(self.lens.eye - point).normalize()).clamp(0.0, 1.0);
        let rim = (1.0 - facing).powi(3) * instance.edges;
        Some((colour, (instance.opacity * (1.0 + 1.6 * rim)).min(0.95)))
    }

    fn lit(&self, albedo: Colour, point: &Point, normal: &Point, key: f32, hidden: f32) -> Colour {
        let to_eye = (self.lens.eye - point).normalize();
        let half = (to_eye + self.to_light).try_normalize(1e-6).unwrap_or(self.up);
        let gloss = GLOSS * normal.dot(&half).max(0.0).powi(36) * key.min(1.0);
        let upward = 0.5 + 0.5 * normal.dot(&self.up);
        let ambient = (BOUNCE + (SKY - BOUNCE) * upward) * (1.0 - HIDDEN * hidden);
        albedo * (KEY * key + ambient) + Colour::repeat(gloss)
    }

    /// A ball is painted in octants, every second one paler; the borders are as soft as a pixel.
    fn albedo(&self, scenery: &Scenery, facet: u32, point: &Point, in_body: &Point) -> Colour {
        let instance = &self.stage.instances[scenery.facets[facet as usize].instance as usize];
        let mesh = &self.stage.meshes[instance.mesh as usize];
        if !mesh.octants {
            return instance.colour;
        }
        let width = self.lens.depth(point) * self.pixel * 1.1;
        let side = |entry: f32| (entry / width).clamp(-1.0, 1.0);
        let sign = side(in_body.x) * side(in_body.y) * side(in_body.z);
        mix(instance.colour, Colour::repeat(0.93), 0.26 * (1.0 + sign))
    }

    /// What is seen where no body is: the nearest floor, or the background. (2)
    pub fn backdrop(&self, x: f32, y: f32) -> Colour {
        let high = (y / (2.0 * self.lens.half_height)).clamp(0.0, 1.0);
        let mut colour = mix(self.sky, self.ground, smoothstep(0.0, 0.9, high));
        let ray = self.lens.ray(x, y);
        let hits = self.floors.iter().filter_map(|floor| Some((floor.hit(&self.lens.eye, &ray)?, floor)));
        if let Some((depth, floor)) = hits.min_by(|a, b| a.0.total_cmp(&b.0)) {
            let point = self.lens.eye + ray * depth;
            let away = (point - self.stage.center).norm() / self.stage.radius;
            let near = 1.0 - smoothstep(FADE.0, FADE.1, away);
            let (shadow, close) = floor.light.as_ref().map_or((0.0, 0.0), |light| light.at(&point));
            if floor.plane.grid {
                // Walls are a shade darker, so that corners show.
                let level = floor.plane.normal.dot(&self.up).max(0.0);
                colour = mix(colour, self.floor * (0.88 + 0.12 * level), near);
                let right = self.lens.ray(x + 1.0, y);
                let below = self.lens.ray(x, y + 1.0);
                let lines = floor.lines(&self.lens.eye, &point, [&right, &below]);
                colour = mix(colour, self.grid, near * self.lines * lines);
            }
            colour *= (1.0 - self.scheme.shadow * shadow) * (1.0 - self.scheme.closeness * close);
        }
        colour
    }
}

impl<'a> Floor<'a> {
    fn new(stage: &Stage, plane: &'a Plane, to_light: Point, detail: f32) -> Floor<'a> {
        // Along the world's axes where the floor is, so that lines stand at round coordinates.
        let level = |axis: Point| (axis - plane.normal * axis.dot(&plane.normal)).try_normalize(0.3);
        let first = level(Point::x()).or_else(|| level(Point::z())).unwrap_or(Point::y());
        let axes = (first, plane.normal.cross(&first));
        let cells_per_metre = 1.0 / cell_size(f64::from(stage.radius));
        let offset = |axis: &Point| {
            let cells: f64 = axis.cast::<f64>().dot(&stage.origin) * cells_per_metre;
            cells.rem_euclid(f64::from(STRONG_EVERY)) as f32
        };
        Floor {
            plane,
            light: FloorLight::new(stage, plane, to_light, detail),
            offset: (offset(&axes.0), offset(&axes.1)),
            axes,
            cells_per_metre: cells_per_metre as f32,
        }
    }

    /// The depth at which a ray enters it.
    fn hit(&self, eye: &Point, ray: &Point) -> Option<f32> {
        let rate = self.plane.normal.dot(ray);
        let depth = self.plane.normal.dot(&(self.plane.point - eye)) / rate;
        (rate < -1e-5 && depth > 0.0).then_some(depth)
    }

    /// Strength of grid lines at a point, from the distance between neighbouring pixels on the floor.
    fn lines(&self, eye: &Point, point: &Point, neighbours: [&Point; 2]) -> f32 {
        let cell = |p: &Point| {
            (
                self.axes.0.dot(p) * self.cells_per_metre + self.offset.0,
                self.axes.1.dot(p) * self.cells_per_metre + self.offset.1,
            )
        };
        let here = cell(point);
        let mut change = (0.0, 0.0);
        for ray in neighbours {
            let Some(depth) = self.hit(eye, ray) else { return 0.0 };
            let there = cell(&(eye + ray * depth));
            change.0 += (there.0 - here.0) * (there.0 - here.0);
            change.1 += (there.1 - here.1) * (there.1 - here.1);
        }
        let across = line(here.0, change.0.sqrt()).max(line(here.1, change.1.sqrt()));
        let strong = |at: f32, change: f32| line(at / STRONG_EVERY, change / STRONG_EVERY);
        let strong = strong(here.0, change.0.sqrt()).max(strong(here.1, change.1.sqrt()));
        (0.42 * across).max(0.85 * strong)
    }
}

/// Coverage of a line at whole numbers, one pixel wide, where a pixel is `change` wide; crowded lines fade.
fn line(at: f32, change: f32) -> f32 {
    let distance = (at - at.round()).abs() / change.max(1e-9);
    (1.15 - distance).clamp(0.0, 1.0) * (1.0 - smoothstep(0.06, 0.35, change))
}

/// 1, 2 or 5 times a power of ten, at most a sixth of the radius.
pub(super) fn cell_size(radius: f64) -> f64 {
    let wanted = (radius / 6.0).clamp(1e-9, 1e9);
    let power = powf(10.0_f64, log10(wanted).floor());
    let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= wanted);
    digit.unwrap_or(1.0) * power
}

pub(super) fn smoothstep(from: f32, to: f32, at: f32) -> f32 {
    let part = ((at - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Which way is up, where gravity pulls.
pub(super) fn up_of(gravity: &Vec3) -> Vec3 {
    (-gravity).try_normalize(1e-9).unwrap_or(Vec3::y())
}
