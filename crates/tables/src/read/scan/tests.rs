use super::*;
use crate::source::rows::RowName;

/// The doubts about a table of comma-separated texts; its first line has the names, unless `rules` say otherwise.
fn doubts(names: &str, rows: &[&str], rules: &RowRules) -> Vec<(DoubtKind, u64)> {
    let names: Vec<String> = names.split(',').map(ToOwned::to_owned).collect();
    let mut scan = Scan::new(&names, rules);
    for (number, row) in (2..).zip(rows) {
        scan.look(number, row.split(','));
    }
    scan.finish(1).into_iter().map(|doubt| (doubt.kind, doubt.number)).collect()
}

fn found(names: &str, rows: &[&str]) -> Vec<(DoubtKind, u64)> {
    doubts(names, rows, &RowRules::default())
}

/// 40 people of an age, a sex and a county.
fn people() -> Vec<String> {
    let county = ["Graz", "Wien", "Linz", "Bad Ischl"];
    let sex = ["f", "m"];
    (0..40).map(|nth| format!("{},{},{}", 20 + 7 * nth % 60, sex[nth % 2], county[nth % 4])).collect()
}

fn with(at: usize, row: &str) -> Vec<(DoubtKind, u64)> {
    let mut rows = people();
    rows.insert(at, row.to_owned());
    found("age,sex,county", &rows.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn names_that_are_values_are_a_doubt() {
    let header = vec![(DoubtKind::Header, 1)];
    let people = people();
    let people: Vec<&str> = people.iter().map(String::as_str).collect();
    for names in ["27,f,Wien", "34,m,Villach", "31,m,Villach", ",f,Graz", "20,,"] {
        assert_eq!(found(names, &people), header, "{names}");
    }
    assert_eq!(
        found("C-0007,1950-02-03", &["C-0001,1961-07-01", "C-0002,1943-08-28", "C-0003,1970-01-01"]),
        header
    );
    assert_eq!(found("28,f,8002", &["27,m,8002", "50,m,8001", "26,f,8001", "44,m,8003"]), header);
}

// holds: Doubtful rows are questions
#[test]
fn names_of_clean_tables_are_none() {
    for (names, rows) in [
        ("region,2019,2020,2021", &["a,512,633,2020", "b,1,2,3", "c,12,33,41"][..]),
        ("name,2020", &["Anna Berg,12", "Karl Klein,4000", "Eva Groß,2300"]),
        ("sex,other", &["f,other", "m,none", "f,none", "m,other", "f,none"]),
        ("f,t", &["12,1", "13,2", "14,3", "15,4"]),
        (",age", &["0,12", "1,13", "2,14"]),
        ("0,1,2", &["0,5,7", "1,6,8", "2,7,9"]),
        ("q1,q2", &["1,2", "2,1", "1,1", "2,2"]),
        ("id,1,2,3,5", &["C-1,1,2,3,5", "C-2,5,2,1,1", "C-3,2,2,2,2"]),
        ("patient,born", &["C-1,1950-01-01", "C-2,1951-01-01", "C-3,1952-01-01"]),
    ] {
        assert_eq!(found(names, rows), [], "{names}");
    }
    let rules = RowRules { header: Header::InFile, ..RowRules::default() };
    assert_eq!(doubts("28,f", &["28,m", "29,m", "30,f"], &rules), []);
}

// holds: Doubtful rows are questions
#[test]
fn rows_that_are_no_people_are_doubts() {
    for (at, row, kind) in [
        (7, "age,sex,county", DoubtKind::NamesAgain),
        (40, "Total,40,", DoubtKind::Total),
        (40, "Summe:,,", DoubtKind::Total),
        (12, "33,f,total", DoubtKind::Total),
        (40, "n = 40,,", DoubtKind::Total),
        (0, "years,,", DoubtKind::NoValue),
        (0, "Alter,Geschlecht,Ort", DoubtKind::SecondHeader),
        (40, "Source: register,,", DoubtKind::NoValue),
        (40, ",,Source: register", DoubtKind::Sparse),
        (20, ",,", DoubtKind::Sparse),
    ] {
        assert_eq!(with(at, row), [(kind, at as u64 + 2)], "{row}");
    }
}

#[test]
fn people_are_no_doubts() {
    for row in ["NA,f,Wien", "unknown,f,Wien", "90+,f,Graz", "<1,m,Wien", "elderly,f,Wien", "33,f,Villach"] {
        assert_eq!(with(20, row), [], "{row}");
    }
    let rules = RowRules { keep: vec![RowName::Text("Total".to_owned())], ..RowRules::default() };
    let people = people();
    let rows: Vec<&str> = people.iter().map(String::as_str).chain(["Total,40,"]).collect();
    assert_eq!(doubts("age,sex,county", &rows, &rules), []);
}

#[test]
fn a_note_below_two_columns_is_found() {
    let rows =
        |blank: &'static str| ["Graz,f", "Wien,m", "Graz,m", "Graz,f", blank, "Linz,f", "Linz,m", "Source,"];
    assert_eq!(found("county,sex", &rows("Wien,f")), [(DoubtKind::Sparse, 9)]);
    assert_eq!(found("county,sex", &rows("Wien,")), []);
}
