//! The chain against time: a few rows pulled back to the parameters, through nothing but their causal past.
//!
//! A row is a covector on the states of some bodies at a time or at an event. Nodes are visited from the latest to the
//! earliest, and only those at which a body, or a time, that the rows depend on was changed: the rest of the
//! tape is not looked at.

use std::collections::BTreeSet;

use nalgebra::{DMatrix, DVector};

use super::Mark;
use super::chain::{Builder, Chain, elsewhere};
use super::change::{Change, Variable};
use super::linear::Covectors;
use super::moment::{Moment, Row, Side};
use super::seed::Seeds;
use crate::dynamics::StateTangent;
use crate::model::{BodyId, ControlVector, Model, ParameterId};
use crate::simulation::Trajectory;
use crate::simulation::tape::{NodeId, Timing};

/// Rows pulled back to the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Pullback {
    /// Rows × parameters.
    pub values: DMatrix<f64>,
    /// Instants on the way without a usable derivative, or with a one-sided one, in order of time.
    pub marks: Vec<Mark>,
}

/// The derivative of scalars of a motion by the given parameters. `trajectory` must be that of `model` and `u`.
pub fn reverse(
    model: &Model,
    u: &ControlVector,
    trajectory: &Trajectory,
    parameters: &[ParameterId],
    rows: &[Row],
) -> Pullback {
    let trajectory = trajectory.in_own_units();
    let seeds = Seeds::new(model, u, trajectory.world(), parameters);
    let mut pull = Pull::new(Chain { trajectory, seeds: &seeds, forward_only: false }, rows);
    while pull.pass() {}
    pull.finish()
}

/// The same while it is wanted, which is asked at every node; none where it was not.
pub fn reverse_while(
    model: &Model,
    u: &ControlVector,
    trajectory: &Trajectory,
    parameters: &[ParameterId],
    rows: &[Row],
    wanted: &dyn Fn() -> bool,
) -> Option<Pullback> {
    let trajectory = trajectory.in_own_units();
    let seeds = Seeds::new(model, u, trajectory.world(), parameters);
    let mut pull = Pull::new(Chain { trajectory, seeds: &seeds, forward_only: false }, rows);
    while pull.pass() {
        if !wanted() {
            return None;
        }
    }
    Some(pull.finish())
}

struct Pull<'a> {
    chain: Chain<'a>,
    covectors: Covectors,
    /// Nodes to visit.
    nodes: BTreeSet<NodeId>,
    marks: Vec<Mark>,
}

impl<'a> Pull<'a> {
    /// At the moments of the rows.
    fn new(chain: Chain<'a>, rows: &[Row]) -> Pull<'a> {
        let mut pull = Pull { chain, covectors: Covectors::new(rows.len()), nodes: BTreeSet::new(), marks: Vec::new() };
        for (index, row) in rows.iter().enumerate() {
            pull.ask(index, row);
        }
        pull
    }

    /// Begins with one row.
    fn ask(&mut self, index: usize, row: &Row) {
        let pushed = |body: BodyId| self.chain.world().bodies[body.index()].drive.is_pushed();
        let bodies = row.bodies.iter().filter(|(body, _)| pushed(*body));
        let units = self.chain.world().units();
        let weights = |weights: &StateTangent| self.seed(index, units.tangent(weights).as_slice());
        let mut seeds = Vec::new();
        let builder = match row.moment {
            Moment::Time(t) => {
                let t = units.own_time(t).clamp(0.0, self.chain.trajectory.t_end);
                let mut builder = self.chain.builder();
                for (body, weighed) in bodies {
                    let begun = self.chain.tape().begun(*body, t);
                    let change = builder.place(*body, begun, t).change;
                    seeds.extend(change.map(|change| (change, weights(weighed))));
                }
                builder
            }
            Moment::Event { event, side } => {
                let node = self.chain.trajectory.events[event.index()].node;
                let relations = self.chain.node(node);
                let t = self.chain.tape().node(node).t;
                let taking_part = if side == Side::Before { relations.before } else { relations.after };
                let mut builder =
                    Builder { program: relations.program, marks: relations.marks, ..self.chain.builder() };
                for (body, weighed) in bodies {
                    let change = match taking_part.get(body) {
                        Some(change) => *change,
                        None => elsewhere(&mut builder, *body, node, t, relations.time),
                    };
                    seeds.extend(change.map(|change| (change, weights(weighed))));
                }
                seeds.extend(relations.time.map(|time| (time, self.seed(index, &[row.dtime * units.time]))));
                builder
            }
        };
        self.marks.extend(builder.marks);
        builder.program.backward(seeds, &mut self.covectors);
        self.collect();
    }

    /// A covector of one row.
    fn seed(&self, index: usize, weights: &[f64]) -> DMatrix<f64> {
        let mut seed = DMatrix::zeros(weights.len(), self.covectors.count);
        seed.column_mut(index).copy_from_slice(weights);
        seed
    }

    /// Lists the nodes that covectors have come to.
    fn collect(&mut self) {
        for variable in self.covectors.variables.keys() {
            if let Variable::Launch(node, _) | Variable::Time(node) = variable {
                self.nodes.insert(*node);
            }
        }
    }

    /// Goes back through the last node that is left; whether there was one.
    fn pass(&mut self) -> bool {
        let Some(node) = self.nodes.pop_last() else { return false };
        if self.chain.tape().node(node).timing == Timing::Start {
            self.arrive(node);
            return true;
        }
        let relations = self.chain.node(node);
        let mut seeds: Vec<(Change, DMatrix<f64>)> = Vec::new();
        for (variable, operand) in &relations.program.outputs {
            seeds.extend(self.covectors.variables.remove(variable).map(|covector| (*operand, covector)));
        }
        // What a node did not make does not change.
        let made_here =
            |variable: &Variable| matches!(variable, Variable::Launch(made, _) | Variable::Time(made) if *made == node);
        self.covectors.variables.retain(|variable, _| !made_here(variable));
        relations.program.backward(seeds, &mut self.covectors);
        self.marks.extend(relations.marks);
        self.collect();
        true
    }

    /// Hands covectors of the first node on to the starts, without looking at bodies that no row depends on.
    fn arrive(&mut self, node: NodeId) {
        let bodies: Vec<BodyId> = self
            .covectors
            .variables
            .keys()
            .filter_map(|variable| match variable {
                Variable::Launch(made, body) if *made == node => Some(*body),
                _ => None,
            })
            .collect();
        for body in bodies {
            if let Some(covector) = self.covectors.variables.remove(&Variable::Launch(node, body)) {
                match self.covectors.variables.get_mut(&Variable::Start(body)) {
                    Some(sum) => *sum += covector,
                    None => {
                        self.covectors.variables.insert(Variable::Start(body), covector);
                    }
                }
            }
        }
        self.covectors.variables.remove(&Variable::Time(node));
    }

    /// What has come to the starts and to the numbers of the world, by parameter.
    fn finish(mut self) -> Pullback {
        let seeds = self.chain.seeds;
        let mut values = DMatrix::zeros(self.covectors.count, seeds.count);
        for (variable, covector) in &self.covectors.variables {
            if let Variable::Start(body) = variable
                && let Some(start) = seeds.starts.get(body)
            {
                values.columns_range_mut(start.run()).gemm_tr(1.0, covector, &start.all().view(), 1.0);
            }
        }
        for (quantity, covector) in &self.covectors.quantities {
            for &(column, value) in seeds.columns(*quantity) {
                values.column_mut(column).axpy(value, covector as &DVector<f64>, 1.0);
            }
        }
        let unit = self.chain.world().units().time;
        self.marks.iter_mut().for_each(|mark| mark.t *= unit);
        self.marks.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.reason.cmp(&b.reason)));
        self.marks.dedup();
        Pullback { values, marks: self.marks }
    }
}
