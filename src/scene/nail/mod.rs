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

    /// Every number it holds, for checks.
    pub fn numbers(&self) -> Vec<f64> {
        let components = [self.position, self.rotation, self.velocity, self.spin];
        let mut numbers: Vec<f64> = components.iter().flatten().flat_map(|c| c.0).flatten().collect();
        numbers.extend(self.point.iter().flatten());
        match self.inside {
            Some(Inside::World(Region::Box { center, half_extents })) => {
                numbers.extend(center.iter().chain(&half_extents))
            }
            Some(Inside::World(Region::Cylinder { center, half_height, radius })) => {
                numbers.extend(center.iter().chain(&[half_height, radius]));
            }
            Some(Inside::World(Region::Ball { center, radius })) => numbers.extend(center.iter().chain(&[radius])),
            Some(Inside::Body { .. }) | None => {}
        }
        if let When::Time(t) = self.at {
            numbers.push(t);
        }
        numbers
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
