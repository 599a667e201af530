//! `check`, `classes` and `anonymize` of a project in which people have several rows (`role = "entity"`): everything is counted in people.
//!
//! `verify` needs nothing of its own; whatever else takes T's rows refuses such a project, since it would count a row for a person.

mod anonymize;
mod check;
mod classes;

use std::path::Path;

use palmtop::metrics::Metric;
use palmtop::model::{EntityClasses, Presence, Verdict};
use palmtop::pipeline::{EntityAnalysis, EntityFound, Overrides};
use palmtop::project::Project;
use palmtop::search::{StopReason, Strategy};

use super::args::{Minimized, SearchArguments};
use super::load::{Plan, ProjectFile};
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output;
use palmtop_console::output::short;
use palmtop_console::progress::ProgressLine;
use palmtop_console::status::Usage;

pub(super) use anonymize::{anonymize, run_again};
pub(super) use check::check;
pub(super) use classes::classes;

/// Whether people have several rows in a project: in no built-in one. One that cannot be read says why where it is loaded.
pub(super) fn are_in(typed: &str) -> bool {
    let project = (!typed.starts_with('@')).then(|| Project::read(Path::new(typed)).ok()).flatten();
    project.is_some_and(|project| project.entity().is_some())
}

/// Loads a project in which people have several rows, with a line of progress.
fn load(typed: &str, overrides: &Overrides, interrupt: Option<Interrupt>) -> anyhow::Result<EntityAnalysis> {
    let file = ProjectFile::find(typed)?;
    let mut progress = ProgressLine::start("loading", None).with_interrupt(interrupt);
    let observe = &mut |stage| progress.observe_stage(&stage);
    Ok(EntityAnalysis::load_watched(&file.path, overrides, observe)?)
}

/// Runs SPALM with a line of progress and perhaps a time limit.
fn search(
    analysis: &EntityAnalysis,
    strategy: Strategy,
    plan: &Plan,
    interrupt: Option<Interrupt>,
) -> EntityFound {
    let limit = plan.limit_of(strategy);
    let mut progress = ProgressLine::start(&strategy.to_string(), limit).with_interrupt(interrupt);
    let found = analysis.search(&plan.config, &mut |step| progress.observe(step));
    if progress.timed_out { found.timed_out() } else { found }
}

/// Refuses what is said on the command line and is for rows alone.
fn refuse(refused: &[(bool, &str)]) -> Result<(), Usage> {
    match refused.iter().find(|(is_said, _)| *is_said) {
        Some((_, what)) => Err(Usage(format!(
            "{what}: people have several rows in this project (`role = \"entity\"`), and this is for people with one"
        ))),
        None => Ok(()),
    }
}

/// Refuses every strategy but SPALM.
fn only_spalm(strategy: Option<Strategy>) -> Result<(), Usage> {
    match strategy {
        Some(other) if other != Strategy::Spalm => Err(Usage(format!(
            "{other}: people have several rows in this project (`role = \"entity\"`), and only spalm searches among their classes"
        ))),
        _ => Ok(()),
    }
}

/// The rows that each person of a class has, as somebody reads them: `(17***, [40, 50)) ×2 · (42***, [40, 50))`.
fn rows_of(analysis: &EntityAnalysis, classes: &EntityClasses, class: u32) -> String {
    let rows = classes.rows(class).chunk_by(|left, right| left == right);
    let text = |rows: &[u32]| {
        let labels = analysis.row_texts(classes.of_rows(), rows[0]).join(", ");
        let times = if rows.len() > 1 { format!(" ×{}", rows.len()) } else { String::new() };
        format!("({labels}){times}")
    };
    rows.map(text).collect::<Vec<_>>().join(" · ")
}

/// Refuses a measure that is counted of classes of rows, or of queries.
fn refuse_metric(arguments: &SearchArguments) -> Result<(), Usage> {
    let metric = arguments.metric.metric;
    refuse(&[
        (metric == Minimized::Metric(Metric::Discernibility), "--metric discernibility"),
        (metric == Minimized::QueryError, "--metric query_error"),
    ])
}

/// Why there is no release.
fn explain_none(analysis: &EntityAnalysis, stop: StopReason) -> String {
    match stop {
        StopReason::Infeasible => why_infeasible(analysis),
        StopReason::TooLarge { nodes, limit } => format!(
            "nothing was searched: the lattice has {nodes} nodes, and of people with several rows at most {limit} are gone through; make it \
             smaller by `levels` or `keep` under [[attribute]]"
        ),
        _ => format!("no δ-present release was found ({})", stop.as_str()),
    }
}

/// Why no node keeps what is enforced, by the worst class of the coarsest: whatever is published of rows, people are told apart by how many
/// they have.
fn why_infeasible(analysis: &EntityAnalysis) -> String {
    let problem = analysis.problem();
    let (node, policy) = (problem.rows().lattice().top(), problem.policy());
    let classes = problem.classes(&node);
    let worst = classes.worst_first(policy).into_iter().find(|&class| !policy.allows(classes.data(class)));
    let Some(class) = worst else { return "infeasible".to_owned() };
    let data = classes.data(class);
    let counts = data.counts();
    let broken = match policy.judge(data) {
        Verdict::Breaks(criterion) => format!("`{criterion}` under [policy]"),
        _ => format!("δ = {}", policy.delta()),
    };
    let people = if counts.public == 1 { "person has" } else { "people have" };
    let what = format!(
        "infeasible: at {node}, the coarsest node, {} {people} the rows {}, {} of them in T, presence {}, which breaks {broken}",
        counts.public,
        output::shown(&rows_of(analysis, &classes, class)),
        counts.private,
        as_both(counts.presence()),
    );
    let remedy = if problem.rows().levels_reach_the_top() {
        "whatever is published of rows, it shows how many a person has: merge or drop rows in both tables until people have like numbers, \
         or ask for less"
    } else {
        "`levels` and `keep` permit no coarser one: permit coarser levels, merge or drop rows in both tables until people have like numbers, \
         or ask for less"
    };
    format!("{what}; {remedy}")
}

/// `2/5 = 0.4000`.
fn as_both(presence: Presence) -> String {
    format!("{presence} = {}", short(presence.to_f64()))
}
