//! `advise`: recommends δ from a prior belief and an acceptable misuse, or from a relative F1.

use palmtop::caution::{at_least, at_most, typed};
use palmtop::columns::{Column, Table};
use palmtop::compatibility::{Command, Feature};
use palmtop::keys;
use palmtop::model::{Advice, AdviceError, Counts, Delta, Presence, Stakes, advise, advise_by_f1};
use palmtop::pipeline::Overrides;
use palmtop::project::Project;
use serde::Serialize;

use super::load;
use clap::Args;
use palmtop::model::Fraction;
use palmtop::shell::quoted;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::output;
use palmtop_console::result::MaybeBounds;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct AdviseArguments {
    /// Take |T|/|P| from this project: its file, or @clinic, @paper, @trial; it needs no δ.
    ///
    /// Or |T|/|P| itself: a fraction (1/25), a decimal (0.04) or a percentage (4%).
    #[arg(value_name = "PROJECT|SHARE")]
    pub(crate) of: String,
    /// The prior belief that a random person of P has the property that all of T has.
    #[arg(long, value_name = "D", allow_negative_numbers = true, required_unless_present = "relative_f1")]
    pub(crate) prior: Option<Presence>,
    /// The acceptable misuse if belief rises: with a cost of 1, how far belief may rise.
    ///
    /// This bounds δmax.
    #[arg(long, value_name = "M", allow_negative_numbers = true, required_unless_present = "relative_f1")]
    pub(crate) misuse: Option<Fraction>,
    /// The acceptable misuse if belief falls.
    ///
    /// This bounds δmin; by default δmin is 0.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) misuse_down: Option<Fraction>,
    /// The cost of one wrongly changed belief, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", allow_negative_numbers = true)]
    pub(crate) cost: Fraction,
    /// Instead of a prior and a misuse: the greatest F1 of an attack, relative to guessing.
    ///
    /// 0 is guessing as many people as T has, and 1 finds all of T. This bounds δmax.
    #[arg(
        long,
        value_name = "D",
        allow_negative_numbers = true,
        conflicts_with_all = ["prior", "misuse", "misuse_down", "cost"]
    )]
    pub(crate) relative_f1: Option<Presence>,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

keys! {
/// The result as JSON, with stable keys.
#[derive(Serialize)]
pub(super) struct Advised {
    /// |T|/|P|, an exact fraction.
    share: String,
    /// The prior belief that a random person of P has the property of T; null with `--relative-f1`.
    prior: Option<String>,
    /// The cost of one wrongly changed belief, in the unit of the misuse; null with `--relative-f1`.
    cost: Option<String>,
    /// The acceptable misuse if belief rises; null with `--relative-f1`.
    misuse: Option<String>,
    /// The acceptable misuse if belief falls.
    misuse_down: Option<String>,
    /// The greatest F1 relative to guessing; null without `--relative-f1`.
    relative_f1: Option<String>,
    /// The advised δ; null if none exists.
    delta: MaybeBounds,
    /// The same in decimals.
    delta_decimal: MaybeBounds,
    /// The same in two digits of per cent, rounded to the stricter side.
    delta_said: MaybeBounds,
    /// Whether δ was rounded to the stricter side.
    rounded: bool,
    /// Whether such a δ exists.
    feasible: bool,
    /// Why none exists.
    reason: Option<String>,
}
}

/// The source of |T|/|P|.
struct Source {
    share: Presence,
    /// The project argument, its counts, and its δ if it has one.
    project: Option<(String, Counts, Option<Delta>)>,
}

pub(super) fn run(arguments: &AdviseArguments) -> anyhow::Result<Status> {
    let source = Source::of(arguments)?;
    let wanted = Wanted::of(arguments)?;
    let (advice, reason) = match wanted.advice(source.share) {
        Ok(advice) => (Some(advice), None),
        Err(error) if error.is_infeasible() => (None, Some(error.to_string())),
        Err(error) => return Err(Usage(error.to_string()).into()),
    };
    let advised = Advised::new(&source, &wanted, advice.as_ref(), reason);
    let text = text(&source, &wanted, advice.as_ref());
    Answered { advised: &advised, text }.print(arguments.format)?;
    if let Some(reason) = &advised.reason {
        say::message(reason);
    }
    Ok(Status::of_presence(advised.feasible))
}

/// What δ must keep.
enum Wanted {
    Belief(Stakes),
    /// The greatest F1 of an attack, relative to guessing.
    RelativeF1(Presence),
}

impl Wanted {
    fn of(arguments: &AdviseArguments) -> Result<Self, Usage> {
        if let Some(relative) = arguments.relative_f1 {
            return Ok(Self::RelativeF1(relative));
        }
        let (Some(prior), Some(misuse)) = (arguments.prior, arguments.misuse.clone()) else {
            return Err(Usage("give --prior and --misuse, or --relative-f1".to_owned()));
        };
        let (cost, misuse_down) = (arguments.cost.clone(), arguments.misuse_down.clone());
        Ok(Self::Belief(Stakes { prior, cost, misuse, misuse_down }))
    }

    fn advice(&self, share: Presence) -> Result<Advice, AdviceError> {
        match self {
            Self::Belief(stakes) => advise(share, stakes),
            Self::RelativeF1(relative) => advise_by_f1(share, *relative),
        }
    }

    fn stakes(&self) -> Option<&Stakes> {
        if let Self::Belief(stakes) = self { Some(stakes) } else { None }
    }
}

impl Source {
    fn of(arguments: &AdviseArguments) -> anyhow::Result<Self> {
        let typed = &arguments.of;
        let is_number =
            typed.chars().all(|character| character.is_ascii_digit() || "./%".contains(character));
        if is_number && !Path::new(typed).is_file() {
            let share = typed.parse::<Presence>().map_err(|error| Usage(error.to_string()))?;
            return Ok(Self { share, project: None });
        }
        // Counting people needs no particular δ, and the project may not have one yet.
        let any = Overrides { delta_min: Some(Presence::ZERO), delta_max: Some(Presence::ONE) };
        let (analysis, _file) = load::analysis(typed, &any, &[Feature::Command(Command::Advise)])?;
        let total = analysis.problem().total();
        let project = Some((typed.clone(), total, project_delta(analysis.project())));
        Ok(Self { share: total.presence(), project })
    }
}

/// The project's δ, if it sets at least one bound.
fn project_delta(project: &Project) -> Option<Delta> {
    if project.delta_min.is_none() && project.delta_max.is_none() {
        return None;
    }
    let min = project.delta_min.unwrap_or(Presence::ZERO);
    Delta::new(min, project.delta_max.unwrap_or(Presence::ONE)).ok()
}

impl Advised {
    fn new(source: &Source, wanted: &Wanted, advice: Option<&Advice>, reason: Option<String>) -> Self {
        let bounds = |written: fn(Delta) -> (String, String), delta: fn(&Advice) -> Delta| {
            let (min, max) = advice.map(|advice| written(delta(advice))).unzip();
            MaybeBounds { min, max }
        };
        let stakes = wanted.stakes();
        let exact = |delta: Delta| (delta.min().to_string(), delta.max().to_string());
        Self {
            share: source.share.to_string(),
            prior: stakes.map(|stakes| stakes.prior.to_string()),
            cost: stakes.map(|stakes| stakes.cost.to_string()),
            misuse: stakes.map(|stakes| stakes.misuse.to_string()),
            misuse_down: stakes.and_then(|stakes| stakes.misuse_down.as_ref()).map(ToString::to_string),
            relative_f1: match wanted {
                Wanted::Belief(_) => None,
                Wanted::RelativeF1(relative) => Some(relative.to_string()),
            },
            delta: bounds(exact, Advice::delta),
            delta_decimal: bounds(Delta::decimals, Advice::delta),
            delta_said: bounds(|delta| (typed(delta.min()), typed(delta.max())), Advice::in_two_digits),
            rounded: advice.is_some_and(Advice::is_rounded),
            feasible: advice.is_some(),
            reason,
        }
    }
}

/// The columns of CSV.
pub(super) const COLUMNS: [Column<Advised>; 15] = [
    Column::text("share", "|T|/|P|, an exact fraction", |advised| (&advised.share).into()),
    Column::text("prior", "the prior belief that a random person of P has the property of T", |advised| {
        advised.prior.as_ref().into()
    }),
    Column::text("cost", "the cost of one wrongly changed belief, in the unit of the misuse", |advised| {
        advised.cost.as_ref().into()
    }),
    Column::text("misuse", "the acceptable misuse if belief rises", |advised| advised.misuse.as_ref().into()),
    Column::text("misuse_down", "the acceptable misuse if belief falls", |advised| {
        advised.misuse_down.as_ref().into()
    }),
    Column::text("relative_f1", "the greatest F1 relative to guessing", |advised| {
        advised.relative_f1.as_ref().into()
    }),
    Column::text("delta_min", "the advised δmin", |advised| advised.delta.min.as_ref().into()),
    Column::text("delta_max", "the advised δmax", |advised| advised.delta.max.as_ref().into()),
    Column::text("delta_decimal_min", "δmin in decimals", |advised| {
        advised.delta_decimal.min.as_ref().into()
    }),
    Column::text("delta_decimal_max", "δmax in decimals", |advised| {
        advised.delta_decimal.max.as_ref().into()
    }),
    Column::text("delta_said_min", "δmin in two digits of per cent", |advised| {
        advised.delta_said.min.as_ref().into()
    }),
    Column::text("delta_said_max", "δmax in two digits of per cent", |advised| {
        advised.delta_said.max.as_ref().into()
    }),
    Column::text("rounded", "whether δ was rounded to the stricter side", |advised| advised.rounded.into()),
    Column::text("feasible", "whether such a δ exists", |advised| advised.feasible.into()),
    Column::text("reason", "why none exists", |advised| advised.reason.as_ref().into()),
];

/// The result of the command.
struct Answered<'a> {
    advised: &'a Advised,
    text: String,
}

impl Answer for Answered<'_> {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn table(&self) -> Table {
        Table::of(&COLUMNS, [self.advised])
    }

    fn object(&self) -> impl Serialize {
        self.advised
    }
}

fn text(source: &Source, wanted: &Wanted, advice: Option<&Advice>) -> String {
    let with_decimal = |presence: Presence| format!("{presence} = {:.6}", presence.to_f64());
    let people = source
        .project
        .as_ref()
        .map_or_else(String::new, |(_, total, _)| format!(" ({} of {} people)", total.private, total.public));
    let mut text = format!("|T|/|P|   {}{people}\n", with_decimal(source.share));
    match wanted {
        Wanted::Belief(stakes) => {
            let down = stakes
                .misuse_down
                .as_ref()
                .map_or_else(|| "any where it falls".to_owned(), |misuse| format!("{misuse} where it falls"));
            text.push_str(&format!(
                "prior     {}\n\
                 misuse    {} where belief rises, {down}\n\
                 cost      {}\n",
                with_decimal(stakes.prior),
                stakes.misuse,
                stakes.cost
            ));
        }
        Wanted::RelativeF1(relative) => {
            text.push_str(&format!("F1        at most {relative}, relative to guessing {}\n", source.share));
        }
    }
    match advice {
        None => text.push_str("δ         ✗ infeasible\n"),
        Some(advice) => text.push_str(&advised_lines(source, wanted, advice)),
    }
    text
}

fn advised_lines(source: &Source, wanted: &Wanted, advice: &Advice) -> String {
    let delta = advice.delta();
    let (min, max) = (delta.min().to_string(), delta.max().to_string());
    let (min_decimal, max_decimal) = delta.decimals();
    let width = min.len().max(max.len());
    let (lower, upper) = effects(wanted, advice);
    let mut text = format!(
        "δmin      {min:<width$}  {min_decimal}  {lower}\n\
         δmax      {max:<width$}  {max_decimal}  {upper}\n"
    );
    if advice.is_rounded() {
        text.push_str(
            "rounded   to 18 decimals, towards the stricter side: the exact bound is too long a fraction\n",
        );
    }
    let said = advice.in_two_digits();
    if said != delta {
        text.push_str(&format!(
            "to say    {} to {}: two digits, rounded to the stricter side\n",
            at_least(said.min()),
            at_most(said.max())
        ));
    }
    let (min, max) = (typed(said.min()), typed(said.max()));
    match &source.project {
        None => {
            text.push_str(&format!(
                "next      in the project:\n\n[delta]\nmin = \"{min}\"\nmax = \"{max}\"\n"
            ));
        }
        Some((typed, _, project_delta)) => {
            if let Some(project_delta) = project_delta {
                let (from, to) = (project_delta.min(), project_delta.max());
                text.push_str(&format!("project   {from} to {to}: {}\n", against(delta, *project_delta)));
            }
            text.push_str(&format!(
                "next      palmtop anonymize {} --delta-min {min} --delta-max {max} --strategy simulatable -o release.csv\n",
                output::shown(&quoted(typed))
            ));
        }
    }
    text
}

/// What δmin and δmax do.
fn effects(wanted: &Wanted, advice: &Advice) -> (String, String) {
    let delta = advice.delta();
    let no_upper = if delta.max() == Presence::ONE { " (no bound is needed)" } else { "" };
    let Wanted::Belief(stakes) = wanted else {
        let precision =
            format!("at most {} of the people who are called members are members", at_most(delta.max()));
        return ("no bound".to_owned(), precision + no_upper);
    };
    let no_lower = match &stakes.misuse_down {
        None => " (no bound: --misuse-down sets one)",
        Some(_) if delta.min() == Presence::ZERO => " (no bound is needed)",
        Some(_) => "",
    };
    let (least, most) = advice.beliefs();
    (
        format!("belief afterwards at least {least}{no_lower}"),
        format!("belief afterwards at most {most}{no_upper}"),
    )
}

/// The relation of the advised δ to the project's δ.
fn against(advised: Delta, project_delta: Delta) -> &'static str {
    match (advised.is_within(project_delta), project_delta.is_within(advised)) {
        (true, true) => "the advised δ is the same",
        (true, false) => "the advised δ is stricter",
        (false, true) => "the advised δ is looser",
        (false, false) if advised.max() < project_delta.max() => {
            "the advised δ is stricter above and looser below"
        }
        (false, false) => "the advised δ is looser above and stricter below",
    }
}
