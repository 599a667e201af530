//! Random quasi-identifiers: a hierarchy, the level of P, and the possible values of the tables.

use super::dates::DateForm;
use super::hierarchies::{self, Hierarchy};
use super::texts;
use crate::readings::naive::{Builder, Number};
use crate::support::dice::Dice;

/// A value of P, and all texts that T may have for it.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) public: String,
    pub(crate) private: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) public_name: String,
    pub(crate) private_name: String,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) base: usize,
    pub(crate) cells: Vec<Cell>,
    /// The most terms of a set, as it is written.
    pub(crate) terms: Option<&'static str>,
    /// The level at which ranges begin and end.
    pub(crate) borders: Option<usize>,
    /// How P and T write dates, if they do not write them as values.
    pub(crate) dates: [Option<DateForm>; 2],
}

/// A quasi-identifier with this name.
pub(crate) fn column(dice: &mut Dice, name: String, oddness: usize) -> Column {
    let hierarchy = hierarchies::hierarchy(dice, oddness);
    let top = hierarchy.builder.top();
    let base = if top > 0 && dice.percent(30) { dice.within(1, top.min(3)) } else { 0 };
    let mut cells: Vec<Cell> = Vec::new();
    for value in &hierarchy.values {
        let Some(public) = hierarchy.builder.raise(value, 0, base) else { continue };
        let mut private: Vec<String> =
            (0..=base).filter_map(|level| hierarchy.builder.raise(value, 0, level)).collect();
        if let Some(cell) = cells.iter_mut().find(|cell| cell.public == public) {
            cell.private.append(&mut private);
        } else {
            cells.push(Cell { public, private });
        }
    }
    if cells.is_empty() {
        cells.push(Cell { public: "nothing".to_owned(), private: vec!["nothing".to_owned()] });
    }
    let dates = if is_date(&hierarchy) { written(dice, base, &mut cells) } else { [None, None] };
    let other = |dice: &mut Dice, suffix: &str| {
        if dice.percent(10) { format!("{name} {suffix}") } else { name.clone() }
    };
    let (public_name, private_name) = (other(dice, "of all"), other(dice, "of ours"));
    let terms = dice.percent(30).then(|| *dice.pick(&["1", "2", "2", "3", "3", "4", "4"]));
    let terms =
        if dice.percent(oddness / 20) { Some(*dice.pick(&["0", "-1", "2.0", "\"2\""])) } else { terms };
    // Sometimes a level that does not exist, or borders of categories.
    let beyond = usize::from(dice.percent(3));
    let has_borders = dice.percent(if is_ordered(&hierarchy) { 35 } else { 1 });
    let borders = has_borders.then(|| dice.within(base, hierarchy.builder.top().max(base) + beyond));
    Column { name, public_name, private_name, hierarchy, base, cells, terms, borders, dates }
}

/// Whether the values are days.
fn is_date(hierarchy: &Hierarchy) -> bool {
    matches!(hierarchy.builder, Builder::Date(_))
        || hierarchy.values.iter().all(|text| text.len() == 10 && text.starts_with(['1', '2']))
}

/// Writes the values of P and T in other forms. If P has labels, T has the values.
fn written(dice: &mut Dice, base: usize, cells: &mut [Cell]) -> [Option<DateForm>; 2] {
    let form = |dice: &mut Dice| dice.percent(45).then(|| DateForm::any(dice));
    let public = form(dice).filter(|_| base == 0);
    let private = if dice.percent(40) { public.clone() } else { form(dice) };
    for cell in cells {
        if let Some(form) = &public {
            cell.public = form.write(dice, &cell.public);
        }
        if let Some(form) = &private {
            // A form reads no labels.
            if dice.percent(98) {
                cell.private.retain(|text| text.len() == 10);
            }
            // The same day in several ways.
            let days = std::mem::take(&mut cell.private);
            cell.private = days.iter().chain(&days).map(|day| form.write(dice, day)).collect();
            if cell.private.is_empty() {
                cell.private.push("nothing".to_owned());
            }
        }
    }
    [public, private]
}

/// Whether the values are numbers or dates, as far as the project and the type of the hierarchy
/// show it.
fn is_ordered(hierarchy: &Hierarchy) -> bool {
    match hierarchy.kind {
        Some(kind) => kind != "category",
        None => match &hierarchy.builder {
            Builder::Widths { .. } | Builder::Cuts { .. } | Builder::Date(_) => true,
            Builder::Csv(chains) => chains.iter().all(|chain| Number::read(&chain[0]).is_some()),
            Builder::Tree(_) | Builder::Mask { .. } | Builder::Flat => false,
        },
    }
}

/// Names of columns, all different.
pub(crate) fn names(dice: &mut Dice, count: usize, oddness: usize) -> Vec<String> {
    const NAMES: [&str; 12] =
        ["zip", "age", "sex", "place", "born", "work", "rank", "tribe", "guild", "town", "tax", "code"];
    const ODD: [&str; 10] =
        ["a,b", "x;y", "*", "^zip$", "étage", "presence", "with blank", "quo\"te", "two\nlines", "["];
    texts::distinct(count, dice, |dice| {
        if dice.percent(oddness / 6) { dice.pick(&ODD).to_string() } else { dice.pick(&NAMES).to_string() }
    })
}
