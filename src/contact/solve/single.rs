//! The contact problem of a single contact, the commonest of all.
//!
//! ```text
//! open          w_n ≥ 0:                 p = 0
//! frictionless  p_n = −w_n/K_nn
//! stick         p = −K⁻¹·w               where |p_t| ≤ μ·p_n
//! slide         otherwise: Newton on the law, 3 unknowns
//! ```
//!
//! where the normal impulse is given, p_n = g and stick is K_tt·p_t = −(w_t + K_tn·g). K is positive definite, so
//! no compliance is needed and the derivative of `solver` has one pass with ε̂ = 0.

use nalgebra::DVector;

use super::newton::ContactWorkspace;
use super::solution::{ContactSolution, Pass};
use super::sweep::sweep;
use crate::contact::law::block::Law;
use crate::contact::law::friction::{Trial, law};
use crate::contact::law::kind::PerKind;
use crate::contact::law::list::Laws;
use crate::contact::problem::ContactProblem;
use crate::contact::settings::{SINGLE_ROUNDING, TOLERANCE};
use crate::math::{Mat3, Vec3};

/// Newton steps before the general method takes over; sliding contacts need 3 to 6.
const STEP_LIMIT: usize = 30;
/// Sweeps before the general method.
const START_SWEEPS: usize = 100;

/// The problem of one contact as fixed-size numbers.
struct Single {
    response: Mat3,
    velocity: Vec3,
    friction: f64,
    given_normal: Option<f64>,
    scale: f64,
    unit: f64,
}

/// A point and the law there.
struct Root {
    impulse: Vec3,
    law: Law,
    residual: f64,
    iterations: usize,
}

/// Solves a problem of one contact with a coefficient of friction.
pub(in crate::contact) fn solve_single(
    problem: ContactProblem,
    friction: f64,
    mean_traces: PerKind,
    workspace: &mut ContactWorkspace,
) -> ContactSolution {
    let single = Single::new(&problem, friction);
    let mut root = single.closed_form().unwrap_or_else(|start| single.newton(start));
    if root.residual > TOLERANCE * single.unit {
        root = single.by_sweeps(&problem, workspace);
    }
    let residual = root.residual / single.unit;
    let impulse = DVector::from_column_slice(root.impulse.as_slice());
    ContactSolution {
        problem,
        solved: residual <= TOLERANCE,
        iterations: root.iterations,
        residual,
        mean_traces,
        compliance: 0.0,
        earlier: Vec::new(),
        last: Pass { impulse, laws: Laws { blocks: vec![root.law] }, system: Default::default() },
    }
}

impl Single {
    fn new(problem: &ContactProblem, friction: f64) -> Self {
        let response = problem.response.block(0);
        let velocity: Vec3 = problem.velocity.fixed_rows::<3>(0).into();
        let given_normal = problem.given_normal.as_ref().map(|given| given[0]);
        let scale = 1.0 / (0..3).map(|row| response.row(row).abs().sum()).fold(0.0, f64::max);
        let unit = velocity.amax() * scale + given_normal.unwrap_or(0.0).abs() + f64::MIN_POSITIVE;
        Self { response, velocity, friction, given_normal, scale, unit }
    }

    /// The law at an impulse.
    fn at(&self, impulse: Vec3, iterations: usize) -> Root {
        let law = law(&Trial {
            impulse,
            velocity: self.velocity + self.response * impulse,
            friction: self.friction,
            given_normal: self.given_normal,
            scale: self.scale,
        });
        Root { impulse, law, residual: law.value.norm(), iterations }
    }

    /// The answer where there is a formula for it, else a point to start Newton from.
    fn closed_form(&self) -> Result<Root, Vec3> {
        let (k, w) = (&self.response, &self.velocity);
        let pressed = self.given_normal.map_or(w.x < 0.0, |given| given > 0.0);
        let normal = self.given_normal.unwrap_or(-w.x / k.m11);
        if !pressed {
            return Ok(self.at(Vec3::new(self.given_normal.unwrap_or(0.0), 0.0, 0.0), 0));
        }
        if self.friction <= 0.0 {
            return Ok(self.at(Vec3::new(normal, 0.0, 0.0), 0));
        }
        let stick = self.stick();
        let (size, radius) = ((stick.y * stick.y + stick.z * stick.z).sqrt(), self.friction * stick.x);
        if size <= radius {
            return Ok(self.at(stick, 0));
        }
        // Friction along the sticking impulse, and the normal impulse that goes with it.
        let (d1, d2) = (self.friction * stick.y / size, self.friction * stick.z / size);
        let along = k.m11 + k.m12 * d1 + k.m13 * d2;
        let normal = if self.given_normal.is_none() && along > 0.0 { -w.x / along } else { normal };
        Err(normal * Vec3::new(1.0, d1, d2))
    }

    /// The impulse that stops the tangential velocity, and the normal one unless its impulse is given.
    fn stick(&self) -> Vec3 {
        let (k, w) = (&self.response, &self.velocity);
        match self.given_normal {
            None => k.cholesky().map_or(Vec3::repeat(f64::NAN), |factor| -factor.solve(w)),
            Some(given) => {
                let (w1, w2) = (w.y + k.m21 * given, w.z + k.m31 * given);
                let determinant = k.m22 * k.m33 - k.m23 * k.m32;
                let (p1, p2) = (k.m23 * w2 - k.m33 * w1, k.m32 * w1 - k.m22 * w2);
                Vec3::new(given, p1 / determinant, p2 / determinant)
            }
        }
    }

    /// Newton's method with full steps until rounding is all that is left.
    fn newton(&self, start: Vec3) -> Root {
        let mut best = self.at(start, 0);
        let mut point = best.impulse;
        let mut current = best.law;
        for count in 1..=STEP_LIMIT {
            let system = current.dlaw_dimpulse + current.dlaw_dvelocity * self.response;
            let Some(inverse) = system.try_inverse() else {
                break;
            };
            point -= inverse * current.value;
            let next = self.at(point, count);
            current = next.law;
            let solved = best.residual <= TOLERANCE * self.unit;
            if next.residual < best.residual || best.residual.is_nan() {
                best = next;
            } else if solved {
                break;
            }
            if best.residual <= SINGLE_ROUNDING * self.unit {
                break;
            }
        }
        best
    }

    /// The general method with many sweeps before it.
    fn by_sweeps(&self, problem: &ContactProblem, workspace: &mut ContactWorkspace) -> Root {
        workspace.start(problem, PerKind::default());
        workspace.choose_scales(problem);
        let mut p = [0.0; 3];
        sweep(problem, problem.velocity.as_slice(), PerKind::default(), &mut p, START_SWEEPS);
        workspace.newton(problem, &mut p, TOLERANCE, 0);
        workspace.polish(problem, &mut p);
        self.at(Vec3::from(p), workspace.iterations)
    }
}
