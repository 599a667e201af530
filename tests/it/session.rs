//! The session log: reading gives what was written, the file contains no row, two programs do not
//! overwrite each other's file, and a replay gives the same releases.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use crate::support::{Done, copies, palmtop};
use palmtop::metrics::Metric;
use palmtop::model::{Criteria, Delta, Level, Presence};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::search::strategy::GONE;
use palmtop::search::{Config, Observer, SearchReport, StopReason, Strategy};
use palmtop::session::{
    self, Action, Log, LogFile, LoggedInput, LoggedStrategy, Moment, Reason, RecodingRecipe, ReplayError,
    Search, SessionError, Step, newest, relative_project_path,
};
use proptest::prelude::{Strategy as Generator, any, prop_oneof, proptest};
use proptest::{collection, option};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with the sample projects, in which a test can save a session.
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

    /// Saves a session of these steps in the folder of the tables. The last step is the current
    /// one.
    fn save(&self, name: &str, steps: impl IntoIterator<Item = Step>) -> PathBuf {
        let log = log(
            &self.load(name),
            relative_project_path(self.folder.path(), &self.project(name)).unwrap(),
            steps,
        );
        LogFile::create(self.folder.path(), name, &log).unwrap().path().to_owned()
    }

    /// Runs palmtop in the folder. Blanks separate the arguments.
    #[track_caller]
    fn run(&self, arguments: &str, status: i32, message: &str) -> Done {
        let done = palmtop(self.folder.path(), arguments.split_whitespace());
        done.expect(status, message);
        done
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

fn log(analysis: &Analysis, project: impl Into<String>, steps: impl IntoIterator<Item = Step>) -> Log {
    let mut steps = steps.into_iter();
    let mut log = Log::new(project, analysis, steps.next().unwrap());
    steps.for_each(|step| log.push(step));
    log
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

fn some_log() -> impl Generator<Value = Log> {
    let inputs = collection::vec((any::<String>(), "[0-9a-f]{64}"), 0..3);
    let texts = (any::<String>(), any::<String>(), inputs);
    let recipes = (collection::vec(some_recipe(), 0..3), collection::vec(some_search(), 0..3));
    (texts, recipes, collection::vec(some_step(), 1..5), any::<usize>()).prop_map(
        |((palmtop, project, inputs), (pins, searches), steps, current)| {
            let current = current % steps.len();
            let inputs = inputs.into_iter().map(|(path, sha256)| LoggedInput { path, sha256 }).collect();
            let mut log = log(&PAPER, project, steps);
            (log.palmtop, log.inputs, log.pins, log.searches) = (palmtop, inputs, pins, searches);
            assert!(log.go_to(current));
            log
        },
    )
}

proptest! {
    #[test]
    fn a_log_reads_back_as_it_was_written(log in some_log()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.session.toml");
        fs::write(&path, log.render()).unwrap();
        assert_eq!(Log::read(&path).unwrap(), log);
    }
}

const SMALL: &str = r#"format = 1
palmtop = "0.1.0"
project = "paper.toml"
current = 1

[[input]]
path = "public.csv"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

[[step]]
how = "start"
delta = ["1/2", "2/3"]
node = [0, 0, 0]

[[step]]
how = "search best"
delta = ["1/2", "2/3"]

[step.search]
strategy = "best"
delta = ["1/2", "3/4"]
metric = "loss"
seed = 7
rounds = 20
complete = false

[[pin]]
node = [3, 2, 2]
"#;

/// Reads a session after one replacement in its text.
fn read_spoilt(from: &str, to: &str) -> Result<Log, String> {
    assert!(SMALL.contains(from), "{from}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    fs::write(&path, SMALL.replacen(from, to, 1)).unwrap();
    Log::read(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn a_log_is_written_for_people_and_diffs() {
    let log = read_spoilt("format", "format").unwrap();
    let text = log.render();
    let (header, body) = text.split_once('\n').unwrap();
    assert!(header.starts_with("# A session of palmtop: places and hashes, no rows."), "{header}");
    assert_eq!(body, SMALL);
    assert_eq!((log.steps().len(), log.current(), log.pins.len()), (2, 1, 1));
    let RecodingRecipe::Search(search) = &log.steps()[1].recoding else { panic!("a search") };
    assert_eq!((search.rounds, search.complete, search.delta), (Some(20), false, delta("1/2", "3/4")));
}

#[test]
fn a_search_that_rehearsed_is_read_and_kept() {
    for (line, rehearsed) in [("rehearsed = 0", None), ("rehearsed = 32\nchosen = \"power 0.4\"", Some(32))] {
        let log = read_spoilt("complete = false", &format!("{line}\ncomplete = true")).unwrap();
        let RecodingRecipe::Search(search) = &log.steps()[1].recoding else { panic!("a search") };
        assert_eq!((search.rehearsed, search.repeats()), (rehearsed, rehearsed.is_none()));
        assert_eq!(log.render().contains("rehearsed"), rehearsed.is_some());
    }
}

/// What is replaced in the small session, with what, and where the refusal says that it is.
type Case = (&'static str, &'static str, &'static str);

const SPOILT: &[Case] = &[
    ("format = 1", "format = 2\nnew = 1", "s.toml, line 1: `format`: this palmtop does not"),
    ("format = 1\n", "", "s.toml, line 1: missing field `format`"),
    ("current = 1", "current = 2", "s.toml, line 4: `current`: there is no step 2"),
    ("current = 1", "current = -1", "s.toml, line 4: `current`: invalid value: integer `-1`"),
    ("current = 1", "curent = 1", "s.toml, line 4: unknown field `curent`"),
    ("path = \"public.csv\"", "pth = \"p\"", "s.toml, line 7: unknown field `pth`"),
    ("\"0000", "\"000", "s.toml, line 8: `sha256`: `000"),
    ("\"0000", "\"zzzz", "line 8: `sha256`: `zzzz"),
    ("how = \"start\"\n", "", "s.toml, line 10: missing field `how`"),
    ("\"start\"", "\"flu, Jane Doe\"", "s.toml, line 11: `how`: `flu, Jane Doe`"),
    ("\"start\"", "\"Start\"", "s.toml, line 11: `how`: `Start` is not"),
    ("\"start\"", "\"search flu\"", "s.toml, line 11: `how`: unknown strategy `flu`"),
    ("\"start\"", "\"δ 2/4 to 2/3\"", "s.toml, line 11: `how`: `δ 2/4 to 2/3`"),
    ("\"start\"", "\"δ 1/2 to flu\"", "s.toml, line 11: `how`: invalid δmax `flu`"),
    ("[\"1/2\", \"2/3\"]", "[\"1/2\"]", "s.toml, line 12: `delta`: invalid length 1"),
    ("[\"1/2\", \"2/3\"]", "[\"1/2\", \"x\"]", "s.toml, line 12: `delta`: invalid δmax `x`"),
    ("[\"1/2\", \"2/3\"]", "[\"1/2\", \"1/3\"]", "s.toml, line 12: `delta`: δmin 1/2 is above"),
    ("[0, 0, 0]", "[0, 0, 300]", "s.toml, line 13: `node`: invalid value: integer `300`"),
    ("[0, 0, 0]", "\"0,0,0\"", "s.toml, line 13: `node`: invalid type: string \"0,0,0\""),
    ("node = [0, 0, 0]\n", "", "s.toml, line 10: there is neither"),
    ("[step.search]", "node = [0]\n[step.search]", "s.toml, line 15: there is both"),
    ("\"best\"", "\"bets\"", "s.toml, line 20: `strategy`: unknown strategy `bets`"),
    ("\"loss\"", "\"los\"", "s.toml, line 22: `metric`: `los` is not"),
    ("seed = 7", "seed = \"x\"", "s.toml, line 23: `seed`: invalid value: string \"x\""),
    ("seed = 7", "seed = -7", "s.toml, line 23: `seed`: invalid value: integer `-7`"),
    ("complete = false", "complete = 0", "s.toml, line 25: `complete`: invalid type: integer `0`"),
    ("node = [3, 2, 2]\n", "", "s.toml, line 27: there is neither"),
    ("[[pin]]", "[[pin", "s.toml, line 27"),
];

/// The refusals of all cases.
pub(crate) fn refusals() -> Vec<(Case, String)> {
    SPOILT.iter().map(|&case| (case, read_spoilt(case.0, case.1).unwrap_err())).collect()
}

#[test]
fn a_search_of_a_gone_strategy_is_kept() {
    for gone in GONE {
        let spoilt = SMALL.replace("search best", &format!("search {gone}"));
        let spoilt = spoilt.replace("strategy = \"best\"", &format!("strategy = \"{gone}\""));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        fs::write(&path, &spoilt).unwrap();
        let log = Log::read(&path).unwrap();
        let RecodingRecipe::Search(search) = &log.steps()[1].recoding else { panic!("a search") };
        assert_eq!((search.strategy.known(), search.repeats()), (None, false));
        assert_eq!((search.strategy.to_string().as_str(), log.render().contains(&spoilt)), (gone, true));
    }
}

#[test]
fn refusals_name_file_line_and_key() {
    for ((from, to, place), refused) in refusals() {
        assert!(refused.contains(place), "{from:?} to {to:?}\n{place}\n{refused}");
        assert!(refused.starts_with("session s.toml, line "), "{refused}");
    }
    let missing = Log::read(Path::new("nowhere.session.toml")).unwrap_err();
    assert_eq!(missing.to_string(), "cannot read session nowhere.session.toml");
}

#[test]
fn a_step_after_undo_drops_undone_steps() {
    let delta = delta("1/2", "2/3");
    let mut log = log(&PAPER, "p.toml", (0..3).map(|level| at_node("coarser zip", &[level, 0, 0], delta)));
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
fn a_session_log_holds_no_value_of_t() {
    let workspace = Workspace::new();
    let analysis = workspace.load("clinic");
    let problem = analysis.problem();
    let mut log = log(&analysis, "@clinic", [at_node("start", &[0; 6], problem.delta())]);
    for strategy in ["spalm", "n2"] {
        let (strategy, config) = (strategy.parse().unwrap(), Config::default());
        let found = analysis.search(problem, strategy, &config, &mut *go_on());
        let node = found.release.as_ref().and_then(|release| release.recoding.node());
        let search = Search::new(strategy, &config, problem.delta(), &found.report, node);
        log.push(at_search(&format!("search {strategy}"), search.clone(), problem.delta()));
        log.searches.push(search);
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
    let rendered: toml::Value = toml::from_str(&log.render()).unwrap();
    let mut found = Vec::new();
    texts("", &rendered, &mut found);
    for (key, text) in found {
        match key {
            "format" | "current" | "seed" | "rounds" | "node" | "complete" | "delta" => {
                let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
                assert!(is_number || key == "complete", "{key}: {text}");
            }
            "palmtop" => assert_eq!(text, env!("CARGO_PKG_VERSION")),
            _ => {
                let words = text.split(|letter: char| !letter.is_alphanumeric());
                for word in words.chain([text.as_str()]) {
                    assert!(!values.contains(word), "{key}: {word} is a value of T");
                }
            }
        }
    }
}

#[test]
fn two_workbenches_never_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let delta = delta("1/2", "2/3");
    let first = log(&PAPER, "p.toml", [at_node("start", &[0, 0, 0], delta)]);
    let mut second = first.clone();
    second.push(at_node("coarser zip", &[1, 0, 0], delta));
    assert_eq!(newest(folder, "p"), None);
    let files: Vec<LogFile> = (0..3).map(|_| LogFile::create(folder, "p", &first).unwrap()).collect();
    let names: Vec<&str> =
        files.iter().map(|file| file.path().file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["p.session.toml", "p.session-2.toml", "p.session-3.toml"]);
    for other in ["p2.session.toml", "p.session-1.toml", "p.session-x.toml", "p.session-03.toml", "p.toml"] {
        fs::write(folder.join(other), "").unwrap();
    }

    // A number distinguishes files with the same time.
    let earlier = SystemTime::now() - Duration::from_secs(60);
    for file in &files {
        fs::File::options().write(true).open(file.path()).unwrap().set_modified(earlier).unwrap();
    }
    assert_eq!(newest(folder, "p").as_deref(), Some(files[2].path()));

    // Both programs continue with the second file. The second program to save gets an error and
    // takes a new name.
    let path = files[1].path();
    let (mut one, _) = LogFile::open(path).unwrap();
    let (mut other, _) = LogFile::open(path).unwrap();
    one.save(&second).unwrap();
    assert_eq!(newest(folder, "p").as_deref(), Some(path));
    assert!(matches!(other.save(&first), Err(SessionError::ChangedOnDisk { .. })));
    assert_eq!(Log::read(path).unwrap(), second);
    one.save(&first).unwrap();
    one.save(&second).unwrap();
    assert!(LogFile::create(folder, "p", &first).unwrap().path().ends_with("p.session-4.toml"));

    // After a file was removed, it is written again.
    fs::remove_file(path).unwrap();
    one.save(&first).unwrap();
    assert_eq!(Log::read(path).unwrap(), first);

    // Of many programs that read the same file and save at once, one succeeds.
    let won: usize = std::thread::scope(|scope| {
        let savers: Vec<_> = (0..8).map(|_| LogFile::open(path).unwrap().0).collect();
        let threads: Vec<_> = savers
            .into_iter()
            .map(|mut saver| {
                let second = &second;
                scope.spawn(move || usize::from(saver.save(second).is_ok()))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(won, 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let is_temporary = |name: &str| name.starts_with('.') || name.ends_with("tmp");
    let mut names =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.any(|name| is_temporary(&name)));
}

#[test]
fn a_session_finds_its_project_by_relative_path() {
    let workspace = Workspace::new();
    let project = workspace.project("paper");
    for (folder, way) in [
        ("sample-data/paper", "paper.toml"),
        ("", "sample-data/paper/paper.toml"),
        ("hierarchies", "../sample-data/paper/paper.toml"),
    ] {
        let folder = workspace.path(folder);
        let named = relative_project_path(&folder, &project).unwrap();
        assert_eq!(named, way);
        let log = log(&PAPER, named, [at_node("start", &[0, 0, 0], delta("0", "1"))]);
        let found = log.project_path(&folder.join("x.session.toml")).unwrap();
        assert_eq!(found.canonicalize().unwrap(), project.canonicalize().unwrap());
    }
    fs::copy(&project, workspace.path("@odd.toml")).unwrap();
    assert_eq!(
        relative_project_path(workspace.folder.path(), &workspace.path("@odd.toml")).unwrap(),
        "./@odd.toml"
    );
    let built_in = log(&PAPER, "@paper", [at_node("start", &[0, 0, 0], delta("0", "1"))]);
    assert_eq!(built_in.project_path(Path::new("x.session.toml")), None);
}

// ── Replay ──

/// A result without the cautions about earlier releases and sessions.
fn without_surroundings(mut result: Value) -> Value {
    let is_of_release =
        |caution: &Value| caution["key"] != "earlier_release" && caution["key"] != "other_session";
    result["cautions"].as_array_mut().unwrap().retain(is_of_release);
    result
}

/// Replays a step and runs the equivalent command. Both must give the same file and the same
/// result.
fn expect_twin(
    workspace: &Workspace,
    session: &str,
    step: usize,
    project: &str,
    twin: &str,
    status: i32,
) -> Value {
    let common = "--allow-not-present --format json";
    let twin = format!("anonymize {project} {twin} -o twin-{step}.csv {common}");
    let mut twin = workspace.run(&twin, status, "rows written and verified").json();
    let permissions = if step == 4 { " --allow-looser-delta" } else { "" };
    let replay =
        format!("replay {session} --step {step} -o {step}.csv --report {step}.json {common}{permissions}");
    let again = workspace.run(&replay, status, "rows written and verified").json();
    assert!(
        workspace.read(&format!("{step}.csv")) == workspace.read(&format!("twin-{step}.csv")),
        "step {step}"
    );
    let mut differing = vec!["seconds", "load_seconds", "write_seconds", "verify_seconds"];
    if !again["taken_from"].is_null() {
        assert_eq!(again["taken_from"], twin["delta"]);
        differing.extend(["delta", "taken_from", "headline", "cautions"]);
        twin["criteria"][0]["required"] = again["criteria"][0]["required"].clone();
    }
    for key in differing {
        twin[key] = again[key].clone();
    }
    // The twin was written first and without a session.
    let again = without_surroundings(again);
    let twin = without_surroundings(twin);
    assert_eq!(again, twin, "step {step}");
    again
}

// holds: Replay
#[test]
fn replay_writes_what_anonymize_writes_byte_for_byte() {
    let workspace = Workspace::new();
    let (project_delta, other) = (delta("1/2", "2/3"), delta("1/3", "3/4"));
    let session = workspace.save(
        "paper",
        [
            at_node("start", &[0, 0, 0], project_delta),
            at_node("coarser zip", &[1, 2, 3], project_delta),
            at_search("search n2", search("n2", None, project_delta), project_delta),
            at_search("search best", search("best", Some(2), project_delta), project_delta),
            // The analyst changed δ and kept the recoding, which is judged again.
            at_search("δ 1/3 to 3/4", search("n2", None, project_delta), other),
            at_search("search spalm", search("spalm", None, project_delta), project_delta),
        ],
    );
    let session = session.file_name().unwrap().to_str().unwrap();
    for (step, twin, status) in [
        (1, "--node 1,2,3", 3),
        (2, "--strategy n2", 0),
        (3, "--strategy best --budget 2rounds", 0),
        (4, "--strategy n2", 0),
        (5, "--strategy spalm", 0),
    ] {
        let again = expect_twin(&workspace, session, step, "sample-data/paper/paper.toml", twin, status);
        assert_eq!(again["delta"]["max"], if step == 4 { "3/4" } else { "2/3" });
    }
    let report: Value = serde_json::from_str(&workspace.read("2.json")).unwrap();
    assert_eq!(report["inputs"].as_array().unwrap().len(), 6);
    // The default is the current step of the session.
    workspace.run(&format!("replay {session} -o last.csv"), 0, "");
    assert_eq!(workspace.read("last.csv"), workspace.read("5.csv"));
}

#[test]
fn a_stopped_best_replays_from_seed_and_rounds() {
    let workspace = Workspace::new();
    let project_delta = delta("0", "1/10");
    let stopped = Search { seed: 7, complete: false, ..search("best", Some(2), project_delta) };
    let session = workspace.save("clinic", [at_search("search best", stopped, project_delta)]);
    let session = session.file_name().unwrap().to_str().unwrap();
    let twin = "--strategy best --budget 2rounds --seed 7";
    let again = expect_twin(&workspace, session, 0, "sample-data/clinic/clinic.toml", twin, 0);
    assert_eq!((&again["seed"], &again["search"]["rounds"]), (&7.into(), &2.into()));
}

#[test]
fn a_step_is_judged_under_its_own_delta() {
    let workspace = Workspace::new();
    let (project_delta, strict) = (delta("1/2", "2/3"), delta("1/2", "3/5"));
    let step = at_search("δ 1/2 to 3/5", search("n2", None, project_delta), strict);
    let session = workspace.save("paper", [at_node("start", &[0, 0, 0], project_delta), step]);
    let session = session.file_name().unwrap().to_str().unwrap();
    let refused =
        workspace.run(&format!("replay {session} -o r.csv --format json"), 3, "the release is not δ-present");
    assert_eq!(refused.json()["delta"]["max"], "3/5");
    assert!(!workspace.path("r.csv").exists());
    workspace.run(&format!("replay {session} -o r.csv --allow-not-present"), 3, "NOT δ-present");
    workspace.run("anonymize sample-data/paper/paper.toml --strategy n2 -o twin.csv", 0, "");
    assert_eq!(workspace.read("r.csv"), workspace.read("twin.csv"));
    let table = workspace.run(&format!("replay {session} -o r.csv --force --allow-not-present"), 3, "").out;
    assert!(table.contains("searched under δ    1/2 to 2/3\n"), "{table}");
    workspace.run(&format!("replay {session} -o r.csv"), 1, "r.csv exists; choose another name");
    workspace.run(&format!("replay {session} --step 0 -o r.csv --force"), 3, "the release is not δ-present");
    assert_eq!(workspace.read("r.csv"), workspace.read("twin.csv"));
}

#[test]
fn a_changed_input_is_named_and_stops_replay() {
    type Spoil = fn(&Path);
    let project_delta = delta("1/2", "2/3");
    let cases: [(&str, Spoil); 3] = [
        ("sample-data/paper/private.csv", |path| {
            fs::write(path, fs::read_to_string(path).unwrap() + "a,47906,35,USA\n").unwrap();
        }),
        ("sample-data/paper/paper.toml", |path| {
            fs::write(path, fs::read_to_string(path).unwrap() + "\n").unwrap();
        }),
        ("hierarchies/zip.toml", |path| fs::remove_file(path).unwrap()),
    ];
    for (name, spoil) in cases {
        let workspace = Workspace::new();
        let session = workspace.save("paper", [at_node("start", &[3, 2, 2], project_delta)]);
        let session = session.file_name().unwrap().to_str().unwrap();
        spoil(&workspace.path(name));
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        let done = workspace.run(&format!("replay {session} -o r.csv"), 1, "have changed or are missing");
        assert!(done.err.contains(&format!("{file}; the release would be different")), "{}", done.err);
        assert!(done.out.is_empty() && !workspace.path("r.csv").exists());
        // The session can still be listed.
        workspace.run(&format!("replay {session} --list"), 0, "");
    }
}

#[test]
fn steps_are_listed_and_chosen_by_number() {
    let workspace = Workspace::new();
    let project_delta = delta("1/2", "2/3");
    let session = workspace.save(
        "paper",
        [
            at_node("start", &[0, 0, 0], project_delta),
            at_node("coarser zip", &[3, 2, 2], project_delta),
            at_search("search best", search("best", Some(3), project_delta), delta("1/2", "3/4")),
        ],
    );
    let session = session.file_name().unwrap().to_str().unwrap();
    let mut log = Log::read(&workspace.path(session)).unwrap();
    log.go_to(1);
    fs::write(workspace.path(session), log.render()).unwrap();
    let listed = workspace.run(&format!("replay {session} --list --format csv"), 0, "");
    let expected = "step,current,how,place,delta_min,delta_max\n\
                    0,,start,\"0,0,0\",1/2,2/3\n\
                    1,current,coarser zip,\"3,2,2\",1/2,2/3\n\
                    2,,search best,\"best, 3 rounds from seed 0\",1/2,3/4\n";
    assert_eq!(listed.out, expected);
    let table = workspace.run(&format!("replay {session} --list"), 0, "").out;
    assert!(table.lines().nth(2).is_some_and(|line| line.contains('▸') && line.contains("3,2,2")), "{table}");
    let steps = workspace.run(&format!("replay {session} --list --format json"), 0, "").json();
    assert_eq!((&steps["steps"][1]["current"], &steps["steps"][1]["node"][0]), (&true.into(), &3.into()));
    assert_eq!(
        (&steps["steps"][2]["search"]["rounds"], &steps["steps"][2]["delta"]["max"]),
        (&3.into(), &"3/4".into())
    );
    workspace.run(&format!("replay {session} -o current.csv"), 0, "");
    workspace.run(&format!("replay {session} --step 1 -o one.csv"), 0, "");
    assert_eq!(workspace.read("current.csv"), workspace.read("one.csv"));
    workspace.run(
        &format!("replay {session} --step 3 -o x.csv"),
        2,
        "no step 3: the session's steps are 0 to 2",
    );
    workspace.run(&format!("replay {session}"), 2, "--output");
    workspace.run(&format!("replay {session} --list -o x.csv"), 2, "cannot be used with");
    workspace.run("replay nowhere.toml --list", 1, "cannot read session nowhere.toml");
}

#[test]
fn a_session_of_a_sample_replays_anywhere() {
    let workspace = Workspace::new();
    let mut log =
        log(&workspace.load("paper"), "@paper", [at_node("start", &[3, 2, 2], delta("1/2", "2/3"))]);
    fs::write(workspace.path("s.toml"), log.render()).unwrap();
    workspace.run("replay s.toml -o r.csv", 0, "5 rows written and verified");
    "0.0.1".clone_into(&mut log.palmtop);
    fs::write(workspace.path("s.toml"), log.render()).unwrap();
    workspace.run("replay s.toml -o r.csv --force", 0, "palmtop 0.0.1 made the session; this is ");
}

// holds: Replay
#[test]
fn what_cannot_be_made_again_says_why() {
    let workspace = Workspace::new();
    let analysis = workspace.load("paper");
    let project_delta = delta("1/2", "2/3");
    let stopped = |strategy, node: Option<&[u8]>| Search {
        complete: false,
        node: node.map(levels),
        ..search(strategy, None, project_delta)
    };
    let log_of = |recipe| {
        log(&analysis, "p.toml", [Step { action: Action::Start, recoding: recipe, delta: project_delta }])
    };
    let replay = |log: &Log| session::release(&analysis, log, 0, &mut *go_on()).map(|again| again.release);

    let by_hand = replay(&log_of(RecodingRecipe::Node(levels(&[3, 2, 2])))).unwrap();
    let direct =
        analysis.by_hand(analysis.problem(), analysis.problem().lattice().node(&levels(&[3, 2, 2])).unwrap());
    assert_eq!(
        (by_hand.recoding, by_hand.origin, by_hand.classes),
        (direct.recoding, direct.origin, direct.classes)
    );
    let at_node = replay(&log_of(RecodingRecipe::Search(stopped("spalm", Some(&[4, 2, 2]))))).unwrap();
    assert_eq!(
        (at_node.recoding.node().unwrap().to_string(), at_node.origin.name()),
        ("4,2,2".into(), "spalm".into())
    );

    for (search, refusal) in [
        (stopped("n2", None), "step 0: n2 was stopped"),
        (stopped("best", None), "step 0: best was stopped"),
        (
            Search { rehearsed: Some(4), ..search("simulatable", None, project_delta) },
            "step 0: its simulatable rehearsed",
        ),
        (stopped("spalm", Some(&[9, 0, 0])), "no node of this lattice: level 9 at position 1"),
        (
            Search { delta: delta("0", "1/9"), ..search("n2", None, project_delta) },
            "step 0: n2 finds no release under δ (0, 1/9) (infeasible)",
        ),
        (
            Search { strategy: "k-optimal".parse().unwrap(), ..search("spalm", None, project_delta) },
            "step 0: k-optimal is gone: its release",
        ),
        (
            Search { node: Some(levels(&[4, 2, 2])), ..search("spalm", None, project_delta) },
            "session, but finds 3,2,2 now",
        ),
        (
            Search { node: Some(levels(&[3, 2, 2])), ..search("n2", None, project_delta) },
            "session, but finds regions now",
        ),
    ] {
        let refused = replay(&log_of(RecodingRecipe::Search(search))).unwrap_err().to_string();
        assert!(refused.contains(refusal), "expected {refusal}\n   found {refused}");
    }
    assert!(matches!(replay(&log_of(RecodingRecipe::Node(levels(&[0])))), Err(ReplayError::NotANode { .. })));
    let spalm = log_of(RecodingRecipe::Search(search("spalm", None, project_delta)));
    let stop = session::release(&analysis, &spalm, 0, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stop, Err(ReplayError::Cancelled)));
    assert!(matches!(
        session::release(&analysis, &spalm, 1, &mut *go_on()),
        Err(ReplayError::NoSuchStep { .. })
    ));

    // A changed hash, a new input, a missing input.
    let spoil: [fn(&mut Log); 3] = [
        |log| log.inputs[0].sha256 = "0".repeat(64),
        |log| drop(log.inputs.pop()),
        |log| log.inputs.push(LoggedInput { path: "gone.csv".to_owned(), sha256: "0".repeat(64) }),
    ];
    for spoil in spoil {
        let mut spoilt = spalm.clone();
        assert!(
            spoilt.changed_inputs(&analysis).is_empty() && spoilt.changed_files(analysis.path()).is_empty()
        );
        spoil(&mut spoilt);
        assert_eq!(spoilt.changed_inputs(&analysis).len(), 1);
        assert!(matches!(replay(&spoilt), Err(ReplayError::InputsChanged { .. })));
    }
}

#[test]
fn a_session_replays_only_under_its_own_policy() {
    let workspace = Workspace::new();
    let project_delta = delta("1/2", "2/3");
    let with = |k: &str| {
        let project = workspace.project("paper");
        let text = fs::read_to_string(&project).unwrap();
        let start = text.find("[policy]").unwrap_or(text.len());
        fs::write(&project, format!("{}[policy]\nk = {k}\n", &text[..start])).unwrap();
        workspace.load("paper")
    };
    let analysis = with("3");
    let session = workspace.save("paper", [at_node("start", &[5, 2, 3], project_delta)]);
    let text = fs::read_to_string(&session).unwrap();
    assert!(text.contains("[policy]\nk = \"3\"\n"), "{text}");
    let read = Log::read(&session).unwrap();
    assert_eq!(read.criteria, *analysis.problem().policy().criteria());
    let replayed = session::release(&analysis, &read, 0, &mut *go_on()).unwrap();
    assert_eq!(replayed.release.policy, *analysis.problem().policy());

    // The log of another policy for the same inputs.
    let mut spoilt = read.clone();
    spoilt.criteria = Criteria::read([("k", "2")]).unwrap();
    let refused = session::release(&analysis, &spoilt, 0, &mut *go_on()).unwrap_err();
    let expected = "beside δ, the session enforced k = 2, but the project enforces k = 3";
    assert!(refused.to_string().starts_with(expected), "{refused}");
    // A project with another policy has another hash.
    assert!(matches!(
        session::release(&with("2"), &read, 0, &mut *go_on()),
        Err(ReplayError::InputsChanged { .. })
    ));
    fs::write(&session, text.replace("k = \"3\"", "k = \"0\"")).unwrap();
    let refused = Log::read(&session).unwrap_err().to_string();
    assert!(refused.contains("`k = 0`: expected a whole number from 1"), "{refused}");
}

#[test]
fn replaying_a_looser_delta_needs_permission() {
    let workspace = Workspace::new();
    let project_delta = delta("1/2", "2/3");
    let looser = [delta("1/2", "3/4"), delta("1/3", "2/3"), delta("0", "1")];
    let steps = looser.map(|delta| at_node("start", &[3, 2, 2], delta));
    let session =
        workspace.save("paper", steps.into_iter().chain([at_node("start", &[3, 2, 2], project_delta)]));
    let session = session.file_name().unwrap().to_str().unwrap();
    for (step, delta) in looser.iter().enumerate() {
        let replay = format!("replay {session} --step {step} -o {step}.csv");
        let done = workspace.run(
            &replay,
            1,
            &format!("step {step}: its δ {delta} is looser than the project's {project_delta}"),
        );
        assert!(done.out.is_empty() && !workspace.path(&format!("{step}.csv")).exists());
        let message = format!(
            "δ {delta}, which is looser than the project's {project_delta}; --allow-looser-delta says so"
        );
        workspace.run(&format!("{replay} --allow-looser-delta"), 0, &message);
    }
    // If the option is not needed, the command prints no remark about it.
    let done = workspace.run(&format!("replay {session} -o own.csv --allow-looser-delta"), 0, "");
    assert!(!done.err.contains("looser than"), "{}", done.err);
    // If the project has no δ, no δ is looser.
    let project = workspace.project("paper");
    let text = fs::read_to_string(&project).unwrap();
    let without: Vec<&str> =
        text.lines().filter(|line| !line.starts_with("max =") && !line.starts_with("min =")).collect();
    fs::write(&project, without.join("\n")).unwrap();
    let overrides = Overrides { delta_min: Some(project_delta.min()), delta_max: Some(project_delta.max()) };
    let analysis = Analysis::load(&project, &overrides).unwrap();
    let way = relative_project_path(workspace.folder.path(), &project).unwrap();
    let log = log(&analysis, way, [at_node("start", &[3, 2, 2], looser[0])]);
    fs::write(workspace.path("s.toml"), log.render()).unwrap();
    workspace.run("replay s.toml -o any.csv", 0, "rows written and verified");
}

/// The first settings have no reason. Each change has one, and going back to a step is a change.
/// The file, the list and the report contain all of them.
// holds: Δ before results
#[test]
fn delta_changes_after_searching_need_a_reason() {
    let workspace = Workspace::new();
    let analysis = workspace.load("paper");
    let delta = |max: &str| Delta::new(Presence::ZERO, max.parse().unwrap()).unwrap();
    let (project, first) = (analysis.problem().delta(), delta("3/4"));
    let mut log = log(
        &analysis,
        relative_project_path(workspace.folder.path(), &workspace.project("paper")).unwrap(),
        [at_node("start", &[1, 0, 0], project)],
    );
    let moment = |second: u32| Moment::read(&format!("2026-03-01T12:00:{second:02}Z")).unwrap();
    log.record_decision(moment(0), None);
    assert_eq!(log.decisions(), [], "nothing is decided before a search");
    log.fix_policy(moment(1));
    log.fix_policy(moment(2));
    log.record_decision(moment(3), None);
    assert_eq!(log.decisions().len(), 1, "δ is fixed once, and is the same");
    log.push(Step { action: Action::Delta(first), ..at_node("start", &[3, 2, 2], first) });
    log.record_decision(moment(4), Some(Reason::read("one in ten is usual here").unwrap()));
    log.go_to(0);
    log.record_decision(moment(5), None);
    log.go_to(1);
    log.record_decision(moment(6), None);
    let recorded: Vec<(String, Delta, Option<String>)> = log
        .decisions()
        .iter()
        .map(|record| (record.at.to_string(), record.delta, record.reason.as_ref().map(ToString::to_string)))
        .collect();
    let at = |second: u32| moment(second).to_string();
    let reason = |text: &str| Some(text.to_owned());
    assert_eq!(
        recorded,
        [
            (at(1), project, None),
            (at(4), first, reason("one in ten is usual here")),
            (at(5), project, reason("went to step 0")),
            (at(6), first, reason("went to step 1")),
        ]
    );
    let path = LogFile::create(workspace.folder.path(), "paper", &log).unwrap().path().to_owned();
    assert_eq!(Log::read(&path).unwrap(), log);
    let name = path.file_name().unwrap().to_str().unwrap();
    let listed = workspace.run(&format!("replay {name} --list"), 0, "");
    assert!(listed.out.contains("fixed before the first search"), "{}", listed.out);
    assert!(listed.out.contains("changed: one in ten is usual here"), "{}", listed.out);
    workspace.run(&format!("replay {name} -o out.csv --report out.json --allow-looser-delta"), 0, "");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(workspace.path("out.json")).unwrap()).unwrap();
    let reported = report["decisions"].as_array().or_else(|| report["run"]["decisions"].as_array()).unwrap();
    let expected =
        [None, reason("one in ten is usual here"), reason("went to step 0"), reason("went to step 1")];
    let reasons: Vec<Option<String>> =
        reported.iter().map(|record| record["reason"].as_str().map(ToOwned::to_owned)).collect();
    assert_eq!(reasons, expected);
    // A missing reason, or a reason for the first settings, is an error.
    let text = fs::read_to_string(&path).unwrap();
    for (from, to, message) in [
        ("reason = \"one in ten is usual here\"\n", "", "after the first needs a `reason`"),
        ("2026-03-01T12:00:04Z", "yesterday", "`yesterday` is not a moment"),
    ] {
        fs::write(&path, text.replace(from, to)).unwrap();
        let error = Log::read(&path).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("line "), "{error}");
    }
}

#[test]
fn replay_never_overwrites_its_session() {
    let workspace = Workspace::new();
    let session = workspace.save("paper", [at_node("start", &[3, 2, 2], delta("1/2", "2/3"))]);
    let name = session.file_name().unwrap().to_str().unwrap();
    let before = fs::read(&session).unwrap();
    fs::hard_link(&session, workspace.path("hard.toml")).unwrap();
    for target in [name, &format!("./{name}"), &format!("hierarchies/../{name}"), "hard.toml"] {
        for arguments in [format!("-o {target}"), format!("-o out.csv --report {target}")] {
            let refused = format!("replay {name} {arguments} --force");
            let done = workspace.run(&refused, 1, "is a session of this project");
            assert!(done.out.is_empty() && !workspace.path("out.csv").exists());
        }
    }
    assert_eq!(fs::read(&session).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn an_irregular_session_file_is_never_waited_for() {
    let workspace = Workspace::new();
    assert!(Command::new("mkfifo").arg(workspace.path("pipe.toml")).status().unwrap().success());
    workspace.run(
        "replay pipe.toml --list",
        1,
        "cannot read session pipe.toml: it is a pipe, a device or similar",
    );
    workspace.run(
        "replay /dev/zero --list",
        1,
        "cannot read session /dev/zero: it is a pipe, a device or similar",
    );
    workspace.run("replay hierarchies --list", 1, "cannot read session hierarchies: it is a folder");
}

#[cfg(unix)]
#[test]
fn a_linked_session_is_saved_at_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let delta = delta("1/2", "2/3");
    let mut log = log(&PAPER, "p.toml", [at_node("start", &[0, 0, 0], delta)]);
    let real = LogFile::create(folder.path(), "p", &log).unwrap().path().to_owned();
    std::os::unix::fs::symlink(&real, path("link.toml")).unwrap();
    let (mut file, _) = LogFile::open(&path("link.toml")).unwrap();
    log.push(at_node("coarser zip", &[1, 0, 0], delta));
    file.save(&log).unwrap();
    assert!(path("link.toml").symlink_metadata().unwrap().is_symlink());
    assert_eq!(Log::read(&real).unwrap(), log);
}

#[test]
fn leftovers_beside_a_session_are_removed_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(".palmtop-left.tmp");
    let log = log(&PAPER, "p.toml", [at_node("start", &[0, 0, 0], delta("1/2", "2/3"))]);
    fs::write(&left, "rows of T").unwrap();
    let mut file = LogFile::create(folder.path(), "p", &log).unwrap();
    assert_eq!(file.take_removed(), std::slice::from_ref(&left));
    fs::write(&left, "rows of T").unwrap();
    file.save(&log).unwrap();
    assert_eq!(file.take_removed(), std::slice::from_ref(&left));
    assert!(!left.exists() && file.take_removed().is_empty());
}
