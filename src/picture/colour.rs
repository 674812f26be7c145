//! The colours of pictures: themes, and one colour for each body. The editor uses the same.
//!
//! Colours are written as sRGB (`0xRRGGBB`) and mixed as light, so in linear numbers:
//!
//! ```text
//! linear = ((s + 0.055)/1.055)^2.4    (s/12.92 below 0.04045)                              (1)
//! ```

/// A colour as light: red, green and blue, linear, 0 to 1.
pub type Colour = nalgebra::Vector3<f32>;

/// Moving bodies take these in turn: told apart by lightness too, and of one family on either background.
pub const BODY_COLOURS: [u32; 10] = [
    0xE2533B, // vermilion
    0x2F7FC1, // blue
    0xF0A830, // amber
    0x2A9D8F, // teal
    0x8A63C7, // violet
    0xD65A93, // pink
    0x76A73F, // leaf
    0x4FB3D9, // sky
    0xB5703C, // copper
    0x5D6CC9, // indigo
];

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Paper.
    #[default]
    Light,
    /// Night.
    Dark,
}

/// What a theme is made of, as sRGB numbers and strengths from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// Behind everything, at the top of the picture.
    pub sky: u32,
    /// Behind everything, at the bottom.
    pub ground: u32,
    /// Floors near the motion.
    pub floor: u32,
    /// Lines on floors.
    pub grid: u32,
    /// Fixed bodies.
    pub fixed: u32,
    /// Words.
    pub text: u32,
    /// Lesser words.
    pub quiet_text: u32,
    /// Impact marks.
    pub mark: u32,
    /// Heads of nails.
    pub nail_mark: u32,
    /// Joints.
    pub steel: u32,
    /// Springs.
    pub coil: u32,
    /// Pushes and motors.
    pub drive: u32,
    /// Joints and springs of which there is something to tell.
    pub trouble: u32,
    /// How much of a floor's light the key light's shadow takes.
    pub shadow: f32,
    /// How much of it closeness takes.
    pub closeness: f32,
    /// How much of a path's colour is its body's, the rest being the text's.
    pub path_colour: f32,
    /// How strong glass is: light shines through more on dark ground.
    pub glass: f32,
}

const LIGHT: Scheme = Scheme {
    sky: 0xE4E9F0,
    ground: 0xF6F7F9,
    floor: 0xF7F8FA,
    grid: 0xC3CAD6,
    fixed: 0xC4C8D0,
    text: 0x262B36,
    quiet_text: 0x6D7482,
    mark: 0x2B303B,
    nail_mark: 0xD7263D,
    steel: 0x566070,
    coil: 0x85796B,
    drive: 0xB5622A,
    trouble: 0xC2185B,
    shadow: 0.42,
    closeness: 0.55,
    path_colour: 0.80,
    glass: 1.0,
};

const DARK: Scheme = Scheme {
    sky: 0x0E1116,
    ground: 0x1B2028,
    floor: 0x262C36,
    grid: 0x4A5464,
    fixed: 0x8B919C,
    text: 0xECEFF4,
    quiet_text: 0x98A1B0,
    mark: 0xF2F4F8,
    nail_mark: 0xFF5A6E,
    steel: 0xAEB8C6,
    coil: 0xC9BCA9,
    drive: 0xF0A366,
    trouble: 0xFF6FA8,
    shadow: 0.62,
    closeness: 0.75,
    path_colour: 0.85,
    glass: 0.5,
};

impl Theme {
    /// Its colours.
    pub fn scheme(self) -> &'static Scheme {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

/// Colours nearer to each other than this are taken for one.
const ALIKE: f32 = 0.2;

/// Words in names that say what colour a thing has.
const COLOUR_WORDS: [(&str, u32); 16] = [
    ("white", 0xEBDFCB),
    ("black", 0x3A3F4A),
    ("grey", 0x8D939E),
    ("gray", 0x8D939E),
    ("silver", 0xAEB4BE),
    ("brown", 0xA9683A),
    ("red", 0xD9432F),
    ("orange", 0xEE8332),
    ("yellow", 0xEDBE2F),
    ("gold", 0xD9A521),
    ("green", 0x4E9B47),
    ("blue", 0x2F7FC1),
    ("violet", 0x8A63C7),
    ("purple", 0x8A63C7),
    ("pink", 0xD65A93),
    ("cue", 0xEBDFCB),
];

/// The colour of the k-th moving body.
pub fn body_colour(k: u32) -> Colour {
    linear(BODY_COLOURS[k as usize % BODY_COLOURS.len()])
}

/// The colour a body's name speaks of ("brown egg"), or else that of the k-th moving body.
pub fn named_colour(name: &str, k: u32) -> Colour {
    spoken_colour(name).unwrap_or_else(|| body_colour(k))
}

/// Colours of moving bodies by their names, in order: those that names speak of, and for the others in turn what is unlike these.
pub fn body_colours<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Colour> {
    let spoken: Vec<Option<Colour>> = names.into_iter().map(spoken_colour).collect();
    let unlike = |colour: &Colour| spoken.iter().flatten().all(|other| difference(*colour, *other) > ALIKE);
    let all = BODY_COLOURS.map(linear);
    let mut free: Vec<Colour> = all.into_iter().filter(unlike).collect();
    // Where names have taken every colour, some come twice.
    if free.is_empty() {
        free = all.to_vec();
    }
    let mut others = free.into_iter().cycle();
    spoken.iter().map(|said| said.or_else(|| others.next()).unwrap_or_default()).collect()
}

/// The colour a name speaks of.
fn spoken_colour(name: &str) -> Option<Colour> {
    let words = name.split(|letter: char| !letter.is_alphabetic());
    let known = |word: &str| COLOUR_WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known));
    words.into_iter().find_map(known).map(|(_, srgb)| linear(*srgb))
}

/// How different two colours look: their distance in sRGB, from 0 to 1.7.
fn difference(a: Colour, b: Colour) -> f32 {
    let seen = |colour: Colour| colour.map(|light| f32::from(encoded(light)) / 255.0);
    (seen(a) - seen(b)).norm()
}

/// A colour for lines of a body: its own, as far from the background as lines must be.
pub fn line_colour(of_body: Colour, theme: Theme) -> Colour {
    let scheme = theme.scheme();
    let colour = mix(linear(scheme.text), of_body, scheme.path_colour);
    match theme {
        // Pale lines need the more contrast the less colour they have.
        Theme::Light => darkened(colour, 0.2 + 0.18 * saturation(colour)),
        Theme::Dark => {
            let missing = (0.16 - brightness(colour)).max(0.0);
            mix(colour, Colour::repeat(1.0), missing / (1.0 - brightness(colour)).max(0.5))
        }
    }
}

/// A colour for a body of glass: its own, unless it would vanish before the background.
pub fn glass_colour(of_body: Colour, theme: Theme) -> Colour {
    match theme {
        Theme::Light => darkened(of_body, 0.25 + 0.2 * saturation(of_body)),
        Theme::Dark => of_body,
    }
}

/// How much of an outline a solid body needs to stand out from the background: 0 for strong colours, towards 1 for those of the ground.
pub(super) fn outline(of_body: Colour, theme: Theme) -> f32 {
    let (ground, own) = (linear(theme.scheme().floor), of_body);
    (1.0 - difference(ground, own) / 0.4).clamp(0.0, 1.0)
}

/// At most this bright.
fn darkened(colour: Colour, most: f32) -> Colour {
    colour * (most / brightness(colour).max(1e-6)).min(1.0)
}

/// 0 for grey, 1 for a pure colour.
fn saturation(colour: Colour) -> f32 {
    let most = colour.max();
    if most > 0.0 { (1.0 - colour.min() / most).clamp(0.0, 1.0) } else { 0.0 }
}

/// How bright a colour looks, from 0 to 1.
fn brightness(colour: Colour) -> f32 {
    colour.dot(&Colour::new(0.2126, 0.7152, 0.0722))
}

/// (1)
pub fn linear(srgb: u32) -> Colour {
    let part = |shift: u32| {
        let s = ((srgb >> shift) & 0xFF) as f32 / 255.0;
        if s <= 0.040_45 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
    };
    Colour::new(part(16), part(8), part(0))
}

/// The inverse of (1), to a byte; what is brighter than white is white.
pub fn encoded(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let s = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (s * 255.0 + 0.5) as u8
}

/// From a to b.
pub(super) fn mix(a: Colour, b: Colour, part: f32) -> Colour {
    a + (b - a) * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_light_and_back() {
        for byte in 0..=255_u32 {
            let light = linear(byte << 16 | byte << 8 | byte);
            assert_eq!(u32::from(encoded(light.x)), byte);
            assert_eq!(light.x, light.z);
        }
        assert_eq!((encoded(-1.0), encoded(7.0), encoded(f32::NAN)), (0, 255, 0));
    }

    #[test]
    fn names_that_speak_of_colours_are_believed() {
        assert_eq!(named_colour("brown egg", 3), linear(0xA9683A));
        assert_eq!(named_colour("the RED one", 3), linear(0xD9432F));
        for other in ["redo", "bluebird", "egg 2", "", "Ωλ"] {
            assert_eq!(named_colour(other, 3), body_colour(3), "{other}");
        }
    }

    #[test]
    fn no_automatic_colour_is_like_one_that_a_name_speaks_of() {
        let others = ["ball", "box", "cup", "die", "egg", "hat"];
        for (word, srgb) in COLOUR_WORDS {
            let colours = body_colours([word, "blue ball"].into_iter().chain(others));
            assert_eq!(colours[..2], [linear(srgb), linear(0x2F7FC1)], "{word}");
            for (k, colour) in colours.iter().enumerate().skip(2) {
                let near = colours[..k].iter().map(|other| difference(*colour, *other)).fold(f32::INFINITY, f32::min);
                assert!(near > 0.15, "{word}: {} is {near} from another", others[k - 2]);
                let named = colours[..2].iter().map(|other| difference(*colour, *other)).fold(f32::INFINITY, f32::min);
                assert!(named > ALIKE, "{word}: {} is {named} from a named one", others[k - 2]);
            }
        }
        let many: Vec<&str> = COLOUR_WORDS.iter().map(|(word, _)| *word).chain(["a", "b"]).collect();
        assert_eq!(body_colours(many).len(), 18, "bodies have colours where all are taken");
        assert_eq!(body_colours(["a", "b"]), [body_colour(0), body_colour(1)]);
    }

    #[test]
    fn pale_bodies_have_dark_lines_and_an_outline() {
        let white = linear(0xEBDFCB);
        let ground = brightness(linear(Theme::Light.scheme().floor));
        let contrast = (ground + 0.05) / (brightness(line_colour(white, Theme::Light)) + 0.05);
        assert!(contrast > 3.0, "contrast {contrast}");
        assert!(outline(white, Theme::Light) > 0.3, "{}", outline(white, Theme::Light));
        assert!(BODY_COLOURS.iter().all(|srgb| outline(linear(*srgb), Theme::Light) == 0.0));
    }

    #[test]
    fn lines_stand_out_from_the_background() {
        for of_body in BODY_COLOURS.into_iter().chain(COLOUR_WORDS.map(|(_, srgb)| srgb)).map(linear) {
            for theme in [Theme::Light, Theme::Dark] {
                let ground = brightness(linear(theme.scheme().floor));
                let line = brightness(line_colour(of_body, theme));
                let (more, less) = (ground.max(line) + 0.05, ground.min(line) + 0.05);
                assert!(more / less > 2.0, "{theme:?}: contrast {} of {of_body}", more / less);
            }
        }
    }

    #[test]
    fn body_colours_are_told_apart_and_from_fixed_bodies() {
        let fixed = [Theme::Light, Theme::Dark].map(|theme| theme.scheme().fixed);
        let all: Vec<Colour> = BODY_COLOURS.into_iter().chain(fixed).map(linear).collect();
        for (k, a) in all.iter().enumerate() {
            for b in all[..k].iter().take(BODY_COLOURS.len()) {
                assert!((a - b).norm() > 0.1, "{a} and {b}");
            }
        }
    }
}
