//! D and its gradients, family by family.
//!
//! With P points of the two sides, n a direction, R world from body:
//!
//! ```text
//! D = n·(P_A − P_B), n of the world        J_A = (n, p_A × R_Aᵀn)        J_B = −(n, p_B × R_Bᵀn)            (1)
//! D = n·(P_A − P_B), n of the second body  J_A as before                 J_B = −(n, R_Bᵀ(P_A − x_B) × n_B)  (2)
//! D = |P_A − P_B| − L                      as (1) with n = (P_A − P_B)/|P_A − P_B|                            (3)
//! D = e·a, e of the second body, a of the first        J_A = (0, a × R_Aᵀe)   J_B = −(0, R_Bᵀa × e)           (4)
//! D = log(R_A·R_relᵀ·R_Bᵀ)                 J_A = dlog(D)·R_A,            J_B = −dlog(D)·R_A·R_relᵀ            (5)
//! dlog(D)·c = c − ½D × c + κ(|D|²)·D × (D × c),      κ(y) = Σ_k |B_2k+2|/(2k+2)!·yᵏ                           (6)
//! ```
//!
//! B_2k are Bernoulli's numbers: (6) converges up to a whole turn and is smooth at D = 0, where a joint that holds is. Points and axes are given in
//! the principal frames of their bodies. Which of them make a hinge or a weld is `build`.

use super::graph::Node;
use super::machine::{Parts, RelativeTurn};
use super::number::Number;
use super::sketch::{Seed, Sketch, Term, Triple};
use crate::math::rotation::hat;
use crate::math::{Mat3, Rotation, Vec3, rotation};

/// |B_2k+2|/(2k+2)! of (6).
const KAPPA: [f64; 28] = [
    0.08333333333333333,
    0.001388888888888889,
    3.306878306878307e-05,
    8.267195767195768e-07,
    2.08767569878681e-08,
    5.284190138687493e-10,
    1.3382536530684679e-11,
    3.3896802963225827e-13,
    8.586062056277845e-15,
    2.174868698558062e-16,
    5.5090028283602295e-18,
    1.3954464685812522e-19,
    3.534707039629467e-21,
    8.953517427037546e-23,
    2.267952452337683e-24,
    5.744790668872202e-26,
    1.455172475614865e-27,
    3.6859949406653103e-29,
    9.336734257095045e-31,
    2.36502241570063e-32,
    5.990671762482134e-34,
    1.5174548844682903e-35,
    3.843758125454189e-37,
    9.736353072646691e-39,
    2.466247044200681e-40,
    6.247076741820743e-42,
    1.5824030244644914e-43,
    4.008273685948936e-45,
];

/// A place and how fast it moves by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moving {
    pub value: Triple,
    /// Early: it follows from time alone.
    pub rate: Triple,
}

/// A point of each side; on a side of the world, the place there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arms {
    pub first: Triple,
    pub second: Moving,
}

/// R_rel of (5), between the bodies' own frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    /// R_rel.
    pub second_from_first: Rotation,
    /// Body from principal on both sides.
    pub body_from_principal: [Rotation; 2],
    /// The numbers that turn it, and by what each does, in the second body's frame (the world's where there is none).
    pub turned_by: Option<([Number; 3], Mat3)>,
    /// The largest |D| that comes, rad.
    pub farthest: f64,
}

impl Sketch<'_> {
    /// P_A − P_B.
    pub fn separation(&mut self, arms: &Arms) -> Triple {
        let (first, second) = (self.point(0, arms.first), self.point(1, arms.second.value));
        self.differences(first, second)
    }

    /// (1) for a direction, on both sides.
    pub fn across(&mut self, direction: Triple, arms: &Arms) -> [Option<[Triple; 2]>; 2] {
        [(0, arms.first), (1, arms.second.value)].map(|(side, point)| {
            self.bodies[side]?;
            let in_body = self.in_body(side, direction);
            Some([direction, self.cross(point, in_body)])
        })
    }

    /// −n·ṗ of a place of the world that moves by itself.
    fn drift(&mut self, direction: Triple, arms: &Arms) -> Term {
        let speed = self.dot(direction, arms.second.rate);
        self.scaled(-1.0, speed)
    }

    /// A node, also where a term is zero.
    pub fn node(&mut self, term: Term) -> Node {
        term.unwrap_or_else(|| self.graph.number(self.scope, 0.0))
    }
}

/// (1) along the axes of the world: two points are one.
pub(super) fn coincident(sketch: &mut Sketch, parts: &mut Parts, arms: &Arms, time_constant: Node) {
    let separation = sketch.separation(arms);
    for (axis, entry) in separation.into_iter().enumerate() {
        let direction = sketch.constant(&Vec3::ith(axis, 1.0));
        let gradients = sketch.across(direction, arms);
        let drift = sketch.drift(direction, arms);
        let value = sketch.node(entry);
        parts.row(gradients, value, drift, Some(time_constant), false);
    }
}

/// (2) for directions in the principal frame of the second side, or of the world.
pub(super) fn in_directions(
    sketch: &mut Sketch,
    parts: &mut Parts,
    arms: &Arms,
    directions: &[Vec3],
    time_constant: Node,
) {
    let separation = sketch.separation(arms);
    for direction in directions {
        let in_second = sketch.constant(direction);
        let in_world = sketch.in_world(1, in_second);
        let mut gradients = sketch.across(in_world, arms);
        if sketch.bodies[1].is_some() {
            let whole = sketch.in_body(1, separation);
            let from_center = sketch.sums(whole, arms.second.value);
            gradients[1] = Some([in_world, sketch.cross(from_center, in_second)]);
        }
        let value = sketch.dot(in_world, separation);
        let drift = sketch.drift(in_world, arms);
        let value = sketch.node(value);
        parts.row(gradients, value, drift, Some(time_constant), false);
    }
}

/// (3), with a length that may change by itself.
pub(super) fn at_distance(
    sketch: &mut Sketch,
    parts: &mut Parts,
    arms: &Arms,
    [length, length_rate]: [Term; 2],
    time_constant: Node,
) {
    let separation = sketch.separation(arms);
    let distance = sketch.length(separation);
    let direction = sketch.over(separation, distance);
    let gradients = sketch.across(direction, arms);
    let value = sketch.difference(Some(distance), length);
    let (value, drift) = (sketch.node(value), sketch.drift(direction, arms));
    let drift = sketch.difference(drift, length_rate);
    parts.row(gradients, value, drift, Some(time_constant), false);
}

/// (4): the first side's axis stays on the second's; all in principal frames.
pub(super) fn aligned(sketch: &mut Sketch, parts: &mut Parts, axis: &Vec3, onto: &Vec3, time_constant: Node) {
    let axis_in_first = sketch.constant(axis);
    let axis_in_world = sketch.in_world(0, axis_in_first);
    for across in normals(onto) {
        let across_in_second = sketch.constant(&across);
        let across_in_world = sketch.in_world(1, across_in_second);
        let in_first = sketch.in_body(0, across_in_world);
        let first = Some([[None; 3], sketch.cross(axis_in_first, in_first)]);
        let second = sketch.bodies[1].is_some().then(|| {
            let in_second = sketch.in_body(1, axis_in_world);
            [[None; 3], sketch.cross(in_second, across_in_second)]
        });
        let value = sketch.dot(across_in_world, axis_in_world);
        let value = sketch.node(value);
        parts.row([first, second], value, None, Some(time_constant), false);
    }
}

/// (5): D of the turn of one side from the other; held, or only measured. Its three components.
pub(super) fn turned(
    sketch: &mut Sketch,
    parts: &mut Parts,
    relative: &Relative,
    time_constant: Option<Node>,
) -> [Node; 3] {
    let nodes = [0; 3].map(|_| sketch.graph.input(sketch.scope));
    let value = nodes.map(Some);
    let columns = sketch.turning_columns(value, relative.farthest);
    let [first_frame, second_frame] = relative.body_from_principal;
    let second_from_first = second_frame.inverse() * relative.second_from_first * first_frame;
    let first_from_second = sketch.relative_entries(relative, &second_from_first);
    let first_row = parts.next_row();
    let mut against = [[None; 3]; 3];
    for (row, against) in against.iter_mut().enumerate() {
        let turning = columns.map(|column| column[row]);
        *against = [0, 1, 2].map(|k| sketch.dot(turning, first_from_second.map(|entries| entries[k])));
        let second = sketch.bodies[1].is_some().then_some([[None; 3], *against]);
        parts.row([Some([[None; 3], turning]), second], nodes[row], None, time_constant, true);
    }
    let given = relative.turned_by.and_then(|(numbers, turns)| {
        let column = |number: Number| sketch.ids.iter().position(|own| Some(*own) == number.id);
        Some(([column(numbers[0])?, column(numbers[1])?, column(numbers[2])?], turns))
    });
    parts.turn(RelativeTurn {
        element: parts.element(),
        nodes,
        rows: [0, 1, 2].map(|k| first_row + k),
        second_from_first,
        given,
        against,
        principal_from_second: second_frame.inverse(),
    });
    nodes
}

impl Sketch<'_> {
    /// dlog(D)·R_A, column by column.
    fn turning_columns(&mut self, value: Triple, farthest: f64) -> [Triple; 3] {
        let Some(body) = self.bodies[0] else { return [[None; 3]; 3] };
        let turn = body.turn;
        let square = self.dot(value, value);
        // The terms that a sum of this size notices.
        let (mut power, mut count) = (1.0, 0);
        while count < KAPPA.len() && KAPPA[count] * power > 0.1 * f64::EPSILON * KAPPA[0] {
            power *= farthest * farthest;
            count += 1;
        }
        let mut kappa = None;
        for coefficient in KAPPA[..count.max(2)].iter().rev() {
            let higher = self.product(kappa, square);
            let constant = self.number((*coefficient).into());
            kappa = self.sum(higher, constant);
        }
        [0, 1, 2].map(|column| {
            let direction = turn.map(|row| Some(row[column]));
            let once = self.cross(value, direction);
            let twice = self.cross(value, once);
            let bent = self.multiple(kappa, twice);
            let half = once.map(|entry| self.scaled(-0.5, entry));
            let sum = self.sums(direction, half);
            self.sums(sum, bent)
        })
    }

    /// R_relᵀ between principal frames, row by row; its entries change with the numbers that turn it:
    /// δ(P_Aᵀ·R_relᵀ·P_B) = −P_Aᵀ·R_relᵀ·\[δ\]·P_B.
    fn relative_entries(&mut self, relative: &Relative, second_from_first: &Rotation) -> [Triple; 3] {
        let matrix = |turn: &Rotation| turn.to_rotation_matrix().into_inner();
        let entries = matrix(&second_from_first.inverse());
        let [first_frame, second_frame] = relative.body_from_principal;
        let left = matrix(&(first_frame.inverse() * relative.second_from_first.inverse()));
        let change = |turn: Vec3| -left * hat(turn) * matrix(&second_frame);
        let mut changes: Vec<(usize, Mat3)> = Vec::new();
        for (k, number) in relative.turned_by.iter().flat_map(|(numbers, _)| numbers.iter().enumerate()) {
            let turn = relative.turned_by.map_or(Vec3::zeros(), |(_, turns)| turns.column(k).into_owned());
            let column = self.ids.iter().position(|own| Some(*own) == number.id);
            changes.extend(column.map(|column| (column, change(turn))));
        }
        [0, 1, 2].map(|row| {
            [0, 1, 2].map(|column| {
                if changes.is_empty() {
                    return self.number(entries[(row, column)].into());
                }
                let node = self.graph.number(self.scope, entries[(row, column)]);
                let seed = |(number, change): &(usize, Mat3)| Seed {
                    node,
                    number: *number,
                    derivative: change[(row, column)],
                };
                self.seeds.extend(changes.iter().map(seed));
                Some(node)
            })
        })
    }
}

/// The travel along a direction of the second side, beyond that of the start, is that of a course.
pub(super) fn along(
    sketch: &mut Sketch,
    parts: &mut Parts,
    arms: &Arms,
    direction: &Vec3,
    start: Number,
    [course, course_rate]: [Term; 2],
    time_constant: Node,
) {
    let separation = sketch.separation(arms);
    let in_second = sketch.constant(direction);
    let in_world = sketch.in_world(1, in_second);
    let mut gradients = sketch.across(in_world, arms);
    if sketch.bodies[1].is_some() {
        let whole = sketch.in_body(1, separation);
        let from_center = sketch.sums(whole, arms.second.value);
        gradients[1] = Some([in_world, sketch.cross(from_center, in_second)]);
    }
    let (travel, start) = (sketch.dot(in_world, separation), sketch.number(start));
    let from_start = sketch.difference(travel, start);
    let value = sketch.difference(from_start, course);
    let (value, drift) = (sketch.node(value), sketch.drift(in_world, arms));
    let drift = sketch.difference(drift, course_rate);
    parts.row(gradients, value, drift, Some(time_constant), false);
}

/// Two unit directions normal to an axis and to each other: n × x and n × (n × x), with y for x where n is near it.
pub(super) fn normals(axis: &Vec3) -> [Vec3; 2] {
    let axis = axis.normalize();
    let other = if axis.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() };
    let first = axis.cross(&other).normalize();
    [first, axis.cross(&first)]
}

/// The largest angle that a relative turn may come to from one that it has, where it is held: it falls from there on, but for
/// what its speed carries it, D₀ + (Ḋ₀ + D₀/τ)·t times e^(−t/τ).
pub(super) fn farthest_turn(angle: f64, speed: f64, time_constant: f64) -> f64 {
    (angle + speed * time_constant).min(std::f64::consts::PI)
}

/// The turn of a start, as (5) sees it.
pub(super) fn start_angle(rotations: [&Rotation; 2], second_from_first: &Rotation) -> f64 {
    rotation::log(&(rotations[0] * second_from_first.inverse() * rotations[1].inverse())).norm()
}
