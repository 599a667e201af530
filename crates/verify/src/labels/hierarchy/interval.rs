//! Interval hierarchies: half-open bands of numbers, of equal width or between cuts. The values may have an open band at either
//! end, such as `<1` and `>=90`.

use toml::Spanned;
use toml::de::DeTable;

use super::built::{Key, LabelRule};
use super::grid::check_plain;
use super::settings::Settings;
use crate::problems::VerifyError;
use crate::values::Number;
use palmtop_terms::Kind;

/// A level between the numbers and `*`.
enum Bands {
    /// Bands of one width, one of which begins at the origin.
    Width { width: Number, origin: Number },
    /// Bands between ascending cuts. The first and the last band are unbounded.
    Cuts { cuts: Vec<Number>, labels: Option<Vec<String>> },
}

/// The form of a band without a label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `10-19`, for whole numbers from 0.
    Inclusive,
    /// `[10, 20)`
    HalfOpen,
}

/// An interval hierarchy.
pub(super) struct Intervals {
    levels: Vec<Bands>,
    /// The level of `*`.
    top: u8,
    style: Style,
    base: u8,
    /// All numbers below this one are one value, because P has the text `<first`.
    first: Option<Number>,
    /// All numbers from this one on are one value, because P has the text `>=last`.
    last: Option<Number>,
}

/// An open band of numbers.
enum OpenBand {
    Below(Number),
    From(Number),
}

impl OpenBand {
    /// Reads `<1` or `>=90`, whose number has its shortest form.
    fn read(text: &str) -> Option<Self> {
        let number = |text: &str| Number::read(text).filter(|number| number.to_string() == text);
        match text.strip_prefix(">=") {
            Some(bound) => number(bound).map(Self::From),
            None => number(text.strip_prefix('<')?).map(Self::Below),
        }
    }
}

pub(super) fn read(settings: &Settings, public: &[String], base: u8) -> Result<Intervals, VerifyError> {
    settings.only(&["type", "widths", "origin", "level"])?;
    let levels = match (settings.get("widths"), settings.get("level")) {
        (Some(_), None) => widths(settings)?,
        (None, Some(_)) => {
            if let Some(origin) = settings.get("origin") {
                let detail = "`origin` is only for `widths`; remove it".to_owned();
                return Err(settings.wrong(Some(origin.span()), detail));
            }
            let mut levels = Vec::new();
            for (number, table) in (1..).zip(settings.tables("level")?) {
                let finer = match levels.last() {
                    Some(Bands::Cuts { cuts, .. }) => Some(cuts.as_slice()),
                    _ => None,
                };
                levels.push(cuts(settings, number, &table, finer)?);
            }
            levels
        }
        _ => {
            let detail = "expected either `widths = [5, 10]` or a list `[[level]]` with `cuts`".to_owned();
            return Err(settings.wrong(None, detail));
        }
    };
    let top = u8::try_from(levels.len() + 1).ok().filter(|&top| top < 250);
    let top =
        top.ok_or_else(|| settings.wrong(None, "it has more than 250 levels; give fewer".to_owned()))?;
    let mut intervals = Intervals { levels, top, style: Style::Inclusive, base, first: None, last: None };
    if base == 0 || matches!(intervals.levels.first(), Some(Bands::Width { .. })) {
        for band in public.iter().filter_map(|text| OpenBand::read(text)) {
            // The wider of two open bands on a side counts. The other is refused as a value.
            match band {
                OpenBand::Below(bound) => intervals.first = intervals.first.max(Some(bound)),
                OpenBand::From(bound) => {
                    let wider = intervals.last.take().map_or(bound.clone(), |last| last.min(bound));
                    intervals.last = Some(wider);
                }
            }
        }
    }
    intervals.check_open().map_err(|detail| settings.wrong(None, detail))?;
    if !intervals.is_inclusive(public, base) {
        intervals.style = Style::HalfOpen;
    }
    Ok(intervals)
}

fn widths(settings: &Settings) -> Result<Vec<Bands>, VerifyError> {
    let Some(value) = settings.get("widths") else { return Ok(Vec::new()) };
    let wrong = |detail: String| Err(settings.wrong(Some(value.span()), detail));
    let widths = settings.numbers(value, "widths")?;
    let origin = settings.get("origin").map_or(Ok(Number::zero()), |value| settings.number(value))?;
    if widths.is_empty() {
        return wrong("`widths` is empty; give at least one".to_owned());
    }
    if let Some(width) = widths.iter().find(|width| !width.is_above_zero()) {
        return wrong(format!("width {width} is not above 0; give positive widths"));
    }
    for pair in widths.windows(2) {
        if pair[1] <= pair[0] || !pair[1].is_multiple_of(&pair[0]) {
            return wrong(format!(
                "width {} is not a larger multiple of {}, the previous width; bands of one level must fit into those of the next",
                pair[1], pair[0]
            ));
        }
    }
    Ok(widths.into_iter().map(|width| Bands::Width { width, origin: origin.clone() }).collect())
}

fn cuts(
    settings: &Settings,
    number: usize,
    table: &Spanned<&DeTable>,
    finer: Option<&[Number]>,
) -> Result<Bands, VerifyError> {
    let wrong = |detail: String| settings.wrong(Some(table.span()), format!("level {number}{detail}"));
    settings.only_in(table.get_ref(), &["cuts", "labels"])?;
    let value = table.get_ref().get("cuts").ok_or_else(|| wrong(" has no `cuts`; add them".to_owned()))?;
    let cuts = settings.numbers(value, "cuts")?;
    if cuts.is_empty() {
        return Err(wrong(" has no cuts; remove it, `*` is added at the top".to_owned()));
    }
    if let Some((previous, cut)) = cuts.iter().zip(&cuts[1..]).find(|(previous, cut)| previous >= cut) {
        return Err(wrong(format!(": cut {cut} is not above {previous}; sort the cuts")));
    }
    if let Some(cut) = cuts.iter().find(|cut| finer.is_some_and(|finer| !finer.contains(cut))) {
        return Err(wrong(format!(
            ": cut {cut} is not a cut of level {}; a coarser level may only keep cuts of the finer one",
            number - 1
        )));
    }
    let Some(value) = table.get_ref().get("labels") else { return Ok(Bands::Cuts { cuts, labels: None }) };
    let mut labels: Vec<String> = Vec::new();
    for label in settings.list(value, "labels")? {
        let label = settings.text_in(label, "labels")?;
        check_plain(label).map_err(|detail| wrong(format!(": {detail}")))?;
        if labels.iter().any(|known| known == label) {
            return Err(wrong(format!(": two bands have the label `{label}`; rename one")));
        }
        labels.push(label.to_owned());
    }
    if labels.len() != cuts.len() + 1 {
        let (found, cuts) = (labels.len(), cuts.len());
        return Err(wrong(format!(" has {found} labels for {cuts} cuts; expected {}", cuts + 1)));
    }
    Ok(Bands::Cuts { cuts, labels: Some(labels) })
}

impl Intervals {
    /// Whether bands have the form `10-19`: all widths, origins and cuts, and all values of P, are whole numbers from 0. At a
    /// level above 0, the texts of P must be labels in this form.
    fn is_inclusive(&self, public: &[String], base: u8) -> bool {
        let are_levels = self.levels.iter().all(|bands| match bands {
            Bands::Width { width, origin } => width.is_natural() && origin.is_integer(),
            Bands::Cuts { cuts, .. } => cuts.iter().all(Number::is_natural),
        });
        if !are_levels {
            return false;
        }
        if base > 0 {
            return public.iter().all(|text| self.generalize(text, base, base).is_some());
        }
        // Texts that are not numbers are refused later and do not count here.
        let value = |text: &String| match OpenBand::read(text) {
            Some(OpenBand::Below(bound) | OpenBand::From(bound)) => Some(bound),
            None => Number::read(text),
        };
        public.iter().filter_map(value).all(|value| {
            let starts = self.levels.iter().filter_map(|bands| match bands {
                Bands::Width { width, origin } => Some(value.step_below(width, origin)),
                Bands::Cuts { .. } => None,
            });
            value.is_natural() && starts.into_iter().all(|start| start.is_natural())
        })
    }

    /// Checks that no band ends inside an open band of the values, and that no band has no end.
    fn check_open(&self) -> Result<(), String> {
        for (level, bands) in (1..).zip(&self.levels) {
            let is_possible = match bands {
                Bands::Cuts { cuts, .. } => {
                    let above_first =
                        self.first.as_ref().is_none_or(|first| cuts.iter().all(|cut| cut >= first));
                    above_first && self.last.as_ref().is_none_or(|last| cuts.iter().all(|cut| cut <= last))
                }
                Bands::Width { width, origin } => match self.open_ends(width, origin) {
                    (Some(end), Some(start)) => end <= start,
                    _ => true,
                },
            };
            if !is_possible {
                return Err(format!(
                    "level {level} does not fit the open bands of P's values; correct its width or its cuts"
                ));
            }
        }
        Ok(())
    }

    /// The end of the band around the open first band, and the start of the band around the open last band.
    fn open_ends(&self, width: &Number, origin: &Number) -> (Option<Number>, Option<Number>) {
        let end = |first: &Number| {
            let start = first.step_below(width, origin);
            if start == *first { start } else { start.plus(width) }
        };
        (self.first.as_ref().map(end), self.last.as_ref().map(|last| last.step_below(width, origin)))
    }

    fn bands(&self, level: u8) -> Option<&Bands> {
        self.levels.get(usize::from(level).checked_sub(1)?)
    }

    /// The label of the band of a level that contains a number.
    fn label(&self, value: &Number, level: u8) -> Option<String> {
        Some(match self.bands(level)? {
            Bands::Width { width, origin } => {
                let low = value.step_below(width, origin);
                match self.open_ends(width, origin) {
                    (_, Some(start)) if *value >= start => format!(">={start}"),
                    (Some(end), _) if *value < end => format!("<{end}"),
                    _ => self.between(&low, &low.plus(width)),
                }
            }
            Bands::Cuts { cuts, labels } => {
                let above = cuts.partition_point(|cut| cut <= value);
                match (labels, above) {
                    (Some(labels), _) => labels[above].clone(),
                    (None, 0) => format!("<{}", cuts[0]),
                    (None, _) if above == cuts.len() => format!(">={}", cuts[above - 1]),
                    (None, _) => self.between(&cuts[above - 1], &cuts[above]),
                }
            }
        })
    }

    fn between(&self, low: &Number, end: &Number) -> String {
        match self.style {
            Style::HalfOpen => format!("[{low}, {end})"),
            Style::Inclusive => {
                let last = end.less_one();
                if last == *low { low.to_string() } else { format!("{low}-{last}") }
            }
        }
    }

    /// The number of a text of level 0, or a number in its open band. Beside an open band of P, no number inside it is a value.
    fn value(&self, text: &str) -> Option<Number> {
        match OpenBand::read(text) {
            Some(OpenBand::Below(ref bound)) => {
                (Some(bound) == self.first.as_ref()).then(|| bound.just_below())
            }
            Some(OpenBand::From(ref bound)) => {
                Some(bound.clone()).filter(|bound| Some(bound) == self.last.as_ref())
            }
            None => {
                let is_inside = |value: &Number| {
                    self.first.as_ref().is_some_and(|first| value < first)
                        || self.last.as_ref().is_some_and(|last| value >= last)
                };
                Number::read(text).filter(|value| self.base > 0 || !is_inside(value))
            }
        }
    }

    /// A number in the band that a text denotes: the least if there is one.
    fn number(&self, text: &str, level: u8) -> Option<Number> {
        let fits = |value: &Number| self.label(value, level).as_deref() == Some(text);
        match (self.bands(level), self.style) {
            (None, _) if level == 0 => self.value(text),
            (None, _) => None,
            (Some(Bands::Width { .. }), _) if text.starts_with(['<', '>']) => {
                OpenBand::read(text).map(OpenBand::number).filter(fits)
            }
            (Some(Bands::Cuts { cuts, .. }), _) => {
                std::iter::once(cuts[0].just_below()).chain(cuts.iter().cloned()).find(fits)
            }
            (Some(Bands::Width { .. }), Style::HalfOpen) => {
                let (low, _) = text.strip_prefix('[')?.split_once(", ")?;
                Number::read(low).filter(fits)
            }
            (Some(Bands::Width { .. }), Style::Inclusive) => {
                let (low, _) = text.split_once('-').unwrap_or((text, ""));
                Number::read(low).filter(Number::is_natural).filter(fits)
            }
        }
    }
}

impl OpenBand {
    /// A number in the band.
    fn number(self) -> Number {
        match self {
            Self::Below(bound) => bound.just_below(),
            Self::From(bound) => bound,
        }
    }
}

impl LabelRule for Intervals {
    fn kind(&self) -> Kind {
        Kind::Number
    }

    fn top(&self) -> u8 {
        self.top
    }

    fn generalize(&self, text: &str, from: u8, to: u8) -> Option<String> {
        if from == self.top() {
            return (text == "*").then(|| text.to_owned());
        }
        let value = self.number(text, from)?;
        match to {
            _ if to == self.top() => Some("*".to_owned()),
            _ if to == from => Some(text.to_owned()),
            _ => self.label(&value, to),
        }
    }

    fn key(&self, text: &str, level: u8, kind: Kind) -> Option<Key> {
        match kind {
            Kind::Date => None,
            Kind::Number | Kind::Category if level == self.top() => Some(Key::Top),
            Kind::Number | Kind::Category => self.number(text, level).map(Key::Number),
        }
    }
}
