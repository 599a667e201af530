//! Which rows of a table are people, and where the names of its columns are, as a project says.

/// What a project says about the names of the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// Nothing: the first row has them, unless they look like values.
    #[default]
    Unsaid,
    /// The first row has them, although they look like values.
    InFile,
    /// The file has none: the columns are `column 1`, `column 2`, ….
    None,
    /// The file has none; these are they.
    Are(Vec<String>),
}

impl Header {
    /// Whether a row of the file has the names.
    pub(crate) fn is_in_file(&self) -> bool {
        matches!(self, Self::Unsaid | Self::InFile)
    }

    /// The names of the columns of a file without names.
    ///
    /// # Errors
    /// The problem, if the project has another number of names.
    pub(crate) fn names(&self, width: usize) -> Result<Vec<String>, String> {
        match self {
            Self::Are(names) if names.len() == width => Ok(names.clone()),
            Self::Are(names) => {
                Err(format!("`header` of the project has {} names, the file {width} columns", names.len()))
            }
            _ => Ok((1..=width).map(|column| format!("column {column}")).collect()),
        }
    }
}

/// A row that a project names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowName {
    /// The line of a CSV file, the row of a sheet as a spreadsheet numbers it, or the row of
    /// another file, from 1.
    Number(u64),
    /// The text of one of its cells.
    Text(String),
}

/// Which rows are people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowRules {
    /// The names of the columns.
    pub header: Header,
    /// The rows that are no people.
    pub leave_out: Vec<RowName>,
    /// The rows that are people, although they do not look like people.
    pub keep: Vec<RowName>,
    /// Whether the hidden rows of a workbook are people; `None` if the project does not say.
    pub hidden_are_people: Option<bool>,
    /// Whether all rows count, because it is no raw table: rates, a belief, a release.
    pub all_count: bool,
}

impl RowRules {
    /// Whether a row is left out.
    pub(crate) fn leaves_out<'a>(&self, number: u64, cells: impl Iterator<Item = &'a str> + Clone) -> bool {
        names_row(&self.leave_out, number, cells)
    }

    /// Whether a row is a person, whatever it looks like.
    pub(crate) fn keeps<'a>(&self, number: u64, cells: impl Iterator<Item = &'a str> + Clone) -> bool {
        names_row(&self.keep, number, cells)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "an iterator over borrowed cells")]
fn names_row<'a>(rows: &[RowName], number: u64, cells: impl Iterator<Item = &'a str> + Clone) -> bool {
    rows.iter().any(|row| match row {
        RowName::Number(named) => *named == number,
        RowName::Text(text) => cells.clone().any(|cell| cell == text),
    })
}
