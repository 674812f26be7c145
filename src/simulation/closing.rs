//! When two moving bodies next meet: conservative advancement, then a bracketed root.
//!
//! At a time t with the pair's axis n, every core vertex of each body has a height along n, its rate, and a
//! bound on its second derivative from gravity and from the largest spin Ω and spin rate the motion can
//! have, (|dω/dt| + Ω²)·|ρ| for a vertex at ρ from the centre of mass (|ρ| ≤ the core's radius). So the separation along n stays above
//!
//! ```text
//! L(x) = min_j (a_j + a_j'·x − ½A_j·x²)  −  max_i (b_i + b_i'·x + ½B_i·x²)  + ½g·x² − r              (1)
//! ```
//!
//! for x seconds, with g ≤ 0 the relative acceleration of the centres along n. L is concave, so the first time it can fall to a
//! level is found in a few steps, and no contact can happen earlier. The search steps there, measures the
//! true separation, and goes on until that is below the level by more than `DIP`: then the root is
//! bracketed. What a search may overlook is a dip of less than two depths.
//!
//! Bodies of several pieces are searched piece by piece, in `piece_closing`.
//!
//! Where the bodies touch at the root is `geometry::touching`; what happens there is `impact`.

use super::heights::{Bound, Height, Heights, RoundHeights, lowest_two};
use super::motion::Motion;
use super::piece_closing::first_closing_of_pieces;
use crate::dynamics::BodyState;
use crate::geometry::compound::PiecePair;
use crate::geometry::curved::Curved;
use crate::geometry::polytope::Polytope;
use crate::geometry::{PlacedPair, Separation, Solid, separation, touching};
use crate::math::Vec3;
use crate::math::root::{falling_root, first_quadratic_root};

/// How deep (m) a pair must dip below its level to count as closing; smaller dips are noise.
const DIP: f64 = 2.5e-10;
/// The same at the end of a search, where waiting for more depth would misplace the root.
const DIP_AT_END: f64 = 1e-13;
/// Width (s) to which roots are bracketed, near the spacing of f64 at a second.
const ROOT_WIDTH: f64 = 2.5e-16;

/// Steps shorter than this part of the search try axes that turn.
const CREEPING: f64 = 0.1;
/// Longest step (s) with such an axis: its bounds grow with the step.
const TURNING_HORIZON: f64 = 0.02;

/// Elements whose gap is within this (m) of the separation have its axis for their normal.
const OWN_FEATURE: f64 = 1e-10;

/// Sine of the angle between edges below which their axis turns too fast to be followed.
const CROSSING: f64 = 1e-3;

/// A body on its way.
#[derive(Clone, Copy)]
pub struct Mover<'a> {
    /// Its shape.
    pub solid: &'a Solid,
    /// Its motion.
    pub motion: &'a Motion,
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// The pair closes.
    Closing {
        /// When.
        t: f64,
        /// The pair's axis then.
        normal: Vec3,
        /// A later time at which the pair was seen below its level.
        below: f64,
    },
    /// Not within the time asked.
    Apart,
    /// The motion is not a number.
    NonFinite,
}

/// A search on its way: how far it came, and what it saw.
#[derive(Clone, Copy, Debug)]
pub struct Pursuit {
    /// The start of the search.
    from: f64,
    /// The pair does not close before this time.
    pub t: f64,
    /// The gap at the start, m.
    pub start_gap: f64,
    /// The axis at the start.
    pub start_normal: Vec3,
    /// The widest gap seen, m.
    pub widest_gap: f64,
    /// Steps taken.
    pub steps: u64,
    current: Separation,
    level: f64,
    /// The last time at which the gap was not below the level.
    above: (f64, Separation),
}

/// Reusable buffers of a search.
#[derive(Default)]
pub struct Workspace {
    pub(super) pieces: Vec<(f64, PiecePair)>,
    first: Heights,
    second: Heights,
    turning: Heights,
    still: Heights,
}

/// What a search found, and what it saw on the way.
#[derive(Clone, Copy, Debug)]
pub struct SearchReport {
    /// The outcome.
    pub outcome: Search,
    /// The gap at the start, m.
    pub start_gap: f64,
    /// The axis at the start.
    pub start_normal: Vec3,
    /// The widest gap seen, m.
    pub widest_gap: f64,
    /// Steps taken.
    pub steps: u64,
}

/// The first time in (from, until] at which the pair closes. `hint` is a recent axis of the pair, `max_steps`
/// bounds the work.
pub fn first_closing(
    movers: [Mover; 2],
    from: f64,
    until: f64,
    hint: Option<Vec3>,
    max_steps: u64,
    workspace: &mut Workspace,
) -> SearchReport {
    if movers.iter().any(|mover| mover.solid.piece_count() > 1) {
        return first_closing_of_pieces(movers, from, until, hint, max_steps, workspace);
    }
    let mut pursuit = Pursuit::new(movers, from, hint);
    let outcome = pursuit.advance(movers, until, f64::INFINITY, max_steps, workspace).unwrap_or(Search::Apart);
    let Pursuit { start_gap, start_normal, widest_gap, steps, .. } = pursuit;
    SearchReport { outcome, start_gap, start_normal, widest_gap, steps }
}

impl Pursuit {
    /// A search that starts at `from`. `hint` is a recent axis of the pair.
    pub fn new(movers: [Mover; 2], from: f64, hint: Option<Vec3>) -> Self {
        let pair = MovingPair::new(movers);
        let current = pair.separation(from, hint);
        Pursuit {
            from,
            t: from,
            start_gap: current.gap,
            start_normal: current.normal,
            widest_gap: current.gap,
            steps: 0,
            current,
            level: current.gap.min(0.0),
            above: (from, current),
        }
    }

    /// Goes on until the pair closes or the time `until`; or, with no outcome, past the time `patience`: whoever asks
    /// may have no use for what is later. It can go on from there. `max_steps` bounds the work.
    pub fn advance(
        &mut self,
        movers: [Mover; 2],
        until: f64,
        patience: f64,
        max_steps: u64,
        workspace: &mut Workspace,
    ) -> Option<Search> {
        let pair = MovingPair::new(movers);
        let limit = self.steps.saturating_add(max_steps);
        let mut states = pair.states(self.t);
        while self.t < until && self.steps < limit {
            self.steps += 1;
            let target = self.level - 2.0 * DIP;
            let advance = pair.safe_advance(&states, until - self.t, &self.current, target, workspace);
            let next = (self.t + advance).max(self.t.next_up()).min(until);
            states = pair.states(next);
            let met = pair.separation_at(&states, Some(self.current.normal));
            if !met.gap.is_finite() {
                return Some(Search::NonFinite);
            }
            let depth = if next < until { DIP } else { DIP_AT_END };
            if met.gap < self.level - depth {
                return Some(pair.refine(self.level, self.above, (next, met), self.from, &mut self.widest_gap));
            }
            (self.t, self.current) = (next, met);
            self.widest_gap = self.widest_gap.max(met.gap);
            if met.gap >= self.level {
                self.above = (next, met);
                self.level = met.gap.min(0.0);
                // Only here: a pair that has dipped a little may have closed earlier than now.
                if next > patience && next < until {
                    return None;
                }
            }
        }
        Some(Search::Apart)
    }
}

struct MovingPair<'a> {
    movers: [Mover<'a>; 2],
    /// Bounds of |ω| and of the acceleration, per distance from the centre, that turning causes.
    bounds: [(f64, f64); 2],
}

impl<'a> MovingPair<'a> {
    fn new(movers: [Mover<'a>; 2]) -> Self {
        let bounds = movers.map(|mover| {
            let spin = mover.motion.spin_bound();
            (spin, mover.motion.spin_rate_bound() + spin * spin)
        });
        MovingPair { movers, bounds }
    }

    fn states(&self, t: f64) -> [BodyState; 2] {
        self.movers.map(|mover| mover.motion.along_path(t))
    }

    fn separation(&self, t: f64, hint: Option<Vec3>) -> Separation {
        self.separation_at(&self.movers.map(|mover| mover.motion.at(t)), hint)
    }

    fn separation_at(&self, states: &[BodyState; 2], hint: Option<Vec3>) -> Separation {
        let [first, second] = self.movers;
        separation(first.solid, &states[0].pose(), second.solid, &states[1].pose(), hint)
    }

    /// The crossing between a time above the level and one below it.
    fn refine(
        &self,
        level: f64,
        above: (f64, Separation),
        below: (f64, Separation),
        from: f64,
        widest: &mut f64,
    ) -> Search {
        let (below_t, normal) = (below.0, below.1.normal);
        let gap = |t: f64| self.separation(t, Some(normal)).gap - level;
        // Only at the start of a search may the pair touch by what an impact left; later a height, however small, is one.
        let left = (above.0 > from).then_some((above.0, above.1.gap - level)).filter(|(_, height)| *height > 0.0);
        let Some((start, height)) = rise(gap, above, below.0, level).or(left) else {
            return Search::Closing { t: above.0, normal, below: below_t };
        };
        *widest = widest.max(height + level);
        let t = falling_root(gap, start, below.0, height, below.1.gap - level, ROOT_WIDTH);
        Search::Closing { t, normal, below: below_t }
    }

    /// How long the separation, now `current`, surely stays above `target`, at most `limit` seconds.
    fn safe_advance(
        &self,
        states: &[BodyState; 2],
        limit: f64,
        current: &Separation,
        target: f64,
        workspace: &mut Workspace,
    ) -> f64 {
        let [first, second] = &self.movers;
        let ([q, q_second], n) = (states, &current.normal);
        let fall = n.dot(&(first.motion.acceleration() - second.motion.acceleration())).min(0.0);
        let radii = first.solid.rounding() + second.solid.rounding();
        heights(first, q, n, self.bounds[0].1, &mut workspace.first);
        heights(second, q_second, &-n, self.bounds[1].1, &mut workspace.second);
        let bound = Bound { first: &workspace.first, second: &workspace.second, fall, offset: -radii - target };
        let by_vertices = bound.first_fall(limit);
        let low = sphere(first, q, n, self.bounds[0].0, &workspace.first)
            + sphere(second, q_second, &-n, self.bounds[1].0, &workspace.second);
        // An axis that turns with a body sees its faces at rest: touching faces allow longer steps.
        let mut best = by_vertices;
        if by_vertices < CREEPING * limit {
            for (reference, sign) in [(1, 1.0), (0, -1.0)] {
                let axis = n * sign;
                best = best.max(self.turning_advance(states, limit, &axis, reference, radii + target, workspace));
            }
            // One that stays across two edges, or two curves, sees them slide past each other.
            let rate = self.crossing_rate(states, n, workspace);
            if let Some(rate) = rate.or_else(|| self.curved_rate(states, current)) {
                best = best.max(self.crossing_advance(states, limit, n, &rate, radii + target, workspace));
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
        workspace: &mut Workspace,
    ) -> f64 {
        let (reference, other) = (&self.movers[side], &self.movers[1 - side]);
        let (Solid::Convex { core, .. }, Solid::Convex { core: other_core, .. }) = (reference.solid, other.solid)
        else {
            return 0.0;
        };
        let limit = limit.min(TURNING_HORIZON);
        let (q, q_other) = (&states[side], &states[1 - side]);
        let local = q.rotation.inverse_transform_vector(n);
        let top = core.reach_along(&local);
        let (center, drift) = (q_other.position - q.position, q_other.velocity - q.velocity);
        let pull = other.motion.acceleration() - reference.motion.acceleration();
        let (spin, bend) = self.bounds[side];
        let (other_spin, other_bend) = self.bounds[1 - side];
        let speed = drift.norm() + pull.norm() * limit + other_spin * other_core.radius;
        let reach = center.norm() + other_core.radius + (drift.norm() + 0.5 * pull.norm() * limit) * limit;
        let curvature = bend * reach + 2.0 * spin * speed + other_bend * other_core.radius + pull.norm();
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
        workspace.turning.fill(other_core, height, round);
        workspace.still.set_point(Height { value: 0.0, rate: 0.0, curvature: 0.0 });
        Bound { first: &workspace.turning, second: &workspace.still, fall: 0.0, offset: -offset }.first_fall(limit)
    }
}

impl MovingPair<'_> {
    /// n' of an axis n = u × w/|u × w| across an edge u of the first core and an edge w of the second, which turn with
    /// their bodies; none where the axis is of another kind.
    ///
    /// ```text
    /// n'·u = −n·(ω₁ × u),    n'·w = −n·(ω₂ × w),    n'·n = 0                                         (3)
    /// ```
    fn crossing_rate(&self, states: &[BodyState; 2], n: &Vec3, workspace: &Workspace) -> Option<Vec3> {
        let edge = |side: usize, heights: &Heights| {
            let Solid::Convex { core, .. } = self.movers[side].solid else { return None };
            let [from, to] = lowest_two(&heights.vertices)?;
            Some(states[side].rotation * (core.vertices[to] - core.vertices[from]))
        };
        let (u, w) = (edge(0, &workspace.first)?, edge(1, &workspace.second)?);
        let product = u.cross(&w);
        let volume = n.dot(&product);
        if volume.abs() < CROSSING * u.norm() * w.norm() {
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
        let feature = *touching(&pair, current, current.gap + OWN_FEATURE).first()?;
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
        workspace: &mut Workspace,
    ) -> f64 {
        let (Solid::Convex { core, .. }, Solid::Convex { core: other_core, .. }) =
            (self.movers[0].solid, self.movers[1].solid)
        else {
            return 0.0;
        };
        let limit = limit.min(TURNING_HORIZON);
        let [q, q_other] = states;
        let (center, drift) = (q.position - q_other.position, q.velocity - q_other.velocity);
        let pull = (self.movers[0].motion.acceleration() - self.movers[1].motion.acceleration()).norm();
        let turning = rate.norm();
        let reach = center.norm() + (drift.norm() + 0.5 * pull * limit) * limit;
        let curvature = |core_radius: f64, (spin, bend): (f64, f64), reach: f64, speed: f64, pull: f64| {
            let (reach, speed) = (reach + core_radius, speed + spin * core_radius);
            turning * turning * reach + 2.0 * turning * speed + pull + bend * core_radius
        };
        let first = curvature(core.radius, self.bounds[0], reach, drift.norm() + pull * limit, pull);
        let second = curvature(other_core.radius, self.bounds[1], 0.0, 0.0, 0.0);
        fill_turning(core, q, [n, rate], [&center, &drift], first, &mut workspace.first);
        fill_turning(other_core, q_other, [&-n, &-rate], [&Vec3::zeros(); 2], second, &mut workspace.second);
        Bound { first: &workspace.first, second: &workspace.second, fall: 0.0, offset: -offset }.first_fall(limit)
    }
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

/// A time between `above` and `until` at which the gap is clearly over the level: `above` itself, or, where
/// that only touches the level (just after an impact), the first found by halving. None if it never rises.
fn rise(gap: impl Fn(f64) -> f64, above: (f64, Separation), until: f64, level: f64) -> Option<(f64, f64)> {
    const CLEARLY: f64 = 1e-12;
    const HALVINGS: usize = 40;
    let height = above.1.gap - level;
    if height > CLEARLY {
        return Some((above.0, height));
    }
    let mut x = until - above.0;
    for _ in 0..HALVINGS {
        x *= 0.5;
        let height = gap(above.0 + x);
        if height > CLEARLY {
            return Some((above.0 + x, height));
        }
    }
    None
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
