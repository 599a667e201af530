//! The open windows, as a stack. The top window gets the keys; every window is drawn, the lowest first.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::verb::Verb;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::{Confirm, Intent};
use crate::shared::report::Report;
use crate::windows::field_help::FIELD_KEYS;
use crate::windows::question::QuestionWindow;

/// The open windows.
#[derive(Default)]
pub(crate) struct Windows {
    /// The windows, the top one last.
    stack: Vec<Box<dyn Component>>,
    /// The question over the windows. It stays on top whatever opens or closes below it.
    question: Option<QuestionWindow>,
}

impl Windows {
    /// Whether no window is open.
    pub(crate) fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// Opens a question over the windows.
    pub(crate) fn ask(&mut self, question: Confirm) {
        self.question = Some(QuestionWindow(question));
    }

    /// The open question.
    pub(crate) fn question(&self) -> Option<&QuestionWindow> {
        self.question.as_ref()
    }

    /// Closes the question, and hands it a key.
    pub(crate) fn answer(&mut self, context: &Context, key: KeyEvent) -> Result<Intent, String> {
        let question = self.question.take();
        question.map_or(Ok(Intent::None), |mut question| question.handle(context, Event::Key(key)))
    }

    /// Puts a window on top.
    pub(crate) fn push(&mut self, window: Box<dyn Component>) {
        self.stack.push(window);
    }

    /// Takes the top window away.
    pub(crate) fn pop(&mut self) -> Option<Box<dyn Component>> {
        self.stack.pop()
    }

    /// The top window.
    pub(crate) fn top(&self) -> Option<&dyn Component> {
        self.stack.last().map(|window| &**window)
    }

    /// The keys that the key of the help lists over the top window: `F1` those of a field, the help's own those of a window.
    pub(crate) fn keys(&self, key: KeyEvent, verb: Option<Verb>) -> &'static [(&'static str, &'static str)] {
        match self.top().map(|window| window.state()) {
            Some(State { takes_text: true, .. }) if key.code == KeyCode::F(1) => FIELD_KEYS,
            Some(State { takes_text: false, keys, .. }) if verb == Some(Verb::Here) => keys,
            _ => &[],
        }
    }

    /// The line that is being typed, after its name.
    pub(crate) fn line(&self) -> Option<(&'static str, &str)> {
        self.stack.iter().find_map(|window| window.state().line)
    }

    /// What the jobs of the windows do in the background.
    pub(crate) fn activity(&self) -> Activity {
        self.stack.iter().fold(Activity::default(), |all, window| all | window.state().activity)
    }

    /// The work that closing the windows would break off, as a clause.
    pub(crate) fn unfinished(&self) -> Option<&'static str> {
        self.stack.iter().find_map(|window| window.state().unfinished)
    }

    /// Hands an event to the top window.
    pub(crate) fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        self.stack.last_mut().map_or(Ok(Intent::None), |window| window.handle(context, event))
    }

    /// Hands a report to the window that it is for. If that window is closed, the report is dropped.
    pub(crate) fn update(&mut self, context: &Context, mut report: Report) -> Result<Intent, String> {
        for window in self.stack.iter_mut().rev() {
            let answer = window.handle(context, Event::Report(&mut report));
            if report.is_taken() {
                return answer;
            }
        }
        Ok(Intent::None)
    }

    /// Draws every window. A click reaches only what the top window drew.
    pub(crate) fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        for window in &self.stack {
            page.hits.clear();
            window.draw(page, area, context);
        }
    }

    /// Draws the question.
    pub(crate) fn draw_question(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(question) = &self.question {
            question.draw(page, area, context);
        }
    }
}
