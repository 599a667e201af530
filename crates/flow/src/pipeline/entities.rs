//! A project in which people have several rows: both tables counted in people, searched, and released.
//!
//! It is loaded as rows first, by [`Analysis`], and then once more as people. The rows' analysis stays inside: nobody else may take a row
//! for a person.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rayon::slice::ParallelSliceMut;
use rustc_hash::FxHashMap;

use super::export::{ExportOptions, Target, Written};
use super::members::MemberColumns;
use super::published::Publisher;
use super::risk::{Interned, values_of};
use super::stage::{self, ExportObserver, LoadObserver, LoadStage};
use super::{
    Analysis, Betrayals, InputFile, Overrides, PipelineError, PseudonymNote, SafeHarborNote, UniqueColumn,
};
use crate::project::{Attribute, Project};
use palmtop_core::metrics::Loss;
use palmtop_core::model::{
    Classes, Code, Counts, Entities, EntityClasses, EntityCounter, EntityProblem, Level, Node, Policy,
    Recoding, SensitiveValues, Standing, size,
};
use palmtop_core::progress::Meter;
use palmtop_search::release::{Achieved, Claim, Origin, Release};
use palmtop_search::{self as search, Config, Observer, SearchReport, StopReason, Strategy};
use palmtop_tables::alike::bare;
use palmtop_tables::encode::Whose;
use palmtop_tables::error::DataError;
use palmtop_tables::place::At;
use palmtop_tables::read::Table;
use palmtop_tables::write::{Gate, RealDisk};

/// A loaded project in which people have several rows.
#[derive(Debug)]
pub struct EntityAnalysis {
    /// Its rows, each as if it were a person: of no use to anybody else.
    rows: Analysis,
    problem: EntityProblem,
    load_seconds: f64,
}

/// A node of such a project, counted in people.
#[derive(Clone, Debug)]
pub struct EntityRelease {
    /// The node.
    pub node: Node,
    /// What it is judged by.
    pub policy: Policy,
    /// Its classes of people.
    pub classes: Arc<EntityClasses>,
    /// The least and greatest presence of anybody.
    pub achieved: Achieved,
    /// What T's rows lose.
    pub loss: Loss,
    /// The same node's rows, which an export writes.
    rows: Release,
}

/// What a search for people who have several rows found, and how long it took.
#[derive(Clone, Debug)]
pub struct EntityFound {
    /// The release; `None` where there is none.
    pub release: Option<EntityRelease>,
    /// What the search did.
    pub report: SearchReport,
    /// Its seconds.
    pub seconds: f64,
}

impl EntityFound {
    /// Says that a search that was stopped was stopped because its time was up.
    #[must_use]
    pub fn timed_out(mut self) -> Self {
        if self.report.stop == StopReason::Cancelled {
            self.report.stop = StopReason::Time;
        }
        self
    }
}

impl EntityRelease {
    fn new(analysis: &EntityAnalysis, origin: Origin, node: Node, search: Option<SearchReport>) -> Self {
        let problem = &analysis.problem;
        let rows = Release::new(problem.rows(), origin, Recoding::Node(node.clone()), search);
        let classes = problem.classes(&node);
        let achieved = Achieved::over(classes.all());
        let (policy, loss) = (problem.policy().clone(), rows.metrics.loss.clone());
        Self { node, policy, classes: Arc::new(classes), achieved, loss, rows }
    }

    /// Whether every class of people satisfies the policy.
    pub fn is_present(&self) -> bool {
        self.classes.all().iter().all(|class| self.policy.allows(class))
    }

    /// What became of every criterion.
    pub fn standings(&self) -> Vec<Standing> {
        self.policy.standings(self.classes.all())
    }

    /// How many classes of people have members.
    pub fn released_classes(&self) -> usize {
        self.classes.all().iter().filter(|class| class.counts().private > 0).count()
    }

    /// The distinct released rows.
    pub fn released_rows(&self) -> usize {
        self.rows.released_classes()
    }

    fn claim(&self) -> Claim {
        Claim {
            delta: self.policy.delta(),
            achieved: self.achieved,
            standings: self.standings(),
            withdrawn: 0,
            is_present: self.is_present(),
        }
    }
}

impl EntityAnalysis {
    /// Loads a project with an attribute of `role = "entity"`: its rows, then both tables in people. The observer answers whether to go
    /// on.
    ///
    /// # Errors
    /// As [`Analysis::load_watched`]; [`PipelineError::Entity`] with the row of whoever cannot be counted, in P or in T;
    /// [`PipelineError::NoEntity`] where the project has no such attribute.
    pub fn load_watched(
        path: &Path,
        overrides: &Overrides,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let started = Instant::now();
        stage::tell(observer, LoadStage::Project, 0, 1)?;
        let project = Project::read(path)?;
        let none = || PipelineError::NoEntity { path: path.to_owned() };
        let entity = project.entity().ok_or_else(none)?.clone();
        let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
        let rows = Analysis::load_project(project, delta, started, observer).map_err(in_rows)?;
        let (of_public, of_private) = (rows.public.size(), rows.private.size());
        let problem = stage::metered(observer, LoadStage::People, of_public + of_private, |meter| {
            let mut people = People::new(&rows, &entity);
            people.read_public(meter)?;
            people.read_members(&mut |done| meter(of_public + done))?;
            people.problem(&mut || meter(of_public + of_private))
        })?;
        Ok(Self { rows, problem, load_seconds: started.elapsed().as_secs_f64() })
    }

    /// The people and what is enforced of them.
    pub fn problem(&self) -> &EntityProblem {
        &self.problem
    }

    /// The project.
    pub fn project(&self) -> &Project {
        self.rows.project()
    }

    /// The project's name.
    pub fn name(&self) -> &str {
        self.rows.name()
    }

    /// The attribute by which both tables say whose rows are one person's.
    pub fn entity(&self) -> &str {
        self.rows.project.entity().map_or("", |entity| entity.name.as_str())
    }

    /// The project file, the tables and the hierarchies as they were loaded.
    pub fn inputs(&self) -> &[InputFile] {
        self.rows.inputs()
    }

    /// How long loading took, in seconds.
    pub fn load_seconds(&self) -> f64 {
        self.load_seconds
    }

    /// The attributes that a release has coarser than T, each with the coarsest level of its hierarchy.
    pub fn published_coarser(&self) -> impl Iterator<Item = (&Attribute, Level)> {
        super::published::coarser(&self.rows)
    }

    /// The project file.
    pub fn path(&self) -> &Path {
        self.rows.path()
    }

    /// The published columns that give a quasi-identifier away, by one row of each person.
    ///
    /// # Errors
    /// As [`betrayals::of_project`](super::betrayals::of_project).
    pub fn betrayals(&self, meter: &mut Meter) -> Result<Betrayals, PipelineError> {
        super::betrayals::of_project(&self.rows, meter)
    }

    /// The published columns that have the name of a column of P, as [`betrayals::named_alike`](super::betrayals::named_alike).
    pub fn named_alike(&self) -> Vec<(String, String)> {
        super::betrayals::named_alike(&self.rows)
    }

    /// The columns that are published unchanged and in which nearly all values are of one person each.
    ///
    /// # Errors
    /// As [`unique::columns`](super::unique::columns).
    pub fn unique_columns(&self, meter: &mut Meter) -> Result<Vec<UniqueColumn>, PipelineError> {
        super::unique::columns(&self.rows, meter)
    }

    /// What a release of this project may publish that is on Safe Harbor's list, counted in people.
    ///
    /// # Errors
    /// As [`safe_harbor::notes`](super::safe_harbor::notes).
    pub fn safe_harbor(&self) -> Result<Vec<SafeHarborNote>, PipelineError> {
        let people: Vec<Vec<Counts>> =
            (0..self.problem.rows().quasi().len()).map(|nth| self.leaf_counts(nth)).collect();
        super::safe_harbor::notes_of(&self.rows, &people)
    }

    /// The people of each value of a quasi-identifier: whoever has it in some row.
    fn leaf_counts(&self, quasi: usize) -> Vec<Counts> {
        let (rows, entities) = (self.problem.rows(), self.problem.entities());
        let codes = rows.histogram().column(quasi);
        let mut people = vec![Counts::default(); rows.quasi()[quasi].hierarchy.leaf_count()];
        for (multiset, counts) in entities.multisets().zip(entities.counts()) {
            let of_person: BTreeSet<Code> = multiset.iter().map(|&row| codes[row as usize]).collect();
            for code in of_person {
                people[code as usize] += *counts;
            }
        }
        people
    }

    /// A gate that lets nobody write over a file of this project.
    pub fn gate(&self) -> Gate {
        super::export::gate(&self.rows)
    }

    /// Whether an export could give pseudonyms.
    ///
    /// # Errors
    /// As [`pseudonyms::check`](super::pseudonyms::check).
    pub fn check_pseudonyms(&self) -> Result<(), PipelineError> {
        super::pseudonyms::check(&self.rows)
    }

    /// The columns of a release that have pseudonyms, in project order.
    pub fn pseudonyms(&self) -> Vec<PseudonymNote> {
        super::pseudonyms::notes(&self.rows)
    }

    /// Searches for the node of the least loss.
    ///
    /// # Panics
    /// If the metric is discernibility.
    pub fn search(&self, config: &Config, observer: &mut Observer) -> EntityFound {
        let started = Instant::now();
        let (node, report) = search::entity_spalm(&self.problem, config, observer);
        let origin = Origin::Search(Strategy::Spalm, config.metric);
        let release = node.map(|node| EntityRelease::new(self, origin, node, Some(report)));
        EntityFound { release, report, seconds: started.elapsed().as_secs_f64() }
    }

    /// The release of a node that the analyst chose.
    pub fn by_hand(&self, node: Node) -> EntityRelease {
        EntityRelease::new(self, Origin::ByHand(node.clone()), node, None)
    }

    /// The labels of a row of a release's people.
    pub fn row_texts(&self, of_rows: &Classes, row: u32) -> Vec<String> {
        of_rows.class(row).texts(self.problem.rows())
    }

    /// Writes a release through a gate: to a file without a name that is synced, recounted in people from the raw tables, and only
    /// then named.
    ///
    /// # Errors
    /// As [`export::write_watched`](super::export::write_watched).
    pub fn export_through(
        &self,
        gate: &mut Gate,
        release: &EntityRelease,
        target: &Path,
        options: ExportOptions,
        observer: &mut ExportObserver,
    ) -> Result<Written, PipelineError> {
        let target = Target { path: target, options, beside: None };
        let made = (&release.rows, &release.claim());
        super::export::write_claimed(&self.rows, gate, &mut RealDisk, made, target, observer)
            .map(|(written, _)| written)
    }
}

/// What is wrong with rows, in words that do not take one for a person.
fn in_rows(error: PipelineError) -> PipelineError {
    match error {
        PipelineError::Data(DataError::NotInPublic(found)) => PipelineError::OtherRows {
            rows: found.people,
            first: found.rows.first().map(ToString::to_string).unwrap_or_default(),
            path: found.private.clone(),
        },
        error => error,
    }
}

/// The number of each member, ascending, and the combinations of his rows, ascending.
type Members = Vec<(u32, Vec<u32>)>;

/// The rows of both tables, by whose they are.
struct People<'a> {
    rows: &'a Analysis,
    entity: &'a Attribute,
    /// The number of everybody in P, and where the first of his rows stands.
    numbers: FxHashMap<String, u32>,
    first: Vec<At>,
    /// Of each row of P whose it is, and its combination.
    public: Vec<(u32, u32)>,
    /// The same of T.
    private: Vec<(u32, u32)>,
    /// Where the first row in T of each of its people stands.
    member_at: FxHashMap<u32, At>,
    /// Of each sensitive attribute the value that each member has in all rows, where criteria ask for it.
    values: Vec<FxHashMap<u32, String>>,
}

impl<'a> People<'a> {
    fn new(rows: &'a Analysis, entity: &'a Attribute) -> Self {
        Self {
            rows,
            entity,
            numbers: FxHashMap::default(),
            first: Vec::new(),
            public: Vec::new(),
            private: Vec::new(),
            member_at: FxHashMap::default(),
            values: Vec::new(),
        }
    }

    /// Reads P: everybody's rows. An identifier that is written in two ways would make two people of one.
    fn read_public(&mut self, meter: &mut Meter) -> Result<(), PipelineError> {
        let Analysis { project, problem, encoder, public, .. } = self.rows;
        let quasi = project.quasi().map(|(attribute, _)| attribute.public_column.as_str());
        let columns: Vec<&str> = std::iter::once(self.entity.public_column.as_str()).chain(quasi).collect();
        let mut alike: FxHashMap<String, u32> = FxHashMap::default();
        let rows = self.rows;
        let cells = encoder.cells(Whose::Public);
        super::find::visit_loaded(rows, public, &columns, meter, &mut |at, texts| {
            let (text, column) = (texts[0], self.entity.public_column.as_str());
            let refused = |why: String| Self::refused(public, at, column, why);
            let number = match self.numbers.get(text) {
                Some(number) => *number,
                None if text.trim().is_empty() => return Err(refused(BLANK.to_owned())),
                None => {
                    let number = u32::try_from(self.numbers.len());
                    let number = number.map_err(|_| refused("more people than can be counted".to_owned()))?;
                    match alike.entry(bare(text)) {
                        Entry::Occupied(other) => {
                            let first = public.place(self.first[*other.get() as usize]);
                            return Err(refused(format!(
                                "this differs from what {first} has only by what changes nothing (spaces, zeros before a number, `.0`), so \
                                 that one person would be counted as two; write it in one way"
                            )));
                        }
                        Entry::Vacant(place) => drop(place.insert(number)),
                    }
                    self.numbers.insert(text.to_owned(), number);
                    self.first.push(at);
                    number
                }
            };
            let codes = (0..).zip(&texts[1..]).map(|(nth, text)| cells.code(nth, text));
            let codes: Option<Vec<Code>> = codes.collect();
            let combination = codes.and_then(|codes| problem.histogram().find(&codes));
            let changed = || DataError::Changed { path: public.file_of(at).to_owned() };
            self.public.push((number, size::number(combination.ok_or_else(changed)?)));
            Ok(())
        })
    }

    /// Reads T: the rows of members, everybody of whom P has under the same identifier.
    fn read_members(&mut self, meter: &mut Meter) -> Result<(), PipelineError> {
        let Analysis { project, private, problem, .. } = self.rows;
        let needs_values = problem.policy().criteria().need_values();
        let sensitive: Vec<&str> =
            super::risk::sensitive_places(self.rows).map(|(_, column)| column).collect();
        let sensitive: Vec<&str> = if needs_values { sensitive } else { Vec::new() };
        let entity = project.private_column(self.entity);
        let wanted = std::iter::once(entity).chain(sensitive.iter().copied());
        let members = MemberColumns::new(self.rows, wanted);
        self.values = vec![FxHashMap::default(); sensitive.len()];
        let rows = self.rows;
        let publishers: Vec<Publisher> =
            sensitive.iter().map(|column| super::published::publisher(rows, column)).collect();
        super::find::visit_loaded(rows, private, &members.columns, meter, &mut |at, texts| {
            let Some((combination, _)) = members.combination(at, texts)? else { return Ok(()) };
            let refused = |column: &str, why: &str| Self::refused(private, at, column, why.to_owned());
            if texts[0].trim().is_empty() {
                return Err(refused(entity, BLANK));
            }
            let Some(&number) = self.numbers.get(texts[0]) else {
                return Err(refused(
                    entity,
                    "nobody in the public table has this identifier, so that nobody knows which of its people it is; write it as the \
                     public table does, or take the row out",
                ));
            };
            let changed = || DataError::Changed { path: private.file_of(at).to_owned() };
            let published = publishers.iter().zip(&texts[1..]).map(|(publisher, text)| publisher.text(text));
            let published: Vec<&str> = published.collect::<Option<_>>().ok_or_else(changed)?;
            for ((column, text), values) in sensitive.iter().zip(&published).zip(&self.values) {
                if values.get(&number).is_some_and(|known| known != text) {
                    return Err(refused(
                        column,
                        "an earlier row of this person has another value, but `l` and `t` under [policy] count one of each person; leave \
                         them out, or give each person one value",
                    ));
                }
            }
            for (text, values) in published.iter().zip(&mut self.values) {
                values.entry(number).or_insert_with(|| (*text).to_owned());
            }
            self.member_at.entry(number).or_insert(at);
            self.private.push((number, size::number(combination)));
            Ok(())
        })
    }

    fn refused(table: &Table, at: At, column: &str, why: String) -> PipelineError {
        let (path, column) = (table.file_of(at).to_owned(), column.to_owned());
        PipelineError::Entity { path, row: at.row, column, why }
    }

    /// Everybody, counted, with what is enforced; whoever is asked between says whether to go on.
    fn problem(
        &mut self,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<EntityProblem, PipelineError> {
        let (entities, members) = self.join(go_on)?;
        let problem = EntityProblem::new(&self.rows.problem, entities)?;
        if !problem.policy().criteria().need_values() {
            return Ok(problem);
        }
        let values = self.sensitive(problem.entities(), &members)?;
        let fits = problem.policy().criteria().fit(&values);
        fits.map_err(|error| PipelineError::Policy { path: self.rows.project.path.clone(), error })?;
        Ok(problem.with_sensitive(values))
    }

    /// Counts everybody, and for each member his combinations; T has to have of its people the rows that P has of them, combination by
    /// combination.
    fn join(
        &mut self,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(Entities, Members), PipelineError> {
        /// So many people are counted between two questions.
        const TOGETHER: usize = 1 << 16;
        let mut ask = || if go_on().is_break() { Err(PipelineError::Cancelled) } else { Ok(()) };
        ask()?;
        self.public.par_sort_unstable();
        ask()?;
        self.private.par_sort_unstable();
        let by_person = |rows: &'_ [(u32, u32)]| -> Members {
            let rows_of = |chunk: &[(u32, u32)]| chunk.iter().map(|&(_, combination)| combination).collect();
            rows.chunk_by(|left, right| left.0 == right.0).map(|chunk| (chunk[0].0, rows_of(chunk))).collect()
        };
        let members = by_person(&self.private);
        let mut others = members.iter().peekable();
        let mut counter = EntityCounter::default();
        for (place, rows) in self.public.chunk_by(|left, right| left.0 == right.0).enumerate() {
            if place.is_multiple_of(TOGETHER) {
                ask()?;
            }
            let number = rows[0].0;
            let rows: Vec<u32> = rows.iter().map(|&(_, combination)| combination).collect();
            let own = others.next_if(|(member, _)| *member == number);
            if let Some((_, own)) = own.filter(|(_, own)| *own != rows) {
                return Err(self.other_rows(number, own.len(), rows.len()));
            }
            counter.add(rows, own.is_some());
        }
        Ok((counter.finish(), members))
    }

    fn other_rows(&self, number: u32, own: usize, public: usize) -> PipelineError {
        let private = &self.rows.private;
        let rows = |count: usize| if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
        let found = if own == public {
            format!(
                "has {} here as in the public table, but with other values of quasi-identifiers",
                rows(own)
            )
        } else {
            format!("has {} here and {} in the public table", rows(own), public)
        };
        let why = format!(
            "the person of this row {found}; T has to hold its people with all of their rows as the public table has them, or nobody could \
             say who is like whom"
        );
        let column = self.rows.project.private_column(self.entity);
        let at = self.member_at.get(&number).copied();
        match at {
            Some(at) => Self::refused(private, at, column, why),
            None => DataError::Changed { path: private.path().to_owned() }.into(),
        }
    }

    /// The sensitive values of members, one of each.
    fn sensitive(
        &self,
        entities: &Entities,
        members: &[(u32, Vec<u32>)],
    ) -> Result<SensitiveValues, PipelineError> {
        let multisets: Vec<(u32, u32)> = members
            .iter()
            .map(|(number, rows)| {
                (*number, size::number(entities.find(rows).expect("a member is one of the people")))
            })
            .collect();
        let changed = || PipelineError::InputChanged { path: self.rows.private.path().to_owned() };
        let column = |(place, values): (_, &FxHashMap<u32, String>)| {
            let mut interned = Interned::default();
            for (number, multiset) in &multisets {
                interned.add(*multiset, values.get(number).ok_or_else(changed)?, 1);
            }
            super::risk::finish(self.rows, place, interned)
        };
        let columns: Vec<_> = std::iter::zip(super::risk::sensitive_places(self.rows), &self.values)
            .map(column)
            .collect::<Result<_, PipelineError>>()?;
        let (columns, mut values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let with_members = (0..).zip(entities.counts()).filter(|(_, counts)| counts.private > 0);
        let mut of = Vec::new();
        for (multiset, _) in with_members {
            of.push((multiset, values_of(&mut values, multiset).ok_or_else(changed)?));
        }
        Ok(SensitiveValues::new(columns, of))
    }
}

/// Why a row without an identifier is refused.
const BLANK: &str =
    "there is no identifier, so that nobody knows whose row it is; fill it in, or take the row out";
