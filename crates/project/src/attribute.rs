//! An `[[attribute]]` of a project file, and the keys that each role permits.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::levels::WrittenLevels;
use super::person::{self, WrittenRepeats};
use super::pseudonym::WrittenPseudonym;
use super::readings::{Context, WrittenDate, WrittenNumber, WrittenPlace, WrittenReading, WrittenReadings};
use super::{Attribute, HierarchyFile};
use crate::{keys, values};
use palmtop_core::model::{Cuts, Kind, Level, Levels, Role, Weights};
use palmtop_tables::encode::Readings;
use palmtop_tables::pseudonym::PseudonymRule;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenRole {
    Identifier,
    Withheld,
    Quasi,
    Sensitive,
    Insensitive,
    Entity,
    Undecided,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    Number,
    Date,
    Category,
}

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenAttribute {
    /// The column, in both tables unless another name is given below.
    name: String,
    /// `"quasi"`, `"identifier"`, `"entity"`, `"withheld"`, `"sensitive"`, `"insensitive"`, or `"undecided"`: published as if it were sensitive, but nobody decided so, which stops an export.
    role: WrittenRole,
    /// The file of the hierarchy.
    hierarchy: Option<PathBuf>,
    /// `"number"`, `"date"` or `"category"`, if the kind of the hierarchy is not meant.
    kind: Option<WrittenKind>,
    /// P holds labels of this level; T's values are raised to it.
    public_level: Option<u8>,
    /// The column of P, if its name is another.
    public_column: Option<String>,
    /// The column of T, if its name is another.
    private_column: Option<String>,
    /// `true`: rows with one value that agree in all quasi-identifiers are one person.
    distinct: Option<bool>,
    /// One row of each person counts: the first by this column.
    first_by: Option<String>,
    /// The reason why different people share a value.
    repeats: Option<WrittenRepeats>,
    /// `"new"`: a pseudonym that differs in each export; or a keyed one, `{ key = "FILE", domain = "study", form = "digits" }`; `form` is `"letters"` by default.
    pseudonym: Option<WrittenPseudonym>,
    /// What a release may publish: `"any"` set or range (the default), only `"labels"` of the hierarchy, the `"whole"` range of a region, which is never cut in it, or the values `"kept"` at the level that P holds.
    shape: Option<WrittenShape>,
    /// The most labels, values and exceptions of a published set, such as `3`; `1` means labels only.
    terms: Option<toml::Value>,
    /// Ranges of numbers and dates begin and end at labels of this level.
    borders: Option<u8>,
    /// The finest and the coarsest published level, such as `"1-3"`, `"2"`, `"1-"` or `"-3"`.
    levels: Option<WrittenLevels>,
    /// The reason to publish a column that betrays a quasi-identifier.
    accept: Option<String>,
    /// The published level of a column that only T has.
    publish: Option<u8>,
    /// The weight of the loss of this quasi-identifier, 1 (the default) to 100.
    weight: Option<toml::Value>,
    /// The text of a release for "no value".
    missing_label: Option<String>,
    /// `"own"` (a value beside the others) or `"top"` (the label `*`).
    missing_at: Option<WrittenPlace>,
    /// The texts that mean "no value"; at the top of the file, those of every quasi-identifier.
    missing: Option<Vec<String>>,
    /// An example of a number with both separators, such as `"1.234,5"`; with open bands `{ like = "1.234,5", first = 1, last = 90 }`: `<1` and `>=90`.
    number: Option<WrittenNumber>,
    /// The pattern of dates, such as `"%d.%m.%Y"`; if years have two digits `{ like = "%d.%m.%y", from = 1930 }`, for 1930 to 2029.
    date: Option<WrittenDate>,
    /// `true`: blanks around a value are not part of it.
    trim: Option<bool>,
    /// The texts of values that are written in another way: `{ "Female" = "F" }`.
    values: Option<BTreeMap<String, String>>,
    /// These keys for P alone.
    public: Option<WrittenReading>,
    /// These keys for T alone.
    private: Option<WrittenReading>,
}
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenShape {
    Any,
    Labels,
    Whole,
    Kept,
}

values!(WrittenRole, WrittenKind, WrittenShape, WrittenLevels);

impl WrittenRole {
    /// The role of the attribute. An entity is an identifier, and an undecided column is treated as a sensitive one.
    fn role(&self) -> Role {
        match self {
            Self::Identifier | Self::Entity => Role::Identifier,
            Self::Withheld => Role::Withheld,
            Self::Quasi => Role::Quasi,
            Self::Sensitive | Self::Undecided => Role::Sensitive,
            Self::Insensitive => Role::Insensitive,
        }
    }
}

impl WrittenAttribute {
    /// Checks the attribute. Paths are relative to `folder`; `missing` has the project's texts for a missing value.
    pub(super) fn check(
        mut self,
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
        let (cuts, levels, weight) = (self.cuts(), self.levels(hierarchy.as_ref())?, self.weight()?);
        let (terms, borders) = (self.terms()?, self.borders(cuts, levels)?);
        let public_column = self.public_column.clone();
        let private_column = self.private_column.clone();
        let (distinct, first_by, repeats) = (self.distinct, self.first_by.clone(), self.repeats.take());
        let repeated =
            person::settle(distinct, first_by, repeats).map_err(|detail| format!("`{name}`: {detail}"))?;
        let (accepted, undecided) = (self.accepted(role)?, matches!(self.role, WrittenRole::Undecided));
        let is_coarser = hierarchy.as_ref().is_some_and(|file| file.public_level > Level(0));
        let (pseudonym, readings) = self.rest(role, folder, &Context { missing, is_member, is_coarser })?;
        // Without pseudonyms, the people of a release could not be recounted.
        let pseudonym = pseudonym.or(is_entity.then_some(PseudonymRule::New));
        Ok(Attribute {
            is_entity,
            cuts,
            terms,
            borders,
            levels,
            weight,
            readings,
            repeated,
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

    /// The analyst's reason for publishing a column that reveals a quasi-identifier.
    fn accepted(&self, role: Role) -> Result<Option<String>, String> {
        let (name, Some(written)) = (&self.name, &self.accept) else { return Ok(None) };
        if !role.is_kept() {
            return Err(format!(
                "`{name}`: `accept` is the reason to publish a column that reveals a quasi-identifier; it needs role = \"sensitive\" or \
                 \"insensitive\"; remove it"
            ));
        }
        let reason = crate::reason::read(written);
        reason
            .map(|reason| Some(reason.to_owned()))
            .map_err(|detail| format!("`{name}`: `accept = {written:?}`: {detail}"))
    }

    /// Refuses keys that need another role.
    fn check_role(&self, role: Role, is_entity: bool) -> Result<(), String> {
        let name = &self.name;
        let says_who = self.repeats.is_some() || self.distinct.is_some() || self.first_by.is_some();
        if is_entity && says_who {
            return Err(format!(
                "`{name}`: `repeats`, `distinct` and `first_by` need role = \"identifier\"; an entity always repeats; remove them"
            ));
        }
        let of_quasi = [
            (
                self.kind.is_some() || self.public_level.is_some(),
                "`kind` and `public_level` need role = \"quasi\"; remove them",
            ),
            (
                self.terms.is_some() || self.borders.is_some(),
                "`terms` and `borders` need role = \"quasi\", because only quasi-identifiers are published as sets and ranges; remove them",
            ),
            (
                self.shape.is_some() || self.levels.is_some(),
                "`shape` and `levels` need role = \"quasi\"; remove them",
            ),
            (
                self.weight.is_some(),
                "`weight` needs role = \"quasi\", because only a quasi-identifier has a loss; remove it",
            ),
        ];
        let of_identifiers = [
            (says_who, "`repeats`, `distinct` and `first_by` need role = \"identifier\"; remove them"),
            (self.pseudonym.is_some(), "`pseudonym` needs role = \"identifier\"; remove it"),
        ];
        let others = of_quasi.iter().filter(|_| role != Role::Quasi);
        let mut others = others.chain(of_identifiers.iter().filter(|_| role != Role::Identifier));
        if let Some((_, wrong)) = others.find(|(is_set, _)| *is_set) {
            return Err(format!("`{name}`: {wrong}"));
        }
        if self.pseudonym.is_some()
            && matches!(self.repeats, Some(WrittenRepeats::Flag(true) | WrittenRepeats::Reason(_)))
        {
            return Err(format!(
                "`{name}`: `repeats` and `pseudonym` exclude each other, because a pseudonym would show which people share a value; \
                 remove one"
            ));
        }
        if self.hierarchy.is_some() && role.is_left_out() {
            return Err(format!(
                "`{name}` has a hierarchy, but no release has a column with the role {}; remove the hierarchy",
                role.as_str()
            ));
        }
        if self.hierarchy.is_some() && role == Role::Insensitive && self.publish.is_none() {
            return Err(format!(
                "`{name}` has a hierarchy, but is published unchanged; write the published level, such as `publish = 1`, or remove \
                 the hierarchy"
            ));
        }
        Ok(())
    }

    /// The published level of a column that only T has.
    fn publish(&self, role: Role) -> Result<Level, String> {
        let (name, Some(level)) = (&self.name, self.publish) else { return Ok(Level(0)) };
        match role {
            Role::Sensitive | Role::Insensitive if self.hierarchy.is_some() => Ok(Level(level)),
            Role::Sensitive | Role::Insensitive => Err(format!(
                "`{name}`: `publish = {level}` is a level of a hierarchy, but `{name}` has none; write `hierarchy` with a .csv or .toml file"
            )),
            Role::Quasi => Err(format!(
                "`{name}`: `publish` needs role = \"sensitive\" or \"insensitive\"; for a quasi-identifier, write the permitted \
                 levels, such as `levels = \"{level}-\"`"
            )),
            Role::Identifier | Role::Withheld => Err(format!(
                "`{name}`: `publish` needs role = \"sensitive\" or \"insensitive\", and no release has a column with the role {}; remove it",
                role.as_str()
            )),
        }
    }

    /// The hierarchy of a quasi-identifier; `None` for other roles.
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

    fn cuts(&self) -> Cuts {
        match self.shape {
            Some(WrittenShape::Whole) => Cuts::Never,
            Some(WrittenShape::Labels) => Cuts::Labels,
            Some(WrittenShape::Any | WrittenShape::Kept) | None => Cuts::Values,
        }
    }

    /// The largest number of terms of a published set.
    fn terms(&self) -> Result<Option<NonZeroU32>, String> {
        let Some(written) = &self.terms else { return Ok(None) };
        let terms =
            written.as_integer().and_then(|terms| u32::try_from(terms).ok()).and_then(NonZeroU32::new);
        let Some(terms) = terms else {
            return Err(format!(
                "`{}`: `terms` is {written}; expected a whole number from 1, such as `terms = 3`; 1 publishes labels only",
                self.name
            ));
        };
        if matches!(self.shape, Some(WrittenShape::Labels)) && terms > NonZeroU32::MIN {
            return Err(format!(
                "`{}`: `shape = \"labels\"` publishes one label, and `terms = {terms}` permits several; remove one of the lines",
                self.name
            ));
        }
        Ok(Some(terms))
    }

    /// The level at whose labels ranges begin and end.
    fn borders(&self, cuts: Cuts, levels: Levels) -> Result<Option<Level>, String> {
        let Some(level) = self.borders else { return Ok(None) };
        let publishes_labels =
            cuts == Cuts::Labels || self.terms.as_ref().and_then(toml::Value::as_integer) == Some(1);
        let other = if publishes_labels {
            Some("`shape = \"labels\"` and `terms = 1` publish labels, so that there are no ranges")
        } else if levels.finest.is_some() {
            Some("`levels` with a finest level publish labels, so that there are no ranges")
        } else {
            None
        };
        match other {
            Some(reason) => {
                Err(format!("`{}`: `borders = {level}`: {reason}; remove one of the lines", self.name))
            }
            None => Ok(Some(Level(level))),
        }
    }

    fn levels(&self, hierarchy: Option<&HierarchyFile>) -> Result<Levels, String> {
        let name = &self.name;
        let is_kept = matches!(self.shape, Some(WrittenShape::Kept));
        let levels = match (self.levels, hierarchy.filter(|_| is_kept)) {
            (Some(_), Some(_)) => {
                return Err(format!("`{name}`: `shape = \"kept\"` excludes `levels`; remove one"));
            }
            (None, Some(file)) => Levels { finest: None, coarsest: Some(file.public_level) },
            (levels, None) => levels.map(|WrittenLevels(levels)| levels).unwrap_or_default(),
        };
        if let (Some(level), Some(file)) =
            (levels.finest, hierarchy.filter(|file| levels.finest < Some(file.public_level)))
        {
            return Err(format!(
                "`{name}`: `levels` begin at {level}, but P has level {0} (`public_level`), so no finer level can be published; begin at {0}",
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
                "`{name}`: `weight` is {written}; expected a whole number from 1 to {most}; to lower the weight of other attributes, raise this one"
            )
        })
    }

    /// The rule for pseudonyms, and how texts become values.
    fn rest(
        self,
        role: Role,
        folder: &Path,
        context: &Context,
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
                "`{name}`: only a quasi-identifier, or a column that `publish` makes coarser, has keys for reading values; remove \
                 `missing`, `number`, `date`, `trim`, `values`, [attribute.public] and [attribute.private]"
            ));
        }
        if is_coarser && (written.public.is_some() || written.private.is_some()) {
            return Err(format!(
                "`{name}`: only T has this column; put the keys of [attribute.public] and [attribute.private] under [[attribute]] itself"
            ));
        }
        let readings = written.check(context).map_err(|detail| format!("`{name}`: {detail}"))?;
        Ok((pseudonym, readings))
    }
}
