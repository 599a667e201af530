//! The signed report and the recipient's report. The tests recompute what the reports state, and
//! check that the recipient's report contains nothing confidential.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, Done, palmtop};
use palmtop::caution::Key;
use palmtop::codebook::{CodedAttribute, TextForm};
use palmtop::data::read::hash_file;
use palmtop::history::{
    Action, Grounds, Moment, Reason, RecodingRecipe, Search, Sitting, SittingFile, Stated, Step,
};
use palmtop::metrics::Metric;
use palmtop::model::{Delta, Level};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::report::{GUIDANCE, GUIDELINES, InputKind, Judgement, RecipientReport, Report, ReportRequest};
use palmtop::search::{Config, Strategy};
use serde_json::Value;
use tempfile::TempDir;

struct Folder {
    folder: TempDir,
}

impl Folder {
    fn of(sample: &str, files: &[&str], hierarchies: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in files {
            fs::copy(root.join("sample-data").join(sample).join(file), folder.path().join(file)).unwrap();
        }
        for file in hierarchies {
            fs::copy(root.join("hierarchies").join(file), folder.path().join(file)).unwrap();
        }
        let paper = Self { folder };
        paper.edit(files[0], "../../hierarchies/", "");
        paper
    }

    fn paper() -> Self {
        let files = ["paper.toml", "public.csv", "private.csv", "nationality.toml"];
        Self::of("paper", &files, &["zip.toml", "age-40.toml"])
    }

    fn clinic() -> Self {
        let hierarchies =
            ["zip.toml", "age.toml", "sex.csv", "education.csv", "occupation.csv", "nationality.csv"];
        Self::of("clinic", &["clinic.toml", "public.csv", "private.csv"], &hierarchies)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        support::edit(&self.path(name), from, to);
    }

    fn run(&self, arguments: &[&str]) -> Done {
        palmtop(self.folder.path(), arguments)
    }

    /// Runs a command and expects this exit status. Blanks separate the arguments.
    #[track_caller]
    fn expect(&self, status: i32, arguments: &str) -> Done {
        let done = self.run(&arguments.split_whitespace().collect::<Vec<_>>());
        assert_eq!(done.status, status, "{arguments}\n{}\n{}", done.out, done.err);
        done
    }

    fn report(&self, name: &str) -> Report {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    fn recipient(&self, name: &str) -> RecipientReport {
        serde_json::from_str(&self.read(name)).unwrap()
    }
}

/// The paper's project with a written release of its node. The first class has 3 members among 6
/// individuals, the second has 2 among 3.
fn written() -> Folder {
    let paper = Folder::paper();
    paper.expect(0, "anonymize paper.toml --node 3,2,2 -o out.csv --with report");
    paper
}

// holds: Reports recount
#[test]
fn a_signed_report_can_be_checked_by_hand() {
    let paper = written();
    let done = paper.expect(0, "report paper.toml out.csv -o report.json");
    assert_eq!(done.out, "✓ VERIFIED: report.json\n");
    let report = paper.report("report.json");
    assert!(report.verdict.verified && report.verdict.reasons.is_empty());
    assert_eq!(report.release.sha256, hash_file(&paper.path("out.csv")).unwrap());
    assert_eq!(
        (report.release.rows, report.release.columns.join(" ")),
        (5, "zip age nationality".to_owned())
    );
    let people = &report.people;
    assert_eq!((people.public, people.private, people.unmatched, people.withdrawn), (9, 5, 0, 0));
    let (delta, achieved) = (&report.delta.enforced, &report.delta.achieved);
    assert_eq!([&delta.min, &delta.max, &achieved.min, &achieved.max], ["1/2", "2/3", "1/2", "2/3"]);
    assert_eq!((report.delta.share.as_str(), report.delta.source.as_str()), ("5/9", "the project file"));
    // The scale ends at 14/20, the first twentieth at or above 2/3, so a bar is 0.035 wide: 1/2 is
    // in bar 15 and 2/3 in bar 20.
    let bars: Vec<_> = report.presence.unwrap().bars.into_iter().filter(|bar| bar.classes > 0).collect();
    let found: Vec<_> = bars.iter().map(|bar| (bar.to, bar.individuals, bar.members, bar.classes)).collect();
    assert_eq!(found, [(0.525, 6, 3, 1), (0.7, 3, 2, 1)]);
    let identity = report.disclosures.unwrap().identity;
    assert_eq!(
        (identity.k, identity.k_map, identity.released_classes, identity.unique_members),
        (2, 3, 2, 0)
    );
    // 3 members with 1/3 and 2 members with 1/2: the mean is 2/5. In P, (3/6 + 2/3)/5 = 7/30.
    let means: Vec<&str> = identity.attackers.iter().map(|risk| risk.mean.exact.as_str()).collect();
    assert_eq!(means, ["2/5", "0.23334", "2/5"]);
    // The report takes the cost from the run that made the release.
    let run: Value = serde_json::from_str(&paper.read("out.report.json")).unwrap();
    let utility = report.utility.unwrap();
    assert_eq!(utility.recoding, "node 3,2,2");
    assert_eq!(Some(utility.loss), run["metrics"]["loss"].as_f64());
    assert_eq!(Some(utility.precision.unwrap()), run["metrics"]["precision"].as_f64());
    assert_eq!(Some(utility.discernibility), run["metrics"]["discernibility"].as_u64());
    // 3² + 2².
    assert_eq!(utility.discernibility, 13);
    let zip = report.attributes.iter().find(|attribute| attribute.attribute == "zip").unwrap();
    let published = zip.generalization.as_ref().unwrap().published.as_ref().unwrap();
    assert_eq!(
        published
            .iter()
            .map(|publication| (publication.level, publication.labels, publication.rows))
            .collect::<Vec<_>>(),
        [(Some(3), 2, 5)]
    );
    let kinds: Vec<InputKind> = report.inputs.iter().map(|input| input.kind).collect();
    assert_eq!(kinds[..3], [InputKind::Public, InputKind::Private, InputKind::Project]);
    assert!(report.inputs.iter().all(|input| hash_file(&paper.path(&input.path)).unwrap() == input.sha256));
    let made = report.made_by.unwrap();
    assert_eq!(made.command.as_deref(), Some("palmtop anonymize paper.toml --node 3,2,2 -o out.csv"));
    // The command in the report verifies the release.
    assert_eq!(report.check.command, "palmtop verify paper.toml out.csv");
    paper.expect(0, report.check.command.strip_prefix("palmtop ").unwrap());
}

// holds: Reports recount
#[test]
fn a_report_opens_by_refusing_an_unverified_file() {
    let paper = written();
    let release = paper.read("out.csv");
    let first = release.lines().nth(1).unwrap();
    let spoilt = [
        ("a row less", release.replacen(&format!("{first}\n"), "", 1)),
        ("another label", release.replace("America", "Europe")),
        ("no release", "a,b\n1,2\n".to_owned()),
        ("nothing", String::new()),
    ];
    for (what, text) in spoilt {
        paper.write("spoilt.csv", &text);
        for reader in ["signer", "recipient"] {
            let done =
                paper.expect(3, &format!("report paper.toml spoilt.csv -o r.html --force --for {reader}"));
            assert_eq!(done.out, "✗ REFUSED: r.html\n", "{what}");
            let page = paper.read("r.html");
            let body = page.split_once("<main>").unwrap().1;
            assert!(body.split_once("</div>").unwrap().0.contains("✗ REFUSED"), "{what}\n{page}");
            assert!(!page.contains("VERIFIED") && !page.contains("I approve"), "{what}\n{page}");
            paper.expect(3, &format!("report paper.toml spoilt.csv -o r.json --force --for {reader}"));
        }
        let recipient = paper.recipient("r.json");
        assert!(
            !recipient.verified && recipient.guarantee.is_none() && recipient.columns.is_empty(),
            "{what}"
        );
        paper.expect(3, "report paper.toml spoilt.csv -o r.json --force");
        let report = paper.report("r.json");
        assert!(!report.verdict.verified && !report.verdict.reasons.is_empty(), "{what}");
        assert!(
            report.adversaries.iter().all(|adversary| adversary.judgement != Judgement::Within),
            "{what}"
        );
    }
    // A faithful release, judged by a stricter δ.
    paper.expect(3, "report paper.toml out.csv -o strict.json --delta-max 3/5");
    let report = paper.report("strict.json");
    assert_eq!(report.verdict.reasons, ["presence is 1/2 to 2/3, but δ permits 1/2 to 3/5"]);
    assert_eq!(report.adversaries[0].judgement, Judgement::Beyond);
    assert_eq!(report.check.command, "palmtop verify paper.toml out.csv --delta-max 3/5");
    // A criterion in addition to δ.
    paper.edit("paper.toml", "[delta]", "[policy]\nk = 3\n\n[delta]");
    paper.expect(3, "report paper.toml out.csv -o k.json");
    assert_eq!(paper.report("k.json").verdict.reasons, ["k = 3 is required, but 2 is achieved"]);
}

#[test]
fn a_delta_looser_than_the_projects_is_cautioned() {
    let paper = written();
    paper.expect(0, "report paper.toml out.csv -o loose.json --delta-min 0");
    let report = paper.report("loose.json");
    assert!(report.verdict.verified);
    let caution = |key| report.verdict.cautions.iter().find(|caution| caution.key == key).unwrap();
    assert_eq!(
        caution(Key::LooserDelta).sentence,
        "δ is looser than the project's δ: 0 to 2/3 instead of 1/2 to 2/3."
    );
    assert_eq!(
        caution(Key::KnowsAlgorithm).sentence,
        "An attacker who also knows palmtop and how this release was chosen may learn more. This was not judged."
    );
}

/// The policy is public; the analyst's remarks on it are not. The report writes a requirement in
/// one form, however the project writes it.
#[test]
fn a_requirement_is_reported_without_the_analysts_remarks() {
    let clinic = Folder::clinic();
    let policy = "[policy]\nl = { recursive = [ # as Mrs Smith is the only one\n 3, 1 ] }\nt = { at_most = \"0.90\" }\n\n[delta]";
    clinic.edit("clinic.toml", "[delta]", policy);
    clinic.expect(0, "anonymize clinic.toml --strategy spalm -o out.csv");
    for (name, more) in [
        ("all.json", ""),
        ("out.json", " --for recipient"),
        ("out.html", " --for recipient"),
        ("all.html", ""),
    ] {
        clinic.expect(0, &format!("report clinic.toml out.csv -o {name}{more}"));
        assert!(!clinic.read(name).contains("Smith"), "{name}");
    }
    // The same policy, written in separate TOML tables.
    clinic.edit(
        "clinic.toml",
        "t = { at_most = \"0.90\" }\n",
        "l.of = \"diagnosis\"\n[policy.t]\nat_most = \"9/10\"\n",
    );
    clinic.edit(
        "clinic.toml",
        "l = { recursive = [ # as Mrs Smith is the only one\n 3, 1 ] }",
        "l.recursive = [3, 1]",
    );
    clinic.expect(0, "verify clinic.toml out.csv");
}

/// The signer's report quotes what the project or a sitting states. The recipient's report has no justification, and asks for
/// none if there is one.
#[test]
fn a_stated_prior_or_reason_justifies_delta() {
    let is_stated = |paper: &Folder, words: &[&str]| {
        for reader in ["signer", "recipient"] {
            let command = format!("report paper.toml out.csv -o r.json --force --for {reader}");
            let done = paper.expect(0, &command);
            assert_eq!(done.err.contains("unjustified_delta"), words.is_empty(), "{command}\n{}", done.err);
            let read = paper.read("r.json");
            let is_quoted = !words.is_empty() && words.iter().all(|word| read.contains(word));
            assert_eq!(is_quoted, !words.is_empty() && reader == "signer", "{command}");
        }
    };
    let paper = written();
    is_stated(&paper, &[]);
    // A sitting that was begun anew, or that is another one than the release's, is not forgotten.
    let analysis = Analysis::load(&paper.path("paper.toml"), &Overrides::default()).unwrap();
    let node = analysis.problem().lattice().node(&[Level(3), Level(2), Level(2)]).unwrap();
    let delta = analysis.problem().delta();
    let step = Step { action: Action::Start, recoding: RecodingRecipe::from(&node), delta };
    let grounds =
        Grounds { prior: "62%".to_owned(), misuse: "6%".to_owned(), misuse_down: None, cost: "1".to_owned() };
    let mut sitting = Sitting::new(&analysis, step.clone());
    let stated = Stated { delta, reason: None, grounds: Some(grounds) };
    sitting.fix_policy(Moment::read("2026-03-01T12:00:00Z").unwrap(), Some(&stated));
    SittingFile::new(&paper.path("paper.toml")).save(&sitting).unwrap();
    SittingFile::new(&paper.path("paper.toml")).save(&Sitting::new(&analysis, step)).unwrap();
    is_stated(&paper, &["31/50"]);
    // The project has a reason.
    let paper = Folder::paper();
    paper.edit("paper.toml", "[delta]\n", "[delta]\nreason = \"the board asked for two in three\"\n");
    paper.expect(0, "anonymize paper.toml --node 3,2,2 -o out.csv");
    is_stated(&paper, &["the board asked for two in three"]);
}

#[test]
fn the_label_for_missing_values_is_explained() {
    let paper = Folder::paper();
    for table in ["public.csv", "private.csv"] {
        paper.edit(table, ",USA\n", ",\n");
    }
    let project = paper.read("paper.toml") + "missing = [\"\"]\n";
    paper.write("paper.toml", &project);
    let delta = "--delta-min 0 --delta-max 2/3 --force";
    for (strategy, released) in [("n1", ",unknown\n"), ("n2", "{unknown, Canada}")] {
        paper.expect(0, &format!("anonymize paper.toml --strategy {strategy} -o out.csv {delta}"));
        assert!(paper.read("out.csv").contains(released), "{}", paper.read("out.csv"));
        paper.expect(0, &format!("report paper.toml out.csv -o r.json --for recipient {delta}"));
        let codes = paper.recipient("r.json").code_list.unwrap().attributes;
        let of_column = |own: &CodedAttribute| {
            let missing = own.texts.iter().find(|entry| entry.form == TextForm::Missing)?;
            Some((own.column.clone(), missing.text.clone()))
        };
        let missing: Vec<(String, String)> = codes.iter().filter_map(of_column).collect();
        assert_eq!(missing, [("nationality".to_owned(), "unknown".to_owned())], "{codes:?}");
    }
}

/// No class hides the row of a person from an attacker who knows a value that no other class has.
#[test]
fn a_nearly_unique_published_column_is_cautioned() {
    let clinic = Folder::clinic();
    let lines = clinic.read("private.csv");
    let with_day = |(index, line): (usize, &str)| match index {
        0 => format!("{line},birth"),
        index => format!("{line},19{:02}-{:02}-{:02}", index % 97, index % 12 + 1, index % 28 + 1),
    };
    clinic.write("private.csv", &lines.lines().enumerate().map(with_day).collect::<Vec<_>>().join("\n"));
    clinic.edit(
        "clinic.toml",
        "role = \"sensitive\"",
        "role = \"sensitive\"\n\n[[attribute]]\nname = \"birth\"\nrole = \"sensitive\"",
    );
    clinic.expect(0, "anonymize clinic.toml --strategy simulatable -o out.csv");
    clinic.expect(0, "report clinic.toml out.csv -o all.json");
    let cautions = clinic.report("all.json").verdict.cautions;
    assert!(
        cautions.iter().any(|caution| caution
            .sentence
            .starts_with("`birth` is published unchanged, and 800 of its 800 values")),
        "{cautions:?}"
    );
    let of_diagnosis = cautions.iter().any(|caution| caution.subject.as_deref() == Some("diagnosis"));
    assert!(!of_diagnosis, "{cautions:?}");
}

// holds: Reports recount
#[test]
fn the_cost_of_a_release_follows_from_rows() {
    let (paper, clinic) = (Folder::paper(), Folder::clinic());
    let some = ["spalm", "best", "n1"].map(|name| name.parse().unwrap());
    let all: Vec<Strategy> = Strategy::all().collect();
    assert_eq!(cost_is_found(&paper, "paper.toml", ["0", "4/5"], &all), 0);
    assert_eq!(cost_is_found(&clinic, "clinic.toml", ["0", "1/10"], &some), 0);
    clinic.edit("clinic.toml", "[delta]", "[policy]\nsuppress_at_most = \"5%\"\n\n[delta]");
    let withdrawn = cost_is_found(&clinic, "clinic.toml", ["0", "1/10"], &some);
    assert!(withdrawn > 0, "somebody is withdrawn, or this shows nothing of it");
}

/// Compares the cost that the report gives for each strategy's release with the cost that its
/// search measured. Returns how many members are withdrawn.
fn cost_is_found(folder: &Folder, project: &str, [min, max]: [&str; 2], strategies: &[Strategy]) -> u64 {
    let overrides =
        Overrides { delta_min: Some(min.parse().unwrap()), delta_max: Some(max.parse().unwrap()) };
    let analysis = Analysis::load(&folder.path(project), &overrides).unwrap();
    let (problem, mut withdrawn) = (analysis.problem(), 0);
    for &strategy in strategies {
        let config = Config { rounds: Some(2), ..Config::default() };
        let found = analysis.search(problem, strategy, &config, &mut unwatched);
        let Some(release) = found.release.filter(palmtop::Release::is_present) else { continue };
        let target = folder.path(&format!("{strategy}.csv"));
        let options = ExportOptions { force: true, ..ExportOptions::default() };
        pipeline::export::write(&analysis, &release, &target, options).unwrap();
        let report = Report::of(&analysis, &asked(&target, problem.delta())).unwrap();
        assert!(report.verdict.verified, "{strategy}: {:?}", report.verdict);
        let utility = report.utility.unwrap_or_else(|| panic!("{strategy} is recovered"));
        assert_eq!(utility.loss.to_bits(), release.metrics.loss.mean().to_bits(), "{strategy}");
        assert_eq!(utility.discernibility, release.metrics.discernibility, "{strategy}");
        assert_eq!(report.people.withdrawn, release.withdrawn(), "{strategy}");
        withdrawn += release.withdrawn();
    }
    withdrawn
}

fn asked(release: &Path, delta: Delta) -> ReportRequest<'_> {
    ReportRequest { project: "paper.toml", release, delta, history: None, stakes: None, at: Moment::now() }
}

// holds: Reports recount
#[test]
fn a_safe_search_must_reproduce_the_release() {
    let paper = Folder::paper();
    paper.expect(0, "anonymize paper.toml --strategy simulatable -o safe.csv --with report");
    paper.expect(0, "report paper.toml safe.csv -o signer.json");
    let report = paper.report("signer.json");
    assert_eq!(report.adversaries[1].judgement, Judgement::Within, "{:?}", report.adversaries[1]);
    assert!(!report.not_covered.iter().any(|line| line.starts_with("Knowledge of the algorithm")));
    paper.expect(0, "report paper.toml safe.csv -o safe.recipient.json --for recipient");
    assert_eq!(paper.recipient("safe.recipient.json").guarantee.unwrap().holds_against.len(), 2);

    // An entry that names another strategy is not believed.
    let paper = written();
    let entry = paper.read("paper.history.toml");
    let forged = entry.replace("node = [3, 2, 2]\n", "")
        + "[release.search]\nstrategy = \"simulatable\"\ndelta = [\"1/2\", \"2/3\"]\nmetric = \"loss\"\nseed = 0\ncomplete = true\n";
    assert_ne!(forged.len(), entry.len());
    paper.write("paper.history.toml", &forged);
    paper.expect(0, "report paper.toml out.csv -o r.json");
    let report = paper.report("r.json");
    let is_same = hash_file(&paper.path("out.csv")).unwrap() == {
        paper.expect(0, "anonymize paper.toml --strategy simulatable -o s.csv");
        hash_file(&paper.path("s.csv")).unwrap()
    };
    assert!(!is_same, "the two releases differ, or this test shows nothing");
    assert_eq!(report.adversaries[1].judgement, Judgement::NotJudged);
    assert!(
        report.verdict.cautions.iter().any(|caution| caution.sentence.contains("gives a different release")),
        "{:?}",
        report.verdict
    );
    // The report quotes the result of an audit without checking it.
    let audit = "[release.audit]\nverdict = \"audited\"\nmethod = \"sampled\"\npeople = 3\nmembers = 1\ndoubtful = 0\n";
    paper.write("paper.history.toml", &(entry + audit));
    paper.expect(0, "report paper.toml out.csv -o r.json --force");
    let report = paper.report("r.json");
    assert_eq!(report.adversaries[1].judgement, Judgement::Beyond);
    assert!(
        report.adversaries[1].basis.contains("as recorded, not recounted: an audit found 3"),
        "{:?}",
        report.adversaries[1]
    );
}

/// The claims "exact" and "audited" hold only for the δ and the inputs of the run.
#[test]
fn claims_hold_only_for_their_delta_and_inputs() {
    // `simulatable` finds this release under 2/3 and, by chance, under 1/2 too. Under 2/3, 3/5 of
    // the tables T that give this release contain one person.
    let toy = Folder { folder: tempfile::tempdir().unwrap() };
    toy.write("P.csv", "q\n0\n1\n2\n3\n4\n5\n6\n");
    toy.write("T.csv", "q\n0\n1\n2\n");
    toy.write("h.toml", "type = \"interval\"\nwidths = [3]\n");
    let project = "[private]\npath = \"T.csv\"\n[public]\npath = \"P.csv\"\n[delta]\nmin = \"0\"\nmax = \"1/2\"\n\
                   [[attribute]]\nname = \"q\"\nrole = \"quasi\"\nhierarchy = \"h.toml\"\n";
    toy.write("p.toml", project);
    toy.expect(0, "anonymize p.toml --strategy simulatable -o own.csv --with report");
    toy.expect(0, "anonymize p.toml --strategy simulatable --delta-max 2/3 -o o.csv --with report");
    assert_eq!(toy.read("own.csv"), toy.read("o.csv"), "the two searches differ, or this test shows nothing");
    let is_claimed = |release: &str, more: &str| {
        toy.expect(0, &format!("report p.toml {release} -o r.json --force {more}"));
        toy.expect(0, &format!("report p.toml {release} -o f.json --force --for recipient {more}"));
        let report = toy.report("r.json");
        let against = toy.recipient("f.json").guarantee.unwrap().holds_against;
        let is_within = report.adversaries[1].judgement == Judgement::Within;
        assert_eq!(is_within, against.len() == 2, "both reports say the same");
        assert_eq!(
            is_within,
            !report.not_covered.iter().any(|line| line.starts_with("Knowledge of the alg"))
        );
        is_within
    };
    assert!(is_claimed("own.csv", ""), "under the δ of the project");
    assert!(is_claimed("own.csv", "--delta-max 2/3"), "under a looser one");
    assert!(is_claimed("o.csv", "--delta-max 2/3"), "under its own");
    assert!(!is_claimed("o.csv", ""), "under a stricter one than it was searched under");
    let basis = toy.report("r.json").adversaries[1].basis.clone();
    assert!(basis.contains("searched under a different δ"), "{basis}");
    // A step judges under 1/2 the result of a search under 2/3.
    let history = toy.read("p.history.toml");
    let at = history.find("file = \"o.csv\"").unwrap();
    let judged = history[at..].replacen("delta = [\"0\", \"2/3\"]", "delta = [\"0\", \"1/2\"]", 1);
    toy.write("p.history.toml", &format!("{}{judged}", &history[..at]));
    assert!(!is_claimed("o.csv", ""), "judged under 1/2, searched under 2/3");
    // The project became stricter after the run, or changed in another way.
    toy.edit("p.toml", "max = \"1/2\"", "max = \"3/7\"");
    assert!(!is_claimed("own.csv", ""), "the project has another δ now");
    assert!(!is_claimed("own.csv", "--delta-max 1/2"), "the project is another file now");
    let basis = toy.report("r.json").adversaries[1].basis.clone();
    assert!(basis.contains("was changed after the run"), "{basis}");
    assert_eq!(toy.report("r.json").made_by.unwrap().command, None, "no command makes it of these inputs");
    toy.write("p.toml", project);
    assert!(is_claimed("own.csv", ""), "the project is as it was");

    // An audit holds for one δ only, too.
    toy.expect(0, "anonymize p.toml --strategy spalm --delta-max 3/5 --audit -o n.csv --with report");
    let judged = |more: &str| {
        toy.expect(0, &format!("report p.toml n.csv -o r.json --force {more}"));
        let adversary = toy.report("r.json").adversaries[1].clone();
        (adversary.judgement, adversary.basis.contains("an audit found"))
    };
    let history = toy.read("p.history.toml");
    let at = history.find("[release.audit]").unwrap();
    let (before, audit) = history.split_at(at);
    let lines = |verdict: &str, people: Option<u64>| {
        let kept =
            audit.lines().filter(|line| !line.starts_with("verdict = ") && !line.starts_with("people = "));
        let people = people.map_or_else(String::new, |people| format!("people = {people}\n"));
        let kept: String = kept.skip(1).flat_map(|line| [line, "\n"]).collect();
        format!("{before}[release.audit]\nverdict = \"{verdict}\"\n{people}{kept}")
    };
    assert!(audit.contains("verdict = \"audited\""), "{audit}");
    for (verdict, people) in [("audited", Some(0)), ("audited", Some(2)), ("not sampled", None)] {
        toy.write("p.history.toml", &lines(verdict, people));
        assert_eq!(judged("--delta-max 1/2"), (Judgement::NotJudged, false), "{verdict} {people:?}");
        let judgement = if people == Some(2) { Judgement::Beyond } else { Judgement::NotJudged };
        assert_eq!(judged("--delta-max 3/5"), (judgement, people.is_some()), "{verdict} {people:?}");
        // If nobody is beyond a stricter δ, nobody is beyond a looser one. If two people are beyond
        // a stricter δ, they may be within this one.
        let is_found = people == Some(0);
        assert_eq!(judged("--delta-max 2/3"), (Judgement::NotJudged, is_found), "{verdict} {people:?}");
    }
}

// holds: Reports recount
/// How a release was made is known by its hash, in the history of the project or in a copy.
#[test]
fn an_entry_counts_only_for_its_hash() {
    let paper = written();
    paper.expect(0, "anonymize paper.toml --strategy best --budget 3rounds --seed 7 -o other.csv");
    fs::rename(paper.path("paper.history.toml"), paper.path("elsewhere.toml")).unwrap();
    paper.expect(0, "report paper.toml other.csv -o r.json");
    assert_eq!(paper.report("r.json").made_by, None);
    paper.expect(0, "report paper.toml other.csv -o r.json --history elsewhere.toml --force");
    let made = paper.report("r.json").made_by.unwrap();
    assert_eq!((made.seed, made.rounds), (Some(7), Some(3)));
    let command = made.command.unwrap();
    assert_eq!(
        command,
        "palmtop anonymize paper.toml --strategy best --seed 7 --budget 3rounds -o other.csv"
    );
    // The command writes the same bytes.
    fs::rename(paper.path("other.csv"), paper.path("first.csv")).unwrap();
    paper.expect(0, command.strip_prefix("palmtop ").unwrap());
    assert_eq!(paper.read("first.csv"), paper.read("other.csv"));
    // A file that was moved is found by its hash; an edited one is not.
    paper.expect(0, "report paper.toml first.csv -o r.json --force");
    assert!(paper.report("r.json").made_by.is_some());
    let done = paper.expect(1, "report paper.toml other.csv -o no.json --history paper.toml");
    assert!(done.err.contains("history paper.toml, line 1"), "{}", done.err);
    assert!(!paper.path("no.json").exists());
}

#[test]
fn a_report_overwrites_nothing() {
    let paper = written();
    for (target, message) in [
        ("private.csv", "is a file of this project"),
        ("out.csv", "is a file of this project"),
        ("out.report.json", "exists; choose another name"),
    ] {
        let before = paper.read(target);
        let done = paper.expect(1, &format!("report paper.toml out.csv -o {target}"));
        assert!(done.err.contains(message), "{}", done.err);
        assert_eq!(paper.read(target), before);
    }
}

/// The distinct values of a column of T.
fn values(table: &str, column: &str) -> BTreeSet<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let column_index = reader.headers().unwrap().iter().position(|name| name == column).unwrap();
    reader.records().map(|record| record.unwrap()[column_index].to_owned()).collect()
}

/// The text of a page, without markup and styles.
fn text_of(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page.split_once("<body>").unwrap().1;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = after.split_once('>').unwrap().1;
    }
    let text = text.replace('\u{a0}', " ");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The integers of a text that are separate words.
fn numbers(text: &str) -> BTreeSet<u64> {
    text.split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|word| word.parse().ok())
        .collect()
}

// holds: The recipient learns nothing more
#[test]
#[expect(clippy::too_many_lines, reason = "one release and its two reports")]
fn the_recipients_report_adds_nothing_to_the_release() {
    const K: u64 = 7;
    let clinic = Folder::clinic();
    clinic.edit("clinic.toml", "[delta]", &format!("[policy]\nk = {K}\n\n[delta]"));
    clinic.expect(0, "anonymize clinic.toml --strategy spalm -o out.csv --with report");
    // The folder contains all that the analyst knows, including a sitting with a reason.
    let analysis = Analysis::load(&clinic.path("clinic.toml"), &Overrides::default()).unwrap();
    let step = Step {
        action: Action::Start,
        recoding: RecodingRecipe::from(&analysis.problem().lattice().top()),
        delta: analysis.problem().delta(),
    };
    let mut log = Sitting::new(&analysis, step.clone());
    let early = Moment::read("2026-03-01T12:00:00Z").unwrap();
    log.fix_policy(early.clone(), None);
    let other = Delta::read("0", "1/5").unwrap();
    log.push(Step { delta: other, ..step });
    log.record_decision(early.clone(), Some(Reason::read("the board wants more detail").unwrap()));
    log.push(Step { delta: analysis.problem().delta(), ..log.steps()[0].clone() });
    log.record_decision(early, Some(Reason::read("the board wants this after all").unwrap()));
    SittingFile::new(&clinic.path("clinic.toml")).save(&log).unwrap();
    clinic.expect(0, "report clinic.toml out.csv -o all.json");
    let signer = clinic.read("all.json");
    for target in ["r.html", "r.json"] {
        clinic.expect(0, &format!("report clinic.toml out.csv -o {target} --for recipient"));
    }
    let (page, json) = (clinic.read("r.html"), clinic.read("r.json"));
    let table = clinic.read("private.csv");
    let secrets: BTreeSet<String> =
        ["patient", "diagnosis"].iter().flat_map(|column| values(&table, column)).collect();
    assert!(secrets.len() > 800, "every patient and every diagnosis");
    let inputs = analysis.inputs().iter().map(|input| input.sha256.clone());
    let known = [
        "the board wants",
        "clinic.toml",
        "private.csv",
        "public.csv",
        "history",
        "spalm",
        "A town and its chest clinic",
        "withdrawn",
        "excluded",
        "suppress",
        "not_in_public",
        "unmatched",
    ];
    let forbidden: Vec<String> = secrets.into_iter().chain(inputs).chain(known.map(str::to_owned)).collect();
    for (what, text) in [("html", &page), ("json", &json)] {
        for secret in &forbidden {
            assert!(!text.contains(secret.as_str()), "{what} has {secret:?}");
        }
    }
    // The same search finds these words in the signer's report.
    for found in ["the board wants", "private.csv", "spalm", "A town and its chest clinic"] {
        assert!(signer.contains(found), "{found}");
    }
    // The report has no count below k. The only small numbers are δ, the policy, the columns, the version,
    // the day, the hash and the headings.
    let report = clinic.recipient("r.json");
    let guarantee = report.guarantee.as_ref().unwrap();
    assert_eq!(
        guarantee
            .criteria
            .iter()
            .map(|criterion| (criterion.name.as_str(), criterion.required.as_str()))
            .collect::<Vec<_>>(),
        [("k", "7")]
    );
    // The meanings of the labels come from P.
    let public = clinic.read("public.csv");
    let of_public: BTreeSet<String> = ["zip", "age", "sex", "education", "occupation", "nationality"]
        .iter()
        .flat_map(|column| values(&public, column))
        .collect();
    let codes = &report.code_list.as_ref().unwrap().attributes;
    let labels = codes.iter().flat_map(|own| &own.texts).filter(|own| own.form == TextForm::Label);
    let mut values = labels.flat_map(|own| &own.means);
    assert!(values.all(|value| of_public.contains(value)));
    // The code list counts people of P.
    let (before, codes) = page.split_once("7. Code list").unwrap();
    let mut text = text_of(&format!("{before}{}", codes.split_once("</section>").unwrap().1));
    for number in [
        &report.palmtop,
        &report.made_on,
        &report.release.sha256,
        &guarantee.delta.max,
        "1. The file",
        "2. The",
        "3. How",
        "4. How",
        "5. What",
        "6. What",
        "at least 0 %",
        "6 quasi-identifiers",
        "exactly 0 to",
    ] {
        let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed.contains(number), "{number}\n{squeezed}");
        text = squeezed.replace(number, " ");
    }
    assert_eq!(
        numbers(&text).into_iter().filter(|&number| number < K).collect::<Vec<_>>(),
        [0_u64; 0],
        "{text}"
    );
    let mut value: Value = serde_json::from_str(&json).unwrap();
    for key in ["form", "palmtop", "made_on"] {
        value.as_object_mut().unwrap().remove(key).unwrap();
    }
    value["release"]["sha256"].take();
    value["guarantee"]["delta"].take();
    value["code_list"].take();
    value["readability"].take();
    let texts = value.to_string().replace("6 quasi-identifiers", "");
    let small: Vec<u64> = numbers(&texts).into_iter().filter(|&number| number < K).collect();
    assert_eq!(small, [0_u64; 0], "{value}");
    // The test would detect such counts: the signer's report has them.
    assert!(numbers(&signer).iter().any(|number| (1..K).contains(number)));
    // The JSON value has exactly these keys, so it contains exactly the fields of the type.
    let keys: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        BTreeSet::from([
            "document",
            "verified",
            "sender",
            "public",
            "counted",
            "release",
            "guarantee",
            "columns",
            "readability",
            "code_list",
            "not_covered"
        ])
    );
}

// holds: The recipient learns nothing more
#[test]
fn unreleased_members_are_absent_for_the_recipient() {
    let paper = Folder::paper();
    paper.edit("paper.toml", "[delta]", "[policy]\nsuppress_at_most = \"40%\"\n\n[delta]");
    // A stranger in T, whom the project excludes.
    let text = paper.read("private.csv");
    paper.write("private.csv", &format!("{text}z,47903,63,Peru\n"));
    paper.edit("paper.toml", "path = \"private.csv\"", "path = \"private.csv\"\nnot_in_public = \"drop\"");
    let done =
        paper.run(&["anonymize", "paper.toml", "--strategy", "spalm", "-o", "out.csv", "--delta-min", "0"]);
    assert_eq!(done.status, 0, "{}", done.err);
    paper.expect(0, "report paper.toml out.csv -o all.json --delta-min 0");
    let all = paper.report("all.json");
    assert_eq!(all.people.dropped, 1);
    for target in ["r.html", "r.json"] {
        paper.expect(0, &format!("report paper.toml out.csv -o {target} --for recipient --delta-min 0"));
        let text = paper.read(target);
        for word in ["withdraw", "exclu", "dropped", "suppress", "40%", "40 %"] {
            assert!(!text.contains(word), "{target} has {word:?}\n{text}");
        }
    }
}

#[test]
fn only_the_signer_reads_how_pseudonyms_are_made() {
    let paper = Folder::paper();
    paper.edit("paper.toml", "role = \"identifier\"", "role = \"identifier\"\npseudonym = \"new\"");
    paper.expect(0, "anonymize paper.toml --node 3,2,2 -o out.csv");
    paper.expect(0, "report paper.toml out.csv -o all.json");
    assert_eq!(paper.report("all.json").attributes[0].treatment, "replaced by pseudonyms (new)");
    paper.expect(0, "report paper.toml out.csv -o r.json --for recipient");
    let report = paper.recipient("r.json");
    let treatments: Vec<&str> = report.columns.iter().map(|column| column.treatment.as_str()).collect();
    // Nationality is generalized to the continent, and every column is changed.
    assert_eq!(treatments, ["replaced by pseudonyms", "generalized", "generalized", "generalized"]);
    assert!(report.not_covered.iter().any(|line| line.starts_with("Pseudonyms: ")));
    let written = paper.read("out.csv");
    let given = values(&written, "person");
    assert_eq!(given.len(), 5);
    let text = paper.read("r.json");
    assert!(given.iter().all(|pseudonym| !text.contains(pseudonym.as_str())), "{text}");
}

/// What follows from T's rows and not from the release is not for the recipient: whether a column tells an age, and the ages
/// within a label.
#[test]
fn equal_releases_have_equal_recipient_reports() {
    let reports = [0_usize, 1, 2].map(|kind| {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let people: Vec<String> = (0..400).map(|row| (20 + row % 40).to_string()).collect();
        let people = people.join("\n") + "\n";
        put("P.csv", &format!("age\n{people}"));
        let member = |row: usize| {
            let age = 20 + row * 7 % 40;
            let code = if kind == 1 { row * 11 % 60 } else { row };
            // Another age of the same decade.
            let age = if kind == 2 { age / 10 * 10 + (age + 3) % 10 } else { age };
            format!("{age},c{}\n", (20 + code * 7 % 40) * 7 % 101)
        };
        put("T.csv", &format!("age,code\n{}", (0..60).map(member).collect::<String>()));
        put("a.toml", "type = \"interval\"\nwidths = [40]\n");
        put(
            "p.toml",
            "[private]\npath = \"T.csv\"\n[public]\npath = \"P.csv\"\n[delta]\nmax = \"1/2\"\n[[attribute]]\nname = \"age\"\n\
             role = \"quasi\"\nhierarchy = \"a.toml\"\n[[attribute]]\nname = \"code\"\nrole = \"sensitive\"\n",
        );
        let run = |arguments: &str| {
            let done = palmtop(folder.path(), arguments.split_whitespace().collect::<Vec<_>>());
            assert_eq!(done.status, 0, "{arguments}\n{}{}", done.out, done.err);
        };
        let accept = "betrays:code=codes_are_public_and_known".replace('_', " ");
        let made = ["anonymize", "p.toml", "--node", "2", "-o", "r.csv", "--accept", &accept];
        let done = palmtop(folder.path(), made);
        assert_eq!(done.status, 0, "{}", done.err);
        run("report p.toml r.csv -o r.json --for recipient");
        run("report p.toml r.csv -o s.json");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        (read("r.csv"), read("r.json"), read("s.json").contains("\"tells_more\""))
    });
    assert_eq!(
        reports.each_ref().map(|report| report.2),
        [true, false, true],
        "the signer's report tells it"
    );
    for report in &reports[1..] {
        assert_eq!((&report.0, &report.1), (&reports[0].0, &reports[0].1));
    }
}

#[test]
fn an_unchanged_column_is_reported_as_such() {
    let paper = Folder::paper();
    let made = "anonymize paper.toml --node 0,2,3 -o out.csv --delta-min 0 --delta-max 1 --accept";
    let made: Vec<&str> = made.split_whitespace().chain(["certain=the board decided so"]).collect();
    assert_eq!(paper.run(&made).status, 0);
    paper.expect(0, "report paper.toml out.csv -o r.json --for recipient --delta-min 0 --delta-max 1");
    let report = paper.recipient("r.json");
    assert_eq!(report.columns[0].treatment, "published as in the tables, not generalized");
    assert_eq!(report.columns[1].treatment, "generalized");
}

// holds: Pages are inert
#[test]
fn no_name_can_inject_markup_into_reports() {
    let paper = Folder::paper();
    let hostile = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>\u{202e}";
    let toml = paper.read("paper.toml");
    let escaped = serde_json::to_string(hostile).unwrap();
    let name = toml.lines().find(|line| line.starts_with("name = ")).unwrap().to_owned();
    paper.write("paper.toml", &toml.replacen(&name, &format!("name = {escaped}"), 1));
    let release = "<b onclick=alert(2)>'\"&.csv";
    let done = paper.run(&["anonymize", "paper.toml", "--node", "3,2,2", "-o", release, "--with", "report"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let result = "<b onclick=alert(2)>'\"&.report.json";
    let mut run: Value = serde_json::from_str(&paper.read(result)).unwrap();
    run["strategy"] = hostile.into();
    run["decisions"] =
        serde_json::json!([{ "at": hostile, "delta": { "min": hostile, "max": "1" }, "reason": hostile }]);
    paper.write(result, &run.to_string());
    for reader in ["signer", "recipient"] {
        let done =
            paper.run(&["report", "paper.toml", release, "-o", &format!("{reader}.html"), "--for", reader]);
        assert_eq!(done.status, 0, "{}", done.err);
        let page = paper.read(&format!("{reader}.html"));
        for markup in ["<script", "<img", "<b onclick", "\u{202e}"] {
            assert!(!page.contains(markup), "{reader} has {markup}");
        }
        assert!(page.contains("&lt;b onclick=alert(2)&gt;'&quot;&amp;.csv"), "{page}");
        // The page loads no other file and links to none.
        for outside in ["href=", "src=", "http://", "https://", "url(", "@import"] {
            let text = page
                .replace("xmlns=\"http://www.w3.org/2000/svg\"", "")
                .replace("&quot;&gt;&lt;img src=x", "");
            assert!(!text.contains(outside), "{reader} has {outside}");
        }
    }
    assert!(paper.read("signer.html").contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn a_report_finds_the_step_behind_its_release() {
    let paper = written();
    let analysis = Analysis::load(&paper.path("paper.toml"), &Overrides::default()).unwrap();
    let (problem, lattice) = (analysis.problem(), analysis.problem().lattice());
    let recipe = |levels: [u8; 3]| RecodingRecipe::Node(levels.map(palmtop::model::Level).to_vec());
    let step = |how, levels| Step { action: how, recoding: recipe(levels), delta: problem.delta() };
    assert!(lattice.node(&[3, 2, 2].map(palmtop::model::Level)).is_ok());
    let early = Moment::read("2026-03-01T12:00:00Z").unwrap();
    let mut log = Sitting::new(&analysis, step(Action::Start, [0, 0, 0]));
    log.push(step(Action::Lattice, [3, 2, 2]));
    log.fix_policy(early.clone(), None);
    log.push(step(Action::Coarser("zip".to_owned()), [4, 2, 2]));
    // The analyst could choose among all found releases, also among those that were never opened.
    let found = Search {
        strategy: Strategy::Best.into(),
        delta: problem.delta(),
        metric: Metric::Loss,
        seed: 7,
        rounds: Some(3),
        opening: None,
        rehearsed: None,
        node: None,
        complete: true,
    };
    log.note_search(&found, early.clone());
    log.note_search(&Search { seed: 8, ..found }, Moment::read("2999-03-01T12:00:00Z").unwrap());
    SittingFile::new(&paper.path("paper.toml")).save(&log).unwrap();
    // The newest sitting is quoted, because one of its steps makes this release.
    paper.expect(0, "report paper.toml out.csv -o r.json");
    let report = paper.report("r.json");
    let found = report.history.unwrap();
    assert_eq!((found.sitting, found.released_step, found.steps.len(), found.same_inputs), (1, 1, 3, true));
    assert_eq!(found.decisions[0].at, early.to_string());
    // A later search was not seen.
    assert_eq!((found.seen, found.searches.len()), (1, 1));
    assert_eq!(found.searches[0].search, "best, 3 rounds from seed 7");
    assert!(report.verdict.cautions.iter().any(|caution| caution.key == Key::SeenSearches));
    assert_eq!((found.steps[2].how.as_str(), found.steps[2].current), ("coarser zip", true));
    // No step of it makes another release.
    paper.expect(0, "anonymize paper.toml --node 5,2,2 --delta-min 0 -o other.csv");
    paper.expect(0, "report paper.toml other.csv --delta-min 0 -o r.json --force");
    assert_eq!(paper.report("r.json").history, None);
}

#[test]
fn the_report_compares_delta_with_the_advice() {
    let paper = written();
    paper.expect(0, "report paper.toml out.csv -o r.json --prior 60% --misuse 5% --misuse-down 5%");
    let report = paper.report("r.json");
    let advice = report.delta.advice.unwrap();
    // The example of the paper: its δ of 1/2 to 2/3 is wider than 1/2 to 11/18.
    assert_eq!((advice.delta.min.as_str(), advice.delta.max.as_str()), ("1/2", "11/18"));
    assert!(!advice.kept && !advice.achieved_within);
    assert!(report.verdict.cautions.iter().any(|caution| caution.key == Key::AdvisedDelta));
    paper.expect(2, "report paper.toml out.csv -o no.json --prior 1 --misuse 5%");
}

#[test]
fn a_report_made_again_is_the_same() {
    let paper = written();
    for (reader, time) in [("signer", "made_at"), ("recipient", "made_on")] {
        let made = |name: &str| {
            paper.expect(0, &format!("report paper.toml out.csv -o {name} --for {reader} --force"));
            let mut json: Value = serde_json::from_str(&paper.read(name)).unwrap();
            assert!(json.as_object_mut().unwrap().remove(time).is_some(), "{reader}");
            json
        };
        assert_eq!(made("r.json"), made("again.json"), "{reader}");
    }
}

#[test]
fn a_parquet_release_has_its_report() {
    let paper = Folder::paper();
    paper.expect(0, "anonymize paper.toml --node 3,2,2 -o out.parquet");
    paper.expect(0, "report paper.toml out.parquet -o r.json");
    let report = paper.report("r.json");
    assert_eq!((report.release.format.as_str(), report.release.rows), ("Parquet", 5));
    assert!(report.verdict.verified);
}

// holds: Pages are inert
#[test]
fn charts_are_files_that_refer_to_nothing_outside() {
    let paper = Folder::paper();
    paper.expect(0, "classes paper.toml --node 3,2,2 -o presence.svg");
    paper.expect(0, "compare paper.toml --strategy spalm,n1,best --budget 2rounds -o bars.svg");
    let lines = "compare paper.toml --strategy spalm,n1 --delta-min 0 --delta-max 2/3,4/5,1 -o lines.svg";
    paper.expect(0, lines);
    for (file, expected) in [
        ("presence.svg", "presence above 0.49 to 0.525: 6 individuals"),
        ("bars.svg", ">spalm</text>"),
        ("lines.svg", "Loss over δmax (δmin = 0)"),
    ] {
        let drawing = paper.read(file);
        assert!(drawing.starts_with("<svg ") && drawing.trim_end().ends_with("</svg>"), "{file}\n{drawing}");
        assert!(drawing.contains("role=\"img\"") && drawing.contains("<title"), "{file}\n{drawing}");
        assert!(drawing.contains(expected), "{file}\n{drawing}");
        for outside in ["href", "url(", "<image", "<script", "@import"] {
            assert!(!drawing.contains(outside), "{file} has {outside}");
        }
    }
    let done = paper.expect(1, lines);
    assert!(done.err.contains("lines.svg exists"), "{}", done.err);
    let done = paper.expect(1, "classes paper.toml -o private.csv --force");
    assert!(done.err.contains("is a file of this project"), "{}", done.err);
}

#[test]
fn the_report_has_the_sections_of_the_guidance() {
    let paper = written();
    paper.expect(0, "report paper.toml out.csv -o r.html");
    let page = paper.read("r.html");
    for guided in GUIDANCE {
        assert!(page.contains(&format!(">{}</h2>", guided.section)), "{}", guided.section);
    }
    for guideline in GUIDELINES {
        assert!(page.contains(&format!("<th scope=\"col\">{guideline}</th>")), "{guideline}");
    }
}

#[test]
fn statements_of_the_analyst_appear_in_the_report() {
    let paper = Folder::paper();
    paper.expect(0, "anonymize paper.toml --node 3,2,2 -o out.csv");
    paper.expect(0, "report paper.toml out.csv -o bare.html");
    // Eleven in the annex, three on page 1, and the attempts on page 2.
    assert_eq!(paper.read("bare.html").matches("not stated").count(), 15);
    let stated = "[report]\nresponsible = \"Rita Berg\"\norganization = \"Town clinic\"\nperiod = \"spring 2024\"\n\
                  review = \"2027-01-31\"\ncontext = \"agreement\"\npublic = \"voters of three towns\"\n\
                  recipients = \"two universities\"\ncontrols = \"a closed room\"\ncontact = \"data@clinic.example\"\n\
                  law = [\"gdpr\"]\n\
                  attempt = { deliberate = \"40%\", inadvertent = \"1/5\", breach = 0.25 }\n\n[delta]";
    paper.edit("paper.toml", "[delta]", stated);
    paper.expect(0, "report paper.toml out.csv -o r.html");
    let page = text_of(&paper.read("r.html"));
    for words in [
        "Rita Berg, Town clinic",
        "spring 2024",
        "under agreement; two universities; a closed room; review on 2027-01-31",
        "data@clinic.example",
        "gdpr",
        "voters of three towns",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(
        page.contains("on purpose 40 %, by chance 20 %, after a breach 25 %") && !page.contains("not stated")
    );
    for target in ["f.html", "f.json"] {
        paper.expect(0, &format!("report paper.toml out.csv -o {target} --for recipient"));
        let text = paper.read(target);
        for word in ["voters of three towns", "Rita Berg", "Town clinic", "spring 2024"] {
            assert!(text.contains(word), "{target}: {word}");
        }
        for word in ["2027-01-31", "under agreement", "2/5"] {
            assert!(!text.contains(word), "{target} has {word}");
        }
    }
    paper.edit("paper.toml", "responsible", "responsable");
    let done = paper.expect(1, "report paper.toml out.csv -o no.html");
    assert!(done.err.contains("unknown field `responsable`"), "{}", done.err);
}

/// The recipient reads how this file writes values and what its labels mean. Of T, the recipient
/// reads only the release.
#[test]
fn the_recipient_learns_formats_and_label_meanings() {
    let paper = Folder::paper();
    let hours = |(row, line): (usize, &str)| match row {
        0 => format!("{line},hours,seen"),
        row => format!("{line},\"{row},5\",0{row}.03.2024"),
    };
    let private: Vec<String> = paper.read("private.csv").lines().enumerate().map(hours).collect();
    paper.write("private.csv", &(private.join("\n") + "\n"));
    let more = "[[attribute]]\nname = \"hours\"\nrole = \"insensitive\"\n\n[[attribute]]\nname = \"seen\"\nrole = \"insensitive\"\n";
    paper.write("paper.toml", &format!("{}\n{more}", paper.read("paper.toml")));
    paper.expect(0, "anonymize paper.toml --node 3,2,2 -o out.csv --delta-min 0 --delta-max 1");
    paper.expect(0, "report paper.toml out.csv -o r.json --for recipient --delta-min 0 --delta-max 1");
    let report = paper.recipient("r.json");
    let forms: Vec<(&str, &str)> =
        report.columns.iter().map(|column| (column.column.as_str(), column.form.as_str())).collect();
    assert!(forms.contains(&("hours", "numbers with a decimal comma")), "{forms:?}");
    assert!(forms.contains(&("seen", "dates as day.month.year")), "{forms:?}");
    assert_eq!(
        (report.release.encoding.as_deref(), report.release.separator.as_deref()),
        (Some("UTF-8"), Some(","))
    );
    // Each text of the release is listed, and labels with values of P.
    let (released, public) = (paper.read("out.csv"), paper.read("public.csv"));
    let list = report.code_list.unwrap();
    let codes = list.attributes.iter().find(|own| own.column == "nationality").unwrap();
    let listed: BTreeSet<String> = codes.texts.iter().map(|code| code.text.clone()).collect();
    assert_eq!(listed, values(&released, "nationality"), "{list:?}");
    for code in &codes.texts {
        let known = values(&public, "nationality");
        assert!(!code.means.is_empty() && code.means.iter().all(|value| known.contains(value)), "{code:?}");
    }
    // A policy without a guarantee is not called a guarantee.
    assert!(report.guarantee.unwrap().meaning.contains("promises nothing"));
    paper.expect(0, "report paper.toml out.csv -o r.html --for recipient --delta-min 0 --delta-max 1");
}

#[test]
fn the_page_uses_words_not_keys() {
    let clinic = Folder::clinic();
    clinic.expect(0, "anonymize clinic.toml --strategy spalm -o out.csv");
    clinic.expect(0, "report clinic.toml out.csv -o r.html");
    clinic.expect(0, "report clinic.toml out.csv -o r.json");
    let page = text_of(&clinic.read("r.html"));
    for words in
        ["δ-presence: ", "k-anonymity: ", "0 % to 10 %", "20,000", "less is safer", "T is the private table"]
    {
        assert!(page.contains(words), "{words}");
    }
    for word in
        ["k_map", "only measured", "(0, ", "enforced by nobody", "keeps δ and every criterion", "Of 20000"]
    {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("δ is not justified"));
    let machine = clinic.folder.path().display().to_string();
    clinic.expect(0, &format!("report {machine}/clinic.toml {machine}/out.csv -o abs.json"));
    assert!(!clinic.read("abs.json").contains(&machine), "no path of the machine");
    let page_text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reports.md")).unwrap();
    let page_text = page_text.split_whitespace().collect::<Vec<_>>().join(" ");
    let listed =
        page_text.split_once("JSON for who signs: ").unwrap().1.split_once("for the recipient: ").unwrap().0;
    let json: Value = serde_json::from_str(&clinic.read("r.json")).unwrap();
    for key in json.as_object().unwrap().keys() {
        let is_listed =
            listed.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word == key);
        assert!(is_listed, "the list of JSON keys in docs/reports.md lacks {key}");
    }
}
