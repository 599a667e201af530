//! Plain ASCII for terminals without other symbols. A frame is drawn as usual, then translated cell
//! by cell.

use ratatui::buffer::Buffer;

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Symbols {
    Unicode,
    Ascii,
}

/// How the lines of a chart are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub(crate) enum Marks {
    /// Half blocks, which every font has.
    #[default]
    #[serde(rename = "half-blocks")]
    HalfBlocks,
    /// The finer dots of braille.
    #[serde(rename = "braille")]
    Braille,
}

/// Translates a frame. Each symbol keeps its single column, so nothing moves.
pub(crate) fn translate(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        let plain = symbol.chars().next().map_or(' ', ascii);
        // A wide character covers the blank cell after it, and that cell stays blank.
        let mut bytes = [0; 4];
        cell.set_symbol(plain.encode_utf8(&mut bytes));
    }
}

/// The ASCII character for a symbol; `?` for a symbol that only data contains.
fn ascii(symbol: char) -> char {
    match symbol {
        '─' | '┈' | '╌' | '⠤' | '⠒' | '⠉' | '–' | '—' | '−' | '▄' | '▀' => '-',
        '═' | '━' | '≤' | '≥' | '▅' => '=',
        '│' | '║' | '┊' | '▏' | '┤' | '├' | '▎' => '|',
        '╭' | '╮' | '╰' | '╯' | '┌' | '┐' | '└' | '┘' | '╔' | '╗' | '╚' | '╝' | '┴' | '┬' | '┼' | '▆' => {
            '+'
        }
        '█' | '■' => '#',
        '▓' => '%',
        '░' | '·' | '□' | '▂' => '.',
        '▁' => '_',
        '▃' => ':',
        '▇' | '★' => '*',
        '✓' | '●' => 'Y',
        '○' => 'y',
        '✗' | '×' => 'X',
        '▲' | '↑' => '^',
        '▼' | '↓' => 'v',
        '▸' | '→' | '▹' => '>',
        '←' | '◂' | '⊂' => '<',
        'δ' | 'Δ' => 'd',
        '◆' => '@',
        '◇' => 'o',
        '◈' => '!',
        '◑' => '/',
        '\u{2800}' => ' ',
        '√' => 'V',
        '…' | '≈' => '~',
        '\u{2801}'..='\u{28ff}' => ',',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn nothing_moves_and_nothing_else_is_left() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 24, 1));
        buffer.set_string(0, 0, "✗ δ│日本 ▲█ é→ok", Style::default());
        translate(&mut buffer);
        let text: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(text, "X d|? ?  ^# ?>ok        ");
    }
}
