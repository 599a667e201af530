//! `unique`: estimates uniqueness from two numbers.

use palmtop::estimate::share_unique;
use serde::Serialize;

use super::args::UniqueArguments;
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::status::Status;

/// The result as JSON, with stable keys.
#[derive(Serialize)]
struct Uniqueness {
    people: u64,
    combinations: u64,
    share_unique: f64,
    expected_unique: f64,
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn run(arguments: &UniqueArguments) -> anyhow::Result<Status> {
    let (people, combinations) = (arguments.people.get(), arguments.combinations.get());
    let share_unique = share_unique(people, combinations);
    let found =
        Uniqueness { people, combinations, share_unique, expected_unique: share_unique * people as f64 };
    match arguments.format {
        Format::Json => output::print_json(&found)?,
        Format::Csv => found.rows().print_csv()?,
        Format::Table => output::print(&found.text())?,
    }
    Ok(Status::Done)
}

impl Uniqueness {
    fn rows(&self) -> OutputRows {
        let cells = [
            ("people", self.people.to_string()),
            ("combinations", self.combinations.to_string()),
            ("share_unique", self.share_unique.to_string()),
            ("expected_unique", self.expected_unique.to_string()),
        ];
        let (header, row) = cells.into_iter().map(|(name, value)| (name.to_owned(), value)).unzip();
        OutputRows { header, lines: vec![row], numbers_from: 0 }
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
