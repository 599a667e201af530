//! Recognizes what a single text looks like.

/// The number of digits at the start of a text.
pub fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The year of a text that gives more of a date than the year: `2024-03-31`, `2024-03`, `2024-Q1`,
/// `31.03.2024`, `3/31/2024`. A time may follow.
pub fn year_of_finer_date(text: &str) -> Option<&str> {
    let text = text.trim();
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    let number = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_year = |part: &str| number(part, 4) && part.len() == 4 && matches!(&part[..2], "18" | "19" | "20");
    for mark in ['-', '/', '.'] {
        let parts: Vec<&str> = day.split(mark).collect();
        match parts[..] {
            [year, month, day] if is_year(year) && number(month, 2) && number(day, 2) => return Some(year),
            [day, month, year] if is_year(year) && number(month, 2) && number(day, 2) => return Some(year),
            [year, month] if mark == '-' && is_year(year) => {
                let is_quarter = month.strip_prefix('Q').is_some_and(|quarter| number(quarter, 1));
                if is_quarter
                    || (month.len() == 2 && month.parse().is_ok_and(|month| (1..=12).contains(&month)))
                {
                    return Some(year);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a text is a zip code of five digits, optionally followed by four more.
pub fn is_zip(text: &str) -> bool {
    let text = text.trim();
    leading_digits(text) == 5
        && (text.len() == 5
            || (text.len() == 10 && text.as_bytes()[5] == b'-' && leading_digits(&text[6..]) == 4))
}

/// Whether a text contains an email address.
pub fn is_mail(text: &str) -> bool {
    text.split(|character: char| character.is_whitespace() || "<>,;:()\"".contains(character)).any(|word| {
        let Some((name, host)) = word.split_once('@') else { return false };
        let mut parts = host.rsplit('.');
        let top = parts.next().unwrap_or_default();
        let is_plain = |part: &str| {
            !part.is_empty() && part.chars().all(|character| character.is_alphanumeric() || character == '-')
        };
        !name.is_empty()
            && top.len() >= 2
            && top.chars().all(char::is_alphabetic)
            && host.contains('.')
            && parts.all(is_plain)
    })
}

/// Whether a text is a telephone number: seven to fifteen digits, in groups or after a +, and
/// neither a date nor a number.
pub fn is_phone(text: &str) -> bool {
    let text = text.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let marks = text.chars().filter(|character| !character.is_ascii_digit());
    let is_written = marks.clone().all(|mark| " -()/.+".contains(mark));
    let groups = text.split(|character: char| !character.is_ascii_digit()).filter(|group| !group.is_empty());
    let lengths: Vec<usize> = groups.map(str::len).collect();
    let groups = lengths.len();
    // Drug codes (NDC).
    let is_drug =
        matches!(lengths[..], [4, 4, 2] | [5, 3, 2] | [5, 4, 1 | 2]) && marks.clone().all(|mark| mark == '-');
    // A measure has at most one point, and its sign first; thousands are separated by one kind of
    // mark only.
    let is_grouped = groups >= 3 && marks.clone().any(|mark| " -()/".contains(mark));
    let is_thousands = marks.clone().all(|mark| mark == ' ') && groups >= 2 && !text.starts_with('0');
    is_written
        && (7..=15).contains(&digits)
        && (text.starts_with('+') || text.starts_with('(') || is_grouped)
        && !is_thousands
        && !is_drug
        && !is_social_security(text)
        && year_of_finer_date(text).is_none()
}

/// Whether a text is a US social security number.
pub fn is_social_security(text: &str) -> bool {
    let lengths: Vec<usize> = text.trim().split('-').map(str::len).collect();
    lengths == [3, 2, 4] && text.bytes().filter(u8::is_ascii_digit).count() == 9
}

/// Whether a text is a MAC address, a UUID, an IP address or a URL.
pub fn is_device(text: &str) -> bool {
    let text = text.trim();
    let hexadecimal =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_card = [':', '-'].iter().any(|mark| {
        let parts: Vec<&str> = text.split(*mark).collect();
        parts.len() == 6 && parts.iter().all(|part| hexadecimal(part, 2))
    });
    let lengths = [8, 4, 4, 4, 12];
    let is_uuid = text.split('-').count() == 5
        && text.split('-').zip(lengths).all(|(part, length)| hexadecimal(part, length));
    let is_internet = text.split('.').count() == 4
        && text.split('.').all(|part| part.len() <= 3 && part.parse::<u8>().is_ok());
    is_card || is_uuid || is_internet || text.starts_with("http://") || text.starts_with("https://")
}

/// Whether a text is two or three words with the capitals of a name.
pub fn is_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_name = |word: &&str| {
        word.chars().next().is_some_and(char::is_uppercase)
            && (word.chars().skip(1).any(char::is_lowercase) || word.ends_with('.'))
            && word.chars().all(|character| character.is_alphabetic() || "'-.".contains(character))
    };
    (2..=3).contains(&words.len()) && words.iter().all(is_name)
}

/// Whether a text looks like the number of an account or a record: at least eight letters, digits
/// and hyphens, most of them digits.
pub fn is_account(text: &str) -> bool {
    let text = text.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_written = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'/');
    text.len() >= 8 && is_written && digits >= 6 && year_of_finer_date(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_known_by_their_look() {
        type Look = fn(&str) -> bool;
        let is_date: Look = |text| year_of_finer_date(text).is_some();
        // the test, texts that pass, texts that fail
        let table: [(Look, &[&str], &[&str]); 8] = [
            (
                is_date,
                &["2024-03-31", "31.03.2024", "3/31/2024", "2024-03", "2024-Q1", "2024-03-31 12:00:00"],
                &["2024", "1.5", "2020s", "2024-2025", "3-31", "4790*", "1950-1959", "2024-99"],
            ),
            (is_zip, &["47906", "47906-1234"], &["4790", "479061", "47906-12", "12.50", "4790*"]),
            (is_mail, &["a.b@c.org", "Ann <a@b.co.uk>"], &["a@b", "@home", "5 @ 3.50", "a@b.1"]),
            (
                is_phone,
                &["+1 317 555 0100", "(317) 555-0100", "317-555-0100", "+49351463350"],
                &[
                    "1 234 567",
                    "1.234.567",
                    "3175550100",
                    "2024-03-31",
                    "12.5",
                    "-1234567.5",
                    "123-45-6789",
                    "0002-3227-30",
                ],
            ),
            (is_social_security, &["123-45-6789"], &["123-456-789", "12-345-6789"]),
            (
                is_device,
                &[
                    "00:1B:44:11:3A:B7",
                    "192.168.0.1",
                    "https://a.b/c",
                    "123e4567-e89b-12d3-a456-426614174000",
                ],
                &["1.2.3", "12:30:00", "1.2.3.400", "http", "2024-03-31"],
            ),
            (
                is_full_name,
                &["Ann Lee", "O'Neil, Mary J."],
                &["asthma", "Ann", "chronic Bronchitis", "Type II", "A B"],
            ),
            (
                is_account,
                &["AB-1234567", "12345678"],
                &["1234567", "2024-03-31", "12345.678", "bronchitis", "C-0001"],
            ),
        ];
        for (number, (is, those, others)) in table.iter().enumerate() {
            those.iter().for_each(|text| assert!(is(text), "{number}: {text}"));
            others.iter().for_each(|text| assert!(!is(text), "{number}: {text}"));
        }
    }
}
