//! The price of safety: on toy tables, the least mean loss of any mechanism that is safe if the
//! attacker knows it, beside the loss of `simulatable`.
//!
//! # Toy tables
//! P has n people of n different ages. T is any t of them, and all these T are equally likely. A
//! release consists of disjoint intervals of ages, each with its number of members. Regions without
//! members are not published. A member in an interval of L ages has the loss (L − 1)/(n − 1), and
//! the loss of a release is the mean over its members.
//!
//! # Mechanisms
//! A mechanism publishes release r for table T with probability p(r|T). It is safe if for each
//! release r and each person i: Σ p(r|T) over the T that contain i ≤ δmax · Σ p(r|T) over all T. The
//! least mean loss is the value of a linear program. A release that breaks δmax by its counts alone
//! breaks these conditions, too, so the program leaves it out.
//!
//! # Certificate
//! A solver finds the value in floating point. Two bounds in exact integers then enclose it:
//! - The solver's mechanism is repaired until it satisfies every condition exactly. Its loss is an
//!   upper bound.
//! - Any multipliers y ≥ 0 of the conditions give a lower bound: each T takes the release that costs
//!   the least after y has charged for the conditions. The solver's multipliers, rounded, are used.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "small integers, and figures to read")]

use std::time::Instant;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, ZeroConeT};
use palmtop::metrics::{Metric, Metrics};
use palmtop::model::{
    Classes, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, Problem,
    QuasiIdentifier,
};
use palmtop::progress::unwatched;
use palmtop::search::simulatable;

/// A row of the table.
struct Row {
    people: usize,
    members: usize,
    /// δmax as a fraction.
    most: (i128, i128),
    /// The published least loss by counts.
    by_counts: &'static str,
    /// The published least loss of any safe mechanism.
    safe: &'static str,
}

const ROWS: [Row; 5] = [
    Row { people: 8, members: 2, most: (1, 2), by_counts: ".163", safe: ".184" },
    Row { people: 9, members: 2, most: (2, 5), by_counts: ".292", safe: ".340" },
    Row { people: 10, members: 2, most: (17, 50), by_counts: ".267", safe: ".335" },
    Row { people: 10, members: 3, most: (1, 2), by_counts: ".151", safe: ".180" },
    Row { people: 12, members: 3, most: (2, 5), by_counts: ".249", safe: ".297" },
];

/// The largest distance between the two bounds of a value.
const PRECISION: f64 = 1e-6;
/// The probability 1, in integers.
const ONE: i128 = 1 << 50;
/// This share of each table's probability goes to the release of everybody, in one class. The repair
/// of the other releases takes from it.
const RESERVE: f64 = 1e-7;

/// Ages from `first` to `last`, with this number of members.
#[derive(Clone, Copy)]
struct Interval {
    first: usize,
    last: usize,
    members: usize,
}

impl Interval {
    fn ages(self) -> usize {
        self.last - self.first + 1
    }

    fn people(self) -> std::ops::RangeInclusive<usize> {
        self.first..=self.last
    }
}

/// A release, and what the linear program needs of it.
struct Release {
    intervals: Vec<Interval>,
    /// The positions of the tables that this release fits.
    tables: Vec<usize>,
    /// The loss, times t · (n − 1).
    loss: i128,
}

impl Release {
    fn people(&self) -> impl Iterator<Item = usize> {
        self.intervals.iter().flat_map(|interval| interval.people())
    }
}

/// All tables and releases of n people and t members.
struct Toy {
    people: usize,
    members: usize,
    /// δmax as a fraction.
    most: (i128, i128),
    /// Each T, one bit for each person.
    tables: Vec<u32>,
    /// The releases that satisfy δmax by their counts.
    releases: Vec<Release>,
}

/// The solver's mechanism and its multipliers.
struct Solution {
    /// p(r|T) for each release and each table that it fits.
    probabilities: Vec<Vec<f64>>,
    /// The multiplier of each release and each person in it.
    multipliers: Vec<Vec<f64>>,
}

impl Toy {
    fn new(people: usize, members: usize, most: (i128, i128)) -> Self {
        let tables: Vec<u32> =
            (0..1_u32 << people).filter(|table| table.count_ones() as usize == members).collect();
        let mut toy = Self { people, members, most, tables, releases: Vec::new() };
        toy.add_releases(&mut Vec::new(), members);
        toy
    }

    /// Adds every release that begins with these intervals and has `missing` more members.
    fn add_releases(&mut self, intervals: &mut Vec<Interval>, missing: usize) {
        if missing == 0 {
            self.releases.push(self.release(intervals.clone()));
            return;
        }
        let start = intervals.last().map_or(0, |interval| interval.last + 1);
        for first in start..self.people {
            for last in first..self.people {
                for members in 1..=missing {
                    let interval = Interval { first, last, members };
                    if self.is_within(members as i128, interval.ages() as i128) {
                        intervals.push(interval);
                        self.add_releases(intervals, missing - members);
                        intervals.pop();
                    }
                }
            }
        }
    }

    fn release(&self, intervals: Vec<Interval>) -> Release {
        let fits = |table: u32| {
            let members = |interval: &Interval| interval.people().filter(|&person| has(table, person));
            intervals.iter().all(|interval| members(interval).count() == interval.members)
        };
        let tables = (0..self.tables.len()).filter(|&table| fits(self.tables[table])).collect();
        let loss = intervals.iter().map(|interval| interval.members * (interval.ages() - 1)).sum::<usize>();
        Release { intervals, tables, loss: loss as i128 }
    }

    /// Whether so many members among so many people, or other weights, are within δmax.
    fn is_within(&self, members: i128, people: i128) -> bool {
        members * self.most.1 <= self.most.0 * people
    }

    /// The factor between integer losses and the loss of a release.
    fn loss_unit(&self) -> i128 {
        (self.members * (self.people - 1)) as i128
    }

    /// The mean over all T of the least loss of a release that satisfies δmax by its counts.
    fn least_by_counts(&self) -> f64 {
        let mut least = vec![i128::MAX; self.tables.len()];
        for release in &self.releases {
            for &table in &release.tables {
                least[table] = least[table].min(release.loss);
            }
        }
        least.iter().sum::<i128>() as f64 / (self.loss_unit() * self.tables.len() as i128) as f64
    }

    /// Solves the linear program. The two bounds judge the solution, so that the solver's own verdict
    /// is not needed. The loss is not divided by the number of tables, so that the
    /// variables and the multipliers are near 1.
    fn solve(&self) -> Solution {
        let share = self.most.0 as f64 / self.most.1 as f64;
        let (mut rows, mut columns, mut values, mut losses) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut add = |row: usize, column: usize, value: f64| {
            rows.push(row);
            columns.push(column);
            values.push(value);
        };
        // A row for each table: its probabilities have the sum 1.
        let mut row_count = self.tables.len();
        for release in &self.releases {
            for &table in &release.tables {
                let column = losses.len();
                losses.push(release.loss as f64 / self.loss_unit() as f64);
                add(table, column, 1.0);
                // A row for each person of a release.
                for (row, person) in release.people().enumerate() {
                    let member = if has(self.tables[table], person) { 1.0 } else { 0.0 };
                    add(row_count + row, column, member - share);
                }
            }
            row_count += release.people().count();
        }
        // A row for each probability: it is not negative.
        for column in 0..losses.len() {
            add(row_count + column, column, -1.0);
        }
        let height = row_count + losses.len();
        let matrix = CscMatrix::new_from_triplets(height, losses.len(), rows, columns, values);
        let mut bounds = vec![0.0; height];
        bounds[..self.tables.len()].fill(1.0);
        let cones = [ZeroConeT(self.tables.len()), NonnegativeConeT(height - self.tables.len())];
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .tol_gap_abs(1e-9)
            .tol_gap_rel(1e-9)
            .tol_feas(1e-9)
            .build()
            .expect("sound settings");
        let square = CscMatrix::zeros((losses.len(), losses.len()));
        let mut solver = DefaultSolver::new(&square, &losses, &matrix, &bounds, &cones, settings)
            .expect("matching dimensions");
        solver.solve();

        let mut probabilities = solver.solution.x.iter().copied();
        let mut multipliers = solver.solution.z[self.tables.len()..row_count].iter().copied();
        let releases = self.releases.iter();
        let (probabilities, multipliers) = releases
            .map(|release| {
                let of_tables = probabilities.by_ref().take(release.tables.len()).collect::<Vec<f64>>();
                let of_people = multipliers.by_ref().take(release.people().count()).collect::<Vec<f64>>();
                (of_tables, of_people)
            })
            .unzip();
        Solution { probabilities, multipliers }
    }

    /// A lower bound on the mean loss of every safe mechanism, computed in integers.
    fn lower_bound(&self, multipliers: &[Vec<f64>]) -> f64 {
        let mut least = vec![i128::MAX; self.tables.len()];
        for (release, multipliers) in self.releases.iter().zip(multipliers) {
            let multipliers: Vec<i128> = multipliers.iter().map(|&value| integer(value)).collect();
            let charge_of_all = self.most.0 * multipliers.iter().sum::<i128>();
            for &table in &release.tables {
                let of_members = release.people().zip(&multipliers);
                let charge = of_members
                    .filter(|(person, _)| has(self.tables[table], *person))
                    .map(|(_, multiplier)| self.most.1 * multiplier)
                    .sum::<i128>();
                let cost = self.most.1 * ONE * release.loss + self.loss_unit() * (charge - charge_of_all);
                least[table] = least[table].min(cost);
            }
        }
        let unit = self.most.1 as f64 * ONE as f64 * self.loss_unit() as f64 * self.tables.len() as f64;
        least.iter().sum::<i128>() as f64 / unit
    }

    /// An upper bound on the least mean loss of a safe mechanism: the loss of a mechanism that
    /// satisfies every condition exactly.
    fn upper_bound(&self, probabilities: &[Vec<f64>]) -> f64 {
        let everybody = self.release_of_everybody();
        let mut weights: Vec<Vec<i128>> = Vec::new();
        let mut rest = vec![ONE; self.tables.len()];
        for (index, release) in self.releases.iter().enumerate() {
            let mut repaired = vec![0; release.tables.len()];
            if index != everybody {
                let values = probabilities[index].iter();
                repaired = values.map(|&value| integer(value * (1.0 - RESERVE))).collect();
                self.repair(release, &mut repaired);
                for (&table, weight) in release.tables.iter().zip(&repaired) {
                    rest[table] -= weight;
                }
            }
            weights.push(repaired);
        }
        // This release fits every table, in their order.
        weights[everybody] = rest;
        let mut loss = 0;
        for (release, weights) in self.releases.iter().zip(&weights) {
            assert!(weights.iter().all(|&weight| weight >= 0), "a negative probability");
            let total = weights.iter().sum::<i128>();
            for person in release.people() {
                let of_person = self.weight_with(release, weights, person);
                assert!(self.is_within(of_person, total), "a release breaks δmax");
            }
            loss += release.loss * total;
        }
        loss as f64 / (ONE as f64 * self.loss_unit() as f64 * self.tables.len() as f64)
    }

    /// The position of the release with everybody in one class.
    fn release_of_everybody(&self) -> usize {
        let is_everybody = |release: &Release| release.tables.len() == self.tables.len();
        self.releases.iter().position(is_everybody).expect("δmax is feasible")
    }

    /// The weight of all tables of a release that contain a person.
    fn weight_with(&self, release: &Release, weights: &[i128], person: usize) -> i128 {
        let of_tables = release.tables.iter().zip(weights);
        of_tables.filter(|(table, _)| has(self.tables[**table], person)).map(|(_, weight)| weight).sum()
    }

    /// Changes the weights of a release slightly, so that every person's share is at most δmax.
    ///
    /// If a person of an interval has too much weight, another person of the interval has less than
    /// the limit. Weight moves from tables with the first to the same tables with the second instead.
    /// This changes the weight of no one else.
    fn repair(&self, release: &Release, weights: &mut [i128]) {
        // δmax of the total must be an integer.
        let mut surplus = weights.iter().sum::<i128>() % self.most.1;
        for weight in weights.iter_mut() {
            let removed = surplus.min(*weight);
            *weight -= removed;
            surplus -= removed;
        }
        let limit = weights.iter().sum::<i128>() / self.most.1 * self.most.0;
        for interval in &release.intervals {
            let excess_of = |person, weights: &[i128]| self.weight_with(release, weights, person) - limit;
            for full in interval.people() {
                for other in interval.people() {
                    let room = -excess_of(other, weights);
                    let mut moving = excess_of(full, weights).min(room).max(0);
                    for from in 0..weights.len() {
                        let table = self.tables[release.tables[from]];
                        if moving > 0 && has(table, full) && !has(table, other) {
                            let changed = table ^ (1 << full) ^ (1 << other);
                            let is_changed = |&table: &usize| self.tables[table] == changed;
                            let to = release.tables.iter().position(is_changed).expect("it fits as well");
                            let moved = moving.min(weights[from]);
                            weights[from] -= moved;
                            weights[to] += moved;
                            moving -= moved;
                        }
                    }
                }
            }
        }
    }

    /// The mean loss of `simulatable` over all T.
    fn simulatable(&self) -> f64 {
        let chains: Vec<Vec<String>> =
            (0..self.people).map(|person| vec![person.to_string(), "*".to_owned()]).collect();
        let age = QuasiIdentifier {
            name: "age".to_owned(),
            hierarchy: Hierarchy::new(Kind::Number, Level(0), &chains).expect("a sound hierarchy"),
        };
        let counts_of = |table: u32| (0..self.people).map(move |person| u64::from(has(table, person)));
        let counts = counts_of(self.tables[0]).map(|members| Counts::new(1, members)).collect();
        let ages = (0..).take(self.people).collect();
        let histogram = Histogram::new(vec![ages], counts).expect("a sound histogram");
        let most = format!("{}/{}", self.most.0, self.most.1).parse().expect("a fraction");
        let delta = Delta::new(Presence::ZERO, most).expect("ordered bounds");
        let toy = Problem::new(vec![age], histogram, delta, EmptyRegions::Allow).expect("a sound problem");
        let losses = self.tables.iter().map(|&table| {
            let counts: Vec<u64> = counts_of(table).collect();
            let problem = toy.with_members(&counts).expect("the same people");
            let found = simulatable(&problem, &mut unwatched).0.expect("a feasible δ");
            Metrics::of(&problem, &found, &Classes::of(&problem, &found)).value(Metric::Loss)
        });
        losses.sum::<f64>() / self.tables.len() as f64
    }
}

/// Whether a person is in T.
fn has(table: u32, person: usize) -> bool {
    table >> person & 1 == 1
}

/// A value as a multiple of 1/[`ONE`], rounded down; a negative value becomes 0.
#[expect(clippy::cast_possible_truncation, reason = "it is rounded down on purpose")]
fn integer(value: f64) -> i128 {
    (value.max(0.0) * ONE as f64) as i128
}

/// The published digits of a loss.
fn digits(loss: f64) -> String {
    format!("{loss:.3}").trim_start_matches('0').to_owned()
}

fn main() {
    println!("               least loss     any safe mechanism        loss of     seconds of");
    println!(" n  t   δmax    by counts    at least     at most    simulatable    the program");
    for Row { people, members, most, by_counts, safe } in ROWS {
        let toy = Toy::new(people, members, most);
        let least_by_counts = toy.least_by_counts();
        let started = Instant::now();
        let solution = toy.solve();
        let seconds = started.elapsed().as_secs_f64();
        let lower = toy.lower_bound(&solution.multipliers);
        let upper = toy.upper_bound(&solution.probabilities);
        let of_search = toy.simulatable();
        println!(
            "{people:>2} {members:>2} {:>6} {least_by_counts:>12.6} {lower:>11.8} {upper:>11.8} {of_search:>14.6} {seconds:>14.2}",
            format!("{}/{}", most.0, most.1),
        );
        assert!(lower <= upper && upper - lower <= PRECISION, "the bounds differ: {lower} and {upper}");
        assert_eq!(digits(least_by_counts), by_counts, "the least loss by counts");
        assert_eq!((digits(lower), digits(upper)), (safe.to_owned(), safe.to_owned()), "the safe loss");
        assert!(of_search >= lower - 1e-12, "simulatable is below the bound of every safe mechanism");
    }
}
