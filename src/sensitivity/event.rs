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
use super::linear::{Change, Relation};
#[cfg(test)]
use super::tests::{Mistake, frozen, makes, with_fixed_fade};
use super::{Mark, Reason};
use crate::contact::frame::{TiltDerivative, dtilt, tilt};
use crate::contact::{BodyDirection, ContactDirection, GroupBody, GroupContact, ImpactDirection, impact};
use crate::dynamics::{BodyState, MassProperties, stacked};
use crate::geometry::feature_derivative::PlaceRow;
use crate::geometry::{ContactDerivative, Feature, PlacedPair};
use crate::math::{Mat3, Vec3};
use crate::model::{Axis, BodyId, Field, MaterialDirection, Pair, Quantity, Role, Subject, Tilt, World};
use crate::simulation::GRAZING;
use crate::simulation::tape::{ImpactContact, ImpactRecord, NodeId, StepId};

/// A contact of an impact: its geometry and how its tilted normal turns.
struct Touch {
    first: usize,
    second: usize,
    derivative: ContactDerivative,
    /// By the normal that geometry gives.
    turned: Mat3,
    /// By the tilts of a half-space and of this impact.
    tilts: [Vec3; 2],
    own_tilts: [Vec3; 2],
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
        #[cfg(test)]
        if makes(Mistake::Time) {
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
    ) -> BTreeMap<BodyId, Option<Change>> {
        let mut after = before.clone();
        let Some(local) = local_impact(self.chain.world(), record) else {
            self.marks.push(Mark { t, reason: Reason::Unsolved });
            return after;
        };
        if !record.solved {
            self.marks.push(Mark { t, reason: Reason::Unsolved });
        }
        if record.meetings() > 1 {
            self.marks.push(Mark { t, reason: Reason::Simultaneous });
        }
        let moving: Vec<usize> =
            (0..record.bodies.len()).filter(|&k| !self.chain.world().bodies[record.bodies[k].index()].fixed).collect();
        let change = |&body: &BodyId| {
            let fixed = self.chain.world().bodies[body.index()].fixed;
            if fixed { self.chain.start(body) } else { before.get(&body).copied().flatten() }
        };
        let changes: Vec<Option<Change>> = record.bodies.iter().map(change).collect();
        let asked: Vec<usize> = (0..changes.len()).filter(|&k| changes[k].is_some()).collect();
        let quantities = self.impact_quantities(record);
        let (by_states, by_quantities) = local.derivative(&moving, &asked, &quantities);
        let mut relation = Relation::new(6 * moving.len());
        for (&k, matrix) in asked.iter().zip(by_states) {
            relation = relation.plus(changes[k], matrix);
        }
        for (quantity, column) in quantities.into_iter().zip(by_quantities) {
            relation = relation.plus_quantity(quantity, column);
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
pub(super) fn local_impact<'r>(world: &'r World, record: &'r ImpactRecord) -> Option<LocalImpact<'r>> {
    let place = |body: BodyId| record.bodies.binary_search(&body).unwrap_or_default();
    let (mut touches, mut contacts) = (Vec::new(), Vec::new());
    for contact in &record.contacts {
        let ImpactContact { pair, number, feature } = contact;
        let (first, second) = (place(pair.first), place(pair.second));
        let poses = [record.states[first].pose(), record.states[second].pose()];
        let solid = |body: BodyId| &*world.bodies[body.index()].solid;
        let placed = PlacedPair { first: (solid(pair.first), &poses[0]), second: (solid(pair.second), &poses[1]) };
        let (geometry, derivative) = (placed.contact(feature)?, placed.contact_derivative(feature)?);
        #[cfg(test)]
        let derivative = frozen(derivative);
        let (material, own) = (world.material(*pair, *number), world.impact_tilt(*pair, *number));
        let (a, b) = (world.bodies[pair.second.index()].normal_tilt, own.unwrap_or_default());
        let tilted = if a == [0.0; 2] { geometry.normal } else { tilt(&geometry.normal, a[0], a[1]) };
        let normal = if own.is_some() { tilt(&tilted, b[0], b[1]) } else { tilted };
        let (once, twice) = (dtilt(&geometry.normal, a[0], a[1]), dtilt(&tilted, b[0], b[1]));
        touches.push(Touch::new(first, second, derivative, &once, &twice));
        let restitution = if record.without_restitution { 0.0 } else { material.restitution };
        let (friction, rolling, point) = (material.friction, 0.0, geometry.point);
        contacts.push(GroupContact { first, second, point, normal, restitution, friction, rolling });
    }
    let masses: Vec<MassProperties> = record.bodies.iter().map(|body| world.bodies[body.index()].mass).collect();
    let bodies: Vec<GroupBody> =
        record.states.iter().zip(&masses).map(|(state, mass)| group_body(mass, state)).collect();
    let solved = impact(&bodies, &contacts, world.rest_speed);
    #[cfg(test)]
    let solved = with_fixed_fade(solved, &bodies, &contacts, world.rest_speed);
    Some(LocalImpact { world, record, masses, touches, solved })
}

fn group_body(mass: &MassProperties, state: &BodyState) -> GroupBody {
    GroupBody {
        inverse_mass: mass.inverse_mass(),
        inverse_inertia: mass.inverse_inertia_in_world(&state.rotation),
        position: state.position,
        velocity: state.velocity,
        spin: state.spin,
    }
}

impl Touch {
    fn new(
        first: usize,
        second: usize,
        derivative: ContactDerivative,
        once: &TiltDerivative,
        twice: &TiltDerivative,
    ) -> Self {
        let by_normal = twice.dtilt_dnormal;
        Touch {
            first,
            second,
            derivative,
            turned: by_normal * once.dtilt_dnormal,
            tilts: [by_normal * once.dtilt_da, by_normal * once.dtilt_db],
            own_tilts: [twice.dtilt_da, twice.dtilt_db],
        }
    }

    /// (2) for a column of `ContactDerivative`.
    fn direction(&self, column: usize, direction: &mut ContactDirection) {
        direction.dpoint += self.derivative.dpoint.column(column);
        direction.dnormal += self.turned * self.derivative.dnormal.column(column);
    }

    /// (2) for a covector of the contact: that of all columns of `ContactDerivative`.
    fn covector(&self, contact: &ContactDirection) -> PlaceRow {
        let normal = self.turned.tr_mul(&contact.dnormal);
        contact.dpoint.tr_mul(&self.derivative.dpoint) + normal.tr_mul(&self.derivative.dnormal)
    }
}

/// An impact with its derivative.
pub(super) struct LocalImpact<'r> {
    world: &'r World,
    record: &'r ImpactRecord,
    masses: Vec<MassProperties>,
    touches: Vec<Touch>,
    pub(super) solved: crate::contact::Impact,
}

impl LocalImpact<'_> {
    /// The derivatives of v⁺ and ω⁺ of the `moving` bodies, 6 rows each: by the states of some bodies, 12 columns each, and
    /// by numbers of the world.
    pub(super) fn derivative(
        &self,
        moving: &[usize],
        states: &[usize],
        quantities: &[Quantity],
    ) -> (Vec<DMatrix<f64>>, Vec<DVector<f64>>) {
        let count = 6 * moving.len();
        let mut by_states = vec![DMatrix::zeros(count, 12); states.len()];
        let mut by_quantities = vec![DVector::zeros(count); quantities.len()];
        let directions: Vec<ImpactDirection> = quantities.iter().map(|&quantity| self.direction(quantity)).collect();
        for (place, rows) in self.solved.rows(moving).iter().enumerate() {
            for (row, (bodies, contacts)) in rows.iter().enumerate() {
                self.by_states(6 * place + row, bodies, contacts, states, &mut by_states);
            }
            for (column, direction) in by_quantities.iter_mut().zip(&directions) {
                rows.along(direction).enumerate().for_each(|(row, entry)| column[6 * place + row] = entry);
            }
        }
        (by_states, by_quantities)
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
            if self.masses[body].is_fixed() {
                covector.fixed_rows_mut::<6>(6).fill(0.0);
            }
            matrix.row_mut(row).tr_copy_from(&covector);
        }
        for (touch, contact) in self.touches.iter().zip(contacts) {
            let moved = touch.covector(contact);
            for (side, place) in [touch.first, touch.second].into_iter().enumerate() {
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
        };
        let place = |body: BodyId| self.record.bodies.binary_search(&body).unwrap_or_default();
        match quantity {
            Quantity::Mass(body) => {
                let mass = self.masses[place(body)].mass;
                direction.bodies[place(body)].dinverse_mass = -1.0 / (mass * mass);
            }
            Quantity::Inertia(body, axis) => {
                let (k, mass) = (place(body), &self.masses[place(body)]);
                let axes = (self.record.states[k].rotation * mass.body_from_principal).to_rotation_matrix();
                let along = axes * Vec3::ith(axis.index(), 1.0);
                let moment = mass.inertia[axis.index()];
                direction.bodies[k].dinverse_inertia = along * along.transpose() * (-1.0 / (moment * moment));
            }
            _ => self.contact_directions(quantity, &mut direction.contacts),
        }
        direction
    }

    fn contact_directions(&self, quantity: Quantity, directions: &mut [ContactDirection]) {
        for (i, direction) in directions.iter_mut().enumerate() {
            let (contact, touch) = (&self.record.contacts[i], &self.touches[i]);
            let ImpactContact { pair, number, .. } = *contact;
            let MaterialDirection { drestitution, dfriction, .. } =
                self.world.material_direction(pair, number, quantity);
            let restitution = f64::from(u8::from(!self.record.without_restitution));
            (direction.drestitution, direction.dfriction) = (drestitution * restitution, dfriction);
            match quantity {
                Quantity::Size(body) if pair.first == body => touch.direction(12, direction),
                Quantity::Size(body) if pair.second == body => touch.direction(13, direction),
                Quantity::Parameter(Role { subject, field: Field::Normal, member }) => {
                    if subject == Subject::Body(pair.second) {
                        direction.dnormal = touch.tilts[member.index()];
                    } else if number.is_some_and(|number| subject == Subject::Impact { pair, number }) {
                        direction.dnormal = touch.own_tilts[member.index()];
                    }
                }
                _ => {}
            }
        }
    }
}
