//! The signer's report as a page: its length, what page 1 answers, and other releases of the same T.

use std::fs;
use std::path::PathBuf;

use crate::support::{palmtop, root, sample};
use tempfile::TempDir;

/// A written report with its folder.
pub(crate) struct Written {
    pub(crate) name: &'static str,
    folder: TempDir,
}

impl Written {
    fn new(name: &'static str) -> Self {
        Self { name, folder: tempfile::tempdir().unwrap() }
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    #[track_caller]
    fn run(&self, arguments: &str) {
        let done = palmtop(self.folder.path(), arguments.split_whitespace());
        assert_eq!(done.status, 0, "{arguments}\n{}{}", done.out, done.err);
    }

    /// The page.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("r.html")
    }

    fn page(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    fn json(&self) -> serde_json::Value {
        self.run("report p.toml r.csv -o r.json --force");
        serde_json::from_str(&fs::read_to_string(self.folder.path().join("r.json")).unwrap()).unwrap()
    }
}

/// The practice clinic.
fn clinic() -> Written {
    let clinic = Written::new("clinic");
    for file in ["public.csv", "private.csv"] {
        clinic.put(file, &fs::read_to_string(sample("clinic").join(file)).unwrap());
    }
    let text = fs::read_to_string(sample("clinic/clinic.toml")).unwrap();
    let hierarchies = root("hierarchies").display().to_string();
    clinic.put("p.toml", &text.replace("../../hierarchies", &hierarchies));
    clinic.run("anonymize p.toml --strategy spalm -o r.csv");
    clinic.run("report p.toml r.csv -o r.html");
    clinic
}

/// A table of 20 columns: 15 quasi-identifiers, four sensitive columns and an identifier.
fn wide() -> Written {
    const QUASI: usize = 15;
    let wide = Written::new("wide");
    let quasi = |row: usize| (0..QUASI).map(move |column| ((row * (column + 3) + column) % 4).to_string());
    let head: Vec<String> = (0..QUASI).map(|column| format!("quality_{column}")).collect();
    let line = |row: usize| quasi(row).collect::<Vec<_>>().join(",");
    let public: Vec<String> = (0..600).map(line).collect();
    let member = |row: usize| {
        let values: Vec<String> = (0..4).map(|column| format!("v{}", (row + column) % 3)).collect();
        format!("case {row},{},{}", line(row * 7), values.join(","))
    };
    let private: Vec<String> = (0..60).map(member).collect();
    let kept: Vec<String> = (0..4).map(|column| format!("answer_{column}")).collect();
    wide.put("P.csv", &format!("{}\n{}\n", head.join(","), public.join("\n")));
    wide.put("T.csv", &format!("case,{},{}\n{}\n", head.join(","), kept.join(","), private.join("\n")));
    wide.put("h.csv", "0,low,*\n1,low,*\n2,high,*\n3,high,*\n");
    let attribute = |name: &str, more: &str| format!("[[attribute]]\nname = \"{name}\"\n{more}\n");
    let quasi = head.iter().map(|name| attribute(name, "role = \"quasi\"\nhierarchy = \"h.csv\""));
    let kept = kept.iter().map(|name| attribute(name, "role = \"sensitive\""));
    let attributes: String = quasi.chain(kept).chain([attribute("case", "role = \"identifier\"")]).collect();
    wide.put(
        "p.toml",
        &format!(
            "[private]\npath = \"T.csv\"\n[public]\npath = \"P.csv\"\n[delta]\nmax = \"1/2\"\n{attributes}"
        ),
    );
    wide.run("anonymize p.toml --strategy simulatable -o r.csv");
    wide.run("report p.toml r.csv -o r.html");
    wide
}

/// People with several rows.
fn visits() -> Written {
    let visits = Written::new("visits");
    visits.put(
        "P.csv",
        "user,zip\n01,42000\n02,17000\n02,42000\n03,42000\n03,17000\n04,17000\n04,42000\n04,42000\n05,42001\n06,17000\n06,42000\n\
         07,17001\n07,42001\n08,42000\n09,17000\n09,42000\n09,42001\n",
    );
    visits.put(
        "T.csv",
        "user,zip,visit\n01,42000,a\n02,17000,b\n02,42000,c\n04,17000,d\n04,42000,e\n04,42000,f\n",
    );
    visits.put("zip.csv", "17000,17***,*\n17001,17***,*\n42000,42***,*\n42001,42***,*\n");
    visits.put(
        "p.toml",
        "[private]\npath = \"T.csv\"\n[public]\npath = \"P.csv\"\n\n\
         [delta]\nmax = \"1/2\"\nreason = \"the board of the clinic asked for one in two\"\n\
         [report]\nresponsible = \"R. Berg, data protection\"\norganization = \"Chest clinic\"\nreview = 2027-02-28\n\
         context = \"agreement\"\nrecipients = \"two universities\"\ncontrols = \"a contract, and a closed room\"\n\
         [[attribute]]\nname = \"user\"\nrole = \"entity\"\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
         [[attribute]]\nname = \"visit\"\nrole = \"sensitive\"\n",
    );
    visits.run("anonymize p.toml --strategy spalm -o r.csv");
    visits.run("report p.toml r.csv -o r.html");
    visits
}

/// Reports of three kinds of tables.
pub(crate) fn samples() -> [Written; 3] {
    [clinic(), wide(), visits()]
}

/// The text of a part of a page, without markup.
fn text_of(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text = parts.collect::<Vec<_>>().join(" ").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of each sheet; the first begins with the title, and the last is the annex.
fn sheets(page: &str) -> Vec<String> {
    let body = page.split_once("<body>").unwrap().1;
    let body = body.split_once("<footer>").unwrap().0;
    let mut sheets: Vec<String> = body.split("<div class=\"sheet").map(text_of).collect();
    let title = sheets.remove(0);
    sheets[0] = format!("{title} {}", sheets[0]);
    sheets
}

/// Words have a letter or a digit.
fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

#[test]
fn four_pages_have_few_words() {
    for written in samples() {
        let sheets = sheets(&written.page());
        assert_eq!(sheets.len(), 5, "{}", written.name);
        let counts: Vec<usize> = sheets.iter().map(|sheet| words(sheet)).collect();
        let (first, pages) = (counts[0], counts[..4].iter().sum::<usize>());
        assert!((120..=250).contains(&first), "{}: {counts:?}\n{}", written.name, sheets[0]);
        assert!(pages <= 1300, "{}: {counts:?}", written.name);
    }
}

#[test]
fn page_one_answers_a_data_protection_officer() {
    let clinic = clinic();
    let (json, sheets) = (clinic.json(), sheets(&clinic.page()));
    let (first, found) = (&sheets[0], &json["disclosures"]);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let identity = &found["identity"];
    for answer in [
        // How sure can anybody be?
        text(&json["verdict"]["conclusion"]),
        format!(
            "At most {} from the public table and this file.",
            text(&found["membership"]["highest"]["percent"])
        ),
        // Who can be found?
        format!("{} of 800 members look like no other: k = {}", identity["unique_members"], identity["k"]),
        // What is given away?
        "As it is: sex and diagnosis. Never: patient.".to_owned(),
        // Who decided?
        "Nobody gave a reason for δ. Responsible: not stated.".to_owned(),
        // What changes if the recipient is hostile?
        format!(
            "Has the public table: ✓ within δ Also knows palmtop: – not judged Knows a member: – not limited by δ ; finds the row with \
             up to {}",
            text(&identity["attackers"][0]["largest"]["percent"])
        ),
        text(&json["release"]["sha256"]),
    ] {
        assert!(first.contains(&answer), "{answer}\n{first}");
    }
}

#[test]
fn many_columns_are_counted_then_listed() {
    let sheets = sheets(&wide().page());
    assert!(
        // This release generalizes no column.
        sheets[0].contains("Generalized: none. As it is: 19 columns. Never: case."),
        "{}",
        sheets[0]
    );
    for column in ["quality_0", "quality_14", "answer_3"] {
        assert!(!sheets[0].contains(column) && sheets[1].contains(column), "{column}");
    }
}

/// A later release changes no report of an earlier one.
#[test]
fn another_release_is_composed_on_page_one() {
    let town = Written::new("town");
    town.put(
        "P.csv",
        "age,sex\n20,male\n20,female\n20,female\n20,female\n60,male\n60,male\n60,male\n60,female\n",
    );
    town.put("T.csv", "age,sex,note\n20,male,x\n20,female,x\n60,male,x\n");
    town.put("age.toml", "type = \"interval\"\nwidths = [20, 40]\n");
    town.put("sexes.csv", "male;*\nfemale;*\n");
    town.put(
        "p.toml",
        "[private]\npath = \"T.csv\"\n[public]\npath = \"P.csv\"\n[delta]\nmax = \"1/2\"\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
         [[attribute]]\nname = \"sex\"\nrole = \"quasi\"\nhierarchy = \"sexes.csv\"\n\
         [[attribute]]\nname = \"note\"\nrole = \"sensitive\"\n",
    );
    let first_sheet = |release: &str| {
        town.run(&format!("report p.toml {release} -o r.html --force"));
        sheets(&town.page()).swap_remove(0)
    };
    town.run("anonymize p.toml --node 0,1 -o by-age.csv");
    town.run("anonymize p.toml --node 3,0 -o r.csv");
    let page = first_sheet("r.csv");
    assert!(page.contains("✗ Together with by-age.csv 1 person is outside δ."), "{page}");
    let json = town.json();
    let composed =
        palmtop(town.folder.path(), "compose p.toml by-age.csv r.csv --format json".split(' ')).json();
    assert_eq!(composed["certain"]["people"], json["together"]["people"]);
    assert_eq!(json["adversaries"][2]["judgement"], "beyond");
    let page = first_sheet("by-age.csv");
    assert!(!page.contains("Together with"), "{page}");
    // A copy is no other release, and a file that is gone is not composed.
    town.run("anonymize p.toml --node 0,1 -o copy.csv --force");
    fs::remove_file(town.folder.path().join("r.csv")).unwrap();
    assert!(!first_sheet("copy.csv").contains("Together with"));
}

/// What is published finely is a fact of the file; only the name of the law is that of the project.
#[test]
fn a_law_changes_names_and_no_fact() {
    let clinic = clinic();
    let made = "anonymize p.toml --node 2,0,0,0,0,0 --delta-max 1 -o fine.csv --accept";
    let made = made.split(' ').chain(["certain=the board decided so"]);
    assert_eq!(palmtop(clinic.folder.path(), made).status, 0);
    let notes = || {
        clinic.run("report p.toml fine.csv -o fine.json --force --delta-max 1");
        let json = fs::read_to_string(clinic.folder.path().join("fine.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let cautions = json["verdict"]["cautions"].as_array().unwrap().iter();
        let fine = cautions.filter(|caution| caution["key"] == "safe_harbor");
        fine.map(|caution| caution["sentence"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let plain = notes();
    assert!(!plain.is_empty() && !plain.concat().contains("HIPAA"), "{plain:?}");
    let path = clinic.folder.path().join("p.toml");
    let project =
        fs::read_to_string(&path).unwrap().replace("[delta]", "[report]\nlaw = [\"hipaa\"]\n\n[delta]");
    fs::write(&path, project).unwrap();
    let named: Vec<String> =
        plain.iter().map(|sentence| format!("Safe Harbor (HIPAA): {sentence}")).collect();
    assert_eq!(notes(), named);
}
