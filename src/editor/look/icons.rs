//! Signs for buttons, painted from lines and shapes: sharp at every size, the same in every font.

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Icon {
    Play,
    Pause,
    StepBack,
    StepForward,
    Previous,
    Next,
    Loop,
    Sun,
    Moon,
    Close,
    Undo,
    Redo,
    Locked,
    Free,
    Target,
}

impl Icon {
    /// Paints it into the middle of a rectangle.
    pub fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        let pen = Pen { painter, center: rect.center(), unit: 0.5 * rect.width().min(rect.height()), color };
        match self {
            Icon::Play => pen.fill(&[(-0.55, -0.8), (0.85, 0.0), (-0.55, 0.8)]),
            Icon::Pause => {
                pen.bar(-0.4);
                pen.bar(0.4);
            }
            Icon::StepBack => {
                pen.fill(&[(0.15, -0.6), (-0.85, 0.0), (0.15, 0.6)]);
                pen.bar(0.55);
            }
            Icon::StepForward => {
                pen.fill(&[(-0.15, -0.6), (0.85, 0.0), (-0.15, 0.6)]);
                pen.bar(-0.55);
            }
            Icon::Previous => {
                pen.mark(0.25);
                pen.line(&[(-0.35, -0.55), (-0.85, 0.0), (-0.35, 0.55)]);
            }
            Icon::Next => {
                pen.mark(-0.25);
                pen.line(&[(0.35, -0.55), (0.85, 0.0), (0.35, 0.55)]);
            }
            Icon::Loop => {
                pen.arc(0.7, 0.9, 5.9);
                pen.fill(&[(0.25, 0.35), (0.95, 0.3), (0.55, 0.95)]);
            }
            Icon::Sun => {
                pen.disc((0.0, 0.0), 0.4);
                for k in 0..8 {
                    let (sine, cosine) = (std::f32::consts::FRAC_PI_4 * k as f32).sin_cos();
                    pen.line(&[(0.62 * cosine, 0.62 * sine), (0.9 * cosine, 0.9 * sine)]);
                }
            }
            Icon::Moon => pen.moon(),
            Icon::Undo => {
                pen.arc(0.65, 3.6, 7.6);
                pen.fill(&[(-0.95, -0.75), (-0.2, -0.5), (-0.75, 0.1)]);
            }
            Icon::Redo => {
                pen.arc(0.65, 5.82, 1.82);
                pen.fill(&[(0.95, -0.75), (0.2, -0.5), (0.75, 0.1)]);
            }
            Icon::Locked => pen.padlock(0.0),
            Icon::Free => pen.padlock(0.55),
            Icon::Target => {
                pen.arc(0.5, 0.0, std::f32::consts::TAU);
                for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                    pen.line(&[(0.45 * x, 0.45 * y), (x, y)]);
                }
            }
            Icon::Close => {
                pen.line(&[(-0.5, -0.5), (0.5, 0.5)]);
                pen.line(&[(-0.5, 0.5), (0.5, -0.5)]);
            }
        }
    }
}

/// Draws in units of half the sign's side, from its middle, y down.
struct Pen<'a> {
    painter: &'a Painter,
    center: Pos2,
    unit: f32,
    color: Color32,
}

impl Pen<'_> {
    fn at(&self, (x, y): (f32, f32)) -> Pos2 {
        self.center + vec2(x, y) * self.unit
    }

    fn stroke(&self) -> Stroke {
        Stroke::new((0.2 * self.unit).max(1.3), self.color)
    }

    fn fill(&self, corners: &[(f32, f32)]) {
        let points = corners.iter().map(|corner| self.at(*corner)).collect();
        self.painter.add(Shape::convex_polygon(points, self.color, Stroke::NONE));
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|point| self.at(*point)).collect();
        self.painter.add(Shape::line(points, self.stroke()));
    }

    fn disc(&self, center: (f32, f32), radius: f32) {
        self.painter.circle_filled(self.at(center), radius * self.unit, self.color);
    }

    /// An upright bar.
    fn bar(&self, x: f32) {
        let rect = Rect::from_center_size(self.at((x, 0.0)), Vec2::new(0.34, 1.5) * self.unit);
        self.painter.rect_filled(rect, 1.0, self.color);
    }

    /// A padlock; the shackle is moved aside when it is open.
    fn padlock(&self, aside: f32) {
        let body = Rect::from_min_max(self.at((-0.65, -0.1)), self.at((0.65, 0.85)));
        self.painter.rect_filled(body, 1.5, self.color);
        let arch = (0..=12).map(|k| std::f32::consts::PI * (1.0 + k as f32 / 12.0));
        let mut points = vec![self.at((aside - 0.4, -0.1))];
        points.extend(arch.map(|angle| self.at((aside + 0.4 * angle.cos(), -0.45 + 0.4 * angle.sin()))));
        let foot = if aside == 0.0 { -0.1 } else { -0.4 };
        points.push(self.at((aside + 0.4, foot)));
        self.painter.add(Shape::line(points, self.stroke()));
    }

    /// The mark of an event on the time line.
    fn mark(&self, x: f32) {
        self.fill(&[(x - 0.45, -0.7), (x + 0.45, -0.7), (x, 0.7)]);
    }

    /// Part of a circle between two angles, rad.
    fn arc(&self, radius: f32, from: f32, to: f32) {
        let point = |k: u32| {
            let angle = from + (to - from) * k as f32 / 24.0;
            self.at((radius * angle.cos(), radius * angle.sin()))
        };
        self.painter.add(Shape::line((0..=24).map(point).collect(), self.stroke()));
    }

    /// A sickle: the outer arc forth, the inner arc back.
    fn moon(&self) {
        let outer = (0..=20).map(|k| 0.9 + 4.5 * k as f32 / 20.0).map(|a| (0.8 * a.cos(), 0.8 * a.sin()));
        let inner = (0..=20).map(|k| 4.9 - 3.6 * k as f32 / 20.0).map(|a| (0.42 + 0.62 * a.cos(), 0.62 * a.sin()));
        let points: Vec<Pos2> = outer.chain(inner).map(|(x, y)| self.at((x, y))).collect();
        let mut closed = points.clone();
        closed.extend(points.first().copied());
        self.painter.add(Shape::line(closed, self.stroke()));
    }
}

/// A triangle that points down, for marks.
pub fn triangle(center: Pos2, size: f32, color: Color32) -> Shape {
    let corners = [(-0.45, -0.5), (0.45, -0.5), (0.0, 0.5)];
    let points = corners.map(|(x, y)| pos2(center.x + x * size, center.y + y * size)).to_vec();
    Shape::convex_polygon(points, color, Stroke::NONE)
}
