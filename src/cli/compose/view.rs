//! The output of a composition.

use palmtop::columns::Table;
use palmtop::compose::{Beyond, Change, Composition, Judgement, Members, Method, Worst};
use palmtop::keys;
use palmtop::model::{Counts, PresenceBounds};
use palmtop::pipeline::{Analysis, ReadRelease, Together};
use palmtop::words::plural;
use serde::Serialize;

use palmtop_console::answer::Answer;
use palmtop_console::result::{Bounds, MaybeBounds};

/// A composition with the data for its output.
pub(in crate::cli) struct View<'a> {
    analysis: &'a Analysis,
    releases: &'a [&'a ReadRelease],
    together: Together,
    composition: &'a Composition,
    bounds: PresenceBounds,
    pub(in crate::cli) judgement: Judgement,
}

impl<'a> View<'a> {
    pub(in crate::cli) fn of(
        analysis: &'a Analysis,
        releases: &'a [&'a ReadRelease],
        together: Together,
        composition: &'a Composition,
    ) -> Self {
        let bounds = analysis.problem().bounds();
        Self { analysis, releases, together, composition, bounds, judgement: composition.judge(bounds) }
    }

    /// Whether the composition found nobody outside δ and its search was complete.
    pub(in crate::cli) fn holds(&self) -> bool {
        self.judgement.holds() && self.composition.fit.is_none_or(|fit| fit.has_converged())
    }

    /// The text block. It may state that nobody was found outside δ, but never that a release is
    /// safe.
    pub(in crate::cli) fn lines(&self) -> String {
        let Judgement { certain, exact, estimated, .. } = self.judgement;
        let attacker = match self.releases.len() {
            2 => "an attacker who has both releases".to_owned(),
            all => format!("an attacker who has all {all} releases"),
        };
        let outside_delta = self.judgement.people();
        let verdict = if self.holds() {
            let estimates =
                if self.composition.components.estimated > 0 { ", as far as estimates show" } else { "" };
            format!("✓ nobody is outside δ for {attacker}, by bounds or by expectation{estimates}")
        } else if outside_delta == 0 {
            format!("✗ nobody was found outside δ for {attacker}, but the estimates did not converge")
        } else {
            let are = if outside_delta == 1 { "is" } else { "are" };
            format!("✗ {} {are} outside δ for {attacker}", plural(outside_delta, "person"))
        };
        let changed = match self.together.change {
            Change::Same => "all releases are of one T",
            Change::Added => "people were added to T from each release to the next",
            Change::Removed => "people were removed from T from each release to the next",
        };
        let delta = self.bounds.delta();
        let mut rows = vec![("δ", format!("{} to {}", delta.min(), delta.max()))];
        for (name, release) in std::iter::once("alone").chain(std::iter::repeat("")).zip(self.releases) {
            let achieved = release.achieved();
            let keeps = delta.min() <= achieved.min && achieved.max <= delta.max();
            let withdrawn = match release.pool().private {
                0 => String::new(),
                members => format!(", {} withdrawn", plural(members, "member")),
            };
            rows.push((
                name,
                format!(
                    "{} {}: {} to {}, {} in {}{withdrawn}",
                    if keeps { "✓" } else { "✗" },
                    release.path.display(),
                    achieved.min,
                    achieved.max,
                    plural(release.rows(), "row"),
                    plural(release.classes.len() as u64, "class")
                ),
            ));
        }
        let groups = self.composition.atoms.len();
        rows.push(("together", format!("{changed}; {groups} groups of people with the same classes")));
        rows.push(("certain", format!("{}, whatever the attacker believes beforehand", outside(certain))));
        rows.push(("expected", format!("{} by exact expectations", outside(exact))));
        if self.composition.components.estimated > 0 {
            rows.push(("", format!("{} by {} expectations", outside(estimated), Method::Estimated.as_str())));
        }
        rows.push(("highest", self.worst(self.judgement.highest)));
        rows.push(("", self.classes(self.judgement.highest)));
        if delta.min().numerator() > 0 {
            rows.push(("lowest", self.worst(self.judgement.lowest)));
            rows.push(("", self.classes(self.judgement.lowest)));
        }
        rows.push(("method", self.method()));
        rows.push(("prior", self.prior().to_owned()));
        let lines = rows.iter().map(|(name, text)| format!("{name:9} {text}\n"));
        std::iter::once(verdict + "\n").chain(lines).collect()
    }

    /// The presence of a group of people, its method, and the values of one of its combinations.
    fn worst(&self, worst: Worst) -> String {
        let Some(atom) = self.composition.atoms.get(worst.atom) else { return String::new() };
        let members = atom.members[worst.table];
        let table = if self.composition.tables > 1 {
            format!(" in table {}", worst.table + 1)
        } else {
            String::new()
        };
        let mut combinations = self.composition.combinations_of(worst.atom);
        let first = combinations.next().map(|index| self.values(index).join(" · ")).unwrap_or_default();
        let others = match combinations.count() {
            0 => String::new(),
            1 => ", and those of 1 combination more".to_owned(),
            more => format!(", and those of {more} combinations more"),
        };
        format!(
            "{:.4}{table}, {}: {} to {} of {}: {first}{others}",
            worst.presence,
            atom.method.as_str(),
            members.least,
            members.most,
            plural(atom.people, "person")
        )
    }

    /// The class of a group of people in each release.
    fn classes(&self, worst: Worst) -> String {
        let Some(atom) = self.composition.atoms.get(worst.atom) else { return String::new() };
        let class = |(release, class): (&&ReadRelease, &Option<u32>)| {
            let path = release.path.display();
            match class {
                Some(class) => {
                    let class = &release.classes[*class as usize];
                    format!("{path} {}/{}: {}", class.rows, class.people, class.texts.join(" · "))
                }
                None => match release.pool() {
                    Counts { private: 0, .. } => format!("{path}: no row"),
                    pool => format!("{path} {}/{}: no row, or withdrawn", pool.private, pool.public),
                },
            }
        };
        let classes: Vec<String> = self.releases.iter().zip(&atom.classes).map(class).collect();
        classes.join("\n          ")
    }

    fn method(&self) -> String {
        let parts = self.composition.components;
        let tight = self.composition.atoms.iter().filter(|atom| atom.is_tight).count();
        let all = self.composition.atoms.len();
        let bounds = if tight == all {
            "bounds are the narrowest possible for all groups".to_owned()
        } else {
            format!("bounds are the narrowest possible for {tight} of {all} groups")
        };
        let fit = match self.composition.fit {
            None => String::new(),
            Some(fit) if fit.has_converged() => {
                format!(", {} estimated (fitted in at most {} sweeps)", parts.estimated, fit.sweeps)
            }
            Some(fit) => format!(
                ", {} estimated, which did NOT converge: the largest relative error of a margin is {:.1e}",
                parts.estimated, fit.deviation
            ),
        };
        format!("{} parts counted exactly{fit}; {bounds}", parts.exact)
    }

    fn prior(&self) -> &'static str {
        match self.together.change {
            Change::Same => "all T of this size are equally likely",
            Change::Added | Change::Removed => "all series of T of these sizes are equally likely",
        }
    }

    /// The labels of a combination's values.
    fn values(&self, index: usize) -> Vec<&str> {
        let problem = self.analysis.problem();
        let codes = problem.histogram().combination(index).into_iter().enumerate();
        codes.map(|(attribute, code)| problem.hierarchy(attribute).leaf(code)).collect()
    }

    /// The combinations whose people are outside δ, in the histogram's order: a line for each
    /// table.
    pub(super) fn people(&self) -> Table {
        let quasi = self.analysis.problem().quasi().iter().map(|attribute| attribute.name.clone());
        let figures =
            ["people", "table", "least", "most", "expected_presence", "method", "certain", "verdict"];
        let counts = self.analysis.problem().histogram().counts();
        let mut lines = Vec::new();
        for (index, &atom) in self.composition.atom_of.iter().enumerate() {
            let atom = &self.composition.atoms[atom as usize];
            for (table, members) in atom.members.iter().enumerate() {
                let (certain, expected) = atom.judge(members, self.bounds);
                let verdict = match expected {
                    (false, false) => continue,
                    (true, _) => "over",
                    (false, true) => "under",
                };
                let values = self.values(index).into_iter().map(ToOwned::to_owned);
                let figures = [
                    counts[index].public.to_string(),
                    (table + 1).to_string(),
                    format!("{}/{}", members.least, atom.people),
                    format!("{}/{}", members.most, atom.people),
                    format!("{:.6}", atom.presence(members)),
                    atom.method.as_str().to_owned(),
                    (certain.0 || certain.1).to_string(),
                    verdict.to_owned(),
                ];
                lines.push(values.chain(figures).collect::<Vec<_>>());
            }
        }
        Table::of_texts(quasi.chain(figures.map(ToOwned::to_owned)), lines)
    }

    /// The composition as JSON.
    pub(in crate::cli) fn result(&self) -> ComposeResult {
        let (judgement, atoms) = (self.judgement, &self.composition.atoms);
        let parts = self.composition.components;
        let fit = self.composition.fit.map(|fit| FitResult {
            converged: fit.has_converged(),
            deviation: fit.deviation,
            sweeps: fit.sweeps,
        });
        ComposeResult {
            holds: self.holds(),
            delta: self.bounds.delta().into(),
            change: match self.together.change {
                Change::Same => "same",
                Change::Added => "added",
                Change::Removed => "removed",
            },
            releases: self.releases.iter().map(|release| ComposedRelease::of(release)).collect(),
            groups: atoms.len(),
            tight_groups: atoms.iter().filter(|atom| atom.is_tight).count(),
            certain: judgement.certain.into(),
            expected: Expected { exact: judgement.exact.into(), estimated: judgement.estimated.into() },
            highest: self.worst_result(judgement.highest),
            lowest: self.worst_result(judgement.lowest),
            parts: Parts { exact: parts.exact, estimated: parts.estimated },
            fit,
        }
    }

    fn worst_result(&self, worst: Worst) -> Option<WorstResult> {
        let atom = self.composition.atoms.get(worst.atom)?;
        let Members { least, most, .. } = atom.members[worst.table];
        let (presence, method, table) = (worst.presence, atom.method.as_str(), worst.table + 1);
        Some(WorstResult { presence, method, table, people: atom.people, least, most })
    }
}

keys! {
/// What several releases reveal together, as JSON with stable keys.
#[derive(Serialize)]
pub(in crate::cli) struct ComposeResult {
    /// Whether nobody was found outside δ and the estimates converged.
    holds: bool,
    /// The δ.
    delta: Bounds,
    /// How T may have changed: `same`, `added` or `removed`.
    change: &'static str,
    /// The releases.
    releases: Vec<ComposedRelease>,
    /// The number of groups of people with the same classes.
    groups: usize,
    /// The number of groups whose bounds are the narrowest possible.
    tight_groups: usize,
    /// The people outside δ whatever the attacker believes beforehand.
    certain: BeyondResult,
    /// The people outside δ by expectation.
    expected: Expected,
    /// The group with the highest presence.
    highest: Option<WorstResult>,
    /// The group with the lowest presence.
    lowest: Option<WorstResult>,
    /// The independent parts of the composition.
    parts: Parts,
    /// How the estimates were fitted; null without estimates.
    fit: Option<FitResult>,
}

/// A composed release.
#[derive(Serialize)]
struct ComposedRelease {
    /// The file.
    file: String,
    /// The number of rows.
    rows: u64,
    /// The number of members of T whom no row has.
    suppressed: u64,
    /// The number of classes.
    released_classes: usize,
    /// The lowest and the highest presence of the release alone.
    achieved: MaybeBounds,
    /// Whether it is a faithful release of the present T.
    faithful: bool,
}

/// People outside δ.
#[derive(Serialize)]
struct BeyondResult {
    /// The number of people.
    people: u64,
    /// The number above δmax.
    over: u64,
    /// The number below δmin.
    under: u64,
}

/// People outside δ by expectation.
#[derive(Serialize)]
struct Expected {
    /// Those of the parts that were counted exactly.
    exact: BeyondResult,
    /// Those of the parts that were estimated.
    estimated: BeyondResult,
}

/// A group of people.
#[derive(Serialize)]
struct WorstResult {
    /// The expected presence.
    presence: f64,
    /// How it was found.
    method: &'static str,
    /// The number of the table T, from 1.
    table: usize,
    /// The number of people in the group.
    people: u64,
    /// The least number of members among them.
    least: u64,
    /// The greatest number of members among them.
    most: u64,
}

/// The numbers of parts.
#[derive(Serialize)]
struct Parts {
    /// The number of parts that were counted exactly.
    exact: usize,
    /// The number of parts that were estimated.
    estimated: usize,
}

/// The fit of the estimates.
#[derive(Serialize)]
struct FitResult {
    /// Whether every fit converged.
    converged: bool,
    /// The largest relative error of a margin.
    deviation: f64,
    /// The greatest number of sweeps.
    sweeps: u64,
}
}

impl ComposedRelease {
    fn of(release: &ReadRelease) -> Self {
        Self {
            file: release.path.display().to_string(),
            rows: release.rows(),
            suppressed: release.pool().private,
            released_classes: release.classes.len(),
            achieved: release.achieved().into(),
            faithful: release.is_faithful(),
        }
    }
}

impl From<Beyond> for BeyondResult {
    fn from(Beyond { people, over, under }: Beyond) -> Self {
        Self { people, over, under }
    }
}

impl Answer for View<'_> {
    fn text(&self) -> String {
        self.lines()
    }

    fn object(&self) -> impl Serialize {
        self.result()
    }
}

/// The number of people outside δ, in words.
fn outside(beyond: Beyond) -> String {
    match beyond {
        Beyond { people: 0, .. } => "nobody outside δ".to_owned(),
        Beyond { people: all, over, under } => {
            format!("{} outside δ ({over} above δmax, {under} below δmin)", plural(all, "person"))
        }
    }
}
