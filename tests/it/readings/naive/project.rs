//! Reads the project file and applies it to the tables.

use std::path::Path;

use super::hierarchy::{self, Builder};
use super::persons;
use super::tables::{self, People, Rows};
use super::toml::{self, Table, Value};
use super::written::Pattern;
use super::{Fraction, Kind, PrivateRow, PublicRow, Quasi, Refusal, World, Written, labels, meaning, refuse};

/// An attribute of the project file.
struct Attribute {
    name: String,
    role: String,
    public_column: String,
    private_column: String,
    rows: persons::Rows,
    hierarchy: Option<String>,
    kind: Option<Kind>,
    base: usize,
    /// The level of a release, for a column that only T has.
    publish: usize,
    terms: Option<usize>,
    borders: Option<usize>,
    /// How dates are written in P and in T.
    dates: [Option<Pattern>; 2],
    /// Whether it has keys of one table.
    has_tables: bool,
}

/// The path of a table and its separator.
struct Source {
    path: String,
    separator: Option<u8>,
    rows: Rows,
}

/// Reads a project and every file that it names.
pub(crate) fn load(path: &Path) -> Result<World, Refusal> {
    let Ok(bytes) = std::fs::read(path) else { return refuse("cannot read the project") };
    let file = toml::read(&bytes)?;
    file.only(&["name", "private", "public", "delta", "search", "policy", "attribute"])?;
    file.text("name")?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let nothing = Table::default();
    let part = |key: &str| file.get(key).map_or(Ok(&nothing), Value::table);
    let (public, delta, search) = (part("public")?, part("delta")?, part("search")?);
    let policy = part("policy")?;
    policy.only(&["k", "k_map"])?;
    let least = (least(policy, "k")?, least(policy, "k_map")?);
    public.only(
        &[&["path", "paths", "separator", "count", "counts", "member", "person"], &ROWS[..]].concat(),
    )?;
    let person = persons::of_public(public)?;
    // Why δ is this one changes no verdict.
    delta.only(&["min", "max", "prior", "misuse", "misuse_down", "cost", "reason"])?;
    search.only(&["empty_regions"])?;
    let forbid_empty = match search.text("empty_regions")?.as_deref() {
        None | Some("allow") => false,
        Some("forbid") => true,
        Some(other) => return refuse(format!("empty regions cannot be {other}")),
    };
    let delta = delta_of(delta)?;
    let attributes = attributes(&file)?;
    let (count, count_texts) = count_of(public)?;
    let (member, member_texts) = member_of(public)?;
    let source = source(public)?;
    let p = People::read(&folder.join(source.path), source.separator, &source.rows)?;
    let private = part("private")?;
    private.only(&[&["path", "paths", "separator", "unlisted", "not_in_public"], &ROWS[..]].concat())?;
    let drops = match private.text("not_in_public")?.as_deref() {
        None | Some("refuse") => false,
        Some("drop") => true,
        Some(other) => return refuse(format!("people who are not in P cannot be {other}")),
    };
    let unlisted_dropped = match private.text("unlisted")?.as_deref() {
        None | Some("refuse") => false,
        Some("drop") => true,
        Some(other) => return refuse(format!("unlisted columns cannot be {other}")),
    };
    let t = match (private.get("path").or(private.get("paths")), &member) {
        (None, Some(_)) if private.get("separator").is_none() => None,
        (Some(_), None) => {
            let source = self::source(private)?;
            Some(People::read(&folder.join(source.path), source.separator, &source.rows)?)
        }
        _ => return refuse("T is either [private] or `member`"),
    };
    let mut reading = Reading { attributes, public: p, private: t, count, count_texts, member, member_texts };
    reading.leave_out_nobody()?;
    reading.count_persons(person.as_ref(), unlisted_dropped)?;
    reading.read_dates()?;
    let mut world = reading.world(folder, delta, least, forbid_empty, unlisted_dropped)?;
    if drops {
        drop_strangers(&mut world)?;
    }
    check_subset(&world)?;
    Ok(world)
}

/// Texts of a count column that are not numbers, with their numbers of people.
type CountTexts = Vec<(String, u128)>;

/// The column with the number of people of a row, and its texts that are not numbers.
fn count_of(public: &Table) -> Result<(Option<String>, CountTexts), Refusal> {
    if public.get("count").map(|_| "people") != public.text("counts")?.as_deref() {
        return refuse("a count is of people");
    }
    let Some(Value::Table(table)) = public.get("count") else {
        return Ok((public.text("count")?, Vec::new()));
    };
    table.only(&["column", "texts"])?;
    let mut texts = Vec::new();
    if let Some(written) = table.get("texts") {
        for (text, people) in &written.table()?.0 {
            let Value::Number(digits) = people else { return refuse(format!("{people:?} is no count")) };
            texts.push((text.clone(), tables::count(digits)?));
        }
    }
    Ok((Some(table.needed("column")?), texts))
}

/// The column that marks members, and the texts that mark one.
fn member_of(public: &Table) -> Result<(Option<String>, Vec<String>), Refusal> {
    let Some(Value::Table(table)) = public.get("member") else {
        return Ok((public.text("member")?, Vec::new()));
    };
    table.only(&["column", "is"])?;
    let texts = match table.get("is") {
        Some(Value::List(texts)) if !texts.is_empty() => {
            texts.iter().map(Value::text).collect::<Result<_, _>>()?
        }
        Some(one) => vec![one.text()?],
        None => return refuse("nothing marks a member"),
    };
    Ok((Some(table.needed("column")?), texts))
}

fn source(table: &Table) -> Result<Source, Refusal> {
    let separator = match table.text("separator")? {
        None => None,
        Some(text) => match text.as_bytes() {
            [byte] if !b"\"\r\n".contains(byte) => Some(*byte),
            _ => return refuse(format!("{text:?} is no separator")),
        },
    };
    Ok(Source { path: path(table)?, separator, rows: rows(table)? })
}

/// The one file of a table, also as a list; `paths` is the older name of a list.
fn path(table: &Table) -> Result<String, Refusal> {
    let listed = match (table.get("path"), table.get("paths")) {
        (Some(Value::Text(path)), None) => return Ok(path.clone()),
        (Some(list), None) | (None, Some(list)) => list.list()?,
        _ => return refuse("a table has one `path`"),
    };
    match listed {
        [file] => file.text(),
        _ => refuse("several files are beyond this reading"),
    }
}

/// Where the names of the columns are, and the rows that are no people. The rows of `keep_rows` are people like any other.
fn rows(table: &Table) -> Result<Rows, Refusal> {
    let whole = |digits: &str| match digits.parse::<usize>() {
        Ok(number) if number > 0 => Ok(number),
        _ => refuse(format!("{digits} is no row")),
    };
    let header_row = match table.get("header_row") {
        None => 1,
        Some(Value::Number(digits)) => whole(digits)?,
        Some(other) => return refuse(format!("{other:?} is no row")),
    };
    let given = match table.get("header") {
        None | Some(Value::Flag(true)) => None,
        Some(Value::Flag(false)) => Some(Vec::new()),
        Some(names) => Some(names.list()?.iter().map(Value::text).collect::<Result<_, _>>()?),
    };
    let mut out = (Vec::new(), Vec::new());
    for row in table.get("leave_out").map_or(Ok(&[][..]), Value::list)? {
        match row {
            Value::Number(digits) => out.0.push(whole(digits)?),
            row => out.1.push(row.text()?),
        }
    }
    Ok(Rows { header_row, given, out })
}

fn delta_of(delta: &Table) -> Result<(Fraction, Fraction), Refusal> {
    let bound = |key: &str, default: Option<Fraction>| match delta.get(key) {
        Some(Value::Text(text) | Value::Number(text)) => fraction(text),
        Some(other) => refuse(format!("{other:?} is no bound")),
        None => default.ok_or_else(|| Refusal(format!("δ lacks its {key}"))),
    };
    let (min, max) = (bound("min", Some(Fraction { above: 0, below: 1 }))?, bound("max", None)?);
    if min > max { refuse("δmin is above δmax") } else { Ok((min, max)) }
}

/// The least number of members, or of people of P, in a class with members, if the policy has the
/// key.
fn least(policy: &Table, key: &str) -> Result<Option<u128>, Refusal> {
    match policy.get(key) {
        None => Ok(None),
        Some(Value::Number(digits)) => match digits.parse() {
            Ok(least) if least > 0 => Ok(Some(least)),
            _ => refuse(format!("{key} cannot be {digits}")),
        },
        Some(other) => refuse(format!("{key} cannot be {other:?}")),
    }
}

/// A fraction, a decimal or a percentage from 0 to 1.
fn fraction(text: &str) -> Result<Fraction, Refusal> {
    let wrong = || Refusal(format!("invalid presence {text:?}"));
    let (digits, hundredth) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100),
        None => (text, 1),
    };
    let number_of = |part: &str| -> Option<u128> {
        let fits = (1..=18).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if fits { part.parse().ok() } else { None }
    };
    let parts = if let Some((above, below)) = text.split_once('/') {
        number_of(above).zip(number_of(below))
    } else if let Some((units, decimals)) = digits.split_once('.') {
        let below = 10_u128.pow(u32::try_from(decimals.len().min(18)).map_err(|_| wrong())?);
        number_of(units)
            .zip(number_of(decimals))
            .map(|(units, decimals)| (units * below + decimals, below * hundredth))
    } else {
        number_of(digits).map(|units| (units, hundredth))
    };
    match parts {
        Some((above, below)) if below > 0 && above <= below => Ok(Fraction { above, below }),
        _ => Err(wrong()),
    }
}

fn attributes(file: &Table) -> Result<Vec<Attribute>, Refusal> {
    let Some(written) = file.get("attribute") else { return refuse("no attribute") };
    let mut attributes: Vec<Attribute> = Vec::new();
    for written in written.list()? {
        let written = written.table()?;
        written.only(&[
            "name",
            "role",
            "hierarchy",
            "kind",
            "public_level",
            "public_column",
            "private_column",
            "repeats",
            "distinct",
            "first_by",
            "accept",
            "shape",
            // The keys of older projects.
            "undecided",
            "pivot",
            "publish",
            "terms",
            "borders",
            "date",
            "public",
            "private",
        ])?;
        let name = written.needed("name")?;
        let role = role(written)?;
        if !["identifier", "withheld", "quasi", "sensitive", "insensitive"].contains(&role.as_str()) {
            return refuse(format!("{role} is no role"));
        }
        let kind = match written.text("kind")?.as_deref() {
            None => None,
            Some("number") => Some(Kind::Number),
            Some("date") => Some(Kind::Date),
            Some("category") => Some(Kind::Category),
            Some(other) => return refuse(format!("{other} is no kind")),
        };
        let level = |key: &str| match written.get(key) {
            None => Ok(None),
            Some(Value::Number(digits)) => {
                digits.parse().map(Some).map_err(|_| Refusal(format!("{digits} is no level")))
            }
            Some(_) => refuse("a level is a number"),
        };
        let (base, publish) = (level("public_level")?.unwrap_or(0), level("publish")?);
        let (terms, borders) = (level("terms")?, level("borders")?);
        if terms == Some(0) || (role != "quasi" && (terms.is_some() || borders.is_some())) {
            return refuse(format!("{name}: terms begin at 1, and are limits of a quasi-identifier"));
        }
        if terms == Some(1) && borders.is_some() {
            return refuse(format!("{name}: one term is a label, and borders are of ranges"));
        }
        let rows = persons::rows(written)?;
        if role != "identifier"
            && ["distinct", "first_by", "repeats"].iter().any(|key| written.get(key).is_some())
        {
            return refuse(format!("{name}: only an identifier says who is a person"));
        }
        // A shape that limits nothing. The other shapes are beyond this reading.
        match written.text("shape")?.as_deref() {
            None => {}
            Some("any") if role == "quasi" => {}
            Some(shape) => return refuse(format!("{name}: {shape} is no shape here")),
        }
        if let Some(reason) = written.text("accept")? {
            check_reason(&name, &role, &reason)?;
        }
        let hierarchy = written.text("hierarchy")?;
        if role != "quasi" && (kind.is_some() || base > 0) {
            return refuse(format!("{name}: kind and level go with a quasi-identifier"));
        }
        let has_hierarchy = match (role.as_str(), publish) {
            ("quasi", None) | ("sensitive" | "insensitive", Some(_)) => Some(true),
            ("sensitive", None) => None,
            ("insensitive" | "identifier" | "withheld", None) => Some(false),
            _ => return refuse(format!("{name}: a level is published of what only T has")),
        };
        if has_hierarchy.is_some_and(|has| has != hierarchy.is_some()) {
            return refuse(format!("{name}: a hierarchy is there where it is needed, and nowhere else"));
        }
        if attributes.iter().any(|other| other.name == name) {
            return refuse(format!("{name} twice"));
        }
        let dates = dates(written, (&role, base, publish))?;
        let public_column = written.text("public_column")?.unwrap_or_else(|| name.clone());
        let private_column = written.text("private_column")?.unwrap_or_else(|| name.clone());
        attributes.push(Attribute {
            name,
            role,
            public_column,
            private_column,
            rows,
            hierarchy,
            kind,
            base,
            publish: publish.unwrap_or(0),
            terms,
            borders,
            dates,
            has_tables: written.get("public").is_some() || written.get("private").is_some(),
        });
    }
    Ok(attributes)
}

/// The role of an attribute. A column whose role nobody decided is taken to be sensitive; an older project marks it.
fn role(written: &Table) -> Result<String, Refusal> {
    let role = written.needed("role")?;
    match (written.get("undecided"), role.as_str()) {
        (None, "undecided") | (Some(Value::Flag(true)), "sensitive" | "insensitive") => {
            Ok("sensitive".to_owned())
        }
        (None | Some(Value::Flag(false)), "sensitive" | "insensitive") | (None, _) => Ok(role),
        (Some(_), _) => refuse("`undecided` is true or false, of a published column"),
    }
}

/// A pattern of dates, and the first of the hundred years that `%y` means.
fn date(written: &Table) -> Result<Option<(String, Option<u32>)>, Refusal> {
    match written.get("date") {
        None => Ok(None),
        Some(Value::Text(pattern)) => Ok(Some((pattern.clone(), None))),
        Some(Value::Table(table)) => {
            table.only(&["like", "from"])?;
            let Some(Value::Number(from)) = table.get("from") else { return refuse("`from` is a year") };
            let Ok(from) = from.parse() else { return refuse(format!("{from} is no year")) };
            let pattern = table.needed("like")?;
            if !Pattern::read(&pattern, Some(from))?.has_short_years() {
                return refuse("a first year without years of two digits");
            }
            Ok(Some((pattern, Some(from))))
        }
        Some(_) => refuse("a date is a pattern"),
    }
}

/// How P and T write the dates of an attribute. A key of one table replaces the one of both.
fn dates(
    written: &Table,
    (role, base, publish): (&str, usize, Option<usize>),
) -> Result<[Option<Pattern>; 2], Refusal> {
    let empty = Table::default();
    let has_tables = written.get("public").is_some() || written.get("private").is_some();
    let has_keys = has_tables || written.get("date").is_some() || written.get("pivot").is_some();
    let is_coarser = role != "quasi" && publish.is_some_and(|level| level > 0);
    if has_keys && role != "quasi" && !is_coarser || has_tables && is_coarser {
        return refuse("no values are read so");
    }
    let mut has_short_years = false;
    let mut has_pivot = written.get("pivot").is_some();
    let mut patterns = [None, None];
    for (nth, key) in ["public", "private"].into_iter().enumerate() {
        let own = written.get(key).map_or(Ok(&empty), Value::table)?;
        own.only(&["date", "pivot"])?;
        has_pivot |= own.get("pivot").is_some();
        let year = |table: &Table| match table.get("pivot") {
            None => Ok(None),
            Some(Value::Number(digits)) => {
                digits.parse().map(Some).map_err(|_| Refusal(format!("{digits} is no year")))
            }
            Some(_) => refuse("a pivot is a year"),
        };
        let pivot: Option<u32> = year(own)?.or(year(written)?);
        // P's labels of a coarser level are no dates.
        let is_label = nth == 0 && base > 0;
        if is_label && own.get("date").is_some() {
            return refuse("labels are no dates");
        }
        let pattern = date(own)?.or(date(written)?.filter(|_| !is_label));
        if pivot.is_some() && pattern.as_ref().is_some_and(|(_, from)| from.is_some()) {
            return refuse("the first year twice");
        }
        patterns[nth] = pattern.map(|(pattern, from)| Pattern::read(&pattern, from.or(pivot))).transpose()?;
        has_short_years |= patterns[nth].as_ref().is_some_and(Pattern::has_short_years);
    }
    if has_pivot && !has_short_years {
        return refuse("a pivot without years of two digits");
    }
    Ok(patterns)
}

/// The reason to publish a column must be a sentence on one line.
fn check_reason(name: &str, role: &str, reason: &str) -> Result<(), Refusal> {
    // A word is not one letter over and over, and the words are different.
    let mut words: Vec<String> = Vec::new();
    for word in reason.split_whitespace().map(str::to_lowercase) {
        let signs: Vec<char> = word.chars().filter(|character| character.is_alphanumeric()).collect();
        let is_one_letter =
            signs.len() > 1 && signs[0].is_alphabetic() && signs.iter().all(|sign| *sign == signs[0]);
        let word: String = signs.into_iter().collect();
        if !word.is_empty() && !is_one_letter && !words.contains(&word) {
            words.push(word);
        }
    }
    let words = words.len();
    let letters = reason.chars().filter(|character| character.is_alphabetic()).count();
    if !["sensitive", "insensitive"].contains(&role)
        || words < 3
        || letters < 10
        || reason.trim().chars().count() > 300
        || reason.trim().contains('\n')
    {
        return refuse(format!("{name}: {reason:?} is no reason to publish it"));
    }
    Ok(())
}

/// A project before its hierarchies are applied.
struct Reading {
    attributes: Vec<Attribute>,
    public: People,
    /// The table of T. Without it, T is part of P.
    private: Option<People>,
    count: Option<String>,
    count_texts: CountTexts,
    member: Option<String>,
    /// The texts that mark a member, if the project gives them.
    member_texts: Vec<String>,
}

/// The keys of a table about its rows.
const ROWS: [&str; 4] = ["header_row", "header", "leave_out", "keep_rows"];

impl Reading {
    /// The table of T, or of P if T is part of P.
    fn private(&self) -> &People {
        self.private.as_ref().unwrap_or(&self.public)
    }

    /// An attribute's column in T.
    fn private_column<'a>(&self, attribute: &'a Attribute) -> &'a str {
        if self.private.is_some() { &attribute.private_column } else { &attribute.public_column }
    }

    fn world(
        &self,
        folder: &Path,
        delta: (Fraction, Fraction),
        least: (Option<u128>, Option<u128>),
        forbid_empty: bool,
        unlisted_dropped: bool,
    ) -> Result<World, Refusal> {
        self.check_columns(unlisted_dropped)?;
        let quasi_attributes: Vec<&Attribute> =
            self.attributes.iter().filter(|attribute| attribute.role == "quasi").collect();
        if quasi_attributes.is_empty() {
            return refuse("no quasi-identifier");
        }
        let mut quasi = Vec::new();
        let mut builders = Vec::new();
        for attribute in &quasi_attributes {
            let position = self.public.position(&attribute.public_column)?;
            let values: Vec<String> = self.public.rows.iter().map(|row| row[position].clone()).collect();
            let file = attribute.hierarchy.as_deref().unwrap_or_default();
            let occurring: Vec<&String> = values.iter().collect();
            let builder = hierarchy::read(&folder.join(file))?.settled(attribute.base, &occurring);
            if attribute.kind != Some(Kind::Category) {
                let mut texts = occurring.clone();
                if let Some(private) = &self.private {
                    let position = private.position(&attribute.private_column)?;
                    texts.extend(private.rows.iter().map(|row| &row[position]));
                }
                labels::one_text(&attribute.name, &texts)?;
            }
            let kind = labels::kind(&builder, attribute.kind, attribute.base, &values);
            let read = labels::quasi(&attribute.name, &builder, kind, attribute.base, &values)?;
            if let Some(level) = attribute.borders
                && (kind == Kind::Category || level < read.base || level >= read.top())
            {
                return refuse(format!("{}: no range ends at labels of level {level}", attribute.name));
            }
            let read = Quasi { terms: attribute.terms, borders: attribute.borders, ..read };
            meaning::check_texts(&read)?;
            quasi.push(read);
            builders.push(builder);
        }
        self.compare_persons(&quasi_attributes, &quasi, &builders)?;
        let published = self.published(folder)?;
        let columns = self.columns();
        let public = self.public_rows(&quasi_attributes, &quasi)?;
        let private = self.private_rows(&quasi_attributes, &quasi, &builders, &published)?;
        Ok(World { quasi, public, private, columns, delta, least, forbid_empty })
    }

    /// Where one row of each person counts, T and P count a person with the same leaves.
    fn compare_persons(
        &self,
        attributes: &[&Attribute],
        quasi: &[Quasi],
        builders: &[Builder],
    ) -> Result<(), Refusal> {
        let Some(private) = &self.private else { return Ok(()) };
        let same = |member: &[String], row: &[String]| {
            for ((attribute, quasi), builder) in attributes.iter().zip(quasi).zip(builders) {
                let text = &member[private.position(&attribute.private_column)?];
                let leaf = labels::private_leaf(quasi, builder, text)?;
                if leaf != row[self.public.position(&attribute.public_column)?] {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        for attribute in self.attributes.iter().filter(|attribute| attribute.role == "identifier") {
            let counts_one = matches!(attribute.rows, persons::Rows::Distinct | persons::Rows::FirstBy(_));
            if counts_one && self.public.header.contains(&attribute.public_column) {
                persons::compare(
                    (private, &attribute.private_column),
                    (&self.public, &attribute.public_column),
                    &same,
                )?;
            }
        }
        Ok(())
    }

    /// The columns that only T has and that have a hierarchy over T's values, with the level of a
    /// release.
    fn published(&self, folder: &Path) -> Result<Vec<(String, Builder, usize)>, Refusal> {
        let mut published = Vec::new();
        let has_one = |attribute: &&Attribute| attribute.role != "quasi" && attribute.hierarchy.is_some();
        for attribute in self.attributes.iter().filter(has_one) {
            let column = self.private_column(attribute);
            let position = self.private().position(column)?;
            let values: Vec<String> = self.private().rows.iter().map(|row| row[position].clone()).collect();
            let occurring: Vec<&String> = values.iter().collect();
            let file = attribute.hierarchy.as_deref().unwrap_or_default();
            let builder = hierarchy::read(&folder.join(file))?.settled(0, &occurring);
            let kind = labels::kind(&builder, None, 0, &values);
            let top = labels::quasi(&attribute.name, &builder, kind, 0, &values)?.top();
            if attribute.publish > top {
                return refuse(format!("{}: there is no level {}", attribute.name, attribute.publish));
            }
            published.push((column.to_owned(), builder, attribute.publish));
        }
        Ok(published)
    }

    /// Checks that every named column exists and that P lacks the kept columns. The project must
    /// name every column of T, unless it drops unlisted columns.
    fn check_columns(&self, unlisted_dropped: bool) -> Result<(), Refusal> {
        let private = self.private();
        for (nth, attribute) in self.attributes.iter().enumerate() {
            let column = self.private_column(attribute);
            private.position(column)?;
            if self.attributes[..nth].iter().any(|other| self.private_column(other) == column) {
                return refuse(format!("two attributes name {column:?}"));
            }
            let is_public = self.public.header.contains(&attribute.public_column);
            if ["sensitive", "insensitive"].contains(&attribute.role.as_str()) && is_public {
                return refuse(format!("{column:?} is known from P"));
            }
        }
        for column in &private.header {
            let listed = self.attributes.iter().any(|attribute| self.private_column(attribute) == column);
            let is_of_public = [&self.count, &self.member].into_iter().flatten().any(|other| other == column);
            let listed = listed || (self.private.is_none() && is_of_public);
            if !listed && !unlisted_dropped {
                return refuse(format!("no attribute lists {column:?}"));
            }
        }
        Ok(())
    }

    /// The columns of a release, in T's order.
    fn columns(&self) -> Vec<(String, Written)> {
        let (mut columns, mut kept) = (Vec::new(), 0);
        for column in &self.private().header {
            let mut quasi = 0;
            for attribute in &self.attributes {
                if self.private_column(attribute) == column {
                    match attribute.role.as_str() {
                        "quasi" => columns.push((column.clone(), Written::Quasi(quasi))),
                        "identifier" | "withheld" => (),
                        _ => {
                            columns.push((column.clone(), Written::Kept(kept)));
                            kept += 1;
                        }
                    }
                }
                quasi += usize::from(attribute.role == "quasi");
            }
        }
        columns
    }

    /// Removes rows with a count of zero.
    fn leave_out_nobody(&mut self) -> Result<(), Refusal> {
        let mut rows = Vec::new();
        for row in &self.public.rows {
            if let Some(member) = &self.member {
                self.is_member(&row[self.public.position(member)?])?;
            }
            if self.people_of(row)? > 0 {
                rows.push(row.clone());
            }
        }
        self.public.rows = rows;
        if self.public.rows.is_empty() { refuse("nobody in P") } else { Ok(()) }
    }

    /// Leaves out rows that repeat a person, and refuses rows of which the project does not say what
    /// they are.
    fn count_persons(
        &mut self,
        person: Option<&(String, persons::Rows)>,
        unlisted_dropped: bool,
    ) -> Result<(), Refusal> {
        use persons::Rows;
        let identifiers: Vec<&Attribute> =
            self.attributes.iter().filter(|attribute| attribute.role == "identifier").collect();
        let is_rule = |rows: &Rows| matches!(rows, Rows::Distinct | Rows::FirstBy(_));
        let rules = identifiers.iter().filter(|attribute| is_rule(&attribute.rows)).count();
        if rules + usize::from(person.is_some()) > 1 {
            return refuse("two columns say who is a person");
        }
        let is_named = |column: &String| identifiers.iter().any(|one| one.public_column == *column);
        if self.private.is_some() && person.is_some_and(|(column, _)| is_named(column)) {
            return refuse("`person` names an identifier of T");
        }
        let has_rule = rules > 0 || person.is_some_and(|(_, rows)| is_rule(rows));
        if has_rule && self.count.is_some() {
            return refuse("a row with a count is for several people");
        }
        if let Some((column, _)) = person {
            self.public.position(column)?;
        }
        let own = [&self.member].into_iter().flatten().cloned();
        let quasi = |is_public: bool| -> Vec<String> {
            let quasi = self.attributes.iter().filter(|attribute| attribute.role == "quasi");
            quasi
                .map(|attribute| {
                    if is_public {
                        attribute.public_column.clone()
                    } else {
                        self.private_column(attribute).to_owned()
                    }
                })
                .collect()
        };
        let kept = self
            .attributes
            .iter()
            .filter(|attribute| !["quasi", "identifier"].contains(&attribute.role.as_str()));
        let kept: Vec<String> = kept.map(|attribute| self.private_column(attribute).to_owned()).collect();
        let mut of_public: Vec<String> = quasi(true).into_iter().chain(own).collect();
        let of_private: Vec<String> = quasi(false).into_iter().chain(kept.iter().cloned()).collect();
        if self.private.is_none() {
            of_public.extend(kept);
        }
        let mut says_who =
            (self.private.is_none() && !unlisted_dropped) || self.count.is_some() || person.is_some();
        // For each table: the column, what its rows are, and whether the project names it.
        let mut in_public: Vec<(String, Rows)> =
            person.into_iter().map(|(column, rows)| (column.clone(), rows.clone())).collect();
        let mut in_private = Vec::new();
        for attribute in identifiers {
            let shares = self.public.header.contains(&attribute.public_column);
            let rows = match &attribute.rows {
                Rows::Shared { has_reason: false } if shares => Rows::Unsaid,
                rows => rows.clone(),
            };
            says_who |= shares && !matches!(attribute.rows, Rows::Shared { .. });
            let order = |column: &String, is_public: bool| {
                let named = self.attributes.iter().find(|other| other.name == *column);
                named.map_or(column.clone(), |named| {
                    if is_public {
                        named.public_column.clone()
                    } else {
                        self.private_column(named).to_owned()
                    }
                })
            };
            let of = |is_public: bool| match &rows {
                // T has one row of each person if only P has the column.
                Rows::FirstBy(column)
                    if !is_public && shares && !self.private().header.contains(&order(column, false)) =>
                {
                    Rows::Unsaid
                }
                Rows::FirstBy(column) => Rows::FirstBy(order(column, is_public)),
                rows => rows.clone(),
            };
            let is_counted = self.count.is_some();
            if shares && !is_counted {
                in_public.push((attribute.public_column.clone(), of(true)));
            }
            if self.private.is_some() {
                in_private.push((self.private_column(attribute).to_owned(), of(false)));
            }
        }
        in_public.sort_by_key(|(_, rows)| !is_rule(rows));
        in_private.sort_by_key(|(_, rows)| !is_rule(rows));
        for (column, rows) in in_public {
            persons::settle(&mut self.public, &column, &rows, &of_public)?;
        }
        if let Some(private) = &mut self.private {
            for (column, rows) in in_private {
                persons::settle(private, &column, &rows, &of_private)?;
            }
        }
        if !says_who {
            let mut named: Vec<&String> =
                self.attributes.iter().map(|attribute| &attribute.public_column).collect();
            named.extend(&self.member);
            persons::refuse_likely(&self.public, &of_public, &named)?;
        }
        Ok(())
    }

    /// Replaces the dates of both tables by days.
    fn read_dates(&mut self) -> Result<(), Refusal> {
        for attribute in &self.attributes {
            let [public, private] = &attribute.dates;
            if self.private.is_none() && attribute.has_tables {
                return refuse("T is part of P, and is read as P");
            }
            if let Some(pattern) = public.as_ref().filter(|_| attribute.role == "quasi") {
                let position = self.public.position(&attribute.public_column)?;
                for row in &mut self.public.rows {
                    row[position] = pattern.day(&row[position])?;
                }
            }
            if let (Some(pattern), Some(table)) = (private, &mut self.private) {
                let position = table.position(&attribute.private_column)?;
                for row in &mut table.rows {
                    row[position] = pattern.day(&row[position])?;
                }
            }
        }
        Ok(())
    }

    fn is_member(&self, text: &str) -> Result<bool, Refusal> {
        if self.member_texts.is_empty() {
            return tables::member(text);
        }
        Ok(self.member_texts.iter().any(|known| known == text))
    }

    fn people_of(&self, row: &[String]) -> Result<u128, Refusal> {
        match &self.count {
            Some(column) => {
                let text = &row[self.public.position(column)?];
                match self.count_texts.iter().find(|(known, _)| known == text) {
                    Some((_, people)) => Ok(*people),
                    None => tables::count(text),
                }
            }
            None => Ok(1),
        }
    }

    fn public_rows(&self, attributes: &[&Attribute], quasi: &[Quasi]) -> Result<Vec<PublicRow>, Refusal> {
        let mut rows = Vec::new();
        for row in &self.public.rows {
            let mut leaves = Vec::new();
            for (attribute, quasi) in attributes.iter().zip(quasi) {
                let text = &row[self.public.position(&attribute.public_column)?];
                if !quasi.leaves.contains(text) {
                    return refuse(format!("{text:?} is no leaf"));
                }
                leaves.push(text.clone());
            }
            rows.push(PublicRow { leaves, people: self.people_of(row)? });
        }
        if rows.iter().map(|row| row.people).sum::<u128>() >= 1 << 63 {
            return refuse("too many people in P");
        }
        Ok(rows)
    }

    fn private_rows(
        &self,
        attributes: &[&Attribute],
        quasi: &[Quasi],
        builders: &[Builder],
        published: &[(String, Builder, usize)],
    ) -> Result<Vec<PrivateRow>, Refusal> {
        let table = self.private();
        let mut rows = Vec::new();
        let mut seen: Vec<Vec<String>> = vec![Vec::new(); self.attributes.len()];
        for row in &table.rows {
            let people = if let Some(member) = &self.member {
                if !self.is_member(&row[table.position(member)?])? {
                    continue;
                }
                self.people_of(row)?
            } else {
                1
            };
            let mut leaves = Vec::new();
            for ((attribute, quasi), builder) in attributes.iter().zip(quasi).zip(builders) {
                let text = &row[table.position(self.private_column(attribute))?];
                leaves.push(labels::private_leaf(quasi, builder, text)?);
            }
            let mut kept = Vec::new();
            for (name, written) in self.columns() {
                if matches!(written, Written::Kept(_)) {
                    let text = &row[table.position(&name)?];
                    kept.push(match published.iter().find(|(column, ..)| *column == name) {
                        None => text.clone(),
                        Some((_, builder, level)) => builder
                            .raise(text, 0, *level)
                            .ok_or_else(|| Refusal(format!("{text:?} has no level {level}")))?,
                    });
                }
            }
            for (nth, attribute) in self.attributes.iter().enumerate() {
                let value = &row[table.position(self.private_column(attribute))?];
                let shares = self.public.header.contains(&attribute.public_column);
                let says = match attribute.rows {
                    persons::Rows::Shared { has_reason } => has_reason || !shares,
                    _ => attribute.rows != persons::Rows::Unsaid,
                };
                let asks = attribute.role == "identifier" && !says;
                if !asks || value.trim().is_empty() {
                    continue;
                }
                if people > 1 || seen[nth].contains(value) {
                    return refuse(format!("identifier {value:?} twice"));
                }
                seen[nth].push(value.clone());
            }
            rows.push(PrivateRow { leaves, kept, people });
        }
        let people: u128 = rows.iter().map(|row| row.people).sum();
        if people == 0 || people > 4_294_967_295 {
            return refuse(format!("{people} people in T"));
        }
        Ok(rows)
    }
}

/// How many people of T and of P have these leaves.
fn people_with(world: &World, leaves: &[String]) -> (u128, u128) {
    let private = world.private.iter().filter(|other| other.leaves == leaves).map(|other| other.people);
    let public = world.public.iter().filter(|other| other.leaves == leaves).map(|other| other.people);
    (private.sum(), public.sum())
}

/// Removes everybody of T with a combination that T has more often than P.
fn drop_strangers(world: &mut World) -> Result<(), Refusal> {
    let is_known = |row: &&PrivateRow| {
        let (private, public) = people_with(world, &row.leaves);
        private <= public
    };
    let left: Vec<PrivateRow> = world.private.iter().filter(is_known).cloned().collect();
    world.private = left;
    if world.private.is_empty() { refuse("nobody of T is left") } else { Ok(()) }
}

/// Refuses the project if T has more people of a combination than P.
fn check_subset(world: &World) -> Result<(), Refusal> {
    for row in &world.private {
        let (private, public) = people_with(world, &row.leaves);
        if private > public {
            return refuse(format!("{:?}: {private} people of T, {public} of P", row.leaves));
        }
    }
    Ok(())
}
