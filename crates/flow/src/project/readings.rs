//! The keys by which a quasi-identifier's texts are read: `missing`, `number`, `date`, `trim`, `values`, for both tables or one.

use std::collections::BTreeMap;

use serde::Deserialize;

use palmtop_tables::encode::Readings;
use palmtop_tables::reading::{DateForm, Form, NumberForm, Reading};

/// The keys that an attribute has for both tables, or that its `[attribute.public]` or `[attribute.private]` has for one.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenReading {
    pub(super) missing: Option<Vec<String>>,
    pub(super) number: Option<WrittenNumber>,
    pub(super) date: Option<String>,
    pub(super) trim: Option<bool>,
    pub(super) values: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenNumber {
    #[serde(default = "point")]
    decimal: char,
    thousands: Option<char>,
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

/// All keys of an attribute that say how it is read.
#[derive(Default)]
pub(super) struct WrittenReadings {
    pub(super) both: WrittenReading,
    pub(super) public: Option<WrittenReading>,
    pub(super) private: Option<WrittenReading>,
    pub(super) missing_label: Option<String>,
    pub(super) missing_at: Option<WrittenPlace>,
}

/// What the keys of an attribute are read beside.
pub(super) struct Surroundings<'a> {
    /// `missing` of the whole project.
    pub(super) missing: &'a [String],
    /// Whether T is part of P.
    pub(super) is_member: bool,
    /// Whether P holds labels of a coarser level than the values.
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
            (Some(number), None) => {
                NumberForm::new(number.decimal, number.thousands).map(|form| Some(Form::Number(form)))
            }
            (None, Some(pattern)) => DateForm::new(pattern).map(|form| Some(Form::Date(form))),
            (None, None) => Ok(None),
        }
    }

    /// Replaces what these keys say.
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
    /// Whether no key says anything.
    pub(super) fn is_empty(&self) -> bool {
        self.both.is_empty()
            && self.public.is_none()
            && self.private.is_none()
            && self.missing_label.is_none()
            && self.missing_at.is_none()
    }

    /// How the texts of P and T are read.
    pub(super) fn check(self, around: &Surroundings) -> Result<Readings, String> {
        let Self { both, public, private, missing_label, missing_at } = self;
        let label = missing_label.unwrap_or_else(|| Reading::UNKNOWN.to_owned());
        let plain = Reading { missing: around.missing.to_vec(), ..Reading::default() };
        let common = both.replace(plain)?;
        let own = |written: &Option<WrittenReading>, common: Reading| match written {
            None => Ok(common),
            Some(written) => written.replace(common),
        };
        // Labels of a coarser level are no numbers and no dates.
        let for_public = match public.as_ref().map(WrittenReading::form).transpose()?.flatten() {
            Some(_) if around.is_coarser => {
                return Err("P holds labels of a level above the values (`public_level`), which are no numbers and no dates; \
                            remove `number` and `date` from [attribute.public]"
                    .to_owned());
            }
            None if around.is_coarser => Reading { form: Form::Text, ..common.clone() },
            _ => common.clone(),
        };
        if around.is_member && (public.is_some() || private.is_some()) {
            return Err("T is part of P, so both are read alike; put the keys of [attribute.public] and [attribute.private] \
                        under [[attribute]] itself"
                .to_owned());
        }
        let mut public = own(&public, for_public)?;
        let mut private = if around.is_member { public.clone() } else { own(&private, common)? };
        let may_lack = !(public.missing.is_empty() && private.missing.is_empty());
        let label = may_lack.then_some(label);
        public.missing_label.clone_from(&label);
        private.missing_label = label;
        Ok(Readings { public, private, missing_at_top: missing_at == Some(WrittenPlace::Top) })
    }
}
