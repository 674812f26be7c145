//! Animated GIF: one palette for the whole film, and of each frame only what changed.
//!
//! GIF shows at most 256 colours. One palette chosen from frames spread over the film (by NeuQuant) keeps still things from
//! flickering. Pixels that stay as they were are transparent, and each frame is cut to the rectangle that holds the others.

use std::io;
use std::path::Path;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::super::error::unwritten;
use super::super::{ExportError, Options, Progress, Summary};
use super::Film;
use crate::files::write_with;
use crate::picture::Image;

/// Colours besides "as it was".
const COLOURS: usize = 255;
const UNCHANGED: u8 = 255;
/// Frames the palette is chosen from.
const LOOKS: usize = 6;
/// 1 is best and slow, 30 is rough; 10 is what NeuQuant's author suggests for pictures.
const QUALITY: i32 = 10;
/// Most viewers slow down frames that are shorter, hundredths of a second.
const SHORTEST: u16 = 2;

/// How long a frame stays, in hundredths of a second.
pub fn delay(fps: f64) -> u16 {
    ((100.0 / fps).round() as u16).max(SHORTEST)
}

pub fn write(film: &Film, path: &Path, options: &Options, progress: Progress) -> Result<Summary, ExportError> {
    let palette = Palette::new(film);
    let [width, height] = options.size;
    let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let frames = film.times.len();
    let delay = delay(options.fps);
    write_with(path, |file| {
        let mut encoder =
            Encoder::new(io::BufWriter::new(file), side(width), side(height), &palette.bytes).map_err(of_system)?;
        encoder.set_repeat(Repeat::Infinite).map_err(of_system)?;
        let mut shown: Option<Vec<u8>> = None;
        for image in film.frames(progress) {
            let indices = palette.indices(&image?);
            let frame = changed(shown.as_deref(), &indices, width as usize, delay);
            encoder.write_frame(&frame).map_err(of_system)?;
            shown = Some(indices);
        }
        let mut writer = encoder.into_inner().map_err(of_system)?;
        io::Write::flush(&mut writer)
    })
    .map_err(|fault| unwritten(path, fault))?;
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    Ok(Summary { files: vec![(path.to_owned(), bytes)], keys: frames })
}

/// The system's own error where it was one, so that a full disk is told as such.
fn of_system(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The colours of a film, and for every colour of five bits a part the nearest of them.
struct Palette {
    bytes: Vec<u8>,
    nearest: Vec<u8>,
}

impl Palette {
    fn new(film: &Film) -> Palette {
        let last = film.times.len() - 1;
        let spread = (0..LOOKS).map(|k| film.times[last * k / (LOOKS - 1)]);
        let mut pixels = Vec::new();
        for t in spread {
            pixels.extend(film.studio.at(t).rgb().chunks_exact(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 255]));
        }
        let network = NeuQuant::new(QUALITY, COLOURS, &pixels);
        let middle = |five: usize| ((five << 3) | 4) as u8;
        let of_code = |code: usize| [middle(code >> 10), middle(code >> 5 & 31), middle(code & 31), 255];
        let nearest = (0..1 << 15).map(|code| network.index_of(&of_code(code)) as u8).collect();
        let mut bytes = network.color_map_rgb();
        bytes.truncate(3 * COLOURS);
        Palette { bytes, nearest }
    }

    fn indices(&self, image: &Image) -> Vec<u8> {
        let code =
            |rgb: &[u8]| (usize::from(rgb[0]) >> 3) << 10 | (usize::from(rgb[1]) >> 3) << 5 | usize::from(rgb[2]) >> 3;
        image.rgb().chunks_exact(3).map(|rgb| self.nearest[code(rgb)]).collect()
    }
}

/// A frame of what differs from the one shown.
fn changed<'a>(shown: Option<&[u8]>, indices: &[u8], width: usize, delay: u16) -> Frame<'a> {
    let differs = |place: usize| shown.is_none_or(|shown| shown[place] != indices[place]);
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for place in (0..indices.len()).filter(|place| differs(*place)) {
        let (x, y) = (place % width, place / width);
        (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
    }
    if left == usize::MAX {
        // Nothing moved; a frame still takes its time.
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    let row = |y: usize| (left..=right).map(move |x| y * width + x);
    let pixels = (top..=bottom).flat_map(row).map(|place| if differs(place) { indices[place] } else { UNCHANGED });
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: pixels.collect::<Vec<u8>>().into(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_stay_for_whole_hundredths() {
        assert_eq!([10.0, 25.0, 30.0, 60.0, 1000.0].map(delay), [10, 4, 3, 2, 2]);
    }

    #[test]
    fn only_what_changed_is_kept() {
        let before = vec![7; 12];
        let mut after = before.clone();
        (after[5], after[10]) = (1, 2);
        let frame = changed(Some(&before), &after, 4, 4);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (1, 1, 2, 2));
        assert_eq!(*frame.buffer, [1, UNCHANGED, UNCHANGED, 2]);
        let still = changed(Some(&after), &after, 4, 4);
        assert_eq!((still.width, still.height, still.buffer[0]), (1, 1, UNCHANGED));
        let first = changed(None, &after, 4, 4);
        assert_eq!((first.width, first.height), (4, 3));
        assert_eq!(*first.buffer, *after);
    }
}
