//! Options of `hierarchy`, which prepares the hierarchies of a project.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use palmtop::data::hierarchies::build::ValueKind;
use palmtop::model::Kind;

use super::shared::DeltaArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum HierarchyCommand {
    /// Checks whether a hierarchy file nests, and whether it has every value of a column.
    Check(HierarchyCheckArguments),
    /// Builds a hierarchy over the values of a column: bands, masks, levels of dates, or value → *.
    Build(HierarchyBuildArguments),
    /// Translates a CSV hierarchy of ARX.
    Import(HierarchyImportArguments),
    /// Writes a quasi-identifier's hierarchy as ARX's CSV: leaf;level 1;…;*
    Export(HierarchyExportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct HierarchyCheckArguments {
    /// The hierarchy file: .csv or .toml.
    pub(crate) file: PathBuf,
    /// Check that the hierarchy has every value of this column.
    #[arg(long, value_name = "TABLE:COLUMN")]
    pub(crate) values: Option<ColumnArgument>,
    /// The kind of the values; by default the kind that the file declares.
    #[arg(long, value_enum, requires = "values")]
    pub(crate) kind: Option<KindArgument>,
}

#[derive(Debug, Args)]
pub(crate) struct HierarchyBuildArguments {
    /// The column whose values the hierarchy generalizes.
    #[arg(value_name = "TABLE:COLUMN")]
    pub(crate) values: ColumnArgument,
    /// The kind of its values; by default palmtop infers the kind from the values.
    #[arg(long, value_enum)]
    pub(crate) kind: Option<KindArgument>,
    /// The number of levels between the value and *; by default palmtop chooses it from the values.
    #[arg(long, value_name = "N")]
    pub(crate) levels: Option<usize>,
    /// The file to write; its name ends in .toml.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HierarchyImportArguments {
    /// The CSV file of ARX.
    pub(crate) file: PathBuf,
    /// Check that the result has every value of this column.
    #[arg(long, value_name = "TABLE:COLUMN")]
    pub(crate) values: Option<ColumnArgument>,
    /// The file to write; its name ends in .toml or .csv.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HierarchyExportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The quasi-identifier.
    pub(crate) attribute: String,
    /// The file to write; its name ends in .csv.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

/// A column of a table, as typed: what stands behind the last colon is the column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnArgument {
    pub(crate) table: PathBuf,
    pub(crate) column: String,
}

impl std::str::FromStr for ColumnArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.rsplit_once(':') {
            Some((table, column)) if !table.is_empty() && !column.is_empty() => {
                Ok(Self { table: PathBuf::from(table), column: column.to_owned() })
            }
            _ => Err("expected a table and its column, such as people.csv:age".to_owned()),
        }
    }
}

impl std::fmt::Display for ColumnArgument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.table.display(), self.column)
    }
}

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArgument {
    /// Plain decimal numbers.
    Number,
    /// Days: 2024-01-05.
    Date,
    /// Codes of one length.
    Code,
    /// Anything else.
    Category,
}

impl KindArgument {
    pub(crate) fn of_values(self) -> ValueKind {
        match self {
            Self::Number => ValueKind::Number,
            Self::Date => ValueKind::Date,
            Self::Code => ValueKind::Code,
            Self::Category => ValueKind::Category,
        }
    }
}

impl From<KindArgument> for Kind {
    fn from(kind: KindArgument) -> Self {
        match kind {
            KindArgument::Number => Self::Number,
            KindArgument::Date => Self::Date,
            KindArgument::Code | KindArgument::Category => Self::Category,
        }
    }
}
