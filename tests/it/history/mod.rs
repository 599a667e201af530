//! The history: reading gives what was written, the file contains no row, programs lose nothing of each other, a step gives the
//! same release again, and what palmtop 0.1.0 left is taken over.

mod decisions;
mod earlier;
mod killed;
mod releases;
mod steps;

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::support::{Done, copies, palmtop};
use palmtop::history::{
    self, Action, LoggedInput, LoggedStrategy, Moment, Reason, RecodingRecipe, Search, Sitting, SittingFile,
    Step,
};
use palmtop::metrics::Metric;
use palmtop::model::{Delta, Level, Presence};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::search::{Config, Observer, SearchReport, StopReason, Strategy};
use palmtop::strategy::GONE;
use proptest::prelude::{Strategy as Generator, any, prop_oneof, proptest};
use proptest::{collection, option};
use tempfile::TempDir;

/// A folder with the sample projects.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new() -> Self {
        Self { folder: copies(&["hierarchies", "sample-data/paper", "sample-data/clinic"]) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn project(&self, name: &str) -> PathBuf {
        self.path(&format!("sample-data/{name}/{name}.toml"))
    }

    fn load(&self, name: &str) -> Analysis {
        Analysis::load(&self.project(name), &Overrides::default()).unwrap()
    }

    /// Saves a sitting of these steps. The last step is the current one.
    fn save(&self, name: &str, steps: impl IntoIterator<Item = Step>) {
        save(&self.project(name), &sitting(&self.load(name), steps));
    }

    /// Runs palmtop in the folder. Blanks separate the arguments.
    #[track_caller]
    fn run(&self, arguments: &str, status: i32, message: &str) -> Done {
        self.run_with(arguments, &[], status, message)
    }

    /// The same with more arguments, which may have blanks.
    #[track_caller]
    fn run_with(&self, arguments: &str, more: &[&str], status: i32, message: &str) -> Done {
        let done = palmtop(self.folder.path(), arguments.split_whitespace().chain(more.iter().copied()));
        done.expect(status, message);
        done
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

const PAPER_PROJECT: &str = "sample-data/paper/paper.toml";
/// Permits a release that breaks the policy.
const NOT_PRESENT: [&str; 2] = ["--accept", "not_present=the test needs it here"];

fn save(project: &Path, sitting: &Sitting) {
    SittingFile::new(project).save(sitting).unwrap();
}

fn sitting(analysis: &Analysis, steps: impl IntoIterator<Item = Step>) -> Sitting {
    let mut steps = steps.into_iter();
    let mut sitting = Sitting::new(analysis, steps.next().unwrap());
    steps.for_each(|step| sitting.push(step));
    sitting
}

fn delta(min: &str, max: &str) -> Delta {
    Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
}

fn levels(levels: &[u8]) -> Vec<Level> {
    levels.iter().copied().map(Level).collect()
}

fn at_node(how: &str, node: &[u8], delta: Delta) -> Step {
    Step { action: how.parse().unwrap(), recoding: RecodingRecipe::Node(levels(node)), delta }
}

fn at_search(how: &str, search: Search, delta: Delta) -> Step {
    Step { action: how.parse().unwrap(), recoding: RecodingRecipe::Search(search), delta }
}

/// A completed search under this δ.
fn search(strategy: &str, rounds: Option<u64>, delta: Delta) -> Search {
    let report = SearchReport { rounds, ..SearchReport::without_nodes(StopReason::Done) };
    Search::new(strategy.parse().unwrap(), &Config::default(), delta, &report, None)
}

fn go_on() -> Box<Observer<'static>> {
    Box::new(|_| ControlFlow::Continue(()))
}

// ── The file ──

fn presence() -> impl Generator<Value = Presence> {
    (0_u64..=1000, 1_u64..=1000).prop_map(|(above, below)| Presence::new(above.min(below), below).unwrap())
}

fn some_delta() -> impl Generator<Value = Delta> {
    (presence(), presence()).prop_map(|(one, other)| Delta::new(one.min(other), one.max(other)).unwrap())
}

fn some_levels() -> impl Generator<Value = Vec<Level>> {
    collection::vec(any::<u8>().prop_map(Level), 0..5)
}

fn some_strategy() -> impl Generator<Value = LoggedStrategy> {
    let gone = GONE.map(|name| name.parse().unwrap());
    proptest::sample::select(Strategy::all().map(LoggedStrategy::from).chain(gone).collect::<Vec<_>>())
}

fn some_search() -> impl Generator<Value = Search> {
    let metric = (0..Metric::ALL.len()).prop_map(|nth| Metric::ALL[nth]);
    let numbers = (any::<u64>(), option::of(any::<u64>()), any::<bool>(), option::of(1..=u32::MAX));
    (some_strategy(), some_delta(), metric, numbers, option::of(some_levels())).prop_map(
        |(strategy, delta, metric, (seed, rounds, complete, rehearsed), node)| Search {
            strategy,
            delta,
            metric,
            seed,
            rounds,
            opening: None,
            rehearsed,
            node,
            complete,
        },
    )
}

fn some_recipe() -> impl Generator<Value = RecodingRecipe> {
    prop_oneof![some_levels().prop_map(RecodingRecipe::Node), some_search().prop_map(RecodingRecipe::Search)]
}

fn some_step() -> impl Generator<Value = Step> {
    (some_how(), some_recipe(), some_delta()).prop_map(|(how, recipe, delta)| Step {
        action: how,
        recoding: recipe,
        delta,
    })
}

fn some_how() -> impl Generator<Value = Action> {
    prop_oneof![
        proptest::sample::select(vec![
            Action::Start,
            Action::BackToNode,
            Action::Lattice,
            Action::Comparison
        ]),
        any::<String>().prop_map(Action::Coarser),
        any::<String>().prop_map(Action::Finer),
        some_strategy().prop_map(Action::Search),
        some_delta().prop_map(Action::Delta),
    ]
}

static PAPER: LazyLock<Analysis> = LazyLock::new(|| Workspace::new().load("paper"));

fn some_sitting() -> impl Generator<Value = Sitting> {
    let inputs = collection::vec((any::<String>(), "[0-9a-f]{64}"), 0..3);
    let recipes = (collection::vec(some_recipe(), 0..3), collection::vec(some_search(), 0..3));
    ((any::<String>(), inputs), recipes, collection::vec(some_step(), 1..5), any::<usize>()).prop_map(
        |((palmtop, inputs), (pins, searches), steps, current)| {
            let current = current % steps.len();
            let inputs = inputs.into_iter().map(|(path, sha256)| LoggedInput { path, sha256 }).collect();
            let mut made = sitting(&PAPER, steps);
            (made.palmtop, made.inputs, made.pins) = (palmtop, inputs, pins);
            for search in &searches {
                made.note_search(search, Moment::now());
            }
            assert!(made.go_to(current));
            made
        },
    )
}

proptest! {
    #[test]
    fn a_sitting_reads_back_as_it_was_written(made in some_sitting()) {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("x.toml");
        save(&project, &made);
        assert_eq!(history::of_project(&project).unwrap().sittings, [made]);
    }
}

#[test]
fn a_step_after_undo_drops_undone_steps() {
    let delta = delta("1/2", "2/3");
    let mut log = sitting(&PAPER, (0..3).map(|level| at_node("coarser zip", &[level, 0, 0], delta)));
    assert!(log.go_to(0) && !log.go_to(3));
    log.push(at_node("coarser age", &[0, 1, 0], delta));
    assert_eq!(
        (log.steps().len(), log.current(), log.steps()[1].action.to_string()),
        (2, 1, "coarser age".to_owned())
    );
}

/// Every text in a TOML value, with its key.
fn texts<'a>(key: &'a str, value: &'a toml::Value, found: &mut Vec<(&'a str, String)>) {
    match value {
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| texts(key, value, found)),
        toml::Value::Array(values) => values.iter().for_each(|value| texts(key, value, found)),
        toml::Value::String(text) => found.push((key, text.clone())),
        other => found.push((key, other.to_string())),
    }
}

// holds: No T in records
#[test]
fn a_history_holds_no_value_of_t() {
    let workspace = Workspace::new();
    let analysis = workspace.load("clinic");
    let problem = analysis.problem();
    let mut log = sitting(&analysis, [at_node("start", &[0; 6], problem.delta())]);
    for strategy in ["spalm", "n2"] {
        let (strategy, config) = (strategy.parse().unwrap(), Config::default());
        let found = analysis.search(problem, strategy, &config, &mut *go_on());
        let node = found.release.as_ref().and_then(|release| release.recoding.node());
        let search = Search::new(strategy, &config, problem.delta(), &found.report, node);
        log.push(at_search(&format!("search {strategy}"), search.clone(), problem.delta()));
        log.note_search(&search, Moment::now());
    }
    log.pins.push((&problem.lattice().top()).into());
    let mut table = csv::Reader::from_path(workspace.path("sample-data/clinic/private.csv")).unwrap();
    let mut values: HashSet<String> = table
        .records()
        .flat_map(|row| row.unwrap().iter().map(ToOwned::to_owned).collect::<Vec<_>>())
        .collect();
    for attribute in problem.quasi() {
        let hierarchy = &attribute.hierarchy;
        let levels = (hierarchy.base().0..=hierarchy.top().0).map(Level);
        values.extend(levels.flat_map(|level| hierarchy.labels(level).iter().map(str::to_owned)));
    }
    assert!(values.len() > 100);
    log.fix_policy(Moment::now(), None);
    save(&workspace.project("clinic"), &log);
    workspace.run("anonymize sample-data/clinic/clinic.toml --strategy simulatable -o a.csv", 0, "");
    workspace.run("report sample-data/clinic/clinic.toml a.csv -o a.html", 0, "");
    let rendered: toml::Value =
        toml::from_str(&workspace.read("sample-data/clinic/clinic.history.toml")).unwrap();
    let mut found = Vec::new();
    texts("", &rendered, &mut found);
    for (key, text) in found {
        match key {
            "format" | "current" | "seed" | "rounds" | "node" | "complete" | "delta" | "rows" | "present"
            | "highest" => {
                let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
                assert!(is_number || ["complete", "present"].contains(&key), "{key}: {text}");
            }
            "loss" => assert!(text.parse::<f64>().is_ok(), "{text}"),
            "palmtop" => assert_eq!(text, env!("CARGO_PKG_VERSION")),
            "at" => assert!(Moment::read(&text).is_ok(), "{text}"),
            "sha256" | "release" => assert_eq!(text.len(), 64),
            _ => {
                let words = text.split(|letter: char| !letter.is_alphanumeric());
                for word in words.chain([text.as_str()]) {
                    assert!(!values.contains(word), "{key}: {word} is a value of T");
                }
            }
        }
    }
}
