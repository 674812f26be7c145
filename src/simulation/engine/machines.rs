//! The machines of a run: who flies with whom, and which of their flights there were. What they do to the run is `switching`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::machines::{self, Group, Switch};
use super::super::tape::{JointRecord, NodeId, SwitchCause};
use crate::dynamics::joined::{JoinedFlight, Machine, Owner};
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
    /// The bodies that joints connect.
    linkages: Vec<BTreeSet<BodyId>>,
    /// Where the record of everything that holds rows began.
    records: BTreeMap<Owner, JointRecord>,
}

impl Machines {
    /// As they are at the start.
    pub fn new(world: &World) -> Machines {
        let guided = world.bodies.iter().any(|body| body.drive.guide().is_some());
        if world.machine.joints.is_empty() && world.machine.forces.is_empty() && !guided {
            return Machines::default();
        }
        let (groups, exempt) = (machines::groups(world, 0.0), machines::exempt(world, 0.0));
        let (switches, linkages) = (machines::switches(world), machines::linkages(world, &groups));
        Machines { groups, exempt, switches, linkages, ..Machines::default() }
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

    /// All that joints connect with some bodies, those too that hold them and stay.
    pub fn linked_to(&self, bodies: impl Fn(&BodyId) -> bool) -> BTreeSet<BodyId> {
        self.linkages.iter().filter(|set| set.iter().any(&bodies)).flatten().copied().collect()
    }

    /// Keeps a flight that begins at a node; its place. The record of what begins to hold rows begins with it.
    pub fn keep(&mut self, flight: Arc<JoinedFlight>, node: NodeId) -> u32 {
        let place = self.flights.len() as u32;
        for owner in flight.machine().holders() {
            self.records.entry(owner).or_insert(JointRecord { owner, flight: place, node });
        }
        self.flights.push(flight);
        place
    }

    /// A flight that was kept.
    pub fn flight(&self, place: u32) -> &JoinedFlight {
        &self.flights[place as usize]
    }

    /// The records of all that holds rows in a machine.
    pub fn records_of(&self, machine: &Machine) -> Vec<JointRecord> {
        machine.holders().iter().filter_map(|owner| self.records.get(owner)).copied().collect()
    }

    /// Forgets the records of what a switch begins anew.
    pub fn begin_anew(&mut self, world: &World, cause: SwitchCause) {
        self.records.retain(|&owner, _| !machines::begins_anew(world, owner, cause));
    }

    /// Groups and exemptions as they are just after a switch; what the groups were before, and are.
    pub fn regroup(&mut self, world: &World, t: f64) -> Vec<Group> {
        let mut all = std::mem::replace(&mut self.groups, machines::groups(world, t));
        all.extend(self.groups.iter().cloned());
        self.linkages = machines::linkages(world, &self.groups);
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
