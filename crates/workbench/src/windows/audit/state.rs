//! The state of the audit of one release.

use std::sync::Arc;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent};
use palmtop_release::history::Search;
use palmtop_search::release::Release;
use palmtop_search::{Audit, AuditConfig, Config, Step, Strategy, audit};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, JobContext, Slot, Task};
use crate::shared::intent::{Edit, Intent};
use crate::shared::report::Report;
use crate::shared::state::Shared;

/// The audit as a job.
const AUDITING: Task = Task { kind: "audit", doing: "auditing" };

/// A report of the audit.
pub(crate) enum Audited {
    Step(Step),
    Ended(Box<Audit>),
}

/// A message of the audit's job.
pub(crate) type Message = Answer<Audited>;

/// The stage of the audit.
pub(crate) enum Stage {
    Running {
        started: Instant,
        step: Option<Step>,
    },
    Done(Box<Audit>),
    /// The job failed, for this reason.
    Broken(String),
}

/// The window.
pub(crate) struct AuditWindow {
    slot: Slot<Audited>,
    /// The search that made the release.
    pub(crate) search: Search,
    /// Its strategy.
    pub(crate) strategy: Strategy,
    pub(crate) release: Arc<Release>,
    pub(crate) stage: Stage,
}

impl AuditWindow {
    /// Opens the window for the release of a search, and begins the audit unless its result is known.
    pub(crate) fn open(
        link: &Link<Report>,
        shared: &Shared,
        (search, strategy, release): (Search, Strategy, Arc<Release>),
    ) -> Self {
        let mut slot = Slot::new(AUDITING);
        let stage = if let Some(known) = shared.audit_of(&search, &release) {
            Stage::Done(Box::new(known.clone()))
        } else {
            let problem = shared.problem.clone();
            let (audited, made_by) = (Arc::clone(&release), search.clone());
            slot.ask(link, Report::new, move |job: &JobContext<Audited>| {
                let Search { metric, seed, rounds, opening, .. } = made_by;
                let config = Config { metric, seed, rounds, opening };
                let how = AuditConfig { seed, ..AuditConfig::default() };
                let found = audit(&problem, strategy, &audited.recoding, &config, how, &mut |step| {
                    job.part(Audited::Step(step));
                    job.go_on()
                });
                found.map(|audit| Audited::Ended(Box::new(audit)))
            });
            Stage::Running { started: Instant::now(), step: None }
        };
        Self { slot, search, strategy, release, stage }
    }

    /// Handles a key: any key closes the window of a finished audit; Esc, q and x stop a running one.
    pub(super) fn press(&mut self, key: KeyEvent) -> Intent {
        if let (Stage::Running { .. }, false) =
            (&self.stage, matches!(key.code, KeyCode::Esc | KeyCode::Char('q' | 'x')))
        {
            return Intent::None;
        }
        // Dropping the window drops its slot, which stops the job.
        Intent::Close
    }

    /// Handles a message of the job.
    pub(super) fn take_message(&mut self, message: Message) -> Intent {
        match self.slot.take(message) {
            Some(Ok(Audited::Step(now))) => {
                if let Stage::Running { step, .. } = &mut self.stage {
                    *step = Some(now);
                }
            }
            Some(Ok(Audited::Ended(audit))) => {
                let known = Intent::Edit(Edit::Audited {
                    search: self.search.clone(),
                    delta: self.release.delta(),
                    audit: audit.clone(),
                });
                self.stage = Stage::Done(audit);
                return known;
            }
            Some(Err(_)) => {
                self.stage = Stage::Broken(self.slot.failure().unwrap_or_default().to_owned());
            }
            None => {}
        }
        Intent::None
    }

    /// Whether the audit is running.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running { .. })
    }
}
