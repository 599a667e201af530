pub(crate) mod pages;
pub(crate) mod update;
pub(crate) mod view;
