pub(crate) mod sweep;
pub(crate) mod update;
pub(crate) mod view;
