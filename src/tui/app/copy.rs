//! Copying: figures and command lines only, never a row of a table; through tmux, through the terminal, or to a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use palmtop::data::write::Gate;

use crate::tui::app::message::{JobName, Message};
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::name::ScreenName;
use crate::tui::kit::text;
use crate::tui::kit::words::chain;
use crate::tui::screens::trade_off::sweep::{Figure, ROUNDS};
use crate::tui::shared::saver::said_of_removed;
use crate::tui::shared::view::place_name;

/// Longer tables are cut: a clipboard that is handed too much drops all of it, and says nothing.
const MOST_ROWS: usize = 500;

/// What is copied, and how to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) what: &'static str,
    pub(crate) content: String,
}

impl Text {
    /// A command line.
    pub(crate) fn plain(content: String) -> Self {
        Self { what: "the command", content }
    }
}

/// How a copy leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// tmux drops what a program hands to the terminal, but takes it itself.
    Tmux,
    /// OSC 52.
    Terminal,
    /// A console that knows no clipboard.
    File,
}

impl Way {
    /// The way of this terminal, as the environment has it.
    pub(crate) fn of_this_terminal() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match set("TERM").and_then(|terminal| terminal.into_string().ok()).as_deref() {
            _ if set("TMUX").is_some() => Self::Tmux,
            None | Some("dumb" | "linux" | "vt100" | "vt220") => Self::File,
            Some(_) => Self::Terminal,
        }
    }
}

/// The figures that a screen shows, as text.
///
/// # Errors
/// Why there are none.
pub(crate) fn figures(session: &Session) -> Result<Text, String> {
    match session.screen {
        ScreenName::Compare => Ok(Text { what: "the comparison", content: comparison(session)? }),
        ScreenName::TradeOff => Ok(Text { what: "the trade-off", content: trade_off(session)? }),
        ScreenName::Lattice => Ok(Text { what: "the frontier", content: frontier(session)? }),
        ScreenName::Tables => {
            Err("rows of tables are never copied; the figures of the other screens are".to_owned())
        }
        _ => Ok(Text { what: "the figures of this release", content: release(session)? }),
    }
}

/// The verdict and the metrics of what an export would write.
fn release(session: &Session) -> Result<String, String> {
    let (place, release) = session.chosen()?;
    let (metrics, achieved) = (&release.metrics, release.achieved);
    let criteria = release.policy.criteria();
    let verdict = match (release.is_present(), criteria.is_empty()) {
        (true, true) => "δ-present".to_owned(),
        (true, false) => format!("δ-present with {criteria}"),
        (false, true) => "NOT δ-present".to_owned(),
        (false, false) => format!("NOT δ-present with {criteria}"),
    };
    let mut lines = vec![
        format!("{}: {}", session.analysis.name(), place_name(&place, session.delta())),
        format!("verdict: {verdict} for δ {} to {}", release.delta().min(), release.delta().max()),
        format!("achieved presence: {} to {}", achieved.min, achieved.max),
        format!("classes: {}, released {}", release.classes.classes.len(), release.released_classes()),
        format!("loss: {:.6}", metrics.loss.mean()),
        format!("loss, geometric: {:.6}", metrics.loss.geometric()),
        format!("discernibility: {}", metrics.discernibility),
        format!("average class size: {:.3}", metrics.average_class_size),
    ];
    for (quasi, loss) in session.problem.quasi().iter().zip(metrics.loss.by_attribute()) {
        lines.push(format!("loss of {}: {loss:.6}", quasi.name));
    }
    Ok(lines.join("\n") + "\n")
}

/// The comparison as a Markdown table.
fn comparison(session: &Session) -> Result<String, String> {
    let candidates = session.candidates();
    if candidates.is_empty() {
        return Err("nothing is counted yet".to_owned());
    }
    let delta = session.delta();
    let mut lines = vec![
        "| release | δ-present | classes | released | loss | discernibility | average class size | presence |".to_owned(),
        "|---|---|---:|---:|---:|---:|---:|---|".to_owned(),
    ];
    for candidate in &candidates {
        let release = &candidate.measured.release;
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} | {:.1} | {} to {} |",
            place_name(&candidate.place, delta),
            if candidate.measured.broken(session.problem.policy()) == 0 { "yes" } else { "no" },
            release.classes.classes.len(),
            release.released_classes(),
            text::loss(release.metrics.loss.mean()),
            release.metrics.discernibility,
            release.metrics.average_class_size,
            release.achieved.min,
            release.achieved.max
        ));
    }
    Ok(format!("δ {} to {}\n\n{}\n", delta.min(), delta.max(), lines.join("\n")))
}

/// What is measured of the trade-off, a row a δmax, as a Markdown table.
fn trade_off(session: &Session) -> Result<String, String> {
    let (sweep, min) = (&session.trade_off, session.delta().min());
    let strategies = sweep.strategies(min);
    if strategies.is_empty() {
        return Err("nothing is measured yet".to_owned());
    }
    let head: Vec<String> = strategies.iter().map(ToString::to_string).collect();
    let mut lines = vec![row("δmax", &head), row("---:", &vec!["---:".to_owned(); strategies.len()])];
    for delta in sweep.deltas(&session.problem) {
        let figures: Vec<String> = strategies
            .iter()
            .map(|&strategy| match sweep.figure(strategy, delta) {
                Figure::Open => String::new(),
                Figure::Nothing => "none".to_owned(),
                Figure::Loss(loss) => text::loss(loss),
            })
            .collect();
        lines.push(row(&delta.max().to_string(), &figures));
    }
    let heading =
        format!("{}: loss over δmax, δmin {min}; best with {ROUNDS} rounds", session.analysis.name());
    Ok(format!("{heading}\n\n{}\n", lines.join("\n")))
}

/// The nodes of the frontier by loss, as a Markdown table.
fn frontier(session: &Session) -> Result<String, String> {
    let map = session.lattice.ground()?;
    let quasi = session.problem.quasi();
    let names = quasi.iter().map(|quasi| text::safe(&quasi.name).replace('|', "\\|"));
    let mut lines = vec![
        row("node", &names.chain(["loss".to_owned()]).collect::<Vec<_>>()),
        row("---", &vec!["---:".to_owned(); quasi.len() + 1]),
    ];
    for place in map.frontier().take(MOST_ROWS) {
        let node = map.node(place);
        let loss = text::loss(map.loss(place));
        lines.push(row(
            &node.to_string(),
            &node.levels().iter().map(ToString::to_string).chain([loss]).collect::<Vec<_>>(),
        ));
    }
    let more = map.frontier_len().saturating_sub(MOST_ROWS);
    if more > 0 {
        lines.push(format!("\n{more} more lose more than these"));
    }
    let delta = session.delta();
    let (all, open) = (map.len(), map.open(0..map.len()));
    let known = if map.is_whole() {
        format!("{} of {all} nodes keep it", map.passing(0..all))
    } else {
        format!(
            "{} of {all} nodes are known to keep it; CHECKING WAS STOPPED with {open} nodes open",
            map.passing(0..all)
        )
    };
    let heading = format!(
        "{}: the frontier for δ {} to {}, {known}",
        session.analysis.name(),
        delta.min(),
        delta.max()
    );
    Ok(format!("{heading}\n\n{}\n", lines.join("\n")))
}

/// A row of a Markdown table.
fn row(first: &str, rest: &[String]) -> String {
    format!("| {first} | {} |", rest.join(" | "))
}

/// Hands a text to tmux, which passes it on to the terminal's clipboard.
pub(crate) fn to_tmux(jobs: &Jobs, text: Text) {
    jobs.start(JobName::Copy, move |sender| {
        let copied = load_buffer(&text.content);
        let said = match copied {
            Ok(()) => format!("{}: in tmux's buffer, and in the clipboard where tmux may set it", text.what),
            Err(error) => format!("tmux did not take it: {error}"),
        };
        let _ = sender.send(Message::Copied(said));
    });
}

fn load_buffer(content: &str) -> std::io::Result<()> {
    let mut tmux = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = tmux.stdin.take() {
        stdin.write_all(content.as_bytes())?;
    }
    let status = tmux.wait()?;
    if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("it ended with {status}"))) }
}

/// Writes a text to a new file beside where palmtop was started, for nobody else to read.
pub(crate) fn to_file(jobs: &Jobs, text: Text) {
    jobs.start(JobName::Copy, move |sender| {
        let names = (1_u64..).map(|number| PathBuf::from(format!("palmtop-figures-{number}.txt")));
        let mut gate = Gate::default();
        let said = match gate.put_new(names, text.content.as_bytes()) {
            Ok(path) => format!("{}: written to {}", text.what, path.display()),
            Err(error) => format!("{} could not be written here: {}", text.what, chain(&error)),
        };
        let removed = said_of_removed(&gate.take_removed());
        let said = removed.map_or(said.clone(), |removed| format!("{said}; {removed}"));
        let _ = sender.send(Message::Copied(said));
    });
}
