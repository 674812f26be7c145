//! The words under a picture: the title, who is who, and how long it takes.

use std::sync::Arc;

use super::colour::{Colour, Theme, line_colour, linear};
use super::draw::Canvas;
use super::text::{Type, font};
use super::view::View;

/// Names in the legend, at most.
const MOST_NAMES: usize = 8;
/// Letters smaller than this are not read, pixels.
const LEAST_HEIGHT: f32 = 11.0;

/// Pixels of the parts of a caption, for a picture of this size.
struct Layout {
    margin: f32,
    title: f32,
    small: f32,
}

impl Layout {
    fn new(width: u32, height: u32) -> Layout {
        let unit = (height.min(width * 5 / 8) as f32 / 1000.0).max(0.3);
        let (title, small) = ((30.0 * unit).max(LEAST_HEIGHT + 2.0), (21.0 * unit).max(LEAST_HEIGHT));
        Layout { margin: 34.0 * unit, title, small }
    }

    /// From the lower border to the title's baseline.
    fn upper(&self) -> f32 {
        self.margin + self.small * 1.45
    }
}

/// The part of a picture's height that its caption takes.
pub(super) fn share(width: u32, height: u32) -> f64 {
    let layout = Layout::new(width, height);
    f64::from((layout.upper() + layout.title) / height as f32).min(0.4)
}

/// Writes the caption along the lower border.
pub(super) fn write(canvas: &mut Canvas, view: &View, legend: &[(Arc<str>, Colour)], duration: f64, t: Option<f64>) {
    let Some(font) = font() else { return };
    let scheme = view.theme.scheme();
    let layout = Layout::new(canvas.width as u32, canvas.height as u32);
    let (title, small) = (Type::new(&font, layout.title), Type::new(&font, layout.small));
    let margin = layout.margin;
    let (lower, upper) = (canvas.height as f32 - margin, canvas.height as f32 - layout.upper());
    let clock = match t {
        Some(t) => format!("{t:.2} s"),
        None => format!("{} s", rounded(duration)),
    };
    let clock_width = small.width(&clock);
    let right = canvas.width as f32 - margin;
    small.write(canvas, &clock, right - clock_width, lower, linear(scheme.quiet_text));
    let room = right - margin - clock_width - margin;
    let shown = title.fitted(&view.title, right - margin);
    title.write(canvas, &shown, margin, upper, linear(scheme.text));
    write_legend(canvas, &small, layout.small, legend, (margin, lower), room, view.theme);
}

/// A dot and a name for each body, as many as there is room for.
fn write_legend(
    canvas: &mut Canvas,
    small: &Type,
    height: f32,
    legend: &[(Arc<str>, Colour)],
    (left, y): (f32, f32),
    room: f32,
    theme: Theme,
) {
    let colour = linear(theme.scheme().quiet_text);
    let mut x = left;
    for (k, (name, of_body)) in legend.iter().enumerate() {
        let more = format!("and {} more", legend.len() - k);
        let needed = height * 1.7 + small.width(name);
        let rest = if k + 1 < legend.len() { small.width(&more) } else { 0.0 };
        if k == MOST_NAMES || x + needed + rest > left + room {
            small.write(canvas, &more, x, y, colour);
            return;
        }
        // A rim in the colour of its lines keeps a pale dot visible.
        let (column, row) = (x + height * 0.3, y - height * 0.3);
        disc(canvas, column, row, height * 0.29, line_colour(*of_body, theme));
        disc(canvas, column, row, height * 0.24, *of_body);
        small.write(canvas, name, x + height * 0.78, y, colour);
        x += needed;
    }
}

fn disc(canvas: &mut Canvas, x: f32, y: f32, radius: f32, colour: Colour) {
    let range = |at: f32, size: usize| {
        ((at - radius - 1.0).max(0.0) as usize)..((at + radius + 2.0).clamp(0.0, size as f32) as usize)
    };
    for row in range(y, canvas.height) {
        for column in range(x, canvas.width) {
            let distance = ((column as f32 + 0.5 - x).powi(2) + (row as f32 + 0.5 - y).powi(2)).sqrt();
            let coverage = (radius + 0.5 - distance).clamp(0.0, 1.0);
            canvas.blend(row * canvas.width + column, colour, coverage);
        }
    }
}

/// Three digits, without zeros at the end.
fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
