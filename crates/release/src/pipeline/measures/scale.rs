//! The texts of a column as numbers or days, for the search of betrayals.

use std::collections::BTreeSet;

use chrono::Datelike;
use palmtop_measure::betrayal::{Column, Scale};
use palmtop_tables::dates::Dates;
use palmtop_tables::reading::{DateForm, NumberForm};
use palmtop_tables::written::{MISSING, number_forms};

/// A column for the search of betrayals. Texts of missing values are omitted. The column has a
/// scale if nearly all texts are numbers or dates.
pub fn column<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> Column {
    let mut column = Column::new(name);
    for text in texts {
        column.push(Some(text).filter(|text| !MISSING.contains(&text.trim())));
    }
    column.scale = scale(&column.texts);
    column
}

/// The numbers or days of the texts, if nearly all of them are. Texts of missing values do not
/// count.
pub fn scale(texts: &[String]) -> Option<Scale> {
    let present: Vec<&str> =
        texts.iter().map(|text| text.trim()).filter(|text| !MISSING.contains(text)).collect();
    let early: BTreeSet<&str> = present.iter().copied().take(1_000).collect();
    let days = |form: DateForm| move |text: &str| form.day(text).map(|day| f64::from(day.num_days_from_ce()));
    let number = |form: NumberForm| move |text: &str| form.read(text)?.parse().ok();
    let read = |is_date: bool, read: &dyn Fn(&str) -> Option<f64>| {
        // A few texts of another form are enough to reject the scale.
        let begin = present.iter().take(1_000);
        let fits = |count: usize, of: usize| count > 0 && count * 20 >= of * 19;
        let early = begin.clone().filter(|text| read(text).is_some()).count();
        if !fits(early, begin.len()) {
            return None;
        }
        let values: Vec<Option<f64>> = texts.iter().map(|text| read(text.trim())).collect();
        fits(values.iter().flatten().count(), present.len()).then_some(Scale { is_date, values })
    };
    let forms = Dates::of(&early).unwrap_or_default().forms;
    forms.into_iter().find_map(|form| read(true, &days(form))).or_else(|| {
        let form = number_forms(&early).first().copied().unwrap_or(NumberForm::POINT);
        read(false, &number(form))
    })
}
