//! Numbers: two texts of one number, open bands, exact numbers beside bands, other blanks and minus signs.

use super::clean::{Clean, Kind, Table};
use super::form::{Csv, Form};
use super::pair::{Asked, Pair};
use super::{at_most_one_in_100, cases};
use crate::support::dice::Dice;

/// Clean tables that have a column of whole numbers, with the dice of their case.
fn drawn() -> impl Iterator<Item = (u64, Dice, Clean, usize)> {
    cases().filter_map(|(seed, mut dice)| {
        let mut clean = Clean::draw(&mut dice);
        for _ in 0..20 {
            // A column of `children` may have two values only.
            let column = clean.public.of_kind(|kind| kind == Kind::Number).into_iter().find(|&column| {
                let mut values: Vec<&String> = clean.public.rows.iter().map(|row| &row[column]).collect();
                values.sort();
                values.dedup();
                values.len() > 6
            });
            if let Some(column) = column {
                return Some((seed, dice, clean, column));
            }
            clean = Clean::draw(&mut dice);
        }
        None
    })
}

/// The same column in T.
fn in_private(clean: &Clean, column: usize) -> usize {
    clean.private.find(&clean.public.columns[column].name).unwrap()
}

/// Changes cells of a column in both tables.
fn change(clean: &mut Clean, column: usize, mut of: impl FnMut(&str) -> String) {
    let private = in_private(clean, column);
    for (table, column) in [(&mut clean.public, column), (&mut clean.private, private)] {
        for row in &mut table.rows {
            if !row[column].is_empty() {
                row[column] = of(&row[column]);
            }
        }
        // A typed file has no such texts.
        table.columns[column].kind = Kind::Category;
    }
}

fn write(clean: &Clean, dice: &mut Dice) -> Pair {
    clean.write(Form::draw(dice))
}

/// A number that several rows of P have.
fn frequent(table: &Table, column: usize, dice: &mut Dice) -> String {
    let values: Vec<&String> =
        table.rows.iter().map(|row| &row[column]).filter(|text| !text.is_empty()).collect();
    let often: Vec<&&String> =
        values.iter().filter(|text| values.iter().filter(|other| *other == *text).count() > 1).collect();
    (**dice.pick(&often)).clone()
}

#[test]
fn two_texts_of_one_number_are_asked() {
    for (seed, mut dice, mut clean, column) in drawn() {
        let value = frequent(&clean.public, column, &mut dice);
        let other = match dice.below(4) {
            0 => format!("{value}.0"),
            1 => format!("{value}.00"),
            2 => format!("0{value}"),
            _ => format!("+{value}"),
        };
        let row = clean.public.rows.iter().position(|row| row[column] == value).unwrap();
        clean.public.rows[row][column].clone_from(&other);
        change(&mut clean, column, ToOwned::to_owned);
        let pair = write(&clean, &mut dice);
        let asked = pair.init(&[]);
        assert!(
            asked.names(&["the same number", &format!("{value:?}"), &format!("{other:?}")]),
            "{seed}: {asked:?}"
        );
        // Without the answer, nothing is checked.
        let name = &clean.public.columns[column].name;
        let project = std::fs::read_to_string(pair.project()).unwrap();
        let without: Vec<&str> = project
            .lines()
            .filter(|line| !line.starts_with("number = ") && !line.starts_with("kind = \"number\""))
            .collect();
        std::fs::write(pair.project(), without.join("\n")).unwrap();
        let refused = pair.run(&["check", "project.toml"]);
        let quoted = format!("{other:?}");
        // No hierarchy of numbers has a value with a plus sign.
        let texts: &[&str] = match other.strip_prefix('+') {
            None => &["same number", &quoted, "kind = \"category\"", "number = \"1234.5\"", name],
            Some(_) => &["plus sign", &quoted, "number = \"1234.5\"", name],
        };
        assert!(refused.names(texts), "{seed}: {refused:?}");
    }
}

#[test]
fn open_bands_are_asked_and_released() {
    for (seed, mut dice, mut clean, column) in drawn() {
        let mut numbers: Vec<u64> =
            clean.public.rows.iter().filter_map(|row| row[column].parse().ok()).collect();
        numbers.sort_unstable();
        let bound = numbers[numbers.len() * 4 / 5];
        let forms = ["{}+", "≥ {}", ">= {}", "{} or older", "{} und älter", ">={}"];
        let text = (*dice.pick(&forms)).replace("{}", &bound.to_string());
        let only_public = dice.percent(30);
        let private = in_private(&clean, column);
        let exact: Vec<String> = clean.private.rows.iter().map(|row| row[private].clone()).collect();
        change(&mut clean, column, |value| match value.parse::<u64>() {
            Ok(number) if number >= bound => text.clone(),
            _ => value.to_owned(),
        });
        if only_public {
            for (row, value) in clean.private.rows.iter_mut().zip(exact) {
                row[private] = value;
            }
        }
        let pair = write(&clean, &mut dice);
        let asked = pair.init(&[]);
        assert!(asked.names(&[&format!("{text:?}"), "open band", "row(s) of P"]), "{seed}: {asked:?}");
        let done = pair.run(&["check", "project.toml"]);
        assert!(done.refusal.is_empty(), "{seed}: {done:?}");
    }
}

#[test]
fn blanks_and_minus_signs_are_numbers() {
    let mut failed = Vec::new();
    let mut count = 0;
    for (seed, mut dice, mut clean, column) in drawn() {
        let mark = *dice.pick(&['\u{a0}', '\u{202f}', '\u{2009}']);
        let is_minus = dice.percent(30);
        change(&mut clean, column, |value| match value.parse::<u64>() {
            Ok(number) if is_minus && number > 0 => format!("\u{2212}{value}"),
            Ok(number) if number > 0 => format!("{}{mark}{:03},5", number + 1, (number * 37) % 1000),
            Ok(_) | Err(_) => value.to_owned(),
        });
        let pair = write(&clean, &mut dice);
        let asked = pair.init(&[]);
        let project = std::fs::read_to_string(pair.project()).unwrap_or_default();
        count += 1;
        if !asked.is_nothing() || !project.contains("number = \"1") {
            failed.push(format!("case {seed}: {asked:?}"));
        }
    }
    at_most_one_in_100(&failed, count);
}

#[test]
fn counts_with_thousands_are_read() {
    for (seed, mut dice, mut clean, column) in drawn() {
        let mark = *dice.pick(&[",", ".", " ", "\u{202f}", "'"]);
        let _ = column;
        if let Some(identifier) = clean.public.of_kind(|kind| kind == Kind::Identifier).first() {
            clean.public.columns.remove(*identifier);
            clean.public.rows.iter_mut().for_each(|row| drop(row.remove(*identifier)));
        }
        clean.public.rows.sort();
        clean.public.rows.dedup();
        clean.public.columns.push(super::clean::Column { name: "people".to_owned(), kind: Kind::Category });
        for (nth, row) in clean.public.rows.iter_mut().enumerate() {
            row.push(if nth % 3 == 0 {
                format!("1{mark}0{}3", nth % 10)
            } else {
                (100 + nth % 800).to_string()
            });
        }
        let csv = Csv { separator: ';', ..Csv::PLAIN };
        let pair = clean.write(Form::Csv(csv));
        let asked: Asked = pair.init(&[]);
        let project = std::fs::read_to_string(pair.project()).unwrap_or_default();
        assert!(project.contains("count = { column = \"people\", number = \"1"), "{seed}: {asked:?}");
        assert!(asked.refusal.contains("counts = \"people\""), "{seed}: {asked:?}");
        let plain = "count = \"people\"\ncounts = \"people\"";
        let line = project.lines().find(|line| line.starts_with("count = ")).unwrap();
        std::fs::write(pair.project(), project.replace(line, plain)).unwrap();
        let refused = pair.run(&["check", "project.toml"]);
        assert!(refused.names(&["people", "number = \"1", "row"]), "{seed}: {refused:?}");
    }
}

#[test]
fn bands_beside_exact_numbers_are_asked() {
    for (seed, mut dice, mut clean, column) in drawn() {
        let width = *dice.pick(&[5_u64, 10]);
        let form = *dice.pick(&["{} to {}", "{}-{}", "{} bis {}", "{} – {}"]);
        let band = |value: &str| match value.parse::<u64>() {
            Ok(number) => {
                let low = number / width * width;
                form.replacen("{}", &low.to_string(), 1).replacen("{}", &(low + width - 1).to_string(), 1)
            }
            Err(_) => value.to_owned(),
        };
        // Each band occurs.
        let numbers: Vec<u64> = clean.public.rows.iter().filter_map(|row| row[column].parse().ok()).collect();
        let (low, high) = (*numbers.iter().min().unwrap(), *numbers.iter().max().unwrap());
        for number in (low..=high).step_by(2) {
            let mut row = clean.public.rows[0].clone();
            row[column] = number.to_string();
            if let Some(identifier) = clean.public.of_kind(|kind| kind == Kind::Identifier).first() {
                row[*identifier] = format!("new-{number}");
            }
            clean.public.rows.push(row);
        }
        if high / width == low / width {
            continue;
        }
        let is_reversed = dice.percent(25);
        let private = in_private(&clean, column);
        let table = if is_reversed { &mut clean.private } else { &mut clean.public };
        let index = if is_reversed { private } else { column };
        for row in &mut table.rows {
            row[index] = band(&row[index]);
        }
        table.columns[index].kind = Kind::Category;
        let is_wide = !is_reversed || {
            let mut bands: Vec<&String> = clean.private.rows.iter().map(|row| &row[private]).collect();
            bands.sort();
            bands.dedup();
            bands.iter().filter(|text| !text.is_empty()).count() > 1
        };
        if !is_wide {
            continue;
        }
        let pair = write(&clean, &mut dice);
        let asked = pair.init(&[]);
        if is_reversed {
            assert!(asked.names(&["T has bands of numbers, and P exact numbers"]), "{seed}: {asked:?}");
            continue;
        }
        let rows = clean.private.rows.len();
        assert!(asked.names(&["public_level = 1", &format!("of {rows} row(s) of T")]), "{seed}: {asked:?}");
        let done = pair.run(&["check", "project.toml"]);
        assert!(done.refusal.is_empty(), "{seed}: {done:?}");
    }
}

#[test]
fn missing_codes_are_noted() {
    for (seed, mut dice, mut clean, column) in drawn() {
        let code = *dice.pick(&["999", "-9", "-99", "9999"]);
        let value = frequent(&clean.public, column, &mut dice);
        let people = clean.public.rows.iter().filter(|row| row[column] == value).count();
        change(&mut clean, column, |text| if text == value { code.to_owned() } else { text.to_owned() });
        let pair = write(&clean, &mut dice);
        pair.init(&[]);
        let noted = crate::support::palmtop(pair.folder(), ["check", "project.toml"]).out;
        let text = format!("{code:?} ({people} people of P)");
        assert!(noted.contains(&text), "{seed}: {text}: {noted}");
    }
}
