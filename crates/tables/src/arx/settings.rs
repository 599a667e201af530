//! The XML parts of an ARX project.

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};

/// The most elements and texts of a part.
const MOST_NODES: u32 = 5_000_000;

/// The settings of a column in `input/definition.xml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The name of the column.
    pub(super) name: String,
    /// The role, as ARX names it.
    pub(super) role: String,
    /// The part with the hierarchy, relative to `input/`.
    pub(super) hierarchy: Option<String>,
    /// The finest and the coarsest level that ARX may use; `None` for any.
    pub(super) levels: (Option<u8>, Option<u8>),
    /// The function of microaggregation, which then replaces generalization.
    pub(super) microaggregation: Option<String>,
}

/// The settings of `input/config.xml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Configuration {
    /// The criteria, as ARX writes them.
    pub(super) criteria: Vec<String>,
    /// The share of rows that may be suppressed, as ARX writes it.
    pub(super) suppression_limit: Option<String>,
    /// The utility measure, as ARX names it.
    pub(super) metric: Option<String>,
    /// The weights of columns, as ARX writes them.
    pub(super) weights: BTreeMap<String, String>,
}

/// The version of ARX that wrote the project, from `metadata.xml`.
pub(super) fn version(bytes: &[u8]) -> Result<String, String> {
    parse(bytes, "metadata", |root| {
        let vocabulary = text(root, "vocabulary").unwrap_or_default();
        if vocabulary != "2.0" {
            return Err(format!("its vocabulary is {vocabulary:?}; expected \"2.0\", which ARX 3 writes"));
        }
        Ok(text(root, "version").unwrap_or_default())
    })
}

/// The separator of the table and the hierarchies, from `project.xml`.
pub(super) fn separator(bytes: &[u8]) -> Result<u8, String> {
    parse(bytes, "project", |root| {
        let element = child(root, "separator").ok_or("it lacks `separator`, which ARX writes")?;
        match element.text().unwrap_or_default().as_bytes() {
            [separator] if separator.is_ascii() && !b"\"\r\n".contains(separator) => Ok(*separator),
            other => {
                Err(format!("its separator is {:?}; expected one character", String::from_utf8_lossy(other)))
            }
        }
    })
}

/// The columns of `input/definition.xml`, in their order.
pub(super) fn assignments(bytes: &[u8]) -> Result<Vec<Assignment>, String> {
    parse(bytes, "definition", |root| {
        let elements = root.children().filter(|node| node.has_tag_name("assigment"));
        elements.map(assignment).collect()
    })
}

fn assignment(element: Node) -> Result<Assignment, String> {
    let name = text(element, "name").ok_or("an `assigment` lacks `name`, which ARX writes")?;
    let level = |key| match text(element, key).as_deref() {
        None | Some("" | "All") => Ok(None),
        Some(written) => written.parse().map(Some).map_err(|_| {
            format!("`{key}` of `{name}` is {written:?}; expected \"All\" or a level, a whole number")
        }),
    };
    Ok(Assignment {
        levels: (level("min")?, level("max")?),
        role: text(element, "type").unwrap_or_default(),
        hierarchy: text(element, "ref"),
        microaggregation: text(element, "microAggregationFunction"),
        name,
    })
}

/// The settings of `input/config.xml`.
pub(super) fn configuration(bytes: &[u8]) -> Result<Configuration, String> {
    parse(bytes, "config", |root| {
        let all = |list, element| {
            let lists = root.children().filter(move |node| node.has_tag_name(list));
            lists.flat_map(move |list| list.children().filter(move |node| node.has_tag_name(element)))
        };
        let weight = |node: Node| Some((text(node, "attribute")?, text(node, "weight")?));
        Ok(Configuration {
            criteria: all("criteria", "criterion").map(content).collect(),
            suppression_limit: text(root, "relativeMaxOutliers"),
            metric: text(root, "metric"),
            weights: all("attributeWeights", "attributeWeight").filter_map(weight).collect(),
        })
    })
}

/// Parses a part, whose outermost element has this name. A document type, by which texts could grow
/// without limit, is refused.
fn parse<T>(bytes: &[u8], name: &str, read: impl FnOnce(Node) -> Result<T, String>) -> Result<T, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 ({error})"))?;
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| format!("no XML: {error}"))?;
    let root = document.root_element();
    if !root.has_tag_name(name) {
        return Err(format!("it begins with `{}`; expected `{name}`", root.tag_name().name()));
    }
    read(root)
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn text(node: Node, name: &str) -> Option<String> {
    child(node, name).map(content)
}

/// The text of an element, trimmed.
fn content(node: Node) -> String {
    let texts: String = node.children().filter_map(|child| child.text()).collect();
    texts.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_has_columns_in_their_order() {
        let xml = "<definition><assigment><name>zip &amp; town</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type>\
                   <ref>hierarchies/zip &amp; town.csv</ref><min>1</min><max>All</max></assigment>\
                   <assigment><name>note</name><type>INSENSITIVE_ATTRIBUTE</type></assigment></definition>";
        let found = assignments(xml.as_bytes()).unwrap();
        assert_eq!(
            found.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
            ["zip & town", "note"]
        );
        assert_eq!(found[0].levels, (Some(1), None));
        assert_eq!(found[0].hierarchy.as_deref(), Some("hierarchies/zip & town.csv"));
    }

    #[test]
    fn what_is_no_part_of_arx_is_refused() {
        let bomb = "<!DOCTYPE config [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><config>&b;</config>";
        assert!(configuration(bomb.as_bytes()).unwrap_err().contains("no XML"));
        assert_eq!(configuration(b"<a/>").unwrap_err(), "it begins with `a`; expected `config`");
        assert!(configuration(b"<config>").unwrap_err().contains("no XML"));
        assert!(configuration(b"\xff").unwrap_err().contains("not UTF-8"));
        assert!(
            version(b"<metadata><vocabulary>1.0</vocabulary></metadata>").unwrap_err().contains("\"1.0\"")
        );
        let level = "<definition><assigment><name>a</name><min>-1</min></assigment></definition>";
        assert!(assignments(level.as_bytes()).unwrap_err().contains("`min` of `a` is \"-1\""));
        assert!(separator(b"<project><separator>ab</separator></project>").unwrap_err().contains("\"ab\""));
        assert_eq!(separator(b"<project><separator>\t</separator></project>"), Ok(b'\t'));
        let deep = "<config>".repeat(100_000);
        configuration(deep.as_bytes()).unwrap_err();
    }
}
