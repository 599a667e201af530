//! Progress on stderr, if stderr is a terminal or messages are JSON.

use std::fmt;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use palmtop_core::progress;
use palmtop_core::words::count;
use palmtop_search::Step;

use crate::interrupt::Interrupt;
use crate::output::{short, short_below, shown};
use crate::say;

/// The time that the end of a search takes, in times of its beginning, or of one list of its regions.
const END: u32 = 3;

/// A line of progress that vanishes when it is dropped.
pub struct ProgressLine {
    bar: ProgressBar,
    text: String,
    /// When a search is stopped; `None` without a limit.
    deadline: Option<Instant>,
    /// When a search began that also needs time for its end, until its first step.
    began: Option<Instant>,
    /// Since when a search lists regions.
    lists: Option<Instant>,
    /// The time that the end of the search takes.
    end: Duration,
    /// What the steps of a search without rounds count.
    unit: &'static str,
    interrupt: Option<Interrupt>,
    /// When the share was last printed as JSON.
    told: Option<Instant>,
    /// Whether the search was stopped because its time was up.
    pub timed_out: bool,
}

impl ProgressLine {
    /// Starts a line with this text; a search is stopped after `limit`.
    pub fn start(text: &str, limit: Option<Duration>) -> Self {
        let bar = if !say::is_json() && std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {wide_bar} {percent:>3} % {elapsed}")
        {
            bar.set_style(style);
        }
        let text = shown(text).into_owned();
        bar.set_message(text.clone());
        Self {
            bar,
            text,
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
            began: None,
            lists: None,
            end: Duration::ZERO,
            unit: "steps",
            interrupt: None,
            told: None,
            timed_out: false,
        }
    }

    /// Also stops the search at a signal.
    pub fn with_interrupt(mut self, interrupt: Option<Interrupt>) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Stops the search earlier by the time that its end takes, so that it keeps its limit.
    ///
    /// The end lists the regions of all combinations, as the search did before. Until then, its beginning is
    /// taken, which reads all combinations.
    pub fn with_end(mut self, has_end: bool) -> Self {
        self.began = has_end.then(Instant::now);
        self
    }

    /// Names the steps of a search without rounds: nodes, combinations.
    pub fn counting(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Shows a step; answers whether to go on.
    pub fn observe(&mut self, step: Step) -> ControlFlow<()> {
        self.bar.set_length(step.total);
        self.bar.set_position(step.done);
        if let Some(best) = step.stage.best {
            let done = match step.stage.rounds {
                Some(rounds) => format!("{rounds} rounds"),
                None => format!("{} of {} {}", count(step.done), count(step.total), self.unit),
            };
            let proven = step.stage.lower.map(|lower| format!(", none below {}", short_below(lower)));
            let proven = proven.unwrap_or_default();
            self.bar.set_message(format!("{}  {done}, {}{proven}", self.text, short(best)));
        }
        self.reserve(step);
        if self.deadline.is_some_and(|deadline| Instant::now() + self.end >= deadline) {
            self.timed_out = true;
            return ControlFlow::Break(());
        }
        self.tell();
        self.go_on()
    }

    /// Measures what the end of a search will take: at most half of its time.
    fn reserve(&mut self, step: Step) {
        let now = Instant::now();
        let lists = step.stage.lists_regions;
        let listed = self.lists.take_if(|_| !lists);
        if lists {
            self.lists.get_or_insert(now);
        }
        let ended = self.began.filter(|_| step.total > 0).into_iter().chain(listed).max();
        let left = self.deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(now));
        if let Some(started) = ended {
            self.end = self.end.max(((now - started) * END).min(left / 2));
            self.began = None;
        }
    }

    /// Shows how far loading or exporting is; answers whether to go on.
    pub fn observe_stage<S: fmt::Display>(&mut self, progress: &progress::Progress<S>) -> ControlFlow<()> {
        self.bar.set_message(shown(&progress.stage.to_string()).into_owned());
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        self.tell();
        self.go_on()
    }

    /// Shows the share that is done; returns whether to go on.
    pub fn observe_count(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.tell();
        self.go_on()
    }

    /// Prints the share as JSON, at most ten times a second.
    fn tell(&mut self) {
        const INTERVAL: Duration = Duration::from_millis(100);
        if say::is_json() && self.told.is_none_or(|told| told.elapsed() >= INTERVAL) {
            self.told = Some(Instant::now());
            say::progress(&self.bar.message(), self.bar.position(), self.bar.length().unwrap_or(0));
        }
    }

    /// Whether no signal came.
    fn go_on(&self) -> ControlFlow<()> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_asked) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use palmtop_search::SearchStage;

    use super::*;

    #[test]
    fn search_stops_earlier_by_its_end() {
        let second = Duration::from_secs(1);
        let ago = |seconds: u32| Instant::now().checked_sub(second * seconds).unwrap();
        let limit = second * 1000;
        let mut line = ProgressLine::start("best", Some(limit)).with_end(true);
        let observe = |line: &mut ProgressLine, lists_regions| {
            let stage = SearchStage { lists_regions, ..SearchStage::default() };
            assert!(line.observe(Step { stage, done: 0, total: 11 }).is_continue());
        };
        line.began = Some(ago(10));
        observe(&mut line, false);
        assert_eq!(line.end.as_secs(), 30);
        observe(&mut line, true);
        line.lists = Some(ago(50));
        observe(&mut line, false);
        assert_eq!(line.end.as_secs(), 150);
        // It never takes more than half of the time that is left.
        line.lists = Some(ago(900));
        observe(&mut line, false);
        assert_eq!(line.end.as_secs(), 499);
        line.deadline = Some(Instant::now() + second * 499);
        assert!(line.observe(Step::of(0, 11)).is_break());
    }
}
