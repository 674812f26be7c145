//! A motion made ready for looking at: paths as points, events as marks, shapes as triangles.
//!
//! Everything here follows from a trajectory and is computed once, by the worker, so that a frame of the window only
//! looks things up. Exact states at any time still come from the trajectory.

use std::sync::Arc;

use super::meshes::Meshes;
use crate::dynamics::BodyState;
use crate::geometry::{Shape, Surface};
use crate::math::Vec3;
use crate::model::{BodyId, ControlVector, Model};
use crate::picture::{self, MachineMarks};
use crate::scene::{Nail, Scene};
use crate::simulation::{EventKind, Spacing, Trajectory, simulate};
use crate::solve::GoalReport;

/// Longest time between two points of a path, s.
const LONGEST: f64 = 1.0 / 60.0;
/// Largest turn between two points of a path, rad.
const LARGEST_TURN: f64 = 0.15;
/// Points of all paths together; beyond that they are spaced wider.
const MOST_POINTS: usize = 240_000;
/// The size of marks of joints and forces, as a part of the radius of all that is seen.
const MARK_SIZE: f64 = 0.035;

/// A motion and what is drawn of it.
#[derive(Debug)]
pub struct Motion {
    /// The scene it is a motion of.
    pub scene: Arc<Scene>,
    /// Its parameters.
    pub model: Arc<Model>,
    /// Their values.
    pub u: ControlVector,
    /// The motion itself; in the middle of a drag as far as its wishes look.
    pub trajectory: Arc<Trajectory>,
    /// What follows then, from the newest motion that was computed to its end.
    later: Option<Arc<Trajectory>>,
    /// One for each body; empty for fixed ones.
    pub paths: Vec<Path>,
    /// What happened, in order of time.
    pub marks: Vec<Mark>,
    /// Triangles of all bodies.
    pub meshes: Arc<Meshes>,
    /// Center and radius of a ball about everything that is seen.
    pub ball: (Vec3, f64),
    /// Balls about what is seen: fixed bodies by their corners, moving ones along their paths.
    pub outline: Vec<(Vec3, f64)>,
    /// What shall hold.
    pub nails: Vec<Nail>,
    /// How each nail stands.
    pub nail_reports: Vec<GoalReport>,
    /// Steps that can be undone and redone.
    pub depth: (usize, usize),
    /// Whether something would be lost without saving.
    pub is_changed: bool,
}

/// The way of one body through the whole motion.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// s, never falling; an event stands twice, with the states before and after it.
    pub times: Vec<f64>,
    /// The state at each time.
    pub states: Vec<BodyState>,
}

/// An event as the window shows it.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its place among all events.
    pub event: usize,
    /// s.
    pub t: f64,
    /// What happened.
    pub kind: EventKind,
    /// Who took part.
    pub bodies: [BodyId; 2],
    /// Where, in the world.
    pub place: Option<Vec3>,
    /// Such as `egg/floor#2`.
    pub name: String,
}

impl Motion {
    /// Prepares a motion; meshes are kept where the shapes have not changed.
    pub fn new(
        scene: Arc<Scene>,
        model: Arc<Model>,
        u: ControlVector,
        trajectory: Arc<Trajectory>,
        meshes: Arc<Meshes>,
    ) -> Motion {
        let moving = model.bodies().iter().filter(|body| !body.drive.never_moves()).count().max(1);
        let paths: Vec<Path> = (0..model.bodies().len())
            .map(|index| Path::new(&trajectory, BodyId(index as u32), MOST_POINTS / moving))
            .collect();
        let marks = marks(&model, &trajectory);
        let outline = outline(&model, &trajectory, &paths, &meshes);
        let ball = ball(&outline);
        let (nails, nail_reports) = (Vec::new(), Vec::new());
        Motion {
            scene,
            model,
            u,
            trajectory,
            later: None,
            paths,
            marks,
            meshes,
            ball,
            outline,
            nails,
            nail_reports,
            depth: (0, 0),
            is_changed: false,
        }
    }

    /// The same document with its motion computed further.
    pub fn with_trajectory(&self, trajectory: Arc<Trajectory>) -> Motion {
        let (scene, meshes) = (self.scene.clone(), self.meshes.clone());
        let whole = Motion::new(scene, self.model.clone(), self.u.clone(), trajectory, meshes);
        let (nails, nail_reports) = (self.nails.clone(), self.nail_reports.clone());
        Motion { nails, nail_reports, depth: self.depth, is_changed: self.is_changed, ..whole }
    }

    /// Goes on, after its own end, as another motion does: what is not computed yet is shown as it was a moment ago.
    pub fn followed_by(mut self, whole: &Motion) -> Motion {
        let t_end = self.trajectory.t_end;
        for (path, other) in self.paths.iter_mut().zip(&whole.paths) {
            let from = other.times.partition_point(|t| *t <= t_end);
            path.times.extend(&other.times[from..]);
            path.states.extend(&other.states[from..]);
        }
        self.marks.extend(whole.marks.iter().filter(|mark| mark.t > t_end).cloned());
        (0..).zip(&mut self.marks).for_each(|(place, mark)| mark.event = place);
        self.later = Some(whole.trajectory.clone());
        self
    }

    /// Whether another motion is of the same bodies.
    pub fn has_bodies_of(&self, other: &Motion) -> bool {
        let (own, others) = (self.model.bodies().iter(), other.model.bodies().iter());
        Arc::ptr_eq(&self.scene, &other.scene) || own.map(|body| &body.name).eq(others.map(|body| &body.name))
    }

    /// Whether its own motion goes to the end.
    pub fn is_whole(&self) -> bool {
        self.trajectory.is_whole(&self.model)
    }

    /// Its own motion to the end, in the middle of a drag too.
    pub fn whole_trajectory(&self) -> Arc<Trajectory> {
        if self.is_whole() { self.trajectory.clone() } else { Arc::new(simulate(&self.model, &self.u)) }
    }

    /// Where a body is at a time.
    pub fn body_at(&self, body: BodyId, t: f64) -> BodyState {
        match &self.later {
            Some(later) if t > self.trajectory.t_end => later.body_at(body, t),
            _ => self.trajectory.body_at(body, t),
        }
    }

    /// Joints and forces at a time.
    pub fn machine_at(&self, t: f64) -> Vec<picture::Mark> {
        let trajectory = match &self.later {
            Some(later) if t > self.trajectory.t_end => later,
            _ => &self.trajectory,
        };
        MachineMarks::new(trajectory, MARK_SIZE * self.ball.1).at(t)
    }

    /// What there is to tell a person of its machines.
    pub fn told(&self) -> Vec<String> {
        let trajectory = self.later.as_ref().unwrap_or(&self.trajectory);
        trajectory.troubles().iter().map(|trouble| trouble.sentence(trajectory.world())).collect()
    }

    /// When it ends, s.
    pub fn t_end(&self) -> f64 {
        self.later.as_ref().map_or(self.trajectory.t_end, |later| later.t_end.max(self.trajectory.t_end))
    }

    /// Colours count bodies that move: the place of a body among them.
    pub fn order(&self, body: BodyId) -> usize {
        self.model.bodies()[..body.index()].iter().filter(|other| !other.drive.never_moves()).count()
    }

    /// A body's name.
    pub fn name(&self, body: BodyId) -> &str {
        &self.model.bodies()[body.index()].name
    }

    /// The end of the time line, s.
    pub fn duration(&self) -> f64 {
        self.model.duration()
    }

    /// All bodies.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.model.bodies().len() as u32).map(BodyId)
    }

    /// What a body met last before a time.
    pub fn last_partner(&self, body: BodyId, t: f64) -> Option<BodyId> {
        let mut met = self.marks.iter().filter(|mark| mark.bodies.contains(&body) && mark.t <= t);
        met.next_back().map(|mark| if mark.bodies[0] == body { mark.bodies[1] } else { mark.bodies[0] })
    }

    /// Whether a body has an end: half-spaces have none.
    pub fn reach_is_finite(&self, body: BodyId) -> bool {
        self.trajectory.world().bodies[body.index()].solid.reach().is_finite()
    }

    /// How far a body reaches from its centre at its present scale, m.
    pub fn reach(&self, body: BodyId) -> f64 {
        let properties = &self.trajectory.world().bodies[body.index()];
        let reach = properties.solid.reach();
        if reach.is_finite() { reach.max(0.01) } else { 0.5 }
    }
}

/// The triangles of a model's bodies; `number` tells them from other sets.
pub fn meshes(model: &Model, number: u64) -> Arc<Meshes> {
    let surface = |shape: &Shape| match shape {
        // Nothing would be seen of a point.
        Shape::Particle => Surface::new(&Shape::Ball { radius: 0.012 }),
        shape => Surface::new(shape),
    };
    let surfaces: Vec<Option<Surface>> = model.bodies().iter().map(|body| surface(&body.shape)).collect();
    Arc::new(Meshes::new(number, &surfaces))
}

impl Path {
    fn new(trajectory: &Trajectory, body: BodyId, budget: usize) -> Path {
        let properties = &trajectory.world().bodies[body.index()];
        if properties.drive.never_moves() {
            return Path::default();
        }
        let longest_time = LONGEST.max(trajectory.t_end / budget as f64);
        // Steps are short; a few of them make one piece of the path.
        let (shortest_time, step_time) = (longest_time / 8.0, longest_time);
        let spacing = Spacing { largest_turn: LARGEST_TURN, longest_time, shortest_time, step_time };
        let (times, states) = trajectory.curve(body).samples(&spacing).into_iter().unzip();
        Path { times, states }
    }

    /// Where a point of the body is at the k-th time.
    pub fn point(&self, k: usize, point_in_body: Vec3) -> Vec3 {
        self.states[k].position + self.states[k].rotation * point_in_body
    }
}

fn marks(model: &Model, trajectory: &Trajectory) -> Vec<Mark> {
    let name = |body: BodyId| model.bodies()[body.index()].name.to_string();
    let mark = |(index, event): (usize, &crate::simulation::Event)| {
        let count = event.contacts.len();
        let sum: Vec3 = event.contacts.iter().map(|contact| contact.point).sum();
        Mark {
            event: index,
            t: event.t,
            kind: event.kind,
            bodies: [event.first, event.second],
            place: (count > 0).then(|| sum / count as f64),
            name: format!("{}/{}#{}", name(event.first), name(event.second), event.number),
        }
    };
    trajectory.events.iter().enumerate().map(mark).collect()
}

/// Corners or places of a body that count for the outline.
const MOST_CORNERS: usize = 64;

/// Balls about everything that is finite: corners of fixed bodies, moving ones along their paths, what joints hold to.
fn outline(model: &Model, trajectory: &Trajectory, paths: &[Path], meshes: &Meshes) -> Vec<(Vec3, f64)> {
    let mut balls = Vec::new();
    for (index, properties) in trajectory.world().bodies.iter().enumerate() {
        let reach = properties.solid.reach();
        let initial = &properties.initial;
        if !reach.is_finite() {
            if model.bodies().len() == 1 {
                balls.push((initial.position, 1.0));
            }
            continue;
        }
        let corners =
            meshes.ranges.get(index).map_or(&[][..], |range| &meshes.indices[range.start as usize..range.end as usize]);
        if !model.bodies()[index].drive.never_moves() || corners.is_empty() {
            balls.push((initial.position, reach));
            let states = &paths[index].states;
            let some = states.iter().step_by(states.len().div_ceil(MOST_CORNERS).max(1));
            balls.extend(some.map(|state| (state.position, reach)));
            continue;
        }
        for corner in corners.iter().step_by(corners.len().div_ceil(16 * MOST_CORNERS).max(1)) {
            let [x, y, z, ..] = meshes.vertices[*corner as usize].map(f64::from);
            balls.push((initial.position + initial.rotation * (Vec3::new(x, y, z) * properties.scale), 0.0));
        }
    }
    balls.extend(MachineMarks::new(trajectory, 0.0).places().into_iter().map(|place| (place, 0.0)));
    balls
}

/// Centre and radius of a ball about all of them.
fn ball(balls: &[(Vec3, f64)]) -> (Vec3, f64) {
    let mut low = Vec3::repeat(f64::INFINITY);
    let mut high = -low;
    for (place, reach) in balls {
        low = low.inf(&(place - Vec3::repeat(*reach)));
        high = high.sup(&(place + Vec3::repeat(*reach)));
    }
    if low.x > high.x {
        return (Vec3::zeros(), 1.0);
    }
    let center = 0.5 * (low + high);
    let radius = balls.iter().map(|(place, reach)| (place - center).norm() + reach).fold(0.0, f64::max);
    (center, radius.clamp(0.05, 1e4))
}
