//! The section about how long the cells of a release are.

use serde::{Deserialize, Serialize};

use palmtop_core::metrics::Readability;
use palmtop_core::model::Problem;
use palmtop_project::keys;

keys! {
/// How long the cells of a release are: the texts of quasi-identifiers in its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadabilitySection {
    /// The mean number of terms in a cell: labels, values, ranges and exceptions.
    pub terms: f64,
    /// The largest number of terms in a cell.
    pub most_terms: u64,
    /// The mean number of characters in a cell.
    pub characters: f64,
    /// The largest number of characters in a cell.
    pub most_characters: u64,
    /// The share of cells with one term.
    pub one_term: f64,
    /// The quasi-identifiers that are `*` in more than nine of ten rows.
    pub starred: Vec<String>,
}
}

impl ReadabilitySection {
    /// The section of a measured release.
    pub fn of(problem: &Problem, measured: &Readability) -> Self {
        let Readability { terms, most_terms, characters, most_characters, one_term, ref starred, .. } =
            *measured;
        let name = |&attribute: &usize| problem.quasi()[attribute].name.clone();
        let starred = starred.iter().map(name).collect();
        Self { terms, most_terms, characters, most_characters, one_term, starred }
    }

    /// The section in two or three sentences.
    pub fn words(&self) -> String {
        let Self { terms, most_terms, characters, most_characters, one_term, starred } = self;
        let hard = if Readability::is_hard(*terms) { " The release is hard to read." } else { "" };
        let starred = match starred.as_slice() {
            [] => String::new(),
            names => format!(" In more than nine of ten rows, * is the text of {}.", names.join(", ")),
        };
        format!(
            "A generalized cell has {terms:.2} terms on average and at most {most_terms}, and {characters:.1} characters on \
             average and at most {most_characters}. A term is a label, a value, a range or an exception. {:.0} % of the cells \
             have one term.{hard}{starred}",
            100.0 * one_term
        )
    }
}
