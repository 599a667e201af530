//! Signals: the first asks to stop, and nothing is written; a second ends the program at once, and nothing is left behind.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use palmtop_core::progress::CancelToken;
use palmtop_release::pipeline::remove_unfinished;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::say;
use crate::status::Status;

/// The interrupt that gets the first signal. Without one, the first signal ends the program.
static SIGNALLED: OnceLock<Interrupt> = OnceLock::new();

/// The thread that waits for signals, by what ends it.
static WATCH: Mutex<Option<Handle>> = Mutex::new(None);

/// A request to stop. A file that is being written is then finished or removed, never left half-written.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: CancelToken,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Watches for the signals from now on.
    pub fn watch() -> anyhow::Result<Self> {
        let interrupt = SIGNALLED.get_or_init(Self::default).clone();
        leave_tidily()?;
        Ok(interrupt)
    }

    /// Whether a signal came.
    pub fn is_asked(&self) -> bool {
        self.asked.is_cancelled()
    }

    /// The number of the signal that came, if one did.
    pub fn signal(&self) -> Option<u8> {
        if !self.is_asked() {
            return None;
        }
        u8::try_from(self.signal.load(Ordering::Relaxed)).ok()
    }

    /// Says that a signal stopped the command before it wrote a file, and returns its status.
    pub fn stopped(&self) -> Status {
        say::message("stopped by a signal; nothing was written");
        self.signal().map_or(Status::Error, Status::Signal)
    }

    /// Notes a signal; returns whether it was the first.
    fn ask(&self, signal: i32) -> bool {
        if self.is_asked() {
            return false;
        }
        self.signal.store(signal.unsigned_abs() as usize, Ordering::Relaxed);
        self.asked.cancel();
        true
    }
}

/// Removes unfinished files and the folder of a practice project when a signal ends the program.
///
/// One thread handles all signals, so that two signals in a row are handled one after the other.
pub fn leave_tidily() -> anyhow::Result<()> {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    if watch.is_some() {
        return Ok(());
    }
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot watch for signals")?;
    let handle = signals.handle();
    let wait = move || {
        for signal in signals.forever() {
            if !SIGNALLED.get().is_some_and(|interrupt| interrupt.ask(signal)) {
                leave(signal);
            }
        }
    };
    thread::Builder::new().name("interrupt".to_owned()).spawn(wait).context("cannot watch for signals")?;
    *watch = Some(handle);
    Ok(())
}

/// Ends the program, and leaves nothing behind. A disk that answers no more must not hold it up for ever.
fn leave(signal: i32) -> ! {
    /// How long a disk may take to remove what is unfinished.
    const PATIENCE: Duration = Duration::from_secs(5);
    let (done, is_done) = mpsc::channel();
    let removing = thread::Builder::new().spawn(move || {
        remove_unfinished();
        let _ = done.send(());
    });
    match removing {
        Ok(_) => drop(is_done.recv_timeout(PATIENCE)),
        Err(_) => remove_unfinished(),
    }
    std::process::exit(128 + signal)
}

/// Leaves the signals to the workbench, which has a terminal to give back first.
pub fn leave_to_workbench() {
    if let Some(handle) = WATCH.lock().unwrap_or_else(PoisonError::into_inner).take() {
        handle.close();
    }
}
