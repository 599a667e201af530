//! The features of a run.

use std::fmt;

use palmtop_core::model::criterion::{KINDS, Needs};
use palmtop_core::strategy::Strategy;

/// A setting, a strategy, an option or a command that may exclude another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// People have several rows: `role = "entity"`.
    People,
    /// One row of each person counts: `distinct` or `first_by`.
    OneRow,
    /// Members may be withdrawn: `suppress_at_most`.
    Withdrawal,
    /// A criterion on sensitive values: `l` or `t`.
    ValueCriteria,
    /// A criterion on counts, such as `k`.
    CountCriteria,
    /// A limit of a quasi-identifier: `levels` or `shape`.
    Limits,
    /// A limit of published sets and ranges: `terms` or `borders`.
    Terms,
    /// P is a sample: `sample_of`.
    Sample,
    /// A row of P is for several people: `count`.
    Count,
    /// T is a part of P: `member`.
    Member,
    /// Members who are not in P are dropped or added: `not_in_public`.
    Outsiders,
    /// Members who are not in P are added to P: `not_in_public = "add"`.
    AddedOutsiders,
    /// The release of a node that the analyst chooses.
    Node,
    /// The release of a strategy.
    Strategy(Strategy),
    /// `--audit`.
    Audit,
    /// `--beside`.
    Beside,
    /// `--with transcript`, or a transcript to audit.
    Transcript,
    /// `--budget 5s`.
    Seconds,
    /// `--budget 40rounds` or `--budget 120steps`.
    Rounds,
    /// `--accept not_present`.
    AllowNotPresent,
    /// A command that reads the tables of a project.
    Command(Command),
    /// A caller of the library that judges presence.
    Verdict,
    /// A caller of the library that counts each row as a person.
    RowCount,
}

/// The kinds of features, in the order in which a refusal names them last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A setting of the project.
    Project,
    /// What is released: a strategy or a node.
    Release,
    /// An option of the command line.
    Option,
    /// A command.
    Command,
}

/// Declares the commands with the name that a user types.
macro_rules! commands {
    ($($(#[$meaning:meta])* $variant:ident = $name:literal)+) => {
        /// A command that reads the tables of a project, and the workbench.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            $($(#[$meaning])* $variant,)+
        }

        impl Command {
            /// Every command, in the order of the help.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name that a user types.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

commands! {
    /// The workbench.
    Workbench = "workbench"
    /// Describes the tables.
    Check = "check"
    /// Computes δ.
    Advise = "advise"
    /// Estimates from a sample.
    Estimate = "estimate"
    /// Lists classes.
    Classes = "classes"
    /// Lists nodes.
    Lattice = "lattice"
    /// Writes a release.
    Anonymize = "anonymize"
    /// Compares strategies.
    Compare = "compare"
    /// Audits the choice of a release.
    Audit = "audit"
    /// Judges several releases together.
    Compose = "compose"
    /// Recounts a written release.
    Verify = "verify"
    /// Writes a report.
    Report = "report"
    /// Fetches P from a database.
    Fetch = "fetch"
    /// Exports hierarchies.
    Hierarchy = "hierarchy"
    /// Runs the experiments of the paper.
    Experiment = "palmtop-experiment"
}

impl Feature {
    /// The settings of projects.
    pub const OF_PROJECTS: [Self; 12] = [
        Self::People,
        Self::OneRow,
        Self::Withdrawal,
        Self::ValueCriteria,
        Self::CountCriteria,
        Self::Limits,
        Self::Terms,
        Self::Sample,
        Self::Count,
        Self::Member,
        Self::Outsiders,
        Self::AddedOutsiders,
    ];

    /// The options.
    pub const OPTIONS: [Self; 6] =
        [Self::Audit, Self::Beside, Self::Transcript, Self::Seconds, Self::Rounds, Self::AllowNotPresent];

    /// A node, and every strategy.
    pub fn releases() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Node).chain(Strategy::all().map(Self::Strategy))
    }

    /// Every command.
    pub fn commands() -> impl Iterator<Item = Self> {
        Command::ALL.iter().copied().map(Self::Command)
    }

    /// The kind of this feature.
    pub fn kind(self) -> Kind {
        match self {
            Self::Node | Self::Strategy(_) => Kind::Release,
            Self::Command(_) | Self::Verdict | Self::RowCount => Kind::Command,
            other if Self::OPTIONS.contains(&other) => Kind::Option,
            _ => Kind::Project,
        }
    }
}

/// The keys of the criteria that need this data: `` `l` or `t` ``.
fn criteria(needs: Needs) -> String {
    let kinds = KINDS.iter().filter(|kind| kind.needs == needs);
    any_of(&kinds.map(|kind| kind.key).collect::<Vec<_>>())
}

/// Names as alternatives: `` `a`, `b` or `c` ``.
pub fn any_of(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::People => "`role = \"entity\"`",
            Self::OneRow => "`distinct` or `first_by`",
            Self::Withdrawal => "`suppress_at_most`",
            Self::ValueCriteria => return f.write_str(&criteria(Needs::Sensitive)),
            Self::CountCriteria => return f.write_str(&criteria(Needs::Counts)),
            Self::Limits => "`levels` or `shape`",
            Self::Terms => "`terms` or `borders`",
            Self::Sample => "`sample_of`",
            Self::Count => "`count`",
            Self::Member => "`member`",
            Self::Outsiders => "`not_in_public`",
            Self::AddedOutsiders => "`not_in_public = \"add\"`",
            Self::Node => "--node",
            Self::Strategy(strategy) => return write!(f, "--strategy {strategy}"),
            Self::Audit => "--audit",
            Self::Beside => "--beside",
            Self::Transcript => "a transcript",
            Self::Seconds => "--budget in seconds",
            Self::Rounds => "--budget in rounds",
            Self::AllowNotPresent => "--accept not_present",
            Self::Verdict => "a verdict on presence",
            Self::RowCount => "a count of each row as a person",
            Self::Command(Command::Workbench) => "the workbench",
            Self::Command(command) => return write!(f, "`{}`", command.name()),
        })
    }
}
