//! The questions of the app: what each one says, and what a yes does.

use super::proposing;
use super::state::{App, Phase};
use crate::kit::words::sentence;
use crate::shared::intent::{Confirm, Errand, Intent};

impl App {
    /// Asks whether to quit.
    pub(super) fn ask_to_quit(&mut self) {
        let unfinished = self.windows.unfinished();
        let sentences = match (unfinished, &self.phase) {
            (Some(work), _) => vec![format!("Quit palmtop? {}; it would not be.", sentence(work))],
            (None, Phase::Ready(ready)) => ready.quit_question(),
            (None, Phase::Before(_)) => vec![proposing::quit_question()],
            (None, Phase::Loading(_) | Phase::Failed { .. }) => vec!["Quit palmtop?".to_owned()],
        };
        // `q` also closes screens, so that `q` pressed once too often is no answer.
        let question = Confirm::command("quit", String::new(), "Quit?", "quits", Intent::Quit);
        self.ask(Confirm { sentences, ..question });
    }

    /// Asks whether to read the project again, if that would drop work.
    pub(super) fn ask_to_reload(&mut self) {
        let sentence = if self.is_searching() {
            "A search is running. It is dropped if anything has changed."
        } else {
            "Read the project again?"
        };
        let reload = Intent::Errand(Errand::Reload);
        self.ask(Confirm::command("reload", sentence.to_owned(), "Read again?", "reads again", reload));
    }

    /// Asks whether to open another project, if that would drop work.
    pub(super) fn ask_to_open(&mut self) {
        let sentence = if self.is_searching() {
            "A search is running. Another project drops it."
        } else {
            "Open another project?"
        };
        let open = Self::project_to_open();
        self.ask(Confirm::command(
            "open-project",
            sentence.to_owned(),
            "Open another?",
            "opens another",
            open,
        ));
    }

    /// Asks whether to go on with the newest sitting, or to begin a new one.
    pub(super) fn ask_to_go_on(&mut self) {
        self.ask(Confirm {
            sentences: vec!["The history has a sitting of this project.".to_owned()],
            brief: "A sitting is saved.",
            letter: 'N',
            yes_does: "begins anew, with a reason",
            no_does: "goes on with it",
            command: None,
            yes: Self::reason_to_begin_anew(),
        });
    }

    /// Opens a question, with what is not saved.
    pub(super) fn ask(&mut self, mut question: Confirm) {
        if let Phase::Ready(ready) = &self.phase {
            question.sentences.extend(ready.unsaved());
        }
        self.windows.ask(question);
    }

    fn is_searching(&self) -> bool {
        matches!(&self.phase, Phase::Ready(ready) if ready.shared.runs.unfinished() > 0)
    }

    /// Whether other tables would drop something: a running search works on these tables, and an edit may not be saved.
    pub(super) fn would_drop_work(&self) -> bool {
        self.is_searching() || matches!(&self.phase, Phase::Ready(ready) if ready.unsaved().is_some())
    }
}
