//! Which elements of another body an egg touches: one, but at the borders of elements.

use super::separation::EggPair;
use crate::geometry::axis::Separation;
use crate::geometry::feature::{Element, Feature, Side};
use crate::geometry::found::Found;
use crate::geometry::settings::{EGG_FRONT, OWN_AXIS};

impl Found<'_> {
    /// An egg on a half-space.
    pub(in crate::geometry) fn egg_on_plane(&mut self) {
        self.add(Feature::Round { first: Element::Egg(0), second: Element::Plane });
    }

    /// Two convex bodies, one of them an egg.
    pub(in crate::geometry) fn egg_elements(&mut self, separation: &Separation) -> Option<()> {
        let pair = self.pair;
        let egg = EggPair::new(pair)?;
        let owner = if pair.convex(Side::First)?.core.is_egg() { Side::First } else { Side::Second };
        let sign = owner.other().outward_sign();
        egg.each_in_front(&(separation.normal * sign), EGG_FRONT, &mut |element| {
            let feature = egg.feature(element);
            if let Some(contact) = pair.contact(&feature)
                && contact.gap <= self.tolerance
                && egg.along(&(contact.normal * sign)) >= separation.gap - OWN_AXIS
                && egg.holds(element, &contact)
            {
                self.add(feature);
            }
        });
        Some(())
    }
}
