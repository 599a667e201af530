//! Redaction of ARX: codes whose characters are hidden one by one.

/// A redaction-based builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redaction {
    /// Whether shorter codes are padded on the left.
    pub(super) is_aligned_right: bool,
    pub(super) hides_right: bool,
    pub(super) padding: char,
    pub(super) hidden: char,
    /// The length of the longest code, if the file has it.
    pub(super) length: Option<usize>,
}

impl Redaction {
    /// A mask in TOML; the values decide on its length.
    ///
    /// # Errors
    /// The length is unknown, or the values have different lengths.
    pub(super) fn to_toml(&self, values: Option<&[String]>) -> Result<String, String> {
        let lengths = |values: &[String]| -> Vec<usize> {
            let mut lengths: Vec<usize> = values.iter().map(|value| value.chars().count()).collect();
            lengths.sort_unstable();
            lengths.dedup();
            lengths
        };
        let length = match (values.map(lengths).as_deref(), &self.length) {
            (Some([length]), _) | (None, Some(length)) => *length,
            (Some(_), _) => {
                return Err(
                    "the values have different lengths, and a mask in TOML has one; write a .csv file"
                        .to_owned(),
                );
            }
            (None, None) => {
                return Err(
                    "the specification does not have the length of the codes; add --values TABLE:COLUMN"
                        .to_owned(),
                );
            }
        };
        let from = if self.hides_right { "right" } else { "left" };
        let mut text = format!("type = \"mask\"\nlength = {length}\nfrom = \"{from}\"\n");
        if self.hidden != '*' {
            let character = palmtop_core::text::toml_string(&self.hidden.to_string());
            text.push_str(&format!("character = {character}\n"));
        }
        Ok(text)
    }

    /// The labels of each value, as ARX builds them.
    pub(super) fn rows(&self, values: &[String]) -> Vec<Vec<String>> {
        let length = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
        let row = |value: &String| {
            let own: Vec<char> = value.chars().collect();
            let padding = std::iter::repeat_n(self.padding, length - own.len());
            let code: Vec<char> = if self.is_aligned_right {
                padding.chain(own).collect()
            } else {
                own.into_iter().chain(padding).collect()
            };
            let label = |hidden: usize| -> String {
                let is_hidden =
                    |index| if self.hides_right { index >= length - hidden } else { index < hidden };
                let shown = (0..).zip(&code);
                shown.map(|(index, &shown)| if is_hidden(index) { self.hidden } else { shown }).collect()
            };
            std::iter::once(value.clone()).chain((1..=length).map(label)).collect()
        };
        values.iter().map(row).collect()
    }
}
