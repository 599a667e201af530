//! The facts from which the cautions of a release follow. A release in memory and its written file give the same facts.

use std::collections::BTreeMap;

use super::headline::{headline, promise};
use super::presences::Presences;
use super::project::betrays;
use super::words::{listed, members};
use super::{Caution, ProjectCautions, ReleaseSize, RevealingColumns};
use crate::pipeline::{
    self, Analysis, BetrayalRisk, Betrayals, CautionBasis, PublishedText, PublishedTexts, ReadClass,
    ReadRelease, SafeHarborNote,
};
use palmtop_core::model::{Code, Counts, Delta, Fraction, Presence, Problem, QuasiIdentifier, Standing};
use palmtop_core::words::count;
use palmtop_measure::betrayal::{Betrayal, Risk as BetrayalCost};
use palmtop_measure::risk::{Risk, RiskClass, RiskClasses, SensitiveRisk};
use palmtop_search::release::{KnowsAlgorithm, Release};
use palmtop_search::simulatable::{self, Question, Transcript};
use palmtop_tables::telling::is_nearly_all;
use palmtop_verify::Findings;

/// The facts from which the cautions of a release follow.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The δ under which the release is judged.
    pub delta: Delta,
    /// The project's δ, if the enforced one is looser.
    pub project_delta: Option<Delta>,
    /// The presence of all of T in P, from which the advisor of δ computes.
    pub share: Presence,
    /// The number of members who are not in P and were left out: they have no row.
    pub dropped: u64,
    /// The number of members who were not in P and were added to P.
    pub added: u64,
    /// The number of withdrawn members: they have no row.
    pub withdrawn: u64,
    /// The number of people by presence; `None` if the file cannot be read.
    pub presences: Option<Presences>,
    /// The risks from an attacker who knows that a person is a member; `None` if the file cannot be read.
    pub members: Option<MemberFacts>,
    /// The quasi-identifiers that are fully generalized in nearly all rows.
    pub blank: Vec<BlankColumn>,
    /// The quasi-identifiers that publish values of HIPAA's Safe Harbor list; `None` if the file cannot be read.
    pub fine: Option<Vec<SafeHarborNote>>,
    /// The size of the release; `None` if the file cannot be read.
    pub size: Option<ReleaseSize>,
    /// The published columns that reveal a quasi-identifier, with the cost for the release.
    pub betrayals: Vec<Caution>,
    /// The published columns that reveal more than the quasi-identifiers do: the promise of δ does not cover them.
    pub revealing: RevealingColumns,
    /// The first questions of `simulatable` that failed; empty if `simulatable` was not run again for this release.
    pub failed_questions: Vec<String>,
    /// Whether people have several rows.
    pub of_people: bool,
    /// The knowledge about an attacker who knows the algorithm.
    pub algorithm: AlgorithmKnowledge,
    /// The enforced criteria other than δ.
    pub criteria: Vec<&'static str>,
    /// Whether every class satisfies these criteria.
    pub keeps_criteria: bool,
    /// Whether the knowledge is that of the history, and was not found again.
    pub is_recorded: bool,
}

/// The risks from an attacker who knows that a person is a member.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberFacts {
    /// The measured risks. The largest prosecutor risk is 1 over its k, and the largest journalist risk 1 over its k-map.
    pub risk: Risk,
    /// The number of members in classes with fewer than [`MemberFacts::THRESHOLD`] members.
    pub in_small_classes: u64,
    /// Whether sensitive values are not counted, because a person with several rows has several values.
    pub has_several_values: bool,
}

impl MemberFacts {
    /// The sentence instead of figures about sensitive values, without its point.
    pub const SEVERAL_VALUES: &str =
        "sensitive values are not measured, because a person with several rows has several values";

    /// A class of 11 members has the risk 0.09, the threshold of regulators.
    pub const THRESHOLD: u64 = 11;
}

/// A quasi-identifier that is fully generalized in nearly all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlankColumn {
    /// The name of the quasi-identifier.
    pub name: String,
    /// The number of rows in which the column is fully generalized.
    pub rows: u64,
    /// The number of rows of the release.
    pub all: u64,
}

/// The knowledge about an attacker who knows the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgorithmKnowledge {
    /// Every posterior is within δ, by proof.
    Exact,
    /// An audit found this number of people outside δ; `None` if the audit could not decide.
    Audited(Option<u64>),
    /// A report names `simulatable` as the strategy, but a second run gives a different release.
    NotReproduced,
    /// The release was neither proven nor audited.
    Unknown,
    /// Nobody asked: neither the search was made again, nor an audit read.
    NotAsked,
}

impl MemberFacts {
    /// The figures of classes. `has_sensitive` is whether the project has sensitive attributes.
    fn of(classes: &RiskClasses, has_sensitive: bool) -> Self {
        let limit = Counts::new(Self::THRESHOLD, 1).presence();
        Self {
            risk: Risk::of(classes, &Fraction::one()),
            in_small_classes: classes.members_above(limit, |counts| counts.private),
            has_several_values: has_sensitive && classes.sensitive.is_empty(),
        }
    }
}

impl MemberFacts {
    /// The number of exposed members.
    pub fn figures(&self) -> String {
        let unmeasured =
            if self.has_several_values { format!("; {}", Self::SEVERAL_VALUES) } else { String::new() };
        let disclosed = self.disclosed().map_or_else(String::new, |disclosed| format!("; {disclosed}"));
        self.in_small_classes() + &disclosed + &unmeasured
    }

    /// The worst of these numbers in a few words: `58 of 800 members, 12 with one value of diagnosis`.
    pub(super) fn figure(&self) -> String {
        let worst = self.risk.sensitive.iter().max_by_key(|sensitive| sensitive.one_value);
        let worst = worst.filter(|worst| worst.one_value > 0);
        let value = worst.map(|worst| (worst.one_value, format!("with one value of {}", worst.name)));
        let small = format!("{} of {}", count(self.in_small_classes), members(self.risk.members));
        match (self.in_small_classes, value) {
            (0, None) => String::new(),
            (0, Some((number, value))) => format!("{} {value}", members(number)),
            (_, None) => small,
            (_, Some((number, value))) => format!("{small}, {} {value}", count(number)),
        }
    }

    /// The number of members in a class with one value, by sensitive attribute, as a part of a sentence; `None` if it is 0.
    pub fn disclosed(&self) -> Option<String> {
        let disclosed = self.risk.sensitive.iter().filter(|sensitive| sensitive.one_value > 0);
        let each: Vec<String> = disclosed
            .map(|SensitiveRisk { name, one_value, .. }| {
                let are = if *one_value == 1 { "is" } else { "are" };
                format!("{} {are} in a class with only one value of `{name}`", members(*one_value))
            })
            .collect();
        (!each.is_empty()).then(|| listed(&each))
    }

    /// The number of members in classes below the usual threshold, and of those who are alone.
    pub fn in_small_classes(&self) -> String {
        let (small, alone) = (self.in_small_classes, self.risk.unique_members);
        let be = |number: u64| if number == 1 { "is" } else { "are" };
        format!(
            "{} of the {} {} in classes of fewer than {} members, and {} {} alone",
            count(small),
            members(self.risk.members),
            be(small),
            Self::THRESHOLD,
            count(alone),
            be(alone)
        )
    }
}

/// The quasi-identifiers that are fully generalized in nearly all rows: their label there contains every value of P.
fn blank_columns(problem: &Problem, classes: &RiskClasses) -> Vec<BlankColumn> {
    let all: u64 = classes.released.iter().map(|class| class.counts.private).sum();
    let column = |(index, quasi): (usize, &QuasiIdentifier)| {
        let hierarchy = &quasi.hierarchy;
        let occurring: Vec<usize> = (0..)
            .zip(0..hierarchy.leaf_count())
            .filter(|(code, _)| problem.occurs(index, *code))
            .map(|(_, leaf)| leaf)
            .collect();
        // A column with only one value loses no information.
        let (first, _) = occurring.split_first().filter(|(_, others)| !others.is_empty())?;
        let texts: Vec<&str> = hierarchy
            .levels()
            .filter(|&level| {
                let label_of = hierarchy.labels_of(level);
                occurring.iter().all(|leaf| label_of[*leaf] == label_of[*first])
            })
            .map(|level| &hierarchy.labels(level)[hierarchy.labels_of(level)[*first] as usize])
            .collect();
        let is_blank = |text: &String| texts.contains(&text.as_str());
        let blank = classes.released.iter().filter(|class| is_blank(&class.labels[index]));
        let rows = blank.map(|class| class.counts.private).sum();
        (rows > 0 && is_nearly_all(rows, all)).then(|| BlankColumn { name: quasi.name.clone(), rows, all })
    };
    problem.quasi().iter().enumerate().filter_map(column).collect()
}

/// The quasi-identifiers of a release that publish values of HIPAA's Safe Harbor list. `rows` has the classes of rows, and
/// `denoted` the values of each text of a quasi-identifier; it is asked only where a level could publish such values.
fn fine_values<T: AsRef<str> + Ord>(
    analysis: &Analysis,
    (project, rows): (&ProjectCautions, &RiskClasses),
    mut denoted: impl FnMut(usize) -> BTreeMap<T, Vec<Code>>,
) -> Vec<SafeHarborNote> {
    let problem = analysis.problem();
    let could = |(_, quasi): &(usize, &QuasiIdentifier)| project.fine_levels.contains(&quasi.name);
    let attributes = problem.quasi().iter().enumerate().filter(could);
    let note = |(attribute, _)| {
        let texts = denoted(attribute).into_iter();
        let texts = texts.map(|(text, codes)| (text.as_ref().to_owned(), PublishedText { codes, rows: 0 }));
        let mut texts: PublishedTexts = texts.collect();
        for class in &rows.released {
            if let Some(text) = texts.get_mut(&class.labels[attribute]) {
                text.rows += class.counts.private;
            }
        }
        pipeline::safe_harbor::of_release(problem, attribute, &texts)
    };
    attributes.filter_map(note).collect()
}

/// Classes as `risk` takes them, with their labels and counts, but without the values of their members.
fn without_values(classes: impl ExactSizeIterator<Item = (Vec<String>, Counts)>) -> RiskClasses {
    let all = classes.len() as u64;
    let released = classes.filter(|(_, counts)| counts.private > 0);
    let released = released.map(|(labels, counts)| RiskClass { labels, counts, values: Vec::new() });
    RiskClasses { all, released: released.collect(), sensitive: Vec::new() }
}

/// The enforced criteria other than δ.
fn enforced(standings: Vec<Standing>) -> Vec<Standing> {
    standings.into_iter().filter(|standing| !standing.is_delta() && standing.required.is_some()).collect()
}

/// The first questions that failed, at most three, all different.
fn failed_questions(problem: &Problem, transcript: &Transcript) -> Vec<String> {
    let mut questions: Vec<String> = Vec::new();
    for step in transcript.steps.iter().filter(|step| step.answer.is_none()) {
        let Question::Cut(cut) = step.question else { continue };
        let text = format!("`{}`", cut.text(problem));
        if !questions.contains(&text) {
            questions.push(text);
        }
        if questions.len() == 3 {
            break;
        }
    }
    questions
}

/// One caution for each betrayal, with the number of rows that fit few people. The last caution also has the number of rows
/// that fit few people by all of these columns together.
fn betrayal_cautions(
    analysis: &Analysis,
    betrayals: &Betrayals,
    risk: &BetrayalRisk,
    delta: Delta,
) -> Vec<Caution> {
    let each = betrayals.list().iter().zip(&risk.of);
    let caution = |(betrayal, risk): (&Betrayal, &BetrayalCost)| {
        betrays(analysis.project(), betrayal, &risk.sentence(delta.max()))
    };
    let mut cautions: Vec<Caution> = each.map(caution).collect();
    if let [_, .., last] = &mut cautions[..] {
        let together = risk.together.sentence(delta.max());
        last.sentence.push_str(&format!(" All of them together: {together}."));
    }
    cautions
}

impl Facts {
    /// The first sentence of the verdict: what δ means for one person.
    pub fn headline(&self) -> String {
        let headline = self
            .presences
            .as_ref()
            .map_or_else(|| promise(self.delta), |presences| headline(self.delta, presences));
        self.revealing.limit(&headline)
    }

    /// Adds the first questions of `simulatable` that failed. This runs `simulatable` again under the δ `searched`, but only if a
    /// column is fully generalized.
    #[must_use]
    pub fn with_questions(self, problem: &Problem, searched: Option<Delta>) -> Self {
        let Some(searched) = searched.filter(|_| !self.blank.is_empty()) else { return self };
        let problem = problem.with_delta(searched);
        let transcript = simulatable::transcript_of(&problem);
        let questions =
            transcript.map_or_else(Vec::new, |transcript| failed_questions(&problem, &transcript));
        Self { failed_questions: questions, ..self }
    }

    /// The facts of a release in memory, with its classes as `risk` takes them.
    pub fn of_release(
        analysis: &Analysis,
        release: &Release,
        risk: &RiskClasses,
        project: &ProjectCautions,
    ) -> Self {
        let (problem, delta, betrayals) = (analysis.problem(), release.delta(), &project.betrayals);
        let cost = pipeline::betrayals::risk(analysis, release, betrayals, delta.max());
        let criteria = enforced(release.standings());
        let rows = problem.people().map(|_| {
            let classes = release.classes.of_rows().iter();
            without_values(classes.map(|class| (class.texts(problem), class.counts)))
        });
        let rows = rows.as_ref().unwrap_or(risk);
        let denoted = |attribute: usize| {
            let hierarchy = problem.hierarchy(attribute);
            let labels = release.classes.of_rows().labels(attribute).labels().iter();
            labels.map(|label| (label.text(hierarchy), label.codes(hierarchy))).collect()
        };
        let fine = fine_values(analysis, (project, rows), denoted);
        Self {
            fine: Some(fine),
            withdrawn: release.withdrawn(),
            presences: Some(Presences::of(release.classes.all_counts())),
            algorithm: release.knows_algorithm().into(),
            keeps_criteria: criteria.iter().all(|standing| standing.holds),
            criteria: criteria.iter().map(|standing| standing.criterion).collect(),
            ..Self::of_classes(analysis, delta, (risk, rows), (project, cost.as_ref()))
        }
    }

    /// The facts of classes under δ. `risk` has the classes of people, `rows` the classes of rows: both are the same unless people have
    /// several rows. `cost` is the cost of the betrayals, if it is counted.
    fn of_classes(
        analysis: &Analysis,
        delta: Delta,
        (risk, rows): (&RiskClasses, &RiskClasses),
        (project, cost): (&ProjectCautions, Option<&BetrayalRisk>),
    ) -> Self {
        let betrayals = &project.betrayals;
        Self {
            members: Some(MemberFacts::of(risk, !analysis.sensitive().is_empty())),
            blank: blank_columns(analysis.problem(), rows),
            size: ReleaseSize::of(analysis, rows),
            betrayals: cost.map_or_else(Vec::new, |cost| betrayal_cautions(analysis, betrayals, cost, delta)),
            ..Self::of_tables(analysis, (project, cost), delta)
        }
    }

    /// The facts of a written release. If the file is not a faithful release, or cannot be read, only the facts of the tables.
    pub fn of_file<'a>(
        basis: impl Into<CautionBasis<'a>>,
        findings: &Findings,
        read: Option<(&ReadRelease, &RiskClasses)>,
        project: &ProjectCautions,
    ) -> Self {
        let analysis = basis.into().analysis();
        let (delta, betrayals) = (findings.delta, &project.betrayals);
        let cost = read
            .and_then(|(read, _)| pipeline::betrayals::risk_of_file(analysis, read, betrayals, delta.max()));
        let pool = Counts::new(findings.unmatched, findings.withdrawn);
        let enforced = findings.criteria.iter().filter(|outcome| outcome.required.is_some());
        let of_classes = match read {
            None => Self::of_tables(analysis, (project, cost.as_ref()), delta),
            Some((read, risk)) => {
                let rows = read.people.as_ref().map(|_| {
                    let classes = read.classes.iter();
                    let counts = |class: &ReadClass| Counts::new(class.people, class.rows);
                    without_values(classes.map(|class| (class.texts.clone(), counts(class))))
                });
                let rows = rows.as_ref().unwrap_or(risk);
                // A file of another P is no faithful release, and its texts denote nothing here.
                let fine = read.codes_by_text(analysis).ok().map(|mut denoted| {
                    let denoted = |attribute: usize| std::mem::take(&mut denoted[attribute]);
                    fine_values(analysis, (project, rows), denoted)
                });
                Self { fine, ..Self::of_classes(analysis, delta, (risk, rows), (project, cost.as_ref())) }
            }
        };
        Self {
            dropped: findings.dropped,
            added: findings.added,
            withdrawn: findings.withdrawn,
            presences: read.map(|(read, _)| Presences::of(read.counts().into_iter().chain([pool]))),
            keeps_criteria: findings.criteria.iter().all(|outcome| outcome.holds),
            criteria: enforced.map(|outcome| outcome.criterion).collect(),
            ..of_classes
        }
    }

    /// The facts of the tables, which exist before a release, and of the published columns that reveal more.
    fn of_tables(
        analysis: &Analysis,
        (project, cost): (&ProjectCautions, Option<&BetrayalRisk>),
        delta: Delta,
    ) -> Self {
        let together = cost.map(|cost| (cost.together, delta.max()));
        Self {
            of_people: analysis.problem().people().is_some(),
            revealing: RevealingColumns::of(analysis.project(), project, together),
            share: analysis.problem().total().presence(),
            project_delta: analysis.project().looser(delta),
            dropped: analysis.notes().dropped(),
            added: analysis.notes().added(),
            ..Self::of_delta(delta)
        }
    }

    /// The facts of every release under δ.
    fn of_delta(delta: Delta) -> Self {
        Self {
            delta,
            share: Presence::ZERO,
            project_delta: None,
            dropped: 0,
            added: 0,
            withdrawn: 0,
            presences: None,
            members: None,
            blank: Vec::new(),
            fine: None,
            size: None,
            betrayals: Vec::new(),
            revealing: RevealingColumns::default(),
            failed_questions: Vec::new(),
            of_people: false,
            algorithm: AlgorithmKnowledge::Unknown,
            criteria: Vec::new(),
            keeps_criteria: true,
            is_recorded: false,
        }
    }
}

impl From<KnowsAlgorithm> for AlgorithmKnowledge {
    fn from(known: KnowsAlgorithm) -> Self {
        match known {
            KnowsAlgorithm::Exact => Self::Exact,
            KnowsAlgorithm::Audited(finding) => Self::Audited(finding.people),
            KnowsAlgorithm::NotAudited => Self::Unknown,
        }
    }
}
