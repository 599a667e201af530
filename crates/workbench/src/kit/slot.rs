//! Where the answer to a request goes that can be asked anew, told in parts, stopped, given up, or fail.
//!
//! Each request has a ticket, which its answers bring back, and its failure too: what was asked before the newest request
//! is out of date, and whether it ends well or not is nobody's matter any more.

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

/// How often a request tells how far it is.
pub(crate) const TELL: Duration = Duration::from_millis(100);

/// What a slot's jobs do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// In a word: the name of its thread.
    pub(crate) kind: &'static str,
    /// As the beginning of a sentence that tells of its failure.
    pub(crate) doing: &'static str,
}

/// The newest of several requests for the same thing: whether it is awaited, and whether it failed.
pub(crate) struct Slot<T> {
    task: Task,
    newest: Arc<AtomicU64>,
    /// Held by the one that is worked on.
    turn: Arc<Mutex<()>>,
    /// Whether the newest is to end early, with what it has.
    stop: CancelToken,
    /// Whether the newest was asked for and is not answered yet.
    is_open: bool,
    /// Why there is no answer to the newest.
    failure: Option<String>,
    answers: PhantomData<fn() -> T>,
}

/// A request's number, which its answers bring back.
#[derive(Clone)]
struct Ticket {
    number: u64,
    newest: Arc<AtomicU64>,
}

/// Something that a request has to say.
pub(crate) struct Answer<T> {
    ticket: Ticket,
    said: Said<T>,
}

enum Said<T> {
    /// There will be more.
    Part(T),
    /// That was all.
    Whole(T),
    /// That was all, and all of it is said.
    End,
    /// There will be nothing more, and why.
    Failed(String),
}

/// Where a job works on a request.
pub(crate) struct JobContext<T> {
    ticket: Ticket,
    turn: Arc<Mutex<()>>,
    pending: Pending,
    stop: CancelToken,
    reply: Box<dyn Fn(Said<T>) + Send>,
    told: Cell<Instant>,
}

impl<T: Send + 'static> Slot<T> {
    /// A slot that nobody has asked anything.
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

    /// A new request, worked on by a thread of its own; all before it are out of date. What the work returns is its last
    /// word; a panic in it is its failure.
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
        let (own, broken) = (ticket.clone(), (ticket, wrap.clone()));
        let work = move |link: &Link<M>| {
            let (sender, of) = (link.clone(), own.clone());
            let reply = Box::new(move |said| sender.send(wrap(Answer { ticket: of.clone(), said })));
            let told = Cell::new(Instant::now());
            let job = JobContext { ticket: own, turn, pending: link.pending.clone(), stop, reply, told };
            let last = work(&job);
            (job.reply)(last.map_or(Said::End, Said::Whole));
        };
        let failed = move |why| {
            let (ticket, wrap) = &broken;
            wrap(Answer { ticket: ticket.clone(), said: Said::Failed(why) })
        };
        link.start(self.task.kind, work, failed);
    }

    /// [`ask`](Self::ask) for what a key is answered with: what nobody waits for lets it go first.
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

    /// A part of an answer to the newest request, or its failure, that no job has said.
    #[cfg(test)]
    pub(crate) fn forge(&self, said: Result<T, &str>) -> Answer<T> {
        let number = self.newest.load(Ordering::Relaxed);
        let ticket = Ticket { number, newest: Arc::clone(&self.newest) };
        let said = said.map_or_else(|why| Said::Failed(why.to_owned()), Said::Part);
        Answer { ticket, said }
    }

    /// Nothing that was asked for is wanted any more.
    pub(crate) fn void(&mut self) {
        self.newest.fetch_add(1, Ordering::Relaxed);
        self.is_open = false;
        self.failure = None;
    }

    /// The newest request is to end early; what it has by then is still wanted.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether the newest request was told to end early.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Takes an answer, if it is one to the newest request: what it says, or that it failed, as a sentence. After its last
    /// word nothing is awaited.
    pub(crate) fn take(&mut self, answer: Answer<T>) -> Option<Result<T, String>> {
        let Answer { ticket, said } = answer;
        if !self.is_open || !Arc::ptr_eq(&self.newest, &ticket.newest) || !ticket.is_current() {
            return None;
        }
        self.is_open = matches!(said, Said::Part(_));
        match said {
            Said::Part(answer) | Said::Whole(answer) => Some(Ok(answer)),
            Said::End => None,
            Said::Failed(why) => {
                let said = format!("{}: {why}", self.task.doing);
                self.failure = Some(why);
                Some(Err(said))
            }
        }
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

impl<T> Drop for Slot<T> {
    /// Whoever asked is gone: what is still worked on is not wanted any more.
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
    /// What it says, if it is not the failure or the bare end of a request.
    #[cfg(test)]
    pub(crate) fn said(&self) -> Option<&T> {
        match &self.said {
            Said::Part(said) | Said::Whole(said) => Some(said),
            Said::End | Said::Failed(_) => None,
        }
    }

    /// The same, to change it.
    #[cfg(test)]
    pub(crate) fn said_mut(&mut self) -> Option<&mut T> {
        match &mut self.said {
            Said::Part(said) | Said::Whole(said) => Some(said),
            Said::End | Said::Failed(_) => None,
        }
    }

    /// Whether it is the failure of its request.
    #[cfg(test)]
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self.said, Said::Failed(_))
    }
}

impl Ticket {
    fn is_current(&self) -> bool {
        self.newest.load(Ordering::Relaxed) == self.number
    }
}

impl<T> JobContext<T> {
    /// Whether nobody has asked again since.
    pub(crate) fn is_current(&self) -> bool {
        self.ticket.is_current()
    }

    /// Waits until no other request for the same is being worked on; none if by then somebody has asked again. A key that
    /// is held down asks much faster than anything is counted, and each count needs room for itself.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_current().then_some(turn)
    }

    /// Waits until no key is to be answered, and answers whether nobody has asked again by then.
    pub(crate) fn gives_way(&self) -> bool {
        self.pending.wait(|| self.is_current());
        self.is_current()
    }

    /// Whether to go on: nobody has asked again, and nobody wants it to end early.
    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        if self.is_current() && !self.stop.is_cancelled() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Whether it was told to end early, whoever else has asked since: for what is not given up because nobody looks.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Says something, and that there will be more.
    pub(crate) fn part(&self, said: T) {
        self.told.set(Instant::now());
        (self.reply)(Said::Part(said));
    }

    /// The same for what is out of date with the next: not so often that telling takes longer than the work.
    pub(crate) fn tell(&self, said: T) {
        if self.told.get().elapsed() >= TELL {
            self.part(said);
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

    #[test]
    fn only_the_newest_is_taken_and_only_once() {
        let mut slot = Slot::new(COUNT);
        let (first, second) = (asked(&mut slot, 1), asked(&mut slot, 2));
        assert_eq!(slot.take(first), None);
        assert!(slot.is_open());
        let again =
            Answer { ticket: second.ticket.clone(), said: Said::Failed("it broke afterwards".to_owned()) };
        assert_eq!(slot.take(second), Some(Ok(2)));
        assert!(!slot.is_open());
        assert_eq!((slot.take(again), slot.failure()), (None, None));
        let third = asked(&mut slot, 3);
        slot.void();
        assert_eq!((slot.take(third), slot.is_open()), (None, false));
        let mut other = Slot::new(COUNT);
        let (_, own) = (asked(&mut other, 4), asked(&mut slot, 5));
        assert_eq!(
            other.take(Answer { ticket: own.ticket.clone(), said: Said::Whole(6) }),
            None,
            "each to its own"
        );
        assert_eq!(slot.take(own), Some(Ok(5)));
    }

    #[test]
    fn a_failure_ends_the_request_that_failed_and_no_other() {
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

    #[test]
    fn one_is_worked_on_at_a_time_and_what_waited_too_long_is_not() {
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
        let mut said: Vec<u32> = (0..3).filter_map(|_| messages.recv().unwrap().said().copied()).collect();
        said.sort_unstable();
        assert_eq!(said, [1, 3]);
    }

    #[test]
    fn one_that_is_stopped_says_what_it_has_and_one_that_is_given_up_is_not_heard() {
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
