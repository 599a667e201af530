//! Looks at the matches of all combinations, part by part.

use crate::matching::{Match, Matches};
use crate::people::People;

/// How the people of some combinations match.
#[derive(Default)]
pub(super) struct Seen {
    /// The individuals in P who match some class, and those who match several.
    pub(super) matched: u64,
    pub(super) overlapping: u64,
    /// The members who match none.
    pub(super) unpublished: u64,
    /// The first combination that matches several classes, with two of them.
    pub(super) overlap: Option<(usize, usize, usize)>,
    /// The first combination with members that matches none.
    pub(super) missing: Option<usize>,
}

impl Seen {
    /// The number of combinations that a thread looks at.
    pub(super) const PART: usize = 1 << 16;

    pub(super) fn of(people: &People, matches: &Matches, start: usize) -> Self {
        let mut seen = Self::default();
        for index in start..people.combinations.len().min(start + Self::PART) {
            let combination = people.combinations.get(index);
            let found = matches.of(index);
            match found {
                Match::None if combination.private > 0 => {
                    seen.unpublished += combination.private;
                    seen.missing = seen.missing.or(Some(index));
                }
                Match::Several(first, second) => {
                    seen.overlapping += combination.public;
                    seen.overlap = seen.overlap.or(Some((index, first, second)));
                }
                Match::None | Match::One(_) => {}
            }
            if found != Match::None {
                seen.matched += combination.public;
            }
        }
        seen
    }
}

/// The sum of a number of all parts.
pub(super) fn sum(parts: &[Seen], of: impl Fn(&Seen) -> u64) -> u64 {
    parts.iter().map(of).sum()
}
