//! Texts that read like labels of a release, and texts that look like another one.

use super::clean::{Clean, Kind};
use super::form::Form;
use super::pair::Pair;
use super::{at_most_one_in_100, cases};
use crate::support::dice::Dice;

/// Clean tables with a column of words, and the index of that column in P and in T.
fn drawn() -> impl Iterator<Item = (u64, Dice, Clean, [usize; 2])> {
    cases().filter_map(|(seed, mut dice)| {
        let clean = Clean::draw(&mut dice);
        let column = *clean.public.of_kind(|kind| kind == Kind::Category).first()?;
        let private = clean.private.find(&clean.public.columns[column].name)?;
        Some((seed, dice, clean, [column, private]))
    })
}

/// Changes each value of the column in P, in T, or in both.
fn change(clean: &mut Clean, columns: [usize; 2], tables: &[usize], of: impl Fn(&str) -> String) {
    let Clean { public, private } = clean;
    for (index, table) in
        [public, private].into_iter().enumerate().filter(|(index, _)| tables.contains(index))
    {
        for row in &mut table.rows {
            row[columns[index]] = of(&row[columns[index]]);
        }
    }
}

/// A text of a column that P and T have.
fn shared(clean: &Clean, [public, private]: [usize; 2]) -> String {
    let has = |text: &&String| !text.is_empty() && clean.public.rows.iter().any(|row| row[public] == **text);
    clean.private.rows.iter().map(|row| &row[private]).find(has).cloned().unwrap_or_default()
}

/// Whether the project is read by `check`, and by a release that is verified.
fn is_released(pair: &Pair) -> bool {
    let made =
        pair.run(&["anonymize", "project.toml", "--strategy", "n1", "--delta-max", "1", "-o", "out.csv"]);
    // Random tables may have a severe caution, or no release.
    !made.refusal.contains("reads as a") && !made.refusal.contains("one set of values")
}

// holds: Doubtful rows are questions
#[test]
fn a_value_like_a_label_is_asked_once() {
    let (mut failed, mut drawn_cases) = (Vec::new(), 0);
    for (seed, mut dice, mut clean, columns) in drawn() {
        let like = *dice.pick(&["*", "[redacted]", "{a, b}", "all except {Wien}", "[30, 39]", "[]"]);
        let value = shared(&clean, columns);
        change(
            &mut clean,
            columns,
            &[0, 1],
            |text| if text == value { like.to_owned() } else { text.to_owned() },
        );
        let name = clean.public.columns[columns[0]].name.clone();
        let pair = clean.write(Form::draw(&mut dice));
        let asked = pair.init(&[]);
        drawn_cases += 1;
        let about = asked.questions.iter().filter(|open| open.text.contains("of a release"));
        let is_of = about.clone().all(|open| open.attribute.as_deref() == Some(&name));
        if about.count() != 1 || !is_of || !asked.refusal.is_empty() || !is_released(&pair) {
            failed.push(format!("case {seed} ({like}, {}): {asked:?}", pair.public));
        }
    }
    at_most_one_in_100(&failed, drawn_cases);
}

/// Characters that are not seen, and other signs of one look.
fn other_look(text: &str, kind: usize) -> String {
    match kind {
        0 => format!("\u{feff}{text}"),
        1 => format!("{text}\u{200b}"),
        _ => text.replace(' ', "\u{a0}").replace('-', "\u{2010}").replace('ö', "o\u{308}"),
    }
}

#[test]
fn texts_that_look_alike_are_mapped_and_named() {
    let (mut failed, mut drawn_cases) = (Vec::new(), 0);
    for (seed, mut dice, mut clean, columns) in drawn() {
        let kind = dice.below(3);
        let is_changed = |clean: &Clean| {
            clean.private.rows.iter().any(|row| other_look(&row[columns[1]], kind) != row[columns[1]])
        };
        if !is_changed(&clean) {
            continue;
        }
        change(&mut clean, columns, &[1], |text| match text {
            "" => String::new(),
            text => other_look(text, kind),
        });
        let pair = clean.write(Form::draw(&mut dice));
        let asked = pair.init(&[]);
        drawn_cases += 1;
        if !asked.names(&["other code points (U+", "`values` maps"]) || !asked.refusal.is_empty() {
            failed.push(format!("case {seed} ({kind}, {}): {asked:?}", pair.public));
            continue;
        }
        // Without the map, `check` says what differs and which line to write.
        let project = std::fs::read_to_string(pair.project()).unwrap();
        let without: Vec<&str> = project.lines().filter(|line| !line.contains("values = ")).collect();
        std::fs::write(pair.project(), without.join("\n")).unwrap();
        let refused = pair.run(&["check", "project.toml"]);
        if !refused.names(&["look", "U+", "private.values = {", "\\u"]) {
            failed.push(format!("case {seed} ({kind}, {}): {refused:?}", pair.public));
        }
    }
    at_most_one_in_100(&failed, drawn_cases);
}
