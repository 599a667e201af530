//! A run as text, a name and a value on each line.

use palmtop_release::columns::Value;
use palmtop_release::figures::{FIGURES, Figure};
use palmtop_search::{Budget, StopReason};

use super::{CriterionResult, PseudonymResult, RunResult, members};
use crate::output::{Lines, short_below};
use crate::people::ReleasedPeople;

/// The cell of a value; a dash if there is none.
fn cell(value: &Value) -> String {
    if *value == Value::None { "–".to_owned() } else { value.to_cell() }
}

impl RunResult {
    /// The result as text, a name and a value on each line.
    pub fn lines(&self) -> String {
        let mut lines = Lines::default();
        self.verdict_lines(&mut lines);
        self.release_lines(&mut lines);
        self.figure_lines(&mut lines);
        self.search_lines(&mut lines);
        lines.to_text()
    }

    /// The verdict, δ, and everything that is enforced.
    fn verdict_lines(&self, lines: &mut Lines) {
        let achieved = match (&self.policy.achieved.min, &self.policy.achieved.max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            _ => "–".to_owned(),
        };
        lines.line("verdict", self.mark());
        lines.line_if("headline", self.judged.headline.clone());
        lines.line_if(
            "informed attacker",
            self.policy.knows_algorithm.as_ref().map(|known| known.words.clone()),
        );
        lines.line("strategy", &self.strategy);
        lines.line_if("counted in people by", self.people.as_ref().map(|people| people.entity.clone()));
        lines.line("δ", format!("{} to {}", self.policy.delta.min, self.policy.delta.max));
        lines.line_if("searched under δ", self.taken_from_text());
        lines.line("achieved", achieved);
        for (name, text) in self.policy.criteria.iter().skip(1).filter_map(CriterionResult::line) {
            lines.line(&name, text);
        }
    }

    /// The recoding, and the numbers of classes, people and rows.
    fn release_lines(&self, lines: &mut Lines) {
        lines.line("node", self.node_text().unwrap_or_else(|| "by region".to_owned()));
        let classes = if self.people.is_some() { "classes of people" } else { "classes" };
        lines.line(
            classes,
            format!("{} ({} released)", cell(&self.recoding.classes), cell(&self.recoding.released_classes)),
        );
        if let Some(ReleasedPeople { public, private, rows, distinct_rows, .. }) = &self.people {
            lines.line("people", format!("{private} of {public}"));
            lines.line("rows", format!("{rows}, {distinct_rows} of them distinct"));
        }
        if self.may_withdraw() {
            let most = self.recoding.suppressed_at_most;
            lines.line("withdrawn", format!("{}, at most {most} may be", members(self.recoding.suppressed)));
        }
        lines.line_if("not in P", self.outsiders.line());
        lines.line_if("rows left out", self.outsiders.rows_line());
        if !self.pseudonyms.is_empty() {
            lines.line("pseudonyms", PseudonymResult::listed(&self.pseudonyms));
        }
        lines.line("empty regions", if self.empty_regions == "allow" { "allowed" } else { "forbidden" });
    }

    /// The figures.
    fn figure_lines(&self, lines: &mut Lines) {
        for Figure { head, line, .. } in FIGURES.iter().filter(|figure| !figure.line.is_empty()) {
            lines.line(line, cell(self.figures.get(head.name)));
            if head.name == "one_term" && self.is_hard_to_read() {
                lines.line(
                    "hard to read",
                    "more than 5 terms in a cell on average; `terms = 3` under an attribute sets a limit",
                );
            }
        }
    }

    /// What the search did, and the times.
    fn search_lines(&self, lines: &mut Lines) {
        let (search, seed) = (&self.search, self.seed);
        if let Some(nodes) = search.nodes {
            let (checked, implied) = (search.checked.unwrap_or(0), search.implied.unwrap_or(0));
            lines.line("nodes", format!("{nodes}: {checked} checked, {implied} implied"));
        }
        lines.line_if(
            "rounds",
            search.rounds.map(|rounds| {
                format!("{rounds} from seed {seed}: --seed {seed} --budget {rounds}rounds reproduces it")
            }),
        );
        lines.line_if(
            "opening",
            search.opening.map(|steps| {
                format!(
                    "{steps} of its steps from seed {seed}: --seed {seed} --budget {steps}steps reproduces it"
                )
            }),
        );
        if let Some(stop) = search.stop {
            let is_early =
                [StopReason::Time, StopReason::Cancelled].iter().any(|early| early.as_str() == stop);
            let is_node = search.nodes.is_some() && self.policy.achieved.min.is_some();
            let limit = if is_early && is_node { ": the best node so far, not the best of all" } else { "" };
            let stop = match search.budget {
                Some(seconds) if stop == StopReason::Time.as_str() => {
                    format!("--budget {}, time used up", Budget::Seconds(seconds))
                }
                _ if stop == StopReason::Time.as_str() => "time used up".to_owned(),
                _ => stop.to_owned(),
            };
            lines.line("ended", format!("{stop}{limit}"));
            lines.line_if(
                "proven",
                search.lower.map(|lower| {
                    format!("no node that keeps δ has a {} below {}", self.metric, short_below(lower))
                }),
            );
        }
        lines.line("seconds", self.times());
    }

    /// The seconds in total and of each part, in the order of the work.
    fn times(&self) -> String {
        let parts = [
            ("load", Some(self.times.load_seconds)),
            ("search", self.times.seconds),
            ("write", self.times.write_seconds),
            ("verify", self.times.verify_seconds),
        ];
        let done: Vec<(&str, f64)> =
            parts.into_iter().filter_map(|(name, seconds)| Some((name, seconds?))).collect();
        let all: f64 = done.iter().map(|(_, seconds)| seconds).sum();
        let parts: Vec<String> = done.iter().map(|(name, seconds)| format!("{name} {seconds:.3}")).collect();
        format!("{all:.3}: {}", parts.join(", "))
    }

    /// The verdict in words, with all other enforced criteria.
    fn mark(&self) -> String {
        let enforced = |broken: bool| {
            let is_one = |criterion: &&CriterionResult| !broken || criterion.holds == Some(false);
            let named = self
                .policy
                .criteria
                .iter()
                .skip(1)
                .filter(is_one)
                .filter_map(|one| Some(format!("{} = {}", one.name, one.required.as_ref()?)));
            named.collect::<Vec<_>>().join(", ")
        };
        let keeps_delta = self.policy.criteria.first().is_some_and(|delta| delta.holds == Some(true));
        match (self.policy.present, enforced(false), enforced(true)) {
            (true, all, _) if all.is_empty() => "✓ δ-present".to_owned(),
            (true, all, _) => format!("✓ δ-present, {all}"),
            (false, _, broken) if broken.is_empty() => "✗ not δ-present".to_owned(),
            (false, _, broken) if keeps_delta => format!("✗ δ-present, but breaks {broken}"),
            (false, _, broken) => format!("✗ not δ-present, and breaks {broken}"),
        }
    }
}
