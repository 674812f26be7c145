//! A motion set up for pictures: what is drawn, in which colours, from where.
//!
//! | drawn | as |
//! |---|---|
//! | end, or one instant | solid |
//! | start | strong glass with edges |
//! | impacts, moments between | glass, the paler the earlier |
//! | centre of mass | line, stronger with time |
//! | a surface point | thin line |
//! | impacts | rings in the plane of contact, as wide as the blow |
//! | joints and forces | marks: those of the end, thinner those of the start |
//! | nails | marks |
//!
//! Everything that does not change from frame to frame is made once.

use std::sync::Arc;

use super::camera::{Camera, Margins};
use super::caption::Caption;
use super::colour::{Colour, body_colours, linear, outline};
use super::draw::Canvas;
use super::error::PictureError;
use super::frame::{Frame, Sight, around};
use super::image::Image;
use super::machine_marks::{MachineMarks, Weight};
use super::shade::up_of;
use super::stage::{Instance, Mesh, Plane, Stage};
use super::stroke::Pen;
use super::track::{Density, Ghost, Track, ghosts, telling_point};
use super::view::{LARGEST, SMALLEST, View};
use crate::dynamics::BodyState;
use crate::geometry::{Shape, Surface};
use crate::math::Vec3;
use crate::model::BodyId;
use crate::simulation::Trajectory;

/// Poses of all bodies together between start and end, at most.
const MOST_GHOSTS: usize = 90;
/// The size of a particle, as a part of the motion's radius.
const PARTICLE: f64 = 0.018;
/// A fixed body is whole in the picture unless that makes what is to be seen larger by this factor.
const WHOLE: f64 = 2.2;
/// A larger one is in the picture up to this part of the motion's radius around it.
const NEARBY: f64 = 0.35;
/// Points of poses between those drawn, about: enough for the swing of a body, few enough to place quickly.
const MOST_POINTS: usize = 12_000;
/// Free borders of a picture, as parts of its sides.
const SIDE: f64 = 0.05;
const TOP: f64 = 0.06;
const BOTTOM: f64 = 0.065;

/// One body, ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub mesh: u32,
    pub colour: Colour,
    /// How large it looks, m.
    pub size: f64,
    pub track: Track,
    pub ghosts: Vec<Ghost>,
    /// The body point whose path is drawn.
    pub point: Option<Vec3>,
    /// The motion it is compared with.
    pub before: Option<Track>,
}

/// A motion ready for pictures of the whole and of instants, all from one camera.
pub struct Studio<'a> {
    pub(super) trajectory: &'a Trajectory,
    pub(super) view: &'a View,
    pub(super) camera: Camera,
    pub(super) up: Vec3,
    stage: Stage,
    actors: Vec<Actor>,
    legend: Vec<(Arc<str>, Colour)>,
    caption: Option<Caption>,
    /// When the last body comes to where it ends, s: early and late are measured by it.
    busy: f64,
}

impl<'a> Studio<'a> {
    /// Sets a motion up. The camera sees all of it.
    pub fn new(trajectory: &'a Trajectory, view: &'a View) -> Result<Studio<'a>, PictureError> {
        Studio::comparing(trajectory, None, view)
    }

    /// Sets a motion up beside an earlier one of the same bodies, which is drawn dashed. The camera sees both.
    pub fn comparing(
        trajectory: &'a Trajectory,
        before: Option<&Trajectory>,
        view: &'a View,
    ) -> Result<Studio<'a>, PictureError> {
        let sides = [view.width, view.height];
        if sides.iter().any(|side| !(SMALLEST..=LARGEST).contains(side)) {
            let (width, height) = (view.width, view.height);
            return Err(PictureError::Size { width, height, least: SMALLEST, most: LARGEST });
        }
        let up = up_of(&trajectory.world().gravity);
        let camera = Camera::look_at(Vec3::z(), Vec3::zeros(), up);
        let ink = linear(view.theme.scheme().text);
        let stage = Stage { ink, ..Stage::default() };
        let mut studio = Studio {
            trajectory,
            view,
            camera,
            up,
            stage,
            actors: Vec::new(),
            legend: Vec::new(),
            caption: None,
            busy: 0.0,
        };
        studio.measure();
        if let Some(before) = before.filter(|before| before.world().bodies.len() == trajectory.world().bodies.len()) {
            let track = |actor: &Actor| Some(Track::new(before, actor.track.body));
            studio.actors.iter_mut().for_each(|actor| actor.before = track(actor));
        }
        studio.cast_bodies();
        if view.caption {
            studio.caption = Some(Caption::new(view, &studio.legend, trajectory.t_end));
        }
        studio.aim();
        Ok(studio)
    }

    /// The camera of all its pictures.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The whole motion in one picture.
    pub fn whole(&self) -> Image {
        let mut stage = self.stage.clone();
        for actor in &self.actors {
            self.show_whole(&mut stage, actor);
            self.show_paths(&mut stage, actor, f64::INFINITY);
            self.show_end(&mut stage, actor);
            self.show_before(&mut stage, actor);
        }
        self.show_marks(&mut stage, f64::INFINITY);
        self.show_machine(&mut stage, 0.0, Weight::START);
        self.show_machine(&mut stage, self.trajectory.t_end, Weight::FULL);
        self.finish(stage, None)
    }

    /// One instant: bodies at t, the path so far strong and the rest pale.
    pub fn at(&self, t: f64) -> Image {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, self.trajectory.t_end) };
        let mut stage = self.stage.clone();
        for actor in &self.actors {
            let pose = self.trajectory.body_at(actor.track.body, t).pose();
            let edges = outline(actor.colour, self.view.theme);
            stage.instances.push(Instance { edges, ..stage.instance(actor.mesh, &pose, actor.colour) });
            self.show_paths(&mut stage, actor, t);
        }
        self.show_marks(&mut stage, t);
        self.show_machine(&mut stage, t, Weight::FULL);
        self.finish(stage, Some(t))
    }

    /// The middle and radius of the motion, which everything else is measured by.
    fn measure(&mut self) {
        let world = self.trajectory.world();
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let mut include = |state: &BodyState, reach: f64| {
            low = low.inf(&state.position.add_scalar(-reach));
            high = high.sup(&state.position.add_scalar(reach));
        };
        let moving = world.bodies.iter().filter(|body| !body.drive.never_moves());
        let colours = body_colours(moving.map(|body| &*body.name));
        let ids = (0..world.bodies.len() as u32).map(BodyId);
        for id in ids {
            let body = &world.bodies[id.index()];
            if body.drive.never_moves() {
                continue;
            }
            let track = Track::new(self.trajectory, id);
            let reach = body.solid.reach();
            track.samples.iter().for_each(|(_, state)| include(state, reach));
            self.actors.push(Actor {
                mesh: 0,
                colour: colours[self.actors.len()],
                size: reach,
                point: None,
                ghosts: Vec::new(),
                before: None,
                track,
            });
        }
        // Without a motion the fixed bodies are what there is to see.
        if self.actors.is_empty() {
            for body in world.bodies.iter().filter(|body| body.solid.reach().is_finite()) {
                include(&body.initial, body.solid.reach());
            }
        }
        for place in MachineMarks::new(self.trajectory, 0.0).places() {
            (low, high) = (low.inf(&place), high.sup(&place));
        }
        if !(high - low).iter().all(|side| side.is_finite() && *side >= 0.0) {
            (low, high) = (Vec3::repeat(-1.0), Vec3::repeat(1.0));
        }
        self.stage.origin = (low + high) / 2.0;
        self.stage.radius = ((high - low).norm() / 2.0).clamp(1e-6, 1e12) as f32;
    }

    /// 0 at the start, 1 when all is over.
    pub(super) fn late(&self, t: f64) -> f32 {
        (t / self.busy.max(1e-12)).clamp(0.0, 1.0) as f32
    }

    pub(super) fn radius(&self) -> f64 {
        f64::from(self.stage.radius)
    }

    /// Meshes of all bodies; fixed ones and floors are placed for good.
    fn cast_bodies(&mut self) {
        let world = self.trajectory.world();
        let mut moving = 0;
        for body in &world.bodies {
            if let Shape::HalfSpace { normal } = &*body.shape {
                let normal = body.initial.rotation * normal.normalize();
                let point = self.stage.point(&body.initial.position);
                self.stage.planes.push(Plane { point, normal: normal.cast(), grid: true });
                continue;
            }
            let Some(mesh) = self.mesh_of(&body.shape, body.scale) else { continue };
            let index = self.stage.meshes.len() as u32;
            if body.drive.never_moves() {
                let colour = linear(self.view.theme.scheme().fixed);
                let instance = self.stage.instance(index, &body.initial.pose(), colour);
                self.stage.instances.push(Instance { edges: 0.25, ..instance });
            } else {
                let point = telling_point(mesh.positions.iter().map(|point| point.cast()), &body.initial);
                let actor = &mut self.actors[moving];
                actor.mesh = index;
                actor.size = f64::from(mesh.reach);
                actor.point = point.filter(|_| !matches!(*body.shape, Shape::Particle));
                self.legend.push((body.name.clone(), actor.colour));
                moving += 1;
            }
            self.stage.meshes.push(mesh);
        }
        self.choose_ghosts();
        self.busy = self.actors.iter().map(|actor| actor.track.moving_time()).fold(0.0, f64::max);
    }

    fn mesh_of(&self, shape: &Shape, scale: f64) -> Option<Mesh> {
        let octants = matches!(shape, Shape::Ball { .. });
        match shape {
            Shape::Particle => {
                let ball = Shape::Ball { radius: PARTICLE * self.radius() };
                Some(Mesh::new(&Surface::with_segments(&ball, 32)?, 1.0, false))
            }
            _ => Some(Mesh::new(&Surface::new(shape)?, scale, octants)),
        }
    }

    /// Few bodies have room for many poses, many bodies for few.
    fn choose_ghosts(&mut self) {
        let each = (MOST_GHOSTS / self.actors.len().max(1)).min(24);
        let density = Density { most_events: each.min(12), most_moments: each, apart: 2.3 };
        for actor in &mut self.actors {
            let size = actor.size.max(0.03 * f64::from(self.stage.radius));
            actor.ghosts = ghosts(self.trajectory, &actor.track, size, density);
        }
    }

    /// Chooses the camera, and a ground to catch shadows where the scene has none.
    fn aim(&mut self) {
        let mut sight = Sight { up: self.up, ..Sight::default() };
        self.see_bodies(&mut sight);
        let has_floor = self.stage.planes.iter().any(|plane| plane.normal.cast().dot(&self.up) > 0.3);
        if !has_floor {
            let lowest = sight.points.iter().map(|point| self.up.dot(point)).fold(f64::INFINITY, f64::min);
            if lowest.is_finite() {
                let point = self.stage.origin + self.up * (lowest - self.up.dot(&self.stage.origin));
                let point = self.stage.point(&point);
                self.stage.planes.push(Plane { point, normal: self.up.cast(), grid: false });
            }
        }
        let floors = self.stage.planes.iter().filter(|plane| plane.grid);
        let floor = |plane: &Plane| (plane.normal.cast(), self.stage.origin + plane.point.cast());
        sight.floors = floors.map(floor).collect();
        let caption = self.caption.as_ref();
        let frame = Frame {
            aspect: f64::from(self.view.width) / f64::from(self.view.height),
            margins: Margins { side: SIDE, top: TOP, bottom: BOTTOM },
            clear: caption.map_or(BOTTOM, |caption| caption.share() + 0.02),
            words: caption.map_or_else(Vec::new, Caption::words),
        };
        self.camera = self.view.aim.camera(&sight, &frame);
    }

    /// The points a picture must show.
    fn see_bodies(&self, sight: &mut Sight) {
        for actor in &self.actors {
            let samples = &actor.track.samples;
            let mesh = &self.stage.meshes[actor.mesh as usize];
            let ends = actor.track.first().into_iter().chain(actor.track.last()).copied();
            for state in ends.chain(actor.ghosts.iter().map(|ghost| ghost.state)) {
                let pose = state.pose();
                sight.points.extend(mesh.outline.iter().map(|point| pose.point(point)));
                sight.motion.push(state.position);
            }
            // What turns between the poses that are drawn must be in the picture at any instant.
            let poses = MOST_POINTS / (self.actors.len() * mesh.outline.len()).max(1);
            for (_, state) in samples.iter().step_by((samples.len() / poses.clamp(4, 60)).max(1)) {
                let pose = state.pose();
                sight.points.extend(mesh.outline.iter().map(|point| pose.point(point)));
            }
            let stride = (samples.len() / 300).max(1);
            for (_, state) in samples.iter().step_by(stride) {
                sight.points.push(state.position);
                sight.motion.push(state.position);
            }
            let before = actor.before.iter().flat_map(|before| &before.samples);
            sight.former.extend(before.step_by(stride).map(|(_, state)| state.position));
            if let (Some(first), Some(last)) = (actor.track.first(), actor.track.last()) {
                sight.progress += last.position - first.position;
            }
        }
        sight.points.extend(
            self.view.nail_marks.iter().flat_map(|nail_mark| [nail_mark.position, self.nail_mark_head(nail_mark)]),
        );
        sight.points.extend(MachineMarks::new(self.trajectory, self.mark_size()).places());
        sight.still = self.still();
        self.see_fixed(sight);
    }

    /// Fixed bodies belong to the picture, whole; but a huge one must not shrink the motion.
    fn see_fixed(&self, sight: &mut Sight) {
        let motion = around(&sight.points);
        for instance in &self.stage.instances {
            let outline = &self.stage.meshes[instance.mesh as usize].outline;
            let place = |point: &Vec3| self.stage.origin + instance.place(&point.cast()).cast::<f64>();
            let places: Vec<Vec3> = outline.iter().map(place).collect();
            let (Some((low, high)), Some((least, most))) = (motion, around(&places)) else {
                sight.points.extend(places);
                continue;
            };
            if (high.sup(&most) - low.inf(&least)).norm() <= WHOLE * (high - low).norm() {
                sight.points.extend(places);
            } else {
                let near = Vec3::repeat(NEARBY * self.radius());
                sight.points.extend(places.iter().map(|place| place.sup(&(low - near)).inf(&(high + near))));
            }
        }
    }

    /// The middle of the fixed bodies that are near.
    fn still(&self) -> Option<Vec3> {
        let near = |instance: &&Instance| instance.position.norm() < 2.0 * self.stage.radius;
        let places: Vec<Vec3> = self.stage.instances.iter().filter(near).map(|i| i.position.cast()).collect();
        (!places.is_empty()).then(|| self.stage.origin + places.iter().sum::<Vec3>() / places.len() as f64)
    }

    fn finish(&self, mut stage: Stage, t: Option<f64>) -> Image {
        for nail_mark in &self.view.nail_marks {
            self.show_nail_mark(&mut stage, nail_mark);
        }
        let mut canvas =
            Canvas::new(&stage, &self.camera, self.up.cast(), self.view.theme, self.view.width, self.view.height);
        let mut pen = Pen::new(&canvas);
        for instance in stage.instances.iter().filter(|instance| instance.edges > 0.0) {
            pen.creases(&mut canvas, &stage, instance);
        }
        stage.strokes.iter().for_each(|stroke| pen.stroke(&mut canvas, stroke));
        stage.dots.iter().for_each(|dot| pen.dot(&mut canvas, dot));
        if let Some(caption) = &self.caption {
            caption.write(&mut canvas, self.view.theme, t);
        }
        canvas.finish()
    }
}
