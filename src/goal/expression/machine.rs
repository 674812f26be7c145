//! What an expression reads of joints and springs.
//!
//! ```text
//! force, torque, off     what the joint does to its first body, about its point; |D|           (`dynamics::joined::Reaction`)
//! length                 |P − Q|
//! travel                 a·(P − Q) beyond that of the start,     a = R_B·second_axis                                 (1)
//! angle                  θ = 2·atan2(b·q_v, q_w)  in (−π, π],    q of Q = R_Bᵀ·R_A·(R_Bᵀ·R_A)ᵀ at the start           (2)
//! δQ = \[φ\]·Q:            δθ = φ·(q_w·(q_w·b + q_v × b) + (b·q_v)·q_v)/(q_w² + (b·q_v)²)                               (3)
//! δQ = −Q·\[ψ\]:           δθ = −ψ·(q_w·(q_w·b − q_v × b) + (b·q_v)·q_v)/(q_w² + (b·q_v)²)                              (4)
//! ```
//!
//! φ = R_Bᵀ·(δθ_A − δθ_B) now, ψ the same at the start, b the second side's axis. Every number carries its derivative: points
//! and keys by parameters, states by what made them, and what follows a track by time.

use super::evaluate::{Context, Dual, Value};
use super::explicit::{Directions, Explicit};
use super::{Measure, Part};
use crate::dynamics::joined::{Column, JoinedFlight, Owner};
use crate::dynamics::{BodyState, StateTangent};
use crate::goal::Gradient;
use crate::goal::state::{tangent, unit};
use crate::goal::timing::{Instant, Missing};
use crate::math::elementary::atan2;
use crate::math::formula::{Linear, cross, dot, norm};
use crate::math::{Vec3, rotation};
use crate::model::{BodyId, Field, ForceId, JointId, KeyId, Member, Subject};
use crate::scene::{Ease, ForceKind, Given, Joint, JointKind, Side, TrackSize};

/// Three numbers with their derivatives.
type Duals = [Dual; 3];

/// When a body is looked at.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Now,
    Start,
}

/// One joint or spring, and what is known of it.
struct Reader<'a> {
    context: &'a Context<'a>,
    directions: Directions,
    subject: Subject,
    first: usize,
    second: Option<usize>,
}

impl Context<'_> {
    /// A measure of a joint or a spring; parsing has made sure that it has one.
    pub(super) fn machine(&self, measure: Measure, part: Part) -> Result<Value, Missing> {
        let world = self.trajectory.world();
        let (subject, first, second) = match part {
            Part::Joint(joint) => {
                let law = &world.machine.joints[joint];
                (JointId(joint as u32).into(), law.first, law.second)
            }
            Part::Force(force) => {
                let law = &world.machine.forces[force];
                (ForceId(force as u32).into(), law.first, law.second)
            }
        };
        let directions = Directions::new(self.model, self.u, world);
        let reader = Reader { context: self, directions, subject, first, second };
        match (measure, part) {
            (Measure::Force | Measure::Torque | Measure::Off, Part::Joint(joint)) => reader.reaction(measure, joint),
            (Measure::Angle, Part::Joint(joint)) => Ok(Value::Scalar(reader.angle(&world.machine.joints[joint]))),
            (Measure::Travel, Part::Joint(joint)) => Ok(Value::Scalar(reader.travel(&world.machine.joints[joint]))),
            (Measure::Length, Part::Joint(joint)) => match &world.machine.joints[joint].kind {
                JointKind::Distance { point, second, .. } | JointKind::Rope { point, second, .. } => {
                    Ok(reader.length(point, second))
                }
                _ => Ok(Value::Scalar(Dual::constant(f64::NAN))),
            },
            (_, Part::Force(force)) => match &world.machine.forces[force].kind {
                ForceKind::Spring { point, second, .. } => Ok(reader.length(point, second)),
                _ => Ok(Value::Scalar(Dual::constant(f64::NAN))),
            },
        }
    }
}

impl Reader<'_> {
    fn reaction(&self, measure: Measure, joint: usize) -> Result<Value, Missing> {
        let context = self.context;
        let (world, t) = (context.trajectory.world(), context.instant.t());
        let law = &world.machine.joints[joint];
        let name = || law.name.clone();
        let flight = self.flight(joint).ok_or_else(|| Missing::NotHolding { joint: name(), t })?;
        let conflicting = || flight.soundness(t).conflicting.into_iter().flatten().any(|o| o == Owner::Joint(joint));
        if measure != Measure::Off && conflicting() {
            return Err(Missing::Conflicting { joint: name(), t });
        }
        let wanted = columns(flight);
        let missing = || Missing::NotHolding { joint: name(), t };
        let reaction = flight.reaction(joint, t).ok_or_else(missing)?;
        let change = flight.reaction_change(joint, t, &wanted).ok_or_else(missing)?;
        let dual = |number: usize, value: f64| {
            let mut explicit = Explicit::default();
            for (place, column) in wanted.iter().enumerate() {
                explicit.add_column(world, flight, *column, change.by_column(place)[number]);
            }
            let mut gradient = explicit.gradient(&self.directions, context.instant);
            for (member, &body) in flight.members().iter().enumerate() {
                let row: StateTangent = change.by_state(member).row(number).transpose();
                gradient.add(&Gradient::of_body(BodyId(body as u32), row), 1.0);
            }
            Dual { value, gradient }
        };
        if measure == Measure::Off {
            return Ok(Value::Scalar(dual(6, reaction.off)));
        }
        let sign = if reaction.side == 0 { 1.0 } else { -1.0 };
        let force = [0, 1, 2].map(|k| dual(k, reaction.force[k]));
        if measure == Measure::Force {
            return Ok(Value::Vector(force.map(|entry| entry.times(sign))));
        }
        let zero = [0.0; 3].map(Dual::constant);
        let body = if reaction.side == 0 { Some(self.first) } else { self.second };
        let (center, point) = (self.place(At::Now, body, &zero), self.own_point(At::Now, &law.point()));
        let moment = cross(&minus(&center, &point), &force);
        let torque = [0, 1, 2].map(|k| dual(3 + k, reaction.torque[k]).plus(&moment[k], 1.0).times(sign));
        Ok(Value::Vector(torque))
    }

    /// The flight in which a joint holds.
    fn flight(&self, joint: usize) -> Option<&JoinedFlight> {
        let Context { trajectory, instant, .. } = self.context;
        let pushed = |body: &usize| trajectory.world().bodies[*body].drive.is_pushed();
        let body = [Some(self.first), self.second].into_iter().flatten().find(pushed)?;
        let curve = trajectory.curve(BodyId(body as u32));
        let flight = match **instant {
            Instant::Event { t, side: Side::Before, .. } => curve.machine_before(t),
            _ => curve.machine_after(instant.t()),
        };
        flight.map(|flight| &**flight).filter(|flight| flight.machine().joints().contains(&joint))
    }

    fn length(&self, point: &Vec3, second: &Given<Vec3>) -> Value {
        let (p, q) = (self.own_point(At::Now, point), self.second_point(At::Now, second));
        Value::Scalar(norm(&minus(&p, &q)))
    }

    /// (1).
    fn travel(&self, joint: &Joint) -> Dual {
        let JointKind::Slider { point, second, second_axis, .. } = &joint.kind else { return Dual::constant(f64::NAN) };
        let at = |at: At| {
            let axis = self.turned(at, self.second, &constant(second_axis));
            dot(&axis, &minus(&self.own_point(at, point), &self.second_point(at, second)))
        };
        at(At::Now).plus(&at(At::Start), -1.0)
    }

    /// (2) to (4).
    fn angle(&self, joint: &Joint) -> Dual {
        let JointKind::Hinge { second_axis: b, .. } = &joint.kind else { return Dual::constant(f64::NAN) };
        let turns = |at: At| {
            let turn =
                |body: Option<usize>| body.map_or(rotation::exp(Vec3::zeros()), |body| self.state(at, body).rotation);
            [turn(Some(self.first)), turn(self.second)]
        };
        let [first, second] = turns(At::Now);
        let [first_start, second_start] = turns(At::Start);
        let relative = second.inverse() * first * (second_start.inverse() * first_start).inverse();
        // Of the two quaternions of a turn, the one of the short way.
        let sign = if relative.w < 0.0 { -1.0 } else { 1.0 };
        let (w, v) = (sign * relative.w, relative.imag() * sign);
        let s = b.dot(&v);
        let size = w * w + s * s;
        let now = (w * (w * b + v.cross(b)) + s * v) / size;
        let start = -(w * (w * b - v.cross(b)) + s * v) / size;
        let mut gradient = Gradient::default();
        for (at, covector, turn) in [(At::Now, now, second), (At::Start, start, second_start)] {
            let row = turn * covector;
            gradient.add(&self.by_state(at, self.first, turning(row)), 1.0);
            self.second.iter().for_each(|&body| gradient.add(&self.by_state(at, body, turning(-row)), 1.0));
        }
        Dual { value: 2.0 * atan2(s, w), gradient }
    }

    fn state(&self, at: At, body: usize) -> BodyState {
        let Context { trajectory, instant, .. } = self.context;
        match at {
            At::Now => instant.state(trajectory, BodyId(body as u32)),
            At::Start => trajectory.world().bodies[body].initial,
        }
    }

    fn by_state(&self, at: At, body: usize, row: StateTangent) -> Gradient {
        let body = BodyId(body as u32);
        match at {
            At::Now => Gradient::of_body(body, row),
            At::Start => Explicit::of_start(body, row).gradient(&self.directions, self.context.instant),
        }
    }

    /// R·a of a side; a itself of the world.
    fn turned(&self, at: At, body: Option<usize>, vector: &Duals) -> Duals {
        let Some(body) = body else { return vector.clone() };
        let state = self.state(at, body);
        let turn = state.rotation.to_rotation_matrix().into_inner();
        let value = turn * Vec3::from(vector.each_ref().map(|entry| entry.value));
        [0, 1, 2].map(|k| {
            let mut gradient = self.by_state(at, body, turning(value.cross(&unit(k))));
            (0..3).for_each(|column| gradient.add(&vector[column].gradient, turn[(k, column)]));
            Dual { value: value[k], gradient }
        })
    }

    /// x + R·p of a side; p itself of the world.
    fn place(&self, at: At, body: Option<usize>, point: &Duals) -> Duals {
        let arm = self.turned(at, body, point);
        let Some(body) = body else { return arm };
        let position = self.state(at, body).position;
        let zero = Vec3::zeros();
        [0, 1, 2].map(|k| {
            let gradient = self.by_state(at, body, tangent(unit(k), zero, zero, zero));
            arm[k].plus(&Dual { value: position[k], gradient }, 1.0)
        })
    }

    fn own_point(&self, at: At, point: &Vec3) -> Duals {
        self.place(at, Some(self.first), &self.numbers(self.subject, Field::Point, point))
    }

    fn second_point(&self, at: At, second: &Given<Vec3>) -> Duals {
        let field = if self.second.is_some() { Field::Second } else { Field::To };
        let point = match second {
            Given::Constant(point) => self.numbers(self.subject, field, point),
            Given::Track(track) => self.track(at, *track),
        };
        self.place(at, self.second, &point)
    }

    fn numbers(&self, subject: Subject, field: Field, value: &Vec3) -> Duals {
        [0, 1, 2].map(|k| self.number(subject, field, k, value[k]))
    }

    fn number(&self, subject: Subject, field: Field, member: usize, value: f64) -> Dual {
        let Context { model, u, .. } = self.context;
        let parameters = model.dependence(u, &field.of(subject).along(Member(member as u8)));
        Dual { value, gradient: Gradient { parameters, ..Gradient::default() } }
    }

    /// The value of a track of places.
    fn track(&self, at: At, place: usize) -> Duals {
        let instant = self.context.instant;
        let track = &self.context.trajectory.world().machine.tracks[place];
        let before = at == At::Now && matches!(instant, Instant::Event { side: Side::Before, .. });
        let now = if at == At::Now { instant.t() } else { 0.0 };
        let next = track.keys.partition_point(|key| key.t < now || (key.t == now && !before));
        let subject = |key: usize| Subject::from(KeyId { track: place as u32, key: key as u32 });
        let field = if track.size == TrackSize::Vector { Field::Vector } else { Field::Value };
        let value = |key: usize| self.numbers(subject(key), field, &track.keys[key].value);
        if next == 0 || next == track.keys.len() {
            return value(next.saturating_sub(1));
        }
        let moves = at == At::Now && !matches!(instant, Instant::Fixed { .. });
        let times = if moves { vec![(*instant, 1.0)] } else { Vec::new() };
        let t = Dual { value: now, gradient: Gradient { times, ..Gradient::default() } };
        let [from, to] = [next - 1, next].map(|key| self.number(subject(key), Field::Time, 0, track.keys[key].t));
        let part = eased(track.keys[next].ease, &t.plus(&from, -1.0).quotient(&to.plus(&from, -1.0)));
        let (a, b) = (value(next - 1), value(next));
        [0, 1, 2].map(|k| a[k].plus(&b[k].plus(&a[k], -1.0).product(&part), 1.0))
    }
}

/// What a flight may change with beside states.
fn columns(flight: &JoinedFlight) -> Vec<Column> {
    let machine = flight.machine();
    let moving = (0..machine.member_count()).filter(|&member| machine.moves(member));
    let of_member =
        |member: usize| [Column::Mass(member)].into_iter().chain((0..3).map(move |k| Column::Inertia(member, k)));
    let numbers = machine.number_ids().into_iter().map(Column::Number);
    (0..3).map(Column::Gravity).chain(moving.flat_map(of_member)).chain(numbers).collect()
}

/// `Ease::at` with its derivative.
fn eased(ease: Ease, s: &Dual) -> Dual {
    let slope = match ease {
        Ease::Linear => 1.0,
        Ease::SlowIn => 2.0 * s.value,
        Ease::SlowOut => 2.0 - 2.0 * s.value,
        Ease::SlowInOut => 6.0 * s.value * (1.0 - s.value),
        Ease::Hold => 0.0,
    };
    s.map(ease.at(s.value), slope)
}

fn turning(row: Vec3) -> StateTangent {
    tangent(Vec3::zeros(), row, Vec3::zeros(), Vec3::zeros())
}

fn constant(vector: &Vec3) -> Duals {
    [0, 1, 2].map(|k| Dual::constant(vector[k]))
}

fn minus(a: &Duals, b: &Duals) -> Duals {
    [0, 1, 2].map(|k| a[k].plus(&b[k], -1.0))
}
