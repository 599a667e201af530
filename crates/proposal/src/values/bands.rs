//! Bands of numbers in one table and exact numbers in the other: `40 to 49` and 41.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use crate::sources::survey::Column;
use crate::values::open_bands;
use crate::values::texts::Texts;
use crate::{Ambiguity, Choice, Decision};
use palmtop_tables::hierarchies::build::{Recipe, ValueKind};
use palmtop_tables::reading::NumberForm;
use palmtop_tables::written::number_forms;

/// P's bands, which follow one another without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bands {
    /// Ascending. A number below the first has the first label, and so on.
    cuts: Vec<Decimal>,
    /// One more than cuts. Outside P's bands, the labels are those that P lacks.
    labels: Vec<String>,
}

/// The marks between the ends of a band.
const MARKS: [&str; 7] = [" to ", " bis ", " à ", " - ", " – ", "-", "–"];

/// From the first number to before the last; open if there is none.
type Ends = (Option<Decimal>, Option<Decimal>);

/// The ends of a band, and whether it has two ends.
fn ends(text: &str) -> Option<Ends> {
    let number = |text: &str| Decimal::from_str_exact(&NumberForm::POINT.read_exact(text.trim())?).ok();
    if let Some((is_last, bound)) = open_bands::band(text) {
        let bound = Some(number(bound)?);
        return Some(if is_last { (bound, None) } else { (None, bound) });
    }
    let half_open = text.strip_prefix('[').and_then(|rest| rest.strip_suffix([')', '[']));
    if let Some((low, end)) = half_open.and_then(|inner| inner.split_once(',')) {
        return Some((Some(number(low)?), Some(number(end)?)));
    }
    let (low, high) = MARKS.iter().find_map(|mark| text.split_once(mark))?;
    let (low, high) = (number(low)?, number(high)?);
    let is_whole = low.is_integer() && high.is_integer() && low < high;
    is_whole.then_some((Some(low), Some(high + Decimal::ONE)))
}

/// Whether a column has bands: all texts are bands, and at least two have two ends.
fn are_bands(texts: &Texts) -> bool {
    let ends: Option<Vec<Ends>> = texts.iter().map(|text| ends(text)).collect();
    ends.is_some_and(|ends| ends.iter().filter(|(low, end)| low.is_some() && end.is_some()).count() > 1)
}

/// Whether a column has numbers in one form.
fn are_numbers(texts: &Texts) -> bool {
    texts.len() > 1 && !number_forms(&texts.iter().copied().collect::<BTreeSet<&str>>()).is_empty()
}

impl Bands {
    /// P's bands, if T has numbers.
    pub(crate) fn find(tables: &[Texts; 2]) -> Option<Self> {
        if !are_bands(&tables[0]) || !are_numbers(&tables[1]) {
            return None;
        }
        let mut bands: Vec<(Ends, &str)> =
            tables[0].iter().map(|text| Some((ends(text)?, *text))).collect::<Option<_>>()?;
        bands.sort_unstable();
        let is_joined = |pair: &[(Ends, &str)]| pair[0].0.1.is_some() && pair[0].0.1 == pair[1].0.0;
        if !bands.windows(2).all(is_joined) {
            return None;
        }
        let mut labels: Vec<String> = bands.iter().map(|(_, text)| (*text).to_owned()).collect();
        let mut cuts: Vec<Decimal> = bands.iter().filter_map(|((low, _), _)| *low).collect();
        if let Some(((Some(low), _), _)) = bands.first() {
            labels.insert(0, format!("<{low}"));
        }
        if let Some(((_, Some(end)), _)) = bands.last() {
            cuts.push(*end);
            labels.push(format!(">={end}"));
        }
        Some(Self { cuts, labels })
    }

    /// The band of a number in this form.
    pub(crate) fn label(&self, text: &str, form: NumberForm) -> Option<&str> {
        let value = Decimal::from_str_exact(&form.read_exact(text)?).ok()?;
        Some(&self.labels[self.cuts.partition_point(|cut| *cut <= value)])
    }

    /// The hierarchy with these bands on level 1.
    pub(crate) fn recipe(&self) -> Recipe {
        Recipe::Cuts { cuts: self.cuts.clone(), labels: self.labels.clone() }
    }

    /// The question whether T's numbers are in P's bands. `read` gives the value of a text of P (0)
    /// or of T (1).
    pub(crate) fn question(
        &self,
        name: &str,
        (public, private): (&Column, Option<&Column>),
        read: impl Fn(usize, &str) -> Option<String>,
    ) -> Ambiguity {
        let known: BTreeSet<Option<String>> = public.texts.keys().map(|text| read(0, text)).collect();
        let (mut all, mut matched) = (0, 0);
        for (text, rows) in private.iter().flat_map(|column| &column.texts) {
            all += rows.count;
            matched += if known.contains(&read(1, text)) { rows.count } else { 0 };
        }
        let choice = |label: &str, kind| Choice {
            label: label.to_owned(),
            decision: Decision::Kind { attribute: name.to_owned(), kind },
        };
        let example = self.labels.iter().find(|label| public.texts.contains_key(*label));
        Ambiguity {
            attribute: Some(name.to_owned()),
            what: format!(
                "P has bands, such as {:?}, and T exact numbers; proposed: `public_level = 1`, by which {matched} of {all} row(s) of T \
                 have a band of P",
                example.map_or("", String::as_str)
            ),
            remedy: "if the values are texts without an order, remove `public_level`, and write `kind = \"category\"` and a hierarchy of \
                     texts"
                .to_owned(),
            choices: vec![
                choice("T's numbers are in P's bands (`public_level = 1`)", ValueKind::Number),
                choice("texts without an order", ValueKind::Category),
            ],
        }
    }
}

/// Reports bands of T beside exact numbers of P, which no key can match.
pub(crate) fn reversed(name: &str, tables: &[Texts; 2]) -> Option<Ambiguity> {
    (are_bands(&tables[1]) && are_numbers(&tables[0])).then(|| {
        Ambiguity::of(
            name,
            "T has bands of numbers, and P exact numbers, so no row of T matches a person of P",
            "take T's exact numbers from its source; or write this column of P in T's bands, with the same texts",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(public: &[&str], private: &[&str]) -> Option<Bands> {
        let tables: [Texts; 2] = [public, private].map(|texts| texts.iter().copied().collect());
        Bands::find(&tables)
    }

    #[test]
    fn gapless_bands_become_levels_of_a_hierarchy() {
        let bands = found(&["0 to 9", "10 to 19", "20 to 29", "30+"], &["4", "31"]).unwrap();
        assert_eq!(bands.labels, ["<0", "0 to 9", "10 to 19", "20 to 29", "30+"]);
        let label = |text| bands.label(text, NumberForm::POINT);
        assert_eq!(
            ["9", "9.5", "10", "99", "-1"].map(label),
            ["0 to 9", "0 to 9", "10 to 19", "30+", "<0"].map(Some)
        );
        assert_eq!(
            bands.recipe().to_toml(),
            "type = \"interval\"\n[[level]]\ncuts = [0, 10, 20, 30]\nlabels = [\"<0\", \"0 to 9\", \"10 to 19\", \"20 to \
             29\", \"30+\"]\n[[level]]\ncuts = [0, 20]\n"
        );
        let half = found(&["<18", "[18, 40)", "[40, 65)"], &["4", "31"]).unwrap();
        assert_eq!(half.labels, ["<18", "[18, 40)", "[40, 65)", ">=65"]);
        for (public, private) in [
            (&["0-9", "20-29", "30-39"][..], &["4", "5"][..]),
            (&["0-9", "10-19"], &["0-9"]),
            (&["0", "1"], &["4", "5"]),
            (&["F32", "F33"], &["4", "5"]),
        ] {
            assert_eq!(found(public, private), None, "{public:?}");
        }
    }
}
