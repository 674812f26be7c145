//! How long every shipped scene takes, beside rapier3d-f64 stepping the same bodies at 1/240 s; and how long a mesh loads.
//!
//! Both programs are measured in turn within one run, and the ratio is printed, since machines differ. Rapier's bodies may
//! sleep, as ours do. A particle is a ball of a millimetre there.

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hattrick::geometry::Solid;
use hattrick::geometry::polytope::Polytope;
use hattrick::math::Vec3;
use hattrick::model::World;
use hattrick::{Model, Scene, simulate};
use rapier3d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, IntegrationParameters, PhysicsWorld, Pose, RigidBodyBuilder, SharedShape,
    Vector,
};

const STEP: f64 = 1.0 / 240.0;
/// Each program is run this often, in turn; the median counts.
const ROUNDS: usize = 5;
/// Triangles of the mesh that is loaded.
const AROUND: usize = 250;
const RINGS: usize = 100;

fn main() {
    println!("scene          bodies  pieces   ours [ms]  rapier [ms]  ours/rapier  events");
    for path in scene_files() {
        let scene = Scene::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
        let u = model.control();
        let trajectory = simulate(&model, &u);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(seconds(|| drop(simulate(black_box(&model), black_box(&u)))));
            let mut world = rapier_world(trajectory.world());
            theirs.push(seconds(|| (0..(scene.duration / STEP) as usize).for_each(|_| world.step())));
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let bodies = &trajectory.world().bodies;
        let pieces: usize = bodies.iter().map(|body| body.solid.piece_count()).sum();
        println!(
            "{:12} {:8} {pieces:7} {:11.3} {:12.3} {:12.3} {:7}",
            path.file_stem().unwrap_or_default().to_string_lossy(),
            bodies.len(),
            ours * 1e3,
            theirs * 1e3,
            ours / theirs,
            trajectory.events.len(),
        );
    }
    load_mesh();
}

fn scene_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A bowl with a thick wall, as triangles.
fn load_mesh() {
    let mut obj = String::new();
    // Up the outside of a half sphere and down the inside.
    let profile = (0..RINGS).map(|k| {
        let (side, part) = (k < RINGS / 2, (k % (RINGS / 2)) as f64 / (RINGS / 2 - 1) as f64);
        let angle = std::f64::consts::FRAC_PI_2 * if side { part } else { 1.0 - part };
        let radius = if side { 0.1 } else { 0.09 };
        (radius * angle.sin(), -radius * angle.cos())
    });
    for (r, y) in profile {
        for k in 0..AROUND {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sin_cos();
            let _ = writeln!(obj, "v {} {y} {}", r * sin, r * cos);
        }
    }
    let corner = |ring: usize, k: usize| ring * AROUND + k % AROUND + 1;
    for ring in 0..RINGS - 1 {
        for k in 0..AROUND {
            let [a, b] = [corner(ring, k), corner(ring, k + 1)];
            let [c, d] = [corner(ring + 1, k + 1), corner(ring + 1, k)];
            let _ = writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}");
        }
    }
    let folder = std::env::temp_dir().join(format!("hattrick-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a moment");
    std::fs::write(folder.join("bowl.obj"), obj).expect("it is writable");
    let text =
        "format = 1\nduration = 1.0\n[[body]]\nname = \"bowl\"\nshape = { kind = \"mesh\", file = \"bowl.obj\" }\n";
    std::fs::write(folder.join("bowl.toml"), text).expect("it is writable");
    let mut notes = Vec::new();
    let time = seconds(|| notes = Scene::open(folder.join("bowl.toml")).unwrap_or_else(|e| panic!("{e}")).notes);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    println!("\nmesh of {} triangles: {time:.3} s; {}", 2 * AROUND * (RINGS - 1), notes.join("; "));
}

/// The same bodies for rapier.
fn rapier_world(ours: &World) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = vector(&ours.gravity);
    world.integration_parameters = IntegrationParameters { dt: STEP, ..Default::default() };
    for body in &ours.bodies {
        let state = &body.initial;
        let builder = if body.fixed { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
        let builder = builder
            .translation(vector(&state.position))
            .rotation(vector(&state.rotation.scaled_axis()))
            .linvel(vector(&state.velocity))
            .angvel(vector(&state.spin));
        let shape = match &*body.solid {
            Solid::HalfSpace(normal) => SharedShape::halfspace(vector(normal)),
            Solid::Convex { core, radius } => convex(core, *radius),
            Solid::Compound(compound) => {
                let piece = |solid: &Solid| match solid {
                    Solid::Convex { core, radius } => (Pose::IDENTITY, convex(core, *radius)),
                    _ => unreachable!("pieces are convex"),
                };
                SharedShape::compound(compound.pieces.iter().map(|p| piece(&p.solid)).collect())
            }
        };
        let rule = CoefficientCombineRule::Average;
        let collider = ColliderBuilder::new(shape).restitution(body.restitution).friction(body.friction);
        let collider = collider.restitution_combine_rule(rule).friction_combine_rule(rule);
        let collider = if body.fixed { collider } else { collider.mass(body.mass.mass) };
        world.insert(builder, collider);
    }
    world
}

fn vector(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn convex(core: &Polytope, radius: f64) -> SharedShape {
    match core.vertices[..] {
        // A ball in the middle; parts of shipped compounds are none.
        [_] => SharedShape::ball(radius.max(1e-3)),
        [a, b] => SharedShape::capsule(vector(&a), vector(&b), radius),
        _ => match core.boxed {
            Some(frame) if frame.pose.is_none() => SharedShape::cuboid(frame.half.x, frame.half.y, frame.half.z),
            _ => {
                let points: Vec<Vector> = core.vertices.iter().map(vector).collect();
                SharedShape::convex_hull(&points).expect("a hull has a volume")
            }
        },
    }
}
