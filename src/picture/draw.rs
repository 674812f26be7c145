//! From a stage to light on a canvas, pass by pass.
//!
//! ```text
//! solid bodies ──▶ samples ──▶ fragments ──▶ closeness ──▶ colours ─┐
//! glass bodies ──▶ samples ──▶ one layer each, sorted by depth ─────┼─▶ canvas ──▶ lines ──▶ words
//! floors and background ────────────────────────────────────────────┘
//! ```
//!
//! A glass body is one layer: only its nearest surface at each sample counts, so that its far side and its seams do not
//! show, and layers of different bodies are laid over each other from far to near at each pixel.

use rayon::prelude::*;

use super::camera::Camera;
use super::colour::{Colour, Theme, encoded, mix};
use super::image::Image;
use super::light::Neighbours;
use super::raster::{BAND, Lens, NOTHING, SAMPLES, Samples, Scenery, middle_of};
use super::shade::Shader;
use super::stage::{Point, Stage};

/// How far closeness looks, as a part of the picture's radius.
const CLOSE: f32 = 0.07;

/// Light on a grid of pixels, and how near the solid bodies are.
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    pub colours: Vec<Colour>,
    /// 1/z of the nearest solid body; 0 where there is none.
    pub nearness: Vec<f32>,
    pub lens: Lens,
}

/// What solid bodies cover of a band: for each pixel a run of facets with the samples they own.
struct Fragments {
    starts: Vec<u32>,
    list: Vec<(u32, u8)>,
    samples: Samples,
}

/// By how much nearer glass must be than a solid body to be seen before it: a body that slid along its own surface, or hardly moved,
/// would else show through itself in specks.
const AHEAD: f32 = 1.001;

/// One glass body at one pixel.
struct Layer {
    pixel: u32,
    nearness: f32,
    colour: Colour,
    opacity: f32,
}

impl Canvas {
    /// Draws bodies, glass, floors and background.
    pub fn new(stage: &Stage, camera: &Camera, up: Point, theme: Theme, width: u32, height: u32) -> Canvas {
        let lens = Lens::new(camera, stage, width, height);
        let shader = Shader::new(stage, &lens, up, theme.scheme());
        let solid = Scenery::new(stage, &lens, width, height, |opacity| opacity >= 1.0);
        let glass = Scenery::new(stage, &lens, width, height, |opacity| opacity < 1.0);
        let (width, height) = (width as usize, height as usize);
        let bands: Vec<Fragments> =
            (0..solid.bands.len()).into_par_iter().map(|band| fragments(&solid, band)).collect();
        let nearness: Vec<f32> = bands.iter().flat_map(Fragments::nearest).collect();
        let reach = CLOSE * stage.radius;
        let looks = Neighbours { nearness: &nearness, scenery: &solid, lens: &lens, reach };
        let hidden: Vec<f32> = bands.par_iter().flat_map_iter(|band| hidden(&looks, band)).collect();
        let shade = |band: Fragments| shade_band(&shader, &solid, &glass, band, &hidden, &nearness);
        let colours: Vec<Colour> = bands.into_par_iter().flat_map_iter(shade).collect();
        Canvas { width, height, colours, nearness, lens }
    }

    /// Lays a colour over a pixel.
    pub fn blend(&mut self, pixel: usize, colour: Colour, opacity: f32) {
        let under = self.colours[pixel];
        self.colours[pixel] = mix(under, colour, opacity);
    }

    /// As bytes.
    pub fn finish(self) -> Image {
        // Encoding by powers is slow; 16384 steps are finer than a byte's everywhere but in the deepest black.
        const STEPS: usize = 16384;
        let table: Vec<u8> = (0..=STEPS).map(|k| encoded(k as f32 / STEPS as f32)).collect();
        let byte = |light: f32| table[(light.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize];
        let bytes = self.colours.iter().flat_map(|c| [byte(c.x), byte(c.y), byte(c.z)]).collect();
        Image::from_bytes(self.width as u32, self.height as u32, bytes)
    }
}

impl Fragments {
    fn of(&self, pixel: usize) -> &[(u32, u8)] {
        &self.list[self.starts[pixel] as usize..self.starts[pixel + 1] as usize]
    }

    /// The nearest of each pixel's samples.
    fn nearest(&self) -> impl Iterator<Item = f32> + '_ {
        self.samples.nearness.iter().map(|samples| samples.iter().fold(0.0, |a: f32, b| a.max(*b)))
    }
}

fn fragments(scenery: &Scenery, band: usize) -> Fragments {
    let mut samples = Samples::new(scenery.width, scenery.height, band);
    samples.draw(scenery, &scenery.bands[band]);
    let (mut starts, mut list) = (Vec::with_capacity(samples.facet.len() + 1), Vec::new());
    for facets in &samples.facet {
        starts.push(list.len() as u32);
        each_facet(facets, |facet, mask| list.push((facet, mask)));
    }
    starts.push(list.len() as u32);
    Fragments { starts, list, samples }
}

/// The different facets among a pixel's samples, with a mask of the samples of each.
fn each_facet(facets: &[u32; SAMPLES], mut each: impl FnMut(u32, u8)) {
    let mut rest = 0_u8;
    for (s, &facet) in facets.iter().enumerate() {
        if facet == NOTHING || rest >> s & 1 == 1 {
            continue;
        }
        let mask = (s..SAMPLES).filter(|&k| facets[k] == facet).fold(0_u8, |mask, k| mask | 1 << k);
        rest |= mask;
        each(facet, mask);
    }
}

/// How much of the sky each pixel of a band lacks.
fn hidden(looks: &Neighbours, band: &Fragments) -> Vec<f32> {
    let width = looks.scenery.width;
    let of = |pixel: usize| {
        let Some((facet, mask)) = band.of(pixel).iter().max_by_key(|(_, mask)| mask.count_ones()) else { return 0.0 };
        let (x, y) = (pixel % width, band.samples.top + pixel / width);
        let (dx, dy) = middle_of(*mask);
        let (point, normal, _) = looks.scenery.interpolate(*facet, x as f32 + dx, y as f32 + dy);
        looks.hidden(x, y, &point, &normal.normalize())
    };
    (0..width * band.samples.rows).map(of).collect()
}

fn shade_band(
    shader: &Shader,
    solid: &Scenery,
    glass: &Scenery,
    band: Fragments,
    hidden: &[f32],
    nearness: &[f32],
) -> Vec<Colour> {
    let width = solid.width;
    let first = band.samples.top * width;
    let shade = |pixel: usize| {
        let (x, y) = ((pixel % width) as f32, (band.samples.top + pixel / width) as f32);
        let (mut colour, mut covered) = (Colour::zeros(), 0.0);
        let fragments = band.of(pixel);
        let dim = if fragments.is_empty() { 0.0 } else { smooth_hidden(hidden, nearness, width, first + pixel) };
        for (facet, mask) in fragments {
            let (dx, dy) = middle_of(*mask);
            if let Some(light) = shader.body(solid, *facet, x + dx, y + dy, dim) {
                let part = mask.count_ones() as f32 / SAMPLES as f32;
                colour += light * part;
                covered += part;
            }
        }
        if covered < 0.999 {
            colour += shader.backdrop(x + 0.5, y + 0.5) * (1.0 - covered);
        }
        colour
    };
    let mut colours: Vec<Colour> = (0..width * band.samples.rows).map(shade).collect();
    for layer in layers(shader, glass, &band.samples) {
        let under = &mut colours[layer.pixel as usize];
        *under = mix(*under, layer.colour, layer.opacity);
    }
    colours
}

/// The mean over four by four pixels of the same surface, which is the period of the pattern of looks.
fn smooth_hidden(hidden: &[f32], nearness: &[f32], width: usize, pixel: usize) -> f32 {
    let (x, y) = (pixel % width, pixel / width);
    let here = nearness[pixel];
    let (mut sum, mut count) = (0.0, 0.0_f32);
    for row in y.saturating_sub(2)..(y + 2).min(hidden.len() / width) {
        for column in x.saturating_sub(2)..(x + 2).min(width) {
            let there = row * width + column;
            if (nearness[there] - here).abs() < 0.02 * here {
                sum += hidden[there];
                count += 1.0;
            }
        }
    }
    sum / count.max(1.0)
}

/// Glass in a band, each body one layer, from far to near at each pixel.
fn layers(shader: &Shader, glass: &Scenery, solid: &Samples) -> Vec<Layer> {
    let facets = &glass.bands[solid.top / BAND];
    let mut layers = Vec::new();
    if facets.is_empty() {
        return layers;
    }
    let mut samples = Samples::new(glass.width, glass.height, solid.top / BAND);
    let instance = |index: &u32| glass.facets[*index as usize].instance;
    for body in facets.chunk_by(|a, b| instance(a) == instance(b)) {
        let part = samples.draw(glass, body);
        for y in part.top..part.bottom {
            for x in part.left..part.right {
                let pixel = (y - solid.top) * glass.width + x;
                layers.extend(layer(shader, glass, &samples, solid, pixel, (x as f32, y as f32)));
            }
        }
        samples.clear(part);
    }
    layers.sort_by(|a, b| a.pixel.cmp(&b.pixel).then(a.nearness.total_cmp(&b.nearness)));
    layers
}

/// What one glass body adds to a pixel: the mean over its samples that no solid body hides.
fn layer(
    shader: &Shader,
    glass: &Scenery,
    samples: &Samples,
    solid: &Samples,
    pixel: usize,
    corner: (f32, f32),
) -> Option<Layer> {
    let mut facets = samples.facet[pixel];
    let (near, solid) = (&samples.nearness[pixel], &solid.nearness[pixel]);
    for s in 0..SAMPLES {
        if near[s] < solid[s] * AHEAD {
            facets[s] = NOTHING;
        }
    }
    let (mut colour, mut opacity) = (Colour::zeros(), 0.0);
    each_facet(&facets, |facet, mask| {
        let (dx, dy) = middle_of(mask);
        if let Some((light, hides)) = shader.glass(glass, facet, corner.0 + dx, corner.1 + dy) {
            let part = hides * mask.count_ones() as f32 / SAMPLES as f32;
            colour += light * part;
            opacity += part;
        }
    });
    let nearness = near.iter().fold(0.0, |a: f32, b| a.max(*b));
    (opacity > 0.0).then(|| Layer { pixel: pixel as u32, nearness, colour: colour / opacity, opacity })
}
