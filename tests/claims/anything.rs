//! Random scenes of anything that a file can describe, from seeds: every kind of shape, one to eight bodies that move, floors, walls,
//! slopes, fixed obstacles, stacks, heaps, high spins, and restitution and friction over all that is allowed.
//!
//! Every scene is valid and its bodies are apart at the start, or just touch. `anyway` claims what must hold of its motion.

use std::fmt::Write;
use std::path::Path;

use hattrick::Scene;
use hattrick::geometry::{Pose, Shape, Solid, separation};
use hattrick::math::Vec3;
use hattrick::math::rotation::exp;

use super::random::{Random, list};

/// What `kind` may be in a file, and how a drawn scene calls those with flat sides and the mesh.
pub const KINDS: [&str; 15] = [
    "ball",
    "cuboid",
    "capsule",
    "hull",
    "particle",
    "cylinder",
    "cone",
    "egg",
    "prism",
    "pyramid",
    "faceted egg",
    "tube",
    "parabola",
    "compound",
    "mesh",
];

/// What is being put together.
struct Draft {
    random: Random,
    text: String,
    placed: Vec<(Solid, Pose)>,
    moving: usize,
}

/// A shape in the words of a file, and prepared.
struct Thing {
    words: String,
    solid: Solid,
    is_particle: bool,
}

/// The file that scenes are said to be in: meshes lie beside it.
pub fn file() -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("anything");
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let mesh = folder.join("hammer.obj");
    // A box, and a tetrahedron a little apart from it: two convex pieces.
    let corner = |k: usize| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|bit| if bit == 1 { 0.1 } else { -0.1 });
    let mut text: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    text += "v 0.12 -0.1 -0.1\nv 0.12 0.1 -0.1\nv 0.12 0 0.1\nv 0.3 0 0\n";
    for face in
        ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6", "9 11 10", "9 10 12", "10 11 12", "11 9 12"]
    {
        let _ = writeln!(text, "f {face}");
    }
    if std::fs::read_to_string(&mesh).ok().as_deref() != Some(&text) {
        std::fs::write(&mesh, &text).expect("the temporary folder is writable");
    }
    folder.join("scene.toml").display().to_string()
}

/// The scene of a seed, and the kinds of shape in it.
pub fn scene(seed: u64, file: &str) -> (String, Vec<&'static str>) {
    let mut draft = Draft { random: Random::new(seed), text: String::new(), placed: Vec::new(), moving: 0 };
    let mut kinds = Vec::new();
    let family = draft.random.below(6);
    draft.head(family);
    draft.ground(family, file, &mut kinds);
    let count = 1 + draft.random.below(8);
    match family {
        0 | 1 => draft.thrown(count, file, &mut kinds),
        2 => draft.stack(count, file, &mut kinds),
        3 => draft.cluster(count, file, &mut kinds),
        4 => draft.heap(count, file, &mut kinds),
        _ => draft.laid(count, file, &mut kinds),
    }
    (draft.text, kinds)
}

/// A shape of a kind, in words.
fn words(random: &mut Random, kind: &str) -> String {
    let size = random.between(0.05, 0.3);
    let part = |random: &mut Random| size * random.pick(&[0.1, 0.4, 0.7, 1.0]) * random.between(0.9, 1.1);
    let round = |random: &mut Random, kind: &str, more: &str| {
        let (half_height, radius) = (part(random), part(random));
        format!("kind = \"{kind}\", half_height = {half_height:?}, radius = {radius:?}{more}")
    };
    let egg = |random: &mut Random, more: &str| {
        let [tip, base] = [0, 1].map(|_| size * random.pick(&[0.3, 0.8, 1.0, 1.5]) * random.between(0.9, 1.1));
        format!("kind = \"egg\", radius = {size:?}, tip = {tip:?}, base = {base:?}{more}")
    };
    let sides = |random: &mut Random| format!(", segments = {}", 3 + random.below(12));
    match kind {
        "ball" => format!("kind = \"ball\", radius = {size:?}"),
        "cuboid" => {
            let half = Vec3::from_fn(|_, _| part(random));
            format!("kind = \"cuboid\", half_extents = {}", list(&half))
        }
        "capsule" | "cylinder" | "cone" => round(random, kind, ""),
        "prism" | "pyramid" => {
            let sides = sides(random);
            round(random, if kind == "prism" { "cylinder" } else { "cone" }, &sides)
        }
        "egg" => egg(random, ""),
        "faceted egg" => {
            let sides = format!(", segments = {}", 4 + 2 * random.below(3));
            egg(random, &sides)
        }
        "hull" => {
            let points: Vec<String> = (0..6 + random.below(10)).map(|_| list(&random.vector(size))).collect();
            format!("kind = \"hull\", points = [{}]", points.join(", "))
        }
        "tube" => {
            let (top, thickness) = (size * random.between(0.8, 1.2), size * random.between(0.05, 0.3));
            let arc = random.pick(&["", ", arc = [0.3, 2.0]"]);
            let segments = 5 + random.below(4);
            format!(
                "kind = \"tube\", half_height = {:?}, radius = {size:?}, top_radius = {top:?}, thickness = {thickness:?}, \
                 segments = {segments}{arc}",
                part(random)
            )
        }
        "parabola" => format!(
            "kind = \"parabola\", half_width = {size:?}, height = {:?}, half_depth = {:?}, thickness = {:?}, segments = {}",
            part(random),
            part(random),
            part(random),
            2 + random.below(6)
        ),
        "compound" => {
            let inner: Vec<String> = (0..2 + random.below(2))
                .map(|k| {
                    let kind = random.pick(&["ball", "cuboid", "capsule", "cylinder", "cone", "egg", "prism"]);
                    let place = Vec3::new(0.8 * size * k as f64, 0.0, 0.0) + random.vector(0.1 * size);
                    let turn = random.vector(1.5);
                    format!("{{ {}, position = {}, rotation = {} }}", words(random, kind), list(&place), list(&turn))
                })
                .collect();
            format!("kind = \"compound\", parts = [{}]", inner.join(", "))
        }
        "mesh" => format!("kind = \"mesh\", file = \"hammer.obj\", scale = {:?}", random.between(0.3, 2.0)),
        _ => format!("kind = \"{kind}\""),
    }
}

impl Thing {
    fn new(words: String, file: &str) -> Thing {
        let alone = format!("format = 1\nduration = 1\n[[body]]\nname = \"it\"\nfixed = true\nshape = {{ {words} }}\n");
        let scene = Scene::parse(&alone, file).unwrap_or_else(|error| panic!("{error}\n{alone}"));
        let shape = &scene.bodies[0].shape;
        Thing { solid: Solid::new(shape).expect("a solid"), is_particle: *shape == Shape::Particle, words }
    }
}

impl Draft {
    fn head(&mut self, family: usize) {
        let random = &mut self.random;
        let pull = match (family, random.below(6)) {
            (3, _) => 0.0,
            (_, 0) => 1.62,
            (_, 1) => 40.0,
            _ => 9.81,
        };
        let step = random.pick(&["", "", "", "step = 0.01\n", "step = 0.001\n"]);
        self.text = format!("format = 1\nduration = 0.6\ngravity = [0.0, {:?}, 0.0]\n{step}", -pull);
    }

    /// Restitution, friction and rolling resistance over all that a file may say.
    fn material(&mut self) -> String {
        let random = &mut self.random;
        let restitution = random.pick(&[0.0, 1.0, -1.0, -1.0]);
        let restitution = if restitution < 0.0 { random.between(0.0, 1.0) } else { restitution };
        let friction = match random.below(6) {
            0 => 0.0,
            1 => 10f64.powf(random.between(-6.0, 6.0)),
            _ => random.between(0.0, 1.5),
        };
        let rolling = match random.below(4) {
            0 => format!("rolling_resistance = {:?}\n", 10f64.powf(random.between(-5.0, -1.0))),
            _ => String::new(),
        };
        format!("restitution = {restitution:?}\nfriction = {friction:?}\n{rolling}")
    }

    /// A floor that is level or a slope, walls, and now and then something fixed; nothing where bodies are free.
    fn ground(&mut self, family: usize, file: &str, kinds: &mut Vec<&'static str>) {
        if family == 3 {
            return;
        }
        let slope = if family == 1 { self.random.between(0.05, 0.7) } else { 0.0 };
        let (sine, cosine) = slope.sin_cos();
        let mut planes = vec![(Vec3::new(sine, cosine, 0.0), Vec3::zeros())];
        for k in 0..self.random.below(3) {
            let side = if k == 0 { Vec3::x() } else { Vec3::z() };
            planes.push(((side + self.random.vector(0.1)).normalize(), side * -1.5));
        }
        for (k, (normal, position)) in planes.into_iter().enumerate() {
            let material = self.material();
            let _ = write!(
                self.text,
                "[[body]]\nname = \"plane{k}\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = {} }}\nposition = {}\n{material}",
                list(&normal),
                list(&position)
            );
            let solid = Solid::new(&Shape::HalfSpace { normal }).expect("a plane");
            self.placed.push((solid, Pose::new(position, &exp(Vec3::zeros()))));
        }
        if matches!(family, 0 | 1 | 4) && self.random.below(2) == 0 {
            let thing = self.draw(file, kinds);
            let position = Vec3::new(self.random.between(-0.3, 0.3), self.random.between(0.1, 0.5), 0.0);
            let rotation = self.random.vector(1.0);
            if self.is_clear(&thing, position, rotation) && !thing.is_particle {
                self.add("fixed", &thing, position, rotation, "fixed = true\n");
            }
        }
    }

    fn draw(&mut self, file: &str, kinds: &mut Vec<&'static str>) -> Thing {
        let kind = self.random.pick(&KINDS);
        kinds.push(kind);
        Thing::new(words(&mut self.random, kind), file)
    }

    fn is_clear(&self, thing: &Thing, position: Vec3, rotation: Vec3) -> bool {
        let pose = Pose::new(position, &exp(rotation));
        self.placed.iter().all(|(other, at)| separation(&thing.solid, &pose, other, at, None).gap > 1e-3)
    }

    fn add(&mut self, name: &str, thing: &Thing, position: Vec3, rotation: Vec3, more: &str) {
        let material = self.material();
        let density = self.random.between(100.0, 8000.0);
        let mass = if thing.is_particle { "mass = 0.3".to_owned() } else { format!("density = {density:?}") };
        let turned = if thing.is_particle { String::new() } else { format!("rotation = {}\n", list(&rotation)) };
        let _ = write!(
            self.text,
            "[[body]]\nname = \"{name}\"\nshape = {{ {} }}\nposition = {}\n{turned}{mass}\n{material}{more}",
            thing.words,
            list(&position)
        );
        self.placed.push((thing.solid.clone(), Pose::new(position, &exp(rotation))));
    }

    fn add_moving(&mut self, thing: &Thing, position: Vec3, rotation: Vec3, [velocity, spin]: [Vec3; 2]) {
        let spin = if thing.is_particle { String::new() } else { format!("spin = {}\n", list(&spin)) };
        let name = format!("body{}", self.moving);
        self.moving += 1;
        self.add(&name, thing, position, rotation, &format!("velocity = {}\n{spin}", list(&velocity)));
    }

    /// A spin: none, slow, or fast.
    fn spin(&mut self) -> Vec3 {
        let most = self.random.pick(&[0.0, 5.0, 20.0, 100.0]);
        self.random.vector(most)
    }

    /// Somewhere free in a box around a middle.
    fn throw(&mut self, thing: &Thing, middle: Vec3, half: f64, towards: Vec3) {
        for _ in 0..40 {
            let (position, rotation) = (middle + self.random.vector(half), self.random.vector(2.0));
            if self.is_clear(thing, position, rotation) {
                let haste = self.random.pick(&[0.0, 1.0, 3.0, 15.0]);
                let velocity = (towards + self.random.vector(0.3) - position) * haste;
                let spin = self.spin();
                return self.add_moving(thing, position, rotation, [velocity, spin]);
            }
        }
    }

    fn thrown(&mut self, count: usize, file: &str, kinds: &mut Vec<&'static str>) {
        for _ in 0..count {
            let thing = self.draw(file, kinds);
            self.throw(&thing, Vec3::new(0.0, 1.0, 0.0), 0.8, Vec3::new(0.0, 0.2, 0.0));
        }
    }

    fn cluster(&mut self, count: usize, file: &str, kinds: &mut Vec<&'static str>) {
        for _ in 0..count.max(2) {
            let thing = self.draw(file, kinds);
            self.throw(&thing, Vec3::zeros(), 0.7, Vec3::zeros());
        }
    }

    /// One above the other, falling.
    fn heap(&mut self, count: usize, file: &str, kinds: &mut Vec<&'static str>) {
        for k in 0..count {
            let thing = self.draw(file, kinds);
            self.throw(&thing, Vec3::new(0.0, 0.5 + 0.5 * k as f64, 0.0), 0.15, Vec3::new(0.0, 0.5 * k as f64, 0.0));
        }
    }

    /// Flat bodies on each other in exact contact, with something thrown at them.
    fn stack(&mut self, count: usize, file: &str, kinds: &mut Vec<&'static str>) {
        let mut top = 0.0;
        for _ in 0..count {
            let kind =
                self.random.pick(&["cuboid", "cuboid", "cylinder", "cylinder", "prism", "prism", "prism", "tube"]);
            kinds.push(kind);
            let thing = Thing::new(words(&mut self.random, kind), file);
            let turn = Vec3::y() * self.random.between(-3.0, 3.0);
            let (low, high) = thing.solid.extent(&Pose::new(Vec3::zeros(), &exp(turn)).turn);
            let place = Vec3::new(self.random.between(-0.02, 0.02), top - low.y, self.random.between(-0.02, 0.02));
            self.add_moving(&thing, place, turn, [Vec3::zeros(); 2]);
            top += high.y - low.y;
        }
        if self.random.below(2) == 0 {
            let thing = self.draw(file, kinds);
            self.throw(&thing, Vec3::new(1.0, 0.5, 0.0), 0.4, Vec3::new(0.0, 0.3, 0.0));
        }
    }

    /// Each with its lowest point on the floor, at rest or in motion along it.
    fn laid(&mut self, count: usize, file: &str, kinds: &mut Vec<&'static str>) {
        for _ in 0..count {
            let thing = self.draw(file, kinds);
            for _ in 0..40 {
                let (place, rotation) = (self.random.vector(0.9), self.random.vector(2.0));
                let rotation = if self.random.below(3) == 0 { Vec3::y() * rotation.y } else { rotation };
                let (low, _) = thing.solid.extent(&Pose::new(Vec3::zeros(), &exp(rotation)).turn);
                let place = Vec3::new(place.x, -low.y, place.z);
                if self.is_clear(&thing, place + Vec3::y() * 2e-3, rotation) {
                    let along = self.random.vector(2.0);
                    let (velocity, spin) = (Vec3::new(along.x, 0.0, along.z), self.spin());
                    self.add_moving(&thing, place, rotation, [velocity, spin]);
                    break;
                }
            }
        }
    }
}
