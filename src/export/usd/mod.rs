//! USD as text (`.usda`): time samples of every body, meshes, and the state a physics engine would start from.
//!
//! ```text
//! Xform (root, turned so that Y is up) ─▶ one Xform a body: translate and orient, sampled ─▶ Mesh "Shape"
//!                                      ├▶ marks of joints and forces (`marks`), also below the bodies that carry them
//!                                      └▶ PhysicsScene with gravity; a Material of friction and restitution a body
//! ```
//!
//! Time codes are frames (t·fps, any fraction), and numbers have every digit. USD joins samples by straight lines and great
//! arcs, so keys are those for linear reading. `physics:rigidBodyEnabled` is off: the samples are the motion; switched on,
//! an engine starts from the same velocities and masses. Angular velocities are in degrees there, as UsdPhysics has it.

mod content;
mod marks;
mod read;

use std::fmt::Write as _;
use std::path::Path;

use super::curve::{Knot, Turn};
use super::keys::{self, Interpolation, Sampling};
use super::look::{Look, looks};
use super::marks::Marks;
use super::{Encoded, ExportError, Motion, Progress, axes, tell};
use crate::geometry::{Shape, Surface};
use crate::math::{Rotation, Vec3};
use crate::model::BodyProperties;
use crate::simulation::BodyCurve;

use marks::{MACHINE, push_of_body, push_of_world};
pub(super) use read::read;

pub(super) fn encode(
    motion: &Motion,
    marks: &Marks,
    path: &Path,
    sampling: &Sampling,
    progress: Progress,
) -> Result<Encoded, ExportError> {
    let (text, keys) = stage((motion, marks), sampling, progress)?;
    Ok(Encoded::one(path, text.into_bytes(), keys))
}

/// The whole text, and how many samples it has.
fn stage(
    (motion, marks): (&Motion, &Marks),
    sampling: &Sampling,
    progress: Progress,
) -> Result<(String, usize), ExportError> {
    let world = motion.trajectory.world();
    let up = axes::root(&world.gravity, Vec3::y());
    let names = prim_names(world.bodies.iter().map(|body| &*body.name));
    let mark_names = prim_names(marks.parts.iter().map(|part| part.name.as_str()));
    let mut text = header((motion, marks), sampling);
    let _ = writeln!(text, "def Xform \"Motion\" (\n    displayName = {}\n)\n{{", quoted(motion.title));
    let _ = writeln!(text, "    quatd xformOp:orient = {}", quaternion(&up));
    text += "    uniform token[] xformOpOrder = [\"xformOp:orient\"]\n\n";
    text += &gravity(&(up * world.gravity));
    let mut count = 0;
    for (((body, path), look), name) in motion.bodies().zip(looks(motion)).zip(&names) {
        let properties = &world.bodies[body.index()];
        count += push_body(&mut text, properties, path, sampling, name);
        push_mesh(&mut text, properties, &look, name);
        push_of_body(&mut text, (motion, marks), body.index(), &mark_names, sampling);
        text += "    }\n\n";
        push_material(&mut text, properties, name);
        tell(progress, body, motion)?;
    }
    count += push_of_world(&mut text, (motion, marks), &mark_names, sampling);
    text += "}\n";
    Ok((text, count))
}

fn header((motion, marks): (&Motion, &Marks), sampling: &Sampling) -> String {
    let fps = sampling.fps;
    let left_out = if marks.left_out { "        bool marks = 0\n" } else { "" };
    format!(
        "#usda 1.0\n(\n    customLayerData = {{\n        string fingerprint = \"{}\"\n{left_out}    }}\n    \
         defaultPrim = \"Motion\"\n    endTimeCode = {:?}\n    framesPerSecond = {fps:?}\n    \
         kilogramsPerUnit = 1\n    metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {fps:?}\n    \
         upAxis = \"Y\"\n)\n\n",
        motion.fingerprint,
        motion.trajectory.t_end * fps
    )
}

/// In world axes, the root's turn included.
fn gravity(gravity: &Vec3) -> String {
    let size = gravity.norm();
    let direction = if size > 0.0 { gravity / size } else { -Vec3::y() };
    format!(
        "    def PhysicsScene \"Physics\"\n    {{\n        vector3f physics:gravityDirection = {}\n        \
         float physics:gravityMagnitude = {size:?}\n    }}\n\n",
        tuple(direction.iter())
    )
}

/// Opens the prim of a body: its samples and its initial state.
fn push_body(text: &mut String, body: &BodyProperties, path: &BodyCurve, sampling: &Sampling, name: &str) -> usize {
    let schemas = if body.drive.never_moves() {
        ""
    } else {
        "prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]\n        "
    };
    let _ = writeln!(
        text,
        "    def Xform \"{name}\" (\n        {schemas}displayName = {}\n    )\n    {{",
        quoted(&body.name)
    );
    let chosen = keys::select(path, &Sampling { interpolation: Interpolation::Linear, ..*sampling });
    let places: Vec<Knot<3>> = chosen.places.iter().map(Knot::place).collect();
    let turns = Turn::continuous(chosen.turns.iter().map(Knot::turn), Interpolation::Linear).knots;
    push_samples(text, "double3 xformOp:translate", sampling, &places, |value| tuple(value.iter()));
    push_samples(text, "quatd xformOp:orient", sampling, &turns, |value| {
        tuple([value.w, value.x, value.y, value.z].iter())
    });
    *text += "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n";
    if !body.drive.never_moves() {
        push_physics(text, body);
    }
    text.push('\n');
    places.len() + turns.len()
}

/// Samples at time codes; one value where it never changes.
fn push_samples<const N: usize>(
    text: &mut String,
    name: &str,
    sampling: &Sampling,
    knots: &[Knot<N>],
    value: impl Fn(&nalgebra::SVector<f64, N>) -> String,
) {
    if knots.windows(2).all(|pair| pair[0].value == pair[1].value) {
        let still = knots.first().map(|knot| value(&knot.value)).unwrap_or_default();
        let _ = writeln!(text, "        {name} = {still}");
        return;
    }
    let _ = writeln!(text, "        {name}.timeSamples = {{");
    for knot in knots {
        let _ = writeln!(text, "            {:?}: {},", knot.t * sampling.fps, value(&knot.value));
    }
    *text += "        }\n";
}

fn push_physics(text: &mut String, body: &BodyProperties) {
    let degrees = body.initial.spin.map(f64::to_degrees);
    let lines = [
        "bool physics:rigidBodyEnabled = 0".to_owned(),
        format!("vector3f physics:velocity = {}", tuple(body.initial.velocity.iter())),
        format!("vector3f physics:angularVelocity = {}", tuple(degrees.iter())),
        format!("float physics:mass = {:?}", body.mass.mass),
        format!("float3 physics:diagonalInertia = {}", tuple(body.mass.inertia.iter())),
        format!("quatf physics:principalAxes = {}", quaternion(&body.mass.body_from_principal)),
    ];
    lines.iter().for_each(|line| {
        let _ = writeln!(text, "        {line}");
    });
}

/// The shape of a body.
fn push_mesh(text: &mut String, body: &BodyProperties, look: &Look, name: &str) {
    let surface = &look.surface;
    let points = surface.positions.iter().map(|point| tuple(point.iter()));
    let normals = surface.normals.iter().map(|normal| tuple(normal.iter()));
    let [least, most] = bounds(surface);
    let schemas = "[\"PhysicsCollisionAPI\", \"PhysicsMeshCollisionAPI\", \"MaterialBindingAPI\"]";
    let _ = writeln!(
        text,
        "        def Mesh \"Shape\" (\n            prepend apiSchemas = {schemas}\n        )\n        {{"
    );
    let lines = [
        format!("uniform bool doubleSided = {}", u8::from(look.double_sided)),
        format!("float3[] extent = [{}, {}]", tuple(least.iter()), tuple(most.iter())),
        format!("int[] faceVertexCounts = [{}]", listed(surface.triangles.iter().map(|_| "3".to_owned()))),
        format!("int[] faceVertexIndices = [{}]", listed(surface.triangles.iter().flatten().map(u32::to_string))),
        format!("rel material:binding:physics = </Motion/{name}_material>"),
        format!(
            "normal3f[] normals = [{}] (\n                interpolation = \"vertex\"\n            )",
            listed(normals)
        ),
        format!("uniform token physics:approximation = \"{}\"", approximation(&body.shape)),
        format!("point3f[] points = [{}]", listed(points)),
        format!("color3f[] primvars:displayColor = [{}]", tuple(look.color.iter())),
        "uniform token subdivisionScheme = \"none\"".to_owned(),
    ];
    lines.iter().for_each(|line| {
        let _ = writeln!(text, "            {line}");
    });
    *text += "        }\n";
}

/// Least and greatest of all vertices.
fn bounds(surface: &Surface) -> [Vec3; 2] {
    let nothing = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
    let points = surface.positions.iter().map(|point| Vec3::from(*point));
    points.fold(nothing, |[least, most], point| [least.inf(&point), most.sup(&point)])
}

fn push_material(text: &mut String, body: &BodyProperties, name: &str) {
    let _ = write!(
        text,
        "    def Material \"{name}_material\" (\n        prepend apiSchemas = [\"PhysicsMaterialAPI\"]\n    )\n    {{\n        \
         float physics:dynamicFriction = {0:?}\n        float physics:restitution = {1:?}\n        \
         float physics:staticFriction = {0:?}\n    }}\n\n",
        body.friction, body.restitution
    );
}

/// What an engine should take instead of the triangles.
fn approximation(shape: &Shape) -> &'static str {
    match shape {
        Shape::Ball { .. } | Shape::Particle => "boundingSphere",
        Shape::Cuboid { .. } => "boundingCube",
        Shape::HalfSpace { .. } => "none",
        Shape::Capsule { .. } | Shape::Hull { .. } => "convexHull",
        Shape::Cylinder { .. } | Shape::Cone { .. } | Shape::Egg { .. } => "convexHull",
        // Everything that may be hollow.
        _ => "convexDecomposition",
    }
}

/// Names that USD takes, each once.
fn prim_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: std::collections::BTreeSet<String> = ["Physics".to_owned(), MACHINE.to_owned()].into();
    let unique = |name: &str| {
        let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = name.chars().map(allowed).collect();
        let starts_well = plain.starts_with(|c: char| !c.is_ascii_digit());
        let plain = if starts_well { plain } else { format!("_{plain}") };
        let numbered = (2..).map(|k| format!("{plain}_{k}"));
        let free = |name: &String| !taken.contains(name) && !taken.contains(&format!("{name}_material"));
        let name = [plain.clone()].into_iter().chain(numbered).find(free).unwrap_or(plain.clone());
        taken.extend([name.clone(), format!("{name}_material")]);
        name
    };
    names.map(unique).collect()
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("\"{escaped}\"")
}

fn tuple<'a>(numbers: impl Iterator<Item = &'a f64>) -> String {
    format!("({})", listed(numbers.map(|number| format!("{number:?}"))))
}

/// Real part first, as USD writes it.
fn quaternion(rotation: &Rotation) -> String {
    tuple([rotation.w, rotation.i, rotation.j, rotation.k].iter())
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prims_have_names_that_usd_takes() {
        let names = prim_names(["box 1", "box_1", "8 ball", "ünï", "Physics", "a", "a_material"].into_iter());
        assert_eq!(names[..5], ["box_1", "box_1_2", "_8_ball", "_n_", "Physics_2"]);
        let all: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(all.len(), names.len());
        assert_ne!(names[6], "a_material");
    }
}
