//! A random project before it is written.

use super::columns::{self, Column};
use super::hierarchies::{self, Hierarchy};
use super::persons;
use super::texts::{self, quoted};
use super::{Files, PROJECT, Project};
use crate::support::dice::Dice;

/// A table and the form in which it is written.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one way of writing, and all of them may be combined"
)]
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) separator: char,
    /// Whether the project names the separator.
    pub(crate) is_declared: bool,
    pub(crate) crlf: bool,
    pub(crate) mark: bool,
    pub(crate) ends: bool,
    /// The percentage of fields with quotes that they do not need.
    pub(crate) quotes: usize,
    /// The lines above the names.
    pub(crate) titles: usize,
    /// Whether the project has the names, and the file does not.
    pub(crate) is_named_by_project: bool,
    /// The records before which a line stands that is no person.
    pub(crate) notes: Vec<usize>,
    /// Whether the project leaves these lines out by their text, not by their number.
    pub(crate) by_text: bool,
}

/// The text of a line that is no person.
const NOTE: &str = "~ no person ~";

/// A column of T that is not a quasi-identifier.
#[derive(Clone, Debug)]
pub(crate) struct Other {
    pub(crate) name: String,
    pub(crate) role: &'static str,
    pub(crate) repeats: bool,
    /// What rows with one value are, as a line of the project.
    pub(crate) rows: Option<String>,
    /// The hierarchy and the level at which a release publishes the column.
    pub(crate) coarser: Option<(Hierarchy, usize)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) columns: Vec<Column>,
    pub(crate) others: Vec<Other>,
    pub(crate) public: Table,
    /// The table of T. Without it, P marks the members.
    pub(crate) private: Option<Table>,
    /// The line with the column of P that says who is a person.
    pub(crate) person: Option<String>,
    pub(crate) count: Option<Mark>,
    /// The line that says what the count counts, if there is one.
    counts: &'static str,
    pub(crate) member: Option<Mark>,
    pub(crate) drop_unlisted: bool,
    pub(crate) drop_not_in_public: bool,
    pub(crate) delta: (Option<String>, String),
    pub(crate) empty_regions: Option<&'static str>,
    /// k, as it is written.
    pub(crate) least: Option<String>,
    pub(crate) least_people: Option<String>,
    /// More lines at the beginning of the project file.
    pub(crate) more: String,
}

/// A column with members or counts, and whether the project gives the meaning of its texts.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) column: String,
    pub(crate) has_texts: bool,
}

/// What a count column counts: people as a rule.
const COUNTS: [&str; 12] = {
    let mut counts = ["counts = \"people\"\n"; 12];
    counts[0] = "counts = \"rows\"\n";
    counts[1] = "";
    counts
};

/// The count of `<4` and the text that marks a member, if the project gives them.
const FEW: usize = 2;
const MARKS: [&str; 2] = ["2", "case"];

/// A person of P: the cell of each column, the number of people, and how many of them are in T.
struct Person {
    cells: Vec<usize>,
    public: usize,
    private: usize,
}

pub(crate) fn plan(dice: &mut Dice) -> Plan {
    let oddness = *dice.pick(&[0, 0, 10, 30, 60, 60]);
    let width = *dice.pick(&[1, 2, 2, 3, 3, 4]);
    let mut names = columns::names(dice, width + 4, oddness);
    let mut next_name =
        |dice: &mut Dice| names.pop().unwrap_or_else(|| format!("column {}", dice.below(1000)));
    let columns: Vec<Column> = (0..width)
        .map(|_| {
            let name = next_name(dice);
            columns::column(dice, name, oddness)
        })
        .collect();
    let counted = dice.percent(25);
    let member = dice.percent(18);
    let texts_of_counts = dice.percent(30);
    let marked = dice.percent(30);
    let people = people(dice, &columns, counted, member);
    let mut others = Vec::new();
    for _ in 0..*dice.pick(&[0, 0, 1, 1, 2]) {
        let mut role = *dice.pick(&["identifier", "sensitive", "sensitive", "insensitive"]);
        if member && dice.percent(95) {
            role = "identifier";
        }
        if role == "identifier" && dice.percent(25) {
            role = "withheld";
        }
        let is_left_out = ["identifier", "withheld"].contains(&role);
        let repeats = role == "withheld" || (role == "identifier" && dice.percent(25));
        let coarser = (!is_left_out && dice.percent(60)).then(|| {
            let hierarchy = hierarchies::hierarchy(dice, oddness);
            // Sometimes a level that does not exist.
            let beyond = usize::from(dice.percent(4));
            let level = dice.within(0, hierarchy.builder.top() + beyond);
            (hierarchy, level)
        });
        others.push(Other { name: next_name(dice), role, repeats, rows: None, coarser });
    }
    let count = counted.then(|| Mark { column: "people".to_owned(), has_texts: texts_of_counts });
    let member = member.then(|| Mark { column: "in study".to_owned(), has_texts: marked });
    let sums = people.iter().fold((0, 0), |(t, p), person| (t + person.private, p + person.public));
    let delta = delta(dice, sums);
    let public = public_table(dice, &columns, &people, &others, (count.as_ref(), member.as_ref()), oddness);
    let private = member.is_none().then(|| private_table(dice, &columns, &people, &others, oddness));
    let unlisted = private.is_some() && dice.percent(8);
    let open = private.is_none() && public.header.iter().any(|name| name == "anything");
    let mut plan = Plan {
        columns,
        others,
        public,
        private,
        person: None,
        counts: COUNTS[people.len() % COUNTS.len()],
        count,
        member,
        drop_not_in_public: dice.percent(25),
        drop_unlisted: ((unlisted || open) && dice.percent(85)) || dice.percent(5),
        delta,
        empty_regions: *dice.pick(&[None, None, Some("allow"), Some("forbid")]),
        least: least(dice),
        least_people: if dice.percent(30) { least(dice) } else { None },
        more: if dice.percent(20) {
            format!("name = {}\n", quoted(&texts::any(dice, oddness)))
        } else {
            String::new()
        },
    };
    if unlisted && let Some(private) = &mut plan.private {
        private.header.push("remark".to_owned());
        for row in &mut private.rows {
            row.push(texts::any(dice, oddness));
        }
    }
    persons::repeat(dice, &mut plan);
    plan
}

fn people(dice: &mut Dice, columns: &[Column], counted: bool, member: bool) -> Vec<Person> {
    let variety = *dice.pick(&[1, 2, 3, 4, 5, 6, 9]);
    let share = *dice.pick(&[10, 25, 40, 60, 90]);
    let mut people: Vec<Person> = (0..dice.within(1, 22))
        .map(|_| {
            let cells = columns.iter().map(|column| dice.below(column.cells.len().min(variety))).collect();
            let public = if counted { dice.within(1, 4) } else { 1 };
            let mut private = (0..public).filter(|_| dice.percent(share)).count();
            if member && private > 0 {
                private = public;
            }
            Person { cells, public, private }
        })
        .collect();
    if people.iter().all(|person| person.private == 0) && dice.percent(98) {
        people[0].private = people[0].public;
    }
    people
}

/// δ around |T|/|P|.
fn delta(dice: &mut Dice, (private, public): (usize, usize)) -> (Option<String>, String) {
    let public = public.max(1);
    let below = private * dice.below(5);
    let above = private * 4 + (public - private) * dice.within(0, 4);
    let mut min = match dice.below(10) {
        0..=4 => Some("\"0\"".to_owned()),
        5 => None,
        _ => Some(format!("\"{below}/{}\"", public * 4)),
    };
    let mut max = format!("\"{above}/{}\"", public * 4);
    match dice.below(12) {
        0..=3 => {
            max =
                dice.pick(&["\"1\"", "\"0.5\"", "\"75%\"", "0.75", "1", "0.9", "0.333333333333"]).to_string();
        }
        4 => min = Some((*dice.pick(&["0", "0.25", "\"12.5%\"", "\"1/3\""])).to_owned()),
        _ => (),
    }
    (min, max)
}

/// k: often absent, mostly one that some classes keep, sometimes one that no class can keep.
fn least(dice: &mut Dice) -> Option<String> {
    match dice.below(20) {
        0..=9 => None,
        10..=18 => Some(dice.within(1, 6).to_string()),
        _ => Some((*dice.pick(&["0", "-1", "2.0", "\"3\"", "40", "9223372036854775807"])).to_owned()),
    }
}

fn table(dice: &mut Dice, header: Vec<String>, rows: Vec<Vec<String>>) -> Table {
    let separator = *dice.pick(&[',', ',', ',', ';', '\t', '|']);
    let is_declared = dice.percent(15);
    let notes = if dice.percent(15) { vec![dice.below(rows.len() + 1), rows.len()] } else { Vec::new() };
    let mut table = Table {
        separator: if header.len() == 1 && !is_declared { ',' } else { separator },
        header,
        rows,
        is_declared,
        crlf: dice.percent(15),
        mark: dice.percent(8),
        ends: dice.percent(90),
        quotes: *dice.pick(&[0, 0, 0, 10, 100]),
        titles: if dice.percent(10) { dice.within(1, 3) } else { 0 },
        is_named_by_project: is_declared && dice.percent(50),
        notes,
        by_text: dice.percent(50),
    };
    // Columns may be in any order.
    let mut order: Vec<usize> = (0..table.header.len()).collect();
    if dice.percent(60) {
        dice.shuffle(&mut order);
    }
    for row in [&mut table.header].into_iter().chain(&mut table.rows) {
        *row = order.iter().map(|&position| row[position].clone()).collect();
    }
    table
}

fn public_table(
    dice: &mut Dice,
    columns: &[Column],
    people: &[Person],
    others: &[Other],
    (count, member): (Option<&Mark>, Option<&Mark>),
    oddness: usize,
) -> Table {
    let mut header: Vec<String> = columns.iter().map(|column| column.public_name.clone()).collect();
    // If T is part of P, P has all other columns of T. Otherwise P has an identifier in 30% of
    // cases.
    let known = |dice: &mut Dice, other: &Other| {
        member.is_some() || (["identifier", "withheld"].contains(&other.role) && dice.percent(30))
    };
    let known: Vec<&Other> = others.iter().filter(|other| known(dice, other)).collect();
    let remark = dice.percent(15);
    header.extend(known.iter().map(|other| other.name.clone()));
    header.extend(count.map(|count| count.column.clone()));
    header.extend(member.map(|member| member.column.clone()));
    header.extend(remark.then(|| "anything".to_owned()));
    let mut rows = Vec::new();
    for (nth, person) in people.iter().enumerate() {
        let cells = columns.iter().zip(&person.cells);
        let mut row: Vec<String> = cells.map(|(column, &cell)| column.cells[cell].public.clone()).collect();
        for other in &known {
            row.push(if other.repeats { texts::tame(dice) } else { identifier(dice, nth, oddness) });
        }
        let nobody = count.is_some() && person.private == 0 && nth > 0 && dice.percent(oddness / 6);
        row.extend(count.map(|count| match person.public {
            _ if nobody => (*dice.pick(&["0", "0.0"])).to_owned(),
            FEW if count.has_texts => "<4".to_owned(),
            people if dice.percent(oddness / 4) => format!("{people}.0"),
            people => people.to_string(),
        }));
        row.extend(member.map(|member| {
            let words: &[&str] = match (person.private > 0, member.has_texts) {
                (true, false) => &["true", "1", "yes", "1", "TRUE", "Y"],
                (false, false) => &["false", "0", "no", "", "No", "n"],
                (true, true) => &MARKS,
                (false, true) => &["1", "yes", "", "two"],
            };
            (*dice.pick(words)).to_owned()
        }));
        row.extend(remark.then(|| texts::any(dice, oddness)));
        rows.push(row);
    }
    table(dice, header, rows)
}

fn identifier(dice: &mut Dice, nth: usize, oddness: usize) -> String {
    if dice.percent(oddness / 6) { String::new() } else { format!("#{nth}") }
}

fn private_table(
    dice: &mut Dice,
    columns: &[Column],
    people: &[Person],
    others: &[Other],
    oddness: usize,
) -> Table {
    let mut header: Vec<String> = columns.iter().map(|column| column.private_name.clone()).collect();
    header.extend(others.iter().map(|other| other.name.clone()));
    let mut rows = Vec::new();
    for (nth, person) in people.iter().enumerate() {
        for copy in 0..person.private {
            let cells = columns.iter().zip(&person.cells);
            let mut row: Vec<String> =
                cells.map(|(column, &cell)| dice.pick(&column.cells[cell].private).clone()).collect();
            for other in others {
                row.push(match other.role {
                    _ if other.repeats => texts::tame(dice),
                    "identifier" => identifier(dice, nth * 10 + copy, oddness),
                    _ if dice.percent(oddness / 20) => "a,b,c\nd,e,f".to_owned(),
                    // Sometimes a value that may be missing in the hierarchy.
                    _ if other.coarser.is_some() && !dice.percent(oddness / 40) => {
                        let values = &other.coarser.as_ref().unwrap().0.values;
                        if values.is_empty() { "nothing".to_owned() } else { dice.pick(values).clone() }
                    }
                    _ => texts::any(dice, oddness),
                });
            }
            rows.push(row);
        }
    }
    dice.shuffle(&mut rows);
    table(dice, header, rows)
}

impl Table {
    /// The table as CSV.
    pub(crate) fn render(&self) -> Vec<u8> {
        // The content determines which fields get unneeded quotes. So a table is written the same
        // every time.
        let mut dice = Dice::new(self.header.len() as u64 + 31 * self.rows.len() as u64);
        let line_end = if self.crlf { "\r\n" } else { "\n" };
        let mut content = String::from(if self.mark { "\u{feff}" } else { "" });
        let mut lines = vec!["\"Register\" of people".to_owned(); self.titles];
        let header =
            [&self.header].into_iter().filter(|_| !self.is_named_by_project).map(|names| (None, names));
        let people = self.rows.iter().enumerate().map(|(nth, row)| (Some(nth), row));
        for (nth, row) in header.chain(people) {
            if nth.is_some_and(|nth| self.notes.contains(&nth)) {
                lines.push(self.note(lines.len()));
            }
            let fields: Vec<String> = row
                .iter()
                .map(|field| {
                    let needed = field.contains(['"', '\r', '\n', self.separator])
                        || (row.len() == 1 && field.is_empty())
                        || field.starts_with('\u{feff}');
                    if needed || dice.percent(self.quotes) {
                        format!("\"{}\"", field.replace('"', "\"\""))
                    } else {
                        field.clone()
                    }
                })
                .collect();
            lines.push(fields.join(&self.separator.to_string()));
        }
        if self.notes.contains(&self.rows.len()) {
            lines.push(self.note(lines.len()));
        }
        content.push_str(&lines.join(line_end));
        if self.ends {
            content.push_str(line_end);
        }
        content.into_bytes()
    }

    fn source(&self, path: &str) -> String {
        let declaration = if self.is_declared {
            format!("separator = {}\n", quoted(&self.separator.to_string()))
        } else {
            String::new()
        };
        // One file, also as a list, by the key of today or by the older one.
        let path = match self.rows.len() % 5 {
            3 => format!("path = [\"{path}\"]"),
            4 => format!("paths = [\"{path}\"]"),
            _ => format!("path = \"{path}\""),
        };
        format!("{path}\n{declaration}{}", self.rows())
    }

    /// A line that is no person, of any number of fields.
    fn note(&self, nth: usize) -> String {
        format!("{NOTE}{}", self.separator.to_string().repeat(nth % 4))
    }

    /// The keys for the names and the rows. All rows are said to be people, so that none is asked about.
    fn rows(&self) -> String {
        let names: Vec<String> = self.header.iter().map(|name| quoted(name)).collect();
        let header =
            if self.is_named_by_project { format!("[{}]", names.join(", ")) } else { "true".to_owned() };
        let has_breaks =
            [&self.header].into_iter().chain(&self.rows).flatten().any(|field| field.contains('\n'));
        let line = |note: &usize| {
            let before = self.notes.iter().filter(|other| *other < note).count();
            self.titles + usize::from(!self.is_named_by_project) + note + before + 1
        };
        let out: Vec<String> = match (self.by_text || has_breaks, self.notes.as_slice()) {
            (_, []) => Vec::new(),
            (true, _) => vec![quoted(NOTE)],
            (false, notes) => notes.iter().map(line).map(|line| line.to_string()).collect(),
        };
        let keep: Vec<String> = (1..=6 * self.rows.len() + 40).map(|line| line.to_string()).collect();
        format!(
            "header_row = {}\nheader = {header}\nleave_out = [{}]\nkeep_rows = [{}]\n",
            self.titles + 1,
            out.join(", "),
            keep.join(", ")
        )
    }
}

impl Plan {
    /// The project file.
    pub(crate) fn file(&self) -> String {
        let mut file = self.more.clone();
        if let Some(private) = &self.private {
            let mut drop = if self.drop_unlisted { "unlisted = \"drop\"\n" } else { "" }.to_owned();
            if self.drop_not_in_public {
                drop.push_str("not_in_public = \"drop\"\n");
            }
            file.push_str(&format!("[private]\n{}{drop}\n", private.source("private.csv")));
        }
        file.push_str(&format!("[public]\n{}", self.public.source("public.csv")));
        if self.private.is_none() && self.drop_unlisted {
            file.insert_str(self.more.len(), "[private]\nunlisted = \"drop\"\n\n");
        }
        file.push_str(self.person.as_deref().unwrap_or_default());
        if let Some(Mark { column, has_texts }) = &self.count {
            let column = quoted(column);
            file.push_str(&match has_texts {
                true => format!("count = {{ column = {column}, texts = {{ \"<4\" = {FEW} }} }}\n"),
                false => format!("count = {column}\n"),
            });
            file.push_str(self.counts);
        }
        if let Some(Mark { column, has_texts }) = &self.member {
            let column = quoted(column);
            file.push_str(&match has_texts {
                true => {
                    format!("member = {{ column = {column}, is = [\"{}\", \"{}\"] }}\n", MARKS[0], MARKS[1])
                }
                false => format!("member = {column}\n"),
            });
        }
        file.push_str("\n[delta]\n");
        if let Some(min) = &self.delta.0 {
            file.push_str(&format!("min = {min}\n"));
        }
        file.push_str(&format!("max = {}\n", self.delta.1));
        if let Some(empty) = self.empty_regions {
            file.push_str(&format!("\n[search]\nempty_regions = \"{empty}\"\n"));
        }
        let policy = [("k", &self.least), ("k_map", &self.least_people)];
        let lines: Vec<String> =
            policy.iter().filter_map(|(key, least)| Some(format!("{key} = {}\n", least.as_ref()?))).collect();
        if !lines.is_empty() {
            file.push_str(&format!("\n[policy]\n{}", lines.concat()));
        }
        for (nth, column) in self.columns.iter().enumerate() {
            file.push_str(&format!("\n[[attribute]]\nname = {}\nrole = \"quasi\"\n", quoted(&column.name)));
            file.push_str(&format!("hierarchy = \"h{nth}.{}\"\n", column.hierarchy.extension));
            if let Some(kind) = column.hierarchy.kind {
                file.push_str(&format!("kind = \"{kind}\"\n"));
            }
            if column.base > 0 {
                file.push_str(&format!("public_level = {}\n", column.base));
            }
            if column.name.len().is_multiple_of(3) {
                file.push_str("shape = \"any\"\n");
            }
            if let Some(terms) = column.terms {
                file.push_str(&format!("terms = {terms}\n"));
            }
            if let Some(level) = column.borders {
                file.push_str(&format!("borders = {level}\n"));
            }
            if column.public_name != column.name {
                file.push_str(&format!("public_column = {}\n", quoted(&column.public_name)));
            }
            if column.private_name != column.name && self.private.is_some() {
                file.push_str(&format!("private_column = {}\n", quoted(&column.private_name)));
            }
            match &column.dates {
                // A member of P is read as P.
                [Some(public), _] if self.private.is_none() => file.push_str(&public.keys()),
                [Some(public), Some(private)] if public.keys() == private.keys() => {
                    file.push_str(&public.keys());
                }
                [public, private] => {
                    let parts = [("public", public), ("private", private)];
                    let parts = parts.into_iter().filter(|_| self.private.is_some());
                    for (table, form) in parts.filter_map(|(table, form)| Some((table, form.as_ref()?))) {
                        file.push_str(&format!("[attribute.{table}]\n{}", form.keys()));
                    }
                }
            }
        }
        for (nth, other) in self.others.iter().enumerate() {
            let name = quoted(&other.name);
            // Some roles are undecided, by the key of today or by the older one.
            let role = match other.role {
                "sensitive" if name.len().is_multiple_of(4) => "role = \"undecided\"".to_owned(),
                "sensitive" if name.len().is_multiple_of(7) => {
                    "role = \"sensitive\"\nundecided = true".to_owned()
                }
                role => format!("role = \"{role}\""),
            };
            file.push_str(&format!("\n[[attribute]]\nname = {name}\n{role}\n"));
            if let Some((hierarchy, level)) = &other.coarser {
                file.push_str(&format!(
                    "hierarchy = \"o{nth}.{}\"\npublish = {level}\n",
                    hierarchy.extension
                ));
            }
            if let Some(rows) = &other.rows {
                file.push_str(&format!("{rows}\n"));
            } else if other.repeats && other.role == "identifier" {
                // With a reason, P may have the column, too.
                let reason = ["true", "\"couples share this number\""][nth % 2];
                file.push_str(&format!("repeats = {reason}\n"));
            }
        }
        file
    }

    /// The files, and two releases that may be right or nearly right.
    pub(crate) fn render(&self) -> Project {
        let mut files = Files::new();
        files.insert(PROJECT.to_owned(), self.file().into_bytes());
        files.insert("public.csv".to_owned(), self.public.render());
        if let Some(private) = &self.private {
            files.insert("private.csv".to_owned(), private.render());
        }
        for (nth, column) in self.columns.iter().enumerate() {
            let name = format!("h{nth}.{}", column.hierarchy.extension);
            files.insert(name, column.hierarchy.content.clone().into_bytes());
        }
        for (nth, other) in self.others.iter().enumerate() {
            if let Some((hierarchy, _)) = &other.coarser {
                files.insert(
                    format!("o{nth}.{}", hierarchy.extension),
                    hierarchy.content.clone().into_bytes(),
                );
            }
        }
        Project { files, guesses: vec![self.guess(true), self.guess(false)] }
    }

    /// The rows of T as a release would have them, all at `*` or unchanged.
    fn guess(&self, coarsest: bool) -> Vec<u8> {
        let table = self.private.as_ref().unwrap_or(&self.public);
        let is_quasi = |name: &String| {
            self.columns.iter().any(|column| {
                let wanted = if self.private.is_some() { &column.private_name } else { &column.public_name };
                wanted == name
            })
        };
        let is_kept = |name: &String| {
            self.others
                .iter()
                .any(|other| other.name == *name && !["identifier", "withheld"].contains(&other.role))
        };
        let positions: Vec<usize> = (0..table.header.len())
            .filter(|&position| is_quasi(&table.header[position]) || is_kept(&table.header[position]))
            .collect();
        let line = |row: &Vec<String>, header: bool| {
            let fields: Vec<String> = positions
                .iter()
                .map(|&position| {
                    let starred = coarsest && !header && is_quasi(&table.header[position]);
                    let field = if starred { "*" } else { row.get(position).map_or("", String::as_str) };
                    let needed =
                        field.contains([',', '"', '\r', '\n']) || (positions.len() == 1 && field.is_empty());
                    if needed { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
                })
                .collect();
            fields.join(",") + "\n"
        };
        let position_of = |mark: &Option<Mark>| {
            let column = &mark.as_ref()?.column;
            table.header.iter().position(|known| known == column)
        };
        let (member, count) = (position_of(&self.member), position_of(&self.count));
        let uses_marks = self.member.as_ref().is_some_and(|member| member.has_texts);
        let marks: &[&str] = if uses_marks { &MARKS } else { &["true", "1", "yes", "TRUE", "Y"] };
        let mut lines: Vec<String> = Vec::new();
        for row in &table.rows {
            let at = |position: usize| row.get(position).map_or("", String::as_str);
            let is_member = member.is_none_or(|position| marks.contains(&at(position)));
            let people = match count.filter(|_| member.is_some()).map(at) {
                None => 1,
                Some("<4") => FEW,
                Some(text) => text.trim_end_matches(".0").parse().unwrap_or(1).min(50),
            };
            lines.extend(std::iter::repeat_n(line(row, false), if is_member { people } else { 0 }));
        }
        lines.sort_by(|left, right| left.trim_end_matches('\n').cmp(right.trim_end_matches('\n')));
        (line(&table.header, true) + &lines.concat()).into_bytes()
    }
}
