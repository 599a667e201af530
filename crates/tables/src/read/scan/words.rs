//! What single texts say: nothing, a number, a total.

/// Texts that stand for no value.
const MISSING: [&str; 19] = [
    "na",
    "n/a",
    "#n/a",
    "nan",
    "null",
    "none",
    "nil",
    "unknown",
    "missing",
    "unbekannt",
    "k.a.",
    "k. a.",
    "keine angabe",
    "not available",
    "not known",
    "refused",
    "inconnu",
    "desconocido",
    "not stated",
];

/// Texts of a row that sums up others.
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

/// For each byte, whether the text of a total begins with it.
const BEGINS_TOTAL: [bool; 256] = {
    let (mut begins, beginnings, mut nth) = ([false; 256], b"tgsizmadnp \xce", 0);
    while nth < beginnings.len() {
        begins[beginnings[nth] as usize] = true;
        begins[beginnings[nth].to_ascii_uppercase() as usize] = true;
        nth += 1;
    }
    begins
};

/// Whether a cell has no letter and no digit, or blanks only.
pub(super) fn is_blank(text: &str) -> bool {
    text.is_empty() || text.bytes().all(|byte| byte == b' ')
}

/// Whether a text begins like a number or a date: with a digit, after signs.
pub(super) fn begins_with_digit(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(byte) if byte.is_ascii_digit() => true,
        Some(byte) if byte.is_ascii_alphabetic() => false,
        _ => {
            let is_sign = |character: char| !character.is_alphanumeric();
            text.trim_start_matches(is_sign).starts_with(char::is_numeric)
        }
    }
}

/// Whether a text is a word: it has a letter and does not stand for a missing value.
pub(super) fn is_word(text: &str) -> bool {
    let text = text.trim();
    text.contains(char::is_alphabetic) && !MISSING.iter().any(|missing| missing.eq_ignore_ascii_case(text))
}

/// Whether a text is that of a total, or a number of people such as `n = 300`.
pub(super) fn is_total(text: &str) -> bool {
    let Some(&first) = text.as_bytes().first() else { return false };
    // Nearly all texts end here.
    if !BEGINS_TOTAL[usize::from(first)] || text.len() >= 40 {
        return false;
    }
    let text = text.trim().trim_end_matches([':', '.']).trim_end();
    is_number_of_people(text) || text == "Σ" || TOTALS.iter().any(|total| total.eq_ignore_ascii_case(text))
}

/// Whether a text is such as `n = 300`.
fn is_number_of_people(text: &str) -> bool {
    let Some(number) =
        text.strip_prefix(['n', 'N']).and_then(|rest| rest.trim_start().strip_prefix(['=', ':']))
    else {
        return false;
    };
    let number = number.trim();
    !number.is_empty()
        && number
            .chars()
            .all(|character| character.is_ascii_digit() || "., '\u{a0}\u{202f}".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_of_a_total_is_one() {
        for total in TOTALS.into_iter().chain(["Σ", "n = 300", "N: 1 200"]) {
            let upper = total.to_uppercase();
            for text in [total, upper.as_str(), &format!(" {total}:")] {
                assert!(is_total(text), "{text:?}");
            }
        }
        for text in ["", "Turin", "12", "n", "Τ"] {
            assert!(!is_total(text), "{text:?}");
        }
    }
}
