//! What the workbench is made of; it knows no screen.

pub(crate) mod name;
pub(crate) mod slot;
pub(crate) mod job;
pub(crate) mod hits;
pub(crate) mod keymap;
pub(crate) mod text;
pub(crate) mod words;
pub(crate) mod bar;
pub(crate) mod histogram;
pub(crate) mod columns;
pub(crate) mod rule;
pub(crate) mod layout;
pub(crate) mod input;
pub(crate) mod theme;
pub(crate) mod symbols;
pub(crate) mod canvas;
pub(crate) mod decode;
pub(crate) mod keyboard;
pub(crate) mod terminal;
pub(crate) mod rehearsal;
