//! Random scenes of every shape, from seeds: the same seed is the same scene on every machine.
//!
//! Bodies do not overlap at the start: a body that would is drawn again, and left out when there is no room. What the claims
//! check on these scenes is theirs to say.

use std::fmt::Write;

use hattrick::geometry::{Pose, Shape, Solid, separation};
use hattrick::math::Vec3;
use hattrick::math::rotation::exp;

/// SplitMix64: small, and good enough to draw scenes.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A vector within the cube of this half side.
    pub fn vector(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    /// A direction.
    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1 && v.norm() <= 1.0 {
                return v.normalize();
            }
        }
    }
}

/// What kind of scene to draw.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Fixed floors and walls that hold the bodies, and gravity in some scenes.
    pub walls: bool,
    /// Multiplies velocities and spins.
    pub haste: f64,
    /// Restitutions to draw from; negative means any.
    pub restitutions: &'static [f64],
    /// Frictions to draw from.
    pub frictions: &'static [f64],
    /// Half of the bodies are cylinders and cones.
    pub round: bool,
}

/// A scene of 2 to 6 moving bodies that fly towards each other.
pub fn scene(seed: u64, kind: Kind) -> String {
    scene_of(seed, kind, |random| if kind.round && random.below(2) == 0 { round_shape(random) } else { shape(random) })
}

/// The same with eggs for half of the bodies.
pub fn scene_of_eggs(seed: u64, kind: Kind) -> String {
    scene_of(seed, kind, |random| match random.below(4) {
        0 | 1 => egg_shape(random),
        2 if kind.round => round_shape(random),
        _ => shape(random),
    })
}

fn scene_of(seed: u64, kind: Kind, draw: impl Fn(&mut Random) -> (String, Shape)) -> String {
    let random = &mut Random::new(seed);
    let gravity = if kind.walls && random.below(2) == 0 { -9.81 } else { 0.0 };
    let mut text = format!("format = 1\nduration = 1.0\ngravity = [0.0, {gravity:?}, 0.0]\nmax_events = 1000\n");
    if kind.walls {
        for (k, normal) in [Vec3::y(), Vec3::x(), -Vec3::y()].iter().enumerate().take(1 + random.below(3)) {
            let tilted = (normal + random.vector(0.2)).normalize();
            let shape = format!("kind = \"half_space\", normal = {}", list(&tilted));
            let material = material(random, kind);
            let _ = write!(text, "[[body]]\nname = \"wall{k}\"\nfixed = true\nshape = {{ {shape} }}\n{material}");
            let _ = writeln!(text, "position = {}", list(&(normal * -2.0)));
        }
    }
    let mut placed = Vec::new();
    for k in 0..2 + random.below(5) {
        // A fixed body among moving ones, now and then.
        let fixed = kind.walls && k > 0 && random.below(6) == 0;
        let (words, shape) = draw(random);
        let Some(solid) = Solid::new(&shape) else { continue };
        let Some((position, rotation)) = place(random, &solid, &placed) else { continue };
        placed.push((solid, Pose::new(position, &exp(rotation))));
        let _ = write!(text, "[[body]]\nname = \"body{k}\"\nshape = {{ {words} }}\n{}", material(random, kind));
        let _ = writeln!(text, "position = {}", list(&position));
        let particle = shape == Shape::Particle;
        if particle {
            text += "mass = 0.3\n";
        } else {
            let _ = writeln!(text, "rotation = {}\ndensity = {:?}", list(&rotation), random.between(100.0, 8000.0));
        }
        if fixed {
            text += "fixed = true\n";
            continue;
        }
        let towards = (random.vector(0.3) - position) * random.between(0.5, 4.0) * kind.haste;
        let _ = writeln!(text, "velocity = {}", list(&towards));
        if !particle && random.below(4) > 0 {
            let spin = random.vector(15.0) * kind.haste;
            let _ = writeln!(text, "spin = {}", list(&spin));
        }
    }
    text
}

/// Three numbers as a TOML list that reads back to the same bits.
pub fn list(v: &Vec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// A shape, in the words of a scene file and as data.
pub fn shape(random: &mut Random) -> (String, Shape) {
    let size = random.between(0.08, 0.4);
    match random.below(6) {
        0 => (format!("kind = \"ball\", radius = {size:?}"), Shape::Ball { radius: size }),
        1 | 2 => {
            let half_extents = Vec3::from_fn(|_, _| size * random.pick(&[0.1, 0.5, 0.5, 1.0]));
            (format!("kind = \"cuboid\", half_extents = {}", list(&half_extents)), Shape::Cuboid { half_extents })
        }
        3 => {
            let (half_height, radius) = (size, size * random.between(0.1, 0.8));
            let words = format!("kind = \"capsule\", half_height = {half_height:?}, radius = {radius:?}");
            (words, Shape::Capsule { half_height, radius })
        }
        4 => {
            let points: Vec<Vec3> = (0..5 + random.below(12)).map(|_| random.vector(size)).collect();
            let words: Vec<String> = points.iter().map(list).collect();
            (format!("kind = \"hull\", points = [{}]", words.join(", ")), Shape::Hull { points })
        }
        _ => ("kind = \"particle\"".to_owned(), Shape::Particle),
    }
}

/// A cylinder or a cone, flat or long.
pub fn round_shape(random: &mut Random) -> (String, Shape) {
    let size = random.between(0.08, 0.4);
    let (half_height, radius) = (size * random.pick(&[0.05, 0.5, 1.0]), size * random.between(0.2, 1.0));
    let words = |kind: &str| format!("kind = \"{kind}\", half_height = {half_height:?}, radius = {radius:?}");
    match random.below(2) {
        0 => (words("cylinder"), Shape::Cylinder { half_height, radius, segments: None }),
        _ => (words("cone"), Shape::Cone { half_height, radius, segments: None }),
    }
}

/// An egg, long, flat or nearly a ball.
pub fn egg_shape(random: &mut Random) -> (String, Shape) {
    let radius = random.between(0.08, 0.3);
    let [tip, base] = [0, 1].map(|_| radius * random.pick(&[0.3, 0.8, 1.0, 1.2, 2.0]) * random.between(0.9, 1.1));
    let words = format!("kind = \"egg\", radius = {radius:?}, tip = {tip:?}, base = {base:?}");
    (words, Shape::Egg { radius, tip, base, segments: None })
}

fn material(random: &mut Random, kind: Kind) -> String {
    let mut restitution = random.pick(kind.restitutions);
    if restitution < 0.0 {
        restitution = random.between(0.0, 1.0);
    }
    format!("restitution = {restitution:?}\nfriction = {:?}\n", random.pick(kind.frictions))
}

/// A pose at which the solid is clear of those placed already and of the walls.
fn place(random: &mut Random, solid: &Solid, placed: &[(Solid, Pose)]) -> Option<(Vec3, Vec3)> {
    (0..50).find_map(|_| {
        let (position, rotation) = (random.vector(0.9), random.vector(2.0));
        let rotation = if solid.is_particle() { Vec3::zeros() } else { rotation };
        let pose = Pose::new(position, &exp(rotation));
        let clear = |(other, at): &(Solid, Pose)| separation(solid, &pose, other, at, None).gap > 1e-3;
        placed.iter().all(clear).then_some((position, rotation))
    })
}
