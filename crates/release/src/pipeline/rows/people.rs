//! Reads both tables by person: the person of each row, and the combinations of each person.
//!
//! The tables are first loaded by row, which gives the hierarchies and the combinations. This
//! module reads them again, and converts the problem of rows to a problem of people.

use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use rayon::slice::ParallelSliceMut;
use rustc_hash::FxHashMap;

use crate::pipeline::read::stage::{self, LoadObserver, LoadStage};
use crate::pipeline::rows::find;
use crate::pipeline::rows::members::MemberColumns;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Code, People, PeopleCounter, Problem, size};
use palmtop_core::progress::Meter;
use palmtop_core::words::plural;
use palmtop_project::Attribute;
use palmtop_tables::alike::bare;
use palmtop_tables::encode::Whose;
use palmtop_tables::error::DataError;
use palmtop_tables::position::At;

/// The problem of a loaded project, counted in people. `entity` is the attribute that identifies
/// them.
///
/// # Errors
/// - [`PipelineError::Located`] with the row of a person of P or T who cannot be counted.
/// - [`PipelineError::Cancelled`] if the observer stops the reading.
pub(in crate::pipeline) fn counted(
    rows: &Analysis,
    entity: &Attribute,
    observer: &mut LoadObserver,
) -> Result<Problem, PipelineError> {
    let (of_public, of_private) = (rows.public.size(), rows.private.size());
    stage::metered(observer, LoadStage::People, of_public + of_private, |meter| {
        let mut reader = PeopleReader::new(rows, entity);
        reader.read_public(meter)?;
        reader.read_members(&mut |done| meter(of_public + done))?;
        let people = reader.join(&mut || meter(of_public + of_private))?;
        Ok(rows.problem.with_people(people)?)
    })
}

/// Rephrases an error about rows, so that it does not call a row a person.
pub(in crate::pipeline) fn in_rows(error: PipelineError) -> PipelineError {
    match error {
        PipelineError::Data(DataError::NotInPublic(found)) => LocatedError::new(format!(
            "{} of its rows are not in the public table, or less often there, such as row {} (header not counted): people have several \
             rows in this project, and the public table must have all rows of every person in T",
            found.excess.people,
            found.excess.rows.first().map(ToString::to_string).unwrap_or_default(),
        ))
        .in_file(&found.excess.private)
        .remedy("correct these rows, or remove these people")
        .into(),
        error => error,
    }
}

/// The number of each member in ascending order, with the sorted combinations of the member's rows.
type Members = Vec<(u32, Vec<u32>)>;

/// The rows of both tables by person.
struct PeopleReader<'a> {
    rows: &'a Analysis,
    entity: &'a Attribute,
    /// The number of each person of P.
    numbers: FxHashMap<String, u32>,
    first: Vec<At>,
    /// The person and the combination of each row of P.
    public: Vec<(u32, u32)>,
    /// The person and the combination of each row of T.
    private: Vec<(u32, u32)>,
    /// The position of each member's first row in T.
    member_at: FxHashMap<u32, At>,
}

impl<'a> PeopleReader<'a> {
    fn new(rows: &'a Analysis, entity: &'a Attribute) -> Self {
        Self {
            rows,
            entity,
            numbers: FxHashMap::default(),
            first: Vec::new(),
            public: Vec::new(),
            private: Vec::new(),
            member_at: FxHashMap::default(),
        }
    }

    /// Reads all rows of P. Refuses two spellings of an identifier, because they would count one
    /// person twice.
    fn read_public(&mut self, meter: &mut Meter) -> Result<(), PipelineError> {
        let Analysis { project, problem, encoder, public, .. } = self.rows;
        let quasi = project.quasi().map(|(attribute, _)| attribute.public_column.as_str());
        let columns: Vec<&str> = std::iter::once(self.entity.public_column.as_str()).chain(quasi).collect();
        let mut alike: FxHashMap<String, u32> = FxHashMap::default();
        let rows = self.rows;
        let cells = encoder.cells(Whose::Public);
        find::visit_loaded(rows, public, &columns, meter, &mut |at, texts| {
            let (text, column) = (texts[0], self.entity.public_column.as_str());
            let refused = |why: String| PipelineError::from(public.refused(at, column, why));
            let number = match self.numbers.get(text) {
                Some(number) => *number,
                None if text.trim().is_empty() => return Err(refused(BLANK.to_owned())),
                None => {
                    let number = u32::try_from(self.numbers.len());
                    let number = number.map_err(|_| refused("more people than can be counted".to_owned()))?;
                    match alike.entry(bare(text)) {
                        Entry::Occupied(other) => {
                            let first = public.position(self.first[*other.get() as usize]);
                            return Err(refused(format!(
                                "this differs from what {first} has only by what changes nothing (spaces, zeros before a number, `.0`), so \
                                 that one person would be counted as two; write it in one way"
                            )));
                        }
                        Entry::Vacant(vacant) => drop(vacant.insert(number)),
                    }
                    self.numbers.insert(text.to_owned(), number);
                    self.first.push(at);
                    number
                }
            };
            let codes = (0..).zip(&texts[1..]).map(|(nth, text)| cells.code(nth, text));
            let codes: Option<Vec<Code>> = codes.collect();
            let combination = codes.and_then(|codes| problem.histogram().find(&codes));
            let changed = || DataError::changed(public.file_of(at));
            self.public.push((number, size::number(combination.ok_or_else(changed)?)));
            Ok(())
        })
    }

    /// Reads the rows of T. P must have each member under the same identifier.
    fn read_members(&mut self, meter: &mut Meter) -> Result<(), PipelineError> {
        let Analysis { project, private, .. } = self.rows;
        let entity = project.private_column(self.entity);
        let members = MemberColumns::new(self.rows, [entity]);
        let rows = self.rows;
        find::visit_loaded(rows, private, &members.columns, meter, &mut |at, texts| {
            let Some((combination, _)) = members.combination(at, texts)? else { return Ok(()) };
            let refused = |why: &str| PipelineError::from(private.refused(at, entity, why));
            if texts[0].trim().is_empty() {
                return Err(refused(BLANK));
            }
            let Some(&number) = self.numbers.get(texts[0]) else {
                return Err(refused(
                    "nobody in the public table has this identifier, so that nobody knows which of its people it is; write it as the \
                     public table does, or take the row out",
                ));
            };
            self.member_at.entry(number).or_insert(at);
            self.private.push((number, size::number(combination)));
            Ok(())
        })
    }

    /// Counts all people. For each member, T must have the same rows as P, combination by
    /// combination.
    fn join(&mut self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<People, PipelineError> {
        /// The number of people that are counted between two calls of `go_on`.
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
        let mut counter = PeopleCounter::default();
        for (index, rows) in self.public.chunk_by(|left, right| left.0 == right.0).enumerate() {
            if index.is_multiple_of(TOGETHER) {
                ask()?;
            }
            let number = rows[0].0;
            let rows: Vec<u32> = rows.iter().map(|&(_, combination)| combination).collect();
            let in_private = others.next_if(|(member, _)| *member == number);
            if let Some((_, in_private)) = in_private.filter(|(_, in_private)| *in_private != rows) {
                return Err(self.other_rows(number, in_private.len(), rows.len()));
            }
            counter.add(rows, in_private.is_some());
        }
        Ok(counter.finish())
    }

    fn other_rows(&self, number: u32, in_private: usize, public: usize) -> PipelineError {
        let private = &self.rows.private;
        let rows = |count: usize| plural(count as u64, "row");
        let found = if in_private == public {
            format!(
                "has {} here as in the public table, but with other values of quasi-identifiers",
                rows(in_private)
            )
        } else {
            format!("has {} here and {} in the public table", rows(in_private), public)
        };
        let why = format!(
            "the person of this row {found}; T must have all rows of each of its people, with the values that the public table has"
        );
        let column = self.rows.project.private_column(self.entity);
        let at = self.member_at.get(&number).copied();
        match at {
            Some(at) => private.refused(at, column, why).into(),
            None => DataError::changed(private.path()).into(),
        }
    }
}

/// The reason for refusing a row without an identifier.
const BLANK: &str =
    "there is no identifier, so that nobody knows whose row it is; fill it in, or take the row out";
