//! A motion as `simulate` prints it: the end, states at the times asked for, and events.
//!
//! The fields and their order are those of the JSON; numbers print so that they read back to the same
//! f64.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Failure;
use crate::dynamics::BodyState;
use crate::math::Vec3;
use crate::model::{BodyId, Model};
use crate::simulation::{Event, JointForce, Trajectory, Trouble, TroubleKind};

/// What is printed of one motion.
#[derive(Debug, Serialize)]
pub(super) struct Motion {
    pub end: &'static str,
    /// What there is to tell of machines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<MachineLine>,
    pub states: Vec<StatesAt>,
    pub events: Vec<EventLine>,
}

/// One thing to tell of a machine.
#[derive(Debug, Serialize)]
pub(super) struct MachineLine {
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spring: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_per_second: Option<f64>,
    /// From when on, s.
    pub t: f64,
    /// In words.
    #[serde(skip)]
    pub sentence: String,
}

/// All bodies at one time.
#[derive(Debug, Serialize)]
pub(super) struct StatesAt {
    pub t: f64,
    pub bodies: Named<BodyLine>,
    /// Of joints that hold bodies in flight.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub joints: Named<JointLine>,
}

/// Lines by name, in the order of the file.
#[derive(Debug)]
pub(super) struct Named<L>(pub Vec<(String, L)>);

/// What a joint does to its first body: the torque about the joint's point; nothing where it contradicts others.
#[derive(Debug, Serialize)]
pub(super) struct JointLine {
    pub force: Option<[f64; 3]>,
    pub torque: Option<[f64; 3]>,
    /// How far it is from holding.
    pub off: f64,
}

/// One body's state; the rotation is [x, y, z, w].
#[derive(Debug, Serialize)]
pub(super) struct BodyLine {
    pub position: [f64; 3],
    pub rotation: [f64; 4],
    pub velocity: [f64; 3],
    pub spin: [f64; 3],
}

/// One event of one pair; normals point from the second body to the first, impulses act on the first.
#[derive(Debug, Serialize)]
pub(super) struct EventLine {
    pub t: f64,
    pub kind: &'static str,
    pub bodies: [String; 2],
    pub number: u32,
    pub grazing: bool,
    pub points: Vec<[f64; 3]>,
    pub normals: Vec<[f64; 3]>,
    pub impulses: Vec<[f64; 3]>,
}

impl Motion {
    /// States in the order of `times`.
    pub fn new(model: &Model, trajectory: &Trajectory, times: &[f64]) -> Motion {
        let name = |body: BodyId| model.bodies()[body.index()].name.to_string();
        let states_at = |&t: &f64| {
            let states = trajectory.at(t);
            let named = model.bodies().iter().zip(states);
            let lines = named.map(|(body, state)| (body.name.to_string(), BodyLine::new(&state)));
            let joint = |force: &JointForce| {
                let name = trajectory.world().machine.joints[force.joint].name.clone();
                (name, JointLine::new(force))
            };
            let joints = trajectory.joint_forces(t).iter().map(joint).collect();
            StatesAt { t, bodies: Named(lines.collect()), joints: Named(joints) }
        };
        Motion {
            end: trajectory.end.as_str(),
            machine: trajectory.troubles().iter().map(|trouble| MachineLine::new(trouble, trajectory)).collect(),
            states: times.iter().map(states_at).collect(),
            events: trajectory.events.iter().map(|event| EventLine::new(event, name)).collect(),
        }
    }

    /// One line of JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let text = serde_json::to_string(self);
        text.map(|text| text + "\n").map_err(|error| Failure::new(format!("cannot print the motion: {error}")))
    }
}

impl MachineLine {
    fn new(trouble: &Trouble, trajectory: &Trajectory) -> MachineLine {
        let world = trajectory.world();
        let mut names: Vec<String> = trouble.names(world).into_iter().map(str::to_owned).collect();
        let (spring, steps_per_second) = match trouble.kind {
            TroubleKind::Stiff { steps_per_second } => (names.pop(), Some(steps_per_second)),
            _ => (None, None),
        };
        let sentence = trouble.sentence(world);
        MachineLine { kind: trouble.kind.as_str(), joints: names, spring, steps_per_second, t: trouble.t, sentence }
    }
}

impl JointLine {
    fn new(force: &JointForce) -> JointLine {
        let [push, turn] = [0, 1].map(|k| force.wrench.map(|wrench| wrench[k].into()));
        JointLine { force: push, torque: turn, off: force.off }
    }
}

impl BodyLine {
    fn new(state: &BodyState) -> BodyLine {
        BodyLine {
            position: state.position.into(),
            // nalgebra keeps a quaternion's coordinates as x, y, z, w.
            rotation: state.rotation.coords.into(),
            velocity: state.velocity.into(),
            spin: state.spin.into(),
        }
    }
}

impl EventLine {
    fn new(event: &Event, name: impl Fn(BodyId) -> String) -> EventLine {
        let list = |of: fn(&crate::simulation::EventContact) -> Vec3| {
            event.contacts.iter().map(|contact| of(contact).into()).collect()
        };
        EventLine {
            t: event.t,
            kind: event.kind.as_str(),
            bodies: [name(event.first), name(event.second)],
            number: event.number,
            grazing: event.grazing,
            points: list(|contact| contact.point),
            normals: list(|contact| contact.normal),
            impulses: list(|contact| contact.impulse),
        }
    }
}

impl<L> Named<L> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<L: Serialize> Serialize for Named<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, line) in &self.0 {
            map.serialize_entry(name, line)?;
        }
        map.end()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A motion of two bodies and one impact.
    pub(crate) fn example() -> Motion {
        let line = |x: f64| BodyLine {
            position: [x, 0.1, -0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            velocity: [0.0, -1.0 / 3.0, 0.0],
            spin: [0.0; 3],
        };
        let bodies = Named(vec![("zebra".into(), line(1.0)), ("ant \"a\"".into(), line(1e-300))]);
        let event = EventLine {
            t: 0.31,
            kind: "impact",
            bodies: ["zebra".into(), "floor".into()],
            number: 1,
            grazing: false,
            points: vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
            normals: vec![[0.0, 1.0, 0.0]; 2],
            impulses: vec![[3.0, 4.0, 0.0], [0.0; 3]],
        };
        let states = vec![StatesAt { t: 2.0, bodies, joints: Named(Vec::new()) }];
        Motion { end: "horizon", machine: Vec::new(), states, events: vec![event] }
    }

    #[test]
    fn the_json_is_the_one_promised() {
        let expected = concat!(
            r#"{"end":"horizon","states":[{"t":2.0,"bodies":{"#,
            r#""zebra":{"position":[1.0,0.1,-0.0],"rotation":[0.0,0.0,0.0,1.0],"#,
            r#""velocity":[0.0,-0.3333333333333333,0.0],"spin":[0.0,0.0,0.0]},"#,
            r#""ant \"a\"":{"position":[1e-300,0.1,-0.0],"rotation":[0.0,0.0,0.0,1.0],"#,
            r#""velocity":[0.0,-0.3333333333333333,0.0],"spin":[0.0,0.0,0.0]}}}],"#,
            r#""events":[{"t":0.31,"kind":"impact","bodies":["zebra","floor"],"number":1,"grazing":false,"#,
            r#""points":[[0.0,0.0,0.0],[2.0,0.0,0.0]],"normals":[[0.0,1.0,0.0],[0.0,1.0,0.0]],"#,
            r#""impulses":[[3.0,4.0,0.0],[0.0,0.0,0.0]]}]}"#,
            "\n",
        );
        assert_eq!(example().json().ok().as_deref(), Some(expected));
    }
}
