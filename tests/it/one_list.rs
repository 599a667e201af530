//! One list of cautions: 200 random releases have the same list, key by key and figure by figure, in the window of an export, in
//! `anonymize`, in `compare`, in `verify` and in the report.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::dice::Dice;
use crate::support::palmtop;
use palmtop::caution::{self, Basis, Caution, Circumstances, Judged, Key, LISTS_DIFFER};
use palmtop::caution::{NextRelease, WrittenRelease};
use palmtop::data::read::hash_file;
use palmtop::data::write::RealDisk;
use palmtop::history::{self, Action, Draft, Moment, Reason, Recipe, RecodingRecipe, Sitting};
use palmtop::history::{SittingFile, Stated, Step, StepName};
use palmtop::model::{Delta, Level, Presence};
use palmtop::pipeline::{self, Analysis, Export, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::report::{Report, ReportRequest};
use palmtop::search::Config;
use serde_json::Value;
use tempfile::TempDir;

/// A random project in a folder, with a history.
struct Case {
    folder: TempDir,
    dice: Dice,
    overrides: Overrides,
}

/// How the release of a case is made.
struct Made {
    release: Release,
    recoding: RecodingRecipe,
    /// The words of the command that makes it.
    what: String,
    /// The step, if it is made on the workbench.
    step: Option<StepName>,
}

impl Case {
    fn of(seed: u64) -> Self {
        let (folder, dice) = (tempfile::tempdir().unwrap(), Dice::new(seed));
        let mut case = Self { folder, dice, overrides: Overrides::default() };
        case.write_tables();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn load(&self) -> Analysis {
        Analysis::load(&self.path("project.toml"), &self.overrides).unwrap()
    }

    /// T ⊂ P with three quasi-identifiers, and in T columns of every kind.
    fn write_tables(&mut self) {
        let dice = &mut self.dice;
        let days = ["1931-01-05", "1931-02-05", "1954-02-05", "1997-03-01", "2124-02-05"];
        let (is_fine, has_code, is_alike) = (dice.percent(50), dice.percent(30), dice.percent(20));
        let zips = ["z0", "z1", "z2", "z3", if has_code { "unknown" } else { "z4" }];
        let zips = if is_fine { days } else { zips };
        let ages: Vec<String> = (0..12).map(|age| (age * 7 + 15).to_string()).collect();
        let diagnoses = if dice.percent(20) { 1 } else { 3 };
        let (copies, spare) = (dice.within(1, 2), *dice.pick(&["", "", "visits", "Note"]));
        let outsiders = *dice.pick(&["refuse", "refuse", "drop", "add"]);
        let distinct = *dice.pick(&[80, 100]);
        let in_private = *dice.pick(&[10, 40, 95]);
        // P numbers its people, too, and has the first member under another number.
        let has_numbers = copies == 1 && distinct == 80 && spare.is_empty();
        let spare = if has_numbers { "id" } else { spare };
        let mut public = format!("zip,age,sex{}{spare}\n", if spare.is_empty() { "" } else { "," });
        let mut private = "zip,age,sex,diagnosis,note,told,id\n".to_owned();
        for person in 0..dice.within(8, 90) {
            let (zip, age) = (*dice.pick(&zips), dice.below(ages.len()));
            let row = format!("{zip},{},{}", ages[age], dice.pick(&["m", "f"]));
            let more = match spare {
                "" => String::new(),
                "id" => format!(",{}", if person == 0 { 900 } else { person }),
                _ => format!(",{}", person % 5 + 1),
            };
            public.push_str(&format!("{row}{more}\n").repeat(copies));
            if person == 0 || dice.percent(in_private) {
                let ill = dice.below(diagnoses);
                let note = if dice.percent(distinct) { person } else { 0 };
                let id = if person == 5 && is_alike { "0004".to_owned() } else { person.to_string() };
                private.push_str(&format!("{row},d{ill},{note},year{},{id}\n", 2026 - age * 7));
            }
        }
        if outsiders != "refuse" {
            private.push_str(&format!("{},15,m,d0,5,year1,901\n", zips[0]));
            private.push_str(&format!("{},15,f,d0,6,year1,902\n", zips[3]));
        }
        let chain = |values: &[&str]| {
            let lines = values.iter().map(|value| format!("{value};{}x;*\n", &value[..3.min(value.len())]));
            lines.collect::<Vec<_>>().concat()
        };
        let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
        // Of days palmtop makes the levels itself.
        let days_name = if is_fine && dice.percent(60) { "birth" } else { "zip" };
        let (public, private) = (public.replacen("zip", days_name, 1), private.replacen("zip", days_name, 1));
        let of_days = "type = \"date\"\nlevels = [\"month\", \"year\"]\n".to_owned();
        let of_zips = if is_fine { ("zip.toml", of_days) } else { ("zip.csv", chain(&zips)) };
        let hierarchies = [of_zips, ("age.csv", chain(&ages)), ("sex.csv", "m;*\nf;*\n".to_owned())];
        let role = |dice: &mut Dice| *dice.pick(&["sensitive", "sensitive", "withheld", "undecided"]);
        let roles = ["diagnosis", "note", "told"].map(|name| {
            let role = if name == "diagnosis" { "sensitive" } else { role(dice) };
            format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n")
        });
        let identifier = "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n";
        let (min, max) =
            *dice.pick(&[("0", "1/2"), ("0", "1"), ("1/10", "3/5"), ("0", "9/10"), ("0", "1/4")]);
        let grounds = *dice.pick(&[
            "",
            "",
            "reason = \"the board asked for this bound\"\n",
            "prior = \"40%\"\nmisuse = \"6%\"\n",
            "prior = \"90%\"\nmisuse = \"1%\"\nreason = \"the board asked for this bound\"\n",
        ]);
        let policy = *dice.pick(&[
            "",
            "k = 2\n",
            "l = { distinct = 2, of = \"diagnosis\" }\n",
            "suppress_at_most = \"20%\"\n",
            "suppress_at_most = \"20%\"\n",
            "t = { at_most = \"0.9\", of = \"diagnosis\" }\n",
        ]);
        let quasi = [days_name, "age", "sex"].into_iter().zip(&hierarchies).map(|(name, (file, _))| {
            format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{file}\"\n")
        });
        let quasi: Vec<String> = quasi.collect();
        let project = format!(
            "[public]\npath = \"p.csv\"\n\n[private]\npath = \"t.csv\"\nnot_in_public = \"{outsiders}\"\n\n[delta]\nmin = \
             \"{min}\"\nmax = \"{max}\"\n{grounds}\n[policy]\n{policy}\n{}{}",
            quasi.concat(),
            roles.concat() + identifier
        );
        if dice.percent(15) {
            self.overrides.delta_max = Some(Presence::ONE);
        }
        for (name, text) in &hierarchies {
            self.write(name, text);
        }
        self.write("p.csv", &public);
        self.write("t.csv", &private);
        self.write("project.toml", &project);
    }

    /// A release by a node or a search; `None` if the search finds none.
    fn make(&mut self, analysis: &Analysis) -> Option<Made> {
        let (problem, config) = (analysis.problem(), Config::default());
        let strategy = *self.dice.pick(&["", "", "spalm", "n2", "simulatable", "simulatable", "n1"]);
        let mut levels = || Level(u8::try_from(self.dice.below(3)).unwrap());
        let levels = [levels(), levels(), Level(levels().0.min(1))];
        let (release, what) = if strategy.is_empty() {
            let node = problem.lattice().node(&levels).unwrap();
            (analysis.by_hand(problem, node.clone()), format!("--node {node}"))
        } else {
            let found = analysis.search(problem, strategy.parse().unwrap(), &config, &mut unwatched);
            (found.release?, format!("--strategy {strategy}"))
        };
        let recoding = RecodingRecipe::of_release(&release, &config).unwrap();
        Some(Made { release, recoding, what, step: None })
    }

    /// What happened on the workbench before: other sittings, searches, decisions, and the step of the release.
    fn sit(&mut self, analysis: &Analysis, made: &mut Made) {
        let delta = analysis.problem().delta();
        let first = Step { action: Action::Start, recoding: RecodingRecipe::Node(vec![Level(0); 3]), delta };
        let count = *self.dice.pick(&[0, 0, 1, 1, 2]);
        let is_workbench = self.dice.percent(50);
        for nth in 0..count {
            let mut sitting = Sitting::new(analysis, first.clone());
            if self.dice.percent(30) {
                let reason = Reason::read("we asked everybody who works here").ok();
                sitting.state(Moment::now(), Stated { delta, reason, grounds: None });
            }
            if self.dice.percent(70) {
                let stated = sitting.stated();
                sitting.fix_policy(Moment::now(), stated.as_ref());
                for name in ["n1", "n2", "spalm"].iter().take(self.dice.below(4)) {
                    let found = analysis.search(
                        analysis.problem(),
                        name.parse().unwrap(),
                        &Config::default(),
                        &mut unwatched,
                    );
                    let found = found
                        .release
                        .and_then(|found| RecodingRecipe::of_release(&found, &Config::default()));
                    if let Some(RecodingRecipe::Search(search)) = found {
                        sitting.note_search(&search, Moment::now());
                    }
                }
                if self.dice.percent(30) {
                    let other = Delta::new(Presence::ZERO, Presence::new(19, 20).unwrap()).unwrap();
                    sitting.push(Step { delta: other, ..first.clone() });
                    sitting.record_decision(Moment::now(), Reason::read("we saw the first results").ok());
                    sitting.push(first.clone());
                    sitting.record_decision(Moment::now(), None);
                }
            }
            if nth + 1 == count && is_workbench {
                let recoding = made.recoding.clone();
                sitting.push(Step { action: Action::Exported, recoding, delta });
                made.step = Some(StepName { sitting: nth, step: sitting.current() });
            }
            SittingFile::new(&self.path("project.toml")).save(&sitting).unwrap();
        }
    }

    /// The list of a release, of which some cautions are accepted.
    fn accepted_in_part(&mut self, analysis: &Analysis, made: &Made) -> Judged {
        let history = history::of_project(analysis.path()).unwrap();
        let (recoding, delta) = (&made.recoding, made.release.delta());
        let next = NextRelease { recoding, delta, sitting: None, file: None, reason: None };
        let known = Circumstances::of_next(analysis, &history, &next);
        let mut judged = Basis::of(analysis, &mut unwatched).unwrap().judge(analysis, &made.release, &known);
        for caution in &mut judged.cautions {
            let reason = || "everybody here agreed to it".to_owned();
            caution.accepted = self.dice.percent(50).then(reason);
        }
        judged
    }

    /// Writes a release with its entry.
    fn export(&self, analysis: &Analysis, made: &Made, judged: &Judged, name: &str) {
        let options = ExportOptions { allow_not_present: true, force: true };
        let target = self.path(name);
        let export = Export { release: &made.release, target: &target, options, earlier: None };
        let mut gate = pipeline::export::gate(analysis);
        let draft = Draft {
            recipe: Recipe::of(made.recoding.clone()),
            reason: None,
            step: made.step,
            accepted: judged.accepted(),
        };
        history::write(analysis, export, Some(&draft), (&mut gate, &mut RealDisk), &mut unwatched).unwrap();
    }

    /// The list of the report of a file.
    fn of_report(&self, analysis: &Analysis, name: &str) -> Vec<Caution> {
        let request = ReportRequest {
            project: "project.toml",
            release: &self.path(name),
            delta: analysis.problem().delta(),
            history: None,
            stakes: None,
            at: Moment::now(),
        };
        Report::of(analysis, &request).unwrap().verdict.cautions
    }

    /// The list of `verify` and of `compare` with a file.
    fn of_verify(&self, analysis: &Analysis, name: &str) -> Vec<Caution> {
        let file = self.path(name);
        let read = pipeline::reading::read(analysis, &file).unwrap();
        let history = history::of_project(analysis.path()).unwrap();
        let sha256 = hash_file(&file).unwrap();
        let written =
            WrittenRelease { file: &file, sha256: &sha256, delta: read.findings.delta, found: None };
        let known = Circumstances::of_file(analysis, &history, written);
        caution::of_file(analysis, &read.findings, Some(&read), &known).unwrap().cautions
    }
}

/// Checks that two lists differ in these keys alone. Each of them must be a stated one.
#[track_caller]
fn agree(lists: [(&str, &[Caution]); 2], differing: &[Key]) {
    assert!(
        differing.iter().all(|key| LISTS_DIFFER.iter().any(|(stated, _)| stated == key)),
        "{differing:?}"
    );
    let [(_, first), (_, second)] = lists;
    let of = |list: &[Caution]| -> Vec<Caution> {
        list.iter().filter(|caution| !differing.contains(&caution.key)).cloned().collect()
    };
    let (first, second) = (of(first), of(second));
    let without = |list: &[Caution], other: &[Caution]| -> Vec<Caution> {
        list.iter().filter(|caution| !other.contains(caution)).cloned().collect()
    };
    let only = [without(&first, &second), without(&second, &first)];
    assert!(only.iter().all(Vec::is_empty), "only in {}, only in {}: {only:#?}", lists[0].0, lists[1].0);
    assert_eq!(first, second, "{} and {}", lists[0].0, lists[1].0);
}

// holds: One list of cautions
#[test]
fn random_releases_have_one_list_everywhere() {
    let (mut compared, mut answered, mut keys) = (0, 0, BTreeSet::new());
    for seed in 0.. {
        if compared == 200 {
            break;
        }
        let mut case = Case::of(seed);
        let analysis = case.load();
        let Some(mut made) = case.make(&analysis) else { continue };
        case.sit(&analysis, &mut made);
        if case.dice.percent(30) {
            // An earlier release: the same one, or another.
            let other = if case.dice.percent(50) { None } else { case.make(&analysis) };
            let step = None;
            let recoding = made.recoding.clone();
            let same = Made { release: made.release.clone(), recoding, what: String::new(), step };
            let earlier = other.unwrap_or(same);
            let judged = case.accepted_in_part(&analysis, &earlier);
            case.export(&analysis, &earlier, &judged, "earlier.csv");
        }
        let list = check(&case, &analysis, &made);
        answered += list.iter().filter(|caution| caution.accepted.is_some()).count();
        keys.extend(list.iter().map(|caution| caution.key));
        if compared % 20 == 0 {
            check_commands(&case, &made);
        }
        compared += 1;
    }
    assert!(answered > 20, "the same facts are answered again: {answered}");
    let unseen: Vec<Key> = Key::ALL.iter().copied().filter(|key| !keys.contains(key)).collect();
    // A release is large only by labels of hundreds of characters.
    assert_eq!(unseen, [Key::LargeRelease]);
}

/// Compares the lists of a release before and after it is written, and returns all cautions.
fn check(case: &Case, analysis: &Analysis, made: &Made) -> Vec<Caution> {
    let history = history::of_project(analysis.path()).unwrap();
    let basis = Basis::of(analysis, &mut unwatched).unwrap();
    let judged = |sitting: Option<usize>, file: Option<&Path>| {
        let (recoding, delta) = (&made.recoding, made.release.delta());
        let next = NextRelease { recoding, delta, sitting, file, reason: None };
        basis.judge(analysis, &made.release, &Circumstances::of_next(analysis, &history, &next))
    };
    let (target, sitting) = (case.path("out.csv"), made.step.map(|step| step.sitting));
    let window = judged(sitting, None);
    let anonymize = judged(sitting, Some(&target));
    let compare = judged(None, None);
    case.export(analysis, made, &anonymize, "out.csv");
    let report = case.of_report(analysis, "out.csv");
    let verify = case.of_verify(analysis, "out.csv");
    agree([("window", &window.cautions), ("anonymize", &anonymize.cautions)], &[]);
    agree([("window", &window.cautions), ("compare", &compare.cautions)], &[Key::OtherSession]);
    agree([("anonymize", &anonymize.cautions), ("report", &report)], &[Key::Registered]);
    agree([("report", &report), ("verify", &verify)], &[Key::KnowsAlgorithm, Key::SaysNothing]);
    // A file that is replaced is no other release; only a name shows that.
    let other = case.path("earlier.csv");
    let named = judged(sitting, Some(&other));
    agree([("window", &window.cautions), ("a name", &named.cautions)], &[Key::EarlierRelease]);
    report.into_iter().chain(anonymize.cautions).collect()
}

/// The cautions of a JSON value.
fn cautions_of(list: &Value) -> Vec<Caution> {
    list.as_array().unwrap().iter().map(|caution| serde_json::from_value(caution.clone()).unwrap()).collect()
}

/// Compares the commands themselves with what the library says.
fn check_commands(case: &Case, made: &Made) {
    let folder = case.folder.path();
    let run = |words: &str| {
        let options = case
            .overrides
            .delta_max
            .map_or_else(Vec::new, |max| vec!["--delta-max".to_owned(), max.to_string()]);
        palmtop(folder, words.split('|').map(ToOwned::to_owned).chain(options))
    };
    let what = made.what.replace("--node ", "").replace("--strategy ", "");
    let compared = run(&format!("compare|project.toml|{what}|--format|json")).json();
    let compare = cautions_of(&compared["runs"][0]["cautions"]);
    let accepts = [
        "not_present",
        "certain",
        "future_birth",
        "other_people:id",
        "betrays:told",
        "betrays:note",
        "undecided:told",
        "undecided:note",
    ];
    let accepts = accepts.map(|key| format!("|--accept|{key}=everybody here has agreed")).concat();
    let done = run(&format!(
        "anonymize|project.toml|{}|-o|cli.csv|--format|json{accepts}",
        made.what.replace(' ', "|")
    ));
    let anonymized = done.json();
    let anonymize = cautions_of(&anonymized["cautions"]);
    run("report|project.toml|cli.csv|-o|cli.json");
    let text = fs::read(case.path("cli.json")).unwrap_or_else(|error| panic!("{error}: {}", done.err));
    let report: Value = serde_json::from_slice(&text).unwrap();
    let report = cautions_of(&report["verdict"]["cautions"]);
    let verify = cautions_of(&run("verify|project.toml|cli.csv|--format|json").json()["cautions"]);
    let file = run("compare|project.toml|cli.csv|--format|json").json();
    let file = cautions_of(&file["runs"][0]["cautions"]);
    let plain = |list: &[Caution]| -> Vec<Caution> {
        list.iter().map(|caution| Caution { accepted: None, ..caution.clone() }).collect()
    };
    agree([("compare", &plain(&compare)), ("anonymize", &plain(&anonymize))], &[]);
    agree([("anonymize", &anonymize), ("report", &report)], &[Key::Registered]);
    agree([("verify", &verify), ("compare with a file", &file)], &[]);
    agree([("report", &report), ("verify", &verify)], &[Key::KnowsAlgorithm, Key::SaysNothing]);
}
