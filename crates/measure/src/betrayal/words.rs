//! Findings as sentences with figures, without values of T.

use super::{Betrayal, Part, Relation, Risk, Same};
use palmtop_core::model::Presence;

impl Betrayal {
    /// Two or three sentences without the last full stop. They state what the column gives away, in
    /// how many rows, and how strong the evidence is.
    pub fn sentence(&self) -> String {
        let (column, quasi) = (self.columns(), &self.quasi);
        let rows = grouped(self.rows);
        let (fitting, speaking) = (grouped(self.fitting), grouped(self.speaking));
        let left = share_in_words(self.share);
        let of = |part: Part| if part == Part::Value { String::new() } else { format!("{part} of ") };
        let evidence = match self.relation {
            Relation::Monotone { correlation, width, in_days } => {
                let range = if width == 0.0 {
                    "one value".to_owned()
                } else {
                    format!("a range of {}{}", plain(width), if in_days { " days" } else { "" })
                };
                let have = if width == 0.0 { "have this value" } else { "are in such a range" };
                format!(
                    "in {fitting} of {rows} rows it leaves {range}. On average, {left} of all rows {have} \
                     (rank correlation {correlation:.2})"
                )
            }
            Relation::Dependency { part, level, is_single: true, baseline } => {
                let value = level.map_or_else(String::new, |level| format!(" at level {level}"));
                let part = of(part);
                format!(
                    "rows with the same {part}{column} have the same `{quasi}`{value}, in {fitting} of {speaking} rows. \
                     A guess of the most frequent `{quasi}`{value} is right in {}",
                    grouped(baseline)
                )
            }
            Relation::Dependency { part, .. } => {
                let part = of(part);
                format!(
                    "rows with the same {part}{column} have only a few values of `{quasi}`, in {fitting} of {speaking} \
                     rows. On average, {left} of all rows have one of these values"
                )
            }
            Relation::CommonText { prefix: None } => format!(
                "its text contains the row's value of `{quasi}` in {fitting} of the {speaking} rows whose text contains \
                 such a value. By chance, {left} would"
            ),
            Relation::CommonText { prefix: Some(length) } => format!(
                "its text contains the first {length} characters of `{quasi}` in {fitting} of {rows} rows. By chance, \
                 {left} would"
            ),
            Relation::Embedded => format!(
                "its text contains the row's value of `{quasi}`, forwards or backwards, in {fitting} of the {speaking} rows \
                 whose text contains such a value. By chance, {left} would"
            ),
            Relation::SameValues { how: Same::Rare, .. } => format!(
                "in {rows} rows its text is one of `{quasi}` that few people of P share, and in {fitting} of them such a \
                 person has the row's quasi-identifiers"
            ),
            Relation::SameValues { chance, how } => format!(
                "{} the same values. For {fitting} of {rows} rows, a person of P has the row's quasi-identifiers and \
                 its value; by chance {chance:.0} rows would match",
                if let Same::Times(factor) = how {
                    format!("times {factor}, it has")
                } else {
                    "it has".to_owned()
                }
            ),
        };
        let known = if self.is_of_public {
            format!(". An attacker who has P knows `{quasi}`")
        } else {
            String::new()
        };
        let of_public = if self.is_of_public { "P's column " } else { "" };
        format!("{column} gives {of_public}`{quasi}` away: {evidence}{known}")
    }

    /// The number of rows that show it, of those that could: `428 of 428 rows`.
    pub fn figure(&self) -> String {
        let of = match self.relation {
            Relation::Dependency { .. } | Relation::CommonText { prefix: None } | Relation::Embedded => {
                self.speaking
            }
            Relation::Monotone { .. } | Relation::CommonText { .. } | Relation::SameValues { .. } => {
                self.rows
            }
        };
        format!("{} of {}", grouped(self.fitting), rows(of))
    }

    /// The remedy: one line of the project, or an acceptance with a reason.
    pub fn remedy(&self) -> String {
        let (column, quasi) = (&self.column, &self.quasi);
        let public_column = if self.is_of_public {
            format!("`public_column = \"{quasi}\"`")
        } else {
            "`public_column`".to_owned()
        };
        format!(
            "withhold `{column}` (`role = \"withheld\"`), publish it coarser (a hierarchy and `publish = LEVEL`), make it \
             a quasi-identifier (`role = \"quasi\"`, {public_column}), or accept it (`--accept betrays:{column}=REASON`, or \
             `accept = \"REASON\"` in the project)"
        )
    }

    /// The name of the column, together with the second column if there is one.
    fn columns(&self) -> String {
        match &self.with {
            None => format!("`{}`", self.column),
            Some(with) => format!("the difference of `{}` and `{with}`", self.column),
        }
    }
}

impl Risk {
    /// One sentence without the last full stop: the number of released rows that fit few people of
    /// P.
    pub fn sentence(&self, delta_max: Presence) -> String {
        if self.few == 0 {
            return format!(
                "no released row then fits fewer than {} people of P (1/δmax); {} rows were compared",
                least(delta_max),
                grouped(self.rows)
            );
        }
        format!(
            "{} then {} exactly one person of P, {} fewer than {} (1/δmax)",
            rows(self.single),
            if self.single == 1 { "fits" } else { "fit" },
            grouped(self.few),
            least(delta_max)
        )
    }
}

/// 1/δmax, rounded up. Fewer people than this are too few.
fn least(delta_max: Presence) -> String {
    match delta_max.numerator() {
        0 => "any number of".to_owned(),
        numerator => grouped(delta_max.denominator().div_ceil(numerator)),
    }
}

fn rows(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "row" } else { "rows" })
}

/// A share as a percentage with one decimal digit; `less than 0.1 %` if it is smaller.
pub fn share_in_words(share: f64) -> String {
    if share > 0.0 && share < 0.001 {
        "less than 0.1 %".to_owned()
    } else {
        format!("{:.1} %", share * 100.0)
    }
}

/// A number with at most two decimal digits, without trailing zeros.
fn plain(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A whole number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.char_indices() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
