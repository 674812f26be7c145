//! When a pair closes, and what an impact does: (1) and (3) of `chain`.
//!
//! ```text
//! T = −(Σ_b E_b·S_b + E_size·δs/s)/(Σ_b E_b·F_b)         b the two bodies, F_b along the path that was searched   (1)
//! δn = N·(n_q·B + …),   δpoint = point_q·B + …            the features move with both bodies and their sizes       (2)
//! ```
//!
//! N is the derivative of the tilts of `frame`. The denominator of (1) is the speed at which E falls; where it is too
//! small the contact grazes: T is left out and the node marked. The derivative of the impulses is
//! [`Impact::tangent`](crate::contact::Impact::tangent).

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::chain::{Builder, Place};
use super::linear::{Change, Relation};
#[cfg(test)]
use super::tests::{Mistake, frozen, makes, with_fixed_fade};
use super::{Mark, Reason};
use crate::contact::frame::{TiltDerivative, dtilt, tilt};
use crate::contact::{BodyDirection, ContactDirection, GroupBody, GroupContact, ImpactDirection, impact};
use crate::dynamics::{BodyState, MassProperties, StateTangent};
use crate::geometry::{ContactDerivative, Feature, PlacedPair};
use crate::math::{Mat3, Vec3};
use crate::model::{Axis, BodyId, Pair, Quantity, Tilt, World};
use crate::simulation::tape::{ImpactContact, ImpactRecord, NodeId, StepId};

/// An approach slower than this (m/s) has no usable time derivative.
const GRAZING: f64 = 1e-6;

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
        features: &[Feature],
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
            let mut row = nalgebra::RowSVector::<f64, 12>::zeros();
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
        let mut relation = Relation::new(1);
        for (side, place) in places.iter().enumerate() {
            relation = relation.plus(place.change, DMatrix::from_row_slice(1, 12, (row(side) / speed).as_slice()));
        }
        for (side, body) in [pair.first, pair.second].into_iter().enumerate() {
            if self.chain.seeds.asks(Quantity::Size(body)) {
                let share = DVector::from_element(1, derivative[12 + side] / speed);
                relation = relation.plus_quantity(Quantity::Size(body), share);
            }
        }
        self.program.define(relation)
    }

    /// E_q, the mean over the features that close.
    fn mean_gap(
        &self,
        pair: Pair,
        features: &[Feature],
        places: &[Place; 2],
    ) -> Option<crate::geometry::feature_derivative::PlaceRow> {
        let poses = [places[0].state.pose(), places[1].state.pose()];
        let solid = |body: BodyId| &*self.chain.world().bodies[body.index()].solid;
        let placed = PlacedPair { first: (solid(pair.first), &poses[0]), second: (solid(pair.second), &poses[1]) };
        let mut sum = crate::geometry::feature_derivative::PlaceRow::zeros();
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
        let rows = 6 * moving.len();
        let mut relation = Relation::new(rows);
        for (k, &body) in record.bodies.iter().enumerate() {
            let fixed = self.chain.world().bodies[body.index()].fixed;
            let change = if fixed { self.chain.start(body) } else { before.get(&body).copied().flatten() };
            if change.is_some() {
                relation = relation.plus(change, local.matrix(k, &moving, fixed));
            }
        }
        for quantity in self.impact_quantities(record) {
            let mut column = DMatrix::zeros(rows, 1);
            set_motions(&mut column, 0, &moving, &local.by_quantity(quantity));
            relation = relation.plus_quantity(quantity, column.column(0).into_owned());
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
        let mut quantities = Vec::new();
        for &body in &record.bodies {
            quantities.extend([Quantity::Mass(body), Quantity::Size(body)]);
            quantities.extend(Axis::ALL.map(|axis| Quantity::Inertia(body, axis)));
            quantities.extend([Quantity::Restitution(body), Quantity::Friction(body)]);
            quantities.extend(Tilt::ALL.map(|tilt| Quantity::Tilt(body, tilt)));
        }
        for contact in &record.contacts {
            if let ImpactContact { pair, number: Some(number), .. } = *contact {
                quantities.extend([Quantity::ImpactRestitution(pair, number), Quantity::ImpactFriction(pair, number)]);
                quantities.extend(Tilt::ALL.map(|tilt| Quantity::ImpactTilt(pair, number, tilt)));
            }
        }
        quantities.sort_unstable();
        quantities.dedup();
        quantities.retain(|quantity| self.chain.seeds.asks(*quantity));
        quantities
    }
}

/// The impact solved again, with what its derivative needs; none where a feature is degenerate.
pub(super) fn local_impact<'r>(world: &World, record: &'r ImpactRecord) -> Option<LocalImpact<'r>> {
    let place = |body: BodyId| record.bodies.binary_search(&body).unwrap_or_default();
    let (mut touches, mut contacts) = (Vec::new(), Vec::new());
    let mut follows = Vec::new();
    for contact in &record.contacts {
        let ImpactContact { pair, number, feature } = contact;
        let (first, second) = (place(pair.first), place(pair.second));
        let poses = [record.states[first].pose(), record.states[second].pose()];
        let solid = |body: BodyId| &*world.bodies[body.index()].solid;
        let placed = PlacedPair { first: (solid(pair.first), &poses[0]), second: (solid(pair.second), &poses[1]) };
        let (geometry, derivative) = (placed.contact(feature)?, placed.contact_derivative(feature)?);
        #[cfg(test)]
        let derivative = frozen(derivative);
        let law = world.impact_law(pair.first, pair.second, *number);
        let (a, b) = (world.bodies[pair.second.index()].normal_tilt, law.impact_tilt.unwrap_or_default());
        let tilted = if a == [0.0; 2] { geometry.normal } else { tilt(&geometry.normal, a[0], a[1]) };
        let normal = if law.impact_tilt.is_some() { tilt(&tilted, b[0], b[1]) } else { tilted };
        let (once, twice) = (dtilt(&geometry.normal, a[0], a[1]), dtilt(&tilted, b[0], b[1]));
        touches.push(Touch::new(first, second, derivative, &once, &twice));
        let restitution = if record.without_restitution { 0.0 } else { law.restitution };
        let (friction, rolling, point) = (law.friction, 0.0, geometry.point);
        contacts.push(GroupContact { first, second, point, normal, restitution, friction, rolling });
        follows.push(world.follows_mean(*pair, *number));
    }
    let masses: Vec<MassProperties> = record.bodies.iter().map(|body| world.bodies[body.index()].mass).collect();
    let bodies: Vec<GroupBody> =
        record.states.iter().zip(&masses).map(|(state, mass)| group_body(mass, state)).collect();
    let solved = impact(&bodies, &contacts, world.rest_speed);
    #[cfg(test)]
    let solved = with_fixed_fade(solved, &bodies, &contacts, world.rest_speed);
    let by_velocity = solved.by_contact_velocity();
    Some(LocalImpact { record, masses, touches, follows, solved, by_velocity })
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

fn set_motions(matrix: &mut DMatrix<f64>, column: usize, moving: &[usize], motions: &[(Vec3, Vec3)]) {
    for (place, &k) in moving.iter().enumerate() {
        matrix.view_mut((6 * place, column), (3, 1)).copy_from(&motions[k].0);
        matrix.view_mut((6 * place + 3, column), (3, 1)).copy_from(&motions[k].1);
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

    /// (2) for columns of `ContactDerivative`.
    fn direction(&self, column: usize, value: f64, direction: &mut ContactDirection) {
        direction.dpoint += self.derivative.dpoint.column(column) * value;
        direction.dnormal += self.turned * self.derivative.dnormal.column(column) * value;
    }
}

/// An impact with its derivative.
pub(super) struct LocalImpact<'r> {
    record: &'r ImpactRecord,
    masses: Vec<MassProperties>,
    touches: Vec<Touch>,
    /// Whether restitution and friction of each contact are means of bodies.
    follows: Vec<[bool; 2]>,
    pub(super) solved: crate::contact::Impact,
    /// Changes of all motions with the contact velocities before, one by one; none where energy limits the impact.
    by_velocity: Option<Vec<Vec<(Vec3, Vec3)>>>,
}

impl LocalImpact<'_> {
    fn zero(&self) -> ImpactDirection {
        ImpactDirection {
            bodies: vec![BodyDirection::default(); self.masses.len()],
            contacts: vec![ContactDirection::default(); self.touches.len()],
        }
    }

    /// δv⁺, δω⁺ of the bodies that move by the state of one body, 6 per moving body × 12.
    pub(super) fn matrix(&self, body: usize, moving: &[usize], fixed: bool) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(6 * moving.len(), 12);
        for column in (0..if fixed { 6 } else { 12 }).filter(|&column| column >= 6 || self.matters(body, column)) {
            let mut tangent = StateTangent::zeros();
            tangent[column] = 1.0;
            let motions = match &self.by_velocity {
                Some(by_velocity) if column >= 6 => self.by_motion(by_velocity, body, &tangent),
                _ => self.by_state(body, &tangent),
            };
            set_motions(&mut matrix, column, moving, &motions);
        }
        matrix
    }

    /// Whether a column of a pose changes anything: a ball may turn without.
    fn matters(&self, body: usize, column: usize) -> bool {
        let inertia = &self.masses[body].inertia;
        let round = self.masses[body].is_fixed() || (inertia.x == inertia.y && inertia.y == inertia.z);
        let moves = |touch: &Touch| {
            let columns = [(touch.first, column), (touch.second, 6 + column)];
            columns.into_iter().filter(|(place, _)| *place == body).any(|(_, column)| {
                touch.derivative.dpoint.column(column).amax() > 0.0
                    || touch.derivative.dnormal.column(column).amax() > 0.0
            })
        };
        column < 3 || !round || self.touches.iter().any(moves)
    }

    /// The same by a velocity or spin: it changes the impulses through the contact velocities w alone, and itself adds on.
    fn by_motion(&self, by_velocity: &[Vec<(Vec3, Vec3)>], body: usize, tangent: &StateTangent) -> Vec<(Vec3, Vec3)> {
        let own = (Vec3::from(tangent.fixed_rows::<3>(6)), Vec3::from(tangent.fixed_rows::<3>(9)));
        let still = (Vec3::zeros(), Vec3::zeros());
        let mut motions = vec![still; self.masses.len()];
        motions[body] = own;
        let dw = self.solved.group().contact_velocity(|k| if k == body { own } else { still });
        for (dw, changes) in dw.iter().zip(by_velocity).filter(|(dw, _)| **dw != 0.0) {
            for (motion, change) in motions.iter_mut().zip(changes) {
                *motion = (motion.0 + change.0 * *dw, motion.1 + change.1 * *dw);
            }
        }
        motions
    }

    /// δv⁺, δω⁺ for a change of the state of one body.
    fn by_state(&self, body: usize, tangent: &StateTangent) -> Vec<(Vec3, Vec3)> {
        let mut direction = self.zero();
        let part = |k: usize| Vec3::from(tangent.fixed_rows::<3>(3 * k));
        let own = &mut direction.bodies[body];
        (own.dposition, own.drotation, own.dvelocity, own.dspin) = (part(0), part(1), part(2), part(3));
        for (touch, contact) in self.touches.iter().zip(&mut direction.contacts) {
            for (side, place) in [touch.first, touch.second].into_iter().enumerate() {
                if place == body {
                    for column in (0..6).filter(|&column| tangent[column] != 0.0) {
                        touch.direction(6 * side + column, tangent[column], contact);
                    }
                }
            }
        }
        self.solved.tangent(&direction)
    }

    /// δv⁺, δω⁺ for a change of a number of the world.
    fn by_quantity(&self, quantity: Quantity) -> Vec<(Vec3, Vec3)> {
        let mut direction = self.zero();
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
        self.solved.tangent(&direction)
    }

    fn contact_directions(&self, quantity: Quantity, directions: &mut [ContactDirection]) {
        for (i, direction) in directions.iter_mut().enumerate() {
            let (contact, touch) = (&self.record.contacts[i], &self.touches[i]);
            let ImpactContact { pair, number, .. } = *contact;
            let has = |body: BodyId| pair.first == body || pair.second == body;
            let is = |other: Pair, of: u32| pair == other && number == Some(of);
            let [restitution_follows, friction_follows] = self.follows[i];
            let restitution = f64::from(u8::from(!self.record.without_restitution));
            match quantity {
                Quantity::Size(body) if pair.first == body => touch.direction(12, 1.0, direction),
                Quantity::Size(body) if pair.second == body => touch.direction(13, 1.0, direction),
                Quantity::Restitution(body) if has(body) && restitution_follows => {
                    direction.drestitution = 0.5 * restitution;
                }
                Quantity::Friction(body) if has(body) && friction_follows => direction.dfriction = 0.5,
                Quantity::Tilt(body, tilt) if pair.second == body => direction.dnormal = touch.tilts[tilt.index()],
                Quantity::ImpactTilt(other, of, tilt) if is(other, of) => {
                    direction.dnormal = touch.own_tilts[tilt.index()];
                }
                Quantity::ImpactRestitution(other, of) if is(other, of) => direction.drestitution = restitution,
                Quantity::ImpactFriction(other, of) if is(other, of) => direction.dfriction = 1.0,
                _ => {}
            }
        }
    }
}
