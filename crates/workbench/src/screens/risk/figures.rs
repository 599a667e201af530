//! The risk figures of a release, in the cells of the table and in words.

use palmtop_measure::risk::{Risk, SensitiveRisk};

use crate::kit::text;

/// The c of recursive (c, l)-diversity, as in the examples of the literature.
pub(super) const RECURSIVE_C: &str = "3";

/// The headings of the measures; those of sensitive values come last.
pub(super) const HEADS: [&str; 10] =
    ["k", "k-map", "alone", "in P", "risk", "risk P", "values", "even", "far", "(3, l)"];

/// The number of measures that need no sensitive attribute.
pub(super) const WITHOUT_VALUES: usize = 6;

/// The cells under the headings.
pub(super) fn cells(risk: &Risk) -> Vec<String> {
    let mut cells = vec![
        text::count(risk.k),
        text::count(risk.k_map),
        text::count(risk.unique_members),
        text::count(risk.unique_people),
        share(risk.mean_risk, 4),
        share(risk.mean_map_risk, 4),
    ];
    let least = |measure: fn(&SensitiveRisk) -> u64| risk.sensitive.iter().map(measure).min();
    let entropy = risk.sensitive.iter().map(|attribute| attribute.entropy).min_by(f64::total_cmp);
    let farthest = risk.sensitive.iter().map(|attribute| attribute.equal.to_f64()).max_by(f64::total_cmp);
    let cell = |text: Option<String>| text.unwrap_or_default();
    cells.push(cell(least(|attribute| attribute.distinct).map(text::count)));
    cells.push(cell(entropy.map(|entropy| format!("{entropy:.2}"))));
    cells.push(cell(farthest.map(|farthest| share(farthest, 3))));
    cells.push(cell(least(|attribute| attribute.recursive).map(text::count)));
    cells
}

/// A number up to 1 with this many digits, in little room: `.054`.
fn share(value: f64, digits: usize) -> String {
    let number = format!("{value:.digits$}");
    number.strip_prefix('0').map_or(number.clone(), ToOwned::to_owned)
}

/// The figures of one sensitive attribute.
pub(super) fn of_attribute(attribute: &SensitiveRisk) -> String {
    let SensitiveRisk { name, distinct, entropy, recursive, equal, ordered, hierarchy } = attribute;
    let in_a_row =
        ordered.as_ref().map_or_else(String::new, |ordered| format!(", in a row {:.3}", ordered.to_f64()));
    let by_tree = hierarchy
        .as_ref()
        .map_or_else(String::new, |tree| format!(", by its hierarchy {:.3}", tree.to_f64()));
    format!(
        "{name}: {} a class at least, e^H {entropy:.2}, ({RECURSIVE_C}, {recursive}), t {:.3}{in_a_row}{by_tree}",
        text::counted(*distinct, "value", "values"),
        equal.to_f64(),
    )
}
