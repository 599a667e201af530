//! Problems of a written release, each with its position in the file.

use std::fmt;

use palmtop_terms::located::Position;
use palmtop_terms::words::plural;

/// What is wrong with a written release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file has no header.
    Empty,
    /// Bytes that are not UTF-8. The rest of the file is not read.
    NotUtf8,
    /// A byte-order mark at the beginning of the file.
    ByteOrderMark,
    /// A carriage return outside quotes. Lines must end in LF only.
    CarriageReturn,
    /// The last line has no line end, so the file may be cut off.
    NoLineEnd,
    /// A line without any field.
    BlankLine,
    /// A quote where RFC 4180 allows none, so two readers may read different fields. The rest of the file is not read.
    StrayQuote,
    /// A record longer than the limit. The rest of the file is not read.
    TooLong,
    /// More rows than any release has. The rest of the file is not read.
    TooManyRows,
    /// A line with quotes that it does not need. Such quotes could mark the row of a person.
    Spelling,
    /// A Parquet or Arrow file whose bytes differ from what palmtop writes for its rows: it may contain more than the rows.
    OtherBytes,
    /// A Parquet or Arrow file with a column that is not text without missing values, or with additional metadata.
    OtherForm,
    /// A kept value that contains a line which looks like a row.
    RowInDisguise,
    /// A row with too few or too many fields.
    Fields,
    /// An identifier of T is published.
    Identifier,
    /// An identifier of T or P instead of a pseudonym.
    RawIdentifier,
    /// A text that does not have the form of a pseudonym.
    NoPseudonym,
    /// A pseudonym that the key makes of no identifier in T.
    ForeignPseudonym,
    /// A pseudonym that an earlier row has too.
    RepeatedPseudonym,
    /// A column that no release of T has.
    ExtraColumn,
    /// A column that occurs twice in the header.
    RepeatedColumn,
    /// A column of T that the release lacks.
    MissingColumn,
    /// The right columns, but not in T's order.
    ColumnOrder,
    /// A row that sorts before the row above it.
    Unsorted,
    /// A text of a quasi-identifier that denotes no leaves.
    Unreadable,
    /// A text beyond the limits that the project declares for its quasi-identifier. The file may be faithful, but it breaks
    /// the policy.
    BeyondLimits,
    /// Individuals in P who match more than one distinct row.
    Overlap,
    /// Members of T who match no row.
    Unpublished,
    /// More members of T without a matching row than `suppress_at_most` allows.
    Withdrawn,
    /// Members of T who are not in P: T has more people with their combination than P has.
    NotInPublic,
    /// If people have several rows: members of T whose rows in T differ from their rows in P, or who are not in P.
    OtherRows,
    /// If people have several rows: released people whose rows are not exactly the rows of one member of T. Rows of one
    /// person have several pseudonyms, or rows of several people share one.
    Linked,
    /// A row that occurs more often or less often than members of T match it.
    Count,
    /// Kept values that occur more often or less often in a class of the release than in T.
    Kept,
    /// A row that nobody in P matches.
    Nobody,
    /// A row that more members of T than individuals in P match.
    AboveOne,
    /// Individuals in P who match no row, although every class must contain a member of T. The file may be faithful, but it
    /// breaks δ.
    EmptyClass,
}

impl FindingKind {
    /// Whether the problem leaves open which row a person matches, or what the file contains besides its rows. A match would
    /// then rest on a part of the file only.
    fn is_obstacle(self) -> bool {
        match self {
            Self::Empty
            | Self::NotUtf8
            | Self::StrayQuote
            | Self::TooLong
            | Self::TooManyRows
            | Self::Fields
            | Self::Identifier
            | Self::RawIdentifier
            | Self::NoPseudonym
            | Self::RepeatedPseudonym
            | Self::OtherForm
            | Self::ExtraColumn
            | Self::RepeatedColumn
            | Self::MissingColumn
            | Self::Unreadable
            | Self::Overlap
            | Self::Nobody => true,
            Self::ByteOrderMark
            | Self::CarriageReturn
            | Self::NoLineEnd
            | Self::BlankLine
            | Self::Spelling
            | Self::OtherBytes
            | Self::RowInDisguise
            | Self::ForeignPseudonym
            | Self::ColumnOrder
            | Self::Unsorted
            | Self::Unpublished
            | Self::Withdrawn
            | Self::NotInPublic
            | Self::OtherRows
            | Self::Linked
            | Self::Count
            | Self::Kept
            | Self::AboveOne
            | Self::BeyondLimits
            | Self::EmptyClass => false,
        }
    }
}

/// A cell of a written release.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'a> {
    pub(crate) line: u64,
    pub(crate) column: &'a str,
    pub(crate) text: &'a str,
}

/// A problem of a written release. Line 1 is the header.
///
/// The text names the problem, its position, columns and numbers of people, but never a value: it may go to stdout. The
/// values are in [`details`](Self::details), for stderr only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The number of people with this problem, if it is about people; else 0.
    pub people: u64,
    /// The number of further problems of this kind that are not listed; 0 if this is a listed problem.
    pub unlisted: u64,
    positions: Vec<Position>,
    problem: String,
    details: Option<String>,
}

impl Finding {
    /// A problem in words, without any value of a table.
    pub(crate) fn new(kind: FindingKind, problem: impl Into<String>) -> Self {
        Self { kind, people: 0, unlisted: 0, positions: Vec::new(), problem: problem.into(), details: None }
    }

    /// A problem in a line of the release.
    pub(crate) fn at_line(kind: FindingKind, line: u64, problem: impl Into<String>) -> Self {
        Self::new(kind, problem).at(Position::Line(line))
    }

    /// A problem in a line and a column of the release.
    pub(crate) fn in_column(kind: FindingKind, line: u64, column: &str, problem: impl Into<String>) -> Self {
        Self::at_line(kind, line, problem).at(Position::Column(column.to_owned()))
    }

    /// A problem of a cell.
    pub(crate) fn in_cell(kind: FindingKind, cell: Cell, problem: impl Into<String>) -> Self {
        Self::in_column(kind, cell.line, cell.column, problem).with_details(format!("`{}`", cell.text))
    }

    /// A cell beyond the limits of its quasi-identifier.
    pub(crate) fn beyond_limits(cell: Cell, expected: &str) -> Self {
        let problem = format!(
            "text beyond the limits of the project: {expected}; if the project changed after the export, restore the \
             limit, else anonymize again"
        );
        Self::in_cell(FindingKind::BeyondLimits, cell, problem)
    }

    /// A problem of people, such as this one: each quasi-identifier with its value.
    pub(crate) fn of_people(
        kind: FindingKind,
        people: u64,
        person: &[(String, String)],
        problem: impl Into<String>,
    ) -> Self {
        let details = format!("such as {}", named(person));
        Self::new(kind, problem).with_people(people).with_details(details)
    }

    /// Individuals in P who match more than one row, with one of them, and two rows that this person matches: each with its
    /// first line and the texts of its quasi-identifiers.
    pub(crate) fn overlap(people: u64, person: &[(String, String)], rows: [(u64, &[String]); 2]) -> Self {
        let [(first_line, first), (second_line, second)] = rows;
        let problem = format!(
            "{} more than one row, for example lines {first_line} and {second_line}; expected at most one row",
            matches(people, "individual", "in P"),
        );
        let details = format!(
            "{} matches both {} (line {first_line}) and {} (line {second_line})",
            named(person),
            list(first),
            list(second)
        );
        Self::new(FindingKind::Overlap, problem).with_people(people).with_details(details)
    }

    /// Individuals in P who match no row, although every class must contain a member of T.
    pub(crate) fn empty_class(people: u64, person: &[(String, String)]) -> Self {
        let subject = matches(people, "individual", "in P");
        let problem = format!(
            "{subject} no row, but empty regions are forbidden: every class must contain a member of T"
        );
        Self::of_people(FindingKind::EmptyClass, people, person, problem)
    }

    fn at(mut self, position: Position) -> Self {
        self.positions.push(position);
        self
    }

    /// Adds the number of people with the problem.
    pub(crate) fn with_people(mut self, people: u64) -> Self {
        self.people = people;
        self
    }

    /// Adds the values of the problem, for stderr only.
    pub(crate) fn with_details(mut self, details: String) -> Self {
        self.details = Some(details);
        self
    }

    /// The values of the problem: the person, the rows, the kept values. For stderr only.
    pub fn details(&self) -> Option<String> {
        self.details.clone()
    }

    pub(crate) fn is_obstacle(&self) -> bool {
        self.kind.is_obstacle()
    }

    /// Whether the problem makes the file unfaithful: its content contradicts T, or its form is not that of a release. A
    /// problem that only breaks δ or the limits does not.
    pub fn is_unfaithful(&self) -> bool {
        !matches!(self.kind, FindingKind::EmptyClass | FindingKind::BeyondLimits)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unlisted > 0 {
            write!(f, "{} more like this: ", self.unlisted)?;
        }
        for (index, position) in self.positions.iter().enumerate() {
            write!(f, "{}{position}", if index > 0 { ", " } else { "" })?;
        }
        write!(f, "{}{}", if self.positions.is_empty() { "" } else { ": " }, self.problem)
    }
}

/// `1 member of T matches`, `2 members of T match`.
pub(crate) fn matches(people: u64, one: &str, table: &str) -> String {
    format!("{} {table} {}", plural(people, one), if people == 1 { "matches" } else { "match" })
}

/// `once`, `2 times`.
pub(crate) fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

/// Texts between backticks.
pub(crate) fn list(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" · ")
}

fn named(person: &[(String, String)]) -> String {
    person.iter().map(|(name, value)| format!("{name} `{value}`")).collect::<Vec<_>>().join(" · ")
}

/// The problems found so far. Of each kind only the first [`LISTED`](Self::LISTED) are listed.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    listed: Vec<Finding>,
    kinds: Vec<(FindingKind, u64)>,
}

impl Problems {
    /// The number of problems of one kind that are listed.
    pub(crate) const LISTED: u64 = 10;

    pub(crate) fn push(&mut self, problem: Finding) {
        let index = self.kinds.iter().position(|(known, _)| *known == problem.kind).unwrap_or_else(|| {
            self.kinds.push((problem.kind, 0));
            self.kinds.len() - 1
        });
        self.kinds[index].1 += 1;
        if self.kinds[index].1 <= Self::LISTED {
            self.listed.push(problem);
        }
    }

    /// The listed problems, then of each kind the number of those that are not listed.
    pub(crate) fn into_list(mut self) -> Vec<Finding> {
        for (kind, count) in self.kinds.iter().filter(|(_, count)| *count > Self::LISTED) {
            if let Some(like) = self.listed.iter().find(|problem| problem.kind == *kind).cloned() {
                self.listed.push(Finding { unlisted: count - Self::LISTED, ..like });
            }
        }
        self.listed
    }
}
