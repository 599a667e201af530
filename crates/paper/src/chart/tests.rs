use super::super::grid::tests::grid;
use super::super::method::Method;
use super::*;

fn loss() -> Figure {
    Figure::ALL[1]
}

fn everything(values: &str, losses: &str) -> Grid {
    let lines: Vec<String> = Method::all().map(|method| method.to_string()).collect();
    grid(values, &lines.iter().map(|name| (name.as_str(), losses)).collect::<Vec<_>>())
}

#[test]
fn chart_has_scale_letters_labels_and_legend() {
    let lines = [("spalm", ".8 .6 .4"), ("n1", ".4 .3 .2"), ("n2", ".2 .3 .1"), ("best", ".1 · .05")];
    let drawn = chart(loss(), &grid("0.05 0.1 2/3", &lines)).unwrap();
    let rows: Vec<&str> = drawn.lines().collect();
    assert!(rows[0].starts_with("  0.8 ┤") && rows[0].contains('S'), "{drawn}");
    assert!(rows[16].starts_with("  0.0 ┤"), "{drawn}");
    assert!(rows[17].starts_with("      └─") && rows[17].matches('┴').count() == 3, "{drawn}");
    let labels: Vec<&str> = rows[18].split_whitespace().collect();
    assert_eq!(labels, ["δmax", "0.05", "0.1", "2/3"], "{drawn}");
    assert_eq!(rows[19], "  S spalm  B best  ┬│┴ 2 of MPALM, most to least");
    assert_eq!(rows[..17].iter().map(|row| row.matches('S').count()).sum::<usize>(), 3, "{drawn}");
    assert_eq!(rows[..17].iter().map(|row| row.matches('B').count()).sum::<usize>(), 2, "{drawn}");
    assert_eq!(
        rows[..17].iter().map(|row| row.matches('┼').count()).sum::<usize>(),
        1,
        "n1 and n2 at 0.1\n{drawn}"
    );
}

#[test]
fn charts_fit_eighty_columns_with_any_place_count() {
    for count in [1, 2, 7, 12, 30, 90] {
        let values: Vec<String> = (1..=count).map(|value| format!("{value}/97")).collect();
        let losses: Vec<String> = (1..=count).map(|value| format!("{}", f64::from(value) / 97.0)).collect();
        let grid = everything(&values.join(" "), &losses.join(" "));
        for drawn in [chart(loss(), &grid).unwrap(), nine_charts(loss(), &grid).unwrap()] {
            assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{count} places\n{drawn}");
            assert!(
                drawn.contains("1/97") && drawn.contains(&format!("{count}/97")),
                "{count} places\n{drawn}"
            );
        }
    }
}

#[test]
fn crowded_letters_move_aside_or_become_a_star() {
    let drawn = chart(loss(), &grid("0.1 0.2", &[("spalm", ".5 .4"), ("k-optimal", ".5 .4")])).unwrap();
    assert_eq!(drawn.matches("Sk").count(), 2, "{drawn}");
    let many: Vec<String> = (1..=35).map(|value| format!("{value}/100")).collect();
    let drawn = chart(loss(), &everything(&many.join(" "), &[".5"; 35].join(" "))).unwrap();
    assert!(drawn.contains('*') && !drawn.contains("SB"), "{drawn}");
}

#[test]
fn empty_grid_gives_no_chart() {
    let grid = grid("0.1 0.2", &[("best", "· ·"), ("n1", "· ·")]);
    assert_eq!((chart(loss(), &grid), nine_charts(loss(), &grid)), (None, None));
}

#[test]
fn nine_strategies_get_one_chart_per_column_rule() {
    let drawn = nine_charts(loss(), &everything("0.1 0.2 0.3", ".3 .2 .1")).unwrap();
    assert!(drawn.starts_with("       n: next column"), "{drawn}");
    assert!(drawn.contains("p: project order") && drawn.contains("b: most values"), "{drawn}");
    assert_eq!(drawn.matches("123").count(), 9, "{drawn}");
    let two = grid("0.1 0.2", &[("n1", ".5 .4"), ("n3", ".3 .2")]);
    assert!(!nine_charts(loss(), &two).unwrap().contains("p: "));
}
