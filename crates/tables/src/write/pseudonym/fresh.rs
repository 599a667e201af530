//! New pseudonyms: random bits of the operating system, without any other input.

use super::keyed::base32;

/// Random bits, some of them drawn in advance.
#[derive(Default)]
pub(super) struct Fresh {
    waiting: Vec<[u8; 16]>,
}

impl Fresh {
    /// The number drawn at once.
    const TOGETHER: usize = 256;

    /// 128 random bits as text; `None` if the operating system provides none.
    pub(super) fn draw(&mut self) -> Option<String> {
        if self.waiting.is_empty() {
            let mut bytes = [0; 16 * Self::TOGETHER];
            getrandom::fill(&mut bytes).ok()?;
            self.waiting.extend(bytes.as_chunks().0);
        }
        self.waiting.pop().map(base32)
    }
}

/// Debug output must not reveal bits drawn in advance.
impl std::fmt::Debug for Fresh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fresh").finish_non_exhaustive()
    }
}
