//! Why releases cannot be composed.

use super::system::{System, between};
use super::work::{Halt, Work};
use super::{Change, Limits, Published, bounds, pairs};
use palmtop_core::progress::Meter;

/// Why releases cannot be composed. Releases are numbered from 0, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// Two releases have numbers of rows that no tables which changed so can have.
    #[error("releases {first} and {second} have {} and {} rows: {}", rows.0, rows.1, expected(*change))]
    Sizes {
        /// The first release.
        first: usize,
        /// The other.
        second: usize,
        /// Their rows.
        rows: (u64, u64),
        /// How T may have changed from the one to the other.
        change: Change,
    },
    /// Two releases of tables that changed so publish other values unchanged.
    #[error("what releases {first} and {second} publish unchanged differs: nobody can be the same in both")]
    Kept {
        /// The first release.
        first: usize,
        /// The other.
        second: usize,
    },
    /// There are no tables with these classes' rows.
    #[error("no T gives {}", pair.map_or_else(|| "all of the releases".to_owned(), |(first, second)| format!("both release {first} and release {second}")))]
    NoTable {
        /// Two releases that do not fit already, where they are known.
        pair: Option<(usize, usize)>,
    },
    /// More than can be held.
    #[error("the releases have more than {most} classes' parts to keep apart; compose fewer of them")]
    TooLarge {
        /// As many as there may be.
        most: usize,
    },
    /// The meter said stop.
    #[error("stopped on request")]
    Cancelled,
}

fn expected(change: Change) -> &'static str {
    match change {
        Change::Same => "of one T, both have as many",
        Change::Added => "where people were only added, the later has no fewer",
        Change::Removed => "where people were only removed, the later has no more",
    }
}

/// Compares how many rows each release has with the one before: in all, and with each value that is published unchanged.
pub(super) fn check_sizes(releases: &[Published], changes: &[Change]) -> Result<(), ComposeError> {
    let fit = |change: Change, first: u64, second: u64| match change {
        Change::Same => first == second,
        Change::Added => first <= second,
        Change::Removed => first >= second,
    };
    let pairs = releases.iter().zip(releases.iter().skip(1)).zip(changes).enumerate();
    for (place, ((one, other), &change)) in pairs {
        let (first, second) = (place, place + 1);
        let rows = (one.rows_in_all(), other.rows_in_all());
        if !fit(change, rows.0, rows.1) {
            return Err(ComposeError::Sizes { first, second, rows, change });
        }
        let (one, other) = (one.rows_by_value(), other.rows_by_value());
        let most = one.len().max(other.len());
        let of = |rows: &[u64], value: usize| rows.get(value).copied().unwrap_or(0);
        if (0..most).any(|value| !fit(change, of(&one, value), of(&other, value))) {
            return Err(ComposeError::Kept { first, second });
        }
    }
    Ok(())
}

impl Published {
    fn rows_in_all(&self) -> u64 {
        self.rows.iter().flatten().map(|&(_, rows)| rows).sum()
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

/// The error where there is no table: it names two releases that do not fit, if any two do not.
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
