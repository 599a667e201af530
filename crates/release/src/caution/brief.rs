//! A caution in one line: its name, its figure, and what to do. The figure is that of the sentence.

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

impl Caution {
    /// The caution in one line.
    pub fn brief(&self) -> Brief {
        let (name, remedy) = words(self.key);
        let subject = self.subject.as_ref().map_or_else(String::new, |subject| format!(" {subject}"));
        let remedy = if self.accepted.is_some() { "accepted" } else { remedy };
        Brief { name: format!("{name}{subject}"), figure: self.figure(), remedy }
    }

    fn figure(&self) -> String {
        let sentence = self.sentence.as_str();
        let after = |mark: &str| sentence.split_once(mark).map(|(_, rest)| rest);
        match self.key {
            Key::SafeHarbor | Key::EarlierRelease | Key::OtherSession | Key::AdvisedDelta => {
                let rest = sentence.rsplit_once(": ").map_or("", |(_, rest)| rest);
                rest.trim_end_matches('.').to_owned()
            }
            Key::LooserDelta => {
                let bounds = after(": ").and_then(|rest| rest.split_once(" instead"));
                bounds.map_or_else(String::new, |(bounds, _)| bounds.to_owned())
            }
            Key::KnowsMember => number(after("threshold is 1/11: ").unwrap_or(sentence)),
            Key::WeakDelta => number(after("In this release, ").unwrap_or(sentence)),
            Key::FutureBirth | Key::Registered => String::new(),
            _ => number(sentence),
        }
    }
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

/// The name of a caution, and what to do.
fn words(key: Key) -> (&'static str, &'static str) {
    match key {
        Key::Betrays => ("reveals more:", "withhold it, or coarser"),
        Key::Certain => ("certain members", "choose a δmax below 1"),
        Key::FutureBirth => ("future births:", "mend how it is read"),
        Key::Undecided => ("undecided role:", "decide it"),
        Key::WeakDelta => ("weak δ", "a δmax below 1/2"),
        Key::LooserDelta => ("looser δ", "write it into the project"),
        Key::AdvisedDelta => ("stricter δ advised", "use it, or give a reason"),
        Key::UnjustifiedDelta => ("δ has no reason", "give one on tab 4"),
        Key::ChangedDelta => ("δ was changed", "read the reasons"),
        Key::SeenSearches => ("searches seen", "choose before you search"),
        Key::KnowsAlgorithm => ("knows palmtop", "simulatable rules it out"),
        Key::KnowsMember => ("known members", "k, l or t end it"),
        Key::CertainAbsent => ("certain absence", "a δmin above 0"),
        Key::SaysNothing => ("says nothing", "use fewer columns"),
        Key::LargeRelease => ("large release", "limit terms"),
        Key::Registered => ("registered", "read the history"),
        Key::LeftOut => ("left out", "complete P"),
        Key::Added => ("added to P", "complete P"),
        Key::Withdrawn => ("withdrawn", "tell the recipient"),
        Key::EarlierRelease => ("earlier release", "compose both"),
        Key::OtherSession => ("other sitting", "read its decisions"),
        Key::DoubledPublic => ("repeated P", "remove repetitions"),
        Key::CountLike => ("may be a count:", "name it by count"),
        Key::MissingCode => ("may mean none:", "list it in missing"),
        Key::NamedAlike => ("named as in P:", "make it quasi"),
        Key::UniqueColumn => ("unique values:", "withhold it"),
        Key::SafeHarbor => ("Safe Harbor:", "withhold, or coarser"),
        Key::AlikeIdentifiers => ("alike identifiers:", "write them alike"),
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
            (Key::LooserDelta, "δ is looser than the project's δ: 0 to 1 instead of 0 to 1/2.", "0 to 1"),
            (Key::EarlierRelease, "Another release of the same private table exists: a.csv.", "a.csv"),
            (
                Key::KnowsMember,
                "24 of the 80 members are alone. The usual threshold is 1/11: 60 members are in classes of fewer than 11.",
                "60 members",
            ),
        ] {
            let brief = Caution::new(key, sentence, "…").brief();
            assert_eq!(brief.figure, figure, "{sentence}");
            assert!(!brief.name.is_empty() && !brief.remedy.is_empty());
        }
    }
}
