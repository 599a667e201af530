use super::*;
use palmtop_core::model::Kind;

#[test]
fn values_are_cut_between_neighbours_and_by_labels() {
    // Eight values with pairs and halves.
    let chains: Vec<Vec<String>> = (0..8)
        .map(|leaf| {
            vec![leaf.to_string(), format!("p{}", leaf / 2), format!("h{}", leaf / 4), "*".to_owned()]
        })
        .collect();
    let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
    let cuts = |codes: &[Code]| -> Vec<Vec<Code>> {
        let orders = value_cuts(&hierarchy, codes).into_iter();
        orders
            .flat_map(|ValueOrder { order, cuts }| {
                let left = move |cut: ValueCut| -> Vec<Code> {
                    order[cut.left].iter().map(|&index| codes[index as usize]).collect()
                };
                cuts.into_iter().map(left)
            })
            .collect()
    };
    assert_eq!(cuts(&[3]), Vec::<Vec<Code>>::new());
    let between = [vec![1], vec![1, 2], vec![1, 2, 3]];
    let values = [vec![1], vec![2], vec![3], vec![5]];
    // A pair has 2 and 3; a half has 1, 2 and 3. The other labels have one of the values.
    let labels = [vec![2, 3], vec![1, 2, 3]];
    assert_eq!(cuts(&[1, 2, 3, 5]), [&between[..], &values[..], &labels[..]].concat());
    assert_eq!(same_levels(&hierarchy, &[1, 2, 3, 5], 5, Level(0), 1), 0..=2);
    assert_eq!(same_levels(&hierarchy, &[1, 2, 3, 5], 2, Level(1), 2), 1..=1);
}
