//! A valid δ-presence problem: quasi-identifiers, histogram and policy. Every search takes one.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::asking::Belief;
use super::criterion::ClassData;
use super::declared::{Cuts, Declared, Levels};
use super::delta::{Delta, PresenceBounds};
use super::error::ModelError;
use super::hierarchy::{Code, Hierarchy, Level};
use super::histogram::Histogram;
use super::lattice::Lattice;
use super::people::People;
use super::policy::{Criteria, EmptyRegions, Policy};
use super::presence::{Counts, Presence};
use super::ranges::Ranges;
use super::sensitive::SensitiveValues;
use super::suppression::Suppression;
use super::tables::{QuasiIdentifier, Tables};
use super::weights::Weights;

/// A δ-presence problem. Its tables are not empty, and its histogram fits its hierarchies.
///
/// Cloning is cheap: the histogram is shared.
#[derive(Clone, Debug)]
pub struct Problem {
    tables: Tables,
    declared: Declared,
    policy: Policy,
}

impl Problem {
    /// Checks the parts and creates a problem. Each row is a person until
    /// `with_people` adds people.
    ///
    /// # Errors
    /// A [`ModelError`]: no quasi-identifier, an empty table, or a histogram that does not fit the
    /// hierarchies.
    pub fn new(
        quasi: Vec<QuasiIdentifier>,
        histogram: Histogram,
        delta: Delta,
        empty_regions: EmptyRegions,
    ) -> Result<Self, ModelError> {
        let tables = Tables::new(quasi.into(), histogram)?;
        let policy = Policy::new(delta, empty_regions, Criteria::default(), tables.histogram.total());
        Ok(Self { declared: Declared::nothing(tables.quasi.len()), tables, policy })
    }

    /// The same tables under another δ. The rest of the policy is unchanged.
    #[must_use]
    pub fn with_delta(&self, delta: Delta) -> Self {
        self.under(delta, self.empty_regions(), self.policy.criteria().clone())
    }

    /// The same tables, with empty regions allowed or forbidden.
    #[must_use]
    pub fn with_empty_regions(&self, empty_regions: EmptyRegions) -> Self {
        self.under(self.delta(), empty_regions, self.policy.criteria().clone())
    }

    /// The same tables with exactly these criteria in addition to δ.
    #[must_use]
    pub fn with_criteria(&self, criteria: Criteria) -> Self {
        self.under(self.delta(), self.empty_regions(), criteria)
    }

    /// The same tables with this limit on the share of T's members that may be withdrawn.
    #[must_use]
    pub fn with_suppression(&self, suppression: Suppression) -> Self {
        Self { policy: self.policy.clone().with_suppression(suppression), ..self.clone() }
    }

    /// The same tables with one declaration of cuts for each quasi-identifier.
    ///
    /// # Panics
    /// If the number of declarations differs from the number of quasi-identifiers.
    #[must_use]
    pub fn with_cuts(&self, cuts: Vec<Cuts>) -> Self {
        assert_eq!(cuts.len(), self.quasi().len(), "a declaration for every quasi-identifier");
        Self { declared: Declared { cuts: cuts.into(), ..self.declared.clone() }, ..self.clone() }
    }

    /// The same tables with one limit of levels for each quasi-identifier.
    ///
    /// # Errors
    /// A [`ModelError`] if a hierarchy lacks such a level, or if the finest level is above
    /// the coarsest.
    ///
    /// # Panics
    /// If the number of limits differs from the number of quasi-identifiers.
    pub fn with_levels(&self, levels: Vec<Levels>) -> Result<Self, ModelError> {
        assert_eq!(levels.len(), self.quasi().len(), "limits for every quasi-identifier");
        for (quasi, &limits) in self.quasi().iter().zip(&levels) {
            let (base, top) = (quasi.hierarchy.base(), quasi.hierarchy.top());
            let (finest, coarsest) = (limits.finest.unwrap_or(base), limits.coarsest.unwrap_or(top));
            if finest < base || coarsest > top || finest > coarsest {
                return Err(ModelError::Invalid(format!(
                    "`{}`: `levels = \"{limits}\"`: its hierarchy has the levels {base} to {top} here; expected two of them such as \"{base}-{top}\", the finer one first, or one",
                    quasi.name
                )));
            }
        }
        Ok(Self { declared: Declared { levels: levels.into(), ..self.declared.clone() }, ..self.clone() })
    }

    /// The same tables with one limit on the terms of published sets for each quasi-identifier.
    ///
    /// A set has one term for each label, value and exception of its shortest description. One term
    /// is a label, so this limit cuts regions between labels only.
    ///
    /// # Panics
    /// If the number of limits differs from the number of quasi-identifiers.
    #[must_use]
    pub fn with_terms(&self, terms: Vec<Option<NonZeroU32>>) -> Self {
        assert_eq!(terms.len(), self.quasi().len(), "a limit for every quasi-identifier");
        let is_label = |attribute: usize| terms[attribute] == Some(NonZeroU32::MIN);
        let cuts = (0..terms.len()).map(|attribute| match self.declared.cuts[attribute] {
            Cuts::Values if is_label(attribute) => Cuts::Labels,
            declared => declared,
        });
        let labels = (0..terms.len()).map(|attribute| self.declared.labels[attribute] || is_label(attribute));
        let declared = Declared {
            cuts: cuts.collect(),
            labels: labels.collect(),
            terms: terms.into(),
            ..self.declared.clone()
        };
        Self { declared, ..self.clone() }
    }

    /// The same tables with one level of borders for each quasi-identifier. Regions are cut between
    /// labels of this level only, and their ranges are ranges of these labels.
    ///
    /// # Errors
    /// A [`ModelError`] if a hierarchy lacks the level, if its values are not ordered, or if its labels
    /// are not ranges of values.
    ///
    /// # Panics
    /// If the number of levels differs from the number of quasi-identifiers.
    pub fn with_borders(&self, borders: &[Option<Level>]) -> Result<Self, ModelError> {
        assert_eq!(borders.len(), self.quasi().len(), "a level for every quasi-identifier");
        for (attribute, (quasi, level)) in self.quasi().iter().zip(borders).enumerate() {
            let (Some(level), hierarchy) = (*level, &quasi.hierarchy) else { continue };
            let (base, top) = (hierarchy.base(), hierarchy.top());
            let wrong = if !hierarchy.kind().is_ordered() {
                Some("its values are categories, which have no ranges; remove the line".to_owned())
            } else if level < base || level >= top || level > self.coarsest(attribute) {
                let most = self.coarsest(attribute).0.min(top.0.saturating_sub(1));
                Some(format!("expected a level of its hierarchy from {base} to {most}"))
            } else if !hierarchy.labels_of(level).is_sorted() {
                Some("the labels of this level are not ranges of values; choose another level".to_owned())
            } else {
                None
            };
            if let Some(wrong) = wrong.or_else(|| self.collision(attribute, level)) {
                return Err(ModelError::Invalid(format!("`{}`: `borders = {level}`: {wrong}", quasi.name)));
            }
        }
        let borders = borders.iter().zip(self.quasi());
        // At the base, every value is a border.
        let borders = borders.map(|(level, quasi)| level.filter(|level| *level > quasi.hierarchy.base()));
        let declared = Declared { borders: borders.collect(), ..self.declared.clone() };
        Ok(Self { declared, ..self.clone() })
    }

    /// Why some range of labels of a level would have the text of a label with other values.
    fn collision(&self, attribute: usize, level: Level) -> Option<String> {
        let (hierarchy, occurs) = (self.hierarchy(attribute), |code| self.occurs(attribute, code));
        // At the base, every value is a border.
        if level == hierarchy.base() {
            return None;
        }
        let found = Ranges::of(hierarchy, level, occurs).collision(hierarchy, occurs)?;
        let ([first, last], range) = (&found.labels, &found.range);
        Some(format!(
            "the range from `{first}` to `{last}` would be written `{range}`, which is a label of level {} with other \
             values; rename the label",
            found.level
        ))
    }

    /// The same tables with these weights of the quasi-identifiers in losses.
    ///
    /// # Panics
    /// If the number of weights differs from the number of quasi-identifiers.
    #[must_use]
    pub fn with_weights(&self, weights: Weights) -> Self {
        assert_eq!(weights.len(), self.quasi().len(), "a weight for every quasi-identifier");
        Self { declared: Declared { weights, ..self.declared.clone() }, ..self.clone() }
    }

    /// The same tables with another hierarchy over the leaves of a quasi-identifier. Everything
    /// else is unchanged.
    ///
    /// # Panics
    /// If the problem has no such quasi-identifier, or if the number of leaves differs.
    #[must_use]
    pub fn with_hierarchy(&self, attribute: usize, hierarchy: Hierarchy) -> Self {
        let leaves = self.hierarchy(attribute).leaf_count();
        assert_eq!(hierarchy.leaf_count(), leaves, "a hierarchy over the same leaves");
        let mut quasi = self.quasi().to_vec();
        quasi[attribute].hierarchy = hierarchy;
        self.with_tables(Tables { quasi: quasi.into(), ..self.tables.clone() })
    }

    /// The same tables with the sensitive values of T's members, which some criteria need.
    ///
    /// # Panics
    /// If a unit has another number of members than of their values.
    #[must_use]
    pub fn with_sensitive(&self, values: SensitiveValues) -> Self {
        assert!(values.is_of(self.unit_counts()), "the values of T's members");
        self.with_tables(Tables { sensitive: Some(Arc::new(values)), ..self.tables.clone() })
    }

    /// The same tables counted in people: a person may have several rows, and the policy applies to
    /// classes of people. The result has no sensitive values, because they refer to units.
    ///
    /// # Errors
    /// A [`ModelError`] if P or T has no people, or if they do not have exactly the rows of the tables.
    pub fn with_people(&self, people: People) -> Result<Self, ModelError> {
        let counted = self.with_tables(self.tables.with_people(people)?);
        Ok(counted.under(self.delta(), self.empty_regions(), self.policy.criteria().clone()))
    }

    fn with_tables(&self, tables: Tables) -> Self {
        Self { tables, declared: self.declared.clone(), policy: self.policy.clone() }
    }

    /// The same P and the same declarations with another T: `members` has the number of members of
    /// each unit.
    ///
    /// The result has no sensitive values, because those of other members are unknown.
    ///
    /// # Errors
    /// A [`ModelError`] if T has no members, or if a unit has more members than people.
    ///
    /// # Panics
    /// If the number of entries differs from the number of units.
    pub fn with_members(&self, members: &[u64]) -> Result<Self, ModelError> {
        let (histogram, units) = (self.histogram(), self.unit_counts());
        assert_eq!(members.len(), units.len(), "a number for every unit");
        let columns = (0..histogram.width()).map(|column| histogram.column(column).to_vec()).collect();
        let counts: Vec<Counts> =
            units.iter().zip(members).map(|(unit, &members)| Counts::new(unit.public, members)).collect();
        let people = self.people().map(|people| people.with_counts(counts.clone())).transpose()?;
        let rows = people.as_ref().and_then(|people| people.by_combination(histogram.len()));
        let histogram = Histogram::new(columns, rows.unwrap_or(counts))?;
        let tables = Tables { people, ..Tables::new(Arc::clone(&self.tables.quasi), histogram)? };
        let other = self.with_tables(tables);
        Ok(other.under(self.delta(), self.empty_regions(), self.policy.criteria().clone()))
    }

    /// The problem of some combinations, with the same declarations. Its T consists of the members
    /// of these combinations.
    ///
    /// `combinations` are indices into the histogram, ascending; their order is kept. The policy on
    /// a class is the same: no criterion depends on |P| or |T|. Criteria on sensitive values still
    /// compare with all of T. Members cannot be withdrawn, because the pool is judged over all of
    /// P.
    ///
    /// # Errors
    /// A [`ModelError`] if these combinations have no members.
    ///
    /// # Panics
    /// If there is no such combination, or if people are counted: some of a person's rows do not
    /// make a person.
    pub fn within(&self, combinations: &[u32]) -> Result<Self, ModelError> {
        assert!(self.people().is_none(), "rows are counted");
        let histogram = self.histogram();
        let of = |column: usize| {
            let codes = histogram.column(column);
            combinations.iter().map(|&index| codes[index as usize]).collect()
        };
        let counts = combinations.iter().map(|&index| histogram.counts()[index as usize]).collect();
        let histogram = Histogram::new((0..histogram.width()).map(of).collect(), counts)?;
        let policy = Policy::new(
            self.delta(),
            self.empty_regions(),
            self.policy.criteria().clone(),
            histogram.total(),
        );
        let sensitive = self.sensitive().map(|values| Arc::new(values.within(combinations)));
        let tables = Tables { sensitive, ..Tables::new(Arc::clone(&self.tables.quasi), histogram)? };
        let declared =
            Declared { belief: self.declared.belief.within(combinations), ..self.declared.clone() };
        Ok(Self { tables, declared, policy })
    }

    /// The same attributes over the combinations of T only. If people are counted, the result has
    /// the people of T and all rows.
    ///
    /// The criteria are the same, but they must not be applied to these counts.
    #[must_use]
    pub fn members_alone(&self) -> Self {
        if let Some(people) = self.people() {
            let people = Some(people.members_alone());
            return self.with_tables(Tables { people, sensitive: None, ..self.tables.clone() });
        }
        let histogram = self.histogram();
        let is_member = |&index: &u32| histogram.counts()[index as usize].private > 0;
        let members: Vec<u32> = (0..).take(histogram.len()).filter(is_member).collect();
        self.within(&members).expect("T has members, and their combinations are some of those of P")
    }

    /// The same people and declarations with other combinations under other hierarchies. Levels
    /// keep their numbers. The result has no sensitive values.
    ///
    /// # Panics
    /// If the arguments do not fit each other, or if people are counted: their rows refer to the
    /// old combinations.
    pub(super) fn with_combinations(
        &self,
        quasi: Vec<QuasiIdentifier>,
        columns: Vec<Vec<Code>>,
        counts: Vec<Counts>,
    ) -> Self {
        assert!(self.people().is_none(), "rows are counted");
        let histogram = Histogram::new(columns, counts).expect("sums of combinations are combinations");
        let declared = Declared {
            cuts: (0..self.quasi().len()).map(|attribute| self.cuts(attribute)).collect(),
            labels: (0..self.quasi().len()).map(|attribute| self.publishes_labels(attribute)).collect(),
            // The leaves are the labels between the borders.
            borders: vec![None; self.quasi().len()].into(),
            ranges: (0..self.quasi().len()).map(|attribute| self.ranges(attribute)).collect(),
            belief: Belief::Even,
            ..self.declared.clone()
        };
        let tables = Tables::new(quasi.into(), histogram).expect("codes of these hierarchies");
        Self { tables, declared, policy: self.policy.clone() }
    }

    /// The same rows, each counted as a person. No criterion is enforced, δ allows every class, and
    /// there are no sensitive values.
    pub(super) fn rows_alone(&self) -> Self {
        let anything = Delta::new(Presence::ZERO, Presence::ONE).expect("0 is at most 1");
        let policy =
            Policy::new(anything, EmptyRegions::Allow, Criteria::default(), self.histogram().total());
        let tables = Tables { people: None, sensitive: None, ..self.tables.clone() };
        Self { tables, declared: self.declared.clone(), policy }
    }

    fn under(&self, delta: Delta, empty_regions: EmptyRegions, criteria: Criteria) -> Self {
        let policy = Policy::new(delta, empty_regions, criteria, self.total());
        Self { policy: policy.with_suppression(self.policy.suppression()), ..self.clone() }
    }

    /// The same problem with a belief about who is in T. It must be public.
    ///
    /// # Panics
    /// If rates are not those of all combinations.
    #[must_use]
    pub fn with_belief(&self, belief: Belief) -> Self {
        if let Belief::Rates(rates) = &belief {
            assert_eq!(rates.len(), self.histogram().len(), "a rate for every combination");
        }
        Self { declared: Declared { belief, ..self.declared.clone() }, ..self.clone() }
    }

    /// What a search that asks questions believes about T.
    pub fn belief(&self) -> &Belief {
        &self.declared.belief
    }

    /// The weight of each quasi-identifier in losses.
    pub fn weights(&self) -> &Weights {
        &self.declared.weights
    }

    /// The policy that every class has to satisfy. It alone decides whether a class may be
    /// released.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The sensitive values of T's members; `None` if no criterion needed them when the tables were
    /// read.
    pub fn sensitive(&self) -> Option<&SensitiveValues> {
        self.tables.sensitive.as_deref()
    }

    /// The data by which a class is judged: these counts, and the sensitive values of the members
    /// of these combinations.
    pub fn class_data(&self, counts: Counts, combinations: impl IntoIterator<Item = u32>) -> ClassData {
        match self.sensitive() {
            Some(values) if counts.private > 0 => ClassData::with_values(counts, values.among(combinations)),
            _ => counts.into(),
        }
    }

    /// The quasi-identifiers, in project order.
    pub fn quasi(&self) -> &[QuasiIdentifier] {
        &self.tables.quasi
    }

    /// The hierarchy of one quasi-identifier.
    pub fn hierarchy(&self, attribute: usize) -> &Hierarchy {
        &self.tables.quasi[attribute].hierarchy
    }

    /// Where regions may be cut in a quasi-identifier: as declared, or only between labels if the
    /// limits of levels require labels.
    ///
    /// The limits require labels in two cases:
    ///
    /// - leaves are finer than the limit, so they must not appear as ends of ranges or in sets;
    /// - the labels of the coarsest level are not ranges of ordered values.
    ///
    /// O(leaves) if levels are limited from above.
    pub fn cuts(&self, attribute: usize) -> Cuts {
        match self.declared.cuts[attribute] {
            Cuts::Values if self.limits_need_labels(attribute) => Cuts::Labels,
            declared => declared,
        }
    }

    fn limits_need_labels(&self, attribute: usize) -> bool {
        let (hierarchy, coarsest) = (self.hierarchy(attribute), self.coarsest(attribute));
        let are_ranges = || {
            coarsest == hierarchy.top()
                || !hierarchy.kind().is_ordered()
                || hierarchy.labels_of(coarsest).is_sorted()
        };
        self.finest(attribute) > hierarchy.base() || !are_ranges()
    }

    /// Whether every side of a region in this quasi-identifier is a label of the hierarchy, never
    /// another range or set.
    pub fn publishes_labels(&self, attribute: usize) -> bool {
        self.declared.labels[attribute]
            || self.declared.cuts[attribute] == Cuts::Labels
            || self.limits_need_labels(attribute)
    }

    /// The largest number of terms of a published set; `None` if it is not limited. Ranges have one
    /// term, so only categories are limited, and those that publish labels need no limit.
    pub fn terms(&self, attribute: usize) -> Option<usize> {
        let is_limited = !self.hierarchy(attribute).kind().is_ordered() && !self.publishes_labels(attribute);
        self.declared.terms[attribute].filter(|_| is_limited).map(|terms| terms.get() as usize)
    }

    /// The level at whose labels ranges begin and end; `None` if they end at any value, or if regions
    /// publish labels.
    pub fn borders(&self, attribute: usize) -> Option<Level> {
        let level = self.declared.borders[attribute]?;
        let hierarchy = self.hierarchy(attribute);
        // A replaced hierarchy may have fewer levels, or labels that are no ranges.
        let is_possible = level < hierarchy.top()
            && level <= self.coarsest(attribute)
            && hierarchy.labels_of(level).is_sorted();
        (is_possible && !self.publishes_labels(attribute)).then_some(level)
    }

    /// The ranges that regions may publish; `None` if a range simply names two values of P, or if regions
    /// publish labels or sets. They depend on P and the hierarchy only. O(leaves).
    pub fn ranges(&self, attribute: usize) -> Option<Arc<Ranges>> {
        if let Some(known) = &self.declared.ranges[attribute] {
            return Some(Arc::clone(known));
        }
        let (hierarchy, occurs) = (self.hierarchy(attribute), |code| self.occurs(attribute, code));
        if !hierarchy.kind().is_ordered() || self.publishes_labels(attribute) {
            return None;
        }
        let ranges = match self.borders(attribute) {
            Some(level) => Some(Ranges::of(hierarchy, level, occurs)),
            None => Ranges::of_odd_values(hierarchy, occurs),
        };
        ranges.map(Arc::new)
    }

    /// The finest level that a region publishes: the finest permitted level, or that of the borders.
    pub fn region_floor(&self, attribute: usize) -> Level {
        self.borders(attribute).unwrap_or_else(|| self.finest(attribute))
    }

    /// Whether a region may publish every value of every quasi-identifier.
    pub fn region_floors_are_the_base(&self) -> bool {
        (0..self.quasi().len())
            .all(|attribute| self.region_floor(attribute) == self.hierarchy(attribute).base())
    }

    /// The finest level at which a quasi-identifier is published.
    pub fn finest(&self, attribute: usize) -> Level {
        let (base, coarsest) = (self.hierarchy(attribute).base(), self.coarsest(attribute));
        // A replaced hierarchy may have fewer levels.
        self.declared.levels[attribute].finest.map_or(base, |level| level.clamp(base, coarsest))
    }

    /// The coarsest level at which a quasi-identifier is published.
    pub fn coarsest(&self, attribute: usize) -> Level {
        let (base, top) = (self.hierarchy(attribute).base(), self.hierarchy(attribute).top());
        self.declared.levels[attribute].coarsest.map_or(top, |level| level.clamp(base, top))
    }

    /// Whether every quasi-identifier may be published at `*`.
    pub fn levels_reach_the_top(&self) -> bool {
        (0..self.quasi().len()).all(|attribute| self.coarsest(attribute) == self.hierarchy(attribute).top())
    }

    /// The distinct combinations of rows with their counts.
    pub fn histogram(&self) -> &Histogram {
        &self.tables.histogram
    }

    /// The people, if a person may have several rows; `None` if each row is a person.
    pub fn people(&self) -> Option<&People> {
        self.tables.people.as_ref()
    }

    /// The people of each counted unit. A unit is a combination, or, if people are counted, a
    /// distinct multiset of rows.
    pub fn unit_counts(&self) -> &[Counts] {
        self.people().map_or(self.histogram().counts(), People::counts)
    }

    /// The rows of each person of a unit, as ascending combinations: the unit itself if each row is a
    /// person.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn rows_of_unit<'a>(&'a self, unit: &'a u32) -> &'a [u32] {
        self.people().map_or(std::slice::from_ref(unit), |people| people.multiset(*unit as usize))
    }

    /// |P| and |T| in people.
    pub fn total(&self) -> Counts {
        self.people().map_or(self.histogram().total(), People::total)
    }

    /// Whether a leaf of a quasi-identifier occurs in the public table.
    pub fn occurs(&self, attribute: usize, code: Code) -> bool {
        self.tables.leaf_counts[attribute][code as usize].public > 0
    }

    /// The rows of P and T with each leaf of a quasi-identifier, in the order of codes. They were
    /// counted when the problem was created.
    pub fn leaf_counts(&self, attribute: usize) -> &[Counts] {
        &self.tables.leaf_counts[attribute]
    }

    /// δ, without whether classes may be empty.
    pub fn delta(&self) -> Delta {
        self.policy.delta()
    }

    /// δ as it judges classes: with whether they may be empty.
    pub fn bounds(&self) -> PresenceBounds {
        self.policy.bounds()
    }

    /// Whether regions may be empty. If δmin > 0, an empty region breaks δ in either case.
    pub fn empty_regions(&self) -> EmptyRegions {
        self.policy.empty_regions()
    }

    /// The lattice of the hierarchies, within the limits of levels.
    pub fn lattice(&self) -> Lattice {
        Lattice::between(
            (0..self.quasi().len()).map(|attribute| (self.finest(attribute), self.coarsest(attribute))),
        )
    }
}
