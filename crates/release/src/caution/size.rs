//! The size of a release, compared with T. Labels with long sets of values can make a file that is too large to open.

use std::fs;

use super::{Caution, Key};
use crate::pipeline::Analysis;
use palmtop_core::model::Problem;
use palmtop_core::words::count;
use palmtop_measure::risk::RiskClasses;
use palmtop_project::PrivateSource;

/// The sizes of the rows of a release and of its file as CSV, and the size of T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseSize {
    /// The number of rows.
    pub rows: u64,
    /// The number of characters of all labels in all rows.
    pub characters: u64,
    /// The number of characters of the longest label.
    pub longest: u64,
    /// The quasi-identifier with the most characters.
    pub column: String,
    /// The estimated bytes of the release: its labels, and its other columns as in T.
    pub bytes: u64,
    /// The bytes of T's file, or of T's values if they are more: a file may be compressed.
    pub private_bytes: u64,
}

impl ReleaseSize {
    /// If the labels of a row have more characters than this on average, the release is too large.
    pub const CHARACTERS: u64 = 500;
    /// If the release is this many times as large as T, or more, it is too large.
    pub const TIMES: u64 = 10;

    /// Computes the size of a release from its classes; `None` if no quasi-identifier or no row is published.
    pub fn of(analysis: &Analysis, classes: &RiskClasses) -> Option<Self> {
        Self::of_classes(analysis.problem(), classes, file_bytes(analysis))
    }

    fn of_classes(problem: &Problem, classes: &RiskClasses, file_bytes: u64) -> Option<Self> {
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
        let (widest, _) =
            characters.iter().enumerate().max_by_key(|(column, sum)| (**sum, width - column))?;
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

    /// The mean number of characters of the labels of a row.
    fn mean(&self) -> u64 {
        self.characters / self.rows
    }

    /// Whether the release is too large.
    fn is_large(&self) -> bool {
        self.characters > Self::CHARACTERS * self.rows || self.bytes >= Self::TIMES * self.private_bytes
    }

    /// The caution; `None` if the release is not too large.
    pub(super) fn caution(&self) -> Option<Caution> {
        let times = self.bytes / self.private_bytes.max(1);
        let sentence = format!(
            "The release is large: the labels of a row have {} characters on average. The longest label has {} characters; column `{}` \
             has the most. As CSV, the release has about {}{}.",
            count(self.mean()),
            count(self.longest),
            self.column,
            megabytes(self.bytes),
            if times < 2 {
                String::new()
            } else {
                format!(", {} times as much as the private table", count(times))
            }
        );
        let remedy = format!(
            "Search longer (`--budget`) or with another strategy, or set `terms = 3` for `{}`: a set then has at most 3 \
             labels, values and exceptions.",
            self.column
        );
        let figure = format!("{} characters", count(self.mean()));
        self.is_large().then(|| Caution::new(Key::LargeRelease, sentence, remedy).with(figure))
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

/// The bytes of T's files; 0 if T is a part of P's rows. A missing file counts as 0.
fn file_bytes(analysis: &Analysis) -> u64 {
    let PrivateSource::Table(table) = &analysis.project().private else { return 0 };
    let sizes = table.paths.iter().map(|path| fs::metadata(path).map_or(0, |file| file.len()));
    sizes.sum()
}

/// A size in words, rounded: `363 MB`, `1.2 MB`, `84 kB`.
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
    fn long_rows_and_tenfold_files_are_called_large() {
        for (size, is_large) in [
            (of(10, 5000, 9999), false),
            (of(10, 5001, 5001), true),
            (of(10, 100, 10_000), true),
            (of(1, 1, 1), false),
        ] {
            assert_eq!(size.caution().is_some(), is_large, "{size:?}");
        }
        let caution = of(100, 363_400, 363_400_000).caution().unwrap();
        let sentence = "The release is large: the labels of a row have 3,634 characters on average. The longest label has 900 \
                        characters; column `zip` has the most. As CSV, the release has about 363 MB, 363,400 times as much as the \
                        private table.";
        assert_eq!((caution.name().as_str(), caution.sentence.as_str()), ("large_release", sentence));
        assert!(caution.remedy.contains("`terms = 3` for `zip`"));
    }
}
