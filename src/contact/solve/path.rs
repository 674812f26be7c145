//! The way from a softened contact problem to a harder one, followed through every change of branch.
//!
//! With ε̂ = e^σ·mean the roots of G(p, σ) = 0 form curves. While every contact keeps its branch (open, sticking,
//! sliding) a curve is smooth. Its tangent (τ, τ_σ), of unit length with p measured by the largest impulse, has
//!
//! ```text
//! A·x = −C·ε̂·p,    A = P + C·(K + ε̂),    (τ, τ_σ) ∥ ±(x, 1)                                  (1)
//! A·δp + C·ε̂·p·δσ = −G,    τ·δp + τ_σ·δσ = 0         Newton's step back to the curve         (2)
//! ```
//!
//! A piece ends where a contact reaches the border of its branch: y = 0 between open and sliding, |z| = μ·y between
//! sliding and sticking, with y and z of `law`. There that contact changes over, and on its new branch the curve runs to
//! the side on which the contact is inside of it. With friction that may be *back*, to softer problems: a contact that
//! sticks no longer and would, sliding, be driven along its own friction. Pieces bend back as well, where slip turns.
//! Then no root is near for a slightly harder problem; Newton's method runs in circles between the two
//! branches, and a descent in ε ends. The curve itself leads on: its only end is at the hard problem, since impulses stay bounded
//! (friction takes energy) and the softest problem has one root.
//!
//! Where a scene is symmetric several contacts reach their borders at once; they change one after the other. Problems with
//! rolling resistance are left to `solver`.

use super::newton::ContactWorkspace;
use crate::contact::law::block::Mode;
use crate::contact::law::friction::Trial;
use crate::contact::law::kind::PerKind;
use crate::contact::law::row_law::RowLaw;
use crate::contact::linear::triple::triple;
use crate::contact::problem::ContactProblem;
use crate::contact::settings::{BORDER, SOFT, TOLERANCE};
use crate::math::Vec3;
use crate::math::elementary::{exp, ln};

/// Steps along one curve.
const STEP_LIMIT: usize = 300;
/// Longest step.
const LONGEST: f64 = 1.5;
/// Shortest part of a step that is tried.
const SHORTEST_PART: f64 = 1e-5;
/// Newton steps back to the curve, and how long they may be together, as a part of the step they correct.
const CORRECTIONS: usize = 6;
const STRAYED: f64 = 0.3;

/// A border of a contact's branch.
#[derive(Clone, Copy, Debug)]
struct Border {
    contact: usize,
    /// How far the contact is inside, N·s.
    inside: f64,
    /// Its change along the tangent.
    rate: f64,
    /// The branch beyond.
    beyond: Mode,
}

/// A point of the curve or a direction along it.
#[derive(Clone, Debug)]
struct Point {
    p: Vec<f64>,
    /// σ.
    softness: f64,
}

/// A walk along the curve.
struct Walk<'a> {
    problem: &'a ContactProblem,
    workspace: &'a mut ContactWorkspace,
    mean: PerKind,
    modes: Vec<Mode>,
    at: Point,
    tangent: Point,
    /// The impulse that counts as 1.
    unit: f64,
}

/// Follows the curve from the root `p` at ε = `from` to ε = `to`, where `p` becomes the root; false where it is lost.
pub(in crate::contact) fn follow(
    problem: &ContactProblem,
    workspace: &mut ContactWorkspace,
    p: &mut [f64],
    mean: PerKind,
    [from, to]: [f64; 2],
) -> bool {
    if problem.laws.iter().any(|law| law.coupled_to().is_some()) {
        return false;
    }
    workspace.shift = mean.compliances(from);
    workspace.linearise(problem, p);
    let modes = workspace.laws.blocks.iter().map(|law| law.mode).collect();
    let at = Point { p: p.to_vec(), softness: ln(from) };
    // Towards harder problems.
    let tangent = Point { p: vec![0.0; p.len()], softness: -1.0 };
    let unit = largest(p);
    let mut walk = Walk { problem, workspace, mean, modes, at, tangent, unit };
    let arrived = walk.run(ln(to));
    if arrived {
        p.copy_from_slice(&walk.at.p);
    }
    arrived
}

impl Walk<'_> {
    /// Walks to σ = `end`; false where the curve is lost.
    fn run(&mut self, end: f64) -> bool {
        for _ in 0..STEP_LIMIT {
            if !self.find_tangent(None) || !self.advance(end) || self.at.softness > SOFT {
                return false;
            }
            if self.at.softness == end {
                return true;
            }
        }
        false
    }

    /// (1) at the present point, in the direction of the last tangent, or inwards for a contact that has just changed its
    /// branch; false where A is singular.
    fn find_tangent(&mut self, changed: Option<usize>) -> bool {
        let point = self.at.clone();
        self.linearise(&point);
        self.workspace.iterations += 1;
        if !self.workspace.direction(self.problem) {
            return false;
        }
        self.unit = largest(&point.p);
        let next = self.by_softness(&point.p);
        let length = self.product(&next, &next).sqrt();
        let along = match changed {
            None => self.product(&next, &self.tangent),
            Some(contact) => {
                self.tangent = next.clone();
                let own = self.borders().into_iter().filter(|border| border.contact == contact);
                own.min_by(|a, b| a.inside.abs().total_cmp(&b.inside.abs())).map_or(f64::NAN, |border| border.rate)
            }
        };
        let factor = along.signum() / length;
        self.tangent = Point { p: next.p.iter().map(|x| factor * x).collect(), softness: factor };
        factor.is_finite() && along != 0.0
    }

    /// The product of two directions.
    fn product(&self, a: &Point, b: &Point) -> f64 {
        let sum: f64 = a.p.iter().zip(&b.p).map(|(a, b)| a * b).sum();
        sum / (self.unit * self.unit) + a.softness * b.softness
    }

    /// |G| at a point, with the laws in the workspace.
    fn linearise(&mut self, point: &Point) -> f64 {
        self.workspace.shift = self.mean.compliances(exp(point.softness));
        self.workspace.linearise_on(self.problem, &point.p, &self.modes)
    }

    /// (x, 1) of (1) where A was made last.
    fn by_softness(&mut self, p: &[f64]) -> Point {
        let laws = self.problem.laws.iter().enumerate();
        let shifted = |(i, law): (usize, &RowLaw)| (-self.workspace.shift[law.kind()] * triple(p, i)).into();
        let mut x: Vec<f64> = laws.flat_map(|block| -> [f64; 3] { shifted(block) }).collect();
        self.workspace.by_velocity(self.problem, &mut x);
        Point { p: x, softness: 1.0 }
    }

    /// Newton's method (2) from a point near the curve, or with σ fixed; none where it does not converge `nearby`.
    fn correct(&mut self, mut point: Point, fixed: bool, nearby: f64) -> Option<Point> {
        let mut strayed = 0.0;
        for _ in 0..CORRECTIONS {
            let residual = self.linearise(&point);
            if self.workspace.relative(residual, &point.p) <= TOLERANCE {
                return Some(point);
            }
            self.workspace.iterations += 1;
            if strayed > nearby || !self.workspace.direction(self.problem) {
                return None;
            }
            let mut change = Point { p: self.workspace.step.iter().map(|step| -step).collect(), softness: 0.0 };
            if !fixed {
                let x = self.by_softness(&point.p);
                change.softness = -self.product(&self.tangent, &change) / self.product(&self.tangent, &x);
                change.p.iter_mut().zip(&x.p).for_each(|(change_p, x)| *change_p += change.softness * x);
            }
            strayed += self.product(&change, &change).sqrt();
            point.p.iter_mut().zip(&change.p).for_each(|(p, change)| *p += change);
            point.softness += change.softness;
        }
        None
    }

    /// All borders at the present point, where its laws were linearised last.
    fn borders(&self) -> Vec<Border> {
        let (x, dsoftness) = (&self.tangent.p, self.tangent.softness);
        let mut rate = vec![0.0; x.len()];
        self.problem.response.apply(x, &mut rate, &mut Vec::new());
        for (i, law) in self.problem.laws.iter().enumerate() {
            let shift = self.workspace.shift[law.kind()];
            (3 * i..3 * i + 3).for_each(|row| rate[row] += shift * (x[row] + dsoftness * self.at.p[row]));
        }
        // What holds has one branch, and no border.
        let of = |(i, law): (usize, &RowLaw)| match *law {
            RowLaw::Contact { friction } => {
                let trial = self.workspace.trial_of(self.problem, &self.at.p, i, friction);
                borders_of(i, self.modes[i], &trial, triple(x, i), triple(&rate, i))
            }
            RowLaw::Rolling { .. } | RowLaw::Equality { .. } => [None, None],
        };
        self.problem.laws.iter().enumerate().flat_map(of).flatten().collect()
    }

    /// One step along the tangent: to the first border, to the end, or as far as the curve is found again. At a border the
    /// contact changes its branch and the tangent is that of the new piece. False where the curve is lost.
    fn advance(&mut self, end: f64) -> bool {
        let before = self.borders();
        let reach = |border: &Border| border.inside.max(0.0) / -border.rate;
        let ahead = before.iter().filter(|border| border.rate < 0.0);
        let first = ahead.min_by(|a, b| reach(a).total_cmp(&reach(b)));
        if let Some(border) = first.filter(|border| border.inside <= BORDER * self.unit) {
            self.modes[border.contact] = border.beyond;
            return self.find_tangent(Some(border.contact));
        }
        let longest = first.map_or(LONGEST, reach).min(LONGEST);
        let to_end = (end - self.at.softness) / self.tangent.softness;
        let mut length = if to_end > 0.0 { longest.min(to_end) } else { longest };
        let (start, shortest) = (self.at.clone(), SHORTEST_PART * length);
        while length >= shortest {
            let at_end = (length == to_end).then_some(end);
            match self.step(&start, &before, length, at_end) {
                // Beyond the end the curve may turn back and come by again.
                Some(_) if self.at.softness < end => length *= 0.5,
                Some(1.0) => return true,
                Some(part) => length *= part.clamp(0.01, 0.99),
                None => length *= 0.5,
            }
        }
        self.at = start;
        false
    }

    /// Moves to the curve at `length` along the tangent from `start`, or to σ = `end`. Returns the part of the way after
    /// which the first border was crossed, 1 where none was, and none where there is no curve.
    fn step(&mut self, start: &Point, before: &[Border], length: f64, end: Option<f64>) -> Option<f64> {
        let mut trial = start.clone();
        trial.p.iter_mut().zip(&self.tangent.p).for_each(|(p, x)| *p += length * x);
        trial.softness = end.unwrap_or(start.softness + length * self.tangent.softness);
        self.at = self.correct(trial, end.is_some(), STRAYED * length)?;
        let after = self.borders();
        let crossed = before.iter().zip(&after).filter(|(_, after)| after.inside < -BORDER * self.unit);
        Some(crossed.map(|(before, after)| before.inside / (before.inside - after.inside)).fold(1.0, f64::min))
    }
}

fn largest(p: &[f64]) -> f64 {
    p.iter().fold(f64::MIN_POSITIVE, |most, p| most.max(p.abs()))
}

/// The borders of one contact's branch, where its impulse and velocity have the rates `dp` and `dw`.
fn borders_of(contact: usize, mode: Mode, trial: &Trial, dp: Vec3, dw: Vec3) -> [Option<Border>; 2] {
    let given = trial.given_normal.is_some();
    let (y, dy) = (trial.pressure(), if given { 0.0 } else { dp.x - trial.scale * dw.x });
    let border = |inside: f64, rate: f64, beyond: Mode| Some(Border { contact, inside, rate, beyond });
    if mode == Mode::Open {
        let closed = if trial.friction > 0.0 { Mode::Slide } else { Mode::Frictionless };
        return [border(-y, -dy, closed), None];
    }
    if mode == Mode::Frictionless {
        return [border(y, dy, Mode::Open), None];
    }
    let (length, [z1, z2]) = trial.slip();
    let turned = z1 * (dp.y - trial.scale * dw.y) + z2 * (dp.z - trial.scale * dw.z);
    let dlength = turned / length.max(f64::MIN_POSITIVE);
    let (over, dover) = (length - trial.friction * y, dlength - trial.friction * dy);
    match mode {
        Mode::Stick => [border(-over, -dover, Mode::Slide), None],
        _ => [border(over, dover, Mode::Stick), border(y, dy, Mode::Open)],
    }
}
