//! Where light does not reach: shadows of the key light on bodies and floors, and the dimness of close places.
//!
//! Everything is a picture taken from somewhere else, in which the nearest or farthest surface is kept:
//!
//! ```text
//! on bodies    heights along the light, seen from the light: lower than the map = in shadow                 (1)
//! on a floor   the lowest surface above each place, sheared along the light; the shadow's edge widens with
//!              the height of what throws it: radius = height · softness                                     (2)
//! closeness    lowest and highest surface above each place: a column between elevations a and b takes
//!              sin²b − sin²a of the sky's light in its direction                                            (3)
//! ```

use super::raster::Scenery;
use super::stage::{Plane, Point, Stage};

/// Texels of a side of the map of shadows on bodies, for pictures of 1600 pixels; smaller ones need fewer.
const BODY_TEXELS: usize = 1024;
/// Texels of a side of the map of shadows on a floor.
const FLOOR_TEXELS: usize = 640;
/// Texels of a side of the map of closeness.
const CLOSE_TEXELS: usize = 288;
/// How fast an edge of a shadow widens with the height of what throws it: the size of the lamp.
const SOFTNESS: f32 = 0.16;
/// Places looked at to find the height of what throws a shadow, and the width of its edge.
const TAPS: usize = 28;
/// Directions and distances looked at for closeness.
const DIRECTIONS: usize = 12;
const RINGS: usize = 7;

/// A square of numbers over a part of a plane.
#[derive(Clone, Debug)]
struct Map {
    side: usize,
    /// From the plane's coordinates to texels.
    scale: f32,
    left: f32,
    top: f32,
    texels: Vec<f32>,
}

impl Map {
    fn new(side: usize, center: (f32, f32), half: f32, value: f32) -> Map {
        let scale = side as f32 / (2.0 * half.max(1e-20));
        Map { side, scale, left: center.0 - half, top: center.1 - half, texels: vec![value; side * side] }
    }

    fn at(&self, column: isize, row: isize) -> Option<f32> {
        let side = self.side as isize;
        let inside = (0..side).contains(&column) && (0..side).contains(&row);
        inside.then(|| self.texels[(row * side + column) as usize])
    }

    /// In texels.
    fn place(&self, u: f32, v: f32) -> (f32, f32) {
        ((u - self.left) * self.scale, (v - self.top) * self.scale)
    }

    /// Between the four nearest texels; 0 outside.
    fn smooth(&self, u: f32, v: f32) -> f32 {
        let (x, y) = self.place(u, v);
        let (x, y) = (x - 0.5, y - 0.5);
        let side = self.side as f32;
        if !(x > -1.0 && y > -1.0 && x < side && y < side) {
            return 0.0;
        }
        let (column, row) = (x.floor(), y.floor());
        let (right, down) = (x - column, y - row);
        let texel = |dx: isize, dy: isize| self.at(column as isize + dx, row as isize + dy).unwrap_or(0.0);
        let upper = texel(0, 0) * (1.0 - right) + texel(1, 0) * right;
        let lower = texel(0, 1) * (1.0 - right) + texel(1, 1) * right;
        upper * (1.0 - down) + lower * down
    }

    /// Draws a triangle of (u, v, value); `keep` combines the old value and the new.
    fn draw(&mut self, corners: [[f32; 3]; 3], keep: fn(f32, f32) -> f32) {
        let [a, b, c] = corners.map(|[u, v, value]| {
            let (x, y) = self.place(u, v);
            [x - 0.5, y - 0.5, value]
        });
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area.abs() < 1e-9 {
            return;
        }
        let last = self.side as f32 - 1.0;
        let range = |k: usize| {
            let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
            (low.max(0.0).ceil() as usize, high.min(last).floor().max(-1.0) + 1.0)
        };
        let ((left, right), (top, bottom)) = (range(0), range(1));
        for y in top..bottom as usize {
            for x in left..right as usize {
                let (dx, dy) = (x as f32 - a[0], y as f32 - a[1]);
                let second = (dx * (c[1] - a[1]) - dy * (c[0] - a[0])) / area;
                let third = (dy * (b[0] - a[0]) - dx * (b[1] - a[1])) / area;
                if second >= -1e-4 && third >= -1e-4 && second + third <= 1.0 + 1e-4 {
                    let value = a[2] + second * (b[2] - a[2]) + third * (c[2] - a[2]);
                    let texel = &mut self.texels[y * self.side + x];
                    *texel = keep(*texel, value);
                }
            }
        }
    }
}

/// Texels of a side for a picture of this detail.
fn texels(most: usize, detail: f32) -> usize {
    (most as f32 * detail.clamp(0.35, 1.0)) as usize
}

/// Two directions square to a normal.
fn tangents(normal: &Point) -> (Point, Point) {
    let other = if normal.x.abs() < 0.7 { Point::x() } else { Point::y() };
    let first = normal.cross(&other).normalize();
    (first, normal.cross(&first))
}

/// Calls `each` with the corners of every triangle that throws a shadow.
fn casters(stage: &Stage, mut each: impl FnMut([Point; 3])) {
    for instance in stage.instances.iter().filter(|instance| instance.shadow > 0.0) {
        let mesh = &stage.meshes[instance.mesh as usize];
        let placed: Vec<Point> = mesh.positions.iter().map(|position| instance.place(position)).collect();
        mesh.triangles.iter().for_each(|triangle| each(triangle.map(|k| placed[k as usize])));
    }
}

/// The middle and half side of a square around everything that throws a shadow, in two coordinates.
fn square_around(stage: &Stage, coordinates: impl Fn(&Point) -> (f32, f32)) -> Option<((f32, f32), f32)> {
    let mut ends = [f32::INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::NEG_INFINITY];
    for instance in stage.instances.iter().filter(|instance| instance.shadow > 0.0) {
        let reach = stage.meshes[instance.mesh as usize].reach;
        // What is large and far away would leave no texels for the rest.
        if reach > 8.0 * stage.radius {
            continue;
        }
        let (u, v) = coordinates(&instance.position);
        ends = [ends[0].min(u - reach), ends[1].max(u + reach), ends[2].min(v - reach), ends[3].max(v + reach)];
    }
    let half = (ends[1] - ends[0]).max(ends[3] - ends[2]) / 2.0;
    let center = ((ends[0] + ends[1]) / 2.0, (ends[2] + ends[3]) / 2.0);
    half.is_finite().then_some((center, half))
}

/// Shadows on bodies. (1)
#[derive(Clone, Debug)]
pub(super) struct BodyShadow {
    map: Map,
    to_light: Point,
    axes: (Point, Point),
}

impl BodyShadow {
    pub fn new(stage: &Stage, to_light: Point, detail: f32) -> Option<BodyShadow> {
        let axes = tangents(&to_light);
        let coordinates = |p: &Point| (axes.0.dot(p), axes.1.dot(p));
        let (center, half) = square_around(stage, coordinates)?;
        let mut map = Map::new(texels(BODY_TEXELS, detail), center, half * 1.02, f32::NEG_INFINITY);
        casters(stage, |triangle| {
            map.draw(triangle.map(|p| [coordinates(&p).0, coordinates(&p).1, to_light.dot(&p)]), f32::max);
        });
        Some(BodyShadow { map, to_light, axes })
    }

    /// How much of the light is hidden from a point of a surface, from 0 to 1.
    pub fn at(&self, point: &Point, normal: &Point) -> f32 {
        let texel = 1.0 / self.map.scale;
        let slant = 1.0 - self.to_light.dot(normal).clamp(0.0, 1.0);
        let lifted = point + normal * (texel * (1.5 + 2.0 * slant));
        let height = self.to_light.dot(&lifted) + texel;
        let (x, y) = self.map.place(self.axes.0.dot(&lifted), self.axes.1.dot(&lifted));
        let spread = 2.2;
        let hidden = (0..16).filter(|&k| {
            let (dx, dy) = spiral(k, 16);
            let (column, row) = ((x + dx * spread).floor() as isize, (y + dy * spread).floor() as isize);
            self.map.at(column, row).is_some_and(|surface| surface > height)
        });
        hidden.count() as f32 / 16.0
    }
}

/// The k-th of n places spread evenly over a disc of radius 1.
fn spiral(k: usize, n: usize) -> (f32, f32) {
    const GOLDEN_ANGLE: f32 = 2.399_963_2;
    let radius = ((k as f32 + 0.5) / n as f32).sqrt();
    let (sine, cosine) = (k as f32 * GOLDEN_ANGLE).sin_cos();
    (radius * cosine, radius * sine)
}

/// Shadow and closeness on one floor.
#[derive(Clone, Debug)]
pub(super) struct FloorLight {
    shadow: Map,
    closeness: Map,
    axes: (Point, Point),
}

impl FloorLight {
    pub fn new(stage: &Stage, plane: &Plane, to_light: Point, detail: f32) -> Option<FloorLight> {
        let axes = tangents(&plane.normal);
        let height = |p: &Point| plane.normal.dot(&(p - plane.point));
        let slope = plane.normal.dot(&to_light);
        if slope < 0.05 {
            return None;
        }
        let sheared = |p: &Point| {
            let foot = p - to_light * (height(p) / slope);
            (axes.0.dot(&foot), axes.1.dot(&foot))
        };
        let straight = |p: &Point| (axes.0.dot(p), axes.1.dot(p));
        let (center, half) = square_around(stage, sheared)?;
        let mut lowest = Map::new(texels(FLOOR_TEXELS, detail), center, half * 1.35, f32::INFINITY);
        casters(stage, |t| lowest.draw(t.map(|p| [sheared(&p).0, sheared(&p).1, height(&p)]), f32::min));
        let (center, half) = square_around(stage, straight)?;
        let (half, side) = (half * 1.35, texels(CLOSE_TEXELS, detail));
        let mut low = Map::new(side, center, half, f32::INFINITY);
        let mut high = Map::new(side, center, half, f32::NEG_INFINITY);
        casters(stage, |t| {
            let corners = t.map(|p| [straight(&p).0, straight(&p).1, height(&p)]);
            low.draw(corners, f32::min);
            high.draw(corners, f32::max);
        });
        Some(FloorLight { shadow: soft_shadow(&lowest), closeness: closeness(&low, &high), axes })
    }

    /// Hidden parts of the key light and of the sky at a point of the floor.
    pub fn at(&self, point: &Point) -> (f32, f32) {
        let (u, v) = (self.axes.0.dot(point), self.axes.1.dot(point));
        (self.shadow.smooth(u, v), self.closeness.smooth(u, v))
    }
}

/// Rows of a map that can differ from 0: those near to texels that `filled` accepts.
fn widened(map: &Map, filled: impl Fn(f32) -> bool, by: usize) -> Vec<(usize, usize)> {
    let side = map.side;
    let spans: Vec<Option<(usize, usize)>> = (0..side)
        .map(|row| {
            let texels = &map.texels[row * side..(row + 1) * side];
            let first = texels.iter().position(|&texel| filled(texel))?;
            Some((first, texels.iter().rposition(|&texel| filled(texel)).unwrap_or(first)))
        })
        .collect();
    let near = |row: usize| {
        let rows = spans[row.saturating_sub(by)..(row + by + 1).min(side)].iter().flatten();
        let (left, right) = rows.fold((usize::MAX, 0), |(l, r), span| (l.min(span.0), r.max(span.1)));
        if left > right { (0, 0) } else { (left.saturating_sub(by), (right + by + 1).min(side)) }
    };
    (0..side).map(near).collect()
}

/// (2): first how high the thrower is, then how much of a disc of that width is covered.
fn soft_shadow(lowest: &Map) -> Map {
    let mut soft = Map { texels: vec![0.0; lowest.texels.len()], ..lowest.clone() };
    let places: Vec<(f32, f32)> = (0..TAPS).map(|k| spiral(k, TAPS)).collect();
    let most = 0.05 * lowest.side as f32;
    let look = |x: f32, y: f32| lowest.at((x + 0.5).floor() as isize, (y + 0.5).floor() as isize);
    for (row, (from, to)) in widened(lowest, f32::is_finite, most as usize).into_iter().enumerate() {
        for column in from..to {
            let (x, y) = (column as f32, row as f32);
            let (mut sum, mut count) = (0.0, 0.0_f32);
            for (dx, dy) in &places {
                if let Some(height) = look(x + dx * most, y + dy * most).filter(|height| height.is_finite()) {
                    sum += height.max(0.0);
                    count += 1.0;
                }
            }
            if count == 0.0 {
                continue;
            }
            let radius = (sum / count * SOFTNESS * lowest.scale).clamp(1.2, most);
            let covers = |(dx, dy): &&(f32, f32)| look(x + dx * radius, y + dy * radius).is_some_and(f32::is_finite);
            soft.texels[row * lowest.side + column] = places.iter().filter(covers).count() as f32 / TAPS as f32;
        }
    }
    blurred(&soft)
}

/// (3), in each direction over distances that grow in proportion.
fn closeness(low: &Map, high: &Map) -> Map {
    let mut close = Map { texels: vec![0.0; low.texels.len()], ..low.clone() };
    let side = low.side;
    let growth = (0.11 * side as f32 / 1.2).powf(1.0 / (RINGS - 1) as f32);
    let rings: Vec<f32> = (0..RINGS).map(|ring| 1.2 * growth.powi(ring as i32)).collect();
    let turn = std::f32::consts::TAU / DIRECTIONS as f32;
    let directions: Vec<(f32, f32)> = (0..DIRECTIONS).map(|k| (k as f32 * turn).sin_cos()).collect();
    for (row, (from, to)) in widened(low, f32::is_finite, rings[RINGS - 1] as usize).into_iter().enumerate() {
        for column in from..to {
            let sum: f32 = directions.iter().map(|way| column_of_sky(low, high, column, row, *way, &rings)).sum();
            close.texels[row * side + column] = sum / DIRECTIONS as f32;
        }
    }
    blurred(&close)
}

/// The part of the sky in one direction that columns hide.
fn column_of_sky(low: &Map, high: &Map, column: usize, row: usize, way: (f32, f32), rings: &[f32]) -> f32 {
    let (mut least, mut most) = (1.0_f32, 0.0_f32);
    for (k, ring) in rings.iter().enumerate() {
        let (x, y) = (column as f32 + way.0 * ring + 0.5, row as f32 + way.1 * ring + 0.5);
        let (x, y) = (x.floor() as isize, y.floor() as isize);
        let (Some(bottom), Some(top)) = (low.at(x, y), high.at(x, y)) else { continue };
        if bottom.is_finite() {
            let distance = ring / low.scale;
            let square_of_sine = |h: f32| h * h / (h * h + distance * distance);
            // Far columns count less: closeness is about what is near.
            let fade = 1.0 - k as f32 / rings.len() as f32;
            least = least.min(square_of_sine(bottom.max(0.0)));
            most = most.max(square_of_sine(top.max(0.0)) * fade);
        }
    }
    (most - least).max(0.0)
}

/// The mean of nine texels, weighted 1 2 1: takes the grain of few taps away.
fn blurred(map: &Map) -> Map {
    let mut result = map.clone();
    for _ in 0..2 {
        let before = result.clone();
        let side = map.side as isize;
        for row in 0..side {
            for column in 0..side {
                let near = |dx: isize, dy: isize| before.at(column + dx, row + dy).unwrap_or(0.0);
                let line = |dy: isize| near(-1, dy) + 2.0 * near(0, dy) + near(1, dy);
                result.texels[(row * side + column) as usize] = (line(-1) + 2.0 * line(0) + line(1)) / 16.0;
            }
        }
    }
    result
}

/// How much of the sky close bodies hide from a pixel, from the nearness of its neighbours: from 0 to 1.
///
/// ```text
/// Σ max(0, v·n − bias)/(v·v + ε)      v: from the point to what is seen at a neighbour            (4)
/// ```
pub(super) struct Neighbours<'a> {
    /// 1/z of the nearest body at each pixel; 0 where there is none.
    pub nearness: &'a [f32],
    pub scenery: &'a Scenery,
    pub lens: &'a super::raster::Lens,
    /// How far to look, m.
    pub reach: f32,
}

impl Neighbours<'_> {
    pub fn hidden(&self, x: usize, y: usize, point: &Point, normal: &Point) -> f32 {
        const LOOKS: usize = 14;
        let depth = self.lens.depth(point);
        let radius = (self.reach * self.lens.focal / depth).clamp(3.0, 60.0);
        let mut sum = 0.0;
        for k in 0..LOOKS {
            // Turned from pixel to pixel over a square of four by four, which the blur evens out.
            let (dx, dy) = spiral(k, LOOKS);
            let (sine, cosine) = (((x & 3) * 4 + (y & 3)) as f32 * std::f32::consts::FRAC_PI_8).sin_cos();
            let (px, py) = (
                x as f32 + 0.5 + radius * (dx * cosine - dy * sine),
                y as f32 + 0.5 + radius * (dx * sine + dy * cosine),
            );
            let inside = px >= 0.0 && py >= 0.0 && px < self.scenery.width as f32 && py < self.scenery.height as f32;
            let nearness = if inside { self.nearness[py as usize * self.scenery.width + px as usize] } else { 0.0 };
            if nearness > 0.0 {
                let seen = self.lens.eye + self.lens.ray(px.floor() + 0.5, py.floor() + 0.5) / nearness;
                let way = seen - point;
                let square = way.norm_squared();
                let near = (1.0 - square / (self.reach * self.reach)).max(0.0);
                sum += near * (way.dot(normal) - 0.03 * self.reach).max(0.0) / (square.sqrt() + 0.02 * self.reach);
            }
        }
        (sum * 2.2 / LOOKS as f32).min(1.0)
    }
}
