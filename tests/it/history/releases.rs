//! Releases of the history: what commands write into it, and what they read from it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::save;
use crate::support::{Done, copies, palmtop};
use palmtop::history::{self, Action, Entry, Moment, RecodingRecipe, Sitting, Step};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::verify::{OtherDelta, VerifySpec};
use serde_json::Value;
use tempfile::TempDir;

/// A sample project in a folder of its analyst.
struct Work(TempDir, &'static str);

impl Work {
    fn new() -> Self {
        Self::of("clinic")
    }

    fn of(sample: &'static str) -> Self {
        Self(copies(&["hierarchies", "sample-data/clinic", "sample-data/paper"]), sample)
    }

    fn project(&self) -> PathBuf {
        self.0.path().join(format!("sample-data/{0}/{0}.toml", self.1))
    }

    /// Runs a command in the folder of the project.
    fn run(&self, arguments: &[&str]) -> Done {
        palmtop(self.project().parent().unwrap(), arguments)
    }

    /// Runs a command that succeeds.
    fn do_it(&self, arguments: &str) -> Done {
        let done = self.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(done.status, 0, "{arguments}: {}{}", done.out, done.err);
        done
    }

    /// Runs a command that prints JSON, with any status.
    fn json(&self, arguments: &str) -> Value {
        let done = self.run(&format!("{arguments} --format json").split(' ').collect::<Vec<_>>());
        serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{arguments}: {error}: {}", done.err))
    }

    /// The path of a file in the project's folder.
    fn path(&self, name: &str) -> PathBuf {
        self.project().with_file_name(name)
    }

    fn read(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// Saves a sitting of the project with a search under δ at this time. Returns its name in cautions.
    fn search_in_sitting(&self, at: &str) -> String {
        let analysis = Analysis::load(&self.project(), &Overrides::default()).unwrap();
        let delta = analysis.problem().delta();
        let top = analysis.problem().lattice().top();
        let first = Step { action: Action::Start, recoding: RecodingRecipe::from(&top), delta };
        let mut made = Sitting::new(&analysis, first);
        made.fix_policy(Moment::read(at).unwrap(), None);
        save(&self.project(), &made);
        format!("sitting {} of {at}", history::of_project(&self.project()).unwrap().sittings.len())
    }

    fn entries(&self) -> Vec<Entry> {
        history::of_project(&self.project()).unwrap().releases().to_vec()
    }
}

#[test]
fn every_written_release_has_an_entry() {
    let work = Work::new();
    work.do_it("anonymize clinic.toml --strategy simulatable -o a.csv");
    work.do_it("anonymize clinic.toml --strategy best --budget 2rounds --seed 7 -o b.csv --delta-max 1/5");
    work.do_it("anonymize clinic.toml --strategy n2 -o c.csv");
    let accepted = ["--accept", "not_present=the test needs it", "--accept", "certain=the test needs it"];
    let node = [&["--node", "0,0,0,0,0,0", "-o", "../d.csv"][..], &accepted].concat();
    let node = work.run(&[&["anonymize", "clinic.toml"][..], &node].concat());
    assert_eq!(node.status, 3, "{}", node.err);
    // The history has no release that was not written.
    assert_eq!(work.run(&["anonymize", "clinic.toml", "--strategy", "n2", "-o", "a.csv"]).status, 1);
    let entries = work.entries();
    let files: Vec<&str> = entries.iter().map(|entry| entry.file.as_str()).collect();
    assert_eq!(files, ["a.csv", "b.csv", "c.csv", "../d.csv"]);
    for entry in &entries {
        assert_eq!(palmtop::data::read::hash_file(&entry.path(&work.project())).unwrap(), entry.sha256);
        assert_eq!((entry.rows, entry.step), (800, None));
        assert!(entry.inputs.iter().any(|input| input.path == "clinic.toml"), "{:?}", entry.inputs);
    }
    let best = entries[1].recipe.search().unwrap();
    assert_eq!((best.seed, best.rounds, entries[1].delta.max().to_string()), (7, Some(2), "1/5".to_owned()));
    assert!(entries.iter().all(|entry| entry.audit.is_none()));
    assert!(matches!(entries[3].recipe.recoding, RecodingRecipe::Node(_)) && !entries[3].is_present);
    // The signer's report quotes the reason for accepting a severe caution.
    let done = work.run(&["report", "clinic.toml", "../d.csv", "-o", "d.json", "--format", "json"]);
    assert_eq!(done.status, 3, "{}", done.err);
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(work.project().with_file_name("d.json")).unwrap()).unwrap();
    let cautions = report["verdict"]["cautions"].as_array().unwrap();
    let certain = cautions.iter().find(|caution| caution["key"] == "certain").unwrap();
    assert_eq!(certain["accepted"], "the test needs it");
    let mode = fs::metadata(history::path_of(&work.project())).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(entries[3].accepted[1].key, "not_present");
    let reports = history::of_project(&work.project()).unwrap().reports;
    assert_eq!((reports[0].file.as_str(), &reports[0].release), ("d.json", &entries[3].sha256));
    assert_eq!(work.entries(), entries);
}

#[test]
fn an_audit_stays_with_its_release() {
    let work = Work::new();
    let paper = "../paper/paper.toml";
    work.do_it(&format!("anonymize {paper} --strategy n2 --audit -o ../paper/a.csv"));
    let project = work.0.path().join("sample-data/paper/paper.toml");
    let entry = history::of_project(&project).unwrap().releases()[0].clone();
    let audit = entry.audit.unwrap();
    assert_eq!(
        (audit.method.as_str(), audit.verdict.as_str()),
        ("the release: every possible T was run", "audited")
    );
    work.do_it(&format!("report {paper} ../paper/a.csv -o r.json"));
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(work.project().with_file_name("r.json")).unwrap()).unwrap();
    assert_eq!(report["made_by"]["source"], "paper.history.toml");
    assert_eq!(report["made_by"]["strategy"], "n2");
    let knows = report["adversaries"][1]["basis"].as_str().unwrap();
    assert!(knows.contains("an audit found"), "{knows}");
    // Under other inputs or another δ, the audit in the history does not apply.
    let work_with = |edit: &dyn Fn()| {
        edit();
        work.do_it(&format!("report {paper} ../paper/a.csv -o r.json --force --delta-max 3/4"));
        let text = fs::read_to_string(work.project().with_file_name("r.json")).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        report["adversaries"][1]["judgement"].as_str().unwrap().to_owned()
    };
    assert_eq!(work_with(&|| ()), "not_judged");
    assert_eq!(
        work_with(&|| fs::write(&project, fs::read_to_string(&project).unwrap() + "\n# edited\n").unwrap()),
        "not_judged"
    );
}

#[test]
fn an_unreadable_history_stops_search_and_writing() {
    let work = Work::new();
    let path = history::path_of(&work.project());
    fs::write(&path, "not ours").unwrap();
    let done = work.run(&["anonymize", "clinic.toml", "--strategy", "simulatable", "-o", "a.csv"]);
    assert_eq!(done.status, 1, "{}", done.err);
    assert!(done.err.contains("a release needs the history of its project"), "{}", done.err);
    assert!(done.err.contains("clinic.history.toml, line 1"), "{}", done.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), "not ours");
    assert!(!work.project().with_file_name("a.csv").exists());
}

/// A release without an entry would be forgotten, so it is not written.
#[test]
fn an_unwritable_history_stops_the_export() {
    let work = Work::new();
    let path = history::path_of(&work.project());
    work.do_it("anonymize clinic.toml --strategy simulatable -o first.csv");
    let elsewhere = path.with_file_name("elsewhere.toml");
    fs::rename(&path, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    let done = work.run(&["anonymize", "clinic.toml", "--strategy", "simulatable", "-o", "a.csv"]);
    assert!(done.status == 1 && done.err.contains("cannot be recorded in the history"), "{}", done.err);
    assert!(!work.path("a.csv").exists());
}

#[test]
fn a_rewritten_history_keeps_its_file_mode() {
    let work = Work::new();
    let path = history::path_of(&work.project());
    let mode = || path.metadata().unwrap().permissions().mode() & 0o777;
    work.do_it("anonymize clinic.toml --strategy simulatable -o a.csv");
    assert_eq!(mode(), 0o600, "for its owner alone, unless the owner shares it");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).unwrap();
    work.do_it("anonymize clinic.toml --strategy simulatable -o b.csv");
    assert_eq!(mode(), 0o660);
}

#[test]
fn a_built_in_project_has_no_history() {
    let work = Work::new();
    let done = work.do_it("anonymize @clinic --strategy simulatable -o a.csv");
    assert!(!done.err.contains("history"), "{}", done.err);
    assert!(!history::path_of(&work.project()).exists());
}

/// A release under a δ other than the project's, with or without a reason in the history.
fn under_another_delta(max: &str, reason: Option<&str>) -> Work {
    let work = Work::new();
    work.do_it(&format!("anonymize clinic.toml --strategy simulatable --delta-max {max} -o a.csv"));
    let path = history::path_of(&work.project());
    if let Some(reason) = reason {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("present =", &format!("reason = \"{reason}\"\npresent ="), 1))
            .unwrap();
    }
    work
}

/// The status of the auditors' program, which reads the project alone.
fn status_of_the_verifier(work: &Work, release: &str) -> u8 {
    let spec = VerifySpec::of_project(&work.project(), OtherDelta::default()).unwrap();
    let findings = palmtop::verify::verify(&spec, &work.path(release)).unwrap();
    if findings.is_faithful() && findings.is_present() { 0 } else { 3 }
}

// holds: Exports are recorded
#[test]
fn a_looser_delta_judges_only_on_request() {
    for reason in [None, Some("the board asked for one in four")] {
        let work = under_another_delta("1/4", reason);
        fs::copy(history::path_of(&work.project()), work.path("copy.toml")).unwrap();
        for more in ["", " --history copy.toml"] {
            let done = work.run(&format!("verify clinic.toml a.csv{more}").split(' ').collect::<Vec<_>>());
            assert_eq!(
                i32::from(status_of_the_verifier(&work, "a.csv")),
                done.status,
                "{more}: {}",
                done.out
            );
            assert_eq!(done.status, 3, "{}", done.out);
            assert!(done.err.contains("looser δ 0 to") && done.err.contains("--delta-max 1"), "{}", done.err);
            let report = format!("report clinic.toml a.csv -o r.html --force{more}");
            let done = work.run(&report.split(' ').collect::<Vec<_>>());
            assert!(done.status == 3 && done.out.starts_with("✗ REFUSED"), "{}", done.out);
        }
        let quoted = work.run(&["verify", "clinic.toml", "a.csv"]).err;
        assert_eq!(quoted.contains("one in four"), reason.is_some(), "{quoted}");
        let done = work.do_it("verify clinic.toml a.csv --delta-max 1/4");
        let verdict = done.out.lines().next().unwrap();
        assert!(verdict.ends_with("to 1/4, which is LOOSER than the project's 0 to 1/10"), "{verdict}");
        let json = work.json("verify clinic.toml a.csv --delta-max 1/4");
        assert_eq!((&json["delta"]["max"], &json["delta_from"]["looser"]), (&"1/4".into(), &true.into()));
        assert_eq!(json["delta_from"]["source"], "the command line");
        for reader in ["signer", "recipient"] {
            work.do_it(&format!("report clinic.toml a.csv --for {reader} -o {reader}.html --delta-max 1/4"));
        }
        let page = |name: &str| fs::read_to_string(work.path(name)).unwrap();
        assert!(page("signer.html").contains("δ is looser than the project"), "{}", page("signer.html"));
        assert!(
            page("recipient.html").contains("project has a stricter δ, 0 to 1/10"),
            "{}",
            page("recipient.html")
        );
    }
}

// holds: Exports are recorded
#[test]
fn a_stricter_delta_of_the_history_is_taken() {
    let work = under_another_delta("1/12", None);
    let done = work.do_it("verify clinic.toml a.csv");
    assert!(done.out.contains("δ-present under δ 0 to 1/12, in place of the project's"), "{}", done.out);
}

/// P is made larger after the release: by today's P it keeps δ, and the history knows that it did not.
// holds: Exports are recorded
#[test]
fn other_inputs_and_a_broken_policy_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("P.csv", "q\n1\n2\n3\n4\n");
    put("T.csv", "q\n1\n2\n");
    put("h.toml", "type = \"flat\"\n");
    let project = "[private]\npath = \"T.csv\"\n[public]\npath = \"P.csv\"\n[delta]\nmax = \"1/2\"\n\
                   [[attribute]]\nname = \"q\"\nrole = \"quasi\"\nhierarchy = \"h.toml\"\n";
    put("p.toml", project);
    let run = |arguments: &[&str]| palmtop(folder.path(), arguments);
    let reports = || {
        let signer = run(&["report", "p.toml", "r.csv", "-o", "s.json", "--force"]);
        let recipient = run(&["report", "p.toml", "r.csv", "-o", "c.html", "--force", "--for", "recipient"]);
        assert_eq!((signer.status, recipient.status), (0, 0), "{}{}", signer.err, recipient.err);
        ["s.json", "c.html"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap())
    };
    let made = ["anonymize", "p.toml", "--node", "0", "-o", "r.csv"];
    let more = ["--accept", "not_present=they agreed to it", "--accept", "certain=these people agreed to it"];
    assert_eq!(run(&[&made[..], &more].concat()).status, 3);
    put("P.csv", &format!("q\n{}", "1\n2\n3\n4\n".repeat(5)));
    let done = run(&["verify", "p.toml", "r.csv"]);
    assert_eq!(done.status, 0, "{}", done.out);
    for words in [
        "caution    registered: When this release was written, it did NOT keep δ 0 to 1/2",
        "another P.csv than",
    ] {
        assert!(done.out.contains(words), "{}", done.out);
    }
    let [signer, recipient] = reports();
    assert!(signer.contains("did NOT keep δ 0 to 1/2"), "{signer}");
    assert!(recipient.contains("Ask the sender why they differ"), "{recipient}");
    // With the same files there is nothing to say; each other file but T is told by its name.
    let again = ["anonymize", "p.toml", "--node", "0", "-o", "r.csv", "--force"];
    assert_eq!(run(&again).status, 0);
    let told = || run(&["verify", "p.toml", "r.csv"]).out;
    assert!(!told().contains("registered") && reports().iter().all(|report| !report.contains("registered")));
    put("h.toml", "type = \"flat\"\n# another\n");
    assert!(told().contains("written with another h.toml than today's"), "{}", told());
    put("p.toml", &format!("{project}# another\n"));
    assert!(told().contains("other files than today's: h.toml and p.toml"), "{}", told());
    put("h.toml", "type = \"flat\"\n");
    put("p.toml", project);
    put("T.csv", "q\n2\n1\n");
    assert!(!told().contains("registered"), "{}", told());
}

#[test]
fn a_damaged_history_takes_no_verdict_away() {
    let work = Work::new();
    work.do_it("anonymize clinic.toml --strategy simulatable -o a.csv");
    fs::write(history::path_of(&work.project()), "release = 1").unwrap();
    let done = work.do_it("verify clinic.toml a.csv");
    assert!(
        done.err.contains("clinic.history.toml, line 1") && done.err.contains("its δ is not used"),
        "{}",
        done.err
    );
    let done = work.run(&["report", "clinic.toml", "a.csv", "-o", "r.html"]);
    assert_eq!(done.status, 1);
    assert!(done.err.contains("clinic.history.toml, line 1"), "{}", done.err);
}

/// The sentence of a caution; `None` if it is not in the list.
fn sentence<'a>(cautions: &'a Value, key: &str) -> Option<&'a str> {
    let mut cautions = cautions.as_array().unwrap().iter();
    cautions.find(|caution| caution["key"] == key).map(|caution| caution["sentence"].as_str().unwrap())
}

#[test]
fn an_earlier_release_is_cautioned_everywhere() {
    let work = Work::of("paper");
    let export = |file: &str| format!("anonymize paper.toml --strategy simulatable --force -o {file}");
    let earlier = |cautions: &Value| sentence(cautions, "earlier_release").map(ToOwned::to_owned);
    let named = |files: &str| Some(format!("This project has another release: {files}."));
    assert_eq!(earlier(&work.json("check paper.toml")["cautions"]), None);
    work.do_it(&format!("{} --with report", export("a.csv")));
    assert_eq!(earlier(&work.read("a.report.json")["cautions"]), None);
    // The same rows again are no other release.
    work.do_it(&format!("{} --with report", export("a.csv")));
    assert_eq!(earlier(&work.read("a.report.json")["cautions"]), None);
    // The same rows under another name are no other release.
    work.do_it(&format!("{} --with report", export("copy.csv")));
    assert_eq!(earlier(&work.read("copy.report.json")["cautions"]), None);
    work.do_it("report paper.toml copy.csv -o signed.json");
    assert_eq!(earlier(&work.read("signed.json")["verdict"]["cautions"]), None);
    let done = work.do_it("anonymize paper.toml --node 3,2,2 -o ../b.csv --with report");
    assert!(done.err.contains("caution earlier_release: earlier release, a.csv, copy.csv: "), "{}", done.err);
    assert_eq!(earlier(&work.read("../b.report.json")["cautions"]), named("a.csv, copy.csv"));
    assert_eq!(earlier(&work.json("check paper.toml")["cautions"]), named("a.csv, copy.csv, ../b.csv"));
    let text = work.do_it("check paper.toml").out;
    assert!(text.contains("caution   earlier_release: This project has another release"), "{text}");
    let compared = work.json("compare paper.toml --strategy spalm");
    assert_eq!(earlier(&compared["runs"][0]["cautions"]), named("a.csv, copy.csv, ../b.csv"));
    let are_reported = || {
        for (file, expected) in [("a.csv", None), ("../b.csv", named("a.csv, copy.csv"))] {
            work.do_it(&format!("report paper.toml {file} -o signer.json --force"));
            assert_eq!(earlier(&work.read("signer.json")["verdict"]["cautions"]), expected, "{file}");
        }
    };
    are_reported();
    // Later releases change neither report.
    work.do_it(&export("c.csv"));
    are_reported();
    // A release in a distant folder is listed without its path.
    let elsewhere = tempfile::tempdir().unwrap();
    work.do_it(&export(&elsewhere.path().join("far.csv").to_string_lossy()));
    assert_eq!(
        earlier(&work.json("check paper.toml")["cautions"]),
        named("a.csv, copy.csv, ../b.csv, c.csv, far.csv")
    );
}

#[test]
fn an_earlier_sitting_is_cautioned_everywhere() {
    let work = Work::of("paper");
    let other = |cautions: &Value| sentence(cautions, "other_session").map(ToOwned::to_owned);
    let named = |files: &str| Some(format!("Another sitting of this project has searched before: {files}."));
    work.do_it("anonymize paper.toml --strategy simulatable -o first.csv");
    let early = work.search_in_sitting("2026-01-02T03:04:05Z");
    assert_eq!(other(&work.json("check paper.toml")["cautions"]), named(&early));
    let done = work.do_it("anonymize paper.toml --strategy simulatable -o a.csv --with report");
    assert!(done.err.contains("caution other_session: other sitting, "), "{}", done.err);
    assert_eq!(other(&work.read("a.report.json")["cautions"]), named(&early));
    // The sitting from which a release is made does not count as another one.
    let replayed = work.json("anonymize paper.toml --step 0 -o b.csv");
    assert_eq!(other(&replayed["cautions"]), None);
    work.do_it("report paper.toml a.csv -o a.json");
    assert_eq!(other(&work.read("a.json")["verdict"]["cautions"]), named(&early));
    work.do_it("report paper.toml a.csv -o a.html");
    let page = fs::read_to_string(work.path("a.html")).unwrap();
    // Page 1 has its line, and the annex the sentence.
    assert_eq!(page.matches(&named(&early).unwrap()).count(), 1, "{page}");
    assert!(page.contains("<strong>other sitting</strong>"), "{page}");
    work.do_it("report paper.toml b.csv -o b.json");
    assert_eq!(other(&work.read("b.json")["verdict"]["cautions"]), None);
    // A later search changes neither report.
    let late = work.search_in_sitting("2999-01-02T03:04:05Z");
    assert_eq!(other(&work.json("check paper.toml")["cautions"]), named(&format!("{early}, {late}")));
    for (release, expected) in [("a.csv", named(&early)), ("b.csv", None)] {
        work.do_it(&format!("report paper.toml {release} -o again.json --force"));
        assert_eq!(other(&work.read("again.json")["verdict"]["cautions"]), expected, "{release}");
    }
}
