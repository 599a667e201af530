//! The town in numbers: its quarters, ages, nations, schools and work.
//!
//! Every figure is an invented weight. The weights resemble a small northern harbour town and are
//! not measured.

/// A quarter of the town. The attributes of people depend on it; no file contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quarter {
    Quarry,
    Villas,
    OldTown,
    Station,
    Campus,
    Harbour,
    Estates,
    Farms,
}

use Quarter::{Campus, Estates, Farms, Harbour, OldTown, Quarry, Station, Villas};

/// Postal codes with their quarter, weighted by the number of residents.
pub(crate) const ZIPS: [((&str, Quarter), u32); 26] = [
    (("08912", Quarry), 46),
    (("08913", Quarry), 38),
    (("08914", Quarry), 27),
    (("08921", Quarry), 19),
    (("08977", Villas), 34),
    (("08978", Villas), 25),
    (("09411", OldTown), 62),
    (("09412", OldTown), 54),
    (("09413", OldTown), 49),
    (("09414", OldTown), 37),
    (("09415", OldTown), 22),
    (("09421", Station), 58),
    (("09422", Station), 51),
    (("09423", Station), 33),
    (("09451", Campus), 44),
    (("09452", Campus), 29),
    (("09533", Harbour), 52),
    (("09534", Harbour), 41),
    (("09535", Harbour), 30),
    (("09536", Harbour), 16),
    (("10207", Estates), 66),
    (("10208", Estates), 59),
    (("10209", Estates), 43),
    (("10261", Farms), 24),
    (("10262", Farms), 18),
    (("10274", Farms), 13),
];

/// The bands of [`ages`]: first and last year of each.
pub(crate) const AGE_BANDS: [(u32, u32); 14] = [
    (0, 5),
    (6, 12),
    (13, 18),
    (19, 24),
    (25, 34),
    (35, 44),
    (45, 54),
    (55, 64),
    (65, 69),
    (70, 74),
    (75, 79),
    (80, 84),
    (85, 89),
    (90, 98),
];

/// The people of each band, per thousand.
pub(crate) fn ages(quarter: Quarter) -> [u32; 14] {
    match quarter {
        Quarry => [45, 60, 55, 55, 100, 115, 145, 165, 75, 65, 52, 38, 21, 9],
        Villas => [60, 95, 80, 40, 75, 150, 175, 140, 60, 50, 35, 23, 12, 5],
        OldTown => [45, 50, 45, 75, 150, 120, 125, 130, 70, 63, 53, 40, 24, 10],
        Station => [60, 65, 55, 105, 185, 135, 120, 115, 50, 42, 31, 21, 12, 4],
        Campus => [35, 35, 35, 330, 260, 105, 75, 60, 22, 17, 12, 8, 4, 2],
        Harbour => [58, 70, 62, 85, 140, 130, 140, 135, 60, 47, 35, 23, 11, 4],
        Estates => [95, 115, 90, 70, 165, 165, 115, 85, 34, 26, 19, 13, 6, 2],
        Farms => [48, 68, 62, 40, 80, 110, 150, 165, 80, 72, 58, 40, 20, 7],
    }
}

/// Women, men and others of an age. Women live longer.
pub(crate) fn sexes(age: u32) -> [(&'static str, u32); 3] {
    match age {
        0..60 => [("female", 490), ("male", 503), ("other", 7)],
        60..80 => [("female", 530), ("male", 467), ("other", 3)],
        _ => [("female", 640), ("male", 359), ("other", 1)],
    }
}

/// The nation of most residents.
pub(crate) const HOME: &str = "Finland";

/// The residents of the [`HOME`] nation, per thousand. The others come from [`nations_abroad`].
pub(crate) fn home_share(quarter: Quarter) -> u32 {
    match quarter {
        Quarry => 840,
        Villas => 900,
        OldTown => 890,
        Station => 760,
        Campus => 720,
        Harbour => 700,
        Estates => 740,
        Farms => 870,
    }
}

/// The nations of the other residents: seafarers and dockers, students and scholars, families, farm
/// workers.
pub(crate) fn nations_abroad(quarter: Quarter) -> &'static [(&'static str, u32)] {
    match quarter {
        Quarry => &[("Estonia", 30), ("Poland", 26), ("Ukraine", 22), ("Russia", 14), ("Romania", 8)],
        Villas => {
            &[("Sweden", 32), ("Germany", 22), ("United Kingdom", 16), ("United States", 14), ("India", 10)]
        }
        OldTown => {
            &[("Sweden", 30), ("Russia", 20), ("Estonia", 20), ("Germany", 12), ("Italy", 8), ("Brazil", 5)]
        }
        Station => &[
            ("Russia", 18),
            ("Turkey", 16),
            ("Iraq", 16),
            ("Syria", 14),
            ("Thailand", 12),
            ("Nigeria", 9),
            ("China", 9),
        ],
        Campus => &[
            ("China", 24),
            ("India", 22),
            ("Germany", 13),
            ("Spain", 11),
            ("Nigeria", 8),
            ("Kenya", 7),
            ("Brazil", 7),
            ("Mexico", 5),
            ("United States", 5),
        ],
        Harbour => &[
            ("Estonia", 26),
            ("Philippines", 22),
            ("Poland", 16),
            ("Latvia", 14),
            ("Russia", 10),
            ("Somalia", 8),
            ("Vietnam", 6),
        ],
        Estates => &[
            ("Iraq", 20),
            ("Somalia", 18),
            ("Ukraine", 17),
            ("Syria", 14),
            ("Vietnam", 12),
            ("Afghanistan", 10),
            ("Turkey", 9),
        ],
        Farms => &[("Ukraine", 36), ("Thailand", 26), ("Sweden", 18), ("Estonia", 12), ("Nepal", 8)],
    }
}

/// A degree of adults.
pub(crate) struct Degree {
    pub(crate) name: &'static str,
    /// The least age for this degree.
    pub(crate) from_age: u32,
    /// The tier of education, from 0: the index into [`Job::fit`] and [`JOBLESS`].
    pub(crate) tier: usize,
}

const fn degree(name: &'static str, from_age: u32, tier: usize) -> Degree {
    Degree { name, from_age, tier }
}

/// The degrees, in the order of [`SCHOOLING`]'s rows.
pub(crate) const DEGREES: [Degree; 11] = [
    degree("no schooling", 19, 0),
    degree("primary", 19, 0),
    degree("lower secondary", 16, 0),
    degree("general upper secondary", 19, 1),
    degree("vocational upper secondary", 19, 1),
    degree("apprenticeship", 20, 1),
    degree("specialist certificate", 21, 2),
    degree("technical diploma", 22, 2),
    degree("bachelor", 22, 3),
    degree("master", 24, 4),
    degree("doctorate", 28, 4),
];

/// The index of the degree of school leavers.
pub(crate) const LOWER_SECONDARY: usize = 2;

/// The last year of age of each cohort of [`SCHOOLING`].
pub(crate) const COHORTS: [u32; 4] = [29, 49, 64, 98];

/// The level of education of a quarter, from 0: the row of each cohort of [`SCHOOLING`].
pub(crate) fn schooling_of(quarter: Quarter) -> usize {
    match quarter {
        Quarry | Harbour | Estates => 0,
        OldTown | Station | Farms => 1,
        Villas | Campus => 2,
    }
}

/// Weights of degrees by cohort, youngest first, and by the level of education of the quarter.
pub(crate) const SCHOOLING: [[[u32; 11]; 3]; 4] = [
    [
        [5, 15, 200, 220, 300, 70, 30, 40, 90, 28, 2],
        [3, 8, 110, 290, 240, 40, 30, 50, 160, 65, 4],
        [1, 3, 40, 480, 70, 12, 12, 30, 230, 112, 10],
    ],
    [
        [18, 45, 190, 90, 330, 90, 55, 72, 80, 28, 2],
        [8, 20, 110, 110, 260, 60, 60, 92, 170, 100, 10],
        [2, 5, 40, 90, 100, 22, 35, 86, 270, 290, 60],
    ],
    [
        [22, 95, 280, 70, 290, 80, 50, 65, 36, 11, 1],
        [10, 50, 190, 100, 270, 60, 60, 105, 90, 60, 5],
        [3, 12, 80, 110, 130, 30, 40, 125, 220, 210, 40],
    ],
    [
        [30, 330, 330, 40, 150, 50, 25, 30, 10, 5, 0],
        [15, 240, 290, 75, 170, 45, 35, 60, 40, 28, 2],
        [5, 90, 190, 110, 140, 30, 35, 110, 130, 130, 30],
    ],
];

/// The percentage of people of working age without work, by [`Degree::tier`].
pub(crate) const JOBLESS: [u32; 5] = [28, 15, 10, 9, 5];

/// An occupation: the tiers of education that fit it, the sexes that choose it, and its quarter.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Weights by [`Degree::tier`]: basic, upper secondary, post-secondary, first degree, advanced
    /// degree.
    pub(crate) fit: [u32; 5],
    /// Factors for women and for men. Others get the mean.
    pub(crate) draw: (u32, u32),
    /// The quarter in which the occupation is more frequent, and the factor.
    pub(crate) at: Option<(Quarter, u32)>,
}

const fn job(name: &'static str, fit: [u32; 5], draw: (u32, u32), at: Option<(Quarter, u32)>) -> Job {
    Job { name, fit, draw, at }
}

/// All occupations of the town.
pub(crate) const JOBS: [Job; 36] = [
    job("director", [2, 5, 15, 30, 60], (3, 5), Some((Villas, 3))),
    job("shop manager", [4, 20, 30, 20, 5], (4, 4), None),
    job("engineer", [0, 0, 30, 80, 90], (2, 6), None),
    job("software developer", [0, 8, 30, 90, 70], (2, 6), Some((Campus, 2))),
    job("doctor", [0, 0, 0, 0, 80], (5, 4), Some((Villas, 2))),
    job("nurse", [0, 0, 110, 130, 10], (7, 1), None),
    job("teacher", [0, 0, 10, 110, 190], (6, 3), None),
    job("lawyer", [0, 0, 0, 5, 60], (4, 4), None),
    job("accountant", [0, 5, 60, 90, 40], (5, 4), None),
    job("laboratory technician", [0, 15, 60, 40, 20], (5, 4), Some((Campus, 3))),
    job("sales agent", [15, 50, 60, 40, 10], (3, 5), None),
    job("office clerk", [20, 90, 90, 50, 10], (6, 2), None),
    job("bookkeeper", [5, 50, 70, 20, 2], (6, 2), None),
    job("postal worker", [30, 35, 12, 2, 0], (3, 4), None),
    job("shop assistant", [110, 120, 40, 10, 2], (5, 3), None),
    job("cook", [60, 60, 12, 2, 0], (4, 4), None),
    job("waiter", [45, 45, 8, 4, 0], (5, 3), None),
    job("hairdresser", [15, 45, 12, 0, 0], (7, 1), None),
    job("care worker", [60, 140, 60, 10, 0], (7, 1), None),
    job("childminder", [25, 45, 25, 6, 0], (8, 1), None),
    job("police officer", [0, 10, 35, 10, 2], (2, 5), None),
    job("soldier", [4, 14, 10, 4, 1], (1, 6), Some((Harbour, 2))),
    job("farmer", [30, 35, 20, 5, 2], (3, 5), Some((Farms, 14))),
    job("forester", [10, 16, 10, 3, 1], (1, 6), Some((Farms, 6))),
    job("builder", [90, 110, 25, 2, 0], (1, 9), None),
    job("electrician", [5, 80, 35, 2, 0], (1, 9), None),
    job("welder", [25, 55, 12, 0, 0], (1, 9), Some((Harbour, 5))),
    job("mechanic", [25, 75, 25, 2, 0], (1, 9), None),
    job("baker", [20, 30, 5, 0, 0], (4, 4), Some((OldTown, 2))),
    job("quarry worker", [20, 22, 5, 0, 0], (1, 9), Some((Quarry, 22))),
    job("machine operator", [80, 80, 20, 2, 0], (3, 6), Some((Estates, 2))),
    job("driver", [70, 70, 12, 2, 0], (1, 8), None),
    job("seafarer", [12, 20, 15, 4, 1], (1, 7), Some((Harbour, 10))),
    job("dock worker", [25, 18, 3, 0, 0], (1, 9), Some((Harbour, 14))),
    job("cleaner", [120, 50, 8, 2, 0], (6, 2), None),
    job("labourer", [60, 25, 4, 0, 0], (1, 6), None),
];
