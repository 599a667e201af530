//! `{{ env_var(NAME) }}` in a connection, and what of it must never be seen.

use super::FetchError;

/// A connection's address with its variables replaced, and the texts that no message may show.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) uri: String,
    hidden: Vec<String>,
}

impl Address {
    /// Replaces each `{{ env_var(NAME) }}` by what `variable` has.
    pub(super) fn read(uri: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, FetchError> {
        let mut address = Self::default();
        let mut rest = uri;
        while let Some((before, behind)) = rest.split_once("{{") {
            let Some((inner, after)) = behind.split_once("}}") else { break };
            address.uri += before;
            let name = inner.trim().strip_prefix("env_var(").and_then(|inner| inner.strip_suffix(')'));
            match name.map(str::trim) {
                Some(name) => {
                    let value = variable(name).ok_or_else(|| FetchError::NoVariable(name.to_owned()))?;
                    address.uri += &value;
                    address.hidden.push(value);
                }
                None => address.uri += &format!("{{{{{inner}}}}}"),
            }
            rest = after;
        }
        address.uri += rest;
        Ok(address)
    }

    /// A text without what is hidden, on one line.
    pub(super) fn scrubbed(&self, text: &str) -> String {
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // The whole address first: a driver may repeat it.
        let whole = (!self.hidden.is_empty()).then_some(&self.uri);
        for secret in whole.into_iter().chain(&self.hidden).filter(|secret| !secret.is_empty()) {
            text = text.replace(secret.as_str(), "…");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_and_never_seen() {
        let variable = |name: &str| (name == "PASSWORD").then(|| "hush".to_owned());
        let address = Address::read("postgresql://me:{{ env_var(PASSWORD) }}@host/db", variable).unwrap();
        assert_eq!(address.uri, "postgresql://me:hush@host/db");
        assert_eq!(
            address.scrubbed("cannot connect to\npostgresql://me:hush@host/db: hush"),
            "cannot connect to …: …"
        );
        assert_eq!(Address::read("a{{b}}c{{", variable).unwrap().uri, "a{{b}}c{{");
        let error = Address::read("{{ env_var(OTHER) }}", variable).map(|address| address.uri).unwrap_err();
        assert!(error.to_string().contains("OTHER"), "{error}");
    }
}
