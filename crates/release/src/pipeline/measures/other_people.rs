//! Members of T who are other people in P, by an identifier that both tables have.
//!
//! T is a part of P, so P has each member under the same identifier, with the same quasi-identifiers.
//! The join holds the identifiers of T, and reads P once.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pipeline::read::persons::{column_of, identified};
use crate::pipeline::rows::find;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::Code;
use palmtop_core::progress::Meter;
use palmtop_project::{Attribute, Repeated};
use palmtop_tables::encode::Whose;
use palmtop_tables::read::number_of;

/// An identifier of both tables under which they disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPeople {
    /// The name of the identifier.
    pub identifier: String,
    /// The members with such an identifier whose quasi-identifiers somebody of P has.
    pub members: u64,
    /// The members who have other quasi-identifiers in P.
    pub differing: u64,
    /// The quasi-identifiers in which members differ, each with its members.
    pub columns: Vec<(String, u64)>,
    /// The members whose identifier P lacks.
    pub absent: u64,
}

/// A quasi-identifier of matched rows: how often both values are equal, and how often each occurs.
#[derive(Default)]
struct Agreement {
    equal: u64,
    private: FxHashMap<Option<Code>, u64>,
    public: FxHashMap<Option<Code>, u64>,
}

impl Agreement {
    fn add(&mut self, private: Option<Code>, public: Option<Code>, rows: u64) {
        self.equal += if private == public { rows } else { 0 };
        *self.private.entry(private).or_default() += rows;
        *self.public.entry(public).or_default() += rows;
    }

    /// Whether more values are equal than in two columns that have nothing to do with each other.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn is_no_chance(&self) -> bool {
        let rows = self.private.values().sum::<u64>() as f64;
        let both = self.private.iter().map(|(code, private)| {
            let public = self.public.get(code).copied().unwrap_or(0);
            *private as f64 * public as f64 / rows
        });
        let chance: f64 = both.sum();
        self.equal as f64 > chance + 3.0 * (chance * (1.0 - chance / rows)).max(0.0).sqrt() + 1.0
    }
}

/// The identifiers of both tables under which they disagree. Identifiers of which no quasi-identifier
/// agrees more often than by chance number other things in P, and are left out.
///
/// Nothing is compared if T is part of P, if P has counts or comes from a database, if people have
/// several rows, or if people share the identifier.
///
/// # Errors
/// A [`PipelineError`] if a table cannot be read or has changed, or if the meter stops the reading.
pub fn of_project(analysis: &Analysis, meter: &mut Meter) -> Result<Vec<OtherPeople>, PipelineError> {
    let project = &analysis.project;
    let has_no_rows = project.count_column().is_some() || project.public.source.is_some();
    if project.member().is_some() || has_no_rows || project.entity().is_some() {
        return Ok(Vec::new());
    }
    let is_compared = |attribute: &Attribute, repeated: &Repeated| {
        !matches!(repeated, Repeated::Shared(_))
            && analysis.public.has(&attribute.public_column)
            && analysis.public.is_readable(&attribute.public_column)
            && analysis.private.is_readable(project.private_column(attribute))
    };
    let mut found = Vec::new();
    for (attribute, repeated) in project.identifiers() {
        if is_compared(attribute, repeated) {
            found.extend(compared(analysis, attribute, meter)?);
        }
    }
    Ok(found)
}

/// A member, and the rows of P with the same identifier.
struct Member {
    /// The codes of the quasi-identifiers.
    codes: Vec<Option<Code>>,
    /// The rows of P with the same codes.
    equal: u64,
    /// The codes of the other rows.
    others: Vec<Vec<Option<Code>>>,
}

impl Member {
    /// Whether P has the identifier, and never with the member's value of this quasi-identifier.
    fn differs_in(&self, quasi: usize) -> bool {
        let differs = |other: &Vec<Option<Code>>| other[quasi] != self.codes[quasi];
        self.equal == 0 && !self.others.is_empty() && self.others.iter().all(differs)
    }

    fn is_absent(&self) -> bool {
        self.equal == 0 && self.others.is_empty()
    }
}

fn compared(
    analysis: &Analysis,
    attribute: &Attribute,
    meter: &mut Meter,
) -> Result<Option<OtherPeople>, PipelineError> {
    let project = &analysis.project;
    let columns = |whose| -> Vec<&str> {
        let quasi = project.quasi().map(|(quasi, _)| column_of(project, quasi, whose));
        std::iter::once(column_of(project, attribute, whose)).chain(quasi).collect()
    };
    let of = identified(project, project.private_column(attribute), Whose::Private);
    let quasi = project.quasi().count();
    let mut members: FxHashMap<String, Member> = FxHashMap::default();
    let cells = analysis.encoder.cells(Whose::Private);
    find::visit_loaded(analysis, &analysis.private, &columns(Whose::Private), meter, &mut |_, texts| {
        let codes = (0..quasi).map(|nth| cells.code(nth, texts[nth + 1])).collect();
        if of.has(texts[0]) {
            members.insert(texts[0].to_owned(), Member { codes, equal: 0, others: Vec::new() });
        }
        Ok(())
    })?;
    let cells = analysis.encoder.cells(Whose::Public);
    let numbers = members.keys().map(|identifier| number_of(identifier)).collect();
    find::visit_loaded_where(analysis, &columns(Whose::Public), &numbers, meter, &mut |_, texts| {
        let Some(member) = members.get_mut(texts[0]) else { return Ok(()) };
        let codes: Vec<Option<Code>> = (0..quasi).map(|nth| cells.code(nth, texts[nth + 1])).collect();
        if codes == member.codes {
            member.equal += 1;
        } else {
            member.others.push(codes);
        }
        Ok(())
    })?;
    if members.values().all(|member| member.equal > 0) {
        return Ok(None);
    }
    // Other cautions tell of members whom P lacks by their quasi-identifiers.
    let (histogram, outsiders) = (analysis.problem.histogram(), &analysis.notes.outsiders);
    let added = outsiders.iter().flat_map(|outsiders| &outsiders.added);
    let added: FxHashSet<&[Code]> = added.map(|(codes, _)| codes.as_slice()).collect();
    members.retain(|_, member| {
        let combination: Option<Vec<Code>> = member.codes.iter().copied().collect();
        combination.is_some_and(|codes| histogram.find(&codes).is_some() && !added.contains(codes.as_slice()))
    });
    let all = || members.values();
    let is_no_chance = |nth: usize| {
        let mut agreement = Agreement::default();
        all().for_each(|member| {
            let code = member.codes[nth];
            if member.equal > 0 {
                agreement.add(code, code, member.equal);
            }
            member.others.iter().for_each(|other| agreement.add(code, other[nth], 1));
        });
        agreement.is_no_chance()
    };
    if !(0..quasi).any(is_no_chance) {
        return Ok(None);
    }
    let differs = |nth: usize| all().filter(|member| member.differs_in(nth)).count();
    let names = project.quasi().map(|(quasi, _)| quasi.name.clone());
    let columns: Vec<(String, u64)> = names
        .enumerate()
        .map(|(nth, name)| (name, differs(nth) as u64))
        .filter(|(_, rows)| *rows > 0)
        .collect();
    let is_other = |member: &&Member| (0..quasi).any(|nth| member.differs_in(nth));
    let absent = all().filter(|member| member.is_absent()).count() as u64;
    let found = OtherPeople {
        identifier: attribute.name.clone(),
        members: members.len() as u64,
        differing: all().filter(is_other).count() as u64,
        columns,
        absent,
    };
    Ok(Some(found).filter(|found| found.differing > 0 || found.absent > 0))
}
