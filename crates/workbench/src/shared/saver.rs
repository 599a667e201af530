//! Keeps the sitting in the history of the project. A thread writes each step, so that a slow disk never blocks the screen. An
//! exit waits for the thread.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use palmtop_release::history::{self, Entry, Sitting, SittingFile, StepName};
use palmtop_tables::write::Gate;

use crate::kit::link::Link;
use crate::kit::terminal::Keeper;
use crate::kit::words::chain;

/// The time for which an exit waits for the last step.
const PATIENCE: Duration = Duration::from_secs(3);

/// The connection to the disk. Without a project, as for a built-in one, nothing is saved.
#[derive(Clone, Default)]
pub(crate) struct Saver {
    queue: Option<Arc<SaveQueue>>,
    project: Option<PathBuf>,
}

/// The state that the thread shares.
#[derive(Default)]
struct SaveQueue {
    state: Mutex<State>,
    changed: Condvar,
}

/// A written release whose entry gets its step and the reason for its δ.
struct Attached {
    entry: Entry,
    step: usize,
    reason: Option<String>,
}

#[derive(Default)]
struct State {
    /// The newest sitting that is not written yet.
    waiting: Option<Sitting>,
    attached: Vec<Attached>,
    is_writing: bool,
    /// Whether the last data handed over is on disk.
    is_saved: bool,
    /// Whether the last sitting was not written, and the steps of the last one that was.
    has_failed: bool,
    saved_steps: usize,
    /// The place of the sitting in the history; none before the first write, and after one that failed.
    index: Option<usize>,
}

impl Saver {
    /// Saves to the history of a project: a new sitting, or one that goes on.
    pub(crate) fn start(project: &Path, file: Option<SittingFile>, link: Link<String>) -> Self {
        let index = file.as_ref().and_then(SittingFile::index);
        let state = Mutex::new(State { index, ..State::default() });
        let queue = Arc::new(SaveQueue { state, ..SaveQueue::default() });
        let worker_queue = Arc::clone(&queue);
        let mut file = file.unwrap_or_else(|| SittingFile::new(project));
        let path = project.to_owned();
        let spawned = thread::Builder::new().name("history".to_owned()).spawn(move || {
            loop {
                let (sitting, attached) = worker_queue.take();
                let steps = sitting.as_ref().map_or(0, |sitting| sitting.steps().len());
                let written = sitting.map(|sitting| write(&path, &mut file, &sitting));
                let index = file.index();
                let attached = attached.into_iter().map(|one| attach(&path, index, &one));
                let failed: Vec<String> = attached.filter_map(Result::err).collect();
                worker_queue.done(index, written.as_ref().map(Result::is_ok), steps);
                let messages =
                    written.into_iter().flat_map(|written| written.unwrap_or_else(|text| vec![text]));
                messages.chain(failed).for_each(|text| link.send(text));
            }
        });
        Self { queue: spawned.ok().map(|_| queue), project: Some(project.to_owned()) }
    }

    /// Hands over a sitting; it replaces one that still waits.
    pub(crate) fn save(&self, sitting: &Sitting) {
        // A sitting without a step has nothing to lose.
        if let Some(queue) = self.queue.as_ref().filter(|_| sitting.is_begun() || self.path().is_some()) {
            queue.state.lock().unwrap_or_else(PoisonError::into_inner).waiting = Some(sitting.clone());
            queue.changed.notify_all();
        }
    }

    /// Hands over a written release, with its step of the sitting and the reason for its δ.
    pub(crate) fn attach(&self, entry: Entry, step: usize, reason: Option<String>) {
        if let Some(queue) = &self.queue {
            let mut state = queue.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.attached.push(Attached { entry, step, reason });
            queue.changed.notify_all();
        }
    }

    /// The steps that an end would lose, because they could not be saved.
    pub(crate) fn unsaved_steps(&self, sitting: &Sitting) -> usize {
        let steps = sitting.steps().len();
        let saved = match &self.queue {
            None if self.project.is_none() => steps,
            None => 0,
            Some(queue) => {
                let state = queue.state.lock().unwrap_or_else(PoisonError::into_inner);
                // An end waits for what is still being written.
                if state.has_failed { state.saved_steps } else { steps }
            }
        };
        // The first step is the start.
        steps.saturating_sub(saved.max(1))
    }

    /// Whether the project has a history: a built-in project has none.
    pub(crate) fn is_kept(&self) -> bool {
        self.project.is_some()
    }

    /// Guards the history of the project: no export overwrites it.
    pub(crate) fn guard(&self, gate: &mut Gate) {
        if let Some(project) = &self.project {
            history::guard(gate, project);
        }
    }

    /// The place of the sitting in the history; none before the first write.
    pub(crate) fn index(&self) -> Option<usize> {
        let queue = self.queue.as_ref()?;
        queue.state.lock().unwrap_or_else(PoisonError::into_inner).index
    }

    /// The history that has the sitting; none before the first write.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.index().and(self.project.as_deref()).map(history::path_of)
    }
}

impl Keeper for Saver {
    fn flush(&self) {
        let Some(queue) = &self.queue else { return };
        let started = Instant::now();
        let mut state = queue.state.lock().unwrap_or_else(PoisonError::into_inner);
        while (state.is_waiting() || state.is_writing) && started.elapsed() < PATIENCE {
            let waited = queue.changed.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn saved(&self) -> Option<PathBuf> {
        let queue = self.queue.as_ref()?;
        let state = queue.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_all = state.is_saved && !state.is_waiting() && !state.is_writing;
        is_all.then(|| self.project.clone()).flatten()
    }
}

impl State {
    fn is_waiting(&self) -> bool {
        self.waiting.is_some() || !self.attached.is_empty()
    }
}

/// Adds the step to the entry of a release.
fn attach(project: &Path, sitting: Option<usize>, attached: &Attached) -> Result<(), String> {
    let Attached { entry, step, reason } = attached;
    let name = sitting.map(|sitting| StepName { sitting, step: *step });
    history::attach(project, entry, name, reason.as_deref())
        .map_err(|error| format!("the entry of {} has no step: {}", entry.file, chain(&error)))
}

impl SaveQueue {
    /// Waits for a sitting or for releases.
    fn take(&self) -> (Option<Sitting>, Vec<Attached>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.is_waiting() {
                state.is_writing = true;
                return (state.waiting.take(), std::mem::take(&mut state.attached));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// All is written; `is_saved` is none if the sitting was not.
    fn done(&self, index: Option<usize>, is_saved: Option<bool>, steps: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_writing = false;
        // After a failure, which is reported, the sitting no longer counts as saved.
        if let Some(is_saved) = is_saved {
            state.index = index.filter(|_| is_saved);
            state.is_saved = is_saved;
            state.has_failed = !is_saved;
            state.saved_steps = if is_saved { steps } else { state.saved_steps };
        }
        self.changed.notify_all();
    }
}

/// Writes a sitting; returns what the analyst should know about it.
fn write(project: &Path, file: &mut SittingFile, sitting: &Sitting) -> Result<Vec<String>, String> {
    let saved = file.save(sitting).map_err(|error| format!("the sitting is NOT SAVED: {}", chain(&error)))?;
    let number = file.index().map_or(0, |index| index + 1);
    let moved = saved
        .value
        .then(|| format!("another palmtop goes on with this sitting; yours is now sitting {number}"));
    Ok(moved
        .into_iter()
        .chain(history::taken_over(project, &saved.taken))
        .chain(describe_removed(&saved.removed))
        .collect())
}

/// The message about unfinished files of killed runs.
pub(crate) fn describe_removed(removed: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = removed.iter().map(|path| path.display().to_string()).collect();
    (!names.is_empty())
        .then(|| format!("removed an unfinished file that a killed run left: {}", names.join(", ")))
}
