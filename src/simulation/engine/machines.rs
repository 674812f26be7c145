//! The machines of a run: who flies with whom, and which of their flights there were. What they do to the run is `switching`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::machines::{self, Group, Switch};
use crate::dynamics::joined::JoinedFlight;
use crate::model::{BodyId, Pair, World};

/// The machines of a run.
#[derive(Default)]
pub struct Machines {
    groups: Vec<Group>,
    /// Pairs that pass through each other.
    exempt: BTreeSet<Pair>,
    /// Pairs that did, and have not parted since.
    parting: BTreeSet<Pair>,
    switches: Vec<Switch>,
    flights: Vec<Arc<JoinedFlight>>,
}

impl Machines {
    /// As they are at the start.
    pub fn new(world: &World) -> Machines {
        let guided = world.bodies.iter().any(|body| body.drive.guide().is_some());
        if world.machine.joints.is_empty() && world.machine.forces.is_empty() && !guided {
            return Machines::default();
        }
        let (groups, exempt) = (machines::groups(world, 0.0), machines::exempt(world, 0.0));
        Machines { groups, exempt, switches: machines::switches(world), ..Machines::default() }
    }

    /// All switches of the run, in order of time.
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// Whether a pair passes through each other.
    pub fn are_exempt(&self, pair: Pair) -> bool {
        self.exempt.contains(&pair) || self.parting.contains(&pair)
    }

    /// Whether a body that is pushed flies with a machine.
    pub fn has(&self, body: BodyId) -> bool {
        self.groups.iter().any(|group| group.members.contains(&body))
    }

    /// Bytes that the flights fill.
    pub fn bytes(&self) -> u64 {
        self.flights.iter().map(|flight| flight.bytes()).sum()
    }

    /// All flights there were.
    pub fn into_flights(self) -> Vec<Arc<JoinedFlight>> {
        self.flights
    }

    /// The groups of which a body is among these.
    pub fn groups_of(&self, among: impl Fn(BodyId) -> bool) -> Vec<Group> {
        self.groups.iter().filter(|group| group.members.iter().any(|&body| among(body))).cloned().collect()
    }

    /// Keeps a flight; its place.
    pub fn keep(&mut self, flight: Arc<JoinedFlight>) -> u32 {
        self.flights.push(flight);
        self.flights.len() as u32 - 1
    }

    /// Groups and exemptions as they are just after a switch; what the groups were before, and are.
    pub fn regroup(&mut self, world: &World, t: f64) -> Vec<Group> {
        let mut all = std::mem::replace(&mut self.groups, machines::groups(world, t));
        all.extend(self.groups.iter().cloned());
        let exempt = std::mem::replace(&mut self.exempt, machines::exempt(world, t));
        self.parting.extend(exempt);
        all
    }

    /// Pairs that may have parted by now.
    pub fn parting(&self) -> Vec<Pair> {
        self.parting.iter().copied().collect()
    }

    /// A pair has parted: it may meet again.
    pub fn part(&mut self, pair: Pair) {
        self.parting.remove(&pair);
    }
}
