//! When a pair closes, and what an impact does: (1) and (3) of `chain`.
//!
//! ```text
//! T = −(Σ_b E_b·S_b + E_size·δs/s − δℓ)/(Σ_b E_b·F_b)    b the two bodies, F_b along the path that was searched   (1)
//! δn = N·(n_q·B + …),   δpoint = point_q·B + …            the features move with both bodies and their sizes       (2)
//! ```
//!
//! ℓ is the level from which E falls: zero, or where a held pair overlaps a little at the start of its step what it has
//! there. N is the derivative of the tilts of `frame`. The denominator of (1) is the speed at which E falls; where it is too
//! small the contact grazes: T is left out and the node marked. The derivative of the velocities after an impact, row by
//! row, is [`ImpactRows`](crate::contact::ImpactRows).

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, RowSVector};

use super::chain::{Builder, Place};
use super::change::Change;
use super::linear::Relation;
use super::struck::JointCovectors;
use super::{Mark, Reason};
use crate::contact::{BodyDirection, ContactDirection, GroupBody, ImpactDirection, joined_impact};
use crate::dynamics::{MassProperties, stacked};
use crate::geometry::{ContactDerivative, Feature, PlaceRow, PlacedPair};
use crate::math::Vec3;
use crate::model::{Axis, BodyId, Field, Pair, Quantity, Subject, Tilt, World};
use crate::simulation::grouping::{ImpactPair, NormalDerivative, group_body, inverse_changes};
use crate::simulation::linkage::Linkage;
use crate::simulation::tape::{ImpactContact, ImpactRecord, NodeId, StepId};
use crate::simulation::{GRAZING, Trajectory};

/// A contact of an impact: how its geometry moves, and how its tilted normal turns.
pub(super) struct Touch {
    met: ImpactPair,
    pub(super) derivative: ContactDerivative,
    normal: NormalDerivative,
}

impl Builder<'_> {
    /// (1).
    pub(super) fn closing(
        &mut self,
        id: NodeId,
        pair: Pair,
        [features, level]: [&[Feature]; 2],
        inside: Option<StepId>,
    ) -> Option<Change> {
        let t = self.chain.tape().node(id).t;
        let places = match inside {
            Some(step) => self.places_inside(step, pair, t),
            None => [pair.first, pair.second].map(|body| self.before(id, body)),
        };
        let Some(derivative) = self.mean_gap(pair, features, &places) else {
            self.marks.push(Mark { t, reason: Reason::Unsolved });
            return None;
        };
        let row = |side: usize| {
            let mut row = RowSVector::<f64, 12>::zeros();
            row.fixed_columns_mut::<6>(0).copy_from(&derivative.fixed_columns::<6>(6 * side));
            row
        };
        let speed = -(row(0) * places[0].rate + row(1) * places[1].rate).x;
        if speed.is_nan() || speed < GRAZING {
            self.marks.push(Mark { t, reason: Reason::Grazing });
            return None;
        }
        let mut relation = self.plus_gap(Relation::new(1), pair, &places, &(derivative / speed));
        if let Some(step) = inside.filter(|_| !level.is_empty()) {
            let starts = self.places_at_start(step, pair);
            if let Some(derivative) = self.mean_gap(pair, level, &starts) {
                relation = self.plus_gap(relation, pair, &starts, &(derivative / -speed));
            }
        }
        self.program.define(relation)
    }

    /// Adds a change of a gap, of which `derivative` has the factors.
    fn plus_gap(&self, mut relation: Relation, pair: Pair, places: &[Place; 2], derivative: &PlaceRow) -> Relation {
        for (side, (place, body)) in places.iter().zip([pair.first, pair.second]).enumerate() {
            relation = relation.plus_pose(place.change, derivative.fixed_columns::<6>(6 * side).into());
            if self.chain.seeds.asks(Quantity::Size(body)) {
                relation =
                    relation.plus_quantity(Quantity::Size(body), DVector::from_element(1, derivative[12 + side]));
            }
        }
        relation
    }

    /// E_q, the mean over the features that close.
    fn mean_gap(&self, pair: Pair, features: &[Feature], places: &[Place; 2]) -> Option<PlaceRow> {
        let poses = [places[0].state.pose(), places[1].state.pose()];
        let solid = |body: BodyId| &*self.chain.world().bodies[body.index()].solid;
        let placed = PlacedPair { first: (solid(pair.first), &poses[0]), second: (solid(pair.second), &poses[1]) };
        let mut sum = PlaceRow::zeros();
        for feature in features {
            sum += placed.contact_derivative(feature)?.dgap / features.len() as f64;
        }
        (!features.is_empty()).then_some(sum)
    }

    /// P of all bodies.
    pub(super) fn impact(
        &mut self,
        t: f64,
        record: &ImpactRecord,
        before: &BTreeMap<BodyId, Option<Change>>,
        time: Option<Change>,
    ) -> BTreeMap<BodyId, Option<Change>> {
        let mut after = before.clone();
        let Some(local) = local_impact(self.chain.trajectory, record) else {
            self.marks.push(Mark { t, reason: Reason::Unsolved });
            return after;
        };
        if !record.solved {
            self.marks.push(Mark { t, reason: Reason::Unsolved });
        }
        if record.meetings() > 1 {
            self.marks.push(Mark { t, reason: Reason::Simultaneous });
        }
        let moving: Vec<usize> = (0..record.bodies.len())
            .filter(|&k| self.chain.world().bodies[record.bodies[k].index()].drive.is_pushed())
            .collect();
        let change = |&body: &BodyId| {
            let fixed = self.chain.world().bodies[body.index()].drive.never_moves();
            if fixed { self.chain.start(body) } else { before.get(&body).copied().flatten() }
        };
        let changes: Vec<Option<Change>> = record.bodies.iter().map(change).collect();
        let asked: Vec<usize> = (0..changes.len()).filter(|&k| changes[k].is_some()).collect();
        let quantities = self.impact_quantities(record);
        let (by_states, by_quantities, joints) = local.derivative(&moving, &asked, &quantities);
        let mut relation = Relation::new(6 * moving.len());
        for (&k, matrix) in asked.iter().zip(by_states) {
            relation = relation.plus(changes[k], matrix);
        }
        for (quantity, column) in quantities.into_iter().zip(by_quantities) {
            relation = relation.plus_quantity(quantity, column);
        }
        if !local.linkage.rows.is_empty() {
            relation = self.plus_joints(relation, (&local.linkage, &joints), &|body| change(&body), time);
        }
        let velocities = self.program.define(relation);
        for (place, &k) in moving.iter().enumerate() {
            let body = record.bodies[k];
            let own = velocities.map(|velocities| velocities.rows(6 * place, 6));
            let relation = Relation::new(12).plus_first(before.get(&body).copied().flatten(), 6).plus_from(own, 6);
            after.insert(body, self.program.define(relation));
        }
        after
    }

    /// The numbers asked for on which an impact depends.
    fn impact_quantities(&self, record: &ImpactRecord) -> Vec<Quantity> {
        let of_surface = |subject: Subject| {
            let tilts = Tilt::ALL.map(|tilt| Field::Normal.of(subject).along(tilt));
            let material = [Field::Restitution, Field::Friction].map(|field| field.of(subject));
            material.into_iter().chain(tilts).map(Quantity::Parameter)
        };
        let of_body = |&body: &BodyId| {
            [Quantity::Mass(body), Quantity::Size(body)]
                .into_iter()
                .chain(Axis::ALL.map(move |axis| Quantity::Inertia(body, axis)))
                .chain(of_surface(body.into()))
        };
        let of_impact = |contact: &ImpactContact| {
            let ImpactContact { pair, number, .. } = *contact;
            number.into_iter().flat_map(move |number| of_surface((pair, number).into()))
        };
        let all = record.bodies.iter().flat_map(of_body).chain(record.contacts.iter().flat_map(of_impact));
        let mut quantities: Vec<Quantity> = all.filter(|quantity| self.chain.seeds.asks(*quantity)).collect();
        quantities.sort_unstable();
        quantities.dedup();
        quantities
    }
}

/// The impact solved again, with what its derivative needs; none where a feature is degenerate.
pub(super) fn local_impact<'r>(trajectory: &'r Trajectory, record: &'r ImpactRecord) -> Option<LocalImpact<'r>> {
    let world = trajectory.world();
    let (mut touches, mut contacts) = (Vec::new(), Vec::new());
    for contact in &record.contacts {
        let ImpactContact { pair, places, number, feature } = *contact;
        let met = ImpactPair { pair, places: places.map(|place| place as usize), number };
        let poses = met.places.map(|place| record.states[place].pose());
        let solid = |body: BodyId| &*world.bodies[body.index()].solid;
        let placed = PlacedPair { first: (solid(pair.first), &poses[0]), second: (solid(pair.second), &poses[1]) };
        let (geometry, derivative) = (placed.contact(&feature)?, placed.contact_derivative(&feature)?);
        contacts.push(met.contact(world, geometry.point, geometry.normal, record.without_restitution));
        touches.push(Touch { met, derivative, normal: met.normal_derivative(world, &geometry.normal) });
    }
    let masses: Vec<MassProperties> = record.bodies.iter().map(|body| world.bodies[body.index()].mass).collect();
    let mut bodies: Vec<GroupBody> =
        record.states.iter().zip(&masses).map(|(state, mass)| group_body(mass, state)).collect();
    let flight = |flight: u32| &**trajectory.flight(flight);
    let linkage = Linkage::new(&record.linked, flight, &record.states, &mut bodies, record.t);
    let solved = joined_impact(&bodies, &contacts, &linkage.blocks(), world.rest_speed);
    Some(LocalImpact { world, record, masses, touches, linkage, solved })
}

impl Touch {
    /// (2) for a column of `ContactDerivative`.
    fn direction(&self, column: usize, direction: &mut ContactDirection) {
        direction.dpoint += self.derivative.dpoint.column(column);
        direction.dnormal += self.normal.by_geometry * self.derivative.dnormal.column(column);
    }

    /// (2) for a covector of the contact: that of all columns of `ContactDerivative`.
    fn covector(&self, contact: &ContactDirection) -> PlaceRow {
        let normal = self.normal.by_geometry.tr_mul(&contact.dnormal);
        contact.dpoint.tr_mul(&self.derivative.dpoint) + normal.tr_mul(&self.derivative.dnormal)
    }
}

/// An impact with its derivative.
pub(super) struct LocalImpact<'r> {
    world: &'r World,
    record: &'r ImpactRecord,
    masses: Vec<MassProperties>,
    pub(super) touches: Vec<Touch>,
    pub(super) linkage: Linkage<'r>,
    pub(super) solved: crate::contact::Impact,
}

impl LocalImpact<'_> {
    /// The derivatives of v⁺ and ω⁺ of the `moving` bodies, 6 rows each: by the states of some bodies, 12 columns each, by
    /// numbers of the world, and by the rows of joints.
    pub(super) fn derivative(
        &self,
        moving: &[usize],
        states: &[usize],
        quantities: &[Quantity],
    ) -> (Vec<DMatrix<f64>>, Vec<DVector<f64>>, JointCovectors) {
        let count = 6 * moving.len();
        let mut by_states = vec![DMatrix::zeros(count, 12); states.len()];
        let mut by_quantities = vec![DVector::zeros(count); quantities.len()];
        let directions: Vec<ImpactDirection> = quantities.iter().map(|&quantity| self.direction(quantity)).collect();
        let mut joints = JointCovectors::new(&self.linkage, count);
        for (place, rows) in self.solved.rows(moving).iter().enumerate() {
            for (row, (bodies, contacts)) in rows.iter().enumerate() {
                self.by_states(6 * place + row, bodies, contacts, states, &mut by_states);
                joints.set(&self.linkage, 6 * place + row, rows.blocks(row));
            }
            for (column, direction) in by_quantities.iter_mut().zip(&directions) {
                rows.along(direction).enumerate().for_each(|(row, entry)| column[6 * place + row] = entry);
            }
        }
        (by_states, by_quantities, joints)
    }

    /// A row by the states of some bodies: poses also move the contacts, (2).
    fn by_states(
        &self,
        row: usize,
        bodies: &[BodyDirection],
        contacts: &[ContactDirection],
        states: &[usize],
        matrices: &mut [DMatrix<f64>],
    ) {
        for (matrix, &body) in matrices.iter_mut().zip(states) {
            let own = &bodies[body];
            let mut covector = stacked(own.dposition, own.drotation, own.dvelocity, own.dspin);
            if self.world.bodies[self.record.bodies[body].index()].drive.never_moves() {
                covector.fixed_rows_mut::<6>(6).fill(0.0);
            }
            matrix.row_mut(row).tr_copy_from(&covector);
        }
        for (touch, contact) in self.touches.iter().zip(contacts) {
            let moved = touch.covector(contact);
            for (side, place) in touch.met.places.into_iter().enumerate() {
                for (matrix, _) in matrices.iter_mut().zip(states).filter(|(_, body)| **body == place) {
                    let mut pose = matrix.fixed_view_mut::<1, 6>(row, 0);
                    pose += moved.fixed_columns::<6>(6 * side);
                }
            }
        }
    }

    /// What a number of the world changes.
    fn direction(&self, quantity: Quantity) -> ImpactDirection {
        let mut direction = ImpactDirection {
            bodies: vec![BodyDirection::default(); self.masses.len()],
            contacts: vec![ContactDirection::default(); self.touches.len()],
            // The rows of joints are moved by `struck`.
            blocks: Vec::new(),
        };
        let mut set = |body: BodyId, dmass: f64, dinertia: Vec3| {
            // What takes no part changes nothing.
            let Ok(k) = self.record.bodies.binary_search(&body) else { return };
            let change = inverse_changes(&self.masses[k], &self.record.states[k], dmass, &dinertia);
            (direction.bodies[k].dinverse_mass, direction.bodies[k].dinverse_inertia) = change;
        };
        match quantity {
            Quantity::Mass(body) => set(body, 1.0, Vec3::zeros()),
            Quantity::Inertia(body, axis) => set(body, 0.0, Vec3::ith(axis.index(), 1.0)),
            _ => self.contact_directions(quantity, &mut direction.contacts),
        }
        direction
    }

    fn contact_directions(&self, quantity: Quantity, directions: &mut [ContactDirection]) {
        for (direction, touch) in directions.iter_mut().zip(&self.touches) {
            let Touch { met, normal, .. } = touch;
            *direction = met.direction(self.world, normal, quantity, self.record.without_restitution);
            match quantity {
                Quantity::Size(body) if met.pair.first == body => touch.direction(12, direction),
                Quantity::Size(body) if met.pair.second == body => touch.direction(13, direction),
                _ => {}
            }
        }
    }
}
