//! Random numbers that are the same everywhere: SplitMix64, one stream for each sample. `jump` draws them.

use std::convert::Infallible;
use std::sync::LazyLock;

use rand_core::TryRng;
use rand_distr::{Distribution, Open01, StandardUniform};

use crate::math::elementary::{exp, ln};

/// Where the tail begins that is no layer: R.
const TAIL: f64 = 3.654_152_885_361_009;
/// The area of a layer, for 256 of them with that tail.
const AREA: f64 = 0.004_928_673_233_99;

/// Half widths of the layers, from the lowest; the last is 0.
static LAYERS: LazyLock<[f64; 257]> = LazyLock::new(|| {
    let mut widths = [0.0; 257];
    (widths[0], widths[1]) = (AREA / density(TAIL), TAIL);
    for k in 2..256 {
        widths[k] = (-2.0 * ln(AREA / widths[k - 1] + density(widths[k - 1]))).sqrt();
    }
    widths
});

/// f.
fn density(x: f64) -> f64 {
    exp(-x * x / 2.0)
}

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

    /// A number of the standard normal distribution, by the ziggurat method.
    ///
    /// The area under f(x) = exp(−x²/2) is cut into layers of equal area, the k-th from 0 to x_k wide, with a tail beyond R
    /// under the first. A place in a layer that lies below f as a whole is taken at once; (1) decides where it is cut by
    /// f, and (2) draws from the tail:
    ///
    /// ```text
    /// f(x_{k+1}) + (f(x_k) − f(x_{k+1}))·ξ < f(x)                                                 (1)
    /// x = R − ln ξ₁/R     where     −2·ln ξ₂ ≥ (ln ξ₁/R)²                                         (2)
    /// ```
    ///
    /// The same numbers as `rand_distr::StandardNormal` draws, whose f and ln are the platform's.
    pub fn normal(&mut self) -> f64 {
        loop {
            let bits = self.bits();
            let layer = (bits & 0xff) as usize;
            // The upper 52 bits as a number in [−1, 1).
            let u = f64::from_bits((bits >> 12) | 2f64.to_bits()) - 3.0;
            let x = u * LAYERS[layer];
            if x.abs() < LAYERS[layer + 1] {
                return x;
            }
            if layer == 0 {
                return self.tail().copysign(u);
            }
            let (wide, narrow) = (density(LAYERS[layer]), density(LAYERS[layer + 1]));
            let part: f64 = StandardUniform.sample(self);
            if narrow + (wide - narrow) * part < density(x) {
                return x;
            }
        }
    }

    /// (2).
    fn tail(&mut self) -> f64 {
        loop {
            let (first, second): (f64, f64) = (Open01.sample(self), Open01.sample(self));
            let (x, y) = (ln(first) / TAIL, ln(second));
            if -2.0 * y >= x * x {
                return TAIL - x;
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
    use rand_distr::StandardNormal;

    /// The crate's numbers differ by the rounding of the platform's functions only.
    #[test]
    fn numbers_are_those_of_the_crate() {
        let (mut own, mut other) = (Stream::new(7, 1, 4), Stream::new(7, 1, 4));
        for k in 0..200_000 {
            let (found, expected): (f64, f64) = (own.normal(), StandardNormal.sample(&mut other));
            assert!((found - expected).abs() <= 1e-15 * expected.abs(), "number {k}: {found} instead of {expected}");
        }
    }

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
