//! Whether the marks of a file are where the motion has them.
//!
//! ```text
//! against the motion      |P_file − P|, |Q_file − Q|  with  Q_file = P_file + R_file·z·(scale·L)                                (1)
//! against what `export`
//! would write             places, orientations and scales, where the two files have keys and between                           (2)
//! ```
//!
//! (1) is the promise of the format; (2) finds what (1) cannot see: a coil that spins about itself, a mark that vanishes. Which marks there
//! are, their meshes and what carries them is compared with everything else in the file (`content`).

use super::{Carrier, End, Marks, Rig};
use crate::export::Motion;
use crate::export::curve::{Curve, Place, Turn};
use crate::export::verify::{Deviation, Report};
use crate::math::{Vec3, rotation};

/// Times compared between two keys, as for bodies.
const LOOKS: u32 = 7;
/// Steps shorter than this, in max(1, t) s, are jumps of a track: what is shown in them is on the way.
const JUMP: f64 = 1e-6;

/// What formats that move the ends of a rig apart put to its name.
pub const ORIGIN: &str = ", origin";
/// See [`ORIGIN`].
pub const END: &str = ", end";

/// What a mark of a file is, by its name.
enum Truth<'a> {
    Rig(&'a Rig),
    End(&'a End),
}

/// A mark that moves, in a file. What it does not say is as usual: at the origin, not turned, not stretched.
#[derive(Clone, Debug)]
pub struct FileMark {
    /// As in the file.
    pub name: String,
    /// Of its origin.
    pub place: Place,
    /// Of its axes.
    pub turn: Turn,
    /// Along its own axes.
    pub scale: Curve<3>,
}

impl FileMark {
    fn times(&self) -> impl Iterator<Item = f64> {
        let places = self.place.knots.iter().chain(&self.scale.knots).map(|knot| knot.t);
        places.chain(self.turn.knots.iter().map(|knot| knot.t))
    }

    /// Whether its times increase: no viewer could follow others.
    pub fn in_order(&self) -> bool {
        fn ordered<const N: usize>(curve: &Curve<N>) -> bool {
            !curve.knots.is_empty() && curve.knots.windows(2).all(|pair| pair[0].t < pair[1].t)
        }
        ordered(&self.place) && ordered(&self.turn) && ordered(&self.scale)
    }
}

/// Notes how far the marks of a file are off the motion (1) and off what export would write (2).
pub fn compare(motion: &Motion, marks: &Marks, [expected, found]: [&[FileMark]; 2], report: &mut Report) {
    for own in expected {
        let Some(other) = found.iter().find(|mark| mark.name == own.name) else { continue };
        report.keys += other.times().count();
        let mut times: Vec<f64> = own.times().chain(other.times()).chain([0.0, motion.trajectory.t_end]).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let between = |pair: &[f64]| {
            let (start, length) = (pair[0], pair[1] - pair[0]);
            (1..=LOOKS).map(move |k| start + length * f64::from(k) / f64::from(LOOKS + 1))
        };
        let truth = truth(marks, &own.name);
        let note = |deviation: &mut Deviation, t: f64, jumps: bool| {
            let off = (own.place.at(t) - other.place.at(t)).norm().max((own.scale.at(t) - other.scale.at(t)).norm());
            let ends = truth.as_ref().filter(|_| !jumps).map_or(0.0, |truth| truth.off(motion, other, t));
            deviation.place.note(off.max(ends), t, &own.name);
            deviation.angle.note(rotation::angle_between(&own.turn.at(t), &other.turn.at(t)), t, &own.name);
        };
        // The end of a jump may be read on either side of it, by a rounding of its time.
        let jump = |pair: &[f64]| pair[1] - pair[0] < JUMP * pair[1].max(1.0);
        times.first().into_iter().for_each(|t| note(&mut report.at_keys, *t, false));
        for pair in times.windows(2) {
            let jumps = jump(pair);
            note(&mut report.at_keys, pair[1], jumps);
            between(pair).for_each(|t| note(&mut report.between_keys, t, jumps));
        }
    }
}

fn truth<'a>(marks: &'a Marks, name: &str) -> Option<Truth<'a>> {
    let rig = |name: &str| {
        let part = marks.parts.iter().find(|part| part.name == name)?;
        if let Carrier::Rig(rig) = &part.carrier { Some(rig) } else { None }
    };
    let ends = || {
        let from = name.strip_suffix(ORIGIN).and_then(rig).map(|rig| Truth::End(&rig.from));
        from.or_else(|| name.strip_suffix(END).and_then(rig)?.to.as_ref().map(Truth::End))
    };
    rig(name).map(Truth::Rig).or_else(ends)
}

impl Truth<'_> {
    /// (1)
    fn off(&self, motion: &Motion, mark: &FileMark, t: f64) -> f64 {
        let place = mark.place.at(t);
        match self {
            Truth::End(end) => (place - end.at(motion, t)).norm(),
            Truth::Rig(rig) => {
                let from = (place - rig.from.at(motion, t)).norm();
                let to = rig.to.map_or(0.0, |to| {
                    let end = place + mark.turn.at(t) * (Vec3::z() * (mark.scale.at(t).z * rig.length));
                    (end - to.at(motion, t)).norm()
                });
                from.max(to)
            }
        }
    }
}
