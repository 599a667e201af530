//! Tables in ten encodings and dialects of CSV: from the raw files to a verified release.

use std::fs;

use encoding_rs::Encoding;

use super::clean::{Column, Kind, Table};
use super::form::Csv;
use super::pair::Pair;
use crate::support::palmtop;

/// Each encoding with towns whose letters it has; all towns are read in full.
const TOWNS: [(&str, [&str; 5]); 10] = [
    ("windows-1252", ["Zürich", "Genève", "Köln", "Málaga", "Århus"]),
    ("windows-1250", ["Łódź", "Częstochowa", "Żory", "Kraków", "Wałbrzych"]),
    ("windows-1251", ["Москва", "Пермь", "Казань", "Самара", "Омск"]),
    ("windows-1253", ["Αθήνα", "Πάτρα", "Λάρισα", "Βόλος", "Χανιά"]),
    ("shift_jis", ["東京", "大阪", "京都", "横浜", "札幌"]),
    ("gbk", ["北京", "上海", "广州", "深圳", "成都"]),
    ("big5", ["臺北", "高雄", "臺中", "臺南", "桃園"]),
    ("euc-kr", ["서울", "부산", "대구", "인천", "광주"]),
    ("koi8-u", ["Москва", "Пермь", "Казань", "Самара", "Омск"]),
    ("macintosh", ["Zürich", "Genève", "Köln", "Málaga", "Århus"]),
];

/// P with 24 people of each town, and T with every sixth.
fn tables(towns: &[&str]) -> [Table; 2] {
    let column = |name: &str, kind| Column { name: name.to_owned(), kind };
    let row = |person: usize| {
        let sex = if person.is_multiple_of(2) { "f" } else { "m" };
        vec![towns[person % towns.len()].to_owned(), sex.to_owned(), (30 + person % 12).to_string()]
    };
    let shared = [column("town", Kind::Category), column("sex", Kind::Category), column("age", Kind::Number)];
    let rows: Vec<Vec<String>> = (0..24 * towns.len()).map(row).collect();
    let members = rows.iter().step_by(7).map(|row| [&row[..], &["flu".to_owned()]].concat());
    let private = Table {
        columns: shared.iter().cloned().chain([column("diagnosis", Kind::Sensitive)]).collect(),
        rows: members.collect(),
    };
    [Table { columns: shared.to_vec(), rows }, private]
}

#[test]
fn ten_encodings_become_verified_releases() {
    let mut guessed = 0;
    for (case, (label, towns)) in TOWNS.iter().enumerate() {
        let csv = Csv {
            separator: [',', ';', '\t', '|'][case % 4],
            quotes_all: case % 3 == 0,
            has_returns: case % 2 == 0,
            has_mark: false,
        };
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let [public, private] = tables(towns);
        let bytes = |table: &Table| encoding.encode(&csv.lines(table).concat()).0.into_owned();
        let pair = Pair::new(bytes(&public), bytes(&private), "csv", &private);
        let mut asked = pair.init(&[]);
        let of_files = asked.questions.iter().filter(|open| open.text.contains("is not UTF-8"));
        assert!(of_files.count() == 2 && asked.questions.len() <= 3, "{label}: {asked:?}");
        let reads_towns = || {
            let listed = palmtop(pair.folder(), ["check", "project.toml", "--attribute", "town"]);
            towns.iter().all(|town| listed.out.contains(town))
        };
        if reads_towns() {
            guessed += 1;
        } else {
            // Another answer of the question has the towns as they are.
            assert!(asked.names(&[label, &format!("{:?}", towns[0])]), "{label}: {asked:?}");
            let set = ["public", "private"].map(|table| format!("{table}.encoding={label}"));
            asked = pair.init(&["--set", &set[0], "--set", &set[1]]);
        }
        let project = fs::read_to_string(pair.project()).unwrap();
        assert!(
            asked.refusal.is_empty() && project.matches("encoding = ").count() == 2,
            "{label}: {asked:?}"
        );
        assert!(reads_towns(), "{label}: {project}");
        let made = ["anonymize", "project.toml", "--strategy", "n2", "--delta-max", "0.99", "-o", "out.csv"];
        palmtop(pair.folder(), made).expect(0, "");
        let verify = ["verify", "project.toml", "out.csv", "--delta-max", "0.99"];
        palmtop(pair.folder(), verify).expect(0, "");
    }
    assert!(guessed >= 7, "{guessed} of 10 are guessed");
}
