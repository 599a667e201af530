//! Options that name tables without a project, for the workbench and `init`; and those of `bench-frame`.

use std::path::PathBuf;

use clap::Args;
use palmtop::model::Role;

use super::shared::DeltaArguments;

/// The options of the workbench.
#[derive(Debug, Args)]
pub(crate) struct WorkbenchArguments {
    /// The project file; by default the practice project.
    ///
    /// If this is a table, the workbench proposes a project for it.
    pub(crate) project: Option<String>,
    /// The public table, if PROJECT is the private table.
    ///
    /// `palmtop T.csv P.csv` proposes a project for both.
    #[arg(value_name = "P")]
    pub(crate) public_table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) tables: TablesArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// Read keys, colours and symbols from this file.
    ///
    /// By default palmtop/settings.toml in your configuration folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
}

/// Tables that have no project yet.
#[derive(Clone, Debug, Args)]
#[group(conflicts_with_all = ["project", "delta_min", "delta_max"], multiple = true)]
pub(crate) struct TablesArguments {
    /// The public table P, without a project.
    ///
    /// The workbench shows the project that `init` proposes for this table.
    /// Several files with the same columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1..)]
    pub(crate) public: Vec<PathBuf>,
    /// The private table T.
    ///
    /// By default a column of P marks the members of T.
    #[arg(long, value_name = "T", num_args = 1.., requires = "public")]
    pub(crate) private: Vec<PathBuf>,
    /// How the files of a table are written, as in init.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE", requires = "public")]
    pub(crate) settings: Vec<SettingArgument>,
    /// The column of P that marks the members.
    ///
    /// By default palmtop proposes one.
    #[arg(long, value_name = "COLUMN", requires = "public", conflicts_with = "private")]
    pub(crate) member: Option<String>,
    /// Look for hierarchies in this folder.
    #[arg(long, value_name = "FOLDER", requires = "public")]
    pub(crate) hierarchies: Option<PathBuf>,
    /// The project file to write.
    #[arg(short, long, value_name = "FILE", requires = "public")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchFrameArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The columns of the screen.
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub(crate) columns: u16,
    /// The rows of the screen.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub(crate) rows: u16,
    /// How many times to press each kind of key.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) presses: usize,
}

/// Two tables without a project, and their settings.
#[derive(Clone, Debug, Args)]
pub(crate) struct NamedTables {
    /// The public table P.
    ///
    /// Several files with the same columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1..)]
    pub(crate) public: Vec<PathBuf>,
    /// The private table T; by default a column of P marks the members of T.
    #[arg(long, value_name = "T", num_args = 1..)]
    pub(crate) private: Vec<PathBuf>,
    /// How the files of a table are written: public.separator=;
    ///
    /// The keys are those of a project: `public.encoding=windows-1252`, `private.sheet=2024`,
    /// `public.header_row=3`, `private.separator=;`, `public.quote='`.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE")]
    pub(crate) settings: Vec<SettingArgument>,
    /// The column of P that marks the members of T; by default palmtop proposes one.
    #[arg(long, value_name = "COLUMN", conflicts_with = "private")]
    pub(crate) member: Option<String>,
    /// Look for fitting hierarchies in this folder.
    ///
    /// They may be files of ARX or of palmtop.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) hierarchies: Option<PathBuf>,
}

/// `diagnosis=sensitive`.
#[derive(Clone, Debug)]
pub(crate) struct RoleArgument {
    pub(crate) column: String,
    pub(crate) role: Role,
}

impl std::str::FromStr for RoleArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected COLUMN=ROLE, such as diagnosis=sensitive; ROLE is withheld, sensitive, insensitive, identifier or quasi";
        let (column, written) = text.rsplit_once('=').ok_or(expected)?;
        let roles = [Role::Withheld, Role::Sensitive, Role::Insensitive, Role::Identifier, Role::Quasi];
        let role = roles.into_iter().find(|role| role.as_str() == written).ok_or(expected)?;
        Ok(Self { column: column.to_owned(), role })
    }
}

/// `public.encoding=windows-1252`.
#[derive(Clone, Debug)]
pub(crate) struct SettingArgument {
    pub(crate) table: String,
    pub(crate) key: String,
    pub(crate) value: String,
}

impl std::str::FromStr for SettingArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(name, value)| Some((name.split_once('.')?, value)));
        match parts {
            Some(((table @ ("public" | "private"), key), value)) => {
                Ok(Self { table: table.to_owned(), key: key.to_owned(), value: value.to_owned() })
            }
            _ => Err("expected public.KEY=VALUE or private.KEY=VALUE, such as public.encoding=windows-1252"
                .to_owned()),
        }
    }
}
