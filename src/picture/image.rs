//! A finished picture: bytes of red, green and blue, and writing them to a file.

use std::path::Path;

use super::error::PictureError;
use crate::files::write_whole;

/// Rows of pixels from the top, three bytes each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

impl Image {
    /// One colour everywhere.
    pub fn new(width: u32, height: u32, colour: [u8; 3]) -> Image {
        Image { width, height, bytes: colour.repeat(width as usize * height as usize) }
    }

    pub(super) fn from_bytes(width: u32, height: u32, bytes: Vec<u8>) -> Image {
        debug_assert_eq!(bytes.len(), 3 * width as usize * height as usize);
        Image { width, height, bytes }
    }

    /// Pixels across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Three bytes a pixel, row by row from the top left.
    pub fn rgb(&self) -> &[u8] {
        &self.bytes
    }

    /// One pixel; black outside.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y as usize * self.width as usize + x as usize);
        if x >= self.width { [0; 3] } else { self.bytes.get(at..at + 3).map_or([0; 3], |p| [p[0], p[1], p[2]]) }
    }

    /// Copies another picture into this one; what reaches beyond the border is cut off.
    pub fn paste(&mut self, other: &Image, left: u32, top: u32) {
        let columns = other.width.min(self.width.saturating_sub(left)) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(top)) {
            let to = 3 * ((top + row) as usize * self.width as usize + left as usize);
            let from = 3 * row as usize * other.width as usize;
            self.bytes[to..to + 3 * columns].copy_from_slice(&other.bytes[from..from + 3 * columns]);
        }
    }

    /// The picture as a PNG file's bytes.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        encoder.write_header()?.write_image_data(&self.bytes)?;
        Ok(bytes)
    }

    /// Writes a PNG file. Nothing is written over until the new file is complete.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), PictureError> {
        let path = path.as_ref();
        let bytes = self.png()?;
        let fail = |fault| PictureError::Unwritable { path: path.display().to_string(), fault };
        write_whole(path, &bytes).map_err(fail)
    }
}
