//! STL, binary (80 bytes, a count, 50 bytes a triangle) and text (`vertex x y z` in threes).

use super::{Fault, RawMesh, point};
use crate::scene::limits;

const HEADER: usize = 84;
const RECORD: usize = 50;
/// Triangles that a file may have been meant to hold; letters read as a count give more.
const PLAUSIBLE: usize = 100_000_000;
const NO_STL: &str = "this is no STL file: neither text that begins with `solid` and lists facets, \
                      nor binary of the length that its count of triangles takes";

pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let count = bytes.get(80..HEADER).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize);
    match count {
        // Some text files would count as binary by chance only: the length decides.
        Some(count) if bytes.len() == HEADER + RECORD * count => binary(bytes, count),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some(count) if count <= PLAUSIBLE => Err(("its length".to_owned(), wrong_length(count, bytes.len()))),
        _ => Err(("its beginning".to_owned(), NO_STL.to_owned())),
    }
}

fn wrong_length(count: usize, found: usize) -> String {
    let expected = HEADER + RECORD * count;
    let cause = if found < expected { "it is cut short" } else { "it is no binary STL file" };
    format!("{cause}: {count} triangles take {expected} bytes, the file has {found}; export it again")
}

fn binary(bytes: &[u8], count: usize) -> Result<RawMesh, Fault> {
    let mut mesh = RawMesh::default();
    if count == 0 {
        return Err(("its count".to_owned(), "there are no triangles".to_owned()));
    }
    // More than that is refused by the caller, whatever they are.
    for (index, record) in bytes[HEADER..].chunks_exact(RECORD).take(limits::TRIANGLES + 1).enumerate() {
        let number = |at: usize| {
            let word = [record[at], record[at + 1], record[at + 2], record[at + 3]];
            f64::from(f32::from_le_bytes(word))
        };
        for corner in 0..3 {
            let at = 12 + 12 * corner;
            let vertex = point([number(at), number(at + 4), number(at + 8)]);
            mesh.positions.push(vertex.map_err(|what| (format!("triangle {}", index + 1), what))?);
        }
        mesh.triangles.push([0, 1, 2].map(|corner| 3 * index as u32 + corner));
    }
    Ok(mesh)
}

fn text(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut mesh = RawMesh::default();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("vertex") {
            continue;
        }
        let fault = |what: String| (format!("line {}", index + 1), what);
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap_or(f64::NAN)).collect();
        let [x, y, z] = numbers[..] else {
            return Err(fault(format!("a vertex has {} numbers; write three", numbers.len())));
        };
        mesh.positions.push(point([x, y, z]).map_err(fault)?);
        if mesh.positions.len() > 3 * limits::TRIANGLES + 3 {
            break;
        }
    }
    let count = mesh.positions.len();
    if count == 0 || !count.is_multiple_of(3) {
        return Err(("its end".to_owned(), format!("{count} vertices do not make triangles")));
    }
    mesh.triangles = (0..count as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Ok(mesh)
}
