//! Dates of ARX: each level has a granularity.

use super::object::Node;
use super::part::{has_no_counterpart, lacks};

/// A date-based builder with levels that palmtop has, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dates {
    units: Vec<&'static str>,
    /// The form of ARX's dates, in the notation of Java.
    form: Option<String>,
}

impl Dates {
    pub(super) fn read(root: Node) -> Result<Self, String> {
        for (field, bound) in [("bottomCoding", "bottom coding"), ("topCoding", "top coding")] {
            if root.node(field).is_some() {
                return Err(has_no_counterpart(&format!("{bound} of dates")));
            }
        }
        let levels =
            root.node("granularities").and_then(Node::elements).ok_or_else(|| lacks("granularities"))?;
        let mut units = Vec::new();
        for level in levels {
            let name = level.as_constant().ok_or_else(|| lacks("granularities"))?;
            let unit = match name {
                // The days themselves are level 0.
                "DAY_MONTH_YEAR" => continue,
                "MONTH_YEAR" => "month",
                "QUARTER_YEAR" => "quarter",
                "YEAR" => "year",
                "DECADE" => "decade",
                other => return Err(has_no_counterpart(&format!("the granularity {other}"))),
            };
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        if units.is_empty() {
            return Err("the specification has no level of months, quarters, years or decades".to_owned());
        }
        let form = root.node("datatype").and_then(|datatype| datatype.text("string")).map(str::to_owned);
        Ok(Self { units, form })
    }

    pub(super) fn to_toml(&self) -> String {
        let units: Vec<String> = self.units.iter().map(|unit| format!("\"{unit}\"")).collect();
        format!("type = \"date\"\nlevels = [{}]\n", units.join(", "))
    }

    /// Whether ARX reads the dates as 2024-01-05.
    pub(super) fn are_iso(&self) -> bool {
        self.form.as_deref().is_none_or(|form| form == "yyyy-MM-dd")
    }

    /// What a project must know of the dates.
    pub(super) fn notes(&self) -> Vec<String> {
        let labels = "palmtop writes these labels as 2024-03, 2024-Q1, 2024 and 2020s";
        let mut notes = vec![labels.to_owned()];
        if let Some(form) = self.form.as_ref().filter(|_| !self.are_iso()) {
            let key =
                chrono_form(form).map(|form| format!(": write `date = \"{form}\"` under the attribute"));
            notes.push(format!("dates have the form {form}{}", key.unwrap_or_default()));
        }
        notes
    }
}

/// A form of dates in the notation of a project; `None` if it has more than day, month and year.
fn chrono_form(form: &str) -> Option<String> {
    let form = form.replace("yyyy", "%Y").replace("MM", "%m").replace("dd", "%d");
    let letters = form.replace(['%'], "").chars().filter(|letter| letter.is_alphabetic()).collect::<String>();
    let mut sorted: Vec<char> = letters.chars().collect();
    sorted.sort_unstable();
    (sorted == ['Y', 'd', 'm']).then_some(form)
}
