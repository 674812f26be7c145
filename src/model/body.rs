//! One body of the model: what stays the same whatever u is, and which parameters it has.
//!
//! ```text
//! mass    = given, or density · V                                        (1)
//! inertia = given, or mass/V · J, with V and J of `geometry::mass`       (2)
//! r       = √(trace(inertia) / (3·mass))    radius of gyration           (3)
//! ```

use std::sync::Arc;

use super::error::ModelProblem;
use super::field::{Condition, Field, Owner, Row};
use super::role::Role;
use super::subject::BodyId;
use crate::dynamics::MassProperties;
use crate::geometry::mass::volume_integrals;
use crate::geometry::{Shape, Solid};
use crate::math::{Rotation, Vec3, rotation};
use crate::scene::{self, Drive};

/// kg/m³, where a file gives neither mass nor density.
const DEFAULT_DENSITY: f64 = 1000.0;
/// What stands for the radius of gyration of a body without extent, m.
const UNIT_RADIUS: f64 = 1.0;

/// A body before u is applied.
#[derive(Clone, Debug)]
pub struct ModelBody {
    /// As in the scene.
    pub name: Arc<str>,
    /// What moves it.
    pub drive: Drive,
    /// As in the scene, unscaled; a hull's points in the file's frame.
    pub shape: Arc<Shape>,
    /// What it is made of for collisions, at scale 1.
    pub solid: Arc<Solid>,
    /// At scale 1; infinite for a body that is not pushed, whose inverse mass and inertia are thus zero.
    pub mass: MassProperties,
    /// Radius of gyration, m; 1 where the body has no extent.
    pub gyration: f64,
    /// The file's rotation, about which rotation parameters turn.
    pub rotation: Rotation,
    /// The same as an exponential map, as written.
    pub(super) turn: Vec3,
    /// Whether the file gives its moments.
    pub(super) has_own_inertia: bool,
    /// What counts as inside it, in its own axes from its centre of mass.
    pub region: Option<scene::Region>,
    /// The file's values, in the order of [`ModelBody::roles`].
    pub(super) values: Vec<f64>,
}

impl ModelBody {
    pub(super) fn new(body: &scene::Body) -> Result<ModelBody, ModelProblem> {
        let solid = solid_mass(body)?;
        let gyration = if solid.inertia == Vec3::zeros() {
            UNIT_RADIUS
        } else {
            (solid.inertia.sum() / (3.0 * solid.mass)).sqrt()
        };
        let mass = if body.drive.is_pushed() { solid } else { immovable(solid.body_from_principal) };
        let mut model = ModelBody {
            name: body.name.as_str().into(),
            drive: body.drive,
            shape: Arc::new(body.shape.clone()),
            solid: Arc::new(Solid::new(&body.shape).ok_or(ModelProblem::NoVolume)?),
            mass,
            gyration,
            rotation: rotation::exp(body.rotation),
            turn: body.rotation,
            has_own_inertia: body.inertia.is_some(),
            region: body.region,
            values: Vec::new(),
        };
        model.values = model.roles(BodyId(0)).map(|role| model.value_in_file(body, role)).collect();
        Ok(model)
    }

    /// Its parameters, in the order of the control vector.
    pub(super) fn roles(&self, body: BodyId) -> impl Iterator<Item = Role> {
        Owner::Body.rows().filter(|row| self.missing(row).is_none()).flat_map(move |row| row.field.of(body).group())
    }

    /// Why it has not the parameters of a field, if it has not.
    pub(super) fn missing(&self, row: &Row) -> Option<Condition> {
        row.missing(self.drive, &self.shape)
    }

    fn value_in_file(&self, body: &scene::Body, role: Role) -> f64 {
        let k = role.member.index();
        match role.field {
            Field::Position => body.position[k],
            Field::Velocity => body.velocity[k],
            Field::Spin => body.spin[k],
            Field::Mass => self.mass.mass,
            Field::Inertia => self.mass.inertia[k],
            Field::Scale => 1.0,
            Field::Restitution => body.restitution,
            Field::Friction => body.friction,
            Field::RollingResistance => body.rolling_resistance,
            // Offsets from the file's rotation, and tilts, start at 0; the rest belongs to no body.
            _ => 0.0,
        }
    }
}

/// What it weighs if it were free to move: (1) and (2).
fn solid_mass(body: &scene::Body) -> Result<MassProperties, ModelProblem> {
    let Some(integrals) = volume_integrals(&body.shape) else {
        return match body.shape {
            Shape::HalfSpace { .. } | Shape::Particle => Ok(MassProperties {
                mass: body.mass.unwrap_or(1.0),
                inertia: Vec3::zeros(),
                body_from_principal: Rotation::identity(),
            }),
            _ => Err(ModelProblem::NoVolume),
        };
    };
    let density = body.density.unwrap_or(DEFAULT_DENSITY);
    let mass = body.mass.unwrap_or(density * integrals.volume);
    let allowed = scene::MASS;
    if !allowed.contains(mass) {
        return Err(ModelProblem::ImpossibleMass { mass, density, volume: integrals.volume, allowed });
    }
    Ok(match body.inertia {
        Some(inertia) => MassProperties { mass, inertia, body_from_principal: Rotation::identity() },
        None => MassProperties {
            mass,
            inertia: integrals.inertia * (mass / integrals.volume),
            body_from_principal: integrals.body_from_principal,
        },
    })
}

fn immovable(body_from_principal: Rotation) -> MassProperties {
    MassProperties { mass: f64::INFINITY, inertia: Vec3::repeat(f64::INFINITY), body_from_principal }
}
