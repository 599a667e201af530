//! The draft: what is typed, what it means, and what it changes in the project file.

use palmtop_core::model::{
    Advice, Criteria, Delta, EmptyRegions, Fraction, Presence, Problem, Stakes, TermError, Verdict, advise,
};
use palmtop_project::settings::Setting;
use palmtop_project::{Project, Statements};
use palmtop_release::caution::typed;
use palmtop_release::history::{Grounds, Reason};
use palmtop_search as search;
use palmtop_tables::literal::toml_string;

use super::field::{CRITERIA, FIELDS, Field};
use crate::shared::state::Shared;

/// The words of the two settings of empty regions.
pub(crate) const ALLOWED: &str = "allowed";
pub(crate) const FORBIDDEN: &str = "forbidden";

/// The text of each field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draft([String; FIELDS.len()]);

impl Draft {
    /// What the project file has, with the δ of the sitting and what was given for it.
    pub(crate) fn of(shared: &Shared) -> Self {
        let (delta, decided) = (shared.delta(), shared.decided(shared.delta()));
        let mut draft = Self::of_project(shared.analysis.project());
        draft.set(Field::Max, typed(delta.max()));
        draft.set(Field::Min, typed(delta.min()));
        draft.set(Field::Reason, decided.reason.unwrap_or_default());
        let grounds = decided.grounds;
        let of = |part: fn(&Grounds) -> Option<&String>| {
            grounds.as_ref().and_then(part).cloned().unwrap_or_default()
        };
        draft.set(Field::Prior, of(|grounds| Some(&grounds.prior)));
        draft.set(Field::Misuse, of(|grounds| Some(&grounds.misuse)));
        draft.set(Field::MisuseDown, of(|grounds| grounds.misuse_down.as_ref()));
        let cost = of(|grounds| Some(&grounds.cost));
        draft.set(Field::Cost, if cost.is_empty() { "1".to_owned() } else { cost });
        draft
    }

    /// The criteria and the statements of a project file.
    fn of_project(project: &Project) -> Self {
        let mut draft = Self(std::array::from_fn(|_| String::new()));
        for field in CRITERIA {
            let written = project.policy.iter().find(|(key, _)| key == field.key().1);
            draft.set(field, written.map_or_else(String::new, |(_, text)| short(field, text)));
        }
        let forbidden = project.empty_regions == EmptyRegions::Forbid;
        draft.set(Field::EmptyRegions, if forbidden { FORBIDDEN } else { ALLOWED }.to_owned());
        let stated = &project.stated;
        for (field, statement) in [
            (Field::Responsible, &stated.responsible),
            (Field::Organization, &stated.organization),
            (Field::Period, &stated.period),
            (Field::Review, &stated.review),
            (Field::Contact, &stated.contact),
            (Field::Context, &stated.context),
            (Field::Recipients, &stated.recipients),
            (Field::Controls, &stated.controls),
            (Field::Public, &stated.public),
        ] {
            draft.set(field, statement.clone().unwrap_or_default());
        }
        let laws: Vec<&str> = stated.law.iter().map(|law| law.as_str()).collect();
        draft.set(Field::Law, laws.join(" "));
        if let Some(attempt) = &stated.attempt {
            let each = [attempt.deliberate, attempt.inadvertent, attempt.breach].map(typed);
            draft.set(Field::Attempt, each.join(" "));
        }
        draft
    }

    /// The text of a field.
    pub(crate) fn text(&self, field: Field) -> &str {
        self.0[field as usize].trim()
    }

    /// Changes a field.
    pub(crate) fn set(&mut self, field: Field, text: String) {
        self.0[field as usize] = text;
    }

    /// Puts a δ into its two fields. The reason of another δ goes.
    pub(crate) fn set_delta(&mut self, delta: Delta, shared: &Shared) {
        self.set(Field::Min, typed(delta.min()));
        self.set(Field::Max, typed(delta.max()));
        self.drop_reason_of_other_delta(shared);
    }

    /// Empties the reason if it was given for the present δ and another one is typed.
    pub(crate) fn drop_reason_of_other_delta(&mut self, shared: &Shared) {
        let given = shared.decided(shared.delta()).reason;
        if self.bounds().is_ok_and(|delta| delta != shared.delta())
            && given.is_some_and(|given| given == self.text(Field::Reason))
        {
            self.set(Field::Reason, String::new());
        }
    }

    /// The typed δ.
    ///
    /// # Errors
    /// A bound cannot be read.
    pub(crate) fn bounds(&self) -> Result<Delta, String> {
        Delta::read(self.text(Field::Min), self.text(Field::Max)).map_err(|error| error.to_string())
    }

    /// The criterion of a field; none if the field is empty.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn criterion(&self, field: Field) -> Result<Criteria, String> {
        let value = written(field, self.text(field));
        let setting = (!value.is_empty()).then_some((field.key().1, value.as_str()));
        Criteria::read(setting).map_err(|error| error.to_string())
    }

    /// All typed criteria.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub(crate) fn criteria(&self) -> Result<Criteria, String> {
        let values = CRITERIA.map(|field| (field.key().1, written(field, self.text(field))));
        let settings = values.iter().filter(|(_, value)| !value.is_empty());
        Criteria::read(settings.map(|(key, value)| (*key, value.as_str()))).map_err(|error| error.to_string())
    }

    /// Whether classes may be empty.
    pub(crate) fn empty_regions(&self) -> EmptyRegions {
        if self.text(Field::EmptyRegions) == FORBIDDEN { EmptyRegions::Forbid } else { EmptyRegions::Allow }
    }

    /// Whether a field means the same in another draft.
    pub(super) fn means(&self, other: &Self, field: Field) -> bool {
        let presence = |draft: &Self| draft.text(field).parse::<Presence>().ok();
        let attempt = |draft: &Self| draft.stated(field).ok().map(|stated| stated.attempt);
        let is_known = match field {
            Field::Max | Field::Min => presence(self).is_some() && presence(self) == presence(other),
            Field::Attempt => attempt(self).is_some() && attempt(self) == attempt(other),
            _ => false,
        };
        is_known || self.value(field) == other.value(field)
    }

    /// The statement of a field.
    ///
    /// # Errors
    /// What is wrong with it.
    fn stated(&self, field: Field) -> Result<Statements, String> {
        let line = self.value(field).map(|value| format!("{} = {value}", field.key().1));
        Statements::read(&line.unwrap_or_default())
    }

    /// Why the text of a field is refused; none if it is understood.
    pub(crate) fn wrong(&self, field: Field) -> Option<String> {
        let number = |error: TermError| error.given_for(field.name()).to_string();
        let text = self.text(field);
        match field {
            Field::Max | Field::Min => text.parse::<Presence>().map_err(number).err(),
            Field::K | Field::L | Field::T | Field::KMap => self.criterion(field).err(),
            Field::EmptyRegions if ![ALLOWED, FORBIDDEN].contains(&text) => {
                Some(format!("`{text}` is neither {ALLOWED} nor {FORBIDDEN}"))
            }
            _ if text.is_empty() => None,
            Field::Reason => Reason::read(text).err(),
            Field::Prior => text.parse::<Presence>().map_err(number).err(),
            Field::Misuse | Field::MisuseDown | Field::Cost => text.parse::<Fraction>().map_err(number).err(),
            Field::Attempt if parts(text).len() != 3 => {
                Some("expected three probabilities, such as 40% 20% 25%".to_owned())
            }
            field if field.is_stated() => self.stated(field).err(),
            _ => None,
        }
    }

    /// The advice for the typed fields; `None` while they are empty.
    pub(crate) fn advice(&self, problem: &Problem) -> Option<Result<Advice, String>> {
        let is_empty = |field| self.text(field).is_empty();
        if is_empty(Field::Prior) && is_empty(Field::Misuse) && is_empty(Field::MisuseDown) {
            return None;
        }
        let advised = self.stakes().and_then(|stakes| {
            advise(problem.total().presence(), &stakes).map_err(|error| error.to_string())
        });
        Some(advised)
    }

    fn stakes(&self) -> Result<Stakes, String> {
        for field in [Field::Prior, Field::Misuse] {
            if self.text(field).is_empty() {
                return Err("the advisor needs a prior and a misuse".to_owned());
            }
        }
        let grounds = self.grounds();
        grounds.stakes().map_err(|error| error.to_string())
    }

    /// The fields of the advisor as they are typed.
    fn grounds(&self) -> Grounds {
        let text = |field| self.text(field).to_owned();
        let cost = Some(text(Field::Cost)).filter(|cost| !cost.is_empty());
        Grounds {
            prior: text(Field::Prior),
            misuse: text(Field::Misuse),
            misuse_down: Some(text(Field::MisuseDown)).filter(|down| !down.is_empty()),
            cost: cost.unwrap_or_else(|| "1".to_owned()),
        }
    }

    /// What a decision for the typed δ needs.
    ///
    /// # Errors
    /// What is missing or wrong, with its field.
    pub(crate) fn decision(&self, shared: &Shared) -> Result<Decision, (Field, String)> {
        let delta = possible(&shared.problem, self.bounds().map_err(|why| (Field::Max, why))?)
            .map_err(|why| (Field::Max, why))?;
        let grounds = match self.advice(&shared.problem) {
            None => None,
            Some(Err(why)) => return Err((Field::Prior, why)),
            Some(Ok(advice)) if delta.is_within(advice.delta()) => Some(self.grounds()),
            Some(Ok(_)) => {
                let wider = "δ is wider than the advisor's: take its advice, or empty prior and misuse";
                return Err((Field::Prior, wider.to_owned()));
            }
        };
        let text = self.text(Field::Reason);
        let is_changed = !shared.log.decisions().is_empty() && delta != shared.delta();
        let reason = match Reason::read(text) {
            _ if text.is_empty() && !is_changed => None,
            read => Some(read.map_err(|why| (Field::Reason, why))?),
        };
        Ok(Decision { delta, reason, grounds })
    }

    /// What the draft changes in the project file.
    pub(crate) fn settings(&self, project: &Project) -> Vec<Setting> {
        let before = Self::of_project(project);
        let mut settings = Vec::new();
        for field in FIELDS {
            let (table, key) = field.key();
            let is_same = match field {
                Field::Max => self.text(field).parse().ok() == project.delta_max,
                Field::Min => {
                    self.text(field).parse().ok() == Some(project.delta_min.unwrap_or(Presence::ZERO))
                }
                Field::Reason => project.decided.reason.as_deref().unwrap_or_default() == self.text(field),
                field if field.is_advisor() => self.advised(field) == of_grounds(project, field),
                _ => self.means(&before, field),
            };
            if !is_same {
                settings.push(Setting { table, key, value: self.value(field) });
            }
        }
        settings
    }

    /// The text of a field of the advisor; the cost alone says nothing.
    fn advised(&self, field: Field) -> &str {
        if self.text(Field::Prior).is_empty() { "" } else { self.text(field) }
    }

    /// The value of a field as TOML; `None` if the file has no such key.
    fn value(&self, field: Field) -> Option<String> {
        let text = if field.is_advisor() { self.advised(field) } else { self.text(field) };
        match field {
            _ if text.is_empty() => None,
            Field::EmptyRegions => Some(toml_string(if text == FORBIDDEN { "forbid" } else { "allow" })),
            field if CRITERIA.contains(&field) => Some(written(field, text)),
            Field::Attempt => Some(attempts(text)),
            Field::Law => Some(laws(text)),
            _ => Some(toml_string(text)),
        }
    }
}

/// A decision on δ.
pub(crate) struct Decision {
    pub(crate) delta: Delta,
    pub(crate) reason: Option<Reason>,
    pub(crate) grounds: Option<Grounds>,
}

/// The text of a field of the advisor in the project file.
fn of_grounds(project: &Project, field: Field) -> &str {
    let Some(grounds) = &project.decided.grounds else { return "" };
    match field {
        Field::Prior => &grounds.prior,
        Field::Misuse => &grounds.misuse,
        Field::MisuseDown => grounds.misuse_down.as_deref().unwrap_or_default(),
        _ => &grounds.cost,
    }
}

/// A δ that some release can keep.
///
/// # Errors
/// No release can keep it.
fn possible(problem: &Problem, delta: Delta) -> Result<Delta, String> {
    let problem = problem.with_delta(delta);
    let feasibility = problem.feasibility();
    match feasibility.verdict() {
        Verdict::Ok if !feasibility.holds() && !search::is_feasible(&problem) => {
            Err("infeasible: the coarsest levels that are permitted break it".to_owned())
        }
        Verdict::Ok => Ok(delta),
        Verdict::Breaks(_) => Err(format!("infeasible: all of T breaks {}", feasibility.policy.criteria())),
        Verdict::Over | Verdict::Under => Err(format!(
            "infeasible: |T|/|P| = {} is outside {} to {}",
            feasibility.share(),
            delta.min(),
            delta.max()
        )),
    }
}

/// The parts of a text between blanks and commas.
fn parts(text: &str) -> Vec<&str> {
    text.split([' ', ',']).filter(|part| !part.is_empty()).collect()
}

/// The value of `attempt` for its text: three probabilities. Another text stays as it is, so that it is refused.
fn attempts(text: &str) -> String {
    let [deliberate, inadvertent, breach] = parts(text)[..] else { return toml_string(text) };
    let [deliberate, inadvertent, breach] = [deliberate, inadvertent, breach].map(toml_string);
    format!("{{ deliberate = {deliberate}, inadvertent = {inadvertent}, breach = {breach} }}")
}

/// The value of `law` for its text.
fn laws(text: &str) -> String {
    let names: Vec<String> = parts(text).into_iter().map(toml_string).collect();
    format!("[{}]", names.join(", "))
}

/// The value of `[policy]` for the text of a field: `3 of diagnosis` is `{ distinct = 3, of = "diagnosis" }`. A text that is not
/// understood stays as it is, so that the criterion refuses it.
fn written(field: Field, typed: &str) -> String {
    let typed = typed.trim();
    if typed.is_empty() || typed.starts_with('{') || !matches!(field, Field::L | Field::T) {
        return typed.to_owned();
    }
    let (head, column) = match typed.split_once(" of ") {
        Some((head, column)) => (head.trim(), Some(column.trim())),
        None => (typed, None),
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let inner = match (field, words.as_slice()) {
        (Field::L, ["distinct", number] | [number]) if number.parse::<u64>().is_ok() => {
            format!("distinct = {number}")
        }
        (Field::L, ["entropy", number]) => format!("entropy = {}", toml_string(number)),
        (Field::T, [number]) => format!("at_most = {}", toml_string(number)),
        (Field::T, [number, ground @ ("equal" | "ordered" | "hierarchy")]) => {
            format!("at_most = {}, distance = {}", toml_string(number), toml_string(ground))
        }
        _ => return typed.to_owned(),
    };
    let of = column.map_or_else(String::new, |column| format!(", of = {}", toml_string(column)));
    format!("{{ {inner}{of} }}")
}

/// The shortest text for a value of `[policy]`: the opposite of [`written`].
fn short(field: Field, value: &str) -> String {
    let read = toml::from_str::<toml::Table>(&format!("value = {value}"));
    let Some(toml::Value::Table(table)) = read.ok().and_then(|mut read| read.remove("value")) else {
        return value.to_owned();
    };
    let text = |key: &str| match table.get(key) {
        None => None,
        Some(toml::Value::String(text)) => Some(text.clone()),
        Some(other) => Some(other.to_string()),
    };
    let main = match field {
        Field::L => text("distinct").or_else(|| text("entropy").map(|number| format!("entropy {number}"))),
        _ => text("at_most").map(|number| match text("distance") {
            Some(ground) => format!("{number} {ground}"),
            None => number,
        }),
    };
    let of = text("of").map_or_else(String::new, |column| format!(" of {column}"));
    let short = main.map(|main| main + &of).unwrap_or_default();
    // A value that says more is shown as it is.
    let again = toml::from_str::<toml::Table>(&format!("value = {}", written(field, &short)));
    let is_same = again.is_ok_and(|again| {
        let Some(toml::Value::Table(again)) = again.get("value") else { return false };
        again.len() == table.len()
    });
    if is_same { short } else { value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_mean_criteria_and_back() {
        for (field, typed, value) in [
            (Field::K, "3", "3"),
            (Field::L, "3", "{ distinct = 3 }"),
            (Field::L, "entropy 2.5 of diagnosis", "{ entropy = \"2.5\", of = \"diagnosis\" }"),
            (Field::T, "0.2", "{ at_most = \"0.2\" }"),
            (Field::T, "1/5 ordered of x y", "{ at_most = \"1/5\", distance = \"ordered\", of = \"x y\" }"),
        ] {
            assert_eq!(written(field, typed), value);
            assert_eq!(short(field, value), typed);
            let read = Criteria::read([(field.key().1, value)]);
            assert!(read.is_ok(), "{value}: {read:?}");
        }
        let full = "{ distinct = 3, recursive = [3, 2] }";
        assert_eq!((short(Field::L, full).as_str(), written(Field::L, full).as_str()), (full, full));
        assert!(Criteria::read([("l", written(Field::L, "flu").as_str())]).is_err());
    }
}
