//! Products K·p of the last points: line search, linearisation and the end of a pass ask for the same ones again.
//!
//! A step of Newton's method is tried, taken and linearised at one point, and a pass ends where its last better step led, so
//! that two products are enough to compute none twice. A product is kept by the bits of its point: who asks need not know who asked before.

use crate::contact::linear::body_rows::{BodyRows, BodyVector};

/// The last two products of one K.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Products {
    kept: [Kept; 2],
    /// Which of them was asked for last.
    latest: usize,
    bodies: Vec<BodyVector>,
}

/// A product with its point; both are empty where there is none.
#[derive(Clone, Debug, Default)]
struct Kept {
    point: Vec<f64>,
    product: Vec<f64>,
}

impl Products {
    /// Forgets all products: K is another one.
    pub(in crate::contact) fn forget(&mut self) {
        self.kept.iter_mut().for_each(|kept| kept.point.clear());
    }

    /// K·p.
    pub(in crate::contact) fn of(&mut self, rows: &BodyRows, p: &[f64]) -> &[f64] {
        if !self.kept[self.latest].is_of(p) {
            self.latest = 1 - self.latest;
            let kept = &mut self.kept[self.latest];
            if !kept.is_of(p) {
                kept.point.clear();
                kept.point.extend_from_slice(p);
                kept.product.resize(p.len(), 0.0);
                rows.gather(p, &mut self.bodies);
                rows.project(&self.bodies, &mut kept.product);
            }
        }
        &self.kept[self.latest].product
    }
}

impl Kept {
    /// Whether this is the product of a point, to the sign of its zeros.
    fn is_of(&self, p: &[f64]) -> bool {
        self.point.len() == p.len() && self.point.iter().zip(p).all(|(a, b)| a.to_bits() == b.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::linear::body_rows::SideRows;
    use crate::math::Mat3;

    /// One row triple between two bodies, the first of which has some inverse mass.
    fn rows(inverse_mass: f64) -> BodyRows {
        let side = |body: usize, sign: f64| SideRows { body, push: Mat3::identity() * sign, turn: Mat3::zeros() };
        let bodies = [(inverse_mass, Mat3::zeros()), (1.0, Mat3::zeros())];
        BodyRows::new(&bodies, std::iter::once([side(0, 1.0), side(1, -1.0)]))
    }

    #[test]
    fn products_are_of_the_point_and_the_response_asked_for() {
        let mut products = Products::default();
        let points = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 4.0]];
        for inverse_mass in [1.0, 3.0] {
            products.forget();
            // Any order of asking, at hand or not.
            for k in [0, 1, 0, 2, 2, 1, 0] {
                let expected: Vec<f64> = points[k].iter().map(|p| (inverse_mass + 1.0) * p).collect();
                let found = products.of(&rows(inverse_mass), &points[k]);
                assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?} {expected:?}");
            }
        }
    }
}
