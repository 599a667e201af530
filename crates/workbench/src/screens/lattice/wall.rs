//! The line of least loss: to the right of it, a height has nodes that keep δ.

/// The marks of the line in a row, by column. The walls are those of the row above, of the row and of the row below, as
/// columns. A row reaches left to the walls of its neighbours that have less loss.
pub(crate) fn of_row([above, here, below]: [Option<usize>; 3]) -> Vec<(usize, &'static str)> {
    let Some(here) = here else { return Vec::new() };
    let nearer = |other: Option<usize>| other.filter(|other| *other < here);
    let (up, down) = (nearer(above), nearer(below));
    let Some(left) = up.into_iter().chain(down).min() else { return vec![(here, "│")] };
    let mark = |column: usize| match (up == Some(column), down == Some(column)) {
        (true, true) => "├",
        (true, false) if column > left => "┴",
        (true, false) => "└",
        (false, true) if column > left => "┬",
        (false, true) => "┌",
        (false, false) => "─",
    };
    let end = match (above.is_some_and(|above| above >= here), below.is_some_and(|below| below >= here)) {
        (true, false) => "┘",
        (false, true) => "┐",
        (true, true) | (false, false) => "┤",
    };
    (left..=here).map(|column| (column, if column == here { end } else { mark(column) })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws walls from the top row to the lowest one.
    fn drawn(walls: &[Option<usize>]) -> Vec<String> {
        let at = |row: Option<usize>| row.and_then(|row| walls.get(row).copied().flatten());
        let row = |row: usize| {
            let mut line = [" "; 8];
            for (column, mark) in of_row([at(row.checked_sub(1)), walls[row], at(Some(row + 1))]) {
                line[column] = mark;
            }
            line.concat().trim_end().to_owned()
        };
        (0..walls.len()).map(row).collect()
    }

    #[test]
    fn the_line_joins_the_walls_of_neighbours() {
        assert_eq!(drawn(&[Some(5), Some(5)]), ["     │", "     │"]);
        assert_eq!(drawn(&[Some(6), Some(3), Some(1), Some(5)]), ["   ┌──┤", " ┌─┘", " │", " └───┤"]);
        assert_eq!(drawn(&[Some(1), Some(6), Some(3)]), [" │", " └─┬──┤", "   │"]);
        assert_eq!(drawn(&[None, Some(2), None]), ["", "  │", ""]);
    }
}
