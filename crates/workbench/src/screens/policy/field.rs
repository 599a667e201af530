//! The fields of both pages: their names, what can be typed, and where the project file has them.

/// A page of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// What is promised: δ, the criteria, why.
    Promise,
    /// What the report states.
    Report,
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Max,
    Min,
    K,
    L,
    T,
    KMap,
    EmptyRegions,
    Reason,
    Prior,
    Misuse,
    MisuseDown,
    Cost,
    Responsible,
    Organization,
    Period,
    Review,
    Contact,
    Context,
    Recipients,
    Controls,
    Attempt,
    Public,
    Law,
}

use Field as F;

/// The fields of the first page, then those of the second.
pub(crate) const FIELDS: [Field; 23] = [
    F::Max,
    F::Min,
    F::K,
    F::L,
    F::T,
    F::KMap,
    F::EmptyRegions,
    F::Reason,
    F::Prior,
    F::Misuse,
    F::MisuseDown,
    F::Cost,
    F::Responsible,
    F::Organization,
    F::Period,
    F::Review,
    F::Contact,
    F::Context,
    F::Recipients,
    F::Controls,
    F::Attempt,
    F::Public,
    F::Law,
];

/// The first field of the advisor.
const ADVISOR: usize = F::Prior as usize;
/// The first field of the report.
const REPORT: usize = F::Responsible as usize;

/// The fields with a criterion of `[policy]`.
pub(crate) const CRITERIA: [Field; 4] = [F::K, F::L, F::T, F::KMap];

impl Page {
    /// The fields of the page, in the order of the cursor.
    pub(crate) fn fields(self) -> &'static [Field] {
        match self {
            Self::Promise => &FIELDS[..REPORT],
            Self::Report => &FIELDS[REPORT..],
        }
    }

    /// The other page.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Promise => Self::Report,
            Self::Report => Self::Promise,
        }
    }
}

impl Field {
    /// Whether it is one of the advisor's, which are in one line.
    pub(crate) fn is_advisor(self) -> bool {
        (ADVISOR..REPORT).contains(&(self as usize))
    }

    /// The name on the screen.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Max => "δmax",
            Self::Min => "δmin",
            Self::K => "k",
            Self::L => "l",
            Self::T => "t",
            Self::KMap => "k-map",
            Self::EmptyRegions => "empty regions",
            Self::Reason => "reason",
            Self::Prior => "prior",
            Self::Misuse => "misuse",
            Self::MisuseDown => "down",
            Self::Cost => "cost",
            Self::Responsible => "responsible",
            Self::Organization => "organization",
            Self::Period => "period",
            Self::Review => "review",
            Self::Contact => "contact",
            Self::Context => "context",
            Self::Recipients => "recipients",
            Self::Controls => "controls",
            Self::Attempt => "attempts",
            Self::Public => "people of P",
            Self::Law => "law",
        }
    }

    /// The table and the key in the project file.
    pub(crate) fn key(self) -> (&'static str, &'static str) {
        match self {
            Self::Max => ("delta", "max"),
            Self::Min => ("delta", "min"),
            Self::Reason => ("delta", "reason"),
            Self::Prior => ("delta", "prior"),
            Self::Misuse => ("delta", "misuse"),
            Self::MisuseDown => ("delta", "misuse_down"),
            Self::Cost => ("delta", "cost"),
            Self::K => ("policy", "k"),
            Self::L => ("policy", "l"),
            Self::T => ("policy", "t"),
            Self::KMap => ("policy", "k_map"),
            Self::EmptyRegions => ("search", "empty_regions"),
            Self::Responsible => ("report", "responsible"),
            Self::Organization => ("report", "organization"),
            Self::Period => ("report", "period"),
            Self::Review => ("report", "review"),
            Self::Contact => ("report", "contact"),
            Self::Context => ("report", "context"),
            Self::Recipients => ("report", "recipients"),
            Self::Controls => ("report", "controls"),
            Self::Attempt => ("report", "attempt"),
            Self::Public => ("report", "public"),
            Self::Law => ("report", "law"),
        }
    }

    /// The name of its line, and what can be typed.
    pub(crate) fn question(self) -> (&'static str, &'static str) {
        match self {
            Self::Max => ("policy.max", "nobody may be more likely in T than this: 10%, .1 or 1/10"),
            Self::Min => {
                ("policy.min", "nobody may be less likely in T than this; 0 allows people certainly not in T")
            }
            Self::K => ("policy.k", "each class has at least so many members: 3; empty: not required"),
            Self::L => (
                "policy.l",
                "different sensitive values in each class: 3, entropy 2.5, 3 of COLUMN; empty: not required",
            ),
            Self::T => {
                ("policy.t", "distance of a class's values from T's: 0.2, 0.2 of COLUMN; empty: not required")
            }
            Self::KMap => {
                ("policy.k-map", "each class has at least so many people of P: 11; empty: not required")
            }
            Self::EmptyRegions => {
                ("policy.empty-regions", "allowed, or forbidden: each class then needs a member")
            }
            Self::Reason => {
                ("policy.reason", "why δ is this one, in a sentence that every report shows; name nobody")
            }
            Self::Prior => (
                "policy.prior",
                "the belief before the release that somebody of P has what T has in common: 4%",
            ),
            Self::Misuse => {
                ("policy.misuse", "how far the release may raise this belief, times the cost: 6%")
            }
            Self::MisuseDown => {
                ("policy.misuse-down", "how far the release may lower it, times the cost; empty: any")
            }
            Self::Cost => ("policy.cost", "the cost of a belief that goes wrongly from 0 to 1; usually 1"),
            Self::Responsible => ("policy.responsible", "the person who is responsible for the release"),
            Self::Organization => ("policy.organization", "the organization that publishes the release"),
            Self::Period => ("policy.period", "the period of the data, in your words"),
            Self::Review => ("policy.review", "the day of the next review: 2027-01-31"),
            Self::Contact => {
                ("policy.contact", "whom to ask about the release; the recipient's report has it, too")
            }
            Self::Context => ("policy.context", "who gets the release: public, agreement, or your words"),
            Self::Recipients => ("policy.recipients", "the recipients by name"),
            Self::Controls => {
                ("policy.controls", "what keeps them from misusing it: a contract, a closed room")
            }
            Self::Attempt => (
                "policy.attempts",
                "how likely somebody tries: on purpose, by chance, after a breach: 40% 20% 25%",
            ),
            Self::Public => ("policy.people", "who the people of P are; the recipient's report has it, too"),
            Self::Law => ("policy.law", "the laws that cautions name: hipaa gdpr; empty: none"),
        }
    }

    /// Whether the report states it.
    pub(crate) fn is_stated(self) -> bool {
        self as usize >= REPORT
    }

    /// The field whose line has this name.
    pub(crate) fn of_line(id: &str) -> Option<Self> {
        FIELDS.into_iter().find(|field| field.question().0 == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_listed_in_their_order() {
        assert!(FIELDS.iter().enumerate().all(|(index, field)| *field as usize == index));
        assert!(FIELDS.iter().all(|field| Field::of_line(field.question().0) == Some(*field)));
    }
}
