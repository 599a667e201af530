//! A page of messages for the tests of every crate: one example of each variant of each error.
//!
//! A crate has one such page, `src/snapshots/messages.snap`. It is the only place that holds whole
//! sentences. Other tests look at the variant, the file, the line, the column and the value.

use std::fmt::Write;

/// A part of the page: a heading, and below it each name with its message.
pub fn block(heading: &str, examples: &[(&str, String)]) -> String {
    let mut block = format!("# {heading}\n");
    let mut last = "";
    for (name, message) in examples {
        if *name != last {
            // Writing to a string does not fail.
            let _ = write!(block, "\n{name}\n");
            last = name;
        }
        for line in message.lines() {
            let _ = writeln!(block, "    {line}");
        }
    }
    block
}

/// The page: all parts, sorted by heading.
pub fn page(mut blocks: Vec<String>) -> String {
    blocks.sort();
    blocks.join("\n\n")
}

/// The part of the page about one error: examples of each of its variants. A variant without an
/// example does not compile.
///
/// ```
/// #[derive(Debug)]
/// enum Wrong {
///     Nothing,
///     Number(u8),
/// }
/// # impl std::fmt::Display for Wrong {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, "{self:?} is wrong") }
/// # }
/// # impl std::error::Error for Wrong {}
/// let block = palmtop_terms::one_of_each!(Wrong {
///     Nothing => Wrong::Nothing;
///     Number => Wrong::Number(1), Wrong::Number(2);
/// });
/// assert_eq!(
///     block,
///     "# Wrong\n\nNothing\n    Nothing is wrong\n\nNumber\n    Number(1) is wrong\n    Number(2) is wrong\n"
/// );
/// ```
#[macro_export]
macro_rules! one_of_each {
    ($error:ident { $($variant:ident => $($example:expr),+;)+ }) => {{
        fn is_known(error: &$error) -> bool {
            match error { $($error::$variant { .. })|+ => true }
        }
        let mut examples = Vec::new();
        $($(
            let example: $error = $example;
            assert!(is_known(&example) && matches!(&example, $error::$variant { .. }), "{example}");
            examples.push((stringify!($variant), $crate::words::chain(&example)));
        )+)+
        $crate::message_page::block(stringify!($error), &examples)
    }};
}

/// Compares the parts of the page with the crate's snapshot `src/snapshots/messages.snap`.
#[macro_export]
macro_rules! assert_messages {
    ($($block:expr),+ $(,)?) => {{
        let page = $crate::message_page::page(vec![$($block),+]);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/src/snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("messages", page));
    }};
}
