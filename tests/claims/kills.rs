//! A program that is killed while it writes leaves the old file or the new one, whole, and the next run clears away the rest.
//!
//! The program is run on every kind of output and killed at random instants of its time, up to a little after its end. A
//! few times with the other tests; `HATTRICK_KILLS=1000` for more.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::export::Folder;
use super::random::Random;

const SCENE: &str = "format = 1\nduration = 1.0\n[[body]]\nname = \"floor\"\nfixed = true\n\
    shape = { kind = \"half_space\", normal = [0, 1, 0] }\n[[body]]\nname = \"ball\"\n\
    shape = { kind = \"ball\", radius = 0.1 }\nposition = [0, 0.5, 0]\n\
    [[nail]]\nbody = \"ball\"\nat = 0.2\nposition = { x = 0.1 }\n";

/// The arguments, and the files that come of them.
const WAYS: [(&[&str], &[&str]); 6] = [
    (&["solve", "scene.toml", "--out", "out.toml"], &["out.toml"]),
    (&["export", "scene.toml", "out.csv"], &["out.csv", "out.events.csv"]),
    (&["export", "scene.toml", "out.glb"], &["out.glb"]),
    (&["export", "scene.toml", "out.gif", "--size", "64x64"], &["out.gif"]),
    (&["export", "scene.toml", "out.png", "--size", "32x32", "--fps", "5"], &["out-0000.png", "out-0005.png"]),
    (&["render", "scene.toml", "picture.png", "--size", "64x64"], &["picture.png"]),
];

#[test]
fn a_killed_program_leaves_the_old_file_or_the_new_one() {
    let folder = Folder::new("kills");
    folder.write("scene.toml", SCENE);
    let kills = std::env::var("HATTRICK_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let random = &mut Random::new(22);
    let program = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hattrick"));
        command.args(arguments).current_dir(&folder.0).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    };
    let (mut old_ones, mut new_ones) = (0, 0);
    for (arguments, names) in WAYS {
        let start = Instant::now();
        assert!(program(arguments).wait().expect("a child").success(), "{arguments:?}");
        let whole = start.elapsed();
        let read = |name: &&str| std::fs::read(folder.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let new: Vec<Vec<u8>> = names.iter().map(read).collect();
        for kill in 0..kills {
            names.iter().for_each(|name| folder.write(name, "old"));
            let mut child = program(arguments);
            // The end is where it writes.
            let part = if kill % 2 == 0 { random.between(0.0, 1.2) } else { random.between(0.7, 1.1) };
            std::thread::sleep(Duration::from_secs_f64(part * whole.as_secs_f64()));
            child.kill().and_then(|()| child.wait()).expect("to be killed");
            for (name, new) in names.iter().zip(&new) {
                let found = read(name);
                assert!(found == b"old" || found == *new, "{arguments:?}: half of {name}, {} bytes", found.len());
                *(if found == b"old" { &mut old_ones } else { &mut new_ones }) += 1;
            }
        }
        assert!(program(arguments).wait().expect("a child").success(), "{arguments:?}");
        let names = std::fs::read_dir(&folder.0).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with(".hattrick")).collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?}");
    }
    println!("{old_ones} old files, {new_ones} new ones");
    assert!(old_ones > 0 && new_ones > 0, "kills come before and after: {old_ones} old, {new_ones} new");
}
