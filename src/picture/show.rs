//! How a motion appears on a stage: poses, paths, impact marks, nail marks.

use super::colour::{Colour, glass_colour, line_colour, linear, mix, outline};
use super::shade::smoothstep;
use super::stage::{Dot, Instance, Mesh, Stage, Stroke, StrokePoint};
use super::studio::{Actor, Studio};
use super::view::NailMark;
use crate::dynamics::BodyState;
use crate::geometry::{Pose, Shape, Surface};
use crate::math::elementary::sin_cos;
use crate::math::{Mat3, Vec3, rotation};
use crate::simulation::{Event, EventKind};

/// Impact marks, at most; the strongest blows have them.
const MOST_MARKS: usize = 120;
/// Blows weaker than this part of the strongest have no mark.
const WEAKEST_MARK: f64 = 0.02;
/// The length of a nail mark, as a part of the motion's radius.
const NAIL_MARK: f64 = 0.11;
const RING_POINTS: u32 = 40;

impl Studio<'_> {
    pub(super) fn show_whole(&self, stage: &mut Stage, actor: &Actor) {
        let (Some(first), Some(last)) = (actor.track.first(), actor.track.last()) else { return };
        let place = |state: &BodyState| stage.instance(actor.mesh, &state.pose(), actor.colour);
        let end = Instance { edges: outline(actor.colour, self.view.theme), ..place(last) };
        let strength = self.view.theme.scheme().glass;
        // Pale glass would vanish on pale ground.
        let glass =
            |state: &BodyState| Instance { colour: glass_colour(actor.colour, self.view.theme), ..place(state) };
        let moved = (first.position - last.position).norm() > 0.02 * actor.size
            || rotation::angle_between(&first.rotation, &last.rotation) > 0.02
            || actor.track.length > 0.5 * actor.size;
        let mut shown = Vec::new();
        if moved {
            shown.push(Instance { opacity: 0.5 * strength, shadow: 0.0, edges: 0.9, ..glass(first) });
        }
        for ghost in &actor.ghosts {
            let late = self.late(ghost.t);
            let opacity = if ghost.at_event { 0.24 + 0.22 * late } else { 0.13 + 0.13 * late };
            let opacity = opacity * (1.0 + self.smallness(&ghost.state, actor.size));
            shown.push(Instance {
                opacity: opacity * strength,
                shadow: 0.0,
                edges: opacity * 1.5,
                ..glass(&ghost.state)
            });
        }
        shown.push(end);
        stage.instances.append(&mut shown);
    }

    /// 0 for a body that looks large, 1 for one of a few pixels, whose glass would hardly be seen.
    fn smallness(&self, state: &BodyState, size: f64) -> f32 {
        let depth = self.camera.axes().forward.dot(&(state.position - self.camera.eye));
        // Pixels in a picture 1000 pixels high.
        let radius = self.camera.focal(1000.0) * size / depth.max(1e-9);
        1.0 - smoothstep(6.0, 30.0, radius as f32)
    }

    /// Where the head of a nail mark is.
    pub(super) fn nail_mark_head(&self, nail_mark: &NailMark) -> Vec3 {
        nail_mark.position + (self.up + self.camera.axes().right * 0.35).normalize() * (NAIL_MARK * self.radius())
    }

    /// A dot where a body ends unseen, behind or inside another.
    pub(super) fn show_end(&self, stage: &mut Stage, actor: &Actor) {
        let Some(last) = actor.track.last() else { return };
        let toward = (self.camera.eye - last.position).try_normalize(0.0).unwrap_or_default();
        // Just outside of its own body, which shall not hide it.
        let position = stage.point(&(last.position + toward * (1.1 * actor.size)));
        let colour = line_colour(actor.colour, self.view.theme);
        stage.dots.push(Dot { position, colour, radius: 5.0, ring: 0.0, front: 0.0, behind: 0.7 });
    }

    /// The paths of the centre and of a surface point, strong up to t.
    pub(super) fn show_paths(&self, stage: &mut Stage, actor: &Actor, t: f64) {
        if actor.track.length + actor.track.turned * actor.size < 0.02 * actor.size {
            return;
        }
        let colour = line_colour(actor.colour, self.view.theme);
        let opacity = |time: f64, strong: f32| {
            let late = if t.is_finite() { 1.0 } else { 0.72 + 0.28 * self.late(time) };
            if time <= t { strong * late } else { 0.22 * strong }
        };
        let mut line = |point: Vec3, width: f32, strong: f32| {
            let points = actor.track.samples.iter().map(|(time, state)| StrokePoint {
                position: stage.point(&(state.position + state.rotation * point)),
                opacity: opacity(*time, strong),
            });
            let points = points.collect();
            stage.strokes.push(Stroke { points, colour, width, behind: 0.3, dash: 0.0 });
        };
        if let Some(point) = actor.point.filter(|_| actor.track.turned > 0.1 && !actor.track.blurred) {
            line(point, 1.1, 0.55);
        }
        line(Vec3::zeros(), 2.6, 1.0);
    }

    /// Rings where bodies met.
    pub(super) fn show_marks(&self, stage: &mut Stage, until: f64) {
        let colour = linear(self.view.theme.scheme().mark);
        let blow = |event: &Event| event.contacts.iter().map(|contact| contact.impulse.norm()).sum::<f64>();
        let impacts = self.trajectory.events.iter().filter(|event| event.kind == EventKind::Impact);
        let mut impacts: Vec<(f64, &Event)> = impacts.map(|event| (blow(event), event)).collect();
        impacts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let most = impacts.first().map_or(1.0, |(blow, _)| *blow).max(f64::MIN_POSITIVE);
        let strong =
            impacts.iter().take(MOST_MARKS).filter(|(blow, event)| *blow >= WEAKEST_MARK * most && event.t <= until);
        for (blow, event) in strong {
            let count = event.contacts.len().max(1) as f64;
            let point = event.contacts.iter().map(|contact| contact.point).sum::<Vec3>() / count;
            let normal = event.contacts.iter().map(|contact| contact.normal).sum::<Vec3>();
            let Some(normal) = normal.try_normalize(1e-9) else { continue };
            let radius = self.radius() * (0.008 + 0.016 * (blow / most).sqrt());
            let strength = 0.35 + 0.4 * (blow / most).sqrt();
            stage.strokes.push(ring(stage, &point, &normal, radius, colour, strength as f32));
        }
    }

    pub(super) fn show_nail_mark(&self, stage: &mut Stage, nail_mark: &NailMark) {
        let head = self.nail_mark_head(nail_mark);
        let colour = linear(self.view.theme.scheme().nail_mark);
        let needle =
            [nail_mark.position, head].map(|point| StrokePoint { position: stage.point(&point), opacity: 0.95 });
        stage.strokes.push(Stroke { points: needle.to_vec(), colour: stage.ink, width: 2.4, behind: 0.35, dash: 0.0 });
        if let Some(held) = nail_mark.held.filter(|held| (held - nail_mark.position).norm() > 0.01 * self.radius()) {
            let band =
                [nail_mark.position, held].map(|point| StrokePoint { position: stage.point(&point), opacity: 0.9 });
            stage.strokes.push(Stroke { points: band.to_vec(), colour, width: 1.8, behind: 0.4, dash: 7.0 });
        }
        let ball = Shape::Ball { radius: 0.16 * NAIL_MARK * self.radius() };
        if let Some(surface) = Surface::with_segments(&ball, 32) {
            let index = stage.meshes.len() as u32;
            stage.meshes.push(Mesh::new(&surface, 1.0, false));
            let pose = Pose { position: head, turn: Mat3::identity() };
            stage.instances.push(stage.instance(index, &pose, colour));
        }
        stage.dots.push(Dot {
            position: stage.point(&nail_mark.position),
            colour,
            radius: 3.2,
            ring: 0.0,
            front: 1.0,
            behind: 0.4,
        });
    }

    /// An earlier motion: its path dashed, its end as a shade.
    pub(super) fn show_before(&self, stage: &mut Stage, actor: &Actor) {
        let Some((before, last)) = actor.before.as_ref().and_then(|before| Some((before, before.last()?))) else {
            return;
        };
        let quiet = linear(self.view.theme.scheme().quiet_text);
        let colour = mix(line_colour(actor.colour, self.view.theme), quiet, 0.6);
        let points = before
            .samples
            .iter()
            .map(|(_, state)| StrokePoint { position: stage.point(&state.position), opacity: 0.8 });
        let points = points.collect();
        stage.strokes.push(Stroke { points, colour, width: 1.8, behind: 0.3, dash: 9.0 });
        let shade = stage.instance(actor.mesh, &last.pose(), colour);
        stage.instances.push(Instance { opacity: 0.25, shadow: 0.0, edges: 0.5, ..shade });
    }
}

/// A circle in the plane of contact.
fn ring(stage: &Stage, point: &Vec3, normal: &Vec3, radius: f64, colour: Colour, opacity: f32) -> Stroke {
    let other = if normal.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() };
    let first = normal.cross(&other).normalize();
    let second = normal.cross(&first);
    let at = |k: u32| {
        let (sine, cosine) = sin_cos(f64::from(k) / f64::from(RING_POINTS) * std::f64::consts::TAU);
        let position = stage.point(&(point + (first * cosine + second * sine) * radius));
        StrokePoint { position, opacity }
    };
    Stroke { points: (0..=RING_POINTS).map(at).collect(), colour, width: 1.5, behind: 0.3, dash: 0.0 }
}
