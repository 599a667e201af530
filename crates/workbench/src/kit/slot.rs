//! A slot holds the state of one request at a time. A request can be repeated, answered in parts,
//! stopped, abandoned, or fail.
//! Each request has a ticket, and all its answers carry the ticket. Answers and failures of older
//! requests are ignored.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use palmtop_core::progress::CancelToken;

use super::link::Link;
use super::pending::Pending;

/// The interval between two progress answers.
pub(crate) const TELL: Duration = Duration::from_millis(100);

/// The job of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// One word: the name of its thread.
    pub(crate) kind: &'static str,
    /// The start of a sentence that reports its failure.
    pub(crate) doing: &'static str,
}

/// The newest request of one kind: whether its answer is awaited, and whether it failed.
pub(crate) struct Slot<T> {
    task: Task,
    newest: Arc<AtomicU64>,
    /// Held by the request in work.
    turn: Arc<Mutex<()>>,
    /// Asks the newest request to end early with its result so far.
    stop: CancelToken,
    /// Whether the newest request still awaits an answer.
    is_open: bool,
    /// The failure of the newest request.
    failure: Option<String>,
    answers: PhantomData<fn() -> T>,
}

/// The number of a request.
#[derive(Clone)]
struct Ticket {
    number: u64,
    newest: Arc<AtomicU64>,
}

/// An answer to a request.
pub(crate) struct Answer<T> {
    ticket: Ticket,
    reply: Reply<T>,
}

enum Reply<T> {
    /// A part; more parts follow.
    Part(T),
    /// The complete answer.
    Complete(T),
    /// The end after the last part.
    End,
    /// The failure of the request, with the reason.
    Failed(String),
}

/// The context of a job that works on a request.
pub(crate) struct JobContext<T> {
    ticket: Ticket,
    turn: Arc<Mutex<()>>,
    pending: Pending,
    stop: CancelToken,
    send: Box<dyn Fn(Reply<T>) + Send>,
    last_sent: Cell<Instant>,
}

impl<T: Send + 'static> Slot<T> {
    /// A slot without a request.
    pub(crate) fn new(task: Task) -> Self {
        Self {
            task,
            newest: Arc::default(),
            turn: Arc::default(),
            stop: CancelToken::default(),
            is_open: false,
            failure: None,
            answers: PhantomData,
        }
    }

    /// Starts a request in a thread; older requests become outdated. The return value of `work` is
    /// the last answer. A panic becomes the failure.
    pub(crate) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Answer<T>) -> M + Clone + Send + 'static,
        work: impl FnOnce(&JobContext<T>) -> Option<T> + Send + 'static,
    ) {
        self.stop = CancelToken::default();
        self.is_open = true;
        self.failure = None;
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let ticket = Ticket { number, newest: Arc::clone(&self.newest) };
        let (turn, stop) = (Arc::clone(&self.turn), self.stop.clone());
        let (current, broken) = (ticket.clone(), (ticket, wrap.clone()));
        let work = move |link: &Link<M>| {
            let (sender, of) = (link.clone(), current.clone());
            let send = Box::new(move |reply| sender.send(wrap(Answer { ticket: of.clone(), reply })));
            let last_sent = Cell::new(Instant::now());
            let job =
                JobContext { ticket: current, turn, pending: link.pending.clone(), stop, send, last_sent };
            let last = work(&job);
            (job.send)(last.map_or(Reply::End, Reply::Complete));
        };
        let failed = move |why| {
            let (ticket, wrap) = &broken;
            wrap(Answer { ticket: ticket.clone(), reply: Reply::Failed(why) })
        };
        link.start(self.task.kind, work, failed);
    }

    /// [`ask`](Self::ask) for an answer to a key: background jobs wait for it.
    pub(crate) fn ask_first<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Answer<T>) -> M + Clone + Send + 'static,
        work: impl FnOnce(&JobContext<T>) -> Option<T> + Send + 'static,
    ) {
        let answer = link.pending.begin();
        self.ask(link, wrap, move |job| {
            let _answer = answer;
            work(job)
        });
    }

    /// A part of an answer, or a failure, that no job has sent.
    #[cfg(test)]
    pub(crate) fn forge(&self, result: Result<T, &str>) -> Answer<T> {
        let number = self.newest.load(Ordering::Relaxed);
        let ticket = Ticket { number, newest: Arc::clone(&self.newest) };
        let reply = result.map_or_else(|why| Reply::Failed(why.to_owned()), Reply::Part);
        Answer { ticket, reply }
    }

    /// Abandons the request.
    pub(crate) fn void(&mut self) {
        self.newest.fetch_add(1, Ordering::Relaxed);
        self.is_open = false;
        self.failure = None;
    }

    /// Asks the newest request to end early; its result so far is still wanted.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether the newest request was asked to end early.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Takes an answer to the newest request: its value, or the message of its failure. Nothing is
    /// awaited after its last part.
    pub(crate) fn take(&mut self, answer: Answer<T>) -> Option<Result<T, String>> {
        let Answer { ticket, reply } = answer;
        if !self.is_open || !Arc::ptr_eq(&self.newest, &ticket.newest) || !ticket.is_current() {
            return None;
        }
        self.is_open = matches!(reply, Reply::Part(_));
        match reply {
            Reply::Part(answer) | Reply::Complete(answer) => Some(Ok(answer)),
            Reply::End => None,
            Reply::Failed(why) => {
                let message = format!("{}: {why}", self.task.doing);
                self.failure = Some(why);
                Some(Err(message))
            }
        }
    }

    /// Whether an answer is awaited.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// The reason why the newest request failed.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl<T> Drop for Slot<T> {
    /// Without the slot, nobody wants the results.
    fn drop(&mut self) {
        self.newest.fetch_add(1, Ordering::Relaxed);
        self.stop.cancel();
    }
}

impl<T> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}", self.task.kind, self.newest.load(Ordering::Relaxed))
    }
}

impl<T> Answer<T> {
    /// The value of the answer; none for a failure or a bare end.
    #[cfg(test)]
    pub(crate) fn value(&self) -> Option<&T> {
        match &self.reply {
            Reply::Part(value) | Reply::Complete(value) => Some(value),
            Reply::End | Reply::Failed(_) => None,
        }
    }

    /// [`value`](Self::value), to change the value.
    #[cfg(test)]
    pub(crate) fn value_mut(&mut self) -> Option<&mut T> {
        match &mut self.reply {
            Reply::Part(value) | Reply::Complete(value) => Some(value),
            Reply::End | Reply::Failed(_) => None,
        }
    }
}

impl Ticket {
    fn is_current(&self) -> bool {
        self.newest.load(Ordering::Relaxed) == self.number
    }
}

impl<T> JobContext<T> {
    /// Whether this request is still the newest.
    pub(crate) fn is_current(&self) -> bool {
        self.ticket.is_current()
    }

    /// Waits until no other request of the slot is in work; none if a newer request exists by then.
    /// A held key asks faster than a count takes, and each count needs memory.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_current().then_some(turn)
    }

    /// Waits until no key awaits its answer; returns whether this request is still the newest.
    pub(crate) fn gives_way(&self) -> bool {
        self.pending.wait(|| self.is_current());
        self.is_current()
    }

    /// Breaks if a newer request exists, or if this one was asked to end early.
    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        if self.is_current() && !self.stop.is_cancelled() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Whether this request was asked to end early, even if a newer one exists: for jobs that
    /// continue in the background.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Sends a part; more parts follow.
    pub(crate) fn part(&self, value: T) {
        self.last_sent.set(Instant::now());
        (self.send)(Reply::Part(value));
    }

    /// Sends a part that the next one replaces, at most once per [`TELL`].
    pub(crate) fn tell(&self, value: T) {
        if self.last_sent.get().elapsed() >= TELL {
            self.part(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use super::*;

    const COUNT: Task = Task { kind: "count", doing: "counting" };

    fn bench() -> (Link<Answer<u32>>, Receiver<Answer<u32>>) {
        let (sender, messages) = mpsc::channel();
        (Link::new(sender), messages)
    }

    fn asked(slot: &mut Slot<u32>, number: u32) -> Answer<u32> {
        let (link, messages) = bench();
        slot.ask(&link, |answer| answer, move |_| Some(number));
        messages.recv().unwrap()
    }

    // holds: Counts are jobs
    #[test]
    fn only_the_newest_is_taken_and_only_once() {
        let mut slot = Slot::new(COUNT);
        let (first, second) = (asked(&mut slot, 1), asked(&mut slot, 2));
        assert_eq!(slot.take(first), None);
        assert!(slot.is_open());
        let again =
            Answer { ticket: second.ticket.clone(), reply: Reply::Failed("it broke afterwards".to_owned()) };
        assert_eq!(slot.take(second), Some(Ok(2)));
        assert!(!slot.is_open());
        assert_eq!((slot.take(again), slot.failure()), (None, None));
        let third = asked(&mut slot, 3);
        slot.void();
        assert_eq!((slot.take(third), slot.is_open()), (None, false));
        let mut other = Slot::new(COUNT);
        let (_, latest) = (asked(&mut other, 4), asked(&mut slot, 5));
        assert_eq!(
            other.take(Answer { ticket: latest.ticket.clone(), reply: Reply::Complete(6) }),
            None,
            "each to its own"
        );
        assert_eq!(slot.take(latest), Some(Ok(5)));
    }

    // holds: Counts are jobs
    #[test]
    fn failure_ends_only_the_request_that_failed() {
        let (link, messages) = bench();
        link.breaking.lock().unwrap().push("count");
        let mut slot = Slot::new(COUNT);
        slot.ask(&link, |answer| answer, |_| Some(1));
        slot.ask(&link, |answer| answer, |_| Some(2));
        let mut broken = [messages.recv().unwrap(), messages.recv().unwrap()];
        broken.sort_by_key(|answer| answer.ticket.number);
        let [first, second] = broken;
        assert_eq!(slot.take(first), None);
        assert!(slot.is_open() && slot.failure().is_none());
        let why = "an internal error stopped it; the rest of the workbench goes on";
        assert_eq!(slot.take(second), Some(Err(format!("counting: {why}"))));
        assert_eq!((slot.is_open(), slot.failure()), (false, Some(why)));
        asked(&mut slot, 3);
        assert_eq!((slot.is_open(), slot.failure()), (true, None), "it is asked again");
    }

    // holds: Counts are jobs
    #[test]
    fn one_request_runs_at_a_time() {
        let (link, messages) = bench();
        let mut slot = Slot::new(COUNT);
        let (began, has_begun) = mpsc::channel();
        let (end, is_to_end) = mpsc::channel::<()>();
        slot.ask(
            &link,
            |answer| answer,
            move |job| {
                let turn = job.turn();
                began.send(()).unwrap();
                is_to_end.recv().unwrap();
                turn.map(|_| 1)
            },
        );
        has_begun.recv().unwrap();
        for number in [2, 3] {
            slot.ask(&link, |answer| answer, move |job| job.turn().map(|_| number));
        }
        end.send(()).unwrap();
        let mut values: Vec<u32> = (0..3).filter_map(|_| messages.recv().unwrap().value().copied()).collect();
        values.sort_unstable();
        assert_eq!(values, [1, 3]);
    }

    #[test]
    fn stopped_request_gives_its_result_abandoned_one_nothing() {
        let (link, messages) = bench();
        let mut slot = Slot::new(COUNT);
        let wait = |job: &JobContext<u32>| {
            job.part(1);
            while job.go_on().is_continue() {
                std::thread::yield_now();
            }
            Some(2)
        };
        slot.ask(&link, |answer| answer, wait);
        assert_eq!(slot.take(messages.recv().unwrap()), Some(Ok(1)));
        assert!(slot.is_open() && !slot.is_stopping());
        slot.stop();
        assert_eq!(slot.take(messages.recv().unwrap()), Some(Ok(2)));
        assert!(!slot.is_open());
        slot.ask(&link, |answer| answer, wait);
        let part = messages.recv().unwrap();
        slot.void();
        assert_eq!((slot.take(part), slot.take(messages.recv().unwrap())), (None, None));
    }
}
