//! Which decisions two motions have in common, body by body: the fine signature.
//!
//! Where all decisions that can have influenced a body up to a time are equal, its states in the two motions are values of
//! one smooth map. What can have influenced it is its causal past: the nodes at which its own motion changed, and of
//! every body that took part in one of them the nodes before. Nodes are matched by their place in the histories of
//! their bodies, so that what happens elsewhere, and in which order, does not count:
//!
//! ```text
//! shared(body) = how many nodes of its history agree, with all of their past                           (1)
//! ```
//!
//! A node agrees with its twin where it has the same reason, sources, impact and launches. Times and states may differ,
//! and so may what has no influence on the motion: how redundant contacts share their impulses (`stillness`), and where a
//! flight's series begin anew. What missed its tolerance has no derivative and agrees with nothing.

use super::stillness::{cuts_close_alike, impacts_move_alike, steps_move_alike};
use crate::dynamics::BodyState;
use crate::model::BodyId;
use crate::simulation::Trajectory;
use crate::simulation::held::HeldContact;
use crate::simulation::tape::{ImpactRecord, Launch, Launched, Node, NodeId, Source, StepRecord, Tape, Timing};

/// What two motions decided alike.
#[derive(Debug)]
pub struct Agreement<'a> {
    motions: [&'a Trajectory; 2],
    /// (1).
    shared: Vec<usize>,
    /// Where the first difference of all was found, and in what.
    first: Option<Difference>,
}

/// Where two motions part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Time of the node in the first motion, s.
    pub t: f64,
    /// A body that takes part.
    pub body: BodyId,
    /// What differs.
    pub what: &'static str,
}

impl<'a> Agreement<'a> {
    /// Compares two motions of the same bodies.
    pub fn new(first: &'a Trajectory, second: &'a Trajectory) -> Self {
        let [first, second] = [first, second].map(Trajectory::in_own_units);
        let bodies = first.world().bodies.len();
        let mut agreement = Agreement { motions: [first, second], shared: vec![0; bodies], first: None };
        let mut visited = vec![0; bodies];
        for node in &first.tape().nodes {
            agreement.compare(node, &visited);
            node.launches.iter().for_each(|launch| visited[launch.body.index()] += 1);
        }
        agreement
    }

    /// Whether all that can have influenced a body up to t was decided alike.
    pub fn holds(&self, body: BodyId, t: f64) -> bool {
        let t = self.motions[0].world().units().own_time(t);
        let counts = [self.tape(0), self.tape(1)].map(|tape| {
            let history = tape.history(body);
            let begun = history.partition_point(|&node| tape.node(node).t <= t);
            let last = begun.checked_sub(1).and_then(|last| tape.step_of(history[last], body));
            // The path of a step that was cut is bent to where it was: it depends on the node that did.
            let cut = last.is_some_and(|step| step.cut.is_some());
            (begun + usize::from(cut), last.map(|step| step.bend))
        });
        counts[0] == counts[1] && counts[0].0 <= self.shared.get(body.index()).copied().unwrap_or(0)
    }

    /// Whether that is so for all bodies.
    pub fn holds_for_all(&self, t: f64) -> bool {
        (0..self.shared.len()).map(|k| BodyId(k as u32)).all(|body| !self.moves(body) || self.holds(body, t))
    }

    /// Where the motions first part.
    pub fn first_difference(&self) -> Option<Difference> {
        self.first
    }

    fn tape(&self, motion: usize) -> &'a Tape {
        self.motions[motion].tape()
    }

    /// Fixed bodies have no history.
    fn moves(&self, body: BodyId) -> bool {
        !self.tape(0).history(body).is_empty()
    }

    /// Compares a node of the first motion, whose bodies have gone through `visited` nodes before.
    fn compare(&mut self, node: &'a Node, visited: &[usize]) {
        if node.timing == Timing::Start {
            // All bodies start at one node, but each on its own.
            for launch in &node.launches {
                self.judge(node, std::slice::from_ref(launch), visited, true);
            }
        } else {
            self.judge(node, &node.launches, visited, false);
        }
    }

    fn judge(&mut self, node: &'a Node, launches: &[Launch], visited: &[usize], start: bool) {
        let untouched = launches.iter().all(|launch| self.shared[launch.body.index()] == visited[launch.body.index()]);
        if !untouched {
            return;
        }
        let found = match self.twin(launches, visited) {
            Some(twin) => self.difference(node, launches, twin, start),
            None => Some("who takes part"),
        };
        match found {
            None => launches.iter().for_each(|launch| self.shared[launch.body.index()] += 1),
            Some(what) => {
                let body = launches.first().map_or(BodyId(0), |launch| launch.body);
                let unit = self.motions[0].world().units().time;
                self.first.get_or_insert(Difference { t: node.t * unit, body, what });
            }
        }
    }

    /// The node of the second motion at the same place in the histories of all bodies.
    fn twin(&self, launches: &[Launch], visited: &[usize]) -> Option<NodeId> {
        let at = |launch: &Launch| self.tape(1).history(launch.body).get(visited[launch.body.index()]).copied();
        let twin = at(launches.first()?)?;
        launches.iter().all(|launch| at(launch) == Some(twin)).then_some(twin)
    }

    /// What two nodes decided differently.
    fn difference(&self, a: &Node, launches: &[Launch], twin: NodeId, start: bool) -> Option<&'static str> {
        let b = self.tape(1).node(twin);
        if !start {
            if a.launches.len() != b.launches.len() {
                return Some("who takes part");
            }
            if !timings_agree(&a.timing, &b.timing) {
                return Some("why it happens");
            }
            let sources = || a.sources.iter().zip(&b.sources).all(|sources| self.sources_agree(sources, [a, b]));
            if a.sources.len() != b.sources.len() || !sources() {
                return Some("where states come from");
            }
            match (&a.impact, &b.impact) {
                (Some(a), Some(b)) => {
                    if let Some(what) = self.impact_difference(a, b) {
                        return Some(what);
                    }
                }
                (None, None) => {}
                _ => return Some("whether there is an impact"),
            }
        }
        launches.iter().find_map(|launch| self.launch_difference(launch, b.launch(launch.body)?))
    }

    /// Where a flight's series begin anew is no decision.
    fn launch_difference(&self, a: &Launch, b: &Launch) -> Option<&'static str> {
        match (a.motion, b.motion) {
            (Launched::Flight(_), Launched::Flight(_))
            | (Launched::Rest, Launched::Rest)
            | (Launched::Guided, Launched::Guided)
            | (Launched::Joined { .. }, Launched::Joined { .. }) => None,
            (Launched::Step(a), Launched::Step(b)) => self.step_difference(self.tape(0).step(a), self.tape(1).step(b)),
            _ => Some("how a body goes on"),
        }
    }

    fn sources_agree(&self, (a, b): (&Source, &Source), nodes: [&Node; 2]) -> bool {
        match (a, b) {
            (Source::Start(a), Source::Start(b)) | (Source::Motion(a), Source::Motion(b)) => a == b,
            (Source::StepEnd(_), Source::StepEnd(_)) | (Source::Cut(_), Source::Cut(_)) => true,
            (Source::GroupCut(a), Source::GroupCut(b)) => {
                let after = |k: usize, body: BodyId| self.launched(k, nodes[k], body);
                a.steps.len() == b.steps.len()
                    && a.members == b.members
                    && contacts_agree(&a.contacts, &b.contacts)
                    && cuts_close_alike(self.motions, [a, b], after)
            }
            _ => false,
        }
    }

    /// The state with which a body leaves a node of a motion.
    fn launched(&self, motion: usize, node: &Node, body: BodyId) -> BodyState {
        let trajectory = self.motions[motion];
        match node.launch(body).map(|launch| launch.motion) {
            Some(Launched::Step(step)) => {
                let step = self.tape(motion).step(step);
                let place = step.members.iter().position(|member| *member == body);
                place.map_or(trajectory.body_at(body, node.t), |place| step.start[place])
            }
            _ => trajectory.body_at(body, node.t),
        }
    }

    fn impact_difference(&self, a: &ImpactRecord, b: &ImpactRecord) -> Option<&'static str> {
        if !a.solved || !b.solved {
            return Some("an impact that was not solved");
        }
        let decisions = |impact: &ImpactRecord| (impact.without_restitution, impact.scaled_back);
        if a.bodies != b.bodies || a.contacts != b.contacts {
            return Some("what touches in an impact");
        }
        if decisions(a) != decisions(b) {
            return Some("how an impact is solved");
        }
        (!impacts_move_alike(self.motions, [a, b])).then_some("what sticks in an impact")
    }

    fn step_difference(&self, a: &StepRecord, b: &StepRecord) -> Option<&'static str> {
        if a.members != b.members || !contacts_agree(&a.contacts, &b.contacts) {
            return Some("what is held");
        }
        if (a.limit, a.part) != (b.limit, b.part) {
            return Some("the length of a step");
        }
        if !a.solved || !b.solved {
            return Some("a step that was not solved");
        }
        // Where a step ends has nothing to do with the path that leads there, unless it is cut.
        if a.bend != b.bend && (a.cut.is_some() || b.cut.is_some()) {
            return Some("the path of a step");
        }
        // Which of several contacts that stop together names the time is rounding's choice.
        if a.frozen.is_some() != b.frozen.is_some() {
            return Some("whether sliding ends in a step");
        }
        (!steps_move_alike(self.motions, [a, b])).then_some("what sticks in a step")
    }
}

/// Steps are those of the bodies' last launches, and compared there.
fn timings_agree(a: &Timing, b: &Timing) -> bool {
    match (a, b) {
        (Timing::Start, Timing::Start)
        | (Timing::StepEnd(_), Timing::StepEnd(_))
        | (Timing::Same(_), Timing::Same(_)) => true,
        (Timing::Switch(a), Timing::Switch(b)) => a == b,
        (
            Timing::Closing { pair: a, features: a_features, inside: a_inside, level: a_level },
            Timing::Closing { pair: b, features: b_features, inside: b_inside, level: b_level },
        ) => (a, a_features, a_inside.is_some(), a_level) == (b, b_features, b_inside.is_some(), b_level),
        _ => false,
    }
}

/// The same contacts in the same order; their materials may differ.
fn contacts_agree(a: &[HeldContact], b: &[HeldContact]) -> bool {
    let same = |(a, b): (&HeldContact, &HeldContact)| {
        a.pair == b.pair && a.feature == b.feature && a.late == b.late && (a.rolling > 0.0) == (b.rolling > 0.0)
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
