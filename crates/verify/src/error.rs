//! Why a release could not be verified at all: its inputs cannot be read, or do not fit together.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::finding::Finding;

/// Inputs that cannot be read or do not fit together; what is wrong with a release itself is a
/// [`Finding`](super::Finding).
///
/// Its text may hold values of the tables, so it is for stderr alone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The operating system refused.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
    /// A folder, a pipe or a device.
    #[error("{} is no regular file; give a file that can be read to its end, again and again", path.display())]
    NotAFile {
        /// The name.
        path: PathBuf,
    },
    /// A file that is too large to be read whole.
    #[error("{} has more than {most} bytes, the most that are read of such a file; make it smaller", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// As many bytes as it may have.
        most: u64,
    },
    /// A file name with an ending that says nothing.
    #[error("{}: unknown kind of table; expected a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc, .feather, .xlsx, .xls or .ods, and perhaps .gz or .zst behind it", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A text file that is not in the form that it must have.
    #[error("{}, line {line}: {detail}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A table that its library cannot read, or that does not hold together.
    #[error("cannot read {}: {detail}", path.display())]
    Typed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A column of a type that has no text of its own.
    #[error("{}, column `{column}`: values of type {type_name} cannot be read; save the column as text, whole numbers or dates", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type.
        type_name: String,
    },
    /// A separator that no table can have.
    #[error("{}: separator {separator:?} is not possible; take one ASCII character that is no quote and no line end", path.display())]
    Separator {
        /// The file.
        path: PathBuf,
        /// What was to separate its fields.
        separator: char,
    },
    /// A column that the project names and the file lacks.
    #[error("{}: no column `{column}`, it has {}; correct the project's {setting}", path.display(), listed(available))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The missing name.
        column: String,
        /// The setting that names it.
        setting: String,
        /// The columns that there are.
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
    /// More people than can be counted.
    #[error("{}: more than {most} people; split the {table} table", path.display())]
    TooManyPeople {
        /// The file.
        path: PathBuf,
        /// `private` or `public`.
        table: &'static str,
        /// As many as there may be.
        most: u64,
    },
    /// A count that is no positive whole number.
    #[error("{}, {place}, column `{column}`: `{value}` is no count; expected a whole number from 0 to 4294967295, or what the project says", path.display())]
    NotACount {
        /// The public table.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The count column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A membership that is neither true nor false.
    #[error("{}, {place}, column `{column}`: `{value}` is no membership; expected true, yes, y or 1, or false, no, n, 0 or nothing", path.display())]
    NotAMembership {
        /// The public table.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The member column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A prior that is no probability below 1.
    #[error("{}, {place}, column `{column}`: `{value}` is no prior; expected a fraction such as 1/30, a decimal such as 0.05 or a percentage such as 5%, from 0 to below 1", path.display())]
    NotAChance {
        /// The table.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A member of T who cannot be in it, as the prior says.
    #[error("{}, {place}, column `{column}`: the prior of a member of T is 0, which says that they cannot be in it; give them one above 0", path.display())]
    ImpossibleMember {
        /// The public table.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The column.
        column: String,
    },
    /// More members of T with a combination than the prior says are possible.
    #[error(
        "the prior says impossible: T has {members} members with {person}, of whom only {possible} have a prior above 0; correct the prior"
    )]
    Impossible {
        /// How many members there are.
        members: u64,
        /// How many people may be members.
        possible: u64,
        /// The combination.
        person: String,
    },
    /// A table of rates that says nothing of somebody, or two things, or of what is no quasi-identifier.
    #[error("{}: {detail}", path.display())]
    Rates {
        /// The table of rates.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// There is no prior to judge by.
    #[error("the project has no prior; give it `prior` under [public], or [prior] with `rates`")]
    NoPrior,
    /// An identifier that can have no pseudonym, or one of P that would tell something of them.
    #[error("{}, {place}, column `{column}`: {why}; leave out `pseudonym`, or see to it that everybody has an identifier of the same form", path.display())]
    NoPseudonym {
        /// The table.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The column.
        column: String,
        /// Why not.
        why: &'static str,
    },
    /// An identifier by which nobody can say which rows are one person's.
    #[error("{}, column `{column}`: {why}", path.display())]
    Entity {
        /// The table.
        path: PathBuf,
        /// The column.
        column: String,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// Something that is not counted in people who have several rows.
    #[error(
        "`{attribute}` says which rows are one person's (`role = \"entity\"`), and {setting} does not go with that; leave one of them out"
    )]
    NotOfEntities {
        /// The attribute.
        attribute: String,
        /// What does not go with it.
        setting: &'static str,
    },
    /// The public table has an identifier with a pseudonym, and a row of it may stand for several people.
    #[error("{}: column `{column}` is an identifier with a pseudonym, and a row may stand for several people, who would share one; leave out `pseudonym`", path.display())]
    SharedPseudonym {
        /// The public table.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A value that would be its own pseudonym.
    #[error("column `{column}`: the key makes some value its own pseudonym; take another `domain`")]
    OwnPseudonym {
        /// The column.
        column: String,
    },
    /// A key that cannot be read.
    #[error("cannot read key {}, by which the pseudonyms are computed again; bring it there", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A file that is too short for a key.
    #[error("key {} has {bytes} bytes, expected at least 32; name the key that the pseudonyms were made by", path.display())]
    ShortKey {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        bytes: usize,
    },
    /// Somebody who stands in T twice.
    #[error("{}, {place}, column `{column}`: identifier `{value}` {}; remove the repetition, or set `repeats = true` where several people may share it", path.display(), again(first.as_deref()))]
    RepeatedIdentifier {
        /// The private table.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The column.
        column: String,
        /// The identifier.
        value: String,
        /// Where it stands already, and in which file where that is another one; `None` where one row stands for several people.
        first: Option<Box<(Place, Option<PathBuf>)>>,
    },
    /// A column of T that no attribute names.
    #[error("{}: no attribute lists column `{column}`; give it a role, or set unlisted = \"drop\"", path.display())]
    Unlisted {
        /// The private table.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A file of P or T that is another input, too.
    #[error("{}", shared(first, second, *is_copy))]
    SharedInput {
        /// One input, and what it is.
        first: (PathBuf, String),
        /// The other.
        second: (PathBuf, String),
        /// Whether they are two files of the same content.
        is_copy: bool,
    },
    /// A release that is an input.
    #[error("{} {} {}, {}: a file cannot be measured against itself; give the release another folder or name, one that the project's `path` does not stand for, and verify it there", release.display(), if *is_copy { "has the same content as" } else { "is the same file as" }, input.0.display(), input.1)]
    ReleaseIsInput {
        /// The release.
        release: PathBuf,
        /// The input, and what it is.
        input: (PathBuf, String),
        /// Whether it is another file of the same content.
        is_copy: bool,
    },
    /// A column of T that two attributes name.
    #[error("{}: attributes `{first}` and `{second}` both name column `{column}`; remove one", path.display())]
    SharedColumn {
        /// The private table.
        path: PathBuf,
        /// The column.
        column: String,
        /// One attribute.
        first: String,
        /// The other.
        second: String,
    },
    /// A column that says who is in T, or for how many a row stands, and is to be written too.
    #[error("{}: attribute `{attribute}` names column `{column}`, which the project's `{setting}` names and no release has; remove the attribute", path.display())]
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
    /// A column that would be written as it is and that the public table has too.
    #[error("{}: `{column}` is {role} and yet a column of the public table: who knows that table knows it; make it quasi or identifier, or drop it", path.display())]
    KnownToAdversary {
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
    #[error("there is no quasi-identifier; at least one attribute must be one")]
    NoQuasiIdentifier,
    /// A hierarchy that cannot be read, or does not nest, or says two things.
    #[error("hierarchy {}{}: {detail}", path.display(), at_line(*line))]
    Hierarchy {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where there is one.
        line: Option<u64>,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// Nobody of T is left.
    #[error("all {people} people of T are not in P; nobody is left to publish")]
    EveryoneDropped {
        /// How many they are.
        people: u64,
    },
    /// A value that is not written as the project says.
    #[error("{}, column `{column}`: `{}` cannot be read; expected {expected}", table.display(), short(value))]
    Misspelt {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The text.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// Values that the data has and the hierarchy lacks.
    #[error("{}, column `{column}`: {} that hierarchy {} lacks: {}{}; correct the table or the hierarchy", table.display(), if *count == 1 { "1 value".to_owned() } else { format!("{count} values") }, hierarchy.display(), quoted(values), if *count > values.len() { ", …" } else { "" })]
    MissingValues {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The hierarchy.
        hierarchy: PathBuf,
        /// How many there are.
        count: usize,
        /// The first of them.
        values: Vec<String>,
    },
    /// A value that can be read at two levels and means two things.
    #[error("{}, column `{column}`: `{value}` can be read as `{}` and as `{}` of hierarchy {}; rename its labels so that no value is also a label of something else", table.display(), labels[0], labels[1], hierarchy.display())]
    TwoReadings {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The hierarchy.
        hierarchy: PathBuf,
        /// The value.
        value: String,
        /// Two labels that it may stand for.
        labels: Box<[String; 2]>,
    },
    /// A criterion that is unknown, or a requirement that cannot be read.
    #[error("[policy]: `{key} = {text}`: expected {expected}")]
    Policy {
        /// The key.
        key: String,
        /// The text behind it.
        text: String,
        /// What was expected.
        expected: String,
    },
    /// A release of which a part cannot be read, so that nobody knows who matches it, or that tells more than its rows.
    #[error("{} cannot be read as a release: {}", path.display(), findings(problems))]
    Unread {
        /// The release.
        path: PathBuf,
        /// What is in the way.
        problems: Vec<Finding>,
    },
    /// Whoever was told how much is read said stop.
    #[error("stopped on request")]
    Cancelled,
}

impl VerifyError {
    /// What the operating system says of a file.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

/// Where in a table something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a line of a CSV file, from 1.
    Line(u64),
    /// In a row of a Parquet or Arrow file or of a workbook, from 1, the header not counted.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

fn again(first: Option<&(Place, Option<PathBuf>)>) -> String {
    match first {
        Some((first, None)) => format!("stands in {first} already"),
        Some((first, Some(file))) => format!("stands in {}, {first}, already", file.display()),
        None => "stands for several people".to_owned(),
    }
}

fn shared(first: &(PathBuf, String), second: &(PathBuf, String), is_copy: bool) -> String {
    let found = if is_copy { "have the same content" } else { "are the same file" };
    let ((one, role), (other, other_role)) = (first, second);
    format!(
        "{}, {role}, and {}, {other_role}, {found}: what it has would count twice; give P and T files of their own",
        one.display(),
        other.display()
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

/// The beginning of a text, all of it where it is short.
fn short(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}
