//! How joints and forces appear on a stage: their marks in the colours of a theme.

use super::colour::linear;
use super::machine_marks::{Form, MachineMarks, Tone, Weight};
use super::stage::{Dot, Stage, Stroke, StrokePoint};
use super::studio::Studio;
use crate::math::Vec3;

/// The size of a mark, as a part of the motion's radius.
const SIZE: f64 = 0.03;
/// How much of a mark shows through what hides it.
const BEHIND: f32 = 0.3;
/// And of a spring, which often begins inside a body.
const COIL_BEHIND: f32 = 0.12;
/// And of what drives, which goes about an axis within a body.
const DRIVE_BEHIND: f32 = 0.55;
/// And of a point: joints often lie within their bodies.
const POINT_BEHIND: f32 = 0.7;

/// What is around a point in the colour of the paper, pixels in a picture 1000 pixels high, and how strong that is.
const HALO: f32 = 1.6;
/// See [`HALO`].
const HALO_STRENGTH: f32 = 0.75;

impl Studio<'_> {
    /// How large marks are here, m.
    pub(super) fn mark_size(&self) -> f64 {
        SIZE * self.radius()
    }

    pub(super) fn show_machine(&self, stage: &mut Stage, t: f64, weight: Weight) {
        if !self.view.machine_marks {
            return;
        }
        let paper = linear(self.view.theme.scheme().ground);
        for mark in MachineMarks::new(self.trajectory, self.mark_size()).at(t) {
            let colour = mark.tone.colour(self.view.theme);
            let behind = match mark.tone {
                Tone::Coil => COIL_BEHIND,
                Tone::Drive => DRIVE_BEHIND,
                Tone::Steel | Tone::Anchor | Tone::Trouble => BEHIND,
            };
            let mut put = |position: &Vec3, radius: f32, ring: f32| {
                let radius = radius * (0.5 + 0.5 * weight.width);
                let dot = Dot {
                    position: stage.point(position),
                    colour,
                    radius,
                    ring: ring * weight.width,
                    front: weight.opacity,
                    behind: POINT_BEHIND * weight.opacity,
                };
                // Points often lie in bodies as dark as they are.
                let (radius, ring) = if ring > 0.0 { (radius, dot.ring + 2.0 * HALO) } else { (radius + HALO, 0.0) };
                let [front, behind] = [dot.front, dot.behind].map(|strength| HALO_STRENGTH * strength);
                stage.dots.push(Dot { colour: paper, radius, ring, front, behind, ..dot });
                stage.dots.push(dot);
            };
            match &mark.form {
                Form::Line { points, width } => {
                    let point = |point: &Vec3| StrokePoint { position: stage.point(point), opacity: weight.opacity };
                    let points = points.iter().map(point).collect();
                    stage.strokes.push(Stroke { points, colour, width: 2.8 * width * weight.width, behind, dash: 0.0 });
                }
                Form::Dot(place) if mark.tone == Tone::Anchor => put(place, 6.0, 0.0),
                Form::Dot(place) => put(place, 4.0, 0.0),
                Form::Ring(place) => put(place, 9.5, 2.6),
            }
        }
    }
}
