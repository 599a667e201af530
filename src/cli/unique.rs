//! `unique`: estimates uniqueness from two numbers.

use palmtop::columns::{Column, Table};
use palmtop::estimate::share_unique;
use serde::Serialize;

use clap::Args;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::status::Status;
use std::num::NonZeroU64;

#[derive(Debug, Args)]
pub(crate) struct UniqueArguments {
    /// The number of people.
    #[arg(long, value_name = "N")]
    pub(crate) people: NonZeroU64,
    /// The number of possible combinations: multiply the numbers of values of all attributes.
    #[arg(long, value_name = "D")]
    pub(crate) combinations: NonZeroU64,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

pub(super) struct Uniqueness {
    people: u64,
    combinations: u64,
    share_unique: f64,
    expected_unique: f64,
}

/// The columns of CSV, and the keys of JSON.
pub(super) const COLUMNS: [Column<Uniqueness>; 4] = [
    Column::number("people", "the number of people", |found| found.people.into()),
    Column::number("combinations", "the number of combinations, taken to be equally likely", |found| {
        found.combinations.into()
    }),
    Column::number(
        "share_unique",
        "the expected share of people whom nobody shares a combination with",
        |found| found.share_unique.into(),
    ),
    Column::number("expected_unique", "the expected number of these people", |found| {
        found.expected_unique.into()
    }),
];

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn run(arguments: &UniqueArguments) -> anyhow::Result<Status> {
    let (people, combinations) = (arguments.people.get(), arguments.combinations.get());
    let share_unique = share_unique(people, combinations);
    Uniqueness { people, combinations, share_unique, expected_unique: share_unique * people as f64 }
        .print(arguments.format)?;
    Ok(Status::Done)
}

impl Answer for Uniqueness {
    fn table(&self) -> Table {
        Table::of(&COLUMNS, [self])
    }

    fn object(&self) -> impl Serialize {
        self.table().object()
    }

    fn text(&self) -> String {
        format!(
            "people        {}\n\
             combinations  {}, taken to be equally likely\n\
             unique        {:.2} % are expected to share theirs with nobody: {:.0} people (e^(-n/d); an estimate)\n",
            self.people,
            self.combinations,
            100.0 * self.share_unique,
            self.expected_unique
        )
    }
}
