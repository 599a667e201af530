//! Random people, and ways to write their values.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

/// A person: an amount in halves, a day and a colour, each of which may be unknown; and whether the
/// person is in T.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    amount: Option<i32>,
    day: Option<u32>,
    colour: Option<usize>,
    pub(crate) is_private: bool,
    /// Which of the equivalent forms a text has.
    noise: u8,
}

impl Person {
    /// A number below 64 that depends only on the combination.
    pub(crate) fn lot(&self) -> u32 {
        let amount = self.amount.map_or(40, |amount| (amount / 501 + 3).unsigned_abs());
        (amount
            + 7 * self.day.unwrap_or(5)
            + 13 * self.colour.map_or(9, |colour| u32::try_from(colour).unwrap()))
            % 64
    }
}

const COLOURS: [&str; 4] = ["red", "orange", "blue", "grey, or none"];

/// How one table writes its values; each field selects one of three ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    number: usize,
    date: usize,
    missing: usize,
    has_blanks: bool,
    has_spellings: bool,
}

/// The plainest style, with the keys that it needs.
pub(crate) const CLEAN: Style =
    Style { number: 0, date: 0, missing: 0, has_blanks: false, has_spellings: false };

const NUMBERS: [&str; 3] = ["number = \"1234.5\"", "number = \"1.234,5\"", "number = \"1 234.5\""];
const DATES: [&str; 3] = ["%Y-%m-%d", "%d.%m.%Y", "%d %b %y"];
const MISSING: [&[&str]; 3] = [&["", "NA"], &["."], &["n/a", "?", "-"]];

impl Style {
    /// The keys of an attribute under `[attribute.public]` or `[attribute.private]`.
    fn keys(self, attribute: &str) -> String {
        let missing: Vec<String> = MISSING[self.missing].iter().map(|text| format!("{text:?}")).collect();
        let settings = match attribute {
            "amount" => NUMBERS[self.number].to_owned(),
            "day" if DATES[self.date].contains("%y") => {
                format!("date = {{ like = {:?}, from = 1970 }}", DATES[self.date])
            }
            "day" => format!("date = {:?}", DATES[self.date]),
            _ if self.has_spellings => "values = { R = \"red\", \"grey\" = \"grey, or none\" }".to_owned(),
            _ => String::new(),
        };
        format!("missing = [{}]\ntrim = {}\n{settings}\n", missing.join(", "), self.has_blanks)
    }

    fn row(self, person: &Person) -> String {
        let noise = person.noise;
        let missing = MISSING[self.missing][usize::from(noise) % MISSING[self.missing].len()].to_owned();
        let cells = [
            person.amount.map(|halves| self.number_text(halves, noise)),
            person.day.map(|day| self.date_text(day, noise)),
            person.colour.map(|colour| match COLOURS[colour] {
                "red" if self.has_spellings && noise.is_multiple_of(2) => "R".to_owned(),
                "grey, or none" if self.has_spellings && noise.is_multiple_of(3) => "grey".to_owned(),
                colour => colour.to_owned(),
            }),
        ];
        let cell = |(index, cell): (usize, Option<String>)| {
            let text = cell.unwrap_or_else(|| missing.clone());
            let blanks =
                if self.has_blanks { " ".repeat((usize::from(noise) + index) % 3) } else { String::new() };
            format!("\"{blanks}{text}{blanks}\"")
        };
        cells.into_iter().enumerate().map(cell).collect::<Vec<_>>().join(",")
    }

    fn number_text(self, halves: i32, noise: u8) -> String {
        let (sign, size) = (if halves < 0 { "-" } else { "" }, halves.unsigned_abs());
        let (integer, half) = (size / 2, size % 2 == 1);
        let sign = if sign.is_empty() && noise % 4 == 1 && self.number > 0 { "+" } else { sign };
        let zeros = if self.number > 0 { usize::from(noise % 3) } else { 0 };
        let (point, separator) = [(".", ""), (",", "."), (".", " ")][self.number];
        let fraction = match (half, zeros) {
            (true, zeros) => format!("{point}5{}", "0".repeat(zeros)),
            (false, 0) => String::new(),
            (false, zeros) => format!("{point}{}", "0".repeat(zeros)),
        };
        let integer = if integer >= 1000 && !noise.is_multiple_of(5) {
            format!("{}{separator}{:03}", integer / 1000, integer % 1000)
        } else {
            integer.to_string()
        };
        format!("{sign}{integer}{fraction}")
    }

    /// Days 0 to 59 are those of January and February 2024, which is a leap year.
    fn date_text(self, day: u32, noise: u8) -> String {
        let (month, day) = if day < 31 { (1, day + 1) } else { (2, day - 30) };
        let name = ["", "Jan", "feb"][month];
        match self.date {
            1 if noise.is_multiple_of(2) => format!("{day}.{month}.2024"),
            1 => format!("{day:02}.{month:02}.2024"),
            2 => format!("{day:02} {name} 24"),
            _ => format!("2024-{month:02}-{day:02}"),
        }
    }
}

/// Writes the people as a project, with P in one style and T in another. P does not contain the
/// people for whom `lacks` is true.
pub(crate) fn write(
    folder: &Path,
    people: &[Person],
    styles: [Style; 2],
    head: &str,
    lacks: impl Fn(&Person) -> bool,
) {
    let [public_style, private_style] = styles;
    let header = "amount,day,colour";
    let of_public = people.iter().filter(|person| !lacks(person));
    // A row with one text at the end of P would be asked about: it may be a note.
    let public: Vec<String> =
        of_public.enumerate().map(|(nth, person)| format!("r{nth},x,{}", public_style.row(person))).collect();
    let private = people.iter().enumerate().filter(|(_, person)| person.is_private);
    let private: Vec<String> =
        private.map(|(index, person)| format!("{},s{}", private_style.row(person), index % 3)).collect();
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("p.csv", format!("row,site,{header}\n{}\n", public.join("\n")));
    write("t.csv", format!("{header},secret\n{}\n", private.join("\n")));
    write("amount.toml", "type = \"interval\"\nwidths = [500, 1000]\n".to_owned());
    write("day.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n".to_owned());
    write("colour.csv", "red;warm;*\norange;warm;*\nblue;cold;*\n\"grey, or none\";cold;*\n".to_owned());
    write("colour.toml", "type = \"flat\"\n".to_owned());
    let colours = if people.len().is_multiple_of(2) { "colour.toml" } else { "colour.csv" };
    let attribute = |name: &str, file: &str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{file}\"\n[attribute.public]\n{}\
             [attribute.private]\n{}",
            public_style.keys(name),
            private_style.keys(name)
        )
    };
    write(
        "p.toml",
        format!(
            "{head}\n{}{}{}[[attribute]]\nname = \"secret\"\nrole = \"sensitive\"\n",
            attribute("amount", "amount.toml"),
            attribute("day", "day.toml"),
            attribute("colour", colours)
        ),
    );
}

pub(crate) fn people() -> impl Strategy<Value = Vec<Person>> {
    let maybe = |values: std::ops::Range<i32>| prop::option::weighted(0.8, values);
    let person = (maybe(-3..12), maybe(0..4), maybe(0..4), prop::bool::weighted(0.35), any::<u8>());
    let person = person.prop_map(|(amount, day, colour, is_private, noise)| Person {
        // From −751.5 to 2,755.5 in steps of 250.5.
        amount: amount.map(|amount| amount * 501),
        day: day.map(|day| u32::try_from(day).unwrap() * 17),
        colour: colour.map(|colour| usize::try_from(colour).unwrap()),
        is_private,
        noise,
    });
    prop::collection::vec(person, 4..40)
        .prop_filter("somebody is private", |people| people.iter().any(|person| person.is_private))
}

pub(crate) fn styles() -> impl Strategy<Value = Style> {
    (0..3_usize, 0..3_usize, 0..3_usize, any::<bool>(), any::<bool>()).prop_map(
        |(number, date, missing, has_blanks, has_spellings)| Style {
            number,
            date,
            missing,
            has_blanks,
            has_spellings,
        },
    )
}
