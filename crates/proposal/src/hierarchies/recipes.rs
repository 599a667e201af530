//! The hierarchies that can be built from values, and those that fit them.

use crate::HierarchySource;
use crate::hierarchies::found::AtHand;
use crate::hierarchies::ready;
use palmtop_tables::hierarchies::build::{Recipe, ValueKind};

/// The greatest number of levels of a built hierarchy, between the value and `*`.
const LEVELS: usize = 6;

/// The hierarchies that can be built from values of a kind, each once; the proposed one first.
pub(crate) fn built(kind: ValueKind, texts: &[String]) -> Vec<Recipe> {
    let build = |kind, levels| Recipe::build(texts.iter().map(String::as_str), kind, levels).ok();
    let mut recipes: Vec<Recipe> = build(kind, None).into_iter().collect();
    let more = (1..=LEVELS).filter_map(|levels| build(kind, Some(levels)));
    // Texts with the same length can be masked, whatever their meaning.
    let masked = (kind == ValueKind::Category).then(|| build(ValueKind::Code, None)).flatten();
    for recipe in more.chain(masked).chain([Recipe::Flat]) {
        if !recipes.contains(&recipe) {
            recipes.push(recipe);
        }
    }
    recipes
}

/// Whether a hierarchy has all values of an attribute.
pub(crate) fn takes(source: &HierarchySource, kind: ValueKind, texts: &[String], at_hand: &AtHand) -> bool {
    match source {
        HierarchySource::Built(recipe) => built(kind, texts).contains(recipe),
        HierarchySource::Ready(list) => ready::of(list.list, kind, texts).is_some(),
        found => at_hand
            .candidates
            .iter()
            .any(|candidate| candidate.source == *found && candidate.takes(kind, texts)),
    }
}
