//! Steps of the history: each gives the same release again, or the reason why not.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use super::*;
use palmtop::history::ReplayError;
use palmtop::model::Criteria;
use serde_json::Value;

/// A result without the cautions about earlier releases and sittings.
fn without_surroundings(mut result: Value) -> Value {
    let is_of_release = |caution: &Value| {
        caution["key"] != "earlier_release"
            && caution["key"] != "other_session"
            && caution["key"] != "seen_searches"
    };
    result["cautions"].as_array_mut().unwrap().retain(is_of_release);
    result
}

/// Makes a step again and runs the equivalent command. Both must give the same file and the same
/// result.
fn expect_twin(workspace: &Workspace, step: usize, project: &str, twin: &str, status: i32) -> Value {
    let written = "rows written and verified";
    let twin = format!("anonymize {project} {twin} -o twin-{step}.csv --format json");
    let mut twin = workspace.run_with(&twin, &NOT_PRESENT, status, written).json();
    let again = format!("anonymize {project} --step {step} -o {step}.csv --with report --format json");
    let looser = ["--accept", "looser_delta=the test looks at it"];
    let accepted: Vec<&str> =
        if step == 4 { NOT_PRESENT.iter().chain(&looser).copied().collect() } else { NOT_PRESENT.to_vec() };
    let again = workspace.run_with(&again, &accepted, status, written).json();
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
    // A step is made again without a limit of time.
    twin["search"]["budget"] = Value::Null;
    // The twin was written first and without a sitting.
    let again = without_surroundings(again);
    let twin = without_surroundings(twin);
    assert_eq!(again, twin, "step {step}");
    again
}

// holds: Replay
#[test]
fn a_step_made_again_gives_the_same_bytes() {
    let workspace = Workspace::new();
    let (project_delta, other) = (delta("1/2", "2/3"), delta("1/3", "3/4"));
    workspace.save(
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
    for (step, twin, status) in [
        (1, "--node 1,2,3", 3),
        (2, "--strategy n2", 0),
        (3, "--strategy best --budget 2rounds", 0),
        (4, "--strategy n2", 0),
        (5, "--strategy spalm", 0),
    ] {
        let again = expect_twin(&workspace, step, PAPER_PROJECT, twin, status);
        assert_eq!(again["delta"]["max"], if step == 4 { "3/4" } else { "2/3" });
    }
    let report: Value = serde_json::from_str(&workspace.read("2.report.json")).unwrap();
    assert_eq!(report["inputs"].as_array().unwrap().len(), 6);
}

#[test]
fn a_stopped_best_replays_from_seed_and_rounds() {
    let workspace = Workspace::new();
    let project_delta = delta("0", "1/10");
    let stopped = Search { seed: 7, complete: false, ..search("best", Some(2), project_delta) };
    workspace.save("clinic", [at_search("search best", stopped, project_delta)]);
    let twin = "--strategy best --budget 2rounds --seed 7";
    let again = expect_twin(&workspace, 0, "sample-data/clinic/clinic.toml", twin, 0);
    assert_eq!((&again["seed"], &again["search"]["rounds"]), (&7.into(), &2.into()));
}

#[test]
fn a_step_is_judged_under_its_own_delta() {
    let workspace = Workspace::new();
    let (project_delta, strict) = (delta("1/2", "2/3"), delta("1/2", "3/5"));
    let step = at_search("δ 1/2 to 3/5", search("n2", None, project_delta), strict);
    workspace.save("paper", [at_node("start", &[0, 0, 0], project_delta), step]);
    let step = format!("anonymize {PAPER_PROJECT} --step 1 -o r.csv");
    let refused = workspace.run(&format!("{step} --format json"), 3, "the release is not δ-present");
    assert_eq!(refused.json()["delta"]["max"], "3/5");
    assert!(!workspace.path("r.csv").exists());
    workspace.run_with(&step, &NOT_PRESENT, 3, "NOT δ-present");
    workspace.run(&format!("anonymize {PAPER_PROJECT} --strategy n2 -o twin.csv"), 0, "");
    assert_eq!(workspace.read("r.csv"), workspace.read("twin.csv"));
    let table = workspace.run_with(&format!("{step} --force"), &NOT_PRESENT, 3, "").out;
    assert!(table.contains("searched under δ    1/2 to 2/3\n"), "{table}");
    workspace.run(&step, 1, "r.csv exists; choose another name");
    workspace.run(
        &format!("anonymize {PAPER_PROJECT} --step 0 -o r.csv --force"),
        3,
        "the release is not δ-present",
    );
    assert_eq!(workspace.read("r.csv"), workspace.read("twin.csv"));
}

#[test]
fn a_changed_input_stops_a_step() {
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
        workspace.save("paper", [at_node("start", &[3, 2, 2], project_delta)]);
        spoil(&workspace.path(name));
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        let done = workspace.run(
            &format!("anonymize {PAPER_PROJECT} --step 0 -o r.csv"),
            1,
            "have changed or are missing",
        );
        assert!(done.err.contains(&format!("{file}; the release would be different")), "{}", done.err);
        assert!(done.out.is_empty() && !workspace.path("r.csv").exists());
        // The steps can still be listed.
        workspace.run(&format!("check {PAPER_PROJECT} --history"), 0, "");
    }
}

#[test]
fn steps_are_listed_and_chosen_by_number() {
    let workspace = Workspace::new();
    let project_delta = delta("1/2", "2/3");
    workspace.save(
        "paper",
        [
            at_node("start", &[0, 0, 0], project_delta),
            at_node("coarser zip", &[3, 2, 2], project_delta),
            at_search("search best", search("best", Some(3), project_delta), delta("1/2", "3/4")),
        ],
    );
    let (mut file, mut newest) = SittingFile::newest(&workspace.project("paper")).unwrap().unwrap();
    newest.go_to(1);
    file.save(&newest).unwrap();
    let list = format!("check {PAPER_PROJECT} --history");
    let listed = workspace.run(&format!("{list} --format csv"), 0, "");
    let expected = "step,current,how,place,delta_min,delta_max\n\
                    1.0,,start,\"0,0,0\",1/2,2/3\n\
                    1.1,current,coarser zip,\"3,2,2\",1/2,2/3\n\
                    1.2,,search best,\"best, 3 rounds from seed 0\",1/2,3/4\n";
    assert_eq!(listed.out, expected);
    let table = workspace.run(&list, 0, "").out;
    assert!(table.lines().nth(2).is_some_and(|line| line.contains('▸') && line.contains("3,2,2")), "{table}");
    let steps = workspace.run(&format!("{list} --format json"), 0, "").json();
    assert_eq!((&steps["steps"][1]["current"], &steps["steps"][1]["node"][0]), (&true.into(), &3.into()));
    assert_eq!(
        (&steps["steps"][2]["search"]["rounds"], &steps["steps"][2]["delta"]["max"]),
        (&3.into(), &"3/4".into())
    );
    let make = |step: &str, file: &str| format!("anonymize {PAPER_PROJECT} --step {step} -o {file}");
    workspace.run(&make("1", "newest.csv"), 0, "");
    workspace.run(&make("1.1", "named.csv"), 0, "");
    assert_eq!(workspace.read("newest.csv"), workspace.read("named.csv"));
    workspace.run(&make("3", "x.csv"), 2, "no step 3: the steps are 0 to 2");
    workspace.run(&make("2.0", "x.csv"), 2, "there is one sitting");
    workspace.run(&make("x", "x.csv"), 2, "expected a step such as 4");
    workspace.run(&format!("{} --budget 3rounds", make("1", "x.csv")), 2, "cannot be used with");
    // Another file may be the history: a copy, or that of another project, whose files are other ones.
    fs::copy(workspace.path("sample-data/paper/paper.history.toml"), workspace.path("copy.toml")).unwrap();
    workspace.run(&format!("{} --history copy.toml", make("1", "copied.csv")), 0, "");
    assert_eq!(workspace.read("newest.csv"), workspace.read("copied.csv"));
    workspace.run(
        "anonymize sample-data/clinic/clinic.toml --step 1 --history copy.toml -o x.csv",
        1,
        "have changed or are missing",
    );
    workspace.run(
        &format!("{} --history nowhere.toml", make("1", "x.csv")),
        1,
        "cannot read the history nowhere.toml",
    );
    // The words of 0.1.0 answer with the new ones.
    workspace.run("replay paper.session.toml -o x.csv", 2, "anonymize paper.toml --step N");
    let gone = format!("{} --allow-looser-delta", make("1", "x.csv"));
    workspace.run(&gone, 2, "`--accept looser_delta=REASON`");
    workspace.run(&format!("verify {PAPER_PROJECT} newest.csv --session x.toml"), 2, "is now `--history`");
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
    let log_of =
        |recipe| sitting(&analysis, [Step { action: Action::Start, recoding: recipe, delta: project_delta }]);
    let replay =
        |log: &Sitting| history::release(&analysis, log, 0, &mut *go_on()).map(|again| again.release);

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
            "then, but finds 3,2,2 now",
        ),
        (
            Search { node: Some(levels(&[3, 2, 2])), ..search("n2", None, project_delta) },
            "then, but finds regions now",
        ),
    ] {
        let refused = replay(&log_of(RecodingRecipe::Search(search))).unwrap_err().to_string();
        assert!(refused.contains(refusal), "expected {refusal}\n   found {refused}");
    }
    assert!(matches!(replay(&log_of(RecodingRecipe::Node(levels(&[0])))), Err(ReplayError::NotANode { .. })));
    let spalm = log_of(RecodingRecipe::Search(search("spalm", None, project_delta)));
    let stop = history::release(&analysis, &spalm, 0, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stop, Err(ReplayError::Cancelled)));
    assert!(matches!(
        history::release(&analysis, &spalm, 1, &mut *go_on()),
        Err(ReplayError::NoSuchStep { .. })
    ));

    // A changed hash, a new input, a missing input.
    let spoil: [fn(&mut Sitting); 3] = [
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
fn a_step_is_made_under_its_own_policy() {
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
    workspace.save("paper", [at_node("start", &[5, 2, 3], project_delta)]);
    let text = workspace.read("sample-data/paper/paper.history.toml");
    assert!(text.contains("[sitting.policy]\nk = \"3\"\n"), "{text}");
    let read = history::of_project(&workspace.project("paper")).unwrap().sittings.remove(0);
    assert_eq!(read.criteria, *analysis.problem().policy().criteria());
    let again = history::release(&analysis, &read, 0, &mut *go_on()).unwrap();
    assert_eq!(again.release.policy, *analysis.problem().policy());

    // Another policy for the same inputs.
    let mut spoilt = read.clone();
    spoilt.criteria = Criteria::read([("k", "2")]).unwrap();
    let refused = history::release(&analysis, &spoilt, 0, &mut *go_on()).unwrap_err();
    let expected = "beside δ, this sitting enforced k = 2, but the project enforces k = 3";
    assert!(refused.to_string().starts_with(expected), "{refused}");
    // A project with another policy has another hash.
    assert!(matches!(
        history::release(&with("2"), &read, 0, &mut *go_on()),
        Err(ReplayError::InputsChanged { .. })
    ));
}

#[test]
fn a_step_under_looser_delta_needs_a_reason() {
    let workspace = Workspace::new();
    let project_delta = delta("1/2", "2/3");
    let looser = [delta("1/2", "3/4"), delta("1/3", "2/3"), delta("0", "1")];
    let steps = looser.map(|delta| at_node("start", &[3, 2, 2], delta));
    workspace.save("paper", steps.into_iter().chain([at_node("start", &[3, 2, 2], project_delta)]));
    let accept = ["--accept", "looser_delta=the board asked for more detail"];
    for (step, delta) in looser.iter().enumerate() {
        let make = format!("anonymize {PAPER_PROJECT} --step {step} -o {step}.csv");
        let message = format!("step {step}: its δ {delta} is looser than the project's {project_delta}");
        let done = workspace.run(&make, 1, &message);
        assert!(done.out.is_empty() && !workspace.path(&format!("{step}.csv")).exists());
        let message = format!("δ {delta}, which is looser than the project's {project_delta}");
        workspace.run_with(&make, &accept, 0, &message);
    }
    let history = history::of_project(&workspace.project("paper")).unwrap();
    assert_eq!(history.releases()[0].reason.as_deref(), Some("the board asked for more detail"));
    // If it is not needed, the command prints no remark about it.
    let done = workspace.run_with(&format!("anonymize {PAPER_PROJECT} --step 3 -o own.csv"), &accept, 0, "");
    assert!(!done.err.contains("looser than"), "{}", done.err);
}

/// The first δ may have no reason. Each change has one, or says that it has none.
// holds: Δ before results
#[test]
fn delta_changes_after_searching_need_a_reason() {
    let workspace = Workspace::new();
    let analysis = workspace.load("paper");
    let delta = |max: &str| Delta::new(Presence::ZERO, max.parse().unwrap()).unwrap();
    let (project, first) = (analysis.problem().delta(), delta("3/4"));
    let mut log = sitting(&analysis, [at_node("start", &[1, 0, 0], project)]);
    let moment = |second: u32| Moment::read(&format!("2026-03-01T12:00:{second:02}Z")).unwrap();
    log.record_decision(moment(0), None);
    assert_eq!(log.decisions(), [], "nothing is decided before a search");
    log.fix_policy(moment(1), None);
    log.fix_policy(moment(2), None);
    log.record_decision(moment(3), None);
    assert_eq!(log.decisions().len(), 1, "δ is fixed once, and is the same");
    log.push(Step { action: Action::Delta(first), ..at_node("start", &[3, 2, 2], first) });
    log.record_decision(moment(4), Some(Reason::read("one in ten is usual here").unwrap()));
    log.go_to(0);
    log.record_file(moment(5), None);
    log.go_to(1);
    log.record_decision(moment(6), None);
    let expected = [
        (1, project, "accepted before the first search"),
        (4, first, "one in ten is usual here"),
        (5, project, "changed in the project file, no reason given"),
        (6, first, "went to step 1"),
    ];
    let recorded: Vec<_> = log
        .decisions()
        .iter()
        .map(|decision| (decision.at.clone(), decision.delta, decision.words()))
        .collect();
    assert_eq!(recorded, expected.map(|(second, delta, words)| (moment(second), delta, words.to_owned())));
    save(&workspace.project("paper"), &log);
    let listed = workspace.run(&format!("check {PAPER_PROJECT} --history"), 0, "");
    assert!(expected.iter().all(|(.., words)| listed.out.contains(words)), "{}", listed.out);
    let accept = ["--accept", "looser_delta=the test looks at it"];
    let make = format!("anonymize {PAPER_PROJECT} --step 1 -o out.csv --with report");
    workspace.run_with(&make, &accept, 0, "");
    let report: Value = serde_json::from_str(&workspace.read("out.report.json")).unwrap();
    let reported = report["decisions"].as_array().unwrap();
    let words: Vec<&str> = reported.iter().map(|decision| decision["words"].as_str().unwrap()).collect();
    assert_eq!(words, expected.map(|(.., words)| words));
}

/// No output takes the name of a file that palmtop keeps, even before the file exists.
#[test]
fn names_that_palmtop_keeps_are_no_outputs() {
    let workspace = Workspace::new();
    let kept = "is kept for the history of a project";
    for (name, why) in [
        ("paper.history.toml", kept),
        ("paper.releases.toml", kept),
        ("paper.session.toml", kept),
        (".paper.reduced", "is a file of this project"),
    ] {
        for force in ["", " --force"] {
            let name = format!("sample-data/paper/{name}");
            workspace.run(&format!("anonymize {PAPER_PROJECT} --strategy n2 -o {name}{force}"), 1, why);
            assert!(!workspace.path(&name).exists(), "{name}");
        }
    }
    workspace.save("paper", [at_node("start", &[3, 2, 2], delta("1/2", "2/3"))]);
    let name = "sample-data/paper/paper.history.toml";
    let before = workspace.read(name);
    fs::hard_link(workspace.path(name), workspace.path("hard.toml")).unwrap();
    // The name of a report follows from that of the release, so only a link makes it another file.
    fs::hard_link(workspace.path(name), workspace.path("out.report.json")).unwrap();
    let refuse = |arguments: &str| {
        let refused = format!("anonymize {PAPER_PROJECT} --step 0 {arguments} --force");
        let done = workspace.run(&refused, 1, kept);
        assert!(done.out.is_empty() && !workspace.path("out.csv").exists());
    };
    for arguments in ["-o out.csv", "-o ./out.csv", "-o hierarchies/../out.csv"] {
        refuse(&format!("{arguments} --with report"));
    }
    for target in
        [name, &format!("./{name}"), "hierarchies/../sample-data/paper/paper.history.toml", "hard.toml"]
    {
        refuse(&format!("-o {target}"));
        workspace.run(&format!("classes {PAPER_PROJECT} --node 3,2,2 -o {target} --force"), 1, "history");
    }
    assert_eq!(workspace.read(name), before);
}

#[test]
fn an_irregular_history_is_never_waited_for() {
    let workspace = Workspace::new();
    for name in ["paper.history.toml", "paper.releases.toml", "paper.session.toml"] {
        let path = workspace.path(&format!("sample-data/paper/{name}"));
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        workspace.run(&format!("check {PAPER_PROJECT}"), 0, "it is a pipe, a device or similar");
        fs::remove_file(path).unwrap();
    }
    workspace.run(
        &format!("anonymize {PAPER_PROJECT} --step 0 --history /dev/zero -o x.csv"),
        1,
        "cannot read the history /dev/zero: it is a pipe, a device or similar",
    );
}
