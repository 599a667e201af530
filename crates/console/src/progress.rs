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

/// A line of progress that vanishes when it is dropped.
pub struct ProgressLine {
    bar: ProgressBar,
    text: String,
    /// `None` without a limit.
    deadline: Option<Instant>,
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
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.timed_out = true;
            return ControlFlow::Break(());
        }
        self.tell();
        self.go_on()
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
