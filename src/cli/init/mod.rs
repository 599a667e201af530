//! `init`: from two raw tables to a project that `check` reads.

mod ask;
mod shown;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use palmtop::data::read::TableSpec;
use palmtop::data::write::{self, Gate, RealDisk, Ward};
use palmtop::pipeline::PipelineError;
use palmtop::progress::unwatched;
use palmtop::project::table_spec;
use palmtop::proposal::{
    AtHand, Decisions, HierarchySource, Meeting, Opened, Private, Proposal, Written, propose,
};

use super::args::{CheckArguments, DeltaArguments, Format, InitArguments};
use super::check;
use super::delivery::{not_written, say_removed};
use super::output;
use super::say;
use super::status::{Status, Usage};

/// Runs the command.
pub(super) fn run(arguments: &InitArguments) -> anyhow::Result<Status> {
    let target = absolute(&arguments.output)?;
    let specs = specs(arguments)?;
    let inputs = specs.public.paths.iter().chain(specs.private.iter().flat_map(|private| &private.paths));
    let mut gate = Gate::guarding(Ward::Input, inputs.map(PathBuf::as_path));
    gate.check(&target, arguments.force).map_err(PipelineError::from)?;
    let sources = Sources::read(&specs, arguments)?;
    let mut decisions = Decisions::default();
    let mut proposal = sources.propose(&decisions)?;
    output::print(&shown::table(&proposal))?;
    if ask::is_possible(arguments.yes) {
        let before = decisions.0.len();
        proposal = ask::settle(&sources, &mut decisions, proposal)?;
        if decisions.0.len() > before {
            output::print(&shown::table(&proposal))?;
        }
    }
    for (path, why) in &sources.at_hand.refused {
        say::message(&format!("{}: not taken for a hierarchy: {why}", path.display()));
    }
    shown::say_ambiguities(&proposal);
    let written = proposal.to_toml(&target);
    let own = proposal.attributes.iter().filter_map(|attribute| attribute.hierarchy.as_ref());
    for hierarchy in own {
        if let HierarchySource::File(path) = &hierarchy.source {
            gate.guard(Ward::Input, path);
        }
    }
    put(&mut gate, &target, &written, arguments.force)?;
    let project = arguments.output.display();
    say::line(&format!(
        "{project}: written{}",
        match written.hierarchies.len() {
            0 => String::new(),
            count => format!(", with {count} hierarchies in {}", written.folder.display()),
        }
    ));
    let status = check::run(&CheckArguments {
        project: arguments.output.to_string_lossy().into_owned(),
        delta: DeltaArguments::default(),
        format: Format::Table,
    })
    .with_context(|| format!("{project} is written, but not whole yet; edit it or the tables, then run `palmtop check {project}`"))?;
    say::line(&format!(
        "next: read {project}; `palmtop advise {project} --prior D --misuse M` for δ; `palmtop {project}` for the workbench"
    ));
    Ok(status)
}

/// Which files both tables are in, and how they are written.
struct Specs {
    public: TableSpec,
    private: Option<TableSpec>,
}

fn specs(arguments: &InitArguments) -> anyhow::Result<Specs> {
    let of = |table: &str, paths: &[PathBuf]| -> anyhow::Result<TableSpec> {
        let own = arguments.settings.iter().filter(|setting| setting.table == table);
        let settings: Vec<(String, String)> =
            own.map(|setting| (setting.key.clone(), setting.value.clone())).collect();
        let mut spec =
            table_spec(paths, &settings).map_err(|detail| Usage(format!("--{table}: {detail}")))?;
        for path in &mut spec.paths {
            *path = absolute(path)?;
        }
        Ok(spec)
    };
    let private = (!arguments.private.is_empty()).then(|| of("private", &arguments.private)).transpose()?;
    Ok(Specs { public: of("public", &arguments.public)?, private })
}

/// What a proposal is made from.
struct Sources {
    public: Opened,
    private: Option<Opened>,
    member: Option<String>,
    at_hand: AtHand,
}

impl Sources {
    fn read(specs: &Specs, arguments: &InitArguments) -> anyhow::Result<Self> {
        let folder = arguments.hierarchies.as_deref().map(absolute).transpose()?;
        Ok(Self {
            public: Opened::read(&specs.public, "public", &mut unwatched)?,
            private: specs
                .private
                .as_ref()
                .map(|spec| Opened::read(spec, "private", &mut unwatched))
                .transpose()?,
            member: arguments.member.clone(),
            at_hand: AtHand::read(folder.as_deref())?,
        })
    }

    /// What is proposed under some decisions.
    fn propose(&self, decisions: &Decisions) -> anyhow::Result<Proposal> {
        let private = match &self.private {
            Some(private) => Private::Table(&private.survey),
            None => Private::Member(self.member.as_deref()),
        };
        let mut proposal = propose(&self.public.survey, private, &self.at_hand, decisions)?;
        let tables = (&self.public.table, self.private.as_ref().map(|private| &private.table));
        let meeting = Meeting::of(&proposal, tables.0, tables.1, &mut unwatched)?;
        proposal.settle(&meeting, decisions);
        let opened = std::iter::once(&self.public).chain(&self.private);
        proposal.ambiguities.splice(0..0, opened.filter_map(|opened| opened.assumed.clone()));
        Ok(proposal)
    }
}

/// Writes the project and its hierarchies, all or none.
fn put(gate: &mut Gate, target: &Path, written: &Written, force: bool) -> anyhow::Result<()> {
    let folder = target.parent().unwrap_or(Path::new(""));
    let own = folder.join(&written.folder);
    let is_new = own.symlink_metadata().is_err();
    let mut files = vec![(target.to_owned(), written.project.clone().into_bytes())];
    files.extend(
        written.hierarchies.iter().map(|(path, text)| (folder.join(path), text.clone().into_bytes())),
    );
    if !written.hierarchies.is_empty() {
        write::make_folder(&own)?;
    }
    let put = gate.put_all(&mut RealDisk, &files, force);
    say_removed(gate);
    if put.is_err() && is_new {
        write::remove_empty_folder(&own);
    }
    put.map_err(not_written)
}

/// The path of a file that is there or will be, from the root on, through no link.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let absolute = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Ok(absolute);
    };
    let folder =
        folder.canonicalize().with_context(|| format!("cannot find the folder of {}", path.display()))?;
    let absolute = folder.join(name);
    if absolute.to_str().is_none() {
        bail!("{}: its name is no UTF-8, and a project could not name it; rename it", path.display());
    }
    Ok(absolute)
}
