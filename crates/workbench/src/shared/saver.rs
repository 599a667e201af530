//! Keeps the session on disk. A thread writes each step, so that a slow disk never blocks the
//! screen. An exit waits for the thread.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use palmtop_flow::register::{self, Entry, SessionStep};
use palmtop_flow::session::{self, Log, LogFile, SessionError};
use palmtop_tables::write::{Gate, Ward};

use crate::kit::link::Link;
use crate::kit::terminal::Keeper;
use crate::kit::words::chain;

/// The time for which an exit waits for the last step.
const PATIENCE: Duration = Duration::from_secs(3);

/// The folder and the name of a project's sessions.
#[derive(Clone, Debug)]
pub struct Home {
    /// The folder of the session files.
    pub folder: PathBuf,
    /// The start of their names.
    pub stem: String,
}

/// The connection to the disk. Without a home, as for a built-in project, nothing is saved.
#[derive(Clone, Default)]
pub(crate) struct Saver {
    queue: Option<Arc<SaveQueue>>,
    home: Option<Home>,
}

/// The state that the thread shares.
#[derive(Default)]
struct SaveQueue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The newest log that is not written yet.
    waiting: Option<Log>,
    /// The next entries of the register, each with its step of the session.
    entries: Vec<(Entry, usize)>,
    is_writing: bool,
    /// Whether the last data handed over is on disk.
    is_saved: bool,
    /// The session file; none before the first write.
    path: Option<PathBuf>,
}

impl Saver {
    /// Saves to a new file in `home`, or continues a file.
    pub(crate) fn start(home: Home, file: Option<LogFile>, link: Link<String>) -> Self {
        let path = file.as_ref().map(|file| file.path().to_owned());
        let queue = Arc::new(SaveQueue {
            state: Mutex::new(State { path, ..State::default() }),
            ..SaveQueue::default()
        });
        let worker_queue = Arc::clone(&queue);
        let kept = home.clone();
        let spawned = thread::Builder::new().name("session".to_owned()).spawn(move || {
            let mut file = file;
            loop {
                let (log, entries) = worker_queue.take();
                let written = log.as_ref().map_or(Ok(None), |log| write(&home, &mut file, log));
                let path = file.as_ref().map(LogFile::path).filter(|_| written.is_ok());
                let recorded = entries.into_iter().map(|entry| record(&home, path, entry));
                let failed: Vec<String> = recorded.filter_map(Result::err).collect();
                if log.is_some() {
                    worker_queue.written(path, written.is_ok());
                } else {
                    worker_queue.recorded();
                }
                let message = match written {
                    Err(text) | Ok(Some(text)) => Some(text),
                    Ok(None) => None,
                };
                for text in message.into_iter().chain(failed) {
                    link.send(text);
                }
            }
        });
        Self { queue: spawned.ok().map(|_| queue), home: Some(kept) }
    }

    /// Hands over a log; it replaces a log that still waits.
    pub(crate) fn save(&self, log: &Log) {
        // A session without a step has nothing to lose.
        if let Some(queue) = self.queue.as_ref().filter(|_| is_begun(log) || self.path().is_some()) {
            queue.state.lock().unwrap_or_else(PoisonError::into_inner).waiting = Some(log.clone());
            queue.changed.notify_all();
        }
    }

    /// Hands over an entry of the register, with its step of the session. A project without a home
    /// has no register.
    pub(crate) fn register(&self, entry: Entry, step: usize) {
        if let Some(queue) = &self.queue {
            queue.state.lock().unwrap_or_else(PoisonError::into_inner).entries.push((entry, step));
            queue.changed.notify_all();
        }
    }

    /// Whether the session is kept: a built-in project has no home.
    pub(crate) fn is_kept(&self) -> bool {
        self.home.is_some()
    }

    /// Guards the sessions and the register of a project: no export overwrites them.
    pub(crate) fn guard(&self, gate: &mut Gate, project: &Path) {
        self.sessions().iter().for_each(|session| gate.guard(Ward::Session, session));
        if self.home.is_some() {
            register::guard(gate, project);
        }
    }

    /// All sessions of the project, with this one: no export overwrites them.
    pub(crate) fn sessions(&self) -> Vec<PathBuf> {
        let saved = self.home.iter().flat_map(|home| session::saved(&home.folder, &home.stem));
        saved.chain(self.path()).collect()
    }

    /// The session file; none before the first write.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        let queue = self.queue.as_ref()?;
        queue.state.lock().unwrap_or_else(PoisonError::into_inner).path.clone()
    }
}

/// Whether a log has anything to lose: a step, a search, or a pin.
pub(crate) fn is_begun(log: &Log) -> bool {
    log.steps().len() > 1 || !log.searches.is_empty() || !log.pins.is_empty()
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
        if is_all { state.path.clone() } else { None }
    }
}

impl State {
    fn is_waiting(&self) -> bool {
        self.waiting.is_some() || !self.entries.is_empty()
    }
}

/// Adds an entry to the register of the project, with its session.
fn record(home: &Home, session: Option<&Path>, (entry, step): (Entry, usize)) -> Result<(), String> {
    let project = home.folder.join(format!("{}.toml", home.stem));
    let session = session.map(|path| register::name_from_project(&project, path)).transpose();
    let recorded = session.and_then(|file| {
        let session = file.map(|file| SessionStep { file, step });
        register::record(&project, &Entry { session, ..entry })
    });
    recorded.map(drop).map_err(|error| format!("the register of releases was NOT written: {}", chain(&error)))
}

impl SaveQueue {
    /// Waits for a log or for entries of the register.
    fn take(&self) -> (Option<Log>, Vec<(Entry, usize)>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.is_waiting() {
                state.is_writing = true;
                return (state.waiting.take(), std::mem::take(&mut state.entries));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The register is written; the session is unchanged.
    fn recorded(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_writing = false;
        self.changed.notify_all();
    }

    fn written(&self, path: Option<&Path>, is_saved: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_writing = false;
        // After a failure, which is reported, the session no longer counts as saved.
        state.path = path.filter(|_| is_saved).map(Path::to_owned);
        state.is_saved = is_saved;
        self.changed.notify_all();
    }
}

/// Writes a log to the session file. Without a file, or if another workbench uses it, writes to a
/// new file and reports that.
fn write(home: &Home, file: &mut Option<LogFile>, log: &Log) -> Result<Option<String>, String> {
    let not_saved = |error: SessionError| format!("the session is NOT SAVED: {}", chain(&error));
    let saved = match file {
        Some(file) => file.save(log),
        None => create(home, file, log),
    };
    // The second file does not find the leftovers again that the first file found.
    let mut removed = file.as_mut().map(LogFile::take_removed).unwrap_or_default();
    let messages = match saved {
        Ok(()) => None,
        Err(SessionError::ChangedOnDisk { .. }) => {
            create(home, file, log).map_err(not_saved)?;
            removed.extend(file.as_mut().map(LogFile::take_removed).unwrap_or_default());
            let name = file.as_ref().map(|file| file.path().display().to_string()).unwrap_or_default();
            Some(format!("another palmtop uses this session file; yours is now {name}"))
        }
        Err(error) => return Err(not_saved(error)),
    };
    let messages: Vec<String> = messages.into_iter().chain(describe_removed(&removed)).collect();
    Ok((!messages.is_empty()).then(|| messages.join("; ")))
}

/// The message about unfinished files of killed runs.
pub(crate) fn describe_removed(removed: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = removed.iter().map(|path| path.display().to_string()).collect();
    (!names.is_empty())
        .then(|| format!("removed an unfinished file that a killed run left: {}", names.join(", ")))
}

fn create(home: &Home, file: &mut Option<LogFile>, log: &Log) -> Result<(), SessionError> {
    *file = Some(LogFile::create(&home.folder, &home.stem, log)?);
    Ok(())
}
