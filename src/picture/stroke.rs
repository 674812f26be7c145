//! Lines and dots of constant width on the screen, smooth, and dimmed where a solid body is in front.
//!
//! ```text
//! coverage = clamp(w/2 + ½ − distance to the line, 0, 1)                                     (1)
//! ```
//!
//! A line covers each pixel once, however often it turns there: the strongest coverage counts.

use super::colour::Colour;
use super::draw::Canvas;
use super::stage::{Crease, Dot, Instance, Point, Stage, Stroke};

/// Lines this much nearer than what they lie on still count as on it.
const LIFT: f32 = 1.004;

/// A pen with the memory of where the line in hand has been.
pub(super) struct Pen {
    strength: Vec<f32>,
    touched: Vec<u32>,
    /// Widths are given for pictures 1000 pixels high.
    scale: f32,
}

/// One end of a straight piece on the screen.
#[derive(Clone, Copy)]
struct End {
    x: f32,
    y: f32,
    nearness: f32,
    opacity: f32,
    /// Length of the line so far, pixels.
    along: f32,
}

/// How a line looks, in pixels.
#[derive(Clone, Copy)]
struct Style {
    half: f32,
    behind: f32,
    dash: f32,
}

impl Pen {
    pub fn new(canvas: &Canvas) -> Pen {
        let scale = (canvas.height.min(canvas.width * 5 / 8) as f32 / 1000.0).max(0.35);
        Pen { strength: vec![0.0; canvas.colours.len()], touched: Vec::new(), scale }
    }

    /// Pixels for a length given for a picture 1000 pixels high.
    pub fn pixels(&self, length: f32) -> f32 {
        length * self.scale
    }

    pub fn stroke(&mut self, canvas: &mut Canvas, stroke: &Stroke) {
        let style = Style { half: self.half(stroke.width), behind: stroke.behind, dash: self.pixels(stroke.dash) };
        let thin = (self.pixels(stroke.width) / (2.0 * style.half)).min(1.0);
        let mut last: Option<End> = None;
        let mut previous: Option<(Point, f32)> = None;
        for point in &stroke.points {
            if let Some((from, opacity)) = previous {
                let ends = [(from, opacity), (point.position, point.opacity)];
                last = self.piece(canvas, ends, thin, style, last);
            }
            previous = Some((point.position, point.opacity));
        }
        self.lay(canvas, stroke.colour);
    }

    pub fn dot(&mut self, canvas: &mut Canvas, dot: &Dot) {
        if canvas.lens.depth(&dot.position) < canvas.lens.near {
            return;
        }
        let (x, y, nearness) = canvas.lens.project(&dot.position);
        let (radius, ring) = (self.pixels(dot.radius), self.pixels(dot.ring));
        // A ring lies on both sides of its radius.
        let reach = radius + ring / 2.0;
        self.each_pixel(canvas, [x - reach, x + reach], [y - reach, y + reach], 1.0, |px, py, solid| {
            let distance = ((px - x).powi(2) + (py - y).powi(2)).sqrt();
            let edge = if ring > 0.0 { ring / 2.0 - (distance - radius).abs() } else { radius - distance };
            let seen = if nearness * LIFT < solid { dot.behind } else { dot.front };
            (edge + 0.5).clamp(0.0, 1.0) * seen
        });
        self.lay(canvas, dot.colour);
    }

    /// The sharp edges of an instance that face the viewer.
    pub fn creases(&mut self, canvas: &mut Canvas, stage: &Stage, instance: &Instance) {
        let mesh = &stage.meshes[instance.mesh as usize];
        let style = Style { half: self.half(1.3), behind: 0.0, dash: 0.0 };
        let eye = canvas.lens.eye;
        let faces = |crease: &&Crease| {
            let to_eye = eye - instance.place(&crease.ends[0]);
            crease.normals.iter().any(|normal| (instance.turn * normal).dot(&to_eye) > 0.0)
        };
        for crease in mesh.creases.iter().filter(faces) {
            let ends = crease.ends.map(|end| (instance.place(&end), instance.edges));
            self.piece(canvas, ends, 1.0, style, None);
        }
        self.lay(canvas, super::colour::mix(instance.colour, stage.ink, 0.35));
    }

    /// Lines thinner than a pixel stay a pixel wide and pale instead.
    fn half(&self, width: f32) -> f32 {
        self.pixels(width).max(1.0) / 2.0
    }

    /// A straight piece, cut at the near plane. Returns its far end, from which the next piece goes on.
    fn piece(
        &mut self,
        canvas: &Canvas,
        ends: [(Point, f32); 2],
        thin: f32,
        style: Style,
        last: Option<End>,
    ) -> Option<End> {
        let lens = &canvas.lens;
        let depths = ends.map(|(point, _)| lens.depth(&point) - lens.near);
        if depths[0] < 0.0 || depths[1] < 0.0 {
            return None;
        }
        let end = |(point, opacity): (Point, f32), along: f32| {
            let (x, y, nearness) = lens.project(&point);
            End { x, y, nearness, opacity: opacity * thin, along }
        };
        let start = end(ends[0], last.map_or(0.0, |last| last.along));
        let mut stop = end(ends[1], 0.0);
        stop.along = start.along + ((stop.x - start.x).powi(2) + (stop.y - start.y).powi(2)).sqrt();
        self.cover(canvas, start, stop, style);
        Some(stop)
    }

    fn cover(&mut self, canvas: &Canvas, a: End, b: End, style: Style) {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let square = (dx * dx + dy * dy).max(1e-12);
        let columns = [a.x.min(b.x), a.x.max(b.x)];
        let rows = [a.y.min(b.y), a.y.max(b.y)];
        self.each_pixel(canvas, columns, rows, style.half, |x, y, solid| {
            let part = (((x - a.x) * dx + (y - a.y) * dy) / square).clamp(0.0, 1.0);
            let distance = ((x - a.x - part * dx).powi(2) + (y - a.y - part * dy).powi(2)).sqrt();
            let coverage = (style.half + 0.5 - distance).clamp(0.0, 1.0); // (1)
            let nearness = a.nearness + part * (b.nearness - a.nearness);
            let seen = if nearness * LIFT < solid { style.behind } else { 1.0 };
            let along = a.along + part * (b.along - a.along);
            let gap = if style.dash > 0.0 { dashed(along, style.dash) } else { 1.0 };
            coverage * seen * gap * (a.opacity + part * (b.opacity - a.opacity))
        });
    }

    /// Asks for the strength of each pixel in a box, from its middle and the nearness of the solid body there.
    fn each_pixel(
        &mut self,
        canvas: &Canvas,
        columns: [f32; 2],
        rows: [f32; 2],
        border: f32,
        strength: impl Fn(f32, f32, f32) -> f32,
    ) {
        let range = |[low, high]: [f32; 2], size: usize| {
            let (low, high) = ((low - border - 1.0).max(0.0), (high + border + 1.0).min(size as f32));
            low as usize..high.max(0.0) as usize
        };
        let columns = range(columns, canvas.width);
        for row in range(rows, canvas.height) {
            for column in columns.clone() {
                let pixel = row * canvas.width + column;
                let new = strength(column as f32 + 0.5, row as f32 + 0.5, canvas.nearness[pixel]);
                if new > self.strength[pixel] {
                    if self.strength[pixel] == 0.0 {
                        self.touched.push(pixel as u32);
                    }
                    self.strength[pixel] = new;
                }
            }
        }
    }

    /// Lays the line in hand onto the canvas and forgets it.
    fn lay(&mut self, canvas: &mut Canvas, colour: Colour) {
        for pixel in self.touched.drain(..) {
            let strength = &mut self.strength[pixel as usize];
            canvas.blend(pixel as usize, colour, strength.min(1.0));
            *strength = 0.0;
        }
    }
}

/// 1 on a dash, 0 between, soft over a pixel; dashes and gaps are as 3 to 2.
fn dashed(along: f32, dash: f32) -> f32 {
    let at = along.rem_euclid(dash * 5.0 / 3.0);
    (dash - at).min(at).clamp(-0.5, 0.5) + 0.5
}
