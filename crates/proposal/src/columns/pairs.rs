//! Pairs each column of T with a column of P: by name, by name except for case and separators, or by values.

use std::collections::BTreeSet;

use crate::columns::kin::{self, Form};
use crate::columns::roles;
use crate::decision::NEVER;
use crate::sources::survey::{Column, Survey};
use crate::values::{reading, spelling};
use crate::words::{self, plain};
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_core::model::Role;
use palmtop_tables::likeness::{Likeness, Plain};

/// A column of T with its column in P, if any, and how the pair was found.
#[derive(Clone, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) private: &'a Column,
    pub(crate) public: Option<&'a Column>,
    pub(crate) how: &'static str,
    /// Columns of P that may be the same column, if none was chosen.
    pub(crate) doubts: Vec<&'a Column>,
    /// Whether the user decided that only T has the column, although P has such columns.
    pub(crate) is_denied: bool,
}

impl Pair<'_> {
    /// Whether the column can have a role: a column of P is not sensitive, and other columns are not quasi-identifiers.
    pub(crate) fn may_be(&self, role: Role) -> bool {
        match role {
            Role::Identifier | Role::Withheld => true,
            Role::Quasi => self.public.is_some(),
            Role::Sensitive | Role::Insensitive => self.public.is_none(),
        }
    }
}

/// A question describes at most this number of columns.
const MOST_NAMED: usize = 3;

/// Whether a name of T and a name of P are names of the same column.
type Alike = fn(&str, &str) -> bool;

/// Pairs T's columns with P's, in the order of T's columns.
pub(crate) fn pairs<'a>(
    public: &'a Survey,
    private: &'a Survey,
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let none =
        |private| Pair { private, public: None, how: "only T has it", doubts: Vec::new(), is_denied: false };
    for column in &private.columns {
        let decided = decisions.pair(&column.name);
        let found = match decided {
            Some(name) => name.and_then(|name| public.column(name)),
            None => public.column(&column.name),
        };
        let is_it = |decision: &Decision| matches!(decision, Decision::Pair { private, .. } if *private == column.name);
        let how = match decided {
            None => "both tables have it",
            Some(_) if decisions.is_accepted(is_it) => "both tables have it, as was proposed and accepted",
            Some(_) => "both tables have it, by your decision",
        };
        pairs.push(match found.filter(|found| taken.insert(&found.name)) {
            Some(found) => Pair { public: Some(found), how, ..none(column) },
            None => none(column),
        });
    }
    let is_open = |pair: &Pair| pair.public.is_none() && decisions.pair(&pair.private.name).is_none();
    let is_one = |private: &str, other: &str| plain(private) == plain(other);
    let names: [(Alike, &str); 2] = [
        (is_one, "both tables have it, under nearly the same name"),
        (words::mean_the_same, "both tables have it, under names with the same meaning"),
    ];
    for (is_alike, how) in names {
        for pair in pairs.iter_mut().filter(|pair| is_open(pair)) {
            let free = public.columns.iter().filter(|column| !taken.contains(column.name.as_str()));
            let alike: Vec<&Column> =
                free.filter(|column| is_alike(&pair.private.name, &column.name)).collect();
            if let [only] = alike[..] {
                taken.insert(&only.name);
                (pair.public, pair.how) = (Some(only), how);
                if !is_one(&pair.private.name, &only.name) {
                    ambiguities.push(taken_for(pair.private, only, "Its name means the same"));
                }
            }
        }
    }
    by_values(public, &mut pairs, &mut taken, &is_open, ambiguities);
    unlike(public, &mut pairs, &taken, decisions);
    // A column that is never published needs no column of P.
    let is_left_out = |name: &String| decisions.role(name).is_some_and(Role::is_left_out);
    ambiguities.retain(|open| !open.attribute.as_ref().is_some_and(is_left_out));
    for pair in &mut pairs {
        if pair.public.is_none() && decisions.pair(&pair.private.name) == Some(None) {
            pair.doubts = resembling(public, pair.private, &taken);
            pair.is_denied = !pair.doubts.is_empty();
        }
    }
    pairs
}

/// The columns of P with the name of a column of T, except for case and separators, or with a name of the same meaning, and the
/// unpaired columns of P with most of its values. All columns of days have days in common, so the names of such columns must be
/// similar, too.
fn resembling<'a>(public: &'a Survey, private: &Column, taken: &BTreeSet<&str>) -> Vec<&'a Column> {
    let plain_private = private.plain();
    let has_name =
        |name: &str| plain(name) == plain(&private.name) || words::mean_the_same(name, &private.name);
    let has_values = |column: &Column| {
        let other = column.plain();
        let likeness = plain_private.likeness(&other);
        likeness == Likeness::Alike
            || (likeness == Likeness::Doubtful && !(plain_private.are_days() && other.are_days()))
    };
    let is_alike = |column: &&Column| {
        has_name(&column.name) || (!taken.contains(column.name.as_str()) && has_values(column))
    };
    public.columns.iter().filter(is_alike).collect()
}

/// The question about a column that only T has by the user's decision, although P has a similar column. It stays withheld.
pub(crate) fn denied(private: &Column, doubts: &[&Column]) -> Ambiguity {
    let column = private.name.as_str();
    let others = doubts.iter().map(|doubt| is_public(column, Some(private), doubt));
    let withhold = Choice::role(column, Role::Withheld, NEVER);
    let publish = Choice::role(
        column,
        Role::Sensitive,
        "publish it as it is (sensitive); the project marks it `undecided`",
    );
    Ambiguity {
        attribute: Some(column.to_owned()),
        what: format!(
            "you decided that only T has it, but {}; an attacker who knows P would find people by it, so it is withheld",
            has_the_same(doubts)
        ),
        remedy: format!(
            "`--role {column}=sensitive` publishes it; the project then marks it `undecided`, and an export asks about it"
        ),
        choices: std::iter::once(withhold).chain(others).chain([publish]).collect(),
    }
}

/// The question about a published column, although P has a similar column.
pub(crate) fn published_all_the_same(column: &str, doubts: &[&Column]) -> Ambiguity {
    Ambiguity::of(
        column,
        format!(
            "it is published by your decision, but {}; an attacker who knows P would find people by it",
            has_the_same(doubts)
        ),
        "withhold it (`role = \"withheld\"`) or make it a quasi-identifier; if it is another column, write its role instead of `undecided`",
    )
}

/// The columns of P that have the name or the values of a column, in words.
fn has_the_same(doubts: &[&Column]) -> String {
    let names: Vec<String> = doubts.iter().map(|column| format!("`{}`", column.name)).collect();
    let verb = if names.len() == 1 { "has" } else { "have" };
    format!(
        "P's {} {verb} nearly the same name, a name of the same meaning, or most of its values",
        names.join(", ")
    )
}

/// Pairs the remaining columns by their values. If several columns fit, or none fits for certain, the pair is in doubt.
fn by_values<'a>(
    public: &'a Survey,
    pairs: &mut [Pair<'a>],
    taken: &mut BTreeSet<&'a str>,
    is_open: &impl Fn(&Pair) -> bool,
    ambiguities: &mut Vec<Ambiguity>,
) {
    let free = public.columns.iter().filter(|column| !taken.contains(column.name.as_str()));
    let mut free: Vec<(&Column, Plain)> = free.map(|column| (column, column.plain())).collect();
    let forms: Vec<(&Column, Form)> = free.iter().map(|(column, _)| (*column, Form::of(column))).collect();
    for pair in pairs.iter_mut().filter(|pair| is_open(pair)) {
        let private = pair.private.plain();
        let of = |wanted: Likeness| -> Vec<&'a Column> {
            let alike = free.iter().filter(|(_, public)| private.likeness(public) >= wanted);
            alike.map(|(column, _)| *column).collect()
        };
        let alike = of(Likeness::Alike);
        if let [only] = alike[..]
            && !roles::may_be_case(pair.private, only)
        {
            taken.insert(&only.name);
            free.retain(|(column, _)| column.name != only.name);
            (pair.public, pair.how) = (Some(only), "a column of P has the same values under another name");
            ambiguities.push(taken_for(pair.private, only, "It has another name and the same values"));
            continue;
        }
        pair.doubts = of(Likeness::Doubtful);
        let form = Form::of(pair.private);
        let kin = forms
            .iter()
            .filter(|(column, public)| form.kin(public).is_some() && !taken.contains(column.name.as_str()));
        // The same in other words or units is likelier than a few common values.
        let kin: Vec<&Column> = kin.map(|(column, _)| *column).collect();
        pair.doubts.retain(|doubt| kin.iter().all(|column| column.name != doubt.name));
        pair.doubts.splice(0..0, kin);
        if words::names_age(&pair.private.name) {
            let births = free.iter().filter(|(_, public)| public.are_days());
            pair.doubts.extend(births.map(|(column, _)| *column));
        }
        pair.doubts.sort_by_key(|column| !words::share_a_word(&pair.private.name, &column.name));
    }
}

/// A pair by name whose columns have no value in common is in doubt if T's values are those of an unpaired column of P, or of
/// the same column in another unit.
fn unlike<'a>(public: &'a Survey, pairs: &mut [Pair<'a>], taken: &BTreeSet<&str>, decisions: &Decisions) {
    for pair in pairs.iter_mut().filter(|pair| decisions.pair(&pair.private.name).is_none()) {
        let Some(named) = pair.public else { continue };
        let plain = pair.private.plain();
        let is_unlike = plain.values().next().is_some() && !plain.shares_with(&named.plain());
        let form = Form::of(pair.private);
        if !is_unlike || matches!((&form, Form::of(named)), (Form::Sexes(_), Form::Sexes(_))) {
            continue;
        }
        let is_it = |column: &&Column| {
            form.kin(&Form::of(column)).is_some() || plain.likeness(&column.plain()) == Likeness::Alike
        };
        let free = public.columns.iter().filter(|column| !taken.contains(column.name.as_str()));
        let found: Vec<&Column> = free.chain([named]).filter(is_it).collect();
        if found.is_empty() {
            continue;
        }
        pair.doubts = found;
        if pair.doubts.iter().all(|doubt| doubt.name != named.name) {
            pair.doubts.push(named);
        }
        (pair.public, pair.how) = (None, "P has a column of its name without any of its values");
    }
}

/// The question about a column of P with another name that is paired with a column of T.
fn taken_for(private: &Column, public: &Column, why: &str) -> Ambiguity {
    let (column, other) = (private.name.as_str(), public.name.as_str());
    Ambiguity {
        attribute: Some(column.to_owned()),
        what: format!("is it P's column `{other}`? {why}"),
        remedy: format!("if it is another column, make `{column}` sensitive or delete it"),
        choices: choices(private, &[public]),
    }
}

/// The answers to the question which column of P a column of T is, in the order of every such question.
fn choices(private: &Column, doubts: &[&Column]) -> Vec<Choice> {
    let column = private.name.as_str();
    let others = doubts.iter().map(|doubt| is_public(column, Some(private), doubt));
    let never = Choice::role(column, Role::Withheld, NEVER);
    std::iter::once(never).chain(others).chain([is_private(column)]).collect()
}

/// The question about columns of P that may be the same as a column of T, which stays withheld.
pub(crate) fn in_doubt(private: &Column, doubts: &[&Column]) -> Ambiguity {
    let column = private.name.as_str();
    let form = Form::of(private);
    let named = doubts.iter().take(MOST_NAMED).map(|doubt| {
        let examples = kin::examples(doubt);
        let why = form.kin(&Form::of(doubt)).map_or_else(String::new, |kin| format!("; {}", kin.sentence()));
        format!("`{}` (such as {examples}{why})", doubt.name)
    });
    let named: Vec<String> = named.collect();
    let columns = if named.len() == 1 { "column" } else { "columns" };
    let more = doubts.len() - named.len();
    let more = if more == 0 { String::new() } else { format!(" or {more} more") };
    Ambiguity {
        attribute: Some(column.to_owned()),
        what: format!(
            "is it P's {columns} {}{more}? Then an attacker who knows P would find people by it",
            named.join(" or ")
        ),
        remedy: "if so, write `role = \"quasi\"` with `public_column` and a hierarchy; if not, `role = \"sensitive\"` publishes it \
                 unchanged"
            .to_owned(),
        choices: choices(private, doubts),
    }
}

/// The choice of a column of P, with the words of T that mean its values.
pub(crate) fn is_public(column: &str, private: Option<&Column>, public: &Column) -> Choice {
    let other = &public.name;
    let decision = Decision::Pair { private: column.to_owned(), public: Some(other.clone()) };
    let mapped = private.map(|private| spelling::words(public, private)).unwrap_or_default();
    let factor = private.and_then(|private| Form::of(private).kin(&Form::of(public))?.factor());
    let label = match factor {
        Some(factor) => {
            format!("it is P's {other}: multiply T's by {factor} in its file, then begin again")
        }
        None if mapped.is_empty() => format!("it is P's {other}"),
        None => format!("it is P's {other}: {}", reading::mapping(&mapped)),
    };
    Choice { label, decision }
}

pub(crate) fn is_private(column: &str) -> Choice {
    let decision = Decision::Pair { private: column.to_owned(), public: None };
    Choice { label: "only T has it".to_owned(), decision }
}
