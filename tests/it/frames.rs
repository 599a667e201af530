//! Tables that the caller passes as frames give the same release as the same tables on disk, byte
//! for byte.

use std::fs;
use std::path::Path;

use palmtop::pipeline::{self, Analysis, ExportOptions, FrameSettings, Overrides};
use palmtop::progress::unwatched;
use palmtop::search::{Config, Strategy};
use polars::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SETTINGS: &str = r#"
delta = { max = "1/3" }
[[attribute]]
name = "age"
role = "quasi"
hierarchy = "age.toml"
[[attribute]]
name = "zip"
role = "quasi"
hierarchy = "zip.toml"
[[attribute]]
name = "born"
role = "quasi"
hierarchy = "born.toml"
[[attribute]]
name = "smoker"
role = "quasi"
hierarchy = "smoker.toml"
[[attribute]]
name = "cost"
role = "sensitive"
"#;

/// P and T with all kinds of values: integers, texts, days, flags, and amounts with decimals. Some
/// values are missing.
fn frames(seed: u64) -> (DataFrame, DataFrame) {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let people = 400;
    let ages: Vec<i32> = (0..people).map(|_| draws.random_range(20..60)).collect();
    let zips: Vec<String> =
        (0..people).map(|_| format!("{:05}", 8000 + draws.random_range(0..6) * 7)).collect();
    let days: Vec<i32> = (0..people).map(|_| 10_000 + draws.random_range(0..4) * 30).collect();
    let flags: Vec<bool> = (0..people).map(|_| draws.random_range(0..2) == 1).collect();
    let born = Series::new("born".into(), days).cast(&DataType::Date).unwrap();
    let public = df!("age" => ages, "zip" => zips, "born" => born, "smoker" => flags).unwrap();
    let members: Vec<IdxSize> = (0..people).filter(|_| draws.random_range(0..8) == 0).collect();
    let rows = public.columns().iter().map(|column| column.take_slice(&members).unwrap());
    let mut private = DataFrame::new(members.len(), rows.collect()).unwrap();
    let costs: Vec<f64> = members.iter().map(|_| f64::from(draws.random_range(0..5)) / 4.0).collect();
    private.with_column(Column::new("cost".into(), costs)).unwrap();
    (public, private)
}

fn names(frame: &DataFrame) -> String {
    frame.get_column_names().iter().map(|name| name.as_str()).collect::<Vec<_>>().join(",")
}

fn hierarchies(folder: &Path) {
    for (name, text) in [
        ("age", "type = \"interval\"\nwidths = [10, 20]\n"),
        ("zip", "type = \"mask\"\nlength = 5\nfrom = \"right\"\ncharacter = \"*\"\n"),
        ("born", "type = \"date\"\nlevels = [\"month\", \"year\"]\n"),
        ("smoker", "type = \"flat\"\n"),
    ] {
        fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
}

#[test]
fn frames_and_files_give_identical_releases() {
    for seed in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        hierarchies(folder.path());
        let (public, private) = frames(seed);
        // Polars writes this CSV, so another library than ours makes the texts of the typed cells.
        for (name, frame) in [("p.csv", &public), ("t.csv", &private)] {
            let texts: Vec<Column> =
                frame.columns().iter().map(|column| column.cast(&DataType::String).unwrap()).collect();
            let mut lines = names(frame) + "\n";
            for row in 0..frame.height() {
                let cells = texts.iter().map(|column| column.str().unwrap().get(row).unwrap_or_default());
                lines += &(cells.collect::<Vec<_>>().join(",") + "\n");
            }
            fs::write(folder.path().join(name), lines).unwrap();
        }
        let tables = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n";
        fs::write(folder.path().join("project.toml"), format!("{SETTINGS}{tables}")).unwrap();
        let of_files = Analysis::load(&folder.path().join("project.toml"), &Overrides::default()).unwrap();
        let settings = FrameSettings { text: SETTINGS, folder: folder.path() };
        let of_frames = Analysis::of_frames(&public, &private, &settings).unwrap();
        for strategy in [Strategy::Spalm, Strategy::Simulatable] {
            let export = |analysis: &Analysis, name: &str| {
                let found = analysis.search(analysis.problem(), strategy, &Config::default(), &mut unwatched);
                let release = found.release.unwrap();
                let target = folder.path().join(name);
                pipeline::export::write(
                    analysis,
                    &release,
                    &target,
                    ExportOptions { force: true, ..ExportOptions::default() },
                )
                .unwrap();
                (release, fs::read(target).unwrap())
            };
            let (release, bytes) = export(&of_frames, "of-frames.csv");
            assert!(bytes == export(&of_files, "of-files.csv").1, "{strategy} differs");
            let (rows, verification) = of_frames.release_frame(&release).unwrap();
            assert_eq!((rows.height() as u64, rows.height()), (verification.rows, private.height()));
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.starts_with(&names(&rows)), "{text}");
            let classes = of_frames.classes_frame(&release).unwrap();
            let sum =
                |column: &str| classes.column(column).unwrap().u64().unwrap().iter().flatten().sum::<u64>();
            assert_eq!((sum("public"), sum("private")), (public.height() as u64, private.height() as u64));
            assert!(
                classes
                    .column("presence")
                    .unwrap()
                    .f64()
                    .unwrap()
                    .iter()
                    .flatten()
                    .all(|share| share <= 1.0 / 3.0)
            );
        }
    }
}

#[test]
fn unusable_frames_say_why_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    hierarchies(folder.path());
    let (public, private) = frames(9);
    let refused = |public: &DataFrame, private: &DataFrame, text: &str| {
        let settings = FrameSettings { text, folder: folder.path() };
        Analysis::of_frames(public, private, &settings).err().unwrap().to_string()
    };
    let named = format!("{SETTINGS}[public]\npath = \"p.csv\"\n");
    assert!(refused(&public, &private, &named).contains("[public] names files, and its rows are a frame"));
    assert!(refused(&public, &private, "delta = ").contains("not TOML"));
    assert!(refused(&public.drop("zip").unwrap(), &private, SETTINGS).contains("`zip`"));
    let stranger = df!("age" => [99], "zip" => ["1"], "born" => [Option::<i32>::None], "smoker" => [true], "cost" => [0.0]).unwrap();
    assert!(!refused(&public, &stranger, SETTINGS).is_empty());
}
