//! Files that leave the window: exports, and sessions as journals.

use std::path::PathBuf;

use eframe::egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use hattrick::session::Journal;
use hattrick::session::Session;

use crate::support::{Options, Window, bits, drag, example, place_of, position, scene, settle, type_path};

/// A folder that is removed with its files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Opens the File menu and chooses from it.
fn choose(window: &mut Window, item: &str) {
    window.get_by_label("File").click();
    window.run_steps(3);
    window.get_by_label_contains(item).click();
    window.run_steps(3);
}

#[test]
fn a_motion_is_exported_from_the_file_menu() {
    let folder = Folder::new("exports");
    let mut window = example("tumble");
    for ending in ["glb", "csv", "gif"] {
        let path = folder.0.join(format!("book.{ending}"));
        choose(&mut window, "Export…");
        type_path(&mut window, &path);
        window.get_by_label("Export").click();
        settle(&mut window);
        assert!(path.is_file(), "{ending}: {:?}", window.state().messages());
        let told = window.state().messages();
        assert!(told.iter().any(|text| text.contains("Wrote") && text.contains("book")), "{told:?}");
    }
    assert!(folder.0.join("book.events.csv").is_file());
}

#[test]
fn choosing_a_format_changes_the_ending() {
    let folder = Folder::new("formats");
    let mut window = example("tumble");
    choose(&mut window, "Export…");
    type_path(&mut window, &folder.0.join("book"));
    window.get_by_label("format").click();
    window.run_steps(3);
    window.get_by_label_contains(".usda").click();
    window.run_steps(3);
    window.get_by_label("Export").click();
    settle(&mut window);
    assert!(folder.0.join("book.usda").is_file(), "{:?}", window.state().messages());
}

#[test]
fn an_export_that_fails_is_told_where_its_path_was_asked_for() {
    let folder = Folder::new("refusals");
    let mut window = example("tumble");
    for (name, word) in [("book.fbx", "no format ends in .fbx"), ("none/book.glb", "there is no folder")] {
        choose(&mut window, "Export…");
        type_path(&mut window, &folder.0.join(name));
        window.get_by_label("Export").click();
        settle(&mut window);
        assert!(window.query_by_label_contains(word).is_some(), "{name}");
        window.get_by_label("Cancel").click();
        window.run_steps(3);
    }
}

#[test]
fn a_long_export_is_cancelled_and_leaves_nothing() {
    let folder = Folder::new("cancels");
    let mut window = example("tumble");
    choose(&mut window, "Export…");
    type_path(&mut window, &folder.0.join("book.png"));
    window.get_by_label("Export").click();
    // A window that has just come takes its size before it shows itself.
    window.run_steps(4);
    window.get_by_label("Cancel export").click();
    settle(&mut window);
    let told = window.state().messages();
    assert!(told.iter().any(|text| text.contains("cancelled")), "{told:?}");
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 0);
}

/// Drags, a new body, a save in between and undoing across it: the journal replays to every bit of it.
#[test]
fn a_session_is_written_as_a_journal_and_replays_to_the_same_motion() {
    let folder = Folder::new("journals");
    let mut window = example("tumble");
    let pull = |window: &mut Window, t: f64, by: Vec2| {
        let from = place_of(window, "book", t);
        drag(window, from, from + by);
    };
    pull(&mut window, 0.5, Vec2::new(40.0, -20.0));
    window.get_by_label("book").click();
    window.run_steps(2);
    window.get_by_label("Duplicate").click();
    settle(&mut window);
    pull(&mut window, 0.6, Vec2::new(-20.0, -20.0));
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    window.run_steps(3);
    type_path(&mut window, &folder.0.join("saved.toml"));
    window.get_by_label("Save").click();
    settle(&mut window);
    pull(&mut window, 0.4, Vec2::new(10.0, -30.0));
    for _ in 0..2 {
        window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        settle(&mut window);
    }
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    settle(&mut window);

    let path = folder.0.join("session.jsonl");
    choose(&mut window, "Save session as journal");
    type_path(&mut window, &path);
    window.get_by_label("Save").click();
    settle(&mut window);
    let journal = Journal::open(&path).unwrap_or_else(|error| panic!("{error} {:?}", window.state().messages()));
    let mut session = Session::open(journal.scene_path(&path)).unwrap_or_else(|error| panic!("{error}"));
    for edit in journal.edits {
        session.apply(edit.clone()).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
    }
    let replayed: Vec<u64> = session.u().values().iter().map(|value| value.to_bits()).collect();
    assert_eq!(replayed, bits(&window));

    let again = Options { scene: Some(path), ..Options::default() }.open();
    assert_eq!(bits(&again), bits(&window), "{:?}", again.state().messages());
    assert_eq!(position(&again, "book", 0.9), position(&window, "book", 0.9));
}

#[test]
fn a_journal_names_the_file_it_began_with() {
    let folder = Folder::new("names");
    let file = folder.0.join("book.toml");
    std::fs::copy(scene("tumble"), &file).expect("a copy");
    let mut window = Options { scene: Some(file), ..Options::default() }.open();
    choose(&mut window, "Save session as journal");
    let path = folder.0.join("session.jsonl");
    type_path(&mut window, &path);
    window.get_by_label("Save").click();
    settle(&mut window);
    assert_eq!(Journal::open(&path).expect("a journal").scene, "book.toml");
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 2);
}
