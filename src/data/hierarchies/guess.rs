//! What values that a hierarchy cannot place look like: how they would have to be written so that it could.

use chrono::{NaiveDate, NaiveDateTime};

/// Of so many values at most the form is looked at.
const LOOKED_AT: usize = 1_000;

/// A way in which tables write values that a hierarchy has in another form.
struct Form {
    /// What such values look like, and what to do.
    said: &'static str,
    /// The value in the hierarchy's form.
    mended: fn(&str) -> Option<String>,
}

const FORMS: [Form; 15] = [
    Form { said: "blanks around the values; remove these", mended: |text| changed(text, text.trim()) },
    Form {
        said: "whole numbers with a fraction of zeros; write them without it",
        mended: |text| {
            let (whole, fraction) = text.split_once('.')?;
            (!fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0')).then(|| whole.to_owned())
        },
    },
    Form {
        said: "numbers with a decimal comma; write a point",
        mended: |text| is_number_with(text, ',').then(|| text.replace(',', ".")),
    },
    Form {
        said: "numbers with separators of thousands; write them without these",
        mended: |text| {
            let plain: String =
                text.chars().filter(|character| !",.' \u{a0}\u{202f}".contains(*character)).collect();
            is_digits(plain.strip_prefix('-').unwrap_or(&plain))
                .then_some(plain)
                .filter(|plain| plain != text)
        },
    },
    Form { said: "days written DD.MM.YYYY; write YYYY-MM-DD", mended: |text| day(text, "%d.%m.%Y") },
    Form { said: "days written DD/MM/YYYY; write YYYY-MM-DD", mended: |text| day(text, "%d/%m/%Y") },
    Form { said: "days written MM/DD/YYYY; write YYYY-MM-DD", mended: |text| day(text, "%m/%d/%Y") },
    Form { said: "days written DD-MM-YYYY; write YYYY-MM-DD", mended: |text| day(text, "%d-%m-%Y") },
    Form { said: "days written YYYY/MM/DD; write YYYY-MM-DD", mended: |text| day(text, "%Y/%m/%d") },
    Form {
        said: "days written YYYYMMDD; write YYYY-MM-DD",
        mended: |text| (text.len() == 8).then(|| day(text, "%Y%m%d")).flatten(),
    },
    Form {
        said: "days with a time behind them; write the day alone",
        mended: |text| {
            let moment = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M"];
            let moment = moment.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
            Some(moment.format("%Y-%m-%d").to_string())
        },
    },
    Form {
        said: "another case: small letters are known",
        mended: |text| changed(text, &text.to_lowercase()),
    },
    Form { said: "another case: capitals are known", mended: |text| changed(text, &text.to_uppercase()) },
    Form {
        said: "another case: a first letter in capitals is known",
        mended: |text| {
            let mut letters = text.chars();
            let first = letters.next()?;
            changed(
                text,
                &first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect::<String>(),
            )
        },
    },
    Form {
        said: "zeros before numbers; write the numbers without them",
        mended: |text| {
            is_digits(text).then(|| text.trim_start_matches('0')).and_then(|plain| changed(text, plain))
        },
    },
];

/// The widest code whose lost zeros are looked for.
const WIDEST: usize = 12;

/// What most of these values look like, with an example, where most of them would be known in another form; `is_known`
/// tells whether the hierarchy can place a text.
pub(super) fn guess(missing: &[&String], is_known: impl Fn(&str) -> bool) -> Option<String> {
    let sample = &missing[..missing.len().min(LOOKED_AT)];
    let explained = |mended: &dyn Fn(&str) -> Option<String>| {
        let pairs = sample.iter().filter_map(|text| Some((text.as_str(), mended(text)?)));
        let mut known = pairs.filter(|(_, mended)| is_known(mended));
        known.next().map(|first| (1 + known.count(), first))
    };
    let mut best: Option<(usize, String)> = None;
    let mut offer = |said: &str, found: Option<(usize, (&str, String))>| {
        if let Some((count, (text, mended))) = found
            && 2 * count >= sample.len()
            && best.as_ref().is_none_or(|(most, _)| count > *most)
        {
            best = Some((count, format!("{said} ({text:?} would be {mended:?})")));
        }
    };
    for form in FORMS {
        offer(form.said, explained(&form.mended));
    }
    for width in 2..=WIDEST {
        let padded = |text: &str| (is_digits(text) && text.len() < width).then(|| format!("{text:0>width$}"));
        offer("codes that lost the zeros before them; export the column as text", explained(&padded));
    }
    best.map(|(_, said)| said)
}

fn changed(text: &str, mended: &str) -> Option<String> {
    (text != mended && !mended.is_empty()).then(|| mended.to_owned())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is digits, perhaps with a minus before, around one such character.
fn is_number_with(text: &str, point: char) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    unsigned.split_once(point).is_some_and(|(whole, fraction)| is_digits(whole) && is_digits(fraction))
}

fn day(text: &str, form: &str) -> Option<String> {
    Some(NaiveDate::parse_from_str(text, form).ok()?.format("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_known_in_another_form_is_said() {
        let known =
            ["39", "39.5", "1234567", "2024-03-31", "2024-12-05", "01234", "Rome", "berlin", "PARIS", "7"];
        let is_known = |text: &str| known.contains(&text);
        for (missing, expected) in [
            (vec!["39.0"], Some("fraction of zeros")),
            (vec!["39,5"], Some("decimal comma")),
            (vec!["1.234.567"], Some("separators of thousands")),
            (vec!["31.03.2024", "05.12.2024"], Some("DD.MM.YYYY")),
            (vec!["03/31/2024", "12/05/2024"], Some("MM/DD/YYYY")),
            (vec!["31/03/2024", "05/12/2024"], Some("DD/MM/YYYY")),
            (vec!["20240331"], Some("YYYYMMDD")),
            (vec!["2024-03-31 00:00:00", "2024-12-05T07:30:00.5"], Some("time behind them")),
            (
                vec!["1234"],
                Some("lost the zeros before them; export the column as text (\"1234\" would be \"01234\")"),
            ),
            (vec!["007"], Some("zeros before numbers")),
            (vec![" Rome", "39 "], Some("blanks around")),
            (vec!["ROME"], Some("first letter")),
            (vec!["BERLIN"], Some("small letters")),
            (vec!["paris"], Some("capitals are known")),
            (vec!["Atlantis"], None),
            // Most of them are simply not there.
            (vec!["ROME", "x", "y"], None),
        ] {
            let missing: Vec<String> = missing.into_iter().map(ToOwned::to_owned).collect();
            let found = guess(&missing.iter().collect::<Vec<_>>(), is_known);
            match expected {
                Some(expected) => assert!(
                    found.as_ref().is_some_and(|said| said.contains(expected)),
                    "{missing:?}: {found:?}"
                ),
                None => assert_eq!(found, None, "{missing:?}"),
            }
        }
    }
}
