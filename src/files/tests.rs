//! Files appear whole, names stay in their folder, leftovers go.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("hattrick-files-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_failure_leaves_the_old_file_and_nothing_else() {
    let folder = folder("failure");
    let path = folder.join("motion.csv");
    write_whole(&path, b"old").unwrap();
    let full = |file: &mut File| {
        file.write_all(b"half")?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    };
    let error = write_with(&path, full).unwrap_err().to_string();
    assert!(error.contains("the disk is full"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    write_whole(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn folders_that_are_not_there_are_named() {
    let folder = folder("missing");
    let error = write_whole(&folder.join("no/motion.csv"), b"").unwrap_err().to_string();
    assert!(error.contains("there is no folder") && error.contains("no"), "{error}");
    let error = write_whole(&folder, b"").unwrap_err().to_string();
    assert!(error.contains("it is a folder"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_that_belong_together_come_together_or_not_at_all() {
    let folder = folder("together");
    let paths = ["a.csv", "b.csv"].map(|name| folder.join(name));
    let mut pending = PendingFolder::new(&paths[0]).unwrap();
    paths.iter().for_each(|path| pending.add(path.clone(), b"old").unwrap());
    assert!(paths.iter().all(|path| !path.exists()));
    assert_eq!(pending.finish().unwrap().len(), 2);
    // One of them cannot be written: neither is.
    fs::remove_file(&paths[1]).unwrap();
    fs::create_dir(&paths[1]).unwrap();
    let mut pending = PendingFolder::new(&paths[0]).unwrap();
    paths.iter().for_each(|path| pending.add(path.clone(), b"new").unwrap());
    assert!(pending.finish().is_err());
    assert_eq!((fs::read(&paths[0]).unwrap(), fs::read_dir(&folder).unwrap().count()), (b"old".to_vec(), 2));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_are_read_up_to_their_limit() {
    let folder = folder("limit");
    let path = folder.join("text");
    write_whole(&path, b"12345").unwrap();
    assert_eq!(read(&path, 5), Ok(b"12345".to_vec()));
    assert_eq!(read(&path, 4), Err(ReadFault::TooLong(4)));
    assert_eq!(read(&folder, 5), Err(ReadFault::NoFile("a folder")));
    write_whole(&path, &[0xff]).unwrap();
    assert_eq!(read_text(&path, 5), Err(ReadFault::NotText));
    assert!(matches!(read(&folder.join("none"), 5), Err(ReadFault::System(_))));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_that_stay_are_told_from_names_that_lead_out() {
    let folder = folder("reach");
    let inside = |name: &str| within(&folder, Path::new(name), Reach::Folder).is_ok();
    for name in ["a.obj", "deep/a.obj", "deep/../a.obj", "./a.obj", "deep/../deep/a.obj", ""] {
        assert!(inside(name), "{name}");
    }
    for name in ["..", "../a.obj", "deep/../../a.obj", "deep/../../reach/a.obj"] {
        assert!(!inside(name), "{name}");
        assert!(within(&folder, Path::new(name), Reach::Anywhere).is_ok(), "{name}");
    }
    assert!(inside(folder.join("a.obj").to_str().unwrap()));
    assert!(!inside(folder.with_extension("other").join("a.obj").to_str().unwrap()));
    // A way out and back in leads nowhere else where it can be followed.
    let name = folder.file_name().unwrap().to_str().unwrap();
    fs::write(folder.join("a.obj"), "").unwrap();
    assert!(inside(&format!("../{name}/a.obj")));
    // Without a folder it is the current one.
    assert_eq!(within(Path::new(""), Path::new("a"), Reach::Folder), Ok(PathBuf::from("a")));
    assert_eq!(within(Path::new(""), Path::new("../a"), Reach::Folder), Err(LeadsOutside));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_is_being_written_is_no_leftover() {
    let folder = folder("busy");
    let pending = Pending::new(&folder.join("a.toml")).unwrap();
    let together = PendingFolder::new(&folder.join("b.csv")).unwrap();
    leftover::remove_leftovers(&folder);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    pending.finish().unwrap();
    drop(together);
    assert_eq!(fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), ["a.toml"]);
    fs::remove_dir_all(folder).unwrap();
}
