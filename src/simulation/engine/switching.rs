//! What machines do to the run: they fly on, are struck, change at switches, and end it where something presses on them.

use std::collections::BTreeSet;

use super::super::machines;
use super::super::meeting::TouchingPoint;
use super::super::motion::{JoinedMotion, Motion};
use super::super::tape::{LinkedFlight, Source, SwitchCause, Timing};
use super::super::trajectory::End;
use super::agenda::Next;
use super::holding::Connected;
use super::state::{Engine, Instant};
use crate::dynamics::BodyState;
use crate::dynamics::joined::JoinedFlight;
use crate::geometry::{PlacedPair, TOUCHING};
use crate::model::{BodyId, Pair};
use crate::simulation::settings::SEPARATING;

/// The part of a step after which contacts are asked whether they are pressed together: a rate that falls by as much as tells
/// parting from rest presses. With more, what turns fast would be judged by where it goes later.
const LOOK_AHEAD: f64 = 1.0 / 64.0;

impl Engine<'_> {
    /// Expects all switches.
    pub fn expect_switches(&mut self) {
        for (place, switch) in self.machines.switches().iter().enumerate() {
            self.agenda.push(switch.t, Next::Switch(place as u32));
        }
    }

    /// Lets machines that an instant concerns fly on from their states at t, with all of their bodies; the bodies that do.
    pub fn launch_machines(&mut self, t: f64, instant: &mut Instant) -> BTreeSet<BodyId> {
        let mut launched = BTreeSet::new();
        let node = self.record.tape.present();
        let switches = matches!(self.record.tape.node(node).timing, Timing::Switch(_));
        for group in self.machines.groups_of(|body| instant.contains_key(&body)) {
            for &body in &group.members {
                if self.is_pushed(body) && !instant.contains_key(&body) {
                    instant.insert(body, self.state(body, t));
                    self.record.tape.source(Source::Motion(body));
                }
            }
            let mut states: Vec<BodyState> = group.members.iter().map(|&body| self.now(instant, body, t)).collect();
            let mut flight = machines::flight(&self.world, &group, t, &states);
            let before = group.members.iter().filter(|_| switches).find_map(|&body| self.flight_of(body));
            if let Some(jump) = before.and_then(|before| machines::jump(before, &flight, &states, t)) {
                jump.apply(&mut states);
                flight = machines::flight(&self.world, &group, t, &states);
            }
            let id = self.machines.keep(flight.clone(), node);
            for (member, &body) in group.members.iter().enumerate() {
                if self.is_pushed(body) {
                    let motion = JoinedMotion { flight: flight.clone(), id, member: member as u32 };
                    self.set_motion(body, t, Motion::Joined(motion), None);
                    launched.insert(body);
                }
            }
        }
        launched
    }

    /// The flight in which a body is.
    fn flight_of(&self, body: BodyId) -> Option<&JoinedFlight> {
        match self.runners.motion(body) {
            Motion::Joined(joined) => Some(&joined.flight),
            Motion::Flight(_) | Motion::Step(_) | Motion::Rest(_) | Motion::Guided(..) => None,
        }
    }

    /// A joint begins or ceases to hold, or a track goes on from a key.
    pub fn switch(&mut self, t: f64, place: u32) -> Result<(), End> {
        let cause = self.machines.switches()[place as usize].cause;
        let groups = self.machines.regroup(&self.world, t);
        self.machines.begin_anew(&self.world, cause);
        self.let_parted_meet(t);
        let mut bodies: BTreeSet<BodyId> = machines::bodies_of(&self.world, cause).into_iter().collect();
        let concerned = groups.iter().filter(|group| machines::concerns(&self.world, group, cause));
        bodies.extend(concerned.flat_map(|group| group.members.iter().copied()));
        bodies.retain(|&body| self.is_pushed(body));
        if let Some(&held) = bodies.iter().find(|&&body| self.runners.step(body).is_some()) {
            return Err(self.touched(t, Pair { first: held, second: held }));
        }
        self.record.tape.open(t, Timing::Switch(cause));
        bodies.iter().for_each(|&body| self.record.tape.source(Source::Motion(body)));
        let instant: Instant = bodies.into_iter().map(|body| (body, self.state(body, t))).collect();
        let guided = match cause {
            SwitchCause::Key { track, .. } => machines::guided_by(&self.world, track),
            SwitchCause::Active { .. } => Vec::new(),
        };
        guided.iter().for_each(|&body| self.follow_tracks(t, body));
        self.resume(t, instant)?;
        self.search_again(&guided, t)
    }

    /// Lets a guided body go on as its tracks say from t on.
    pub fn follow_tracks(&mut self, t: f64, body: BodyId) {
        if let Some(guided) = self.world.guided(body, t) {
            self.set_motion(body, t, Motion::Guided(guided, t), None);
        }
    }

    /// Pairs that passed through each other and are apart may meet again.
    pub fn let_parted_meet(&mut self, t: f64) {
        for pair in self.machines.parting() {
            let states = [self.state(pair.first, t), self.state(pair.second, t)];
            if self.separation(pair, [&states[0], &states[1]], None).gap > TOUCHING {
                self.machines.part(pair);
            }
        }
    }

    /// What joints connect with some bodies.
    pub fn linked_to(&self, bodies: &[BodyId]) -> BTreeSet<BodyId> {
        self.machines.linked_to(|body| self.is_pushed(*body) && bodies.contains(body))
    }

    /// The flights of some bodies, as an impact goes through their joints.
    pub fn linked_flights(&self, bodies: &[BodyId]) -> Vec<LinkedFlight> {
        let mut linked: Vec<LinkedFlight> = Vec::new();
        for &body in bodies {
            let Motion::Joined(JoinedMotion { flight, id, .. }) = self.runners.motion(body) else { continue };
            if flight.machine().joints().is_empty() || linked.iter().any(|known| known.flight == *id) {
                continue;
            }
            let place = |member: &usize| bodies.binary_search(&BodyId(*member as u32)).ok().map(|place| place as u32);
            let places = flight.members().iter().map(place).collect();
            let records = self.machines.records_of(flight.machine());
            linked.push(LinkedFlight { flight: *id, places, records });
        }
        linked
    }

    /// Takes the contacts of bodies that fly with machines, or follow tracks, from those that hold others.
    pub fn contacts_on_machines(&self, contacts: &mut Connected) -> Connected {
        let moved = |body: BodyId| self.flies_with_machine(body) || self.is_guided(body);
        let own = |pair: &Pair| moved(pair.first) || moved(pair.second);
        let (on_machines, others) = std::mem::take(contacts).into_iter().partition(|(pair, _)| own(pair));
        *contacts = others;
        on_machines
    }

    /// Whether a body that is pushed flies with a machine.
    fn flies_with_machine(&self, body: BodyId) -> bool {
        self.is_pushed(body) && self.machines.has(body)
    }

    /// Ends the run where a contact with a machine's body, or a guided one, neither strikes nor parts: what lasting contact does to
    /// them is not computed. One that the motions, as they go on, do not press together parts by itself.
    pub fn nothing_presses(&self, t: f64, contacts: &Connected) -> Result<(), End> {
        let after = t + LOOK_AHEAD * self.world.step;
        for (&pair, points) in contacts.iter().filter(|(_, points)| !points.iter().any(|point| self.strikes(point))) {
            let [first, second] = [pair.first, pair.second].map(|body| self.state(body, after));
            let (poses, solids) = ([first.pose(), second.pose()], self.solids(pair));
            let placed = PlacedPair { first: (solids[0], &poses[0]), second: (solids[1], &poses[1]) };
            let presses = |point: &TouchingPoint| {
                let Some(later) = placed.contact(&point.feature) else { return false };
                let velocity = first.point_velocity(later.point) - second.point_velocity(later.point);
                later.normal.dot(&velocity) - point.rate < -SEPARATING
            };
            if points.iter().any(presses) {
                return Err(self.touched(t, pair));
            }
        }
        Ok(())
    }

    /// The end of a run in which a pair of which one is joined stays in touch.
    pub fn touched(&self, t: f64, pair: Pair) -> End {
        End::MachineTouched { t, first: pair.first, second: pair.second }
    }
}
