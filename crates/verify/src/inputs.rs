//! Reads both tables and the hierarchies.

use super::entities::Entities;
use super::error::VerifyError;
use super::layout::Layout;
use super::people::People;
use super::spec::VerifySpec;
use super::table::Table;
use super::watch::Rows;
use super::{published, same_person, twins};
use palmtop_terms::LocatedError;

/// The people of both tables, and the owners of their rows if people have several rows. If so, all numbers of the first are
/// counted in rows.
pub(super) fn read(
    spec: &VerifySpec,
    progress: &mut Rows,
) -> Result<(People, Option<Entities>), VerifyError> {
    let layout = Layout::open(spec)?;
    let (mut public, mut private) = layout.tally(progress)?;
    twins::check(spec, &layout, (&public, &private))?;
    let empty = |table: &Table, name: &str| {
        let error = LocatedError::new(format!("the {name} table is empty")).in_file(&table.path);
        error.remedy("give it at least one person").into()
    };
    if public.total == 0 {
        return Err(empty(&layout.public, "public"));
    }
    if private.total == 0 {
        return Err(empty(layout.private(), "private"));
    }
    layout.spell(spec, &mut public, &mut private)?;
    let coarsened = published::coarsen(spec, &layout, &mut private)?;
    let pseudonyms = layout.pseudonyms(spec, &mut private)?;
    let quasi = layout.read_hierarchies(spec, &public, &private)?;
    same_person::check(spec, &layout, &quasi)?;
    let mut people = People::new(&layout, quasi, pseudonyms, (public.total, private.total));
    let has_entities = spec.attributes.iter().any(|attribute| attribute.is_entity);
    people.count(&mut public, &private, has_entities, progress)?;
    let entities = if has_entities {
        Some(Entities::read(&people, (&public, &private), (spec, &layout), progress)?)
    } else {
        None
    };
    people.sensitive = People::read_sensitive(spec, &layout, &coarsened);
    Ok((people, entities))
}
