//! A caution in one line: its name, its figure, and what to do. The figure is that of the sentence.

use std::fmt;

use super::headline::{at_least, at_most};
use super::{Caution, Key};
use palmtop_core::model::Presence;

/// A caution in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// A few words instead of the key, with the column.
    pub name: String,
    /// The figure of the sentence; empty if it has none.
    pub figure: String,
    /// What the analyst can do, in a few words; empty if the caution is accepted.
    pub remedy: &'static str,
}

/// A caution on page 1 of the signer's report: all cautions with one key are one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The name, with the columns.
    pub name: String,
    /// The figure, if the line is one caution; empty if it has none.
    pub figure: String,
    /// What follows, or the reason for which it was accepted.
    pub follows: String,
}

/// The greatest number of columns that a line names.
const NAMED: usize = 3;

impl Line {
    /// The lines of sorted cautions.
    pub fn of(cautions: &[Caution]) -> Vec<Self> {
        cautions.chunk_by(|one, next| one.key == next.key).map(Self::of_key).collect()
    }

    /// The line of cautions that have one key.
    fn of_key(cautions: &[Caution]) -> Self {
        let (name, _, follows) = words(cautions[0].key);
        let subjects: Vec<&str> = cautions.iter().filter_map(|caution| caution.subject.as_deref()).collect();
        let more = subjects.len().saturating_sub(NAMED);
        let shown = subjects[..subjects.len() - more].join(", ");
        let shown = if more > 0 { format!("{shown} and {more} more") } else { shown };
        let figure = if let [caution] = cautions { caution.figure() } else { String::new() };
        let accepted: Vec<&str> = cautions.iter().filter_map(|caution| caution.accepted.as_deref()).collect();
        let follows = match accepted[..] {
            [] => follows.to_owned(),
            [reason] if cautions.len() == 1 => format!("accepted: {reason}"),
            _ => format!("{} of {} accepted; {follows}", accepted.len(), cautions.len()),
        };
        Self { name: format!("{name} {shown}").trim_end_matches([' ', ':']).to_owned(), figure, follows }
    }
}

impl Caution {
    /// The caution in one line.
    pub fn brief(&self) -> Brief {
        let (name, remedy, _) = words(self.key);
        let subject = self.subject.as_ref().map_or_else(String::new, |subject| format!(" {subject}"));
        let remedy = if self.accepted.is_some() { "accepted" } else { remedy };
        Brief { name: format!("{name}{subject}"), figure: self.figure(), remedy }
    }

    fn figure(&self) -> String {
        let sentence = self.sentence.as_str();
        let after = |mark: &str| sentence.split_once(mark).map(|(_, rest)| rest);
        match self.key {
            Key::SafeHarbor | Key::EarlierRelease | Key::OtherSession => rest(sentence).to_owned(),
            Key::AdvisedDelta => in_percent(rest(sentence)),
            Key::LooserDelta => {
                let bounds = after(": ").and_then(|rest| rest.split_once(" instead"));
                bounds.map_or_else(String::new, |(bounds, _)| in_percent(bounds))
            }
            Key::WeakDelta => number(after("In this release, ").unwrap_or(sentence)),
            Key::SaysNothing => {
                let columns = sentence.split_once(" fully generalized").map_or("", |(columns, _)| columns);
                columns.trim_end_matches(" is").trim_end_matches(" are").replace('`', "")
            }
            Key::FutureBirth | Key::Registered => String::new(),
            _ => number(sentence),
        }
    }
}

impl fmt::Display for Line {
    /// `known members, 58 of 800 members: one guess in ten or better finds the row`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, figure, follows } = self;
        let comma = if figure.is_empty() { "" } else { ", " };
        write!(f, "{name}{comma}{figure}: {follows}")
    }
}

/// The end of a sentence after its last colon, without its point.
fn rest(sentence: &str) -> &str {
    sentence.rsplit_once(": ").map_or("", |(_, rest)| rest).trim_end_matches('.')
}

/// The bounds of a δ in per cent, rounded outwards: `0 to 2/3` is `0 % to 66.7 %`.
fn in_percent(bounds: &str) -> String {
    let read = || {
        let (min, max) = bounds.split_once(" to ")?;
        Some((min.parse::<Presence>().ok()?, max.parse::<Presence>().ok()?))
    };
    read().map_or_else(|| bounds.to_owned(), |(min, max)| format!("{} to {}", at_least(min), at_most(max)))
}

/// The first number of a sentence with what it is a part of, and its noun: `298 of 430 members`.
fn number(sentence: &str) -> String {
    let bare = without_quotations(sentence);
    let is_number = |word: &str| word.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit());
    let mut words = bare.split_whitespace().skip_while(|word| !is_number(word));
    let mut figure: Vec<&str> = Vec::new();
    for word in words.by_ref() {
        let plain = word.trim_matches(|c: char| c.is_ascii_punctuation());
        let is_number = plain.starts_with(|c: char| c.is_ascii_digit());
        let is_noun = !is_number && !["of", "the", "its", "other"].contains(&plain);
        let is_end = is_noun || word.ends_with(|c: char| c.is_ascii_punctuation());
        let joins = ["is", "are", "a", "to", "and", "or", "with", "from", "was", "were"];
        if !(["the", "its"].contains(&plain) || joins.contains(&plain)) {
            figure.push(plain);
        }
        if is_end {
            break;
        }
    }
    figure.join(" ")
}

/// The sentence without names and values.
fn without_quotations(sentence: &str) -> String {
    let outside =
        |mark: char, text: &str| -> String { text.split(mark).step_by(2).collect::<Vec<_>>().join(" ") };
    outside('"', &outside('`', sentence))
}

/// The name of a caution, what to do, and what follows for the signer.
fn words(key: Key) -> (&'static str, &'static str, &'static str) {
    match key {
        Key::Betrays => ("reveals more:", "withhold it, or coarser", "δ does not cover what it tells"),
        Key::Certain => ("certain members", "choose a δmax below 1", "their membership is published"),
        Key::FutureBirth => ("future births:", "mend how it is read", "ages may be wrong"),
        Key::Undecided => ("undecided role:", "decide it", "people may be found by it"),
        Key::WeakDelta => ("weak δ", "a δmax below 1/2", "it protects little"),
        Key::LooserDelta => ("looser δ", "write it into the project", "it promises less than the project"),
        Key::AdvisedDelta => {
            ("stricter δ advised", "use it, or give a reason", "more misuse is possible than is acceptable")
        }
        Key::UnjustifiedDelta => ("δ has no reason", "give one on tab 4", "its risk is not justified"),
        Key::ChangedDelta => ("δ was changed", "read the reasons", "a δ that follows results promises less"),
        Key::SeenSearches => ("searches seen", "choose before you search", "a choice by results tells more"),
        Key::KnowsAlgorithm => {
            ("knows palmtop", "simulatable rules it out", "such an attacker may learn more")
        }
        Key::KnowsMember => ("known members", "k = 11, or l", "one guess in ten or better finds the row"),
        Key::CertainAbsent => ("certain absence", "a δmin above 0", "anybody can rule them out"),
        Key::SaysNothing => ("says nothing", "use fewer columns", "no analysis can use them"),
        Key::LargeRelease => ("large release", "limit terms", "it is hard to read"),
        Key::Registered => ("registered", "read the history", "it was written under other facts"),
        Key::LeftOut => ("left out", "complete P", "no figure counts them"),
        Key::Added => ("added to P", "complete P", "δ needs an attacker who knows of them"),
        Key::Withdrawn => ("withdrawn", "tell the recipient", "counts lack them"),
        Key::EarlierRelease => ("earlier release", "compose both", "together they may tell more"),
        Key::OtherSession => ("other sitting", "read its decisions", "its results were seen, too"),
        Key::DoubledPublic => ("repeated P", "remove repetitions", "presences may be too low"),
        Key::CountLike => ("may be a count:", "name it by count", "presences may be wrong"),
        Key::MissingCode => ("may mean none:", "list it in missing", "it counts as a value"),
        Key::NamedAlike => ("named as in P:", "make it quasi", "people may be found by it"),
        Key::UniqueColumn => ("unique values:", "withhold it", "who knows a value finds the row"),
        Key::SafeHarbor => ("published finely:", "withhold, or coarser", "people may be recognized by it"),
        Key::AlikeIdentifiers => ("alike identifiers:", "write them alike", "a person may count twice"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_sentences() {
        for (key, sentence, figure) in [
            (
                Key::Certain,
                "5 of the 1,200 people are certain to be members: everyone is.",
                "5 of 1,200 people",
            ),
            (Key::Withdrawn, "1 member of the private table is withdrawn: it has no row.", "1 member"),
            (
                Key::SeenSearches,
                "15 other searches were seen before this release was chosen.",
                "15 other searches",
            ),
            (Key::WeakDelta, "δmax is 2/3: a person may be a member.", "2/3"),
            (Key::ChangedDelta, "δ was changed once after the first search.", ""),
            (
                Key::MissingCode,
                "`age`: \"999\" (12 people of P) may mean that there is no value.",
                "12 people",
            ),
            (
                Key::LooserDelta,
                "δ is looser than the project's δ: 0 to 2/3 instead of 0 to 1/2.",
                "0 % to 66.7 %",
            ),
            (Key::EarlierRelease, "Another release of the same private table exists: a.csv.", "a.csv"),
            (
                Key::SaysNothing,
                "`age` and `home town` are fully generalized in all 800 rows: the release has no information about them.",
                "age and home town",
            ),
            (
                Key::KnowsMember,
                "An attacker may find this person: 60 of the 80 members are in classes of fewer than 11 members, and 24 are alone.",
                "60 of 80 members",
            ),
        ] {
            let brief = Caution::new(key, sentence, "…").brief();
            assert_eq!(brief.figure, figure, "{sentence}");
            assert!(!brief.name.is_empty() && !brief.remedy.is_empty());
        }
    }

    #[test]
    fn cautions_of_one_key_are_one_line() {
        let of = |column: &str| Caution::new(Key::Betrays, "5 rows fit.", "…").about(column);
        let lines = |cautions: &[Caution]| -> Vec<String> {
            let lines = Line::of(cautions).into_iter();
            lines.map(|Line { name, figure, follows }| [name, figure, follows].join("|")).collect()
        };
        let reads = "δ does not cover what it tells";
        let all = ["a", "b", "c", "d"].map(of);
        let seen = Caution::new(Key::SeenSearches, "15 other searches were seen.", "…");
        assert_eq!(
            lines(&[&all[..], &[seen]].concat()),
            [
                format!("reveals more: a, b, c and 1 more||{reads}"),
                "searches seen|15 other searches|a choice by results tells more".to_owned(),
            ]
        );
        let accepted = Caution { accepted: Some("codes are public".to_owned()), ..of("a") };
        assert_eq!(
            lines(std::slice::from_ref(&accepted)),
            ["reveals more: a|5 rows|accepted: codes are public"]
        );
        assert_eq!(lines(&[accepted, of("b")]), [format!("reveals more: a, b||1 of 2 accepted; {reads}")]);
    }
}
