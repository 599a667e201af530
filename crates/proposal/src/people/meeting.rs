//! T compared with P in a second pass: the people of T who are not in P, duplicate rows of P, and the share of T in P.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::decision::NEVER;
use crate::people::betrayals::{self, Betrayer, NOBODY, PrivateColumns, PublicColumns};
use crate::people::identified::Candidate;
use crate::people::persons::{Once, Repeated};
use crate::sources::listed::TableRows;
use crate::values::reading::Reading;
use crate::words::{rows, shown};
use crate::{Ambiguity, Choice, Decision, Decisions, DeltaOrigin, NotInPublic, Proposal, ProposedAttribute};
use palmtop_core::model::{Presence, Role};
use palmtop_core::progress::Meter;
use palmtop_tables::error::DataError;
use palmtop_tables::weight::{CountColumn, MemberColumn};
use palmtop_tables::written::is_word_for_no_value;

/// The results of the second pass over both tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The number of P's rows.
    pub public_rows: u64,
    /// The number of P's people, by the proposed count.
    pub people: u64,
    /// The number of members of T.
    pub members: u64,
    /// The number of P's distinct combinations of quasi-identifiers.
    pub combinations: usize,
    /// The number of members with a combination that T has more often than P.
    pub missing: u64,
    /// The first rows of these members, from 1, without the header.
    pub missing_rows: Vec<u64>,
    /// The value that explains most of these rows, because P does not have it.
    pub(crate) stranger: Option<Stranger>,
    /// The columns that only T has and that reveal a quasi-identifier.
    pub(crate) betrayers: Vec<Betrayer>,
    /// For each identifier that several rows have, its rows in P and in T.
    pub(crate) repeated: Vec<[Repeated; 2]>,
}

/// A value that P does not have and that explains half or more of the missing members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stranger {
    /// The name of the attribute.
    attribute: String,
    /// The value, if it is a usual word for a missing value; else `None`.
    word: Option<String>,
    /// The number of missing members with this value.
    members: u64,
}

/// A value of fewer missing members is not an explanation.
const MANY: u64 = 5;
/// The greatest number of listed rows.
const LISTED: usize = 10;

/// The people of a combination, and the rows of T that have it.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// The number of the combination in P.
    number: u32,
    public: u64,
    private: u64,
    rows: Vec<u64>,
}

/// Numbers for the values of one attribute, for both tables.
#[derive(Debug, Default)]
struct Codes {
    of_value: FxHashMap<Option<String>, u32>,
}

impl Codes {
    /// The values by their numbers; a missing value is the empty text.
    fn texts(self) -> Vec<String> {
        let mut texts: Vec<(u32, Option<String>)> =
            self.of_value.into_iter().map(|(value, code)| (code, value)).collect();
        texts.sort_unstable();
        texts.into_iter().map(|(_, value)| value.unwrap_or_default()).collect()
    }

    fn code(&mut self, value: Option<String>) -> u32 {
        // A column has at most as many values as rows, which fit in 32 bits.
        let next = u32::try_from(self.of_value.len()).expect("fewer values than 32 bits can number");
        *self.of_value.entry(value).or_insert(next)
    }
}

impl Meeting {
    /// Reads both tables again; `private` is `None` if T is a part of P.
    ///
    /// # Errors
    /// A [`DataError`] if a table cannot be read; [`DataError::Cancelled`] if the meter stops the work.
    pub fn of(
        proposal: &Proposal,
        public: &TableRows,
        private: Option<&TableRows>,
        meter: &mut Meter,
    ) -> Result<Self, DataError> {
        let quasi: Vec<&ProposedAttribute> =
            proposal.attributes.iter().filter(|attribute| attribute.role == Role::Quasi).collect();
        let mut codes: Vec<Codes> = quasi.iter().map(|_| Codes::default()).collect();
        let mut cells: FxHashMap<Vec<u32>, Cell> = FxHashMap::default();
        let mut meeting = Self::default();
        let count = proposal
            .count
            .as_ref()
            .map(|column| CountColumn { number: proposal.count_number, ..CountColumn::of(column) });
        let member =
            proposal.member.as_ref().map(|column| MemberColumn { column: column.clone(), is: Vec::new() });

        let mut columns: Vec<&str> =
            quasi.iter().filter_map(|attribute| attribute.public_column.as_deref()).collect();
        let width = columns.len();
        columns.extend(count.as_ref().map(|count| count.column.as_str()));
        columns.extend(member.as_ref().map(|member| member.column.as_str()));
        let others = PrivateColumns::of(proposal, width);
        let mut spare = PublicColumns::of(proposal, &others);
        let first_spare = columns.len();
        columns.extend(spare.names());
        let (watched, once) = Watched::of(proposal, false);
        columns.extend(watched.names());
        let specials = columns.len();
        columns.extend(once.as_deref());
        let mut people_once = Once::default();
        let mut row = 0;
        meeting.repeated = vec![Default::default(); proposal.candidates.len()];
        let mut seen = vec![FxHashMap::default(); width];
        public.visit(&columns, meter, &mut |texts| {
            row += 1;
            if once.is_some() && !people_once.counts(texts[specials]) {
                return Ok(());
            }
            meeting.public_rows += 1;
            let mut special = texts[width..].iter();
            let people = count.as_ref().and_then(|count| count.people(special.next()?)).unwrap_or(1);
            let is_member =
                member.as_ref().and_then(|member| member.is_member(special.next()?)).unwrap_or(false);
            let readings = quasi.iter().map(|attribute| &attribute.readings.0);
            let next = u32::try_from(cells.len()).unwrap_or(NOBODY);
            let combination = combination(&texts[..width], readings, &mut seen, &mut codes);
            watched.add(&mut meeting.repeated, row, number_of(&combination), &texts[..specials]);
            let cell = cells.entry(combination).or_insert_with(|| Cell { number: next, ..Cell::default() });
            cell.public += people;
            spare.push(&texts[first_spare..], cell.number);
            meeting.people += people;
            meeting.members += if is_member { people } else { 0 };
            Ok(())
        })?;
        meeting.combinations = cells.len();
        let known: Vec<usize> = codes.iter().map(|codes| codes.of_value.len()).collect();
        meeting.meet_private(proposal, (private, others, &spare), meter, (&quasi, codes), (cells, &known))?;
        Ok(meeting)
    }

    /// Reads T, and counts the members who are not in P. `known` has the number of P's values of each quasi-identifier; these values have
    /// the first numbers.
    fn meet_private(
        &mut self,
        proposal: &Proposal,
        (private, mut others, spare): (Option<&TableRows>, PrivateColumns, &PublicColumns),
        meter: &mut Meter,
        (quasi, mut codes): (&[&ProposedAttribute], Vec<Codes>),
        (mut cells, known): (FxHashMap<Vec<u32>, Cell>, &[usize]),
    ) -> Result<(), DataError> {
        let width = quasi.len();
        let mut missing: Vec<u64> = Vec::new();
        let Some(private) = private else { return Ok(()) };
        let mut columns: Vec<&str> =
            quasi.iter().filter_map(|attribute| attribute.private_column.as_deref()).collect();
        let names = others.names.clone();
        columns.extend(names.iter().map(String::as_str));
        let kept = proposal.attributes.iter().filter(|attribute| attribute.role.is_kept());
        let first_kept = columns.len();
        columns.extend(kept.filter_map(|attribute| attribute.private_column.as_deref()));
        let kept = first_kept..columns.len();
        let (watched, once) = Watched::of(proposal, true);
        columns.extend(watched.names());
        let specials = columns.len();
        columns.extend(once.as_deref());
        let mut people_once = Once::default();
        let mut number = 0;
        let mut seen = vec![FxHashMap::default(); width];
        private.visit(&columns, meter, &mut |texts| {
            number += 1;
            if once.is_some() && !people_once.counts(texts[specials]) {
                return Ok(());
            }
            self.members += 1;
            let readings = quasi.iter().map(|attribute| &attribute.readings.1);
            let row = combination(texts, readings, &mut seen, &mut codes);
            let agreeing = number_of((&row, &texts[kept.clone()]));
            watched.add(&mut self.repeated, number, agreeing, &texts[..specials]);
            let known = cells.get(&row).map_or(NOBODY, |cell| cell.number);
            others.push(&texts[width..], &row, known);
            let cell = cells.entry(row).or_insert_with(|| Cell { number: NOBODY, ..Cell::default() });
            cell.private += 1;
            cell.rows.push(number);
            Ok(())
        })?;
        let mut strangers: FxHashMap<(usize, u32), u64> = FxHashMap::default();
        for (row, cell) in cells.into_iter().filter(|(_, cell)| cell.private > cell.public) {
            for (nth, &code) in row.iter().enumerate().filter(|(nth, code)| **code as usize >= known[*nth]) {
                *strangers.entry((nth, code)).or_default() += cell.private;
            }
            missing.extend(cell.rows);
        }
        missing.sort_unstable();
        self.missing = missing.len() as u64;
        missing.truncate(LISTED);
        self.missing_rows = missing;
        let texts: Vec<(Vec<String>, Option<u32>)> = codes
            .into_iter()
            .map(|codes| {
                let no_value = codes.of_value.get(&None).copied();
                (codes.texts(), no_value)
            })
            .collect();
        // If several values explain equally many rows, the least one, so that the result does not depend on the order of a map.
        let most = strangers.into_iter().max_by_key(|(key, members)| (*members, std::cmp::Reverse(*key)));
        let most = most.filter(|(_, members)| members * 2 >= self.missing && *members >= MANY);
        self.stranger = most.map(|((nth, code), members)| Stranger {
            attribute: quasi[nth].name.clone(),
            word: Some(texts[nth].0[code as usize].clone()).filter(|text| is_word_for_no_value(text)),
            members,
        });
        let known = quasi.iter().zip(texts);
        self.betrayers = others.find(
            known.map(|(attribute, (texts, no_value))| (attribute.name.as_str(), texts, no_value)),
            spare,
        );
        Ok(())
    }
}

/// The columns of one table with identifiers that several rows have.
struct Watched<'a> {
    columns: Vec<(usize, &'a str)>,
    is_private: bool,
}

impl<'a> Watched<'a> {
    /// These columns, and the column by which one row of each person counts.
    fn of(proposal: &'a Proposal, is_private: bool) -> (Self, Option<String>) {
        let column = |(nth, candidate): (usize, &'a Candidate)| {
            Some((nth, candidate.columns[usize::from(is_private)].as_deref()?))
        };
        let columns = proposal.candidates.iter().enumerate().filter_map(column).collect();
        (Self { columns, is_private }, proposal.counted_once(is_private))
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.columns.iter().map(|(_, column)| *column)
    }

    /// Adds a row, whose last texts are those of the columns.
    fn add(&self, repeated: &mut [[Repeated; 2]], row: u64, combination: u64, texts: &[&str]) {
        let texts = &texts[texts.len() - self.columns.len()..];
        for ((candidate, _), text) in self.columns.iter().zip(texts) {
            repeated[*candidate][usize::from(self.is_private)].add(row, combination, text);
        }
    }
}

/// A hash of a row's values.
fn number_of(values: impl std::hash::Hash) -> u64 {
    FxBuildHasher.hash_one(values)
}

impl Stranger {
    /// The question about the explanation, with the remedy.
    fn sentence(&self) -> String {
        let Self { attribute, word, members } = self;
        let value = match word {
            Some(word) if word.is_empty() => "an empty text".to_owned(),
            Some(word) => format!("the text {word:?}"),
            None => "one text".to_owned(),
        };
        format!(
            "{value} of `{attribute}` that P does not have explains {members} of them: if it means a missing value, answer so in the \
             question about `{attribute}`, or list it in `missing` of the attribute"
        )
    }
}

/// The numbers of a row's values.
fn combination<'a>(
    texts: &[&str],
    readings: impl Iterator<Item = &'a Reading>,
    seen: &mut [FxHashMap<String, u32>],
    codes: &mut [Codes],
) -> Vec<u32> {
    let mut row = Vec::with_capacity(texts.len());
    for (((seen, codes), text), reading) in seen.iter_mut().zip(codes).zip(texts).zip(readings) {
        let known = seen.get(*text).copied();
        row.push(known.unwrap_or_else(|| {
            let code = codes.code(reading.canonical(text));
            seen.insert((*text).to_owned(), code);
            code
        }));
    }
    row
}

impl Proposal {
    /// Adds the results of the second pass to the proposal: the count column, people of T who are not in P, and an initial δ.
    pub fn settle(&mut self, meeting: &Meeting, decisions: &Decisions) {
        let people = self.settle_count(meeting, decisions);
        self.settle_persons(&meeting.repeated, decisions);
        self.settle_missing(meeting, decisions);
        betrayals::settle(self, &meeting.betrayers);
        self.settle_delta(meeting.members, people, decisions);
        self.offer_withholding();
    }

    /// Each question about a column has the answer never to publish it, which needs nothing else of the project.
    fn offer_withholding(&mut self) {
        for open in self.ambiguities.iter_mut().filter(|open| open.is_asked()) {
            let Some(name) = &open.attribute else { continue };
            let is_known = self.attributes.iter().any(|attribute| attribute.name == *name);
            let never = Choice::role(name, Role::Withheld, NEVER);
            if is_known && open.choices.iter().all(|choice| choice.decision != never.decision) {
                open.choices.push(never);
            }
        }
    }

    /// Uses a column as the count only if P has no duplicate rows without it. Returns the number of P's people.
    fn settle_count(&mut self, meeting: &Meeting, decisions: &Decisions) -> u64 {
        let is_aggregated = meeting.combinations as u64 == meeting.public_rows && meeting.public_rows > 1;
        if let Some(decided) = decisions.count() {
            self.is_count_decided = decided.is_some();
            return meeting.people;
        }
        let (column, is_taken) = match (self.count.clone(), self.maybe_count.clone()) {
            (Some(column), _) => (column, is_aggregated),
            (None, Some(column)) if is_aggregated => (column, false),
            _ => return meeting.people,
        };
        let why = if is_aggregated { "P has no duplicate rows" } else { "P has duplicate rows" };
        let taken = if is_taken { "it is proposed as the count" } else { "it is not used" };
        self.ambiguities.push(Ambiguity {
            attribute: None,
            what: format!("P's column `{column}` may be the number of people for whom a row stands; {why}, so {taken}"),
            remedy: if is_taken {
                "write `counts = \"people\"` under [public] if it counts each person once, else delete `count`: every presence is wrong with \
                 counts of rows or of something else"
                    .to_owned()
            } else {
                format!(
                    "if it is that number, write `count = \"{column}\"` and `counts = \"people\"` under [public]: every presence is wrong \
                     without it"
                )
            },
            choices: count_choices(&column, is_taken),
        });
        if is_taken {
            return meeting.people;
        }
        if self.count.take().is_some() {
            self.ignored.push((column, "it may count people, but is not proposed as the count".to_owned()));
        }
        meeting.public_rows
    }

    fn settle_missing(&mut self, meeting: &Meeting, decisions: &Decisions) {
        if meeting.missing == 0 {
            return;
        }
        // Few missing members are mistakes of the tables; many are a mistake of the proposal.
        let are_few = meeting.missing * 20 <= meeting.members;
        let default = if are_few { NotInPublic::Drop } else { NotInPublic::Refuse };
        self.not_in_public = decisions.not_in_public().unwrap_or(default);
        if decisions.not_in_public().is_some() {
            return;
        }
        let choice = |what: NotInPublic| Choice {
            label: match what {
                NotInPublic::Drop => "leave them out".to_owned(),
                NotInPublic::Refuse => "report an error until the tables are corrected".to_owned(),
            },
            decision: Decision::NotInPublic(what),
        };
        let other = if are_few { NotInPublic::Refuse } else { NotInPublic::Drop };
        let private = self.private.as_ref().map(|private| shown(&private.name())).unwrap_or_default();
        self.ambiguities.push(Ambiguity {
            attribute: None,
            what: format!(
                "{} of {} people of T are not in P with their values (rows {} of {private}); {}{}",
                meeting.missing,
                meeting.members,
                rows(&meeting.missing_rows, meeting.missing),
                match default {
                    NotInPublic::Drop => "they are left out, and every result has their number",
                    NotInPublic::Refuse => "so many are probably a mistake of this proposal; `check` refuses them",
                },
                meeting.stranger.as_ref().map_or_else(String::new, |stranger| format!("; {}", stranger.sentence()))
            ),
            remedy: "correct them in T or P; `not_in_public` under [private] decides what happens to those who remain"
                .to_owned(),
            choices: vec![choice(default), choice(other)],
        });
    }

    /// δmin 0, and δmax twice |T|/|P|, but at most 1/2: an initial value, not a recommendation.
    fn settle_delta(&mut self, members: u64, people: u64, decisions: &Decisions) {
        let declared = decisions.declared_delta();
        let (min, proposed) = declared.unwrap_or((Presence::ZERO, placeholder(members, people)));
        let max = decisions.delta_max().unwrap_or(proposed);
        self.delta = (min.min(max), max);
        self.delta_origin = match decisions.delta_max() {
            _ if declared == Some(self.delta) => DeltaOrigin::Declared,
            None => DeltaOrigin::Proposed,
            Some(max) if max == proposed => DeltaOrigin::Accepted,
            Some(_) => DeltaOrigin::Decided,
        };
        if self.delta_origin == DeltaOrigin::Proposed {
            self.ambiguities.push(Ambiguity {
                attribute: None,
                what: format!(
                    "δmax {} {} |T|/|P| = {members}/{people}: a starting point, not a recommendation",
                    decimal(max),
                    if u128::from(members) * 4 < u128::from(people) { "is twice" } else { "follows only from" }
                ),
                remedy: "decide how certain an attacker may become that a person is in T; `palmtop advise` computes δ from \
                         a prior and an acceptable misuse"
                    .to_owned(),
                choices: Vec::new(),
            });
        }
    }
}

/// Twice |T|/|P|, rounded up to two digits, but at most 1/2. If this is less than |T|/|P|, the middle between |T|/|P| and 1.
fn placeholder(members: u64, people: u64) -> Presence {
    let (members, people) = (u128::from(members), u128::from(people.max(1)));
    let of = |above: u128, below: u128| {
        let narrow = |value: u128| u64::try_from(value).ok();
        narrow(above).zip(narrow(below)).and_then(|(above, below)| Presence::new(above, below).ok())
    };
    let halfway = || of(members + people, 2 * people).unwrap_or(Presence::ONE);
    if 4 * members >= people {
        let half = of(1, 2).unwrap_or(Presence::ONE);
        return if 2 * members <= people { half } else { halfway() };
    }
    // The first power of ten that divides the presence into at least ten parts.
    let mut below = 10_u128;
    while (2 * members * below).div_ceil(people) < 10 {
        below *= 10;
    }
    of((2 * members * below).div_ceil(people), below).unwrap_or(Presence::ONE)
}

/// A presence as a decimal if it is one, else as a fraction.
pub(crate) fn decimal(presence: Presence) -> String {
    let (above, below) = (u128::from(presence.numerator()), u128::from(presence.denominator()));
    let digits_after_point = (0..18_u32).find(|&count| 10_u128.pow(count).is_multiple_of(below));
    match digits_after_point {
        None => presence.to_string(),
        Some(0) => above.to_string(),
        Some(digits_after_point) => {
            let digits = above * 10_u128.pow(digits_after_point) / below;
            let width = digits_after_point as usize;
            let (integer, fraction) =
                (digits / 10_u128.pow(digits_after_point), digits % 10_u128.pow(digits_after_point));
            format!("{integer}.{fraction:0width$}")
        }
    }
}

/// A choice between the two meanings of a possible count column.
fn count_choices(column: &str, is_taken: bool) -> Vec<Choice> {
    let taken = Choice {
        label: "it counts people, each once".to_owned(),
        decision: Decision::Count(Some(column.to_owned())),
    };
    let not = Choice {
        label: "it does not count people, or some of them several times".to_owned(),
        decision: Decision::Count(None),
    };
    if is_taken { vec![taken, not] } else { vec![not, taken] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_placeholder_is_feasible_and_round() {
        for (members, people, expected) in [
            (1957, 45222, "0.087"),
            (800, 20_000, "0.08"),
            (1, 3_000_000, "0.00000067"),
            (5, 9, "7/9"),
            (3, 10, "0.5"),
            (1, 2, "0.5"),
            (9, 9, "1"),
        ] {
            let max = placeholder(members, people);
            assert_eq!(decimal(max), expected, "{members}/{people}");
            assert!(max >= Presence::new(members, people).unwrap());
        }
    }
}
