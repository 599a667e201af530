//! A filter of classes, typed on one line.

use std::cmp::Ordering;

use super::column::{CellKind, Column, Figure};
use super::cover::Cover;
use super::name::{self, NameError};
use palmtop_core::model::{Counts, Label, LabelColumn, Problem, TermError, Verdict};

/// A filter of classes: a class passes if all terms hold.
///
/// | term | holds if |
/// |---|---|
/// | `presence>.4` | the presence satisfies the exact comparison: `>` `>=` `<` `<=` `=` with a fraction, a decimal or a percentage |
/// | `private>=10`, `public<5` | the number of people satisfies the comparison |
/// | `age:45` | a person of 45 may be in the class: the published text is this value, or a label, range or set that covers it. A label of the hierarchy stands for all its values |
/// | `zip:479` | the text is not a value of the attribute, and the published text contains it, in upper or lower case |
/// | `zip=4790*` | the published text of the attribute is exactly this text |
/// | `over`, `under`, `ok`, `broken` | the class has this verdict; `broken` is every verdict except `ok`, also of another criterion than δ |
/// | `empty` | the class has no members |
/// | any other word | the published text of some attribute contains the word, in upper or lower case |
///
/// Blanks separate terms; `!` before a term negates it. Double quotes keep blanks and operators as text
/// (`education:"first degree"`), and a quote within quotes is doubled. A name may be in upper or lower case, and a unique
/// beginning of it is enough. A name in quotes is always the name of an attribute, even `"private"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    terms: Vec<Term>,
}

/// The reason why a text is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// The name before an operator is neither a column nor an attribute.
    #[error("{0}; a word with an operator in it stands in double quotes")]
    Name(NameError),
    /// An operator has no value after it.
    #[error("`{term}` needs a value; write for example `{example}`")]
    MissingValue {
        /// The incomplete term.
        term: String,
        /// A correct term.
        example: String,
    },
    /// The value for `private` or `public` is not a whole number.
    #[error("`{value}` is not a number of people: expected a whole number, as in `{name}>=10`")]
    NotACount {
        /// The name of the column.
        name: &'static str,
        /// The given value.
        value: String,
    },
    /// The value for `presence` is not a presence.
    #[error(transparent)]
    NotAPresence(TermError),
    /// The name does not permit this operator.
    #[error("`{name}` takes {possible}, not `{operator}`")]
    WrongOperator {
        /// The given name.
        name: String,
        /// The given operator.
        operator: &'static str,
        /// The operators that the name permits.
        possible: &'static str,
    },
    /// A `!` has no term after it.
    #[error("`!` needs a term to negate; write for example `!ok`")]
    NothingNegated,
    /// A double quote is not closed.
    #[error(
        "a double quote is not closed; write for example `\"two words\"`, and double a quote within quotes"
    )]
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
    /// A test of one attribute.
    Text(usize, TextTest),
    /// A test of any attribute: one test for each attribute.
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
    /// The published text contains this text, which is in lower case.
    Contains(String),
    /// The published label covers this value.
    Covers(Cover),
    /// The published label covers this value, or contains the text, which is in lower case.
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

/// The operator between a name and a value.
#[derive(Clone, Copy, Debug)]
struct Operator {
    text: &'static str,
    /// The comparison; `None` for `:`, which means "contains".
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
    /// Reads a filter for the classes of this problem. Every class passes a filter without terms.
    ///
    /// # Errors
    /// A [`FilterError`] with the expected form.
    pub fn parse(text: &str, problem: &Problem) -> Result<Self, FilterError> {
        let words = words(text)?;
        let terms = words.iter().map(|word| Term::parse(word, problem)).collect::<Result<_, _>>()?;
        Ok(Self { terms })
    }

    /// Whether the filter has no term, so that every class passes.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether all terms about counts and verdicts hold for a class.
    pub(super) fn passes_counts(&self, verdict: Verdict, counts: Counts) -> bool {
        self.terms.iter().all(|term| match &term.test {
            Test::Counts(test) => test.holds(verdict, counts) != term.negated,
            Test::Text(..) | Test::AnyText(_) => true,
        })
    }

    /// Evaluates the terms about published texts, once for each distinct text of the attributes.
    pub(super) fn label_masks<'a>(&self, columns: impl Fn(usize) -> LabelColumn<'a>) -> Vec<LabelMask> {
        let answers = |(attribute, test): (usize, &TextTest)| {
            let column = columns(attribute);
            let written = column.labels().iter().zip(column.texts());
            (attribute, written.map(|(label, text)| test.holds(label, text)).collect())
        };
        let mask = |term: &Term| {
            let columns = match &term.test {
                Test::Counts(_) => return None,
                Test::Text(attribute, test) => vec![answers((*attribute, test))],
                Test::AnyText(tests) => tests.iter().enumerate().map(answers).collect(),
            };
            Some(LabelMask { negated: term.negated, columns })
        };
        self.terms.iter().filter_map(mask).collect()
    }
}

/// The results of a term about published texts, for each distinct label of its attributes.
pub(super) struct LabelMask {
    negated: bool,
    columns: Vec<(usize, Vec<bool>)>,
}

impl LabelMask {
    /// Whether the term holds for a class; `label` is the class's label in an attribute.
    pub(super) fn passes(&self, label: impl Fn(usize) -> usize) -> bool {
        self.columns.iter().any(|(attribute, answers)| answers[label(*attribute)]) != self.negated
    }
}

impl CountsTest {
    fn holds(self, verdict: Verdict, counts: Counts) -> bool {
        match self {
            Self::Figure(column, comparison, figure) => {
                column.figure(counts).is_some_and(|found| comparison.holds(found.cmp(&figure)))
            }
            Self::Verdict(wanted) => verdict == wanted,
            Self::Broken => verdict != Verdict::Ok,
            Self::Empty => counts.private == 0,
        }
    }
}

impl TextTest {
    /// The test for a value after `:`.
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
            Self::Is(wanted) => text == wanted,
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

/// Reads a word without an operator.
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

/// Reads a name, an operator and a value.
fn named(word: &Word, operator: Operator, value: &Word, problem: &Problem) -> Result<Test, FilterError> {
    let name = word.text();
    let column = Column::named(&name).filter(|_| !word.is_quoted());
    let lacking = |example: String| {
        let term = format!("{name}{}", operator.text);
        if value.is_nothing() { Err(FilterError::MissingValue { term, example }) } else { Ok(()) }
    };
    let wrong =
        |possible| FilterError::WrongOperator { name: name.clone(), operator: operator.text, possible };
    let Some(column) = column else {
        let attribute = name::attribute(problem, &name, &Column::names()).map_err(FilterError::Name)?;
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
    let figure = match column.kind() {
        CellKind::Share => {
            lacking(format!("{name}>2/3"))?;
            Figure::Share(value.text().parse().map_err(FilterError::NotAPresence)?)
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

/// A typed word: its characters without quotes, each with whether it was in quotes.
#[derive(Clone, Debug, Default)]
struct Word {
    characters: Vec<(char, bool)>,
    /// For each pair of quotes, the number of characters before it.
    quotes: Vec<usize>,
}

impl Word {
    fn text(&self) -> String {
        self.characters.iter().map(|(character, _)| character).collect()
    }

    fn is_quoted(&self) -> bool {
        !self.quotes.is_empty()
    }

    /// Whether the word is empty and has no pair of quotes.
    fn is_nothing(&self) -> bool {
        self.characters.is_empty() && !self.is_quoted()
    }

    /// The word without a leading `!`, and whether it had one.
    fn strip_not(&self) -> (bool, Self) {
        if self.characters.first() == Some(&('!', false)) && self.quotes.first() != Some(&0) {
            (true, self.part(1, self.characters.len()))
        } else {
            (false, self.clone())
        }
    }

    /// Splits the word at its first operator outside quotes, if there is a name before the operator.
    fn split(&self) -> Option<(Self, Operator, Self)> {
        let starts_with = |start: usize, text: &str| {
            let characters = self.characters[start..].iter().copied().take(text.len());
            characters.eq(text.chars().map(|character| (character, false)))
        };
        let operator_at = |start| OPERATORS.into_iter().find(|operator| starts_with(start, operator.text));
        let mut starts = 0..self.characters.len();
        let (start, operator) = starts.find_map(|start| Some((start, operator_at(start)?)))?;
        let end = start + operator.text.len();
        (start > 0).then(|| (self.part(0, start), operator, self.part(end, self.characters.len())))
    }

    /// The part from the character `from` to before the character `to`.
    fn part(&self, from: usize, to: usize) -> Self {
        let length = self.characters.len();
        // A pair of quotes at the end of the word belongs to the last part.
        let inside = |index: &&usize| (from..to).contains(*index) || (**index == to && to == length);
        Self {
            characters: self.characters[from..to].to_vec(),
            quotes: self.quotes.iter().filter(inside).map(|index| index - from).collect(),
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
