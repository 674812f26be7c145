//! How low a moving body can come along an axis: the heights of its points, their rates and bounds of their bending.
//!
//! With the heights a_j of one body and b_i of the other, along opposite axes, their separation after x seconds is at least
//!
//! ```text
//! L(x) = min_j (a_j + a_j'·x − ½A_j·x²) + min_i (b_i + b_i'·x − ½B_i·x²) + ½g·x² − r                 (1)
//! ```
//!
//! L is concave, so that the first time at which it falls to a level is found in a few steps. A polyhedron has a height for
//! each vertex; of a round body the lowest point at x is known, because heights and rates are linear in the points.

use crate::geometry::curved::Curved;
use crate::geometry::polytope::Polytope;
use crate::math::Vec3;
use crate::math::root::first_quadratic_root;
use crate::simulation::settings::SAME_HEIGHT;

/// The height of one vertex along an axis: value, rate, and bound of the second derivative.
#[derive(Clone, Copy)]
pub struct Height {
    /// m.
    pub value: f64,
    /// m/s.
    pub rate: f64,
    /// m/s².
    pub curvature: f64,
}

/// The heights of all points of a core along an axis: of its vertices, or of a round body.
#[derive(Default)]
pub struct Heights {
    /// None where the body is round.
    pub vertices: Vec<Height>,
    round: Option<RoundHeights>,
}

/// The heights of the points v of a round body: base + along·v, with the rate drift + swing·v.
pub struct RoundHeights {
    /// The body.
    pub body: Curved,
    /// m.
    pub base: f64,
    /// The axis, in the body.
    pub along: Vec3,
    /// m/s.
    pub drift: f64,
    /// 1/s, in the body.
    pub swing: Vec3,
    /// Bound of the second derivative of every height, m/s².
    pub curvature: f64,
}

/// The two lowest vertices, where no third is as low.
pub fn lowest_two(heights: &[Height]) -> Option<[usize; 2]> {
    let lowest = heights.iter().map(|height| height.value).fold(f64::INFINITY, f64::min);
    let mut low = heights.iter().enumerate().filter(|(_, height)| height.value <= lowest + SAME_HEIGHT).map(|(k, _)| k);
    let pair = [low.next()?, low.next()?];
    low.next().is_none().then_some(pair)
}

/// L of (1) less the target.
pub struct Bound<'a> {
    /// Of the first body.
    pub first: &'a Heights,
    /// Of the second, along the opposite axis.
    pub second: &'a Heights,
    /// g.
    pub fall: f64,
    /// −r less the target.
    pub offset: f64,
}

impl Bound<'_> {
    /// The first x in (0, limit] where the bound reaches zero, or the limit.
    pub fn first_fall(&self, limit: f64) -> f64 {
        const MAX_ROUNDS: usize = 30;
        // From the right: the root of the pair of vertices that is lowest at x is not before the true root.
        let mut x = limit;
        for _ in 0..MAX_ROUNDS {
            let ((low, a), (other_low, b)) = (self.first.lowest_at(x), self.second.lowest_at(x));
            let value = low + other_low + 0.5 * self.fall * x * x + self.offset;
            if value >= 0.0 {
                break;
            }
            let curvature = 0.5 * (self.fall - a.curvature - b.curvature);
            let start = a.value + b.value + self.offset;
            if start <= 0.0 {
                return 0.0;
            }
            let root = first_quadratic_root(curvature, a.rate + b.rate, start);
            if root >= x {
                break;
            }
            x = root;
        }
        x
    }
}

impl Heights {
    /// Of a single point.
    pub fn set_point(&mut self, height: Height) {
        self.vertices.clear();
        self.round = None;
        self.vertices.push(height);
    }

    /// The heights of a core's vertices, or of the round body it stands for.
    pub fn fill(&mut self, core: &Polytope, height: impl Fn(&Vec3) -> Height, round: impl Fn(Curved) -> RoundHeights) {
        self.vertices.clear();
        self.round = core.curved().map(round);
        if self.round.is_none() {
            self.vertices.extend(core.vertices.iter().map(height));
        }
    }

    /// The smallest height after x seconds, and whose it is.
    pub fn lowest_at(&self, x: f64) -> (f64, Height) {
        if let Some(round) = &self.round {
            return round.lowest_at(x);
        }
        let mut best = (f64::INFINITY, self.vertices[0]);
        for height in &self.vertices {
            let value = height.after(x);
            if value < best.0 {
                best = (value, *height);
            }
        }
        best
    }
}

impl RoundHeights {
    /// The point that is lowest then lies farthest against along + swing·x.
    fn lowest_at(&self, x: f64) -> (f64, Height) {
        let point = self.body.support(&-(self.along + self.swing * x));
        let height = Height {
            value: self.base + self.along.dot(&point),
            rate: self.drift + self.swing.dot(&point),
            curvature: self.curvature,
        };
        (height.after(x), height)
    }
}

impl Height {
    /// The least it can be after x seconds.
    fn after(&self, x: f64) -> f64 {
        self.value + x * (self.rate - 0.5 * self.curvature * x)
    }
}
