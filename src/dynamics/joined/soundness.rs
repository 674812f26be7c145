//! Whether the joints of a machine say the same twice, contradict each other, or nearly do, at an instant.
//!
//! With S the held rows' gradients as lengths (a turn about a principal axis counts times its radius of gyration), each scaled to
//! length 1, and z a circuit of rows (`math::dependence`):
//!
//! ```text
//! S_r = s_r·J_r·W_1^½,     W_1 = 1 for places, m/Λ_i for turns,     s_r = 1/|J_r·W_1^½|                  (1)
//! redundant          Sᵀ·z = 0:  p² < 1e-10,  and  |z·s·b|/|z| ≤ 1e-6 m/s²                                (2)
//! conflicting        p² < 1e-10,  and  |z·s·b|/|z| > 1e-6 m/s²:  no accelerations obey them all          (3)
//! nearly singular    1e-10 ≤ p² < 1e-4                                                                   (4)
//! ```
//!
//! b is that of `expansion`. Masses do not enter: a crumb beside a mountain is a healthy machine. p² is at least the smallest
//! eigenvalue of S·Sᵀ, and as small as it where rows depend on each other; but of a healthy chain of n links it falls as 1/n,
//! where the eigenvalue falls as 1/n².

use super::flight::JoinedFlight;
use super::machine::{Machine, Row};
use super::number::Owner;
use crate::math::dependence::{Circuit, circuits};

/// Of (2) and (3): what is below repeats others.
const REPEATED: f64 = 1e-10;
/// Of (4): a two-link arm of which the middle is less than a hundredth of a link beside the line, about.
const NEARLY: f64 = 1e-4;
/// Of (2) and (3), m/s².
const CONFLICT: f64 = 1e-6;
/// What D and Ḋ of joints that hold may come to by rounding, m and m/s: through 1/τ² it is in b.
const HOLDS: f64 = 1e-11;
/// Multiplications spent on one look. A chain of ten thousand links takes a tenth of it; a machine in which every body is
/// joined to every other, of more than about five hundred rows, more than that, and nothing is told of it.
const MOST_WORK: usize = 200_000_000;

/// What there is to tell; each entry names the joints, and motors that keep rows, that have to do with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soundness {
    /// (2).
    pub redundant: Vec<Vec<Owner>>,
    /// (3).
    pub conflicting: Vec<Vec<Owner>>,
    /// (4).
    pub nearly_singular: Vec<Vec<Owner>>,
}

/// The gradient of a row by the place of a member, by lengths.
type Gradient = (usize, [f64; 6]);

impl JoinedFlight {
    /// What there is to tell of the joints at t.
    pub fn soundness(&self, t: f64) -> Soundness {
        let machine = self.machine();
        if machine.held.is_empty() {
            return Soundness::default();
        }
        let expansion = self.expansion(t);
        let gradients: Vec<Vec<Gradient>> = machine
            .held
            .iter()
            .map(|&row| {
                let sides = machine.rows[row].sides.iter().flatten();
                sides
                    .map(|side| (side.member, machine.by_lengths(side.member, expansion.values.gradient(side))))
                    .collect()
            })
            .collect();
        let coupling = |a: usize, b: usize| -> f64 {
            let pairs = gradients[a].iter().flat_map(|left| gradients[b].iter().map(move |right| (left, right)));
            let same = pairs.filter(|(left, right)| left.0 == right.0);
            same.map(|(left, right)| (0..6).map(|k| left.1[k] * right.1[k]).sum::<f64>()).sum()
        };
        let square = |row: usize| coupling(row, row);
        let scales: Vec<f64> =
            (0..gradients.len()).map(square).map(|c| if c > 0.0 { 1.0 / c.sqrt() } else { 0.0 }).collect();
        let row = |i: usize| (machine.first[i]..=i).map(|j| coupling(i, j) * scales[i] * scales[j]).collect();
        let Some(circuits) = circuits(&machine.first, row, NEARLY, MOST_WORK) else { return Soundness::default() };
        let conflicts = |circuit: &Circuit| {
            let sum: f64 = circuit.rows.iter().map(|(row, z)| z * scales[*row] * expansion.against[*row]).sum();
            let length = circuit.rows.iter().map(|(_, z)| z * z).sum::<f64>().sqrt();
            let rounding = |(row, _): &(usize, f64)| {
                let tau =
                    machine.rows[machine.held[*row]].time_constant.map_or(1.0, |node| expansion.values.of(node)[0]);
                scales[*row] * HOLDS * (1.0 + 2.0 * tau) / (tau * tau)
            };
            let rounding = circuit.rows.iter().map(rounding).fold(0.0, f64::max);
            sum.abs() > (CONFLICT + rounding) * length
        };
        machine.sorted(&circuits, conflicts)
    }
}

impl Machine {
    /// J_r·W_1^½ of a member.
    fn by_lengths(&self, member: usize, mut gradient: [f64; 6]) -> [f64; 6] {
        let of = &self.members[member];
        for k in 0..3 {
            gradient[3 + k] *= (of.mass.mass * of.inverse_inertia[k]).sqrt();
        }
        gradient
    }

    /// Circuits by kind, those that share a joint as one.
    fn sorted(&self, circuits: &[Circuit], conflicts: impl Fn(&Circuit) -> bool) -> Soundness {
        let owners = |circuit: &Circuit| {
            let row = |place: usize| -> &Row { &self.rows[self.held[place]] };
            let owner = |(place, _): &(usize, f64)| self.elements.get(row(*place).element).map(|element| element.owner);
            circuit.rows.iter().filter_map(owner).collect::<Vec<Owner>>()
        };
        let (repeated, nearly): (Vec<&Circuit>, Vec<&Circuit>) = circuits.iter().partition(|c| c.own < REPEATED);
        let (conflicting, redundant): (Vec<&Circuit>, Vec<&Circuit>) = repeated.into_iter().partition(|c| conflicts(c));
        let [mut redundant, conflicting, nearly_singular] =
            [redundant, conflicting, nearly].map(|circuits| joined(circuits.into_iter().map(owners)));
        // Joints that contradict each other in one direction may well agree in others; that is no news.
        let known = |own: &Vec<Owner>| conflicting.iter().any(|set: &Vec<Owner>| own.iter().all(|o| set.contains(o)));
        redundant.retain(|own| !known(own));
        Soundness { redundant, conflicting, nearly_singular }
    }
}

/// Sets that share something as one, in the order of their first things.
fn joined(sets: impl Iterator<Item = Vec<Owner>>) -> Vec<Vec<Owner>> {
    let mut joined: Vec<Vec<Owner>> = Vec::new();
    for mut set in sets {
        let (touching, apart) =
            joined.into_iter().partition(|other: &Vec<Owner>| other.iter().any(|o| set.contains(o)));
        joined = apart;
        touching.into_iter().for_each(|other: Vec<Owner>| set.extend(other));
        set.sort_unstable();
        set.dedup();
        joined.push(set);
    }
    joined.sort();
    joined
}
