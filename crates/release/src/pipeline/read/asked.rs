//! The question who is a person, while rows repeat an identifier and the project does not say what
//! they are.

use crate::pipeline::PipelineError;
use crate::pipeline::read::persons::{column_of, identified};
use crate::pipeline::read::stage::{self, LoadObserver, LoadStage};
use crate::pipeline::read::tables::Tables;
use palmtop_core::located::LocatedError;
use palmtop_core::words::count;
use palmtop_project::{Attribute, Repeated};
use palmtop_tables::encode::Whose;
use palmtop_tables::error::{DataError, Repeats};
use palmtop_tables::literal::toml_string;
use palmtop_tables::read::{Identified, Table};

impl Tables<'_> {
    /// The identifiers of a table of which the project does not say what rows with one value are.
    pub(in crate::pipeline) fn asked_identifiers(&self, whose: Whose) -> Vec<Identified> {
        let project = self.project;
        if project.entity().is_some() {
            let own = project
                .identifiers()
                .filter(|(attribute, repeated)| !attribute.is_entity && **repeated == Repeated::Unsaid);
            let has_private = whose == Whose::Private || project.member().is_some();
            return own
                .filter(|_| has_private)
                .map(|(attribute, _)| identified(project, column_of(project, attribute, whose), whose))
                .collect();
        }
        if whose == Whose::Public && project.public.count.is_some() && project.member().is_none() {
            return Vec::new();
        }
        let in_table = |attribute: &Attribute| match whose {
            Whose::Private => true,
            Whose::Public => self.shares(attribute),
        };
        let asked = project.identifiers().filter(|(attribute, _)| in_table(attribute));
        let asked = asked.filter(|(attribute, repeated)| match repeated {
            Repeated::Unsaid => true,
            Repeated::Shared(None) => self.shares(attribute),
            Repeated::Shared(Some(_)) | Repeated::Person(_) => false,
        });
        asked.map(|(attribute, _)| identified(project, column_of(project, attribute, whose), whose)).collect()
    }

    /// The columns that only P has, if one of them may say who is a person: no other one does.
    pub(in crate::pipeline) fn maybe_persons(&self) -> Vec<Identified> {
        let project = self.project;
        let says_who = |(attribute, repeated): (&Attribute, &Repeated)| {
            attribute.is_entity || (self.shares(attribute) && !matches!(repeated, Repeated::Shared(_)))
        };
        let is_said = project.public.person.is_some()
            || project.public.count.is_some()
            || (project.member().is_some() && !project.drop_unlisted)
            || project.identifiers().any(says_who);
        if is_said {
            return Vec::new();
        }
        let is_named =
            |column: &str| project.attributes.iter().any(|attribute| attribute.public_column == column);
        let columns = self.spare_columns().filter(|column| !is_named(column));
        columns.map(|column| identified(project, column, Whose::Public)).collect()
    }

    /// Whether P has the column of an attribute, too.
    fn shares(&self, attribute: &Attribute) -> bool {
        self.public.has(&attribute.public_column)
    }

    /// An error of a pass over a table. Rows that repeat an identifier become the question what they
    /// are.
    pub(in crate::pipeline) fn asking(
        &self,
        error: PipelineError,
        observer: &mut LoadObserver,
    ) -> PipelineError {
        match error {
            PipelineError::Data(DataError::Repeats(found)) => match self.question(*found, observer) {
                Ok(question) => question.into(),
                Err(error) => error,
            },
            error => error,
        }
    }

    /// What the rows that repeat an identifier are, with the keys that say so and what each gives.
    fn question(&self, found: Repeats, observer: &mut LoadObserver) -> Result<LocatedError, PipelineError> {
        let project = self.project;
        let is_private = project.member().is_none() && found.table == self.private.path();
        let attribute = project.identifiers().map(|(attribute, _)| attribute).find(|attribute| {
            let whose = if is_private { Whose::Private } else { Whose::Public };
            column_of(project, attribute, whose) == found.column
        });
        let shared = attribute.is_none_or(|attribute| self.shares(attribute));
        let column = found.column.clone();
        let mut known = Some((found.rows, Some(found)));
        // The pass over the other table has not been made, or did not look at this column.
        let mut repeats = |table: &Table, (column, whose): (&str, Whose), stage: LoadStage| {
            let is_known = (whose == Whose::Private) == is_private;
            match known.take_if(|_| is_known) {
                Some(known) => Ok(known),
                None => stage::metered(observer, stage, table.size(), |meter| {
                    Ok(table.repeats(&identified(project, column, whose), meter)?)
                }),
            }
        };
        let mut tables = Vec::new();
        if shared {
            let column = attribute.map_or(column.as_str(), |attribute| &attribute.public_column);
            tables.push(("P", repeats(&self.public, (column, Whose::Public), LoadStage::Public)?));
        }
        if let Some(attribute) = attribute.filter(|_| project.member().is_none()) {
            let column = project.private_column(attribute);
            tables.push(("T", repeats(&self.private, (column, Whose::Private), LoadStage::Private)?));
        }
        let mut lines: Vec<String> =
            tables.iter().filter_map(|(_, (_, found))| found.as_ref()).map(ToString::to_string).collect();
        let sizes = |one_each: bool| {
            let size = |(name, (rows, found)): &(&str, (u64, Option<Repeats>))| {
                let surplus = found.as_ref().filter(|_| one_each).map_or(0, |found| found.surplus);
                format!("|{name}| {}", count(rows - surplus))
            };
            tables.iter().map(size).collect::<Vec<_>>().join(", ")
        };
        let differing: u64 =
            tables.iter().filter_map(|(_, (_, found))| found.as_ref()).map(|found| found.differing).sum();
        let distinct = if differing == 0 {
            format!("one person, counted once: {}", sizes(true))
        } else {
            format!("one person, counted once: possible once the rows agree ({differing} differ)")
        };
        let mut answers = vec![
            ("distinct = true", distinct),
            (
                "first_by = \"COLUMN\"",
                format!("one row of each person, the first by a column: {}", sizes(true)),
            ),
            ("repeats = \"REASON\"", format!("different people share the value: {}", sizes(false))),
        ];
        let place = if let Some(attribute) = attribute {
            if shared {
                let entity = format!("all rows of a person, in nodes only: {}", sizes(true));
                answers.insert(2, ("role = \"entity\"", entity));
            }
            format!("under [[attribute]] `{}`", attribute.name)
        } else {
            "under [public]".to_owned()
        };
        lines.push(format!("is each row a person? Write {place} what is meant:"));
        for (key, effect) in answers {
            let line = match attribute {
                Some(_) => key.to_owned(),
                None => format!("person = {{ column = {}, {key} }}", toml_string(&column)),
            };
            lines.push(format!("  {line:<22} # {effect}"));
        }
        Ok(LocatedError::new(lines.join("\n")))
    }
}
