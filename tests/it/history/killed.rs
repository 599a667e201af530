//! A killed program leaves the history whole, and no released file without its entry.

use std::process::{Command, Stdio};
use std::time::Instant;

use super::earlier::old_folder;
use palmtop::history;

/// A killed program leaves no released file without its entry, and the history whole.
// holds: Exports are recorded
#[test]
fn no_killed_export_leaves_an_unrecorded_release() {
    let folder = old_folder(&[]);
    let project = folder.path().join("p.toml");
    let program = env!("CARGO_BIN_EXE_palmtop");
    let kills: u32 = std::env::var("PALMTOP_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let command = |name: &str| {
        let mut command = Command::new(program);
        command.current_dir(folder.path()).args(["anonymize", "p.toml", "--node", "1,1", "-o", name]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let started = Instant::now();
    assert!(command("whole.csv").status().unwrap().success());
    let whole = started.elapsed();
    let mut counts = [0; 2];
    for number in 0..kills {
        let name = format!("{number}.csv");
        let mut child = command(&name).spawn().unwrap();
        // The file gets its name near the end of the run.
        std::thread::sleep(whole.mul_f64(0.5 + 0.8 * f64::from(number) / f64::from(kills)));
        child.kill().unwrap();
        child.wait().unwrap();
        let is_named = folder.path().join(&name).exists();
        let history = history::of_project(&project).unwrap();
        let is_recorded = history.releases().iter().any(|entry| entry.file == name);
        assert_eq!(is_named, is_recorded, "{name}");
        counts[usize::from(is_named)] += 1;
    }
    eprintln!("killed {kills}: {} before the file, {} after", counts[0], counts[1]);
}
