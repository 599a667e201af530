//! The questions and their answers: everything that a release of this search reveals about T.

use std::fmt::Write;

use super::population::{Cut, CutRule};
use palmtop_core::model::Problem;

/// Whether a file with this beginning is a transcript: its first line is the header of a transcript.
pub fn begins_transcript(beginning: &[u8]) -> bool {
    let first = beginning.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first = first.strip_suffix(b"\r").unwrap_or(first);
    first == HEADER.as_bytes() || first.starts_with(REHEARSAL.as_bytes())
}

/// All questions with their answers. It is safe to publish.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transcript {
    /// The questions in the order in which they were asked.
    pub steps: Vec<TranscriptStep>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TranscriptStep {
    /// The number of the region. Region 0 is everyone; each accepted cut numbers its two halves.
    pub region: u32,
    /// The question about the region.
    pub question: Question,
    /// The accepted numbers of members in the left half, as inclusive ranges.
    pub accepted: Vec<(u64, u64)>,
    /// The number of members, if it is accepted; `None` for *failed*.
    pub answer: Option<u64>,
}

/// A question about a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// How many members are on the left of this cut?
    Cut(Cut),
    /// Is the region's single member in this part of its free partition, counted from 0?
    Part(u32),
}

/// The header of a written transcript.
const HEADER: &str = "region\tquestion\taccepted\tanswer";
/// The first line of a transcript of an earlier version, which is refused.
const REHEARSAL: &str = "# rehearsal: ";
/// The written answer for a number that is not accepted.
const FAILED: &str = "failed";

/// A line that is not part of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found `{text}`")]
pub struct TranscriptError {
    /// The line number, from 1.
    pub line: usize,
    /// The text of the line or of its answer.
    pub text: String,
    /// What was expected instead.
    pub expected: &'static str,
}

impl Transcript {
    /// The transcript as lines of four fields separated by tabs: region, question, accepted
    /// numbers, answer. The text has no information about T except the answers.
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
            // Writing to a string does not fail.
            let _ = writeln!(text, "{region}\t{question}\t{}\t{answer}", accepted.join(" "));
        }
        text
    }

    /// The answers of a written transcript.
    ///
    /// If a search with these answers writes the same text, the transcript belongs to that search.
    ///
    /// # Errors
    /// [`TranscriptError`] for a line without an answer.
    pub fn read_answers(text: &str) -> Result<Vec<Option<u64>>, TranscriptError> {
        let wrong = |line, text: &str, expected| TranscriptError { line, text: text.to_owned(), expected };
        let mut lines = (1..).zip(text.lines());
        match lines.next() {
            Some((_, HEADER)) => {}
            first => {
                let text = first.map_or("", |(_, line)| line);
                let expected = if text.starts_with(REHEARSAL) {
                    "no line about a rehearsal, which is gone: search again"
                } else {
                    "the header `region question accepted answer`, separated by tabs"
                };
                return Err(wrong(1, text, expected));
            }
        }
        let answer = |(number, line): (usize, &str)| match line.rsplit('\t').next() {
            Some(FAILED) => Ok(None),
            Some(members) if line.split('\t').count() == 4 => members
                .parse()
                .map(Some)
                .map_err(|_| wrong(number, members, "an answer: a number or `failed`")),
            _ => Err(wrong(number, line, "a step: four fields separated by tabs")),
        };
        lines.map(answer).collect()
    }

    /// The answers, with which the search can be repeated without T.
    pub fn answers(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        self.steps.iter().map(|step| step.answer)
    }
}

impl Cut {
    /// The left half in words: `age before 40`, `job is Clerk`.
    pub fn text(self, problem: &Problem) -> String {
        let name = &problem.quasi()[self.column].name;
        let label = &problem.hierarchy(self.column).labels(self.level)[self.label as usize];
        let sign = match self.rule {
            CutRule::Below => "before",
            CutRule::Only => "is",
        };
        // Names and labels may have any characters.
        format!("{} {sign} {}", name.escape_debug(), label.escape_debug())
    }
}
