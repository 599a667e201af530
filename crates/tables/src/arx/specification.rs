//! ARX's hierarchy specification (`.ahs`): a builder of ARX as a serialized Java object.

use rust_decimal::Decimal;

use super::dates::Dates;
use super::intervals::{Bounds, Interval, Intervals};
use super::java::{self, Value};
use super::label::Function;
use super::object::Node;
use super::order::{Order, Sorting};
use super::part::{Groups, has_no_counterpart, lacks};
use super::redaction::Redaction;

/// A builder of ARX.
#[derive(Debug)]
pub(super) enum Specification {
    Intervals(Intervals),
    Order(Order),
    Redaction(Redaction),
    Dates(Dates),
}

/// The most groups of a specification.
const MOST_GROUPS: usize = 100_000;

/// Reads a specification.
///
/// # Errors
/// What is wrong with the file, or which part has no counterpart.
pub(super) fn read(bytes: &[u8]) -> Result<Specification, String> {
    let stream = java::read(bytes).map_err(|error| format!("{error}; expected a file that ARX saved"))?;
    let root = Node::root(&stream);
    of_builder(root)
}

fn of_builder(root: Node) -> Result<Specification, String> {
    const PACKAGE: &str = "org.deidentifier.arx.aggregates.";
    let name = root.class().strip_prefix(PACKAGE);
    match name {
        Some("HierarchyBuilderIntervalBased") => intervals(root).map(Specification::Intervals),
        Some("HierarchyBuilderOrderBased") => order(root).map(Specification::Order),
        Some("HierarchyBuilderRedactionBased") => redaction(root).map(Specification::Redaction),
        Some("HierarchyBuilderDate") => Dates::read(root).map(Specification::Dates),
        Some("HierarchyBuilderPriorityBased") => Err(has_no_counterpart(
            "a priority-based hierarchy, which depends on the frequencies of the data",
        )),
        _ => {
            let class = if root.class().is_empty() { "a text or an array" } else { root.class() };
            Err(format!("the file has {class}, and no hierarchy builder of ARX"))
        }
    }
}

fn intervals(root: Node) -> Result<Intervals, String> {
    let is_decimal = match root.node("datatype").map(Node::short_class) {
        Some("ARXInteger") => false,
        Some("ARXDecimal") => true,
        Some("ARXDate") => return Err(has_no_counterpart("intervals of dates")),
        _ => return Err(lacks("datatype")),
    };
    check_format(root)?;
    let list = root.node("intervals").and_then(Node::elements).ok_or_else(|| lacks("intervals"))?;
    let interval = |node: &Node| {
        let bound = |name| number(*node, name)?.ok_or_else(|| lacks(name));
        let function = node.node("function").ok_or_else(|| lacks("function"))?;
        let function = Function::read(function).map_err(|part| has_no_counterpart(&part))?;
        Ok(Interval { min: bound("min")?, max: bound("max")?, function })
    };
    let intervals = list.iter().map(interval).collect::<Result<Vec<_>, String>>()?;
    let bounds = |name| {
        let range = root.node(name).ok_or_else(|| lacks(name))?;
        Ok::<_, String>(Bounds {
            repeat: number(range, "repeatBound")?,
            snap: number(range, "snapBound")?,
            label: number(range, "labelBound")?,
        })
    };
    Intervals::new(intervals, bounds("lowerRange")?, bounds("upperRange")?, levels(root)?, is_decimal)
}

/// Refuses a number format: labels of ARX would have it.
fn check_format(root: Node) -> Result<(), String> {
    let datatype = root.node("datatype");
    match datatype.and_then(|datatype| datatype.text("string").or_else(|| datatype.text("formatString"))) {
        Some(format) => Err(has_no_counterpart(&format!("the number format `{format}`"))),
        None => Ok(()),
    }
}

/// A number of an interval; `None` if it is null.
fn number(node: Node, name: &str) -> Result<Option<Decimal>, String> {
    let Some(boxed) = node.node(name) else { return Ok(None) };
    let number = match boxed.as_number() {
        Some(Value::Whole(number)) => Some(Decimal::from(number)),
        // The shortest text of the number is what a person typed.
        Some(Value::Real(number)) => Decimal::from_str_exact(&number.to_string()).ok(),
        _ => None,
    };
    number.map(Some).ok_or_else(|| format!("`{name}` is no number of at most 28 digits"))
}

fn levels(root: Node) -> Result<Vec<Groups>, String> {
    let map = root.node("groups").and_then(Node::entries).ok_or_else(|| lacks("groups"))?;
    let mut levels: Vec<(i64, Groups)> = Vec::new();
    let mut count = 0;
    for (_, level) in map {
        let number = level.whole("level").ok_or_else(|| lacks("level"))?;
        let mut groups = Vec::new();
        for group in level.node("list").and_then(Node::elements).ok_or_else(|| lacks("list"))? {
            let size =
                group.whole("size").and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0);
            let size = size.ok_or_else(|| format!("level {number} has a group without a positive size"))?;
            let function = group.node("function").ok_or_else(|| lacks("function"))?;
            groups.push((size, Function::read(function).map_err(|part| has_no_counterpart(&part))?));
            count += 1;
            if count > MOST_GROUPS {
                return Err(format!("there are more than {MOST_GROUPS} groups"));
            }
        }
        levels.push((number, groups));
    }
    levels.sort_by_key(|(number, _)| *number);
    // The last level of ARX may be without groups.
    if levels.last().is_some_and(|(_, groups)| groups.is_empty()) {
        levels.pop();
    }
    for (expected, (number, groups)) in (0..).zip(&levels) {
        if *number != expected || groups.is_empty() {
            return Err(format!("level {expected} has no groups"));
        }
    }
    Ok(levels.into_iter().map(|(_, groups)| groups).collect())
}

fn order(root: Node) -> Result<Order, String> {
    let datatype = root.node("datatype").ok_or_else(|| lacks("datatype"))?;
    let is_number = match datatype.short_class() {
        "ARXInteger" | "ARXDecimal" => true,
        "ARXString" => false,
        "ARXOrderedString" => return Err(has_no_counterpart("the data type Ordinal")),
        "ARXDate" => return Err(has_no_counterpart("an order of dates")),
        _ => return Err(lacks("datatype")),
    };
    let sorting = match root.node("comparator") {
        None => Sorting::AsGiven,
        Some(comparator) => match comparator.node("val$map") {
            Some(map) => {
                let entries = map.entries().ok_or_else(|| lacks("val$map"))?;
                let mut listed = Vec::new();
                for (text, position) in entries {
                    let text = text.as_text().ok_or_else(|| lacks("val$map"))?;
                    let position = position.whole("value").ok_or_else(|| lacks("val$map"))?;
                    listed.push((position, text.to_owned()));
                }
                listed.sort();
                Sorting::Listed(listed.into_iter().map(|(_, text)| text).collect())
            }
            None if comparator.node("val$type").is_some() && comparator.node("val$comparator").is_none() => {
                Sorting::ByValue
            }
            None => return Err(has_no_counterpart("an order that a program defines")),
        },
    };
    check_format(root)?;
    Ok(Order { sorting, is_number, levels: levels(root)? })
}

fn redaction(root: Node) -> Result<Redaction, String> {
    let is_from_right = |name: &str| match root.node(name).and_then(Node::as_constant) {
        Some("RIGHT_TO_LEFT") => Ok(true),
        Some("LEFT_TO_RIGHT") => Ok(false),
        _ => Err(lacks(name)),
    };
    let character = |name| root.character(name).ok_or_else(|| lacks(name));
    let length = match root.node("maxValueLength").and_then(Node::as_number) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 200")]
        Some(Value::Real(length)) if (1.0..=200.0).contains(&length) => Some(length as usize),
        _ => None,
    };
    Ok(Redaction {
        is_aligned_right: is_from_right("aligmentOrder")?,
        hides_right: is_from_right("redactionOrder")?,
        padding: character("paddingCharacter")?,
        hidden: character("redactionCharacter")?,
        length,
    })
}
