//! What must be seen in pictures, and what must not.

use super::draw::Canvas;
use super::stage::{Instance, Mesh, Plane, Stage};
use super::*;
use crate::geometry::{Pose, Shape, Surface};
use crate::math::elementary::tan;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyId, Model};
use crate::scene::Scene;
use crate::simulation::simulate;

/// A box thrown over a floor; more bodies may follow.
const THROW: &str = r#"
format = 1
title = "thrown"
duration = 0.8
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
[[body]]
name = "box"
shape = { kind = "cuboid", half_extents = [0.1, 0.1, 0.1] }
position = [0, 0.5, 0]
velocity = [3, 2, 0]
spin = [0, 0, 3]
"#;

fn motion(text: &str) -> Trajectory {
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
    simulate(&model, &model.control())
}

fn small() -> View {
    View { width: 480, height: 300, caption: false, ..View::default() }
}

fn light([red, green, blue]: [u8; 3]) -> Colour {
    linear(u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue))
}

/// Floors, backgrounds and shadows are grey or bluish; only the first body's colour is red.
fn is_red(pixel: [u8; 3]) -> bool {
    i32::from(pixel[0]) > i32::from(pixel[2]) + 12
}

fn red_pixels(image: &Image) -> usize {
    image.rgb().chunks_exact(3).filter(|p| is_red([p[0], p[1], p[2]])).count()
}

fn pixel_at(image: &Image, camera: &Camera, point: &Vec3) -> [u8; 3] {
    let size = [f64::from(image.width()), f64::from(image.height())];
    let seen = camera.project(point, size).expect("in front of the eye");
    image.pixel(seen.x as u32, seen.y as u32)
}

#[test]
fn the_same_motion_gives_the_same_bytes_on_any_number_of_threads() {
    let trajectory = motion(THROW);
    let once = render(&trajectory, &small()).unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| render(&trajectory, &small()).unwrap()) == once, "{threads} threads");
    }
    assert!(render_at(&trajectory, 0.3, &small()).unwrap() != once);
}

#[test]
fn a_body_has_its_colour_where_the_camera_says_it_is() {
    let trajectory = motion(THROW);
    for theme in [Theme::Light, Theme::Dark] {
        let view = View { theme, ..small() };
        let studio = Studio::new(&trajectory, &view).unwrap();
        for t in [0.0, 0.2, 0.5] {
            let position = trajectory.body_at(BodyId(1), t).position;
            let seen = light(pixel_at(&studio.at(t), studio.camera(), &position)).normalize();
            let likeness = seen.dot(&body_colour(0).normalize());
            assert!(likeness > 0.95, "{theme:?} at {t} s: {seen}, {likeness}");
        }
    }
}

#[test]
fn the_path_is_drawn_from_start_to_end() {
    let trajectory = motion(THROW);
    let view = small();
    let studio = Studio::new(&trajectory, &view).unwrap();
    let whole = studio.whole();
    for k in 0..=40 {
        let position = trajectory.body_at(BodyId(1), 0.02 * f64::from(k)).position;
        let pixel = pixel_at(&whole, studio.camera(), &position);
        assert!(is_red(pixel), "{pixel:?} on the path at {} s", 0.02 * f64::from(k));
    }
}

#[test]
fn everything_lies_inside_the_margins() {
    let image = render(&motion(THROW), &small()).unwrap();
    let (width, height) = (image.width(), image.height());
    let outside = |x: u32, y: u32| x < 20 || y < 14 || x >= width - 20 || y >= height - 14;
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let stray: Vec<_> = all.filter(|&(x, y)| outside(x, y) && is_red(image.pixel(x, y))).collect();
    assert!(stray.is_empty(), "{stray:?}");
    assert!(red_pixels(&image) > 1000, "{} pixels of the body", red_pixels(&image));
}

#[test]
fn a_body_throws_a_shadow_and_nothing_else_does() {
    let still = THROW.replace("velocity = [3, 2, 0]", "").replace("spin = [0, 0, 3]", "");
    let trajectory = motion(&still.replace("0, 0.5, 0", "0, 0.1, 0"));
    let view = View { aim: Aim::Angles { azimuth: 0.4, elevation: 0.5, distance: Some(2.5) }, ..small() };
    let studio = Studio::new(&trajectory, &view).unwrap();
    let image = studio.at(0.0);
    let brightness = |point: Vec3| light(pixel_at(&image, studio.camera(), &point)).sum();
    let far = brightness(Vec3::new(-0.45, 0.0, 0.03));
    let beside = brightness(Vec3::new(0.13, 0.0, 0.03));
    assert!(beside < 0.75 * far, "{beside} beside the box, {far} far from it");
}

#[test]
fn scenes_without_motion_floor_or_extent_have_pictures_too() {
    let floor = "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
    let particle = "[[body]]\nname = \"p\"\nmass = 1.0\nshape = { kind = \"particle\" }\n";
    let fixed = "[[body]]\nname = \"b\"\nfixed = true\nshape = { kind = \"ball\", radius = 1e3 }\n";
    let wall = "[[body]]\nname = \"wall\"\nfixed = true\nshape = { kind = \"half_space\", normal = [-1, 0, 0.3] }\n";
    for bodies in [floor, particle, fixed, wall] {
        for gravity in ["[0, -9.81, 0]", "[0, 0, 0]", "[3, 0, 0]"] {
            let trajectory = motion(&format!("format = 1\nduration = 0.5\ngravity = {gravity}\n{bodies}"));
            for image in [render(&trajectory, &small()), render_at(&trajectory, 0.2, &small())] {
                assert_eq!(image.unwrap().width(), 480);
            }
        }
    }
    let trajectory = motion(&format!("format = 1\nduration = 0.5\n{particle}"));
    assert!(red_pixels(&render(&trajectory, &small()).unwrap()) > 20, "a particle can be seen");
}

#[test]
fn absurd_cameras_and_times_give_pictures() {
    let trajectory = motion(THROW);
    let (zero, up) = (Vec3::zeros(), Vec3::y());
    let cameras = [
        (zero, zero, up),
        (Vec3::new(0.0, 0.5, 0.0), Vec3::x(), up),
        (Vec3::repeat(1e9), zero, up),
        (Vec3::new(0.0, -3.0, 0.1), zero, up),
        (Vec3::new(0.0, 3.0, 0.0), zero, up),
        (Vec3::new(1.0, 1.0, 1.0), Vec3::repeat(1e12), zero),
        (Vec3::repeat(f64::NAN), zero, up),
    ];
    for (eye, target, up) in cameras {
        let aim = Aim::Exactly(Camera::look_at(eye, target, up));
        assert!(render(&trajectory, &View { aim, ..small() }).is_ok(), "{eye}");
    }
    let away = Camera::look_at(Vec3::new(0.0, 5.0, 30.0), Vec3::new(0.0, 5.0, 60.0), up);
    let image = render(&trajectory, &View { aim: Aim::Exactly(away), ..small() }).unwrap();
    assert_eq!(red_pixels(&image), 0, "the body is behind the eye");
    let studio_view = small();
    let studio = Studio::new(&trajectory, &studio_view).unwrap();
    assert!(studio.at(-5.0) == studio.at(0.0) && studio.at(f64::NAN) == studio.at(0.0));
    assert!(studio.at(1e9) == studio.at(0.8));
}

#[test]
fn absurd_sizes_are_refused_and_thin_ones_made() {
    let trajectory = motion(THROW);
    for (width, height) in [(0, 0), (15, 100), (100, 8193), (u32::MAX, u32::MAX)] {
        let refused = render(&trajectory, &View { width, height, ..small() });
        assert!(matches!(refused, Err(PictureError::Size { .. })), "{width}x{height}");
    }
    for (width, height) in [(16, 16), (700, 16), (16, 700), (33, 65)] {
        let image = render(&trajectory, &View { width, height, caption: true, ..small() }).unwrap();
        assert_eq!((image.width(), image.height()), (width, height));
    }
}

#[test]
fn pins_and_captions_can_be_seen() {
    let trajectory = motion(THROW);
    let plain = render(&trajectory, &small()).unwrap();
    let captioned = View { caption: true, title: "Ωραία – čaj, 日本".to_owned(), ..small() };
    assert!(render(&trajectory, &captioned).unwrap() != plain);
    let position = trajectory.body_at(BodyId(1), 0.3).position;
    let view = View { nail_marks: vec![NailMark { position, held: None }], ..small() };
    let studio = Studio::new(&trajectory, &view).unwrap();
    let pixel = light(pixel_at(&studio.whole(), studio.camera(), &position));
    let nail_mark = linear(Theme::Light.scheme().nail_mark);
    assert!((pixel - nail_mark).norm() < 0.2, "{pixel} at the mark's point, {nail_mark}");
}

/// A stage with boxes facing the camera, each a colour, an opacity and a depth.
fn glass_stage(boxes: &[(Colour, f32, f64)]) -> Image {
    let surface = Surface::new(&Shape::Cuboid { half_extents: Vec3::new(1.0, 1.0, 0.1) }).unwrap();
    let mut stage = Stage { radius: 3.0, meshes: vec![Mesh::new(&surface, 1.0, false)], ..Stage::default() };
    for (colour, opacity, depth) in boxes {
        let pose = Pose { position: Vec3::new(0.0, 0.0, -depth), turn: Mat3::identity() };
        let instance = stage.instance(0, &pose, *colour);
        stage.instances.push(Instance { opacity: *opacity, shadow: 0.0, ..instance });
    }
    let camera = Camera::look_at(Vec3::new(0.0, 0.0, 10.0), Vec3::zeros(), Vec3::y());
    Canvas::new(&stage, &camera, Vec3::y().cast(), Theme::Light, 100, 100).finish()
}

#[test]
fn glass_is_laid_over_from_far_to_near_whatever_the_order() {
    let (red, blue) = (Colour::new(0.8, 0.1, 0.1), Colour::new(0.1, 0.1, 0.8));
    let middle = |boxes: &[(Colour, f32, f64)]| light(glass_stage(boxes).pixel(50, 50));
    let red_first = middle(&[(red, 0.5, 0.0), (blue, 0.5, 1.0)]);
    assert_eq!(red_first, middle(&[(blue, 0.5, 1.0), (red, 0.5, 0.0)]));
    assert!(red_first.x > red_first.z, "the nearer one prevails: {red_first}");
    // Over a background of white-ish w: ½·near + ¼·far + ¼·w, where glass shows its colour times one number.
    let only = |colour: Colour, depth: f64| middle(&[(colour, 0.5, depth)]) - middle(&[]) * 0.5;
    let expected = only(red, 0.0) + only(blue, 1.0) * 0.5 + middle(&[]) * 0.25;
    assert!((expected - red_first).norm() < 0.01, "{red_first}, expected {expected}");
    let hidden = middle(&[(blue, 0.5, 1.0), (red, 1.0, 0.0)]);
    assert_eq!(hidden, middle(&[(red, 1.0, 0.0)]), "glass behind a solid body");
}

#[test]
fn glass_shows_no_seams_and_no_far_side() {
    let image = glass_stage(&[(Colour::new(0.8, 0.1, 0.1), 0.4, 0.0)]);
    let inside: Vec<[u8; 3]> =
        (35..65).flat_map(|y| (35..65).map(move |x| (x, y))).map(|(x, y)| image.pixel(x, y)).collect();
    let range = |k: usize| {
        let values = inside.iter().map(|pixel| pixel[k]);
        values.clone().max().unwrap() - values.min().unwrap()
    };
    // The face is cut into two triangles along its diagonal; the background alone changes by a few steps.
    assert!((0..3).all(|k| range(k) <= 8), "{} {} {}", range(0), range(1), range(2));
}

#[test]
fn edges_are_smooth_and_areas_exact() {
    // A square of side 2 seen from 9.9 m: its picture's area is known.
    let image = glass_stage(&[(Colour::new(0.9, 0.0, 0.0), 1.0, 0.0)]);
    let empty = glass_stage(&[]);
    let covered = |x: u32, y: u32| {
        let (with, without) = (light(image.pixel(x, y)), light(empty.pixel(x, y)));
        let full = light(image.pixel(50, 50)).y;
        f64::from((without.y - with.y) / (without.y - full).max(0.1))
    };
    let sum: f64 = (0..100).flat_map(|y| (0..100).map(move |x| (x, y))).map(|(x, y)| covered(x, y)).sum();
    let side = 2.0 * 100.0 / (2.0 * tan(FIELD_OF_VIEW / 2.0)) / 9.9;
    let error = (sum / (side * side) - 1.0).abs();
    assert!(error < 0.02, "area {sum}, expected {}", side * side);
}

#[test]
fn large_floors_reach_behind_the_eye() {
    let surface = Surface::new(&Shape::Cuboid { half_extents: Vec3::new(50.0, 0.5, 50.0) }).unwrap();
    let mut stage = Stage { radius: 3.0, meshes: vec![Mesh::new(&surface, 1.0, false)], ..Stage::default() };
    let pose = Pose { position: Vec3::new(0.0, -0.5, 0.0), turn: Mat3::identity() };
    stage.instances.push(stage.instance(0, &pose, Colour::new(0.8, 0.0, 0.0)));
    stage.planes.push(Plane { point: Vec3::new(0.0, -9.0, 0.0).cast(), normal: Vec3::y().cast(), grid: true });
    let camera = Camera::look_at(Vec3::new(0.0, 2.0, 6.0), Vec3::zeros(), Vec3::y());
    let image = Canvas::new(&stage, &camera, Vec3::y().cast(), Theme::Light, 64, 64).finish();
    for (x, y) in [(1, 62), (32, 40), (62, 62)] {
        assert!(is_red(image.pixel(x, y)), "{x}, {y}: {:?}", image.pixel(x, y));
    }
}

#[test]
fn an_earlier_motion_is_seen_beside_the_new_one() {
    let (before, after) = (motion(&THROW.replace("[3, 2, 0]", "[2, 3, 1]")), motion(THROW));
    let view = small();
    let alone = Studio::new(&after, &view).unwrap();
    let both = Studio::comparing(&after, Some(&before), &view).unwrap();
    assert_ne!(alone.camera(), both.camera(), "the camera makes room for both");
    let view = View { aim: Aim::Exactly(*both.camera()), ..small() };
    assert!(Studio::new(&after, &view).unwrap().whole() != both.whole());
    let size = [480.0, 300.0];
    for t in [0.0, 0.2, 0.4, 0.8] {
        let seen = both.camera().project(&before.body_at(BodyId(1), t).position, size).unwrap();
        assert!((0.0..480.0).contains(&seen.x) && (0.0..300.0).contains(&seen.y), "{seen:?} at {t} s");
    }
}

#[test]
fn a_string_is_drawn_up_to_its_anchor_wherever_the_body_is() {
    let pendulum = r#"
format = 1
title = "pendulum"
duration = 1.0
[[body]]
name = "weight"
shape = { kind = "ball", radius = 0.1 }
position = [1, 0, 0]
[[joint]]
name = "string"
kind = "distance"
body = "weight"
to = [0, 1, 0]
length = 1.4142135623730951
"#;
    let trajectory = motion(pendulum);
    let view = small();
    let studio = Studio::new(&trajectory, &view).unwrap();
    let (start, end) = (studio.at(0.0), studio.at(1.0));
    let bright =
        |image: &Image, point: &Vec3| pixel_at(image, studio.camera(), point).map(u32::from).iter().sum::<u32>();
    let (anchor, middle) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.5, 0.5, 0.0));
    assert!(bright(&start, &anchor) < 300 && bright(&end, &anchor) < 300, "{}", bright(&start, &anchor));
    let drop = bright(&end, &middle).abs_diff(bright(&start, &middle));
    assert!(drop > 50, "the string leaves where it was: {drop}");
}
