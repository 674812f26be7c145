//! Keys that stand too close for Blender, and what becomes of them.
//!
//! Blender's importer makes one key of two that are nearer than 0.01 frames, with the time of the first and the value of the
//! second: at 24 frames a second a ball of 5 m/s is then 2 mm off at an impact. So no channel has keys nearer than `SPACING`.
//! Where two impacts are, the second is
//!
//! 1. left out, if the straight step over it passes within `ALLOWED` of it (a settling box is struck hundreds of times);
//! 2. else given to a *carrier*, a node above the body that moves it a little. Places are then a sum of two polylines,
//!
//! ```text
//! x(t) = A(t) + B(t),    B = Σ hats,    hat(t_k) = h_k,  0 at the feet a_k, c_k and beyond                         (1)
//! h_k = −J_k·(t_k − a_k)·(c_k − t_k)/(c_k − a_k),        J_k the change of x's slope at t_k                        (2)
//! ```
//!
//! (2) puts x's corner at t_k into B, so A is straight there; feet are keys of A that are far enough from every t_k. The sum
//! is x at all times, whoever reads it. A carrier that is crowded itself has a carrier.
//!
//! Orientations are thinned likewise where that costs less than `ANGLE_ALLOWED`; they have no carriers, since turns do not add.
//! Those that remain crowded Blender merges: an orientation there is off by spin × 0.4 ms at most.

use super::super::curve::{Joining, Knot, place_between, turn_between};
use crate::math::rotation;

/// Least time between keys of one channel, s: a little more than 0.01 frames at 24 frames a second, Blender's usual rate
/// and the slowest in use.
pub const SPACING: f64 = 0.0105 / 24.0;
/// Furthest that a step may pass from a key that is left out, m: less than the 1e-5 m to which impacts are right.
const ALLOWED: f64 = 8e-6;
/// The same for orientations, rad.
const ANGLE_ALLOWED: f64 = 8e-5;
/// Carriers above one body. Each takes one of the blows that fall within `SPACING`.
const MOST_CARRIERS: usize = 6;

/// Places without those that do not matter, for the body itself and then for each of its carriers.
pub fn spread_places(knots: Vec<Knot<3>>) -> Vec<Vec<Knot<3>>> {
    let off =
        |a: &Knot<3>, b: &Knot<3>, k: &Knot<3>| (place_between(Joining::Linear, a, b, k.t) - k.value).norm() / ALLOWED;
    let mut channels = Vec::new();
    let mut rest = thin(knots, off);
    while let Some((own, carrier)) = split(&rest).filter(|_| channels.len() < MOST_CARRIERS) {
        channels.push(own);
        rest = carrier;
    }
    channels.push(rest);
    channels
}

/// Orientations without those that do not matter.
pub fn thin_turns(knots: Vec<Knot<4>>) -> Vec<Knot<4>> {
    let off = |a: &Knot<4>, b: &Knot<4>, k: &Knot<4>| {
        let shown = turn_between(Joining::Linear, a, b, k.t);
        rotation::angle_between(&shown, &turn_between(Joining::Step, k, k, k.t)) / ANGLE_ALLOWED
    };
    thin(knots, off)
}

/// Leaves out crowded keys over which a straight step passes near enough; `off` says how near, 1 being enough.
fn thin<const N: usize>(knots: Vec<Knot<N>>, off: impl Fn(&Knot<N>, &Knot<N>, &Knot<N>) -> f64) -> Vec<Knot<N>> {
    // Whether one step from knot a to knot b passes near all between.
    let passes = |a: usize, b: usize| knots[a + 1..b].iter().all(|k| off(&knots[a], &knots[b], k) <= 1.0);
    let mut kept: Vec<usize> = Vec::with_capacity(knots.len());
    for index in 0..knots.len() {
        let crowded = |last: usize| knots[index].t - knots[last].t < SPACING;
        match kept[..] {
            [.., last] if crowded(last) && index + 1 < knots.len() && passes(last, index + 1) => {}
            [.., before, last] if crowded(last) && passes(before, index) => {
                kept.pop();
                kept.push(index);
            }
            _ => kept.push(index),
        }
    }
    kept.into_iter().map(|index| knots[index]).collect()
}

/// Two polylines whose sum is the given one, and of which the first is not crowded; none where it was not. Keys that are
/// crowded with the start or the end stay: nothing can carry them.
fn split(knots: &[Knot<3>]) -> Option<(Vec<Knot<3>>, Vec<Knot<3>>)> {
    let mut own = vec![true; knots.len()];
    let mut last = 0;
    for index in 1..knots.len().saturating_sub(1) {
        own[index] = knots[index].t - knots[last].t >= SPACING;
        last = if own[index] { index } else { last };
    }
    let carried: Vec<usize> = (0..knots.len()).filter(|index| !own[*index]).collect();
    let far = |index: &usize| carried.iter().all(|k| (knots[*k].t - knots[*index].t).abs() >= SPACING);
    let feet: Vec<usize> = (0..knots.len()).filter(|index| own[*index]).filter(far).collect();
    let hats: Vec<Hat> = carried.iter().filter_map(|index| Hat::new(knots, &feet, *index)).collect();
    if hats.is_empty() {
        return None;
    }
    let lifted = |t: f64| hats.iter().map(|hat| hat.at(t)).sum();
    let mut corners: Vec<f64> = hats.iter().flat_map(|hat| hat.times).collect();
    corners.sort_by(f64::total_cmp);
    corners.dedup();
    let stays = |knot: &&Knot<3>| hats.iter().all(|hat| hat.times[1] != knot.t);
    let body = knots.iter().filter(stays).map(|knot| Knot::still(knot.t, knot.value - lifted(knot.t)));
    Some((body.collect(), corners.into_iter().map(|t| Knot::still(t, lifted(t))).collect()))
}

/// One hat of (1).
struct Hat {
    /// Foot, tip, foot.
    times: [f64; 3],
    height: nalgebra::SVector<f64, 3>,
}

impl Hat {
    /// The hat that takes the corner of a polyline at one of its inner knots.
    fn new(knots: &[Knot<3>], feet: &[usize], index: usize) -> Option<Hat> {
        let next = feet.partition_point(|foot| *foot < index);
        let (a, c) = (knots[*feet.get(next.checked_sub(1)?)?].t, knots[*feet.get(next)?].t);
        let (before, here, after) = (&knots[index - 1], &knots[index], &knots[index + 1]);
        let corner =
            (after.value - here.value) / (after.t - here.t) - (here.value - before.value) / (here.t - before.t);
        // (2)
        let height = -corner * ((here.t - a) * (c - here.t) / (c - a));
        Some(Hat { times: [a, here.t, c], height })
    }

    fn at(&self, t: f64) -> nalgebra::SVector<f64, 3> {
        let [a, tip, c] = self.times;
        let share = if t <= tip { (t - a) / (tip - a) } else { (c - t) / (c - tip) };
        self.height * share.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::curve::Place;
    use super::*;
    use nalgebra::vector;

    fn polyline(corners: &[(f64, f64)]) -> Vec<Knot<3>> {
        corners.iter().map(|(t, y)| Knot::still(*t, vector![0.1 * t, *y, -y])).collect()
    }

    fn at(channels: &[Vec<Knot<3>>], t: f64) -> nalgebra::SVector<f64, 3> {
        let channel = |knots: &Vec<Knot<3>>| Place { joining: Joining::Linear, knots: knots.clone() }.at(t);
        channels.iter().map(channel).sum()
    }

    #[track_caller]
    fn check(knots: Vec<Knot<3>>, carriers: usize, allowed: f64) {
        let whole = Place { joining: Joining::Linear, knots: knots.clone() };
        let channels = spread_places(knots.clone());
        assert_eq!(channels.len(), carriers + 1);
        for channel in &channels {
            assert!(channel.windows(2).all(|pair| pair[1].t - pair[0].t >= SPACING), "{channel:?}");
        }
        let times = (0..=1000).map(|k| f64::from(k) * 1e-4).chain(knots.iter().map(|knot| knot.t));
        for t in times {
            let off = (at(&channels, t) - whole.at(t)).norm();
            assert!(off <= allowed, "{off} m off at {t} s");
        }
    }

    #[test]
    fn keys_that_are_not_crowded_stay_as_they_are() {
        let knots = polyline(&[(0.0, 1.0), (0.02, 0.5), (0.0205, 0.4), (0.1, 2.0)]);
        assert_eq!(spread_places(knots.clone()), vec![knots]);
    }

    #[test]
    fn what_a_straight_step_hardly_misses_is_left_out() {
        check(polyline(&[(0.0, 0.0), (0.02, 0.2), (0.0201, 0.201), (0.0203, 0.203), (0.1, 1.0)]), 0, 1e-12);
        check(polyline(&[(0.0, 0.0), (0.02, 0.2), (0.0201, 0.200_996), (0.1, 1.0)]), 0, ALLOWED * 1.01);
    }

    #[test]
    fn sharp_corners_close_together_are_carried() {
        check(polyline(&[(0.0, 0.0), (0.05, 0.2), (0.0501, 0.2), (0.1, -0.2)]), 1, 1e-15);
        let thrice = [(0.0, 0.0), (0.03, 0.2), (0.0301, 0.2), (0.0302, 0.1999), (0.06, 0.1), (0.1, 0.7)];
        check(polyline(&thrice), 2, 1e-15);
        let twice = [(0.0, 0.0), (0.03, 0.2), (0.0301, 0.2), (0.05, 0.1), (0.07, 0.4), (0.0702, 0.4), (0.1, 0.0)];
        check(polyline(&twice), 1, 1e-15);
    }

    #[test]
    fn corners_at_the_very_start_or_end_stay() {
        let knots = polyline(&[(0.0, 0.0), (0.0001, 0.2), (0.05, 0.1), (0.1, 0.0)]);
        assert_eq!(spread_places(knots.clone()), vec![knots]);
        let knots = polyline(&[(0.0, 0.0), (0.05, 0.1), (0.0999, 0.2), (0.1, 0.0)]);
        assert_eq!(spread_places(knots.clone()), vec![knots]);
    }
}
