//! The rows of the table, and what each row asks: the cursor is the question.

use palmtop_core::model::{Presence, Role};
use palmtop_proposal::{Ambiguity, Decision, NotInPublic, ProposedAttribute};
use palmtop_release::caution;

use super::answers::{Answer, Answers};
use super::state::{ProposalScreen, Shown};
use super::update::{quoted, shown_name};
use crate::kit::text;

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) enum TableRow<'a> {
    Attribute(&'a ProposedAttribute),
    /// Who is counted, and whom P lacks.
    People,
    Delta,
    /// A column of T that cannot be read, with the reason.
    Unreadable(&'a str),
    /// The columns of P that no attribute uses.
    Unused(Vec<&'a str>),
}

impl ProposalScreen {
    /// The rows: those that ask something come first.
    pub(crate) fn rows(&self) -> Vec<TableRow<'_>> {
        let Some(Shown { proposal, .. }) = &self.shown else { return Vec::new() };
        let asking = proposal.attributes.iter().map(TableRow::Attribute);
        let asking = asking.chain([TableRow::People, TableRow::Delta]);
        let unreadable = proposal.unreadable.iter().map(|name| TableRow::Unreadable(name));
        let unused: Vec<&str> = proposal.ignored.iter().map(|(name, _)| name.as_str()).collect();
        let unused = (!unused.is_empty()).then_some(TableRow::Unused(unused));
        asking.chain(unreadable).chain(unused).collect()
    }

    /// The number of rows that ask something, whatever is answered.
    pub(super) fn asking(&self) -> usize {
        self.shown.as_ref().map_or(0, |shown| shown.proposal.attributes.len() + 2)
    }

    /// The attribute under the cursor.
    pub(super) fn attribute(&self) -> Option<&ProposedAttribute> {
        self.shown.as_ref()?.proposal.attributes.get(self.cursor)
    }

    /// What is open or noted about a row.
    fn about<'a>(&'a self, row: &TableRow) -> impl Iterator<Item = &'a Ambiguity> {
        let proposal = self.shown.as_ref().map(|shown| &shown.proposal);
        let is_column = move |name: &String| {
            proposal
                .is_some_and(|proposal| proposal.attributes.iter().any(|attribute| attribute.name == *name))
        };
        let wanted = match row {
            TableRow::Attribute(attribute) => Some(attribute.name.clone()),
            _ => None,
        };
        let (is_delta, is_other) =
            (matches!(row, TableRow::Delta), matches!(row, TableRow::Unreadable(_) | TableRow::Unused(_)));
        let is_about = move |open: &&Ambiguity| match (&open.attribute, &wanted) {
            _ if is_other => false,
            (Some(name), Some(wanted)) => name == wanted,
            (_, Some(_)) => false,
            (Some(name), None) => !is_delta && !is_column(name),
            (None, None) => open.is_about_delta() == is_delta,
        };
        proposal.into_iter().flat_map(|proposal| &proposal.ambiguities).filter(is_about)
    }

    /// The open question of a row; none if the row is done.
    pub(super) fn question_of(&self, row: &TableRow) -> Option<&Ambiguity> {
        self.about(row).find(|open| open.is_question())
    }

    /// The notes about a row, which no answer settles.
    pub(super) fn notes_of(&self, row: &TableRow) -> impl Iterator<Item = &Ambiguity> {
        self.about(row).filter(|open| !open.is_question())
    }

    /// The open question under the cursor.
    pub(crate) fn question(&self) -> Option<&Ambiguity> {
        self.question_of(self.rows().get(self.cursor)?)
    }

    /// The indices of the rows with an open question.
    pub(crate) fn open(&self) -> Vec<usize> {
        let rows = self.rows();
        (0..rows.len()).filter(|&index| self.question_of(&rows[index]).is_some()).collect()
    }

    /// The answers of the row under the cursor; before the first proposal, those to what it needs.
    pub(super) fn answers(&self) -> Answers {
        let Some(shown) = &self.shown else { return self.first_answers() };
        let rows = self.rows();
        let holds = |decision: &Decision| shown.proposal.follows(decision);
        match (rows.get(self.cursor), self.question()) {
            (Some(TableRow::Delta), question) => {
                let max = shown.proposal.delta.1;
                let now =
                    if question.is_some() { Answer::Decide(Decision::DeltaMax(max)) } else { Answer::Keep };
                let now = (caution::typed(max).replace('%', " %"), now);
                Answers { list: vec![now, ("another δmax".to_owned(), Answer::Delta)], default: 0 }
            }
            (_, Some(question)) => {
                let mut answers = Answers::of(&question.choices, |_| false);
                answers.default = shown.proposal.proposed_answer(question);
                for ((label, _), choice) in answers.list.iter_mut().zip(&question.choices) {
                    if let (Decision::Missing { texts, .. }, true) = (&choice.decision, self.shows_values) {
                        let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                        *label = format!("{}: {label}", texts.join(", "));
                    }
                }
                answers
            }
            (Some(TableRow::Attribute(_)), None) => {
                let roles = shown.standing.roles.get(self.cursor);
                Answers::of(roles.map_or(&[], Vec::as_slice), holds)
            }
            (Some(TableRow::People), None) => Answers::of(&shown.standing.people, holds),
            (Some(TableRow::Unused(_)), None) => {
                let mut answers = Answers::of(&shown.standing.unused, holds);
                answers.list.insert(0, ("leave them unused".to_owned(), Answer::Keep));
                answers
            }
            _ => Answers::default(),
        }
    }

    /// The answers before the first proposal.
    fn first_answers(&self) -> Answers {
        if self.is_offered() {
            let name = shown_name(&self.begin.named.public.name());
            let list = vec![
                (format!("{name} is P; I type the path of T"), Answer::Private),
                (format!("{name} is P and contains T: a column marks the members"), Answer::Within),
                (format!("{name} is T; I type the path of P"), Answer::Public),
            ];
            return Answers { list, default: 0 };
        }
        let sources = self.sources.as_ref().filter(|_| self.why_none.is_some());
        Answers::of(&sources.map(|sources| sources.member_choices()).unwrap_or_default(), |_| false)
    }

    /// The index of the marked answer.
    pub(super) fn marked(&self, answers: &Answers) -> usize {
        self.mark.unwrap_or(answers.default).min(answers.list.len().saturating_sub(1))
    }

    /// What a recipient gets of a column, in a few words.
    pub(super) fn published(&self, attribute: &ProposedAttribute) -> String {
        let is_open = self.question_of(&TableRow::Attribute(attribute)).is_some();
        match attribute.role {
            Role::Identifier | Role::Withheld if is_open => "never, until answered".to_owned(),
            Role::Identifier | Role::Withheld => "never".to_owned(),
            Role::Sensitive | Role::Insensitive if attribute.undecided => "undecided".to_owned(),
            Role::Sensitive | Role::Insensitive => "as it is".to_owned(),
            Role::Quasi => {
                attribute.hierarchy.as_ref().map_or_else(String::new, |found| found.source.brief())
            }
        }
    }
}

impl Shown {
    /// The people of P. Without a count column, a row of P is one person.
    pub(super) fn people(&self) -> u64 {
        if self.proposal.count.is_some() { self.meeting.people } else { self.meeting.public_rows }
    }

    /// How many members P lacks, and what happens to them.
    pub(super) fn missing(&self) -> String {
        let count = self.meeting.missing;
        let missing = format!("{} of T {}", text::count(count), if count == 1 { "is" } else { "are" });
        match (self.meeting.missing, self.proposal.not_in_public) {
            (0, _) => "P has all of T".to_owned(),
            (_, NotInPublic::Drop) => format!("{missing} not in P: left out"),
            (_, NotInPublic::Refuse) => format!("{missing} NOT IN P: refused"),
        }
    }

    /// δ as it is typed.
    pub(super) fn delta(&self) -> String {
        let (min, max) = self.proposal.delta;
        let typed = |bound| caution::typed(bound).replace('%', " %");
        if min == Presence::ZERO {
            format!("up to {}", typed(max))
        } else {
            format!("{} to {}", typed(min), typed(max))
        }
    }
}
