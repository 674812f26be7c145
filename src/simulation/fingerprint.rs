//! A number that tells motions apart.
//!
//! FNV-1a of 64 bits over names, the states of all bodies at evenly spread times, and every number of every event. Same
//! bits of the motion, same fingerprint, on every machine; how phases are stored does not matter. It recognises a
//! motion; it does not protect against someone who wants to forge one, which is why `verify` compares the motion itself.

use std::fmt;

use super::trajectory::{Event, Trajectory};
use crate::dynamics::BodyState;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
/// Times at which states count, the start included. Events are counted beside them, and whatever differs once differs
/// from then on; more times only cost more.
const TIMES: u32 = 200;

/// The fingerprint of numbers and words, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of nothing yet.
    pub fn empty() -> Fingerprint {
        Fingerprint(OFFSET)
    }

    /// Of a whole motion.
    pub fn new(trajectory: &Trajectory) -> Fingerprint {
        let mut print = Fingerprint::empty();
        trajectory.world().bodies.iter().for_each(|body| print.add_word(&body.name));
        for k in 0..=TIMES {
            let t = trajectory.t_end * (f64::from(k) / f64::from(TIMES));
            trajectory.at(t).iter().for_each(|state| print.add_state(state));
        }
        trajectory.events.iter().for_each(|event| print.add_event(event));
        print.add_word(trajectory.end.as_str());
        print.add(trajectory.t_end);
        print
    }

    /// Goes on with a number.
    pub fn add(&mut self, number: f64) {
        self.add_bytes(&number.to_bits().to_le_bytes());
    }

    /// Goes on with a word.
    pub fn add_word(&mut self, word: &str) {
        self.add_bytes(word.as_bytes());
    }

    fn add_state(&mut self, state: &BodyState) {
        let turn = state.rotation.coords;
        let linear = state.position.iter().chain(state.velocity.iter()).chain(state.spin.iter());
        linear.chain(turn.iter()).for_each(|number| self.add(*number));
    }

    fn add_event(&mut self, event: &Event) {
        self.add(event.t);
        self.add_word(event.kind.as_str());
        [event.first.0, event.second.0, event.number].into_iter().for_each(|number| self.add(f64::from(number)));
        let vectors = event.contacts.iter().flat_map(|contact| [contact.point, contact.normal, contact.impulse]);
        vectors.for_each(|vector| vector.iter().for_each(|number| self.add(*number)));
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
