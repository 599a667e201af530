//! Finds cells that may identify a person in a column of other cells: names with a title, telephone
//! numbers, addresses, free text.
//!
//! The tests of [`shape`] decide on entire columns. These tests find single cells, so they are
//! stricter. They do not match a city, a range, a zip code with four more digits, or a diagnosis of
//! several words.

use std::collections::HashSet;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::shape;

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trace {
    /// An e-mail address.
    Mail,
    /// A telephone number.
    Phone,
    /// A US social security number.
    Social,
    /// A name with a title: `Mr Hill`.
    Name,
    /// A street with a house number.
    Address,
    /// A text of many words about one person.
    FreeText,
}

impl Trace {
    const ALL: [Self; 6] = [Self::Mail, Self::Phone, Self::Social, Self::Name, Self::Address, Self::FreeText];

    /// The content of such a cell, in words.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "an e-mail address",
            Self::Phone => "a telephone number",
            Self::Social => "a social security number",
            Self::Name => "a name with a title",
            Self::Address => "a street address",
            Self::FreeText => "free text",
        }
    }

    /// Whether a single text has this trace. Free text is decided on all texts of a column.
    fn is_in(self, text: &str) -> bool {
        match self {
            Self::Mail => text.contains('@') && shape::is_mail(text),
            Self::Phone => holds_phone(text),
            Self::Social => text
                .split(|mark: char| mark.is_whitespace() || ",;:".contains(mark))
                .any(shape::is_social_security),
            Self::Name => holds_titled_name(text),
            Self::Address => holds_address(text),
            Self::FreeText => false,
        }
    }
}

/// A text with at least this many words is long.
const LONG: usize = 5;
/// At least this many different long texts are free text, if nearly all of them occur once.
const DIFFERENT: usize = 3;
/// A text about a person with at least this many words is free text, however often it occurs.
const LONG_ABOUT_PERSON: usize = 6;
/// A shorter text about a person needs at least this many words, and few rows.
const SHORT: usize = 4;
/// A text with fewer rows than this, on average, is rare.
const ROWS_OF_TEXT: u64 = 3;

/// Texts of one sort in a column: their rows, and the hashes of the distinct texts.
#[derive(Clone, Debug, Default)]
struct Texts {
    rows: u64,
    different: HashSet<u64>,
}

impl Texts {
    fn add(&mut self, text: &str, rows: u64) {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        self.rows += rows;
        self.different.insert(hasher.finish());
    }

    fn different(&self) -> u64 {
        self.different.len() as u64
    }
}

/// The traces of personal data in a column.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    cells: u64,
    /// The number of cells of each kind except free text, in the order of [`Trace::ALL`].
    found: [u64; 5],
    /// Long texts without a word about a person.
    long: Texts,
    /// Short texts with a word about a person.
    short: Texts,
    /// The rows of long texts with a word about a person.
    about_person: u64,
}

impl Traces {
    /// Examines a text with its number of rows. A blank text is not a cell.
    pub fn add(&mut self, text: &str, rows: u64) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.cells += rows;
        for (found, trace) in self.found.iter_mut().zip(Trace::ALL) {
            *found += if trace.is_in(text) { rows } else { 0 };
        }
        let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
        match (words, words >= SHORT && tells_of_person(text)) {
            (LONG_ABOUT_PERSON.., true) => self.about_person += rows,
            (_, true) => self.short.add(text, rows),
            (LONG.., false) => self.long.add(text, rows),
            _ => {}
        }
    }

    fn free_text(&self) -> u64 {
        let is_short = self.short.different() * ROWS_OF_TEXT > self.short.rows;
        let is_long =
            self.long.different.len() >= DIFFERENT && self.long.different() * 10 >= self.long.rows * 9;
        self.about_person
            + if is_short { self.short.rows } else { 0 }
            + if is_long { self.long.rows } else { 0 }
    }

    /// The kinds that occur, each with its number of cells.
    pub fn found(&self) -> Vec<(Trace, u64)> {
        let counts = self.found.iter().copied().chain([self.free_text()]);
        Trace::ALL.into_iter().zip(counts).filter(|(_, cells)| *cells > 0).collect()
    }

    /// The findings in words, without any value: `41 of 200 cells hold what looks like a telephone
    /// number`.
    pub fn sentence(&self) -> Option<String> {
        let found = self.found();
        let ((first, cells), others) = found.split_first()?;
        let verb = if *cells == 1 { "holds" } else { "hold" };
        let mut sentence =
            format!("{cells} of {} cells {verb} what looks like {}", self.cells, first.as_str());
        for (trace, cells) in others {
            sentence.push_str(&format!(", {cells} {}", trace.as_str()));
        }
        Some(sentence)
    }
}

/// The words without punctuation around them.
fn bare_words(text: &str) -> Vec<&str> {
    let words = text.split_whitespace();
    words.map(|word| word.trim_matches(|mark: char| !mark.is_alphanumeric() && mark != '+')).collect()
}

/// Words that precede a telephone number.
const CALLS: [&str; 17] = [
    "call",
    "calls",
    "called",
    "phone",
    "phoned",
    "telephone",
    "tel",
    "mobile",
    "cell",
    "fax",
    "ring",
    "rang",
    "dial",
    "telefon",
    "handy",
    "mobil",
    "anruf",
];

/// Whether a text contains a telephone number. A number of six digits is one if the text mentions a
/// call.
fn holds_phone(text: &str) -> bool {
    if text.bytes().filter(u8::is_ascii_digit).count() < 6 {
        return false;
    }
    let speaks_of_call = bare_words(text).iter().any(|word| CALLS.contains(&word.to_lowercase().as_str()));
    let has_words =
        text.split_whitespace().any(|word| word.chars().filter(|mark| mark.is_alphabetic()).count() > 2);
    // A number inside a word is a code.
    text.split(|mark: char| !(mark.is_ascii_digit() || mark.is_alphabetic() || " -()/.+".contains(mark)))
        .flat_map(|part| part.split_inclusive(char::is_alphabetic))
        .map(|part| part.trim_matches(|mark: char| !mark.is_ascii_digit() && !"(+".contains(mark)))
        .any(|run| {
            let is_separate = text.match_indices(run).all(|(at, _)| {
                let joins =
                    |mark: Option<char>| mark.is_some_and(|mark| mark.is_alphanumeric() || mark == '_');
                !joins(text[..at].chars().next_back()) && !joins(text[at + run.len()..].chars().next())
            });
            is_separate && is_phone_run(run, speaks_of_call, has_words)
        })
}

/// Whether digits and punctuation form a telephone number.
fn is_phone_run(run: &str, speaks_of_call: bool, has_words: bool) -> bool {
    let groups: Vec<&str> =
        run.split(|mark: char| !mark.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let digits: usize = lengths.iter().sum();
    let Some(first) = groups.first() else { return false };
    if digits > 15 || shape::is_social_security(run) || shape::year_of_finer_date(run).is_some() {
        return false;
    }
    let is_measure = run.parse::<f64>().is_ok() && !run.starts_with('+') && !first.starts_with('0');
    let is_short = lengths == [3, 4] && run.as_bytes().get(3) == Some(&b'-');
    // In `555-0134`, the second number is smaller or begins with 0, so it is not a range.
    let is_range = is_short && !groups[1].starts_with('0') && groups[1] > "1";
    match run.bytes().next() {
        Some(b'+') => (8..=15).contains(&digits) && !run.contains('.') && (groups.len() >= 3 || digits >= 10),
        Some(b'(') => (2..=5).contains(&first.len()) && run.contains(')') && digits >= first.len() + 5,
        _ if lengths == [3, 3, 4] || lengths == [1, 3, 3, 4] => true,
        _ if speaks_of_call && digits >= 6 && !is_measure => true,
        _ if speaks_of_call && digits >= 7 => !run.contains('.'),
        _ if is_short => !is_range && (has_words || groups[1].starts_with('0')),
        // With the trunk prefix: `0351 463350`, `020 7946 0958`, `01 23 45 67 89`.
        Some(b'0') => {
            (9..=12).contains(&digits)
                && !run.contains(['-', '.'])
                && ((2..=4).contains(&groups.len()) && (3..=5).contains(&first.len())
                    || lengths == [2, 2, 2, 2, 2])
        }
        _ => false,
    }
}

/// Whether a text has a title before a name: `Mr Hill`, `Frau Dr. Berg`. Abbreviations in capitals
/// do not count (`MR` is a scan).
fn holds_titled_name(text: &str) -> bool {
    const TITLES: [&str; 15] = [
        "Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "Herr", "Herrn", "Frau", "Mme", "Mlle", "Monsieur",
        "Madame", "Señor", "Señora",
    ];
    let words = bare_words(text);
    words.windows(2).any(|pair| {
        let (title, name) = (pair[0], pair[1]);
        let mut marks = name.chars();
        let is_capital = marks.next().is_some_and(char::is_uppercase);
        let is_name = name.chars().count() >= 2
            && name.chars().all(|mark| mark.is_alphabetic() || "'-’".contains(mark));
        is_name && (TITLES.contains(&title) && is_capital || ["mr", "mrs"].contains(&title))
    })
}

/// Whether a text contains a street and its number: `12 Main Street`, `Hauptstr. 5`, `5 rue de la
/// Paix`, `PO Box 12`.
fn holds_address(text: &str) -> bool {
    const STREETS: [&str; 15] = [
        "street",
        "st",
        "road",
        "rd",
        "avenue",
        "ave",
        "lane",
        "ln",
        "drive",
        "dr",
        "boulevard",
        "blvd",
        "terrace",
        "crescent",
        "highway",
    ];
    const BEFORE: [&str; 6] = ["rue", "calle", "avenida", "via", "boulevard", "avenue"];
    const ENDS: [&str; 7] = ["straße", "strasse", "str", "weg", "platz", "gasse", "allee"];
    let words = bare_words(text);
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_number = |word: &str| {
        let digits = shape::leading_digits(word);
        (1..=5).contains(&digits) && word.len() <= digits + 1 && !word.ends_with('+')
    };
    let is_capital = |at: usize| words[at].chars().next().is_some_and(char::is_uppercase);
    (0..words.len()).any(|at| {
        let has_number_behind = words.get(at + 1).is_some_and(|word| is_number(word));
        let english = || {
            let street =
                (at + 2..words.len().min(at + 5)).find(|&index| STREETS.contains(&lower[index].as_str()));
            is_number(words[at]) && street.is_some_and(|street| (at + 1..street).all(is_capital))
        };
        let romance = || {
            is_number(words[at])
                && lower.get(at + 1).is_some_and(|word| BEFORE[..4].contains(&word.as_str()))
                && words.len() > at + 2
                || BEFORE.contains(&lower[at].as_str())
                    && (at + 2..words.len().min(at + 5))
                        .any(|index| is_number(words[index]) && is_capital(index - 1))
        };
        let german = || {
            let follows_name = at > 0 && is_capital(at - 1);
            let is_street = |end: &str| {
                lower[at].ends_with(end)
                    && (lower[at].len() > end.len() + 1 || (lower[at] == *end && follows_name))
            };
            has_number_behind && is_capital(at) && ENDS.iter().any(|end| is_street(end))
        };
        let box_number = || {
            has_number_behind
                && at > 0
                && lower[at] == "box"
                && ["po", "p.o"].contains(&lower[at - 1].as_str())
                || has_number_behind && lower[at] == "postfach"
        };
        english() || romance() || german() || box_number()
    })
}

/// Whether a text has a word that is common in sentences about a person and rare in labels of
/// categories.
fn tells_of_person(text: &str) -> bool {
    const WORDS: [&str; 51] = [
        "he",
        "she",
        "his",
        "her",
        "him",
        "was",
        "were",
        "has",
        "had",
        "wife",
        "husband",
        "mother",
        "father",
        "son",
        "daughter",
        "sister",
        "brother",
        "neighbour",
        "neighbor",
        "twin",
        "called",
        "phoned",
        "says",
        "said",
        "asked",
        "asks",
        "told",
        "reports",
        "reported",
        "lives",
        "works",
        "worked",
        "wants",
        "prefers",
        "needs",
        "moved",
        "refused",
        "er",
        "sie",
        "ihr",
        "ihre",
        "sein",
        "seine",
        "hat",
        "wurde",
        "frau",
        "mann",
        "mutter",
        "vater",
        "wohnt",
        "arbeitet",
    ];
    bare_words(text).iter().any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(texts: impl IntoIterator<Item = String>) -> Traces {
        let mut traces = Traces::default();
        texts.into_iter().for_each(|text| traces.add(&text, 1));
        traces
    }

    #[test]
    fn single_cells_are_known_by_their_look() {
        let table: [(Trace, &[&str], &[&str]); 5] = [
            (Trace::Mail, &["a.b@c.org", "write to a@b.org"], &["a@b", "5 @ 3.50"]),
            (
                Trace::Phone,
                &[
                    "+1 317 555 0100",
                    "(317) 555-0100",
                    "317-555-0100",
                    "317.555.0100",
                    "1-317-555-0100",
                    "wife called 555-0134",
                    "call 555-1234",
                    "tel. 0351/463350",
                    "0351 463350",
                    "020 7946 0958",
                    "01 23 45 67 89",
                    "+49351463350",
                    "555-0134",
                    "mobile: 07700 900123",
                    "tel:317-555-0100",
                ],
                &[
                    "47906-1234",
                    "100-2000",
                    "2024-03-31",
                    "31.03.2024",
                    "1.234.567",
                    "1 234 567",
                    "-1234567.5",
                    "123-45-6789",
                    "250-1000 mg daily",
                    "0002-3227-30",
                    "AB-123-456-7890x",
                    "12345678",
                    "555-1234",
                    "1990-1994",
                    "10:30:00",
                    "C34.1",
                    "123456-7",
                    "between 500-1000",
                    "+12.5",
                    "(12)",
                    "called 3 times",
                ],
            ),
            (Trace::Social, &["123-45-6789", "ssn 123-45-6789"], &["123-456-789", "47906-1234"]),
            (
                Trace::Name,
                &[
                    "Mr Hill",
                    "Mrs. O'Neil",
                    "seen by Dr. Berg",
                    "Frau Dr. Berg",
                    "Ms Lee, twin of patient 12",
                    "mr hill",
                ],
                &[
                    "New York",
                    "MR Angiography",
                    "MS Relapse",
                    "Prof-specialty",
                    "Dr",
                    "miss rate",
                    "St. Louis",
                    "Drug abuse",
                    "Mr 5",
                    "ms elapsed",
                ],
            ),
            (
                Trace::Address,
                &[
                    "12 Main Street",
                    "5 Old Mill Rd.",
                    "Hauptstr. 5",
                    "Lange Straße 12a",
                    "Feldweg 3",
                    "PO Box 12",
                    "P.O. Box 12",
                    "lives at 7 Oak Ave",
                    "5 rue de la Paix",
                    "Calle Mayor 5",
                ],
                &[
                    "New York",
                    "2 way street",
                    "Stage 3",
                    "Type 2 diabetes",
                    "CT 5",
                    "12 months",
                    "Platz 5",
                    "Weg 3",
                    "2 Chest CT",
                    "St. Louis 5",
                    "3 times a day",
                ],
            ),
        ];
        for (trace, those, others) in table {
            for text in those {
                assert!(trace.is_in(text), "{trace:?}: {text}");
            }
            for text in others {
                assert!(!trace.is_in(text), "{trace:?}: {text}");
            }
        }
    }

    #[test]
    fn free_text_is_found_by_words_or_uniqueness() {
        let of = |text: &str, times: usize| vec![text.to_owned(); times];
        let mixed = |texts: Vec<String>| [of("none", 180), texts].concat();
        let different = |row: usize| format!("strong pain below the {row}th rib");
        let sentence = |texts: Vec<String>| traces(mixed(texts)).sentence();
        for (texts, expected) in [
            (of("his wife says that he fell again", 20), "20 of 200 cells hold what looks like free text"),
            (of("her brother visited today", 1), "1 of 181 cells holds what looks like free text"),
            ((0..20).map(different).collect(), "20 of 200 cells hold what looks like free text"),
            (
                [of("Mr Hill", 3), of("(317) 555-0100", 2)].concat(),
                "2 of 185 cells hold what looks like a telephone number, 3 a name with a title",
            ),
        ] {
            assert_eq!(sentence(texts).as_deref(), Some(expected));
        }
        for texts in [
            of("chronic kidney disease of unknown cause", 20),
            of("lives with his mother", 20),
            (0..20).map(|row| different(row % 5)).collect(),
            Vec::new(),
        ] {
            assert_eq!(sentence(texts.clone()), None, "{texts:?}");
        }
    }
}
