//! glTF 2.0, as one binary file (`.glb`) or as text with its data inside (`.gltf`).
//!
//! ```text
//! scene ─▶ root (turned so that Y is up) ─▶ one node a body: mesh in the body frame, centre of mass at its origin;
//!                                           above it carriers, where blows follow each other too fast (`crowd`)
//! animation: for each body that moves a channel for its place and one for its orientation
//! ```
//!
//! Times and values are half-width numbers (f32). A key that stands at a frame is moved to the nearest such time and
//! takes its value there; a key at an instant keeps its exact value, and its time is right to 2⁻²⁵ of itself (6e-8 s at
//! 1 s). Cubic keys carry the velocity on either side, so that one segment is a whole flight and an impact stays a
//! corner. Marks of joints are nodes too (`marks`). Masses and materials are in the nodes' `extras`, impacts in the scene's, the fingerprint in the asset's.

mod binary;
mod content;
mod crowd;
mod marks;
mod read;

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use gltf_json as json;
use json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use json::mesh::{Primitive, Semantic};
use json::scene::UnitQuaternion;
use json::validation::Checked::Valid;
use json::{Index, Material, Mesh, Node, Root};

use super::curve::{Knot, Turn};
use super::error::failure;
use super::keys::{self, Key, Reason, Sampling};
use super::look::{Look, looks};
use super::marks::Marks;
use super::{Encoded, ExportError, Motion, Progress, axes, tell};
use crate::dynamics::BodyState;
use crate::geometry::Surface;
use crate::math::{Rotation, Vec3};
use crate::model::{BodyId, BodyProperties};
use crate::simulation::{BodyCurve, Event, EventKind};
use binary::Binary;

pub(super) use crowd::SPACING;
pub(super) use read::{read_binary, read_text};

/// How a buffer that stands in the text begins.
const DATA_URI: &str = "data:application/octet-stream;base64,";

/// The bytes of a `.glb`.
pub(super) fn encode_binary(
    motion: &Motion,
    marks: &Marks,
    path: &Path,
    sampling: &Sampling,
    progress: Progress,
) -> Result<Encoded, ExportError> {
    let (document, keys) = Document::new((motion, marks), sampling, progress)?;
    let bytes = document.into_binary().map_err(|error| failure(path, error.into()))?;
    Ok(Encoded::one(path, bytes, keys))
}

/// The bytes of a `.gltf`.
pub(super) fn encode_text(
    motion: &Motion,
    marks: &Marks,
    path: &Path,
    sampling: &Sampling,
    progress: Progress,
) -> Result<Encoded, ExportError> {
    let (document, keys) = Document::new((motion, marks), sampling, progress)?;
    let bytes = document.into_text().map_err(|error| failure(path, error.into()))?;
    Ok(Encoded::one(path, bytes, keys))
}

/// A glTF file in the making.
struct Document {
    root: Root,
    binary: Binary,
    /// Geometries written so far, so that equal bodies share theirs.
    shared: Vec<(Surface, Primitive)>,
}

impl Document {
    /// The whole motion, and how many keys it has.
    fn new(
        (motion, marks): (&Motion, &Marks),
        sampling: &Sampling,
        progress: Progress,
    ) -> Result<(Document, usize), ExportError> {
        let mut document = Document { root: Root::default(), binary: Binary::default(), shared: Vec::new() };
        let mut animation = empty_animation();
        let (mut children, mut nodes, mut count) = (Vec::new(), Vec::new(), 0);
        for ((body, path), look) in motion.bodies().zip(looks(motion)) {
            let node = document.push_body(motion, body, &look, path);
            let (keys, top) = document.push_motion(&mut animation, (node, motion.name(body)), path, sampling);
            count += keys;
            children.push(top);
            nodes.push(node);
            tell(progress, body, motion)?;
        }
        count += document.push_marks(&mut animation, (motion, marks), (&nodes, &mut children), sampling);
        if !animation.channels.is_empty() {
            document.root.push(animation);
        }
        document.push_scene(motion, children);
        document.root.asset = json::Asset {
            generator: Some(concat!("hattrick ", env!("CARGO_PKG_VERSION")).to_owned()),
            extras: extras(origin(motion, marks, sampling)),
            ..json::Asset::default()
        };
        Ok((document, count))
    }

    fn push_scene(&mut self, motion: &Motion, children: Vec<Index<Node>>) {
        let turn = axes::root(&motion.trajectory.world().gravity, Vec3::y());
        let name = Some(motion.title).filter(|title| !title.is_empty()).unwrap_or("motion").to_owned();
        let root = self.root.push(Node {
            children: Some(children),
            name: Some(name.clone()),
            rotation: (turn != Rotation::identity()).then(|| quaternion(&turn)),
            ..Node::default()
        });
        let impacts = motion.trajectory.events.iter().filter(|event| event.kind == EventKind::Impact);
        let impacts: Vec<_> = impacts.map(|event| impact(motion, event)).collect();
        let scene = json::Scene {
            extensions: None,
            extras: extras(serde_json::json!({ "impacts": impacts })),
            name: Some(name),
            nodes: vec![root],
        };
        let scene = self.root.push(scene);
        self.root.scene = Some(scene);
    }

    fn push_body(&mut self, motion: &Motion, body: BodyId, look: &Look, path: &BodyCurve) -> Index<Node> {
        let properties = &motion.trajectory.world().bodies[body.index()];
        let name = properties.name.to_string();
        let material = self.push_material(&name, look.color, look.double_sided);
        let primitive = Primitive { material: Some(material), ..self.geometry(&look.surface) };
        let mesh = self.root.push(Mesh {
            extensions: None,
            extras: None,
            name: Some(name.clone()),
            primitives: vec![primitive],
            weights: None,
        });
        let BodyState { position, rotation, .. } = path.after(0.0);
        self.root.push(Node {
            mesh: Some(mesh),
            name: Some(name),
            translation: Some(position.map(|x| x as f32).into()),
            rotation: Some(quaternion(&rotation)),
            extras: extras(described(properties)),
            ..Node::default()
        })
    }

    fn push_material(&mut self, name: &str, color: [f64; 3], double_sided: bool) -> Index<Material> {
        let [red, green, blue] = color.map(|part| part as f32);
        self.root.push(Material {
            name: Some(name.to_owned()),
            double_sided,
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([red, green, blue, 1.0]),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(0.6),
                ..PbrMetallicRoughness::default()
            },
            ..Material::default()
        })
    }

    /// The triangles of a surface, shared with bodies of the same shape.
    fn geometry(&mut self, surface: &Surface) -> Primitive {
        if let Some((_, primitive)) = self.shared.iter().find(|(known, _)| known == surface) {
            return primitive.clone();
        }
        let positions = self.binary.vertices(&mut self.root, &surface.positions, true);
        let normals = self.binary.vertices(&mut self.root, &surface.normals, false);
        let indices = self.binary.indices(&mut self.root, &surface.triangles);
        let primitive = Primitive {
            attributes: [(Valid(Semantic::Positions), positions), (Valid(Semantic::Normals), normals)].into(),
            extensions: None,
            extras: None,
            indices: Some(indices),
            material: None,
            mode: Valid(json::mesh::Mode::Triangles),
            targets: None,
        };
        self.shared.push((surface.clone(), primitive.clone()));
        primitive
    }

    /// The channels of one body; a body that does not move, or does not turn, has none for that. How many keys they have,
    /// and the uppermost of its carriers (`crowd`), usually the body itself.
    fn push_motion(
        &mut self,
        animation: &mut Animation,
        (node, name): (Index<Node>, &str),
        path: &BodyCurve,
        sampling: &Sampling,
    ) -> (usize, Index<Node>) {
        let chosen = keys::select(path, sampling);
        let places: Vec<Knot<3>> = rounded(path, &chosen.places).iter().map(Knot::place).collect();
        let turns = Turn::continuous(rounded(path, &chosen.turns).iter().map(Knot::turn), sampling.interpolation).knots;
        let (channels, turns) = match sampling.interpolation {
            keys::Interpolation::Linear => (crowd::spread_places(places), crowd::thin_turns(turns)),
            keys::Interpolation::Cubic => (vec![places], turns),
        };
        let (mut count, mut top) = (0, node);
        for (level, places) in channels.iter().enumerate() {
            top = if level == 0 { node } else { self.push_carrier(name, level, top) };
            count += self.push_channel(animation, (top, Property::Translation), sampling, places);
        }
        count += self.push_channel(animation, (node, Property::Rotation), sampling, &turns);
        (count, top)
    }

    fn push_carrier(&mut self, name: &str, level: usize, child: Index<Node>) -> Index<Node> {
        let name = Some(format!("{name}, carrier {level}"));
        self.root.push(Node { name, children: Some(vec![child]), ..Node::default() })
    }

    fn push_channel<const N: usize>(
        &mut self,
        animation: &mut Animation,
        (node, property): (Index<Node>, Property),
        sampling: &Sampling,
        knots: &[Knot<N>],
    ) -> usize {
        let cubic = sampling.interpolation == keys::Interpolation::Cubic;
        let interpolation = if cubic { Interpolation::CubicSpline } else { Interpolation::Linear };
        self.push_curve(animation, (node, property, interpolation), knots)
    }

    /// The keys of one channel; none where nothing changes.
    fn push_curve<const N: usize>(
        &mut self,
        animation: &mut Animation,
        (node, property, interpolation): (Index<Node>, Property, Interpolation),
        knots: &[Knot<N>],
    ) -> usize {
        let still = |pair: &[Knot<N>]| {
            pair[0].value == pair[1].value && pair.iter().all(|knot| knot.rates == [knot.rates[0] * 0.0; 2])
        };
        if knots.len() < 2 || knots.windows(2).all(still) {
            return 0;
        }
        let input = self.binary.times(&mut self.root, knots.iter().map(|knot| knot.t as f32));
        let output = self.binary.values(&mut self.root, knots, interpolation == Interpolation::CubicSpline);
        let sampler = Sampler { extensions: None, extras: None, input, interpolation: Valid(interpolation), output };
        let sampler = Index::push(&mut animation.samplers, sampler);
        let target = Target { extensions: None, extras: None, node, path: Valid(property) };
        animation.channels.push(Channel { sampler, target, extensions: None, extras: None });
        knots.len()
    }

    /// Header, text and data in one.
    fn into_binary(mut self) -> Result<Vec<u8>, serde_json::Error> {
        self.binary.finish(&mut self.root, None);
        Ok(binary::container(self.root.to_vec()?, &self.binary.bytes))
    }

    /// Text with the data in a URI.
    fn into_text(mut self) -> Result<Vec<u8>, serde_json::Error> {
        let uri = format!("{DATA_URI}{}", BASE64.encode(&self.binary.bytes));
        self.binary.finish(&mut self.root, Some(uri));
        self.root.to_vec_pretty()
    }
}

/// What `extras` say of the file: that it has no marks is said where there could be some.
fn origin(motion: &Motion, marks: &Marks, sampling: &Sampling) -> serde_json::Value {
    let mut value = serde_json::json!({ "fingerprint": motion.fingerprint.to_string(), "fps": sampling.fps });
    if marks.left_out {
        value["marks"] = false.into();
    }
    value
}

fn empty_animation() -> Animation {
    Animation { extensions: None, extras: None, channels: vec![], name: Some("motion".to_owned()), samplers: vec![] }
}

/// Keys at times that f32 can say, each of them once; see the opening.
fn rounded(path: &BodyCurve, keys: &[Key]) -> Vec<Key> {
    let mut rounded: Vec<Key> = Vec::with_capacity(keys.len());
    for key in keys {
        let t = f64::from(key.t as f32);
        let exact = key.reason == Reason::Instant;
        let key =
            if exact { Key { t, ..*key } } else { Key { t, before: path.before(t), after: path.after(t), ..*key } };
        match rounded.last_mut() {
            Some(last) if last.t == t => {
                // Several instants at one time: the last one's velocities are those that follow.
                if exact {
                    *last = if last.reason == Reason::Instant { Key { before: last.before, ..key } } else { key };
                }
            }
            _ => rounded.push(key),
        }
    }
    rounded
}

fn quaternion(rotation: &Rotation) -> UnitQuaternion {
    UnitQuaternion(rotation.coords.map(|x| x as f32).into())
}

/// What `extras` say of a body.
fn described(body: &BodyProperties) -> serde_json::Value {
    let BodyProperties { drive, restitution, friction, .. } = body;
    let mut value =
        serde_json::json!({ "fixed": drive.never_moves(), "restitution": restitution, "friction": friction });
    if drive.is_pushed() {
        value["mass"] = body.mass.mass.into();
        value["inertia"] = body.mass.inertia.as_slice().into();
        value["velocity"] = body.initial.velocity.as_slice().into();
        value["spin"] = body.initial.spin.as_slice().into();
    }
    value
}

/// One impact for those who add sounds or sparks: where in the middle of its points, and how hard in all.
fn impact(motion: &Motion, event: &Event) -> serde_json::Value {
    let points: Vec3 = event.contacts.iter().map(|contact| contact.point).sum();
    let impulse: Vec3 = event.contacts.iter().map(|contact| contact.impulse).sum();
    let point = points / event.contacts.len().max(1) as f64;
    serde_json::json!({
        "t": event.t,
        "bodies": [motion.name(event.first), motion.name(event.second)],
        "number": event.number,
        "point": point.as_slice(),
        "impulse": impulse.as_slice(),
    })
}

fn extras(value: serde_json::Value) -> json::Extras {
    serde_json::value::to_raw_value(&value).ok()
}
