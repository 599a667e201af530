//! The block of keys that define how texts become values: `missing`, `number`, `date`, `trim`, `values`, for both tables or for
//! one.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;

use crate::keys::{Key, Keyed};
use crate::{keys, values};

use palmtop_tables::encode::Readings;
use palmtop_tables::literal::toml_string;
use palmtop_tables::reading::{DateForm, Form, NumberForm, Reading};

keys! {
/// The keys that an attribute has for both tables, or that its `[attribute.public]` or `[attribute.private]` has for one.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenReading {
    /// The texts that mean "no value"; at the top of the file, those of every quasi-identifier.
    pub(super) missing: Option<Vec<String>>,
    /// An example of a number with both separators, such as `"1.234,5"`; with open bands `{ like = "1.234,5", first = 1, last = 90 }`: `<1` and `>=90`.
    pub(super) number: Option<WrittenNumber>,
    /// The pattern of dates, such as `"%d.%m.%Y"`; if years have two digits `{ like = "%d.%m.%y", from = 1930 }`, for 1930 to 2029.
    pub(super) date: Option<WrittenDate>,
    /// `true`: blanks around a value are not part of it.
    pub(super) trim: Option<bool>,
    /// The texts of values that are written in another way: `{ "Female" = "F" }`.
    pub(super) values: Option<BTreeMap<String, String>>,
}
}

/// A form of numbers: an example, or a table with these keys.
#[derive(Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected an example such as \"1.234,5\", or { like = \"1.234,5\", first = 1, last = 90 }"
)]
pub(super) enum WrittenNumber {
    Example(String),
    Open(WrittenOpenNumber),
}

keys! {
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenOpenNumber {
    /// The example; by default `"1234.5"`.
    like: Option<String>,
    /// The bound of an open first band: all numbers below it are one value, such as `<1`.
    first: Option<toml::Value>,
    /// The bound of an open last band: all numbers from it on are one value, such as `>=90`.
    last: Option<toml::Value>,
}
}

/// A form of dates: a pattern, or a table with these keys.
#[derive(Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a pattern such as \"%d.%m.%Y\", or { like = \"%d.%m.%y\", from = 1930 }"
)]
pub(super) enum WrittenDate {
    Pattern(String),
    Short(WrittenShortDate),
}

keys! {
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenShortDate {
    /// The pattern.
    like: String,
    /// The first year of the hundred that years of two digits (`%y`) mean.
    from: u16,
}
}

impl Keyed for WrittenNumber {
    fn keys() -> Vec<Key> {
        WrittenOpenNumber::keys()
    }
}

impl Keyed for WrittenDate {
    fn keys() -> Vec<Key> {
        WrittenShortDate::keys()
    }
}

impl WrittenNumber {
    /// The form of these numbers.
    pub(super) fn form(&self) -> Result<NumberForm, String> {
        let WrittenOpenNumber { like, first, last } = match self {
            Self::Example(example) => return NumberForm::like(example),
            Self::Open(written) => written,
        };
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
        let (first, last) = (bound("first", first)?, bound("last", last)?);
        if first.zip(last).is_some_and(|(first, last)| first > last) {
            return Err("`first` is above `last`; correct the bounds of the open bands".to_owned());
        }
        let form = like.as_deref().map_or(Ok(NumberForm::POINT), NumberForm::like)?;
        Ok(form.with_open(first, last))
    }
}

impl WrittenDate {
    /// The form of these dates.
    fn form(&self) -> Result<DateForm, String> {
        match self {
            Self::Pattern(pattern) => DateForm::new(pattern, None),
            Self::Short(WrittenShortDate { like, from }) => {
                let form = DateForm::new(like, Some(*from))?;
                if !form.has_short_years() {
                    return Err(format!(
                        "`from` of `date` is for years of two digits, `%y`; write `date = {}`",
                        toml_string(like)
                    ));
                }
                Ok(form)
            }
        }
    }
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
        let has_form = number.is_some() || date.is_some();
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
            trim: self.trim.or(base.trim),
            values: self.values.or_else(|| base.values.clone()),
        })
    }

    /// The reading that the keys define; `missing` are the texts of the whole project.
    fn reading(self, missing: &[String]) -> Result<Reading, String> {
        let form = match (self.number, self.date) {
            (Some(number), _) => Form::Number(number.form()?),
            (None, Some(date)) => Form::Date(date.form()?),
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
        let may_lack = !(public.missing.is_empty() && private.missing.is_empty());
        let label = may_lack.then_some(label);
        public.missing_label.clone_from(&label);
        private.missing_label = label;
        Ok(Readings { public, private, missing_at_top: missing_at == Some(WrittenPlace::Top) })
    }
}
