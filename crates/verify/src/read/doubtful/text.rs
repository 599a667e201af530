//! What a single cell says.

/// Whether a cell is empty, but for blanks.
pub(crate) fn is_empty(cell: &str) -> bool {
    !cell.contains(|character| character != ' ')
}

/// Whether a cell begins with a digit, after signs.
pub(crate) fn starts_with_digit(cell: &str) -> bool {
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

/// Whether a cell is that of a row that sums up others.
pub(super) fn sums_up(cell: &str) -> bool {
    if cell.len() > 39 || cell.is_empty() || starts_with_digit(cell) {
        return false;
    }
    let plain = cell.trim().trim_end_matches(['.', ':']).trim_end();
    let words = [
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
    if words.iter().any(|word| plain.eq_ignore_ascii_case(word)) || cell.trim() == "Σ" {
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
