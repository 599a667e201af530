//! The members of a set as a release writes them: plain, or as JSON strings if the plain text could be misread.

/// A label or a value as a member of a set, or as the label in front of exceptions.
pub(crate) fn member(text: &str) -> String {
    if needs_string(text) { string(text) } else { text.to_owned() }
}

/// A text as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}

/// Several members, with `, ` between them.
pub(crate) fn joined<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().map(member).collect::<Vec<_>>().join(", ")
}

/// The members in the inside of a set, each as its plain text.
///
/// # Errors
/// The text that was expected, without any value.
pub(crate) fn read(inner: &str) -> Result<Vec<String>, String> {
    let mut members = Vec::new();
    let mut rest = Some(inner);
    while let Some(text) = rest {
        let (member, after) = first_member(text)?;
        members.push(member);
        rest = match after {
            "" => None,
            _ => Some(after.strip_prefix(", ").ok_or("expected `, ` between the members of a set")?),
        };
    }
    Ok(members)
}

/// The first member of a text, and the rest of the text. A member that is not a JSON string ends before a comma.
fn first_member(text: &str) -> Result<(String, &str), String> {
    if text.starts_with('"') {
        return first_string(text);
    }
    let (member, after) = text.split_at(text.find(',').unwrap_or(text.len()));
    if needs_string(member) {
        return Err("expected a member of its set as a JSON string".to_owned());
    }
    Ok((member.to_owned(), after))
}

/// The JSON string at the beginning of a text, and the rest of the text.
///
/// # Errors
/// The text that was expected, without any value.
pub(crate) fn first_string(text: &str) -> Result<(String, &str), String> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match strings.next() {
        Some(Ok(member)) => Ok((member, &text[strings.byte_offset()..])),
        _ => Err("expected a JSON string after the quote in a set".to_owned()),
    }
}

fn needs_string(text: &str) -> bool {
    text.contains([',', '{', '}', '"', '\\']) || text.trim() != text
}
