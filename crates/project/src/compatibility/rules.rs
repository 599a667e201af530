//! The rules. The first rule about a pair of features decides.

use palmtop_core::strategy::StrategyInfo;

use super::Answer::{self, Limited, Refused};
use super::feature::{Command as C, Feature, Feature as F};

/// A group of features.
type Group = fn(Feature) -> bool;

/// A rule about the pairs of a feature of one group with a feature of another group.
pub struct Rule {
    /// The two groups of each kind of pair.
    pub(super) pairs: &'static [(Group, Group)],
    /// The answer, with its sentence.
    pub answer: Answer,
    /// If a run has several strategies, one that accepts the option is enough.
    pub(super) one_is_enough: bool,
}

const fn rule(pairs: &'static [(Group, Group)], answer: Answer) -> Rule {
    Rule { pairs, answer, one_is_enough: false }
}

/// A rule about an option that a run with several strategies accepts if one of them accepts it.
const fn rule_of_any(pairs: &'static [(Group, Group)], answer: Answer) -> Rule {
    Rule { pairs, answer, one_is_enough: true }
}

/// A strategy for which the predicate holds.
fn strategy(feature: Feature, holds: impl Fn(StrategyInfo) -> bool) -> bool {
    matches!(feature, F::Strategy(strategy) if holds(strategy.info()))
}

/// A node, or a strategy for which the predicate does not hold.
fn node_or_not(feature: Feature, holds: impl Fn(StrategyInfo) -> bool) -> bool {
    feature == F::Node || strategy(feature, |info| !holds(info))
}

/// What needs one row for each person.
fn is_of_single_rows(feature: Feature) -> bool {
    match feature {
        F::Count | F::OneRow | F::Sample | F::Outsiders | F::Withdrawal | F::Beside | F::RowCount => true,
        F::Command(command) => {
            matches!(command, C::Compose | C::Estimate | C::Hierarchy | C::Experiment | C::Fetch)
        }
        other => strategy(other, |info| !info.family.counts_people()),
    }
}

/// Every rule, in order. The reference page numbers them from 1.
pub const RULES: &[Rule] = &[
    rule(
        &[(|f| f == F::People, is_of_single_rows)],
        Refused(
            "people with several rows have nodes only, found by spalm or chosen, and all of their rows count; this needs one row for \
             each person",
        ),
    ),
    rule(
        &[(|f| f == F::OneRow, |f| f == F::Count)],
        Refused(
            "a row with a count is for several people, so an identifier does not say who they are; remove one of them",
        ),
    ),
    rule(
        &[
            (|f| f == F::Sample, |f| f == F::Outsiders || f == F::Verdict),
            (
                |f| f == F::Sample,
                |f| matches!(f, F::Command(command) if !matches!(command, C::Estimate | C::Fetch)),
            ),
        ],
        Refused(
            "a sample lacks most people of the population, so no verdict would be reliable, and members who are not in it are \
             expected; `palmtop estimate` gives estimates; if P is the population, remove `sample_of`",
        ),
    ),
    rule(
        &[(|f| f == F::Withdrawal, |f| node_or_not(f, |info| info.family.withdraws()))],
        Limited("no member is withdrawn; spalm and best withdraw members"),
    ),
    rule(
        &[(|f| f == F::ValueCriteria, |f| strategy(f, |info| info.family.is_simulatable()))],
        Limited(
            "the search does not see sensitive values; the finished release is judged by the criterion, and may break it",
        ),
    ),
    rule(
        &[(|f| f == F::Terms, |f| f == F::Withdrawal)],
        Limited("best withdraws classes of nodes, and no parts of regions, whose rest might need more terms"),
    ),
    rule(
        &[
            (|f| f == F::Beside, |f| node_or_not(f, |info| info.family.finds_regions())),
            (
                |f| f == F::Beside,
                |f| matches!(f, F::Terms | F::Audit | F::Transcript | F::Seconds | F::AllowNotPresent),
            ),
        ],
        Refused(
            "the search runs in each class of the earlier release, by a strategy that finds regions (simulatable, n1 to b3 or best) \
             and with a budget in rounds; such a release keeps δ, and has no audit, no transcript and no limit of `terms` or `borders`",
        ),
    ),
    rule(
        &[(|f| f == F::Withdrawal, |f| matches!(f, F::Beside | F::Command(C::Compose)))],
        Limited(
            "each release must be a faithful release of the present T, because the number of its withdrawn members is known only then",
        ),
    ),
    rule(
        &[(
            |f| matches!(f, F::Withdrawal | F::ValueCriteria),
            |f| matches!(f, F::Audit | F::Command(C::Audit)),
        )],
        Limited(
            "an audit of spalm or best with `suppress_at_most`, or of any search with a criterion on sensitive values, has no result",
        ),
    ),
    rule(
        &[(|f| f == F::Node, |f| f == F::Audit)],
        Refused("palmtop does not know the rule by which you chose the node"),
    ),
    rule(
        &[(|f| f == F::Transcript, |f| node_or_not(f, |info| info.family.is_simulatable()))],
        Refused("only --strategy simulatable has a transcript"),
    ),
    rule_of_any(
        &[
            (|f| f == F::Seconds, |f| node_or_not(f, |info| info.family.takes_seconds())),
            (|f| f == F::Rounds, |f| node_or_not(f, |info| info.family.draws())),
        ],
        Refused(
            "a node is not searched, simulatable ends by itself at a time that must not depend on T, and only best has rounds and steps; \
             leave the budget out",
        ),
    ),
];
