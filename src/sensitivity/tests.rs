//! One impact of every pair of features against differences, and that leaving out a term is noticed.
//!
//! Each scene has one kind of contact between bodies that turn. The check must find seven digits, and fewer than three
//! once the time of impact, the turning of the normal, the motion of the contact point or the fade of restitution is
//! left out: `left_out` makes such derivatives. Along a direction d through all parameters at once
//!
//! ```text
//! r(h) = ‖S(u + h·d) ⊖ S(u) − h·S_u·d‖,      r(h)/r(h/2) → 4, and → 2 where S_u is wrong                            (1)
//! ```

mod left_out;
mod local;

use nalgebra::{DMatrix, DVector};

use super::check::{Agreement, Comparison, ENOUGH_DIGITS, Report};
use super::*;
use crate::geometry::Feature;
use crate::math::elementary::powi;
use crate::model::{ControlVector, Field, ParameterId};
use crate::scene::Scene;
use crate::simulation::{EventKind, Trajectory, simulate};

/// Digits that a right derivative has at least; `check` asks for one less.
const RIGHT: f64 = 7.0;
/// A wrong one has at most this many: far from what `check` asks for.
const WRONG: f64 = 3.0;
/// Rest speeds with which impacts at 2 m/s do not fade, and fade by about a half.
const NO_FADE: f64 = 0.02;
const FADES: f64 = 4.0;

const FLOOR: &str = r#"
[[body]]
name = "other"
fixed = true
shape = { kind = "half_space", normal = [0.1, 1, 0.05] }
"#;

/// A body that flies down, and one below it.
fn scene(shape: &str, rotation: &str, other: &str, rest_speed: f64) -> String {
    format!(
        "format = 1\nduration = 0.6\ngravity = [0.0, -3.0, 0.0]\nrest_speed = {rest_speed:?}\n{other}\
         [[body]]\nname = \"body\"\nshape = {{ {shape} }}\nrotation = {rotation}\nposition = [0.03, 0.6, 0.02]\n\
         velocity = [0.1, -1.5, 0.05]\nspin = [1.0, 2.0, -1.0]\nfriction = 0.3\nrestitution = 0.6\n"
    )
}

fn below(shape: &str, rotation: &str) -> String {
    format!(
        "[[body]]\nname = \"other\"\nshape = {{ {shape} }}\nrotation = {rotation}\nspin = [0.3, -0.4, 0.5]\n\
         velocity = [0.0, 0.2, 0.0]\nfriction = 0.3\nrestitution = 0.6\n"
    )
}

const BOX: &str = "kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]";
const SLAB: &str = "kind = \"cuboid\", half_extents = [0.5, 0.1, 0.5]";
const BALL: &str = "kind = \"ball\", radius = 0.12";

/// Every pair of features, with a scene in which it meets first.
fn pairs(rest_speed: f64) -> Vec<(&'static str, String)> {
    let bar = "kind = \"cuboid\", half_extents = [0.4, 0.05, 0.05]";
    let cross = "kind = \"cuboid\", half_extents = [0.05, 0.05, 0.4]";
    let capsule = "kind = \"capsule\", half_height = 0.3, radius = 0.06";
    let (askew, level, edge_up) = ("[0.6, 0.2, 0.7]", "[0.05, 0.0, 0.03]", "[0.0, 0.0, 0.7]");
    vec![
        ("VertexPlane", scene(BOX, askew, FLOOR, rest_speed)),
        ("VertexPlane", scene(capsule, askew, FLOOR, rest_speed)),
        ("VertexFace", scene(BOX, askew, &below(SLAB, level), rest_speed)),
        ("VertexFace", scene(BALL, askew, &below(SLAB, level), rest_speed)),
        ("VertexVertex", scene(BALL, askew, &below(BALL, level), rest_speed)),
        ("VertexEdge", scene(BALL, askew, &below(cross, edge_up), rest_speed)),
        ("EdgeEdge", scene(bar, "[0.7, 0.0, 0.0]", &below(cross, edge_up), rest_speed)),
        ("EdgeEdge", scene(capsule, "[0.0, 0.0, 1.5]", &below(capsule, "[1.5, 0.0, 0.0]"), rest_speed)),
    ]
}

fn kind(feature: &Feature) -> &'static str {
    match feature {
        Feature::VertexPlane { .. } => "VertexPlane",
        Feature::VertexFace { .. } => "VertexFace",
        Feature::VertexVertex { .. } => "VertexVertex",
        Feature::VertexEdge { .. } => "VertexEdge",
        Feature::EdgeEdge { .. } => "EdgeEdge",
        Feature::Patch { .. } => "Patch",
        Feature::Round { .. } => "Round",
    }
}

/// A motion, and a time half-way between its first impact and what follows.
struct Case {
    model: Model,
    u: ControlVector,
    trajectory: Trajectory,
    parameters: Vec<ParameterId>,
    t: f64,
}

impl Case {
    #[track_caller]
    fn new(expected: &str, text: &str) -> Self {
        let mut scene = Scene::parse(text, "s.toml").unwrap();
        let run = |scene: &Scene| {
            let model = Model::new(scene).unwrap();
            let u = model.control();
            let trajectory = simulate(&model, &u);
            (model, u, trajectory)
        };
        let events = run(&scene).2.events;
        let impact = events.iter().position(|event| event.kind == EventKind::Impact).expect("an impact");
        assert_eq!(kind(&events[impact].contacts[0].feature), expected, "{text}");
        let next = events.get(impact + 1).map_or(scene.duration, |event| event.t);
        let t = 0.5 * (events[impact].t + next);
        // What happens later would only cost time.
        scene.duration = t;
        let (model, u, trajectory) = run(&scene);
        let parameters = (0..model.parameters().len() as u32).map(ParameterId).collect();
        Case { model, u, trajectory, parameters, t }
    }

    fn jacobian(&self) -> DMatrix<f64> {
        forward(&self.model, &self.u, &self.trajectory, &self.parameters).at(self.t)
    }

    fn report(&self, jacobian: DMatrix<f64>) -> Report {
        let comparison = Comparison::new(&self.model, &self.u, std::slice::from_ref(&self.t));
        let columns: Vec<_> = self.parameters.iter().map(|&parameter| comparison.column(parameter)).collect();
        comparison.report(&self.parameters, &columns, &[jacobian])
    }
}

fn digits(report: &Report) -> f64 {
    report.worst.as_ref().expect("something comparable").digits
}

/// Asserts that in every pair the chain agrees with differences, and that what lacks a term does not.
#[track_caller]
fn check_left_out(term: &str, rest_speed: f64, lacking: impl Fn(&Case, &str) -> DMatrix<f64>) {
    for (pair, text) in pairs(rest_speed) {
        let case = Case::new(pair, &text);
        let right = case.report(case.jacobian());
        let (found, share) = (digits(&right), right.share().min(right.share_reached()));
        assert!(found >= RIGHT, "{pair}: the chain has {found:.1} digits, {:?}\n{text}", right.worst);
        assert!(share > 0.9, "{pair}: only {share:.3} of all entries can be compared\n{text}");
        let wrong = digits(&case.report(lacking(&case, &text)));
        println!("{pair}: {found:.1} digits of {share:.3}; {wrong:.1} without {term}");
        assert!(wrong < WRONG && WRONG < ENOUGH_DIGITS, "{pair}: {wrong:.1} digits without {term}\n{text}");
    }
}

#[test]
fn a_derivative_without_the_time_of_impact_is_caught() {
    check_left_out("the time", NO_FADE, |case, _| left_out::time(case));
}

#[test]
fn a_derivative_without_the_turning_of_the_normal_is_caught() {
    check_left_out("the normal", NO_FADE, |case, _| left_out::normal(case));
}

#[test]
fn a_derivative_without_the_motion_of_the_contact_point_is_caught() {
    check_left_out("the point", NO_FADE, |case, _| left_out::point(case));
}

#[test]
fn a_derivative_without_the_fade_of_restitution_is_caught() {
    check_left_out("the fade", FADES, left_out::fade_of);
}

#[test]
fn a_derivative_of_zeros_is_caught() {
    let (pair, text) = &pairs(NO_FADE)[0];
    let case = Case::new(pair, text);
    let report = case.report(DMatrix::zeros(rows(&case.model).len(), case.parameters.len()));
    assert!(!report.passes() && digits(&report) < 1.0, "zeros have {:.1} digits", digits(&report));
}

#[test]
fn derivatives_that_are_no_numbers_or_far_too_large_are_caught() {
    let (pair, text) = &pairs(NO_FADE)[0];
    let case = Case::new(pair, text);
    let right = case.jacobian();
    let (place, largest) = right
        .iter()
        .map(|entry| entry.abs())
        .enumerate()
        .fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most });
    let share = case.report(right.clone()).share();
    for wrong in [f64::NAN, f64::INFINITY, 1e8 * largest] {
        let mut jacobian = right.clone();
        jacobian[place] = wrong;
        let report = case.report(jacobian);
        assert!(digits(&report) < 1.0, "{wrong} has {:.1} digits", digits(&report));
        assert_eq!(report.share(), share, "{wrong} hides others");
    }
}

/// How much (1) falls when h is halved: 4, within this much. The next power of h may add a small part.
const FALL: (f64, f64) = (4.0, 0.2);
/// First h, and how often it is halved: (1) stays a hundred times above rounding.
const STEP: f64 = 1e-4;
const HALVINGS: i32 = 4;

/// A direction through all parameters, in the units of each, the same at every run. Rolling resistance may only grow.
fn direction(case: &Case) -> DVector<f64> {
    /// Multiples of the golden ratio are spread evenly.
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let along = |parameter: &ParameterId| {
        let spread = 2.0 * (GOLDEN * (parameter.index() + 1) as f64).fract() - 1.0;
        let role = case.model.parameters()[parameter.index()].role;
        match role.field {
            Field::RollingResistance => spread.abs(),
            _ if role.is_positive() => spread * case.u[*parameter],
            _ => spread,
        }
    };
    DVector::from_iterator(case.parameters.len(), case.parameters.iter().map(along))
}

/// r(h) of (1).
#[track_caller]
fn remainder(case: &Case, jacobian: &DMatrix<f64>, along: &DVector<f64>, h: f64) -> f64 {
    let mut u = case.u.clone();
    case.parameters.iter().zip(along.iter()).for_each(|(&parameter, along)| u[parameter] += h * along);
    let moved = simulate(&case.model, &u);
    assert!(Agreement::new(&case.trajectory, &moved).holds_for_all(case.t), "other events at h = {h}");
    let (from, to) = (case.trajectory.at(case.t), moved.at(case.t));
    let tangents: Vec<_> = from.iter().zip(&to).map(|(from, to)| from.tangent_to(to)).collect();
    let entries = rows(&case.model).into_iter().map(|(body, entry)| tangents[body.index()][entry]);
    (DVector::from_iterator(jacobian.nrows(), entries) - jacobian * along * h).norm()
}

/// The factors by which (1) falls, one per halving of h.
#[track_caller]
fn falls(case: &Case, jacobian: &DMatrix<f64>) -> Vec<f64> {
    let along = direction(case);
    let left: Vec<f64> = (0..=HALVINGS).map(|k| remainder(case, jacobian, &along, STEP * powi(0.5_f64, k))).collect();
    left.windows(2).map(|pair| pair[0] / pair[1]).collect()
}

#[test]
fn the_remainder_of_a_first_order_step_falls_by_four_per_halving() {
    for rest_speed in [NO_FADE, FADES] {
        for (pair, text) in pairs(rest_speed) {
            let case = Case::new(pair, &text);
            let (right, wrong) = (falls(&case, &case.jacobian()), falls(&case, &left_out::time(&case)));
            println!("{pair}: {right:.4?}; without the time of impact {wrong:.4?}");
            let quarters = |fall: &f64| (fall - FALL.0).abs() <= FALL.1;
            assert!(right.iter().all(quarters), "{pair}: falls by {right:?}\n{text}");
            assert!(!wrong.iter().any(quarters), "{pair}: falls by {wrong:?} without the time of impact\n{text}");
        }
    }
}
