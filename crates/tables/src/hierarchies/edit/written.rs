//! Writes a hierarchy in its original format, or in another one if necessary. The readers must read
//! each file back to the same hierarchy.

use super::{EditError, Editable, Form};
use crate::hierarchies::arx;
use crate::hierarchies::domain::{Domain, HierarchySpec, Values, of_bytes};
use crate::hierarchies::span::{Point, Span};
use crate::hierarchies::tree::tree_of;
use crate::values::literal::toml_string;
use palmtop_core::model::{Hierarchy, Kind, Level};

/// A hierarchy as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The ending of its name: `toml` or `csv`.
    pub ending: &'static str,
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The `kind` that the project must set, if any.
    pub kind: Option<Kind>,
}

/// A format of hierarchy file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Interval,
    Tree,
    Csv,
}

impl Way {
    fn ending(self) -> &'static str {
        if self == Self::Csv { "csv" } else { "toml" }
    }
}

impl Editable {
    /// The hierarchy as a file that a project reads with the settings of `spec`, except for its
    /// path. `read` is the hierarchy as it is read now, if it can be: over its leaves and T's
    /// values the file must give the same labels.
    ///
    /// # Errors
    /// [`EditError`] with the readers' error for the last format tried.
    pub fn to_file(
        &self,
        spec: &HierarchySpec,
        read: Option<&Domain>,
        public: Values,
        private: Values,
    ) -> Result<Written, EditError> {
        let ways: &[Way] = match self.form {
            Form::Csv => &[Way::Csv],
            Form::Rule if self.kind == Kind::Number => &[Way::Interval, Way::Tree, Way::Csv],
            Form::Tree | Form::Rule => &[Way::Tree, Way::Csv],
        };
        let expected = read.map(|read| self.over(&read.hierarchy)).transpose()?;
        let mut why = "a band has an end that cannot be written".to_owned();
        for way in ways {
            let Some(bytes) = self.bytes(*way)? else { continue };
            let path = spec.path.with_extension(way.ending());
            let kinds = if spec.kind.is_some() { vec![spec.kind] } else { vec![None, Some(self.kind)] };
            for kind in kinds {
                let spec = HierarchySpec { path: path.clone(), kind, ..spec.clone() };
                let again = match of_bytes(&spec, &bytes, public, private) {
                    Ok(again) => again,
                    Err(error) => {
                        why = error.to_string();
                        continue;
                    }
                };
                let differs = match (&expected, read) {
                    (Some(expected), Some(read)) => difference(expected, read, &again, private.texts),
                    _ => (again.hierarchy.kind() != self.kind).then(|| "it is of another kind".to_owned()),
                };
                match differs {
                    None => return Ok(Written { ending: way.ending(), bytes, kind }),
                    Some(differs) => why = differs,
                }
            }
        }
        let path = spec.path.display();
        Err(EditError(format!("{path}: no hierarchy file can express this hierarchy: {why}")))
    }

    /// The content of the file; `None` if the format cannot express the hierarchy.
    fn bytes(&self, way: Way) -> Result<Option<Vec<u8>>, EditError> {
        Ok(match way {
            Way::Csv => {
                let all = Hierarchy::new(Kind::Category, Level(0), &self.rows())?;
                arx::to_csv(&all).ok()
            }
            Way::Tree => Some(tree_of(&self.rows()).into_bytes()),
            Way::Interval => self.to_interval().map(String::into_bytes),
        })
    }

    /// Bands with their borders and names. Gaps between, before and after bands become bands of
    /// their own, so an unknown value never gets the label of another band.
    fn to_interval(&self) -> Option<String> {
        // Bands between level 0 and the level of the public table are unknown.
        if !self.is_banded || self.base > Level(1) || self.top_label() != "*" {
            return None;
        }
        let first = usize::from(self.base == Level(0));
        let mut borders: Vec<Point> = Vec::new();
        let mut levels = Vec::new();
        // Coarser levels keep borders of finer ones, so the coarsest comes first.
        for tier in (first..self.last()).rev() {
            let mut bands: Vec<(Span, &str)> = Vec::new();
            for label in &self.tiers[tier] {
                bands.push((label.span?, &label.text));
            }
            borders.extend(bands.iter().flat_map(|(span, _)| [span.low, span.high]).flatten());
            borders.sort_unstable();
            borders.dedup();
            levels.push(self.named_bands(&bands, &borders)?);
        }
        let mut text = "type = \"interval\"\n".to_owned();
        for (borders, labels) in levels.iter().rev() {
            text.push_str(&format!("\n[[level]]\ncuts = [{}]\n", borders.join(", ")));
            text.push_str(&format!("labels = [{}]\n", labels.join(", ")));
        }
        (!levels.is_empty()).then_some(text)
    }

    /// The borders of a level and the names between them, as written.
    fn named_bands(&self, bands: &[(Span, &str)], borders: &[Point]) -> Option<(Vec<String>, Vec<String>)> {
        let mut names: Vec<String> = Vec::new();
        let ends = (0..=borders.len()).map(|band| Span {
            low: band.checked_sub(1).map(|before| borders[before]),
            high: borders.get(band).copied(),
        });
        for span in ends {
            let name = match bands.iter().find(|(band, _)| *band == span) {
                Some((_, text)) => (*text).to_owned(),
                // The border would cut a band.
                None if bands.iter().any(|(band, _)| is_within(&span, band)) => return None,
                None => {
                    let name = span.label(self.is_integer);
                    let is_taken =
                        |name: &String| names.contains(name) || bands.iter().any(|(_, band)| band == name);
                    if is_taken(&name) { format!("{name} (nobody)") } else { name }
                }
            };
            names.push(toml_string(&name));
        }
        let borders: Vec<String> = borders.iter().map(ToString::to_string).collect();
        (!borders.is_empty()).then_some((borders, names))
    }
}

/// Whether a span is inside another one.
fn is_within(span: &Span, outer: &Span) -> bool {
    let begins = outer.low.is_none_or(|low| span.low.is_some_and(|bound| bound >= low));
    let ends = outer.high.is_none_or(|high| span.high.is_some_and(|bound| bound <= high));
    begins && ends
}

/// The first difference of a hierarchy that was read back, if there is any.
fn difference(expected: &Hierarchy, before: &Domain, again: &Domain, private: &[String]) -> Option<String> {
    let found = &again.hierarchy;
    if found.kind() != expected.kind() {
        return Some(format!("its values would be of kind {}", found.kind().as_str()));
    }
    if (found.base(), found.top()) != (expected.base(), expected.top()) {
        return Some(format!("it would have levels {} to {}", found.base(), found.top()));
    }
    if found.leaf_count() != expected.leaf_count() {
        return Some(format!("it would have {} values, not {}", found.leaf_count(), expected.leaf_count()));
    }
    let label = |hierarchy: &Hierarchy, level: Level, code: u32| {
        hierarchy.labels(level)[hierarchy.labels_of(level)[code as usize] as usize].to_owned()
    };
    for (index, code) in (0..expected.leaf_count()).zip(0..) {
        let leaf = expected.leaf(code);
        let Some(found_code) = found.code(leaf) else { return Some(format!("it would not have `{leaf}`")) };
        if (expected.missing() == Some(code)) != (found.missing() == Some(found_code)) {
            return Some(format!("`{leaf}` would change whether it is a missing value"));
        }
        let other =
            expected.levels().find(|&level| label(expected, level, code) != label(found, level, found_code));
        if let Some(level) = other {
            let (wanted, read) = (label(expected, level, code), label(found, level, found_code));
            return Some(format!("`{leaf}` would be `{read}` at level {level}, not `{wanted}` ({index})"));
        }
    }
    let raised =
        |domain: &Domain, text: &str| domain.code(text).map(|code| domain.hierarchy.leaf(code).to_owned());
    let other = private.iter().find(|text| raised(before, text) != raised(again, text))?;
    Some(format!("`{other}` would be another value of the public table"))
}
