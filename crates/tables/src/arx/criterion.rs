//! The criteria of an ARX project, by the texts that ARX writes.

use rust_decimal::Decimal;

/// A criterion that palmtop has with the same definition, or the text of another one. Numbers are
/// decimals, as the user typed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// δ-presence: δmin and δmax.
    Presence(String, String),
    /// k-anonymity.
    KAnonymity(u64),
    /// k-map, counted in the population.
    KMap(u64),
    /// l-diversity of a sensitive column.
    LDiversity {
        /// The sensitive column.
        of: String,
        /// The kind, with its numbers.
        kind: Diversity,
    },
    /// t-closeness of a sensitive column, with equal distances.
    TCloseness {
        /// The sensitive column.
        of: String,
        /// The greatest distance.
        at_most: String,
    },
    /// The research subset, without a condition on classes.
    Inclusion,
    /// A criterion that palmtop does not have, or has with another definition.
    Other(String),
}

/// A kind of l-diversity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diversity {
    /// At least l values.
    Distinct(u64),
    /// e to the Shannon entropy is at least l.
    Entropy(String),
    /// c and l of recursive (c, l)-diversity.
    Recursive(String, u64),
}

impl Criterion {
    /// Reads a text of ARX.
    pub(super) fn read(text: &str) -> Self {
        Self::known(text).unwrap_or_else(|| Self::Other(text.to_owned()))
    }

    fn known(text: &str) -> Option<Self> {
        if text == "Inclusion" {
            return Some(Self::Inclusion);
        }
        if let Some(k) = text.strip_suffix("-anonymity") {
            return Some(Self::KAnonymity(k.parse().ok()?));
        }
        if let Some(k) = text.strip_suffix(")-map") {
            return Some(Self::KMap(k.strip_prefix('(')?.parse().ok()?));
        }
        if let Some(bounds) = text.strip_suffix(")-presence") {
            let (min, max) = bounds.strip_prefix('(')?.split_once(',')?;
            return Some(Self::Presence(decimal(min)?, decimal(max)?));
        }
        let (kind, of) = text.strip_suffix('\'')?.split_once(" for attribute '")?;
        let of = of.to_owned();
        if let Some(at_most) = kind.strip_suffix("-closeness with equal ground-distance") {
            return Some(Self::TCloseness { of, at_most: decimal(at_most)? });
        }
        let kind = kind.strip_suffix("-diversity")?;
        let kind = if let Some(least) = kind.strip_prefix("distinct-") {
            Diversity::Distinct(least.parse().ok()?)
        } else if let Some(least) = kind.strip_prefix("shannon-entropy-") {
            Diversity::Entropy(decimal(least)?)
        } else {
            let (factor, least) = kind.strip_prefix("recursive-(")?.strip_suffix(')')?.split_once(',')?;
            Diversity::Recursive(decimal(factor)?, least.parse().ok()?)
        };
        Some(Self::LDiversity { of, kind })
    }
}

/// A number of Java, such as `0.5` or `1.0E-4`, as a plain decimal.
pub(super) fn decimal(text: &str) -> Option<String> {
    let number = Decimal::from_str_exact(text).or_else(|_| Decimal::from_scientific(text)).ok()?;
    (!number.is_sign_negative()).then(|| number.normalize().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arx_criterion_is_adopted_only_if_identical() {
        let of = || "disease".to_owned();
        let diversity = |kind| Criterion::LDiversity { of: of(), kind };
        for (text, expected) in [
            ("5-anonymity", Criterion::KAnonymity(5)),
            ("(0.0,0.1)-presence", Criterion::Presence("0".into(), "0.1".into())),
            ("(1.0E-4,1.0)-presence", Criterion::Presence("0.0001".into(), "1".into())),
            ("(11)-map", Criterion::KMap(11)),
            ("Inclusion", Criterion::Inclusion),
            ("distinct-3-diversity for attribute 'disease'", diversity(Diversity::Distinct(3))),
            (
                "shannon-entropy-2.5-diversity for attribute 'disease'",
                diversity(Diversity::Entropy("2.5".into())),
            ),
            (
                "recursive-(3.0,2)-diversity for attribute 'disease'",
                diversity(Diversity::Recursive("3".into(), 2)),
            ),
            (
                "0.2-closeness with equal ground-distance for attribute 'disease'",
                Criterion::TCloseness { of: of(), at_most: "0.2".into() },
            ),
        ] {
            assert_eq!(Criterion::read(text), expected);
        }
        for text in [
            "(11)-map estimated as (3)-anonymity (Poisson)",
            "grassberger-entropy-2.0-diversity for attribute 'disease'",
            "0.2-closeness with ordered distance for attribute 'disease'",
            "0.2-closeness with hierarchical ground-distance for attribute 'disease'",
            "(1.0E-4)-population-uniqueness (dankar)",
            "(-0.5,0.1)-presence",
            "(NaN,0.1)-presence",
            "x-anonymity",
            "",
        ] {
            assert_eq!(Criterion::read(text), Criterion::Other(text.to_owned()));
        }
    }
}
