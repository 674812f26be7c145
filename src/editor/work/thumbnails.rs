//! Small pictures of the examples, drawn one after the other in a thread of their own, once the window stands.

use std::sync::mpsc::{Receiver, channel};

use eframe::egui::{self, ColorImage, TextureHandle, TextureOptions};

use super::examples::EXAMPLES;
use crate::model::Model;
use crate::picture::{self, Theme, View};
use crate::scene::Scene;
use crate::simulation::simulate;

/// Pixels: twice the points of a card.
const SIZE: [u32; 2] = [496, 256];

/// Frames of the window before the first picture is begun.
const FIRST_FRAMES: u64 = 4;

/// The pictures that are there so far, in one theme.
#[derive(Default)]
pub struct Thumbnails {
    dark: Option<bool>,
    coming: Option<Receiver<(usize, ColorImage)>>,
    textures: Vec<Option<TextureHandle>>,
}

impl Thumbnails {
    /// The pictures for a theme; those of another theme are drawn anew. While the window takes its first frames nothing else should
    /// keep the machine busy.
    pub fn of(&mut self, ctx: &egui::Context, dark: bool) -> &[Option<TextureHandle>] {
        if ctx.cumulative_frame_nr() < FIRST_FRAMES {
            ctx.request_repaint();
        } else if self.dark != Some(dark) {
            self.dark = Some(dark);
            self.textures = vec![None; EXAMPLES.len()];
            self.coming = Some(draw(ctx, dark));
        }
        for (index, image) in self.coming.iter().flat_map(|coming| coming.try_iter()) {
            let texture = ctx.load_texture(EXAMPLES[index].name, image, TextureOptions::LINEAR);
            self.textures[index] = Some(texture);
        }
        &self.textures
    }
}

fn draw(ctx: &egui::Context, dark: bool) -> Receiver<(usize, ColorImage)> {
    let (sender, receiver) = channel();
    let ctx = ctx.clone();
    std::thread::spawn(move || {
        for index in 0..EXAMPLES.len() {
            let Some(image) = one(index, dark) else { continue };
            if sender.send((index, image)).is_err() {
                return;
            }
            ctx.request_repaint();
        }
    });
    receiver
}

/// One picture; an example that cannot be drawn keeps its plain card.
fn one(index: usize, dark: bool) -> Option<ColorImage> {
    let example = &EXAMPLES[index];
    let scene = Scene::parse(example.text, example.name).ok()?;
    let model = Model::new(&scene).ok()?;
    let trajectory = simulate(&model, &model.control());
    let theme = if dark { Theme::Dark } else { Theme::Light };
    let view = View { width: SIZE[0], height: SIZE[1], theme, caption: false, ..View::default() };
    let image = picture::render(&trajectory, &view).ok()?;
    Some(ColorImage::from_rgb([SIZE[0] as usize, SIZE[1] as usize], image.rgb()))
}
