pub(crate) mod map;
pub(crate) mod panes;
pub(crate) mod rows;
pub(crate) mod update;
pub(crate) mod view;
pub(crate) mod walk;
