//! A filter of classes, typed on one line.

use std::cmp::Ordering;

use super::column::{CellKind, Column, Facts, Figure, Probability};
use super::cover::Cover;
use super::name::{self, NameError};
use palmtop_core::model::{Counts, Label, LabelColumn, Presence, Problem, TermError, Verdict};

/// Which classes to show: all terms must hold.
///
/// | term | holds where |
/// |---|---|
/// | `presence>.4` | the presence compares so, exactly: `>` `>=` `<` `<=` `=`; a fraction, a decimal or a percentage |
/// | `private>=10`, `public<5` | the number of people compares so |
/// | `posterior_max>.4`, `posterior_min<1%` | the posterior does, where there is a prior |
/// | `age:45` | somebody of 45 may be in it: what is written is that value, or covers it: a label, a range, a set. A label of the hierarchy asks for all its values |
/// | `zip:479` | what is no value of the attribute: what is written contains it, whatever the case |
/// | `zip=4790*` | it is exactly what is written for the attribute |
/// | `over`, `under`, `ok`, `broken` | the verdict is that; `broken` is any but `ok`, that of a criterion beside δ too |
/// | `empty` | the class has no private people |
/// | any other word | what is written for some attribute contains it, whatever the case |
///
/// Terms are separated by blanks; `!` before a term negates it. What stands in double quotes is taken as it is, blanks
/// and operators too (`education:"first degree"`), and a quote in quotes is doubled. A name may be given in any case and by
/// as much of it as tells it from the others; in quotes it is an attribute's even where it is `private`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    terms: Vec<Term>,
}

/// Why a text is no filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// A name before an operator that is no attribute's.
    #[error("{0}; a word with an operator in it stands in double quotes")]
    Name(NameError),
    /// An operator with nothing behind it.
    #[error("`{term}` lacks a value; write for instance `{example}`")]
    MissingValue {
        /// The term.
        term: String,
        /// A term that would be right.
        example: String,
    },
    /// Something else than a whole number behind `private` or `public`.
    #[error("`{value}` is no number of people: expected a whole number, as in `{name}>=10`")]
    NotACount {
        /// The name of the column.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// Something that is no presence behind `presence`.
    #[error(transparent)]
    NotAPresence(TermError),
    /// An operator that its name does not take.
    #[error("`{name}` takes {possible}, not `{operator}`")]
    WrongOperator {
        /// The name.
        name: String,
        /// The operator.
        operator: &'static str,
        /// The operators that it takes.
        possible: &'static str,
    },
    /// A `!` alone.
    #[error("`!` lacks a term to negate; write for instance `!ok`")]
    NothingNegated,
    /// A double quote that no other closes.
    #[error("a double quote is not closed; write for instance `\"two words\"`, and a quote in quotes twice")]
    OpenQuote,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    negated: bool,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Counts(CountsTest),
    Posterior(Column, Comparison, Figure),
    /// Of one attribute.
    Text(usize, TextTest),
    /// Of any attribute: the test of each.
    AnyText(Vec<TextTest>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountsTest {
    Figure(Column, Comparison, Figure),
    Verdict(Verdict),
    Broken,
    Empty,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TextTest {
    /// In lower case.
    Contains(String),
    /// Somebody with this value may be in it.
    Covers(Cover),
    /// The same, or it contains the text, in lower case.
    CoversOrContains(Cover, String),
    Is(String),
}

/// An operator between a number's name and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
}

/// What stands between a name and a value.
#[derive(Clone, Copy, Debug)]
struct Operator {
    text: &'static str,
    /// `None` for `:`, contains.
    comparison: Option<Comparison>,
}

/// The operators, longer ones first.
const OPERATORS: [Operator; 6] = [
    Operator { text: ">=", comparison: Some(Comparison::AtLeast) },
    Operator { text: "<=", comparison: Some(Comparison::AtMost) },
    Operator { text: ">", comparison: Some(Comparison::Above) },
    Operator { text: "<", comparison: Some(Comparison::Below) },
    Operator { text: "=", comparison: Some(Comparison::Equal) },
    Operator { text: ":", comparison: None },
];

impl Filter {
    /// Reads a filter for the classes of this problem; no term at all passes every class.
    ///
    /// # Errors
    /// A [`FilterError`] that says what is possible.
    pub fn parse(text: &str, problem: &Problem) -> Result<Self, FilterError> {
        let words = words(text)?;
        let terms = words.iter().map(|word| Term::parse(word, problem)).collect::<Result<_, _>>()?;
        Ok(Self { terms })
    }

    /// Whether it passes every class because it has no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether all terms about people hold of a class with this verdict.
    pub(super) fn passes_counts(&self, verdict: Verdict, counts: Counts) -> bool {
        self.terms.iter().all(|term| match &term.test {
            Test::Counts(test) => test.holds(verdict, counts) != term.negated,
            Test::Posterior(..) | Test::Text(..) | Test::AnyText(_) => true,
        })
    }

    /// Whether a term is about posteriors.
    pub(super) fn asks_prior(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.test, Test::Posterior(..)))
    }

    /// Whether all terms about posteriors hold of a class.
    pub(super) fn passes_prior(&self, facts: Facts) -> bool {
        self.terms.iter().all(|term| match &term.test {
            Test::Posterior(column, comparison, figure) => {
                column.figure(facts).is_some_and(|own| comparison.holds(own.cmp(figure))) != term.negated
            }
            Test::Counts(_) | Test::Text(..) | Test::AnyText(_) => true,
        })
    }

    /// The terms about what is written, answered once for each distinct text of the attributes.
    pub(super) fn label_masks<'a>(&self, columns: impl Fn(usize) -> LabelColumn<'a>) -> Vec<LabelMask> {
        let answers = |(attribute, test): (usize, &TextTest)| {
            let column = columns(attribute);
            let written = column.labels().iter().zip(column.texts());
            (attribute, written.map(|(label, text)| test.holds(label, text)).collect())
        };
        let mask = |term: &Term| {
            let columns = match &term.test {
                Test::Counts(_) | Test::Posterior(..) => return None,
                Test::Text(attribute, test) => vec![answers((*attribute, test))],
                Test::AnyText(tests) => tests.iter().enumerate().map(answers).collect(),
            };
            Some(LabelMask { negated: term.negated, columns })
        };
        self.terms.iter().filter_map(mask).collect()
    }
}

/// Of a term about what is written, the answer for each distinct label of the attributes that it asks.
pub(super) struct LabelMask {
    negated: bool,
    columns: Vec<(usize, Vec<bool>)>,
}

impl LabelMask {
    /// Whether the term holds of a class; `label` is the class's label in an attribute.
    pub(super) fn passes(&self, label: impl Fn(usize) -> usize) -> bool {
        self.columns.iter().any(|(attribute, answers)| answers[label(*attribute)]) != self.negated
    }
}

impl CountsTest {
    fn holds(self, verdict: Verdict, counts: Counts) -> bool {
        match self {
            Self::Figure(column, comparison, figure) => {
                let facts = Facts { counts, posterior: None };
                column.figure(facts).is_some_and(|own| comparison.holds(own.cmp(&figure)))
            }
            Self::Verdict(own) => verdict == own,
            Self::Broken => verdict != Verdict::Ok,
            Self::Empty => counts.private == 0,
        }
    }
}

impl TextTest {
    /// What a value behind `:` asks for.
    fn of(problem: &Problem, attribute: usize, value: &str) -> Self {
        let part = value.to_lowercase();
        match Cover::of(problem.hierarchy(attribute), value) {
            None => Self::Contains(part),
            Some(cover) if cover.is_between() => Self::CoversOrContains(cover, part),
            Some(cover) => Self::Covers(cover),
        }
    }

    fn holds(&self, label: &Label, text: &str) -> bool {
        match self {
            Self::Contains(part) => text.to_lowercase().contains(part),
            Self::Covers(cover) => cover.is_under(label),
            Self::CoversOrContains(cover, part) => {
                cover.is_under(label) || text.to_lowercase().contains(part)
            }
            Self::Is(whole) => text == whole,
        }
    }
}

impl Comparison {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Above => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Below => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Equal => order.is_eq(),
        }
    }
}

impl Term {
    fn parse(word: &Word, problem: &Problem) -> Result<Self, FilterError> {
        let (negated, word) = word.strip_not();
        if word.is_nothing() {
            return Err(FilterError::NothingNegated);
        }
        let test = match word.split() {
            Some((name, operator, value)) => named(&name, operator, &value, problem)?,
            None => plain(&word, problem),
        };
        Ok(Self { negated, test })
    }
}

/// A word without an operator.
fn plain(word: &Word, problem: &Problem) -> Test {
    let text = word.text();
    let counts = match text.as_str() {
        _ if word.is_quoted() => None,
        "broken" => Some(CountsTest::Broken),
        "empty" => Some(CountsTest::Empty),
        word => [Verdict::Ok, Verdict::Over, Verdict::Under]
            .into_iter()
            .find(|verdict| verdict.as_str() == word)
            .map(CountsTest::Verdict),
    };
    let tests =
        || (0..problem.quasi().len()).map(|attribute| TextTest::of(problem, attribute, &text)).collect();
    counts.map_or_else(|| Test::AnyText(tests()), Test::Counts)
}

/// A name, an operator, a value.
fn named(word: &Word, operator: Operator, value: &Word, problem: &Problem) -> Result<Test, FilterError> {
    let name = word.text();
    let column = Column::named(&name, problem).filter(|_| !word.is_quoted());
    let lacking = |example: String| {
        let term = format!("{name}{}", operator.text);
        if value.is_nothing() { Err(FilterError::MissingValue { term, example }) } else { Ok(()) }
    };
    let wrong =
        |possible| FilterError::WrongOperator { name: name.clone(), operator: operator.text, possible };
    let Some(column) = column else {
        let attribute =
            name::attribute(problem, &name, &Column::names(problem)).map_err(FilterError::Name)?;
        lacking(format!("{name}:part"))?;
        let test = match operator.comparison {
            None => TextTest::of(problem, attribute, &value.text()),
            Some(Comparison::Equal) => TextTest::Is(value.text()),
            Some(_) => return Err(wrong("`:` (contains) and `=` (is)")),
        };
        return Ok(Test::Text(attribute, test));
    };
    let comparison = operator.comparison.ok_or_else(|| wrong("`>`, `>=`, `<`, `<=` and `=`"))?;
    let name = column.name();
    let share = || value.text().parse().map_err(FilterError::NotAPresence);
    let figure = match column.kind() {
        CellKind::Share => {
            lacking(format!("{name}>2/3"))?;
            Figure::Share(share()?)
        }
        CellKind::Probability => {
            lacking(format!("{name}>.4"))?;
            let probability = share().map(Presence::to_f64)?;
            return Ok(Test::Posterior(column, comparison, Figure::Probability(Probability(probability))));
        }
        CellKind::People | CellKind::Verdict => {
            lacking(format!("{name}>=10"))?;
            let wrong = || FilterError::NotACount { name, value: value.text() };
            let digits = Some(value.text()).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            Figure::People(digits.and_then(|text| text.parse().ok()).ok_or_else(wrong)?)
        }
    };
    Ok(Test::Counts(CountsTest::Figure(column, comparison, figure)))
}

/// A word as typed: its characters without the quotes around them, and whether each was in quotes.
#[derive(Clone, Debug, Default)]
struct Word {
    characters: Vec<(char, bool)>,
    /// Of each pair of quotes, how many characters stood before it.
    quotes: Vec<usize>,
}

impl Word {
    fn text(&self) -> String {
        self.characters.iter().map(|(character, _)| character).collect()
    }

    fn is_quoted(&self) -> bool {
        !self.quotes.is_empty()
    }

    /// Whether nothing was typed, not even an empty pair of quotes.
    fn is_nothing(&self) -> bool {
        self.characters.is_empty() && !self.is_quoted()
    }

    /// Without the `!` before it, if there is one.
    fn strip_not(&self) -> (bool, Self) {
        if self.characters.first() == Some(&('!', false)) && self.quotes.first() != Some(&0) {
            (true, self.part(1, self.characters.len()))
        } else {
            (false, self.clone())
        }
    }

    /// Around its first operator outside quotes, if it has a name before it.
    fn split(&self) -> Option<(Self, Operator, Self)> {
        let starts_with = |place: usize, text: &str| {
            let here = self.characters[place..].iter().copied().take(text.len());
            here.eq(text.chars().map(|character| (character, false)))
        };
        let at = |place| OPERATORS.into_iter().find(|operator| starts_with(place, operator.text));
        let mut places = 0..self.characters.len();
        let (place, operator) = places.find_map(|place| Some((place, at(place)?)))?;
        let behind = place + operator.text.len();
        (place > 0).then(|| (self.part(0, place), operator, self.part(behind, self.characters.len())))
    }

    /// From one character to before another.
    fn part(&self, from: usize, to: usize) -> Self {
        let length = self.characters.len();
        // A pair of quotes at the very end belongs to the part that ends there.
        let inside = |place: &&usize| (from..to).contains(*place) || (**place == to && to == length);
        Self {
            characters: self.characters[from..to].to_vec(),
            quotes: self.quotes.iter().filter(inside).map(|place| place - from).collect(),
        }
    }
}

/// The words of a line, separated by blanks outside quotes.
fn words(text: &str) -> Result<Vec<Word>, FilterError> {
    let mut words = Vec::new();
    let mut word = Word::default();
    let mut quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                word.characters.push(('"', true));
            }
            '"' => {
                quoted = !quoted;
                if quoted {
                    word.quotes.push(word.characters.len());
                }
            }
            blank if blank.is_whitespace() && !quoted => words.push(std::mem::take(&mut word)),
            character => word.characters.push((character, quoted)),
        }
    }
    if quoted {
        return Err(FilterError::OpenQuote);
    }
    words.push(word);
    words.retain(|word| !word.is_nothing());
    Ok(words)
}
