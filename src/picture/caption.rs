//! The words under a picture: the title, who is who, and how long it takes.
//!
//! ```text
//! title
//! ● name  ● name  ● name  ● name
//! ● name  ● name  and 4 more                time
//! ```

use std::sync::Arc;

use super::colour::{Colour, Theme, line_colour, linear};
use super::draw::Canvas;
use super::shade::smoothstep;
use super::text::{Type, font};
use super::view::View;

/// Letters smaller than this are not read, pixels.
const LEAST_HEIGHT: f32 = 11.0;
/// A picture has a line of names for every so many pixels of its height, and at most three.
const LINE_EVERY: u32 = 250;
const MOST_LINES: u32 = 3;
/// From one line of names to the next, in heights of letters.
const LEADING: f32 = 1.4;
/// How much of what lies under words is hidden.
const BACKING: f32 = 0.72;

/// Words in their places, for a picture of one size.
#[derive(Clone, Debug, Default)]
pub(super) struct Caption {
    width: f32,
    height: f32,
    margin: f32,
    /// Heights of letters, pixels.
    title_height: f32,
    small: f32,
    title: String,
    names: Vec<Name>,
    /// How long the motion takes.
    duration: String,
    /// Left, top, right and bottom of what is written, pixels.
    boxes: Vec<[f32; 4]>,
}

/// A name, or a word about those that have no room.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    colour: Option<Colour>,
    x: f32,
    /// Of its baseline.
    y: f32,
}

impl Caption {
    pub fn new(view: &View, legend: &[(Arc<str>, Colour)], duration: f64) -> Caption {
        let Some(font) = font() else { return Caption::default() };
        let unit = (view.height.min(view.width * 5 / 8) as f32 / 1000.0).max(0.3);
        let (title_height, small_height) = ((30.0 * unit).max(LEAST_HEIGHT + 2.0), (21.0 * unit).max(LEAST_HEIGHT));
        let (large, small) = (Type::new(&font, title_height), Type::new(&font, small_height));
        let (width, height, margin) = (view.width as f32, view.height as f32, 34.0 * unit);
        let duration = format!("{} s", rounded(duration));
        let clock = small.width(&duration).max(small.width("0.00 s"));
        let lines = (view.height / LINE_EVERY).clamp(1, MOST_LINES);
        let mut names = set_names(&small, small_height, legend, width - 3.0 * margin - clock, lines);
        // The lines were counted from the first; the last one stands on the lower margin.
        let last = names.last().map_or(0.0, |name| name.y);
        for name in &mut names {
            name.x += margin;
            name.y += height - margin - last;
        }
        let title = large.fitted(&view.title, width - 2.0 * margin);
        let mut caption = Caption {
            width,
            height,
            margin,
            title_height,
            small: small_height,
            title,
            names,
            duration,
            boxes: Vec::new(),
        };
        let line = |left: f32, right: f32, y: f32, letters: f32| {
            (right > left).then_some([left, y - 0.85 * letters, right, y + 0.3 * letters])
        };
        let upper = line(margin, margin + large.width(&caption.title), caption.title_baseline(), title_height);
        let time = line(width - margin - clock, width - margin, height - margin, small_height);
        let names = caption.names.chunk_by(|a, b| a.y == b.y).filter_map(|names| {
            let last = names.last()?;
            line(margin, last.x + small_height * 0.78 + small.width(&last.text), last.y, small_height)
        });
        caption.boxes = names.chain(upper).chain(time).collect();
        caption
    }

    /// The boxes with words and some air around them: left, top, right, bottom, as parts of the width and height.
    pub fn words(&self) -> Vec<[f64; 4]> {
        let air = 0.5 * self.small;
        let share = |[left, top, right, bottom]: &[f32; 4]| {
            let across = [left - air, right + air].map(|x| f64::from(x / self.width));
            let down = [top - air, bottom + self.height].map(|y| f64::from(y / self.height));
            [across[0], down[0], across[1], down[1]]
        };
        self.boxes.iter().map(share).collect()
    }

    /// The part of a picture's height that it takes.
    pub fn share(&self) -> f64 {
        let top = self.title_baseline() - self.title_height;
        f64::from(1.0 - top / self.height.max(1.0)).clamp(0.0, 0.4)
    }

    /// Writes it along the lower border; for an instant with its time.
    pub fn write(&self, canvas: &mut Canvas, theme: Theme, t: Option<f64>) {
        let Some(font) = font() else { return };
        let (large, small) = (Type::new(&font, self.title_height), Type::new(&font, self.small));
        let scheme = theme.scheme();
        self.boxes.iter().for_each(|place| back(canvas, *place, self.small, linear(scheme.ground)));
        let clock = t.map_or_else(|| self.duration.clone(), |t| format!("{t:.2} s"));
        let quiet = linear(scheme.quiet_text);
        small.write(canvas, &clock, self.width - self.margin - small.width(&clock), self.height - self.margin, quiet);
        large.write(canvas, &self.title, self.margin, self.title_baseline(), linear(scheme.text));
        for name in &self.names {
            let Some(colour) = name.colour else {
                small.write(canvas, &name.text, name.x, name.y, quiet);
                continue;
            };
            // A rim in the colour of its lines keeps a pale dot visible.
            let (column, row) = (name.x + self.small * 0.3, name.y - self.small * 0.3);
            disc(canvas, column, row, self.small * 0.31, line_colour(colour, theme));
            disc(canvas, column, row, self.small * 0.23, colour);
            small.write(canvas, &name.text, name.x + self.small * 0.78, name.y, quiet);
        }
    }

    fn title_baseline(&self) -> f32 {
        let first = self.names.first().map_or(self.height - self.margin, |name| name.y);
        first - self.small * 1.45
    }
}

/// Names side by side in as many lines as there may be; the rest is counted. Places are from the left end of the first line.
fn set_names(small: &Type, letters: f32, legend: &[(Arc<str>, Colour)], room: f32, lines: u32) -> Vec<Name> {
    let mut names = Vec::new();
    let (mut x, mut line) = (0.0, 1);
    for (k, (name, colour)) in legend.iter().enumerate() {
        let text = small.fitted(name, room - letters * 1.7);
        let needed = letters * 1.7 + small.width(&text);
        let more = format!("and {} more", legend.len() - k);
        // On the last line there must be room to say what follows.
        let rest = if line == lines && k + 1 < legend.len() { small.width(&more) } else { 0.0 };
        if x > 0.0 && x + needed + rest > room {
            if line == lines {
                names.push(Name { text: more, colour: None, x, y: LEADING * letters * (line - 1) as f32 });
                break;
            }
            (x, line) = (0.0, line + 1);
        }
        names.push(Name { text, colour: Some(*colour), x, y: LEADING * letters * (line - 1) as f32 });
        x += needed;
    }
    names
}

/// Lets what lies under words fade into the background, softly towards its borders.
fn back(canvas: &mut Canvas, [left, top, right, bottom]: [f32; 4], soft: f32, colour: Colour) {
    let range = |low: f32, high: f32, size: usize| {
        ((low - soft).max(0.0) as usize)..((high + soft).clamp(0.0, size as f32) as usize)
    };
    for row in range(top, bottom, canvas.height) {
        for column in range(left, right, canvas.width) {
            let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
            let outside = [left - x, x - right, top - y, y - bottom].map(|way| way.max(0.0));
            let away = (outside[0] + outside[1]).hypot(outside[2] + outside[3]) / soft;
            canvas.blend(row * canvas.width + column, colour, BACKING * (1.0 - smoothstep(0.0, 1.0, away)));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(width: u32, height: u32, bodies: usize) -> Caption {
        let legend: Vec<(Arc<str>, Colour)> =
            (0..bodies).map(|k| (format!("domino {k}").into(), Colour::repeat(0.5))).collect();
        Caption::new(&View { width, height, title: "A row".to_owned(), ..View::default() }, &legend, 2.0)
    }

    fn lines(caption: &Caption) -> usize {
        caption.names.chunk_by(|a, b| a.y == b.y).count()
    }

    #[test]
    fn names_take_more_lines_where_there_is_room() {
        for (width, height, bodies, expected) in
            [(1200, 750, 3, 1), (1200, 750, 20, 2), (1200, 750, 300, 3), (640, 400, 20, 1), (640, 500, 20, 2)]
        {
            let caption = caption(width, height, bodies);
            assert_eq!(lines(&caption), expected, "{bodies} names in {width}x{height}");
            let last = &caption.names.last().unwrap().text;
            assert_eq!(
                last.ends_with("more"),
                caption.names.len() <= bodies && bodies != caption.names.len(),
                "{last}"
            );
        }
        assert_eq!(caption(1200, 750, 20).names.len(), 20, "all are named");
    }

    #[test]
    fn words_lie_inside_the_picture_and_within_the_share_they_take() {
        for (width, height) in [(1600, 1000), (1200, 750), (380, 220), (640, 400)] {
            for bodies in [0, 1, 9, 100] {
                let caption = caption(width, height, bodies);
                for [left, top, right, bottom] in &caption.boxes {
                    assert!(*left >= 0.0 && *right <= width as f32 && *bottom <= height as f32, "{width}x{height}");
                    assert!(
                        f64::from(1.0 - top / height as f32) <= caption.share(),
                        "{width}x{height}, {bodies} names"
                    );
                }
            }
        }
    }
}
