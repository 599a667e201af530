//! An entry of the code list.

use serde::{Deserialize, Serialize};

use super::form::TextForm;
use super::values::{ValueRange, list};
use palmtop_project::keys;

keys! {
/// A text of the release, or a label in such a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedText {
    /// The text.
    pub text: String,
    /// `value` (of P), `missing` (the label of people without a value), `label`, `range`, `set` or `except`.
    pub form: TextForm,
    /// What the text means, without the `ranges`: labels that have a row of their own, and values of P.
    pub means: Vec<String>,
    /// Ranges of values that the text means, in the order of numbers or dates.
    pub ranges: Vec<ValueRange>,
    /// The labels and values that the text leaves out.
    pub except: Vec<String>,
    /// The number of values of P that the text means.
    pub count: u64,
    /// The people of P who have one of these values.
    pub people: u64,
}
}

impl CodedText {
    /// What the text means, without its exceptions, as a list: `unknown, 18 to 29`. A name that could be misread is a JSON string.
    pub fn meaning(&self) -> String {
        list(&self.means, &self.ranges)
    }

    /// What the text leaves out, as a list.
    pub fn exceptions(&self) -> String {
        list(&self.except, &[])
    }
}
