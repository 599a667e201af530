//! Rebuilds a report from the project, the release and the neighbouring files, for the comparison
//! in `verify --report`.

use std::path::Path;

use palmtop::caution::{AlgorithmKnowledge, ReleaseFile};
use palmtop::compatibility::{Command, Feature};
use palmtop::data::read::hash_file;
use palmtop::metrics::Metric;
use palmtop::model::{Delta, Level, Node, Problem};
use palmtop::pipeline::{self, Analysis, ReadRelease};
use palmtop::release::{KnowsAlgorithm, Release};
use palmtop::report::{self, Comparison, RecipientReport, Report, ReportKind, ReportRequest, Reported};
use palmtop::session::Moment;
use palmtop::verify::Findings;
use serde_json::Value;

use super::args::{BoundArgument, Reader};
use super::cautions;
use super::delivery::report_value;
use super::load;
use super::registered::Judged;
use super::report::of_pipeline;
use super::verify::Basis;
use super::verify::VerifyArguments;
use palmtop_console::result::{KnowsAlgorithmResult, OutsiderCounts, RunFacts, RunResult};

/// Rebuilds a report and compares it with the given one.
pub(super) fn hold(
    arguments: &VerifyArguments,
    judged: &Judged,
    basis: &mut Basis,
    reported: &Reported,
) -> anyhow::Result<Comparison> {
    let (project, release, overrides) = (&arguments.project, arguments.release.as_path(), judged.overrides);
    let (findings, sha256) = (basis.recount().findings.clone(), basis.recount().sha256.clone());
    let (analysis, read) = basis.load(project, &overrides, release)?;
    let recounted = (&findings, read, sha256);
    let found = match reported.kind() {
        ReportKind::Run => Again::new(analysis, (release, findings.rows), read).report(reported.value())?,
        ReportKind::Signer => {
            serde_json::to_value(made((arguments, reported), analysis, recounted, Reader::Signer)?)?
        }
        ReportKind::Recipient => {
            let report = made((arguments, reported), analysis, recounted, Reader::Recipient)?;
            serde_json::to_value(RecipientReport::of(&report))?
        }
    };
    Ok(reported.against(&found))
}

fn made(
    (arguments, reported): (&VerifyArguments, &Reported),
    analysis: &Analysis,
    (findings, read, sha256): (&Findings, Option<&ReadRelease>, String),
    reader: Reader,
) -> anyhow::Result<Report> {
    analysis.check(&[Feature::Command(Command::Report)])?;
    let stakes = reported.stakes();
    let asked = ReportRequest {
        project: &arguments.project,
        release: &arguments.release,
        delta: analysis.problem().delta(),
        session: arguments.evidence.session.as_deref(),
        found_session: arguments.evidence.found_session(reader),
        run: arguments.evidence.run.as_deref(),
        stakes: stakes.as_ref(),
        at: Moment::now(),
    };
    Report::of_recounted(analysis, &asked, (findings, read), &sha256).map_err(of_pipeline)
}

/// Rebuilds the run report of `anonymize --report` from the file alone. Facts about the search
/// cannot be recounted: they are copied from the report.
struct Again<'a> {
    analysis: &'a Analysis,
    path: &'a Path,
    rows: u64,
    read: Option<&'a ReadRelease>,
    /// The basis of the cautions, once a report needed it.
    basis: Option<cautions::Basis>,
}

impl<'a> Again<'a> {
    fn new(analysis: &'a Analysis, (path, rows): (&'a Path, u64), read: Option<&'a ReadRelease>) -> Self {
        Self { analysis, path, rows, read: read.filter(|read| read.is_faithful()), basis: None }
    }

    fn report(&mut self, run: &Value) -> anyhow::Result<Value> {
        let Self { analysis, path, rows, read, .. } = *self;
        let problem = analysis.problem();
        let recovered = read.and_then(|read| recovered(analysis, read, run));
        let metric = run["metric"].as_str().unwrap_or_default();
        let has_bound = !run["bound"].is_null() && analysis.check(&[Feature::Bound]).is_ok();
        let facts = RunFacts {
            metric: Metric::ALL.into_iter().find(|known| known.name() == metric).unwrap_or_default(),
            report: None,
            bound: load::bound(problem, BoundArgument { bound: has_bound }, None),
            seed: run["seed"].as_u64().unwrap_or_default(),
            seconds: None,
            load_seconds: analysis.load_seconds(),
            outsiders: OutsiderCounts::of(analysis),
            entity: analysis.entity(),
        };
        let strategy = run["strategy"].as_str().unwrap_or_default().to_owned();
        let mut result = RunResult::new(strategy, problem, recovered.as_ref(), facts);
        result.note_pseudonyms(&pipeline::pseudonyms::notes(analysis));
        let exact = |read| report::exact_again(analysis, run, problem.delta(), read);
        let exact = read.map(exact).transpose()?;
        let known = exact.map(|exact| known(run, exact));
        if let (Some(release), Some(known)) = (&recovered, known) {
            // The result of an audit cannot be recounted: it is copied from the report.
            let audited = || AlgorithmKnowledge::Audited(run["knows_algorithm"]["beyond"].as_u64());
            let algorithm = known.map_or_else(audited, AlgorithmKnowledge::from);
            let sha256 = hash_file(path)?;
            let file = ReleaseFile { file: Some(path), sha256: Some(&sha256), session: None };
            let basis = match &mut self.basis {
                Some(basis) => basis,
                none => none.insert(cautions::Basis::of(analysis, file)?),
            };
            let accepted = cautions::accepted_of(run);
            let judged = basis.judge_as(analysis, release, (algorithm, exact.flatten()), &accepted);
            result.note_cautions(&judged.headline, &judged.cautions);
        }
        let mut found = report_value(analysis, &result, path, rows)?;
        if let Some(known) = known {
            found["knows_algorithm"] = match known {
                Some(known) => serde_json::to_value(KnowsAlgorithmResult::from(known))?,
                // The result of an audit is copied from the report.
                None => run["knows_algorithm"].clone(),
            };
        }
        if run["node"].is_null() && recovered.is_some() {
            // A release does not show the regions without members, so their count is copied.
            found["classes"] = run["classes"].clone();
        }
        Ok(found)
    }
}

/// Rebuilds the release at the report's node, or by regions if the report names no node. If the
/// file does not match that, the classes are derived from its rows.
fn recovered(analysis: &Analysis, read: &ReadRelease, run: &Value) -> Option<Release> {
    let problem = analysis.problem();
    let node = run_node(problem, run);
    let is_known = node.is_some() || !run["node"].is_array();
    let as_named = is_known.then(|| pipeline::recovered::of_node(problem, read, node)).flatten();
    as_named.or_else(|| pipeline::recovered::of_file(problem, read))
}

/// The node of a run report; `None` if it names no node, or a node outside the lattice.
fn run_node(problem: &Problem, run: &Value) -> Option<Node> {
    let level = |level: &Value| Some(Level(u8::try_from(level.as_u64()?).ok()?));
    let levels = run["node"].as_array()?;
    let levels: Vec<Level> = levels.iter().map(level).collect::<Option<_>>()?;
    problem.lattice().node(&levels).ok()
}

/// The recounted result against an attacker who knows the algorithm; `None` if it is from an audit.
fn known(run: &Value, exact: Option<Delta>) -> Option<KnowsAlgorithm> {
    let is_audit = ["audited", "not decided", "not sampled"]
        .contains(&run["knows_algorithm"]["verdict"].as_str().unwrap_or_default());
    if exact.is_some() {
        return Some(KnowsAlgorithm::Exact);
    }
    (!is_audit).then_some(KnowsAlgorithm::NotAudited)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use palmtop::pipeline::{self, ExportOptions, Overrides};
    use palmtop::progress::unwatched;
    use palmtop::search::{Config, Strategy};
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use palmtop_console::result::Bound;

    /// The sample projects, each with a strategy. One is the clinic with a policy, withdrawn
    /// members and keyed pseudonyms.
    fn projects() -> Vec<(TempDir, PathBuf, &'static str)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let of = |sample: &str, edit: &dyn Fn(String) -> String, strategy| {
            let folder = tempfile::tempdir().unwrap();
            for from in [root.join("sample-data").join(sample), root.join("hierarchies")] {
                for file in fs::read_dir(from).unwrap() {
                    let file = file.unwrap();
                    if file.file_type().unwrap().is_file() {
                        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
                    }
                }
            }
            let project = folder.path().join(format!("{sample}.toml"));
            let text = fs::read_to_string(&project).unwrap().replace("../../hierarchies/", "");
            fs::write(&project, edit(text)).unwrap();
            (folder, project, strategy)
        };
        let policy = |text: String| {
            let text =
                text.replace("[delta]", "[policy]\nk = 2\nsuppress_at_most = \"5%\"\nk_map = 3\n\n[delta]");
            text.replace(
                "name = \"patient\"\nrole = \"identifier\"",
                "name = \"patient\"\nrole = \"identifier\"\npseudonym = \"new\"",
            )
        };
        vec![
            of("paper", &|text| text, "simulatable"),
            of("clinic", &|text| text, "n1"),
            of("clinic", &policy, "spalm"),
        ]
    }

    /// Collects the JSON pointer of each leaf.
    fn pointers(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                map.iter().for_each(|(key, value)| pointers(value, &format!("{path}/{key}"), found));
            }
            Value::Array(values) if !values.is_empty() => {
                (0..).zip(values).for_each(|(index, value): (usize, _)| {
                    pointers(value, &format!("{path}/{index}"), found);
                });
            }
            _ => found.push(path.to_owned()),
        }
    }

    /// Converts `/criteria/1/achieved` to `criteria[1].achieved`.
    fn named(pointer: &str) -> String {
        pointer.split('/').skip(1).fold(String::new(), |path, part| match part.parse::<usize>() {
            Ok(index) => format!("{path}[{index}]"),
            Err(_) if path.is_empty() => part.to_owned(),
            Err(_) => format!("{path}.{part}"),
        })
    }

    fn changed(leaf: &Value) -> Value {
        match leaf {
            Value::String(text) => json!(format!("{text}0")),
            Value::Bool(is_so) => json!(!is_so),
            Value::Number(number) if number.is_u64() => json!(number.as_u64().unwrap() + 1),
            Value::Number(number) => json!(number.as_f64().unwrap().next_up()),
            Value::Null => json!(7),
            Value::Array(_) | Value::Object(_) => json!(["x"]),
        }
    }

    #[test]
    fn each_leaf_of_a_runs_report_that_can_be_recounted_is_named_if_it_is_changed() {
        for (folder, project, strategy) in projects() {
            let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
            let problem = analysis.problem();
            let search: Strategy = strategy.parse().unwrap();
            let found = analysis.search(problem, search, &Config::default(), &mut unwatched);
            let release = found.release.unwrap();
            let target = folder.path().join("out.csv");
            let written =
                pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap();
            let facts = RunFacts {
                metric: Metric::default(),
                report: Some(found.report),
                bound: Bound::default(),
                seed: 0,
                seconds: Some(found.seconds),
                load_seconds: analysis.load_seconds(),
                outsiders: OutsiderCounts::of(&analysis),
                entity: None,
            };
            let mut result = RunResult::new(strategy.to_owned(), problem, Some(&release), facts);
            let basis = cautions::Basis::of(&analysis, ReleaseFile::default()).unwrap();
            let judged = basis.judge(&analysis, &release, &[]);
            result.note_cautions(&judged.headline, &judged.cautions);
            result.note_delivery(&written);
            let complete = report_value(&analysis, &result, &target, written.rows).unwrap();
            let read = pipeline::reading::read(&analysis, &target).unwrap();
            let mut again = Again::new(&analysis, (&target, read.rows()), Some(&read));
            let mut held = |value: Value| {
                let found = again.report(&value)?;
                anyhow::Ok(Reported::of(value).map_err(anyhow::Error::msg)?.against(&found).differences)
            };
            assert_eq!(held(complete.clone()).unwrap(), [], "{strategy}");
            let mut leaves = Vec::new();
            pointers(&complete, "", &mut leaves);
            let quoted = ReportKind::Run.not_recounted();
            let mut compared = 0;
            for pointer in leaves {
                let dotted = pointer.trim_start_matches('/').replace('/', ".");
                let is_quoted = quoted.iter().any(|quoted| {
                    dotted.split('.').next() == quoted.path.split(['.', '[']).next()
                })
                    // Of the inputs, only the paths are not recounted.
                    && (!dotted.starts_with("inputs.") || dotted.rsplit('.').next() == Some("path"))
                    // A release does not show the number of regions without members.
                    || (dotted == "classes" && complete["node"].is_null());
                let mut other = complete.clone();
                let leaf = other.pointer_mut(&pointer).unwrap();
                *leaf = changed(leaf);
                // A value that is not a run report is refused.
                let name = named(&pointer);
                let is_named = held(other)
                    .map_or(true, |differences| differences.iter().any(|difference| difference.what == name));
                assert!(is_named || is_quoted, "{strategy}: {name} was changed, and it was not named");
                compared += usize::from(!is_quoted);
            }
            assert!(compared > 50, "{strategy}: {compared} leaves");
            // One key removed, and one key added.
            for key in complete.as_object().unwrap().keys() {
                let mut other = complete.clone();
                other.as_object_mut().unwrap().remove(key);
                let is_quoted = quoted.iter().any(|quoted| quoted.path == key);
                let is_named = held(other).map_or(true, |differences| !differences.is_empty());
                assert!(is_named || is_quoted || key == "classes", "{strategy}: without {key}");
            }
            let mut more = complete.clone();
            more["approved_by"] = json!("nobody");
            assert_eq!(held(more).unwrap().len(), 1, "{strategy}: a key that no run has");
        }
    }
}
