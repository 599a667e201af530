pub(crate) mod view;
