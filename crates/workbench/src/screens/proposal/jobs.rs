//! The background jobs: the survey of the tables, each proposal, the search for choices, the
//! writing.

use std::path::PathBuf;
use std::sync::Arc;

use palmtop_proposal::{Aspect, Decisions, ProposalError, ProposedAttribute, Sources};
use palmtop_tables::error::DataError;

use super::answers::Standing;
use super::state::{Message, Offered, ProposalScreen, Shown, Surveyed};
use crate::kit::slot::JobContext;
use crate::kit::words::chain;

impl ProposalScreen {
    /// Reads the tables, and proposes.
    pub(super) fn survey(&mut self) {
        self.progress = None;
        self.why_none = None;
        let (named, decisions) = (self.begin.named.clone(), self.decisions.clone());
        self.surveys.ask(&self.link, Message::Survey, move |job| {
            let read = Sources::read_under(&named, &decisions, &mut |progress| {
                job.tell(Surveyed::Progress(progress));
                job.go_on()
            });
            let sources = match read {
                Ok(sources) => Arc::new(sources),
                Err(error) => return Some(Surveyed::None(sentence(&error))),
            };
            job.part(Surveyed::Read(Arc::clone(&sources)));
            Some(proposed(job, sources, &decisions))
        });
    }

    /// Proposes again with the current decisions.
    pub(super) fn propose(&mut self) {
        let Some(sources) = self.sources.clone() else { return self.survey() };
        let decisions = self.decisions.clone();
        self.progress = None;
        self.surveys.ask(&self.link, Message::Survey, move |job| {
            let _turn = job.turn()?;
            Some(proposed(job, sources, &decisions))
        });
    }

    /// Finds the choices for one part of an attribute, for a window.
    pub(super) fn offer(&mut self, title: String, attribute: ProposedAttribute, aspect: Aspect) {
        let (Some(sources), Some(shown)) = (self.sources.clone(), &self.shown) else { return };
        let (proposal, decisions) = (shown.proposal.clone(), self.decisions.clone());
        self.offering.ask(&self.link, Message::Offer, move |_| {
            let choices = sources.choices(&proposal, &decisions, (&attribute, aspect));
            let taken = choices.iter().position(|choice| proposal.follows(&choice.decision));
            Some(Offered { title, choices, taken })
        });
    }

    /// Writes the project to an absolute path.
    pub(super) fn write(&mut self, target: PathBuf, force: bool) {
        let Some(shown) = &self.shown else { return };
        let (proposal, named) = (shown.proposal.clone(), self.begin.named.clone());
        self.writing.ask(&self.link, Message::Write, move |_| {
            let put = proposal.put(&mut named.gate(), &target, force);
            Some(match put {
                Ok(written) => Ok((target, written.hierarchies.len())),
                Err(error) => Err(chain(&error)),
            })
        });
    }
}

fn proposed(job: &JobContext<Surveyed>, mut sources: Arc<Sources>, decisions: &Decisions) -> Surveyed {
    let again = sources.again(decisions, &mut |progress| {
        job.tell(Surveyed::Progress(progress));
        job.go_on()
    });
    match again {
        Ok(Some(again)) => {
            sources = Arc::new(again);
            job.part(Surveyed::Read(Arc::clone(&sources)));
        }
        Ok(None) => {}
        Err(error) => return Surveyed::None(sentence(&error)),
    }
    let found = sources.propose(decisions, &mut |progress| {
        job.tell(Surveyed::Progress(progress));
        job.go_on()
    });
    match found {
        Ok((proposal, meeting)) => {
            let standing = Standing::of(&sources, (&proposal, &meeting), decisions);
            Surveyed::Proposed(Box::new(Shown { proposal, meeting, standing, decisions: decisions.clone() }))
        }
        Err(error) => Surveyed::None(sentence(&error)),
    }
}

/// An error as a sentence; none if the job was stopped.
fn sentence(error: &ProposalError) -> String {
    if matches!(error, ProposalError::Data(DataError::Cancelled)) { String::new() } else { chain(error) }
}
