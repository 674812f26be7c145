//! What touches at one instant: the connected group of bodies around a closing pair.
//!
//! Starting from the pair that closes, every body within `SIMULTANEOUS` of a moving body of the group joins,
//! with all its contacts. Those that separate take part too: they cost nothing where they stay so, and where the blow
//! presses them together again, as on a body pinched in a wedge, leaving them out would pass the blow to and fro
//! between two contacts without end. Fixed bodies take part but connect nothing. What the group's
//! impulses are is `contact::impact`.

use std::collections::BTreeSet;

use crate::dynamics::BodyState;
use crate::geometry::{Feature, PlacedPair, Pose, Solid, separation, touching};
use crate::math::Vec3;
use crate::model::{BodyId, Pair, World};
use crate::simulation::settings::SEPARATING;

/// The contacts of one pair of the group.
#[derive(Clone, Debug)]
pub struct PairContacts {
    /// Who touches.
    pub pair: Pair,
    /// What touches, and where, with the untilted normal.
    pub contacts: Vec<TouchingPoint>,
}

/// One point where a pair touches.
#[derive(Clone, Copy, Debug)]
pub struct TouchingPoint {
    /// What touches what.
    pub feature: Feature,
    /// Where, in the world.
    pub point: Vec3,
    /// From the second body to the first, as the geometry has it.
    pub normal: Vec3,
    /// m.
    pub gap: f64,
    /// Rate of the gap, m/s; negative while approaching.
    pub rate: f64,
}

impl PairContacts {
    /// Whether some contact does not part.
    pub fn meets(&self) -> bool {
        self.contacts.iter().any(|contact| contact.rate <= SEPARATING)
    }

    /// The fastest approach of the pair, m/s; zero or less where nothing approaches.
    pub fn approach_speed(&self) -> f64 {
        self.contacts.iter().map(|contact| -contact.rate).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Where a pair touches now, and how fast each point closes. `hint` is a recent axis of the pair.
pub fn touching_points(
    solids: [&Solid; 2],
    states: [&BodyState; 2],
    hint: Option<Vec3>,
    tolerance: f64,
) -> Vec<TouchingPoint> {
    let poses: [Pose; 2] = [states[0].pose(), states[1].pose()];
    let apart = separation(solids[0], &poses[0], solids[1], &poses[1], hint);
    if apart.gap > tolerance {
        return Vec::new();
    }
    let pair = PlacedPair { first: (solids[0], &poses[0]), second: (solids[1], &poses[1]) };
    touching(&pair, &apart, tolerance).iter().filter_map(|feature| touching_point(&pair, states, feature)).collect()
}

/// One feature pair at given states, and how fast it closes; none where it is degenerate.
fn touching_point(pair: &PlacedPair, states: [&BodyState; 2], feature: &Feature) -> Option<TouchingPoint> {
    let contact = pair.contact(feature)?;
    let relative = states[0].point_velocity(contact.point) - states[1].point_velocity(contact.point);
    let (point, normal, gap) = (contact.point, contact.normal, contact.gap);
    Some(TouchingPoint { feature: *feature, point, normal, gap, rate: normal.dot(&relative) })
}

/// Adds features that touched where the pair was seen closing, if they still do and are not listed.
pub fn add_seen(
    points: &mut Vec<TouchingPoint>,
    seen: &[Feature],
    solids: [&Solid; 2],
    states: [&BodyState; 2],
    tolerance: f64,
) {
    let poses: [Pose; 2] = [states[0].pose(), states[1].pose()];
    let pair = PlacedPair { first: (solids[0], &poses[0]), second: (solids[1], &poses[1]) };
    for feature in seen {
        let listed = points.iter().any(|point| point.feature.place() == feature.place());
        let touches = touching_point(&pair, states, feature).filter(|point| point.gap <= tolerance);
        if !listed {
            points.extend(touches);
        }
    }
}

/// The group around a pair: `touches` gives the contacts of a pair at this instant, `neighbors` the bodies
/// that could touch a body, `linked` those that joints connect with it.
pub fn gather<'a>(
    world: &World,
    start: Pair,
    mut touches: impl FnMut(Pair) -> Vec<TouchingPoint>,
    neighbors: impl Fn(BodyId) -> &'a [BodyId],
    linked: impl Fn(BodyId) -> BTreeSet<BodyId>,
) -> Vec<PairContacts> {
    let mut group = Vec::new();
    let mut seen = vec![start];
    let mut reached: Vec<BodyId> = Vec::new();
    let mut frontier = vec![start.second, start.first];
    let mut add = |pair: Pair, group: &mut Vec<PairContacts>| {
        let contacts = touches(pair);
        let joins = !contacts.is_empty();
        if joins {
            group.push(PairContacts { pair, contacts });
        }
        joins
    };
    add(start, &mut group);
    while let Some(body) = frontier.pop() {
        if !world.bodies[body.index()].drive.is_pushed() || reached.contains(&body) {
            continue;
        }
        reached.push(body);
        frontier.extend(linked(body));
        for &other in neighbors(body) {
            let pair = world.ordered(body, other);
            if !seen.contains(&pair) {
                seen.push(pair);
                if add(pair, &mut group) {
                    frontier.push(other);
                }
            }
        }
    }
    // The order of solving is that of the names, whichever pair closed first.
    group.sort_by_key(|contacts| contacts.pair);
    group
}

/// The bodies of a group, each once, in order.
pub fn members(group: &[PairContacts]) -> Vec<BodyId> {
    let mut bodies: Vec<BodyId> =
        group.iter().flat_map(|contacts| [contacts.pair.first, contacts.pair.second]).collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}

/// The bodies of a group and all that are linked to them, and the places of those of each pair among them.
pub fn seated(group: &[PairContacts], linked: BTreeSet<BodyId>) -> (Vec<BodyId>, Vec<[usize; 2]>) {
    let mut bodies = members(group);
    bodies.extend(linked);
    bodies.sort_unstable();
    bodies.dedup();
    // Every body of a pair is a member: how many are before it is its place.
    let place = |body: BodyId| bodies.partition_point(|member| *member < body);
    let places = group.iter().map(|contacts| [place(contacts.pair.first), place(contacts.pair.second)]).collect();
    (bodies, places)
}
