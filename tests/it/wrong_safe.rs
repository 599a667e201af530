//! Tables whose verdict would be right and untrue of the people: palmtop refuses them, or says it with its figures.

use std::fs;
use std::path::PathBuf;

use crate::support::dice::Dice;
use crate::support::{self, Done};
use palmtop::caution::{self, Caution, Key};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::progress::unwatched;
use tempfile::TempDir;

/// A row of a table: the texts of its columns.
type Row = Vec<String>;

/// The project that `init --yes` proposes for two tables.
struct Pair {
    folder: TempDir,
}

impl Pair {
    fn of(public: (&str, &[Row]), private: (&str, &[Row]), roles: &[&str]) -> Self {
        let pair = Self { folder: tempfile::tempdir().unwrap() };
        for (name, (header, rows)) in [("public.csv", public), ("private.csv", private)] {
            let rows: String = rows.iter().map(|row| row.join(",") + "\n").collect();
            fs::write(pair.path(name), format!("{header}\n{rows}")).unwrap();
        }
        let mut line = "init public.csv private.csv --yes -o p.toml".to_owned();
        for role in roles {
            line.push_str(&format!(" --role {role}"));
        }
        let done = pair.run(&line);
        assert!(pair.path("p.toml").exists(), "{}", done.err);
        pair
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, line: &str) -> Done {
        support::palmtop(self.folder.path(), line.split(' '))
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name} lacks {from}:\n{text}");
        fs::write(self.path(name), text.replacen(from, to, 1)).unwrap();
    }

    /// The cautions of the project with a key.
    fn cautions(&self, key: Key) -> Vec<Caution> {
        let analysis = Analysis::load(&self.path("p.toml"), &Overrides::default()).unwrap();
        let mut list = caution::of_project(&analysis, &mut unwatched).unwrap().list;
        list.retain(|caution| caution.key == key);
        list
    }

    /// The columns and figures of the cautions with a key.
    fn figures(&self, key: Key) -> Vec<(Option<String>, String)> {
        self.cautions(key).into_iter().map(|caution| (caution.subject, caution.figure)).collect()
    }
}

/// A person: `resident`, `age`, `sex`, `zip`. Each combination has 15 people.
fn person(number: usize) -> Row {
    let (age, sex, zip) = (20 + number % 10, number / 10 % 2, number / 20 % 2);
    vec![
        format!("R{number:04}"),
        age.to_string(),
        ["F", "M"][sex].to_owned(),
        ["10115", "10117"][zip].to_owned(),
    ]
}

fn people() -> Vec<Row> {
    (0..600).map(person).collect()
}

/// 60 of the people.
fn members(dice: &mut Dice) -> Vec<Row> {
    let mut all = people();
    dice.shuffle(&mut all);
    all.truncate(60);
    all
}

/// The rows with another text at their end.
fn with(rows: &[Row], mut text: impl FnMut(&Row) -> String) -> Vec<Row> {
    rows.iter().map(|row| [row.as_slice(), &[text(row)]].concat()).collect()
}

/// The rows without their first text.
fn without_first(rows: &[Row]) -> Vec<Row> {
    rows.iter().map(|row| row[1..].to_vec()).collect()
}

#[test]
fn margins_of_counts_are_refused_until_left_out() {
    let mut rows = Vec::new();
    for age in ["20-39", "40-59", "60-79"] {
        for zip in ["10115", "10117", "10119"] {
            let counts = [40 + rows.len() % 7, 50 + rows.len() % 5];
            for (sex, people) in [("F", counts[0]), ("M", counts[1]), ("Total", counts[0] + counts[1])] {
                rows.push([age, sex, zip, &people.to_string()].map(ToOwned::to_owned).to_vec());
            }
        }
    }
    let private: Vec<Row> =
        rows.iter().filter(|row| row[1] != "Total").map(|row| row[..3].to_vec()).collect();
    let pair = Pair::of(("age,sex,zip,people", &rows), ("age,sex,zip", &private), &[]);
    // `init` proposes the count, and asks what it counts.
    let path = "path = \"public.csv\"\n";
    pair.edit("p.toml", path, &format!("{path}counts = \"people\"\n"));
    pair.run("check p.toml").expect(1, "leave_out = [\"Total\"]").expect(1, "keep_rows = [\"Total\"]");
    pair.edit("p.toml", path, &format!("{path}leave_out = [\"Total\"]\n"));
    let people: usize =
        rows.iter().filter(|row| row[1] != "Total").map(|row| row[3].parse::<usize>().unwrap()).sum();
    let checked = pair.run("check p.toml --format json");
    checked.expect(0, "");
    let analysis = Analysis::load(&pair.path("p.toml"), &Overrides::default()).unwrap();
    assert_eq!(analysis.problem().total().public, people as u64);
}

#[test]
fn members_who_are_others_in_public_are_counted() {
    for seed in 0..8 {
        let mut dice = Dice::new(seed);
        let mut private = members(&mut dice);
        let (moved, absent) = (dice.below(50), dice.below(10));
        for row in &mut private[..moved] {
            let age: usize = row[1].parse().unwrap();
            row[1] = (20 + (age - 19) % 10).to_string();
        }
        for (row, number) in private[50..50 + absent].iter_mut().zip(0..) {
            row[0] = format!("X{number:04}");
        }
        let header = "resident,age,sex,zip";
        let pair = Pair::of((header, &people()), (header, &private), &["resident=identifier"]);
        let expected = if moved + absent == 0 {
            Vec::new()
        } else {
            vec![(Some("resident".to_owned()), format!("{} of 60 members", moved + absent))]
        };
        assert_eq!(pair.figures(Key::OtherPeople), expected, "seed {seed}");
        if let [caution] = &pair.cautions(Key::OtherPeople)[..] {
            assert!(!caution.sentence.contains("R0") && !caution.sentence.contains("X0"));
            assert_eq!(caution.sentence.contains("`age`"), moved > 0);
            pair.run("anonymize p.toml --strategy n2 -o r.csv").expect(3, "other_people:resident");
        }
    }
}

/// Another caution tells of members whose quasi-identifiers nobody of P has.
#[test]
fn members_whom_public_lacks_are_no_others() {
    let header = "resident,age,sex,zip";
    for (moved, expected) in [(0, None), (3, Some("3 of 55 members"))] {
        for choice in ["drop", "add"] {
            let mut private = members(&mut Dice::new(2));
            private[..5].iter_mut().for_each(|row| row[1] = "47".to_owned());
            for row in &mut private[5..5 + moved] {
                let age: usize = row[1].parse().unwrap();
                row[1] = (20 + (age - 19) % 10).to_string();
            }
            let pair = Pair::of((header, &people()), (header, &private), &["resident=identifier"]);
            let path = "path = \"private.csv\"\n";
            pair.edit("p.toml", path, &format!("{path}not_in_public = \"{choice}\"\n"));
            let expected: Vec<_> =
                expected.iter().map(|figure| (Some("resident".to_owned()), (*figure).to_owned())).collect();
            assert_eq!(pair.figures(Key::OtherPeople), expected, "{moved} {choice}");
        }
    }
}

#[test]
fn identifiers_of_other_things_are_no_caution() {
    let mut dice = Dice::new(1);
    let mut private = members(&mut dice);
    let mut numbers: Vec<String> = private.iter().map(|row| row[0].clone()).collect();
    dice.shuffle(&mut numbers);
    private.iter_mut().zip(numbers).for_each(|(row, number)| row[0] = number);
    let header = "resident,age,sex,zip";
    let pair = Pair::of((header, &people()), (header, &private), &["resident=identifier"]);
    assert!(pair.figures(Key::OtherPeople).is_empty());
}

#[test]
fn members_who_are_in_public_again_are_counted() {
    let mut dice = Dice::new(3);
    // Not every combination has a member.
    let private: Vec<Row> = members(&mut dice).into_iter().filter(|row| row[1].as_str() < "25").collect();
    // Neither column says who is a person.
    let number = |row: &Row| row[0][1..].parse::<usize>().unwrap();
    let named = |rows: &[Row]| {
        let rows = with(rows, |row| format!("Name {}", number(row) % 25));
        without_first(&with(&rows, |row| format!("Street {}", number(row) / 25)))
    };
    let (public, again) = (named(&people()), named(&private));
    let plain = without_first(&private);
    let header = "age,sex,zip,name,street";
    let copied = [&public[..], &again, &again].concat();
    let of = |public: &[Row]| Pair::of((header, public), ("age,sex,zip", &plain), &[]);
    let expected = format!("{} rows, 3 times", private.len());
    assert_eq!(of(&copied).figures(Key::DoubledPublic), [(None, expected)]);
    let others: Vec<Row> = public.iter().filter(|row| row[0].as_str() >= "25").take(20).cloned().collect();
    for public in [public.clone(), [&public[..], &others].concat()] {
        assert!(of(&public).figures(Key::DoubledPublic).is_empty());
    }
}

#[test]
fn names_of_public_in_cells_are_counted() {
    for named in [0, 1, 7] {
        let mut dice = Dice::new(5);
        let name = |row: &Row| {
            let number: usize = row[0][1..].parse().unwrap();
            let letters = ["Ab", "Be", "Ce", "De", "El", "Fa", "Gu", "Ha", "In", "Jo"];
            let part = |place: usize| letters[number / place % 10];
            format!("{}{} {}ert", part(100), part(10), part(1))
        };
        let public = without_first(&with(&people(), name));
        let mut nth = 0;
        let private = with(&members(&mut dice), |row| {
            nth += 1;
            if nth <= named { name(row) } else { ["none", "husband", "daughter"][nth % 3].to_owned() }
        });
        let private = without_first(&private);
        let roles = ["contact=insensitive"];
        let pair = Pair::of(("age,sex,zip,name", &public), ("age,sex,zip,contact", &private), &roles);
        let expected = [(Some("contact".to_owned()), format!("{named} of {}", palmtop_rows(named)))];
        assert_eq!(pair.figures(Key::Betrays), expected[..usize::from(named > 0)]);
    }
}

fn palmtop_rows(number: usize) -> String {
    format!("{number} {}", if number == 1 { "row" } else { "rows" })
}

#[test]
fn columns_in_other_units_betray() {
    let mut dice = Dice::new(7);
    let heights: Vec<usize> = (0..600).map(|_| dice.within(150, 199)).collect();
    let height = |row: &Row| heights[row[0][1..].parse::<usize>().unwrap()];
    let public = with(&people(), |row| format!("{}.{:02}", height(row) / 100, height(row) % 100));
    let members = members(&mut dice);
    let of = |text: &dyn Fn(&Row) -> String| {
        let (public, private) = (without_first(&public), without_first(&with(&members, text)));
        let roles = ["body_length=sensitive"];
        Pair::of(("age,sex,zip,height", &public), ("age,sex,zip,body_length", &private), &roles)
            .cautions(Key::Betrays)
    };
    for factor in [10, 1] {
        let found = of(&|row: &Row| (height(row) * factor).to_string());
        let [caution] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            (caution.subject.as_deref(), caution.figure.as_str()),
            (Some("body_length"), "60 of 60 rows")
        );
    }
    // Another person's height is nobody's.
    let other = |row: &Row| heights[(row[0][1..].parse::<usize>().unwrap() * 7 + 5) % 600].to_string();
    assert!(of(&other).is_empty());
}

#[test]
fn releases_of_another_project_in_the_folder_count() {
    let mut dice = Dice::new(9);
    let (public, private) = (without_first(&people()), without_first(&members(&mut dice)));
    let pair = Pair::of(("age,sex,zip", &public), ("age,sex,zip", &private), &[]);
    pair.run("anonymize p.toml --strategy n2 -o a.csv").expect(0, "");
    fs::copy(pair.path("p.toml"), pair.path("q.toml")).unwrap();
    pair.run("check q.toml").expect(0, "").says("a.csv (p.toml)");
    // Another T is no other release.
    let text = fs::read_to_string(pair.path("private.csv")).unwrap();
    fs::write(
        pair.path("private.csv"),
        text.lines().take(40).fold(String::new(), |all, line| all + line + "\n"),
    )
    .unwrap();
    let checked = pair.run("check q.toml");
    assert!(!checked.expect(0, "").out.contains("(p.toml)"), "{}", checked.out);
}
