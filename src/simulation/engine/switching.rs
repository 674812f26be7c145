//! What machines do to the run: they fly on, change at switches, and end it where something touches them.

use std::collections::BTreeSet;

use super::super::machines;
use super::super::motion::{JoinedMotion, Motion};
use super::super::meeting::TouchingPoint;
use super::super::tape::{Source, SwitchCause, Timing};
use super::super::trajectory::End;
use super::agenda::Next;
use super::holding::Connected;
use super::state::{Engine, Instant};
use crate::dynamics::BodyState;
use crate::dynamics::joined::JoinedFlight;
use crate::geometry::TOUCHING;
use crate::model::{BodyId, Pair};

impl Engine<'_> {
    /// Expects all switches.
    pub fn expect_switches(&mut self) {
        for (place, switch) in self.machines.switches().iter().enumerate() {
            self.agenda.push(switch.t, Next::Switch(place as u32));
        }
    }

    /// Lets machines that an instant concerns fly on from their states at t; the bodies that do.
    pub fn launch_machines(&mut self, t: f64, instant: &Instant) -> BTreeSet<BodyId> {
        let mut launched = BTreeSet::new();
        for group in self.machines.groups_of(|body| instant.contains_key(&body)) {
            let mut states: Vec<BodyState> = group.members.iter().map(|&body| self.now(instant, body, t)).collect();
            let mut flight = machines::flight(&self.world, &group, t, &states);
            let before = group.members.iter().find_map(|&body| self.flight_of(body));
            if let Some(jump) = before.and_then(|before| machines::jump(before, &flight, &states, t)) {
                jump.apply(&mut states);
                flight = machines::flight(&self.world, &group, t, &states);
            }
            let id = self.machines.keep(flight.clone());
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

    /// Ends the run where something lies on a guided body, or slides along it: what lasting contact with one does is not computed.
    pub fn guided_are_free(&self, t: f64, contacts: &Connected) -> Result<(), End> {
        let lies = |(pair, points): &(&Pair, &Vec<TouchingPoint>)| {
            let guided = [pair.first, pair.second].iter().any(|&body| self.is_guided(body));
            guided && !points.iter().any(|point| self.strikes(point))
        };
        contacts.iter().find(lies).map_or(Ok(()), |(pair, _)| Err(self.touched(t, *pair)))
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

    /// Ends the run where something touches a machine: what impacts and lasting contact do to joined bodies is not computed.
    pub fn machines_are_free(&self, t: f64, contacts: &Connected) -> Result<(), End> {
        match contacts.keys().find(|pair| self.machines.has(pair.first) || self.machines.has(pair.second)) {
            Some(pair) => Err(self.touched(t, *pair)),
            None => Ok(()),
        }
    }

    /// The end of a run in which a pair of which one is joined touches.
    pub fn touched(&self, t: f64, pair: Pair) -> End {
        End::MachineTouched { t, first: pair.first, second: pair.second }
    }
}
