//! The building blocks of the workbench. They know no screen and no project.

pub(crate) mod name;
pub(crate) mod command;
pub(crate) mod keymap;
pub(crate) mod link;
pub(crate) mod slot;
pub(crate) mod text;
pub(crate) mod words;
pub(crate) mod theme;
pub(crate) mod symbols;
pub(crate) mod bar;
pub(crate) mod histogram;
pub(crate) mod columns;
pub(crate) mod rule;
pub(crate) mod scroll;
pub(crate) mod hits;
pub(crate) mod page;
pub(crate) mod pending;
pub(crate) mod layout;
pub(crate) mod window;
pub(crate) mod input;
pub(crate) mod complete;
pub(crate) mod canvas;
pub(crate) mod decode;
pub(crate) mod keyboard;
pub(crate) mod terminal;
pub(crate) mod rehearsal;
