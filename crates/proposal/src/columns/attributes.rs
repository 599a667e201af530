//! The proposal itself: pairs, roles, values and hierarchies, in this order.

use std::collections::BTreeSet;

use crate::columns::pairs::{self, Pair};
use crate::columns::private_only;
use crate::columns::roles;
use crate::hierarchies::found::AtHand;
use crate::hierarchies::limit::{self, Occurring};
use crate::hierarchies::ready;
use crate::hierarchies::recipes;
use crate::people::persons;
use crate::sources::survey::{Column, Survey};
use crate::values::dirt::{self, Values};
use crate::values::reading::Reading;
use crate::words::{self, rows};
use crate::{
    Ambiguity, Choice, Decision, Decisions, DeltaOrigin, HierarchySource, NotInPublic, Proposal,
    ProposedAttribute, ProposedHierarchy,
};
use palmtop_core::located::{Located, Place};
use palmtop_core::model::{Level, Presence, Role};
use palmtop_core::words::names;
use palmtop_tables::hierarchies::build::{Recipe, ValueKind};
use palmtop_tables::read::TableSpec;
use palmtop_tables::reading::NumberForm;

/// The source of T: a separate table, or the rows of P that a column marks.
#[derive(Clone, Copy, Debug)]
pub enum Private<'a> {
    /// T is a separate table.
    Table(&'a Survey),
    /// T is a part of P, marked by this column. `None` looks for a column that may mark T.
    Member(Option<&'a str>),
}

/// The reason why nothing can be proposed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProposal {
    /// No column can mark T, or several columns can.
    #[error("{}: {found}; name the column with --member, or give T with --private", path.display())]
    NoMember {
        /// The path of P.
        path: std::path::PathBuf,
        /// The columns that were found.
        found: String,
    },
    /// T and P share no column.
    #[error("{} and {} share no column, by name or by values, so no column can be generalized; rename a column of one of them", private.display(), public.display())]
    NothingShared {
        /// The path of T.
        private: std::path::PathBuf,
        /// The path of P.
        public: std::path::PathBuf,
    },
    /// T and P share columns, but none would be generalized.
    #[error("{} and {} share {}, but their texts look like names or numbers of people, so none would be generalized; assign a role \
             if one describes people, such as `--role {}=quasi`", private.display(), public.display(), names(shared), shared[0])]
    NothingGeneralized {
        /// The path of T.
        private: std::path::PathBuf,
        /// The path of P.
        public: std::path::PathBuf,
        /// The columns of T that P has; at least one.
        shared: Vec<String>,
    },
}

impl Located for NoProposal {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::NoMember { path, found: _ } => vec![Place::of(path)],
            Self::NothingShared { private, public }
            | Self::NothingGeneralized { private, public, shared: _ } => {
                vec![Place::of(private), Place::of(public)]
            }
        }
    }
}

/// Proposes a project for two tables.
///
/// # Errors
/// [`NoProposal`] if no column marks the people of T, or T and P share no column to generalize.
pub fn propose(
    public: &Survey,
    private: Private,
    at_hand: &AtHand,
    decisions: &Decisions,
) -> Result<Proposal, NoProposal> {
    let mut ambiguities = Vec::new();
    let (pairs, member) = match private {
        Private::Table(private) => (pairs::pairs(public, private, decisions, &mut ambiguities), None),
        Private::Member(named) => {
            let named = decisions.member().or(named);
            let member = member(public, named, &mut ambiguities)?;
            let others = public.columns.iter().filter(|column| column.name != member);
            let pair = |column| Pair {
                private: column,
                public: Some(column),
                how: "P has it, and T is a part of P",
                doubts: Vec::new(),
                is_denied: false,
            };
            (others.map(pair).collect(), Some(member))
        }
    };
    let paired: BTreeSet<&str> = match private {
        Private::Table(_) => pairs.iter().filter_map(|pair| Some(pair.public?.name.as_str())).collect(),
        Private::Member(_) => BTreeSet::new(),
    };
    let marks = member.clone();
    let spare = public
        .columns
        .iter()
        .filter(|column| !paired.contains(column.name.as_str()) && Some(&column.name) != marks.as_ref());
    let may_count = |column: &&Column| words::may_name_count(&column.name) && roles::holds_counts(column);
    let maybe_count = spare.clone().find(may_count).map(|column| column.name.clone());
    let count = count(spare.clone(), decisions);
    let mut proposal = Proposal {
        public: public.files.clone(),
        private: match private {
            Private::Table(private) => Some(private.files.clone()),
            Private::Member(_) => None,
        },
        count_number: count_number(public, count.as_deref()),
        count,
        maybe_count,
        is_count_decided: false,
        member,
        person: None,
        candidates: Vec::new(),
        attributes: Vec::new(),
        ignored: Vec::new(),
        spare: Vec::new(),
        unreadable: Vec::new(),
        not_in_public: decisions.not_in_public().unwrap_or(NotInPublic::Refuse),
        delta: (Presence::ZERO, Presence::ONE),
        delta_origin: DeltaOrigin::Proposed,
        ambiguities,
        declared: None,
    };
    for pair in &pairs {
        if proposal.count.as_deref() == Some(&pair.private.name) {
            continue;
        }
        attribute(&mut proposal, pair, at_hand, decisions);
    }
    if proposal.attributes.iter().all(|attribute| attribute.role != Role::Quasi) {
        let path = proposal.public.name();
        let private = proposal.private.as_ref().map_or_else(|| path.clone(), TableSpec::name);
        let shared = pairs.iter().filter(|pair| pair.public.is_some());
        let shared: Vec<String> = shared.map(|pair| pair.private.name.clone()).collect();
        return Err(if shared.is_empty() {
            NoProposal::NothingShared { private, public: path }
        } else {
            NoProposal::NothingGeneralized { private, public: path, shared }
        });
    }
    if matches!(private, Private::Table(_)) {
        let left = spare.filter(|column| proposal.count.as_deref() != Some(&column.name));
        let left: Vec<&Column> = left.collect();
        proposal.spare = left.iter().map(|column| column.name.clone()).collect();
        proposal.ignored.extend(left.iter().map(|column| (column.name.clone(), "only P has it".to_owned())));
    }
    let unreadable = |column: &String| (column.clone(), "its type cannot be read as text".to_owned());
    proposal.ignored.extend(public.unreadable.iter().map(unreadable));
    let private = match private {
        Private::Table(private) => {
            proposal.unreadable.clone_from(&private.unreadable);
            Some(private)
        }
        Private::Member(_) => None,
    };
    proposal.candidates = persons::candidates(&proposal, public, private);
    proposal.decide_persons(decisions);
    Ok(proposal)
}

/// Finds the column that marks the people of T.
fn member(
    public: &Survey,
    named: Option<&str>,
    ambiguities: &mut Vec<Ambiguity>,
) -> Result<String, NoProposal> {
    let wrong = |found: String| NoProposal::NoMember { path: public.files.name(), found };
    if let Some(named) = named {
        let column = public.column(named).ok_or_else(|| wrong(format!("there is no column `{named}`")))?;
        return Ok(column.name.clone());
    }
    let looking: Vec<&Column> =
        public.columns.iter().filter(|column| roles::holds_memberships(column)).collect();
    let named: Vec<&&Column> = looking.iter().filter(|column| words::names_member(&column.name)).collect();
    let found = match (named.as_slice(), looking.as_slice()) {
        ([only], _) => only,
        ([], [only]) => *only,
        ([], []) => return Err(wrong("no column has yes or no in every row".to_owned())),
        _ => {
            let all: Vec<String> = looking.iter().map(|column| format!("`{}`", column.name)).collect();
            return Err(wrong(format!(
                "the columns {} have yes or no in every row, but only one can mark the people of T",
                all.join(", ")
            )));
        }
    };
    ambiguities.push(Ambiguity::of(
        &found.name,
        "it has yes or no in every row, and is proposed as the mark of T's people",
        "if another column marks them, name it with --member",
    ));
    Ok(found.name.clone())
}

/// Finds the column with numbers of people, by its name and its values, which must be whole numbers.
fn count<'a>(mut spare: impl Iterator<Item = &'a Column>, decisions: &Decisions) -> Option<String> {
    match decisions.count() {
        Some(decided) => decided.map(ToOwned::to_owned),
        None => spare
            .find(|column| words::names_count(&column.name) && roles::holds_counts(column))
            .map(|column| column.name.clone()),
    }
}

/// How the numbers of people are written, if they are not plain.
fn count_number(public: &Survey, count: Option<&str>) -> Option<NumberForm> {
    roles::count_column(public.column(count?)?)?.number
}

/// Proposes the attribute for one column of T.
fn attribute(proposal: &mut Proposal, pair: &Pair, at_hand: &AtHand, decisions: &Decisions) {
    let name = &pair.private.name;
    let RoleFound { role, reason, is_decided, names_people } =
        find_role(pair, decisions, &mut proposal.ambiguities);
    let has_table = proposal.private.is_some();
    let mut proposed = ProposedAttribute {
        name: name.clone(),
        public_column: pair.public.map(|column| column.name.clone()),
        private_column: has_table.then(|| name.clone()),
        role,
        kind: ValueKind::Category,
        readings: (Reading::default(), Reading::default()),
        missing_label: None,
        hierarchy: None,
        public_level: Level(0),
        limit: None,
        rows: None,
        undecided: pair.public.is_none() && role.is_kept() && !is_decided,
        resembles: if pair.is_denied {
            pair.doubts.iter().map(|column| column.name.clone()).collect()
        } else {
            Vec::new()
        },
        names_people,
        reason,
    };
    if let (Role::Quasi, Some(public)) = (role, pair.public) {
        quasi(proposal, &mut proposed, (public, has_table.then_some(pair.private)), at_hand, decisions);
    }
    proposal.attributes.push(proposed);
}

/// The role of one column of T.
struct RoleFound {
    role: Role,
    reason: String,
    /// Whether a person decided the role.
    is_decided: bool,
    /// Whether each value belongs to one person.
    names_people: bool,
}

/// The decided role, else the proposed one. The proposed role of a column that only T has is an open question.
fn find_role(pair: &Pair, decisions: &Decisions, ambiguities: &mut Vec<Ambiguity>) -> RoleFound {
    let name = &pair.private.name;
    let decided = decisions.role(name).filter(|role| pair.public.is_some() || *role != Role::Quasi);
    let declared = decisions.declared_role(name).filter(|_| decided.is_none() && pair.doubts.is_empty());
    if let Some((role, origin)) = declared.filter(|(role, _)| pair.may_be(*role)) {
        let shares = pair.public.is_none() && private_only::repeats(pair.private);
        let reason = format!("{}; {origin} has this role", pair.how);
        let (role, reason) = left_out((role, reason), shares);
        return RoleFound { role, reason, is_decided: true, names_people: false };
    }
    let Some(public) = pair.public else {
        let proposed = private_only::propose(pair.private, pair.how);
        let names_people = proposed.names_people;
        if let Some(role) = decided {
            let is_decided = !(pair.is_denied && role.is_kept());
            if !is_decided {
                ambiguities.push(pairs::published_all_the_same(name, &pair.doubts));
            }
            let shares = private_only::repeats(pair.private) && !names_people;
            let (role, reason) = left_out((role, decided_by(decisions, name)), shares);
            return RoleFound { role, reason, is_decided, names_people };
        }
        if !pair.doubts.is_empty() && !names_people {
            ambiguities.push(if pair.is_denied {
                pairs::denied(pair.private, &pair.doubts)
            } else {
                pairs::in_doubt(pair.private, &pair.doubts)
            });
            let reason = "P may have it under another name; it is withheld until you decide".to_owned();
            return RoleFound { role: Role::Withheld, reason, is_decided: false, names_people };
        }
        ambiguities.push(private_only::question(pair.private, &proposed));
        return RoleFound { role: proposed.role, reason: proposed.reason, is_decided: false, names_people };
    };
    let (role, reason) = match decided {
        Some(role) => (role, decided_by(decisions, name)),
        None => roles::role(pair.private, public, pair.how, ambiguities),
    };
    RoleFound { role, reason, is_decided: decided.is_some(), names_people: false }
}

/// The reason for a decided role.
fn decided_by(decisions: &Decisions, name: &str) -> String {
    let is_it =
        |decision: &Decision| matches!(decision, Decision::Role { attribute, .. } if attribute == name);
    decisions.reason(is_it).to_owned()
}

/// An identifier whose values people share identifies nobody: it is withheld.
fn left_out((role, reason): (Role, String), shares: bool) -> (Role, String) {
    if role == Role::Identifier && shares {
        (Role::Withheld, format!("{reason}; people share its values, so it identifies nobody"))
    } else {
        (role, reason)
    }
}

/// The proposal for the values of a quasi-identifier.
fn quasi(
    proposal: &mut Proposal,
    proposed: &mut ProposedAttribute,
    (public, private): (&Column, Option<&Column>),
    at_hand: &AtHand,
    decisions: &Decisions,
) {
    let name = proposed.name.clone();
    let values = dirt::values(&name, (public, private), decisions, &mut proposal.ambiguities);
    let texts = canonical(public, &values.public);
    let (hierarchy, kind) = match &values.private.bands {
        Some(bands) => {
            proposed.public_level = Level(1);
            let source = HierarchySource::Built(bands.recipe());
            let reason = "built: P's bands".to_owned();
            (ProposedHierarchy { source, reason, has_labels: true }, values.kind)
        }
        None => hierarchy(&name, &values, (public, &texts), (at_hand, decisions)),
    };
    if let (HierarchySource::Ready(ready), None) = (&hierarchy.source, decisions.hierarchy(&name)) {
        proposal.ambiguities.extend(ready::question(ready, &name, texts.len()));
    }
    if let Some(private) = private {
        only_private((public, private), (&values, kind), &hierarchy, (at_hand, decisions), proposal, &name);
    }
    let is_unknown = |column: &Column| column.texts.keys().any(|text| text.trim() == "unknown");
    let lacks = !values.public.missing.is_empty();
    proposed.missing_label =
        (lacks && (is_unknown(public) || private.is_some_and(is_unknown))).then_some("no value");
    proposed.reason = format!("{}; {}", proposed.reason, values.reason);
    proposed.kind = kind;
    let tree = limit::tree(&hierarchy.source, kind, &texts, at_hand);
    let occurring = Occurring::of(public, &values.public, proposal.count.is_some());
    proposed.limit = Some(limit::propose((&name, kind), tree.as_ref(), &occurring, decisions));
    proposed.hierarchy = Some(hierarchy);
    proposed.readings = (values.public, values.private);
}

/// The values of a column, in ascending order.
pub(crate) fn canonical(column: &Column, reading: &Reading) -> Vec<String> {
    let texts: BTreeSet<String> = column.texts.keys().filter_map(|text| reading.canonical(text)).collect();
    texts.into_iter().collect()
}

/// The hierarchy of P's values: the decided one, else one at hand, else a ready list, else a built one.
pub(crate) fn hierarchy(
    name: &str,
    values: &Values,
    (public, texts): (&Column, &[String]),
    (at_hand, decisions): (&AtHand, &Decisions),
) -> (ProposedHierarchy, ValueKind) {
    let decided =
        decisions.hierarchy(name).filter(|source| recipes::takes(source, values.kind, texts, at_hand));
    if let Some(source) = decided {
        let source = &current(source, values.kind, texts);
        let has_labels = match source {
            HierarchySource::Built(recipe) => recipe.has_labels(),
            source => at_hand.has_labels(source),
        };
        let reason = match source {
            HierarchySource::Imported(imported) => format!("from {}", imported.origin),
            _ => "by your decision".to_owned(),
        };
        return (ProposedHierarchy { source: source.clone(), reason, has_labels }, values.kind);
    }
    if let Some(found) = at_hand.fitting(name, values.kind, texts) {
        let source = found.candidate.source.clone();
        let has_labels = at_hand.has_labels(&source);
        let reason = all_or_nothing(found.reason, has_labels, texts.len());
        return (ProposedHierarchy { source, reason, has_labels }, values.kind);
    }
    let people = Occurring::of(public, &values.public, false).people;
    if let Some(ready) = ready::fitting(name, values.kind, &people) {
        let known = texts.len() - ready.lacking.len();
        let reason = format!("found by its values; it has {known} of {} values of P", texts.len());
        return (
            ProposedHierarchy { source: HierarchySource::Ready(ready), reason, has_labels: true },
            values.kind,
        );
    }
    let built = Recipe::build(texts.iter().map(String::as_str), values.kind, None);
    let (recipe, kind, reason) = match built {
        Ok(recipe) => {
            let reason = match recipe {
                Recipe::Bands(_) | Recipe::Cuts { .. } => "built: bands with round bounds over P's numbers",
                Recipe::Mask(_) | Recipe::Fives(_) => "built: codes of one length",
                Recipe::Days(_) => "built: levels of dates over P's days",
                Recipe::Flat => "built: no hierarchy has its name, and its values form no groups",
            };
            (recipe, values.kind, reason.to_owned())
        }
        // Codes with different lengths are categories.
        Err(error) => (Recipe::Flat, ValueKind::Category, format!("built flat: {error}")),
    };
    let has_labels = recipe.has_labels();
    let reason = all_or_nothing(reason, has_labels, texts.len());
    (ProposedHierarchy { source: HierarchySource::Built(recipe), reason, has_labels }, kind)
}

/// A decided hierarchy over P's present values.
fn current(source: &HierarchySource, kind: ValueKind, texts: &[String]) -> HierarchySource {
    match source {
        HierarchySource::Ready(list) => {
            ready::of(list.list, kind, texts).map_or_else(|| source.clone(), HierarchySource::Ready)
        }
        source => source.clone(),
    }
}

/// An attribute with this number of values, or fewer, needs no groups.
const FEW_VALUES: usize = 10;

/// Reports an attribute with many values and no level between the values and `*`.
fn all_or_nothing(reason: String, has_labels: bool, values: usize) -> String {
    if has_labels || values <= FEW_VALUES {
        return reason;
    }
    format!(
        "{reason}; it has no level between its {values} values and `*`: add groups of values on the hierarchies screen or in a file"
    )
}

/// Reports values of T that P does not have.
fn only_private(
    (public, private): (&Column, &Column),
    (values, kind): (&Values, ValueKind),
    hierarchy: &ProposedHierarchy,
    (at_hand, decisions): (&AtHand, &Decisions),
    proposal: &mut Proposal,
    name: &str,
) {
    let found = dirt::only_private(public, private, values);
    if found.values == 0 {
        return;
    }
    let texts = canonical(private, &values.private);
    let is_built = matches!(hierarchy.source, HierarchySource::Built(_));
    let is_taken = is_built || at_hand.hierarchy(&hierarchy.source, kind, &texts).is_some();
    let lacks = if is_taken { "" } else { "; its hierarchy lacks some of them, too, and `check` names them" };
    let ambiguity = Ambiguity::of(
        name,
        format!(
            "{} value(s) in {} row(s) of T are not in P (rows {}){lacks}",
            found.values,
            found.rows,
            rows(&found.first, found.rows)
        ),
        "correct mistakes in T or P; list a text for a missing value in `missing` of the attribute, and another spelling of a value \
         of P in `values`; P cannot hide people whom it does not have",
    );
    let choices =
        if decisions.leaves_strangers(name) { Vec::new() } else { stranger_choices(name, &found, kind) };
    proposal.ambiguities.push(Ambiguity { choices, ..ambiguity });
}

/// The possible answers for the most frequent values that P does not have. The answers do not show these values, so two values
/// in equally many rows, which nobody could tell apart, are no answers.
fn stranger_choices(name: &str, found: &dirt::OnlyPrivate, kind: ValueKind) -> Vec<Choice> {
    let leave = Choice {
        label: "leave them: P does not have these people, or the tables will be corrected".to_owned(),
        decision: Decision::UnmatchedValues { attribute: name.to_owned() },
    };
    // A day or a number is no word for a missing value.
    let may_be_words = matches!(kind, ValueKind::Category | ValueKind::Code);
    let is_told_apart =
        |(_, rows): &&(String, u64)| found.most.iter().filter(|(_, other)| other == rows).count() == 1;
    let missing =
        found.most.iter().filter(|_| may_be_words).filter(is_told_apart).map(|(text, rows)| Choice {
            label: format!("the value in {rows} row(s) means a missing value; the project names it"),
            decision: Decision::Missing { attribute: name.to_owned(), texts: vec![text.clone()] },
        });
    std::iter::once(leave).chain(missing).collect()
}
