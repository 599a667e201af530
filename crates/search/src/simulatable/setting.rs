//! The constants of the search. They may be any function of P, |T| and δ, and of nothing else.

use palmtop_core::model::Problem;

/// The factor by which a change prefers or avoids a column.
const FACTOR: f64 = 3.0;

/// The constants of a search: the default ones, with some changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Setting {
    changes: [Option<Change>; Self::MOST_CHANGES],
}

/// A change of one constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The scores of this column's cuts count three times as much.
    Prefer(usize),
    /// The scores of this column's cuts count a third as much.
    Avoid(usize),
    /// The exponent of the chance of success in scores, in hundredths.
    Power(u32),
    /// The number of members from which a failure keeps a reserve.
    ReserveFrom(u64),
    /// The share of the sides of limited columns that counts besides the values of the rows, in hundredths.
    Room(u32),
}

/// A rehearsal that took place, and its choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rehearsed {
    /// The number of T's that were drawn.
    pub draws: u32,
    /// The number of searches of drawn T's.
    pub runs: u64,
    /// The setting that lost least.
    pub setting: Setting,
}

impl Rehearsed {
    /// The seed of the drawn T's. It is public.
    pub const SEED: u64 = 0;

    /// The rehearsal in words: how many T's were drawn from which seed, and what was chosen.
    pub fn text(&self, problem: &Problem) -> String {
        let Self { draws, runs, setting } = self;
        format!(
            "{draws} drawn tables from seed {}, {runs} searches; chosen: {}",
            Self::SEED,
            setting.text(problem)
        )
    }
}

/// The constants of a setting, ready for use.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    /// The exponent of the chance of success in the score of a cut. Below 1, a likely failure weighs less,
    /// because another cut can be offered then.
    pub(super) power: f64,
    /// The number of members from which a failure keeps a reserve.
    pub(super) reserve_from: u64,
    /// In columns with a limit of terms, the share of the side of the cut box that counts besides the values of
    /// the rows, because a published set may be as large as the side ([`super::extents::published`]).
    pub(super) room: f64,
    /// The factor of each column's cuts in scores.
    pub(super) priorities: Vec<f64>,
}

impl Setting {
    /// The most changes of a setting.
    pub(super) const MOST_CHANGES: usize = 4;

    /// The changes, in the order in which they were made.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        self.changes.into_iter().flatten()
    }

    /// The settings with one more change. `columns` are those that may be cut.
    pub(super) fn neighbours(self, columns: &[usize], has_limits: bool) -> Vec<Self> {
        let Some(next) = self.changes.iter().position(Option::is_none) else { return Vec::new() };
        let mut changes: Vec<Change> =
            columns.iter().flat_map(|&column| [Change::Prefer(column), Change::Avoid(column)]).collect();
        changes.extend([40, 100].map(Change::Power));
        changes.push(Change::ReserveFrom(10));
        changes.extend([5, 50].map(Change::Room).into_iter().filter(|_| has_limits));
        let is_new = |change: &Change| match change {
            // A preference may be doubled, but not undone.
            Change::Prefer(column) => !self.changes().any(|known| known == Change::Avoid(*column)),
            Change::Avoid(column) => !self.changes().any(|known| known == Change::Prefer(*column)),
            other => {
                !self.changes().any(|known| std::mem::discriminant(&known) == std::mem::discriminant(other))
            }
        };
        let with = |change| {
            let mut changes = self.changes;
            changes[next] = Some(change);
            Self { changes }
        };
        changes.into_iter().filter(is_new).map(with).collect()
    }

    /// The constants for a number of columns.
    pub(super) fn constants(self, width: usize) -> Constants {
        let mut constants =
            Constants { power: 0.7, reserve_from: 50, room: 0.2, priorities: vec![1.0; width] };
        for change in self.changes() {
            match change {
                Change::Prefer(column) => constants.priorities[column] *= FACTOR,
                Change::Avoid(column) => constants.priorities[column] /= FACTOR,
                Change::Power(power) => constants.power = hundredths(power),
                Change::ReserveFrom(members) => constants.reserve_from = members,
                Change::Room(room) => constants.room = hundredths(room),
            }
        }
        constants
    }

    /// The changes in words, such as `prefers zip, power 0.4`; `the default constants` without a change.
    pub fn text(&self, problem: &Problem) -> String {
        let name = |column: usize| problem.quasi()[column].name.escape_debug().to_string();
        let words: Vec<String> = self
            .changes()
            .map(|change| match change {
                Change::Prefer(column) => format!("prefers {}", name(column)),
                Change::Avoid(column) => format!("avoids {}", name(column)),
                Change::Power(power) => format!("power {}", hundredths(power)),
                Change::ReserveFrom(members) => format!("reserve from {members} members"),
                Change::Room(room) => format!("room {}", hundredths(room)),
            })
            .collect();
        if words.is_empty() { "the default constants".to_owned() } else { words.join(", ") }
    }
}

impl Constants {
    /// The score of a cut with a chance of success and a gain.
    pub(super) fn score(&self, chance: f64, gain: f64) -> f64 {
        libm::pow(chance, self.power) * gain
    }
}

fn hundredths(number: u32) -> f64 {
    f64::from(number) / 100.0
}
