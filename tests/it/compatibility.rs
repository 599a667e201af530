//! The table of what combines with what: each pair is tried on a small project, as a shell sees it.
//! What the table accepts runs; what it refuses is refused with the sentence of the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command as Process, Output};

use palmtop::compatibility::{Answer, Command, Feature, Kind, RULES, check, rule};
use palmtop::project::Project;
use palmtop::search::Strategy;

/// A folder with the tables of 16 people, of whom 8 are members, and a project with these settings.
struct Workspace {
    folder: tempfile::TempDir,
    settings: Vec<Feature>,
}

const HIERARCHY: &str = "0,0-1,*\n1,0-1,*\n2,2-3,*\n3,2-3,*\n";

impl Workspace {
    fn new(settings: &[Feature]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Self { folder, settings: settings.to_vec() };
        let is_part = workspace.has(Feature::Member);
        let has_count = workspace.has(Feature::Count);
        let column = |is_wanted, text: &str| if is_wanted { format!(",{text}") } else { String::new() };
        let has_card = workspace.has(Feature::OneRow) && !is_part;
        let line = |cells: String, [n, mark, card]: [&str; 3]| {
            let optional = [column(has_count, n), column(is_part, mark), column(has_card, card)];
            format!("{cells}{}\n", optional.concat())
        };
        let mut public = line("who,a,b".to_owned(), ["n", "in", "card"]);
        let mut private = String::from("who,a,b,secret\n");
        for person in 0..16 {
            let (a, b, is_member) = (person % 4, person / 4, [0, 3, 5, 6, 9, 10, 12, 15].contains(&person));
            let (mark, secret) = (if is_member { "yes" } else { "no" }, format!("s{}", person % 3));
            public += &line(format!("u{person},{a},{b}"), ["1", mark, &format!("c{person}")]);
            if is_member {
                private += &format!("u{person},{a},{b},{secret}\n");
            }
        }
        workspace.put("p.csv", &public);
        workspace.put("t.csv", &private);
        workspace.put("four.csv", HIERARCHY);
        workspace.put("x.toml", &workspace.project());
        workspace
    }

    fn has(&self, feature: Feature) -> bool {
        self.settings.contains(&feature)
    }

    fn project(&self) -> String {
        let line = |feature, text: &'static str| if self.has(feature) { text } else { "" };
        let outsiders = match (self.has(Feature::Outsiders), self.has(Feature::AddedOutsiders)) {
            (_, true) => "not_in_public = \"add\"\n",
            (true, false) => "not_in_public = \"drop\"\n",
            (false, false) => "",
        };
        let private = format!("[private]\npath = \"t.csv\"\n{outsiders}");
        let is_part = self.has(Feature::Member);
        let private = if is_part { "" } else { &private };
        [
            private,
            "[public]\npath = \"p.csv\"\n",
            line(Feature::Member, "member = \"in\"\n"),
            line(Feature::Count, "count = \"n\"\ncounts = \"people\"\n"),
            match (self.has(Feature::OneRow), is_part) {
                (true, true) => "person = { column = \"who\", distinct = true }\n",
                (true, false) => "person = { column = \"card\", distinct = true }\n",
                (false, _) => "",
            },
            line(Feature::Sample, "sample_of = 400\n"),
            "[delta]\nmax = \"3/4\"\n[policy]\n",
            line(Feature::Withdrawal, "suppress_at_most = \"50%\"\n"),
            line(Feature::CountCriteria, "k = 1\n"),
            line(Feature::ValueCriteria, "l = { distinct = 1 }\n"),
            "[[attribute]]\nname = \"who\"\nrole = \"",
            if self.has(Feature::People) { "entity" } else { "identifier" },
            "\"\n[[attribute]]\nname = \"a\"\nrole = \"quasi\"\nhierarchy = \"four.csv\"\n",
            line(Feature::Limits, "levels = \"1-\"\n"),
            "[[attribute]]\nname = \"b\"\nrole = \"quasi\"\nhierarchy = \"four.csv\"\n",
            line(Feature::Terms, "terms = 2\n"),
            if is_part { "" } else { "[[attribute]]\nname = \"secret\"\nrole = \"sensitive\"\n" },
        ]
        .concat()
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn run(&self, arguments: &[String]) -> Output {
        Process::new(env!("CARGO_BIN_EXE_palmtop"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PALMTOP_STATE", self.folder.path())
            .output()
            .unwrap()
    }

    /// Writes a release at the coarsest node, if the project permits one.
    fn release(&self, name: &str) {
        let arguments = ["anonymize", "x.toml", "--node", "2,2", "--force", "-o", name];
        let run = self.run(&arguments.map(str::to_owned));
        if !run.status.success() {
            self.put(name, "a,b,secret\n");
        }
    }
}

/// Runs palmtop with these features. If the table refuses them, palmtop must refuse them with the
/// sentence of the table; otherwise palmtop must run. Returns the refused rule.
fn tried(settings: &[Feature], asked: &[Feature]) -> Option<usize> {
    let workspace = Workspace::new(settings);
    let command = asked.iter().find_map(|feature| match feature {
        Feature::Command(command) => Some(*command),
        _ => None,
    });
    let arguments = arguments(&workspace, command.unwrap(), asked);
    // The table refuses a command before it refuses what the command is asked for.
    let mut asked = asked.to_vec();
    asked.sort_by_key(|feature| feature.kind() != Kind::Command);
    let expected = check(settings).and_then(|()| check(&[settings, &asked].concat()));
    let run = workspace.run(&arguments);
    let (status, error) = (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned());
    let what = format!("{arguments:?} with {settings:?}: {status:?}\n{error}\n{}", workspace.project());
    match expected {
        Ok(()) if command == Some(Command::Fetch) => {
            assert!(error.contains("[public.source]") && !error.contains("cannot be used"), "{what}");
            None
        }
        Ok(()) => {
            assert!(matches!(status, Some(0 | 3)) && !error.contains("cannot be used"), "{what}");
            let read = Project::read(&workspace.folder.path().join("x.toml")).unwrap().features();
            assert_eq!(BTreeSet::from_iter(names(&read)), BTreeSet::from_iter(names(settings)), "{what}");
            None
        }
        Err(refused) => {
            assert!(error.contains(&refused.to_string()), "expected {refused}\n{what}");
            assert_eq!(status, Some(if refused.is_usage() { 2 } else { 1 }), "{what}");
            assert!(!workspace.folder.path().join("out.csv").exists(), "{what}");
            rule(refused.asked, refused.with)
        }
    }
}

fn names(features: &[Feature]) -> Vec<String> {
    features.iter().map(ToString::to_string).collect()
}

/// The command line of a command with these features.
fn arguments(workspace: &Workspace, command: Command, asked: &[Feature]) -> Vec<String> {
    if matches!(command, Command::Compose | Command::Verify | Command::Report)
        || asked.contains(&Feature::Beside)
    {
        workspace.release("r.csv");
    }
    let positional: &[&str] = match command {
        Command::Compose => &["compose", "x.toml", "r.csv", "r.csv"],
        Command::Verify => &["verify", "x.toml", "r.csv"],
        Command::Report => &["report", "x.toml", "r.csv", "-o", "r.html"],
        Command::Advise => &["advise", "x.toml", "--prior", "3/4", "--misuse", "1/10"],
        Command::Hierarchy => &["hierarchy", "export", "x.toml", "a", "-o", "h.csv", "--force"],
        Command::Anonymize => &["anonymize", "x.toml", "-o", "out.csv"],
        Command::Estimate => &["estimate", "x.toml", "--population", "500", "--node", "2,2"],
        other => &[other.name(), "x.toml"],
    };
    let mut arguments: Vec<String> = positional.iter().map(|&text| text.to_owned()).collect();
    if command == Command::Estimate && workspace.has(Feature::Sample) {
        arguments.drain(2..4);
    }
    let limits = [Feature::Seconds, Feature::Rounds];
    for feature in asked {
        let text = match (command, feature) {
            (_, Feature::Command(_)) => "",
            (Command::Compare, Feature::Strategy(strategy)) => &format!("--strategy {strategy}"),
            (Command::Compare, Feature::Node) => "2,2",
            (_, Feature::Node) => "--node 2,2",
            (_, Feature::Seconds) => "--budget 0.1s",
            (_, Feature::Rounds) => "--budget 1rounds",
            (_, Feature::Beside) => "--beside r.csv",
            (Command::Audit, Feature::Transcript) => "q.txt",
            (_, Feature::Transcript) => "--with transcript",
            (_, Feature::AllowNotPresent) => {
                arguments.extend(["--accept", "not_present=the board decided so"].map(str::to_owned));
                ""
            }
            (_, other) => &other.to_string(),
        };
        arguments.extend(text.split_whitespace().map(str::to_owned));
        let is_endless = *feature == Feature::Strategy(Strategy::Best);
        if is_endless && !asked.iter().any(|other| limits.contains(other)) {
            let limit = if asked.contains(&Feature::Beside) {
                ["--budget", "1rounds"]
            } else {
                ["--budget", "9steps"]
            };
            arguments.extend(limit.map(str::to_owned));
        }
    }
    arguments
}

/// Whether a project file can have both settings. If T is part of P, the project has no other T and
/// no sensitive column.
fn is_expressible(one: Feature, other: Feature) -> bool {
    let is = |first, second| [one, other] == [first, second] || [other, one] == [first, second];
    !is(Feature::Member, Feature::Outsiders)
        && !is(Feature::Member, Feature::AddedOutsiders)
        && !is(Feature::Member, Feature::ValueCriteria)
}

/// The settings of a project with this setting: an added outsider is an outsider.
fn settings(of: &[Feature]) -> Vec<Feature> {
    let all = Feature::OF_PROJECTS.into_iter();
    let is_set = |setting: &Feature| {
        of.contains(setting) || (*setting == Feature::Outsiders && of.contains(&Feature::AddedOutsiders))
    };
    all.filter(is_set).collect()
}

/// A strategy, or the node, that an option needs.
fn release_for(options: &[Feature]) -> Feature {
    let accepts = |release: &Feature| {
        options.iter().all(|&option| {
            !matches!(
                rule(*release, option).map(|number| RULES[number].answer),
                Some(Answer::Refused(_) | Answer::Limited(_))
            )
        })
    };
    let spalm = Feature::Strategy(Strategy::Spalm);
    std::iter::once(spalm).chain(Feature::releases()).find(accepts).unwrap_or(spalm)
}

// holds: One table of what does not combine
#[test]
fn two_settings_of_a_project() {
    for (position, &one) in Feature::OF_PROJECTS.iter().enumerate() {
        for &other in &Feature::OF_PROJECTS[..=position] {
            if is_expressible(one, other) {
                let settings = settings(&[one, other]);
                let command =
                    if settings.contains(&Feature::Sample) { Command::Estimate } else { Command::Check };
                tried(&settings, &[Feature::Command(command)]);
            }
        }
    }
}

// holds: One table of what does not combine
#[test]
fn a_setting_and_a_strategy_or_a_node() {
    for setting in Feature::OF_PROJECTS {
        for release in Feature::releases() {
            tried(&settings(&[setting]), &[Feature::Command(Command::Classes), release]);
        }
    }
}

// holds: One table of what does not combine
#[test]
fn a_setting_and_an_option() {
    for setting in Feature::OF_PROJECTS {
        for option in Feature::OPTIONS {
            let release = release_for(&[option]);
            tried(&settings(&[setting]), &[Feature::Command(Command::Anonymize), release, option]);
        }
    }
}

// holds: One table of what does not combine
#[test]
fn a_setting_and_a_command() {
    for setting in Feature::OF_PROJECTS {
        for &command in Command::ALL {
            // The workbench shows a refusal on its screen, a session is a file of the workbench, and
            // another program runs the experiments.
            if matches!(command, Command::Workbench | Command::Experiment) {
                continue;
            }
            let release = match command {
                Command::Anonymize | Command::Audit | Command::Compare => {
                    Some(Feature::Strategy(Strategy::Spalm))
                }
                Command::Classes => Some(Feature::Node),
                _ => None,
            };
            let asked: Vec<Feature> = std::iter::once(Feature::Command(command)).chain(release).collect();
            tried(&settings(&[setting]), &asked);
        }
    }
}

// holds: One table of what does not combine
#[test]
fn a_strategy_or_a_node_and_an_option() {
    for release in Feature::releases() {
        for option in Feature::OPTIONS {
            tried(&[], &[Feature::Command(Command::Anonymize), release, option]);
        }
    }
}

// holds: One table of what does not combine
#[test]
fn two_options() {
    for (position, &one) in Feature::OPTIONS.iter().enumerate() {
        for &other in &Feature::OPTIONS[..position] {
            // A command line has one budget.
            if [one, other] != [Feature::Rounds, Feature::Seconds] {
                let asked = [Feature::Command(Command::Anonymize), release_for(&[one, other]), one, other];
                tried(&[], &asked);
            }
        }
    }
}

/// The page shows the table for people with several rows, and a test of the page fails if it is old.
#[test]
fn every_rule_has_a_sentence() {
    for rule in RULES {
        let (Answer::Refused(why) | Answer::Limited(why)) = rule.answer else {
            panic!("a rule that says nothing")
        };
        assert!(why.len() > 20 && !why.ends_with('.'), "{why}");
    }
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/combinations.md").exists());
}
