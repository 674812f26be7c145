//! Random numbers that are the same everywhere: SplitMix64, one stream for each sample.

use std::convert::Infallible;

use rand_core::TryRng;

/// A stream of random bits.
pub(super) struct Stream(u64);

impl Stream {
    /// The stream of one sample of one round.
    pub fn new(seed: u64, round: u64, sample: u64) -> Stream {
        let mut stream = Stream(seed ^ round.rotate_left(24) ^ sample.rotate_left(48));
        // Neighbouring seeds give unrelated streams only after a few steps.
        for _ in 0..4 {
            stream.0 = stream.bits();
        }
        stream
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.bits().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}
