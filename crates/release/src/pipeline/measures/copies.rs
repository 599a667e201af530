//! Rows of P that stand there again: copies of T's people that were added to P.

use rustc_hash::FxHashMap;
use std::hash::{BuildHasher, RandomState};

use crate::pipeline::rows::find;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::Code;
use palmtop_core::progress::Meter;
use palmtop_tables::encode::Whose;

/// Fewer rows may be repeated by chance.
const LEAST: u64 = 5;
/// A larger P is not searched: it is kept reduced, and not read again.
const MOST_ROWS: u64 = 1_000_000;

/// Rows of P that occur several times, nearly all of them with the quasi-identifiers of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The different rows that occur several times.
    pub rows: u64,
    /// How often such a row occurs: the least and the greatest number.
    pub times: (u64, u64),
    /// Those that have the quasi-identifiers of a member.
    pub of_members: u64,
}

/// The repeated rows of P, if nearly all have the quasi-identifiers of members, more than chance
/// explains, and few rows are repeated: at most as many as T has. `None` without columns that are no
/// quasi-identifiers, if P has counts, or if P is larger than `MOST_ROWS`.
///
/// # Errors
/// A [`PipelineError`] if P cannot be read or has changed, or if the meter stops the reading.
pub fn of_public(analysis: &Analysis, meter: &mut Meter) -> Result<Option<Copies>, PipelineError> {
    let (project, public) = (&analysis.project, &analysis.public);
    let has_rows =
        project.count_column().is_none() && project.member().is_none() && project.public.source.is_none();
    let has_spare = analysis.notes.unused.iter().any(|column| public.is_readable(column));
    let is_person = project.entity().is_none() && project.one_row().is_none();
    if !has_rows || !has_spare || !is_person || analysis.public_rows > MOST_ROWS {
        return Ok(None);
    }
    let mut columns: Vec<&str> =
        project.quasi().map(|(attribute, _)| attribute.public_column.as_str()).collect();
    let quasi = columns.len();
    columns
        .extend(analysis.notes.unused.iter().map(String::as_str).filter(|column| public.is_readable(column)));
    let state = RandomState::new();
    let mut hashes: Vec<u64> = Vec::new();
    find::visit_loaded(analysis, public, &columns, meter, &mut |_, texts| {
        hashes.push(state.hash_one(texts));
        Ok(())
    })?;
    hashes.sort_unstable();
    let runs = hashes.chunk_by(|one, next| one == next).filter(|run| run.len() > 1);
    let mut repeated: FxHashMap<u64, (u64, bool)> =
        runs.map(|run| (run[0], (run.len() as u64, false))).collect();
    let rows = repeated.len() as u64;
    drop(hashes);
    if rows < LEAST || rows > analysis.private_rows {
        return Ok(None);
    }
    let (histogram, cells) = (analysis.problem.histogram(), analysis.encoder.cells(Whose::Public));
    find::visit_loaded(analysis, public, &columns, meter, &mut |_, texts| {
        if let Some((_, is_of_member)) = repeated.get_mut(&state.hash_one(texts)) {
            let codes: Option<Vec<Code>> = (0..quasi).map(|nth| cells.code(nth, texts[nth])).collect();
            let found = codes.and_then(|codes| histogram.find(&codes));
            *is_of_member = found.is_some_and(|found| histogram.counts()[found].private > 0);
        }
        Ok(())
    })?;
    let of_members = repeated.values().filter(|(_, is_of_member)| *is_of_member).count() as u64;
    let times =
        |of: &dyn Fn(u64, u64) -> u64| repeated.values().map(|(times, _)| *times).reduce(of).unwrap_or(0);
    let copies = Copies { rows, times: (times(&u64::min), times(&u64::max)), of_members };
    Ok(Some(copies).filter(|copies| copies.is_no_chance(analysis)))
}

impl Copies {
    /// Whether the repeated rows have members' quasi-identifiers more often than other rows of P.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn is_no_chance(self, analysis: &Analysis) -> bool {
        let counts = analysis.problem.histogram().counts();
        let all: u64 = counts.iter().map(|counts| counts.public).sum();
        let of_members: u64 =
            counts.iter().filter(|counts| counts.private > 0).map(|counts| counts.public).sum();
        let share = of_members as f64 / all as f64;
        let chance = self.rows as f64 * share;
        let is_nearly_all = self.of_members * 20 >= self.rows * 19;
        is_nearly_all && self.of_members as f64 > chance + 3.0 * (chance * (1.0 - share)).sqrt()
    }
}
