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
    fn add(&mut self, private: Option<Code>, public: Option<Code>) {
        self.equal += u64::from(private == public);
        *self.private.entry(private).or_default() += 1;
        *self.public.entry(public).or_default() += 1;
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

/// A member: the codes of the quasi-identifiers, and those of them that differ in each row of P.
struct Member {
    codes: Vec<Option<Code>>,
    differing: Option<Vec<bool>>,
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
    let (histogram, outsiders) = (analysis.problem.histogram(), &analysis.notes.outsiders);
    let added = outsiders.iter().flat_map(|outsiders| &outsiders.added);
    let added: FxHashSet<&[Code]> = added.map(|(codes, _)| codes.as_slice()).collect();
    find::visit_loaded(analysis, &analysis.private, &columns(Whose::Private), meter, &mut |_, texts| {
        let codes: Vec<Option<Code>> = (0..quasi).map(|nth| cells.code(nth, texts[nth + 1])).collect();
        let combination: Option<Vec<Code>> = codes.iter().copied().collect();
        // Other cautions tell of members whom P lacks by their quasi-identifiers.
        let has = |codes: &Vec<Code>| histogram.find(codes).is_some() && !added.contains(codes.as_slice());
        if of.has(texts[0]) && combination.as_ref().is_some_and(has) {
            members.insert(texts[0].to_owned(), Member { codes, differing: None });
        }
        Ok(())
    })?;
    let mut agreements: Vec<Agreement> = (0..quasi).map(|_| Agreement::default()).collect();
    let cells = analysis.encoder.cells(Whose::Public);
    let known: FxHashSet<String> = members.keys().cloned().collect();
    let is_wanted = |text: &str| known.contains(text);
    find::visit_loaded_where(analysis, &columns(Whose::Public), &is_wanted, meter, &mut |_, texts| {
        let Some(member) = members.get_mut(texts[0]) else { return Ok(()) };
        let known = member.differing.get_or_insert_with(|| vec![true; quasi]);
        for (nth, agreement) in agreements.iter_mut().enumerate() {
            let code = cells.code(nth, texts[nth + 1]);
            agreement.add(member.codes[nth], code);
            known[nth] &= code != member.codes[nth];
        }
        Ok(())
    })?;
    if !agreements.iter().any(Agreement::is_no_chance) {
        return Ok(None);
    }
    let all = || members.values();
    let differs =
        |nth: usize| all().filter(|member| member.differing.as_ref().is_some_and(|of| of[nth])).count();
    let names = project.quasi().map(|(quasi, _)| quasi.name.clone());
    let columns: Vec<(String, u64)> = names
        .enumerate()
        .map(|(nth, name)| (name, differs(nth) as u64))
        .filter(|(_, rows)| *rows > 0)
        .collect();
    let is_other = |member: &&Member| member.differing.as_ref().is_some_and(|of| of.contains(&true));
    let absent = all().filter(|member| member.differing.is_none()).count() as u64;
    let found = OtherPeople {
        identifier: attribute.name.clone(),
        members: members.len() as u64,
        differing: all().filter(is_other).count() as u64,
        columns,
        absent,
    };
    Ok(Some(found).filter(|found| found.differing > 0 || found.absent > 0))
}
