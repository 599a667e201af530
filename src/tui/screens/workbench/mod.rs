pub(crate) mod neighbours;
pub(crate) mod steps;
pub(crate) mod update;
pub(crate) mod view;
