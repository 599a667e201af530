//! Dates in every form and container, and faults in them.

use polars::prelude::*;

use super::clean::{Clean, Kind, Table};
use super::form::{Csv, Form, days};
use super::pair::{Asked, Pair};
use super::{at_most_one_in_100, cases};
use crate::support;
use crate::support::dice::Dice;

/// A form of dates: the pattern that `init` proposes, and how a day is written.
type Written = (&'static str, fn([&str; 3]) -> String);

fn month(number: &str, names: &'static str) -> &'static str {
    names.split(' ').nth(number.parse::<usize>().unwrap() - 1).unwrap()
}

const ENGLISH: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
const GERMAN: &str = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember";
const FRENCH: &str = "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.";
const SPANISH: &str =
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre";

/// Forms whose texts decide everything.
const FORMS: [Written; 18] = [
    ("%d.%m.%Y", |[y, m, d]| format!("{d}.{m}.{y}")),
    ("%m/%d/%Y", |[y, m, d]| format!("{}/{}/{y}", m.trim_start_matches('0'), d.trim_start_matches('0'))),
    ("%d-%m-%Y", |[y, m, d]| format!("{d}-{m}-{y}")),
    ("%Y/%m/%d", |[y, m, d]| format!("{y}/{m}/{d}")),
    ("%Y%m%d", |[y, m, d]| format!("{y}{m}{d}")),
    ("%Y/%m/%d %H:%M", |[y, m, d]| {
        format!("{y}/{}/{} 0:00", m.trim_start_matches('0'), d.trim_start_matches('0'))
    }),
    ("%Y-%m-%d %H:%M:%S", |[y, m, d]| format!("{y}-{m}-{d} 00:00:00")),
    ("%Y-%m-%d %H:%M:%S%.f", |[y, m, d]| format!("{y}-{m}-{d} 00:00:00.000000")),
    ("%Y-%m-%dT%H:%M:%S+09:00", |[y, m, d]| format!("{y}-{m}-{d}T00:00:00+09:00")),
    ("%Y-%m-%dT%H:%M:%S%.fZ", |[y, m, d]| format!("{y}-{m}-{d}T23:00:00.000Z")),
    ("%m/%d/%Y %I:%M:%S %p", |[y, m, d]| format!("{m}/{d}/{y} 12:00:00 AM")),
    ("%d-%b-%Y", |[y, m, d]| format!("{d}-{}-{y}", month(m, ENGLISH))),
    ("%d. %b %Y", |[y, m, d]| format!("{d}. {} {y}", month(m, GERMAN))),
    ("%d %b %Y", |[y, m, d]| format!("{d} {} {y}", month(m, FRENCH))),
    ("%d de %b de %Y", |[y, m, d]| format!("{d} de {} de {y}", month(m, SPANISH))),
    ("%b %d, %Y", |[y, m, d]| format!("{} {d}, {y}", month(m, ENGLISH))),
    ("%d%b%Y", |[y, m, d]| format!("{d}{}{y}", month(m, ENGLISH).to_uppercase())),
    ("%Y年%m月%d日", |[y, m, d]| format!("{y}年{m}月{d}日")),
];

/// Forms with years of two digits: one question.
const SHORT: [Written; 3] = [
    ("%d.%m.%y", |[y, m, d]| format!("{d}.{m}.{}", &y[2..])),
    ("%m/%d/%y", |[y, m, d]| format!("{m}/{d}/{}", &y[2..])),
    ("%d-%b-%y", |[y, m, d]| format!("{d}-{}-{}", month(m, ENGLISH), &y[2..])),
];

/// Clean tables with a column of births.
fn births(dice: &mut Dice) -> Clean {
    loop {
        let mut clean = Clean::draw(dice);
        let dates = clean.public.of_kind(|kind| kind == Kind::Date);
        let has_empty =
            |table: &Table| table.rows.iter().any(|row| dates.iter().any(|&at| row[at].is_empty()));
        if dates.len() == 1 && clean.private.rows.len() >= 20 && !has_empty(&clean.public) {
            for table in [&mut clean.public, &mut clean.private] {
                for column in table.columns.iter_mut().filter(|column| column.kind == Kind::Date) {
                    "born".clone_into(&mut column.name);
                }
            }
            return clean;
        }
    }
}

/// Changes the text of each date; `change` has the number of the row.
fn rewrite(table: &mut Table, mut change: impl FnMut(usize, &str) -> String) {
    let born = table.find("born").unwrap();
    for (nth, row) in table.rows.iter_mut().enumerate() {
        row[born] = change(nth, &row[born]);
    }
}

fn written(day: &str, form: Written) -> String {
    let parts: Vec<&str> = day.split('-').collect();
    form.1([parts[0], parts[1], parts[2]])
}

const CONTAINERS: [Form; 3] = [Form::Csv(Csv::PLAIN), Form::Parquet { typed: false }, Form::Workbook];

/// A table as Parquet or Arrow, with births as timestamps at midnight of their zone. The library
/// writes zones other than UTC into Arrow files alone.
fn timestamps(table: &Table, (unit, zone): (TimeUnit, Option<&str>), is_arrow: bool) -> Vec<u8> {
    let hours: i64 = if zone.is_some_and(|zone| zone != "UTC") { 9 } else { 0 };
    let per_hour = match unit {
        TimeUnit::Milliseconds => 3_600_000,
        TimeUnit::Microseconds => 3_600_000_000,
        TimeUnit::Nanoseconds => 3_600_000_000_000,
    };
    let columns = table.columns.iter().enumerate().map(|(index, column)| {
        let name = PlSmallStr::from(column.name.as_str());
        if column.name != "born" {
            return Column::new(name, table.rows.iter().map(|row| row[index].as_str()).collect::<Vec<_>>());
        }
        let moments = table.rows.iter().map(|row| (i64::from(days(&row[index])) * 24 - hours) * per_hour);
        let zone = TimeZone::opt_try_new(zone).unwrap();
        Int64Chunked::from_vec(name, moments.collect()).into_datetime(unit, zone).into_column()
    });
    let mut frame = DataFrame::new(table.rows.len(), columns.collect()).unwrap();
    let mut bytes = Vec::new();
    if is_arrow {
        IpcWriter::new(&mut bytes).finish(&mut frame).unwrap();
    } else {
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
    }
    bytes
}

/// Checks that `init` and its proposed answers lead to a release, which is verified, with the days of T.
#[track_caller]
fn reaches_a_release(pair: &Pair, questions: usize, what: &str) {
    let asked = pair.init(&[]);
    let project = std::fs::read_to_string(pair.project()).unwrap_or_default();
    assert!(asked.questions.len() == questions && asked.refusal.is_empty(), "{what}: {asked:?}\n{project}");
    let release = pair.folder().join("release.csv");
    let arguments =
        ["anonymize", "project.toml", "--strategy", "n2", "--delta-max", "0.99", "-o", "release.csv"];
    let done = support::palmtop(pair.folder(), arguments);
    assert!(done.status == 0 && release.exists(), "{what}: {}", done.err);
    let done =
        support::palmtop(pair.folder(), ["verify", "project.toml", "release.csv", "--delta-max", "0.99"]);
    assert_eq!(done.status, 0, "{what}: {}", done.err);
}

#[test]
fn every_form_of_dates_reaches_a_release() {
    let mut dice = Dice::new(1);
    let clean = births(&mut dice);
    for (form, questions) in FORMS.iter().map(|form| (form, 0)).chain(SHORT.iter().map(|form| (form, 1))) {
        for container in CONTAINERS {
            let mut clean = clean.clone();
            rewrite(&mut clean.public, |_, day| written(day, *form));
            let pair = as_texts(clean).write(container);
            let what = format!("{} {}", form.0, pair.public);
            reaches_a_release(&pair, questions, &what);
            let project = std::fs::read_to_string(pair.project()).unwrap();
            let is_cell = project.contains("%H:%M:%S") || container == Form::Workbook;
            assert!(project.contains(form.0) || is_cell, "{what}: {project}");
        }
    }
}

#[test]
fn timestamps_and_cells_reach_a_release() {
    let clean = births(&mut Dice::new(2));
    for unit in [TimeUnit::Milliseconds, TimeUnit::Microseconds, TimeUnit::Nanoseconds] {
        for zone in [None, Some("UTC"), Some("+09:00"), Some("Asia/Tokyo")] {
            for is_arrow in [true, false] {
                if !is_arrow && zone.is_some_and(|zone| zone != "UTC") {
                    continue;
                }
                let public = timestamps(&clean.public, (unit, zone), is_arrow);
                let private = timestamps(&clean.private, (unit, None), is_arrow);
                let ending = if is_arrow { "arrow" } else { "parquet" };
                let pair = Pair::new(public, private, ending, &clean.private);
                reaches_a_release(&pair, 0, &format!("{unit:?} {zone:?} {ending}"));
            }
        }
    }
    // Cells with a time, and cells at midnight, which have none.
    let mut clean = clean;
    rewrite(
        &mut clean.public,
        |nth, day| if nth % 3 == 0 { day.to_owned() } else { format!("{day}T12:30:00") },
    );
    reaches_a_release(&clean.write(Form::Workbook), 0, "workbook");
}

/// Looks at one fault of each case; `fault` gives the texts that palmtop must name.
fn each_fault(fault: impl Fn(&mut Dice, &mut Clean) -> Vec<String>) {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        let mut clean = births(&mut dice);
        let named = fault(&mut dice, &mut clean);
        let asked = as_texts(clean).write(container(&mut dice)).init(&[]);
        drawn += 1;
        if !asked.names(&named.iter().map(String::as_str).collect::<Vec<_>>()) {
            failed.push(format!("case {seed}: {named:?} {asked:?}"));
        }
    }
    at_most_one_in_100(&failed, drawn);
}

/// A container in which dates are texts.
fn container(dice: &mut Dice) -> Form {
    match Form::draw(dice) {
        Form::Parquet { .. } => Form::Parquet { typed: false },
        form => form,
    }
}

/// The same tables, with dates that a workbook has as texts.
fn as_texts(mut clean: Clean) -> Clean {
    for table in [&mut clean.public, &mut clean.private] {
        for column in table.columns.iter_mut().filter(|column| column.kind == Kind::Date) {
            column.kind = Kind::Category;
        }
    }
    clean
}

fn any_form(dice: &mut Dice) -> Written {
    if dice.percent(20) { ("%Y-%m-%d", |[y, m, d]| format!("{y}-{m}-{d}")) } else { *dice.pick(&FORMS) }
}

#[test]
fn an_odd_text_among_dates_is_named() {
    each_fault(|dice, clean| {
        let form = any_form(dice);
        let odd =
            *dice.pick(&["1950-00-00", "29.02.1900", "unbekannt", "about 1950", "00/00/0000", "x", "1950"]);
        let share = dice.within(1, 15);
        let in_private = dice.percent(50);
        for (table, has_odd) in [(&mut clean.public, true), (&mut clean.private, in_private)] {
            rewrite(table, |_, day| written(day, form));
            let born = table.find("born").unwrap();
            let first = dice.below(table.rows.len());
            for (nth, row) in table.rows.iter_mut().enumerate().filter(|_| has_odd) {
                if nth == first || dice.percent(share) {
                    row[born] = odd.to_owned();
                }
            }
        }
        vec![format!("{odd:?}")]
    });
}

#[test]
fn an_odd_text_among_numbers_is_named() {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        let mut clean = Clean::draw(&mut dice);
        let public = &clean.public;
        let distinct = |at: &usize| {
            let texts: std::collections::BTreeSet<&String> =
                public.rows.iter().map(|row| &row[*at]).collect();
            texts.len()
        };
        let numbers = public.of_kind(|kind| matches!(kind, Kind::Number | Kind::Amount(_)));
        let Some(&at) = numbers.iter().find(|at| distinct(at) > 10) else { continue };
        let odd = *dice.pick(&["n/k", "not asked", "see file", "x", "12 or 13", "~40"]);
        let rows = clean.public.rows.len();
        clean.public.rows[dice.below(rows)][at] = odd.to_owned();
        let asked = clean.write(Form::Csv(Csv::draw(&mut dice))).init(&[]);
        drawn += 1;
        if !asked.names(&[&format!("{odd:?}")]) {
            failed.push(format!("case {seed}: {odd} {asked:?}"));
        }
    }
    at_most_one_in_100(&failed, drawn);
}

#[test]
fn years_of_two_digits_are_asked() {
    each_fault(|dice, clean| {
        let form = *dice.pick(&SHORT);
        let both = dice.percent(60);
        rewrite(&mut clean.public, |_, day| written(day, form));
        if both {
            rewrite(&mut clean.private, |_, day| written(day, form));
        }
        vec!["years".to_owned(), "two digits".to_owned(), "from".to_owned()]
    });
}

#[test]
fn an_ambiguous_date_order_is_asked() {
    each_fault(|dice, clean| {
        let mark = *dice.pick(&["/", "-"]);
        let is_first = dice.percent(50);
        let write = |day: &str, is_first: bool| {
            let parts: Vec<&str> = day.split('-').collect();
            let (first, second) = if is_first { (parts[2], parts[1]) } else { (parts[1], parts[2]) };
            [first, second, parts[0]].join(mark)
        };
        // T has days up to 12 only, and keeps one of them that is not the month.
        let born = clean.private.find("born").unwrap();
        clean.private.rows.retain(|row| row[born][8..].parse::<u32>().unwrap() <= 12);
        if clean.private.rows.is_empty()
            || clean.private.rows.iter().all(|row| row[born][5..7] == row[born][8..])
        {
            let mut row = clean.public.rows[0].clone();
            let at = clean.public.find("born").unwrap();
            row[at] = "1950-05-06".to_owned();
            clean.public.rows.push(row);
            let mut row = vec![String::from("x"); clean.private.columns.len()];
            row[born] = "1950-05-06".to_owned();
            clean.private.rows.push(row);
        }
        rewrite(&mut clean.public, |_, day| write(day, is_first));
        let of_private = if dice.percent(70) { is_first } else { !is_first };
        rewrite(&mut clean.private, |_, day| write(day, of_private));
        vec![format!("%d{mark}%m{mark}%Y"), format!("%m{mark}%d{mark}%Y")]
    });
}

#[test]
fn several_zones_are_asked() {
    each_fault(|dice, clean| {
        let zones = ["+01:00", "+02:00", "Z", "-05:00"];
        for table in [&mut clean.public, &mut clean.private] {
            let of: Vec<&str> = table.rows.iter().map(|_| *dice.pick(&zones)).collect();
            rewrite(table, |nth, day| format!("{day}T00:00:00{}", of[nth]));
        }
        vec!["zones".to_owned(), "%z".to_owned()]
    });
}

#[test]
fn clean_dates_in_any_form_are_asked_nothing() {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        let mut clean = births(&mut dice);
        let forms = [any_form(&mut dice), any_form(&mut dice)];
        rewrite(&mut clean.public, |_, day| written(day, forms[0]));
        rewrite(&mut clean.private, |_, day| written(day, forms[1]));
        let asked: Asked = as_texts(clean).write(container(&mut dice)).init(&[]);
        drawn += 1;
        if !asked.is_nothing() {
            failed.push(format!("case {seed}: {} {} {asked:?}", forms[0].0, forms[1].0));
        }
    }
    at_most_one_in_100(&failed, drawn);
}

#[test]
fn births_after_the_release_stop_it() {
    let mut clean = births(&mut Dice::new(3));
    for table in [&mut clean.public, &mut clean.private] {
        rewrite(table, |_, day| written(day, SHORT[0]));
    }
    let pair = as_texts(clean).write(CONTAINERS[0]);
    pair.init(&[]);
    let project = std::fs::read_to_string(pair.project()).unwrap();
    let date = project.lines().find(|line| line.starts_with("date = {")).unwrap();
    // Without the first year nothing is read; the message has the line to write.
    pair.edit(date, "date = \"%d.%m.%y\"");
    support::palmtop(pair.folder(), ["check", "project.toml"]).expect(1, "from = 1930 }`");
    pair.edit("date = \"%d.%m.%y\"", "date = { like = \"%d.%m.%y\", from = 2100 }");
    let made = ["anonymize", "project.toml", "--strategy", "n2", "--delta-max", "0.99", "-o", "release.csv"];
    support::palmtop(pair.folder(), made).expect(3, "future_birth:born");
    let accepted = ["--accept", "future_birth:born=The years of this test are in the future."];
    support::palmtop(pair.folder(), [&made[..], &accepted[..]].concat()).expect(0, "");
    let verify = ["verify", "project.toml", "release.csv", "--delta-max", "0.99", "--format", "json"];
    let is_told = |done: support::Done| done.out.contains("future_birth");
    assert!(is_told(support::palmtop(pair.folder(), verify)));
    // The day is that of the history, not of the clock.
    let register = pair.folder().join("project.history.toml");
    let entry = std::fs::read_to_string(&register).unwrap();
    let year = entry.split("at = \"").nth(1).unwrap()[..4].to_owned();
    std::fs::write(&register, entry.replace(&format!("at = \"{year}"), "at = \"2300")).unwrap();
    assert!(!is_told(support::palmtop(pair.folder(), verify)));
}
