//! l-diversity: the members of a class have enough different sensitive values (Machanavajjhala and others, *l-Diversity: Privacy Beyond
//! k-Anonymity*, 2007, section 4).

use std::sync::Arc;

use serde::Deserialize;

use super::kind::{ClassData, Criterion, CriterionKind, Judgement, Needs, Protects};
use super::setting::{self, Number};
use crate::model::sensitive::SensitiveValues;
use crate::model::{Fraction, ValueCounts, diversity};

/// Distinct, entropy and recursive (c, l)-diversity of a sensitive attribute. Each is optional. A
/// class without members publishes no rows and satisfies all of them.
///
/// Each of them is monotone:
///
/// - a union has the values of both classes;
/// - entropy is concave;
/// - a union's most frequent value occurs at most as often as those of both parts together;
/// - the remaining values of a union occur at least as often as those of both parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LDiversity {
    distinct: Option<u64>,
    entropy: Option<Fraction>,
    recursive: Option<(Fraction, u64)>,
    of: Option<String>,
}

pub(super) const KIND: CriterionKind = CriterionKind {
    key: "l",
    needs: Needs::Sensitive,
    protects: Protects::Value,
    title: "l-diversity: different sensitive values in each class, more is safer",
    docs: &[
        [
            "distinct l-diversity",
            "`l = { distinct = 3 }`",
            "t = 0, or its members have at least l values",
            "",
        ],
        [
            "entropy l-diversity",
            "`l = { entropy = 2.5 }`",
            "t = 0, or e^H ≥ l",
            "H as in [Risk](measures.md#risk)",
        ],
        [
            "recursive (c, l)-diversity",
            "`l = { recursive = [3, 2] }` (c, l)",
            "t = 0, or the most frequent value occurs less often than c times the l-th most frequent and all rarer values together",
            "",
        ],
    ],
    read,
    achieved: |_| None,
};

/// The number of decimal places of a displayed entropy.
const PLACES: u32 = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    distinct: Option<u64>,
    entropy: Option<Number>,
    recursive: Option<(Number, u64)>,
    of: Option<String>,
}

fn read(text: &str) -> Result<Arc<dyn Criterion>, String> {
    let wrong = || {
        "expected `{ distinct = 3 }`, `{ entropy = 2.5 }` or `{ recursive = [3, 2] }` (c, then l), or several of them, each from 1 \
         (c above 0), and `of = \"NAME\"` where there are several sensitive attributes"
            .to_owned()
    };
    let written: Written = setting::read(text).ok_or_else(wrong)?;
    let exact = |number: &Number| number.exact().ok_or_else(wrong);
    let entropy = written.entropy.as_ref().map(exact).transpose()?;
    let recursive = match &written.recursive {
        Some((c, l)) => Some((exact(c)?, *l)),
        None => None,
    };
    let is_some = written.distinct.is_some() || entropy.is_some() || recursive.is_some();
    let is_possible = written.distinct != Some(0)
        && entropy.as_ref().is_none_or(|l| *l >= Fraction::one())
        && recursive.as_ref().is_none_or(|(c, l)| !c.is_zero() && *l > 0);
    if !is_some || !is_possible {
        return Err(wrong());
    }
    Ok(Arc::new(LDiversity { distinct: written.distinct, entropy, recursive, of: written.of }))
}

impl LDiversity {
    /// The values of a class's members; `None` if they were not counted.
    fn values<'a>(&self, class: &'a ClassData) -> Option<&'a ValueCounts> {
        Some(class.values()?.of(self.of.as_deref())?.1)
    }

    /// The distance of the values from the requirements.
    fn missing(&self, values: &ValueCounts) -> Fraction {
        let fraction = |number: u64| Fraction::ratio(number.into(), 1);
        let distinct = self.distinct.map(|l| fraction(l.saturating_sub(values.distinct() as u64)));
        let entropy = self.entropy.iter().filter(|l| !diversity::is_entropy_diverse(values, l));
        // A class that is not diverse enough has less than l, and rounding down keeps it less.
        let entropy = entropy.map(|l| l.minus(&diversity::effective_down(values, PLACES)));
        let recursive = self.recursive.iter();
        let recursive = recursive.filter(|(c, l)| !diversity::is_recursively_diverse(values, c, *l));
        // The most frequent value has to occur less often by the excess and 1 more.
        let recursive = recursive.map(|(c, l)| diversity::recursive_excess(values, c, *l).plus(&fraction(1)));
        let greatest = distinct.into_iter().chain(entropy).chain(recursive).max();
        greatest.unwrap_or_else(Fraction::zero)
    }
}

impl Criterion for LDiversity {
    fn kind(&self) -> &'static CriterionKind {
        &KIND
    }

    fn required(&self) -> String {
        let distinct = self.distinct.map(|l| format!("distinct = {l}"));
        let entropy = self.entropy.as_ref().map(|l| format!("entropy = {}", setting::written(l)));
        let recursive = self.recursive.as_ref();
        let recursive = recursive.map(|(c, l)| format!("recursive = [{}, {l}]", setting::written(c)));
        let asked: Vec<String> = [distinct, entropy, recursive].into_iter().flatten().collect();
        format!("{{ {}{} }}", asked.join(", "), setting::of(self.of.as_deref()))
    }

    fn fits(&self, values: &SensitiveValues) -> Result<(), String> {
        setting::column(values, self.of.as_deref()).map(|_| ())
    }

    fn judge(&self, class: &ClassData) -> Judgement {
        if class.counts().private == 0 {
            return Judgement { holds: true, value: None, distance: Fraction::zero() };
        }
        let Some(values) = self.values(class) else {
            return Judgement { holds: false, value: None, distance: Fraction::one() };
        };
        let distance = self.missing(values);
        let value = Some(Fraction::ratio(values.distinct() as u128, 1));
        Judgement { holds: distance.is_zero(), value, distance }
    }

    fn holds(&self, class: &ClassData) -> bool {
        let hold = |values: &ValueCounts| {
            self.distinct.is_none_or(|l| values.distinct() as u64 >= l)
                && self.entropy.as_ref().is_none_or(|l| diversity::is_entropy_diverse(values, l))
                && self
                    .recursive
                    .as_ref()
                    .is_none_or(|(c, l)| diversity::is_recursively_diverse(values, c, *l))
        };
        class.counts().private == 0 || self.values(class).is_some_and(hold)
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
        let (mut distinct, mut entropy, mut recursive) = (None::<usize>, None::<Fraction>, None::<usize>);
        for class in classes.filter(|class| class.counts().private > 0) {
            let values = self.values(&class)?;
            let least = |known: Option<usize>, of_class: usize| {
                Some(known.map_or(of_class, |known| known.min(of_class)))
            };
            distinct = least(distinct, values.distinct());
            if self.entropy.is_some() {
                let of_class = diversity::effective_down(values, PLACES);
                entropy = Some(entropy.map_or(of_class.clone(), |known| known.min(of_class)));
            }
            if let Some((c, _)) = &self.recursive {
                recursive = least(recursive, diversity::recursive_level(values, c));
            }
        }
        let distinct = distinct.filter(|_| self.distinct.is_some()).map(|l| format!("distinct {l}"));
        let entropy = entropy.map(|l| format!("entropy {}", l.decimal_down(PLACES)));
        let c = self.recursive.as_ref().map(|(c, _)| c);
        let recursive = recursive.zip(c).map(|(l, c)| format!("recursive ({c}, {l})"));
        let achieved: Vec<String> = [distinct, entropy, recursive].into_iter().flatten().collect();
        (!achieved.is_empty()).then(|| achieved.join(", "))
    }
}
