//! `audit`: what a strategy's release tells an adversary who knows the algorithm.

use std::path::Path;

use anyhow::Context;
use palmtop::data::input;
use palmtop::model::{Delta, Problem};
use palmtop::release::KnowsAlgorithm;
use palmtop::search::{Audit, AuditConfig, AuditMethod, Beyond, Strategy, audit, is_transcript};
use serde_json::json;

use super::args::{AuditArguments, Format};
use super::interrupt::Interrupt;
use super::load::{self, Plan};
use super::output;
use super::progress::ProgressLine;
use super::result::explain_none;
use super::status::{Status, Usage};
use super::{delivery, say};

/// Runs the command: it ends well whatever is found, for it informs.
pub(super) fn run(arguments: &AuditArguments) -> anyhow::Result<Status> {
    if arguments.format == Format::Csv {
        return Err(Usage("audit prints a table or JSON".to_owned()).into());
    }
    let strategy = arguments.strategy;
    if arguments.transcript.is_some() && strategy != Strategy::Simulatable {
        return Err(
            Usage("--transcript goes with --strategy simulatable: no other has one".to_owned()).into()
        );
    }
    let interrupt = Interrupt::watch()?;
    let plan = Plan::of(&arguments.search, &[strategy])?;
    let (analysis, _file) = load::analysis(&arguments.project, &(&arguments.delta).into())?;
    let problem = analysis.problem();
    let found = load::search(&analysis, problem, strategy, &plan, Some(interrupt.clone()));
    if interrupt.is_asked() {
        return Ok(delivery::stopped(&interrupt));
    }
    let Some(release) = found.release else {
        say::message(&explain_none(problem, found.report.stop));
        return Ok(Status::NotPresent);
    };
    let how = AuditConfig { seed: plan.config.seed, draws: arguments.draws };
    let mut progress = ProgressLine::start("audit", None).with_interrupt(Some(interrupt.clone()));
    let audited =
        audit(problem, strategy, &release.recoding, (&plan.config, how), &mut |step| progress.observe(step));
    drop(progress);
    let Some(audited) = audited else { return Ok(delivery::stopped(&interrupt)) };
    let transcript = arguments.transcript.as_deref().map(|path| replays(problem, path)).transpose()?;
    match arguments.format {
        Format::Json => output::print_json(&json!({
            "strategy": strategy.to_string(),
            "delta": {"min": problem.delta().min().to_string(), "max": problem.delta().max().to_string()},
            "knows_algorithm": as_json(&audited),
            "transcript": transcript,
        }))?,
        Format::Table | Format::Csv => output::print(&lines(strategy, problem.delta(), &audited))?,
    }
    if let (Some(is_own), Some(path)) = (transcript, &arguments.transcript) {
        let said =
            if is_own { "its answers alone bring up its questions" } else { "NOT of this project and δ" };
        say::message(&format!("{}: {said}", path.display()));
    }
    Ok(Status::Done)
}

/// Whether a transcript is of this problem.
fn replays(problem: &Problem, path: &Path) -> anyhow::Result<bool> {
    let bytes =
        input::read(path, input::MOST_TEXT).with_context(|| format!("cannot read {}", path.display()))?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is not UTF-8", path.display()))?;
    is_transcript(problem, text).with_context(|| format!("{} is no transcript", path.display()))
}

fn as_json(audit: &Audit) -> serde_json::Value {
    let verdict = match audit.method {
        AuditMethod::Replayed => KnowsAlgorithm::Exact.as_str(),
        AuditMethod::EveryTable | AuditMethod::RejectedCuts => "audited",
        AuditMethod::None => KnowsAlgorithm::NotAudited.as_str(),
    };
    let beyond = |count: u64| (audit.method != AuditMethod::None).then_some(count);
    json!({
        "verdict": verdict,
        "beyond": beyond(audit.beyond.people),
        "beyond_members": beyond(audit.beyond.members),
        "doubtful": beyond(audit.beyond.doubtful),
        "beyond_regions": beyond(audit.beyond.regions),
        "worst": audit.worst.map(|(worst, _)| worst),
        "regions": audit.regions,
        "exact": audit.exact,
        "sampled": audit.sampled,
        "not_sampled": audit.too_rare,
        "with_cut": audit.with_cut,
    })
}

/// What was found in words; it never says that a release is safe but where that is proved.
fn lines(strategy: Strategy, delta: Delta, audit: &Audit) -> String {
    let head = format!("audit   {strategy}, δ {} to {}", delta.min(), delta.max());
    let released = format!("{} released regions, {} people", audit.regions, audit.people);
    let beyond = || {
        let found = audit.beyond;
        let counted = if found.people == 0 {
            "beyond  none found".to_owned()
        } else {
            format!("beyond  at least {} people ({} of them members) outside δ", found.people, found.members)
        };
        let errors = Beyond::ERRORS;
        let doubtful = format!("; {} more by fewer than {errors} standard errors", found.doubtful);
        counted + if found.doubtful > 0 { &doubtful } else { "" }
    };
    let worst = || {
        audit
            .worst
            .map_or_else(String::new, |(worst, people)| format!("worst   {worst:.4} ({people} people)\n"))
    };
    match audit.method {
        AuditMethod::Replayed => format!(
            "{head}, {released}\nexact   the answers alone make this release again, and every answer that was possible leaves \
             everybody within δ\n"
        ),
        AuditMethod::EveryTable => {
            let found = audit.beyond;
            let said = if found.people == 0 {
                "beyond  nobody: of all T that give this release".to_owned()
            } else {
                format!("beyond  {} people ({} of them members) outside δ", found.people, found.members)
            };
            format!("{head}\n        every possible T was run\n{said}\n{}", worst())
        }
        AuditMethod::RejectedCuts => {
            let rare = if audit.too_rare > 0 {
                format!(", {} too rare to sample: {} members", audit.too_rare, audit.too_rare_members)
            } else {
                String::new()
            };
            let with_cut = if audit.with_cut > 0 {
                format!(", {} not tested: they have a valid cut left", audit.with_cut)
            } else {
                String::new()
            };
            format!(
                "{head}, {released}\n        given that each region's cuts were all rejected ({} regions exact, {} \
                 sampled{rare}{with_cut})\n{}\n{}        this uses one event for each region; an adversary may learn more. \
                 --strategy simulatable rules it out.\n",
                audit.exact,
                audit.sampled,
                beyond(),
                worst(),
            )
        }
        AuditMethod::None => {
            format!("{head}\n        not audited: there is no audit of {strategy} on a table of this size\n")
        }
    }
}
