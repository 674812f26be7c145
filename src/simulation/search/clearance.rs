//! How long two moving bodies surely stay apart.
//!
//! At a time t with the pair's axis n, every core vertex of each body has a height along n, its rate, and a
//! bound on its second derivative from the accelerations of the centres and from the largest spin Ω and spin rate that the
//! motions have until the end of the search, (|dω/dt| + Ω²)·|ρ| for a vertex at ρ from the centre of mass (|ρ| ≤ the core's
//! radius). So the separation along n stays above
//!
//! ```text
//! L(x) = min_j (a_j + a_j'·x − ½A_j·x²)  −  max_i (b_i + b_i'·x + ½B_i·x²)  + ½g·x² − r              (1)
//! ```
//!
//! for x seconds, with g ≤ 0 the least relative acceleration of the centres along n. L is concave, so the first time it can
//! fall to a level is found in a few steps (`heights`).
//!
//! A half-space reaches along its own normal only. Where it turns that normal does, and the bound follows it. What a search
//! makes of the time is `pursuit`.

use super::super::motion::Motion;
use super::heights::{Bound, Height, Heights, RoundHeights, lowest_two};
use crate::dynamics::BodyState;
use crate::geometry::curved::Curved;
use crate::geometry::polytope::Polytope;
use crate::geometry::{NEARLY_PARALLEL, PlacedPair, Separation, Solid, separation, touching};
use crate::math::Vec3;
use crate::math::root::first_quadratic_root;
use crate::simulation::settings::SAME_HEIGHT;

/// Steps shorter than this part of the search try axes that turn.
const CREEPING: f64 = 0.1;
/// Longest step (s) with such an axis: its bounds grow with the step.
const TURNING_HORIZON: f64 = 0.02;

/// A body on its way.
#[derive(Clone, Copy)]
pub struct Mover<'a> {
    /// Its shape.
    pub solid: &'a Solid,
    /// Its motion.
    pub motion: &'a Motion,
}

/// Two bodies with what bounds their motions to the end of a search.
pub struct MovingPair<'a> {
    movers: [Mover<'a>; 2],
    /// Bounds of |ω| and of the acceleration, per distance from the centre, that turning causes.
    bounds: [(f64, f64); 2],
    /// The acceleration of the first centre relative to the second is this one, m/s²,
    acceleration: Vec3,
    /// but for so much at most.
    unsteadiness: f64,
    /// At least its length.
    pull: f64,
    /// Which body is a half-space that turns.
    turning_plane: Option<usize>,
}

/// Reusable buffers.
#[derive(Default)]
pub struct Scratch {
    first: Heights,
    second: Heights,
    turning: Heights,
    still: Heights,
}

impl<'a> MovingPair<'a> {
    pub fn new(movers: [Mover<'a>; 2], from: f64, until: f64) -> Self {
        let each = movers.map(|mover| mover.motion.bounds(from, until));
        let acceleration = each[0].acceleration - each[1].acceleration;
        let unsteadiness = each[0].unsteadiness + each[1].unsteadiness;
        MovingPair {
            movers,
            bounds: each.map(|bounds| (bounds.spin, bounds.bend())),
            acceleration,
            unsteadiness,
            pull: acceleration.norm() + unsteadiness,
            turning_plane: (0..2).find(|&k| matches!(movers[k].solid, Solid::HalfSpace(_)) && each[k].spin > 0.0),
        }
    }

    pub fn states(&self, t: f64) -> [BodyState; 2] {
        self.movers.map(|mover| mover.motion.along_path(t))
    }

    pub fn separation(&self, t: f64, hint: Option<Vec3>) -> Separation {
        self.separation_at(&self.movers.map(|mover| mover.motion.at(t)), hint)
    }

    pub fn separation_at(&self, states: &[BodyState; 2], hint: Option<Vec3>) -> Separation {
        separation_of(self.movers, states, hint)
    }

    /// How long the separation, now `current`, surely stays above `target`, at most `limit` seconds.
    pub fn safe_advance(
        &self,
        states: &[BodyState; 2],
        limit: f64,
        current: &Separation,
        target: f64,
        scratch: &mut Scratch,
    ) -> f64 {
        let [first, second] = &self.movers;
        let ([q, q_second], n) = (states, &current.normal);
        let radii = first.solid.rounding() + second.solid.rounding();
        if let Some(plane) = self.turning_plane {
            // The normal points to the first body.
            let outward = if plane == 1 { *n } else { -n };
            return self.turning_advance(states, limit, &outward, plane, radii + target, scratch);
        }
        let fall = (n.dot(&self.acceleration) - self.unsteadiness).min(0.0);
        heights(first, q, n, self.bounds[0].1, &mut scratch.first);
        heights(second, q_second, &-n, self.bounds[1].1, &mut scratch.second);
        let bound = Bound { first: &scratch.first, second: &scratch.second, fall, offset: -radii - target };
        let by_vertices = bound.first_fall(limit);
        let low = sphere(first, q, n, self.bounds[0].0, &scratch.first)
            + sphere(second, q_second, &-n, self.bounds[1].0, &scratch.second);
        // An axis that turns with a body sees its faces at rest: touching faces allow longer steps.
        let mut best = by_vertices;
        if by_vertices < CREEPING * limit {
            for (reference, sign) in [(1, 1.0), (0, -1.0)] {
                let axis = n * sign;
                best = best.max(self.turning_advance(states, limit, &axis, reference, radii + target, scratch));
            }
            // One that stays across two edges, or two curves, sees them slide past each other.
            let rate = self.crossing_rate(states, n, scratch);
            if let Some(rate) = rate.or_else(|| self.curved_rate(states, current)) {
                best = best.max(self.crossing_advance(states, limit, n, &rate, radii + target, scratch));
            }
        }
        // Bounding spheres do not feel the spin: far apart they allow longer steps.
        let apart = low - radii - target;
        if apart <= 0.0 {
            return best;
        }
        let rate = n.dot(&(q.velocity - q_second.velocity));
        best.max(first_quadratic_root(0.5 * fall, rate, apart).min(limit))
    }
}

impl MovingPair<'_> {
    /// The same with an axis fixed in the reference body, out of which it points. With d from its centre to a
    /// vertex of the other body, h = n·d has
    ///
    /// ```text
    /// h' = n·(d' − ω × d),     |h''| ≤ |n''|·|d| + 2·|n'|·|d'| + |n·d''|                             (2)
    /// ```
    ///
    /// with |n'| ≤ Ω and |n''| ≤ |dω/dt| + Ω² of the reference.
    fn turning_advance(
        &self,
        states: &[BodyState; 2],
        limit: f64,
        n: &Vec3,
        side: usize,
        offset: f64,
        scratch: &mut Scratch,
    ) -> f64 {
        let (reference, other) = (&self.movers[side], &self.movers[1 - side]);
        let Solid::Convex { core: other_core, .. } = other.solid else { return 0.0 };
        let limit = limit.min(TURNING_HORIZON);
        let (q, q_other) = (&states[side], &states[1 - side]);
        let top = match reference.solid {
            Solid::Convex { core, .. } => core.reach_along(&q.rotation.inverse_transform_vector(n)),
            // Its plane goes through its centre. The plane that does not turn is seen along a fixed axis.
            Solid::HalfSpace(_) if self.turning_plane == Some(side) => 0.0,
            Solid::HalfSpace(_) | Solid::Compound(_) => return 0.0,
        };
        let (center, drift) = (q_other.position - q.position, q_other.velocity - q.velocity);
        let pull = self.pull;
        let (spin, bend) = self.bounds[side];
        let (other_spin, other_bend) = self.bounds[1 - side];
        let speed = drift.norm() + pull * limit + other_spin * other_core.radius;
        let reach = center.norm() + other_core.radius + (drift.norm() + 0.5 * pull * limit) * limit;
        let curvature = bend * reach + 2.0 * spin * speed + other_bend * other_core.radius + pull;
        let turn = q_other.rotation.to_rotation_matrix();
        let height = |v: &Vec3| {
            let arm = turn * v;
            let d = center + arm;
            let rate = drift + q_other.spin.cross(&arm) - q.spin.cross(&d);
            Height { value: n.dot(&d) - top, rate: n.dot(&rate), curvature }
        };
        let round = |body: Curved| RoundHeights {
            body,
            base: n.dot(&center) - top,
            along: turn.inverse_transform_vector(n),
            drift: n.dot(&(drift - q.spin.cross(&center))),
            swing: turn.inverse_transform_vector(&n.cross(&(q_other.spin - q.spin))),
            curvature,
        };
        scratch.turning.fill(other_core, height, round);
        scratch.still.set_point(Height { value: 0.0, rate: 0.0, curvature: 0.0 });
        Bound { first: &scratch.turning, second: &scratch.still, fall: 0.0, offset: -offset }.first_fall(limit)
    }
}

impl MovingPair<'_> {
    /// n' of an axis n = u × w/|u × w| across an edge u of the first core and an edge w of the second, which turn with
    /// their bodies; none where the axis is of another kind.
    ///
    /// ```text
    /// n'·u = −n·(ω₁ × u),    n'·w = −n·(ω₂ × w),    n'·n = 0                                         (3)
    /// ```
    fn crossing_rate(&self, states: &[BodyState; 2], n: &Vec3, scratch: &Scratch) -> Option<Vec3> {
        let edge = |side: usize, heights: &Heights| {
            let Solid::Convex { core, .. } = self.movers[side].solid else { return None };
            let [from, to] = lowest_two(&heights.vertices)?;
            Some(states[side].rotation * (core.vertices[to] - core.vertices[from]))
        };
        let (u, w) = (edge(0, &scratch.first)?, edge(1, &scratch.second)?);
        let product = u.cross(&w);
        let volume = n.dot(&product);
        if volume.abs() < NEARLY_PARALLEL * u.norm() * w.norm() {
            return None;
        }
        let (along_u, along_w) = (-n.dot(&states[0].spin.cross(&u)), -n.dot(&states[1].spin.cross(&w)));
        Some((w.cross(n) * along_u + n.cross(&u) * along_w) / volume)
    }

    /// n' of an axis that is the normal of elements one of which is curved, as it turns with both bodies; none where it is not, or
    /// has no rate.
    fn curved_rate(&self, states: &[BodyState; 2], current: &Separation) -> Option<Vec3> {
        let curved = |mover: &Mover| matches!(mover.solid, Solid::Convex { core, .. } if core.is_curved());
        if !self.movers.iter().any(curved) {
            return None;
        }
        let poses = [states[0].pose(), states[1].pose()];
        let pair = PlacedPair { first: (self.movers[0].solid, &poses[0]), second: (self.movers[1].solid, &poses[1]) };
        let feature = *touching(&pair, current, current.gap + SAME_HEIGHT).first()?;
        let by_pose = pair.contact_derivative(&feature)?.dnormal;
        let turn = |k: usize| {
            let [by_place, by_turn] = [6 * k, 6 * k + 3].map(|column| by_pose.fixed_columns::<3>(column));
            by_place * states[k].velocity + by_turn * states[k].spin
        };
        let rate = turn(0) + turn(1);
        rate.iter().all(|entry| entry.is_finite()).then_some(rate)
    }

    /// How long the separation along an axis that turns steadily from n with the rate n' surely stays above the target.
    /// With D between the centres, ρ from a centre to a vertex and Ω = |n'|, the heights n·(D + ρ₁) and n·ρ₂ have
    ///
    /// ```text
    /// h₁' = n'·(D + ρ₁) + n·(D' + ω₁ × ρ₁),    |h₁''| ≤ Ω²·|D + ρ₁| + 2Ω·|D' + ω₁ × ρ₁| + |D''| + |ρ₁''|  (4)
    /// h₂' = n'·ρ₂ + n·(ω₂ × ρ₂),               |h₂''| ≤ Ω²·|ρ₂| + 2Ω·|ω₂ × ρ₂| + |ρ₂''|
    /// ```
    fn crossing_advance(
        &self,
        states: &[BodyState; 2],
        limit: f64,
        n: &Vec3,
        rate: &Vec3,
        offset: f64,
        scratch: &mut Scratch,
    ) -> f64 {
        let (Solid::Convex { core, .. }, Solid::Convex { core: other_core, .. }) =
            (self.movers[0].solid, self.movers[1].solid)
        else {
            return 0.0;
        };
        let limit = limit.min(TURNING_HORIZON);
        let [q, q_other] = states;
        let (center, drift) = (q.position - q_other.position, q.velocity - q_other.velocity);
        let pull = self.pull;
        let turning = rate.norm();
        let reach = center.norm() + (drift.norm() + 0.5 * pull * limit) * limit;
        let curvature = |core_radius: f64, (spin, bend): (f64, f64), reach: f64, speed: f64, pull: f64| {
            let (reach, speed) = (reach + core_radius, speed + spin * core_radius);
            turning * turning * reach + 2.0 * turning * speed + pull + bend * core_radius
        };
        let first = curvature(core.radius, self.bounds[0], reach, drift.norm() + pull * limit, pull);
        let second = curvature(other_core.radius, self.bounds[1], 0.0, 0.0, 0.0);
        fill_turning(core, q, [n, rate], [&center, &drift], first, &mut scratch.first);
        fill_turning(other_core, q_other, [&-n, &-rate], [&Vec3::zeros(); 2], second, &mut scratch.second);
        Bound { first: &scratch.first, second: &scratch.second, fall: 0.0, offset: -offset }.first_fall(limit)
    }
}

/// The separation of two bodies in states of theirs.
pub fn separation_of(movers: [Mover; 2], states: &[BodyState; 2], hint: Option<Vec3>) -> Separation {
    let [first, second] = movers;
    separation(first.solid, &states[0].pose(), second.solid, &states[1].pose(), hint)
}

/// Heights of (4) for a core whose centre is at `center` and drifts.
fn fill_turning(
    core: &Polytope,
    q: &BodyState,
    [n, rate]: [&Vec3; 2],
    [center, drift]: [&Vec3; 2],
    curvature: f64,
    out: &mut Heights,
) {
    let turn = q.rotation.to_rotation_matrix();
    let height = |v: &Vec3| {
        let arm = turn * v;
        let rate = rate.dot(&(center + arm)) + n.dot(&(drift + q.spin.cross(&arm)));
        Height { value: n.dot(&(center + arm)), rate, curvature }
    };
    let round = |body: Curved| RoundHeights {
        body,
        base: n.dot(center),
        along: turn.inverse_transform_vector(n),
        drift: rate.dot(center) + n.dot(drift),
        swing: turn.inverse_transform_vector(&(rate + n.cross(&q.spin))),
        curvature,
    };
    out.fill(core, height, round);
}

/// Heights of the core's vertices along n; `bend` bounds their second derivative per distance from the centre.
fn heights(mover: &Mover, q: &BodyState, n: &Vec3, bend: f64, out: &mut Heights) {
    let drift = n.dot(&q.velocity);
    match mover.solid {
        // A half-space is as high as its plane: it reaches in no other direction. Compounds come piece by piece.
        Solid::HalfSpace(_) | Solid::Compound(_) => {
            out.set_point(Height { value: n.dot(&q.position), rate: drift, curvature: 0.0 })
        }
        Solid::Convex { core, .. } => {
            let turn = q.rotation.to_rotation_matrix();
            let (local, base) = (turn.inverse_transform_vector(n), n.dot(&q.position));
            // n·(ω × ρ) = (n × ω)·ρ
            let swing = turn.inverse_transform_vector(&n.cross(&q.spin));
            let curvature = bend * core.radius;
            let height = |v: &Vec3| Height { value: base + local.dot(v), rate: drift + swing.dot(v), curvature };
            let round = |body: Curved| RoundHeights { body, base, along: local, drift, swing, curvature };
            out.fill(core, height, round);
        }
    }
}

/// Lowest height of the core however it turns: of its bounding sphere, or of the core itself if it does not.
fn sphere(mover: &Mover, q: &BodyState, n: &Vec3, spin: f64, heights: &Heights) -> f64 {
    match mover.solid {
        Solid::Convex { core, .. } if spin > 0.0 => n.dot(&q.position) - core.radius,
        _ => heights.lowest_at(0.0).0,
    }
}
