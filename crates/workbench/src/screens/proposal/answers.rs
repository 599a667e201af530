//! The answers of a row, and which of them hold.

use palmtop_proposal::{Aspect, Choice, Decision, Decisions, Meeting, NotInPublic, Proposal, Sources};

/// What an answer does.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Make a decision.
    Decide(Decision),
    /// Leave it as it is.
    Keep,
    /// Type another δmax.
    Delta,
    /// T is a separate table; ask for its path.
    Private,
    /// T is part of the table.
    Within,
    /// The table is T; ask for the path of P.
    Public,
}

/// The answers of the row under the cursor.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) list: Vec<(String, Answer)>,
    /// The proposed answer, or the one that holds.
    pub(super) default: usize,
}

impl Answers {
    /// Choices, of which those that hold change nothing.
    pub(super) fn of(choices: &[Choice], holds: impl Fn(&Decision) -> bool) -> Self {
        let default = choices.iter().position(|choice| holds(&choice.decision)).unwrap_or(0);
        let answer = |choice: &Choice| match &choice.decision {
            decision if holds(decision) => (choice.label.clone(), Answer::Keep),
            decision => (choice.label.clone(), Answer::Decide(decision.clone())),
        };
        Self { list: choices.iter().map(answer).collect(), default }
    }
}

/// What can be decided about a row, whether or not a question is open.
pub(crate) struct Standing {
    /// The roles of each attribute.
    pub(super) roles: Vec<Vec<Choice>>,
    /// What happens to members that P lacks, and which columns of P count people and mark members.
    pub(super) people: Vec<Choice>,
    /// Which columns of T the columns of P are that no attribute uses.
    pub(super) unused: Vec<Choice>,
}

impl Standing {
    pub(super) fn of(
        sources: &Sources,
        (proposal, meeting): (&Proposal, &Meeting),
        decisions: &Decisions,
    ) -> Self {
        let roles = |attribute| sources.choices(proposal, decisions, (attribute, Aspect::Role));
        let ways = [
            (NotInPublic::Refuse, "refuse members that P lacks until the tables are corrected"),
            (NotInPublic::Drop, "leave them out; every result has their number"),
        ];
        let way = |(way, label): (NotInPublic, &str)| Choice {
            label: label.to_owned(),
            decision: Decision::NotInPublic(way),
        };
        let ways = ways.into_iter().filter(|_| meeting.missing > 0).map(way);
        let counts = sources.count_choices(proposal);
        // That no column counts people is worth a line only if one could.
        let counts = if counts.len() > 1 { counts } else { Vec::new() };
        let people = ways.chain(counts).chain(sources.member_choices()).collect();
        let unused = sources.spare_choices(proposal);
        Self { roles: proposal.attributes.iter().map(roles).collect(), people, unused }
    }
}
