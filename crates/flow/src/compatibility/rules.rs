//! The rules. The first rule about a pair of features decides.

use palmtop_search::StrategyInfo;

use super::Answer::{self, Limited, Refused};
use super::feature::{Command as C, Feature, Feature as F};

/// A rule about the pairs of a feature of one group with a feature of another group.
pub struct Rule {
    pub(super) one: fn(Feature) -> bool,
    pub(super) other: fn(Feature) -> bool,
    /// The answer, with its sentence.
    pub answer: Answer,
    /// If a run has several strategies, one that accepts the option is enough.
    pub(super) one_is_enough: bool,
}

const fn rule(one: fn(Feature) -> bool, other: fn(Feature) -> bool, answer: Answer) -> Rule {
    Rule { one, other, answer, one_is_enough: false }
}

/// A rule about an option that a run with several strategies accepts if one of them accepts it.
const fn rule_of_any(one: fn(Feature) -> bool, other: fn(Feature) -> bool, answer: Answer) -> Rule {
    Rule { one, other, answer, one_is_enough: true }
}

/// A strategy for which the predicate holds.
fn strategy(feature: Feature, holds: impl Fn(StrategyInfo) -> bool) -> bool {
    matches!(feature, F::Strategy(strategy) if holds(strategy.info()))
}

/// Every rule, in order. The reference page numbers them from 1.
pub const RULES: &[Rule] = &[
    // Settings of a project.
    rule(
        |f| f == F::People,
        |f| f == F::Count,
        Refused(
            "`count` does not show which rows belong to one person; remove `count`, or give P one row for each person",
        ),
    ),
    rule(
        |f| f == F::People,
        |f| f == F::OneRow,
        Refused(
            "one of the two says who is a person: all rows of a person count, or one of them; remove one of them",
        ),
    ),
    rule(
        |f| f == F::OneRow,
        |f| f == F::Count,
        Refused(
            "a row with a count is for several people, so an identifier does not say who they are; remove one of them",
        ),
    ),
    rule(
        |f| f == F::People,
        |f| f == F::Sample,
        Refused("estimates from a sample count rows, not people; remove one of them"),
    ),
    rule(
        |f| f == F::People,
        |f| f == F::Outsiders,
        Refused(
            "a person with different rows in T and P can be neither dropped nor added; remove `not_in_public`",
        ),
    ),
    rule(
        |f| f == F::People,
        |f| f == F::Withdrawal,
        Refused("no search withdraws people with several rows; remove `suppress_at_most` of [policy]"),
    ),
    rule(
        |f| f == F::Sample,
        |f| f == F::Outsiders,
        Refused("members of T who are not in a sample are expected; remove `not_in_public`"),
    ),
    // A project and a strategy.
    rule(
        |f| f == F::People,
        |f| strategy(f, |info| !info.family.counts_people()),
        Refused("a region would divide the rows of a person; use spalm, or choose a node"),
    ),
    rule(
        |f| f == F::Withdrawal,
        |f| f == F::Node || strategy(f, |info| !info.family.withdraws()),
        Limited("no member is withdrawn; spalm and best withdraw members"),
    ),
    rule(
        |f| f == F::ValueCriteria,
        |f| strategy(f, |info| info.family.is_simulatable()),
        Limited(
            "the search does not see sensitive values; the finished release is judged by the criterion, and may break it",
        ),
    ),
    rule(
        |f| f == F::Terms,
        |f| f == F::Withdrawal,
        Limited("best withdraws classes of nodes, and no parts of regions, whose rest might need more terms"),
    ),
    // A project and an option.
    rule(
        |f| f == F::Terms,
        |f| f == F::Beside,
        Refused(
            "the classes of an earlier release need not end at the borders or have short descriptions; remove `terms` and `borders`",
        ),
    ),
    rule(|f| f == F::People, |f| f == F::Bound, Refused("it is computed for rows only; leave it out")),
    rule(
        |f| f == F::People,
        |f| matches!(f, F::Beside | F::Command(C::Compose)),
        Refused(
            "what several releases reveal together is computed for people with one row each; make one release alone",
        ),
    ),
    rule(
        |f| f == F::Withdrawal,
        |f| matches!(f, F::Beside | F::Command(C::Compose)),
        Limited(
            "each release must be a faithful release of the present T, because the number of its withdrawn members is known only then",
        ),
    ),
    rule(
        |f| matches!(f, F::Withdrawal | F::ValueCriteria),
        |f| matches!(f, F::Audit | F::Command(C::Audit)),
        Limited(
            "an audit of spalm or best with `suppress_at_most`, or of any search with a criterion on sensitive values, has no result",
        ),
    ),
    // A project and a command.
    rule(
        |f| f == F::Sample,
        |f| match f {
            F::Command(command) => !matches!(command, C::Estimate | C::Fetch | C::Sql),
            other => other == F::Verdict,
        },
        Refused(
            "the number of people of a class is unknown in a sample, so no verdict would be reliable; `palmtop estimate` gives \
             estimates; if P is the population, remove `sample_of`",
        ),
    ),
    rule(
        |f| f == F::People,
        |f| matches!(f, F::RowCount | F::Command(C::Estimate | C::Hierarchy | C::Experiment)),
        Refused("it counts rows, not people"),
    ),
    rule(
        |f| f == F::People,
        |f| matches!(f, F::Command(C::Fetch | C::Sql)),
        Refused(
            "a histogram of P does not keep which rows belong to one person; let the project read P's rows from a file",
        ),
    ),
    // A strategy and an option.
    rule(
        |f| f == F::Node,
        |f| f == F::Audit,
        Refused("palmtop does not know the rule by which you chose the node"),
    ),
    rule(
        |f| f == F::Beside,
        |f| f == F::Node || strategy(f, |info| !info.family.finds_regions()),
        Refused(
            "the classes of a node do not stay within those of another release; use a strategy that finds regions: simulatable, n1 to b3 \
             or best",
        ),
    ),
    rule(
        |f| f == F::Transcript,
        |f| f == F::Node || strategy(f, |info| !info.family.is_simulatable()),
        Refused("only --strategy simulatable has a transcript"),
    ),
    rule_of_any(
        |f| f == F::Seconds,
        |f| strategy(f, |info| !info.family.takes_seconds()),
        Refused("the time at which it stops must not depend on T, so it ends by itself"),
    ),
    rule(
        |f| f == F::Seconds,
        |f| f == F::Node,
        Limited("a node that you choose is not searched, so the option has no effect"),
    ),
    rule(
        |f| matches!(f, F::Rounds | F::Opening),
        |f| f == F::Node || strategy(f, |info| !info.family.draws()),
        Limited("only best has rounds, so the option has no effect"),
    ),
    // Two options.
    rule(
        |f| f == F::Beside,
        |f| matches!(f, F::Audit),
        Refused("no audit covers a search within the classes of an earlier release"),
    ),
    rule(
        |f| f == F::Beside,
        |f| matches!(f, F::Seconds | F::Opening),
        Refused(
            "the search runs in each class of the earlier release, and the classes would share the limit; use --rounds",
        ),
    ),
    rule(
        |f| f == F::Beside,
        |f| f == F::Transcript,
        Refused("a search within the classes of an earlier release has no transcript"),
    ),
    rule(
        |f| f == F::Beside,
        |f| f == F::AllowNotPresent,
        Refused("a release that breaks δ cannot keep δ together with another one"),
    ),
    rule(
        |f| f == F::Seconds,
        |f| matches!(f, F::Rounds | F::Opening),
        Refused("one limit ends the search; give one of them"),
    ),
    rule(
        |f| f == F::Rounds,
        |f| f == F::Opening,
        Refused("an opening ends before the first round; give one of them"),
    ),
];
