//! Markdown of the reference pages.

use std::fmt::Write as _;

/// A table of Markdown.
pub(super) fn table<const N: usize>(
    heading: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = [const { "---" }; N].map(str::to_owned);
    let mut table = row(&heading.map(str::to_owned));
    writeln!(table, "|{}|", rule.join("|")).unwrap();
    table.extend(rows.into_iter().map(|cells| row(&cells)));
    table
}

/// A name as code.
pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}
