//! Where the answer to a request goes that can be asked anew, given up, or fail.
//!
//! Each request has a ticket, which its answer brings back, and its failure too: what was asked before the newest request
//! is out of date, and whether it ends well or not is nobody's matter any more.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The newest of several requests for the same thing: whether it is awaited, and whether it failed.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    newest: Arc<AtomicU64>,
    /// Held by the one that is worked on.
    turn: Arc<Mutex<()>>,
    /// Whether the newest was asked for and is not answered yet.
    is_open: bool,
    /// Why there is no answer to the newest.
    failure: Option<String>,
}

/// A request's number, to be carried along with it and with its answer.
#[derive(Clone)]
pub(crate) struct Ticket {
    number: u64,
    newest: Arc<AtomicU64>,
    turn: Arc<Mutex<()>>,
}

impl Slot {
    /// A new request; all before it are out of date.
    pub(crate) fn ask(&mut self) -> Ticket {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        self.is_open = true;
        self.failure = None;
        Ticket { number, newest: Arc::clone(&self.newest), turn: Arc::clone(&self.turn) }
    }

    /// Nothing that was asked for is wanted any more.
    pub(crate) fn void(&mut self) {
        self.newest.fetch_add(1, Ordering::Relaxed);
        self.is_open = false;
        self.failure = None;
    }

    /// Whether this is the newest request, and is not answered yet: for what comes in parts.
    pub(crate) fn awaits(&self, ticket: &Ticket) -> bool {
        self.is_open && Arc::ptr_eq(&self.newest, &ticket.newest) && ticket.is_current()
    }

    /// Whether an answer is still wanted; from then on nothing is awaited.
    pub(crate) fn accept(&mut self, ticket: &Ticket) -> bool {
        let wanted = self.awaits(ticket);
        if wanted {
            self.is_open = false;
        }
        wanted
    }

    /// Takes a failure where the answer would have gone; says whether anybody still waited for that. From then on nothing
    /// is awaited.
    pub(crate) fn fail(&mut self, ticket: &Ticket, why: &str) -> bool {
        let wanted = self.accept(ticket);
        if wanted {
            self.failure = Some(why.to_owned());
        }
        wanted
    }

    /// Whether an answer is awaited.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Why the newest request has no answer and will have none, if so.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl Ticket {
    /// Whether nobody has asked again since.
    pub(crate) fn is_current(&self) -> bool {
        self.newest.load(Ordering::Relaxed) == self.number
    }

    /// Waits until no other request for the same is being worked on; none if by then somebody has asked again. A key that
    /// is held down asks much faster than anything is counted, and each count needs room for itself.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_current().then_some(turn)
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_is_accepted_and_only_once() {
        let mut slot = Slot::default();
        let (first, second) = (slot.ask(), slot.ask());
        assert!(!first.is_current() && second.is_current());
        assert!(!slot.accept(&first) && slot.is_open());
        assert!(slot.accept(&second) && !slot.is_open());
        assert!(!slot.accept(&second) && !slot.fail(&second, "it broke afterwards"));
        let third = slot.ask();
        slot.void();
        assert!(!slot.accept(&third) && !slot.is_open());
        let mut other = Slot::default();
        let (_, own) = (other.ask(), slot.ask());
        assert!(!other.awaits(&own) && !other.accept(&own) && slot.accept(&own), "each to its own");
    }

    #[test]
    fn a_failure_ends_the_request_that_failed_and_no_other() {
        let mut slot = Slot::default();
        let (first, second) = (slot.ask(), slot.ask());
        assert!(!slot.fail(&first, "the first broke"));
        assert!(slot.is_open() && slot.failure().is_none());
        assert!(slot.fail(&second, "the second broke"));
        assert_eq!((slot.is_open(), slot.failure()), (false, Some("the second broke")));
        slot.ask();
        assert_eq!((slot.is_open(), slot.failure()), (true, None), "it is asked again");
    }

    #[test]
    fn one_is_worked_on_at_a_time_and_what_waited_too_long_is_not() {
        let mut slot = Slot::default();
        let first = slot.ask();
        let turn = first.turn().expect("nobody else works");
        let (second, third) = (slot.ask(), slot.ask());
        let waiting = [second, third].map(|ticket| std::thread::spawn(move || ticket.turn().is_some()));
        drop(turn);
        assert_eq!(waiting.map(|thread| thread.join().unwrap()), [false, true]);
    }
}
