//! Naive implementations of the expected results of the engine, as plain as possible. They share no
//! code with it.

use std::collections::{BTreeSet, HashMap};

use palmtop::model::EmptyRegions;

use super::generate::Case;

/// People of P, and members.
pub(crate) type People = (u64, u64);

/// The cost of a node. Costs are comparable only within one case.
pub(crate) type Cost = fn(&Case, &[usize]) -> u128;

/// Whether a class keeps δ, is not empty if that is forbidden, and has k members if it has any.
pub(crate) fn keeps(case: &Case, (public, private): People) -> bool {
    let [(min, min_of), (max, max_of)] = case.delta;
    let is_allowed = private > 0 || case.empty_regions == EmptyRegions::Allow;
    let is_large =
        private == 0 || (case.k.is_none_or(|k| private >= k) && case.k_map.is_none_or(|k| public >= k));
    is_allowed && is_large && private * min_of >= min * public && private * max_of <= max * public
}

/// |P| and |T|.
pub(crate) fn total(case: &Case) -> People {
    case.people.iter().fold((0, 0), |(p, t), &(_, public, private)| (p + public, t + private))
}

/// Every node as steps above the finest, in lexicographic order.
pub(crate) fn nodes(case: &Case) -> Vec<Vec<usize>> {
    let mut nodes = vec![Vec::new()];
    for (_, _, chains) in &case.attributes {
        nodes = nodes
            .into_iter()
            .flat_map(|node: Vec<usize>| {
                (0..chains[0].len()).map(move |step| [node.clone(), vec![step]].concat())
            })
            .collect();
    }
    nodes
}

/// The classes of a node by the texts of their labels.
pub(crate) fn classes(case: &Case, node: &[usize]) -> HashMap<Vec<String>, People> {
    let mut classes: HashMap<Vec<String>, People> = HashMap::new();
    for (codes, public, private) in &case.people {
        let class = classes.entry(labels(case, codes, node)).or_default();
        *class = (class.0 + public, class.1 + private);
    }
    classes
}

/// The labels of a combination at a node.
pub(crate) fn labels(case: &Case, codes: &[u32], node: &[usize]) -> Vec<String> {
    let chains = case.attributes.iter().map(|(_, _, chains)| chains);
    chains.zip(codes).zip(node).map(|((chains, &code), &step)| chains[code as usize][step].clone()).collect()
}

/// Whether a node satisfies all enforced criteria.
pub(crate) fn is_present(case: &Case, node: &[usize]) -> bool {
    classes(case, node).values().all(|&class| keeps(case, class))
}

/// Whether `node` is a proper generalization of `other`.
pub(crate) fn is_above(node: &[usize], other: &[usize]) -> bool {
    node != other && node.iter().zip(other).all(|(ours, theirs)| ours >= theirs)
}

/// For each quasi-identifier, the extra leaves summed over T, and the number of leaves − 1.
fn losses(case: &Case, node: &[usize]) -> Vec<(u128, u128)> {
    let each = case.attributes.iter().enumerate().map(|(a, (_, _, chains))| {
        let people = case.people.iter().map(|(codes, _, private)| {
            let label = &chains[codes[a] as usize][node[a]];
            let size = chains.iter().filter(|chain| chain[node[a]] == *label).count();
            u128::try_from(size - 1).unwrap() * u128::from(*private)
        });
        (people.sum(), u128::try_from(chains.len() - 1).unwrap())
    });
    each.collect()
}

/// The loss of a node, times a factor that is the same for all nodes.
pub(crate) fn loss(case: &Case, node: &[usize]) -> u128 {
    let losses = losses(case, node);
    let denominator: u128 = losses.iter().map(|&(_, part)| part.max(1)).product();
    losses.iter().map(|&(extra, part)| extra * denominator / part.max(1)).sum()
}

/// Π(1 + loss) of a node, times a factor that is the same for all nodes.
pub(crate) fn geometric_loss(case: &Case, node: &[usize]) -> u128 {
    let rows = u128::from(total(case).1);
    losses(case, node).iter().map(|&(extra, part)| part.max(1) * rows + extra).product()
}

/// Σ a² of a node.
pub(crate) fn discernibility(case: &Case, node: &[usize]) -> u128 {
    classes(case, node).values().map(|&(_, private)| u128::from(private * private)).sum()
}

/// The best node by a cost: least cost, least height, lexicographically first.
pub(crate) fn best(case: &Case, cost: Cost) -> Option<Vec<usize>> {
    let present = nodes(case).into_iter().filter(|node| is_present(case, node));
    present.min_by_key(|node| (cost(case, node), node.iter().sum::<usize>(), node.clone()))
}

/// MPALM's regions in order, each a list of combinations (indices into the sorted people); `None`
/// if infeasible.
pub(crate) fn mpalm(case: &Case, column_rule: char, value_rule: char) -> Option<Vec<Vec<usize>>> {
    if !keeps(case, total(case)) {
        return None;
    }
    let mut regions = Vec::new();
    split(case, (0..case.people.len()).collect(), column_rule, value_rule, 0, &mut regions);
    Some(regions)
}

fn people(case: &Case, region: &[usize]) -> People {
    region.iter().fold((0, 0), |(p, t), &index| (p + case.people[index].1, t + case.people[index].2))
}

fn values(case: &Case, region: &[usize], column: usize) -> BTreeSet<u32> {
    region.iter().map(|&index| case.people[index].0[column]).collect()
}

fn split(
    case: &Case,
    region: Vec<usize>,
    column_rule: char,
    value_rule: char,
    next: usize,
    out: &mut Vec<Vec<usize>>,
) {
    let width = case.attributes.len();
    let mut columns: Vec<usize> = (0..width).collect();
    match column_rule {
        'n' => columns.rotate_left(next),
        'b' => columns.sort_by_key(|&column| width * 100 - values(case, &region, column).len()),
        _ => (),
    }
    let may_split = people(case, &region).1 > 0;
    for column in columns.into_iter().filter(|_| may_split) {
        let mut valid: Vec<(u64, u32, Vec<usize>, Vec<usize>)> = Vec::new();
        for value in values(case, &region, column) {
            let (left, right): (Vec<usize>, Vec<usize>) =
                region.iter().partition(|&&index| case.people[index].0[column] < value);
            let halves = [people(case, &left), people(case, &right)];
            let allowed = |half: People| half.0 > 0 && keeps(case, half);
            if !halves.into_iter().all(allowed) {
                continue;
            }
            let distinct = |half: &[usize]| values(case, half, column).len();
            let imbalance = match value_rule {
                '1' => halves[0].0.abs_diff(halves[1].0),
                '2' => halves[0].0,
                _ => u64::try_from(distinct(&left).abs_diff(distinct(&right))).unwrap(),
            };
            valid.push((imbalance, value, left, right));
        }
        valid.sort();
        if let Some((_, _, left, right)) = valid.into_iter().next() {
            let next = (column + 1) % width;
            split(case, left, column_rule, value_rule, next, out);
            split(case, right, column_rule, value_rule, next, out);
            return;
        }
    }
    out.push(region);
}
