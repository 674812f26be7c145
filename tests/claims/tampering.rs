//! `verify` finds files that were changed, and refuses files that are broken without falling over them.
//!
//! A changed number anywhere in the motion must show as a deviation; a file cut short or filled with other bytes must be
//! refused with its name and a reason. The real program is run: exit 0 for what it wrote, 1 for everything else.

use std::path::Path;
use std::process::{Command, Output};

use super::export::Folder;
use super::random::Random;

const ENDINGS: [&str; 6] = ["glb", "gltf", "py", "usda", "csv", "json"];

fn scene() -> String {
    format!("{}/scenes/tumble.toml", env!("CARGO_MANIFEST_DIR"))
}

fn hattrick(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hattrick")).args(arguments).output().expect("the program starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// The exit code and what was said.
#[track_caller]
pub fn verify(file: &Path) -> (i32, String) {
    let output = hattrick(&["verify", &scene(), text(file)]);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!stderr.contains("panicked"), "{stderr}");
    let code = output.status.code().expect("it ends by itself");
    // A comparison goes to standard output whatever it finds; a file that cannot be read is an error.
    assert!(stdout.is_empty() != stderr.is_empty() && (code == 0 || code == 1), "exit {code}: {stdout}{stderr}");
    (code, format!("{stdout}{stderr}"))
}

#[track_caller]
pub fn exported(folder: &Folder, ending: &str) -> std::path::PathBuf {
    let file = folder.0.join(format!("tumble.{ending}"));
    let output = hattrick(&["export", &scene(), text(&file)]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("keys"));
    file
}

#[test]
fn what_was_written_is_accepted() {
    let folder = Folder::new("accepted");
    for ending in ENDINGS {
        let (code, said) = verify(&exported(&folder, ending));
        assert!(code == 0 && said.contains("holds the motion") && said.contains("place"), "{ending}: {said}");
    }
}

/// Replaces the first number after a mark by one that differs by a millimetre, in text files.
fn moved(content: &str, mark: &str, skip: usize) -> String {
    let start = content.find(mark).expect("the mark is there") + mark.len();
    let (head, tail) = content.split_at(start);
    let parts: Vec<&str> = tail.split(',').collect();
    let number: f64 = parts[skip].trim_matches(['[', ']', ' ']).parse().expect("a number");
    let changed = parts[skip].replace(parts[skip].trim_matches(['[', ']', ' ']), &format!("{:?}", number + 1e-3));
    let mut all: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
    all[skip] = changed;
    head.to_owned() + &all.join(",")
}

#[test]
fn a_moved_key_is_found_in_text() {
    let folder = Folder::new("moved");
    for (ending, mark, skip) in [
        ("csv", "\n0.5,frame,book,", 0),
        ("json", "{\"t\":0.5,\"at\":\"frame\",\"bodies\":{\"book\":{\"position\":[", 1),
    ] {
        let file = exported(&folder, ending);
        let content = std::fs::read_to_string(&file).expect("text");
        std::fs::write(&file, moved(&content, mark, skip)).expect("writable");
        let (code, said) = verify(&file);
        assert!(code == 1 && said.contains("NOT") && said.contains("book at 0.5"), "{ending}: {said}");
    }
}

/// Forty of the 4-byte numbers of the animation of a binary file, drawn at random: each, changed alone, is found.
#[test]
fn a_moved_key_is_found_in_binary() {
    let folder = Folder::new("binary");
    let file = exported(&folder, "glb");
    let bytes = std::fs::read(&file).expect("bytes");
    let random = &mut Random::new(0);
    // Places and orientations fill the end of the file; times and values alike must be right.
    let region = bytes.len() - 12_000..bytes.len() - 4;
    for _ in 0..40 {
        let at = (region.start + random.below(region.len() - 4)) / 4 * 4;
        let number = f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&(number + 0.01).to_le_bytes());
        std::fs::write(&file, changed).expect("writable");
        let (code, said) = verify(&file);
        assert!(code == 1, "byte {at}: {said}");
    }
}

#[test]
fn a_body_that_is_gone_is_named() {
    let folder = Folder::new("gone");
    for ending in ["csv", "json", "gltf", "usda", "py"] {
        let file = exported(&folder, ending);
        let content = std::fs::read_to_string(&file).expect("text");
        std::fs::write(&file, content.replace("book", "brick")).expect("writable");
        let (code, said) = verify(&file);
        assert!(code == 1 && said.contains("book") && said.contains("not in the scene: brick"), "{ending}: {said}");
    }
}

#[test]
fn a_file_of_another_scene_does_not_pass() {
    let folder = Folder::new("another");
    for ending in ENDINGS {
        let file = exported(&folder, ending);
        let other = format!("{}/scenes/bounce.toml", env!("CARGO_MANIFEST_DIR"));
        let output = hattrick(&["verify", &other, text(&file)]);
        assert_eq!(output.status.code(), Some(1), "{ending}");
    }
}

#[test]
fn broken_files_are_refused() {
    let folder = Folder::new("broken");
    for ending in ENDINGS {
        let file = exported(&folder, ending);
        let bytes = std::fs::read(&file).expect("bytes");
        for seed in 0..30 {
            let random = &mut Random::new(seed);
            let mut changed = bytes.clone();
            if seed % 2 == 0 {
                changed.truncate(random.below(bytes.len()));
            } else {
                // The head holds what says how to read the rest.
                let head = 3000.min(bytes.len());
                (0..20).for_each(|_| changed[random.below(head)] = random.bits() as u8);
            }
            std::fs::write(&file, &changed).expect("writable");
            let (code, said) = verify(&file);
            // A comment or the writer's name may have been hit: then the file says the same.
            assert!(code == 1 || changed.len() == bytes.len(), "{ending}, seed {seed}: {said}");
            assert!(code == 0 || said.contains(text(&file)), "{ending}, seed {seed}: no name in {said}");
        }
    }
}

#[test]
fn what_cannot_be_written_is_told_before_anything_happens() {
    let folder = Folder::new("refused");
    let refuse = |out: &Path, more: &[&str], words: &[&str]| {
        let scene = scene();
        let arguments = [&["export", &scene, text(out)], more].concat();
        let output = hattrick(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    };
    refuse(&folder.0.join("motion.fbx"), &[], &["motion.fbx", ".fbx", ".glb", ".csv"]);
    refuse(&folder.0.join("motion"), &[], &["no ending", ".glb"]);
    refuse(&folder.0.join("none/motion.glb"), &[], &["motion.glb", "there is no folder"]);
    refuse(&folder.0.join("motion.glb"), &["--fps", "0"], &["--fps 0", "from 1 to 1000"]);
    refuse(&folder.0.join("motion.csv"), &["--fps", "NaN"], &["from 1 to 1000"]);
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 0);
}

/// Neither half a file nor its beginnings stay.
#[test]
fn an_export_that_is_cancelled_leaves_nothing() {
    use hattrick::export::{ExportError, Format, Motion, Options, export};
    let folder = Folder::new("cancelled");
    let trajectory = super::export::run(Path::new(&scene()));
    let motion = Motion::new("", &trajectory);
    for format in Format::ALL.into_iter().filter(|format| *format != Format::Mp4) {
        let file = folder.0.join(format!("motion.{}", format.ending()));
        let mut told = 0;
        let mut twice = |_| {
            told += 1;
            told < 2
        };
        let ended = export(&motion, &file, &Options { fps: 5.0, ..Options::default() }, &mut twice);
        assert_eq!(ended, Err(ExportError::Cancelled), "{format:?}");
        assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 0, "{format:?}");
    }
}
