//! The loaded project in the types of the verifier.

use std::num::NonZeroU32;

use crate::pipeline::PipelineError;
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Cuts, Delta, EmptyRegions, Level};
use palmtop_project::{Attribute, PrivateSource, Project, Repeated};
use palmtop_tables::encode::Readings;
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::pseudonym::{PseudonymForm, PseudonymRule};
use palmtop_tables::read::{Header, OneRow, RowName, RowRules, TableSpec};
use palmtop_tables::reading::{Form, NumberForm, Reading};
use palmtop_verify::{
    self as verify, AttributeSpec, DateNotation, HierarchySource, Limits, NotInPublic, Notation, OtherDelta,
    PseudonymSpec, Spelling, TableNotation, TableSource, VerifySpec,
};

/// The project as it was loaded, for the verifier.
///
/// The verifier reads the project file again with a separate reader. Both readings must be equal.
pub(in crate::pipeline) fn verify_spec(project: &Project, delta: Delta) -> Result<VerifySpec, PipelineError> {
    let loaded = loaded_spec(project, delta);
    let other = OtherDelta { min: Some(delta.min()), max: Some(delta.max()) };
    let read = VerifySpec::of_project(&project.path, other);
    match read.map(|read| loaded.first_difference(&read)) {
        Ok(None) => Ok(loaded),
        Ok(Some(part)) => {
            let problem = format!(
                "{part} differs from what was loaded: the file or its tables have changed, or the two readers of palmtop disagree"
            );
            let remedy = "load the project again; nothing was verified";
            Err(LocatedError::new(problem).in_named("project", &project.path).remedy(remedy).into())
        }
        Err(error) => Err(LocatedError::new(format!("the reader of `verify`: {error}")).into()),
    }
}

/// The loaded project in the types of the verifier.
fn loaded_spec(project: &Project, delta: Delta) -> VerifySpec {
    let attribute = |attribute: &Attribute| AttributeSpec {
        name: attribute.name.clone(),
        role: attribute.role,
        public_column: attribute.public_column.clone(),
        private_column: project.private_column(attribute).to_owned(),
        hierarchy: match (&attribute.hierarchy, &attribute.value_tree) {
            (Some(file), _) => Some(HierarchySource {
                path: file.path.clone(),
                kind: file.kind,
                public_level: file.public_level,
            }),
            (None, tree) => {
                tree.clone().map(|path| HierarchySource { path, kind: None, public_level: Level(0) })
            }
        },
        limits: Limits {
            finest: attribute.levels.finest,
            coarsest: attribute.levels.coarsest,
            labels: attribute.cuts == Cuts::Labels
                || attribute
                    .hierarchy
                    .as_ref()
                    .is_some_and(|file| attribute.levels.finest > Some(file.public_level)),
            terms: attribute.terms.map(NonZeroU32::get),
            borders: attribute.borders,
        },
        publish: attribute.publish,
        is_entity: attribute.is_entity,
        repeated: if attribute.is_entity {
            verify::Repeated::Shared { is_reasoned: false }
        } else {
            repeated(&attribute.repeated)
        },
        pseudonym: attribute.pseudonym.as_ref().map(pseudonym_spec),
        spelling: spelling(&attribute.readings),
    };
    VerifySpec {
        project: Some(project.path.clone()),
        public: table_source(&project.public.table),
        count: project.public.count.as_ref().map(|count| verify::CountSource {
            column: count.column.clone(),
            texts: count.texts.clone(),
            number: count.number.map(notation),
            is_fetched: project.public.source.as_ref().is_some_and(|source| source.count.is_none()),
        }),
        person: project
            .public
            .person
            .as_ref()
            .filter(|_| project.public.source.is_none())
            .map(|person| (person.column.clone(), repeated(&person.repeated))),
        missing: project.missing.clone(),
        private: match &project.private {
            PrivateSource::Table(table) => verify::PrivateSource::Table(table_source(table)),
            PrivateSource::Member(member) => {
                verify::PrivateSource::Member { column: member.column.clone(), is: member.is.clone() }
            }
        },
        attributes: project.attributes.iter().map(attribute).collect(),
        unlisted_dropped: project.drop_unlisted,
        not_in_public: match project.outsiders {
            OutsiderRule::Refuse => NotInPublic::Refuse,
            OutsiderRule::Drop => NotInPublic::Drop,
            OutsiderRule::Add => NotInPublic::Add,
        },
        delta,
        forbids_empty: project.empty_regions == EmptyRegions::Forbid,
        policy: project.policy.clone(),
        suppress_at_most: project.suppress_at_most.clone(),
    }
}

/// What rows with one value of an identifier are.
fn repeated(repeated: &Repeated) -> verify::Repeated {
    match repeated {
        Repeated::Unsaid => verify::Repeated::Unsaid,
        Repeated::Shared(reason) => verify::Repeated::Shared { is_reasoned: reason.is_some() },
        Repeated::Person(OneRow::Distinct) => verify::Repeated::Distinct,
        Repeated::Person(OneRow::FirstBy(column)) => verify::Repeated::FirstBy(column.clone()),
    }
}

/// How the verifier recomputes pseudonyms.
fn pseudonym_spec(rule: &PseudonymRule) -> PseudonymSpec {
    match rule {
        PseudonymRule::New => PseudonymSpec::New,
        PseudonymRule::Keyed(keyed) => PseudonymSpec::Keyed {
            key: keyed.key.clone(),
            domain: keyed.domain.clone(),
            are_digits: keyed.form == PseudonymForm::Digits,
        },
    }
}

/// How the verifier reads the texts of a quasi-identifier.
fn spelling(readings: &Readings) -> Spelling {
    let writing = |reading: &Reading| TableNotation {
        trim: reading.trim,
        values: reading.values.clone(),
        missing: reading.missing.clone(),
        notation: match &reading.form {
            Form::Text => Notation::Text,
            Form::Number(form) => notation(*form),
            Form::Date(form) => {
                Notation::Date(DateNotation { pattern: form.pattern().to_owned(), pivot: form.pivot() })
            }
        },
    };
    Spelling {
        public: writing(&readings.public),
        private: writing(&readings.private),
        missing_label: readings.public.missing_label.clone(),
        missing_at_top: readings.missing_at_top,
    }
}

/// How the verifier reads numbers.
fn notation(form: NumberForm) -> Notation {
    let (first, last) = form.open();
    Notation::Number { decimal: form.decimal(), thousands: form.thousands(), first, last }
}

/// Which rows are people, for the verifier.
fn rows_source(rows: &RowRules) -> verify::RowsSource {
    let named = |rows: &[RowName]| {
        let row = |row: &RowName| match row {
            RowName::Number(number) => verify::NamedRow::Number(*number),
            RowName::Text(text) => verify::NamedRow::Text(text.clone()),
        };
        rows.iter().map(row).collect()
    };
    verify::RowsSource {
        naming: match &rows.header {
            Header::Unsaid => verify::Naming::Unsaid,
            Header::InFile => verify::Naming::First,
            Header::None => verify::Naming::Counted,
            Header::Are(given) => verify::Naming::Given(given.clone()),
        },
        leave_out: named(&rows.leave_out),
        keep: named(&rows.keep),
        hidden_are_people: rows.hidden_are_people,
    }
}

/// The files of a table and their format, for the verifier.
fn table_source(table: &TableSpec) -> TableSource {
    TableSource {
        paths: table.paths.clone(),
        separator: table.separator,
        quote: table.quote.mark(),
        encoding: table.encoding.map(|encoding| encoding.to_string()),
        sheet: table.sheet.clone(),
        header_row: table.header_row,
        rows: rows_source(&table.rows),
    }
}
