//! Hollow things are hollow, and what is hung up stays there.
//!
//! The shapes are those of the shipped scenes: a bucket and a mug hold a ball, a mug stands, a hat hangs over a peg by its
//! crown, scissors hang by a ring. Each must come to rest where a person would leave it; a piece too many would close the
//! opening, a missing contact would let it fall.

use hattrick::files::Reach;
use hattrick::geometry::mass::volume_integrals;
use hattrick::math::Vec3;
use hattrick::model::BodyId;
use hattrick::simulation::{End, Event, EventKind, Trajectory, simulate};
use hattrick::{Model, Scene};

/// The `[[shape]]` tables of a shipped scene.
fn shapes_of(scene: &str) -> String {
    let path = format!("{}/scenes/{scene}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a shipped scene");
    let from = text.find("[[shape]]").expect("named shapes");
    text[from..text.find("[[body]]").expect("bodies")].to_owned()
}

struct Setting {
    text: String,
}

impl Setting {
    fn new(scene: &str) -> Self {
        let floor = "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
        Setting { text: format!("format = 1\nduration = 4.0\n{}{floor}", shapes_of(scene)) }
    }

    fn with(mut self, name: &str, shape: &str, more: &str) -> Self {
        self.text += &format!("[[body]]\nname = \"{name}\"\nshape = {shape}\nrestitution = 0.2\n{more}\n");
        self
    }

    /// The motion, and the last body.
    fn run(&self) -> (Trajectory, BodyId) {
        let scene = Scene::parse_reaching(&self.text, "test.toml", Reach::Anywhere)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.text));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
        let last = scene.bodies.last().expect("bodies");
        (simulate(&model, &model.control()), model.body(&last.name).expect("its name"))
    }
}

/// Where the centre of mass of a named shape is in the file's frame.
fn center_of(scene: &str, shape: &str) -> Vec3 {
    let text = format!(
        "format = 1\nduration = 1.0\n{}[[body]]\nname = \"it\"\nfixed = true\nshape = \"{shape}\"\n",
        shapes_of(scene)
    );
    let read = Scene::parse(&text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    volume_integrals(&read.bodies[0].shape).expect("a solid").centroid
}

/// Checks that the motion ends with the body at rest; where it is then.
#[track_caller]
fn rests(setting: &Setting) -> Vec3 {
    let (trajectory, body) = setting.run();
    assert_eq!(trajectory.end, End::Horizon);
    let end = trajectory.body_at(body, trajectory.t_end);
    let of_body = |event: &&Event| event.kind == EventKind::Rest && [event.first, event.second].contains(&body);
    let told = trajectory.events.iter().filter(of_body).count() > 0;
    assert!(told, "no rest: v {} ω {}, at {}", end.velocity, end.spin, end.position);
    assert_eq!((end.velocity, end.spin), (Vec3::zeros(), Vec3::zeros()));
    end.position
}

fn at(p: [f64; 3]) -> String {
    format!("position = [{:?}, {:?}, {:?}]", p[0], p[1], p[2])
}

const BALL: &str = "{ kind = \"ball\", radius = 0.02 }";

#[test]
fn a_ball_dropped_into_the_bucket_lies_on_its_bottom() {
    let ball = at([0.03, 0.6, 0.01]) + "\nrolling_resistance = 0.001";
    let place = rests(&Setting::new("eggs").with("bucket", "\"bucket\"", "fixed = true").with("ball", BALL, &ball));
    assert!((place.y - 0.032).abs() < 1e-6, "{place}");
}

#[test]
fn a_ball_dropped_into_the_mug_lies_on_its_bottom() {
    let center = center_of("mug", "mug");
    // The mug stands on the floor and may move.
    let mug = at(center.into());
    let ball = at([0.003, 0.2, 0.002]) + "\nrolling_resistance = 0.001\ndensity = 300";
    let place = rests(&Setting::new("mug").with("mug", "\"mug\"", &mug).with("ball", BALL, &ball));
    assert!((place.y - 0.028).abs() < 1e-6, "{place}");
}

#[test]
fn a_mug_set_down_stands_on_the_floor_and_on_a_table() {
    let center = center_of("mug", "mug");
    for height in [0.0, 0.7] {
        let table = at([0.0, 0.35, 0.0]) + "\nfixed = true";
        // Dropped from a millimetre, a little askew.
        let mug = at([0.1, height + center.y + 0.002, 0.05]) + "\nrotation = [0.02, 0.3, 0.01]";
        let mut setting = Setting::new("mug");
        if height > 0.0 {
            setting = setting.with("table", "{ kind = \"cuboid\", half_extents = [0.5, 0.35, 0.4] }", &table);
        }
        let place = rests(&setting.with("mug", "\"mug\"", &mug));
        assert!((place.y - height - center.y).abs() < 1e-6, "{place} instead of {}", height + center.y);
    }
}

/// Where the pegs of a rack begin.
const ROOT: Vec3 = Vec3::new(0.0, 1.4, 0.0);

/// The far end of the peg along x of a rack whose pegs are so long, and lean so far from upright.
fn peg_end(length: f64, lean: f64) -> Vec3 {
    ROOT + Vec3::new(lean.sin(), lean.cos(), 0.0) * length
}

#[test]
fn a_hat_put_over_a_peg_hangs_there() {
    let (center, end) = (center_of("hat", "hat"), peg_end(0.2, 0.96));
    // Along the peg, the inside of the crown, 0.104 m above the brim, 2 mm before the peg's end.
    let axis = (end - ROOT).normalize();
    let place = end + axis * (0.01 + 0.002 - (0.104 - center.y));
    let hat = at(place.into()) + "\nrotation = [0, 0, -0.96]\nmass = 0.12\nfriction = 0.7\nrolling_resistance = 0.001";
    let rack = "fixed = true\nfriction = 0.7";
    let place = rests(&Setting::new("hat").with("rack", "\"rack\"", rack).with("hat", "\"hat\"", &hat));
    assert!(place.y > 1.3 && (place - end).norm() < 0.2, "{place}");
}

#[test]
fn scissors_hang_on_a_peg_by_a_ring() {
    let (center, end) = (center_of("scissors", "scissors"), peg_end(0.22, 1.1868));
    // A ring's middle, (0.043, −0.125, 0) in the file, on the peg's axis halfway out; the ring's axis, z, turned towards x.
    let half = (end + ROOT) * 0.5;
    let turn = hattrick::math::rotation::exp(Vec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    let upside_down = hattrick::math::rotation::exp(Vec3::new(0.0, 0.0, std::f64::consts::PI));
    let rotation = turn * upside_down;
    let position = half - rotation * (Vec3::new(0.043, -0.125, 0.0) - center);
    let vector = hattrick::math::rotation::log(&rotation);
    let scissors = at(position.into())
        + &format!("\nrotation = [{:?}, {:?}, {:?}]\ndensity = 7800", vector.x, vector.y, vector.z)
        + "\nrolling_resistance = 0.002";
    // As rough as the scene has them.
    let rack = "fixed = true\nfriction = 0.9\nrolling_resistance = 0.006";
    let setting = Setting::new("scissors").with("rack", "\"rack\"", rack).with("scissors", "\"scissors\"", &scissors);
    let place = rests(&setting);
    assert!(place.y > 1.2, "{place}");
}

/// Throws of everything into and at everything. Nothing sinks in by more than lasting contact may, nothing rattles on.
#[test]
fn hollow_things_thrown_at_each_other_do_not_overlap() {
    let shapes = shapes_of("eggs") + &shapes_of("mug") + &shapes_of("scissors");
    let floor = "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
    for seed in 0..12_u32 {
        let noise = |k: u32| 2.0 * (f64::from(1000 * seed + k + 1) * 0.618_033_988_75).fract() - 1.0;
        let mut text = format!("format = 1\nduration = 1.2\n{shapes}{floor}");
        text += "[[body]]\nname = \"bucket\"\nfixed = true\nshape = \"bucket\"\n";
        for (k, shape) in ["mug", "scissors", "egg"].into_iter().enumerate() {
            let vector = |size: f64, first: u32| {
                let entry = |axis: u32| size * noise(20 * k as u32 + first + axis);
                format!("[{:?}, {:?}, {:?}]", entry(0), entry(1), entry(2))
            };
            let height = 0.45 + 0.25 * k as f64;
            text += &format!(
                "[[body]]\nname = \"{shape}\"\nshape = \"{shape}\"\nposition = [{:?}, {height:?}, {:?}]\nrotation = {}\nvelocity = {}\nspin = {}\nrestitution = 0.3\n",
                0.1 * noise(20 * k as u32),
                0.1 * noise(20 * k as u32 + 1),
                vector(2.0, 2),
                vector(0.5, 5),
                vector(6.0, 8)
            );
        }
        let trajectory = super::support::run(&text);
        assert_eq!(trajectory.end, End::Horizon, "seed {seed}");
        for k in 0..=60 {
            let t = 1.2 * f64::from(k) / 60.0;
            let (gap, pair) = super::support::smallest_gap(&trajectory, t);
            assert!(gap > -5e-6, "seed {seed}: {pair} by {gap:e} m");
        }
    }
}

/// The same mug, but as triangles in a file: cut into pieces, it still is open.
#[test]
fn a_ball_dropped_into_a_mug_of_triangles_lies_on_its_bottom() {
    let shape = format!("format = 1\nduration = 1.0\n{}", shapes_of("mug"))
        + "[[body]]\nname = \"mug\"\nfixed = true\nshape = \"mug\"\n";
    let mug = Scene::parse(&shape, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let surface = hattrick::geometry::surface::Surface::new(&mug.bodies[0].shape).expect("a solid");
    let mut obj = String::new();
    for [x, y, z] in &surface.positions {
        obj += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c] in &surface.triangles {
        obj += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    let folder = std::env::temp_dir().join(format!("hattrick-mug-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a moment");
    std::fs::write(folder.join("mug.obj"), obj).expect("it is writable");
    let file = folder.join("mug.obj").display().to_string();
    let mesh = format!("{{ kind = \"mesh\", file = {file:?} }}");
    let ball = at([0.003, 0.2, 0.002]) + "\nrolling_resistance = 0.001";
    let small = "{ kind = \"ball\", radius = 0.015 }";
    let place = rests(
        &Setting::new("mug").with("mug", &mesh, &(at([0.0, 0.05, 0.0]) + "\nfixed = true")).with("ball", small, &ball),
    );
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    // The bottom is 0.008 m above the foot, which is the mesh's centre of mass below 0.05 m, to a voxel of 1.5 mm.
    let bottom = 0.05 - center_of("mug", "mug").y + 0.008;
    assert!((place.y - 0.015 - bottom).abs() < 2e-3, "{place}, the bottom is at {bottom}");
}
