//! Compares the rows of a person that count in T and in P, where the project counts one row of each person.

use rustc_hash::FxHashMap;

use crate::pipeline::PipelineError;
use crate::pipeline::read::persons::{column_of, identified};
use crate::pipeline::read::tables::Tables;
use palmtop_core::model::Code;
use palmtop_core::progress::Meter;
use palmtop_core::words::plural;
use palmtop_project::{PrivateSource, Repeated};
use palmtop_tables::encode::{Encoder, Whose};
use palmtop_tables::error::DataError;
use palmtop_tables::position::At;
use palmtop_tables::read::{OneRow, number_of};

/// Refuses a row of T whose person P counts with other values: the counts of its combination would
/// be those of other people. An identifier that P lacks is in no row of P.
///
/// # Errors
/// The first such row of T. A [`PipelineError`] if a table cannot be read.
pub(in crate::pipeline) fn check(
    tables: &Tables,
    encoder: &Encoder,
    meter: &mut Meter,
) -> Result<(), PipelineError> {
    let project = tables.project;
    let rule = project.identifiers().find_map(|(attribute, repeated)| match repeated {
        Repeated::Person(row) => Some((attribute, row)),
        Repeated::Unsaid | Repeated::Shared(_) => None,
    });
    let Some((attribute, row)) = rule else { return Ok(()) };
    let (public, private) = (&tables.public, &tables.private);
    if matches!(project.private, PrivateSource::Member(_)) || !public.has(&attribute.public_column) {
        return Ok(());
    }
    let columns = |whose| -> Vec<&str> {
        let quasi = project.quasi().map(|(quasi, _)| column_of(project, quasi, whose));
        std::iter::once(column_of(project, attribute, whose)).chain(quasi).collect()
    };
    let of = identified(project, project.private_column(attribute), Whose::Private);
    let codes = |whose, texts: &[&str]| -> Vec<Option<Code>> {
        texts.iter().enumerate().map(|(quasi, text)| encoder.read(whose, quasi, text)).collect()
    };
    let mut members: FxHashMap<String, (At, Vec<Option<Code>>)> = FxHashMap::default();
    private.visit(&columns(Whose::Private), meter, &mut |at, texts| {
        if of.has(texts[0]) {
            members.insert(texts[0].to_owned(), (at, codes(Whose::Private, &texts[1..])));
        }
        Ok(())
    })?;
    let mut different: Vec<(At, At, usize)> = Vec::new();
    let numbers = members.keys().map(|identifier| number_of(identifier)).collect();
    public.visit_where(&columns(Whose::Public), &numbers, meter, &mut |at, texts| {
        if let Some((member, known)) = members.get(texts[0]) {
            let found = codes(Whose::Public, &texts[1..]);
            let quasi = (0..found.len()).find(|&quasi| found[quasi] != known[quasi]);
            different.extend(quasi.map(|quasi| (*member, at, quasi)));
        }
        Ok::<(), DataError>(())
    })?;
    let Some(&(member, at, quasi)) = different.iter().min() else { return Ok(()) };
    let problem = format!(
        "the public table counts this person with another value, in {} ({})",
        public.position(at),
        plural(different.len() as u64, "such person")
    );
    let remedy = match row {
        OneRow::FirstBy(order) => {
            format!("give each person of T the values of the row that is first by `{order}` in P")
        }
        OneRow::Distinct => "correct the row in T or in P".to_owned(),
    };
    Err(private.refused(member, columns(Whose::Private)[quasi + 1], problem).remedy(remedy).into())
}
