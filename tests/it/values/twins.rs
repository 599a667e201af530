//! Compares the readers of values of the engine and of `verify` on one text at a time. Both accept
//! the same texts and read the same value.

use std::path::Path;

use palmtop::pipeline::{self, ExportOptions, Overrides};
use proptest::prelude::*;

use super::{Written, quasi};

/// Short texts made of these parts.
fn texts(parts: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(parts), 0..most).prop_map(|parts| parts.concat())
}

/// Loads a table of one person with this value and releases the person unchanged; or both readers
/// refuse the table.
fn is_read_alike(text: &str, hierarchy: &str, keys: &str) -> Result<bool, String> {
    let table = format!("x\n\"{text}\"\n");
    let files = [("p.csv", table.as_str()), ("t.csv", table.as_str()), ("h.toml", hierarchy)];
    let project = Written::new(&files, &quasi("x", "h.toml", keys));
    let target = project.path().join("out.csv");
    let Ok(analysis) = project.load() else {
        std::fs::write(&target, "x\n*\n").unwrap();
        let found =
            pipeline::verify_file(&project.path().join("p.toml"), &Overrides::default(), Path::new(&target));
        return if found.is_err() {
            Ok(false)
        } else {
            Err(format!("only verify reads {text:?} under {keys}"))
        };
    };
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().bottom());
    match pipeline::export::write(&analysis, &release, &target, ExportOptions::default()) {
        Ok(_) => Ok(true),
        Err(error) => Err(format!("{text:?} under {keys}: {error}")),
    }
}

const NUMBER: &str = "type = \"interval\"\nwidths = [10]\n";
const DATE: &str = "type = \"date\"\nlevels = [\"year\"]\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_number_is_one_to_both(
        text in texts(&["0", "1", "23", "456", "789", ".", ",", " ", "'", "-", "+", "e", "NA", "\u{a0}", "\u{2212}", "<", ">="], 7),
        keys in prop::sample::select(vec![
            "number = {}",
            "number = \"1234,5\"",
            "number = \"1.234,5\"\ntrim = true",
            "number = \"1 234.5\"\nmissing = [\"NA\"]",
            "number = { first = 5, last = \"40.5\" }",
            "number = { like = \"1.234,5\", last = 1000 }",
            "number = \"1'234.5\"\nmissing = [\"\"]\nmissing_label = \"none\"\ntrim = true",
        ]),
    ) {
        prop_assert!(is_read_alike(&text, NUMBER, keys).is_ok(), "{:?}", is_read_alike(&text, NUMBER, keys));
    }

    #[test]
    fn a_day_is_one_to_both(
        day in texts(&["0", "1", "2", "3", "9"], 4),
        month in prop::sample::select(vec!["1", "01", "2", "02", "012", "13", "00", "Jan", "jan", "January", "FEB", "may", "Mär", "janv.", "août", "ENE", "sept."]),
        year in prop::sample::select(vec!["24", "2024", "70", "7", "0024", "+2024", "02024", "1900"]),
        mark in prop::sample::select(vec![".", "/", " ", "", "-"]),
        time in prop::sample::select(vec!["", " 7:30", " 07:30", " 24:00", " 07:60", " ", "T07:30", " 07:30:00.5", " 07:30:00+09:00", " 07:30:59Z", " 12:30 am", "-01"]),
        form in prop::sample::select(vec!["%d.%m.%Y", "%d/%m/%y", "%d %b %Y", "%d %B %y", "%d%m%Y", "%d.%m.%Y %H:%M", "%d-%b-%YT%H:%M", "%d.%m.%Y %H:%M:%S%.f", "%d.%m.%Y %H:%M:%S%z", "%d/%m/%Y %I:%M %p", "%d %b. %y", "%y%m%d"]),
    ) {
        let keys = if form.contains("%y") {
            format!("date = {{ like = \"{form}\", from = 1926 }}")
        } else {
            format!("date = \"{form}\"")
        };
        for text in [format!("{day}{mark}{month}{mark}{year}{time}"), form
            .replace("%d", &day).replace("%m", month).replace("%b", month).replace("%B", month)
            .replace("%Y", year).replace("%y", year).replace("%H:%M:%S%.f", time.trim_start()).replace("%H:%M:%S%z", time.trim_start())
            .replace("%I:%M %p", time.trim_start()).replace("%H:%M", time.trim_start())]
        {
            prop_assert!(is_read_alike(&text, DATE, &keys).is_ok(), "{:?}", is_read_alike(&text, DATE, &keys));
        }
    }
}

#[test]
fn some_of_these_are_read() {
    assert_eq!(is_read_alike("1.234,50", NUMBER, "number = \"1.234,5\""), Ok(true));
    assert_eq!(is_read_alike("1.3.2024", DATE, "date = \"%d.%m.%Y\""), Ok(true));
    assert_eq!(is_read_alike("1.3.24", DATE, "date = \"%d.%m.%Y\""), Ok(false));
}
