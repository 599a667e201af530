//! The code list decodes the file: a reader who has the file and the list alone finds what each cell means. The reader of this test
//! knows only what `docs/releases.md` says about the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::support::dice::Dice;
use crate::support::{copies, palmtop};
use palmtop::columns::Table;
use palmtop::pipeline::{self, Analysis, Overrides};
use serde_json::Value;

/// An entry of the list: its form, what it means, and what it leaves out.
type Entry = (String, Vec<Item>, Vec<Item>);
/// The entries of each column by their texts.
type List = BTreeMap<String, BTreeMap<String, Entry>>;

/// A name, or a range with both ends.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Name(String),
    Range(String, String),
}

/// The name at the beginning of a list, and the rest.
fn name(list: &str) -> (String, &str) {
    if list.starts_with('"') {
        let mut names = serde_json::Deserializer::from_str(list).into_iter::<String>();
        let name = names.next().unwrap().unwrap();
        return (name, &list[names.byte_offset()..]);
    }
    let end = [", ", " to "].iter().filter_map(|mark| list.find(mark)).min().unwrap_or(list.len());
    (list[..end].to_owned(), &list[end..])
}

fn items(mut list: &str) -> Vec<Item> {
    let mut items = Vec::new();
    while !list.is_empty() {
        let (first, rest) = name(list);
        list = rest;
        items.push(match rest.strip_prefix(" to ") {
            None => Item::Name(first),
            Some(rest) => {
                let (high, rest) = name(rest);
                list = rest;
                Item::Range(first, high)
            }
        });
        list = list.strip_prefix(", ").unwrap_or(list);
    }
    items
}

fn of_csv(path: &Path) -> List {
    let mut list = List::new();
    for record in csv::Reader::from_path(path).unwrap().records() {
        let record = record.unwrap();
        let plain = |field: usize| record[field].strip_prefix('\'').unwrap_or(&record[field]).to_owned();
        let entry = (record[3].to_owned(), items(&plain(4)), items(&plain(5)));
        assert!(
            list.entry(plain(0)).or_default().insert(plain(2), entry).is_none(),
            "{record:?} is there twice"
        );
    }
    list
}

fn of_json(list: &Value) -> List {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entry = |entry: &Value| {
        let names = |key: &str| entry[key].as_array().unwrap().iter().map(|name| Item::Name(text(name)));
        let ranges = entry["ranges"].as_array().unwrap().iter();
        let ranges = ranges.map(|range| Item::Range(text(&range["low"]), text(&range["high"])));
        (text(&entry["form"]), names("means").chain(ranges).collect(), names("except").collect())
    };
    let texts = |attribute: &Value| -> BTreeMap<String, Entry> {
        attribute["texts"].as_array().unwrap().iter().map(|own| (text(&own["text"]), entry(own))).collect()
    };
    let attributes = list["attributes"].as_array().unwrap().iter();
    attributes.map(|attribute| (text(&attribute["column"]), texts(attribute))).collect()
}

/// The text of a piece of HTML.
fn text_of(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text: String = parts.collect();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The list on the page of the recipient. A text that it does not explain is a value.
fn of_page(page: &str) -> List {
    let section = page.split_once("id=\"codes\"").unwrap().1.split_once("</section>").unwrap().0;
    let column = |part: &str| {
        let (head, body) = part.split_once("</h3>").unwrap();
        let mut entries = BTreeMap::new();
        for entry in body.split("<dt>").skip(1) {
            let (text, meaning) = entry.split_once("</dt><dd>").unwrap();
            let meaning = meaning.split_once("</dd>").unwrap().0;
            let (meaning, _) = meaning.split_once(" <span").unwrap_or((meaning, ""));
            let (means, except) = meaning.split_once(" <em>except</em> ").unwrap_or((meaning, ""));
            let (means, except) = (text_of(means), text_of(except));
            match (text_of(text), means.as_str()) {
                (text, "the public table has no value for this person") => {
                    entries.insert(text.clone(), ("missing".to_owned(), vec![Item::Name(text)], Vec::new()));
                }
                (text, means) => {
                    let form = if text.ends_with('}') { "formula" } else { "label" };
                    entries.insert(text, (form.to_owned(), items(means), items(&except)));
                }
            }
        }
        (text_of(head), entries)
    };
    section.split("<h3>").skip(1).map(column).collect()
}

/// Whether a value is in a range of numbers, or of dates of one form.
fn is_within(value: &str, low: &str, high: &str) -> bool {
    if let (Ok(value), Ok(low), Ok(high)) = (value.parse::<f64>(), low.parse::<f64>(), high.parse::<f64>()) {
        return low <= value && value <= high;
    }
    let shape = |text: &str| text.replace(|character: char| character.is_ascii_digit(), "0");
    let is_date = value.starts_with(|first: char| first.is_ascii_digit()) && shape(value) == shape(low);
    is_date && low <= value && value <= high
}

/// A text that the page lists as it is written.
fn as_written(text: &str) -> Option<Entry> {
    let range =
        text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).and_then(|text| text.split_once(", "));
    if let Some((low, high)) = range {
        return Some(("range".to_owned(), vec![Item::Range(low.to_owned(), high.to_owned())], Vec::new()));
    }
    let inside = text.strip_suffix('}')?;
    let (means, except) = match inside.strip_prefix('{') {
        Some(members) => (members, ""),
        None => inside.rsplit_once(" except {")?,
    };
    Some(("formula".to_owned(), items(means), items(except)))
}

/// The values of P that a text means.
fn decoded(entries: &BTreeMap<String, Entry>, text: &str, values: &BTreeSet<String>) -> BTreeSet<String> {
    let written = as_written(text);
    let Some((form, means, except)) = entries.get(text).or(written.as_ref()) else {
        return BTreeSet::from([text.to_owned()]);
    };
    let of_item = |item: &Item| match item {
        Item::Range(low, high) => {
            values.iter().filter(|value| is_within(value, low, high)).cloned().collect()
        }
        Item::Name(name) => {
            let is_label = entries.get(name).is_some_and(|(form, ..)| form == "label");
            // A label has its values, and no other label.
            if is_label && form != "label" {
                decoded(entries, name, values)
            } else {
                BTreeSet::from([name.clone()])
            }
        }
    };
    let without: BTreeSet<String> = except.iter().flat_map(of_item).collect();
    means.iter().flat_map(of_item).filter(|value| !without.contains(value)).collect()
}

/// Decodes each cell of a package's release by each form of the list, and compares with the hierarchies.
fn check(folder: &Path, project: &str, name: &str) {
    let sent = folder.join(format!("{name}/to-send"));
    let release = sent.join(format!("{name}.csv"));
    let recipient = format!("{name}.json");
    let report = ["report", project, release.to_str().unwrap(), "-o", &recipient, "--for", "recipient"];
    palmtop(folder, report).expect(0, "");
    let json: Value = serde_json::from_str(&fs::read_to_string(folder.join(&recipient)).unwrap()).unwrap();
    let page = fs::read_to_string(sent.join(format!("{name}.recipient.html"))).unwrap();
    let lists = [
        ("CSV", of_csv(&sent.join(format!("{name}.codebook.csv")))),
        ("JSON", of_json(&json["code_list"])),
        ("page", of_page(&page)),
    ];
    let analysis = Analysis::load(&folder.join(project), &Overrides::default()).unwrap();
    let read = pipeline::reading::read(&analysis, &release).unwrap();
    let codes = read.codes_by_text(&analysis).unwrap();
    let mut cells: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut reader = csv::Reader::from_path(&release).unwrap();
    let header = reader.headers().unwrap().clone();
    for record in reader.records() {
        for (column, cell) in header.iter().zip(record.unwrap().iter()) {
            cells.entry(column.to_owned()).or_default().insert(cell.to_owned());
        }
    }
    for (index, (attribute, _)) in analysis.project().quasi().enumerate() {
        let column = analysis.project().private_column(attribute);
        let hierarchy = analysis.problem().hierarchy(index);
        let leaves = 0..u32::try_from(hierarchy.leaf_count()).unwrap();
        let occurring = leaves.filter(|&code| analysis.problem().occurs(index, code));
        let values: BTreeSet<String> = occurring.map(|code| hierarchy.leaf(code).to_owned()).collect();
        for cell in &cells[column] {
            let expected = codes[index][cell.as_str()].iter().map(|&code| hierarchy.leaf(code).to_owned());
            let expected: BTreeSet<String> = expected.filter(|value| values.contains(value)).collect();
            for (form, list) in &lists {
                assert_eq!(decoded(&list[column], cell, &values), expected, "{form}: {cell} of {column}");
            }
        }
        assert!(lists[0].1[column].keys().all(|text| lists[1].1[column].contains_key(text)));
    }
}

// holds: The code list decodes the file
#[test]
fn the_clinics_cells_are_decoded_from_the_list() {
    let copy = copies(&["sample-data/clinic", "hierarchies"]);
    let folder = copy.path().join("sample-data/clinic");
    for (name, options) in [
        ("a", "--strategy n2"),
        ("b", "--strategy simulatable"),
        ("c", "--strategy best --budget 2rounds"),
        ("d", "--strategy spalm"),
    ] {
        let made = format!("anonymize clinic.toml {options} -o {name}/");
        let accept = ["--accept", "certain=it is a test of texts"];
        palmtop(&folder, made.split(' ').chain(accept)).expect(0, "");
        check(&folder, "clinic.toml", name);
    }
}

/// A project with names that are hard to quote, negative numbers, dates, and people without values.
fn random(folder: &Path, dice: &mut Dice) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let places = [
        "Aix, France",
        "St. Mary to Nowhere",
        "Ulm \"old\"",
        "=SUM",
        "[x)",
        "c d",
        "e",
        "except",
        "a to b",
        "10",
        "g\\h",
        "é",
    ];
    let rows = places.iter().enumerate().map(|(index, place)| {
        [(*place).to_owned(), format!("group {}", index / 3), format!("half, {}", index / 6), "*".to_owned()]
    });
    let table = Table::of_texts(["a", "b", "c", "d"], rows).to_csv();
    write("place.csv", &table.split_once('\n').unwrap().1.replace("'=", "="));
    write("n.toml", "type = \"interval\"\nwidths = [5, 10, 20]\n");
    write("day.toml", "type = \"date\"\nlevels = [\"month\", \"quarter\", \"year\"]\n");
    let (mut public, mut private) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let number = if dice.percent(5) { String::new() } else { format!("{}.5", dice.below(60)) };
        let number = if dice.percent(40) && !number.is_empty() { format!("-{number}") } else { number };
        let day = format!("{}-{:02}-{:02}", dice.within(2019, 2021), dice.within(1, 12), dice.within(1, 28));
        let row = [(*dice.pick(&places)).to_owned(), number, day];
        if dice.percent(30) {
            private.push(row.clone());
        }
        public.push(row);
    }
    for (name, rows) in [("p.csv", public), ("t.csv", private)] {
        let text = Table::of_texts(["place", "n", "day"], rows).to_csv();
        write(name, &text.replace("'=", "="));
    }
    let mut project = "missing = [\"\"]\n[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"9/10\"\n".to_owned();
    for (name, hierarchy) in [("place", "place.csv"), ("n", "n.toml"), ("day", "day.toml")] {
        writeln!(project, "[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{hierarchy}\"")
            .unwrap();
    }
    write("x.toml", &project);
}

// holds: The code list decodes the file
#[test]
fn random_cells_are_decoded_from_the_list() {
    let mut dice = Dice::new(42);
    for _ in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        random(folder.path(), &mut dice);
        for (name, options) in
            [("a", "--strategy n2"), ("b", "--strategy simulatable"), ("c", "--node 2,3,3")]
        {
            let made = format!("anonymize x.toml {options} -o {name}/");
            palmtop(folder.path(), made.split(' '));
            // A node may break δ, and `simulatable` may find nothing.
            if folder.path().join(name).exists() {
                check(folder.path(), "x.toml", name);
            }
        }
        assert!(folder.path().join("a").exists());
    }
}

#[test]
fn lists_are_split_at_commas_outside_quotes() {
    let range = |low: &str, high: &str| Item::Range(low.to_owned(), high.to_owned());
    let name = |text: &str| Item::Name(text.to_owned());
    let found = items(r#"unknown, "a, b", 18 to 20, "20 to 24" to "30, x", c d"#);
    assert_eq!(
        found,
        [name("unknown"), name("a, b"), range("18", "20"), range("20 to 24", "30, x"), name("c d")]
    );
    assert_eq!(items(""), []);
}
