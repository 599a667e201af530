//! Names of attributes in filters and orders.

use palmtop_core::model::Problem;

/// A word is not a name, or the beginning of several names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No name begins with the word.
    #[error("there is no `{name}` here; expected one of {possible}")]
    Unknown {
        /// The given word.
        name: String,
        /// The possible names, separated by commas.
        possible: String,
    },
    /// Several names begin with the word.
    #[error("`{name}` may be {possible}; write more of it")]
    Ambiguous {
        /// The given word.
        name: String,
        /// The attributes that it may be, separated by commas.
        possible: String,
    },
}

/// The attribute that a word names: an exact match, else a match in any case, else the only name that begins with the word.
/// `words` are the other words that would be possible here.
pub(super) fn attribute(problem: &Problem, name: &str, words: &[&str]) -> Result<usize, NameError> {
    let names = || problem.quasi().iter().map(|quasi| quasi.name.as_str());
    if let Some(exact) = names().position(|known| known == name) {
        return Ok(exact);
    }
    let lower = name.to_lowercase();
    let lowered: Vec<String> = names().map(str::to_lowercase).collect();
    let those = |fits: &dyn Fn(&String) -> bool| -> Vec<usize> {
        (0..lowered.len()).filter(|&index| fits(&lowered[index])).collect()
    };
    let mut found = those(&|known| *known == lower);
    if found.is_empty() && !lower.is_empty() {
        found = those(&|known| known.starts_with(&lower));
    }
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let possible: Vec<&str> = words.iter().copied().chain(names()).collect();
            Err(NameError::Unknown { name: name.to_owned(), possible: possible.join(", ") })
        }
        several => {
            let possible: Vec<&str> =
                several.iter().map(|&index| problem.quasi()[index].name.as_str()).collect();
            Err(NameError::Ambiguous { name: name.to_owned(), possible: possible.join(", ") })
        }
    }
}
