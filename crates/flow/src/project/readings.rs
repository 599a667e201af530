//! The keys that define how texts become values: `missing`, `number`, `date`, `trim`, `values`, for both tables or for one.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;

use crate::{keys, values};

use palmtop_tables::encode::Readings;
use palmtop_tables::reading::{DateForm, Form, NumberForm, Reading};

keys! {
/// The keys that an attribute has for both tables, or that its `[attribute.public]` or `[attribute.private]` has for one.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenReading {
    /// The texts that mean "no value", instead of those at the top.
    pub(super) missing: Option<Vec<String>>,
    /// How numbers are written.
    pub(super) number: Option<WrittenNumber>,
    /// How dates are written, such as `"%d.%m.%Y"`.
    pub(super) date: Option<String>,
    /// The first year of the hundred that years of two digits (`%y`) mean.
    pub(super) pivot: Option<u16>,
    /// `true`: blanks around a value are not part of it.
    pub(super) trim: Option<bool>,
    /// The texts of values that are written in another way.
    pub(super) values: Option<BTreeMap<String, String>>,
}
}

keys! {
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenNumber {
    /// The decimal separator; by default a point.
    #[serde(default = "point")]
    decimal: char,
    /// The separator of thousands; by default none.
    thousands: Option<char>,
    /// The bound of an open first band: all numbers below it are one value, such as `<1`.
    first: Option<toml::Value>,
    /// The bound of an open last band: all numbers from it on are one value, such as `>=90`.
    last: Option<toml::Value>,
}
}

impl WrittenNumber {
    /// The form of these numbers.
    pub(super) fn form(&self) -> Result<NumberForm, String> {
        let bound = |key: &str, bound: &Option<toml::Value>| {
            let text = bound.as_ref().map(|bound| match bound {
                toml::Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            let number = |text: &String| {
                let number = NumberForm::POINT.read_exact(text);
                number.and_then(|number| Decimal::from_str_exact(&number).ok())
            };
            match text.as_ref().map(number) {
                None => Ok(None),
                Some(Some(number)) => Ok(Some(number)),
                Some(None) => Err(format!(
                    "`{key} = {}`: expected a number such as 90 or 0.5",
                    text.unwrap_or_default()
                )),
            }
        };
        let (first, last) = (bound("first", &self.first)?, bound("last", &self.last)?);
        if first.zip(last).is_some_and(|(first, last)| first > last) {
            return Err("`first` is above `last`; correct the bounds of the open bands".to_owned());
        }
        Ok(NumberForm::new(self.decimal, self.thousands)?.with_open(first, last))
    }
}

fn point() -> char {
    '.'
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum WrittenPlace {
    Own,
    Top,
}

values!(WrittenPlace);

/// All keys of an attribute that define how its texts become values.
#[derive(Default)]
pub(super) struct WrittenReadings {
    pub(super) both: WrittenReading,
    pub(super) public: Option<WrittenReading>,
    pub(super) private: Option<WrittenReading>,
    pub(super) missing_label: Option<String>,
    pub(super) missing_at: Option<WrittenPlace>,
}

/// The settings outside of an attribute's keys that affect its readings.
pub(super) struct Context<'a> {
    /// The texts for a missing value in the whole project.
    pub(super) missing: &'a [String],
    /// Whether T is a part of P.
    pub(super) is_member: bool,
    /// Whether P has labels of a level above the values.
    pub(super) is_coarser: bool,
}

impl WrittenReading {
    fn is_empty(&self) -> bool {
        let Self { missing, number, date, pivot, trim, values } = self;
        let has_form = number.is_some() || date.is_some() || pivot.is_some();
        missing.is_none() && !has_form && trim.is_none() && values.is_none()
    }

    /// Whether the keys have a form of numbers or dates.
    fn has_form(&self) -> Result<bool, String> {
        match (&self.number, &self.date) {
            (Some(_), Some(_)) => Err("`number` and `date` exclude each other; remove one".to_owned()),
            (number, date) => Ok(number.is_some() || date.is_some()),
        }
    }

    /// These keys, and the keys of `base` that they do not replace.
    fn over(self, base: &Self) -> Result<Self, String> {
        let form = if self.has_form()? { &self } else { base };
        let (number, date) = (form.number.clone(), form.date.clone());
        Ok(Self {
            number,
            date,
            missing: self.missing.or_else(|| base.missing.clone()),
            pivot: self.pivot.or(base.pivot),
            trim: self.trim.or(base.trim),
            values: self.values.or_else(|| base.values.clone()),
        })
    }

    /// The reading that the keys define; `missing` are the texts of the whole project.
    fn reading(self, missing: &[String]) -> Result<Reading, String> {
        let form = match (self.number, self.date) {
            (Some(number), _) => Form::Number(number.form()?),
            (None, Some(pattern)) => Form::Date(DateForm::new(&pattern, self.pivot)?),
            (None, None) => Form::Text,
        };
        Ok(Reading {
            trim: self.trim.unwrap_or(false),
            values: self.values.unwrap_or_default(),
            missing: self.missing.unwrap_or_else(|| missing.to_vec()),
            missing_label: None,
            form,
        })
    }
}

impl WrittenReadings {
    /// Whether no key is set.
    pub(super) fn is_empty(&self) -> bool {
        self.both.is_empty()
            && self.public.is_none()
            && self.private.is_none()
            && self.missing_label.is_none()
            && self.missing_at.is_none()
    }

    /// Checks the keys, and combines them to the readings of P and T.
    pub(super) fn check(self, context: &Context) -> Result<Readings, String> {
        let Self { both, public, private, missing_label, missing_at } = self;
        let label = missing_label.unwrap_or_else(|| Reading::UNKNOWN.to_owned());
        both.has_form()?;
        let has_pivot = [Some(&both), public.as_ref(), private.as_ref()];
        let has_pivot = has_pivot.into_iter().flatten().any(|part| part.pivot.is_some());
        // Labels of a coarser level are neither numbers nor dates.
        let for_public = match &public {
            Some(public) if context.is_coarser && public.has_form()? => {
                return Err("P has labels of a level above the values (`public_level`), which are neither numbers nor dates; \
                            remove `number` and `date` from [attribute.public]"
                    .to_owned());
            }
            _ if context.is_coarser => WrittenReading { number: None, date: None, ..both.clone() },
            _ => both.clone(),
        };
        if context.is_member && (public.is_some() || private.is_some()) {
            return Err("T is a part of P, so both are read in the same way; put the keys of [attribute.public] and [attribute.private] \
                        under [[attribute]] itself"
                .to_owned());
        }
        let read = |written: Option<WrittenReading>, base: &WrittenReading| {
            written.unwrap_or_default().over(base)?.reading(context.missing)
        };
        let mut public = read(public, &for_public)?;
        let mut private = if context.is_member { public.clone() } else { read(private, &both)? };
        let is_short =
            |reading: &Reading| matches!(&reading.form, Form::Date(form) if form.has_short_years());
        if has_pivot && !is_short(&public) && !is_short(&private) {
            return Err("`pivot` is for dates with years of two digits, `%y`; remove it".to_owned());
        }
        let may_lack = !(public.missing.is_empty() && private.missing.is_empty());
        let label = may_lack.then_some(label);
        public.missing_label.clone_from(&label);
        private.missing_label = label;
        Ok(Readings { public, private, missing_at_top: missing_at == Some(WrittenPlace::Top) })
    }
}
