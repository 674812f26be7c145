//! Words on a canvas.

use ab_glyph::{Font, FontRef, Glyph, PxScaleFont, ScaleFont, point};

use super::colour::Colour;
use super::draw::Canvas;

/// A font at one size.
pub(super) struct Type<'a> {
    font: PxScaleFont<&'a FontRef<'a>>,
}

/// The font of captions; `None` only if the data built into the program were broken.
pub(super) fn font() -> Option<FontRef<'static>> {
    FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok()
}

impl<'a> Type<'a> {
    /// Of a height in pixels.
    pub fn new(font: &'a FontRef<'a>, height: f32) -> Type<'a> {
        Type { font: font.into_scaled(height) }
    }

    /// Pixels a text takes across.
    pub fn width(&self, text: &str) -> f32 {
        self.glyphs(text, 0.0, 0.0).1
    }

    /// The longest beginning of a text that fits, with an ellipsis where it was cut.
    pub fn fitted(&self, text: &str, width: f32) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.width(&shorter) <= width {
                return shorter;
            }
        }
        String::new()
    }

    /// Writes from x on, on a baseline at y.
    pub fn write(&self, canvas: &mut Canvas, text: &str, x: f32, y: f32, colour: Colour) {
        for glyph in self.glyphs(text, x, y).0 {
            let Some(outline) = self.font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            let (width, height) = (canvas.width as i64, canvas.height as i64);
            outline.draw(|column, row, coverage| {
                let (px, py) = (corner.x as i64 + i64::from(column), corner.y as i64 + i64::from(row));
                if (0..width).contains(&px) && (0..height).contains(&py) {
                    canvas.blend((py * width + px) as usize, colour, coverage.clamp(0.0, 1.0));
                }
            });
        }
    }

    fn glyphs(&self, text: &str, x: f32, y: f32) -> (Vec<Glyph>, f32) {
        let (mut at, mut last, mut glyphs) = (x, None, Vec::new());
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            let mut glyph = self.font.scaled_glyph(letter);
            if let Some(last) = last {
                at += self.font.kern(last, glyph.id);
            }
            glyph.position = point(at, y);
            at += self.font.h_advance(glyph.id);
            last = Some(glyph.id);
            glyphs.push(glyph);
        }
        (glyphs, at - x)
    }
}
