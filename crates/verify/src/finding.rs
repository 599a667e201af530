//! What can be wrong with a written release, with its place.

use std::fmt;
use std::mem::{Discriminant, discriminant};

/// Something that makes a file no faithful release of T. Lines are numbered from 1, the header being the first.
///
/// Its text says what is wrong and where, with columns and numbers of people, but never a value: it may go to stdout. The
/// values are in its [`details`](Self::details), for stderr alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// The file has not even a header.
    Empty,
    /// Bytes that are no UTF-8.
    NotUtf8 {
        /// The line.
        line: u64,
    },
    /// A byte-order mark at the beginning.
    ByteOrderMark,
    /// A carriage return outside quotes; lines end in LF alone.
    CarriageReturn {
        /// The line.
        line: u64,
    },
    /// The last line does not end: the file may be cut off.
    NoLineEnd {
        /// The line.
        line: u64,
    },
    /// A line without anything.
    BlankLine {
        /// The line.
        line: u64,
    },
    /// A quote that RFC 4180 does not have there, so that two readers may read two things. Nothing behind it is read.
    StrayQuote {
        /// The line.
        line: u64,
    },
    /// A record that is too long to be read. Nothing behind it is read.
    TooLong {
        /// The line.
        line: u64,
    },
    /// More rows than are ever written. Nothing behind them is read.
    TooManyRows {
        /// As many as there may be.
        most: u64,
    },
    /// A line that says the same as the one that would be written, in other bytes: quotes that it does not need.
    /// They could mark somebody's row.
    Spelling {
        /// The line.
        line: u64,
    },
    /// A Parquet or Arrow file that says its rows in other bytes than they would be written in: it may tell more than they.
    OtherBytes,
    /// A Parquet or Arrow file with a column that does not hold texts alone, or with metadata of its own.
    OtherForm {
        /// What it has.
        detail: String,
    },
    /// A kept value with a line that looks like a row of its own.
    RowInDisguise {
        /// The line that the value's row begins in.
        line: u64,
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// A row with too few or too many fields.
    Fields {
        /// The line.
        line: u64,
        /// Its number of fields.
        found: usize,
        /// The number of the header.
        expected: usize,
    },
    /// An identifier of T is published.
    Identifier {
        /// The column.
        column: String,
    },
    /// An identifier of T, or of P, in place of a pseudonym.
    RawIdentifier {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The identifier.
        value: String,
    },
    /// A text that has not the form of a pseudonym.
    NoPseudonym {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// What was expected instead; it holds no value.
        expected: String,
    },
    /// A pseudonym that the key makes of nobody's identifier.
    ForeignPseudonym {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
    },
    /// A pseudonym that another row has, too.
    RepeatedPseudonym {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The line that has it, too.
        first: u64,
    },
    /// A column that no release of T has.
    ExtraColumn {
        /// Its number in the header, from 1.
        place: usize,
        /// The column.
        column: String,
    },
    /// The same column twice.
    RepeatedColumn {
        /// The column.
        column: String,
    },
    /// A column of T that the release lacks.
    MissingColumn {
        /// The column.
        column: String,
    },
    /// The right columns in another order than T's.
    ColumnOrder {
        /// The header.
        found: Vec<String>,
        /// T's order.
        expected: Vec<String>,
    },
    /// A row that stands after one that sorts behind it.
    Unsorted {
        /// The line of the row that comes too late.
        line: u64,
    },
    /// A quasi-identifier's text that denotes nothing.
    Unreadable {
        /// A line that has it.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// What was expected instead; it holds no value.
        expected: String,
    },
    /// A text that denotes something, beyond the limits that the project declares for its quasi-identifier. The file may be
    /// faithful all the same, but it does not keep the policy.
    BeyondLimits {
        /// A line that has it.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// What the limit is; it holds no value.
        expected: String,
    },
    /// Public people who match more than one distinct row.
    Overlap {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
        /// Two rows that they match, each with its first line and its quasi-identifiers' texts.
        rows: [(u64, Vec<String>); 2],
    },
    /// People of T who match no row.
    Unpublished {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// More people of T match no row than may be withdrawn.
    Withdrawn {
        /// How many people.
        people: u64,
        /// How many may be.
        most: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// People of T beyond those that P has of their combination.
    NotInPublic {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// Where people have several rows, people of T who have other rows there than in P, or who are not in P.
    OtherRows {
        /// How many people.
        people: u64,
    },
    /// Where people have several rows, released people who have not the rows of anybody in T: rows that are one person's have the pseudonyms
    /// of several, or the other way round.
    Linked {
        /// How many people.
        people: u64,
    },
    /// A row that occurs more or less often than people of T match it.
    Count {
        /// The first line that has it.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
        /// How often it occurs.
        rows: u64,
        /// How many people of T match it.
        people: u64,
    },
    /// Kept values that a row's class has more or less often in the release than in T.
    Kept {
        /// The first line of the class.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
        /// The kept values.
        values: Vec<String>,
        /// How often the release has them in this class.
        rows: u64,
        /// How many people of T in this class have them.
        people: u64,
    },
    /// A row that nobody in P matches.
    Nobody {
        /// The first line that has it.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
    },
    /// A row that more people of T than of P match.
    AboveOne {
        /// The first line that has it.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
        /// How many people of T match it.
        private: u64,
        /// How many people of P match it.
        public: u64,
    },
    /// People of P who match no row, where every class must hold somebody of T. The file may be faithful all the same, but
    /// it does not keep δ.
    EmptyClass {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// Further problems of a kind, not listed.
    More {
        /// One that is listed, of the same kind.
        like: Box<Finding>,
        /// How many more there are.
        count: u64,
    },
}

impl Finding {
    /// The values that it is about: the person, the rows, what they keep. For stderr alone.
    pub fn details(&self) -> Option<String> {
        Some(match self {
            Self::ExtraColumn { column, .. } => format!("`{column}`"),
            Self::Unreadable { value, .. }
            | Self::BeyondLimits { value, .. }
            | Self::RowInDisguise { value, .. }
            | Self::RawIdentifier { value, .. }
            | Self::NoPseudonym { value, .. }
            | Self::ForeignPseudonym { value, .. } => format!("`{value}`"),
            Self::Overlap { person, rows: [(first, one), (second, other)], .. } => format!(
                "{} matches both {} (line {first}) and {} (line {second})",
                named(person),
                list(one),
                list(other)
            ),
            Self::Unpublished { person, .. }
            | Self::Withdrawn { person, .. }
            | Self::NotInPublic { person, .. }
            | Self::EmptyClass { person, .. } => format!("such as {}", named(person)),
            Self::Count { row, .. } | Self::Nobody { row, .. } | Self::AboveOne { row, .. } => list(row),
            Self::Kept { row, values, .. } => format!("{} with {}", list(row), list(values)),
            Self::More { like, .. } => return like.details(),
            _ => return None,
        })
    }

    /// Whether nobody can say who matches which row, or what the file tells beside its rows: so that what can be inferred
    /// from it would be inferred from a part of it only.
    pub(super) fn is_obstacle(&self) -> bool {
        match self {
            Self::Empty
            | Self::NotUtf8 { .. }
            | Self::StrayQuote { .. }
            | Self::TooLong { .. }
            | Self::TooManyRows { .. }
            | Self::Fields { .. }
            | Self::Identifier { .. }
            | Self::RawIdentifier { .. }
            | Self::NoPseudonym { .. }
            | Self::RepeatedPseudonym { .. }
            | Self::OtherForm { .. }
            | Self::ExtraColumn { .. }
            | Self::RepeatedColumn { .. }
            | Self::MissingColumn { .. }
            | Self::Unreadable { .. }
            | Self::Overlap { .. }
            | Self::Nobody { .. } => true,
            Self::More { like, .. } => like.is_obstacle(),
            Self::ByteOrderMark
            | Self::CarriageReturn { .. }
            | Self::NoLineEnd { .. }
            | Self::BlankLine { .. }
            | Self::Spelling { .. }
            | Self::OtherBytes
            | Self::RowInDisguise { .. }
            | Self::ForeignPseudonym { .. }
            | Self::ColumnOrder { .. }
            | Self::Unsorted { .. }
            | Self::Unpublished { .. }
            | Self::Withdrawn { .. }
            | Self::NotInPublic { .. }
            | Self::OtherRows { .. }
            | Self::Linked { .. }
            | Self::Count { .. }
            | Self::Kept { .. }
            | Self::AboveOne { .. }
            | Self::BeyondLimits { .. }
            | Self::EmptyClass { .. } => false,
        }
    }

    /// Whether it makes the file say something false of T, or say it in another form than a release has; not where it only
    /// breaks δ.
    pub fn is_unfaithful(&self) -> bool {
        match self {
            Self::EmptyClass { .. } | Self::BeyondLimits { .. } => false,
            Self::More { like, .. } => like.is_unfaithful(),
            _ => true,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty; expected a header line"),
            Self::NotUtf8 { line } => write!(f, "line {line}: not UTF-8; nothing behind it was read"),
            Self::ByteOrderMark => write!(f, "line 1: begins with a byte-order mark; expected none"),
            Self::CarriageReturn { line } => {
                write!(f, "line {line}: a carriage return; expected lines that end in LF alone")
            }
            Self::NoLineEnd { line } => {
                write!(f, "line {line}: the last line does not end; the file may be cut off")
            }
            Self::BlankLine { line } => write!(f, "line {line}: blank"),
            Self::StrayQuote { line } => write!(
                f,
                "line {line}: a stray quote; expected fields quoted whole, quotes in them doubled (RFC 4180); nothing \
                 behind it was read"
            ),
            Self::TooLong { line } => {
                write!(f, "line {line}: more than 16 MiB in one row; nothing behind it was read")
            }
            Self::TooManyRows { most } => {
                write!(f, "more than {most} rows, which no release has; nothing behind them was read")
            }
            Self::Spelling { line } => write!(
                f,
                "line {line}: not the bytes that would be written for it; expected quotes only around fields that hold a \
                 comma, a quote or a line end"
            ),
            Self::OtherBytes => f.write_str(
                "not the bytes that would be written for its rows, so that it may tell more than they do; expected them as \
                 palmtop writes them",
            ),
            Self::OtherForm { detail } => {
                write!(f, "{detail}; expected columns of texts without gaps, and nothing else in the file")
            }
            Self::RowInDisguise { line, column, .. } => write!(
                f,
                "line {line}, column `{column}`: a value that holds a line with as many fields as a row has, which some \
                 readers take for one"
            ),
            Self::Fields { line, found, expected } => {
                write!(f, "line {line}: {found} fields, expected {expected}")
            }
            Self::Identifier { column } => {
                write!(f, "column `{column}` is an identifier; a release must never have it")
            }
            Self::RawIdentifier { line, column, .. } => {
                write!(f, "line {line}, column `{column}`: an identifier, where a pseudonym must stand")
            }
            Self::NoPseudonym { line, column, expected, .. } => {
                write!(f, "line {line}, column `{column}`: not the form of a pseudonym, expected {expected}")
            }
            Self::ForeignPseudonym { line, column, .. } => {
                write!(f, "line {line}, column `{column}`: the key makes this pseudonym of nobody's identifier in T")
            }
            Self::RepeatedPseudonym { line, column, first } => {
                write!(f, "line {line}, column `{column}`: the pseudonym of line {first}, expected another for each row")
            }
            Self::ExtraColumn { place, .. } => {
                write!(f, "line 1: column {place} does not belong in a release of T")
            }
            Self::RepeatedColumn { column } => write!(f, "column `{column}` occurs twice"),
            Self::MissingColumn { column } => write!(f, "column `{column}` of T is missing"),
            Self::ColumnOrder { found, expected } => {
                write!(f, "the columns are {}; expected T's order, {}", list(found), list(expected))
            }
            Self::Unsorted { line } => {
                write!(
                    f,
                    "line {line}: sorts before the line above it; expected rows sorted by their written text"
                )
            }
            Self::Unreadable { line, column, expected, .. } => {
                write!(f, "line {line}, column `{column}`: its text denotes nothing: {expected}")
            }
            Self::BeyondLimits { line, column, expected, .. } => {
                write!(f, "line {line}, column `{column}`: its text is beyond the limits: {expected}")
            }
            Self::Overlap { people, rows: [(first, _), (second, _)], .. } => write!(
                f,
                "{} more than one row, such as those of lines {first} and {second}; expected at most one",
                matches(*people, "individual", "in P"),
            ),
            Self::Unpublished { people, .. } => write!(f, "{} no row", matches(*people, "member", "of T")),
            Self::Withdrawn { people, most, .. } => write!(
                f,
                "{} no row, more than the {most} who may be withdrawn by `suppress_at_most`",
                matches(*people, "member", "of T"),
            ),
            Self::NotInPublic { people, .. } => write!(
                f,
                "{people} {} of T {} not in P",
                if *people == 1 { "member" } else { "members" },
                if *people == 1 { "is" } else { "are" },
            ),
            Self::OtherRows { people } => f.write_str(&other_rows(*people)),
            Self::Linked { people } => f.write_str(&linked(*people)),
            Self::Count { line, rows, people, .. } => {
                let (times, people) = (times(*rows), matches(*people, "member", "of T"));
                write!(f, "line {line}: its quasi-identifiers occur {times}, but {people} them")
            }
            Self::Kept { line, rows, people, .. } => {
                let (found, expected) = (times(*rows), times(*people));
                write!(
                    f,
                    "line {line}: its quasi-identifiers occur {found} with some kept values, expected {expected} as in T"
                )
            }
            Self::Nobody { line, .. } => write!(f, "line {line}: nobody in the public table matches it"),
            Self::AboveOne { line, private, public, .. } => {
                write!(f, "line {line}: {private} members of T match it, but only {public} individuals in P")
            }
            Self::EmptyClass { people, .. } => write!(
                f,
                "{} no row, but empty regions are forbidden: every class must hold somebody of T",
                matches(*people, "individual", "in P")
            ),
            Self::More { like, count } => write!(f, "{count} more like this: {like}"),
        }
    }
}

/// So many of a table's people match.
fn matches(people: u64, one: &str, table: &str) -> String {
    if people == 1 { format!("1 {one} {table} matches") } else { format!("{people} {one}s {table} match") }
}

fn other_rows(people: u64) -> String {
    match people {
        1 => "1 member of T has other rows in T than in P, or is not in P".to_owned(),
        people => format!("{people} members of T have other rows in T than in P, or are not in P"),
    }
}

fn linked(people: u64) -> String {
    let who = if people == 1 {
        "1 released person has".to_owned()
    } else {
        format!("{people} released people have")
    };
    format!(
        "{who} not the rows of anybody in T: expected one pseudonym on all rows of a person, and on no others"
    )
}

fn times(count: u64) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

fn list(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" · ")
}

fn named(person: &[(String, String)]) -> String {
    person.iter().map(|(name, value)| format!("{name} `{value}`")).collect::<Vec<_>>().join(" · ")
}

/// The problems found so far; of each kind only the first are listed.
#[derive(Debug, Default)]
pub(super) struct Problems {
    listed: Vec<Finding>,
    kinds: Vec<(Discriminant<Finding>, u64)>,
}

impl Problems {
    /// How many of a kind are listed.
    pub(super) const LISTED: u64 = 10;

    pub(super) fn push(&mut self, problem: Finding) {
        let kind = discriminant(&problem);
        let place = self.kinds.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            self.kinds.push((kind, 0));
            self.kinds.len() - 1
        });
        self.kinds[place].1 += 1;
        if self.kinds[place].1 <= Self::LISTED {
            self.listed.push(problem);
        }
    }

    /// The listed problems, and how many more there are of each kind.
    pub(super) fn into_list(mut self) -> Vec<Finding> {
        for (kind, count) in self.kinds.iter().filter(|(_, count)| *count > Self::LISTED) {
            if let Some(like) = self.listed.iter().find(|problem| discriminant(*problem) == *kind) {
                self.listed.push(Finding::More { like: Box::new(like.clone()), count: count - Self::LISTED });
            }
        }
        self.listed
    }
}
