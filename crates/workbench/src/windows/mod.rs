//! The windows that open over a screen, one folder each. No window uses another window or a screen.

pub(crate) mod question;
pub(crate) mod notice;
pub(crate) mod messages;
pub(crate) mod cautions;
pub(crate) mod menu;
pub(crate) mod unplaced;
pub(crate) mod prompt;
pub(crate) mod choices;
pub(crate) mod history;
pub(crate) mod command_lines;
pub(crate) mod export;
pub(crate) mod audit;
pub(crate) mod field_help;
pub(crate) mod glossary;
