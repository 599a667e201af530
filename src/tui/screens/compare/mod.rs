pub(crate) mod difference;
pub(crate) mod rows;
pub(crate) mod update;
pub(crate) mod view;
