//! The sets of columns: the measures of a release by loss, by risk and by utility.

use palmtop_core::model::Presence;
use palmtop_measure::utility::Utility;
use palmtop_release::columns::Value;
use palmtop_release::figures::{Better, FIGURES, Facts, Figure};

use super::set::ColumnSet;
use super::state::{Releases, RiskOf, knows_algorithm};
use crate::kit::text;
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// How a measure and a difference of it are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A number from 0 to 1 with this many digits.
    Share(usize),
    Count,
    Mean,
    PerCent,
}

/// A measure of a release.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    pub(crate) head: String,
    pub(crate) text: String,
    /// The exact value; none if it is not measured, or if it is no number.
    pub(super) value: Option<f64>,
    pub(super) better: Better,
    form: Form,
    /// Whether only `m` shows it as a column.
    pub(super) is_rare: bool,
}

impl Measure {
    /// A number of people, rows or classes.
    #[expect(clippy::cast_precision_loss, reason = "an order of figures")]
    fn count(head: &str, count: Option<u64>, better: Better) -> Self {
        let value = count.map(|count| count as f64);
        let text = count.map_or_else(waiting, text::count);
        Self { head: head.to_owned(), text, value, better, form: Form::Count, is_rare: false }
    }

    /// A number from 0 to 1, or an error.
    fn share(head: &str, value: Option<f64>, digits: usize) -> Self {
        let text = value.map_or_else(waiting, |value| share(value, digits));
        let (head, form) = (head.to_owned(), Form::Share(digits));
        Self { head, text, value, better: Better::Less, form, is_rare: false }
    }

    fn better(self, better: Better) -> Self {
        Self { better, ..self }
    }

    fn rare(self) -> Self {
        Self { is_rare: true, ..self }
    }

    /// The measure of a figure that `compare` prints.
    fn of(figure: &Figure, head: &str, facts: &Facts) -> Self {
        let value = (figure.value)(facts);
        let (text, form) = written(&value);
        Self {
            head: head.to_owned(),
            text,
            value: value.order(),
            better: figure.better,
            form,
            is_rare: false,
        }
    }

    /// The difference to the base, with its sign; empty if there is none, or if one of them is unknown.
    pub(super) fn difference(&self, base: &Self) -> String {
        let (Some(here), Some(there)) = (self.value, base.value) else { return String::new() };
        let by = here - there;
        if by.abs() < f64::EPSILON {
            return String::new();
        }
        let sign = if by < 0.0 { "−" } else { "+" };
        match self.form {
            Form::Share(digits) => format!("{sign}{}", share(by.abs(), digits)),
            Form::Count => format!("{sign}{}", text::count(rounded(by.abs()))),
            Form::Mean => format!("{sign}{:.1}", by.abs()),
            Form::PerCent => format!("{sign}{:.1} %", 100.0 * by.abs()),
        }
    }

    /// Whether it is better than the base, or worse; none if neither.
    pub(super) fn is_improved(&self, base: &Self) -> Option<bool> {
        let (here, there) = (self.value?, base.value?);
        match self.better {
            _ if here.total_cmp(&there).is_eq() => None,
            Better::Less => Some(here < there),
            Better::More => Some(here > there),
            Better::Neither => None,
        }
    }
}

/// A value that is not measured yet.
fn waiting() -> String {
    "…".to_owned()
}

/// A number with this many digits, in little room: `.054`.
pub(super) fn share(value: f64, digits: usize) -> String {
    let number = format!("{value:.digits$}");
    if value < 1.0 { number.strip_prefix('0').map_or(number.clone(), ToOwned::to_owned) } else { number }
}

/// A difference of counts, as a count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a difference of counts to show")]
fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// A presence in per cent, rounded up: no rounded figure promises more than the exact one.
pub(super) fn per_cent(presence: Presence) -> String {
    let (part, all) = (u128::from(presence.numerator()) * 1000, u128::from(presence.denominator()));
    let tenths = part.div_ceil(all.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A value in a narrow cell, and the form of its differences.
fn written(value: &Value) -> (String, Form) {
    match value {
        Value::None => ("—".to_owned(), Form::Share(3)),
        Value::Number(number) => (text::loss(*number), Form::Share(3)),
        Value::Mean(number) => (format!("{number:.1}"), Form::Mean),
        Value::Count(count) => (text::count(*count), Form::Count),
        Value::Presence(presence) => (per_cent(*presence), Form::PerCent),
        Value::Seconds(seconds) => (format!("{seconds:.2}"), Form::Mean),
        Value::Worded(_, value) => written(value),
        Value::Text(_) | Value::Flag(_) => (value.to_cell(), Form::Mean),
    }
}

/// The figures by loss: the name of the column, its heading, and whether it is rarely wanted.
const BY_LOSS: [(&str, &str, bool); 9] = [
    ("loss", "loss", false),
    ("terms", "terms", false),
    ("released_classes", "classes", false),
    ("achieved_max", "highest", false),
    ("average_class_size", "size", true),
    ("discernibility", "discern.", true),
    ("loss_geometric", "geometric", true),
    ("precision", "precision", true),
    ("characters", "chars", true),
];

impl Releases {
    /// The measures of a release in a set. The number and the headings of the measures are the same for each release.
    pub(crate) fn measures(&self, shared: &Shared, candidate: &Candidate, set: ColumnSet) -> Vec<Measure> {
        let risk = self.risks.of(candidate).and_then(|risk| risk.as_ref().ok());
        match set {
            ColumnSet::Loss => by_loss(shared, candidate, risk),
            ColumnSet::Risk => by_risk(shared, risk),
            ColumnSet::Utility => {
                let utility = self.utilities.of(candidate).and_then(|utility| utility.as_ref().ok());
                by_utility(shared, utility)
            }
        }
    }

    /// The measures that the table has as columns.
    pub(super) fn columns(&self, shared: &Shared, candidate: &Candidate) -> Vec<Measure> {
        let measures = self.measures(shared, candidate, self.set);
        measures.into_iter().filter(|measure| self.has_more || !measure.is_rare).collect()
    }
}

fn by_loss(shared: &Shared, candidate: &Candidate, risk: Option<&RiskOf>) -> Vec<Measure> {
    let facts = Facts { release: &candidate.measured.release, utility: None, seconds: candidate.seconds };
    let figure = |name: &str| FIGURES.iter().find(|figure| figure.head.name == name);
    let mut measures: Vec<Measure> = BY_LOSS
        .iter()
        .filter_map(|(name, head, is_rare)| {
            let measure = Measure::of(figure(name)?, head, &facts);
            Some(Measure { is_rare: *is_rare, ..measure })
        })
        .collect();
    let alone = risk.map(|(risk, _)| risk.unique_members);
    measures.insert(4, Measure::count("alone", alone, Better::Less));
    measures.insert(5, knows(shared, candidate));
    if !shared.problem.policy().suppression().is_none() {
        let withdrawn = Some(candidate.measured.release.withdrawn());
        measures.insert(6, Measure::count("withdrawn", withdrawn, Better::Less));
    }
    measures
}

/// The verdict if the attacker knows the algorithm, in a narrow cell.
fn knows(shared: &Shared, candidate: &Candidate) -> Measure {
    use palmtop_search::release::KnowsAlgorithm;
    let knows = knows_algorithm(shared, candidate);
    let text = match (knows, knows.people_beyond()) {
        (KnowsAlgorithm::Exact, _) => "✓".to_owned(),
        (_, None) => "?".to_owned(),
        // An audit that finds nobody proves nothing.
        (_, Some(0)) => "0?".to_owned(),
        (_, Some(people)) => text::count(people),
    };
    let (head, better) = ("knows".to_owned(), Better::Neither);
    Measure { head, text, value: None, better, form: Form::Count, is_rare: false }
}

/// The loss of each quasi-identifier.
pub(super) fn by_attribute(shared: &Shared, candidate: &Candidate) -> Vec<Measure> {
    let losses = candidate.measured.release.metrics.loss.by_attribute();
    let quasi = shared.problem.quasi().iter();
    quasi.zip(losses).map(|(quasi, loss)| Measure::share(&quasi.name, Some(*loss), 3)).collect()
}

fn by_risk(shared: &Shared, risk: Option<&RiskOf>) -> Vec<Measure> {
    let of = |figure: fn(&palmtop_measure::risk::Risk) -> u64| risk.map(|(risk, _)| figure(risk));
    let mean = |figure: fn(&palmtop_measure::risk::Risk) -> f64| risk.map(|(risk, _)| figure(risk));
    let mut measures = vec![
        Measure::count("k", of(|risk| risk.k), Better::More),
        Measure::count("k-map", of(|risk| risk.k_map), Better::More),
        Measure::count("alone", of(|risk| risk.unique_members), Better::Less),
        Measure::count("in P", of(|risk| risk.unique_people), Better::Less),
        Measure::share("risk", mean(|risk| risk.mean_risk.to_f64()), 4),
        Measure::share("risk P", mean(|risk| risk.mean_map_risk.to_f64()), 4),
    ];
    if shared.analysis.sensitive().is_empty() {
        return measures;
    }
    let all = risk.map(|(risk, _)| &risk.sensitive[..]);
    let least = |figure: fn(&palmtop_measure::risk::SensitiveRisk) -> u64| {
        all.and_then(|all| all.iter().map(figure).min())
    };
    let entropy = all.and_then(|all| all.iter().map(|one| one.entropy).min_by(f64::total_cmp));
    let farthest = all.and_then(|all| all.iter().map(|one| one.equal.to_f64()).max_by(f64::total_cmp));
    measures.push(Measure::count("values", least(|one| one.distinct), Better::More));
    measures.push(Measure::share("even", entropy, 2).better(Better::More).rare());
    measures.push(Measure::share("far", farthest, 3).rare());
    measures.push(Measure::count("(3, l)", least(|one| one.recursive), Better::More).rare());
    measures
}

fn by_utility(shared: &Shared, utility: Option<&Utility>) -> Vec<Measure> {
    let errors = utility.map(|utility| &utility.queries.all);
    let mut measures = vec![
        Measure::share("query", errors.map(|errors| errors.median), 3),
        Measure::share("90th", errors.map(|errors| errors.ninetieth), 3),
        Measure::share("distance", utility.map(Utility::distance), 3),
    ];
    let quasi = shared.problem.quasi().iter().map(|quasi| quasi.name.clone());
    for (index, name) in quasi.chain(shared.analysis.sensitive()).enumerate() {
        let distance = utility.and_then(|utility| utility.attributes.get(index));
        measures.push(Measure::share(&name, distance.map(|attribute| attribute.distance), 3));
    }
    measures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_percentage_promises_more_than_the_presence() {
        for (presence, shown) in
            [("1/10", "10.0 %"), ("1/3", "33.4 %"), ("1", "100.0 %"), ("0", "0.0 %"), ("1/1000000", "0.1 %")]
        {
            assert_eq!(per_cent(presence.parse().unwrap()), shown);
        }
    }
}
