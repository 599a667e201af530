//! Columns of P that the project does not use, and that a published column of T gives away.
//!
//! An attacker who has P knows all of its columns. Suppose that all people of P with the
//! quasi-identifiers of a row of T share a value in such a column. Then the row has this value too,
//! because T is a part of P. Such a row is *linked*. The relations of [`betrayal`] are searched in
//! the linked rows. So the search also finds a column that T writes in another spelling, unit or
//! coding.
//!
//! A column with the same values is also found without linked rows. For at least 95% of the
//! compared rows, P must then have a person with the quasi-identifiers and the value of the row. So is
//! a column of numbers in another unit, and a text, such as a name, that few people of P share: of
//! such texts, one is enough.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pipeline::measures::scale::scale;
use crate::pipeline::rows::find;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::{Code, Presence, size};
use palmtop_core::progress::Meter;
use palmtop_measure::betrayal::{self, Betrayal, Column, Members, NO_VALUE, PublicRows, Quasi, Same};
use palmtop_tables::DataError;
use palmtop_tables::encode::Whose;
use palmtop_tables::likeness::{Likeness, Plain};
use palmtop_tables::scaled::Numbers;
use palmtop_tables::written::MISSING;

/// Columns with more distinct texts than this are not compared.
const MOST_TEXTS: usize = 200_000;
/// The fewest linked rows that can give evidence.
pub const LEAST_LINKED: usize = 30;
/// Two columns may share up to this many values by coincidence. Then the rows of P must confirm the
/// pair.
const COMMON_VALUES: usize = 3;
/// How many more rows than expected by chance must match to confirm a pair.
const CONFIRMING: f64 = 10.0;
/// The code of a missing value, which is the first text of each column of P.
const MISSING_CODE: u32 = 0;
/// The code for a combination whose people have different values.
const SEVERAL: u32 = NO_VALUE - 1;

/// A column of P that the project does not use.
pub struct SpareColumn<'a> {
    /// Its name in P.
    pub name: &'a str,
    /// The number of each text; `None` if there are more than `MOST_TEXTS`.
    numbers: Option<FxHashMap<String, u32>>,
    /// The texts by their numbers.
    texts: Vec<String>,
    /// The number of rows of each text.
    rows: Vec<u64>,
    /// The value that all people of a combination share. [`NO_VALUE`] if the combination has no row
    /// yet, [`SEVERAL`] if its people differ.
    of_combination: Vec<u32>,
}

impl<'a> SpareColumn<'a> {
    /// A column without rows, for this number of combinations; there may be more.
    pub fn new(name: &'a str, combinations: usize) -> Self {
        let numbers = Some(std::iter::once((String::new(), MISSING_CODE)).collect());
        Self {
            name,
            numbers,
            texts: vec![String::new()],
            rows: vec![0],
            of_combination: vec![NO_VALUE; combinations],
        }
    }

    /// The number of a text, if the text was added.
    fn code(&self, text: &str) -> Option<u32> {
        let text = text.trim();
        if MISSING.contains(&text) {
            return Some(MISSING_CODE);
        }
        self.numbers.as_ref()?.get(text).copied()
    }

    /// Adds a row of P.
    pub fn push(&mut self, combination: u32, text: &str) {
        let code = self.code(text);
        let Some(numbers) = &mut self.numbers else { return };
        if code.is_none() && numbers.len() == MOST_TEXTS {
            self.numbers = None;
            return;
        }
        let code = code.unwrap_or_else(|| {
            let next = size::number(numbers.len());
            numbers.insert(text.trim().to_owned(), next);
            self.texts.push(text.trim().to_owned());
            self.rows.push(0);
            next
        });
        self.rows[code as usize] += 1;
        let combination = combination as usize;
        if combination >= self.of_combination.len() {
            self.of_combination.resize(combination + 1, NO_VALUE);
        }
        let known = &mut self.of_combination[combination];
        *known = if *known == NO_VALUE || *known == code { code } else { SEVERAL };
    }

    /// The column with the values of T's linked rows, by the combination of each row; `None` if it has too many texts.
    pub fn quasi(&self, combinations: &[u32]) -> Option<Quasi> {
        self.numbers.as_ref()?;
        let texts = self.texts.clone();
        let value = |&combination: &u32| match self.of_combination.get(combination as usize) {
            Some(&SEVERAL) | None => NO_VALUE,
            Some(&code) => code,
        };
        let cells = combinations.iter().map(value).collect();
        let scale = scale(&texts);
        let column = Column::numbered(self.name, texts, cells, scale);
        Some(Quasi { missing: Some(MISSING_CODE), ..Quasi::of(column) })
    }

    /// The most frequent texts, at most this number.
    pub fn most_frequent(&self, number: usize) -> Vec<&str> {
        let mut texts: Vec<(&String, u64)> =
            self.texts.iter().zip(self.rows.iter().copied()).skip(1).collect();
        texts.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        texts.into_iter().take(number).map(|(text, _)| text.as_str()).collect()
    }

    /// Its forms, without plain values if each row has another text: then no column can be
    /// [alike](Likeness::Alike).
    fn forms(&self) -> Forms {
        let texts = || self.texts.iter().map(String::as_str).zip(self.rows.iter().copied());
        let has_repeats = self.rows.iter().any(|&rows| rows > 1);
        Forms { plain: has_repeats.then(|| Plain::of(texts(), true)), numbers: Numbers::of(texts()) }
    }
}

/// A column as other columns are compared with it.
struct Forms {
    /// The values in one form for all tables.
    plain: Option<Plain>,
    /// The numbers, if all texts are.
    numbers: Option<Numbers>,
}

impl Forms {
    fn of_published(column: &Column) -> Self {
        Self { plain: Some(Plain::of(counted(column), true)), numbers: Numbers::of(counted(column)) }
    }
}

/// A published column that has values of a column of P, by their positions.
struct Alike {
    column: usize,
    spare: usize,
    how: Same,
    /// The number of the value of each text of T, and of each text of P.
    of_text: Vec<Option<u32>>,
    of_code: Vec<Option<u32>>,
    /// The number of values.
    values: usize,
}

impl Alike {
    /// Numbers the values that both columns have.
    fn of<V: Ord>(
        (column, spare, how): (usize, usize, Same),
        of_text: impl Iterator<Item = Option<V>>,
        of_code: impl Iterator<Item = Option<V>>,
    ) -> Self {
        let mut numbers: BTreeMap<V, u32> = BTreeMap::new();
        let mut number = |value: V| {
            let next = size::number(numbers.len());
            *numbers.entry(value).or_insert(next)
        };
        let of_text: Vec<Option<u32>> = of_text.map(|value| value.map(&mut number)).collect();
        let of_code = of_code.map(|value| value.and_then(|value| numbers.get(&value).copied())).collect();
        Self { column, spare, how, of_text, of_code, values: numbers.len() }
    }

    /// The same values in one form for all tables, the same numbers in another unit, or texts that few people of P share.
    fn find(
        (column, published): (usize, &Column),
        (spare, public): (usize, &SpareColumn),
        (own, forms): (&Forms, &Forms),
        few: u64,
    ) -> Option<Self> {
        let (texts, codes) = (published.texts.iter(), public.texts.iter());
        if let Some((plain, public)) = own.plain.as_ref().zip(forms.plain.as_ref())
            && plain.likeness(public) == Likeness::Alike
        {
            let texts = texts.map(|text| plain.value(text));
            return Some(Self::of((column, spare, Same::All), texts, codes.map(|text| public.value(text))));
        }
        if let Some((own, units)) = own.numbers.as_ref().zip(forms.numbers.as_ref())
            && let Some(power) = own.power(units)
        {
            let texts = texts.map(|text| power.of(own.read(text)?));
            return Some(Self::of(
                (column, spare, Same::Times(power.factor())),
                texts,
                codes.map(|text| units.read(text)),
            ));
        }
        let is_rare = |text: &&String| {
            let code = public.code(text).filter(|code| *code != MISSING_CODE);
            is_telling(text) && code.is_some_and(|code| public.rows[code as usize] <= few)
        };
        let of_text: Vec<Option<&str>> =
            texts.map(|text| Some(text).filter(is_rare).map(|text| text.trim())).collect();
        of_text.iter().any(Option::is_some).then(|| {
            Self::of((column, spare, Same::Rare), of_text.into_iter(), codes.map(|text| Some(text.as_str())))
        })
    }
}

/// Whether a text may name a person: it has two words, or six letters.
fn is_telling(text: &str) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    letters >= 6 || text.split_whitespace().filter(is_word).count() >= 2
}

/// The published columns of T, its members, and the compared rows: one row of each person.
pub(in crate::pipeline) struct Compared<'a> {
    pub(in crate::pipeline) columns: &'a [Column],
    pub(in crate::pipeline) members: &'a Members,
    pub(in crate::pipeline) rows: &'a [u32],
}

/// The published columns that give away a column of P that the project does not use. Also returns
/// P's people with these columns of P. P is read once, and again if a column may be given away.
pub(in crate::pipeline) fn betrayals(
    analysis: &Analysis,
    compared: &Compared,
    meter: &mut Meter,
) -> Result<(Vec<Betrayal>, PublicRows), PipelineError> {
    let is_readable = |column: &&String| analysis.public.is_readable(column);
    let names: Vec<&str> = analysis.notes.unused.iter().filter(is_readable).map(String::as_str).collect();
    if names.is_empty() || analysis.project.member().is_some() {
        return Ok((Vec::new(), PublicRows::default()));
    }
    let combinations = analysis.problem.histogram().len();
    let mut spare: Vec<SpareColumn> = names.iter().map(|name| SpareColumn::new(name, combinations)).collect();
    visit_people(analysis, &names, meter, &mut |combination, _, texts| {
        spare.iter_mut().zip(texts).for_each(|(spare_column, text)| spare_column.push(combination, text));
    })?;
    let quasi: Vec<Option<Quasi>> =
        spare.iter().map(|spare_column| spare_column.quasi(&compared.members.combinations)).collect();
    let (mut found, mut alike) = (Vec::new(), Vec::new());
    // A row of counts is many people.
    let few = analysis.project.count_column().map_or_else(|| few(analysis.problem.delta().max()), |_| 0);
    let own: Vec<Forms> = compared.columns.iter().map(Forms::of_published).collect();
    for (nth, (spare_column, quasi)) in spare.iter().zip(&quasi).enumerate() {
        let Some(quasi) = quasi else { continue };
        let by_rows = compared.by_linked_rows(quasi);
        let forms = spare_column.forms();
        for (column, (published, own)) in compared.columns.iter().zip(&own).enumerate() {
            if by_rows.iter().all(|betrayal| betrayal.column != published.name) {
                alike.extend(Alike::find((column, published), (nth, spare_column), (own, &forms), few));
            }
        }
        let position = analysis.problem.quasi().len() + nth;
        found.extend(by_rows.into_iter().map(|betrayal| betrayal.of_public(position)));
    }
    let quasi_count = analysis.problem.quasi().len();
    let is_needed = |nth: &usize| {
        found.iter().any(|betrayal| betrayal.position() == quasi_count + nth)
            || alike.iter().any(|pair| pair.spare == *nth)
    };
    let needed: Vec<usize> = (0..spare.len()).filter(is_needed).collect();
    if needed.is_empty() {
        return Ok((Vec::new(), PublicRows::default()));
    }
    let public = public_rows(analysis, &spare, &needed, meter)?;
    for pair in &alike {
        let quasi = quasi[pair.spare].as_ref();
        let confirmed = quasi.and_then(|quasi| compared.confirmed(pair, quasi, &public));
        found.extend(confirmed.map(|betrayal| betrayal.of_public(quasi_count + pair.spare)));
    }
    Ok((found, public))
}

/// The people of P by combination and by the values of some unused columns.
fn public_rows(
    analysis: &Analysis,
    spare: &[SpareColumn],
    needed: &[usize],
    meter: &mut Meter,
) -> Result<PublicRows, PipelineError> {
    let counts = analysis.problem.histogram().counts();
    let mut left: Vec<u64> = counts.iter().map(|counts| counts.public).collect();
    let mut public = PublicRows { columns: vec![Vec::new(); spare.len()], ..PublicRows::default() };
    let names: Vec<&str> = needed.iter().map(|&nth| spare[nth].name).collect();
    let mut is_changed = false;
    visit_people(analysis, &names, meter, &mut |combination, people, texts| {
        public.combinations.push(combination);
        public.people.push(people);
        let people_left = &mut left[combination as usize];
        *people_left = people_left.saturating_sub(people);
        for (&nth, text) in needed.iter().zip(texts) {
            let code = spare[nth].code(text);
            is_changed |= code.is_none();
            public.columns[nth].extend(code);
        }
    })?;
    if is_changed {
        return Err(DataError::changed(analysis.public.path()).into());
    }
    // Members who were added to P have no row in it, so their values are unknown.
    for (combination, people) in (0..).zip(left).filter(|(_, people)| *people > 0) {
        public.combinations.push(combination);
        public.people.push(people);
        for &nth in needed {
            public.columns[nth].push(MISSING_CODE);
        }
    }
    Ok(public)
}

/// Calls `show` for each row of P with at least one person. The arguments are the combination, the
/// number of people, and the texts of the columns `names`.
fn visit_people(
    analysis: &Analysis,
    names: &[&str],
    meter: &mut Meter,
    show: &mut dyn FnMut(u32, u64, &[&str]),
) -> Result<(), PipelineError> {
    let project = &analysis.project;
    let mut columns: Vec<&str> =
        project.quasi().map(|(attribute, _)| attribute.public_column.as_str()).collect();
    let quasi = columns.len();
    columns.extend(names);
    columns.extend(project.count_column());
    let changed = || DataError::changed(analysis.public.path());
    let cells = analysis.encoder.cells(Whose::Public);
    let histogram = analysis.problem.histogram();
    find::visit_loaded(analysis, &analysis.public, &columns, meter, &mut |_, row| {
        let people = match &project.public.count {
            Some(count) => row.last().and_then(|text| count.people(text)).ok_or_else(changed)?,
            None => 1,
        };
        let codes = (0..quasi).map(|nth| cells.code(nth, row[nth]));
        let codes: Option<Vec<Code>> = codes.collect();
        // A row with a count of 0 has no combination in the histogram.
        if let Some(combination) = codes.and_then(|codes| histogram.find(&codes)) {
            show(size::number(combination), people, &row[quasi..quasi + names.len()]);
        }
        Ok(())
    })
}

/// Whether a row of T is linked with a value of a column of P.
pub fn is_linked(quasi: &Quasi, row: u32) -> bool {
    ![NO_VALUE, MISSING_CODE].contains(&quasi.column.cells[row as usize])
}

impl Compared<'_> {
    /// The betrayals of a column of P that the linked rows show. Empty if fewer than `LEAST_LINKED`
    /// rows are linked.
    fn by_linked_rows(&self, quasi: &Quasi) -> Vec<Betrayal> {
        let linked: Vec<u32> = self.rows.iter().copied().filter(|row| is_linked(quasi, *row)).collect();
        if linked.len() < LEAST_LINKED {
            return Vec::new();
        }
        betrayal::find_among(self.columns, std::slice::from_ref(quasi), &linked)
    }

    /// The rows that would fit if a text of P stood at any person of P.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn by_chance(&self, pair: &Alike, public: &PublicRows) -> f64 {
        let mut people: FxHashMap<u32, u64> = FxHashMap::default();
        let mut with_value = vec![0_u64; pair.values];
        for (&combination, &code) in public.combinations.iter().zip(&public.columns[pair.spare]) {
            *people.entry(combination).or_default() += 1;
            if let Some(value) = pair.of_code[code as usize] {
                with_value[value as usize] += 1;
            }
        }
        let column = &self.columns[pair.column];
        let values = self.rows.iter().filter_map(|&row| {
            let value = pair.of_text.get(column.cells[row as usize] as usize).copied().flatten()?;
            let people = people.get(&self.members.combinations[row as usize]).copied().unwrap_or(0);
            Some((with_value[value as usize] * people) as f64)
        });
        values.sum::<f64>() / public.combinations.len().max(1) as f64
    }

    /// The betrayal of a pair of columns, if the rows of P confirm that both have the same values.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn confirmed(&self, pair: &Alike, quasi: &Quasi, public: &PublicRows) -> Option<Betrayal> {
        let column = &self.columns[pair.column];
        let Alike { of_text, of_code, .. } = pair;
        let codes = public.combinations.iter().zip(&public.columns[pair.spare]);
        let people = codes.filter_map(|(&combination, &code)| Some((combination, of_code[code as usize]?)));
        let people: FxHashSet<(u32, u32)> = people.collect();
        let mut rows_with = vec![0_u64; pair.values];
        let mut rows_of_combination: FxHashMap<u32, u64> = FxHashMap::default();
        let (mut rows, mut fitting) = (0, 0);
        for &row in self.rows {
            let text = column.cells[row as usize];
            let Some(value) = of_text.get(text as usize).copied().flatten() else { continue };
            let combination = self.members.combinations[row as usize];
            rows += 1;
            rows_with[value as usize] += 1;
            *rows_of_combination.entry(combination).or_default() += 1;
            fitting += u64::from(people.contains(&(combination, value)));
        }
        let chance = people.iter().map(|(combination, value)| {
            let rows_here = rows_of_combination.get(combination).copied().unwrap_or(0);
            (rows_here * rows_with[*value as usize]) as f64 / rows as f64
        });
        let chance = chance.sum::<f64>();
        let shared: BTreeSet<u32> = people.iter().map(|(_, value)| *value).collect();
        let is_confirmed = if pair.how == Same::Rare {
            fitting as f64 >= 10.0 * self.by_chance(pair, public)
        } else {
            fitting * 20 >= rows * 19
                && (fitting as f64 - chance >= CONFIRMING || shared.len() > COMMON_VALUES)
        };
        if fitting == 0 || !is_confirmed {
            return None;
        }
        let mut codes_of: Vec<Vec<u32>> = vec![Vec::new(); pair.values];
        for (value, code) in of_code.iter().zip(0..).filter_map(|(value, code)| Some(((*value)?, code))) {
            codes_of[value as usize].push(code);
        }
        let same = |text: u32| of_text[text as usize].map(|value| codes_of[value as usize].clone());
        Some(Betrayal::of_same_values(column, quasi, same, pair.how, chance, rows, fitting))
    }
}

/// The most people of P who share a text and are few: 1/δmax, rounded down.
fn few(delta_max: Presence) -> u64 {
    delta_max.denominator().checked_div(delta_max.numerator()).unwrap_or(0)
}

/// The texts of a published column with their rows.
fn counted(column: &Column) -> impl Iterator<Item = (&str, u64)> {
    let mut rows = vec![0; column.texts.len()];
    for &text in column.cells.iter().filter(|text| **text != NO_VALUE) {
        rows[text as usize] += 1;
    }
    column.texts.iter().map(String::as_str).zip(rows)
}
