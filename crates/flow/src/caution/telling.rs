//! Published columns that tell more of people than the quasi-identifiers: what the promise of δ leaves out.

use serde::{Deserialize, Serialize};

use super::words::listed;
use super::{Key, ProjectCautions};
use crate::project::Project;
use palmtop_core::model::{Presence, Role};
use palmtop_measure::betrayal::Risk;

/// A published column that tells more of people than the quasi-identifiers do, or may do so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TellingColumn {
    /// The column.
    pub column: String,
    /// What it gives away; empty if nobody decided its role.
    pub about: Vec<String>,
}

/// The quasi-identifiers that a promise of δ is about, and the published columns that tell more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Telling {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The published columns that tell more; if there is none, the promise holds for all of the release.
    pub columns: Vec<TellingColumn>,
    /// What the columns cost a release together; `None` if that is not counted.
    pub cost: Option<Cost>,
}

/// What columns that tell more cost a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Whether a released row fits fewer than 1/δmax people of P.
    pub is_beyond: bool,
    /// How many rows do, as a part of a sentence.
    pub words: String,
}

impl Telling {
    /// The columns of a project that tell more, with what they cost a release under δmax, if that is counted.
    pub fn of(project: &Project, cautions: &ProjectCautions, cost: Option<(Risk, Presence)>) -> Self {
        let quasi = project.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        let mut columns: Vec<TellingColumn> = Vec::new();
        for betrayal in cautions.betrayals.list() {
            match columns.iter_mut().find(|own| own.column == betrayal.column) {
                Some(own) if own.about.contains(&betrayal.quasi) => {}
                Some(own) => own.about.push(betrayal.quasi.clone()),
                None => columns.push(TellingColumn {
                    column: betrayal.column.clone(),
                    about: vec![betrayal.quasi.clone()],
                }),
            }
        }
        let has_betrayals = !columns.is_empty();
        let undecided = cautions.list.iter().filter(|caution| caution.key == Key::Undecided);
        for column in undecided.filter_map(|caution| caution.subject.as_ref()) {
            if columns.iter().all(|own| own.column != *column) {
                columns.push(TellingColumn { column: column.clone(), about: Vec::new() });
            }
        }
        let cost = cost.filter(|_| has_betrayals);
        let cost = cost.map(|(risk, max)| Cost { is_beyond: risk.few > 0, words: risk.sentence(max) });
        Self { quasi: quasi.map(|attribute| attribute.name.clone()).collect(), columns, cost }
    }

    /// Whether no published column tells more.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The quasi-identifiers: `` `Age`, `Sex` and `Area` ``.
    pub fn judged_by(&self) -> String {
        quoted(&self.quasi)
    }

    /// The published columns that tell more.
    pub fn readers_columns(&self) -> String {
        quoted(&self.columns.iter().map(|own| own.column.clone()).collect::<Vec<_>>())
    }

    /// A statement about people, limited to readers who judge by the quasi-identifiers alone if a published column tells more.
    pub fn limit(&self, statement: &str) -> String {
        if self.is_empty() {
            return statement.to_owned();
        }
        let mut characters = statement.chars();
        let first = characters.next().map(|first| first.to_ascii_lowercase());
        let statement: String = first.into_iter().chain(characters).collect();
        format!("Judged by {} alone, {statement} {}", self.judged_by(), self.sentences())
    }

    /// An adversary, who judges by the quasi-identifiers alone if a published column tells more.
    pub fn limit_adversary(&self, adversary: &str) -> String {
        if self.is_empty() {
            adversary.to_owned()
        } else {
            format!("{adversary}, and judges by {} alone", self.judged_by())
        }
    }

    /// What each column tells, and what that costs.
    pub fn sentences(&self) -> String {
        let (decided, undecided): (Vec<_>, Vec<_>) =
            self.columns.iter().partition(|own| !own.about.is_empty());
        let tells = (0..).zip(&decided).map(|(nth, own): (usize, _)| {
            let tells = if nth == 0 { "tells more " } else { "" };
            format!("`{}` {tells}about {}", own.column, quoted(&own.about))
        });
        let cost = self.cost.as_ref().map_or_else(String::new, |cost| format!(": {}", cost.words));
        let mut sentences = Vec::new();
        if !decided.is_empty() {
            sentences.push(format!("{}{cost}.", tells.collect::<Vec<_>>().join(", ")));
        }
        if !undecided.is_empty() {
            let names: Vec<String> = undecided.iter().map(|own| own.column.clone()).collect();
            sentences.push(format!("Nobody decided whether {} may tell more.", quoted(&names)));
        }
        sentences.join(" ")
    }
}

fn quoted(names: &[String]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telling(columns: &[(&str, &[&str])]) -> Telling {
        let columns = columns.iter().map(|(column, about)| TellingColumn {
            column: (*column).to_owned(),
            about: about.iter().map(|name| (*name).to_owned()).collect(),
        });
        let quasi = ["age", "sex", "zip"].map(ToOwned::to_owned).to_vec();
        Telling { quasi, columns: columns.collect(), cost: None }
    }

    #[test]
    fn a_statement_is_limited_only_if_a_column_tells_more() {
        let statement = "Nobody of the 20 can be taken for a member with more than 10 %.";
        assert_eq!(telling(&[]).limit(statement), statement);
        let mut born = telling(&[("born", &["age"]), ("home", &["zip", "age"]), ("note", &[])]);
        assert_eq!(
            born.limit(statement),
            "Judged by `age`, `sex` and `zip` alone, nobody of the 20 can be taken for a member with more than 10 %. `born` tells \
             more about `age`, `home` about `zip` and `age`. Nobody decided whether `note` may tell more."
        );
        born.columns.truncate(1);
        born.cost =
            Some(Cost { is_beyond: true, words: "55 rows then fit exactly one person of P".to_owned() });
        assert!(born.limit("δ is broken.").ends_with(
            "alone, δ is broken. `born` tells more about `age`: 55 rows then fit exactly one person of P."
        ));
    }
}
