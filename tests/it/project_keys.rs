//! Projects of earlier versions: they are read with one message, make the same releases, and are rewritten on request.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{self, Done};

/// A project in the keys of an earlier version.
const OLDER: &str = "\
# An older project.
[private]
path = \"t.csv\"

[public]
paths = [\"p-1.csv\", \"p-2.csv\"] # two towns

[delta]
max = \"1/2\"

[[attribute]]
name = \"income\"
role = \"quasi\"
hierarchy = \"income.toml\"
number = { decimal = \",\", thousands = \".\" } # as the bank writes it
uncut = true

[[attribute]]
name = \"born\"
role = \"quasi\"
hierarchy = \"born.toml\"
date = \"%d.%m.%y\"
pivot = 1926
cuts = \"labels\"

[[attribute]]
name = \"town\"
role = \"quasi\"
hierarchy = \"town.csv\"
keep = true # towns are no secret

[[attribute]]
name = \"illness\"
role = \"sensitive\" # published unchanged
# Nobody decided.
undecided = true
";

/// The same project in the keys of today.
const TODAY: &str = "\
# An older project.
[private]
path = \"t.csv\"

[public]
path = [\"p-1.csv\", \"p-2.csv\"] # two towns

[delta]
max = \"1/2\"

[[attribute]]
name = \"income\"
role = \"quasi\"
hierarchy = \"income.toml\"
number = \"1.234,5\" # as the bank writes it
shape = \"whole\"

[[attribute]]
name = \"born\"
role = \"quasi\"
hierarchy = \"born.toml\"
date = { like = \"%d.%m.%y\", from = 1926 }
shape = \"labels\"

[[attribute]]
name = \"town\"
role = \"quasi\"
hierarchy = \"town.csv\"
shape = \"kept\" # towns are no secret

[[attribute]]
# Nobody decided.
name = \"illness\"
role = \"undecided\" # published unchanged
";

const P_1: &str =
    "income;born;town\n1.234,5;01.02.50;A\n1.234,50;01.02.50;A\n2.000;03.04.51;A\n2.000,0;03.04.51;A\n";
const P_2: &str =
    "town;income;born\nB;1.000;01.02.25\nB;1.000;01.02.25\nB;9.999,9;07.08.60\nB;9.999,9;07.08.60\n";
const T: &str = "income;born;town;illness\n1.234,5;01.02.50;A;cold\n9.999,9;07.08.60;B;flu\n";

const EXPORT: [&str; 7] = [
    "anonymize",
    "x.toml",
    "--strategy=best",
    "--budget=2rounds",
    "--accept=undecided:illness=The board publishes the illness.",
    "-o",
    "release.csv",
];

fn folder(project: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("x.toml", project),
        ("p-1.csv", P_1),
        ("p-2.csv", P_2),
        ("t.csv", T),
        ("income.toml", "type = \"interval\"\nwidths = [1000, 5000]\n"),
        ("born.toml", "type = \"date\"\nlevels = [\"year\", \"decade\"]\n"),
        ("town.csv", "A;*\nB;*\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Done {
    support::palmtop(folder.path(), arguments)
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn an_older_project_makes_the_release_of_today() {
    let (older, today) = (folder(OLDER), folder(TODAY));
    let done = run(&older, &EXPORT);
    done.expect(
        0,
        "x.toml has keys of an older version; `palmtop check x.toml --rewrite` replaces these lines",
    )
    .expect(0, "line 6\n  - paths = [\"p-1.csv\", \"p-2.csv\"] # two towns\n  + path = [");
    assert_eq!(done.err.matches("older version").count(), 1, "{}", done.err);
    let same = run(&today, &EXPORT);
    same.expect(0, "");
    assert!(!same.err.contains("older version"), "{}", same.err);
    assert_eq!(read(older.path(), "release.csv"), read(today.path(), "release.csv"));
    // The verifier reads both, by its own code.
    for folder in [&older, &today] {
        run(folder, &["verify", "x.toml", "release.csv"]).expect(0, "");
    }
    let spoilt = read(older.path(), "release.csv").replace("1950", "1949");
    for folder in [&older, &today] {
        fs::write(folder.path().join("spoilt.csv"), &spoilt).unwrap();
        run(folder, &["verify", "x.toml", "spoilt.csv"]).expect(3, "");
    }
}

/// A rewritten project keeps its comments, its ends of lines and its mode.
#[test]
fn a_rewritten_project_stays_as_it_was_kept() {
    let older = folder(OLDER);
    let path = older.path().join("x.toml");
    let number = "number = { decimal = \",\", thousands = \".\" } # as the bank writes it\nuncut = true\n";
    let table = "uncut = true\n\n[attribute.number] # the bank's\n# see its mail of 3 May: \"#\" is no mark\ndecimal = \",\"\nthousands = \".\"\n";
    let text = OLDER.replace(number, table).replace('\n', "\r\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o664)).unwrap();
    run(&older, &["check", "x.toml", "--rewrite"]);
    let rewritten = fs::read_to_string(&path).unwrap();
    for comment in
        ["# the bank's", "# see its mail of 3 May: \"#\" is no mark", "# two towns", "# Nobody decided."]
    {
        assert_eq!(rewritten.matches(comment).count(), 1, "{comment}: {rewritten}");
    }
    assert_eq!(rewritten.matches('\n').count(), rewritten.matches("\r\n").count());
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o664);
    run(&older, &["check", "x.toml"]).expect(0, "");
}

#[test]
fn check_rewrites_an_older_project_on_request() {
    let older = folder(OLDER);
    let before = run(&older, &["check", "x.toml"]);
    before.expect(0, "older version");
    assert_eq!(read(older.path(), "x.toml"), OLDER, "nothing is written without the option");
    let done = run(&older, &["check", "x.toml", "--rewrite"]);
    done.expect(0, "x.toml was rewritten:").expect(0, "  - undecided = true\n");
    assert_eq!(read(older.path(), "x.toml"), TODAY);
    assert_eq!(done.out, before.out, "it is the same project");
    let again = run(&older, &["check", "x.toml", "--rewrite"]);
    again.expect(0, "x.toml has no key of an older version");
    assert_eq!(read(older.path(), "x.toml"), TODAY);
    run(&older, &["check", "@clinic", "--rewrite"]).expect(2, "--rewrite needs a project file");
}

#[test]
fn both_readers_refuse_what_is_said_twice() {
    let releases = folder(TODAY);
    run(&releases, &EXPORT).expect(0, "");
    for (key, both) in [
        ("shape = \"whole\"", "shape = \"whole\"\nuncut = true"),
        ("shape = \"labels\"", "cuts = \"labels\"\nuncut = true"),
        ("role = \"undecided\"", "role = \"undecided\"\nundecided = true"),
        ("number = \"1.234,5\"", "number = { like = \"1.234,5\", decimal = \",\" }"),
        ("number = \"1.234,5\"", "number = \"1,5\""),
        ("from = 1926 }", "from = 1926 }\npivot = 1926"),
        ("path = [\"p-1.csv\", \"p-2.csv\"]", "path = \"p-1.csv\"\npaths = [\"p-2.csv\"]"),
    ] {
        let text = TODAY.replace(key, both);
        assert_ne!(text, TODAY);
        fs::write(releases.path().join("x.toml"), text).unwrap();
        run(&releases, &["check", "x.toml"]).expect(1, "");
        run(&releases, &["check", "x.toml", "--rewrite"]).expect(1, "");
        let own = palmtop::verify::VerifySpec::of_project(
            &releases.path().join("x.toml"),
            palmtop::verify::OtherDelta::default(),
        );
        assert!(own.is_err(), "{both}");
    }
}
