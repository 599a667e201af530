//! Stores combinations in a file: the bits of each column, then the keys, each as what it is more than the
//! one before, then the people in P of each. Most of these numbers take a few bytes.

use std::io::{self, Write};

use rayon::prelude::*;

use super::super::reduced::bytes::{Bytes, put_number};
use super::key::{Fields, Key};
use super::runs::Run;
use super::{Combinations, Sorted};
use palmtop_core::progress::Meter;

/// The number of keys or counts converted at once.
const LOT: usize = 1 << 14;

/// The number of lots converted at once, on all cores.
const AT_ONCE: usize = 64;

/// The number of keys or counts read between two calls of the meter.
const STRIDE: usize = 1 << 20;

impl Combinations {
    /// Whether they can be stored: packed in numbers, and without members of T.
    pub(crate) fn can_be_kept(&self) -> bool {
        match &self.sorted {
            Sorted::Short(run) => run.private.is_empty(),
            Sorted::Long(run) => run.private.is_empty(),
            Sorted::Rows(_) => false,
        }
    }

    /// Writes all combinations; nothing if they cannot be stored.
    pub(crate) fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        for &width in self.fields.widths() {
            put_number(out, width.into())?;
        }
        match &self.sorted {
            Sorted::Short(run) => put_run(run, out),
            Sorted::Long(run) => put_run(run, out),
            Sorted::Rows(_) => Ok(()),
        }
    }

    /// Reads combinations of columns with these numbers of texts; `None` if the bytes are not such
    /// combinations, or the meter asks to stop.
    pub(crate) fn take(bytes: &mut Bytes, texts: &[usize], meter: &mut Meter) -> Option<Self> {
        let widths = texts.iter().map(|_| bytes.number().and_then(|width| u32::try_from(width).ok()));
        let widths: Vec<u32> = widths.collect::<Option<_>>()?;
        if widths.iter().any(|width| !(1..=u32::BITS).contains(width)) {
            return None;
        }
        let fields = Fields::of(widths);
        let sorted = match fields.bits() {
            0..=64 => Sorted::Short(take_run(bytes, &fields, texts, meter)?),
            65..=128 => Sorted::Long(take_run(bytes, &fields, texts, meter)?),
            _ => return None,
        };
        Some(Self { fields, sorted })
    }
}

fn put_run<K: Key>(run: &Run<K>, out: &mut dyn Write) -> io::Result<()> {
    put_number(out, run.keys.len() as u64)?;
    for (nth, lots) in run.keys.chunks(LOT * AT_ONCE).enumerate() {
        let written = lots.par_chunks(LOT).enumerate().map(|(lot, keys)| {
            let start = (nth * AT_ONCE + lot) * LOT;
            let (mut bytes, mut before) = (Vec::with_capacity(keys.len() * 4), 0);
            if let Some(last) = start.checked_sub(1) {
                before = run.keys[last].wide();
            }
            for key in keys.iter().map(|key| key.wide()) {
                put_short(key - before, &mut bytes);
                before = key;
            }
            bytes
        });
        put_lots(&written.collect::<Vec<_>>(), out)?;
    }
    for lots in run.public.chunks(LOT * AT_ONCE) {
        let written = lots.par_chunks(LOT).map(|lot| {
            let mut bytes = Vec::with_capacity(lot.len());
            for &people in lot {
                put_short(people.into(), &mut bytes);
            }
            bytes
        });
        put_lots(&written.collect::<Vec<_>>(), out)?;
    }
    Ok(())
}

fn put_lots(lots: &[Vec<u8>], out: &mut dyn Write) -> io::Result<()> {
    lots.iter().try_for_each(|lot| out.write_all(lot))
}

fn take_run<K: Key>(
    bytes: &mut Bytes,
    fields: &Fields,
    texts: &[usize],
    meter: &mut Meter,
) -> Option<Run<K>> {
    let mut go_on = || meter(0).is_continue().then_some(());
    // A key and its people take at least a byte each: a wrong number must not allocate memory.
    let count = usize::try_from(bytes.number()?).ok().filter(|&count| count <= bytes.0.len() / 2)?;
    let (mut keys, mut before) = (Vec::with_capacity(count), 0_u128);
    for nth in 0..count {
        if nth.is_multiple_of(STRIDE) {
            go_on()?;
        }
        // Two equal keys would not be merged.
        let step = take_short(bytes).filter(|&step| step > 0 || nth == 0)?;
        before = before.checked_add(step)?;
        keys.push(K::of_wide(before)?);
    }
    let (mut public, mut all) = (Vec::with_capacity(count), 0_u64);
    for nth in 0..count {
        if nth.is_multiple_of(STRIDE) {
            go_on()?;
        }
        let people =
            take_short(bytes).and_then(|people| u64::try_from(people).ok()).filter(|&people| people > 0)?;
        all = all.checked_add(people)?;
        public.push(people);
    }
    go_on()?;
    // A key beyond the texts would be invalid.
    let is_one = |key: K| {
        let is_known = fields.numbers(key).zip(texts).all(|(number, &texts)| (number as usize) < texts);
        is_known && fields.pack::<K>(fields.numbers(key)) == key
    };
    let are_keys = (&keys).into_par_iter().with_min_len(LOT).all(|&key| is_one(key));
    go_on()?;
    are_keys.then_some(Run { keys, public, private: Vec::new() })
}

/// Writes a number as its groups of 7 bits, the lowest first; the highest bit of a byte says that more
/// follow.
fn put_short(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 1 << 7 {
        bytes.push(number.to_le_bytes()[0] | 1 << 7);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Reads such a number; `None` if it has no end or more than 128 bits.
fn take_short(bytes: &mut Bytes) -> Option<u128> {
    let mut number = 0_u128;
    for (&byte, shift) in bytes.0.iter().zip((0..u128::BITS).step_by(7)) {
        let group = u128::from(byte & 0x7F);
        if (group << shift) >> shift != group {
            return None;
        }
        number |= group << shift;
        if byte < 1 << 7 {
            bytes.take(shift as usize / 7 + 1)?;
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_are_read_as_written() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u128::from(u64::MAX), 1 << 127, u128::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put_short(number, &mut bytes);
        }
        let mut rest = Bytes(&bytes);
        assert_eq!(numbers.map(|_| take_short(&mut rest).unwrap()), numbers);
        assert!(rest.0.is_empty() && take_short(&mut rest).is_none());
        assert_eq!(take_short(&mut Bytes(&[0xFF; 18])), None, "without an end");
        assert_eq!(take_short(&mut Bytes(&[vec![0xFF; 18], vec![4]].concat())), None, "129 bits");
    }
}
