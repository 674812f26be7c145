//! Marks of joints and forces as nodes.
//!
//! ```text
//! body ─▶ mark: a mesh at a point of the body            root ─▶ mark: at a place, or with channels of translation, rotation and scale
//! … ─▶ switch ─▶ mark                                    for what holds for a part of the time: scale 1 or 0, in steps
//! ```
//!
//! A node whose scale is 0 is one that viewers leave out: that is how glTF hides things for a time. The `extras` of these nodes say what
//! they belong to; the keys of rigs are straight, also in files of cubics (`course`).

use super::super::curve::{Curve, Knot};
use super::super::marks::course::course;
use super::super::marks::{Carrier, Marks, Part};
use super::{Animation, Document, Index, Interpolation, Mesh, Motion, Node, Primitive, Property, Sampling, extras};
use crate::picture::{Theme, Tone};

/// The materials of tones.
type Materials = Vec<(Tone, Index<gltf_json::Material>)>;

impl Document {
    /// All marks; how many keys they have.
    pub(super) fn push_marks(
        &mut self,
        animation: &mut Animation,
        (motion, marks): (&Motion, &Marks),
        (bodies, children): (&[Index<Node>], &mut Vec<Index<Node>>),
        sampling: &Sampling,
    ) -> usize {
        let mut materials = Materials::new();
        let mut count = 0;
        for part in &marks.parts {
            let mesh = self.push_mark_mesh(part, &mut materials);
            let said = serde_json::json!({ "mark": part.kind, "of": part.of });
            let node = Node {
                mesh: Some(mesh),
                name: Some(part.name.clone()),
                extras: extras(said.clone()),
                ..Node::default()
            };
            let (mut node, keys) = match &part.carrier {
                Carrier::World(place) | Carrier::Body(_, place) => {
                    let translation = Some(place.map(|x| x as f32).into());
                    (self.root.push(Node { translation, ..node }), 0)
                }
                Carrier::Rig(rig) => {
                    let course = course(motion, rig, sampling, true);
                    let at = |curve: &Curve<3>| curve.knots.first().map(|knot| knot.value.map(|x| x as f32).into());
                    let turn = course
                        .turn
                        .knots
                        .first()
                        .map(|knot| gltf_json::scene::UnitQuaternion(knot.value.map(|x| x as f32).into()));
                    let (translation, scale) =
                        (at(&course.place), at(&course.scale).filter(|scale| *scale != [1.0; 3]));
                    let node = self.root.push(Node { translation, rotation: turn, scale, ..node });
                    let linear = Interpolation::Linear;
                    let keys = self.push_curve(animation, (node, Property::Translation, linear), &course.place.knots)
                        + self.push_curve(animation, (node, Property::Rotation, linear), &course.turn.knots)
                        + self.push_curve(animation, (node, Property::Scale, linear), &course.scale.knots);
                    (node, keys)
                }
            };
            count += keys;
            let switches = part.switches(motion.trajectory.t_end);
            if let Some((_, shown)) = switches.first() {
                let name = Some(format!("{}, switch", part.name));
                let scale = (!shown).then_some([0.0; 3]);
                let children = Some(vec![node]);
                node = self.root.push(Node { name, scale, children, extras: extras(said), ..Node::default() });
                let knot = |(t, shown): &(f64, bool)| {
                    Knot::still(f64::from(*t as f32), if *shown { [1.0; 3] } else { [0.0; 3] }.into())
                };
                let knots: Vec<Knot<3>> = switches.iter().map(knot).collect();
                count += self.push_curve(animation, (node, Property::Scale, Interpolation::Step), &knots);
            }
            match part.carrier {
                Carrier::Body(body, _) => {
                    self.root.nodes[bodies[body].value()].children.get_or_insert_default().push(node)
                }
                Carrier::World(_) | Carrier::Rig(_) => children.push(node),
            }
        }
        count
    }

    fn push_mark_mesh(&mut self, part: &Part, materials: &mut Materials) -> Index<Mesh> {
        let known = materials.iter().find(|(tone, _)| *tone == part.tone).map(|(_, material)| *material);
        let material = known.unwrap_or_else(|| {
            let color = part.tone.colour(Theme::Light).map(f64::from).into();
            let material = self.push_material(part.tone.word(), color, false);
            materials.push((part.tone, material));
            material
        });
        let primitive = Primitive { material: Some(material), ..self.geometry(&part.surface) };
        let name = Some(part.name.clone());
        self.root.push(Mesh { extensions: None, extras: None, name, primitives: vec![primitive], weights: None })
    }
}
