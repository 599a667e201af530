//! The estimates of a node, computed once for all output formats.

use palmtop::estimate::{Confidence, KMapTest, LeastSize, PopulationUniques, Sample};
use palmtop::model::{Delta, Node, Presence};
use palmtop::pipeline::{EstimatedClass, Estimation};
use serde_json::{Map, Value, json};

use palmtop_console::output::OutputRows;
use palmtop_console::status::Usage;

/// The parameters of the estimates, except the node.
pub(super) struct Asked {
    pub(super) population: u64,
    /// The sampling fraction, π = |T|/N.
    pub(super) sampling: f64,
    pub(super) confidence: Confidence,
    pub(super) k_map: u64,
    pub(super) alpha: f64,
}

pub(super) struct Estimated<'a> {
    pub(super) project: &'a str,
    attributes: Vec<&'a str>,
    pub(super) node: &'a Node,
    pub(super) asked: &'a Asked,
    pub(super) members: u64,
    /// P as a sample of the population, and the number of members of T whom P lacks.
    pub(super) sample: Option<(Sample, u64)>,
    /// δmax, if P is a sample and the project has a δ. `has_delta_min` is whether that δ also has a
    /// δmin, for which no estimate exists.
    pub(super) delta_max: Option<Presence>,
    pub(super) has_delta_min: bool,
    pub(super) least: LeastSize,
    pub(super) uniques: PopulationUniques,
    /// The classes with members, worst first.
    pub(super) classes: Vec<Row>,
}

pub(super) struct Row {
    class: EstimatedClass,
    /// If P is a sample: the least number of people in the population, and the greatest presence.
    /// The confidence covers all classes together.
    bound: Option<(u64, Presence)>,
}

/// A number of classes, and of their members.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    pub(super) classes: u64,
    pub(super) members: u64,
}

impl<'a> Estimated<'a> {
    pub(super) fn of(
        estimation: &'a Estimation,
        node: &'a Node,
        test: &KMapTest,
        asked: &'a Asked,
    ) -> anyhow::Result<Self> {
        let classes = estimation.classes(node);
        let sizes = estimation.sizes(&classes);
        let uniques =
            PopulationUniques::of(&sizes, asked.population).map_err(|error| Usage(error.to_string()))?;
        let bounds = classes.iter().filter(|class| class.people.members > 0).count() as u64;
        let sample = estimation.sample();
        let bound = |class: &EstimatedClass| {
            let sample = sample?;
            let at_least = sample.at_least(class.people, asked.confidence, bounds, None);
            Some((at_least, sample.presence_at_most(class.people, asked.confidence, bounds, None)))
        };
        let released = classes.into_iter().filter(|class| class.people.members > 0);
        let mut rows: Vec<Row> = released.map(|class| Row { bound: bound(&class), class }).collect();
        let presence = |row: &Row| row.bound.map(|(_, presence)| presence);
        rows.sort_by(|one, other| {
            let by_presence = presence(other).cmp(&presence(one));
            by_presence.then(one.members().cmp(&other.members()))
        });
        let delta = estimation.delta().filter(|_| sample.is_some());
        Ok(Self {
            project: estimation.name(),
            attributes: estimation.attributes().collect(),
            node,
            asked,
            members: estimation.members(),
            sample: sample.map(|sample| (sample, estimation.members_not_sampled())),
            delta_max: delta.map(Delta::max),
            has_delta_min: delta.is_some_and(|delta| delta.min() > Presence::ZERO),
            least: test.least_size(),
            uniques,
            classes: rows,
        })
    }

    /// Counts the classes that satisfy a predicate.
    fn some(&self, holds: impl Fn(&Row) -> bool) -> Share {
        let rows = self.classes.iter().filter(|row| holds(row));
        rows.fold(Share::default(), |some, row| Share {
            classes: some.classes + 1,
            members: some.members + row.members(),
        })
    }

    /// The classes with fewer members than the test requires.
    pub(super) fn short_of(&self, least: u64) -> Share {
        self.some(|row| row.members() < least)
    }

    /// Whether the upper bound of a class is above δmax; false without a bound.
    fn is_above(&self, row: &Row) -> bool {
        row.bound.zip(self.delta_max).is_some_and(|((_, presence), most)| presence > most)
    }

    /// The classes whose upper bound is above δmax.
    pub(super) fn above(&self) -> Share {
        self.some(|row| self.is_above(row))
    }

    /// The greatest upper bound of presence.
    pub(super) fn at_most(&self) -> Option<Presence> {
        self.classes.iter().filter_map(|row| row.bound).map(|(_, presence)| presence).max()
    }

    /// Whether a class needs attention: its bound is above δmax, or it fails the stricter test of
    /// k-map.
    pub(super) fn is_noted(&self, row: &Row) -> bool {
        self.is_above(row) || row.members() < self.least.stricter()
    }

    /// A line for each class that satisfies a predicate.
    pub(super) fn rows(&self, wanted: impl Fn(&Row) -> bool) -> OutputRows {
        let of_sample = ["sampled", "population_at_least", "presence_at_most"];
        let of_sample = of_sample.iter().filter(|_| self.sample.is_some());
        let names = self.attributes.iter().chain(&["private"]).chain(of_sample).chain(&["k_map"]);
        let line = |row: &Row| {
            let mut cells = row.class.labels.clone();
            cells.push(row.members().to_string());
            if let Some((at_least, presence)) = row.bound {
                cells.push(row.class.people.sampled.to_string());
                cells.push(at_least.to_string());
                cells.push(presence.to_string());
            }
            cells.push(self.passes(row).to_owned());
            cells
        };
        OutputRows {
            header: names.map(|&name| name.to_owned()).collect(),
            lines: self.classes.iter().filter(|row| wanted(row)).map(line).collect(),
            numbers_from: self.attributes.len(),
        }
    }

    fn passes(&self, row: &Row) -> &'static str {
        if row.members() < self.least.stricter() { "short" } else { "passes" }
    }

    /// All estimates as JSON, with stable keys.
    pub(super) fn json(&self) -> Value {
        let some = |some: Share| json!({ "classes": some.classes, "members": some.members });
        let sample = self.sample.map(|(sample, lacking)| {
            json!({
                "people": sample.people(), "population": sample.population(), "members_not_sampled": lacking,
            })
        });
        let presence = self.at_most().map(|at_most| {
            json!({
                "confidence": self.asked.confidence.level(),
                "at_most": at_most.to_string(),
                "delta_max": self.delta_max.map(|most| most.to_string()),
                "above": self.delta_max.map(|_| some(self.above())),
            })
        });
        let LeastSize { poisson, truncated } = self.least;
        json!({
            "is_estimate": true,
            "project": self.project,
            "node": self.node.levels().iter().map(|level| level.0).collect::<Vec<_>>(),
            "classes": self.classes.len(),
            "members": self.members,
            "population": self.asked.population,
            "sampling": self.asked.sampling,
            "sample": sample,
            "presence": presence,
            "k_map": {
                "k": self.asked.k_map,
                "alpha": self.asked.alpha,
                "least_size": { "poisson": poisson, "truncated": truncated },
                "short": { "poisson": some(self.short_of(poisson)), "truncated": some(self.short_of(truncated)) },
            },
            "uniques": self.uniques_json(),
            "rows": self.classes.iter().map(|row| self.row_json(row)).collect::<Vec<_>>(),
        })
    }

    fn uniques_json(&self) -> Value {
        let number = |estimate: &Result<f64, _>| estimate.as_ref().ok().copied();
        let estimates = self.uniques.estimates.iter();
        let numbers: Map<String, Value> =
            estimates.clone().map(|(method, own)| (method.as_str().to_owned(), json!(number(own)))).collect();
        let failed = estimates.filter_map(|(method, own)| {
            Some((method.as_str().to_owned(), json!(own.as_ref().err()?.to_string())))
        });
        let rule = self.uniques.by_rule();
        let range = self.uniques.range();
        json!({
            "from": if self.sample.is_some() { "P" } else { "T" },
            "sampling": self.uniques.sampling,
            "in_sample": self.uniques.in_sample,
            "estimates": numbers,
            "failed": failed.collect::<Map<_, _>>(),
            "rule": rule.map(|(method, own)| json!({ "method": method.as_str(), "estimate": own })),
            "range": range.map(|(min, max)| json!({ "min": min, "max": max })),
        })
    }

    fn row_json(&self, row: &Row) -> Value {
        let labels = self.attributes.iter().zip(&row.class.labels);
        let labels: Map<String, Value> =
            labels.map(|(name, label)| ((*name).to_owned(), json!(label))).collect();
        json!({
            "labels": labels,
            "private": row.members(),
            "sampled": row.bound.map(|_| row.class.people.sampled),
            "population_at_least": row.bound.map(|(at_least, _)| at_least),
            "presence_at_most": row.bound.map(|(_, presence)| presence.to_string()),
            "k_map": self.passes(row),
        })
    }
}

impl Row {
    fn members(&self) -> u64 {
        self.class.people.members
    }
}
