//! The messages of the status line, kept so that each can be read completely.

use std::collections::VecDeque;

/// The number of messages that are kept.
const KEPT: usize = 100;

/// The last messages, the newest last.
#[derive(Default)]
pub(crate) struct MessageLog {
    kept: VecDeque<String>,
    /// The last text of the status line; the same text again is no new message.
    last: String,
}

impl MessageLog {
    /// Keeps the text of the status line if it is new.
    pub(crate) fn note(&mut self, status: &str) {
        if status == self.last {
            return;
        }
        status.clone_into(&mut self.last);
        if status.is_empty() {
            return;
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(status.to_owned());
    }

    /// The messages, newest first.
    pub(crate) fn newest_first(&self) -> impl ExactSizeIterator<Item = &str> {
        self.kept.iter().rev().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_hundred_messages_are_kept() {
        let mut log = MessageLog::default();
        for message in ["a", "a", "", "a", "b"] {
            log.note(message);
        }
        assert_eq!(log.newest_first().collect::<Vec<_>>(), ["b", "a", "a"]);
        (0..250).for_each(|number| log.note(&number.to_string()));
        assert_eq!(log.newest_first().len(), KEPT);
        assert_eq!(log.newest_first().next(), Some("249"));
    }
}
