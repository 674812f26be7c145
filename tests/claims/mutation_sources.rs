//! What the mutation harness changes: scenes of wishes and of shapes, a journal, meshes of every format. All are right as they
//! are: whatever is refused was changed.

/// A scene of wishes.
pub const EXPRESSIONS: &str = r#"format = 1
duration = 0.5
[[body]]
name = "a"
shape = { kind = "ball", radius = 0.1 }
position = [0, 1, 0]
velocity = [1, 0, 0]
[[body]]
name = "b"
shape = { kind = "cuboid", half_extents = [0.1, 0.2, 0.3] }
position = [2, 1, 0]
spin = [1, 2, 3]
[[control]]
parameter = "a.velocity"
free = true
weight = 2.0
bounds = [-4, 5]
[[nail]]
name = "both"
at = 0.3
expression = "speed(a)^2 - 2*dot(up(b), [0, 1, 0]) / (1 + norm(cross(spin(b), [1, 0, 0]))) >= -sqrt(abs(sin(0.5)))"
[[nail]]
at = { apex = "a" }
body = "a"
position = { x = 0.1, y = 2.0 }
[[nail]]
at = { impact = "a/b#1", side = "before" }
expression = "t(a/b#1) = 0.4"
[[nail]]
body = "b"
at = "end"
rotation = [0.1, 0.2, 0.3]
inside = { ball = { center = [0, 0, 0], radius = 1.0 } }
"#;

/// A scene of shapes.
pub const SHAPES: &str = r#"format = 1
title = "shapes"
duration = 0.4
gravity = [0.0, -9.81, 0.0]
rest_speed = 0.02
step = 0.004
max_events = 500
[[shape]]
name = "cup"
kind = "compound"
parts = [{ kind = "tube", half_height = 0.1, radius = 0.1, thickness = 0.01, segments = 8 }, { kind = "cylinder", half_height = 0.01, radius = 0.1, position = [0, -0.1, 0] }]
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
restitution = 0.3
friction = 0.4
[[body]]
name = "cup"
shape = "cup"
position = [0, 0.4, 0]
[[body]]
name = "egg"
shape = { kind = "egg", radius = 0.08, tip = 0.1, base = 0.07, segments = 6 }
position = [1, 0.3, 0]
rotation = [1.2, 0, 0.3]
[[body]]
name = "cone"
shape = { kind = "cone", half_height = 0.1, radius = 0.1 }
position = [2, 0.3, 0]
[[body]]
name = "hull"
shape = { kind = "hull", points = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2], [0.2, 0.2, 0.2]] }
position = [3, 0.3, 0]
mass = 0.4
[[body]]
name = "capsule"
shape = { kind = "capsule", half_height = 0.1, radius = 0.05 }
position = [4, 0.3, 0]
density = 500
rolling_resistance = 0.001
"#;

/// A journal with every kind of edit.
pub const EDITS: &str = r#"{"journal":1,"scene":"tumble.toml"}
{"edit":"grab","body":"book","at":0.4,"point":[0.1,0.0,0.0]}
{"edit":"move","target":[0.3,1.5,0.1],"iterations":3,"seed":1}
{"edit":"release"}
{"edit":"undo"}
{"edit":"redo"}
{"edit":"set","parameter":"book.velocity.x","value":0.7}
{"edit":"free","parameter":"book.mass","weight":2.0,"bounds":[0.1,5.0]}
{"edit":"nail","nail":{"name":"n","body":"book","at":0.5,"position":{"x":0.3}}}
{"edit":"solve","iterations":3,"seed":1}
{"edit":"lock","parameter":"book.spin"}
{"edit":"nail","index":0}
{"edit":"grab","body":"book","at":{"impact":"book/floor#1"},"what":"spin"}
{"edit":"cancel"}
"#;

/// A tetrahedron in each format.
pub fn meshes() -> Vec<Vec<u8>> {
    let obj = b"# t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no t\nf 1 3 2\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1\nf -3 -2 -1\n"
        .to_vec();
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let (mut binary, mut text) = ([vec![0; 80], vec![4, 0, 0, 0]].concat(), "solid t\n".to_owned());
    for face in faces {
        binary.extend([0; 12]);
        text += "facet normal 0 0 0\nouter loop\n";
        for corner in face.map(|k: usize| corners[k]) {
            corner.iter().for_each(|x| binary.extend(x.to_le_bytes()));
            text += &format!("vertex {} {} {}\n", corner[0], corner[1], corner[2]);
        }
        text += "endloop\nendfacet\n";
        binary.extend([0; 2]);
    }
    text += "endsolid\n";
    let json = |buffer: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"children":[1],"scale":[1,1,1]}},
            {{"mesh":0,"translation":[0,0,0],"rotation":[0,0,0,1]}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},
            "indices":1,"mode":4}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":48}},
            {{"buffer":0,"byteOffset":48,"byteLength":12}}],"buffers":[{{{buffer}"byteLength":60}}]}}"#
        )
    };
    let mut inner = json("").into_bytes();
    inner.resize(inner.len().next_multiple_of(4), b' ');
    let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for part in [&length(&inner)[..], b"JSON", &inner, &length(&buffer()), b"BIN\0", &buffer()] {
        glb.extend(part);
    }
    vec![obj, binary, text.into_bytes(), json("\"uri\":\"m.bin\",").into_bytes(), glb]
}

/// The numbers of the glTF.
pub fn buffer() -> Vec<u8> {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let numbers = corners.iter().flatten().flat_map(|x| x.to_le_bytes());
    numbers.chain([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]).collect()
}
