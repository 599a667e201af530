//! Columns of T for the search of betrayals: a list of distinct texts, and a code for each row.

use rustc_hash::FxHashMap;

/// The code of a cell without a value.
pub const NO_VALUE: u32 = u32::MAX;

/// The distinct texts of a column as numbers, or as days. Day 1 is the first day of the year 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Whether the numbers are days.
    pub is_date: bool,
    /// The number of each text; `None` for a text that is not a number or date.
    pub values: Vec<Option<f64>>,
}

/// A column of T.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// The distinct texts. The code of a text is its index.
    pub texts: Vec<String>,
    /// The code of each row's text; [`NO_VALUE`] if the row has no value.
    pub cells: Vec<u32>,
    /// The texts as numbers or days, if nearly all of them are.
    pub scale: Option<Scale>,
    known: FxHashMap<String, u32>,
}

impl Column {
    /// A column without rows.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A column with given distinct texts and the code of each row.
    pub fn numbered(
        name: impl Into<String>,
        texts: Vec<String>,
        cells: Vec<u32>,
        scale: Option<Scale>,
    ) -> Self {
        Self { name: name.into(), texts, cells, scale, known: FxHashMap::default() }
    }

    /// Appends a row with a text; `None` for a missing value.
    pub fn push(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.cells.push(NO_VALUE) };
        let code = self.known.get(text).copied().unwrap_or_else(|| {
            let code = u32::try_from(self.texts.len()).expect("fewer texts than 32 bits can number");
            self.texts.push(text.to_owned());
            self.known.insert(text.to_owned(), code);
            code
        });
        self.cells.push(code);
    }

    /// The number or day of a row.
    pub(super) fn value(&self, row: u32) -> Option<f64> {
        let code = self.cells[row as usize];
        if code == NO_VALUE { None } else { self.scale.as_ref()?.values[code as usize] }
    }

    /// The sum or difference of two columns, row by row. Its texts are empty.
    pub(super) fn plus(&self, other: &Self, sign: f64) -> Self {
        let mut values: Vec<Option<f64>> = Vec::new();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut cells = Vec::with_capacity(self.cells.len());
        for row in (0..).take(self.cells.len()) {
            let both = self.value(row).zip(other.value(row));
            cells.push(both.map_or(NO_VALUE, |(left, right)| {
                let sum = left + sign * right;
                *known.entry(sum.to_bits()).or_insert_with(|| {
                    values.push(Some(sum));
                    u32::try_from(values.len() - 1).expect("no more sums than rows")
                })
            }));
        }
        let texts = vec![String::new(); values.len()];
        let scale = Some(Scale { is_date: false, values });
        Self::numbered(self.name.clone(), texts, cells, scale)
    }
}

/// A quasi-identifier with T's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Quasi {
    /// The name of the quasi-identifier.
    pub name: String,
    /// Its values. The texts are leaves, numbered as in P.
    pub column: Column,
    /// The levels above the leaves and below the top: the number of each level, and the label of
    /// each leaf.
    pub levels: Vec<(u8, Vec<u32>)>,
    /// The leaf of a missing value. No published column excludes it for any person.
    pub missing: Option<u32>,
}

impl Quasi {
    /// A quasi-identifier without a known hierarchy.
    pub fn of(column: Column) -> Self {
        Self { name: column.name.clone(), column, levels: Vec::new(), missing: None }
    }

    /// The value of a row; [`NO_VALUE`] if it is missing.
    pub(super) fn cell(&self, row: u32) -> u32 {
        let code = self.column.cells[row as usize];
        if self.missing == Some(code) { NO_VALUE } else { code }
    }

    /// The number of leaves.
    pub(super) fn len(&self) -> usize {
        self.column.texts.len()
    }

    /// Codes as ascending runs, together with the leaf of a missing value.
    pub(super) fn runs(&self, mut codes: Vec<u32>) -> Vec<(u32, u32)> {
        codes.extend(self.missing);
        codes.sort_unstable();
        codes.dedup();
        codes.chunk_by(|left, right| left + 1 == *right).map(|run| (run[0], run[run.len() - 1] + 1)).collect()
    }
}

/// A hash of a number, equal on every machine (splitmix64).
pub(super) fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
