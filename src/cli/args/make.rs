//! Options of making a release: what may be overwritten, and what is accepted with a reason.

use clap::Args;
use palmtop::caution::{Acceptance, Key};
use palmtop::text;
use std::path::PathBuf;
use std::str::FromStr;

/// What is accepted with a reason: severe cautions, a release that breaks the policy, a looser δ.
#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write the release despite this, and record the reason, a sentence. KEY is a severe caution (certain, betrays:COLUMN,
    /// undecided:COLUMN); `not_present` for a release that is not δ-present; or `looser_delta` for a δ that is looser than the
    /// project's. Repeat the option for several keys.
    #[arg(long, value_name = "KEY=REASON")]
    pub(crate) accept: Vec<AcceptArgument>,
}

/// A key with the reason to accept it.
#[derive(Clone, Debug)]
pub(crate) enum AcceptArgument {
    Caution(Acceptance),
    NotPresent(String),
}

impl AcceptArgument {
    /// The key of a release that breaks the policy.
    pub(crate) const NOT_PRESENT: &str = "not_present";
}

impl FromStr for AcceptArgument {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        match typed.split_once('=') {
            Some((key, reason)) if key.trim() == Self::NOT_PRESENT => {
                let reason =
                    text::reason(reason).map_err(|expected| format!("`{key}` has no reason: {expected}"))?;
                Ok(Self::NotPresent(reason.to_owned()))
            }
            _ => typed.parse().map(Self::Caution),
        }
    }
}

impl AcceptArguments {
    /// The cautions that are accepted.
    pub(crate) fn cautions(&self) -> Vec<Acceptance> {
        let cautions = self.accept.iter().filter_map(|accepted| match accepted {
            AcceptArgument::Caution(caution) => Some(caution.clone()),
            AcceptArgument::NotPresent(_) => None,
        });
        cautions.collect()
    }

    /// The reason to write a release that is not δ-present.
    pub(crate) fn not_present(&self) -> Option<&str> {
        self.accept.iter().find_map(|accepted| match accepted {
            AcceptArgument::NotPresent(reason) => Some(reason.as_str()),
            AcceptArgument::Caution(_) => None,
        })
    }

    /// The reason for a δ that is looser than the project's.
    pub(crate) fn looser_delta(&self) -> Option<&str> {
        self.accept.iter().find_map(|accepted| match accepted {
            AcceptArgument::Caution(caution) if caution.key == Key::LooserDelta => {
                Some(caution.reason.as_str())
            }
            _ => None,
        })
    }
}

/// The files that explain the texts of a release.
#[derive(Clone, Debug, Args)]
pub(crate) struct CodebookArguments {
    /// Also write the code list (.csv, .json or .md).
    ///
    /// It has each text of the release with the values of P that it means, and the people of P who have them.
    ///
    /// CSV, JSON or Markdown, by the ending .csv, .json or .md. It has nothing of T that the release lacks.
    #[arg(long, value_name = "FILE")]
    pub(crate) codebook: Option<PathBuf>,
    /// Also write the mapping (.csv, .json or .md).
    ///
    /// It has each value of P with the texts of the release that mean it.
    ///
    /// CSV, JSON or Markdown, by the ending.
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
}

/// A step as it is typed: `4`, or `2.4`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepArgument {
    pub(crate) sitting: Option<usize>,
    pub(crate) step: usize,
}

impl FromStr for StepArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.parse().ok();
        let read = match text.split_once('.') {
            None => number(text).map(|step| Self { sitting: None, step }),
            Some((sitting, step)) => number(sitting)
                .filter(|sitting| *sitting > 0)
                .zip(number(step))
                .map(|(sitting, step)| Self { sitting: Some(sitting), step }),
        };
        read.ok_or_else(|| "expected a step such as 4, or 2.4 for step 4 of the second sitting".to_owned())
    }
}
