//! The rows of a Parquet or Arrow file that may be no people, and the rows without those that a
//! project leaves out.

use polars::prelude::*;

use super::super::guard::guarded;
use super::super::scan::Scan;
use super::{Typed, texts};
use crate::error::DataError;
use crate::error::doubts::{Doubt, DoubtKind};
use crate::source::rows::RowRules;

/// The first rows that are looked at.
const FIRST: usize = 2000;
/// The last rows that are looked at.
const LAST: usize = 20;

impl Typed {
    /// The rows at both ends of the file that may be no people, and the names if they look like
    /// values. Rows in the middle come from a program, as all of the file does.
    pub(crate) fn doubts(&self, names: &[String], rules: &RowRules) -> Result<Vec<Doubt>, DataError> {
        let names = self.readable(names);
        let mut scan = Scan::new(&names, rules);
        let columns: Vec<&str> = names.iter().map(String::as_str).collect();
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        let mut number = 0;
        let mut look = |frame: DataFrame, from: usize| -> Result<(), DataError> {
            let mut at = from as u64;
            self.each_row(&frame, &columns, &mut |cells| {
                at += 1;
                scan.look(at, cells.iter().copied());
            })
        };
        self.visit(&columns, 0, FIRST, &mut |frame| {
            number = frame.height();
            look(frame, 0).map(|()| false)
        })?;
        let last = self.rows().map_or(0, |rows| rows.saturating_sub(LAST).max(number));
        if last > 0 && self.rows().is_some_and(|rows| last < rows) {
            self.visit(&columns, last, LAST, &mut |frame| look(frame, last).map(|()| true))?;
        }
        Ok(typed(scan.finish(0)))
    }

    /// The rows that are not left out, the numbers of those that are, and the doubts about the rest.
    pub(crate) fn without(
        &self,
        names: &[String],
        rules: &RowRules,
    ) -> Result<(DataFrame, Vec<u64>, Vec<Doubt>), DataError> {
        let names = self.readable(names);
        let columns: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut scan = Scan::new(&names, rules);
        let (mut all, mut left_out, mut number) = (None::<DataFrame>, Vec::new(), 0);
        self.visit(&columns, 0, Self::STRIDE, &mut |frame| {
            let mut is_kept = Vec::with_capacity(frame.height());
            self.each_row(&frame, &columns, &mut |cells| {
                number += 1;
                let is_out = rules.leaves_out(number, cells.iter().copied());
                if is_out {
                    left_out.push(number);
                } else {
                    scan.look(number, cells.iter().copied());
                }
                is_kept.push(!is_out);
            })?;
            let kept = guarded(&self.path, || {
                let kept = frame.filter(&BooleanChunked::from_slice("".into(), &is_kept));
                kept.map_err(|error| error.to_string())
            })?;
            all = Some(match all.take() {
                None => kept,
                Some(mut all) => {
                    guarded(&self.path, || {
                        all.vstack_mut(&kept).map(drop).map_err(|error| error.to_string())
                    })?;
                    all
                }
            });
            Ok(true)
        })?;
        Ok((all.unwrap_or_default(), left_out, typed(scan.finish(0))))
    }

    fn readable(&self, names: &[String]) -> Vec<String> {
        names.iter().filter(|name| self.is_readable(name)).cloned().collect()
    }

    /// Shows the texts of each row of a frame.
    fn each_row(
        &self,
        frame: &DataFrame,
        columns: &[&str],
        show: &mut dyn FnMut(&[&str]),
    ) -> Result<(), DataError> {
        let texts: Vec<StringChunked> = guarded(&self.path, || {
            let column =
                |name: &&str| frame.column(name).map_err(|error| error.to_string()).and_then(texts::of);
            columns.iter().map(column).collect()
        })?;
        let mut cells: Vec<_> = texts.iter().map(StringChunked::iter).collect();
        for _ in 0..frame.height() {
            let row: Vec<&str> =
                cells.iter_mut().map(|cells| cells.next().flatten().unwrap_or_default()).collect();
            show(&row);
        }
        Ok(())
    }
}

/// The doubts as those of a file whose names stand in no row.
fn typed(doubts: Vec<Doubt>) -> Vec<Doubt> {
    let settle = |mut doubt: Doubt| {
        if doubt.kind == DoubtKind::SecondHeader {
            doubt.kind = DoubtKind::NoValue;
        }
        doubt
    };
    doubts.into_iter().map(settle).collect()
}
