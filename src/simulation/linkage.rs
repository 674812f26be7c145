//! What joints make of an impact: the rows that hold in all of its phases.
//!
//! ```text
//! s·(n·(v_A − v_B) + b_A·ω_A − b_B·ω_B) = s·(Ḋ_kept − D_t),      s = 1/√(J·W·Jᵀ)                     (1)
//! ```
//!
//! Ḋ_kept is that of the joint's own record (`dynamics::joined::HeldRow`), which begins with the flight in which the joint
//! began to hold. Each row counts by its own diagonal, so that rows of lengths and of angles are alike; s is a mere unit, and
//! changes nothing where joints agree. The world is one more body at the end of the impact's own, which nothing moves.
//! What an impact makes of the rows is `contact`; how they are chained is `sensitivity`.

use crate::contact::law::RowLaw;
use crate::contact::{GroupBody, RowBlock, Rows};
use crate::dynamics::BodyState;
use crate::dynamics::joined::{HeldRow, HeldRowChanges, JoinedFlight, KeptSpeed};
use crate::math::{Mat3, Vec3};
use crate::model::BodyId;
use crate::simulation::tape::{JointRecord, LinkedFlight};

/// Rows of a block.
const ROWS: usize = 3;

/// All rows that joints add to an impact.
pub struct Linkage<'a> {
    /// Joint by joint.
    pub rows: Vec<LinkedRow>,
    machines: Vec<LinkedMachine<'a>>,
    /// The flights in which records began.
    begun: Vec<&'a JoinedFlight>,
    /// Where the world stands among the bodies.
    world: usize,
    /// s.
    t: f64,
}

/// A flight that an impact goes through.
struct LinkedMachine<'a> {
    flight: &'a JoinedFlight,
    states: Vec<BodyState>,
}

/// One row of a joint in an impact.
#[derive(Clone, Copy, Debug)]
pub struct LinkedRow {
    /// The row as it is.
    pub row: HeldRow,
    /// Ḋ_kept, and when it was begun; none where the velocities before the impact are kept.
    pub kept: Option<(KeptSpeed, JointRecord)>,
    /// s of (1).
    pub scale: f64,
    /// Its block.
    pub block: usize,
    /// Its place there.
    pub place: usize,
    /// Its bodies' places in the impact.
    bodies: [usize; 2],
    /// Its machine, and its place among the rows of that.
    machine: (usize, usize),
    /// The same of its record.
    record: (usize, usize),
}

/// How a row of a joint changes somewhere.
#[derive(Clone, Copy)]
pub struct LinkedRowChanges<'c> {
    /// With what, and by how much.
    pub row: &'c HeldRowChanges,
    /// The bodies on its sides.
    pub bodies: [Option<BodyId>; 2],
}

impl<'a> Linkage<'a> {
    /// The rows of some flights at t, for bodies in these states; the world is added to the bodies where there are any.
    pub fn new(
        linked: &[LinkedFlight],
        flight: impl Fn(u32) -> &'a JoinedFlight,
        states: &[BodyState],
        bodies: &mut Vec<GroupBody>,
        t: f64,
    ) -> Linkage<'a> {
        let mut linkage = Linkage { rows: Vec::new(), machines: Vec::new(), begun: Vec::new(), world: bodies.len(), t };
        for of in linked {
            linkage.add(of, &flight, states, bodies);
        }
        if !linkage.rows.is_empty() {
            let zero = Vec3::zeros();
            let (position, velocity, spin) = (zero, zero, zero);
            bodies.push(GroupBody { inverse_mass: 0.0, inverse_inertia: Mat3::zeros(), position, velocity, spin });
        }
        linkage
    }

    fn add(
        &mut self,
        linked: &LinkedFlight,
        flight: &impl Fn(u32) -> &'a JoinedFlight,
        states: &[BodyState],
        bodies: &[GroupBody],
    ) {
        let own = flight(linked.flight);
        let state = |(member, place): (usize, &Option<u32>)| {
            place.map_or_else(|| own.at(member, self.t), |place| states[place as usize])
        };
        let machine = LinkedMachine { flight: own, states: linked.places.iter().enumerate().map(state).collect() };
        let rows = own.held_rows(self.t, &machine.states).rows();
        let takes_part = |row: &HeldRow| {
            let mut sides = row.sides.iter().flatten();
            row.sides != [None; 2] && sides.all(|&member| linked.places[member].is_some())
        };
        for (at, row) in rows.iter().enumerate().filter(|(_, row)| takes_part(row)) {
            let place = |side: usize| row.sides[side].and_then(|member| linked.places[member]);
            let sides = [0, 1].map(|side| place(side).map_or(self.world, |place| place as usize));
            let compliance = [0, 1].map(|side| bodies.get(sides[side]).map_or(0.0, |body| answer(body, row, side)));
            let diagonal: f64 = compliance.iter().sum();
            if diagonal <= 0.0 {
                continue;
            }
            let nth = rows[..at].iter().filter(|other| other.owner == row.owner).count();
            let (kept, record) = self.kept(linked, flight, row, nth);
            let last = self.rows.last().filter(|last| last.row.owner == row.owner && last.bodies == sides);
            let (block, place) = match last {
                Some(last) if last.place + 1 < ROWS => (last.block, last.place + 1),
                _ => (self.rows.last().map_or(0, |last| last.block + 1), 0),
            };
            let (scale, machine) = (1.0 / diagonal.sqrt(), (self.machines.len(), at));
            self.rows.push(LinkedRow { row: *row, kept, scale, block, place, bodies: sides, machine, record });
        }
        self.machines.push(machine);
    }

    /// Ḋ_kept of a row, the nth of its joint, and where its record is.
    fn kept(
        &mut self,
        linked: &LinkedFlight,
        flight: &impl Fn(u32) -> &'a JoinedFlight,
        row: &HeldRow,
        nth: usize,
    ) -> (Option<(KeptSpeed, JointRecord)>, (usize, usize)) {
        let Some(record) = linked.records.iter().find(|record| record.owner == row.owner) else {
            return (None, (0, 0));
        };
        let begun = flight(record.flight);
        let rows = begun.first_rows().rows();
        let mut own = rows.iter().enumerate().filter(|(_, other)| other.owner == row.owner);
        let Some((at, first)) = own.nth(nth) else { return (None, (0, 0)) };
        let known = self.begun.iter().position(|other| std::ptr::eq(*other, begun));
        let place = known.unwrap_or_else(|| {
            self.begun.push(begun);
            self.begun.len() - 1
        });
        (Some((first.kept_speed(self.t - begun.start()), *record)), (place, at))
    }

    /// The blocks of rows, in order.
    pub fn blocks(&self) -> Vec<RowBlock> {
        let mut blocks: Vec<RowBlock> = Vec::new();
        for row in &self.rows {
            if row.block == blocks.len() {
                let zero = Mat3::zeros();
                let [first, second] = row.bodies;
                let rows = Rows { first, second, push: zero, first_turn: zero, second_turn: zero };
                blocks.push(RowBlock { rows, law: RowLaw::Equality { rows: 0 }, target: Vec3::zeros() });
            }
            let (block, HeldRow { along, turning, .. }) = (&mut blocks[row.block], &row.row);
            block.law = RowLaw::Equality { rows: row.place + 1 };
            block.rows.push.set_row(row.place, &(row.scale * along).transpose());
            // The second body's part counts backwards, in blocks as in rows.
            block.rows.first_turn.set_row(row.place, &(row.scale * turning[0]).transpose());
            block.rows.second_turn.set_row(row.place, &(row.scale * turning[1]).transpose());
            block.target[row.place] = row.scale * row.wanted();
        }
        blocks
    }

    /// Calls for every row with how it changes where it is, and where its record begins.
    pub fn for_changes(&self, mut call: impl FnMut(&LinkedRow, LinkedRowChanges, Option<LinkedRowChanges>)) {
        let of = |machine: &LinkedMachine| machine.flight.held_rows(self.t, &machine.states).changes();
        let now: Vec<Vec<HeldRowChanges>> = self.machines.iter().map(of).collect();
        let begun: Vec<Vec<HeldRowChanges>> = self.begun.iter().map(|flight| flight.first_rows().changes()).collect();
        for row in &self.rows {
            let (machine, at) = row.machine;
            let now = LinkedRowChanges::new(self.machines[machine].flight, &now[machine][at]);
            let (place, first) = row.record;
            let begun = row.kept.map(|_| LinkedRowChanges::new(self.begun[place], &begun[place][first]));
            call(row, now, begun);
        }
    }
}

impl<'c> LinkedRowChanges<'c> {
    fn new(flight: &JoinedFlight, row: &'c HeldRowChanges) -> LinkedRowChanges<'c> {
        let bodies = row.sides.map(|side| side.map(|member| BodyId(flight.members()[member] as u32)));
        LinkedRowChanges { row, bodies }
    }
}

impl LinkedRow {
    /// What the rates of the bodies make of the row afterwards.
    fn wanted(&self) -> f64 {
        self.kept.map_or(self.row.speed, |(kept, _)| kept.speed) - self.row.drift
    }
}

/// How a row answers an impulse in it through a body on one of its sides.
fn answer(body: &GroupBody, row: &HeldRow, side: usize) -> f64 {
    let turning = &row.turning[side];
    body.inverse_mass * row.along.norm_squared() + turning.dot(&(body.inverse_inertia * turning))
}
