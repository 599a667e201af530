//! Counts the answers to keys that are in work. Other jobs wait for them, because all share the
//! same cores.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The number of answers in work. Clones share the number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending(Arc<(Mutex<usize>, Condvar)>);

/// An answer in work, until it is dropped.
#[derive(Debug)]
pub(crate) struct PendingAnswer(Pending);

/// The interval at which a waiting job checks whether its result is still wanted.
const LOOK: Duration = Duration::from_millis(20);

impl Pending {
    /// Adds an answer.
    pub(crate) fn begin(&self) -> PendingAnswer {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        PendingAnswer(self.clone())
    }

    /// Waits until no answer is in work, or until the result is no longer wanted.
    pub(crate) fn wait(&self, is_wanted: impl Fn() -> bool) {
        let (count, changed) = &*self.0;
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count > 0 && is_wanted() {
            count = changed.wait_timeout(count, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for PendingAnswer {
    fn drop(&mut self) {
        let (count, changed) = &*self.0.0;
        *count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    // holds: Counts are jobs
    #[test]
    fn idle_work_waits_for_all_answers() {
        let pending = Pending::default();
        pending.wait(|| panic!("nothing is waited for"));
        let answers = [pending.begin(), pending.clone().begin()];
        let (sender, receiver) = mpsc::channel();
        let waiting = {
            let pending = pending.clone();
            thread::spawn(move || {
                pending.wait(|| true);
                sender.send(()).unwrap();
            })
        };
        pending.wait(|| false);
        let [first, second] = answers;
        drop(first);
        receiver.try_recv().unwrap_err();
        drop(second);
        receiver.recv().unwrap();
        waiting.join().unwrap();
    }
}
