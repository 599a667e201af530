//! Packs several small numbers into one: a field of bits per column, the first column highest, so
//! keys sort like rows.

use std::ops::{BitOr, Shl, Shr};

use rayon::prelude::*;

/// An integer into which fields are packed.
pub(in crate::count) trait Key:
    Copy + Ord + Default + Send + Sync + BitOr<Output = Self> + Shl<u32, Output = Self> + Shr<u32, Output = Self>
{
    fn of(number: u32) -> Self;

    /// The lowest 32 bits.
    fn low(self) -> u32;

    /// The same number in 128 bits.
    fn wide(self) -> u128;

    /// A number of 128 bits; `None` if it has more bits than the key.
    fn of_wide(number: u128) -> Option<Self>;
}

macro_rules! key {
    ($integer:ty) => {
        impl Key for $integer {
            fn wide(self) -> u128 {
                self.into()
            }

            fn of_wide(number: u128) -> Option<Self> {
                number.try_into().ok()
            }

            fn of(number: u32) -> Self {
                Self::from(number)
            }

            #[expect(clippy::cast_possible_truncation, reason = "the lowest bits are what is asked for")]
            fn low(self) -> u32 {
                self as u32
            }
        }
    };
}

key!(u64);
key!(u128);

/// A column of a lot of rows.
pub(in crate::count) struct LotColumn<'a> {
    /// The number of each row's text within the lot.
    pub(in crate::count) rows: &'a [u32],
    /// The number of each of these texts among all texts of the column.
    pub(in crate::count) texts: Vec<u32>,
}

/// The number of combinations for which a second thread pays off.
pub(super) const LOT: usize = 1 << 14;

/// The number of bits of each column, from 1 to 32.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    widths: Vec<u32>,
    shifts: Vec<u32>,
}

impl Fields {
    /// Fields for numbers below these limits, column by column.
    pub(super) fn below(limits: impl Iterator<Item = usize>) -> Self {
        // Each field has at least one bit, so no shift is as wide as a key.
        Self::of(limits.map(|limit| (usize::BITS - limit.saturating_sub(1).leading_zeros()).max(1)).collect())
    }

    pub(super) fn of(widths: Vec<u32>) -> Self {
        let mut shifts = vec![0; widths.len()];
        for column in (1..widths.len()).rev() {
            shifts[column - 1] = shifts[column] + widths[column];
        }
        Self { widths, shifts }
    }

    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.widths.len()
    }

    /// The number of bits of each column.
    pub(super) fn widths(&self) -> &[u32] {
        &self.widths
    }

    /// The number of bits of all columns.
    pub(super) fn bits(&self) -> u32 {
        self.widths.iter().sum()
    }

    /// Whether a number fits a column's field.
    pub(super) fn holds(&self, column: usize, number: u32) -> bool {
        u64::from(number) >> self.widths[column] == 0
    }

    /// The same fields, widened for these numbers.
    pub(super) fn widened(&self, row: &[u32]) -> Self {
        let needed = row.iter().map(|&number| u32::BITS - number.leading_zeros());
        Self::of(self.widths.iter().zip(needed).map(|(&width, needed)| width.max(needed)).collect())
    }

    pub(super) fn pack<K: Key>(&self, row: impl Iterator<Item = u32>) -> K {
        row.zip(&self.shifts).fold(K::default(), |key, (number, &shift)| key | (K::of(number) << shift))
    }

    /// Writes the keys of a lot of rows.
    pub(super) fn pack_lot<K: Key>(&self, columns: &[LotColumn], keys: &mut [K]) {
        keys.par_chunks_mut(LOT).enumerate().for_each(|(nth, keys)| {
            for (LotColumn { rows, texts }, &shift) in columns.iter().zip(&self.shifts) {
                for (key, &text) in keys.iter_mut().zip(&rows[nth * LOT..]) {
                    *key = *key | (K::of(texts[text as usize]) << shift);
                }
            }
        });
    }

    /// The numbers of a key, column by column.
    pub(super) fn numbers<K: Key>(&self, key: K) -> impl Iterator<Item = u32> {
        let fields = self.widths.iter().zip(&self.shifts);
        fields.map(move |(&width, &shift)| (key >> shift).low() & (u32::MAX >> (u32::BITS - width)))
    }

    /// The number of a key in one column.
    pub(super) fn number<K: Key>(&self, key: K, column: usize) -> u32 {
        (key >> self.shifts[column]).low() & (u32::MAX >> (u32::BITS - self.widths[column]))
    }

    pub(super) fn unpack<K: Key>(&self, key: K, row: &mut [u32]) {
        row.iter_mut().zip(self.numbers(key)).for_each(|(to, number)| *to = number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_keys_restore_rows_and_keep_their_order() {
        let fields = Fields::below([1, 2, 1 << 32, 5].into_iter());
        assert_eq!((fields.bits(), fields.holds(3, 7), fields.holds(3, 8)), (1 + 1 + 32 + 3, true, false));
        let rows = [[0, 0, u32::MAX, 4], [0, 1, 0, 7], [1, 0, 0, 0]];
        let keys = rows.map(|row| fields.pack::<u64>(row.into_iter()));
        assert!(keys.is_sorted());
        let wide = fields.widened(&[u32::MAX, 0, 0, 8]);
        assert_eq!(wide.bits(), 32 + 1 + 32 + 4);
        for row in rows {
            let mut found = [9; 4];
            fields.unpack(fields.pack::<u64>(row.into_iter()), &mut found);
            assert_eq!(found, row);
            wide.unpack(wide.pack::<u128>(row.into_iter()), &mut found);
            assert_eq!(found, row);
        }
        let column = |column: usize| LotColumn {
            rows: &[0, 1, 2],
            texts: rows.iter().map(|row| row[column]).collect(),
        };
        let mut packed = [0; 3];
        fields.pack_lot::<u64>(&[0, 1, 2, 3].map(column), &mut packed);
        assert_eq!(packed, keys[..]);
    }
}
