//! Nails in the picture: where their marks stand, which one is under the pointer, and one that is dragged.

use eframe::egui::{Modifiers, Pos2, Rect};

use super::aim::{Rail, aim};
use crate::editor::eye::view::View;
use crate::editor::work::motion::Motion;
use crate::math::Vec3;
use crate::scene::{Components, Inside, Nail, Region};

/// How near the pointer must be to a nail mark's head or foot, points.
const NEAR: f32 = 9.0;
/// Length of a nail mark, as a part of the eye's distance.
const LENGTH: f64 = 0.03;

/// A nail's place in the picture.
#[derive(Clone, Debug)]
pub struct NailMark {
    /// Its place among the nails.
    pub index: usize,
    /// Where it wishes the body, m; components that are open follow the body.
    pub place: Vec3,
    /// Where the body, or its point, is then, m.
    pub actual: Vec3,
    /// Whether it holds.
    pub met: bool,
    /// Whether it counts.
    pub enabled: bool,
    /// Whether it can be dragged to another place.
    pub movable: bool,
}

/// The nails that wish a place, or to be inside something: those stand in its middle.
pub fn nail_marks(motion: &Motion) -> Vec<NailMark> {
    let mut nail_marks = Vec::new();
    for (index, (nail, report)) in motion.nails.iter().zip(&motion.nail_reports).enumerate() {
        let body = nail.body.as_deref().and_then(|name| motion.model.body(name));
        let (Some(body), Some(t)) = (body, report.t) else { continue };
        let state = motion.body_at(body, t);
        let actual = state.position + state.rotation * Vec3::from(nail.point.unwrap_or_default());
        let place = match (nail.position, &nail.inside) {
            (Some(Components(wish)), _) => Vec3::from_fn(|k, _| wish[k].unwrap_or(actual[k])),
            (None, Some(inside)) => match middle(motion, inside, t) {
                Some(place) => place,
                None => continue,
            },
            (None, None) => continue,
        };
        let movable = nail.position.is_some();
        nail_marks.push(NailMark { index, place, actual, met: report.is_met(), enabled: nail.enabled, movable });
    }
    nail_marks
}

/// The middle of a region at a time.
fn middle(motion: &Motion, inside: &Inside, t: f64) -> Option<Vec3> {
    let center = |region: &Region| match *region {
        Region::Box { center, .. } | Region::Cylinder { center, .. } | Region::Ball { center, .. } => {
            Vec3::from(center)
        }
    };
    match inside {
        Inside::World(region) => Some(center(region)),
        Inside::Body { body } => {
            let body = motion.model.body(body)?;
            let state = motion.body_at(body, t);
            let region = motion.model.bodies()[body.index()].region.as_ref()?;
            Some(state.position + state.rotation * center(region))
        }
    }
}

/// A nail mark in the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldNailMark {
    /// Its place among the nails.
    pub index: usize,
    /// Where it is wished, m.
    pub place: Vec3,
    grabbed: Vec3,
    origin: Pos2,
}

impl NailMark {
    /// The upper end of the needle, m.
    pub fn head(&self, view: &View) -> Vec3 {
        self.place + Vec3::y() * (LENGTH * view.camera.distance)
    }
}

/// The nail mark under a point of the screen.
pub fn nail_mark_at(motion: &Motion, view: &View, rect: Rect, pos: Pos2) -> Option<HeldNailMark> {
    let distance = |nail_mark: &NailMark| {
        let ends = [nail_mark.head(view), nail_mark.place].map(|end| view.camera.project(rect, end));
        let near = ends.into_iter().flatten().map(|end| (end - pos).length());
        near.min_by(f32::total_cmp).filter(|distance| *distance < NEAR)
    };
    let movable = nail_marks(motion).into_iter().filter(|nail_mark| nail_mark.movable);
    let near = movable.filter_map(|nail_mark| Some((distance(&nail_mark)?, nail_mark)));
    let (_, nail_mark) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(HeldNailMark { index: nail_mark.index, place: nail_mark.place, grabbed: nail_mark.place, origin: pos })
}

impl HeldNailMark {
    /// Puts it where the pointer says.
    pub fn follow(&mut self, pos: Pos2, rail: Rail, modifiers: Modifiers, view: &View, rect: Rect) {
        let rail = if modifiers.shift && rail == Rail::Free { Rail::Depth } else { rail };
        self.place = aim(&view.camera, rect, self.grabbed, self.origin, pos, rail);
    }
}

/// The nail with its wish at another place; components that were open stay so.
pub fn moved_nail(nail: &Nail, place: Vec3) -> Option<Nail> {
    let Components(wish) = nail.position?;
    let position = Some(Components([0, 1, 2].map(|k| wish[k].map(|_| place[k]))));
    Some(Nail { position, ..nail.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_components_of_a_moved_nail_stay_open() {
        let nail = Nail { position: Some(Components([Some(1.0), None, Some(3.0)])), ..Nail::default() };
        let moved = moved_nail(&nail, Vec3::new(4.0, 5.0, 6.0)).expect("a place");
        assert_eq!(moved.position, Some(Components([Some(4.0), None, Some(6.0)])));
        assert_eq!(moved_nail(&Nail::default(), Vec3::zeros()), None);
    }
}
