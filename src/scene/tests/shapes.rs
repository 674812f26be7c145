//! Named shapes, compounds and round shapes: read, and refused with reasons.

use super::*;
use crate::geometry::Shape;

const BALL: &str = "kind = \"ball\", radius = 0.1";

fn scene(shapes: &str, shape: &str) -> String {
    format!("format = 1\nduration = 1.0\n{shapes}[[body]]\nname = \"thing\"\nshape = {shape}\n")
}

#[track_caller]
fn refused(shapes: &str, shape: &str, expected: &str) {
    let error = Scene::parse(&scene(shapes, shape), "s.toml").unwrap_err().to_string();
    assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
}

#[test]
fn bodies_may_share_a_named_shape() {
    let named = format!("[[shape]]\nname = \"pea\"\n{}\n", BALL.replace(", ", "\n"));
    let read = Scene::parse(&scene(&named, "\"pea\""), "s.toml").unwrap();
    assert_eq!(read.bodies[0].shape, Shape::Ball { radius: 0.1 });
    refused(&named, "\"pee\"", "body \"thing\": no [[shape]] is called \"pee\"; did you mean \"pea\"?");
    refused(&(named.clone() + &named), "\"pea\"", "shape \"pea\": another [[shape]] is called \"pea\"");
    refused("[[shape]]\nkind = \"particle\"\n", "\"pea\"", "shape[0]: name is missing; add `name = \"bucket\"`");
    refused(&named.replace("0.1", "-1"), "\"pea\"", "shape \"pea\": radius is -1 m");
}

#[test]
fn a_compound_places_its_parts() {
    let part = format!("{{ {BALL}, position = [0, 1, 0], rotation = [0, 0, 1] }}");
    let shape = format!("{{ kind = \"compound\", parts = [{part}, {{ {BALL} }}], center_of_mass = [0, 0, 0] }}");
    let read = Scene::parse(&scene("", &shape), "s.toml").unwrap();
    let Shape::Compound { parts, center_of_mass } = &read.bodies[0].shape else { panic!("a compound") };
    assert_eq!((parts.len(), parts[0].position.y, parts[0].rotation.z, parts[1].position.y), (2, 1.0, 1.0, 0.0));
    assert!(center_of_mass.is_some());
}

#[test]
fn parts_that_cannot_be_are_refused() {
    let compound = |parts: &str| format!("{{ kind = \"compound\", parts = [{parts}] }}");
    refused("", &compound(""), "a compound needs at least one part; write `parts = [");
    refused("", "{ kind = \"compound\" }", "parts is missing; add `parts = [");
    refused("", &compound("{ kind = \"particle\" }"), "a particle cannot be a part of a compound");
    let plane = "{ kind = \"half_space\", normal = [0, 1, 0] }";
    refused("", &compound(plane), "a half_space cannot be a part of a compound");
    let nested = compound(&format!("{{ {BALL} }}"));
    refused("", &compound(&nested), "a compound cannot be a part of a compound");
    refused("", &compound(&format!("{{ {BALL}, positon = [0, 0, 0] }}")), "unknown key `positon`");
    refused("", &compound("{ kind = \"ball\" }"), "radius is missing");
    refused("", "{ kind = \"compound\", parts = 3 }", "parts is a number; write a list of tables");
}

#[test]
fn an_egg_is_smooth_unless_it_has_segments() {
    for (more, expected) in [("", None), (", segments = 16", Some(16))] {
        let shape = format!("{{ kind = \"egg\", radius = 0.02, tip = 0.03, base = 0.025{more} }}");
        let read = Scene::parse(&scene("", &shape), "s.toml").unwrap();
        assert_eq!(read.bodies[0].shape, Shape::Egg { radius: 0.02, tip: 0.03, base: 0.025, segments: expected });
    }
}

#[test]
fn round_shapes_that_cannot_be_are_refused() {
    let tube = "kind = \"tube\", half_height = 0.1, radius = 0.1";
    refused("", &format!("{{ {tube}, thickness = 0.1 }}"), "thickness is 0.1 m; write less than the radius, 0.1 m");
    refused("", &format!("{{ {tube}, thickness = 0.01, arc = [1, 0] }}"), "arc is not a part of a circle");
    refused("", &format!("{{ {tube}, thickness = 0.01, arc = [0, 7] }}"), "arc is not a part of a circle");
    refused(
        "",
        &format!("{{ {tube}, thickness = 0.01, segments = 2 }}"),
        "segments is 2; write a number from 3 to 256",
    );
    refused("", "{ kind = \"egg\", radius = 0.02, tip = 0.03 }", "base is missing");
    refused("", "{ kind = \"cylindre\", radius = 0.02 }", "did you mean `cylinder`?");
    refused("", "{ kind = \"mehs\", file = \"a.stl\" }", "did you mean `mesh`?");
    refused("", "{ kind = \"polyhedron\" }", "hull, mesh, compound, half_space, particle");
}

#[test]
fn a_mesh_of_no_size_or_no_pieces_is_refused_before_its_file_is_read() {
    for (field, expected) in
        [("scale = 0", "scale is 0;"), ("scale = -1", "scale is -1;"), ("pieces = 0", "pieces is 0;")]
    {
        let shape = format!("{{ kind = \"mesh\", file = \"no such file.obj\", {field} }}");
        let error = Scene::parse(&scene("", &shape), "s.toml").unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains("no such file"), "{error}");
    }
    refused("", "{ kind = \"mesh\", file = \"no such file.obj\", pieces = 2 }", "no such file");
}
