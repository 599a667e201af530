//! What a single cell says.

/// Whether a cell is empty, but for blanks.
pub(crate) fn is_empty(cell: &str) -> bool {
    !cell.contains(|character| character != ' ')
}

/// Whether a cell begins with a digit, after signs.
pub(crate) fn starts_with_digit(cell: &str) -> bool {
    // Nearly all cells begin so.
    match cell.as_bytes() {
        [b'0'..=b'9', ..] => return true,
        [b'a'..=b'z' | b'A'..=b'Z', ..] => return false,
        _ => {}
    }
    let first = cell.chars().find(|character| character.is_alphanumeric());
    first.is_some_and(char::is_numeric)
}

/// Whether a cell is a word, but none for a missing value.
pub(super) fn is_word(cell: &str) -> bool {
    if starts_with_digit(cell) || !cell.contains(char::is_alphabetic) {
        return false;
    }
    let plain = cell.trim().to_ascii_lowercase();
    !matches!(
        plain.as_str(),
        "na" | "n/a"
            | "#n/a"
            | "nan"
            | "null"
            | "none"
            | "nil"
            | "unknown"
            | "missing"
            | "unbekannt"
            | "k.a."
            | "k. a."
            | "keine angabe"
            | "not available"
            | "not known"
            | "refused"
            | "inconnu"
            | "desconocido"
            | "not stated"
    )
}

/// The words of rows that sum up others.
const TOTALS: [&str; 21] = [
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sub-total",
    "sum",
    "summe",
    "gesamt",
    "gesamtsumme",
    "insgesamt",
    "zwischensumme",
    "somme",
    "suma",
    "total general",
    "mean",
    "average",
    "median",
    "mittelwert",
    "durchschnitt",
    "moyenne",
    "promedio",
];

/// The first letters of [`TOTALS`], and that of a number of people such as `n = 300`.
const FIRST: &[u8] = b"adgimnpstz";

/// Whether a cell is that of a row that sums up others.
pub(super) fn sums_up(cell: &str) -> bool {
    if cell.len() > 39 || cell.is_empty() || starts_with_digit(cell) {
        return false;
    }
    // Most cells begin with another letter.
    let first = cell.as_bytes()[0].to_ascii_lowercase();
    if first.is_ascii_alphabetic() && !FIRST.contains(&first) {
        return false;
    }
    let plain = cell.trim().trim_end_matches(['.', ':']).trim_end();
    if TOTALS.iter().any(|word| plain.eq_ignore_ascii_case(word)) || cell.trim() == "Σ" {
        return true;
    }
    let number =
        plain.strip_prefix(['n', 'N']).map(str::trim_start).and_then(|rest| rest.strip_prefix([':', '=']));
    number.is_some_and(|number| {
        let number = number.trim();
        number.starts_with(|first: char| first.is_ascii_digit())
            && number.chars().all(|digit| digit.is_ascii_digit() || ".,' \u{a0}\u{202f}".contains(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_total_sums_up_in_any_case() {
        for word in TOTALS {
            let upper = word.to_uppercase();
            let spaced = format!(" {word}: ");
            for cell in [word, upper.as_str(), spaced.as_str()] {
                assert!(sums_up(cell), "{cell:?}");
            }
        }
        for (cell, is_sum) in [
            ("n = 300", true),
            ("N: 1,200", true),
            ("\u{3a3}", true),
            ("n", false),
            ("Turin", false),
            ("7", false),
        ] {
            assert_eq!(sums_up(cell), is_sum, "{cell:?}");
        }
    }

    #[test]
    fn digit_counts_behind_signs_alone() {
        for (cell, starts) in [
            ("7", true),
            ("-7", true),
            (" (7", true),
            ("\u{664}", true),
            ("x7", false),
            ("\u{e9}7", false),
            ("", false),
            ("-", false),
        ] {
            assert_eq!(starts_with_digit(cell), starts, "{cell:?}");
        }
    }
}
