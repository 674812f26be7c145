//! A number that tells motions apart.
//!
//! Same bits of every phase of every body and of every event, same fingerprint: FNV-1a of 64 bits over names, times,
//! states and contacts. It recognises a motion; it does not protect against someone who wants to forge one, which is
//! why `verify` compares the motion itself. Other processors may round a sine differently and so give another number.

use std::fmt;

use crate::dynamics::BodyState;
use crate::model::BodyId;
use crate::simulation::Trajectory;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The fingerprint of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of a whole motion.
    pub fn new(trajectory: &Trajectory) -> Fingerprint {
        let mut hash = Fingerprint(OFFSET);
        for (body, properties) in (0..).map(BodyId).zip(&trajectory.world().bodies) {
            hash.bytes(properties.name.as_bytes());
            for phase in trajectory.phases(body) {
                hash.number(phase.t);
                hash.state(phase.start());
                phase.bending().into_iter().flatten().for_each(|part| part.iter().for_each(|x| hash.number(*x)));
            }
        }
        for event in &trajectory.events {
            hash.number(event.t);
            hash.bytes(event.kind.as_str().as_bytes());
            event.contacts.iter().flat_map(|contact| contact.impulse.iter()).for_each(|number| hash.number(*number));
        }
        hash.number(trajectory.t_end);
        hash
    }

    fn state(&mut self, state: &BodyState) {
        let turn = state.rotation.coords;
        let linear = state.position.iter().chain(state.velocity.iter()).chain(state.spin.iter());
        linear.chain(turn.iter()).for_each(|number| self.number(*number));
    }

    fn number(&mut self, number: f64) {
        self.bytes(&number.to_bits().to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
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
