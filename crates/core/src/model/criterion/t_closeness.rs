//! t-closeness: the sensitive values of a class are distributed much as those of all of T (Li, Li and Venkatasubramanian, *t-Closeness:
//! Privacy Beyond k-Anonymity and l-Diversity*, 2007, definition 2).

use std::sync::Arc;

use serde::Deserialize;

use super::kind::{ClassData, Criterion, CriterionKind, Judgement, Needs, Protects};
use super::setting::{self, Number};
use crate::model::sensitive::{SensitiveColumn, SensitiveValues};
use crate::model::{Fraction, ValueCounts, closeness};

/// The earth mover's distance between the values of a class's members and those of all of T is at
/// most t. A class without members publishes no rows and satisfies it.
///
/// Monotone: the distribution of a union is a mean of both, and the distance to a fixed
/// distribution is convex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TCloseness {
    at_most: Fraction,
    ground: Ground,
    of: Option<String>,
}

/// The ground distance between values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ground {
    /// All different values have the same distance.
    #[default]
    Equal,
    /// Ordered numbers, by the number of steps between them.
    Ordered,
    /// Labels of a hierarchy, by their lowest common ancestor.
    Hierarchy,
}

pub(super) const KIND: CriterionKind = CriterionKind {
    key: "t",
    needs: Needs::Sensitive,
    protects: Protects::Value,
    title: "t-closeness: distance of the values of each class from those of T, less is safer",
    docs: &[[
        "t-closeness",
        "`t = { at_most = \"0.2\" }`",
        "t = 0, or the distance of its values from those of all of T is at most this",
        "the distances are in [Risk](measures.md#risk)",
    ]],
    read,
    achieved: |_| None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    at_most: Number,
    #[serde(default)]
    distance: Ground,
    of: Option<String>,
}

fn read(text: &str) -> Result<Arc<dyn Criterion>, String> {
    let wrong = || {
        "expected `{ at_most = \"0.2\" }`, from 0 to 1, with `distance = \"equal\"` (the default), `\"ordered\"` or \
         `\"hierarchy\"`, and `of = \"NAME\"` where there are several sensitive attributes"
            .to_owned()
    };
    let written: Written = setting::read(text).ok_or_else(wrong)?;
    let at_most = written.at_most.exact().filter(|t| *t <= Fraction::one()).ok_or_else(wrong)?;
    Ok(Arc::new(TCloseness { at_most, ground: written.distance, of: written.of }))
}

impl Ground {
    fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Ordered => "ordered",
            Self::Hierarchy => "hierarchy",
        }
    }

    /// `None` if the column lacks the order or the hierarchy that the distance needs.
    fn distance(self, class: &ValueCounts, column: &SensitiveColumn) -> Option<Fraction> {
        match self {
            Self::Equal => Some(closeness::equal_distance(class, &column.all)),
            Self::Ordered => Some(closeness::ordered_distance(class, &column.all)),
            Self::Hierarchy => column.tree.as_ref().map(|tree| closeness::hierarchical_distance(class, tree)),
        }
    }
}

impl TCloseness {
    /// The distance of a class's values from those of all of T; `None` if they were not counted.
    fn distance(&self, class: &ClassData) -> Option<Fraction> {
        let (column, counts): (&SensitiveColumn, _) = class.values()?.of(self.of.as_deref())?;
        self.ground.distance(counts, column)
    }
}

impl Criterion for TCloseness {
    fn kind(&self) -> &'static CriterionKind {
        &KIND
    }

    fn required(&self) -> String {
        let at_most = &self.at_most;
        let of = setting::of(self.of.as_deref());
        format!("{{ at_most = \"{at_most}\", distance = \"{}\"{of} }}", self.ground.name())
    }

    fn fits(&self, values: &SensitiveValues) -> Result<(), String> {
        let column = setting::column(values, self.of.as_deref())?;
        if self.ground == Ground::Ordered && !column.is_ordered {
            let name = &column.name;
            return Err(format!(
                "values of `{name}` are not all numbers, so nothing says how far they are; write `distance = \"equal\"`"
            ));
        }
        if self.ground == Ground::Hierarchy && column.tree.is_none() {
            let name = &column.name;
            return Err(format!(
                "`{name}` has no hierarchy, so nothing says how far its values are; give it one (`hierarchy = \"{name}.csv\"`), or write \
                 `distance = \"equal\"`"
            ));
        }
        Ok(())
    }

    fn judge(&self, class: &ClassData) -> Judgement {
        if class.counts().private == 0 {
            return Judgement { holds: true, value: None, distance: Fraction::zero() };
        }
        let Some(value) = self.distance(class) else {
            return Judgement { holds: false, value: None, distance: Fraction::one() };
        };
        let distance = value.minus(&self.at_most);
        Judgement { holds: distance.is_zero(), value: Some(value), distance }
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
        let mut greatest: Option<Fraction> = None;
        for class in classes.filter(|class| class.counts().private > 0) {
            let distance = self.distance(&class)?;
            greatest = Some(greatest.map_or(distance.clone(), |known| known.max(distance)));
        }
        greatest.map(|distance| format!("{} {distance}", self.ground.name()))
    }
}
