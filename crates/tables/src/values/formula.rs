//! Texts that a spreadsheet may run.

/// Whether a spreadsheet may run a text as a formula: it begins with `=`, `+`, `-` or `@`, has a
/// letter or a digit, and is no number.
pub fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(['\t', '\r']);
    let Some(rest) = text.strip_prefix(['=', '+', '-', '@']) else { return false };
    if !rest.chars().any(char::is_alphanumeric) {
        return false;
    }
    let (number, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let is_digit = |character: char| character.is_ascii_digit();
    let is_number =
        number.chars().all(|character| is_digit(character) || ".,' \u{a0}\u{202f}%".contains(character))
            && exponent.strip_prefix(['+', '-']).unwrap_or(exponent).chars().all(is_digit);
    !(is_number && text.starts_with(['+', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_no_numbers_and_no_signs() {
        for text in ["=1+1", "+1+1", "-10--1", "@SUM(A1)", "\t=cmd|' /C calc'!A1", "-x", "+49 30/123", "=5"] {
            assert!(is_formula(text), "{text}");
        }
        for text in [
            "", "a=b", "-5", "+5.0", "-1,5", "-1 000", "-1e5", "+1E-3", "-", "+++", "--", "[-5, 0)", " =1",
            "1-2", "*", "'=1", "5",
        ] {
            assert!(!is_formula(text), "{text}");
        }
    }
}
