//! Tables without settings: opened, surveyed, with the assumptions that were needed to read them.

use std::ops::ControlFlow;

use crate::sources::listed::TableRows;
use crate::sources::survey::Survey;
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::error::doubts::Doubts;
use palmtop_tables::error::{DataError, NotUtf8};
use palmtop_tables::read::{Candidate, Encoding, Listed, Table, TableSpec, candidates};
use palmtop_tables::trial;

/// A table with its survey.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The rows of the table.
    pub table: TableRows,
    /// The result of one pass over the table.
    pub survey: Survey,
    /// What was assumed to read it: the encoding, where the names are, which rows are people.
    pub assumed: Vec<Ambiguity>,
}

/// The most assumptions about one table.
const MOST_ASSUMED: usize = 12;

impl Opened {
    /// Opens a table and surveys it. Text that is not UTF-8, while no encoding is set, and rows that may be no people are read as
    /// the decisions say, else as is most likely. The project then says so, and [`assumed`](Self::assumed) has each question. An
    /// encoding is most likely that of the table beside this one.
    ///
    /// # Errors
    /// A [`DataError`] with file and line if the table cannot be read; [`DataError::Cancelled`] if
    /// `progress`, which gets the number of read bytes and of all bytes, stops the work.
    pub fn read(
        spec: &TableSpec,
        (which, beside): (&'static str, Option<Encoding>),
        decisions: &Decisions,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Self, DataError> {
        trial::check_files(spec)?;
        let mut surveyed = |spec: &TableSpec| {
            let table = Table::open(spec)?;
            let total = table.size();
            // A small table is read before the first report of progress.
            if progress(0, total).is_break() {
                return Err(DataError::Cancelled);
            }
            let survey = Survey::of(&table, which, &mut |done| progress(done, total))?;
            Ok((table, survey))
        };
        let (mut spec, mut assumed, mut not_utf8) = (spec.clone(), Vec::new(), None);
        let mut rounds = 0;
        loop {
            match surveyed(&spec) {
                Ok((table, survey)) => return Ok(Self { table: TableRows::Files(table), survey, assumed }),
                Err(DataError::NotUtf8(wrong)) if spec.encoding.is_none() => {
                    let found = candidates(&spec.paths, beside)?;
                    assumed.extend(settle_encoding(&wrong, &found, which == "private", decisions, &mut spec));
                    if spec.encoding.is_none() {
                        return Err(DataError::NotUtf8(wrong));
                    }
                    not_utf8 = Some(wrong);
                }
                Err(DataError::Doubts(doubts)) if rounds < MOST_ASSUMED => {
                    rounds += 1;
                    assumed.extend(settle(&doubts, which == "private", decisions, &mut spec));
                }
                Err(error @ DataError::Cancelled) => return Err(error),
                Err(error) => {
                    return Err(not_utf8.map_or_else(|| with_option(error, which), DataError::NotUtf8));
                }
            }
        }
    }

    /// Surveys a table in memory.
    ///
    /// # Errors
    /// A [`DataError`] if the table has no rows.
    pub fn of_listed(listed: Listed, which: &'static str) -> Result<Self, DataError> {
        let survey = Survey::of_listed(&listed, which)?;
        Ok(Self { table: TableRows::Listed(listed), survey, assumed: Vec::new() })
    }
}

/// The same error; if a key of the project mends it, with the option that stands for the key.
fn with_option(error: DataError, which: &str) -> DataError {
    let DataError::Located(error) = error else { return error };
    let text = error.to_string();
    let is_named = |key: &&str| text.contains(&format!("`{key}`")) || text.contains(&format!("`{key} = "));
    let Some(key) = palmtop_project::TABLE_KEYS.into_iter().find(is_named) else { return error.into() };
    let option = format!("before there is a project, give `--set {which}.{key}=…`");
    let remedy = error.advice().map_or_else(|| option.clone(), |remedy| format!("{remedy}; {option}"));
    error.remedy(remedy).into()
}

/// Reads the text as it was decided, else in the likeliest encoding; then it is a question, if there is another.
fn settle_encoding(
    wrong: &NotUtf8,
    found: &[Candidate],
    of_private: bool,
    decisions: &Decisions,
    spec: &mut TableSpec,
) -> Option<Ambiguity> {
    const KEY: &str = "encoding";
    let decided = decisions.last(|decision| match decision {
        Decision::Rows { of_private: other, key: KEY, value } if *other == of_private => value.parse().ok(),
        _ => None,
    });
    if decided.is_some() {
        spec.encoding = decided;
        return None;
    }
    let first = found.first()?;
    spec.encoding = Some(first.encoding);
    let reads = |candidate: &Candidate| {
        let texts: Vec<String> = candidate.texts.iter().map(|text| format!("{text:?}")).collect();
        format!("{} ({})", candidate.encoding, texts.join(", "))
    };
    // Only the answers show values of T.
    let named =
        |candidate: &Candidate| if of_private { candidate.encoding.to_string() } else { reads(candidate) };
    let others: Vec<String> = found[1..].iter().map(named).collect();
    let part = if of_private { "private" } else { "public" };
    let others = match others.as_slice() {
        [] => "if values with accents are wrong, write its encoding".to_owned(),
        others => format!("if that is wrong, write another one, such as {},", others.join(" or ")),
    };
    let path = wrong.path.file_name().unwrap_or_default().to_string_lossy();
    let choice = |candidate: &Candidate| Choice {
        label: reads(candidate),
        decision: Decision::Rows { of_private, key: KEY, value: candidate.encoding.to_string() },
    };
    Some(Ambiguity {
        attribute: None,
        what: format!("{path} is not UTF-8 (line {}), and is read as {}", wrong.line, named(first)),
        remedy: format!("{others} under [{part}]: `encoding = \"…\"`"),
        choices: if found.len() > 1 { found.iter().map(choice).collect() } else { Vec::new() },
    })
}

/// Reads rows that may be no people as it was decided, else as is most likely; then it is a question.
fn settle(
    doubts: &Doubts,
    of_private: bool,
    decisions: &Decisions,
    spec: &mut TableSpec,
) -> Option<Ambiguity> {
    let decision =
        |key: &'static str, value: &str| Decision::Rows { of_private, key, value: value.to_owned() };
    let answers = doubts.answers();
    let decided =
        answers.iter().find(|(_, key, value)| decisions.made().any(|made| *made == decision(key, value)));
    let (meaning, key, value) = decided.or(answers.first())?;
    // The answers are values of their keys.
    let _ = palmtop_project::set_rows(spec, key, value);
    if decided.is_some() {
        return None;
    }
    let file = doubts.file().file_name().unwrap_or_default().to_string_lossy();
    let others = answers[1..].iter().map(|(meaning, key, value)| format!("`{key} = {value}` if {meaning}"));
    let part = if of_private { "private" } else { "public" };
    Some(Ambiguity {
        attribute: None,
        what: format!("{file}: {}; taken as: {meaning} (`{key} = {value}`)", doubts.lines().join("; ")),
        remedy: format!("write under [{part}] {}", others.collect::<Vec<_>>().join(", or ")),
        choices: answers
            .iter()
            .map(|(meaning, key, value)| Choice {
                label: (*meaning).to_owned(),
                decision: decision(key, value),
            })
            .collect(),
    })
}
