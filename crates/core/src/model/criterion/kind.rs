//! What a criterion is: its interface, the data of a class that it needs, and its judgement.

use std::fmt;
use std::sync::Arc;

use crate::model::fraction::Fraction;
use crate::model::presence::Counts;
use crate::model::sensitive::{ClassValues, SensitiveValues};
use crate::model::values::ValueCounts;

/// The data of a class that a criterion uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The number of members of T and of individuals of P.
    Counts,
    /// In addition, the frequency of each sensitive value among the members.
    Sensitive,
}

/// What a criterion protects from an attacker who knows that a person is a member. δ does not protect from this attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protects {
    /// Neither the person's row nor a sensitive value.
    Neither,
    /// The person's row.
    Row,
    /// The person's sensitive value.
    Value,
}

/// The data of a class that criteria use: the counts of [`Needs::Counts`] and, if known, the values
/// of [`Needs::Sensitive`].
///
/// Two are equal if their counts and their members' values are equal.
#[derive(Clone, Debug)]
pub struct ClassData {
    counts: Counts,
    values: Option<Arc<ClassValues>>,
}

impl ClassData {
    /// Creates the data of a class with its members' sensitive values.
    pub fn with_values(counts: Counts, values: Arc<ClassValues>) -> Self {
        Self { counts, values: Some(values) }
    }

    /// The number of members of T and of individuals of P.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The members' sensitive values; `None` if they were not counted.
    pub fn values(&self) -> Option<&ClassValues> {
        self.values.as_deref()
    }

    /// The data of the union of two classes of one table.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        let values = match (&self.values, &other.values) {
            (Some(values), Some(other)) => Some(Arc::new(values.united(other))),
            // A class without members has no values, so the other class's values are complete.
            (Some(values), None) if other.counts.private == 0 => Some(Arc::clone(values)),
            (None, Some(values)) if self.counts.private == 0 => Some(Arc::clone(values)),
            _ => None,
        };
        Self { counts: self.counts + other.counts, values }
    }

    /// A key that is equal exactly for equal classes of one table.
    pub(in crate::model) fn key(&self) -> (Counts, Option<&[ValueCounts]>) {
        (self.counts, self.values().map(ClassValues::counts))
    }
}

impl PartialEq for ClassData {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ClassData {}

impl From<Counts> for ClassData {
    fn from(counts: Counts) -> Self {
        Self { counts, values: None }
    }
}

impl From<&ClassData> for ClassData {
    fn from(class: &ClassData) -> Self {
        class.clone()
    }
}

/// The judgement of a criterion on one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether the class satisfies the criterion.
    pub holds: bool,
    /// The exact measure of the class; `None` if the criterion does not apply to the class and
    /// therefore holds.
    pub value: Option<Fraction>,
    /// How far the class is from the requirement, in the unit of the value; 0 if the criterion
    /// holds.
    pub distance: Fraction,
}

/// A requirement on every class of a release.
pub trait Criterion: fmt::Debug + Send + Sync {
    /// The row of the criterion in the table of kinds.
    fn kind(&self) -> &'static CriterionKind;

    /// The key in `[policy]`, which is also the name in tables.
    fn key(&self) -> &'static str {
        self.kind().key
    }

    /// The requirement, as the project file writes it after the key.
    fn required(&self) -> String;

    /// The data of a class that the criterion needs.
    fn needs(&self) -> Needs {
        self.kind().needs
    }

    /// Checks that the criterion can be judged with these sensitive values. Always succeeds if the
    /// criterion needs no values.
    ///
    /// # Errors
    /// What the project file should contain instead.
    fn fits(&self, _: &SensitiveValues) -> Result<(), String> {
        Ok(())
    }

    /// The exact judgement on a class. If the criterion needs sensitive values and those of the
    /// members were not counted, it does not hold.
    fn judge(&self, class: &ClassData) -> Judgement;

    /// Whether a class satisfies the criterion: [`judge`](Self::judge) without the figures.
    fn holds(&self, class: &ClassData) -> bool {
        self.judge(class).holds
    }

    /// Whether the union of two classes that satisfy the criterion satisfies it too.
    ///
    /// Searches rely on it: if a node satisfies the criterion, so does every generalization of the
    /// node (paper, theorem 1). A [`Policy`](crate::model::Policy) enforces only monotone criteria.
    fn is_monotone(&self) -> bool;

    /// The strictest requirement that these classes satisfy; `None` if the criterion applies to
    /// none of them.
    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String>;
}

/// A criterion that `[policy]` may name.
#[derive(Clone, Copy)]
pub struct CriterionKind {
    /// The key in `[policy]`.
    pub key: &'static str,
    /// The data of a class that the criterion needs.
    pub needs: Needs,
    /// What the criterion protects from an attacker who knows that a person is a member.
    pub protects: Protects,
    /// The name and the measure, as reports show them, with the safer direction.
    pub title: &'static str,
    /// The rows of `docs/project-file.md`: the name, the key with a value, the condition on a class with t members of n people,
    /// and notes.
    pub docs: &'static [[&'static str; 4]],
    /// Reads the criterion from the text of its value. The error describes what was expected.
    pub read: fn(&str) -> Result<Arc<dyn Criterion>, String>,
    /// The strictest requirement that classes satisfy if none is enforced, as
    /// [`Criterion::achieved`].
    pub achieved: fn(&mut dyn Iterator<Item = ClassData>) -> Option<String>,
}

impl fmt::Debug for CriterionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

/// A whole number of at least 1, in plain digits.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number: &u64| is_plain && number > 0)
}

/// The minimum of a count over the classes with members, as text.
pub(super) fn least_of(
    classes: &mut dyn Iterator<Item = ClassData>,
    count: fn(Counts) -> u64,
) -> Option<String> {
    let published = classes.map(|class| class.counts()).filter(|counts| counts.private > 0);
    published.map(count).min().map(|least| least.to_string())
}
