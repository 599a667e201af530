//! The people of P and T: who is one, which row is whose, and how many share each combination of leaves.
//!
//! The tables enter, with what the project says of their columns. [`People`] leave: the combinations of both tables with their
//! numbers of people, and the values of T's members that a release keeps. If people have several rows, [`Entities`] leave too.

mod settings;
mod count;
mod pseudonym;
mod hashes;
mod persons;
mod layout;
mod twins;
mod same_person;
mod published;
mod counted;
mod entities;

#[cfg(test)]
pub(crate) use self::count::Gathered;
pub(crate) use self::count::{Codes, Combination, Combinations, Rows};
pub(crate) use self::counted::{KeptRows, People, Sensitive};
pub(crate) use self::entities::{Entities, Person};
pub(crate) use self::layout::Part;
pub(crate) use self::pseudonym::Pseudonyms;
pub use self::pseudonym::{PseudonymSpec, Pseudonymized};
pub(crate) use self::settings::Sources;
pub use self::settings::{AttributeSpec, CountSource, NotInPublic, PrivateSource, Repeated};

use self::layout::Layout;
use crate::problems::VerifyError;
use crate::read::Table;

use palmtop_terms::LocatedError;

/// The people of both tables, and the owners of their rows if people have several rows. If so, all numbers of the first are
/// counted in rows.
pub(crate) fn read(
    sources: &Sources,
    progress: &mut Rows,
) -> Result<(People, Option<Entities>), VerifyError> {
    let layout = progress.watch(|stop| Layout::open(sources, stop))??;
    let (mut public, mut private) = progress.watch(|stop| layout.tally(stop))??;
    twins::check(&layout, &public, &private)?;
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
    layout.spell(&mut public, &mut private)?;
    let coarsened = published::coarsen(&layout, &mut private)?;
    let pseudonyms = layout.pseudonyms(&mut private)?;
    let quasi = layout.read_hierarchies(&public, &private)?;
    same_person::check(&layout, &quasi)?;
    let mut people = People::new(&layout, quasi, pseudonyms, public.total, private.total);
    let has_entities = sources.attributes.iter().any(|attribute| attribute.is_entity);
    people.count(&mut public, &private, has_entities, progress)?;
    let entities = if has_entities {
        Some(Entities::read(&people, &layout, &public, &private, progress)?)
    } else {
        None
    };
    people.sensitive = People::read_sensitive(&layout, &coarsened);
    Ok((people, entities))
}
