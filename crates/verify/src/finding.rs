//! Problems of a written release, each with its position in the file.

use palmtop_terms::words::plural;
use std::fmt;
use std::mem::{Discriminant, discriminant};

/// A problem of a written release. Line 1 is the header.
///
/// The text names the problem, its position, columns and numbers of people, but never a value: it may go to stdout. The
/// values are in [`details`](Self::details), for stderr only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// The file has no header.
    Empty,
    /// Bytes that are not UTF-8. The rest of the file is not read.
    NotUtf8 {
        /// The line.
        line: u64,
    },
    /// A byte-order mark at the beginning of the file.
    ByteOrderMark,
    /// A carriage return outside quotes. Lines must end in LF only.
    CarriageReturn {
        /// The line.
        line: u64,
    },
    /// The last line has no line end, so the file may be cut off.
    NoLineEnd {
        /// The line.
        line: u64,
    },
    /// A line without any field.
    BlankLine {
        /// The line.
        line: u64,
    },
    /// A quote where RFC 4180 allows none, so two readers may read different fields. The rest of the file is not read.
    StrayQuote {
        /// The line.
        line: u64,
    },
    /// A record longer than the limit. The rest of the file is not read.
    TooLong {
        /// The line.
        line: u64,
    },
    /// More rows than any release has. The rest of the file is not read.
    TooManyRows {
        /// The limit, in rows.
        most: u64,
    },
    /// A line with quotes that it does not need. Such quotes could mark the row of a person.
    Spelling {
        /// The line.
        line: u64,
    },
    /// A Parquet or Arrow file whose bytes differ from what palmtop writes for its rows: it may contain more than the rows.
    OtherBytes,
    /// A Parquet or Arrow file with a column that is not text without missing values, or with additional metadata.
    OtherForm {
        /// The part of the file that is wrong.
        detail: String,
    },
    /// A kept value that contains a line which looks like a row.
    RowInDisguise {
        /// The first line of the row that has the value.
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
        /// The number of fields in the row.
        found: usize,
        /// The number of fields in the header.
        expected: usize,
    },
    /// An identifier of T is published.
    Identifier {
        /// The column.
        column: String,
    },
    /// An identifier of T or P instead of a pseudonym.
    RawIdentifier {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The identifier.
        value: String,
    },
    /// A text that does not have the form of a pseudonym.
    NoPseudonym {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// The form that is expected; it contains no value.
        expected: String,
    },
    /// A pseudonym that the key makes of no identifier in T.
    ForeignPseudonym {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
    },
    /// A pseudonym that an earlier row has too.
    RepeatedPseudonym {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The line of the earlier row.
        first: u64,
    },
    /// A column that no release of T has.
    ExtraColumn {
        /// The position of the column in the header, from 1.
        position: usize,
        /// The column.
        column: String,
    },
    /// A column that occurs twice in the header.
    RepeatedColumn {
        /// The column.
        column: String,
    },
    /// A column of T that the release lacks.
    MissingColumn {
        /// The column.
        column: String,
    },
    /// The right columns, but not in T's order.
    ColumnOrder {
        /// The columns of the release.
        found: Vec<String>,
        /// The columns in T's order.
        expected: Vec<String>,
    },
    /// A row that sorts before the row above it.
    Unsorted {
        /// The line of the lower row.
        line: u64,
    },
    /// A text of a quasi-identifier that denotes no leaves.
    Unreadable {
        /// A line that has the text.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// The form that is expected; it contains no value.
        expected: String,
    },
    /// A text beyond the limits that the project declares for its quasi-identifier. The file may be faithful, but it breaks
    /// the policy.
    BeyondLimits {
        /// A line that has the text.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// The limit; it contains no value.
        expected: String,
    },
    /// Individuals in P who match more than one distinct row.
    Overlap {
        /// The number of people.
        people: u64,
        /// One of these people: each quasi-identifier with its value.
        person: Vec<(String, String)>,
        /// Two rows that this person matches, each with its first line and the texts of its quasi-identifiers.
        rows: [(u64, Vec<String>); 2],
    },
    /// Members of T who match no row.
    Unpublished {
        /// The number of people.
        people: u64,
        /// One of these people: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// More members of T without a matching row than `suppress_at_most` allows.
    Withdrawn {
        /// The number of people.
        people: u64,
        /// The number of members who may be withdrawn.
        most: u64,
        /// One of these people: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// Members of T who are not in P: T has more people with their combination than P has.
    NotInPublic {
        /// The number of people.
        people: u64,
        /// One of these people: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// If people have several rows: members of T whose rows in T differ from their rows in P, or who are not in P.
    OtherRows {
        /// The number of people.
        people: u64,
    },
    /// If people have several rows: released people whose rows are not exactly the rows of one member of T. Rows of one
    /// person have several pseudonyms, or rows of several people share one.
    Linked {
        /// The number of people.
        people: u64,
    },
    /// A row that occurs more often or less often than members of T match it.
    Count {
        /// The first line that has the row.
        line: u64,
        /// The texts of its quasi-identifiers.
        row: Vec<String>,
        /// The number of times that it occurs.
        rows: u64,
        /// The number of members of T who match it.
        people: u64,
    },
    /// Kept values that occur more often or less often in a class of the release than in T.
    Kept {
        /// The first line of the class.
        line: u64,
        /// The texts of its quasi-identifiers.
        row: Vec<String>,
        /// The kept values.
        values: Vec<String>,
        /// The number of times that they occur in this class of the release.
        rows: u64,
        /// The number of members of T in this class who have them.
        people: u64,
    },
    /// A row that nobody in P matches.
    Nobody {
        /// The first line that has the row.
        line: u64,
        /// The texts of its quasi-identifiers.
        row: Vec<String>,
    },
    /// A row that more members of T than individuals in P match.
    AboveOne {
        /// The first line that has the row.
        line: u64,
        /// The texts of its quasi-identifiers.
        row: Vec<String>,
        /// The number of members of T who match it.
        private: u64,
        /// The number of individuals in P who match it.
        public: u64,
    },
    /// Individuals in P who match no row, although every class must contain a member of T. The file may be faithful, but it
    /// breaks δ.
    EmptyClass {
        /// The number of people.
        people: u64,
        /// One of these people: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// Further problems of one kind that are not listed.
    More {
        /// A listed problem of the same kind.
        like: Box<Finding>,
        /// The number of problems that are not listed.
        count: u64,
    },
}

impl Finding {
    /// The values of the problem: the person, the rows, the kept values. For stderr only.
    pub fn details(&self) -> Option<String> {
        Some(match self {
            Self::ExtraColumn { column, .. } => format!("`{column}`"),
            Self::Unreadable { value, .. }
            | Self::BeyondLimits { value, .. }
            | Self::RowInDisguise { value, .. }
            | Self::RawIdentifier { value, .. }
            | Self::NoPseudonym { value, .. }
            | Self::ForeignPseudonym { value, .. } => format!("`{value}`"),
            Self::Overlap { person, rows: [(first_line, first), (second_line, second)], .. } => format!(
                "{} matches both {} (line {first_line}) and {} (line {second_line})",
                named(person),
                list(first),
                list(second)
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

    /// Whether the problem leaves open which row a person matches, or what the file contains besides its rows. A match would
    /// then rest on a part of the file only.
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

    /// Whether the problem makes the file unfaithful: its content contradicts T, or its form is not that of a release. A
    /// problem that only breaks δ or the limits does not.
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
            Self::NotUtf8 { line } => write!(f, "line {line}: not UTF-8; the rest of the file was not read"),
            Self::ByteOrderMark => write!(f, "line 1: begins with a byte-order mark; expected none"),
            Self::CarriageReturn { line } => {
                write!(f, "line {line}: a carriage return; expected lines that end in LF alone")
            }
            Self::NoLineEnd { line } => {
                write!(f, "line {line}: the last line has no line end; the file may be cut off")
            }
            Self::BlankLine { line } => write!(f, "line {line}: a blank line; expected none"),
            Self::StrayQuote { line } => write!(
                f,
                "line {line}: a stray quote; expected quotes around the whole field, and quotes inside it doubled \
                 (RFC 4180); the rest of the file was not read"
            ),
            Self::TooLong { line } => {
                write!(f, "line {line}: a row longer than 16 MiB; the rest of the file was not read")
            }
            Self::TooManyRows { most } => {
                write!(f, "more than {most} rows, the limit of a release; the rest of the file was not read")
            }
            Self::Spelling { line } => write!(
                f,
                "line {line}: quotes that are not needed; expected quotes only around fields that contain a comma, a quote \
                 or a line end"
            ),
            Self::OtherBytes => f.write_str(
                "its bytes differ from those that palmtop writes for these rows, so the file may contain more than its \
                 rows; export it again",
            ),
            Self::OtherForm { detail } => {
                write!(f, "{detail}; expected text columns without missing values, and nothing else in the file")
            }
            Self::RowInDisguise { line, column, .. } => write!(
                f,
                "line {line}, column `{column}`: a value contains a line with as many fields as a row, which some readers \
                 take for a row"
            ),
            Self::Fields { line, found, expected } => {
                write!(f, "line {line}: {}, expected {expected}", plural(*found as u64, "field"))
            }
            Self::Identifier { column } => {
                write!(f, "column `{column}` is an identifier and must never be in a release")
            }
            Self::RawIdentifier { line, column, .. } => {
                write!(f, "line {line}, column `{column}`: an identifier, expected a pseudonym")
            }
            Self::NoPseudonym { line, column, expected, .. } => {
                write!(f, "line {line}, column `{column}`: not a pseudonym, expected {expected}")
            }
            Self::ForeignPseudonym { line, column, .. } => {
                write!(f, "line {line}, column `{column}`: the key makes this pseudonym of no identifier in T")
            }
            Self::RepeatedPseudonym { line, column, first } => {
                write!(f, "line {line}, column `{column}`: the same pseudonym as in line {first}, expected a different one in each row")
            }
            Self::ExtraColumn { position, .. } => {
                write!(f, "line 1: column {position} does not belong in a release of T")
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
                write!(f, "line {line}, column `{column}`: unreadable text: {expected}")
            }
            Self::BeyondLimits { line, column, expected, .. } => {
                write!(f, "line {line}, column `{column}`: text beyond the limits of the project: {expected}")
            }
            Self::Overlap { people, rows: [(first, _), (second, _)], .. } => write!(
                f,
                "{} more than one row, for example lines {first} and {second}; expected at most one row",
                matches(*people, "individual", "in P"),
            ),
            Self::Unpublished { people, .. } => write!(f, "{} no row", matches(*people, "member", "of T")),
            Self::Withdrawn { people, most, .. } => write!(
                f,
                "{} no row, but `suppress_at_most` allows at most {most}",
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
                let (found, people) = (times(*rows), matches(*people, "member", "of T"));
                write!(f, "line {line}: its quasi-identifiers occur {found}, but {people} them")
            }
            Self::Kept { line, rows, people, .. } => {
                let (found, expected) = (times(*rows), times(*people));
                write!(
                    f,
                    "line {line}: some kept values occur {found} with its quasi-identifiers, expected {expected} as in T"
                )
            }
            Self::Nobody { line, .. } => write!(f, "line {line}: nobody in the public table matches it"),
            Self::AboveOne { line, private, public, .. } => {
                write!(f, "line {line}: {private} members of T match it, but only {public} individuals in P")
            }
            Self::EmptyClass { people, .. } => write!(
                f,
                "{} no row, but empty regions are forbidden: every class must contain a member of T",
                matches(*people, "individual", "in P")
            ),
            Self::More { like, count } => write!(f, "{count} more like this: {like}"),
        }
    }
}

/// `1 member of T matches`, `2 members of T match`.
fn matches(people: u64, one: &str, table: &str) -> String {
    if people == 1 { format!("1 {one} {table} matches") } else { format!("{people} {one}s {table} match") }
}

fn other_rows(people: u64) -> String {
    match people {
        1 => "1 member of T has different rows in T and in P, or is not in P".to_owned(),
        people => format!("{people} members of T have different rows in T and in P, or are not in P"),
    }
}

fn linked(people: u64) -> String {
    let subject = match people {
        1 => "the rows of 1 released person are".to_owned(),
        people => format!("the rows of {people} released people are"),
    };
    format!(
        "{subject} not those of one member of T: expected one pseudonym on all rows of a person, and on no other row"
    )
}

fn times(count: u64) -> String {
    match count {
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

/// The problems found so far. Of each kind only the first [`LISTED`](Self::LISTED) are listed.
#[derive(Debug, Default)]
pub(super) struct Problems {
    listed: Vec<Finding>,
    kinds: Vec<(Discriminant<Finding>, u64)>,
}

impl Problems {
    /// The number of problems of one kind that are listed.
    pub(super) const LISTED: u64 = 10;

    pub(super) fn push(&mut self, problem: Finding) {
        let kind = discriminant(&problem);
        let index = self.kinds.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            self.kinds.push((kind, 0));
            self.kinds.len() - 1
        });
        self.kinds[index].1 += 1;
        if self.kinds[index].1 <= Self::LISTED {
            self.listed.push(problem);
        }
    }

    /// The listed problems, then of each kind the number of those that are not listed.
    pub(super) fn into_list(mut self) -> Vec<Finding> {
        for (kind, count) in self.kinds.iter().filter(|(_, count)| *count > Self::LISTED) {
            if let Some(like) = self.listed.iter().find(|problem| discriminant(*problem) == *kind) {
                self.listed.push(Finding::More { like: Box::new(like.clone()), count: count - Self::LISTED });
            }
        }
        self.listed
    }
}
