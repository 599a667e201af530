//! The estimates of a node, computed once for all output formats.

use palmtop::columns::{Column, Table};
use palmtop::estimate::{Confidence, KMapTest, LeastSize, PopulationUniques, Sample, share_unique};
use palmtop::keys;
use palmtop::model::{Delta, Node, Presence};
use palmtop::pipeline::{EstimatedClass, Estimation};
use serde::Serialize;
use serde_json::{Map, Value, json};

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
    /// The number of combinations of labels of the node.
    pub(super) combinations: u64,
    /// The classes with members, worst first.
    pub(super) classes: Vec<Row>,
}

pub(in crate::cli) struct Row {
    class: EstimatedClass,
    /// If P is a sample: the least number of people in the population, and the greatest presence.
    /// The confidence covers all classes together.
    bound: Option<(u64, Presence)>,
    /// Whether the class has fewer members than the stricter test of k-map requires.
    is_short: bool,
}

/// The columns of a class after its labels.
pub(in crate::cli) const COLUMNS: [Column<Row>; 5] = [
    Column::number("private", "the number of members in the class", |row| row.members().into()),
    Column::number("sampled", "the number of people of P in the class, if P is a sample", |row| {
        row.bound.map(|_| row.class.people.sampled).into()
    }),
    Column::number("population_at_least", "a lower bound of its number of people in the population", |row| {
        row.bound.map(|(at_least, _)| at_least).into()
    }),
    Column::number("presence_at_most", "an upper bound of its presence", |row| {
        row.bound.map(|(_, presence)| presence).into()
    }),
    Column::number("k_map", "`passes` or `short`, by the stricter test of k-map", |row| {
        if row.is_short { "short" } else { "passes" }.into()
    }),
];

/// The columns that exist only if P is a sample.
const OF_SAMPLE: [&str; 3] = ["sampled", "population_at_least", "presence_at_most"];

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
        let least = test.least_size();
        let row = |class: EstimatedClass| Row {
            bound: bound(&class),
            is_short: class.people.members < least.stricter(),
            class,
        };
        let mut rows: Vec<Row> = released.map(row).collect();
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
            least,
            uniques,
            combinations: estimation.combinations(node),
            classes: rows,
        })
    }

    /// The share and the number of the population who are unique if all combinations are equally
    /// likely.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn evenly(&self) -> (f64, f64) {
        let share = share_unique(self.asked.population, self.combinations);
        (share, share * self.asked.population as f64)
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
        self.is_above(row) || row.is_short
    }

    /// Classes as a table: their labels and estimates.
    pub(super) fn rows(&self, classes: &[&Row]) -> Table {
        let has_sample = self.sample.is_some();
        let columns =
            COLUMNS.into_iter().filter(|column| has_sample || !OF_SAMPLE.contains(&column.head.name));
        let labels = classes.iter().map(|row| &row.class.labels);
        Table::of_texts(self.attributes.iter().copied(), labels)
            .with_columns_of(Table::of(&columns.collect::<Vec<_>>(), classes.iter().copied()))
    }

    /// All estimates as JSON.
    pub(super) fn result(&self) -> EstimateResult<'_> {
        let LeastSize { poisson, truncated } = self.least;
        let delta_max = self.delta_max.map(|most| most.to_string());
        let (share_unique, expected_unique) = self.evenly();
        EstimateResult {
            is_estimate: true,
            project: self.project,
            node: self.node.levels().iter().map(|level| level.0).collect(),
            classes: self.classes.len(),
            members: self.members,
            population: self.asked.population,
            sampling: self.asked.sampling,
            sample: self.sample.map(|(sample, members_not_sampled)| SampleResult {
                people: sample.people(),
                population: sample.population(),
                members_not_sampled,
            }),
            presence: self.at_most().map(|at_most| PresenceResult {
                confidence: self.asked.confidence.level(),
                at_most: at_most.to_string(),
                above: self.delta_max.map(|_| self.above()),
                delta_max,
            }),
            k_map: KMapResult {
                k: self.asked.k_map,
                alpha: self.asked.alpha,
                least_size: Sizes { poisson, truncated },
                short: Shorts { poisson: self.short_of(poisson), truncated: self.short_of(truncated) },
            },
            uniques: self.uniques_result(),
            evenly: EvenlyResult { combinations: self.combinations, share_unique, expected_unique },
            rows: self.rows_json(),
        }
    }

    fn uniques_result(&self) -> UniquesResult {
        let estimates = self.uniques.estimates.iter();
        let number = |estimate: &Result<f64, _>| estimate.as_ref().ok().copied();
        UniquesResult {
            from: if self.sample.is_some() { "P" } else { "T" },
            sampling: self.uniques.sampling,
            in_sample: self.uniques.in_sample,
            estimates: estimates
                .clone()
                .map(|(method, estimate)| (method.as_str().to_owned(), json!(number(estimate))))
                .collect(),
            failed: estimates
                .filter_map(|(method, estimate)| {
                    Some((method.as_str().to_owned(), json!(estimate.as_ref().err()?.to_string())))
                })
                .collect(),
            rule: self
                .uniques
                .by_rule()
                .map(|(method, estimate)| ByRule { method: method.as_str(), estimate }),
            range: self.uniques.range().map(|(min, max)| Range { min, max }),
        }
    }

    /// The rows of all columns, with the labels as an object.
    fn rows_json(&self) -> Vec<Map<String, Value>> {
        let labels = Table::of_texts(
            self.attributes.iter().copied(),
            self.classes.iter().map(|row| &row.class.labels),
        );
        let figures = Table::of(&COLUMNS, &self.classes).objects();
        let row = |(labels, figures)| {
            let labels = ("labels".to_owned(), Value::Object(labels));
            std::iter::once(labels).chain(figures).collect()
        };
        labels.objects().into_iter().zip(figures).map(row).collect()
    }
}

impl Row {
    fn members(&self) -> u64 {
        self.class.people.members
    }
}

keys! {
/// The estimates as JSON, with stable keys.
#[derive(Serialize)]
pub(in crate::cli) struct EstimateResult<'a> {
    /// Always true: no estimate is a verdict.
    is_estimate: bool,
    /// The name of the project.
    project: &'a str,
    /// The levels of the node, in JSON a list; none for regions.
    node: Vec<u8>,
    /// The number of classes with members.
    classes: usize,
    /// The number of members of T.
    members: u64,
    /// The size of the population.
    population: u64,
    /// The share of the population who are members of T.
    sampling: f64,
    /// P as a sample; null if it is none.
    sample: Option<SampleResult>,
    /// The bound of presence; null if P is no sample.
    presence: Option<PresenceResult>,
    /// The test of k-map.
    k_map: KMapResult,
    /// The people who are unique in the population.
    uniques: UniquesResult,
    /// The same if all combinations are equally likely.
    evenly: EvenlyResult,
    /// The classes with members, worst first: `labels` by quasi-identifier, and the columns of CSV.
    rows: Vec<Map<String, Value>>,
}

/// P as a sample.
#[derive(Serialize)]
struct SampleResult {
    /// The number of people of P.
    people: u64,
    /// The size of the population.
    population: u64,
    /// The number of members of T whom P lacks.
    members_not_sampled: u64,
}

/// The bound of presence.
#[derive(Serialize)]
struct PresenceResult {
    /// The confidence for all classes together.
    confidence: f64,
    /// The greatest upper bound of a class, an exact fraction.
    at_most: String,
    /// The δmax, an exact fraction; null without δ.
    delta_max: Option<String>,
    /// The classes whose bound is above δmax; null without δ.
    above: Option<Share>,
}

/// The test of k-map.
#[derive(Serialize)]
struct KMapResult {
    /// The k.
    k: u64,
    /// The error rate.
    alpha: f64,
    /// The number of members that a class needs.
    least_size: Sizes,
    /// The classes that have fewer.
    short: Shorts,
}

/// A size for each distribution of the members of a class.
#[derive(Serialize)]
struct Sizes {
    /// By a Poisson distribution.
    poisson: u64,
    /// By a Poisson distribution without 0.
    truncated: u64,
}

/// Classes for each distribution of the members of a class.
#[derive(Serialize)]
struct Shorts {
    /// By a Poisson distribution.
    poisson: Share,
    /// By a Poisson distribution without 0.
    truncated: Share,
}

/// A number of classes, and of their members.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Share {
    /// The number of classes.
    pub(super) classes: u64,
    /// The number of their members.
    pub(super) members: u64,
}

/// The people who are unique in the population.
#[derive(Serialize)]
struct UniquesResult {
    /// The sample: `P` or `T`.
    from: &'static str,
    /// The share of the population that is in the sample.
    sampling: f64,
    /// The number of people who are alone in the sample.
    in_sample: u64,
    /// The estimate by method: `zayatz`, `pitman`, `snb`; null if there is none.
    estimates: Map<String, Value>,
    /// Why a method has no estimate.
    failed: Map<String, Value>,
    /// The estimate by Dankar's rule; null if there is none.
    rule: Option<ByRule>,
    /// The range of the estimates; null without estimates.
    range: Option<Range>,
}

/// The people who are unique if all combinations are equally likely.
#[derive(Serialize)]
struct EvenlyResult {
    /// The number of possible combinations of the node's labels.
    combinations: u64,
    /// The expected share of unique people: e^(−people/combinations).
    share_unique: f64,
    /// The expected number of these people.
    expected_unique: f64,
}

/// The estimate by Dankar's rule.
#[derive(Serialize)]
struct ByRule {
    /// The method.
    method: &'static str,
    /// The estimate.
    estimate: f64,
}

/// The range of the estimates.
#[derive(Serialize)]
struct Range {
    /// The least estimate.
    min: f64,
    /// The greatest estimate.
    max: f64,
}
}
