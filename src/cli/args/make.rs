//! Options of making a release: what may be overwritten, and what is accepted with a reason.

use clap::Args;
use palmtop::caution::{Acceptance, Key};
use palmtop::codebook::CodebookForm;
use palmtop::package::Paper;
use palmtop::project::reason;
use palmtop::sql::Dialect;
use std::path::Path;
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
                    reason::read(reason).map_err(|expected| format!("`{key}` has no reason: {expected}"))?;
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

/// The files beside a release or a report.
#[derive(Clone, Debug, Args)]
pub(crate) struct WithArguments {
    /// Also write these files, named after -o: codebook, mapping or sql; `anonymize` writes report and transcript, too.
    ///
    /// `-o out.csv --with codebook,sql` also writes out.codebook.csv and out.sql.
    ///
    /// codebook: what each text of the release means, and the people of P who have these values. It has nothing of T that the release
    /// lacks. mapping: each value of P with the texts of the release that mean it. Both are CSV; `codebook.json` is
    /// JSON. sql: the statements that load the release into a database.
    ///
    /// report: the result with the hashes of all inputs, as JSON. It is for you, not for the recipient. transcript: the questions that
    /// `simulatable` asked of T, and the answers. They reveal no more than the release does.
    ///
    /// signer, recipient, codebook: what a package has beside the release; by default all three.
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    pub(crate) with: Vec<WithFile>,
    /// The dialect of --with sql; by default ansi.
    #[arg(long, value_name = "DIALECT", requires = "with")]
    pub(crate) dialect: Option<Dialect>,
}

/// A file of `--with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithFile {
    Report,
    Codebook(CodebookForm),
    Mapping(CodebookForm),
    Transcript,
    Sql,
    /// A report of a package.
    Signer,
    /// A report of a package.
    Recipient,
}

impl WithFile {
    /// The paper of a package that it is; none if a package does not have it.
    pub(crate) fn paper(self) -> Option<Paper> {
        match self {
            Self::Signer => Some(Paper::Signer),
            Self::Recipient => Some(Paper::Recipient),
            Self::Codebook(CodebookForm::Csv) => Some(Paper::CodeList),
            _ => None,
        }
    }

    /// What it is called in `--with`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Codebook(_) => "codebook",
            Self::Mapping(_) => "mapping",
            Self::Transcript => "transcript",
            Self::Sql => "sql",
            Self::Signer => "signer",
            Self::Recipient => "recipient",
        }
    }

    /// What its name has after that of the release.
    pub(crate) fn ending(self) -> String {
        let form = match self {
            Self::Report => "json",
            Self::Transcript => "txt",
            Self::Signer | Self::Recipient => "html",
            Self::Sql => return "sql".to_owned(),
            Self::Codebook(form) | Self::Mapping(form) => form.as_str(),
        };
        format!("{}.{form}", self.name())
    }
}

impl FromStr for WithFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected report, codebook, mapping, transcript or sql; codebook and mapping may end in .csv or .json; for a package signer, recipient or codebook";
        let (name, form) = match text.split_once('.') {
            Some((name, _)) => (name, CodebookForm::of(Path::new(text))),
            None => (text, Some(CodebookForm::Csv)),
        };
        let of_code = |file: fn(CodebookForm) -> Self| form.map(file).ok_or_else(|| expected.to_owned());
        match (name, text) {
            (_, "report") => Ok(Self::Report),
            (_, "transcript") => Ok(Self::Transcript),
            (_, "sql") => Ok(Self::Sql),
            (_, "signer") => Ok(Self::Signer),
            (_, "recipient") => Ok(Self::Recipient),
            ("codebook", _) => of_code(Self::Codebook),
            ("mapping", _) => of_code(Self::Mapping),
            _ => Err(expected.to_owned()),
        }
    }
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
