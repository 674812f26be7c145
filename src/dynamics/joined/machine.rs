//! A group of bodies with all that joins them and pulls on them, as one graph of series.
//!
//! ```text
//! v̇ = g + (f + Σ J_xᵀ·λ)/m,      σ̇_i = a_i·σ_j·σ_k + (τ + Σ J_φᵀ·λ)_i/Λ_i,      a_i = (Λ_j − Λ_k)/Λ_i          (1)
//! Ḋ  = Σ_bodies (J_x·v + J_φ·σ) + D_t                                                                        (2)
//! D̈ + (2/τ)·Ḋ + D/τ² = 0                                                                                     (3)
//! ```
//!
//! Turns are those of the principal axes: R world from principal, σ the spin and φ a small turn in the principal frame, with
//! R ← R·exp(\[φ\]), so that masses are constant. A *row* is one component of D with its gradients J; most are held by (3), a few
//! are only measured. What rows and forces are made of is written by the files beside this one (`rows`, `forces`); the motion
//! that follows is `expansion`, its change with the state and with numbers `linearised`.

use super::graph::{BODY_COLUMNS, Graph, Node, Scope};
use super::number::{NumberId, Owner, What};
use super::sketch::{BodyNodes, Seed, Sketch, Term, Triple};
use crate::dynamics::MassProperties;
use crate::math::{Mat3, Rotation, Vec3, profile};

/// A group of bodies, what joins them and what pulls on them, at one control vector.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) graph: Graph,
    pub(super) members: Vec<Member>,
    pub(super) elements: Vec<Element>,
    pub(super) rows: Vec<Row>,
    /// The rows that (3) holds, in the order in which they are solved.
    pub(super) held: Vec<usize>,
    /// The first of the held rows that each of them meets.
    pub(super) first: Vec<usize>,
    pub(super) turns: Vec<RelativeTurn>,
    pub(super) roots: Vec<Root>,
    pub(super) forces: Vec<Force>,
    pub(super) gravity: Vec3,
    /// The members' places among the bodies of the scene.
    pub(super) bodies: Vec<usize>,
    /// The joints that hold, by their places in the scene.
    pub(super) joints: Vec<usize>,
}

/// A body of the group.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub mass: MassProperties,
    /// Whether it is pushed; what is not stays where it is.
    pub moves: bool,
    pub nodes: BodyNodes,
    /// 1/m.
    pub inverse_mass: f64,
    /// 1/Λ_i; zero where there is none.
    pub inverse_inertia: Vec3,
    /// a_i of (1).
    pub ratios: Vec3,
}

/// What a joint or a force has in the graph: its scope, the members on its sides, and its numbers.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub owner: Owner,
    pub scope: Scope,
    pub sides: [Option<usize>; 2],
    pub ids: Vec<NumberId>,
    pub seeds: Vec<Seed>,
}

/// One component of a D.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub element: usize,
    pub sides: [Option<RowSide>; 2],
    pub value: Node,
    /// D_t.
    pub drift: Term,
    /// τ of (3), s; none where it is only measured.
    pub time_constant: Option<Node>,
    /// Its value is not worked out by the graph but is the integral of (2).
    pub is_integrated: bool,
}

/// The gradient of a row by the place of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSide {
    pub member: usize,
    /// J_x, in the world.
    pub along: Triple,
    /// J_φ, in the principal frame.
    pub turning: Triple,
    pub sign: f64,
}

/// D = log(R_A·R_relᵀ·R_Bᵀ): the turn of one body seen from another, beyond a given one.
#[derive(Clone, Debug)]
pub(super) struct RelativeTurn {
    pub element: usize,
    pub nodes: [Node; 3],
    /// Its rows, where a body turns on the first side.
    pub rows: [usize; 3],
    /// Principal frame of the second body (or the world) from that of the first: R_relᵀ between principal frames, backwards.
    pub second_from_first: Rotation,
    /// The columns of its three numbers, and the turn of R_rel, in the second body's frame, that each of them is.
    pub given: Option<([usize; 3], Mat3)>,
    /// J_B of each row by the second body's principal turn, also where there is no second body.
    pub against: [Triple; 3],
    /// P_Bᵀ.
    pub principal_from_second: Rotation,
}

/// A number that an equation decides: its residual is zero where the flight begins, and an integrated row follows it from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub node: Node,
    /// Where it is when the flight begins; each expansion begins with the value that it has reached.
    pub start: f64,
    pub residual: Node,
    /// −∂residual/∂node.
    pub steepness: Node,
}

/// What pulls on the sides of an element.
#[derive(Clone, Debug)]
pub(super) struct Force {
    pub element: usize,
    pub sides: [Option<ForceSide>; 2],
}

/// A force in the world and a torque in the principal frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForceSide {
    pub member: usize,
    pub force: Triple,
    pub torque: Triple,
    pub sign: f64,
}

/// i, j, k in cyclic order.
pub(super) const CYCLE: [(usize, usize, usize); 3] = [(0, 1, 2), (1, 2, 0), (2, 0, 1)];

impl Machine {
    /// Bodies without anything that joins them.
    pub fn new(bodies: &[usize], masses: &[MassProperties], gravity: Vec3) -> Machine {
        let mut graph = Graph::default();
        let members = masses.iter().enumerate().map(|(place, mass)| Member::new(&mut graph, place, mass)).collect();
        let (elements, rows, held, first) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (turns, roots, forces) = (Vec::new(), Vec::new(), Vec::new());
        Machine {
            graph,
            members,
            elements,
            rows,
            held,
            first,
            turns,
            roots,
            forces,
            gravity,
            bodies: bodies.to_vec(),
            joints: Vec::new(),
        }
    }

    /// The joints that hold, by their places in the scene.
    pub fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// The forces that act, by their places in the scene.
    pub(super) fn forces(&self) -> Vec<usize> {
        let of_force = |element: &Element| if let Owner::Force(force) = element.owner { Some(force) } else { None };
        self.elements.iter().filter_map(of_force).collect()
    }

    /// What holds rows, each once.
    pub fn holders(&self) -> Vec<Owner> {
        let mut holders: Vec<Owner> =
            self.held.iter().map(|&row| self.elements[self.rows[row].element].owner).collect();
        holders.sort_unstable();
        holders.dedup();
        holders
    }

    /// How many bodies it has, those too that stay.
    pub fn member_count(&self) -> usize {
        self.members.len()
    }

    /// The numbers of all joints, forces and tracks on which it depends.
    pub fn number_ids(&self) -> Vec<NumberId> {
        let mut ids: Vec<NumberId> = self.elements.iter().flat_map(|element| element.ids.iter().copied()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Whether a member is pushed.
    pub fn moves(&self, member: usize) -> bool {
        self.members[member].moves
    }

    /// Adds an element of an owner: what `write` puts into the graph, with these members on its sides and these numbers.
    pub(super) fn add(
        &mut self,
        owner: Owner,
        sides: [Option<usize>; 2],
        mut ids: Vec<NumberId>,
        write: impl FnOnce(&mut Sketch, &mut Parts),
    ) {
        ids.sort_unstable();
        ids.dedup();
        let (element, scope) = (self.elements.len(), self.graph.element(sides, ids.len()));
        let members = &self.members;
        let bodies = sides.map(|side| side.map(|member| &members[member].nodes));
        let clock = ids.iter().position(|id| id.what == What::Clock);
        let mut sketch = Sketch { graph: &mut self.graph, scope, bodies, ids: &ids, seeds: Vec::new(), clock };
        let mut parts = Parts { element, sides, rows: self.rows.len(), ..Parts::default() };
        write(&mut sketch, &mut parts);
        let seeds = sketch.seeds;
        let immovable = |side: &Option<usize>| side.filter(|&member| !members[member].moves).is_some();
        for row in &mut parts.new_rows {
            row.sides.iter_mut().for_each(|side| {
                side.take_if(|side| immovable(&Some(side.member)));
            });
        }
        for force in &mut parts.new_forces {
            force.sides.iter_mut().for_each(|side| {
                side.take_if(|side| immovable(&Some(side.member)));
            });
        }
        self.rows.extend(parts.new_rows);
        self.forces.extend(parts.new_forces);
        self.turns.extend(parts.new_turns);
        self.roots.extend(parts.new_roots);
        self.elements.push(Element { owner, scope, sides, ids, seeds });
    }

    /// Puts the held rows in an order in which a chain costs as much as it is long. To be called once all is added.
    pub(super) fn arrange(&mut self) {
        let held: Vec<usize> = (0..self.rows.len()).filter(|&row| self.rows[row].time_constant.is_some()).collect();
        let members = |row: usize| self.rows[row].sides.iter().flatten().map(|side| side.member);
        let mut of_member: Vec<Vec<usize>> = vec![Vec::new(); self.members.len()];
        for (place, &row) in held.iter().enumerate() {
            members(row).for_each(|member| of_member[member].push(place));
        }
        let neighbours: Vec<Vec<usize>> = held
            .iter()
            .enumerate()
            .map(|(place, &row)| {
                members(row).flat_map(|m| of_member[m].clone()).filter(|&other| other != place).collect()
            })
            .collect();
        let order = profile::order(&neighbours);
        let mut place_of = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place_of[old] = new);
        let first = |(new, &old): (usize, &usize)| neighbours[old].iter().map(|&n| place_of[n]).fold(new, usize::min);
        self.first = order.iter().enumerate().map(first).collect();
        self.held = order.into_iter().map(|place| held[place]).collect();
    }
}

impl Member {
    fn new(graph: &mut Graph, place: usize, mass: &MassProperties) -> Member {
        let (moves, scope) = (mass.is_pushed(), Scope::Body(place));
        let position = [0; 3].map(|_| if moves { graph.input(scope) } else { graph.steady_input(scope) });
        let orientation = [0; 4].map(|_| if moves { graph.input(scope) } else { graph.steady_input(scope) });
        let turn = turn_of(graph, scope, orientation);
        let late = |graph: &mut Graph| [0; 3].map(|_| moves.then(|| graph.late_input(scope)));
        let (velocity, spin) = (late(graph), late(graph));
        let moments = mass.inertia;
        let inverse = |moment: f64| if moves && moment > 0.0 { 1.0 / moment } else { 0.0 };
        let inverse_inertia = moments.map(inverse);
        let mut ratios = Vec3::zeros();
        for (i, j, k) in CYCLE {
            ratios[i] = if inverse_inertia[i] > 0.0 { (moments[j] - moments[k]) * inverse_inertia[i] } else { 0.0 };
        }
        let nodes = BodyNodes { position, orientation, turn, velocity, spin };
        Member { mass: *mass, moves, nodes, inverse_mass: mass.inverse_mass(), inverse_inertia, ratios }
    }
}

/// R of a quaternion, by products of its entries.
fn turn_of(graph: &mut Graph, scope: Scope, [x, y, z, w]: [Node; 4]) -> [[Node; 3]; 3] {
    let mut product = |a: Node, b: Node| graph.product(scope, a, b);
    let squares = [x, y, z, w].map(|q| product(q, q));
    let mixed = [(y, z), (z, x), (x, y)].map(|(a, b)| product(a, b));
    let with_w = [x, y, z].map(|q| product(q, w));
    let mut turn = [[x; 3]; 3];
    for (i, j, k) in CYCLE {
        let along = graph.sum(scope, squares[3], squares[i]);
        let across = graph.sum(scope, squares[j], squares[k]);
        turn[i][i] = graph.difference(scope, along, across);
        let (plus, minus) = (graph.sum(scope, mixed[k], with_w[k]), graph.difference(scope, mixed[k], with_w[k]));
        turn[j][i] = graph.scaled(scope, 2.0, plus);
        turn[i][j] = graph.scaled(scope, 2.0, minus);
    }
    turn
}

/// Rows, turns and forces of an element on its way into the machine.
#[derive(Default)]
pub(super) struct Parts {
    element: usize,
    sides: [Option<usize>; 2],
    /// How many rows stand before.
    rows: usize,
    new_rows: Vec<Row>,
    new_turns: Vec<RelativeTurn>,
    new_roots: Vec<Root>,
    new_forces: Vec<Force>,
}

impl Parts {
    /// The element's place.
    pub fn element(&self) -> usize {
        self.element
    }

    /// The place that the next row gets.
    pub fn next_row(&self) -> usize {
        self.rows + self.new_rows.len()
    }

    /// A row: gradients along and turning for each side, the value, D_t and τ.
    pub fn row(
        &mut self,
        gradients: [Option<[Triple; 2]>; 2],
        value: Node,
        drift: Term,
        time_constant: Option<Node>,
        is_integrated: bool,
    ) {
        let side = |side: usize, sign: f64| {
            let [along, turning] = gradients[side]?;
            Some(RowSide { member: self.sides[side]?, along, turning, sign })
        };
        let sides = [side(0, 1.0), side(1, -1.0)];
        self.new_rows.push(Row { element: self.element, sides, value, drift, time_constant, is_integrated });
    }

    /// A relative turn.
    pub fn turn(&mut self, turn: RelativeTurn) {
        self.new_turns.push(turn);
    }

    /// A number that an equation decides.
    pub fn root(&mut self, root: Root) {
        self.new_roots.push(root);
    }

    /// A force on the first side with a torque in its principal frame; on the second the opposite force, and a torque of
    /// its own, in its principal frame, opposite too.
    pub fn force(&mut self, force: Triple, torques: [Triple; 2]) {
        let side =
            |side: usize, sign: f64| Some(ForceSide { member: self.sides[side]?, force, torque: torques[side], sign });
        self.new_forces.push(Force { element: self.element, sides: [side(0, 1.0), side(1, -1.0)] });
    }
}

/// Columns of all members' states.
impl Machine {
    /// How many columns the states of all members have.
    pub(super) fn state_columns(&self) -> usize {
        BODY_COLUMNS * self.members.len()
    }
}
