//! Every shipped scene and every replayed journal has the motion, and the derivatives, that `tests/hashes.txt` lists: to the bit,
//! with and without optimisation, and (where `.ci/run` finds that target) on WebAssembly.
//!
//! A change that moves nothing leaves the list as it is. One that must move a bit says which motion and why, and renews the list:
//! `UPDATE_GOLDEN=1 cargo test --release --test claims hashes`.

use std::path::Path;
use std::process::Command;

/// The files of `scenes/` with one ending, in order, as a person in the repository names them.
fn shipped(extension: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("an entry").file_name());
    let names = entries.map(|name| name.into_string().expect("a plain name"));
    let mut found: Vec<String> = names.filter(|name| name.ends_with(extension)).collect();
    found.sort();
    found.into_iter().map(|name| format!("scenes/{name}")).collect()
}

fn hashes(command: &str, files: &[String]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hattrick"));
    program.current_dir(env!("CARGO_MANIFEST_DIR")).args([command, "--hash"]).args(files);
    let output = program.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("plain text")
}

#[test]
fn motions_are_those_of_the_list() {
    let found = hashes("simulate", &shipped(".toml")) + &hashes("replay", &shipped(".jsonl"));
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hashes.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&list, &found).expect("the list is writable");
    }
    let expected = std::fs::read_to_string(&list).unwrap_or_default();
    let new: Vec<&str> = found.lines().filter(|line| !expected.lines().any(|known| known == *line)).collect();
    assert!(new.is_empty(), "not in {}: motion, derivatives, file:\n{}", list.display(), new.join("\n"));
    assert_eq!(expected.lines().count(), found.lines().count(), "{} lists what is not shipped", list.display());
}
