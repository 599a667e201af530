//! The way from a job to the loop. A link wraps the messages of a feature into the messages of its
//! owner, so a feature knows only its messages.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
#[cfg(test)]
use std::{
    cell::Cell,
    sync::{Mutex, PoisonError},
};

use super::pending::Pending;
use super::rehearsal::may_break;

/// A sender of messages of one type.
pub(crate) struct Link<M> {
    send: Arc<dyn Fn(M) + Send + Sync>,
    /// The pending answers of all links into the same loop.
    pub(crate) pending: Pending,
    /// The kinds of jobs that panic from now on.
    #[cfg(test)]
    pub(crate) breaking: Arc<Mutex<Vec<&'static str>>>,
}

impl<M> Clone for Link<M> {
    fn clone(&self) -> Self {
        Self {
            send: Arc::clone(&self.send),
            pending: self.pending.clone(),
            #[cfg(test)]
            breaking: Arc::clone(&self.breaking),
        }
    }
}

#[cfg(test)]
thread_local! {
    /// Whether the job of this thread panicked: then its next message is the failure.
    static PANICKED: Cell<bool> = const { Cell::new(false) };
}

impl<M: Send + 'static> Link<M> {
    /// A link into a channel that marks the failures of jobs.
    #[cfg(test)]
    pub(crate) fn marking_failures(sender: Sender<(M, bool)>) -> Self {
        let send = move |message| drop(sender.send((message, PANICKED.get())));
        Self { send: Arc::new(send), pending: Pending::default(), breaking: Arc::default() }
    }

    /// A link into a channel.
    pub(crate) fn new(sender: Sender<M>) -> Self {
        Self {
            // After the end of the loop, messages are dropped.
            send: Arc::new(move |message| drop(sender.send(message))),
            pending: Pending::default(),
            #[cfg(test)]
            breaking: Arc::default(),
        }
    }

    /// A link for messages that are wrapped into this link's messages.
    pub(crate) fn map<N>(&self, wrap: impl Fn(N) -> M + Send + Sync + 'static) -> Link<N> {
        let send = Arc::clone(&self.send);
        Link {
            send: Arc::new(move |message| send(wrap(message))),
            pending: self.pending.clone(),
            #[cfg(test)]
            breaking: Arc::clone(&self.breaking),
        }
    }

    /// Sends a message; after the end of the loop, drops it.
    pub(crate) fn send(&self, message: M) {
        (self.send)(message);
    }

    /// Runs `work` in a thread named `kind`. A panic in it becomes a failure message.
    pub(crate) fn start(
        &self,
        kind: &'static str,
        work: impl FnOnce(&Self) + Send + 'static,
        failed: impl Fn(String) -> M + Clone + Send + 'static,
    ) {
        let (link, failure) = (self.clone(), failed.clone());
        #[cfg(test)]
        let breaks = self.breaking.lock().unwrap_or_else(PoisonError::into_inner).contains(&kind);
        let spawned = thread::Builder::new().name(kind.to_owned()).spawn(move || {
            let work = || {
                may_break(kind);
                #[cfg(test)]
                assert!(!breaks, "a row of T");
                work(&link);
            };
            if panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
                // A panic message may contain rows, so it is not shown.
                #[cfg(test)]
                PANICKED.set(true);
                let text = "an internal error stopped it; the rest of the workbench goes on".to_owned();
                link.send(failed(text));
            }
        });
        if let Err(error) = spawned {
            self.send(failure(format!("cannot start a thread: {error}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn link_wraps_answers_and_failures_of_a_job() {
        let (sender, messages) = mpsc::channel();
        let link: Link<Option<Result<u32, String>>> = Link::new(sender);
        let wrapped = link.map(Some);
        wrapped.start("sum", |link| link.send(Ok(7)), Err);
        assert_eq!(messages.recv().unwrap(), Some(Ok(7)));
        wrapped.start("sum", |_| panic!("a row of T"), Err);
        let Some(Err(why)) = messages.recv().unwrap() else { panic!("it broke") };
        assert_eq!(why, "an internal error stopped it; the rest of the workbench goes on");
        drop(messages);
        wrapped.send(Ok(8));
    }
}
