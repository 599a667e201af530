//! The names of the months in English, German, French and Spanish.

/// The names and abbreviations of each month, in lower case.
const NAMES: [&[&str]; 12] = [
    &["january", "januar", "jänner", "jaenner", "janvier", "enero", "jan", "jän", "janv", "ene"],
    &["february", "februar", "février", "fevrier", "febrero", "feb", "febr", "fév", "fev", "févr", "fevr"],
    &["march", "märz", "maerz", "mars", "marzo", "mar", "mär", "mrz"],
    &["april", "avril", "abril", "apr", "avr", "abr"],
    &["may", "mai", "mayo"],
    &["june", "juni", "juin", "junio", "jun"],
    &["july", "juli", "juillet", "julio", "jul", "juil"],
    &["august", "août", "aout", "agosto", "aug", "aoû", "aou", "ago"],
    &["september", "septembre", "septiembre", "setiembre", "sep", "sept", "set"],
    &["october", "oktober", "octobre", "octubre", "oct", "okt"],
    &["november", "novembre", "noviembre", "nov"],
    &["december", "dezember", "décembre", "decembre", "diciembre", "dec", "dez", "déc", "dic"],
];

/// The number of a month by its name or abbreviation, in any case.
pub(crate) fn number(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    (1..).zip(NAMES).find(|(_, names)| names.contains(&name.as_str())).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_month() {
        let all: Vec<&str> = NAMES.concat();
        for (index, name) in all.iter().enumerate() {
            assert!(!all[..index].contains(name), "{name}");
            assert!(number(&name.to_uppercase()).is_some(), "{name}");
        }
    }
}
