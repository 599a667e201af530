//! The cautions of a project. They hold for every release of it.

use super::delta::{looser_delta, outsiders, weak_delta};
use super::same_people::{copies, other_people};
use super::words::capitalized;
use super::{Caution, Key, LastBirth, Surroundings};
use crate::history::Moment;
use crate::pipeline::{self, Betrayals, CautionBasis, PipelineError, SafeHarborNote, UniqueColumn};
use palmtop_core::progress::Meter;
use palmtop_core::words::count;
use palmtop_measure::betrayal::Betrayal;
use palmtop_project::{Law, Project};
use palmtop_tables::alike::AlikeIdentifiers;

/// The cautions of a project, with the facts from which the cautions of its releases follow.
#[derive(Clone, Debug, Default)]
pub struct ProjectCautions {
    /// The cautions under the δ of the problem, in the order of [`Key::ALL`].
    pub list: Vec<Caution>,
    /// The published columns that reveal a quasi-identifier.
    pub betrayals: Betrayals,
    /// The published columns and levels that are fine in a way that HIPAA's Safe Harbor lists, too.
    pub safe_harbor: Vec<SafeHarborNote>,
    /// The quasi-identifiers among them: their levels could publish such values.
    pub fine_levels: Vec<String>,
    /// Whether the project names HIPAA as its law; only words depend on it.
    pub names_hipaa: bool,
    /// Whether people have several rows.
    pub of_people: bool,
    /// The last births of P.
    pub births: Vec<LastBirth>,
}

impl ProjectCautions {
    /// Adds the cautions about earlier releases and other sittings, and about births after the day of the release.
    #[must_use]
    pub fn with_surroundings(mut self, surroundings: &Surroundings) -> Self {
        let made = surroundings.made.clone().unwrap_or_else(Moment::now);
        self.list.extend(self.births.iter().filter_map(|birth| birth.caution(&made)));
        self.list.extend(surroundings.cautions(self.of_people));
        super::sort(&mut self.list);
        self
    }
}

/// Finds the cautions of a project under the δ of its problem. This reads T again for its published columns; the meter counts
/// the bytes.
///
/// If people have several rows, one row of each person is compared to find what a published column reveals. The people of P who then
/// fit a row are not counted, because an attacker knows a person by all of the person's rows.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again, has changed since it was loaded, or the meter stops the work.
pub fn of_project<'a>(
    basis: impl Into<CautionBasis<'a>>,
    meter: &mut Meter,
) -> Result<ProjectCautions, PipelineError> {
    let analysis = basis.into().analysis();
    let delta = analysis.problem().delta();
    let notes = analysis.notes();
    let mut list: Vec<Caution> = weak_delta(delta).into_iter().collect();
    list.extend(analysis.project().looser(delta).map(|project| looser_delta(delta, project)));
    list.extend(outsiders(notes.dropped(), notes.added()));
    let of_people = analysis.problem().people().is_some();
    if !of_people {
        list.extend(notes.count_like.iter().map(|column| count_like(column)));
        list.extend(notes.doubled.map(doubled_public));
        list.extend(analysis.alike_identifiers().iter().map(alike_identifiers));
    }
    list.extend(pipeline::other_people::of_project(analysis, meter)?.iter().map(other_people));
    if notes.doubled.is_none() {
        list.extend(pipeline::copies::of_public(analysis, meter)?.iter().map(copies));
    }
    list.extend(super::missing_code::missing_codes(analysis));
    list.extend(undecided(analysis.project()));
    let betrayals = pipeline::betrayals::of_project(analysis, meter)?;
    list.extend(named_alike(&pipeline::betrayals::named_alike(analysis), &betrayals));
    let safe_harbor = pipeline::safe_harbor::notes(analysis)?;
    let columns = (&pipeline::unique::columns(analysis, meter)?[..], safe_harbor.clone());
    list.extend(of_columns(analysis.project(), &betrayals, columns));
    super::sort(&mut list);
    let births = LastBirth::all(analysis);
    let quasi = analysis.problem().quasi();
    let fine = safe_harbor.iter().map(|note| &note.attribute);
    let fine = fine.filter(|name| quasi.iter().any(|quasi| quasi.name == **name));
    let fine_levels = fine.cloned().collect();
    let names_hipaa = names_hipaa(analysis.project());
    Ok(ProjectCautions { list, betrayals, safe_harbor, fine_levels, names_hipaa, of_people, births })
}

/// A column that reveals a quasi-identifier, and its cost for a release. The project's `accept` answers this caution.
pub(super) fn betrays(project: &Project, betrayal: &Betrayal, cost: &str) -> Caution {
    let cost = if cost.is_empty() { String::new() } else { format!(" {}.", capitalized(cost)) };
    let sentence = format!("{}.{cost}", betrayal.sentence());
    let remedy = format!("{}.", capitalized(&betrayal.remedy()));
    let attribute = project.attributes.iter().find(|attribute| attribute.name == betrayal.column);
    let accepted = attribute.and_then(|attribute| attribute.accepted.clone());
    let caution = Caution::new(Key::Betrays, sentence, remedy).with(betrayal.figure());
    Caution { accepted, ..caution.about(&betrayal.column) }
}

/// Published columns with nearly the name of a column of P. Columns that are already known to reveal something are left out.
fn named_alike(found: &[(String, String)], betrayals: &Betrayals) -> Vec<Caution> {
    let known = betrayals.columns();
    let caution = |(column, public): &(String, String)| {
        let sentence = format!(
            "`{column}` is published. Except for case and separators, it has the same name as column `{public}` of the public table: an \
             attacker who knows `{public}` may find people by it."
        );
        let remedy = format!(
            "Make `{column}` a quasi-identifier (`role = \"quasi\"`, `public_column = \"{public}\"`, and a hierarchy), or withhold it \
             (`role = \"withheld\"`)."
        );
        Caution::new(Key::NamedAlike, sentence, remedy).about(column)
    };
    found.iter().filter(|(column, _)| !known.contains(&column.as_str())).map(caution).collect()
}

/// The cautions of published columns other than quasi-identifiers, and of fine levels.
fn of_columns(
    project: &Project,
    betrayals: &Betrayals,
    (unique, notes): (&[UniqueColumn], Vec<SafeHarborNote>),
) -> Vec<Caution> {
    let of_people = project.entity().is_some();
    let cost = if of_people { NOT_COUNTED } else { "" };
    let betraying = betrayals.list().iter().map(|betrayal| betrays(project, betrayal, cost));
    let unique = unique.iter().map(|found| unique_column(found, of_people));
    betraying.chain(unique).chain(notes.iter().map(|note| safe_harbor(note, names_hipaa(project)))).collect()
}

/// The text instead of the cost of a betrayal if people have several rows.
const NOT_COUNTED: &str = "one row of each person was compared. The people of P who then fit are not counted, because people have several rows";

fn names_hipaa(project: &Project) -> bool {
    project.stated.law.contains(&Law::Hipaa)
}

/// The caution about a column that is published finely: a fact of the project or the file. Only the name of a law depends on
/// `[report] law`.
pub(super) fn safe_harbor(note: &SafeHarborNote, names_hipaa: bool) -> Caution {
    let (law, remedy) = if names_hipaa {
        (
            "Safe Harbor (HIPAA): ",
            "It is on the list of Safe Harbor: withhold the column or publish a coarser level.",
        )
    } else {
        ("", "If people can be recognized by it, withhold the column or publish a coarser level.")
    };
    let sentence = format!("{law}`{}`: {}.", note.attribute, note.text);
    Caution::new(Key::SafeHarbor, sentence, remedy).with(&note.text).about(&note.attribute)
}

fn undecided(project: &Project) -> impl Iterator<Item = Caution> {
    let attributes = project.attributes.iter().filter(|attribute| attribute.undecided);
    attributes.map(|attribute| undecided_role(&attribute.name))
}

fn undecided_role(name: &str) -> Caution {
    let sentence = format!("`{name}` is published, but nobody decided its role.");
    let remedy = format!("Decide the role of `{name}`, and write it in the project instead of `undecided`.");
    Caution::new(Key::Undecided, sentence, remedy).about(name)
}

fn count_like(column: &str) -> Caution {
    let sentence = format!(
        "The unused column `{column}` of the public table looks like a count: it has whole numbers, and the table has no duplicate rows."
    );
    let remedy = format!(
        "If it is the number of people for whom a row stands, set `count = \"{column}\"` and `counts = \"people\"` under [public]. Without these \
         lines, every presence is wrong."
    );
    Caution::new(Key::CountLike, sentence, remedy).about(column)
}

fn doubled_public(times: u64) -> Caution {
    let sentence = format!(
        "The public table has every row {times} times, or a multiple of that. If each person is in the table {times} times, every \
         presence is {times} times too low."
    );
    Caution::new(Key::DoubledPublic, sentence, "Remove the repeated rows of the public table.")
        .with(format!("{times} times"))
}

fn alike_identifiers(found: &AlikeIdentifiers) -> Caution {
    let AlikeIdentifiers { column, count: found, rows: [first, second] } = found;
    let (figure, differ) = match found {
        1 => ("1 identifier".to_owned(), "differs"),
        found => (format!("{} identifiers", count(*found)), "differ"),
    };
    let sentence = format!(
        "Column `{column}` of the private table: {figure} {differ} from another only by spaces, invisible characters, leading zeros, `+` or \
         `.0`, for example in {first} and {second}. If both identify one person, this person is counted twice."
    );
    Caution::new(Key::AlikeIdentifiers, sentence, "Write each identifier in only one way.")
        .with(figure)
        .about(column)
}

/// A column in which nearly every person or row has a different value; `of_people` if people have several rows.
fn unique_column(found: &UniqueColumn, of_people: bool) -> Caution {
    let UniqueColumn { column, values, alone } = found;
    let (alone, values) = (count(*alone), count(*values));
    let (are, rows) = if of_people {
        ("belong to only one person", "rows of this person")
    } else {
        ("occur only once", "row")
    };
    let sentence = format!(
        "`{column}` is published unchanged, and {alone} of its {values} values {are}. An attacker who knows such a value, or a part of \
         it, finds the {rows}."
    );
    Caution::new(Key::UniqueColumn, sentence, "Withhold the column, or declare it an identifier.")
        .with(format!("{alone} of {values} values"))
        .about(column)
}
