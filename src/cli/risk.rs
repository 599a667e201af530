//! `risk`: compares the risks of releases other than δ: class sizes, unique members, and the
//! diversity and closeness of sensitive values.

use palmtop::compatibility::Command;
use palmtop::model::{Fraction, ValueCounts};
use palmtop::pipeline::{self, Analysis};
use palmtop::risk::{Bucket, Buckets, Risk, RiskClass, RiskClasses, SensitiveRisk};
use serde_json::{Map, Value, json};

use super::args::MeasuredArguments;
use super::measured::{Found, Measuring, Source, side_by_side};
use clap::Args;
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

#[derive(Debug, Args)]
pub(crate) struct RiskArguments {
    #[command(flatten)]
    pub(crate) what: MeasuredArguments,
    /// The c of recursive (c, l)-diversity: the most frequent value must occur fewer than c times as often as the rarer values together.
    #[arg(long, value_name = "C", default_value = "3", allow_negative_numbers = true)]
    pub(crate) recursive_c: Fraction,
    /// List the N classes with the highest risk.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) worst: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

struct Column {
    name: String,
    is_present: bool,
    risk: Risk,
    classes: RiskClasses,
}

pub(super) fn run(arguments: &RiskArguments) -> anyhow::Result<Status> {
    if arguments.recursive_c.is_zero() {
        return Err(Usage("--recursive-c needs a number above 0, such as 3".to_owned()).into());
    }
    let measuring = Measuring::load(&arguments.what, Command::Risk)?;
    let analysis = &measuring.analysis;
    let columns = measuring.each(|Found { name, is_present, of }| {
        let classes = match &of {
            Source::Release(release) => pipeline::risk::classes(analysis, release)?,
            Source::File(read) => pipeline::risk::classes_of_file(analysis, read)?,
        };
        let risk = Risk::of(&classes, &arguments.recursive_c);
        Ok(Column { name, is_present, risk, classes })
    })?;
    let Some(columns) = columns else { return Ok(Status::NotPresent) };
    match arguments.format {
        Format::Json => {
            let c = &arguments.recursive_c;
            let releases: Vec<Value> =
                columns.iter().map(|column| column.object(arguments.worst, c)).collect();
            output::print_json(&json!({ "releases": releases }))?;
        }
        Format::Csv => rows(&columns, &arguments.recursive_c).print_csv()?,
        Format::Table => {
            output::print(&rows(&columns, &arguments.recursive_c).to_table())?;
            for column in &columns {
                output::print(&format!("\n{}\n", column.name))?;
                output::print(&column.histograms().to_table())?;
                output::print(&column.worst(analysis, arguments.worst).to_table())?;
            }
            say::message(
                "measured, and no verdict: [policy] lists what is enforced; `classes` lists every class",
            );
        }
    }
    Ok(Status::Done)
}

/// A line for each measure, a column for each release.
fn rows(columns: &[Column], c: &Fraction) -> OutputRows {
    let measures = columns.iter().map(|column| (column.name.as_str(), column.measures(c)));
    side_by_side(&measures.collect::<Vec<_>>())
}

/// The risk as `1/k`. The fraction is exact: 1/11 is above a limit of 0.09, although conventions
/// round it to that.
fn one_over(count: u64) -> String {
    if count == 0 { String::new() } else { format!("1/{count}") }
}

impl Column {
    fn measures(&self, c: &Fraction) -> Vec<(String, String)> {
        let risk = &self.risk;
        let own = |name: &str, text: String| (name.to_owned(), text);
        let mut measures = vec![
            own("satisfies the policy", if self.is_present { "yes" } else { "NO" }.to_owned()),
            own("classes", risk.classes.to_string()),
            own("released classes", risk.released_classes.to_string()),
            own("members", risk.members.to_string()),
            own("k", risk.k.to_string()),
            own("k-map", risk.k_map.to_string()),
            own("members alone in their class", risk.unique_members.to_string()),
            own("members alone in P", risk.unique_people.to_string()),
            own("largest risk by T", one_over(risk.k)),
            own("mean risk by T", output::short(risk.mean_risk)),
            own("largest risk by P", one_over(risk.k_map)),
            own("mean risk by P", output::short(risk.mean_map_risk)),
        ];
        for SensitiveRisk { name, distinct, entropy, recursive, equal, ordered, hierarchy } in &risk.sensitive
        {
            measures.push((format!("{name}: distinct l"), distinct.to_string()));
            measures.push((format!("{name}: entropy l"), output::short(*entropy)));
            measures.push((format!("{name}: recursive ({c}, l)"), recursive.to_string()));
            measures.push((format!("{name}: t, equal"), output::short(equal.to_f64())));
            let ordered =
                ordered.as_ref().map_or_else(String::new, |ordered| output::short(ordered.to_f64()));
            measures.push((format!("{name}: t, ordered"), ordered));
            if let Some(distance) = hierarchy {
                measures.push((format!("{name}: t, hierarchy"), output::short(distance.to_f64())));
            }
        }
        measures
    }

    fn histograms(&self) -> OutputRows {
        let Buckets { members, people, distinct, presence } = &self.risk.buckets;
        let mut lines = Vec::new();
        let all = [
            ("members", members),
            ("people of P", people),
            ("distinct values", distinct),
            ("presence", presence),
        ];
        for (of, buckets) in all {
            for Bucket { from, to, classes, members } in buckets.iter().filter(|bucket| bucket.classes > 0) {
                let range = match to {
                    Some(to) if to == from => from.clone(),
                    Some(to) if of == "presence" => format!("above {from} to {to}"),
                    Some(to) => format!("{from} to {to}"),
                    None => format!("{from} and more"),
                };
                lines.push(vec![of.to_owned(), range, classes.to_string(), members.to_string()]);
            }
        }
        let header = ["of a class", "from … to", "classes", "members"].map(str::to_owned).to_vec();
        OutputRows { header, lines, numbers_from: 2 }
    }

    /// The classes with the highest risk.
    fn worst(&self, analysis: &Analysis, count: usize) -> OutputRows {
        let names = analysis.problem().quasi().iter().map(|quasi| quasi.name.clone());
        let figures = ["members", "people of P", "distinct values"].map(str::to_owned);
        let line = |class: &RiskClass| {
            let figures =
                [class.counts.private.to_string(), class.counts.public.to_string(), distinct(class)];
            class.labels.iter().cloned().chain(figures).collect()
        };
        OutputRows {
            header: names.chain(figures).collect(),
            lines: self.classes.worst(count).into_iter().map(line).collect(),
            numbers_from: analysis.problem().quasi().len(),
        }
    }

    fn object(&self, worst: usize, c: &Fraction) -> Value {
        let risk = &self.risk;
        let per_column = |value: &dyn Fn(&SensitiveRisk) -> Value| -> Value {
            risk.sensitive.iter().map(|own| (own.name.clone(), value(own))).collect::<Map<_, _>>().into()
        };
        let worst: Vec<Value> = self.classes.worst(worst).into_iter().map(|class| {
            let distinct: Vec<usize> = class.values.iter().map(ValueCounts::distinct).collect();
            json!({ "labels": class.labels, "t": class.counts.private, "n": class.counts.public, "distinct": distinct })
        }).collect();
        json!({
            "of": self.name,
            "present": self.is_present,
            "classes": risk.classes,
            "released_classes": risk.released_classes,
            "members": risk.members,
            "k": risk.k,
            "k_map": risk.k_map,
            "unique_members": risk.unique_members,
            "unique_people": risk.unique_people,
            "distinct_l": per_column(&|own| own.distinct.into()),
            "entropy_l": per_column(&|own| own.entropy.into()),
            "recursive_l": per_column(&|own| json!({ "c": c.to_string(), "l": own.recursive })),
            "t": per_column(&|own| json!({
                "equal": own.equal.to_string(),
                "ordered": own.ordered.as_ref().map(ToString::to_string),
                "hierarchy": own.hierarchy.as_ref().map(ToString::to_string),
            })),
            "largest_risk": one_over(risk.k),
            "mean_risk": risk.mean_risk,
            "largest_map_risk": one_over(risk.k_map),
            "mean_map_risk": risk.mean_map_risk,
            "buckets": {
                "t": buckets(&risk.buckets.members),
                "n": buckets(&risk.buckets.people),
                "distinct": buckets(&risk.buckets.distinct),
                "presence": buckets(&risk.buckets.presence),
            },
            "worst": worst,
        })
    }
}

/// The number of distinct values of each sensitive attribute in a class.
fn distinct(class: &RiskClass) -> String {
    class.values.iter().map(|values| values.distinct().to_string()).collect::<Vec<_>>().join(", ")
}

fn buckets(buckets: &[Bucket]) -> Vec<Value> {
    let object = |Bucket { from, to, classes, members }: &Bucket| json!({ "from": from, "to": to, "classes": classes, "members": members });
    buckets.iter().map(object).collect()
}
