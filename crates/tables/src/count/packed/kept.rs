//! Stores combinations in a file: the bits of each column, then the keys, then the people in P of
//! each.

use std::io::{self, Write};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::super::reduced::bytes::{Bytes, put_number};
use super::key::{Fields, Key};
use super::runs::Run;
use super::{Combinations, Sorted};
use palmtop_core::progress::Meter;

/// The number of keys or counts converted at once.
const LOT: usize = 1 << 14;

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
    let mut bytes = Vec::with_capacity(LOT * K::BYTES);
    for lot in run.keys.chunks(LOT) {
        bytes.clear();
        for key in lot {
            key.put(&mut bytes);
        }
        out.write_all(&bytes)?;
    }
    for lot in run.public.chunks(LOT) {
        bytes.clear();
        for people in lot {
            people.put(&mut bytes);
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn take_run<K: Key>(
    bytes: &mut Bytes,
    fields: &Fields,
    texts: &[usize],
    meter: &mut Meter,
) -> Option<Run<K>> {
    let mut go_on = || meter(0).is_continue().then_some(());
    let count = usize::try_from(bytes.number()?).ok()?;
    go_on()?;
    let keys: Vec<K> = column(bytes, count)?;
    go_on()?;
    let public: Vec<u64> = column(bytes, count)?;
    go_on()?;
    // A key beyond the texts would be invalid, and two equal keys would not be merged.
    let is_one = |key: K| {
        let is_known = fields.numbers(key).zip(texts).all(|(number, &texts)| (number as usize) < texts);
        is_known && fields.pack::<K>(fields.numbers(key)) == key
    };
    let is_ordered = keys.par_windows(2).with_min_len(LOT).all(|pair| pair[0] < pair[1]);
    go_on()?;
    let are_keys = is_ordered && (&keys).into_par_iter().with_min_len(LOT).all(|&key| is_one(key));
    go_on()?;
    let is_counted = public.iter().try_fold(0_u64, |all, &people| all.checked_add(people)).is_some();
    (are_keys && is_counted && !public.contains(&0)).then_some(Run { keys, public, private: Vec::new() })
}

fn column<K: Key>(bytes: &mut Bytes, count: usize) -> Option<Vec<K>> {
    let all = bytes.take(count.checked_mul(K::BYTES)?)?;
    all.par_chunks_exact(K::BYTES).with_min_len(LOT).map(K::take).collect()
}
