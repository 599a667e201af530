//! A project of ARX as the sources of a proposal: its population as P, its research subset as T, and its settings as decisions.
//!
//! P is public. So it has the quasi-identifying columns only: ARX's other columns are those of the subset, or name people.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::hierarchies::found::AtHand;
use crate::hierarchies::hierarchy_source::ImportedHierarchy;
use crate::sources::declared::{Declared, SensitivePolicy};
use crate::sources::named::{ProposalError, Sources, SurveyStage, absolute};
use crate::sources::no_arx::NoArx;
use crate::sources::opened::Opened;
use crate::words::shown;
use crate::{Decision, Decisions, HierarchySource};
use palmtop_core::model::{Presence, Role, Weights};
use palmtop_core::progress::{Observer, Progress};
use palmtop_tables::arx::{ArxAttribute, ArxProject, Criterion, Diversity};
use palmtop_tables::error::DataError;
use palmtop_tables::read::TableSpec;

/// The program, in reasons.
const ARX: &str = "ARX";

/// A project of ARX, and where its tables are or go.
#[derive(Clone, Debug)]
pub struct ArxSources {
    /// The project file of ARX.
    pub project: PathBuf,
    /// The file to which P is written.
    pub public: PathBuf,
    /// T.
    pub private: ArxPrivate,
    /// A folder with further hierarchies.
    pub hierarchies: Option<PathBuf>,
    /// The roles that the analyst decided, by column. They decide which columns the tables have.
    pub roles: BTreeMap<String, Role>,
}

/// The source of T for a project of ARX.
#[derive(Clone, Debug)]
pub enum ArxPrivate {
    /// T is a table of the analyst.
    Table(TableSpec),
    /// T is the research subset, and is written to this file.
    Subset(PathBuf),
    /// The analyst named neither.
    Unnamed,
}

impl ArxSources {
    /// Reads the project, and T if it is a table of the analyst. Nothing is written.
    ///
    /// # Errors
    /// [`ProposalError`] if the project or a table cannot be read, or if T is not known; [`DataError::Cancelled`] if the observer
    /// stops the work.
    pub fn read(&self, observer: &mut Observer<SurveyStage>) -> Result<(Sources, Decisions), ProposalError> {
        let path = || self.project.clone();
        let mut project = ArxProject::read(&self.project)?;
        let columns: Vec<String> =
            project.attributes.iter().map(|attribute| attribute.name.clone()).collect();
        let is_table = matches!(self.private, ArxPrivate::Table(_));
        if let Some(column) = self.roles.keys().find(|column| !is_table && !columns.contains(column)) {
            return Err(NoArx::NoColumn { path: path(), column: column.clone(), columns }.into());
        }
        for attribute in &mut project.attributes {
            let decided = self.roles.get(&attribute.name).copied();
            // A column that is no quasi-identifier in ARX never gets into P.
            attribute.role = decided.filter(|role| *role != Role::Quasi).unwrap_or(attribute.role);
        }
        if project.columns(&[Role::Quasi]).is_empty() {
            return Err(NoArx::NoQuasi { path: path() }.into());
        }
        let private = match &self.private {
            ArxPrivate::Subset(_) | ArxPrivate::Unnamed if !project.has_subset() => {
                return Err(NoArx::NoSubset { path: path() }.into());
            }
            ArxPrivate::Unnamed => return Err(NoArx::Unnamed { path: path() }.into()),
            ArxPrivate::Subset(target) => {
                let roles = [Role::Quasi, Role::Sensitive, Role::Insensitive];
                Opened::of_listed(project.subset(&absolute(target)?, &roles), "private")?
            }
            ArxPrivate::Table(spec) => {
                let paths = spec.paths.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
                let spec = TableSpec { paths, ..spec.clone() };
                Opened::read(&spec, ("private", None), &Decisions::default(), &mut |done, total| {
                    observer(Progress { stage: SurveyStage::Private, done, total })
                })?
            }
        };
        let public = project.table(&absolute(&self.public)?, &[Role::Quasi]);
        let public = Opened::of_listed(public, "public")?;
        let folder = self.hierarchies.as_deref().map(absolute).transpose()?;
        let mut at_hand = AtHand::read(folder.as_deref())?;
        at_hand.leave_out(std::iter::once(self.project.as_path()));
        let mut settings = Settings::of(format!("{} of ARX {}", shown(&self.project), project.version));
        settings.tables(&project, is_table);
        for attribute in &project.attributes {
            settings.attribute(attribute, &mut at_hand)?;
        }
        settings.weights(&project);
        for criterion in &project.criteria {
            settings.criterion(criterion);
        }
        settings.suppression(&project);
        if is_table {
            settings.people();
        }
        if let Some(metric) = &project.metric {
            settings.note(format!(
                "the utility measure `{metric}` is no setting of a project: `anonymize --metric` selects one for each run"
            ));
        }
        let Settings { declared, decisions } = settings;
        Ok((Sources::of_opened(public, private, at_hand, declared), decisions))
    }
}

/// The settings of a project of ARX as those of a proposal.
struct Settings {
    declared: Declared,
    decisions: Decisions,
}

impl Settings {
    fn of(origin: String) -> Self {
        Self { declared: Declared { origin, ..Declared::default() }, decisions: Decisions::default() }
    }

    fn note(&mut self, note: String) {
        self.declared.notes.push(note);
    }

    fn decide(&mut self, decision: Decision) {
        self.decisions.0.push(decision);
    }

    /// Names the columns that the tables lack.
    fn tables(&mut self, project: &ArxProject, has_table: bool) {
        let named = |roles: &[Role]| {
            let names: Vec<String> = project.columns(roles).iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let identifying = named(&[Role::Identifier]);
        if !identifying.is_empty() {
            let tables = if has_table { "P does" } else { "P and T do" };
            self.note(format!("{tables} not have the identifying columns of ARX: {identifying}"));
        }
        let others = named(&[Role::Sensitive, Role::Insensitive]);
        if !others.is_empty() {
            self.note(format!(
                "P does not have the sensitive and insensitive columns of ARX, because an attacker who knows P would find people \
                 by them: {others}"
            ));
        }
        if has_table && project.has_subset() {
            self.note("the research subset is not used: the file for T is there, and is read".to_owned());
        }
    }

    /// The role, the hierarchy and the levels of a column.
    fn attribute(&mut self, attribute: &ArxAttribute, at_hand: &mut AtHand) -> Result<(), DataError> {
        let ArxAttribute { name, role, hierarchy, levels, microaggregation, weight: _ } = attribute;
        self.decide(Decision::DeclaredRole { attribute: name.clone(), role: *role, origin: ARX });
        if let Some(function) = microaggregation {
            self.note(format!(
                "`{name}`: the microaggregation `{function}` is not carried over; palmtop generalizes the column"
            ));
        }
        match hierarchy {
            _ if *role != Role::Quasi => {}
            Some(Ok(imported)) => {
                for note in &imported.notes {
                    self.note(format!("the hierarchy of `{name}`: {note}"));
                }
                let imported = ImportedHierarchy {
                    origin: self.declared.origin.clone(),
                    text: Arc::from(String::from_utf8_lossy(&imported.bytes)),
                    summary: imported.summary.clone(),
                };
                at_hand.add_imported(imported.clone())?;
                let source = HierarchySource::Imported(imported);
                self.declared.hierarchies.insert(name.clone());
                self.decide(Decision::Hierarchy { attribute: name.clone(), source });
            }
            Some(Err(why)) => {
                self.note(format!("the hierarchy of `{name}` is not carried over: {why}"));
            }
            None => {}
        }
        if *role == Role::Quasi {
            self.declared.quasi.insert(name.clone());
        }
        if *role == Role::Quasi && *levels != (None, None) {
            self.declared.levels.insert(name.clone(), *levels);
        }
        Ok(())
    }

    /// The weights of the quasi-identifiers, as the smallest whole numbers with their ratios.
    fn weights(&mut self, project: &ArxProject) {
        let quasi = project.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        let written: Vec<(&str, &str)> =
            quasi.filter_map(|found| Some((found.name.as_str(), found.weight.as_deref()?))).collect();
        if written.windows(2).all(|pair| pair[0].1 == pair[1].1) {
            return;
        }
        let list = written.iter().map(|(name, weight)| format!("`{name}` {weight}")).collect::<Vec<_>>();
        match whole_weights(written.iter().map(|(_, weight)| *weight)) {
            Some(weights) => {
                let names = written.iter().map(|(name, _)| (*name).to_owned());
                self.declared.weights.extend(names.zip(weights).filter(|(_, weight)| *weight != 1));
            }
            None => self.note(format!(
                "the attribute weights are not carried over ({}): their ratios are no whole numbers from 1 to {}",
                list.join(", "),
                Weights::MOST
            )),
        }
    }

    fn criterion(&mut self, criterion: &Criterion) {
        match criterion {
            Criterion::Presence(min, max) => match (min.parse::<Presence>(), max.parse::<Presence>()) {
                (Ok(min), Ok(max)) if min <= max => self.decide(Decision::DeclaredDelta(min, max)),
                _ => self.note(format!(
                    "δ from {min} to {max} is not carried over: expected two numbers from 0 to 1, the smaller one first"
                )),
            },
            Criterion::KAnonymity(k) => self.declared.policy.push(format!("k = {k}")),
            Criterion::KMap(k) => self.declared.policy.push(format!("k_map = {k}")),
            Criterion::LDiversity { of, kind } => {
                let entry = match kind {
                    Diversity::Distinct(least) => format!("distinct = {least}"),
                    Diversity::Entropy(least) => format!("entropy = {least}"),
                    Diversity::Recursive(factor, least) => format!("recursive = [{factor}, {least}]"),
                };
                self.declared.sensitive.push(SensitivePolicy { key: "l", entry, of: of.clone() });
            }
            Criterion::TCloseness { of, at_most } => {
                let entry = format!("at_most = \"{at_most}\"");
                self.declared.sensitive.push(SensitivePolicy { key: "t", entry, of: of.clone() });
            }
            Criterion::Inclusion => {}
            Criterion::Other(text) if text.contains("with hierarchical ground-distance") => self.note(format!(
                "the privacy model `{text}` is not carried over, because the hierarchy of a sensitive column has values of T: write that \
                 file yourself, and `t = {{ at_most = …, distance = \"hierarchy\" }}` under [policy]"
            )),
            Criterion::Other(text) => self.note(format!(
                "the privacy model `{text}` is not carried over: palmtop does not have it, or defines it differently"
            )),
        }
    }

    /// The criteria of a project whose T is a table of the analyst: ARX counts them over other people.
    fn people(&mut self) {
        let has_share = |line: &String| line.starts_with("suppress_at_most");
        if self.declared.sensitive.is_empty() && !self.declared.policy.iter().any(has_share) {
            return;
        }
        self.note(
            "`l`, `t` and `suppress_at_most` are carried over, and are about T here; in ARX they are about the research subset of the \
             project, or about all its rows if it has none"
                .to_owned(),
        );
    }

    fn suppression(&mut self, project: &ArxProject) {
        let Some(limit) = &project.suppression_limit else { return };
        match limit.parse::<Presence>() {
            Ok(share) if share == Presence::ZERO => {}
            Ok(share) if share < Presence::ONE => {
                self.declared.policy.push(format!("suppress_at_most = \"{limit}\""));
            }
            _ => self.note(format!(
                "the suppression limit {limit} is not carried over, because it permits a release without anyone; everyone of T is \
                 published, unless you set `suppress_at_most` under [policy]"
            )),
        }
    }
}

/// The smallest whole numbers with the ratios of some decimals; `None` if one is 0 or a number is too large.
fn whole_weights<'a>(weights: impl Iterator<Item = &'a str> + Clone) -> Option<Vec<u32>> {
    let places = |weight: &str| weight.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let most = weights.clone().map(places).max()?;
    let whole = |weight: &str| -> Option<u64> {
        let zeros = "0".repeat(most - places(weight));
        (weight.replacen('.', "", 1) + &zeros).parse().ok()
    };
    let whole: Vec<u64> = weights.map(whole).collect::<Option<_>>()?;
    let divisor = whole.iter().copied().fold(0, greatest_common_divisor);
    let smallest = |weight: u64| u32::try_from(weight.checked_div(divisor)?).ok();
    let smallest: Vec<u32> = whole.into_iter().map(smallest).collect::<Option<_>>()?;
    smallest.iter().all(|weight| (1..=Weights::MOST).contains(weight)).then_some(smallest)
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_become_smallest_whole_numbers_with_equal_ratios() {
        for (weights, expected) in [
            (["0.5", "1", "0.5"], Some(vec![1, 2, 1])),
            (["0.75", "0.5", "1"], Some(vec![3, 2, 4])),
            (["0", "0.5", "1"], None),
            (["0.001", "0.5", "1"], None),
            (["0", "0", "0"], None),
            (["99999999999999999999", "1", "1"], None),
        ] {
            assert_eq!(whole_weights(weights.into_iter()), expected, "{weights:?}");
        }
    }
}
