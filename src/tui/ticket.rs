//! Which of several requests for the same thing is the newest: older ones need not be answered.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Hands out tickets, each newer than the one before.
#[derive(Debug, Default)]
pub(crate) struct Tickets {
    newest: Arc<AtomicU64>,
    /// Held by the one that is worked on.
    turn: Arc<Mutex<()>>,
    /// The number that was asked for last and is not answered yet.
    open: Option<u64>,
}

/// A request's number, to be carried along with it and with its answer.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    number: u64,
    newest: Arc<AtomicU64>,
    turn: Arc<Mutex<()>>,
}

impl Tickets {
    /// A new ticket; all before it are out of date.
    pub(crate) fn next(&mut self) -> Ticket {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        self.open = Some(number);
        Ticket { number, newest: Arc::clone(&self.newest), turn: Arc::clone(&self.turn) }
    }

    /// Nothing that was asked for is wanted any more.
    pub(crate) fn void(&mut self) {
        self.newest.fetch_add(1, Ordering::Relaxed);
        self.open = None;
    }

    /// Whether an answer is still wanted; from then on nothing is awaited.
    pub(crate) fn accept(&mut self, ticket: &Ticket) -> bool {
        let wanted = ticket.is_current();
        if wanted {
            self.open = None;
        }
        wanted
    }

    /// Whether an answer is awaited.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_is_accepted() {
        let mut tickets = Tickets::default();
        let (first, second) = (tickets.next(), tickets.next());
        assert!(!first.is_current() && second.is_current());
        assert!(!tickets.accept(&first) && tickets.is_open());
        assert!(tickets.accept(&second) && !tickets.is_open());
        let third = tickets.next();
        tickets.void();
        assert!(!tickets.accept(&third) && !tickets.is_open());
    }

    #[test]
    fn one_is_worked_on_at_a_time_and_what_waited_too_long_is_not() {
        let mut tickets = Tickets::default();
        let first = tickets.next();
        let turn = first.turn().expect("nobody else works");
        let (second, third) = (tickets.next(), tickets.next());
        let waiting = [second, third].map(|ticket| std::thread::spawn(move || ticket.turn().is_some()));
        drop(turn);
        assert_eq!(waiting.map(|thread| thread.join().unwrap()), [false, true]);
    }
}
