//! The strategies, and the one table of their properties. `palmtop-search` runs them.
//!
//! Names, help, compatibility, audits, the workbench's grid, charts and reports follow from the table. No other file lists
//! strategies.

mod rules;

use std::fmt;
use std::str::FromStr;

pub use self::rules::{ColumnRule, ValueRule};

/// A search for a recoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Regions found by harmless questions to T. δ holds even if the attacker knows the algorithm.
    Simulatable,
    /// The δ-present node of least cost.
    Spalm,
    /// One of the nine multidimensional strategies of the paper.
    Mpalm(ColumnRule, ValueRule),
    /// Regions of the least loss that the known heuristics reach.
    Best,
}

/// Strategies with the same method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Safe from an attacker who knows the algorithm.
    Simulatable,
    /// The paper's search over nodes.
    Spalm,
    /// The paper's nine strategies that split regions.
    Mpalm,
    /// Regions of least loss; more time gives a better release.
    Best,
}

impl Family {
    /// Every family, in the order of the table of strategies.
    pub const ALL: [Self; 4] = [Self::Simulatable, Self::Spalm, Self::Mpalm, Self::Best];

    /// The family's name in tables and reports.
    pub fn title(self) -> &'static str {
        match self {
            Self::Simulatable => "simulatable",
            Self::Spalm => "SPALM",
            Self::Mpalm => "MPALM",
            Self::Best => "best",
        }
    }

    /// Whether its strategies find regions; if not, they find a node.
    pub const fn finds_regions(self) -> bool {
        match self {
            Self::Spalm => false,
            Self::Simulatable | Self::Mpalm | Self::Best => true,
        }
    }

    /// Whether its strategies accept people with several rows each (`role = "entity"`). Regions are of rows.
    pub const fn counts_people(self) -> bool {
        !self.finds_regions()
    }

    /// Whether δ also holds against an attacker who knows the algorithm. Each possible answer to a question about T then
    /// keeps δ. An audit replays the transcript of the questions.
    pub const fn is_simulatable(self) -> bool {
        match self {
            Self::Simulatable => true,
            Self::Spalm | Self::Mpalm | Self::Best => false,
        }
    }

    /// Whether its strategies accept a time limit and then return the best release so far. A simulatable strategy runs to
    /// its end or returns no release: the time at which it stops would depend on T.
    pub const fn takes_seconds(self) -> bool {
        !self.is_simulatable()
    }

    /// The seconds after which its strategies stop by default. `best` has no natural end, and SPALM may need hours on tables with
    /// many columns.
    pub const fn default_seconds(self) -> Option<u64> {
        match self {
            Self::Best => Some(5),
            Self::Spalm => Some(60),
            Self::Simulatable | Self::Mpalm => None,
        }
    }

    /// Whether no cut of a released region keeps δ and the strategy's rules. An audit may then condition on the rejected cuts.
    pub const fn rejects_cuts(self) -> bool {
        match self {
            Self::Mpalm | Self::Best => true,
            Self::Simulatable | Self::Spalm => false,
        }
    }

    /// Whether its strategies withdraw members if the policy permits it.
    pub const fn withdraws(self) -> bool {
        match self {
            Self::Spalm | Self::Best => true,
            Self::Simulatable | Self::Mpalm => false,
        }
    }

    /// Whether its strategies draw random numbers, so that their seed matters. They have no natural end: they accept a
    /// number of rounds, and a longer run gives a better release.
    pub const fn draws(self) -> bool {
        match self {
            Self::Best => true,
            Self::Simulatable | Self::Spalm | Self::Mpalm => false,
        }
    }

    /// The unit of their progress, in words.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Spalm => "nodes judged",
            Self::Simulatable | Self::Mpalm | Self::Best => "steps",
        }
    }
}

/// The facts about a strategy that its [`Family`] does not decide, and its family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyInfo {
    /// The strategy of this row.
    pub strategy: Strategy,
    /// The name on the command line, in sessions, in reports and on the screen.
    pub name: &'static str,
    /// A second name that is accepted as input, but never written.
    pub alias: Option<&'static str>,
    /// The family, whose strategies share a method.
    pub family: Family,
    /// A description in one line, for help texts.
    pub title: &'static str,
    /// The letter in charts.
    pub letter: char,
}

/// The description of one of the nine, from what tells it from the others.
macro_rules! of_nine {
    ($rule:literal) => {
        concat!("MPALM: regions cut in two while δ is kept; ", $rule)
    };
}

/// The beginning of the description of each of the nine.
pub const OF_NINE: &str = of_nine!("");

/// The table. Each row's strategy is also a match pattern, so that a missing row does not compile.
macro_rules! strategies {
    ($($name:literal = [$($strategy:tt)+] { $($field:ident: $value:expr),* $(,)? })+) => {
        impl Strategy {
            /// The strategy's row of the table.
            pub const fn info(self) -> StrategyInfo {
                match self {
                    $($($strategy)+ => StrategyInfo {
                        strategy: self,
                        name: $name,
                        $($field: $value,)*
                        ..Self::PLAIN
                    },)+
                }
            }

            /// All strategies, in the order of every list.
            pub const ALL: &'static [Self] = &[$($($strategy)+),+];
        }
    };
}

#[rustfmt::skip]
strategies! {
    "simulatable" = [Self::Simulatable] {
        family: Family::Simulatable, letter: 'q',
        title: "regions by questions to T, each with harmless answers only: δ holds even if an attacker knows the algorithm",
    }
    "spalm" = [Self::Spalm] {
        family: Family::Spalm, letter: 'S',
        title: "SPALM: the δ-present node of least loss, exact",
    }
    "n1" = [Self::Mpalm(ColumnRule::Next, ValueRule::BalancedCardinality)] {
        letter: 'n', alias: Some("n"),
        title: of_nine!("columns in turn; halves with as equal numbers of people as possible"),
    }
    "n2" = [Self::Mpalm(ColumnRule::Next, ValueRule::FirstSplit)] {
        letter: 'n',
        title: of_nine!("columns in turn; the first cut that keeps δ"),
    }
    "n3" = [Self::Mpalm(ColumnRule::Next, ValueRule::BalancedValues)] {
        letter: 'n',
        title: of_nine!("columns in turn; halves with as equal numbers of values as possible"),
    }
    "p1" = [Self::Mpalm(ColumnRule::Priority, ValueRule::BalancedCardinality)] {
        letter: 'p', alias: Some("p"),
        title: of_nine!("the project's first column that can be cut; halves with as equal numbers \
                of people as possible"),
    }
    "p2" = [Self::Mpalm(ColumnRule::Priority, ValueRule::FirstSplit)] {
        letter: 'p',
        title: of_nine!("the project's first column that can be cut; the first cut that keeps δ"),
    }
    "p3" = [Self::Mpalm(ColumnRule::Priority, ValueRule::BalancedValues)] {
        letter: 'p',
        title: of_nine!("the project's first column that can be cut; halves with as equal \
                numbers of values as possible"),
    }
    "b1" = [Self::Mpalm(ColumnRule::Best, ValueRule::BalancedCardinality)] {
        letter: 'b', alias: Some("b"),
        title: of_nine!("the column with most values first; halves with as equal numbers of people as possible"),
    }
    "b2" = [Self::Mpalm(ColumnRule::Best, ValueRule::FirstSplit)] {
        letter: 'b',
        title: of_nine!("the column with most values first; the first cut that keeps δ"),
    }
    "b3" = [Self::Mpalm(ColumnRule::Best, ValueRule::BalancedValues)] {
        letter: 'b',
        title: of_nine!("the column with most values first; halves with as equal numbers of \
                values as possible"),
    }
    "best" = [Self::Best] {
        family: Family::Best, letter: 'B',
        title: "regions of the least loss that palmtop finds: greedy cuts, then parts cut again; given \
                time, never worse than SPALM and the nine",
    }
}

impl Strategy {
    /// The defaults of a row: the facts about the nine.
    const PLAIN: StrategyInfo = StrategyInfo {
        strategy: Self::Spalm,
        name: "",
        alias: None,
        family: Family::Mpalm,
        title: "",
        letter: ' ',
    };

    /// The strategy's family, which decides what it can do.
    pub const fn family(self) -> Family {
        self.info().family
    }

    /// The strategy to begin with.
    pub const RECOMMENDED: Self = Self::Simulatable;

    /// All strategies, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied()
    }

    /// The strategies of a family.
    pub fn of_family(family: Family) -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(move |strategy| strategy.family() == family)
    }

    /// The paper's strategies: SPALM, then the nine of MPALM in the order of the grid.
    pub fn of_the_paper() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Spalm).chain(Self::nine())
    }

    /// The nine strategies of MPALM, in the order of the grid.
    pub fn nine() -> impl Iterator<Item = Self> {
        Self::of_family(Family::Mpalm)
    }

    /// The rules of a strategy of MPALM.
    pub fn rules(self) -> Option<(ColumnRule, ValueRule)> {
        if let Self::Mpalm(column, value) = self { Some((column, value)) } else { None }
    }

    /// A sentence with all names by family: `simulatable, spalm, n1 n2 …, best`.
    pub fn names() -> String {
        let of_family = |family| {
            let names: Vec<&str> = Self::of_family(family).map(|strategy| strategy.info().name).collect();
            match family {
                Family::Mpalm => {
                    let (short, long): (Vec<&str>, Vec<&str>) = Self::of_family(family)
                        .filter_map(|strategy| Some((strategy.info().alias?, strategy.info().name)))
                        .unzip();
                    format!("{} ({} for {})", names.join(" "), short.join(", "), long.join(", "))
                }
                Family::Simulatable | Family::Spalm | Family::Best => names.join(", "),
            }
        };
        Family::ALL.map(of_family).join(", ")
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

/// The names of strategies that an older palmtop had. Its sessions and registers may have them.
pub const GONE: [&str; 3] = ["k-optimal", "mondrian", "mondrian-p"];

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.words())]
pub struct UnknownStrategy {
    /// The unknown name.
    pub name: String,
}

impl UnknownStrategy {
    fn words(&self) -> String {
        let Self { name } = self;
        if GONE.contains(&name.as_str()) {
            return format!(
                "strategy `{name}` is gone: `palmtop-experiment` compares with k-anonymity; choose {}",
                Strategy::names()
            );
        }
        format!("unknown strategy `{name}`: expected {}", Strategy::names())
    }
}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    /// Parses a name or an alias; `n`, `p` and `b` alone mean `n1`, `p1` and `b1`.
    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let is_named = |strategy: &Self| {
            let info = strategy.info();
            info.name == name || info.alias == Some(name)
        };
        Self::all().find(is_named).ok_or_else(|| UnknownStrategy { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_strategy_name_reads_back() {
        assert_eq!(Strategy::nine().count(), 9);
        for strategy in Strategy::all() {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
            assert_eq!(strategy.info().strategy, strategy);
        }
        assert_eq!("b".parse(), "b1".parse::<Strategy>());
        for wrong in ["", "s", "m", "n4", "x1", "SPALM"] {
            assert!(wrong.parse::<Strategy>().is_err(), "{wrong}");
        }
        for gone in GONE {
            let error = gone.parse::<Strategy>().unwrap_err().to_string();
            assert!(error.contains("is gone: `palmtop-experiment`"), "{error}");
        }
        assert_eq!(
            Strategy::names(),
            "simulatable, spalm, n1 n2 n3 p1 p2 p3 b1 b2 b3 (n, p, b for n1, p1, b1), best"
        );
    }

    #[test]
    fn a_family_decides_what_its_strategies_do() {
        let facts = Family::ALL.map(|family| {
            let facts = [
                (family.finds_regions(), "regions"),
                (family.counts_people(), "people"),
                (family.is_simulatable(), "simulatable"),
                (family.takes_seconds(), "seconds"),
                (family.rejects_cuts(), "rejects"),
                (family.withdraws(), "withdraws"),
                (family.draws(), "draws"),
            ];
            facts.into_iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(
            facts,
            [
                "regions simulatable",
                "people seconds withdraws",
                "regions seconds rejects",
                "regions seconds rejects withdraws draws"
            ]
        );
    }

    #[test]
    fn the_table_agrees_with_itself() {
        let names: BTreeSet<&str> = Strategy::all()
            .flat_map(|strategy| std::iter::once(strategy.info().name).chain(strategy.info().alias))
            .collect();
        let aliases = Strategy::all().filter(|strategy| strategy.info().alias.is_some()).count();
        assert_eq!(names.len(), Strategy::all().count() + aliases, "no name means two of them");
        for strategy in Strategy::all() {
            let info = strategy.info();
            assert!(!info.title.is_empty() && info.letter != ' ', "{strategy}");
            assert_eq!(info.family == Family::Mpalm, strategy.rules().is_some(), "{strategy}");
            if let Some((column, value)) = strategy.rules() {
                assert_eq!(info.name, format!("{}{}", column.letter(), value.digit()));
                assert_eq!(info.letter, column.letter());
            }
        }
        let families: BTreeSet<Family> = Strategy::all().map(Strategy::family).collect();
        assert_eq!(families.into_iter().collect::<Vec<_>>(), Family::ALL);
    }
}
