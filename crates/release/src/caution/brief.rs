//! A caution in one line: its name, its figure, and what to do.

use std::fmt;

use super::{Caution, Key};

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
        let mut subjects: Vec<&str> =
            cautions.iter().filter_map(|caution| caution.subject.as_deref()).collect();
        subjects.dedup();
        let more = subjects.len().saturating_sub(NAMED);
        let shown = subjects[..subjects.len() - more].join(", ");
        let shown = if more > 0 { format!("{shown} and {more} more") } else { shown };
        let figure = if let [caution] = cautions { caution.figure.clone() } else { String::new() };
        let accepted: Vec<&str> = cautions.iter().filter_map(|caution| caution.accepted.as_deref()).collect();
        let is_one = accepted.windows(2).all(|two| two[0] == two[1]);
        let follows = match accepted[..] {
            [] => follows.to_owned(),
            [reason, ..] if is_one && accepted.len() == cautions.len() => format!("accepted: {reason}"),
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
        Brief { name: format!("{name}{subject}"), figure: self.figure.clone(), remedy }
    }
}

impl fmt::Display for Line {
    /// `known members, 58 of 800 members: one guess in ten or better finds row or value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, figure, follows } = self;
        let comma = if figure.is_empty() { "" } else { ", " };
        write!(f, "{name}{comma}{figure}: {follows}")
    }
}

/// The name of a caution, what to do, and what follows for the signer.
fn words(key: Key) -> (&'static str, &'static str, &'static str) {
    match key {
        Key::Betrays => ("reveals more:", "withhold it, or coarser", "δ does not cover what it tells"),
        Key::Certain => ("certain members", "choose a δmax below 1", "their membership is published"),
        Key::OtherPeople => ("other people:", "correct T or P", "presences are those of other people"),
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
        Key::KnowsAlgorithm => ("knows palmtop", "simulatable rules it out", "may learn more"),
        Key::KnowsMember => {
            ("known members", "k = 11, or l", "one guess in ten or better finds row or value")
        }
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
    fn cautions_of_one_key_are_one_line() {
        let of =
            |column: &str| Caution::new(Key::Betrays, "In 5 rows it does.", "…").with("5 rows").about(column);
        let lines = |cautions: &[Caution]| -> Vec<String> {
            let lines = Line::of(cautions).into_iter();
            lines.map(|Line { name, figure, follows }| [name, figure, follows].join("|")).collect()
        };
        let reads = "δ does not cover what it tells";
        let all = ["a", "b", "c", "d"].map(of);
        let seen = Caution::new(Key::SeenSearches, "Others were seen.", "…").with("15 other searches");
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
