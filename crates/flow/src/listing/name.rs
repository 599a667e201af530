//! How the analyst's words name attributes.

use palmtop_core::model::Problem;

/// A word that names nothing here, or more than one thing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No such name.
    #[error("there is no `{name}` here; possible are {possible}")]
    Unknown {
        /// What was given.
        name: String,
        /// What is possible, separated by commas.
        possible: String,
    },
    /// The beginning of several names.
    #[error("`{name}` may be {possible}; write more of it")]
    Ambiguous {
        /// What was given.
        name: String,
        /// The attributes that it may be, separated by commas.
        possible: String,
    },
}

/// The attribute that a word names: as written, else whatever the case, else as the beginning of one name alone.
/// `words` are what else would have been possible in its place.
pub(super) fn attribute(problem: &Problem, name: &str, words: &[&str]) -> Result<usize, NameError> {
    let names = || problem.quasi().iter().map(|quasi| quasi.name.as_str());
    if let Some(exact) = names().position(|own| own == name) {
        return Ok(exact);
    }
    let lower = name.to_lowercase();
    let lowered: Vec<String> = names().map(str::to_lowercase).collect();
    let those = |fits: &dyn Fn(&String) -> bool| -> Vec<usize> {
        (0..lowered.len()).filter(|&place| fits(&lowered[place])).collect()
    };
    let mut found = those(&|own| *own == lower);
    if found.is_empty() && !lower.is_empty() {
        found = those(&|own| own.starts_with(&lower));
    }
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let possible: Vec<&str> = words.iter().copied().chain(names()).collect();
            Err(NameError::Unknown { name: name.to_owned(), possible: possible.join(", ") })
        }
        several => {
            let possible: Vec<&str> =
                several.iter().map(|&place| problem.quasi()[place].name.as_str()).collect();
            Err(NameError::Ambiguous { name: name.to_owned(), possible: possible.join(", ") })
        }
    }
}
