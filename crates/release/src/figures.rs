//! The figures by which releases are compared. A new figure is one entry of [`FIGURES`].
//!
//! The JSON of a run, `compare` in every form, the workbench's comparison and `docs/outputs.md`
//! then have it. The columns of a run, such as its verdict and the withdrawn people, are in `result/columns.rs` of
//! `palmtop-console`.

use palmtop_core::metrics::{Metric, Metrics, Readability};
use palmtop_project::keys::{Key, Keyed};
use palmtop_search::release::Release;
use serde::{Serialize, Serializer};

use crate::columns::{Head, Shown, Value};

/// A release with the measures that it does not have by itself.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The release.
    pub release: &'a Release,
    /// The median relative error of the queries, and the mean distance of the quasi-identifiers;
    /// `None` if they were not measured.
    pub utility: Option<(f64, f64)>,
    /// The seconds of its search; `None` for a node that was chosen by hand.
    pub seconds: Option<f64>,
}

/// The better direction of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// A lower figure is better.
    Less,
    /// A higher figure is better.
    More,
    /// No direction is better.
    Neither,
}

/// A figure of a release.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The column of `compare`.
    pub head: Head,
    /// The value for a release.
    pub value: fn(&Facts) -> Value,
    /// The better direction.
    pub better: Better,
    /// Whether it is a key of `metrics` in the JSON of a run.
    pub is_metric: bool,
    /// The name in the text of a run; empty if the text does not have it.
    pub line: &'static str,
    /// The heading on the screen of comparison; empty if the screen does not have the figure.
    pub screen: &'static str,
    /// The position among the figures on the screen. A narrow terminal leaves out the last.
    pub screen_rank: u8,
}

impl Figure {
    /// A figure that only CSV has.
    pub const fn new(
        name: &'static str,
        doc: &'static str,
        better: Better,
        value: fn(&Facts) -> Value,
    ) -> Self {
        let head = Head::number(name, doc).shown(name, Shown::Never);
        Self { head, value, better, is_metric: false, line: "", screen: "", screen_rank: 0 }
    }

    /// A key of `metrics` in JSON, with its name in the text of a run.
    const fn metric(self, line: &'static str) -> Self {
        Self { is_metric: true, line, ..self }
    }

    /// A column of the command's table for people.
    const fn table(self, heading: &'static str, shown: Shown) -> Self {
        Self { head: self.head.shown(heading, shown), ..self }
    }

    /// A column of the screen.
    #[must_use]
    pub const fn screen(self, heading: &'static str, rank: u8) -> Self {
        Self { screen: heading, screen_rank: rank, ..self }
    }
}

fn metrics<'a>(facts: &Facts<'a>) -> &'a Metrics {
    &facts.release.metrics
}

/// A measure of utility: `…` for people until it is measured.
fn utility(facts: &Facts, of: fn((f64, f64)) -> f64) -> Value {
    let pending = || Value::Worded("…".to_owned(), Box::new(Value::None));
    facts.utility.map_or_else(pending, |utility| of(utility).into())
}

/// The mean number of terms in a cell. People read `hard` beside it if the release is hard to read.
fn terms(facts: &Facts) -> Value {
    let terms = metrics(facts).readability.terms;
    let mean = Value::Mean(terms);
    if Readability::is_hard(terms) { Value::Worded(format!("{terms:.1} hard"), Box::new(mean)) } else { mean }
}

/// All figures, in the order of CSV.
pub const FIGURES: [Figure; 19] = [
    Figure::new(
        "achieved_min",
        "the lowest presence of a class, with or without members",
        Better::Neither,
        |facts| facts.release.achieved.min.into(),
    )
    .table("least", Shown::At(40)),
    Figure::new("achieved_max", "the highest presence of a class", Better::Neither, |facts| {
        facts.release.achieved.max.into()
    })
    .table("most", Shown::At(50))
    .screen("highest", 50),
    Figure::new(
        "loss",
        "the mean loss of the quasi-identifiers, by weight: 0 as loaded, 1 everything `*`",
        Better::Less,
        |facts| metrics(facts).loss.mean().into(),
    )
    .metric("loss")
    .table("loss", Shown::At(60))
    .screen("loss", 10),
    Figure::new("loss_geometric", "the geometric loss of the quasi-identifiers", Better::Less, |facts| {
        metrics(facts).loss.geometric().into()
    })
    .metric("loss geometric")
    .table("geometric", Shown::At(70))
    .screen("geometric", 70),
    Figure::new(
        "readable",
        "the loss, and 0.01 for each term of a cell beyond the first, as the mean over cells",
        Better::Less,
        |facts| metrics(facts).value(Metric::Readable).into(),
    )
    .metric("")
    .table("readable", Shown::At(72)),
    Figure::new("loss_occurring", "the loss if only values that occur in P count", Better::Less, |facts| {
        metrics(facts).occurring_loss.mean().into()
    })
    .metric("loss in P's values"),
    Figure::new(
        "discernibility",
        "the squared sizes of the released classes, summed; a withdrawn member counts |T|",
        Better::Less,
        |facts| metrics(facts).discernibility.into(),
    )
    .metric("discernibility")
    .table("DM", Shown::At(100))
    .screen("discern.", 40),
    Figure::new(
        "average_class_size",
        "the mean number of members in a released class",
        Better::Less,
        |facts| Value::Mean(metrics(facts).average_class_size),
    )
    .metric("average class size")
    .screen("size", 30),
    Figure::new(
        "precision",
        "of nodes: 1 minus the mean share of levels that quasi-identifiers are raised by",
        Better::More,
        |facts| metrics(facts).precision.into(),
    )
    .metric("precision")
    .screen("precision", 80),
    Figure::new(
        "terms",
        "the mean number of terms in a cell; above 5 the release is hard to read",
        Better::Less,
        terms,
    )
    .metric("terms per cell")
    .table("terms", Shown::IfRoom(75))
    .screen("terms", 35),
    Figure::new("most_terms", "the largest number of terms in a cell", Better::Less, |facts| {
        metrics(facts).readability.most_terms.into()
    })
    .metric(""),
    Figure::new("characters", "the mean number of characters in a cell", Better::Less, |facts| {
        Value::Mean(metrics(facts).readability.characters)
    })
    .metric("characters / cell")
    .table("chars", Shown::IfRoom(95))
    .screen("chars", 85),
    Figure::new("most_characters", "the largest number of characters in a cell", Better::Less, |facts| {
        metrics(facts).readability.most_characters.into()
    })
    .metric(""),
    Figure::new("one_term", "the share of cells with one term", Better::More, |facts| {
        metrics(facts).readability.one_term.into()
    })
    .metric("one-term cells"),
    Figure::new(
        "starred",
        "the number of quasi-identifiers that are `*` in more than nine of ten released rows",
        Better::Less,
        |facts| metrics(facts).readability.starred.len().into(),
    )
    .metric(""),
    Figure::new("query_error", "the median relative error of the counting queries", Better::Less, |facts| {
        utility(facts, |utility| utility.0)
    })
    .metric("")
    .table("query", Shown::IfRoom(80))
    .screen("query", 90),
    Figure::new(
        "distance",
        "the mean distance of the quasi-identifiers' distributions from those of T",
        Better::Less,
        |facts| utility(facts, |utility| utility.1),
    )
    .metric("")
    .table("distance", Shown::IfRoom(90))
    .screen("distance", 100),
    Figure::new("classes", "the number of classes", Better::Neither, |facts| {
        facts.release.classes.len().into()
    }),
    Figure::new("released_classes", "the number of classes that have members", Better::Neither, |facts| {
        facts.release.released_classes().into()
    })
    .table("classes", Shown::At(110))
    .screen("released", 20),
];

/// The values of all figures for a release. In JSON, an object of those that are metrics.
#[derive(Clone, Debug)]
pub struct Figures([Value; FIGURES.len()]);

impl Figures {
    /// The figures of a release; without one, no figure has a value.
    pub fn of(facts: Option<&Facts>) -> Self {
        Self(FIGURES.map(|figure| facts.map_or(Value::None, |facts| (figure.value)(facts))))
    }

    /// The values, in the order of [`FIGURES`].
    pub fn values(&self) -> &[Value] {
        &self.0
    }

    /// The value of the figure with this name.
    ///
    /// # Panics
    /// If no figure has this name.
    pub fn get(&self, name: &str) -> &Value {
        let index = FIGURES.iter().position(|figure| figure.head.name == name);
        index.map(|index| &self.0[index]).expect("a figure has this name")
    }
}

impl Keyed for Figures {
    fn keys() -> Vec<Key> {
        FIGURES.iter().filter(|figure| figure.is_metric).map(|figure| figure.head.key()).collect()
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let metrics = FIGURES.iter().zip(&self.0).filter(|(figure, _)| figure.is_metric);
        serializer.collect_map(metrics.map(|(figure, value)| (figure.head.name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_its_own_name_and_place() {
        for (index, figure) in FIGURES.iter().enumerate() {
            for other in &FIGURES[..index] {
                assert_ne!(figure.head.name, other.head.name);
                let is_shown = !figure.screen.is_empty() && !other.screen.is_empty();
                assert!(!is_shown || figure.screen_rank != other.screen_rank, "{}", figure.head.name);
            }
            assert!(!figure.head.doc.is_empty() && !figure.head.doc.ends_with('.'), "{}", figure.head.name);
        }
    }
}
