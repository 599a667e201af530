//! New pseudonyms: the operating system's random bits, and nothing else.

use super::keyed::base32;

/// Random bits, some drawn ahead.
#[derive(Default)]
pub(super) struct Fresh {
    waiting: Vec<[u8; 16]>,
}

impl Fresh {
    /// As many as are drawn at once.
    const TOGETHER: usize = 256;

    /// 128 bits; `None` where the operating system gives none.
    pub(super) fn draw(&mut self) -> Option<String> {
        if self.waiting.is_empty() {
            let mut bytes = [0; 16 * Self::TOGETHER];
            getrandom::fill(&mut bytes).ok()?;
            self.waiting.extend(bytes.as_chunks().0);
        }
        self.waiting.pop().map(base32)
    }
}

/// What is drawn ahead is nobody's business.
impl std::fmt::Debug for Fresh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fresh").finish_non_exhaustive()
    }
}
