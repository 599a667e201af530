//! Writes settings into the project file, and then reads the project again.

use std::sync::Arc;

use palmtop_project::settings::Setting;
use palmtop_release::pipeline;

use super::message::{Message, SettingsWritten};
use super::state::{App, Phase};
use crate::kit::slot::Answer;
use crate::kit::words::chain;
use crate::screens::hierarchies::state::HierarchyTree;
use crate::shared::component::Component as _;
use crate::windows::notice::Notice;

impl App {
    /// Writes settings into the project file. If δ is among them, the history records that.
    pub(super) fn write_settings(&mut self, settings: Vec<Setting>) {
        let Phase::Ready(ready) = &mut self.phase else { return };
        // The project is read again afterwards, which would drop them.
        let hierarchies = ready.screens.of::<HierarchyTree>();
        if let Some(unsaved) = hierarchies.and_then(|tree| tree.state().unsaved) {
            self.status = format!("{unsaved} Save them, or take them back, first.");
            return;
        }
        let shared = &mut ready.shared;
        let is_delta = |setting: &Setting| setting.table == "delta" && ["min", "max"].contains(&setting.key);
        if settings.iter().any(is_delta) {
            shared.note_written_delta();
        }
        let analysis = Arc::clone(&shared.analysis);
        self.writing.ask(&self.link, Message::SettingsWritten, move |_| {
            let keys: Vec<String> =
                settings.iter().map(|setting| format!("{}.{}", setting.table, setting.key)).collect();
            let message = format!("{} written into {}", keys.join(", "), analysis.path().display());
            let written = pipeline::settings::save(&analysis, &settings);
            Some(written.map(|()| message).map_err(|error| chain(&error)))
        });
    }

    /// Handles the result: the project is read again, or a notice gives the reason.
    pub(super) fn settings_written(&mut self, answer: Answer<SettingsWritten>) {
        let Some(taken) = self.writing.take(answer) else { return };
        let why = || self.writing.failure().unwrap_or_default().to_owned();
        match taken.unwrap_or_else(|_| Err(why())) {
            Ok(message) => self.reload_saved(message),
            Err(why) => {
                let title = "the project was not written".to_owned();
                self.open_window(Box::new(Notice::new(title, why)));
            }
        }
    }
}
