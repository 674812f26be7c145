//! What stands in the 3D picture: bodies at the playhead, paths, marks, the ground.

use eframe::egui::Color32;
use nalgebra::Unit;

use super::gpu::SHADOW_SIDE;
use super::gpu::frame::{self, Drawn, Frame, Segment, dot, instance, segment};
use crate::dynamics::BodyState;
use crate::editor::drag::grip;
use crate::editor::drag::held::Held;
use crate::editor::drag::nail_mark::{HeldNailMark, nail_marks};
use crate::editor::drag::pulling::Drag;
use crate::editor::eye::view::View;
use crate::editor::look::theme::{self, PATH_WIDTH, POINT_PATH_WIDTH, Palette};
use crate::editor::work::motion::{Motion, Path};
use crate::geometry::Shape;
use crate::math::Vec3;
use crate::math::elementary::{log10, powf};
use crate::model::BodyId;
use crate::picture::{Form, Tone};
use crate::session::Quantity;
use crate::simulation::EventKind;

/// How much of a path shows through what hides it.
const HIDDEN: f32 = 0.28;
/// And of a joint's point, which often lies within its bodies.
const HIDDEN_POINT: f32 = 0.6;
/// How wide a particle is at least, points.
const PARTICLE: f32 = 13.0;
/// Most ghosts and marks of one kind, so that a rattle does not fill the picture.
const MOST_MARKS: usize = 600;
const MOST_GHOSTS: usize = 24;
/// Seconds between the beads on the selected path.
const BEADS: f64 = 0.1;

/// Everything one picture needs to know.
pub struct Stage<'a> {
    /// The motion.
    pub motion: &'a Motion,
    /// How it is looked at.
    pub view: &'a View,
    /// Dark or light.
    pub dark: bool,
    /// The drag under way.
    pub drag: Option<&'a Drag>,
    /// The nail in the hand.
    pub nail_mark: Option<&'a HeldNailMark>,
}

impl Stage<'_> {
    /// The picture, `size` pixels large with `scale` pixels to a point.
    pub fn frame(&self, size: [u32; 2], scale: f32) -> Frame {
        let palette = theme::palette(self.dark);
        let mut segments = Vec::new();
        self.add_paths(&mut segments);
        if self.view.layers.impacts {
            self.add_marks(&mut segments, palette);
        }
        let mut ghosts = if self.view.layers.ghosts { self.ghosts() } else { Vec::new() };
        self.add_machine(&mut segments);
        self.add_particles(&mut segments);
        self.add_nails(&mut segments, palette);
        self.add_arrows(&mut segments, palette);
        if let Some(drag) = self.drag {
            self.add_before(&mut segments, &drag.before, palette);
            self.add_wish(&mut segments, &mut ghosts, &drag.held, palette);
        }
        let (center, radius) = self.motion.ball;
        let shadow_ball = (center, radius * 1.3 + 0.05);
        Frame {
            meshes: self.motion.meshes.clone(),
            solid: self.bodies(),
            ghosts,
            grounds: self.grounds(palette),
            segments,
            uniforms: frame::uniforms(&self.view.camera, size, scale, shadow_ball, palette.sky, SHADOW_SIDE),
            size,
        }
    }

    fn color(&self, body: BodyId) -> Color32 {
        let fixed = self.motion.model.bodies()[body.index()].drive.never_moves();
        theme::body_color(self.dark, fixed, self.motion.order(body), self.motion.name(body))
    }

    fn line_color(&self, body: BodyId) -> Color32 {
        let fixed = self.motion.model.bodies()[body.index()].drive.never_moves();
        theme::line_color(self.dark, fixed, self.motion.order(body), self.motion.name(body))
    }

    fn scale(&self, body: BodyId) -> f64 {
        self.motion.trajectory.world().bodies[body.index()].scale
    }

    fn bodies(&self) -> Vec<Drawn> {
        let drawn = |body: BodyId| {
            let state = self.motion.body_at(body, self.view.playhead);
            let hovered = self.view.hover.is_some_and(|pick| pick.body == body);
            let highlight = if self.view.selection == Some(body) { 1.0 } else { 0.5 * f32::from(u8::from(hovered)) };
            Drawn { body: body.index(), instance: instance(&state, self.scale(body), self.color(body), highlight) }
        };
        self.motion.bodies().map(drawn).collect()
    }

    /// Moving bodies at their impacts.
    fn ghosts(&self) -> Vec<Drawn> {
        let mut ghosts = Vec::new();
        let impacts = self.motion.marks.iter().filter(|mark| mark.kind == EventKind::Impact);
        for mark in impacts.take(MOST_GHOSTS) {
            for body in
                mark.bodies.into_iter().filter(|body| !self.motion.model.bodies()[body.index()].drive.never_moves())
            {
                if self.view.selection.is_some_and(|selected| selected != body) {
                    continue;
                }
                let state = self.motion.body_at(body, mark.t);
                let color = self.color(body).gamma_multiply(0.4);
                ghosts.push(Drawn { body: body.index(), instance: instance(&state, self.scale(body), color, 0.0) });
            }
        }
        ghosts
    }

    fn add_paths(&self, segments: &mut Vec<Segment>) {
        let layers = self.view.layers;
        for (path, body) in self.motion.paths.iter().zip(self.motion.bodies()) {
            if path.times.len() < 2 {
                continue;
            }
            let selected = self.view.selection == Some(body);
            let faded = self.view.selection.is_some() && !selected;
            let color = self.line_color(body).gamma_multiply(if faded { 0.5 } else { 1.0 });
            if layers.point_paths {
                let point = tracked_point(self.motion, body);
                let line = |k: usize| path.point(k, point);
                add_line(segments, path, line, POINT_PATH_WIDTH, color.gamma_multiply(0.45));
            }
            if layers.paths {
                let width = if selected { PATH_WIDTH * 1.5 } else { PATH_WIDTH };
                add_line(segments, path, |k| path.states[k].position, width, color);
            }
            if layers.paths && selected {
                self.add_beads(segments, body, color);
            }
        }
    }

    /// Beads at equal times show how fast it goes.
    fn add_beads(&self, segments: &mut Vec<Segment>, body: BodyId, color: Color32) {
        let end = self.motion.t_end();
        let count = (end / BEADS).floor().min(400.0) as usize;
        for k in 0..=count {
            let place = self.motion.body_at(body, k as f64 * BEADS).position;
            segments.push(dot(place, 6.0, color, HIDDEN));
        }
    }

    fn add_marks(&self, segments: &mut Vec<Segment>, palette: &Palette) {
        let impacts = self.motion.marks.iter().filter(|mark| mark.kind == EventKind::Impact);
        for mark in impacts.take(MOST_MARKS) {
            let Some(place) = mark.place else { continue };
            let faded = self.view.selection.is_some_and(|body| !mark.bodies.contains(&body));
            let color = palette.impact.gamma_multiply(if faded { 0.45 } else { 1.0 });
            segments.push(dot(place, 9.0, palette.label_back.gamma_multiply(0.7), HIDDEN));
            segments.push(dot(place, 6.0, color, HIDDEN));
        }
    }

    /// Joints and forces at the playhead.
    fn add_machine(&self, segments: &mut Vec<Segment>) {
        for mark in self.motion.machine_at(self.view.playhead) {
            let color = theme::machine_color(self.dark, mark.tone);
            match &mark.form {
                Form::Line { points, width } => segments
                    .extend(points.windows(2).map(|pair| segment(pair[0], pair[1], PATH_WIDTH * width, color, HIDDEN))),
                Form::Dot(place) if mark.tone == Tone::Anchor => segments.push(dot(*place, 7.0, color, HIDDEN_POINT)),
                Form::Dot(place) => segments.push(dot(*place, 5.0, color, HIDDEN_POINT)),
                Form::Ring(place) => {
                    let back = theme::palette(self.dark).label_back;
                    segments.push(dot(*place, 12.0, color, HIDDEN_POINT));
                    segments.push(dot(*place, 8.0, back, HIDDEN_POINT));
                }
            }
        }
    }

    /// Particles at the playhead: from afar nothing else is seen of a point, and joints end in it.
    fn add_particles(&self, segments: &mut Vec<Segment>) {
        for body in self.motion.bodies() {
            let shape: &Shape = &self.motion.model.bodies()[body.index()].shape;
            if matches!(shape, Shape::Particle) {
                let place = self.motion.body_at(body, self.view.playhead).position;
                segments.push(dot(place, PARTICLE, self.color(body), HIDDEN_POINT));
            }
        }
    }

    /// The motion before the drag, where it differs.
    fn add_before(&self, segments: &mut Vec<Segment>, before: &Motion, palette: &Palette) {
        for (path, now) in before.paths.iter().zip(&self.motion.paths) {
            if path.times.len() < 2 || path.times == now.times && path.states == now.states {
                continue;
            }
            let color = palette.before.gamma_multiply(0.7);
            add_line(segments, path, |k| path.states[k].position, POINT_PATH_WIDTH, color);
        }
    }

    /// The wish as a ghost, a band from the motion to it, and a line down to show its depth.
    fn add_wish(&self, segments: &mut Vec<Segment>, ghosts: &mut Vec<Drawn>, held: &Held, palette: &Palette) {
        let state = self.motion.body_at(held.body, held.t);
        match held.what {
            Quantity::Position => {
                let actual = state.position + state.rotation * held.point;
                let wished = BodyState { position: state.position + (held.place - actual), ..state };
                let color = palette.wish.gamma_multiply(0.55);
                let drawn = instance(&wished, self.scale(held.body), color, 0.0);
                ghosts.push(Drawn { body: held.body.index(), instance: drawn });
                segments.push(segment(actual, held.place, 2.5, palette.wish, 0.8));
                segments.push(dot(held.place, 8.0, palette.wish, 0.8));
                let floor = self.floor_below(held.place);
                segments.push(segment(held.place, floor, 1.0, palette.wish.gamma_multiply(0.6), 0.5));
                segments.push(dot(floor, 7.0, palette.wish.gamma_multiply(0.6), 0.5));
            }
            Quantity::Rotation => {
                let turned = crate::math::rotation::exp(held.target);
                let wished = BodyState { rotation: turned, ..state };
                let color = palette.wish.gamma_multiply(0.55);
                let drawn = instance(&wished, self.scale(held.body), color, 0.0);
                ghosts.push(Drawn { body: held.body.index(), instance: drawn });
            }
            Quantity::Velocity | Quantity::Spin => {
                segments.push(segment(state.position, held.place, 2.5, palette.wish, 0.8));
                segments.push(dot(held.place, 9.0, palette.wish, 0.8));
            }
        }
    }

    /// The place straight below on the highest half-space, or at height zero.
    fn floor_below(&self, place: Vec3) -> Vec3 {
        let world = self.motion.trajectory.world();
        let heights = world.bodies.iter().filter_map(|body| match &*body.shape {
            Shape::HalfSpace { normal } => {
                let normal = body.initial.rotation * normal;
                let offset = (body.initial.position - place).dot(&normal) / normal.y;
                (normal.y.abs() > 1e-3).then_some(place.y + offset)
            }
            _ => None,
        });
        let highest = heights.filter(|height| *height <= place.y).max_by(f64::total_cmp);
        Vec3::new(place.x, highest.unwrap_or(0.0), place.z)
    }

    /// Nail marks where nails wish a place, with a leader to where the body is.
    fn add_nails(&self, segments: &mut Vec<Segment>, palette: &Palette) {
        for mut nail_mark in nail_marks(self.motion) {
            let held = self.nail_mark.filter(|held| held.index == nail_mark.index);
            nail_mark.place = held.map_or(nail_mark.place, |held| held.place);
            let color = match held {
                Some(_) => palette.wish,
                None if nail_mark.met => palette.nail,
                None => palette.wrong,
            };
            let color = color.gamma_multiply(if nail_mark.enabled { 1.0 } else { 0.4 });
            let head = nail_mark.head(self.view);
            segments.push(segment(nail_mark.place, head, 2.0, color, 0.5));
            segments.push(dot(head, 11.0, color, 0.5));
            segments.push(dot(nail_mark.place, 5.0, color, 0.5));
            segments.push(segment(nail_mark.place, nail_mark.actual, 1.5, color, 0.4));
        }
    }

    /// Velocity and spin of the selection.
    fn add_arrows(&self, segments: &mut Vec<Segment>, palette: &Palette) {
        for grip in grip::arrows(self.motion, self.view) {
            let center = self.motion.body_at(grip.body, self.view.playhead).position;
            let color = if grip.what == Quantity::Velocity { palette.accent } else { palette.spin };
            if (grip.place - center).norm() > 1e-6 {
                segments.push(segment(center, grip.place, 3.0, color, 0.5));
                segments.push(dot(grip.place, 10.0, color, 0.5));
            }
        }
    }

    fn grounds(&self, palette: &Palette) -> Vec<frame::Ground> {
        let (center, radius) = self.motion.ball;
        let reach = 4.0 * radius + 1.5 * self.view.camera.distance;
        let cell = cell_size(radius);
        let world = self.motion.trajectory.world();
        let mut grounds = Vec::new();
        for body in self.motion.bodies() {
            let Shape::HalfSpace { normal } = &*world.bodies[body.index()].shape else { continue };
            let state = world.bodies[body.index()].initial;
            let normal = Unit::new_normalize(state.rotation * normal).into_inner();
            // Below the middle of what is seen, on a whole cell, so that its lines stay where they are.
            let offset = center - state.position;
            let below = offset - normal * normal.dot(&offset);
            let origin = state.position + below.map(|entry| (entry / (5.0 * cell)).round() * 5.0 * cell);
            let origin = origin - normal * normal.dot(&(origin - state.position));
            grounds.push(frame::ground(origin, normal, cell, reach, palette.ground, palette.grid));
        }
        if grounds.is_empty() {
            let origin = Vec3::zeros();
            grounds.push(frame::ground(
                origin,
                Vec3::y(),
                cell,
                reach,
                Color32::TRANSPARENT,
                palette.grid.gamma_multiply(0.5),
            ));
        }
        grounds
    }
}

/// Side of a grid cell for a scene of this size: 1, 2 or 5 times a power of ten, m.
fn cell_size(radius: f64) -> f64 {
    let wish = radius / 6.0;
    let power = powf(10_f64, log10(wish).floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= wish).unwrap_or(wish)
}

/// The point whose path is shown beside the centre's: the farthest vertex of the body.
pub fn tracked_point(motion: &Motion, body: BodyId) -> Vec3 {
    let Some(range) = motion.meshes.ranges.get(body.index()) else { return Vec3::zeros() };
    let indices = &motion.meshes.indices[range.start as usize..range.end as usize];
    let vertex = |index: &u32| {
        let [x, y, z, ..] = motion.meshes.vertices[*index as usize];
        Vec3::new(f64::from(x), f64::from(y), f64::from(z))
    };
    let farthest = indices.iter().map(vertex).max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    farthest.unwrap_or_default() * motion.trajectory.world().bodies[body.index()].scale
}

fn add_line(segments: &mut Vec<Segment>, path: &Path, place: impl Fn(usize) -> Vec3, width: f32, color: Color32) {
    let mut before = place(0);
    for k in 1..path.times.len() {
        let here = place(k);
        if here != before {
            segments.push(segment(before, here, width, color, HIDDEN));
        }
        before = here;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_cells_are_round_and_fit_the_scene() {
        for radius in [0.05, 0.7, 1.0, 3.0, 250.0] {
            let cell = cell_size(radius);
            assert!(radius / cell <= 6.0 + 1e-9 && radius / cell > 2.0, "{radius}: {cell}");
        }
        assert_eq!(cell_size(3.0), 0.5);
    }
}
