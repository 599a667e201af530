//! Ctrl-C in a command that will write: the first stops what it does and writes nothing, a second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether somebody asked to stop. A file that is being written meanwhile is finished or removed, never left half-written.
#[derive(Clone, Debug)]
pub(super) struct Interrupt {
    asked: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Watches for the signals from now on.
    pub(super) fn watch() -> anyhow::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        let number = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // The order matters: on the second signal the flag is already set, and this one ends the program.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&asked))
                .and_then(|_| {
                    flag::register_usize(signal, Arc::clone(&number), signal.unsigned_abs() as usize)
                })
                .and_then(|_| flag::register(signal, Arc::clone(&asked)))
                .context("cannot watch for signals")?;
        }
        Ok(Self { asked, signal: number })
    }

    /// Whether a signal came.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// The number of the signal that came, if one did.
    pub(super) fn signal(&self) -> Option<u8> {
        if !self.is_asked() {
            return None;
        }
        u8::try_from(self.signal.load(Ordering::Relaxed)).ok()
    }
}
