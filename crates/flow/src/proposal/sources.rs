//! What a proposal is made from: two tables that were named, each with its survey, and the hierarchies at hand.

use std::io;
use std::path::{Path, PathBuf};

use super::attributes::{NoProposal, Private, propose};
use super::found::AtHand;
use super::opened::Opened;
use super::people::Meeting;
use super::survey::{Column, Survey};
use super::{Decisions, Proposal};
use palmtop_core::progress::{Observer, Progress};
use palmtop_tables::error::DataError;
use palmtop_tables::identity::{self, InputRole, Naming};
use palmtop_tables::read::{Table, TableSpec};

/// The tables as they were named, and what else was said of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// P's files.
    pub public: TableSpec,
    /// T's files; `None` where T is part of P.
    pub private: Option<TableSpec>,
    /// The column of P that says who is in T, where T is part of P; `None`: the one that looks so.
    pub member: Option<String>,
    /// A folder of hierarchies to look for fitting ones in.
    pub hierarchies: Option<PathBuf>,
}

/// What is read, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SurveyStage {
    /// P's texts, in bytes.
    Public,
    /// T's texts, in bytes.
    Private,
    /// Both once more, for the people of T whom P lacks, in bytes.
    Meeting,
}

/// Two tables, read once.
#[derive(Debug)]
pub struct Sources {
    public: Opened,
    private: Option<Opened>,
    member: Option<String>,
    /// The hierarchies that were looked at, and the files that are none.
    pub at_hand: AtHand,
}

/// Why there is no proposal.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// A table or a folder of hierarchies cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Nothing follows from the tables.
    #[error(transparent)]
    None(#[from] NoProposal),
    /// There is no such place.
    #[error("cannot find {what}{}", path.display())]
    NoPlace {
        /// What was looked for, before the path.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A path that no project could name.
    #[error("{}: its name is no UTF-8, and a project could not name it; rename it", path.display())]
    NotUtf8 {
        /// The path.
        path: PathBuf,
    },
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
    /// P alone, of which nothing else is known.
    pub fn of(public: TableSpec) -> Self {
        Self { public, private: None, member: None, hierarchies: None }
    }

    /// The files that are read, and never written.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let tables = std::iter::once(&self.public).chain(&self.private);
        tables.flat_map(|table| &table.paths).map(PathBuf::as_path)
    }
}

impl Sources {
    /// Reads both tables once, and the hierarchies at hand.
    ///
    /// # Errors
    /// [`ProposalError`]: a table or the folder cannot be read; [`DataError::Cancelled`] where the observer says stop.
    pub fn read(named: &Named, observer: &mut Observer<SurveyStage>) -> Result<Self, ProposalError> {
        let private = named.private.iter().flat_map(|table| &table.paths);
        let private = private.map(|path| (InputRole::Private, path.clone()));
        let public = named.public.paths.iter().map(|path| (InputRole::Public, path.clone()));
        identity::check(&public.chain(private).collect::<Vec<_>>(), Naming::Options)
            .map_err(DataError::from)?;
        let mut read = |named: &TableSpec, which, stage| -> Result<Opened, ProposalError> {
            let paths = named.paths.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
            let spec = TableSpec { paths, ..named.clone() };
            Ok(Opened::read(&spec, which, &mut |done, total| observer(Progress { stage, done, total }))?)
        };
        let public = read(&named.public, "public", SurveyStage::Public)?;
        let private = named.private.as_ref();
        let private = private.map(|table| read(table, "private", SurveyStage::Private)).transpose()?;
        let folder = named.hierarchies.as_deref().map(absolute).transpose()?;
        let mut at_hand = AtHand::read(folder.as_deref())?;
        at_hand.leave_out(named.inputs());
        Ok(Self { public, private, member: named.member.clone(), at_hand })
    }

    /// What is proposed under some decisions, and what a second pass over both tables told of their people.
    ///
    /// # Errors
    /// [`ProposalError`]: nothing follows, or a table cannot be read any more; [`DataError::Cancelled`] where the observer
    /// says stop.
    pub fn propose(
        &self,
        decisions: &Decisions,
        observer: &mut Observer<SurveyStage>,
    ) -> Result<(Proposal, Meeting), ProposalError> {
        let mut proposal = propose(&self.public.survey, self.people(), &self.at_hand, decisions)?;
        let (public, private) = (&self.public.table, self.private.as_ref().map(|private| &private.table));
        let total = public.size() + private.map_or(0, Table::size);
        if observer(Progress { stage: SurveyStage::Meeting, done: 0, total }).is_break() {
            return Err(DataError::Cancelled.into());
        }
        let (mut before, mut passed) = (0, 0);
        let meeting = Meeting::of(&proposal, public, private, &mut |done| {
            // The second table begins anew.
            if done < before {
                passed += before;
            }
            before = done;
            observer(Progress { stage: SurveyStage::Meeting, done: passed + done, total })
        })?;
        proposal.settle(&meeting, decisions);
        let opened = std::iter::once(&self.public).chain(&self.private);
        proposal.ambiguities.splice(0..0, opened.filter_map(|opened| opened.assumed.clone()));
        Ok((proposal, meeting))
    }

    /// Who T is.
    pub(super) fn people(&self) -> Private<'_> {
        match &self.private {
            Some(private) => Private::Table(&private.survey),
            None => Private::Member(self.member.as_deref()),
        }
    }

    /// P's survey.
    pub(super) fn public(&self) -> &Survey {
        &self.public.survey
    }

    /// T's survey, where T is a table of its own.
    pub(super) fn private(&self) -> Option<&Survey> {
        self.private.as_ref().map(|private| &private.survey)
    }

    /// The columns of an attribute in P and in T.
    pub(super) fn columns(&self, public: &str, private: Option<&str>) -> Option<(&Column, Option<&Column>)> {
        let own = private.and_then(|name| self.private()?.column(name));
        Some((self.public().column(public)?, own))
    }
}

/// The path of a file that is there or will be, from the root on, through no link.
///
/// # Errors
/// [`ProposalError::NoPlace`] where its folder is not there, [`ProposalError::NotUtf8`] where no project could name it.
pub fn absolute(path: &Path) -> Result<PathBuf, ProposalError> {
    let no_place = |what| move |source| ProposalError::NoPlace { what, path: path.to_owned(), source };
    let absolute = std::path::absolute(path).map_err(no_place(""))?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Ok(absolute);
    };
    let absolute = folder.canonicalize().map_err(no_place("the folder of "))?.join(name);
    if absolute.to_str().is_none() {
        return Err(ProposalError::NotUtf8 { path: path.to_owned() });
    }
    Ok(absolute)
}
