//! Columns that reveal a quasi-identifier, in complete projects: their effect on the risk, and
//! columns of P with another name.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use palmtop::betrayal::{Betrayal, Risk};
use palmtop::caution::{self, Facts, Key};
use palmtop::model::{Presence, Role};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::search::{Config, Strategy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A row of a table, by column.
type Row = HashMap<String, String>;

/// A new column of a table: its name and the function that gives its value in a row.
type Add<'a> = (&'a str, &'a mut dyn FnMut(&Row) -> String);

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn clinic() -> PathBuf {
    root().join("sample-data/clinic/clinic.toml")
}

/// A project of Adult. If the data is missing, `None` and a line on stderr.
fn adult(name: &str) -> Option<PathBuf> {
    let data =
        std::env::var_os("PALMTOP_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let project = data.join("adult-45222").join(name);
    if project.is_file() {
        return Some(project.canonicalize().unwrap());
    }
    let _ = writeln!(std::io::stderr(), "skipped: there is no {}; set PALMTOP_DATA", project.display());
    None
}

fn rows(table: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(table).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        header.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// A copy of a table with more columns.
fn copy(table: &Path, target: &Path, added: &mut [Add]) {
    let header = csv::Reader::from_path(table).unwrap().headers().unwrap().clone();
    let mut writer = csv::Writer::from_path(target).unwrap();
    writer.write_record(header.iter().chain(added.iter().map(|(name, _)| *name))).unwrap();
    for row in rows(table) {
        let added_values: Vec<String> = added.iter_mut().map(|(_, value)| value(&row)).collect();
        writer.write_record(header.iter().map(|column| &row[column]).chain(&added_values)).unwrap();
    }
    writer.flush().unwrap();
}

/// A copy of a project. It has more columns in P and, with the role sensitive, in T. `changes` are
/// made to its text.
fn project<'a>(
    folder: &Path,
    of: &Path,
    private: &mut [Add<'a>],
    public: &mut [Add<'a>],
    change: impl Fn(String) -> String,
) -> Analysis {
    let home = of.parent().unwrap();
    let mut text = change(fs::read_to_string(of).unwrap());
    for (table, added) in [("private", &mut *private), ("public", public)] {
        let line = format!("[{table}]\npath = \"");
        let begin = text.find(&line).unwrap() + line.len();
        let end = begin + text[begin..].find('"').unwrap();
        let target = folder.join(format!("{table}.csv"));
        copy(&home.join(&text[begin..end]), &target, added);
        text.replace_range(begin..end, &format!("{table}.csv"));
    }
    let text = text.replace("hierarchy = \"", &format!("hierarchy = \"{}/", home.display()));
    let sensitive =
        private.iter().map(|(name, _)| format!("\n[[attribute]]\nname = \"{name}\"\nrole = \"sensitive\"\n"));
    let path = folder.join("project.toml");
    fs::write(&path, text + &sensitive.collect::<String>()).unwrap();
    Analysis::load(&path, &Overrides::default()).unwrap()
}

fn pairs(found: &[Betrayal]) -> Vec<String> {
    found.iter().map(|betrayal| format!("{}>{}", betrayal.column, betrayal.quasi)).collect()
}

/// A birth date of a person of this age.
fn birth(random: &mut ChaCha8Rng, age: &str) -> String {
    let age: i32 = age.parse().unwrap();
    let last = chrono::NaiveDate::from_ymd_opt(2024 - age, 6, 30).unwrap();
    (last - chrono::Days::new(random.random_range(0..365))).to_string()
}

fn spalm(analysis: &Analysis) -> Release {
    let found = analysis.search(analysis.problem(), Strategy::Spalm, &Config::default(), &mut unwatched);
    found.release.unwrap()
}

// holds: Betrayals by leave-one-out
#[test]
fn a_birth_date_betrays_age_in_the_clinic() {
    let folder = tempfile::tempdir().unwrap();
    let plain = Analysis::load(&clinic(), &Overrides::default()).unwrap();
    assert_eq!(
        pairs(pipeline::betrayals::of_project(&plain, &mut unwatched).unwrap().list()),
        Vec::<String>::new()
    );
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let mut born = |row: &Row| birth(random, &row["age"]);
    let analysis = project(folder.path(), &clinic(), &mut [("birthdate", &mut born)], &mut [], |text| text);
    let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
    assert_eq!(pairs(betrayals.list()), ["birthdate>age"]);
    let sentence = betrayals.list()[0].sentence();
    assert!(sentence.starts_with("`birthdate` gives `age` away: in "), "{sentence}");
    assert!(betrayals.list()[0].remedy().contains("--accept betrays:birthdate=REASON"));
    // The sentence contains no value of T.
    let values = rows(&folder.path().join("private.csv"));
    assert!(values.iter().all(|row| !sentence.contains(&row["birthdate"])), "{sentence}");
    // A written file gives the same result as its release.
    let release = spalm(&analysis);
    let max = analysis.problem().delta().max();
    let risk = pipeline::betrayals::risk(&analysis, &release, &betrayals, max).unwrap();
    assert!(risk.together.few > 0 && risk.together.rows <= 800, "{risk:?}");
    let written = folder.path().join("release.csv");
    pipeline::export::write(&analysis, &release, &written, ExportOptions::default()).unwrap();
    let read = pipeline::reading::read(&analysis, &written).unwrap();
    assert_eq!(pipeline::betrayals::risk_of_file(&analysis, &read, &betrayals, max), Some(risk.clone()));
    // Every released row fits its own person, so every row fits at least one person.
    assert_eq!(risk.together.rows, analysis.problem().histogram().total().private);
}

#[test]
fn a_coarsened_column_is_tested_by_its_labels() {
    let folder = tempfile::tempdir().unwrap();
    let random = &mut ChaCha8Rng::seed_from_u64(9);
    let mut born = |row: &Row| birth(random, &row["age"]);
    let _ = project(folder.path(), &clinic(), &mut [("birthdate", &mut born)], &mut [], |text| text);
    let births: std::collections::BTreeSet<String> =
        rows(&folder.path().join("private.csv")).into_iter().map(|row| row["birthdate"].clone()).collect();
    let line = |day: &String| {
        let half = if day.as_str() < "1980" { "before 1980" } else { "since 1980" };
        format!("{day};{};{half};*\n", &day[..4])
    };
    fs::write(folder.path().join("birth.csv"), births.iter().map(line).collect::<String>()).unwrap();
    let path = folder.path().join("project.toml");
    let text = fs::read_to_string(&path).unwrap();
    // The birth date is the last attribute.
    for (level, expected) in [(0, vec!["birthdate>age"]), (1, vec!["birthdate>age"]), (2, vec![])] {
        fs::write(&path, format!("{text}hierarchy = \"birth.csv\"\npublish = {level}\n")).unwrap();
        let analysis = Analysis::load(&path, &Overrides::default()).unwrap();
        assert_eq!(
            pairs(pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap().list()),
            expected,
            "level {level}"
        );
    }
}

// holds: Betrayals by leave-one-out
#[test]
fn the_cost_is_what_an_independent_count_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut age = |row: &Row| format!("y{}", row["age"]);
    let mut zip = |row: &Row| format!("village {}", row["zip"]);
    let added: &mut [Add] = &mut [("age_text", &mut age), ("village", &mut zip)];
    let analysis = project(folder.path(), &clinic(), added, &mut [], |text| text);
    let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
    assert_eq!(pairs(betrayals.list()), ["age_text>age", "village>zip"]);
    // Every column is `*` except the sex.
    let problem = analysis.problem();
    let mut levels = problem.lattice().top().levels().to_vec();
    let names: Vec<&str> = problem.quasi().iter().map(|quasi| quasi.name.as_str()).collect();
    let sex = names.iter().position(|name| *name == "sex").unwrap();
    levels[sex] = problem.quasi()[sex].hierarchy.base();
    let release = analysis.by_hand(problem, problem.lattice().node(&levels).unwrap());
    let max: Presence = "1/50".parse().unwrap();
    let risk = pipeline::betrayals::risk(&analysis, &release, &betrayals, max).unwrap();
    let (private, public) =
        (rows(&folder.path().join("private.csv")), rows(&folder.path().join("public.csv")));
    let counted = |columns: &[&str]| {
        let key = |row: &Row| columns.iter().map(|column| row[*column].clone()).collect::<Vec<_>>();
        let mut people: HashMap<Vec<String>, u64> = HashMap::new();
        for row in &public {
            *people.entry(key(row)).or_default() += 1;
        }
        let fits: Vec<u64> = private.iter().map(|row| people[&key(row)]).collect();
        let count = |keep: &dyn Fn(u64) -> bool| fits.iter().filter(|people| keep(**people)).count() as u64;
        Risk {
            rows: private.len() as u64,
            few: count(&|people| people < 50),
            single: count(&|people| people == 1),
        }
    };
    assert_eq!(risk.of, [counted(&["sex", "age"]), counted(&["sex", "zip"])]);
    assert_eq!(risk.together, counted(&["sex", "age", "zip"]));
    assert!(risk.together.single > 0, "{risk:?}");
}

#[test]
fn birth_year_and_schooling_betray_columns_of_adult() {
    let Some(adult) = adult("random.toml") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut first, mut second) = (ChaCha8Rng::seed_from_u64(2), ChaCha8Rng::seed_from_u64(3));
    let mut year = |row: &Row| {
        let age: i32 = row["age"].parse().unwrap();
        (1994 - age - first.random_range(0..2)).to_string()
    };
    // The project orders this column: schooling in years, as Adult has it.
    let schools = [
        "Preschool",
        "1st-4th",
        "5th-6th",
        "7th-8th",
        "9th",
        "10th",
        "11th",
        "12th",
        "HS-grad",
        "Some-college",
        "Assoc-voc",
        "Assoc-acdm",
        "Bachelors",
        "Masters",
        "Prof-school",
        "Doctorate",
    ];
    let mut schooling =
        |row: &Row| schools.iter().position(|school| *school == row["education"]).unwrap().to_string();
    let illnesses = ["flu", "asthma", "diabetes", "fracture"];
    let mut diagnosis = |row: &Row| {
        let old = row["age"].parse::<usize>().unwrap() / 30;
        illnesses[(second.random_range(0..4) + second.random_range(0..=old)) % 4].to_owned()
    };
    let added: &mut [Add] =
        &mut [("birth_year", &mut year), ("diagnosis", &mut diagnosis), ("schooling", &mut schooling)];
    let analysis = project(folder.path(), &adult, added, &mut [], |text| text);
    let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
    assert_eq!(pairs(betrayals.list()), ["birth_year>age", "schooling>education"]);
    let risk =
        pipeline::betrayals::risk(&analysis, &spalm(&analysis), &betrayals, analysis.problem().delta().max())
            .unwrap();
    assert!(risk.together.few >= risk.of[0].few.max(risk.of[1].few), "{risk:?}");
}

// holds: Betrayals by leave-one-out
#[test]
fn a_renamed_public_column_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut answers = [4, 5].map(|seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        move |_: &Row| if random.random_bool(0.5) { "yes" } else { "no" }.to_owned()
    });
    let [enrolled, citizen] = &mut answers;
    let mut origin = |row: &Row| row["nationality"].to_uppercase();
    let private: &mut [Add] = &mut [("origin", &mut origin), ("enrolled", enrolled)];
    let without = |text: String| {
        let begin = text.find("[[attribute]]\nname = \"nationality\"").unwrap();
        let end = begin + 2 + text[begin + 2..].find("[[attribute]]").unwrap();
        format!(
            "{}[[attribute]]\nname = \"nationality\"\nrole = \"withheld\"\n\n{}",
            &text[..begin],
            &text[end..]
        )
    };
    let analysis = project(folder.path(), &clinic(), private, &mut [("citizen", citizen)], without);
    let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
    let found = betrayals.list();
    assert_eq!(pairs(found), ["origin>nationality"]);
    assert_eq!(found[0].fitting, found[0].speaking, "{}", found[0].sentence());
    assert!(found[0].sentence().starts_with("`origin` gives P's column `nationality` away: "));
    assert!(found[0].remedy().contains("public_column = \"nationality\""));
    // The caution is severe.
    let cautions = caution::of_project(&analysis, &mut unwatched).unwrap().list;
    let open: Vec<String> =
        cautions.iter().filter(|caution| caution.is_open()).map(caution::Caution::name).collect();
    assert_eq!(open, ["betrays:origin"]);
    assert_eq!(analysis.attributes_of(Role::Quasi).len(), 5);
    // If every column is `*`, a row fits all people of its nation.
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().top());
    let risk = pipeline::betrayals::risk(&analysis, &release, &betrayals, "1/1000".parse().unwrap())
        .unwrap()
        .together;
    let mut people: HashMap<String, u64> = HashMap::new();
    let public = rows(&folder.path().join("public.csv"));
    for row in &public {
        *people.entry(row["nationality"].to_uppercase()).or_default() += 1;
    }
    let private = rows(&folder.path().join("private.csv"));
    let few = private.iter().filter(|row| people[&row["origin"]] < 1_000).count() as u64;
    assert_eq!((risk.rows, risk.few), (800, few));
}

/// A number that depends on several columns of a row and not on one quasi-identifier.
fn number_of(row: &Row) -> u32 {
    let columns = ["zip", "age", "sex", "education", "occupation", "nationality"];
    let text: String = columns.iter().map(|column| row[*column].as_str()).collect();
    let bits = text.bytes().fold(17_u64, |sum, byte| {
        (sum ^ u64::from(byte))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    u32::try_from(bits >> 40).unwrap() % 100_000
}

#[test]
fn a_recoded_public_column_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut unknown = move || {
        number += 1;
        number % 21 < 2
    };
    let sign = |row: &Row| number_of(row).is_multiple_of(2);
    let mut gender = |row: &Row| if sign(row) { "m" } else { "f" }.to_owned();
    let mut years =
        |row: &Row| if unknown() { "unk".to_owned() } else { (number_of(row) / 1_000).to_string() };
    let mut euro = |row: &Row| format!("{:.2}", f64::from(number_of(row)) / 1.95583);
    let mut form = |row: &Row| format!("Q-{:06}", (number_of(row) * 3 + 17));
    let mut random = ChaCha8Rng::seed_from_u64(77);
    let mut others: [ChaCha8Rng; 2] = std::array::from_fn(|_| ChaCha8Rng::seed_from_u64(random.random()));
    let [first, second] = &mut others;
    let mut dose = |_: &Row| first.random_range(0..100_000).to_string();
    let mut blood = |_: &Row| ["A", "B", "AB", "0"][second.random_range(0..4)].to_owned();
    let private: &mut [Add] = &mut [
        ("gender", &mut gender),
        ("years", &mut years),
        ("loan_eur", &mut euro),
        ("form", &mut form),
        ("dose", &mut dose),
        ("blood", &mut blood),
    ];
    let mut official = |row: &Row| if sign(row) { "Male" } else { "Female" }.to_owned();
    let mut lived = |row: &Row| (number_of(row) / 1_000).to_string();
    let mut amount = |row: &Row| number_of(row).to_string();
    let public: &mut [Add] =
        &mut [("official_gender", &mut official), ("years_lived", &mut lived), ("amount_dm", &mut amount)];
    let analysis = project(folder.path(), &clinic(), private, public, |text| text);
    let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
    let found = pairs(betrayals.list());
    for pair in ["gender>official_gender", "years>years_lived", "loan_eur>amount_dm", "form>years_lived"] {
        assert!(found.iter().any(|name| name == pair), "{pair} is not in {found:?}");
    }
    assert!(!found.iter().any(|name| name.starts_with("dose") || name.starts_with("blood")), "{found:?}");
}

#[test]
fn the_joint_cost_matches_an_independent_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut age = |row: &Row| format!("y{}", row["age"]);
    let mut gender = |row: &Row| ["m", "f"][number_of(row) as usize % 2].to_owned();
    let mut official = |row: &Row| ["Male", "Female"][number_of(row) as usize % 2].to_owned();
    let private: &mut [Add] = &mut [("age_text", &mut age), ("gender", &mut gender)];
    let analysis =
        project(folder.path(), &clinic(), private, &mut [("official_gender", &mut official)], |text| text);
    let cautions = caution::of_project(&analysis, &mut unwatched).unwrap();
    assert_eq!(pairs(cautions.betrayals.list()), ["age_text>age", "gender>official_gender"]);
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().top());
    let max: Presence = "1/110".parse().unwrap();
    let together = pipeline::betrayals::risk(&analysis, &release, &cautions.betrayals, max).unwrap().together;
    let key = |row: &Row| (row["age"].clone(), number_of(row) % 2);
    let mut people: HashMap<(String, u32), u64> = HashMap::new();
    for row in &rows(&folder.path().join("public.csv")) {
        *people.entry(key(row)).or_default() += 1;
    }
    let fits: Vec<u64> =
        rows(&folder.path().join("private.csv")).iter().map(|row| people[&key(row)]).collect();
    let count = |keep: &dyn Fn(u64) -> bool| fits.iter().filter(|people| keep(**people)).count() as u64;
    let counted = Risk {
        rows: fits.len() as u64,
        few: count(&|people| people < 110),
        single: count(&|people| people == 1),
    };
    assert_eq!(together, counted);
    assert!(0 < together.few && together.few < together.rows, "{together:?}");
    // Only the last caution about such columns has the joint figure.
    let classes = pipeline::risk::classes(&analysis, &release).unwrap();
    let facts = Facts::of_release(&analysis, &release, &classes, &cautions);
    let list = caution::of_release(&facts, &cautions);
    let betrays: Vec<&str> = list
        .iter()
        .filter(|caution| caution.key == Key::Betrays)
        .map(|caution| caution.sentence.as_str())
        .collect();
    let has_it: Vec<bool> =
        betrays.iter().map(|sentence| sentence.contains(" All of them together: ")).collect();
    assert_eq!(has_it, [false, true], "{betrays:#?}");
    let max = release.delta().max();
    let printed = pipeline::betrayals::risk(&analysis, &release, &cautions.betrayals, max)
        .unwrap()
        .together
        .sentence(max);
    assert!(betrays[1].ends_with(&format!("{printed}.")), "{betrays:#?}");
}
