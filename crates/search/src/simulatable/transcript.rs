//! What was asked and answered: all that a release of this search can tell of T, and harmless to publish.

use std::fmt::Write;

use super::population::{Cut, CutRule};
use palmtop_core::model::Problem;

/// Every offer with its answer, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transcript {
    /// The questions, in the order in which they were asked.
    pub steps: Vec<TranscriptStep>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TranscriptStep {
    /// The region that was to be cut, by the number that it got when it was made; everybody is region 0.
    pub region: u32,
    /// Where.
    pub question: Question,
    /// The numbers of members in the left half that would be accepted, as ranges from and to.
    pub accepted: Vec<(u64, u64)>,
    /// The number, where it is accepted; `None` for failed.
    pub answer: Option<u64>,
}

/// What was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// To cut the region in two.
    Cut(Cut),
    /// Whether the region's one member is in this part of its free partition, counted from 0.
    Part(u32),
}

/// The columns of a written transcript.
const HEADER: &str = "region\tquestion\taccepted\tanswer";
/// The answer to what is not accepted.
const FAILED: &str = "failed";

/// A line that is none of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{text}` is no {expected}")]
pub struct TranscriptError {
    /// The line, from 1.
    pub line: usize,
    /// What is there.
    pub text: String,
    /// What was expected.
    pub expected: &'static str,
}

impl Transcript {
    /// The transcript as lines of tab-separated fields: the region, the question, what would be accepted, the answer. Nothing
    /// of T is in it but the answers.
    pub fn text(&self, problem: &Problem) -> String {
        let mut text = format!("{HEADER}\n");
        for TranscriptStep { region, question, accepted, answer } in &self.steps {
            let question = match question {
                Question::Cut(cut) => cut.text(problem),
                Question::Part(part) => format!("in part {part}"),
            };
            let range = |&(from, to): &(u64, u64)| {
                if from == to { from.to_string() } else { format!("{from}-{to}") }
            };
            let accepted: Vec<String> = accepted.iter().map(range).collect();
            let answer = answer.map_or_else(|| FAILED.to_owned(), |members| members.to_string());
            // Writing to a text does not fail.
            let _ = writeln!(text, "{region}\t{question}\t{}\t{answer}", accepted.join(" "));
        }
        text
    }

    /// The answers of a written transcript, with which the search is run again: the same text comes of it, or it is not this
    /// search's.
    ///
    /// # Errors
    /// A [`TranscriptError`] for a line that has no answer.
    pub fn read_answers(text: &str) -> Result<Vec<Option<u64>>, TranscriptError> {
        let wrong = |line, text: &str, expected| TranscriptError { line, text: text.to_owned(), expected };
        let mut lines = (1..).zip(text.lines());
        match lines.next() {
            Some((_, HEADER)) => {}
            first => {
                let text = first.map_or("", |(_, line)| line);
                return Err(wrong(1, text, "header `region question accepted answer`, separated by tabs"));
            }
        }
        let answer = |(number, line): (usize, &str)| match line.rsplit('\t').next() {
            Some(FAILED) => Ok(None),
            Some(members) if line.split('\t').count() == 4 => {
                members.parse().map(Some).map_err(|_| wrong(number, members, "answer: a number or `failed`"))
            }
            _ => Err(wrong(number, line, "step: four fields separated by tabs")),
        };
        lines.map(answer).collect()
    }

    /// The answers alone, with which the search can be run again without T.
    pub fn answers(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        self.steps.iter().map(|step| step.answer)
    }
}

impl Cut {
    /// What goes to the left, in words: `age before 40`, `job is Clerk`.
    pub fn text(self, problem: &Problem) -> String {
        let name = &problem.quasi()[self.column].name;
        let label = &problem.hierarchy(self.column).labels(self.level)[self.label as usize];
        let sign = match self.rule {
            CutRule::Below => "before",
            CutRule::Only => "is",
        };
        // A label may hold anything.
        format!("{} {sign} {}", name.escape_debug(), label.escape_debug())
    }
}
