//! How the accelerations of a machine change with its state and its numbers, at one instant.
//!
//! With b and the passes λ^k of `expansion`, a = a⁰ + W·Jᵀ·λ and K = J·W·Jᵀ,
//!
//! ```text
//! δb   = δJ·a⁰ + J·δa⁰ + δJ̇·v + J̇·δv + δD_tt + (2/τ)·δḊ + δD/τ² − (2·Ḋ/τ² + 2·D/τ³)·δτ                    (1)
//! (K + ε·diag K)·δλ^k = ε·diag K·δλ^(k−1) + ε·δ(diag K)·(λ^(k−1) − λ^k) − δb − δK·λ^k                        (2)
//! δa   = δa⁰ + δ(W·Jᵀ)·λ + W·Jᵀ·δλ                                                                          (3)
//! ```
//!
//! Every joint and force gives its part by the few columns that it knows: those of its bodies and of its own numbers. Columns
//! of all are those of the members' states, twelve each (δx, φ, δv, δσ), then what else is asked for.

use super::expansion::{COMPLIANCE, Expansion, PASSES};
use super::graph::{BODY_COLUMNS, Node, Tangents};
use super::machine::{CYCLE, Machine, RowSide};
use super::number::Column;
use super::sketch::NUMBER_COLUMNS;

/// The change of all accelerations: six rows a member, row by row.
pub(super) struct Linearised<'a> {
    pub machine: &'a Machine,
    wanted: &'a [Column],
    /// How many columns there are.
    pub columns: usize,
    pub tangents: Tangents,
    /// Where an element's columns are among all; none where nobody asks.
    pub maps: Vec<Vec<Option<usize>>>,
    /// The result.
    pub accelerations: Vec<f64>,
    /// δλ of the latest pass: held rows × columns.
    pub reactions: Vec<f64>,
    /// δb.
    pub(super) against: Vec<f64>,
    /// δ(diag K).
    diagonal: Vec<f64>,
    /// δ(W·Jᵀ)·λ.
    pub(super) pushed: Vec<f64>,
    pub(super) local: Vec<f64>,
}

impl<'a> Linearised<'a> {
    /// Buffers for a machine and what is asked of it beside states.
    pub fn new(machine: &'a Machine, wanted: &'a [Column]) -> Linearised<'a> {
        let columns = machine.state_columns() + wanted.len();
        let place = |column: Column| wanted.iter().position(|other| *other == column);
        let map = |element: &super::machine::Element| {
            let states = element.sides.iter().flat_map(|side| {
                (0..BODY_COLUMNS).map(move |column| side.map(|member| member * BODY_COLUMNS + column))
            });
            let numbers =
                element.ids.iter().map(|&id| place(Column::Number(id)).map(|at| machine.state_columns() + at));
            states.chain(numbers).collect()
        };
        let (held, members) = (machine.held.len(), machine.members.len());
        Linearised {
            machine,
            wanted,
            columns,
            tangents: machine.graph.tangents(),
            maps: machine.elements.iter().map(map).collect(),
            accelerations: vec![0.0; 6 * members * columns],
            reactions: vec![0.0; held * columns],
            against: vec![0.0; held * columns],
            diagonal: vec![0.0; held * columns],
            pushed: vec![0.0; 6 * members * columns],
            local: Vec::new(),
        }
    }

    /// Works out the change where an expansion has its first order.
    pub fn at(&mut self, expansion: &Expansion) {
        self.vary(expansion);
        self.vary_free(expansion);
        self.vary_diagonal(expansion);
        self.vary_against(expansion);
        self.answer(expansion);
    }

    /// Works out the change of what impulses do that answer changes of the held rows' rates, which change by `against`.
    pub fn at_response(&mut self, expansion: &Expansion, against: &[f64]) {
        self.vary(expansion);
        self.accelerations.fill(0.0);
        self.vary_diagonal(expansion);
        self.against.copy_from_slice(against);
        self.answer(expansion);
    }

    /// (2) and (3), from δa⁰ and δb.
    fn answer(&mut self, expansion: &Expansion) {
        self.vary_reactions(expansion);
        let last = &expansion.passes[PASSES - 1];
        self.push(expansion, last);
        self.accelerations.iter_mut().zip(&self.pushed).for_each(|(sum, pushed)| *sum += pushed);
        let machine = self.machine;
        for (place, &row) in machine.held.iter().enumerate() {
            for side in machine.rows[row].sides.iter().flatten() {
                let (gradient, weights) = (expansion.values.gradient(side), machine.members[side.member].weights());
                let reaction = &self.reactions[place * self.columns..(place + 1) * self.columns];
                for k in 0..6 {
                    let row = 6 * side.member + k;
                    let sum = &mut self.accelerations[row * self.columns..(row + 1) * self.columns];
                    add(sum, weights[k] * gradient[k], reaction);
                }
            }
        }
    }

    /// The tangent of a node by the columns of an element; zeros of none.
    pub(super) fn of_node(&self, element: usize, node: Option<Node>) -> Vec<f64> {
        let (graph, scope) = (&self.machine.graph, self.machine.elements[element].scope);
        let mut sum = vec![0.0; graph.width(scope)];
        node.iter().for_each(|&node| graph.accumulate(&self.tangents, (node, 0), 1.0, scope, &mut sum));
        sum
    }

    /// Tangents of the whole graph.
    pub(super) fn vary(&mut self, expansion: &Expansion) {
        let machine = self.machine;
        let (graph, values) = (&machine.graph, &expansion.values);
        self.tangents.clear();
        for member in &machine.members {
            self.seed_member(member, expansion);
        }
        for element in &machine.elements {
            for seed in &element.seeds {
                graph.tangent_mut(&mut self.tangents, seed.node, 0)[NUMBER_COLUMNS + seed.number] += seed.derivative;
            }
        }
        self.seed_turns(expansion);
        graph.vary_early(values, &mut self.tangents, 0);
        if !machine.roots.is_empty() {
            // The residual's change with the root held gives that of the root.
            for root in &machine.roots {
                self.copy_tangent([root.node, root.residual], 0, 1.0 / values.of(root.steepness)[0]);
            }
            graph.clear_early(&mut self.tangents);
            graph.vary_early(values, &mut self.tangents, 0);
        }
        for row in 0..machine.rows.len() {
            if machine.rows[row].is_integrated {
                let speed = self.speed(expansion, row);
                graph.tangent_mut(&mut self.tangents, machine.rows[row].value, 1).copy_from_slice(&speed);
            }
        }
        graph.vary_early(values, &mut self.tangents, 1);
        graph.vary_late(values, &mut self.tangents);
    }

    fn copy_tangent(&mut self, [to, from]: [Node; 2], n: usize, factor: f64) {
        let graph = &self.machine.graph;
        let mut sum = vec![0.0; graph.tangent_mut(&mut self.tangents, to, n).len()];
        graph.accumulate(&self.tangents, (from, n), factor, graph.scope(to), &mut sum);
        graph.tangent_mut(&mut self.tangents, to, n).copy_from_slice(&sum);
    }

    /// δx, δQ = ½·Q∘φ, δv, δσ; and of the next coefficients δv and ½·(δQ∘σ + Q∘δσ).
    fn seed_member(&mut self, member: &super::machine::Member, expansion: &Expansion) {
        let (graph, values, nodes) = (&self.machine.graph, &expansion.values, &member.nodes);
        let tangents = &mut self.tangents;
        let q = nodes.orientation.map(|node| values.of(node)[0]);
        let units = [0, 1, 2].map(|k| half_product(q, k));
        for k in 0..3 {
            graph.tangent_mut(tangents, nodes.position[k], 0)[k] = 1.0;
        }
        for (lane, orientation) in nodes.orientation.into_iter().enumerate() {
            let entries = graph.tangent_mut(tangents, orientation, 0);
            (0..3).for_each(|k| entries[3 + k] = units[k][lane]);
        }
        if !member.moves {
            return;
        }
        for k in 0..3 {
            let pairs = [(nodes.velocity[k], 6), (nodes.spin[k], 9)];
            pairs.into_iter().for_each(|(node, first)| {
                node.iter().for_each(|&node| graph.tangent_mut(tangents, node, 0)[first + k] = 1.0);
            });
            graph.tangent_mut(tangents, nodes.position[k], 1)[6 + k] = 1.0;
        }
        let spin = nodes.spin.map(|node| values.coefficient(node, 0));
        for (lane, orientation) in nodes.orientation.into_iter().enumerate() {
            // δQ∘σ for the turn of each axis.
            let turned: Vec<f64> =
                units.iter().map(|unit| (0..3).map(|s| half_product(*unit, s)[lane] * spin[s]).sum()).collect();
            let entries = graph.tangent_mut(tangents, orientation, 1);
            for k in 0..3 {
                entries[3 + k] = turned[k];
                entries[9 + k] = units[k][lane];
            }
        }
    }

    /// δD of relative turns, by the turns of the sides and of what they are seen from.
    fn seed_turns(&mut self, expansion: &Expansion) {
        let machine = self.machine;
        let (graph, values) = (&machine.graph, &expansion.values);
        for turn in &machine.turns {
            for k in 0..3 {
                let row = &machine.rows[turn.rows[k]];
                let mut entries = vec![0.0; graph.width(machine.elements[turn.element].scope)];
                let against = turn.against[k].map(|node| values.coefficient(node, 0));
                for axis in 0..3 {
                    if let Some(side) = &row.sides[0] {
                        entries[3 + axis] = values.coefficient(side.turning[axis], 0);
                    }
                    // Also of a second body that does not move: it may stand elsewhere.
                    if machine.elements[turn.element].sides[1].is_some() {
                        entries[BODY_COLUMNS + 3 + axis] = -against[axis];
                    }
                }
                if let Some((numbers, turns)) = turn.given {
                    for (number, column) in numbers.into_iter().zip(turns.column_iter()) {
                        let seen = turn.principal_from_second * column;
                        let change: f64 = (0..3).map(|axis| against[axis] * seen[axis]).sum();
                        entries[NUMBER_COLUMNS + number] = -change;
                    }
                }
                graph.tangent_mut(&mut self.tangents, turn.nodes[k], 0).copy_from_slice(&entries);
            }
        }
    }

    /// δḊ of a row, by the columns of its element.
    pub(super) fn speed(&self, expansion: &Expansion, row: usize) -> Vec<f64> {
        let (machine, values) = (self.machine, &expansion.values);
        let (graph, law) = (&machine.graph, &machine.rows[row]);
        let scope = machine.elements[law.element].scope;
        let mut sum = vec![0.0; graph.width(scope)];
        for (place, side) in sides(law) {
            let nodes = &machine.members[side.member].nodes;
            for (k, (gradient, velocity)) in gradients(side).zip(nodes.velocity.iter().chain(&nodes.spin)).enumerate() {
                let Some(gradient) = gradient else { continue };
                let speed = side.sign * values.coefficient(*velocity, 0);
                graph.accumulate(&self.tangents, (gradient, 0), speed, scope, &mut sum);
                sum[BODY_COLUMNS * place + 6 + k] += side.sign * values.of(gradient)[0];
            }
        }
        if let Some(drift) = law.drift {
            graph.accumulate(&self.tangents, (drift, 0), 1.0, scope, &mut sum);
        }
        sum
    }

    /// δa⁰.
    fn vary_free(&mut self, expansion: &Expansion) {
        let machine = self.machine;
        let (values, columns) = (&expansion.values, self.columns);
        self.accelerations.fill(0.0);
        let mut pulls = vec![[0.0; 6]; machine.members.len()];
        for force in &machine.forces {
            for side in force.sides.iter().flatten() {
                let weights = machine.members[side.member].weights();
                for (k, node) in side.force.iter().chain(&side.torque).enumerate() {
                    let Some(node) = node else { continue };
                    let factor = side.sign * weights[k];
                    pulls[side.member][k] += factor * values.of(*node)[0];
                    self.scatter(force.element, |scope, graph, tangents, sum| {
                        graph.accumulate(tangents, (*node, 0), factor, scope, sum);
                    });
                    self.gather(force.element, Target::Accelerations(6 * side.member + k));
                }
            }
        }
        for (place, member) in machine.members.iter().enumerate().filter(|(_, member)| member.moves) {
            let spin = member.nodes.spin.map(|node| values.coefficient(node, 0));
            for (i, j, k) in CYCLE {
                let entries = &mut self.accelerations[(6 * place + 3 + i) * columns..][..columns];
                entries[BODY_COLUMNS * place + 9 + j] += member.ratios[i] * spin[k];
                entries[BODY_COLUMNS * place + 9 + k] += member.ratios[i] * spin[j];
            }
        }
        self.vary_free_by_numbers(values, &pulls);
    }

    /// δa⁰ by gravity, masses and moments.
    fn vary_free_by_numbers(&mut self, values: &super::graph::Values, pulls: &[[f64; 6]]) {
        let machine = self.machine;
        for (at, column) in self.wanted.iter().enumerate() {
            let at = machine.state_columns() + at;
            let mut set = |row: usize, value: f64| self.accelerations[row * self.columns + at] += value;
            match *column {
                Column::Gravity(axis) => {
                    let moving = (0..machine.members.len()).filter(|&place| machine.members[place].moves);
                    moving.for_each(|place| set(6 * place + axis, 1.0));
                }
                Column::Mass(place) => {
                    let inverse = machine.members[place].inverse_mass;
                    (0..3).for_each(|k| set(6 * place + k, -inverse * pulls[place][k]));
                }
                Column::Inertia(place, axis) => {
                    let member = &machine.members[place];
                    let spin = member.nodes.spin.map(|node| values.coefficient(node, 0));
                    let inverse = member.inverse_inertia;
                    set(6 * place + 3 + axis, -inverse[axis] * pulls[place][3 + axis]);
                    for (i, j, k) in CYCLE {
                        let dratio = if axis == i {
                            -member.ratios[i] * inverse[i]
                        } else if axis == j {
                            inverse[i]
                        } else {
                            -inverse[i]
                        };
                        set(6 * place + 3 + i, dratio * spin[j] * spin[k]);
                    }
                }
                Column::Number(_) => {}
            }
        }
    }

    /// δ(diag K).
    fn vary_diagonal(&mut self, expansion: &Expansion) {
        let (machine, values, columns) = (self.machine, &expansion.values, self.columns);
        self.diagonal.fill(0.0);
        for (place, &row) in machine.held.iter().enumerate() {
            let law = &machine.rows[row];
            self.scatter(law.element, |scope, graph, tangents, sum| {
                for (_, side) in sides(law) {
                    let weights = machine.members[side.member].weights();
                    for (gradient, weight) in gradients(side).zip(weights) {
                        let Some(gradient) = gradient else { continue };
                        graph.accumulate(tangents, (gradient, 0), 2.0 * weight * values.of(gradient)[0], scope, sum);
                    }
                }
            });
            self.gather(law.element, Target::Diagonal(place));
            for (_, side) in sides(law) {
                let gradient = values.gradient(side);
                for (at, k, change) in self.weight_changes(side.member) {
                    self.diagonal[place * columns + at] += gradient[k] * gradient[k] * change;
                }
            }
        }
    }

    /// (1).
    fn vary_against(&mut self, expansion: &Expansion) {
        let machine = self.machine;
        let (values, columns) = (&expansion.values, self.columns);
        self.against.fill(0.0);
        for (place, &row) in machine.held.iter().enumerate() {
            let law = &machine.rows[row];
            let time_constant = law.time_constant;
            let tau = time_constant.map_or(1.0, |node| values.of(node)[0]);
            let speed = self.speed(expansion, row);
            let (value, rate) = (values.of(law.value)[0], expansion.speeds[row][0]);
            self.scatter(law.element, |scope, graph, tangents, sum| {
                sum.iter_mut().zip(&speed).for_each(|(sum, speed)| *sum += 2.0 / tau * speed);
                graph.accumulate(tangents, (law.value, 0), 1.0 / (tau * tau), scope, sum);
                if let Some(node) = time_constant {
                    let slope = -2.0 * (rate + value / tau) / (tau * tau);
                    graph.accumulate(tangents, (node, 0), slope, scope, sum);
                }
                if let Some(drift) = law.drift {
                    graph.accumulate(tangents, (drift, 1), 1.0, scope, sum);
                }
                for (side_place, side) in sides(law) {
                    let nodes = &machine.members[side.member].nodes;
                    let velocities = nodes.velocity.iter().chain(&nodes.spin);
                    for (k, (gradient, velocity)) in gradients(side).zip(velocities).enumerate() {
                        let Some(gradient) = gradient else { continue };
                        let free = side.sign * expansion.free[side.member][k];
                        graph.accumulate(tangents, (gradient, 0), free, scope, sum);
                        let velocity = side.sign * values.coefficient(*velocity, 0);
                        graph.accumulate(tangents, (gradient, 1), velocity, scope, sum);
                        sum[BODY_COLUMNS * side_place + 6 + k] += side.sign * values.of(gradient)[1];
                    }
                }
            });
            self.gather(law.element, Target::Against(place));
            for (_, side) in sides(law) {
                let gradient = values.gradient(side);
                for (k, gradient) in gradient.iter().enumerate() {
                    let row = 6 * side.member + k;
                    let source = &self.accelerations[row * columns..(row + 1) * columns];
                    add(&mut self.against[place * columns..(place + 1) * columns], *gradient, source);
                }
            }
        }
    }

    /// Columns that change an inverse mass of a member: the column, which of the six, and how.
    fn weight_changes(&self, member: usize) -> Vec<(usize, usize, f64)> {
        let weights = self.machine.members[member].weights();
        let mut changes = Vec::new();
        for (at, column) in self.wanted.iter().enumerate() {
            let at = self.machine.state_columns() + at;
            match *column {
                Column::Mass(place) if place == member => {
                    changes.extend((0..3).map(|k| (at, k, -weights[k] * weights[k])));
                }
                Column::Inertia(place, axis) if place == member => {
                    changes.push((at, 3 + axis, -weights[3 + axis] * weights[3 + axis]));
                }
                _ => {}
            }
        }
        changes
    }

    /// (2), pass by pass.
    fn vary_reactions(&mut self, expansion: &Expansion) {
        let (machine, columns) = (self.machine, self.columns);
        let held = machine.held.len();
        self.reactions.fill(0.0);
        let nothing = vec![0.0; held];
        for pass in 0..PASSES {
            let reaction = &expansion.passes[pass];
            let before = if pass == 0 { &nothing } else { &expansion.passes[pass - 1] };
            self.push(expansion, reaction);
            let answers = self.answers(expansion, reaction);
            for (place, &row) in machine.held.iter().enumerate() {
                let law = &machine.rows[row];
                let scale = expansion.scale[place];
                let diagonal = if scale > 0.0 { COMPLIANCE / (scale * scale) } else { 0.0 };
                self.scatter(law.element, |scope, graph, tangents, sum| {
                    for (_, side) in sides(law) {
                        for (k, gradient) in gradients(side).enumerate() {
                            let Some(gradient) = gradient else { continue };
                            let answer = -side.sign * answers[side.member][k];
                            graph.accumulate(tangents, (gradient, 0), answer, scope, sum);
                        }
                    }
                });
                let own = place * columns..(place + 1) * columns;
                self.reactions[own.clone()].iter_mut().for_each(|entry| *entry *= diagonal);
                self.gather(law.element, Target::Reactions(place));
                let entries = &mut self.reactions[own.clone()];
                add(entries, -1.0, &self.against[own.clone()]);
                add(entries, COMPLIANCE * (before[place] - reaction[place]), &self.diagonal[own]);
                for (_, side) in sides(law) {
                    let gradient = expansion.values.gradient(side);
                    for (k, gradient) in gradient.iter().enumerate() {
                        let row = 6 * side.member + k;
                        add(entries, -gradient, &self.pushed[row * columns..(row + 1) * columns]);
                    }
                }
                entries.iter_mut().for_each(|entry| *entry *= scale);
            }
            expansion.factor.solve_rows(&mut self.reactions, columns);
            for (entries, scale) in self.reactions.chunks_exact_mut(columns.max(1)).zip(&expansion.scale) {
                entries.iter_mut().for_each(|entry| *entry *= scale);
            }
        }
    }

    /// W·Jᵀ·λ of each member.
    fn answers(&self, expansion: &Expansion, reactions: &[f64]) -> Vec<[f64; 6]> {
        let machine = self.machine;
        let mut answers = vec![[0.0; 6]; machine.members.len()];
        for (reaction, &row) in reactions.iter().zip(&machine.held) {
            for side in machine.rows[row].sides.iter().flatten() {
                let (gradient, weights) = (expansion.values.gradient(side), machine.members[side.member].weights());
                (0..6).for_each(|k| answers[side.member][k] += weights[k] * gradient[k] * reaction);
            }
        }
        answers
    }

    /// δ(W·Jᵀ)·λ, into `pushed`.
    pub(super) fn push(&mut self, expansion: &Expansion, reactions: &[f64]) {
        let machine = self.machine;
        self.pushed.fill(0.0);
        for (reaction, &row) in reactions.iter().zip(&machine.held) {
            let law = &machine.rows[row];
            for (_, side) in sides(law) {
                let weights = machine.members[side.member].weights();
                for (k, gradient) in gradients(side).enumerate() {
                    let Some(gradient) = gradient else { continue };
                    let factor = side.sign * weights[k] * reaction;
                    self.scatter(law.element, |scope, graph, tangents, sum| {
                        graph.accumulate(tangents, (gradient, 0), factor, scope, sum);
                    });
                    self.gather(law.element, Target::Pushed(6 * side.member + k));
                }
            }
        }
        let answers = self.answers(expansion, reactions);
        for (member, answer) in answers.iter().enumerate() {
            let weights = machine.members[member].weights();
            for (at, k, change) in self.weight_changes(member) {
                if weights[k] > 0.0 {
                    self.pushed[(6 * member + k) * self.columns + at] += change / weights[k] * answer[k];
                }
            }
        }
    }

    /// Works out a change by the columns of an element.
    fn scatter(
        &mut self,
        element: usize,
        sum: impl FnOnce(super::graph::Scope, &super::graph::Graph, &Tangents, &mut [f64]),
    ) {
        let scope = self.machine.elements[element].scope;
        self.local.clear();
        self.local.resize(self.machine.graph.width(scope), 0.0);
        sum(scope, &self.machine.graph, &self.tangents, &mut self.local);
    }

    /// Adds that to one row by all columns.
    pub(super) fn gather(&mut self, element: usize, target: Target) {
        let (rows, row) = match target {
            Target::Accelerations(row) => (&mut self.accelerations, row),
            Target::Against(row) => (&mut self.against, row),
            Target::Diagonal(row) => (&mut self.diagonal, row),
            Target::Reactions(row) => (&mut self.reactions, row),
            Target::Pushed(row) => (&mut self.pushed, row),
        };
        let entries = &mut rows[row * self.columns..(row + 1) * self.columns];
        for (value, place) in self.local.iter().zip(&self.maps[element]) {
            if let Some(place) = place {
                entries[*place] += value;
            }
        }
    }
}

/// Rows that columns of an element are added to.
pub(super) enum Target {
    Accelerations(usize),
    Against(usize),
    Diagonal(usize),
    Reactions(usize),
    Pushed(usize),
}

/// The sides of a row that are pushed, with their places.
fn sides(row: &super::machine::Row) -> impl Iterator<Item = (usize, &RowSide)> {
    row.sides.iter().enumerate().filter_map(|(place, side)| Some((place, side.as_ref()?)))
}

fn gradients(side: &RowSide) -> impl Iterator<Item = Option<Node>> + '_ {
    side.along.iter().chain(&side.turning).copied()
}

fn add(sum: &mut [f64], factor: f64, entries: &[f64]) {
    if factor != 0.0 {
        sum.iter_mut().zip(entries).for_each(|(sum, entry)| *sum += factor * entry);
    }
}

/// ½·Q∘e_k as x, y, z, w.
fn half_product([x, y, z, w]: [f64; 4], k: usize) -> [f64; 4] {
    let product = [[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]][k];
    product.map(|entry| 0.5 * entry)
}
