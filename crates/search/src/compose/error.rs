//! The errors of a composition.

use super::system::bounds;
use super::system::work::{Halt, Work};
use super::system::{System, between};
use super::{Change, Limits, Published, pairs};
use palmtop_core::progress::Meter;

/// Why releases cannot be composed. Releases are numbered from 0 in their given order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// The numbers of rows of two releases contradict the change of T between them.
    #[error("releases {first} and {second} have {} and {} rows, but {}", rows.0, rows.1, expected(*change))]
    Sizes {
        /// The earlier release.
        first: usize,
        /// The later release.
        second: usize,
        /// The number of rows of each, with those of withdrawn members.
        rows: (u64, u64),
        /// The declared change of T from the one to the other.
        change: Change,
    },
    /// The unchanged columns of two releases have values that contradict the change of T between
    /// them.
    #[error(
        "the columns that releases {first} and {second} publish unchanged have different values, so that \
         the releases cannot have the same members"
    )]
    Kept {
        /// The earlier release.
        first: usize,
        /// The later release.
        second: usize,
    },
    /// No tables have these numbers of rows in these classes.
    #[error("no T gives {}", pair.map_or_else(|| "all of the releases".to_owned(), |(first, second)| format!("both release {first} and release {second}")))]
    NoTable {
        /// Two releases that already contradict each other, if any two do.
        pair: Option<(usize, usize)>,
    },
    /// The system needs too much memory.
    #[error(
        "the releases divide P into more than {most} parts, which is the limit; compose fewer releases at a time"
    )]
    TooLarge {
        /// The largest permitted number of parts.
        most: usize,
    },
    /// The meter stopped the computation.
    #[error("stopped on request")]
    Cancelled,
}

fn expected(change: Change) -> &'static str {
    match change {
        Change::Same => "releases of one T have the same number of rows",
        Change::Added => "if people were only added, the later release has at least as many",
        Change::Removed => "if people were only removed, the later release has at most as many",
    }
}

/// Checks the numbers of members of consecutive releases: in total, and for each value that is
/// published unchanged. A row that another release lacks may be that of a withdrawn member.
pub(super) fn check_sizes(releases: &[Published], changes: &[Change]) -> Result<(), ComposeError> {
    let fit = |change: Change, first: u64, second: u64| match change {
        Change::Same => first == second,
        Change::Added => first <= second,
        Change::Removed => first >= second,
    };
    let pairs = releases.iter().zip(releases.iter().skip(1)).zip(changes).enumerate();
    for (index, ((earlier, later), &change)) in pairs {
        let (first, second) = (index, index + 1);
        let rows = (earlier.members(), later.members());
        if !fit(change, rows.0, rows.1) {
            return Err(ComposeError::Sizes { first, second, rows, change });
        }
        let (earlier_has_more, later_has_more) = (earlier.exceeds(later), later.exceeds(earlier));
        let contradicts = match change {
            Change::Same => earlier_has_more || later_has_more,
            Change::Added => earlier_has_more,
            Change::Removed => later_has_more,
        };
        if contradicts {
            return Err(ComposeError::Kept { first, second });
        }
    }
    Ok(())
}

impl Published {
    /// The number of members: rows and withdrawn members.
    fn members(&self) -> u64 {
        self.withdrawn + self.rows.iter().flatten().map(|&(_, rows)| rows).sum::<u64>()
    }

    /// Whether this release has more rows that `other` does not have than `other` withdraws members.
    fn exceeds(&self, other: &Self) -> bool {
        let of_other = other.rows_by_value();
        let lacking = self.rows_by_value().into_iter().enumerate().map(|(value, rows)| {
            let rows_of_other = of_other.get(value).copied().unwrap_or(0);
            rows.saturating_sub(rows_of_other)
        });
        lacking.sum::<u64>() > other.withdrawn
    }

    fn rows_by_value(&self) -> Vec<u64> {
        let values = self.rows.iter().flatten().map(|&(value, _)| value as usize + 1).max();
        let mut sums = vec![0; values.unwrap_or(0)];
        for &(value, rows) in self.rows.iter().flatten() {
            sums[value as usize] += rows;
        }
        sums
    }
}

/// The error for contradicting releases. It names two releases that contradict each other, if any
/// two do.
pub(super) fn no_table(
    people: &[u64],
    releases: &[Published],
    changes: &[Change],
    limits: Limits,
    meter: &mut Meter,
) -> ComposeError {
    if releases.len() == 2 {
        return ComposeError::NoTable { pair: Some((0, 1)) };
    }
    let mut work = Work::new(meter);
    for second in 1..releases.len() {
        for first in 0..second {
            let Some(change) = between(&changes[first..second]) else { continue };
            let pair = [releases[first].clone(), releases[second].clone()];
            let Ok(system) = System::of(people, &pair, &[change]) else { continue };
            let halted = bounds::shuttle(&system, &mut work).and_then(|mut known| {
                pairs::by_pairs(&system, &pair, &mut known, limits.flow, &mut work).map(drop)
            });
            match halted {
                Ok(()) => {}
                Err(Halt::NoTable) => return ComposeError::NoTable { pair: Some((first, second)) },
                Err(Halt::Cancelled) => return ComposeError::Cancelled,
            }
        }
    }
    ComposeError::NoTable { pair: None }
}
