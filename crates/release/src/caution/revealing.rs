//! Published columns that reveal more about people than the quasi-identifiers do. The promise of δ does not cover them.

use serde::{Deserialize, Serialize};

use super::words::listed;
use super::{Key, ProjectCautions};
use palmtop_core::model::{Presence, Role};
use palmtop_measure::betrayal::Risk;
use palmtop_project::Project;

/// A published column that reveals more about people than the quasi-identifiers do, or may reveal more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevealingColumn {
    /// The name of the published column.
    pub column: String,
    /// The quasi-identifiers that the column reveals; empty if nobody decided the role of the column.
    pub about: Vec<String>,
}

/// The quasi-identifiers that a promise of δ covers, and the published columns that reveal more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RevealingColumns {
    /// The quasi-identifiers, in project order.
    pub quasi: Vec<String>,
    /// The published columns that are known to reveal more.
    pub columns: Vec<RevealingColumn>,
    /// Whether other columns are published, too: `init` and `betrays` may miss what they tell.
    pub has_others: bool,
    /// What all these columns together cost a release; `None` if this was not counted.
    pub cost: Option<Cost>,
}

/// What columns that reveal more cost a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Whether a released row fits fewer than 1/δmax people of P.
    pub is_beyond: bool,
    /// The number of such rows, as a part of a sentence.
    pub words: String,
}

impl RevealingColumns {
    /// The columns of a project that reveal more, and what they cost a release under δmax if a risk was counted.
    pub fn of(project: &Project, cautions: &ProjectCautions, cost: Option<(Risk, Presence)>) -> Self {
        let quasi = project.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        let mut columns: Vec<RevealingColumn> = Vec::new();
        for betrayal in cautions.betrayals.list() {
            match columns.iter_mut().find(|known| known.column == betrayal.column) {
                Some(known) if known.about.contains(&betrayal.quasi) => {}
                Some(known) => known.about.push(betrayal.quasi.clone()),
                None => columns.push(RevealingColumn {
                    column: betrayal.column.clone(),
                    about: vec![betrayal.quasi.clone()],
                }),
            }
        }
        let has_betrayals = !columns.is_empty();
        let undecided = cautions.list.iter().filter(|caution| caution.key == Key::Undecided);
        for column in undecided.filter_map(|caution| caution.subject.as_ref()) {
            if columns.iter().all(|known| known.column != *column) {
                columns.push(RevealingColumn { column: column.clone(), about: Vec::new() });
            }
        }
        let cost = cost.filter(|_| has_betrayals);
        let cost = cost.map(|(risk, max)| Cost { is_beyond: risk.few > 0, words: risk.sentence(max) });
        let is_other = |role| matches!(role, Role::Sensitive | Role::Insensitive);
        let has_others = project.attributes.iter().any(|attribute| is_other(attribute.role));
        Self { quasi: quasi.map(|attribute| attribute.name.clone()).collect(), columns, has_others, cost }
    }

    /// Whether no published column reveals more.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The quasi-identifiers: `` `Age`, `Sex` and `Area` ``.
    pub fn judged_by(&self) -> String {
        quoted(&self.quasi)
    }

    /// The published columns that reveal more: `` `born` and `home` ``.
    pub fn readers_columns(&self) -> String {
        quoted(&self.columns.iter().map(|extra| extra.column.clone()).collect::<Vec<_>>())
    }

    /// A statement about people. If other columns are published, the statement is limited to an attacker who uses only the
    /// quasi-identifiers; what is known of the others follows.
    pub fn limit(&self, statement: &str) -> String {
        if self.is_empty() && !self.has_others {
            return statement.to_owned();
        }
        format!("{} {}", limited_to(&self.quasi, statement), self.sentences()).trim_end().to_owned()
    }

    /// An attacker. If a published column reveals more, the attacker is limited to the quasi-identifiers.
    pub fn limit_attacker(&self, attacker: &str) -> String {
        if self.is_empty() { attacker.to_owned() } else { attacker_limited_to(&self.quasi, attacker) }
    }

    /// What each column reveals, and what all of them cost the release.
    pub fn sentences(&self) -> String {
        let (decided, undecided): (Vec<_>, Vec<_>) =
            self.columns.iter().partition(|extra| !extra.about.is_empty());
        let revealed = (0..).zip(&decided).map(|(index, extra): (usize, _)| {
            let verb = if index == 0 { "reveals more " } else { "" };
            format!("`{}` {verb}about {}", extra.column, quoted(&extra.about))
        });
        let cost = self.cost.as_ref().map_or_else(String::new, |cost| format!(": {}", cost.words));
        let mut sentences = Vec::new();
        if !decided.is_empty() {
            sentences.push(format!("{}{cost}.", revealed.collect::<Vec<_>>().join(", ")));
        }
        if !undecided.is_empty() {
            let names: Vec<String> = undecided.iter().map(|extra| extra.column.clone()).collect();
            sentences.push(format!("Nobody decided whether {} may reveal more.", quoted(&names)));
        }
        sentences.join(" ")
    }
}

/// The greatest number of quasi-identifiers that a sentence names.
const NAMED: usize = 4;

/// The quasi-identifiers, or their number if they are many.
fn named(columns: &[String]) -> String {
    if columns.len() > NAMED { format!("the {} quasi-identifiers", columns.len()) } else { quoted(columns) }
}

/// A statement about people, limited to an attacker who uses only these columns.
pub fn limited_to(columns: &[String], statement: &str) -> String {
    let mut characters = statement.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    let statement: String = first.into_iter().chain(characters).collect();
    format!("For an attacker who uses only {}: {statement}", named(columns))
}

/// An attacker, limited to these columns.
pub fn attacker_limited_to(columns: &[String], attacker: &str) -> String {
    format!("{attacker}, and uses only {} of the release", named(columns))
}

fn quoted(names: &[String]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revealing(columns: &[(&str, &[&str])]) -> RevealingColumns {
        let columns = columns.iter().map(|(column, about)| RevealingColumn {
            column: (*column).to_owned(),
            about: about.iter().map(|name| (*name).to_owned()).collect(),
        });
        let quasi = ["age", "sex", "zip"].map(ToOwned::to_owned).to_vec();
        RevealingColumns { quasi, columns: columns.collect(), has_others: false, cost: None }
    }

    #[test]
    fn statement_is_limited_if_more_is_published() {
        let statement = "Each of the 20 people is a member with a probability of at most 10 %.";
        assert_eq!(revealing(&[]).limit(statement), statement);
        let unknown = RevealingColumns { has_others: true, ..revealing(&[]) };
        assert_eq!(
            unknown.limit(statement),
            "For an attacker who uses only `age`, `sex` and `zip`: each of the 20 people is a member with a probability of at most 10 %."
        );
        let mut born = revealing(&[("born", &["age"]), ("home", &["zip", "age"]), ("note", &[])]);
        assert_eq!(
            born.limit(statement),
            "For an attacker who uses only `age`, `sex` and `zip`: each of the 20 people is a member with a probability of at most \
             10 %. `born` reveals more about `age`, `home` about `zip` and `age`. Nobody decided whether `note` may reveal more."
        );
        born.columns.truncate(1);
        born.cost =
            Some(Cost { is_beyond: true, words: "55 rows then fit exactly one person of P".to_owned() });
        assert!(born.limit("δ is broken.").ends_with(
            "`zip`: δ is broken. `born` reveals more about `age`: 55 rows then fit exactly one person of P."
        ));
    }
}
