//! Draws one person, from the zip code to the occupation. Each attribute depends on the previous
//! ones.

use super::dice::Dice;
use super::tables::{self, Job, Quarter};

/// A resident of the town.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Person {
    pub(crate) zip: &'static str,
    pub(crate) quarter: Quarter,
    pub(crate) age: u32,
    pub(crate) sex: &'static str,
    pub(crate) education: &'static str,
    pub(crate) occupation: &'static str,
    pub(crate) nationality: &'static str,
}

impl Person {
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        let (zip, quarter) = dice.pick(&tables::ZIPS);
        let (first, last) = tables::AGE_BANDS[dice.weighted_index(&tables::ages(quarter))];
        let age = dice.between(first, last);
        let sex = dice.pick(&tables::sexes(age));
        let nationality = nationality(dice, quarter, age);
        let education = Education::draw(dice, quarter, age);
        let occupation = occupation(dice, quarter, age, sex, education);
        Self { zip, quarter, age, sex, education: education.text(), occupation, nationality }
    }

    /// The quasi-identifiers, in the order of the files' columns.
    pub(crate) fn columns(&self) -> [String; 6] {
        let age = self.age.to_string();
        [self.zip, &age, self.sex, self.education, self.occupation, self.nationality].map(str::to_owned)
    }
}

/// From age 65 on, half of the people who would have come from abroad are from the town.
fn nationality(dice: &mut Dice, quarter: Quarter, age: u32) -> &'static str {
    let home = tables::home_share(quarter);
    let home = if age >= 65 { 500 + home / 2 } else { home };
    if dice.chance(home, 1000) { tables::HOME } else { dice.pick(tables::nations_abroad(quarter)) }
}

/// How far a person has come in education.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Education {
    TooYoung,
    InPrimarySchool,
    InSecondarySchool,
    /// An index into [`tables::DEGREES`].
    Finished(usize),
}

impl Education {
    fn draw(dice: &mut Dice, quarter: Quarter, age: u32) -> Self {
        match age {
            0..=6 => Self::TooYoung,
            7..=12 => Self::InPrimarySchool,
            13..=15 => Self::InSecondarySchool,
            16..=18 if dice.chance(22, 25) => Self::InSecondarySchool,
            16..=18 => Self::Finished(tables::LOWER_SECONDARY),
            _ => Self::draw_degree(dice, quarter, age),
        }
    }

    /// A degree that is possible at this age. Degrees of the cohort that need more years have
    /// weight 0.
    fn draw_degree(dice: &mut Dice, quarter: Quarter, age: u32) -> Self {
        let cohort = tables::COHORTS.iter().filter(|&&last| last < age).count();
        let mut weights = tables::SCHOOLING[cohort][tables::schooling_of(quarter)];
        for (weight, degree) in weights.iter_mut().zip(&tables::DEGREES) {
            if age < degree.from_age {
                *weight = 0;
            }
        }
        Self::Finished(dice.weighted_index(&weights))
    }

    fn text(self) -> &'static str {
        match self {
            Self::TooYoung => "below school age",
            Self::InPrimarySchool => "in primary school",
            Self::InSecondarySchool => "in secondary school",
            Self::Finished(degree) => tables::DEGREES[degree].name,
        }
    }
}

fn occupation(
    dice: &mut Dice,
    quarter: Quarter,
    age: u32,
    sex: &'static str,
    education: Education,
) -> &'static str {
    let tier = match education {
        Education::TooYoung => return "child",
        Education::InPrimarySchool | Education::InSecondarySchool => return "pupil",
        Education::Finished(degree) => tables::DEGREES[degree].tier,
    };
    if dice.chance(retired_of_hundred(age), 100) {
        "retired"
    } else if tier > 0 && dice.chance(students_of_hundred(quarter, age), 100) {
        "student"
    } else if age < 66 && dice.chance(tables::JOBLESS[tier], 100) {
        let at_home = if sex == "female" { 24 } else { 5 };
        let unable = if age < 40 { 9 } else { 38 };
        dice.pick(&[("unemployed", 50), ("homemaker", at_home), ("unable to work", unable)])
    } else {
        work(dice, quarter, sex, tier)
    }
}

fn retired_of_hundred(age: u32) -> u32 {
    match age {
        0..60 => 0,
        60..63 => 12,
        63..66 => 45,
        66..75 => 93,
        _ => 100,
    }
}

fn students_of_hundred(quarter: Quarter, age: u32) -> u32 {
    match (age, quarter == Quarter::Campus) {
        (0..25, true) => 82,
        (0..25, false) => 36,
        (25..35, true) => 24,
        (25..35, false) => 6,
        _ => 0,
    }
}

fn work(dice: &mut Dice, quarter: Quarter, sex: &str, tier: usize) -> &'static str {
    let weigh = |job: &Job| {
        let (women, men) = job.draw;
        let draw = match sex {
            "female" => 2 * women,
            "male" => 2 * men,
            _ => women + men,
        };
        let near = match job.at {
            Some((there, times)) if there == quarter => times,
            _ => 1,
        };
        job.fit[tier] * draw * near
    };
    let weights: Vec<u32> = tables::JOBS.iter().map(weigh).collect();
    tables::JOBS[dice.weighted_index(&weights)].name
}
