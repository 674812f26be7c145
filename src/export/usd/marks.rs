//! Marks of joints and forces as meshes.
//!
//! ```text
//! body ─▶ Mesh, at a point of the body              root ─▶ Scope "Machine" ─▶ Mesh, at a place or with samples of
//!                                                            translate, orient and scale; visibility is sampled where it changes
//! ```

use std::fmt::Write as _;

use super::super::marks::course::course;
use super::super::marks::{Carrier, Marks, Part};
use super::{Motion, Sampling, Vec3, bounds, listed, push_samples, quoted, tuple};
use crate::picture::Theme;

/// The name of what holds the marks that no body carries.
pub const MACHINE: &str = "Machine";

/// Appends the marks that a body carries; its prim is still open.
pub fn push_of_body(
    text: &mut String,
    (motion, marks): (&Motion, &Marks),
    body: usize,
    names: &[String],
    fps: &Sampling,
) {
    for part in marks.of_body(body) {
        push(text, motion, part, name(marks, part, names), fps);
    }
}

/// Appends all others; how many samples they have.
pub fn push_of_world(
    text: &mut String,
    (motion, marks): (&Motion, &Marks),
    names: &[String],
    sampling: &Sampling,
) -> usize {
    if marks.of_world().next().is_none() {
        return 0;
    }
    let _ = writeln!(text, "    def Scope \"{MACHINE}\"\n    {{");
    let count = marks.of_world().map(|part| push(text, motion, part, name(marks, part, names), sampling)).sum();
    *text += "    }\n";
    count
}

fn name<'a>(marks: &Marks, part: &Part, names: &'a [String]) -> &'a str {
    let place = marks.parts.iter().position(|other| other.name == part.name);
    place.and_then(|place| names.get(place)).map_or("", String::as_str)
}

fn push(text: &mut String, motion: &Motion, part: &Part, name: &str, sampling: &Sampling) -> usize {
    let surface = &part.surface;
    let _ = writeln!(
        text,
        "        def Mesh \"{name}\" (\n            customData = {{\n                string kind = {}\n                \
         string of = {}\n            }}\n            displayName = {}\n        )\n        {{",
        quoted(part.kind),
        quoted(&part.of),
        quoted(&part.name)
    );
    let [least, most] = bounds(surface);
    let color = part.tone.colour(Theme::Light).map(f64::from);
    let lines = [
        "uniform bool doubleSided = 0".to_owned(),
        format!("float3[] extent = [{}, {}]", tuple(least.iter()), tuple(most.iter())),
        format!("int[] faceVertexCounts = [{}]", listed(surface.triangles.iter().map(|_| "3".to_owned()))),
        format!("int[] faceVertexIndices = [{}]", listed(surface.triangles.iter().flatten().map(u32::to_string))),
        format!(
            "normal3f[] normals = [{}] (\n                interpolation = \"vertex\"\n            )",
            listed(surface.normals.iter().map(|normal| tuple(normal.iter())))
        ),
        format!("point3f[] points = [{}]", listed(surface.positions.iter().map(|point| tuple(point.iter())))),
        format!("color3f[] primvars:displayColor = [{}]", tuple(color.iter())),
        "uniform token subdivisionScheme = \"none\"".to_owned(),
    ];
    lines.iter().for_each(|line| {
        let _ = writeln!(text, "            {line}");
    });
    push_visibility(text, part, motion.trajectory.t_end, sampling.fps);
    let count = match &part.carrier {
        Carrier::World(place) | Carrier::Body(_, place) => {
            let _ = writeln!(text, "            double3 xformOp:translate = {}", tuple(place.iter()));
            *text += "            uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
            0
        }
        Carrier::Rig(rig) => {
            let course = course(motion, rig, sampling, false);
            let (places, turns, scales) = (&course.place.knots, &course.turn.knots, &course.scale.knots);
            let vector = |value: &Vec3| tuple(value.iter());
            push_samples(text, "double3 xformOp:translate", sampling, places, vector);
            push_samples(text, "quatd xformOp:orient", sampling, turns, |value| {
                tuple([value.w, value.x, value.y, value.z].iter())
            });
            push_samples(text, "double3 xformOp:scale", sampling, scales, vector);
            *text += "            uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\", \"xformOp:scale\"]\n";
            places.len() + turns.len() + scales.len()
        }
    };
    *text += "        }\n\n";
    count
}

fn push_visibility(text: &mut String, part: &Part, t_end: f64, fps: f64) {
    let word = |shown: bool| if shown { "inherited" } else { "invisible" };
    match part.switches(t_end)[..] {
        [] => {}
        [(_, shown)] => {
            let _ = writeln!(text, "            token visibility = \"{}\"", word(shown));
        }
        ref switches => {
            *text += "            token visibility.timeSamples = {\n";
            for (t, shown) in switches {
                let _ = writeln!(text, "                {:?}: \"{}\",", t * fps, word(*shown));
            }
            *text += "            }\n";
        }
    }
}
