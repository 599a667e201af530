//! Words of a command line that messages and reports print.

/// A word for a shell: unchanged, or in single quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "@%+=:,./-_".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_words_need_no_quotes() {
        for word in ["p.toml", "--accept", "a/b_c-d", "k=5,l=3"] {
            assert_eq!(quoted(word), word);
        }
        for (word, safe) in
            [("", "''"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("$x", "'$x'"), ("ü", "'ü'")]
        {
            assert_eq!(quoted(word), safe);
        }
    }
}
