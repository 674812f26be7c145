//! What bodies look like in other programs: a mesh and a colour for each.
//!
//! Meshes are in the body frame, scaled. A half-space becomes a square of its plane, centred below what happens and large
//! enough to hold it; a particle becomes a ball too small to be mistaken for one that collides. Colours are linear, as
//! glTF, USD and Blender have them.

use super::Motion;
use crate::geometry::{Shape, Solid, Surface};
use crate::math::Vec3;
use crate::model::{BodyId, BodyProperties};
use crate::picture::{MachineMarks, Theme, body_colours, linear};

/// Straight pieces around a circle: round at arm's length, and ten times smaller than what pictures draw.
const SEGMENTS: u32 = 40;
/// Times a second at which the extent of the motion is measured.
const LOOKS: f64 = 30.0;
/// The ground reaches this many times as far as the motion.
const GROUND: f64 = 1.6;
/// Half the least side of a ground, m.
const LEAST_GROUND: f64 = 0.25;
/// A particle's radius as a share of the motion's extent.
const PARTICLE: f64 = 0.006;

/// A body as it is shown.
#[derive(Clone, Debug)]
pub struct Look {
    /// In the body frame.
    pub surface: Surface,
    /// Linear red, green, blue.
    pub color: [f64; 3],
    /// Whether it is seen from behind too: a plane has no inside.
    pub double_sided: bool,
}

/// A ball around everything that happens.
struct Extent {
    center: Vec3,
    radius: f64,
}

/// What each body of a motion looks like, in the order of the scene.
pub fn looks(motion: &Motion) -> Vec<Look> {
    let extent = Extent::new(motion);
    let bodies = &motion.trajectory.world().bodies;
    let bodies = bodies.iter().zip(colors(bodies)).map(|(body, color)| Look {
        surface: surface(body, &extent),
        color,
        double_sided: matches!(*body.shape, Shape::HalfSpace { .. }),
    });
    bodies.collect()
}

/// How far a motion and what joins it reach from its middle, m.
pub fn radius(motion: &Motion) -> f64 {
    let extent = Extent::new(motion);
    let places = MachineMarks::new(motion.trajectory, 0.0).places().into_iter();
    places.map(|place| (place - extent.center).norm()).fold(extent.radius, f64::max)
}

fn surface(body: &BodyProperties, extent: &Extent) -> Surface {
    match &*body.shape {
        Shape::HalfSpace { normal } => ground(body, &normal.normalize(), extent),
        Shape::Particle => particle(extent),
        shape => Surface::with_segments(shape, SEGMENTS).map_or_else(|| particle(extent), |s| s.scaled(body.scale)),
    }
}

fn particle(extent: &Extent) -> Surface {
    let ball = Shape::Ball { radius: PARTICLE * extent.radius };
    Surface::with_segments(&ball, SEGMENTS / 2).unwrap_or_default()
}

/// A square of the plane through the body's origin, below the middle of the motion.
fn ground(body: &BodyProperties, normal: &Vec3, extent: &Extent) -> Surface {
    let center = body.initial.rotation.inverse() * (extent.center - body.initial.position);
    let center = center - normal * center.dot(normal);
    // Along axes of the body where the normal is one.
    let least = normal.iamin();
    let mut axis = Vec3::zeros();
    axis[least] = 1.0;
    let across = (axis - normal * normal.dot(&axis)).normalize();
    let along = normal.cross(&across);
    let half = (GROUND * extent.radius).max(LEAST_GROUND);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corner = |(a, b): (f64, f64)| (center + across * (a * half) + along * (b * half)).into();
    Surface {
        positions: corners.map(corner).to_vec(),
        normals: vec![(*normal).into(); 4],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

impl Extent {
    fn new(motion: &Motion) -> Extent {
        let (mut least, mut most) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for (body, path) in motion.bodies() {
            let reach = reach(motion, body);
            let times = if path.moves() { (path.t_end() * LOOKS).ceil().min(1e5) as u32 } else { 0 };
            let places = (0..=times).map(|k| path.after(f64::from(k) / LOOKS).position);
            // A plane is everywhere: what happens near it decides what is seen of it.
            for place in places.filter(|place| reach.is_finite() && place.iter().all(|x| x.is_finite())) {
                least = least.inf(&place.add_scalar(-reach));
                most = most.sup(&place.add_scalar(reach));
            }
        }
        if least.iter().all(|x| x.is_finite()) && least != most {
            Extent { center: (least + most) / 2.0, radius: (most - least).norm() / 2.0 }
        } else {
            Extent { center: Vec3::zeros(), radius: 1.0 }
        }
    }
}

/// How far a body reaches from its centre, m.
fn reach(motion: &Motion, body: BodyId) -> f64 {
    let solid: &Solid = &motion.trajectory.world().bodies[body.index()].solid;
    solid.reach()
}

/// The colours of pictures.
fn colors(bodies: &[BodyProperties]) -> Vec<[f64; 3]> {
    let scheme = Theme::Light.scheme();
    let moving = |body: &&BodyProperties| !body.drive.never_moves() && !matches!(*body.shape, Shape::HalfSpace { .. });
    let mut of_moving = body_colours(bodies.iter().filter(moving).map(|body| &*body.name)).into_iter();
    let color = |body: &BodyProperties| match *body.shape {
        Shape::HalfSpace { .. } => linear(scheme.floor),
        _ if body.drive.never_moves() => linear(scheme.fixed),
        _ => of_moving.next().unwrap_or_default(),
    };
    bodies.iter().map(color).map(|color| color.map(f64::from).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Scene, simulate};

    #[test]
    fn a_ground_holds_the_motion_and_lies_in_its_plane() {
        let text = "format = 1\nduration = 1.0\n\
            [[body]]\nname = \"slope\"\nfixed = true\nposition = [1, 2, 3]\n\
            shape = { kind = \"half_space\", normal = [1, 2, 0.5] }\nrotation = [0.2, 0.1, 0.3]\n\
            [[body]]\nname = \"dust\"\nshape = { kind = \"particle\" }\nmass = 1.0\nposition = [9, 9, 9]\nvelocity = [5, 0, 0]\n";
        let scene = Scene::parse(text, "slope.toml").unwrap();
        let model = Model::new(&scene).unwrap();
        let trajectory = simulate(&model, &model.control());
        let looks = looks(&Motion::new("", &trajectory));
        let slope = &trajectory.world().bodies[0];
        let normal = Vec3::new(1.0, 2.0, 0.5).normalize();
        for position in &looks[0].surface.positions {
            assert!(normal.dot(&Vec3::from(*position)).abs() < 1e-12);
        }
        let normal_of_triangle = {
            let [a, b, c] = [0, 1, 2].map(|k| Vec3::from(looks[0].surface.positions[k]));
            (b - a).cross(&(c - a)).normalize()
        };
        assert!((normal_of_triangle - normal).norm() < 1e-12);
        let middle: Vec3 = looks[0].surface.positions.iter().map(|p| Vec3::from(*p)).sum::<Vec3>() / 4.0;
        let drop = slope.initial.position + slope.initial.rotation * middle - Vec3::new(11.5, 7.0, 9.0);
        let sideways = drop - slope.initial.rotation * normal * drop.dot(&(slope.initial.rotation * normal));
        assert!(sideways.norm() < 1.5, "the ground is {} m aside", sideways.norm());
        assert!(looks[1].surface.triangles.len() > 20 && looks[1].color != looks[0].color);
    }
}
