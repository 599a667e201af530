//! An `[[attribute]]` of a project file: what may be said of which role.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::levels::WrittenLevels;
use super::pseudonym::WrittenPseudonym;
use super::readings::{Surroundings, WrittenNumber, WrittenPlace, WrittenReading, WrittenReadings};
use super::{Attribute, HierarchyFile};
use palmtop_core::model::{Cuts, Kind, Level, Levels, Role, Weights};
use palmtop_core::text;
use palmtop_tables::encode::Readings;
use palmtop_tables::pseudonym::PseudonymRule;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenRole {
    Identifier,
    Quasi,
    Sensitive,
    Insensitive,
    Entity,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    Number,
    Date,
    Category,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenAttribute {
    name: String,
    role: WrittenRole,
    hierarchy: Option<PathBuf>,
    kind: Option<WrittenKind>,
    public_level: Option<u8>,
    public_column: Option<String>,
    private_column: Option<String>,
    repeats: Option<bool>,
    pseudonym: Option<WrittenPseudonym>,
    cuts: Option<WrittenCuts>,
    uncut: Option<bool>,
    levels: Option<WrittenLevels>,
    keep: Option<bool>,
    accept: Option<String>,
    undecided: Option<bool>,
    publish: Option<u8>,
    weight: Option<toml::Value>,
    missing: Option<Vec<String>>,
    missing_label: Option<String>,
    missing_at: Option<WrittenPlace>,
    number: Option<WrittenNumber>,
    date: Option<String>,
    trim: Option<bool>,
    values: Option<BTreeMap<String, String>>,
    public: Option<WrittenReading>,
    private: Option<WrittenReading>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenCuts {
    Values,
    Labels,
}

impl WrittenRole {
    /// The role that is meant: what tells which rows are one person's is an identifier.
    fn role(&self) -> Role {
        match self {
            Self::Identifier | Self::Entity => Role::Identifier,
            Self::Quasi => Role::Quasi,
            Self::Sensitive => Role::Sensitive,
            Self::Insensitive => Role::Insensitive,
        }
    }
}

impl WrittenAttribute {
    /// The attribute, whose files lie in a folder; `missing` are the project's texts for no value.
    pub(super) fn check(
        self,
        folder: &Path,
        missing: &[String],
        is_member: bool,
    ) -> Result<Attribute, String> {
        let name = self.name.clone();
        let (role, is_entity) = (self.role.role(), matches!(self.role, WrittenRole::Entity));
        self.check_role(role, is_entity)?;
        let hierarchy = self.hierarchy(role, folder)?;
        let value_tree = self.hierarchy.as_ref().filter(|_| role.is_kept()).map(|path| folder.join(path));
        let publish = self.publish(role)?;
        let (cuts, levels, weight) = (self.cuts()?, self.levels(hierarchy.as_ref())?, self.weight()?);
        // A person has several rows.
        let repeats = self.repeats.unwrap_or(is_entity);
        let public_column = self.public_column.clone();
        let private_column = self.private_column.clone();
        let (accepted, undecided) = (self.accepted(role)?, self.undecided(role)?);
        let is_coarser = hierarchy.as_ref().is_some_and(|file| file.public_level > Level(0));
        let (pseudonym, readings) =
            self.rest(role, folder, &Surroundings { missing, is_member, is_coarser })?;
        // Without one nobody could recount a release in people.
        let pseudonym = pseudonym.or(is_entity.then_some(PseudonymRule::New));
        Ok(Attribute {
            is_entity,
            cuts,
            levels,
            weight,
            readings,
            repeats,
            pseudonym,
            public_column: public_column.unwrap_or_else(|| name.clone()),
            private_column: private_column.unwrap_or_else(|| name.clone()),
            name,
            role,
            hierarchy,
            value_tree,
            publish,
            accepted,
            undecided,
        })
    }

    /// The reason for which the analyst publishes a column that betrays a quasi-identifier.
    fn accepted(&self, role: Role) -> Result<Option<String>, String> {
        let (name, Some(written)) = (&self.name, &self.accept) else { return Ok(None) };
        if !role.is_kept() {
            return Err(format!(
                "`{name}`: `accept` is the reason to publish a column that betrays a quasi-identifier; it goes with role = \"sensitive\" \
                 or \"insensitive\"; remove it"
            ));
        }
        let reason = text::reason(written);
        reason
            .map(|reason| Some(reason.to_owned()))
            .map_err(|detail| format!("`{name}`: `accept = {written:?}`: {detail}"))
    }

    /// Whether nobody decided the role yet: only published columns have the mark.
    fn undecided(&self, role: Role) -> Result<bool, String> {
        if self.undecided.is_some() && !role.is_kept() {
            let name = &self.name;
            return Err(format!(
                "`{name}`: `undecided` marks a published column whose role nobody decided; it goes with role = \"sensitive\" or \
                 \"insensitive\"; remove it"
            ));
        }
        Ok(self.undecided.unwrap_or(false))
    }

    /// Refuses what is said of an attribute that goes with another role.
    fn check_role(&self, role: Role, is_entity: bool) -> Result<(), String> {
        let name = &self.name;
        if is_entity && self.repeats.is_some() {
            return Err(format!(
                "`{name}`: `repeats` goes with role = \"identifier\": whose rows are one person's (`entity`) repeats in any case; remove it"
            ));
        }
        let of_quasi = [
            (
                self.kind.is_some() || self.public_level.is_some(),
                "`kind` and `public_level` go with role = \"quasi\"; remove them",
            ),
            (
                self.cuts.is_some() || self.uncut.is_some(),
                "`cuts` and `uncut` go with role = \"quasi\"; remove them",
            ),
            (
                self.levels.is_some() || self.keep.is_some(),
                "`levels` and `keep` go with role = \"quasi\"; remove them",
            ),
            (self.weight.is_some(), "`weight` goes with role = \"quasi\", as others have no loss; remove it"),
        ];
        let of_identifiers = [
            (self.repeats.is_some(), "`repeats` goes with role = \"identifier\"; remove it"),
            (self.pseudonym.is_some(), "`pseudonym` goes with role = \"identifier\"; remove it"),
        ];
        let others = of_quasi.iter().filter(|_| role != Role::Quasi);
        let mut others = others.chain(of_identifiers.iter().filter(|_| role != Role::Identifier));
        if let Some((_, wrong)) = others.find(|(is_said, _)| *is_said) {
            return Err(format!("`{name}`: {wrong}"));
        }
        if self.pseudonym.is_some() && self.repeats == Some(true) {
            return Err(format!(
                "`{name}`: `repeats` and `pseudonym` exclude each other, as a pseudonym would say which people share a value; \
                 remove one"
            ));
        }
        if self.hierarchy.is_some() && role == Role::Identifier {
            return Err(format!("`{name}` has a hierarchy, but no release has an identifier; remove it"));
        }
        if self.hierarchy.is_some() && role == Role::Insensitive && self.publish.is_none() {
            return Err(format!(
                "`{name}` has a hierarchy, but is published as it is; write the level that is published, such as `publish = 1`, or \
                 remove the hierarchy"
            ));
        }
        Ok(())
    }

    /// The level of its hierarchy at which a column that only T has is published.
    fn publish(&self, role: Role) -> Result<Level, String> {
        let (name, Some(level)) = (&self.name, self.publish) else { return Ok(Level(0)) };
        match role {
            Role::Sensitive | Role::Insensitive if self.hierarchy.is_some() => Ok(Level(level)),
            Role::Sensitive | Role::Insensitive => Err(format!(
                "`{name}`: `publish = {level}` is a level of a hierarchy, and `{name}` has none; write `hierarchy` with a .csv or .toml file"
            )),
            Role::Quasi => Err(format!(
                "`{name}`: `publish` goes with role = \"sensitive\" or \"insensitive\"; of a quasi-identifier `levels` says what may be \
                 published, such as `levels = \"{level}-\"`"
            )),
            Role::Identifier => Err(format!(
                "`{name}`: `publish` goes with role = \"sensitive\" or \"insensitive\", and no release has an identifier; remove it"
            )),
        }
    }

    /// A quasi-identifier's hierarchy.
    fn hierarchy(&self, role: Role, folder: &Path) -> Result<Option<HierarchyFile>, String> {
        if role != Role::Quasi {
            return Ok(None);
        }
        let name = &self.name;
        let Some(path) = &self.hierarchy else {
            return Err(format!("quasi-identifier `{name}` has no `hierarchy`; name a .csv or .toml file"));
        };
        Ok(Some(HierarchyFile {
            path: folder.join(path),
            kind: self.kind.as_ref().map(|kind| match kind {
                WrittenKind::Number => Kind::Number,
                WrittenKind::Date => Kind::Date,
                WrittenKind::Category => Kind::Category,
            }),
            public_level: Level(self.public_level.unwrap_or(0)),
        }))
    }

    fn cuts(&self) -> Result<Cuts, String> {
        match (self.uncut.unwrap_or(false), &self.cuts) {
            (true, Some(_)) => {
                let name = &self.name;
                Err(format!("`{name}` is `uncut`, so there is nothing for `cuts` to say; remove one"))
            }
            (true, None) => Ok(Cuts::Never),
            (false, Some(WrittenCuts::Labels)) => Ok(Cuts::Labels),
            (false, Some(WrittenCuts::Values) | None) => Ok(Cuts::Values),
        }
    }

    fn levels(&self, hierarchy: Option<&HierarchyFile>) -> Result<Levels, String> {
        let name = &self.name;
        let levels = match (self.levels, hierarchy.filter(|_| self.keep == Some(true))) {
            (Some(_), Some(_)) => {
                return Err(format!(
                    "`{name}`: `keep` publishes it as it is, so there is nothing for `levels` to say; remove one"
                ));
            }
            (None, Some(file)) => Levels { finest: None, coarsest: Some(file.public_level) },
            (levels, None) => levels.map(|WrittenLevels(levels)| levels).unwrap_or_default(),
        };
        if let (Some(level), Some(file)) =
            (levels.finest, hierarchy.filter(|file| levels.finest < Some(file.public_level)))
        {
            return Err(format!(
                "`{name}`: `levels` begin at {level}, but P holds level {} (`public_level`), and nothing finer is published; begin there",
                file.public_level
            ));
        }
        Ok(levels)
    }

    fn weight(&self) -> Result<u32, String> {
        let Some(written) = &self.weight else { return Ok(1) };
        let weight = written.as_integer().and_then(|weight| u32::try_from(weight).ok());
        weight.filter(|weight| (1..=Weights::MOST).contains(weight)).ok_or_else(|| {
            let (name, most) = (&self.name, Weights::MOST);
            format!(
                "`{name}`: `weight` is {written}; expected a whole number from 1 to {most}: where others are to weigh less, give this one more"
            )
        })
    }

    /// What stands in place of an identifier, and how values are read.
    fn rest(
        self,
        role: Role,
        folder: &Path,
        around: &Surroundings,
    ) -> Result<(Option<PseudonymRule>, Readings), String> {
        let name = self.name;
        let pseudonym = self.pseudonym.map(|written| written.settle(folder)).transpose();
        let pseudonym = pseudonym.map_err(|detail| format!("`{name}`: {detail}"))?;
        let written = WrittenReadings {
            both: WrittenReading {
                missing: self.missing,
                number: self.number,
                date: self.date,
                trim: self.trim,
                values: self.values,
            },
            public: self.public,
            private: self.private,
            missing_label: self.missing_label,
            missing_at: self.missing_at,
        };
        let is_coarser = role.is_kept() && self.publish.is_some_and(|level| level > 0);
        if role != Role::Quasi && !is_coarser && !written.is_empty() {
            return Err(format!(
                "`{name}`: how values are read is said of quasi-identifiers, and of columns that `publish` makes coarser; others are as \
                 they stand; remove `missing`, `number`, `date`, `trim`, `values` and what is only for P or T"
            ));
        }
        if is_coarser && (written.public.is_some() || written.private.is_some()) {
            return Err(format!(
                "`{name}`: only T has this column; put the keys of [attribute.public] and [attribute.private] under [[attribute]] itself"
            ));
        }
        let readings = written.check(around).map_err(|detail| format!("`{name}`: {detail}"))?;
        Ok((pseudonym, readings))
    }
}
