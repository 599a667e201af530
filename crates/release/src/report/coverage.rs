//! The limits of a verdict.

/// The limits of every verdict.
const ALWAYS: [&str; 6] = [
    "Other knowledge: an attacker may learn more if the attacker knows more about a person than the columns of the public table. \
     An example is an attacker who knows that a neighbour is in the private table.",
    "Other releases: releases of the same private table, or of a changed version of it, must be judged together.",
    "Sensitive and insensitive columns: their values are published unchanged, or as labels of one level. The release hides who is \
     in the private table. It does not hide the values of a person who is known to be in it.",
    "Published columns together: each published column, and the difference of two dates, is compared with each quasi-identifier. \
     Other relations of several published columns with a quasi-identifier are not examined.",
    "Uneven priors: before the release, all individuals of a class are assumed equally likely to be members. An attacker who knows \
     that some are more likely members may learn more.",
    "The project: palmtop cannot check whether the public table has all that an attacker knows, whether the hierarchies are right, \
     and whether the columns have the right roles.",
];

/// The limit of a verdict if the release is not exact against an attacker who knows the algorithm.
const ALGORITHM: &str = "Knowledge of the algorithm: an attacker who knows palmtop, the policy and the number of members may learn more \
     from the boundaries of classes.";

/// The strategy against this attacker. It does not search for people with several rows.
const SIMULATABLE: &str = "Only the strategy `simulatable` keeps everyone within δ against this attacker.";

/// The limit of a verdict if the release has pseudonyms.
const PSEUDONYMS: &str = "Pseudonyms: a person who has the key, or knows whose pseudonym it is, can find that person's \
     rows. The same pseudonym in two releases links their rows.";

/// The limit of a verdict if people have several rows.
const SEVERAL_ROWS: &str = "Several rows of a person: an identifier shows which rows belong to one person. A person with two \
     identifiers in the public table counts as two, and the probability of being in the private table then looks lower than it is. The \
     release shows how many rows each person has.";

/// The limits of the verdict on one release. Both reports list them.
pub(super) fn not_covered(is_exact: bool, has_pseudonyms: bool, of_people: bool) -> Vec<String> {
    let mut lines: Vec<String> = ALWAYS.iter().map(|&line| line.to_owned()).collect();
    match (is_exact, of_people) {
        (true, _) => {}
        (false, true) => lines.push(ALGORITHM.to_owned()),
        (false, false) => lines.push(format!("{ALGORITHM} {SIMULATABLE}")),
    }
    if has_pseudonyms {
        lines.push(PSEUDONYMS.to_owned());
    }
    if of_people {
        lines.push(SEVERAL_ROWS.to_owned());
    }
    lines
}
