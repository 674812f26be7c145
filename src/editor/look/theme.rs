//! Every colour and size of the window, for dark and for light; also those of bodies, paths, the motion before a drag, and marks.
//!
//! Panels take what they need from here, so that one file decides how things look. Colours of the 3D view are kept
//! gamma-encoded as egui's are; the shader decodes them before it lights anything.

use eframe::egui::{self, Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Visuals};

use crate::picture;

/// Width of the panel at the right, points.
pub const INSPECTOR_WIDTH: f32 = 352.0;
/// Narrowest and widest that panel can be made, points: three numbers and a name stand side by side.
pub const INSPECTOR_WIDTHS: [f32; 2] = [316.0, 480.0];
/// Height of the time line with its buttons, points.
pub const TIME_LINE_HEIGHT: f32 = 92.0;
/// Height of the ruler with its marks, points.
pub const RULER_HEIGHT: f32 = 46.0;
/// Smallest window that still works, points.
pub const LEAST_WINDOW: [f32; 2] = [720.0, 480.0];
/// Window of a first start, points.
pub const FIRST_WINDOW: [f32; 2] = [1280.0, 800.0];
/// How near a path or handle must be to be picked, points.
pub const PICK_DISTANCE: f32 = 10.0;
/// How far the pointer must travel before a press is a drag, points.
pub const DRAG_DISTANCE: f32 = 4.0;
/// Width of a path of a centre of mass, points.
pub const PATH_WIDTH: f32 = 2.0;
/// Width of a path of a surface point, points.
pub const POINT_PATH_WIDTH: f32 = 1.0;

/// The colours of one theme.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// The colour of what is selected, active, or asks for attention kindly.
    pub accent: Color32,
    /// Impacts.
    pub impact: Color32,
    /// Lesser events: holding, slipping, parting, coming to rest.
    pub event: Color32,
    /// Nails that hold.
    pub nail: Color32,
    /// What went wrong, and nails that do not hold.
    pub wrong: Color32,
    /// What went right.
    pub right: Color32,
    /// What asks for care.
    pub warning: Color32,
    /// Arrows of spin.
    pub spin: Color32,
    /// The wish of a drag.
    pub wish: Color32,
    /// The motion before a drag.
    pub before: Color32,
    /// Labels over the 3D view.
    pub label: Color32,
    /// Behind labels over the 3D view.
    pub label_back: Color32,
    /// Behind the ruler.
    pub ruler: Color32,
    /// Quiet text.
    pub quiet: Color32,
    /// Sky above and below the horizon.
    pub sky: [Color32; 2],
    /// The ground.
    pub ground: Color32,
    /// Its lines.
    pub grid: Color32,
}

const DARK: Palette = Palette {
    accent: Color32::from_rgb(255, 176, 66),
    impact: Color32::from_rgb(255, 106, 92),
    event: Color32::from_rgb(150, 160, 176),
    nail: Color32::from_rgb(94, 208, 148),
    wrong: Color32::from_rgb(255, 110, 100),
    right: Color32::from_rgb(94, 208, 148),
    warning: Color32::from_rgb(255, 196, 92),
    spin: Color32::from_rgb(130, 190, 255),
    wish: Color32::from_rgb(255, 224, 150),
    before: Color32::from_rgb(128, 138, 156),
    label: Color32::from_rgb(232, 236, 242),
    label_back: Color32::from_rgba_premultiplied(12, 14, 18, 214),
    ruler: Color32::from_rgb(21, 23, 28),
    quiet: Color32::from_rgb(146, 154, 168),
    sky: [Color32::from_rgb(33, 37, 46), Color32::from_rgb(58, 64, 76)],
    ground: Color32::from_rgb(74, 79, 90),
    grid: Color32::from_rgb(104, 111, 125),
};

const LIGHT: Palette = Palette {
    accent: Color32::from_rgb(186, 96, 0),
    impact: Color32::from_rgb(200, 44, 36),
    event: Color32::from_rgb(104, 112, 126),
    nail: Color32::from_rgb(14, 126, 72),
    wrong: Color32::from_rgb(186, 32, 28),
    right: Color32::from_rgb(14, 126, 72),
    warning: Color32::from_rgb(150, 92, 0),
    spin: Color32::from_rgb(24, 100, 190),
    wish: Color32::from_rgb(150, 70, 0),
    before: Color32::from_rgb(120, 128, 142),
    label: Color32::from_rgb(26, 30, 38),
    label_back: Color32::from_rgba_premultiplied(230, 232, 236, 230),
    ruler: Color32::from_rgb(228, 231, 236),
    quiet: Color32::from_rgb(88, 96, 110),
    sky: [Color32::from_rgb(214, 221, 232), Color32::from_rgb(240, 243, 247)],
    ground: Color32::from_rgb(214, 217, 222),
    grid: Color32::from_rgb(176, 182, 192),
};

/// Colours of bodies by their place among those that move, told apart in both themes.
const BODIES: [[Color32; 2]; 8] = [
    [Color32::from_rgb(246, 178, 74), Color32::from_rgb(204, 122, 8)],
    [Color32::from_rgb(96, 170, 250), Color32::from_rgb(28, 104, 196)],
    [Color32::from_rgb(116, 208, 140), Color32::from_rgb(22, 136, 66)],
    [Color32::from_rgb(240, 130, 160), Color32::from_rgb(192, 50, 98)],
    [Color32::from_rgb(178, 148, 250), Color32::from_rgb(108, 72, 200)],
    [Color32::from_rgb(84, 206, 206), Color32::from_rgb(0, 128, 136)],
    [Color32::from_rgb(238, 142, 96), Color32::from_rgb(184, 76, 26)],
    [Color32::from_rgb(206, 206, 110), Color32::from_rgb(124, 122, 10)],
];
const FIXED: [Color32; 2] = [Color32::from_rgb(138, 146, 160), Color32::from_rgb(150, 157, 170)];

/// The colours of a theme.
pub fn palette(dark: bool) -> &'static Palette {
    if dark { &DARK } else { &LIGHT }
}

/// The colour of a body: the one its name speaks of ("brown egg"), or by its order among those that move.
pub fn body_color(dark: bool, fixed: bool, order: usize, name: &str) -> Color32 {
    let pair = if fixed { FIXED } else { BODIES[order % BODIES.len()] };
    spoken(name).map_or(pair[usize::from(!dark)], color32)
}

/// The same for lines, which must stand out from the background.
pub fn line_color(dark: bool, fixed: bool, order: usize, name: &str) -> Color32 {
    let theme = if dark { picture::Theme::Dark } else { picture::Theme::Light };
    spoken(name)
        .map_or_else(|| body_color(dark, fixed, order, name), |color| color32(picture::line_colour(color, theme)))
}

/// The colour of joints and forces.
pub fn machine_color(dark: bool, tone: picture::Tone) -> Color32 {
    color32(tone.colour(if dark { picture::Theme::Dark } else { picture::Theme::Light }))
}

/// The colour that a name speaks of.
fn spoken(name: &str) -> Option<picture::Colour> {
    let color = picture::named_colour(name, 0);
    (color != picture::body_colour(0)).then_some(color)
}

fn color32(color: picture::Colour) -> Color32 {
    Color32::from_rgb(picture::encoded(color.x), picture::encoded(color.y), picture::encoded(color.z))
}

/// Gives the window its look, once at the start.
pub fn install(ctx: &egui::Context) {
    for theme in [Theme::Dark, Theme::Light] {
        ctx.set_visuals_of(theme, visuals(theme == Theme::Dark));
        ctx.style_mut_of(theme, |style| {
            style.spacing.item_spacing = egui::vec2(8.0, 6.0);
            style.spacing.button_padding = egui::vec2(8.0, 4.0);
            style.spacing.interact_size.y = 24.0;
            style.spacing.menu_margin = Margin::same(8);
            style.spacing.window_margin = Margin::same(16);
            style.interaction.tooltip_delay = 0.4;
            let size = |points| FontId::new(points, FontFamily::Proportional);
            style.text_styles = [
                (TextStyle::Heading, size(17.0)),
                (TextStyle::Body, size(13.5)),
                (TextStyle::Button, size(13.5)),
                (TextStyle::Small, size(11.5)),
                (TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace)),
            ]
            .into();
        });
    }
}

fn visuals(dark: bool) -> Visuals {
    let palette = palette(dark);
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    let round = CornerRadius::same(5);
    let (panel, faint, edge) = if dark {
        (Color32::from_rgb(28, 31, 37), Color32::from_rgb(35, 38, 46), Color32::from_rgb(54, 59, 69))
    } else {
        (Color32::from_rgb(246, 247, 249), Color32::from_rgb(236, 238, 242), Color32::from_rgb(204, 209, 217))
    };
    let text = if dark { Color32::from_rgb(218, 223, 231) } else { Color32::from_rgb(36, 41, 50) };
    visuals.panel_fill = panel;
    visuals.window_fill = panel;
    visuals.window_stroke = Stroke::new(1.0, edge);
    visuals.faint_bg_color = faint;
    visuals.extreme_bg_color = if dark { Color32::from_rgb(19, 21, 26) } else { Color32::WHITE };
    visuals.selection.bg_fill = palette.accent.gamma_multiply(if dark { 0.34 } else { 0.26 });
    visuals.selection.stroke = Stroke::new(1.0, if dark { Color32::WHITE } else { Color32::BLACK });
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.wrong;
    visuals.window_corner_radius = CornerRadius::same(9);
    visuals.menu_corner_radius = CornerRadius::same(7);
    visuals.slider_trailing_fill = true;
    let widgets = &mut visuals.widgets;
    for state in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        state.corner_radius = round;
    }
    widgets.noninteractive.fg_stroke.color = text;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, edge);
    widgets.inactive.fg_stroke.color = text;
    widgets.inactive.weak_bg_fill = faint;
    widgets.inactive.bg_fill = edge;
    visuals
}
