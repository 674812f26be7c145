//! Nails as marks: where a scene wishes its bodies to be, and where they are.

use super::view::NailMark;
use crate::goal::Goal;
use crate::math::Vec3;
use crate::model::Model;
use crate::scene::Nail;
use crate::simulation::Trajectory;

/// A nail mark for each nail that asks for a place and counts. Components it leaves open are those of the motion.
pub fn nail_marks(model: &Model, trajectory: &Trajectory, nails: &[Nail]) -> Vec<NailMark> {
    nails.iter().enumerate().filter_map(|(index, nail)| nail_mark(model, trajectory, nail, index)).collect()
}

fn nail_mark(model: &Model, trajectory: &Trajectory, nail: &Nail, index: usize) -> Option<NailMark> {
    let wish = nail.position.filter(|_| nail.enabled)?.0;
    let body = model.body(nail.body.as_deref()?)?;
    let instant = Goal::new(model, nail, index).ok()?.timing.find(model, trajectory);
    let held = instant.ok().map(|instant| {
        let state = instant.state(trajectory, body);
        state.position + state.rotation * nail.point.map(Vec3::from).unwrap_or_default()
    });
    // An instant that does not occur in this motion leaves open components unknown.
    let place = |axis: usize| wish[axis].or(held.map(|held| held[axis]));
    Some(NailMark { position: Vec3::new(place(0)?, place(1)?, place(2)?), held })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use crate::simulation::simulate;

    const SCENE: &str = r#"
format = 1
duration = 1.0
gravity = [0, -10, 0]
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
velocity = [1, 0, 0]
[[nail]]
body = "ball"
at = 0.5
position = { y = 2.0 }
[[nail]]
body = "ball"
at = "end"
position = [3, 2, 1]
enabled = false
[[nail]]
body = "ball"
at = { impact = "ball#1" }
position = [3, 2, 1]
[[nail]]
body = "ball"
at = { impact = "ball#1" }
position = { x = 3 }
[[nail]]
body = "ball"
at = 0.5
velocity = [0, 0, 0]
"#;

    #[test]
    fn nails_for_places_have_pins_with_open_components_from_the_motion() {
        let scene = Scene::parse(SCENE, "nail_marks.toml").unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
        let trajectory = simulate(&model, &model.control());
        let nail_marks = nail_marks(&model, &trajectory, &scene.nails);
        assert_eq!(nail_marks.len(), 2, "{nail_marks:?}");
        let held = nail_marks[0].held.unwrap();
        assert!((nail_marks[0].position - Vec3::new(0.5, 2.0, 0.0)).norm() < 1e-12, "{nail_marks:?}");
        assert!((held - Vec3::new(0.5, -1.25, 0.0)).norm() < 1e-12, "{nail_marks:?}");
        assert_eq!((nail_marks[1].position, nail_marks[1].held), (Vec3::new(3.0, 2.0, 1.0), None));
    }
}
