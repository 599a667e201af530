//! The inputs and the policy that a release is verified against.

use std::path::PathBuf;

use crate::judge::Allowed;
use crate::people::{AttributeSpec, CountSource, NotInPublic, PrivateSource, Repeated, Sources};
use crate::problems::VerifyError;
use crate::read::TableSource;
use palmtop_terms::Delta;

/// The inputs and the policy that a release is verified against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifySpec {
    /// The project file, if there is one. It must differ from the tables and from the release.
    pub project: Option<PathBuf>,
    /// The public table, P.
    pub public: TableSource,
    /// The number of people that each row of P counts for. Without it, a row is one person.
    pub count: Option<CountSource>,
    /// A column of P that says who is a person and that T lacks, and what rows with one value are.
    pub person: Option<(String, Repeated)>,
    /// The texts that are no identifier, besides blank ones.
    pub missing: Vec<String>,
    /// The private table, T.
    pub private: PrivateSource,
    /// The attributes, in project order.
    pub attributes: Vec<AttributeSpec>,
    /// Whether columns of T without an attribute are dropped. Otherwise they are an error.
    pub unlisted_dropped: bool,
    /// The treatment of members of T who are not in P.
    pub not_in_public: NotInPublic,
    /// The bounds of presence.
    pub delta: Delta,
    /// Whether every class must contain a member of T.
    pub forbids_empty: bool,
    /// The other criteria that are enforced, each as its key in `[policy]` and the text of its value in the project file.
    pub policy: Vec<(String, String)>,
    /// The share of T's members that may be withdrawn, as text of the project file. Without it, every member has a row.
    pub suppress_at_most: Option<String>,
}

impl VerifySpec {
    /// The first part in which two specifications differ, by its name in a project file.
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let parts = [
            ("[public]", self.public == other.public),
            ("`count`", self.count == other.count),
            ("`person`", self.person == other.person),
            ("`missing`", self.missing == other.missing),
            ("[private]", self.private == other.private),
            ("`unlisted`", self.unlisted_dropped == other.unlisted_dropped),
            ("`not_in_public`", self.not_in_public == other.not_in_public),
            ("[delta]", self.delta == other.delta),
            ("`empty_regions`", self.forbids_empty == other.forbids_empty),
            ("[policy]", self.policy == other.policy),
            ("`suppress_at_most`", self.suppress_at_most == other.suppress_at_most),
            ("the number of [[attribute]]", self.attributes.len() == other.attributes.len()),
        ];
        let part = parts.iter().find(|(_, is_same)| !is_same).map(|(part, _)| (*part).to_owned());
        let attributes = || {
            let mut pairs = self.attributes.iter().zip(&other.attributes);
            pairs.find(|(one, other)| one != other).map(|(one, _)| format!("[[attribute]] `{}`", one.name))
        };
        part.or_else(attributes)
    }

    /// What the project says of the tables and of their columns.
    ///
    /// # Errors
    /// A [`VerifyError`] if a setting cannot be combined with people who have several rows.
    pub(crate) fn sources(&self, allowed: &Allowed) -> Result<Sources<'_>, VerifyError> {
        self.check_entity(allowed)?;
        Ok(Sources {
            public: &self.public,
            private: &self.private,
            count: self.count.as_ref(),
            person: self.person.as_ref(),
            missing: &self.missing,
            attributes: &self.attributes,
            unlisted_dropped: self.unlisted_dropped,
            adds_private: self.not_in_public == NotInPublic::Add,
        })
    }

    /// Checks that every other setting can be combined with `role = "entity"`, if the project has it.
    fn check_entity(&self, allowed: &Allowed) -> Result<(), VerifyError> {
        let mut all = self.attributes.iter().filter(|attribute| attribute.is_entity);
        let Some(entity) = all.next() else { return Ok(()) };
        let refused = |setting| VerifyError::not_of_entities(&entity.name, setting);
        match () {
            () if all.next().is_some() => Err(refused("a second `role = \"entity\"`")),
            () if entity.pseudonym.is_none() => Err(refused("a release without pseudonyms")),
            () if self.count.is_some() => Err(refused("`count`")),
            () if self.not_in_public != NotInPublic::Refuse => Err(refused("`not_in_public`")),
            () if allowed.of(u64::MAX) > 0 => Err(refused("`suppress_at_most`")),
            () => Ok(()),
        }
    }
}
