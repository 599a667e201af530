//! Which of several requests for the same thing is the newest: older ones need not be answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out tickets, each newer than the one before.
#[derive(Debug, Default)]
pub(crate) struct Tickets {
    newest: Arc<AtomicU64>,
    /// The number that was asked for last and is not answered yet.
    open: Option<u64>,
}

/// A request's number, to be carried along with it and with its answer.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    number: u64,
    newest: Arc<AtomicU64>,
}

impl Tickets {
    /// A new ticket; all before it are out of date.
    pub(crate) fn next(&mut self) -> Ticket {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        self.open = Some(number);
        Ticket { number, newest: Arc::clone(&self.newest) }
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
}
