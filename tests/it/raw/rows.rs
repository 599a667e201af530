//! Rows that are no people: a header that is none, titles, totals, notes and the like.

use std::fs;

use super::clean::{Clean, Kind, Table};
use super::form::{Csv, Form, workbook};
use super::pair::{Asked, Pair};
use super::{at_most_one_in_100, cases};
use crate::support::dice::Dice;

/// A row that is no person, in a table.
struct Fault {
    /// What the question has to name: the line or row, and a text.
    names: Vec<String>,
    /// The lines of the file, with their ends, or the rows of the sheet.
    rows: Vec<Vec<String>>,
    /// Whether `rows` begins with the names.
    title: usize,
}

/// Draws tables until P has a column of numbers or dates, as nearly all tables have.
fn clean(dice: &mut Dice) -> Clean {
    loop {
        let clean = Clean::draw(dice);
        let is_numeric = |kind| matches!(kind, Kind::Number | Kind::Amount(_) | Kind::Date);
        if !clean.public.of_kind(is_numeric).is_empty() {
            return clean;
        }
    }
}

fn header(table: &Table) -> Vec<String> {
    table.columns.iter().map(|column| column.name.clone()).collect()
}

/// Puts a row into P or T, and looks at what is asked. `None` if all is as it has to be.
fn ask(seed: u64, dice: &mut Dice, fault: impl Fn(&Table, &mut Dice) -> Fault) -> Option<String> {
    let clean = clean(dice);
    let form = if dice.percent(70) { Form::Csv(Csv::draw(dice)) } else { Form::Workbook };
    let of_public = dice.percent(50);
    let table = if of_public { &clean.public } else { &clean.private };
    let fault = fault(table, dice);
    let pair = clean.write(form);
    let bytes = match form {
        Form::Csv(csv) => {
            let mut lines: Vec<String> = fault.rows.iter().map(|row| csv.line(row)).collect();
            if fault.title > 0 && dice.percent(50) {
                // A title often has fewer fields than the table.
                lines[0] = csv.line(&fault.rows[0][..1]);
            } else if !csv.is_told_by(&lines[0]) {
                return None;
            }
            csv.file(&lines)
        }
        _ => workbook(&fault.rows, &table.columns.iter().map(|column| column.kind).collect::<Vec<_>>()),
    };
    let file = if of_public { &pair.public } else { &pair.private };
    fs::write(pair.folder().join(file), bytes).unwrap();
    let asked = pair.init(&[]);
    let names: Vec<&str> = fault.names.iter().map(String::as_str).chain([file.as_str()]).collect();
    let wrong = match settled(&pair, &asked) {
        _ if !asked.names(&names) => format!("{names:?} are not named: {asked:?}"),
        Some(wrong) => wrong,
        None => return None,
    };
    Some(format!("case {seed}, {form:?}: {wrong}"))
}

/// The answer of `init` settles the table: `check` asks no more, and counts the rows.
fn settled(pair: &Pair, asked: &Asked) -> Option<String> {
    let project = fs::read_to_string(pair.project()).unwrap_or_default();
    let has_answer = ["header_row = ", "leave_out = ", "header = "].iter().any(|key| project.contains(key));
    (!has_answer || !asked.refusal.is_empty()).then(|| format!("not settled: {asked:?}\n{project}"))
}

#[track_caller]
fn all_are_asked(fault: impl Fn(&Table, &mut Dice) -> Fault + Copy) {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        drawn += 1;
        failed.extend(ask(seed, &mut dice, fault));
    }
    at_most_one_in_100(&failed, drawn);
}

/// The number of a row in the file, which begins with the names; lines are rows here.
fn numbered(at: usize) -> String {
    format!(" {}: ", at + 1)
}

/// Puts a row at an index of the rows of a file.
fn with(table: &Table, at: usize, row: Vec<String>, text: &str) -> Fault {
    let mut rows = vec![header(table)];
    rows.extend(table.rows.iter().cloned());
    rows.insert(at, row);
    Fault { names: vec![numbered(at), text.to_owned()], rows, title: 0 }
}

fn anywhere(table: &Table, dice: &mut Dice) -> usize {
    dice.within(1, table.rows.len() + 1)
}

fn is_numeric(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Amount(_) | Kind::Date)
}

/// A row with a text in one column, and nothing else.
fn alone(table: &Table, column: usize, text: &str) -> Vec<String> {
    (0..table.columns.len())
        .map(|index| if index == column { text.to_owned() } else { String::new() })
        .collect()
}

// holds: Doubtful rows are questions
#[test]
fn a_header_that_is_none_is_asked() {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        drawn += 1;
        let clean = clean(&mut dice);
        let form = if dice.percent(70) { Form::Csv(Csv::draw(&mut dice)) } else { Form::Workbook };
        let pair = clean.write(form);
        let kinds = |table: &Table| table.columns.iter().map(|column| column.kind).collect::<Vec<_>>();
        let bytes = |table: &Table| match form {
            Form::Csv(csv) => csv.file(&csv.lines(table)[1..]),
            _ => workbook(&table.rows, &kinds(table)),
        };
        let (file, table) =
            if dice.percent(50) { (&pair.public, &clean.public) } else { (&pair.private, &clean.private) };
        if matches!(form, Form::Csv(csv) if !csv.is_told_by(&csv.line(&table.rows[0]))) {
            continue;
        }
        fs::write(pair.folder().join(file), bytes(table)).unwrap();
        // Roles of columns that are not there are refused.
        let asked = pair.run(&[
            "init",
            "--public",
            &pair.public,
            "--private",
            &pair.private,
            "--yes",
            "--force",
            "-o",
            "project.toml",
        ]);
        let first = table.rows[0].iter().find(|text| !text.is_empty() && !text.contains('"'));
        let text = first.map_or("", |text| text.as_str());
        if !asked.names(&[file, "the names of the columns look like values", text]) {
            failed.push(format!("case {seed}: {:?} {:?}\n{asked:?}", table.columns, table.rows[0]));
        }
    }
    at_most_one_in_100(&failed, drawn);
}

#[test]
fn a_title_above_the_names_is_asked() {
    all_are_asked(|table, dice| {
        let title =
            dice.pick(&["Register 2024", "Einwohner, Stand 01.01.2024", "Table 1: people"]).to_string();
        with(table, 0, alone(table, 0, &title), &title)
    });
}

#[test]
fn the_names_once_more_are_asked() {
    all_are_asked(|table, dice| {
        let names = header(table);
        with(table, anywhere(table, dice), names.clone(), &names[0])
    });
}

#[test]
fn a_total_is_asked() {
    all_are_asked(|table, dice| {
        let word = dice.pick(&["Total", "Summe", "total:", "n = 300", "N=300"]).to_string();
        let mut row = alone(table, 0, &word);
        if dice.percent(50) && row.len() > 1 {
            let last = row.len() - 1;
            row[last] = table.rows.len().to_string();
        }
        with(table, anywhere(table, dice), row, &word)
    });
}

#[test]
fn a_row_of_units_is_asked() {
    all_are_asked(|table, dice| {
        let unit = |kind| if is_numeric(kind) { *dice.pick(&["years", "kg", "(cm)", "date"]) } else { "" };
        let row: Vec<String> =
            table.columns.iter().map(|column| column.kind).map(unit).map(ToOwned::to_owned).collect();
        let text = row.iter().find(|text| !text.is_empty()).cloned().unwrap_or_default();
        with(table, 1, row, &text)
    });
}

#[test]
fn a_note_below_is_asked() {
    all_are_asked(|table, dice| {
        let note = dice.pick(&["Source: statistical office", "* estimated", "Quelle: Amt, 2024"]).to_string();
        with(table, table.rows.len() + 1, alone(table, 0, &note), &note)
    });
}

#[test]
fn a_note_for_spreadsheets_is_asked() {
    for (seed, mut dice) in cases() {
        let clean = clean(&mut dice);
        let csv = Csv { separator: *dice.pick(&[',', ';']), has_mark: false, ..Csv::draw(&mut dice) };
        let pair = clean.write(Form::Csv(csv));
        let path = pair.folder().join(&pair.public);
        let text = format!("sep={}\n{}", csv.separator, fs::read_to_string(&path).unwrap());
        fs::write(path, text).unwrap();
        let asked = pair.init(&[]);
        assert!(asked.names(&["public.csv", "line 1", "sep="]), "case {seed}: {asked:?}");
        assert_eq!(settled(&pair, &asked), None, "case {seed}");
    }
}

#[test]
fn all_stray_quotes_are_named_at_once() {
    for (seed, mut dice) in cases() {
        let clean = clean(&mut dice);
        let csv = Csv { quotes_all: false, ..Csv::draw(&mut dice) };
        let mut lines = csv.lines(&clean.public);
        let count = dice.within(21, 39);
        for line in &mut lines[1..=count] {
            *line = format!("x\"y{}", line.trim_start_matches('"'));
        }
        let pair = clean.write(Form::Csv(csv));
        fs::write(pair.folder().join(&pair.public), csv.file(&lines)).unwrap();
        let asked = pair.init(&[]);
        let more = format!("and {} more", count - 20);
        let all = format!("{count} lines cannot be read");
        assert!(asked.names(&["public.csv", &all, "line 2: ", "line 21: ", &more]), "case {seed}: {asked:?}");
    }
}

/// What nobody answered is refused by `verify` and `palmtop-verify`, which read the files themselves.
// holds: Doubtful rows are questions
#[test]
fn both_verifiers_refuse_what_nobody_answered() {
    for (seed, mut dice) in cases().take(5) {
        let clean = clean(&mut dice);
        let pair = clean.write(Form::Csv(Csv::PLAIN));
        pair.init(&[]);
        let names = header(&clean.private);
        let numeric = clean.public.columns.iter().find(|column| is_numeric(column.kind)).unwrap();
        let row: Vec<String> =
            names.iter().map(|name| if *name == numeric.name { "Total" } else { "" }.to_owned()).collect();
        let path = pair.folder().join(&pair.private);
        let text = fs::read_to_string(&path).unwrap() + &Csv::PLAIN.line(&row);
        fs::write(path, text).unwrap();
        fs::write(pair.folder().join("release.csv"), "x\n").unwrap();
        let line = format!("line {}", clean.private.rows.len() + 2);
        for command in [&["check", "project.toml"][..], &["verify", "project.toml", "release.csv"]] {
            let asked = pair.run(command);
            assert!(asked.names(&["private.csv", &line, "Total", "leave_out"]), "case {seed}: {asked:?}");
        }
        let spec =
            palmtop::verify::VerifySpec::of_project(&pair.project(), palmtop::verify::OtherDelta::default())
                .unwrap();
        let error =
            palmtop::verify::verify(&spec, &pair.folder().join("release.csv")).unwrap_err().to_string();
        assert!(
            error.contains(&line) && error.contains("Total") && error.contains("keep_rows"),
            "case {seed}: {error}"
        );
    }
}
