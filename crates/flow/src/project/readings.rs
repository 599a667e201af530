//! The keys that define how texts become values: `missing`, `number`, `date`, `trim`, `values`, for both tables or for one.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;

use crate::{keys, values};

use palmtop_tables::encode::Readings;
use palmtop_tables::reading::{DateForm, Form, NumberForm, Reading};

keys! {
/// The keys that an attribute has for both tables, or that its `[attribute.public]` or `[attribute.private]` has for one.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenReading {
    /// The texts that mean "no value", instead of those at the top.
    pub(super) missing: Option<Vec<String>>,
    /// How numbers are written.
    pub(super) number: Option<WrittenNumber>,
    /// How dates are written, such as `"%d.%m.%Y"`.
    pub(super) date: Option<String>,
    /// `true`: blanks around a value are not part of it.
    pub(super) trim: Option<bool>,
    /// The texts of values that are written in another way.
    pub(super) values: Option<BTreeMap<String, String>>,
}
}

keys! {
#[derive(Deserialize)]
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
        let Self { missing, number, date, trim, values } = self;
        missing.is_none() && number.is_none() && date.is_none() && trim.is_none() && values.is_none()
    }

    fn form(&self) -> Result<Option<Form>, String> {
        match (&self.number, &self.date) {
            (Some(_), Some(_)) => Err("`number` and `date` exclude each other; remove one".to_owned()),
            (Some(number), None) => Ok(Some(Form::Number(number.form()?))),
            (None, Some(pattern)) => DateForm::new(pattern).map(|form| Some(Form::Date(form))),
            (None, None) => Ok(None),
        }
    }

    /// Replaces the settings for which these keys have a value.
    fn replace(&self, mut reading: Reading) -> Result<Reading, String> {
        if let Some(form) = self.form()? {
            reading.form = form;
        }
        if let Some(trim) = self.trim {
            reading.trim = trim;
        }
        if let Some(values) = &self.values {
            reading.values.clone_from(values);
        }
        if let Some(missing) = &self.missing {
            reading.missing.clone_from(missing);
        }
        Ok(reading)
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
        let plain = Reading { missing: context.missing.to_vec(), ..Reading::default() };
        let common = both.replace(plain)?;
        let replaced = |written: &Option<WrittenReading>, common: Reading| match written {
            None => Ok(common),
            Some(written) => written.replace(common),
        };
        // Labels of a coarser level are neither numbers nor dates.
        let for_public = match public.as_ref().map(WrittenReading::form).transpose()?.flatten() {
            Some(_) if context.is_coarser => {
                return Err("P has labels of a level above the values (`public_level`), which are neither numbers nor dates; \
                            remove `number` and `date` from [attribute.public]"
                    .to_owned());
            }
            None if context.is_coarser => Reading { form: Form::Text, ..common.clone() },
            _ => common.clone(),
        };
        if context.is_member && (public.is_some() || private.is_some()) {
            return Err("T is a part of P, so both are read in the same way; put the keys of [attribute.public] and [attribute.private] \
                        under [[attribute]] itself"
                .to_owned());
        }
        let mut public = replaced(&public, for_public)?;
        let mut private = if context.is_member { public.clone() } else { replaced(&private, common)? };
        let may_lack = !(public.missing.is_empty() && private.missing.is_empty());
        let label = may_lack.then_some(label);
        public.missing_label.clone_from(&label);
        private.missing_label = label;
        Ok(Readings { public, private, missing_at_top: missing_at == Some(WrittenPlace::Top) })
    }
}
