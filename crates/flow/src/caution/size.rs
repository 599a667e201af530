//! How large a release is, beside T: long sets of values can make rows that nobody can open.

use std::fs;

use super::{Caution, Key};
use crate::pipeline::Analysis;
use crate::project::PrivateSource;
use palmtop_core::model::Problem;
use palmtop_core::text::count;
use palmtop_measure::risk::RiskClasses;

/// The sizes of a release's rows and of its file, as CSV, and those of T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseSize {
    /// Its rows.
    pub rows: u64,
    /// The characters of all labels of all rows.
    pub characters: u64,
    /// The characters of the longest label.
    pub longest: u64,
    /// The quasi-identifier with the most characters.
    pub column: String,
    /// The bytes of the release, estimated: its labels, and the other columns as in T.
    pub bytes: u64,
    /// The bytes of T's file, or of its values if those are more: a file may be packed.
    pub private_bytes: u64,
}

impl ReleaseSize {
    /// A release whose rows have more characters of labels on average is too large.
    pub const CHARACTERS: u64 = 500;
    /// A release that is so many times as large as T is too large.
    pub const TIMES: u64 = 10;

    /// The size of a release from its classes; `None` if no quasi-identifier or no row is published.
    pub fn of(analysis: &Analysis, classes: &RiskClasses) -> Option<Self> {
        Self::beside(analysis.problem(), classes, file_bytes(analysis))
    }

    fn beside(problem: &Problem, classes: &RiskClasses, file_bytes: u64) -> Option<Self> {
        let rows = classes.released.iter().map(|class| class.counts.private).sum();
        let width = problem.quasi().len();
        let (mut characters, mut bytes, mut longest) = (vec![0; width], 0, 0);
        for class in &classes.released {
            for (sum, label) in characters.iter_mut().zip(&class.labels) {
                let length = label.chars().count() as u64;
                longest = longest.max(length);
                *sum += length * class.counts.private;
                bytes += label.len() as u64 * class.counts.private;
            }
        }
        let (widest, _) = characters.iter().enumerate().max_by_key(|(nth, sum)| (**sum, width - nth))?;
        let values = value_bytes(problem);
        let private_bytes = file_bytes.max(values);
        (rows > 0).then(|| Self {
            rows,
            characters: characters.iter().sum(),
            longest,
            column: problem.quasi()[widest].name.clone(),
            bytes: bytes + private_bytes - values,
            private_bytes,
        })
    }

    /// The characters of labels of a row, on average.
    fn mean(&self) -> u64 {
        self.characters / self.rows
    }

    /// Whether the release is too large.
    fn is_large(&self) -> bool {
        self.characters > Self::CHARACTERS * self.rows || self.bytes >= Self::TIMES * self.private_bytes
    }

    /// The caution, if the release is too large.
    pub(super) fn caution(&self) -> Option<Caution> {
        let times = self.bytes / self.private_bytes.max(1);
        let sentence = format!(
            "The release is large: a row has {} characters of labels on average, the longest label has {}, and most of them \
             are of `{}`. As CSV it has about {}{}.",
            count(self.mean()),
            count(self.longest),
            self.column,
            megabytes(self.bytes),
            if times < 2 { String::new() } else { format!(", {} times the private table", count(times)) }
        );
        let remedy = format!(
            "Search longer (`--seconds`) or with another strategy, or give `{}` `cuts = \"labels\"`: it publishes one label in \
             place of a long set.",
            self.column
        );
        self.is_large().then(|| Caution::new(Key::LargeRelease, sentence, remedy))
    }
}

/// The bytes of T's values of the quasi-identifiers, without separators.
fn value_bytes(problem: &Problem) -> u64 {
    let of_attribute = |attribute: usize| -> u64 {
        let people = (0..).zip(problem.leaf_counts(attribute));
        let bytes = people
            .map(|(code, people)| problem.hierarchy(attribute).leaf(code).len() as u64 * people.private);
        bytes.sum()
    };
    (0..problem.quasi().len()).map(of_attribute).sum()
}

/// The bytes of T's files; 0 if T is in P's rows, or a file is gone.
fn file_bytes(analysis: &Analysis) -> u64 {
    let PrivateSource::Table(table) = &analysis.project().private else { return 0 };
    let sizes = table.paths.iter().map(|path| fs::metadata(path).map_or(0, |file| file.len()));
    sizes.sum()
}

/// A size in millions of bytes: `363 MB`, `1.2 MB`, `84 kB`.
#[expect(clippy::cast_precision_loss, reason = "a size to show")]
fn megabytes(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        1_000_000..10_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{} MB", count(bytes / 1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: u64, characters: u64, bytes: u64) -> ReleaseSize {
        let column = "zip".to_owned();
        ReleaseSize { rows, characters, longest: 900, column, bytes, private_bytes: 1000 }
    }

    #[test]
    fn rows_of_more_than_500_characters_and_tenfold_files_are_large() {
        for (size, is_large) in [
            (of(10, 5000, 9999), false),
            (of(10, 5001, 5001), true),
            (of(10, 100, 10_000), true),
            (of(1, 1, 1), false),
        ] {
            assert_eq!(size.caution().is_some(), is_large, "{size:?}");
        }
        let caution = of(100, 363_400, 363_400_000).caution().unwrap();
        let said = "The release is large: a row has 3,634 characters of labels on average, the longest label has 900, and most of \
                    them are of `zip`. As CSV it has about 363 MB, 363,400 times the private table.";
        assert_eq!((caution.name().as_str(), caution.sentence.as_str()), ("large_release", said));
        assert!(caution.remedy.contains("cuts = \"labels\""));
    }
}
