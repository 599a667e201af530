//! `verify`: reads a written release again and recounts it from the raw tables.

use std::path::Path;

use palmtop::caution::{Caution, Judged, Key, Severity, recounted};
use palmtop::columns::{Column, Table};
use palmtop::compatibility::Feature;
use palmtop::keys;
use palmtop::pipeline::{self, Analysis, CautionBasis, Overrides, PipelineError, Recount};
use palmtop::progress::unwatched;
use palmtop::release::Achieved;
use palmtop::report::requirement;
use palmtop::verify::{Findings, Outcome};
use serde::Serialize;

use super::args::DeltaArguments;
use super::cautions;
use super::load::ProjectFile;
use super::registered::{Judged as JudgedBy, Taken, TakenResult};
use clap::Args;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::output;
use palmtop_console::result::{Bounds, CriterionResult, PseudonymResult, is_nobody, members, rows_left_out};
use palmtop_console::say;
use palmtop_console::status::Status;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The written release.
    pub(crate) release: PathBuf,
    /// Judge by the δ that this history has for the release, if it is not looser than the project's; by default that of the
    /// project's history.
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

pub(super) fn run(arguments: &VerifyArguments) -> anyhow::Result<Status> {
    let file = ProjectFile::find(&arguments.project)?;
    let judged =
        JudgedBy::find(&file.path, &arguments.release, &arguments.delta, arguments.history.as_deref())?;
    let taken = judged.taken.as_ref();
    let recount = pipeline::recount_file(&file.path, &judged.overrides, &arguments.release)?;
    let findings = recount.findings.clone();
    // The text output of an unfaithful file has no cautions.
    let counts =
        arguments.format == Format::Json || (arguments.format == Format::Table && findings.is_faithful());
    let release = (arguments.release.as_path(), &findings);
    let found = counts.then(|| cautions(&file, &judged.overrides, release, recount)).flatten();
    let found = found.as_ref();
    Verified { findings: &findings, found, taken }.print(arguments.format)?;
    tell_details(&findings);
    Ok(Status::of_presence(findings.is_faithful() && findings.is_present()))
}

/// The cautions of the release; `None` with a message if they cannot be computed. The verdict does
/// not depend on them.
fn cautions(
    file: &ProjectFile,
    overrides: &Overrides,
    release: (&Path, &Findings),
    recount: Recount,
) -> Option<Judged> {
    let counted = count_cautions(file, overrides, release, recount);
    counted.map_err(|error| say::message(&format!("the cautions could not be computed: {error:#}"))).ok()
}

fn count_cautions(
    file: &ProjectFile,
    overrides: &Overrides,
    (path, findings): (&Path, &Findings),
    recount: Recount,
) -> anyhow::Result<Judged> {
    let recounted = recount.project(&file.path, overrides)?;
    let loaded;
    let basis = if let Some(project) = &recounted {
        CautionBasis::from(project)
    } else {
        loaded = Analysis::load_for(&file.path, overrides, &[Feature::Verdict], &mut unwatched)?;
        CautionBasis::from(&loaded)
    };
    let read = recount.matched.map(|matched| pipeline::reading::read_matched(basis, path, matched));
    let read = match read.transpose() {
        // The file cannot be a release of a part of P.
        Err(PipelineError::BeyondPublic(_)) => None,
        read => read?.filter(|_| findings.is_faithful()),
    };
    cautions::of_file(basis, (path, findings), read.as_ref())
}

/// The result of the command.
struct Verified<'a> {
    findings: &'a Findings,
    found: Option<&'a Judged>,
    /// A δ that is not the project's.
    taken: Option<&'a Taken>,
}

impl Answer for Verified<'_> {
    fn text(&self) -> String {
        text((self.findings, self.found), self.taken)
    }

    fn table(&self) -> Table {
        table(self.findings)
    }

    fn object(&self) -> impl Serialize {
        object(self.findings, self.found, self.taken)
    }
}

/// Prints the values behind the problems on stderr. They are T's, so they are not part of the
/// result. Write errors are ignored: stderr may be closed.
fn tell_details(findings: &Findings) {
    for problem in &findings.problems {
        if let Some(details) = problem.details() {
            say::line(&format!("{problem}: {details}"));
        }
    }
}

fn problems(findings: &Findings) -> Vec<String> {
    findings.problems.iter().map(ToString::to_string).collect()
}

fn pseudonyms(findings: &Findings) -> Vec<PseudonymResult> {
    findings.pseudonyms.iter().map(PseudonymResult::from).collect()
}

/// δ and every other criterion, including those that are only measured.
fn criteria(findings: &Findings) -> Vec<CriterionResult> {
    let achieved = format!("({}, {})", findings.achieved_min, findings.achieved_max);
    let delta = CriterionResult::new(
        "presence",
        Some(findings.delta.to_string()),
        Some(achieved),
        findings.keeps_delta(),
    );
    let others = findings.criteria.iter().map(|outcome| {
        let Outcome { criterion, required, achieved, holds } = outcome.clone();
        let required = required.map(|text| requirement(criterion, &text));
        CriterionResult::new(criterion, required, achieved, holds)
    });
    std::iter::once(delta).chain(others).collect()
}

/// The meaning of the recounted δ for one person, limited by the published columns of T.
fn headline(findings: &Findings, found: Option<&Judged>) -> String {
    let (min, max) = (findings.achieved_min, findings.achieved_max);
    let headline = recounted(findings.delta, Achieved { min, max });
    found.map_or(headline.clone(), |found| found.revealing.limit(&headline))
}

/// The severe cautions of a release, and what the history knows of it, a line each.
fn severe_lines(found: &Judged) -> String {
    let is_shown =
        |caution: &&Caution| caution.severity == Severity::Severe || caution.key == Key::Registered;
    let severe = found.cautions.iter().filter(is_shown);
    let line = |caution: &Caution| {
        let mark = if caution.is_open() { "✗ " } else { "" };
        output::shown(&format!("caution    {mark}{}: {caution}", caution.name())).into_owned() + "\n"
    };
    severe.map(line).collect()
}

keys! {
/// The recount as JSON, with stable keys.
#[derive(Serialize)]
pub(super) struct VerifyResult {
    /// Whether the file is a faithful release of T.
    faithful: bool,
    /// What δ means for one person, in words.
    headline: Option<String>,
    /// The cautions; null if they were not computed.
    cautions: Option<Vec<Caution>>,
    /// Whether the file is faithful and satisfies the policy.
    present: bool,
    /// Each criterion, δ-presence first.
    criteria: Vec<CriterionResult>,
    /// The δ.
    delta: Bounds,
    /// Where δ is from, if it is not the project's.
    delta_from: Option<TakenResult>,
    /// The lowest and the highest presence of a class, with or without members.
    achieved: Bounds,
    /// The number of released rows.
    rows: u64,
    /// The number of classes that have members.
    released_classes: u64,
    /// The number of people of P.
    public: u64,
    /// The number of members of T.
    private: u64,
    /// The number of members whom P lacks and who are left out.
    dropped: u64,
    /// The number of members whom P lacks and who are added to it.
    added: u64,
    /// The number of rows of P that are no people; absent if there are none.
    #[serde(skip_serializing_if = "is_nobody")]
    public_rows_left_out: u64,
    /// The number of rows of T that are no people; absent if there are none.
    #[serde(skip_serializing_if = "is_nobody")]
    private_rows_left_out: u64,
    /// The number of people of P who match no row.
    unmatched: u64,
    /// The number of withdrawn members.
    suppressed: u64,
    /// How many members may be withdrawn; may be absent if it is 0.
    suppressed_at_most: u64,
    /// The pseudonymized columns, in CSV as `patient (keyed)`; may be absent if there are none.
    pseudonyms: Vec<PseudonymResult>,
    /// Why the file is not faithful or not present.
    problems: Vec<String>,
    /// The assumed attacker, in words.
    adversary: String,
    /// The rows of P that repeat a person; absent if each row counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    public_repeats: Option<u64>,
    /// The rows of T that repeat a person; absent if each row counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    private_repeats: Option<u64>,
    /// The number of rows of P; absent if each row is a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    public_rows: Option<u64>,
}
}

fn object(findings: &Findings, found: Option<&Judged>, taken: Option<&Taken>) -> VerifyResult {
    let (min, max) = (findings.achieved_min.to_string(), findings.achieved_max.to_string());
    VerifyResult {
        faithful: findings.is_faithful(),
        headline: findings.is_faithful().then(|| headline(findings, found)),
        cautions: found.map(|found| found.cautions.clone()),
        present: findings.is_faithful() && findings.is_present(),
        criteria: criteria(findings),
        delta: findings.delta.into(),
        delta_from: taken.map(Taken::result),
        achieved: Bounds { min, max },
        rows: findings.rows,
        released_classes: findings.classes,
        public: findings.public,
        private: findings.private,
        dropped: findings.dropped,
        added: findings.added,
        public_rows_left_out: findings.left_out.0,
        private_rows_left_out: findings.left_out.1,
        unmatched: findings.unmatched,
        suppressed: findings.withdrawn,
        suppressed_at_most: findings.withdrawn_at_most,
        pseudonyms: pseudonyms(findings),
        problems: problems(findings),
        adversary: findings.attacker(),
        public_repeats: Some(findings.repeats).filter(|both| *both != (0, 0)).map(|(public, _)| public),
        private_repeats: Some(findings.repeats).filter(|both| *both != (0, 0)).map(|(_, private)| private),
        public_rows: findings.public_rows,
    }
}

/// The columns of CSV. Columns of the policy follow.
pub(super) const COLUMNS: [Column<Findings>; 15] = [
    Column::text("faithful", "whether the file is a faithful release of T", |findings| {
        findings.is_faithful().into()
    }),
    Column::text("present", "whether the file is faithful and satisfies the policy", |findings| {
        (findings.is_faithful() && findings.is_present()).into()
    }),
    Column::number("delta_min", "δmin", |findings| findings.delta.min().into()),
    Column::number("delta_max", "δmax", |findings| findings.delta.max().into()),
    Column::number("achieved_min", "the lowest presence of a class, with or without members", |findings| {
        findings.achieved_min.into()
    }),
    Column::number("achieved_max", "the highest presence of a class", |findings| {
        findings.achieved_max.into()
    }),
    Column::number("rows", "the number of released rows", |findings| findings.rows.into()),
    Column::number("released_classes", "the number of classes that have members", |findings| {
        findings.classes.into()
    }),
    Column::number("unmatched", "the number of people of P who match no row", |findings| {
        findings.unmatched.into()
    }),
    Column::number("dropped", "the number of members whom P lacks and who are left out", |findings| {
        findings.dropped.into()
    }),
    Column::number("added", "the number of members whom P lacks and who are added to it", |findings| {
        findings.added.into()
    }),
    Column::text("problems", "why the file is not faithful or not present", |findings| {
        problems(findings).join("; ").into()
    }),
    Column::text(
        "pseudonyms",
        "the pseudonymized columns, in CSV as `patient (keyed)`; may be absent if there are none",
        |findings| PseudonymResult::listed(&pseudonyms(findings)).into(),
    ),
    Column::number("suppressed", "the number of withdrawn members", |findings| findings.withdrawn.into()),
    Column::number(
        "suppressed_at_most",
        "how many members may be withdrawn; may be absent if it is 0",
        |findings| findings.withdrawn_at_most.into(),
    ),
];

fn table(findings: &Findings) -> Table {
    let mut table = Table::of(&COLUMNS, [findings]);
    for outcome in &findings.criteria {
        let name = outcome.criterion;
        let required = outcome.required.as_deref().map(|text| requirement(name, text));
        table = table.with(format!("{name}_required"), [required.into()]);
        table = table.with(format!("{name}_achieved"), [outcome.achieved.as_ref().into()]);
    }
    table
}

/// The number of released rows, and the number of people if that differs.
fn rows_line(findings: &Findings) -> String {
    let Findings { rows, classes, private, .. } = findings;
    match findings.public_rows {
        None => format!("rows       {rows} in {classes} released classes\n"),
        Some(_) => {
            format!("rows       {rows} of {private} people, in {classes} released classes of people\n")
        }
    }
}

/// The line of the members whom P lacks, with their treatment; empty if P has every member.
fn outsiders(findings: &Findings) -> String {
    let rows = rows_left_out(findings.left_out).map(|rows| format!("rows out   {rows}\n"));
    let members = match (findings.dropped, findings.added) {
        (0, 0) => String::new(),
        (dropped, 0) => format!("not in P   {} of T excluded\n", members(dropped)),
        (_, added) => format!("not in P   {} of T added to P, and counted there\n", members(added)),
    };
    members + &rows.unwrap_or_default()
}

/// The line of the rows that repeat a person; empty if there are none.
fn repeats(findings: &Findings) -> String {
    match findings.repeats {
        (0, 0) => String::new(),
        (public, private) => {
            format!("repeats    {public} of P's rows and {private} of T's repeat a person and are left out\n")
        }
    }
}

/// The line of the withdrawn members, if withdrawal is permitted.
fn withdrawn(findings: &Findings) -> String {
    match findings.withdrawn_at_most {
        0 => String::new(),
        most => format!(
            "withdrawn  {} of T's {}, at most {most} may be; their class is everybody who matches no row\n",
            findings.withdrawn,
            members(findings.private)
        ),
    }
}

fn text((findings, found): (&Findings, Option<&Judged>), taken: Option<&Taken>) -> String {
    let broken: Vec<String> = findings
        .criteria
        .iter()
        .filter(|outcome| !outcome.holds)
        .map(|outcome| format!("{} = {}", outcome.criterion, outcome.required.as_deref().unwrap_or_default()))
        .collect();
    let limits = (findings.beyond_limits > 0).then(|| "the limits of quasi-identifiers".to_owned());
    let broken: Vec<String> = broken.into_iter().chain(limits).collect();
    let verdict = match (findings.is_faithful(), findings.keeps_delta(), broken.is_empty()) {
        (true, true, true) => "✓ a faithful release, δ-present".to_owned(),
        (true, true, false) => {
            format!("✗ a faithful release, δ-present, but it breaks {}", broken.join(", "))
        }
        (true, false, true) => "✗ a faithful release, but NOT δ-present".to_owned(),
        (true, false, false) => {
            format!("✗ a faithful release, but NOT δ-present, and it breaks {}", broken.join(", "))
        }
        (false, ..) => "✗ NOT a faithful release of the private table".to_owned(),
    };
    let under = taken.map_or_else(String::new, Taken::in_verdict);
    let headline = if findings.is_faithful() {
        format!("headline   {}\n", output::shown(&headline(findings, found)))
    } else {
        String::new()
    };
    let attacker = findings.attacker();
    let attacker = found.map_or(attacker.clone(), |found| found.revealing.limit_attacker(&attacker));
    let source =
        taken.map_or_else(String::new, |taken| format!("           {}\n", output::shown(&taken.words())));
    let mut text = format!(
        "{verdict}{under}\n{headline}\
         δ          {} to {}\n{source}\
         achieved   {} to {}\n\
         {}\
         public     {} people{}, {} of whom {}\n\
         {}{}{}attacker   {}\n",
        findings.delta.min(),
        findings.delta.max(),
        findings.achieved_min,
        findings.achieved_max,
        rows_line(findings),
        findings.public,
        findings.public_rows.map(|rows| format!(" in {rows} rows")).unwrap_or_default(),
        findings.unmatched,
        if findings.public_rows.is_some() {
            "have not the rows of anybody released"
        } else {
            "match no released row"
        },
        repeats(findings),
        outsiders(findings),
        withdrawn(findings),
        output::shown(&attacker)
    );
    for (name, line) in criteria(findings).iter().skip(1).filter_map(CriterionResult::line) {
        text.push_str(&format!("{name:10} {line}\n"));
    }
    if !findings.pseudonyms.is_empty() {
        let listed = PseudonymResult::listed(&pseudonyms(findings));
        text.push_str(&format!("pseudonyms {}\n", output::shown(&listed)));
    }
    text.push_str(&found.map_or_else(String::new, severe_lines));
    for problem in problems(findings) {
        text.push_str(&format!("✗ {}\n", output::shown(&problem)));
    }
    text
}
