//! Options of the commands that prepare a project: the workbench, `init`, `check`, `reduce`, `fetch` and `sql`.

use std::path::PathBuf;

use clap::Args;
use palmtop::model::Role;
use palmtop::sql::Dialect;

use super::shared::DeltaArguments;
use palmtop_console::format::Format;

/// What the workbench may be told.
#[derive(Debug, Args)]
pub(crate) struct WorkbenchArguments {
    /// The project file; by default the practice project. If this is a table, the workbench proposes a project for it.
    pub(crate) project: Option<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// Continue a session: this one, or by default the newest of the project.
    #[arg(long, value_name = "SESSION", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "not given, given, given with a file")]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Read keys, colours and symbols from this file; by default palmtop/settings.toml in your configuration folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
}

/// Tables that have no project yet.
#[derive(Clone, Debug, Args)]
#[group(conflicts_with_all = ["project", "resume", "delta_min", "delta_max"], multiple = true)]
pub(crate) struct TablesArguments {
    /// The public table P: the workbench shows the project that `init` proposes for this table. Several files with the same
    /// columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1..)]
    pub(crate) public: Vec<PathBuf>,
    /// With --public: the private table T. By default a column of P marks the members of T.
    #[arg(long, value_name = "T", num_args = 1.., requires = "public")]
    pub(crate) private: Vec<PathBuf>,
    /// With --public: declare how the files of a table are written, as in `init --set`.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE", requires = "public")]
    pub(crate) settings: Vec<SettingArgument>,
    /// With --public: the column of P that marks the members of T; by default palmtop proposes one.
    #[arg(long, value_name = "COLUMN", requires = "public", conflicts_with = "private")]
    pub(crate) member: Option<String>,
    /// With --public: look for fitting hierarchies in this folder.
    #[arg(long, value_name = "FOLDER", requires = "public")]
    pub(crate) hierarchies: Option<PathBuf>,
    /// With --public: the project file to write, when you save the proposal.
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

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What `reduce` says, in its help.
const REDUCING: &str = "The command writes the file .NAME.reduced into the folder of NAME.toml. The file holds P's values and \
    combinations with their counts, and nothing of T. It is as sensitive as P: keep it where P is kept, and out of version \
    control. Every command uses the file as long as P's files, and what the project says about them, are the same. If they \
    differ, the command makes the file again. Loading writes the file by itself if reading P took more than 5 seconds. \
    `cache = false` under [public] switches the file off.";

#[derive(Debug, Args)]
#[command(after_help = REDUCING)]
pub(crate) struct ReduceArguments {
    /// The project file.
    pub(crate) project: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArguments {
    /// The project file, with the database of P under `[public.source]`.
    pub(crate) project: PathBuf,
    /// Print the statements, and send nothing to the database.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Overwrite an existing snapshot.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SqlArguments {
    /// The project file; not with --load.
    #[arg(required_unless_present = "load", conflicts_with = "load")]
    pub(crate) project: Option<PathBuf>,
    /// The dialect: ansi, postgresql, sqlserver, oracle, mysql, spark, bigquery, duckdb or sqlite.
    #[arg(long, value_name = "DIALECT", default_value = "ansi")]
    pub(crate) dialect: Dialect,
    /// The table in the database: the one with the rows of P, by default that of `[public.source]`; or with --load the table
    /// to create, by default named as the file.
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<String>,
    /// Take the rows of P from the query in this file, not from a table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "load"])]
    pub(crate) query: Option<PathBuf>,
    /// Print CREATE TABLE for this release, and the statements that load it.
    #[arg(long, value_name = "RELEASE")]
    pub(crate) load: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The proposal gives a reason for each choice. If a choice is doubtful and stdin is a terminal, the command \
    asks, a line for each choice; Enter accepts the proposal. With --yes, or without a terminal, the command accepts every \
    proposal, and lists the doubtful ones on stderr with the alternative. Neither the project nor its hierarchies take a \
    value from T.\n\n\
    Exit status: that of `palmtop check` for the project."
)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    pub(crate) tables: NamedTables,
    /// Accept every proposal without asking. The project marks each role that is not decided with `undecided = true`.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Assign a role to a column, such as `diagnosis=sensitive`. ROLE is sensitive, insensitive, identifier (never published) or quasi.
    #[arg(long = "role", id = "role", value_name = "COLUMN=ROLE")]
    pub(crate) roles: Vec<RoleArgument>,
    /// The project file to write. Hierarchies that are built go to a folder next to it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Two tables that have no project, and what is said of them.
#[derive(Clone, Debug, Args)]
pub(crate) struct NamedTables {
    /// The public table P. Several files with the same columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1.., required = true)]
    pub(crate) public: Vec<PathBuf>,
    /// The private table T; by default a column of P marks the members of T.
    #[arg(long, value_name = "T", num_args = 1..)]
    pub(crate) private: Vec<PathBuf>,
    /// Declare how the files of a table are written, with the keys of a project: `public.encoding=latin-1`, `private.sheet=2024`,
    /// `public.header_row=3`, `private.separator=;`, `public.quote='`.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE")]
    pub(crate) settings: Vec<SettingArgument>,
    /// The column of P that marks the members of T; by default palmtop proposes one.
    #[arg(long, value_name = "COLUMN", conflicts_with = "private")]
    pub(crate) member: Option<String>,
    /// Look for fitting hierarchies in this folder. They may be files of ARX or of palmtop.
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
        let expected = "expected COLUMN=ROLE, such as diagnosis=sensitive; ROLE is sensitive, insensitive, identifier or quasi";
        let (column, written) = text.rsplit_once('=').ok_or(expected)?;
        let roles = [Role::Sensitive, Role::Insensitive, Role::Identifier, Role::Quasi];
        let role = roles.into_iter().find(|role| role.as_str() == written).ok_or(expected)?;
        Ok(Self { column: column.to_owned(), role })
    }
}

/// `public.encoding=latin-1`.
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
            _ => {
                Err("expected public.KEY=VALUE or private.KEY=VALUE, such as public.encoding=latin-1"
                    .to_owned())
            }
        }
    }
}
