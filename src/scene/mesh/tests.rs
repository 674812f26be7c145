//! One tetrahedron in every format, and the same broken in one place.

use super::*;

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u8; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn obj() -> String {
    let vertices: String = CORNERS.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    vertices + "o thing\nf 1 3 2\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1\nf -3 -2 -1\n"
}

fn stl_text() -> String {
    let vertex = |k: &u8| {
        format!("vertex {} {} {}\n", CORNERS[*k as usize][0], CORNERS[*k as usize][1], CORNERS[*k as usize][2])
    };
    let facet = |face: &[u8; 3]| {
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", face.iter().map(vertex).collect::<String>())
    };
    format!("solid thing\n{}endsolid\n", FACES.iter().map(facet).collect::<String>())
}

fn stl_binary() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(4u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        face.iter().flat_map(|&k| CORNERS[k as usize]).for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(FACES.iter().flatten());
    bytes
}

fn gltf(uri: &str) -> String {
    let uri = if uri.is_empty() { String::new() } else { format!("\"uri\":\"{uri}\",") };
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
         \"nodes\":[{{\"mesh\":0,\"translation\":[0,0,0],\"scale\":[1,1,1]}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}},\
         {{\"bufferView\":1,\"componentType\":5121,\"count\":12,\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":48}},{{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}}],\
         \"buffers\":[{{{uri}\"byteLength\":60}}]}}"
    )
}

fn glb() -> Vec<u8> {
    let mut json = gltf("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(&json);
    bytes.extend(60u32.to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(buffer());
    bytes
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let triple = |three: &[u8]| {
        let word = three.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        (0..=three.len()).map(move |k| letters[(word >> (18 - 6 * k) & 63) as usize] as char)
    };
    bytes.chunks(3).flat_map(triple).collect()
}

#[track_caller]
fn check(mesh: Result<RawMesh, Fault>) {
    let mesh = mesh.unwrap();
    assert_eq!(mesh.triangles.len(), 4);
    for (triangle, face) in mesh.triangles.iter().zip(FACES) {
        let corners = triangle.map(|k| mesh.positions[k as usize]);
        assert_eq!(corners, face.map(|k| Vec3::from(CORNERS[k as usize].map(f64::from))));
    }
}

fn alone(_: &str) -> Result<Vec<u8>, Fault> {
    Ok(buffer())
}

#[test]
fn every_format_tells_the_same_triangles() {
    check(obj::read(obj().as_bytes()));
    check(stl::read(stl_text().as_bytes()));
    check(stl::read(&stl_binary()));
    check(gltf::read(gltf("thing.bin").as_bytes(), &alone));
    let inline = format!("data:application/octet-stream;base64,{}", base64(&buffer()));
    check(gltf::read(gltf(&inline).as_bytes(), &alone));
    check(gltf::read(&glb(), &alone));
}

#[track_caller]
fn refused(mesh: Result<RawMesh, Fault>, place: &str, what: &str) {
    let (found_place, found) = mesh.unwrap_err();
    assert!(found_place == place && found.contains(what), "{found_place}: {found}");
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let broken = |from: &str, to: &str| obj::read(obj().replacen(from, to, 1).as_bytes());
    refused(broken("v 1 0 0", "v 1 nan 0"), "line 2", "is no point");
    refused(broken("v 1 0 0", "v 1 0"), "line 2", "a vertex has 2 numbers");
    refused(broken("f 1 3 2", "f 1 3 9"), "line 6", "names vertex \"9\", of 4 so far");
    refused(broken("f 1 3 2", "f 1 3"), "line 6", "a face has 2 corners");
    refused(obj::read(b"\x89PNG\r\n"), "its end", "no face was found");
    refused(stl::read(&stl_binary()[..200]), "its length", "it is cut short: 4 triangles take 284 bytes");
    refused(stl::read(&[stl_binary(), vec![0; 9]].concat()), "its length", "it is no binary STL file: 4 triangles");
    refused(stl::read("A recipe for pancakes. ".repeat(9).as_bytes()), "its beginning", "this is no STL file");
    refused(stl::read(b"solid a\nendsolid"), "its end", "0 vertices do not make triangles");
    refused(stl::read(b"hello"), "its beginning", "this is no STL file");
    let mut nan = stl_binary();
    nan[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    refused(stl::read(&nan), "triangle 1", "is no point");
    let broken = |from: &str, to: &str| gltf::read(gltf("b.bin").replacen(from, to, 1).as_bytes(), &alone);
    refused(
        broken("\"count\":12", "\"count\":1200"),
        "mesh 0, primitive 0",
        "do not lie inside their buffer of 60 bytes",
    );
    refused(broken("\"mesh\":0", "\"mesh\":7"), "node 0", "there is no mesh 7");
    refused(broken("\"mesh\":0", "\"children\":[0]"), "node 0", "it is reached twice");
    refused(gltf::read(b"{", &alone), "its JSON", "EOF");
    refused(gltf::read(b"glTF\x02\0\0\0", &alone), "its first chunk", "it ends too soon");
}

#[test]
fn empty_files_are_called_empty() {
    for name in ["empty.stl", "empty.obj", "empty.gltf", "empty.glb"] {
        let folder = std::env::temp_dir().join(format!("hattrick-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), " \n").unwrap();
        let problem = read((&folder, Reach::Folder), name).unwrap_err();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(problem.to_string(), format!("{name} is empty; export it again"));
    }
}

#[test]
fn ten_million_triangles_are_refused_before_they_are_read() {
    let mut bytes = vec![0; 80];
    bytes.extend(10_000_000u32.to_le_bytes());
    refused(stl::read(&bytes), "its length", "10000000 triangles take 500000084 bytes");
    let many = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &"f 1 2 3\n".repeat(limits::TRIANGLES + 10);
    assert_eq!(obj::read(many.as_bytes()).unwrap().triangles.len(), limits::TRIANGLES + 1);
}

/// A chain is as deep as it may be, or one deeper.
#[test]
fn nodes_nest_as_deep_as_stack_allows() {
    let chain = |deep: usize| {
        let nodes: String = (1..=deep).map(|k| format!("{{\"children\":[{k}]}},")).collect();
        gltf("b.bin").replace("\"nodes\":[{\"mesh\"", &format!("\"nodes\":[{nodes}{{\"mesh\""))
    };
    check(gltf::read(chain(64).as_bytes(), &alone));
    refused(gltf::read(chain(65).as_bytes(), &alone), "node 65", "nodes nest too deep");
}

/// A thousand primitives with one list of ten thousand corners, of which each uses four.
#[test]
fn primitives_that_share_corners_take_only_those_they_use() {
    const COUNT: usize = 10_000;
    let primitives = vec!["{\"attributes\":{\"POSITION\":0},\"indices\":1}"; 1000].join(",");
    let text = gltf("b.bin")
        .replace("{\"attributes\":{\"POSITION\":0},\"indices\":1}", &primitives)
        .replace("\"bufferView\":0,\"componentType\":5126,\"count\":4", "\"bufferView\":2,\"componentType\":5126,\"count\":10000")
        .replace("\"bufferViews\":[", &format!("\"bufferViews\":[{{\"buffer\":0}},{{\"buffer\":0,\"byteOffset\":48}},{{\"buffer\":0,\"byteOffset\":60,\"byteLength\":{}}},", 12 * COUNT));
    let shared = |_: &str| {
        let mut bytes = buffer();
        let corners = CORNERS.iter().copied().chain(std::iter::repeat([9.0; 3])).take(COUNT);
        corners.flatten().for_each(|x| bytes.extend(x.to_le_bytes()));
        Ok(bytes)
    };
    let mesh = gltf::read(text.as_bytes(), &shared).unwrap();
    assert_eq!((mesh.triangles.len(), mesh.positions.len()), (4000, 4000));
    check(Ok(RawMesh { triangles: mesh.triangles[..4].to_vec(), ..mesh }));
}

#[test]
fn what_a_gltf_points_at_again_and_again_is_counted() {
    let buffers = ["{\"uri\":\"b.bin\",\"byteLength\":60}"; 5].join(",");
    let text = gltf("b.bin").replace("{\"uri\":\"b.bin\",\"byteLength\":60}", &buffers);
    let large = |_: &str| Ok(vec![0; limits::MESH_BYTES as usize / 4]);
    refused(gltf::read(text.as_bytes(), &large), "buffer 4", "all buffers together have more than 256 MB");
    let noise = format!("{{\"a\":[{}0]}}", "0,".repeat(4_000_000));
    refused(gltf::read(noise.as_bytes(), &alone), "its JSON", "more than 4000000 values");
    let text = format!("{{\"a\":\"{}\"}}", ",\\\"[{:".repeat(1_000_000));
    refused(gltf::read(text.as_bytes(), &alone), "its scene", "no triangles were found");
}
