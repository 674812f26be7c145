//! What the window shows and how, apart from the document: nothing here is undone, saved or simulated.

use super::camera::Camera;
use crate::math::Vec3;
use crate::model::BodyId;

/// The state of looking.
#[derive(Clone, Debug)]
pub struct View {
    /// The eye.
    pub camera: Camera,
    /// Where the eye glides to.
    pub camera_goal: Option<Camera>,
    /// The body that panels speak of.
    pub selection: Option<BodyId>,
    /// The time that is shown, s.
    pub playhead: f64,
    /// Whether time runs.
    pub playing: bool,
    /// Whether it starts again at the end.
    pub looping: bool,
    /// Seconds of motion per second of watching.
    pub speed: f64,
    /// What is drawn beside the bodies.
    pub layers: Layers,
    /// What the pointer is over.
    pub hover: Option<Pick>,
    /// Width of the picture over its height.
    pub aspect: f64,
    /// Whether the eye has yet to take its first place, once the size of the picture is known.
    pub unplaced: bool,
}

/// What is drawn beside the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Layers {
    /// Paths of centres of mass.
    pub paths: bool,
    /// Paths of a point on the surface.
    pub point_paths: bool,
    /// Marks at impacts.
    pub impacts: bool,
    /// Bodies at their impacts, see-through.
    pub ghosts: bool,
    /// Velocity and spin of what is selected.
    pub arrows: bool,
    /// The plots below the view.
    pub plots: bool,
}

/// A place on a body, or on its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Whose.
    pub body: BodyId,
    /// The time of the path there; the playhead's on the body itself, s.
    pub t: f64,
    /// In the world, m.
    pub place: Vec3,
    /// Whether it is the path and not the body.
    pub on_path: bool,
}

impl Default for Layers {
    fn default() -> Layers {
        Layers { paths: true, point_paths: true, impacts: true, ghosts: false, arrows: true, plots: false }
    }
}

impl Default for View {
    fn default() -> View {
        View {
            camera: Camera::default(),
            camera_goal: None,
            selection: None,
            playhead: 0.0,
            playing: false,
            looping: true,
            speed: 1.0,
            layers: Layers::default(),
            hover: None,
            aspect: 1.35,
            unplaced: false,
        }
    }
}

impl View {
    /// Lets time run for `dt` seconds of watching; true while it goes on.
    pub fn advance(&mut self, dt: f64, duration: f64) -> bool {
        if !self.playing {
            return false;
        }
        self.playhead += dt * self.speed;
        if self.playhead >= duration {
            if self.looping && duration > 0.0 {
                self.playhead %= duration;
            } else {
                self.playhead = duration;
                self.playing = false;
            }
        }
        self.playing
    }

    /// Shows a time, within the motion.
    pub fn scrub(&mut self, t: f64, duration: f64) {
        self.playhead = if t.is_finite() { t.clamp(0.0, duration) } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_starts_again_at_the_end_or_stops_there() {
        let mut view = View { playing: true, playhead: 1.9, ..View::default() };
        assert!(view.advance(0.2, 2.0));
        assert!((view.playhead - 0.1).abs() < 1e-12, "{}", view.playhead);
        view = View { playing: true, looping: false, playhead: 1.9, ..View::default() };
        assert!(!view.advance(0.2, 2.0));
        assert_eq!(view.playhead, 2.0);
    }

    #[test]
    fn scrubbing_stays_within_the_motion() {
        let mut view = View::default();
        for (wish, shown) in [(-1.0, 0.0), (0.5, 0.5), (7.0, 2.0), (f64::NAN, 0.0)] {
            view.scrub(wish, 2.0);
            assert_eq!(view.playhead, shown);
        }
    }
}
