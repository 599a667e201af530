//! The labels of a level as a rule over values, for programs with values but without the hierarchy,
//! such as databases.

use std::path::Path;

use super::builder::{HierarchyBuilder, LevelRule};
use super::recipe::{read_file, read_recipe};
use crate::error::DataError;
use palmtop_core::model::Level;

/// Longer lists are not practical in a statement.
const MOST_LISTED: usize = 1_000;

/// The rule of a level; `None` if no statement could express it.
///
/// # Errors
/// A [`DataError`] if the file cannot be read or does not have the level.
pub fn level_rule(path: &Path, level: Level) -> Result<Option<LevelRule>, DataError> {
    if level == Level(0) {
        return Ok(Some(LevelRule::Value));
    }
    let builder = read_recipe(path, &read_file(path)?, &[], level)?;
    if level > builder.top() {
        let detail =
            format!("public_level = {level}, but its levels are 0 to {}; correct the project", builder.top());
        return Err(DataError::hierarchy(path, None, detail));
    }
    if level == builder.top() && &*builder.top_label() == "*" {
        return Ok(Some(LevelRule::Top));
    }
    Ok(builder.rule(level).or_else(|| list(builder.as_ref(), level)))
}

fn list(builder: &dyn HierarchyBuilder, level: Level) -> Option<LevelRule> {
    let values = builder.listed(Level(0)).filter(|values| values.len() <= MOST_LISTED)?;
    let label = |value: String| {
        let chain = builder.chain(&value, Level(0))?;
        let label = chain.get(usize::from(level.0))?.to_string();
        Some((value, label))
    };
    values.into_iter().map(label).collect::<Option<Vec<_>>>().map(LevelRule::List)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn rule(name: &str, text: &str, level: u8) -> Option<LevelRule> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        level_rule(&path, Level(level)).unwrap()
    }

    #[test]
    fn level_rule_follows_from_type_or_list() {
        let mask = "type = \"mask\"\nlength = 5\nfrom = \"right\"\ncharacter = \"#\"\n";
        let hidden = LevelRule::Mask { length: 5, hidden: 2, hides_end: true, character: '#' };
        assert_eq!(rule("zip.toml", mask, 2), Some(hidden));
        assert_eq!(rule("zip.toml", mask, 5), Some(LevelRule::Top));
        let bands = "type = \"interval\"\nwidths = [5, 10]\norigin = 1\n";
        assert_eq!(rule("age.toml", bands, 2), Some(LevelRule::Band { width: 10, origin: 1 }));
        assert_eq!(rule("age.toml", "type = \"interval\"\nwidths = [0.5]\n", 1), None);
        assert_eq!(rule("age.toml", "type = \"interval\"\n[[level]]\ncuts = [18]\n", 1), None);
        let dates = "type = \"date\"\nlevels = [\"quarter\", \"decade\"]\n";
        assert_eq!(rule("born.toml", dates, 1), Some(LevelRule::Quarter));
        assert_eq!(rule("born.toml", dates, 2), Some(LevelRule::Decade));
        let listed =
            LevelRule::List(vec![("a".to_owned(), "x".to_owned()), ("b".to_owned(), "y".to_owned())]);
        assert_eq!(rule("job.csv", "a;x;*\nb;y;*\n", 1), Some(listed));
        assert_eq!(rule("job.csv", "a;x;*\nb;y;*\n", 0), Some(LevelRule::Value));
    }
}
