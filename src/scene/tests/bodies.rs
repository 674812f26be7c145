//! Bodies, shapes, names and materials that are refused.

use super::*;

#[test]
fn bodies_that_weigh_or_move_impossibly() {
    let place = "s.toml:16:8: body \"box\"";
    let range = "write a number from 1e-15 to 1e15";
    check("mass = 3", "mass = -3", &format!("{place}: mass is -3 kg; {range}"));
    check("mass = 3", "mass = 0", &format!("{place}: mass is 0 kg; {range}"));
    check("mass = 3", "mass = 1e16", &format!("{place}: mass is 1e16 kg; {range}"));
    check("mass = 3", "mass = true", &format!("{place}: mass is true or false; write a number"));
    check("mass = 3", "mas = 3", "s.toml:16:1: body \"box\": unknown key `mas`; did you mean `mass`?");
    let both = "s.toml:17:11: body \"box\": both mass and density are given; keep one of them";
    check("mass = 3", "mass = 3\ndensity = 1", both);
    let density = "s.toml:16:11: body \"box\": density is 0 kg/m³; write a number from 1e-9 to 1e15";
    check("mass = 3", "density = 0", density);
    let inertia =
        "inertia has 3 > 1 + 1, which no solid has; write moments of which none exceeds the sum of the others";
    check("mass = 3", "inertia = [1, 3, 1]", &format!("s.toml:16:11: body \"box\": {inertia}"));
    let inertia = "inertia[1] is 0 kg·m²; write a number from 1e-40 to 1e40";
    check("mass = 3", "inertia = [1, 0, 1]", &format!("s.toml:16:15: body \"box\": {inertia}"));
    let position = "s.toml:17:16: body \"box\": position[1] is 2e9 m; write a number from -1e9 to 1e9";
    check("position = [0, 0.8, 0]", "position = [0, 2e9, 0]", position);
    let fixed = "s.toml:9:12: body \"floor\": a fixed body has no velocity; remove it";
    check("fixed = true", "fixed = true\nvelocity = [1, 0, 0]", fixed);
    let fixed = "s.toml:9:8: body \"floor\": a fixed body has no spin; remove it";
    check("fixed = true", "fixed = true\nspin = [1, 0, 0]", fixed);
    check("mass = 0.001\n", "", "s.toml:22:1: body \"dust\": mass is missing; add `mass = 1.0`");
    let dust = |line_and_column, field| {
        format!("s.toml:{line_and_column}: body \"dust\": a particle has no {field}; remove it")
    };
    check("mass = 0.001", "mass = 1\nspin = [1, 0, 0]", &dust("25:8", "spin"));
    check("mass = 0.001", "mass = 1\nrotation = [1, 0, 0]", &dust("25:12", "rotation"));
    check("mass = 0.001", "mass = 1\ninertia = [1, 1, 1]", &dust("25:11", "inertia"));
}

#[test]
fn materials_out_of_range() {
    let from = "restitution = 0.8\nfriction = 0.0";
    let message = |text: &str| format!("s.toml:10:{text}");
    let floor = |column: u32, text: &str| message(&format!("{column}: body \"floor\": {text}"));
    check(from, "restitution = 1.1", &floor(15, "restitution is 1.1; write a number from 0 to 1"));
    check(from, "restitution = -0.1", &floor(15, "restitution is -0.1; write a number from 0 to 1"));
    check(from, "friction = -1", &floor(12, "friction is -1; write a number from 0 to 1e6"));
    let rolling = "rolling_resistance is -1 m; write a number from 0 to 1000";
    check(from, "rolling_resistance = -1", &floor(22, rolling));
}

#[test]
fn shapes_without_an_inside() {
    let shape = "kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]";
    let at = |column: u32, text: &str| format!("s.toml:15:{column}: body \"box\": {text}");
    let extent = "write a number from 1e-6 to 1e9";
    check(shape, "kind = \"ball\", radius = -1", &at(35, &format!("radius is -1 m; {extent}")));
    check(shape, "kind = \"ball\"", &at(9, "radius is missing; add `radius = 0.1`"));
    check(shape, "kind = \"bal\", radius = 1", &at(18, "unknown shape \"bal\"; did you mean `ball`?"));
    check(shape, "kind = 3", &at(18, "kind is a number; write text in quotes"));
    check(shape, "radius = 3", &at(9, "kind is missing; add `kind = \"ball\"`"));
    let cuboid = "kind = \"cuboid\", half_extents = [0.2, 0, 0.08]";
    check(shape, cuboid, &at(49, &format!("half_extents[1] is 0 m; {extent}")));
    let flat = "points span no volume, or a very thin one; write 4 to 10000 points that do not lie in one plane";
    let hull = "kind = \"hull\", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]";
    check(shape, hull, &at(35, &format!("the 4 {flat}")));
    let hull = "kind = \"hull\", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]";
    check(shape, hull, &at(35, &format!("the 3 {flat}")));
    let hull = "kind = \"hull\", points = [[0, 0, 0], [1, 0], [0, 1, 0], [1, 1, 0]]";
    check(shape, hull, &at(47, "points[1] has 2 entries; write 3"));
    let normal = "s.toml:9:41: body \"floor\": normal is zero; write a direction such as [0, 1, 0]";
    check("[0, 1, 0] }", "[0, 0, 0] }", normal);
    let moving = "s.toml:8:9: body \"floor\": a half_space must be fixed = true";
    check("fixed = true", "fixed = false", moving);
    check("fixed = true\n", "", "s.toml:8:9: body \"floor\": a half_space must be fixed = true");
    let missing = "s.toml:13:1: body \"box\": shape is missing; add `shape = { kind = \"ball\", radius = 0.1 }`";
    check(&format!("shape = {{ {shape} }}"), "", missing);
}

#[test]
fn names_that_parameter_names_cannot_hold() {
    let name = "name = \"box\"";
    check(name, "", "s.toml:13:1: body[1]: name is missing; add `name = \"box\"`");
    check(name, "name = \"\"", "s.toml:14:8: body \"\": name is \"\"; write at least one letter");
    check(
        name,
        "name = \"floor\"",
        "s.toml:14:8: body \"floor\": the name \"floor\" is taken by body[0]; write another",
    );
    let cases = [("a/b", '/'), ("a#b", '#'), ("a.b", '.'), ("a*", '*'), ("it's", '\'')];
    for (bad, letter) in cases {
        let advice = format!("leave out {letter:?}: parameter names give it a meaning");
        let expected = format!("s.toml:14:8: body {bad:?}: name is {bad:?}; {advice}");
        check(name, &format!("name = {bad:?}"), &expected);
    }
    let trimmed = "s.toml:14:8: body \" box\": name is \" box\"; leave out the blanks at its ends";
    check(name, "name = \" box\"", trimmed);
    let advice = "write another: it would be confused with the scene's gravity";
    check(name, "name = \"gravity\"", &format!("s.toml:14:8: body \"gravity\": name is \"gravity\"; {advice}"));
}
