//! The tables that are named on the command line, for `init` and for the workbench's proposal.

use std::path::PathBuf;

use palmtop::data::read::TableSpec;
use palmtop::project::table_spec;
use palmtop::proposal::Named;

use super::args::{NamedTables, SettingArgument, TablesArguments};
use palmtop_console::status::Usage;

impl NamedTables {
    /// Converts the arguments: the tables, the member column and the hierarchies.
    pub(super) fn named(&self) -> Result<Named, Usage> {
        let Self { public, private, settings, member, hierarchies } = self;
        let private = (!private.is_empty()).then(|| table("private", private, settings)).transpose()?;
        let public = table("public", public, settings)?;
        Ok(Named { public, private, member: member.clone(), hierarchies: hierarchies.clone() })
    }
}

impl TablesArguments {
    /// Converts the arguments; `None` if no public table is named.
    pub(super) fn named(&self) -> Result<Option<Named>, Usage> {
        let Self { public, private, settings, member, hierarchies, output: _ } = self.clone();
        let named = NamedTables { public, private, settings, member, hierarchies };
        if named.public.is_empty() { Ok(None) } else { named.named().map(Some) }
    }
}

pub(super) fn table(name: &str, paths: &[PathBuf], settings: &[SettingArgument]) -> Result<TableSpec, Usage> {
    let of_table = settings.iter().filter(|setting| setting.table == name);
    let of_table: Vec<(String, String)> =
        of_table.map(|setting| (setting.key.clone(), setting.value.clone())).collect();
    table_spec(paths, &of_table).map_err(|detail| Usage(format!("--{name}: {detail}")))
}
