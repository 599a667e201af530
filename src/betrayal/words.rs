//! What was found, in sentences with figures and without values of T.

use super::{Betrayal, Relation, Risk};
use crate::model::Presence;

impl Betrayal {
    /// One sentence: what the column gives away, in how many rows, and how few people it leaves.
    pub fn sentence(&self) -> String {
        let (column, quasi) = (self.columns(), &self.quasi);
        let rows = grouped(self.rows);
        let (fitting, speaking) = (grouped(self.fitting), grouped(self.speaking));
        let left = share_in_words(self.share);
        match self.relation {
            Relation::Monotone { correlation, width, in_days } => {
                let range = if width == 0.0 {
                    "one value".to_owned()
                } else {
                    format!("a range of {}", plain(width))
                };
                let days = if in_days && width > 0.0 { " days" } else { "" };
                format!(
                    "{column} gives `{quasi}` away: in {fitting} of {rows} rows it leaves {range}{days} \
                     (rank correlation {correlation:.2}), which {left} of the rows have"
                )
            }
            Relation::Dependency { part, level, is_single: true, baseline } => {
                let what =
                    level.map_or_else(|| "value".to_owned(), |level| format!("label at level {level}"));
                format!(
                    "{column} gives `{quasi}` away: in {fitting} of the {speaking} rows that share their {part} with others, \
                     the others predict the {what}; guessing the most frequent {what} is right in {}",
                    grouped(baseline)
                )
            }
            Relation::Dependency { part, .. } => format!(
                "{column} gives `{quasi}` away: in {fitting} of the {speaking} rows that share their {part} with others, the \
                 value is among those of the others, which {left} of the rows have"
            ),
            Relation::CommonText { prefix: None } => format!(
                "{column} gives `{quasi}` away: its text has the value of `{quasi}` in {fitting} of the {speaking} rows \
                 that have any such value; by chance {left} of them would"
            ),
            Relation::CommonText { prefix: Some(length) } => format!(
                "{column} gives `{quasi}` away: its text has the first {length} characters of `{quasi}` in {fitting} of \
                 {rows} rows; by chance {left} of the rows would"
            ),
        }
    }

    /// What to do about it: one line of the project, or an acceptance with a reason.
    pub fn remedy(&self) -> String {
        let column = &self.column;
        format!(
            "withhold `{column}` (`role = \"identifier\"`), make it a quasi-identifier with its column of P \
             (`role = \"quasi\"`, `public_column`), publish it coarser (a hierarchy and `publish = LEVEL`), or accept it \
             with a reason (`accept = \"…\"`, or `--accept betrays:{column}=REASON`)"
        )
    }

    /// The column with the second one, if there is one.
    fn columns(&self) -> String {
        match &self.with {
            None => format!("`{}`", self.column),
            Some(with) => format!("`{}` with `{with}`", self.column),
        }
    }
}

impl Risk {
    /// One sentence: how many released rows fit how few people of P.
    pub fn sentence(&self, delta_max: Presence) -> String {
        if self.few == 0 {
            return format!(
                "no released row then fits fewer than {} people of P (1/δmax); {} rows were compared",
                least(delta_max),
                grouped(self.rows)
            );
        }
        format!(
            "{} then {} exactly one person of P, and {} {} fewer than {} (1/δmax)",
            rows(self.single),
            if self.single == 1 { "fits" } else { "fit" },
            grouped(self.few),
            if self.few == 1 { "fits" } else { "fit" },
            least(delta_max)
        )
    }
}

/// 1/δmax, rounded up: fewer people than this are too few.
fn least(delta_max: Presence) -> String {
    match delta_max.numerator() {
        0 => "any number of".to_owned(),
        numerator => grouped(delta_max.denominator().div_ceil(numerator)),
    }
}

fn rows(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "row" } else { "rows" })
}

/// A share as a percentage with one digit behind the point; "less than 0.1 %" if it is smaller.
pub fn share_in_words(share: f64) -> String {
    if share > 0.0 && share < 0.001 {
        "less than 0.1 %".to_owned()
    } else {
        format!("{:.1} %", share * 100.0)
    }
}

/// A number without needless digits.
fn plain(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A whole number with a comma between thousands.
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
