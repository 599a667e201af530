pub(crate) mod update;
pub(crate) mod view;
