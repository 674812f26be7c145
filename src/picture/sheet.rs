//! Many pictures on one sheet, in rows.

use super::colour::{Theme, encoded, linear};
use super::error::PictureError;
use super::image::Image;
use super::view::LARGEST;

/// Pixels between pictures.
const GAP: u32 = 10;

/// Pictures side by side, `columns` in a row; each cell has the size of the largest picture.
pub fn sheet(images: &[Image], columns: u32, theme: Theme) -> Result<Image, PictureError> {
    let columns = columns.clamp(1, images.len().max(1) as u32);
    let rows = (images.len() as u32).div_ceil(columns).max(1);
    let largest = |side: fn(&Image) -> u32| images.iter().map(side).max().unwrap_or(1);
    let (cell_width, cell_height) = (largest(Image::width), largest(Image::height));
    let side =
        |cells: u32, cell: u32| (u64::from(cells) * u64::from(cell + GAP) + u64::from(GAP)).min(u64::from(u32::MAX));
    let (width, height) = (side(columns, cell_width) as u32, side(rows, cell_height) as u32);
    // A long sheet is fine as long as it has no more pixels than the largest picture.
    if u64::from(width) * u64::from(height) > u64::from(LARGEST) * u64::from(LARGEST) {
        return Err(PictureError::Size { width, height, least: 1, most: LARGEST });
    }
    let scheme = theme.scheme();
    let border = linear(scheme.grid);
    let mut sheet = Image::new(width, height, [encoded(border.x), encoded(border.y), encoded(border.z)]);
    for (image, k) in images.iter().zip(0..) {
        let (column, row) = (k % columns, k / columns);
        let left = GAP + column * (cell_width + GAP) + (cell_width - image.width()) / 2;
        let top = GAP + row * (cell_height + GAP) + (cell_height - image.height()) / 2;
        sheet.paste(image, left, top);
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_in_rows_and_nothing_is_lost() {
        let images: Vec<Image> = (0..5).map(|k| Image::new(40, 30, [k * 10 + 5, 0, 0])).collect();
        let sheet = sheet(&images, 3, Theme::Light).unwrap();
        assert_eq!((sheet.width(), sheet.height()), (3 * 50 + 10, 2 * 40 + 10));
        assert_eq!(sheet.pixel(10, 10), [5, 0, 0]);
        assert_eq!(sheet.pixel(10 + 50 + 39, 10 + 40 + 29), [45, 0, 0]);
        let border = sheet.pixel(0, 0);
        assert_eq!(sheet.pixel(10 + 100, 10 + 40), border, "the last cell is empty");
    }

    #[test]
    fn empty_and_huge_sheets_do_not_panic() {
        assert!(sheet(&[], 3, Theme::Dark).is_ok());
        let images = vec![Image::new(1, 1, [0; 3]), Image::new(8192, 1, [0; 3]), Image::new(1, 8192, [0; 3])];
        assert!(matches!(sheet(&images, 3, Theme::Dark), Err(PictureError::Size { .. })));
    }
}
