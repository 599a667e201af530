//! What a project says of the rows of a table: where the names of its columns are, and which rows are people.

/// Where the names of the columns are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// The project does not say: in the first row, unless that looks like a person.
    #[default]
    Unsaid,
    /// In the first row.
    First,
    /// Nowhere: the columns are `column 1`, `column 2` and so on.
    Counted,
    /// In the project.
    Given(Vec<String>),
}

impl Naming {
    /// Whether a row of the file has the names.
    pub(crate) fn is_in_row(&self) -> bool {
        matches!(self, Self::Unsaid | Self::First)
    }

    /// The names of the columns of a file that has none; `None` if the project gives another number of them.
    pub(crate) fn names(&self, columns: usize) -> Option<Vec<String>> {
        match self {
            Self::Given(names) => Some(names.clone()).filter(|names| names.len() == columns),
            _ => Some((0..columns).map(|index| format!("column {}", index + 1)).collect()),
        }
    }
}

/// How a project names rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedRow {
    /// By the line of a CSV file, the row of a sheet, or the row of another file, from 1.
    Number(u64),
    /// By the whole text of a cell.
    Text(String),
}

/// What a project says of the rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowsSource {
    /// Where the names are.
    pub naming: Naming,
    /// Rows that are no people.
    pub leave_out: Vec<NamedRow>,
    /// Rows that are people, whatever they look like.
    pub keep: Vec<NamedRow>,
    /// Whether hidden rows of a workbook are people.
    pub hidden_are_people: Option<bool>,
}

impl RowsSource {
    /// Whether the project leaves a row out.
    #[expect(clippy::needless_pass_by_value, reason = "an iterator over borrowed cells")]
    pub(crate) fn leaves_out<'t>(&self, number: u64, cells: impl Iterator<Item = &'t str> + Clone) -> bool {
        self.leave_out.iter().any(|named| named.is(number, cells.clone()))
    }

    /// Whether the project says that a row is a person.
    #[expect(clippy::needless_pass_by_value, reason = "an iterator over borrowed cells")]
    pub(crate) fn keeps<'t>(&self, number: u64, cells: impl Iterator<Item = &'t str> + Clone) -> bool {
        self.keep.iter().any(|named| named.is(number, cells.clone()))
    }
}

impl NamedRow {
    fn is<'t>(&self, number: u64, mut cells: impl Iterator<Item = &'t str>) -> bool {
        match self {
            Self::Number(named) => *named == number,
            Self::Text(text) => cells.any(|cell| cell == text),
        }
    }
}
