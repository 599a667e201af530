//! Mutates seeds into unusual inputs, the same ones in every run.

use crate::support::dice::Dice;

/// The maximum length of an input.
const LONGEST: usize = 1 << 20;

/// Tokens of text formats.
const TOKENS: [&str; 73] = [
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\u{feff}",
    "\0",
    "\x1b[31m",
    "\x1b]0;x\x07",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "[1, 2]",
    "{a, b}",
    ", ",
    "*",
    "**",
    "=",
    "/",
    "%",
    ".",
    "-",
    "+",
    "!",
    ":",
    "<",
    ">",
    ">=",
    "0",
    "1",
    "-1",
    "-0",
    "00",
    "0.5",
    "1e9",
    "1/2",
    "2/3",
    "18446744073709551615",
    "18446744073709551616",
    "4294967295",
    "4294967296",
    "79228162514264337593543950335",
    "-79228162514264337593543950335",
    "0000-00-00",
    "9999-12-31",
    "2024-02-30",
    "+10000-01-01",
    "2024-Q1",
    "2020s",
    "nan",
    "inf",
    "true",
    "false",
    "yes",
    "public_level = 255\n",
    "public_level = 4294967296\n",
    "kind = \"number\"\n",
    "count = \"zip\"\n",
    "counts = \"people\"\n",
    "member = \"zip\"\n",
    "é",
    "\u{202e}",
    "\\u0000",
    "\u{10ffff}",
    "[[attribute]]\n",
];

/// Numbers that often cause errors in lengths and offsets.
const LIMITS: [u64; 18] = [
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    64,
    127,
    128,
    255,
    256,
    65535,
    0x7fff_ffff,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
];

/// A mutation of one seed, sometimes with a part of another.
pub(crate) fn mutate(dice: &mut Dice, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..*dice.pick(&[1, 1, 1, 2, 2, 3, 5, 9]) {
        once(dice, &mut bytes, other);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn once(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = dice.below(bytes.len() + 1);
    let end = (at + dice.within(1, 16)).min(bytes.len());
    let put = |bytes: &mut Vec<u8>, from: usize, to: usize, new: &[u8]| {
        let (from, to) = (from.min(bytes.len()), to.min(bytes.len()));
        bytes.splice(from..to, new.iter().copied());
    };
    match dice.below(14) {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = *dice.pick(&[0, 1, 0x7f, 0x80, 0xff, b'"', b'\n', b'\r', b',', b'0', b'-']);
            }
        }
        3 => put(bytes, at, end, &[]),
        4 | 5 => put(bytes, at, at, dice.pick(&TOKENS).as_bytes()),
        6 => put(bytes, at, end, dice.pick(&TOKENS).as_bytes()),
        7 => {
            let from = dice.below(other.len() + 1);
            let to = (from + dice.within(1, 64)).min(other.len());
            put(bytes, at, at, &other[from..to]);
        }
        8 => {
            let from = dice.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        9 => bytes.truncate(at),
        10 => {
            let part = bytes[at..end].to_vec();
            let times = *dice.pick(&[1, 2, 3, 10, 100, 1000]);
            put(bytes, at, at, &part.repeat(times));
        }
        11 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let line = lines.get(dice.below(lines.len().max(1))).map_or(Vec::new(), |line| line.to_vec());
            put(bytes, at, at, &line);
        }
        // A length or an offset of a binary format. These are mostly near the end.
        12 => {
            let at = if dice.percent(50) { bytes.len().saturating_sub(dice.below(256)) } else { at };
            let width = *dice.pick(&[1, 2, 4, 8]);
            let limit = dice.pick(&LIMITS).to_le_bytes();
            put(bytes, at, at + width, &limit[..width]);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = byte.wrapping_add(if dice.percent(50) { 1 } else { 255 });
            }
        }
    }
}
