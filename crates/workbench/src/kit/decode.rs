//! Decodes the bytes that a terminal sends into events.
//! A sequence that is cut off or unknown must not block the keyboard. A short silence ends a
//! pending sequence, and `^C` works inside every sequence. No key has Alt: an Escape and a letter
//! are two keys, however fast they come. This module finds the end of a sequence, and `terminput`
//! interprets it.
//! Nothing here waits or reads the clock: the reader of the bytes reports silence.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

/// The time after an Escape within which bytes belong to its sequence. After it, the Escape was the
/// key.
const ESCAPE: Duration = Duration::from_millis(50);
/// The time within which the next byte of a sequence must come. Slow lines still send the bytes of
/// a key together.
const SEQUENCE: Duration = Duration::from_millis(100);
/// The longest pause within a paste.
const PASTE: Duration = Duration::from_secs(1);
/// A sequence with more bytes is unknown.
const LONGEST: usize = 64;
/// The bytes of a paste that are kept.
const LARGEST: usize = 64 * 1024;
/// The bytes that end a paste.
const PASTE_END: &[u8] = b"\x1b[201~";

const INTERRUPT: u8 = 0x03;
const BELL: u8 = 0x07;
const ESC: u8 = 0x1b;

/// Turns bytes into events.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    state: State,
    /// The bytes of the sequence so far, or of the paste.
    bytes: Vec<u8>,
}

/// The kind of sequence that is pending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// No sequence is pending.
    #[default]
    Ground,
    /// A character of several bytes; the number of missing bytes.
    Character(usize),
    /// An Escape: the key, or the start of a sequence.
    Escape,
    /// `ESC [ …` up to a letter: most keys, and the mouse.
    Control,
    /// `ESC [ M` and three bytes: the mouse of old terminals.
    Mouse,
    /// `ESC [ [` and a letter: a function key of the Linux console.
    Console,
    /// `ESC O …` up to a letter: some function keys, and arrows in another mode.
    Single,
    /// `ESC ] …`, `ESC P …` and the like: an answer to a question that was never asked.
    Answer,
    /// An Escape in such an answer: its end, or the start of another sequence.
    AnswerEnd,
    /// A paste; the number of bytes of its end that have come.
    Paste(usize),
    /// The rest of a paste that contained `^C`; the number of bytes of its end that have come.
    Rest(usize),
}

impl Decoder {
    /// Takes bytes and adds their events.
    pub(crate) fn feed(&mut self, bytes: &[u8], events: &mut Vec<Event>) {
        for &byte in bytes {
            self.take(byte, events);
        }
    }

    /// The time to wait for another byte; none if no sequence is pending.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Ground => None,
            State::Escape | State::AnswerEnd => Some(ESCAPE),
            State::Paste(_) => Some(PASTE),
            _ => Some(SEQUENCE),
        }
    }

    /// Ends the pending sequence, because no byte came within the patience.
    pub(crate) fn silence(&mut self, events: &mut Vec<Event>) {
        match self.state {
            State::Escape | State::AnswerEnd => events.push(key(KeyCode::Esc)),
            // These bytes start sequences, but do not end one: the two keys were typed.
            State::Single | State::Answer => {
                if let &[_, letter @ b'A'..=b'Z'] = self.bytes.as_slice() {
                    events.extend([key(KeyCode::Esc), typed(letter)]);
                }
            }
            State::Paste(ended) => {
                self.keep(&PASTE_END[..ended]);
                self.pasted(events);
            }
            _ => {}
        }
        self.begin_anew();
    }

    fn take(&mut self, byte: u8, events: &mut Vec<Event>) {
        match (self.state, byte) {
            (State::Paste(ended), _) => self.take_pasted(ended, byte, events),
            (State::Rest(ended), _) => self.take_rest(ended, byte, events),
            (_, INTERRUPT) => {
                if self.state == State::Escape {
                    events.push(key(KeyCode::Esc));
                }
                self.begin_anew();
                events.push(interrupt());
            }
            (State::Ground, ESC) => self.go_on(State::Escape, ESC),
            (State::Character(1), 0x80..=0xbf) => self.end(byte, events),
            (State::Character(missing), 0x80..=0xbf) => self.go_on(State::Character(missing - 1), byte),
            (State::Escape, ESC) => events.push(key(KeyCode::Esc)),
            (State::Escape, b'[') => self.go_on(State::Control, byte),
            (State::Escape, b'O') => self.go_on(State::Single, byte),
            (State::Escape, b']' | b'P' | b'X' | b'^' | b'_') => self.go_on(State::Answer, byte),
            (State::Escape, _) => {
                events.push(key(KeyCode::Esc));
                self.begin_anew();
                self.take(byte, events);
            }
            (State::Ground, _) => self.take_character(byte, events),
            (State::Control, b'[') if self.bytes.len() == 2 => self.go_on(State::Console, byte),
            (State::Control, b'M') if self.bytes.len() == 2 => self.go_on(State::Mouse, byte),
            (State::Control | State::Single, 0x20..=0x3f) => self.go_on(self.state, byte),
            (State::Control | State::Single | State::Console, 0x40..=0x7e) => self.end(byte, events),
            (State::Mouse, 0x20..) if self.bytes.len() == 5 => self.end(byte, events),
            (State::Mouse, 0x20..) => self.go_on(State::Mouse, byte),
            (State::Answer, BELL) | (State::AnswerEnd, b'\\') => self.begin_anew(),
            (State::Answer, ESC) => self.state = State::AnswerEnd,
            (State::Answer, _) => self.go_on(State::Answer, byte),
            (State::AnswerEnd, _) => {
                self.begin_anew();
                self.go_on(State::Escape, ESC);
                self.take(byte, events);
            }
            // The byte does not continue the pending sequence, so it starts another one.
            (State::Character(_) | State::Control | State::Mouse | State::Console | State::Single, _) => {
                self.begin_anew();
                self.take(byte, events);
            }
        }
    }

    /// Takes a byte that starts a character.
    fn take_character(&mut self, byte: u8, events: &mut Vec<Event>) {
        match byte {
            0x00..=0x7f => self.end(byte, events),
            0xc2..=0xdf => self.go_on(State::Character(1), byte),
            0xe0..=0xef => self.go_on(State::Character(2), byte),
            0xf0..=0xf4 => self.go_on(State::Character(3), byte),
            // These bytes start no character.
            0x80..=0xc1 | 0xf5..=0xff => self.begin_anew(),
        }
    }

    fn take_pasted(&mut self, ended: usize, byte: u8, events: &mut Vec<Event>) {
        if byte == INTERRUPT {
            // `^C` must work in a paste, and the rest of the paste must not become keys.
            self.begin_anew();
            self.state = State::Rest(0);
            events.push(interrupt());
        } else if byte != PASTE_END[ended] {
            self.keep(&PASTE_END[..ended]);
            self.state = State::Paste(usize::from(byte == ESC));
            if byte != ESC {
                self.keep(&[byte]);
            }
        } else if ended + 1 < PASTE_END.len() {
            self.state = State::Paste(ended + 1);
        } else {
            self.pasted(events);
        }
    }

    fn take_rest(&mut self, ended: usize, byte: u8, events: &mut Vec<Event>) {
        if byte == INTERRUPT {
            events.push(interrupt());
        }
        self.state = match byte {
            byte if byte != PASTE_END[ended] => State::Rest(usize::from(byte == ESC)),
            _ if ended + 1 < PASTE_END.len() => State::Rest(ended + 1),
            _ => State::Ground,
        };
    }

    /// Returns to the state without a pending sequence.
    fn begin_anew(&mut self) {
        self.state = State::Ground;
        self.bytes.clear();
    }

    fn go_on(&mut self, state: State, byte: u8) {
        self.state = state;
        if self.bytes.len() < LONGEST {
            self.bytes.push(byte);
        }
    }

    /// Takes the last byte of a key.
    fn end(&mut self, byte: u8, events: &mut Vec<Event>) {
        self.state = State::Ground;
        let known = self.bytes.len() < LONGEST;
        self.bytes.push(byte);
        if self.bytes == b"\x1b[200~" {
            self.bytes.clear();
            self.state = State::Paste(0);
            return;
        }
        events.extend(known.then(|| meaning(&self.bytes)).flatten());
        self.bytes.clear();
    }

    /// Keeps bytes of a paste up to the limit.
    fn keep(&mut self, bytes: &[u8]) {
        let room = LARGEST - self.bytes.len().min(LARGEST);
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn pasted(&mut self, events: &mut Vec<Event>) {
        events.push(Event::Paste(String::from_utf8_lossy(&self.bytes).into_owned()));
        // Frees the memory of a large paste.
        self.bytes = Vec::new();
        self.state = State::Ground;
    }
}

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// A typed letter; a capital letter has Shift.
fn typed(letter: u8) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(char::from(letter)), KeyModifiers::SHIFT))
}

fn interrupt() -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL))
}

/// The event of a complete sequence; none if the sequence is unknown.
fn meaning(bytes: &[u8]) -> Option<Event> {
    if is_off_the_screen(bytes) {
        return None;
    }
    let event = terminput::Event::parse_from(bytes).ok().flatten()?;
    terminput_crossterm::to_crossterm(event).ok()
}

/// Whether a coordinate of the mouse is 0. Coordinates count from 1, and `terminput` subtracts 1
/// without a check.
fn is_off_the_screen(bytes: &[u8]) -> bool {
    let Some((b'M' | b'm', [ESC, b'[', numbers @ ..])) = bytes.split_last() else { return false };
    let mut fields = numbers.split(|byte| *byte == b';').skip(1).take(2);
    fields.any(|field| std::str::from_utf8(field).is_ok_and(|field| field.parse() == Ok(0_u16)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
    use proptest::prelude::*;

    const NONE: KeyModifiers = KeyModifiers::NONE;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    const CONTROL: KeyModifiers = KeyModifiers::CONTROL;

    fn fed(decoder: &mut Decoder, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        decoder.feed(bytes, &mut events);
        events
    }

    fn quiet(decoder: &mut Decoder) -> Vec<Event> {
        let mut events = Vec::new();
        if decoder.patience().is_some() {
            decoder.silence(&mut events);
        }
        assert_eq!(decoder.patience(), None, "silence ends everything");
        events
    }

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    fn letter(character: char) -> Event {
        key(KeyCode::Char(character))
    }

    fn mouse(kind: MouseEventKind, column: u16, row: u16) -> Event {
        Event::Mouse(MouseEvent { kind, column, row, modifiers: NONE })
    }

    /// The sequences that terminals send, with their events.
    fn known() -> Vec<(&'static [u8], Event)> {
        use KeyCode as K;
        vec![
            (b"q", letter('q')),
            (b"Q", pressed(K::Char('Q'), SHIFT)),
            (b"\r", key(K::Enter)),
            (b"\t", key(K::Tab)),
            (b"\x7f", key(K::Backspace)),
            (b"\x15", pressed(K::Char('u'), CONTROL)),
            (b"\x1a", pressed(K::Char('z'), CONTROL)),
            ("δ".as_bytes(), letter('δ')),
            ("日".as_bytes(), letter('日')),
            ("🦀".as_bytes(), letter('🦀')),
            (b"\x1b[A", key(K::Up)),
            (b"\x1b[B", key(K::Down)),
            (b"\x1bOC", key(K::Right)),
            (b"\x1bOD", key(K::Left)),
            (b"\x1b[H", key(K::Home)),
            (b"\x1b[F", key(K::End)),
            (b"\x1bOH", key(K::Home)),
            (b"\x1b[1~", key(K::Home)),
            (b"\x1b[4~", key(K::End)),
            (b"\x1b[5~", key(K::PageUp)),
            (b"\x1b[6~", key(K::PageDown)),
            (b"\x1b[3~", key(K::Delete)),
            (b"\x1b[Z", pressed(K::BackTab, SHIFT)),
            (b"\x1b[1;5C", pressed(K::Right, CONTROL)),
            (b"\x1b[1;5D", pressed(K::Left, CONTROL)),
            (b"\x1b[1;3A", pressed(K::Up, ALT)),
            (b"\x1bOP", key(K::F(1))),
            (b"\x1b[[E", key(K::F(5))),
            (b"\x1b[15~", key(K::F(5))),
            (b"\x1b[24~", key(K::F(12))),
            (b"\x1b[99;5u", pressed(K::Char('c'), CONTROL)),
            (b"\x1b[<0;5;7M", mouse(MouseEventKind::Down(MouseButton::Left), 4, 6)),
            (b"\x1b[<0;5;7m", mouse(MouseEventKind::Up(MouseButton::Left), 4, 6)),
            (b"\x1b[<64;1;1M", mouse(MouseEventKind::ScrollUp, 0, 0)),
            (b"\x1b[<65;300;200M", mouse(MouseEventKind::ScrollDown, 299, 199)),
            (b"\x1b[32;5;7M", mouse(MouseEventKind::Down(MouseButton::Left), 4, 6)),
            (b"\x1b[M %'", mouse(MouseEventKind::Down(MouseButton::Left), 4, 6)),
            (b"\x1b[200~two\nlines \x1b[A\x1b\x1b[201~", Event::Paste("two\nlines \x1b[A\x1b".to_owned())),
        ]
    }

    #[test]
    fn every_key_is_known_alone_and_after_another() {
        for (bytes, event) in known() {
            let mut decoder = Decoder::default();
            assert_eq!(fed(&mut decoder, bytes), std::slice::from_ref(&event), "{bytes:?}");
            assert_eq!(decoder.patience(), None, "{bytes:?}");
            for (other, before) in known() {
                let both = [other, bytes].concat();
                assert_eq!(fed(&mut decoder, &both), [before, event.clone()], "{both:?}");
            }
        }
    }

    #[test]
    fn cut_off_sequence_ends_after_silence_without_keys() {
        for (bytes, _) in known() {
            for cut in 1..bytes.len() {
                let mut decoder = Decoder::default();
                assert_eq!(fed(&mut decoder, &bytes[..cut]), [], "{bytes:?} up to {cut}");
                let left = quiet(&mut decoder);
                match (&bytes[..cut], &left[..]) {
                    (b"\x1b", [escape]) => assert_eq!(*escape, key(KeyCode::Esc)),
                    // Two typed keys start in the same way.
                    (&[ESC, capital @ b'O'], both) => {
                        assert_eq!(both, [key(KeyCode::Esc), typed(capital)]);
                    }
                    (_, [Event::Paste(_)]) => assert!(cut >= 6, "{bytes:?} up to {cut}"),
                    (_, left) => assert_eq!(left, [], "{bytes:?} up to {cut}"),
                }
                assert_eq!(fed(&mut decoder, b"q"), [letter('q')], "{bytes:?} up to {cut}");
            }
        }
    }

    #[test]
    fn unfinished_sequence_never_blocks_keys_or_interrupts() {
        let unfinished: [&[u8]; 9] = [
            b"\x1b[200~",
            b"\x1b[<0;5;5",
            b"\x1b[?2026;2$y",
            b"\x1b[?",
            b"\x1b[M",
            b"\x1b]11;rgb:0000/",
            b"\x1bP1+r",
            b"\x1bO1",
            "日".as_bytes().split_last().unwrap().1,
        ];
        for bytes in unfinished {
            let mut decoder = Decoder::default();
            fed(&mut decoder, bytes);
            assert_eq!(fed(&mut decoder, b"\x03"), [interrupt()], "{bytes:?}");
            quiet(&mut decoder);
            assert_eq!(fed(&mut decoder, b"q"), [letter('q')], "{bytes:?}");
            fed(&mut decoder, bytes);
            quiet(&mut decoder);
            assert_eq!(fed(&mut decoder, b"q"), [letter('q')], "{bytes:?}");
        }
    }

    #[test]
    fn unrequested_terminal_answer_is_not_a_key() {
        for answer in [
            &b"\x1b]11;rgb:0000/0000/0000\x1b\\"[..],
            b"\x1b]52;c;cXFx\x07",
            b"\x1bP1$r0m\x1b\\",
            b"\x1b_Gi=31;OK\x1b\\",
            b"\x1b[?2026;2$y",
            b"\x1b[?62;c",
            b"\x1b[201~",
            b"\xff\xc0\x80",
        ] {
            let mut decoder = Decoder::default();
            assert_eq!(fed(&mut decoder, answer), [], "{answer:?}");
            assert_eq!(fed(&mut decoder, b"q"), [letter('q')], "{answer:?}");
        }
    }

    #[test]
    fn lone_escape_is_a_key_of_its_own() {
        let mut decoder = Decoder::default();
        assert_eq!(fed(&mut decoder, b"\x1b"), []);
        assert_eq!(quiet(&mut decoder), [key(KeyCode::Esc)]);
        assert_eq!(fed(&mut decoder, b"\x1b\x1b[A"), [key(KeyCode::Esc), key(KeyCode::Up)]);
        // However fast it is typed, the next character is a key.
        for (bytes, follows) in [
            (&b"\x1bs"[..], letter('s')),
            (b"\x1bQ", typed(b'Q')),
            ("\x1bß".as_bytes(), letter('ß')),
            (b"\x1b\r", key(KeyCode::Enter)),
            (b"\x1b\x15", pressed(KeyCode::Char('u'), CONTROL)),
        ] {
            assert_eq!(fed(&mut decoder, bytes), [key(KeyCode::Esc), follows], "{bytes:?}");
            assert_eq!(decoder.patience(), None, "{bytes:?}");
        }
        for capital in *b"OPX" {
            assert_eq!(fed(&mut decoder, &[ESC, capital]), [], "a sequence may begin so");
            assert_eq!(quiet(&mut decoder), [key(KeyCode::Esc), typed(capital)]);
        }
        assert_eq!(fed(&mut decoder, b"\x1b\x03"), [key(KeyCode::Esc), interrupt()]);
        assert_eq!(fed(&mut decoder, b"\x1b]0;x\x1b"), []);
        assert_eq!(quiet(&mut decoder), [key(KeyCode::Esc)]);
    }

    #[test]
    fn endless_paste_ends_and_can_be_interrupted() {
        let mut decoder = Decoder::default();
        fed(&mut decoder, b"\x1b[200~half a na");
        assert_eq!(decoder.patience(), Some(PASTE));
        fed(&mut decoder, b"me\x1b[20");
        assert_eq!(quiet(&mut decoder), [Event::Paste("half a name\x1b[20".to_owned())]);
        // The bytes after the interrupt belong to the paste: nobody typed that `y`.
        assert_eq!(fed(&mut decoder, b"\x1b[200~rm\x03yy\x03y"), [interrupt(), interrupt()]);
        quiet(&mut decoder);
        assert_eq!(fed(&mut decoder, b"\x1b[200~rm\x03y\x1b[201~q"), [interrupt(), letter('q')]);
    }

    #[test]
    fn what_never_ends_takes_no_more_room() {
        let mut decoder = Decoder::default();
        for (start, rest) in [
            (&b"\x1b["[..], &b"1;"[..]),
            (b"\x1bO", b"12"),
            (b"\x1b]", b"x"),
            (b"\x1b[200~", b"x\x1b[201"),
            (b"\x1b[200~\x03", b"yy"),
        ] {
            fed(&mut decoder, start);
            for _ in 0..200_000 {
                assert_eq!(fed(&mut decoder, rest), []);
            }
            assert!(decoder.bytes.len() <= LARGEST, "{start:?}");
            assert!(fed(&mut decoder, b"\x03").contains(&interrupt()), "{start:?}");
            quiet(&mut decoder);
            assert_eq!(fed(&mut decoder, b"q"), [letter('q')], "{start:?}");
        }
        let long = [b"\x1b[200~", vec![b'x'; 300_000].as_slice(), b"\x1b[201~"].concat();
        assert_eq!(fed(&mut decoder, &long), [Event::Paste("x".repeat(LARGEST))]);
        assert_eq!(fed(&mut decoder, &[b"\x1b[", vec![b'1'; 300].as_slice(), b"A"].concat()), []);
        assert_eq!(fed(&mut decoder, b"q"), [letter('q')]);
    }

    #[test]
    fn mouse_outside_the_screen_is_no_click() {
        for bytes in
            [&b"\x1b[<0;0;1M"[..], b"\x1b[<0;1;0m", b"\x1b[32;0;0M", b"\x1b[<0;+0;7M", b"\x1b[<0;00;7M"]
        {
            assert_eq!(fed(&mut Decoder::default(), bytes), [], "{bytes:?}");
        }
    }

    /// Bytes that often occur in sequences, and any other bytes.
    fn rubbish() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            prop::collection::vec(any::<u8>(), 1..4),
            prop::sample::select(known()).prop_map(|(bytes, _)| bytes.to_vec()),
            prop::sample::select(&b"\x1b[]O<?;M~P_\\0123459:Amuy \x00\x07\x18"[..])
                .prop_map(|byte| vec![byte]),
            Just(b"\x1b[".to_vec()),
            Just(b"\x1b[200~".to_vec()),
            Just(b"\x1b[201~".to_vec()),
        ];
        prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn keys_are_heard_after_any_bytes_and_silence(bytes in rubbish()) {
            let mut decoder = Decoder::default();
            fed(&mut decoder, &bytes);
            let heard = fed(&mut decoder, b"\x03");
            prop_assert!(heard.ends_with(&[interrupt()]), "{heard:?}");
            let mut decoder = Decoder::default();
            fed(&mut decoder, &bytes);
            quiet(&mut decoder);
            prop_assert_eq!(fed(&mut decoder, b"q"), [letter('q')]);
            prop_assert_eq!(fed(&mut decoder, b"\x1b[A"), [key(KeyCode::Up)]);
        }

        #[test]
        fn splitting_the_bytes_does_not_change_the_events(bytes in rubbish(), cut in any::<prop::sample::Index>()) {
            let cut = cut.index(bytes.len() + 1);
            let (mut at_once, mut pieces) = (Decoder::default(), Decoder::default());
            let one = fed(&mut at_once, &bytes);
            let mut two = fed(&mut pieces, &bytes[..cut]);
            two.extend(fed(&mut pieces, &bytes[cut..]));
            prop_assert_eq!(one, two);
            prop_assert_eq!(quiet(&mut at_once), quiet(&mut pieces));
        }
    }
}
