//! The names of columns, as words.

/// A name in lower case, without blanks and marks between words.
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a name in lower case: `NativeCountry_2` is `native`, `country`, `2`.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for character in name.chars() {
        let begins = !before.is_alphanumeric()
            || (before.is_lowercase() && character.is_uppercase())
            || (before.is_alphabetic() && character.is_numeric());
        if character.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        before = character;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_at_marks_and_capitals() {
        for (name, expected) in [
            ("NativeCountry_2", vec!["native", "country", "2"]),
            ("date of birth", vec!["date", "of", "birth"]),
            ("zip5", vec!["zip", "5"]),
            ("ID", vec!["id"]),
            ("--", vec![]),
        ] {
            assert_eq!(words(name), expected);
        }
        assert_eq!(plain_name("Date-of Birth"), "dateofbirth");
    }
}
