//! The cautions of the project and of the place where the analyst stands, counted in the background: both read T again.

use std::sync::Arc;

use palmtop_flow::caution::{self, Caution, Facts, ProjectCautions, ReleaseFile, SessionFacts, Surroundings};
use palmtop_flow::pipeline::{self, Analysis};
use palmtop_flow::register;
use palmtop_search::release::{KnowsAlgorithm, Release};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::terminal::Keeper as _;
use crate::kit::words::chain;
use crate::shared::saver::Saver;

/// How many releases are remembered: the one where the analyst stands, and those that were pointed at.
const KEPT: usize = 4;

/// The project's cautions, which every release of it has.
type OfProject = Result<Arc<ProjectCautions>, String>;

/// A release, with what its cautions follow from.
type OfRelease = (Arc<Release>, Result<Box<Facts>, String>);

/// What a job has to say: the project's cautions, what there is beside it, and what those of the release follow from, if one
/// was asked about.
pub(crate) struct Counted {
    project: OfProject,
    surroundings: Surroundings,
    release: Option<OfRelease>,
}

/// What its jobs have to say.
pub(crate) type Message = Answer<Counted>;

/// What is known of the cautions.
pub(crate) struct Cautions {
    slot: Slot<Counted>,
    project: Option<OfProject>,
    /// What there is beside the project; none if that may have changed since.
    surroundings: Option<Surroundings>,
    /// The releases that were counted last, the newest at the end.
    releases: Vec<OfRelease>,
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
        Self { slot, project: None, surroundings: None, releases: Vec::new() }
    }

    /// What there is beside the project may have changed: it is read again before the next list.
    pub(crate) fn forget_surroundings(&mut self) {
        self.surroundings = None;
    }

    /// Counts what is not known yet: the project's cautions, and those of a release.
    pub(crate) fn count<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        (analysis, saver): (&Arc<Analysis>, &Saver),
        release: Option<&Arc<Release>>,
    ) {
        let known = self.project.clone();
        let release = release.filter(|release| self.facts(release).is_none()).map(Arc::clone);
        if known.is_some() && self.surroundings.is_some() && release.is_none() {
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
                let found = caution::of_project(&analysis, &mut |_| job.go_on());
                found.map(Arc::new).map_err(|error| chain(&error))
            });
            let release = release.filter(|_| job.gives_way()).map(|release| {
                let facts = project.clone().and_then(|project| {
                    let risk = pipeline::risk::classes(&analysis, &release).map_err(|error| chain(&error))?;
                    Ok(Box::new(Facts::of_release(&analysis, &release, &risk, &project)))
                });
                (release, facts)
            });
            let surroundings = surroundings(&analysis, &saver);
            job.is_current().then_some(Counted { project, surroundings, release })
        });
    }

    /// Takes what was counted; answers what is to be said.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        match self.slot.take(message)? {
            Ok(Counted { project, surroundings, release }) => {
                self.project = Some(project);
                self.surroundings = Some(surroundings);
                if release.is_some() && self.releases.len() == KEPT {
                    drop(self.releases.remove(0));
                }
                self.releases.extend(release);
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
        self.releases.iter().find(|(own, _)| Arc::ptr_eq(own, release)).map(|(_, facts)| facts)
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
            Ok(project) => ProjectCautions::clone(project),
            Err(why) => return Some(Err(why.clone())),
        };
        let project = &self.surroundings.iter().fold(project, ProjectCautions::beside);
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

/// What there is beside a project by now: earlier releases, and other sessions in which δ was searched. Only a project that is
/// kept has a register and sessions. What waits for the disk is written first.
pub(crate) fn surroundings(analysis: &Analysis, saver: &Saver) -> Surroundings {
    if !saver.is_kept() {
        return Surroundings::default();
    }
    saver.flush();
    let session = saver.path();
    // A register that cannot be read is said when it is written to.
    let register = register::of_project(analysis.path()).unwrap_or_default();
    let file = ReleaseFile { session: session.as_deref(), ..ReleaseFile::default() };
    Surroundings::of(analysis.path(), &register, file)
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
