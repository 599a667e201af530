//! `{{ env_var(NAME) }}` in a connection, and the texts that no message may show.

use super::FetchError;

/// The texts that no message may show. The type has no `Debug`, because a debug text would show them.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    hidden: Vec<String>,
}

impl Secrets {
    /// Replaces each `{{ env_var(NAME) }}` by its value from `variable`. Hides these values, and a text that has one.
    pub(super) fn replace(
        &mut self,
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<String, FetchError> {
        let (mut replaced, mut rest, mut has_variable) = (String::new(), text, false);
        while let Some((before, opened)) = rest.split_once("{{") {
            let Some((inner, after)) = opened.split_once("}}") else { break };
            replaced += before;
            let name = inner.trim().strip_prefix("env_var(").and_then(|inner| inner.strip_suffix(')'));
            match name.map(str::trim) {
                Some(name) => {
                    let value = variable(name).ok_or_else(|| FetchError::NoVariable(name.to_owned()))?;
                    replaced += &value;
                    self.hide(&value);
                    has_variable = true;
                }
                None => replaced += &format!("{{{{{inner}}}}}"),
            }
            rest = after;
        }
        replaced += rest;
        if has_variable {
            self.hide(&replaced);
        }
        Ok(replaced)
    }

    /// Hides a text in all later messages.
    pub(super) fn hide(&mut self, text: &str) {
        if !text.is_empty() {
            self.hidden.push(text.to_owned());
            // Longest first, because a driver may repeat a complete address.
            self.hidden.sort_by_key(|text| std::cmp::Reverse(text.len()));
        }
    }

    /// A text on one line, with `…` instead of each hidden text.
    pub(super) fn scrubbed(&self, text: &str) -> String {
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for secret in &self.hidden {
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
        let mut secrets = Secrets::default();
        let uri = secrets.replace("postgresql://me:{{ env_var(PASSWORD) }}@host/db", variable).unwrap();
        assert_eq!(uri, "postgresql://me:hush@host/db");
        assert_eq!(
            secrets.scrubbed("cannot connect to\npostgresql://me:hush@host/db: hush"),
            "cannot connect to …: …"
        );
        assert_eq!(secrets.replace("a{{b}}c{{", variable).unwrap(), "a{{b}}c{{");
        let error = secrets.replace("{{ env_var(OTHER) }}", variable).unwrap_err();
        assert!(error.to_string().contains("OTHER"), "{error}");
    }
}
