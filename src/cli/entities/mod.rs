//! `check`, `classes` and `anonymize` of a project in which people have several rows (`role = "entity"`): everything is counted in people.
//!
//! `verify` needs nothing of its own; every other command refuses such a project, since it would count a row for a person.

mod anonymize;
mod check;
mod classes;

use palmtop::metrics::Metric;
use palmtop::model::{EntityClasses, Presence};
use palmtop::pipeline::{EntityAnalysis, Overrides, PipelineError};
use palmtop::project::Project;
use palmtop::search::{StopReason, Strategy};

use super::interrupt::Interrupt;
use super::load::{Plan, ProjectFile};
use super::output;
use super::output::short;
use super::progress::ProgressLine;
use super::result::MaybeBounds;
use super::status::Usage;

pub(super) use anonymize::anonymize;
pub(super) use check::check;
pub(super) use classes::classes;

/// Whether people have several rows in a project. One that cannot be read says why where it is loaded.
pub(super) fn are_in(typed: &str) -> bool {
    let project = ProjectFile::find(typed).ok().and_then(|file| Project::read(&file.path).ok());
    project.is_some_and(|project| project.entity().is_some())
}

/// Loads a project in which people have several rows, with a line of progress.
fn load(
    typed: &str,
    overrides: &Overrides,
    interrupt: Option<Interrupt>,
) -> anyhow::Result<Result<EntityAnalysis, PipelineError>> {
    let file = ProjectFile::find(typed)?;
    let mut progress = ProgressLine::start("loading", None).with_interrupt(interrupt);
    let loaded =
        EntityAnalysis::load_watched(&file.path, overrides, &mut |stage| progress.observe_stage(&stage));
    Ok(loaded)
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

/// Refuses a measure that is counted of classes of rows.
fn refuse_metric(plan: &Plan) -> Result<(), Usage> {
    refuse(&[(plan.config.metric == Metric::Discernibility, "--metric discernibility")])
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

/// Why no node keeps what is enforced: people are told apart by how many rows they have, whatever is published of these.
fn why_infeasible(analysis: &EntityAnalysis) -> String {
    let problem = analysis.problem();
    let (node, policy) = (problem.rows().lattice().top(), problem.policy());
    let classes = problem.classes(&node);
    let worst = classes.worst_first(policy).into_iter().find(|&class| !policy.allows(classes.data(class)));
    let Some(class) = worst else { return "nothing was found".to_owned() };
    let counts = classes.data(class).counts();
    let rows = match classes.rows(class).len() {
        1 => "1 row".to_owned(),
        rows => format!("{rows} rows"),
    };
    format!(
        "infeasible: at {node}, the coarsest node, {} of the {} people who have {rows} ({}) are in T, presence {}, which breaks δ = {} or \
         what is enforced beside it; whatever is published of rows, it shows how many a person has: merge or drop rows in both tables \
         until people have like numbers, or take a higher δmax",
        counts.private,
        counts.public,
        output::shown(&rows_of(analysis, &classes, class)),
        as_both(counts.presence()),
        policy.delta()
    )
}

/// `2/5 = 0.4000`.
fn as_both(presence: Presence) -> String {
    format!("{presence} = {}", short(presence.to_f64()))
}

fn span(min: Presence, max: Presence) -> MaybeBounds {
    MaybeBounds { min: Some(min.to_string()), max: Some(max.to_string()) }
}
