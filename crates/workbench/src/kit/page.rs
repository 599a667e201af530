//! The page of a frame: the cells of the terminal, the theme, and the targets of clicks.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::hits::Hits;
use super::theme::Theme;

/// A frame while it is drawn.
pub(crate) struct Page<'a, 'b> {
    frame: &'a mut Frame<'b>,
    pub(crate) theme: Theme,
    pub(crate) hits: Hits,
}

impl<'a, 'b> Page<'a, 'b> {
    /// An empty page.
    pub(crate) fn new(frame: &'a mut Frame<'b>, theme: Theme) -> Self {
        Self { frame, theme, hits: Hits::default() }
    }

    /// The complete area.
    pub(crate) fn area(&self) -> Rect {
        self.frame.area()
    }

    pub(crate) fn render_widget(&mut self, widget: impl Widget, area: Rect) {
        self.frame.render_widget(widget, area);
    }

    /// The cells, for drawing without a widget.
    pub(crate) fn buffer_mut(&mut self) -> &mut Buffer {
        self.frame.buffer_mut()
    }
}
