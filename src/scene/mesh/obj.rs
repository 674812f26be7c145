//! Wavefront OBJ: `v x y z` and `f a b c …` lines; everything else is passed over.

use super::{Fault, RawMesh, point};

pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut mesh = RawMesh::default();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let fault = |what: String| (format!("line {}", index + 1), what);
        // Names may be in any encoding; numbers are ASCII.
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let vertex = read_vertex(words).map_err(fault)?;
                mesh.positions.push(vertex);
            }
            Some("f") => {
                let count = mesh.positions.len();
                let corners: Result<Vec<u32>, String> = words.map(|word| corner(word, count)).collect();
                let corners = corners.map_err(fault)?;
                if corners.len() < 3 {
                    return Err(fault(format!("a face has {} corners; write three or more", corners.len())));
                }
                if !mesh.add_polygon(&corners) {
                    break;
                }
            }
            _ => {}
        }
    }
    if mesh.triangles.is_empty() {
        return Err(("its end".to_owned(), "no face was found; is it an OBJ file?".to_owned()));
    }
    Ok(mesh)
}

fn read_vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<crate::math::Vec3, String> {
    let numbers: Vec<f64> = words.take(3).map(|word| word.parse().unwrap_or(f64::NAN)).collect();
    let [x, y, z] = numbers[..] else { return Err(format!("a vertex has {} numbers; write three", numbers.len())) };
    point([x, y, z])
}

/// The number of a corner: counted from 1, or backwards from the last vertex with a minus; texture and normal follow a /.
fn corner(word: &str, count: usize) -> Result<u32, String> {
    let number: i64 = word.split('/').next().and_then(|first| first.parse().ok()).unwrap_or(0);
    let index = if number < 0 { count as i64 + number } else { number - 1 };
    if (0..count as i64).contains(&index) {
        return Ok(index as u32);
    }
    Err(format!("a face names vertex {word:?}, of {count} so far"))
}
