//! The cautions of the project and of the release on the workbench. A background job counts both; each count reads T again.

use std::sync::Arc;

use palmtop_release::caution::{self, Basis, Caution, Facts};
use palmtop_release::history::{RecodingRecipe, Sitting};
use palmtop_release::pipeline::Analysis;
use palmtop_search::release::{KnowsAlgorithm, Release};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::words::chain;
use crate::shared::existing::Existing;
use crate::shared::saver::Saver;

/// The releases whose cautions are kept: the one on the workbench, and those that a cursor was on.
const KEPT: usize = 4;

/// The cautions that every release of the project has, or why they cannot be counted.
type OfProject = Result<Arc<Basis>, String>;

/// A release with the facts that its cautions follow from, or why they cannot be counted.
type OfRelease = (Arc<Release>, Result<Box<Facts>, String>);

/// The answer of a counting job; `release` is none if only the project was asked about.
pub(crate) struct Counted {
    project: OfProject,
    existing: Existing,
    release: Option<OfRelease>,
}

pub(crate) type Message = Answer<Counted>;

/// The cautions that are counted so far.
pub(crate) struct Cautions {
    slot: Slot<Counted>,
    project: Option<OfProject>,
    /// The earlier releases and other sittings; none if they may have changed since they were read.
    existing: Option<Existing>,
    /// The releases that were counted last, the newest last.
    releases: Vec<OfRelease>,
}

/// A release with what the sitting knows of it.
pub(crate) struct Known<'a> {
    pub(crate) recipe: &'a RecodingRecipe,
    pub(crate) release: &'a Arc<Release>,
    /// The verdict of its audit; none without an audit.
    pub(crate) audited: Option<KnowsAlgorithm>,
}

/// The cautions to show.
pub(crate) struct Shown {
    /// The severe ones come first.
    pub(crate) cautions: Vec<Caution>,
    /// What δ promises a person; none before the release is counted.
    pub(crate) headline: Option<String>,
}

impl Cautions {
    /// A list without a count.
    pub(crate) fn new() -> Self {
        let slot = Slot::new(Task { kind: "cautions", doing: "counting the cautions" });
        Self { slot, project: None, existing: None, releases: Vec::new() }
    }

    /// Makes the next count read the history again.
    pub(crate) fn forget_existing(&mut self) {
        self.existing = None;
    }

    /// Counts the cautions that are still missing: the project's, and those of a release.
    pub(crate) fn count<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        (analysis, saver): (&Arc<Analysis>, &Saver),
        release: Option<&Arc<Release>>,
    ) {
        let known = self.project.clone();
        let release = release.filter(|release| self.facts(release).is_none()).map(Arc::clone);
        if known.is_some() && self.existing.is_some() && release.is_none() {
            self.slot.void();
            return;
        }
        let (analysis, saver) = (Arc::clone(analysis), saver.clone());
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            if !job.gives_way() {
                return None;
            }
            let project = known.unwrap_or_else(|| {
                let found = Basis::of(&analysis, &mut |_| job.go_on());
                found.map(Arc::new).map_err(|error| chain(&error))
            });
            let release = release.filter(|_| job.gives_way()).map(|release| {
                let facts = project.as_ref().map(|basis| Box::new(basis.facts(&analysis, &release)));
                let facts = facts.map_err(Clone::clone);
                (release, facts)
            });
            let existing = Existing::read(&analysis, &saver);
            job.is_current().then_some(Counted { project, existing, release })
        });
    }

    /// Takes a count; returns the message of a job that failed.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        match self.slot.take(message)? {
            Ok(Counted { project, existing, release }) => {
                self.project = Some(project);
                self.existing = Some(existing);
                if release.is_some() && self.releases.len() == KEPT {
                    drop(self.releases.remove(0));
                }
                self.releases.extend(release);
                None
            }
            Err(failure) => Some(failure),
        }
    }

    /// Whether a count is running.
    pub(crate) fn is_open(&self) -> bool {
        self.slot.is_open()
    }

    fn facts(&self, release: &Arc<Release>) -> Option<&Result<Box<Facts>, String>> {
        self.releases.iter().find(|(known, _)| Arc::ptr_eq(known, release)).map(|(_, facts)| facts)
    }

    /// The cautions of the project, with those of a release if they are counted; none before the first count. `log` is the sitting
    /// as it is now.
    ///
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn shown(
        &self,
        (analysis, log): (&Analysis, &Sitting),
        release: Option<&Known<'_>>,
    ) -> Option<Result<Shown, String>> {
        if let Some(why) = self.slot.failure() {
            return Some(Err(why.to_owned()));
        }
        let basis = match self.project.as_ref()? {
            Ok(basis) => basis,
            Err(why) => return Some(Err(why.clone())),
        };
        let unread = Existing::default();
        let existing = self.existing.as_ref().unwrap_or(&unread);
        let of_project = || {
            let project = basis.project.clone().with_surroundings(&existing.surroundings(analysis, log));
            Ok(Shown { cautions: project.list, headline: None })
        };
        let Some(Known { recipe, release, audited }) = release else { return Some(of_project()) };
        Some(match self.facts(release) {
            None => of_project(),
            Some(Err(why)) => Err(why.clone()),
            Some(Ok(facts)) => {
                let mut facts = Facts::clone(facts);
                if let Some(knows) = audited {
                    facts.algorithm = (*knows).into();
                }
                let known = existing.circumstances((analysis, log), recipe, release.delta());
                let judged = caution::judge(&facts, &basis.project, &known);
                Ok(Shown { cautions: judged.cautions, headline: Some(judged.headline) })
            }
        })
    }
}

impl Shown {
    /// The number of cautions, and of severe ones: `3 cautions, 1 severe`.
    pub(crate) fn summary(&self) -> String {
        let open = self.cautions.iter().filter(|caution| caution.is_open()).count();
        let severe = if open > 0 { format!(", {open} severe") } else { String::new() };
        match self.cautions.len() {
            0 => "no cautions".to_owned(),
            1 => format!("1 caution{severe}"),
            count => format!("{count} cautions{severe}"),
        }
    }
}
