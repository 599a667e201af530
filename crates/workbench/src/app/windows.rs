//! The open windows, as a stack. The top window gets the keys; every window is drawn, the lowest first.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::intent::{Confirm, Intent, Purpose};
use crate::shared::report::Report;
use crate::shared::window::{Context, Window};
use crate::windows::question::QuestionWindow;

/// The open windows.
#[derive(Default)]
pub(crate) struct Windows {
    /// The windows, the top one last.
    stack: Vec<Box<dyn Window>>,
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
    pub(crate) fn answer(&mut self, context: &Context, key: KeyEvent) -> Intent {
        self.question.take().map_or(Intent::None, |mut question| question.key(context, key))
    }

    /// Puts a window on top.
    pub(crate) fn push(&mut self, window: Box<dyn Window>) {
        self.stack.push(window);
    }

    /// Takes the top window away.
    pub(crate) fn pop(&mut self) -> Option<Box<dyn Window>> {
        self.stack.pop()
    }

    /// The top window.
    pub(crate) fn top(&self) -> Option<&dyn Window> {
        self.stack.last().map(|window| &**window)
    }

    /// Shows why the screen refused the line of the top window.
    pub(crate) fn refuse(&mut self, why: String) {
        if let Some(window) = self.stack.last_mut() {
            window.refuse(why);
        }
    }

    /// Whether letters go into a field of the top window.
    pub(crate) fn takes_text(&self) -> bool {
        self.top().is_some_and(Window::takes_text)
    }

    /// The line that is being typed, and its purpose.
    pub(crate) fn line(&self) -> Option<(Purpose, &str)> {
        self.stack.iter().find_map(|window| window.line())
    }

    /// What the jobs of the windows do in the background.
    pub(crate) fn activity(&self) -> Activity {
        self.stack.iter().fold(Activity::default(), |all, window| all | window.activity())
    }

    /// The work that closing the windows would break off, as a clause.
    pub(crate) fn unfinished(&self) -> Option<&'static str> {
        self.stack.iter().find_map(|window| window.unfinished())
    }

    /// Hands a key to the top window.
    pub(crate) fn key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        self.stack.last_mut().map_or(Intent::None, |window| window.key(context, key))
    }

    /// Hands pasted text to the top window.
    pub(crate) fn paste(&mut self, context: &Context, text: &str) -> Intent {
        self.stack.last_mut().map_or(Intent::None, |window| window.paste(context, text))
    }

    /// Hands a click to the top window.
    pub(crate) fn click(&mut self, context: &Context, target: Target) -> Intent {
        self.stack.last_mut().map_or(Intent::None, |window| window.click(context, target))
    }

    /// Hands a report to the window that it is for. If that window is closed, the report is dropped.
    pub(crate) fn update(&mut self, context: &Context, mut report: Report) -> Intent {
        for window in self.stack.iter_mut().rev() {
            match window.update(context, report) {
                Ok(intent) => return intent,
                Err(other) => report = other,
            }
        }
        Intent::None
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
