//! The same member in each compared release: what is published of one row of T.
//!
//! The pane has published texts only. The values of T are read after `v`, and are forgotten when the screen is left.

use std::sync::Arc;

use palmtop_release::listing::Ranking;
use palmtop_release::pipeline::{self, Analysis, Which};
use palmtop_search::release::Release;

use super::seek::{self, Seeker};
use crate::kit::link::Link;
use crate::kit::slot::{Answer, JobContext, Slot, Task};
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// What a release publishes of the member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Published {
    /// A text for each quasi-identifier.
    Texts(Vec<String>),
    /// The release withdraws the member.
    Withdrawn,
    /// P does not have the member's values, so no release has the row.
    LeftOut,
}

/// A member in several releases.
pub(crate) struct Found {
    /// The number of the row in T, from 1.
    pub(super) number: u64,
    /// The number of rows of T.
    pub(super) total: u64,
    releases: Vec<(Arc<Release>, Published)>,
    /// The values of the quasi-identifiers in T; none while they are hidden.
    pub(super) raw: Option<Vec<String>>,
}

/// A member, or the reason why T cannot be read.
pub(crate) type Sought = Result<Box<Found>, String>;

/// A message of the job.
pub(crate) type Message = Answer<Sought>;

/// The state of the pane.
pub(crate) struct MemberPane {
    /// The number of the row in T, from 1.
    number: u64,
    is_revealed: bool,
    pub(super) found: Option<Sought>,
    slot: Slot<Sought>,
    seeker: Seeker,
}

impl MemberPane {
    /// A pane that has read nothing.
    pub(super) fn new() -> Self {
        let slot = Slot::new(Task { kind: "member", doing: "reading a row of T" });
        Self { number: 1, is_revealed: false, found: None, slot, seeker: Seeker::new() }
    }

    /// The number of the row in T, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether the row that was asked for is read.
    #[cfg(test)]
    pub(crate) fn is_found(&self) -> bool {
        matches!(&self.found, Some(Ok(found)) if found.number == self.number)
    }

    /// Whether a row is being read.
    pub(crate) fn is_open(&self) -> bool {
        self.slot.is_open() || self.seeker.is_open()
    }

    /// The last row, if it is known.
    fn last(&self) -> Option<u64> {
        let found = self.found.as_ref()?.as_ref().ok()?;
        Some(found.total)
    }

    /// Goes to the next member, or to the previous one: of those with the sought text, if there is one.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn step(&mut self, is_forward: bool) -> Result<(), String> {
        if let Some(number) = self.seeker.beside(self.number, is_forward)? {
            self.number = number;
            return Ok(());
        }
        match is_forward {
            true if Some(self.number) == self.last() => Err("this is the last row of T".to_owned()),
            false if self.number == 1 => Err("this is the first row of T".to_owned()),
            true => {
                self.number = self.number.saturating_add(1);
                Ok(())
            }
            false => {
                self.number -= 1;
                Ok(())
            }
        }
    }

    /// Goes to the row with a typed number. Any other text is sought in the published texts.
    pub(super) fn choose(&mut self, typed: &str) {
        let typed = typed.trim();
        let number = typed.replace(',', "").parse().ok().filter(|_| !typed.starts_with(['0', '+']));
        let number = number.filter(|number: &u64| self.last().is_none_or(|last| *number <= last));
        self.seeker.seek(if number.is_some() { "" } else { typed });
        self.number = number.unwrap_or(self.number);
    }

    /// Takes the members with the sought text, and goes to the first of them; returns what to say.
    pub(super) fn take_matches(&mut self, answer: seek::Message) -> Option<String> {
        let (number, said) = self.seeker.take(answer, self.number);
        self.number = number.unwrap_or(self.number);
        said
    }

    /// Looks for the sought text in these releases, unless that is done.
    pub(super) fn seek<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(seek::Message) -> M + Clone + Send + 'static,
        shared: &Shared,
        compared: &[Candidate],
    ) {
        self.seeker.ask(link, wrap, shared, compared);
    }

    /// Shows or hides the values of T; returns what happens, as a sentence.
    pub(super) fn reveal(&mut self) -> &'static str {
        self.is_revealed = !self.is_revealed;
        if self.is_revealed {
            return "the member's values in T show until you leave this screen";
        }
        self.hide();
        "hidden again"
    }

    /// Hides the values of T, and forgets them.
    pub(super) fn hide(&mut self) {
        self.is_revealed = false;
        self.slot.void();
        if let Some(Ok(found)) = &mut self.found {
            found.raw = None;
        }
    }

    /// What a release publishes of the member; none before it is read.
    pub(super) fn published(&self, candidate: &Candidate) -> Option<&Published> {
        let found = self.found.as_ref()?.as_ref().ok().filter(|found| found.number == self.number)?;
        let is_of =
            |(release, _): &&(Arc<Release>, Published)| Arc::ptr_eq(release, &candidate.measured.release);
        found.releases.iter().find(is_of).map(|(_, published)| published)
    }

    /// Reads the member in these releases, unless that is known.
    pub(super) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        shared: &Shared,
        compared: &[Candidate],
    ) {
        let has_raw = matches!(&self.found, Some(Ok(found)) if found.raw.is_some());
        let is_known = compared.iter().all(|candidate| self.published(candidate).is_some());
        if is_known && has_raw == self.is_revealed {
            return;
        }
        let analysis = Arc::clone(&shared.analysis);
        let (number, is_revealed) = (self.number, self.is_revealed);
        let releases: Vec<_> = compared
            .iter()
            .map(|candidate| {
                (Arc::clone(&candidate.measured.release), Arc::clone(&candidate.measured.ranking))
            })
            .collect();
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            if !job.gives_way() {
                return None;
            }
            Some(find(&analysis, (number, is_revealed), &releases, job).map(Box::new))
        });
    }

    /// Takes the answer; returns the message of a failure.
    pub(super) fn take(&mut self, answer: Message) -> Option<String> {
        match self.slot.take(answer)? {
            Ok(found) => {
                self.found = Some(found);
                None
            }
            Err(message) => {
                self.found = Some(Err(self.slot.failure().unwrap_or_default().to_owned()));
                Some(message)
            }
        }
    }
}

/// Finds the class of a row of T in each release.
fn find(
    analysis: &Analysis,
    (number, is_revealed): (u64, bool),
    releases: &[(Arc<Release>, Arc<Ranking>)],
    job: &JobContext<Sought>,
) -> Result<Found, String> {
    let page = pipeline::page::of_table(analysis, Which::Private, number - 1, 1);
    let page = page.map_err(|error| chain(&error))?;
    let total = page.total;
    let row = page.rows.first().ok_or_else(|| format!("T has {} rows", text::count(total)))?;
    let mut found = Vec::new();
    for (release, ranking) in releases {
        let class =
            pipeline::find::class_of_row(analysis, release, (Which::Private, row), &mut || job.go_on());
        let published = match class.map_err(|error| chain(&error))? {
            None => Published::LeftOut,
            Some(class) if ranking.is_pool(class) => Published::Withdrawn,
            Some(class) => {
                let attributes = 0..analysis.problem().quasi().len();
                Published::Texts(
                    attributes.map(|attribute| ranking.text(class, attribute).to_owned()).collect(),
                )
            }
        };
        found.push((Arc::clone(release), published));
    }
    let project = analysis.project();
    let value = |column: &str| {
        let index = page.columns.iter().position(|known| known.name == column);
        index.and_then(|index| row.get(index)).cloned().unwrap_or_default()
    };
    let raw = is_revealed
        .then(|| project.quasi().map(|(attribute, _)| value(project.private_column(attribute))).collect());
    Ok(Found { number, total, releases: found, raw })
}
