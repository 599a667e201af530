//! A project of ARX as the source of `init`, and the tables that are written with the project.

use std::path::{Path, PathBuf};

use palmtop::data::write::{Gate, Ward, is_same_file};
use palmtop::pipeline::PipelineError;
use palmtop::progress::unwatched;
use palmtop::proposal::{ArxPrivate, ArxSources, Sources, absolute};

use super::{InitArguments, Opened};
use crate::cli::tables::table;
use palmtop_console::status::Usage;

/// Reads a project of ARX, and T if it is a table. P goes to `NAME-public.csv` next to the project `NAME.toml`.
pub(super) fn open(arguments: &InitArguments, project: &Path, target: &Path) -> anyhow::Result<Opened> {
    let (tables, force) = (arguments.tables(), arguments.force);
    if tables.public.len() > 1 || tables.member.is_some() {
        let why = "a project of ARX is all of P, and its research subset is T";
        return Err(Usage(format!(
            "{}: {why}; name no other table of P, and no --member",
            project.display()
        ))
        .into());
    }
    let private = match tables.private.as_slice() {
        [] => ArxPrivate::Unnamed,
        // A file that does not exist yet is for the research subset.
        [file] if file.symlink_metadata().is_err() => ArxPrivate::Subset(absolute(file)?),
        files => ArxPrivate::Table(table("private", files, &tables.settings)?),
    };
    let is_of_arx = |table: &str| table == "public" || !matches!(private, ArxPrivate::Table(_));
    if let Some(setting) = tables.settings.iter().find(|setting| is_of_arx(&setting.table)) {
        let why = "this table comes from the project of ARX; remove the option";
        return Err(Usage(format!("--set {}.{}: {why}", setting.table, setting.key)).into());
    }
    let read = if matches!(private, ArxPrivate::Table(_)) { tables.private.as_slice() } else { &[] };
    let inputs = std::iter::once(project).chain(read.iter().map(PathBuf::as_path));
    let gate = Gate::guarding(Ward::Input, inputs);
    gate.check(target, force).map_err(PipelineError::from)?;
    if let ArxPrivate::Subset(file) = &private {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !ending.eq_ignore_ascii_case("csv") {
            return Err(Usage("the new file for T needs a name that ends in .csv".to_owned()).into());
        }
    }
    let stem = target.file_stem().unwrap_or_default().to_string_lossy();
    let sources = ArxSources {
        project: project.to_owned(),
        public: target.with_file_name(format!("{stem}-public.csv")),
        private,
        hierarchies: tables.hierarchies.clone(),
        roles: arguments.roles.iter().map(|decided| (decided.column.clone(), decided.role)).collect(),
    };
    let (sources, declared) = sources.read(&mut unwatched)?;
    check_targets(arguments, &gate, target, &sources)?;
    Ok(Opened { gate, sources, declared })
}

/// The tables to write, each with its path.
pub(super) fn files(sources: &Sources) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    sources.listed().map(|listed| Ok((listed.files.name(), listed.to_csv()?))).collect()
}

/// Refuses names of tables that must not be written to: T overwrites no file, and P only with --force.
pub(super) fn check_targets(
    arguments: &InitArguments,
    gate: &Gate,
    target: &Path,
    sources: &Sources,
) -> anyhow::Result<()> {
    let paths: Vec<PathBuf> = sources.listed().map(|listed| listed.files.name()).collect();
    for (nth, path) in paths.iter().enumerate() {
        let others = std::iter::once(target).chain(paths[..nth].iter().map(PathBuf::as_path));
        if others.into_iter().any(|other| is_same_file(other, path)) {
            return Err(Usage(format!(
                "{}: two files would have this name; choose another one",
                path.display()
            ))
            .into());
        }
        // P is the first table.
        let is_private = nth > 0;
        if is_private && path.symlink_metadata().is_ok() {
            anyhow::bail!(
                "{} exists, and the research subset overwrites no file; choose another name",
                path.display()
            );
        }
        gate.check(path, arguments.force && !is_private).map_err(PipelineError::from)?;
    }
    Ok(())
}
