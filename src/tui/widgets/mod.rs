//! The small parts that screens are made of.

pub(crate) mod text;
pub(crate) mod bar;
pub(crate) mod histogram;
pub(crate) mod columns;
pub(crate) mod rule;
pub(crate) mod input;
