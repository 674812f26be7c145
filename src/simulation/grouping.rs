//! What touches at one instant, as the contact problem sees it, and how that changes.
//!
//! ```text
//! body:     1/m, W = A·diag(1/moments)·Aᵀ,    A = principal axes in the world                               (1)
//! contact:  n = tilt(tilt(n_geometry, the half-space's), this impact's), with the material of `model`       (2)
//! δ(1/m) = −δm/m²,    δW = A·diag(−δmoment/moment²)·Aᵀ    with the axes held                                (3)
//! δn = N₂·N₁·δn_geometry + N₂·(T₁·δtilts) + T₂·δ(own tilts)    N, T the derivatives of `frame::tilt`        (4)
//! ```
//!
//! Impacts and held groups are built from this, and their derivatives from (3) and (4). Which bodies and features take part is
//! `meeting` for impacts and `holding` for lasting contact; how features move with the bodies is `geometry`.

use super::meeting::PairContacts;
use crate::contact::frame::{dtilt, tilt};
use crate::contact::{ContactDirection, GroupBody, GroupContact};
use crate::dynamics::{BodyState, MassProperties};
use crate::math::{Mat3, Vec3};
use crate::model::{Field, Material, Pair, Quantity, Role, Subject, World};

/// A pair that meets in an impact: its bodies, their places in the group, and which impact of the pair it is, where it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactPair {
    /// Who touches.
    pub pair: Pair,
    /// Places of the first and the second body in the group.
    pub places: [usize; 2],
    /// From 1.
    pub number: Option<u32>,
}

/// How the normal of a contact of an impact changes: (4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalDerivative {
    /// By the normal that geometry gives, 3 × 3.
    pub by_geometry: Mat3,
    /// By the tilts of a half-space along T1 and T2.
    tilts: [Vec3; 2],
    /// By the tilts of this impact.
    own_tilts: [Vec3; 2],
}

/// A body at an instant. (1)
pub fn group_body(mass: &MassProperties, state: &BodyState) -> GroupBody {
    GroupBody {
        inverse_mass: mass.inverse_mass(),
        inverse_inertia: mass.inverse_inertia_in_world(&state.rotation),
        position: state.position,
        velocity: state.velocity,
        spin: state.spin,
    }
}

/// (3) for changes of the mass and of the principal moments; what cannot move has none.
pub fn inverse_changes(mass: &MassProperties, state: &BodyState, dmass: f64, dinertia: &Vec3) -> (f64, Mat3) {
    if !mass.is_pushed() {
        return (0.0, Mat3::zeros());
    }
    let inverse = |moment: f64, d: f64| if moment > 0.0 { -d / (moment * moment) } else { 0.0 };
    let axes = (state.rotation * mass.body_from_principal).to_rotation_matrix().into_inner();
    let diagonal = mass.inertia.zip_map(dinertia, inverse);
    (inverse(mass.mass, dmass), axes * Mat3::from_diagonal(&diagonal) * axes.transpose())
}

/// A contact of the bodies at two places.
pub fn group_contact([first, second]: [usize; 2], point: Vec3, normal: Vec3, material: Material) -> GroupContact {
    let Material { restitution, friction, rolling } = material;
    GroupContact { first, second, point, normal, restitution, friction, rolling }
}

/// The contacts of a group of pairs that meet, with the places of their bodies; `numbers` tell which impact of its pair each is,
/// where it counts.
pub fn impact_contacts(
    world: &World,
    group: &[PairContacts],
    places: &[[usize; 2]],
    numbers: &[Option<u32>],
    without_restitution: bool,
) -> Vec<GroupContact> {
    let mut contacts = Vec::new();
    for ((PairContacts { pair, contacts: points }, &places), &number) in group.iter().zip(places).zip(numbers) {
        let met = ImpactPair { pair: *pair, places, number };
        let contact = |point: Vec3, normal: Vec3| met.contact(world, point, normal, without_restitution);
        contacts.extend(points.iter().map(|touching| contact(touching.point, touching.normal)));
    }
    contacts
}

impl ImpactPair {
    /// One contact of an impact, with the normal that geometry gives. (2)
    pub fn contact(&self, world: &World, point: Vec3, normal: Vec3, without_restitution: bool) -> GroupContact {
        let [a, b] = self.tilts(world);
        let tilted = tilted(&tilted(&normal, a), b);
        let material = world.material(self.pair, self.number);
        let restitution = if without_restitution { 0.0 } else { material.restitution };
        // Impacts are too short for rolling resistance.
        group_contact(self.places, point, tilted, Material { restitution, rolling: 0.0, ..material })
    }

    /// The derivative of the normal of [`ImpactPair::contact`]. (4)
    pub fn normal_derivative(&self, world: &World, normal: &Vec3) -> NormalDerivative {
        let [a, b] = self.tilts(world);
        let [first, second] = [a, b].map(Option::unwrap_or_default);
        let (once, twice) = (dtilt(normal, first[0], first[1]), dtilt(&tilted(normal, a), second[0], second[1]));
        let by_normal = twice.dtilt_dnormal;
        NormalDerivative {
            by_geometry: by_normal * once.dtilt_dnormal,
            tilts: [by_normal * once.dtilt_da, by_normal * once.dtilt_db],
            own_tilts: [twice.dtilt_da, twice.dtilt_db],
        }
    }

    /// The change of [`ImpactPair::contact`] with a number of the world, its geometry held.
    pub fn direction(
        &self,
        world: &World,
        normal: &NormalDerivative,
        quantity: Quantity,
        without_restitution: bool,
    ) -> ContactDirection {
        let material = world.material_direction(self.pair, self.number, quantity);
        let own = |number: u32| Subject::Impact { pair: self.pair, number };
        let dnormal = match quantity {
            Quantity::Parameter(Role { subject, field: Field::Normal, member }) => match subject {
                Subject::Body(body) if body == self.pair.second => normal.tilts[member.index()],
                subject if self.number.map(own) == Some(subject) => normal.own_tilts[member.index()],
                _ => Vec3::zeros(),
            },
            _ => Vec3::zeros(),
        };
        let drestitution = if without_restitution { 0.0 } else { material.drestitution };
        ContactDirection { dnormal, drestitution, dfriction: material.dfriction, ..ContactDirection::default() }
    }

    /// The tilts of the half-space and of this impact, where there are any.
    fn tilts(&self, world: &World) -> [Option<[f64; 2]>; 2] {
        let of_body = world.bodies[self.pair.second.index()].normal_tilt;
        [Some(of_body).filter(|tilt| *tilt != [0.0; 2]), world.impact_tilt(self.pair, self.number)]
    }
}

fn tilted(normal: &Vec3, tilts: Option<[f64; 2]>) -> Vec3 {
    tilts.map_or(*normal, |[a, b]| tilt(normal, a, b))
}
