//! Numbers that depend on each other and on time, as truncated power series, and how they change.
//!
//! A *graph* is a list of operations on series, each of which knows its coefficient n from the coefficients up to n of what it
//! is made of. With a(t) = Σ a_n·tⁿ, t counted from where the series begin:
//!
//! ```text
//! product     (a·b)_n = Σ_k a_k·b_n−k                                                              (1)
//! quotient    q = a/b:    q_n = (a_n − Σ_{k<n} q_k·b_n−k)/b₀                                       (2)
//! root        r = √a:     r_n = (a_n − Σ_{0<k<n} r_k·r_n−k)/(2·r₀)                                 (3)
//! rate        (ȧ)_n = (n+1)·a_n+1                                                                  (4)
//! sine        n·s_n = Σ_{k≥1} k·a_k·c_n−k,     cosine   n·c_n = −Σ_{k≥1} k·a_k·s_n−k               (5)
//! ```
//!
//! Nodes that depend on places and on time are *early*: in a joined flight their coefficient n + 1 is known before the
//! accelerations of order n are. Those that depend on velocities are *late*, and known to n.
//!
//! The first two coefficients have tangents too: how a number and its rate change with the state of one or two bodies, in
//! twelve directions each (δx, φ, δv, δσ), and with the numbers of an element. Every node has the columns of its *scope*; what a
//! body's own nodes are made of changes with that body alone.
//!
//! What the inputs are, and in which order coefficients come about, is `expansion`; what is built of all this are joints and forces.

use std::ops::{Range, RangeInclusive};

use crate::math::elementary::{cos, sin};

/// Highest power in the series. Work per step grows with its square, step length with `TRUNCATION^(1/ORDER)`; for
/// rounding-level accuracy the optimum near 20 is flat.
pub(super) const ORDER: usize = 20;

/// The coefficients of one series.
pub(super) type Coefficients = [f64; ORDER + 1];

/// Directions in which the state of one body changes: δx, φ, δv, δσ.
pub(super) const BODY_COLUMNS: usize = 12;

/// A series of the graph, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node(u32);

/// What the tangents of a node are taken by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The state of one body.
    Body(usize),
    /// The states of an element's bodies, one after the other, then its numbers.
    Element(usize),
}

#[derive(Clone, Copy, Debug)]
enum Op {
    /// Coefficients come from elsewhere.
    Input,
    /// The same all the time; where it is a number that may change, its column among those of the element.
    Number(f64),
    /// Time itself: t₀ + t.
    Time,
    Sum(Node, Node),
    Difference(Node, Node),
    Scaled(f64, Node),
    Product(Node, Node),
    Quotient(Node, Node),
    Root(Node),
    Rate(Node),
    /// The other of the pair stands right behind.
    Sine(Node),
    /// The other of the pair stands right before.
    Cosine(Node),
}

/// When the coefficients of a node are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Only the first is not zero.
    Steady,
    Early,
    Late,
}

/// Operations in the order in which they were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    ops: Vec<Op>,
    stages: Vec<Stage>,
    scopes: Vec<Scope>,
    /// Where the tangents of each node begin; two rows of as many as its scope has.
    starts: Vec<u32>,
    widths: Vec<u32>,
    early: Vec<Node>,
    late: Vec<Node>,
    /// Columns of each element's scope, and the bodies of its sides.
    elements: Vec<ElementScope>,
}

#[derive(Clone, Debug)]
struct ElementScope {
    sides: [Option<usize>; 2],
    width: usize,
}

/// Values of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Values {
    series: Vec<Coefficients>,
}

/// Tangents of the first two coefficients of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Tangents {
    entries: Vec<f64>,
}

impl Graph {
    /// Begins an element with these bodies and so many numbers of its own; its scope.
    pub fn element(&mut self, sides: [Option<usize>; 2], numbers: usize) -> Scope {
        self.elements.push(ElementScope { sides, width: 2 * BODY_COLUMNS + numbers });
        Scope::Element(self.elements.len() - 1)
    }

    /// How many columns the tangents of a scope have.
    pub fn width(&self, scope: Scope) -> usize {
        match scope {
            Scope::Body(_) => BODY_COLUMNS,
            Scope::Element(element) => self.elements[element].width,
        }
    }

    fn push(&mut self, op: Op, scope: Scope, stage: Stage) -> Node {
        let node = Node(self.ops.len() as u32);
        let start = self.starts.last().map_or(0, |start| start + 2 * self.widths[self.widths.len() - 1]);
        self.ops.push(op);
        self.stages.push(stage);
        self.scopes.push(scope);
        self.starts.push(start);
        self.widths.push(self.width(scope) as u32);
        match (op, stage) {
            // Inputs and numbers are set, not worked out.
            (Op::Input | Op::Number(_), _) => {}
            (_, Stage::Late) => self.late.push(node),
            _ => self.early.push(node),
        }
        node
    }

    /// A series that is set from outside, known as places are.
    pub fn input(&mut self, scope: Scope) -> Node {
        self.push(Op::Input, scope, Stage::Early)
    }

    /// The same, known as velocities are.
    pub fn late_input(&mut self, scope: Scope) -> Node {
        self.push(Op::Input, scope, Stage::Late)
    }

    /// The same, of which only the first coefficient is not zero.
    pub fn steady_input(&mut self, scope: Scope) -> Node {
        self.push(Op::Input, scope, Stage::Steady)
    }

    /// A number.
    pub fn number(&mut self, scope: Scope, value: f64) -> Node {
        self.push(Op::Number(value), scope, Stage::Steady)
    }

    /// Time.
    pub fn time(&mut self, scope: Scope) -> Node {
        self.push(Op::Time, scope, Stage::Early)
    }

    fn stage(&self, node: Node) -> Stage {
        self.stages[node.0 as usize]
    }

    /// Whether only its first coefficient is not zero.
    pub fn is_steady(&self, node: Node) -> bool {
        self.stage(node) == Stage::Steady
    }

    fn of_two(&mut self, scope: Scope, op: Op, a: Node, b: Node) -> Node {
        let stage = self.stage(a).max(self.stage(b));
        self.push(op, scope, stage)
    }

    /// a + b.
    pub fn sum(&mut self, scope: Scope, a: Node, b: Node) -> Node {
        self.of_two(scope, Op::Sum(a, b), a, b)
    }

    /// a − b.
    pub fn difference(&mut self, scope: Scope, a: Node, b: Node) -> Node {
        self.of_two(scope, Op::Difference(a, b), a, b)
    }

    /// factor·a.
    pub fn scaled(&mut self, scope: Scope, factor: f64, a: Node) -> Node {
        self.of_two(scope, Op::Scaled(factor, a), a, a)
    }

    /// a·b.
    pub fn product(&mut self, scope: Scope, a: Node, b: Node) -> Node {
        // What is steady stands first: its product has one term.
        let (a, b) = if self.is_steady(b) { (b, a) } else { (a, b) };
        self.of_two(scope, Op::Product(a, b), a, b)
    }

    /// a/b.
    pub fn quotient(&mut self, scope: Scope, a: Node, b: Node) -> Node {
        self.of_two(scope, Op::Quotient(a, b), a, b)
    }

    /// √a.
    pub fn root(&mut self, scope: Scope, a: Node) -> Node {
        self.of_two(scope, Op::Root(a), a, a)
    }

    /// ȧ of something early.
    pub fn rate(&mut self, scope: Scope, a: Node) -> Node {
        let stage = if self.is_steady(a) { Stage::Steady } else { Stage::Late };
        self.push(Op::Rate(a), scope, stage)
    }

    /// sin a and cos a.
    pub fn sine_and_cosine(&mut self, scope: Scope, a: Node) -> [Node; 2] {
        let sine = self.of_two(scope, Op::Sine(a), a, a);
        [sine, self.of_two(scope, Op::Cosine(a), a, a)]
    }

    /// Values with all coefficients zero but those of numbers.
    pub fn values(&self) -> Values {
        let first = |op: &Op| match op {
            Op::Number(value) => *value,
            _ => 0.0,
        };
        let series = self.ops.iter().map(|op| std::array::from_fn(|n| if n == 0 { first(op) } else { 0.0 }));
        Values { series: series.collect() }
    }

    /// Tangents that are all zero.
    pub fn tangents(&self) -> Tangents {
        let count = self.starts.last().map_or(0, |start| start + 2 * self.widths[self.widths.len() - 1]);
        Tangents { entries: vec![0.0; count as usize] }
    }

    /// Works out coefficient n of all early nodes.
    pub fn expand_early(&self, values: &mut Values, n: usize, time: f64) {
        self.early.iter().for_each(|&node| self.expand(values, node, n, time));
    }

    /// Works out coefficient n of all late nodes; early ones are known to n + 1.
    pub fn expand_late(&self, values: &mut Values, n: usize, time: f64) {
        self.late.iter().for_each(|&node| self.expand(values, node, n, time));
    }

    fn expand(&self, values: &mut Values, node: Node, n: usize, time: f64) {
        if n > 0 && self.is_steady(node) {
            return;
        }
        let of = |node: Node| &values.series[node.0 as usize];
        let own = of(node);
        let value = match self.ops[node.0 as usize] {
            Op::Input | Op::Number(_) => return,
            Op::Time => [time, 1.0].get(n).copied().unwrap_or(0.0),
            Op::Sum(a, b) => of(a)[n] + of(b)[n],
            Op::Difference(a, b) => of(a)[n] - of(b)[n],
            Op::Scaled(factor, a) => factor * of(a)[n],
            Op::Product(a, b) if self.is_steady(a) => of(a)[0] * of(b)[n],
            Op::Product(a, b) => convolution(of(a), of(b), 0..=n, n),
            Op::Quotient(a, b) if self.is_steady(b) => of(a)[n] / of(b)[0],
            Op::Quotient(a, b) => (of(a)[n] - partial(own, of(b), n)) / of(b)[0],
            Op::Root(a) if n == 0 => of(a)[0].max(0.0).sqrt(),
            Op::Root(a) => {
                let beginning = own[0];
                if beginning == 0.0 {
                    return self.root_from_zero(values, node, a, n);
                }
                (of(a)[n] - convolution(own, own, 1..=n - 1, n)) / (2.0 * beginning)
            }
            Op::Rate(a) => (n + 1) as f64 * of(a).get(n + 1).copied().unwrap_or(0.0),
            Op::Sine(a) if n == 0 => sin(of(a)[0]),
            Op::Cosine(a) if n == 0 => cos(of(a)[0]),
            Op::Sine(a) => weighted(of(a), &values.series[node.0 as usize + 1], n) / n as f64,
            Op::Cosine(a) => -weighted(of(a), &values.series[node.0 as usize - 1], n) / n as f64,
        };
        values.series[node.0 as usize][n] = value;
    }

    /// The root of a square that begins with t²: its coefficient n − 1 needs the square's n. What is multiplied with it must begin
    /// with zero, as a velocity does whose length it is.
    fn root_from_zero(&self, values: &mut Values, node: Node, square: Node, n: usize) {
        let a = values.series[square.0 as usize][n];
        let own = &mut values.series[node.0 as usize];
        match n {
            2 => own[1] = a.max(0.0).sqrt(),
            3.. if own[1] > 0.0 => own[n - 1] = (a - convolution(own, own, 2..=n - 2, n)) / (2.0 * own[1]),
            _ => {}
        }
    }

    /// Works out the tangents of coefficient n (0 or 1) of all early nodes; values are known.
    pub fn vary_early(&self, values: &Values, tangents: &mut Tangents, n: usize) {
        self.early.iter().for_each(|&node| self.vary(values, tangents, node, n));
    }

    /// Works out the tangents of coefficient 0 of all late nodes.
    pub fn vary_late(&self, values: &Values, tangents: &mut Tangents) {
        self.late.iter().for_each(|&node| self.vary(values, tangents, node, 0));
    }

    /// The tangent of a sum Σ factor·coefficient of other nodes, of two terms a factor of a product has.
    fn vary(&self, values: &Values, tangents: &mut Tangents, node: Node, n: usize) {
        if n > 0 && self.is_steady(node) {
            return;
        }
        let of = |node: Node, n: usize| values.series[node.0 as usize][n];
        let own = of(node, 0);
        let mut add = |other: Node, k: usize, factor: f64| self.add(tangents, [node, other], [n, k], factor);
        match self.ops[node.0 as usize] {
            Op::Input | Op::Number(_) | Op::Time => {}
            Op::Sum(a, b) => [a, b].into_iter().for_each(|other| add(other, n, 1.0)),
            Op::Difference(a, b) => [(a, 1.0), (b, -1.0)].into_iter().for_each(|(other, sign)| add(other, n, sign)),
            Op::Scaled(factor, a) => add(a, n, factor),
            Op::Product(a, b) => (0..=n).for_each(|k| {
                add(a, k, of(b, n - k));
                add(b, k, of(a, n - k));
            }),
            Op::Quotient(a, b) => {
                let scale = 1.0 / of(b, 0);
                add(a, n, scale);
                (0..=n).for_each(|k| add(b, n - k, -of(node, k) * scale));
                if n == 1 {
                    add(node, 0, -of(b, 1) * scale);
                }
            }
            Op::Root(_) if own == 0.0 => {}
            Op::Root(a) => {
                add(a, n, 0.5 / own);
                if n == 1 {
                    add(node, 0, -of(node, 1) / own);
                }
            }
            Op::Rate(a) => add(a, n + 1, 1.0),
            Op::Sine(a) => self.vary_wave(&mut add, a, [Node(node.0 + 1), node], values, n),
            Op::Cosine(a) => self.vary_wave(&mut add, a, [Node(node.0 - 1), node], values, n),
        }
    }

    /// s₀ = sin a₀ and s₁ = a₁·c₀ change by c₀·δa₀ and c₀·δa₁ − a₁·s₀·δa₀; c likewise with −s for c and −c for s.
    fn vary_wave(
        &self,
        add: &mut impl FnMut(Node, usize, f64),
        a: Node,
        [partner, own]: [Node; 2],
        values: &Values,
        n: usize,
    ) {
        let of = |node: Node, n: usize| values.series[node.0 as usize][n];
        let sign = if partner > own { 1.0 } else { -1.0 };
        add(a, n, sign * of(partner, 0));
        if n == 1 {
            add(a, 0, -of(a, 1) * of(own, 0));
        }
    }

    /// Adds a multiple of the tangent of one coefficient to that of another.
    fn add(&self, tangents: &mut Tangents, [to, from]: [Node; 2], [n, k]: [usize; 2], factor: f64) {
        if factor == 0.0 || (k > 0 && self.is_steady(from)) {
            return;
        }
        let (target, source) = (self.columns(to, n), self.columns(from, k));
        let shift = self.shift(self.scopes[to.0 as usize], self.scopes[from.0 as usize]);
        for side in shift.into_iter().flatten() {
            for column in 0..source.len() {
                tangents.entries[target.start + side + column] += factor * tangents.entries[source.start + column];
            }
        }
    }

    /// Where the columns of one scope begin among those of another; twice where both sides of an element are one body.
    fn shift(&self, to: Scope, from: Scope) -> [Option<usize>; 2] {
        match (to, from) {
            (Scope::Element(element), Scope::Body(body)) => {
                let sides = self.elements[element].sides;
                [0, 1].map(|side| (sides[side] == Some(body)).then_some(side * BODY_COLUMNS))
            }
            _ => [Some(0), None],
        }
    }

    fn columns(&self, node: Node, n: usize) -> Range<usize> {
        let (start, width) = (self.starts[node.0 as usize] as usize, self.widths[node.0 as usize] as usize);
        start + n * width..start + (n + 1) * width
    }

    /// Adds a multiple of the tangent of coefficient n (0 or 1) of a node to columns of a scope.
    pub fn accumulate(
        &self,
        tangents: &Tangents,
        (node, n): (Node, usize),
        factor: f64,
        scope: Scope,
        sum: &mut [f64],
    ) {
        if factor == 0.0 || (n > 0 && self.is_steady(node)) {
            return;
        }
        let source = &tangents.entries[self.columns(node, n)];
        for side in self.shift(scope, self.scopes[node.0 as usize]).into_iter().flatten() {
            sum[side..side + source.len()].iter_mut().zip(source).for_each(|(sum, entry)| *sum += factor * entry);
        }
    }

    /// What the tangents of a node are taken by.
    pub fn scope(&self, node: Node) -> Scope {
        self.scopes[node.0 as usize]
    }

    /// Makes the tangents of coefficient 0 zero where `vary_early` works them out.
    pub fn clear_early(&self, tangents: &mut Tangents) {
        for &node in self.early.iter().filter(|node| !matches!(self.ops[node.0 as usize], Op::Time)) {
            tangents.entries[self.columns(node, 0)].fill(0.0);
        }
    }

    /// The tangent of coefficient n (0 or 1) of a node, by the columns of its scope, to be set.
    pub fn tangent_mut<'a>(&self, tangents: &'a mut Tangents, node: Node, n: usize) -> &'a mut [f64] {
        &mut tangents.entries[self.columns(node, n)]
    }
}

impl Values {
    /// All coefficients of a node.
    pub fn of(&self, node: Node) -> &Coefficients {
        &self.series[node.0 as usize]
    }

    /// Sets a coefficient of an input.
    pub fn set(&mut self, node: Node, n: usize, value: f64) {
        self.series[node.0 as usize][n] = value;
    }
}

impl Tangents {
    /// Makes all of them zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }
}

/// Σ a_k·b_n−k over a range of k: four sums side by side.
pub(super) fn convolution(a: &Coefficients, b: &Coefficients, range: RangeInclusive<usize>, n: usize) -> f64 {
    let (from, to) = range.into_inner();
    if to < from {
        return 0.0;
    }
    let mut sums = [0.0; 4];
    let (left, right) = (&a[from..=to], &b[n - to..=n - from]);
    let (chunks, rest) = left.as_chunks::<4>();
    let mut end = right.len();
    for chunk in chunks {
        let other = &right[end - 4..end];
        (0..4).for_each(|lane| sums[lane] += chunk[lane] * other[3 - lane]);
        end -= 4;
    }
    let rest: f64 = rest.iter().zip(right[..end].iter().rev()).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Σ_{k<n} q_k·b_n−k.
fn partial(q: &Coefficients, b: &Coefficients, n: usize) -> f64 {
    (0..n).map(|k| q[k] * b[n - k]).sum()
}

/// Σ_{k≥1} k·a_k·c_n−k.
fn weighted(a: &Coefficients, c: &Coefficients, n: usize) -> f64 {
    (1..=n).map(|k| k as f64 * a[k] * c[n - k]).sum()
}
