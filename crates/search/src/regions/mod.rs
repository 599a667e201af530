//! Regions and their cuts: MPALM, and what `best`, `simulatable` and the audits share with it.
//!
//! A problem and the rules of a strategy enter. Valid cuts leave, and the partition into regions that
//! no rule cuts further.

pub(crate) mod column_table;
pub(crate) mod cut_boxes;
pub(crate) mod label_tree;
pub(crate) mod limited_cuts;
pub(crate) mod limits;
pub(crate) mod mpalm;
pub(crate) mod split;
pub(crate) mod split_kind;
