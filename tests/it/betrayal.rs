//! Finds the published columns that reveal a quasi-identifier, and no others.

use chrono::{Datelike, Days, NaiveDate};
use palmtop::betrayal::{self, Betrayal, Column, Part, Quasi, Relation};
use palmtop::pipeline::scale;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A column: its name, and the text of each row.
type Texts = (&'static str, Vec<String>);

fn column((name, texts): &Texts) -> Column {
    scale::column(name, texts.iter().map(String::as_str))
}

fn found(published: &[Texts], quasi: &[Texts]) -> Vec<Betrayal> {
    let columns: Vec<Column> = published.iter().map(column).collect();
    let quasi: Vec<Quasi> = quasi.iter().map(|texts| Quasi::of(column(texts))).collect();
    betrayal::find(&columns, &quasi)
}

/// The pairs that were found, as `column>quasi`.
fn pairs(found: &[Betrayal]) -> Vec<String> {
    found.iter().map(|betrayal| format!("{}>{}", betrayal.column, betrayal.quasi)).collect()
}

fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The index of one weight, drawn in proportion to the weights.
fn pick(random: &mut impl Rng, weights: &[u32]) -> usize {
    let mut left = random.random_range(0..weights.iter().sum::<u32>());
    weights
        .iter()
        .position(|&weight| {
            if left < weight {
                true
            } else {
                left -= weight;
                false
            }
        })
        .unwrap()
}

fn day(random: &mut impl Rng, from: i32, years: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(from, 1, 1).unwrap() + Days::new(random.random_range(0..years * 365))
}

/// Completed years between two days.
fn age(born: NaiveDate, on: NaiveDate) -> i32 {
    on.year() - born.year() - i32::from((on.month(), on.day()) < (born.month(), born.day()))
}

/// Columns that are independent of each other, for every table.
fn others(random: &mut impl Rng, rows: u64) -> Vec<Texts> {
    let illnesses = ["flu", "asthma", "diabetes", "fracture", "depression", "hypertension"];
    let diagnosis = (0..rows).map(|_| illnesses[pick(random, &[30, 20, 20, 15, 10, 5])].to_owned()).collect();
    let days = (0..rows).map(|_| random.random_range(1..60).to_string()).collect();
    vec![("diagnosis", diagnosis), ("days", days)]
}

// holds: Betrayals by leave-one-out
#[test]
fn a_birth_date_gives_the_age_away() {
    let today = NaiveDate::from_ymd_opt(2024, 6, 30).unwrap();
    for (rows, form, missing, span) in
        [(1_584, "%Y-%m-%d", 0.0, 0), (60, "%d.%m.%Y", 0.2, 0), (2_000, "%m/%d/%Y", 0.05, 4 * 365)]
    {
        let random = &mut seeded(rows);
        let mut published = others(random, rows);
        let (mut births, mut ages) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let born = day(random, 1930, 80);
            let on = today - Days::new(random.random_range(0..=span));
            ages.push(age(born, on).to_string());
            let is_missing = random.random_bool(missing);
            births.push(if is_missing { String::new() } else { born.format(form).to_string() });
        }
        published.push(("birthdate", births));
        let sexes = (0..rows).map(|_| ["male", "female"][pick(random, &[1, 1])].to_owned()).collect();
        let found = found(&published, &[("age", ages), ("sex", sexes)]);
        assert_eq!(pairs(&found), ["birthdate>age"], "{rows} rows");
        assert!(found[0].share < 0.15, "{rows} rows: {:?}", found[0]);
        assert!(found[0].fitting * 100 >= found[0].rows * 95, "{}", found[0].sentence());
    }
}

// holds: Betrayals by leave-one-out
#[test]
fn an_earnings_class_gives_the_income_away() {
    for (rows, step, width, words) in
        [(1_000, 100, 1_000, false), (80, 1, 5_000, false), (2_000, 500, 2_000, true)]
    {
        let random = &mut seeded(rows);
        let mut published = others(random, rows);
        let income = |random: &mut ChaCha8Rng| {
            // Skewed: the least of three.
            let least = (0..3).map(|_| random.random_range(800..90_000_i64)).min().unwrap();
            least / step * step
        };
        let incomes: Vec<i64> = (0..rows).map(|_| income(random)).collect();
        let class = |income: &i64| {
            let class = income / width;
            // The class numbers have a different order from the ages. As words they have no order.
            if words {
                format!("class {}", char::from(b'a' + u8::try_from(class * 7 % 26).unwrap()))
            } else {
                class.to_string()
            }
        };
        let distinct = incomes.iter().map(class).collect::<std::collections::BTreeSet<_>>().len();
        assert!(distinct > 5, "{distinct} classes");
        published.push(("earnings_class", incomes.iter().map(class).collect()));
        let ages = (0..rows).map(|_| random.random_range(18..90).to_string()).collect();
        let incomes = incomes.iter().map(i64::to_string).collect();
        let found = found(&published, &[("income", incomes), ("age", ages)]);
        assert_eq!(pairs(&found), ["earnings_class>income"], "{rows} rows");
    }
}

// holds: Betrayals by leave-one-out
#[test]
fn a_village_gives_the_zip_code_away() {
    for (rows, villages, form) in [(1_584, 877, 0), (200, 40, 1), (2_000, 60, 2)] {
        let random = &mut seeded(rows);
        let mut published = others(random, rows);
        let known: Vec<(String, String)> = (0..villages)
            .map(|_| {
                let zip = format!("{:05}", random.random_range(1_000..99_000));
                let letters: String =
                    (0..6).map(|_| char::from(b'a' + random.random_range(0..26_u8))).collect();
                let village = match form {
                    0 => format!("{letters}{}", &zip[..3]),
                    1 => format!("{zip} {letters}"),
                    _ => letters,
                };
                (village, zip)
            })
            .collect();
        let live: Vec<&(String, String)> =
            (0..rows).map(|_| &known[random.random_range(0..known.len())]).collect();
        published.push(("village", live.iter().map(|(village, _)| village.clone()).collect()));
        let zips = live.iter().map(|(_, zip)| zip.clone()).collect();
        let ages = (0..rows).map(|_| random.random_range(18..90).to_string()).collect();
        let found = found(&published, &[("zip", zips), ("age", ages)]);
        assert_eq!(pairs(&found), ["village>zip"], "form {form}");
        assert!(found[0].share < 0.05, "{:?}", found[0]);
    }
}

#[test]
fn a_remark_gives_away_what_it_mentions() {
    let random = &mut seeded(5);
    let ages: Vec<String> = (0..400).map(|_| random.random_range(18..90).to_string()).collect();
    let remark = |age: &String| match random.random_range(0..4) {
        0 => format!("pat. is {age} y, wife called 555-{:04}", random.random_range(0..10_000)),
        1 => "no remark".to_owned(),
        2 => String::new(),
        _ => "referred by the family doctor".to_owned(),
    };
    let remarks: Vec<String> = ages.iter().map(remark).collect();
    let found = found(&[("remark", remarks)], &[("age", ages)]);
    assert_eq!(pairs(&found), ["remark>age"]);
    assert_eq!(found[0].relation, Relation::CommonText { prefix: None });
    assert!(found[0].fitting * 10 > found[0].speaking * 9);
}

#[test]
fn a_shared_word_for_missing_betrays_nothing() {
    let random = &mut seeded(8);
    let contacts: Vec<String> = (0..1_000)
        .map(|_| ["unknown", "mobile", "landline"][pick(random, &[30, 60, 10])].to_owned())
        .collect();
    let outcome = |contact: &String| {
        let word = if contact == "unknown" { 60 } else { 8 };
        ["unknown", "failure", "success"][pick(random, &[word, 1, 1])].to_owned()
    };
    let outcomes = contacts.iter().map(outcome).collect();
    let found = found(&[("contact", contacts)], &[("outcome", outcomes)]);
    assert_eq!(pairs(&found), Vec::<String>::new(), "{:?}", found.first().map(Betrayal::sentence));
}

#[test]
fn two_dates_give_away_what_their_difference_is() {
    let random = &mut seeded(6);
    let stays: Vec<u64> = (0..500).map(|_| random.random_range(1..40)).collect();
    let admitted: Vec<NaiveDate> = (0..500).map(|_| day(random, 2010, 12)).collect();
    let discharged = admitted.iter().zip(&stays).map(|(day, stay)| (*day + Days::new(*stay)).to_string());
    let dates = [
        ("admitted", admitted.iter().map(ToString::to_string).collect()),
        ("discharged", discharged.collect::<Vec<_>>()),
    ];
    let quasi = [("stay", stays.iter().map(ToString::to_string).collect())];
    let of_both = found(&dates, &quasi);
    assert_eq!(pairs(&of_both), ["admitted>stay"]);
    assert_eq!(of_both[0].with.as_deref(), Some("discharged"));
    assert!(found(&dates[..1], &quasi).is_empty(), "one date alone says nothing");
    // The reverse: P has a date, and T has a later date and the days between them.
    let [admitted, discharged] = dates;
    let stays = ("stay", stays.iter().map(ToString::to_string).collect());
    let of_days = found(&[discharged, stays], &[("onset", admitted.1)]);
    assert_eq!(pairs(&of_days), ["discharged>onset"]);
}

#[test]
fn a_value_that_one_row_has_supports_nothing() {
    let ages: Vec<String> = (0..300).map(|nth| (20 + nth % 60).to_string()).collect();
    let numbers: Vec<String> = (0..300).map(|nth| format!("case {:x}", nth * 7_919 % 1_000_003)).collect();
    assert!(found(&[("case", numbers)], &[("age", ages.clone())]).is_empty());
    // Each household has one age and about two rows. So nine of ten rows support the relation.
    let households: Vec<String> =
        ages.iter().enumerate().map(|(nth, age)| format!("h{}-{}", nth / 120, age)).collect();
    let hidden: Vec<String> = households
        .iter()
        .map(|text| {
            format!(
                "{:x}",
                text.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(1_099_511).wrapping_add(byte.into()))
            )
        })
        .collect();
    let found = found(&[("household", hidden)], &[("age", ages)]);
    assert_eq!(pairs(&found), ["household>age"]);
    assert!(
        matches!(found[0].relation, Relation::Dependency { part: Part::Value, is_single: true, .. }),
        "{:?}",
        found[0].relation
    );
}

#[test]
fn blank_cells_of_one_group_betray_it() {
    let random = &mut seeded(9);
    let sexes: Vec<String> = (0..600).map(|_| ["male", "female"][pick(random, &[1, 1])].to_owned()).collect();
    let pregnancies = |sex: &String| match sex.as_str() {
        "male" => String::new(),
        _ => ["no", "1", "2"][random.random_range(0..3)].to_owned(),
    };
    let pregnancies = sexes.iter().map(pregnancies).collect();
    let found = found(&[("pregnancies", pregnancies)], &[("sex", sexes.clone())]);
    assert_eq!(pairs(&found), ["pregnancies>sex"]);
    assert_eq!(found[0].fitting, 600, "the blank cells, too: {}", found[0].sentence());
    let random = &mut seeded(10);
    let blank: Vec<String> = (0..600).map(|_| ["", "a"][pick(random, &[1, 1])].to_owned()).collect();
    assert!(self::found(&[("blank", blank)], &[("sex", sexes)]).is_empty());
}

#[test]
fn unique_codes_betray_what_their_characters_encode() {
    let random = &mut seeded(11);
    let zips: Vec<String> = (0..800).map(|_| format!("0{}", random.random_range(8_000..9_999))).collect();
    let ages: Vec<u32> = (0..800).map(|_| random.random_range(10..90)).collect();
    let letter = |random: &mut ChaCha8Rng| char::from(b'A' + random.random_range(0..26_u8));
    let of_digit = |digit: u32| char::from(b'a' + u8::try_from(digit * 7 % 26).unwrap());
    let mut table: [Vec<String>; 3] = std::array::from_fn(|_| Vec::new());
    for (nth, (zip, age)) in zips.iter().zip(&ages).enumerate() {
        let reversed: String = zip.chars().rev().collect();
        table[0].push(format!("DE{:02}{reversed}{:04}", random.random_range(10..99), nth * 7 % 10_000));
        let (first, last) = (letter(random), letter(random));
        table[1].push(format!("{first}{}{last}{}", of_digit(age / 10), of_digit(age % 10)));
        table[2].push(format!("{:06}{age}", random.random_range(100_000..999_999)));
    }
    let quasi = [("zip", zips), ("age", ages.iter().map(u32::to_string).collect())];
    let published: Vec<Texts> = ["account", "code", "sample"].into_iter().zip(table).collect();
    assert_eq!(pairs(&found(&published, &quasi)), ["account>zip", "code>age", "sample>age"]);
}

// holds: Betrayals by leave-one-out
#[test]
fn merely_correlated_columns_are_left_alone() {
    let random = &mut seeded(7);
    for rows in [100, 600, 2_000] {
        let normal = |random: &mut ChaCha8Rng| (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let mut table: [Vec<String>; 5] = std::array::from_fn(|_| Vec::new());
        let mut ages = Vec::new();
        for _ in 0..rows {
            let age = (45.0 + 15.0 * normal(random)).clamp(18.0, 95.0).round();
            ages.push(age.to_string());
            // Dementia is frequent among old people. Blood pressure, job years and height depend on
            // age in part.
            let old = if age > 70.0 { 60 } else { 2 };
            table[0].push(["dementia", "flu", "fracture"][pick(random, &[old, 30, 20])].to_owned());
            table[1].push((100.0 + age * 0.6 + 8.0 * normal(random)).round().to_string());
            table[2].push((age - 18.0 - 8.0 * normal(random).abs()).max(0.0).round().to_string());
            table[3].push((165.0 + 8.0 * normal(random)).round().to_string());
            table[4].push(if age > 62.0 + 6.0 * normal(random) { "retired" } else { "working" }.to_owned());
        }
        let names = ["diagnosis", "pressure", "job_years", "height", "work"];
        let published: Vec<Texts> = names.into_iter().zip(table).collect();
        let found = found(&published, &[("age", ages)]);
        assert_eq!(
            pairs(&found),
            Vec::<String>::new(),
            "{rows} rows: {:?}",
            found.first().map(Betrayal::sentence)
        );
    }
}

/// Kinds of columns that do not reveal each other.
fn shape(kind: usize, random: &mut ChaCha8Rng, rows: usize) -> Vec<String> {
    let letters = |random: &mut ChaCha8Rng| -> String {
        (0..5).map(|_| char::from(b'a' + random.random_range(0..26_u8))).collect()
    };
    let words: Vec<String> = (0..60).map(|_| letters(random)).collect();
    let cell = |random: &mut ChaCha8Rng| match kind {
        // Many values, few values, skewed values, dates, codes, near-unique numbers and words,
        // missing cells, two values, free text.
        0 => random.random_range(0..100).to_string(),
        1 => ["a", "b", "c"][random.random_range(0..3)].to_owned(),
        2 => (0..6).map(|_| random.random_range(0..40_u32)).min().unwrap().pow(2).to_string(),
        3 => day(random, 1940, 70).to_string(),
        4 => format!("{:05}", random.random_range(100..99_999)),
        5 => format!("{:.3}", random.random::<f64>() * 1_000.0),
        6 => letters(random),
        7 => {
            if random.random_bool(0.4) {
                "NA".to_owned()
            } else {
                random.random_range(1_900..2_020).to_string()
            }
        }
        8 => ["yes", "no"][pick(random, &[1, 15])].to_owned(),
        // Tokens of one length: letters and digits, account numbers, and cells that are blank at
        // random.
        9 => (0..12).map(|_| char::from(b"0123456789abcdef"[random.random_range(0..16)])).collect(),
        10 => format!("DE{:012}", random.random_range(0..1_000_000_000_000_u64)),
        11 => {
            if random.random_bool(0.7) {
                String::new()
            } else {
                letters(random)
            }
        }
        _ => (0..4)
            .map(|_| words[random.random_range(0..words.len())].clone() + " 12")
            .collect::<Vec<_>>()
            .join(" "),
    };
    (0..rows).map(|_| cell(random)).collect()
}

// holds: Betrayals by leave-one-out
#[test]
fn false_findings_stay_within_one_per_hundred_tables() {
    let mut wrong = Vec::new();
    let mut tables = 0;
    // Thirteen kinds of tables, by the kind of the first column. Small tables are drawn more often.
    for (rows, draws) in [(30, 20), (120, 12), (500, 6), (2_000, 2)] {
        for kind in 0..13 {
            for draw in 0..draws {
                let random = &mut seeded(rows as u64 * 1_000 + kind as u64 * 100 + draw);
                let mut columns: Vec<Vec<String>> = vec![shape(kind, random, rows)];
                columns.extend((0..5).map(|_| {
                    let kind = random.random_range(0..13);
                    shape(kind, random, rows)
                }));
                let names = ["q1", "p1", "q2", "p2", "q3", "p3"];
                let all: Vec<Texts> = names.into_iter().zip(columns).collect();
                let (quasi, published): (Vec<Texts>, Vec<Texts>) =
                    all.into_iter().partition(|(name, _)| name.starts_with('q'));
                tables += 1;
                for betrayal in found(&published, &quasi) {
                    wrong.push(format!("{rows} rows, kind {kind}, draw {draw}: {}", betrayal.sentence()));
                }
            }
        }
    }
    assert_eq!(tables, 520);
    assert!(wrong.len() * 100 <= tables, "{} of {tables}:\n{}", wrong.len(), wrong.join("\n"));
}
