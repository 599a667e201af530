//! Compares the ranking, listing and explanation of classes with naive implementations on random
//! small problems.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::path::Path;

use crate::support::generate::{Case, cases};
use palmtop::explain::{Coarser, Explanation, Member, Merge, Shortfall, explain};
use palmtop::listing::{Column, Filter, FilterError, Key, NameError, Order, Ranking};
use palmtop::model::{
    Code, Counts, Delta, EmptyRegions, EquivalenceClass, Hierarchy, Histogram, Kind, Label, Level, Partition,
    Policy, Presence, PresenceBounds, Problem, QuasiIdentifier, Recoding, Verdict,
};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::release::{Origin, Release};
use proptest::prelude::*;
use proptest::sample::Index;

/// A node, or regions from any grouping of the combinations. Their boxes may be equal.
fn release(problem: &Problem, pick: &Pick) -> Release {
    let lattice = problem.lattice();
    let node = lattice.unrank(pick.node.index(usize::try_from(lattice.len()).unwrap()) as u64);
    let recoding = match &pick.groups {
        None => Recoding::Node(node.clone()),
        Some(groups) => {
            let mut numbers: BTreeMap<u8, u32> = BTreeMap::new();
            let mut number = |group| {
                let next = u32::try_from(numbers.len()).unwrap();
                *numbers.entry(group).or_insert(next)
            };
            let region_of =
                groups.iter().take(problem.histogram().len()).map(|&group| number(group)).collect();
            let count = numbers.len();
            Recoding::Regions(Partition::new(problem, region_of, count))
        }
    };
    Release::new(problem, Origin::ByHand(node), recoding, None)
}

/// The choice of a recoding for a problem.
#[derive(Clone, Debug)]
struct Pick {
    node: Index,
    groups: Option<Vec<u8>>,
}

fn picks() -> impl Strategy<Value = Pick> {
    let groups = prop::option::of(prop::collection::vec(0..12_u8, 40));
    (any::<Index>(), groups).prop_map(|(node, groups)| Pick { node, groups })
}

/// The distance from δ, by its definition.
fn distance(bounds: PresenceBounds, counts: Counts) -> f64 {
    let presence = counts.presence().to_f64();
    (presence - bounds.max().to_f64()).max(bounds.floor().to_f64() - presence).max(0.0)
}

/// The sort keys of labels: the least and the greatest leaf of a number or date, and the value of a
/// code.
fn naive_values(problem: &Problem, class: &EquivalenceClass) -> Vec<(u32, u32, String)> {
    let value = |(attribute, label): (usize, &Label)| {
        let hierarchy = problem.hierarchy(attribute);
        let text = label.text(hierarchy);
        if hierarchy.kind() == Kind::Category {
            return (text.parse().unwrap_or(u32::MAX), 0, text);
        }
        let leaves = (0..).take(hierarchy.leaf_count()).filter(|&code| label.denotes(hierarchy, code));
        let leaves: Vec<u32> = leaves.collect();
        (leaves[0], *leaves.last().unwrap(), text)
    };
    class.labels.iter().enumerate().map(value).collect()
}

/// The classes, worst first, compared by all their labels.
fn naive_worst_first(problem: &Problem, release: &Release) -> Vec<u32> {
    let policy = &release.policy;
    let mut ranked: Vec<(u32, EquivalenceClass)> = (0..).zip(release.classes.iter()).collect();
    ranked.sort_by(|(_, left), (_, right)| {
        policy
            .severity(right.counts)
            .cmp(&policy.severity(left.counts))
            .then_with(|| right.counts.presence().cmp(&left.counts.presence()))
            .then_with(|| naive_values(problem, left).cmp(&naive_values(problem, right)))
    });
    ranked.into_iter().map(|(number, _)| number).collect()
}

/// A term of a filter in the form of the naive implementation, and its text.
#[derive(Clone, Debug)]
enum Term {
    Presence(&'static str, u64, u64),
    People(&'static str, &'static str, u64),
    Word(&'static str),
    Contains(usize, String),
    Is(usize, String),
    Any(String),
}

impl Term {
    fn typed(&self) -> String {
        match self {
            Self::Presence(operator, above, below) => format!("presence{operator}{above}/{below}"),
            Self::People(name, operator, value) => format!("{name}{operator}{value}"),
            Self::Word(word) => (*word).to_owned(),
            Self::Contains(attribute, text) => format!("Q{attribute}:\"{text}\""),
            Self::Is(attribute, text) => format!("q{attribute}=\"{text}\""),
            Self::Any(text) => format!("\"{text}\""),
        }
    }

    fn holds(&self, problem: &Problem, policy: &Policy, class: &EquivalenceClass, texts: &[String]) -> bool {
        let counts = class.counts;
        let compares = |operator: &str, order: Ordering| match operator {
            ">" => order == Ordering::Greater,
            ">=" => order != Ordering::Less,
            "<" => order == Ordering::Less,
            "<=" => order != Ordering::Greater,
            _ => order == Ordering::Equal,
        };
        let contains = |text: &String, part: &str| text.to_uppercase().contains(&part.to_uppercase());
        let asked = |attribute: usize, part: &str| {
            let hierarchy = problem.hierarchy(attribute);
            let named = |code: &Code| {
                let label =
                    |level| &hierarchy.labels(level)[hierarchy.labels_of(level)[*code as usize] as usize];
                hierarchy.levels().any(|level| label(level).eq_ignore_ascii_case(part))
            };
            let leaves = u32::try_from(hierarchy.leaf_count()).unwrap();
            let meant: Vec<Code> = (0..leaves).filter(named).collect();
            if meant.is_empty() {
                contains(&texts[attribute], part)
            } else {
                meant.iter().any(|code| class.labels[attribute].denotes(hierarchy, *code))
            }
        };
        let verdict = policy.judge(counts);
        match self {
            Self::Presence(operator, above, below) => {
                compares(operator, (counts.private * below).cmp(&(above * counts.public)))
            }
            Self::People("private", operator, value) => compares(operator, counts.private.cmp(value)),
            Self::People(_, operator, value) => compares(operator, counts.public.cmp(value)),
            Self::Word("broken") => verdict != Verdict::Ok,
            Self::Word("empty") => counts.private == 0,
            Self::Word(word) => verdict.as_str() == *word,
            Self::Contains(attribute, part) => asked(*attribute % texts.len(), part),
            Self::Is(attribute, text) => texts[*attribute % texts.len()] == *text,
            Self::Any(part) => (0..texts.len()).any(|attribute| asked(attribute, part)),
        }
    }
}

fn terms() -> impl Strategy<Value = Vec<(bool, Term)>> {
    let operator = || prop::sample::select(vec![">", ">=", "<", "<=", "="]);
    let text = || {
        let parts = ["", "leaf 1", "Leaf", "0", "*", "group 1", "level 0 group 0", "leaf 0", ", ", "["];
        prop::sample::select(parts.map(str::to_owned).to_vec())
    };
    let names = prop::sample::select(vec!["private", "public"]);
    let word = prop::sample::select(vec!["over", "under", "ok", "broken", "empty"]);
    let term = prop_oneof![
        (operator(), 0..4_u64, 4..7_u64)
            .prop_map(|(operator, above, below)| Term::Presence(operator, above, below)),
        (names, operator(), 0..9_u64).prop_map(|(name, operator, value)| Term::People(name, operator, value)),
        word.prop_map(Term::Word),
        (0..2_usize, text()).prop_map(|(attribute, text)| Term::Contains(attribute, text)),
        (0..2_usize, text()).prop_map(|(attribute, text)| Term::Is(attribute, text)),
        text().prop_map(Term::Any),
    ];
    prop::collection::vec((any::<bool>(), term), 0..4)
}

/// The first leaf of a class in one attribute: the least code among the leaves of its combinations
/// and of all classes with the same text.
fn first_leaf(problem: &Problem, release: &Release, class: u32, attribute: usize) -> Code {
    let text = |class: u32| release.classes.class(class).texts(problem)[attribute].clone();
    let column = problem.histogram().column(attribute);
    let members = column.iter().zip(&release.classes.class_of);
    members.filter(|&(_, &of)| text(of) == text(class)).map(|(&code, _)| code).min().unwrap()
}

fn naive_list(problem: &Problem, release: &Release, terms: &[(bool, Term)], order: Order) -> Vec<u32> {
    let passes = |class: &u32| {
        let class = &release.classes.class(*class);
        let texts = class.texts(problem);
        terms.iter().all(|(negated, term)| term.holds(problem, &release.policy, class, &texts) != *negated)
    };
    let mut listed: Vec<u32> = naive_worst_first(problem, release).into_iter().filter(passes).collect();
    let counts = |class: &u32| release.classes.counts(*class);
    let backwards = |order: Ordering, reversed: bool| if reversed { order.reverse() } else { order };
    match order.key {
        Key::Worst if order.reversed => listed.reverse(),
        Key::Worst => (),
        key => listed.sort_by(|left, right| {
            let natural = match key {
                Key::Column(Column::Presence) => counts(right).presence().cmp(&counts(left).presence()),
                Key::Column(Column::Private) => counts(right).private.cmp(&counts(left).private),
                Key::Column(Column::Public) => counts(right).public.cmp(&counts(left).public),
                Key::Attribute(attribute) => {
                    let leaf = |class: &u32| first_leaf(problem, release, *class, attribute);
                    leaf(left).cmp(&leaf(right))
                }
                Key::Worst | Key::Column(Column::Verdict) => Ordering::Equal,
            };
            backwards(natural, order.reversed)
        }),
    }
    listed
}

/// The explanation of a class, from a second count of the complete table and a comparison of every
/// pair of classes.
fn naive_explanation(problem: &Problem, release: &Release, class: u32) -> Explanation {
    let classes: Vec<EquivalenceClass> = release.classes.iter().collect();
    let explained = &classes[class as usize];
    let histogram = problem.histogram();
    let mut members: Vec<Member> = (0..histogram.len())
        .filter(|&index| release.classes.class_of[index] == class)
        .map(|index| {
            let codes = histogram.combination(index).into_iter().enumerate();
            Member {
                rows: vec![codes.map(|(a, code)| problem.hierarchy(a).leaf(code).to_owned()).collect()],
                counts: histogram.counts()[index],
            }
        })
        .collect();
    members.sort_by_key(|member| (Reverse(member.counts.private), member.rows.clone()));
    let coarser = release.recoding.node().map_or_else(Vec::new, |node| {
        let example = (0..histogram.len()).find(|&index| release.classes.class_of[index] == class).unwrap();
        let up = |attribute: usize| {
            let coarser = problem.lattice().coarser(node, attribute)?;
            let there = Release::new(problem, Origin::ByHand(coarser.clone()), Recoding::Node(coarser), None);
            let grown = there.classes.class(there.classes.class_of[example]);
            let (text, counts) = (grown.texts(problem)[attribute].clone(), grown.counts);
            Some(Coarser { attribute, text, counts, verdict: release.policy.judge(counts) })
        };
        (0..problem.quasi().len()).filter_map(up).collect()
    });
    let mut merges: Vec<(u64, Merge)> = Vec::new();
    for (number, other) in (0..).zip(&classes) {
        let (here, there) = (explained.texts(problem), other.texts(problem));
        let differing: Vec<usize> = (0..here.len()).filter(|&at| here[at] != there[at]).collect();
        if let [attribute] = differing[..] {
            let counts = explained.counts + other.counts;
            let verdict = release.policy.judge(counts);
            let merge = Merge { attribute, class: number, text: there[attribute].clone(), counts, verdict };
            merges.push((explained.counts.public.abs_diff(other.counts.public), merge));
        }
    }
    merges.sort_by_key(|(far, merge)| (merge.verdict != Verdict::Ok, *far, merge.attribute, merge.class));
    Explanation {
        counts: explained.counts,
        verdict: release.policy.judge(explained.counts),
        shortfall: naive_shortfall(&release.policy, explained.counts),
        combinations: members.len(),
        members,
        coarser,
        merges: merges.into_iter().map(|(_, merge)| merge).take(50).collect(),
    }
}

/// Adds or removes people one at a time.
fn naive_shortfall(policy: &Policy, counts: Counts) -> Shortfall {
    let Counts { public, private } = counts;
    let first = |mends: &dyn Fn(u64) -> bool| (0..10_000).find(|&people| mends(people)).map(u128::from);
    match policy.judge(counts) {
        Verdict::Ok => Shortfall::Nobody,
        Verdict::Breaks(criterion) => Shortfall::Breaks { criterion },
        Verdict::Over => Shortfall::Over {
            lacks: first(&|people| policy.judge(Counts::new(public + people, private)) != Verdict::Over),
            too_many: first(&|people| policy.judge(Counts::new(public, private - people)) != Verdict::Over)
                .unwrap(),
        },
        Verdict::Under => Shortfall::Under {
            lacks: first(&|people| {
                policy.judge(Counts::new(public + people, private + people)) != Verdict::Under
            }),
        },
    }
}

/// The problem of a case, and the same under another δ. The result must not depend on δ.
fn problems(case: &Case) -> [Problem; 2] {
    let problem = case.problem();
    let other = problem.with_delta(Delta::new(Presence::ZERO, Presence::ZERO).unwrap());
    [problem, other]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranking_classes_equals_comparing_all_texts(case in cases(), pick in picks()) {
        let [problem, other] = problems(&case);
        let release = release(&problem, &pick);
        let ranking = Ranking::new(&other, &release);
        let expected = naive_worst_first(&problem, &release);
        prop_assert_eq!(ranking.worst_first(), &expected[..]);
        let classes: Vec<EquivalenceClass> =
            expected.iter().map(|&class| release.classes.class(class)).collect();
        prop_assert_eq!(release.classes.worst_first(&problem), classes.clone());
        let distances: Vec<f64> = classes.iter().map(|class| distance(release.policy.bounds(), class.counts)).collect();
        prop_assert!(distances.windows(2).all(|pair| pair[0] >= pair[1] - 1e-9));
        for (&class, counted) in expected.iter().zip(classes) {
            prop_assert_eq!(ranking.counts(class), counted.counts);
            let texts: Vec<&str> = (0..problem.quasi().len()).map(|a| ranking.text(class, a)).collect();
            prop_assert_eq!(texts, counted.texts(&problem));
        }
    }

    #[test]
    fn a_ranking_sums_up_the_classes(case in cases(), pick in picks()) {
        let [problem, other] = problems(&case);
        let release = release(&problem, &pick);
        let ranking = Ranking::new(&other, &release);
        let mut spread: BTreeMap<(Presence, u64), (Counts, u64)> = BTreeMap::new();
        for class in release.classes.iter() {
            spread.entry((class.counts.presence(), class.counts.public)).or_insert((class.counts, 0)).1 += 1;
        }
        let found: Vec<(Counts, u64)> = ranking.spread().iter().map(|(data, classes)| (data.counts(), *classes)).collect();
        prop_assert_eq!(found, spread.into_values().collect::<Vec<_>>());
        let verdicts = || release.classes.iter().map(|class| (release.policy.judge(class.counts), class));
        let count = |verdict| verdicts().filter(|(other, _)| *other == verdict).count() as u64;
        let summary = ranking.summary();
        prop_assert_eq!(summary.classes, release.classes.len() as u64);
        prop_assert_eq!((summary.over, summary.under), (count(Verdict::Over), count(Verdict::Under)));
        prop_assert_eq!(summary.violations(), summary.classes - count(Verdict::Ok));
        let broken = verdicts().filter(|(verdict, _)| *verdict != Verdict::Ok);
        prop_assert_eq!(summary.exposed, broken.map(|(_, class)| class.counts.private).sum::<u64>());
    }

    #[test]
    fn a_filter_is_applied_to_every_class(case in cases(), pick in picks(), terms in terms()) {
        let [problem, other] = problems(&case);
        let release = release(&problem, &pick);
        let ranking = Ranking::new(&other, &release);
        let typed: Vec<String> =
            terms.iter().map(|(negated, term)| format!("{}{}", if *negated { "!" } else { "" }, term.typed())).collect();
        let filter = Filter::parse(&typed.join("  "), &problem).unwrap();
        prop_assert_eq!(filter.is_empty(), terms.is_empty());
        for name in Column::figures().map(Column::name).chain(["worst", "q0", "Q1"]) {
            for text in [name.to_owned(), format!("-{name}")] {
                let order = Order::parse(&text, &problem).unwrap();
                let expected = naive_list(&problem, &release, &terms, order);
                prop_assert_eq!(ranking.list(&filter, order), expected, "{} by {}", typed.join(" "), text);
                prop_assert_eq!(order.text(&problem), text.to_lowercase());
            }
        }
    }

    #[test]
    fn explaining_a_class_matches_a_full_recount(case in cases(), pick in picks()) {
        let [problem, other] = problems(&case);
        let release = release(&problem, &pick);
        for class in (0..).take(release.classes.len()) {
            prop_assert_eq!(explain(&other, &release, class), naive_explanation(&problem, &release, class));
        }
    }
}

fn paper(levels: &[u8]) -> (Problem, Release) {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/paper/paper.toml");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let levels: Vec<Level> = levels.iter().copied().map(Level).collect();
    let problem = analysis.problem().clone();
    let node = problem.lattice().node(&levels).unwrap();
    let release = analysis.by_hand(&problem, node);
    (problem, release)
}

/// The classes of the paper's Table 1 before any recoding, each as the first letter of its person.
fn people(filter: &str, order: &str) -> String {
    let (problem, release) = paper(&[0, 0, 0]);
    let ranking = Ranking::new(&problem, &release);
    let filter = Filter::parse(filter, &problem).unwrap();
    let listed = ranking.list(&filter, Order::parse(order, &problem).unwrap());
    let letters = [
        ("35", 'a'),
        ("59", 'b'),
        ("42", 'c'),
        ("18", 'd'),
        ("22", 'e'),
        ("63", 'f'),
        ("33", 'g'),
        ("47", 'h'),
        ("52", 'i'),
    ];
    let letter = |class: u32| letters.iter().find(|(age, _)| *age == ranking.text(class, 1)).unwrap().1;
    listed.into_iter().map(letter).collect()
}

#[test]
fn the_papers_people_are_filtered() {
    for (filter, listed) in [
        ("", "abcdefghi"),
        ("over", "bcfhi"),
        ("under", "adeg"),
        ("broken", "abcdefghi"),
        ("ok", ""),
        ("empty", "adeg"),
        ("!empty", "bcfhi"),
        ("presence>.4", "bcfhi"),
        ("presence<=0%", "adeg"),
        ("presence=2/2 private>=1 public<5", "bcfhi"),
        ("private>1", ""),
        ("zip:479", "abc"),
        ("ZIP:479 !zip=47903", "ac"),
        ("z:479 nat:usa", "ac"),
        ("zip=479", ""),
        ("brazil", "de"),
        ("!4790 !brazil", "fghi"),
        ("3", "abdefg"),
        ("\"nationality\":\"PERU\"", "f"),
        ("!\"a b\"", "abcdefghi"),
        ("\"over\"", ""),
        (">40", "bcfhi"),
        ("age=\"\"", ""),
    ] {
        let mut found: Vec<char> = people(filter, "worst").chars().collect();
        found.sort_unstable();
        assert_eq!(found.into_iter().collect::<String>(), listed, "{filter}");
    }
}

/// A problem of ages 10 to 50 and three towns. Each person is one combination. The two regions are
/// the ages below and above 25.
fn of_ages(kind: Kind, ages: [&str; 5]) -> (Problem, Release) {
    let chain = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
    let groups = ["young", "young", "young", "old", "old"];
    let ages: Vec<_> = ages.iter().zip(groups).map(|(age, group)| chain([age, group, "*"])).collect();
    let towns: Vec<_> = [("Ulm", "south"), ("Bonn", "west"), ("Neu-Ulm", "south")]
        .map(|(town, side)| chain([town, side, "*"]))
        .to_vec();
    let quasi = vec![
        QuasiIdentifier { name: "age".into(), hierarchy: Hierarchy::new(kind, Level(0), &ages).unwrap() },
        QuasiIdentifier {
            name: "town".into(),
            hierarchy: Hierarchy::new(Kind::Category, Level(0), &towns).unwrap(),
        },
    ];
    let columns = vec![vec![0, 1, 2, 3, 4], vec![0, 1, 1, 1, 2]];
    let histogram = Histogram::new(columns, vec![Counts::new(2, 1); 5]).unwrap();
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    let problem = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
    let recoding = Recoding::Regions(Partition::new(&problem, vec![0, 0, 1, 1, 1], 2));
    let release = Release::new(&problem, Origin::ByHand(problem.lattice().bottom()), recoding, None);
    (problem, release)
}

#[test]
fn a_value_finds_the_regions_that_cover_it() {
    let numbers = of_ages(Kind::Number, ["10", "20", "30", "40", "50"]);
    let days = of_ages(Kind::Date, ["2024-01-01", "2024-01-02", "2024-01-09", "2024-02-01", "2024-03-01"]);
    let written = |(problem, release): &(Problem, Release)| {
        release.classes.iter().map(|class| class.texts(problem).join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(written(&numbers), ["[10, 20] {Ulm, Bonn}", "[30, 50] * except {Ulm}"]);
    let found = |(problem, release): &(Problem, Release), filter: &str| {
        let ranking = Ranking::new(problem, release);
        let mut listed = ranking.list(&Filter::parse(filter, problem).unwrap(), Order::default());
        listed.sort_unstable();
        listed
    };
    for (filter, regions) in [
        ("age:10", &[0][..]),
        ("age:20", &[0]),
        ("age:30", &[1]),
        ("age:40", &[1]),
        ("!age:40", &[0]),
        // Nobody has age 15 or 45.5. The filter finds the region that contains this age.
        ("age:15", &[0]),
        ("age:45.5", &[1]),
        ("age:25", &[]),
        ("age:60", &[]),
        // A part of a written label, because the text is not a value.
        ("age:2", &[0]),
        // A label denotes all of its values.
        ("age:young", &[0, 1]),
        ("age:OLD", &[1]),
        ("age:*", &[0, 1]),
        // The name of a town does not match a longer name that contains it.
        ("town:ulm", &[0]),
        ("town:neu-ulm", &[1]),
        ("town:bonn", &[0, 1]),
        ("town:south", &[0, 1]),
        ("town:lm", &[0, 1]),
        ("age=20", &[]),
    ] {
        assert_eq!(found(&numbers, filter), regions, "{filter}");
    }
    for (filter, regions) in [
        ("age:2024-01-02", &[0][..]),
        ("age:2024-02-15", &[1]),
        ("age:2024-01-05", &[]),
        ("age:2024", &[0, 1]),
    ] {
        assert_eq!(found(&days, filter), regions, "{filter}");
    }
}

#[test]
fn the_papers_people_are_sorted() {
    for (order, listed) in [
        ("worst", "deagfbcih"),
        ("private", "fbcihdeag"),
        ("-private", "deagfbcih"),
        ("age", "degachibf"),
        ("-age", "fbihcaged"),
        ("zip", "defbacihg"),
        ("Nat", "acbfdeghi"),
    ] {
        assert_eq!(people("", order), listed, "{order}");
    }
}

#[test]
fn a_wrong_filter_says_what_is_possible() {
    let (problem, _) = paper(&[0, 0, 0]);
    let owned = |text: &str| text.to_owned();
    let unknown = |name: &str, first: &str| NameError::Unknown {
        name: owned(name),
        possible: format!("{first}presence, private, public, zip, age, nationality"),
    };
    let missing =
        |term: &str, example: &str| FilterError::MissingValue { term: owned(term), example: owned(example) };
    let no_count = |name: &'static str, value: &str| FilterError::NotACount { name, value: owned(value) };
    let wrong = |name: &str, operator: &'static str, possible: &'static str| FilterError::WrongOperator {
        name: owned(name),
        operator,
        possible,
    };
    for (text, expected) in [
        ("place:47", FilterError::Name(unknown("place", ""))),
        ("zip:", missing("zip:", "zip:part")),
        ("presence>=", missing("presence>=", "presence>2/3")),
        ("private>many", no_count("private", "many")),
        ("public<-1", no_count("public", "-1")),
        ("presence>3/2", FilterError::NotAPresence("3/2".parse::<Presence>().unwrap_err())),
        ("zip>47", wrong("zip", ">", "`:` (contains) and `=` (is)")),
        ("presence:1", wrong("presence", ":", "`>`, `>=`, `<`, `<=` and `=`")),
        ("ok !", FilterError::NothingNegated),
        ("age:\"1", FilterError::OpenQuote),
    ] {
        assert_eq!(Filter::parse(text, &problem).unwrap_err(), expected, "{text}");
    }
    assert_eq!(Order::parse("-size", &problem).unwrap_err(), unknown("size", "worst, "));
    assert!(Order::parse("", &problem).is_err());
}

/// An explanation as lines of text.
fn as_lines(problem: &Problem, explanation: &Explanation) -> Vec<String> {
    let name = |attribute: usize| &problem.quasi()[attribute].name;
    let ratio = |counts: Counts| format!("{}/{}", counts.private, counts.public);
    let members = explanation
        .members
        .iter()
        .map(|member| format!("{} {}", member.rows[0].join(" "), ratio(member.counts)));
    let coarser = explanation.coarser.iter().map(|step| {
        format!(
            "coarser {} {} {} {}",
            name(step.attribute),
            step.text,
            ratio(step.counts),
            step.verdict.as_str()
        )
    });
    let merges = explanation.merges.iter().map(|merge| {
        format!(
            "with {} {} {} {}",
            name(merge.attribute),
            merge.text,
            ratio(merge.counts),
            merge.verdict.as_str()
        )
    });
    members.chain(coarser).chain(merges).collect()
}

fn class_of(problem: &Problem, release: &Release, texts: &str) -> u32 {
    let found = release.classes.iter().position(|class| class.texts(problem).join(" ") == texts);
    u32::try_from(found.unwrap()).unwrap()
}

#[test]
fn the_papers_classes_explain_themselves() {
    let (problem, release) = paper(&[1, 2, 3]);
    let explanation = explain(&problem, &release, class_of(&problem, &release, "4763* * *"));
    assert_eq!(explanation.shortfall, Shortfall::Under { lacks: Some(1) });
    assert_eq!(
        as_lines(&problem, &explanation),
        [
            "47633 63 Peru 1/1",
            "47630 18 Brazil 0/1",
            "47630 22 Brazil 0/1",
            "coarser zip 476** 1/3 under",
            "with zip 4790* 3/6 ok",
            "with zip 4897* 3/6 ok",
        ]
    );
    let (problem, release) = paper(&[3, 1, 3]);
    let explanation = explain(&problem, &release, class_of(&problem, &release, "47*** >40 *"));
    assert_eq!(explanation.shortfall, Shortfall::Over { lacks: Some(2), too_many: 1 });
    assert_eq!(
        as_lines(&problem, &explanation),
        [
            "47633 63 Peru 1/1",
            "47903 59 Canada 1/1",
            "47906 42 USA 1/1",
            "coarser zip 4**** 5/5 over",
            "coarser age * 3/6 ok",
            "with age <=40 3/6 ok",
            "with zip 48*** 5/5 over",
        ]
    );
}

#[test]
fn a_large_class_lists_two_hundred_combinations() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/clinic/clinic.toml");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().top());
    let explanation = explain(problem, &release, 0);
    assert_eq!(explanation.combinations, problem.histogram().len());
    let mut expected = naive_explanation(problem, &release, 0).members;
    expected.truncate(200);
    assert_eq!(explanation.members, expected);
    assert_eq!((explanation.coarser.len(), explanation.merges.len()), (0, 0));
}
