//! A wish about the motion, as a person writes it: a `[[nail]]`.
//!
//! ```text
//! at       a time | "end" | { impact, side } | { apex, n } | { rest }
//! wishes   position, rotation, velocity, spin (all or some components), inside, expression
//! ```
//!
//! The same data stands in scene files (read with line and advice by `read`) and in journals (through serde). Names of
//! impacts and the text of expressions are kept as written: what they mean is `goal`'s business.

mod read;

use serde::{Deserialize, Serialize};

use super::limits::{self, Allowed};

pub(super) use read::{NAIL_KEYS, read_nails, read_region};

/// One `[[nail]]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nail {
    /// What a person calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whose state it is about; none for an expression that names its bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Whether it counts.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
    /// When it holds.
    #[serde(default)]
    pub at: When,
    /// A point of the body, from its centre of mass in its own axes, instead of the centre of mass, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 3]>,
    /// Where the body, or its point, shall be, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Components>,
    /// How it shall be turned: exponential map, rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Components>,
    /// How it, or its point, shall move, m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Components>,
    /// How it shall spin, rad/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Components>,
    /// The region its centre of mass, or point, shall be in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
    /// An equation or inequality of the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
}

/// When a nail holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum When {
    /// At this time, s.
    Time(f64),
    /// At an impact, whenever that happens.
    Impact {
        /// Such as `box/floor#2`, or `box#3` for an impact with anything.
        impact: String,
        /// Just before it or just after.
        #[serde(default)]
        side: Side,
    },
    /// At the top of a flight.
    Apex {
        /// The body that flies.
        apex: String,
        /// Which top, from 1.
        #[serde(default = "one")]
        n: u32,
    },
    /// Once a body has come to rest.
    Rest {
        /// The body.
        rest: String,
    },
    /// At the end of the motion.
    #[default]
    #[serde(with = "end_word")]
    End,
}

/// Which side of an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Just before.
    Before,
    /// Just after.
    #[default]
    After,
}

/// A vector of which some components may be left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Spelling", into = "Spelling")]
pub struct Components(pub [Option<f64>; 3]);

/// How components are written: `[1, 2, 3]`, or `{ y = 2 }` for some.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Spelling {
    All([f64; 3]),
    Some(SomeComponents),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SomeComponents {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    x: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    y: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    z: Option<f64>,
}

/// What a body shall be inside of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Inside {
    /// The declared region of a body.
    Body {
        /// Its name.
        body: String,
    },
    /// A region of the world.
    World(Region),
}

/// A simple volume: of the world, or in the frame of the body that declares it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Region {
    /// Along the axes.
    Box {
        center: [f64; 3],
        half_extents: [f64; 3],
    },
    /// Along y.
    Cylinder {
        center: [f64; 3],
        half_height: f64,
        radius: f64,
    },
    Ball {
        center: [f64; 3],
        radius: f64,
    },
}

impl Components {
    /// All three.
    pub fn all(vector: [f64; 3]) -> Components {
        Components(vector.map(Some))
    }

    /// The vector, if no component is open.
    pub fn vector(&self) -> Option<[f64; 3]> {
        let [x, y, z] = self.0;
        Some([x?, y?, z?])
    }
}

impl From<Spelling> for Components {
    fn from(spelling: Spelling) -> Components {
        match spelling {
            Spelling::All(vector) => Components::all(vector),
            Spelling::Some(SomeComponents { x, y, z }) => Components([x, y, z]),
        }
    }
}

impl From<Components> for Spelling {
    fn from(components: Components) -> Spelling {
        let [x, y, z] = components.0;
        components.vector().map_or(Spelling::Some(SomeComponents { x, y, z }), Spelling::All)
    }
}

impl Nail {
    /// What messages call it: its name, or what it is about.
    pub fn title(&self, index: usize) -> String {
        match (&self.name, &self.body, &self.expression) {
            (Some(name), ..) => name.clone(),
            (None, Some(body), _) => format!("nail {} on {body}", index + 1),
            (None, None, Some(expression)) => format!("nail {}: {expression}", index + 1),
            (None, None, None) => format!("nail {}", index + 1),
        }
    }

    /// The first number that no scene may hold, with its field and what may stand there.
    pub fn out_of_range(&self) -> Option<(&'static str, f64, Allowed)> {
        let vectors = [
            ("position", self.position, limits::LENGTH),
            ("rotation", self.rotation, limits::ANGLE),
            ("velocity", self.velocity, limits::VELOCITY),
            ("spin", self.spin, limits::SPIN),
            ("point", self.point.map(Components::all), limits::LENGTH),
        ];
        let entries = |(field, components, allowed): (&'static str, Option<Components>, Allowed)| {
            components.into_iter().flat_map(|c| c.0).flatten().map(move |entry| (field, entry, allowed))
        };
        let mut numbers: Vec<(&'static str, f64, Allowed)> = match &self.at {
            When::Time(t) => vec![("at", *t, limits::TIME)],
            When::Apex { n, .. } => vec![("n", f64::from(*n), limits::NUMBER)],
            When::Impact { .. } | When::Rest { .. } | When::End => Vec::new(),
        };
        numbers.extend(vectors.into_iter().flat_map(entries));
        if let Some(Inside::World(region)) = &self.inside {
            numbers.extend(region.numbers());
        }
        numbers.into_iter().find(|(_, value, allowed)| !allowed.contains(*value))
    }

    /// A wish without a component, if there is one.
    pub fn empty_wish(&self) -> Option<&'static str> {
        let wishes = [
            ("position", self.position),
            ("rotation", self.rotation),
            ("velocity", self.velocity),
            ("spin", self.spin),
        ];
        wishes.into_iter().find(|(_, wish)| *wish == Some(Components::default())).map(|(field, _)| field)
    }
}

impl Region {
    fn numbers(&self) -> Vec<(&'static str, f64, Allowed)> {
        let (center, sizes): ([f64; 3], Vec<(&'static str, f64)>) = match *self {
            Region::Box { center, half_extents } => (center, half_extents.map(|half| ("half_extents", half)).into()),
            Region::Cylinder { center, half_height, radius } => {
                (center, vec![("half_height", half_height), ("radius", radius)])
            }
            Region::Ball { center, radius } => (center, vec![("radius", radius)]),
        };
        let centers = center.into_iter().map(|entry| ("center", entry, limits::LENGTH));
        centers.chain(sizes.into_iter().map(|(field, size)| (field, size, limits::EXTENT))).collect()
    }
}

fn yes() -> bool {
    true
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_yes(enabled: &bool) -> bool {
    *enabled
}

/// The word `"end"`.
mod end_word {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("end")
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == "end" { Ok(()) } else { Err(D::Error::custom("write a time, \"end\" or an event")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A nail is written and read as this line of JSON.
    #[track_caller]
    fn check(json: &str) -> Nail {
        let nail: Nail = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(serde_json::to_string(&nail).expect("plain data"), json);
        nail
    }

    #[test]
    fn nails_read_back_as_written() {
        let nail = check(r#"{"body":"egg","at":1.5,"position":[1.0,0.5,0.0]}"#);
        assert!(nail.enabled);
        assert_eq!(nail.at, When::Time(1.5));
        let nail = check(
            r#"{"name":"top","body":"egg","enabled":false,"at":"end","point":[0.0,0.1,0.0],"position":{"y":0.5}}"#,
        );
        assert_eq!((nail.at, nail.position), (When::End, Some(Components([None, Some(0.5), None]))));
        let nail = check(r#"{"body":"mug","at":{"impact":"mug/floor#2","side":"before"},"spin":[0.0,0.0,0.0]}"#);
        assert_eq!(nail.at, When::Impact { impact: "mug/floor#2".into(), side: Side::Before });
        check(r#"{"body":"mug","at":{"apex":"mug","n":2},"velocity":{"x":1.0,"z":2.0}}"#);
        check(r#"{"body":"mug","at":{"rest":"mug"},"inside":{"body":"bucket"}}"#);
        check(
            r#"{"body":"mug","at":"end","inside":{"kind":"cylinder","center":[0.0,1.0,0.0],"half_height":0.2,"radius":0.1}}"#,
        );
        check(r#"{"at":"end","expression":"t(a#1) = t(b#1)"}"#);
        assert!(serde_json::from_str::<Nail>(r#"{"at":"soon"}"#).is_err());
        assert!(serde_json::from_str::<Nail>(r#"{"positon":[0,0,0]}"#).is_err());
    }
}
