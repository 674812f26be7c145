//! What survives when the program is killed: every completed edit, up to the last.
//!
//! A child process (this test program again, with a variable set) edits through the real widgets and prints a line after
//! each completed edit; it is killed at a random instant; then a new window finds what was left.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use egui_kittest::kittest::Queryable;

use crate::support::{Options, scene, settle, type_over};

const CHILD: &str = "HATTRICK_TEST_CHILD";

/// Edits for ever, telling how many are done.
fn edit_for_ever(folder: &Path) {
    let mut window =
        Options { scene: Some(scene("bounce")), folder: Some(folder.to_owned()), ..Options::default() }.open();
    window.get_by_label("thrown").click();
    window.run_steps(2);
    for count in 1.. {
        type_over(&mut window, "thrown.velocity.x", &format!("{}", f64::from(count) / 100.0));
        let motion = window.state().motion().expect("a motion");
        println!("done {}", motion.depth.0);
    }
}

#[test]
fn a_killed_program_loses_no_completed_edit() {
    if let Some(folder) = std::env::var_os(CHILD) {
        edit_for_ever(Path::new(&folder));
    }
    for kill in 0..20u64 {
        let folder = std::env::temp_dir().join(format!("hattrick-kill-{kill}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "crash::a_killed_program_loses_no_completed_edit", "--nocapture"])
            .env(CHILD, &folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut done = 0;
        // A different number of edits each time, and then an instant within the next one.
        for line in lines.map_while(Result::ok) {
            if let Some(count) = line.strip_prefix("done ") {
                done = count.parse::<usize>().expect("a number");
                if done > (kill % 5) as usize {
                    break;
                }
            }
        }
        std::thread::sleep(Duration::from_millis((kill * 37) % 23));
        child.kill().expect("to be killed");
        child.wait().expect("to be gone");
        let mut window = Options { folder: Some(folder.clone()), ..Options::default() }.open();
        window.get_by_label("Take it up again").click();
        settle(&mut window);
        let depth = window.state().motion().expect("the motion").depth.0;
        assert!(done > 0 && depth >= done, "{depth} edits were kept of {done} (kill {kill})");
        drop(window);
        let _ = std::fs::remove_dir_all(&folder);
    }
}
