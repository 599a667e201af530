//! Columns that are published unchanged: notes from their names and from the form of their values.

use std::collections::HashSet;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::Concern;
use palmtop_core::model::Level;
use palmtop_tables::dates::is_date;
use palmtop_tables::names::words;
use palmtop_tables::personal::{Trace, Traces};
use palmtop_tables::shape;

/// The number of rows that are examined for the content of a column.
const ROWS: u64 = 100_000;

/// The number of a column's values by their form. Empty values do not count.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    rows: u64,
    filled: u64,
    dates: u64,
    zips: u64,
    beyond_89: u64,
    mails: u64,
    phones: u64,
    social: u64,
    devices: u64,
    names: u64,
    accounts: u64,
    /// Personal data within single cells.
    traces: Traces,
    lengths: HashSet<usize>,
    /// Hashes of the values, for their distinct number.
    distinct: HashSet<u64>,
}

impl Looks {
    /// Examines the value of another row.
    pub(super) fn add(&mut self, text: &str) {
        self.rows += 1;
        let text = text.trim();
        if self.rows > ROWS || text.is_empty() {
            return;
        }
        self.filled += 1;
        self.dates += u64::from(shape::year_of_finer_date(text).is_some() || is_date(text));
        self.zips += u64::from(shape::is_zip(text));
        self.beyond_89 += u64::from(text.parse::<f64>().is_ok_and(|age| (90.0..150.0).contains(&age)));
        self.mails += u64::from(shape::is_mail(text));
        self.phones += u64::from(shape::is_phone(text));
        self.social += u64::from(shape::is_social_security(text));
        self.devices += u64::from(shape::is_device(text));
        self.names += u64::from(shape::is_full_name(text));
        self.accounts += u64::from(shape::is_account(text));
        self.traces.add(text, 1);
        self.lengths.insert(text.len());
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        self.distinct.insert(hasher.finish());
    }

    /// Whether `found` is at least half of the values that are not empty.
    fn is_half(&self, found: u64) -> bool {
        found > 0 && 2 * found >= self.filled
    }

    /// Whether nearly all of at least 20 values are different.
    fn is_nearly_unique(&self) -> bool {
        self.filled >= 20 && self.distinct.len() as u64 * 20 >= self.filled * 19
    }
}

/// The item of the list that a column published at a level may publish, and the finding.
///
/// The column's name describes the values of T only. So it gives no finding for a column that is
/// published at a coarser level.
pub(super) fn concern(name: &str, level: Level, looks: &Looks) -> Option<(Concern, String)> {
    if let Some((concern, what)) = by_name(name).filter(|_| level == Level(0)) {
        return Some((concern, format!("is published unchanged, and its name is usual for {what}")));
    }
    let published = if level == Level(0) { "unchanged".to_owned() } else { format!("at level {level}") };
    let (concern, found) = if let Some((concern, found, what)) = by_values(name, looks) {
        (concern, format!("{found} of {} values look like {what}", looks.filled))
    } else {
        let (first, _) = *looks.traces.found().first()?;
        (concern_of(first), looks.traces.sentence()?)
    };
    Some((concern, format!("is published {published}, and {found}")))
}

/// The item of the list for a trace in a cell.
fn concern_of(trace: Trace) -> Concern {
    match trace {
        Trace::Mail => Concern::Mail,
        Trace::Phone => Concern::Phone,
        Trace::Social => Concern::Account,
        Trace::Name => Concern::Name,
        Trace::Address => Concern::Address,
        Trace::FreeText => Concern::Text,
    }
}

fn by_name(name: &str) -> Option<(Concern, &'static str)> {
    let words = words(name);
    let plain = words.concat();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let is = |known: &[&str]| known.contains(&plain.as_str());
    let of_person = [
        "first", "last", "full", "given", "family", "middle", "maiden", "patient", "person", "mother",
        "father",
    ];
    let table = [
        (
            has(&["surname", "firstname", "lastname", "fullname", "forename"])
                || is(&["name", "names"])
                || (has(&["name"]) && has(&of_person)),
            Concern::Name,
            "names",
        ),
        (has(&["mail", "email", "emails"]), Concern::Mail, "email addresses"),
        (
            has(&["phone", "telephone", "fax", "cellphone", "phonenumber"])
                || is(&["tel", "telno", "mobile", "mobilenumber"]),
            Concern::Phone,
            "telephone numbers",
        ),
        (
            has(&["ssn", "mrn", "iban", "passport"])
                || is(&[
                    "account",
                    "accountnumber",
                    "accountno",
                    "accountid",
                    "socialsecurity",
                    "socialsecuritynumber",
                    "policynumber",
                    "licensenumber",
                    "licencenumber",
                    "recordnumber",
                    "medicalrecordnumber",
                    "certificatenumber",
                    "cardnumber",
                    "creditcard",
                    "memberid",
                ]),
            Concern::Account,
            "numbers of accounts and records",
        ),
        (
            has(&["imei", "imsi", "vin"])
                || is(&[
                    "serial",
                    "serialnumber",
                    "serialno",
                    "deviceid",
                    "deviceserial",
                    "macaddress",
                    "ip",
                    "ipaddress",
                    "url",
                    "licenseplate",
                    "numberplate",
                ]),
            Concern::Device,
            "numbers of devices, vehicles and networks",
        ),
    ];
    table.into_iter().find(|(is_named, ..)| *is_named).map(|(_, concern, what)| (concern, what))
}

/// The common form of the values: the item of the list, the number of such values, and the form in
/// words.
fn by_values(name: &str, looks: &Looks) -> Option<(Concern, u64, &'static str)> {
    let is_unique = looks.is_nearly_unique();
    let is_age = super::quasi::names_age(name) && looks.beyond_89 > 0;
    let is_zip = super::quasi::names_zip(name) && looks.is_half(looks.zips);
    let is_account = is_unique && looks.accounts == looks.filled && looks.lengths.len() == 1;
    let table = [
        (looks.mails > 0, Concern::Mail, looks.mails, "email addresses"),
        (looks.is_half(looks.dates), Concern::Date, looks.dates, "dates finer than a year"),
        (looks.is_half(looks.social), Concern::Account, looks.social, "social security numbers"),
        (looks.is_half(looks.phones), Concern::Phone, looks.phones, "telephone numbers"),
        (looks.is_half(looks.devices), Concern::Device, looks.devices, "addresses of devices or web pages"),
        (is_zip, Concern::Zip, looks.zips, "zip codes finer than three digits"),
        (is_age, Concern::Age, looks.beyond_89, "ages above 89"),
        (is_unique && looks.is_half(looks.names), Concern::Name, looks.names, "names of people"),
        (
            is_account,
            Concern::Account,
            looks.accounts,
            "numbers of accounts and records: nearly all are different",
        ),
    ];
    let found = table.into_iter().find(|(is_found, ..)| *is_found);
    found.map(|(_, concern, found, what)| (concern, found, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, texts: impl IntoIterator<Item = String>) -> Option<Concern> {
        let mut looks = Looks::default();
        texts.into_iter().for_each(|text| looks.add(&text));
        concern(name, Level(0), &looks).map(|(concern, _)| concern)
    }

    #[test]
    fn safe_harbor_notes_columns_by_name_or_content() {
        let numbers = |from: u32| (from..from + 40).map(|number| number.to_string());
        let same = |text: &str| vec![text.to_owned(); 40];
        // name, values, expected note
        let table = [
            ("e-mail", same("x"), Some(Concern::Mail)),
            ("remark", [same("x"), same("write to a@b.org")].concat(), Some(Concern::Mail)),
            ("patient name", same("x"), Some(Concern::Name)),
            ("drug name", same("Aspirin"), None),
            (
                "contact",
                (0..40).map(|n| format!("Ann{} Lee", "abcdefgh".repeat(n + 1))).collect(),
                Some(Concern::Name),
            ),
            ("diagnosis", same("Chronic Bronchitis"), None),
            ("remark", [same("ok"), vec!["Mr Hill".to_owned(); 4]].concat(), Some(Concern::Name)),
            ("remark", [same("ok"), vec!["(317) 555-0100".to_owned(); 4]].concat(), Some(Concern::Phone)),
            ("remark", [same("ok"), vec!["5 Main Street".to_owned()]].concat(), Some(Concern::Address)),
            (
                "remark",
                [same("ok"), vec!["she fell again at her home".to_owned()]].concat(),
                Some(Concern::Text),
            ),
            ("reached by", same("(317) 555-0100"), Some(Concern::Phone)),
            ("admitted", same("2024-03-31"), Some(Concern::Date)),
            ("year", same("2024"), None),
            ("glucose", same("5.4"), None),
            ("income", numbers(1_200_000).collect(), None),
            ("x", numbers(12_000_000).collect(), Some(Concern::Account)),
            ("MRN", numbers(1).collect(), Some(Concern::Account)),
            ("account_type", same("giro"), None),
            ("device id", numbers(1).collect(), Some(Concern::Device)),
            ("logged in from", same("192.168.0.1"), Some(Concern::Device)),
            ("work zip", same("47906"), Some(Concern::Zip)),
            ("steps", same("47906"), None),
            ("age at death", numbers(60).collect(), Some(Concern::Age)),
            ("weight", numbers(60).collect(), None),
            ("empty", same(""), None),
        ];
        for (name, texts, expected) in table {
            assert_eq!(found(name, texts), expected, "{name}");
        }
    }
}
