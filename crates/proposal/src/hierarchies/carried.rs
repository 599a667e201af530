//! The hierarchies that palmtop carries.

/// Files of the folder `hierarchies`.
macro_rules! carried {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../hierarchies/", $name)))),*]
    };
}

/// The hierarchies of palmtop: the name of each file with its text.
pub const CARRIED: &[(&str, &str)] = carried![
    "age-40.toml",
    "age-decades.toml",
    "age-stages.toml",
    "age.toml",
    "date.toml",
    "education.csv",
    "marital-status.csv",
    "nationality.csv",
    "occupation.csv",
    "sex.csv",
    "year.toml",
    "zip.toml",
];

/// The text of one of these hierarchies.
pub(crate) fn content(name: &str) -> Option<&'static str> {
    CARRIED.iter().find(|(carried, _)| *carried == name).map(|(_, content)| *content)
}
