//! The relations of one node of the tape, and of a state between nodes.
//!
//! With S the change of a state at a fixed time, F its rate, T the change of the node's time and B, P the changes of the
//! states just before and after it, both at the moving time:
//!
//! ```text
//! T = −(E_q·S + E_u)/(E_q·F⁻ + E_t)       where a pair closes                                       (1)
//! T = T_start + δs                        where a step of length s ends; 0 on the time grid
//! B = S + F⁻·T                            flights; inside a cut step, ∂Φ/∂x·T and its projection     (2)
//! P = (1 + I_q)·B + I_u                   where there is an impact, else B                           (3)
//! launch: P − F⁺·T into flight,   P into a step,   P without velocities into rest                    (4)
//! ```
//!
//! (1) to (4) together are dt_c/du and the jump of dq/du of [Popović 2000]. A flight keeps its change at the fixed time
//! of its node, so that it is carried on by the derivative of free flight alone.

use std::collections::BTreeMap;
use std::rc::Rc;

use nalgebra::{DMatrix, DVector};

use super::change::{Change, Variable};
use super::factor::FlightFactor;
use super::joined_change::JoinedChange;
use super::linear::{Program, Relation};
use super::seed::Seeds;
use super::step_relations::StepRelations;
use super::{Mark, Reason};
use crate::dynamics::{BodyState, StateTangent};
use crate::model::{Axis, BodyId, Quantity, World};
use crate::simulation::held::{PathDirection, StepPath};
use crate::simulation::tape::{Launched, NodeId, Source, StepId, SwitchCause, Tape, Timing};
use crate::simulation::{Course, Trajectory};

/// A motion and the parameters asked for.
#[derive(Clone, Copy)]
pub(super) struct Chain<'a> {
    pub trajectory: &'a Trajectory,
    pub seeds: &'a Seeds,
    /// Whether relations are followed in the order of time only.
    pub forward_only: bool,
}

/// Relations while they are put together.
pub(super) struct Builder<'a> {
    pub chain: Chain<'a>,
    pub program: Program,
    pub steps: BTreeMap<StepId, StepRelations>,
    /// Where bodies were just before the node.
    pub places: Vec<(BodyId, Place)>,
    pub marks: Vec<Mark>,
    /// Variations of machines' flights, by flight and time.
    pub joined: Vec<((u32, u64), Rc<JoinedChange>)>,
}

/// The relations of a node.
pub(super) struct NodeRelations {
    pub program: Program,
    /// T.
    pub time: Option<Change>,
    /// B of every body that takes part.
    pub before: BTreeMap<BodyId, Option<Change>>,
    /// P.
    pub after: BTreeMap<BodyId, Option<Change>>,
    pub marks: Vec<Mark>,
}

/// A state of one body at a fixed time, how it changes, and how fast it moves along.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub state: BodyState,
    pub change: Option<Change>,
    pub rate: StateTangent,
}

impl<'a> Chain<'a> {
    pub fn tape(&self) -> &'a Tape {
        self.trajectory.tape()
    }

    pub fn world(&self) -> &'a World {
        self.trajectory.world()
    }

    pub fn builder(self) -> Builder<'a> {
        let (steps, places, joined) = (BTreeMap::new(), Vec::new(), Vec::new());
        Builder { chain: self, program: Program::default(), steps, places, marks: Vec::new(), joined }
    }

    /// Whether no parameter moves the time of a node.
    fn is_fixed_time(&self, node: NodeId) -> bool {
        match &self.tape().node(node).timing {
            Timing::Start => true,
            Timing::Same(earlier) => self.is_fixed_time(*earlier),
            Timing::StepEnd(step) => self.tape().step(*step).ends_on_grid(),
            Timing::Switch(cause) => !self.seeds.asks(self.switch_time(*cause)),
            Timing::Closing { .. } => false,
        }
    }

    /// The number that the time of a switch is.
    fn switch_time(&self, cause: SwitchCause) -> Quantity {
        match cause {
            SwitchCause::Key { track, key } => Quantity::key_time(track, key),
            SwitchCause::Active { joint, interval, end } => Quantity::border(joint, interval, end),
        }
    }

    /// T of an earlier node.
    pub fn time(&self, node: NodeId) -> Option<Change> {
        (!self.is_fixed_time(node)).then_some(Change::Outer(Variable::Time(node)))
    }

    /// The change of a body's start or of a fixed body's place.
    pub fn start(&self, body: BodyId) -> Option<Change> {
        self.seeds.starts.contains_key(&body).then_some(Change::Outer(Variable::Start(body)))
    }

    /// The node before another at which the motion of a body began.
    fn begun_before(&self, node: NodeId, body: BodyId) -> Option<NodeId> {
        let history = self.tape().history(body);
        history.partition_point(|&other| other < node).checked_sub(1).map(|last| history[last])
    }

    /// All relations of a node.
    pub fn node(self, id: NodeId) -> NodeRelations {
        let mut builder = self.builder();
        let node = self.tape().node(id);
        let time = builder.timing(id);
        let before = builder.sources(id, time);
        let after = match &node.impact {
            Some(impact) => builder.impact(node.t, impact, &before, time),
            None => builder.jumps(id, time, &before),
        };
        let mut after = after;
        builder.launches(id, time, &mut after);
        if let Some(time) = time {
            builder.program.outputs.push((Variable::Time(id), time));
        }
        let Builder { program, marks, .. } = builder;
        NodeRelations { program, time, before, after, marks }
    }
}

impl Builder<'_> {
    fn mark(&mut self, t: f64, reason: Reason) {
        self.marks.push(Mark { t, reason });
    }

    /// T of a node, (1).
    fn timing(&mut self, id: NodeId) -> Option<Change> {
        let node = self.chain.tape().node(id);
        match &node.timing {
            Timing::Start => None,
            Timing::Same(earlier) => self.chain.time(*earlier),
            Timing::StepEnd(step) => {
                let record = self.chain.tape().step(*step);
                if record.ends_on_grid() {
                    return None;
                }
                let begin = self.chain.time(record.node);
                let length = self.step(*step).length;
                self.program.define(Relation::new(1).plus_identity(begin).plus_identity(length))
            }
            Timing::Switch(cause) => {
                let quantity = self.chain.switch_time(*cause);
                if !self.chain.seeds.asks(quantity) {
                    return None;
                }
                self.program.define(Relation::new(1).plus_quantity(quantity, DVector::from_element(1, 1.0)))
            }
            Timing::Closing { pair, features, inside, level } => {
                if features.len() > 1 {
                    self.mark(node.t, Reason::OneSided);
                }
                self.closing(id, *pair, [features, level], *inside)
            }
        }
    }

    /// B of every body that takes part, (2).
    fn sources(&mut self, id: NodeId, time: Option<Change>) -> BTreeMap<BodyId, Option<Change>> {
        let node = self.chain.tape().node(id);
        let mut before = BTreeMap::new();
        for source in &node.sources {
            match source {
                Source::Start(body) => {
                    before.insert(*body, self.chain.start(*body));
                }
                Source::Motion(body) => {
                    let place = self.before(id, *body);
                    before.insert(*body, self.moving(&place, time));
                }
                Source::StepEnd(step) => {
                    let relations = self.step(*step);
                    let ends = relations.moving().map(|(body, place)| (body, relations.end[place]));
                    before.extend(ends.collect::<Vec<_>>());
                }
                Source::Cut(step) => {
                    let cut = self.cut(*step, node.t, time);
                    before.extend(cut.bodies.iter().copied().zip(cut.projected.iter().copied()));
                }
                Source::GroupCut(together) => {
                    let cut = self.group_cut(id, together, time);
                    before.extend(cut.bodies.iter().copied().zip(cut.projected.iter().copied()));
                }
            }
        }
        before.retain(|body, _| !self.chain.world().bodies[body.index()].drive.never_moves());
        before
    }

    /// Where a body is at the time of a node, by the motion it had before.
    pub fn before(&mut self, id: NodeId, body: BodyId) -> Place {
        let at = match self.places.binary_search_by_key(&body, |(known, _)| *known) {
            Ok(at) => return self.places[at].1,
            Err(at) => at,
        };
        let node = self.chain.tape().node(id);
        let earlier = match node.launch(body) {
            Some(launch) => launch.before,
            // A guided body takes part in an impact and goes on as before.
            None => self.chain.begun_before(id, body),
        };
        let place = self.place(body, earlier, node.t);
        self.places.insert(at, (body, place));
        place
    }

    /// S + F·T.
    pub fn moving(&mut self, place: &Place, time: Option<Change>) -> Option<Change> {
        if time.is_none() || place.rate == StateTangent::zeros() {
            return place.change;
        }
        let relation = Relation::new(12).plus_identity(place.change).plus_vector(time, &place.rate);
        self.program.define(relation)
    }

    /// Where a body is at a fixed time, by the motion that began at a node.
    pub fn place(&mut self, body: BodyId, begun: Option<NodeId>, t: f64) -> Place {
        let still = StateTangent::zeros();
        let state = self.chain.world().bodies[body.index()].initial;
        let Some(id) = begun else {
            return Place { state, change: self.chain.start(body), rate: still };
        };
        let node = self.chain.tape().node(id);
        let launched = Some(Change::Outer(Variable::Launch(id, body)));
        match node.launch(body).map(|launch| launch.motion) {
            Some(Launched::Flight(phase)) => self.flight(body, id, phase, t),
            Some(Launched::Step(step)) => self.on_path(body, step, t),
            Some(Launched::Joined { flight, member }) => self.joined(body, id, (flight, member), t),
            Some(Launched::Guided) => self.guided(body, node.t, t),
            // As it lay from the beginning: at the time of a node the trajectory is already beyond it, and what wakes a
            // body may have moved it.
            Some(Launched::Rest) | None => {
                Place { state: self.chain.trajectory.body_at(body, node.t), change: launched, rate: still }
            }
        }
    }

    fn flight(&mut self, body: BodyId, id: NodeId, phase: u32, t: f64) -> Place {
        let chain = self.chain;
        let (world, begin) = (chain.world(), chain.tape().node(id).t);
        let phases = chain.trajectory.phases(body);
        let start = phases.get(phase as usize).map_or(world.bodies[body.index()].initial, |phase| *phase.start());
        let launched = Some(Change::Outer(Variable::Launch(id, body)));
        if t == begin {
            return Place { state: start, change: launched, rate: world.flight_rate(body, &start) };
        }
        let mut flight = world.flight(body, begin, start);
        flight.extend_to(t);
        let turn = FlightFactor::new(t - begin, &flight.dturn_dstart(t));
        let mut relation = Relation::new(12).plus_flight(launched, turn);
        let quantities = [Axis::ALL.map(Quantity::gravity), Axis::ALL.map(|axis| Quantity::Inertia(body, axis))];
        for (kind, quantities) in quantities.into_iter().enumerate() {
            if quantities.iter().any(|&quantity| chain.seeds.asks(quantity)) {
                let derivative = if kind == 0 { flight.dq_dgravity(t) } else { flight.dq_dinertia(t) };
                for (column, quantity) in derivative.column_iter().zip(quantities) {
                    relation = relation.plus_quantity(quantity, DVector::from_iterator(12, column.iter().copied()));
                }
            }
        }
        let state = flight.at(t);
        Place { state, change: self.program.define(relation), rate: world.flight_rate(body, &state) }
    }

    /// Where a guided body is, by the keys that it follows from a time on; what has no track is where the body begins.
    fn guided(&mut self, body: BodyId, begin: f64, t: f64) -> Place {
        let chain = self.chain;
        let Some(guided) = chain.world().guided(body, begin) else { return self.untold(body, t) };
        let mut relation = Relation::new(12).plus_identity(chain.start(body));
        for (number, tangent) in guided.derivative(t) {
            let quantity = Quantity::of_key(number);
            if chain.seeds.asks(quantity) {
                relation = relation.plus_quantity(quantity, DVector::from_iterator(12, tangent.iter().copied()));
            }
        }
        Place { state: guided.at(t), change: self.program.define(relation), rate: guided.rate(t) }
    }

    /// Where a member is on the recorded path of a step: bent to its projected end, or to where it was cut.
    fn on_path(&mut self, body: BodyId, step: StepId, t: f64) -> Place {
        let chain = self.chain;
        let record = chain.tape().step(step);
        let begin = chain.tape().node(record.node).t;
        let time = chain.time(record.node);
        let Some(member) = record.place(body) else { return self.untold(body, t) };
        // A path that was cut is only asked for before its cut: a node sees the path as it was planned.
        let cut = record.cut.filter(|&node| t < chain.tape().node(node).t);
        let (path, unprojected, end, length) = match cut {
            Some(node) => {
                let (t_cut, time_cut) = (chain.tape().node(node).t, chain.time(node));
                let Some((states, unprojected, projected)) = self.cut_of(node, step, body, time_cut) else {
                    return self.untold(body, t);
                };
                let path =
                    StepPath::new(begin, t_cut - begin, &record.start[member], [&states[0], &states[1]], record.bend);
                let backward = DMatrix::from_element(1, 1, -1.0);
                let length = self.program.define(Relation::new(1).plus_identity(time_cut).plus(time, backward));
                (path, unprojected, projected, length)
            }
            None => {
                let relations = self.step(step);
                let (length, ends) = (relations.length, [relations.unprojected[member], relations.end[member]]);
                let outcome = &relations.outcome;
                let states = [&outcome.unprojected[member], &outcome.end[member]];
                let path = StepPath::new(begin, outcome.length, &record.start[member], states, outcome.bend);
                (path, ends[0], ends[1], length)
            }
        };
        let launched = Some(Change::Outer(Variable::Launch(record.node, body)));
        let change = self.along(&path, t, [launched, unprojected, end], length, time);
        Place { state: path.at(t), change, rate: path.rate(t) }
    }

    /// Where a body is of which the record tells nothing: as it shows, without a change, and marked.
    pub fn untold(&mut self, body: BodyId, t: f64) -> Place {
        self.mark(t, Reason::Untold);
        let state = self.chain.trajectory.body_at(body, t);
        Place { state, change: None, rate: StateTangent::zeros() }
    }

    /// The change of a place on a path at a fixed time, for changes of its start, of its two ends, of its length and of
    /// the time at which it starts.
    pub fn along(
        &mut self,
        path: &StepPath,
        t: f64,
        [start, unprojected, end]: [Option<Change>; 3],
        length: Option<Change>,
        begin: Option<Change>,
    ) -> Option<Change> {
        let matrix = |set: fn(&mut PathDirection) -> &mut StateTangent| {
            let column = |k: usize| {
                let mut direction = still();
                set(&mut direction)[k] = 1.0;
                path.tangent_at(t, &direction)
            };
            let mut matrix = DMatrix::zeros(12, 12);
            (0..12).for_each(|k| matrix.set_column(k, &column(k)));
            matrix
        };
        let mut relation = Relation::new(12);
        for (operand, set) in [
            (start, (|d| &mut d.start) as fn(&mut PathDirection) -> &mut StateTangent),
            (unprojected, |d| &mut d.unprojected),
            (end, |d| &mut d.end),
        ] {
            if operand.is_some() {
                relation = relation.plus(operand, matrix(set));
            }
        }
        let by_length = path.tangent_at(t, &PathDirection { dlength: 1.0, ..still() });
        let relation = relation.plus_vector(length, &by_length).plus_vector(begin, &-path.rate(t));
        self.program.define(relation)
    }

    /// (4), with P of bodies that fall asleep as they lie.
    fn launches(&mut self, id: NodeId, time: Option<Change>, after: &mut BTreeMap<BodyId, Option<Change>>) {
        let (chain, node) = (self.chain, self.chain.tape().node(id));
        if node.launches.iter().any(|launch| launch.motion == Launched::Rest) {
            self.fall_asleep(node, after);
        }
        for launch in &node.launches {
            let change = after.get(&launch.body).copied().flatten();
            let launched = match launch.motion {
                Launched::Flight(phase) => {
                    let phases = chain.trajectory.phases(launch.body);
                    let start = phases.get(phase as usize).map(|phase| &phase.course);
                    match (time, start) {
                        (Some(_), Some(Course::Flight(state))) => {
                            let rate = chain.world().flight_rate(launch.body, state);
                            self.program.define(Relation::new(12).plus_identity(change).plus_vector(time, &-rate))
                        }
                        _ => change,
                    }
                }
                Launched::Joined { flight, member } if time.is_some() => {
                    let rate = chain.trajectory.flight(flight).rate(member as usize, node.t);
                    self.program.define(Relation::new(12).plus_identity(change).plus_vector(time, &-rate))
                }
                Launched::Step(_) | Launched::Rest | Launched::Joined { .. } => change,
                // Its tracks alone say how it goes on.
                Launched::Guided => None,
            };
            if let Some(launched) = launched {
                self.program.outputs.push((Variable::Launch(id, launch.body), launched));
            }
        }
    }
}

fn still() -> PathDirection {
    let zero = StateTangent::zeros();
    PathDirection { start: zero, unprojected: zero, end: zero, dlength: 0.0, dx: 0.0 }
}

/// The change of a body that takes no part in an event, at the event's moving time.
pub(super) fn elsewhere(
    builder: &mut Builder,
    body: BodyId,
    node: NodeId,
    t: f64,
    time: Option<Change>,
) -> Option<Change> {
    // What begins at the same instant but later in the order of nodes is not yet so.
    let place = builder.place(body, builder.chain.begun_before(node, body), t);
    builder.moving(&place, time)
}
