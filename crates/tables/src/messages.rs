//! Every message of the crate, on one page.

use std::io;
use std::path::Path;

use palmtop_core::message_page::block;
use palmtop_core::model::{Counts, Kind, ModelError};
use palmtop_core::{assert_messages, one_of_each};

use crate::error::doubts::{Doubt, DoubtKind, Doubts};
use crate::error::refused::{Held, Refusal, RefusedValue, RefusedValues};
use crate::error::{DataError, Excess, NotInPublic, NotUtf8, Repeats, Unmatched};
use crate::hierarchies::build::{CannotBuild, Recipe, ValueKind};
use crate::position::RowPosition;
use crate::write::pseudonym::Unfit;
use crate::write::{TargetError, TooManyRows, WriteError};

fn of(name: &str) -> &Path {
    Path::new(name)
}

fn row(row: u64) -> RowPosition {
    RowPosition { file: None, row }
}

fn not_utf8(field: &[u8]) -> NotUtf8 {
    let error = std::str::from_utf8(field).unwrap_err();
    NotUtf8::new(of("t.csv"), 3, Some("zip".to_owned()), field, error)
}

/// Values that a hierarchy lacks, that cannot be read, or that clash.
fn refused(refusal: Refusal, values: &[&str], labels: &[&str]) -> DataError {
    let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
    let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
    let held = Held::plain(of("p.csv"), "zip");
    let is_known = |text: &str| labels.iter().any(|label| label == text);
    let values = values.iter().collect::<Vec<_>>();
    let refused = RefusedValues::new(&held, refusal, &values, &is_known, &labels, None);
    let lookup = |text: &str| RefusedValue { text: text.to_owned(), row: Some(row(7)), people: 2 };
    DataError::Refused(Box::new(refused)).with_positions(&|_, _, text| Some(lookup(text)))
}

fn doubts(unit: &'static str, list: &[(DoubtKind, u64, &[&str])]) -> DataError {
    let doubt = |(kind, number, texts): &(DoubtKind, u64, &[&str])| Doubt {
        kind: kind.clone(),
        number: *number,
        texts: texts.iter().map(|&text| text.to_owned()).collect(),
    };
    let list = list.iter().map(doubt).collect();
    DataError::Doubts(Box::new(Doubts { file: "p.csv".into(), unit, is_one_of_several: false, list }))
}

fn excess() -> Excess {
    Excess {
        private: "t.csv".into(),
        public: "p.csv".into(),
        people: 3,
        rows: vec![row(2), row(5)],
        row_count: 3,
        combinations: vec![(vec!["30".to_owned(), "8001".to_owned()], Counts::new(1, 4))],
        combination_count: 2,
        attributes: vec!["age".to_owned(), "zip".to_owned()],
    }
}

fn not_in_public(explained_by: &[(&str, u64)]) -> DataError {
    let explained_by = explained_by.iter().map(|&(name, people)| (name.to_owned(), people)).collect();
    let blank = vec!["zip".to_owned()];
    let alike = [["town", "Zu\u{308}rich", "Z\u{fc}rich"].map(ToOwned::to_owned)].to_vec();
    DataError::NotInPublic(Box::new(NotInPublic {
        excess: excess(),
        repeated: 1,
        explained_by,
        blank,
        alike,
    }))
}

fn unmatched() -> DataError {
    let unmatched = Unmatched {
        attributes: vec!["age".to_owned()],
        values: vec![(vec!["30".to_owned()], vec![]), (vec!["40".to_owned()], vec![1, 2])],
        count: 3,
        people: 9,
        idle: Some(4),
    };
    unmatched.in_file(of("r.csv")).into()
}

fn repeats() -> DataError {
    DataError::Repeats(Box::new(Repeats {
        table: "p.csv".into(),
        column: "id".to_owned(),
        rows: 9,
        identifiers: 3,
        differing: 1,
        surplus: 3,
        agreeing: 2,
        first: vec![([row(1), row(2)], true), ([row(3), row(4)], false)],
    }))
}

fn data_errors() -> String {
    let not_found = || io::Error::from(io::ErrorKind::NotFound);
    one_of_each!(DataError {
        Located =>
            DataError::hierarchy(of("h.csv"), Some(3), "level 1 is empty"),
            DataError::hierarchy_model(of("h.csv"))(ModelError::not_of_kind("x", Kind::Number)),
            DataError::changed(of("p.csv")),
            DataError::empty_table(of("p.csv"), "public"),
            DataError::ragged(of("p.csv"), 3, 2, 4),
            DataError::unknown_format(of("p.ods")),
            DataError::unreadable(of("p.parquet"), "no footer"),
            DataError::two_readings(of("p.csv"), "3 and 4 rows"),
            DataError::io("read", of("p.csv"))(not_found()),
            unmatched();
        NotUtf8 =>
            DataError::NotUtf8(Box::new(not_utf8(b"Z\xfcrich"))),
            DataError::NotUtf8(Box::new(not_utf8(b"\x81"))),
            DataError::NotUtf8(Box::new(not_utf8(b"Z\xfcrich"))).of_hierarchy();
        Refused =>
            refused(Refusal::Lacking("zip.csv".into()), &["8001"], &["9000"]),
            refused(Refusal::Lacking("zip.csv".into()), &["1234"], &["01234"]),
            refused(Refusal::Form("a number".to_owned()), &["x"], &[]),
            refused(Refusal::Label, &["unknown"], &[]),
            refused(Refusal::SameNumber, &["1", "1.0"], &[]);
        Doubts =>
            doubts("line", &[(DoubtKind::Header, 1, &["30", "8001"])]),
            doubts("line", &[(DoubtKind::Separator, 1, &["sep=;"])]),
            doubts("row", &[(DoubtKind::Title { names: 2 }, 1, &["People of 2024"])]),
            doubts("row", &[(DoubtKind::SecondHeader, 2, &["years", ""])]),
            doubts("line", &[
                (DoubtKind::NamesAgain, 40, &["age", "zip"]),
                (DoubtKind::NoValue, 41, &["n/a"]),
                (DoubtKind::Sparse, 42, &[]),
                (DoubtKind::Total, 43, &["Total", "42"]),
            ]),
            doubts("row", &[(DoubtKind::Margin { column: "sex".to_owned() }, 0, &["Total"])]),
            doubts("row", &[(DoubtKind::Hidden { rows: 2 }, 3, &["30"])]);
        NotInPublic => not_in_public(&[]), not_in_public(&[("zip", 2)]);
        Repeats => repeats();
        Several => DataError::Several(vec![
            DataError::empty_table(of("p.csv"), "public"),
            DataError::empty_table(of("t.csv"), "private"),
        ]);
        Model => DataError::Model(ModelError::not_of_kind("x", Kind::Number));
        Cancelled => DataError::Cancelled;
    })
}

fn targets() -> [String; 2] {
    type Written = WriteError<String>;
    let path = || "out.csv".into();
    [
        one_of_each!(TargetError {
            Exists => TargetError::Exists { path: path() };
            IsInput => TargetError::IsInput { path: path() };
            IsMatched => TargetError::IsMatched { path: path(), pattern: "*.csv".to_owned() };
            IsHistory => TargetError::IsHistory { path: path() };
            IsWritten => TargetError::IsWritten { path: path() };
            IsNoFile => TargetError::IsNoFile { path: path() };
            IsNoFolder => TargetError::IsNoFolder { path: path() };
            HasOtherFiles => TargetError::HasOtherFiles { path: path() };
            Disk => TargetError::Disk(DataError::changed(of("out.csv")));
        }),
        one_of_each!(Written {
            Target => Written::Target(TargetError::Exists { path: path() });
            Disk => Written::Disk(DataError::changed(of("out.csv")));
            Refused => Written::Refused("line 3: a stray quote".to_owned());
        }),
    ]
}

fn unfit() -> String {
    one_of_each!(Unfit {
        Blank => Unfit::Blank;
        NotDigits => Unfit::NotDigits;
        Length => Unfit::Length { found: 7, expected: 6 };
        Itself => Unfit::Itself;
        Given => Unfit::Given;
        NoRandomness => Unfit::NoRandomness;
    })
}

fn cannot_build() -> String {
    let error = |kind, values: &[&'static str], levels| -> CannotBuild {
        Recipe::build(values.iter().copied(), kind, levels).unwrap_err()
    };
    let cases = [
        error(ValueKind::Number, &["1", "1,5"], None),
        error(ValueKind::Number, &["1", "2"], Some(9)),
        error(ValueKind::Date, &["5.1.2024"], None),
        error(ValueKind::Date, &["2024-01-05"], Some(5)),
        error(ValueKind::Code, &["08913", "8913"], None),
        error(ValueKind::Code, &["089"], Some(1)),
        error(ValueKind::Category, &[], None),
    ];
    block(stringify!(CannotBuild), &cases.map(|error| ("", error.to_string())))
}

/// A block of the refusals of some inputs.
fn by_input(heading: &str, refusals: impl IntoIterator<Item = String>) -> String {
    block(heading, &refusals.into_iter().map(|message| ("", message)).collect::<Vec<_>>())
}

#[test]
fn every_message_is_on_the_page() {
    let [target, write] = targets();
    let hierarchies = crate::hierarchies::tests::refusals().into_iter().map(|(_, _, found)| found);
    let keys = crate::write::pseudonym::key::tests::refusals().into_iter().map(|(_, _, found)| found);
    let inputs = crate::source::identity::tests::refusals().into_iter().map(|(_, found)| found);
    let sheets = crate::read::sheet::tests::refusals().into_iter().map(|(_, found)| found);
    let edits = crate::hierarchies::edit::tests::refusals().into_iter().map(|(_, found)| found);
    let arx = crate::arx::project::tests::refusals().into_iter().map(|(_, found)| found);
    assert_messages!(
        data_errors(),
        target,
        write,
        unfit(),
        cannot_build(),
        by_input("TooManyRows", [TooManyRows.to_string()]),
        by_input("KeyError", keys),
        by_input("EditError", edits),
        by_input("a file of hierarchies", hierarchies),
        by_input("a sheet", sheets),
        by_input("one file for two inputs", inputs.filter(|message| !message.is_empty())),
        by_input("a project of ARX", arx),
    );
}
