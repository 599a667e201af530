//! A proposal as files: a project with comments, and the hierarchies that are built or come with palmtop.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::hierarchies::carried;
use crate::hierarchies::found::model_kind;
use crate::people::meeting::decimal;
use crate::sources::declared::Declared;
use crate::values::reading::Reading;
use crate::words;
use crate::words::shown;
use crate::{
    DeltaOrigin, HierarchySource, NotInPublic, PersonRows, Proposal, ProposedAttribute, ProposedLimit,
    UNREADABLE,
};
use palmtop_core::escape::escape;
use palmtop_core::model::{Level, Role};
use palmtop_tables::literal::toml_string;
use palmtop_tables::look::toml_values;
use palmtop_tables::read::{Header, Quote, RowName, RowRules, TableSpec};
use palmtop_tables::reading::DateForm;

/// The files of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text of the project.
    pub project: String,
    /// The folder of hierarchies, relative to the project's folder.
    pub folder: PathBuf,
    /// The hierarchies to write, each with its path, relative to the project's folder, and its text.
    pub hierarchies: Vec<(PathBuf, String)>,
}

/// The statements for the reports, as comments: no table contains them.
const STATEMENTS: &str = "\
# What the reports state about this release. No verdict depends on it. To state something, remove the `#`
# before `[report]` and before its line.
#[report]
#responsible = \"R. Berg, data protection\"
#organization = \"Chest clinic\"
#period = \"2024\"
#review = 2027-02-28             # the day of the next review
#contact = \"privacy@clinic.example\" # whom to ask; the recipient reads this, too
#context = \"agreement\"         # who gets the release: \"public\", \"agreement\", or your words
#recipients = \"two universities\"
#controls = \"a room without a network\" # what keeps recipients from re-identifying people
#law = [\"gdpr\"]                # the laws that reports name: \"hipaa\", \"gdpr\"
#public = \"residents of the town\" # who the people of P are; the recipient reads this, too

";

impl Proposal {
    /// Renders the files for a project at `path`. This path and the paths of the tables are absolute; the project has relative
    /// paths.
    pub fn to_toml(&self, path: &Path) -> Written {
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut writer = Writer {
            declared: self.declared.as_ref(),
            folder,
            hierarchy_folder: PathBuf::from(format!("{stem}-hierarchies")),
            files: Vec::new(),
        };
        let mut text = self.head();
        text.push_str(&self.tables(folder));
        text.push_str(&self.delta_section(path));
        text.push_str(&self.declared.as_ref().map(Declared::policy_section).unwrap_or_default());
        text.push_str(STATEMENTS);
        for attribute in &self.attributes {
            text.push_str(&writer.attribute(attribute));
        }
        for (column, why) in &self.ignored {
            text.push_str(&comment(&format!("Not used: P's column `{column}`, because {why}.")));
        }
        for column in &self.unreadable {
            text.push_str(&comment(&format!("Not used: T's column `{column}`: {UNREADABLE}.")));
        }
        Written { project: text, folder: writer.hierarchy_folder, hierarchies: writer.files }
    }

    fn head(&self) -> String {
        let from = match &self.private {
            Some(private) => format!("{} and {}", shown(&private.name()), shown(&self.public.name())),
            None => shown(&self.public.name()),
        };
        comment(&format!(
            "Proposed by `palmtop init` from {from}. Read every line, and correct what is wrong."
        )) + &comment("Then run `palmtop check`.")
            + &self.declared.as_ref().map(origin).unwrap_or_default()
            + "\n"
    }

    fn tables(&self, folder: &Path) -> String {
        let mut text = String::new();
        if let Some(private) = &self.private {
            text.push_str(&format!("[private]\n{}", files(folder, private)));
            if self.not_in_public == NotInPublic::Drop {
                text.push_str(
                    "not_in_public = \"drop\" # people of T who are not in P are left out; every result has their number\n",
                );
            }
            text.push('\n');
        }
        text.push_str(&format!("[public]\n{}", files(folder, &self.public)));
        if let Some(count) = &self.count {
            text.push_str(&format!(
                "count = {} # the number of people for whom a row stands\n",
                match self.count_number {
                    None => toml_string(count),
                    Some(form) => format!("{{ column = {}, {} }}", toml_string(count), form.key()),
                }
            ));
            if self.is_count_decided {
                text.push_str("counts = \"people\" # each of them once\n");
            }
        }
        if let Some((column, rows)) = &self.person {
            text.push_str(&format!(
                "person = {{ column = {}, {} }} # {}\n",
                toml_string(column),
                rows.keys(),
                rows.meaning()
            ));
        }
        if let Some(member) = &self.member {
            text.push_str(&format!("member = {} # marks the people of T\n", toml_string(member)));
        }
        text + "\n"
    }

    fn delta_section(&self, path: &Path) -> String {
        let (min, max) = (decimal(self.delta.0), decimal(self.delta.1));
        let project = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let origin = self.declared.as_ref().map_or("another program", |declared| &declared.origin);
        let what = match self.delta_origin {
            DeltaOrigin::Declared => format!("δ is that of {origin}."),
            DeltaOrigin::Decided => {
                "You decided δmax: how certain an attacker may become that a person is in T.".to_owned()
            }
            DeltaOrigin::Accepted => {
                "δmax is the proposed starting point, accepted as it was: how certain an attacker may become \
                                      that a person is in T."
                    .to_owned()
            }
            DeltaOrigin::Proposed => {
                "A starting point, not a recommendation: decide how certain an attacker may become that a \
                                      person is in T."
                    .to_owned()
            }
        };
        comment(&what)
            + &comment(&format!(
                "`palmtop advise {project} --prior D --misuse M` computes δ from a prior and an acceptable misuse."
            ))
            + &format!("[delta]\nmin = \"{min}\"\nmax = \"{max}\"\n\n")
    }
}

/// Writes the attributes, and collects their hierarchies.
struct Writer<'a> {
    declared: Option<&'a Declared>,
    folder: &'a Path,
    hierarchy_folder: PathBuf,
    files: Vec<(PathBuf, String)>,
}

impl Writer<'_> {
    fn attribute(&mut self, attribute: &ProposedAttribute) -> String {
        let mut text = comment(&format!("{}.", capital(&attribute.reason)));
        let hierarchy = attribute.hierarchy.as_ref();
        if let Some(hierarchy) = hierarchy {
            text.push_str(&comment(&format!(
                "Hierarchy {}: {}.",
                hierarchy.reason,
                hierarchy.source.describe()
            )));
        }
        if attribute.undecided {
            text.push_str(&comment(&undecided(attribute)));
        }
        text.push_str(&format!("[[attribute]]\nname = {}\n", toml_string(&attribute.name)));
        let role = match attribute.role {
            _ if attribute.undecided => "undecided",
            _ if attribute.rows == Some(PersonRows::Entity) => "entity",
            role => role.as_str(),
        };
        text.push_str(&format!("role = \"{role}\""));
        text.push_str(match attribute.role {
            Role::Identifier if role == "entity" => " # one pseudonym for all rows of a person\n",
            Role::Identifier | Role::Withheld => " # never published\n",
            Role::Sensitive | Role::Insensitive => " # published unchanged\n",
            Role::Quasi => "\n",
        });
        if let Some(rows) = attribute.rows.as_ref().filter(|rows| **rows != PersonRows::Entity) {
            text.push_str(&format!("{} # {}\n", rows.keys(), rows.meaning()));
        }
        if let Some(column) = attribute.public_column.as_ref().filter(|column| **column != attribute.name) {
            text.push_str(&format!("public_column = {}\n", toml_string(column)));
        }
        if let Some(hierarchy) = hierarchy {
            let path = self.hierarchy_path(&attribute.name, &hierarchy.source);
            text.push_str(&format!("hierarchy = {}\n", toml_string(&path)));
            text.push_str(&format!("kind = \"{}\"\n", model_kind(attribute.kind).as_str()));
            if attribute.public_level > Level(0) {
                text.push_str(&format!("public_level = {} # P has these labels\n", attribute.public_level));
            }
            text.push_str(&attribute.limit.as_ref().map(limit).unwrap_or_default());
            text.push_str(&self.declared.map(|declared| declared.lines(&attribute.name)).unwrap_or_default());
            if let Some(label) = attribute.missing_label {
                text.push_str(&format!("missing_label = {}\n", toml_string(label)));
            }
            let (public, private) = &attribute.readings;
            let private = if attribute.private_column.is_some() { private } else { public };
            text.push_str(&readings(public, private));
        }
        text + "\n"
    }

    /// The path of a hierarchy, as the project names it.
    fn hierarchy_path(&mut self, attribute: &str, source: &HierarchySource) -> String {
        let (ending, content) = match source {
            HierarchySource::File(path) => return relative(self.folder, path),
            HierarchySource::Carried(name) => {
                let ending = Path::new(name).extension().unwrap_or_default().to_string_lossy().into_owned();
                (ending, carried::content(name).unwrap_or_default().to_owned())
            }
            HierarchySource::Ready(ready) => ("toml".to_owned(), ready.text.to_string()),
            HierarchySource::Built(recipe) => ("toml".to_owned(), recipe.to_toml()),
            HierarchySource::Imported(imported) => ("csv".to_owned(), imported.text.to_string()),
        };
        let words = words::words(attribute).join("-");
        let stem = if words.is_empty() { "attribute".to_owned() } else { words };
        let taken: BTreeSet<&PathBuf> = self.files.iter().map(|(path, _)| path).collect();
        let names = std::iter::once(stem.clone()).chain((2_u32..).map(|number| format!("{stem}-{number}")));
        let paths = names.map(|name| self.hierarchy_folder.join(format!("{name}.{ending}")));
        let path = paths.into_iter().find(|path| !taken.contains(path)).unwrap_or_default();
        self.files.push((path.clone(), content));
        path.to_string_lossy().into_owned()
    }
}

/// Who has to decide the role of a published column, and how.
fn undecided(attribute: &ProposedAttribute) -> String {
    let columns: Vec<String> = attribute.resembles.iter().map(|column| format!("`{column}`")).collect();
    if columns.is_empty() {
        return "Nobody decided this role: once a person has, write it instead of `undecided`, for example `sensitive`."
            .to_owned();
    }
    format!(
        "P's {} may be the same column. Once a person has found that it is not, write its role instead of `undecided`.",
        columns.join(", ")
    )
}

/// The project of another program from which settings come, and what of it differs here.
fn origin(declared: &Declared) -> String {
    let notes = declared.notes.iter().map(|note| comment(&format!("{}.", capital(note))));
    comment(&format!("Settings come from {}.", declared.origin)) + &notes.collect::<String>()
}

/// The files of a table and their format, one key a line.
fn files(folder: &Path, table: &TableSpec) -> String {
    let mut text = match table.paths.as_slice() {
        [path] => format!("path = {}\n", toml_string(&relative(folder, path))),
        paths => {
            let paths: Vec<String> = paths.iter().map(|path| toml_string(&relative(folder, path))).collect();
            format!("path = [{}]\n", paths.join(", "))
        }
    };
    let mark = |byte: u8| char::from(byte).to_string();
    let quote = match table.quote {
        Quote::Double => None,
        Quote::Custom(quote) => Some(quote.map(mark).unwrap_or_default()),
    };
    for (key, value) in [
        ("separator", table.separator.map(mark)),
        ("quote", quote),
        ("encoding", table.encoding.map(|encoding| encoding.to_string())),
        ("sheet", table.sheet.clone()),
    ] {
        if let Some(value) = value {
            text.push_str(&format!("{key} = {}\n", toml_string(&value)));
        }
    }
    if let Some(row) = table.header_row {
        text.push_str(&format!("header_row = {row}\n"));
    }
    text + &rows(&table.rows)
}

/// Which rows are people, one key a line.
fn rows(rules: &RowRules) -> String {
    let list = |rows: &[RowName]| {
        let row = |row: &RowName| match row {
            RowName::Number(number) => number.to_string(),
            RowName::Text(text) => toml_string(text),
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        (!rows.is_empty()).then(|| format!("[{}]", rows.join(", ")))
    };
    let header = match &rules.header {
        Header::Unsaid => None,
        Header::InFile => {
            Some("true # the first row has the names, although they look like values".to_owned())
        }
        Header::None => Some("false # no row has the names of the columns".to_owned()),
        Header::Are(names) => {
            Some(format!("[{}]", names.iter().map(|name| toml_string(name)).collect::<Vec<_>>().join(", ")))
        }
    };
    let hidden = rules.hidden_are_people.map(|are| if are { "\"keep\"" } else { "\"leave_out\"" }.to_owned());
    let left_out = list(&rules.leave_out).map(|rows| rows + " # no people; every result has their number");
    [("header", header), ("leave_out", left_out), ("keep_rows", list(&rules.keep)), ("hidden_rows", hidden)]
        .into_iter()
        .filter_map(|(key, value)| Some(format!("{key} = {}\n", value?)))
        .collect()
}

/// The line of a limit with its reason, or the reason for no limit.
fn limit(proposed: &ProposedLimit) -> String {
    let reason = comment(&proposed.reason);
    match proposed.limit.key() {
        Some(key) => format!("{key} {reason}"),
        None => reason,
    }
}

/// The keys of both readings: common keys for the attribute, other keys for each table.
fn readings(public: &Reading, private: &Reading) -> String {
    let (of_public, of_private) = (keys(public), keys(private));
    let shared: Vec<&String> = of_public.iter().filter(|key| of_private.contains(key)).collect();
    let lines = |keys: &[&String]| keys.iter().fold(String::new(), |text, key| text + key + "\n");
    let mut text = lines(&shared);
    for (table, keys_of_table) in [("public", &of_public), ("private", &of_private)] {
        let keys_of_table: Vec<&String> = keys_of_table.iter().filter(|key| !shared.contains(key)).collect();
        if !keys_of_table.is_empty() {
            text.push_str(&format!("[attribute.{table}]\n"));
            text.push_str(&lines(&keys_of_table));
        }
    }
    text
}

/// The keys of a reading, one a line.
fn keys(reading: &Reading) -> Vec<String> {
    let mut keys = Vec::new();
    if reading.trim {
        keys.push("trim = true".to_owned());
    }
    if !reading.missing.is_empty() {
        let missing: Vec<String> = reading.missing.iter().map(|text| toml_string(text)).collect();
        keys.push(format!("missing = [{}]", missing.join(", ")));
    }
    if let Some(number) = reading.number {
        keys.push(number.key());
    }
    keys.extend(reading.date.as_ref().map(DateForm::key));
    if !reading.values.is_empty() {
        let pairs = reading.values.iter().map(|(text, value)| (text.as_str(), value.as_str()));
        keys.push(format!("values = {}", toml_values(pairs)));
    }
    keys
}

/// A comment on one line, for any text.
fn comment(text: &str) -> String {
    format!("# {}\n", escape(text))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The relative path from a folder to a file, both absolute; the file's absolute path if there is no relative one.
fn relative(folder: &Path, file: &Path) -> String {
    let (here, other): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let shared = here.iter().zip(&other).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        return file.to_string_lossy().into_owned();
    }
    let up = here[shared..].iter().map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(other[shared..].iter().copied()).collect();
    way.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_project::Project;

    #[test]
    fn the_way_to_a_file_is_relative() {
        for (folder, file, expected) in [
            ("/a/b", "/a/b/c.csv", "c.csv"),
            ("/a/b", "/a/c.csv", "../c.csv"),
            ("/a/b", "/c/d.csv", "../../c/d.csv"),
            ("", "c.csv", "c.csv"),
        ] {
            assert_eq!(relative(Path::new(folder), Path::new(file)), expected, "{folder} {file}");
        }
    }

    #[test]
    fn proposed_statements_are_exactly_the_project_keys() {
        let is_setting = |line: &&str| line.starts_with('#') && !line.starts_with("# ");
        let lines = STATEMENTS.lines().filter(is_setting);
        let written: String = lines.flat_map(|line| [&line[1..], "\n"]).collect();
        let table: ::toml::Table = written.parse().unwrap();
        let report = table["report"].as_table().unwrap();
        let known = Project::keys();
        let known = known.iter().filter_map(|key| key.path.strip_prefix("report."));
        let mut known: Vec<&str> = known.filter(|key| !key.starts_with("attempt")).collect();
        known.sort_unstable();
        let mut written: Vec<&str> = report.keys().map(String::as_str).collect();
        written.sort_unstable();
        assert_eq!(written, known);
    }

    #[test]
    fn odd_column_names_still_give_valid_toml() {
        for text in ["a\"b", "a\\b", "a\nb", "\u{7f}", "ü", "'", ""] {
            let line = format!("{}x = {}\n", comment(text), toml_string(text));
            let table: ::toml::Table = line.parse().unwrap_or_else(|error| panic!("{line:?}: {error}"));
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
