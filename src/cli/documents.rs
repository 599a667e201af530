//! `completions` and `man`: print documents that are generated from the command line.

use clap::Args;
use clap_complete::Shell;

use super::args::program;
use palmtop_console::output;
use palmtop_console::status::Status;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

/// The manual page has no options.
#[derive(Debug, Args)]
pub(crate) struct ManArguments {}

/// Prints a completion script.
pub(super) fn completions(arguments: &CompletionsArguments) -> anyhow::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program(), "palmtop", &mut script);
    output::print_raw(&String::from_utf8_lossy(&script))?;
    Ok(Status::Done)
}

/// Prints the manual page: the program's sections, then a section for each command.
pub(super) fn man(_: &ManArguments) -> anyhow::Result<Status> {
    let mut program = program();
    program.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(program.clone()).render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    // The commands have no pages of their own.
    let mut text = references_to_sections(&page).replace(".SH EXTRA", ".SH \"PROJECTS AND EXIT STATUS\"");
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let page_of_command = clap_mangen::Man::new(command.clone());
        let mut sections = Vec::new();
        page_of_command.render_synopsis_section(&mut sections)?;
        page_of_command.render_description_section(&mut sections)?;
        page_of_command.render_options_section(&mut sections)?;
        let name = command.get_name().to_uppercase();
        text.push_str(&format!(".SH \"PALMTOP {name}\"\n"));
        text.push_str(&String::from_utf8_lossy(&sections).replace(".SH ", ".SS "));
    }
    text.push_str(ENDING);
    output::print_raw(&text)?;
    Ok(Status::Done)
}

/// The page with `palmtop check` instead of a reference to a page `palmtop-check(1)`.
fn references_to_sections(page: &str) -> String {
    let line = |line: &str| match line.strip_prefix("palmtop\\-").and_then(|line| line.strip_suffix("(1)")) {
        Some(command) => format!("palmtop {command}\n"),
        None => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

/// The sections that no option has.
const ENDING: &str = r#".SH FILES
.TP
NAME.history.toml
the history of the project NAME.toml, beside it: steps, decisions, releases, reports
.TP
$XDG_CONFIG_HOME/palmtop/settings.toml
keys, colours and symbols; ~/.config without XDG_CONFIG_HOME
.TP
$TMPDIR/palmtop\-practice\-*
an unpacked practice project, until the program ends; /tmp without TMPDIR
.SH ENVIRONMENT
.TP
NO_COLOR
if it is set, nothing has colours
.TP
COLORFGBG
whether the background of the terminal is dark
.TP
RAYON_NUM_THREADS
the number of threads; by default one for each core
.TP
TMPDIR, XDG_CONFIG_HOME
see FILES
.TP
ADBC_PROFILE_PATH
the folders with profiles of databases, for palmtop fetch
.SH "SEE ALSO"
palmtop\-verify(1), a second program. It recounts a written release with separate code
"#;
