//! The screens as they are seen, in three sizes, without colour and in colour.

use std::path::Path;

use palmtop::pipeline::{LoadStage, Overrides, Progress};

use super::harness::{Bench, sample, without_clock};
use crate::tui::app::loading::Loaded;

/// Snapshots of the screens that these keys lead to.
fn snapshots(name: &str, project: &str, keys: &str) {
    let mut bench = Bench::open(&sample(project), Overrides::default());
    bench.keys(keys);
    // Which of two searches ends last is not the same twice.
    bench.app.status = "ready".to_owned();
    snapshots_of(name, &mut bench);
}

/// Snapshots at three sizes: the text without colour, and the styles in colour.
fn snapshots_of(name: &str, bench: &mut Bench) {
    for (columns, rows) in [(80, 24), (100, 30), (200, 50)] {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            insta::assert_snapshot!(
                format!("{name}-{columns}x{rows}"),
                without_clock(&bench.screen(columns, rows))
            );
        });
        settings.set_snapshot_path("../snapshots/colour");
        settings.bind(|| {
            insta::assert_snapshot!(format!("{name}-{columns}x{rows}"), bench.styles(columns, rows));
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
fn the_lattice() {
    snapshots("lattice", "clinic/clinic.toml", "lljg");
    snapshots("lattice-best", "clinic/clinic.toml", "gb");
    snapshots("lattice-paper", "paper/paper.toml", "gnf");
}

#[test]
fn the_trade_off() {
    snapshots("trade-off-before", "clinic/clinic.toml", "t");
    snapshots("trade-off", "clinic/clinic.toml", "trh");
    snapshots("trade-off-all", "paper/paper.toml", "tal");
}

#[test]
fn the_hierarchies() {
    snapshots("hierarchies", "clinic/clinic.toml", "llljll7<Tab>jj");
    snapshots("hierarchies-nationality", "clinic/clinic.toml", "7<Tab><Tab><Tab><Tab><Tab>ll/fin<Enter>n");
}

#[test]
fn the_tables() {
    snapshots("tables-private", "clinic/clinic.toml", "8jj");
    snapshots("tables-public", "clinic/clinic.toml", "8<Tab>G");
    snapshots("tables-release", "clinic/clinic.toml", "llllljlll8<Tab><Tab>");
}

#[test]
fn the_export() {
    snapshots("export", "clinic/clinic.toml", "sre");
    snapshots("export-not-present", "paper/paper.toml", "e<Enter>not pr");
}

#[test]
fn an_export_that_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    let path = folder.path().join("release.csv");
    bench.keys("sre<^U>").paste(path.to_str().unwrap());
    bench.keys("<Enter>");
    assert!(path.exists());
    let said = bench.screen(100, 30);
    assert!(said.contains("800 rows written and verified"), "{said}");
}

#[test]
fn loading() {
    // Nothing that the job says is taken, so it need not be there.
    let mut bench = Bench::loading(Path::new("clinic.toml"), Overrides::default());
    snapshots_of("loading-begins", &mut bench);
    let progress = Progress { stage: LoadStage::Public, done: 12_000, total: 20_000 };
    let progress = bench.forge_loading(Ok(Loaded::Progress(progress)));
    bench.app.update(progress);
    snapshots_of("loading", &mut bench);
}

#[test]
fn where_there_is_no_room() {
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    let screen = bench.keys("lll").screen(40, 10);
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines[0].contains("✗ FAILS"), "{screen}");
    assert!(screen.contains("palmtop needs 60 x 16; this is 40 x 10"), "{screen}");
    for (columns, rows) in [(60, 16), (200, 15), (59, 50)] {
        let screen = bench.screen(columns, rows);
        assert_eq!(screen.contains("palmtop needs"), (columns, rows) != (60, 16), "{screen}");
    }
}

#[test]
fn the_help_and_the_question() {
    snapshots("help", "paper/paper.toml", "?");
    snapshots("quit", "paper/paper.toml", "q");
}

#[test]
fn the_classes_and_one_explained() {
    snapshots("classes", "clinic/clinic.toml", "lll2jj");
    snapshots("classes-filtered", "clinic/clinic.toml", "lll2fover presence<lt>.5<Enter>oo");
}

#[test]
fn what_opens_over_a_screen() {
    snapshots("delta", "clinic/clinic.toml", "lld<Tab>0.07<Tab>0.01");
    snapshots("palette", "clinic/clinic.toml", ":re");
    snapshots("history", "clinic/clinic.toml", "lljlB");
    snapshots("prompt-wrong", "clinic/clinic.toml", "f<^U>nowhere:1<Enter>");
}

#[test]
fn in_ascii_nothing_moves_and_no_mark_becomes_another() {
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    for keys in [
        "lll",
        "2",
        "g",
        "b",
        "sr",
        "c",
        "tr",
        "7",
        "8",
        "we",
        "<Esc>d<Tab>.1",
        "<Esc>?",
        "<Esc>B",
        "<Esc>:le",
    ] {
        bench.keys(keys);
        let (unicode, ascii) = (bench.screen(160, 40), bench.ascii_screen(160, 40));
        assert!(ascii.is_ascii(), "{ascii}");
        for (one, other) in unicode.lines().zip(ascii.lines()) {
            assert_eq!(one.chars().count(), other.chars().count(), "{one}\n{other}");
            // A question mark says that nothing is known of a node.
            let differ = one.chars().zip(other.chars()).find(|(one, other)| *other == '?' && *one != '?');
            assert_eq!(differ, None, "{keys}\n{one}\n{other}");
        }
    }
}
