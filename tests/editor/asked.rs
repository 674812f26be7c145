//! What the window asks before it reads files of other folders, and what it says where it cannot keep work for a crash.

use std::path::PathBuf;

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use crate::support::{Options, Window, can_draw, picture, scene, settle, type_over, type_path};

const HEADING: &str = "Files from other folders";
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const SCENE: &str =
    "format = 1\nduration = 0.5\n[[body]]\nname = \"m\"\nshape = { kind = \"mesh\", file = \"../m.obj\" }\n";

/// A folder that is removed with its files, with a scene that reaches out of its own, and journals.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hattrick-asked-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("scenes")).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(path.join(name), text).expect("writable");
        write("m.obj", OBJ);
        write("scenes/m.toml", SCENE);
        write(
            "outside.toml",
            "format = 1\nduration = 0.5\n[[body]]\nname = \"b\"\nshape = { kind = \"ball\", radius = 1.0 }\n",
        );
        let edit = "{\"edit\":\"set\",\"parameter\":\"NAME.velocity.x\",\"value\":1.0}";
        let journal = |scene: &str, body: &str| {
            format!("{{\"journal\":1,\"scene\":\"{scene}\"}}\n{}\n", edit.replace("NAME", body))
        };
        write("scenes/inside.jsonl", &journal("m.toml", "m"));
        write("scenes/outside.jsonl", &journal("../outside.toml", "b"));
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn answer(window: &mut Window, button: &str) {
    window.get_by_label(button).click();
    window.run_steps(3);
    settle(window);
}

fn open(window: &mut Window, path: PathBuf) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::O);
    window.run_steps(3);
    type_path(window, &path);
    window.get_by_label("Open").click();
    window.run_steps(2);
    settle(window);
}

#[test]
fn files_of_other_folders_are_read_once_a_person_allows_them() {
    let folder = Folder::new("scene");
    let mut window =
        Options { scene: Some(folder.0.join("scenes/m.toml")), draws: can_draw(), ..Options::default() }.open();
    assert!(window.query_by_label(HEADING).is_some() && window.query_by_label("../m.obj").is_some());
    if can_draw() {
        picture(&mut window, "asked_outside");
    }
    answer(&mut window, "Do not open");
    assert!(window.query_by_label(HEADING).is_none() && window.state().motion().is_none());
    open(&mut window, folder.0.join("scenes/m.toml"));
    answer(&mut window, "Open with them");
    assert_eq!(window.state().motion().expect("the motion").model.bodies().len(), 1);
    // The answer holds as long as the scene is open: its text is read again and again.
    window.get_by_label("m").click();
    window.run_steps(2);
    window.get_by_label("Duplicate").click();
    settle(&mut window);
    assert!(window.query_by_label(HEADING).is_none());
    assert_eq!(window.state().motion().expect("the motion").model.bodies().len(), 2, "{:?}", window.state().messages());
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    settle(&mut window);
    assert!(std::fs::read_to_string(folder.0.join("scenes/m.toml")).expect("a scene").contains("m 2"));
    // It is asked anew for what is opened anew.
    open(&mut window, folder.0.join("scenes/m.toml"));
    assert!(window.query_by_label(HEADING).is_some());
    answer(&mut window, "Do not open");
    assert_eq!(window.state().motion().expect("the one before").model.bodies().len(), 2);
}

#[test]
fn a_journal_asks_for_its_scene_and_for_what_that_names() {
    let folder = Folder::new("journal");
    for (name, file) in [("inside", "../m.obj"), ("outside", "../outside.toml")] {
        let path = folder.0.join(format!("scenes/{name}.jsonl"));
        let mut window = Options { scene: Some(path), ..Options::default() }.open();
        assert!(window.query_by_label(HEADING).is_some() && window.query_by_label(file).is_some(), "{name}");
        answer(&mut window, "Open with them");
        let motion = window.state().motion().expect("the motion");
        assert_eq!((motion.depth.0, motion.trajectory.at(0.0)[0].velocity.x), (1, 1.0), "{name}");
    }
}

#[test]
fn a_journal_beside_other_files_takes_its_scene_along() {
    let folder = Folder::new("along");
    let mut window = Options { scene: Some(folder.0.join("outside.toml")), ..Options::default() }.open();
    window.get_by_label("File").click();
    window.run_steps(3);
    window.get_by_label_contains("Save session as journal").click();
    window.run_steps(3);
    let path = folder.0.join("scenes/session.jsonl");
    type_path(&mut window, &path);
    window.get_by_label("Save").click();
    settle(&mut window);
    assert!(folder.0.join("scenes/session.toml").is_file(), "{:?}", window.state().messages());
    let again = Options { scene: Some(path), ..Options::default() }.open();
    assert!(again.query_by_label(HEADING).is_none() && again.state().motion().is_some());
}

#[test]
fn work_that_cannot_be_kept_for_a_crash_is_told_once_with_the_reason() {
    let folder = Folder::new("unkept");
    std::fs::write(folder.0.join("recovery"), "a file in the way").expect("writable");
    let kept = Some(folder.0.clone());
    let mut window =
        Options { scene: Some(scene("bounce")), folder: kept, draws: can_draw(), ..Options::default() }.open();
    let told = window.state().messages();
    assert!(told.len() == 1 && told[0].contains("is not kept for the case of a crash: "), "{told:?}");
    if can_draw() {
        picture(&mut window, "asked_unkept");
    }
    window.get_by_label("Close message").click();
    window.run_steps(3);
    window.get_by_label("thrown").click();
    window.run_steps(2);
    type_over(&mut window, "thrown.velocity.x", "0.5");
    assert_eq!(window.state().motion().expect("the motion").depth.0, 1);
    assert_eq!(window.state().messages(), Vec::<String>::new());
}
