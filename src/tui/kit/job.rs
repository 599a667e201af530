//! Background jobs: each on a thread of its own, its panic caught and told as its failure.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::Sender;
use std::thread;

use crate::tui::app::message::{JobName, Message};
use crate::tui::kit::rehearsal::may_break;

/// Starts jobs and gives them a way to speak.
#[derive(Clone)]
pub(crate) struct Jobs {
    sender: Sender<Message>,
    /// The kinds of jobs that break from now on.
    #[cfg(test)]
    pub(crate) breaking: Vec<&'static str>,
}

impl Jobs {
    /// Jobs that speak to this channel.
    pub(crate) fn new(sender: Sender<Message>) -> Self {
        Self {
            sender,
            #[cfg(test)]
            breaking: Vec::new(),
        }
    }

    /// The channel that they speak to.
    pub(crate) fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// Runs `body` on a thread; it may send messages while it runs. Its failure is told by the name, which says who asked.
    pub(crate) fn start(&self, name: JobName, body: impl FnOnce(&Sender<Message>) + Send + 'static) {
        let sender = self.sender.clone();
        let (kind, failed) = (name.kind(), name.clone());
        #[cfg(test)]
        let breaks = self.breaking.contains(&kind);
        let spawned = thread::Builder::new().name(kind.to_owned()).spawn(move || {
            let work = || {
                may_break(kind);
                #[cfg(test)]
                assert!(!breaks, "a row of T");
                body(&sender);
            };
            if panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
                // The text of a panic may hold anything, even rows: it is not shown.
                let text = "an internal error stopped it; the rest of the workbench goes on".to_owned();
                let _ = sender.send(Message::Broken(name, text));
            }
        });
        if let Err(error) = spawned {
            let _ = self.sender.send(Message::Broken(failed, format!("no thread for it: {error}")));
        }
    }
}
