//! `anonymize --step`: makes the release of a step of the history again.

use std::path::Path;

use palmtop::compatibility::{Command, Feature};
use palmtop::history::{
    self, Draft, History, Recipe, RecodingRecipe, ReplayError, Replayed, Search, Sitting, StepName,
};
use palmtop::metrics::Metric;
use palmtop::model::Delta;
use palmtop::pipeline::{Overrides, PipelineError};
use palmtop::project::Project;

use super::args::StepArgument;
use super::delivery::Delivery;
use super::load::{self, ProjectFile};
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
use palmtop_console::result::{Made, Searched};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

pub(super) fn run(project: &str, typed: StepArgument, delivery: &Delivery) -> anyhow::Result<Status> {
    let interrupt = Interrupt::watch()?;
    let file = ProjectFile::find(project)?;
    let history = match delivery.history {
        Some(path) => history::read(path)?,
        None => history::of_project(&file.path)?,
    };
    let (name, sitting) = find(&history, typed)?;
    let step = &sitting.steps()[name.step];
    check_files(sitting, &file.path)?;
    check_delta(&file.path, name.step, step.delta, delivery.accepted.looser_delta())?;
    let overrides = Overrides { delta_min: Some(step.delta.min()), delta_max: Some(step.delta.max()) };
    let asked: Vec<Feature> =
        std::iter::once(Feature::Command(Command::Anonymize)).chain(delivery.asked()).collect();
    let analysis = match load::watched((&file, &overrides), &asked, Some(interrupt.clone())) {
        Err(PipelineError::Cancelled) => return Ok(interrupt.stopped()),
        loaded => loaded?,
    };
    delivery.check_inputs(&analysis)?;
    let Replayed { release, seconds } = {
        let mut progress =
            ProgressLine::start(&step.recoding.to_string(), None).with_interrupt(Some(interrupt.clone()));
        match history::release(&analysis, sitting, name.step, &mut |step| progress.observe(step)) {
            Err(ReplayError::Cancelled) => {
                drop(progress);
                return Ok(interrupt.stopped());
            }
            replayed => replayed?,
        }
    };
    let problem = analysis.problem();
    let search = search_of(&step.recoding);
    let searched = Searched {
        metric: search.map_or(Metric::default(), |search| search.metric),
        seed: search.map_or(0, |search| search.seed),
        report: release.search,
        budget: None,
        seconds,
    };
    let origin = release.origin.name();
    let made = Made {
        taken_from: search.map(|search| search.delta).filter(|delta| *delta != step.delta),
        decisions: sitting.decisions(),
        ..Made::new(&origin, &analysis, problem, Some(&release), searched)
    };
    let draft = Draft {
        recipe: Recipe::of(step.recoding.clone()),
        reason: sitting.given_reason_of(step.delta).map(ToString::to_string),
        // The step of another history has no name in this one.
        step: delivery.history.is_none().then_some(name),
        accepted: Vec::new(),
    };
    delivery.deliver(&release, &made, draft, None, &interrupt)
}

/// The step of the history, with its sitting.
fn find(
    history: &History,
    StepArgument { sitting, step }: StepArgument,
) -> Result<(StepName, &Sitting), Usage> {
    let count = history.sittings.len();
    let index = sitting.unwrap_or(count).checked_sub(1).filter(|index| *index < count);
    let Some(index) = index else {
        return Err(Usage(match (count, sitting) {
            (0, _) => "the history has no sitting on the workbench, so no step".to_owned(),
            (1, _) => "there is one sitting in the history: give the step alone".to_owned(),
            (_, number) => {
                format!("there is no sitting {}: the sittings are 1 to {count}", number.unwrap_or(0))
            }
        }));
    };
    let found = &history.sittings[index];
    if step >= found.steps().len() {
        let last = found.steps().len() - 1;
        return Err(Usage(ReplayError::NoSuchStep { step, last }.to_string()));
    }
    Ok((StepName { sitting: index, step }, found))
}

/// Refuses if an input has changed since the step.
fn check_files(sitting: &Sitting, project: &Path) -> Result<(), ReplayError> {
    let paths = sitting.changed_files(project);
    if !paths.is_empty() {
        return Err(ReplayError::InputsChanged { paths });
    }
    if sitting.palmtop != env!("CARGO_PKG_VERSION") {
        say::message(&format!(
            "palmtop {} made the step; this is palmtop {}, and its searches may find another release",
            sitting.palmtop,
            env!("CARGO_PKG_VERSION")
        ));
    }
    Ok(())
}

/// Refuses a step under a looser δ than the project's, unless it is accepted with a reason.
/// Anybody may have edited a history; the project's δ is binding.
fn check_delta(project: &Path, step: usize, delta: Delta, accepted: Option<&str>) -> anyhow::Result<()> {
    let Some(project) = Project::read(project)?.looser(delta) else { return Ok(()) };
    if accepted.is_none() {
        return Err(ReplayError::LooserDelta { step, delta, project }.into());
    }
    say::message(&format!(
        "step {step} is judged under δ {delta}, which is looser than the project's {project}"
    ));
    Ok(())
}

fn search_of(recipe: &RecodingRecipe) -> Option<&Search> {
    match recipe {
        RecodingRecipe::Node(_) => None,
        RecodingRecipe::Search(search) => Some(search),
    }
}
