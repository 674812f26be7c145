//! What the world is made of at a control vector: masses, poses, and the laws of impacts.

use super::*;
use crate::geometry::Shape;
use crate::math::{Vec3, rotation};

#[test]
fn a_density_too_large_for_its_shape_is_refused() {
    let mut scene = scene("");
    scene.bodies[1].mass = None;
    scene.bodies[1].density = Some(500.0);
    let mug = World::new(&Model::new(&scene).unwrap(), &Model::new(&scene).unwrap().control()).bodies[1].clone();
    assert!((mug.mass.mass - 500.0 * 8.0 * 0.2 * 0.12 * 0.08).abs() < 1e-12);
    scene.bodies[1].shape = Shape::Ball { radius: 1e6 };
    let Err(errors) = Model::new(&scene) else { panic!("accepted") };
    assert_eq!(errors.errors[0].key, "body[1].shape");
}

#[test]
fn the_world_has_the_scene_s_values() {
    let model = model("");
    let world = World::new(&model, &model.control());
    let [floor, mug, dust, _] = world.bodies.as_slice() else { panic!("{:?}", world.bodies) };
    assert_eq!(mug.initial.rotation, rotation::exp(Vec3::new(0.3, 0.5, 0.2)));
    assert_eq!(mug.initial.spin, Vec3::new(1.0, 2.0, 0.5));
    assert_eq!(mug.mass.mass, 3.0);
    assert!((mug.mass.inertia - Vec3::new(0.0208, 0.0464, 0.0544)).norm() < 1e-16);
    assert_eq!((dust.mass.mass, dust.mass.inertia), (0.5, Vec3::zeros()));
    assert!(!floor.drive.is_pushed() && floor.mass.mass == f64::INFINITY);
    assert_eq!(world.gravity, Vec3::new(0.0, -9.81, 0.0));
}

#[test]
fn mass_carries_inertia_and_scale_keeps_density() {
    let model = model("");
    let at = |changes: &[(&str, f64)]| {
        let mut u = model.control();
        changes.iter().for_each(|(name, value)| model.set(&mut u, name, *value).unwrap());
        World::new(&model, &u).bodies[1].mass
    };
    let plain = at(&[]);
    let heavy = at(&[("mug.mass", 6.0)]);
    assert_eq!((heavy.mass, heavy.inertia), (6.0, plain.inertia * 2.0));
    let large = at(&[("mug.scale", 2.0)]);
    assert_eq!((large.mass, large.inertia), (24.0, plain.inertia * 32.0));
    let both = at(&[("mug.scale", 2.0), ("mug.mass", 6.0), ("mug.inertia.x", 0.03)]);
    assert_eq!((both.mass, both.inertia.x, both.inertia.y), (48.0, 0.03 * 64.0, plain.inertia.y * 64.0));
}

#[test]
fn rotations_turn_about_the_world_s_axes() {
    let model = model("");
    let mut u = model.control();
    model.set(&mut u, "mug.rotation.y", 0.25).unwrap();
    let expected = rotation::exp(Vec3::new(0.0, 0.25, 0.0)) * rotation::exp(Vec3::new(0.3, 0.5, 0.2));
    assert!(rotation::angle_between(&World::new(&model, &u).bodies[1].initial.rotation, &expected) < 1e-15);
}

#[test]
fn a_pair_has_the_mean_unless_an_impact_has_its_own() {
    let controls = control("mug/floor#*.friction", "value = 0.9")
        + &control("floor/mug#2.friction", "value = 0.7")
        + &control("mug/floor#2.restitution", "weight = 2.0")
        + &control("mug/floor#3.restitution", "free = true")
        + &control("mug/floor#4.normal.2", "free = true");
    let model = model(&controls);
    let mut u = model.control();
    model.set(&mut u, "mug.restitution", 0.6).unwrap();
    let world = World::new(&model, &u);
    let pair = world.ordered(BodyId(0), BodyId(1));
    let material = |number| world.material(pair, number);
    let check = |number, restitution: f64, friction: f64| {
        let own = material(number);
        assert!((own.restitution - restitution).abs() < 1e-15 && (own.friction - friction).abs() < 1e-15, "{own:?}");
    };
    check(None, 0.7, 0.35);
    check(Some(1), 0.7, 0.9);
    check(Some(2), 0.7, 0.7);
    check(Some(3), 0.65, 0.9);
    assert_eq!([3, 4].map(|number| world.impact_tilt(pair, Some(number))), [None, Some([0.0, 0.0])]);
    assert_eq!(world.ordered(BodyId(1), BodyId(0)), pair);
}
