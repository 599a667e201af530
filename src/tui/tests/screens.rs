//! The screens as they are seen, in three sizes and without colour.

use palmtop::pipeline::Overrides;

use super::harness::{Bench, sample};

/// Snapshots of the screens that these keys lead to, at three sizes.
fn snapshots(name: &str, project: &str, keys: &str) {
    let mut bench = Bench::open(&sample(project), Overrides::default());
    bench.keys(keys);
    // Which of two searches ends last is not the same twice.
    bench.app.status = "ready".to_owned();
    for (columns, rows) in [(80, 24), (100, 30), (200, 50)] {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            insta::assert_snapshot!(format!("{name}-{columns}x{rows}"), bench.screen(columns, rows));
        });
    }
}

#[test]
fn the_workbench() {
    snapshots("workbench-fails", "paper/paper.toml", "ljll<Tab>j");
    snapshots("workbench-present", "paper/paper.toml", "llljlljll");
    snapshots("workbench-clinic", "clinic/clinic.toml", "lllljlljjll");
}

#[test]
fn the_workbench_at_a_release_by_region() {
    snapshots("workbench-region", "clinic/clinic.toml", "sro");
    snapshots("workbench-region-paper", "paper/paper.toml", "lsro");
}

#[test]
fn the_searches() {
    snapshots("strategies-before", "paper/paper.toml", "s");
    snapshots("strategies-after", "clinic/clinic.toml", "sa");
    snapshots("strategies-spalm", "paper/paper.toml", "sah");
}

#[test]
fn the_comparison() {
    snapshots("compare-alone", "paper/paper.toml", "c");
    snapshots("compare", "clinic/clinic.toml", "saclll");
}

#[test]
fn the_export() {
    snapshots("export", "clinic/clinic.toml", "sre");
    snapshots("export-not-present", "paper/paper.toml", "e<Enter>not pr");
}

#[test]
fn the_help_and_the_question() {
    snapshots("help", "paper/paper.toml", "?");
    snapshots("quit", "paper/paper.toml", "q");
}
