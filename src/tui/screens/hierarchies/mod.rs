pub(crate) mod state;
pub(crate) mod tree;
pub(crate) mod update;
pub(crate) mod view;
