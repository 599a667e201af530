//! The analyst's statements for the report, under `[report]` of the project file. palmtop does not check them, and no verdict
//! depends on them.

use serde::Deserialize;
use toml::Spanned;

use crate::keys;
use palmtop_core::model::{Presence, TermError};
use palmtop_tables::literal::{self, Literal};

/// The analyst's statements for the report; `None` if a statement is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statements {
    /// The person who is responsible for the release.
    pub responsible: Option<String>,
    /// The organization that publishes the release.
    pub organization: Option<String>,
    /// The period of the data.
    pub period: Option<String>,
    /// The day of the next review, as year-month-day.
    pub review: Option<String>,
    /// Whom to ask about the release. The recipient's report has this statement, too.
    pub contact: Option<String>,
    /// Who gets the release: `public`, `agreement`, or the analyst's words.
    pub context: Option<String>,
    /// The recipients by name.
    pub recipients: Option<String>,
    /// What keeps the recipients from misusing the release: an agreement, a room, an audit.
    pub controls: Option<String>,
    /// The probability of each kind of attempt to re-identify a person.
    pub attempt: Option<Attempt>,
    /// Who the people of P are, in a few words. The recipient's report has this statement, too.
    pub public: Option<String>,
    /// The laws whose names cautions and reports use. No figure depends on them.
    pub law: Vec<Law>,
}

/// A law whose name cautions and reports can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The Health Insurance Portability and Accountability Act of the United States.
    Hipaa,
    /// The General Data Protection Regulation of the European Union.
    Gdpr,
}

impl Law {
    /// All laws that `law` can name.
    pub const ALL: [Self; 2] = [Self::Hipaa, Self::Gdpr];

    /// The name in the project file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hipaa => "hipaa",
            Self::Gdpr => "gdpr",
        }
    }

    fn read(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|law| law.as_str() == text);
        known.ok_or_else(|| format!("[report]: `law` has \"{text}\", but \"hipaa\" or \"gdpr\" is expected"))
    }
}

/// The probabilities of an attempt to re-identify a person in the context of the release, for which EMA's policy 0070 and Health
/// Canada ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// A person who has the release tries on purpose.
    pub deliberate: Presence,
    /// A person who has the release recognizes an acquaintance by chance.
    pub inadvertent: Presence,
    /// A data breach gives the release to an attacker.
    pub breach: Presence,
}

keys! {
/// `[report]` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenReport {
    /// The person who is responsible for the release; the recipient's report has it, too.
    responsible: Option<String>,
    /// The organization that publishes the release; the recipient's report has it, too.
    organization: Option<String>,
    /// The period of the data, in your words; the recipient's report has it, too.
    period: Option<String>,
    /// The day of the next review, as year-month-day.
    review: Option<Spanned<toml::Value>>,
    /// Whom to ask about the release; the recipient's report has it, too.
    contact: Option<String>,
    /// The way of the release: `"public"`, `"agreement"`, or your words.
    context: Option<String>,
    /// The recipients by name.
    recipients: Option<String>,
    /// What keeps the recipients from misusing the release, such as a contract or a closed room.
    controls: Option<String>,
    /// Three probabilities of an attempt to re-identify a person: `{ deliberate = "40%", inadvertent = 0.2, breach = "1/4" }`.
    attempt: Option<WrittenAttempt>,
    /// The people of P, in a few words; the recipient's report has them, too.
    public: Option<String>,
    /// The laws that cautions and reports name: `["hipaa", "gdpr"]`. No figure depends on them.
    law: Option<Vec<String>>,
}
}

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAttempt {
    /// a person who has the release tries on purpose.
    deliberate: Spanned<Literal>,
    /// a person who has the release recognizes an acquaintance by chance.
    inadvertent: Spanned<Literal>,
    /// a data breach gives the release to an attacker.
    breach: Spanned<Literal>,
}
}

impl Statements {
    /// Reads the lines of `[report]` by themselves.
    ///
    /// # Errors
    /// Which statement is wrong, and what is expected.
    pub fn read(lines: &str) -> Result<Self, String> {
        toml::from_str::<WrittenReport>(lines).map_err(|error| error.message().to_owned())?.settle(lines)
    }
}

impl WrittenReport {
    /// Checks each statement; `file` is the text of the project file.
    pub(super) fn settle(self, file: &str) -> Result<Statements, String> {
        let Self { responsible, organization, period, review, contact, context, .. } = self;
        let Self { recipients, controls, attempt, public, law, .. } = self;
        let attempt = attempt.map(|attempt| -> Result<Attempt, String> {
            let read = |name: &'static str, written: &Spanned<Literal>| {
                let read = literal::digits(written, file).parse();
                read.map_err(|error: TermError| format!("[report] attempt: {}", error.given_for(name)))
            };
            Ok(Attempt {
                deliberate: read("deliberate", &attempt.deliberate)?,
                inadvertent: read("inadvertent", &attempt.inadvertent)?,
                breach: read("breach", &attempt.breach)?,
            })
        });
        Ok(Statements {
            responsible: words("responsible", responsible)?,
            organization: words("organization", organization)?,
            period: words("period", period)?,
            review: review.map(|written| day(written.get_ref())).transpose()?,
            contact: words("contact", contact)?,
            context: words("context", context)?,
            recipients: words("recipients", recipients)?,
            controls: words("controls", controls)?,
            attempt: attempt.transpose()?,
            public: words("public", public)?,
            law: law.unwrap_or_default().iter().map(|text| Law::read(text)).collect::<Result<_, _>>()?,
        })
    }
}

/// The longest statement, in characters.
const LONGEST: usize = 500;

/// A statement in words: one line that is not empty.
fn words(key: &str, text: Option<String>) -> Result<Option<String>, String> {
    let Some(text) = text else { return Ok(None) };
    let text = text.trim().to_owned();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > LONGEST {
        return Err(format!(
            "[report]: `{key}` is one line of 1 to {LONGEST} characters; write it, or leave the key out"
        ));
    }
    Ok(Some(text))
}

/// A day: a date of TOML, or a text of the same form.
fn day(value: &toml::Value) -> Result<String, String> {
    let text = match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let wrong =
        || format!("[report]: `review` is {text}, but a day is expected, such as review = \"2027-01-31\"");
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return Err(wrong()) };
    let number = |part: &str, digits: usize| {
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return Err(wrong());
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    if (1..=days).contains(&day) { Ok(text.clone()) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_properties_are_read_and_others_refused() {
        let all = "responsible = \"R. Berg, data protection\"\norganization = \"Chest clinic\"\nperiod = \"2024\"\n\
                   review = 2027-02-28\ncontext = \"agreement\"\npublic = \"residents of the town\"\n\
                   contact = \"data@clinic.example\"\nrecipients = \"two universities\"\ncontrols = \"a contract\"\n\
                   law = [\"gdpr\"]\n\
                   attempt = { deliberate = \"40%\", inadvertent = 0.2, breach = \"1/4\" }\n";
        let stated = Statements::read(all).unwrap();
        assert_eq!(stated.review.as_deref(), Some("2027-02-28"));
        assert_eq!(stated.context.as_deref(), Some("agreement"));
        let more = [stated.contact.as_deref(), stated.recipients.as_deref(), stated.controls.as_deref()];
        assert_eq!(more, [Some("data@clinic.example"), Some("two universities"), Some("a contract")]);
        assert_eq!(stated.law, [Law::Gdpr]);
        let attempt = stated.attempt.unwrap();
        let shown = [attempt.deliberate, attempt.inadvertent, attempt.breach]
            .map(|probability| probability.to_string());
        assert_eq!(shown, ["2/5", "1/5", "1/4"]);
        assert_eq!(Statements::read("").unwrap(), Statements::default());
        for (wrong, message) in [
            ("responsable = \"x\"", "unknown field"),
            ("public = \" \"", "`public` is one line"),
            ("period = \"a\\nb\"", "`period` is one line"),
            ("review = \"2027-02-29\"", "a day is expected"),
            ("review = \"next year\"", "a day is expected"),
            ("review = 2027", "a day is expected"),
            ("law = [\"cfr\"]", "is expected"),
            ("attempt = { deliberate = 0.1, breach = 0.1 }", "missing field `inadvertent`"),
            ("attempt = { deliberate = 2, inadvertent = 0, breach = 0 }", "deliberate"),
        ] {
            let error = Statements::read(wrong).unwrap_err();
            assert!(error.contains(message), "{wrong}: {error}");
        }
    }
}
