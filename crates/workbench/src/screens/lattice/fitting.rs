//! Words that are shortened to fit.

use ratatui::text::{Line, Span};

use crate::kit::text;

/// A name of at most this many columns. In very few columns, its start without an ellipsis tells
/// more.
pub(crate) fn short(name: &str, columns: usize) -> String {
    let name = text::safe(name);
    if text::width(&name) <= columns {
        name
    } else if columns <= 4 {
        let fits = |end: &usize| text::width(&name[..*end]) <= columns;
        let ends = name.char_indices().map(|(start, character)| start + character.len_utf8());
        name[..ends.take_while(fits).last().unwrap_or(0)].trim_end().to_owned()
    } else {
        text::fit(&name, columns)
    }
}

/// Names of at most this many columns each, all different: if their starts are equal, by their
/// ends, else by their numbers.
pub(crate) fn distinct<'a>(names: impl IntoIterator<Item = &'a str>, columns: usize) -> Vec<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let mut shorts: Vec<String> = names.iter().map(|name| short(name, columns)).collect();
    for index in 0..names.len() {
        let (alike, others): (Vec<usize>, Vec<usize>) =
            (0..names.len()).partition(|other| shorts[*other] == shorts[index]);
        if alike.len() < 2 || columns == 0 {
            continue;
        }
        let ending = |end: usize| -> Vec<String> {
            let ended = |index: &usize| {
                let name = text::safe(names[*index]);
                let skipped = name.chars().count().saturating_sub(end);
                let last: String = name.chars().skip(skipped).collect();
                format!("{}{last}", short(&name, columns - end))
            };
            alike.iter().map(ended).collect()
        };
        let are_distinct = |forms: &Vec<String>| {
            let known = |form: &String| others.iter().any(|other| shorts[*other] == *form);
            (0..forms.len()).all(|nth| !forms[..nth].contains(&forms[nth]) && !known(&forms[nth]))
        };
        let numbered = |index: &usize| {
            let number = (index + 1).to_string();
            format!("{}{number}", short(names[*index], columns.saturating_sub(number.len())))
        };
        let forms = (1..=columns).map(ending).find(are_distinct);
        let forms = forms.unwrap_or_else(|| alike.iter().map(numbered).collect());
        for (index, form) in alike.into_iter().zip(forms) {
            shorts[index] = form;
        }
    }
    shorts
}

/// The first form of a line that fits, else the last; the longest comes first.
pub(crate) fn first_that_fits(
    forms: impl IntoIterator<Item = Vec<Span<'static>>>,
    width: usize,
) -> Line<'static> {
    let mut last = Line::default();
    for form in forms {
        last = Line::from(form);
        if last.width() <= width {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_cut_to_the_same() {
        for (names, columns, expected) in [
            (["age", "sex", "zip"], 4, ["age", "sex", "zip"]),
            (["attribute 1", "attribute 2", "zip"], 4, ["att1", "att2", "zip"]),
            (["attribute 1", "attribute 2", "zip"], 10, ["attribut…1", "attribut…2", "zip"]),
            (["education now", "educated now", "edu"], 4, ["edu1", "edu2", "edu"]),
            (["age", "area", "zip"], 1, ["e", "a", "z"]),
            (["aa", "aba", "ab"], 1, ["1", "2", "3"]),
        ] {
            assert_eq!(distinct(names, columns), expected, "{columns}");
        }
        assert_eq!(distinct(["age", "area"], 0), ["", ""], "where there is no room there are none");
    }
}
