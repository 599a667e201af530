//! Possible and impossible changes; each written file is read back to the same hierarchy.

use super::*;
use crate::error::refused::Held;
use crate::hierarchies::{HierarchySpec, Values, of_bytes};

fn values(texts: &[String]) -> Values<'_> {
    Values { held: Held::plain(std::path::Path::new("t.csv"), "a"), texts }
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&text| text.to_owned()).collect()
}

/// A file of this name over P's values.
fn edited(name: &str, file: &str, public: &[&str]) -> (HierarchySpec, Editable) {
    let spec = HierarchySpec::of(name.into(), None, Level(0));
    let public = texts(public);
    let editable = Editable::read(&spec, file.as_bytes(), &public, &public).unwrap();
    (spec, editable)
}

/// The file after its way to the disk and back.
fn written(spec: &HierarchySpec, first: &str, editable: &Editable, public: &[&str]) -> String {
    let public = texts(public);
    let read = of_bytes(spec, first.as_bytes(), values(&public), values(&public)).unwrap();
    let written = editable.to_file(spec, Some(&read), values(&public), values(&public)).unwrap();
    format!("{}: {}", written.ending, String::from_utf8(written.bytes).unwrap())
}

fn group(level: u8, labels: &[&str], name: &str) -> Change {
    Change::Group { level: Level(level), labels: texts(labels), name: name.to_owned() }
}

fn split(level: u8, label: &str) -> Change {
    Change::Split { level: Level(level), label: label.to_owned() }
}

fn shown(editable: &Editable) -> Vec<String> {
    let levels = editable.base().0..=editable.top().0;
    levels.map(|level| editable.labels(Level(level)).join(" ")).collect()
}

fn done(editable: &Editable, changes: &[Change]) -> Editable {
    changes.iter().fold(editable.clone(), |edited, change| edited.apply(change).unwrap().hierarchy)
}

fn refusal(editable: &Editable, change: &Change) -> String {
    editable.apply(change).unwrap_err().to_string()
}

const WORLD: &str = "Canada;N. America;America;*\nUSA;N. America;America;*\nPeru;S. America;America;*\nSpain;Europe;Europe;*\nFrance;Europe;Europe;*\n";
const COUNTRIES: [&str; 5] = ["Canada", "USA", "Peru", "Spain", "France"];

#[test]
fn labels_are_grouped_split_renamed_and_moved() {
    let (spec, first) = edited("p.csv", WORLD, &COUNTRIES);
    let edited = done(&first, &[group(0, &["Canada", "Peru"], "North and south")]);
    assert_eq!(shown(&edited)[1], "North and south N. America Europe");
    assert_eq!(edited.parts(Level(1), "N. America"), ["USA"]);
    let edited = done(&edited, &[split(1, "North and south")]);
    assert_eq!(shown(&edited)[1], "Canada N. America Peru Europe");
    let rename =
        Change::Rename { level: Level(1), label: "N. America".to_owned(), name: " North ".to_owned() };
    let back = Change::Move { level: Level(0), labels: texts(&["Canada"]), into: "North".to_owned() };
    let edited = done(&edited, &[rename, back]);
    assert_eq!(shown(&edited), ["Canada USA Peru Spain France", "North Peru Europe", "America Europe", "*"]);
    assert_eq!(
        written(&spec, WORLD, &edited, &COUNTRIES),
        "csv: Canada;North;America;*\nUSA;North;America;*\nPeru;Peru;America;*\nSpain;Europe;Europe;*\nFrance;Europe;Europe;*\n"
    );
}

#[test]
fn group_below_the_top_gets_its_own_level() {
    let (_, first) = edited("p.csv", WORLD, &COUNTRIES);
    let grouped = first.apply(&group(2, &["America", "Europe"], "West")).unwrap();
    assert_eq!(grouped.followed, ["level 3 is new"]);
    assert_eq!(shown(&grouped.hierarchy)[3..], ["West", "*"]);
    assert_eq!(
        (grouped.hierarchy.level_of(Level(3)), grouped.hierarchy.level_of(Level(2))),
        (Level(4), Level(2))
    );
    let edited = done(
        &first,
        &[Change::Insert { above: Level(0) }, group(0, &["Spain", "France"], "Iberia and so on")],
    );
    assert_eq!(shown(&edited)[1], "Canada USA Peru Iberia and so on");
    let edited = done(&edited, &[Change::Remove { level: Level(2) }]);
    assert_eq!(shown(&edited)[1..], ["Canada USA Peru Iberia and so on", "America Europe", "*"]);
}

#[test]
fn groups_of_values_share_one_level() {
    let jobs = ["cook", "mason", "nurse", "pilot", "tailor", "typist"];
    let (_, first) = edited("j.toml", "type = \"flat\"\n", &jobs);
    // After the first group, level 1 holds all other values again.
    let edited =
        done(&first, &[group(0, &["mason", "tailor"], "Hand"), group(1, &["cook", "nurse"], "Service")]);
    assert_eq!(shown(&edited)[1..], ["Service Hand pilot typist", "*"]);
    let edited = done(&edited, &[group(1, &["pilot", "typist"], "Keys")]);
    assert_eq!(shown(&edited)[1..], ["Service Hand Keys", "*"]);
    // A group is not a value: its own group is one level up.
    let edited = done(&edited, &[group(1, &["Hand", "Keys"], "Work")]);
    assert_eq!(shown(&edited)[1..], ["Service Hand Keys", "Service Work", "*"]);
    let into = Change::Move { level: Level(1), labels: texts(&["Service"]), into: "Work".to_owned() };
    assert_eq!(shown(&done(&edited, &[into]))[2], "Work");
    assert_eq!(edited.lowest_level(Level(2), "Service"), Level(1));
    assert_eq!(edited.lowest_level(Level(1), "Hand"), Level(1));
    assert_eq!(first.lowest_level(Level(0), "cook"), Level(0));
}

/// Changes that are not possible: a part of each refusal, and the refusal.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let (_, first) = edited("p.csv", WORLD, &COUNTRIES);
    let (_, ages) = edited("a.toml", BANDS, &AGES);
    let of_borders =
        |level, typed, follow| ages.apply(&borders(&ages, level, typed, follow)).unwrap_err().to_string();
    let mut refusals = vec![
        ("`10-19` of level 1", of_borders(2, "0, 18, 65", false)),
        ("level 2 has a border at 20", of_borders(1, "0, 18, 65", false)),
        ("7 does not come after 18", of_borders(1, "18, 7", true)),
        ("`x` is not a number", ages.typed_borders("18, x").unwrap_err().to_string()),
        ("not neighbours", refusal(&ages, &group(1, &["0-9", "30-39"], "x"))),
    ];
    refusals.extend(
        [
            (group(0, &["Canada", "Spain"], "x"), "labels of level 2, `America` and `Europe`"),
            (group(0, &["Canada"], "S. America"), "level 1 already has a label `S. America`"),
            (group(0, &["Canada"], "[a]"), "reads as a range"),
            (group(0, &["Canada"], "{a, b}"), "reads as a set"),
            (group(0, &["Canada"], "  "), "it is empty"),
            (group(0, &[], "x"), "no label is marked"),
            (group(0, &["Atlantis"], "x"), "level 0 has no label `Atlantis`"),
            (group(3, &["*"], "x"), "level 3 is the top"),
            (group(0, &["Canada"], "Spain"), "means one set of values"),
            (group(0, &["Spain"], "Iberia"), "`Europe` means one set of values"),
            (group(0, &["Canada"], "America"), "`America` means one set of values"),
            (split(0, "Canada"), "`Canada` is a value of the tables"),
            (split(3, "*"), "is the top"),
            (split(2, "Europe"), "`Europe` has only one part, `Europe`"),
            (split(1, "S. America"), "`S. America` has only one part, `Peru`"),
            (Change::Remove { level: Level(0) }, "is the level of the values"),
            (Change::Insert { above: Level(3) }, "is the top"),
            (
                Change::Borders { level: Level(1), borders: Vec::new(), follow: true },
                "only numbers and dates",
            ),
        ]
        .map(|(change, reason)| (reason, refusal(&first, &change))),
    );
    refusals
}

// holds: Hierarchies read back
#[test]
fn edits_that_break_nesting_or_meaning_are_refused() {
    for (reason, refused) in refusals() {
        assert!(refused.contains(reason), "expected {reason}\n   found {refused}");
    }
}

const AGES: [&str; 8] = ["0", "7", "17", "18", "39", "40", "64", "90"];
const BANDS: &str = "type = \"interval\"\nwidths = [10, 20]\n";

fn borders(editable: &Editable, level: u8, typed: &str, follow: bool) -> Change {
    Change::Borders { level: Level(level), borders: editable.typed_borders(typed).unwrap(), follow }
}

#[test]
fn new_borders_make_bands_that_other_levels_follow() {
    let (spec, first) = edited("a.toml", BANDS, &AGES);
    assert_eq!(shown(&first)[1], "0-9 10-19 30-39 40-49 60-69 90-99");
    let cut = first.apply(&borders(&first, 2, "0, 18, 65", true)).unwrap();
    assert_eq!(cut.followed, ["level 1 follows: 10-19, 60-69 cut"]);
    assert_eq!(
        shown(&cut.hierarchy)[1..],
        ["0-9 10-17 18-19 30-39 40-49 60-64 90-99", "0-17 18-64 >=65", "*"]
    );
    let again = first.apply(&borders(&first, 1, "18, 40, 65", true)).unwrap();
    assert_eq!(shown(&again.hierarchy)[1..], ["<18 18-39 40-64 >=65", "<40 40-64 >=65", "*"]);
    assert_eq!(
        written(&spec, BANDS, &again.hierarchy, &AGES),
        "toml: type = \"interval\"\n\n[[level]]\ncuts = [18, 40, 65]\nlabels = [\"<18\", \"18-39\", \"40-64\", \">=65\"]\n\n[[level]]\ncuts = [40, 65]\nlabels = [\"<40\", \"40-64\", \">=65\"]\n"
    );
}

#[test]
fn gap_between_bands_becomes_an_empty_band() {
    let (spec, first) = edited("a.toml", BANDS, &AGES);
    let edited = done(&first, &[group(1, &["0-9", "10-19"], "minor")]);
    assert_eq!(shown(&edited)[2], "minor 20-39 40-59 60-79 80-99");
    let text = written(&spec, BANDS, &edited, &AGES);
    assert!(
        text.contains("\"<0\", \"0-9\", \"10-19\", \"20-29\", \"30-39\", \"40-49\", \"50-59\""),
        "{text}"
    );
    let edited = done(&first, &[split(2, "0-19")]);
    assert!(refusal(&first, &group(0, &["0", "17"], "x")).contains("not neighbours"));
    assert_eq!(shown(&edited)[2], "0-9 10-19 20-39 40-59 60-79 80-99");
}

#[test]
fn a_band_that_loses_its_middle_is_two() {
    let (_, first) = edited("f.toml", "type = \"flat\"\n", &AGES);
    let edited = done(&first, &[group(0, &["0", "7", "17", "18"], "young")]);
    assert_eq!(shown(&edited)[1], "young 39 40 64 90");
    let edited = done(&edited, &[group(0, &["7"], "seven")]);
    assert_eq!(shown(&edited)[1], "0 seven 17-18 39 40 64 90");
}

#[test]
fn days_have_borders_too() {
    let days = ["2024-01-05", "2024-02-10", "2024-04-01", "2025-01-01"];
    let file = "type = \"date\"\nlevels = [\"month\", \"year\"]\n";
    let (spec, first) = edited("d.toml", file, &days);
    let edited = first.apply(&borders(&first, 2, "2024-02-05, 2024-07-01", true)).unwrap();
    assert_eq!(edited.followed, ["level 1 follows: 2024-02 cut"]);
    assert_eq!(shown(&edited.hierarchy)[2], "<2024-02-05 2024-02-05 to 2024-06-30 >=2024-07-01");
    let text = written(&spec, file, &edited.hierarchy, &days);
    assert!(text.starts_with("toml: type = \"tree\"\n"), "{text}");
}

#[test]
fn a_history_goes_back_and_on_again() {
    let (_, first) = edited("p.csv", WORLD, &COUNTRIES);
    let mut history = History::new(first.clone());
    history.apply(split(1, "N. America")).unwrap();
    history.apply(group(0, &["USA"], "Union")).unwrap();
    assert!(history.apply(group(0, &["USA"], "Spain")).is_err());
    assert_eq!((history.changes(), history.is_changed()), (2, true));
    assert_eq!(history.undo().map(ToString::to_string).as_deref(), Some("USA grouped as Union"));
    history.undo();
    assert_eq!((history.now(), history.is_changed()), (&first, false));
    assert!(history.undo().is_none());
    history.redo();
    assert_eq!(shown(history.now())[1], "Canada USA S. America Europe");
    history.apply(group(0, &["Canada"], "North")).unwrap();
    assert!(history.redo().is_none(), "what was undone is forgotten");
}

#[test]
fn nearest_label_is_proposed_for_an_unplaced_value() {
    let (_, world) = edited("p.csv", WORLD, &COUNTRIES);
    for (value, nearest) in [("Kanada", Some("N. America")), ("spain ", Some("Europe")), ("Bolivia", None)] {
        assert_eq!(world.nearest(value, false), nearest, "{value}");
    }
    let jobs = "nurse;care and protection;*\npolice officer;care and protection;*\nfactory worker;industry;*\nfarmer;farm and forest;*\n";
    let (_, jobs) = edited("j.csv", jobs, &["nurse"]);
    for value in ["quarry worker", "seafarer", "purse maker", "dancer"] {
        assert_eq!(jobs.nearest(value, false), None, "{value}");
    }
    assert_eq!(jobs.nearest("Factory-worker", false), Some("industry"));
    let (_, codes) = edited("z.csv", "47906;479**;*\n47907;479**;*\n48970;489**;*\n", &["47906"]);
    assert_eq!(codes.nearest("48999", false), Some("489**"));
    let (_, codes) = edited("d.csv", "J45.0;J45;*\nJ45.1;J45;*\nK50.0;K50;*\n", &["J45.0"]);
    assert_eq!((codes.nearest("J45.9", false), codes.nearest("J99.1", false)), (Some("J45"), None));
    let (_, ages) = edited("a.csv", "10;<20;*\n19;<20;*\n30;20+;*\n", &["10"]);
    assert_eq!((ages.nearest("15", false), ages.nearest("99", false)), (Some("<20"), Some("20+")));
    let place = |value: &str, under: &str| Change::Place {
        value: value.to_owned(),
        under: under.to_owned(),
        is_finer: false,
    };
    let edited = done(&world, &[place("Bolivia", "S. America")]);
    assert_eq!(edited.parts(Level(1), "S. America"), ["Peru", "Bolivia"]);
    assert!(refusal(&edited, &place("Bolivia", "Europe")).contains("already has a label"));
    assert!(refusal(&ages, &place("15", "20+")).contains("not neighbours"));
    assert_eq!(shown(&done(&ages, &[place("15", "<20")]))[0], "10 15 19 30");
}
