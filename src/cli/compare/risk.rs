//! The risks of releases other than δ: class sizes, unique members, the diversity and closeness of
//! sensitive values, and the posteriors under an uneven prior.

use palmtop::columns::{self, Table, Value};
use palmtop::metrics::Posteriors;
use palmtop::model::{Fraction, ValueCounts};
use palmtop::pipeline::Analysis;
use palmtop::risk::{Bucket, Buckets, Risk, RiskClass, RiskClasses, SensitiveRisk};
use serde_json::{Map, Value as Json, json};

use super::CompareArguments;
use super::measured::MeasuredRelease;
use palmtop_console::output;

/// The risks of a release.
pub(super) struct Column<'a> {
    analysis: &'a Analysis,
    arguments: &'a CompareArguments,
    name: String,
    is_present: bool,
    risk: Risk,
    classes: RiskClasses,
    /// `None` without `--prior`, and if a file is not faithful.
    posteriors: Option<Posteriors>,
}

/// The c of recursive (c, l)-diversity: the most frequent value must occur fewer than c times as often as the rarer values together.
const RECURSIVE_C: &str = "3";

impl<'a> Column<'a> {
    /// Measures a release: its name, whether it satisfies the policy, its classes, and its posteriors if a prior was given.
    pub(super) fn of(
        analysis: &'a Analysis,
        arguments: &'a CompareArguments,
        (name, is_present): (&str, bool),
        (classes, posteriors): (RiskClasses, Option<Posteriors>),
    ) -> anyhow::Result<Self> {
        let risk = Risk::of(&classes, &RECURSIVE_C.parse()?);
        Ok(Self { analysis, arguments, name: name.to_owned(), is_present, risk, classes, posteriors })
    }
}

/// The risk as `1/k`. The fraction is exact: 1/11 is above a limit of 0.09, although conventions
/// round it to that.
fn one_over(count: u64) -> String {
    if count == 0 { String::new() } else { format!("1/{count}") }
}

/// The range of a bucket of this measure.
fn range(of: &str, Bucket { from, to, .. }: &Bucket) -> String {
    match to {
        Some(to) if to == from => from.clone(),
        Some(to) if of == "presence" => format!("above {from} to {to}"),
        Some(to) => format!("{from} to {to}"),
        None => format!("{from} and more"),
    }
}

/// The columns of a class after its labels.
const FIGURES: [columns::Column<RiskClass>; 3] = [
    columns::Column::number("members", "the members in the class", |class| class.counts.private.into()),
    columns::Column::number("people of P", "the people of P in the class", |class| {
        class.counts.public.into()
    }),
    columns::Column::number("distinct values", "the distinct values of each sensitive attribute", |class| {
        let distinct = class.values.iter().map(|values| values.distinct().to_string());
        distinct.collect::<Vec<_>>().join(", ").into()
    }),
];

impl MeasuredRelease for Column<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    /// The measures, rounded in every form but JSON.
    fn measures(&self) -> Vec<(String, Value)> {
        let risk = &self.risk;
        let short = |number: f64| Value::Text(output::short(number));
        let mut measures = vec![
            ("satisfies the policy".to_owned(), if self.is_present { "yes" } else { "NO" }.into()),
            ("classes".to_owned(), risk.classes.into()),
            ("released classes".to_owned(), risk.released_classes.into()),
            ("members".to_owned(), risk.members.into()),
            ("k".to_owned(), risk.k.into()),
            ("k-map".to_owned(), risk.k_map.into()),
            ("members alone in their class".to_owned(), risk.unique_members.into()),
            ("members alone in P".to_owned(), risk.unique_people.into()),
            ("largest risk by T".to_owned(), one_over(risk.k).into()),
            ("mean risk by T".to_owned(), short(risk.mean_risk.to_f64())),
            ("largest risk by P".to_owned(), one_over(risk.k_map).into()),
            ("mean risk by P".to_owned(), short(risk.mean_map_risk.to_f64())),
        ];
        for SensitiveRisk { name, distinct, entropy, recursive, equal, ordered, hierarchy, .. } in
            &risk.sensitive
        {
            let distance = |distance: &Fraction| short(distance.to_f64());
            measures.push((format!("{name}: distinct l"), (*distinct).into()));
            measures.push((format!("{name}: entropy l"), short(*entropy)));
            measures.push((format!("{name}: recursive ({RECURSIVE_C}, l)"), (*recursive).into()));
            measures.push((format!("{name}: t, equal"), distance(equal)));
            measures.push((format!("{name}: t, ordered"), ordered.as_ref().map(distance).into()));
            if let Some(hierarchy) = hierarchy {
                measures.push((format!("{name}: t, hierarchy"), distance(hierarchy)));
            }
        }
        if self.arguments.prior.is_some() {
            measures.extend(under_prior(self.posteriors.as_ref()));
        }
        measures
    }

    /// The distribution of its classes, and the classes with the highest risk.
    fn details(&self) -> String {
        let Buckets { members, people, distinct, presence } = &self.risk.buckets;
        let all = [
            ("members", members),
            ("people of P", people),
            ("distinct values", distinct),
            ("presence", presence),
        ];
        let buckets = all.iter().flat_map(|(of, buckets)| buckets.iter().map(|bucket| (*of, bucket)));
        let buckets: Vec<(&str, &Bucket)> = buckets.filter(|(_, bucket)| bucket.classes > 0).collect();
        let worst = self.classes.worst(self.arguments.worst);
        let names = self.analysis.problem().quasi().iter().map(|quasi| quasi.name.as_str());
        let classes = Table::of_texts(names, worst.iter().map(|class| &class.labels))
            .with_columns_of(Table::of(&FIGURES, worst.iter().copied()));
        let ranges = buckets.iter().map(|(of, bucket)| [(*of).to_owned(), range(of, bucket)]);
        let buckets = Table::of_texts(["of a class", "from … to"], ranges)
            .with("classes", buckets.iter().map(|(_, bucket)| bucket.classes.into()))
            .with("members", buckets.iter().map(|(_, bucket)| bucket.members.into()));
        let buckets = output::to_table(&buckets);
        format!("\n{}\n{buckets}{}", self.name, output::to_table(&classes))
    }

    fn object(&self) -> Json {
        let risk = &self.risk;
        let per_column = |value: &dyn Fn(&SensitiveRisk) -> Json| -> Json {
            risk.sensitive
                .iter()
                .map(|attribute| (attribute.name.clone(), value(attribute)))
                .collect::<Map<_, _>>()
                .into()
        };
        let worst: Vec<Json> = self.classes.worst(self.arguments.worst).into_iter().map(|class| {
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
            "distinct_l": per_column(&|column| column.distinct.into()),
            "entropy_l": per_column(&|column| column.entropy.into()),
            "recursive_l": per_column(&|column| json!({ "c": RECURSIVE_C, "l": column.recursive })),
            "t": per_column(&|column| json!({
                "equal": column.equal.to_string(),
                "ordered": column.ordered.as_ref().map(ToString::to_string),
                "hierarchy": column.hierarchy.as_ref().map(ToString::to_string),
            })),
            "largest_risk": one_over(risk.k),
            "mean_risk": risk.mean_risk.to_f64(),
            "largest_map_risk": one_over(risk.k_map),
            "mean_map_risk": risk.mean_map_risk.to_f64(),
            "buckets": {
                "t": buckets(&risk.buckets.members),
                "n": buckets(&risk.buckets.people),
                "distinct": buckets(&risk.buckets.distinct),
                "presence": buckets(&risk.buckets.presence),
            },
            "worst": worst,
            "prior": self.posteriors.as_ref().map(|posteriors| {
                let (verdict, range) = (posteriors.verdict(), posteriors.range());
                json!({
                    "least": range.min,
                    "greatest": range.max,
                    "over": verdict.over,
                    "under": verdict.under,
                    "worst": verdict.worst,
                })
            }),
        })
    }
}

/// The measures under the prior; without values if they are unknown.
fn under_prior(posteriors: Option<&Posteriors>) -> [(String, Value); 4] {
    let (range, verdict) = (posteriors.map(Posteriors::range), posteriors.map(Posteriors::verdict));
    [
        ("prior: least posterior", range.map(|range| output::short(range.min)).into()),
        ("prior: greatest posterior", range.map(|range| output::short(range.max)).into()),
        ("prior: people above δmax", verdict.map(|verdict| verdict.over).into()),
        ("prior: people below δmin", verdict.map(|verdict| verdict.under).into()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
}

fn buckets(buckets: &[Bucket]) -> Vec<Json> {
    let object = |Bucket { from, to, classes, members }: &Bucket| json!({ "from": from, "to": to, "classes": classes, "members": members });
    buckets.iter().map(object).collect()
}
