//! `palmtop-experiment` repeats section 7 of the paper (Nergiz, Atzori, Clifton 2007) on any
//! project. It writes tables, charts and files, and a verdict on each of the paper's claims.

mod baseline;
mod method;
mod measure;
mod grid;
mod runs;
mod figure;
mod chart;
mod arguments;
mod claims;
mod files;

use std::process::ExitCode;

use clap::Parser;
use palmtop_console::answer::Answer;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output::shown;
use palmtop_console::project_file::{self, ProjectFile};
use palmtop_console::result::explain_none;
use palmtop_console::status::{Status, Usage};
use palmtop_console::{say, start};
use palmtop_core::model::{Delta, Presence, Suppression};
use palmtop_project::Project;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::columns::Table;
use palmtop_release::pipeline::{Analysis, Overrides};
use palmtop_search::{Config, StopReason};
use serde::Serialize;
use serde_json::{Value, json};

use self::arguments::ExperimentArguments;
use self::claims::Claim;
use self::figure::Figure;
use self::files::Folder;
use self::grid::Grid;
use self::measure::Measure;
use self::method::Method;
use self::runs::Run;
use palmtop_release::chart::{Bound, Sweep};

fn main() -> ExitCode {
    start::run(program, |error| if error.is::<Usage>() { Status::Usage } else { Status::Error })
}

/// Reads the command line and runs the experiment.
fn program() -> anyhow::Result<Status> {
    match ExperimentArguments::try_parse() {
        Ok(arguments) => run(&arguments),
        Err(answer) => start::answered(&answer),
    }
}

/// All runs, their numbers by sweep, and the judged claims.
struct Experiment {
    project: String,
    /// The project, its tables and the configuration, as text.
    heading: String,
    runs: Vec<Run>,
    over_max: Grid,
    over_min: Grid,
    claims: Vec<Claim>,
}

fn run(arguments: &ExperimentArguments) -> anyhow::Result<Status> {
    let mut folder =
        arguments.output.as_deref().map(|path| Folder::claim(path, arguments.force)).transpose()?;
    let (analysis, _file) = project_file::analysis(
        &arguments.project,
        &overrides(arguments)?,
        &[Feature::Command(Command::Experiment)],
    )?;
    if let Some(folder) = &mut folder {
        folder.guard(&analysis)?;
    }
    let plan = Plan::of(arguments, &analysis)?;
    for delta in plan.deltas() {
        // The paper's experiments withdraw no member.
        let problem = analysis.problem().with_delta(delta).with_suppression(Suppression::NONE);
        if !problem.feasibility().holds() {
            say::message(&format!("{}; nothing was run", explain_none(&problem, StopReason::Infeasible)));
            return Ok(Status::NotPresent);
        }
    }
    let interrupt = Interrupt::watch()?;
    let Some(experiment) = plan.run(&analysis, &interrupt) else {
        return Ok(stopped(&interrupt, "nothing was written"));
    };
    if let Some(mut folder) = folder {
        let Some(count) = folder.write(&experiment, &interrupt)? else {
            return Ok(stopped(&interrupt, "some files were not written"));
        };
        say::line(&format!("{}: {count} files written", folder.path().display()));
    }
    experiment.print(arguments.format)?;
    Ok(Status::Done)
}

fn stopped(interrupt: &Interrupt, what: &str) -> Status {
    say::message(&format!("stopped by a signal; {what}"));
    interrupt.signal().map_or(Status::Error, Status::Signal)
}

/// Overrides δmax for a project without one: by the greatest δmax of `--delta-max`, if given.
fn overrides(arguments: &ExperimentArguments) -> anyhow::Result<Overrides> {
    if arguments.delta_max.is_empty() {
        return Ok(Overrides::default());
    }
    let file = ProjectFile::find(&arguments.project)?;
    let has_delta = Project::read(&file.path).is_ok_and(|project| project.delta_max.is_some());
    let delta_max = arguments.delta_max.iter().copied().max().filter(|_| !has_delta);
    Ok(Overrides { delta_min: None, delta_max })
}

/// The sweeps and methods of an experiment.
struct Plan {
    over_max: (Sweep, Vec<Delta>),
    over_min: (Sweep, Vec<Delta>),
    methods: Vec<Method>,
    config: Config,
}

impl Plan {
    fn of(arguments: &ExperimentArguments, analysis: &Analysis) -> anyhow::Result<Self> {
        let problem = analysis.problem();
        let share = problem.total().presence();
        let sweep = |bound, asked: &[Presence]| {
            let sweep = Sweep::new(bound, problem.delta(), share, asked);
            let deltas = sweep.deltas().map_err(|error| Usage(error.to_string()))?;
            Ok::<_, Usage>((sweep, deltas))
        };
        let mut methods: Vec<Method> = Vec::new();
        for method in arguments.strategies.iter().copied() {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        if methods.is_empty() {
            methods = Method::all().collect();
        }
        Ok(Self {
            over_max: sweep(Bound::Max, &arguments.delta_max)?,
            over_min: sweep(Bound::Min, &arguments.delta_min)?,
            methods,
            config: Config {
                metric: arguments.metric,
                seed: arguments.seed,
                rounds: Some(arguments.rounds),
                opening: None,
            },
        })
    }

    /// The δ of the first sweep, then those of the second.
    fn deltas(&self) -> Vec<Delta> {
        [self.over_max.1.as_slice(), self.over_min.1.as_slice()].concat()
    }

    fn run(&self, analysis: &Analysis, interrupt: &Interrupt) -> Option<Experiment> {
        let runs = runs::run_all(analysis, &self.deltas(), &self.methods, &self.config, interrupt)?;
        let grid = |(sweep, deltas): &(Sweep, Vec<Delta>)| runs::grid(sweep, deltas, &self.methods, &runs);
        let (over_max, over_min) = (grid(&self.over_max), grid(&self.over_min));
        let claims = claims::judge(&over_max, &over_min);
        let heading = self.heading(analysis);
        Some(Experiment { project: analysis.name().to_owned(), heading, runs, over_max, over_min, claims })
    }

    /// The heading of the text output: the project, its tables and the configuration.
    fn heading(&self, analysis: &Analysis) -> String {
        let problem = analysis.problem();
        let total = problem.feasibility().total;
        let empty = match problem.empty_regions() {
            palmtop_core::model::EmptyRegions::Allow => "allowed",
            palmtop_core::model::EmptyRegions::Forbid => "forbidden",
        };
        let mut text = format!(
            "{}\n{} of {} people are private: |T|/|P| = {:.6}\n\
             {} quasi-identifiers, {} distinct combinations\n\
             empty regions {empty}; criteria beside δ: {}; metric {}\n",
            shown(analysis.name()),
            total.private,
            total.public,
            problem.total().presence().to_f64(),
            problem.quasi().len(),
            problem.histogram().len(),
            problem.policy().criteria(),
            self.config.metric.name(),
        );
        for method in self.methods.iter().filter(|method| method.draws()) {
            let (rounds, seed) = (self.config.rounds.unwrap_or_default(), self.config.seed);
            text.push_str(&format!("{method}: {rounds} rounds, seed {seed}\n"));
        }
        text
    }
}

impl Answer for Experiment {
    /// The heading, each figure, then the claims.
    fn text(&self) -> String {
        format!("{}\n{}", self.heading, self.figures())
    }

    fn table(&self) -> Table {
        runs::table(&self.runs)
    }

    fn object(&self) -> impl Serialize {
        let runs: Vec<Value> = self.runs.iter().map(Run::object).collect();
        json!({ "runs": runs, "claims": self.claims })
    }
}

impl Experiment {
    fn grid(&self, bound: Bound) -> &Grid {
        match bound {
            Bound::Min => &self.over_min,
            Bound::Max => &self.over_max,
        }
    }

    /// Each figure, then the claims.
    fn figures(&self) -> String {
        let mut text = String::new();
        for figure in Figure::ALL {
            let grid = self.grid(figure.bound);
            let (Some(table), Some(chart)) = (figure.table(grid), chart::chart(figure, grid)) else {
                continue;
            };
            text.push_str(&format!("── {}, {}\n\n", figure.title(grid), figure.origin()));
            text.push_str(&format!("{table}\n{chart}\n"));
            if let (Measure::Loss, Some(charts)) = (figure.measure, chart::nine_charts(figure, grid)) {
                text.push_str(&format!("{charts}\n"));
            }
        }
        text.push_str(&claims::text(&self.claims));
        text
    }
}
