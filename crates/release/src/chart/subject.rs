//! What a line of a chart shows.

use std::fmt::Display;

use crate::svg::{Look, Mark};
use palmtop_search::{ColumnRule, Strategy, ValueRule};

/// What a line of a chart shows: a strategy, or something that is compared with strategies. Its text is
/// its name in legends.
pub trait Subject: Copy + Display {
    /// The letter at each number in a terminal.
    fn letter(self) -> char;

    /// The rules of one of MPALM's nine; `None` for anything else.
    fn rules(self) -> Option<(ColumnRule, ValueRule)>;

    /// The colours, the stroke and the marks in a file.
    fn look(self) -> Look;
}

/// Colours on light and dark pages, which colour-blind people can distinguish (Okabe and Ito): one for
/// each column rule of the nine, and one for each other strategy.
const NINE: [(&str, &str); 3] = [("#0072b2", "#56b4e9"), ("#007a5a", "#3fd3a5"), ("#9a6700", "#f0b93a")];
const OTHERS: [(&str, &str); 3] = [("#005c00", "#7fd17f"), ("#000", "#fff"), ("#d55e00", "#ff9d5c")];
const MARKS: [Mark; 3] = [Mark::Disc, Mark::Triangle, Mark::Cross];

impl Subject for Strategy {
    fn letter(self) -> char {
        self.info().letter
    }

    fn rules(self) -> Option<(ColumnRule, ValueRule)> {
        Self::rules(self)
    }

    /// If there are more strategies than colours, a colour occurs again with another mark.
    fn look(self) -> Look {
        let others = Self::all().filter(|other| other.rules().is_none());
        let index = others.take_while(|other| *other != self).count();
        let ((light, dark), width, mark) = match Self::rules(self) {
            Some((column, value)) => (NINE[column as usize], 1, MARKS[value as usize]),
            None => (OTHERS[index % 3], 3, MARKS[index / 3 % 3]),
        };
        Look { light, dark, width, is_dashed: false, mark }
    }
}
