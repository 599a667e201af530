//! The cautions of the project and of the place where the analyst stands, counted in the background: both read T again.

use std::sync::Arc;

use palmtop::caution::{self, Caution, Facts, ProjectCautions, SessionFacts};
use palmtop::pipeline::Analysis;
use palmtop::release::{KnowsAlgorithm, Release};

use crate::tui::kit::link::Link;
use crate::tui::kit::slot::{Answer, Slot, Task};
use crate::tui::kit::words::chain;

/// The project's cautions, which every release of it has.
type OfProject = Result<Arc<ProjectCautions>, String>;

/// A release, with what its cautions follow from.
type OfRelease = (Arc<Release>, Result<Box<Facts>, String>);

/// What a job has to say: the project's cautions, and what those of the release follow from, if one was asked about.
pub(crate) struct Counted {
    project: OfProject,
    release: Option<OfRelease>,
}

/// What its jobs have to say.
pub(crate) type Message = Answer<Counted>;

/// What is known of the cautions.
pub(crate) struct Cautions {
    slot: Slot<Counted>,
    project: Option<OfProject>,
    release: Option<OfRelease>,
}

/// A release, with what the session knows of it.
pub(crate) struct Known<'a> {
    pub(crate) release: &'a Arc<Release>,
    /// What an audit found, if there was one.
    pub(crate) audited: Option<KnowsAlgorithm>,
    /// How often δ was changed after the first search.
    pub(crate) changes: usize,
}

/// The cautions of a place, as far as they are counted.
pub(crate) struct Shown {
    /// The cautions, the severe ones first.
    pub(crate) cautions: Vec<Caution>,
    /// What δ says of a person; none before the release is counted.
    pub(crate) headline: Option<String>,
}

impl Cautions {
    /// Nothing is counted yet.
    pub(crate) fn new() -> Self {
        let slot = Slot::new(Task { kind: "cautions", doing: "counting the cautions" });
        Self { slot, project: None, release: None }
    }

    /// Counts what is not known yet: the project's cautions, and those of a release.
    pub(crate) fn count<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        analysis: &Arc<Analysis>,
        release: Option<&Arc<Release>>,
    ) {
        let known = self.project.clone();
        let release = release.filter(|release| self.facts(release).is_none()).map(Arc::clone);
        if known.is_some() && release.is_none() {
            self.slot.void();
            return;
        }
        let analysis = Arc::clone(analysis);
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            if !job.gives_way() {
                return None;
            }
            let project = known.unwrap_or_else(|| {
                let found = caution::of_project(&analysis, &mut |_| job.go_on());
                found.map(Arc::new).map_err(|error| chain(&error))
            });
            let release = release.filter(|_| job.gives_way()).map(|release| {
                let facts = project.clone().and_then(|project| {
                    let risk = analysis.risk_classes(&release).map_err(|error| chain(&error))?;
                    Ok(Box::new(Facts::of_release(&analysis, &release, &risk, &project)))
                });
                (release, facts)
            });
            job.is_current().then_some(Counted { project, release })
        });
    }

    /// Takes what was counted; answers what is to be said.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        match self.slot.take(message)? {
            Ok(Counted { project, release }) => {
                self.project = Some(project);
                if release.is_some() {
                    self.release = release;
                }
                None
            }
            Err(said) => Some(said),
        }
    }

    /// Whether something is being counted.
    pub(crate) fn is_open(&self) -> bool {
        self.slot.is_open()
    }

    fn facts(&self, release: &Arc<Release>) -> Option<&Result<Box<Facts>, String>> {
        self.release.as_ref().filter(|(own, _)| Arc::ptr_eq(own, release)).map(|(_, facts)| facts)
    }

    /// The cautions of the project, with those of a release as far as they are counted; none before that.
    ///
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn shown(&self, release: Option<&Known<'_>>) -> Option<Result<Shown, String>> {
        if let Some(why) = self.slot.failure() {
            return Some(Err(why.to_owned()));
        }
        let project = match self.project.as_ref()? {
            Ok(project) => project,
            Err(why) => return Some(Err(why.clone())),
        };
        let Some(Known { release, audited, changes }) = release else {
            return Some(Ok(Shown::of_project(project)));
        };
        Some(match self.facts(release) {
            None => Ok(Shown::of_project(project)),
            Some(Err(why)) => Err(why.clone()),
            Some(Ok(facts)) => {
                let mut facts = Facts::clone(facts);
                if let Some(knows) = audited {
                    facts.algorithm = (*knows).into();
                }
                facts.session =
                    Some(SessionFacts { has_same_inputs: true, lacks_release: false, changes: *changes });
                let headline = facts.presences.as_ref().map(|_| facts.headline());
                Ok(Shown { cautions: caution::of_release(&facts, project), headline })
            }
        })
    }
}

impl Shown {
    fn of_project(project: &ProjectCautions) -> Self {
        Self { cautions: project.list.clone(), headline: None }
    }

    /// How many there are, and how many of them are severe: `3 cautions, 1 severe`.
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
