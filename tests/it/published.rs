//! Columns that only T has and that are published at a level of a hierarchy. The exports, criteria
//! and refusals are compared with labels that this file computes separately.
#![expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use palmtop::compatibility::Feature;
use palmtop::history::{RecodingRecipe, Sitting, SittingFile, Step};
use palmtop::model::{Fraction, Level};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::risk::Risk;
use palmtop::search::{Config, Strategy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A type of hierarchy: its file, how a value is drawn, its coarsest level, and the label of a
/// value at a level below that.
struct Kind {
    file: &'static str,
    content: &'static str,
    draw: fn(&mut ChaCha8Rng) -> String,
    top: u8,
    label: fn(&str, u8) -> String,
}

impl Kind {
    fn label(&self, value: &str, level: u8) -> String {
        match level {
            0 => value.to_owned(),
            level if level == self.top => "*".to_owned(),
            level => (self.label)(value, level),
        }
    }
}

fn band(value: &str, width: u32) -> String {
    let low = value.parse::<u32>().unwrap() / width * width;
    format!("{low}-{}", low + width - 1)
}

const WORDS: [[&str; 3]; 6] = [
    ["flu", "airways", "chest"],
    ["cough", "airways", "chest"],
    ["angina", "heart", "chest"],
    ["ulcer", "stomach", "belly"],
    ["colic", "gut", "belly"],
    ["hernia", "gut", "belly"],
];

fn word(value: &str, level: u8) -> String {
    WORDS.iter().find(|chain| chain[0] == value).unwrap()[usize::from(level)].to_owned()
}

fn draw_word(random: &mut ChaCha8Rng) -> String {
    WORDS[random.random_range(0..WORDS.len())][0].to_owned()
}

const KINDS: [Kind; 6] = [
    Kind {
        file: "own.toml",
        content: "type = \"date\"\nlevels = [\"month\", \"year\"]\n",
        draw: |random| {
            let (year, month) = (random.random_range(1960..1963), random.random_range(1..4));
            format!("{year}-{month:02}-{:02}", random.random_range(1..4))
        },
        top: 3,
        label: |value, level| value[..if level == 1 { 7 } else { 4 }].to_owned(),
    },
    Kind {
        file: "own.toml",
        content: "type = \"interval\"\nwidths = [10, 50]\n",
        draw: |random| random.random_range(0..120).to_string(),
        top: 3,
        label: |value, level| band(value, if level == 1 { 10 } else { 50 }),
    },
    Kind {
        file: "own.toml",
        content: "type = \"mask\"\nlength = 3\n",
        draw: |random| format!("{}{}7", random.random_range(1..4), random.random_range(0..3)),
        top: 3,
        label: |value, level| value[..3 - usize::from(level)].to_owned() + &"*".repeat(usize::from(level)),
    },
    Kind {
        file: "own.toml",
        content: "type = \"tree\"\n[[level]]\nairways = [\"flu\", \"cough\"]\nheart = [\"angina\"]\nstomach = [\"ulcer\"]\n\
                  gut = [\"colic\", \"hernia\"]\n[[level]]\nchest = [\"airways\", \"heart\"]\nbelly = [\"stomach\", \"gut\"]\n",
        draw: draw_word,
        top: 3,
        label: word,
    },
    Kind {
        file: "own.csv",
        content: "flu;airways;chest;*\ncough;airways;chest;*\nangina;heart;chest;*\nulcer;stomach;belly;*\ncolic;gut;belly;*\n\
                  hernia;gut;belly;*\n",
        draw: draw_word,
        top: 3,
        label: word,
    },
    Kind {
        file: "own.toml",
        content: "type = \"flat\"\n",
        draw: draw_word,
        top: 1,
        label: |_, _| "*".to_owned(),
    },
];

/// A project with the quasi-identifier `age` and the column `own`, which only T has.
struct Random {
    folder: tempfile::TempDir,
    kind: &'static Kind,
    level: u8,
    /// The age and the value of each member.
    members: Vec<(String, String)>,
}

impl Random {
    fn new(seed: u64, policy: &str) -> Self {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let kind = &KINDS[usize::try_from(seed).unwrap() % KINDS.len()];
        let level = random.random_range(0..=kind.top);
        let people: Vec<String> = (0..60).map(|_| random.random_range(20..60).to_string()).collect();
        let members: Vec<(String, String)> =
            people[..25].iter().map(|age| (age.clone(), (kind.draw)(random))).collect();
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
        write("public.csv", &format!("age\n{}\n", people.join("\n")));
        let rows: Vec<String> = members.iter().map(|(age, value)| format!("{age},{value}")).collect();
        write("private.csv", &format!("age,own\n{}\n", rows.join("\n")));
        write("age.toml", "type = \"interval\"\nwidths = [10, 20]\n");
        write(kind.file, kind.content);
        let role = if policy.is_empty() && seed.is_multiple_of(2) { "insensitive" } else { "sensitive" };
        write(
            "project.toml",
            &format!(
                "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmin = 0\nmax = 1\n{policy}\
                 [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
                 [[attribute]]\nname = \"own\"\nrole = \"{role}\"\nhierarchy = \"{}\"\npublish = {level}\n",
                kind.file
            ),
        );
        Self { folder, kind, level, members }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn load(&self) -> Analysis {
        Analysis::load(&self.path("project.toml"), &Overrides::default()).unwrap()
    }

    /// The label that this file expects for a value.
    fn label(&self, value: &str) -> String {
        self.kind.label(value, self.level)
    }

    /// The expected rows of the release with ages in bands of ten.
    fn expected(&self) -> Vec<(String, String)> {
        let mut rows: Vec<(String, String)> =
            self.members.iter().map(|(age, value)| (band(age, 10), self.label(value))).collect();
        rows.sort();
        rows
    }
}

/// A file of rows in the form of a release.
fn written(rows: &[(String, String)]) -> String {
    let mut lines: Vec<String> = rows.iter().map(|(age, value)| format!("{age},{value}\n")).collect();
    lines.sort();
    format!("age,own\n{}", lines.concat())
}

fn is_accepted(project: &Path, file: &Path) -> bool {
    verify_file(project, &Overrides::default(), file).is_ok_and(|findings| findings.is_faithful())
}

fn in_tens(analysis: &Analysis) -> Release {
    analysis.by_hand(analysis.problem(), analysis.problem().lattice().node(&[Level(1)]).unwrap())
}

// holds: One source of published columns
#[test]
fn only_the_published_label_is_accepted() {
    let mut refused = 0;
    for seed in 0..36 {
        let random = Random::new(seed, "");
        let (project, file) = (random.path("project.toml"), random.path("release.csv"));
        let analysis = random.load();
        let release = in_tens(&analysis);
        pipeline::export::write(&analysis, &release, &file, ExportOptions::default()).unwrap();
        let rows = random.expected();
        assert_eq!(fs::read_to_string(&file).unwrap(), written(&rows), "seed {seed}");
        let shown = pipeline::page::preview(&analysis, &release, 100).unwrap();
        let shown: Vec<String> = shown[1..].iter().map(|row| row.join(",")).collect();
        let lines: Vec<String> = rows.iter().map(|(age, value)| format!("{age},{value}")).collect();
        assert_eq!(shown.iter().collect::<BTreeSet<_>>(), lines.iter().collect::<BTreeSet<_>>());
        assert!(is_accepted(&project, &file));
        let mut texts: BTreeSet<String> = BTreeSet::new();
        for (_, value) in &random.members {
            texts.extend((0..=random.kind.top).map(|level| random.kind.label(value, level)));
        }
        let tampered = random.path("tampered.csv");
        for nth in [0, 11, 24] {
            for text in texts.iter().filter(|text| **text != rows[nth].1) {
                let mut other = rows.clone();
                other[nth].1.clone_from(text);
                fs::write(&tampered, written(&other)).unwrap();
                assert!(!is_accepted(&project, &tampered), "seed {seed}: {:?} as {text:?}", rows[nth]);
                refused += 1;
            }
        }
        for (one, two) in [(0, 24), (3, 20), (0, 12)] {
            if rows[one].0 != rows[two].0 && rows[one].1 != rows[two].1 {
                let mut other = rows.clone();
                other[one].1.clone_from(&rows[two].1);
                other[two].1.clone_from(&rows[one].1);
                fs::write(&tampered, written(&other)).unwrap();
                assert!(!is_accepted(&project, &tampered), "seed {seed}: {one} and {two} swapped");
                refused += 1;
            }
        }
    }
    assert!(refused > 1000, "only {refused} files were tampered with");
}

fn shares<'a>(texts: impl Iterator<Item = &'a String>) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    texts.for_each(|text| *counts.entry(text.clone()).or_default() += 1.0);
    let all: f64 = counts.values().sum();
    counts.into_iter().map(|(text, count)| (text, count / all)).collect()
}

/// Half the sum of the differences of shares.
fn difference(released: &BTreeMap<String, f64>, all: &BTreeMap<String, f64>) -> f64 {
    let of = |text: &String| released.get(text).copied().unwrap_or(0.0);
    all.iter().map(|(text, share)| (of(text) - share).abs()).sum::<f64>() / 2.0
}

fn number(achieved: &str) -> f64 {
    let (above, below) = achieved.split_once('/').unwrap_or((achieved, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

// holds: One source of published columns
#[test]
fn diversity_and_closeness_use_published_labels() {
    for seed in 0..36 {
        let distance = if seed < 18 { "equal" } else { "hierarchy" };
        let policy = format!(
            "[policy]\nl = {{ distinct = 1 }}\nt = {{ at_most = \"1\", distance = \"{distance}\" }}\n"
        );
        let random = Random::new(seed, &policy);
        let analysis = random.load();
        let release = in_tens(&analysis);
        let file = random.path("release.csv");
        // An export compares the figures of the engine with those of the verifier.
        pipeline::export::write(&analysis, &release, &file, ExportOptions::default()).unwrap();
        let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (age, value) in &random.members {
            classes.entry(band(age, 10)).or_default().push(value.clone());
        }
        let labels = |class: &[String], level: u8| -> Vec<String> {
            class.iter().map(|value| random.kind.label(value, level)).collect()
        };
        let distinct = classes
            .values()
            .map(|class| labels(class, random.level).into_iter().collect::<BTreeSet<_>>().len());
        let everybody: Vec<String> = random.members.iter().map(|(_, value)| value.clone()).collect();
        let levels: Vec<u8> = match distance {
            "equal" => vec![random.level],
            _ => (random.level..random.kind.top).collect(),
        };
        let far = |class: &Vec<String>| -> f64 {
            let of_level = |&level: &u8| {
                difference(&shares(labels(class, level).iter()), &shares(labels(&everybody, level).iter()))
            };
            levels.iter().map(of_level).sum::<f64>() / levels.len().max(1) as f64
        };
        let farthest = classes.values().map(far).fold(0.0, f64::max);
        let findings = verify_file(&random.path("project.toml"), &Overrides::default(), &file).unwrap();
        let standings = release.standings();
        let engine =
            |key: &str| standings.iter().find(|outcome| outcome.criterion == key).unwrap().achieved.clone();
        let verifier = |key: &str| {
            findings.criteria.iter().find(|outcome| outcome.criterion == key).unwrap().achieved.clone()
        };
        assert_eq!(engine("l"), Some(format!("distinct {}", distinct.min().unwrap())), "seed {seed}");
        assert_eq!(engine("l"), verifier("l"), "seed {seed}");
        assert_eq!(engine("t"), verifier("t"), "seed {seed}");
        let closeness = engine("t").unwrap();
        let closeness = number(closeness.strip_prefix(distance).unwrap().trim());
        assert!((closeness - farthest).abs() < 1e-9, "seed {seed}: {closeness} instead of {farthest}");
        let c: Fraction = "3".parse().unwrap();
        let of_release = Risk::of(&pipeline::risk::classes(&analysis, &release).unwrap(), &c);
        let read =
            pipeline::risk::classes_of_file(&analysis, &pipeline::reading::read(&analysis, &file).unwrap())
                .unwrap();
        assert_eq!(Risk { classes: of_release.classes, ..Risk::of(&read, &c) }, of_release, "seed {seed}");
    }
}

/// The search for a node evaluates criteria on labels too. With raw values each class would be
/// diverse.
#[test]
fn a_search_enforces_diversity_of_what_is_published() {
    let random = Random::new(0, "[policy]\nl = { distinct = 2 }\n");
    let project = fs::read_to_string(random.path("project.toml")).unwrap();
    let publish = |level: &str| {
        let line = format!("publish = {}", random.level);
        fs::write(random.path("project.toml"), project.replace(&line, &format!("publish = {level}")))
            .unwrap();
        let analysis = random.load();
        let config = Config::default();
        analysis.search(analysis.problem(), Strategy::Spalm, &config, &mut unwatched).release.is_some()
    };
    assert!(publish("0"));
    assert!(!publish("3"), "everybody has the label `*`, so no class has two");
}

/// The clinic with a column of T that the project reads with these keys and then publishes.
fn clinic(lines: &str, texts: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let rows: Vec<String> =
        texts.iter().enumerate().map(|(nth, texts)| format!("{},{texts}\n", 30 + nth)).collect();
    let rows = rows.concat();
    write("private.csv", &format!("age,own\n{rows}"));
    let people: Vec<String> = (30..60).map(|age| format!("{age}\n")).collect();
    let people = people.concat();
    write("public.csv", &format!("age\n{people}"));
    write("age.toml", "type = \"interval\"\nwidths = [10]\n");
    write("date.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n");
    write("tens.toml", "type = \"interval\"\nwidths = [10, 50]\n");
    write(
        "project.toml",
        &format!(
            "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmin = 0\nmax = 1\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n[[attribute]]\nname = \"own\"\n{lines}"
        ),
    );
    folder
}

/// The values of the column in a release, in the order of T's rows.
fn published(folder: &Path) -> Result<Vec<String>, String> {
    let project = folder.join("project.toml");
    let analysis = Analysis::load(&project, &Overrides::default()).map_err(|error| error.to_string())?;
    let release = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom());
    for name in ["release.csv", "release.parquet", "release.arrow"] {
        pipeline::export::write(&analysis, &release, &folder.join(name), ExportOptions::default()).unwrap();
        assert!(is_accepted(&project, &folder.join(name)), "{name}");
    }
    let rows = pipeline::page::preview(&analysis, &release, 100).unwrap();
    Ok(rows[1..].iter().map(|row| row[1].clone()).collect())
}

// holds: One source of published columns
#[test]
fn texts_are_interpreted_before_they_are_published() {
    for (lines, texts, expected) in [
        (
            "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 2\ndate = \"%d.%m.%Y\"\nmissing = [\"\", \"?\"]\n",
            &["31.03.1960", "", "1.4.1971", "?"][..],
            &["1960", "unknown", "1971", "unknown"][..],
        ),
        (
            "role = \"insensitive\"\nhierarchy = \"date.toml\"\npublish = 3\nmissing = [\"\"]\n",
            &["1960-03-31", ""],
            &["*", "*"],
        ),
        (
            "role = \"sensitive\"\nhierarchy = \"tens.toml\"\npublish = 1\ntrim = true\nnumber = \"1.234,5\"\n\
             values = { \"many\" = \"1.000\" }\nmissing = [\"-\"]\nmissing_label = \"(none)\"\n",
            &[" 12", "many", "-", "19"],
            &["10-19", "1000-1009", "(none)", "10-19"],
        ),
        // If any value is not a whole number, bands have this form.
        (
            "role = \"sensitive\"\nhierarchy = \"tens.toml\"\npublish = 2\n",
            &["12.5", "-3", "70"],
            &["\"[0, 50)\"", "\"[-50, 0)\"", "\"[50, 100)\""],
        ),
        // A column that is published unchanged is not parsed.
        ("role = \"insensitive\"\nhierarchy = \"tens.toml\"\npublish = 0\n", &["12", "70"], &["12", "70"]),
    ] {
        let folder = clinic(lines, texts);
        let found = published(folder.path()).unwrap();
        let expected: Vec<&str> = expected.iter().map(|text| text.trim_matches('"')).collect();
        assert_eq!(found, expected, "{lines}");
    }
}

/// Lines of an attribute, its values, and a part of the refusal.
type Case = (&'static str, &'static [&'static str], &'static str);

const REFUSED: &[Case] = &[
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 4\n",
        &["1960-03-31"],
        "`publish = 4` of attribute `own`",
    ),
    ("role = \"sensitive\"\npublish = 1\n", &["x"], "`own`: `publish = 1` is a level"),
    (
        "role = \"insensitive\"\nhierarchy = \"date.toml\"\n",
        &["1960-03-31"],
        "`own` has a hierarchy, but is published",
    ),
    (
        "role = \"quasi\"\nhierarchy = \"date.toml\"\npublish = 2\n",
        &["1960-03-31"],
        "`own`: `publish` needs role",
    ),
    ("role = \"identifier\"\npublish = 2\n", &["x"], "`own`: `publish` needs role"),
    ("role = \"identifier\"\nhierarchy = \"date.toml\"\n", &["x"], "`own` has a hierarchy, but no"),
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = -1\n",
        &["1960-03-31"],
        "line 16: invalid value: integer `-1`, expected u8",
    ),
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 0\nmissing = [\"\"]\n",
        &["1960-03-31"],
        "`own`: only a quasi-identifier",
    ),
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 1\n[attribute.private]\ntrim = true\n",
        &["1960-03-31"],
        "`own`: only T has this column",
    ),
    // For a value without a label, the error gives the row, the number of people, and the line
    // to write.
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 1\n",
        &["1960-03-31", "", ""],
        "column `own`: 1 value that hierarchy",
    ),
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 1\n",
        &["1960-03-31", "31.12.1960"],
        "  \"31.12.1960\"   row 2   1 person",
    ),
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = 1\ndate = \"%d.%m.%Y\"\n",
        &["31.12.1960", "soon"],
        "  \"soon\"   row 2   1 person",
    ),
    // t-closeness reads the values by the same hierarchy.
    (
        "role = \"sensitive\"\nhierarchy = \"date.toml\"\n",
        &["1960-03-31", "soon"],
        "  \"soon\"   row 2   1 person",
    ),
];

/// What is said of each of them.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let refusal = |&(lines, texts, _): &Case| {
        let folder = clinic(lines, texts);
        let error = published(folder.path()).unwrap_err();
        ("", error.replace(&format!("{}/", folder.path().display()), ""))
    };
    REFUSED.iter().map(refusal).collect()
}

// holds: One source of published columns
#[test]
fn what_cannot_be_published_so_is_refused_twice() {
    for &(lines, texts, complaint) in REFUSED {
        let folder = clinic(lines, texts);
        let error = published(folder.path()).unwrap_err();
        assert!(error.contains(complaint), "{lines}expected {complaint}\nfound    {error}");
        let name = folder.path().join("other.csv");
        fs::write(&name, "age,own\n30,x\n").unwrap();
        let refused = verify_file(&folder.path().join("project.toml"), &Overrides::default(), &name);
        assert!(refused.is_err(), "{lines}: the verifier reads the project");
    }
}

/// People with several rows: the label is part of a person's combination of rows, and criteria
/// count the labels of people.
#[test]
fn rows_of_one_person_are_published_coarser() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("public.csv", "id,zip\na,1\na,2\nb,1\nb,2\nc,1\nd,1\n");
    write("private.csv", "id,zip,own\na,1,1960-01-01\na,2,1960-05-05\nc,1,1971-01-01\n");
    write("date.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n");
    write("flat.toml", "type = \"flat\"\n");
    let project = folder.path().join("project.toml");
    let with = |level: u8| {
        let text = format!(
            "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmin = 0\nmax = 1\n\
             [policy]\nl = {{ distinct = 1 }}\n\
             [[attribute]]\nname = \"id\"\nrole = \"entity\"\n[[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"flat.toml\"\n\
             [[attribute]]\nname = \"own\"\nrole = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = {level}\n"
        );
        fs::write(&project, text).unwrap();
        palmtop::pipeline::Analysis::load_for(
            &project,
            &Overrides::default(),
            &[Feature::Verdict],
            &mut unwatched,
        )
    };
    // If diversity counts people, both rows of `a` must have one label. The months differ; the
    // years do not.
    let error = with(1).unwrap_err().to_string();
    assert!(error.contains("an earlier row of this person has another value"), "{error}");
    let analysis = with(2).unwrap();
    let release = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom());
    let file = folder.path().join("release.csv");
    palmtop::pipeline::export::write(&analysis, &release, &file, ExportOptions::default()).unwrap();
    let content = fs::read_to_string(&file).unwrap();
    assert_eq!(content.matches(",1960").count(), 2, "{content}");
    assert!(is_accepted(&project, &file));
    for (from, to) in [(",1971", ",1960"), (",1960", ",1960-01-01"), (",1960", ",*")] {
        fs::write(&file, content.replacen(from, to, 1)).unwrap();
        assert!(!is_accepted(&project, &file), "{from} as {to}");
    }
}

/// Runs palmtop in a folder. Blanks separate the arguments.
#[track_caller]
fn palmtop(folder: &Path, status: i32, arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    let output = command
        .args(arguments.split_whitespace().map(|part| part.replace('␣', " ")))
        .current_dir(folder)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(status), "{arguments}\n{out}\n{err}");
    out + &err
}

/// A project with dates that are published as years.
fn years() -> Random {
    let random = Random::new(0, "");
    let project = fs::read_to_string(random.path("project.toml")).unwrap();
    let line = format!("publish = {}", random.level);
    fs::write(random.path("project.toml"), project.replace(&line, "publish = 2")).unwrap();
    Random { level: 2, ..random }
}

#[test]
fn commands_and_reports_name_the_level() {
    let random = years();
    let folder = random.folder.path();
    let found = palmtop(folder, 0, "check project.toml");
    assert!(found.contains("published `own`: at level 2 of own.toml, whose levels are 0 to 3\n"), "{found}");
    let json = palmtop(folder, 0, "check project.toml --format json");
    let json: serde_json::Value = serde_json::from_str(&json[..=json.rfind('}').unwrap()]).unwrap();
    let published = serde_json::json!([{"attribute": "own", "level": 2, "top": 3, "hierarchy": "own.toml"}]);
    assert_eq!(json["published"], published);
    palmtop(folder, 0, "anonymize project.toml --node 1 -o a.csv");
    palmtop(folder, 0, "report project.toml a.csv -o signer.json --format json");
    palmtop(folder, 0, "report project.toml a.csv -o recipient.json --for recipient --format json");
    for (name, list) in [("signer.json", "attributes"), ("recipient.json", "columns")] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json[list][1]["treatment"], "published at level 2 of own.toml", "{name}");
        assert!(random.members.iter().all(|(_, value)| !text.contains(value.as_str())), "{name}");
    }
}

#[test]
fn releases_with_published_labels_compose_and_replay() {
    let random = years();
    let folder = random.folder.path();
    palmtop(folder, 0, "anonymize project.toml --node 1 -o a.csv");
    palmtop(
        folder,
        0,
        "anonymize project.toml --strategy n1 --beside a.csv -o b.csv --accept certain=the␣test␣needs␣it",
    );
    let both = palmtop(folder, 0, "compose project.toml a.csv b.csv --format json");
    assert!(both.contains("\"people\""), "{both}");
    let analysis = random.load();
    let step = Step {
        action: "start".parse().unwrap(),
        recoding: RecodingRecipe::Node(vec![Level(1)]),
        delta: analysis.problem().delta(),
    };
    SittingFile::new(&folder.join("project.toml")).save(&Sitting::new(&analysis, step)).unwrap();
    palmtop(folder, 0, "anonymize project.toml --step 0 -o again.csv");
    assert_eq!(fs::read(folder.join("again.csv")).unwrap(), fs::read(folder.join("a.csv")).unwrap());
}

/// A birth date reveals the age, and so does its year; `*` does not.
#[test]
fn betrayal_is_tested_on_published_labels() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let ages: Vec<u32> = (0..400).map(|nth| 20 + nth * 7 % 50).collect();
    let people: Vec<String> = ages.iter().map(|age| format!("{age}\n")).collect();
    let people = people.concat();
    let members: Vec<String> =
        ages[..200].iter().map(|age| format!("{age},{}-06-15\n", 2024 - age)).collect();
    let members = members.concat();
    write("public.csv", &format!("age\n{people}"));
    write("private.csv", &format!("age,born\n{members}"));
    write("age.toml", "type = \"interval\"\nwidths = [10]\n");
    write("date.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n");
    let found = |level: u8| {
        write(
            "project.toml",
            &format!(
                "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmin = 0\nmax = 1\n\
                 [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
                 [[attribute]]\nname = \"born\"\nrole = \"sensitive\"\nhierarchy = \"date.toml\"\npublish = {level}\n"
            ),
        );
        let project = folder.path().join("project.toml");
        let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
        let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
        betrayals.columns().into_iter().map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(0), ["born"]);
    assert_eq!(found(2), ["born"]);
    assert!(found(3).is_empty());
}
