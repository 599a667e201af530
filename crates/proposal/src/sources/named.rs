//! The sources of a proposal: two tables with their surveys, and the hierarchies at hand.

use std::io;
use std::path::{Path, PathBuf};

use crate::columns::attributes::{NoProposal, Private, propose};
use crate::hierarchies::found::AtHand;
use crate::people::meeting::Meeting;
use crate::sources::declared::Declared;
use crate::sources::listed::TableRows;
use crate::sources::no_arx::NoArx;
use crate::sources::opened::Opened;
use crate::sources::survey::{Column, Survey};
use crate::{Decision, Decisions, Proposal};
use palmtop_core::located::{Located, Place};
use palmtop_core::progress::{Meter, Observer, Progress};
use palmtop_tables::error::DataError;
use palmtop_tables::identity::{self, Input, InputRole, Naming};
use palmtop_tables::read::{Listed, TableSpec};
use palmtop_tables::reading::Reading;
use palmtop_tables::same_rows::{self, Compared};

/// The tables and settings that the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The files of P.
    pub public: TableSpec,
    /// The files of T; `None` if T is a part of P.
    pub private: Option<TableSpec>,
    /// The column of P that marks the people of T, if T is a part of P; `None` looks for such a column.
    pub member: Option<String>,
    /// A folder with hierarchies.
    pub hierarchies: Option<PathBuf>,
}

/// The stages of reading, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SurveyStage {
    /// Reading the texts of P, in bytes.
    Public,
    /// Reading the texts of T, in bytes.
    Private,
    /// Reading both tables again, to find the people of T who are not in P, in bytes.
    Meeting,
}

/// Two tables that were read once.
#[derive(Debug)]
pub struct Sources {
    /// What was read, and the decisions about rows under which it was.
    named: Option<(Named, Vec<Decision>)>,
    public: Opened,
    private: Option<Opened>,
    member: Option<String>,
    declared: Option<Declared>,
    /// The hierarchies at hand, and the files that are not hierarchies.
    pub at_hand: AtHand,
}

/// The reason why there is no proposal.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// A table or a folder of hierarchies cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No proposal follows from the tables.
    #[error(transparent)]
    None(#[from] NoProposal),
    /// No proposal follows from the tables as they were read, with the questions about how to read them.
    #[error("{why}\nthey were read so; answer otherwise with --set, such as --set private.header=true:\n{}", assumed.join("\n"))]
    Assumed {
        /// What was assumed of the tables.
        assumed: Vec<String>,
        /// Why there is no proposal.
        why: NoProposal,
    },
    /// A project of ARX is no source.
    #[error(transparent)]
    NoArx(#[from] NoArx),
    /// The path does not exist.
    #[error("cannot find {what}{}", path.display())]
    NotFound {
        /// The kind of the path, as the beginning of a message.
        what: &'static str,
        /// The path that was not found.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A project cannot name this path.
    #[error("{}: its name is not UTF-8, so a project cannot have it; rename it", path.display())]
    NotUtf8 {
        /// The path that is not UTF-8.
        path: PathBuf,
    },
}

impl Located for ProposalError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Data(error) => error.places(),
            Self::None(error) | Self::Assumed { why: error, assumed: _ } => error.places(),
            Self::NoArx(error) => error.places(),
            Self::NotFound { path, what: _, source: _ } | Self::NotUtf8 { path } => vec![Place::of(path)],
        }
    }
}

impl std::fmt::Display for SurveyStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Public => "surveying P",
            Self::Private => "surveying T",
            Self::Meeting => "looking for T's people in P",
        })
    }
}

impl Named {
    /// P alone, without other sources.
    pub fn of(public: TableSpec) -> Self {
        Self { public, private: None, member: None, hierarchies: None }
    }

    /// The input files, which are never written.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let tables = std::iter::once(&self.public).chain(&self.private);
        tables.flat_map(|table| &table.paths).map(PathBuf::as_path)
    }
}

/// Refuses a file of P with the rows of T or of another file of P. No column has a role yet, so all that the tables share are
/// compared.
fn check_rows(
    public: &Opened,
    private: Option<&Opened>,
    inputs: &[Input],
    meter: &mut Meter,
) -> Result<(), DataError> {
    let names =
        |opened: &Opened| opened.survey.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let (of_public, of_private) = (names(public), private.map(names));
    let is_shared = |name: &&String| of_private.as_ref().is_none_or(|names| names.contains(name));
    let shared: Vec<&String> = of_public.iter().filter(is_shared).collect();
    let plain = Reading::default();
    let Some(public) = compared(public, &shared, &plain) else { return Ok(()) };
    let private = private.and_then(|private| compared(private, &shared, &plain));
    same_rows::check(&public, private.as_ref(), true, inputs, Naming::Options, meter)
}

fn compared<'a>(opened: &'a Opened, shared: &[&'a String], plain: &'a Reading) -> Option<Compared<'a>> {
    let TableRows::Files(table) = &opened.table else { return None };
    let quasi = shared.iter().map(|name| (name.as_str(), plain)).collect();
    (!shared.is_empty()).then_some(Compared { table, files: &opened.survey.read, quasi })
}

impl Sources {
    /// Reads both tables once, and finds the hierarchies at hand.
    ///
    /// # Errors
    /// [`ProposalError`] if a table or the folder cannot be read; [`DataError::Cancelled`] if the observer stops the work.
    pub fn read(named: &Named, observer: &mut Observer<SurveyStage>) -> Result<Self, ProposalError> {
        Self::read_under(named, &Decisions::default(), observer)
    }

    /// As [`read`](Self::read), under the decisions about rows.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_under(
        named: &Named,
        decisions: &Decisions,
        observer: &mut Observer<SurveyStage>,
    ) -> Result<Self, ProposalError> {
        let private = named.private.iter().flat_map(|table| &table.paths);
        let private = private.map(|path| (InputRole::Private, path.clone()));
        let public = named.public.paths.iter().map(|path| (InputRole::Public, path.clone()));
        let inputs: Vec<Input> = public.chain(private).collect();
        identity::check(&inputs, Naming::Options).map_err(DataError::from)?;
        let mut read = |named: &TableSpec, which, stage| -> Result<Opened, ProposalError> {
            let paths = named.paths.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
            let spec = TableSpec { paths, ..named.clone() };
            Ok(Opened::read(&spec, which, decisions, &mut |done, total| {
                observer(Progress { stage, done, total })
            })?)
        };
        let public = read(&named.public, ("public", None), SurveyStage::Public)?;
        let private = named.private.as_ref();
        let beside = public.survey.files.encoding;
        let private =
            private.map(|table| read(table, ("private", beside), SurveyStage::Private)).transpose()?;
        let stage = SurveyStage::Meeting;
        check_rows(&public, private.as_ref(), &inputs, &mut |done| {
            observer(Progress { stage, done, total: 0 })
        })?;
        let folder = named.hierarchies.as_deref().map(absolute).transpose()?;
        let mut at_hand = AtHand::read(folder.as_deref())?;
        at_hand.leave_out(named.inputs());
        let member = named.member.clone();
        let named = Some((named.clone(), decisions.rows()));
        Ok(Self { named, public, private, member, declared: None, at_hand })
    }

    /// Makes the proposal under some decisions, with the results of a second pass over both tables.
    ///
    /// # Errors
    /// [`ProposalError`] if no proposal follows, or a table cannot be read; [`DataError::Cancelled`] if the observer
    /// stops the work.
    pub fn propose(
        &self,
        decisions: &Decisions,
        observer: &mut Observer<SurveyStage>,
    ) -> Result<(Proposal, Meeting), ProposalError> {
        let proposal = propose(&self.public.survey, self.people(), &self.at_hand, decisions);
        let mut proposal = proposal.map_err(|why| self.no_proposal(why))?;
        let (public, private) = (&self.public.table, self.private.as_ref().map(|private| &private.table));
        let total = public.size() + private.map_or(0, TableRows::size);
        if observer(Progress { stage: SurveyStage::Meeting, done: 0, total }).is_break() {
            return Err(DataError::Cancelled.into());
        }
        let (mut before, mut passed) = (0, 0);
        let meeting = Meeting::of(&proposal, public, private, &mut |done| {
            // The progress starts again with the second table.
            if done < before {
                passed += before;
            }
            before = done;
            observer(Progress { stage: SurveyStage::Meeting, done: passed + done, total })
        })?;
        proposal.settle(&meeting, decisions);
        if let Some(declared) = &self.declared {
            declared.clone().settle(&mut proposal);
        }
        let opened = std::iter::once(&self.public).chain(&self.private);
        proposal.ambiguities.splice(0..0, opened.flat_map(|opened| opened.assumed.clone()));
        Ok((proposal, meeting))
    }

    /// Why there is no proposal, with what was assumed of the tables.
    fn no_proposal(&self, why: NoProposal) -> ProposalError {
        let opened = std::iter::once(&self.public).chain(&self.private);
        let assumed = opened.flat_map(|opened| &opened.assumed);
        let assumed: Vec<String> =
            assumed.map(|assumed| format!("  {}; {}", assumed.what, assumed.remedy)).collect();
        if assumed.is_empty() { why.into() } else { ProposalError::Assumed { assumed, why } }
    }

    /// Sources from a project of another program.
    pub(crate) fn of_opened(public: Opened, private: Opened, at_hand: AtHand, declared: Declared) -> Self {
        Self { named: None, public, private: Some(private), member: None, declared: Some(declared), at_hand }
    }

    /// The tables read again, if the decisions about their rows are not those under which they were read.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn again(
        &self,
        decisions: &Decisions,
        observer: &mut Observer<SurveyStage>,
    ) -> Result<Option<Self>, ProposalError> {
        match &self.named {
            Some((named, rows)) if *rows != decisions.rows() => {
                Self::read_under(named, decisions, observer).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The tables in memory, P first. They are written together with the project.
    pub fn listed(&self) -> impl Iterator<Item = &Listed> {
        std::iter::once(&self.public).chain(&self.private).filter_map(|opened| opened.table.listed())
    }

    /// The source of T.
    pub(crate) fn people(&self) -> Private<'_> {
        match &self.private {
            Some(private) => Private::Table(&private.survey),
            None => Private::Member(self.member.as_deref()),
        }
    }

    /// The survey of P.
    pub(crate) fn public(&self) -> &Survey {
        &self.public.survey
    }

    /// The survey of T; `None` if T is a part of P.
    pub(crate) fn private(&self) -> Option<&Survey> {
        self.private.as_ref().map(|private| &private.survey)
    }

    /// The columns of an attribute in P and in T.
    pub(crate) fn columns(&self, public: &str, private: Option<&str>) -> Option<(&Column, Option<&Column>)> {
        let column = private.and_then(|name| self.private()?.column(name));
        Some((self.public().column(public)?, column))
    }
}

/// The absolute path of a file, which need not exist, without symbolic links.
///
/// # Errors
/// [`ProposalError::NotFound`] if its folder does not exist; [`ProposalError::NotUtf8`] if a project cannot name the path.
pub fn absolute(path: &Path) -> Result<PathBuf, ProposalError> {
    let not_found = |what| move |source| ProposalError::NotFound { what, path: path.to_owned(), source };
    let absolute = std::path::absolute(path).map_err(not_found(""))?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Ok(absolute);
    };
    let absolute = folder.canonicalize().map_err(not_found("the folder of "))?.join(name);
    if absolute.to_str().is_none() {
        return Err(ProposalError::NotUtf8 { path: path.to_owned() });
    }
    Ok(absolute)
}
