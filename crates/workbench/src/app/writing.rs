//! Writes δ into the project file, and then reads the project again.

use palmtop_release::pipeline;
use std::sync::Arc;

use palmtop_core::model::Delta;

use super::message::{DeltaWritten, Message};
use super::state::{App, Phase};
use crate::kit::slot::Answer;
use crate::kit::words::chain;
use crate::windows::notice::Notice;

impl App {
    /// Writes δ into the project file, and records that in the history.
    pub(super) fn write_delta(&mut self, delta: Delta) {
        let Phase::Ready(ready) = &mut self.phase else { return };
        ready.shared.note_written_delta();
        let (analysis, decided) = (Arc::clone(&ready.shared.analysis), ready.shared.decided(delta));
        self.writing.ask(&self.link, Message::DeltaWritten, move |_| {
            let name = analysis.path().display().to_string();
            let message = format!("δ {} to {} is written into {name}", delta.min(), delta.max());
            Some(
                pipeline::delta_line::save(&analysis, delta, &decided)
                    .map(|()| message)
                    .map_err(|error| chain(&error)),
            )
        });
    }

    /// Handles the result: the project is read again, or a notice gives the reason.
    pub(super) fn delta_written(&mut self, answer: Answer<DeltaWritten>) {
        let Some(taken) = self.writing.take(answer) else { return };
        let why = || self.writing.failure().unwrap_or_default().to_owned();
        match taken.unwrap_or_else(|_| Err(why())) {
            Ok(message) => self.reload_saved(message),
            Err(why) => {
                let title = "δ was not written into the project".to_owned();
                self.open_window(Box::new(Notice::new(title, why)));
            }
        }
    }
}
