//! Random numbers that are the same everywhere: SplitMix64, one stream for each sample. `jump` draws them.

use std::convert::Infallible;

use rand_core::TryRng;
use rand_distr::{Distribution, UnitDisc};

use crate::math::elementary::ln;

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

    /// A number of the standard normal distribution, by Marsaglia's polar method: (x, y) even in the unit disc, s = x² + y²,
    ///
    /// ```text
    /// ξ = x·√(−2·ln s/s)
    /// ```
    ///
    /// The crate's own normal distribution takes its tails from the platform's logarithm.
    pub fn normal(&mut self) -> f64 {
        loop {
            let [x, y]: [f64; 2] = UnitDisc.sample(self);
            let square = x * x + y * y;
            if square > 0.0 {
                return x * (-2.0 * ln(square) / square).sqrt();
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::powi;

    /// Mean, variance and fourth moment of 10⁵ numbers, to four times what chance leaves.
    #[test]
    fn numbers_are_normal() {
        let mut stream = Stream::new(1, 2, 3);
        let numbers: Vec<f64> = (0..100_000).map(|_| stream.normal()).collect();
        let moment = |n: i32| numbers.iter().map(|x| powi(*x, n)).sum::<f64>() / numbers.len() as f64;
        let chance = 4.0 / (numbers.len() as f64).sqrt();
        for (n, expected, deviation) in
            [(1, 0.0, 1.0), (2, 1.0, 2f64.sqrt()), (3, 0.0, 15f64.sqrt()), (4, 3.0, 96f64.sqrt())]
        {
            let found = moment(n);
            assert!((found - expected).abs() < chance * deviation, "moment {n}: {found}");
        }
    }
}
