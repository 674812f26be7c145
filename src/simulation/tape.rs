//! The record of what a simulation decided, in the order in which it did: what derivatives are chained over.
//!
//! A *node* is one instant at which motions change. It says why it happens when it does ([`Timing`]), where the states of
//! its bodies come from ([`Source`]), which impact changes them, and how each body goes on ([`Launch`]):
//!
//! ```text
//! motions of before ──sources──▶ q⁻ ──impact──▶ q⁺ ──launches──▶ flights, steps, rest
//! ```
//!
//! It holds decisions, and the few states from which everything else is computed again; no derivative. Two motions with
//! equal decisions (`sensitivity::check`) are values of one smooth map. What the record is made of is told by `recording`;
//! reading it is `sensitivity`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::held::{Bend, Frozen, HeldContact};
use crate::contact::law::Mode;
use crate::dynamics::BodyState;
use crate::dynamics::joined::Owner;
use crate::geometry::Feature;
use crate::model::{BodyId, Pair};

/// A node, by its place on the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A step of a held group, by its place on the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepId(pub u32);

/// Why a node happens when it does.
#[derive(Clone, Debug, PartialEq)]
pub enum Timing {
    /// At time zero.
    Start,
    /// Where a step ends.
    StepEnd(StepId),
    /// At the time of an earlier node.
    Same(NodeId),
    /// Where machines change.
    Switch(SwitchCause),
    /// Where a pair closes.
    Closing {
        /// Who.
        pair: Pair,
        /// E is the mean of these gaps: one, unless several close together.
        features: Vec<Feature>,
        /// The step on whose projected path E is measured; none where each body's own motion is.
        inside: Option<StepId>,
        /// Where the pair overlaps a little at the start of that step: what E is measured from, the mean of these gaps
        /// there. Else from zero.
        level: Vec<Feature>,
    },
}

/// What changes machines at a time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "places in the scene's lists")]
pub enum SwitchCause {
    /// The begin (0) or the end (1) of a time in which a joint holds.
    Active { joint: usize, interval: usize, end: usize },
    /// A key of a track that something follows.
    Key { track: usize, key: usize },
}

/// Where states before an impact come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Of one body: its initial state.
    Start(BodyId),
    /// Of one body: its motion.
    Motion(BodyId),
    /// Of all members of a step: its end.
    StepEnd(StepId),
    /// Of all members of a step that is cut: inside it, projected.
    Cut(StepId),
    /// Of several cut steps and bodies beside them, projected together.
    GroupCut(Box<GroupCut>),
}

/// Steps and bodies that a closing cuts at once.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupCut {
    /// The steps that end here.
    pub steps: Vec<StepId>,
    /// All bodies, fixed ones too, in the order of the projection; what no step has comes from its own motion.
    pub members: Vec<BodyId>,
    /// What is projected; places count among the members.
    pub contacts: Vec<HeldContact>,
    /// Whether each is drawn to gap zero.
    pub active: Vec<bool>,
}

/// One contact of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactContact {
    /// Who touches.
    pub pair: Pair,
    /// Their places among the bodies of the impact.
    pub places: [u32; 2],
    /// Which impact of the pair it is, where it counts.
    pub number: Option<u32>,
    /// What touches what.
    pub feature: Feature,
}

/// Where a joint's record began: it goes on with the law of joints from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRecord {
    /// The joint, or what else holds rows.
    pub owner: Owner,
    /// The flight that began there, by its place among the trajectory's.
    pub flight: u32,
    /// The node at which it did.
    pub node: NodeId,
}

/// A flight whose joints an impact goes through.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedFlight {
    /// Its place among the trajectory's flights.
    pub flight: u32,
    /// Where each of its members stands among the bodies of the impact; none of those that take no part.
    pub places: Vec<Option<u32>>,
    /// Of everything that holds rows.
    pub records: Vec<JointRecord>,
}

/// An impact.
#[derive(Clone, Debug)]
pub struct ImpactRecord {
    /// When, s.
    pub t: f64,
    /// Who takes part, fixed bodies too, in order.
    pub bodies: Vec<BodyId>,
    /// q⁻ of each.
    pub states: Vec<BodyState>,
    /// In the order in which they were solved.
    pub contacts: Vec<ImpactContact>,
    /// The flights whose joints it goes through.
    pub linked: Vec<LinkedFlight>,
    /// Whether restitution was taken away: too many impacts followed each other, or a rim lies down.
    pub without_restitution: bool,
    /// What each contact did in every pass of each phase.
    pub modes: Vec<Mode>,
    /// Whether the expansion was scaled back to keep energy from growing.
    pub scaled_back: bool,
    /// Whether its contact problems were solved.
    pub solved: bool,
}

/// What limited the length of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepLimit {
    /// The next point of the time grid, s.
    Grid(f64),
    /// The turn of a member, by its place.
    Turn(usize),
}

/// A step of a held group.
#[derive(Clone, Debug)]
pub struct StepRecord {
    /// The node that started it.
    pub node: NodeId,
    /// The node that cut it short.
    pub cut: Option<NodeId>,
    /// Who takes part, fixed bodies too, in order.
    pub members: Vec<BodyId>,
    /// Where each starts.
    pub start: Vec<BodyState>,
    /// What was held.
    pub contacts: Vec<HeldContact>,
    /// What limited its length.
    pub limit: StepLimit,
    /// The part of that limit that was tried.
    pub part: f64,
    /// How long it lasts, uncut, s.
    pub length: f64,
    /// What the contact solver started from.
    pub warm: Option<Vec<f64>>,
    /// Where it ends because sliding does, how.
    pub frozen: Option<Arc<Frozen>>,
    /// What each contact did in every pass of the contact solver, one pass after the other.
    pub modes: Vec<Mode>,
    /// The contacts that its projection closed.
    pub closed: Vec<usize>,
    /// How its projection is spread.
    pub bend: Bend,
    /// Whether its contact problem was solved.
    pub solved: bool,
}

/// How a body goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launched {
    /// It flies; the place among the body's phases.
    Flight(u32),
    /// It is a member of a step.
    Step(StepId),
    /// It flies with a machine.
    #[allow(missing_docs, reason = "the place among the trajectory's flights, and among its members")]
    Joined { flight: u32, member: u32 },
    /// It follows its tracks.
    Guided,
    /// It sleeps where the step that ends here left it.
    Rest,
}

/// A body that goes on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Who.
    pub body: BodyId,
    /// How.
    pub motion: Launched,
    /// The node that began its motion before.
    pub before: Option<NodeId>,
}

/// One instant at which motions change.
#[derive(Clone, Debug)]
pub struct Node {
    /// s.
    pub t: f64,
    /// Why then.
    pub timing: Timing,
    /// Where states come from; every body once.
    pub sources: Vec<Source>,
    /// What changes them.
    pub impact: Option<Box<ImpactRecord>>,
    /// How they go on.
    pub launches: Vec<Launch>,
}

/// What the parts of a tape fill on a machine of 64 bits: a node with one source, a body that goes on from it, an impact, a step,
/// each of their bodies and contacts.
const NODE_BYTES: u64 = 160;
const LAUNCH_BYTES: u64 = 28;
const IMPACT_BYTES: u64 = 104;
const STEP_BYTES: u64 = 256;
const MEMBER_BYTES: u64 = 108;
const CONTACT_BYTES: u64 = 96;

/// All nodes and steps of a motion, in order.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// In the order in which they happened.
    pub nodes: Vec<Node>,
    /// In the order in which they started.
    pub steps: Vec<StepRecord>,
    /// The nodes at which each body's motion changes.
    histories: Vec<Vec<NodeId>>,
    /// Bytes filled so far, about.
    bytes: u64,
}

impl Tape {
    /// Begins a node; what follows belongs to it.
    pub(super) fn open(&mut self, t: f64, timing: Timing) {
        self.bytes += NODE_BYTES;
        // Most nodes have one source and one body that goes on.
        let (sources, launches) = (Vec::with_capacity(1), Vec::with_capacity(1));
        self.nodes.push(Node { t, timing, sources, impact: None, launches });
    }

    /// The node that began a body's present motion.
    pub(super) fn latest(&self, body: BodyId) -> Option<NodeId> {
        self.history(body).last().copied()
    }

    /// The node that is being recorded.
    pub(super) fn present(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1) as u32)
    }

    /// Tells where states come from.
    pub(super) fn source(&mut self, source: Source) {
        let present = self.present();
        let cut: &[StepId] = match &source {
            Source::Cut(step) => &[*step],
            Source::GroupCut(cut) => &cut.steps,
            _ => &[],
        };
        for step in cut {
            self.steps[step.0 as usize].cut = Some(present);
        }
        if let Source::GroupCut(cut) = &source {
            self.bytes += cut.contacts.len() as u64 * CONTACT_BYTES;
        }
        if let Some(node) = self.nodes.last_mut() {
            node.sources.push(source);
        }
    }

    /// Begins a step of a held group.
    pub(super) fn step_begins(&mut self, step: StepRecord) -> StepId {
        let (members, contacts) = (step.members.len() as u64, step.contacts.len() as u64);
        self.bytes += STEP_BYTES + members * MEMBER_BYTES + contacts * CONTACT_BYTES;
        self.steps.push(step);
        StepId(self.steps.len() as u32 - 1)
    }

    /// Tells of the impact.
    pub(super) fn impact(&mut self, impact: ImpactRecord) {
        let (members, contacts) = (impact.bodies.len() as u64, impact.contacts.len() as u64);
        let records: usize = impact.linked.iter().map(|linked| linked.places.len() + linked.records.len()).sum();
        self.bytes += IMPACT_BYTES + members * MEMBER_BYTES + contacts * CONTACT_BYTES + records as u64 * LAUNCH_BYTES;
        if let Some(node) = self.nodes.last_mut() {
            node.impact = Some(Box::new(impact));
        }
    }

    /// Tells how a body goes on.
    pub(super) fn launch(&mut self, body: BodyId, motion: Launched) {
        let (present, before) = (self.present(), self.latest(body));
        if self.histories.len() <= body.index() {
            self.histories.resize(body.index() + 1, Vec::new());
        }
        self.histories[body.index()].push(present);
        self.bytes += LAUNCH_BYTES;
        if let Some(node) = self.nodes.last_mut() {
            node.launches.push(Launch { body, motion, before });
        }
    }

    /// The nodes at which a body's motion changes, in order.
    pub fn history(&self, body: BodyId) -> &[NodeId] {
        self.histories.get(body.index()).map_or(&[], Vec::as_slice)
    }

    /// The node that began the motion in which a body is at t.
    pub fn begun(&self, body: BodyId, t: f64) -> Option<NodeId> {
        let history = self.history(body);
        let later = history.partition_point(|&node| self.node(node).t <= t);
        later.checked_sub(1).map(|last| history[last])
    }

    /// The step in which a body leaves a node.
    pub fn step_of(&self, node: NodeId, body: BodyId) -> Option<&StepRecord> {
        match self.node(node).launch(body)?.motion {
            Launched::Step(step) => Some(self.step(step)),
            _ => None,
        }
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// A step.
    pub fn step(&self, id: StepId) -> &StepRecord {
        &self.steps[id.0 as usize]
    }

    /// Bytes that it fills, as they are counted on every machine.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes that the record occupies, about.
    pub fn memory(&self) -> usize {
        let node = |node: &Node| {
            let impact = node.impact.as_ref().map_or(0, |impact| impact.memory());
            size_of::<Node>()
                + node.sources.len() * size_of::<Source>()
                + node.launches.len() * size_of::<Launch>()
                + impact
        };
        let step = |step: &StepRecord| {
            size_of::<StepRecord>()
                + step.members.len() * (size_of::<BodyId>() + size_of::<BodyState>())
                + step.contacts.len() * (size_of::<HeldContact>() + size_of::<Mode>())
                + step.closed.len() * size_of::<usize>()
                + step.warm.as_ref().map_or(0, |warm| warm.len() * size_of::<f64>())
        };
        self.nodes.iter().map(node).sum::<usize>() + self.steps.iter().map(step).sum::<usize>()
    }
}

impl Node {
    /// How a body goes on from here.
    pub fn launch(&self, body: BodyId) -> Option<&Launch> {
        self.launches.iter().find(|launch| launch.body == body)
    }
}

impl ImpactRecord {
    /// Pairs that were apart and meet here.
    pub fn meetings(&self) -> usize {
        let pairs: BTreeSet<Pair> =
            self.contacts.iter().filter(|contact| contact.number.is_some()).map(|contact| contact.pair).collect();
        pairs.len()
    }

    fn memory(&self) -> usize {
        size_of::<ImpactRecord>()
            + self.bodies.len() * (size_of::<BodyId>() + size_of::<BodyState>())
            + self.contacts.len() * size_of::<ImpactContact>()
            + self.modes.len() * size_of::<Mode>()
    }
}

impl StepRecord {
    /// The place of a body among the members.
    pub fn place(&self, body: BodyId) -> Option<usize> {
        self.members.iter().position(|member| *member == body)
    }

    /// The length asked for, before sliding ended it.
    pub fn whole(&self) -> f64 {
        self.frozen.as_ref().map_or(self.length, |frozen| frozen.whole)
    }

    /// Whether it ends at a point of the time grid, which nothing moves.
    pub fn ends_on_grid(&self) -> bool {
        matches!(self.limit, StepLimit::Grid(_)) && self.part == 1.0 && self.frozen.is_none()
    }
}
