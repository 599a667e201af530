//! What the analyst typed for the advisor of δ, kept for the next time that the dialog opens.

/// The advisor's fields as text; a field may be empty or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedStakes {
    pub(crate) prior: String,
    pub(crate) misuse: String,
    pub(crate) misuse_down: String,
    pub(crate) cost: String,
}

impl Default for TypedStakes {
    fn default() -> Self {
        let empty = String::new;
        Self { prior: empty(), misuse: empty(), misuse_down: empty(), cost: "1".to_owned() }
    }
}
