//! The rows of T's file as people of combinations.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::{Code, size};
use palmtop_tables::encode::{CellCodes, Whose};
use palmtop_tables::error::DataError;
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::position::At;

/// The columns to read from T's file: the wanted ones, then those of membership and of the count of
/// people.
pub(in crate::pipeline) struct MemberColumns<'a> {
    analysis: &'a Analysis,
    cells: CellCodes<'a>,
    /// All columns that are read, the wanted ones first.
    pub(in crate::pipeline) columns: Vec<&'a str>,
    /// The positions of the quasi-identifiers in `columns`.
    pub(in crate::pipeline) quasi_positions: Vec<usize>,
    weight_position: Option<usize>,
    member_position: Option<usize>,
}

/// Numbers people by their identifiers, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Persons(FxHashMap<String, u32>);

impl Persons {
    /// The number of the person with this identifier.
    pub(in crate::pipeline) fn number(&mut self, identifier: &str) -> u32 {
        self.0.get(identifier).copied().unwrap_or_else(|| {
            let next = size::number(self.0.len());
            self.0.insert(identifier.to_owned(), next);
            next
        })
    }
}

/// Whether a text of a column occurs for the first time for its person.
///
/// A person with several rows has each text once, even if several rows repeat it. Without an
/// entity, every row is a person, and every text is the first.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct FirstTexts {
    persons: Persons,
    known: FxHashSet<(usize, u32, String)>,
}

impl FirstTexts {
    pub(in crate::pipeline) fn is_first(
        &mut self,
        column: usize,
        identifier: Option<&str>,
        text: &str,
    ) -> bool {
        identifier.is_none_or(|identifier| {
            let person = self.persons.number(identifier);
            self.known.insert((column, person, text.to_owned()))
        })
    }
}

impl<'a> MemberColumns<'a> {
    /// Reads the `wanted` columns of T. They may include quasi-identifiers.
    pub(in crate::pipeline) fn new(
        analysis: &'a Analysis,
        wanted: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let project = &analysis.project;
        let member = project.member_column();
        let weight = project.count_column().filter(|_| member.is_some());
        let quasi: Vec<&str> =
            project.quasi().map(|(attribute, _)| project.private_column(attribute)).collect();
        let mut columns: Vec<&str> = wanted.into_iter().collect();
        let mut position = |column: &'a str| {
            columns.iter().position(|known| *known == column).unwrap_or_else(|| {
                columns.push(column);
                columns.len() - 1
            })
        };
        let quasi_positions = quasi.into_iter().map(&mut position).collect();
        let weight_position = weight.map(&mut position);
        let member_position = member.map(&mut position);
        let cells = analysis.encoder.cells(Whose::Private);
        Self { analysis, cells, columns, quasi_positions, weight_position, member_position }
    }

    /// The position of a column among those that are read.
    ///
    /// # Errors
    /// [`PipelineError::Located`] if the column is not read.
    pub(in crate::pipeline) fn position(&self, column: &str) -> Result<usize, PipelineError> {
        let position = self.columns.iter().position(|known| *known == column);
        position.ok_or_else(|| PipelineError::not_read(self.analysis.private.path(), column))
    }

    /// The combination of a row, and its number of members of T. `None` if the row has no member,
    /// or if its people are left out.
    ///
    /// # Errors
    /// A [`DataError`] if the file differs from the loaded one.
    pub(in crate::pipeline) fn combination(
        &self,
        at: At,
        texts: &[&str],
    ) -> Result<Option<(usize, u64)>, PipelineError> {
        let Analysis { project, problem, .. } = self.analysis;
        let changed = || DataError::changed(self.analysis.private.file_of(at));
        if let (Some(member), Some(position)) = (project.member(), self.member_position)
            && member.is_member(texts[position]) != Some(true)
        {
            return Ok(None);
        }
        let people = match (&project.public.count, self.weight_position) {
            (Some(count), Some(position)) => count.people(texts[position]).ok_or_else(changed)?,
            _ => 1,
        };
        if people == 0 {
            return Ok(None);
        }
        let positions = self.quasi_positions.iter();
        let codes = (0..).zip(positions).map(|(nth, &position)| self.cells.code(nth, texts[position]));
        let codes: Vec<Code> = codes.collect::<Option<_>>().ok_or_else(changed)?;
        let histogram = problem.histogram();
        let is_member = |combination: &usize| histogram.counts()[*combination].private > 0;
        match histogram.find(&codes).filter(is_member) {
            Some(combination) => Ok(Some((combination, people))),
            None if project.outsiders == OutsiderRule::Drop => Ok(None),
            None => Err(changed().into()),
        }
    }
}

/// The column of T that identifies the person of a row; `None` if each row is a person.
pub(in crate::pipeline) fn entity_column(analysis: &Analysis) -> Option<&str> {
    analysis.project.entity().map(|entity| analysis.project.private_column(entity))
}
