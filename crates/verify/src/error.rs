//! Errors that prevent a verification: an input cannot be read, or the inputs contradict each other.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::finding::Finding;

/// An input that cannot be read, or inputs that contradict each other. Problems of the release itself are
/// [`Finding`](super::Finding)s.
///
/// The text of an error may contain values of the tables: print it to stderr only.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The operating system could not read the file.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A folder, a pipe or a device.
    #[error("{} is not a regular file; give a file instead of a folder, pipe or device", path.display())]
    NotAFile {
        /// The name.
        path: PathBuf,
    },
    /// A file that is too large to be loaded into memory.
    #[error("{} is larger than {most} bytes, the limit for this kind of file; make it smaller", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit, in bytes.
        most: u64,
    },
    /// A file name whose ending belongs to no known format.
    #[error("{}: unknown kind of table; expected a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc, .feather, .xlsx, .xls or .ods, optionally followed by .gz or .zst", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A text file with a malformed line.
    #[error("{}, line {line}: {detail}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A Parquet, Arrow or workbook file that cannot be decoded, or whose parts contradict each other.
    #[error("cannot read {}: {detail}", path.display())]
    Typed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A column whose type has no unique text form.
    #[error("{}, column `{column}`: values of type {type_name} cannot be read; save the column as text, whole numbers or dates", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type.
        type_name: String,
    },
    /// A separator that no CSV file can have.
    #[error("{}: separator {separator:?} is not allowed; use one ASCII character other than the quote and the line ends", path.display())]
    Separator {
        /// The file.
        path: PathBuf,
        /// The separator in the project.
        separator: char,
    },
    /// A column that the project names and the file lacks.
    #[error("{}: no column `{column}`; the columns are {}; correct the project's {setting}", path.display(), listed(available))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The missing name.
        column: String,
        /// The project setting that names it.
        setting: String,
        /// The columns of the file.
        available: Vec<String>,
    },
    /// A table without rows.
    #[error("{}: the {table} table is empty; it needs at least one person", path.display())]
    EmptyTable {
        /// The file.
        path: PathBuf,
        /// `private` or `public`.
        table: &'static str,
    },
    /// A table with more people than the counters can hold.
    #[error("{}: more than {most} people; split the {table} table", path.display())]
    TooManyPeople {
        /// The file.
        path: PathBuf,
        /// `private` or `public`.
        table: &'static str,
        /// The limit, in people.
        most: u64,
    },
    /// A count that is neither a whole number nor one of the texts listed in the project.
    #[error("{}, {position}, column `{column}`: `{value}` is not a count; expected a whole number from 0 to 4294967295, or one of the `texts` of the project's `count`", path.display())]
    NotACount {
        /// The public table.
        path: PathBuf,
        /// The position of the row in that file.
        position: Position,
        /// The count column.
        column: String,
        /// The text of the field.
        value: String,
    },
    /// A text of the member column that means neither true nor false.
    #[error("{}, {position}, column `{column}`: `{value}` is not a membership; expected true, yes, y or 1 for members, or false, no, n, 0 or an empty field for others", path.display())]
    NotAMembership {
        /// The public table.
        path: PathBuf,
        /// The position of the row in that file.
        position: Position,
        /// The member column.
        column: String,
        /// The text of the field.
        value: String,
    },
    /// A prior that is not a probability below 1.
    #[error("{}, {position}, column `{column}`: `{value}` is not a prior; expected a fraction such as 1/30, a decimal such as 0.05 or a percentage such as 5%, from 0 to below 1", path.display())]
    NotAChance {
        /// The table.
        path: PathBuf,
        /// The position of the row in that file.
        position: Position,
        /// The column.
        column: String,
        /// The text of the field.
        value: String,
    },
    /// A member of T whose prior is 0.
    #[error("{}, {position}, column `{column}`: a member of T has prior 0, which excludes them from T; give them a prior above 0", path.display())]
    ImpossibleMember {
        /// The public table.
        path: PathBuf,
        /// The position of the row in that file.
        position: Position,
        /// The column.
        column: String,
    },
    /// A combination with more members of T than individuals in P whose prior is above 0.
    #[error("{}", impossible(*members, *possible, person))]
    Impossible {
        /// The number of members.
        members: u64,
        /// The number of individuals in P whose prior is above 0.
        possible: u64,
        /// The combination, as a list of names and values.
        person: String,
    },
    /// A table of rates that gives some individual no rate or several, or has a column that is not a quasi-identifier.
    #[error("{}: {detail}", path.display())]
    Rates {
        /// The table of rates.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// The posteriors were requested, but the project has no prior.
    #[error("the project has no prior; set `prior` under [public], or add [prior] with `rates`")]
    NoPrior,
    /// A value of an identifier that cannot have a pseudonym, or whose pseudonym would reveal information.
    #[error("{}, {position}, column `{column}`: {why}; remove `pseudonym`, or give every person an identifier of the same form", path.display())]
    NoPseudonym {
        /// The table.
        path: PathBuf,
        /// The position of the row in that file.
        position: Position,
        /// The column.
        column: String,
        /// The reason, as a clause.
        why: &'static str,
    },
    /// An entity column whose values do not state which rows belong to one person.
    #[error("{}, column `{column}`: {why}", path.display())]
    Entity {
        /// The table.
        path: PathBuf,
        /// The column.
        column: String,
        /// The reason and the remedy.
        why: &'static str,
    },
    /// A setting or a request that is not supported if people have several rows.
    #[error(
        "attribute `{attribute}` has `role = \"entity\"`, which cannot be combined with {setting}; remove one of them"
    )]
    NotOfEntities {
        /// The attribute.
        attribute: String,
        /// The setting or the request, as a noun phrase.
        setting: &'static str,
    },
    /// The public table has an identifier with a pseudonym, and a row of it may count for several people.
    #[error("{}: column `{column}` is an identifier with a pseudonym, but a row may count for several people, who would share it; remove `pseudonym`", path.display())]
    SharedPseudonym {
        /// The public table.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A value that the key maps to itself.
    #[error("column `{column}`: the key maps some value to itself; use another `domain`")]
    OwnPseudonym {
        /// The column.
        column: String,
    },
    /// A key that cannot be read.
    #[error("cannot read key {}, which is needed to recompute the pseudonyms; put the key file there", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A file that is too short for a key.
    #[error("key {} has {bytes} bytes, expected at least 32; name the key that made the pseudonyms", path.display())]
    ShortKey {
        /// The file.
        path: PathBuf,
        /// The length of the file, in bytes.
        bytes: usize,
    },
    /// An identifier that occurs in two rows of T.
    #[error("{}, {position}, column `{column}`: identifier `{value}` {}; remove the repetition, or set `repeats = true` if several people may share it", path.display(), repeated(first.as_deref()))]
    RepeatedIdentifier {
        /// The private table.
        path: PathBuf,
        /// The position of the row in that file.
        position: Position,
        /// The column.
        column: String,
        /// The identifier.
        value: String,
        /// The first row that has the identifier, with its file if that is another file. `None` if the row itself counts for
        /// several people.
        first: Option<Box<(Position, Option<PathBuf>)>>,
    },
    /// A column of T that no attribute names.
    #[error("{}: no attribute names column `{column}`; give it a role, or set unlisted = \"drop\"", path.display())]
    Unlisted {
        /// The private table.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A file of P or T that is also another input.
    #[error("{}", shared_input(first, second, *is_copy))]
    SharedInput {
        /// The first input, and its part in the project.
        first: (PathBuf, String),
        /// The second input, and its part in the project.
        second: (PathBuf, String),
        /// Whether two files have the same content. Otherwise they are one file.
        is_copy: bool,
    },
    /// A release that is also an input.
    #[error("{} {} {}, {}: a file cannot be verified against itself; give the release another folder or name that the project's `path` does not match, and verify it there", release.display(), if *is_copy { "has the same content as" } else { "is the same file as" }, input.0.display(), input.1)]
    ReleaseIsInput {
        /// The release.
        release: PathBuf,
        /// The input, and its part in the project.
        input: (PathBuf, String),
        /// Whether the input is another file with the same content.
        is_copy: bool,
    },
    /// A column of T that two attributes name.
    #[error("{}: attributes `{first}` and `{second}` both name column `{column}`; remove one", path.display())]
    SharedColumn {
        /// The private table.
        path: PathBuf,
        /// The column.
        column: String,
        /// The first attribute, in project order.
        first: String,
        /// The second attribute.
        second: String,
    },
    /// The member column or the count column is also an attribute of the release.
    #[error("{}: attribute `{attribute}` names column `{column}`, which the project's `{setting}` names and which is never released; remove the attribute", path.display())]
    NeverWritten {
        /// The table.
        path: PathBuf,
        /// The attribute.
        attribute: String,
        /// The column.
        column: String,
        /// `count` or `member`.
        setting: &'static str,
    },
    /// A column that would be published unchanged although the public table has it.
    #[error("{}: `{column}` is {role}, but the public table has this column and an attacker knows its values; make it quasi or identifier, or drop it", path.display())]
    KnownToAttacker {
        /// The public table.
        path: PathBuf,
        /// The column.
        column: String,
        /// `sensitive` or `insensitive`.
        role: &'static str,
    },
    /// A quasi-identifier without a hierarchy.
    #[error("attribute `{attribute}` is a quasi-identifier without a hierarchy; give it one")]
    NoHierarchy {
        /// The attribute.
        attribute: String,
    },
    /// No quasi-identifier at all.
    #[error("no attribute is a quasi-identifier; give at least one the role quasi")]
    NoQuasiIdentifier,
    /// A hierarchy that cannot be read, is not nested, or is ambiguous.
    #[error("hierarchy {}{}: {detail}", path.display(), at_line(*line))]
    Hierarchy {
        /// The file.
        path: PathBuf,
        /// The line, from 1, if one line is wrong.
        line: Option<u64>,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// `not_in_public` removes all members.
    #[error(
        "no person of T ({people} in all) is in P, so no member is left to publish; compare the columns of both tables"
    )]
    EveryoneDropped {
        /// The number of members.
        people: u64,
    },
    /// A value that is not written in the way that the project describes.
    #[error("{}, column `{column}`: `{}` cannot be read; expected {expected}", table.display(), short(value))]
    Misspelt {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The text of the field.
        value: String,
        /// The texts that are allowed.
        expected: String,
    },
    /// Values of a table that its hierarchy does not have.
    #[error("{}, column `{column}`: {} that hierarchy {} lacks: {}{}; correct the table or the hierarchy", table.display(), if *count == 1 { "1 value".to_owned() } else { format!("{count} values") }, hierarchy.display(), quoted(values), if *count > values.len() { ", …" } else { "" })]
    MissingValues {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The hierarchy.
        hierarchy: PathBuf,
        /// The number of these values.
        count: usize,
        /// The first few values.
        values: Vec<String>,
    },
    /// A value that is a label of two levels, with two meanings.
    #[error("{}, column `{column}`: `{value}` can mean both `{}` and `{}` of hierarchy {}; rename labels so that each text means one set of values", table.display(), labels[0], labels[1], hierarchy.display())]
    TwoReadings {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The hierarchy.
        hierarchy: PathBuf,
        /// The value.
        value: String,
        /// Two of its meanings.
        labels: Box<[String; 2]>,
    },
    /// An unknown criterion, or a requirement that cannot be read.
    #[error("[policy]: `{key} = {text}`: expected {expected}")]
    Policy {
        /// The key.
        key: String,
        /// The text of the value.
        text: String,
        /// The texts that are allowed.
        expected: String,
    },
    /// A release that cannot be matched with P: a part is unreadable, or the file contains more than its rows.
    #[error("{} cannot be read as a release: {}", path.display(), findings(problems))]
    Unread {
        /// The release.
        path: PathBuf,
        /// The findings that prevent the match.
        problems: Vec<Finding>,
    },
    /// The meter asked to stop.
    #[error("stopped on request")]
    Cancelled,
}

impl VerifyError {
    /// Wraps an error of the operating system with the path of the file.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

/// A position in a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a CSV file, from 1.
    Line(u64),
    /// A row of a Parquet or Arrow file or of a workbook, from 1. The header does not count.
    Row(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

fn impossible(members: u64, possible: u64, person: &str) -> String {
    let members = if members == 1 { "1 member".to_owned() } else { format!("{members} members") };
    format!(
        "the prior contradicts T: T has {members} with {person}, but only {possible} of these people in P have a prior \
         above 0; correct the prior"
    )
}

fn repeated(first: Option<&(Position, Option<PathBuf>)>) -> String {
    match first {
        Some((first, None)) => format!("already occurs in {first}"),
        Some((first, Some(file))) => format!("already occurs in {}, {first}", file.display()),
        None => "is in a row that counts for several people".to_owned(),
    }
}

fn shared_input(first: &(PathBuf, String), second: &(PathBuf, String), is_copy: bool) -> String {
    let found = if is_copy { "have the same content" } else { "are the same file" };
    format!(
        "{}, {}, and {}, {}, {found}, so its rows would count twice; give P and T different files",
        first.0.display(),
        first.1,
        second.0.display(),
        second.1
    )
}

fn at_line(line: Option<u64>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

fn findings(problems: &[Finding]) -> String {
    let text = |problem: &Finding| match problem.details() {
        Some(details) => format!("{problem}: {details}"),
        None => problem.to_string(),
    };
    problems.iter().map(text).collect::<Vec<_>>().join("; ")
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn quoted(values: &[String]) -> String {
    let quoted = |value: &String| match short(value) {
        part if part == value => format!("{value:?}"),
        part => format!("{part:?}…"),
    };
    values.iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// At most the first 60 characters of a text.
fn short(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}
