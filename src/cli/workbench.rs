//! Opens the workbench: with a project and its newest sitting, or tables without a project.

use std::io::IsTerminal;
use std::path::PathBuf;

use palmtop::data::read::{self, TableSpec};
use palmtop::history;
use palmtop::pipeline::Overrides;
use palmtop::proposal::Named;

use super::args::{BenchFrameArguments, WorkbenchArguments};
use super::load::ProjectFile;
use palmtop_console::interrupt;
use palmtop_console::output;
use palmtop_console::status::{Status, Usage};
use palmtop_workbench::{self as tui, Begin, Settings, Source, What};

/// Opens the workbench.
pub(super) fn run(arguments: &WorkbenchArguments) -> anyhow::Result<Status> {
    let begin = tables(arguments)?;
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(no_terminal(begin.as_ref()).into());
    }
    if std::env::var_os("TERM").is_none_or(|terminal| terminal.is_empty() || terminal == "dumb") {
        let why = "the workbench needs a terminal that can move its cursor, and TERM is unset or `dumb`; set it, such as \
                   TERM=vt100, or use the commands: palmtop --help";
        return Err(Usage(why.to_owned()).into());
    }
    if let Some(begin) = begin {
        return propose(begin, Settings::find(arguments.settings.as_deref())?);
    }
    let settings = Settings::find(arguments.settings.as_deref())?;
    let typed = arguments.project.clone().unwrap_or_else(|| "@clinic".to_owned());
    let ProjectFile { path, practice } = ProjectFile::find(&typed)?;
    let banner = practice.is_some().then(|| format!("{typed}, to practise: no history is kept"));
    let home = (practice.is_none() && path.exists()).then(|| path.clone());
    if let Some(project) = &home {
        history::tidy(project);
    }
    open(Source {
        project: What::Project(path),
        overrides: (&arguments.delta).into(),
        command_name: typed,
        banner,
        home,
        settings,
        on_exit: Box::new(move || drop(practice)),
    })
}

/// The error for a workbench without a terminal.
fn no_terminal(begin: Option<&Begin>) -> Usage {
    let Some(begin) = begin else {
        let commands = "`palmtop --help` lists the commands that need none";
        return Usage(format!("the workbench needs a terminal; {commands}"));
    };
    let public = palmtop::shell::quoted(&begin.named.public.name().to_string_lossy());
    let is_table =
        if begin.is_offered { format!("{public} is a table, not a project, and ") } else { String::new() };
    Usage(format!(
        "{is_table}the workbench needs a terminal; without one, `palmtop init --public {public} --private T -o \
         project.toml` proposes a project"
    ))
}

/// The tables of the options, or the arguments if they are named as tables are.
fn tables(arguments: &WorkbenchArguments) -> Result<Option<Begin>, Usage> {
    if let Some(named) = arguments.tables.named()? {
        return Ok(Some(Begin { named, target: arguments.tables.output.clone(), is_offered: false }));
    }
    let Some(typed) = arguments.project.as_ref().map(PathBuf::from) else { return Ok(None) };
    let is_table = read::names_table(&typed);
    let Some(public) = &arguments.public_table else {
        let begin = |path| Begin { named: Named::of(TableSpec::of(path)), target: None, is_offered: true };
        return Ok(Some(typed).filter(|_| is_table).map(begin));
    };
    if let Some(other) = [&typed, public].into_iter().find(|path| !read::names_table(path)) {
        return Err(Usage(format!(
            "{} is neither a command nor a table; `palmtop T.csv P.csv` proposes a project for two tables, and \
             `palmtop --help` lists the commands",
            other.display()
        )));
    }
    let named = Named { private: Some(TableSpec::of(typed)), ..Named::of(TableSpec::of(public.clone())) };
    Ok(Some(Begin { named, target: None, is_offered: false }))
}

/// Opens the workbench's proposal of a project.
fn propose(begin: Begin, settings: Settings) -> anyhow::Result<Status> {
    for path in begin.named.inputs() {
        if !path.is_file() {
            anyhow::bail!("there is no table {}", path.display());
        }
    }
    open(Source {
        project: What::Tables(begin),
        overrides: Overrides::default(),
        command_name: String::new(),
        banner: None,
        home: None,
        settings,
        on_exit: Box::new(|| ()),
    })
}

fn open(source: Source) -> anyhow::Result<Status> {
    interrupt::leave_to_workbench();
    let number = tui::run(source)?;
    Ok(if number == 0 { Status::Done } else { Status::Signal(number.saturating_sub(128)) })
}

/// Measures the time and the bytes of the workbench's frames.
pub(super) fn bench_frame(arguments: &BenchFrameArguments) -> anyhow::Result<Status> {
    let ProjectFile { path, practice } = ProjectFile::find(&arguments.project)?;
    let source = Source {
        project: What::Project(path),
        overrides: Overrides::default(),
        command_name: arguments.project.clone(),
        banner: None,
        home: None,
        settings: Settings::find(None)?,
        on_exit: Box::new(move || drop(practice)),
    };
    let figures = tui::bench_frame(source, arguments.columns, arguments.rows, arguments.presses)?;
    let mut lines =
        vec![format!("{:<30}{:>12}{:>12}{:>14}{:>14}", "", "median", "worst", "median bytes", "most bytes")];
    for figure in figures {
        let (mut times, mut bytes) = (figure.times, figure.bytes);
        times.sort_unstable();
        bytes.sort_unstable();
        let middle = times.len() / 2;
        let milliseconds = |nth: usize| format!("{:.2} ms", times[nth].as_secs_f64() * 1e3);
        lines.push(format!(
            "{:<30}{:>12}{:>12}{:>14}{:>14}",
            figure.name,
            milliseconds(middle),
            milliseconds(times.len() - 1),
            bytes[middle],
            bytes[bytes.len() - 1]
        ));
    }
    output::print(&(lines.join("\n") + "\n"))?;
    Ok(Status::Done)
}
